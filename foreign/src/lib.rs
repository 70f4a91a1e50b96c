//! Calls functions of shared libraries, in a child process.
//!
//! A function of somebody else's library may crash, never return, end the process or leave the rounding mode changed. So it is
//! called in a child: this program again, started by a command that the caller gives, which goes straight to [`serve`]. Parent and
//! child share a mapped file that holds inputs, results, and the number of the call that is under way; a byte
//! through a pipe says that the other side may go on. What a call did is known from the number that the child left behind.
//!
//! ```no_run
//! use std::{process::Command, time::Duration};
//! use vernier_foreign::{Function, Library, Number, Shape, Signature};
//!
//! // The program starts itself again, and in `main` calls `vernier_foreign::serve()` where it is asked so.
//! let program = || {
//!     let mut command = Command::new(std::env::current_exe()?);
//!     command.arg("foreign-child");
//!     Ok(command)
//! };
//! let library = Library::find("libm.so.6".as_ref()).unwrap();
//! let signature = Signature { shape: Shape::One, number: Number::F64 };
//! let exp = Function::open(&library, "exp", signature, Duration::from_secs(10), Box::new(program)).unwrap();
//! let (x, none, mut y) = (vec![1f64.to_bits()], vec![0], [vec![0], vec![0]]);
//! exp.call(1, &[x, none.clone(), none], &mut y, false).unwrap();
//! println!("{}", f64::from_bits(y[0][0]));
//! ```
//!
//! Arguments and results of binary128 are two words each, on x86-64 of Unix systems.
//!
//! Unsafe code is in three places: the call itself ([`call`](mod@call)), the mapped file, and the processor's control register.

mod call;
mod child;
mod control;
mod error;
mod library;
mod parent;
mod shared;
mod signature;

pub use child::serve;
pub use error::{Changed, Error, Fault, What};
pub use library::{Library, near};
pub use parent::{Function, Program};
pub use signature::{Number, Shape, Signature};

/// The most calls of a request.
pub const MOST: usize = 4096;
