//! Every function of `core`, with its name, arguments, results, tape and host instance.

use crate::cases::{Column, RUN, SLOTS};
use crate::io::{Kind, TapeIo};
use crate::tape::Tape;
use std::collections::HashMap;
use std::sync::OnceLock;
use vernier::convert::{self, Double, Integer, Single};
use vernier::emu::{self, Rd, Rn, Ru, Rz, unpacked};
use vernier::host::Host;
use vernier::machine::{IeeeLimb, Limb, Value, Word, WordMachine};
use vernier::pair::{self, High, Level, Low, Mid};

/// A function of `core`.
#[derive(Debug)]
pub struct Function {
    /// Which.
    pub id: FunctionId,
    /// The arguments.
    pub params: Vec<Kind>,
    /// The results.
    pub results: Vec<Kind>,
    /// The function, recorded.
    pub tape: Tape,
    /// The generated arguments of a run of cases: of the seed and the run's number.
    pub generate: fn(u64, u64, &mut [Column; SLOTS]),
    /// The results on the host in the first cases of a run, as many as are asked for.
    pub block: fn(&[Column; SLOTS], &mut [Column; SLOTS], usize),
}

impl Function {
    /// Its name in printed code.
    pub fn name(&self) -> String {
        self.id.to_string()
    }

    /// The results on the host: one bit pattern per argument limb or word in, one per result limb or word out, each
    /// in the low bits.
    ///
    /// # Panics
    /// If there are fewer bit patterns than [`Tape::args`].
    pub fn host(&self, args: &[u64]) -> Vec<u64> {
        let columns: Vec<[u64; 1]> = args.iter().map(|&bits| [bits]).collect();
        self.evaluate(&columns).into_iter().map(|column| column[0]).collect()
    }

    /// The results on the host for many cases: bit patterns by slot, then case.
    ///
    /// # Panics
    /// If there are fewer columns than [`Tape::args`], or they differ in length.
    pub fn evaluate<C: AsRef<[u64]>>(&self, args: &[C]) -> Vec<Vec<u64>> {
        assert!(args.len() >= self.tape.args.len(), "{}: one column per slot of the arguments", self.id);
        let n = args.first().map_or(0, |column| column.as_ref().len());
        let mut all = vec![Vec::with_capacity(n); self.tape.body.results.len()];
        let (mut columns, mut results) = ([[0; RUN]; SLOTS], [[0; RUN]; SLOTS]);
        for start in (0..n).step_by(RUN) {
            let count = RUN.min(n - start);
            for (column, arg) in columns.iter_mut().zip(args) {
                column[..count].copy_from_slice(&arg.as_ref()[start..start + count]);
            }
            (self.block)(&columns, &mut results, count);
            all.iter_mut().zip(&results).for_each(|(to, column)| to.extend_from_slice(&column[..count]));
        }
        all
    }

    /// The hash of the results on the host for one block of generated cases. See [`crate::cases`].
    pub fn hash(&self, seed: u64, block: u64) -> u64 {
        crate::cases::block::hash(self, seed, block)
    }
}

/// Adds one function to a list: `function!(list, family, op, level, |x: pair32, c: f32| -> pair32 { BODY })`, where
/// kinds are names in [`crate::io::read`] and BODY is generic over the machine `$m`.
macro_rules! function {
    ($list:ident, $family:expr, $op:expr, $level:expr, $m:ident [$($g:ident)?], $($rest:tt)*) => {
        function!($list, $family, $op, $level, $m [$($g)?] in crate::io, $($rest)*)
    };
    ($list:ident, $family:expr, $op:expr, $level:expr, $m:ident [$($g:ident)?] in $io:path,
     |$($arg:ident: $kind:ident),*| -> $result:ident $body:block) => {{
        use $io::{kind, read, write};
        #[inline(always)]
        fn body<$m: WordMachine, I: crate::io::Io<$m> $(, $g: Level)?>(io: &mut I) {
            $(let $arg = read::$kind::<$m, I>(io);)*
            let result = $body;
            write::$result::<$m, I>(io, result);
        }
        let (tape, io) = TapeIo::record(body::<crate::record::Recording, TapeIo $(, $g)?>);
        $list.push(Function {
            id: FunctionId::named($family, $op, $level).expect("an operation of the family"),
            params: io.params,
            results: io.results,
            tape,
            generate: crate::cases::block::generate::<($(kind::$kind,)*)>,
            block: |args, results, n| {
                crate::cases::block::evaluate(args, results, n, |io| body::<Host, _ $(, $g)?>(io));
            },
        });
    }};
}

