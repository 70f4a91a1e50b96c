//! Proof that a fault changes no result: the function and its faulty twin as one circuit of gates, of which a SAT solver
//! (Eén and Sörensson 2003) says whether any input tells them apart.
//!
//! Words, bits, shifts, selections and comparisons become gates. A rounded operation is *opaque*: equal operands give equal
//! results, and nothing else is known about it but bounds that follow from those of its operands ([`magnitude`]). So is a
//! product with a constant of many bits, as counters are scrambled by. So "no input" holds for every input of the function,
//! and an input that is found is tried on the tape before it is believed. Equal gates are one, so that most faults leave a small circuit: where
//! it vanishes, the fault is without effect by the bits that are known (an exact shift, a mask of zeros).
//!
//! Where rounding matters, the function is taken *on a scale*: its limbs have an IEEE format of few bits, with subnormal
//! numbers, overflow, infinities and NaN, its constants those that it would have there ([`scale`]), and every rounded
//! operation is exact gates ([`float`]). "No input" then holds for all limbs of that format.
//!
//! Each question is first asked about a *window*, the gates next to the fault, whose inputs are taken as free: few gates
//! answer it where the reason is near.
//!
//! From the fault on, each value that agrees with its twin in all simulated cases is asked to agree always (Kuehlmann and
//! Krohm 1997): what depends on it needs no proof then, and an input where it does not joins the simulated cases.
//!
//! A proof that takes too long is made by cases ([`split`]), in each of which bits are given on which much depends.
//!
//! A function of one rounded operation whose operands have few digits, as those of reduced formats, needs no scale: what is known
//! of its result suffices ([`digits`]).
//!
//! On a scale a value that few bits decide is tried on all of them ([`local`]): two_sum is exact for all pairs of limbs,
//! whatever they are computed from.

mod circuit;
mod detour;
mod digits;
mod encode;
mod exhaust;
mod float;
mod formats;
mod lift;
mod local;
mod magnitude;
mod numbers;
mod program;
mod scale;
mod split;
mod word;

pub use detour::CASES as DETOURS;
pub use digits::by_digits;
pub use encode::scrambles;
pub use exhaust::{Tried, on_all_limbs, widest};
pub use float::Format;
pub use lift::Scale;
pub use split::by_cases;

use crate::contract::likely::{self, unpacked};
use circuit::{Answer, Block, Circuit, FALSE, LANES, Signal, TRUE, WIDE};
use encode::{Encoder, Opaque};
use magnitude::Magnitudes;
use split::Fixed;
use std::collections::HashMap;
use vernier_oracle::generate::counter::Words;
use vernier_tape::cases::arguments;
use vernier_tape::catch::Watch;
use vernier_tape::faults::Fault;
use vernier_tape::io::Kind;
use vernier_tape::registry::Function;
use vernier_tape::tape::{Node, Op, Ty};
use word::Word;

/// A slot of the arguments, and a bit of it.
type Bit = (usize, usize);

/// What is known of a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// No input changes a result.
    Equal,
    /// All that changes is that a rare path is taken more often, and it gives the results of the usual one.
    Detour,
    /// These arguments do.
    Case(Vec<u64>),
    /// Neither was found.
    Open,
}

/// The format that functions are tried in on a scale.
pub const SCALE: Format = Format { digits: 3, exponent: 5 };

/// The format in which values that four limbs decide are tried on all of them.
pub const PARTS: Format = Format { digits: 3, exponent: 4 };

/// Learnt clauses after which a proof is given up.
#[derive(Clone, Copy, Debug)]
struct Effort {
    /// Of a value on the way.
    value: u64,
    /// Of a result.
    result: u64,
}

const EFFORT: Effort = Effort { value: 500, result: 8_000 };
/// On a scale all that few bits decide is tried already.
const SCALED: Effort = Effort { value: 500, result: 10_000 };
/// Of the simulated cases.
const SEED: u64 = 1;
/// Blocks of 2^10 random cases on a scale.
const SAMPLES: u64 = 64;
/// Gates above which none is tried.
const GATES: usize = 2_000_000;

/// A function as a circuit.
#[derive(Clone, Debug)]
pub struct Prover<'f> {
    function: &'f Function,
    encoder: Encoder<'f>,
    /// The value of every node.
    sound: Vec<Word>,
    magnitudes: Magnitudes,
    /// For each branch whether the rare path alone is seen to give the right results.
    detours: Vec<bool>,
    effort: Effort,
    /// On a scale.
    limits: local::Limits,
    /// Bits of values that are given, and the signals that they would be.
    given: Vec<(Fixed, Signal)>,
    /// The question that was given up last.
    open: Vec<Signal>,
}

