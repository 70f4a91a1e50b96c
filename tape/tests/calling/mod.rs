//! A function that calls others in every way there is, for tests: `outer` with calls on the tape, or with the same
//! bodies in place.

use vernier::machine::{Bundle, IeeeLimb, Limb, Machine, Value, Word, WordMachine};
use vernier_tape::record::{self, F64, Handle, Recording, U32};
use vernier_tape::tape::Tape;

/// Two doubles.
pub type Pair<M> = (<M as WordMachine>::F64, <M as WordMachine>::F64);
/// What `outer` gives.
pub type Four<M> = (Pair<M>, <M as WordMachine>::U64, <M as WordMachine>::U32);

/// A call, or its body in place.
pub fn call<const CALLS: bool, M: Machine, A: Bundle<M>, R: Bundle<M>>(
    name: &str,
    args: A,
    body: impl FnOnce(A) -> R,
) -> R {
    if CALLS { M::call(&["test", name], args, body) } else { body(args) }
}

/// One result.
pub fn leaf<M: WordMachine>((x, y): Pair<M>) -> M::F64 {
    x * y - y
}

/// Results that no kind holds, a structured branch, and a call of its own.
fn inner<const CALLS: bool, M: WordMachine>((x, n): (Pair<M>, M::U32)) -> Four<M> {
    let sum = x.0 + x.1;
    let r = M::branch(sum.lt(x.1), (sum, x.0), move || {
        let twice = call::<CALLS, M, _, _>("leaf", (x.1, sum), leaf::<M>);
        (twice, twice * x.0)
    });
    (r, r.1.bits() ^ sum.bits(), n + n)
}

/// More than 200 operations.
pub fn long<M: WordMachine>((x, n): (M::F64, M::U32)) -> (M::F64, M::U32) {
    (0..100).fold((x, n), |(x, n), _| (x * x - x, n + n.shl(n)))
}

/// Calls of the same function with other and with the same arguments, within a branch, of a large function, and one of whose
/// results some are not needed.
pub fn outer<const CALLS: bool, M: WordMachine>(x: Pair<M>, y: Pair<M>, n: M::U32) -> Four<M> {
    let (a, bits, m) = call::<CALLS, M, _, _>("inner", (x, n), inner::<CALLS, M>);
    let (b, ..) = call::<CALLS, M, _, _>("inner", (y, m), inner::<CALLS, M>);
    let (again, ..) = call::<CALLS, M, _, _>("inner", (y, m), inner::<CALLS, M>);
    let far = call::<CALLS, M, _, _>("long", (b.0, m), long::<M>);
    let product =
        M::branch(a.1.lt(far.0), a.1 * again.0, move || call::<CALLS, M, _, _>("leaf", (a.1, b.1), leaf::<M>) - b.0);
    let lost: M::F64 = Value::select(a.0.lt(b.0), product, a.0);
    ((product, lost), bits, far.1)
}

/// `outer`, recorded.
pub fn tape<const CALLS: bool>() -> Tape {
    record::record(|| {
        let x = || record::argument::<F64>();
        let (x, y) = ((x(), x()), (x(), x()));
        let n = record::argument::<U32>();
        let r = outer::<CALLS, Recording>(x, y, n);
        vec![r.0.0.id(), r.0.1.id(), r.1.id(), r.2.id()]
    })
}

/// A column of `n` cases for each argument.
pub fn columns(n: u64) -> Vec<Vec<u64>> {
    let word = |i: u64| {
        let x = i.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (x ^ x >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 1
    };
    // Numbers of both signs near 1.
    let limb = |i: u64| word(i) & !(0x7ff << 52) | (1020 + word(i ^ 77) % 6) << 52 | (i & 2) << 62;
    (0..5).map(|k| (0..n).map(|i| if k == 4 { word(i) & 0xffff } else { limb(i * 5 + k) }).collect()).collect()
}

/// The results on the host: by result, then case.
pub fn on_host(args: &[Vec<u64>]) -> Vec<Vec<u64>> {
    use core::num::Wrapping;
    let f = f64::from_bits;
    let mut out = vec![Vec::new(); 4];
    for i in 0..args[0].len() {
        let a: Vec<u64> = args.iter().map(|column| column[i]).collect();
        let r = outer::<false, vernier::host::Host>((f(a[0]), f(a[1])), (f(a[2]), f(a[3])), Wrapping(a[4] as u32));
        let bits = [r.0.0.to_bits(), r.0.1.to_bits(), r.1.0, r.2.0.into()];
        out.iter_mut().zip(bits).for_each(|(column, bits)| column.push(bits));
    }
    out
}
