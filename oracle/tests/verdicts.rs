//! Special values, domains, bits and conversions.

use vernier_oracle::target::cmul_terms;
use vernier_oracle::{Domain, Format, Mismatch, Op, Pair, Target, convert, dyadic, judge, mpfr};

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

fn one(c: f64) -> Pair {
    (c, 0.0)
}

#[test]
fn special_values_are_those_of_ieee_arithmetic() {
    let specials = [0.0, -0.0, 1.0, -1.0, 2.0, f64::MAX, -f64::MAX, f64::MIN_POSITIVE, INF, -INF, NAN];
    let check = |op: Op, args: &[f64], right: f64| {
        let pairs: Vec<Pair> = args.iter().map(|&x| one(x)).collect();
        for (name, judge) in
            [("judge", judge as fn(Op, &Target, &[Pair], Pair) -> _), ("mpfr", mpfr::judge), ("dyadic", dyadic::judge)]
        {
            let v = judge(op, &Target::F64, &pairs, one(right));
            assert_eq!(v.mismatch, None, "{name} {op:?} {args:?} = {right}");
            assert!(v.ulp <= 0.5, "{name} {op:?} {args:?} = {right}: {v:?}");
            let other: f64 = if right.is_nan() {
                1.0
            } else if right == 0.0 || right.is_infinite() {
                -right
            } else {
                NAN
            };
            let v = judge(op, &Target::F64, &pairs, one(other));
            assert!(v.mismatch.is_some(), "{name} {op:?} {args:?} = {other}");
            assert!(v.u2.is_nan());
        }
    };
    for x in specials {
        check(Op::Neg, &[x], -x);
        check(Op::Canonical, &[x], x);
        check(Op::Sqrt, &[x], x.sqrt());
        if x <= 0.0 || x.is_infinite() || x.is_nan() {
            let right = if x == 0.0 {
                1.0 / x
            } else if x < 0.0 {
                NAN
            } else {
                1.0 / x
            };
            check(Op::Rsqrt, &[x], right);
        }
        for y in specials {
            check(Op::Add, &[x, y], x + y);
            check(Op::Acc, &[x, y], x + y);
            check(Op::Sub, &[x, y], x - y);
            check(Op::Mul, &[x, y], x * y);
            check(Op::Div, &[x, y], x / y);
            for z in specials {
                check(Op::Fma, &[x, y, z], x.mul_add(y, z));
                check(Op::Mad, &[x, y, z], x.mul_add(y, z));
            }
        }
    }
}

#[test]
fn a_pair_is_its_first_special_limb() {
    let inf = (INF, NAN);
    assert_eq!(judge(Op::Add, &Target::FP32MP2, &[inf, one(1.0)], (INF, 0.0)).mismatch, None);
    assert_eq!(judge(Op::Canonical, &Target::FP32MP2, &[(1.0, INF)], (INF, 0.0)).mismatch, None);
    assert_eq!(judge(Op::Canonical, &Target::FP32MP2, &[(1.0, NAN)], (1.0, 0.0)).mismatch, Some(Mismatch::NotNan));
    // Cancelling limbs are +0; two zeros have the sign of hi.
    assert_eq!(judge(Op::Canonical, &Target::FP64MP2, &[(-1.0, 1.0)], (0.0, -0.0)).mismatch, None);
    assert_eq!(judge(Op::Canonical, &Target::FP64MP2, &[(-0.0, 0.0)], (0.0, -0.0)).mismatch, Some(Mismatch::ZeroSign));
    for compare in [mpfr::compare, dyadic::compare] {
        assert!(compare(Op::Eq, (1.0, 1.0), (2.0, 0.0)));
        assert!(compare(Op::Eq, (INF, NAN), (INF, 0.0)));
        assert!(compare(Op::Eq, (0.0, 0.0), (-0.0, 0.0)));
        assert!(compare(Op::Ne, (NAN, 0.0), (NAN, 0.0)));
        assert!(!compare(Op::Le, (NAN, 0.0), (1.0, 0.0)));
        assert!(compare(Op::Lt, (1.0, -1e-30), (1.0, 0.0)));
        assert!(compare(Op::Gt, (-1.0, 0.0), (-INF, 0.0)));
    }
}

