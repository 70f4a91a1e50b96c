//! The tape: a function written down as typed operations.
//!
//! A tape is a list of *nodes*, each the value of one operation on earlier nodes, and a *block*, the order in which
//! they are computed. A *branch* is a node that owns a nested block, the rare path; its results are the nodes
//! [`Op::Out`], which have the usual value unless the branch is taken. Nodes made inside a block are visible in that
//! block and in blocks nested in it, nowhere else.
//!
//! A *call* is a node that stands for another tape, the *callee*, of some arguments; the nodes [`Op::Result`] that follow
//! it are what the callee returns.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// The index of a node.
pub type Id = u32;

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ty {
    /// IEEE binary32.
    F32,
    /// IEEE binary64.
    F64,
    /// 32-bit word.
    U32,
    /// 64-bit word.
    U64,
    /// A truth value.
    Mask,
}

impl Ty {
    /// Whether it is a floating-point type.
    pub fn is_float(self) -> bool {
        matches!(self, Ty::F32 | Ty::F64)
    }

    /// The bits of the type that are in use.
    pub fn bits_mask(self) -> u64 {
        match self {
            Ty::F32 | Ty::U32 => u32::MAX as u64,
            Ty::F64 | Ty::U64 => u64::MAX,
            Ty::Mask => 1,
        }
    }
}

/// What a node computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Op {
    /// The argument of this index.
    Arg(u32),
    /// A bit pattern of the node's type.
    Const(u64),
    /// Its operand. Only mutants make it.
    Copy,
    /// a + b; words wrap.
    Add,
    /// a - b; words wrap.
    Sub,
    /// a b; words wrap.
    Mul,
    /// RN(a b + c).
    Fma,
    /// RN(a / b).
    Div,
    /// RN(1 / a).
    Rcp,
    /// RN(1 / a) where a is moderate ([`vernier::machine::Limb::rcp_moderate`]).
    RcpModerate,
    /// RN(sqrt(a)).
    Sqrt,
    /// RN(sqrt(a)) where a is moderate; the node that follows is [`Op::Second`] of it.
    SqrtRcp,
    /// The reciprocal of the root that the operand, a [`Op::SqrtRcp`], is.
    Second,
    /// -a: the sign bit flipped.
    Neg,
    /// The sign bit cleared.
    Abs,
    /// a with the sign of b.
    CopySign,
    /// a < b.
    Lt,
    /// a <= b.
    Le,
    /// a == b.
    Eq,
    /// a < b as two's complement.
    LtSigned,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Complement.
    Not,
    /// a << (b mod width).
    Shl,
    /// a >> (b mod width).
    Shr,
    /// a >> (b mod width) with copies of the sign.
    Sar,
    /// a << b, 0 where b is the width or more.
    UnboundedShl,
    /// a >> b, 0 where b is the width or more.
    UnboundedShr,
    /// The high word of the product.
    MulHi,
    /// The high word of the product of operands below 2^63.
    WideHigh,
    /// The low word of that product.
    WideLow,
    /// The high word of (a 2^64 + c) + (b 2^64 + d).
    SumHigh,
    /// The low word of that sum, c + d.
    SumLow,
    /// Leading zeros.
    Clz,
    /// Leading zeros; unspecified for 0.
    ClzNonzero,
    /// The low 32 bits.
    ToU32,
    /// Zero extension.
    ToU64,
    /// The bits of a float.
    Bits,
    /// The float of these bits.
    FromBits,
    /// Entry a of the table of this index.
    Table(u32),
    /// b <= a < c, or b <= |a| < c, for powers of two b and c. Only [`Tape::with_range_tests`] makes it.
    InRange {
        /// Whether the magnitude is tested.
        magnitude: bool,
    },
    /// The double-width product of two words of 32 bits. Only [`Tape::with_halves`] makes it.
    MulWide,
    /// a 2^32 + b for words of 32 bits. Only [`Tape::with_halves`] makes it.
    Join,
    /// b where a is true, c elsewhere.
    Select,
    /// The branch of this index; its operand is the condition. It has no value of its own.
    Branch(u32),
    /// The result of this index of the branch that its operand is.
    Out(u32),
    /// The call of this index. It has no value of its own.
    Call(u32),
    /// The result of this index of the call that its operand is.
    Result(u32),
}

impl Op {
    /// The number of operands that the node itself holds.
    pub fn arity(self) -> usize {
        match self {
            Op::Arg(_) | Op::Const(_) | Op::Call(_) => 0,
            Op::SumHigh | Op::SumLow => 4,
            Op::Fma | Op::Select | Op::InRange { .. } => 3,
            Op::Copy
            | Op::Rcp
            | Op::RcpModerate
            | Op::Sqrt
            | Op::SqrtRcp
            | Op::Second
            | Op::Neg
            | Op::Abs
            | Op::Not
            | Op::Clz
            | Op::ClzNonzero
            | Op::ToU32
            | Op::ToU64
            | Op::Bits
            | Op::FromBits
            | Op::Table(_)
            | Op::Branch(_)
            | Op::Out(_)
            | Op::Result(_) => 1,
            _ => 2,
        }
    }

