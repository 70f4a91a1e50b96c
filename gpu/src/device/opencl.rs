//! OpenCL, through crate opencl3, which loads the library at run time.

use super::error::messages;
use super::{Api, Arg, Build, Class, Description, Error, Source, Unusable, Value, cache};
use crate::print::OpenCl;
use opencl3::command_queue::{CL_QUEUE_PROFILING_ENABLE, CommandQueue};
use opencl3::context::Context;
use opencl3::device::{
    CL_DEVICE_TYPE_ALL, CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_GPU, CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT, CL_FP_DENORM,
    CL_FP_FMA, CL_FP_INF_NAN, CL_FP_ROUND_TO_NEAREST,
};
use opencl3::error_codes::{
    CL_BUILD_PROGRAM_FAILURE, CL_DEVICE_NOT_AVAILABLE, CL_DEVICE_NOT_FOUND, CL_INVALID_BUFFER_SIZE,
    CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES, ClError,
};
use opencl3::memory::{Buffer, CL_MEM_READ_WRITE, ClMem};
use opencl3::types::{CL_BLOCKING, cl_device_id};
use std::fmt;
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

/// The extension's code for "no platform".
const CL_PLATFORM_NOT_FOUND_KHR: i32 = -1001;
/// Crate cl3's code for a library that cannot be loaded.
const LIBRARY_NOT_LOADED: i32 = -2000;

fn failed(call: &str, e: ClError) -> Error {
    match e.0 {
        CL_MEM_OBJECT_ALLOCATION_FAILURE | CL_OUT_OF_HOST_MEMORY | CL_OUT_OF_RESOURCES
        // More than one allocation may have.
        | CL_INVALID_BUFFER_SIZE => {
            Error::OutOfMemory { bytes: 0 }
        }
        CL_DEVICE_NOT_AVAILABLE => Error::Lost(format!("{call}: {e}")),
        _ => Error::Call { call: call.to_string(), code: e.to_string() },
    }
}

/// Devices of all platforms, in the platforms' order.
fn devices() -> Result<Vec<opencl3::device::Device>, Unusable> {
    let platforms = match opencl3::platform::get_platforms() {
        Ok(platforms) => platforms,
        Err(e) if e.0 == LIBRARY_NOT_LOADED => return Err(Unusable::NoDriver { library: "libOpenCL".into() }),
        Err(e) if e.0 == CL_PLATFORM_NOT_FOUND_KHR => return Err(Unusable::NoDevice),
        Err(e) => return Err(Unusable::Driver(e.to_string())),
    };
    let mut found = Vec::new();
    for platform in platforms {
        match platform.get_devices(CL_DEVICE_TYPE_ALL) {
            Ok(ids) => found.extend(ids.into_iter().map(opencl3::device::Device::new)),
            Err(e) if e.0 == CL_DEVICE_NOT_FOUND => {}
            Err(e) => return Err(Unusable::Driver(e.to_string())),
        }
    }
    Ok(found)
}

/// Every device. They are looked for once: PoCL's first enumeration must not run on two threads.
pub(super) fn list() -> Result<Vec<Description>, Unusable> {
    static FOUND: OnceLock<Result<Vec<Description>, Unusable>> = OnceLock::new();
    let found = || {
        let describe = |(i, d): (usize, &opencl3::device::Device)| describe(i, d);
        let all: Result<Vec<_>, ClError> = devices()?.iter().enumerate().map(describe).collect();
        all.map_err(|e| Unusable::Driver(e.to_string()))
    };
    FOUND.get_or_init(found).clone()
}

fn describe(index: usize, device: &opencl3::device::Device) -> Result<Description, ClError> {
    let trimmed = |s: String| s.trim_matches(['\0', ' ']).to_string();
    let platform = opencl3::platform::Platform::new(device.platform()?);
    let version = trimmed(device.version()?);
    let types = device.dev_type()?;
    Ok(Description {
        api: Api::OpenCl,
        index,
        name: trimmed(device.name()?),
        class: match () {
            () if types & CL_DEVICE_TYPE_GPU != 0 => Class::Gpu,
            () if types & CL_DEVICE_TYPE_CPU != 0 => Class::Processor,
            () => Class::Accelerator,
        },
        driver: format!("{} {}", trimmed(platform.name()?), trimmed(device.driver_version()?)),
        architecture: version.clone(),
        compiler: format!("{}, {}", trimmed(device.opencl_c_version()?), trimmed(platform.version()?)),
        memory: device.global_mem_size()?,
        units: device.max_compute_units()?,
        clock_khz: u64::from(device.max_clock_frequency()?) * 1000,
        unusable: lacks(device, &version)?.map(|what| Unusable::Lacks(what.to_string())),
    })
}

