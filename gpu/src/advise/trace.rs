//! Traces: the operations of a few items, with their operands.

use std::fmt::Write;
use vernier::function::{Kind, Math, Op, Slot};

/// A step of a trace. Steps before it are named by their numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// The operation; none of a number that enters.
    pub op: Option<Op>,
    /// Whether it ends an item: its value is that of its first operand.
    pub ends: bool,
    /// The operands.
    pub operands: [u32; 4],
    /// An operand that is an integer.
    pub integer: i32,
    /// The value in `fp64mp2` at level high, hi and lo.
    pub value: (f64, f64),
}

/// The first code of a function.
const FUNCTIONS: u32 = 1024;

/// Operations that have a number of their own.
const OPS: [(u32, Op); 9] = [
    (1, Op::Add),
    (2, Op::Sub),
    (3, Op::Mul),
    (4, Op::Div),
    (5, Op::Neg),
    (6, Op::Sqrt),
    (7, Op::Rsqrt),
    (8, Op::Fma),
    (9, Op::Mad),
];

/// The code of an operation.
pub fn code_of(op: Op) -> u32 {
    match op {
        Op::Math(f) => FUNCTIONS + f as u32,
        op => OPS.iter().find(|(_, o)| *o == op).map_or(0, |(code, _)| *code),
    }
}

/// The functions of traced numbers. A function of numbers is traced; one that gives an integer or a truth value is that of the value.
pub(super) fn functions() -> String {
    let mut text = String::new();
    for &f in Math::ALL {
        let code = FUNCTIONS + f as u32;
        let own = f.args().iter().filter(|s| **s == Slot::Own).count();
        if own == 0 {
            continue;
        }
        let integer = f.args().iter().any(|s| matches!(s, Slot::Is(Kind::Int(_))));
        let names = &["x", "y", "z", "w"][..own];
        let mut of_numbers = names.iter();
        let parameter = |slot: &Slot| match slot {
            Slot::Own => of_numbers.next().map(|x| (format!("traced {x}"), format!("{x}.value.x"))),
            _ => Some(("int n".into(), "n".into())),
        };
        let (params, values): (Vec<String>, Vec<String>) = f.args().iter().filter_map(parameter).unzip();
        let mut noted: Vec<String> = names.iter().map(|x| format!("&{x}.value")).collect();
        if integer {
            noted.resize(4, "nullptr".into());
            noted.push("n".into());
        }
        let (params, values, noted) = (params.join(", "), values.join(", "), noted.join(", "));
        let (result, body) = match f.result() {
            Slot::Own => ("traced", format!("{{traced::raw(), tracing::note({code}, {f}({values}), {noted})}}")),
            Slot::Bool => ("bool", format!("{f}({values})")),
            Slot::Is(Kind::Int(i)) if i.bits == 64 => ("long long", format!("{f}({values})")),
            Slot::Is(Kind::Int(_)) => ("int", format!("{f}({values})")),
            _ => continue,
        };
        let _ = writeln!(text, "static inline {result} {f}({params}) {{ return {body}; }}");
    }
    text
}

/// Functions that emulated doubles have not, which say so at the line that calls them.
pub(super) fn absent(header: &str) -> String {
    let emulated = header.split_once("class emulated_double").map_or("", |(_, rest)| rest);
    let mut text = String::from("namespace vernier {\n");
    for &f in Math::ALL {
        let is_there = [format!(" {f}("), format!("({f},")].iter().any(|there| emulated.contains(there));
        if !is_there && f.result() == Slot::Own {
            let _ = writeln!(
                text,
                "template <class W, accuracy A, class... R> VERNIER_HD emulated_double<W, A> {f}(emulated_double<W, A>, R...) \
                 {{ static_assert(sizeof(W) == 0, \"emulated doubles have no function {f}\"); return {{}}; }}"
            );
        }
    }
    text + "} // namespace vernier\n"
}

/// The steps of a trace; a step that is not whole ends it.
pub fn parse(bytes: &[u8]) -> Vec<Step> {
    let step = |b: &[u8]| {
        let word = |at: usize| b[at..at + 4].try_into().map_or(0, u32::from_ne_bytes);
        let double = |at: usize| b[at..at + 8].try_into().map_or(0.0, f64::from_ne_bytes);
        let code = word(0);
        let op = match code.checked_sub(FUNCTIONS) {
            Some(f) => Math::ALL.get(f as usize).map(|&f| Op::Math(f)),
            None => OPS.iter().find(|(c, _)| *c == code).map(|(_, op)| *op),
        };
        let operands = [4, 8, 12, 16].map(word);
        Step { op, ends: code == 255, operands, integer: word(20) as i32, value: (double(24), double(32)) }
    };
    bytes.chunks_exact(40).map(step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_read() {
        let mut bytes = Vec::new();
        for word in [1024 + Math::exp as u32, 3, 0, 0, 0, 0] {
            bytes.extend(word.to_ne_bytes());
        }
        bytes.extend(1.5f64.to_ne_bytes());
        bytes.extend(0f64.to_ne_bytes());
        bytes.extend([1, 2, 3]);
        let steps = parse(&bytes);
        let exp = Op::Math(Math::exp);
        assert_eq!(steps, [Step { op: Some(exp), ends: false, operands: [3, 0, 0, 0], integer: 0, value: (1.5, 0.0) }]);
        assert_eq!(code_of(exp), 1024 + Math::exp as u32);
        assert!(
            functions().contains("static inline traced ldexp(traced x, int n)")
                && functions().contains("pow(traced x, traced y)")
                && functions().contains("jn(int n, traced x) { return {traced::raw(), tracing::note(")
        );
    }
}
