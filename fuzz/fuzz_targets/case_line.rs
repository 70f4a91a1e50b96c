//! Any bytes are a case, no case, or an error with a place; what is printed reads back as the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vernier_conformance::case::parse_line;

fuzz_target!(|line: &[u8]| {
    match parse_line(line) {
        Ok(Some(case)) => {
            let text = case.to_string();
            let back = parse_line(text.as_bytes()).unwrap().unwrap();
            assert_eq!(back.to_string(), text);
        }
        Ok(None) => {}
        Err(e) => assert!(e.column >= 1 && e.column <= line.len() + 1),
    }
});
