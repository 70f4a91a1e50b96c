//! A directed search for cases that kill a mutant: mutation of inputs guided by coverage, as fuzzers do it (Zalewski 2014), on the
//! interpreter of the tape, which sees every value.
//!
//! Two sets of cases are bred. The *corpus* keeps a case that shows something new: a node with a value of another class (zero,
//! subnormal, largest, infinite, NaN, equal operands of a comparison) on another path. A *pool* for each mutant keeps the cases
//! that infect it and where the difference goes farthest toward the results. Cases start as directed operands ([`operands`]);
//! changes step, cut, flip and negate limbs and words, move exponents, and put values of other nodes and constants of the tape
//! into arguments.

mod operands;

use super::kept;
use crate::case::{kind_of, value};
use crate::subject::{case_of, columns};
use operands::Operands;
use rayon::prelude::*;
use std::collections::HashSet;
use vernier_oracle::generate::counter::{self, Words};
use vernier_tape::cases::arguments;
use vernier_tape::interpret::Interpreter;
use vernier_tape::kill::{BLOCK, Watch, fates};
use vernier_tape::mutants::{Mutant, mutants};
use vernier_tape::registry::Function;
use vernier_tape::tape::{Op, Ty};

/// Cases in a pool.
const POOL: usize = 24;
/// Cases in the corpus.
const CORPUS: usize = 4096;
/// Infected cases of one mutant that are followed in one round.
const FOLLOWED: usize = 32;

/// What a search found out about a function.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Few case lines that kill all mutants that it killed.
    pub lines: Vec<String>,
    /// How many mutants it looked at, and how many of them are left.
    pub mutants: (usize, usize),
}

/// Looks for cases that kill the mutants of `f` which the kept cases and a few generated ones do not.
pub(super) fn find(f: &Function, seed: u64, rounds: u64) -> Found {
    // Few, so that what is killed by luck is killed with another seed too.
    const GENERATED: u64 = 1 << 11;
    let all = mutants(&f.tape, &f.params);
    let fates = fates(&f.tape, &all, &columns(f, &kept::with_generated(f, seed, GENERATED)));
    let open = all.into_iter().zip(fates).filter(|(_, fate)| fate.killed_by().is_none());
    let open: Vec<Mutant> = open.map(|(mutant, _)| mutant).collect();
    let found = search(f, &open, seed, rounds);
    let cases: Vec<Case> = found.iter().flatten().cloned().collect();
    let line = |args: &Case| {
        let mut case = case_of(f, args)?;
        case.results = vec![value(kind_of(f.results[0]), &f.host(args)).canonical()];
        Some(format!("{case:#}"))
    };
    Found {
        lines: fewest(f, &open, &cases).into_iter().filter_map(|i| line(&cases[i])).collect(),
        mutants: (open.len(), found.iter().filter(|case| case.is_none()).count()),
    }
}

/// Few cases that kill all mutants that any of the cases kills: the one that kills most, then the one that kills most of the
/// others, and so on.
fn fewest(f: &Function, mutants: &[Mutant], cases: &[Case]) -> Vec<usize> {
    let killed_by = |case: &Case| -> Vec<bool> {
        let fates = fates(&f.tape, mutants, &columns(f, std::slice::from_ref(case)));
        fates.into_iter().map(|fate| fate.killed_by().is_some()).collect()
    };
    let kills: Vec<Vec<bool>> = cases.par_iter().map(killed_by).collect();
    let mut left = vec![true; mutants.len()];
    let mut chosen = Vec::new();
    loop {
        let count = |i: &usize| kills[*i].iter().zip(&left).filter(|(killed, left)| **killed && **left).count();
        let Some(best) = (0..cases.len()).max_by_key(count).filter(|i| count(i) > 0) else { return chosen };
        left.iter_mut().zip(&kills[best]).for_each(|(left, killed)| *left &= !killed);
        chosen.push(best);
    }
}

