//! Somebody else's CUDA type, through a kernel that includes its header.
//!
//! The type is a pair of floats or doubles that is built from (hi, lo) and gives its limbs by methods or members. It has
//! + - * /; `fma` and `sqrt` are taken where it has them.

use super::{Failure, Subject, Unsupported};
use crate::case::{Kind, Level, Op, Type, Value, Width, slots, value};
use std::path::PathBuf;
use vernier_gpu::device::{Api, Device, Error, Program, Source, cuda};

/// A header and the type in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The header.
    pub file: PathBuf,
    /// Folders of headers that it includes.
    pub include: Vec<PathBuf>,
    /// The type, with its namespaces.
    pub name: String,
}

impl Header {
    /// The kernels of the type.
    pub fn source(&self) -> Source {
        let file = std::path::absolute(&self.file).unwrap_or_else(|_| self.file.clone());
        let template = include_str!("foreign.cu").replace("$type", &self.name);
        let text = format!("#include \"{}\"\n{template}", file.display());
        let mut include = self.include.clone();
        include.extend(file.parent().map(PathBuf::from));
        Source { include, ..Source::new("foreign.cu", text) }
    }

    /// CUDA device `index`.
    ///
    /// # Errors
    /// If it cannot be used. A header that does not compile is known then too, where there is a compiler, and is the error.
    pub fn device(&self, index: usize) -> Result<Device, Error> {
        Device::open(Api::Cuda, index).map_err(|error| match self.check("sm_90") {
            Err(compile @ Error::Compile { .. }) => compile,
            _ => error,
        })
    }

    /// Compiles the kernels without a device.
    ///
    /// # Errors
    /// With the compiler's messages where the header does not compile, or the type lacks an operator.
    pub fn check(&self, architecture: &str) -> Result<(), Error> {
        cuda::compile(&self.source(), architecture).map(drop)
    }
}

/// A foreign type on a CUDA device, in place of a pair type at a level, under whose bounds it is judged.
#[derive(Debug)]
pub struct Foreign<'d> {
    device: &'d Device,
    program: Program,
    name: String,
    width: Width,
    level: Level,
    fma: bool,
    sqrt: bool,
}

impl<'d> Foreign<'d> {
    /// Compiles the header on a device.
    ///
    /// # Errors
    /// As [`Header::check`], and where the device fails.
    pub fn new(device: &'d Device, header: &Header, level: Level) -> Result<Self, Error> {
        let program = device.compile(&header.source())?;
        let about = device.zeros::<u64>(3)?;
        device.launch(&program.kernel("foreign_about")?, 1, 1, &[about.arg()])?;
        let about = device.download(&about)?;
        let width = if about[0] == 4 { Width::F32 } else { Width::F64 };
        let (name, [fma, sqrt]) = (header.name.clone(), [about[1] == 1, about[2] == 1]);
        Ok(Foreign { device, program, name, width, level, fma, sqrt })
    }

    /// The pair type whose place it takes.
    pub fn ty(&self) -> Type {
        Type::Pair(self.width, self.level)
    }

    fn map(&self, op: Op, columns: &[Vec<u64>], n: usize) -> Result<Vec<u64>, Error> {
        let kernel = self.program.kernel(&format!("foreign_{op}"))?;
        let (input, output) = (self.device.upload(&columns.concat())?, self.device.zeros::<u64>(2 * n)?);
        let size = self.device.group_size();
        let groups = n.div_ceil(size as usize).min(1 << 16) as u32;
        self.device.launch(&kernel, groups, size, &[(n as u64).into(), input.arg(), output.arg()])?;
        self.device.download(&output)
    }
}

impl Subject for Foreign<'_> {
    fn name(&self) -> &'static str {
        "foreign"
    }

    fn place(&self) -> Option<String> {
        Some(format!("by {} on {}", self.name, self.device.description().place()))
    }

    fn supports(&self, ty: Type, op: Op) -> bool {
        let has = match op {
            Op::Add | Op::Sub | Op::Mul | Op::Div => true,
            Op::Fma => self.fma,
            Op::Sqrt => self.sqrt,
            _ => false,
        };
        has && ty == self.ty()
    }

    fn eval_all(&self, ty: Type, op: Op, cases: &[Vec<Value>]) -> Result<Vec<Value>, Failure> {
        if !self.supports(ty, op) {
            return Err(Unsupported { subject: self.name(), ty, op }.into());
        }
        // Every kernel loads three operands.
        let row = |args: &Vec<Value>| {
            let mut row: Vec<u64> = args.iter().copied().flat_map(slots).collect();
            row.resize(6, 0);
            row
        };
        let rows: Vec<Vec<u64>> = cases.iter().map(row).collect();
        let columns: Vec<Vec<u64>> = (0..6).map(|s| rows.iter().map(|row| row[s]).collect()).collect();
        let (n, kind) = (cases.len(), Kind::Pair(self.width));
        let results = self.map(op, &columns, n)?;
        Ok((0..n).map(|i| value(kind, &[results[i], results[n + i]])).collect())
    }
}
