//! The kernel compiled by the host's C++ compiler and run in processes of its own.

use super::{Candidate, Kernel, THREADS, first_error, spelled, trace};
use crate::bench::Subject;
use crate::device::cache;
use rayon::prelude::*;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// What a program of the host can run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A candidate.
    Candidate(Candidate),
    /// Every reduced format, one after another.
    Sweep,
    /// The trace of a few items.
    Trace,
}

/// A unit that does not compile, and the compiler's message.
#[derive(Clone, Debug, PartialEq)]
pub struct Faulty {
    /// Which.
    pub unit: Unit,
    /// Why.
    pub message: String,
}

/// A program that was built.
#[derive(Debug)]
pub struct Built {
    folder: TempDir,
    units: Vec<Unit>,
    arrays: Vec<usize>,
    /// What is not in it.
    pub faulty: Vec<Faulty>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The bytes of the results.
    Results(Vec<u8>),
    /// Why there are none.
    Failed(String),
}

/// Formats that are swept: all mantissas with 11 exponent bits, all exponents with 52 mantissa bits.
pub fn formats() -> impl Iterator<Item = (u32, u32)> {
    (0..=52).map(|m| (11, m)).chain((2..=10).map(|e| (e, 52)))
}

/// The item that is number k of so many samples.
pub fn sample(k: u64, items: u64, samples: u64) -> u64 {
    if samples >= items { k } else { (k as f64 * items as f64 / samples as f64) as u64 }
}

/// The host's C++ compiler: `$CXX`, or the first of c++, g++ and clang++ that is found.
///
/// # Errors
/// Where there is none.
pub fn compiler() -> io::Result<PathBuf> {
    if let Some(named) = std::env::var_os("CXX").filter(|c| !c.is_empty()) {
        return Ok(named.into());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let found =
        ["g++", "c++", "clang++"].iter().find_map(|name| folders.iter().map(|f| f.join(name)).find(|p| p.is_file()));
    found.ok_or_else(|| {
        io::Error::new(
            io::ErrorKind::NotFound,
            "no C++ compiler: expected g++, c++ or clang++ in PATH, or its name in CXX",
        )
    })
}

/// The file with all that does not depend on the kernel.
const HEAD: &str = "vernier_advise_head.hpp";
/// Marks of what is kept: a program or nothing, the compiler's messages.
const FINE: u8 = 0;
const FAULTY: u8 = 1;

/// The compiler, and what it is given for every kernel.
struct Tools {
    compiler: PathBuf,
    /// The compiler's version and the processor that it compiles for.
    name: String,
    head: String,
}

impl Tools {
    fn new() -> io::Result<Tools> {
        let compiler = compiler()?;
        let version = Command::new(&compiler).arg("--version").stdin(Stdio::null()).output()?.stdout;
        let processor = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let flags = processor.lines().find(|l| l.starts_with("flags") || l.starts_with("Features")).unwrap_or_default();
        let name = format!("{} {} {flags}", compiler.display(), String::from_utf8_lossy(&version));
        Ok(Tools { compiler, name, head: format!("{}{}", include_str!("host_head.txt"), Kernel::header()) })
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.compiler);
        command.args(["-std=c++17", "-O1", "-march=native", "-ffp-contract=off", "-w"]);
        command
    }

    /// Where several programs follow, compilers that can do it read the head once; others take it as text.
    fn precompile(&self, folder: &Path) {
        let to = folder.join(format!("{HEAD}.gch"));
        let mut command = self.command();
        command.args(["-x", "c++-header", "-o"]).arg(&to).arg(folder.join(HEAD));
        let output = command.stdin(Stdio::null()).stderr(Stdio::null()).status();
        if !output.is_ok_and(|status| status.success()) {
            let _ = std::fs::remove_file(to);
        }
    }
}

/// Writes a program.
fn executable(path: &Path, bytes: &[u8]) -> io::Result<()> {
    std::fs::write(path, bytes)?;
    #[cfg(unix)]
    std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o700))?;
    Ok(())
}