/// For each of `mutants` a case that kills it, if one is found in `rounds` rounds of [`BLOCK`] cases.
pub fn search(f: &Function, mutants: &[Mutant], seed: u64, rounds: u64) -> Vec<Option<Vec<u64>>> {
    let mut search = Search::new(f, mutants, seed);
    for round in 0..rounds {
        if search.found.iter().all(Option::is_some) {
            break;
        }
        search.round(round);
    }
    search.found
}

type Case = Vec<u64>;

struct Search<'f> {
    f: &'f Function,
    mutants: &'f [Mutant],
    found: Vec<Option<Case>>,
    pools: Vec<Vec<(usize, Case)>>,
    corpus: Vec<Case>,
    seen: HashSet<u64>,
    /// Values of nodes and constants by type.
    values: [Vec<u64>; 4],
    operands: Operands<'f>,
    seed: u64,
}

/// The place of a type among those that arguments have.
fn place(ty: Ty) -> Option<usize> {
    match ty {
        Ty::F32 => Some(0),
        Ty::F64 => Some(1),
        Ty::U32 => Some(2),
        Ty::U64 => Some(3),
        Ty::Mask => None,
    }
}

impl<'f> Search<'f> {
    fn new(f: &'f Function, mutants: &'f [Mutant], seed: u64) -> Self {
        let mut values: [Vec<u64>; 4] = Default::default();
        for node in &f.tape.nodes {
            if let (Op::Const(bits), Some(place)) = (node.op, place(node.ty)) {
                let near = [bits, bits.wrapping_add(1), bits.wrapping_sub(1)];
                values[place].extend(near.map(|b| b & node.ty.bits_mask()));
            }
        }
        Search {
            f,
            mutants,
            found: vec![None; mutants.len()],
            pools: vec![Vec::new(); mutants.len()],
            corpus: Vec::new(),
            seen: HashSet::new(),
            values,
            operands: Operands::new(f),
            seed: counter::named_key(seed, &f.name()),
        }
    }

    fn round(&mut self, round: u64) {
        let open: Vec<usize> = (0..self.mutants.len()).filter(|&i| self.found[i].is_none()).collect();
        let bred = |i: u64| {
            let mut words = Words::new(self.seed, round << 16 | i);
            // The first rounds are generated, and one in four of the others directed.
            if round < 8 {
                return arguments(&self.f.params, self.seed, round << 16 | i);
            }
            if round.is_multiple_of(4) {
                let case = arguments(&self.f.params, self.seed, round << 16 | i);
                return self.operands.directed(case, &mut words);
            }
            let mutant = words.pick(&open);
            let pool = &self.pools[mutant];
            let parent = if !pool.is_empty() && words.one_in(2) {
                &pool[words.below(pool.len() as u64) as usize].1
            } else {
                &self.corpus[words.below(self.corpus.len() as u64) as usize]
            };
            let mut case = parent.clone();
            for _ in 0..1 + words.below(3) {
                self.mutate(&mut case, &mut words);
            }
            self.operands.make_valid(&mut case);
            case
        };
        let cases: Vec<Case> = (0..BLOCK as u64).map(bred).collect();
        self.take(cases, round, &open);
    }

    /// Keeps what is new in these cases, and what they show of the open mutants.
    fn take(&mut self, cases: Vec<Case>, round: u64, open: &[usize]) {
        let mut watch = Watch::new(&self.f.tape);
        watch.load((0..self.f.tape.args.len()).map(|s| cases.iter().map(|c| c[s]).collect()).collect());
        self.learn(&watch, &cases, round);
        let start = || Interpreter::of_mutants(&self.f.tape);
        let one = |other: &mut Interpreter<'f>, &i: &usize| (i, follow(&watch, other, &self.mutants[i], &cases, round));
        let seen: Vec<(usize, Followed)> = open.par_iter().map_init(start, one).collect();
        for (i, seen) in seen {
            match seen {
                Followed::Killed(case) => self.found[i] = Some(case),
                Followed::Infected(cases) => {
                    let pool = &mut self.pools[i];
                    pool.extend(cases);
                    // Those that go far, and among them the newest.
                    pool.reverse();
                    pool.sort_by_key(|c| std::cmp::Reverse(c.0));
                    pool.truncate(POOL);
                }
            }
        }
    }

