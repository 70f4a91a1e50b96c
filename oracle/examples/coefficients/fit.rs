//! Coefficients of a power series' best polynomial in the formats of limbs, and the proof of its error.

use crate::remez::{BITS, Grid, best, evaluate, float};
use rug::Float;
use rug::float::Constant;

/// A polynomial to be found: x^m (c_0 + c_1 x + ...) for the series x^m (t_0 + t_1 x + ...).
pub struct Fit<'a> {
    /// Coefficients of lower degree, which are exact limbs.
    pub lead: &'a [f64],
    /// t_k.
    pub series: &'a dyn Fn(u32) -> Float,
    /// The exponent m of x in what the error is measured of.
    pub weight: u32,
    /// Ends of the interval, which holds 0.
    pub ends: (Float, Float),
    /// Number of coefficients.
    pub count: usize,
    /// How many of them, the first ones, are pairs.
    pub pairs: usize,
    /// Significand bits of a limb.
    pub p: u32,
}

/// What was found.
pub struct Found {
    /// Coefficients: hi and lo, lowest degree first.
    pub coefficients: Vec<(f64, f64)>,
    /// log2 of a bound of the weighted error, proven.
    pub error: f64,
}

/// RN(x) to p bits.
pub fn limb(x: &Float, p: u32) -> f64 {
    Float::with_val(p, x).to_f64()
}

