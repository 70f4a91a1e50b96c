//! `vernier eval`: case lines with their results.

use super::out::{Out, complain};
use super::{Place, SubjectName};
use crate::answer::{self, Judgement};
use crate::case::{Case, Line, Op, Source, Type, Value, read_lines, read_raw_lines};
use crate::error::Error;
use crate::subject::{Failure, Subject};
use crate::testfloat::{self, Function, Rounding};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::IsTerminal;

/// Evaluate case lines and print them with their results.
///
/// A line is `TYPE[.LEVEL][.MODE] OP ARG... [= RESULT...]`, for example `fp32mp2.mid mul 3f800001:00000000 40000000:33000000`.
/// Lines that are none are reported, with their place, and the others evaluated; the exit status is then 2. So it is where a file gave
/// --check or --testfloat nothing to check.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Files of case lines; `-`, or none, is standard input.
    files: Vec<String>,
    /// Compare with the results that are given; print the lines that differ.
    #[arg(long)]
    check: bool,
    /// Add the exact value and the error, in ulp and in u^2. Of reduced formats the exact value of the operands as they are taken into
    /// the format, and the error where that is in the format's range.
    #[arg(long)]
    exact: bool,
    /// Where to evaluate: host, opencl or cuda, and the device's number.
    #[arg(long, value_name = "PLACE", default_value_t)]
    device: Place,
    /// Whose arithmetic to evaluate.
    #[arg(long, value_enum, default_value_t)]
    subject: SubjectName,
    /// Lines are those of Berkeley TestFloat for this function, as f64_mulAdd: operands, and a result and flags if any. Packed
    /// emulated doubles at high evaluate them. Prints the lines that differ, and lines without a result with it.
    #[arg(long, value_name = "FUNCTION", value_parser = Function::named, conflicts_with_all = ["check", "exact"])]
    testfloat: Option<Function>,
    /// Rounding mode of the lines.
    #[arg(long, value_enum, default_value_t, requires = "testfloat")]
    rounding: Rounding,
}

/// Significant digits of exact values: enough for any pair of doubles.
const DIGITS: usize = 40;

#[derive(Default)]
struct Counts {
    cases: usize,
    checked: usize,
    differ: usize,
    bad: usize,
    /// Sources in which there was nothing to check.
    nothing: Vec<String>,
}

impl Counts {
    /// Whether every result that was checked is correct, and there was one in every source.
    fn verdict(self) -> Result<bool, Error> {
        match (self.bad, &self.nothing[..]) {
            (0, []) => Ok(self.differ == 0),
            (0, names) => Err(Error::Nothing(format!("expected lines with results in {}", names.join(", ")))),
            (bad, _) => Err(Error::Lines(bad)),
        }
    }
}

/// One case as `--json` prints it.
#[derive(Serialize)]
struct Report {
    case: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    differs: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    got: Option<String>,
    /// The file and the line of a result that differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exact: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", with = "crate::text::number::option")]
    ulp: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none", with = "crate::text::number::option")]
    u2: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none", with = "crate::text::number::option")]
    u2_of_terms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mismatch: Option<vernier_oracle::Mismatch>,
}

/// Runs the command; whether every result that was checked is correct.
pub fn run(args: &Args, json: bool) -> Result<bool, Error> {
    args.subject.at(args.device, |subject| with(args, json, subject))
}

