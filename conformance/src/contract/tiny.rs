//! Why a fault of a rounding cannot be noticed: tiny floats, on which every operand is tried.
//!
//! Two_sum, fast_two_sum and two_prod compute errors that are floats themselves, so some of their operations are exact at
//! every precision, and a fault that rounds such an operation otherwise changes nothing. On floats of 2 to 4 significand bits and
//! unbounded exponent ([`vernier::tiny`]) all normalised operands can be tried: hi over a binade, lo from half an ulp of hi
//! down to 2 p + 1 bits below it, the operands of a sum shifted against each other, both signs. A fault is explained if its
//! operation is *always exact* there, or if it *never changes the result*.
//!
//! Flushed subnormals are tried with a *smallest step*: operands run over every binade from there up to where nothing
//! underflows any more. That takes a function without branches, whose constants know nothing of the range.
//!
//! All this says nothing where precision is not what matters: about constants, comparisons and branches for special values,
//! and about operations on rare paths that tiny operands never reach. Those faults stay unexplained here.

use std::cmp::Ordering;
use vernier::eft::two_sum;
use vernier::machine::Limb;
use vernier::tiny::Tiny;
use vernier_tape::faults::Fault;
use vernier_tape::registry::Function;
use vernier_tape::tape::{Block, Id, Mode, Node, Op, Tape, Ty};

/// For each fault of `f` the reason, where tiny floats show one.
pub fn explain(f: &Function, faults: &[Fault]) -> Vec<Option<String>> {
    let mut reasons = vec![None; faults.len()];
    if !is_arithmetic(&f.tape) {
        return reasons;
    }
    if faults.iter().any(is_flushing) && f.tape.branches.is_empty() {
        underflow::<2>(f, faults, &mut reasons);
    }
    if !faults.iter().any(|x| is_candidate(&f.tape, x)) {
        return reasons;
    }
    let long = f.tape.nodes.len() > 100;
    match f.id.op_name().as_str() {
        // Shifts make the operands of sums many, and long tapes make them slow: there only exactness is looked for, and
        // what two bits can tell about sums of two.
        "fma" | "mad" => by_precision::<2>(f, faults, &mut reasons, !long),
        "add" | "sub" => {
            by_precision::<3>(f, faults, &mut reasons, !long);
            if long {
                by_precision::<2>(f, faults, &mut reasons, true);
            }
        }
        "acc" => by_precision::<3>(f, faults, &mut reasons, true),
        _ => by_precision::<4>(f, faults, &mut reasons, true),
    }
    reasons
}

/// Whether precision decides about the fault: it changes a rounded operation.
fn is_candidate(tape: &Tape, fault: &Fault) -> bool {
    let Fault::Node { at, with, .. } = fault else { return true };
    // What leads tiny operands down a rare path is not all that does: overflow is not there.
    if !tape.body.items.contains(at) {
        return false;
    }
    let rounded = |op: Op| {
        let products = matches!(op, Op::Add | Op::Sub | Op::Mul | Op::Fma | Op::Div | Op::Copy);
        products || matches!(op, Op::Rcp | Op::RcpModerate | Op::Sqrt | Op::SqrtRcp | Op::Second)
    };
    let flushed = matches!(with.mode, Mode::FlushIn | Mode::FlushOut);
    rounded(tape.node(*at).op) && rounded(with.op) && !flushed
}

fn is_flushing(fault: &Fault) -> bool {
    matches!(fault, Fault::Node { with, .. } if matches!(with.mode, Mode::FlushIn | Mode::FlushOut))
}

