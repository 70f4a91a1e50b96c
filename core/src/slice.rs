//! Operations on whole slices, several elements at a time, with the bits of the operators.
//!
//! Each function panics where the slices differ in length.

use crate::double_word::{DoubleWord, HostLimb};
use crate::pair::{self, Level};

/// Elements in step. Two interleaved pairs of doubles fill one packed register, and LLVM vectorises over groups of
/// two with fewer shuffles than over single elements: 1.15 times as fast in multiplication.
const N: usize = 2;

#[inline(always)]
fn map<F: HostLimb, A: Level, const K: usize>(
    args: [&[DoubleWord<F, A>]; K],
    out: &mut [DoubleWord<F, A>],
    op: impl Fn([(F, F); K]) -> (F, F),
) {
    for arg in &args {
        assert_eq!(arg.len(), out.len(), "slices of different length");
    }
    let groups = args.map(|arg| arg.as_chunks::<N>().0);
    let (out, rest) = out.as_chunks_mut::<N>();
    for (k, out) in out.iter_mut().enumerate() {
        let group = groups.map(|g| g[k]);
        *out = core::array::from_fn(|i| DoubleWord::wrap(op(group.map(|x| x[i].to_parts()))));
    }
    let tails = args.map(|arg| arg.as_chunks::<N>().1);
    for (i, out) in rest.iter_mut().enumerate() {
        *out = DoubleWord::wrap(op(tails.map(|tail| tail[i].to_parts())));
    }
}

macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        pub fn $name<F: HostLimb, A: Level>(x: &[DoubleWord<F, A>], y: &[DoubleWord<F, A>], out: &mut [DoubleWord<F, A>]) {
            map([x, y], out, |[x, y]| A::$name(x, y));
        }
    )*};
}

binary! {
    /// out\[i\] = x\[i\] + y\[i\].
    add;
    /// out\[i\] = x\[i\] - y\[i\].
    sub;
    /// out\[i\] = x\[i\] y\[i\].
    mul;
    /// out\[i\] = x\[i\] / y\[i\].
    div;
}

macro_rules! ternary {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        pub fn $name<F: HostLimb, A: Level>(
            x: &[DoubleWord<F, A>],
            y: &[DoubleWord<F, A>],
            z: &[DoubleWord<F, A>],
            out: &mut [DoubleWord<F, A>],
        ) {
            map([x, y, z], out, |[x, y, z]| A::$name(x, y, z));
        }
    )*};
}

ternary! {
    /// out\[i\] = x\[i\] y\[i\] + z\[i\], fused.
    fma;
    /// out\[i\] = x\[i\] y\[i\] + z\[i\], composed.
    mad;
}

/// out\[i\] = sqrt(x\[i\]).
pub fn sqrt<F: HostLimb, A: Level>(x: &[DoubleWord<F, A>], out: &mut [DoubleWord<F, A>]) {
    map([x], out, |[x]| pair::sqrt(x));
}

/// out\[i\] = 1 / sqrt(x\[i\]).
pub fn rsqrt<F: HostLimb, A: Level>(x: &[DoubleWord<F, A>], out: &mut [DoubleWord<F, A>]) {
    map([x], out, |[x]| pair::rsqrt(x));
}

/// The sum in order, from the first term; +0 of an empty slice.
pub fn sum<F: HostLimb, A: Level>(x: &[DoubleWord<F, A>]) -> DoubleWord<F, A> {
    x.iter().sum()
}

/// The product in order, from the first factor; 1 of an empty slice.
pub fn product<F: HostLimb, A: Level>(x: &[DoubleWord<F, A>]) -> DoubleWord<F, A> {
    x.iter().product()
}

/// x\[0\] y\[0\] + x\[1\] y\[1\] + ... in order: a multiplication, then one [`mad`](DoubleWord::mad) a term; +0 of empty
/// slices.
pub fn dot<F: HostLimb, A: Level>(x: &[DoubleWord<F, A>], y: &[DoubleWord<F, A>]) -> DoubleWord<F, A> {
    assert_eq!(x.len(), y.len(), "slices of different length");
    let mut terms = x.iter().zip(y);
    let Some((&x, &y)) = terms.next() else { return DoubleWord::default() };
    terms.fold(x * y, |sum, (&x, &y)| x.mad(y, sum))
}
