//! Passes over tapes: dead code, what a block reads, range tests.

use crate::tape::{Block, Branch, Call, Callee, Id, Node, Op, Tape, Ty};
use std::sync::Arc;

impl Tape {
    /// The tape without nodes that no result needs, renumbered.
    pub fn without_dead_code(&self) -> Tape {
        let mut live = vec![false; self.nodes.len()];
        live[..self.args.len()].fill(true);
        self.body.results.iter().for_each(|&r| live[r as usize] = true);
        for id in (0..self.nodes.len()).rev().filter(|&id| id >= self.args.len()) {
            if !live[id] {
                continue;
            }
            let node = &self.nodes[id];
            node.args().iter().for_each(|&a| live[a as usize] = true);
            match node.op {
                Op::Out(k) => {
                    let Op::Branch(b) = self.node(node.args()[0]).op else { unreachable!("Out belongs to a branch") };
                    let branch = &self.branches[b as usize];
                    live[branch.usual[k as usize] as usize] = true;
                    live[branch.block.results[k as usize] as usize] = true;
                }
                Op::Call(c) => self.calls[c as usize].args.iter().for_each(|&a| live[a as usize] = true),
                Op::SqrtRcp => live[id + 1] = true,
                _ => {}
            }
        }
        self.renumbered(&live)
    }

    fn renumbered(&self, live: &[bool]) -> Tape {
        let mut out = Tape { args: self.args.clone(), tables: self.tables.clone(), ..Tape::default() };
        let mut new = vec![Id::MAX; self.nodes.len()];
        let mut branches = vec![u32::MAX; self.branches.len()];
        for (id, node) in self.nodes.iter().enumerate().filter(|&(id, _)| live[id]) {
            new[id] = out.nodes.len() as Id;
            let mut node = *node;
            node.args_mut().iter_mut().for_each(|a| *a = new[*a as usize]);
            if let Op::Branch(b) = &mut node.op {
                branches[*b as usize] = out.branches.len() as u32;
                *b = out.branches.len() as u32;
                out.branches.push(Branch::default());
            }
            if let Op::Call(c) = &mut node.op {
                let call = &self.calls[*c as usize];
                let callee = out.callee_index(&self.callees[call.callee as usize]);
                let args = call.args.iter().map(|&a| new[a as usize]).collect();
                *c = out.calls.len() as u32;
                out.calls.push(Call { callee, args, results: Vec::new() });
            }
            if let Op::Result(_) = node.op {
                let Op::Call(c) = out.nodes[node.args()[0] as usize].op else { unreachable!("a result is of a call") };
                out.calls[c as usize].results.push(new[id]);
            }
            if let Op::Out(_) = node.op {
                // Results are dealt out again: those of dead Out nodes are gone.
                let Op::Branch(b) = out.nodes[node.args()[0] as usize].op else { unreachable!() };
                let branch = &mut out.branches[b as usize];
                node.op = Op::Out(branch.outs.len() as u32);
                branch.outs.push(new[id]);
            }
            out.nodes.push(node);
        }
        let map = |ids: &[Id]| ids.iter().map(|&i| new[i as usize]).filter(|&i| i != Id::MAX).collect::<Vec<_>>();
        let block = |b: &Block, keep: &dyn Fn(usize) -> bool| Block {
            items: map(&b.items),
            results: b.results.iter().enumerate().filter(|&(k, _)| keep(k)).map(|(_, &i)| new[i as usize]).collect(),
        };
        out.body = block(&self.body, &|_| true);
        for (old, &to) in self.branches.iter().zip(&branches).filter(|&(_, &to)| to != u32::MAX) {
            let keep = |k: usize| live[old.outs[k] as usize];
            let to = &mut out.branches[to as usize];
            to.block = block(&old.block, &keep);
            to.usual = old.usual.iter().enumerate().filter(|&(k, _)| keep(k)).map(|(_, &i)| new[i as usize]).collect();
        }
        out
    }

    /// The index of a callee, which is added where it is missing.
    pub(crate) fn callee_index(&mut self, callee: &Arc<Callee>) -> u32 {
        let known = self.callees.iter().position(|c| c.name == callee.name);
        known.unwrap_or_else(|| {
            self.callees.push(callee.clone());
            self.callees.len() - 1
        }) as u32
    }

