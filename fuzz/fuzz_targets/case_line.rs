//! Any bytes are a case, no case, or an error with a place; a case has a result and a judgement, and what is printed reads back as the
//! same, with the same result.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vernier_conformance::answer::{exact_text, judge};
use vernier_conformance::case::{Case, parse_line};
use vernier_conformance::subject::{Host, Subject};

/// The case with its result.
fn evaluated(case: Case) -> Case {
    let got = Host.eval(case.ty, case.op, &case.args).unwrap().canonical();
    Case { results: vec![got], ..case }
}

fuzz_target!(|line: &[u8]| {
    match parse_line(line) {
        Ok(Some(case)) => {
            let case = evaluated(case);
            let text = case.to_string();
            let back = parse_line(text.as_bytes()).unwrap().unwrap();
            assert_eq!(back.to_string(), text);
            assert_eq!(evaluated(back).to_string(), text);
            exact_text(&case, 40);
            judge(case.ty, case.op, &case.args, case.results[0]);
        }
        Ok(None) => {}
        Err(e) => assert!(e.column >= 1 && e.column <= line.len() + 1),
    }
});
