//! Every function of `vernier`, recorded: a *tape* lists its operations. Tapes are interpreted on the host, counted,
//! changed into mutants, and printed for devices by `vernier-gpu`. Nothing here knows a device.
#![forbid(unsafe_code)]

pub mod cases;
pub mod interpret;
pub mod io;
pub mod kill;
pub mod mutants;
mod passes;
pub mod record;
pub mod registry;
mod round;
pub mod tape;
