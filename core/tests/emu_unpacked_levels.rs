//! Unpacked numbers at levels mid and low: error bounds; and at every level: states along chains.

mod exact;
mod unpacked;

use exact::Number::{self, Finite, Infinite, Zero};
use unpacked::{Random, Triple, infinity, number, relative, triple, unpack, words, zero};
use vernier::emu::unpacked::{self as emu, Level, MAX_EXPONENT, MIN_EXPONENT};
use vernier::host::Host;
use vernier::{High, Low, Mid};

const CASES: u64 = 1_000_000;

/// The largest error of finite results relative to `scale`; special results are right.
struct Worst(f64);

impl Worst {
    fn see(&mut self, got: Triple, exact: &Number, scale: &Number, what: &dyn Fn() -> String) {
        match (number(got), exact) {
            // Within the error of the ends of the range.
            (Zero(_), Finite(..)) if unpacked::unbounded(exact).1 <= MIN_EXPONENT => {}
            (Infinite(s), Finite(..)) => {
                assert!(unpacked::unbounded(exact).1 >= MAX_EXPONENT && s == unpacked::negative(exact), "{}", what());
            }
            (Finite(..), Infinite(_)) if got.1 == MAX_EXPONENT => {}
            (Finite(..) | Zero(_), Finite(..) | Zero(_)) => {
                assert!(got.2 >> 61 == 1 || got.1 == emu::ZERO, "{got:x?} {}", what());
                assert!(got.1 <= MAX_EXPONENT && got.0 <= 1, "{got:x?} {}", what());
                self.0 = self.0.max(relative(&number(got), exact, scale));
            }
            (got, exact) => assert_eq!(got, *exact, "{}", what()),
        }
    }
}

/// A sum of magnitudes.
fn magnitudes(terms: &[&Number]) -> Number {
    let magnitude = |x: &Number| if unpacked::negative(x) { exact::negate(x) } else { x.clone() };
    terms.iter().fold(Zero(false), |sum, x| unpacked::add(&sum, &magnitude(x)))
}

/// Operands as the level makes them: mid has 60 digits.
fn operands<A: Level>(random: &mut Random) -> (Triple, Triple) {
    let x = random.any();
    let y = random.beside(x);
    let cut = |x: Triple| if A::NAME == "mid" { (x.0, x.1, x.2 & !3) } else { x };
    (cut(x), cut(y))
}

/// Largest errors of sums, products, quotients and roots in units of 2^-unit.
fn errors<A: Level>(unit: i32, seed: u64) -> [f64; 4] {
    let mut random = Random(seed);
    let mut worst = [0.0; 4].map(Worst);
    for _ in 0..CASES {
        let (x, y) = operands::<A>(&mut random);
        let (p, q) = (number(x), number(y));
        let exact = unpacked::add(&p, &q);
        let scale = if A::NAME == "low" { magnitudes(&[&p, &q]) } else { exact.clone() };
        let what = |op: &'static str| move || format!("{op} {x:x?} {y:x?}");
        worst[0].see(triple(emu::add::<Host, A>(words(x), words(y))), &exact, &scale, &what("add"));
        let exact = unpacked::mul(&p, &q);
        worst[1].see(triple(emu::mul::<Host, A>(words(x), words(y))), &exact, &exact, &what("mul"));
        let exact = unpacked::div(&p, &q);
        worst[2].see(triple(emu::div::<Host, A>(words(x), words(y))), &exact, &exact, &what("div"));
        let exact = unpacked::sqrt(&p);
        worst[3].see(triple(emu::sqrt::<Host, A>(words(x))), &exact, &exact, &what("sqrt"));
    }
    let worst = worst.map(|w| w.0 * 2f64.powi(unit));
    println!("{}: add, mul, div, sqrt within {worst:.4?} 2^-{unit}", A::NAME);
    worst
}

