//! The text of a device's program and the options that it is compiled with.

use std::path::PathBuf;

/// A translation unit and how it is to be compiled.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Source {
    /// Its name in messages.
    pub name: String,
    /// The text: CUDA C++ or OpenCL C.
    pub text: String,
    /// Folders of headers. A source with such folders is never taken from the cache.
    pub include: Vec<PathBuf>,
    /// Macros, `NAME=VALUE`.
    pub define: Vec<String>,
    /// Products and sums are contracted, floats flushed and division approximated where the compiler can: a bad build
    /// on purpose, which gates must notice.
    pub contracted: bool,
}

impl Source {
    /// A source that needs nothing else.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Source { name: name.into(), text: text.into(), include: Vec::new(), define: Vec::new(), contracted: false }
    }

    /// The same, with contraction and approximations, a bad build on purpose.
    pub fn contracted(self) -> Self {
        Source { contracted: true, ..self }
    }

    pub(super) fn preprocessor_options(&self) -> impl Iterator<Item = String> + '_ {
        let include = self.include.iter().map(|d| format!("-I{}", d.display()));
        include.chain(self.define.iter().map(|d| format!("-D{d}")))
    }
}
