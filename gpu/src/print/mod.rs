//! Tapes as source text: CUDA C++ (which is also the host's C++) and OpenCL C.
//!
//! A printed function calls one primitive per floating-point operation; the *prelude* of the dialect defines the
//! primitives. Literals are bit patterns. The prelude comes first in a translation unit, then [`tables`], then
//! functions, those that are called before those that call. A function that is called is printed once, under its own name.

mod cuda;
mod opencl;
mod unit;

pub use cuda::Cuda;
pub use opencl::OpenCl;
pub use unit::{Definition, Unit, definitions, program};

use std::borrow::Cow;
use std::fmt::Write;
use vernier::function::Op as Operation;
use vernier_tape::io::Kind;
use vernier_tape::mutants::Mutant;
use vernier_tape::registry::{Function, custom};
use vernier_tape::tape::{Block, Callee, Id, Mode, Node, Op, Tape, Ty};

/// The members of two pairs, of an unpacked double, and of two of these.
const PAIRS: [&str; 4] = ["hi", "lo", "second_hi", "second_lo"];
const UNPACKED: [&str; 3] = ["sign", "exponent", "significand"];
const UNPACKED2: [&str; 6] = ["re.sign", "re.exponent", "re.significand", "im.sign", "im.exponent", "im.significand"];

/// Where the rare path of a branch is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rare {
    /// In place where the rare path is short (sums) or a call's fixed registers cost the usual path moves (most functions
    /// over binary64), outlined elsewhere: as measured fastest on sm_90.
    #[default]
    Automatic,
    /// In place.
    Inline,
    /// As a function of its own that is never inlined.
    Outline,
}

/// A language to print in.
pub trait Dialect {
    /// Whether range tests are to be printed as [`Op::InRange`], and products and words made of halves as
    /// [`Op::MulWide`] and [`Op::Join`].
    fn has_shortcuts(&self) -> bool {
        false
    }
    /// Whether the language can print a mutant of this mode. Mutants that it cannot print are not to be printed.
    fn prints(&self, _: Mode) -> bool {
        true
    }
    /// What every translation unit begins with.
    fn prelude(&self) -> String;
    /// The qualifier of an inlined function.
    fn inline(&self) -> &'static str;
    /// The qualifier of a rare path that is not to be inlined.
    fn noinline(&self) -> &'static str;
    /// The qualifier of a large function that others call.
    fn called(&self) -> &'static str;
    /// The name of a value's type.
    fn ty(&self, ty: Ty) -> &'static str;
    /// The name of the type of an argument or result.
    fn kind(&self, kind: Kind) -> &'static str;
    /// Member `slot` of `expr`, a value of kind `kind` with more than one slot.
    fn member(&self, expr: &str, slot: usize, kind: Kind) -> String;
    /// A value of kind `kind` with more than one slot.
    fn compose(&self, slots: &[String], kind: Kind) -> String;
    /// The literal of a bit pattern.
    fn literal(&self, ty: Ty, bits: u64) -> String;
    /// A node's value. `operand` is the type of the first operand. `free` says that no compiler can merge the operation
    /// with another: no addition sees a product, nothing fused is negated.
    fn expr(&self, node: &Node, operand: Ty, args: &[String], free: bool) -> String;
    /// The root and its reciprocal: a statement that assigns both.
    fn sqrt_rcp(&self, ty: Ty, x: &str, root: &str, rcp: &str) -> String;
    /// How a condition that is rarely true is written.
    fn unlikely(&self, condition: &str) -> String;
    /// A parameter through which a value of this type leaves a function, and the argument for it.
    fn out_parameter(&self, ty: Ty, name: &str) -> (String, String);
    /// What the parameter is called inside.
    fn out_name(&self, name: &str) -> String;
    /// The definition of a constant table.
    fn table(&self, name: &str, entries: &[u64]) -> String;
    /// The name of an entry of a table.
    fn entry(&self, name: &str, ty: Ty, index: &str) -> String;
}

