//! What a machine found out about faults that no case notices: `fixtures/proved.tsv`, a line for each function and reason. It has
//! the function, the fingerprint of its tape, the numbers of the faults in the order of [`enumerate`](vernier_tape::faults::enumerate), and the reason.
//!
//! Proofs take minutes. `vernier conform --faults --prove FILE` makes them; they hold as long as the fingerprint does.

use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;
use vernier_tape::faults::Fault;
use vernier_tape::registry::Function;

const TEXT: &str = include_str!("../../../fixtures/proved.tsv");
const HEADER: &str = "function\tfingerprint\tfaults\treason";

/// A reason for some faults of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The function's name.
    pub function: String,
    /// Of its tape, when this was proved.
    pub fingerprint: String,
    /// The numbers of the faults.
    pub faults: Vec<usize>,
    /// Why they are not noticed.
    pub reason: String,
}

impl Entry {
    fn parse(line: &str) -> Option<Entry> {
        let mut fields = line.split('\t');
        let (function, fingerprint) = (fields.next()?.into(), fields.next()?.into());
        let faults = fields.next()?.split(' ').map(range).collect::<Option<Vec<_>>>()?.concat();
        Some(Entry { function, fingerprint, faults, reason: fields.next()?.into() })
    }

    fn line(&self) -> String {
        format!("{}\t{}\t{}\t{}", self.function, self.fingerprint, ranges(&self.faults), self.reason)
    }
}

/// `12` or `12-15`.
fn range(text: &str) -> Option<Vec<usize>> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    Some((first.parse().ok()?..=last.parse().ok()?).collect())
}

fn ranges(numbers: &[usize]) -> String {
    let runs = numbers.chunk_by(|a, b| a + 1 == *b).map(|run| match run {
        [one] => one.to_string(),
        _ => format!("{}-{}", run[0], run[run.len() - 1]),
    });
    runs.collect::<Vec<_>>().join(" ")
}

/// The entries of a file, which may be empty; or the number, from 1, of the first line that is not what it should be.
pub fn parse(text: &str) -> Result<Vec<Entry>, usize> {
    let mut lines = text.lines().enumerate();
    if lines.next().is_some_and(|(_, line)| line != HEADER) {
        return Err(1);
    }
    lines.map(|(n, line)| Entry::parse(line).ok_or(n + 1)).collect()
}

/// The file of these entries.
pub fn text(entries: &[Entry]) -> String {
    let lines = entries.iter().map(|e| e.line() + "\n");
    std::iter::once(format!("{HEADER}\n")).chain(lines).collect()
}

/// Every entry of the fixture.
pub fn entries() -> &'static [Entry] {
    static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| parse(TEXT).unwrap_or_default());
    &ENTRIES
}

/// A hash of all that a proof depends on: the tape, and the faults by number.
pub fn fingerprint(f: &Function, faults: &[Fault]) -> String {
    let mut hash = Sha256::new();
    let mut add = |part: String| {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    };
    add(format!("{:?} {}", f.params, f.tape));
    f.tape.tables.iter().for_each(|t| add(format!("{t:?}")));
    faults.iter().for_each(|x| add(format!("{x:?}")));
    hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// The reason for each fault of a function, all of which are given, as far as it is known for this tape.
pub fn reasons(f: &Function, faults: &[Fault]) -> Vec<Option<&'static str>> {
    static BY_NAME: LazyLock<HashMap<&str, Vec<&Entry>>> = LazyLock::new(|| {
        let mut by_name: HashMap<&str, Vec<&Entry>> = HashMap::new();
        entries().iter().for_each(|e| by_name.entry(&e.function).or_default().push(e));
        by_name
    });
    BY_NAME.get(f.name().as_str()).map_or_else(|| vec![None; faults.len()], |known| reasons_in(known, f, faults))
}

/// The same from these entries of the function.
pub fn reasons_in<'e>(entries: &[&'e Entry], f: &Function, faults: &[Fault]) -> Vec<Option<&'e str>> {
    let mut reasons = vec![None; faults.len()];
    let fingerprint = fingerprint(f, faults);
    for entry in entries.iter().filter(|e| e.fingerprint == fingerprint) {
        entry.faults.iter().for_each(|&i| {
            if let Some(reason) = reasons.get_mut(i) {
                *reason = Some(entry.reason.as_str());
            }
        });
    }
    reasons
}

/// The entries of a function whose faults, all of which are given, have these reasons.
pub fn of(f: &Function, faults: &[Fault], reasons: &[Option<String>]) -> Vec<Entry> {
    let mut by_reason: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (i, reason) in reasons.iter().enumerate() {
        if let Some(reason) = reason {
            by_reason.entry(reason).or_default().push(i);
        }
    }
    let fingerprint = fingerprint(f, faults);
    let entry = |(reason, faults): (&str, Vec<usize>)| Entry {
        function: f.name(),
        fingerprint: fingerprint.clone(),
        faults,
        reason: reason.into(),
    };
    by_reason.into_iter().map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_lines() {
        let faults = vec![3, 7, 8, 9, 11, 12];
        assert_eq!(ranges(&faults), "3 7-9 11-12");
        let entry =
            Entry { function: "f".into(), fingerprint: "0f".into(), faults, reason: "no result changes".into() };
        assert_eq!(parse(&text(std::slice::from_ref(&entry))), Ok(vec![entry]));
        assert_eq!(parse("header\n"), Err(1));
        assert_eq!(parse(&format!("{HEADER}\nf\t0f\t3 x\treason\n")), Err(2));
        assert_eq!(parse(""), Ok(Vec::new()));
    }
}
