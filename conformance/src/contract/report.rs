//! What contracts found, as data and as text.

use super::{Claim, Score};
use crate::table::{Build as Program, Shard};
use crate::text::json;
use serde::{Deserialize, Serialize};
use std::fmt;
use vernier_gpu::device::{Api, Build, Unusable};

/// A contract on one function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The contract's name.
    pub contract: String,
    /// The function, or the row of the accuracy table.
    pub function: String,
    /// What is claimed.
    pub claim: Claim,
    /// Cases.
    pub cases: u64,
    /// Cases that differ or are beyond the bound; of a comparison by hashes the blocks of 2^16 that differ.
    pub mismatches: u64,
    /// The first case that differs, as a case line.
    pub first: Option<String>,
    /// What became of its mutants, where they were planted.
    pub mutants: Option<Score>,
    /// Why not all cases were run.
    pub incomplete: Option<String>,
    /// Devices and builds.
    pub builds: Vec<Build>,
    /// What else there is to say.
    pub note: String,
    /// Seconds.
    pub seconds: f64,
}

impl Outcome {
    /// Of nothing yet.
    pub fn new(contract: &str, function: String, claim: Claim) -> Self {
        Outcome {
            contract: contract.into(),
            function,
            claim,
            cases: 0,
            mismatches: 0,
            first: None,
            mutants: None,
            incomplete: None,
            builds: Vec::new(),
            note: String::new(),
            seconds: 0.0,
        }
    }

    /// Whether the claim holds, and the mutation score is not below its floor.
    pub fn holds(&self) -> bool {
        let claim = match self.claim {
            Claim::Identical | Claim::Within => self.mismatches == 0,
            Claim::Different => self.mismatches > 0,
        };
        claim && self.cases > 0 && self.mutants.as_ref().is_none_or(Score::holds)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = match (&self.incomplete, self.holds()) {
            (Some(_), _) => "INCOMPLETE",
            (None, true) => "holds",
            (None, false) => "FAILS",
        };
        let by_hash = matches!(self.claim, Claim::Different | Claim::Identical) && !self.builds.is_empty();
        let unit = if by_hash { "differing blocks" } else { "mismatches" };
        write!(f, "{:24} {:30} {:>10} cases, {} {unit}", self.contract, self.function, self.cases, self.mismatches)?;
        if let Some(score) = &self.mutants {
            write!(f, ", {}", score_text(score))?;
            if let Some(floor) = score.floor.filter(|_| !score.holds()) {
                write!(f, ", below its floor {:.0}%", 100.0 * floor)?;
            }
        }
        if !self.note.is_empty() {
            write!(f, ", {}", self.note)?;
        }
        write!(f, ": {verdict}")?;
        if let Some(why) = &self.incomplete {
            write!(f, ": {why}")?;
        }
        if let Some(first) = self.first.as_ref().filter(|_| self.claim != Claim::Different) {
            write!(f, "\n    {first}")?;
        }
        self.mutants.iter().flat_map(|m| &m.survivors).try_for_each(|mutant| write!(f, "\n    survived: {mutant}"))
    }
}

/// The numbers of a score, in words.
fn score_text(score: &Score) -> String {
    let Score { planted, killed, not_infected, .. } = score;
    let (survived, score) = (score.survived(), 100.0 * score.score());
    format!("{planted} mutants, {killed} killed, {not_infected} not infected, {survived} survived: score {score:.1}%")
}

/// First line of every file: what it is.
pub const FORMAT: &str = "vernier contracts 1";

/// What was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// Only this kind of device.
    pub device: Option<Api>,
    /// Only contracts that need none.
    pub host_only: bool,
    /// Cases of each function.
    pub cases: Option<u64>,
    /// More cases of comparisons with the processor.
    pub full: bool,
    /// Only names with this part.
    pub filter: String,
    /// Mutants were planted.
    pub mutants: bool,
    /// Those that survive are named.
    pub survivors: bool,
    /// The contracts over every hi.
    pub every_hi: bool,
}

/// A run of contracts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// [`FORMAT`].
    pub format: String,
    /// The program.
    pub program: Program,
    /// What was asked for.
    pub asked: Asked,
    /// The generator's seed.
    pub seed: u64,
    /// The part of the functions; none for all.
    pub shard: Option<Shard>,
    /// Kinds of devices that were not used, and why.
    pub absent: Vec<(Api, Unusable)>,
    /// Each contract on each function.
    pub outcomes: Vec<Outcome>,
    /// Why the run ended early: a device was lost.
    pub incomplete: Option<String>,
}

impl Report {
    /// Whether every claim holds.
    pub fn holds(&self) -> bool {
        self.outcomes.iter().all(Outcome::holds)
    }

    /// Why it says nothing, where nothing was compared, or no mutant planted although that was asked for.
    pub fn nothing(&self, mutants: bool) -> Option<String> {
        let absent = self.absent.iter().map(|(api, why)| format!("; not run on {api}: {why}"));
        let reason = |what: &str| Some(what.to_string() + &absent.collect::<String>());
        if self.incomplete.is_some() {
            None
        } else if self.outcomes.is_empty() {
            reason("no contract that can be run here is about such a function, or none of them is in this shard")
        } else if mutants
            && self.holds()
            && self.outcomes.iter().all(|o| o.mutants.as_ref().is_none_or(|m| m.planted == 0))
        {
            reason("none of these functions has a mutant")
        } else {
            None
        }
    }

    /// As JSON, ending with a newline.
    pub fn to_json(&self) -> String {
        json(self)
    }

    /// The last lines of the text: how much was done.
    pub fn summary(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.absent.iter().map(|(api, why)| format!("not run on {api}: {why}")).collect();
        let mut builds: Vec<&Build> = self.outcomes.iter().flat_map(|o| &o.builds).collect();
        builds.sort_by_key(|b| (b.api, &b.device, &b.options));
        builds.dedup();
        lines.extend(builds.iter().map(|b| {
            let options = b.options.join(" ");
            format!("{}: {}, {}, {}, {}; {options}", b.api, b.device, b.architecture, b.driver, b.compiler)
        }));
        let cases: u64 = self.outcomes.iter().map(|o| o.cases).sum();
        let failing = self.outcomes.iter().filter(|o| !o.holds()).count();
        let verdict = match failing {
            _ if self.outcomes.is_empty() => "nothing was run".to_string(),
            0 => "every contract holds".to_string(),
            n => format!("{n} of them do not hold"),
        };
        lines.push(format!("{} contracts on functions, {cases} cases: {verdict}", self.outcomes.len()));
        let mut scores: Vec<&Score> = self.outcomes.iter().filter_map(|o| o.mutants.as_ref()).collect();
        if !scores.is_empty() {
            let mut all = Score::default();
            scores.iter().for_each(|score| all.add(score));
            scores.sort_by(|a, b| a.score().total_cmp(&b.score()));
            let median = 100.0 * scores[scores.len() / 2].score();
            lines.push(format!("{}; median of a function {median:.1}%", score_text(&all)));
        }
        lines
    }
}
