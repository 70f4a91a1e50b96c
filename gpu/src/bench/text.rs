//! Kernels of chained evaluations.
//!
//! Evaluations form *chains*: each takes the last result of its chain. Where a second operand *changes*, it is the last
//! result of another chain: chains take turns in twos or threes, so that one result always waits for the one before, or
//! each chain in turn is the second operand of all others ([`Arrangement`]). An instruction with three operands in
//! registers waits for the register file unless it shares one with the instruction before, so that arrangements differ in
//! speed; addends that do not change are parameters of the kernel, which are no registers. Values stay in range: a = a + b, b = b - a turns in a circle, a = b / a, b = a / b has period 3, a = a b + c with small c
//! tends to a fixed point. Others are brought back to [1, 2) now and then by integer operations on exponents: products
//! of growing numbers, repeated roots, which tend to one, and sums at level low, where three chains take turns and grow
//! by a tenth from one to the next (there, a + b and b - (a + b) share an operation, which compilers find). Every result is an
//! operand twice, so that what is done to an operand alone, such as taking an emulated double apart, may be done once.

use super::model::Counts;
use super::operation::{Definitions, is_shared, limb, limbs, name, tape, value};
use super::speed::Operands;
use super::{Author, Subject};
use crate::device::{Api, Source};
use crate::kernel::{dialect, environment as environment_of_kernels};
use crate::print::{Dialect, Rare};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Write};
use vernier_tape::io::Kind;
use vernier_tape::tape::Ty;

/// What printed code and templates need around them.
pub(super) fn environment(api: Api) -> String {
    let ours = match api {
        Api::Cuda => include_str!("cuda.txt"),
        Api::OpenCl => include_str!("opencl.txt"),
    };
    [environment_of_kernels(api), ours].concat()
}

/// How the chains of a thread depend on each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Arrangement {
    /// So many groups of one, two or three chains that take turns.
    Groups(u32),
    /// Of so many chains each in turn is the second operand of all others.
    Rotating(u32),
}

impl fmt::Display for Arrangement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Arrangement::Groups(n) => write!(f, "{n} groups"),
            Arrangement::Rotating(n) => write!(f, "{n} rotating"),
        }
    }
}

/// A kernel of chained evaluations of one operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Chain {
    /// The type.
    pub subject: Subject,
    /// The operation.
    pub op: &'static str,
    /// Whose sequence.
    pub author: Author,
    /// Whether operands beside the first change.
    pub operands: Operands,
    /// Which results in a thread wait for each other.
    pub arrangement: Arrangement,
    /// Instructions in a loop body, about.
    pub body: u32,
}

/// Where a chain or a constant starts: an exponent, and which fraction bits are random.
#[derive(Clone, Copy)]
enum Start {
    /// [1, 2).
    One,
    /// 1 + 2^-18 at most.
    NearOne,
    /// [1/4, 1/2).
    Quarter,
    /// [1/8, 1/4).
    Eighth,
    /// (-1/4, -1/8].
    MinusEighth,
    /// [`ADDEND`], the same in all threads.
    Parameter,
}

/// Instructions in a usual loop body.
const BODY: u32 = 512;
/// hi and lo of the addend that is a parameter of the kernel.
pub(super) const ADDEND: [f64; 2] = [-0.176_776_69, 1.0 / (1u64 << 30) as f64];

/// What brings a chain back to [1, 2).
#[derive(Clone, Copy)]
enum Fold {
    /// The fraction of hi stays.
    All,
    /// The lowest fraction bits of hi stay.
    Lowest,
    /// The fraction of hi moves up by 8 bits.
    Shifted,
}

/// What chains do.
struct Script {
    /// Statements on chains X, Y, Z, or the first of them, and constants C and D; `@op(` is a call.
    turn: &'static [&'static str],
    chain: Start,
    constants: [Option<Start>; 2],
    /// After so many turns.
    fold: Option<(Fold, usize)>,
}