/// Faults that flush subnormals, on operands next to the smallest step.
fn underflow<const P: u32>(f: &Function, faults: &[Fault], reasons: &mut [Option<String>]) {
    // The binades above the smallest step that operands run over, and the smallest step.
    let (binades, step) = (3 * P as i32 + 3, (-24f64).exp2());
    let signs = [1.0, -1.0];
    // Pairs whose limbs are multiples of the step. A limb in a binade below the first normal one is subnormal.
    let small = |scale: f64| -> Vec<(f64, f64)> {
        let mut all = vec![(0.0, 0.0)];
        let multiple = |x: f64| (x / step).fract() == 0.0;
        for e in 0..binades {
            let at = |(hi, lo): (f64, f64)| (hi * step * f64::from(e).exp2(), lo * step * f64::from(e).exp2());
            all.extend(pairs::<P>().into_iter().map(at).filter(|x| multiple(x.0) && multiple(x.1)));
        }
        all.iter().map(|x| (x.0 * scale, x.1 * scale)).collect()
    };
    let limbs = || small(1.0).into_iter().map(|x| x.0);
    // Factors: one of them near one, so that the product is next to the step.
    let near = pairs::<P>();
    let mut all: Vec<Vec<f64>> = Vec::new();
    for x in small(1.0) {
        match f.id.op_name().as_str() {
            "add" | "sub" => {
                all.extend(small(1.0).into_iter().flat_map(|y| signs.map(|s| vec![x.0, x.1, s * y.0, s * y.1])))
            }
            "acc" => all.extend(limbs().flat_map(|c| signs.map(|s| vec![x.0, x.1, s * c]))),
            "mul" => all.extend(near.iter().map(|y| vec![x.0, x.1, y.0, y.1])),
            "fma" | "mad" => all.extend(near.iter().flat_map(|&y| {
                let z = small(1.0).into_iter();
                z.flat_map(move |z| signs.map(|s| vec![x.0, x.1, y.0, y.1, s * z.0, s * z.1]))
            })),
            "renormalize" | "neg" => all.push(vec![x.0, x.1]),
            _ => return,
        }
    }
    let expected: Vec<[f64; 2]> = {
        let mut machine = Machine::<P> { step, ..Machine::new(&f.tape) };
        all.iter().map(|x| machine.run(x)).collect()
    };
    for (fault, reason) in faults.iter().zip(reasons).filter(|(x, _)| is_flushing(x)) {
        let faulty = fault.plant(&f.tape);
        let mut machine = Machine::<P> { step, ..Machine::new(&faulty) };
        if all.iter().zip(&expected).all(|(x, e)| machine.run(x) == *e) {
            *reason = Some(format!("no result changes: all {} operands of {P} bits next to underflow", all.len()));
        }
    }
}

/// Whether the tape computes with limbs only.
fn is_arithmetic(tape: &Tape) -> bool {
    tape.nodes
        .iter()
        .all(|n| matches!(n.ty, Ty::F32 | Ty::F64 | Ty::Mask) && !matches!(n.op, Op::Table(_) | Op::FromBits))
}

fn by_precision<const P: u32>(f: &Function, faults: &[Fault], reasons: &mut [Option<String>], rerun: bool) {
    let operands = operands::<P>(f);
    let mut sound = Machine::<P>::new(&f.tape);
    let expected: Vec<[f64; 2]> = operands.iter().map(|x| sound.run(x)).collect();
    for (fault, reason) in faults.iter().zip(reasons).filter(|(x, r)| r.is_none() && is_candidate(&f.tape, x)) {
        let why =
            match fault {
                Fault::Node { at, .. } if !sound.reached[*at as usize] => continue,
                Fault::Node { at, with, .. }
                    if with.op == f.tape.node(*at).op && same_operands(with, f.tape.node(*at)) =>
                {
                    if sound.exact[*at as usize] { Some("the operation is exact") } else { None }
                }
                _ => None,
            };
        let why = why.or_else(|| {
            if !rerun {
                return None;
            }
            let faulty = fault.plant(&f.tape);
            let mut machine = Machine::<P>::new(&faulty);
            let same = |(x, e): (&Vec<f64>, &[f64; 2])| machine.run(x) == *e;
            operands.iter().zip(&expected).all(same).then_some("the result never changes")
        });
        let cases = operands.len();
        *reason = why.map(|why| format!("{why}: all {cases} operands of {P} bits"));
    }
}

fn same_operands(a: &Node, b: &Node) -> bool {
    a.args() == b.args()
}

/// Every normalised pair with hi in [1, 2).
fn pairs<const P: u32>() -> Vec<(f64, f64)> {
    let unit = f64::from(1 << (P - 1));
    let significands = 1u32 << (P - 1)..1 << P;
    let mut all = Vec::new();
    for hi in significands.clone().map(|h| f64::from(h) / unit) {
        all.push((hi, 0.0));
        for below in P..=2 * P + 1 {
            for lo in significands.clone().map(|l| f64::from(l) / unit * (-f64::from(below)).exp2()) {
                let normalized = [lo, -lo].into_iter().filter(|&lo| Tiny::<P>::round(hi + lo).get() == hi);
                all.extend(normalized.map(|lo| (hi, lo)));
            }
        }
    }
    all
}

