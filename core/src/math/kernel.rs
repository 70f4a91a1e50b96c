//! What kernels of mathematical functions are made of: the short Horner step, polynomials, products.
//!
//! A step of Horner's scheme adds a product to a constant that is at least twice as large. Then a difference is exact that
//! general additions of pairs have to find by comparison or by more operations, and 3 to 6 operations do for 13 to 16. (The
//! error of a fused product: Boldo and Muller 2011. Horner's scheme compensated by it: Graillat, Langlois and Louvet 2006.)

use super::tables::Polynomial;
use crate::eft::{fast_two_sum, two_prod, two_sum};
use crate::machine::Limb;

/// s = RN(c + x v) and e = c + x v - s to a relative u, where |x v| <= |c| / 2. 3 operations.
///
/// c / 2 <= c + x v <= 3 c / 2 for positive c, and so is s, so that c - s is exact (Sterbenz 1974). The last operation
/// rounds c + x v - s, of at most u |s|, once: an error of at most u^2 |s| / 2.
#[inline(always)]
pub fn split_fma<L: Limb>(x: L, v: L, c: L) -> (L, L) {
    let s = x.fma(v, c);
    let d = c - s;
    (s, x.fma(v, d))
}

/// c + x v for a pair v, where |x vh| <= |c| / 2; unnormalised. 4 operations.
///
/// With |vl| <= a u |vh| and r = |x vh / s| <= 1, [`split_fma`] costs u^2 |s| / 2. The last operation rounds a number of at
/// most u (1 + a r) |s|: the error is at most (3/2 + a r) u^2 |s|.
#[inline(always)]
pub fn step<L: Limb>(x: L, v: (L, L), c: L) -> (L, L) {
    let (s, e) = split_fma(x, v.0, c);
    (s, x.fma(v.1, e))
}

/// c + x v for pairs x and v, where |xh vh| <= |c| / 2; unnormalised. 5 operations.
///
/// With |xl| <= u |xh| the last operation rounds a number of at most u (1 + a r + r) |s|, and xl vl is left out: the
/// error is at most (5/2 + (3 a + 1) r) u^2 |s| in the terms of [`step`].
#[inline(always)]
pub fn step2<L: Limb>(x: (L, L), v: (L, L), c: L) -> (L, L) {
    let (s, e) = step(x.0, v, c);
    (s, x.1.fma(v.0, e))
}

/// x v for a pair v, unnormalised. 3 operations.
#[inline(always)]
pub fn product_limb<L: Limb>(x: L, v: (L, L)) -> (L, L) {
    let (h, l) = two_prod(x, v.0);
    (h, x.fma(v.1, l))
}

/// x y, unnormalised. 4 operations; with xl yl left out and three numbers rounded, an error of at most 5 u^2 for
/// normalised x and y.
#[inline(always)]
pub fn product<L: Limb>(x: (L, L), y: (L, L)) -> (L, L) {
    let (h, l) = product_limb(x.0, y);
    (h, x.1.fma(y.0, l))
}

/// x^2, unnormalised. 4 operations.
#[inline(always)]
pub fn square<L: Limb>(x: (L, L)) -> (L, L) {
    let (h, l) = two_prod(x.0, x.0);
    (h, (x.0 + x.0).fma(x.1, l))
}

/// 1 / b of a moderate normalised pair, unnormalised: the reciprocal of hi, and a Newton step for the rest.
///
/// The residual 1 - b v, at most 2 u, is rounded once, and so is its product with v: 2 u^2 each. The next term of the series, at most
/// 4 u^2, is left out. Error at most 8 u^2.
#[inline(always)]
pub fn reciprocal<L: Limb>(b: (L, L)) -> (L, L) {
    let v = b.0.rcp_moderate();
    (v, v * (-b.1).fma(v, (-b.0).fma(v, L::lit(1.0))))
}

/// a / b for normalised pairs and the reciprocal of b's hi, normalised. 18 operations.
///
/// The remainder of the quotient of the high limbs is exact; what the low limbs add to it is rounded once, at most 2 u^2 of
/// the quotient, and their sum is exact. The quotient of that is corrected by its own remainder, with b's lo.
#[inline(always)]
pub fn quotient<L: Limb>(a: (L, L), b: (L, L), r: L) -> (L, L) {
    let (h, rest) = first_digits(a.0, b.0, r);
    corrected(h, two_sum(rest, b.1.fma(-h, a.1)), b, r)
}

