//! Reduced formats as values: sizes and options, their limits and their text.

use core::fmt;
use core::str::FromStr;

/// How results are rounded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mode {
    /// To nearest, ties to even.
    #[default]
    Nearest,
    /// Toward zero.
    Zero,
    /// Toward +infinity.
    Up,
    /// Toward -infinity.
    Down,
    /// To nearest, ties away from zero.
    Away,
    /// Up or down in magnitude at random, each with the probability, to 2^-60, that makes the mean exact.
    ///
    /// Let t be the tail, in [0, 1): what is cut off the magnitude, in units of the last place kept, which is M places after
    /// the leading one, or the smallest subnormal number. It is that of the exact result where [`Options::single`] is set,
    /// otherwise that of the double nearest to it; of an operand, its own. Let T = floor(2^60 t), and W the lowest 60 bits
    /// of the random word ([`Random::word`](super::Random::word), 0 for the result, 1 to 3 for the operands). The result is
    /// up if and only if T + W >= 2^60, and so with probability T / 2^60. A tail below 2^-60 is never up.
    ///
    /// ```
    /// use vernier::custom::{Context, Format};
    /// let rough = Context::seeded("fp64_custom<11,52;ieee,sr>".parse::<Format>().unwrap(), 7);
    /// let ups = |x: f64, y: f64| (0..3000).filter(|_| (rough.number(x) + y).to_f64() > x).count();
    /// assert_eq!(ups(1.0, 2f64.powi(-300)), 0);
    /// assert!((650..850).contains(&ups(1.0, f64::EPSILON / 4.0)));
    /// ```
    Stochastic,
}

impl Mode {
    /// Every mode.
    pub const ALL: [Mode; 6] = [Mode::Nearest, Mode::Zero, Mode::Up, Mode::Down, Mode::Away, Mode::Stochastic];

    /// `rn`, `rz`, `ru`, `rd`, `na` or `sr`.
    #[inline(always)]
    pub const fn name(self) -> &'static str {
        match self {
            Mode::Nearest => "rn",
            Mode::Zero => "rz",
            Mode::Up => "ru",
            Mode::Down => "rd",
            Mode::Away => "na",
            Mode::Stochastic => "sr",
        }
    }
}

/// What the largest exponent field holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Top {
    /// Infinity and NaN, as in IEEE 754.
    #[default]
    Special,
    /// Numbers, but for the largest significand, which is NaN: the `fn` formats, as e4m3fn with largest number 448.
    Nan,
    /// Numbers: e2m3, e3m2, e2m1. There is no infinity, and no NaN is made; one that comes in stays.
    Numbers,
}

/// How a format departs from the published semantics, which are all fields' defaults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Options {
    /// How results are rounded.
    pub mode: Mode,
    /// Subnormal numbers are kept; otherwise they are flushed to zeros of their sign, in every mode.
    pub gradual: bool,
    /// The range is tested after rounding, as IEEE 754 does; otherwise by the exponent before it, so that a number that
    /// rounds up to the first power of two beyond the range stays until it is reduced again.
    pub after: bool,
    /// The exact result is rounded once; otherwise the double nearest to it is rounded.
    pub single: bool,
    /// Overflow, infinite operands included, gives the largest number; otherwise infinity, or NaN where [`Top::Nan`].
    pub saturate: bool,
    /// What the largest exponent field holds.
    pub top: Top,
    /// The range is tested although the exponent is that of a double, which flushes subnormal doubles; before rounding, in
    /// any case.
    pub dynamic: bool,
}

impl Options {
    /// The published semantics.
    pub const PUBLISHED: Options = Options {
        mode: Mode::Nearest,
        gradual: false,
        after: false,
        single: false,
        saturate: false,
        top: Top::Special,
        dynamic: false,
    };
    /// IEEE 754: subnormal numbers, the range after rounding, the exact result rounded once.
    ///
    /// One rule departs where M = 0: a number in the middle of two goes to the one with the even exponent field, as in the
    /// published semantics. There IEEE 754-2019, 4.3.1, for formats of one digit, has the one of larger magnitude.
    pub const IEEE: Options = Options { gradual: true, after: true, single: true, ..Options::PUBLISHED };

    /// The options of both: what departs from the default in `other` takes precedence.
    #[inline(always)]
    pub const fn merge(self, other: Options) -> Options {
        Options {
            mode: if matches!(other.mode, Mode::Nearest) { self.mode } else { other.mode },
            gradual: self.gradual || other.gradual,
            after: self.after || other.after,
            single: self.single || other.single,
            saturate: self.saturate || other.saturate,
            top: if matches!(other.top, Top::Special) { self.top } else { other.top },
            dynamic: self.dynamic || other.dynamic,
        }
    }

