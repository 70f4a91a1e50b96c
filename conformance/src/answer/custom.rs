//! Reduced formats: what their definition gives, and how far results are from the exact value.

use super::{Judgement, number, operands};
use crate::case::{Op, Type, Value, Width};
use vernier::custom::{Format, Mode, Top};
use vernier_oracle::dyadic::{self, Dyadic, Exact};
use vernier_oracle::reduced::{Direction, Draw, Largest, Reduced, same};
use vernier_oracle::{self as oracle, Domain, Pair, Target, Verdict};

/// The definition of a format, in the oracle's words.
pub fn definition(f: Format) -> Reduced {
    let o = f.options();
    Reduced {
        exponent: f.exponent(),
        mantissa: f.mantissa(),
        direction: match o.mode {
            Mode::Nearest => Direction::Nearest,
            Mode::Zero => Direction::Zero,
            Mode::Up => Direction::Up,
            Mode::Down => Direction::Down,
            Mode::Away => Direction::Away,
            Mode::Stochastic => Direction::Stochastic,
        },
        subnormals: o.gradual,
        range_after: o.after,
        once: o.single,
        saturates: o.saturate,
        largest: match o.top {
            Top::Special => Largest::Special,
            Top::Nan => Largest::NumbersAndNan,
            Top::Numbers => Largest::Numbers,
        },
        tests_native_range: o.dynamic,
    }
}

/// Judges a result: right where it is the one that the definition gives.
pub(super) fn judge(f: Format, op: Op, args: &[Value], result: Value) -> Option<Judgement> {
    let expected = judge_of(f, op)?.result(&operands(op, args), draw(args));
    let same = same(expected, result.to_pair()?.0);
    Some(Judgement::Answer { expected: if same { result } else { Value::of_limb(Width::F64, expected) }, same })
}

/// The judge of an operation with a number as result.
fn judge_of(f: Format, op: Op) -> Option<Judge> {
    Some(Judge::new(f, op, number(Type::Custom(f), op)?))
}

/// Where the random words of a case come from: its arguments that are integers, or zeros.
pub fn draw(args: &[Value]) -> Draw {
    let mut words = args.iter().filter_map(|a| if let Value::Int(_, v) = a { Some(*v as u64) } else { None });
    let [seed, operation] = [(); 2].map(|()| words.next().unwrap_or(0));
    Draw { seed, operation }
}

/// The error of a result in ulp of the format, where it has one.
pub fn ulp(f: Format, op: Op, args: &[Value], result: Value) -> Option<f64> {
    Some(judge_of(f, op)?.verdict(&operands(op, args), draw(args), result.to_pair()?.0)?.ulp)
}

/// The operands that an operation computes with.
pub fn reduced(f: Format, op: Op, args: &[Value]) -> Option<Vec<Pair>> {
    Some(judge_of(f, op)?.operands(&operands(op, args), draw(args)))
}

/// The judge of an operation of a format.
pub struct Judge {
    format: Format,
    definition: Reduced,
    op: Op,
    meaning: Op,
}

impl Judge {
    /// The judge of an operation, whose exact result is what `meaning` says.
    pub fn new(format: Format, op: Op, meaning: Op) -> Judge {
        Judge { format, definition: definition(format), op, meaning }
    }

    /// Whether operands are taken into the format.
    fn reduces(&self) -> bool {
        !matches!(self.op, Op::Neg | Op::Reduce)
    }

    /// The result that the definition gives.
    fn result(&self, x: &[Pair], draw: Draw) -> f64 {
        let x: Vec<f64> = x.iter().map(|x| x.0).collect();
        match self.op {
            Op::Neg => -x[0],
            Op::Reduce => self.definition.reduce(x[0], draw.word(0)),
            _ => self.definition.evaluate(self.meaning, &x, draw),
        }
    }

    /// Whether a double is zero or a normal number of the format.
    fn holds(&self, x: f64) -> bool {
        let f = self.format;
        let size = x.abs();
        x == 0.0
            || (size >= f.min_positive()
                && size <= f.max()
                && x.to_bits().checked_shl(12 + f.mantissa()).unwrap_or(0) == 0)
    }

