//! The special-value table: every combination of zeros, extremes, infinities and NaN, against IEEE arithmetic; of reduced formats
//! against their definition.

use crate::answer::{self, Judgement};
use crate::case::{
    Arity, Case, Level, Mode, Op, Operation, Type, Value, operations, special_values, special_values_of_format,
};
use crate::subject::{Failure, Subject};
use serde::{Deserialize, Serialize};

/// One line: an operation of a type on all combinations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpecialRow {
    /// Type without its level.
    #[serde(rename = "type")]
    pub ty: String,
    /// Operation.
    pub op: String,
    /// Level; `-` where there is none.
    pub level: String,
    /// Combinations.
    pub cases: u64,
    /// Results that are not the IEEE result.
    pub mismatches: u64,
    /// Whether the claim is that there is none.
    pub claimed: bool,
    /// The first of them, with what was got.
    pub first: Option<String>,
    /// What it must be.
    #[serde(rename = "right")]
    pub expected: Option<String>,
}

impl SpecialRow {
    /// Whether the claim holds.
    pub fn holds(&self) -> bool {
        !self.claimed || self.mismatches == 0
    }
}

/// The table of a type.
pub fn table(subject: &dyn Subject, ty: Type) -> Result<Vec<SpecialRow>, Failure> {
    operations_of(ty).filter(|line| subject.supports(ty, line.op)).map(|line| row(subject, ty, line)).collect()
}

/// The operations of a type that have lines.
pub fn operations_of(ty: Type) -> impl Iterator<Item = Operation> {
    operations(ty).filter(move |line| !matches!(ty, Type::Custom(f) if !super::reduced::has_row(f, line.op)))
}

/// The line of one operation.
pub fn row(subject: &dyn Subject, ty: Type, line: Operation) -> Result<SpecialRow, Failure> {
    let mut row = SpecialRow {
        ty: ty.name().to_string(),
        op: line.op.to_string(),
        level: level_name(ty),
        cases: 0,
        mismatches: 0,
        claimed: is_claimed(ty, &line),
        first: None,
        expected: None,
    };
    let n = match line.args {
        Arity::Fixed(slots) => slots.len(),
        // More terms would keep digits in lo that IEEE arithmetic loses on the way.
        Arity::Many => 2,
        Arity::Pairs => 4,
    };
    let values = |kind| match ty {
        Type::Custom(f) => special_values_of_format(f, kind),
        _ => special_values(kind),
    };
    let lists: Vec<Vec<Value>> = (0..n).filter_map(|i| line.arg_kind(ty, i)).map(values).collect();
    let combinations: usize = lists.iter().map(Vec::len).product();
    let cases: Vec<Vec<Value>> = (0..combinations)
        .map(|mut i| {
            let mut next = |list: &Vec<Value>| {
                let value = list[i % list.len()];
                i /= list.len();
                value
            };
            lists.iter().map(&mut next).collect()
        })
        .collect();
    for (args, got) in cases.iter().zip(subject.eval_all(ty, line.op, &cases)?) {
        row.cases += 1;
        let expected = expected_of(ty, line.op, args, got);
        if !expected.is_some_and(|expected| answer::accepts(ty, line.op, expected, got)) {
            row.mismatches += 1;
            if row.first.is_none() {
                row.first =
                    Some(Case { ty, op: line.op, args: args.clone(), results: vec![got.canonical()] }.to_string());
                row.expected = expected.map(|r| r.to_string());
            }
        }
    }
    Ok(row)
}

fn expected_of(ty: Type, op: Op, args: &[Value], got: Value) -> Option<Value> {
    let by_definition = || match answer::judge(ty, op, args, got) {
        Some(Judgement::Answer { expected, .. }) if ty.is_custom() => Some(expected),
        _ => None,
    };
    answer::ieee(ty, op, args).or_else(|| answer::of(ty, op, args)).or_else(by_definition)
}

/// The level of a type, with the mode where that is not to nearest; `-` where there is none.
pub fn level_name(ty: Type) -> String {
    if let Type::Custom(f) = ty {
        return super::reduced::preset(f).into();
    }
    let level = ty.level().map_or("-", Level::name);
    ty.mode().filter(|&m| m != Mode::Rn).map_or(level.into(), |m| format!("{level}.{}", m.name()))
}

/// At high, for single limbs, and where all levels run the same sequence, every special value is as IEEE arithmetic gives it; of emulated doubles all
/// but what a product and a sum leave at low and mid where they cancel, and unpacked sums at low, where the largest doubles, rounded to fewer
/// digits, go beyond the range.
pub fn is_claimed(ty: Type, line: &Operation) -> bool {
    if ty.is_emulated() {
        let rounded = matches!((ty, line.op), (Type::Unpacked(Level::Low), Op::Add | Op::Sub));
        return ty.level() == Some(Level::High) || !(rounded || matches!(line.op, Op::Mad | Op::Dot | Op::Cmul));
    }
    !matches!(ty.level(), Some(Level::Low | Level::Mid)) || line.any_level
}