    /// The tape with tests of a binary64 range, c <= |x| & |x| < d, as one operation each, where c and d are powers of
    /// two: a machine may look at the high word alone.
    pub fn with_range_tests(&self) -> Tape {
        self.rewritten(Tape::range_test)
    }

    /// The tape with products of two zero-extended words, and words joined from halves, as one operation each: compilers
    /// for 32-bit machines, shown shifts and masks of 64 bits instead, leave some of them in the code.
    pub fn with_halves(&self) -> Tape {
        self.rewritten(Tape::of_halves)
    }

    /// The tape with other operations in place of some; callees stay as they are.
    fn rewritten(&self, other: impl Fn(&Tape, Id) -> Option<Node>) -> Tape {
        let mut tape = self.clone();
        for id in 0..tape.nodes.len() {
            if let Some(node) = other(&tape, id as Id) {
                tape.nodes[id] = node;
            }
        }
        tape.without_dead_code()
    }

    fn of_halves(&self, id: Id) -> Option<Node> {
        let node = self.node(id);
        let &[a, b] = node.args() else { return None };
        let half =
            |id: Id| (self.node(id).op == Op::ToU64).then(|| self.node(id).args()[0]).filter(|_| node.ty == Ty::U64);
        let raised = |id: Id| match self.node(id).args() {
            &[x, n] if self.node(id).op == Op::Shl && self.node(n).op == Op::Const(32) => half(x),
            _ => None,
        };
        match node.op {
            Op::Mul => Some(Node::new(Op::MulWide, Ty::U64, &[half(a)?, half(b)?])),
            Op::Or => {
                let (high, low) = raised(a).zip(half(b)).or_else(|| raised(b).zip(half(a)))?;
                Some(Node::new(Op::Join, Ty::U64, &[high, low]))
            }
            _ => None,
        }
    }

    fn range_test(&self, id: Id) -> Option<Node> {
        let node = self.node(id);
        let operands = |id: Id, op: Op| {
            let node = self.node(id);
            let &[a, b] = node.args() else { return None };
            (node.op == op && self.node(a).ty == Ty::F64).then_some((a, b))
        };
        let high_word = |id: Id| match self.node(id).op {
            Op::Const(bits) => bits as u32 == 0 && bits >> 63 == 0,
            _ => false,
        };
        let (Op::And, &[p, q]) = (node.op, node.args()) else { return None };
        let (low, high) = if self.node(p).op == Op::Le { (p, q) } else { (q, p) };
        let ((c, x), (y, d)) = (operands(low, Op::Le)?, operands(high, Op::Lt)?);
        if x != y || !high_word(c) || !high_word(d) {
            return None;
        }
        let inner = self.node(x);
        let (x, magnitude) = if inner.op == Op::Abs { (inner.args()[0], true) } else { (x, false) };
        Some(Node::new(Op::InRange { magnitude }, Ty::Mask, &[x, c, d]))
    }

    /// The nodes from outside that a block and the blocks nested in it use, in order.
    pub fn live_in(&self, block: &Block) -> Vec<Id> {
        let (mut inside, mut used) = (vec![false; self.nodes.len()], vec![false; self.nodes.len()]);
        self.visit(block, &mut inside, &mut used);
        (0..self.nodes.len()).filter(|&i| used[i] && !inside[i]).map(|i| i as Id).collect()
    }

    fn visit(&self, block: &Block, inside: &mut [bool], used: &mut [bool]) {
        for &id in &block.items {
            inside[id as usize] = true;
            let node = self.node(id);
            node.args().iter().for_each(|&a| used[a as usize] = true);
            if let Op::Call(c) = node.op {
                self.calls[c as usize].args.iter().for_each(|&a| used[a as usize] = true);
            }
            if let Op::Branch(b) = node.op {
                let branch = &self.branches[b as usize];
                branch.usual.iter().for_each(|&u| used[u as usize] = true);
                branch.outs.iter().for_each(|&o| inside[o as usize] = true);
                self.visit(&branch.block, inside, used);
            }
        }
        block.results.iter().for_each(|&r| used[r as usize] = true);
    }
}
