//! What can go wrong, said so that the user can act on it.

use crate::case::Expected;
use std::io;

/// Why a command could not be carried out. All end the program with exit status 2.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file or stream cannot be read.
    #[error("{name}: cannot be read: {error}")]
    Read {
        /// File name.
        name: String,
        /// The system's reason.
        error: io::Error,
    },
    /// A file or stream cannot be written.
    #[error("{name}: cannot be written: {error}")]
    Write {
        /// File name.
        name: String,
        /// The system's reason.
        error: io::Error,
    },
    /// A line is not a case.
    #[error("{name}:{line}:{}: {expected}", expected.column)]
    Line {
        /// File name.
        name: String,
        /// Line number from 1.
        line: usize,
        /// What was expected in which column.
        expected: Expected,
    },
    /// Lines that could not be evaluated, each of them reported already.
    #[error("{0} of the lines could not be evaluated")]
    Lines(usize),
    /// A result file is not one.
    #[error("{name}: expected a whole result file of this program: {reason}")]
    Results {
        /// File name.
        name: String,
        /// Place and reason.
        reason: String,
    },
    /// A checkpoint is not one, or of no use to this run.
    #[error("{name}: this is no whole checkpoint of this program: {reason}; remove it to start anew")]
    Checkpoint {
        /// File name.
        name: String,
        /// Place and reason.
        reason: String,
    },
    /// Result files do not belong together.
    #[error("{name}: {reason}")]
    Disagree {
        /// The file that does not fit.
        name: String,
        /// In what it differs, and what was expected.
        reason: String,
    },
    /// A filter or combination of options selects nothing, or is impossible.
    #[error("{0}")]
    Usage(String),
    /// The subject does not have the operation, or failed.
    #[error(transparent)]
    Subject(Box<crate::subject::Failure>),
    /// A device cannot be used, or failed.
    #[error(transparent)]
    Device(Box<vernier_gpu::device::Error>),
    /// A twin cannot be checked.
    #[error(transparent)]
    Twin(#[from] vernier_twin::CheckError),
    /// A file of frames cannot be read.
    #[error(transparent)]
    Frames(#[from] vernier_twin::frame::ReadError),
    /// A device failed in the middle of a run.
    #[error("incomplete: {0}")]
    Incomplete(String),
}

impl From<crate::subject::Failure> for Error {
    fn from(failure: crate::subject::Failure) -> Error {
        Error::Subject(Box::new(failure))
    }
}

impl From<vernier_gpu::device::Error> for Error {
    fn from(error: vernier_gpu::device::Error) -> Error {
        Error::Device(Box::new(error))
    }
}

impl Error {
    /// The error of writing to `name`.
    pub fn write(name: &str, error: io::Error) -> Error {
        Error::Write { name: name.into(), error }
    }
}