    /// The name without indices, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Op::Arg(_) => "arg",
            Op::Const(_) => "const",
            Op::Copy => "copy",
            Op::Add => "add",
            Op::Sub => "sub",
            Op::Mul => "mul",
            Op::Fma => "fma",
            Op::Div => "div",
            Op::Rcp => "rcp",
            Op::RcpModerate => "rcp_moderate",
            Op::Sqrt => "sqrt",
            Op::SqrtRcp => "sqrt_rcp",
            Op::Second => "second",
            Op::Neg => "neg",
            Op::Abs => "abs",
            Op::CopySign => "copysign",
            Op::Lt => "lt",
            Op::Le => "le",
            Op::Eq => "eq",
            Op::LtSigned => "lt_signed",
            Op::And => "and",
            Op::Or => "or",
            Op::Xor => "xor",
            Op::Not => "not",
            Op::Shl => "shl",
            Op::Shr => "shr",
            Op::Sar => "sar",
            Op::UnboundedShl => "unbounded_shl",
            Op::UnboundedShr => "unbounded_shr",
            Op::MulHi => "mul_hi",
            Op::WideHigh => "wide_high",
            Op::WideLow => "wide_low",
            Op::SumHigh => "sum_high",
            Op::SumLow => "sum_low",
            Op::Clz => "clz",
            Op::ClzNonzero => "clz_nonzero",
            Op::ToU32 => "to_u32",
            Op::ToU64 => "to_u64",
            Op::Bits => "bits",
            Op::FromBits => "from_bits",
            Op::Table(_) => "table",
            Op::InRange { .. } => "in_range",
            Op::MulWide => "mul_wide",
            Op::Join => "join",
            Op::Select => "select",
            Op::Branch(_) => "branch",
            Op::Out(_) => "out",
            Op::Call(_) => "call",
            Op::Result(_) => "result",
        }
    }
}

/// How an operation departs from its definition. Recorded operations are [`Mode::Exact`]; mutants are not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mode {
    /// As defined: rounded to nearest, ties to even, subnormals kept.
    #[default]
    Exact,
    /// Rounded toward zero.
    Zero,
    /// Rounded up.
    Up,
    /// Rounded down.
    Down,
    /// Subnormal operands are taken as zeros of their sign.
    FlushIn,
    /// A subnormal result becomes a zero of its sign.
    FlushOut,
    /// A fused operation rounds its product.
    Split,
    /// A branch is never taken.
    Never,
    /// A branch is taken where it is not to be.
    Negated,
}

/// One operation and its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    /// What is computed.
    pub op: Op,
    /// How.
    pub mode: Mode,
    /// The type of the value.
    pub ty: Ty,
    args: [Id; 4],
}

impl Node {
    /// A node that computes `op` as defined.
    pub fn new(op: Op, ty: Ty, args: &[Id]) -> Self {
        debug_assert_eq!(op.arity(), args.len());
        let mut a = [0; 4];
        a[..args.len()].copy_from_slice(args);
        Node { op, mode: Mode::Exact, ty, args: a }
    }

    /// The same operation in another mode.
    pub fn in_mode(self, mode: Mode) -> Self {
        Node { mode, ..self }
    }

    /// The operands.
    pub fn args(&self) -> &[Id] {
        &self.args[..self.op.arity()]
    }

    /// The operands, to change.
    pub fn args_mut(&mut self) -> &mut [Id] {
        &mut self.args[..self.op.arity()]
    }
}

/// Nodes in the order of their computation, and what comes out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block {
    /// Constants, operations, branches, calls and their results; not arguments and not [`Op::Out`].
    pub items: Vec<Id>,
    /// The values that leave the block.
    pub results: Vec<Id>,
}

/// A rare path and what it replaces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Branch {
    /// The result where the branch is not taken.
    pub usual: Vec<Id>,
    /// The rare path.
    pub block: Block,
    /// The [`Op::Out`] nodes, one per result.
    pub outs: Vec<Id>,
}

/// A function that tapes call.
#[derive(Clone, Debug, PartialEq)]
pub struct Callee {
    /// What it is called. A function of the registry has its name there.
    pub name: String,
    /// The function, recorded.
    pub tape: Tape,
}

/// A call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Call {
    /// The index of the callee.
    pub callee: u32,
    /// A value for each argument of the callee.
    pub args: Vec<Id>,
    /// The [`Op::Result`] nodes; those that nothing needs may be missing.
    pub results: Vec<Id>,
}

/// A recorded function.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tape {
    /// The types of the arguments; argument i is node i.
    pub args: Vec<Ty>,
    /// Every node, operands before users.
    pub nodes: Vec<Node>,
    /// The branches.
    pub branches: Vec<Branch>,
    /// The calls.
    pub calls: Vec<Call>,
    /// The functions that are called, each once.
    pub callees: Vec<Arc<Callee>>,
    /// Constant tables.
    pub tables: Vec<&'static [u64]>,
    /// The function's body.
    pub body: Block,
}

