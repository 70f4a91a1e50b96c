//! Arguments and results of a function on any machine: bit patterns on the host, handles on a tape.

use crate::record::{self, F32, F64, Handle, Recording, Truth, U32, U64};
use crate::tape::{Id, Tape, Ty};
use vernier::emu::Unpacked;
use vernier::machine::{Machine, WordMachine};

/// The type of an argument or result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A truth value.
    Bool,
    /// 8-bit two's complement, sign-extended in 32 bits.
    I8,
    /// 8-bit unsigned, zero-extended in 32 bits.
    U8,
    /// 16-bit two's complement, sign-extended in 32 bits.
    I16,
    /// 16-bit unsigned, zero-extended in 32 bits.
    U16,
    /// 32-bit two's complement.
    I32,
    /// 32-bit unsigned.
    U32,
    /// 64-bit two's complement.
    I64,
    /// 64-bit unsigned.
    U64,
    /// 128-bit two's complement: high word, low word.
    I128,
    /// 128-bit unsigned: high word, low word.
    U128,
    /// IEEE binary32.
    F32,
    /// IEEE binary64.
    F64,
    /// The bits of an IEEE binary128: high word, low word.
    F128,
    /// hi, lo over binary32.
    Pair32,
    /// hi, lo over binary64.
    Pair64,
    /// The bits of a double.
    Packed,
    /// The bits of two doubles.
    Packed2,
    /// An unpacked double: sign, exponent, significand.
    Unpacked,
    /// Two unpacked doubles.
    Unpacked2,
    /// hi, lo over binary32, and an integer of 32 bits.
    Pair32I32,
    /// hi, lo over binary64, and an integer of 32 bits.
    Pair64I32,
    /// hi, lo over binary32, twice.
    Pair32Pair,
    /// hi, lo over binary64, twice.
    Pair64Pair,
    /// A reduced format as a word ([`vernier::custom::Format::word`]).
    Format,
}

impl Kind {
    /// The values it is made of.
    pub fn slots(self) -> &'static [Ty] {
        match self {
            Kind::Bool => &[Ty::Mask],
            Kind::I8 | Kind::U8 | Kind::I16 | Kind::U16 | Kind::I32 | Kind::U32 | Kind::Format => &[Ty::U32],
            Kind::I64 | Kind::U64 | Kind::Packed => &[Ty::U64],
            Kind::I128 | Kind::U128 | Kind::F128 | Kind::Packed2 => &[Ty::U64, Ty::U64],
            Kind::F32 => &[Ty::F32],
            Kind::F64 => &[Ty::F64],
            Kind::Pair32 => &[Ty::F32, Ty::F32],
            Kind::Pair64 => &[Ty::F64, Ty::F64],
            Kind::Pair32I32 => &[Ty::F32, Ty::F32, Ty::U32],
            Kind::Pair64I32 => &[Ty::F64, Ty::F64, Ty::U32],
            Kind::Pair32Pair => &[Ty::F32; 4],
            Kind::Pair64Pair => &[Ty::F64; 4],
            Kind::Unpacked => &[Ty::U32, Ty::U32, Ty::U64],
            Kind::Unpacked2 => &[Ty::U32, Ty::U32, Ty::U64, Ty::U32, Ty::U32, Ty::U64],
        }
    }
}

/// Where the arguments of a function on machine `M` come from and where its results go.
pub trait Io<M: WordMachine> {
    /// The next argument.
    fn f32(&mut self) -> M::F32;
    /// The next argument.
    fn f64(&mut self) -> M::F64;
    /// The next argument.
    fn u32(&mut self) -> M::U32;
    /// The next argument.
    fn u64(&mut self) -> M::U64;
    /// The next argument.
    fn truth(&mut self) -> M::Mask;
    /// The next result.
    fn put_f32(&mut self, v: M::F32);
    /// The next result.
    fn put_f64(&mut self, v: M::F64);
    /// The next result.
    fn put_u32(&mut self, v: M::U32);
    /// The next result.
    fn put_u64(&mut self, v: M::U64);
    /// The next result.
    fn put_truth(&mut self, v: <M as Machine>::Mask);
    /// Notes the kind of the argument that follows.
    fn param(&mut self, _: Kind) {}
    /// Notes the kind of the result that follows.
    fn result(&mut self, _: Kind) {}
}

