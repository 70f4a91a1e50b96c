//! What arguments and results are.

use super::Width;

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Int {
    /// Width in bits, 8 to 128.
    pub bits: u32,
    /// Two's complement.
    pub signed: bool,
}

impl Int {
    /// i8 to i128, u8 to u128.
    pub const ALL: [Int; 10] = {
        let mut all = [Int { bits: 8, signed: true }; 10];
        let mut i = 0;
        while i < 10 {
            all[i] = Int { bits: 8 << (i % 5), signed: i < 5 };
            i += 1;
        }
        all
    };

    /// Its name in Rust.
    pub const fn name(self) -> &'static str {
        match (self.bits, self.signed) {
            (8, true) => "i8",
            (16, true) => "i16",
            (32, true) => "i32",
            (64, true) => "i64",
            (_, true) => "i128",
            (8, false) => "u8",
            (16, false) => "u16",
            (32, false) => "u32",
            (64, false) => "u64",
            (_, false) => "u128",
        }
    }

    /// The low bits of `v`, sign- or zero-extended to 128: how integers are held here.
    pub const fn wrap(self, v: u128) -> u128 {
        let unused = 128 - self.bits;
        if self.signed { ((v << unused) as i128 >> unused) as u128 } else { v << unused >> unused }
    }
}

/// What an argument or a result is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// One limb.
    Limb(Width),
    /// IEEE binary128.
    Binary128,
    /// Two limbs.
    Pair(Width),
    /// An integer.
    Int(Int),
    /// 0 or 1.
    Bool,
    /// An unpacked emulated double.
    Unpacked,
    /// Real and imaginary part, each a double.
    Complex,
    /// Real and imaginary part, each an unpacked emulated double.
    ComplexUnpacked,
    /// A pair and an `i32`.
    PairAndInt(Width),
    /// Two pairs.
    TwoPairs(Width),
}

impl Kind {
    /// As it appears in the name of a conversion.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Limb(w) => w.limb_name(),
            Kind::Binary128 => "f128",
            Kind::Pair(w) => w.pair_name(),
            Kind::Int(i) => i.name(),
            Kind::Bool => "bool",
            Kind::Unpacked => "fp64emu_unpacked",
            Kind::Complex => "complex",
            Kind::ComplexUnpacked => "complex_unpacked",
            Kind::PairAndInt(_) => "pair_and_int",
            Kind::TwoPairs(_) => "two_pairs",
        }
    }

    /// The kinds of both values, where it is two.
    pub const fn parts(self) -> Option<[Kind; 2]> {
        match self {
            Kind::Complex => Some([Kind::Limb(Width::F64); 2]),
            Kind::ComplexUnpacked => Some([Kind::Unpacked; 2]),
            Kind::PairAndInt(w) => Some([Kind::Pair(w), Kind::Int(Int { bits: 32, signed: true })]),
            Kind::TwoPairs(w) => Some([Kind::Pair(w); 2]),
            _ => None,
        }
    }
}