impl<'f> Prover<'f> {
    /// The circuit of a function; none where it is too large.
    pub fn new(function: &'f Function) -> Option<Self> {
        Self::build(function, None, &[], &[])
    }

    /// The circuit of a function over limbs of this format; none where it has more than limbs in it.
    pub fn on_scale(function: &'f Function, format: Format) -> Option<Self> {
        scale::fits(&function.tape, format).then(|| Self::build(function, Some(format), &[], &[])).flatten()
    }

    /// As [`Prover::on_scale`], for proofs by what four limbs of few bits decide, which takes minutes for a fault.
    pub fn in_parts(function: &'f Function) -> Option<Self> {
        let effort = Effort { value: 0, result: 1 };
        Self::on_scale(function, PARTS).map(|prover| Prover { effort, limits: local::MUCH, ..prover })
    }

    /// The circuit for all arguments with which a fault is active that makes `<=` of `<` or the reverse: operands are equal
    /// there, and so are bits of arguments that they consist of. None where these say nothing, and for other faults.
    pub fn where_equal(&self, fault: &Fault) -> Option<Self> {
        let Fault::Node { at, with, .. } = fault else { return None };
        let node = self.function.tape.node(*at);
        let compares = |op: Op| matches!(op, Op::Lt | Op::Le);
        if self.encoder.scale.is_some() || !compares(node.op) || !compares(with.op) || node.args() != with.args() {
            return None;
        }
        let &[a, b] = node.args() else { return None };
        if self.function.tape.node(a).ty.is_float() {
            return None;
        }
        let inputs = self.encoder.inputs.iter().enumerate();
        let place: HashMap<Signal, Bit> = inputs
            .flat_map(|(slot, word)| word.iter().enumerate().map(move |(bit, &s)| (s, (slot, bit))))
            .filter(|&(s, _)| s > TRUE)
            .collect();
        let bits = self.sound[a as usize].iter().zip(&self.sound[b as usize]);
        let pair = |(a, b): (&Signal, &Signal)| {
            let (a, b) = (*place.get(a)?, *place.get(b)?);
            (a != b).then(|| (a.max(b), a.min(b)))
        };
        let equal: Vec<(Bit, Bit)> = bits.filter_map(pair).collect();
        (!equal.is_empty()).then(|| Self::build(self.function, None, &[], &equal)).flatten()
    }

    /// Which arguments a proof is about.
    pub fn domain(&self) -> String {
        if unpacked::takes_numbers(self.function) {
            return "all numbers".into();
        }
        let all = format!("all 2^{} inputs", self.input_bits());
        if self.function.params.contains(&Kind::Format) { format!("{all} with a format") } else { all }
    }

    /// The number of bits of all arguments.
    pub fn input_bits(&self) -> usize {
        let bits: std::collections::BTreeSet<_> = self.encoder.inputs.iter().flatten().filter(|&&s| s > TRUE).collect();
        bits.len()
    }