fn script(subject: Subject, op: &str, operands: Operands) -> Option<Script> {
    use Start::{Eighth, MinusEighth, NearOne, One, Parameter, Quarter};
    let of = |turn, chain, c: Option<Start>, d: Option<Start>| Script { turn, chain, constants: [c, d], fold: None };
    let low = subject.is_pair() && subject.level() == "low";
    Some(match (op, operands) {
        ("add", Operands::Changing) if low => Script {
            fold: Some((Fold::All, 128)),
            ..of(&["X = @add(Z, X);", "Y = @sub(X, Y);", "Z = @sub(Y, Z);"], One, None, None)
        },
        ("add", Operands::Changing) => of(&["X = @add(X, Y);", "Y = @sub(Y, X);"], One, None, None),
        ("add", Operands::Constant) => {
            of(&["X = @add(X, C);", "X = @sub(X, D);", "X = @sub(X, C);", "X = @add(X, D);"], One, Some(One), Some(One))
        }
        ("acc", Operands::Changing) if low => Script {
            fold: Some((Fold::All, 128)),
            ..of(&["X = @acc(Z, X.hi);", "Y = @acc(X, -Y.hi);", "Z = @acc(Y, -Z.hi);"], One, None, None)
        },
        ("acc", Operands::Changing) => of(&["X = @acc(X, Y.hi);", "Y = @acc(Y, -X.hi);"], One, None, None),
        ("acc", Operands::Constant) => of(
            &["X = @acc(X, C.hi);", "X = @acc(X, -D.hi);", "X = @acc(X, -C.hi);", "X = @acc(X, D.hi);"],
            One,
            Some(One),
            Some(One),
        ),
        ("mul", Operands::Changing) => Script {
            fold: Some((Fold::Lowest, 16)),
            ..of(&["X = @mul(X, Y);", "Y = @mul(Y, X);"], NearOne, None, None)
        },
        // D is made 1 / C.
        ("mul", Operands::Constant) => of(&["X = @mul(X, C);", "X = @mul(X, D);"], One, Some(One), Some(One)),
        ("div", Operands::Changing) => of(&["X = @div(Y, X);", "Y = @div(X, Y);"], One, None, None),
        ("div", Operands::Constant) => of(&["X = @div(X, C);", "X = @div(X, D);"], One, Some(One), Some(One)),
        ("fma", Operands::Changing) => {
            of(&["X = @fma(X, Y, C);", "Y = @fma(Y, X, C);"], Quarter, Some(Parameter), None)
        }
        ("fma", Operands::Constant) => {
            of(&["X = @fma(Y, C, X);", "Y = @fma(X, D, Y);"], One, Some(Eighth), Some(MinusEighth))
        }
        ("mad", Operands::Changing) => {
            of(&["X = @mad(X, Y, C);", "Y = @mad(Y, X, C);"], Quarter, Some(Parameter), None)
        }
        ("mad", Operands::Constant) => {
            of(&["X = @mad(Y, C, X);", "Y = @mad(X, D, Y);"], One, Some(Eighth), Some(MinusEighth))
        }
        ("sqrt", Operands::Changing) => {
            Script { fold: Some((Fold::Shifted, 8)), ..of(&["X = @sqrt(X);"], One, None, None) }
        }
        ("rsqrt", Operands::Changing) => {
            Script { fold: Some((Fold::Shifted, 8)), ..of(&["X = @rsqrt(X);"], One, None, None) }
        }
        _ => return None,
    })
}

/// Everything that can be measured for these subjects, in so many groups of chains. The published sequences, and the
/// latency of both, only for CUDA.
pub fn chains(api: Api, subjects: &[Subject], groups: u32) -> Vec<Chain> {
    let arrangement = Arrangement::Groups(groups);
    let mut list = Vec::new();
    for &subject in subjects {
        for op in ["add", "mul", "acc", "fma", "mad", "div", "sqrt", "rsqrt"] {
            // What all levels share is measured once.
            let level = if subject.is_emulated() { "high" } else { "mid" };
            if is_shared(subject, op) && subject.level() != level || tape(subject, op).is_none() {
                continue;
            }
            let published = api == Api::Cuda && subject.is_pair() && matches!(op, "div" | "sqrt" | "rsqrt");
            let authors: &[Author] = if published { &[Author::Vernier, Author::Published] } else { &[Author::Vernier] };
            for &author in authors {
                for operands in [Operands::Changing, Operands::Constant] {
                    if script(subject, op, operands).is_some() {
                        list.push(Chain { subject, op, author, operands, arrangement, body: BODY });
                    }
                }
            }
        }
    }
    list
}

