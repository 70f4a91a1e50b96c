//! CUDA: the driver and NVRTC, through crate cudarc, which loads both at run time.

use super::messages;
use super::{Api, Arg, Build, Class, Description, Error, Resources, Source, Unusable, Value, cache};
use cudarc::driver::{
    CudaContext, CudaEvent, CudaFunction, CudaModule, CudaSlice, CudaStream, DriverError, LaunchConfig, PushKernelArg,
    result, sys,
};
use cudarc::nvrtc;
use std::ffi::CString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The driver must know the functions that are used: CUDA 12.8.
const OLDEST_DRIVER: i32 = 12080;

fn version(v: i32) -> String {
    format!("{}.{}", v / 1000, v % 1000 / 10)
}

/// A driver's answer as an error.
fn failed(call: &str, e: DriverError) -> Error {
    use sys::CUresult::*;
    match e.0 {
        CUDA_ERROR_OUT_OF_MEMORY => Error::OutOfMemory { bytes: 0 },
        CUDA_ERROR_ILLEGAL_ADDRESS
        | CUDA_ERROR_LAUNCH_FAILED
        | CUDA_ERROR_LAUNCH_TIMEOUT
        | CUDA_ERROR_ECC_UNCORRECTABLE
        | CUDA_ERROR_NVLINK_UNCORRECTABLE
        | CUDA_ERROR_HARDWARE_STACK_ERROR
        | CUDA_ERROR_ILLEGAL_INSTRUCTION
        | CUDA_ERROR_MISALIGNED_ADDRESS
        | CUDA_ERROR_INVALID_ADDRESS_SPACE
        | CUDA_ERROR_INVALID_PC
        | CUDA_ERROR_ASSERT
        | CUDA_ERROR_CONTEXT_IS_DESTROYED
        | CUDA_ERROR_DEVICE_UNAVAILABLE
        | CUDA_ERROR_SYSTEM_NOT_READY
        | CUDA_ERROR_UNKNOWN => Error::Lost(format!("{call}: {e}")),
        _ => Error::Call { call: call.to_string(), code: e.to_string() },
    }
}

/// The compiler's version and the architectures it knows.
struct Compiler {
    version: String,
    architectures: Vec<i32>,
}

/// The compiler, once its library is loaded.
fn compiler() -> Result<Compiler, Unusable> {
    let absent = || Unusable::NoCompiler { library: "libnvrtc".into() };
    // Loading a library runs its initialisers; NVRTC's have no requirements.
    if !unsafe { nvrtc::sys::is_culib_present() } {
        return Err(absent());
    }
    let (mut major, mut minor, mut n) = (0, 0, 0);
    // The pointers are to live locals, and the list has the length that NVRTC asked for.
    let architectures = unsafe {
        nvrtc::sys::nvrtcVersion(&mut major, &mut minor).result().map_err(|_| absent())?;
        nvrtc::sys::nvrtcGetNumSupportedArchs(&mut n).result().map_err(|_| absent())?;
        let mut list = vec![0; n.max(0) as usize];
        nvrtc::sys::nvrtcGetSupportedArchs(list.as_mut_ptr()).result().map_err(|_| absent())?;
        list
    };
    Ok(Compiler { version: format!("NVRTC {major}.{minor}"), architectures })
}

/// The compiler's name and version.
///
/// # Errors
/// If it is not there.
pub fn compiler_version() -> Result<String, Unusable> {
    compiler().map(|c| c.version)
}

impl Compiler {
    fn knows(&self, architecture: &str) -> Result<(), Unusable> {
        if self.architectures.iter().any(|a| format!("sm_{a}") == architecture) {
            return Ok(());
        }
        let ends = self.architectures.iter().min().zip(self.architectures.iter().max());
        Err(Unusable::Architecture {
            compiler: self.version.clone(),
            architecture: architecture.to_string(),
            supported: ends.map_or(String::new(), |(a, b)| format!("sm_{a} to sm_{b}")),
        })
    }
}