    /// The circuit, with some bits of values given, and some bits of arguments equal to earlier ones.
    fn build(function: &'f Function, scale: Option<Format>, fixed: &[Fixed], equal: &[(Bit, Bit)]) -> Option<Self> {
        let tape = &function.tape;
        let mut encoder = Encoder::new(tape, scale);
        let case = |i: u64| {
            let case = arguments(&function.params, SEED, 97 * i);
            scale.map(|format| scale::case(&case, &tape.args, format)).unwrap_or(case)
        };
        let mut cases: Vec<Vec<u64>> = (0..64 * LANES as u64).map(case).collect();
        let directed = likely::directed(function, SEED, cases.len() as u64 / 2);
        cases.iter_mut().step_by(2).zip(directed).for_each(|(case, directed)| *case = directed);
        let simulated = |bit: &dyn Fn(&[u64]) -> bool| {
            let word = |lane: usize| {
                let cases = cases[64 * lane..64 * (lane + 1)].iter().enumerate();
                cases.fold(0, |word, (i, case)| word | u64::from(bit(case)) << i)
            };
            std::array::from_fn(word)
        };
        let numbers = unpacked::takes_numbers(function);
        for &kind in &function.params {
            if numbers && matches!(kind, Kind::Unpacked | Kind::Unpacked2) {
                for _ in 0..kind.slots().len() / 3 {
                    let slot = encoder.inputs.len();
                    let words = numbers::any(&mut encoder.circuit, slot, &simulated);
                    encoder.inputs.extend(words);
                }
                continue;
            }
            if kind == Kind::Format {
                let slot = encoder.inputs.len();
                let input = |c: &mut Circuit, bit: usize| c.input(simulated(&|case| case[slot] >> bit & 1 == 1));
                let word = formats::any(&mut encoder.circuit, input);
                encoder.inputs.push(word);
                continue;
            }
            for &ty in kind.slots() {
                let width = encoder.width(ty);
                let (free, signed) = match kind {
                    Kind::I8 => (8, true),
                    Kind::U8 => (8, false),
                    Kind::I16 => (16, true),
                    Kind::U16 => (16, false),
                    _ => (width, false),
                };
                let slot = encoder.inputs.len();
                let mut word = Word::new();
                for bit in 0..free {
                    word.push(match equal.iter().find(|(later, _)| *later == (slot, bit)) {
                        Some(&(_, (s, b))) if s == slot => word[b],
                        Some(&(_, (s, b))) => encoder.inputs[s][b],
                        None => encoder.circuit.input(simulated(&|case| case[slot] >> bit & 1 == 1)),
                    });
                }
                let above = if signed { word[free - 1] } else { FALSE };
                word.resize(width, above);
                encoder.inputs.push(word);
            }
        }
        let (mut sound, mut given) = (Vec::new(), Vec::new());
        let plain = scale.is_none() && fixed.is_empty() && equal.is_empty();
        let mut magnitudes = Magnitudes::default();
        for (id, node) in (0..).zip(&tape.nodes) {
            let mut opaque = HashMap::new();
            let mut word = encoder.node(node, &sound, &mut opaque);
            if let Some(known) = plain.then(|| magnitudes.next(&mut encoder, &sound, node, &word)).flatten() {
                // What is the same as a node before has its word.
                if let Some(new) = opaque.values_mut().next() {
                    new.clone_from(&known);
                    word = known;
                }
            }
            for &fixed in fixed.iter().filter(|f| f.0 == id) {
                given.push((fixed, word[fixed.1]));
                word[fixed.1] = Signal::from(fixed.2);
            }
            sound.push(word);
            encoder.opaque.extend(opaque);
            if encoder.circuit.len() > GATES {
                return None;
            }
        }
        let detours = if plain { detour::allowed(function) } else { Vec::new() };
        let effort = if scale.is_some() { SCALED } else { EFFORT };
        let limits = local::SOME;
        Some(Prover { function, encoder, sound, magnitudes, detours, effort, limits, given, open: Vec::new() })
    }

    /// What holds where the given bits have their values.
    fn assumed(&self) -> Vec<Signal> {
        self.given.iter().map(|((_, _, value), signal)| signal ^ Signal::from(!value)).collect()
    }

    /// Whether no arguments give the given bits their values, as far as is easily seen.
    fn is_empty(&self) -> bool {
        self.encoder.circuit.can_be_true(&self.assumed(), self.effort.value) == Answer::Never
    }

    /// The value of a faulty node; what is as in the sound tape is given as there.
    fn value(&mut self, id: u32, node: &Node, values: &[Word], opaque: &mut HashMap<Opaque, Word>) -> Word {
        let mut word = self.encoder.node(node, values, opaque);
        for &((_, bit, value), signal) in self.given.iter().filter(|((node, ..), _)| *node == id) {
            if word[bit] == signal {
                word[bit] = Signal::from(value);
            }
        }
        word
    }

    /// Whether these are true together where the given bits have their values.
    fn ask(&mut self, signals: [Signal; 2], budget: u64) -> Answer {
        let all: Vec<Signal> = signals.into_iter().chain(self.assumed()).collect();
        let answer = self.encoder.circuit.can_be_true(&all, budget);
        if answer == Answer::Unknown {
            self.open = all;
        }
        answer
    }

    /// As [`Prover::prove`]; if that is open, also which of these bits is the first that matters.
    fn prove_or_split(&mut self, fault: &Fault, bits: &[(u32, usize)]) -> (Proof, Option<usize>) {
        let len = self.encoder.circuit.len();
        self.open.clear();
        let proof = self.search(fault);
        let split = (proof == Proof::Open).then(|| {
            let cone = self.encoder.circuit.cone(&self.open);
            let matters = |s: Signal| s > TRUE && cone.binary_search(&(s as usize >> 1)).is_ok();
            bits.iter().position(|&(node, bit)| matters(self.sound[node as usize][bit]))
        });
        self.encoder.circuit.truncate(len);
        (proof, split.flatten())
    }

