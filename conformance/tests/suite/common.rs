//! Running the program, and rows of the accuracy table.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;
use vernier_conformance::case::{Op, Type, Value};
use vernier_conformance::report::{Results, run};
use vernier_conformance::subject::{Failure, Host, Subject};
use vernier_conformance::table::{Costs, Plan, Row, Run, Shard};

/// A run of one row with little work.
pub const SMALL_ROW: &[&str] = &["accuracy", "--type", "f32", "--op", "add", "--samples", "20000"];

/// What the program said.
#[derive(Debug)]
pub struct Said {
    /// Exit status.
    pub code: Option<i32>,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Said {
    /// Itself, where the program succeeded and had nothing to say of errors.
    #[track_caller]
    pub fn succeeded(self) -> Said {
        assert_eq!((self.code, self.err.as_str()), (Some(0), ""), "{}", self.out);
        self
    }

    /// The program could not do it, and the message has this part.
    #[track_caller]
    pub fn refused(&self, part: &str) {
        assert!(self.code == Some(2) && self.err.contains(part), "{part}: {:?} {} {}", self.code, self.out, self.err);
    }
}

impl From<Output> for Said {
    fn from(o: Output) -> Said {
        let text = |b: Vec<u8>| String::from_utf8(b).unwrap();
        Said { code: o.status.code(), out: text(o.stdout), err: text(o.stderr) }
    }
}

/// The program, ready to be given arguments.
pub fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_vernier"))
}

/// Runs the program.
pub fn vernier(args: &[&str]) -> Said {
    program().args(args).output().unwrap().into()
}

/// Runs the program where it does not find the tools that count instructions, which take their time.
pub fn uncounted(args: &[&str]) -> Said {
    program().env_remove("CUDA_HOME").args(args).output().unwrap().into()
}

/// Runs the program with this standard input.
pub fn with_input(args: &[&str], input: &[u8]) -> Said {
    let mut child =
        program().args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // It may end without having read what it has no use for.
    if let Err(error) = child.stdin.take().unwrap().write_all(input) {
        assert_eq!(error.kind(), ErrorKind::BrokenPipe);
    }
    child.wait_with_output().unwrap().into()
}

/// A file of the repository's fixtures.
pub fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures").join(name)
}

/// The path as an argument.
pub fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A plan for rows: samples, searches and evaluations of each, without special values.
pub fn plan(rows: impl IntoIterator<Item = Row>, [samples, searches, evaluations]: [u64; 3]) -> Plan {
    let rows = rows.into_iter().map(|r| r.to_string()).collect();
    let (subject, place, search_seconds) = ("vernier".into(), None, None);
    Plan {
        subject,
        place,
        seed: 1,
        samples,
        searches,
        evaluations,
        search_seconds,
        by_cost: false,
        rows,
        special: false,
    }
}

/// What a run of a plan finds.
pub fn measured(subject: &dyn Subject, plan: Plan, shard: Shard) -> Results {
    let (save_every, costs) = (Duration::ZERO, Costs::default());
    let results = run(&Run { subject, plan, shard, checkpoint: None, save_every, costs }).unwrap();
    // What it took is another time.
    Results { costs: Costs::default(), ..results }
}

/// The host, each result of which a function may change: it is given type, operation, arguments and the right result.
pub struct Changed<F>(pub F);

impl<F: Fn(Type, Op, &[Value], Value) -> Result<Value, Failure> + Sync> Subject for Changed<F> {
    fn name(&self) -> &'static str {
        "vernier"
    }

    fn supports(&self, ty: Type, op: Op) -> bool {
        Host.supports(ty, op)
    }

    fn eval_all(&self, ty: Type, op: Op, cases: &[Vec<Value>]) -> Result<Vec<Value>, Failure> {
        cases.iter().zip(Host.eval_all(ty, op, cases)?).map(|(args, right)| (self.0)(ty, op, args, right)).collect()
    }
}
