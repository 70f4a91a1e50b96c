//! Vernier's arithmetic on GPUs: the recording machine, what follows from a recorded function (operation counts,
//! interpretation, faults), and its printing as CUDA C++, OpenCL C and host C++.

pub mod bench;
pub mod catch;
pub mod device;
pub mod emit;
pub mod faults;
pub mod interpret;
pub mod io;
pub mod kernel;
mod passes;
pub mod print;
pub mod record;
pub mod registry;
mod round;
pub mod sass;
pub mod stat;
pub mod tape;