/// The arguments to try, limb by limb.
fn operands<const P: u32>(f: &Function) -> Vec<Vec<f64>> {
    let pairs = pairs::<P>();
    let unit = f64::from(1 << (P - 1));
    let limbs: Vec<f64> = (1u32 << (P - 1)..1 << P).map(|h| f64::from(h) / unit).collect();
    let reach = 2 * P as i32 + 6;
    let scaled =
        |(hi, lo): (f64, f64), e: i32, sign: f64| (hi * f64::from(e).exp2() * sign, lo * f64::from(e).exp2() * sign);
    let mut all = Vec::new();
    let signs = [1.0, -1.0];
    for &x in &pairs {
        for sign in signs {
            let x = scaled(x, 0, sign);
            match f.id.op_name().as_str() {
                "add" | "sub" => {
                    for &y in &pairs {
                        for e in -reach..=reach {
                            all.extend(signs.map(|s| scaled(y, e, s)).map(|y| vec![x.0, x.1, y.0, y.1]));
                        }
                    }
                }
                "acc" => {
                    for &c in &limbs {
                        for e in -reach..=reach {
                            all.extend(signs.map(|s| vec![x.0, x.1, s * c * f64::from(e).exp2()]));
                        }
                    }
                }
                "mul" | "div" => all.extend(pairs.iter().map(|y| vec![x.0, x.1, y.0, y.1])),
                "fma" | "mad" => {
                    for &y in &pairs {
                        for &z in &pairs {
                            for e in -reach..=reach {
                                all.extend(signs.map(|s| scaled(z, e, s)).map(|z| vec![x.0, x.1, y.0, y.1, z.0, z.1]));
                            }
                        }
                    }
                }
                // Functions of one pair: roots want an even and an odd exponent.
                _ => all.extend([0, 1].map(|e| scaled(x, e, 1.0)).map(|x| vec![x.0, x.1])),
            }
        }
    }
    // Arguments that are not of such kinds: nothing is tried, so nothing is explained.
    all.retain(|x| x.len() == f.tape.args.len());
    all
}

/// A tape on floats of `P` bits. A truth value is 0 or 1.
struct Machine<'t, const P: u32> {
    tape: &'t Tape,
    values: Vec<f64>,
    /// Whether an operation was exact in every case so far.
    exact: Vec<bool>,
    /// Whether an operation was computed at all.
    reached: Vec<bool>,
    /// The smallest step; 0 if exponents are unbounded.
    step: f64,
}

impl<'t, const P: u32> Machine<'t, P> {
    fn new(tape: &'t Tape) -> Self {
        let n = tape.nodes.len();
        Machine { tape, values: vec![0.0; n], exact: vec![true; n], reached: vec![false; n], step: 0.0 }
    }

    fn run(&mut self, args: &[f64]) -> [f64; 2] {
        self.values[..args.len()].copy_from_slice(args);
        let tape = self.tape;
        self.block(&tape.body);
        let result = |i: usize| tape.body.results.get(i).map_or(0.0, |&r| self.values[r as usize]);
        [result(0), result(1)]
    }

    fn block(&mut self, block: &Block) {
        let tape = self.tape;
        for &id in &block.items {
            let node = tape.node(id);
            self.reached[id as usize] = true;
            match node.op {
                Op::Branch(b) => {
                    let branch = &tape.branches[b as usize];
                    let condition = self.values[node.args()[0] as usize] != 0.0;
                    let taken = match node.mode {
                        Mode::Never => false,
                        Mode::Negated => !condition,
                        _ => condition,
                    };
                    if taken {
                        self.block(&branch.block);
                    }
                    let results = if taken { &branch.block.results } else { &branch.usual };
                    let values: Vec<f64> = results.iter().map(|&r| self.values[r as usize]).collect();
                    branch.outs.iter().zip(values).for_each(|(&o, v)| self.values[o as usize] = v);
                }
                _ => self.values[id as usize] = self.node(id, node),
            }
        }
    }

