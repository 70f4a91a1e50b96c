//! Recorded functions on GPUs: printed as CUDA C++, OpenCL C and host C++, in kernels and headers, on devices, and how fast.

pub mod bench;
pub mod device;
pub mod emit;
pub mod kernel;
pub mod print;
pub mod sass;
pub mod stat;
