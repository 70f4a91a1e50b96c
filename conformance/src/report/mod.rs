//! The results of the accuracy table with digits, counts and speed beside them: one document, the files it is kept in, and what
//! changed since an earlier one.

mod check;
mod merge;

pub use merge::{merge, parse, read};

use crate::error::Error;
use crate::subject::{self, Subject};
use crate::table::{self, Build, Costs, Deal, Done, Line, Plan, RowResult, Run, Shard, SpecialRow, Verdict};
use crate::{speed, text};
use serde::{Deserialize, Serialize};

/// One thing that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// The row.
    pub what: String,
    /// The figure, before and after.
    pub change: String,
    /// Whether it is a regression.
    pub worse: bool,
}

/// What changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Comparison {
    /// The file of the earlier results.
    pub old: String,
    /// The changes.
    pub changes: Vec<Change>,
}

impl Comparison {
    /// Whether something became worse.
    pub fn worse(&self) -> bool {
        self.changes.iter().any(|c| c.worse)
    }

    /// As text, what became worse last and marked.
    pub fn lines(&self) -> Vec<String> {
        let part = |worse: bool, mark: &'static str| {
            let changes = self.changes.iter().filter(move |c| c.worse == worse);
            changes.map(move |c| format!("{mark}{}: {}", c.what, c.change))
        };
        let mut lines = vec![format!("changes since {}: {}", self.old, self.changes.len())];
        lines.extend(part(false, "  "));
        lines.extend(part(true, "  worse: "));
        lines.push(if self.worse() { "worse than before" } else { "not worse than before" }.into());
        lines
    }
}

/// First line of every file: what it is.
pub const FORMAT: &str = "vernier results 1";

/// A result file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Results {
    /// [`FORMAT`].
    pub format: String,
    /// The program.
    pub build: Build,
    /// What was to be done.
    pub plan: Plan,
    /// Which part of it this is; none for the whole.
    pub shard: Option<Shard>,
    /// How the work was dealt to the shards.
    #[serde(default, skip_serializing_if = "Deal::is_empty")]
    pub deal: Deal,
    /// The rows, in the order of the plan.
    pub rows: Vec<RowResult>,
    /// The special-value table, which the first shard has.
    pub special: Vec<SpecialRow>,
    /// The rows as the table shows them; follows from the rest, so that the file of a shard does without.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub table: Vec<Line>,
    /// What the rows cost; of a whole run in a file beside.
    #[serde(default, skip_serializing_if = "Costs::is_empty")]
    pub costs: Costs,
    /// Digits and speed, where they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<speed::Results>,
    /// What changed since earlier results, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison>,
}

impl Results {
    /// Results with their table.
    pub fn new(plan: Plan, shard: Option<Shard>, rows: Vec<RowResult>, special: Vec<SpecialRow>) -> Results {
        let subject = subject::named(&plan.subject, plan.place.is_some()).unwrap_or(&subject::Host);
        Results::of(subject, plan, shard, rows, special)
    }

    /// Results of a subject, with their table.
    pub fn of(
        subject: &dyn Subject,
        plan: Plan,
        shard: Option<Shard>,
        rows: Vec<RowResult>,
        special: Vec<SpecialRow>,
    ) -> Results {
        let place = plan.place.clone().unwrap_or_default();
        let line = |r: &RowResult| Some(Line { place: place.clone(), ..Line::new(r, subject, plan.seed)? });
        let table = rows.iter().filter_map(line).collect();
        Results {
            format: FORMAT.into(),
            build: Build::this(),
            plan,
            shard,
            deal: Deal::default(),
            rows,
            special,
            table,
            costs: Costs::default(),
            speed: None,
            comparison: None,
        }
    }

    /// Those of a run whose shards are all joined.
    pub(crate) fn whole(self) -> Results {
        let Results { plan, rows, special, speed, costs, .. } = self;
        Results { speed, costs, ..Results::new(plan, None, rows, special) }
    }

    /// What the result file holds: of a shard counts and worst cases only, of a whole run nothing that another run of the same plan has
    /// otherwise.
    pub fn for_file(&self) -> Results {
        let file = Results { speed: None, comparison: None, ..self.clone() };
        match self.shard {
            Some(_) => Results { table: Vec::new(), ..file },
            None => Results { costs: Costs::default(), ..file },
        }
    }

    /// Whether every claim holds.
    pub fn hold(&self) -> bool {
        self.table.iter().all(|l| l.verdict != Verdict::Fails)
            && self.special.iter().all(SpecialRow::holds)
            && self.speed.iter().all(speed::Results::hold)
    }

    /// Whether a claim was looked at: a shard of more parts than there is work has none.
    pub fn checked(&self) -> bool {
        self.table.iter().any(|l| l.cases > 0 || l.searched.is_some() || l.relative.is_some())
            || !self.special.is_empty()
    }

    /// Whether every claim holds.
    ///
    /// # Errors
    /// If none was looked at.
    pub fn verdict(&self) -> Result<bool, Error> {
        let none = "this shard has no sample and no search: expected fewer shards or more samples";
        if self.checked() { Ok(self.hold()) } else { Err(Error::Nothing(none.into())) }
    }

    /// As JSON on one line.
    pub fn to_line(&self) -> String {
        text::json_line(self)
    }

    /// As JSON, ending with a newline.
    pub fn to_json(&self) -> String {
        text::json(self)
    }
}

/// Carries out a run of the accuracy table.
///
/// # Errors
/// As [`table::run`].
pub fn run(run: &Run<'_>) -> Result<Results, Error> {
    let Done { rows, special, deal, costs } = table::run(run)?;
    let shard = (run.shard != Shard::WHOLE).then_some(run.shard);
    Ok(Results { deal, costs, ..Results::of(run.subject, run.plan.clone(), shard, rows, special) })
}