impl Chain {
    /// The name of its kernel.
    pub fn kernel(&self) -> String {
        let operands = if self.operands == Operands::Changing { "changing" } else { "constant" };
        let arrangement = match self.arrangement {
            Arrangement::Groups(n) => n.to_string(),
            Arrangement::Rotating(n) => format!("rotating{n}"),
        };
        format!("chain_{}_{operands}_{arrangement}_{}", name(self.subject, self.op, self.author), self.body)
    }

    /// One group of chains: results that wait for each other.
    pub fn single(&self) -> Chain {
        Chain { arrangement: Arrangement::Groups(1), body: BODY, ..*self }
    }

    /// The same in every arrangement, and with shorter and longer bodies where compilers find other registers for them.
    pub fn arrangements(&self) -> Vec<Chain> {
        // The integers of emulated doubles and the rare paths of high are more than registers and bodies can help.
        let few = self.subject.is_emulated() || self.subject.level() == "high";
        let rotates = self.operands == Operands::Changing && matches!(self.op, "mul" | "fma" | "mad");
        let rotating: &[u32] = if rotates && !few { &[3, 4, 5, 6, 8] } else { &[] };
        let groups = [1, 2, 3, 4].map(Arrangement::Groups);
        let all = groups.into_iter().chain(rotating.iter().map(|&n| Arrangement::Rotating(n)));
        let varies = self.operands == Operands::Changing && !self.subject.is_native() && !few;
        let bodies: &[u32] = if varies || self.op == "div" && !self.subject.is_emulated() {
            &[BODY, BODY / 2, 2 * BODY, 4 * BODY]
        } else {
            &[BODY]
        };
        all.flat_map(|arrangement| bodies.iter().map(move |&body| Chain { arrangement, body, ..*self })).collect()
    }

    fn script(&self) -> Script {
        script(self.subject, self.op, self.operands).expect("a chain of `chains`")
    }

    /// Chains that take turns.
    fn together(&self) -> u32 {
        let turn = self.script().turn.concat();
        "XYZ".chars().filter(|&c| turn.contains(c)).count() as u32
    }

    /// Chains in a thread.
    pub fn count(&self) -> u32 {
        match self.arrangement {
            Arrangement::Groups(n) => self.together() * n,
            Arrangement::Rotating(n) => n,
        }
    }

    /// Evaluations of a thread in one turn.
    fn evaluations_in_turn(&self) -> u32 {
        match self.arrangement {
            Arrangement::Groups(n) => self.script().turn.len() as u32 * n,
            Arrangement::Rotating(n) => n - 1,
        }
    }

    /// Turns in a loop body, and loop bodies between two folds.
    fn unroll(&self) -> (usize, usize) {
        let cost = tape(self.subject, self.op).map_or(1.0, |t| Counts::of(&t).total().max(1.0));
        let turns = f64::from(self.body) / (cost * f64::from(self.evaluations_in_turn()));
        let turns = (turns as usize).clamp(1, 512);
        match self.script().fold {
            // `every` is a power of two.
            Some((_, every)) => {
                let turns = (1 << turns.ilog2()).min(every);
                (turns, every / turns)
            }
            None => (turns, 1),
        }
    }

    /// Evaluations by a thread in one loop body.
    pub fn evaluations_in_body(&self) -> u64 {
        self.unroll().0 as u64 * u64::from(self.evaluations_in_turn())
    }

    /// Evaluations by a thread in one round.
    pub fn evaluations(&self) -> u64 {
        self.evaluations_in_body() * self.unroll().1 as u64
    }

    /// The chains that the letters of a statement stand for, for each evaluation of turn number `turn`, by statement.
    fn turn(&self, turn: usize) -> Vec<(&'static str, Vec<String>)> {
        let script = self.script();
        let chain = |j: u32| format!("x{j}");
        match self.arrangement {
            Arrangement::Groups(n) => {
                let together = self.together();
                let group = move |p: u32| (0..together).map(|c| chain(p * together + c)).collect::<Vec<_>>();
                let statements = script.turn.iter();
                statements.flat_map(|&s| (0..n).map(move |p| (s, group(p)))).collect()
            }
            Arrangement::Rotating(n) => {
                let second = turn as u32 % n;
                let others = (0..n).filter(|&k| k != second);
                others.map(|k| (script.turn[0], vec![chain(k), chain(second)])).collect()
            }
        }
    }
}

