//! Vernier's arithmetic on GPUs: the recording machine, what follows from a recorded function (operation counts,
//! interpretation, mutants), and its printing as CUDA C++, OpenCL C and host C++.

pub mod bench;
pub mod device;
pub mod emit;
pub mod kernel;
pub mod print;
pub mod sass;
pub mod stat;
