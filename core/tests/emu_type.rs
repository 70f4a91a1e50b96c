//! The host type `fp64emu`: operators, mixed operands, limits, text, crates num-traits and serde.

mod random;

use random::Random;
use vernier::emu::{Rd, Rn, Ru, Rz};
use vernier::{High, RoundFrom, TruncateFrom, fp64emu, fp64emu_high, fp64emu_low, fp64emu_mid};

const SIGN: u64 = 1 << 63;

impl Random {
    /// Random bits, exponents around one, the ends of the range, few significant bits, powers of two and their
    /// neighbours, long runs of equal bits, special values.
    fn double(&mut self) -> u64 {
        let w = self.word();
        let with = |field: u64| w & !(0x7ff << 52) | field << 52;
        match self.below(12) {
            0 => w,
            1 | 2 => with(1020 + self.below(8)),
            3 => with(960 + self.below(128)),
            4 => with(self.below(4)),
            5 => with(2043 + self.below(4)),
            6 => with(480 + self.below(60)),
            7 => with(1500 + self.below(60)),
            8 => with(1000 + self.below(46)) & !((1 << self.below(53)) - 1),
            9 => {
                let run = (1u64 << self.below(53)) - 1;
                let fraction = if self.below(2) == 0 { run } else { !run } & ((1 << 52) - 1);
                w & SIGN | (900 + self.below(250)) << 52 | fraction
            }
            10 => (self.below(2047) << 52).wrapping_add(self.below(5)).wrapping_sub(2) & !SIGN | w & SIGN,
            _ => SPECIAL[self.below(SPECIAL.len() as u64) as usize] ^ (w & SIGN),
        }
    }

    /// Three operands; the second may be near the first, the third near what cancels the product of the others.
    fn triple(&mut self) -> [u64; 3] {
        let a = self.double();
        let b = match self.below(6) {
            0 => (a ^ (self.word() & SIGN)).wrapping_add(self.below(5)).wrapping_sub(2),
            1 => (a ^ (self.word() & SIGN)).wrapping_add(self.below(120) << 52),
            _ => self.double(),
        };
        let product = (f64::from_bits(a) * f64::from_bits(b)).to_bits();
        let c = match self.below(4) {
            0 => (product ^ SIGN).wrapping_add(self.below(5)).wrapping_sub(2),
            1 => (product ^ (self.word() & SIGN))
                .wrapping_add(self.word() >> 12)
                .wrapping_add(self.below(240) << 52)
                .wrapping_sub(120 << 52),
            _ => self.double(),
        };
        [a, b, c]
    }
}

/// Zero, subnormal numbers, the smallest normal ones, numbers around one, half-way cases, large integers, the largest
/// numbers, infinity, NaN of both kinds; all positive.
const SPECIAL: [u64; 34] = [
    0,
    1,
    2,
    3,
    0x0008_0000_0000_0000,
    0x000f_ffff_ffff_ffff,
    0x0010_0000_0000_0000,
    0x0010_0000_0000_0001,
    0x001f_ffff_ffff_ffff,
    0x0020_0000_0000_0000,
    0x1e60_0000_0000_0000,
    0x1ff0_0000_0000_0000,
    0x2000_0000_0000_0001,
    0x3c90_0000_0000_0000,
    0x3ca0_0000_0000_0000,
    0x3ca0_0000_0000_0001,
    0x3fdf_ffff_ffff_ffff,
    0x3fe0_0000_0000_0000,
    0x3fef_ffff_ffff_ffff,
    0x3ff0_0000_0000_0000,
    0x3ff0_0000_0000_0001,
    0x3ff8_0000_0000_0000,
    0x3fff_ffff_ffff_ffff,
    0x4000_0000_0000_0000,
    0x4008_0000_0000_0000,
    0x4340_0000_0000_0000,
    0x43e0_0000_0000_0000,
    0x5ff0_0000_0000_0000,
    0x7fdf_ffff_ffff_ffff,
    0x7fe0_0000_0000_0000,
    0x7fef_ffff_ffff_ffff,
    0x7ff0_0000_0000_0000,
    0x7ff0_0000_0000_0001,
    0x7ff8_0000_0000_0000,
];

/// The special values with both signs.
fn specials() -> Vec<u64> {
    SPECIAL.iter().flat_map(|&x| [x, x | SIGN]).collect()
}

fn same(x: fp64emu, y: f64) {
    assert!(x.to_bits() == y.to_bits() || x.to_bits() == fp64emu::NAN.to_bits() && y.is_nan(), "{x:?} {y:?}");
}

