//! A tape computed on the host, many cases at a time.
//!
//! Values are columns of bit patterns, one per case. A rare path runs on the cases that take it, gathered.

use crate::mutants::Mutant;
use crate::round::{Rounded, directed32, directed64, flush32, flush64};
use crate::tape::{Block, Call, Id, Mode, Node, Op, Tape, Ty};

/// An interpreter of one tape; it keeps its working memory between runs, and the values of the last one.
#[derive(Debug)]
pub struct Interpreter<'t> {
    tape: &'t Tape,
    /// What each branch reads from outside.
    live_in: Vec<Vec<Id>>,
    /// The block that computes each node: 0 is the body, then the branches.
    home: Vec<u32>,
    /// The values in each block, in the same order.
    blocks: Vec<Values>,
    /// Interpreters of the callees that were needed.
    callees: Vec<Option<Interpreter<'t>>>,
    /// What is changed.
    mutant: Option<Mutant>,
}

/// The values of a block's nodes, and of those from outside that it reads.
#[derive(Clone, Debug, Default)]
struct Values {
    /// The cases that reach the block.
    cases: Vec<u32>,
    columns: Vec<Vec<u64>>,
}

impl<'t> Interpreter<'t> {
    /// An interpreter of `tape`.
    pub fn new(tape: &'t Tape) -> Self {
        let live_in = tape.branches.iter().map(|b| tape.live_in(&b.block)).collect();
        let mut home = vec![0; tape.nodes.len()];
        for (i, block) in tape.blocks().enumerate() {
            for &id in &block.items {
                home[id as usize] = i as u32;
                if let Op::Branch(b) = tape.node(id).op {
                    tape.branches[b as usize].outs.iter().for_each(|&o| home[o as usize] = i as u32);
                }
            }
        }
        let values = Values { cases: Vec::new(), columns: vec![Vec::new(); tape.nodes.len()] };
        let callees = tape.callees.iter().map(|_| None).collect();
        Interpreter { tape, live_in, home, blocks: vec![values; tape.branches.len() + 1], callees, mutant: None }
    }

    /// An interpreter of `tape` and of its mutants: see [`Interpreter::change`].
    pub fn of_mutants(tape: &'t Tape) -> Self {
        let mut new = Self::new(tape);
        // A mutant may read another limb of an argument than its block does.
        let arguments = 0..tape.args.len() as Id;
        for ids in &mut new.live_in {
            let missing: Vec<Id> = arguments.clone().filter(|id| !ids.contains(id)).collect();
            ids.extend(missing);
        }
        new
    }

    /// The next runs are those of this mutant.
    pub fn change(&mut self, mutant: Option<&Mutant>) {
        self.mutant = mutant.cloned();
    }

    fn node(&self, id: Id) -> Node {
        match &self.mutant {
            Some(Mutant::Node { at, with, .. }) if *at == id => *with,
            _ => *self.tape.node(id),
        }
    }

    /// The results of all cases: `args` has a column per argument, all of one length; so has the return value, per
    /// result.
    ///
    /// # Panics
    /// If there are fewer columns than arguments.
    pub fn run(&mut self, args: &[Vec<u64>]) -> Vec<Vec<u64>> {
        self.run_of(args.first().map_or(0, Vec::len), args)
    }

    /// The results of `n` cases.
    fn run_of(&mut self, n: usize, args: &[Vec<u64>]) -> Vec<Vec<u64>> {
        self.blocks.iter_mut().for_each(|b| b.cases.clear());
        let body = &mut self.blocks[0];
        body.cases.extend(0..n as u32);
        for (i, ty) in self.tape.args.iter().enumerate() {
            body.columns[i].clear();
            body.columns[i].extend(args[i].iter().map(|b| b & ty.bits_mask()));
        }
        self.block(0);
        let results = match &self.mutant {
            Some(Mutant::Results { results, .. }) => results,
            _ => &self.tape.body.results,
        };
        results.iter().map(|&r| self.blocks[0].columns[r as usize].clone()).collect()
    }

