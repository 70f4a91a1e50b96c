//! Standard output and standard error, which may be full or gone.

use crate::error::Error;
use std::fmt::Display;
use std::io::{self, BufWriter, StdoutLock, Write};

/// Buffered standard output; [`Out::finish`] reports what could not be written.
pub struct Out(BufWriter<StdoutLock<'static>>);

impl Out {
    /// Locks standard output.
    pub fn new() -> Out {
        Out(BufWriter::new(io::stdout().lock()))
    }

    /// Writes one line.
    pub fn line(&mut self, text: impl Display) -> Result<(), Error> {
        writeln!(self.0, "{text}").map_err(fault)
    }

    /// Writes what is still in the buffer.
    pub fn finish(mut self) -> Result<(), Error> {
        self.0.flush().map_err(fault)
    }
}

fn fault(error: io::Error) -> Error {
    Error::write("standard output", error)
}

/// A message on standard error. Nothing is left to be done where that fails.
pub fn complain(error: &dyn Display) {
    let _ = writeln!(io::stderr(), "vernier: {error}");
}
