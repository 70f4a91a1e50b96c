//! Devices: what there is, why one cannot be used, and compiling, memory, launches and timing on one that can.
//!
//! A *device* is a CUDA GPU, driven through the CUDA driver and NVRTC, or an OpenCL device. Both libraries are
//! loaded when first needed; where they are missing everything here still builds and runs, and says so. [`survey`]
//! lists devices, [`Device::open`] takes one into use. Compiled programs are kept on disk (see [`cache`]).
//!
//! Options are fixed so that arithmetic is IEEE: no contraction, subnormals kept, division and root correctly
//! rounded. Everything a result depends on is in a [`Build`].

pub mod cache;
pub mod cuda;
mod error;
mod opencl;
mod source;

pub use error::{Error, Message, Unusable};
pub use source::Source;

use bytemuck::Pod;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;
use std::time::Duration;

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

impl FromStr for Api {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, String> {
        match s.to_ascii_lowercase().as_str() {
            "cuda" => Ok(Api::Cuda),
            "opencl" => Ok(Api::OpenCl),
            _ => Err(format!("'{s}' is no kind of device: cuda or opencl")),
        }
    }
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
    /// The highest clock in kHz, 0 where it is not told.
    pub clock_khz: u64,
    /// Why it cannot be used.
    pub unusable: Option<Unusable>,
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

/// Memory of a device, in bytes.
#[derive(Debug)]
enum Memory {
    Cuda(cuda::Memory),
    OpenCl(opencl::Memory),
}

/// `len` values in the memory of a device.
#[derive(Debug)]
pub struct Buffer<T> {
    memory: Memory,
    len: usize,
    of: PhantomData<T>,
}

impl<T> Buffer<T> {
    /// The number of values.
    pub fn len(&self) -> usize {
        self.len
    }
    /// Whether it holds nothing.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
    /// The buffer as an argument of a kernel.
    pub fn arg(&self) -> Arg<'_> {
        Arg(Value::Memory(&self.memory))
    }
}

/// An argument of a kernel: a number ([`From`]) or a buffer ([`Buffer::arg`]).
#[derive(Clone, Copy, Debug)]
pub struct Arg<'a>(Value<'a>);

#[derive(Clone, Copy, Debug)]
enum Value<'a> {
    U32(u32),
    U64(u64),
    F32(f32),
    F64(f64),
    Memory(&'a Memory),
}

macro_rules! numbers {
    ($($t:ty = $variant:ident;)*) => {$(
        impl From<$t> for Arg<'_> {
            fn from(x: $t) -> Self {
                Arg(Value::$variant(x))
            }
        }
    )*};
}

numbers! { u32 = U32; u64 = U64; f32 = F32; f64 = F64; }

impl<'a, T> From<&'a Buffer<T>> for Arg<'a> {
    fn from(x: &'a Buffer<T>) -> Self {
        x.arg()
    }
}

/// A compiled program on a device.
#[derive(Debug)]
pub struct Program {
    inner: ProgramInner,
    build: Build,
}

#[derive(Debug)]
enum ProgramInner {
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
    name: String,
    inner: KernelInner,
}

#[derive(Debug)]
enum KernelInner {
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
pub struct Event(EventInner);

#[derive(Debug)]
enum EventInner {
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

/// A device in use. Work on it is done in the order in which it was asked for.
#[derive(Debug)]
pub struct Device {
    inner: Inner,
    description: Description,
}

#[derive(Debug)]
enum Inner {
    Cuda(cuda::Device),
    OpenCl(opencl::Device),
}

impl Device {
    /// Device number `index` of this kind.
    ///
    /// # Errors
    /// [`Error::Unusable`] with the reason, [`Error::NoSuchDevice`].
    pub fn open(api: Api, index: usize) -> Result<Device, Error> {
        let list = match api {
            Api::Cuda => cuda::list(),
            Api::OpenCl => opencl::list(),
        };
        let list = list.map_err(|why| Error::Unusable { api, index, why })?;
        let found = list.len();
        let description = list.into_iter().nth(index).ok_or(Error::NoSuchDevice { api, index, found })?;
        if let Some(why) = description.unusable {
            return Err(Error::Unusable { api, index, why });
        }
        let inner = match api {
            Api::Cuda => Inner::Cuda(cuda::Device::open(index)?),
            Api::OpenCl => Inner::OpenCl(opencl::Device::open(index)?),
        };
        Ok(Device { inner, description })
    }

    /// Every usable device of this kind.
    ///
    /// # Errors
    /// If there is none: the reason why the first cannot be used.
    pub fn open_all(api: Api) -> Result<Vec<Device>, Error> {
        let devices = survey().devices.into_iter().filter(|d| d.api == api && d.unusable.is_none());
        let devices = devices.map(|d| Device::open(api, d.index)).collect::<Result<Vec<_>, _>>()?;
        if devices.is_empty() { Ok(vec![Device::open(api, 0)?]) } else { Ok(devices) }
    }

