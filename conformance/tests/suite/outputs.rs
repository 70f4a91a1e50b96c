//! Outputs do not replace what is read, and parts are named as parts.

use crate::common::{SMALL_ROW, text, uncounted, vernier};
use std::fs;
use std::path::Path;

fn shard(i: u64, n: u64, path: &Path) {
    vernier(&[SMALL_ROW, &["--shard", &format!("{i}/{n}"), "--out", text(path)]].concat()).succeeded();
}

#[test]
fn merge_keeps_its_inputs() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (first, second) = (at("1.json"), at("2.json"));
    shard(1, 2, &first);
    shard(2, 2, &second);
    let before = fs::read(&second).unwrap();
    fs::create_dir(at("sub")).unwrap();
    fs::hard_link(&second, at("hard.json")).unwrap();
    fs::create_dir(at("tables")).unwrap();
    fs::hard_link(&second, at("tables/accuracy.json")).unwrap();
    let mut names = vec![second.clone(), at("sub/../2.json"), at("./2.json"), at("hard.json")];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&second, at("link.json")).unwrap();
        std::os::unix::fs::symlink(folder.path(), at("sub/folder")).unwrap();
        names.extend([at("link.json"), at("sub/folder/2.json")]);
    }
    let inputs = [text(&first), text(&second)];
    for name in &names {
        let said = vernier(&[&["merge", "-o", text(name)][..], &inputs].concat());
        said.refused(&format!("{} would replace {}, which is read", text(name), text(&second)));
        // The other way round: the input goes by the other name.
        vernier(&["merge", "-o", text(&second), text(&first), text(name)]).refused("which is read");
    }
    let said = vernier(&[&["merge", "--out", text(&at("tables"))][..], &inputs].concat());
    said.refused("accuracy.json would replace");
    assert_eq!(fs::read(&second).unwrap(), before);
    let copy = at("copy.json");
    fs::copy(&second, &copy).unwrap();
    vernier(&[&["merge", "-o", text(&copy)][..], &inputs].concat()).succeeded();
}

#[test]
fn a_header_is_not_replaced_by_its_judgement() {
    let folder = tempfile::tempdir().unwrap();
    let header = folder.path().join("dd.h");
    fs::write(&header, "struct dd {};\n").unwrap();
    for command in ["conform", "accuracy"] {
        vernier(&[command, "--cuda-header", text(&header), "--type", "dd", "--out", text(&header)])
            .refused("which is read");
    }
    let results = folder.path().join("results.json");
    fs::write(&results, "").unwrap();
    let checkpoint = folder.path().join("checkpoint.json");
    fs::hard_link(&results, &checkpoint).unwrap();
    let files = ["--out", text(&results), "--checkpoint", text(&checkpoint)];
    vernier(&[SMALL_ROW, &files].concat()).refused("expected different files for checkpoint and results");
}

#[test]
fn the_only_shard_is_a_shard() {
    let folder = tempfile::tempdir().unwrap();
    let one = folder.path().join("one.json");
    shard(1, 1, &one);
    vernier(&["merge", text(&one)]).succeeded();
    let args =
        ["tables", "--samples", "1", "--evaluations", "1", "--quick", "--shard", "1/1", "--out", text(folder.path())];
    let said = uncounted(&args).succeeded();
    let file = folder.path().join("accuracy-1-of-1.json.gz");
    assert!(said.out.contains("shard 1/1") && file.exists(), "{}", said.out);
    assert!(["accuracy.json", "speed.json"].iter().all(|name| !folder.path().join(name).exists()));
    vernier(&["merge", text(&file)]).succeeded();
}
