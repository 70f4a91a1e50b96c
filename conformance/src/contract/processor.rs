//! Packed emulated doubles at high against this processor's own doubles.
//!
//! To nearest the processor computes the correct result. In a direction the correct result is that one or its neighbour, which the
//! sign of the rounding error decides, and the processor gives that too: the errors of sums, products and fused operations
//! and the residuals of quotients and roots are doubles, or sums of two (Knuth 1969; Boldo and Muller 2011). Where such an
//! error may underflow or overflow the exact oracle decides.

use super::Contract;
use super::report::Outcome;
use super::request::{Listener, Request, each};
use crate::case::{Case, Int, Kind, Level, Mode, Op, Type, Value, Width};
use crate::error::Error;
use rayon::prelude::*;
use std::num::Wrapping;
use std::time::Instant;
use vernier::High;
use vernier::convert::Integer;
use vernier::emu::{self, Rd, Rn, Rounding, Ru, Rz, compare, convert, packed};
use vernier::host::Host;
use vernier_oracle::{self as oracle, Format, mpfr};
use vernier_tape::cases::{BLOCK, Cases};
use vernier_tape::io::{Io, Kind as Slots};

/// Cases of an operation where no option says so, and with `--full`.
const CASES: u64 = 1_000_000;
const FULL: u64 = 1_000_000_000;

type Word = Wrapping<u64>;

/// What is found in some cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Cases compared.
    pub cases: u64,
    /// Those that differ.
    pub mismatches: u64,
    /// The lowest index of them.
    pub first: Option<u64>,
    /// Those that the exact oracle decided.
    pub by_oracle: u64,
}

impl Found {
    fn merge(self, other: Found) -> Found {
        Found {
            cases: self.cases + other.cases,
            mismatches: self.mismatches + other.mismatches,
            first: [self.first, other.first].into_iter().flatten().min(),
            by_oracle: self.by_oracle + other.by_oracle,
        }
    }
}

/// Compares the first cases of a block: seed, block and how many.
type Run = fn(u64, u64, u64) -> Found;
/// The arguments of a case: seed and index.
type Arguments = fn(u64, u64) -> Vec<u64>;

/// An operation in a mode.
pub struct Comparison {
    /// Type with its mode.
    pub ty: Type,
    /// Operation.
    pub op: Op,
    run: Run,
    args: Arguments,
}

impl Comparison {
    /// As `fp64emu.high.rz add`.
    fn name(&self) -> String {
        format!("{} {}", self.ty, self.op)
    }

    /// The first `cases` cases of a seed, over all cores.
    pub fn run(&self, seed: u64, cases: u64) -> Found {
        let blocks = (0..cases.div_ceil(BLOCK)).into_par_iter();
        blocks.map(|b| (self.run)(seed, b, BLOCK.min(cases - b * BLOCK))).reduce(Found::default, Found::merge)
    }

    /// The case line of a case, without its result.
    pub fn case(&self, seed: u64, index: u64) -> Case {
        let of = |x: u64| match self.op {
            Op::From(Kind::Int(int)) => Value::Int(int, int.wrap(x.into())),
            _ => Value::Limb(Width::F64, x),
        };
        let args = (self.args)(seed, index).into_iter().map(of).collect();
        Case { ty: self.ty, op: self.op, args, results: Vec::new() }
    }
}

/// The arguments of a case.
#[inline(always)]
fn arguments<const N: usize>(seed: u64, index: u64, kind: Slots) -> [u64; N] {
    let mut cases = Cases::<Host>::new(Wrapping(seed), Wrapping(index));
    [(); N].map(|()| {
        cases.param(kind);
        cases.u64().0
    })
}

/// `right` gives the expected bits, or none where only the oracle knows.
#[inline(always)]
fn compare_block<const N: usize>(
    (seed, block, length): (u64, u64, u64),
    kind: Slots,
    ours: impl Fn([Word; N]) -> u64,
    right: impl Fn([u64; N]) -> Option<u64>,
    by_oracle: impl Fn([u64; N]) -> u64,
) -> Found {
    let mut found = Found { cases: length, ..Found::default() };
    for index in block * BLOCK..block * BLOCK + length {
        let args = arguments::<N>(seed, index, kind);
        let right = right(args).unwrap_or_else(|| {
            found.by_oracle += 1;
            by_oracle(args)
        });
        if ours(args.map(Wrapping)) != right {
            found.mismatches += 1;
            found.first.get_or_insert(index);
        }
    }
    found
}

/// The bits, NaN being the one that operations return.
#[inline(always)]
fn bits(x: f64) -> u64 {
    if x.is_nan() { emu::NAN } else { x.to_bits() }
}