/// Adds the six comparisons of a kind, by its three.
macro_rules! comparisons {
    ($list:ident, $family:expr, $kind:ident, $m:ident, $eq:expr, $lt:expr, $le:expr) => {
        function!($list, $family, "eq", None, $m [], |x: $kind, y: $kind| -> bool { $eq(x, y) });
        function!($list, $family, "ne", None, $m [], |x: $kind, y: $kind| -> bool { !$eq(x, y) });
        function!($list, $family, "lt", None, $m [], |x: $kind, y: $kind| -> bool { $lt(x, y) });
        function!($list, $family, "le", None, $m [], |x: $kind, y: $kind| -> bool { $le(x, y) });
        function!($list, $family, "gt", None, $m [], |x: $kind, y: $kind| -> bool { $lt(y, x) });
        function!($list, $family, "ge", None, $m [], |x: $kind, y: $kind| -> bool { $le(y, x) });
    };
}

pub mod custom;
mod id;
pub mod stat;

pub use id::FunctionId;

macro_rules! pair_functions {
    ($at:ident, $shared:ident, $family:expr, $pair:ident, $limb:ident) => {
        fn $at<V: Level>(list: &mut Vec<Function>) {
            let level = Some(V::NAME);
            function!(list, $family, "add", level, M [V], |x: $pair, y: $pair| -> $pair { V::add(x, y) });
            function!(list, $family, "sub", level, M [V], |x: $pair, y: $pair| -> $pair { V::sub(x, y) });
            function!(list, $family, "mul", level, M [V], |x: $pair, y: $pair| -> $pair { V::mul(x, y) });
            function!(list, $family, "div", level, M [V], |x: $pair, y: $pair| -> $pair { V::div(x, y) });
            function!(list, $family, "acc", level, M [V], |x: $pair, c: $limb| -> $pair { V::acc(x, c) });
            function!(list, $family, "fma", level, M [V],
                |x: $pair, y: $pair, z: $pair| -> $pair { V::fma(x, y, z) });
            function!(list, $family, "mad", level, M [V],
                |x: $pair, y: $pair, z: $pair| -> $pair { V::mad(x, y, z) });
            function!(list, $family, "renormalize", level, M [V], |x: $pair| -> $pair { V::renormalize(x) });
        }

        fn $shared(list: &mut Vec<Function>) {
            function!(list, $family, "sqrt", None, M [], |x: $pair| -> $pair { pair::sqrt(x) });
            function!(list, $family, "rsqrt", None, M [], |x: $pair| -> $pair { pair::rsqrt(x) });
            function!(list, $family, "neg", None, M [], |x: $pair| -> $pair { pair::neg(x) });
            function!(list, $family, "canonical", None, M [], |x: $pair| -> $pair { pair::canonical(x) });
            comparisons!(list, $family, $pair, M, pair::eq, pair::lt, pair::le);
        }
    };
}

/// A 32-bit word, sign-extended.
fn sign_extend<M: WordMachine>(x: M::U32) -> M::U64 {
    let sign = M::U64::lit(1 << 31);
    (x.to_u64() ^ sign) - sign
}

const fn int(bits: u32, signed: bool) -> Integer {
    Integer { bits, signed }
}

