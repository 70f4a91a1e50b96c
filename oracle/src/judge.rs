//! The judge: a verdict on every result, by the fast path where its error bound suffices and by MPFR elsewhere. Of mathematical
//! functions a share of the cases is asked of the [series](crate::series) too.

use crate::exact::mpfr;
use crate::fast::{self, Basic};
use crate::functions;
use crate::measure::Verdict;
use crate::target::{Pair, Target, arity};
use vernier::function::Op;

/// The most operands that a case of a block has.
pub const ARGS: usize = 4;

/// Operands of one case of a block; operations with fewer ignore the rest.
pub type Args = [Pair; ARGS];

/// Whether an operation has so many operands that [`judge_block`] takes it.
pub fn takes_blocks(op: Op) -> bool {
    arity(op).is_some_and(|n| n <= ARGS)
}

/// The verdict on one result of an operation.
///
/// The number of operands must be what [`arity`](crate::target::arity) says, any where it is free. Operands may be of another format than the result (conversions).
pub fn judge(op: Op, target: &Target, args: &[Pair], r: Pair) -> Verdict {
    let quick = Basic::of(op).and_then(|basic| {
        if fast::is_single(target) {
            fast::judge::<true>(basic, target, args, r)
        } else if fast::takes(target) {
            fast::judge::<false>(basic, target, args, r)
        } else {
            None
        }
    });
    if let Op::Math(f) = op {
        functions::confirm(f, args);
    }
    quick.unwrap_or_else(|| mpfr::judge(op, target, args, r))
}

/// Verdicts on many results of one operation that [takes blocks](takes_blocks), given to `sink` with their index, in order.
///
/// Panics for other operations.
pub fn judge_block(op: Op, target: &Target, args: &[Args], results: &[Pair], mut sink: impl FnMut(usize, Verdict)) {
    let single = fast::is_single(target);
    // One loop for each operation and width, with both known inside it.
    macro_rules! dispatch {
        ($($op:ident: $n:literal),*) => {
            match op {
                $(Op::$op if single => run::<true, $n>(Basic::$op, Op::$op, target, args, results, &mut sink),
                Op::$op => run::<false, $n>(Basic::$op, Op::$op, target, args, results, &mut sink),)*
                // No fast path knows these.
                Op::Math(_) => {
                    let n = arity(op).unwrap_or(0);
                    for (i, (a, &r)) in args.iter().zip(results).enumerate() {
                        sink(i, judge(op, target, &a[..n], r));
                    }
                }
                _ => panic!("{op:?} does not take blocks"),
            }
        };
    }
    dispatch!(Canonical: 1, Neg: 1, Add: 2, Sub: 2, Acc: 2, Mul: 2, Div: 2, Fma: 3, Mad: 3, Sqrt: 1, Rsqrt: 1);
}

#[inline(always)]
fn run<const EXACT: bool, const N: usize>(
    basic: Basic,
    op: Op,
    target: &Target,
    args: &[Args],
    results: &[Pair],
    sink: &mut impl FnMut(usize, Verdict),
) {
    let takes = fast::takes(target);
    for (i, (a, &r)) in args.iter().zip(results).enumerate() {
        let a = &a[..N];
        let quick = if takes { fast::judge::<EXACT>(basic, target, a, r) } else { None };
        sink(i, quick.unwrap_or_else(|| mpfr::judge(op, target, a, r)));
    }
}
