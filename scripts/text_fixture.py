#!/usr/bin/env python3
"""Reference for decimal text of double-word numbers, by exact rationals and trial.

    text_fixture.py > fixtures/text.tsv              the fixture
    text_fixture.py --cases N --seed S > cases.tsv   more cases of the same kinds, random

Each line: limb width, operation, argument, expected result, separated by tabs. Operations: `parse` (text to the bits hi:lo), and
of a pair hi:lo in hex bits `display` and `exp` (shortest text), `.N` and `eN` (N digits behind the point). The shortest text is
found by trying every number of digits, each candidate being parsed back.
"""

import argparse
import random
from fractions import Fraction

FORMATS = {32: (24, -149, 8), 64: (53, -1074, 11)}


def decode(bits, w):
    p, eta, e = FORMATS[w]
    sign = -1 if bits >> (w - 1) else 1
    field, fraction = bits >> (p - 1) & ((1 << e) - 1), bits & ((1 << (p - 1)) - 1)
    assert field < (1 << e) - 1
    if field:
        fraction += 1 << (p - 1)
        field -= 1
    return sign * Fraction(fraction) * Fraction(2) ** (field + eta)


def infinity(w):
    p, _, e = FORMATS[w]
    return ((1 << e) - 1) << (p - 1)


def rn(v, w):
    """Bits of |v| rounded to nearest even, and the rounded magnitude (None on overflow)."""
    p, eta, _ = FORMATS[w]
    v = abs(v)
    q = eta
    if v:
        top = v.numerator.bit_length() - v.denominator.bit_length()
        top += 0 if v >= Fraction(2) ** top else -1
        q = max(top - p + 1, eta)
    m = round(v / Fraction(2) ** q)  # Fraction rounds half to even
    bits = ((q - eta) << (p - 1)) + m
    return (bits, m * Fraction(2) ** q) if bits < infinity(w) else (infinity(w), None)


def parse(v, w, minus=False):
    minus = minus or v < 0
    sign = 1 << (w - 1)
    bits, hi = rn(v, w)
    if hi is None:
        return bits | sign * minus, 0
    rest = abs(v) - hi
    lo, _ = rn(rest, w)
    return bits | sign * minus, lo | sign * (minus != (rest < 0)) if lo else 0


def value(pair, w):
    return None if pair[0] & ~(1 << (w - 1)) == infinity(w) else decode(pair[0], w) + decode(pair[1], w)


def exact(v):
    """Digits and exponent of the first: v = d.ddd * 10^e, v > 0."""
    k = v.denominator.bit_length() - 1
    digits = str(v.numerator * 5**k)
    return digits.rstrip("0"), len(digits) - 1 - k


def shortest(v, w):
    digits, e = exact(v)
    for n in range(1, len(digits) + 1):
        unit = Fraction(10) ** (e - n + 1)
        down = int(digits[:n])
        good = [c for c in (down, down + 1) if c and value(parse(c * unit, w), w) == v]
        if good:
            best = min(good, key=lambda c: (abs(c * unit - v), c % 2))
            text = str(best)
            return text.rstrip("0"), e + len(text) - n
    return digits, e


def scientific(digits, e, places=0):
    rest = digits[1:].ljust(places, "0")
    return digits[0] + ("." + rest if rest else "") + "e" + str(e)


def positional(digits, e, places=0):
    whole = digits[: e + 1].ljust(e + 1, "0") if e >= 0 else "0"
    rest = (digits[e + 1 :] if e >= 0 else "0" * (-e - 1) + digits).ljust(places, "0")
    return whole + ("." + rest if rest else "")


def fixed(v, n):
    scaled = str(round(v * 10**n)).rjust(n + 1, "0")
    return scaled[: len(scaled) - n] + ("." + scaled[len(scaled) - n :] if n else "")


def exponential(v, n):
    if not v:
        return scientific("0", 0, n)
    digits, e = exact(v)
    m = round(v / Fraction(10) ** (e - n))
    if m == 10 ** (n + 1):
        m, e = m // 10, e + 1
    return scientific(str(m), e, n)


