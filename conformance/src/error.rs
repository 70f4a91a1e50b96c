//! What can go wrong in any command, said so that the user can act on it.

use std::io;
use vernier::function::{Op, Type};

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
    /// A case that the subject cannot evaluate.
    #[error("{name}:{line}: {failure}")]
    Case {
        /// File name.
        name: String,
        /// Line number from 1.
        line: usize,
        /// The reason.
        failure: Box<Failure>,
    },
    /// There was nothing to check, and so nothing is known to hold.
    #[error("nothing was checked: {0}")]
    Nothing(String),
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
    /// A file of costs is not one.
    #[error("{name}: expected the costs.tsv of an earlier run: {reason}")]
    Costs {
        /// File name.
        name: String,
        /// Place and reason.
        reason: String,
    },
    /// The results of some shards are not there, or not of one run.
    #[error("{}", .0.join("\n"))]
    Parts(Vec<String>),
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
    Subject(Box<Failure>),
    /// A device cannot be used, or failed.
    #[error(transparent)]
    Device(Box<vernier_gpu::device::Error>),
    /// A twin cannot be checked.
    #[error(transparent)]
    Twin(#[from] vernier_twin::CheckError),
    /// A file of frames cannot be read.
    #[error(transparent)]
    Frames(#[from] vernier_twin::frame::ReadError),
    /// Another program could not be run, or its files not be read or written.
    #[error("running a program: {0}")]
    Program(#[from] io::Error),
    /// A function of a library cannot be called.
    #[error(transparent)]
    Foreign(#[from] vernier_foreign::Error),
    /// A device failed in the middle of a run.
    #[error("incomplete: {0}")]
    Incomplete(String),
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Error {
        Error::Subject(Box::new(failure))
    }
}

impl From<vernier_gpu::device::Error> for Error {
    fn from(error: vernier_gpu::device::Error) -> Error {
        Error::Device(Box::new(error))
    }
}

impl Error {
    /// Whether its text has the lines of a compiler's output.
    pub(crate) fn has_lines(&self) -> bool {
        use vernier_gpu::device::Error as Device;
        use vernier_twin::CheckError;
        let device = match self {
            Error::Incomplete(_) | Error::Parts(_) => return true,
            Error::Device(error) => error,
            Error::Twin(CheckError::Device(error)) => error,
            Error::Subject(failure) => match &**failure {
                Failure::Device(error) => error,
                Failure::Unsupported(_) => return false,
            },
            _ => return false,
        };
        matches!(device, Device::Compile { .. })
    }

    /// The error of writing to `name`.
    pub fn write(name: &str, error: io::Error) -> Error {
        Error::Write { name: name.into(), error }
    }
}

/// The subject lacks an operation or a type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{subject} has no operation {op} of {ty}")]
pub struct Unsupported {
    /// Its name.
    pub subject: &'static str,
    /// Type.
    pub ty: Type,
    /// Operation.
    pub op: Op,
}

/// Why a case has no result.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Failure {
    /// The subject lacks the operation.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// The device that evaluates failed.
    #[error(transparent)]
    Device(#[from] vernier_gpu::device::Error),
}

/// Why a line is not a case.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {what}, found {found}")]
pub struct Expected {
    /// Where, in characters from 1.
    pub column: usize,
    /// What was expected.
    pub what: String,
    /// What stands there.
    pub found: String,
}

impl Expected {
    /// An error at a byte of the line, counted from 0; [`Expected::in_line`] makes it a column.
    pub(crate) fn at(byte: usize, what: impl Into<String>, found: &[u8]) -> Expected {
        const SHOWN: usize = 40;
        let text = String::from_utf8_lossy(found);
        let mut shown: String = text.chars().take(SHOWN).flat_map(char::escape_debug).collect();
        if text.chars().count() > SHOWN {
            shown.push_str("...");
        }
        let found = if found.is_empty() { "the end of the line".into() } else { format!("`{shown}`") };
        Expected { column: byte, what: what.into(), found }
    }

    pub(crate) fn in_line(self, line: &[u8]) -> Expected {
        let before = &line[..self.column.min(line.len())];
        Expected { column: String::from_utf8_lossy(before).chars().count() + 1, ..self }
    }
}
