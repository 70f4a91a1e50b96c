//! The special-value table: every combination of zeros, extremes, infinities and NaN, against IEEE arithmetic; of reduced formats
//! against their definition.

use crate::case::{Arity, Case, Int, Kind, Level, Mode, Op, Operation, Type, Unpacked, Value, Width, operations};
use crate::right::{self, Judgement};
use crate::subject::{Failure, Subject};
use serde::{Deserialize, Serialize};
use vernier::custom::Format;

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
    /// What is right there.
    pub right: Option<String>,
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
        right: None,
    };
    let n = match line.args {
        Arity::Fixed(slots) => slots.len(),
        // More terms would keep digits in lo that IEEE arithmetic loses on the way.
        Arity::Many => 2,
        Arity::Pairs => 4,
    };
    let values = |kind| match ty {
        Type::Custom(f) => of_format(f, kind),
        _ => values(kind),
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
        let right = right_of(ty, line.op, args, got);
        if !right.is_some_and(|right| right::agrees(ty, line.op, right, got)) {
            row.mismatches += 1;
            if row.first.is_none() {
                row.first =
                    Some(Case { ty, op: line.op, args: args.clone(), results: vec![got.canonical()] }.to_string());
                row.right = right.map(|r| r.to_string());
            }
        }
    }
    Ok(row)
}

fn right_of(ty: Type, op: Op, args: &[Value], got: Value) -> Option<Value> {
    let by_definition = || match right::judge(ty, op, args, got) {
        Some(Judgement::Answer { right, .. }) if ty.is_custom() => Some(right),
        _ => None,
    };
    right::ieee(ty, op, args).or_else(|| right::answer(ty, op, args)).or_else(by_definition)
}

/// The special values of a reduced format: its own and those of doubles; of stochastic rounding, one seed and one number.
fn of_format(f: Format, kind: Kind) -> Vec<Value> {
    if let Kind::Int(int) = kind {
        return vec![Value::Int(int, 1)];
    }
    let own = [f.denorm_min(), f.min_positive(), f.max()].into_iter().flat_map(|x| [x, -x]).map(f64::to_bits);
    let mut bits: Vec<u64> = limbs(Width::F64).chain(own).collect();
    bits.sort_unstable();
    bits.dedup();
    bits.into_iter().map(|x| Value::Limb(Width::F64, x)).collect()
}

/// The level of a type, with the mode where that is not to nearest; `-` where there is none.
pub fn level_name(ty: Type) -> String {
    if let Type::Custom(f) = ty {
        return super::reduced::preset(f).into();
    }
    let level = ty.level().map_or("-", Level::name);
    ty.mode().filter(|&m| m != Mode::Rn).map_or(level.into(), |m| format!("{level}.{}", m.name()))
}

/// At high, for single limbs, and where all levels run the same sequence, every special value is right; of emulated doubles all
/// but what a product and a sum leave at low and mid where they cancel, and unpacked sums at low, where the largest doubles, rounded to fewer
/// digits, go beyond the range.
pub fn is_claimed(ty: Type, line: &Operation) -> bool {
    if ty.is_emulated() {
        let rounded = matches!((ty, line.op), (Type::Unpacked(Level::Low), Op::Add | Op::Sub));
        return ty.level() == Some(Level::High) || !(rounded || matches!(line.op, Op::Mad | Op::Dot | Op::Cmul));
    }
    !matches!(ty.level(), Some(Level::Low | Level::Mid)) || line.any_level
}

/// The special values of a kind: ±0, ±smallest subnormal, ±smallest normal, ±1, ±largest, ±inf, NaN.
pub fn values(kind: Kind) -> Vec<Value> {
    match kind {
        Kind::Limb(w) => limbs(w).map(|x| Value::Limb(w, x)).collect(),
        Kind::Pair(w) => limbs(w).map(|x| Value::Pair(w, x, 0)).collect(),
        Kind::Unpacked => limbs(Width::F64).map(|x| Value::Unpacked(Unpacked::of_f64(f64::from_bits(x)))).collect(),
        // No operation takes one as an argument.
        Kind::Complex | Kind::ComplexUnpacked | Kind::PairAndInt(_) | Kind::TwoPairs(_) => Vec::new(),
        Kind::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Kind::Int(int) => integers(int).into_iter().map(|v| Value::Int(int, v)).collect(),
        Kind::Binary128 => magnitudes(112, 16383, u128::MAX >> 1).map(Value::Binary128).collect(),
    }
}

fn limbs(w: Width) -> impl Iterator<Item = u64> {
    let f = vernier_oracle::Format::of(w);
    magnitudes(f.p - 1, f.emax as u128, u128::from(u64::MAX >> (65 - 4 * w.digits()))).map(|x| x as u64)
}

/// Bits of the special values of a format with this fraction width, bias and mask of the magnitude.
fn magnitudes(fraction: u32, bias: u128, magnitude: u128) -> impl Iterator<Item = u128> {
    let infinity = (2 * bias + 1) << fraction;
    let positive = [0, 1, 1 << fraction, bias << fraction, infinity - 1, infinity];
    let nan = infinity | 1 << (fraction - 1);
    positive.into_iter().flat_map(move |x| [x, x | (magnitude + 1)]).chain([nan])
}

fn integers(int: Int) -> Vec<u128> {
    let most = u128::MAX >> (128 - int.bits) >> u32::from(int.signed);
    let mut values = vec![0, 1, most, most - 1, most / 2 + 1];
    if int.signed {
        values.extend([u128::MAX, !most, !most + 1]);
    }
    values
}