class Cases:
    def __init__(self, seed, short):
        self.r = random.Random(seed)
        self.short = short
        self.lines = []

    def emit(self, *fields):
        self.lines.append("\t".join(map(str, fields)))

    def printed(self, w, hi, lo, op=None):
        sign, v = "", decode(hi, w) + decode(lo, w)
        if v < 0 or (not v and hi >> (w - 1) and not lo & ~(1 << (w - 1))):
            sign, v = "-", abs(v)
        op = op or self.r.choice(["display", "exp", "exp", ".%d", ".%d", "e%d"])
        if "%" in op:
            op %= self.r.choice([0, 1, 2, 3, 5, 10, 16, 20, 33, 40, 80])
        if op in ("display", "exp"):
            layout = positional if op == "display" else scientific
            text = layout(*shortest(v, w)) if v else layout("0", 0)
        else:
            text = (fixed if op[0] == "." else exponential)(v, int(op[1:]))
        self.emit(w, op, "%x:%x" % (hi, lo), sign + text)

    def parsed(self, w, text):
        bare = text.lstrip("+-")
        mantissa, _, exponent = bare.lower().partition("e")
        whole, _, rest = mantissa.partition(".")
        # Beyond +-10000 every text of these lengths is 0 or infinite.
        v = Fraction(int(whole + rest)) * Fraction(10) ** (max(-10000, min(10000, int(exponent or 0))) - len(rest))
        self.emit(w, "parse", text, "%x:%x" % parse(-v if text[0] == "-" else v, w, text[0] == "-"))

    def limb(self, w, low=None, high=None):
        p, _, e = FORMATS[w]
        field = self.r.randint(low or 0, high or (1 << e) - 2)
        kind = self.r.random()
        if kind < 0.15:
            fraction = 0
        elif kind < 0.25:
            fraction = (1 << (p - 1)) - 1
        elif kind < 0.35:
            fraction = self.r.choice([1, 2, 3])
        else:
            fraction = self.r.getrandbits(p - 1)
        return self.r.getrandbits(1) << (w - 1) | field << (p - 1) | fraction

    def pair(self, w):
        p, _, e = FORMATS[w]
        bias, top = (1 << (e - 1)) - 1, (1 << e) - 2
        span = 60 if self.short else bias
        kind = self.r.randrange(10)
        if kind == 0:  # subnormal and small
            return self.limb(w, 0, p + 3), self.limb(w, 0, p + 3)
        if kind == 1:  # near overflow
            return self.limb(w, top - 3, top), self.limb(w, top - 2 * p, top)
        if kind == 2:  # anything
            return self.limb(w), self.limb(w)
        hi = self.limb(w, max(0, bias - span), min(top, bias + span))
        if kind == 3:
            return hi, self.r.choice([0, 1 << (w - 1)])
        field = hi >> (p - 1) & ((1 << e) - 1)
        if kind == 4:  # half an ulp, and half of that
            lo = max(0, field - p + self.r.choice([-1, 0])) << (p - 1)
            return hi, self.r.getrandbits(1) << (w - 1) | lo + self.r.choice([0, 0, 1])
        gap = p if kind < 8 else self.r.randint(-5, 2 * p)
        at = min(top, max(0, field - gap))
        lo = self.limb(w, max(0, at - (kind == 7)), at)
        return (hi, lo) if self.r.random() < 0.9 else (lo, hi)

    def boundary(self, w):
        """A text at, just below or just above a value at which hi or lo changes."""
        p, eta, _ = FORMATS[w]
        while True:
            hi, lo = self.pair(w)
            v = abs(decode(hi, w) + decode(lo, w))
            bits, h = rn(v, w)
            if not v or h is None:
                continue
            ulp = max(Fraction(2) ** ((bits >> (p - 1)) - 1), 1) * Fraction(2) ** eta
            if self.r.random() < 0.4:
                v = h + ulp / 2
            else:
                bits, l = rn(v - h, w)
                ulp = max(Fraction(2) ** ((bits >> (p - 1)) - 1), 1) * Fraction(2) ** eta
                v += ulp / 2 * self.r.choice([1, 1, -1])
            if v > 0:
                break
        digits, e = exact(v)
        nudge = self.r.randrange(3)
        if nudge == 1:
            digits += "0" * self.r.choice([0, 3, 40]) + "1"
        elif nudge == 2:
            digits = str(int(digits + "0" * 20) - 1).rjust(len(digits) + 20, "0")
        text = scientific(digits, e)
        if self.r.random() < 0.3:
            text = positional(digits, e)
        return self.r.choice(["", "", "-", "+"]) + text

    def round_end(self, w):
        """A pair whose range of texts ends at a number with fewer digits than any within."""
        p, eta, _ = FORMATS[w]
        while True:
            j = self.r.randint(1, p // 2)
            bits = 2 * p + self.r.randint(-2, 2) - int(2.33 * j)
            end = (self.r.getrandbits(max(bits, 1)) | 1) * 10**j
            v = Fraction(end + self.r.choice([-1, 1]) * 2**j)
            pair = parse(v, w)
            lo = (pair[1] & ((1 << (w - 1)) - 1)) >> (p - 1)
            if value(pair, w) == v and lo - 1 + eta == j + 1:
                return pair

    def plain(self):
        n = self.r.choice([1, 2, 5, 17, 33, 34, 60])
        digits = "".join(self.r.choice("0123456789") for _ in range(n))
        at = self.r.randint(0, n)
        text = digits[:at] + "." + digits[at:]
        if self.r.random() < 0.7:
            text += self.r.choice("eE") + str(self.r.choice([self.r.randint(-20, 20), self.r.randint(-345, 315)]))
        return self.r.choice(["", "", "-", "+"]) + text

    def random(self, n):
        for _ in range(n):
            w = self.r.choice([32, 64, 64])
            kind = self.r.random()
            if kind < 0.5:
                self.printed(w, *self.pair(w))
            elif kind < 0.6:
                self.printed(w, *self.round_end(w), self.r.choice(["display", "exp"]))
            elif kind < 0.8:
                self.parsed(w, self.boundary(w))
            else:
                self.parsed(w, self.plain())

    def chosen(self):
        big = 0x7FEFFFFFFFFFFFFF
        one = 0x3FF << 52
        pairs = [
            (one, one), (one, 1), (one, 1 << 63 | 1), (0, 0), (1 << 63, 0), (0, 1 << 63), (1 << 63, 1 << 63), (one, 1 << 63 | one),
            (0, 1 << 52), (1, 0), (1, 1), (0, 1), (2, 0), (1 << 52, 1), (1 << 53, 0), (1 << 53, 1 << 63 | 1),
            (big, 0), (big, big - (54 << 52)), (big, big), (big, 970 + 1023 << 52), (big, (970 + 1023 << 52) - 1),
            (big, (970 + 1023 << 52) + 1), (1 << 63 | big, 1 << 63 | (970 + 1023 << 52)), (one, one - (53 << 52)), (one, one - (54 << 52)),
            (one + 1, one - (53 << 52)), (one, 1 << 63 | one - (54 << 52)), (one, 1 << 63 | one - (53 << 52)), (one - (80 << 52), one),
        ]
        for hi, lo in pairs:
            for op in ["display", "exp", ".0", ".3", "e0", "e40"]:
                self.printed(64, hi, lo, op)
        top = 0x7F7FFFFF
        for hi, lo in [(top, 0), (top, top - (25 << 23)), (top, top), (top, 230 << 23), (1, 0), (0x3F800000, 1), (0x3F800000, 0x3F800000)]:
            for op in ["display", "exp", ".2", "e20"]:
                self.printed(32, hi, lo, op)
        power = Fraction(111, 100000) ** 8
        digits, e = exact(power * 1) if power.denominator & (power.denominator - 1) == 0 else (str(111**8), len(str(111**8)) - 41)
        for text in [
            scientific(digits, e), "0.1", "1e-400000000000", "1e400000000000", "-0", "-1e-999", "0e999999999999999999999", ".5", "5.",
            "0." + "0" * 400 + "1e401", "1" + "0" * 400 + "e-400", "1." + "0" * 1200 + "1", "4.9406564584124654e-324", "2.4703282292062327e-324",
            "2.4703282292062328e-324", "1.7976931348623158e308", "1.7976931348623159e308", "3.4028235677973366e38", "9007199254740993",
            "9007199254740992.9999999999999999999999999999999999999999", "7.006492321624085e-46", "7.006492321624086e-46",
        ]:
            self.parsed(64, text)
            self.parsed(32, text)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--cases", type=int)
    arguments.add_argument("--seed", type=int, default=1)
    given = arguments.parse_args()
    cases = Cases(given.seed, short=given.cases is None)
    if given.cases is None:
        print("# scripts/text_fixture.py > fixtures/text.tsv: width, operation, argument, expected")
        cases.chosen()
        cases.random(2000)
    else:
        cases.random(given.cases)
    print("\n".join(cases.lines))


main()
