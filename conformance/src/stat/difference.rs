//! What differs between the records of instrumented pairs of two machines.

use super::{differing_limbs, limb};
use vernier::stat::{Collected, Record, Slot};
use vernier_gpu::bench::Subject;
use vernier_gpu::stat::Counted;

/// What differs between two runs, in words.
pub fn differences(subject: Subject, what: &str, a: &Counted, b: &Counted) -> Vec<String> {
    let mut list = Vec::new();
    for (field, x, y) in fields(&a.collected, &b.collected) {
        if x != y {
            list.push(format!("{what}: {field} is {x} on the host, {y} on the device"));
        }
    }
    let differ = |i: &usize| differing_limbs(subject, &a.limbs[*i..=*i], &b.limbs[*i..=*i]) > 0;
    if let Some(i) = (0..a.limbs.len().min(b.limbs.len())).find(differ) {
        let (x, y) = (limb(subject, a.limbs[i]), limb(subject, b.limbs[i]));
        list.push(format!("{what}: limb {i} is {x:e} on the host, {y:e} on the device"));
    }
    list
}

/// Every field of two records, and of what was asked for beside them.
fn fields(a: &Collected, b: &Collected) -> Vec<(String, String, String)> {
    let all = |c: &Collected| {
        let mut list = flat(&c.record);
        list.push(("extra counts".into(), format!("{:?}", c.extra)));
        for (slot, h) in
            c.histograms.iter().flat_map(|h| [("arg[0]", &h.arg[0]), ("arg[1]", &h.arg[1]), ("result", &h.result)])
        {
            list.push((format!("{slot}, histogram of exponents"), format!("{:?}", h.exponents)));
            list.push((format!("{slot}, histogram of gaps"), format!("{:?}", h.gaps)));
        }
        list
    };
    all(a).into_iter().zip(all(b)).map(|((name, x), (_, y))| (name, x, y)).collect()
}

fn flat(r: &Record) -> Vec<(String, String)> {
    let counts = [
        ("ops_count", r.ops_count),
        ("add_count", r.add_count),
        ("sub_count", r.sub_count),
        ("mul_count", r.mul_count),
        ("div_count", r.div_count),
        ("full_cancel_count", r.full_cancel_count),
        ("partial_cancel_count", r.partial_cancel_count),
        ("underflow_count", r.underflow_count),
        ("overflow_count", r.overflow_count),
    ];
    let mut list: Vec<(String, String)> = counts.iter().map(|(name, n)| (name.to_string(), n.to_string())).collect();
    let slots = [("arg[0]", &r.arg[0]), ("arg[1]", &r.arg[1]), ("arg[2]", &r.arg[2]), ("result", &r.result)];
    for (slot, s) in slots {
        list.extend(of_slot(s).into_iter().map(|(name, value)| (format!("{slot}.{name}"), value)));
    }
    list
}

fn of_slot(s: &Slot) -> Vec<(&'static str, String)> {
    vec![
        ("max_exp", s.max_exp.to_string()),
        ("min_exp", s.min_exp.to_string()),
        ("zero_count", s.zero_count.to_string()),
        ("zero_lo_count", s.zero_lo_count.to_string()),
        ("inf_count", s.inf_count.to_string()),
        ("nan_count", s.nan_count.to_string()),
        ("infnan_count", s.infnan_count.to_string()),
        ("denorm_count", s.denorm_count.to_string()),
        ("overlap_count", s.overlap_count.to_string()),
        ("invert_count", s.invert_count.to_string()),
        ("max_hi_lo_gap", s.max_hi_lo_gap.to_string()),
        ("min_hi_lo_gap", s.min_hi_lo_gap.to_string()),
        ("min_hi_lo_gap_sample_hi", format!("{:e}", s.min_hi_lo_gap_sample_hi)),
        ("min_hi_lo_gap_sample_lo", format!("{:e}", s.min_hi_lo_gap_sample_lo)),
    ]
}
