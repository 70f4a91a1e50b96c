//! Contracts: what two subjects must agree on, as data, and carrying them out.
//!
//! A contract names two subjects, a domain and a claim, and owns its cases and its planted faults. The faults are every
//! single operation of a function changed ([`vernier_tape::faults`]) and a build with contraction; each must make the
//! contract fail. Cases that notice faults which generated ones do not are kept ([`noticing`], found by [`search`] and
//! [`prove`]). A fault that none notices is explained by machine ([`tiny`], [`prove`]; what that found is kept in
//! [`proved`]) or carries a written reason ([`survivors`]).

mod device;
mod foreign;
mod likely;
pub mod noticing;
mod part;
mod processor;
pub mod prove;
pub mod proved;
mod report;
mod run;
pub mod search;
pub mod survivors;
mod tape;
pub mod tiny;

pub use foreign::{foreign, rows as foreign_rows, shares as foreign_shares};
pub use report::{Faults, Outcome, Report, Survivor};
pub use run::{Request, Told, run, run_telling, study};
pub use tape::{Effort, Study, explain};

use serde::{Deserialize, Serialize};
use vernier_gpu::device::Api;

/// What is claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Claim {
    /// The same bits, all NaN being one.
    Identical,
    /// An error within the bound of the accuracy table, and no wrong special value where none is claimed.
    Within,
    /// Other bits: the subject is bad on purpose, and the comparison must notice it.
    Different,
}

/// A party of a contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// This processor.
    Host,
    /// The recorded function in the interpreter.
    Tape,
    /// The printed function on every device of this kind.
    Device(Api),
    /// The same with contraction, plain operators and flushed subnormals.
    Careless(Api),
    /// The exact value.
    Oracle,
    /// This processor's own doubles.
    Processor,
    /// A device's own doubles.
    Native(Api),
}

/// Where the cases come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// The generator that is itself a recorded function: every class of operands, special values included.
    Generated,
    /// The samples of the accuracy table.
    Samples,
}

/// One contract, which holds for every function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contract {
    /// Its name.
    pub name: &'static str,
    /// One party.
    pub left: Side,
    /// The other.
    pub right: Side,
    /// The cases.
    pub domain: Domain,
    /// What is claimed.
    pub claim: Claim,
    /// Whether it owns the single-operation faults of each function.
    pub faults: bool,
}

const fn identical(name: &'static str, right: Side) -> Contract {
    Contract { name, left: Side::Host, right, domain: Domain::Generated, claim: Claim::Identical, faults: true }
}

const fn within(name: &'static str, api: Api) -> Contract {
    Contract {
        name,
        left: Side::Device(api),
        right: Side::Oracle,
        domain: Domain::Samples,
        claim: Claim::Within,
        faults: false,
    }
}

const fn different(name: &'static str, api: Api) -> Contract {
    Contract { claim: Claim::Different, faults: false, ..identical(name, Side::Careless(api)) }
}

const fn native(name: &'static str, api: Api) -> Contract {
    Contract { left: Side::Device(api), faults: false, ..identical(name, Side::Native(api)) }
}

/// Every contract. Those with a machine's own doubles are about packed emulated doubles at high.
pub const CONTRACTS: [Contract; 10] = [
    identical("host = tape", Side::Tape),
    Contract { faults: false, ..identical("emulated = processor", Side::Processor) },
    identical("host = opencl", Side::Device(Api::OpenCl)),
    within("opencl within bound", Api::OpenCl),
    different("bad opencl build differs", Api::OpenCl),
    native("emulated = opencl double", Api::OpenCl),
    identical("host = cuda", Side::Device(Api::Cuda)),
    within("cuda within bound", Api::Cuda),
    different("bad cuda build differs", Api::Cuda),
    native("emulated = cuda double", Api::Cuda),
];

impl Contract {
    /// The kind of device that it needs.
    pub fn api(&self) -> Option<Api> {
        [self.left, self.right].into_iter().find_map(|side| match side {
            Side::Device(api) | Side::Careless(api) | Side::Native(api) => Some(api),
            _ => None,
        })
    }
}
