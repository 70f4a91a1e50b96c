//! Collection on the host: nested scopes, threads, options.

use rayon::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use vernier::stat::{self, Options, Record, record};
use vernier::{High, RoundFrom, fp32mp2_stat, fp64mp2, fp64mp2_stat};

type S = fp64mp2_stat;

fn work(i: u32) -> S {
    let x = S::from(i) / S::from(7) + S::from(1e-20) * S::from(i % 5);
    x - S::from(i / 7)
}

#[test]
fn without_a_scope_nothing_is_kept() {
    let _ = work(3);
    let ((), empty) = record(|| ());
    assert_eq!(empty, Record::EMPTY);
}

#[test]
fn scopes_nest() {
    let ((inner, middle), outer) = record(|| {
        let _ = S::from(1) + S::from(1);
        let (inner, middle) = record(|| {
            let _ = S::from(1) * S::from(2);
            record(|| S::from(1) / S::from(3)).1
        });
        let _ = S::from(1) - S::from(1);
        (inner, middle)
    });
    let counts = |r: Record| [r.ops_count, r.add_count, r.sub_count, r.mul_count, r.div_count];
    assert_eq!(counts(inner), [1, 0, 0, 0, 1]);
    assert_eq!(counts(middle), [2, 0, 0, 1, 1]);
    assert_eq!(counts(outer), [4, 1, 1, 1, 1]);
    assert_eq!((outer.full_cancel_count, middle.full_cancel_count), (1, 0));
}

#[test]
fn threads_give_the_record_of_one() {
    let n = 20_000u32;
    let options = Options::new().histograms().extra();
    let (sums, alone) = options.record(|| (0..n).map(|i| work(i).to_f64()).collect::<Vec<_>>());
    for size in [1, 3, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(size).build().unwrap();
        let (same, shared) = options.record(|| {
            let handle = stat::handle();
            pool.install(|| (0..n).into_par_iter().map(|i| handle.enter(|| work(i).to_f64())).collect::<Vec<_>>())
        });
        assert_eq!(same, sums);
        assert_eq!(shared, alone);
    }
    assert_eq!(alone.record.ops_count, u64::from(n) * 4);
    assert!(alone.histograms.is_some() && alone.extra.unwrap().conversion_count > 0);
}

#[test]
fn parallel_scopes_keep_apart() {
    // Scopes in rayon tasks, each with tasks of its own, which idle threads steal from each other.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
    let (records, whole) = record(|| {
        let outer = stat::handle();
        pool.install(|| {
            (1..20u32)
                .into_par_iter()
                .map(|k| {
                    outer.enter(|| {
                        let (_, inner) = record(|| {
                            let handle = stat::handle();
                            (0..k * 50).into_par_iter().for_each(|i| {
                                let _ = handle.enter(|| work(i));
                            });
                        });
                        inner
                    })
                })
                .collect::<Vec<_>>()
        })
    });
    for (k, record) in (1..20u64).zip(&records) {
        assert_eq!(record.ops_count, k * 50 * 4);
    }
    assert_eq!(whole.ops_count, (1..20).map(|k| k * 200).sum::<u64>());
    let mut sum = Record::EMPTY;
    records.iter().for_each(|r| sum.merge(r));
    assert_eq!(sum, whole);
}

#[test]
fn a_panic_leaves_the_scopes_in_order() {
    let (_, outer) = record(|| {
        let _ = work(1);
        let failed = catch_unwind(AssertUnwindSafe(|| {
            record(|| {
                let _ = work(2);
                panic!("on purpose");
            })
        }));
        assert!(failed.is_err());
        let handle = stat::handle();
        let failed = thread::scope(|s| {
            s.spawn(|| {
                handle.enter(|| work(5));
                handle.enter(|| panic!("on purpose"))
            })
            .join()
            .is_err()
        });
        assert!(failed);
        work(3)
    });
    assert_eq!(outer.ops_count, 12);
    assert_eq!(record(|| ()).1, Record::EMPTY);
    // No scope: the handle takes what nobody reads.
    stat::handle().enter(|| work(1));
}

#[test]
fn extra_counts_are_off_by_default() {
    let f = || {
        let x = S::from(fp64mp2::from(2));
        let _ = (x.sqrt(), x.sqrt(), x.rsqrt(), x.fma(x, x), x.mad(x, x), x.mad(x, x), x.mad(x, x));
        let _ = (x.to_level::<High>(), x.to_f64(), fp32mp2_stat::round_from(x));
        x + x
    };
    let (_, plain) = Options::new().record(f);
    assert_eq!((plain.extra, plain.histograms), (None, None));
    let (_, all) = Options::new().extra().record(f);
    let e = all.extra.unwrap();
    let counts = [e.sqrt_count, e.rsqrt_count, e.fma_count, e.mad_count, e.conversion_count];
    assert_eq!(counts, [2, 1, 1, 3, 3]);
    assert_eq!(all.record, plain.record);
    assert_eq!(all.record.ops_count, 1);
    // What the outer scope wants the inner one collects, and does not show.
    let (inner, outer) = Options::new().extra().histograms().record(|| Options::new().record(f).1);
    assert_eq!((inner.extra, inner.histograms), (None, None));
    assert_eq!(outer.extra, Some(e));
    let histograms = outer.histograms.unwrap();
    assert_eq!(histograms.arg[0].exponents, stat::Histogram::from([(1, 1)]));
    assert_eq!(histograms.result.exponents, stat::Histogram::from([(2, 1)]));
    assert!(histograms.result.gaps.is_empty());
}

#[test]
fn histograms_agree_with_the_record() {
    let (_, collected) = Options::new().histograms().record(|| (0..500).map(work).for_each(|_| ()));
    let (r, h) = (collected.record, collected.histograms.unwrap());
    for (slot, bars) in [(r.arg[0], &h.arg[0]), (r.arg[1], &h.arg[1]), (r.result, &h.result)] {
        let ends = |of: &stat::Histogram| Some((*of.keys().next()?, *of.keys().next_back()?));
        assert_eq!((slot.exponents(), slot.gaps()), (ends(&bars.exponents), ends(&bars.gaps)));
        assert_eq!(bars.exponents.values().sum::<u64>() + slot.zero_count, r.ops_count);
        assert_eq!(bars.gaps.values().sum::<u64>() + slot.zero_count + slot.zero_lo_count, r.ops_count);
    }
}
