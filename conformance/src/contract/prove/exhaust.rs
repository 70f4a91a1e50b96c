//! Proof on a scale by trying all arguments.

use super::encode::Encoder;
use super::{Format, Prover};
use rayon::prelude::*;
use vernier_tape::faults::Fault;
use vernier_tape::registry::Function;
use vernier_tape::tape::{Id, Mode, Op, Tape, Ty};

/// The most bits of all arguments together.
const BITS: usize = 28;

/// What trying all arguments shows of a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tried {
    /// No result changes.
    Never,
    /// These limbs on the scale notice it.
    Case(Vec<u64>),
    /// It has no counterpart on the scale.
    Unknown,
}

/// The format of most digits whose limbs can all be tried as arguments of a function; none if it has no counterpart on a
/// scale, or too many arguments.
pub fn widest(f: &Function) -> Option<Format> {
    let formats = [(4, 4), (3, 4), (2, 4)].map(|(digits, exponent)| Format { digits, exponent });
    let fits = |format: &Format| Prover::on_scale(f, *format).is_some_and(|p| p.input_bits() <= BITS);
    formats.into_iter().find(fits)
}

/// Tries faults of a function on all limbs of a format.
pub fn on_all_limbs(f: &Function, faults: &[Fault], format: Format) -> Vec<Tried> {
    let Some(prover) = Prover::on_scale(f, format).filter(|p| p.input_bits() <= BITS) else {
        return vec![Tried::Unknown; faults.len()];
    };
    faults.par_iter().map(|fault| prover.clone().on_all_limbs(fault, format)).collect()
}

impl Prover<'_> {
    fn on_all_limbs(&mut self, fault: &Fault, format: Format) -> Tried {
        if unscales_subnormals(&self.function.tape, fault, format) {
            return Tried::Unknown;
        }
        let Some(noticed) = self.noticed_on_scale(fault) else { return Tried::Unknown };
        let Encoder { circuit, inputs: words, .. } = &self.encoder;
        let inputs: Vec<u32> = words.iter().flatten().map(|s| s >> 1).collect();
        circuit.when_true(noticed, &inputs).map_or(Tried::Never, |set| Tried::Case(circuit.words_where(&set, words)))
    }
}

/// Whether the fault flushes what a factor above 1 makes of subnormal numbers: where it is as large as the range of these, nothing
/// that it makes is one.
pub(super) fn unscales_subnormals(tape: &Tape, fault: &Fault, format: Format) -> bool {
    let Fault::Node { with, .. } = fault else { return false };
    let factor = |&id: &Id| match (tape.node(id).op, with.ty) {
        (Op::Const(bits), Ty::F32) => f64::from(f32::from_bits(bits as u32)),
        (Op::Const(bits), _) => f64::from_bits(bits),
        _ => 0.0,
    };
    with.op == Op::Mul
        && with.mode == Mode::FlushOut
        && with.args().iter().map(factor).any(|x| x.abs() >= ((format.digits - 1) as f64).exp2())
}
