//! What the check of a twin found.

use serde::{Serialize, Serializer};
use std::fmt;
use vernier_gpu::device::Build;

/// One output of one case.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OutputReport {
    /// Its name.
    pub name: String,
    /// The CPU's result.
    #[serde(serialize_with = "number")]
    pub reference: f64,
    /// The twin's.
    #[serde(serialize_with = "number")]
    pub twin: f64,
    /// |reference - twin|; 0 for the same bits, infinite where one of the two is no number.
    #[serde(serialize_with = "number")]
    pub distance: f64,
    /// The largest distance allowed: 0 where the two must be identical.
    #[serde(serialize_with = "number")]
    pub bound: f64,
}

/// JSON knows no infinity and no NaN: they are text.
fn number<S: Serializer>(x: &f64, s: S) -> Result<S::Ok, S::Error> {
    if x.is_finite() { s.serialize_f64(*x) } else { s.collect_str(x) }
}

impl OutputReport {
    pub(crate) fn new(name: &str, reference: f64, twin: f64, bound: f64) -> Self {
        let distance = match (reference - twin).abs() {
            _ if same(reference, twin) => 0.0,
            // Zeros of different sign are equal and not identical.
            0.0 => f64::MIN_POSITIVE,
            d if d.is_nan() => f64::INFINITY,
            d => d,
        };
        OutputReport { name: name.to_string(), reference, twin, distance, bound }
    }

    /// Whether the claim holds.
    pub fn holds(&self) -> bool {
        self.distance <= self.bound
    }
}

/// The same bits, all NaN being one.
pub(crate) fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

/// One case.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CaseReport {
    /// Its name.
    pub name: String,
    /// Whether the two must be identical on it.
    pub exact: bool,
    /// The outputs.
    pub outputs: Vec<OutputReport>,
    /// On a device: the first output in which it differs from its model on the host.
    pub differs_from_model: Option<String>,
}

impl CaseReport {
    /// Whether the claim holds, and the device returned its model's bits.
    pub fn holds(&self) -> bool {
        self.differs_from_model.is_none() && self.outputs.iter().all(OutputReport::holds)
    }
}

/// What became of a fault.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FaultReport {
    /// Its name.
    pub name: String,
    /// The case that showed it first; none if no case did.
    pub caught_by: Option<String>,
}

/// Everything that a check found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The twin.
    pub twin: String,
    /// `host`, or the device's name.
    pub subject: String,
    /// Device, driver, compiler and options; none on the host.
    pub build: Option<Build>,
    /// The cases.
    pub cases: Vec<CaseReport>,
    /// The faults planted.
    pub faults: Vec<FaultReport>,
    /// Why the run ended early, if it did.
    pub incomplete: Option<String>,
}

impl Report {
    /// Whether every claim holds and every fault was caught.
    pub fn holds(&self) -> bool {
        self.incomplete.is_none()
            && self.cases.iter().all(CaseReport::holds)
            && self.faults.iter().all(|f| f.caught_by.is_some())
    }

    /// The first case that does not hold.
    pub fn first_failure(&self) -> Option<&CaseReport> {
        self.cases.iter().find(|c| !c.holds())
    }
}

impl fmt::Display for CaseReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let worst = self.outputs.iter().max_by(|a, b| ratio(a).total_cmp(&ratio(b)));
        let verdict = if self.holds() { "holds" } else { "FAILS" };
        write!(f, "{}: {verdict}, ", self.name)?;
        match worst {
            _ if self.exact && self.holds() => f.write_str("identical")?,
            Some(o) if self.exact => {
                write!(f, "{}: {:?} where the CPU has {:?}; identical claimed", o.name, o.twin, o.reference)?;
            }
            Some(o) => write!(f, "{}: distance {:.3e}, bound {:.3e}", o.name, o.distance, o.bound)?,
            None => f.write_str("no output")?,
        }
        match &self.differs_from_model {
            Some(output) => write!(f, "; {output} differs from the model"),
            None => Ok(()),
        }
    }
}

/// How much of its bound an output uses.
fn ratio(o: &OutputReport) -> f64 {
    match (o.distance, o.bound) {
        (0.0, _) => 0.0,
        (_, 0.0) => f64::INFINITY,
        (d, b) => d / b,
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} on {}", self.twin, self.subject)?;
        for c in &self.cases {
            writeln!(f, "  {c}")?;
        }
        for x in &self.faults {
            match &x.caught_by {
                Some(case) => writeln!(f, "  fault '{}': caught by '{case}'", x.name)?,
                None => writeln!(f, "  fault '{}': NOT CAUGHT", x.name)?,
            }
        }
        if let Some(why) = &self.incomplete {
            writeln!(f, "  incomplete: {why}")?;
        }
        let (n, held) = (self.cases.len(), self.cases.iter().filter(|c| c.holds()).count());
        let caught = self.faults.iter().filter(|x| x.caught_by.is_some()).count();
        write!(f, "  {held} of {n} cases hold, {caught} of {} faults caught", self.faults.len())
    }
}
