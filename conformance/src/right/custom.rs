//! Reduced formats: what their definition allows.

use super::Judgement;
use crate::case::{Meaning, Op, Type, Value, Width, operation};
use vernier::custom::{Format, Mode, Top};
use vernier_oracle::reduced::{Direction, Largest, Reduced, allows};

/// The definition of a format, in the oracle's words.
pub fn definition(f: Format) -> Reduced {
    let o = f.options();
    Reduced {
        exponent: f.exponent(),
        mantissa: f.mantissa(),
        direction: match o.mode {
            Mode::Nearest => Direction::Nearest,
            Mode::Zero => Direction::Zero,
            Mode::Up => Direction::Up,
            Mode::Down => Direction::Down,
            Mode::Away => Direction::Away,
            Mode::Stochastic => Direction::Either,
        },
        subnormals: o.gradual,
        range_after: o.after,
        once: o.single,
        saturates: o.saturate,
        largest: match o.top {
            Top::Special => Largest::Special,
            Top::Nan => Largest::NumbersAndNan,
            Top::Numbers => Largest::Numbers,
        },
        tests_native_range: o.dynamic,
    }
}

/// Judges a result: right where the definition allows it. Of several results that stochastic rounding allows, the judgement
/// names the one that was got, or one of them.
pub(super) fn judge(f: Format, op: Op, args: &[Value], result: Value) -> Option<Judgement> {
    let x: Vec<f64> = args.iter().filter_map(|a| a.to_pair()).map(|(x, _)| x).collect();
    let definition = definition(f);
    let allowed = match operation(Type::Custom(f), op)?.meaning {
        Meaning::Number(_) if op == Op::Neg => vec![-x[0]],
        Meaning::Number(_) if op == Op::Reduce => definition.reduce(x[0]),
        Meaning::Number(meaning) => definition.evaluate(meaning, &x),
        _ => return None,
    };
    let (got, _) = result.to_pair()?;
    let same = allows(&allowed, got);
    let right = if same { result } else { Value::of_limb(Width::F64, *allowed.first()?) };
    Some(Judgement::Answer { right, same })
}
