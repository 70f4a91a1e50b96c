//! The recording machine: its values are handles into a tape, and computing with them writes operations down.
//!
//! [`record`] opens a tape for the calling thread, runs a function on handles to its arguments, and closes it. Equal
//! operations are recorded once (hash-consing); a value first made inside a branch is not reused outside it. A function
//! that is called is recorded once, on a tape of its own above the caller's.

use crate::tape::{Block, Branch, Call, Callee, Id, Node, Op, Tape, Ty};
use std::any::Any;
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops;
use std::sync::Arc;
use vernier::machine::{Bundle, IeeeLimb, Limb, Machine, Mask, Value, Word, WordMachine};

#[derive(Default)]
struct Recorder {
    tape: Tape,
    /// What is recorded, where it is called.
    name: String,
    /// Open blocks, the innermost last, with the nodes made in each.
    scopes: Vec<(Block, HashMap<Node, Id>)>,
    crossing: Option<Crossing>,
}

/// Values that go from one block or tape to another: what selections name then, member by member, instead of selections.
enum Crossing {
    /// Out of the branch of this node: what it has where it is taken, and what otherwise.
    Branch(Id, Branch),
    /// Into a callee: its arguments are the first nodes there.
    Arguments(Vec<Id>),
    /// Out of a callee, where they are seen in it.
    Results(Vec<Id>),
    /// Out of a callee, where the caller sees them: those that are left.
    Returned(std::vec::IntoIter<Id>),
}

/// A function that was recorded because it is called.
struct Known {
    callee: Arc<Callee>,
    /// Its results, of the type that the caller expects: handles, for the shape alone.
    results: Box<dyn Any>,
}

/// What a thread records.
#[derive(Default)]
struct Session {
    /// A tape, and above it those of the functions being called, the innermost last.
    open: Vec<Recorder>,
    known: Vec<Known>,
}

thread_local! {
    static SESSION: RefCell<Session> = RefCell::default();
}

fn with<R>(f: impl FnOnce(&mut Recorder) -> R) -> R {
    SESSION.with_borrow_mut(|s| f(s.open.last_mut().expect("recorded values live inside vernier_tape::record::record")))
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

    fn argument(&mut self, ty: Ty) -> Id {
        let index = self.tape.args.len();
        assert_eq!(index, self.tape.nodes.len(), "arguments come before operations");
        self.tape.args.push(ty);
        self.append(Node::new(Op::Arg(index as u32), ty, &[]))
    }

    fn append(&mut self, node: Node) -> Id {
        self.tape.nodes.push(node);
        (self.tape.nodes.len() - 1) as Id
    }

    fn select(&mut self, m: Id, a: Id, b: Id) -> Id {
        match &mut self.crossing {
            None if a == b => a,
            None => self.push(Node::new(Op::Select, self.tape.node(a).ty, &[m, a, b])),
            Some(Crossing::Branch(branch, state)) => {
                let node = Node::new(Op::Out(state.outs.len() as u32), self.tape.node(a).ty, &[*branch]);
                state.block.results.push(a);
                state.usual.push(b);
                state.outs.push(self.tape.nodes.len() as Id);
                self.append(node)
            }
            Some(Crossing::Arguments(outer)) => {
                outer.push(a);
                (outer.len() - 1) as Id
            }
            Some(Crossing::Results(inner)) => {
                inner.push(a);
                a
            }
            Some(Crossing::Returned(outer)) => outer.next().expect("a result for each member"),
        }
    }

    /// The results of a call.
    fn call(&mut self, callee: &Arc<Callee>, args: Vec<Id>) -> Vec<Id> {
        let index = self.tape.callee_index(callee);
        let made = self.scopes.iter().flat_map(|(block, _)| &block.items).find_map(|&id| match self.tape.node(id).op {
            Op::Call(c) => Some(&self.tape.calls[c as usize]).filter(|call| call.callee == index && call.args == args),
            _ => None,
        });
        if let Some(call) = made {
            return call.results.clone();
        }
        let number = self.tape.calls.len() as u32;
        let id = self.append(Node::new(Op::Call(number), Ty::Mask, &[]));
        let results: Vec<Id> =
            callee.tape.results().zip(0..).map(|(ty, k)| self.append(Node::new(Op::Result(k), ty, &[id]))).collect();
        self.tape.calls.push(Call { callee: index, args, results: results.clone() });
        let items = &mut self.scopes.last_mut().expect("a block is open").0.items;
        items.push(id);
        items.extend(&results);
        results
    }

    /// The tape, closed.
    fn finish(mut self, results: Vec<Id>) -> Tape {
        let (mut body, _) = self.scopes.pop().expect("the outermost block");
        body.results = results;
        self.tape.body = body;
        self.tape.without_dead_code()
    }
}