    fn node(&mut self, id: Id, node: &Node) -> f64 {
        let args = node.args();
        let normal = self.step * f64::from(1 << (P - 1));
        let flush = |x: f64| if x.abs() < normal { 0f64.copysign(x) } else { x };
        let flush_in = node.mode == Mode::FlushIn;
        let x = |i: usize| {
            let x = args.get(i).map_or(0.0, |&a| self.values[a as usize]);
            if flush_in { flush(x) } else { x }
        };
        let (a, b, c) = (x(0), x(1), x(2));
        let truth = |t: bool| f64::from(u8::from(t));
        let mask = node.ty == Ty::Mask;
        let nearest: (f64, Ordering) = match node.op {
            Op::Const(bits) if node.ty == Ty::F32 => return Tiny::<P>::round(f32::from_bits(bits as u32).into()).get(),
            Op::Const(bits) if node.ty == Ty::F64 => return Tiny::<P>::round(f64::from_bits(bits)).get(),
            Op::Const(bits) => return truth(bits & 1 == 1),
            Op::Copy => return a,
            Op::Neg => return -a,
            Op::Abs => return a.abs(),
            Op::CopySign => return a.copysign(b),
            Op::Lt => return truth(a < b),
            Op::Le => return truth(a <= b),
            Op::Eq => return truth(a == b),
            Op::And if mask => return a * b,
            Op::Or if mask => return a.max(b),
            Op::Xor if mask => return truth(a != b),
            Op::Not if mask => return 1.0 - a,
            Op::Select => return if a != 0.0 { b } else { c },
            Op::InRange { magnitude } => {
                let a = if magnitude { a.abs() } else { a };
                return truth(b <= a && a < c);
            }
            Op::Add => sum::<P>(a, b, self.step),
            Op::Sub => sum::<P>(a, -b, self.step),
            Op::Mul => sum::<P>(a * b, 0.0, self.step),
            Op::Fma if node.mode == Mode::Split => sum::<P>(sum::<P>(a * b, 0.0, self.step).0, c, self.step),
            Op::Fma => sum::<P>(a * b, c, self.step),
            Op::Div => quotient::<P>(a, b),
            Op::Rcp | Op::RcpModerate => quotient::<P>(1.0, a),
            Op::Sqrt | Op::SqrtRcp => root::<P>(a),
            Op::Second => {
                // From the operand of the root, so that a fault of the root stays there.
                let of = self.tape.node(args[0]).args()[0];
                quotient::<P>(1.0, root::<P>(self.values[of as usize]).0)
            }
            // Tapes with other operations are not run.
            _ => (f64::NAN, Ordering::Equal),
        };
        self.exact[id as usize] &= nearest.1 == Ordering::Equal;
        let r = directed::<P>(nearest, node.mode);
        if node.mode == Mode::FlushOut { flush(r) } else { r }
    }
}

/// RN(a + b) for doubles a and b, to multiples of `step` where that is coarser, and how it compares with a + b.
fn sum<const P: u32>(a: f64, b: f64, step: f64) -> (f64, Ordering) {
    let (s, e) = two_sum(a, b);
    let fine = s.abs() >= step * f64::from(1 << (P - 1));
    let (below, above) = if fine {
        let down = Tiny::<P>::round(s).get();
        let other = if down == s { down } else { neighbour::<P>(down, s > down) };
        if down < other { (down, other) } else { (other, down) }
    } else {
        ((s / step).floor() * step, (s / step).ceil() * step)
    };
    // Half way between the two the rest of the sum decides, then the even one.
    let order = ((s - below) - (above - s)).partial_cmp(&0.0).unwrap_or(Ordering::Equal);
    let r = match order.then(e.partial_cmp(&0.0).unwrap_or(Ordering::Equal)) {
        _ if below == above => s,
        Ordering::Less => below,
        Ordering::Greater => above,
        Ordering::Equal if fine => Tiny::<P>::round(s).get(),
        Ordering::Equal => (s / step).round_ties_even() * step,
    };
    // A zero from rounding has the sign of what was rounded.
    let r = if r == 0.0 { 0f64.copysign(s) } else { r };
    (r, (r - s).partial_cmp(&e).unwrap_or(Ordering::Equal))
}

/// The next tiny float above or below one that is not 0.
fn neighbour<const P: u32>(x: f64, up: bool) -> f64 {
    let ulp = 1u64 << (53 - P);
    f64::from_bits(if up == (x > 0.0) { x.to_bits() + ulp } else { x.to_bits() - ulp })
}

fn quotient<const P: u32>(a: f64, b: f64) -> (f64, Ordering) {
    let r = Tiny::<P>::round(a / b).get();
    let order = (r * b).partial_cmp(&a).unwrap_or(Ordering::Equal);
    (r, if b < 0.0 { order.reverse() } else { order })
}