/// The name of a table: its contents' hash (FNV-1a).
pub fn table_name(entries: &[u64]) -> String {
    let hash = entries
        .iter()
        .flat_map(|e| e.to_le_bytes())
        .fold(0xcbf2_9ce4_8422_2325u64, |h, b| (h ^ b as u64).wrapping_mul(0x0100_0000_01b3));
    format!("vernier_table_{hash:016x}")
}

/// The definitions of all tables that `tapes` use, each once.
pub fn tables<'a>(dialect: &dyn Dialect, tapes: impl IntoIterator<Item = &'a Tape>) -> String {
    let mut done = Vec::new();
    let mut out = String::new();
    for table in tapes.into_iter().flat_map(|t| &t.tables) {
        let name = table_name(table);
        if !done.contains(&name) {
            out += &dialect.table(&name, table);
            done.push(name);
        }
    }
    out
}

/// The operations on its usual path from which on a function is not inlined where others call it. A call costs a caller 8 to 12
/// instructions and up to 5 registers on sm_90, 5% of a path of this length; shorter ones lose more.
const LARGE: usize = 200;

fn is_large(tape: &Tape) -> bool {
    tape.counts().0.into_iter().filter(|(name, _)| *name != "const").map(|(_, n)| n).sum::<usize>() >= LARGE
}

/// `f` under another name, not inlined.
fn wrapper(dialect: &dyn Dialect, f: &Function, name: &str) -> String {
    let (params, args): (Vec<String>, Vec<String>) =
        f.params.iter().enumerate().map(|(i, &k)| (format!("{} x{i}", dialect.kind(k)), format!("x{i}"))).unzip();
    let (qualifier, ty, params, args) =
        (dialect.called(), dialect.kind(f.results[0]), params.join(", "), args.join(", "));
    format!("{qualifier} {ty} {name}({params})\n{{\n    return {}({args});\n}}\n\n", f.name())
}

/// The tape with the shortcuts that a language has.
fn shortened<'t>(dialect: &dyn Dialect, tape: &'t Tape) -> Cow<'t, Tape> {
    if dialect.has_shortcuts() { Cow::Owned(tape.with_range_tests().with_halves()) } else { Cow::Borrowed(tape) }
}

/// `function` under its own name. With `mutants` it takes a further, last argument, the index of the mutant to compute;
/// any index past the last computes the function itself.
pub fn function(dialect: &dyn Dialect, function: &Function, rare: Rare, mutants: Option<&[Mutant]>) -> String {
    let tape = &function.tape;
    let recorded = if mutants.is_none() { shortened(dialect, tape) } else { Cow::Borrowed(tape) };
    let pairs = function.params.iter().any(|k| matches!(k, Kind::Pair32 | Kind::Pair64));
    let wide = function.params.contains(&Kind::Pair64);
    let rare = match (rare, function.id.op()) {
        (Rare::Automatic, Operation::Add | Operation::Sub | Operation::Acc | Operation::Renormalize) if pairs => {
            Rare::Inline
        }
        (Rare::Automatic, Operation::Mul | Operation::Div) if wide => Rare::Outline,
        // Where the format is a constant of the caller, it reaches the rare path in place only.
        (Rare::Automatic, _) if wide || custom::is_custom(function) => Rare::Inline,
        (Rare::Automatic, _) => Rare::Outline,
        (rare, _) => rare,
    };
    let signature = Signature::of_function(function);
    print(dialect, dialect.inline(), &function.name(), &recorded, &signature, rare, mutants)
}

/// A function that only others call.
fn callee(dialect: &dyn Dialect, callee: &Callee, rare: Rare) -> String {
    let recorded = shortened(dialect, &callee.tape);
    let qualifier = if is_large(&callee.tape) { dialect.called() } else { dialect.inline() };
    print(dialect, qualifier, &callee.name, &recorded, &Signature::of_slots(&callee.tape), rare, None)
}

