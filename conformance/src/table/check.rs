//! Whether figures that were read from a file can be those of its plan. Each fault names the field and what was expected.

use super::metric::Metric;
use super::results::{BLOCK, Best, Lanes, Plan, RowResult, Search, Shard};
use super::row::Row;
use super::tally::{Answers, Tally, result_target};
use crate::case::parse_line;
use vernier_oracle::Meaning;
use vernier_oracle::{Measure, Summary};

/// Nothing, or a fault.
pub type Check = Result<(), String>;

/// A fault, unless something holds.
pub fn expect(holds: bool, fault: impl FnOnce() -> String) -> Check {
    if holds { Ok(()) } else { Err(fault()) }
}

/// What precedes a fault in a part of a figure.
pub fn within<T>(place: &str, result: Result<T, String>) -> Result<T, String> {
    result.map_err(|fault| format!("{place}.{fault}"))
}

/// A row that is done.
pub fn whole_row(r: &RowResult, plan: &Plan, lanes: &Lanes) -> Check {
    let row = Row::named(&r.row).ok_or("row: not one of this program")?;
    let blocks = plan.sample_count(&row).0.div_ceil(BLOCK);
    row_result(r, &row, plan, lanes, blocks, &vec![plan.searches; row.searched().len()])
}

/// A row of which so many blocks of samples, and so many searches in each metric, are done or another shard's.
pub fn row_result(r: &RowResult, row: &Row, plan: &Plan, lanes: &Lanes, blocks: u64, searches: &[u64]) -> Check {
    let (samples, exhaustive) = plan.sample_count(row);
    expect(r.row == row.to_string(), || format!("row: expected `{row}`, found `{}`", r.row))?;
    expect(r.exhaustive == exhaustive, || format!("exhaustive: expected {exhaustive}, found {}", r.exhaustive))?;
    let most = samples.div_ceil(BLOCK);
    expect(blocks <= most, || format!("blocks: expected at most {most}, found {blocks}"))?;
    let metrics: Vec<&str> = row.searched().iter().map(|m| m.name()).collect();
    let found: Vec<&str> = r.searches.iter().map(|s| s.metric.as_str()).collect();
    expect(found == metrics && searches.len() == metrics.len(), || {
        format!("searches: expected one in each of {metrics:?}, found {found:?}")
    })?;
    let place = Place { row, shard: lanes.samples, samples };
    within("tally", tally(&r.tally, &place, blocks))?;
    let searches = r.searches.iter().zip(searches).zip(row.searched()).zip(&lanes.searches);
    for (((s, &done), &metric), &shard) in searches {
        let name = format!("searches[{}]", s.metric);
        expect(done <= plan.searches, || format!("{name}: expected at most {}, found {done}", plan.searches))?;
        within(&name, search(s, row, metric, shard, done))?;
    }
    Ok(())
}

struct Place<'a> {
    row: &'a Row,
    shard: Shard,
    samples: u64,
}

impl Place<'_> {
    /// Samples of the shard in the first blocks.
    fn cases(&self, blocks: u64) -> u64 {
        let all = self.samples.div_ceil(BLOCK);
        let short = if blocks == all && blocks > 0 && self.shard.has(all - 1) { all * BLOCK - self.samples } else { 0 };
        self.shard.own(blocks) * BLOCK - short
    }

    /// Whether a case is one of the shard's in the first blocks.
    fn index(&self, name: &str, index: u64, blocks: u64) -> Check {
        let fits = index < self.samples && index / BLOCK < blocks && self.shard.has(index / BLOCK);
        expect(fits, || format!("{name}: expected the index of a case of this shard, found {index}"))
    }
}

fn tally(t: &Tally, place: &Place<'_>, blocks: u64) -> Check {
    let cases = place.cases(blocks);
    let number = matches!(Meaning::of(place.row.op), Meaning::Number(_));
    let answers = if number && !place.row.is_compared() { 0 } else { cases };
    let judged = if number || result_target(place.row).is_some() { cases } else { 0 };
    let Answers { cases: n, wrong, first } = t.answers;
    expect(n == answers, || format!("answers.cases: expected {answers} by plan and shard, found {n}"))?;
    expect(wrong <= n, || format!("answers.wrong: expected at most {n}, found {wrong}"))?;
    expect(first.is_some() == (wrong > 0), || {
        "answers.first: expected an index where there are wrong ones only".into()
    })?;
    first.map_or(Ok(()), |i| place.index("answers.first", i, blocks))?;
    let sum = t.claimed.cases.checked_add(t.other.cases);
    expect(sum == Some(judged), || {
        let found = (t.claimed.cases, t.other.cases);
        format!("claimed.cases + other.cases: expected {judged} by plan and shard, found {} + {}", found.0, found.1)
    })?;
    within("claimed", summary(&t.claimed, place, blocks))?;
    within("other", summary(&t.other, place, blocks))
}

