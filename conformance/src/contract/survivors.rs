//! Faults that no case can notice, with the reason for each class of them: `fixtures/survivors.tsv`. A class is a pattern of
//! functions and one of faults as [`Fault::describe`] has them; `*` stands for anything.
//!
//! [`Fault::describe`]: vernier_tape::faults::Fault::describe

use std::sync::LazyLock;

const TABLE: &str = include_str!("../../../fixtures/survivors.tsv");

/// A class of faults that cannot be noticed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Pattern of the function's name.
    pub function: String,
    /// Pattern of the fault.
    pub fault: String,
    /// Why it cannot be noticed.
    pub reason: String,
}

impl Entry {
    /// Whether it speaks of a fault of a function.
    pub fn covers(&self, function: &str, fault: &str) -> bool {
        matches(&self.function, function) && matches(&self.fault, fault)
    }
}

/// Every entry.
pub fn entries() -> &'static [Entry] {
    static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
        let entry = |line: &str| {
            let mut fields = line.split('\t').map(String::from);
            Some(Entry { function: fields.next()?, fault: fields.next()?, reason: fields.next()? })
        };
        TABLE.lines().skip(1).filter_map(entry).collect()
    });
    &ENTRIES
}

/// The reason why a fault of a function cannot be noticed.
pub fn reason(function: &str, fault: &str) -> Option<&'static str> {
    entries().iter().find(|e| e.covers(function, fault)).map(|e| e.reason.as_str())
}

/// Whether `pattern`, in which `*` stands for anything, is all of `text`.
fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((start, rest)) => text.strip_prefix(start).is_some_and(|text| {
            text.char_indices().map(|(i, _)| i).chain([text.len()]).any(|i| matches(rest, &text[i..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns() {
        assert!(matches("fp32mp2_high_add", "fp32mp2_high_add") && !matches("fp32mp2_high_add", "fp32mp2_high_addx"));
        assert!(matches("*_high_*", "fp64mp2_high_mul") && !matches("*_high_*", "fp64mp2_low_mul"));
        assert!(matches("*: rounded *", "rare: mul(x0, 0.25): rounded up") && matches("*", ""));
        assert!(!matches("*up", "rounded upwards") && matches("a*b*c", "abbc") && !matches("a*b*c", "ac"));
    }
}
