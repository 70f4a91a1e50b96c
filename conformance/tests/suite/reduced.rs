//! Reduced formats of the arithmetic against the exact definition and hardware `f32`.

use vernier::custom::{Context, Format, Mode, Number, Options, Top};
use vernier_conformance::answer::custom::definition;
use vernier_conformance::table::reduced::{number, operand, width};
use vernier_oracle::Op;
use vernier_oracle::generate::counter::{self, Words};
use vernier_oracle::reduced::{Draw, Reduced, same};

const OPS: [Op; 6] = [Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Sqrt, Op::Fma];

fn apply(context: &Context, op: Op, args: &[f64]) -> f64 {
    let x: Vec<Number> = args.iter().map(|&x| context.number(x)).collect();
    let r = match op {
        Op::Add => x[0] + x[1],
        Op::Sub => x[0] - x[1],
        Op::Mul => x[0] * x[1],
        Op::Div => x[0] / x[1],
        Op::Sqrt => x[0].sqrt(),
        _ => x[0].fma(x[1], x[2]),
    };
    r.to_f64()
}

fn check(context: &Context, definition: &Reduced, op: Op, args: &[f64]) {
    let draw = Draw { seed: context.seed(), operation: context.operation() };
    let (got, right) = (apply(context, op, args), definition.evaluate(op, args, draw));
    assert!(
        same(right, got),
        "{} {draw:?} {:?} {:?}: got {got:e} ({:016x}), right {right:e}",
        context.format(),
        op,
        args.iter().map(|x| format!("{:016x}", x.to_bits())).collect::<Vec<_>>(),
        got.to_bits()
    );
}

/// Every option with every other.
fn all_options() -> impl Iterator<Item = Options> {
    let tops = [Top::Special, Top::Nan, Top::Numbers];
    (0..1 << 5).flat_map(move |bits: u32| {
        let bit = move |n: u32| bits >> n & 1 == 1;
        Mode::ALL.into_iter().flat_map(move |mode| {
            tops.map(|top| Options {
                mode,
                gradual: bit(0),
                after: bit(1),
                single: bit(2),
                saturate: bit(3),
                top,
                dynamic: bit(4),
            })
        })
    })
}

#[test]
fn every_option_is_as_defined() {
    let sizes = [
        (2, 0),
        (2, 1),
        (3, 2),
        (4, 3),
        (5, 10),
        (8, 23),
        (8, 0),
        (9, 40),
        (10, 52),
        (10, 30),
        (10, 51),
        (11, 0),
        (11, 23),
        (11, 51),
        (11, 52),
        (6, 52),
        (7, 50),
        (11, 50),
    ];
    let mut formats = 0;
    for (e, m) in sizes {
        for options in all_options() {
            let Ok(f) = Format::new(e, m, options) else { continue };
            formats += 1;
            let (context, definition) = (Context::seeded(f, 3), definition(f));
            let mut words = Words::new(counter::named_key(7, &f.to_string()), 0);
            for op in OPS {
                for _ in 0..60 {
                    let mut args: Vec<f64> = Vec::new();
                    for _ in 0..vernier_oracle::target::arity(op).unwrap() {
                        args.push(operand(&mut words, f, args.last().copied()));
                    }
                    check(&context, &definition, op, &args);
                }
            }
        }
    }
    assert!(formats > 8000, "{formats}");
}

/// The numbers of a format of few bits, both zeros, infinities and NaN.
fn numbers(f: Format) -> Vec<f64> {
    let codes = 0..1 << width(f);
    let mut numbers: Vec<f64> = codes.map(|code| number(f, code)).filter(|x| x.is_finite() && *x != 0.0).collect();
    numbers.extend([0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN]);
    numbers
}

#[test]
fn small_formats_on_all_pairs() {
    let presets = [Format::FP8_E4M3, Format::FP8_E5M2, Format::FP6_E2M3, Format::FP6_E3M2, Format::FP4_E2M1];
    let counts = [2 * 126, 2 * 123, 2 * 31, 2 * 31, 2 * 7];
    for (f, count) in presets.into_iter().zip(counts) {
        let numbers = numbers(f);
        assert_eq!(numbers.len(), count + 5, "{f}");
        for mode in [Mode::Nearest, Mode::Zero, Mode::Up, Mode::Down, Mode::Away] {
            let f = Format::new(f.exponent(), f.mantissa(), Options { mode, ..f.options() }).unwrap();
            let (context, definition) = (Context::new(f), definition(f));
            for &x in &numbers {
                check(&context, &definition, Op::Sqrt, &[x]);
                for &y in &numbers {
                    for op in [Op::Add, Op::Sub, Op::Mul, Op::Div] {
                        check(&context, &definition, op, &[x, y]);
                    }
                }
            }
        }
    }
}

