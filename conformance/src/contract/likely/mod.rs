//! Cases from which a search for those that notice faults starts.

pub(super) mod custom;
pub(super) mod packed;
mod pairs;
pub(super) mod unpacked;

use super::noticing;
use super::prove::{Format, Prover, SCALE, Scale};
use super::tape::columns;
use rayon::prelude::*;
use vernier_oracle::generate::counter::{self, Words};
use vernier_tape::catch::first_noticed;
use vernier_tape::faults::Fault;
use vernier_tape::io::Kind;
use vernier_tape::registry::Function;
use vernier_tape::tape::Ty;

/// Cases of directed operands; of pairs, whose rare paths lie deeper.
const DIRECTED: u64 = 1 << 15;
const EDGES: u64 = 1 << 17;

/// Cases of directed operands, and of functions of limbs cases that are like kept ones of the other width and those that are like
/// cases that notice one of these faults on a scale.
pub fn likely(f: &Function, faults: &[Fault], seed: u64) -> Vec<Vec<u64>> {
    let mut all = unpacked::cases(f, seed, DIRECTED);
    all.extend(packed::cases(f, seed, DIRECTED));
    all.extend(packed::composed(f));
    // They are tried without being followed before.
    all.extend(custom::cases(f, seed, DIRECTED >> 3));
    all.extend(alike(f, faults, seed));
    all.extend(pairs::composed(f));
    all.extend(unpacked::composed(f));
    all.extend(pairs::edges(f, seed, EDGES));
    all
}

/// Cases of directed operands for what random ones say little about: numbers in words, and formats.
pub fn directed(f: &Function, seed: u64, n: u64) -> Vec<Vec<u64>> {
    let mut all = unpacked::cases(f, seed, n);
    if f.params.contains(&Kind::Format) {
        all.extend(custom::cases(f, seed, n));
    }
    all
}

fn alike(f: &Function, faults: &[Fault], seed: u64) -> Vec<Vec<u64>> {
    // Of each case that is known.
    const ALIKE: [u64; 2] = [1 << 6, 1 << 8];
    // On a scale, of each fault.
    const CASES: usize = 1 << 5;
    let Some(&ty) = f.tape.args.iter().find(|ty| ty.is_float()) else { return Vec::new() };
    let here = Scale::of(ty);
    let other = Scale::of(if ty == Ty::F32 { Ty::F64 } else { Ty::F32 });
    let alike = |from: &Scale, case: &[u64], key: u64, n: u64| -> Vec<Vec<u64>> {
        (0..n).map(|i| here.like(from, case, &mut Words::new(counter::key(seed, key), i))).collect()
    };
    let kept = noticing::of_other_width(f).into_iter().enumerate();
    let mut likely: Vec<Vec<u64>> = kept.flat_map(|(i, case)| alike(&other, &case, i as u64, ALIKE[0])).collect();
    if let Some(prover) = Prover::on_scale(f, SCALE) {
        let on_scale = |(i, fault): (usize, &Fault)| {
            let cases = prover.clone().cases_on_scale(fault, CASES).into_iter().enumerate();
            let key = |k: usize| 1 << 32 | (i * CASES + k) as u64;
            cases.flat_map(|(k, case)| alike(&Scale::small(SCALE), &case, key(k), ALIKE[1])).collect::<Vec<_>>()
        };
        let all: Vec<Vec<Vec<u64>>> = faults.par_iter().enumerate().map(on_scale).collect();
        likely.extend(all.into_iter().flatten());
    }
    likely
}

/// A case that notices a fault, like one that notices it on a scale; if one is found.
pub fn lifted(f: &Function, fault: &Fault, scale: Format, case: &[u64], seed: u64) -> Option<Vec<u64>> {
    const CASES: u64 = 1 << 16;
    let (small, here) = (Scale::small(scale), Scale::of(*f.tape.args.iter().find(|ty| ty.is_float())?));
    let like = |i| here.like(&small, case, &mut Words::new(counter::key(seed, 1 << 33), i));
    let rows: Vec<Vec<u64>> = (0..CASES).map(like).collect();
    let first = first_noticed(&f.tape, std::slice::from_ref(fault), &columns(f, &rows))[0];
    first.map(|i| rows[i].clone())
}

/// The first slot of each argument of kind `one`, and of both of kind `two`.
fn places(f: &Function, one: Kind, two: Kind) -> Vec<usize> {
    let (mut slot, mut places) = (0, Vec::new());
    for &kind in &f.params {
        if kind == one || kind == two {
            places.push(slot);
        }
        if kind == two {
            places.push(slot + one.slots().len());
        }
        slot += kind.slots().len();
    }
    places
}

/// Operands of a b + c d: two as factors beside zeros and as terms, and three beside a one; either product may be the first.
fn composed<T: Copy>(two: &[[T; 2]], three: &[[T; 3]], one: T, zeros: [T; 2]) -> Vec<[T; 4]> {
    let of_two = |&[x, y]: &[T; 2]| {
        let [plus, minus] = zeros.map(|zero| [[x, y, zero, one], [zero, one, x, y]]);
        [plus, minus, [[x, one, y, one], [y, one, x, one]]].concat()
    };
    let of_three = |&[x, y, z]: &[T; 3]| [[x, y, z, one], [z, one, x, y]];
    two.iter().flat_map(of_two).chain(three.iter().flat_map(of_three)).collect()
}

/// Exponents that are one of these apart, or next to that, or any that are not far; in either direction.
fn distance(words: &mut Words, thresholds: &[i32]) -> i32 {
    let d = if words.one_in(4) { words.between(0, 130) } else { words.pick(thresholds) + words.between(-1, 1) };
    if words.one_in(2) { d } else { -d }
}

/// The odd number whose product with the odd number x is 1 modulo 2^64 (Newton's iteration).
fn inverse(x: u64) -> u64 {
    (0..5).fold(x, |y, _| y.wrapping_mul(2u64.wrapping_sub(x.wrapping_mul(y))))
}
