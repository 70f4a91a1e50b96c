//! Recorded functions printed as CUDA C++, which host compilers accept too.

use super::{Dialect, PAIRS, UNPACKED, UNPACKED2};
use std::fmt::Write;
use vernier_tape::io::Kind;
use vernier_tape::tape::{Mode, Node, Op, Ty};

/// CUDA C++ 17. The prelude makes the same text valid, with the same results, for host compilers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cuda {
    /// Reciprocals and roots start from the hardware's approximation where that is proven to end in the same bits,
    /// instead of calling the correctly rounded intrinsic.
    pub fast_seeds: bool,
}

const PRELUDE: &str = include_str!("prelude.cuh");

impl Dialect for Cuda {
    fn has_shortcuts(&self) -> bool {
        true
    }
    fn prelude(&self) -> String {
        let seeds = u8::from(self.fast_seeds);
        format!("#ifndef VERNIER_FAST_SEEDS\n#define VERNIER_FAST_SEEDS {seeds}\n#endif\n{PRELUDE}")
    }
    fn inline(&self) -> &'static str {
        "VERNIER_INLINE"
    }
    fn noinline(&self) -> &'static str {
        "VERNIER_RARE"
    }
    fn called(&self) -> &'static str {
        "VERNIER_CALLED"
    }
    fn ty(&self, ty: Ty) -> &'static str {
        match ty {
            Ty::F32 => "float",
            Ty::F64 => "double",
            Ty::U32 => "vernier_u32",
            Ty::U64 => "vernier_u64",
            Ty::Mask => "bool",
        }
    }
    fn kind(&self, kind: Kind) -> &'static str {
        match kind {
            Kind::Pair32 => "vernier_pair32",
            Kind::Pair64 => "vernier_pair64",
            Kind::I128 | Kind::U128 | Kind::F128 | Kind::Packed2 => "vernier_u128",
            Kind::Unpacked => "vernier_unpacked",
            Kind::Unpacked2 => "vernier_unpacked2",
            Kind::Pair32I32 => "vernier_pair32_i32",
            Kind::Pair64I32 => "vernier_pair64_i32",
            Kind::Pair32Pair => "vernier_pair32_pair",
            Kind::Pair64Pair => "vernier_pair64_pair",
            _ => self.ty(kind.slots()[0]),
        }
    }
    fn member(&self, expr: &str, slot: usize, kind: Kind) -> String {
        match kind {
            Kind::Unpacked => format!("{expr}.{}", UNPACKED[slot]),
            Kind::Unpacked2 => format!("{expr}.{}", UNPACKED2[slot]),
            Kind::Pair32I32 | Kind::Pair64I32 if slot == 2 => format!("{expr}.n"),
            _ => format!("{expr}.{}", PAIRS[slot]),
        }
    }
    fn compose(&self, slots: &[String], kind: Kind) -> String {
        let all = match kind {
            Kind::Unpacked2 => format!("{{{}}}, {{{}}}", slots[..3].join(", "), slots[3..].join(", ")),
            _ => slots.join(", "),
        };
        format!("{}{{{all}}}", self.kind(kind))
    }
    fn literal(&self, ty: Ty, bits: u64) -> String {
        match ty {
            Ty::F32 => format!("vernier_f32(0x{bits:08x}u)"),
            Ty::F64 => format!("vernier_f64(0x{bits:016x}ull)"),
            Ty::U32 => format!("0x{bits:x}u"),
            Ty::U64 => format!("vernier_u64(0x{bits:x}ull)"),
            Ty::Mask => format!("{}", bits == 1),
        }
    }

    fn expr(&self, node: &Node, operand: Ty, args: &[String], free: bool) -> String {
        let all = args.join(", ");
        let infix = |op: &str| format!("{} {op} {}", args[0], args[1]);
        let float = operand.is_float();
        let narrow = operand == Ty::U32;
        if float && node.mode != Mode::Exact {
            return mutated(node, args);
        }
        match node.op {
            Op::Add if float => format!("vernier_add({all})"),
            Op::Sub if float => format!("vernier_sub({all})"),
            Op::Mul if float && free => format!("vernier_mul_free({all})"),
            Op::Mul if float => format!("vernier_mul({all})"),
            Op::Fma => format!("vernier_fma({all})"),
            Op::Div => format!("vernier_div({all})"),
            Op::RcpModerate => format!("vernier_rcp_moderate({all})"),
            Op::Rcp | Op::Second => format!("vernier_rcp({all})"),
            Op::Sqrt | Op::SqrtRcp => format!("vernier_sqrt({all})"),
            Op::Abs => format!("vernier_abs({all})"),
            Op::CopySign => format!("vernier_copysign({all})"),
            Op::Bits => format!("vernier_bits({all})"),
            Op::FromBits => format!("{}({all})", if narrow { "vernier_f32" } else { "vernier_f64" }),
            Op::Neg if free => format!("-{all}"),
            Op::Neg => format!("vernier_neg({all})"),
            Op::Copy => all,
            Op::Add => infix("+"),
            Op::Sub => infix("-"),
            Op::Mul => infix("*"),
            Op::Lt => infix("<"),
            Op::Le => infix("<="),
            Op::Eq => infix("=="),
            Op::LtSigned if narrow => format!("(int){} < (int){}", args[0], args[1]),
            Op::LtSigned => format!("(long long){} < (long long){}", args[0], args[1]),
            Op::And => infix("&"),
            Op::Or => infix("|"),
            Op::Xor => infix("^"),
            Op::Not if node.ty == Ty::Mask => format!("!{all}"),
            Op::Not => format!("~{all}"),
            Op::Shl | Op::Shr => {
                let op = if node.op == Op::Shl { "<<" } else { ">>" };
                format!("{} {op} ({} & {}u)", args[0], args[1], if narrow { 31 } else { 63 })
            }
            Op::Sar if narrow => format!("(vernier_u32)((int){} >> ({} & 31u))", args[0], args[1]),
            Op::Sar => format!("(vernier_u64)((long long){} >> ({} & 63u))", args[0], args[1]),
            Op::MulHi => format!("vernier_mul_hi({all})"),
            // Without a test compilers see what the low bits are, and load what lies side by side together.
            Op::UnboundedShl if is_below(&args[1], if narrow { 32 } else { 64 }) => infix("<<"),
            Op::UnboundedShr if is_below(&args[1], if narrow { 32 } else { 64 }) => infix(">>"),
            Op::UnboundedShl => format!("vernier_shl({all})"),
            Op::UnboundedShr => format!("vernier_shr({all})"),
            Op::WideHigh => format!("vernier_wide_high({all})"),
            Op::WideLow => format!("vernier_wide_low({all})"),
            Op::SumHigh => format!("vernier_sum_high({all})"),
            Op::SumLow => format!("vernier_sum_low({all})"),
            Op::Clz => format!("vernier_clz({all})"),
            Op::ClzNonzero => format!("vernier_clz_nonzero({all})"),
            Op::ToU32 => format!("(vernier_u32){all}"),
            Op::ToU64 => format!("(vernier_u64){all}"),
            Op::InRange { magnitude: true } => format!("vernier_magnitude_in({all})"),
            Op::InRange { .. } => format!("vernier_in({all})"),
            Op::MulWide => format!("vernier_mul_wide({all})"),
            Op::Join => format!("vernier_join({all})"),
            Op::Select => format!("{} ? {} : {}", args[0], args[1], args[2]),
            op => unreachable!("{} is no expression", op.name()),
        }
    }

    fn sqrt_rcp(&self, _: Ty, x: &str, root: &str, rcp: &str) -> String {
        format!("vernier_sqrt_rcp({x}, {root}, {rcp});")
    }
    fn unlikely(&self, condition: &str) -> String {
        format!("VERNIER_UNLIKELY({condition})")
    }
    fn out_parameter(&self, ty: Ty, name: &str) -> (String, String) {
        (format!("{} &{name}", self.ty(ty)), name.to_string())
    }
    fn out_name(&self, name: &str) -> String {
        name.to_string()
    }

    fn table(&self, name: &str, entries: &[u64]) -> String {
        let mut text = String::new();
        for entry in entries {
            let _ = write!(text, "0x{entry:x}ull,");
        }
        format!("VERNIER_TABLE({name}, {}, ({text}))\n", entries.len())
    }
    fn entry(&self, name: &str, ty: Ty, index: &str) -> String {
        format!("({})VERNIER_ENTRY({name}, {index})", self.ty(ty))
    }
}

