//! The arguments of case `index` of a row: a pure function of seed, row and index.

use super::row::{Operands, Row, TERMS};
use super::{emulated, reduced};
use crate::answer;
use crate::case::{Case, Int, Kind, Op, Type, Value};
use crate::subject::number_value;

use vernier::custom::Format as Reduced;
use vernier::function::Math;
use vernier_oracle::Meaning;
use vernier_oracle::functions;
use vernier_oracle::generate::{Mixture, Operand, Shape, Signs, counter, limb};
use vernier_oracle::{Args, Format, Pair, Target};

/// The cases of a row.
pub struct Draw {
    row: Row,
    kinds: Vec<Kind>,
    shape: Shape,
    mixture: Mixture,
    key: u64,
}

impl Draw {
    /// The cases of a row under a seed.
    pub fn new(row: &Row, seed: u64) -> Draw {
        let kinds = row.arg_kinds();
        Draw {
            row: *row,
            shape: shape(row, &kinds),
            mixture: emulated::mixture(kinds[0]),
            key: counter::named_key(seed, &row.to_string()),
            kinds,
        }
    }

    /// What the generators and the search know of the row's operands.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Number of arguments.
    pub fn arity(&self) -> usize {
        self.kinds.len()
    }

    /// Arguments of a case as pairs, in the order of the oracle; `out` has room for [`Draw::arity`].
    pub fn numbers(&self, index: u64, out: &mut [Pair]) {
        if let Type::Custom(f) = self.row.ty(0) {
            return self.of_format(f, index, out);
        }
        self.mixture.draw(&self.shape, self.key, index, out);
        let words = &mut counter::Words::new(!self.key, index);
        match (Meaning::of(self.row.op), self.row.op, &mut *out) {
            (Meaning::Truth(_), _, [x, y]) => *y = compared_with(*x, *y, self.shape.limb, words),
            (_, Op::To(Kind::Int(int)), [x]) if words.one_in(2) => *x = near_integer(int, self.shape.limb, words),
            (_, Op::Math(f), out) => self.function_operands(f, index, words, out),
            _ => {}
        }
        for (x, &kind) in out.iter_mut().zip(&self.kinds) {
            *x = emulated::cut(kind, *x);
        }
    }

    fn of_format(&self, f: Reduced, index: u64, out: &mut [Pair]) {
        match reduced::exhaustive(f, self.row.op, out.len()) {
            Some(all) => {
                // A stride through all of them, so that a part of them is no corner.
                let mut codes = index.wrapping_mul(0x9e37_79b9_7f4a_7c15) & (all - 1);
                for x in out {
                    *x = (reduced::number(f, codes), 0.0);
                    codes >>= reduced::width(f);
                }
            }
            None => reduced::operands(f, &mut counter::Words::new(self.key, index), out),
        }
    }

    /// The arguments of an operation of few numbers as its values hold them.
    pub fn held(&self, args: &Args) -> Args {
        let mut held = *args;
        held.iter_mut().zip(&self.kinds).for_each(|(x, &kind)| *x = emulated::cut(kind, *x));
        held
    }

    /// The case line of a case, without its result.
    pub fn case(&self, index: u64) -> Case {
        let args = if let Type::Custom(_) = self.row.ty(0) {
            // Seed and number of the operation, of stochastic rounding.
            let words = &mut counter::Words::new(!self.key, index);
            self.with_integers(index, |_| words.next().into())
        } else if self.kinds.iter().all(|&k| is_drawn(&self.row, k)) {
            let mut pairs = vec![(0.0, 0.0); self.arity()];
            self.numbers(index, &mut pairs);
            self.values(&pairs)
        } else if let Op::Math(_) = self.row.op {
            let words = &mut counter::Words::new(self.key ^ 1, index);
            self.with_integers(index, |int| match words.one_in(2) {
                true => int.wrap(words.between(-1200, 1200) as i128 as u128),
                false => integer(int, words),
            })
        } else {
            // The type changes with every case: each value is seen with each of them.
            self.kinds.iter().map(|&k| word(k, self.key, index, index / self.row.types().len() as u64)).collect()
        };
        Case { ty: self.row.ty(index), op: self.row.op, args, results: Vec::new() }
    }

    /// Operands of a mathematical function, one case in two of the sorts that its row has, in turn.
    fn function_operands(&self, f: Math, index: u64, words: &mut counter::Words, out: &mut [Pair]) {
        let (row, turn) = (functions::row(f), index / 2);
        let sorts = row.sorts().count() as u64;
        if index.is_multiple_of(2) && sorts > 0 {
            row.draw((turn % sorts) as usize, words, self.shape.limb, out);
        }
        if let [x, y] = out
            && words.one_in(4)
        {
            *y = compared_with(*x, *y, self.shape.limb, words);
        }
    }

    /// Arguments that are numbers, and integers among them.
    fn with_integers(&self, index: u64, mut integer: impl FnMut(Int) -> u128) -> Vec<Value> {
        let numbers = self.kinds.iter().filter(|&&k| is_number(k)).count();
        let mut pairs = vec![(0.0, 0.0); numbers];
        if numbers > 0 {
            self.numbers(index, &mut pairs);
        }
        let mut pairs = pairs.into_iter();
        let one = |&kind: &Kind| match kind {
            Kind::Int(int) => Value::Int(int, integer(int)),
            kind => number_value(kind, pairs.next().unwrap_or_default()),
        };
        self.kinds.iter().map(one).collect()
    }

