//! Parts of one run, joined: what is missing, what stands there twice, and what belongs to another run.

use crate::error::Error;
use crate::table::Shard;
use crate::text::escaped;
use std::collections::BTreeMap;

/// The part of a run that a shard did.
pub trait Part: Sized {
    /// Which part; none for a whole run.
    fn shard(&self) -> Option<Shard>;

    /// The first thing in which another part differs so that it is one of another run, and what stands there.
    fn difference(&self, other: &Self) -> Option<(&'static str, String)>;

    /// Adds another part.
    fn add(&mut self, other: Self);

    /// Forgets what was found, and keeps what says which run it is of.
    fn head(self) -> Self;
}

/// Files of one run.
struct Run<P> {
    first: String,
    joined: P,
    count: u64,
    names: BTreeMap<u64, String>,
}

/// Parts that are joined one after the other, each of which is then forgotten.
pub struct Join<P> {
    runs: Vec<Run<P>>,
    faults: Vec<String>,
}

/// A list of shards as options of schedulers have it: `1,4-7`.
pub fn ranges(shards: impl IntoIterator<Item = u64>) -> String {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for i in shards {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == i => *last = i,
            _ => ranges.push((i, i)),
        }
    }
    let text = |(a, b): &(u64, u64)| if a == b { a.to_string() } else { format!("{a}-{b}") };
    ranges.iter().map(text).collect::<Vec<_>>().join(",")
}

impl<P: Part> Default for Join<P> {
    fn default() -> Self {
        Join { runs: Vec::new(), faults: Vec::new() }
    }
}

impl<P: Part> Join<P> {
    /// Adds the part in a file, or why it has none.
    pub fn add(&mut self, name: &str, part: Result<P, Error>) {
        let part = match part {
            Ok(part) => part,
            Err(error) => return self.faults.push(error.to_string()),
        };
        let Some(shard) = part.shard() else {
            let fault = "expected one shard of a run (made with --shard i/n), found a whole run";
            return self.faults.push(format!("{name}: {fault}"));
        };
        let Some(run) = self.runs.iter_mut().find(|run| run.joined.difference(&part).is_none()) else {
            // Where runs differ nothing is joined.
            let joined = if self.runs.is_empty() { part } else { part.head() };
            let names = BTreeMap::from([(shard.index, name.into())]);
            return self.runs.push(Run { first: name.into(), joined, count: shard.count, names });
        };
        match run.names.get(&shard.index) {
            Some(other) => {
                let fault = format!("{name}: expected every shard once, found {shard} here and in {other}");
                self.faults.push(fault);
            }
            None => {
                run.names.insert(shard.index, name.into());
                run.joined.add(part);
            }
        }
    }

    /// The whole run.
    ///
    /// # Errors
    /// Every fault of the files, and the shards that are missing; `again` is the command that runs some of them.
    pub fn finish(self, again: impl FnOnce(&str) -> Option<String>) -> Result<P, Error> {
        let Join { mut runs, mut faults } = self;
        // The run that most files are of is the one that was meant.
        let most = runs.iter().map(|run| run.names.len()).max();
        let Some(meant) = runs.iter().position(|run| Some(run.names.len()) == most) else {
            let none = "expected the result files of all shards, found none";
            return Err(if faults.is_empty() { Error::Usage(none.into()) } else { lines(faults) });
        };
        let meant = runs.remove(meant);
        for other in &runs {
            if let Some((field, found)) = meant.joined.difference(&other.joined) {
                let fault =
                    |name: &String| format!("{name}: expected the same {field} as in {}, found {found}", meant.first);
                faults.extend(other.names.values().map(fault));
            }
        }
        let missing = ranges((1..=meant.count).filter(|i| !meant.names.contains_key(i)));
        if !missing.is_empty() {
            faults.push(format!("expected all shards of the run, missing: {missing} of {}", meant.count));
            faults.extend(again(&missing).map(|command| format!("to run them: {command}")));
        }
        if faults.is_empty() { Ok(meant.joined) } else { Err(lines(faults)) }
    }
}

/// One line of each fault, whatever the files hold.
fn lines(faults: Vec<String>) -> Error {
    Error::Parts(faults.iter().map(|fault| escaped(fault).into_owned()).collect())
}

#[cfg(test)]
mod tests {
    #[test]
    fn neighbours_are_ranges() {
        assert_eq!(super::ranges([1, 3, 4, 5, 9]), "1,3-5,9");
        assert_eq!(super::ranges([]), "");
    }
}
