//! The classes of pairs in the C++ header.

use std::fmt::Write;

/// What differs between the two classes of the C++ header.
pub(super) struct Class {
    values: [(&'static str, &'static str); 18],
    /// Types whose conversion to the pair is implicit; the rest needs a cast.
    implicit_from: &'static [&'static str],
    /// The type that the pair converts to implicitly.
    implicit_to: Option<&'static str>,
    binary128: bool,
}

pub(super) const FP32MP2: Class = Class {
    values: [
        ("family", "fp32mp2"),
        ("limb", "float"),
        ("pair", "vernier_pair32"),
        ("bits", "32"),
        ("snan", "0x7fa00000u"),
        ("digits", "46"),
        ("digits10", "13"),
        ("max_digits10", "15"),
        ("min_exponent", "-101"),
        ("min_exponent10", "-30"),
        ("max_exponent", "128"),
        ("max_exponent10", "38"),
        ("min", "0x1p-102f"),
        ("max_hi", "0x1.fffffep127f"),
        ("max_lo", "0x1.fffffep102f"),
        ("epsilon", "0x1p-45f"),
        ("denorm_min", "0x1p-149f"),
        ("atomics", include_str!("atomic32.cuh")),
    ],
    implicit_from: &["bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned"],
    implicit_to: Some("double"),
    binary128: false,
};

pub(super) const FP64MP2: Class = Class {
    values: [
        ("family", "fp64mp2"),
        ("limb", "double"),
        ("pair", "vernier_pair64"),
        ("bits", "64"),
        ("snan", "0x7ff4000000000000ull"),
        ("digits", "104"),
        ("digits10", "31"),
        ("max_digits10", "33"),
        ("min_exponent", "-968"),
        ("min_exponent10", "-291"),
        ("max_exponent", "1024"),
        ("max_exponent10", "308"),
        ("min", "0x1p-969"),
        ("max_hi", "0x1.fffffffffffffp1023"),
        ("max_lo", "0x1.fffffffffffffp969"),
        ("epsilon", "0x1p-103"),
        ("denorm_min", "0x1p-1074"),
        ("atomics", include_str!("atomic64.cuh")),
    ],
    implicit_from: &[
        "bool",
        "char",
        "signed char",
        "unsigned char",
        "short",
        "unsigned short",
        "int",
        "unsigned",
        "long",
        "unsigned long",
        "long long",
        "unsigned long long",
        "float",
    ],
    implicit_to: None,
    binary128: true,
};

/// The C++ types of one number, and the recorded conversion of each; `long` is as wide as the platform has it.
const SCALARS: [(&str, &str); 14] = [
    ("bool", "bool"),
    ("char", "i8"),
    ("signed char", "i8"),
    ("unsigned char", "u8"),
    ("short", "i16"),
    ("unsigned short", "u16"),
    ("int", "i32"),
    ("unsigned", "u32"),
    ("long", "i64"),
    ("unsigned long", "u64"),
    ("long long", "i64"),
    ("unsigned long long", "u64"),
    ("float", "f32"),
    ("double", "f64"),
];

