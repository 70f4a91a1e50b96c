//! What can go wrong with a device, with its reason.

use super::Api;
use serde::{Deserialize, Serialize};
use std::fmt;
use thiserror::Error;

/// Why a device, or every device of a kind, cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unusable {
    /// The driver's library is not installed.
    #[error("no driver: {library} cannot be loaded")]
    NoDriver {
        /// The library looked for.
        library: String,
    },
    /// The driver is there and knows no device.
    #[error("the driver knows no device")]
    NoDevice,
    /// The driver cannot be started.
    #[error("the driver does not start: {0}")]
    Driver(String),
    /// The driver is too old.
    #[error("driver for CUDA {found} is too old: {needed} or later is needed")]
    OldDriver {
        /// The version found.
        found: String,
        /// The oldest that will do.
        needed: String,
    },
    /// There is no compiler.
    #[error("no compiler: {library} cannot be loaded")]
    NoCompiler {
        /// The library looked for.
        library: String,
    },
    /// The compiler does not know the architecture.
    #[error("{compiler} does not compile for {architecture}, only for {supported}")]
    Architecture {
        /// The compiler.
        compiler: String,
        /// The device's architecture.
        architecture: String,
        /// The range of architectures it knows.
        supported: String,
    },
    /// The device lacks something that the arithmetic needs.
    #[error("the device has no {0}")]
    Lacks(String),
}

/// A message of a compiler.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// The file it speaks of.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// What it says.
    pub text: String,
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.text)
    }
}

/// A failure on a device.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum Error {
    /// The device cannot be used.
    #[error("{api} device {index} cannot be used: {why}")]
    Unusable {
        /// How it is driven.
        api: Api,
        /// Its number.
        index: usize,
        /// The reason.
        why: Unusable,
    },
    /// There are fewer devices.
    #[error("there is no {api} device {index}: {found} found")]
    NoSuchDevice {
        /// How it is driven.
        api: Api,
        /// The number asked for.
        index: usize,
        /// How many there are.
        found: usize,
    },
    /// A source does not compile.
    #[error("{}does not compile with {compiler} ({}):\n{log}", first(errors, source_name), options.join(" "))]
    Compile {
        /// The source's name.
        source_name: String,
        /// The compiler.
        compiler: String,
        /// Its options.
        options: Vec<String>,
        /// The errors that name a line.
        errors: Vec<Message>,
        /// All that the compiler printed.
        log: String,
    },
    /// The device's memory does not suffice.
    #[error("out of device memory: {bytes} more bytes were asked for")]
    OutOfMemory {
        /// The size of the allocation that failed, 0 where it is not known.
        bytes: usize,
    },
    /// The device failed and takes no more work.
    #[error("the device was lost: {0}")]
    Lost(String),
    /// A kernel was given other arguments than it takes.
    #[error("kernel {kernel}: {problem}")]
    Arguments {
        /// The kernel.
        kernel: String,
        /// What does not fit.
        problem: String,
    },
    /// A buffer, kernel or event was used with another device than its own.
    #[error("a buffer, kernel or event of another device")]
    OtherDevice,
    /// A call to the driver failed.
    #[error("{call}: {code}")]
    Call {
        /// What was tried.
        call: String,
        /// The driver's answer.
        code: String,
    },
}

fn first(errors: &[Message], name: &str) -> String {
    errors.first().map_or(format!("{name} "), |m| format!("{}:{}: {name} ", m.file, m.line))
}

/// The errors in a compiler's output, in the forms `file(line): error: text`, `file:line:column: error: text` and
/// `error: file:line:column: text`.
pub(crate) fn messages(log: &str, name: &str) -> Vec<Message> {
    let parse = |line: &str| {
        let line = line.trim_start();
        let (place, text) = match ["error: ", "fatal error: "].iter().find_map(|e| line.strip_prefix(e)) {
            Some(rest) => rest.split_once(": ")?,
            None => {
                [": error: ", ": fatal error: ", ": catastrophic error: "].iter().find_map(|e| line.split_once(e))?
            }
        };
        let (file, line) = match place.strip_suffix(')').and_then(|p| p.rsplit_once('(')) {
            Some((file, line)) => (file, line),
            None => {
                let (rest, last) = place.rsplit_once(':')?;
                match rest.rsplit_once(':') {
                    Some((file, line)) if line.parse::<u32>().is_ok() => (file, line),
                    _ => (rest, last),
                }
            }
        };
        // OpenCL implementations name a temporary file of their own.
        let file = if file.ends_with(".cl") || file == "<source>" || file.is_empty() { name } else { file };
        Some(Message { file: file.into(), line: line.parse().ok()?, text: text.into() })
    };
    log.lines().filter_map(parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_both_compilers() {
        let log = "k.cu(3): error: identifier \"x\" is undefined\n  int a = x;\n\
                   /tmp/pocl/tempfile_a.cl:12:5: error: use of undeclared identifier 'y'\n\
                   error: /root/.cache/a.cl:4:1: unknown\n8 errors generated.\n";
        let found = messages(log, "k.cl");
        assert_eq!(found.len(), 3, "{found:?}");
        assert_eq!((found[0].file.as_str(), found[0].line), ("k.cu", 3));
        assert_eq!((found[1].file.as_str(), found[1].line), ("k.cl", 12));
        assert_eq!(found[1].text, "use of undeclared identifier 'y'");
        assert_eq!(found[2], Message { file: "k.cl".into(), line: 4, text: "unknown".into() });
    }
}