/// What the device lacks of the arithmetic that printed code needs.
fn lacks(device: &opencl3::device::Device, version: &str) -> Result<Option<&'static str>, ClError> {
    let old = ["OpenCL 1.0", "OpenCL 1.1"].iter().any(|v| version.starts_with(v));
    let single = device.single_fp_config()?;
    // Drivers without double fail here or give 0.
    let double = device.double_fp_config().unwrap_or(0);
    let wants = |config: u64, flags: u64| config & flags == flags;
    let tests = [
        (old, "OpenCL C 1.2"),
        (!device.available()?, "time for us: it is not available"),
        (!device.compiler_available()?, "compiler"),
        (!device.endian_little()?, "little-endian memory"),
        (!wants(single, CL_FP_DENORM), "subnormal floats"),
        (!wants(single, CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST), "IEEE floats"),
        (!wants(single, CL_FP_FMA), "fused multiply-add of floats"),
        (!wants(single, CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT), "correctly rounded float division and root"),
        (double == 0, "double (cl_khr_fp64)"),
        (!wants(double, CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_FMA), "IEEE doubles"),
    ];
    Ok(tests.into_iter().find(|&(lacking, _)| lacking).map(|(_, what)| what))
}

/// The options that `source` is compiled with.
pub(super) fn options(source: &Source) -> Vec<String> {
    let arithmetic = if source.contracted { "-cl-std=CL1.2 -cl-fast-relaxed-math" } else { OpenCl::OPTIONS };
    let arithmetic = match &source.options {
        Some(options) => options.clone(),
        None => arithmetic.split(' ').map(String::from).collect(),
    };
    arithmetic.into_iter().chain(source.preprocessor_options()).collect()
}

pub(super) struct Device {
    device: opencl3::device::Device,
    context: Context,
    queue: CommandQueue,
    group_size: u32,
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Device").finish_non_exhaustive()
    }
}

#[derive(Debug)]
pub(super) struct Memory(Buffer<u8>);

#[derive(Debug)]
pub(super) struct Program(opencl3::program::Program);

/// Arguments belong to a kernel, so two launches at once would mix theirs.
#[derive(Debug)]
pub(super) struct Kernel {
    kernel: Mutex<opencl3::kernel::Kernel>,
    count: usize,
}

#[derive(Debug)]
pub(super) struct Event(opencl3::event::Event);

impl Device {
    pub fn open(index: usize) -> Result<Device, Error> {
        let unusable = |why| Error::Unusable { api: Api::OpenCl, index, why };
        list().map_err(unusable)?;
        let mut devices = devices().map_err(unusable)?;
        if index >= devices.len() {
            return Err(Error::NoSuchDevice { api: Api::OpenCl, index, found: devices.len() });
        }
        let device = devices.swap_remove(index);
        let failed = |e| failed("opening the device", e);
        let context = Context::from_device(&device).map_err(failed)?;
        #[allow(deprecated)] // its successor needs OpenCL 2.0
        let queue = CommandQueue::create_default(&context, CL_QUEUE_PROFILING_ENABLE).map_err(failed)?;
        let is_cpu = device.dev_type().map_err(failed)? & CL_DEVICE_TYPE_CPU != 0;
        let most = device.max_work_group_size().map_err(failed)?.max(1);
        let group_size = (if is_cpu { 16 } else { 256 }).min(1 << most.ilog2());
        Ok(Device { device, context, queue, group_size })
    }

    pub fn has(&self, extension: &str) -> bool {
        self.device.extensions().is_ok_and(|list| list.split([' ', '\0']).any(|e| e == extension))
    }

    pub fn group_size(&self) -> u32 {
        self.group_size
    }

    pub fn compile(&self, source: &Source, build: &Build, key: &cache::Key) -> Result<Program, Error> {
        let ids = self.context.devices();
        let options = build.options.join(" ");
        if let Some(program) = key.read().and_then(|binary| self.load(&binary, ids, &options)) {
            return Ok(program);
        }
        let mut program = opencl3::program::Program::create_from_source(&self.context, &source.text)
            .map_err(|e| failed("creating a program", e))?;
        if let Err(e) = program.build(ids, &options) {
            let log = program.get_build_log(self.device.id()).unwrap_or_default();
            let log = log.trim_matches(['\0', '\n', ' ']).to_string();
            if e.0 != CL_BUILD_PROGRAM_FAILURE && log.is_empty() {
                return Err(failed("building a program", e));
            }
            return Err(Error::Compile {
                source_name: source.name.clone(),
                compiler: build.compiler.clone(),
                options: build.options.clone(),
                errors: messages(&log, &source.name),
                log,
            });
        }
        if let Ok([binary]) = program.get_binaries().as_deref() {
            key.write(binary);
        }
        Ok(Program(program))
    }

    fn load(&self, binary: &[u8], ids: &[cl_device_id], options: &str) -> Option<Program> {
        // The binary's checksum is right, so it is what a driver of this name and version gave for this device.
        let mut program =
            unsafe { opencl3::program::Program::create_from_binary(&self.context, ids, &[binary]) }.ok()?;
        program.build(ids, options).ok()?;
        Some(Program(program))
    }