/// Handles in and out.
#[derive(Default)]
pub(crate) struct TapeIo {
    pub params: Vec<Kind>,
    pub results: Vec<Kind>,
    output: Vec<Id>,
}

impl TapeIo {
    /// Records `f`.
    pub fn record(f: fn(&mut TapeIo)) -> (Tape, TapeIo) {
        let mut io = TapeIo::default();
        let tape = record::record(|| {
            f(&mut io);
            std::mem::take(&mut io.output)
        });
        (tape, io)
    }
}

impl Io<Recording> for TapeIo {
    fn f32(&mut self) -> F32 {
        record::argument()
    }
    fn f64(&mut self) -> F64 {
        record::argument()
    }
    fn u32(&mut self) -> U32 {
        record::argument()
    }
    fn u64(&mut self) -> U64 {
        record::argument()
    }
    fn truth(&mut self) -> Truth {
        record::argument()
    }
    fn put_f32(&mut self, v: F32) {
        self.output.push(v.id());
    }
    fn put_f64(&mut self, v: F64) {
        self.output.push(v.id());
    }
    fn put_u32(&mut self, v: U32) {
        self.output.push(v.id());
    }
    fn put_u64(&mut self, v: U64) {
        self.output.push(v.id());
    }
    fn put_truth(&mut self, v: Truth) {
        self.output.push(v.id());
    }
    fn param(&mut self, kind: Kind) {
        self.params.push(kind);
    }
    fn result(&mut self, kind: Kind) {
        self.results.push(kind);
    }
}

/// An argument of a kind that is known where code is built.
pub trait Argument {
    /// Reads one, for what the reading does.
    fn read<M: WordMachine, I: Io<M>>(io: &mut I);
}

/// Kinds of all arguments of a function, as a tuple: functions with the same arguments share what is built from it.
pub trait Signature {
    /// Reads them, for what the reading does.
    fn read<M: WordMachine, I: Io<M>>(io: &mut I);
}

macro_rules! signatures {
    ($($($k:ident)+;)*) => {$(
        impl<$($k: Argument),+> Signature for ($($k,)+) {
            #[inline(always)]
            fn read<M: WordMachine, I: Io<M>>(io: &mut I) {
                $($k::read::<M, I>(io);)+
            }
        }
    )*};
}

signatures! {
    A;
    A B;
    A B C;
    A B C D;
    A B C D E;
    A B C D E F;
}

macro_rules! kinds {
    ($($name:ident $kind:ident: $t:ty = $get:ident $put:ident;)*) => {
        /// Arguments by kind.
        pub mod read {
            use super::*;
            $(
                #[inline(always)]
                #[doc = concat!("The next argument, of kind [`Kind::", stringify!($kind), "`].")]
                pub fn $name<M: WordMachine, I: Io<M>>(io: &mut I) -> $t {
                    io.param(Kind::$kind);
                    io.$get()
                }
            )*
        }
        /// Kinds as types, for [`Signature`].
        pub mod kind {
            $(
                #[doc = concat!("[`Kind::", stringify!($kind), "`](super::Kind)")]
                #[allow(non_camel_case_types)]
                #[derive(Clone, Copy, Debug)]
                pub struct $name;
                impl super::Argument for $name {
                    #[inline(always)]
                    fn read<M: super::WordMachine, I: super::Io<M>>(io: &mut I) {
                        super::read::$name::<M, I>(io);
                    }
                }
            )*
        }
        /// Results by kind.
        pub mod write {
            use super::*;
            $(
                #[inline(always)]
                #[doc = concat!("The next result, of kind [`Kind::", stringify!($kind), "`].")]
                pub fn $name<M: WordMachine, I: Io<M>>(io: &mut I, v: $t) {
                    io.result(Kind::$kind);
                    io.$put(v);
                }
            )*
        }
    };
}

/// Two values of a type.
type Twice<T> = (T, T);

