//! Mutants: a tape with one operation changed. A gate that does not kill a mutant is blind to that operation.
//!
//! Of a call there is one mutant a result, that it is the argument in its place; what the callee computes is changed in the callee's
//! own mutants.

use crate::io::Kind;
use crate::tape::{Id, Mode, Node, Op, Tape, Ty};
use std::fmt;

/// One change of a tape.
#[derive(Clone, Debug, PartialEq)]
pub enum Mutant {
    /// A node is computed otherwise.
    Node {
        /// The node.
        at: Id,
        /// What is computed instead.
        with: Node,
        /// The kind of change.
        what: &'static str,
    },
    /// Other values leave the function.
    Results {
        /// The nodes that leave it.
        results: Vec<Id>,
        /// The kind of change.
        what: &'static str,
    },
}

impl fmt::Display for Mutant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mutant::Node { at, with, what } => {
                write!(f, "v{at}: {what}: {}", with.op.name())?;
                with.args().iter().try_for_each(|a| write!(f, " v{a}"))
            }
            Mutant::Results { results, what } => {
                write!(f, "results: {what}:")?;
                results.iter().try_for_each(|a| write!(f, " v{a}"))
            }
        }
    }
}

impl Mutant {
    /// The kind of change, in words.
    pub fn what(&self) -> &'static str {
        match self {
            Mutant::Node { what, .. } | Mutant::Results { what, .. } => what,
        }
    }

    /// The mutant without numbers of nodes, so that it is the same when other operations change: where it is, the operation
    /// with what it is computed from, and the change.
    pub fn describe(&self, tape: &Tape) -> String {
        let text = |ids: &[Id]| ids.iter().map(|&a| expression(tape, a, 2)).collect::<Vec<_>>().join(", ");
        match self {
            Mutant::Node { at, with, what } => {
                let usual = tape.body.items.contains(at);
                let operation = expression(tape, *at, 3);
                let wrong = match with.op {
                    Op::Copy => text(with.args()),
                    Op::Const(bits) => constant(with.ty, bits),
                    op if with.args() != tape.node(*at).args() || op != tape.node(*at).op => {
                        format!("{}({})", op.name(), text(with.args()))
                    }
                    _ => String::new(),
                };
                let to = if wrong.is_empty() { "" } else { ": " };
                format!("{}: {operation}: {what}{to}{wrong}", if usual { "usual" } else { "rare" })
            }
            Mutant::Results { results, what } => format!("results: {what}: {}", text(results)),
        }
    }

    /// `tape` with this mutant.
    pub fn plant(&self, tape: &Tape) -> Tape {
        let mut tape = tape.clone();
        match self {
            Mutant::Node { at, with, .. } => tape.nodes[*at as usize] = *with,
            Mutant::Results { results, .. } => tape.body.results.clone_from(results),
        }
        tape
    }
}

fn constant(ty: Ty, bits: u64) -> String {
    match ty {
        Ty::F32 => format!("{:e}", f32::from_bits(bits as u32)),
        Ty::F64 => format!("{:e}", f64::from_bits(bits)),
        _ => format!("{bits:#x}"),
    }
}

/// What a node is computed from, some operations deep.
fn expression(tape: &Tape, id: Id, depth: usize) -> String {
    let node = tape.node(id);
    match node.op {
        Op::Arg(i) => format!("x{i}"),
        Op::Const(bits) => constant(node.ty, bits),
        Op::Out(k) => format!("out{k}"),
        Op::Result(k) => format!("{}.{k}", expression(tape, node.args()[0], depth)),
        op if depth == 0 => op.name().to_string(),
        op => {
            let (name, args) = match op {
                Op::Call(c) => (tape.callee(c).name.as_str(), tape.calls[c as usize].args.as_slice()),
                op => (op.name(), node.args()),
            };
            let args: Vec<String> = args.iter().map(|&a| expression(tape, a, depth - 1)).collect();
            format!("{name}({})", args.join(", "))
        }
    }
}