/// Every device.
pub(super) fn list() -> Result<Vec<Description>, Unusable> {
    // Loading a library runs its initialisers; the driver's have no requirements.
    if !unsafe { sys::is_culib_present() } {
        return Err(Unusable::NoDriver { library: "libcuda".into() });
    }
    let mut driver = 0;
    // The pointer is to a live local. This call needs no initialised driver.
    let known = unsafe { sys::cuDriverGetVersion(&mut driver) }.result();
    if known.is_err() || driver < OLDEST_DRIVER {
        return Err(Unusable::OldDriver { found: version(driver), needed: version(OLDEST_DRIVER) });
    }
    let started = |e: DriverError| match e.0 {
        sys::CUresult::CUDA_ERROR_NO_DEVICE => Unusable::NoDevice,
        _ => Unusable::Driver(e.to_string()),
    };
    result::init().map_err(started)?;
    let count = result::device::get_count().map_err(started)?;
    let compiler = compiler();
    (0..count as usize).map(|i| describe(i, driver, &compiler).map_err(started)).collect()
}

fn describe(index: usize, driver: i32, compiler: &Result<Compiler, Unusable>) -> Result<Description, DriverError> {
    use sys::CUdevice_attribute_enum as A;
    let device = result::device::get(index as i32)?;
    // The device is one that the driver has just named.
    let attribute = |a| unsafe { result::device::get_attribute(device, a) };
    let (major, minor) = (
        attribute(A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
        attribute(A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
    );
    let architecture = format!("sm_{major}{minor}");
    let unusable = match compiler {
        Err(why) => Some(why.clone()),
        Ok(c) => c.knows(&architecture).err(),
    };
    Ok(Description {
        api: Api::Cuda,
        index,
        name: result::device::get_name(device)?,
        class: Class::Gpu,
        driver: format!("CUDA {}", version(driver)),
        architecture,
        compiler: compiler.as_ref().map_or(String::new(), |c| c.version.clone()),
        // As above.
        memory: unsafe { result::device::total_mem(device)? } as u64,
        units: attribute(A::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)? as u32,
        clock_khz: attribute(A::CU_DEVICE_ATTRIBUTE_CLOCK_RATE).unwrap_or(0) as u64,
        unusable,
    })
}

/// The folder of the toolkit's headers, as `cuda_fp16.h`, where it is found: below `$CUDA_HOME` or `$CUDA_PATH`, beside the folders of
/// `$LD_LIBRARY_PATH`, in which NVRTC may lie, or in `/usr/local/cuda`.
pub fn headers() -> Option<PathBuf> {
    let homes = ["CUDA_HOME", "CUDA_PATH"].iter().filter_map(std::env::var_os).map(PathBuf::from);
    let libraries = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let libraries: Vec<PathBuf> = std::env::split_paths(&libraries).collect();
    let beside = libraries.iter().filter_map(|folder| folder.parent()).map(PathBuf::from);
    let folders = homes.chain(beside).chain([PathBuf::from("/usr/local/cuda")]);
    folders.map(|home| home.join("include")).find(|folder| folder.join("cuda_fp16.h").is_file())
}

/// The options that `source` is compiled with for an architecture as `sm_90`.
pub fn options(source: &Source, architecture: &str) -> Vec<String> {
    let arithmetic = if source.contracted {
        ["--fmad=true", "--ftz=true", "--prec-div=false", "--prec-sqrt=false"]
    } else {
        ["--fmad=false", "--ftz=false", "--prec-div=true", "--prec-sqrt=true"]
    };
    let fixed = [format!("--gpu-architecture={architecture}"), "--std=c++17".to_string()];
    let arithmetic = source.options.clone().unwrap_or_else(|| arithmetic.map(String::from).into());
    let lines = source.lines.then(|| "--generate-line-info".to_string());
    fixed.into_iter().chain(arithmetic).chain(lines).chain(source.preprocessor_options()).collect()
}

/// `source` as machine code of an architecture as `sm_90`. Needs NVRTC and no device.
///
/// # Errors
/// [`Error::Compile`] with the compiler's messages.
pub fn compile(source: &Source, architecture: &str) -> Result<Vec<u8>, Error> {
    let unusable = |why| Error::Unusable { api: Api::Cuda, index: 0, why };
    let compiler = compiler().map_err(unusable)?;
    compiler.knows(architecture).map_err(unusable)?;
    let call = |what: &str, e: nvrtc::result::NvrtcError| Error::Call { call: what.into(), code: e.to_string() };
    let text =
        |s: &str| CString::new(s).map_err(|e| Error::Call { call: "reading the source".into(), code: e.to_string() });
    let (body, name, options) = (text(&source.text)?, text(&source.name)?, options(source, architecture));
    options.iter().try_for_each(|o| text(o).map(drop))?;
    let program =
        OwnedProgram(nvrtc::result::create_program(&body, Some(&name)).map_err(|e| call("nvrtcCreateProgram", e))?);
    // The program is alive until the end of this function, and the code buffer has the size NVRTC asked for.
    unsafe {
        if let Err(e) = nvrtc::result::compile_program(program.0, &options) {
            let log = nvrtc::result::get_program_log(program.0).unwrap_or_default();
            let bytes: Vec<u8> = log.iter().map(|&c| c as u8).take_while(|&c| c != 0).collect();
            let log = String::from_utf8_lossy(&bytes).trim().to_string();
            let log = if log.is_empty() { e.to_string() } else { log };
            return Err(Error::Compile {
                source_name: source.name.clone(),
                compiler: compiler.version,
                options,
                errors: messages(&log, &source.name),
                log,
            });
        }
        let mut size = 0;
        nvrtc::sys::nvrtcGetCUBINSize(program.0, &mut size).result().map_err(|e| call("nvrtcGetCUBINSize", e))?;
        let mut code = vec![0u8; size];
        let data = code.as_mut_ptr().cast();
        nvrtc::sys::nvrtcGetCUBIN(program.0, data).result().map_err(|e| call("nvrtcGetCUBIN", e))?;
        Ok(code)
    }
}

/// The same, or from the cache on disk, whatever the device.
///
/// # Errors
/// As [`compile`].
pub fn compile_once(source: &Source, architecture: &str) -> Result<Vec<u8>, Error> {
    let build = Build {
        api: Api::Cuda,
        device: String::new(),
        driver: String::new(),
        architecture: architecture.into(),
        compiler: compiler_version().unwrap_or_default(),
        options: options(source, architecture),
    };
    let key = cache::Key::new(source, &build);
    if let Some(code) = key.read() {
        return Ok(code);
    }
    let code = compile(source, architecture)?;
    key.write(&code);
    Ok(code)
}

struct OwnedProgram(nvrtc::sys::nvrtcProgram);

impl Drop for OwnedProgram {
    fn drop(&mut self) {
        // Created by nvrtcCreateProgram and destroyed once, here.
        let _ = unsafe { nvrtc::result::destroy_program(self.0) };
    }
}

#[derive(Debug)]
pub(super) struct Device {
    context: Arc<CudaContext>,
    stream: Arc<CudaStream>,
}

#[derive(Debug)]
pub(super) struct Memory(CudaSlice<u8>);

#[derive(Debug)]
pub(super) struct Program {
    module: Arc<CudaModule>,
    source: Source,
}

#[derive(Debug)]
pub(super) struct Kernel {
    function: CudaFunction,
    /// The sizes of its parameters in bytes.
    sizes: Vec<usize>,
}

#[derive(Debug)]
pub(super) struct Event(CudaEvent);

impl Device {
    pub fn open(index: usize) -> Result<Device, Error> {
        let context = CudaContext::new(index).map_err(|e| failed("opening the device", e))?;
        let stream = context.default_stream();
        Ok(Device { context, stream })
    }

    pub fn compile(&self, source: &Source, build: &Build, key: &cache::Key) -> Result<Program, Error> {
        if let Some(module) = key.read().and_then(|code| self.load(code).ok()) {
            return Ok(Program { module, source: source.clone() });
        }
        let code = compile(source, &build.architecture)?;
        key.write(&code);
        self.program(source, code)
    }

    pub fn program(&self, source: &Source, code: Vec<u8>) -> Result<Program, Error> {
        let module = self.load(code).map_err(|e| failed("loading the program", e))?;
        Ok(Program { module, source: source.clone() })
    }

    fn load(&self, code: Vec<u8>) -> Result<Arc<CudaModule>, DriverError> {
        self.context.load_module(nvrtc::Ptx::from_binary(code))
    }

    pub fn zeros(&self, bytes: usize) -> Result<Memory, Error> {
        let memory = self.stream.alloc_zeros(bytes.max(1)).map_err(|e| sized(failed("allocating", e), bytes))?;
        Ok(Memory(memory))
    }

    pub fn upload(&self, data: &[u8]) -> Result<Memory, Error> {
        let mut memory = self.zeros(data.len())?;
        if !data.is_empty() {
            self.stream.memcpy_htod(data, &mut memory.0).map_err(|e| failed("copying to the device", e))?;
        }
        self.synchronize()?;
        Ok(memory)
    }

    pub fn download(&self, memory: &Memory, data: &mut [u8]) -> Result<(), Error> {
        if !data.is_empty() {
            let view = memory.0.try_slice(..data.len()).ok_or(Error::OtherDevice)?;
            self.stream.memcpy_dtoh(&view, data).map_err(|e| failed("copying from the device", e))?;
        }
        self.synchronize()
    }

    pub fn launch(&self, k: &Kernel, name: &str, groups: u32, size: u32, args: &[Arg<'_>]) -> Result<(), Error> {
        let wrong = |problem| Error::Arguments { kernel: name.to_string(), problem };
        if args.len() != k.sizes.len() {
            return Err(wrong(format!("takes {} arguments and got {}", k.sizes.len(), args.len())));
        }
        let mut launch = self.stream.launch_builder(&k.function);
        for (i, (arg, &size)) in args.iter().zip(&k.sizes).enumerate() {
            let given = match &arg.0 {
                Value::U32(x) => (launch.arg(x), 4).1,
                Value::U64(x) => (launch.arg(x), 8).1,
                Value::F32(x) => (launch.arg(x), 4).1,
                Value::F64(x) => (launch.arg(x), 8).1,
                Value::Memory(super::Memory::Cuda(m)) => (launch.arg(&m.0), 8).1,
                Value::Memory(_) => return Err(Error::OtherDevice),
            };
            if given != size {
                return Err(wrong(format!("argument {i} has {size} bytes and was given {given}")));
            }
        }
        let config = LaunchConfig { grid_dim: (groups, 1, 1), block_dim: (size, 1, 1), shared_mem_bytes: 0 };
        // Number and sizes of the arguments are the kernel's own; what it does with them is its source's affair,
        // which is trusted as this program is.
        unsafe { launch.launch(config) }.map_err(|e| failed(&format!("launching {name}"), e))?;
        Ok(())
    }

    pub fn event(&self) -> Result<Event, Error> {
        let flags = Some(sys::CUevent_flags::CU_EVENT_DEFAULT);
        Ok(Event(self.stream.record_event(flags).map_err(|e| failed("recording an event", e))?))
    }

    pub fn synchronize(&self) -> Result<(), Error> {
        self.stream.synchronize().map_err(|e| failed("waiting for the device", e))
    }
}

fn sized(e: Error, bytes: usize) -> Error {
    if let Error::OutOfMemory { .. } = e { Error::OutOfMemory { bytes } } else { e }
}

impl Program {
    pub fn kernel(&self, name: &str) -> Result<Kernel, Error> {
        let missing = |problem: String| Error::Arguments { kernel: name.to_string(), problem };
        if name.contains('\0') {
            return Err(missing("no such name".into()));
        }
        let function = self.module.load_function(name).map_err(|e| missing(format!("not in this program: {e}")))?;
        // Older drivers do not tell how many; asking past the last is an error, which checkers report.
        let count = self.source.parameters(name).ok_or_else(|| missing("not in the source".into()))?;
        let size = |i: usize| {
            let (mut offset, mut size) = (0, 0);
            // The function is of a loaded module and the pointers are to live locals.
            unsafe { sys::cuFuncGetParamInfo(function.cu_function(), i, &mut offset, &mut size) }.result()?;
            Ok(size)
        };
        let sizes: Result<Vec<usize>, DriverError> = (0..count).map(size).collect();
        let sizes = sizes.map_err(|e| failed("asking for a kernel's parameters", e))?;
        Ok(Kernel { function, sizes })
    }
}

impl Kernel {
    pub fn resources(&self) -> Option<Resources> {
        let registers = self.function.num_regs().ok()? as u32;
        Some(Resources { registers, local_bytes: self.function.local_size_bytes().ok()? as u32 })
    }
}

impl Event {
    pub fn until(&self, end: &Event) -> Result<Duration, Error> {
        let ms = self.0.elapsed_ms(&end.0).map_err(|e| failed("reading events", e))?;
        Ok(Duration::from_secs_f64(ms.max(0.0) as f64 / 1e3))
    }
}
