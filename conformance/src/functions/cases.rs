//! Files of inputs where functions are most wrong: a run begins with them, and adds what it finds.

use super::Results;
use crate::error::{Error, Expected};
use crate::{file, text};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use vernier_foreign::Number;
use vernier_oracle::Function;
use vernier_oracle::number::bits;

use super::results::format_of;

/// The inputs of a file: lines `TYPE FUNCTION ARG...`, in hex; text behind # is not read.
#[derive(Clone, Debug, Default)]
pub struct CaseFile {
    path: Option<PathBuf>,
    text: String,
    cases: Vec<(Function, Number, [u64; 3])>,
}

impl CaseFile {
    /// Reads a file; one that is not there has no cases yet.
    ///
    /// # Errors
    /// If a line is none.
    pub fn open(path: &Path) -> Result<CaseFile, Error> {
        let text = if path.exists() { file::read_regular(path)? } else { String::new() };
        let mut cases = Vec::new();
        for (i, line) in text.lines().enumerate() {
            let fault = |expected: Expected| Error::Line {
                name: crate::text::path(path),
                line: i + 1,
                expected: expected.in_line(line.as_bytes()),
            };
            cases.extend(parse(line).map_err(fault)?);
        }
        Ok(CaseFile { path: Some(path.into()), text, cases })
    }

    /// Those of a function and type.
    pub fn of(&self, function: Function, number: Number) -> Vec<[u64; 3]> {
        self.cases.iter().filter(|c| (c.0, c.1) == (function, number)).map(|c| c.2).collect()
    }

    /// A hash of the cases, where there are any.
    pub fn hash(&self) -> Option<String> {
        let hash = || Sha256::digest(format!("{:?}", self.cases)).iter().take(8).map(|b| format!("{b:02x}")).collect();
        (!self.cases.is_empty()).then(hash)
    }

    /// Adds the worst inputs of a run, and writes the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&self, results: &Results) -> Result<(), Error> {
        let Some(path) = &self.path else { return Ok(()) };
        let mut all = self.text.clone();
        for row in &results.rows {
            let Some(line) = row.case().filter(|line| !self.has(line)) else { continue };
            if !all.is_empty() && !all.ends_with('\n') {
                all.push('\n');
            }
            all.push_str(&format!("{line} # {} ulp, {}\n", text::figure(row.ulp, 6), results.subject));
        }
        file::write(path, &all)
    }

    fn has(&self, line: &str) -> bool {
        parse(line).is_ok_and(|case| case.is_some_and(|case| self.cases.contains(&case)))
    }
}

fn parse(line: &str) -> Result<Option<(Function, Number, [u64; 3])>, Expected> {
    let line = line.split('#').next().unwrap_or_default();
    let words: Vec<(usize, &str)> =
        line.split_whitespace().map(|word| (word.as_ptr().addr() - line.as_ptr().addr(), word)).collect();
    let Some((&(at, ty), rest)) = words.split_first() else { return Ok(None) };
    let number: Number = ty.parse().map_err(|_| Expected::at(at, "f16, bf16, f32, f64 or f128", ty.as_bytes()))?;
    let end = |k: usize| rest.get(k).map_or((line.len(), ""), |&(at, word)| (at, word));
    let (at, name) = end(0);
    let function =
        Function::of(name).ok_or_else(|| Expected::at(at, "the name of a function in C", name.as_bytes()))?;
    let format = format_of(number);
    let digits = if number == Number::F128 { 32 } else { bits::width(format) as usize / 4 };
    let mut args = [0; 3];
    for (k, arg) in args.iter_mut().enumerate().take(function.arity()) {
        let (at, word) = end(k + 1);
        let value = u128::from_str_radix(word, 16).ok().filter(|_| word.len() == digits && !word.starts_with('+'));
        let value = value.ok_or_else(|| Expected::at(at, format!("{digits} hex digits"), word.as_bytes()))?;
        *arg = if number == Number::F128 { (value >> 64) as u64 } else { value as u64 };
        if number == Number::F128 && value as u64 != bits::low(*arg) {
            let expected = format!("{:016x}, which a search puts behind {:016x}", bits::low(*arg), *arg);
            return Err(Expected::at(at + 16, expected, &word.as_bytes()[16..]));
        }
    }
    match rest.get(1 + function.arity()) {
        Some(&(at, word)) => Err(Expected::at(at, "the end of the line", word.as_bytes())),
        None => Ok(Some((function, number, args))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        assert_eq!(
            parse("f32 exp 3f800000 # 0.5 ulp").unwrap(),
            Some((Function::Exp, Number::F32, [0x3f80_0000, 0, 0]))
        );
        assert_eq!(parse("  # nothing").unwrap(), None);
        let column = |line: &str| parse(line).unwrap_err().in_line(line.as_bytes()).column;
        assert_eq!(column("f8 exp 3f80"), 1);
        assert_eq!(column("f32 ex 3f800000"), 5);
        assert_eq!(column("f32 pow 3f800000 3f8"), 18);
        assert_eq!(column("f32 pow 3f800000"), 17);
        assert_eq!(column("f32 exp 3f800000 3f800000"), 18);
    }
}
