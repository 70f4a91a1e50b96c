//! Search for the worst input of a row.

use super::draw::Draw;
use super::metric::Metric;
use super::row::Row;
use super::tally::is_claimed;
use crate::answer;
use crate::case::{Op, Type};
use crate::subject::Subject;
use std::ops::Range;
use std::time::Duration;
use vernier_oracle::Meaning;
use vernier_oracle::generate::counter;
use vernier_oracle::search::{self, Peak, Search};
use vernier_oracle::{self as oracle, ARGS, Pair, Target, Verdict};

/// How long to search.
#[derive(Clone, Debug)]
pub enum Budget {
    /// Some islands of a search of so many cases: the result is a function of seed, number and islands.
    Islands(u64, Range<u64>),
    /// So long.
    Time(Duration),
}

/// Operations on lists are judged by MPFR alone, so their searches evaluate so many times fewer cases.
const LISTS: u64 = 16;

/// Cases that a search of a row evaluates, where others evaluate `cases`.
pub fn evaluations(row: &Row, cases: u64) -> u64 {
    match Meaning::of(row.op) {
        Meaning::Number(meaning) if !oracle::takes_blocks(meaning) => cases.div_ceil(LISTS),
        _ => cases,
    }
}

/// Search `number` of a row in one metric: the worst case that it finds, operands in the order of the oracle.
pub fn run(subject: &dyn Subject, row: &Row, metric: Metric, seed: u64, number: u64, budget: Budget) -> Option<Peak> {
    let Meaning::Number(meaning) = Meaning::of(row.op) else {
        return None;
    };
    let draw = Draw::new(row, seed);
    let key = counter::named_key(seed, &format!("{row}, search {number} in {}", metric.name()));
    let search = Search::new(draw.shape().clone(), key);
    let (ty, target) = (row.ty(number), Target::of(row.ty(number)));
    let measure = move |verdict: &Verdict| metric.read(verdict, &target);
    let blocks = oracle::takes_blocks(meaning);
    if ty.is_emulated() && blocks {
        return emulated(subject, &draw, (ty, row.op, meaning), measure, &search, budget);
    }
    if blocks {
        let n = draw.arity();
        let measure = match metric {
            Metric::Terms => search::u2_of_terms,
            Metric::Ulp => search::ulp,
            _ => search::u2,
        };
        let judge = search::error_of(meaning, target, measure, |args, out| {
            if subject.eval_block(ty, row.op, args, out).is_err() {
                out.fill((f64::NAN, 0.0));
            }
        });
        return with_budget::<ARGS>(&search, budget, |args, values| {
            judge(args, values);
            for (args, value) in args.iter().zip(values) {
                if !is_claimed(row, &args[..n]) {
                    *value = f64::NAN;
                }
            }
        });
    }
    let error = |args: &[Pair]| {
        let values = draw.values(args);
        let result = subject.eval(ty, row.op, &values).ok()?;
        let args = &answer::operands(row.op, &values);
        if let Some(parts) = result.parts() {
            return Some(measure(&answer::emulated::verdict_of_parts(ty, args, parts)?));
        }
        match result.to_pair() {
            Some(r) if is_claimed(row, args) => Some(measure(&oracle::judge(meaning, &target, args, r))),
            _ => None,
        }
    };
    let n = draw.arity();
    with_budget::<8>(&search, budget, |args, values| {
        for (args, value) in args.iter().zip(values) {
            *value = error(&args[..n]).unwrap_or(f64::NAN);
        }
    })
}

/// A search over operands that are cut to what the type holds before they are evaluated and judged.
fn emulated(
    subject: &dyn Subject,
    draw: &Draw,
    (ty, op, meaning): (Type, Op, Op),
    measure: impl Fn(&Verdict) -> f64 + Sync,
    search: &Search,
    budget: Budget,
) -> Option<Peak> {
    const BLOCK: usize = 32;
    let target = Target::of(ty);
    with_budget::<ARGS>(search, budget, |args, values| {
        for (args, values) in args.chunks(BLOCK).zip(values.chunks_mut(BLOCK)) {
            let (mut held, mut results) = ([[(0.0, 0.0); ARGS]; BLOCK], [(0.0, 0.0); BLOCK]);
            let (held, results) = (&mut held[..args.len()], &mut results[..args.len()]);
            held.iter_mut().zip(args).for_each(|(held, args)| *held = draw.held(args));
            values.fill(f64::NAN);
            if subject.eval_block(ty, op, held, results).is_ok() {
                oracle::judge_block(meaning, &target, held, results, |i, verdict| values[i] = measure(&verdict));
            }
        }
    })
}

fn with_budget<const N: usize>(
    search: &Search,
    budget: Budget,
    objective: impl Fn(&[[Pair; N]], &mut [f64]) + Sync,
) -> Option<Peak> {
    match budget {
        Budget::Islands(n, part) => search.part::<N>(n, part, objective),
        Budget::Time(time) => search.run_for::<N>(time, objective),
    }
}
