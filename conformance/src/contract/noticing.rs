//! Cases that notice faults which generated cases do not: `fixtures/noticing.txt`, one a line, the function and the bit patterns
//! of its arguments in hexadecimal.

use super::likely::{custom, unpacked};
use std::collections::HashMap;
use std::sync::LazyLock;
use vernier_tape::registry::{Function, functions};
use vernier_tape::tape::Ty;

const TEXT: &str = include_str!("../../../fixtures/noticing.txt");

/// Every line: the function's name and the arguments.
pub fn lines() -> &'static [(String, Vec<u64>)] {
    static LINES: LazyLock<Vec<(String, Vec<u64>)>> = LazyLock::new(|| TEXT.lines().filter_map(parse).collect());
    &LINES
}

/// One line; none if it is no such line.
pub fn parse(line: &str) -> Option<(String, Vec<u64>)> {
    let mut words = line.split_whitespace();
    let name = words.next()?.to_string();
    let args = words.map(|w| u64::from_str_radix(w, 16)).collect::<Result<Vec<_>, _>>().ok()?;
    Some((name, args))
}

/// The number, from 1, of the first line of a file that is none of the case of a function.
pub fn first_wrong(text: &str) -> Option<usize> {
    text.lines().position(|line| parse(line).is_none_or(|(name, _)| !by_name().contains_key(&name))).map(|n| n + 1)
}

/// A case as a line.
pub fn line(f: &Function, args: &[u64]) -> String {
    let words: Vec<String> = args.iter().map(|a| format!("{a:x}")).collect();
    format!("{} {}", f.name(), words.join(" "))
}

/// Every case, with its function.
fn kept() -> &'static [(&'static Function, &'static Vec<u64>)] {
    static CASES: LazyLock<Vec<(&Function, &Vec<u64>)>> =
        LazyLock::new(|| lines().iter().filter_map(|(name, args)| Some((*by_name().get(name)?, args))).collect());
    &CASES
}

fn by_name() -> &'static HashMap<String, &'static Function> {
    static FUNCTIONS: LazyLock<HashMap<String, &Function>> = LazyLock::new(|| {
        let known = functions().iter().chain(vernier_tape::registry::stat::functions());
        known.map(|f| (f.name(), f)).collect()
    });
    &FUNCTIONS
}

/// The cases for a function: its own, and those of functions with the same arguments, whose rare paths are alike, where it is
/// defined for them.
pub fn cases(f: &Function) -> Vec<Vec<u64>> {
    let alike = kept().iter().filter(|(g, args)| g.params == f.params && args.len() == f.tape.args.len());
    let alike = alike.filter(|(_, args)| unpacked::is_defined(f, args) && custom::is_defined(f, args));
    alike.map(|(_, args)| (*args).clone()).collect()
}

/// The cases for the same functions on pairs of the other width, of functions of limbs only.
pub fn of_other_width(f: &Function) -> Vec<Vec<u64>> {
    let other = |ty: Ty| if ty == Ty::F32 { Ty::F64 } else { Ty::F32 };
    let slots = |f: &Function| -> Vec<Ty> { f.params.iter().flat_map(|kind| kind.slots().to_vec()).collect() };
    let ours = slots(f);
    if !ours.iter().all(|ty| ty.is_float()) {
        return Vec::new();
    }
    let theirs: Vec<Ty> = ours.into_iter().map(other).collect();
    kept().iter().filter(|(g, _)| slots(g) == theirs).map(|(_, args)| (*args).clone()).collect()
}
