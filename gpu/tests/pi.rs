//! The pi benchmark: its published values on the host, the host's bits on OpenCL.

mod tools;

use tools::opencl;
use vernier_gpu::bench::{PARTS, Pi, Subject, pi_host, pi_on, split_host, split_on};
use vernier_gpu::print::Rare;

fn at_2_26(subject: Subject) -> Pi {
    let pi = pi_host(subject, 26);
    println!("{} {} {:.2} {:.2}", subject.name(), pi.text, pi.digits, pi.digits_summed_in_double);
    pi
}

fn near(digits: f64, expected: f64, step: f64) {
    assert!((digits - expected).abs() <= step / 2.0, "{digits} digits, not {expected}");
}

#[test]
fn native_types_give_the_published_values() {
    let double = at_2_26(Subject::Double);
    assert_eq!(double.text, "3.1415926535897984");
    near(double.digits, 14.78, 0.01);
    let float = at_2_26(Subject::Float);
    assert_eq!(float.text, "3.1389188766479492");
    near(float.digits, 3.07, 0.01);
    near(pi_host(Subject::Float, 20).digits, 5.2, 0.1);
    near(pi_host(Subject::Float, 28).digits, 2.8, 0.1);
}

#[test]
fn fp32mp2_gives_the_published_values() {
    let mid = at_2_26(Subject::Fp32mp2Mid);
    assert_eq!(mid.text, "3.1415926535931646");
    near(mid.digits, 11.97, 0.01);
    let high = at_2_26(Subject::Fp32mp2High);
    assert_eq!(high.text, "3.1415926535891288");
    near(high.digits, 12.67, 0.01);
    // The last digits of low are luck in the final sum.
    let low = at_2_26(Subject::Fp32mp2Low);
    assert!(low.digits >= 8.5, "{low:?}");
    assert!(low.digits_summed_in_double >= 14.0, "{low:?}");
}

#[test]
fn fp64mp2_gives_the_published_digits() {
    for subject in [Subject::Fp64mp2Low, Subject::Fp64mp2Mid, Subject::Fp64mp2High] {
        let pi = at_2_26(subject);
        near(pi.digits, 17.2, 0.1);
        // pi and the error of the midpoint rule, h^2 / 12.
        assert!(pi.text.starts_with("3.1415926535897932569") && pi.text.len() == 34, "{pi:?}");
    }
}

#[test]
fn reduced_formats_give_the_published_values() {
    let values = [
        "3.1415926535897936",
        "3.1415926522895461",
        "3.1415926522895461",
        "3.1415926522895461",
        "3.1249996721744537",
        "2.0000000000000000",
        "0.0156250000000000",
        "NaN",
    ];
    for (subject, value) in Subject::CUSTOM.into_iter().zip(values) {
        assert_eq!(at_2_26(subject).text, value, "{}", subject.name());
    }
    near(at_2_26(Subject::CustomE11M52).digits, 16.3, 0.1);
    near(at_2_26(Subject::CustomE11M23).digits, 9.4, 0.1);
}

/// Packed high is double; the others have their digits and more.
#[test]
fn emulated_doubles_have_the_published_digits() {
    for k in [22, 24] {
        assert_eq!(pi_host(Subject::Fp64emuHigh, k).text, pi_host(Subject::Double, k).text);
    }
    assert_eq!(at_2_26(Subject::Fp64emuHigh).text, "3.1415926535897984");
    let published = [
        (Subject::Fp64emuMid, 11.3),
        (Subject::Fp64emuLow, 3.1),
        (Subject::Fp64emuUnpackedHigh, 16.1),
        (Subject::Fp64emuUnpackedMid, 14.0),
        (Subject::Fp64emuUnpackedLow, 3.1),
    ];
    for (subject, digits) in published {
        let pi = at_2_26(subject);
        assert!(pi.digits >= digits - 0.05, "{pi:?}");
    }
}

#[test]
fn opencl_has_the_hosts_bits() {
    let Some(device) = opencl() else { return };
    let subjects: Vec<Subject> = Subject::pi().collect();
    let run = pi_on(&device, &subjects, &[18, 20], 1, 20, Rare::Outline).unwrap();
    assert_eq!(run.rows.len(), 2 * subjects.len());
    for pi in &run.rows {
        assert_eq!(pi.host_bits, Some(true), "{pi:?}");
        let host = pi_host(pi.subject, pi.log2_terms);
        assert_eq!((pi.value, &pi.text, pi.digits), (host.value, &host.text, host.digits));
        let timing = pi.timing.unwrap();
        assert!(timing.median > 0.0 && pi.speed_vs_double.unwrap() > 0.0);
        assert_eq!(pi.subject == Subject::Double, pi.speed_vs_double == Some(1.0));
    }
}

/// Whatever the share of emulated terms, a divided sum has the host's bits and the digits of its kind.
#[test]
fn opencl_divides_as_the_host() {
    let Some(device) = opencl() else { return };
    for (subject, least) in [(Subject::Fp64emuUnpackedHigh, 12.4), (Subject::Fp64emuUnpackedLow, 5.0)] {
        let split = split_on(&device, subject, 18, &[0, 10, 128, PARTS], 1, Rare::Outline).unwrap();
        assert_eq!(split.rows.iter().map(|r| r.share()).collect::<Vec<_>>(), [0.0, 10.0 / 256.0, 0.5, 1.0]);
        for row in &split.rows {
            println!("{row:?}");
            assert!(row.host_bits && row.digits >= least && row.timing.median > 0.0, "{row:?}");
            let host = split_host(subject, row.division, 18, device.description().units);
            assert_eq!(row.value, [host.hi(), host.lo()]);
        }
        let fastest = split.fastest().unwrap().timing.median;
        assert!(split.rows.iter().all(|r| r.timing.median >= fastest));
    }
    assert!(split_on(&device, Subject::Double, 18, &[0], 1, Rare::Outline).is_err());
}
