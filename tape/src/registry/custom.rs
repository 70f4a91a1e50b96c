//! Reduced formats: with sizes known where code is built, and with the format as an argument.

use super::Function;
use super::FunctionId;
use crate::io::TapeIo;
use vernier::custom::{self, Fixed, Format, Layout, Options, Published, Random};
use vernier::function::Type;
use vernier::host::Host;
use vernier::machine::{Limb, WordMachine};

/// The family of functions that take the format as an argument, or do not depend on it.
pub const ANY: &str = "fp64_custom";

/// Hands the families with sizes in their name to a macro: name, bits of exponent and of mantissa.
macro_rules! formats {
    ($to:ident $($argument:ident)?) => {
        $to! {
            $($argument,)?
            "fp64_custom_e8m23" 8 23;
            "fp64_custom_e5m10" 5 10;
            "fp64_custom_e8m7" 8 7;
            "fp64_custom_e11m0" 11 0;
            "fp64_custom_e11m52" 11 52;
            "fp64_custom_e11m23" 11 23;
            "fp64_custom_e2m3" 2 3;
            "fp64_custom_e4m3" 4 3;
            "fp64_custom_e5m2" 5 2;
        }
    };
}

macro_rules! listed {
    ($($name:literal $e:literal $m:literal;)*) => { [$(($name, $e, $m)),*] };
}

/// The families with the published semantics and sizes known where code is built.
pub const FIXED: [(&str, u32, u32); 9] = formats!(listed);

/// Whether a function belongs to a reduced format.
pub fn is_custom(f: &Function) -> bool {
    matches!(f.id, FunctionId::Of(Type::Custom(_), _) | FunctionId::AnyFormat(_))
}

/// The format of a family with sizes in its name.
pub fn format_of(family: &str) -> Option<Format> {
    let (_, e, m) = FIXED.into_iter().find(|(name, ..)| *name == family)?;
    Format::new(e, m, Options::PUBLISHED).ok()
}

/// The family with sizes in its name that has this format; none where it has no functions of its own.
pub fn family_of(format: Format) -> Option<&'static str> {
    FIXED.into_iter().map(|(name, ..)| name).find(|name| format_of(name) == Some(format))
}

const fn known<const E: u32, const M: u32>() -> Fixed<E, M, Published> {
    Fixed::new()
}

fn random<M: WordMachine>(seed: M::U64, operation: M::U64) -> Random<M> {
    Random { seed, operation }
}

macro_rules! fixed {
    ($list:ident, $($name:literal $e:literal $m:literal;)*) => {$(
        let family = $name;
        function!($list, family, "add", None, M [],
            |x: f64, y: f64| -> f64 { custom::add::<M>(x, y, known::<$e, $m>(), &Random::none()) });
        function!($list, family, "sub", None, M [],
            |x: f64, y: f64| -> f64 { custom::sub::<M>(x, y, known::<$e, $m>(), &Random::none()) });
        function!($list, family, "mul", None, M [],
            |x: f64, y: f64| -> f64 { custom::mul::<M>(x, y, known::<$e, $m>(), &Random::none()) });
        function!($list, family, "div", None, M [],
            |x: f64, y: f64| -> f64 { custom::div::<M>(x, y, known::<$e, $m>(), &Random::none()) });
        function!($list, family, "sqrt", None, M [],
            |x: f64| -> f64 { custom::sqrt::<M>(x, known::<$e, $m>(), &Random::none()) });
        function!($list, family, "fma", None, M [],
            |x: f64, y: f64, z: f64| -> f64 { custom::fma::<M>(x, y, z, known::<$e, $m>(), &Random::none()) });
    )*};
}

