//! The same question of a computation in Rust, over the host's types.
//!
//! It stands here and not in the arithmetic's crate: speeds are those of cards, from the instructions that GPUs execute.

use super::digits::{self, Digits, Wide};
use super::recommend::{Recommendation, recommend};
use super::row::{Row, Semantics};
use rayon::prelude::*;
use std::cell::Cell;
use std::fmt;
use std::ops::{Add, Div, Mul, Neg, Sub};
use vernier::emu::{self, unpacked};
use vernier::{DoubleWord, Fp64Emu, Fp64EmuUnpacked, High, HostLimb, Level, Low, Mid};
use vernier::{fp32mp2_high, fp32mp2_low, fp32mp2_mid, fp64mp2_high, fp64mp2_low, fp64mp2_mid};
use vernier_gpu::advise::Candidate;
use vernier_gpu::bench::{Card, Counts, Number, Subject, estimated};

/// A number of any type.
pub trait Real:
    Copy
    + Send
    + Sync
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// The number nearest to a double.
    fn of(x: f64) -> Self;
    /// The square root.
    fn sqrt(self) -> Self;
    /// self * y + z as one operation.
    fn fma(self, y: Self, z: Self) -> Self;
    /// hi + lo.
    fn value(self) -> Wide;
}

macro_rules! real {
    ([$($generic:tt)*] $t:ty, $of:expr, $fma:ident) => {
        impl<$($generic)*> Real for $t {
            fn of(x: f64) -> Self {
                $of(x)
            }
            fn sqrt(self) -> Self {
                self.sqrt()
            }
            fn fma(self, y: Self, z: Self) -> Self {
                self.$fma(y, z)
            }
            fn value(self) -> Wide {
                Number::widen(self).to_parts()
            }
        }
    };
}

real!([] f32, |x| x as f32, mul_add);
real!([] f64, |x| x, mul_add);
real!([F: HostLimb + bytemuck::Pod, A: Level + Send + Sync] DoubleWord<F, A>, |x: f64| {
    let hi = F::lit(x);
    DoubleWord::from_parts(hi, F::lit(x - hi.to_f64()))
}, fma);
real!([A: emu::Level + Send + Sync] Fp64Emu<A>, Fp64Emu::from_f64, fma);
real!([A: unpacked::Level + Send + Sync] Fp64EmuUnpacked<A>, Fp64EmuUnpacked::from_f64, fma);

/// A double that counts its operations.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct Counted(f64);

const NAMES: [&str; 6] = ["add", "sub", "mul", "div", "sqrt", "fma"];

thread_local! {
    static OPERATIONS: Cell<[f64; NAMES.len()]> = const { Cell::new([0.0; NAMES.len()]) };
}

fn count(which: usize, x: f64) -> Counted {
    OPERATIONS.with(|c| {
        let mut all = c.get();
        all[which] += 1.0;
        c.set(all);
    });
    Counted(x)
}

macro_rules! counted {
    ($($name:ident $method:ident $which:expr, $op:tt;)*) => {$(
        impl $name for Counted {
            type Output = Counted;
            fn $method(self, y: Counted) -> Counted {
                count($which, self.0 $op y.0)
            }
        }
    )*};
}

counted! { Add add 0, +; Sub sub 1, -; Mul mul 2, *; Div div 3, /; }

impl Neg for Counted {
    type Output = Counted;
    fn neg(self) -> Counted {
        Counted(-self.0)
    }
}

impl Real for Counted {
    fn of(x: f64) -> Self {
        Counted(x)
    }
    fn sqrt(self) -> Self {
        count(4, self.0.sqrt())
    }
    fn fma(self, y: Self, z: Self) -> Self {
        count(5, self.0.mul_add(y.0, z.0))
    }
    fn value(self) -> Wide {
        (self.0, 0.0)
    }
}

/// A computation: what a closure would be, if closures could be generic over the type of their numbers. What it captures are its fields.
pub trait Kernel<Input: ?Sized>: Sync {
    /// The result for one input.
    fn item<T: Real>(&self, x: &Input) -> T;
}

