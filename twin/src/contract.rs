//! What a twin is: two forms of one computation, and what is claimed about them.

use std::fmt;
use vernier_gpu::device::{Api, Device, Error, Program, Source, cuda};

/// The results of one run, in the order of the twin's outputs.
pub type Outputs = Vec<f64>;

/// A device in use and the twin's program on it.
#[derive(Debug)]
pub struct On<'a> {
    /// The device: buffers, launches, downloads.
    pub device: &'a Device,
    /// The twin's source, compiled for it.
    pub program: &'a Program,
}

/// Why an input cannot be made, as a file that cannot be read.
pub type InputError = Box<dyn std::error::Error + Send + Sync>;

type Host<I> = Box<dyn Fn(&I) -> Outputs + Send + Sync>;
type OnDevice<I> = Box<dyn Fn(&On<'_>, &I) -> Result<Outputs, Error> + Send + Sync>;

/// An input with its name.
pub struct Case<I> {
    /// Its name: what a report shows and a replay takes.
    pub name: String,
    pub(crate) make: Box<dyn Fn() -> Result<I, InputError> + Send + Sync>,
}

impl<I> fmt::Debug for Case<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Case").field(&self.name).finish()
    }
}

/// A mistake that the contract must notice.
pub struct Fault<I> {
    /// Its name.
    pub name: String,
    /// The macro that plants it in the device source.
    pub define: Option<String>,
    pub(crate) host: Host<I>,
}

impl<I> fmt::Debug for Fault<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fault").field("name", &self.name).field("define", &self.define).finish_non_exhaustive()
    }
}

pub(crate) struct Kernel<I> {
    pub cuda: String,
    pub opencl: String,
    pub run: OnDevice<I>,
}

/// A CPU computation, its GPU twin, and the contract between them.
///
/// Where `exact` is true of an input, every output of the twin must have the reference's bits (all NaN are one).
/// Elsewhere output k may differ from the reference's by at most `bound(input)[k]`, which is computed from the input alone.
pub struct Twin<I> {
    pub(crate) name: String,
    pub(crate) outputs: Vec<String>,
    pub(crate) reference: Host<I>,
    pub(crate) model: Host<I>,
    pub(crate) kernel: Option<Kernel<I>>,
    pub(crate) exact: Box<dyn Fn(&I) -> bool + Send + Sync>,
    pub(crate) bound: Box<dyn Fn(&I) -> Outputs + Send + Sync>,
    pub(crate) cases: Vec<Case<I>>,
    pub(crate) faults: Vec<Fault<I>>,
}

impl<I> fmt::Debug for Twin<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields = (&self.name, &self.outputs, &self.cases, &self.faults);
        f.debug_tuple("Twin").field(&fields).finish()
    }
}

impl<I> Twin<I> {
    /// A twin that must be identical on every input: `reference` is the computation as the CPU does it, `model` is
    /// what the GPU does, written for the host.
    ///
    /// The model makes the contract and its faults testable without a device; on a device, the kernel must
    /// return the model's bits.
    pub fn new(
        name: &str,
        outputs: &[&str],
        reference: impl Fn(&I) -> Outputs + Send + Sync + 'static,
        model: impl Fn(&I) -> Outputs + Send + Sync + 'static,
    ) -> Self {
        Twin {
            name: name.to_string(),
            outputs: outputs.iter().map(ToString::to_string).collect(),
            reference: Box::new(reference),
            model: Box::new(model),
            kernel: None,
            exact: Box::new(|_| true),
            bound: Box::new(|_| Vec::new()),
            cases: Vec::new(),
            faults: Vec::new(),
        }
    }

    /// The device's form: sources in CUDA C++ and OpenCL C, and how they are run on an input.
    pub fn kernel(
        mut self,
        cuda: impl Into<String>,
        opencl: impl Into<String>,
        run: impl Fn(&On<'_>, &I) -> Result<Outputs, Error> + Send + Sync + 'static,
    ) -> Self {
        self.kernel = Some(Kernel { cuda: cuda.into(), opencl: opencl.into(), run: Box::new(run) });
        self
    }

    /// Where the outputs must be identical, and the largest difference of each output elsewhere. Both see the input, never the
    /// outputs.
    pub fn claim(
        mut self,
        exact: impl Fn(&I) -> bool + Send + Sync + 'static,
        bound: impl Fn(&I) -> Outputs + Send + Sync + 'static,
    ) -> Self {
        (self.exact, self.bound) = (Box::new(exact), Box::new(bound));
        self
    }

    /// Adds an input. It is made when it is needed, and dropped after.
    pub fn case(mut self, name: impl Into<String>, make: impl Fn() -> I + Send + Sync + 'static) -> Self {
        self.cases.push(Case { name: name.into(), make: Box::new(move || Ok(make())) });
        self
    }

    /// Adds an input that may fail to come, as from a file.
    pub fn try_case(
        mut self,
        name: impl Into<String>,
        make: impl Fn() -> Result<I, InputError> + Send + Sync + 'static,
    ) -> Self {
        self.cases.push(Case { name: name.into(), make: Box::new(make) });
        self
    }

    /// Adds a mistake: `model` is the twin with it on the host, `define` the macro that plants it in the device source.
    pub fn fault(
        mut self,
        name: &str,
        define: Option<&str>,
        model: impl Fn(&I) -> Outputs + Send + Sync + 'static,
    ) -> Self {
        let define = define.map(ToString::to_string);
        self.faults.push(Fault { name: name.to_string(), define, host: Box::new(model) });
        self
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its cases.
    pub fn cases(&self) -> &[Case<I>] {
        &self.cases
    }

    /// Its faults.
    pub fn faults(&self) -> &[Fault<I>] {
        &self.faults
    }

    /// Compiles the CUDA source, and each fault's, for an architecture such as `sm_90`, where NVRTC is there but no device needs to
    /// be.
    ///
    /// # Errors
    /// If NVRTC is not there or does not know the architecture, or the source does not compile.
    pub fn compile_cuda(&self, architecture: &str) -> Result<(), Error> {
        let faults = self.faults.iter().filter_map(|f| f.define.as_deref()).map(Some);
        let sources = faults.chain([None]).filter_map(|define| self.source(Api::Cuda, define));
        sources.into_iter().try_for_each(|s| cuda::compile(&s, architecture).map(drop))
    }

    /// The source for this kind of device, with a fault's macro defined.
    pub(crate) fn source(&self, api: Api, define: Option<&str>) -> Option<Source> {
        let kernel = self.kernel.as_ref()?;
        let (name, text) = match api {
            Api::Cuda => (format!("{}.cu", self.name), &kernel.cuda),
            Api::OpenCl => (format!("{}.cl", self.name), &kernel.opencl),
        };
        let define = define.map(|d| format!("{d}=1")).into_iter().collect();
        Some(Source { define, ..Source::new(name, text.clone()) })
    }
}
