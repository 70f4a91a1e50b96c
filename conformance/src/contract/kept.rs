//! Kept cases: the hardest inputs that a search found, as case lines with their results in `fixtures/cases/kept`,
//! and those of mathematical functions in `fixtures/cases/functions`. Every contract
//! runs them before generated cases, and they kill mutants that generated ones do not.

use crate::case::{Case, Op, Type, kind_of, parse_line, slots, value};
use crate::subject::{all, arguments_of, differing, function_of};
use std::collections::HashMap;
use std::sync::LazyLock;
use vernier_tape::cases::arguments;
use vernier_tape::registry::{self, Function, FunctionId};

/// The lines of all files.
const LINES: &str = include_str!(concat!(env!("OUT_DIR"), "/kept.txt"));

/// A case of a recorded function.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The line.
    pub case: Case,
    /// The bit patterns of its arguments.
    pub args: Vec<u64>,
}

/// The cases of each function.
fn kept() -> &'static HashMap<FunctionId, Vec<Kept>> {
    static KEPT: LazyLock<HashMap<FunctionId, Vec<Kept>>> = LazyLock::new(|| {
        let mut kept: HashMap<FunctionId, Vec<Kept>> = HashMap::new();
        for case in LINES.lines().filter_map(|l| parse_line(l.as_bytes()).ok().flatten()) {
            let Some(f) = function_of(case.ty, case.op) else { continue };
            // A format that has functions of its own is one of those that another function takes as an argument.
            let any = function_of_any(&case).filter(|any| !std::ptr::eq(*any, f));
            for f in std::iter::once(f).chain(any) {
                let args = arguments_of(f, case.ty, case.op, &case.args);
                kept.entry(f.id).or_default().push(Kept { case: case.clone(), args });
            }
        }
        kept
    });
    &KEPT
}

/// The function of a reduced format's operation that takes the format as an argument.
fn function_of_any(case: &Case) -> Option<&'static Function> {
    matches!(case.ty, Type::Custom(_)).then(|| registry::get(FunctionId::AnyFormat(case.op)))?
}

/// The cases of a function.
pub fn of(f: &Function) -> &'static [Kept] {
    kept().get(&f.id).map_or(&[], Vec::as_slice)
}

/// The arguments of its cases, and of those of functions with the same kinds of arguments, whose rare paths are alike.
pub fn arguments_for(f: &Function) -> Vec<Vec<u64>> {
    let own = of(f).iter();
    // The canonical form of unpacked numbers alone takes words that are no number.
    let is_number = |k: &&Kept| k.case.op != Op::Canonical || k.case.ty.is_pair();
    let alike = all().filter(|g| g.params == f.params && g.id != f.id).flat_map(of).filter(is_number);
    own.chain(alike).map(|k| k.args.clone()).collect()
}

/// [`arguments_for`] the function, and then `n` generated ones.
pub fn with_generated(f: &Function, seed: u64, n: u64) -> Vec<Vec<u64>> {
    arguments_for(f).into_iter().chain((0..n).map(|i| arguments(&f.params, seed, i))).collect()
}

/// How many of a function's cases have another result than their line, given the results by slot and then case; and the first
/// line of them.
pub(super) fn check(f: &Function, results: &[Vec<u64>], name: &str) -> (u64, Option<String>) {
    let kind = kind_of(f.results[0]);
    let (mut wrong, mut first) = (0, None);
    for (i, kept) in of(f).iter().enumerate() {
        let got: Vec<u64> = results.iter().map(|column| column[i]).collect();
        let expected = kept.case.results[0];
        if !expected.same(value(kind, &got)) {
            wrong += 1;
            first = first.or_else(|| differing(f, &kept.args, &slots(expected), Some(&got), name));
        }
    }
    (wrong, first)
}
