//! Special values with lo, comparisons of values, and levels; the special-value table of `vernier tables` holds single limbs.

#![allow(clippy::neg_cmp_op_on_partial_ord)] // that NaN is unordered is what is tested
use vernier::{DoubleWord, High, Level, Low, Mid};

#[test]
fn nonzero_lo_beside_special_values() {
    let inf = f32::INFINITY;
    let p = DoubleWord::<f32, High>::from_parts;
    let x = p(1.0, 2.0_f32.powi(-30));
    for (r, expected) in [
        (p(inf, 0.0) + x, inf),
        (x - p(inf, 0.0), -inf),
        (p(inf, f32::NAN) + x, inf), // low leaves such a pair; its value is infinite
        (p(-inf, 0.0) * x, -inf),
        (x / p(-inf, 0.0), -0.0),
        (x / p(0.0, 0.0), inf),
        (-x / p(0.0, 0.0), -inf),
        (p(0.0, 0.0) / -x, -0.0),
        (p(-0.0, 0.0) * x, -0.0),
        (x * p(0.0, 0.0) + p(-0.0, 0.0), 0.0),
        (x - x, 0.0),
        (p(f32::MAX, 0.0) * x, f32::MAX),
        (p(f32::MAX, f32::MAX * 2f32.powi(-25)) + p(f32::MAX, 0.0), inf),
        (p(f32::MAX, 0.0) / p(0.5, 2f32.powi(-30)), inf),
        (x.fma(p(inf, 0.0), p(-inf, 0.0)), f32::NAN),
        (p(f32::MAX, 0.0).fma(p(2.0, 0.0), p(-f32::MAX, -1.0)), f32::MAX),
    ] {
        assert!(r.hi().to_bits() == expected.to_bits() || r.is_nan() && expected.is_nan(), "{r:?} is not {expected:?}");
        assert!(r.lo().is_finite());
    }
}

#[test]
fn fma_of_limbs_far_above_their_hi() {
    let p = |hi, lo| DoubleWord::<f32, High>::from_parts(f32::from_bits(hi), f32::from_bits(lo));
    // The leading terms are zeros, the trailing ones large: xl yh + zl = -9e20 + 9e20.
    let r = p(0x8000_0000, 0x5e56_d4ca).fma(p(0xc368_8e9e, 0x3610_4cde), p(0x8000_0000, 0x6243_0cca));
    assert!(r.is_finite() && r.lo().is_finite(), "{r:?}");
    let exact = 232.55716 * -3.8703e18 + 8.99523e20;
    assert!((r.hi() as f64 - exact).abs() < 1e17, "{r:?}");
}

#[test]
fn comparisons_compare_values() {
    fn check<A: Level>() {
        let p = DoubleWord::<f64, A>::from_parts;
        let (inf, nan) = (f64::INFINITY, f64::NAN);
        assert!(p(1.0, 1.0) == p(2.0, 0.0) && p(1.0, 1.0) >= p(2.0, 0.0) && p(1.0, 1.0) <= p(2.0, 0.0));
        assert!(!(p(1.0, 1.0) < p(2.0, 0.0)) && !(p(1.0, 1.0) > p(2.0, 0.0)));
        assert!(p(1.0, 1.0) > p(2.0, -1e-300) && p(1.0, 1.5) > p(2.0, 0.0));
        assert!(p(0.0, 3.0) == p(3.0, 0.0) && p(-1.0, 3.0) == p(2.0, 0.0));
        assert!(p(inf, 0.0) == p(inf, 0.0) && p(inf, nan) == p(inf, 0.0) && p(inf, 5.0) <= p(inf, -5.0));
        assert!(p(-inf, 0.0) < p(1.0, 0.0) && p(f64::MAX, 0.0) < p(inf, 0.0));
        assert!(p(f64::MAX, f64::MAX) == p(f64::MAX, f64::MAX) && p(f64::MAX, f64::MAX) < p(inf, 0.0));
        assert!(p(f64::MAX, 0.0) < p(f64::MAX, f64::MAX));
        // A step of two_sum would overflow although the sum does not.
        let x = p(-f64::MAX, f64::from_bits(0x7fd2_bb4f_39e3_4ddb));
        assert!(x == x && x <= x && x < p(0.0, 0.0) && x > p(-f64::MAX, 0.0));
        assert!(x.canonical().is_finite() && x.canonical().hi() == x.hi() + x.lo() && (-x).sqrt().is_finite());
        assert!(p(0.0, 0.0) == p(-0.0, 0.0) && p(0.0, 0.0) <= p(-0.0, -0.0));
        let n = p(nan, 0.0);
        assert!(n != n && !(n < n) && !(n <= n) && !(n > p(1.0, 0.0)) && n.partial_cmp(&n).is_none());
    }
    check::<Low>();
    check::<Mid>();
    check::<High>();
}

#[test]
fn out_of_low_is_normalised() {
    let x = DoubleWord::<f32, Low>::from_parts(1.0, 1.0).to_level::<High>();
    assert_eq!(x.to_parts(), (2.0, 0.0));
    let x = DoubleWord::<f32, Low>::from_parts(f32::INFINITY, f32::NAN).to_level::<Mid>();
    assert_eq!((x.hi(), x.lo()), (f32::INFINITY, 0.0));
    let y = DoubleWord::<f32, Mid>::from_parts(1.0, 1.0).to_level::<Low>();
    assert_eq!(y.to_parts(), (1.0, 1.0));
}