/// The kernel on the host.
#[derive(Clone, Copy, Debug)]
pub struct Host<'a> {
    /// The kernel.
    pub kernel: &'a Kernel,
    /// Its data.
    pub data: &'a [Vec<f64>],
}

impl Host<'_> {
    /// The program after its head, [`head`].
    fn text(&self, units: &[Unit]) -> String {
        let (mut extra, mut runs) = (String::new(), String::new());
        let formats: String = formats().map(|(e, m)| format!("{{{e}, {m}}}, ")).collect();
        if units.iter().any(|u| !matches!(u, Unit::Candidate(_))) {
            extra += include_str!("number.txt");
        }
        for (which, unit) in units.iter().enumerate() {
            let run = match unit {
                Unit::Candidate(c) => format!("run<{}, {}>(data, n, threads, sums)", spelled(c.item), spelled(c.sum)),
                Unit::Sweep => {
                    extra += &include_str!("reduced.txt").replace("$formats", &formats);
                    "sweep(data, n, threads)".into()
                }
                Unit::Trace => {
                    extra += &include_str!("traced.txt").replace("$functions", &trace::functions());
                    "trace(data, n, threads, 1u << 20)".into()
                }
            };
            runs += &format!("    if (which == {which}) {run};\n");
        }
        let main = self.kernel.fill(&include_str!("host.txt").replace("$extra", &extra).replace("$runs", &runs));
        self.kernel.program(&format!("#include \"{HEAD}\"\n")) + &main
    }

    /// Compiles the program with these units; the compiler's messages where that fails. What was compiled before is not compiled again.
    fn compile(&self, tools: &Tools, units: &[Unit], folder: &Path, to: Option<&Path>) -> io::Result<Option<String>> {
        let text = self.text(units);
        let key = match self.kernel.include().is_empty() {
            true => Some(cache::Key::of(
                [tools.name.as_str(), &tools.head, &text, if to.is_some() { "program" } else { "check" }],
                "host",
            )),
            false => None,
        };
        // The first byte says which of both the others are.
        if let Some((kind, bytes)) = key.as_ref().and_then(cache::Key::read).as_deref().and_then(<[u8]>::split_first) {
            match (*kind, to) {
                (FINE, None) => return Ok(None),
                (FINE, Some(to)) => return executable(to, bytes).map(|()| None),
                _ => return Ok(Some(String::from_utf8_lossy(bytes).into_owned())),
            }
        }
        let source = tempfile::Builder::new().suffix(".cpp").tempfile_in(folder)?;
        source.as_file().write_all(text.as_bytes())?;
        let mut command = tools.command();
        command.arg("-I").arg(folder).arg("-I").arg(if self.kernel.folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            &self.kernel.folder
        });
        match to {
            Some(to) => command.arg("-o").arg(to),
            None => command.arg("-fsyntax-only"),
        };
        let output = command.arg(source.path()).stdin(Stdio::null()).output()?;
        let good = output.status.success();
        if let Some(key) = key {
            let made = if good { to.map_or(Ok(Vec::new()), std::fs::read)? } else { output.stderr.clone() };
            key.write(&[&[if good { FINE } else { FAULTY }], &made[..]].concat());
        }
        Ok((!good).then(|| String::from_utf8_lossy(&output.stderr).into_owned()))
    }

    /// Builds the program. Units that do not compile are left out of it.
    ///
    /// # Errors
    /// Where there is no compiler, or the disk is full.
    pub fn build(&self, units: &[Unit]) -> io::Result<Built> {
        let tools = Tools::new()?;
        let folder = tempfile::Builder::new().prefix("vernier-advise-").tempdir()?;
        std::fs::write(folder.path().join(HEAD), &tools.head)?;
        let program = folder.path().join("program");
        let mut data = io::BufWriter::new(std::fs::File::create(folder.path().join("data"))?);
        for x in self.data.iter().flatten() {
            data.write_all(&x.to_ne_bytes())?;
        }
        data.flush()?;
        let mut built = Built {
            folder,
            units: units.to_vec(),
            arrays: self.data.iter().map(Vec::len).collect(),
            faulty: Vec::new(),
        };
        if self.compile(&tools, units, built.folder.path(), Some(&program))?.is_none() {
            return Ok(built);
        }
        tools.precompile(built.folder.path());
        // Without the reference nothing is of use.
        let reference = units.iter().find(|u| matches!(u, Unit::Candidate(c) if c.item == Subject::Fp64mp2High));
        if let Some(&unit) = reference
            && let Some(log) = self.compile(&tools, &[unit], built.folder.path(), None)?
        {
            let message = first_error(&log, &self.kernel.file);
            built.faulty = built.units.drain(..).map(|unit| Faulty { unit, message: message.clone() }).collect();
            return Ok(built);
        }
        let one = |&unit: &Unit| {
            let log = self.compile(&tools, &[unit], built.folder.path(), None)?;
            Ok(log.map(|log| Faulty { unit, message: first_error(&log, &self.kernel.file) }))
        };
        let faulty = units.par_iter().map(one).collect::<io::Result<Vec<_>>>()?;
        built.faulty = faulty.into_iter().flatten().collect();
        built.units.retain(|unit| built.faulty.iter().all(|f| f.unit != *unit));
        if !built.units.is_empty()
            && let Some(log) = self.compile(&tools, &built.units, built.folder.path(), Some(&program))?
        {
            let message = first_error(&log, &self.kernel.file);
            built.faulty.extend(built.units.drain(..).map(|unit| Faulty { unit, message: message.clone() }));
        }
        Ok(built)
    }
}

