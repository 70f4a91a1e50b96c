//! A tape computed on the host, many cases at a time.
//!
//! Values are columns of bit patterns, one per case. A rare path runs on the cases that take it, gathered.

use crate::round::{Rounded, directed32, directed64, flush32, flush64};
use crate::tape::{Block, Id, Mode, Node, Op, Tape, Ty};

/// An interpreter of one tape; it keeps its working memory between runs.
#[derive(Debug)]
pub struct Interpreter<'t> {
    tape: &'t Tape,
    /// What each branch reads from outside.
    live_in: Vec<Vec<Id>>,
    /// Columns per depth of nesting.
    levels: Vec<Vec<Vec<u64>>>,
}

impl<'t> Interpreter<'t> {
    /// An interpreter of `tape`.
    pub fn new(tape: &'t Tape) -> Self {
        let live_in = tape.branches.iter().map(|b| tape.live_in(&b.block)).collect();
        Interpreter { tape, live_in, levels: Vec::new() }
    }

    /// The results of all cases: `args` has a column per argument, all of one length; so has the return value, per
    /// result.
    ///
    /// # Panics
    /// If there are fewer columns than arguments.
    pub fn run(&mut self, args: &[Vec<u64>]) -> Vec<Vec<u64>> {
        let n = args.first().map_or(0, Vec::len);
        let mut columns = self.level(0);
        for (i, ty) in self.tape.args.iter().enumerate() {
            columns[i].clear();
            columns[i].extend(args[i].iter().map(|b| b & ty.bits_mask()));
        }
        self.block(&self.tape.body, &mut columns, n, 0);
        let results = self.tape.body.results.iter().map(|&r| columns[r as usize].clone()).collect();
        self.levels[0] = columns;
        results
    }

    fn level(&mut self, depth: usize) -> Vec<Vec<u64>> {
        if self.levels.len() <= depth {
            self.levels.push(vec![Vec::new(); self.tape.nodes.len()]);
        }
        std::mem::take(&mut self.levels[depth])
    }

    fn block(&mut self, block: &Block, columns: &mut [Vec<u64>], n: usize, depth: usize) {
        let tape = self.tape;
        for &id in &block.items {
            let node = tape.node(id);
            if let Op::Branch(b) = node.op {
                self.branch(node, b as usize, columns, n, depth);
                continue;
            }
            let mut out = std::mem::take(&mut columns[id as usize]);
            out.clear();
            out.reserve(n);
            evaluate(tape, node, columns, n, &mut out);
            columns[id as usize] = out;
        }
    }

    fn branch(&mut self, node: &Node, index: usize, columns: &mut [Vec<u64>], n: usize, depth: usize) {
        let branch = &self.tape.branches[index];
        let condition = &columns[node.args()[0] as usize];
        let taken: Vec<usize> = match node.mode {
            Mode::Never => Vec::new(),
            Mode::Negated => (0..n).filter(|&i| condition[i] == 0).collect(),
            _ => (0..n).filter(|&i| condition[i] == 1).collect(),
        };
        for (&o, &u) in branch.outs.iter().zip(&branch.usual) {
            let mut out = std::mem::take(&mut columns[o as usize]);
            out.clone_from(&columns[u as usize]);
            columns[o as usize] = out;
        }
        if taken.is_empty() {
            return;
        }
        let mut inner = self.level(depth + 1);
        for &id in &self.live_in[index] {
            let column = &mut inner[id as usize];
            column.clear();
            column.extend(taken.iter().map(|&i| columns[id as usize][i]));
        }
        self.block(&branch.block, &mut inner, taken.len(), depth + 1);
        for (&o, &r) in branch.outs.iter().zip(&branch.block.results) {
            for (&i, &v) in taken.iter().zip(&inner[r as usize]) {
                columns[o as usize][i] = v;
            }
        }
        self.levels[depth + 1] = inner;
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

fn evaluate(tape: &Tape, node: &Node, columns: &[Vec<u64>], n: usize, out: &mut Vec<u64>) {
    let mut args: [&[u64]; 4] = [&[]; 4];
    for (slot, &id) in args.iter_mut().zip(node.args()) {
        *slot = &columns[id as usize];
    }
    let operand = node.args().first().map_or(node.ty, |&a| tape.node(a).ty);
    match node.op {
        Op::Const(bits) => return out.resize(n, bits),
        Op::Copy => return out.extend_from_slice(&args[0][..n]),
        Op::Second => {
            // From the operand of the root, so that a fault of the root stays there.
            let root = tape.node(node.args()[0]);
            args[0] = &columns[root.args()[0] as usize];
        }
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