impl Class {
    fn value(&self, key: &str) -> &'static str {
        self.values.iter().find(|(k, _)| *k == key).expect("a key of the class").1
    }

    /// Its text.
    pub(super) fn text(&self) -> String {
        let text = include_str!("pair.cuh").replace("@conversions@", &self.conversions());
        let text = text.replace("@functions@", &super::math::of_pairs(self.value("family")));
        self.values.iter().fold(text, |text, (key, value)| text.replace(&format!("@{key}@"), value))
    }

    fn conversions(&self) -> String {
        let (family, limb) = (self.value("family"), self.value("limb"));
        let mut out = String::new();
        for (ty, op) in SCALARS {
            let word = match op {
                "i8" | "i16" | "i32" => "(vernier_u32)(int)",
                "u8" | "u16" | "u32" => "(vernier_u32)",
                "i64" => "(vernier_u64)(long long)",
                "u64" => "(vernier_u64)",
                _ => "",
            };
            let op = if ty == "char" { "char" } else { op };
            if ty != limb {
                let cast = if self.implicit_from.contains(&ty) { "" } else { "VERNIER_CAST " };
                let constant = match ty {
                    "float" | "double" => format!("detail::constant_double({limb}(0), x)"),
                    "bool" => format!("raw{{{limb}(x), 0}}"),
                    _ => format!("detail::constant_integer<raw, {limb}>(x)"),
                };
                let run = match op {
                    "char" => format!("detail::{family}_from_i32((vernier_u32)(int)x)"),
                    _ => format!("detail::{family}_from_{op}({word}x)"),
                };
                let _ = writeln!(
                    out,
                    "    VERNIER_HD constexpr {cast}basic_{family}({ty} x)\n        : basic_{family}(\
                     __builtin_is_constant_evaluated() ? {constant} : {run}) {{}}"
                );
            }
            let run = match op {
                "char" => format!(
                    "(char)-1 < 0 ? (char)(int)detail::{family}_to_i8(limbs()) : (char)detail::{family}_to_u8(limbs())"
                ),
                "i8" | "i16" | "i32" => format!("({ty})(int)detail::{family}_to_{op}(limbs())"),
                "i64" if ty == "long" => format!(
                    "sizeof(long) == 8 ? (long)detail::{family}_to_i64(limbs()) : (long)(int)detail::{family}_to_i32(limbs())"
                ),
                "u64" if ty == "unsigned long" => format!(
                    "sizeof(long) == 8 ? (unsigned long)detail::{family}_to_u64(limbs()) : \
                     (unsigned long)detail::{family}_to_u32(limbs())"
                ),
                _ => format!("({ty})detail::{family}_to_{op}(limbs())"),
            };
            let _ = writeln!(out, "    VERNIER_HD {ty} out({ty}) const {{ return {run}; }}");
        }
        out += &self.casts();
        out += self.widths();
        if self.binary128 {
            out += BINARY128;
        }
        out
    }

    /// The conversions out. Templates, so that nothing converts through a second, standard conversion.
    fn casts(&self) -> String {
        let operator = |condition: &str, cast: &str| {
            format!(
                "    template <class S, typename detail::enable_if<{condition}, int>::type = 0>\n    \
                 VERNIER_HD {cast}operator S() const {{ return out(S()); }}\n"
            )
        };
        match self.implicit_to {
            Some(ty) => {
                let same = format!("detail::is_same<S, {ty}>::value");
                operator(&same, "") + &operator(&format!("detail::scalar<S>::value && !{same}"), "VERNIER_CAST ")
            }
            None => operator("detail::scalar<S>::value", "VERNIER_CAST "),
        }
    }

    fn widths(&self) -> &'static str {
        if self.implicit_from.contains(&"float") {
            "    template <accuracy B> VERNIER_HD basic_fp64mp2(basic_fp32mp2<B> x)
        : basic_fp64mp2(detail::fp64mp2_from_fp32mp2(x.limbs())) {}\n"
        } else {
            "    template <accuracy B> VERNIER_HD VERNIER_CAST basic_fp32mp2(basic_fp64mp2<B> x)
        : basic_fp32mp2(detail::fp32mp2_from_fp64mp2(x.limbs())) {}\n"
        }
    }
}

const BINARY128: &str = "\
#if defined(VERNIER_HD128)
    VERNIER_HD128 VERNIER_CAST basic_fp64mp2(__float128 x)
    {
        const detail::words128 bits = __builtin_bit_cast(detail::words128, x);
        *this = basic_fp64mp2(detail::fp64mp2_from_f128({bits.hi, bits.lo}));
    }
    VERNIER_HD128 VERNIER_CAST operator __float128() const
    {
        const vernier_u128 bits = detail::fp64mp2_to_f128(limbs());
        return __builtin_bit_cast(__float128, detail::words128{bits.lo, bits.hi});
    }
#endif
";
