//! Digits of the pi benchmark, instruction counts, and speed: measured on every device, predicted, and published.

mod counts;
mod digits;
mod file;
mod instruments;
mod measured;
mod twins;

pub use counts::{Count, Counts, count, count_on};
pub use digits::{Claim, Digits, on_host, published as published_digits};
pub use file::{beside, check, parse, read, read_report};
pub use instruments::{Instrument, instruments_on, instruments_on_host};
pub use measured::{Report, Selection, divided, fp64_rate, host, measure};
pub use twins::{Distance, Twins, twins};

use crate::table::Build;
use serde::{Deserialize, Serialize};
use vernier_gpu::bench::{CARDS, Card, Prediction, Subject, card_of, pi_on, predict, published_on_h200, published_pi};
use vernier_gpu::device::{Api, Class, Description, Device, Place, cuda, survey};
use vernier_gpu::print::Rare;

const PUBLISHED: &str = include_str!("../../fixtures/pi.tsv");

/// First line of `speed.json`: what it is.
pub const FORMAT: &str = "vernier speed 1";

/// What `speed.json` holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Results {
    /// [`FORMAT`].
    pub format: String,
    /// The program.
    pub build: Build,
    /// Whether it was a quick run, which leaves figures out.
    pub quick: bool,
    /// The pi benchmark, everywhere it was run.
    pub digits: Vec<Digits>,
    /// Instruction counts.
    pub counts: Vec<Counts>,
    /// The compiler of what was counted; empty where nothing was.
    pub counts_by: String,
    /// Speed on each device.
    pub measured: Vec<Report>,
    /// Speed of the pi benchmark relative to double.
    pub predicted: Vec<Predicted>,
    /// Whole computations and their twins.
    #[serde(default)]
    pub twins: Vec<Twins>,
    /// Instrumented pairs.
    #[serde(default)]
    pub instruments: Vec<Instrument>,
    /// What was left out, and why.
    pub left_out: Vec<String>,
    /// Why figures of a device are missing: it failed in the middle.
    pub incomplete: Option<String>,
}

/// A predicted speed and what is known of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Predicted {
    /// The prediction.
    pub prediction: Prediction,
    /// The published ratio.
    pub published: Option<f64>,
    /// The measured ratio, on the card of this machine.
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
        let digits = digits.map(|d| format!("pi in {} at 2^{} on {}", d.pi.subject.name(), d.pi.log2_terms, d.place));
        let twins = self.twins.iter().filter(|t| !t.hold());
        let instruments = self.instruments.iter().filter(|i| !i.holds());
        let instruments = instruments.map(|i| format!("{} {} on {}", i.ty, i.level, i.place));
        digits.chain(twins.map(|t| format!("twin {} on {}", t.twin, t.place))).chain(instruments).collect()
    }

    /// As the text of a file.
    pub fn to_json(&self) -> String {
        crate::text::json(self)
    }

    fn check_twins(&mut self, place: Place, name: &str) {
        match twins(place, name) {
            Ok(found) => self.twins.extend(found),
            Err(why) => self.fail(name, &why),
        }
    }

    /// Measures on a device; where that fails, what is known so far stays.
    fn measure_on(&mut self, device: &Device) {
        let place = device.description().place();
        self.check_twins(Place::Device(device.api(), device.description().index), &place);
        match instruments_on(device, self.quick) {
            Ok(found) => self.instruments.extend(found),
            Err(why) => self.fail(&place, &why),
        }
        // The processor of the host through another compiler: its bits say something, its speed nothing.
        if device.description().class == Class::Processor {
            let subjects: Vec<Subject> = Subject::pi().collect();
            match pi_on(device, &subjects, &[20], 1, 20, Rare::Automatic) {
                Ok(run) => self.digits.extend(run.rows.into_iter().map(|pi| Digits::new(&place, pi))),
                Err(why) => self.fail(&place, &why),
            }
            self.left_out.push(format!("speed: not measured on {place}: it is a processor"));
            return;
        }
        match measure(device, &Selection::default(), self.quick) {
            Ok(report) => {
                self.digits.extend(report.pi.iter().map(|pi| Digits::new(&place, pi.clone())));
                self.measured.push(report);
            }
            Err(why) => self.fail(&place, &why),
        }
    }

    fn fail(&mut self, place: &str, why: &dyn std::fmt::Display) {
        self.left_out.push(format!("speed: not measured on {place}: {why}"));
        self.incomplete.get_or_insert(format!("{place}: {why}"));
    }
}

/// Everything that can be found here, on every device that can be used. A missing device or compiler, and a device that fails,
/// are named in [`Results::left_out`].
pub fn run(quick: bool) -> Results {
    let mut results = Results {
        format: FORMAT.into(),
        build: Build::this(),
        quick,
        digits: on_host(quick),
        instruments: instruments_on_host(),
        ..Results::default()
    };
    results.check_twins(Place::Host, "host");
    if quick {
        results.left_out.push("digits at 2^26 and 2^28 terms: not in a quick run".into());
    }
    match count(quick) {
        Ok(counts) => {
            results.counts = counts;
            results.counts_by = cuda::compiler_version().unwrap_or_default();
            if quick {
                let line = "instruction counts for other architectures than sm_90: not in a quick run";
                results.left_out.push(line.into());
            }
        }
        Err(why) => results.left_out.push(format!("instruction counts: not counted: {why}")),
    }
    let found = survey();
    for (api, why) in found.absent {
        results.left_out.push(format!("speed: not measured on {api}: {why}"));
    }
    for Description { api, index, .. } in &found.devices {
        match Device::open(*api, *index) {
            Ok(device) => results.measure_on(&device),
            Err(why) => results.left_out.push(format!("speed: not measured: {why}")),
        }
    }
    results.predicted = predictions(&results.measured);
    results
}

/// Predictions for the cards with published figures, and for the cards of this machine.
fn predictions(measured: &[Report]) -> Vec<Predicted> {
    let published = published_pi(PUBLISHED);
    let mut cards: Vec<Card> = CARDS.iter().filter_map(|(name, architecture)| Card::new(name, architecture)).collect();
    let cuda = |r: &&Report| r.device.as_ref().is_some_and(|d| d.api == Api::Cuda);
    for card in measured.iter().filter(cuda).filter_map(|r| card_of(r.device.as_ref()?)) {
        if cards.iter().all(|c| c.name != card.name) {
            cards.push(card);
        }
    }
    let measured_ratio = |p: &Prediction| {
        let here = |r: &&Report| r.device.as_ref().is_some_and(|d| d.name == p.card.name);
        let rows = measured.iter().filter(cuda).find(here)?.pi.iter();
        // As many terms as the published figures are for; otherwise the more, the less of the time is the launch.
        rows.filter(|r| r.subject == p.subject).max_by_key(|r| (r.log2_terms == 26, r.log2_terms))?.speed_vs_double
    };
    let published_ratio = |p: &Prediction| {
        let ms = |s: Subject| published_on_h200(s, "pi").filter(|_| p.card.name.contains("H200"));
        let name = (p.subject.published_name(), p.card.name.clone());
        published.get(&name).copied().or_else(|| Some(ms(Subject::Double)? / ms(p.subject)?))
    };
    cards
        .iter()
        .flat_map(|card| predict(card, Rare::Automatic))
        .map(|p| Predicted { published: published_ratio(&p), measured: measured_ratio(&p), prediction: p })
        .collect()
}
