//! For every rule facts that make it speak, and facts that leave it silent.

use super::super::digits::Digits;
use super::super::row::Semantics;
use super::*;
use vernier_gpu::advise::{Candidate, Code, Conversion};
use vernier_gpu::bench::Counts;

/// Facts of which one thing is changed.
struct Scene {
    rows: Vec<Row>,
    chosen: Option<usize>,
    rationed: bool,
    agreement: f64,
    exact: Option<f64>,
    records: BTreeMap<Subject, Record>,
    operations: BTreeMap<String, f64>,
    divisions_by_roots: u64,
}

impl Scene {
    /// Double and two pairs, of which nothing is to be said.
    fn quiet() -> Scene {
        let row = |item| Row {
            digits: Some(12.0),
            kept: Some(Digits { worst: 12.0, median: 13.0, sum: None, lost: 0 }),
            ratio: Some(1.0),
            registers: Some(32),
            spilled: Some(0),
            occupancy: Some(1.0),
            bound: Some("FP32".into()),
            code: Some(Code {
                counts: Counts::default(),
                fp64_at: BTreeMap::new(),
                conversions: Vec::new(),
                loads: 1.0,
                step: None,
                registers: 32,
                path: Vec::new(),
                nested: false,
                spilled: 0,
            }),
            ..Row::of(Candidate::single(item), Semantics::default())
        };
        let mut record = Record { ops_count: 100, add_count: 60, mul_count: 40, ..Record::default() };
        (record.result.min_exp, record.result.max_exp) = (-3, 9);
        let records = [Subject::Fp32mp2Low, Subject::Fp32mp2Mid, Subject::Fp32mp2High].map(|s| (s, record));
        Scene {
            rows: [Subject::Double, Subject::Fp32mp2Mid, Subject::Fp64mp2Low].map(row).into(),
            chosen: Some(1),
            rationed: true,
            agreement: 30.0,
            exact: Some(31.0),
            records: records.into(),
            operations: [("add".to_string(), 9.0), ("div".to_string(), 1.0)].into(),
            divisions_by_roots: 0,
        }
    }

    fn code(&mut self) -> &mut Code {
        self.rows[1].code.as_mut().unwrap()
    }

    fn record(&mut self, s: Subject) -> &mut Record {
        self.records.get_mut(&s).unwrap()
    }

    fn warnings(&self) -> Vec<Warning> {
        warnings(&Facts {
            rows: &self.rows,
            chosen: self.chosen,
            file: "n.cuh",
            rationed: self.rationed,
            asked: 11.0,
            agreement: self.agreement,
            exact: self.exact,
            records: &self.records,
            operations: &self.operations,
            divisions_by_roots: self.divisions_by_roots,
        })
    }
}

/// What makes a rule speak, by its name, and a part of what it says.
type Case = (&'static str, fn(&mut Scene), &'static str);

const CASES: [Case; 19] = [
    (
        "conversions",
        |s| s.code().conversions = vec![Conversion { line: Some(7), what: "from double".into(), instructions: 25 }],
        "n.cuh:7: conversions from double in the loop of fp32mp2, 25 instructions",
    ),
    (
        "fp64-in-the-loop",
        |s| {
            s.code().counts.fp64 = 2.0;
            s.code().fp64_at = [(5, 1), (8, 1)].into();
        },
        "n.cuh:5, 8: 2 FP64 instructions in the loop of fp32mp2",
    ),
    ("spills", |s| s.rows[1].spilled = Some(24), "fp32mp2_mid spills 24 bytes"),
    (
        "occupancy",
        |s| (s.rows[1].occupancy, s.rows[1].registers) = (Some(0.125), Some(200)),
        "200 registers a thread: 12% of the warps",
    ),
    ("ill-conditioned", |s| s.agreement = 10.9, "agree in 10.9 digits only, 11 are asked for"),
    ("reference", |s| s.exact = Some(9.0), "has 9.0 digits"),
    ("range-left", |s| s.rows[1].kept.as_mut().unwrap().lost = 12, "fp32mp2_mid leaves its exponent range in 12 items"),
    ("range-near", |s| s.record(Subject::Fp32mp2Mid).result.max_exp = 120, "exponents from -3 to 120"),
    (
        "idle-limb",
        |s| s.record(Subject::Fp32mp2Mid).result.zero_lo_count = 83,
        "idle in 83% of the operations: float may do",
    ),
    (
        "overlap",
        |s| {
            let r = &mut s.record(Subject::Fp32mp2Low).result;
            (r.overlap_count, r.min_hi_lo_gap, r.max_hi_lo_gap) = (5, -9, 3);
        },
        "fp32mp2_low drifts: the limbs of 5 results overlap, by 9 bits",
    ),
    (
        "inversion",
        |s| s.record(Subject::Fp32mp2High).result.invert_count = 1,
        "fp32mp2_high: |lo| is above |hi| in 1 results",
    ),
    (
        "cancellation",
        |s| s.record(Subject::Fp32mp2High).partial_cancel_count = 6,
        "10% of the sums and differences cancel",
    ),
    (
        "subnormal-limbs",
        |s| s.record(Subject::Fp32mp2Mid).result.denorm_count = 4,
        "fp32mp2: 4 results have a subnormal limb",
    ),
    ("divisions", |s| *s.operations.get_mut("div").unwrap() = 3.0, "25% of the operations are divisions"),
    ("divisions-by-roots", |s| s.divisions_by_roots = 1, "rsqrt"),
    ("binary128", |s| s.chosen = Some(2), "software binary128"),
    ("memory", |s| s.rows[1].bound = Some("memory".into()), "fp32mp2_mid waits for memory"),
    (
        "no-faster-type",
        |s| (s.chosen, s.rows[1].ratio, s.rows[1].digits) = (Some(0), Some(9.0), Some(10.0)),
        "fp32mp2_mid keeps most: 10.0 digits at 9.0 times",
    ),
    (
        "two-pipes",
        |s| {
            let shared = Row::of(Candidate::shared()[0], Semantics::default());
            s.rows.push(Row { ratio: Some(1.05), share: Some(0.0625), ..shared });
        },
        "double beside fp64emu_high reaches 1.05 times double alone at best, with 6.2% of the items emulated",
    ),
];

#[test]
fn every_rule_speaks_when_it_must_and_is_silent_otherwise() {
    assert_eq!(Scene::quiet().warnings(), [], "of a quiet scene");
    assert_eq!(RULES.map(|r| r.name), CASES.map(|c| c.0));
    for (name, change, part) in CASES {
        let mut scene = Scene::quiet();
        change(&mut scene);
        let found = scene.warnings();
        assert!(found.len() == 1 && found[0].rule == name && found[0].text.contains(part), "{name}: {found:#?}");
        assert!(!found[0].source.is_empty());
    }
}

/// Values at a threshold are not beyond it.
#[test]
fn thresholds_are_exclusive() {
    let mut scene = Scene::quiet();
    scene.rows[1].occupancy = Some(0.25);
    scene.record(Subject::Fp32mp2Mid).result.zero_lo_count = 50;
    scene.agreement = 11.0;
    scene.record(Subject::Fp32mp2Mid).result.max_exp = 119;
    scene.rows.push(Row { ratio: Some(1.1), ..Row::of(Candidate::shared()[0], Semantics::default()) });
    assert_eq!(scene.warnings(), []);
    // FP64 in the loops of double and of pairs of doubles is as it should be.
    for i in [0, 2] {
        scene.rows[i].code.as_mut().unwrap().counts.fp64 = 9.0;
    }
    assert_eq!(scene.warnings(), []);
}