    /// Keeps the cases that show something new.
    fn learn(&mut self, watch: &Watch<'_>, cases: &[Case], round: u64) {
        let tape = &self.f.tape;
        let sound = watch.sound();
        let mut path = vec![0u64; cases.len()];
        for b in 0..tape.branches.len() {
            sound.taken(b as u32).iter().for_each(|&i| path[i as usize] |= 1 << (b % 64));
        }
        let mut masks = path.clone();
        let mut new = vec![false; cases.len()];
        let mut words = Words::new(self.seed ^ 1, round);
        for (id, node) in tape.nodes.iter().enumerate() {
            let (reached, values) = sound.values(id as u32);
            if values.is_empty() {
                continue;
            }
            if let Some(place) = place(node.ty) {
                let pool = &mut self.values[place];
                let value = words.pick(values);
                let at = words.below(512) as usize;
                if pool.len() < 512 { pool.push(value) } else { pool[at] = value }
            }
            for (&i, &v) in reached.iter().zip(values) {
                let class = class(node.ty, v);
                if node.ty == Ty::Mask {
                    masks[i as usize] = (masks[i as usize] ^ v).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(7);
                }
                let feature = (id as u64) << 8 | class;
                let feature = feature ^ path[i as usize].wrapping_mul(0x9e37_79b9_7f4a_7c15);
                new[i as usize] |= self.seen.insert(feature);
            }
            self.equal_operands(watch, id as u32, &mut new);
        }
        for (i, case) in cases.iter().enumerate() {
            if new[i] || (self.seen.len() < 1 << 16 && self.seen.insert(masks[i])) {
                if self.corpus.len() < CORPUS {
                    self.corpus.push(case.clone());
                } else {
                    let at = words.below(CORPUS as u64) as usize;
                    self.corpus[at] = case.clone();
                }
            }
        }
    }

    /// Operands of a comparison that are equal are something new.
    fn equal_operands(&mut self, watch: &Watch<'_>, id: u32, new: &mut [bool]) {
        let node = watch.tape().node(id);
        if !matches!(node.op, Op::Lt | Op::Le | Op::LtSigned | Op::Eq) {
            return;
        }
        let (a, b) = (watch.sound().values(node.args()[0]), watch.sound().values(node.args()[1]));
        if a.0 == b.0 {
            for ((&i, x), y) in a.0.iter().zip(a.1).zip(b.1) {
                if x == y {
                    new[i as usize] |= self.seen.insert(u64::from(id) << 8 | 0xff);
                }
            }
        }
    }