/// What each type keeps of a computation.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// By type.
    pub types: Vec<(Subject, Digits)>,
    /// Operations of an item, on average of some: sums, differences, products, quotients, roots, fma.
    pub operations: Vec<(&'static str, f64)>,
}

/// Items whose operations are counted.
const COUNTED: usize = 64;

/// Runs a computation of every input in every type. Digits are those in common with `fp64mp2` at level high; for a number of digits and a card
/// the result names the type to take, its speed by the operations of an item.
///
/// ```
/// use vernier_conformance::{Card, Kernel, Real, advise};
///
/// struct Norm;
/// impl Kernel<[f64; 3]> for Norm {
///     fn item<T: Real>(&self, x: &[f64; 3]) -> T {
///         let [a, b, c] = x.map(T::of);
///         (a * a + b * b + c * c).sqrt()
///     }
/// }
///
/// let points: Vec<[f64; 3]> = (1..100).map(|i| [0.1, 0.7, 1.0 / f64::from(i)]).collect();
/// let kept = advise(&Norm, &points);
/// let b300 = Card::named("B300").unwrap();
/// assert_eq!(kept.for_items(10.0, &b300).name.unwrap(), "fp32mp2_low");
/// assert_eq!(kept.for_sum(25.0, &b300).name.unwrap(), "fp64mp2_low");
/// println!("{kept}");
/// ```
pub fn advise<Input: Sync>(kernel: &impl Kernel<Input>, inputs: &[Input]) -> Kept {
    let values = Subject::ALL.map(|s| match s {
        Subject::Float => run::<f32, _>(kernel, inputs),
        Subject::Double => run::<f64, _>(kernel, inputs),
        Subject::Fp32mp2Low => run::<fp32mp2_low, _>(kernel, inputs),
        Subject::Fp32mp2Mid => run::<fp32mp2_mid, _>(kernel, inputs),
        Subject::Fp32mp2High => run::<fp32mp2_high, _>(kernel, inputs),
        Subject::Fp64mp2Low => run::<fp64mp2_low, _>(kernel, inputs),
        Subject::Fp64mp2Mid => run::<fp64mp2_mid, _>(kernel, inputs),
        Subject::Fp64emuLow => run::<Fp64Emu<Low>, _>(kernel, inputs),
        Subject::Fp64emuMid => run::<Fp64Emu<Mid>, _>(kernel, inputs),
        Subject::Fp64emuHigh => run::<Fp64Emu<High>, _>(kernel, inputs),
        Subject::Fp64emuUnpackedLow => run::<Fp64EmuUnpacked<Low>, _>(kernel, inputs),
        Subject::Fp64emuUnpackedMid => run::<Fp64EmuUnpacked<Mid>, _>(kernel, inputs),
        Subject::Fp64emuUnpackedHigh => run::<Fp64EmuUnpacked<High>, _>(kernel, inputs),
        _ => run::<fp64mp2_high, _>(kernel, inputs),
    });
    let right = Subject::ALL.iter().position(|s| *s == Subject::Fp64mp2High).unwrap_or(0);
    let right = &values[right];
    let kept =
        |(s, (items, sum)): (Subject, &(Vec<Wide>, Wide))| (s, digits::compare(items, &right.0, Some((*sum, right.1))));
    let types = Subject::ALL.into_iter().zip(&values).map(kept).collect();
    OPERATIONS.with(|c| c.set([0.0; NAMES.len()]));
    let some: Vec<&Input> = inputs.iter().step_by(inputs.len().div_ceil(COUNTED).max(1)).collect();
    for x in &some {
        let _ = kernel.item::<Counted>(x);
    }
    let items = some.len().max(1) as f64;
    let operations = NAMES.into_iter().zip(OPERATIONS.with(Cell::get).map(|n| n / items));
    Kept { types, operations: operations.filter(|o| o.1 > 0.0).collect() }
}

impl Kept {
    /// What to take on a card where every item must have so many digits.
    pub fn for_items(&self, digits: f64, card: &Card) -> Recommendation {
        self.choose(digits, card, |d| d.worst)
    }