/// A program with the kernels of `list`.
pub fn chain_source(api: Api, list: &[Chain], rare: Rare) -> Source {
    let dialect = &*dialect(api);
    let mut d = Definitions::new(dialect, rare);
    d.0.text += &environment(api);
    for chain in list {
        kernel(&mut d, chain);
    }
    Source::new(if api == Api::Cuda { "bench.cu" } else { "bench.cl" }, d.0.text)
}

fn kernel(d: &mut Definitions<'_>, chain: &Chain) {
    let script = chain.script();
    let (dialect, subject) = (d.0.dialect, chain.subject);
    let [mut start, mut body, mut store] = [String::new(), String::new(), String::new()];
    let all: Vec<String> = (0..chain.count()).map(|j| format!("x{j}")).collect();
    let ty = dialect.kind(subject.kind());
    d.parts(subject);
    for (j, n) in all.iter().enumerate() {
        let _ = writeln!(start, "    {ty} {n} = {};", started(dialect, subject, script.chain, j));
    }
    for (j, (c, at)) in ["c", "d"].iter().zip(script.constants).enumerate() {
        let Some(at) = at else { continue };
        let mut text = started(dialect, subject, at, all.len() + j);
        if *c == "d" && matches!(chain.op, "mul" | "div") {
            let reciprocal = d.operation(subject, "div", Author::Vernier);
            let one = value(dialect, subject.kind(), &limb(dialect, subject, 1.0), "0");
            text = format!("{reciprocal}({one}, c)");
        }
        let _ = writeln!(start, "    const {ty} {c} = {text};");
    }
    let (turns, bodies) = chain.unroll();
    for turn in 0..turns {
        for (statement, chains) in chain.turn(turn) {
            let op = statement.split('@').nth(1).and_then(|s| s.split('(').next()).unwrap_or(chain.op);
            let call = d.operation(subject, op, chain.author);
            let hi = limbs(dialect, subject.kind(), "").swap_remove(0);
            let statement = statement.replace(".hi", &hi).replace(&format!("@{op}"), &call);
            let _ = writeln!(body, "        {}", substitute(&statement, &chains));
        }
    }
    if bodies > 1 {
        body = format!("    BENCH_ROLLED\n    for (vernier_u32 j = 0; j < {bodies}u; j++) {{\n{body}    }}\n");
    }
    if let Some((fold, _)) = script.fold {
        if subject.is_emulated() {
            start += &unit(dialect);
        }
        all.iter().for_each(|n| body += &folded(dialect, subject, fold, n));
    }
    let slots = subject.limbs();
    for (j, n) in all.iter().enumerate() {
        for (s, limb) in limbs(dialect, subject.kind(), n).iter().enumerate() {
            let _ = writeln!(store, "    out[{} * (vernier_u64)t + {}] = {limb};", slots * all.len(), slots * j + s);
        }
    }
    d.0.text += &include_str!("chain.txt")
        .replace("$what", &name(subject, chain.op, chain.author))
        .replace("$name", &chain.kernel())
        .replace("$limb", dialect.ty(subject.limb()))
        .replace("$start", &start)
        .replace("$body", &body)
        .replace("$store", &store);
}

/// Chains and constants for the capitals of a statement.
fn substitute(statement: &str, chains: &[String]) -> String {
    let mut out = String::new();
    for c in statement.chars() {
        match (c, "XYZ".find(c).and_then(|i| chains.get(i))) {
            (_, Some(name)) => out += name,
            ('C' | 'D', _) => out.push(c.to_ascii_lowercase()),
            _ => out.push(c),
        }
    }
    out
}

