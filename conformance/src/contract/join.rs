//! Reports of shards, joined.

use super::report::{FORMAT, Report};
use super::{CONTRACTS, instrumented, processor};
use crate::error::Error;
use crate::parts::Part;
use crate::subject::all;
use crate::table::{Row, Shard};
use std::collections::HashMap;
use std::sync::LazyLock;
use vernier_gpu::device::Api;

/// The report in the text of a file.
///
/// # Errors
/// If it is none of this program.
pub fn parse(name: &str, text: &str) -> Result<Report, Error> {
    let broken = |reason: String| Error::Results { name: name.into(), reason };
    let report: Report = serde_json::from_str(text).map_err(|e| {
        let cut = if e.is_eof() { "the file ends too early: " } else { "" };
        broken(format!("{cut}{e}"))
    })?;
    if report.format != FORMAT {
        return Err(broken(format!("format: expected `{FORMAT}`, found `{}`", report.format)));
    }
    match report.shard.filter(|s| s.index < 1 || s.index > s.count) {
        Some(shard) => Err(broken(format!("shard: expected i/n with 1 <= i <= n, found {shard}"))),
        None => Ok(report),
    }
}

/// Contracts in the order in which they are run.
static CONTRACT: LazyLock<Vec<String>> = LazyLock::new(|| {
    let of = |api: Option<Api>| CONTRACTS.iter().filter(move |c| c.api() == api).map(|c| c.name.to_string());
    let on = |api: Api| of(Some(api)).chain(instrumented::contracts(Some(api)));
    of(None).chain(instrumented::contracts(None)).chain(on(Api::OpenCl)).chain(on(Api::Cuda)).collect()
});

/// The places of functions and rows.
static FUNCTION: LazyLock<HashMap<String, usize>> = LazyLock::new(|| {
    let names = all().map(|f| f.name()).chain(Row::all().into_iter().map(|r| r.to_string()));
    names.chain(processor::names()).chain(instrumented::names()).enumerate().map(|(i, name)| (name, i)).collect()
});

impl Part for Report {
    fn shard(&self) -> Option<Shard> {
        self.shard
    }

    fn difference(&self, other: &Report) -> Option<(&'static str, String)> {
        if let Some(field) = self.program.difference(&other.program) {
            return Some(field);
        }
        let count = |r: &Report| r.shard.map_or(1, |s| s.count);
        match (self, other) {
            _ if self.seed != other.seed => Some(("seed", other.seed.to_string())),
            _ if self.asked != other.asked => Some(("options", format!("{:?}", other.asked))),
            _ if count(self) != count(other) => Some(("number of shards", count(other).to_string())),
            _ => None,
        }
    }

    fn add(&mut self, other: Report) {
        self.outcomes.extend(other.outcomes);
        self.incomplete = self.incomplete.take().or(other.incomplete);
        for absent in other.absent {
            if !self.absent.contains(&absent) {
                self.absent.push(absent);
            }
        }
    }

    fn head(self) -> Report {
        Report { outcomes: Vec::new(), ..self }
    }
}

impl Report {
    /// The report of the whole run, of which all parts are here.
    #[must_use]
    pub fn whole(mut self) -> Report {
        let contract = |name: &str| CONTRACT.iter().position(|c| c == name);
        self.outcomes.sort_by_cached_key(|o| (contract(&o.contract), FUNCTION.get(&o.function).copied()));
        Report { shard: None, ..self }
    }
}
