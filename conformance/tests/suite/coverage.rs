//! Every operation of every type has cases in the fixtures, a line of the special-value table and a row of the accuracy table.

use crate::common::fixture;
use std::collections::BTreeSet;
use vernier::function::{Level, Math, Width};
use vernier_conformance::case::{Op, Source, Type, operations, read_lines};
use vernier_conformance::subject::{Host, Subject};
use vernier_conformance::table::{Row, claim, special_table};
use vernier_tape::registry;

/// Every operation of every type; mathematical functions, which levels share, at the default one.
fn operations_of_types() -> BTreeSet<(Type, Op)> {
    let of = |ty: Type| operations(ty).filter(move |o| ty.is_default() || !matches!(o.op, Op::Math(_)));
    Type::all().flat_map(|ty| of(ty).map(move |o| (ty, o.op))).collect()
}

fn missing(have: &BTreeSet<(Type, Op)>) -> Vec<String> {
    operations_of_types().difference(have).map(|(ty, op)| format!("{ty} {op}")).collect()
}

#[test]
fn every_operation_has_cases() {
    let mut have = BTreeSet::new();
    let folders = ["cases", "cases/functions"].map(|folder| std::fs::read_dir(fixture(folder)).unwrap());
    let files = folders.into_iter().flatten().map(|file| file.unwrap().path());
    for file in files.filter(|path| path.is_file()) {
        read_lines(&Source::File(file), |line| {
            let case = line.case.unwrap();
            have.insert((case.ty, case.op));
            Ok(())
        })
        .unwrap();
    }
    assert_eq!(missing(&have), Vec::<String>::new());
}

#[test]
fn every_operation_of_reduced_formats_has_cases() {
    let mut have = BTreeSet::new();
    let mut formats = BTreeSet::new();
    read_lines(&Source::File(fixture("cases/custom.txt")), |line| {
        let case = line.case.unwrap();
        have.insert(case.op);
        formats.insert(case.ty);
        Ok(())
    })
    .unwrap();
    let all = formats.iter().flat_map(|&ty| operations(ty)).map(|o| o.op).collect::<BTreeSet<_>>();
    assert!(formats.len() > 20 && all.len() == 14, "{all:?}");
    assert_eq!(all.difference(&have).collect::<Vec<_>>(), Vec::<&Op>::new());
    assert!(formats.iter().all(|&ty| operations(ty).all(|o| Host.supports(ty, o.op))));
}

#[test]
fn every_operation_has_a_special_value_line() {
    let mut have = BTreeSet::new();
    for ty in Type::all() {
        for row in special_table(&Host, ty).unwrap() {
            assert!(row.cases >= 2, "{row:?}");
            have.insert((ty, Op::of(&row.op).unwrap()));
        }
    }
    assert_eq!(missing(&have), Vec::<String>::new());
}

#[test]
fn every_operation_has_a_row() {
    let rows = Row::all();
    let have = Type::all()
        .flat_map(|ty| {
            let of_type = move |r: &&Row| r.types().contains(&ty);
            rows.iter().filter(of_type).map(move |r| (ty, r.op)).collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(missing(&have), Vec::<String>::new());
    let names: BTreeSet<String> = rows.iter().map(Row::to_string).collect();
    assert_eq!(names.len(), rows.len(), "rows share a name");
    for row in &rows {
        assert_eq!(Row::named(&row.to_string()), Some(*row));
        let bound = claim(row).bound;
        assert!(bound.is_finite() && bound >= 0.0, "{row} has no bound");
    }
}

#[test]
fn the_table_notices_a_missing_operation() {
    let mut have = operations_of_types();
    let first = *have.iter().next().unwrap();
    have.remove(&first);
    assert_eq!(missing(&have).len(), 1);
}

/// Adding a function brings its hard cases, in a file of its name.
#[test]
fn every_function_has_a_file_of_hard_cases() {
    for f in Math::ALL {
        let mut widths = BTreeSet::new();
        read_lines(&Source::File(fixture(&format!("cases/functions/{f}.txt"))), |line| {
            let case = line.case.unwrap();
            assert_eq!(case.op, Op::Math(*f));
            widths.insert(case.ty);
            Ok(())
        })
        .unwrap();
        assert_eq!(widths.len(), 2, "{f}");
    }
}

/// Every published function of pairs has a kernel and a row at both widths. `icdf` takes 32 bits of pairs of binary32 and 64 of pairs of binary64.
#[test]
fn the_published_list_is_complete() {
    let text = std::fs::read_to_string(fixture("function_names.txt")).unwrap();
    let names: Vec<&str> = text
        .lines()
        .flat_map(|line| line.split('#').next().unwrap_or_default().split_whitespace())
        .map(|name| name.strip_prefix("fpmp_").unwrap_or(name))
        .collect();
    assert!(names.len() == 94, "{names:?}");
    let rows = Row::all();
    for width in Width::ALL {
        let has = |name: &str| {
            let ty = Type::Pair(width, Level::Mid);
            let kernel = registry::find(width.pair_name(), name, "").is_some();
            kernel && rows.iter().any(|row| row.types().contains(&ty) && row.op.to_string() == name)
        };
        let lacking: Vec<&str> = names.iter().copied().filter(|name| !has(name)).collect();
        assert_eq!(lacking, [""; 0], "{}", width.pair_name());
        assert!(!has("jn_"), "a name that is none is missing");
    }
}
