//! Compiled programs, their kernels, and points in the order of a device's work.

use super::{Api, Error, cuda, opencl};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What made a program and where it runs: recorded with every result.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Build {
    /// How the device is driven.
    pub api: Api,
    /// The device's name.
    pub device: String,
    /// The driver and its version.
    pub driver: String,
    /// `sm_90`, or the OpenCL version.
    pub architecture: String,
    /// The compiler and its version.
    pub compiler: String,
    /// The options of the compilation.
    pub options: Vec<String>,
}

/// A compiled program on a device.
#[derive(Debug)]
pub struct Program {
    pub(super) inner: ProgramInner,
    pub(super) build: Build,
}

#[derive(Debug)]
pub(super) enum ProgramInner {
    Cuda(cuda::Program),
    OpenCl(opencl::Program),
}

impl Program {
    /// What made it.
    pub fn build(&self) -> &Build {
        &self.build
    }

    /// The kernel of this name.
    ///
    /// # Errors
    /// If there is none.
    pub fn kernel(&self, name: &str) -> Result<Kernel, Error> {
        Ok(Kernel {
            name: name.to_string(),
            inner: match &self.inner {
                ProgramInner::Cuda(p) => KernelInner::Cuda(p.kernel(name)?),
                ProgramInner::OpenCl(p) => KernelInner::OpenCl(p.kernel(name)?),
            },
        })
    }
}

/// A kernel of a program.
#[derive(Debug)]
pub struct Kernel {
    pub(super) name: String,
    pub(super) inner: KernelInner,
}

#[derive(Debug)]
pub(super) enum KernelInner {
    Cuda(cuda::Kernel),
    OpenCl(opencl::Kernel),
}

/// What one thread of a kernel takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resources {
    /// Registers.
    pub registers: u32,
    /// Bytes of local memory, which spilled registers go to.
    pub local_bytes: u32,
}

impl Kernel {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }
    /// What a thread takes, where the API tells.
    pub fn resources(&self) -> Option<Resources> {
        match &self.inner {
            KernelInner::Cuda(k) => k.resources(),
            KernelInner::OpenCl(_) => None,
        }
    }
}

/// A point in the order of a device's work.
#[derive(Debug)]
pub struct Event(pub(super) EventInner);

#[derive(Debug)]
pub(super) enum EventInner {
    Cuda(cuda::Event),
    OpenCl(opencl::Event),
}

impl Event {
    /// The device time from `self` to `end`, once both were reached.
    ///
    /// # Errors
    /// If the device failed meanwhile, or the two are of different devices.
    pub fn until(&self, end: &Event) -> Result<Duration, Error> {
        match (&self.0, &end.0) {
            (EventInner::Cuda(a), EventInner::Cuda(b)) => a.until(b),
            (EventInner::OpenCl(a), EventInner::OpenCl(b)) => a.until(b),
            _ => Err(Error::OtherDevice),
        }
    }
}
