//! The positive difference of two pairs.

use crate::machine::{Limb, Machine};
use crate::pair::add::add_accurate;
use crate::pair::{High, Level, is_canonical, le, neg, select2};

/// x - y where x > y, with the bits of the high difference; +0 where x <= y; NaN where one is NaN. Any pairs. Error as
/// [`add_high`](crate::pair::add_high). C23 7.12.12.1.
#[inline(always)]
pub fn fdim<L: Limb>(x: (L, L), y: (L, L)) -> (L, L) {
    let zero = L::lit(0.0);
    // The difference of canonical pairs has a relative bound, and with it the sign of the exact one.
    let r = add_accurate(x, neg(y));
    let usual = select2(zero.lt(r.0), r, (zero, zero));
    let plain = r.1.abs().lt(r.0.abs()) & is_canonical(x) & is_canonical(y);
    L::M::branch(!plain, usual, || select2(le(x, y), (zero, zero), High::sub(x, y)))
}
