//! Case lines from files and from standard input.

use super::{Case, Expected, parse_line};
use crate::error::Error;
use crate::file::BYTE_ORDER_MARK;
use crate::text;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::PathBuf;

/// Where lines come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A file.
    File(PathBuf),
    /// Standard input.
    Stdin,
}

impl Source {
    /// The source that a command line names: `-` is standard input.
    pub fn named(name: &str) -> Source {
        if name == "-" { Source::Stdin } else { Source::File(name.into()) }
    }

    /// Its name in messages.
    pub fn name(&self) -> String {
        match self {
            Source::File(path) => text::path(path),
            Source::Stdin => "<stdin>".into(),
        }
    }

    fn open(&self) -> io::Result<Box<dyn BufRead>> {
        Ok(match self {
            Source::File(path) => Box::new(BufReader::new(File::open(path)?)),
            Source::Stdin => Box::new(io::stdin().lock()),
        })
    }
}

/// A line that is a case, or why it is none.
pub struct Line {
    /// Its number, from 1.
    pub number: usize,
    /// What it holds.
    pub case: Result<Case, Expected>,
}

/// Terms of `sum`, `product` and `dot` in a line.
pub const MOST_TERMS: usize = 1 << 20;

/// Bytes of a line before its comment: [`MOST_TERMS`] of `dot`, two pairs of doubles in hexadecimal each, are 68 MiB.
///
/// So much memory does the text of a line take; 2^20 terms of `dot`, read, evaluated and printed, take 310 MiB in all, and 560 MiB with
/// their exact value.
pub const LONGEST: usize = 1 << 27;

/// Gives every line that is not blank to `sink`. Comments may have any length.
pub fn read_lines(source: &Source, mut sink: impl FnMut(Line) -> Result<(), Error>) -> Result<(), Error> {
    read_raw_lines(source, LONGEST, Some(b'#'), |number, line| match line.and_then(parse_line).transpose() {
        Some(case) => sink(Line { number, case }),
        None => Ok(()),
    })
}

/// Gives every line, with its number from 1, to `sink`: without its end and what follows the byte that begins a comment. A line of
/// more than `longest` bytes is an error of its own, and is not kept in memory. A byte-order mark at the start is skipped.
pub fn read_raw_lines(
    source: &Source,
    longest: usize,
    comment: Option<u8>,
    mut sink: impl FnMut(usize, Result<&[u8], Expected>) -> Result<(), Error>,
) -> Result<(), Error> {
    let unreadable = |error: io::Error| Error::Read { name: source.name(), error };
    let mut input = source.open().map_err(unreadable)?;
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let there = read_line(&mut *input, longest, comment, &mut line).map_err(unreadable)?;
        if !there {
            break;
        }
        let text = if number == 1 { line.strip_prefix(BYTE_ORDER_MARK.as_bytes()).unwrap_or(&line) } else { &line };
        let too_long =
            || Expected::at(0, format!("a line of at most {longest} bytes before a comment"), &line).in_line(&line);
        sink(number, if line.len() > longest { Err(too_long()) } else { Ok(text) })?;
    }
    Ok(())
}

/// The bytes of the next line before its comment, one more than `longest` at most; whether there is a line.
fn read_line(input: &mut dyn BufRead, longest: usize, comment: Option<u8>, line: &mut Vec<u8>) -> io::Result<bool> {
    let (mut there, mut kept) = (false, true);
    loop {
        let bytes = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            other => other?,
        };
        if bytes.is_empty() {
            return Ok(there);
        }
        there = true;
        let end = bytes.iter().position(|&b| b == b'\n');
        let part = &bytes[..end.unwrap_or(bytes.len())];
        if kept {
            let code = part.iter().position(|&b| Some(b) == comment);
            let room = longest + 1 - line.len();
            line.extend_from_slice(&part[..code.unwrap_or(part.len()).min(room)]);
            kept = code.is_none() && line.len() <= longest;
        }
        let read = end.map_or(bytes.len(), |end| end + 1);
        input.consume(read);
        if end.is_some() {
            return Ok(true);
        }
    }
}
