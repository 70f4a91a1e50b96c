//! Every function of `vernier`, recorded: a *tape* lists its operations. Tapes are interpreted on the host, counted,
//! changed into mutants, and printed for devices by `vernier-gpu`. Nothing here knows a device.
//!
//! ```
//! use vernier_tape::registry;
//!
//! let add = registry::find("fp32mp2", "add", "mid").unwrap();
//! let [one, none] = [1.0f32, 0.0].map(|x| u64::from(x.to_bits()));
//! let two = add.host(&[one, none, one, none]);
//! assert_eq!(f32::from_bits(two[0] as u32), 2.0);
//! println!("{} nodes", add.tape.nodes.len());
//! ```
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