impl Built {
    /// Whether a unit is in the program.
    pub fn has(&self, unit: Unit) -> bool {
        self.units.contains(&unit)
    }

    /// Runs a unit for so many items; a sweep or a trace for `samples` of them, [`sample`] says which.
    ///
    /// # Errors
    /// Where the program cannot be started.
    pub fn run(&self, unit: Unit, items: u64, sums: bool, samples: u64, limit: Duration) -> io::Result<Outcome> {
        let Some(which) = self.units.iter().position(|u| *u == unit) else {
            return Ok(Outcome::Failed("it does not compile".into()));
        };
        let threads = if matches!(unit, Unit::Candidate(_)) { items.min(THREADS) } else { samples };
        let results = self.folder.path().join(format!("results{which}"));
        let mut child = Command::new(self.folder.path().join("program"))
            .args([which.to_string(), items.to_string(), threads.to_string(), u32::from(sums).to_string()])
            .args([&results, &self.folder.path().join("data")])
            .args(self.arrays.iter().map(usize::to_string))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let begin = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            if begin.elapsed() > limit {
                child.kill()?;
                child.wait()?;
                let _ = std::fs::remove_file(&results);
                return Ok(Outcome::Failed(format!("took longer than {} s", limit.as_secs_f64())));
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        let outcome = match (status.success(), status.code()) {
            (true, _) => Outcome::Results(std::fs::read(&results)?),
            // A trace that became too long is one of fewer items.
            (_, Some(5)) if unit == Unit::Trace => Outcome::Results(std::fs::read(&results)?),
            _ => Outcome::Failed(ended(status)),
        };
        let _ = std::fs::remove_file(&results);
        Ok(outcome)
    }
}

/// Why a program ended.
fn ended(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return match signal {
            11 | 7 => "reads or writes outside its data".into(),
            8 => "divides an integer by zero".into(),
            _ => format!("was ended by signal {signal}"),
        };
    }
    match status.code() {
        Some(3) => "could not write its results".into(),
        Some(4) => "the compiler's options change floating-point results".into(),
        _ => format!("ended with {status}"),
    }
}
