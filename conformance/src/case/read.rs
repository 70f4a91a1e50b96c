//! Case lines from files and from standard input.

use super::{Case, Expected, parse_line};
use crate::error::Error;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
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
            Source::File(path) => path.display().to_string(),
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

/// Gives every line that is not blank to `sink`.
pub fn read_lines(source: &Source, mut sink: impl FnMut(Line) -> Result<(), Error>) -> Result<(), Error> {
    read_raw_lines(source, |number, line| match parse_line(line).transpose() {
        Some(case) => sink(Line { number, case }),
        None => Ok(()),
    })
}

/// Bytes of a line; cases have some hundreds.
const LONGEST: u64 = 1 << 16;

/// Gives every line, with its number from 1, to `sink`.
pub fn read_raw_lines(source: &Source, mut sink: impl FnMut(usize, &[u8]) -> Result<(), Error>) -> Result<(), Error> {
    let unreadable = |error: io::Error| Error::Read { name: source.name(), error };
    let mut input = source.open().map_err(unreadable)?;
    let mut line = Vec::new();
    let mut number = 0;
    loop {
        line.clear();
        number += 1;
        if input.by_ref().take(LONGEST + 1).read_until(b'\n', &mut line).map_err(unreadable)? == 0 {
            return Ok(());
        }
        if line.len() as u64 > LONGEST {
            let expected = Expected::at(0, format!("a line of at most {LONGEST} bytes"), &line).in_line(&line);
            return Err(Error::Line { name: source.name(), line: number, expected });
        }
        sink(number, &line)?;
    }
}
