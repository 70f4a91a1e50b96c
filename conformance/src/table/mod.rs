//! The accuracy table: its rows, what is claimed of them, and what was measured.

mod bound;
mod check;
mod checkpoint;
mod draw;
mod emulated;
mod line;
mod merge;
mod published;
pub mod reduced;
mod results;
mod row;
mod run;
mod search;
mod special;
pub mod tally;

use crate::case::Type;
pub use bound::{Claim, claim};
pub use checkpoint::Lock;
pub use draw::Draw;
pub use line::{Line, Verdict, Worst};
pub use merge::{merge, parse, read};
pub use published::{Published, figure};
pub use reduced::formats as reduced_formats;
use vernier_oracle::Meaning;

/// Every type that has rows in the tables: of reduced formats, which are many, some.
pub fn listed_types() -> impl Iterator<Item = Type> {
    Type::all().chain(reduced_formats().map(Type::Custom))
}

pub use results::{Build, Plan, Results, RowResult, Search, Shard};
pub use row::{Metric, Operands, Row, Scope};
pub use run::{Run, empty, run};
pub use special::{
    SpecialRow, operations_of as special_operations, row as special_row, table as special_table,
    values as special_values,
};
pub use tally::is_claimed;

/// Whether the samples of an operation with a number as result are also compared with the right results.
fn is_compared(row: &Row) -> bool {
    let number = matches!(Meaning::of(row.op), Meaning::Number(_));
    number && (row.ty(0).is_custom() || emulated::is_compared(row))
}

/// Whether that settles each of them, so that a search has nothing to find.
fn is_settled(row: &Row) -> bool {
    row.ty(0).is_custom() || emulated::is_settled(row)
}
