//! Serialisation by crate `serde`, to the bit: a readable format gets the bits as 16 hex digits, as case lines write it;
//! any other format gets it as an integer.

use super::Fp64Emu;
use crate::emu::Level;
use core::fmt;
use core::marker::PhantomData;
use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};
use serde::ser::{Serialize, Serializer};

impl<A: Level> Serialize for Fp64Emu<A> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(&format_args!("{:016x}", self.to_bits()))
        } else {
            self.to_bits().serialize(serializer)
        }
    }
}

impl<'de, A: Level> Deserialize<'de> for Fp64Emu<A> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_str(Bits(PhantomData))
        } else {
            u64::deserialize(deserializer).map(Self::from_bits)
        }
    }
}

struct Bits<A>(PhantomData<A>);

impl<A: Level> Visitor<'_> for Bits<A> {
    type Value = Fp64Emu<A>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the bits of a double, 16 hex digits")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        let whole = text.len() == 16 && text.bytes().all(|b| b.is_ascii_hexdigit());
        let bits = u64::from_str_radix(text, 16).ok().filter(|_| whole);
        bits.map(Fp64Emu::from_bits).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }
}
