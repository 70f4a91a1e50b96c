//! The faults that contracts plant: all are noticed or explained, and explanations are about nothing else.

use rayon::prelude::*;
use vernier_conformance::contract::prove::{Format, Proof, Prover, Tried, by_cases, by_digits, on_all_limbs, widest};
use vernier_conformance::contract::{Outcome, Request, explain, noticing, proved, run, search, survivors, tiny};
use vernier_conformance::table::Shard;
use vernier_tape::cases::arguments;
use vernier_tape::catch::first_noticed;
use vernier_tape::faults::{Fault, enumerate};
use vernier_tape::registry::stat;
use vernier_tape::registry::{Function, functions};

fn function(name: &str) -> &'static Function {
    let all = functions().iter().chain(stat::functions());
    all.into_iter().find(|f| f.name() == name).unwrap_or_else(|| panic!("no function {name}"))
}

/// The faults that generated cases notice.
fn noticed(f: &Function) -> Vec<Fault> {
    let rows: Vec<Vec<u64>> = (0..1 << 12).map(|i| arguments(&f.params, 1, i)).collect();
    let args: Vec<Vec<u64>> = (0..f.tape.args.len()).map(|s| rows.iter().map(|r| r[s]).collect()).collect();
    let faults = enumerate(&f.tape, &f.params);
    let first = first_noticed(&f.tape, &faults, &args);
    faults.into_iter().zip(first).filter(|(_, first)| first.is_some()).map(|(fault, _)| fault).collect()
}

