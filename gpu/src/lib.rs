//! Recorded functions on GPUs: printed as CUDA C++, OpenCL C and host C++, in kernels and headers, on devices, and how fast.
//!
//! ```
//! use vernier_gpu::print::{OpenCl, Rare, program};
//! use vernier_tape::registry;
//!
//! let add = registry::find("fp32mp2", "add", "mid").unwrap();
//! let text = program(&OpenCl, [add], Rare::Automatic);
//! assert!(text.contains("float2 fp32mp2_mid_add(float2 x0, float2 x1)"), "{text}");
//! for device in vernier_gpu::device::survey().devices {
//!     println!("{}", device.place());
//! }
//! ```

pub mod advise;
pub mod bench;
pub mod device;
pub mod emit;
pub mod expression;
pub mod kernel;
pub mod print;
pub mod sass;
pub mod stat;
