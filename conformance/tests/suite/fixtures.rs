//! The case files: their results through the program's own path, and through the oracle, which does not know the program.

use crate::common::{fixture, text, vernier};
use rayon::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use vernier_conformance::answer::{self, Judgement};
use vernier_conformance::case::{Case, Level, Op, Source, Type, operation, read_lines};
use vernier_conformance::table::{Metric, Row, claim, is_claimed};
use vernier_oracle::Domain;
use vernier_oracle::{Meaning, Target};

fn files() -> Vec<PathBuf> {
    let of = |folder: &str| fs::read_dir(fixture(folder)).unwrap().map(|e| e.unwrap().path()).collect::<Vec<_>>();
    let mut files = [of("cases"), of("cases/kept"), of("cases/functions")].concat();
    files.retain(|path| path.is_file());
    files.sort();
    files
}

fn cases(path: PathBuf) -> Vec<Case> {
    let mut cases = Vec::new();
    read_lines(&Source::File(path), |line| {
        cases.push(line.case.unwrap());
        Ok(())
    })
    .unwrap();
    cases
}

#[test]
fn every_case_gives_its_result() {
    assert!(files().len() >= 5);
    for file in files() {
        let said = vernier(&["eval", "--check", text(&file)]).succeeded();
        assert!(!said.out.contains("without a result"), "{}: {}", file.display(), said.out);
    }
}

/// The rows of the accuracy table of the case's type, level and operation.
fn rows(case: &Case) -> impl Iterator<Item = &'static Row> {
    static ALL: LazyLock<Vec<Row>> = LazyLock::new(Row::all);
    let covers = |r: &&Row| {
        r.op == case.op && r.type_name() == case.ty.name().to_string() && case.ty.level().is_none_or(|l| r.covers(l))
    };
    ALL.iter().filter(covers)
}

/// Whether the error is one that a row is claimed to have, in any metric.
fn is_within_claim(case: &Case, verdict: &vernier_oracle::Verdict) -> bool {
    rows(case).any(|row| {
        let claim = claim(row);
        match (verdict.domain, claim.metric) {
            (Domain::Special, _) => true,
            (Domain::Wide, _) => claim.wide_ulp.is_none_or(|bound| verdict.ulp <= bound),
            (_, Metric::U2) => verdict.u2 <= claim.bound,
            (_, Metric::Terms) => verdict.u2_of_terms <= claim.bound,
            (_, Metric::Ulp) => verdict.ulp <= claim.bound,
            (_, Metric::Relative) => claim.metric.read(verdict, &Target::of(case.ty)) <= claim.bound,
            (_, Metric::Answers) => false,
        }
    })
}

/// Whether a file has cases of all operands, also those of which nothing is claimed.
fn any_operands(path: &Path) -> bool {
    path.parent().is_some_and(|folder| folder.ends_with("kept") || folder.ends_with("functions"))
}

/// The kept cases, which are of all operands: those of which something is claimed are within it.
#[test]
fn the_oracle_gives_kept_results() {
    let kept: Vec<Case> = files().into_iter().filter(|path| any_operands(path)).flat_map(cases).collect();
    // The others are their own definition.
    let has_definition =
        |case: &&Case| Meaning::of(case.op) != Meaning::Definition && (case.op != Op::Canonical || case.ty.is_pair());
    let is_unclaimed = |case: &Case| {
        let operands = answer::operands(case.op, &case.args);
        let in_range = operands.len() == case.args.len();
        let claimed: Vec<&Row> = rows(case).filter(|row| in_range && is_claimed(row, &operands)).collect();
        match answer::judge(case.ty, case.op, &case.args, case.results[0]) {
            // Unpacked operands outside the range of doubles are held by other contracts.
            None => return true,
            Some(Judgement::Answer { expected, same }) => assert!(same, "{case}: expected {expected}"),
            Some(Judgement::Error(_)) if claimed.is_empty() => return true,
            Some(Judgement::Error(verdict)) => {
                let special = claimed.iter().all(|row| claim(row).special);
                assert!(verdict.mismatch.is_none() || !special, "{case}: {verdict:?}");
                assert!(verdict.mismatch.is_some() || is_within_claim(case, &verdict), "{case}: {verdict:?}");
            }
        }
        false
    };
    let of_kept = kept.par_iter().filter(has_definition).map(|case| (1, u64::from(is_unclaimed(case))));
    let (judged, unclaimed) = of_kept.reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    println!("{judged} judged, {unclaimed} of operands of which nothing is claimed");
    assert!(judged > 3000 && unclaimed * 5 < judged * 2, "{unclaimed} of {judged}");
}

#[test]
fn the_oracle_gives_every_result() {
    for case in files().into_iter().filter(|path| !any_operands(path)).flat_map(cases) {
        let result = case.results[0];
        match answer::judge(case.ty, case.op, &case.args, result).unwrap() {
            Judgement::Answer { expected, same } => assert!(same, "{case}: expected {expected}"),
            Judgement::Error(verdict) => {
                assert_eq!(verdict.mismatch, None, "{case}");
                // Chains of other lengths than the table's have other bounds.
                let chain = matches!(case.op, Op::Sum | Op::Product | Op::Dot);
                assert!(chain || is_within_claim(&case, &verdict), "{case}: {verdict:?}");
            }
        }
        let number = matches!(Meaning::of(operation(case.ty, case.op).unwrap().op), Meaning::Number(_));
        let plain = case.args.iter().all(|a| a.to_pair().is_some_and(|x| x.1 == 0.0));
        let reduced = matches!(case.ty, Type::Custom(_));
        if number
            && plain
            && !reduced
            && !case.ty.is_emulated()
            && !matches!(case.ty.level(), Some(Level::Low | Level::Mid))
        {
            let ieee = answer::ieee(case.ty, case.op, &case.args).unwrap();
            let hi = result.to_pair().unwrap().0;
            assert!(
                ieee.same(vernier_conformance::case::Value::of_limb(case.ty.width(), hi)),
                "{case}: expected {ieee}"
            );
        }
    }
}