    fn mutate(&self, case: &mut Case, words: &mut Words) {
        let tape = &self.f.tape;
        if self.operands.change(case, words) {
            return;
        }
        let slot = words.below(tape.args.len() as u64) as usize;
        let ty = tape.args[slot];
        let mask = ty.bits_mask();
        let Some(place) = place(ty) else {
            case[slot] ^= 1;
            return;
        };
        let same = |words: &mut Words| {
            let slots: Vec<usize> = (0..tape.args.len()).filter(|&s| tape.args[s] == ty).collect();
            words.pick(&slots)
        };
        let bits = u64::from(mask.count_ones());
        let values = &self.values[place];
        match (words.below(12), ty.is_float()) {
            (0, _) => case[slot] ^= 1 << words.below(bits),
            (1, _) => case[slot] = case[slot].wrapping_add(words.below(9)).wrapping_sub(4),
            (2, _) => case[slot] &= !0 << words.below(bits),
            (3, _) => {
                let other = same(words);
                case[slot] = case[other];
            }
            (4 | 5, _) if !values.is_empty() => case[slot] = words.pick(values),
            (6, true) => case[slot] ^= 1 << (bits - 1),
            (6, false) => case[slot] = !case[slot],
            (7, true) => {
                let other = same(words);
                case.swap(slot, other);
            }
            (7, false) => case[slot] = (1 << words.below(bits)) + words.below(3) - 1,
            (8, true) => {
                // Both limbs of an argument, or one.
                let p = if ty == Ty::F32 { 23 } else { 52 };
                let by = (words.below(2 * p + 80) << p).wrapping_sub((p + 40) << p);
                let pair = slot ^ 1;
                let slots = if pair < case.len() && tape.args[pair] == ty && words.one_in(2) {
                    [slot, pair]
                } else {
                    [slot; 2]
                };
                let once = if slots[0] == slots[1] { &slots[..1] } else { &slots[..] };
                once.iter().for_each(|&s| case[s] = case[s].wrapping_add(by));
            }
            (9, true) => {
                // The second limb at half an ulp of the first, and near it.
                let p = if ty == Ty::F32 { 24 } else { 53 };
                let (hi, lo) = (slot & !1, slot | 1);
                if lo < case.len() && tape.args[lo] == ty {
                    let exponent = case[hi] >> (p - 1) & (mask >> p);
                    let below = exponent.saturating_sub(p + words.below(3) - 1);
                    let sign = words.below(2) << (bits - 1);
                    case[lo] = (sign | below << (p - 1)).wrapping_add(words.below(3)).wrapping_sub(1);
                }
            }
            (10, true) => {
                let p = if ty == Ty::F32 { 23 } else { 52 };
                let exponents = mask >> 1 >> p;
                let exponent = if words.one_in(2) {
                    words.below(exponents + 1)
                } else {
                    exponents & (words.below(4).wrapping_sub(2))
                };
                case[slot] = case[slot] & !(exponents << p) | exponent << p;
            }
            (8..=10, false) => case[slot] >>= words.below(bits),
            _ => case[slot] = words.next(),
        }
        case[slot] &= mask;
        case.iter_mut().zip(&tape.args).for_each(|(bits, ty)| *bits &= ty.bits_mask());
    }
}

/// What kind of value it is.
fn class(ty: Ty, bits: u64) -> u64 {
    match ty {
        Ty::F32 => {
            let x = f32::from_bits(bits as u32);
            x.classify() as u64 | u64::from(x.is_sign_negative()) << 3 | u64::from(x.abs() == f32::MAX) << 4
        }
        Ty::F64 => {
            let x = f64::from_bits(bits);
            x.classify() as u64 | u64::from(x.is_sign_negative()) << 3 | u64::from(x.abs() == f64::MAX) << 4
        }
        Ty::U32 | Ty::U64 => u64::from(bits.leading_zeros()) | u64::from(bits == ty.bits_mask()) << 7,
        Ty::Mask => bits,
    }
}

enum Followed {
    Killed(Case),
    /// How far the difference goes, and the case.
    Infected(Vec<(usize, Case)>),
}

fn follow<'f>(watch: &Watch<'f>, other: &mut Interpreter<'f>, mutant: &Mutant, cases: &[Case], round: u64) -> Followed {
    let infected = watch.infected(mutant);
    if infected.is_empty() {
        return Followed::Infected(Vec::new());
    }
    let skip = (round as usize * 7) % infected.len();
    let mut part: Vec<u32> = infected.iter().cycle().skip(skip).take(FOLLOWED.min(infected.len())).copied().collect();
    part.sort_unstable();
    other.change(Some(mutant));
    if let Some(i) = watch.differing(other, &part) {
        return Followed::Killed(cases[i].clone());
    }
    let args: Vec<Vec<u64>> = watch.args().iter().map(|a| part.iter().map(|&i| a[i as usize]).collect()).collect();
    other.run(&args);
    let mut reach = vec![0; part.len()];
    for id in 0..watch.tape().nodes.len() as u32 {
        let ((reached, wrong), (cases, right)) = (other.values(id), watch.sound().values(id));
        for (&k, w) in reached.iter().zip(wrong) {
            let same = cases.binary_search(&part[k as usize]).is_ok_and(|i| right[i] == *w);
            reach[k as usize] += usize::from(!same);
        }
    }
    Followed::Infected(reach.into_iter().zip(part).map(|(r, i)| (r, cases[i as usize].clone())).collect())
}