/// Adds them all.
pub(super) fn functions(list: &mut Vec<Function>) {
    formats!(fixed list);
    function!(list, ANY, "add", None, M [], |x: f64, y: f64, f: format, seed: u64, operation: u64| -> f64 {
        custom::add::<M>(x, y, &Layout::asked(f), &random(seed, operation))
    });
    function!(list, ANY, "sub", None, M [], |x: f64, y: f64, f: format, seed: u64, operation: u64| -> f64 {
        custom::sub::<M>(x, y, &Layout::asked(f), &random(seed, operation))
    });
    function!(list, ANY, "mul", None, M [], |x: f64, y: f64, f: format, seed: u64, operation: u64| -> f64 {
        custom::mul::<M>(x, y, &Layout::asked(f), &random(seed, operation))
    });
    function!(list, ANY, "div", None, M [], |x: f64, y: f64, f: format, seed: u64, operation: u64| -> f64 {
        custom::div::<M>(x, y, &Layout::asked(f), &random(seed, operation))
    });
    function!(list, ANY, "sqrt", None, M [], |x: f64, f: format, seed: u64, operation: u64| -> f64 {
        custom::sqrt::<M>(x, &Layout::asked(f), &random(seed, operation))
    });
    function!(list, ANY, "fma", None, M [], |x: f64, y: f64, z: f64, f: format, seed: u64, operation: u64| -> f64 {
        custom::fma::<M>(x, y, z, &Layout::asked(f), &random(seed, operation))
    });
    function!(list, ANY, "reduce", None, M [], |x: f64, f: format, seed: u64, operation: u64| -> f64 {
        custom::reduce::<M>(x, &Layout::asked(f), &random(seed, operation))
    });
    // These look at the doubles that values are, whatever the format.
    function!(list, ANY, "neg", None, M [], |x: f64| -> f64 { -x });
    comparisons!(list, ANY, f64, M, Limb::eq, Limb::lt, Limb::le);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;

    /// A format that a word holds is the format that is known: the functions of the registry compute alike with both.
    #[test]
    fn formats_in_words_are_those_that_are_known() {
        use crate::cases::arguments;
        use crate::io::Kind;
        let ops = ["add", "sub", "mul", "div", "sqrt", "fma", "reduce"];
        let mut gradual_alone = 0;
        for i in 0..1 << 18 {
            let op = ops[i as usize % ops.len()];
            let n = if op == "fma" { 3 } else { 2 };
            let mut case = arguments(&[Kind::F64, Kind::F64, Kind::F64, Kind::Format, Kind::U64, Kind::U64], 3, i);
            let sizes = case[3] & 0x3ff;
            // Every option alone, too.
            if i % 3 == 0 {
                case[3] = sizes | 1 << (10 + i / 3 % 10);
            }
            let Ok(format) = Format::from_word(case[3] as u32) else { continue };
            gradual_alone += u32::from(case[3] >> 10 == 8);
            let near = (1023 + format.emin()) as u64 + case[0] % 4;
            if i % 2 == 0 {
                case[..n].iter_mut().for_each(|x| *x = *x & !(0x7ff << 52) | near << 52);
            }
            let [x, y, z] = [0, 1, 2].map(|k| f64::from_bits(case[k]));
            let random = Random::<Host> { seed: std::num::Wrapping(case[4]), operation: std::num::Wrapping(case[5]) };
            let of = |layout: Layout<Host>| match op {
                "add" => custom::add::<Host>(x, y, &layout, &random),
                "sub" => custom::sub::<Host>(x, y, &layout, &random),
                "mul" => custom::mul::<Host>(x, y, &layout, &random),
                "div" => custom::div::<Host>(x, y, &layout, &random),
                "sqrt" => custom::sqrt::<Host>(x, &layout, &random),
                "fma" => custom::fma::<Host>(x, y, z, &layout, &random),
                _ => custom::reduce::<Host>(x, &layout, &random),
            };
            let (known, asked) = (of(Layout::known(format)), of(Layout::asked(std::num::Wrapping(format.word()))));
            let same = known.to_bits() == asked.to_bits() || known.is_nan() && asked.is_nan();
            assert!(same, "{format} {op} {x:e} {y:e} {z:e}: {known:e}, in a word {asked:e}");
        }
        assert!(gradual_alone > 1000, "{gradual_alone}");
    }

    #[test]
    fn native_axes_cost_nothing() {
        let nodes = |family, op| registry::find(family, op, "").map(|f| f.tape.nodes.len() - f.tape.args.len());
        for op in ["add", "sub", "mul", "div", "sqrt", "fma"] {
            assert_eq!(nodes("fp64_custom_e11m52", op), Some(1), "{op}");
            // Without a range test, and with one.
            assert!(nodes("fp64_custom_e11m23", op) < nodes("fp64_custom_e8m23", op), "{op}");
        }
    }

    #[test]
    fn families_are_formats() {
        let families = registry::functions().iter().map(|f| f.id.family()).filter(|f| f.starts_with(ANY));
        assert_eq!(families.collect::<std::collections::BTreeSet<_>>().len(), FIXED.len() + 1);
        for (name, e, m) in FIXED {
            let f = format_of(name).unwrap();
            assert_eq!((f.exponent(), f.mantissa(), family_of(f)), (e, m, Some(name)));
            assert!(name.ends_with(&format!("_e{e}m{m}")));
        }
    }
}
