//! Where functions come from.

use super::{Candidate, OnDevice, rust};
use crate::error::Error;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;
use vernier_foreign::{Function as ForeignFunction, Library, Number, Program, Shape, Signature};
use vernier_gpu::device::{Api, Class, Device};
use vernier_gpu::expression::{Evaluator, Expression, Scalar};
use vernier_oracle::Function;
use vernier_oracle::number::Second;

/// Functions of OpenCL C 1.2 (6.12.2) that the oracle knows.
const OPENCL: &str = "acos acosh acospi asin asinh asinpi atan atanh atanpi atan2 cbrt ceil cos cosh cospi erf erfc exp exp10 exp2 \
                      expm1 fabs fdim floor fma fmax fmin fmod hypot lgamma log log10 log1p log2 logb pow remainder rint round rsqrt \
                      sin sinh sinpi sqrt tan tanh tanpi tgamma trunc";

/// Functions of the CUDA math API that the oracle knows.
const CUDA: &str = "acos acosh asin asinh atan atanh atan2 cbrt ceil cos cosh cospi erf erfc exp exp10 exp2 expm1 fabs fdim floor fma \
                    fmax fmin fmod hypot j0 j1 lgamma log log10 log1p log2 logb nearbyint norm3d pow rcbrt remainder rhypot rint \
                    rnorm3d round rsqrt sin sinh sinpi sqrt tan tanh tgamma trunc y0 y1";

/// Functions of CUDA's halfs, with an h in front of their names.
const CUDA_HALF: &str = "ceil cos exp exp10 exp2 floor log log10 log2 rint rsqrt sin sqrt tanh trunc";

/// Fast functions of CUDA, of floats: their names and what they compute.
const CUDA_FAST: &[(&str, Function)] = &[
    ("__cosf", Function::Cos),
    ("__exp10f", Function::Exp10),
    ("__expf", Function::Exp),
    ("__log10f", Function::Log10),
    ("__log2f", Function::Log2),
    ("__logf", Function::Log),
    ("__powf", Function::Pow),
    ("__sinf", Function::Sin),
    ("__tanf", Function::Tan),
    ("__fsqrt_rn", Function::Sqrt),
    ("__frsqrt_rn", Function::Rsqrt),
    ("__fmaf_rn", Function::Fma),
];

/// The same of OpenCL C 1.2 (6.12.2).
const OPENCL_FAST: &[(&str, Function)] = &[
    ("half_cos", Function::Cos),
    ("half_exp", Function::Exp),
    ("half_exp10", Function::Exp10),
    ("half_exp2", Function::Exp2),
    ("half_log", Function::Log),
    ("half_log10", Function::Log10),
    ("half_log2", Function::Log2),
    ("half_rsqrt", Function::Rsqrt),
    ("half_sin", Function::Sin),
    ("half_sqrt", Function::Sqrt),
    ("half_tan", Function::Tan),
    ("native_cos", Function::Cos),
    ("native_exp", Function::Exp),
    ("native_exp10", Function::Exp10),
    ("native_exp2", Function::Exp2),
    ("native_log", Function::Log),
    ("native_log10", Function::Log10),
    ("native_log2", Function::Log2),
    ("native_rsqrt", Function::Rsqrt),
    ("native_sin", Function::Sin),
    ("native_sqrt", Function::Sqrt),
    ("native_tan", Function::Tan),
];

/// A function that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Which.
    pub function: Function,
    /// Of which type.
    pub number: Number,
    /// Its name in a device's language where it is not the function's own.
    pub fast: Option<&'static str>,
}

impl From<(Function, Number)> for Asked {
    fn from((function, number): (Function, Number)) -> Asked {
        Asked { function, number, fast: None }
    }
}

impl Asked {
    /// That of a row.
    pub fn of(function: Function, number: Number, symbol: &str) -> Asked {
        let name = symbol.split('(').next().unwrap_or_default();
        let fast = CUDA_FAST.iter().chain(OPENCL_FAST).map(|(fast, _)| *fast).find(|fast| *fast == name);
        Asked { function, number, fast }
    }
}

