//! Whether results that were read from a file can be those of their plan. Each fault names the field and what was expected.

use super::Results;
use crate::case::parse_line;
use crate::subject;
use crate::table::check::{Check, error, expect, whole_row, within};
use crate::table::{
    Line, Plan, Row, Shard, SpecialRow, Worst, listed_types, special_is_claimed, special_level, special_operations,
};

/// What a file holds: rows of its plan, with the counts that plan and shard imply.
pub fn results(r: &Results) -> Check {
    within("plan", plan(&r.plan))?;
    let shard = r.shard.unwrap_or(Shard::WHOLE);
    expect((1..=shard.count).contains(&shard.index), || {
        format!("shard: expected i/n with 1 <= i <= n, found {shard}")
    })?;
    let names: Vec<&String> = r.rows.iter().map(|r| &r.row).collect();
    expect(names == r.plan.rows.iter().collect::<Vec<_>>(), || {
        format!("rows: expected the {} rows of its plan, found {}", r.plan.rows.len(), names.len())
    })?;
    // The plan's rows are known.
    let rows: Vec<Row> = r.plan.rows.iter().filter_map(|name| Row::named(name)).collect();
    r.deal.check(&rows)?;
    for (i, (result, row)) in r.rows.iter().zip(&rows).enumerate() {
        let lanes = r.deal.lanes(i, row, shard);
        within(&format!("row `{}`", result.row), whole_row(result, &r.plan, &lanes))?;
    }
    special_rows(r)?;
    // The file of a shard does without.
    if r.shard.is_some() && r.table.is_empty() { Ok(()) } else { table(r) }
}

/// A plan that this program can have made.
pub fn plan(p: &Plan) -> Check {
    expect(subject::named(&p.subject, p.place.is_some()).is_some(), || {
        format!("subject: expected one of this program, found `{}`", p.subject)
    })?;
    let counts = [("samples", p.samples), ("searches", p.searches)];
    let counts = counts.into_iter().chain(p.search_seconds.is_none().then_some(("evaluations", p.evaluations)));
    for (name, n) in counts {
        expect((1..=1 << 48).contains(&n), || format!("{name}: expected 1 to 2^48, found {n}"))?;
    }
    let mut seen = std::collections::BTreeSet::new();
    for name in &p.rows {
        expect(Row::named(name).is_some(), || format!("rows: `{name}` is not one of this program"))?;
        expect(seen.insert(name), || format!("rows: expected each row once, found `{name}` again"))?;
    }
    expect(!p.rows.is_empty(), || "rows: expected one or more, found none".into())
}

fn special_rows(r: &Results) -> Check {
    let key = |s: &SpecialRow| format!("{}.{} {}", s.ty, s.level, s.op);
    let subject = subject::named(&r.plan.subject, r.plan.place.is_some());
    let has = r.plan.special && r.shard.is_none_or(|s| s.index == 1);
    let types = listed_types().filter(|_| has);
    let expected = types.flat_map(|ty| special_operations(ty).map(move |line| (ty, line)));
    let expected = expected.filter(|(ty, line)| subject.is_some_and(|s| s.supports(*ty, line.op)));
    let mut found = r.special.iter();
    for (ty, line) in expected {
        let name = format!("{}.{} {}", ty.name(), special_level(ty), line.op);
        let s = found.next().filter(|s| key(s) == name);
        let s = s.ok_or_else(|| format!("special: expected a row for {name} in its place"))?;
        let fault = |what: &str| format!("special `{name}`: expected {what}");
        expect(s.cases > 0 && s.mismatches <= s.cases, || {
            fault("no more mismatches than cases, and one case or more")
        })?;
        expect(s.first.is_some() == (s.mismatches > 0), || fault("a first mismatch where there are mismatches only"))?;
        let claimed = special_is_claimed(ty, &line);
        expect(s.claimed == claimed, || fault(&format!("claimed {claimed}")))?;
    }
    found.next().map_or(Ok(()), |s| Err(format!("special: `{}` is not one of its plan", key(s))))
}

/// Whether the lines of the table are those of the rows, with errors that are errors.
fn table(r: &Results) -> Check {
    let (rows, lines) = (r.rows.len(), r.table.len());
    expect(rows == lines, || format!("table: expected a line for each of {rows} rows, found {lines}"))?;
    for (name, l) in r.plan.rows.iter().zip(&r.table) {
        expect(*name == l.key(), || format!("table: expected the line of `{name}`, found `{}`", l.key()))?;
        within(&format!("table `{name}`"), line(l))?;
    }
    Ok(())
}

fn line(l: &Line) -> Check {
    let worst = |name: &str, w: &Option<Worst>| {
        let Some(w) = w else { return Ok(()) };
        error(&format!("{name}.error"), w.error)?;
        let case = parse_line(w.case.as_bytes()).map_err(|e| format!("{name}.case: {e} in column {}", e.column))?;
        expect(case.is_some(), || format!("{name}.case: expected a case line, found `{}`", w.case))
    };
    worst("sampled", &l.sampled)?;
    worst("searched", &l.searched)?;
    worst("relative", &l.relative)?;
    worst("other", &l.other)?;
    for (name, x) in [("mean", l.mean), ("ulp", l.ulp), ("ulp_wide", l.ulp_wide)] {
        x.map_or(Ok(()), |x| error(name, x))?;
    }
    error("bound", l.bound)?;
    expect((0.0..=1.0).contains(&l.mismatch_rate_bound), || {
        format!("mismatch_rate_bound: expected 0 to 1, found {}", l.mismatch_rate_bound)
    })?;
    expect(l.mismatch_case.is_some() == (l.mismatches > 0), || {
        "mismatch_case: expected one where there are mismatches only".into()
    })
}