    /// Whether the options can be had together: two rounding modes cannot, nor `fn` and `finite`.
    #[inline(always)]
    pub const fn compatible_with(self, other: Options) -> bool {
        let modes = matches!(self.mode, Mode::Nearest)
            || matches!(other.mode, Mode::Nearest)
            || self.mode as u32 == other.mode as u32;
        let tops = matches!(self.top, Top::Special)
            || matches!(other.top, Top::Special)
            || self.top as u32 == other.top as u32;
        modes && tops
    }

    /// Their bits of the word of a format.
    const fn bits(self) -> u32 {
        (self.mode as u32) << 10
            | (self.gradual as u32) << 13
            | (self.after as u32) << 14
            | (self.single as u32) << 15
            | (self.saturate as u32) << 16
            | (self.top as u32) << 17
            | (self.dynamic as u32) << 19
    }

    /// The bits of the options with which reduction is more than the published one.
    pub(super) const EXTENDED: u32 = {
        let p = Options::PUBLISHED;
        let mut bits = Options { gradual: true, after: true, saturate: true, ..p }.bits();
        let mut i = 0;
        while i < Mode::ALL.len() {
            bits |= Options { mode: Mode::ALL[i], ..p }.bits();
            i += 1;
        }
        bits | Options { top: Top::Nan, ..p }.bits() | Options { top: Top::Numbers, ..p }.bits()
    };

    /// Whether reduction is more than the published one.
    #[inline(always)]
    pub(super) const fn extended(self) -> bool {
        self.bits() & Options::EXTENDED != 0
    }
}

/// The names of options in text, in order.
const NAMES: [(&str, Options); 9] = {
    const P: Options = Options::PUBLISHED;
    [
        ("ieee", Options::IEEE),
        ("gradual", Options { gradual: true, ..P }),
        ("after", Options { after: true, ..P }),
        ("single", Options { single: true, ..P }),
        ("fn", Options { top: Top::Nan, ..P }),
        ("finite", Options { top: Top::Numbers, ..P }),
        ("sat", Options { saturate: true, ..P }),
        ("dynamic", Options { dynamic: true, ..P }),
        ("rn", P),
    ]
};

/// The options that depart from the default, separated by commas: `ieee,fn,sat,rz`.
impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ieee = self.gradual && self.after && self.single;
        let shown = |name: &str, option: Options| match name {
            "ieee" => ieee,
            "gradual" | "after" | "single" => !ieee && self.merge(option) == *self,
            "rn" => false,
            _ => self.merge(option) == *self,
        };
        let mut names = NAMES.into_iter().filter(|&(name, option)| shown(name, option)).map(|(name, _)| name);
        if let Some(first) = names.next() {
            f.write_str(first)?;
            names.try_for_each(|name| write!(f, ",{name}"))?;
        }
        match self.mode {
            Mode::Nearest => Ok(()),
            mode if *self == (Options { mode, ..Options::PUBLISHED }) => f.write_str(mode.name()),
            mode => write!(f, ",{}", mode.name()),
        }
    }
}

/// A reduced format: sizes and options. In text `fp64_custom<E,M>`, `fp64_custom<E,M;OPTION,...>`, or, where it is read, the name of
/// a [preset](Format::PRESETS).
///
/// ```
/// use vernier::custom::Format;
/// let e4m3fn: Format = "fp64_custom<4,3;ieee,fn>".parse().unwrap();
/// assert_eq!((e4m3fn, e4m3fn.max()), (Format::FP8_E4M3, 448.0));
/// assert_eq!("fp8_e4m3".parse(), Ok(e4m3fn));
/// assert!("fp64_custom<12,3>".parse::<Format>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Format {
    exponent: u32,
    mantissa: u32,
    options: Options,
}

/// Why something is no format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormatError {
    /// The exponent is not 2 to 11 bits wide.
    Exponent,
    /// The mantissa is not 0 to 52 bits wide.
    Mantissa,
    /// The largest exponent of a double is no number: [`Top::Nan`] and [`Top::Numbers`] need an exponent of at most 10 bits.
    Top,
    /// The text is no preset and not of the form `fp64_custom<E,M;OPTION,...>`; the byte where it departs from it.
    Text(usize),
    /// The option at this byte contradicts one before it: another rounding mode, or `finite` and `fn`.
    Contradiction(usize),
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FormatError::Exponent => "an exponent of 2 to 11 bits",
            FormatError::Mantissa => "a mantissa of 0 to 52 bits",
            FormatError::Top => "an exponent of at most 10 bits with fn or finite",
            FormatError::Contradiction(_) => "one rounding mode at most, and one of fn and finite",
            FormatError::Text(_) => {
                "fp64_custom<E,M>, or fp64_custom<E,M;OPTION,...> with options ieee, gradual, after, single, fn, finite, sat, \
                 dynamic, rn, rz, ru, rd, na, sr, or a preset, as bf16"
            }
        })
    }
}