/// What is measured, as the user names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// A shared library: a path, or a name that the loader finds.
    Library(PathBuf),
    /// Rust's standard library, as this program was compiled with it.
    RustStd,
    /// Crate `libm`.
    CrateLibm,
    /// Functions of a device's language, or one expression in it.
    Device {
        /// The language.
        api: Api,
        /// The device's number.
        index: usize,
        /// Its name and driver.
        name: String,
        /// The expression of x, y and z; none for the functions of the language.
        expression: Option<String>,
        /// A header that it needs.
        header: Option<PathBuf>,
        /// Options of the compiler.
        options: Vec<String>,
    },
}

impl std::fmt::Display for Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Subject::Library(path) => f.write_str(&crate::text::path(path)),
            Subject::RustStd => f.write_str("Rust's standard library"),
            Subject::CrateLibm => f.write_str("crate libm"),
            Subject::Device { name, options, .. } if options.is_empty() => f.write_str(name),
            Subject::Device { name, options, .. } => write!(f, "{name} with {}", options.join(" ")),
        }
    }
}

/// A subject that is there.
pub struct Source {
    /// As the user names it.
    pub subject: Subject,
    /// Whether the host judges what a device computes.
    pub on_host: bool,
    library: Option<Library>,
    symbol: Option<String>,
    patience: Duration,
    program: fn() -> Program,
}

impl Source {
    /// Looks for a subject. `symbol` stands in place of the name that C's rule gives a library's function; calls that take longer
    /// than `patience` are endless; `program` starts the process that calls.
    ///
    /// # Errors
    /// If there is no such library.
    pub fn open(
        subject: Subject,
        symbol: Option<String>,
        patience: Duration,
        program: fn() -> Program,
    ) -> Result<Source, Error> {
        let library = match &subject {
            Subject::Library(path) => Some(Library::find(path)?),
            _ => None,
        };
        Ok(Source { subject, on_host: false, library, symbol, patience, program })
    }

    /// The name of a function of a type there.
    pub fn symbol(&self, asked: Asked) -> String {
        if let Subject::Device { .. } = &self.subject {
            return self.expression(asked).text;
        }
        match (&self.symbol, &self.library) {
            (Some(symbol), _) => symbol.clone(),
            (None, Some(library)) => {
                let name = format!("{}{}", asked.function, asked.number.suffix());
                // As libquadmath has them.
                let other = format!("{}q", asked.function);
                if asked.number == Number::F128 && !library.has(&name) && library.has(&other) { other } else { name }
            }
            (None, None) => asked.function.to_string(),
        }
    }

    /// Whether the function of a type is there.
    pub fn has(&self, asked: Asked) -> bool {
        match &self.library {
            Some(_) if asked.number == Number::F128 && asked.function.second() != Second::None => false,
            Some(library) => library.has(&self.symbol(asked)),
            None if asked.number == Number::F128 => false,
            None if matches!(self.subject, Subject::Device { .. }) => self.in_language(asked),
            None => self.rust(asked.function, asked.number).is_some(),
        }
    }

    /// The fast functions of a device's language; none elsewhere, or of an expression.
    pub fn fast(&self) -> Vec<Asked> {
        let list = match &self.subject {
            Subject::Device { api: Api::Cuda, expression: None, .. } => CUDA_FAST,
            Subject::Device { api: Api::OpenCl, expression: None, .. } => OPENCL_FAST,
            _ => &[],
        };
        list.iter().map(|&(name, function)| Asked { function, number: Number::F32, fast: Some(name) }).collect()
    }

    /// Whether CUDA's compiler, which any number of threads can call, compiles its functions.
    pub fn is_cuda(&self) -> bool {
        matches!(self.subject, Subject::Device { api: Api::Cuda, .. })
    }

    /// Whether a graphics processor computes and judges.
    pub fn is_fast(&self) -> bool {
        let Subject::Device { api, index, .. } = self.subject else { return false };
        !self.on_host && Device::open(api, index).is_ok_and(|device| device.description().class == Class::Gpu)
    }

