//! The accuracy of a Rust function.

use super::callee::{Block, Callee};
use super::{Case, Exhaustive, Function, Search, Tally, bits, special};
use crate::format::Format;
use crate::measure::Mismatch;
use std::convert::Infallible;
use std::fmt;

/// A type of numbers: `f32` or `f64`.
pub trait Real: Copy + Sync + 'static {
    /// Its format.
    const FORMAT: Format;
    /// From its bits.
    fn of(bits: u64) -> Self;
    /// Its bits.
    fn bits(self) -> u64;
}

impl Real for f32 {
    const FORMAT: Format = Format::F32;
    fn of(bits: u64) -> f32 {
        f32::from_bits(bits as u32)
    }
    fn bits(self) -> u64 {
        self.to_bits().into()
    }
}

impl Real for f64 {
    const FORMAT: Format = Format::F64;
    fn of(bits: u64) -> f64 {
        f64::from_bits(bits)
    }
    fn bits(self) -> u64 {
        self.to_bits()
    }
}

/// A function or closure of one, two or three numbers.
pub trait Callable<A>: Sync {
    /// Their type.
    type Number: Real;
    /// How many.
    const ARITY: usize;
    /// Its value.
    fn at(&self, x: [Self::Number; 3]) -> Self::Number;
}

impl<F: Real, C: Fn(F) -> F + Sync> Callable<(F,)> for C {
    type Number = F;
    const ARITY: usize = 1;
    fn at(&self, x: [F; 3]) -> F {
        self(x[0])
    }
}

impl<F: Real, C: Fn(F, F) -> F + Sync> Callable<(F, F)> for C {
    type Number = F;
    const ARITY: usize = 2;
    fn at(&self, x: [F; 3]) -> F {
        self(x[0], x[1])
    }
}

impl<F: Real, C: Fn(F, F, F) -> F + Sync> Callable<(F, F, F)> for C {
    type Number = F;
    const ARITY: usize = 3;
    fn at(&self, x: [F; 3]) -> F {
        self(x[0], x[1], x[2])
    }
}

/// How wrong a function is. Its text is one line, with the worst input.
#[derive(Clone, Debug, PartialEq)]
pub struct Accuracy {
    /// Which function it is meant to be.
    pub function: Function,
    /// The type of its arguments.
    pub format: Format,
    /// The largest error in ulp.
    pub ulp: f64,
    /// Special values that are wrong.
    pub mismatches: u64,
    /// Whether every input was tried; otherwise errors may be larger.
    pub exhaustive: bool,
    /// What was found.
    pub tally: Tally,
}

/// Inputs that [`accuracy`] tries.
const CASES: u64 = 1 << 18;

/// How wrong a function of one to three numbers is: by special values, and a search of 2^18 inputs.
///
/// ```
/// use vernier_oracle::{Function, accuracy};
///
/// let exp = accuracy(|x: f32| x.exp(), Function::Exp);
/// assert!(exp.ulp < 1.0 && exp.mismatches == 0, "{exp}");
///
/// let hypot = accuracy(|x: f64, y: f64| (x * x + y * y).sqrt(), Function::Hypot);
/// assert!(hypot.mismatches > 0, "its squares overflow: {hypot}");
/// ```
///
/// # Panics
/// If the function has another number of arguments.
pub fn accuracy<A, C: Callable<A>>(f: C, function: Function) -> Accuracy {
    Accuracy::searched(f, function, CASES)
}

struct Rust<'a, A, C: Callable<A>>(&'a C, std::marker::PhantomData<fn() -> A>);

impl<A, C: Callable<A>> Callee for Rust<'_, A, C> {
    type Fault = Infallible;

    fn call(&self, block: &mut Block, _: bool) -> Result<(), Infallible> {
        for i in 0..block.n {
            let y = self.0.at(block.input(i).map(C::Number::of));
            block.results[0][i] = y.bits();
        }
        Ok(())
    }
}

impl Accuracy {
    /// By special values and a search of so many inputs, about.
    pub fn searched<A, C: Callable<A>>(f: C, function: Function, cases: u64) -> Accuracy {
        let mut search = Search::new(1, cases, Vec::new());
        Accuracy::of(&f, function, false, |callee| {
            while search.step(callee, function, C::Number::FORMAT)? {}
            Ok(search.tally.clone())
        })
    }

    /// By every input, of a function of one number: 2^32 of them for `f32`, too many for `f64`.
    pub fn exhaustive<C: Callable<(f32,), Number = f32>>(f: C, function: Function) -> Accuracy {
        let mut all = Exhaustive::new([1, 1]);
        Accuracy::of(&f, function, true, |callee| {
            while all.step(callee, function, Format::F32)? {}
            Ok(all.tally.clone())
        })
    }

    fn of<A, C: Callable<A>>(
        f: &C,
        function: Function,
        exhaustive: bool,
        run: impl FnOnce(&Rust<'_, A, C>) -> Result<Tally, Infallible>,
    ) -> Accuracy {
        assert!(
            C::ARITY == function.arity() && function.values().len() == 1,
            "{function} has other arguments or results"
        );
        let (callee, format) = (Rust(f, std::marker::PhantomData), C::Number::FORMAT);
        let mut tally = Tally::default();
        let Ok(_) = special(&callee, function, format, &mut tally);
        let Ok(rest) = run(&callee);
        tally.merge(&rest);
        Accuracy { function, format, ulp: tally.ulp, mismatches: tally.mismatches, exhaustive, tally }
    }

    /// The input of the largest error.
    pub fn worst(&self) -> Option<Case> {
        self.tally.worst
    }

    /// The first wrong special value.
    pub fn mismatch(&self) -> Option<(Case, Mismatch)> {
        self.tally.mismatch
    }
}

impl fmt::Display for Accuracy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let input = |case: &Case| {
            let text = |&x: &u64| format!("{:e} (0x{x:x})", bits::number(x, self.format));
            case.args[..self.function.arity()].iter().map(text).collect::<Vec<_>>().join(", ")
        };
        let how = if self.exhaustive { "every input" } else { "searched" };
        write!(f, "{}: {:.4} ulp", self.function, self.ulp)?;
        if let Some(case) = &self.tally.worst {
            write!(f, " at {}", input(case))?;
        }
        write!(f, ", {how}, {} cases; {} wrong special values", self.tally.cases, self.mismatches)?;
        if let Some((case, how)) = &self.tally.mismatch {
            write!(f, ", the first at {}: {how:?}", input(case))?;
        }
        Ok(())
    }
}
