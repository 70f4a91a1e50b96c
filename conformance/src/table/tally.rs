//! Evaluating and judging blocks of cases of a row.

use super::draw::Draw;
use super::emulated;
use super::metric::Metric;
use super::row::Row;
use crate::answer::{self, is_normalized};
use crate::case::{Case, Op, Type, Value};
use crate::subject::{Failure, Subject, number_value};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;
use vernier::custom::Format;
use vernier_oracle::Meaning;
use vernier_oracle::{self as oracle, ARGS, Args, Domain, Pair, Summary, Target, Verdict};

/// What was found in the samples of a row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// Operands that the claim is about: normalised, or special values with lo = 0.
    pub claimed: Summary,
    /// Other operands: overlapping or inverted limbs.
    pub other: Summary,
    /// Results that have one correct value.
    pub answers: Answers,
}

/// Cases with one correct result, and how many have another.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answers {
    /// Number of cases.
    pub cases: u64,
    /// Those with another.
    pub wrong: u64,
    /// The lowest index of them.
    pub first: Option<u64>,
}

impl Answers {
    pub(super) fn add(&mut self, index: u64, same: bool) {
        self.cases += 1;
        if !same {
            self.wrong += 1;
            self.first = Some(self.first.map_or(index, |f| f.min(index)));
        }
    }

    fn merge(&mut self, other: &Answers) {
        self.cases = self.cases.saturating_add(other.cases);
        self.wrong = self.wrong.saturating_add(other.wrong);
        self.first = [self.first, other.first].into_iter().flatten().min();
    }
}

impl Tally {
    /// Adds the cases of another part; associative and commutative.
    pub fn merge(&mut self, other: &Tally) {
        self.claimed.merge(&other.claimed);
        self.other.merge(&other.other);
        self.answers.merge(&other.answers);
    }

    /// All cases.
    pub fn cases(&self) -> u64 {
        self.claimed.cases.saturating_add(self.other.cases).max(self.answers.cases)
    }

    pub(super) fn add(&mut self, row: &Row, index: u64, args: &[Pair], verdict: &Verdict) {
        let part = if is_claimed(row, args) { &mut self.claimed } else { &mut self.other };
        part.add(index, verdict);
    }
}

/// Whether the claim of the row is about these operands: normalised pairs, or special values with lo = 0; of composed
/// operations only those whose intermediate results are in the moderate domain too.
pub fn is_claimed(row: &Row, args: &[Pair]) -> bool {
    let (w, target) = (row.width(), Target::of(row.ty(0)));
    let plain = args.iter().all(|&x| is_normalized(w, x) || (!x.0.is_finite() && x.1 == 0.0));
    match Meaning::of(row.op) {
        Meaning::Number(_) => {}
        // Between mid and high limbs are copied, whatever they are.
        Meaning::Convert if matches!(row.op, Op::ToLevel(_)) => return plain,
        _ => return true,
    }
    let moderate = |x: f64| oracle::measure::in_range(x, &target);
    let all = || args.iter().all(|x| moderate(x.0));
    match row.op {
        Op::Renormalize => args[0].0.abs() >= args[0].1.abs() || args[0].0.is_nan(),
        Op::Sum => plain && all(),
        Op::Mad => plain && all() && moderate(args[0].0 * args[1].0),
        Op::Dot => plain && all() && args.chunks_exact(2).all(|t| moderate(t[0].0 * t[1].0)),
        Op::Cmul => {
            let products = [(0, 2), (1, 3), (0, 3), (1, 2)];
            plain && all() && products.iter().all(|&(i, j)| moderate(args[i].0 * args[j].0))
        }
        Op::Product => {
            let mut product = 1.0;
            plain
                && args.iter().all(|x| {
                    product *= x.0;
                    moderate(x.0) && moderate(product)
                })
        }
        _ => plain,
    }
}