/// Opens a tape, above those that are open.
fn open(name: String, args: &[Ty]) {
    SESSION.with_borrow_mut(|s| {
        assert!(s.open.iter().all(|r| r.name != name), "{name:?} calls itself");
        s.open.push(Recorder { name, scopes: vec![Default::default()], ..Recorder::default() });
    });
    for &ty in args {
        with(|r| r.argument(ty));
    }
}

#[inline(never)]
fn push(op: Op, ty: Ty, args: &[Id]) -> Id {
    with(|r| r.push(Node::new(op, ty, args)))
}

/// Clears the thread's session, also when the recorded function panics.
struct Close;

impl Drop for Close {
    fn drop(&mut self) {
        SESSION.with_borrow_mut(|s| *s = Session::default());
    }
}

/// What `f` computes, as a tape without dead code. `f` takes its arguments by [`argument`] and returns the ids of its
/// results.
///
/// # Panics
/// If the calling thread is recording already.
pub fn record(f: impl FnOnce() -> Vec<Id>) -> Tape {
    SESSION.with_borrow(|s| assert!(s.open.is_empty(), "a tape is already open on this thread"));
    let _close = Close;
    open(String::new(), &[]);
    let results = f();
    let recorder = SESSION.with_borrow_mut(|s| s.open.pop()).expect("the tape opened above");
    recorder.finish(results)
}

/// The next argument of the function being recorded.
///
/// # Panics
/// If an operation was recorded already: arguments come first.
pub fn argument<H: Handle>() -> H {
    H::new(with(|r| r.argument(H::TY)))
}

/// Hands the members of `values` across, and what was made of them; out of a branch, `usual` is what they are where it is not taken.
fn cross<T: Bundle<Recording>>(values: T, usual: T, how: Crossing) -> (T, Crossing) {
    with(|r| r.crossing = Some(how));
    // Selections do not look at the mask now.
    let across = T::select(Truth(0), values, usual);
    (across, with(|r| r.crossing.take()).expect("what was set above"))
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

#[inline(never)]
fn unary<R: Handle>(op: Op, a: Id) -> R {
    R::new(push(op, R::TY, &[a]))
}

#[inline(never)]
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
        let (index, crossing) = with(|r| {
            let (block, _) = r.scopes.pop().expect("the branch's block");
            // The index is given when the branch closes, so nested branches have smaller ones.
            let index = r.tape.branches.len();
            r.tape.branches.push(Branch::default());
            let id = r.append(Node::new(Op::Branch(index as u32), Ty::Mask, &[rare.0]));
            r.scopes.last_mut().expect("an enclosing block").0.items.push(id);
            (index, Crossing::Branch(id, Branch { block, ..Branch::default() }))
        });
        let (out, crossing) = cross(result, usual, crossing);
        let Crossing::Branch(_, branch) = crossing else { unreachable!("set above") };
        with(|r| r.tape.branches[index] = branch);
        out
    }

    fn call<A: Bundle<Self>, R: Bundle<Self>, F: FnOnce(A) -> R>(name: &[&str], arguments: A, body: F) -> R {
        const { assert!(size_of::<F>() == 0, "what is called sees its arguments alone") };
        let name = name.join("_");
        let (inside, crossing) = cross(arguments, arguments, Crossing::Arguments(Vec::new()));
        let Crossing::Arguments(args) = crossing else { unreachable!("set above") };
        let types: Vec<Ty> = with(|r| args.iter().map(|&a| r.tape.node(a).ty).collect());
        let known = |s: &Session| {
            let known = s.known.iter().find(|k| k.callee.name == name)?;
            let results = *known.results.downcast_ref::<R>().expect("one name stands for one function");
            Some((known.callee.clone(), results))
        };
        let (callee, results) = SESSION.with_borrow(known).unwrap_or_else(|| {
            open(name.clone(), &types);
            let results = body(inside);
            let (results, crossing) = cross(results, results, Crossing::Results(Vec::new()));
            let Crossing::Results(ids) = crossing else { unreachable!("set above") };
            let recorder = SESSION.with_borrow_mut(|s| s.open.pop()).expect("the tape opened above");
            let callee = Arc::new(Callee { name: name.clone(), tape: recorder.finish(ids) });
            SESSION.with_borrow_mut(|s| s.known.push(Known { callee: callee.clone(), results: Box::new(results) }));
            (callee, results)
        });
        assert_eq!(types, callee.tape.args, "{name}: one name stands for one function");
        let returned = with(|r| r.call(&callee, args));
        cross(results, results, Crossing::Returned(returned.into_iter())).0
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