fn by_oracle(op: Op, mode: Mode, args: &[u64]) -> u64 {
    let args: Vec<_> = args.iter().map(|&x| (f64::from_bits(x), 0.0)).collect();
    mpfr::round(op, &args, Format::F64, oracle::Rounding::of(mode)).to_bits(Format::F64) as u64
}

/// A finite result that overflowed, in a direction.
fn overflowed(mode: Mode, s: f64) -> f64 {
    let inward = match mode {
        Mode::Rn => false,
        Mode::Rz => true,
        Mode::Ru => s < 0.0,
        Mode::Rd => s > 0.0,
    };
    if inward { f64::MAX.copysign(s) } else { s }
}

/// The nearest result `s`, not 0, of an exact value that is `s` plus something of the sign of `error`, in a direction.
#[inline(always)]
fn moved(mode: Mode, s: f64, error: f64) -> f64 {
    match mode {
        Mode::Ru if error > 0.0 => s.next_up(),
        Mode::Rd if error < 0.0 => s.next_down(),
        Mode::Rz if s > 0.0 && error < 0.0 => s.next_down(),
        Mode::Rz if s < 0.0 && error > 0.0 => s.next_up(),
        _ => s,
    }
}

#[inline(always)]
fn two_sum(x: f64, y: f64) -> (f64, f64) {
    let s = x + y;
    let t = s - x;
    (s, (x - (s - t)) + (y - t))
}

/// Below this, sums and differences of finite numbers do not overflow on the way to an error.
const LARGE: f64 = f64::MAX / 8.0;
/// Above this, errors and residuals do not underflow.
const SMALL: f64 = 1e-260;

/// The sign of an exact sum of zero, of terms that are `x` and the negative of it.
#[inline(always)]
fn zero_sum(mode: Mode, x: f64, y: f64) -> f64 {
    if x == 0.0 && x.to_bits() == y.to_bits() {
        x
    } else if mode == Mode::Rd {
        -0.0
    } else {
        0.0
    }
}

/// x + y in a direction.
#[inline(always)]
pub fn add(mode: Mode, x: f64, y: f64) -> Option<f64> {
    let (s, error) = two_sum(x, y);
    if x.abs() < LARGE && y.abs() < LARGE {
        return Some(if s == 0.0 { zero_sum(mode, x, y) } else { moved(mode, s, error) });
    }
    match s.is_finite() {
        true => None,
        false if x.is_finite() && y.is_finite() => Some(overflowed(mode, s)),
        false => Some(s),
    }
}

/// x y in a direction.
#[inline(always)]
pub fn mul(mode: Mode, x: f64, y: f64) -> Option<f64> {
    let p = x * y;
    if p.abs() > SMALL && p.abs() < f64::INFINITY {
        Some(moved(mode, p, x.mul_add(y, -p)))
    } else if p.is_infinite() && x.is_finite() && y.is_finite() {
        Some(overflowed(mode, p))
    } else {
        (!p.is_finite() || x == 0.0 || y == 0.0).then_some(p)
    }
}

/// x / y in a direction.
#[inline(always)]
pub fn div(mode: Mode, x: f64, y: f64) -> Option<f64> {
    let q = x / y;
    if q.abs() > SMALL && q.abs() < LARGE && x.abs() > SMALL && x.abs() < LARGE {
        let residual = (-q).mul_add(y, x);
        Some(moved(mode, q, if y < 0.0 { -residual } else { residual }))
    } else if q.is_infinite() && x.is_finite() && y != 0.0 {
        Some(overflowed(mode, q))
    } else {
        (!q.is_finite() || !y.is_finite() || x == 0.0).then_some(q)
    }
}

/// The root of x in a direction.
#[inline(always)]
pub fn sqrt(mode: Mode, x: f64) -> Option<f64> {
    let s = x.sqrt();
    if x > SMALL && x < f64::INFINITY {
        Some(moved(mode, s, (-s).mul_add(s, x)))
    } else {
        (s.is_nan() || s == x).then_some(s)
    }
}

/// x y + z in a direction.
#[inline(always)]
pub fn fma(mode: Mode, x: f64, y: f64, z: f64) -> Option<f64> {
    let s = x.mul_add(y, z);
    let p = x * y;
    let moderate = |x: f64| x.abs() > SMALL && x.abs() < LARGE;
    if moderate(p) && (moderate(z) || z == 0.0) {
        if s == 0.0 {
            return Some(zero_sum(mode, p, z));
        }
        let (sum, z_error) = two_sum(z, x.mul_add(y, -p));
        let (high, low) = two_sum(p, sum);
        let rest = (high - s) + low;
        let (error, last) = two_sum(rest, z_error);
        return Some(moved(mode, s, if error == 0.0 { last } else { error }));
    }
    let finite = x.is_finite() && y.is_finite() && z.is_finite();
    if !finite {
        Some(s)
    } else if s.is_infinite() {
        Some(overflowed(mode, s))
    } else if x == 0.0 || y == 0.0 {
        Some(if z == 0.0 { zero_sum(mode, p, z) } else { z })
    } else {
        None
    }
}

