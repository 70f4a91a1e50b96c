//! Holding a twin to its contract.

use crate::contract::{InputError, On, Outputs, Twin};
use crate::report::{CaseReport, FaultReport, OutputReport, Report, same};
use vernier_gpu::device::{Device, Error, Place, Program};

/// What is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Only the case of this name: how a failure is replayed.
    pub only: Option<String>,
    /// Whether the faults are planted too.
    pub faults: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { only: None, faults: true }
    }
}

/// Runs the twin's cases on the host, where that is its model, or on a device, then each fault until a case shows it.
///
/// # Errors
/// If the device cannot be used, the source does not compile, no case has the name asked for, or the first input cannot be made. A device
/// or an input that fails later leaves what was found until then, marked as incomplete.
pub fn check<I>(twin: &Twin<I>, place: Place, options: &Options) -> Result<Report, CheckError> {
    let cases: Vec<_> =
        twin.cases.iter().filter(|c| options.only.as_ref().is_none_or(|only| *only == c.name)).collect();
    if cases.is_empty() {
        let names: Vec<&str> = twin.cases.iter().map(|c| c.name.as_str()).collect();
        let asked = options.only.clone().unwrap_or_default();
        return Err(CheckError::NoCase { asked, names: names.join("', '") });
    }
    let runner = Runner::new(twin, place)?;
    let mut report = Report {
        twin: twin.name.clone(),
        subject: runner.subject(),
        build: runner.program.as_ref().map(|p| p.build().clone()),
        cases: Vec::new(),
        faults: Vec::new(),
        incomplete: None,
    };
    let mut faults = Vec::new();
    for fault in twin.faults.iter().filter(|_| options.faults) {
        faults.push((fault, runner.faulty(fault.define.as_deref())?));
        report.faults.push(FaultReport { name: fault.name.clone(), caught_by: None });
    }
    for case in cases {
        let input = match (case.make)() {
            Ok(input) => input,
            Err(why) if report.cases.is_empty() => return Err(CheckError::Input(why)),
            Err(why) => {
                report.incomplete = Some(why.to_string());
                return Ok(report);
            }
        };
        let truth = Truth::of(twin, &input);
        let model = (twin.model)(&input);
        let found = match runner.run(runner.program.as_ref(), &input) {
            Ok(Some(found)) => found,
            Ok(None) => model.clone(),
            Err(error) => {
                report.incomplete = Some(format!("case '{}': {error}", case.name));
                return Ok(report);
            }
        };
        let outputs = truth.judge(twin, &found);
        let differs = found.iter().zip(&model).position(|(&a, &b)| !same(a, b));
        report.cases.push(CaseReport {
            name: case.name.clone(),
            exact: truth.exact,
            outputs,
            differs_from_model: differs.map(|k| twin.outputs[k].clone()),
        });
        for ((fault, program), state) in faults.iter().zip(&mut report.faults) {
            if state.caught_by.is_some() {
                continue;
            }
            // A fault that has no place in the device's source is planted in the model.
            let found = match runner.run(program.as_ref(), &input) {
                Ok(Some(found)) => found,
                Ok(None) => (fault.host)(&input),
                Err(error) => {
                    report.incomplete = Some(format!("fault '{}', case '{}': {error}", fault.name, case.name));
                    return Ok(report);
                }
            };
            if truth.judge(twin, &found).iter().any(|o| !o.holds()) {
                state.caught_by = Some(case.name.clone());
            }
        }
    }
    Ok(report)
}

/// Why a check could not be made.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// No case of this name.
    #[error("there is no case '{asked}': '{names}'")]
    NoCase {
        /// The name asked for.
        asked: String,
        /// The names there are.
        names: String,
    },
    /// The first input could not be made.
    #[error("{0}")]
    Input(InputError),
    /// The twin has no kernel.
    #[error("{0} has no kernel for a device")]
    NoKernel(String),
    /// The device cannot be used, or the source does not compile.
    #[error(transparent)]
    Device(#[from] Error),
}

impl CheckError {
    /// Whether the device asked for is not there or cannot be used: a reason to skip, where any other error is one to fail.
    pub fn is_absent(&self) -> bool {
        matches!(self, CheckError::Device(Error::Unusable { .. } | Error::NoSuchDevice { .. }))
    }
}

/// The reference's outputs and how far from them is allowed.
struct Truth {
    exact: bool,
    outputs: Outputs,
    bound: Outputs,
}

impl Truth {
    fn of<I>(twin: &Twin<I>, input: &I) -> Truth {
        let exact = (twin.exact)(input);
        let bound = if exact { Vec::new() } else { (twin.bound)(input) };
        Truth { exact, outputs: (twin.reference)(input), bound }
    }

    /// A missing output is NaN, and a missing bound is 0.
    fn judge<I>(&self, twin: &Twin<I>, found: &Outputs) -> Vec<OutputReport> {
        let value = |list: &Outputs, k: usize, none: f64| list.get(k).copied().unwrap_or(none);
        let judged = twin.outputs.iter().enumerate().map(|(k, name)| {
            let (reference, twin) = (value(&self.outputs, k, f64::INFINITY), value(found, k, f64::NAN));
            OutputReport::new(name, reference, twin, value(&self.bound, k, 0.0))
        });
        judged.collect()
    }
}

struct Runner<'t, I> {
    twin: &'t Twin<I>,
    device: Option<Device>,
    program: Option<Program>,
}

impl<'t, I> Runner<'t, I> {
    fn new(twin: &'t Twin<I>, place: Place) -> Result<Self, CheckError> {
        let mut runner = Runner { twin, device: None, program: None };
        if place != Place::Host && twin.kernel.is_none() {
            return Err(CheckError::NoKernel(twin.name.clone()));
        }
        runner.device = place.open()?;
        runner.program = runner.compile(None)?;
        Ok(runner)
    }

    fn subject(&self) -> String {
        self.device.as_ref().map_or("host".into(), |d| format!("{} {}", d.api(), d.description().name))
    }

    fn compile(&self, define: Option<&str>) -> Result<Option<Program>, CheckError> {
        let Some(device) = &self.device else { return Ok(None) };
        let source = self.twin.source(device.api(), define);
        Ok(source.map(|s| device.compile(&s)).transpose()?)
    }

    /// The program with a fault, where there is a device and the fault has a place in its source.
    fn faulty(&self, define: Option<&str>) -> Result<Option<Program>, CheckError> {
        define.map_or(Ok(None), |d| self.compile(Some(d)))
    }

    /// The outputs of the device; none without a program.
    fn run(&self, program: Option<&Program>, input: &I) -> Result<Option<Outputs>, Error> {
        let (Some(device), Some(kernel), Some(program)) = (&self.device, &self.twin.kernel, program) else {
            return Ok(None);
        };
        (kernel.run)(&On { device, program }, input).map(Some)
    }
}