    fn rust(&self, function: Function, number: Number) -> Option<Candidate> {
        match self.subject {
            Subject::RustStd => rust::standard(function, number),
            Subject::CrateLibm => rust::crate_libm(function, number),
            Subject::Library(_) | Subject::Device { .. } => None,
        }
    }

    /// Whether the device's language has a function, or an expression is given for it.
    fn in_language(&self, asked: Asked) -> bool {
        let Asked { function, number, .. } = asked;
        let Subject::Device { api, index, expression, .. } = &self.subject else { return false };
        let half = matches!(number, Number::F16 | Number::BF16);
        let listed = match api {
            Api::OpenCl => OPENCL,
            Api::Cuda if half => CUDA_HALF,
            Api::Cuda => CUDA,
        };
        // OpenCL has doubles and halfs where the device has them, CUDA halfs where its headers are.
        let compiles = || {
            let expression = self.expression(asked);
            Device::open(*api, *index).is_ok_and(|device| Evaluator::new(device, &expression).is_ok())
        };
        expression.is_some()
            || (function.second() == Second::None
                && listed.split_whitespace().any(|name| name == function.name())
                && (number == Number::F32 || *api == Api::Cuda && !half || compiles()))
    }

    /// The expression of a function of a device's language.
    fn expression(&self, asked: Asked) -> Expression {
        let Asked { function, number, fast } = asked;
        let Subject::Device { api, expression, header, options, .. } = &self.subject else {
            unreachable!("only of devices")
        };
        let (before, after) = match (api, number) {
            (Api::Cuda, Number::F16 | Number::BF16) => ("h", ""),
            (Api::Cuda, _) => ("", number.suffix()),
            (Api::OpenCl, _) => ("", ""),
        };
        let arguments = ["x", "y", "z"][..function.arity()].join(", ");
        let call = || match fast {
            Some(name) => format!("{name}({arguments})"),
            None => format!("{before}{function}{after}({arguments})"),
        };
        Expression {
            api: *api,
            text: expression.clone().unwrap_or_else(call),
            scalar: match number {
                Number::F16 => Scalar::F16,
                Number::BF16 => Scalar::BF16,
                Number::F32 => Scalar::F32,
                // Binary128 is not asked of devices.
                Number::F64 | Number::F128 => Scalar::F64,
            },
            header: header.clone(),
            options: options.clone(),
        }
    }

    /// The function of a type; `unit` is that of its errors, where these are absolute.
    ///
    /// # Errors
    /// If it is not there, or its library cannot be loaded.
    pub fn candidate(&self, asked: Asked, unit: Option<i32>) -> Result<Candidate, Error> {
        let Asked { function, number, .. } = asked;
        if number == Number::F128 && (self.library.is_none() || function.second() != Second::None) {
            let expected = "functions of f128 are those of shared libraries that have one result";
            return Err(Error::Usage(format!("{function}: {expected}")));
        }
        if let Subject::Device { api, index, .. } = self.subject {
            let (device, expression) = (Device::open(api, index)?, self.expression(asked));
            let candidate = OnDevice::new(device, &expression, (function, number), unit, self.on_host)?;
            return Ok(Candidate::Device(Box::new(candidate)));
        }
        let Some(library) = &self.library else {
            let missing = || Error::Usage(format!("{} has no {function} of {}", self.subject, number.name()));
            return self.rust(function, number).ok_or_else(missing);
        };
        let shape = match (function.second(), function.arity()) {
            (Second::Pointers, _) => Shape::TwoResults,
            (Second::Integer, _) => Shape::AndInt,
            (Second::Number, _) => Shape::AndNumber,
            (Second::None, 1) => Shape::One,
            (Second::None, 2) => Shape::Two,
            (Second::None, _) => Shape::Three,
        };
        let signature = Signature { shape, number };
        let symbol = self.symbol(asked);
        let f = ForeignFunction::open(library, &symbol, signature, self.patience, (self.program)())?;
        Ok(Candidate::Foreign(Box::new(f)))
    }
}