/// A tape as a function called `name`. `params` and `result` say how arguments and results are grouped.
pub fn tape(
    dialect: &dyn Dialect,
    name: &str,
    tape: &Tape,
    params: &[Kind],
    result: Kind,
    rare: Rare,
    mutants: Option<&[Mutant]>,
) -> String {
    let signature = Signature { params: params.to_vec(), result: Some(result) };
    print(dialect, dialect.inline(), name, tape, &signature, rare, mutants)
}

/// How the arguments and results of a function are grouped.
struct Signature {
    params: Vec<Kind>,
    /// What is returned; without it results leave through parameters.
    result: Option<Kind>,
}

impl Signature {
    fn of_function(f: &Function) -> Self {
        Signature { params: f.params.clone(), result: Some(f.results[0]) }
    }

    /// Each argument on its own.
    fn of_slots(tape: &Tape) -> Self {
        let kind = |&ty: &Ty| match ty {
            Ty::F32 => Kind::F32,
            Ty::F64 => Kind::F64,
            Ty::U32 => Kind::U32,
            Ty::U64 => Kind::U64,
            Ty::Mask => Kind::Bool,
        };
        let results: Vec<Ty> = tape.results().collect();
        Signature { params: tape.args.iter().map(kind).collect(), result: bundle(&results) }
    }

    fn of_definition(definition: &Definition<'_>) -> Self {
        match definition {
            Definition::Function(f) | Definition::Called(f) => Self::of_function(f),
            Definition::Callee(c) => Self::of_slots(&c.tape),
        }
    }
}

/// The kind that holds exactly these values, so that they can be returned in registers.
fn bundle(types: &[Ty]) -> Option<Kind> {
    [Kind::Pair32, Kind::Pair64, Kind::Unpacked, Kind::U128, Kind::F32, Kind::F64, Kind::U32, Kind::U64]
        .into_iter()
        .find(|k| k.slots() == types)
}

fn print(
    dialect: &dyn Dialect,
    qualifier: &str,
    name: &str,
    tape: &Tape,
    signature: &Signature,
    rare: Rare,
    mutants: Option<&[Mutant]>,
) -> String {
    let mut p = Printer { dialect, name, tape, rare, mutants, outlined: String::new(), names: Vec::new() };
    p.names = vec![String::new(); tape.nodes.len()];
    let mut parameters = Vec::new();
    let mut next = 0;
    for (i, &kind) in signature.params.iter().enumerate() {
        let x = format!("x{i}");
        let slots = kind.slots().len();
        for slot in 0..slots {
            p.names[next] = if slots == 1 { x.clone() } else { dialect.member(&x, slot, kind) };
            next += 1;
        }
        parameters.push(format!("{} {x}", dialect.kind(kind)));
    }
    if mutants.is_some() {
        parameters.push(format!("{} mutant", dialect.ty(Ty::U32)));
    }
    let mut body = String::new();
    p.block(&tape.body, 1, &mut body);
    let results: Vec<String> = p.results().collect();
    let ty = match signature.result {
        Some(kind) => {
            let _ = writeln!(body, "    return {};", p.group(&results, kind));
            dialect.kind(kind)
        }
        None => {
            for (k, (value, ty)) in results.iter().zip(tape.results()).enumerate() {
                let name = format!("y{k}");
                parameters.push(dialect.out_parameter(ty, &name).0);
                let _ = writeln!(body, "    {} = {value};", dialect.out_name(&name));
            }
            "void"
        }
    };
    format!("{}{qualifier} {ty} {name}({})\n{{\n{body}}}\n\n", p.outlined, parameters.join(", "))
}

struct Printer<'a> {
    dialect: &'a dyn Dialect,
    name: &'a str,
    tape: &'a Tape,
    rare: Rare,
    mutants: Option<&'a [Mutant]>,
    outlined: String,
    names: Vec<String>,
}

