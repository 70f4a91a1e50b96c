//! Digits and speed: the pi benchmark, throughput and latency of single operations, and a model that predicts speed from
//! instruction counts.
//!
//! A *subject* is a type that is measured. An *evaluation* is one operation of a subject; "clk" stands for cycles of
//! the clock that the multiprocessors run at, "unit" for a multiprocessor or compute unit.

mod functions;
mod model;
mod operation;
mod pace;
mod pi;
mod speed;
mod split;
mod targets;
mod text;

pub use functions::{Domain, FunctionRow, function_source, functions, functions_on};
pub use model::{
    CARDS, Card, Counts, Prediction, card_names, card_of, estimated, instructions, pi_counts, predict, published_pi,
};
pub use operation::Author;
pub use pace::{Pace, Place};
pub(crate) use pi::{LOG2_THREADS, begin, log2_terms, partial};
pub use pi::{
    Number, Pi, PiRun, against_double, digits, kernel_source, partials, pi_host, pi_on, sum, sum_in_double, with_double,
};
pub use speed::{Bench, Effort, Operands, Row, speed_of};
pub use split::{Division, PARTS, SHARES, Split, SplitRow, split_host, split_on, split_source};
pub use targets::{Side, Target, published_function_on_h200, published_on_h200, targets};
pub use text::{Arrangement, Chain, chain_source, chains};

use crate::device::{Arg, Device, Error};
use serde::{Deserialize, Serialize};
use vernier_tape::io::Kind;
use vernier_tape::tape::Ty;

/// A type that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)] // The names say it.
pub enum Subject {
    Float,
    Double,
    Fp32mp2Low,
    Fp32mp2Mid,
    Fp32mp2High,
    Fp64mp2Low,
    Fp64mp2Mid,
    Fp64mp2High,
    Fp64emuLow,
    Fp64emuMid,
    Fp64emuHigh,
    Fp64emuUnpackedLow,
    Fp64emuUnpackedMid,
    Fp64emuUnpackedHigh,
    CustomE11M52,
    CustomE11M23,
    CustomE8M23,
    CustomE6M23,
    CustomE11M10,
    CustomE11M7,
    CustomE11M0,
    CustomE5M23,
}

impl Subject {
    /// Every subject of operations, native types first.
    pub const ALL: [Subject; 14] = [
        Subject::Float,
        Subject::Double,
        Subject::Fp32mp2Low,
        Subject::Fp32mp2Mid,
        Subject::Fp32mp2High,
        Subject::Fp64mp2Low,
        Subject::Fp64mp2Mid,
        Subject::Fp64mp2High,
        Subject::Fp64emuLow,
        Subject::Fp64emuMid,
        Subject::Fp64emuHigh,
        Subject::Fp64emuUnpackedLow,
        Subject::Fp64emuUnpackedMid,
        Subject::Fp64emuUnpackedHigh,
    ];

    /// The published reduced formats of the pi benchmark.
    pub const CUSTOM: [Subject; 8] = [
        Subject::CustomE11M52,
        Subject::CustomE11M23,
        Subject::CustomE8M23,
        Subject::CustomE6M23,
        Subject::CustomE11M10,
        Subject::CustomE11M7,
        Subject::CustomE11M0,
        Subject::CustomE5M23,
    ];

    /// What the pi benchmark runs: every subject of operations, and the reduced formats with a value, which the last has not.
    pub fn pi() -> impl Iterator<Item = Subject> {
        Subject::ALL.into_iter().chain(Subject::CUSTOM.into_iter().take(7))
    }

    /// Of a reduced format, its exponent and mantissa bits.
    pub fn sizes(self) -> Option<(u32, u32)> {
        Some(match self {
            Subject::CustomE11M52 => (11, 52),
            Subject::CustomE11M23 => (11, 23),
            Subject::CustomE8M23 => (8, 23),
            Subject::CustomE6M23 => (6, 23),
            Subject::CustomE11M10 => (11, 10),
            Subject::CustomE11M7 => (11, 7),
            Subject::CustomE11M0 => (11, 0),
            Subject::CustomE5M23 => (5, 23),
            _ => return None,
        })
    }

    /// `float`, `double`, family and level as in `fp32mp2_low`, or sizes as in `fp64_custom_e8m23`.
    pub fn name(self) -> String {
        if let Some((e, m)) = self.sizes() {
            return format!("{}_e{e}m{m}", self.family());
        }
        match (self, self.level()) {
            (Subject::Float, _) => "float".into(),
            (Subject::Double, _) => "double".into(),
            (_, level) => format!("{}_{level}", self.family()),
        }
    }