/// The starting value number `j` of thread t.
fn started(dialect: &dyn Dialect, subject: Subject, start: Start, j: usize) -> String {
    if matches!(start, Start::Parameter) {
        return value(dialect, subject.kind(), "addend_hi", "addend_lo");
    }
    let (sign, below, random) = match start {
        Start::One => (0u32, 0u32, 0u32),
        Start::NearOne => (0, 0, 18),
        Start::Quarter => (0, 2, 0),
        Start::Eighth => (0, 3, 0),
        Start::MinusEighth | Start::Parameter => (1, 3, 0),
    };
    let random_bits = |k: usize| format!("bench_random(t, {}u, seed)", 2 * j + k);
    let (hi, lo) = if subject.limb() == Ty::F32 {
        let (hi, lo) = (sign << 31 | (127 - below) << 23, (102 - below) << 23);
        let of = |base: u32, shift: u32, k| format!("bench_f32(0x{base:x}u | ({} >> {shift}))", random_bits(k));
        (of(hi, 9 + random, 0), of(lo, 9, 1))
    } else {
        let (hi, lo) = (sign << 31 | (1023 - below) << 20, (969 - below) << 20);
        let of = |base: u32, shift: u32, k: usize| {
            let (high, low) = (random_bits(k), random_bits(k + 1000));
            let bits = format!("(vernier_u64)(0x{base:x}u | ({high} >> {shift})) << 32 | {low}");
            if subject.is_emulated() { format!("({bits})") } else { format!("bench_f64({bits})") }
        };
        (of(hi, 12 + random, 0), of(lo, 12, 1))
    };
    value(dialect, subject.kind(), &hi, &lo)
}

/// The bits of 1 that [`folded_integers`] takes, which compilers cannot know.
const UNIT: &str = "unit";

fn unit(dialect: &dyn Dialect) -> String {
    let difference = dialect.literal(Ty::U64, ADDEND[0].to_bits() ^ 1f64.to_bits());
    format!("    const vernier_u64 {UNIT} = addend_hi ^ {difference};\n")
}

/// The chain of an emulated double back in [1, 2).
fn folded_integers(dialect: &dyn Dialect, kind: Kind, fold: Fold, n: &str) -> String {
    let (significand, digits) = match kind {
        Kind::Unpacked => (dialect.member(n, 2, kind), 61),
        _ => (n.to_string(), 52),
    };
    let (below, moved) = match fold {
        Fold::All => (digits, significand.clone()),
        Fold::Lowest => (digits - 18, significand.clone()),
        Fold::Shifted => (digits, format!("({significand} << 8)")),
    };
    let fraction = format!("({moved} & {})", dialect.literal(Ty::U64, (1 << below) - 1));
    if kind != Kind::Unpacked {
        return format!("        {n} = {fraction} | {UNIT};\n");
    }
    let [sign, exponent] = [0, 1].map(|slot| dialect.member(n, slot, kind));
    let one = dialect.literal(Ty::U64, 1 << digits);
    format!(
        "        {significand} = {fraction} | {one};\n        {sign} = (vernier_u32)({UNIT} >> 63);\n        \
         {exponent} = (vernier_u32)({UNIT} >> 52);\n"
    )
}

/// The chain back in [1, 2) with lo in (0, half an ulp), by integer operations.
fn folded(dialect: &dyn Dialect, subject: Subject, fold: Fold, n: &str) -> String {
    let mut out = String::new();
    let (width, fraction, one, small) = if subject.limb() == Ty::F32 {
        (32, 0x7f_ffffu64, 0x3f80_0000u64, 0x3300_0000u64)
    } else {
        (64, 0xf_ffff_ffff_ffff, 0x3ff0_0000_0000_0000, 0x3c90_0000_0000_0000)
    };
    if subject.is_emulated() {
        return folded_integers(dialect, subject.kind(), fold, n);
    }
    for (s, limb) in limbs(dialect, subject.kind(), n).iter().enumerate() {
        let bits = format!("bench_b{width}({limb})");
        let suffix = if width == 32 { "u" } else { "ul" };
        let text = match (s, fold) {
            (0, Fold::All) => format!("({bits} & 0x{fraction:x}{suffix}) | 0x{one:x}{suffix}"),
            (0, Fold::Lowest) => format!("({bits} & 0x{:x}{suffix}) | 0x{one:x}{suffix}", fraction >> 18),
            (0, Fold::Shifted) => format!("(({bits} << 8) & 0x{fraction:x}{suffix}) | 0x{one:x}{suffix}"),
            _ => format!("({bits} & 0x{fraction:x}{suffix}) | 0x{small:x}{suffix}"),
        };
        let _ = writeln!(out, "        {limb} = bench_f{width}({text});");
    }
    out
}
