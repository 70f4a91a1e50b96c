//! The accuracy table: its rows, what is claimed of them, and what was measured.

mod bound;
mod check;
mod checkpoint;
mod draw;
mod emulated;
mod line;
mod merge;
mod published;
mod results;
mod row;
mod run;
mod search;
mod special;
pub mod tally;

pub use bound::{Claim, claim};
pub use checkpoint::Lock;
pub use draw::Draw;
pub use line::{Line, Verdict, Worst};
pub use merge::{merge, parse, read};
pub use published::{Published, figure};
pub use results::{Build, Plan, Results, RowResult, Search, Shard};
pub use row::{Metric, Operands, Row, Scope};
pub use run::{Run, empty, run};
pub use special::{SpecialRow, row as special_row, table as special_table, values as special_values};