fn root<const P: u32>(a: f64) -> (f64, Ordering) {
    let r = Limb::sqrt(Tiny::<P>::round(a)).get();
    (r, (r * r).partial_cmp(&a).unwrap_or(Ordering::Equal))
}

/// The result in another rounding, given the nearest one and how it compares with the exact value.
fn directed<const P: u32>((r, order): (f64, Ordering), mode: Mode) -> f64 {
    let up = match mode {
        Mode::Up => true,
        Mode::Down => false,
        Mode::Zero => r < 0.0,
        _ => return r,
    };
    let wrong = if up { Ordering::Less } else { Ordering::Greater };
    if order != wrong || r == 0.0 || !r.is_finite() {
        return r;
    }
    neighbour::<P>(r, up)
}

#[cfg(test)]
mod tests {
    use super::*;
    use vernier_tape::faults::enumerate;
    use vernier_tape::registry::find;

    #[test]
    fn sums_and_directions() {
        // 1 + 1/4 + tiny at 3 bits: 1.25 is a float, and the rest decides the direction.
        assert_eq!(sum::<3>(1.25, 2f64.powi(-60), 0.0), (1.25, Ordering::Less));
        // 1.125 is half way between 1 and 1.25: to even, unless the rest says otherwise.
        assert_eq!(sum::<3>(1.125, 0.0, 0.0), (1.0, Ordering::Less));
        assert_eq!(sum::<3>(1.125, 2f64.powi(-60), 0.0), (1.25, Ordering::Greater));
        assert_eq!(sum::<3>(1.375, -2f64.powi(-60), 0.0), (1.25, Ordering::Less));
        assert_eq!(sum::<3>(-1.125, -2f64.powi(-60), 0.0), (-1.25, Ordering::Less));
        // Multiples of 1 below 4.
        assert_eq!(sum::<3>(2.5, 0.0, 1.0), (2.0, Ordering::Less));
        assert_eq!(sum::<3>(2.5, 2f64.powi(-60), 1.0), (3.0, Ordering::Greater));
        assert_eq!(sum::<3>(-0.75, 0.25, 1.0), (-0.0, Ordering::Greater));
        assert_eq!(sum::<3>(4.5, 0.0, 1.0), (4.0, Ordering::Less));
        assert_eq!(directed::<3>(sum::<3>(1.125, 0.0, 0.0), Mode::Up), 1.25);
        assert_eq!(directed::<3>(sum::<3>(-1.125, 0.0, 0.0), Mode::Down), -1.25);
        assert_eq!(directed::<3>(sum::<3>(-1.2, 0.0, 0.0), Mode::Zero), -1.0);
        assert_eq!(directed::<3>(sum::<3>(0.99, 0.0, 0.0), Mode::Down), 0.875);
        assert_eq!(directed::<3>(quotient::<3>(1.0, -1.5), Mode::Up), -0.625);
        assert_eq!(directed::<3>(root::<3>(2.0), Mode::Down), 1.25);
    }

    /// The machine is the host's function on tiny floats.
    #[test]
    fn tiny_tapes_are_tiny_functions() {
        use vernier::{Level, Mid};
        for (op, sum) in [("add", true), ("mul", false)] {
            let f = find("fp32mp2", op, "mid").unwrap();
            let mut machine = Machine::<3>::new(&f.tape);
            for x in operands::<3>(f).iter().step_by(7) {
                let t = |i: usize| Tiny::<3>::round(x[i]);
                let (a, b) = ((t(0), t(1)), (t(2), t(3)));
                let expected = if sum { Mid::add(a, b) } else { Mid::mul(a, b) };
                assert_eq!(machine.run(x), [expected.0.get(), expected.1.get()], "{op} {x:?}");
            }
        }
    }

    #[test]
    fn what_matters_is_not_explained() {
        let f = find("fp32mp2", "add", "mid").unwrap();
        let faults = enumerate(&f.tape, &f.params);
        let reasons = explain(f, &faults);
        let of = |what: &str| -> Vec<bool> {
            let these = faults.iter().zip(&reasons).filter(|(x, _)| x.what() == what);
            these.map(|(_, reason)| reason.is_some()).collect()
        };
        assert!(!of("another operation").contains(&true) && !of("last renormalisation dropped").contains(&true));
        assert!(of("subnormal operands flushed").contains(&false));
        assert!(of("rounded up").contains(&true) && of("rounded up").contains(&false));
    }
}
