//! The recording machine: its values are handles into a tape, and computing with them writes operations down.
//!
//! [`record`] opens a tape for the calling thread, runs a function on handles to its arguments, and closes it. Equal
//! operations are recorded once (hash-consing); a value first made inside a branch is not reused outside it.

use crate::tape::{Block, Branch, Id, Node, Op, Tape, Ty};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops;
use vernier::machine::{Bundle, IeeeLimb, Limb, Machine, Mask, Value, Word, WordMachine};

struct Recorder {
    tape: Tape,
    /// Open blocks, the innermost last, with the nodes made in each.
    scopes: Vec<(Block, HashMap<Node, Id>)>,
    /// While a branch is closed: (rare, usual) pairs that selections name, instead of selections.
    closing: Option<(Id, Branch)>,
}

thread_local! {
    static RECORDER: RefCell<Option<Recorder>> = const { RefCell::new(None) };
}

fn with<R>(f: impl FnOnce(&mut Recorder) -> R) -> R {
    RECORDER.with_borrow_mut(|r| f(r.as_mut().expect("recorded values live inside vernier_gpu::record::record")))
}

impl Recorder {
    fn push(&mut self, node: Node) -> Id {
        let node = match self.fold(node) {
            Ok(id) => return id,
            Err(node) => node,
        };
        if let Some(&id) = self.scopes.iter().rev().find_map(|(_, made)| made.get(&node)) {
            return id;
        }
        let id = self.append(node);
        let (block, made) = self.scopes.last_mut().expect("a block is open");
        block.items.push(id);
        made.insert(node, id);
        id
    }

    /// Constant truth values, which only generic code over words makes, do not reach the tape: `x < 0` is false.
    fn fold(&self, node: Node) -> Result<Id, Node> {
        let bits = |id: Id| match self.tape.node(id).op {
            Op::Const(bits) => Some(bits),
            _ => None,
        };
        let truth = |value: bool| Node::new(Op::Const(value as u64), Ty::Mask, &[]);
        match (node.op, node.args()) {
            (Op::Lt, &[_, b]) if !self.tape.node(b).ty.is_float() && bits(b) == Some(0) => Err(truth(false)),
            (Op::Select, &[m, a, b]) if bits(m).is_some() => Ok(if bits(m) == Some(1) { a } else { b }),
            (Op::Not, &[a]) if node.ty == Ty::Mask && bits(a).is_some() => Err(truth(bits(a) == Some(0))),
            (Op::And | Op::Or | Op::Xor, &[a, b]) if node.ty == Ty::Mask => match (bits(a), bits(b)) {
                (Some(c), _) | (_, Some(c)) => {
                    let other = if bits(a).is_some() { b } else { a };
                    match (node.op, c) {
                        (Op::And, 0) | (Op::Or, 1) => Err(truth(c == 1)),
                        (Op::Xor, 1) => Err(Node::new(Op::Not, Ty::Mask, &[other])),
                        _ => Ok(other),
                    }
                }
                _ => Err(node),
            },
            _ => Err(node),
        }
    }

    fn append(&mut self, node: Node) -> Id {
        self.tape.nodes.push(node);
        (self.tape.nodes.len() - 1) as Id
    }

    fn select(&mut self, m: Id, a: Id, b: Id) -> Id {
        let ty = self.tape.node(a).ty;
        let Some((branch, state)) = &mut self.closing else {
            return if a == b { a } else { self.push(Node::new(Op::Select, ty, &[m, a, b])) };
        };
        let node = Node::new(Op::Out(state.outs.len() as u32), ty, &[*branch]);
        state.block.results.push(a);
        state.usual.push(b);
        self.tape.nodes.push(node);
        let id = (self.tape.nodes.len() - 1) as Id;
        state.outs.push(id);
        id
    }
}

fn push(op: Op, ty: Ty, args: &[Id]) -> Id {
    with(|r| r.push(Node::new(op, ty, args)))
}

/// Clears the thread's recorder, also when the recorded function panics.
struct Close;