impl Fit<'_> {
    /// The coefficients, from the highest down: each is rounded to its format, to either side, and the lower ones are fitted
    /// anew; the side of the smaller error is kept.
    pub fn find(&self) -> Found {
        let terms = self.terms();
        // An even number: where the weight is 0 there is no point.
        let points = 48 * self.count;
        let (low, high) = &self.ends;
        let (mid, radius) = ((float(0.5) * high + float(0.5) * low), (float(0.5) * high - float(0.5) * low));
        let pi = Float::with_val(BITS, Constant::Pi);
        let x: Vec<Float> = (0..points)
            .map(|i| float(0.0) - (pi.clone() * (i as f64 + 0.5) / points as f64).cos() * &radius)
            .map(|x| x + &mid)
            .collect();
        let g = x.iter().map(|x| evaluate(&terms, x)).collect();
        let w = x.iter().map(|x| power(&x.clone().abs(), self.weight)).collect();
        let mut grid = Grid { x, g, w };
        let mut coefficients = vec![(0.0, 0.0); self.count];
        let (mut p, _) = best(&grid, self.count);
        for k in (0..self.count).rev() {
            let candidates = self.candidates(&p[k], k < self.pairs);
            let mut trials: Vec<_> = candidates
                .into_iter()
                .map(|c| {
                    let fixed = self.without(&grid, k, c);
                    let (rest, error) = if k == 0 { (Vec::new(), largest(&fixed)) } else { best(&fixed, k) };
                    (error, c, rest, fixed)
                })
                .collect();
            trials.sort_by(|a, b| a.0.partial_cmp(&b.0).expect("a number"));
            let (_, c, rest, fixed) = trials.swap_remove(0);
            (coefficients[k], p, grid) = (c, rest, fixed);
        }
        let error = self.bound(&terms, &coefficients);
        self.check_steps(&coefficients);
        Found { coefficients, error }
    }

    /// Terms of the series until they no longer matter: each is less than half the one before, on the interval.
    pub fn terms(&self) -> Vec<Float> {
        let reach = self.reach();
        let mut terms = Vec::new();
        let mut size = float(1.0);
        for k in 0..400 {
            let term = (self.series)(k);
            let small = k > 8 && term.clone().abs() * &size < float(2.0).pow_i(-(BITS as i32) + 100);
            terms.push(term);
            if small {
                return terms;
            }
            size *= &reach;
        }
        panic!("the series does not converge fast enough");
    }

    fn candidates(&self, c: &Float, pair: bool) -> Vec<(f64, f64)> {
        let hi = limb(c, self.p);
        if pair {
            return vec![(hi, limb(&(c.clone() - hi), self.p))];
        }
        let ulp = f64::powi(2.0, c.get_exp().expect("not 0") - self.p as i32);
        vec![(hi, 0.0), (if float(hi) < *c { hi + ulp } else { hi - ulp }, 0.0)]
    }

    /// The grid less the term of degree k.
    fn without(&self, grid: &Grid, k: usize, c: (f64, f64)) -> Grid {
        let c = float(c.0) + c.1;
        let g = grid.x.iter().zip(&grid.g).map(|(x, g)| g - power(x, k as u32) * &c).collect();
        Grid { x: grid.x.clone(), g, w: grid.w.clone() }
    }

    /// log2 of a bound of |x^m (c(x) - t(x))| on the interval.
    ///
    /// The difference of the two is one polynomial D(u), whose coefficients are small; u is in [-1, 1], from one end of the
    /// interval to the other. On each of 2^17 parts, of radius h, |D| is at most |D| + h |D'| at the middle and h^2 / 2 times a
    /// bound of |D''|, the sum of its coefficients' magnitudes. Left out are the terms beyond the last, of the size of the last,
    /// and roundings in doubles.
    pub fn bound(&self, terms: &[Float], coefficients: &[(f64, f64)]) -> f64 {
        let mut in_x = vec![float(0.0); self.weight as usize];
        for (k, t) in terms.iter().enumerate() {
            let c = coefficients.get(k).map_or(float(0.0), |c| float(c.0) + c.1);
            in_x.push(c - t);
        }
        let (low, high) = &self.ends;
        let (mid, radius) = ((float(0.5) * high + float(0.5) * low), (float(0.5) * high - float(0.5) * low));
        let mut d: Vec<Float> = Vec::new();
        for c in in_x.iter().rev() {
            // Times x, which is mid + radius u, and c more.
            let below = std::iter::once(float(0.0)).chain(d.iter().map(|d| float(1.0) * d * &radius));
            let same = d.iter().map(|d| float(1.0) * d * &mid).chain(std::iter::once(float(0.0)));
            d = below.zip(same).map(|(a, b)| a + b).collect();
            d[0] += c;
        }
        let scale = d.iter().fold(float(0.0), |a, b| a + b.clone().abs());
        let d: Vec<f64> = d.iter().map(|x| Float::with_val(BITS, x / &scale).to_f64()).collect();
        let second: f64 = d.iter().enumerate().map(|(k, d)| (k * k.saturating_sub(1)) as f64 * d.abs()).sum();
        let parts = 1 << 17;
        let h = 1.0 / parts as f64;
        let mut most: f64 = 0.0;
        for i in 0..parts {
            let u = (2 * i + 1) as f64 * h - 1.0;
            let (mut y, mut slope) = (0.0f64, 0.0f64);
            for c in d.iter().rev() {
                slope = slope * u + y;
                y = y * u + c;
            }
            most = most.max(y.abs() + h * slope.abs());
        }
        // Each of the operations errs by 2^-53 of at most the sum of magnitudes, 1, and slopes count for less.
        let total = most + h * h / 2.0 * second + 4.0 * d.len() as f64 * (-52f64).exp2();
        (scale * total).log2().to_f64()
    }

    /// What short steps need: |x| times what is added to c_k is at most |c_k| / 2.
    fn check_steps(&self, found: &[(f64, f64)]) {
        let reach = self.reach().to_f64();
        let all = self.lead.iter().copied().chain(found.iter().map(|c| c.0)).enumerate();
        let all: Vec<(usize, f64)> = all.collect();
        let mut rest = 0.0;
        for &(k, c) in all.iter().rev() {
            let pair = k < self.lead.len() + self.pairs;
            assert!(!pair || rest <= c.abs() / 2.0, "{rest} is more than half of coefficient {k}, {c}");
            rest = (rest + c.abs()) * reach;
        }
    }

    fn reach(&self) -> Float {
        self.ends.0.clone().abs().max(&self.ends.1)
    }
}

fn largest(grid: &Grid) -> Float {
    grid.g.iter().zip(&grid.w).map(|(g, w)| Float::with_val(BITS, g * w).abs()).fold(float(0.0), |a, b| a.max(&b))
}

fn power(x: &Float, n: u32) -> Float {
    (0..n).fold(float(1.0), |y, _| y * x)
}

/// Powers of 2.
pub trait PowI {
    /// self^n.
    fn pow_i(self, n: i32) -> Float;
}

impl PowI for Float {
    fn pow_i(self, n: i32) -> Float {
        rug::ops::Pow::pow(self, n)
    }
}
