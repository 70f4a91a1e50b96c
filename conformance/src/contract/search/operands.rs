//! Arguments of a recorded function as numbers: directed operands for them ([`directed`]), changes that keep them numbers, and
//! words that are arguments of the function.

use vernier::custom::Format;
use vernier::emu::unpacked::{INFINITY, MAX_EXPONENT, MIN_EXPONENT, NAN, ZERO};
use vernier::machine::Limb;
use vernier_oracle::generate::counter::Words;
use vernier_oracle::generate::directed::numbers::{Draw, Form, Number};
use vernier_oracle::generate::directed::{pairs, reduced};
use vernier_oracle::{self as oracle, Format as LimbFormat};
use vernier_tape::cases::arguments;
use vernier_tape::io::Kind;
use vernier_tape::registry::{Function, custom};
use vernier_tape::tape::Ty;

const BIAS: i32 = 1023;
const UNPACKED: Form = Form { digits: 62, lowest: MIN_EXPONENT - BIAS, highest: MAX_EXPONENT - BIAS };

/// What the words of a function's arguments are.
pub(super) struct Operands<'f> {
    f: &'f Function,
    op: oracle::Op,
    /// The first slots of emulated doubles, and whether they are unpacked.
    numbers: Vec<usize>,
    unpacked: bool,
    /// The slot of a reduced format; what is before it are doubles.
    format: Option<usize>,
}

impl<'f> Operands<'f> {
    pub(super) fn new(f: &'f Function) -> Self {
        let (mut slot, mut numbers, mut format) = (0, Vec::new(), None);
        for &kind in &f.params {
            match kind {
                Kind::Packed | Kind::Unpacked => numbers.push(slot),
                Kind::Packed2 => numbers.extend([slot, slot + 1]),
                Kind::Unpacked2 => numbers.extend([slot, slot + 3]),
                Kind::Format => format = Some(slot),
                _ => {}
            }
            slot += kind.slots().len();
        }
        use oracle::Op::{Acc, Add, Canonical, Div, Fma, Mad, Mul, Sub};
        let op = match f.id.op() {
            op @ (Add | Sub | Mul | Div | Acc | Fma | Mad) => op,
            _ => Canonical,
        };
        let unpacked = f.params.iter().any(|kind| matches!(kind, Kind::Unpacked | Kind::Unpacked2));
        Operands { f, op, numbers, unpacked, format }
    }

    /// `case` with directed operands in place of those for which there are some.
    pub(super) fn directed(&self, mut case: Vec<u64>, words: &mut Words) -> Vec<u64> {
        let limbs = &self.f.tape.args;
        if !self.numbers.is_empty() {
            let mut all = Draw { form: self.form(), words }.operands(self.numbers.len());
            // Complex factors lie as (x, x') (y, y'), of which x and y are multiplied.
            if self.f.id.op() == oracle::Op::Cmul {
                all.swap(1, 2);
            }
            self.numbers.iter().zip(all).for_each(|(&slot, x)| self.put(&mut case, slot, x));
        } else if custom::is_custom(self.f) {
            self.reduced(&mut case, words);
        } else if let Some(&ty) = limbs.first().filter(|ty| ty.is_float() && limbs.iter().all(|t| t == *ty)) {
            let (limb, named) = match ty {
                Ty::F32 => (LimbFormat::F32, [<f32 as Limb>::SCALE, <f32 as Limb>::SCALE_LIMIT]),
                _ => (LimbFormat::F64, [<f64 as Limb>::SCALE, <f64 as Limb>::SCALE_LIMIT]),
            };
            case = pairs::Draw { limb, named: &named, words }.operands(self.op, limbs.len());
        }
        case
    }

