//! What can go wrong, with its reason.

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

/// The errors in a compiler's output, in the forms `file(line): error: text` and `file:line:column: error: text`.
pub(super) fn messages(log: &str, name: &str) -> Vec<Message> {
    let parse = |line: &str| {
        let (place, text) = line.split_once("error").filter(|(p, _)| p.ends_with(": ") || p.ends_with(": fatal "))?;
        let place = place.trim_end_matches("fatal ").trim_end_matches([':', ' ']);
        let (file, at) = match place.strip_suffix(')').and_then(|p| p.rsplit_once('(')) {
            Some((file, line)) => (file, line.parse().ok()?),
            None => {
                let numbers: Vec<&str> = place.rsplitn(3, ':').collect();
                match numbers[..] {
                    [_, line, file] if line.parse::<u32>().is_ok() => (file, line.parse().ok()?),
                    [line, ..] => (place.strip_suffix(line)?.trim_end_matches(':'), line.parse().ok()?),
                    [] => return None,
                }
            }
        };
        // OpenCL implementations name a temporary file of their own.
        let file = if file.ends_with(".cl") || file == "<source>" || file.is_empty() { name } else { file };
        Some(Message { file: file.into(), line: at, text: text.trim_start_matches([':', ' ']).into() })
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
                   error: /root/.cache/a.cl:1:1: unknown\n";
        let found = messages(log, "k.cl");
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!((found[0].file.as_str(), found[0].line), ("k.cu", 3));
        assert_eq!((found[1].file.as_str(), found[1].line), ("k.cl", 12));
        assert_eq!(found[1].text, "use of undeclared identifier 'y'");
    }
}