impl Drop for Close {
    fn drop(&mut self) {
        RECORDER.with_borrow_mut(|r| *r = None);
    }
}

/// What `f` computes, as a tape without dead code. `f` takes its arguments by [`argument`] and returns the ids of its
/// results.
///
/// # Panics
/// If the calling thread is recording already.
pub fn record(f: impl FnOnce() -> Vec<Id>) -> Tape {
    RECORDER.with_borrow_mut(|r| {
        assert!(r.is_none(), "a tape is already open on this thread");
        *r = Some(Recorder { tape: Tape::default(), scopes: vec![Default::default()], closing: None });
    });
    let close = Close;
    let results = f();
    let mut recorder = RECORDER.with_borrow_mut(Option::take).expect("the tape opened above");
    drop(close);
    let (mut body, _) = recorder.scopes.pop().expect("the outermost block");
    body.results = results;
    recorder.tape.body = body;
    recorder.tape.without_dead_code()
}

/// The next argument of the function being recorded.
///
/// # Panics
/// If an operation was recorded already: arguments come first.
pub fn argument<H: Handle>() -> H {
    with(|r| {
        let index = r.tape.args.len();
        assert_eq!(index, r.tape.nodes.len(), "arguments come before operations");
        r.tape.args.push(H::TY);
        H::new(r.append(Node::new(Op::Arg(index as u32), H::TY, &[])))
    })
}

/// The machine of recorded values.
#[derive(Clone, Copy, Debug)]
pub struct Recording;

/// A recorded truth value.
#[derive(Clone, Copy, Debug)]
pub struct Truth(Id);

/// A handle to a node, of a known type.
pub trait Handle: Copy {
    /// The type of the node.
    const TY: Ty;
    /// The handle of a node of this type.
    fn new(id: Id) -> Self;
    /// The node.
    fn id(self) -> Id;
}

macro_rules! handle {
    ($($t:ident)*) => {$(
        impl Handle for $t {
            const TY: Ty = ty::$t;
            #[inline]
            fn new(id: Id) -> Self {
                Self(id)
            }
            #[inline]
            fn id(self) -> Id {
                self.0
            }
        }
    )*};
}

#[allow(non_upper_case_globals)]
mod ty {
    use super::Ty;
    pub const F32: Ty = Ty::F32;
    pub const F64: Ty = Ty::F64;
    pub const U32: Ty = Ty::U32;
    pub const U64: Ty = Ty::U64;
    pub const Truth: Ty = Ty::Mask;
}

/// Recorded binary32.
#[derive(Clone, Copy, Debug)]
pub struct F32(Id);
/// Recorded binary64.
#[derive(Clone, Copy, Debug)]
pub struct F64(Id);
/// Recorded 32-bit word.
#[derive(Clone, Copy, Debug)]
pub struct U32(Id);
/// Recorded 64-bit word.
#[derive(Clone, Copy, Debug)]
pub struct U64(Id);

handle!(F32 F64 U32 U64 Truth);

fn unary<R: Handle>(op: Op, a: Id) -> R {
    R::new(push(op, R::TY, &[a]))
}

fn binary<R: Handle>(op: Op, a: Id, b: Id) -> R {
    R::new(push(op, R::TY, &[a, b]))
}

macro_rules! operators {
    ($t:ident: $($op:ident $method:ident),*) => {$(
        impl ops::$op for $t {
            type Output = Self;
            fn $method(self, b: Self) -> Self {
                binary(operation::$op, self.0, b.0)
            }
        }
    )*};
}

#[allow(non_upper_case_globals)]
mod operation {
    use super::Op;
    pub const Add: Op = Op::Add;
    pub const Sub: Op = Op::Sub;
    pub const Mul: Op = Op::Mul;
    pub const BitAnd: Op = Op::And;
    pub const BitOr: Op = Op::Or;
    pub const BitXor: Op = Op::Xor;
}

operators!(Truth: BitAnd bitand, BitOr bitor, BitXor bitxor);