/// Every fault of every function is noticed or explained, and the reasons are about faults that are not noticed.
#[test]
fn faults_are_accounted_for() {
    let accounts: Vec<(usize, Vec<String>)> = functions().par_iter().map(account).collect();
    let wrong: Vec<String> = accounts.iter().flat_map(|(_, wrong)| wrong.clone()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let planted: usize = accounts.iter().map(|(planted, _)| planted).sum();
    assert!(planted > 100_000, "{planted}");
}

/// How many faults of a function are planted, and what is wrong with their account.
fn account(f: &Function) -> (usize, Vec<String>) {
    let request = Request {
        device: None,
        host_only: true,
        cases: Some(1 << 12),
        filter: f.name(),
        shard: Shard::WHOLE,
        seed: 1,
        faults: true,
        full: false,
    };
    let report = run(&request).unwrap();
    // Of functions that have this one's name in theirs too.
    let of_tape = |o: &&Outcome| o.contract == "host = tape" && o.function == f.name();
    let outcome = report.outcomes.iter().find(of_tape).unwrap_or_else(|| panic!("no contract on {}", f.name()));
    let faults = outcome.faults.as_ref().unwrap();
    let mut wrong: Vec<String> = (!outcome.holds()).then(|| outcome.to_string()).into_iter().collect();
    let survives = |fault: &str| faults.survivors.iter().any(|s| s.fault == fault);
    let all = enumerate(&f.tape, &f.params);
    assert_eq!(faults.planted, all.len(), "{outcome}");
    for (fault, proved) in all.iter().map(|x| x.describe(&f.tape)).zip(proved::reasons(f, &all)) {
        let written = || survivors::entries().iter().any(|e| e.covers(&f.name(), &fault));
        if (proved.is_some() || written()) && !survives(&fault) {
            wrong.push(format!("{}\t{fault} is noticed, and has a reason why it is not: {proved:?}", f.name()));
        }
    }
    (faults.planted, wrong)
}

/// What is proved speaks of the tapes as they are; if not, `vernier conform --faults --prove fixtures/proved.tsv` proves it anew.
#[test]
fn proofs_are_about_these_tapes() {
    assert!(!proved::entries().is_empty());
    assert_eq!(proved::text(proved::entries()), include_str!("../../../fixtures/proved.tsv"));
    for entry in proved::entries() {
        let f = function(&entry.function);
        let all = enumerate(&f.tape, &f.params);
        assert_eq!(entry.fingerprint, proved::fingerprint(f, &all), "{}", entry.function);
        assert!(entry.faults.iter().all(|&i| i < all.len()), "{}", entry.function);
    }
}

/// A sample of what is proved, proved again.
#[test]
fn proofs_can_be_made_again() {
    let proofs: Vec<(&Function, usize, &str)> = proved::entries()
        .iter()
        .flat_map(|e| e.faults.iter().map(|&i| (function(&e.function), i, e.reason.as_str())))
        .collect();
    for &(f, i, reason) in proofs.iter().step_by(proofs.len() / 12) {
        let fault = &enumerate(&f.tape, &f.params)[i..=i];
        if reason.ends_with("by cases") {
            assert_eq!(by_cases(f, fault, 1 << 10), [Proof::Equal], "{}: {}", f.name(), fault[0]);
        } else if !reason.contains("4 bits of exponent") {
            // Of four limbs and parts of them it would take minutes.
            assert!(explain(f, fault)[0].is_some(), "{}: {}, {reason}", f.name(), fault[0]);
        }
    }
}

/// All limbs of few bits notice what is noticed, and not what is proved by them.
#[test]
fn all_limbs_are_tried() {
    let f = function("fp32mp2_high_acc");
    let all = enumerate(&f.tape, &f.params);
    let format = widest(f).unwrap();
    let by_all_limbs = |e: &&proved::Entry| e.function == f.name() && e.reason.contains("no result changes: all 2^24");
    let harmless: Vec<Fault> =
        proved::entries().iter().filter(by_all_limbs).flat_map(|e| &e.faults).map(|&i| all[i].clone()).collect();
    assert!(harmless.len() > 20);
    let some: Vec<Fault> = harmless.into_iter().step_by(10).collect();
    assert!(on_all_limbs(f, &some, format).iter().all(|tried| *tried == Tried::Never));
    let tried = on_all_limbs(f, &noticed(f), format);
    assert!(tried.len() > 100 && !tried.contains(&Tried::Never), "{}", tried.len());
    let cases = tried.iter().filter(|tried| matches!(tried, Tried::Case(_))).count();
    assert!(cases * 100 > tried.len() * 95, "{cases} of {}", tried.len());
}

/// Proofs by cases are about nothing that is noticed, and find the cases that notice what is.
#[test]
fn cases_prove_nothing_that_is_noticed() {
    for name in ["fp32mp2_from_u64", "fp32mp2_to_i32"] {
        let f = function(name);
        let faults: Vec<Fault> = noticed(f).into_iter().step_by(5).collect();
        let proofs = by_cases(f, &faults, 40);
        assert!(!proofs.contains(&Proof::Equal), "{name}");
        let found = proofs.iter().filter(|proof| matches!(proof, Proof::Case(_))).count();
        assert!(found * 3 > faults.len() * 2, "{name}: {found} of {}", faults.len());
    }
}

/// Those of the functions that classify the values of instrumented pairs.
#[test]
fn faults_of_classification_are_accounted_for() {
    let request = Request {
        device: None,
        host_only: true,
        cases: Some(1 << 12),
        filter: "_stat_".into(),
        shard: Shard::WHOLE,
        seed: 1,
        faults: true,
        full: false,
    };
    let report = run(&request).unwrap();
    let of_tapes: Vec<_> = report.outcomes.iter().filter(|o| o.contract == "host = tape").collect();
    assert_eq!(of_tapes.len(), stat::functions().len());
    let planted: usize = of_tapes.iter().map(|o| o.faults.as_ref().unwrap().planted).sum();
    assert!(planted > 1000, "{planted}");
    for o in of_tapes {
        assert!(o.holds(), "{o}");
    }
}

#[test]
fn written_reasons_are_about_faults_that_exist() {
    for entry in survivors::entries() {
        let known = functions()
            .iter()
            .any(|f| enumerate(&f.tape, &f.params).iter().any(|x| entry.covers(&f.name(), &x.describe(&f.tape))));
        assert!(known, "no fault is of the class {entry:?}");
        assert!(entry.reason.len() > 10, "{entry:?}");
    }
}

#[test]
fn kept_cases_are_cases() {
    let text = include_str!("../../../fixtures/noticing.txt");
    assert_eq!(noticing::lines().len(), text.lines().count(), "some line is none");
    for (name, args) in noticing::lines() {
        assert_eq!(args.len(), function(name).tape.args.len(), "{name}");
        assert_eq!(noticing::parse(&noticing::line(function(name), args)), Some((name.clone(), args.clone())));
    }
    assert!(noticing::parse("fp32mp2_neg 12 x").is_none());
}

/// What is noticed is never proved to be without effect, whatever the operation.
#[test]
fn proofs_are_about_nothing_that_is_noticed() {
    let pairs = ["fp32mp2_from_u64", "fp32mp2_to_i32", "fp64mp2_to_f32", "fp32mp2_canonical"];
    let doubles = ["fp64emu_gt", "fp64emu_to_i32_rd", "fp64emu_unpacked_lt", "fp64emu_unpacked_to_f32"];
    for (name, least) in pairs.map(|name| (name, 40)).into_iter().chain(doubles.map(|name| (name, 30))) {
        let f = function(name);
        let mut prover = Prover::new(f).unwrap();
        let faults = noticed(f);
        assert!(faults.len() > least, "{name}: {}", faults.len());
        for fault in faults {
            assert!(!matches!(prover.prove(&fault), Proof::Equal | Proof::Detour), "{name}: {fault}");
            let where_equal = prover.where_equal(&fault).map(|mut prover| prover.prove(&fault));
            assert!(!matches!(where_equal, Some(Proof::Equal | Proof::Detour)), "{name}: {fault}");
        }
    }
}

/// Tiny operands explain no fault of a rare path: overflow, which leads there, is not among them.
#[test]
fn tiny_operands_explain_nothing_on_rare_paths() {
    for name in ["fp64mp2_high_add", "fp32mp2_high_acc", "fp32mp2_rsqrt"] {
        let f = function(name);
        let all = enumerate(&f.tape, &f.params);
        let explained = tiny::explain(f, &all);
        let rare = |x: &Fault| matches!(x, Fault::Node { at, .. } if !f.tape.body.items.contains(at));
        let wrong = (0..all.len()).find(|&i| rare(&all[i]) && explained[i].is_some());
        assert_eq!(wrong.map(|i| all[i].describe(&f.tape)), None, "{name}");
        assert!(explained.iter().flatten().count() > 5, "{name}");
    }
}

/// Nor is it where operands have few digits.
#[test]
fn digits_prove_nothing_that_is_noticed() {
    for name in ["e5m10_fma", "e11m23_mul", "e8m23_add", "e11m0_div", "e4m3_sqrt", "e8m7_fma", "e2m3_sub"] {
        let f = function(&format!("fp64_custom_{name}"));
        let kept = noticing::cases(f);
        let args: Vec<Vec<u64>> = (0..f.tape.args.len()).map(|s| kept.iter().map(|r| r[s]).collect()).collect();
        let all = enumerate(&f.tape, &f.params);
        let noticed = first_noticed(&f.tape, &all, &args);
        let proved = by_digits(f, &all);
        let both = (0..all.len()).find(|&i| noticed[i].is_some() && proved[i].is_some());
        assert_eq!(both.map(|i| all[i].describe(&f.tape)), None, "{name}");
        assert!(proved.iter().any(Option::is_some), "{name}");
    }
}

/// A fault that only sends more cases down a rare path is told from one that changes results.
#[test]
fn the_long_way() {
    let f = function("fp64emu_high_mul");
    let mut prover = Prover::new(f).unwrap();
    let mut detours = 0;
    let noticed = noticed(f);
    for fault in enumerate(&f.tape, &f.params) {
        let text = fault.describe(&f.tape);
        if text.starts_with("usual: and(to_u32(shr(x0, 0x34)), 0x7ff):") {
            let proof = prover.prove(&fault);
            detours += usize::from(proof == Proof::Detour);
            assert_eq!(noticed.contains(&fault), proof != Proof::Detour, "{text}");
        }
    }
    assert!(detours >= 2, "{detours}");
}

/// Nor on a scale.
#[test]
fn proofs_on_a_scale_are_about_nothing_that_is_noticed() {
    for name in ["fp32mp2_mid_add", "fp64mp2_mid_mul", "fp32mp2_high_renormalize", "fp32mp2_canonical"] {
        let f = function(name);
        let mut prover = Prover::on_scale(f, Format { digits: 3, exponent: 5 }).unwrap();
        for fault in noticed(f) {
            assert!(!matches!(prover.prove(&fault), Proof::Equal | Proof::Detour), "{name}: {fault}");
        }
    }
}

/// Nor by any other explanation, which tries normalised operands alone, as these conversions have them.
#[test]
fn explanations_are_about_nothing_that_is_noticed() {
    for name in ["fp32mp2_from_u32", "fp64mp2_from_i32"] {
        let f = function(name);
        let faults = noticed(f);
        for (fault, reason) in faults.iter().zip(explain(f, &faults)) {
            assert_eq!(reason, None, "{name}: {fault}");
        }
    }
}

/// The solver finds the one input that tells a fault from the function, and the search climbs to a rare path.
#[test]
fn cases_are_found() {
    let f = function("fp32mp2_from_u128");
    let faults = noticed(f);
    let mut prover = Prover::new(f).unwrap();
    let cases = faults.iter().filter(|x| matches!(prover.prove(x), Proof::Case(_))).count();
    assert!(cases * 10 > faults.len() * 9, "{cases} of {}", faults.len());

    let f = function("fp32mp2_high_add");
    let rows: Vec<Vec<u64>> = (0..256).map(|i| arguments(&f.params, 1, i)).collect();
    let args: Vec<Vec<u64>> = (0..f.tape.args.len()).map(|s| rows.iter().map(|r| r[s]).collect()).collect();
    let all = enumerate(&f.tape, &f.params);
    let first = first_noticed(&f.tape, &all, &args);
    let open: Vec<Fault> = all.into_iter().zip(first).filter(|(_, n)| n.is_none()).map(|(x, _)| x).collect();
    let found = search::search(f, &open, &[], 1, 60);
    assert!(found.iter().flatten().count() > 60, "{}", found.iter().flatten().count());
    for (fault, case) in open.iter().zip(&found).filter_map(|(x, case)| Some((x, case.as_ref()?))) {
        let args: Vec<Vec<u64>> = case.iter().map(|&bits| vec![bits]).collect();
        assert_eq!(first_noticed(&f.tape, std::slice::from_ref(fault), &args), [Some(0)], "{fault}");
    }
}