/// A module with the names of [`crate::io`] at a width: `pair` stands for this width's pair there, and so do the names made of it;
/// `word` for an unsigned integer as wide as a limb.
macro_rules! at_width {
    ($width:ident $word:ident $pair:ident $pair_i32:ident $pair_pair:ident) => {
        mod $width {
            pub mod read {
                pub use crate::io::read::{i32, i64, $pair as pair, $word as word};
            }
            pub mod write {
                pub use crate::io::write::{
                    bool, i32, i64, $pair as pair, $pair_i32 as pair_i32, $pair_pair as pair_pair,
                };
            }
            pub mod kind {
                pub use crate::io::kind::{i32, i64, $pair as pair, $word as word};
            }
        }
    };
}

at_width!(single u32 pair32 pair32_i32 pair32_pair);
at_width!(double u64 pair64 pair64_i32 pair64_pair);

/// The mathematical functions, from their list.
macro_rules! math_functions {
    ($($(#[$doc:meta])* $name:ident($($arg:ident: $kind:ident),*) -> $result:ident;)*) => {
        fn math(list: &mut Vec<Function>) {
            $(
                function!(list, "fp32mp2", stringify!($name), None, M [] in single,
                    |$($arg: $kind),*| -> $result { vernier::math::$name($($arg),*) });
                function!(list, "fp64mp2", stringify!($name), None, M [] in double,
                    |$($arg: $kind),*| -> $result { vernier::math::$name($($arg),*) });
            )*
        }
    };
}

vernier::for_each_math_function!(math_functions);

macro_rules! conversions {
    ($name:ident, $family:expr, $pair:ident, $width:ident) => {
        fn $name(list: &mut Vec<Function>) {
            macro_rules! from {
                        ($op:literal, $kind:ident, |$m:ident, $x:ident| $body:expr) => {
                            function!(list, $family, concat!("from_", $op), None, $m [], |$x: $kind| -> $pair { $body })
                        };
                    }
            macro_rules! to {
                        ($op:literal, $kind:ident, |$m:ident, $x:ident| $body:expr) => {
                            function!(list, $family, concat!("to_", $op), None, $m [], |$x: $pair| -> $kind { $body })
                        };
                    }
            from!("f32", f32, |M, x| convert::pair_from_limb::<M, $width, M::F32>(x));
            from!("f64", f64, |M, x| convert::pair_from_limb::<M, $width, M::F64>(x));
            from!("bool", bool, |M, x| {
                let one = M::U64::select(x, M::U64::lit(1), M::U64::lit(0));
                convert::pair_from_u64::<M, $width>(one)
            });
            from!("i8", i8, |M, x| convert::pair_from_i64::<M, $width>(sign_extend::<M>(x)));
            from!("i16", i16, |M, x| convert::pair_from_i64::<M, $width>(sign_extend::<M>(x)));
            from!("i32", i32, |M, x| convert::pair_from_i64::<M, $width>(sign_extend::<M>(x)));
            from!("i64", i64, |M, x| convert::pair_from_i64::<M, $width>(x));
            from!("i128", i128, |M, x| convert::pair_from_i128::<M, $width>(x));
            from!("u8", u8, |M, x| convert::pair_from_u64::<M, $width>(x.to_u64()));
            from!("u16", u16, |M, x| convert::pair_from_u64::<M, $width>(x.to_u64()));
            from!("u32", u32, |M, x| convert::pair_from_u64::<M, $width>(x.to_u64()));
            from!("u64", u64, |M, x| convert::pair_from_u64::<M, $width>(x));
            from!("u128", u128, |M, x| convert::pair_from_u128::<M, $width>(x));
            from!("f128", f128, |M, x| convert::pair_from_binary128::<M, $width>(x));
            to!("f32", f32, |M, x| convert::to_limb::<M, Single, _>(x));
            to!("f64", f64, |M, x| convert::to_limb::<M, Double, _>(x));
            to!("bool", bool, |M, x| convert::is_nonzero(x));
            to!("i8", i8, |M, x| convert::to_integer::<M, _>(x, int(8, true)).to_u32());
            to!("i16", i16, |M, x| convert::to_integer::<M, _>(x, int(16, true)).to_u32());
            to!("i32", i32, |M, x| convert::to_integer::<M, _>(x, int(32, true)).to_u32());
            to!("i64", i64, |M, x| convert::to_integer::<M, _>(x, int(64, true)));
            to!("i128", i128, |M, x| convert::to_i128::<M, _>(x));
            to!("u8", u8, |M, x| convert::to_integer::<M, _>(x, int(8, false)).to_u32());
            to!("u16", u16, |M, x| convert::to_integer::<M, _>(x, int(16, false)).to_u32());
            to!("u32", u32, |M, x| convert::to_integer::<M, _>(x, int(32, false)).to_u32());
            to!("u64", u64, |M, x| convert::to_integer::<M, _>(x, int(64, false)));
            to!("u128", u128, |M, x| convert::to_u128::<M, _>(x));
            to!("f128", f128, |M, x| convert::to_binary128::<M, _>(x));
        }
    };
}

conversions!(conversions32, "fp32mp2", pair32, Single);
conversions!(conversions64, "fp64mp2", pair64, Double);

/// Between the widths.
fn widths(list: &mut Vec<Function>) {
    function!(list, "fp32mp2", "from_fp64mp2", None, M [], |x: pair64| -> pair32 { convert::narrow::<M>(x) });
    function!(list, "fp64mp2", "from_fp32mp2", None, M [], |x: pair32| -> pair64 { convert::widen::<M>(x) });
}

pair_functions!(leveled32, shared32, "fp32mp2", pair32, f32);
pair_functions!(leveled64, shared64, "fp64mp2", pair64, f64);

/// Emulated doubles in one word. In the directed modes, and for fma in every mode, all levels share high's sequence.
fn packed(list: &mut Vec<Function>) {
    const FAMILY: &str = "fp64emu";
    macro_rules! level {
        ($v:ty) => {{
            let level = Some(<$v as emu::unpacked::Level>::NAME);
            function!(list, FAMILY, "add", level, M [],
                |x: packed, y: packed| -> packed { emu::packed::add::<M, $v, Rn>(x, y) });
            function!(list, FAMILY, "sub", level, M [],
                |x: packed, y: packed| -> packed { emu::packed::sub::<M, $v, Rn>(x, y) });
            function!(list, FAMILY, "mul", level, M [],
                |x: packed, y: packed| -> packed { emu::packed::mul::<M, $v, Rn>(x, y) });
            function!(list, FAMILY, "div", level, M [],
                |x: packed, y: packed| -> packed { emu::packed::div::<M, $v, Rn>(x, y) });
            function!(list, FAMILY, "sqrt", level, M [],
                |x: packed| -> packed { emu::packed::sqrt::<M, $v, Rn>(x) });
            function!(list, FAMILY, "mad", level, M [],
                |x: packed, y: packed, z: packed| -> packed { emu::packed::mad::<M, $v>(x, y, z) });
            function!(list, FAMILY, "dot", level, M [], |x: packed, y: packed, z: packed, w: packed| -> packed {
                emu::packed::dot::<M, $v>(x, y, z, w)
            });
            function!(list, FAMILY, "cmul", level, M [], |a: packed, b: packed, c: packed, d: packed| -> packed2 {
                emu::packed::cmul::<M, $v>((a, b), (c, d))
            });
        }};
    }
    macro_rules! directed {
        ($r:ty, $suffix:literal) => {
            function!(list, FAMILY, concat!("add", $suffix), None, M [],
                |x: packed, y: packed| -> packed { emu::packed::add::<M, High, $r>(x, y) });
            function!(list, FAMILY, concat!("sub", $suffix), None, M [],
                |x: packed, y: packed| -> packed { emu::packed::sub::<M, High, $r>(x, y) });
            function!(list, FAMILY, concat!("mul", $suffix), None, M [],
                |x: packed, y: packed| -> packed { emu::packed::mul::<M, High, $r>(x, y) });
            function!(list, FAMILY, concat!("div", $suffix), None, M [],
                |x: packed, y: packed| -> packed { emu::packed::div::<M, High, $r>(x, y) });
            function!(list, FAMILY, concat!("sqrt", $suffix), None, M [],
                |x: packed| -> packed { emu::packed::sqrt::<M, High, $r>(x) });
        };
    }
    macro_rules! rounded {
        ($r:ty, $suffix:literal) => {
            function!(list, FAMILY, concat!("fma", $suffix), None, M [],
                |x: packed, y: packed, z: packed| -> packed { emu::packed::fma::<M, High, $r>(x, y, z) });
            function!(list, FAMILY, concat!("from_i64", $suffix), None, M [],
                |x: i64| -> packed { emu::convert::from_i64::<M, $r>(x) });
            function!(list, FAMILY, concat!("from_u64", $suffix), None, M [],
                |x: u64| -> packed { emu::convert::from_u64::<M, $r>(x) });
            function!(list, FAMILY, concat!("to_f32", $suffix), None, M [],
                |x: packed| -> f32 { emu::convert::to_f32::<M, $r>(x) });
        };
    }
    // The cast truncates.
    macro_rules! integers {
        ($r:ty, $suffix:literal) => {
            function!(list, FAMILY, concat!("to_i8", $suffix), None, M [],
                |x: packed| -> i8 { emu::convert::to_integer::<M, $r>(x, int(8, true)).to_u32() });
            function!(list, FAMILY, concat!("to_i16", $suffix), None, M [],
                |x: packed| -> i16 { emu::convert::to_integer::<M, $r>(x, int(16, true)).to_u32() });
            function!(list, FAMILY, concat!("to_i32", $suffix), None, M [],
                |x: packed| -> i32 { emu::convert::to_integer::<M, $r>(x, int(32, true)).to_u32() });
            function!(list, FAMILY, concat!("to_i64", $suffix), None, M [],
                |x: packed| -> i64 { emu::convert::to_integer::<M, $r>(x, int(64, true)) });
            function!(list, FAMILY, concat!("to_u8", $suffix), None, M [],
                |x: packed| -> u8 { emu::convert::to_integer::<M, $r>(x, int(8, false)).to_u32() });
            function!(list, FAMILY, concat!("to_u16", $suffix), None, M [],
                |x: packed| -> u16 { emu::convert::to_integer::<M, $r>(x, int(16, false)).to_u32() });
            function!(list, FAMILY, concat!("to_u32", $suffix), None, M [],
                |x: packed| -> u32 { emu::convert::to_integer::<M, $r>(x, int(32, false)).to_u32() });
            function!(list, FAMILY, concat!("to_u64", $suffix), None, M [],
                |x: packed| -> u64 { emu::convert::to_integer::<M, $r>(x, int(64, false)) });
        };
    }
    level!(Low);
    level!(Mid);
    level!(High);
    directed!(Rz, "_rz");
    directed!(Ru, "_ru");
    directed!(Rd, "_rd");
    rounded!(Rn, "");
    rounded!(Rz, "_rz");
    rounded!(Ru, "_ru");
    rounded!(Rd, "_rd");
    integers!(Rz, "");
    integers!(Rn, "_rn");
    integers!(Ru, "_ru");
    integers!(Rd, "_rd");
    function!(list, FAMILY, "from_f32", None, M [], |x: f32| -> packed { emu::convert::from_f32::<M>(x) });
    function!(list, FAMILY, "from_f64", None, M [], |x: f64| -> packed { x.bits() });
    function!(list, FAMILY, "from_bool", None, M [], |x: bool| -> packed {
        emu::convert::from_u32::<M>(M::U32::select(x, M::U32::lit(1), M::U32::lit(0)))
    });
    function!(list, FAMILY, "to_bool", None, M [], |x: packed| -> bool {
        !emu::compare::eq::<M>(x, M::U64::lit(0))
    });
    function!(list, FAMILY, "to_f64", None, M [], |x: packed| -> f64 { M::F64::from_bits(x) });
    function!(list, FAMILY, "from_i8", None, M [], |x: i8| -> packed { emu::convert::from_i32::<M>(x) });
    function!(list, FAMILY, "from_i16", None, M [], |x: i16| -> packed { emu::convert::from_i32::<M>(x) });
    function!(list, FAMILY, "from_i32", None, M [], |x: i32| -> packed { emu::convert::from_i32::<M>(x) });
    function!(list, FAMILY, "from_u8", None, M [], |x: u8| -> packed { emu::convert::from_u32::<M>(x) });
    function!(list, FAMILY, "from_u16", None, M [], |x: u16| -> packed { emu::convert::from_u32::<M>(x) });
    function!(list, FAMILY, "from_u32", None, M [], |x: u32| -> packed { emu::convert::from_u32::<M>(x) });
    function!(list, FAMILY, "neg", None, M [], |x: packed| -> packed { emu::packed::neg::<M>(x) });
    comparisons!(list, FAMILY, packed, M, emu::compare::eq::<M>, emu::compare::lt::<M>, emu::compare::le::<M>);
}

/// Emulated doubles in three words. All levels share fma.
fn unpacked(list: &mut Vec<Function>) {
    const UNPACKED: &str = "fp64emu_unpacked";
    macro_rules! level {
        ($v:ty) => {{
            let level = Some(<$v as unpacked::Level>::NAME);
            function!(list, UNPACKED, "add", level, M [],
                |x: unpacked, y: unpacked| -> unpacked { unpacked::add::<M, $v>(x, y) });
            function!(list, UNPACKED, "sub", level, M [],
                |x: unpacked, y: unpacked| -> unpacked { unpacked::sub::<M, $v>(x, y) });
            function!(list, UNPACKED, "mul", level, M [],
                |x: unpacked, y: unpacked| -> unpacked { unpacked::mul::<M, $v>(x, y) });
            function!(list, UNPACKED, "div", level, M [],
                |x: unpacked, y: unpacked| -> unpacked { unpacked::div::<M, $v>(x, y) });
            function!(list, UNPACKED, "sqrt", level, M [], |x: unpacked| -> unpacked { unpacked::sqrt::<M, $v>(x) });
            function!(list, UNPACKED, "mad", level, M [], |x: unpacked, y: unpacked, z: unpacked| -> unpacked {
                unpacked::mad::<M, $v>(x, y, z)
            });
            function!(list, UNPACKED, "dot", level, M [],
                |x: unpacked, y: unpacked, z: unpacked, w: unpacked| -> unpacked {
                unpacked::dot::<M, $v>(x, y, z, w)
            });
            function!(list, UNPACKED, "cmul", level, M [],
                |a: unpacked, b: unpacked, c: unpacked, d: unpacked| -> unpacked2 {
                unpacked::cmul::<M, $v>((a, b), (c, d))
            });
        }};
    }
    level!(Low);
    level!(Mid);
    level!(High);
    function!(list, UNPACKED, "fma", None, M [],
        |x: unpacked, y: unpacked, z: unpacked| -> unpacked { unpacked::fma_high::<M>(x, y, z) });
    function!(list, UNPACKED, "neg", None, M [], |x: unpacked| -> unpacked { unpacked::neg::<M>(x) });
    function!(list, UNPACKED, "canonical", None, M [], |x: unpacked| -> unpacked { unpacked::canonical::<M>(x) });
    comparisons!(list, UNPACKED, unpacked, M, unpacked::eq::<M>, unpacked::lt::<M>, unpacked::le::<M>);
    function!(list, UNPACKED, "from_fp64emu", None, M [], |x: packed| -> unpacked { unpacked::unpack::<M>(x) });
    function!(list, UNPACKED, "to_fp64emu", None, M [], |x: unpacked| -> packed { unpacked::pack::<M, Rn>(x) });
    function!(list, UNPACKED, "to_fp64emu_rz", None, M [], |x: unpacked| -> packed { unpacked::pack::<M, Rz>(x) });
    function!(list, UNPACKED, "to_fp64emu_ru", None, M [], |x: unpacked| -> packed { unpacked::pack::<M, Ru>(x) });
    function!(list, UNPACKED, "to_fp64emu_rd", None, M [], |x: unpacked| -> packed { unpacked::pack::<M, Rd>(x) });
    macro_rules! from {
        ($op:literal, $kind:ident, |$m:ident, $x:ident| $body:expr) => {
            function!(list, UNPACKED, concat!("from_", $op), None, $m [], |$x: $kind| -> unpacked { $body })
        };
    }
    macro_rules! to {
        ($op:literal, $kind:ident, |$m:ident, $x:ident| $body:expr) => {
            function!(list, UNPACKED, concat!("to_", $op), None, $m [], |$x: unpacked| -> $kind { $body })
        };
    }
    from!("f32", f32, |M, x| unpacked::from_f32::<M>(x));
    from!("f64", f64, |M, x| unpacked::unpack::<M>(x.bits()));
    from!("bool", bool, |M, x| unpacked::from_u64::<M>(M::U64::select(x, M::U64::lit(1), M::U64::lit(0))));
    from!("i8", i8, |M, x| unpacked::from_i64::<M>(sign_extend::<M>(x)));
    from!("i16", i16, |M, x| unpacked::from_i64::<M>(sign_extend::<M>(x)));
    from!("i32", i32, |M, x| unpacked::from_i64::<M>(sign_extend::<M>(x)));
    from!("i64", i64, |M, x| unpacked::from_i64::<M>(x));
    from!("u8", u8, |M, x| unpacked::from_u64::<M>(x.to_u64()));
    from!("u16", u16, |M, x| unpacked::from_u64::<M>(x.to_u64()));
    from!("u32", u32, |M, x| unpacked::from_u64::<M>(x.to_u64()));
    from!("u64", u64, |M, x| unpacked::from_u64::<M>(x));
    to!("f32", f32, |M, x| unpacked::to_f32::<M>(x));
    to!("f64", f64, |M, x| M::F64::from_bits(unpacked::pack::<M, Rn>(x)));
    to!("bool", bool, |M, x| !unpacked::is_zero::<M>(x));
    to!("i8", i8, |M, x| unpacked::to_integer::<M>(x, int(8, true)).to_u32());
    to!("i16", i16, |M, x| unpacked::to_integer::<M>(x, int(16, true)).to_u32());
    to!("i32", i32, |M, x| unpacked::to_integer::<M>(x, int(32, true)).to_u32());
    to!("i64", i64, |M, x| unpacked::to_integer::<M>(x, int(64, true)));
    to!("u8", u8, |M, x| unpacked::to_integer::<M>(x, int(8, false)).to_u32());
    to!("u16", u16, |M, x| unpacked::to_integer::<M>(x, int(16, false)).to_u32());
    to!("u32", u32, |M, x| unpacked::to_integer::<M>(x, int(32, false)).to_u32());
    to!("u64", u64, |M, x| unpacked::to_integer::<M>(x, int(64, false)));
}

/// The limbs' own operations, on the processor and as a device has them. No part of printed headers.
pub mod limbs {
    use super::*;

    macro_rules! limb {
        ($name:ident, $family:literal, $limb:ident) => {
            fn $name(list: &mut Vec<Function>) {
                function!(list, $family, "add", None, M [], |x: $limb, y: $limb| -> $limb { x + y });
                function!(list, $family, "sub", None, M [], |x: $limb, y: $limb| -> $limb { x - y });
                function!(list, $family, "mul", None, M [], |x: $limb, y: $limb| -> $limb { x * y });
                function!(list, $family, "div", None, M [], |x: $limb, y: $limb| -> $limb { x.div(y) });
                function!(list, $family, "fma", None, M [], |x: $limb, y: $limb, z: $limb| -> $limb { x.fma(y, z) });
                function!(list, $family, "sqrt", None, M [], |x: $limb| -> $limb { x.sqrt() });
                function!(list, $family, "neg", None, M [], |x: $limb| -> $limb { -x });
                comparisons!(list, $family, $limb, M, Limb::eq, Limb::lt, Limb::le);
            }
        };
    }

    limb!(f32s, "f32", f32);
    limb!(f64s, "f64", f64);

    /// All of them.
    pub fn functions() -> &'static [Function] {
        static FUNCTIONS: OnceLock<Vec<Function>> = OnceLock::new();
        FUNCTIONS.get_or_init(|| {
            let mut list = Vec::new();
            f32s(&mut list);
            f64s(&mut list);
            list
        })
    }
}

/// Every function, in a fixed order.
pub fn functions() -> &'static [Function] {
    static FUNCTIONS: OnceLock<Vec<Function>> = OnceLock::new();
    FUNCTIONS.get_or_init(|| {
        let mut list = Vec::new();
        leveled32::<Low>(&mut list);
        leveled32::<Mid>(&mut list);
        leveled32::<High>(&mut list);
        shared32(&mut list);
        leveled64::<Low>(&mut list);
        leveled64::<Mid>(&mut list);
        leveled64::<High>(&mut list);
        shared64(&mut list);
        conversions32(&mut list);
        conversions64(&mut list);
        widths(&mut list);
        math(&mut list);
        packed(&mut list);
        unpacked(&mut list);
        custom::functions(&mut list);
        list
    })
}