fn within(worst: [f64; 4], bounds: [f64; 4]) {
    for (w, b) in worst.iter().zip(bounds) {
        assert!(*w < b && *w > b / 4.0, "{worst:?} of {bounds:?}");
    }
}

#[test]
fn mid() {
    within(errors::<Mid>(58, 21), [0.5, 2.0, 1.0, 1.0]);
}

#[test]
fn low() {
    within(errors::<Low>(23, 22), [0.0625, 0.25, 2.0, 1.0]);
}

/// Products and sums of the level, one after the other.
fn composed<A: Level>(unit: i32, bound: f64) {
    let mut random = Random(23);
    let mut worst = Worst(0.0);
    let near = |random: &mut Random| loop {
        let x = random.any();
        if (900..1200).contains(&x.1) {
            break if A::NAME == "mid" { (x.0, x.1, x.2 & !3) } else { x };
        }
    };
    for _ in 0..CASES / 4 {
        let [x, y, z, w] = [(); 4].map(|()| near(&mut random));
        let [a, b, c, d] = [x, y, z, w].map(number);
        let [p, q, r, s] = [(&a, &b), (&c, &d), (&a, &d), (&b, &c)].map(|(a, b)| unpacked::mul(a, b));
        let what = || format!("{x:x?} {y:x?} {z:x?} {w:x?}");
        let got = emu::mad::<Host, A>(words(x), words(y), words(z));
        worst.see(triple(got), &unpacked::add(&p, &c), &magnitudes(&[&p, &c]), &what);
        let got = emu::dot::<Host, A>(words(x), words(y), words(z), words(w));
        worst.see(triple(got), &unpacked::add(&p, &q), &magnitudes(&[&p, &q]), &what);
        // (x + i z) (y + i w)
        let (re, im) = emu::cmul::<Host, A>((words(x), words(z)), (words(y), words(w)));
        worst.see(triple(re), &unpacked::add(&p, &exact::negate(&q)), &magnitudes(&[&p, &q]), &what);
        worst.see(triple(im), &unpacked::add(&r, &s), &magnitudes(&[&r, &s]), &what);
    }
    println!("{}: mad, dot, cmul within {:.4} 2^-{unit} of the sum of |terms|", A::NAME, worst.0 * 2f64.powi(unit));
    assert!(worst.0 * 2f64.powi(unit) < bound);
}

#[test]
fn compositions() {
    composed::<High>(61, 2.5);
    composed::<Mid>(58, 3.0);
    composed::<Low>(23, 0.5);
}