impl Printer<'_> {
    /// The results, each as the mutants that change it have it.
    fn results(&self) -> impl Iterator<Item = String> + '_ {
        self.tape.body.results.iter().enumerate().map(|(k, &r)| {
            let mut value = self.names[r as usize].clone();
            for (i, mutant) in self.mutants.unwrap_or_default().iter().enumerate() {
                if let Mutant::Results { results, .. } = mutant {
                    value = format!("mutant == {i}u ? {} : {value}", self.names[results[k] as usize]);
                }
            }
            value
        })
    }

    fn block(&mut self, block: &Block, depth: usize, out: &mut String) {
        for &id in &block.items {
            let node = *self.tape.node(id);
            match node.op {
                Op::Branch(b) => self.branch(id, b as usize, depth, out),
                Op::Call(c) => self.call(id, c, depth, out),
                Op::Second | Op::Result(_) => {}
                Op::Const(bits) if self.mutants_at(id).next().is_none() => {
                    self.names[id as usize] = self.dialect.literal(node.ty, bits);
                }
                _ => self.node(id, &node, depth, out),
            }
        }
    }

    /// These values as one.
    fn group(&self, slots: &[String], kind: Kind) -> String {
        if slots.len() == 1 {
            return slots[0].clone();
        }
        // All members of one value are that value.
        let whole = slots[0].split('.').next().unwrap_or_default();
        let members = (0..slots.len()).map(|slot| self.dialect.member(whole, slot, kind));
        if members.eq(slots.iter().cloned()) { whole.to_string() } else { self.dialect.compose(slots, kind) }
    }

    fn call(&mut self, id: Id, index: u32, depth: usize, out: &mut String) {
        let (pad, tape) = ("    ".repeat(depth), self.tape);
        let (call, callee) = (&tape.calls[index as usize], tape.callee(index));
        let definition = Definition::of(callee);
        let (name, signature) = (definition.name(), Signature::of_definition(&definition));
        let slots: Vec<String> = call.args.iter().map(|&a| self.names[a as usize].clone()).collect();
        let mut rest = slots.as_slice();
        let mut args = Vec::new();
        for &kind in &signature.params {
            let (slots, after) = rest.split_at(kind.slots().len());
            args.push(self.group(slots, kind));
            rest = after;
        }
        let values: Vec<String> = match signature.result {
            Some(kind) if kind.slots().len() == 1 => vec![format!("{}({})", name, args.join(", "))],
            Some(kind) => {
                let ty = self.dialect.kind(kind);
                let _ = writeln!(out, "{pad}const {ty} r{id} = {}({});", name, args.join(", "));
                (0..kind.slots().len()).map(|slot| self.dialect.member(&format!("r{id}"), slot, kind)).collect()
            }
            None => {
                let names: Vec<String> = (0..callee.tape.body.results.len()).map(|k| format!("r{id}_{k}")).collect();
                for (name, ty) in names.iter().zip(callee.tape.results()) {
                    let _ = writeln!(out, "{pad}{} {name};", self.dialect.ty(ty));
                    args.push(self.dialect.out_parameter(ty, name).1);
                }
                let _ = writeln!(out, "{pad}{}({});", name, args.join(", "));
                names
            }
        };
        let single = values.len() == 1;
        for &r in &call.results {
            let Op::Result(k) = tape.node(r).op else { unreachable!("the results of a call") };
            let mut value = self.with_mutants(r, values[k as usize].clone());
            if single || value != values[k as usize] {
                let _ = writeln!(out, "{pad}const {} v{r} = {value};", self.dialect.ty(tape.node(r).ty));
                value = format!("v{r}");
            }
            self.names[r as usize] = value;
        }
    }

    fn mutants_at(&self, id: Id) -> impl Iterator<Item = (usize, &Node)> {
        self.mutants.unwrap_or_default().iter().enumerate().filter_map(move |(i, f)| match f {
            Mutant::Node { at, with, .. } if *at == id => Some((i, with)),
            _ => None,
        })
    }

    /// The value of a node, or what the mutant asked for has there.
    fn with_mutants(&self, id: Id, value: String) -> String {
        let choice = |value, (i, mutant)| format!("mutant == {i}u ? {} : {value}", self.expr(id, mutant));
        self.mutants_at(id).fold(value, choice)
    }

    fn expr(&self, id: Id, node: &Node) -> String {
        let args: Vec<String> = node.args().iter().map(|&a| self.names[a as usize].clone()).collect();
        let operand = node.args().first().map_or(node.ty, |&a| self.tape.node(a).ty);
        match node.op {
            Op::Const(bits) => self.dialect.literal(node.ty, bits),
            Op::Table(t) => self.dialect.entry(&table_name(self.tape.tables[t as usize]), node.ty, &args[0]),
            _ => self.dialect.expr(node, operand, &args, self.is_free(id)),
        }
    }

    fn node(&mut self, id: Id, node: &Node, depth: usize, out: &mut String) {
        let pad = "    ".repeat(depth);
        let name = format!("v{id}");
        let ty = self.dialect.ty(node.ty);
        if node.op == Op::SqrtRcp {
            let rcp = format!("v{}", id + 1);
            let x = self.names[node.args()[0] as usize].clone();
            let _ = writeln!(out, "{pad}{ty} {name}, {rcp};");
            let _ = writeln!(out, "{pad}{}", self.dialect.sqrt_rcp(node.ty, &x, &name, &rcp));
            self.names[id as usize] = name.clone();
            for (i, mutant) in self.mutants_at(id) {
                let _ = writeln!(out, "{pad}if (mutant == {i}u) {name} = {};", self.expr(id, mutant));
            }
            for (i, mutant) in self.mutants_at(id + 1) {
                let _ = writeln!(out, "{pad}if (mutant == {i}u) {rcp} = {};", self.expr(id + 1, mutant));
            }
            self.names[id as usize + 1] = rcp;
        } else {
            let value = self.with_mutants(id, self.expr(id, node));
            let _ = writeln!(out, "{pad}const {ty} {name} = {value};");
        }
        self.names[id as usize] = name;
    }

    fn branch(&mut self, id: Id, index: usize, depth: usize, out: &mut String) {
        let pad = "    ".repeat(depth);
        let tape = self.tape;
        let branch = &tape.branches[index];
        let mut condition = self.names[tape.node(id).args()[0] as usize].clone();
        for (i, mutant) in self.mutants_at(id) {
            let with = match mutant.mode {
                Mode::Never => "false".to_string(),
                _ => format!("!{}", self.names[mutant.args()[0] as usize]),
            };
            condition = format!("mutant == {i}u ? {with} : {condition}");
        }
        for (&o, &usual) in branch.outs.iter().zip(&branch.usual) {
            let (ty, usual) = (self.dialect.ty(tape.node(o).ty), &self.names[usual as usize]);
            let _ = writeln!(out, "{pad}{ty} v{o} = {usual};");
        }
        let _ = writeln!(out, "{pad}if ({}) {{", self.dialect.unlikely(&condition));
        match self.rare {
            Rare::Inline => {
                let saved = self.names.clone();
                self.block(&branch.block, depth + 1, out);
                for (&o, &r) in branch.outs.iter().zip(&branch.block.results) {
                    let _ = writeln!(out, "{pad}    v{o} = {};", self.names[r as usize]);
                }
                self.names = saved;
            }
            Rare::Outline | Rare::Automatic => self.outline(index, depth, out),
        }
        let _ = writeln!(out, "{pad}}}");
        for &o in &branch.outs {
            self.names[o as usize] = format!("v{o}");
        }
    }

    /// The rare path as a function, and the call.
    fn outline(&mut self, index: usize, depth: usize, out: &mut String) {
        let tape = self.tape;
        let branch = &tape.branches[index];
        let name = format!("{}_rare{index}", self.name);
        let inputs: Vec<Id> = tape
            .live_in(&branch.block)
            .into_iter()
            .filter(|&i| {
                let literal = matches!(tape.node(i).op, Op::Const(_)) && self.mutants_at(i).next().is_none();
                self.names[i as usize].is_empty() || !literal
            })
            .collect();
        let mut signature: Vec<String> =
            inputs.iter().map(|&i| format!("{} v{i}", self.dialect.ty(tape.node(i).ty))).collect();
        let mut call: Vec<String> = inputs.iter().map(|&i| self.names[i as usize].clone()).collect();
        if self.mutants.is_some() {
            signature.push(format!("{} mutant", self.dialect.ty(Ty::U32)));
            call.push("mutant".into());
        }
        let kind = bundle(&branch.outs.iter().map(|&o| tape.node(o).ty).collect::<Vec<_>>());
        if kind.is_none() {
            for &o in &branch.outs {
                let (parameter, argument) = self.dialect.out_parameter(tape.node(o).ty, &format!("v{o}"));
                signature.push(parameter);
                call.push(argument);
            }
        }
        let saved = self.names.clone();
        for &i in &inputs {
            self.names[i as usize] = format!("v{i}");
        }
        let mut body = String::new();
        self.block(&branch.block, 1, &mut body);
        let values: Vec<String> = branch.block.results.iter().map(|&r| self.names[r as usize].clone()).collect();
        self.names = saved;
        let pad = "    ".repeat(depth + 1);
        let call = format!("{name}({})", call.join(", "));
        let ty = match kind {
            None => {
                for (&o, value) in branch.outs.iter().zip(&values) {
                    let _ = writeln!(body, "    {} = {value};", self.dialect.out_name(&format!("v{o}")));
                }
                let _ = writeln!(out, "{pad}{call};");
                "void"
            }
            Some(kind) if values.len() == 1 => {
                let _ = writeln!(body, "    return {};", values[0]);
                let _ = writeln!(out, "{pad}v{} = {call};", branch.outs[0]);
                self.dialect.kind(kind)
            }
            Some(kind) => {
                let ty = self.dialect.kind(kind);
                let _ = writeln!(body, "    return {};", self.dialect.compose(&values, kind));
                let _ = writeln!(out, "{pad}const {ty} r = {call};");
                for (slot, &o) in branch.outs.iter().enumerate() {
                    let _ = writeln!(out, "{pad}v{o} = {};", self.dialect.member("r", slot, kind));
                }
                ty
            }
        };
        let (noinline, signature) = (self.dialect.noinline(), signature.join(", "));
        let _ = write!(self.outlined, "{noinline} {ty} {name}({signature})\n{{\n{body}}}\n\n");
    }

    /// Whether a compiler has nothing to merge this operation with. Products are contracted with additions; and GCC takes
    /// -fma(a, b, c) for -(a b) - c, which differs in the sign of zero (what an argument was made by is not known).
    fn is_free(&self, id: Id) -> bool {
        if self.tape.node(id).op == Op::Neg {
            let operand = self.tape.node(self.tape.node(id).args()[0]).op;
            return matches!(operand, Op::Mul | Op::Add | Op::Sub | Op::Abs | Op::CopySign);
        }
        let harmless = |op| {
            matches!(
                op,
                Op::Mul | Op::Fma | Op::Abs | Op::Lt | Op::Le | Op::Eq | Op::Bits | Op::Div | Op::Rcp | Op::Sqrt
            )
        };
        let leaves = self.tape.blocks().any(|b| b.results.contains(&id))
            || self.tape.branches.iter().any(|b| b.usual.contains(&id))
            || self.tape.calls.iter().any(|c| c.args.contains(&id));
        !leaves && self.tape.nodes.iter().all(|n| !n.args().contains(&id) || harmless(n.op))
    }
}
