//! Mathematical functions on every sort of hard operands: within the bound, with right special values.
//!
//! `VERNIER_CASES` sets the number of cases of each sort; `vernier tables --full` has more than 10^6.

use rayon::prelude::*;
use vernier_conformance::case::{Level, Op, Type, Width};
use vernier_conformance::subject::{Host, Subject};
use vernier_conformance::table::{Draw, Row, claim};
use vernier_oracle::functions::{self, Definition};
use vernier_oracle::generate::counter::{Words, named_key};
use vernier_oracle::{ARGS, Args, Domain, Format, Target, judge_block};

/// Cases of a sort where nobody asks for more.
const CASES: u64 = 5_000;

/// Functions that take longer than this to judge, in additions, have fewer.
const LONG: u64 = 1024;

/// Draws cases of a function, and judges those that are to be.
fn judged(row: &Row, draw: impl Fn(u64, &mut [(f64, f64)]), cases: u64, name: &str) -> u64 {
    let (ty, claim) = (row.ty(0), claim(row));
    let (target, arity) = (Target::of(ty), row.arg_kinds().len());
    let mut args: Vec<Args> = vec![[(0.0, 0.0); ARGS]; cases as usize];
    let values = Draw::new(row, 1);
    for (args, i) in args.iter_mut().zip(0..) {
        draw(i, &mut args[..arity]);
        *args = values.held(args);
    }
    let mut results = vec![(0.0, 0.0); args.len()];
    Host.eval_block(ty, row.op, &args, &mut results).unwrap();
    let mut numbers = 0;
    judge_block(row.op, &target, &args, &results, |i, verdict| {
        let case = || format!("{row}, {name}: {:?} gives {:?}: {verdict:?}", &args[i][..arity], results[i]);
        assert_eq!(verdict.mismatch, None, "{}", case());
        let bound = if verdict.domain == Domain::Moderate { Some(claim.bound) } else { claim.wide_ulp };
        assert!(verdict.domain == Domain::Special || verdict.ulp <= bound.unwrap(), "{}", case());
        numbers += u64::from(verdict.domain != Domain::Special);
    });
    numbers
}

fn rows() -> Vec<(Row, &'static functions::Row)> {
    let of = |row: Row| match row.op {
        Op::Math(f) => Some((row, functions::row(f))),
        _ => None,
    };
    let number = |row: &functions::Row| matches!(row.definition, Definition::Number { .. });
    Row::all().into_iter().filter_map(of).filter(|(_, row)| number(row)).collect()
}

fn format(row: &Row) -> Format {
    if row.width() == Width::F32 { Format::F32 } else { Format::F64 }
}

#[test]
fn every_sort_is_within_the_bound() {
    let cases = std::env::var("VERNIER_CASES").map_or(CASES, |n| n.parse().expect("VERNIER_CASES is a number"));
    let all = rows().into_iter().flat_map(|(row, of)| of.sorts().enumerate().map(move |(i, sort)| (row, of, i, sort)));
    let all: Vec<_> = all.collect();
    assert!(all.len() > 200, "{}", all.len());
    all.par_iter().for_each(|(row, of, i, sort)| {
        let (f, key) = (format(row), named_key(1, &format!("{row} {sort}")));
        let draw = |index, out: &mut [(f64, f64)]| of.draw(*i, &mut Words::new(key, index), f, out);
        // Fewer where each takes long.
        let cases = cases.div_ceil(1.max(of.cost / LONG));
        // Those that say something: no special values.
        let numbers = judged(row, draw, cases, sort);
        assert!(numbers >= cases / 8, "{row}, {sort}: {numbers} numbers");
    });
}

/// Powers that have other names; the nearest is none of them, where it is no number of few digits.
#[test]
fn powers_of_simple_exponents() {
    for width in [Width::F32, Width::F64] {
        let ty = Type::Pair(width, Level::Mid);
        let of = |row: &&Row| row.op == Op::Math(vernier::function::Math::pow) && row.types().contains(&ty);
        let rows = Row::all();
        let (row, positive) = (rows.iter().find(of).unwrap(), functions::row(vernier::function::Math::log));
        for y in [1.0, 2.0, -1.0, 0.5, -0.5, 3.0] {
            for (i, sort) in positive.sorts().enumerate() {
                let draw = |index, out: &mut [(f64, f64)]| {
                    positive.draw(i, &mut Words::new(width as u64, index), format(row), &mut out[..1]);
                    out[1] = (y, 0.0);
                };
                judged(row, draw, CASES / 4, &format!("{sort}, to the {y}"));
            }
        }
    }
}
