//! The contract of frame moments.

use vernier_twin::frame::{Content, Frames, Plane, Samples};
use vernier_twin::moments::{bound, contract, parallel, reference, twin};
use vernier_twin::{Api, DeviceError, Options, Place, check};

#[test]
fn holds_on_the_host_and_catches_every_fault() {
    let twin = twin(1);
    let report = check(&twin, Place::Host, &Options::default()).unwrap();
    assert!(report.holds(), "{report}");
    assert_eq!(report.faults.len(), 5);
    // Four cases are past 2^53, and the two forms differ in three of them, in one by nearly all of the bound.
    let past: Vec<_> = report.cases.iter().filter(|c| !c.exact).collect();
    assert_eq!(past.len(), 4, "{report}");
    let differ = past.iter().filter(|c| c.outputs.iter().any(|o| o.distance > 0.0)).count();
    assert_eq!(differ, 3, "{report}");
    let tight = past.iter().flat_map(|c| &c.outputs).any(|o| o.distance > 0.9999 * o.bound && o.bound > 0.0);
    assert!(tight, "{report}");
}

#[test]
fn holds_on_opencl() {
    let twin = twin(1);
    match check(&twin, Place::Device(Api::OpenCl, 0), &Options::default()) {
        Ok(report) => assert!(report.holds(), "{report}"),
        Err(why) if why.is_absent() => println!("skipped: {why}"),
        Err(why) => panic!("{why}"),
    }
}

#[test]
fn the_contract_fails_where_the_twin_is_wrong() {
    let frames = || Content::Noise.frames((64, 64), 64, 16, 3).unwrap();
    let bad = contract().case("noise", frames);
    let only_faults = check(&bad, Place::Host, &Options::default()).unwrap();
    let caught: Vec<_> = only_faults.faults.iter().map(|f| f.caught_by.as_deref()).collect();
    assert_eq!(caught, [Some("noise"); 5]);
    // 12 bits have no squares to round, and no fault of squares shows.
    let shallow = contract().case("shallow", || Content::Noise.frames((64, 64), 64, 12, 3).unwrap());
    let report = check(&shallow, Place::Host, &Options::default()).unwrap();
    assert!(!report.holds());
    assert!(report.cases.iter().all(|c| c.holds()));
    assert_eq!(report.faults[0].caught_by, None);
}

/// The bound is the published formula: e is the binade of the sum in units.
#[test]
fn bound_of_a_large_frame() {
    let (w, h) = (3840, 2160);
    let plane = Plane::new(w, h, w, 16, Samples::U16(vec![65535; w * h])).unwrap();
    let n = (w * h) as f64;
    // 65535^2 rounds to 2^32 - 2^17; times n that is in binade 54.
    assert_eq!(((4_294_967_296.0 - 131_072.0) * n).log2().floor(), 54.0);
    let formula = (n - 2f64.powi(21) + 1.0) / n * 2f64.powi(54 - 69) + 2f64.powi(-37);
    assert_eq!(bound(&plane), [0.0, formula]);
    let small = Plane::new(w, h, w, 16, Samples::U16(vec![1; w * h])).unwrap();
    assert_eq!(bound(&small), [0.0, 0.0]);
}

/// 2^21 pixels of 16 bits are exact at every content, and one more pixel than that may not be.
#[test]
fn exact_up_to_two_to_the_21_pixels() {
    let plane = |n: usize| Plane::new(n, 1, n, 16, Samples::U16(vec![65535; n])).unwrap();
    assert_eq!(bound(&plane(1 << 21))[1], 0.0);
    assert!(bound(&plane((1 << 21) + 128))[1] > 0.0);
}

#[test]
fn all_cores_return_the_bits_of_the_sequential_reference() {
    for (size, stride, bits, seed) in
        [((641, 481), 700, 8, 1), ((641, 481), 641, 10, 2), ((333, 77), 400, 12, 3), ((1000, 900), 1000, 16, 4)]
    {
        let plane = Content::Noise.plane(size, stride, bits, seed).unwrap();
        assert_eq!(parallel(&plane), reference(&plane));
    }
    // Past 2^53, where the order of the CPU's additions shows.
    let bright = Content::Between(60000, 65535).plane((3000, 1200), 3000, 16, 5).unwrap();
    assert!(bound(&bright)[1] > 0.0);
    assert_eq!(parallel(&bright), reference(&bright));
}

/// Samples between the rows have no part in the results.
#[test]
fn strides() {
    let samples: Vec<u16> = (0..7 * 5).map(|k| k * 11).collect();
    let wide = Plane::new(5, 5, 7, 9, Samples::U16(samples.clone())).unwrap();
    let dense = samples.chunks(7).flat_map(|row| &row[..5]).copied().collect();
    let dense = Plane::new(5, 5, 5, 9, Samples::U16(dense)).unwrap();
    assert_eq!(reference(&wide), reference(&dense));
    assert_eq!(parallel(&wide), reference(&dense));
    let frames = Frames { reference: wide, distorted: dense };
    let report =
        check(&contract().case("strides", move || frames.clone()), Place::Host, &Options { faults: false, only: None });
    assert!(report.unwrap().holds());
}

#[test]
fn one_sample_by_hand() {
    let plane = Plane::new(1, 1, 1, 16, Samples::U16(vec![0xfff1])).unwrap();
    // 65521 / 256 = 255.94140625; its square 65506.0034..., rounded to 24 bits, a multiple of 2^-8.
    assert_eq!(reference(&plane), [255.941_406_25, 65_506.003_906_25]);
}

#[test]
fn a_case_that_is_not_there() {
    let options = Options { only: Some("nothing".into()), faults: false };
    let error = check(&twin(1), Place::Host, &options).unwrap_err();
    assert!(error.to_string().starts_with("there is no case 'nothing'"), "{error}");
}

/// Where NVRTC is installed the CUDA form compiles without a GPU.
#[test]
fn cuda_source_compiles() {
    match contract().compile_cuda("sm_90") {
        Ok(()) => {}
        Err(DeviceError::Unusable { why, .. }) => println!("skipped: {why}"),
        Err(error) => panic!("{error}"),
    }
}
