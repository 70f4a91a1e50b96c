//! Serialisation by crate `serde`, to the bit: a readable format gets the three words as case lines write them,
//! `sign:exponent:significand` with the exponent and the significand in hex, 8 and 16 digits; any other format gets them as a
//! tuple. Words that are no canonical number are read as [`Fp64EmuUnpacked::from_parts`] takes them.

use super::Fp64EmuUnpacked;
use crate::emu::unpacked::Level;
use core::fmt;
use core::marker::PhantomData;
use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};
use serde::ser::{Serialize, Serializer};

impl<A: Level> Serialize for Fp64EmuUnpacked<A> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (sign, exponent, significand) = self.to_parts();
        if serializer.is_human_readable() {
            serializer.collect_str(&format_args!("{sign}:{exponent:08x}:{significand:016x}"))
        } else {
            (sign, exponent, significand).serialize(serializer)
        }
    }
}

/// The number of any three words; the sign of NaN is kept.
fn of_parts<A: Level>((sign, exponent, significand): (u32, i32, u64)) -> Fp64EmuUnpacked<A> {
    let x = Fp64EmuUnpacked::from_parts(sign, exponent, significand);
    if x.is_nan() && sign != 0 { -x } else { x }
}

impl<'de, A: Level> Deserialize<'de> for Fp64EmuUnpacked<A> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_str(Words(PhantomData))
        } else {
            <(u32, i32, u64)>::deserialize(deserializer).map(of_parts)
        }
    }
}

struct Words<A>(PhantomData<A>);

impl<A: Level> Visitor<'_> for Words<A> {
    type Value = Fp64EmuUnpacked<A>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sign:exponent:significand, the sign 0 or 1, the others 8 and 16 hex digits")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        let hex = |text: &str, width: usize| {
            let whole = text.len() == width && text.bytes().all(|b| b.is_ascii_hexdigit());
            u64::from_str_radix(text, 16).ok().filter(|_| whole)
        };
        let parts = || {
            let (sign, rest) = text.split_once(':')?;
            let (exponent, significand) = rest.split_once(':')?;
            let sign = hex(sign, 1).filter(|&s| s <= 1)?;
            Some((sign as u32, hex(exponent, 8)? as u32 as i32, hex(significand, 16)?))
        };
        parts().map(of_parts).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }
}