    /// Pairs in the order of the oracle as the arguments of a case line.
    pub fn values(&self, pairs: &[Pair]) -> Vec<Value> {
        let pairs = answer::arguments(self.row.op, pairs);
        self.kinds.iter().zip(pairs).map(|(&k, x)| number_value(k, x)).collect()
    }
}

/// What `x` is compared with: in half of the cases `y`, in the others its own value, or one close to it, in other limbs.
fn compared_with(x: Pair, y: Pair, f: Format, words: &mut counter::Words) -> Pair {
    let pair = y.1 != 0.0 || x.1 != 0.0;
    match words.below(8) {
        0 => x,
        1 => limb::normalize(x, f),
        2 if pair => (x.0, limb::step(x.1, i64::from(words.between(-2, 2)), f)),
        3 if pair => {
            // The value moves from one limb to the other.
            let hi = limb::step(x.0, i64::from(words.between(-3, 3)), f);
            (hi, limb::sum(x.0 - hi, x.1, f))
        }
        _ => y,
    }
}

fn is_number(kind: Kind) -> bool {
    Target::of_kind(kind).is_some()
}

/// Whether an argument is drawn as a number: the integer of a function with an error is one limb.
fn is_drawn(row: &Row, kind: Kind) -> bool {
    let order = matches!((Meaning::of(row.op), row.op, kind), (Meaning::Number(_), Op::Math(_), Kind::Int(_)));
    order || is_number(kind)
}

/// Number of cases that run through all operands, where they are few.
pub fn exhaustive(row: &Row) -> Option<u64> {
    // Each value with each type.
    let types = row.types().len() as u64;
    match row.arg_kinds()[..] {
        ref kinds if let Type::Custom(f) = row.ty(0) => reduced::exhaustive(f, row.op, kinds.len()),
        [Kind::Bool] => Some(2 * types),
        [Kind::Int(int)] if int.bits <= 16 => Some(types << int.bits),
        _ => None,
    }
}

fn shape(row: &Row, kinds: &[Kind]) -> Shape {
    // The parts of a complex product are chains, but its operands are drawn as its own.
    let op = if row.op == Op::Cmul { row.op } else { vernier_oracle::target::meaning(row.op) };
    // A conversion is drawn in the format that it comes from.
    let target = emulated::drawn_as(Target::of_kind(kinds[0]).unwrap_or(Target::of(row.ty(0))));
    let operands: Vec<Operand> = kinds
        .iter()
        .filter(|&&k| is_drawn(row, k))
        .map(|k| if matches!(k, Kind::Limb(_) | Kind::Int(_)) { Operand::Limb } else { Operand::Pair })
        .collect();
    let signs = match row.operands {
        Operands::Any => Signs::Any,
        Operands::EqualSigns => Signs::Equal,
        Operands::OppositeSigns => Signs::Opposite,
    };
    debug_assert!(operands.len() <= 2 * TERMS);
    Shape::new(op, &target).with_operands(&operands).with_signs(signs)
}

/// An argument that is no number with limbs.
fn word(kind: Kind, key: u64, index: u64, ordinal: u64) -> Value {
    let mut words = counter::Words::new(key, index);
    match kind {
        Kind::Binary128 => Value::Binary128(binary128(&mut words)),
        Kind::Int(int) if int.bits <= 16 => Value::Int(int, int.wrap(ordinal.into())),
        Kind::Int(int) => Value::Int(int, integer(int, &mut words)),
        _ => Value::Bool(ordinal % 2 == 1),
    }
}

fn wide(words: &mut counter::Words) -> u128 {
    u128::from(words.next()) << 64 | u128::from(words.next())
}

/// Of any size, and near powers of two and the ends of the type.
fn integer(int: Int, words: &mut counter::Words) -> u128 {
    let v = wide(words) >> words.below(128);
    let power = 1u128 << words.below(int.bits.into());
    let few = u128::from(words.below(5)).wrapping_sub(2);
    int.wrap(match words.below(4) {
        0 => power.wrapping_add(few),
        // Half a unit of the last place of hi or of lo, and its neighbours.
        1 => power.wrapping_add(power >> words.below(64)).wrapping_add(few),
        2 => v.wrapping_neg(),
        _ => v,
    })
}

/// An integer as a pair, or a number just beside it.
fn near_integer(int: Int, f: Format, words: &mut counter::Words) -> Pair {
    let v = integer(int, words);
    let value = |v: u128| if int.signed { v as i128 as f64 } else { v as f64 };
    let hi = limb::round(value(v), f);
    let whole = if int.signed { hi as i128 as u128 } else { hi as u128 };
    let rest = v.wrapping_sub(whole) as i128 as f64;
    let beside = words.pick(&[0.0, 0.0, 0.5, -0.5, 0.75, -0.25, 1e-6, -1e-6]);
    (hi, limb::round(rest + beside, f))
}

/// Any bits; near the range of doubles; with few digits, so that roundings tie.
fn binary128(words: &mut counter::Words) -> u128 {
    let bits = wide(words);
    let fraction = bits & ((1 << 112) - 1);
    let near = u128::from(16383 + words.below(2300)).wrapping_sub(1150) << 112;
    let sign = bits & 1 << 127;
    match words.below(4) {
        0 => bits,
        1 => sign | near | fraction,
        2 => sign | near | (fraction & u128::MAX << words.below(112)),
        // A tie of hi or of lo: one bit, 53 or 106 places below the leading one.
        _ => sign | near | (fraction & u128::MAX << 60) | 1 << [59, 6, 88, 65][words.below(4) as usize],
    }
}
