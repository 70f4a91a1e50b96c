//! The headers that users include: for CUDA and host C++, and for OpenCL C.
//!
//! A header is made of *sections*, one a family of types and a common one before them. A section is guarded against being included
//! twice. Sections are joined to a text that is complete in itself, or written as a set of files that include each other.

mod class;
pub(crate) mod math;

use crate::print::{self, Cuda, Definition, Dialect, OpenCl, Rare};
use crate::stat;
use class::{FP32MP2, FP64MP2};
use std::collections::HashSet;
use vernier_tape::registry::{Function, custom, functions};

/// A family of types, which has a header of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// `fp32mp2` and `fp64mp2`.
    Pairs,
    /// `fp64emu` and `fp64emu_unpacked`.
    Emulated,
    /// `fp64_custom`.
    Custom,
    /// Instrumented pairs.
    Stat,
}

impl Family {
    /// All.
    pub const ALL: [Family; 4] = [Family::Pairs, Family::Emulated, Family::Custom, Family::Stat];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Family::Pairs => "pairs",
            Family::Emulated => "emulated",
            Family::Custom => "custom",
            Family::Stat => "stat",
        }
    }

    /// What its header includes.
    fn needs(self) -> &'static [Family] {
        match self {
            Family::Stat => &[Family::Pairs],
            _ => &[],
        }
    }

    /// The family of a function that is not of instruments.
    fn of(f: &Function) -> Family {
        match f.id.family() {
            "fp64emu" | "fp64emu_unpacked" => Family::Emulated,
            _ if custom::is_custom(f) => Family::Custom,
            _ => Family::Pairs,
        }
    }
}

/// A part of a header.
#[derive(Clone, Debug)]
pub struct Section {
    /// The family; none of what all need.
    pub family: Option<Family>,
    /// The text, without its guard.
    text: String,
}

impl Section {
    /// "common" or the family.
    pub fn name(&self) -> &'static str {
        self.family.map_or("common", Family::name)
    }
}

/// A file of a set.
#[derive(Clone, Debug)]
pub struct File {
    /// Where it belongs, `vernier/pairs.cuh` say.
    pub path: String,
    /// The section that it holds; none of the file that includes all.
    pub section: Option<&'static str>,
    /// The text.
    pub text: String,
}

/// The header of a language.
#[derive(Clone, Debug)]
pub struct Header {
    /// "cuh" or "cl".
    pub extension: &'static str,
    head: &'static str,
    /// What a section begins and ends with, inside its guard.
    around: (&'static str, &'static str),
    sections: Vec<Section>,
}

impl Header {
    /// The header for CUDA C++ and host C++.
    pub fn cuda(dialect: &Cuda, rare: Rare) -> Self {
        let body = |family| {
            let functions = bodies(dialect, rare, family, None);
            format!(
                "namespace vernier {{\nnamespace detail {{\n\n{functions}}} // namespace detail\n}} // namespace vernier\n\n"
            )
        };
        let common = [include_str!("guard.cuh"), &dialect.prelude(), "\n", include_str!("common.cuh")].concat();
        let pairs = [&body(Family::Pairs), include_str!("arithmetic.cuh"), &FP32MP2.text(), &FP64MP2.text()].concat();
        let texts = [
            (None, common),
            (Some(Family::Pairs), pairs),
            (Some(Family::Emulated), body(Family::Emulated) + EMULATED),
            (Some(Family::Custom), body(Family::Custom) + include_str!("custom.cuh")),
            (Some(Family::Stat), stat::cuda_header()),
        ];
        let sections = texts.into_iter().map(|(family, text)| Section { family, text }).collect();
        Header { extension: "cuh", head: include_str!("head.cuh"), around: PRECISE, sections }
    }

    /// The header for OpenCL C 1.2.
    pub fn opencl() -> Self {
        let body = |family| bodies(&OpenCl, Rare::Automatic, family, Some(DOUBLES));
        let common = [include_str!("guard.cl"), &OpenCl.prelude(), include_str!("self_test.cl")].concat();
        let texts = [
            (None, common),
            (Some(Family::Pairs), body(Family::Pairs) + include_str!("pair_atomic.cl")),
            (Some(Family::Emulated), body(Family::Emulated) + include_str!("emulated_atomic.cl")),
            (Some(Family::Custom), body(Family::Custom)),
            (Some(Family::Stat), stat::opencl_header()),
        ];
        let sections = texts.into_iter().map(|(family, text)| Section { family, text }).collect();
        Header { extension: "cl", head: include_str!("head.cl"), around: ("", ""), sections }
    }