/// The function that printed code calls so, those of instruments included.
pub fn named(name: &str) -> Option<&'static Function> {
    static NAMED: OnceLock<HashMap<String, &'static Function>> = OnceLock::new();
    NAMED
        .get_or_init(|| functions().iter().chain(stat::functions()).map(|f| (f.name(), f)).collect())
        .get(name)
        .copied()
}

/// The function of this family, operation and level, by their names in printed code: any level where all share one sequence, an
/// empty one for the default and for types without levels.
pub fn find(family: &str, op: &str, level: &str) -> Option<&'static Function> {
    get(FunctionId::named(family, op, Some(level).filter(|level| !level.is_empty()))?)
}

/// A function of the registry, or of the limbs.
pub fn get(id: FunctionId) -> Option<&'static Function> {
    static PLACES: OnceLock<HashMap<FunctionId, &'static Function>> = OnceLock::new();
    PLACES
        .get_or_init(|| {
            functions().iter().chain(limbs::functions()).chain(stat::functions()).map(|f| (f.id, f)).collect()
        })
        .get(&id)
        .copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use vernier::function;

    #[test]
    fn functions_are_found_by_their_names() {
        for f in functions().iter().chain(stat::functions()).chain(limbs::functions()) {
            let (family, op) = (f.id.family(), f.id.op_name());
            for level in function::Level::ALL {
                let found = find(family, &op, level.name()).unwrap();
                assert_eq!(found.id == f.id, f.id.level().is_none_or(|own| own == level), "{} {}", f.id, level.name());
            }
            let default = find(family, &op, "").unwrap();
            let usual = if family.ends_with("mp2") { function::Level::Mid } else { function::Level::High };
            assert!(default.id.level().is_none_or(|level| level == usual), "{}", default.id);
            assert!(find(family, &op, "none").is_none_or(|f| f.id.level().is_none()), "{}", f.id);
        }
        for f in functions().iter().chain(stat::functions()) {
            assert_eq!(named(&f.name()).unwrap().id, f.id);
        }
        assert!(named("fp32mp2_add").is_none() && find("float", "add", "").is_none());
    }
}
