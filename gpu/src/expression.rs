//! A function given as an expression in a device's language, `expf(x)` or `native_exp(x)`, as a kernel that writes its results.

use crate::device::{Api, Buffer, Device, Error, Kernel, Program, Source, Unusable, cuda};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// The type of arguments and results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// binary16: `half`, `__half`.
    F16,
    /// bfloat16: `__nv_bfloat16` of CUDA.
    BF16,
    /// `float`.
    F32,
    /// `double`.
    F64,
}

impl Scalar {
    /// Its name in a language, and what leads from a word of bits to it and back, each in front of an argument in brackets.
    fn words(self, api: Api) -> [&'static str; 3] {
        match (api, self) {
            (Api::Cuda, Scalar::F16) => ["__half", "__ushort_as_half((unsigned short)", "__half_as_ushort("],
            (Api::Cuda, Scalar::BF16) => {
                ["__nv_bfloat16", "__ushort_as_bfloat16((unsigned short)", "__bfloat16_as_ushort("]
            }
            (Api::Cuda, Scalar::F32) => ["float", "__uint_as_float((unsigned)", "__float_as_uint("],
            (Api::Cuda, Scalar::F64) => {
                ["double", "__longlong_as_double((long long)", "(unsigned long long)__double_as_longlong("]
            }
            (Api::OpenCl, Scalar::F16 | Scalar::BF16) => ["half", "as_half((ushort)", "as_ushort("],
            (Api::OpenCl, Scalar::F32) => ["float", "as_float((uint)", "as_uint("],
            (Api::OpenCl, Scalar::F64) => ["double", "as_double((ulong)", "as_ulong("],
        }
    }

    /// What the program begins with.
    fn head(self, api: Api) -> &'static str {
        match (api, self) {
            (Api::Cuda, Scalar::F16) => "#include <cuda_fp16.h>\n",
            (Api::Cuda, Scalar::BF16) => "#include <cuda_bf16.h>\n",
            (Api::OpenCl, Scalar::F16) => "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n",
            (Api::OpenCl, Scalar::F64) => "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n",
            _ => "",
        }
    }

    /// What a device lacks to compute with it.
    fn lacks(self, device: &Device) -> Option<&'static str> {
        match (device.api(), self) {
            (Api::OpenCl, Scalar::BF16) => Some("bfloat16, which OpenCL C does not have"),
            (Api::OpenCl, Scalar::F16) if !device.has("cl_khr_fp16") => Some("half (cl_khr_fp16)"),
            _ => None,
        }
    }
}

/// An expression of x, and of y and z.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    /// The language.
    pub api: Api,
    /// The expression.
    pub text: String,
    /// The type of arguments and result.
    pub scalar: Scalar,
    /// A header that it needs.
    pub header: Option<PathBuf>,
    /// Options of the compiler, behind those of the language's version alone: arithmetic is what the compiler makes of it.
    pub options: Vec<String>,
}

impl Expression {
    /// The kernel that evaluates it. What the compiler says of the expression names its own line.
    pub fn source(&self) -> Source {
        let [ty, from, to] = self.scalar.words(self.api);
        let argument = |name: &str| format!("const {ty} {name} = {from}bits_{name}[i]);");
        let arguments = ["x", "y", "z"].map(argument).join("\n    ");
        let result = format!("{to}value_of_expression)");
        let (kernel, global, word, index) = match self.api {
            Api::OpenCl => ("__kernel", "__global ", "ulong", "get_global_id(0)"),
            Api::Cuda => ("extern \"C\" __global__", "", "unsigned long long", "blockIdx.x * blockDim.x + threadIdx.x"),
        };
        let head = self.scalar.head(self.api);
        let header = self.header.as_ref().map_or(String::new(), |path| {
            let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
            format!("#include \"{}\"\n", path.display())
        });
        let list = ["bits_x", "bits_y", "bits_z"].map(|name| format!("{global}const {word} *{name}")).join(", ");
        let text = format!(
            "{head}{header}{kernel} void evaluate(unsigned int n, {list}, {global}{word} *results)\n{{\n    \
             const unsigned int i = {index};\n    if (i >= n) return;\n    {arguments}\n    \
             const {ty} value_of_expression = (\n#line 1 \"expression\"\n{}\n);\n    results[i] = {result};\n}}\n",
            self.text
        );
        let toolkit = head.starts_with("#include").then(cuda::headers).flatten();
        let include = self.header.iter().filter_map(|path| path.parent()).map(PathBuf::from).chain(toolkit).collect();
        Source { include, options: Some(self.options.clone()), ..Source::new("expression.cl", text) }
    }
}

/// An expression on a device.
#[derive(Debug)]
pub struct Evaluator {
    device: Device,
    kernel: Kernel,
    /// Kernels are of a program.
    _program: Program,
    busy: Mutex<()>,
}

impl Evaluator {
    /// Compiles an expression on a device.
    ///
    /// # Errors
    /// With the compiler's messages.
    pub fn new(device: Device, expression: &Expression) -> Result<Evaluator, Error> {
        if let Some(what) = expression.scalar.lacks(&device) {
            let (api, index) = (device.api(), device.description().index);
            return Err(Error::Unusable { api, index, why: Unusable::Lacks(what.into()) });
        }
        let program = device.compile(&expression.source())?;
        let kernel = program.kernel("evaluate")?;
        Ok(Evaluator { device, kernel, _program: program, busy: Mutex::new(()) })
    }

    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Results of columns of arguments, as bits, those of a narrow type in the low part.
    ///
    /// # Errors
    /// If the device fails.
    pub fn evaluate(&self, args: [&[u64]; 3]) -> Result<Vec<u64>, Error> {
        let _one = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        let n = args[0].len();
        let (x, y, z) = (self.device.upload(args[0])?, self.device.upload(args[1])?, self.device.upload(args[2])?);
        let results = self.device.zeros::<u64>(n)?;
        self.on_device(n, [&x, &y, &z], &results)?;
        self.device.download(&results)
    }

    /// The same of columns that are on the device, into another one there.
    ///
    /// # Errors
    /// If the device fails.
    pub fn on_device(&self, n: usize, args: [&Buffer<u64>; 3], results: &Buffer<u64>) -> Result<(), Error> {
        let size = self.device.group_size();
        let list = [(n as u32).into(), args[0].arg(), args[1].arg(), args[2].arg(), results.arg()];
        self.device.launch(&self.kernel, (n as u32).div_ceil(size), size, &list)
    }
}