    /// Looks for a proof, or a case that notices the fault.
    pub fn prove(&mut self, fault: &Fault) -> Proof {
        let len = self.encoder.circuit.len();
        let proof = self.search(fault);
        self.encoder.circuit.truncate(len);
        proof
    }

    fn search(&mut self, fault: &Fault) -> Proof {
        let tape = &self.function.tape;
        let mut values = self.sound.clone();
        let mut faulty = tape.body.results.clone();
        // What is opaque beyond the sound tape is forgotten with the fault.
        let mut opaque = HashMap::new();
        let mut witnesses = 0;
        // Where few simulated cases have the given bits, much seems to be equal.
        let few = self.encoder.circuit.all_true(&self.assumed()).iter().map(|w| w.count_ones()).sum::<u32>() < 16;
        // Nothing differs where the operation does not: said in every question, since it narrows the search.
        let mut active = TRUE;
        let mut detour = false;
        match fault {
            Fault::Results { results, .. } => faulty.clone_from(results),
            Fault::Node { at, with, .. } => {
                let scaled = self.encoder.scale.map(|format| scale::node(with, tape.node(*at), format));
                let with = match &scaled {
                    Some(None) => return Proof::Open,
                    Some(Some(node)) => node,
                    None => with,
                };
                if self.magnitudes.none_is_subnormal(&self.encoder, *at, with) {
                    return Proof::Equal;
                }
                if self.encoder.scale.is_some_and(|format| exhaust::unscales_subnormals(tape, fault, format)) {
                    return Proof::Open;
                }
                let seems = self.sampled(*at, with);
                if seems.last() == Some(&false) {
                    return Proof::Open;
                }
                let mut changed = vec![false; tape.nodes.len()];
                for id in *at as usize..tape.nodes.len() {
                    let this = id == *at as usize;
                    let node = if this { with } else { &tape.nodes[id] };
                    if !this && !self.encoder.operands(node).iter().any(|&o| changed[o as usize]) {
                        continue;
                    }
                    let word = self.value(id as u32, node, &values, &mut opaque);
                    let right = self.sound[id].clone();
                    if word == right {
                        continue;
                    }
                    if this {
                        active = self.differ(&word, &right);
                    }
                    changed[id] = true;
                    values[id].clone_from(&word);
                    if self.only_detours(tape, id as u32, &values, active) {
                        detour = true;
                        changed[id] = false;
                        values[id] = right;
                        continue;
                    }
                    if few || !self.seem_equal(&word, &right) || seems.get(id) == Some(&false) {
                        continue;
                    }
                    if let Some(format) = self.encoder.scale
                        && local::equal(tape, format, (*at, with), id as u32, &changed, self.limits)
                    {
                        changed[id] = false;
                        values[id] = right;
                        continue;
                    }
                    if self.encoder.scale.is_some() {
                        continue;
                    }
                    let differs = self.differ(&word, &right);
                    match self.ask([active, differs], self.effort.value) {
                        Answer::Never => {
                            changed[id] = false;
                            values[id] = right;
                        }
                        Answer::Unknown => {}
                        Answer::Witness(set) => {
                            if let Some(case) = self.noticing(fault, &set) {
                                return Proof::Case(case);
                            }
                            self.encoder.circuit.add_witness(witnesses % 64, &set);
                            witnesses += 1;
                        }
                    }
                }
            }
        }
        for (&right, &wrong) in tape.body.results.iter().zip(&faulty) {
            let differs =
                self.results_differ(&self.sound[right as usize].clone(), &values[wrong as usize], tape.node(right).ty);
            if self.encoder.scale.is_some() && !self.seem_equal(&[differs], &[FALSE]) {
                return Proof::Open;
            }
            match self.ask([active, differs], self.effort.result) {
                Answer::Never => {}
                Answer::Unknown => return Proof::Open,
                Answer::Witness(set) => return self.noticing(fault, &set).map_or(Proof::Open, Proof::Case),
            }
        }
        if detour { Proof::Detour } else { Proof::Equal }
    }

    /// On a scale, which nodes seem to be equal in spite of a fault, by many random cases; and, last, whether the results are.
    fn sampled(&mut self, at: u32, with: &Node) -> Vec<bool> {
        let Some(format) = self.encoder.scale else { return Vec::new() };
        let signals = self.differing(at, with);
        let draw = draw(&self.encoder.inputs, format);
        let ever = self.encoder.circuit.ever_true(&signals, SAMPLES, draw);
        ever.into_iter().map(|e| !e).collect()
    }