impl core::error::Error for FormatError {}

impl Format {
    /// IEEE binary16.
    pub const FP16: Format = Format::of(5, 10, Options::IEEE);
    /// bfloat16.
    pub const BF16: Format = Format::of(8, 7, Options::IEEE);
    /// TensorFloat-32.
    pub const TF32: Format = Format::of(8, 10, Options::IEEE);
    /// IEEE binary32.
    pub const FP32: Format = Format::of(8, 23, Options::IEEE);
    /// E4M3 of the OCP 8-bit specification (2023), also called e4m3fn: largest number 448, no infinity.
    pub const FP8_E4M3: Format = Format::of(4, 3, Options { top: Top::Nan, ..Options::IEEE });
    /// E5M2 of the OCP 8-bit specification (2023).
    pub const FP8_E5M2: Format = Format::of(5, 2, Options::IEEE);
    /// E2M3 of the OCP microscaling specification (2023): largest number 7.5, no infinity, no NaN.
    pub const FP6_E2M3: Format = Format::of(2, 3, Options { top: Top::Numbers, ..Options::IEEE });
    /// E3M2 of the OCP microscaling specification (2023): largest number 28, no infinity, no NaN.
    pub const FP6_E3M2: Format = Format::of(3, 2, Options { top: Top::Numbers, ..Options::IEEE });
    /// E2M1 of the OCP microscaling specification (2023): largest number 6, no infinity, no NaN.
    pub const FP4_E2M1: Format = Format::of(2, 1, Options { top: Top::Numbers, ..Options::IEEE });

