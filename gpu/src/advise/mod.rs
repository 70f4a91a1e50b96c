//! A user's kernel in every type: programs for the host and for CUDA, and what its machine code is made of.
//!
//! A *kernel* is a class template `NAME<T>` with a function `item` for one thread's work on item i of n: it takes the arrays of data as
//! `const double *`, then `long n, long i`, and returns a T. A *candidate* is the type that T stands for and the type in which items are
//! summed. A thread of a sum adds items t, t + threads, ...; the threads' sums are added in their order.

mod code;
mod device;
mod host;
mod time;
mod trace;

pub use code::{Code, Conversion, analyse};
pub use device::{Job, Measured, measure_all};
pub use host::{Built, Faulty, Host, Outcome, Unit, compiler, formats, sample};
pub use time::{Time, iterations, times};
pub use trace::{Step, code_of, parse as parse_trace};

use crate::bench::Subject;
use crate::device::{Error, Source, cuda};
use crate::emit::{Family, Header};
use crate::print::{Cuda, Rare};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Threads of a sum at most.
pub const THREADS: u64 = 1 << 17;

/// A user's kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kernel {
    /// The file, as messages name it.
    pub file: String,
    /// Its folder, where what it includes is looked for.
    pub folder: PathBuf,
    /// Its text.
    pub text: String,
    /// The class template.
    pub name: String,
    /// How many arrays of data it takes.
    pub arrays: usize,
}

/// A type that could be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Candidate {
    /// What T stands for.
    pub item: Subject,
    /// What items are summed in; the same where nothing is summed.
    pub sum: Subject,
    /// What some of the items of a map are computed in, on another pipe at the same time, and stored as doubles.
    #[serde(default)]
    pub beside: Option<Subject>,
}

/// Types without the FP64 pipe that share the items of a map with native double: the first has its bits.
const BESIDE: [Subject; 4] =
    [Subject::Fp64emuHigh, Subject::Fp64emuUnpackedLow, Subject::Fp64emuUnpackedMid, Subject::Fp64emuUnpackedHigh];

/// Sums that are tried in a wider type than that of the items.
const MIXES: [(Subject, Subject); 7] = [
    (Subject::Float, Subject::Double),
    (Subject::Fp32mp2Low, Subject::Double),
    (Subject::Fp32mp2Mid, Subject::Double),
    (Subject::Fp32mp2High, Subject::Double),
    (Subject::Double, Subject::Fp64mp2Low),
    (Subject::Double, Subject::Fp64mp2Mid),
    (Subject::Double, Subject::Fp64emuUnpackedHigh),
];

impl Candidate {
    /// A type alone.
    pub const fn single(item: Subject) -> Candidate {
        Candidate::summed(item, item)
    }

    /// Items in one type, their sum in another.
    pub const fn summed(item: Subject, sum: Subject) -> Candidate {
        Candidate { item, sum, beside: None }
    }

    /// Native double and types beside it, which share the items of a map.
    pub fn shared() -> Vec<Candidate> {
        BESIDE.map(|s| Candidate { beside: Some(s), ..Candidate::single(Subject::Double) }).to_vec()
    }

    /// Every candidate of a map, or of a sum in the items' type or in the one that is given.
    pub fn all(sums: bool, sum_in: Option<Subject>) -> Vec<Candidate> {
        let singles = Subject::ALL.into_iter().map(|item| Candidate::summed(item, sum_in.unwrap_or(item)));
        let mixes = MIXES.into_iter().filter(|_| sums && sum_in.is_none());
        singles.chain(mixes.map(|(item, sum)| Candidate::summed(item, sum))).collect()
    }

    /// Whether one type does everything.
    pub fn is_single(&self) -> bool {
        self.item == self.sum && self.beside.is_none()
    }

    /// Its type, or both: `fp32mp2_low, sum in double`, `double beside fp64emu_high`.
    pub fn name(&self) -> String {
        match self.beside {
            Some(beside) => format!("{} beside {}", self.item.name(), beside.name()),
            None if self.is_single() => self.item.name(),
            None => format!("{}, sum in {}", self.item.name(), self.sum.name()),
        }
    }
}

