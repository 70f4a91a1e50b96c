#![doc = include_str!("../GUIDE.md")]
#![forbid(unsafe_code)]

mod check;
mod contract;
pub mod dot;
pub mod frame;
pub mod moments;
mod report;

pub use check::{CheckError, Options, check};
pub use contract::{Case, Fault, InputError, On, Outputs, Twin};
pub use report::{CaseReport, FaultReport, OutputReport, Report};
pub use vernier_gpu::device::{Api, Device, Error as DeviceError, Place};
