//! The same question of a computation in Rust, over the host's types.

use super::digits::{self, Digits, Wide};
use super::recommend::{Recommendation, recommend};
use super::row::{Row, Semantics};
use rayon::prelude::*;
use std::cell::Cell;
use std::ops::{Add, Div, Mul, Sub};
use vernier::emu::{self, unpacked};
use vernier::{DoubleWord, Fp64Emu, Fp64EmuUnpacked, High, HostLimb, Level, Low, Mid};
use vernier::{fp32mp2_high, fp32mp2_low, fp32mp2_mid, fp64mp2_high, fp64mp2_low, fp64mp2_mid};
use vernier_gpu::advise::Candidate;
use vernier_gpu::bench::{Card, Counts, Number, Subject, estimated};

/// A number of any type.
pub trait Real:
    Copy + Send + Sync + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// The number nearest to a double.
    fn of(x: f64) -> Self;
    /// The square root.
    fn root(self) -> Self;
    /// hi + lo.
    fn value(self) -> Wide;
}

macro_rules! real {
    ([$($generic:tt)*] $t:ty, $of:expr) => {
        impl<$($generic)*> Real for $t {
            fn of(x: f64) -> Self {
                $of(x)
            }
            fn root(self) -> Self {
                self.sqrt()
            }
            fn value(self) -> Wide {
                Number::widen(self).to_parts()
            }
        }
    };
}

real!([] f32, |x| x as f32);
real!([] f64, |x| x);
real!([F: HostLimb + bytemuck::Pod, A: Level + Send + Sync] DoubleWord<F, A>, |x: f64| {
    let hi = F::lit(x);
    DoubleWord::from_parts(hi, F::lit(x - hi.to_f64()))
});
real!([A: emu::Level + Send + Sync] Fp64Emu<A>, Fp64Emu::from_f64);
real!([A: unpacked::Level + Send + Sync] Fp64EmuUnpacked<A>, Fp64EmuUnpacked::from_f64);

/// A double that counts its operations: sums, products, quotients, roots.
#[derive(Clone, Copy)]
struct Counted(f64);

thread_local! {
    static OPERATIONS: Cell<[f64; 5]> = const { Cell::new([0.0; 5]) };
}

const NAMES: [&str; 5] = ["add", "sub", "mul", "div", "sqrt"];

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

impl Real for Counted {
    fn of(x: f64) -> Self {
        Counted(x)
    }
    fn root(self) -> Self {
        count(4, self.0.sqrt())
    }
    fn value(self) -> Wide {
        (self.0, 0.0)
    }
}

/// A computation of items.
pub trait Kernel: Sync {
    /// Item number i.
    fn item<T: Real>(&self, i: usize) -> T;
}

/// What each type keeps, and what to take on a card.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// By type: digits and, by its operations, double's time over its own on the card.
    pub types: Vec<(Subject, Digits, f64)>,
    /// What to take.
    pub recommendation: Recommendation,
}