/// Every operation in every mode; conversions and comparisons against casts and operators of this language.
pub fn comparisons() -> Vec<Comparison> {
    let arithmetic = [in_mode::<Rn>(), in_mode::<Rz>(), in_mode::<Ru>(), in_mode::<Rd>()];
    arithmetic.into_iter().flatten().chain(to_nearest()).collect()
}

const fn mode_of<R: Rounding>() -> Mode {
    if R::NEAREST {
        Mode::Rn
    } else if R::UP {
        Mode::Ru
    } else if R::DOWN {
        Mode::Rd
    } else {
        Mode::Rz
    }
}

macro_rules! comparison {
    ($r:ty, $meaning:ident: $op:ident($($x:ident),*), $n:literal, $nearest:expr) => {{
        fn run<R: Rounding>(seed: u64, block: u64, length: u64) -> Found {
            let mode = mode_of::<R>();
            compare_block::<$n>(
                (seed, block, length),
                Slots::Packed,
                |[$($x),*]| packed::$op::<Host, High, R>($($x),*).0,
                |args| {
                    let [$($x),*] = args.map(f64::from_bits);
                    if R::NEAREST { Some(bits($nearest)) } else { $op(mode, $($x),*).map(bits) }
                },
                |args| by_oracle(Op::$meaning, mode, &args),
            )
        }
        Comparison {
            ty: Type::Packed(Level::High, mode_of::<$r>()),
            op: Op::$meaning,
            run: run::<$r>,
            args: |seed, index| arguments::<$n>(seed, index, Slots::Packed).to_vec(),
        }
    }};
}

/// x - y in a direction.
#[inline(always)]
pub fn sub(mode: Mode, x: f64, y: f64) -> Option<f64> {
    add(mode, x, -y)
}

fn in_mode<R: Rounding>() -> [Comparison; 6] {
    [
        comparison!(R, Add: add(x, y), 2, x + y),
        comparison!(R, Sub: sub(x, y), 2, x - y),
        comparison!(R, Mul: mul(x, y), 2, x * y),
        comparison!(R, Div: div(x, y), 2, x / y),
        comparison!(R, Sqrt: sqrt(x), 1, x.sqrt()),
        comparison!(R, Fma: fma(x, y, z), 3, x.mul_add(y, z)),
    ]
}

/// Comparisons, and conversions that Rust has: those of integers truncate.
fn to_nearest() -> Vec<Comparison> {
    let mut all = Vec::new();
    let int = |bits, signed| Kind::Int(Int { bits, signed });
    macro_rules! one {
        ($op:expr, $mode:ident, $kind:ident, $n:literal, $ours:expr, $right:expr) => {
            all.push(Comparison {
                ty: Type::Packed(Level::High, Mode::$mode),
                op: $op,
                run: |seed, block, length| {
                    compare_block::<$n>((seed, block, length), Slots::$kind, $ours, |x| Some($right(x)), |_| 0)
                },
                args: |seed, index| arguments::<$n>(seed, index, Slots::$kind).to_vec(),
            })
        };
    }
    macro_rules! to_integer {
        ($($t:ident $bits:literal $signed:literal;)*) => {$(
            one!(Op::To(int($bits, $signed)), Rz, Packed, 1,
                |[x]: [Word; 1]| {
                    convert::to_integer::<Host, Rz>(x, Integer { bits: $bits, signed: $signed }).0 as $t as u64
                },
                |[x]: [u64; 1]| f64::from_bits(x) as $t as u64);
        )*};
    }
    macro_rules! compared {
        ($($op:ident: $ours:expr, $right:expr;)*) => {$(
            one!(Op::$op, Rn, Packed, 2, |[x, y]: [Word; 2]| u64::from($ours(x, y)), |x: [u64; 2]| {
                let [x, y] = x.map(f64::from_bits);
                u64::from($right(x, y))
            });
        )*};
    }
    to_integer! { i8 8 true; i16 16 true; i32 32 true; i64 64 true; u8 8 false; u16 16 false; u32 32 false; u64 64 false; }
    compared! {
        Eq: compare::eq::<Host>, |x: f64, y| x == y;
        Lt: compare::lt::<Host>, |x: f64, y| x < y;
        Le: compare::le::<Host>, |x: f64, y| x <= y;
    }
    one!(
        Op::To(Kind::Limb(Width::F32)),
        Rn,
        Packed,
        1,
        |[x]: [Word; 1]| u64::from(convert::to_f32::<Host, Rn>(x).to_bits()),
        |[x]: [u64; 1]| {
            let x = f64::from_bits(x) as f32;
            u64::from(if x.is_nan() { 0x7fc0_0000 } else { x.to_bits() })
        }
    );
    one!(Op::From(int(64, true)), Rn, I64, 1, |[x]: [Word; 1]| convert::from_i64::<Host, Rn>(x).0, |[x]: [u64; 1]| (x
        as i64
        as f64)
        .to_bits());
    one!(Op::From(int(64, false)), Rn, U64, 1, |[x]: [Word; 1]| convert::from_u64::<Host, Rn>(x).0, |[x]: [u64; 1]| (x
        as f64)
        .to_bits());
    all
}

