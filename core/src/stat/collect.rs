//! Collecting records of instrumented pairs on the host: scopes of threads.
//!
//! Every thread has a stack of collectors; an operation is noted in the innermost. A scope that ends is merged into the
//! one around it. Worker threads enter a scope by its [`Handle`] and leave what they collected with it, in as many
//! compartments as there are threads about, so that no two threads wait for each other.

use super::Other;
use super::classify::{Class, flag};
use super::record::{Kind, Record};
use crate::double_word::HostLimb;
use crate::host::Host;
use std::boxed::Box;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::vec::Vec;

/// What a scope collects beside the record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    extra: bool,
    histograms: bool,
}

/// How often exponents or gaps occurred.
pub type Histogram = BTreeMap<i32, u64>;

/// Histograms of one slot: they count what its minimum and maximum are taken of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SlotHistograms {
    /// By exponent.
    pub exponents: Histogram,
    /// By gap between the limbs.
    pub gaps: Histogram,
}

/// Histograms of all slots that are written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Histograms {
    /// Left and right operands.
    pub arg: [SlotHistograms; 2],
    /// Results.
    pub result: SlotHistograms,
}

/// Counts of operations that the published record leaves out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Extra {
    /// Square roots.
    pub sqrt_count: u64,
    /// Reciprocal square roots.
    pub rsqrt_count: u64,
    /// Fused products and sums.
    pub fma_count: u64,
    /// Composed products and sums.
    pub mad_count: u64,
    /// Conversions, changes of level included.
    pub conversion_count: u64,
}

/// What a scope collected.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Collected {
    /// The published record.
    pub record: Record,
    /// With [`Options::extra`].
    pub extra: Option<Extra>,
    /// With [`Options::histograms`].
    pub histograms: Option<Box<Histograms>>,
}

impl SlotHistograms {
    fn add(&mut self, class: Class<Host>) {
        let count = |of: u32, histogram: &mut Histogram, value: u32| {
            if class.flags.0 & of != 0 {
                *histogram.entry(value as i32).or_default() += 1;
            }
        };
        count(flag::SAMPLED, &mut self.exponents, class.exponent.0);
        count(flag::GAPPED, &mut self.gaps, class.gap.0);
    }

    fn merge(&mut self, other: &SlotHistograms) {
        for (ours, theirs) in [(&mut self.exponents, &other.exponents), (&mut self.gaps, &other.gaps)] {
            theirs.iter().for_each(|(&value, n)| *ours.entry(value).or_default() += n);
        }
    }
}

impl Histograms {
    /// What was counted by either.
    pub fn merge(&mut self, other: &Histograms) {
        self.arg.iter_mut().zip(&other.arg).for_each(|(ours, theirs)| ours.merge(theirs));
        self.result.merge(&other.result);
    }
}

impl Extra {
    fn of(&mut self, other: Other) -> &mut u64 {
        match other {
            Other::Sqrt => &mut self.sqrt_count,
            Other::Rsqrt => &mut self.rsqrt_count,
            Other::Fma => &mut self.fma_count,
            Other::Mad => &mut self.mad_count,
            Other::Conversion => &mut self.conversion_count,
        }
    }

    /// What was counted by either.
    pub fn merge(&mut self, other: &Extra) {
        let mut theirs = *other;
        for other in [Other::Sqrt, Other::Rsqrt, Other::Fma, Other::Mad, Other::Conversion] {
            *self.of(other) += *theirs.of(other);
        }
    }
}

impl Collected {
    fn new(options: Options) -> Self {
        Collected {
            record: Record::EMPTY,
            extra: options.extra.then(Extra::default),
            histograms: options.histograms.then(Box::default),
        }
    }

    fn options(&self) -> Options {
        Options { extra: self.extra.is_some(), histograms: self.histograms.is_some() }
    }

    /// What was collected by either, as far as this one has a place for it.
    pub fn merge(&mut self, other: &Collected) {
        self.record.merge(&other.record);
        if let (Some(ours), Some(theirs)) = (&mut self.extra, &other.extra) {
            ours.merge(theirs);
        }
        if let (Some(ours), Some(theirs)) = (&mut self.histograms, &other.histograms) {
            ours.merge(theirs);
        }
    }

    /// Without what was collected for a scope around this one only.
    fn restrict(&mut self, options: Options) {
        self.extra = self.extra.filter(|_| options.extra);
        self.histograms = self.histograms.take().filter(|_| options.histograms);
    }
}

struct Collector {
    collected: Collected,
    scope: Arc<Scope>,
}

/// What the threads that entered a scope left with it.
#[derive(Debug)]
struct Scope {
    options: Options,
    compartments: [Mutex<Option<Box<Collected>>>; COMPARTMENTS],
}

const COMPARTMENTS: usize = 64;

std::thread_local! {
    static STACK: RefCell<Vec<Collector>> = const { RefCell::new(Vec::new()) };
}

