//! Which devices there are, and why one cannot be used.

use super::{Unusable, cuda, opencl};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// How a device is driven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Api {
    /// CUDA driver and NVRTC.
    Cuda,
    /// OpenCL 1.2 or later.
    OpenCl,
}

impl fmt::Display for Api {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Api::Cuda => "CUDA",
            Api::OpenCl => "OpenCL",
        })
    }
}

impl Api {
    /// `cuda` or `opencl`.
    pub const fn name(self) -> &'static str {
        match self {
            Api::Cuda => "cuda",
            Api::OpenCl => "opencl",
        }
    }
}

impl FromStr for Api {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, String> {
        let known = [Api::Cuda, Api::OpenCl].into_iter().find(|api| s.eq_ignore_ascii_case(api.name()));
        known.ok_or_else(|| format!("'{s}' is no kind of device: cuda or opencl"))
    }
}

/// What a device is built to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// A graphics processor.
    Gpu,
    /// The processor of the host.
    Processor,
    /// Anything else.
    Accelerator,
}

/// A device of this host.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Description {
    /// How it is driven.
    pub api: Api,
    /// Its number among the devices of that kind.
    pub index: usize,
    /// Its name.
    pub name: String,
    /// What it is.
    pub class: Class,
    /// The driver and its version.
    pub driver: String,
    /// `sm_90`, or the OpenCL version.
    pub architecture: String,
    /// The compiler and its version; empty where there is none.
    pub compiler: String,
    /// Bytes of memory.
    pub memory: u64,
    /// Multiprocessors or compute units.
    pub units: u32,
    /// The highest clock in kHz, 0 where it is not known.
    pub clock_khz: u64,
    /// Why it cannot be used.
    pub unusable: Option<Unusable>,
}

impl Description {
    /// Name, kind and number, which tell devices of one name apart.
    pub fn place(&self) -> String {
        format!("{} ({} {})", self.name, self.api, self.index)
    }
}

/// The devices of this host, and the kinds of which there are none, with the reason.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Survey {
    /// Every device, usable or not.
    pub devices: Vec<Description>,
    /// Kinds without any device.
    pub absent: Vec<(Api, Unusable)>,
}

/// Looks for devices.
pub fn survey() -> Survey {
    let mut survey = Survey { devices: Vec::new(), absent: Vec::new() };
    for (api, found) in [(Api::Cuda, cuda::list()), (Api::OpenCl, opencl::list())] {
        match found {
            Ok(devices) if devices.is_empty() => survey.absent.push((api, Unusable::NoDevice)),
            Ok(devices) => survey.devices.extend(devices),
            Err(why) => survey.absent.push((api, why)),
        }
    }
    survey
}