    fn reduced(&self, case: &mut [u64], words: &mut Words) {
        let fixed = custom::format_of(self.f.id.family());
        if let Some(at) = self.format {
            // Sizes that are in use, and those of doubles, with these options.
            let known = custom::FIXED.map(|(_, exponent, mantissa)| (exponent, mantissa));
            let any = words.between(0, 52) as u32;
            let size = match words.below(4) {
                0 => words.pick(&known),
                1 => (words.between(2, 11) as u32, 52),
                2 => (11, any),
                _ => (words.between(2, 11) as u32, any),
            };
            let options = Format::from_word(case[at] as u32).map(Format::options).unwrap_or_default();
            if let Ok(format) = Format::new(size.0, size.1, options) {
                case[at] = format.word().into();
            }
        }
        let Some(format) = fixed.or_else(|| Format::from_word(case[self.format?] as u32).ok()) else { return };
        let size = reduced::Size { mantissa: format.mantissa(), emin: format.emin(), emax: format.emax() };
        let n = self.f.params.iter().filter(|&&kind| kind == Kind::F64).count();
        case[..n].copy_from_slice(&reduced::Draw::new(size, words).operands(self.op, n));
    }

    fn form(&self) -> Form {
        if self.unpacked { UNPACKED } else { Form::DOUBLE }
    }

    fn get(&self, case: &[u64], slot: usize) -> Number {
        if !self.unpacked {
            return Number::of_double(case[slot]);
        }
        let negative = case[slot] & 1 == 1;
        match case[slot + 1] as u32 as i32 {
            ZERO => Number::Zero(negative),
            INFINITY => Number::Infinite(negative),
            NAN => Number::Nan,
            e => Number::Finite {
                negative,
                exponent: e.saturating_sub(BIAS),
                significand: case[slot + 2] & ((1 << 62) - 1) | 1 << 61,
            },
        }
    }

    fn put(&self, case: &mut [u64], slot: usize, x: Number) {
        if !self.unpacked {
            case[slot] = x.to_double();
            return;
        }
        let (negative, exponent, significand) = match x {
            Number::Zero(negative) => (negative, ZERO, 0),
            Number::Infinite(negative) => (negative, INFINITY, 1 << 61),
            Number::Nan => (false, NAN, 3 << 60),
            Number::Finite { negative, exponent, significand } => {
                // Below the range as far as sums lie.
                let e = exponent.saturating_add(BIAS).clamp(MIN_EXPONENT - 61, MAX_EXPONENT);
                (negative, e, significand)
            }
        };
        case[slot..slot + 3].copy_from_slice(&[negative.into(), u64::from(exponent as u32), significand]);
    }

    /// Changes one number, in half of the calls and of functions with emulated doubles; says whether it did.
    pub(super) fn change(&self, case: &mut [u64], words: &mut Words) -> bool {
        if self.numbers.is_empty() || words.one_in(2) {
            return false;
        }
        let (slot, other) = (words.pick(&self.numbers), words.pick(&self.numbers));
        let (x, y) = (self.get(case, slot), self.get(case, other));
        let x = Draw { form: self.form(), words }.changed(x, y);
        self.put(case, slot, x);
        true
    }

    /// Makes arguments of the words: narrow integers, numbers and formats as their kinds have them.
    pub(super) fn make_valid(&self, case: &mut [u64]) {
        let mut slot = 0;
        for &kind in &self.f.params {
            let x = case[slot] as u32;
            match kind {
                Kind::I8 => case[slot] = (x as i8 as i32 as u32).into(),
                Kind::U8 => case[slot] = (x as u8).into(),
                Kind::I16 => case[slot] = (x as i16 as i32 as u32).into(),
                Kind::U16 => case[slot] = (x as u16).into(),
                Kind::Format if Format::from_word(x).is_err() => case[slot] = arguments(&[kind], x.into(), 0)[0],
                _ => {}
            }
            slot += kind.slots().len();
        }
        // The canonical form alone is made of any words.
        if self.unpacked && self.f.id.op() != oracle::Op::Canonical {
            self.numbers.iter().for_each(|&slot| self.put(case, slot, self.get(case, slot)));
        }
    }
}
