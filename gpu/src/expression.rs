//! A function given as an expression in a device's language, `expf(x)` or `native_exp(x)`, as a kernel that writes its results.

use crate::device::{Api, Buffer, Device, Error, Kernel, Program, Source};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// An expression of x, and of y and z.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    /// The language.
    pub api: Api,
    /// The expression.
    pub text: String,
    /// Whether arguments and result are doubles, in place of floats.
    pub double: bool,
    /// A header that it needs.
    pub header: Option<PathBuf>,
    /// Options of the compiler, behind those of the language's version alone: arithmetic is what the compiler makes of it.
    pub options: Vec<String>,
}

impl Expression {
    /// The kernel that evaluates it. What the compiler says of the expression names its own line.
    pub fn source(&self) -> Source {
        let (ty, bits) = if self.double { ("double", "long") } else { ("float", "int") };
        let argument = |name: &str, from: char| match self.api {
            Api::OpenCl => format!("const {ty} {name} = as_{ty}((u{bits})bits_{from}[i]);"),
            Api::Cuda if self.double => {
                format!("const double {name} = __longlong_as_double((long long)bits_{from}[i]);")
            }
            Api::Cuda => format!("const float {name} = __uint_as_float((unsigned)bits_{from}[i]);"),
        };
        let arguments = [argument("x", 'x'), argument("y", 'y'), argument("z", 'z')].join("\n    ");
        let result = match self.api {
            Api::OpenCl => format!("as_u{bits}(value_of_expression)"),
            Api::Cuda if self.double => "(unsigned long long)__double_as_longlong(value_of_expression)".into(),
            Api::Cuda => "__float_as_uint(value_of_expression)".into(),
        };
        let (kernel, global, word, index) = match self.api {
            Api::OpenCl => ("__kernel", "__global ", "ulong", "get_global_id(0)"),
            Api::Cuda => ("extern \"C\" __global__", "", "unsigned long long", "blockIdx.x * blockDim.x + threadIdx.x"),
        };
        let pragma =
            if self.api == Api::OpenCl && self.double { "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" } else { "" };
        let header = self.header.as_ref().map_or(String::new(), |path| {
            let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
            format!("#include \"{}\"\n", path.display())
        });
        let list = ["bits_x", "bits_y", "bits_z"].map(|name| format!("{global}const {word} *{name}")).join(", ");
        let text = format!(
            "{pragma}{header}{kernel} void evaluate(unsigned int n, {list}, {global}{word} *results)\n{{\n    \
             const unsigned int i = {index};\n    if (i >= n) return;\n    {arguments}\n    \
             const {ty} value_of_expression = (\n#line 1 \"expression\"\n{}\n);\n    results[i] = {result};\n}}\n",
            self.text
        );
        let include = self.header.iter().filter_map(|path| path.parent()).map(PathBuf::from).collect();
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
        let program = device.compile(&expression.source())?;
        let kernel = program.kernel("evaluate")?;
        Ok(Evaluator { device, kernel, _program: program, busy: Mutex::new(()) })
    }

    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Results of columns of arguments, as bits, those of a float in the low half.
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