    fn operands(&self, x: &[Pair], draw: Draw) -> Vec<Pair> {
        if self.reduces() && !x.iter().all(|x| self.holds(x.0)) {
            (1..).zip(x).map(|(j, x)| (self.definition.reduce(x.0, draw.word(j)), 0.0)).collect()
        } else {
            x.to_vec()
        }
    }

    /// How far a result is from the exact value of the reduced operands, where that is finite and in the format's range.
    pub fn verdict(&self, x: &[Pair], draw: Draw, r: f64) -> Option<Verdict> {
        let f = self.format;
        let x = self.operands(x, draw);
        let target = Target::of(Type::Custom(f));
        let mut verdict = oracle::judge(self.meaning, &target, &x, (r, 0.0));
        if f.exponent() == 11 && r.abs() <= f.min_positive() {
            // The step of subnormal numbers is not that of doubles.
            let own = oracle::Format::new(f.digits(), f.emin() - f.mantissa() as i32, f.emax());
            let exact = oracle::judge(self.meaning, &Target { limb: own, ..target }, &x, (r, 0.0));
            verdict.ulp = exact.ulp;
        }
        if verdict.mismatch.is_some() || verdict.domain == Domain::Special {
            return None;
        }
        let gradual = f.options().gradual || (f.exponent() == 11 && !f.options().dynamic);
        let flushed = r == 0.0 && verdict.ulp != 0.0 && !gradual;
        let beyond = || match dyadic::evaluate(self.meaning, &x, false) {
            Exact::Finite(z) if z.is_negative() => z.compare(&Dyadic::from_f64(-f.max())).is_lt(),
            Exact::Finite(z) => z.compare(&Dyadic::from_f64(f.max())).is_gt(),
            _ => false,
        };
        (!flushed && (r.abs() < f.max() || !beyond())).then_some(verdict)
    }

    /// Whether the definition gives a result, of which this is the verdict.
    pub fn is_correct(&self, x: &[Pair], draw: Draw, r: f64, verdict: Option<&Verdict>) -> bool {
        verdict.is_some_and(|v| self.is_decided(x, r, v.ulp)) || same(self.result(x, draw), r)
    }

    /// Whether an error shows that a result is right, far from ties and from the ends of the range.
    fn is_decided(&self, x: &[Pair], r: f64, ulp: f64) -> bool {
        let (f, o) = (self.format, self.format.options());
        let in_format = !self.reduces() || x.iter().all(|x| self.holds(x.0));
        if !in_format || !self.holds(r) || r.abs() < 2.0 * f.min_positive() || r.abs() > 0.5 * f.max() {
            return false;
        }
        // Verdicts are known to 2^-20 ulp; the double that is rounded again is half an ulp of its own away.
        let again = if o.single { 0.0 } else { f64::from(f.mantissa() as i32 - 53).exp2() };
        let slack = 1e-5 + again;
        // The double nearest to the exact value lies on its side of every shorter number.
        let below = || self.nearest(x).is_some_and(|z| r < z);
        let above = || self.nearest(x).is_some_and(|z| r > z);
        match o.mode {
            Mode::Nearest | Mode::Away => ulp < 0.5 - slack,
            _ if ulp == 0.0 => true,
            Mode::Stochastic => false,
            _ if ulp >= 1.0 - slack => false,
            Mode::Zero => {
                if r < 0.0 {
                    above()
                } else {
                    below()
                }
            }
            Mode::Up => above(),
            Mode::Down => below(),
        }
    }

    /// The double nearest to the exact value, by the processor.
    fn nearest(&self, x: &[Pair]) -> Option<f64> {
        let x: Vec<f64> = x.iter().map(|x| x.0).collect();
        Some(match (self.op, &x[..]) {
            (Op::Add, [x, y]) => x + y,
            (Op::Sub, [x, y]) => x - y,
            (Op::Mul, [x, y]) => x * y,
            (Op::Div, [x, y]) => x / y,
            (Op::Fma, [x, y, z]) => x.mul_add(*y, *z),
            (Op::Sqrt, [x]) => x.sqrt(),
            (Op::Reduce, [x]) => *x,
            _ => return None,
        })
    }
}