    fn allocate(&self, bytes: usize) -> Result<Buffer<u8>, Error> {
        // No host memory is passed.
        unsafe { Buffer::create(&self.context, CL_MEM_READ_WRITE, bytes.max(8), std::ptr::null_mut()) }.map_err(|e| {
            let e = failed("allocating", e);
            if let Error::OutOfMemory { .. } = e { Error::OutOfMemory { bytes } } else { e }
        })
    }

    pub fn zeros(&self, bytes: usize) -> Result<Memory, Error> {
        let bytes = bytes.checked_next_multiple_of(8).ok_or(Error::OutOfMemory { bytes })?.max(8);
        let mut buffer = self.allocate(bytes)?;
        // The range filled is the buffer's, and the queue keeps the pattern.
        unsafe { self.queue.enqueue_fill_buffer(&mut buffer, &[0u8; 8], 0, bytes, &[]) }
            .map_err(|e| failed("clearing memory", e))?;
        Ok(Memory(buffer))
    }

    pub fn upload(&self, data: &[u8]) -> Result<Memory, Error> {
        let mut buffer = self.allocate(data.len())?;
        if !data.is_empty() {
            // The buffer is as long as the data, and the call returns once they are copied.
            unsafe { self.queue.enqueue_write_buffer(&mut buffer, CL_BLOCKING, 0, data, &[]) }
                .map_err(|e| failed("copying to the device", e))?;
        }
        Ok(Memory(buffer))
    }

    pub fn download(&self, memory: &Memory, data: &mut [u8]) -> Result<(), Error> {
        if !data.is_empty() {
            // The driver refuses a range beyond the buffer, and the call returns once the data are there.
            unsafe { self.queue.enqueue_read_buffer(&memory.0, CL_BLOCKING, 0, data, &[]) }
                .map_err(|e| failed("copying from the device", e))?;
        }
        Ok(())
    }

    pub fn launch(&self, k: &Kernel, name: &str, groups: u32, size: u32, args: &[Arg<'_>]) -> Result<(), Error> {
        let wrong = |problem| Error::Arguments { kernel: name.to_string(), problem };
        if args.len() != k.count {
            return Err(wrong(format!("takes {} arguments and got {}", k.count, args.len())));
        }
        let kernel = k.kernel.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        for (i, arg) in args.iter().enumerate() {
            let n = i as u32;
            // The driver compares the sizes with the kernel's own.
            let set = unsafe {
                match &arg.0 {
                    Value::U32(x) => kernel.set_arg(n, x),
                    Value::U64(x) => kernel.set_arg(n, x),
                    Value::F32(x) => kernel.set_arg(n, x),
                    Value::F64(x) => kernel.set_arg(n, x),
                    Value::Memory(super::Memory::OpenCl(m)) => kernel.set_arg(n, &m.0.get()),
                    Value::Memory(_) => return Err(Error::OtherDevice),
                }
            };
            set.map_err(|e| wrong(format!("argument {i}: {e}")))?;
        }
        let (global, local) = ([groups as usize * size as usize], [size as usize]);
        // All arguments are set; what the kernel does with them is its source's affair, which is trusted as this
        // program is.
        unsafe {
            self.queue.enqueue_nd_range_kernel(kernel.get(), 1, std::ptr::null(), global.as_ptr(), local.as_ptr(), &[])
        }
        .map_err(|e| failed(&format!("launching {name}"), e))?;
        self.queue.flush().map_err(|e| failed(&format!("launching {name}"), e))
    }

    pub fn event(&self) -> Result<Event, Error> {
        // No events are waited for but the queue's own.
        unsafe { self.queue.enqueue_marker_with_wait_list(&[]) }.map(Event).map_err(|e| failed("recording an event", e))
    }

    pub fn synchronize(&self) -> Result<(), Error> {
        self.queue.finish().map_err(|e| failed("waiting for the device", e))
    }
}

impl Program {
    pub fn kernel(&self, name: &str) -> Result<Kernel, Error> {
        let missing = |problem: String| Error::Arguments { kernel: name.to_string(), problem };
        if name.contains('\0') {
            return Err(missing("no such name".into()));
        }
        let kernel =
            opencl3::kernel::Kernel::create(&self.0, name).map_err(|e| missing(format!("not in this program: {e}")))?;
        let count = kernel.num_args().map_err(|e| missing(e.to_string()))? as usize;
        Ok(Kernel { kernel: Mutex::new(kernel), count })
    }
}

#[cfg(test)]
impl Kernel {
    pub fn count(&self) -> usize {
        self.count
    }
}

impl Event {
    pub fn until(&self, end: &Event) -> Result<Duration, Error> {
        let time = |e: &Event| {
            e.0.wait()?;
            e.0.profiling_command_end()
        };
        let times = time(self).and_then(|a| Ok((a, time(end)?)));
        let (a, b) = times.map_err(|e| failed("reading events", e))?;
        Ok(Duration::from_nanos(b.saturating_sub(a)))
    }
}