/// The names of all comparisons.
pub(super) fn names() -> impl Iterator<Item = String> {
    comparisons().into_iter().map(|c| c.name())
}

/// The contract on every operation asked for.
pub(super) fn run(contract: &Contract, request: &Request, listener: Listener<'_>) -> Result<Vec<Outcome>, Error> {
    let known = |c: &Comparison| {
        let f = crate::subject::function_of(c.ty, c.op);
        f.map(|f| f.name()).unwrap_or_default()
    };
    let all = comparisons().into_iter().enumerate();
    let wanted: Vec<Comparison> =
        all.filter(|(i, c)| request.wants(*i, &[&c.name(), &known(c)])).map(|(_, c)| c).collect();
    let cases = request.cases.unwrap_or(if request.full { FULL } else { CASES });
    each((contract, request, listener), wanted.into_iter(), Comparison::name, |c| {
        let start = Instant::now();
        let found = c.run(request.seed, cases);
        let first = found.first.map(|index| {
            let case = c.case(request.seed, index);
            let expected = crate::answer::ieee(case.ty, case.op, &case.args);
            let expected = expected.or_else(|| crate::answer::of(case.ty, case.op, &case.args));
            let got = crate::subject::Subject::eval(&crate::subject::Host, case.ty, case.op, &case.args);
            let text = |v: Option<Value>| v.map_or("nothing".into(), |v| v.to_string());
            format!("{case} = {}  # got {}, case {index}", text(expected), text(got.ok()))
        });
        Ok(Outcome {
            cases: found.cases,
            mismatches: found.mismatches,
            first,
            note: if found.by_oracle > 0 { format!("{} by the oracle", found.by_oracle) } else { String::new() },
            seconds: start.elapsed().as_secs_f64(),
            ..Outcome::new(contract.name, c.name(), contract.claim)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the processor's errors decide is what the oracle says.
    #[test]
    fn directed_results_are_the_oracles() {
        for index in 0..60_000 {
            let args = arguments::<3>(7, index, Slots::Packed);
            let [x, y, z] = args.map(f64::from_bits);
            for mode in [Mode::Rz, Mode::Ru, Mode::Rd] {
                let derived = [
                    (Op::Add, add(mode, x, y), 2),
                    (Op::Sub, sub(mode, x, y), 2),
                    (Op::Mul, mul(mode, x, y), 2),
                    (Op::Div, div(mode, x, y), 2),
                    (Op::Sqrt, sqrt(mode, x), 1),
                    (Op::Fma, fma(mode, x, y, z), 3),
                ];
                for (op, derived, n) in derived {
                    if let Some(r) = derived {
                        let right = by_oracle(op, mode, &args[..n]);
                        assert_eq!(bits(r), right, "{op:?} {mode:?} {:x?}", &args[..n]);
                    }
                }
            }
        }
    }

    #[test]
    fn nothing_differs_and_a_wrong_direction_is_noticed() {
        for c in comparisons() {
            let found = c.run(3, CASES);
            assert_eq!(
                (found.cases, found.mismatches),
                (CASES, 0),
                "{} {}: {:?}",
                c.ty,
                c.op,
                found.first.map(|i| c.case(3, i).to_string())
            );
            assert!(found.by_oracle < CASES / 4, "{} {}: {} by the oracle", c.ty, c.op, found.by_oracle);
        }
        let wrong = compare_block::<2>(
            (3, 0, 4096),
            Slots::Packed,
            |[x, y]| packed::add::<Host, High, Ru>(x, y).0,
            |args| add(Mode::Rz, f64::from_bits(args[0]), f64::from_bits(args[1])).map(bits),
            |args| by_oracle(Op::Add, Mode::Rz, &args),
        );
        assert!(wrong.mismatches > 500 && wrong.first.is_some(), "{wrong:?}");
    }
}
