//! The accuracy table: its rows, what is claimed of them, and what was measured.

mod bound;
pub mod check;
mod checkpoint;
mod costs;
mod deal;
mod draw;
mod emulated;
mod line;
mod metric;
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
pub use costs::{Cost, Costs};
pub use deal::Deal;
pub use draw::Draw;
pub use line::{Line, Verdict, Worst};
pub use metric::Metric;
pub use published::{Published, figure};
pub use reduced::formats as reduced_formats;

/// Every type that has rows in the tables: of reduced formats, which are many, some.
pub fn listed_types() -> impl Iterator<Item = Type> {
    Type::all().chain(reduced_formats().map(Type::Custom))
}

pub use results::{BLOCK, Build, Lanes, Plan, RowResult, Search, Shard};
pub use row::{Operands, Row, Scope};
pub use run::{Done, Run, run};
pub use special::{
    SpecialRow, is_claimed as special_is_claimed, level_name as special_level, operations_of as special_operations,
    row as special_row, table as special_table,
};
pub use tally::is_claimed;
