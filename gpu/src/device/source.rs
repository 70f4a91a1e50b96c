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
    /// Machine code for CUDA names the lines that it comes from.
    pub lines: bool,
    /// The options of somebody whose arithmetic it is, in place of those that fix arithmetic here.
    pub options: Option<Vec<String>>,
}

impl Source {
    /// A source that needs nothing else.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Source {
            name: name.into(),
            text: text.into(),
            include: Vec::new(),
            define: Vec::new(),
            contracted: false,
            lines: false,
            options: None,
        }
    }

    /// The same, with contraction and approximations, a bad build on purpose.
    pub fn contracted(self) -> Self {
        Source { contracted: true, ..self }
    }

    /// How many parameters the kernel of this name has, by its first mention, which is its definition.
    pub(super) fn parameters(&self, kernel: &str) -> Option<usize> {
        let (_, list) = self.text.split_once(&format!("void {kernel}("))?;
        let (list, _) = list.split_once(')')?;
        Some(if list.trim().is_empty() { 0 } else { list.matches(',').count() + 1 })
    }

    pub(super) fn preprocessor_options(&self) -> impl Iterator<Item = String> + '_ {
        let include = self.include.iter().map(|d| format!("-I{}", d.display()));
        include.chain(self.define.iter().map(|d| format!("-D{d}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::program::KernelInner;
    use crate::device::{Api, Device};

    #[test]
    fn parameters_are_counted_in_the_text() {
        let text = "KERNEL void none()\n{\n}\nKERNEL BOUNDS(1, 2) void two(int n,\n  G *x)\n{ two_more(n, x, 0); }";
        let source = Source::new("a.cu", text);
        assert_eq!(["none", "two", "three"].map(|k| source.parameters(k)), [Some(0), Some(2), None]);
    }

    #[test]
    fn parameters_are_as_many_as_a_driver_counts() {
        let functions: Vec<_> = vernier_tape::registry::functions().iter().step_by(100).collect();
        let source = crate::kernel::source(Api::OpenCl, &functions, None);
        let Ok(device) = Device::open(Api::OpenCl, 0) else {
            println!("SKIPPED: no OpenCL device");
            return;
        };
        let program = device.compile(&source).unwrap();
        let kernels: Vec<&str> = source.text.split("VERNIER_KERNEL void ").skip(1).collect();
        assert!(kernels.len() > functions.len());
        for kernel in kernels {
            let name = kernel.split('(').next().unwrap();
            let KernelInner::OpenCl(k) = program.kernel(name).unwrap().inner else { unreachable!("OpenCL") };
            assert_eq!(source.parameters(name), Some(k.count()), "{name}");
        }
    }
}