/// Conversions out are Rust's casts.
fn casts(x: f64) {
    let e = fp64emu::from(x);
    assert!(f32::round_from(e).to_bits() == (x as f32).to_bits() || x.is_nan());
    macro_rules! integers {
        ($($t:ty)*) => {$(assert_eq!(<$t>::truncate_from(e), x as $t);)*};
    }
    integers!(i8 i16 i32 i64 u8 u16 u32 u64);
}

#[test]
fn operators() {
    let mut random = Random(1);
    for _ in 0..200_000 {
        let [a, b, c] = random.triple();
        let (x, y, z) = (f64::from_bits(a), f64::from_bits(b), f64::from_bits(c));
        let (p, q, r) = (fp64emu::from(x), fp64emu::from(y), fp64emu::from(z));
        same(p + q, x + y);
        same(p - q, x - y);
        same(p * q, x * y);
        same(p / q, x / y);
        same(p.fma(q, r), x.mul_add(y, z));
        same(p.sqrt(), x.sqrt());
        same(p.mad(q, r), x * y + z);
        same(p.dot(q, r, p), x * y + z * x);
        let (re, im) = fp64emu::cmul((p, q), (r, p));
        same(re, x * z - y * x);
        same(im, x * x + y * z);
        assert_eq!((-p).to_bits(), a ^ 1 << 63);
        assert_eq!(p.abs().to_bits(), x.abs().to_bits());
        assert_eq!(p.copysign(q).to_bits(), x.copysign(y).to_bits());
        let mut s = p;
        s += q;
        s *= r;
        s -= q;
        s /= r;
        same(s, ((x + y) * z - y) / z);
        assert_eq!((p.is_nan(), p.is_infinite(), p.is_finite()), (x.is_nan(), x.is_infinite(), x.is_finite()));
        assert_eq!((p.is_sign_negative(), p.is_sign_positive()), (x.is_sign_negative(), x.is_sign_positive()));
        assert_eq!(p.to_bool(), x != 0.0);
        assert_eq!(p.partial_cmp(&q), x.partial_cmp(&y));
        assert_eq!((p == q, p != q, p < q, p <= q), (x == y, x != y, x < y, x <= y));
        casts(x);
    }
}

#[test]
fn remainders() {
    for &a in &specials() {
        for &b in &specials() {
            same(fp64emu::from_bits(a) % fp64emu::from_bits(b), f64::from_bits(a) % f64::from_bits(b));
        }
    }
}

#[test]
fn other_operands_are_converted_first() {
    let x = fp64emu::from(1.5);
    macro_rules! mixed {
        ($($t:ty: $n:expr;)*) => {$({
            let n: $t = $n;
            let y = n as f64;
            same(x + n, 1.5 + y);
            same(x - n, 1.5 - y);
            same(x * n, 1.5 * y);
            same(x / n, 1.5 / y);
            same(x % n, 1.5 % y);
            same(n + x, y + 1.5);
            same(n - x, y - 1.5);
            same(n * x, y * 1.5);
            same(n / x, y / 1.5);
            same(n % x, y % 1.5);
            let mut s = x;
            s += n;
            s -= 2 as $t;
            s *= n;
            s /= n;
            s %= n;
            same(s, ((1.5 + y) - 2.0) * y / y % y);
            assert_eq!(x < n, 1.5 < y);
            assert!(fp64emu::round_from(n) == n);
        })*};
    }
    mixed! {
        f32: 0.1;
        f64: 0.1;
        i8: -7;
        i16: -700;
        i32: -70_000;
        i64: (1 << 53) + 1;
        u8: 200;
        u16: 60_000;
        u32: 4_000_000_000;
        u64: u64::MAX;
    }
}

/// The directions of 1/3, 2/3 and their negatives, and of what else is inexact.
#[test]
fn directions() {
    let third = 1.0 / 3.0;
    let (x, y) = (fp64emu::from(1), fp64emu::from(3));
    same(x.div_rn(y), third);
    same(x.div_rz(y), third);
    same(x.div_rd(y), third);
    same(x.div_ru(y), f64::next_up(third));
    same((-x).div_ru(y), -third);
    same((-x).div_rd(y), -f64::next_up(third));
    let tiny = fp64emu::DENORM_MIN;
    same(x.add_ru(tiny), f64::next_up(1.0));
    same(x.sub_rz(tiny), f64::next_down(1.0));
    same(x.add_rd(-x), -0.0);
    same(tiny.mul_ru(tiny), f64::from_bits(1));
    same(fp64emu::from(2).sqrt_rd(), f64::next_down(2f64.sqrt()));
    same(fp64emu::MAX.fma_rz(fp64emu::MAX, x), f64::MAX);
    assert_eq!(fp64emu::from(0.5).to_integer_in::<i32, Rn>(), 0);
    assert_eq!(fp64emu::from(-1.5).to_integer_in::<i32, Rz>(), -1);
    assert_eq!(fp64emu::from(-1.5).to_integer_in::<i64, Rd>(), -2);
    assert_eq!(fp64emu::from(0.1).to_integer_in::<u8, Ru>(), 1);
    assert_eq!(fp64emu::from(f64::NAN).to_integer_in::<i32, Rn>(), 0);
    assert_eq!(fp64emu::from(1e300).to_f32_in::<Rz>(), f32::MAX);
    same(fp64emu::from_u64_in::<Ru>((1 << 53) + 1), 9007199254740994.0);
    same(fp64emu::from_i64_in::<Ru>(-(1 << 53) - 1), -9007199254740992.0);
}

