//! Faults that no case can notice, with the reason for each: `fixtures/survivors.tsv`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

const TABLE: &str = include_str!("../../../fixtures/survivors.tsv");

/// Every entry: function and fault, and the reason.
pub fn entries() -> &'static BTreeMap<(String, String), String> {
    static ENTRIES: LazyLock<BTreeMap<(String, String), String>> = LazyLock::new(|| {
        let line = |line: &str| {
            let mut fields = line.split('\t').map(String::from);
            Some(((fields.next()?, fields.next()?), fields.next()?))
        };
        TABLE.lines().skip(1).filter_map(line).collect()
    });
    &ENTRIES
}

/// The reason why a fault of a function cannot be noticed.
pub fn reason(function: &str, fault: &str) -> Option<&'static str> {
    entries().get(&(function.to_string(), fault.to_string())).map(String::as_str)
}
