//! What can be wrong with a library, and what a function did.

use std::fmt;
use std::io;

/// Why a function cannot be called at all.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no such library.
    #[error("{name}: no such library{}", proposal(near))]
    NoLibrary {
        /// As it was asked for.
        name: String,
        /// Libraries that are there and have a similar name.
        near: Vec<String>,
    },
    /// The file is no shared library.
    #[error("{name}: this is not a shared library: {reason}")]
    NotLibrary {
        /// Its path.
        name: String,
        /// What its reader says.
        reason: String,
    },
    /// The library has no such symbol.
    #[error("{library} has no function `{symbol}`{}", proposal(near))]
    NoSymbol {
        /// Its path.
        library: String,
        /// As it was asked for.
        symbol: String,
        /// Symbols that it has and that are similar.
        near: Vec<String>,
    },
    /// The library cannot be loaded.
    #[error("{library} cannot be loaded: {reason}")]
    Load {
        /// Its path.
        library: String,
        /// What the loader says.
        reason: String,
    },
    /// The child process cannot be started, or memory cannot be shared with it.
    #[error("the process that calls the function cannot be started: {0}")]
    Start(#[from] io::Error),
}

fn proposal(near: &[String]) -> String {
    if near.is_empty() { String::new() } else { format!("; similar names: {}", near.join(", ")) }
}

/// What a function did in place of returning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The input, as bits of the arguments; none where it happened in no call.
    pub input: Option<[u64; 3]>,
    /// What.
    pub what: What,
}

/// What a function did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// The process ended.
    Ended(String),
    /// It did not return within so many seconds.
    Endless(u64),
    /// It gave other bits when it was called again.
    Differs([u64; 2], [u64; 2]),
    /// A device or a compiler failed.
    Failed(String),
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            What::Ended(how) => write!(f, "the process ended ({how})"),
            What::Endless(seconds) => write!(f, "it did not return within {seconds} s"),
            What::Differs(..) => {
                f.write_str("it gave another result when it was called again: it is no function of its arguments")
            }
            What::Failed(how) => f.write_str(how),
        }
    }
}

/// What the library did to the processor's settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Changed {
    /// The rounding direction is another.
    pub rounding: bool,
    /// Subnormal numbers are taken for zero, or results flushed to it.
    pub flushing: bool,
    /// At the input of this call, the first; none while loading.
    pub input: Option<[u64; 3]>,
}

impl fmt::Display for Changed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match (self.rounding, self.flushing) {
            (true, true) => "the rounding mode and the flushing of subnormal numbers",
            (true, false) => "the rounding mode",
            _ => "the flushing of subnormal numbers",
        };
        let when = if self.input.is_some() { "a call" } else { "loading the library" };
        write!(f, "{when} changes {what}; every call was made in the usual mode")
    }
}