/// Every single-operation mutant of a tape whose arguments are grouped as `params` says.
pub fn mutants(tape: &Tape, params: &[Kind]) -> Vec<Mutant> {
    let mut list = List { tape, partner: partners(params), mutants: Vec::new() };
    for block in tape.blocks() {
        for &id in &block.items {
            list.node(id);
        }
    }
    list.results();
    list.mutants
}

/// The other limb of the pair that each argument belongs to.
fn partners(params: &[Kind]) -> Vec<Option<Id>> {
    let mut partner = Vec::new();
    for kind in params {
        let first = partner.len() as Id;
        match kind.slots().len() {
            2 => partner.extend([Some(first + 1), Some(first)]),
            _ => partner.push(None),
        }
    }
    partner
}

struct List<'t> {
    tape: &'t Tape,
    partner: Vec<Option<Id>>,
    mutants: Vec<Mutant>,
}

impl List<'_> {
    fn add(&mut self, at: Id, with: Node, what: &'static str) {
        let same = |f: &Mutant| matches!(f, Mutant::Node { at: a, with: w, .. } if *a == at && *w == with);
        if with != *self.tape.node(at) && !self.mutants.iter().any(same) {
            self.mutants.push(Mutant::Node { at, with, what });
        }
    }

    fn node(&mut self, id: Id) {
        let node = *self.tape.node(id);
        let args = node.args().to_vec();
        let operand = args.first().map(|&a| self.tape.node(a).ty);
        if operand.is_some_and(Ty::is_float) && node.ty.is_float() {
            self.rounding(id, node);
        }
        if let Op::Result(k) = node.op {
            return self.result(id, node, k as usize);
        }
        for (k, &a) in args.iter().enumerate().filter(|_| !matches!(node.op, Op::Branch(_) | Op::Second)) {
            if self.tape.node(a).ty == node.ty {
                self.add(id, Node::new(Op::Copy, node.ty, &[a]), "operation dropped");
            }
            if let Some(&Some(other)) = self.partner.get(a as usize) {
                let mut with = node;
                with.args_mut()[k] = other;
                self.add(id, with, "other limb");
            }
        }
        let mut swap = |i: usize, j: usize| {
            let mut with = node;
            with.args_mut().swap(i, j);
            self.add(id, with, "operands swapped");
        };
        match node.op {
            Op::Sub | Op::Div | Op::CopySign | Op::Lt | Op::Le | Op::LtSigned => swap(0, 1),
            Op::Select => swap(1, 2),
            Op::Fma => {
                swap(0, 2);
                swap(1, 2);
            }
            _ => {}
        }
        for (op, what) in others(node.op, operand) {
            self.add(id, Node::new(op, node.ty, &args), what);
        }
        match node.op {
            Op::Const(bits) => self.constant(id, node.ty, bits),
            Op::Branch(_) => {
                self.add(id, node.in_mode(Mode::Never), "branch never taken");
                self.add(id, node.in_mode(Mode::Negated), "branch negated");
            }
            _ => {}
        }
    }

    /// The result of this index of a call.
    fn result(&mut self, id: Id, node: Node, k: usize) {
        let Op::Call(c) = self.tape.node(node.args()[0]).op else { unreachable!("a result is of a call") };
        let argument = self.tape.calls[c as usize].args.get(k).copied();
        if let Some(a) = argument.filter(|&a| self.tape.node(a).ty == node.ty) {
            self.add(id, Node::new(Op::Copy, node.ty, &[a]), "operation dropped");
        }
    }

    fn rounding(&mut self, id: Id, node: Node) {
        let rounded = matches!(
            node.op,
            Op::Add
                | Op::Sub
                | Op::Mul
                | Op::Fma
                | Op::Div
                | Op::Rcp
                | Op::RcpModerate
                | Op::Sqrt
                | Op::SqrtRcp
                | Op::Second
        );
        if !rounded {
            return;
        }
        self.add(id, node.in_mode(Mode::Zero), "rounded toward zero");
        self.add(id, node.in_mode(Mode::Up), "rounded up");
        self.add(id, node.in_mode(Mode::Down), "rounded down");
        self.add(id, node.in_mode(Mode::FlushIn), "subnormal operands flushed");
        self.add(id, node.in_mode(Mode::FlushOut), "subnormal result flushed");
        if node.op == Op::Fma {
            self.add(id, node.in_mode(Mode::Split), "product rounded");
        }
    }

    fn constant(&mut self, id: Id, ty: Ty, bits: u64) {
        let mut change = |to: u64, what| self.add(id, Node::new(Op::Const(to & ty.bits_mask()), ty, &[]), what);
        match ty {
            Ty::F32 => {
                change(bits + 1, "constant one ulp off");
                change(bits ^ 1 << 31, "constant negated");
                change(bits ^ 1 << 23, "constant's exponent changed");
            }
            Ty::F64 => {
                change(bits.wrapping_add(1), "constant one ulp off");
                change(bits ^ 1 << 63, "constant negated");
                change(bits ^ 1 << 52, "constant's exponent changed");
            }
            _ => {
                change(bits.wrapping_add(1), "constant one more");
                change(bits.wrapping_sub(1), "constant one less");
            }
        }
    }

    fn results(&mut self) {
        let results = &self.tape.body.results;
        let &[hi, lo] = results.as_slice() else { return };
        if self.tape.node(hi).ty != self.tape.node(lo).ty {
            return;
        }
        self.mutants.push(Mutant::Results { results: vec![lo, hi], what: "limbs swapped" });
        // hi = a + b, lo = b - (hi - a): the last renormalisation, here or as the usual result of a branch.
        let usual = |id: Id| match self.tape.node(id).op {
            Op::Out(k) => {
                let Op::Branch(b) = self.tape.node(self.tape.node(id).args()[0]).op else { return id };
                self.tape.branches[b as usize].usual[k as usize]
            }
            _ => id,
        };
        let (h, l) = (usual(hi), usual(lo));
        let (sum, rest) = (self.tape.node(h), self.tape.node(l));
        if sum.op != Op::Add || rest.op != Op::Sub {
            return;
        }
        let (a, b) = (sum.args()[0], sum.args()[1]);
        let inner = self.tape.node(rest.args()[1]);
        if rest.args()[0] == b && inner.op == Op::Sub && inner.args() == [h, a] {
            self.mutants.push(Mutant::Results { results: vec![a, b], what: "last renormalisation dropped" });
        }
    }
}