    /// The cases of the last run that computed a node, and its value in each.
    pub fn values(&self, id: Id) -> (&[u32], &[u64]) {
        let block = &self.blocks[self.home[id as usize] as usize];
        let column = &block.columns[id as usize];
        (&block.cases, column.get(..block.cases.len()).unwrap_or(&[]))
    }

    /// The cases of the last run that took a branch.
    pub fn taken(&self, branch: u32) -> &[u32] {
        &self.blocks[branch as usize + 1].cases
    }

    /// The values that `with` has in place of node `at`, whose operands come before it, in the last run of an
    /// [`Interpreter::of_mutants`].
    pub fn instead(&self, at: Id, with: &Node, out: &mut Vec<u64>) {
        let block = &self.blocks[self.home[at as usize] as usize];
        let n = block.cases.len();
        out.clear();
        if n == 0 {
            return;
        }
        evaluate(self.tape, with, self.operands(with, block), n, out);
    }

    /// The operands of a node. The reciprocal of a root is computed from the operand of the root, so that a mutant of the root
    /// stays there.
    fn operands<'v>(&self, node: &Node, values: &'v Values) -> [&'v [u64]; 4] {
        let mut args: [&[u64]; 4] = [&[]; 4];
        for (slot, &id) in args.iter_mut().zip(node.args()) {
            let id = if node.op == Op::Second { self.tape.node(id).args()[0] } else { id };
            *slot = &values.columns[id as usize];
        }
        args
    }

    fn block(&mut self, index: usize) {
        let tape = self.tape;
        let block: &Block = if index == 0 { &tape.body } else { &tape.branches[index - 1].block };
        let mut values = std::mem::take(&mut self.blocks[index]);
        let n = values.cases.len();
        for &id in &block.items {
            let node = &self.node(id);
            match node.op {
                Op::Branch(b) => {
                    self.branch(node, b as usize, &mut values);
                    continue;
                }
                Op::Call(c) => {
                    self.call(&tape.calls[c as usize], &mut values);
                    continue;
                }
                Op::Result(_) => continue,
                _ => {}
            }
            let mut out = std::mem::take(&mut values.columns[id as usize]);
            out.clear();
            evaluate(tape, node, self.operands(node, &values), n, &mut out);
            values.columns[id as usize] = out;
        }
        self.blocks[index] = values;
    }

    fn call(&mut self, call: &Call, values: &mut Values) {
        let (tape, n) = (self.tape, values.cases.len());
        let args: Vec<Vec<u64>> = call.args.iter().map(|&a| values.columns[a as usize][..n].to_vec()).collect();
        let callee = &mut self.callees[call.callee as usize];
        let callee = callee.get_or_insert_with(|| Interpreter::new(&tape.callees[call.callee as usize].tape));
        let results = callee.run_of(n, &args);
        for &r in &call.results {
            let Op::Result(k) = tape.node(r).op else { continue };
            values.columns[r as usize].clone_from(&results[k as usize]);
        }
    }

    fn branch(&mut self, node: &Node, index: usize, values: &mut Values) {
        let branch = &self.tape.branches[index];
        let condition = &values.columns[node.args()[0] as usize];
        let n = values.cases.len();
        let taken: Vec<usize> = match node.mode {
            Mode::Never => Vec::new(),
            Mode::Negated => (0..n).filter(|&i| condition[i] == 0).collect(),
            _ => (0..n).filter(|&i| condition[i] == 1).collect(),
        };
        for (&o, &u) in branch.outs.iter().zip(&branch.usual) {
            let mut out = std::mem::take(&mut values.columns[o as usize]);
            out.clone_from(&values.columns[u as usize]);
            values.columns[o as usize] = out;
        }
        if taken.is_empty() {
            return;
        }
        let inner = &mut self.blocks[index + 1];
        inner.cases.extend(taken.iter().map(|&i| values.cases[i]));
        for &id in &self.live_in[index] {
            let column = &mut inner.columns[id as usize];
            column.clear();
            column.extend(taken.iter().map(|&i| values.columns[id as usize][i]));
        }
        self.block(index + 1);
        let inner = &self.blocks[index + 1];
        for (&o, &r) in branch.outs.iter().zip(&branch.block.results) {
            for (&i, &v) in taken.iter().zip(&inner.columns[r as usize]) {
                values.columns[o as usize][i] = v;
            }
        }
    }
}