/// What sums, quotients and roots cannot reach is left out of their rounding: with no option they reach it.
#[test]
fn tiny_formats_on_all_pairs_with_every_option() {
    let mut checked = 0u64;
    for (e, m, triples) in [(2, 0, true), (2, 1, false), (2, 2, false), (3, 0, true), (3, 1, false)] {
        for options in all_options() {
            let Ok(f) = Format::new(e, m, options) else { continue };
            let (context, definition, numbers) = (Context::new(f), definition(f), numbers(f));
            for &x in &numbers {
                check(&context, &definition, Op::Sqrt, &[x]);
                for &y in &numbers {
                    for op in [Op::Add, Op::Sub, Op::Mul, Op::Div] {
                        check(&context, &definition, op, &[x, y]);
                    }
                    let added = if triples { &numbers[..] } else { &[] };
                    added.iter().for_each(|&z| check(&context, &definition, Op::Fma, &[x, y, z]));
                    checked += 4 + added.len() as u64;
                }
            }
        }
    }
    assert!(checked > 2_000_000, "{checked}");
    // Roots of the smallest numbers lie below the normal ones where the range is small and the significand long.
    for (e, m) in [(2, 8), (3, 8), (4, 8), (5, 4), (2, 12)] {
        for options in all_options() {
            let Ok(f) = Format::new(e, m, options) else { continue };
            let (context, definition) = (Context::new(f), definition(f));
            let step = (f.emin() - m as i32) as f64;
            (1..64).for_each(|n| check(&context, &definition, Op::Sqrt, &[f64::from(n) * step.exp2()]));
        }
    }
}

#[test]
fn e4m3_has_the_published_codes() {
    // OCP 8-bit specification (2023): S.1111.110 is 448, S.0000.001 is 2^-9, S.0111.000 is 1.
    let context = Context::new(Format::FP8_E4M3);
    let reduced = |x: f64| context.reduced(x).to_f64();
    assert_eq!([reduced(464.0), reduced(448.0), reduced(2f64.powi(-10) * 1.01)], [448.0, 448.0, 2f64.powi(-9)]);
    assert!(reduced(464.1).is_nan() && reduced(f64::INFINITY).is_nan() && reduced(480.0).is_nan());
    let saturating = Format::new(4, 3, Options { saturate: true, ..Format::FP8_E4M3.options() }).unwrap();
    let context = Context::new(saturating);
    assert_eq!(context.reduced(1e9).to_f64(), 448.0);
    assert_eq!(context.reduced(f64::NEG_INFINITY).to_f64(), -448.0);
    let finite = Context::new(Format::FP4_E2M1);
    assert_eq!([2.5, 5.0, 100.0, 0.25, 0.2500001].map(|x| finite.reduced(x).to_f64()), [2.0, 4.0, 6.0, 0.0, 0.5]);
}

/// Words of all exponents, often close to one another.
fn bits32(words: &mut Words) -> u32 {
    let r = words.next() as u32;
    match words.below(4) {
        0 => r,
        1 => r & 0x807f_ffff | (127 - 12 + words.below(24) as u32) << 23,
        2 => r & 0x807f_ffff | (words.below(3) as u32 * 126) << 23,
        _ => r & 0xffff_f000,
    }
}

#[test]
fn single_is_hardware_f32() {
    let context = Context::new(Format::FP32);
    let mut words = Words::new(counter::named_key(1, "f32"), 0);
    for _ in 0..400_000 {
        let [x, y, z] = [0; 3].map(|_| f32::from_bits(bits32(&mut words)));
        let args = [x, y, z].map(f64::from);
        let pairs = [
            (Op::Add, x + y),
            (Op::Sub, x - y),
            (Op::Mul, x * y),
            (Op::Div, x / y),
            (Op::Sqrt, x.sqrt()),
            (Op::Fma, x.mul_add(y, z)),
        ];
        for (op, expected) in pairs {
            let got = apply(&context, op, &args);
            assert!(same(expected.into(), got), "{op:?} {x:e} {y:e} {z:e}: {got:e}, f32 {expected:e}");
        }
    }
}
