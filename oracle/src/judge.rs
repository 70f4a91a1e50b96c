//! The judge: a verdict on every result, by the fast path where its error bound suffices and by MPFR elsewhere.

use crate::exact::mpfr;
use crate::measure::Verdict;
use crate::op::{Op, Pair, Target};

/// Operands of one case of a block; operations with fewer ignore the rest.
pub type Args = [Pair; 3];

/// The verdict on one result of an operation.
///
/// The number of operands must be one that [`Op::accepts`], the limbs must be numbers of `target.limb`.
pub fn judge(op: Op, target: &Target, args: &[Pair], r: Pair) -> Verdict {
    mpfr::judge(op, target, args, r)
}

/// Verdicts on many results of one operation of 1 to 3 operands, given to `sink` with their index, in order.
pub fn judge_block(op: Op, target: &Target, args: &[Args], results: &[Pair], mut sink: impl FnMut(usize, Verdict)) {
    let n = op.arity().unwrap_or(3).min(3);
    for (i, (a, &r)) in args.iter().zip(results).enumerate() {
        sink(i, judge(op, target, &a[..n], r));
    }
}