/// A type as the interpreter holds it: in the low bits of 64.
trait Held: Copy {
    fn get(bits: u64) -> Self;
    fn put(self) -> u64;
}

macro_rules! held {
    ($($t:ty: $get:expr, $put:expr;)*) => {$(
        impl Held for $t {
            #[inline(always)]
            fn get(bits: u64) -> Self {
                $get(bits)
            }
            #[inline(always)]
            fn put(self) -> u64 {
                $put(self)
            }
        }
    )*};
}

held! {
    f32: |b| f32::from_bits(b as u32), |v: f32| v.to_bits() as u64;
    f64: f64::from_bits, f64::to_bits;
    u32: |b| b as u32, |v| v as u64;
    u64: |b| b, |v| v;
    bool: |b| b & 1 == 1, |v| v as u64;
}

struct Lanes<'a> {
    args: [&'a [u64]; 4],
    n: usize,
    out: &'a mut Vec<u64>,
}

impl Lanes<'_> {
    #[inline(always)]
    fn map1<A: Held, R: Held>(self, f: impl Fn(A) -> R) {
        let a = &self.args[0][..self.n];
        self.out.extend(a.iter().map(|&a| f(A::get(a)).put()));
    }
    #[inline(always)]
    fn map2<A: Held, B: Held, R: Held>(self, f: impl Fn(A, B) -> R) {
        let (a, b) = (&self.args[0][..self.n], &self.args[1][..self.n]);
        self.out.extend(a.iter().zip(b).map(|(&a, &b)| f(A::get(a), B::get(b)).put()));
    }
    #[inline(always)]
    fn map3<A: Held, B: Held, C: Held, R: Held>(self, f: impl Fn(A, B, C) -> R) {
        let (a, b, c) = (&self.args[0][..self.n], &self.args[1][..self.n], &self.args[2][..self.n]);
        self.out.extend(a.iter().zip(b).zip(c).map(|((&a, &b), &c)| f(A::get(a), B::get(b), C::get(c)).put()));
    }
}

/// A word of (a 2^64 + c) + (b 2^64 + d).
fn sum(op: Op, lanes: Lanes) {
    let [a, b, c, d] = lanes.args;
    let words = a[..lanes.n].iter().zip(b).zip(c.iter().zip(d));
    lanes.out.extend(words.map(|((&a, &b), (&c, &d))| {
        let (low, carry) = c.overflowing_add(d);
        if op == Op::SumLow { low } else { a.wrapping_add(b).wrapping_add(carry as u64) }
    }));
}

/// Appends a node's values, given those of its operands.
fn evaluate(tape: &Tape, node: &Node, args: [&[u64]; 4], n: usize, out: &mut Vec<u64>) {
    let operand = node.args().first().map_or(node.ty, |&a| tape.node(a).ty);
    out.reserve(n);
    match node.op {
        Op::Const(bits) => return out.resize(n, bits),
        Op::Copy => return out.extend_from_slice(&args[0][..n]),
        Op::Table(t) => {
            let table = tape.tables[t as usize];
            let entry = |&i: &u64| table.get(i as usize).copied().unwrap_or(0) & node.ty.bits_mask();
            return out.extend(args[0][..n].iter().map(entry));
        }
        _ => {}
    }
    let lanes = Lanes { args, n, out };
    match operand {
        _ if matches!(node.op, Op::SumHigh | Op::SumLow) => sum(node.op, lanes),
        Ty::F32 => float32(node, lanes),
        Ty::F64 => float64(node, lanes),
        Ty::U32 => word32(node, lanes),
        Ty::U64 => word64(node, lanes),
        Ty::Mask => mask(node, lanes),
    }
}

