//! Digits of the pi benchmark, instruction counts, and speed: measured where there is a device, predicted, and published.

mod counts;
mod digits;
mod measured;

pub use counts::{Count, Counts, count};
pub use digits::{Claim, Digits, on_host};
pub use measured::{Report, Selection, host, measure};

use crate::error::Error;
use crate::table::Build;
use serde::{Deserialize, Serialize};
use vernier_gpu::bench::{CARDS, Card, Prediction, at_hand, predict, published_pi};
use vernier_gpu::device::{Api, Device};
use vernier_gpu::print::Rare;

const PUBLISHED: &str = include_str!("../../../fixtures/pi.tsv");

/// What `speed.json` holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Results {
    /// The program.
    pub build: Build,
    /// The pi benchmark, everywhere it was run.
    pub digits: Vec<Digits>,
    /// Instruction counts.
    pub counts: Vec<Counts>,
    /// Speed on a CUDA device.
    pub measured: Option<Report>,
    /// Speed of the pi benchmark relative to double.
    pub predicted: Vec<Predicted>,
    /// What was left out, and why.
    pub left_out: Vec<String>,
}

/// A predicted speed and what is known of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Predicted {
    /// The prediction.
    pub prediction: Prediction,
    /// The published ratio.
    pub published: Option<f64>,
    /// The measured ratio, on the card at hand.
    pub measured: Option<f64>,
}

impl Results {
    /// Whether every claim on digits holds; counts and speeds have targets, not claims.
    pub fn hold(&self) -> bool {
        self.failed().is_empty()
    }

    /// The claims that do not hold.
    pub fn failed(&self) -> Vec<String> {
        let digits = self.digits.iter().filter(|d| !d.holds());
        digits.map(|d| format!("pi in {} at 2^{} on {}", d.pi.subject.name(), d.pi.log2_terms, d.place)).collect()
    }

    /// As the text of a file.
    pub fn to_json(&self) -> String {
        to_json(self)
    }
}

/// As the text of a file.
pub fn to_json(value: &impl Serialize) -> String {
    // No map with other keys than text and no failing serializer is involved.
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

/// Everything that can be found here. A missing device or compiler is told in [`Results::left_out`].
///
/// # Errors
/// If a device that is there fails.
pub fn run(quick: bool) -> Result<Results, Error> {
    let mut left_out = Vec::new();
    let mut digits = on_host(quick);
    if quick {
        left_out.push("digits at 2^26 and 2^28 terms: not in a quick run".into());
    }
    let counts = count(quick).unwrap_or_else(|why| {
        left_out.push(format!("instruction counts: not counted: {why}"));
        Vec::new()
    });
    if quick && !counts.is_empty() {
        left_out.push("instruction counts for other architectures than sm_90: not in a quick run".into());
    }
    let measured = match Device::open(Api::Cuda, 0) {
        Ok(device) => Some(measure(&device, &Selection::default(), quick)?),
        Err(why) => {
            left_out.push(format!("speed: not measured here: {why}"));
            None
        }
    };
    if let Some(report) = &measured {
        digits.extend(report.pi.iter().map(|pi| Digits::new(&report.place, pi.clone())));
    }
    let predicted = predictions(measured.as_ref());
    Ok(Results { build: Build::this(), digits, counts, measured, predicted, left_out })
}

/// Predictions for the cards with published figures, and for the card at hand.
fn predictions(measured: Option<&Report>) -> Vec<Predicted> {
    let published = published_pi(PUBLISHED);
    let known = CARDS.iter().filter_map(|(name, architecture)| Card::new(name, architecture));
    let here = measured.and_then(|r| r.device.as_ref()).and_then(at_hand);
    let name = here.as_ref().map(|c| c.name.clone());
    let measured_ratio = |p: &Prediction| {
        let rows = measured.filter(|_| name.as_ref() == Some(&p.card.name))?.pi.iter();
        // As many terms as the published figures are for; otherwise the more, the less of the time is the launch.
        rows.filter(|r| r.subject == p.subject).max_by_key(|r| (r.log2_terms == 26, r.log2_terms))?.speed_vs_double
    };
    known
        .chain(here.clone())
        .flat_map(|card| predict(&card, Rare::Automatic))
        .map(|p| Predicted {
            published: published.get(&(p.subject.name(), p.card.name.clone())).copied(),
            measured: measured_ratio(&p),
            prediction: p,
        })
        .collect()
}