#[inline]
pub(super) fn note<F: HostLimb>(kind: Kind, x: (F, F), y: (F, F), r: (F, F)) {
    STACK.with_borrow_mut(|stack| {
        let Some(top) = stack.last_mut() else { return };
        let [x, y, r] = top.collected.record.count(kind, x, y, r);
        if let Some(h) = &mut top.collected.histograms {
            h.arg[0].add(x);
            h.arg[1].add(y);
            h.result.add(r);
        }
    });
}

#[inline]
pub(super) fn note_other(other: Other) {
    STACK.with_borrow_mut(|stack| {
        if let Some(extra) = stack.last_mut().and_then(|top| top.collected.extra.as_mut()) {
            *extra.of(other) += 1;
        }
    });
}

/// Takes a collector off the stack, also when what is recorded panics.
struct Pushed;

impl Pushed {
    fn push(scope: Arc<Scope>, collected: Collected) -> Pushed {
        STACK.with_borrow_mut(|stack| stack.push(Collector { collected, scope }));
        Pushed
    }

    fn pop(self) -> Collector {
        mem::forget(self);
        pop()
    }
}

impl Drop for Pushed {
    fn drop(&mut self) {
        pop();
    }
}

fn pop() -> Collector {
    STACK.with_borrow_mut(|stack| stack.pop().expect("every scope that ends began"))
}

/// Runs `f` and gives its result and what its instrumented operations did.
///
/// Scopes nest: the outer one sees the inner one's operations too. Operations on other threads belong to this scope where
/// they run inside [`Handle::enter`]. Nothing is merged into the scope around this one if `f` panics.
pub fn record<T>(f: impl FnOnce() -> T) -> (T, Record) {
    let (result, collected) = Options::new().record(f);
    (result, collected.record)
}

/// The innermost scope of this thread, for worker threads to enter; a scope that nobody reads where there is none.
pub fn handle() -> Handle {
    let scope = STACK.with_borrow(|stack| stack.last().map(|top| top.scope.clone()));
    Handle(scope.unwrap_or_else(|| Arc::new(Scope::new(Options::new()))))
}

/// A scope that worker threads enter.
///
/// ```
/// use vernier::{fp64mp2_stat, stat};
/// let (_, record) = stat::record(|| {
///     let handle = stat::handle();
///     std::thread::scope(|threads| {
///         for i in 0..4 {
///             let handle = &handle;
///             threads.spawn(move || handle.enter(|| fp64mp2_stat::from(i) + 1.0));
///         }
///     });
/// });
/// assert_eq!(record.add_count, 4);
/// ```
#[derive(Clone, Debug)]
pub struct Handle(Arc<Scope>);

impl Options {
    /// The record alone.
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts of roots, fma, mad and conversions too.
    #[must_use]
    pub fn extra(self) -> Self {
        Options { extra: true, ..self }
    }

    /// Histograms of exponents and gaps too.
    #[must_use]
    pub fn histograms(self) -> Self {
        Options { histograms: true, ..self }
    }

    /// Whether roots, fma, mad and conversions are counted.
    pub fn has_extra(self) -> bool {
        self.extra
    }

    /// Whether there are histograms.
    pub fn has_histograms(self) -> bool {
        self.histograms
    }

    fn union(self, other: Options) -> Self {
        Options { extra: self.extra | other.extra, histograms: self.histograms | other.histograms }
    }

    /// As [`record`](fn@record), with everything that was asked for.
    pub fn record<T>(self, f: impl FnOnce() -> T) -> (T, Collected) {
        let around = STACK.with_borrow(|stack| stack.last().map(|top| top.collected.options()));
        let options = self.union(around.unwrap_or_default());
        let pushed = Pushed::push(Arc::new(Scope::new(options)), Collected::new(options));
        let result = f();
        let Collector { mut collected, scope } = pushed.pop();
        for compartment in &scope.compartments {
            let mut left = compartment.lock().unwrap_or_else(PoisonError::into_inner);
            left.take().iter().for_each(|left| collected.merge(left));
        }
        STACK.with_borrow_mut(|stack| stack.last_mut().iter_mut().for_each(|top| top.collected.merge(&collected)));
        collected.restrict(self);
        (result, collected)
    }
}

impl Scope {
    fn new(options: Options) -> Self {
        Scope { options, compartments: [const { Mutex::new(None) }; COMPARTMENTS] }
    }
}

impl Handle {
    /// Runs `f` on this thread as part of the scope. Lost is what ends after the scope did, and what was counted
    /// in an `f` that panics.
    pub fn enter<T>(&self, f: impl FnOnce() -> T) -> T {
        let thread = BuildHasherDefault::<DefaultHasher>::default().hash_one(thread::current().id());
        let compartment = &self.0.compartments[thread as usize % COMPARTMENTS];
        let pushed = Pushed::push(self.0.clone(), Collected::new(self.0.options));
        let result = f();
        let collected = pushed.pop().collected;
        let mut left = compartment.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *left {
            Some(before) => before.merge(&collected),
            none => *none = Some(Box::new(collected)),
        }
        result
    }
}
