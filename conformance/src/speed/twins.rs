//! Whole computations and their GPU twins: what holds, and distances beside bounds.

use serde::{Deserialize, Serialize};
use vernier_twin::{CaseReport, CheckError, Options, Place, Report, Twin, check, dot, moments};

/// A case on which the two forms need not be identical.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Distance {
    /// The case.
    pub case: String,
    /// The output that uses most of its bound.
    pub output: String,
    /// How far the two forms are apart.
    pub distance: f64,
    /// How far they may be.
    pub bound: f64,
}

/// What is known of a twin on one device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Twins {
    /// The computation.
    pub twin: String,
    /// Where it ran.
    pub place: String,
    /// Cases.
    pub cases: usize,
    /// Cases that must be identical.
    pub exact: usize,
    /// Cases that hold.
    pub held: usize,
    /// Faults planted.
    pub faults: usize,
    /// Faults that a case showed.
    pub caught: usize,
    /// The cases that need not be identical.
    pub distances: Vec<Distance>,
}

impl Twins {
    /// Whether every case holds and every fault was caught.
    pub fn hold(&self) -> bool {
        self.held == self.cases && self.caught == self.faults
    }

    fn new(report: &Report, place: &str) -> Twins {
        Twins {
            twin: report.twin.clone(),
            place: place.to_string(),
            cases: report.cases.len(),
            exact: report.cases.iter().filter(|c| c.exact).count(),
            held: report.cases.iter().filter(|c| c.holds()).count(),
            faults: report.faults.len(),
            caught: report.faults.iter().filter(|f| f.caught_by.is_some()).count(),
            distances: report.cases.iter().filter(|c| !c.exact).filter_map(distance).collect(),
        }
    }
}

fn distance(case: &CaseReport) -> Option<Distance> {
    let share = |d: f64, b: f64| if d == 0.0 { 0.0 } else { d / b };
    let worst = case.outputs.iter().max_by(|a, b| share(a.distance, a.bound).total_cmp(&share(b.distance, b.bound)))?;
    Some(Distance { case: case.name.clone(), output: worst.name.clone(), distance: worst.distance, bound: worst.bound })
}

/// Every twin with its own cases and faults.
///
/// # Errors
/// If the device cannot be used or fails.
pub fn twins(place: Place, name: &str) -> Result<Vec<Twins>, CheckError> {
    fn one<I>(twin: &Twin<I>, place: Place, name: &str) -> Result<Twins, CheckError> {
        Ok(Twins::new(&check(twin, place, &Options::default())?, name))
    }
    const SEED: u64 = 1;
    Ok(vec![
        one(&moments::twin(SEED), place, name)?,
        one(&dot::twin(SEED), place, name)?,
        one(&dot::exact_twin(SEED), place, name)?,
    ])
}
