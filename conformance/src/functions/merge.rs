//! The results of shards as those of one run.

use super::{Asked, Results, Row, Subject};
use crate::parts::Part;
use crate::table::Shard;
use vernier_foreign::Number;
use vernier_oracle::Function;

impl Part for Results {
    fn shard(&self) -> Option<Shard> {
        self.shard
    }

    fn difference(&self, other: &Results) -> Option<(&'static str, String)> {
        let count = |r: &Results| r.shard.map_or(1, |s| s.count);
        let names = |r: &Results| r.rows.iter().map(Row::key).collect::<Vec<_>>();
        self.build.difference(&other.build).or_else(|| match (self, other) {
            _ if self.subject != other.subject => Some(("library", other.subject.to_string())),
            _ if self.plan.seed != other.plan.seed => Some(("seed", other.plan.seed.to_string())),
            _ if self.plan != other.plan => Some(("plan", format!("{:?}", other.plan))),
            _ if names(self) != names(other) => Some(("functions", names(other).join(", "))),
            _ if count(self) != count(other) => Some(("number of shards", count(other).to_string())),
            _ => None,
        })
    }

    fn add(&mut self, other: Results) {
        let Results { subject, rows, .. } = self;
        rows.iter_mut().zip(other.rows).for_each(|(mine, theirs)| mine.add(theirs, subject));
    }

    fn head(self) -> Results {
        self
    }
}

impl Row {
    /// With what another shard counted.
    fn add(&mut self, other: Row, subject: &Subject) {
        let (Ok(function), Ok(number)) = (self.function.parse::<Function>(), self.ty.parse::<Number>()) else { return };
        self.tally.merge(&other.tally);
        let new = other.notes.into_iter().filter(|note| !self.notes.contains(note)).collect::<Vec<_>>();
        self.notes.extend(new);
        // One shard looks at them.
        if self.special.is_empty() {
            self.special = other.special;
        }
        let asked = Asked::of(function, number, &self.symbol);
        let row = Row::new(subject, asked, self.symbol.clone(), self.how, self.tally.clone());
        // What the tally does not have: low words, and bounds on parts of the domain, which one shard has asked for.
        let result = if row.input == self.input { std::mem::take(&mut self.result) } else { other.result };
        *self = Row {
            result,
            documented: row.documented.clone().or(self.documented.take()).or(other.documented),
            special: std::mem::take(&mut self.special),
            notes: std::mem::take(&mut self.notes),
            fault: self.fault.take().or(other.fault),
            ..row
        };
    }
}