fn with(args: &Args, json: bool, subject: &dyn Subject) -> Result<bool, Error> {
    let mut out = Out::new();
    let mut counts = Counts::default();
    let sources =
        if args.files.is_empty() { vec![Source::Stdin] } else { args.files.iter().map(|f| Source::named(f)).collect() };
    if let Some(function) = args.testfloat {
        for source in &sources {
            let before = counts.cases + counts.bad;
            testfloat_lines(function, args, json, subject, source, &mut counts, &mut out)?;
            if counts.cases + counts.bad == before {
                counts.nothing.push(source.name());
            }
        }
        if !json && counts.checked > 0 {
            out.line(format_args!("{} lines checked, {} differ", counts.checked, counts.differ))?;
        }
        out.finish()?;
        return counts.verdict();
    }
    for source in &sources {
        let before = counts.checked;
        let (mut batch, mut values) = (Vec::new(), 0);
        let most = batch_size(source);
        read_lines(source, |line| {
            values += line.case.as_ref().map_or(1, |case| case.args.len());
            batch.push(line);
            if values < most {
                return Ok(());
            }
            values = 0;
            evaluate(args, json, subject, source, std::mem::take(&mut batch), &mut counts, &mut out)
        })?;
        evaluate(args, json, subject, source, batch, &mut counts, &mut out)?;
        if args.check && counts.checked == before {
            counts.nothing.push(source.name());
        }
    }
    if args.check && !json {
        let unchecked = match counts.cases - counts.checked {
            0 => String::new(),
            n => format!(", {n} without a result to check"),
        };
        out.line(format_args!("{} cases checked, {} differ{unchecked}", counts.checked, counts.differ))?;
    }
    out.finish()?;
    counts.verdict()
}

/// Lines of TestFloat: compared, or with their results.
fn testfloat_lines(
    function: Function,
    args: &Args,
    json: bool,
    subject: &dyn Subject,
    source: &Source,
    counts: &mut Counts,
    out: &mut Out,
) -> Result<(), Error> {
    let (ty, op) = function.operation(args.rounding);
    let mut lines = Vec::new();
    read_raw_lines(source, testfloat::LONGEST, None, |number, line| {
        match line.and_then(|line| function.parse(line)) {
            Ok(Some(line)) => lines.push((number, line)),
            Ok(None) => {}
            Err(expected) => {
                complain(&Error::Line { name: source.name(), line: number, expected });
                counts.bad += 1;
            }
        }
        Ok(())
    })?;
    let operands: Vec<Vec<Value>> = lines.iter().map(|(_, line)| line.args.clone()).collect();
    for ((number, line), got) in lines.into_iter().zip(subject.eval_all(ty, op, &operands)?) {
        let got = got.canonical();
        counts.cases += 1;
        let accepted = line.result.map(|given| function.accepts(args.rounding, &line.args, given, got));
        counts.checked += usize::from(accepted.is_some());
        counts.differ += usize::from(accepted == Some(false));
        let text = match (accepted, line.result) {
            (Some(true), _) => continue,
            (Some(false), Some(given)) if !json => {
                let got = function.print(&[], got);
                format!("{}:{number}: {}, got {got}", source.name(), function.print(&line.args, given))
            }
            (_, given) if json => {
                let case = Case { ty, op, args: line.args, results: vec![given.unwrap_or(got)] };
                let report = report(args, &case, got, accepted.map(|same| !same));
                serde_json::to_string(&report).map_err(|e| Error::write("standard output", e.into()))?
            }
            _ => function.print(&line.args, got),
        };
        out.line(text)?;
    }
    Ok(())
}

/// Arguments of lines that are evaluated together: those of one operation in one go. A terminal gets an answer to each line.
fn batch_size(source: &Source) -> usize {
    if *source == Source::Stdin && std::io::stdin().is_terminal() { 1 } else { 1 << 21 }
}

/// Lines with their results, in their order.
fn evaluate(
    args: &Args,
    json: bool,
    subject: &dyn Subject,
    source: &Source,
    batch: Vec<Line>,
    counts: &mut Counts,
    out: &mut Out,
) -> Result<(), Error> {
    let mut operations: BTreeMap<(Type, Op), Vec<usize>> = BTreeMap::new();
    for (i, line) in batch.iter().enumerate() {
        if let Ok(case) = &line.case {
            operations.entry((case.ty, case.op)).or_default().push(i);
        }
    }
    subject.prepare(&operations.keys().copied().collect::<Vec<_>>())?;
    let mut results: Vec<Option<Result<Value, Failure>>> = batch.iter().map(|_| None).collect();
    for ((ty, op), lines) in operations {
        let operands = |&i: &usize| batch[i].case.as_ref().map(|case| case.args.clone()).unwrap_or_default();
        match subject.eval_all(ty, op, &lines.iter().map(operands).collect::<Vec<_>>()) {
            Ok(values) => lines.into_iter().zip(values).for_each(|(i, value)| results[i] = Some(Ok(value))),
            Err(failure @ Failure::Device(_)) => return Err(failure.into()),
            Err(failure) => lines.into_iter().for_each(|i| results[i] = Some(Err(failure.clone()))),
        }
    }
    for (line, result) in batch.into_iter().zip(results) {
        one(args, json, source, line, result, counts, out)?;
    }
    Ok(())
}

