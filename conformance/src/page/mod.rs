//! The report: what was measured, as one HTML file that needs nothing else.
//!
//! It reads the result files of a folder (`accuracy.json`, `speed.json`, and those of `vernier functions`, `vernier bench` and `vernier advise --json`) and says first
//! what was measured on what, and which claims hold. Pictures are drawn by plotters, as SVG whose colours follow the reader's light or
//! dark setting; every number in them stands in a table too.

mod advice;
mod bench;
mod chart;
mod functions;
mod html;
mod input;
mod speed;
mod tables;

pub use input::Input;

use html::{escape, table};
use std::fmt::Write;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// A claim: what it says, and whether it holds.
struct Claim {
    text: String,
    holds: bool,
}

/// The page.
///
/// # Errors
/// With the message of the plotting library.
pub fn page(input: &Input) -> Result<String, String> {
    let mut body = String::new();
    let claims = claims(input);
    head(&mut body, input, &claims);
    if let Some(speed) = &input.speed {
        speed::section(&mut body, speed)?;
    }
    for (name, results) in &input.functions {
        functions::section(&mut body, name, results)?;
    }
    for (name, report) in &input.bench {
        bench::section(&mut body, name, report)?;
    }
    for advice in &input.advice {
        advice::section(&mut body, advice)?;
    }
    if let Some(accuracy) = &input.accuracy {
        tables::section(&mut body, accuracy);
    }
    changes(&mut body, input);
    let title = "Vernier: what was measured";
    Ok(format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body>\n<main>\n{body}</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n"
    ))
}

/// Everything that is claimed, of all files.
fn claims(input: &Input) -> Vec<Claim> {
    let mut list: Vec<Claim> = input.functions.iter().flat_map(|(_, results)| functions::claims(results)).collect();
    list.extend(input.accuracy.iter().flat_map(tables::claims));
    list.extend(input.speed.iter().flat_map(speed::claims));
    list.extend(input.bench.iter().flat_map(|(_, report)| bench::claims(report)));
    list
}

fn head(body: &mut String, input: &Input, claims: &[Claim]) {
    let held = claims.iter().filter(|claim| claim.holds).count();
    let failed: Vec<&Claim> = claims.iter().filter(|claim| !claim.holds).collect();
    let verdict = match (claims.len(), failed.len()) {
        (0, _) => "Nothing was claimed.".to_string(),
        (n, 0) => format!("All {n} claims hold."),
        (n, f) => format!("{held} of {n} claims hold, {f} do not."),
    };
    let share = held as f64 / claims.len().max(1) as f64 * 100.0;
    let what: String = input.sentences().iter().map(|line| format!("<p>{}</p>\n", escape(line))).collect();
    let _ = write!(
        body,
        "<header>\n<h1>What was measured</h1>\n{what}\
         <p class=\"verdict {}\" data-claims=\"{}\" data-failed=\"{}\">{verdict}</p>\n\
         <div class=\"bar\" role=\"img\" aria-label=\"{held} claims hold, {} do not\"><i style=\"width:{share:.2}%\"></i></div>\n",
        if failed.is_empty() { "good" } else { "bad" },
        claims.len(),
        failed.len(),
        failed.len(),
    );
    if !failed.is_empty() {
        body.push_str("<details open><summary>What does not hold</summary>\n<ul class=\"failed\">\n");
        for claim in failed {
            let _ = writeln!(body, "<li>{}</li>", escape(&claim.text));
        }
        body.push_str("</ul></details>\n");
    }
    body.push_str("</header>\n");
}

/// What changed since earlier results.
fn changes(body: &mut String, input: &Input) {
    let comparisons = input.functions.iter().filter_map(|(_, r)| r.comparison.as_ref());
    for comparison in comparisons.chain(&input.comparison).chain(&input.bench_comparison) {
        let _ = write!(body, "<section>\n<h2>Changes since {}</h2>\n", escape(&comparison.old));
        if comparison.changes.is_empty() {
            body.push_str("<p>None.</p>\n");
        } else {
            let row = |c: &crate::report::Change| {
                let mark = if c.worse { "worse" } else { "" };
                vec![c.what.clone().into(), c.change.clone().into(), mark.into()]
            };
            table(body, "changes", &["what", "change", ""], comparison.changes.iter().map(row));
        }
        body.push_str("</section>\n");
    }
}
