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
mod memory;
mod opencl;
mod place;
mod program;
mod source;
mod survey;

pub(crate) use error::messages;
pub use error::{Error, Message, Unusable};
pub use memory::{Arg, Buffer};
pub use place::Place;
pub use program::{Build, Event, Kernel, Program, Resources};
pub use source::Source;
pub use survey::{Api, Class, Description, Survey, survey};

use bytemuck::Pod;
use memory::{Memory, Value};
use program::{EventInner, KernelInner, ProgramInner};
use std::marker::PhantomData;

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

    /// The program of machine code that [`cuda::compile`] gave.
    ///
    /// # Errors
    /// If the device is none of CUDA's, or does not take it.
    pub(crate) fn load(&self, source: &Source, code: Vec<u8>) -> Result<Program, Error> {
        let Inner::Cuda(d) = &self.inner else { return Err(Error::OtherDevice) };
        Ok(Program { inner: ProgramInner::Cuda(d.program(source, code)?), build: self.build(source) })
    }

    /// What `source` is compiled with.
    fn build(&self, source: &Source) -> Build {
        Build {
            api: self.api(),
            device: self.description.name.clone(),
            driver: self.description.driver.clone(),
            architecture: self.description.architecture.clone(),
            compiler: self.description.compiler.clone(),
            options: self.options(source),
        }
    }

    /// Compiles `source`, or takes it from the cache on disk.
    ///
    /// A program can do on the device whatever its text says: sources are trusted as the program itself is.
    ///
    /// # Errors
    /// [`Error::Compile`] with the compiler's messages.
    pub fn compile(&self, source: &Source) -> Result<Program, Error> {
        let build = self.build(source);
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

    /// Whether an OpenCL device has an extension; CUDA has none.
    pub fn has(&self, extension: &str) -> bool {
        match &self.inner {
            Inner::Cuda(_) => false,
            Inner::OpenCl(d) => d.has(extension),
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
