//! Numbers of a format by their bits, and in order.

use crate::format::Format;
use crate::generate::limb;

pub use limb::{from_bits as number, to_bits as of, width};

/// The sign's bit.
#[inline(always)]
pub fn sign(format: Format) -> u64 {
    1 << (width(format) - 1)
}

/// The bits of infinity, which magnitudes of numbers lie below.
pub fn infinity(format: Format) -> u64 {
    of(f64::INFINITY, format)
}

/// The place among the numbers in order: the zeros at 0 and -1.
#[inline(always)]
pub fn place(bits: u64, format: Format) -> i64 {
    let sign = sign(format);
    if bits & sign == 0 { bits as i64 } else { !(bits ^ sign) as i64 }
}

/// The number at a place.
#[inline(always)]
pub fn at(place: i64, format: Format) -> u64 {
    if place >= 0 { place as u64 } else { !place as u64 | sign(format) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_in_order() {
        for format in [Format::F16, Format::BF16, Format::F32, Format::F64] {
            let top = infinity(format) as i64;
            for place in [-top - 1, -top, -5, -1, 0, 1, 2, top - 1, top] {
                assert_eq!(super::place(at(place, format), format), place);
            }
            assert_eq!(number(at(-top - 1, format), format), f64::NEG_INFINITY);
            assert_eq!((number(at(0, format), format), number(at(-1, format), format).is_sign_negative()), (0.0, true));
        }
    }
}