/// A type by its name; a level that is not named is the type's usual one.
pub fn subject(name: &str) -> Option<Subject> {
    let usual = match name {
        "fp32mp2" | "fp64mp2" => format!("{name}_mid"),
        "fp64emu" | "fp64emu_unpacked" => format!("{name}_high"),
        _ => name.to_string(),
    };
    Subject::ALL.into_iter().find(|s| s.name() == usual)
}

/// In C++.
fn spelled(subject: Subject) -> String {
    if subject.is_native() { subject.name() } else { format!("vernier::{}", subject.name()) }
}

/// A program with the kernels of a candidate.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// Its text.
    pub source: Source,
    /// Its machine code.
    pub code: Vec<u8>,
    /// The candidate's place among those of the program.
    pub place: usize,
}

/// The name of a kernel of the candidate at a place.
pub fn symbol(place: usize, what: &str) -> String {
    format!("advise_{place}_{what}")
}

/// The name of what follows the user's text, in messages.
const OWN: &str = "vernier_advise";

impl Kernel {
    /// A template with the kernel's name and arrays put in.
    fn fill(&self, template: &str) -> String {
        let each = |one: fn(usize) -> String| (0..self.arrays).map(one).collect::<String>();
        template
            .replace("$params", &each(|k| format!("const double *x{k}, ")))
            .replace("$args", &each(|k| format!("x{k}, ")))
            .replace("$data", &each(|k| format!("data[{k}], ")))
            .replace("$arrays", &self.arrays.to_string())
            .replace("$kernel", &self.name)
    }

    /// The types, the user's text, and what runs it in any type.
    fn program(&self, header: &str) -> String {
        let line = |name: &str| format!("\n#line 1 \"{}\"\n", name.replace('\\', "/").replace('"', "'"));
        let (user, own) = (line(&self.file), line(OWN));
        let absent = trace::absent(header);
        format!("{header}{own}{absent}{user}{}{own}{}", self.text, self.fill(include_str!("common.txt")))
    }

    /// Folders of what the text includes, if it includes anything.
    fn include(&self) -> Vec<PathBuf> {
        if self.text.contains("#include \"") { vec![self.folder.clone()] } else { Vec::new() }
    }

    /// The types' header.
    fn header() -> String {
        let families = [Family::Pairs, Family::Emulated, Family::Custom];
        Header::cuda(&Cuda::default(), Rare::Automatic).only(&families)
    }

    /// A CUDA program with the kernels of some candidates, which have the [`symbol`]s `values`, `timed` and, of sums, `total`.
    pub fn cuda(&self, candidates: &[Candidate], sums: bool) -> Source {
        let mut text = self.program(&Kernel::header());
        for (place, c) in candidates.iter().enumerate() {
            let template = match c.beside {
                Some(_) => include_str!("cuda_shared.txt"),
                None if sums => concat!(include_str!("cuda.txt"), include_str!("cuda_sum.txt")),
                None => concat!(include_str!("cuda.txt"), include_str!("cuda_map.txt")),
            };
            let own = self.fill(template).replace("$type", &spelled(c.item)).replace("$sum", &spelled(c.sum));
            let own = own.replace("$beside", &c.beside.map_or(String::new(), spelled));
            text += &own.replace("void advise_", &format!("void {}", symbol(place, "")));
        }
        Source { lines: true, include: self.include(), ..Source::new("advise.cu", text) }
    }

