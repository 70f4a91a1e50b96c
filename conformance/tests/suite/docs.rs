//! The README and docs/: their lines, and that every command they show is one, says what they show and is cheap.

use crate::common::{Said, program};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::tempdir;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The pages and their text.
fn pages() -> Vec<(String, String)> {
    let docs = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = docs.chain([root().join("README.md")]).collect();
    paths.sort();
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    paths.iter().map(|path| (name(path), fs::read_to_string(path).unwrap())).collect()
}

#[test]
fn lines_are_short() {
    for (name, text) in pages() {
        let long: Vec<&str> = text.lines().filter(|line| line.chars().count() > 120).collect();
        assert!(long.is_empty(), "{name}: {long:#?}");
        assert!(!text.contains("# let _"), "{name}");
        assert!(name != "README.md" || text.lines().count() < 250, "{name}");
    }
}

/// Blocks of a language, without their fences.
fn blocks<'t>(text: &'t str, language: &str) -> Vec<&'t str> {
    let fence = format!("```{language}\n");
    text.split(fence.as_str()).skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

/// A line with its figures as #, and one blank between words.
fn shape(line: &str) -> String {
    let word = |w: &str| {
        let figure =
            w.chars().any(|c| c.is_ascii_digit()) && w.chars().all(|c| c.is_ascii_hexdigit() || ".:%+-".contains(c));
        if figure { "#".to_string() } else { w.to_string() }
    };
    line.split_whitespace().map(word).collect::<Vec<_>>().join(" ")
}

/// Whether a line that was printed is as one that is shown, of which ... leaves the rest open.
fn alike(shown: &str, printed: &str) -> bool {
    match shown.split_once("...") {
        Some((start, _)) => shape(printed).starts_with(&shape(start)),
        None => shape(shown) == shape(printed),
    }
}

#[test]
fn what_consoles_show_is_printed() {
    let folder = tempdir().unwrap();
    let home = Path::new(env!("CARGO_BIN_EXE_vernier")).parent().unwrap();
    let path = format!("{}:{}", home.display(), std::env::var("PATH").unwrap());
    let mut tried = 0;
    for (name, text) in pages() {
        for block in blocks(&text, "console") {
            let command = block.lines().next().and_then(|line| line.strip_prefix("$ ")).unwrap();
            let said: Said = Command::new("sh")
                .args(["-c", command])
                .env("PATH", &path)
                .current_dir(folder.path())
                .output()
                .unwrap()
                .into();
            let mut printed = said.out.lines();
            for line in block.lines().skip(1) {
                assert!(printed.any(|p| alike(line, p)), "{name}: {command}\nshown: {line}\n{}{}", said.out, said.err);
            }
            tried += 1;
        }
    }
    assert!(tried >= 4);
}

/// Commands of the program in `...` and in lines of shells, in words.
fn commands(text: &str) -> Vec<Vec<String>> {
    let shell = blocks(text, "sh").into_iter().flat_map(str::lines).map(|line| line.split(" # ").next().unwrap());
    let outside: String = text.split("```").step_by(2).collect();
    let inline: Vec<String> = outside.split('`').skip(1).step_by(2).map(|code| code.replace('\n', " ")).collect();
    let all = shell.map(String::from).chain(inline).collect::<Vec<_>>();
    let of_program = |line: &String| {
        Some(line.split_once("vernier ")?)
            .filter(|(before, _)| before.is_empty() || before.ends_with("| "))
            .map(|(_, rest)| words(rest))
    };
    all.iter().filter_map(of_program).collect()
}

/// As a shell has them.
fn words(line: &str) -> Vec<String> {
    let (mut list, mut word, mut quote) = (Vec::new(), String::new(), None);
    for c in line.chars() {
        match (c, quote) {
            ('\'' | '"', None) => quote = Some(c),
            (c, Some(q)) if c == q => quote = None,
            (' ', None) => list.extend(Some(std::mem::take(&mut word)).filter(|w| !w.is_empty())),
            (c, _) => word.push(c),
        }
    }
    list.extend(Some(word).filter(|w| !w.is_empty()));
    list
}

#[test]
fn commands_are_commands() {
    let mut tried = 0;
    for (name, text) in pages() {
        for command in commands(&text) {
            // Help is given once everything before it is understood.
            let said: Said = program().args(&command).arg("--help").output().unwrap().into();
            assert_eq!(said.code, Some(0), "{name}: vernier {}\n{}", command.join(" "), said.err);
            assert!(said.out.contains("Usage: vernier"), "{name}: {command:?}");
            tried += 1;
        }
    }
    assert!(tried > 30, "{tried}");
}
