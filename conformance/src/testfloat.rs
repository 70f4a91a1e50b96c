//! Lines of Berkeley TestFloat (Hauser 2018): what `testfloat_gen` prints, evaluated by packed emulated doubles at high.
//!
//! A line is `OPERAND... [RESULT [FLAGS]]`, blanks between: floats and integers in hexadecimal, each with all its digits, truth
//! values as 0 or 1. Flags are two digits and are not looked at. All NaN are one. Where a conversion to an integer is invalid
//! (NaN, or out of range), IEEE 754 leaves the result open, and none is wrong.

use crate::case::{Expected, Int, Kind, Level, Mode, Op, Type, Value, Width, operation};
use clap::ValueEnum;
use vernier_oracle::mpfr;

/// Bytes of a line, which has some tens.
pub const LONGEST: usize = 1 << 12;

/// A function of TestFloat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name there.
    pub name: &'static str,
    op: Op,
}

const fn int(bits: u32, signed: bool) -> Kind {
    Kind::Int(Int { bits, signed })
}

const fn function(name: &'static str, op: Op) -> Function {
    Function { name, op }
}

/// The functions that are known.
pub const FUNCTIONS: [Function; 22] = [
    function("f64_add", Op::Add),
    function("f64_sub", Op::Sub),
    function("f64_mul", Op::Mul),
    function("f64_div", Op::Div),
    function("f64_sqrt", Op::Sqrt),
    function("f64_mulAdd", Op::Fma),
    function("f64_eq", Op::Eq),
    function("f64_le", Op::Le),
    function("f64_lt", Op::Lt),
    function("f64_eq_signaling", Op::Eq),
    function("f64_le_quiet", Op::Le),
    function("f64_lt_quiet", Op::Lt),
    function("f64_to_i32", Op::To(int(32, true))),
    function("f64_to_ui32", Op::To(int(32, false))),
    function("f64_to_i64", Op::To(int(64, true))),
    function("f64_to_ui64", Op::To(int(64, false))),
    function("f64_to_f32", Op::To(Kind::Limb(Width::F32))),
    function("i32_to_f64", Op::From(int(32, true))),
    function("ui32_to_f64", Op::From(int(32, false))),
    function("i64_to_f64", Op::From(int(64, true))),
    function("ui64_to_f64", Op::From(int(64, false))),
    function("f32_to_f64", Op::From(Kind::Limb(Width::F32))),
];

/// A rounding mode of TestFloat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Rounding {
    /// To nearest, ties to even.
    #[default]
    #[value(name = "near_even")]
    NearEven,
    /// Toward zero.
    #[value(name = "minMag")]
    MinMag,
    /// Toward -infinity.
    #[value(name = "min")]
    Min,
    /// Toward +infinity.
    #[value(name = "max")]
    Max,
}

impl Rounding {
    fn mode(self) -> Mode {
        match self {
            Rounding::NearEven => Mode::Rn,
            Rounding::MinMag => Mode::Rz,
            Rounding::Min => Mode::Rd,
            Rounding::Max => Mode::Ru,
        }
    }
}

/// What a line holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Operands.
    pub args: Vec<Value>,
    /// The result, where one is given.
    pub result: Option<Value>,
}

impl Function {
    /// The function of this name.
    ///
    /// # Errors
    /// With the names that are known.
    pub fn named(name: &str) -> Result<Function, String> {
        let names = || FUNCTIONS.map(|f| f.name).join(" ");
        FUNCTIONS
            .into_iter()
            .find(|f| f.name == name)
            .ok_or_else(|| format!("expected a function of TestFloat, one of {}, found `{name}`", names()))
    }

    /// The operation and the type that evaluates it in a rounding mode; exact operations have none.
    pub fn operation(self, rounding: Rounding) -> (Type, Op) {
        let of = |mode| Type::Packed(Level::High, mode);
        let ty = of(rounding.mode());
        (if operation(ty, self.op).is_some() { ty } else { of(Mode::Rn) }, self.op)
    }

    fn kinds(self) -> (Vec<Kind>, Kind) {
        let ty = Type::Packed(Level::High, Mode::Rn);
        // Every function is an operation of the type.
        operation(ty, self.op).map_or((Vec::new(), Kind::Bool), |line| {
            ((0..).map_while(|i| line.arg_kind(ty, i)).collect(), line.result_kind(ty))
        })
    }

    /// The line, or none where it is blank.
    ///
    /// # Errors
    /// With the column of what is wrong.
    pub fn parse(self, line: &[u8]) -> Result<Option<Line>, Expected> {
        let (args, result) = self.kinds();
        let blank = |c: &u8| c.is_ascii_whitespace();
        let mut at = 0;
        let mut words = Vec::new();
        while at < line.len() {
            at += line[at..].iter().take_while(|c| blank(c)).count();
            let length = line[at..].iter().take_while(|c| !blank(c)).count();
            if length > 0 {
                words.push((at, &line[at..at + length]));
            }
            at += length;
        }
        if words.is_empty() {
            return Ok(None);
        }
        let end = line.iter().rposition(|c| !blank(c)).map_or(0, |last| last + 1);
        let missing = |i: usize| {
            let what = format!("operand {} of {}: {}", i + 1, self.name, expected(args[i]));
            Expected::at(end, what, b"").in_line(line)
        };
        let value = |kind: Kind, (at, text): (usize, &[u8])| {
            read(kind, text).ok_or_else(|| Expected::at(at, expected(kind), text).in_line(line))
        };
        let mut operands = Vec::new();
        for (i, &kind) in args.iter().enumerate() {
            operands.push(value(kind, *words.get(i).ok_or_else(|| missing(i))?)?);
        }
        let given = words.get(args.len()).map(|&word| value(result, word)).transpose()?;
        if let Some(&(at, text)) = words.get(args.len() + 1)
            && digits(text, 2).is_none()
        {
            return Err(Expected::at(at, "the flags, two hexadecimal digits", text).in_line(line));
        }
        if let Some(&(at, text)) = words.get(args.len() + 2) {
            return Err(Expected::at(at, "the end of the line after the flags", text).in_line(line));
        }
        Ok(Some(Line { args: operands, result: given }))
    }

