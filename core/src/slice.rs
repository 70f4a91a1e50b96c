//! Operations and functions on whole slices, several elements at a time, with the bits of the operators and methods.
//!
//! Functions go the usual way of every branch, as loops that LLVM makes packed instructions of, and compute anew what is rare.
//! Against the methods one by one, in one run with AVX2: exponentials, roots and norms of pairs of binary32 are 4.5 to 6 times
//! as fast, logarithms 2.3 to 2.8 times (rows of a table are read element by element), pow 3 to 5; of pairs of binary64 all are
//! 2 to 3 times as fast. Rare elements cost what the method costs.
//!
//! Each function panics where the slices differ in length.

use crate::double_word::{DoubleWord, HostLimb};
use crate::lane::Lane;
use crate::math;
use crate::pair::{self, Level};
use core::array;

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
        *out = array::from_fn(|i| DoubleWord::wrap(op(group.map(|x| x[i].to_parts()))));
    }
    let tails = args.map(|arg| arg.as_chunks::<N>().1);
    for (i, out) in rest.iter_mut().enumerate() {
        *out = DoubleWord::wrap(op(tails.map(|tail| tail[i].to_parts())));
    }
}

/// Elements whose lost lanes are computed anew together: results still lie in the first cache.
const BLOCK: usize = 256;

/// `lanes` on all elements, and `scalar`, the same function on the host, on those that are lost.
#[inline(always)]
fn map_function<F: HostLimb, A: Level, const K: usize>(
    args: [&[DoubleWord<F, A>]; K],
    out: &mut [DoubleWord<F, A>],
    lanes: impl Fn([(Lane<F>, Lane<F>); K]) -> (Lane<F>, Lane<F>),
    scalar: impl Fn([DoubleWord<F, A>; K]) -> DoubleWord<F, A>,
) {
    for arg in &args {
        assert_eq!(arg.len(), out.len(), "slices of different length");
    }
    for (b, out) in out.chunks_mut(BLOCK).enumerate() {
        let args: [&[_]; K] = array::from_fn(|k| &args[k][b * BLOCK..][..out.len()]);
        let mut lost = [false; BLOCK];
        let mut any = false;
        for i in 0..out.len() {
            // Limb by limb: moved as words of both, pairs of binary32 would be taken by fours.
            let (hi, lo) = lanes(array::from_fn(|k| (Lane::new(args[k][i].hi), Lane::new(args[k][i].lo))));
            (out[i].hi, out[i].lo) = (hi.value, lo.value);
            lost[i] = hi.lost | lo.lost;
            any |= hi.lost | lo.lost;
        }
        if any {
            for i in (0..out.len()).filter(|&i| lost[i]) {
                out[i] = scalar(args.map(|arg| arg[i]));
            }
        }
    }
}

/// The functions of pairs whose result is a pair.
macro_rules! functions {
    ($(#[$doc:meta])* $name:ident($($arg:ident: pair),*) -> pair; $($rest:tt)*) => {
        $(#[$doc])*
        ///
        #[doc = concat!("Of every element: out\\[i\\] has the bits of [`DoubleWord::", stringify!($name), "`].")]
        pub fn $name<F: HostLimb, A: Level>($($arg: &[DoubleWord<F, A>],)* out: &mut [DoubleWord<F, A>]) {
            map_function([$($arg),*], out, |[$($arg),*]| math::$name($($arg),*), |[$($arg),*]| crate::$name($($arg),*));
        }
        functions! { $($rest)* }
    };
    ($(#[$doc:meta])* $name:ident($($args:tt)*) -> $result:ident; $($rest:tt)*) => {
        functions! { $($rest)* }
    };
    () => {};
}

crate::for_each_math_function!(functions);

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
