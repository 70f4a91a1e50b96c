//! Functions of slices have the bits of functions of pairs: at every place, whatever lies beside them.

mod pairs;
mod random;

use pairs::{operand, special};
use random::Random;
use rayon::prelude::*;
use vernier::{DoubleWord, HostLimb, slice};

type Pair<F> = DoubleWord<F>;

type OfSlices<F> = fn(&[Vec<Pair<F>>], &mut [Pair<F>]);
type OfPairs<F> = fn(&[Vec<Pair<F>>], usize) -> Pair<F>;

/// A function of slices, and the same of pairs.
struct Row<F: HostLimb> {
    name: &'static str,
    args: usize,
    of_slices: OfSlices<F>,
    of_pairs: OfPairs<F>,
    /// Case lines.
    cases: &'static str,
}

macro_rules! rows {
    ([$($rows:tt)*] $(#[$doc:meta])* $name:ident($($arg:ident: pair),*) -> pair; $($rest:tt)*) => {
        rows! { [$($rows)* $name($($arg)*)] $($rest)* }
    };
    ($rows:tt $(#[$doc:meta])* $name:ident($($args:tt)*) -> $result:ident; $($rest:tt)*) => {
        rows! { $rows $($rest)* }
    };
    ([$($name:ident($($arg:ident)*))*]) => {
        fn rows<F: HostLimb>() -> Vec<Row<F>> {
            vec![$(Row {
                name: stringify!($name),
                args: [$(stringify!($arg)),*].len(),
                of_slices: |args, out| {
                    let [$($arg),*] = args else { unreachable!() };
                    slice::$name($($arg,)* out);
                },
                of_pairs: |args, i| {
                    let [$($arg),*] = args else { unreachable!() };
                    vernier::$name($($arg[i]),*)
                },
                cases: include_str!(concat!("../../fixtures/cases/functions/", stringify!($name), ".txt")),
            }),*]
        }
    };
}

vernier::for_each_math_function!(rows []);

impl<F: HostLimb> Row<F> {
    fn check(&self, args: &[Vec<Pair<F>>]) {
        let mut out = vec![Pair::default(); args[0].len()];
        (self.of_slices)(args, &mut out);
        for (i, &r) in out.iter().enumerate() {
            let x: Vec<_> = args.iter().map(|arg| arg[i]).collect();
            let n = out.len();
            assert_eq!(bits(r), bits((self.of_pairs)(args, i)), "{}{x:?}, element {i} of {n}", self.name);
        }
    }

    /// The operands of case lines, one argument after the other.
    fn kept(&self) -> Vec<Vec<Pair<F>>> {
        let limb = |text: &str| match text {
            "nan" => F::lit(f64::NAN),
            _ => F::from_bits_u64(u64::from_str_radix(text, 16).unwrap()),
        };
        let mut args = vec![Vec::new(); self.args];
        for line in self.cases.lines().filter(|line| line.starts_with(F::PAIR)) {
            for (arg, text) in args.iter_mut().zip(line.split(' ').skip(2)) {
                let (hi, lo) = text.split_once(':').unwrap_or((text, "0"));
                arg.push(Pair::from_parts(limb(hi), limb(lo)));
            }
        }
        args
    }
}

/// NaN is one class.
fn bits<F: HostLimb>(x: Pair<F>) -> (u64, u64) {
    (if x.hi().to_f64().is_nan() { u64::MAX } else { x.hi().to_bits_u64() }, x.lo().to_bits_u64())
}

/// An operand that no function has a rare path for.
fn usual<F: HostLimb>() -> Pair<F> {
    Pair::from_parts(F::lit(1.25), F::lit(1.25) * F::lit(vernier::machine::exp2(-(F::P as i32) - 2)))
}

fn random_operands<F: HostLimb>() {
    let list = special::<F>();
    rows::<F>().par_iter().for_each(|row| {
        let mut random = Random(row.name.len() as u64);
        let mut pair = |_| {
            let (hi, lo) = operand(&mut random, &list);
            Pair::from_parts(hi, lo)
        };
        let args: Vec<Vec<_>> = (0..row.args).map(|_| (0..100_000).map(&mut pair).collect()).collect();
        row.check(&args);
    });
}

#[test]
fn random_operands_of_every_kind() {
    random_operands::<f32>();
    random_operands::<f64>();
}

fn every_place<F: HostLimb>() {
    for row in rows::<F>() {
        let kept = row.kept();
        assert!(kept[0].len() > 10, "{}: case lines", row.name);
        for before in 0..9 {
            let padded = |arg: &Vec<_>| [vec![usual(); before], arg.clone()].concat();
            row.check(&kept.iter().map(padded).collect::<Vec<_>>());
        }
        // One after the other at every place of short slices, alone among usual ones.
        for n in 0..18 {
            for place in 0..n {
                for case in (0..kept[0].len()).step_by(7) {
                    let at = |i, arg: &Vec<_>| if i == place { arg[case] } else { usual() };
                    let args: Vec<Vec<_>> = kept.iter().map(|arg| (0..n).map(|i| at(i, arg)).collect()).collect();
                    row.check(&args);
                }
            }
            row.check(&vec![vec![usual(); n]; row.args]);
        }
    }
}

#[test]
fn kept_cases_at_every_place() {
    every_place::<f32>();
    every_place::<f64>();
}

#[test]
#[should_panic(expected = "slices of different length")]
fn different_lengths_panic() {
    let x = [usual::<f64>(); 3];
    slice::pow(&x, &x[..2], &mut [x[0]; 3]);
}
