//! The tables of results on standard output.

use super::{HEADS, SPECIAL_HEADS, cells, special_cells};
use crate::report::Results;
use crate::table::SpecialRow;
use comfy_table::{ContentArrangement, Table, presets};

/// Heads and rows under each other.
pub(super) fn plain(heads: &[String], rows: &[Vec<String>]) -> String {
    let mut table = table(heads.iter().cloned());
    for row in rows {
        table.add_row(row.clone());
    }
    table.trim_fmt()
}

fn table<H: Into<comfy_table::Cell>>(heads: impl IntoIterator<Item = H>) -> Table {
    let mut table = Table::new();
    // A row stays one line, in a pipe too.
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(heads.into_iter().collect::<Vec<_>>());
    table
}

/// The accuracy table; every row begins with its type.
pub fn accuracy(results: &Results) -> String {
    let mut table = table(["type"].into_iter().chain(HEADS));
    for line in &results.table {
        table.add_row([line.of_type()].into_iter().chain(cells(line)).collect::<Vec<_>>());
    }
    table.trim_fmt()
}

/// The special-value table: mismatches of cases.
pub fn special(rows: &[SpecialRow]) -> String {
    let mut table = table(SPECIAL_HEADS);
    for cells in special_cells(rows) {
        table.add_row(cells.to_vec());
    }
    table.trim_fmt()
}