    /// Cases of the scale that notice a fault, at most `most`: the bits of each limb.
    pub fn cases_on_scale(&mut self, fault: &Fault, most: usize) -> Vec<Vec<u64>> {
        let Some(format) = self.encoder.scale else { return Vec::new() };
        let len = self.encoder.circuit.len();
        let Some(noticed) = self.noticed_on_scale(fault) else { return Vec::new() };
        let draw = draw(&self.encoder.inputs, format);
        let cases = self.encoder.circuit.true_cases(noticed, &self.encoder.inputs, (4 * SAMPLES, most), draw);
        self.encoder.circuit.truncate(len);
        cases
    }

    /// Whether a fault is noticed, if it has a counterpart on the scale.
    fn noticed_on_scale(&mut self, fault: &Fault) -> Option<Signal> {
        let (Some(format), Fault::Node { at, with, .. }) = (self.encoder.scale, fault) else { return None };
        let with = scale::node(with, self.function.tape.node(*at), format)?;
        self.differing(*at, &with).pop()
    }

    /// For each node whether it differs by a fault; and, last, whether the results do.
    fn differing(&mut self, at: u32, with: &Node) -> Vec<Signal> {
        let tape = &self.function.tape;
        let (mut values, mut opaque) = (self.sound.clone(), HashMap::new());
        let mut signals = vec![FALSE; tape.nodes.len()];
        for id in at as usize..tape.nodes.len() {
            let node = if id == at as usize { with } else { &tape.nodes[id] };
            let reads = self.encoder.operands(node).iter().any(|&o| values[o as usize] != self.sound[o as usize]);
            if id == at as usize || reads {
                values[id] = self.encoder.node(node, &values, &mut opaque);
                signals[id] = self.differ(&values[id], &self.sound[id].clone());
            }
        }
        let mut any = FALSE;
        for &r in &tape.body.results {
            let differs = self.results_differ(&self.sound[r as usize].clone(), &values[r as usize], tape.node(r).ty);
            any = self.encoder.circuit.or(any, differs);
        }
        signals.push(any);
        signals
    }

    fn results_differ(&mut self, a: &[Signal], b: &[Signal], ty: Ty) -> Signal {
        let differs = self.differ(a, b);
        if !ty.is_float() || differs == FALSE {
            return differs;
        }
        let (p, q) = (self.encoder.is_nan(a), self.encoder.is_nan(b));
        let both = self.encoder.circuit.and(p, q);
        self.encoder.circuit.and(differs, both ^ 1)
    }

    fn differ(&mut self, a: &[Signal], b: &[Signal]) -> Signal {
        let bits = self.encoder.circuit.map2(a, b, Circuit::xor);
        self.encoder.circuit.any(&bits)
    }

    /// Whether two words are the same in all simulated cases in which the given bits have their values.
    fn seem_equal(&self, a: &[Signal], b: &[Signal]) -> bool {
        let circuit = &self.encoder.circuit;
        let valid = circuit.all_true(&self.assumed());
        a.iter().zip(b).all(|(&a, &b)| circuit.seem_equal(a, b, &valid))
    }

    /// The arguments that a witness stands for, if they notice the fault. Those on a scale are none.
    fn noticing(&self, fault: &Fault, set: &[u32]) -> Option<Vec<u64>> {
        if self.encoder.scale.is_some() {
            return None;
        }
        let case = self.encoder.circuit.words_where(set, &self.encoder.inputs);
        let mut watch = Watch::new(&self.function.tape);
        watch.load(case.iter().map(|&b| vec![b]).collect());
        watch.noticed(fault).map(|_| case)
    }
}

/// Fills in the blocks of random limbs on a scale.
fn draw(inputs: &[Word], format: Format) -> impl Fn(u64, &mut [Block]) {
    move |block, values| {
        let mut words = Words::new(SEED, block);
        for (k, input) in inputs.iter().enumerate() {
            for (bit, &s) in input.iter().enumerate() {
                let exponent = (format.digits - 1..format.width() - 1).contains(&bit);
                values[s as usize >> 1] = match block % 4 {
                    // Exponents that are alike, no second limb, arguments that are alike.
                    1 if exponent && k > 0 && bit + 3 > format.digits => values[inputs[0][bit] as usize >> 1],
                    2 if k % 2 == 1 => [0; WIDE],
                    3 if k >= 2 => {
                        let same = values[inputs[k - 2][bit] as usize >> 1];
                        same.map(|x| x ^ (words.next() & words.next() & words.next()))
                    }
                    _ => std::array::from_fn(|_| words.next()),
                };
            }
        }
    }
}
