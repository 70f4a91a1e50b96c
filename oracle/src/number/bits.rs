//! Numbers of a format by their bits, and in order.

use crate::format::Format;
use crate::generate::counter::word;
use crate::generate::limb;

pub use limb::{from_bits as number, to_bits as of, width};

/// The high words of binary128, which stand for the numbers with the low words of [`low`].
pub const HIGH: Format = Format::new(49, -16430, 16383);

/// The low word of binary128 that belongs to a high one: all zeros where that has few bits, all ones behind the largest, and words that
/// look random elsewhere.
pub fn low(high: u64) -> u64 {
    match high << 1 >> 1 {
        x if x & 0xff == 0 => 0,
        0x7ffe_ffff_ffff_ffff => u64::MAX,
        x => word(x, 0),
    }
}

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
        for format in [Format::F16, Format::BF16, Format::F32, Format::F64, HIGH] {
            let top = infinity(format) as i64;
            for place in [-top - 1, -top, -5, -1, 0, 1, 2, top - 1, top] {
                assert_eq!(super::place(at(place, format), format), place);
            }
            assert_eq!(number(at(-top - 1, format), format), f64::NEG_INFINITY);
            assert_eq!((number(at(0, format), format), number(at(-1, format), format).is_sign_negative()), (0.0, true));
        }
    }
}