/// Evaluates and judges cases of a row.
pub fn run(subject: &dyn Subject, row: &Row, seed: u64, range: Range<u64>) -> Result<Tally, Failure> {
    let line = row.operation();
    match (Meaning::of(line.op), line.args) {
        (Meaning::Number(meaning), _) if let Type::Custom(f) = row.ty(0) => {
            reduced(subject, row, (f, meaning), seed, range)
        }
        (Meaning::Number(meaning), _) if oracle::takes_blocks(meaning) => numbers(subject, row, meaning, seed, range),
        (Meaning::Number(meaning), _) => lists(subject, row, meaning, seed, range),
        _ => answers(subject, row, seed, range),
    }
}

/// Operations on few numbers, in blocks.
fn numbers(subject: &dyn Subject, row: &Row, meaning: Op, seed: u64, range: Range<u64>) -> Result<Tally, Failure> {
    const BLOCK: u64 = 1024;
    let draw = Draw::new(row, seed);
    let target = Target::of(row.ty(0));
    let mut tally = Tally::default();
    let compared = row.is_compared();
    // Cases of one type at a time.
    let types = row.types().len();
    for first in range.clone().take(types) {
        let indices: Vec<u64> = (first..range.end).step_by(types).collect();
        for indices in indices.chunks(BLOCK as usize) {
            let mut args: Vec<Args> = vec![[(0.0, 0.0); ARGS]; indices.len()];
            for (&index, args) in indices.iter().zip(&mut args) {
                draw.numbers(index, &mut args[..draw.arity()]);
            }
            let mut results = vec![(0.0, 0.0); indices.len()];
            let ty = row.ty(first);
            subject.eval_block(ty, row.op, &args, &mut results)?;
            oracle::judge_block(meaning, &target, &args, &results, |i, verdict| {
                let operands = &args[i][..draw.arity()];
                let correct = compared.then(|| {
                    emulated::is_decided(ty, row.op, results[i], &verdict) || {
                        let values = draw.values(operands);
                        answer::emulated::is_correct(ty, row.op, &values, number_value(ty.own(), results[i]))
                    }
                });
                if let Some(correct) = correct {
                    tally.answers.add(indices[i], correct);
                }
                let verdict = match ty.is_emulated() {
                    true => answer::emulated::final_verdict(ty, meaning, operands, correct, results[i], verdict),
                    false => verdict,
                };
                tally.add(row, indices[i], operands, &verdict);
            });
        }
    }
    Ok(tally)
}

/// Operations on any number of numbers.
fn lists(subject: &dyn Subject, row: &Row, meaning: Op, seed: u64, range: Range<u64>) -> Result<Tally, Failure> {
    let draw = Draw::new(row, seed);
    let target = Target::of(row.ty(0));
    let mut tally = Tally::default();
    for (index, case, result) in evaluated(subject, &draw, range)? {
        let operands = answer::operands(row.op, &case.args);
        let correct = row.is_compared().then(|| answer::emulated::is_correct(case.ty, case.op, &case.args, result));
        if let Some(correct) = correct {
            tally.answers.add(index, correct);
        }
        let of_parts = result.parts().and_then(|p| answer::emulated::verdict_of_parts(case.ty, &operands, p));
        let verdict = of_parts
            .unwrap_or_else(|| oracle::judge(meaning, &target, &operands, result.to_pair().unwrap_or((f64::NAN, 0.0))));
        let verdict = match correct {
            Some(_) => answer::emulated::final_verdict(case.ty, meaning, &operands, correct, (0.0, 0.0), verdict),
            None => verdict,
        };
        tally.add(row, index, &operands, &verdict);
    }
    Ok(tally)
}