#[test]
fn kinds_of_mismatch() {
    let kind = |args: &[Pair], r: f64| judge(Op::Div, &Target::FP32MP2, args, one(r)).mismatch;
    let (zero, unit, minus) = (one(0.0), one(1.0), one(-1.0));
    assert_eq!(kind(&[unit, zero], NAN), Some(Mismatch::Nan));
    assert_eq!(kind(&[unit, zero], 5.0), Some(Mismatch::NotInfinite));
    assert_eq!(kind(&[minus, zero], INF), Some(Mismatch::InfinitySign));
    assert_eq!(kind(&[zero, zero], 0.0), Some(Mismatch::NotNan));
    assert_eq!(kind(&[unit, unit], INF), Some(Mismatch::Infinite));
    assert_eq!(kind(&[zero, minus], 0.0), Some(Mismatch::ZeroSign));
    assert_eq!(kind(&[zero, minus], -0.0), None);
    // A nonzero result for an exact zero is an infinite error, not a mismatch; a zero for a number is an error of 1.
    let v = judge(Op::Sub, &Target::FP32MP2, &[unit, unit], one(1e-30));
    assert_eq!((v.mismatch, v.u2, v.ulp), (None, INF, INF));
    assert!((v.u2_of_terms / (1e-30 / 2.0 * 2f64.powi(48)) - 1.0).abs() < 1e-6);
    let v = judge(Op::Mul, &Target::FP32MP2, &[unit, one(3.0)], zero);
    assert_eq!((v.mismatch, v.u2), (None, 2f64.powi(48)));
}

#[test]
fn sign_of_an_underflow() {
    let f = |bits: u32| f32::from_bits(bits) as f64;
    let zeros = [(0.0, 0.0), (-0.0, 0.0)];
    let mismatches = |op: Op, args: &[Pair]| zeros.map(|r| judge(op, &Target::FP32MP2, args, r).mismatch);
    // A product has one term, and limbs have an IEEE fma: the sign is claimed.
    let tiny = (f(0x8000_0001), 0.0);
    assert_eq!(mismatches(Op::Mul, &[tiny, one(f(0x2000_0000))]), [Some(Mismatch::ZeroSign), None]);
    let limbs = [-1.4728589e-38f32, 3.7105144e-6, 5.5e-44].map(|x| one(x as f64));
    assert_eq!(mismatches(Op::Fma, &limbs), [Some(Mismatch::ZeroSign), None]);
    // Pairs whose terms cancel to -8.35e-53.
    let pairs = [(f(0xbf7f_ffff), 0.0), (f(0x8180_0000), f(0x8000_0001)), (f(0x8180_0000), f(0x0000_0001))];
    assert_eq!(mismatches(Op::Fma, &pairs), [None, None]);
    assert!(judge(Op::Fma, &Target::FP32MP2, &pairs, zeros[0]).u2_of_terms < 0.3);
}

#[test]
fn domains() {
    let edge = 2f64.powi(60);
    let domain = |op, args: &[Pair], r: f64| judge(op, &Target::FP32MP2, args, one(r)).domain;
    assert_eq!(domain(Op::Mul, &[one(edge), one(1.0)], edge), Domain::Moderate);
    assert_eq!(domain(Op::Mul, &[one(edge), one(1.5)], 1.5 * edge), Domain::Wide);
    assert_eq!(domain(Op::Mul, &[one(1.0 / edge), one(1.0)], 1.0 / edge), Domain::Moderate);
    assert_eq!(domain(Op::Mul, &[one(1.0 / edge), one(0.5)], 0.5 / edge), Domain::Wide);
    assert_eq!(domain(Op::Mul, &[one(2.0 * edge), one(0.5)], edge), Domain::Wide);
    assert_eq!(domain(Op::Mul, &[one(0.0), one(0.5)], 0.0), Domain::Moderate);
    assert_eq!(domain(Op::Mul, &[one(0.0), one(INF)], NAN), Domain::Special);
    assert_eq!(domain(Op::Div, &[one(1.0), one(INF)], 0.0), Domain::Special);
    assert_eq!(domain(Op::Mul, &[one(2f64.powi(100)), one(2f64.powi(100))], INF), Domain::Special);
    assert_eq!(domain(Op::Mul, &[one(2f64.powi(-100)), one(2f64.powi(-100))], 0.0), Domain::Wide);
}

#[test]
fn bits_kept() {
    let t = Target::FP32MP2;
    let bits = |u2: f64| vernier_oracle::measure::bits(u2, &t);
    assert_eq!(bits(0.0), 48);
    assert_eq!(bits(0.1), 48);
    assert_eq!(bits(1.0), 48);
    assert_eq!(bits(1.0001), 47);
    assert_eq!(bits(2.0), 47);
    assert_eq!(bits(3.0), 46);
    assert_eq!(bits(2f64.powi(48)), 0);
    assert_eq!(bits(2f64.powi(50)), -2);
    assert_eq!(bits(INF), i32::MIN);
    assert_eq!(bits(NAN), i32::MIN);
}

