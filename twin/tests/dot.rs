//! The contracts of dot products.

use vernier::superaccumulator::Superaccumulator;
use vernier_twin::dot::{Vectors, exact_twin, twin};
use vernier_twin::{Api, DeviceError, Options, Place, Twin, check};

fn holds_everywhere(twin: &Twin<Vectors>) {
    let report = check(twin, Place::Host, &Options::default()).unwrap();
    assert!(report.holds(), "{report}");
    match check(twin, Place::Device(Api::OpenCl, 0), &Options::default()) {
        Ok(report) => assert!(report.holds(), "{report}"),
        Err(why) if why.is_absent() => println!("skipped: {why}"),
        Err(why) => panic!("{why}"),
    }
    match twin.compile_cuda("sm_90") {
        Ok(()) => {}
        Err(DeviceError::Unusable { why, .. }) => println!("skipped: {why}"),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn double_word_tree() {
    let twin = twin(1);
    holds_everywhere(&twin);
    let report = check(&twin, Place::Host, &Options { faults: false, only: None }).unwrap();
    // Integers are exact; cancelling sums are not, and there the double-word tree is far closer to the truth than double.
    assert!(report.cases.iter().filter(|c| c.name.starts_with("integers")).all(|c| c.exact));
    let hard = report.cases.iter().find(|c| c.name == "cancelling, 4096").unwrap();
    assert!(!hard.exact && hard.outputs[1].bound < 1e-12 * hard.outputs[0].bound, "{report}");
}

#[test]
fn exact_sum() {
    holds_everywhere(&exact_twin(1));
}

/// The exact sum against MPFR, on terms over the whole range of float.
#[test]
fn exact_sum_is_that_of_mpfr() {
    use rug::Float;
    for seed in 0..200 {
        let term = |k: u64| f32::from_bits((k.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 30) as u32 & 0xbfff_ffff);
        let (mut ours, mut theirs) = (Superaccumulator::new(), Float::new(1000));
        for k in 0..1 + seed * 7 {
            let (x, y) = (term(1000 * seed + 2 * k), term(1000 * seed + 2 * k + 1));
            ours.add_product(x, y);
            theirs += Float::with_val(1000, x) * y;
        }
        assert_eq!(ours.round().to_bits(), theirs.to_f64().to_bits(), "seed {seed}");
    }
}
