//! Recorded functions printed as OpenCL C 1.2.

use super::{Dialect, UNPACKED, UNPACKED2};
use std::fmt::Write;
use vernier_tape::io::Kind;
use vernier_tape::tape::{Mode, Node, Op, Ty};

/// OpenCL C 1.2. Programs are to be built with [`OpenCl::OPTIONS`]; the device must support subnormal floats
/// (`CL_FP_DENORM`), correctly rounded float division and root (`CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT`) and, for pairs
/// over binary64, `cl_khr_fp64`.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenCl;

impl OpenCl {
    /// The build options that the printed code needs.
    pub const OPTIONS: &'static str = "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt";
}

const PRELUDE: &str = "\
#pragma OPENCL FP_CONTRACT OFF
#if defined(cl_khr_fp64) && !defined(__opencl_c_fp64)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef struct { uint sign, exponent; ulong significand; } vernier_unpacked;
typedef struct { vernier_unpacked re, im; } vernier_unpacked2;
typedef struct { float hi, lo; uint n; } vernier_pair32_i32;
#if defined(cl_khr_fp64) || defined(__opencl_c_fp64)
typedef struct { double hi, lo; uint n; } vernier_pair64_i32;
#endif
";

impl Dialect for OpenCl {
    fn prints(&self, mode: Mode) -> bool {
        matches!(mode, Mode::Exact | Mode::Split | Mode::Never | Mode::Negated)
    }
    fn prelude(&self) -> String {
        PRELUDE.to_string()
    }
    fn inline(&self) -> &'static str {
        "static inline"
    }
    fn noinline(&self) -> &'static str {
        "static __attribute__((noinline))"
    }
    fn called(&self) -> &'static str {
        self.noinline()
    }
    fn ty(&self, ty: Ty) -> &'static str {
        match ty {
            Ty::F32 => "float",
            Ty::F64 => "double",
            Ty::U32 => "uint",
            Ty::U64 => "ulong",
            Ty::Mask => "bool",
        }
    }
    fn kind(&self, kind: Kind) -> &'static str {
        match kind {
            Kind::Pair32 => "float2",
            Kind::Pair64 => "double2",
            Kind::I128 | Kind::U128 | Kind::F128 | Kind::Packed2 => "ulong2",
            Kind::Unpacked => "vernier_unpacked",
            Kind::Unpacked2 => "vernier_unpacked2",
            Kind::Pair32I32 => "vernier_pair32_i32",
            Kind::Pair64I32 => "vernier_pair64_i32",
            Kind::Pair32Pair => "float4",
            Kind::Pair64Pair => "double4",
            _ => self.ty(kind.slots()[0]),
        }
    }
    fn member(&self, expr: &str, slot: usize, kind: Kind) -> String {
        match kind {
            Kind::Unpacked => format!("{expr}.{}", UNPACKED[slot]),
            Kind::Unpacked2 => format!("{expr}.{}", UNPACKED2[slot]),
            Kind::Pair32I32 | Kind::Pair64I32 => format!("{expr}.{}", ["hi", "lo", "n"][slot]),
            _ => format!("{expr}.{}", ["x", "y", "z", "w"][slot]),
        }
    }
    fn compose(&self, slots: &[String], kind: Kind) -> String {
        match kind {
            Kind::Unpacked | Kind::Unpacked2 | Kind::Pair32I32 | Kind::Pair64I32 => {
                format!("({}){{{}}}", self.kind(kind), slots.join(", "))
            }
            _ => format!("({})({})", self.kind(kind), slots.join(", ")),
        }
    }
    fn literal(&self, ty: Ty, bits: u64) -> String {
        match ty {
            Ty::F32 => format!("as_float(0x{bits:08x}u)"),
            Ty::F64 => format!("as_double(0x{bits:016x}ul)"),
            Ty::U32 => format!("0x{bits:x}u"),
            Ty::U64 => format!("0x{bits:x}ul"),
            Ty::Mask => format!("{}", bits == 1),
        }
    }

    fn expr(&self, node: &Node, operand: Ty, args: &[String], _: bool) -> String {
        let all = args.join(", ");
        let infix = |op: &str| format!("{} {op} {}", args[0], args[1]);
        let narrow = operand == Ty::U32;
        match node.mode {
            Mode::Split => return format!("{} * {} + {}", args[0], args[1], args[2]),
            Mode::Exact => {}
            Mode::FlushOut => return flush(&self.expr(&node.in_mode(Mode::Exact), operand, args, false), operand),
            Mode::FlushIn => {
                let flushed: Vec<String> = args.iter().map(|a| flush(a, operand)).collect();
                return format!("({})", self.expr(&node.in_mode(Mode::Exact), operand, &flushed, false));
            }
            mode => unreachable!("OpenCL C has no {mode:?}"),
        }
        match node.op {
            Op::Add => infix("+"),
            Op::Sub => infix("-"),
            Op::Mul => infix("*"),
            Op::Div => infix("/"),
            Op::Fma => format!("fma({all})"),
            Op::Rcp | Op::RcpModerate | Op::Second if operand == Ty::F32 => format!("1.0f / {all}"),
            Op::Rcp | Op::RcpModerate | Op::Second => format!("1.0 / {all}"),
            Op::Sqrt | Op::SqrtRcp => format!("sqrt({all})"),
            Op::Abs => format!("fabs({all})"),
            Op::CopySign => format!("copysign({all})"),
            Op::Bits if operand == Ty::F32 => format!("as_uint({all})"),
            Op::Bits => format!("as_ulong({all})"),
            Op::FromBits if narrow => format!("as_float({all})"),
            Op::FromBits => format!("as_double({all})"),
            Op::Neg => format!("-{all}"),
            Op::Copy => all,
            Op::Lt => infix("<"),
            Op::Le => infix("<="),
            Op::Eq => infix("=="),
            Op::LtSigned if narrow => format!("as_int({}) < as_int({})", args[0], args[1]),
            Op::LtSigned => format!("as_long({}) < as_long({})", args[0], args[1]),
            Op::And => infix("&"),
            Op::Or => infix("|"),
            Op::Xor => infix("^"),
            Op::Not if node.ty == Ty::Mask => format!("!{all}"),
            Op::Not => format!("~{all}"),
            Op::Shl | Op::Shr => {
                let op = if node.op == Op::Shl { "<<" } else { ">>" };
                format!("{} {op} ({} & {}u)", args[0], args[1], if narrow { 31 } else { 63 })
            }
            Op::Sar if narrow => format!("as_uint(as_int({}) >> ({} & 31u))", args[0], args[1]),
            Op::Sar => format!("as_ulong(as_long({}) >> ({} & 63u))", args[0], args[1]),
            Op::MulHi | Op::WideHigh => format!("mul_hi({all})"),
            Op::WideLow => infix("*"),
            Op::SumLow => format!("{} + {}", args[2], args[3]),
            Op::SumHigh => format!("{0} + {1} + (ulong)({2} + {3} < {2})", args[0], args[1], args[2], args[3]),
            Op::UnboundedShl | Op::UnboundedShr => {
                let op = if node.op == Op::UnboundedShl { "<<" } else { ">>" };
                let (bits, zero) = if narrow { (31, "0u") } else { (63, "0ul") };
                format!("{1} <= {bits}u ? {0} {op} ({1} & {bits}u) : {zero}", args[0], args[1])
            }
            Op::Clz | Op::ClzNonzero if narrow => format!("clz({all})"),
            Op::Clz | Op::ClzNonzero => format!("(uint)clz({all})"),
            Op::ToU32 => format!("(uint){all}"),
            Op::ToU64 => format!("(ulong){all}"),
            Op::Select => format!("{} ? {} : {}", args[0], args[1], args[2]),
            op => unreachable!("{} is no expression", op.name()),
        }
    }

    fn sqrt_rcp(&self, ty: Ty, x: &str, root: &str, rcp: &str) -> String {
        let one = if ty == Ty::F32 { "1.0f" } else { "1.0" };
        format!("{root} = sqrt({x}); {rcp} = {one} / {root};")
    }
    fn unlikely(&self, condition: &str) -> String {
        condition.to_string()
    }
    fn out_parameter(&self, ty: Ty, name: &str) -> (String, String) {
        (format!("{} *{name}", self.ty(ty)), format!("&{name}"))
    }
    fn out_name(&self, name: &str) -> String {
        format!("*{name}")
    }

    fn table(&self, name: &str, entries: &[u64]) -> String {
        let mut text = String::new();
        for entry in entries {
            let _ = write!(text, "0x{entry:x}ul,");
        }
        format!("__constant ulong {name}[{}] = {{{text}}};\n", entries.len())
    }
    fn entry(&self, name: &str, ty: Ty, index: &str) -> String {
        format!("({}){name}[{index}]", self.ty(ty))
    }
}

/// A subnormal becomes a zero of its sign.
fn flush(x: &str, ty: Ty) -> String {
    let (least, zero) = if ty == Ty::F32 { ("0x1p-126f", "0.0f") } else { ("0x1p-1022", "0.0") };
    format!("(fabs({x}) < {least} ? copysign({zero}, {x}) : ({x}))")
}