impl ops::Not for Truth {
    type Output = Self;
    fn not(self) -> Self {
        // Twice negated is itself: keeps conditions readable.
        let inner = with(|r| {
            let n = r.tape.node(self.0);
            (n.op == Op::Not).then(|| n.args()[0])
        });
        inner.map_or_else(|| unary(Op::Not, self.0), Truth)
    }
}

impl Mask for Truth {}

impl Machine for Recording {
    type Mask = Truth;

    fn branch<T: Bundle<Self>>(rare: Truth, usual: T, slow: impl FnOnce() -> T) -> T {
        with(|r| r.scopes.push(Default::default()));
        let result = slow();
        with(|r| {
            let (block, _) = r.scopes.pop().expect("the branch's block");
            // The index is given when the branch closes, so nested branches have smaller ones.
            let index = r.tape.branches.len() as u32;
            r.tape.branches.push(Branch::default());
            let id = r.append(Node::new(Op::Branch(index), Ty::Mask, &[rare.0]));
            r.scopes.last_mut().expect("an enclosing block").0.items.push(id);
            r.closing = Some((id, Branch { block, ..Branch::default() }));
        });
        let out = T::select(rare, result, usual);
        with(|r| {
            let (id, state) = r.closing.take().expect("the branch being closed");
            let Op::Branch(index) = r.tape.node(id).op else { unreachable!() };
            r.tape.branches[index as usize] = state;
        });
        out
    }
}

impl WordMachine for Recording {
    type U32 = U32;
    type U64 = U64;
    type F32 = F32;
    type F64 = F64;

    fn mul_wide(a: U64, b: U64) -> (U64, U64) {
        (binary(Op::WideHigh, a.0, b.0), binary(Op::WideLow, a.0, b.0))
    }

    fn add_wide(a: (U64, U64), b: (U64, U64)) -> (U64, U64) {
        let sum = |op| U64(push(op, U64::TY, &[a.0.0, b.0.0, a.1.0, b.1.0]));
        (sum(Op::SumHigh), sum(Op::SumLow))
    }
}

macro_rules! value {
    ($($t:ident)*) => {$(
        impl Value for $t {
            type M = Recording;
            fn select(m: Truth, a: Self, b: Self) -> Self {
                Self(with(|r| r.select(m.0, a.0, b.0)))
            }
        }
    )*};
}

value!(F32 F64 U32 U64);

macro_rules! limb {
    ($t:ident, $host:ty, $bits:ident) => {
        operators!($t: Add add, Sub sub, Mul mul);

        impl ops::Neg for $t {
            type Output = Self;
            fn neg(self) -> Self {
                let inner = with(|r| {
                    let n = r.tape.node(self.0);
                    (n.op == Op::Neg).then(|| n.args()[0])
                });
                inner.map_or_else(|| unary(Op::Neg, self.0), Self)
            }
        }

        impl Limb for $t {
            const P: u32 = <$host as Limb>::P;
            const MIN_EXP: i32 = <$host as Limb>::MIN_EXP;
            const SCALE_LIMIT: i32 = <$host as Limb>::SCALE_LIMIT;
            const SCALE: i32 = <$host as Limb>::SCALE;
            const DIV_RANGE: (i32, i32) = <$host as Limb>::DIV_RANGE;

            fn lit(x: f64) -> Self {
                let x = <$host as Limb>::lit(x);
                Self(push(Op::Const(x.to_bits() as u64), Self::TY, &[]))
            }
            fn fma(self, b: Self, c: Self) -> Self {
                Self(push(Op::Fma, Self::TY, &[self.0, b.0, c.0]))
            }
            fn sqrt(self) -> Self {
                unary(Op::Sqrt, self.0)
            }
            fn rcp(self) -> Self {
                unary(Op::Rcp, self.0)
            }
            fn rcp_moderate(self) -> Self {
                unary(Op::RcpModerate, self.0)
            }
            fn div(self, b: Self) -> Self {
                binary(Op::Div, self.0, b.0)
            }
            fn abs(self) -> Self {
                unary(Op::Abs, self.0)
            }
            fn copysign(self, sign: Self) -> Self {
                binary(Op::CopySign, self.0, sign.0)
            }
            fn lt(self, b: Self) -> Truth {
                binary(Op::Lt, self.0, b.0)
            }
            fn le(self, b: Self) -> Truth {
                binary(Op::Le, self.0, b.0)
            }
            fn eq(self, b: Self) -> Truth {
                binary(Op::Eq, self.0, b.0)
            }
            fn sqrt_rcp(self) -> (Self, Self) {
                let root = push(Op::SqrtRcp, Self::TY, &[self.0]);
                (Self(root), unary(Op::Second, root))
            }
        }

        impl IeeeLimb for $t {
            type Bits = $bits;
            fn bits(self) -> $bits {
                unary(Op::Bits, self.0)
            }
            fn from_bits(bits: $bits) -> Self {
                unary(Op::FromBits, bits.0)
            }
        }
    };
}