/// Runs a computation in every type; digits are those in common with `fp64mp2` at level high, speeds are estimated from the operations of
/// the first item.
///
/// ```
/// use vernier_conformance::advise::closure::{Kernel, Real, choose};
/// use vernier_gpu::bench::Card;
/// struct Harmonic;
/// impl Kernel for Harmonic {
///     fn item<T: Real>(&self, i: usize) -> T {
///         T::of(1.0) / T::of(i as f64 + 1.0)
///     }
/// }
/// let choice = choose(&Harmonic, 100, true, 10.0, &Card::named("B300").unwrap());
/// assert!(choice.recommendation.name.unwrap().starts_with("fp32mp2_"));
/// ```
pub fn choose(kernel: &impl Kernel, items: usize, sums: bool, asked: f64, card: &Card) -> Choice {
    let values = Subject::ALL.map(|s| match s {
        Subject::Float => run::<f32>(kernel, items),
        Subject::Double => run::<f64>(kernel, items),
        Subject::Fp32mp2Low => run::<fp32mp2_low>(kernel, items),
        Subject::Fp32mp2Mid => run::<fp32mp2_mid>(kernel, items),
        Subject::Fp32mp2High => run::<fp32mp2_high>(kernel, items),
        Subject::Fp64mp2Low => run::<fp64mp2_low>(kernel, items),
        Subject::Fp64mp2Mid => run::<fp64mp2_mid>(kernel, items),
        Subject::Fp64emuLow => run::<Fp64Emu<Low>>(kernel, items),
        Subject::Fp64emuMid => run::<Fp64Emu<Mid>>(kernel, items),
        Subject::Fp64emuHigh => run::<Fp64Emu<High>>(kernel, items),
        Subject::Fp64emuUnpackedLow => run::<Fp64EmuUnpacked<Low>>(kernel, items),
        Subject::Fp64emuUnpackedMid => run::<Fp64EmuUnpacked<Mid>>(kernel, items),
        Subject::Fp64emuUnpackedHigh => run::<Fp64EmuUnpacked<High>>(kernel, items),
        _ => run::<fp64mp2_high>(kernel, items),
    });
    let place = |s| Subject::ALL.iter().position(|x| *x == s).unwrap_or(0);
    let right = values[place(Subject::Fp64mp2High)].clone();
    OPERATIONS.with(|c| c.set([0.0; 5]));
    if items > 0 {
        kernel.item::<Counted>(0);
    }
    let operations = OPERATIONS.with(Cell::get);
    let clocks = |s| {
        let mut all = Counts { other: 4.0, slots: 4.0, ..Counts::default() };
        for (name, n) in NAMES.iter().zip(operations) {
            all.add(estimated(s, name).times(n));
        }
        card.clocks(&all).0
    };
    let double = clocks(Subject::Double);
    let kept = |(s, (items, sum)): (Subject, &(Vec<Wide>, Wide))| {
        let digits = digits::compare(items, &right.0, sums.then_some((*sum, right.1)));
        (s, digits, double / clocks(s))
    };
    let types: Vec<_> = Subject::ALL.into_iter().zip(&values).map(kept).collect();
    let row = |(s, digits, _): &(Subject, Digits, f64)| Row {
        digits: Some(digits.judged()),
        enough: digits.judged() >= asked,
        ..Row::of(Candidate::single(*s), Semantics::default())
    };
    let rows: Vec<Row> = types.iter().map(row).collect();
    let (_, recommendation) = recommend(&rows, |i| Some(types[i].2), card.is_rationed(), asked);
    Choice { types, recommendation }
}

/// The items, and their sum in their own type and order.
fn run<T: Real>(kernel: &impl Kernel, items: usize) -> (Vec<Wide>, Wide) {
    let values: Vec<T> = (0..items).into_par_iter().map(|i| kernel.item(i)).collect();
    let sum = values.iter().fold(T::of(0.0), |sum, &x| sum + x);
    (values.into_iter().map(T::value).collect(), sum.value())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Norm;

    impl Kernel for Norm {
        fn item<T: Real>(&self, i: usize) -> T {
            let (a, b) = (T::of(0.1 + i as f64), T::of(0.7));
            (a * a + b * b).root()
        }
    }

    #[test]
    fn a_computation_in_rust() {
        let of = |digits, card| choose(&Norm, 200, false, digits, &Card::named(card).unwrap());
        let name = |digits, card| of(digits, card).recommendation.name.unwrap();
        assert_eq!([name(10.0, "H200"), name(10.0, "B300")], ["double", "fp32mp2_low"]);
        assert_eq!((name(6.0, "B300"), name(25.0, "H200")), ("float".into(), "fp64mp2_low".into()));
        let all = of(10.0, "B300").types;
        let digits = |s| all.iter().find(|t| t.0 == s).unwrap().1.worst;
        assert_eq!(digits(Subject::Double), digits(Subject::Fp64emuHigh));
        assert!(digits(Subject::Fp64emuUnpackedHigh) > 17.0 && digits(Subject::Float) < 8.0);
    }
}