    /// What to take on a card where the sum of the items must have so many digits.
    pub fn for_sum(&self, digits: f64, card: &Card) -> Recommendation {
        self.choose(digits, card, Digits::judged)
    }

    /// Double's time over a type's own on a card, by the operations of an item.
    pub fn speed(&self, subject: Subject, card: &Card) -> f64 {
        let clocks = |s| {
            let mut all = Counts { other: 4.0, slots: 4.0, ..Counts::default() };
            self.operations.iter().for_each(|(name, n)| all.add(estimated(s, name).times(*n)));
            card.clocks(&all).0
        };
        clocks(Subject::Double) / clocks(subject)
    }

    fn choose(&self, asked: f64, card: &Card, judged: impl Fn(&Digits) -> f64) -> Recommendation {
        let row = |(s, digits): &(Subject, Digits)| Row {
            digits: Some(judged(digits)),
            enough: judged(digits) >= asked,
            ..Row::of(Candidate::single(*s), Semantics::default())
        };
        let rows: Vec<Row> = self.types.iter().map(row).collect();
        recommend(&rows, |i| Some(self.speed(self.types[i].0, card)), card.is_rationed(), asked).1
    }
}

impl fmt::Display for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<22} worst median   sum", "digits")?;
        for (s, d) in &self.types {
            write!(f, "\n{:<22} {:>5.1}  {:>5.1} {:>5.1}", s.name(), d.worst, d.median, d.judged())?;
        }
        Ok(())
    }
}

/// The items, and their sum in their own type and order.
fn run<T: Real, Input: Sync>(kernel: &impl Kernel<Input>, inputs: &[Input]) -> (Vec<Wide>, Wide) {
    let values: Vec<T> = inputs.par_iter().map(|x| kernel.item(x)).collect();
    let sum = values.iter().fold(T::of(0.0), |sum, &x| sum + x);
    (values.into_iter().map(T::value).collect(), sum.value())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A norm, and beyond a limit a polynomial.
    struct Norm {
        limit: f64,
    }

    impl Kernel<f64> for Norm {
        fn item<T: Real>(&self, x: &f64) -> T {
            let (a, b) = (T::of(0.1 + x), T::of(0.7));
            if a > T::of(self.limit) { a.fma(a, -b) } else { (a * a + b * b).sqrt() }
        }
    }

    #[test]
    fn a_computation_in_rust() {
        let inputs: Vec<f64> = (0..200).map(f64::from).collect();
        let kept = advise(&Norm { limit: 1e9 }, &inputs);
        let name = |digits, card| kept.for_items(digits, &Card::named(card).unwrap()).name.unwrap();
        assert_eq!([name(10.0, "H200"), name(10.0, "B300")], ["double", "fp32mp2_low"]);
        assert_eq!((name(6.0, "B300"), name(25.0, "H200")), ("float".into(), "fp64mp2_low".into()));
        let digits = |s| kept.types.iter().find(|t| t.0 == s).unwrap().1;
        assert_eq!(digits(Subject::Double), digits(Subject::Fp64emuHigh));
        assert!(digits(Subject::Fp64emuUnpackedHigh).worst > 17.0 && digits(Subject::Float).worst < 8.0);
        assert_eq!(kept.operations, [("add", 1.0), ("mul", 2.0), ("sqrt", 1.0)]);
        assert_eq!(kept.to_string().lines().count(), 15);
    }

    /// What is captured counts, and every way through the computation.
    #[test]
    fn operations_are_those_of_many_items() {
        let kept = advise(&Norm { limit: 1.5 }, &[1.0, 2.0, 3.0, 4.0]);
        assert_eq!(kept.operations, [("add", 0.25), ("mul", 0.5), ("sqrt", 0.25), ("fma", 0.75)]);
        let nothing = advise(&Norm { limit: 0.0 }, &[]);
        assert!(nothing.operations.is_empty() && nothing.for_sum(31.0, &Card::named("H200").unwrap()).name.is_some());
    }
}
