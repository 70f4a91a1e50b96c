//! The results of shards as those of one run.

use super::{Asked, FORMAT, Results, Row};
use crate::error::Error;
use crate::table::Shard;
use vernier_foreign::Number;
use vernier_oracle::Function;

/// Joins the results of all shards of a run, each with the name of its file.
///
/// # Errors
/// If they are not the shards of one run.
pub fn merge(mut parts: Vec<(String, Results)>) -> Result<Results, Error> {
    parts.sort_by_key(|(_, r)| r.shard.map_or(0, |s| s.index));
    let count = parts.len() as u64;
    let Some((_, first)) = parts.first().cloned() else {
        return Err(Error::Usage("expected one file or more".into()));
    };
    for (i, (name, part)) in parts.iter().enumerate() {
        let expected = Some(Shard { index: i as u64 + 1, count });
        let disagree = |reason: String| Err(Error::Disagree { name: name.clone(), reason });
        if part.shard != expected {
            let text = |s: Option<Shard>| s.map_or("a whole run".into(), |s| format!("shard {s}"));
            return disagree(format!("expected {}, found {}", text(expected), text(part.shard)));
        }
        let names = |r: &Results| r.rows.iter().map(Row::key).collect::<Vec<_>>();
        if (&part.subject, &part.plan, names(part)) != (&first.subject, &first.plan, names(&first)) {
            return disagree("expected the same library, plan and functions as in the other files".into());
        }
    }
    let mut rows = Vec::new();
    for (i, row) in first.rows.iter().enumerate() {
        let (Ok(function), Ok(number)) = (row.function.parse::<Function>(), row.ty.parse::<Number>()) else { continue };
        let others: Vec<&Row> = parts.iter().map(|(_, part)| &part.rows[i]).collect();
        let mut tally = row.tally.clone();
        others[1..].iter().for_each(|other| tally.merge(&other.tally));
        let mut notes: Vec<String> = others.iter().flat_map(|r| r.notes.clone()).collect();
        notes.dedup();
        rows.push(Row {
            special: row.special.clone(),
            notes,
            fault: others.iter().find_map(|r| r.fault.clone()),
            ..Row::new(&first.subject, Asked::of(function, number, &row.symbol), row.symbol.clone(), row.how, tally)
        });
    }
    Ok(Results { format: FORMAT.into(), shard: None, rows, ..first })
}
