//! What a trace tells: how many operations of which kind, what pairs do with them, and values that are right.

use super::digits::Wide;
use std::collections::BTreeMap;
use vernier::function::{Math, Op};
use vernier::stat::{Record, record};
use vernier::{DoubleWord, High, HostLimb, Level, Low, Mid, Stat};
use vernier_gpu::advise::Step;
use vernier_gpu::bench::Subject;
use vernier_oracle::trace::Values;

/// Binary digits of right values.
const DIGITS: u32 = 400;

/// Operations of an item by their names, on average.
pub fn operations(steps: &[Step]) -> BTreeMap<String, f64> {
    let items = steps.iter().filter(|s| s.ends).count().max(1) as f64;
    let mut counts = BTreeMap::new();
    for op in steps.iter().filter_map(|s| s.op) {
        *counts.entry(op.to_string()).or_insert(0.0) += 1.0 / items;
    }
    counts
}

/// Share of the operations that divide by a root, which one reciprocal root does.
pub fn divisions_by_roots(steps: &[Step]) -> u64 {
    let is_root = |i: u32| steps.get(i as usize).is_some_and(|s| s.op == Some(Op::Sqrt));
    steps.iter().filter(|s| s.op == Some(Op::Div) && is_root(s.operands[1])).count() as u64
}

/// The operands of an operation.
fn operands(step: &Step) -> &[u32] {
    let n = match step.op {
        Some(Op::Math(f)) => f.args().iter().filter(|s| **s == vernier::function::Slot::Own).count(),
        Some(Op::Neg | Op::Sqrt | Op::Rsqrt) => 1,
        Some(Op::Fma | Op::Mad) => 3,
        _ => 2,
    };
    &step.operands[..n]
}

/// The values of the items with 400 binary digits: none of one whose operations are not known.
pub fn exact(steps: &[Step]) -> Vec<(u64, Option<Wide>)> {
    let mut values = Values::new(DIGITS);
    let (mut found, mut known) = (Vec::new(), true);
    for step in steps {
        match step.op {
            _ if step.ends => {
                found.push((step.integer as u64, values.pair(step.operands[0]).filter(|_| known)));
                values.enter((0.0, 0.0));
                known = true;
            }
            None => values.enter(step.value),
            Some(op) => known &= values.apply(op, operands(step), step.integer),
        }
    }
    found
}

/// The record of a pair type, which carries out a trace; none of another type.
pub fn recorded(steps: &[Step], subject: Subject) -> Option<Record> {
    match subject {
        Subject::Fp32mp2Low => Some(replay::<f32, Low>(steps)),
        Subject::Fp32mp2Mid => Some(replay::<f32, Mid>(steps)),
        Subject::Fp32mp2High => Some(replay::<f32, High>(steps)),
        Subject::Fp64mp2Low => Some(replay::<f64, Low>(steps)),
        Subject::Fp64mp2Mid => Some(replay::<f64, Mid>(steps)),
        Subject::Fp64mp2High => Some(replay::<f64, High>(steps)),
        _ => None,
    }
}

type Counted<F, A> = Stat<DoubleWord<F, A>>;

fn replay<F: HostLimb, A: Level>(steps: &[Step]) -> Record {
    let run = || {
        let mut values: Vec<Counted<F, A>> = Vec::with_capacity(steps.len());
        for step in steps {
            let at = |i: u32| values.get(i as usize).copied();
            let entered = || {
                let hi = F::lit(step.value.0);
                DoubleWord::from_parts(hi, F::lit(step.value.0 - hi.to_f64() + step.value.1)).into()
            };
            let value = match step.op {
                None => Some(entered()),
                Some(op) => {
                    let x: Option<Vec<_>> = operands(step).iter().map(|&i| at(i)).collect();
                    x.and_then(|x| apply(op, &x, step.integer))
                }
            };
            values.push(value.unwrap_or_else(entered));
        }
    };
    record(run).1
}

/// A function of numbers that is a number.
macro_rules! call {
    (pair, $f:ident, $x:ident, $n:ident, pair) => {
        Some($x[0].$f())
    };
    (pair, $f:ident, $x:ident, $n:ident, pair, i32) => {
        Some($x[0].$f($n))
    };
    (pair, $f:ident, $x:ident, $n:ident, i32, pair) => {
        Some($x[0].$f($n))
    };
    (pair, $f:ident, $x:ident, $n:ident, pair, i64) => {
        Some($x[0].$f($n.into()))
    };
    (pair, $f:ident, $x:ident, $n:ident, pair, pair) => {
        Some($x[0].$f($x[1]))
    };
    (pair, $f:ident, $x:ident, $n:ident, pair, pair, pair) => {
        Some($x[0].$f($x[1], $x[2]))
    };
    (pair, $f:ident, $x:ident, $n:ident, pair, pair, pair, pair) => {
        Some($x[0].$f($x[1], $x[2], $x[3]))
    };
    ($($other:tt)*) => {
        None
    };
}

macro_rules! by_name {
    ($f:ident $x:ident $n:ident $($(#[$doc:meta])* $name:ident($($arg:ident: $kind:ident),*) -> $result:ident;)*) => {
        match $f {
            $(Math::$name => call!($result, $name, $x, $n $(, $kind)*),)*
        }
    };
}

fn apply<F: HostLimb, A: Level>(op: Op, x: &[Counted<F, A>], n: i32) -> Option<Counted<F, A>> {
    Some(match (op, x) {
        (Op::Add, &[x, y]) => x + y,
        (Op::Sub, &[x, y]) => x - y,
        (Op::Mul, &[x, y]) => x * y,
        (Op::Div, &[x, y]) => x / y,
        (Op::Neg, &[x]) => -x,
        (Op::Sqrt, &[x]) => x.sqrt(),
        (Op::Rsqrt, &[x]) => x.rsqrt(),
        (Op::Fma, &[x, y, z]) => x.fma(y, z),
        (Op::Mad, &[x, y, z]) => x.mad(y, z),
        (Op::Math(f), x) => return vernier::for_each_math_function!(by_name f x n),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(op: Option<Op>, operands: [u32; 4], value: f64) -> Step {
        Step { op, ends: false, operands, integer: 0, value: (value, 0.0) }
    }

    /// 1 / sqrt(2) and its exponential.
    fn steps() -> Vec<Step> {
        vec![
            step(None, [0; 4], 2.0),
            step(None, [0; 4], 1.0),
            step(Some(Op::Sqrt), [0; 4], 2f64.sqrt()),
            step(Some(Op::Div), [1, 2, 0, 0], 0.5f64.sqrt()),
            step(Some(Op::Math(Math::exp)), [3, 0, 0, 0], 0.5f64.sqrt().exp()),
            Step { ends: true, operands: [4, 0, 0, 0], ..step(None, [0; 4], 0.0) },
        ]
    }

    #[test]
    fn a_trace_is_counted_and_carried_out() {
        let steps = steps();
        assert_eq!(
            operations(&steps).into_iter().collect::<Vec<_>>(),
            [("div".into(), 1.0), ("exp".into(), 1.0), ("sqrt".into(), 1.0)]
        );
        assert_eq!(divisions_by_roots(&steps), 1);
        let exact = exact(&steps);
        assert_eq!((exact.len(), exact[0].0, exact[0].1.unwrap().0), (1, 0, 2.028_114_981_647_472_6));
        for subject in Subject::ALL {
            let r = recorded(&steps, subject);
            assert_eq!(r.map(|r| (r.ops_count, r.div_count)), subject.is_pair().then_some((1, 1)));
        }
    }
}
