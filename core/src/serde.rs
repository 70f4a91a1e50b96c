//! Serialisation of pairs by crate `serde`, to the bit.
//!
//! A readable format gets one string, the limbs as case lines write them: `hi:lo`, the bits in hex, 8 digits for a
//! float and 16 for a double. A JSON number holds neither infinity nor NaN. Any other
//! format gets the two limbs as a tuple of floats.

use crate::double_word::{DoubleWord, HostLimb};
use crate::pair::Level;
use core::fmt;
use core::marker::PhantomData;
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

/// Hex digits of a limb.
const fn width<F: HostLimb>() -> usize {
    2 * size_of::<F>()
}

/// `hi:lo` as it is written.
struct Hex<F>(F, F);

impl<F: HostLimb> fmt::Display for Hex<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = width::<F>();
        write!(f, "{:0width$x}:{:0width$x}", self.0.to_bits_u64(), self.1.to_bits_u64())
    }
}

impl<F: HostLimb + Serialize, A: Level> Serialize for DoubleWord<F, A> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(&Hex(self.hi(), self.lo()))
        } else {
            self.to_parts().serialize(serializer)
        }
    }
}

impl<'de, F: HostLimb + Deserialize<'de>, A: Level> Deserialize<'de> for DoubleWord<F, A> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_str(Limbs(PhantomData))
        } else {
            <(F, F)>::deserialize(deserializer).map(Self::wrap)
        }
    }
}

struct Limbs<F, A>(PhantomData<(F, A)>);

impl<F: HostLimb, A: Level> Visitor<'_> for Limbs<F, A> {
    type Value = DoubleWord<F, A>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the bits of a {} as hi:lo, {} hex digits each", F::PAIR, width::<F>())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        let limb = |text: &str| {
            let whole = text.len() == width::<F>() && text.bytes().all(|b| b.is_ascii_hexdigit());
            u64::from_str_radix(text, 16).ok().filter(|_| whole).map(F::from_bits_u64)
        };
        let limbs = text.split_once(':').and_then(|(hi, lo)| Some((limb(hi)?, limb(lo)?)));
        limbs.map(DoubleWord::wrap).ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), &self))
    }
}