    /// The presets, by name.
    pub const PRESETS: [(&'static str, Format); 9] = [
        ("fp16", Format::FP16),
        ("bf16", Format::BF16),
        ("tf32", Format::TF32),
        ("fp32", Format::FP32),
        ("fp8_e4m3", Format::FP8_E4M3),
        ("fp8_e5m2", Format::FP8_E5M2),
        ("fp6_e2m3", Format::FP6_E2M3),
        ("fp6_e3m2", Format::FP6_E3M2),
        ("fp4_e2m1", Format::FP4_E2M1),
    ];

    /// The format of these sizes and options; E in 2..=11, M in 0..=52.
    #[inline(always)]
    pub const fn new(exponent: u32, mantissa: u32, options: Options) -> Result<Format, FormatError> {
        if exponent < 2 || exponent > 11 {
            Err(FormatError::Exponent)
        } else if mantissa > 52 {
            Err(FormatError::Mantissa)
        } else if exponent == 11 && !matches!(options.top, Top::Special) {
            Err(FormatError::Top)
        } else {
            Ok(Format { exponent, mantissa, options })
        }
    }

    /// As [`new`](Format::new).
    ///
    /// # Panics
    /// If it is none; at compile time where the arguments are constants of a type.
    #[inline(always)]
    pub(super) const fn of(exponent: u32, mantissa: u32, options: Options) -> Format {
        match Format::new(exponent, mantissa, options) {
            Ok(format) => format,
            Err(_) => panic!("E is 2 to 11, with numbers in the largest exponent field 2 to 10, and M is 0 to 52"),
        }
    }

    /// Bits of the exponent.
    #[inline(always)]
    pub const fn exponent(self) -> u32 {
        self.exponent
    }

    /// Stored bits of the significand.
    #[inline(always)]
    pub const fn mantissa(self) -> u32 {
        self.mantissa
    }

    /// The options.
    #[inline(always)]
    pub const fn options(self) -> Options {
        self.options
    }

    /// 2^(E-1) - 1.
    #[inline(always)]
    pub const fn bias(self) -> i32 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The exponent of the smallest normal number.
    #[inline(always)]
    pub const fn emin(self) -> i32 {
        1 - self.bias()
    }

    /// The exponent of the largest number.
    #[inline(always)]
    pub const fn emax(self) -> i32 {
        self.exponent_of(self.max_bits())
    }

    /// Whether reduction tests the range.
    #[inline(always)]
    pub(super) const fn ranged(self) -> bool {
        self.exponent < 11 || self.options.dynamic
    }

    #[inline(always)]
    const fn exponent_of(self, bits: u64) -> i32 {
        (bits >> 52) as i32 - 1023
    }

    /// The bits of the largest number as a double.
    #[inline(always)]
    pub(super) const fn max_bits(self) -> u64 {
        let codes = (((1 << self.exponent) - 1) << self.mantissa) | ((1 << self.mantissa) - 1);
        let code: u64 = codes
            - match self.options.top {
                Top::Special => 1 << self.mantissa,
                Top::Nan => 1,
                Top::Numbers => 0,
            };
        (code << (52 - self.mantissa)) + ((1023 - self.bias() as u64) << 52)
    }

    /// The largest number.
    pub const fn max(self) -> f64 {
        f64::from_bits(self.max_bits())
    }

    /// The smallest normal number.
    pub const fn min_positive(self) -> f64 {
        crate::machine::exp2(self.emin())
    }

    /// The smallest number above zero, subnormal where the format has such numbers.
    pub const fn denorm_min(self) -> f64 {
        let kept = self.options.gradual || !self.ranged();
        crate::machine::exp2(if kept { self.emin() - self.mantissa as i32 } else { self.emin() })
    }

    /// 2^-M.
    pub const fn epsilon(self) -> f64 {
        crate::machine::exp2(-(self.mantissa as i32))
    }

    /// Significand digits, M + 1.
    pub const fn digits(self) -> u32 {
        self.mantissa + 1
    }

    /// The format as one word, as kernels take it: E in bits 0 to 3, M in bits 4 to 9, then options.
    pub const fn word(self) -> u32 {
        self.exponent | self.mantissa << 4 | self.options.bits()
    }

    /// The format of a [`word`](Format::word).
    pub fn from_word(word: u32) -> Result<Format, FormatError> {
        let bit = |n: u32| word >> n & 1 == 1;
        let mode = Mode::ALL.get((word >> 10 & 7) as usize).copied().ok_or(FormatError::Text(0))?;
        let top = match word >> 17 & 3 {
            0 => Top::Special,
            1 => Top::Nan,
            2 => Top::Numbers,
            _ => return Err(FormatError::Top),
        };
        let options = Options {
            mode,
            gradual: bit(13),
            after: bit(14),
            single: bit(15),
            saturate: bit(16),
            top,
            dynamic: bit(19),
        };
        if word >> 20 != 0 {
            return Err(FormatError::Text(0));
        }
        Format::new(word & 15, word >> 4 & 63, options)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = if self.options == Options::PUBLISHED { "" } else { ";" };
        write!(f, "fp64_custom<{},{}{separator}{}>", self.exponent, self.mantissa, self.options)
    }
}

impl FromStr for Format {
    type Err = FormatError;

    fn from_str(text: &str) -> Result<Format, FormatError> {
        if let Some((_, preset)) = Format::PRESETS.into_iter().find(|(name, _)| *name == text) {
            return Ok(preset);
        }
        let at = |part: &str| FormatError::Text(part.as_ptr() as usize - text.as_ptr() as usize);
        let inner = text.strip_prefix("fp64_custom<").ok_or(FormatError::Text(0))?;
        let inner = inner.strip_suffix('>').ok_or(FormatError::Text(text.len()))?;
        let (sizes, names) = inner.split_once(';').map_or((inner, None), |(sizes, names)| (sizes, Some(names)));
        let (e, m) = sizes.split_once(',').ok_or(at(&sizes[sizes.len()..]))?;
        let size = |digits: &str| {
            let plain = !digits.is_empty() && digits.len() <= 2 && digits.bytes().all(|c| c.is_ascii_digit());
            if plain { digits.parse::<u32>().map_err(|_| at(digits)) } else { Err(at(digits)) }
        };
        let mut options = Options::PUBLISHED;
        let mut mode = None;
        for part in names.into_iter().flat_map(|names| names.split(',')) {
            let of_mode = Mode::ALL.into_iter().find(|m| m.name() == part);
            let named = || NAMES.into_iter().find(|(name, _)| *name == part).map(|(_, option)| option);
            let option = of_mode.map(|mode| Options { mode, ..Options::PUBLISHED }).or_else(named).ok_or(at(part))?;
            let contradicts = of_mode.is_some_and(|m| mode.is_some_and(|before| before != m));
            if contradicts || !options.compatible_with(option) {
                return Err(FormatError::Contradiction(part.as_ptr() as usize - text.as_ptr() as usize));
            }
            mode = of_mode.or(mode);
            options = options.merge(option);
        }
        Format::new(size(e)?, size(m)?, options)
    }
}