/// Numbers of operations by name.
pub type Counts = BTreeMap<&'static str, usize>;

impl Tape {
    /// The node of this index.
    pub fn node(&self, id: Id) -> &Node {
        &self.nodes[id as usize]
    }

    /// The nodes whose values a node is computed from: of an [`Op::Out`] the branch and both results, of a call its arguments, of an
    /// [`Op::Second`] what the root is of.
    pub fn operands(&self, node: &Node) -> Vec<Id> {
        match node.op {
            Op::Out(k) => {
                let branch = node.args()[0];
                let Op::Branch(b) = self.node(branch).op else { unreachable!("Out belongs to a branch") };
                let b = &self.branches[b as usize];
                vec![branch, b.usual[k as usize], b.block.results[k as usize]]
            }
            Op::Call(c) => self.calls[c as usize].args.clone(),
            Op::Second => vec![self.node(node.args()[0]).args()[0]],
            _ => node.args().to_vec(),
        }
    }

    /// The types of the results.
    pub fn results(&self) -> impl Iterator<Item = Ty> + '_ {
        self.body.results.iter().map(|&r| self.node(r).ty)
    }

    /// The operations on the usual path and those on rare paths, by name, those of callees included. Constants and branches
    /// are left out of neither.
    pub fn counts(&self) -> (Counts, Counts) {
        let (mut usual, mut rare) = (Counts::new(), Counts::new());
        self.count(&self.body, &mut usual, &mut rare);
        for branch in &self.branches {
            let (mut on_it, mut beyond) = (Counts::new(), Counts::new());
            self.count(&branch.block, &mut on_it, &mut beyond);
            on_it.into_iter().chain(beyond).for_each(|(name, n)| *rare.entry(name).or_default() += n);
        }
        (usual, rare)
    }

    /// Adds a block's operations, and those on the rare paths of its callees.
    fn count(&self, block: &Block, usual: &mut Counts, rare: &mut Counts) {
        for &id in &block.items {
            match self.node(id).op {
                Op::Call(c) => {
                    let (u, r) = self.callee(c).tape.counts();
                    u.into_iter().for_each(|(name, n)| *usual.entry(name).or_default() += n);
                    r.into_iter().for_each(|(name, n)| *rare.entry(name).or_default() += n);
                }
                Op::Result(_) => {}
                op => *usual.entry(op.name()).or_default() += 1,
            }
        }
    }

    /// Rounded floating-point operations (add, sub, mul, fma) on the usual path, those of callees included.
    pub fn flops(&self) -> usize {
        let arithmetic = |op| matches!(op, Op::Add | Op::Sub | Op::Mul | Op::Fma);
        let of = |n: &Node| match n.op {
            Op::Call(c) => self.callee(c).tape.flops(),
            op => usize::from(n.ty.is_float() && arithmetic(op)),
        };
        self.body.items.iter().map(|&id| of(self.node(id))).sum()
    }

    /// What the call of this index calls.
    pub fn callee(&self, call: u32) -> &Arc<Callee> {
        &self.callees[self.calls[call as usize].callee as usize]
    }

    /// Whether it or a callee has a value of this type.
    pub fn uses(&self, ty: Ty) -> bool {
        self.nodes.iter().any(|n| n.ty == ty) || self.callees.iter().any(|c| c.tape.uses(ty))
    }

    /// Every block: the body first.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        std::iter::once(&self.body).chain(self.branches.iter().map(|b| &b.block))
    }
}

impl fmt::Display for Tape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.list(f, &self.body, 0)
    }
}

impl Tape {
    fn list(&self, f: &mut fmt::Formatter<'_>, block: &Block, depth: usize) -> fmt::Result {
        let names = |ids: &[Id]| ids.iter().map(|i| format!("v{i}")).collect::<Vec<_>>().join(", ");
        let pad = "  ".repeat(depth);
        for &id in &block.items {
            let n = self.node(id);
            match n.op {
                Op::Const(bits) => writeln!(f, "{pad}v{id}: {:?} = {bits:#x}", n.ty)?,
                Op::Branch(b) => {
                    let b = &self.branches[b as usize];
                    writeln!(f, "{pad}{} = {} unless v{}:", names(&b.outs), names(&b.usual), n.args()[0])?;
                    self.list(f, &b.block, depth + 1)?;
                }
                Op::Call(c) => {
                    let call = &self.calls[c as usize];
                    writeln!(f, "{pad}v{id} = {} {}", self.callee(c).name, names(&call.args))?;
                }
                Op::Result(k) => writeln!(f, "{pad}v{id}: {:?} = result {k} of {}", n.ty, names(n.args()))?,
                _ => {
                    let mode = if n.mode == Mode::Exact { String::new() } else { format!(" {:?}", n.mode) };
                    writeln!(f, "{pad}v{id}: {:?} = {}{mode} {}", n.ty, n.op.name(), names(n.args()))?;
                }
            }
        }
        writeln!(f, "{pad}-> {}", names(&block.results))
    }
}
