//! Lines of TestFloat: vectors in its format, by exact rational arithmetic, and what is wrong with a line.

use crate::common::{fixture, text, vernier, with_input};
use std::fs;

#[test]
fn every_vector_has_its_result() {
    let mut files = 0;
    let mut functions = std::collections::BTreeSet::new();
    for file in fs::read_dir(fixture("testfloat")).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_string();
        let [function, rounding, _] = name.split('.').collect::<Vec<_>>()[..] else { panic!("{name}") };
        let said = vernier(&["eval", "--testfloat", function, "--rounding", rounding, text(&path)]);
        assert_eq!(
            (said.code, said.err.as_str(), said.out.as_str()),
            (Some(0), "", "120 lines checked, 0 differ\n"),
            "{name}"
        );
        functions.insert(function.to_string());
        files += 1;
    }
    assert_eq!((files, functions.len()), (58, 19));
}

#[test]
fn lines_that_differ_are_printed() {
    let lines = b"3FF0000000000000 3CA0000000000000 3FF0000000000000 01\n3FF0000000000000 3CA0000000000000 3FF0000000000001\n\n";
    let said = with_input(&["eval", "--testfloat", "f64_add"], lines);
    let expected = "<stdin>:2: 3FF0000000000000 3CA0000000000000 3FF0000000000001, got 3FF0000000000000\n\
                    2 lines checked, 1 differ\n";
    assert_eq!((said.code, said.err.as_str(), said.out.as_str()), (Some(1), "", expected));
    let said = with_input(&["eval", "--testfloat", "f64_add", "--rounding", "max"], lines);
    assert_eq!((said.code, said.out.lines().count()), (Some(1), 2));
    assert!(said.out.starts_with("<stdin>:1: "), "{}", said.out);
    let said = with_input(&["eval", "--testfloat", "f64_add", "--json"], lines);
    let report: serde_json::Value = serde_json::from_str(said.out.trim()).unwrap();
    assert_eq!((said.code, &report["differs"], &report["got"]), (Some(1), &true.into(), &"3ff0000000000000".into()));
}

#[test]
fn lines_without_a_result_get_it() {
    let lines = b"3FF0000000000000 4008000000000000\r\n7ff0000000000000 7FF0000000000000\n";
    let said = with_input(&["eval", "--testfloat", "f64_div", "--rounding", "min"], lines);
    let expected = "3FF0000000000000 4008000000000000 3FD5555555555555\n\
                    7FF0000000000000 7FF0000000000000 7FF8000000000000\n";
    assert_eq!((said.code, said.err.as_str(), said.out.as_str()), (Some(0), "", expected));
    // Which reads back.
    let said = with_input(&["eval", "--testfloat", "f64_div", "--rounding", "min"], expected.as_bytes());
    assert_eq!(said.out, "2 lines checked, 0 differ\n");
}

#[test]
fn malformed_lines_have_a_place() {
    let said = with_input(&["eval", "--testfloat", "f64_mulAdd"], b"\n3FF0000000000000 3FF000000000000\n00 # x\n");
    assert_eq!((said.code, said.out.as_str()), (Some(2), ""));
    assert!(said.err.contains("<stdin>:2:18: expected 16 hexadecimal digits, found `3FF000000000000`"), "{}", said.err);
    assert!(said.err.contains("<stdin>:3:1: expected 16 hexadecimal digits"), "{}", said.err);
    vernier(&["eval", "--testfloat", "f64_sin"]).refused("one of f64_add f64_sub");
    assert_eq!(vernier(&["eval", "--rounding", "max"]).code, Some(2));
}
