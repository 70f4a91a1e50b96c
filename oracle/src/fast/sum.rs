//! Sums of f64 terms with a bound on what was lost, by error-free transformations.

/// Relative size of the error that a sum may have, against its value or the floor given.
const TOLERANCE: f64 = 1.0 / (1u64 << 26) as f64;

/// `RN(a + b)` and its error, exactly (Knuth 1969; Moller 1965). Exact barring overflow.
#[inline(always)]
pub fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let b_part = s - a;
    (s, (a - (s - b_part)) + (b - b_part))
}

/// `RN(a * b)` and its error, exactly while no part of it underflows: fma where the machine has it at compile time, otherwise
/// by splitting (Dekker 1971; Veltkamp 1968), for factors below 2^990.
#[inline(always)]
pub fn two_prod(a: f64, b: f64) -> (f64, f64) {
    let p = a * b;
    if cfg!(target_feature = "fma") {
        return (p, a.mul_add(b, -p));
    }
    let split = |x: f64| {
        let c = x * 134_217_729.0;
        let high = c - (c - x);
        (high, x - high)
    };
    let ((ah, al), (bh, bl)) = (split(a), split(b));
    (p, al * bl - (((p - ah * bh) - al * bh) - ah * bl))
}

/// Up to `N` terms, and a bound on the error that they have as a sum.
#[derive(Clone, Copy)]
pub struct Terms<const N: usize> {
    p: [f64; N],
    n: usize,
    slack: f64,
}

/// A sum: `|exact - (hi + rest)| <= bound`.
#[derive(Clone, Copy)]
pub struct Sum {
    pub hi: f64,
    pub rest: f64,
    pub bound: f64,
}

impl Sum {
    /// The sum rounded.
    #[inline(always)]
    pub fn value(&self) -> f64 {
        self.hi + self.rest
    }

    /// Whether a value with this error bound is known well enough, against its size or the floor. One that may be zero
    /// must be known to be zero.
    #[inline(always)]
    fn suffices(value: f64, bound: f64, floor: f64, tighten: f64) -> bool {
        let size = value.abs();
        (bound < size || bound == 0.0) && bound <= size.max(floor) * (TOLERANCE * tighten)
    }

    /// `r - sum` to a relative 2^-26, or to that part of `floor`, by a few operations that mostly suffice for a short r.
    #[inline(always)]
    pub fn distance(&self, r: (f64, f64), floor: f64) -> Option<f64> {
        let (s, e) = two_sum(r.0, -self.hi);
        let t = s + r.1;
        let u = t - self.rest;
        let d = u + e;
        // Each of the three additions rounds by half an epsilon of its result at most.
        let bound = self.bound + (t.abs() + u.abs() + d.abs()) * f64::EPSILON;
        Self::suffices(d, bound, floor, 1.0).then_some(d)
    }
}

impl<const N: usize> Terms<N> {
    #[inline(always)]
    pub fn new() -> Self {
        Terms { p: [0.0; N], n: 0, slack: 0.0 }
    }

    /// Adds a term.
    #[inline(always)]
    pub fn push(&mut self, t: f64) {
        self.p[self.n] = t;
        self.n += 1;
    }

    /// Adds a product exactly: one term if `EXACT` says that it is an f64, otherwise two.
    #[inline(always)]
    pub fn push_product<const EXACT: bool>(&mut self, a: f64, b: f64) {
        if EXACT {
            self.push(a * b);
        } else {
            let (h, l) = two_prod(a, b);
            self.push(h);
            self.push(l);
        }
    }

    /// Adds a product that is small enough for its rounding error to count as slack.
    #[inline(always)]
    pub fn push_small_product<const EXACT: bool>(&mut self, a: f64, b: f64) {
        let p = a * b;
        self.push(p);
        if !EXACT {
            self.slack += p.abs() * f64::EPSILON;
        }
    }

    /// Makes room for the rounding errors of a term of this size, four of them.
    #[inline(always)]
    pub fn push_slack(&mut self, size: f64) {
        self.slack += size.abs() * (2.0 * f64::EPSILON);
    }

    /// The terms of `r - sum`, or of its negative.
    #[inline(always)]
    pub fn minus(&self, r: (f64, f64)) -> Self {
        let mut terms = *self;
        // The largest, gathered last, goes with the larger limb of r.
        let last = terms.p[terms.n - 1];
        terms.p[terms.n - 1] = -r.1;
        terms.push(last);
        terms.push(-r.0);
        terms
    }

    /// Replaces each two neighbours by their sum and its error: the same value, gathered in the last term.
    #[inline(always)]
    fn gather(&mut self) {
        for i in 1..self.n {
            (self.p[i], self.p[i - 1]) = two_sum(self.p[i], self.p[i - 1]);
        }
    }

    #[inline(always)]
    fn current(&self) -> Sum {
        let last = self.n - 1;
        let (mut rest, mut size) = (0.0, 0.0);
        for &t in &self.p[..last] {
            rest += t;
            size += f64::abs(t);
        }
        Sum { hi: self.p[last], rest, bound: size * (N as f64 * f64::EPSILON) + self.slack }
    }

    /// The sum to a relative 2^-26, or to that part of `floor` (`tighten` times closer); the vector summation of Ogita, Rump and Oishi (2005, SumK),
    /// as often as it takes. `None` if that is more than four times.
    #[inline(always)]
    pub fn sum(&mut self, floor: f64, tighten: f64) -> Option<Sum> {
        for _ in 0..4 {
            self.gather();
            let sum = self.current();
            if Sum::suffices(sum.value(), sum.bound, floor, tighten) {
                return Some(sum);
            }
        }
        None
    }
}