macro_rules! float {
    ($name:ident, $t:ty, $bits:ty, $directed:ident, $flush:ident) => {
        fn $name(node: &Node, lanes: Lanes) {
            type F = $t;
            let rcp = |a: F| 1.0 / a;
            match node.mode {
                Mode::Exact => match node.op {
                    Op::Add => lanes.map2(|a: F, b: F| a + b),
                    Op::Sub => lanes.map2(|a: F, b: F| a - b),
                    Op::Mul => lanes.map2(|a: F, b: F| a * b),
                    Op::Div => lanes.map2(|a: F, b: F| a / b),
                    Op::Fma => lanes.map3(|a: F, b: F, c: F| a.mul_add(b, c)),
                    Op::Rcp | Op::RcpModerate => lanes.map1(rcp),
                    Op::Sqrt | Op::SqrtRcp => lanes.map1(|a: F| a.sqrt()),
                    Op::Second => lanes.map1(|a: F| 1.0 / a.sqrt()),
                    Op::Neg => lanes.map1(|a: F| -a),
                    Op::Abs => lanes.map1(|a: F| a.abs()),
                    Op::CopySign => lanes.map2(|a: F, b: F| a.copysign(b)),
                    Op::Lt => lanes.map2(|a: F, b: F| a < b),
                    Op::Le => lanes.map2(|a: F, b: F| a <= b),
                    Op::Eq => lanes.map2(|a: F, b: F| a == b),
                    Op::InRange { magnitude } => lanes.map3(|a: F, b: F, c: F| {
                        let a = if magnitude { a.abs() } else { a };
                        b <= a && a < c
                    }),
                    Op::Bits => lanes.map1(|a: F| a.to_bits()),
                    op => unreachable!("{} of floats", op.name()),
                },
                Mode::Split => lanes.map3(|a: F, b: F, c: F| a * b + c),
                Mode::FlushIn | Mode::FlushOut => {
                    let f = |a: F| if node.mode == Mode::FlushIn { $flush(a) } else { a };
                    let g = |r: F| if node.mode == Mode::FlushOut { $flush(r) } else { r };
                    match node.op {
                        Op::Add => lanes.map2(|a, b| g(f(a) + f(b))),
                        Op::Sub => lanes.map2(|a, b| g(f(a) - f(b))),
                        Op::Mul => lanes.map2(|a, b| g(f(a) * f(b))),
                        Op::Div => lanes.map2(|a, b| g(f(a) / f(b))),
                        Op::Fma => lanes.map3(|a, b, c| g(f(a).mul_add(f(b), f(c)))),
                        Op::Rcp | Op::RcpModerate => lanes.map1(|a| g(1.0 / f(a))),
                        Op::Sqrt | Op::SqrtRcp => lanes.map1(|a| g(f(a).sqrt())),
                        Op::Second => lanes.map1(|a: F| g(1.0 / f(a.sqrt()))),
                        op => unreachable!("flushing {}", op.name()),
                    }
                }
                mode => match node.op {
                    Op::Add => lanes.map2(|a: F, b: F| $directed(Rounded::Add(a as f64, b as f64), a + b, mode)),
                    Op::Sub => lanes.map2(|a: F, b: F| $directed(Rounded::Add(a as f64, -b as f64), a - b, mode)),
                    Op::Mul => lanes.map2(|a: F, b: F| $directed(Rounded::Mul(a as f64, b as f64), a * b, mode)),
                    Op::Div => lanes.map2(|a: F, b: F| $directed(Rounded::Div(a as f64, b as f64), a / b, mode)),
                    Op::Fma => lanes.map3(|a: F, b: F, c: F| {
                        $directed(Rounded::Fma(a as f64, b as f64, c as f64), a.mul_add(b, c), mode)
                    }),
                    Op::Rcp | Op::RcpModerate => {
                        lanes.map1(|a: F| $directed(Rounded::Div(1.0, a as f64), rcp(a), mode))
                    }
                    Op::Sqrt | Op::SqrtRcp => lanes.map1(|a: F| $directed(Rounded::Sqrt(a as f64), a.sqrt(), mode)),
                    Op::Second => lanes.map1(|a: F| {
                        let root = a.sqrt();
                        $directed(Rounded::Div(1.0, root as f64), rcp(root), mode)
                    }),
                    op => unreachable!("{} is not rounded", op.name()),
                },
            }
        }
    };
}