fn chains<A: Level>() {
    let add = |x: Triple, y: Triple| triple(emu::add::<Host, A>(words(x), words(y)));
    let sub = |x: Triple, y: Triple| triple(emu::sub::<Host, A>(words(x), words(y)));
    let mul = |x: Triple, y: Triple| triple(emu::mul::<Host, A>(words(x), words(y)));
    let div = |x: Triple, y: Triple| triple(emu::div::<Host, A>(words(x), words(y)));
    let fma = |x: Triple, y: Triple, z: Triple| triple(emu::fma::<Host, A>(words(x), words(y), words(z)));
    let sqrt = |x: Triple| triple(emu::sqrt::<Host, A>(words(x)));
    let neg = |x: Triple| triple(emu::neg::<Host>(words(x)));
    let nan = |x: Triple| emu::is_nan::<Host>(words(x));
    let (inf, nought, two, one) = (infinity(false), zero(false), unpack(2.0), unpack(1.0));
    let least = (0, MIN_EXPONENT, 1 << 61);

    // Zeros of chains.
    let mut random = Random(24);
    for _ in 0..10_000 {
        let x = (random.below(2) as u32, random.exponent(), random.significand() & !3);
        let none = sub(x, x);
        assert_eq!(none, nought, "{x:x?}");
        let tiny = unpack(2f64.powi(-200));
        assert_eq!(add(none, tiny), tiny);
        assert_eq!(sub(none, tiny), neg(tiny));
        assert_eq!(mul(none, x), zero(x.0 == 1));
        assert_eq!(div(x, none), infinity(x.0 == 1));
        assert_eq!(div(none, x), zero(x.0 == 1));
        assert!(nan(div(none, none)) && nan(mul(none, inf)) && nan(fma(inf, none, x)));
        assert_eq!((sqrt(none), sqrt(neg(none))), (nought, zero(true)));
        assert!(nan(sqrt((1, x.1, x.2))));
        assert_eq!(fma(none, x, none), nought);
        assert_eq!(triple(emu::unpack::<Host>(emu::pack::<Host, vernier::emu::Rn>(words(none)))), nought);
        // Infinities.
        for y in [add(inf, x), mul(mul(inf, x), x), div(inf, (0, x.1, x.2)), fma(inf, (0, x.1, x.2), x), sqrt(inf)] {
            assert_eq!(y, inf, "{x:x?}");
        }
        assert_eq!(div(x, inf), zero(x.0 == 1));
    }
    // What drifted away in the published form.
    let twice = mul(inf, two);
    assert!(nan(sub(twice, twice)) && nan(div(inf, twice)) && nan(div(twice, inf)));
    let mut x = inf;
    let mut y = unpack(f64::NAN);
    for _ in 0..100_000 {
        x = mul(x, x);
        y = mul(div(add(y, x), inf), two);
    }
    assert_eq!(x, inf);
    assert!(nan(y));
    assert!(nan(sub(x, x)) && nan(add(x, neg(x))) && nan(mul(x, nought)) && nan(div(x, x)) && nan(fma(x, one, neg(x))));
    assert!(nan(mul(y, nought)) && nan(add(nought, y)) && nan(div(one, y)) && nan(sqrt(y)) && nan(fma(nought, one, y)));
    assert!(nan(fma(inf, nought, y)) && nan(fma(y, nought, one)) && nan(fma(nought, inf, one)) && nan(neg(y)));

    // Past the ends of the range.
    let mut x = unpack(1.5);
    let mut y = unpack(-0.75);
    for _ in 0..30 {
        x = mul(x, x);
        y = mul(y, (0, y.1, y.2));
    }
    assert_eq!((x, y), (inf, zero(true)));
    let largest = (0, MAX_EXPONENT, ((1 << 62) - 1) & !3);
    assert_eq!(add(largest, largest), inf);
    assert_eq!(sub(neg(largest), largest), infinity(true));
    assert_eq!(div(largest, least), inf);
    assert_eq!(div(least, largest), nought);
    assert_eq!(div(one, nought), inf);
    assert_eq!(fma(largest, two, neg(inf)), neg(inf));
    assert_eq!(fma(largest, two, neg(largest)).1, MAX_EXPONENT);
    // Sums below the range are zeros of their sign, however many digits cancel; above it they are exact.
    for place in 40..61 {
        let pair = |e: i32| ((0, e, 1 << 61), (0, e, 1 << 61 | 1 << place));
        let (x, y) = pair(MIN_EXPONENT);
        assert_eq!([sub(y, x), sub(x, y), sub(neg(x), neg(y))], [nought, zero(true), nought]);
        let (x, y) = pair(MIN_EXPONENT + 61 - place);
        assert_eq!(sub(y, x), least);
        let (x, y) = pair(MIN_EXPONENT + 60 - place);
        assert_eq!(sub(y, x), nought);
    }
    assert_eq!([add(least, least), mul(least, two)], [(0, MIN_EXPONENT + 1, 1 << 61); 2]);

    // Signs of zeros.
    let minus = zero(true);
    assert_eq!([add(nought, minus), add(minus, minus), sub(minus, nought)], [nought, minus, minus]);
    assert_eq!([mul(minus, one), div(minus, neg(one)), fma(minus, one, minus)], [minus, nought, minus]);
    assert_eq!(fma(minus, one, nought), nought);
}

#[test]
fn states_survive_chains() {
    chains::<High>();
    chains::<Mid>();
    chains::<Low>();
}
