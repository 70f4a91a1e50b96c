//! Result files with any contents, separated by a zero byte, are joined or refused.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vernier_conformance::report::{merge, parse};

fuzz_target!(|bytes: &[u8]| {
    let files = bytes.split(|&b| b == 0).filter_map(|file| std::str::from_utf8(file).ok());
    let parts: Vec<_> =
        files.enumerate().filter_map(|(i, text)| Some((i.to_string(), parse(&i.to_string(), text).ok()?))).collect();
    if let Ok(joined) = merge(parts) {
        let text = joined.to_json();
        assert_eq!(parse("joined", &text).unwrap().to_json(), text);
    }
});