float!(float32, f32, u32, directed32, flush32);
float!(float64, f64, u64, directed64, flush64);

macro_rules! word {
    ($name:ident, $t:ty, $signed:ty, $wide:ty, $float:ty) => {
        fn $name(node: &Node, lanes: Lanes) {
            type W = $t;
            match node.op {
                Op::Add => lanes.map2(|a: W, b: W| a.wrapping_add(b)),
                Op::Sub => lanes.map2(|a: W, b: W| a.wrapping_sub(b)),
                Op::Mul | Op::WideLow => lanes.map2(|a: W, b: W| a.wrapping_mul(b)),
                Op::And => lanes.map2(|a: W, b: W| a & b),
                Op::Or => lanes.map2(|a: W, b: W| a | b),
                Op::Xor => lanes.map2(|a: W, b: W| a ^ b),
                Op::Not => lanes.map1(|a: W| !a),
                Op::Shl => lanes.map2(|a: W, n: u32| a.wrapping_shl(n)),
                Op::Shr => lanes.map2(|a: W, n: u32| a.wrapping_shr(n)),
                Op::Sar => lanes.map2(|a: W, n: u32| (a as $signed).wrapping_shr(n) as W),
                Op::MulHi | Op::WideHigh => lanes.map2(|a: W, b: W| ((a as $wide * b as $wide) >> W::BITS) as W),
                Op::MulWide => lanes.map2(|a: u32, b: u32| u64::from(a) * u64::from(b)),
                Op::Join => lanes.map2(|a: u32, b: u32| u64::from(a) << 32 | u64::from(b)),
                Op::UnboundedShl => lanes.map2(|a: W, n: u32| a.unbounded_shl(n)),
                Op::UnboundedShr => lanes.map2(|a: W, n: u32| a.unbounded_shr(n)),
                Op::Clz | Op::ClzNonzero => lanes.map1(|a: W| a.leading_zeros()),
                Op::Lt => lanes.map2(|a: W, b: W| a < b),
                Op::Le => lanes.map2(|a: W, b: W| a <= b),
                Op::LtSigned => lanes.map2(|a: W, b: W| (a as $signed) < b as $signed),
                Op::Eq => lanes.map2(|a: W, b: W| a == b),
                Op::ToU32 => lanes.map1(|a: W| a as u32),
                Op::ToU64 => lanes.map1(|a: W| a as u64),
                Op::FromBits => lanes.map1(|a: W| <$float>::from_bits(a)),
                op => unreachable!("{} of words", op.name()),
            }
        }
    };
}

word!(word32, u32, i32, u64, f32);
word!(word64, u64, i64, u128, f64);

fn mask(node: &Node, lanes: Lanes) {
    match node.op {
        Op::And => lanes.map2(|a: bool, b: bool| a & b),
        Op::Or => lanes.map2(|a: bool, b: bool| a | b),
        Op::Xor => lanes.map2(|a: bool, b: bool| a ^ b),
        Op::Not => lanes.map1(|a: bool| !a),
        // Bit patterns: the same for every type.
        Op::Select => lanes.map3(|m: bool, a: u64, b: u64| if m { a } else { b }),
        op => unreachable!("{} of masks", op.name()),
    }
}
