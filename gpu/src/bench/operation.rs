//! Printed operations of a subject.

use super::Subject;
use crate::print::{Dialect, Rare, Unit};
use serde::{Deserialize, Serialize};
use vernier::custom::{self, Format, Layout, Options, Random};
use vernier::machine::Limb;
use vernier_tape::io::Kind;
use vernier_tape::record::{self, F32, F64, Recording};
use vernier_tape::registry::{self, Function};
use vernier_tape::tape::{Tape, Ty};

/// Whose sequence an operation runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Author {
    /// This crate's.
    Vernier,
    /// The published one, with its approximate seed: CUDA only.
    Published,
}

/// The published division and roots, which depend on the machine.
const PUBLISHED: &str = include_str!("published.cuh");

/// The name of an operation in printed code.
pub(super) fn name(subject: Subject, op: &str, author: Author) -> String {
    if author == Author::Published {
        return format!("published_{}_{op}", subject.name());
    }
    subject.function(op).map_or_else(|| format!("{}_{op}", subject.name()), Function::name)
}

/// Whether all levels of a subject share this operation.
pub(super) fn is_shared(subject: Subject, op: &str) -> bool {
    subject.function(op).is_some_and(|f| f.id.level().is_none())
}

impl Subject {
    /// The registered function that an operation is. Reduced formats are recorded with their sizes where they are used.
    pub fn function(self, op: &str) -> Option<&'static Function> {
        self.sizes().is_none().then(|| registry::find(self.family(), op, self.level()))?
    }
}

/// The tape of an operation of this crate or of a native type.
pub(super) fn tape(subject: Subject, op: &str) -> Option<Tape> {
    use vernier_tape::record::Handle;
    if let Some((e, m)) = subject.sizes() {
        let f = &Layout::<Recording>::known(Format::new(e, m, Options::PUBLISHED).ok()?);
        let x = || record::argument::<F64>();
        let none = &Random::none;
        return Some(match op {
            "add" => record::record(|| vec![custom::add(x(), x(), f, &none()).id()]),
            "mul" => record::record(|| vec![custom::mul(x(), x(), f, &none()).id()]),
            "div" => record::record(|| vec![custom::div(x(), x(), f, &none()).id()]),
            _ => return None,
        });
    }
    if !subject.is_native() {
        return subject.function(op).map(|f| f.tape.clone());
    }
    macro_rules! native {
        ($limb:ty) => {{
            let x = || record::argument::<$limb>();
            Some(match op {
                "add" => record::record(|| vec![(x() + x()).id()]),
                "sub" => record::record(|| vec![(x() - x()).id()]),
                "mul" => record::record(|| vec![(x() * x()).id()]),
                "div" => record::record(|| vec![x().div(x()).id()]),
                "fma" => record::record(|| vec![x().fma(x(), x()).id()]),
                "sqrt" => record::record(|| vec![x().sqrt().id()]),
                _ => return None,
            })
        }};
    }
    if subject == Subject::Float { native!(F32) } else { native!(F64) }
}

/// Definitions of operations.
pub(super) struct Definitions<'a>(pub Unit<'a>);

impl<'a> Definitions<'a> {
    pub fn new(dialect: &'a dyn Dialect, rare: Rare) -> Self {
        Definitions(Unit::new(dialect, rare, dialect.prelude()))
    }

    /// Defines an operation. There are no others than `tape` and the published sequences know.
    pub fn operation(&mut self, subject: Subject, op: &str, author: Author) -> String {
        let name = name(subject, op, author);
        if author == Author::Published {
            if self.0.missing("published") {
                self.0.text += PUBLISHED;
            }
        } else if let Some(f) = subject.function(op) {
            self.0.function(f, None);
        } else if let Some(tape) = tape(subject, op).filter(|_| self.0.missing(&name)) {
            let (params, kind) = (vec![subject.kind(); tape.args.len()], subject.kind());
            self.0.tape(&name, &tape, &params, kind, self.0.rare);
        }
        name
    }

    /// Defines what [`value`] needs of a subject.
    pub fn parts(&mut self, subject: Subject) {
        if subject.kind() == Kind::Unpacked {
            self.operation(subject, "from_fp64emu", Author::Vernier);
        }
    }
}

/// A value whose limbs are `hi` and, where it has two, `lo`; of an emulated double, that whose bits are `hi`. What takes
/// bits apart is defined already, by [`Definitions::parts`].
pub(super) fn value(dialect: &dyn Dialect, kind: Kind, hi: &str, lo: &str) -> String {
    match kind {
        Kind::Unpacked => format!("{UNPACK}({hi})"),
        _ if kind.slots().len() == 1 => hi.to_string(),
        _ => dialect.compose(&[hi.to_string(), lo.to_string()], kind),
    }
}

/// The function from bits to their parts.
const UNPACK: &str = "fp64emu_unpacked_from_fp64emu";

/// The number 1 or another that a limb of `subject` holds, as a limb.
pub(super) fn limb(dialect: &dyn Dialect, subject: Subject, x: f64) -> String {
    let bits = if subject.limb() == Ty::F32 { (x as f32).to_bits().into() } else { x.to_bits() };
    dialect.literal(subject.limb(), bits)
}

/// Its limbs, as a device's memory has them.
pub(super) fn limbs(dialect: &dyn Dialect, kind: Kind, value: &str) -> Vec<String> {
    let member = |slot| dialect.member(value, slot, kind);
    match kind {
        Kind::Unpacked => vec![format!("((vernier_u64){} << 32 | {})", member(0), member(1)), member(2)],
        _ if kind.slots().len() == 1 => vec![value.to_string()],
        _ => (0..kind.slots().len()).map(member).collect(),
    }
}
