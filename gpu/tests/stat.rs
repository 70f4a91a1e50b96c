//! Instrumented pairs on devices: the host's bits and the host's record. Without an OpenCL device tests say so and pass.

mod tools;

use tools::opencl;
use vernier::stat::{Options, Record};
use vernier_gpu::bench::Subject;
use vernier_gpu::device::{Api, cuda};
use vernier_gpu::kernel::{Kernels, compare};
use vernier_gpu::stat::extra::{atomics_on_host, others_on_host, summands};
use vernier_gpu::stat::{
    Counted, DRAINED, EXTRA_MUTANTS, Instrumented, MUTANTS, kahan_on_host, operands, operands_on_host, pi_on_host,
    source,
};
use vernier_tape::mutants::one_nan;
use vernier_tape::registry::stat::functions;
use vernier_tape::tape::Ty;

const PAIRS: [Subject; 6] = [
    Subject::Fp32mp2Low,
    Subject::Fp32mp2Mid,
    Subject::Fp32mp2High,
    Subject::Fp64mp2Low,
    Subject::Fp64mp2Mid,
    Subject::Fp64mp2High,
];

fn same(subject: Subject, device: &Counted, host: &Counted) {
    let ty = if subject.family() == "fp32mp2" { Ty::F32 } else { Ty::F64 };
    let limbs = |c: &Counted| c.limbs.iter().map(|&l| one_nan(ty, l)).collect::<Vec<_>>();
    assert_eq!(limbs(device), limbs(host), "{}", subject.name());
    assert_eq!(device.collected, host.collected, "{}", subject.name());
}

#[test]
fn recorded_functions_have_the_hosts_bits() {
    let Some(device) = opencl() else { return };
    let all: Vec<_> = functions().iter().collect();
    let kernels = [Kernels::compile(&device, &all).unwrap()];
    for f in all {
        let c = compare(&kernels, f, 1, 0..2).unwrap();
        assert!(c.holds(), "{c:#?}");
    }
}

/// One program for all: compiling takes longer than running.
#[test]
fn records_are_the_hosts() {
    let Some(device) = opencl() else { return };
    let options = Options::new();
    let instrumented = Instrumented::compile(&device, &PAIRS, options).unwrap();
    for subject in PAIRS {
        example(&instrumented, subject);
        operands_of_all_sorts_on_any_grid(&instrumented, subject, options);
    }
    for subject in [Subject::Fp32mp2Mid, Subject::Fp64mp2High] {
        let host = pi_on_host(subject, 18, options);
        assert_eq!(host.collected.record.ops_count, 5 << 18);
        let (counted, timing) = instrumented.pi(subject, 18, 1).unwrap();
        same(subject, &counted, &host);
        assert!(timing.median > 0.0);
    }
}

#[test]
fn histograms_extra_counts_and_atomics() {
    let Some(device) = opencl() else { return };
    let options = Options::new().histograms().extra();
    let subjects = [Subject::Fp64mp2Mid, Subject::Fp32mp2Low];
    let instrumented = Instrumented::compile(&device, &subjects, options).unwrap();
    for subject in subjects {
        operands_of_all_sorts_on_any_grid(&instrumented, subject, options);
        assert_eq!(instrumented.read().unwrap().extra.unwrap(), Default::default());

        let args = operands(subject, 3, 1000);
        let host = others_on_host(subject, &args, options);
        let extra = host.collected.extra.unwrap();
        let counts = [extra.sqrt_count, extra.rsqrt_count, extra.fma_count, extra.mad_count, extra.conversion_count];
        assert_eq!((counts, host.collected.record), ([1000; 5], Record::EMPTY));
        same(subject, &instrumented.others(subject, &args, 5, 16).unwrap(), &host);

        let args = summands(subject, 200);
        let host = atomics_on_host(subject, &args, options);
        assert_eq!((host.collected.record.add_count, host.collected.record.sub_count), (134, 66));
        match instrumented.atomics(subject, &args, 1, 1).unwrap() {
            Some(counted) => same(subject, &counted, &host),
            None => assert_eq!(subject, Subject::Fp64mp2Mid),
        }
        if let Some(many) = instrumented.atomics(subject, &args, 7, 16).unwrap() {
            assert_eq!(many.limbs, host.limbs);
            assert_eq!(many.collected.record.ops_count, 200);
            assert_eq!(many.collected.record.arg[1], host.collected.record.arg[1]);
        }
    }
    instrumented.reset().unwrap();
    let empty = instrumented.read().unwrap();
    assert_eq!((empty.record, empty.histograms.unwrap()), (Record::EMPTY, Default::default()));
}

fn example(instrumented: &Instrumented<'_>, subject: Subject) {
    let host = kahan_on_host(subject, Options::new());
    assert_eq!(host.collected.record.ops_count, 259);
    same(subject, &instrumented.kahan(subject, 1, 1).unwrap(), &host);
    // Every thread of a grid counts the same.
    let many = instrumented.kahan(subject, 5, 8).unwrap();
    let mut expected = Record::EMPTY;
    (0..40).for_each(|_| expected.merge(&host.collected.record));
    assert_eq!(many.collected.record, expected);
}

fn operands_of_all_sorts_on_any_grid(instrumented: &Instrumented<'_>, subject: Subject, options: Options) {
    let args = operands(subject, 3, 20_000);
    let host = operands_on_host(subject, &args, options);
    let r = &host.collected.record;
    let counts = [r.ops_count, r.add_count, r.sub_count, r.mul_count, r.div_count];
    assert_eq!(counts, [120_000, 40_000, 40_000, 20_000, 20_000]);
    let events = [r.overflow_count, r.underflow_count, r.full_cancel_count, r.partial_cancel_count];
    assert!(events.iter().all(|&n| n > 100), "{events:?}");
    assert!(r.arg[0].denorm_count > 100 && r.arg[1].infnan_count > 3 && r.result.nan_count > 100);
    for (groups, size) in [(1, 1), (3, 64), (40, 16)] {
        same(subject, &instrumented.operands(subject, &args, groups, size).unwrap(), &host);
    }
}

#[test]
fn counters_that_fill_up_lose_nothing() {
    let Some(device) = opencl() else { return };
    let subject = Subject::Fp32mp2Low;
    let instrumented = Instrumented::mutated(&device, subject, &DRAINED, Options::new()).unwrap();
    example(&instrumented, subject);
    operands_of_all_sorts_on_any_grid(&instrumented, subject, Options::new());
}

#[test]
fn kernels_compile_for_cuda() {
    if let Err(why) = cuda::compiler_version() {
        println!("SKIPPED: {why}");
        return;
    }
    let options = Options::new().histograms().extra();
    assert!(!cuda::compile(&source(Api::Cuda, &[Subject::Fp64mp2High], options), "sm_90").unwrap().is_empty());
}

/// Every mutant changes the text, for both languages.
#[test]
fn mutants_are_in_the_text() {
    for api in [Api::OpenCl, Api::Cuda] {
        let sound = source(api, &[Subject::Fp32mp2Mid], Options::new()).text;
        let with_all = source(api, &[Subject::Fp32mp2Mid], Options::new().histograms().extra()).text;
        for mutant in MUTANTS.iter().chain([&DRAINED]) {
            assert_ne!(mutant.plant(&sound), sound, "{api}: {}", mutant.what);
        }
        for mutant in &EXTRA_MUTANTS {
            assert_ne!(mutant.plant(&with_all), with_all, "{api}: {}", mutant.what);
        }
    }
}
