//! Standard output and standard error, which may be full or gone.

use crate::error::Error;
use crate::text::{escaped, escaped_lines};
use std::fmt::Display;
use std::io::{self, BufWriter, StdoutLock, Write};
use std::sync::{Mutex, PoisonError};

/// Buffered standard output; [`Out::finish`] reports what could not be written.
///
/// A reader that has gone is no fault, and leaves the exit status to what is still to be found out.
pub struct Out {
    to: BufWriter<StdoutLock<'static>>,
    closed: bool,
}

impl Out {
    /// Locks standard output.
    pub fn new() -> Out {
        Out { to: BufWriter::new(io::stdout().lock()), closed: false }
    }

    /// Writes one line, or several; of control characters only line ends.
    pub fn line(&mut self, text: impl Display) -> Result<(), Error> {
        if self.closed {
            return Ok(());
        }
        let written = writeln!(self.to, "{}", escaped_lines(&text.to_string()));
        self.note(written)
    }

    /// Writes what is still in the buffer.
    pub fn finish(self) -> Result<(), Error> {
        self.finish_read().map(drop)
    }

    /// Writes what is still in the buffer; whether the reader was there until then.
    pub fn finish_read(mut self) -> Result<bool, Error> {
        if !self.closed {
            let written = self.to.flush();
            self.note(written)?;
        }
        Ok(!self.closed)
    }

    fn note(&mut self, written: io::Result<()>) -> Result<(), Error> {
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(())
            }
            other => other.map_err(|error| Error::write("standard output", error)),
        }
    }
}

/// Standard output for lines that appear as they are found, from any thread.
pub struct Stream(Mutex<io::Result<()>>);

impl Stream {
    /// Nothing written yet.
    pub fn new() -> Stream {
        Stream(Mutex::new(Ok(())))
    }

    /// Writes one line, as [`Out::line`]; after a failure nothing more is written.
    pub fn line(&self, text: impl Display) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if state.is_ok() {
            let mut to = io::stdout().lock();
            *state = writeln!(to, "{}", escaped_lines(&text.to_string())).and_then(|()| to.flush());
        }
    }

    /// What could not be written. A reader that has gone is no fault.
    pub fn finish(self) -> Result<(), Error> {
        match self.0.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Error::write("standard output", error)),
            _ => Ok(()),
        }
    }
}

/// Makes a write beyond the limit of file sizes an error like any other; the signal would end the program in the middle of it.
pub fn survive_full_files() {
    #[cfg(target_os = "linux")]
    {
        use std::sync::atomic::AtomicBool;
        // Where it cannot be set the signal does what it did.
        static SEEN: AtomicBool = AtomicBool::new(false);
        let _ = signal_hook::flag::register(SIGXFSZ, &SEEN);
    }
}

#[cfg(target_os = "linux")]
const SIGXFSZ: i32 = 25;

/// A message on standard error. Nothing is left to be done where that fails.
///
/// What of it came from input does nothing to a terminal: of control characters only the line ends of compilers' messages are kept.
pub fn complain(error: &Error) {
    let text = error.to_string();
    let shown = if error.has_lines() { escaped_lines(&text) } else { escaped(&text) };
    let _ = writeln!(io::stderr(), "vernier: {shown}");
}
