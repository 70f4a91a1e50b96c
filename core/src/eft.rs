//! Error-free transformations: the rounded result and its exact error.

use crate::machine::Limb;

/// s = RN(a + b) and e = a + b - s exactly, barring overflow. 6 operations (Knuth 1969; Møller 1965).
#[inline(always)]
pub fn two_sum<L: Limb>(a: L, b: L) -> (L, L) {
    let s = a + b;
    let a1 = s - b;
    let b1 = s - a1;
    let da = a - a1;
    let db = b - b1;
    (s, da + db)
}

/// As [`two_sum`] where |a| >= |b| or a = 0. 3 operations (Dekker 1971).
#[inline(always)]
pub fn fast_two_sum<L: Limb>(a: L, b: L) -> (L, L) {
    let s = a + b;
    (s, b - (s - a))
}

/// h = RN(a b) and l = a b - h exactly, where |a b| >= 2^(MIN_EXP + P) or it is 0. 2 operations.
#[inline(always)]
pub fn two_prod<L: Limb>(a: L, b: L) -> (L, L) {
    let h = a * b;
    (h, a.fma(b, -h))
}
