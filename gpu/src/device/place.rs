//! The host or a device, as options name it.

use super::{Api, Device, Error};
use std::fmt;
use std::str::FromStr;

/// The host, or a device by its kind and number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// This processor.
    #[default]
    Host,
    /// A device; without a number the first.
    Device(Api, usize),
}

impl Place {
    /// The device; none for the host.
    ///
    /// # Errors
    /// If it is not there, or cannot be used.
    pub fn open(self) -> Result<Option<Device>, Error> {
        match self {
            Place::Host => Ok(None),
            Place::Device(api, index) => Ok(Some(Device::open(api, index)?)),
        }
    }
}

impl FromStr for Place {
    type Err = String;

    /// `host`, `opencl`, `cuda`, or with a number, as `cuda:1`, the second of that kind.
    fn from_str(text: &str) -> Result<Place, String> {
        let expected = || format!("expected host, opencl, cuda, opencl:N or cuda:N, found `{text}`");
        let (kind, index) = match text.split_once(':') {
            Some((kind, index)) => (kind, index.parse().map_err(|_| expected())?),
            None => (text, 0),
        };
        match kind {
            "host" if kind == text => Ok(Place::Host),
            "opencl" => Ok(Place::Device(Api::OpenCl, index)),
            "cuda" => Ok(Place::Device(Api::Cuda, index)),
            _ => Err(expected()),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Host => f.write_str("host"),
            Place::Device(api, index) => write!(f, "{}:{index}", api.name()),
        }
    }
}
