//! Contracts over every hi: what a device finds is what the oracle finds.

use crate::common::vernier;
use crate::conform::has;
use vernier::function::Math;
use vernier_conformance::case::{Level, Op, Type, Value, Width};
use vernier_conformance::subject::{Host, Subject};
use vernier_gpu::device::{Api, Device};
use vernier_gpu::kernel::{GROUP, Sweep, Words, is_broken, number_on_host, operand_on_host};
use vernier_oracle::{Target, judge};
use vernier_tape::registry::find;

/// The worst evaluation of a group is the one that the oracle finds worst, with its error.
#[test]
fn a_device_finds_what_the_oracle_finds() {
    if !has(Api::OpenCl) {
        return;
    }
    let device = Device::open(Api::OpenCl, 0).unwrap();
    // Every hi of a few, from subnormals to infinities; and consecutive ones.
    for (op, group, stride) in [(Op::Sqrt, 0, 1 << 20), (Op::Rsqrt, 0, 1 << 20), (Op::Rsqrt, 0x3f80_0000 >> 12, 1)] {
        let f = find("fp32mp2", &op.to_string(), "").unwrap();
        let sweep = Sweep::compile(&device, f).unwrap().unwrap();
        let found = sweep.run(group..group + 1, stride).unwrap()[0];
        let (ty, target) = (Type::Pair(Width::F32, Level::Mid), Target::of(Type::Pair(Width::F32, Level::Mid)));
        let error = |evaluation| {
            let (hi, lo) = operand_on_host(evaluation, stride);
            let x = (f64::from(hi), f64::from(lo));
            let r = Host.eval(ty, op, &[Value::of_pair(Width::F32, x)]).unwrap().to_pair().unwrap();
            let verdict = judge(op, &target, &[x], r);
            if verdict.mismatch.is_some() { f64::INFINITY } else { verdict.ulp }
        };
        let largest = (group * GROUP..(group + 1) * GROUP).map(error).fold(0.0, f64::max);
        assert!(largest > 0.1 && largest < 2.0, "{op} {largest}");
        let off = |x: f64| (x / largest - 1.0).abs();
        assert!(off(found.ulp) < 1e-5, "{op}: {found:?}, oracle {largest}");
        assert!(off(error(found.evaluation)) < 1e-5, "{op}: {found:?}, oracle {largest}");
    }
}

#[test]
fn it_is_a_contract() {
    if !has(Api::OpenCl) {
        return;
    }
    let said =
        vernier(&["conform", "--device", "opencl", "--every-hi", "--cases", "2^12", "--filter", "fp32mp2_rsqrt"])
            .succeeded();
    let lines: Vec<&str> = said.out.lines().filter(|l| l.starts_with("opencl every hi")).collect();
    assert!(lines.len() == 1 && lines[0].contains("2162688 cases, 0 mismatches, largest "), "{}", said.out);
    assert!(
        lines[0].contains(" ulp, claimed 3 u2, device ")
            && lines[0].contains("fp32mp2.mid rsqrt")
            && lines[0].ends_with(": holds"),
        "{}",
        said.out
    );
    for with in [&["--mutants"][..], &["--type", "my::dd"], &["--full"], &["--survivors"]] {
        vernier(&[&["conform", "--every-hi"], with].concat()).refused("cannot be used with");
    }
    vernier(&["conform", "--every-hi", "--device", "host"]).refused("expected --device opencl or cuda");
}

/// Steps are counted, in both directions.
#[test]
fn a_device_counts_steps() {
    if !has(Api::OpenCl) {
        return;
    }
    let device = Device::open(Api::OpenCl, 0).unwrap();
    let f = find("fp32mp2", "rsqrt", "").unwrap();
    let sweep = Sweep::compile(&device, f).unwrap().unwrap();
    // 1.25 and -1.25, whose reciprocal root is NaN, and hi that does not change for long.
    let places = [0x3fa0_0000, 0xbfa0_0000u64].map(|hi| hi << 22);
    let steps = sweep.steps(&places, 192).unwrap();
    let hi = |place| f64::from(number_on_host(place).0);
    assert_eq!((hi(places[0]), hi(places[0] + 64 * GROUP + 1)), (1.25, 1.25 + 2f64.powi(-23)));
    assert!(steps[0].rises == 0 && steps[0].falls > 0 && steps[1] == Default::default(), "{steps:?}");
}

/// Every 2^16th word of icdf, on a device: as on the host, within the bound of the quantile.
#[test]
fn words_become_normal_variables() {
    if !has(Api::OpenCl) {
        return;
    }
    let said = vernier(&["conform", "--device", "opencl", "--every-hi", "--filter", "fp32mp2_icdf"]).succeeded();
    let lines: Vec<&str> = said.out.lines().filter(|l| l.starts_with("opencl every hi")).collect();
    assert!(lines.len() == 1 && lines[0].contains("65536 cases, 0 mismatches, largest "), "{}", said.out);
    assert!(lines[0].contains("fp32mp2.mid icdf") && lines[0].ends_with(": holds"), "{}", said.out);

    let device = Device::open(Api::OpenCl, 0).unwrap();
    let words = Words::compile(&device, find("fp32mp2", "icdf", "").unwrap()).unwrap().unwrap();
    let (group, stride) = (3, 1 << 4);
    let found = words.run(group..group + 1, stride).unwrap()[0];
    let target = Target::of(Type::Pair(Width::F32, Level::Mid));
    let error = |evaluation: u64| {
        let k = (evaluation * stride) as u32;
        let p = (f64::from(k) + 0.5) / 2f64.powi(32);
        let hi = f64::from(p as f32);
        let r = vernier::fp32mp2::icdf(k).to_parts();
        judge(Op::Math(Math::normcdfinv), &target, &[(hi, p - hi)], (r.0.into(), r.1.into())).ulp
    };
    let largest = (group * GROUP..(group + 1) * GROUP).step_by(64).map(error).fold(0.0, f64::max);
    let off = (found.worst.ulp / error(found.worst.evaluation) - 1.0).abs();
    assert!(off < 1e-5 && found.worst.ulp >= largest && found.worst.ulp < 1.5, "{found:?} {largest}");
    assert_eq!(found.broken, 0);
}

/// What breaks a rule: infinite, not opposite, not above.
#[test]
fn broken_words_are_told() {
    let (r, next) = ((-1.0f32, 1e-9f32), (-1.0, 2e-9));
    let opposite = (1.0, -1e-9);
    assert!(!is_broken(7, r, opposite, next));
    assert!(is_broken(7, r, opposite, r), "no larger than the next");
    assert!(!is_broken(u32::MAX, r, opposite, (-9.0, 0.0)), "none follows the last");
    assert!(is_broken(7, r, (1.0, 1e-9), next) && is_broken(7, r, (2.0, -1e-9), next), "not opposite");
    assert!(is_broken(7, (f32::NEG_INFINITY, 0.0), (f32::INFINITY, 0.0), next), "infinite");
    assert!(is_broken(7, (f32::NAN, 0.0), (f32::NAN, 0.0), next), "NaN");
}
