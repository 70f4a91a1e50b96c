//! Contracts: what two subjects must agree on, as data, and running that.
//!
//! A contract names two subjects, a domain and a claim. Its cases are the [`kept`] ones and generated ones; what they are worth is
//! the mutation score ([`mutants`]). More cases are found by [`search`].

mod device;
mod every_hi;
mod foreign;
mod hashes;
mod instrumented;
mod join;
pub mod kept;
pub mod mutants;
mod processor;
mod progress;
mod report;
mod request;
mod run;
pub mod search;
mod tape;

pub use foreign::{foreign, rows as foreign_rows, shares as foreign_shares};
pub use join::parse;
pub use mutants::{Planted, Score};
pub use report::{Asked, FORMAT, Outcome, Report};
pub use request::{Listener, Request};
pub use run::{find, run, run_with};

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
    Contracted(Api),
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
    /// The kept cases, and the generator that is itself a recorded function: every class of operands, special values included.
    Generated,
    /// The samples of the accuracy table.
    Samples,
    /// Every hi of binary32, each with several lo.
    EveryHi,
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
    /// Whether it plants the mutants of each function.
    pub mutants: bool,
}

const fn identical(name: &'static str, right: Side) -> Contract {
    Contract { name, left: Side::Host, right, domain: Domain::Generated, claim: Claim::Identical, mutants: true }
}

const fn within(name: &'static str, api: Api) -> Contract {
    Contract {
        name,
        left: Side::Device(api),
        right: Side::Oracle,
        domain: Domain::Samples,
        claim: Claim::Within,
        mutants: false,
    }
}

const fn every_hi(name: &'static str, api: Api) -> Contract {
    Contract { domain: Domain::EveryHi, ..within(name, api) }
}

const fn different(name: &'static str, api: Api) -> Contract {
    Contract { claim: Claim::Different, mutants: false, ..identical(name, Side::Contracted(api)) }
}

const fn native(name: &'static str, api: Api) -> Contract {
    Contract { left: Side::Device(api), mutants: false, ..identical(name, Side::Native(api)) }
}

/// Every contract. Those with a machine's own doubles are about packed emulated doubles at high.
pub const CONTRACTS: [Contract; 12] = [
    identical("host = tape", Side::Tape),
    Contract { mutants: false, ..identical("emulated = processor", Side::Processor) },
    identical("host = opencl", Side::Device(Api::OpenCl)),
    within("opencl within bound", Api::OpenCl),
    every_hi("opencl every hi", Api::OpenCl),
    different("bad opencl build differs", Api::OpenCl),
    native("emulated = opencl double", Api::OpenCl),
    identical("host = cuda", Side::Device(Api::Cuda)),
    within("cuda within bound", Api::Cuda),
    every_hi("cuda every hi", Api::Cuda),
    different("bad cuda build differs", Api::Cuda),
    native("emulated = cuda double", Api::Cuda),
];

impl Contract {
    /// The kind of device that it needs.
    pub fn api(&self) -> Option<Api> {
        [self.left, self.right].into_iter().find_map(|side| match side {
            Side::Device(api) | Side::Contracted(api) | Side::Native(api) => Some(api),
            _ => None,
        })
    }
}
