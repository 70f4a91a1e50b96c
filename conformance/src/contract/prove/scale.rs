//! A tape as it would be over limbs of another format: its constants are powers of two and others that follow from the
//! format ([`Limb`]), and each has its counterpart.

use super::float::Format;
use vernier::machine::Limb;
use vernier_tape::tape::{Node, Op, Tape, Ty};

/// What the algorithms know of a limb.
#[derive(Clone, Copy, Debug)]
pub(super) struct Named {
    pub digits: i32,
    pub least: i32,
    scale: i32,
    limit: i32,
    range: (i32, i32),
}

fn named<L: Limb>() -> Named {
    Named { digits: L::P as i32, least: L::MIN_EXP, scale: L::SCALE, limit: L::SCALE_LIMIT, range: L::DIV_RANGE }
}

pub(super) fn of(ty: Ty) -> Named {
    if ty == Ty::F32 { named::<f32>() } else { named::<f64>() }
}

/// As binary32 has them, in proportion to the smallest exponent.
pub(super) fn on_scale(format: Format) -> Named {
    let scale = -format.least() * 3 / 8 * 2;
    let (digits, least) = (format.digits as i32, format.least());
    Named { digits, least, scale, limit: scale / 2, range: (1 - scale, scale) }
}

/// Guard binades of range tests.
const GUARDS: std::ops::Range<i32> = 0..9;

/// Exponents that the algorithms name, in two formats.
pub(super) fn exponents(from: &Named, to: &Named) -> Vec<(i32, i32)> {
    let pairs = [
        (from.least, to.least),
        (from.least + 1 - from.digits, to.least + 1 - to.digits),
        (from.least + from.scale - from.digits, to.least + to.scale - to.digits),
        (from.scale, to.scale),
        (-from.scale, -to.scale),
        (from.scale / 2, to.scale / 2),
        (-from.scale / 2, -to.scale / 2),
        (from.limit, to.limit),
        (-from.limit, -to.limit),
        (from.range.0, to.range.0),
        (from.range.1, to.range.1),
    ];
    let near = (-3..=3).map(|e| (e, e));
    let thresholds = GUARDS.map(|g| (from.least + from.digits + g, to.least + to.digits + g));
    pairs.into_iter().chain(near).chain(thresholds).collect()
}

/// The exponent that takes the place of `e`.
fn exponent(e: i32, ty: Ty, format: Format) -> Option<i32> {
    exponents(&of(ty), &on_scale(format)).into_iter().find(|(from, _)| *from == e).map(|(_, to)| to)
}

/// The bits on the scale of a constant of type `ty`.
pub(super) fn constant(bits: u64, ty: Ty, format: Format) -> Option<u64> {
    let x = if ty == Ty::F32 { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) };
    let sign = u64::from(x.is_sign_negative()) << (format.width() - 1);
    let magnitude = x.abs();
    let unsigned = if magnitude == 0.0 {
        0
    } else if magnitude.is_infinite() {
        format.infinity()
    } else if magnitude.is_nan() {
        format.nan()
    } else if magnitude.log2().fract() == 0.0 && magnitude.log2().exp2() == magnitude {
        let e = exponent(magnitude.log2() as i32, ty, format)?;
        // Below the smallest normal number only the smallest number of all is named.
        if e < format.least() { 1 } else { format.power(e)? }
    } else if (0.125..8.0).contains(&magnitude) {
        let digits = of(ty).digits;
        let gap = (1.0 - magnitude).log2();
        let on_scale = if gap == -f64::from(digits) { 1.0 - (-(format.digits as f64)).exp2() } else { magnitude };
        let e = on_scale.log2().floor();
        let unit = (e + 1.0 - format.digits as f64).exp2();
        let significand = (on_scale / unit).round_ties_even() as u64;
        // A carry out of the digits moves on to the next power of two.
        format.power(e as i32)?.wrapping_sub(1 << (format.digits - 1)) + significand
    } else {
        return None;
    };
    Some(sign | unsigned)
}

/// Whether the tape has only limbs and truth values, and constants with a counterpart.
pub(super) fn fits(tape: &Tape, format: Format) -> bool {
    let known = |n: &Node| match n.op {
        Op::Const(bits) if n.ty.is_float() => constant(bits, n.ty, format).is_some(),
        Op::Table(_) | Op::Bits | Op::FromBits => false,
        _ => matches!(n.ty, Ty::F32 | Ty::F64 | Ty::Mask),
    };
    tape.nodes.iter().all(known)
        && !(tape.nodes.iter().any(|n| n.ty == Ty::F32) && tape.nodes.iter().any(|n| n.ty == Ty::F64))
}

/// What a fault computes in place of `right`, on the scale: a changed constant is changed in the same way there.
pub(super) fn node(with: &Node, right: &Node, format: Format) -> Option<Node> {
    let (Op::Const(wrong), Op::Const(bits)) = (with.op, right.op) else { return Some(*with) };
    if !with.ty.is_float() {
        return Some(*with);
    }
    let (p, width) = if with.ty == Ty::F32 { (24, 32) } else { (53, 64) };
    let on_scale = constant(bits, with.ty, format)?;
    let changed = match wrong ^ bits {
        flipped if flipped == 1 << (width - 1) => on_scale ^ 1 << (format.width() - 1),
        flipped if flipped == 1 << (p - 1) => on_scale ^ 1 << (format.digits - 1),
        _ if wrong == bits.wrapping_add(1) => on_scale + 1,
        _ => return None,
    };
    Some(Node::new(Op::Const(changed), with.ty, &[]))
}

/// A case on the scale, for simulation only: sign and the leading bits of the fraction, and an exponent as near to its
/// own end of the range.
pub(super) fn case(case: &[u64], types: &[Ty], format: Format) -> Vec<u64> {
    let limb = |(&bits, ty): (&u64, &Ty)| {
        let (p, width) = match ty {
            Ty::F32 => (24, 32),
            Ty::F64 => (53, 64),
            _ => return bits,
        };
        let fields = (1u64 << (width - p)) - 1;
        let field = bits >> (p - 1) & fields;
        let (middle, last) = (fields / 2, (1u64 << format.exponent) - 1);
        let field = match field {
            0 => 0,
            f if f == fields => last,
            // Near 1 exponents are as they are; toward both ends they are drawn together.
            f if f.abs_diff(middle) < 8 => (f + last / 2) - middle,
            f => 1 + f % (last - 1),
        };
        let fraction = bits >> (p - format.digits) & ((1 << (format.digits - 1)) - 1);
        (bits >> (width - 1) & 1) << (format.width() - 1) | field.min(last) << (format.digits - 1) | fraction
    };
    case.iter().zip(types).map(limb).collect()
}