    /// The machine code of every candidate, or why it does not compile. Types of one kind are compiled together, since the compiler reads
    /// the header anew each time, and does one thing at a time; alone where one of them does not compile.
    ///
    /// # Errors
    /// Where there is no compiler.
    pub fn compiled(
        &self,
        candidates: &[Candidate],
        sums: bool,
        architecture: &str,
    ) -> Result<Vec<Result<Compiled, Error>>, Error> {
        let kind = |c: &Candidate| (c.beside, c.item.is_emulated() || c.sum.is_emulated());
        let kinds: BTreeSet<_> = candidates.iter().map(kind).collect();
        let together = |list: &[Candidate]| {
            let source = self.cuda(list, sums);
            let code = cuda::compile_once(&source, architecture)?;
            Ok((0..list.len()).map(|place| Compiled { source: source.clone(), code: code.clone(), place }).collect())
        };
        let of_kind = |k: &_| -> Vec<(usize, Result<Compiled, Error>)> {
            let (places, list): (Vec<usize>, Vec<Candidate>) =
                candidates.iter().copied().enumerate().filter(|(_, c)| kind(c) == *k).unzip();
            let all: Vec<Result<Compiled, Error>> = match together(&list) {
                Ok(all) => Vec::into_iter(all).map(Ok).collect(),
                Err(fault) if list.len() == 1 => vec![Err(fault)],
                Err(_) => list.par_iter().map(|&c| together(&[c]).map(|mut one: Vec<_>| one.remove(0))).collect(),
            };
            places.into_iter().zip(all).collect()
        };
        let mut found: Vec<_> = kinds.par_iter().flat_map_iter(of_kind).collect();
        found.sort_by_key(|(place, _)| *place);
        let of_user = |one: Result<Compiled, Error>| match one {
            Err(fault) if !matches!(fault, Error::Compile { .. }) => Err(fault),
            other => Ok(other),
        };
        found.into_iter().map(|(_, one)| of_user(one)).collect()
    }
}

/// The error of a compiler that matters to the user: its first, at the first line of the user's file that it speaks of.
pub fn first_error(log: &str, file: &str) -> String {
    let messages = crate::device::messages(log, OWN);
    let Some(first) = messages.first() else {
        return log.lines().find(|l| !l.trim().is_empty()).unwrap_or("no message").trim().to_string();
    };
    let own = messages.iter().find(|m| m.file == file || m.file.ends_with(&format!("/{file}")));
    let line = own.map(|m| m.line).or_else(|| {
        log.lines().find_map(|l| {
            let (before, rest) = l.split_once(file)?;
            let number = match rest.strip_prefix([':', '(']) {
                Some(rest) => rest.split(|c: char| !c.is_ascii_digit()).next()?,
                None => before.strip_suffix(" of ")?.rsplit_once("at line ")?.1,
            };
            number.parse().ok()
        })
    });
    let text = own.unwrap_or(first).text.trim();
    match line {
        Some(line) => format!("{file}:{line}: {text}"),
        None => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates() {
        assert_eq!(Candidate::all(false, None).len(), 14);
        let sums = Candidate::all(true, None);
        assert_eq!((sums.len(), sums[15].name().as_str()), (21, "fp32mp2_low, sum in double"));
        let wide = Candidate::all(true, subject("fp64mp2"));
        assert!(wide.len() == 14 && wide.iter().all(|c| c.sum == Subject::Fp64mp2Mid));
        assert_eq!((subject("fp64emu"), subject("float128")), (Some(Subject::Fp64emuHigh), None));
        let shared = Candidate::shared();
        assert!(shared[0].name() == "double beside fp64emu_high" && shared.iter().all(|c| !c.is_single()));
    }

    #[test]
    fn errors_name_the_users_line() {
        let gcc = "n.cuh: In instantiation of 'item':\nh.h:7:3:   required from here\nn.cuh:6:16: error: no match\n";
        assert_eq!(first_error(gcc, "n.cuh"), "n.cuh:6: no match");
        let within = "vernier_advise:90:5: error: static assertion failed: no\nn.cuh:8:2:   required from here\n";
        assert_eq!(first_error(within, "n.cuh"), "n.cuh:8: static assertion failed: no");
        assert_eq!(
            first_error("n.cuh(4): error: identifier \"z\" is undefined\n", "n.cuh"),
            "n.cuh:4: identifier \"z\" is undefined"
        );
        let nvrtc = "vernier_advise(2): error: static assertion failed with \"no log\"\n  instantiation of \"log\" at line 7 of n.cuh\n";
        assert_eq!(first_error(nvrtc, "n.cuh"), "n.cuh:7: static assertion failed with \"no log\"");
        assert_eq!(first_error("\nout of memory\n", "n.cuh"), "out of memory");
    }
}