    /// `fp32mp2`, `fp64mp2`, `fp64emu`, `fp64emu_unpacked` or `fp64_custom`; of a native type its name.
    pub fn family(self) -> &'static str {
        match self {
            Subject::Float => "float",
            Subject::Double => "double",
            Subject::Fp32mp2Low | Subject::Fp32mp2Mid | Subject::Fp32mp2High => "fp32mp2",
            Subject::Fp64mp2Low | Subject::Fp64mp2Mid | Subject::Fp64mp2High => "fp64mp2",
            Subject::Fp64emuLow | Subject::Fp64emuMid | Subject::Fp64emuHigh => "fp64emu",
            Subject::Fp64emuUnpackedLow | Subject::Fp64emuUnpackedMid | Subject::Fp64emuUnpackedHigh => {
                "fp64emu_unpacked"
            }
            _ => "fp64_custom",
        }
    }

    /// Its name in tables of published figures: of emulated doubles high is not named, and `fp64mp2` has one for all levels.
    pub fn published_name(self) -> String {
        match self.family() {
            family @ "fp64mp2" => family.into(),
            family if self.is_emulated() && self.level() == "high" => family.into(),
            _ => self.name(),
        }
    }

    /// "low", "mid" or "high"; empty for a native type and a reduced format.
    pub fn level(self) -> &'static str {
        match self {
            _ if self.sizes().is_some() => "",
            Subject::Float | Subject::Double => "",
            Subject::Fp32mp2Low | Subject::Fp64mp2Low | Subject::Fp64emuLow | Subject::Fp64emuUnpackedLow => "low",
            Subject::Fp32mp2Mid | Subject::Fp64mp2Mid | Subject::Fp64emuMid | Subject::Fp64emuUnpackedMid => "mid",
            _ => "high",
        }
    }

    /// Its values.
    pub fn kind(self) -> Kind {
        match self.family() {
            "float" => Kind::F32,
            "double" | "fp64_custom" => Kind::F64,
            "fp32mp2" => Kind::Pair32,
            "fp64mp2" => Kind::Pair64,
            "fp64emu" => Kind::Packed,
            _ => Kind::Unpacked,
        }
    }

    /// Whether it is a native type.
    pub fn is_native(self) -> bool {
        matches!(self, Subject::Float | Subject::Double)
    }

    /// Whether it is a double-word type.
    pub fn is_pair(self) -> bool {
        matches!(self.kind(), Kind::Pair32 | Kind::Pair64)
    }

    /// Whether it is a double made of integers.
    pub fn is_emulated(self) -> bool {
        matches!(self.kind(), Kind::Packed | Kind::Unpacked)
    }

    /// The native type of its limbs; of an emulated double, double.
    pub fn native(self) -> Subject {
        if self.limb() == Ty::F32 { Subject::Float } else { Subject::Double }
    }

    /// What its values are in a device's memory: limbs; of a packed double its bits, of an unpacked one two words, sign and
    /// exponent above and below in the first.
    fn limb(self) -> Ty {
        if self.is_emulated() { Ty::U64 } else { self.kind().slots()[0] }
    }

    /// How many of those.
    fn limbs(self) -> usize {
        self.kind().slots().len().min(2)
    }

    /// `x`, which a limb holds, as an argument of a kernel.
    fn argument(self, x: f64) -> Arg<'static> {
        match self.limb() {
            Ty::F32 => (x as f32).into(),
            Ty::U64 => x.to_bits().into(),
            _ => x.into(),
        }
    }
}

/// Times of several launches, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// The median.
    pub median: f64,
    /// The shortest.
    pub least: f64,
    /// The longest.
    pub most: f64,
    /// How many launches.
    pub launches: u32,
}

impl Timing {
    /// (most - least) / median.
    pub fn spread(&self) -> f64 {
        (self.most - self.least) / self.median
    }

    /// Of at least one time.
    ///
    /// # Panics
    /// If there is none.
    pub fn of(mut times: Vec<f64>) -> Timing {
        times.sort_by(f64::total_cmp);
        let (n, least, most) = (times.len(), times[0], times[times.len() - 1]);
        Timing { median: (times[(n - 1) / 2] + times[n / 2]) / 2.0, least, most, launches: n as u32 }
    }
}

/// Times `launches` (at least one) launches, each between two events of its own.
///
/// # Errors
/// If the device fails.
pub fn time(device: &Device, launches: u32, launch: impl Fn() -> Result<(), Error>) -> Result<Timing, Error> {
    let mut times = Vec::new();
    for _ in 0..launches.max(1) {
        let start = device.event()?;
        launch()?;
        times.push(start.until(&device.event()?)?.as_secs_f64());
    }
    Ok(Timing::of(times))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians() {
        let t = Timing::of(vec![3.0, 1.0, 2.0]);
        assert_eq!((t.median, t.least, t.most, t.launches), (2.0, 1.0, 3.0, 3));
        assert_eq!(t.spread(), 1.0);
        assert_eq!(Timing::of(vec![4.0, 1.0, 2.0, 8.0]).median, 3.0);
    }
}