#[test]
fn terms_of_an_operation() {
    let args = [one(1.0), one(3.0), one(-2.5)];
    let of_terms = |op, args: &[Pair]| judge(op, &Target::FP32MP2, args, one(1.0)).u2_of_terms * 2f64.powi(-48);
    let near = |x: f64, right: f64| assert!((x - right).abs() < 1e-6, "{x} {right}");
    near(of_terms(Op::Add, &args[..2]), 3.0 / 4.0);
    near(of_terms(Op::Sub, &args[..2]), 3.0 / 4.0);
    near(of_terms(Op::Fma, &args), 0.5 / 5.5);
    near(of_terms(Op::Mul, &args[..2]), 2.0 / 3.0);
    near(of_terms(Op::Dot, &[args[0], args[1], args[2], args[0]]), 0.5 / 5.5);
    let [re, im] = cmul_terms(&[args[0], args[1], args[2], args[0]]);
    near(of_terms(Op::Dot, &re), 6.5 / 5.5);
    near(of_terms(Op::Dot, &im), 7.5 / 8.5);
    near(of_terms(Op::Sum, &args), 0.5 / 6.5);
}

#[test]
fn conversions() {
    let narrow = |x: i128| convert::from_i128(x, Format::F32);
    assert_eq!(narrow(0), (0.0, 0.0));
    assert_eq!(narrow((1 << 24) + 1), (2f64.powi(24), 1.0));
    assert_eq!(narrow(-(1 << 24) - 3), (-2f64.powi(24) - 4.0, 1.0));
    assert_eq!(convert::from_u128(u128::MAX, Format::F64), (2f64.powi(128), -1.0));
    assert_eq!(convert::from_u128(u128::MAX, Format::F32), (INF, 0.0));
    assert_eq!(convert::to_integer((2f64.powi(63), -1.0), 64, true), i64::MAX as u128);
    assert_eq!(convert::to_integer((2f64.powi(53), -0.5), 64, true), (1 << 53) - 1);
    assert_eq!(convert::to_integer((2f64.powi(64), -1.0), 64, false), u64::MAX as u128);
    assert_eq!(convert::to_integer((2f64.powi(31), -1.0), 32, true), 0x7fff_ffff);
    assert_eq!(convert::to_integer((-300.5, 0.0), 8, true) as i128, -128);
    assert_eq!(convert::to_integer((-300.5, 0.0), 8, false), 0);
    assert_eq!(convert::to_integer((-1.0, 0.25), 8, true), 0);
    assert_eq!(convert::to_integer((NAN, 0.0), 8, true), 0);
    assert_eq!(convert::to_integer((INF, 0.0), 128, false), u128::MAX);
    assert_eq!(convert::to_integer((-INF, 0.0), 128, true), 1 << 127);
    // binary128: 1 + 2^-112, its round trip, and the pair that keeps it.
    let q = 0x3fff_0000_0000_0000_0000_0000_0000_0001;
    let pair = convert::from_binary128(q, Format::F64);
    assert_eq!(pair, (1.0, 2f64.powi(-112)));
    assert_eq!(convert::to_binary128(pair), q);
    assert_eq!(convert::to_binary128((f64::from_bits(1), 0.0)), 0x3bcd << 112);
    assert_eq!(convert::to_binary128((-INF, 0.0)), 0xffff << 112);
    assert_eq!(convert::from_binary128(0x7fff << 112 | 1, Format::F64).0.to_bits() >> 51, 0xfff);
    // Smallest binary128 subnormal is far below any double.
    assert_eq!(convert::from_binary128(1 << 127 | 1, Format::F64).0.to_bits(), 1 << 63);
    assert_eq!(convert::narrow_pair((1.0, 2f64.powi(-30)), Format::F32), (1.0, 2f64.powi(-30)));
}

#[test]
fn decimals() {
    assert_eq!(mpfr::decimal(Op::Div, &[one(1.0), one(3.0)], 10), "3.333333333e-1");
    assert_eq!(mpfr::decimal(Op::Sub, &[one(1.0), one(1.0)], 5), "0");
    assert_eq!(mpfr::decimal(Op::Sqrt, &[one(-1.0)], 5), "nan");
    assert_eq!(mpfr::decimal(Op::Rsqrt, &[one(-0.0)], 5), "-inf");
}
