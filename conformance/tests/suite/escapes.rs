//! What is repeated from input does nothing to a terminal: no control character reaches it but line ends, and no line is made up.

use crate::common::{SMALL_ROW, Said, text, vernier, with_input};
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// Moves the cursor, rings, begins a new line that looks like another message, turns the direction of text.
const BAD: &str = "x\u{1b}[2J\u{7}\r\nvernier: all is well\u{9b}\u{202e}\u{7f}";

#[track_caller]
fn harmless(said: &Said, shown: bool) {
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(!said.err.contains("\nvernier: all is well"), "{said:?}");
    for text in [&said.out, &said.err] {
        assert!(!text.chars().any(|c| c != '\n' && (c.is_control() || c == '\u{202e}')), "{text:?}");
    }
    assert!(!shown || said.err.contains(r"x\u{1b}[2J\u{7}\r\nvernier: all is well\u{9b}\u{202e}\u{7f}"), "{said:?}");
}

#[test]
fn of_the_command_line() {
    let option = |option: &str| format!("{option}={BAD}");
    for args in [
        &[BAD][..],
        &["--seed", BAD, "devices"],
        &[&option("--nothing"), "devices"],
        &["eval", "--testfloat", BAD],
        &["eval", "--device", BAD],
        &["eval", "--subject", BAD],
        &["eval", BAD],
        &["accuracy", "--type", BAD],
        &["accuracy", "--op", BAD],
        &["accuracy", "--samples", BAD],
        &["accuracy", "--shard", BAD],
        &["accuracy", "--cuda-header", BAD, "--type", "dd"],
        &["accuracy", "--type", "f32", "--op", "add", "--checkpoint", BAD, "--out", BAD],
        &["tables", "--compare", BAD],
        &["conform", "--filter", BAD],
        &["conform", "--cases", BAD],
        &["conform", "--cuda-header", BAD, "--type", "dd"],
        &["conform", "--find", BAD, "--rounds", BAD],
        &["conform", "--out", &format!("/nothing/{BAD}")],
        &["bench", "--type", BAD],
        &["bench", "--op", BAD],
        &["bench", "--out", &format!("/nothing/{BAD}")],
        &["sweep", BAD],
        &["sweep", "pi", "--digits", BAD],
        &["sweep", "pi", "--exponent", BAD],
        &["sweep", "pi", "--options", BAD],
        &["emit", BAD],
        &["emit", "cuda", "--only", BAD],
        &["emit", "cuda", "-o", &format!("/dev/null/{BAD}")],
        &["stat", BAD],
        &["stat", "pi", "--type", BAD],
        &["twin", "moments", "--case", BAD],
        &["twin", "moments", "--size", BAD],
        &["twin", "moments", "--chroma", BAD],
        &["twin", "moments", "--ref", BAD, "--dis", BAD],
        &["merge", BAD],
    ] {
        let said = vernier(args);
        harmless(&said, said.err.contains("all is well"));
    }
    // Of these nothing but the escapes may be left.
    for args in [&["accuracy", "--type", BAD][..], &["eval", BAD], &["conform", "--filter", BAD], &["merge", BAD]] {
        harmless(&vernier(args), true);
    }
}

fn file(folder: &TempDir, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    path
}

#[test]
fn of_lines() {
    for line in ["x\u{1b}[2J add", "f32 \u{7}\r\u{9b}", "f32 neg \u{202e}", "f32 neg 3f800000 = \u{1b}"] {
        harmless(&with_input(&["eval"], line.as_bytes()), false);
        harmless(&with_input(&["eval", "--check", "--json"], line.as_bytes()), false);
        harmless(&with_input(&["eval", "--testfloat", "f64_add"], line.as_bytes()), false);
    }
    harmless(&with_input(&["eval"], b"f32 neg \xff\x1b\x00\x9b"), false);
}

#[test]
fn of_headers_of_frames() {
    let folder = tempfile::tempdir().unwrap();
    for (tag, shown) in [("C420\u{1b}[2J", r"C420\u{1b}[2J"), ("W\u{7}\u{9b}", r"\u{7}\u{9b}"), ("H2\r", r"2\r")] {
        let frames = file(&folder, "x.y4m", format!("YUV4MPEG2 W3 H2 {tag}\nFRAME\n123456789"));
        let said = vernier(&["twin", "moments", "--ref", text(&frames), "--dis", text(&frames)]);
        harmless(&said, false);
        assert!(said.err.contains(shown), "{said:?}");
    }
}

#[test]
fn of_result_files() {
    let folder = tempfile::tempdir().unwrap();
    let part = folder.path().join("part.json");
    vernier(&[SMALL_ROW, &["--shard", "1/2", "--out", text(&part)]].concat()).succeeded();
    let content = fs::read_to_string(&part).unwrap();
    let bad = serde_json::to_string(BAD).unwrap();
    for (name, from) in [
        ("format", "\"vernier results 1\""),
        ("subject", "\"vernier\""),
        ("row", "\"f32 add -\""),
        ("rustc", "\"rustc "),
    ] {
        let at = content.find(from).unwrap_or_else(|| panic!("{from}"));
        let end = at + 1 + content[at + 1..].find('"').unwrap() + 1;
        let other = file(&folder, name, format!("{}{bad}{}", &content[..at], &content[end..]));
        harmless(&vernier(&["merge", text(&part), text(&other)]), true);
    }
    harmless(&vernier(&["merge", text(&file(&folder, "key", format!("{{{bad}: 1}}")))]), true);
    // What a whole file says is printed too.
    let whole = folder.path().join("whole.json");
    vernier(&[SMALL_ROW, &["--shard", "1/1", "--out", text(&whole)]].concat()).succeeded();
    let content = fs::read_to_string(&whole).unwrap();
    let named = content.replacen("\"subject\":", &format!("\"place\": {bad}, \"subject\":"), 1);
    let named = file(&folder, "named.json", named);
    let said = vernier(&["merge", text(&named)]).succeeded();
    assert!(said.out.contains(r"x\u{1b}[2J\u{7}\r\nvernier: all is well"), "{}", said.out);
    assert!(!said.out.chars().any(|c| c != '\n' && c.is_control()), "{}", said.out);
}
