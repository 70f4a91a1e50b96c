//! Cases: one operation of one type on given bits, and how they are written.
//!
//! A **case line** is `TYPE[.LEVEL][.MODE] OP ARG... [= RESULT...]`, for example
//!
//! ```text
//! fp32mp2.mid add 3f800000:33000000 40000000:00000000 = 40400000:33000000
//! ```
//!
//! Limbs are big-endian hexadecimal of their bits, 8 digits for binary32 and 16 for binary64; a pair is `hi:lo`; an integer
//! is `i32:-5`; a number may be written in decimal with a point, `1.5` or `-2.5e-3`, and is rounded to the type; a binary128 has 32 digits; a truth value is 0 or 1; `nan` stands for any NaN. A pair type without a level
//! is at mid. Of a reduced format, `fp64_custom<E,M>`, `fp64_custom<E,M;OPTION,...>` or a
//! preset such as `bf16`, the values are doubles; with
//! stochastic rounding, `sr`, two more arguments are the seed and the operation's number, as `u64:7`. `dot` takes
//! x1 ... xn y1 ... yn; it, `sum` and `product` have at most 2^20 terms. Blank lines and text after `#` are ignored.
//!
//! Emulated doubles are at high where no level is named. Packed ones, `fp64emu`, are the 16 digits of the double; their
//! operations round in the mode, rn (the default), rz, ru or rd, conversions to integers included. An unpacked one,
//! `fp64emu_unpacked`, is `s:eeeeeeee:mmmmmmmmmmmmmmmm`, sign, exponent and significand, or, where it is read, the 16
//! digits of a double; it has no mode: it rounds once, where it is packed (`fp64emu.rz from_fp64emu_unpacked`), and is
//! truncated into integers. `cmul` takes re im re im and has two results, as `modf` and `frexp` of pairs have.

mod parse;
mod read;
mod slots;
mod special;
mod unpacked;
mod value;

pub use crate::error::Expected;
pub use parse::parse_line;
pub use read::{LONGEST, Line, MOST_TERMS, Source, read_lines, read_raw_lines};
pub use slots::{kind_of, slots, value};
pub use special::{special_values, special_values_of_format};
pub use unpacked::Unpacked;
pub use value::{IntText, Value};
pub use vernier::function::{
    Arity, Int, Kind, Level, Mode, OPERATIONS, Op, Operation, Slot, Type, Width, conversion_kinds, operation,
    operations,
};

use std::fmt;

/// One operation on given bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Type and level.
    pub ty: Type,
    /// Operation.
    pub op: Op,
    /// Arguments, as many and of such kinds as the operation takes.
    pub args: Vec<Value>,
    /// The result if one is given, otherwise empty.
    pub results: Vec<Value>,
}

/// In the alternate form a NaN among the arguments that is not the canonical one is written as its bits.
impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.ty, self.op)?;
        let bits = f.alternate();
        self.args.iter().try_for_each(|a| if bits { write!(f, " {a:#}") } else { write!(f, " {a}") })?;
        if !self.results.is_empty() {
            f.write_str(" =")?;
        }
        self.results.iter().try_for_each(|r| write!(f, " {r}"))
    }
}