kinds! {
    bool Bool: <M as Machine>::Mask = truth put_truth;
    i8 I8: M::U32 = u32 put_u32;
    u8 U8: M::U32 = u32 put_u32;
    i16 I16: M::U32 = u32 put_u32;
    u16 U16: M::U32 = u32 put_u32;
    i32 I32: M::U32 = u32 put_u32;
    u32 U32: M::U32 = u32 put_u32;
    i64 I64: M::U64 = u64 put_u64;
    u64 U64: M::U64 = u64 put_u64;
    i128 I128: (M::U64, M::U64) = u64_pair put_u64_pair;
    u128 U128: (M::U64, M::U64) = u64_pair put_u64_pair;
    f128 F128: (M::U64, M::U64) = u64_pair put_u64_pair;
    packed Packed: M::U64 = u64 put_u64;
    packed2 Packed2: (M::U64, M::U64) = u64_pair put_u64_pair;
    f32 F32: M::F32 = f32 put_f32;
    f64 F64: M::F64 = f64 put_f64;
    format Format: M::U32 = u32 put_u32;
    pair32 Pair32: (M::F32, M::F32) = f32_pair put_f32_pair;
    pair64 Pair64: (M::F64, M::F64) = f64_pair put_f64_pair;
    pair32_i32 Pair32I32: ((M::F32, M::F32), M::U32) = f32_pair_u32 put_f32_pair_u32;
    pair64_i32 Pair64I32: ((M::F64, M::F64), M::U32) = f64_pair_u32 put_f64_pair_u32;
    pair32_pair Pair32Pair: Twice<(M::F32, M::F32)> = f32_pairs put_f32_pairs;
    pair64_pair Pair64Pair: Twice<(M::F64, M::F64)> = f64_pairs put_f64_pairs;
    unpacked Unpacked: Unpacked<M> = triple put_triple;
    unpacked2 Unpacked2: (Unpacked<M>, Unpacked<M>) = triple_pair put_triple_pair;
}

macro_rules! twice {
    ($($get2:ident $put2:ident: $t:ty = $get:ident $put:ident;)*) => {
        trait Several<M: WordMachine>: Io<M> {
            #[inline(always)]
            fn triple(&mut self) -> Unpacked<M> {
                let sign = self.u32();
                let exponent = self.u32();
                (sign, exponent, self.u64())
            }
            #[inline(always)]
            fn put_triple(&mut self, v: Unpacked<M>) {
                self.put_u32(v.0);
                self.put_u32(v.1);
                self.put_u64(v.2);
            }
            #[inline(always)]
            fn f32_pair_u32(&mut self) -> ((M::F32, M::F32), M::U32) {
                let x = self.f32_pair();
                (x, self.u32())
            }
            #[inline(always)]
            fn put_f32_pair_u32(&mut self, v: ((M::F32, M::F32), M::U32)) {
                self.put_f32_pair(v.0);
                self.put_u32(v.1);
            }
            #[inline(always)]
            fn f64_pair_u32(&mut self) -> ((M::F64, M::F64), M::U32) {
                let x = self.f64_pair();
                (x, self.u32())
            }
            #[inline(always)]
            fn put_f64_pair_u32(&mut self, v: ((M::F64, M::F64), M::U32)) {
                self.put_f64_pair(v.0);
                self.put_u32(v.1);
            }
            $(
                #[inline(always)]
                fn $get2(&mut self) -> ($t, $t) {
                    let first = self.$get();
                    (first, self.$get())
                }
                #[inline(always)]
                fn $put2(&mut self, v: ($t, $t)) {
                    self.$put(v.0);
                    self.$put(v.1);
                }
            )*
        }
    };
}

twice! {
    u64_pair put_u64_pair: M::U64 = u64 put_u64;
    f32_pair put_f32_pair: M::F32 = f32 put_f32;
    f64_pair put_f64_pair: M::F64 = f64 put_f64;
    f32_pairs put_f32_pairs: (M::F32, M::F32) = f32_pair put_f32_pair;
    f64_pairs put_f64_pairs: (M::F64, M::F64) = f64_pair put_f64_pair;
    triple_pair put_triple_pair: Unpacked<M> = triple put_triple;
}

impl<M: WordMachine, I: Io<M>> Several<M> for I {}
