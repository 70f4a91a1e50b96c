//! Lines of any length, and files with a byte-order mark.

use crate::common::{fixture, text, vernier, with_input};
use std::fmt::Write as _;
use std::fs;

const NEG: &str = "f32 neg 3f800000 = bf800000\n";

/// A comment of any length is skipped, and a line that is too long is an error for itself alone.
#[test]
fn long_lines_do_not_hide_what_follows() {
    let comment = format!("# {}\n{NEG}f32 neg 3f800000 # {}\n", "x".repeat(1 << 20), "=".repeat(100_000));
    let said = with_input(&["eval"], comment.as_bytes()).succeeded();
    assert_eq!(said.out, NEG.repeat(2));

    let mut endless = b"fp32mp2 sum 1.0 ".to_vec();
    endless.resize((1 << 27) + 1, b' ');
    let input = [&endless[..], b"  1.0\n", NEG.as_bytes(), &endless].concat();
    for args in [&["eval"][..], &["eval", "--check"]] {
        let said = with_input(args, &input);
        let expected = "expected a line of at most 134217728 bytes before a comment, found `fp32mp2 sum 1.0";
        assert!(said.err.contains(&format!("<stdin>:1:1: {expected}")), "{}", said.err);
        assert!(said.err.contains(&format!("<stdin>:3:1: {expected}")), "{}", said.err);
        assert!(said.err.lines().all(|line| line.len() < 300), "{}", said.err);
        assert!(said.err.contains("2 of the lines could not be evaluated"), "{}", said.err);
        assert_eq!(said.code, Some(2));
        let evaluated = said.out == NEG || said.out.starts_with("1 cases checked, 0 differ");
        assert!(evaluated, "{}", said.out);
    }

    let one = "3FF0000000000000 3FF0000000000000 4000000000000000";
    let input = format!("{one}{}\n{one} 00\n", " ".repeat(5000));
    let said = with_input(&["eval", "--testfloat", "f64_add"], input.as_bytes());
    assert_eq!((said.code, said.out.as_str()), (Some(2), "1 lines checked, 0 differ\n"));
    assert!(said.err.contains("<stdin>:1:1: expected a line of at most 4096 bytes"), "{}", said.err);
}

/// A line of an operation with so many ones as arguments.
fn ones(head: &str, one: &str, n: usize) -> String {
    let mut line = String::from(head);
    (0..n).for_each(|_| write!(line, " {one}").unwrap());
    line + "\n"
}

#[test]
fn sums_and_dot_products_have_a_million_terms() {
    const MOST: usize = 1 << 20;
    let double = "3ff0000000000000:0000000000000000";
    // The result is exact: 2^20.
    let expected = " = 4130000000000000:0000000000000000\n";
    for (head, n) in [("fp64mp2.high sum", MOST), ("fp64mp2.mid dot", 2 * MOST)] {
        let said = with_input(&["eval"], ones(head, double, n).as_bytes()).succeeded();
        assert!(said.out.starts_with(head) && said.out.ends_with(expected), "{head}");
    }
    let said = with_input(&["eval"], ones("fp32mp2 product", "1.0", MOST).as_bytes()).succeeded();
    assert!(said.out.ends_with(" = 3f800000:00000000\n"));

    let input = ones("fp32mp2 sum", "1.0", MOST + 1) + &ones("fp32mp2.low dot", "1.0", 2 * MOST + 2) + NEG;
    let said = with_input(&["eval"], input.as_bytes());
    assert_eq!((said.code, said.out.as_str()), (Some(2), NEG));
    let column = |head: &str, n: usize| head.len() + 4 * n + 2;
    let sum = format!(
        "<stdin>:1:{}: expected `=` or the end of the line after 1 to 1048576 arguments of sum, found `1.0`",
        column("fp32mp2 sum", MOST)
    );
    let dot = format!(
        "<stdin>:2:{}: expected `=` or the end of the line after an even number of arguments, from 2 to 2097152 of dot",
        column("fp32mp2.low dot", 2 * MOST)
    );
    assert!(said.err.contains(&sum) && said.err.contains(&dot), "{}", said.err);
}

/// Every text that the program reads may begin with a byte-order mark.
#[test]
fn a_byte_order_mark_is_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let marked = |name: &str, content: &str| {
        let path = folder.path().join(name);
        fs::write(&path, format!("\u{feff}{content}")).unwrap();
        path
    };
    let cases = marked("cases.txt", NEG);
    assert_eq!(vernier(&["eval", "--check", text(&cases)]).succeeded().out, "1 cases checked, 0 differ\n");
    let said = with_input(&["eval"], format!("\u{feff}# x\n{NEG}").as_bytes()).succeeded();
    assert_eq!(said.out, NEG);
    // Anywhere else it is an error.
    with_input(&["eval"], format!("{NEG}\u{feff}{NEG}").as_bytes()).refused("<stdin>:2:1: expected a type");

    let vectors = fs::read_to_string(fixture("testfloat").join("f64_add.near_even.txt")).unwrap();
    let vectors = marked("vectors.txt", &vectors);
    let said = vernier(&["eval", "--testfloat", "f64_add", text(&vectors)]).succeeded();
    assert_eq!(said.out, "120 lines checked, 0 differ\n");

    let args = ["accuracy", "--type", "f32", "--op", "add", "--samples", "100", "--shard", "1/1"];
    let (part, checkpoint) = (folder.path().join("part.json"), folder.path().join("checkpoint"));
    let run = |more: &[&str]| vernier(&[&args[..], more].concat()).succeeded();
    run(&["--out", text(&part)]);
    let part = marked("marked.json", &fs::read_to_string(&part).unwrap());
    vernier(&["merge", text(&part)]).succeeded();
    // What it goes on from is left by a run whose results cannot be written.
    let failed = vernier(
        &[&args[..], &["--checkpoint", text(&checkpoint), "--checkpoint-seconds", "0", "--out", "/dev/full"]].concat(),
    );
    assert_eq!(failed.code, Some(2), "{}", failed.err);
    let checkpoint = marked("checkpoint", &fs::read_to_string(&checkpoint).unwrap());
    run(&["--checkpoint", text(&checkpoint)]);
}