/// Operations of reduced formats.
fn reduced(
    subject: &dyn Subject,
    row: &Row,
    (f, meaning): (Format, Op),
    seed: u64,
    range: Range<u64>,
) -> Result<Tally, Failure> {
    const BLOCK: usize = 1024;
    const SPECIAL: Verdict = Verdict { mismatch: None, domain: Domain::Special, u2: 0.0, ulp: 0.0, u2_of_terms: 0.0 };
    let (draw, ty) = (Draw::new(row, seed), Type::Custom(f));
    let judge = answer::custom::Judge::new(f, row.op, meaning);
    let mut tally = Tally::default();
    for first in range.clone().step_by(BLOCK) {
        let indices = first..range.end.min(first + BLOCK as u64);
        let cases: Vec<Vec<Value>> = indices.clone().map(|i| draw.case(i).args).collect();
        let results = subject.eval_all(ty, row.op, &cases)?;
        for ((index, args), result) in indices.zip(&cases).zip(results) {
            let mut x = [(0.0, 0.0); 3];
            let n = args.iter().filter_map(|a| a.to_pair()).zip(&mut x).map(|(a, x)| *x = a).count();
            let r = result.to_pair().map_or(f64::NAN, |r| r.0);
            let drawn = answer::custom::draw(args);
            let verdict = judge.verdict(&x[..n], drawn, r);
            tally.answers.add(index, judge.is_correct(&x[..n], drawn, r, verdict.as_ref()));
            tally.add(row, index, &x[..n], &verdict.unwrap_or(SPECIAL));
        }
    }
    Ok(tally)
}

/// Comparisons and conversions: correct or not, and an error where both sides are numbers.
fn answers(subject: &dyn Subject, row: &Row, seed: u64, range: Range<u64>) -> Result<Tally, Failure> {
    let draw = Draw::new(row, seed);
    let target = result_target(row);
    let mut tally = Tally::default();
    for (index, case, result) in evaluated(subject, &draw, range)? {
        let same = answer::of(case.ty, case.op, &case.args).is_some_and(|a| a.same(result));
        tally.answers.add(index, same);
        if let (Some(target), [arg]) = (&target, &case.args[..])
            && let (Some(x), Some(r)) = (arg.to_pair(), result.to_pair())
        {
            let verdict = oracle::judge(Op::Canonical, target, &[x], r);
            let verdict = match case.ty.is_emulated() {
                true => answer::emulated::final_verdict(case.ty, Op::Canonical, &[x], Some(same), r, verdict),
                false => verdict,
            };
            tally.add(row, index, &[x], &verdict);
        }
    }
    Ok(tally)
}

/// Cases of a row with their results, evaluated together where they are of one type.
fn evaluated(subject: &dyn Subject, draw: &Draw, range: Range<u64>) -> Result<Vec<(u64, Case, Value)>, Failure> {
    let mut all = Vec::new();
    let mut types: BTreeMap<Type, Vec<(u64, Case)>> = BTreeMap::new();
    for index in range {
        let case = draw.case(index);
        types.entry(case.ty).or_default().push((index, case));
    }
    for (ty, cases) in types {
        let op = cases[0].1.op;
        let args: Vec<Vec<Value>> = cases.iter().map(|(_, case)| case.args.clone()).collect();
        let results = subject.eval_all(ty, op, &args)?;
        all.extend(cases.into_iter().zip(results).map(|((index, case), result)| (index, case, result)));
    }
    Ok(all)
}

/// What the error of a conversion is measured against; `None` where its result has none.
pub fn result_target(row: &Row) -> Option<Target> {
    let result = row.operation().result_kind(row.ty(0));
    let of_number = matches!(Meaning::of(row.op), Meaning::Convert)
        && row.arg_kinds().iter().all(|k| Target::of_kind(*k).is_some());
    Target::of_kind(result).filter(|_| of_number && !row.metrics().contains(&Metric::Answers))
}

/// The result of a case, for its line.
pub fn with_result(subject: &dyn Subject, mut case: Case) -> Case {
    if let Ok(result) = subject.eval(case.ty, case.op, &case.args) {
        case.results = vec![Value::canonical(result)];
    }
    case
}
