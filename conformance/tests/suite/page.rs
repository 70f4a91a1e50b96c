//! `vernier report`: the page in headless Chromium, where there is one.

use crate::common::{fixture, text, vernier};
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::tempdir;
use vernier_conformance::functions::read;

/// The page as a browser has it after its scripts ran, with what a script of ours adds to it; none without a browser.
fn shown(page: &Path, width: u32) -> Option<String> {
    let browser = ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok_and(|o| o.status.success()))?;
    let profile = tempdir().unwrap();
    // The page in a frame of that width: a window has a least one.
    let probe = "<script>
        const problems = [];
        addEventListener('error', e => problems.push(e.message));
        addEventListener('load', () => {
            const table = document.querySelector('table.sortable');
            table.tHead.rows[0].cells[1].click();
            const sizes = [...document.querySelectorAll('p, td, li, button, summary')].map(e => parseFloat(getComputedStyle(e).fontSize));
            const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
            const note = document.createElement('pre');
            note.id = 'probe';
            note.textContent = JSON.stringify({ problems, wide, small: Math.min(...sizes), width: innerWidth });
            document.body.append(note);
            parent.postMessage(document.documentElement.outerHTML, '*');
        });
        </script></head>";
    let framed = page.with_extension("framed.html");
    fs::write(&framed, fs::read_to_string(page).unwrap().replacen("</head>", probe, 1)).unwrap();
    let outer = page.with_extension("outer.html");
    let frame =
        format!("<iframe src=\"{}\" width=\"{width}\" height=\"900\" style=\"border:0\"></iframe>", framed.display());
    let take = "<script>addEventListener('message', e => { document.body.innerHTML = e.data; document.title = 'done'; });</script>";
    fs::write(&outer, format!("<!doctype html><html><head>{take}</head><body>{frame}</body></html>")).unwrap();
    let flags = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
                 --disable-component-update --disable-sync --allow-file-access-from-files --virtual-time-budget=20000 --dump-dom";
    let mut command = Command::new(browser);
    command.args(flags.split_whitespace()).arg(format!("--user-data-dir={}", profile.path().display()));
    command.arg(format!("--window-size={},1000", width.max(600))).arg(format!("file://{}", outer.display()));
    let output = command.output().unwrap();
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn a_page_of_functions_in_a_browser() {
    let folder = tempdir().unwrap();
    let (file, page) = (folder.path().join("std.json"), folder.path().join("report.html"));
    let args = ["functions", "--rust-std", "--evaluations", "2^12", "--type", "f32", "--out", text(&file)];
    let named =
        ["--function", "exp", "--function", "cbrt", "--function", "sin", "--function", "hypot", "--function", "floor"];
    vernier(&[&args[..], &named].concat()).succeeded();
    vernier(&["report", text(folder.path()), "-o", text(&page)]).succeeded();
    let (results, html) = (read(&file).unwrap(), fs::read_to_string(&page).unwrap());
    assert!(!html.contains("http") && html.matches("<svg").count() >= 8, "one file, no network");
    for row in &results.rows {
        let article = format!("data-key=\"{}\" data-ulp=\"{:?}\" data-cases=\"{}\"", row.key(), row.ulp, row.cases);
        assert!(html.contains(&article), "{article}");
    }
    for width in [390, 1400] {
        let Some(dom) = shown(&page, width) else {
            println!("skipped: no Chromium is installed");
            return;
        };
        let probe = dom.split("<pre id=\"probe\">").nth(1).and_then(|rest| rest.split('<').next());
        let probe: serde_json::Value =
            serde_json::from_str(probe.unwrap_or_else(|| panic!("no script ran: {dom}"))).unwrap();
        assert_eq!((&probe["problems"], &probe["width"]), (&serde_json::json!([]), &serde_json::json!(width)));
        assert!(probe["wide"] == 0 && probe["small"].as_f64().unwrap() >= 12.0, "{probe}");
        for row in &results.rows {
            assert!(dom.contains(&format!("data-value=\"{:?}\"", row.ulp)), "{width}: {}", row.key());
            assert!(row.case().is_none_or(|case| dom.contains(&case)), "{width}: {}", row.key());
        }
        assert!(dom.contains("aria-sort"), "the table was sorted by a click: {width}");
    }
}

#[test]
fn a_page_of_tables() {
    let folder = tempdir().unwrap();
    let row = ["accuracy", "--type", "f32", "--op", "add", "--samples", "2000", "--evaluations", "2000"];
    let file = folder.path().join("accuracy.json");
    vernier(&[&row[..], &["--out", text(&file)]].concat()).succeeded();
    let page = folder.path().join("page.html");
    let args = ["report", text(folder.path()), "-o", text(&page), "--compare", text(folder.path())];
    vernier(&args).succeeded();
    let html = fs::read_to_string(&page).unwrap();
    assert!(
        html.contains("claims hold.") && html.contains("<h2>Accuracy</h2>") && html.contains("<p>None.</p>"),
        "{html}"
    );
}

#[test]
fn folders_without_results() {
    let folder = tempdir().unwrap();
    let args = |dir: &Path| vernier(&["report", text(dir), "-o", text(&folder.path().join("page.html"))]);
    args(folder.path()).refused("has no result file");
    args(&fixture("nowhere")).refused("cannot be read");
    fs::write(folder.path().join("a.json"), "{\"format\": \"vernier functions 1\"}").unwrap();
    args(folder.path()).refused("a.json");
    assert!(!folder.path().join("page.html").exists());
}