/// Whether an argument is a constant below this.
fn is_below(argument: &str, limit: u32) -> bool {
    let digits = argument.strip_prefix("0x").and_then(|digits| digits.strip_suffix('u'));
    digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()).is_some_and(|n| n < limit)
}

/// An operation of a mutant. Directed rounding is for devices only.
fn mutated(node: &Node, args: &[String]) -> String {
    let direction = match node.mode {
        Mode::Zero => "rz",
        Mode::Up => "ru",
        Mode::Down => "rd",
        Mode::Split => return format!("vernier_add(vernier_mul({}, {}), {})", args[0], args[1], args[2]),
        Mode::FlushOut => {
            let exact = node.in_mode(Mode::Exact);
            return format!("vernier_flush({})", Cuda::default().expr(&exact, node.ty, args, false));
        }
        Mode::FlushIn => {
            let flushed: Vec<String> = args.iter().map(|a| format!("vernier_flush({a})")).collect();
            let exact = node.in_mode(Mode::Exact);
            return Cuda::default().expr(&exact, node.ty, &flushed, false);
        }
        mode => unreachable!("{mode:?} is no mutant of an expression"),
    };
    let op = match node.op {
        Op::SqrtRcp => "sqrt",
        Op::Second | Op::RcpModerate => "rcp",
        op => op.name(),
    };
    format!("vernier_{op}_{direction}({})", args.join(", "))
}
