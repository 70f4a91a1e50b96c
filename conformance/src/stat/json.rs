//! Records of instrumented pairs as JSON.

use super::{Computation, Report, Row};
use serde_json::{Map, Value, json};
use vernier::stat::{Record, Slot, SlotHistograms};

/// The whole report, ending with a newline.
pub(super) fn of(report: &Report) -> String {
    let mut all = Map::new();
    match report.computation {
        Computation::Kahan => all.insert("computation".into(), json!("kahan")),
        Computation::Pi(k) => {
            all.insert("log2_terms".into(), json!(k));
            all.insert("computation".into(), json!("pi"))
        }
    };
    all.insert("build".into(), json!(report.build));
    for row in &report.rows {
        let (family, level) = (row.subject.family(), row.subject.level());
        // One object per type; further levels beside it.
        let key = if all.contains_key(family) { format!("{family}_{level}") } else { family.to_string() };
        all.insert(key, object(row));
    }
    crate::text::json(&all)
}

fn object(row: &Row) -> Value {
    let mut o = record(&row.collected.record);
    o.insert("level".into(), json!(row.subject.level()));
    o.insert("value_hi".into(), json!(row.value[0]));
    o.insert("value_lo".into(), json!(row.value[1]));
    if let Some(same) = row.as_on_host {
        o.insert("record_as_on_host".into(), json!(same));
    }
    if let Some([seconds, plain]) = row.seconds {
        o.insert("seconds".into(), json!(seconds));
        o.insert("plain_seconds".into(), json!(plain));
    }
    if let Some(h) = &row.collected.histograms {
        let arg: Vec<Value> = h.arg.iter().map(bars).collect();
        o.insert("histograms".into(), json!({ "arg": arg, "result": bars(&h.result) }));
    }
    Value::Object(o)
}

fn bars(slot: &SlotHistograms) -> Value {
    let list = |h: &vernier::stat::Histogram| h.iter().map(|(value, n)| json!([value, n])).collect::<Vec<_>>();
    json!({ "exp": list(&slot.exponents), "hi_lo_gap": list(&slot.gaps) })
}

/// A record with the published names of its fields.
pub fn record_fields(r: &Record) -> Value {
    Value::Object(record(r))
}

fn record(r: &Record) -> Map<String, Value> {
    let arg: Vec<Value> = r.arg.iter().map(slot).collect();
    let fields = [
        ("ops_count", json!(r.ops_count)),
        ("add_count", json!(r.add_count)),
        ("sub_count", json!(r.sub_count)),
        ("mul_count", json!(r.mul_count)),
        ("div_count", json!(r.div_count)),
        ("full_cancel_count", json!(r.full_cancel_count)),
        ("partial_cancel_count", json!(r.partial_cancel_count)),
        ("underflow_count", json!(r.underflow_count)),
        ("overflow_count", json!(r.overflow_count)),
        ("arg", json!(arg)),
        ("result", slot(&r.result)),
    ];
    fields.into_iter().map(|(key, value)| (key.to_string(), value)).collect()
}

fn slot(s: &Slot) -> Value {
    let (exponents, gaps) = (s.exponents(), s.gaps());
    json!({
        "max_exp": exponents.map(|e| e.1),
        "min_exp": exponents.map(|e| e.0),
        "zero_count": s.zero_count,
        "zero_lo_count": s.zero_lo_count,
        "inf_count": s.inf_count,
        "nan_count": s.nan_count,
        "infnan_count": s.infnan_count,
        "denorm_count": s.denorm_count,
        "overlap_count": s.overlap_count,
        "invert_count": s.invert_count,
        "max_hi_lo_gap": gaps.map(|g| g.1),
        "min_hi_lo_gap": gaps.map(|g| g.0),
        "min_hi_lo_gap_sample_hi": gaps.map(|_| s.min_hi_lo_gap_sample_hi),
        "min_hi_lo_gap_sample_lo": gaps.map(|_| s.min_hi_lo_gap_sample_lo),
    })
}
