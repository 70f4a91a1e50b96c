//! `vernier twin`.

use crate::common::vernier;
use std::fs;

#[test]
fn twins_hold_on_the_host_and_their_faults_are_caught() {
    for (twin, last) in [
        ("dot", "15 of 15 cases hold, 4 of 4 faults caught"),
        ("exact-dot", "23 of 23 cases hold, 3 of 3 faults caught"),
    ] {
        let said = vernier(&["twin", twin]);
        assert_eq!(said.code, Some(0), "{}", said.out);
        assert_eq!(said.out.lines().last().unwrap().trim(), last);
    }
}

#[test]
fn help_says_what_moments_are_of() {
    let help = vernier(&["twin", "--help"]).succeeded().out;
    let text = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("float s / 2^(b-8), on the scale of 8 bits, and rounds its square to float"), "{help}");
}

/// The luma of two frames of each kind that users have, one with a difference in what is skipped.
#[test]
fn chroma_and_transparency_are_skipped() {
    let folder = tempfile::tempdir().unwrap();
    for (space, others) in [("C411", 4), ("C420jpeg", 4), ("C422", 8), ("C444", 12), ("C444alpha", 18)] {
        let write = |name: &str, other: u8| {
            let frame = [b"FRAME\n".to_vec(), vec![1, 2, 3, 4, 5, 6], vec![other; others]].concat();
            let path = folder.path().join(name);
            fs::write(&path, [format!("YUV4MPEG2 W3 H2 {space}\n").into_bytes(), frame.repeat(2)].concat()).unwrap();
            path.display().to_string()
        };
        let (a, b) = (write("a.y4m", 0), write("b.y4m", 9));
        let said = vernier(&["twin", "moments", "--ref", &a, "--dis", &b, "--json"]).succeeded();
        let report: serde_json::Value = serde_json::from_str(&said.out).unwrap();
        let outputs = report["cases"][1]["outputs"].as_array().unwrap();
        let twins: Vec<f64> = outputs.iter().map(|o| o["twin"].as_f64().unwrap()).collect();
        assert_eq!(twins, [3.5, 91.0 / 6.0, 3.5, 91.0 / 6.0], "{space}");
    }
}

#[test]
fn one_case_as_json() {
    let said = vernier(&["twin", "moments", "--case", "noise, 16 bits, 3840x2160", "--json"]);
    assert_eq!(said.code, Some(0));
    let report: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    let case = &report["cases"][0];
    assert_eq!((&case["exact"], case["outputs"].as_array().unwrap().len()), (&serde_json::json!(false), 4));
    let output = &case["outputs"][1];
    assert!(output["distance"].as_f64().unwrap() <= output["bound"].as_f64().unwrap());
    assert!(output["bound"].as_f64().unwrap() < 2e-5);
    let unknown = vernier(&["twin", "moments", "--case", "nothing"]);
    assert_eq!(unknown.code, Some(2));
    assert!(unknown.err.contains("there is no case 'nothing': 'one sample, 8 bits, 1x1'"), "{}", unknown.err);
}

#[test]
fn frames_of_the_user() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, head: &str, samples: &[u16]| {
        let mut bytes = head.as_bytes().to_vec();
        for frame in samples.chunks(6) {
            bytes.extend_from_slice(if head.is_empty() { b"" } else { b"FRAME\n" });
            frame.iter().for_each(|s| bytes.extend_from_slice(&s.to_le_bytes()));
        }
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path.display().to_string()
    };
    let head = "YUV4MPEG2 W3 H2 Cmono16\n";
    let samples: Vec<u16> = (0..12).map(|k| 60_001 + k * 17).collect();
    let (a, b) = (write("a.y4m", head, &samples), write("b.y4m", head, &samples[..]));
    let said = vernier(&["twin", "moments", "--ref", &a, "--dis", &b]);
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
    assert!(said.out.contains("frame 1: holds, identical") && said.out.contains("2 of 2 cases hold"), "{}", said.out);

    // The same frames without headers.
    let raw = write("a.yuv", "", &samples);
    let said =
        vernier(&["twin", "moments", "--ref", &raw, "--dis", &raw, "--size", "3x2", "--bits", "16", "--chroma", "400"]);
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
    assert!(said.out.contains("2 of 2 cases hold"), "{}", said.out);

    // Many frames are read one by one.
    let many = write("many.yuv", "", &vec![7; 60_000]);
    let said = vernier(&[
        "twin", "moments", "--ref", &many, "--dis", &many, "--size", "1x2", "--bits", "16", "--chroma", "400",
    ]);
    assert!(said.code == Some(0) && said.out.contains("30000 of 30000 cases hold"), "{}", said.err);

    let short = write("c.y4m", head, &samples[..6]);
    let refused = |args: &[&str], text: &str| {
        let said = vernier(&[&["twin", "moments"], args].concat());
        assert_eq!(said.code, Some(2), "{args:?}");
        assert!(said.err.contains(text), "{args:?}: {}", said.err);
    };
    refused(&["--ref", &a, "--dis", &short], "expected 3x2 of 16 bits, 2 frames as in");
    refused(&["--ref", &a], "--dis");
    refused(&["--ref", &raw, "--dis", &raw], "byte 0: expected `YUV4MPEG2` and a header line");
    refused(&["--ref", &raw, "--dis", &raw, "--size", "3"], "expected width x height, as 1920x1080, found `3`");
    refused(&["--ref", &raw, "--dis", &raw, "--size", "5x2", "--bits", "16"], "expected a multiple of");
    refused(&["--ref", &a, "--dis", &b, "--out", &b], "which is read: expected another file for the output");
    refused(&["--speed", "0"], "0 is not in 1..=2048");
    refused(&["--speed", "9223372036854775808"], "9223372036854775808 is not in 1..=2048");
    refused(&["--device", "gpu"], "expected host, opencl, cuda, opencl:N or cuda:N");
    let said = vernier(&["twin", "dot", "--ref", &a, "--dis", &b]);
    assert_eq!((said.code, said.err.contains("are for moments")), (Some(2), true));
}
