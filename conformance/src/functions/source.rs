//! Where functions come from.

use super::{Candidate, rust};
use crate::error::Error;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;
use vernier_foreign::{Function as ForeignFunction, Library, Number, Program, Shape, Signature};
use vernier_gpu::device::{Api, Device};
use vernier_gpu::expression::{Evaluator, Expression};
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
        Ok(Source { subject, library, symbol, patience, program })
    }

    /// The name of a function of a type there.
    pub fn symbol(&self, function: Function, number: Number) -> String {
        if let Subject::Device { .. } = &self.subject {
            return self.expression(function, number).text;
        }
        match (&self.symbol, &self.library) {
            (Some(symbol), _) => symbol.clone(),
            (None, Some(_)) => format!("{function}{}", number.suffix()),
            (None, None) => function.to_string(),
        }
    }

    /// Whether the function of a type is there.
    pub fn has(&self, function: Function, number: Number) -> bool {
        match &self.library {
            Some(library) => library.has(&self.symbol(function, number)),
            None if matches!(self.subject, Subject::Device { .. }) => self.in_language(function, number),
            None => self.rust(function, number).is_some(),
        }
    }

    fn rust(&self, function: Function, number: Number) -> Option<Candidate> {
        match self.subject {
            Subject::RustStd => rust::standard(function, number),
            Subject::CrateLibm => rust::crate_libm(function, number),
            Subject::Library(_) | Subject::Device { .. } => None,
        }
    }

    /// Whether the device's language has a function, or an expression is given for it.
    fn in_language(&self, function: Function, number: Number) -> bool {
        let Subject::Device { api, index, expression, .. } = &self.subject else { return false };
        let listed = match api {
            Api::OpenCl => OPENCL,
            Api::Cuda => CUDA,
        };
        // OpenCL has doubles where the device has them.
        let compiles = || {
            let expression = self.expression(function, number);
            Device::open(*api, *index).is_ok_and(|device| Evaluator::new(device, &expression).is_ok())
        };
        expression.is_some()
            || (function.second() == Second::None
                && listed.split_whitespace().any(|name| name == function.name())
                && (number == Number::F32 || *api == Api::Cuda || compiles()))
    }

    /// The expression of a function of a device's language.
    fn expression(&self, function: Function, number: Number) -> Expression {
        let Subject::Device { api, expression, header, options, .. } = &self.subject else {
            unreachable!("only of devices")
        };
        let suffix = if *api == Api::Cuda { number.suffix() } else { "" };
        let arguments = ["x", "y", "z"][..function.arity()].join(", ");
        let call = || format!("{function}{suffix}({arguments})");
        Expression {
            api: *api,
            text: expression.clone().unwrap_or_else(call),
            double: number == Number::F64,
            header: header.clone(),
            options: options.clone(),
        }
    }

    /// The function of a type.
    ///
    /// # Errors
    /// If it is not there, or its library cannot be loaded.
    pub fn candidate(&self, function: Function, number: Number) -> Result<Candidate, Error> {
        if let Subject::Device { api, index, .. } = self.subject {
            let device = Device::open(api, index)?;
            return Ok(Candidate::Device(Box::new(Evaluator::new(device, &self.expression(function, number))?)));
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
        let symbol = self.symbol(function, number);
        let f = ForeignFunction::open(library, &symbol, signature, self.patience, (self.program)())?;
        Ok(Candidate::Foreign(Box::new(f)))
    }
}