limb!(F32, f32, U32);
limb!(F64, f64, U64);

macro_rules! word {
    ($t:ident, $bits:expr, $to_u32:expr, $to_u64:expr, $from_u64:expr) => {
        operators!($t: Add add, Sub sub, Mul mul, BitAnd bitand, BitOr bitor, BitXor bitxor);

        impl ops::Not for $t {
            type Output = Self;
            fn not(self) -> Self {
                unary(Op::Not, self.0)
            }
        }

        impl Word for $t {
            const BITS: u32 = $bits;

            fn lit(x: u64) -> Self {
                Self(push(Op::Const(x & Self::TY.bits_mask()), Self::TY, &[]))
            }
            fn shl(self, n: U32) -> Self {
                binary(Op::Shl, self.0, n.0)
            }
            fn shr(self, n: U32) -> Self {
                binary(Op::Shr, self.0, n.0)
            }
            fn sar(self, n: U32) -> Self {
                binary(Op::Sar, self.0, n.0)
            }
            fn unbounded_shl(self, n: U32) -> Self {
                binary(Op::UnboundedShl, self.0, n.0)
            }
            fn unbounded_shr(self, n: U32) -> Self {
                binary(Op::UnboundedShr, self.0, n.0)
            }
            // Devices have shifts without a bound, and would have to mask for the others.
            fn shl_within(self, n: U32) -> Self {
                self.unbounded_shl(n)
            }
            fn shr_within(self, n: U32) -> Self {
                self.unbounded_shr(n)
            }
            fn mul_hi(self, b: Self) -> Self {
                binary(Op::MulHi, self.0, b.0)
            }
            fn clz(self) -> U32 {
                unary(Op::Clz, self.0)
            }
            fn clz_nonzero(self) -> U32 {
                unary(Op::ClzNonzero, self.0)
            }
            fn lt(self, b: Self) -> Truth {
                binary(Op::Lt, self.0, b.0)
            }
            fn lt_signed(self, b: Self) -> Truth {
                binary(Op::LtSigned, self.0, b.0)
            }
            fn eq(self, b: Self) -> Truth {
                binary(Op::Eq, self.0, b.0)
            }
            fn to_u32(self) -> U32 {
                $to_u32(self.0)
            }
            fn to_u64(self) -> U64 {
                $to_u64(self.0)
            }
            fn from_u64(x: U64) -> Self {
                $from_u64(x)
            }
            fn table(table: &'static [u64], i: U32) -> Self {
                let index = with(|r| {
                    let tables = &mut r.tape.tables;
                    tables.iter().position(|&t| t == table).unwrap_or_else(|| {
                        tables.push(table);
                        tables.len() - 1
                    })
                });
                unary(Op::Table(index as u32), i.0)
            }
        }
    };
}

word!(U32, 32, U32, |id| unary(Op::ToU64, id), U64::to_u32);
word!(U64, 64, |id| unary(Op::ToU32, id), U64, std::convert::identity);
