//! The tables of results on standard output.

use super::{HEADS, SPECIAL_HEADS, cells, special_cells};
use crate::report::Results;
use crate::table::{Line, SpecialRow, Verdict};
use crate::text::escaped;
use comfy_table::{ContentArrangement, Table, presets};

/// Heads, which stand between bars, and rows under each other.
pub(crate) fn plain(heads: &str, rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    // A row stays one line, in a pipe too.
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    // A cell stays one line too, whatever the file says that it came from.
    let cells = |row: Vec<String>| row.iter().map(|cell| escaped(cell).into_owned()).collect::<Vec<_>>();
    table.set_header(heads.split('|')).add_rows(rows.into_iter().map(cells));
    table.trim_fmt()
}

/// The accuracy table; every row begins with its type.
pub fn accuracy(results: &Results) -> String {
    let row = |line| [Line::of_type(line)].into_iter().chain(cells(line)).collect();
    plain(&format!("type|{HEADS}"), results.table.iter().map(row))
}

/// Of each type and level how many rows there are, and how many hold.
pub fn types(results: &Results) -> String {
    let mut names: Vec<(String, String)> = Vec::new();
    let name = |line: &Line| (line.ty.to_string(), line.level.to_string());
    results.table.iter().map(name).for_each(|n| {
        if !names.contains(&n) {
            names.push(n)
        }
    });
    let row = |wanted: (String, String)| {
        let lines: Vec<&Line> = results.table.iter().filter(|line| name(line) == wanted).collect();
        let failing = lines.iter().filter(|line| line.verdict == Verdict::Fails).count();
        vec![wanted.0, wanted.1, lines.len().to_string(), (lines.len() - failing).to_string(), failing.to_string()]
    };
    plain("type|level|rows|hold|fail", names.into_iter().map(row))
}

/// The special-value table: mismatches of cases.
pub fn special(rows: &[SpecialRow]) -> String {
    plain(SPECIAL_HEADS, special_cells(rows).into_iter().map(Vec::from))
}