fn one(
    args: &Args,
    json: bool,
    source: &Source,
    Line { number, case }: Line,
    result: Option<Result<Value, Failure>>,
    counts: &mut Counts,
    out: &mut Out,
) -> Result<(), Error> {
    let (mut case, got) = match (case, result) {
        (Ok(case), Some(Ok(got))) => (case, got),
        (Ok(_), Some(Err(failure))) => {
            complain(&Error::Case { name: source.name(), line: number, failure: Box::new(failure) });
            counts.bad += 1;
            return Ok(());
        }
        (Err(expected), _) => {
            complain(&Error::Line { name: source.name(), line: number, expected });
            counts.bad += 1;
            return Ok(());
        }
        (Ok(_), None) => return Ok(()),
    };
    counts.cases += 1;
    let differs = case.results.first().filter(|_| args.check).map(|given| !given.same(got));
    counts.checked += usize::from(differs.is_some());
    counts.differ += usize::from(differs == Some(true));
    if args.check && differs != Some(true) && !args.exact {
        return Ok(());
    }
    let got = got.canonical();
    if differs != Some(true) {
        case.results = vec![got];
    }
    let mut report = report(args, &case, got, differs);
    report.at = report.got.is_some().then(|| format!("{}:{number}", source.name()));
    if json {
        let text = serde_json::to_string(&report).map_err(|e| Error::write("standard output", e.into()))?;
        return out.line(text);
    }
    out.line(text(&report))
}

fn report(args: &Args, case: &Case, got: Value, differs: Option<bool>) -> Report {
    let mut report = Report {
        case: case.to_string(),
        differs,
        got: differs.filter(|&d| d).map(|_| got.to_string()),
        at: None,
        exact: None,
        ulp: None,
        u2: None,
        u2_of_terms: None,
        mismatch: None,
    };
    if args.exact {
        report.exact = answer::exact_text(case, DIGITS);
        if let Type::Custom(f) = case.ty {
            report.ulp = answer::custom::ulp(f, case.op, &case.args, got);
        }
        match answer::judge(case.ty, case.op, &case.args, got) {
            Some(Judgement::Error(v)) if v.mismatch.is_some() => report.mismatch = v.mismatch,
            Some(Judgement::Error(v)) => {
                report.ulp = Some(v.ulp);
                if case.ty.is_pair() {
                    report.u2 = Some(v.u2);
                    report.u2_of_terms = Some(v.u2_of_terms).filter(|&t| t != v.u2);
                }
            }
            Some(Judgement::Answer { expected, .. }) if report.exact.is_none() => {
                report.exact = Some(expected.to_string())
            }
            _ => {}
        }
    }
    report
}

/// The case line; what else there is to say follows as its comment.
fn text(report: &Report) -> String {
    let mut line = report.case.clone();
    let mut separator = "  # ";
    let mut add = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            // Writing to a string does not fail.
            let _ = write!(line, "{separator}{name} {value}");
            separator = ", ";
        }
    };
    add("got", report.got.clone());
    add("at", report.at.clone());
    add("exact", report.exact.clone());
    add("ulp", report.ulp.map(number));
    add("u2", report.u2.map(number));
    add("u2 of terms", report.u2_of_terms.map(number));
    add("mismatch", report.mismatch.map(|m| format!("{m:?}")));
    line
}

fn number(x: f64) -> String {
    crate::text::figure(x, 6)
}
