//! What kernels of mathematical functions are made of: the short Horner step, polynomials, products.
//!
//! A step of Horner's scheme adds a product to a constant that is at least twice as large. Then a difference is exact that
//! general additions of pairs have to find by comparison or by more operations, and 3 to 6 operations do for 13 to 16. (The
//! error of a fused product: Boldo and Muller 2011. Horner's scheme compensated by it: Graillat, Langlois and Louvet 2006.)

use super::tables::Polynomial;
use crate::eft::two_prod;
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

/// The polynomial at a limb; unnormalised.
///
/// The error of a step is multiplied by x in every later one, so the last of the steps counts, with its coefficient's low
/// limb added: (7/2 + (2 a + 1) r) u^2, or (3/2 + a r) u^2 where that is 0.
#[inline(always)]
pub fn polynomial<L: Limb>(p: Polynomial, x: L) -> (L, L) {
    horner(p, |v| x.fma(v.0, v.1), |v, c| split_fma(x, v, c), |v, c| step(x, v, c))
}

/// The polynomial at a pair; unnormalised. Error as of [`polynomial`], with 1 + (2 a + 1) r more.
#[inline(always)]
pub fn polynomial2<L: Limb>(p: Polynomial, x: (L, L)) -> (L, L) {
    let first = |v: L, c: L| {
        let (s, e) = split_fma(x.0, v, c);
        (s, x.1.fma(v, e))
    };
    horner(p, |v| x.0.fma(v.0, v.1), first, |v, c| step2(x, v, c))
}

/// Horner's scheme: single limbs, the first pair, the other pairs.
#[inline(always)]
fn horner<L: Limb>(
    p: Polynomial,
    single: impl Fn((L, L)) -> L,
    first: impl Fn(L, L) -> (L, L),
    pair: impl Fn((L, L), L) -> (L, L),
) -> (L, L) {
    let n = p.singles.len();
    let mut v = L::lit(p.singles[n - 1]);
    for &c in p.singles[..n - 1].iter().rev() {
        v = single((v, L::lit(c)));
    }
    let add = |(s, e): (L, L), low: f64| (s, if low == 0.0 { e } else { e + L::lit(low) });
    let n = p.pairs.len();
    let mut w = add(first(v, L::lit(p.pairs[n - 1].0)), p.pairs[n - 1].1);
    for &(h, l) in p.pairs[..n - 1].iter().rev() {
        w = add(pair(w, L::lit(h)), l);
    }
    w
}