/// Operations on the same operands that one may be mistaken for.
fn others(op: Op, operand: Option<Ty>) -> Vec<(Op, &'static str)> {
    let wrong = "another operation";
    let compare = "another comparison";
    let word = matches!(operand, Some(Ty::U32 | Ty::U64));
    match op {
        Op::Add => vec![(Op::Sub, wrong)],
        Op::Sub => vec![(Op::Add, wrong)],
        Op::Lt if word => vec![(Op::Le, compare), (Op::LtSigned, compare)],
        Op::Lt => vec![(Op::Le, compare)],
        Op::Le => vec![(Op::Lt, compare)],
        Op::LtSigned => vec![(Op::Lt, compare)],
        Op::Eq => vec![(Op::Le, compare)],
        Op::And => vec![(Op::Or, wrong), (Op::Xor, wrong)],
        Op::Or => vec![(Op::And, wrong), (Op::Xor, wrong)],
        Op::Xor => vec![(Op::Or, wrong), (Op::And, wrong)],
        Op::Shl => vec![(Op::Shr, wrong)],
        Op::Shr => vec![(Op::Shl, wrong), (Op::Sar, wrong)],
        Op::Sar => vec![(Op::Shr, wrong)],
        Op::UnboundedShl => vec![(Op::Shl, wrong), (Op::UnboundedShr, wrong)],
        Op::UnboundedShr => vec![(Op::Shr, wrong), (Op::UnboundedShl, wrong)],
        Op::MulHi => vec![(Op::Mul, wrong)],
        _ => vec![],
    }
}

/// The bits of a result with every NaN written as one.
pub fn one_nan(ty: Ty, bits: u64) -> u64 {
    match ty {
        Ty::F32 if f32::from_bits(bits as u32).is_nan() => f32::NAN.to_bits() as u64,
        Ty::F64 if f64::from_bits(bits).is_nan() => f64::NAN.to_bits(),
        _ => bits,
    }
}