    /// What it is.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// How it is driven.
    pub fn api(&self) -> Api {
        self.description.api
    }

    /// The options that `source` is compiled with.
    pub fn options(&self, source: &Source) -> Vec<String> {
        match &self.inner {
            Inner::Cuda(_) => cuda::options(source, &self.description.architecture),
            Inner::OpenCl(_) => opencl::options(source),
        }
    }

    /// Compiles `source`, or takes it from the cache on disk.
    ///
    /// A program can do on the device whatever its text says: sources are trusted as the program itself is.
    ///
    /// # Errors
    /// [`Error::Compile`] with the compiler's messages.
    pub fn compile(&self, source: &Source) -> Result<Program, Error> {
        let build = Build {
            api: self.api(),
            device: self.description.name.clone(),
            driver: self.description.driver.clone(),
            architecture: self.description.architecture.clone(),
            compiler: self.description.compiler.clone(),
            options: self.options(source),
        };
        let key = cache::Key::new(source, &build);
        let inner = match &self.inner {
            Inner::Cuda(d) => ProgramInner::Cuda(d.compile(source, &build, &key)?),
            Inner::OpenCl(d) => ProgramInner::OpenCl(d.compile(source, &build, &key)?),
        };
        Ok(Program { inner, build })
    }

    /// A buffer of `len` zeros.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn zeros<T: Pod>(&self, len: usize) -> Result<Buffer<T>, Error> {
        let bytes = len.saturating_mul(size_of::<T>());
        let memory = match &self.inner {
            Inner::Cuda(d) => Memory::Cuda(d.zeros(bytes)?),
            Inner::OpenCl(d) => Memory::OpenCl(d.zeros(bytes)?),
        };
        Ok(Buffer { memory, len, of: PhantomData })
    }

    /// A buffer that holds `data`.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn upload<T: Pod>(&self, data: &[T]) -> Result<Buffer<T>, Error> {
        let bytes = bytemuck::cast_slice(data);
        let memory = match &self.inner {
            Inner::Cuda(d) => Memory::Cuda(d.upload(bytes)?),
            Inner::OpenCl(d) => Memory::OpenCl(d.upload(bytes)?),
        };
        Ok(Buffer { memory, len: data.len(), of: PhantomData })
    }

    /// What `buffer` holds after all work asked for so far.
    ///
    /// # Errors
    /// If the device failed.
    pub fn download<T: Pod>(&self, buffer: &Buffer<T>) -> Result<Vec<T>, Error> {
        let mut data = vec![T::zeroed(); buffer.len];
        let bytes = bytemuck::cast_slice_mut(&mut data);
        match (&self.inner, &buffer.memory) {
            (Inner::Cuda(d), Memory::Cuda(m)) => d.download(m, bytes)?,
            (Inner::OpenCl(d), Memory::OpenCl(m)) => d.download(m, bytes)?,
            _ => return Err(Error::OtherDevice),
        }
        Ok(data)
    }

    /// Asks for `groups` groups of `group_size` threads of `kernel`; does not wait for them.
    ///
    /// # Errors
    /// [`Error::Arguments`] if number and sizes of the arguments are not the kernel's.
    pub fn launch(&self, kernel: &Kernel, groups: u32, group_size: u32, args: &[Arg<'_>]) -> Result<(), Error> {
        if groups == 0 {
            return Ok(());
        }
        match (&self.inner, &kernel.inner) {
            (Inner::Cuda(d), KernelInner::Cuda(k)) => d.launch(k, &kernel.name, groups, group_size, args),
            (Inner::OpenCl(d), KernelInner::OpenCl(k)) => d.launch(k, &kernel.name, groups, group_size, args),
            _ => Err(Error::OtherDevice),
        }
    }

    /// The point after all work asked for so far.
    ///
    /// # Errors
    /// If the device failed.
    pub fn event(&self) -> Result<Event, Error> {
        Ok(Event(match &self.inner {
            Inner::Cuda(d) => EventInner::Cuda(d.event()?),
            Inner::OpenCl(d) => EventInner::OpenCl(d.event()?),
        }))
    }

    /// Waits for all work asked for so far.
    ///
    /// # Errors
    /// If the device failed.
    pub fn synchronize(&self) -> Result<(), Error> {
        match &self.inner {
            Inner::Cuda(d) => d.synchronize(),
            Inner::OpenCl(d) => d.synchronize(),
        }
    }

    /// A group size that suits the device: a power of two.
    pub fn group_size(&self) -> u32 {
        match &self.inner {
            Inner::Cuda(_) => 256,
            Inner::OpenCl(d) => d.group_size(),
        }
    }
}