    /// The sections.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// A section with its guard and, for a file, what it includes. Nothing is left of it where the compiler was refused.
    pub fn guarded(&self, section: &Section, includes: &[&str]) -> String {
        let name = format!("VERNIER_{}_{}", section.name().to_uppercase(), self.extension.to_uppercase());
        let includes: String = includes.iter().map(|i| format!("#include \"{i}.{}\"\n", self.extension)).collect();
        let (begin, end) = self.around;
        // The first section says whether the compiler is refused.
        let (open, close) = match section.family {
            None => (String::new(), ""),
            Some(_) => (String::from("#if !defined(VERNIER_REFUSED)\n"), "#endif\n"),
        };
        let text = &section.text;
        format!("#ifndef {name}\n#define {name}\n{includes}{open}{begin}{text}{end}{close}#endif\n")
    }

    /// The families and what they need, in one text that includes nothing of this.
    pub fn only(&self, families: &[Family]) -> String {
        let wanted: HashSet<&str> =
            families.iter().flat_map(|f| f.needs().iter().chain([f])).map(|f| f.name()).collect();
        let is_wanted = |s: &&Section| s.family.is_none_or(|f| wanted.contains(f.name()));
        let sections = self.sections.iter().filter(is_wanted).map(|s| self.guarded(s, &[]));
        self.head.to_string() + "\n" + &sections.collect::<String>()
    }

    /// Everything in one text.
    pub fn whole(&self) -> String {
        self.only(&Family::ALL)
    }

    /// A file for each section, and one that includes all.
    pub fn set(&self) -> Vec<File> {
        let mut files = Vec::new();
        let mut all = format!("{}\n", self.head);
        for section in &self.sections {
            let name = section.name();
            let needed = section.family.into_iter().flat_map(|f| f.needs()).map(|f| f.name());
            let includes: Vec<&str> = section.family.map(|_| "common").into_iter().chain(needed).collect();
            let path = format!("vernier/{name}.{}", self.extension);
            let first = format!("// {path}: a part of vernier.{}, which says what there is.\n", self.extension);
            files.push(File { path, section: Some(name), text: first + &self.guarded(section, &includes) });
            all += &format!("#include \"vernier/{name}.{}\"\n", self.extension);
        }
        files.push(File { path: format!("vernier.{}", self.extension), section: None, text: all });
        files
    }
}

/// Where clang shows no macro of the options that change results, this undoes them.
const PRECISE: (&str, &str) = (
    "#if defined(__clang__) && !defined(__CUDA_ARCH__)\n#pragma float_control(precise, on, push)\n#pragma clang fp contract(off)\n#endif\n",
    "#if defined(__clang__) && !defined(__CUDA_ARCH__)\n#pragma float_control(pop)\n#endif\n",
);

/// The classes of emulated doubles.
const EMULATED: &str = concat!(
    include_str!("emulated/levels.cuh"),
    include_str!("emulated/class.cuh"),
    include_str!("emulated/limits.cuh"),
    include_str!("emulated/functions.cuh"),
    include_str!("emulated/memory.cuh"),
);

/// The functions of a family. Those over formats that callers give as constants stand for those of fixed sizes.
fn printed(family: Family) -> impl Iterator<Item = &'static Function> {
    functions().iter().filter(move |f| custom::format_of(f.id.family()).is_none() && Family::of(f) == family)
}

/// The printed functions of a family. With `guard`, those that use doubles stand between an `#if` of that text and `#endif`.
fn bodies(dialect: &dyn Dialect, rare: Rare, family: Family, guard: Option<&str>) -> String {
    let list = print::definitions(printed(family));
    let mut out = print::tables(dialect, list.iter().map(Definition::tape));
    let mut guarded = false;
    for definition in list {
        if let Definition::Function(f) | Definition::Called(f) = definition {
            assert!(Family::of(f) == family, "{} calls another family, whose section it does not include", f.name());
        }
        let double = definition.has_doubles();
        if let Some(guard) = guard
            && double != guarded
        {
            out += &if double { format!("#if {guard}\n\n") } else { String::from("#endif\n\n") };
            guarded = double;
        }
        out += &definition.print(dialect, rare);
    }
    if guarded {
        out += "#endif\n\n";
    }
    out
}

/// The header for CUDA C++ and host C++, complete in itself.
pub fn cuda(dialect: &Cuda, rare: Rare) -> String {
    Header::cuda(dialect, rare).whole()
}

/// Whether an OpenCL device has doubles.
const DOUBLES: &str = "defined(cl_khr_fp64) || defined(__opencl_c_fp64)";

/// The header for OpenCL C 1.2.
pub fn opencl() -> String {
    Header::opencl().whole()
}
