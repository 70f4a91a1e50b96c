//! What is done so far of a run of contracts, in a file from which it goes on: a report of the outcomes so far.

use super::report::{Outcome, Report};
use crate::error::Error;
use crate::parts::Part;
use crate::{file, hold, text};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The checkpoint of a run.
#[derive(Debug)]
pub struct Progress {
    path: PathBuf,
    every: Duration,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    report: Report,
    saved: Instant,
}

impl Progress {
    /// The checkpoint in a file, whose report has no outcomes where it is new. One of another run is refused.
    pub(super) fn open(path: &Path, every: Duration, empty: Report) -> Result<Arc<Progress>, Error> {
        let name = text::path(path);
        let report = match path.exists() {
            false => empty,
            true => {
                let broken = |reason: String| Error::Checkpoint { name: name.clone(), reason };
                let report: Report =
                    serde_json::from_str(&file::read_regular(path)?).map_err(|e| broken(e.to_string()))?;
                let shard = || (report.shard != empty.shard).then(|| ("shard", format!("{:?}", report.shard)));
                if let Some((field, found)) = empty.difference(&report).or_else(shard) {
                    let reason = format!(
                        "this is the checkpoint of another run: expected the same {field}, found {found}; remove it to start anew"
                    );
                    return Err(Error::Disagree { name, reason });
                }
                report
            }
        };
        let state = Mutex::new(State { report, saved: Instant::now() });
        let progress = Arc::new(Progress { path: path.into(), every, state });
        progress.save()?;
        let saved = progress.clone();
        hold::save_with(move || saved.save());
        Ok(progress)
    }

    /// The outcome of a contract on a function, where that is done.
    pub(super) fn finished(&self, contract: &str, function: &str) -> Option<Outcome> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.report.outcomes.iter().find(|o| o.contract == contract && o.function == function).cloned()
    }

    /// Takes note of an outcome; one that is incomplete is to be had again.
    pub(super) fn note(&self, outcome: &Outcome) -> Result<(), Error> {
        if outcome.incomplete.is_some() {
            return Ok(());
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.report.outcomes.push(outcome.clone());
        if state.saved.elapsed() < self.every {
            return Ok(());
        }
        state.saved = Instant::now();
        file::write(&self.path, &state.report.to_json())
    }

    fn save(&self) -> Result<(), Error> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        file::write(&self.path, &state.report.to_json())
    }
}
