//! Where functions come from.

use super::{Candidate, rust};
use crate::error::Error;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;
use vernier_foreign::{Function as ForeignFunction, Library, Number, Program, Shape, Signature};
use vernier_oracle::Function;
use vernier_oracle::number::Second;

/// What is measured, as the user names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// A shared library: a path, or a name that the loader finds.
    Library(PathBuf),
    /// Rust's standard library, as this program was compiled with it.
    RustStd,
    /// Crate `libm`.
    CrateLibm,
}

impl std::fmt::Display for Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Subject::Library(path) => f.write_str(&crate::text::path(path)),
            Subject::RustStd => f.write_str("Rust's standard library"),
            Subject::CrateLibm => f.write_str("crate libm"),
        }
    }
}

/// A subject that is there.
pub struct Source {
    /// As the user names it.
    pub subject: Subject,
    library: Option<Library>,
    symbol: Option<String>,
    patience: Duration,
    program: fn() -> Program,
}

impl Source {
    /// Looks for a subject. `symbol` stands in place of the name that C's rule gives a library's function; calls that take longer
    /// than `patience` are endless; `program` starts the process that calls.
    ///
    /// # Errors
    /// If there is no such library.
    pub fn open(
        subject: Subject,
        symbol: Option<String>,
        patience: Duration,
        program: fn() -> Program,
    ) -> Result<Source, Error> {
        let library = match &subject {
            Subject::Library(path) => Some(Library::find(path)?),
            _ => None,
        };
        Ok(Source { subject, library, symbol, patience, program })
    }

    /// The name of a function of a type there.
    pub fn symbol(&self, function: Function, number: Number) -> String {
        match (&self.symbol, &self.library) {
            (Some(symbol), _) => symbol.clone(),
            (None, Some(_)) => format!("{function}{}", number.suffix()),
            (None, None) => function.to_string(),
        }
    }

    /// Whether the function of a type is there.
    pub fn has(&self, function: Function, number: Number) -> bool {
        match &self.library {
            Some(library) => library.has(&self.symbol(function, number)),
            None => self.rust(function, number).is_some(),
        }
    }

    fn rust(&self, function: Function, number: Number) -> Option<Candidate> {
        match self.subject {
            Subject::RustStd => rust::standard(function, number),
            Subject::CrateLibm => rust::crate_libm(function, number),
            Subject::Library(_) => None,
        }
    }

    /// The function of a type.
    ///
    /// # Errors
    /// If it is not there, or its library cannot be loaded.
    pub fn candidate(&self, function: Function, number: Number) -> Result<Candidate, Error> {
        let Some(library) = &self.library else {
            let missing = || Error::Usage(format!("{} has no {function} of {}", self.subject, number.name()));
            return self.rust(function, number).ok_or_else(missing);
        };
        let shape = match (function.second(), function.arity()) {
            (Second::Pointers, _) => Shape::TwoResults,
            (Second::Integer, _) => Shape::AndInt,
            (Second::Number, _) => Shape::AndNumber,
            (Second::None, 1) => Shape::One,
            (Second::None, 2) => Shape::Two,
            (Second::None, _) => Shape::Three,
        };
        let signature = Signature { shape, number };
        let symbol = self.symbol(function, number);
        let f = ForeignFunction::open(library, &symbol, signature, self.patience, (self.program)())?;
        Ok(Candidate::Foreign(Box::new(f)))
    }
}