/// [`quotient`] with what the low limbs add in two limbs, and a third limb of b: 28 operations for 2 u^2 less.
#[inline(always)]
pub fn quotient3<L: Limb>(a: (L, L), b: [L; 3], r: L) -> (L, L) {
    let (h, rest) = first_digits(a.0, b[0], r);
    let (p, e) = two_prod(h, b[1]);
    let (s, d) = two_sum(rest, a.1);
    let (s, f) = two_sum(s, -p);
    corrected(h, (s, (d + f) - b[2].fma(h, e)), (b[0], b[1]), r)
}

/// A limb near a / b, and a less b times that, exactly.
#[inline(always)]
fn first_digits<L: Limb>(a: L, b: L, r: L) -> (L, L) {
    let h = a * r;
    let h = r.fma(b.fma(-h, a), h);
    (h, b.fma(-h, a))
}

/// h + rest / b.
#[inline(always)]
fn corrected<L: Limb>(h: L, rest: (L, L), b: (L, L), r: L) -> (L, L) {
    let e = r * rest.0;
    let l = b.1.fma(-e, b.0.fma(-e, rest.0) + rest.1);
    fast_two_sum(h, r.fma(l, e))
}

/// x^2 as the sum of three limbs, the first two normalised.
#[inline(always)]
pub fn square3<L: Limb>(x: (L, L)) -> (L, L, L) {
    let (p, e) = two_prod(x.0, x.0);
    let (m, d) = two_prod(x.0 + x.0, x.1);
    let (l, c) = two_sum(e, m);
    let (h, l) = fast_two_sum(p, l);
    (h, l, x.1.fma(x.1, d + c))
}

/// b (1 + w) for |w| at most 1/2, normalised. 10 operations; an error of at most 4 u^2 and that of w.
#[inline(always)]
pub fn times_one_plus<L: Limb>(b: (L, L), w: (L, L)) -> (L, L) {
    let (y, e) = split_fma(b.0, w.0, b.0);
    fast_two_sum(y, b.0.fma(w.1, e) + b.1.fma(w.0, b.1))
}

/// The polynomial at a limb; unnormalised.
///
/// The error of a step is multiplied by x in every later one, so the last of the steps counts, with its coefficient's low
/// limb added: (7/2 + (2 a + 1) r) u^2, or (3/2 + a r) u^2 where that is 0.
#[inline(always)]
pub fn polynomial<L: Limb>(p: Polynomial, x: L) -> (L, L) {
    let (singles, pairs) = p.coefficients();
    horner(singles, pairs, |v| x.fma(v.0, v.1), |v, c| split_fma(x, v, c), |v, c| step(x, v, c))
}

/// The polynomial at a pair; unnormalised. Error as of [`polynomial`], with 1 + (2 a + 1) r more.
#[inline(always)]
pub fn polynomial2<L: Limb>(p: Polynomial, x: (L, L)) -> (L, L) {
    let (singles, pairs) = p.coefficients();
    series2(singles, pairs, x)
}

/// [`polynomial2`] of these coefficients, lowest degree first, where a low limb that is 0 may be missing.
#[inline(always)]
pub fn series2<L: Limb>(
    singles: impl DoubleEndedIterator<Item = L>,
    pairs: impl DoubleEndedIterator<Item = (L, Option<L>)>,
    x: (L, L),
) -> (L, L) {
    let first = |v: L, c: L| {
        let (s, e) = split_fma(x.0, v, c);
        (s, x.1.fma(v, e))
    };
    horner(singles, pairs, |v| x.0.fma(v.0, v.1), first, |v, c| step2(x, v, c))
}

/// Horner's scheme: single limbs, the first pair, the other pairs.
#[inline(always)]
fn horner<L: Limb>(
    singles: impl DoubleEndedIterator<Item = L>,
    pairs: impl DoubleEndedIterator<Item = (L, Option<L>)>,
    single: impl Fn((L, L)) -> L,
    first: impl Fn(L, L) -> (L, L),
    pair: impl Fn((L, L), L) -> (L, L),
) -> (L, L) {
    let (mut singles, mut pairs) = (singles.rev(), pairs.rev());
    let mut v = singles.next().expect("a single limb");
    for c in singles {
        v = single((v, c));
    }
    let add = |(s, e): (L, L), low: Option<L>| (s, low.map_or(e, |low| e + low));
    let (h, l) = pairs.next().expect("a pair");
    let mut w = add(first(v, h), l);
    for (h, l) in pairs {
        w = add(pair(w, h), l);
    }
    w
}