    /// Whether a given result is what was got, or IEEE 754 leaves it open.
    pub fn accepts(self, rounding: Rounding, args: &[Value], given: Value, got: Value) -> bool {
        given.same(got) || self.is_open(rounding, args)
    }

    /// Whether the operation is a conversion to an integer that is invalid.
    fn is_open(self, rounding: Rounding, args: &[Value]) -> bool {
        let (Op::To(Kind::Int(to)), [x]) = (self.op, args) else {
            return false;
        };
        let Some(x) = x.to_pair() else { return true };
        let wide = mpfr::to_integer_in(x, vernier_oracle::Rounding::of(rounding.mode()), 128, true);
        x.0.is_nan() || to.wrap(wide) != wide
    }

    /// The line of operands and result, as TestFloat prints it, without flags.
    pub fn print(self, args: &[Value], result: Value) -> String {
        args.iter().chain([&result]).map(|&v| write(v)).collect::<Vec<_>>().join(" ")
    }
}

fn expected(kind: Kind) -> String {
    match kind {
        Kind::Bool => "0 or 1".into(),
        kind => format!("{} hexadecimal digits", width(kind)),
    }
}

/// Digits of a value.
fn width(kind: Kind) -> usize {
    match kind {
        Kind::Limb(w) => w.digits(),
        Kind::Int(int) => int.bits as usize / 4,
        _ => 1,
    }
}

/// So many hexadecimal digits.
fn digits(text: &[u8], width: usize) -> Option<u64> {
    let right = text.len() == width && text.iter().all(u8::is_ascii_hexdigit);
    right.then(|| u64::from_str_radix(std::str::from_utf8(text).ok()?, 16).ok())?
}

fn read(kind: Kind, text: &[u8]) -> Option<Value> {
    let bits = digits(text, width(kind))?;
    match kind {
        Kind::Limb(w) => Some(Value::Limb(w, bits)),
        Kind::Int(int) => Some(Value::Int(int, int.wrap(bits.into()))),
        _ => (bits <= 1).then_some(Value::Bool(bits == 1)),
    }
}

fn write(v: Value) -> String {
    let width = width(v.kind());
    match v {
        Value::Limb(_, bits) => format!("{bits:0width$X}"),
        Value::Int(int, v) => format!("{:0width$X}", v & (u128::MAX >> (128 - int.bits))),
        Value::Bool(b) => u8::from(b).to_string(),
        v => v.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(name: &str, text: &str) -> Line {
        Function::named(name).unwrap().parse(text.as_bytes()).unwrap().unwrap()
    }

    #[test]
    fn lines_read_and_print() {
        let f = Function::named("f64_to_i32").unwrap();
        let read = line("f64_to_i32", "C000000000000000 FFFFFFFE 00\n");
        assert_eq!(f.print(&read.args, read.result.unwrap()), "C000000000000000 FFFFFFFE");
        assert_eq!(line("f64_lt", "7ff8000000000000  0000000000000000\r\n").result, None);
        assert_eq!(f.parse(b"  \n"), Ok(None));
        assert!(Function::named("f32_add").unwrap_err().contains("f64_add f64_sub"));
    }

    #[test]
    fn errors_have_their_column() {
        let column = |name: &str, text: &str| {
            let e = Function::named(name).unwrap().parse(text.as_bytes()).unwrap_err();
            (e.column, e.to_string())
        };
        let (at, text) = column("f64_add", "3FF0000000000000\n");
        assert!(at == 17 && text.contains("operand 2 of f64_add"), "{at} {text}");
        assert_eq!(column("f64_add", "3FF0000000000000 3FF000000000000 0").0, 18);
        assert_eq!(column("f64_eq", "3FF0000000000000 3FF0000000000000 2").0, 35);
        assert_eq!(column("f64_sqrt", "3FF0000000000000 3FF0000000000000 zz").0, 35);
        assert_eq!(column("f64_sqrt", "3FF0000000000000 3FF0000000000000 00 1").0, 38);
    }

    #[test]
    fn invalid_conversions_are_open() {
        let f = Function::named("f64_to_i32").unwrap();
        let accepts = |text: &str, rounding| {
            let Line { args, result } = line("f64_to_i32", text);
            f.accepts(rounding, &args, result.unwrap(), Value::Int(Int { bits: 32, signed: true }, 0))
        };
        assert!(accepts("7FF8000000000000 80000000 10", Rounding::NearEven));
        assert!(accepts("41E0000000000000 80000000 10", Rounding::NearEven));
        assert!(!accepts("41DFFFFFFFC00000 80000000 00", Rounding::NearEven));
        // 2^31 - 1/4 is in range only where it is not rounded up.
        assert!(accepts("41DFFFFFFFF00000 80000000 10", Rounding::Max));
        assert!(!accepts("41DFFFFFFFF00000 80000000 10", Rounding::Min));
    }
}