#[test]
fn text() {
    for x in [0.1, -2.5e-300, f64::INFINITY, f64::NAN, 5e-324] {
        let e = fp64emu::from(x);
        assert_eq!(e.to_string(), x.to_string());
        assert_eq!(format!("{e:+.3} {e:12.1e} {e:E}"), format!("{x:+.3} {x:12.1e} {x:E}"));
        assert_eq!(format!("{e:?}"), format!("fp64emu.high({x:?})"));
    }
    same("0.1".parse().unwrap(), 0.1);
    assert!("0.1.".parse::<fp64emu>().is_err());
}

#[test]
fn limits_and_levels() {
    same(fp64emu::MAX, f64::MAX);
    same(fp64emu::MIN, f64::MIN);
    same(fp64emu::EPSILON, f64::EPSILON);
    same(fp64emu::MIN_POSITIVE, f64::MIN_POSITIVE);
    same(fp64emu::INFINITY, f64::INFINITY);
    same(fp64emu::NEG_INFINITY, f64::NEG_INFINITY);
    same(fp64emu::DENORM_MIN, 5e-324);
    assert_eq!((fp64emu::MANTISSA_DIGITS, fp64emu::DIGITS, fp64emu::MAX_DIGITS10), (53, 15, 17));
    assert_eq!(fp64emu::default().to_bits(), 0);
    assert_eq!(size_of::<fp64emu>(), 8);
    let x = fp64emu_mid::from(0.1).to_level::<High>();
    assert_eq!(x, fp64emu_high::from(0.1));
    assert_eq!(fp64emu_low::from(1.5) * 2.0, fp64emu_low::from(3));
    let terms = [0.1, 0.2, 0.3];
    same(terms.iter().map(|&x| fp64emu::from(x)).sum(), 0.1 + 0.2 + 0.3);
    same(terms.map(fp64emu::from).iter().product(), 0.1 * 0.2 * 0.3);
    same([].iter().sum(), 0.0);
}

#[cfg(feature = "num-traits")]
#[test]
fn num_traits() {
    let of = |x: f64| fp64emu::from_f64(x);
    use num_traits::{Bounded, FloatConst, FromPrimitive, Inv, MulAdd, Num, One, Signed, ToPrimitive, Zero};
    assert!(fp64emu::zero().is_zero() && of(-0.0).is_zero() && fp64emu::one().is_one());
    assert_eq!(fp64emu::max_value(), fp64emu::MAX);
    same(<fp64emu as Num>::from_str_radix("1e-3", 10).unwrap(), 1e-3);
    same(fp64emu::PI(), std::f64::consts::PI);
    same(of(3.0).inv(), 1.0 / 3.0);
    same(of(3.0).mul_add(of(2.0), of(1.0)), 7.0);
    same(of(-0.0).signum(), -1.0);
    same(of(5.0).abs_sub(&of(7.0)), 0.0);
    assert!(Signed::is_negative(&of(-1.0)) && of(1.0).is_positive());
    assert_eq!(of(300.0).to_u8(), None);
    assert_eq!(of(-2.7).to_i64(), Some(-2));
    assert_eq!(ToPrimitive::to_f64(&of(0.1)), Some(0.1));
    assert_eq!(<fp64emu as FromPrimitive>::from_i64(-3), Some(of(-3.0)));
    assert_eq!(<fp64emu as num_traits::NumCast>::from(2.5f32), Some(of(2.5)));
}

#[cfg(feature = "serde")]
#[test]
fn serde() {
    for x in [0.1, -0.0, f64::INFINITY] {
        let text = serde_json::to_string(&fp64emu::from(x)).unwrap();
        assert_eq!(text, format!("\"{:016x}\"", x.to_bits()));
        same(serde_json::from_str(&text).unwrap(), x);
    }
    for wrong in ["\"3ff\"", "1.0", "\"zff0000000000000\""] {
        let error = serde_json::from_str::<fp64emu>(wrong).unwrap_err().to_string();
        assert!(error.contains("16 hex digits"), "{error}");
    }
}
