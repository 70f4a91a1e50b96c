//! What a run of the accuracy table is to do, and what it found of each row, as data.

use super::draw;
use super::metric::Metric;
use super::row::Row;
use super::tally::Tally;
use serde::{Deserialize, Serialize};

/// Cases of a unit of sampling.
pub const BLOCK: u64 = 1 << 14;

/// What a run is to do. Runs whose plans are equal give parts of one result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Whose arithmetic.
    pub subject: String,
    /// Where it was evaluated, and for whom, in words; none for the host.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Seed of all cases.
    pub seed: u64,
    /// Samples of each row.
    pub samples: u64,
    /// Searches of each row and metric.
    pub searches: u64,
    /// Cases that a search evaluates.
    pub evaluations: u64,
    /// Seconds for a search in place of a number of evaluations: such a search cannot be repeated.
    pub search_seconds: Option<u64>,
    /// Whether functions that take long to judge get fewer samples and evaluations, by [`Row::cost`].
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_cost: bool,
    /// Rows, in order.
    pub rows: Vec<String>,
    /// Whether the special-value table is part of the run.
    pub special: bool,
}

impl Plan {
    /// Samples of a row, and whether they are all there are.
    pub fn sample_count(&self, row: &Row) -> (u64, bool) {
        match draw::exhaustive(row) {
            Some(all) if all <= self.samples => (all, true),
            _ => (self.share(row, self.samples), false),
        }
    }

    /// Cases that a search of a row evaluates.
    pub fn evaluations(&self, row: &Row) -> u64 {
        self.share(row, self.evaluations)
    }

    fn share(&self, row: &Row, cases: u64) -> u64 {
        if self.by_cost { cases.div_ceil(row.cost()) } else { cases }
    }

    /// The first field in which another plan differs, and what stands there.
    pub fn difference(&self, other: &Plan) -> Option<(&'static str, String)> {
        let text = |x: &dyn std::fmt::Debug| format!("{x:?}");
        macro_rules! compare {
            ($($field:ident: $what:literal),*) => {$(
                if self.$field != other.$field {
                    return Some(($what, text(&other.$field)));
                }
            )*};
        }
        compare!(subject: "subject", place: "device", seed: "seed", samples: "number of samples",
                 searches: "number of searches", evaluations: "evaluations of a search", search_seconds: "search time",
                 by_cost: "number of cases by cost",
                 special: "special-value table");
        let differs = |(i, row): &(usize, &String)| self.rows.get(*i) != Some(*row);
        let first = other.rows.iter().enumerate().find(differs).map_or("fewer".into(), |(_, row)| format!("`{row}`"));
        (self.rows != other.rows).then(|| ("rows", format!("{first} among {} rows", other.rows.len())))
    }
}

/// Part `index` of `count`, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shard {
    /// Which part.
    pub index: u64,
    /// Of how many.
    pub count: u64,
}

impl Shard {
    /// The whole.
    pub const WHOLE: Shard = Shard { index: 1, count: 1 };

    /// Of so many units of work those that belong to this part.
    pub const fn own(self, units: u64) -> u64 {
        units.saturating_sub(self.index - 1).div_ceil(self.count)
    }

    /// Whether unit `i` of work belongs to this part.
    pub const fn has(self, i: u64) -> bool {
        i % self.count == self.index - 1
    }
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let expected = || format!("expected i/n with 1 <= i <= n, as in 2/8, found `{text}`");
        let (index, count) = text.split_once('/').ok_or_else(expected)?;
        let shard =
            Shard { index: index.parse().map_err(|_| expected())?, count: count.parse().map_err(|_| expected())? };
        if shard.index >= 1 && shard.index <= shard.count { Ok(shard) } else { Err(expected()) }
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

/// The parts of a row's work that belong to a shard, each as the shard of a plain deal that has the same units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lanes {
    /// Its samples.
    pub samples: Shard,
    /// Its searches, by metric.
    pub searches: Vec<Shard>,
}

/// The program that made a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Build {
    /// Version of this program.
    pub version: String,
    /// Compiler.
    pub rustc: String,
    /// Platform.
    pub target: String,
    /// Flags that it was compiled with.
    pub flags: String,
    /// Version of MPFR.
    pub mpfr: String,
}

impl Build {
    /// In what another program differs, and what stands there.
    pub fn difference(&self, other: &Build) -> Option<(&'static str, String)> {
        if self.version != other.version {
            return Some(("version of this program", other.version.clone()));
        }
        (self != other).then(|| ("build of this program", format!("{other:?}")))
    }

    /// This program.
    pub fn this() -> Build {
        use gmp_mpfr_sys::mpfr;
        Build {
            version: env!("CARGO_PKG_VERSION").into(),
            rustc: env!("VERNIER_RUSTC").into(),
            target: env!("VERNIER_TARGET").into(),
            flags: env!("VERNIER_FLAGS").trim().into(),
            mpfr: format!("{}.{}.{}", mpfr::VERSION_MAJOR, mpfr::VERSION_MINOR, mpfr::VERSION_PATCHLEVEL),
        }
    }
}

/// The worst case that a search found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Best {
    /// Its error.
    #[serde(with = "crate::text::number")]
    pub value: f64,
    /// Its line.
    pub case: String,
    /// The search that found it.
    pub search: u64,
}

/// The searches in one metric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Search {
    /// What was maximised.
    pub metric: String,
    /// Searches done.
    pub searches: u64,
    /// The worst case.
    pub best: Option<Best>,
}

impl Search {
    /// Adds searches; of equal errors the one of the first search counts.
    pub fn add(&mut self, searches: u64, best: Option<Best>) {
        self.searches = self.searches.saturating_add(searches);
        self.best = match (self.best.take(), best) {
            (Some(a), Some(b)) if b.value > a.value || (b.value == a.value && b.search < a.search) => Some(b),
            (a, b) => a.or(b),
        };
    }
}

/// What was found about a row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowResult {
    /// The row.
    pub row: String,
    /// Whether the samples are all the operands there are.
    pub exhaustive: bool,
    /// The samples.
    pub tally: Tally,
    /// The searches, in the order of the row's metrics.
    pub searches: Vec<Search>,
}

impl RowResult {
    /// Nothing found yet.
    pub fn empty(row: &Row, exhaustive: bool) -> RowResult {
        let search = |m: &Metric| Search { metric: m.name().into(), searches: 0, best: None };
        RowResult {
            row: row.to_string(),
            exhaustive,
            tally: Tally::default(),
            searches: row.searched().iter().map(search).collect(),
        }
    }

    /// The row of this name.
    pub fn row(&self) -> Option<Row> {
        Row::named(&self.row)
    }

    /// Adds another part.
    pub fn merge(&mut self, other: RowResult) {
        self.tally.merge(&other.tally);
        for (mine, theirs) in self.searches.iter_mut().zip(other.searches) {
            mine.add(theirs.searches, theirs.best);
        }
    }
}
