//! Roots, fma, mad and conversions, which extra counters count, and atomics: on devices and on the host.

use super::run::{Counted, Instrumented, bits, limbs, with_pair};
use crate::bench::{Number, Subject};
use crate::device::Error;
use vernier::stat::{Options, Stat};
use vernier::{DoubleWord, High, HostLimb, Low, Mid};

/// Square roots, reciprocal square roots, fma, mad and conversions of a limb, of [`operands`](super::operands), on the host.
pub fn others_on_host(subject: Subject, args: &[u64], options: Options) -> Counted {
    with_pair!(subject, F, A => {
        let (limbs, collected) = options.record(|| {
            let one = |v: &[u64]| {
                let limb = |i: usize| F::from_bits_u64(v[i]);
                let (x, y) = (Stat::<DoubleWord<F, A>>::from_parts(limb(0), limb(1)), Stat::from_parts(limb(2), limb(3)));
                let all = [x.sqrt(), x.rsqrt(), x.fma(y, x), x.mad(y, y), Stat::from(limb(0))];
                all.iter().flat_map(|&r| bits(&limbs(r))).collect::<Vec<_>>()
            };
            args.chunks_exact(4).flat_map(one).collect()
        });
        Counted { limbs, collected }
    })
}

/// `n` pairs whose sums and differences are exact at every level, so that they do not depend on the order: limbs k and k 2^-30.
pub fn summands(subject: Subject, n: usize) -> Vec<u64> {
    with_pair!(subject, F, A => {
        let one = |k: usize| {
            let k = f64::from(k as u32 % 64 + 1);
            [k, k * (-30f64).exp2()].map(|x| DoubleWord::<F, A>::exact(x).hi().to_bits_u64())
        };
        (0..n).flat_map(one).collect()
    })
}

/// [`summands`] added to a pair in memory one after the other, and every third subtracted: old value and operand are counted, and their
/// sum at the type's level, while memory holds the sum at high.
pub fn atomics_on_host(subject: Subject, args: &[u64], options: Options) -> Counted {
    with_pair!(subject, F, A => {
        let ((hi, lo), collected) = options.record(|| {
            let zero = <F as HostLimb>::ZERO;
            args.chunks_exact(2).enumerate().fold((zero, zero), |(hi, lo), (i, y)| {
                let (y_hi, y_lo) = (F::from_bits_u64(y[0]), F::from_bits_u64(y[1]));
                let (old, y) = (Stat::<DoubleWord<F, A>>::from_parts(hi, lo), Stat::from_parts(y_hi, y_lo));
                let (stored, at_high) = (DoubleWord::<F, High>::from_parts(hi, lo), DoubleWord::from_parts(y_hi, y_lo));
                let (_, new) = if i % 3 == 2 { (old - y, stored - at_high) } else { (old + y, stored + at_high) };
                (new.hi(), new.lo())
            })
        });
        Counted { limbs: bits(&[hi, lo]), collected }
    })
}

impl Instrumented<'_> {
    /// What [`others_on_host`] computes, on the device; compiled with extra counters.
    ///
    /// # Errors
    /// If the device fails, or the subject was not compiled so.
    pub fn others(&self, subject: Subject, args: &[u64], groups: u32, size: u32) -> Result<Counted, Error> {
        self.reset()?;
        with_pair!(subject, F, A => {
            let _: Option<A> = None;
            let input: Vec<F> = args.iter().map(|&b| F::from_bits_u64(b)).collect();
            let n = input.len() / 4;
            let input = self.device.upload(&input)?;
            let output = self.device.zeros::<F>(10 * n)?;
            self.launch("others", subject, groups, size, &[(n as u32).into(), input.arg(), output.arg()])?;
            self.counted(&output)
        })
    }

    /// [`summands`] added and subtracted by atomics into one pair; by one thread the record is that of [`atomics_on_host`], by more what
    /// does not depend on the order is. None where the device has no atomics for the type: OpenCL for `fp64mp2` and without those of 64
    /// bits, CUDA for `fp64mp2` before sm_90.
    ///
    /// # Errors
    /// If the device fails.
    pub fn atomics(&self, subject: Subject, args: &[u64], groups: u32, size: u32) -> Result<Option<Counted>, Error> {
        if self.program.kernel(&format!("vernier_stat_atomics_{}", subject.name())).is_err() {
            return Ok(None);
        }
        self.reset()?;
        with_pair!(subject, F, A => {
            let _: Option<A> = None;
            let input: Vec<F> = args.iter().map(|&b| F::from_bits_u64(b)).collect();
            let n = input.len() / 2;
            let input = self.device.upload(&input)?;
            let sum = self.device.zeros::<F>(2)?;
            self.launch("atomics", subject, groups, size, &[(n as u32).into(), input.arg(), sum.arg()])?;
            self.counted(&sum).map(Some)
        })
    }
}