fn summary(s: &Summary, place: &Place<'_>, blocks: u64) -> Check {
    let measures = [("u2", &s.u2), ("ulp", &s.ulp), ("u2_of_terms", &s.u2_of_terms), ("ulp_wide", &s.ulp_wide)];
    for (name, m) in measures {
        within(name, measure(m))?;
        m.at.map_or(Ok(()), |i| place.index(&format!("{name}.at"), i, blocks))?;
    }
    let counts = (s.u2.count, s.ulp.count, s.u2_of_terms.count);
    expect(counts.0 == counts.1 && counts.1 == counts.2, || {
        format!("u2, ulp, u2_of_terms: expected equal counts, found {}, {}, {}", counts.0, counts.1, counts.2)
    })?;
    let mut sum = s.u2.count.checked_add(s.ulp_wide.count);
    for (kind, t) in &s.mismatches {
        expect(t.count > 0, || format!("mismatches.{kind:?}: expected 1 or more, found 0"))?;
        place.index(&format!("mismatches.{kind:?}.first"), t.first, blocks)?;
        sum = sum.and_then(|sum| sum.checked_add(t.count));
    }
    expect(sum.is_some_and(|n| n <= s.cases), || {
        format!("cases: expected no more errors than cases, found {}", s.cases)
    })
}

fn measure(m: &Measure) -> Check {
    if m.count == 0 {
        return expect(*m == Measure::default(), || "count: expected no maximum and no sum without cases".into());
    }
    error("max", m.max)?;
    expect(m.at.is_some(), || "at: expected the index of the largest error, found none".into())?;
    expect(m.capped <= m.count && (m.capped > 0) == (m.max > Measure::CAP), || {
        format!("capped: expected the number of errors above {}, found {} of {}", Measure::CAP, m.capped, m.count)
    })?;
    let (mean, most) = (m.mean().unwrap_or(f64::NAN), m.max.min(Measure::CAP));
    // Each error enters the sum rounded to 2^-32.
    let slack = 1e-9 * (1.0 + most);
    expect(mean <= most + slack && mean * m.count as f64 + slack >= most, || {
        format!("sum: expected a mean between max / count and max, found {mean}")
    })
}

/// An error, which is no less than 0 and no NaN.
pub fn error(name: &str, x: f64) -> Check {
    expect(x >= 0.0, || format!("{name}: expected an error of 0 or more, found {x}"))
}

fn search(s: &Search, row: &Row, metric: Metric, shard: Shard, done: u64) -> Check {
    let searches = shard.own(done);
    expect(s.searches == searches, || {
        format!("searches: expected {searches} by plan and shard, found {}", s.searches)
    })?;
    let Some(b) = &s.best else { return Ok(()) };
    expect(b.search < done && shard.has(b.search), || {
        format!("best.search: expected a search of this shard, found {}", b.search)
    })?;
    error("best.value", b.value)?;
    best(b, row, metric)
}

/// Whether the worst case is one of the row, and has the error that is said of it.
fn best(b: &Best, row: &Row, metric: Metric) -> Check {
    let case = parse_line(b.case.as_bytes()).map_err(|e| format!("best.case: {e} in column {}", e.column))?;
    let case = case.filter(|c| c.ty == row.ty(b.search) && c.op == row.op && c.args.len() == row.arg_kinds().len());
    let case = case
        .ok_or_else(|| format!("best.case: expected a case of {} {}, found `{}`", row.ty(b.search), row.op, b.case))?;
    let error = case.results.first().and_then(|&r| metric.of(&case, r)).unwrap_or(f64::NAN);
    // Errors in files are known to 2^-20 ulp, and where larger to as much relative to them.
    expect(error == b.value || (error - b.value).abs() <= 1e-5 * (1.0 + error.abs()), || {
        format!("best.value: expected {error}, the error of best.case, found {}", b.value)
    })
}
