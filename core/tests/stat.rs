//! Instrumented pairs: the wrapped pair's bits, and every rule of the record.

use proptest::prelude::*;
use vernier::host::Host;
use vernier::stat::{self, Kind, Record, Slot, record};
use vernier::{
    DoubleWord, High, HostLimb, Level, Low, Mid, RoundFrom, Stat, TruncateFrom, fp32mp2, fp32mp2_stat, fp64mp2,
    fp64mp2_stat, fp64mp2_stat_high, fp64mp2_stat_low,
};

type S64 = fp64mp2_stat;

fn s64(hi: f64, lo: f64) -> S64 {
    Stat::from_parts(hi, lo)
}

/// The record of one operation.
fn of<T>(f: impl FnOnce() -> T) -> Record {
    record(f).1
}

/// What the left operand of a sum adds to its slot.
fn slot(hi: f64, lo: f64) -> Slot {
    of(|| s64(hi, lo) + s64(1.0, 0.0)).arg[0]
}

#[test]
fn published_example() {
    let (value, double) = record(|| vernier::stat::example::kahan::<f64, Mid>(64));
    assert!((value.to_f64() - (2.0 / 3.0 + 0.5f64.exp())).abs() < 1e-15);
    let (value, float) = record(|| vernier::stat::example::kahan::<f32, Mid>(64));
    assert!((value.to_f64() - (2.0 / 3.0 + 0.5f64.exp())).abs() < 1e-13);
    // zero_lo, then the largest gap.
    let expected = [
        (double, 11, [(234, 11), (183, 10), (181, 11)], -1.1102230246251565e-16),
        (float, 40, [(176, 40), (153, 39), (152, 40)], -5.960464477539063e-8),
    ];
    for (record, partial, slots, sample_lo) in expected {
        let slot = |zero_count, (zero_lo_count, max_hi_lo_gap)| Slot {
            max_exp: 1,
            min_exp: -63,
            zero_count,
            zero_lo_count,
            max_hi_lo_gap,
            min_hi_lo_gap: 1,
            min_hi_lo_gap_sample_hi: 2.0,
            min_hi_lo_gap_sample_lo: sample_lo,
            ..Slot::EMPTY
        };
        let whole = Record {
            ops_count: 259,
            add_count: 65,
            sub_count: 193,
            div_count: 1,
            full_cancel_count: 64,
            partial_cancel_count: partial,
            arg: [slot(1, slots[0]), slot(66, slots[1]), Slot::EMPTY],
            result: slot(64, slots[2]),
            ..Record::EMPTY
        };
        assert_eq!(record, whole);
    }
}

fn tiny(e: i32) -> f64 {
    vernier::machine::exp2(e)
}

// B4: a value.

#[test]
fn zeros_and_zero_lo() {
    for (hi, lo) in [(0.0, 0.0), (-0.0, 0.0), (0.0, -0.0)] {
        assert_eq!(slot(hi, lo), Slot { zero_count: 1, ..Slot::EMPTY });
    }
    let one = Slot { zero_lo_count: 1, max_exp: 0, min_exp: 0, ..Slot::EMPTY };
    assert_eq!(slot(1.0, 0.0), one);
    assert_eq!(slot(-1.5, -0.0), one);
    // hi = 0 and lo not: neither, and the exponent is that of lo.
    let lo_alone = Slot { invert_count: 1, max_exp: 3, min_exp: 3, ..Slot::EMPTY };
    assert_eq!(slot(0.0, 8.0), lo_alone);
}

#[test]
fn values_that_are_not_finite() {
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    assert_eq!(slot(inf, 0.0), Slot { inf_count: 1, ..Slot::EMPTY });
    assert_eq!(slot(1.0, -inf), Slot { inf_count: 1, ..Slot::EMPTY });
    assert_eq!(slot(inf, inf), Slot { inf_count: 1, ..Slot::EMPTY });
    assert_eq!(slot(inf, -inf), Slot { inf_count: 1, infnan_count: 1, ..Slot::EMPTY });
    assert_eq!(slot(nan, 1.0), Slot { nan_count: 1, ..Slot::EMPTY });
    assert_eq!(slot(nan, inf), Slot { nan_count: 1, inf_count: 1, ..Slot::EMPTY });
    assert_eq!(slot(0.0, -nan), Slot { nan_count: 1, ..Slot::EMPTY });
    assert_eq!(slot(inf, tiny(-1074)), Slot { inf_count: 1, denorm_count: 1, ..Slot::EMPTY });
}

#[test]
fn subnormal_limbs() {
    let s = slot(tiny(-1022), tiny(-1074) * 3.0);
    assert_eq!((s.denorm_count, s.max_exp, s.min_hi_lo_gap), (1, -1022, -1022 + 1073 - 53));
    assert_eq!((s.overlap_count, s.invert_count), (1, 0));
    let s = slot(tiny(-1070), tiny(-1074));
    assert_eq!((s.denorm_count, s.max_exp, s.min_exp, s.max_hi_lo_gap), (1, -1070, -1070, 4 - 53));
    let s = slot(1.0, -tiny(-1074));
    assert_eq!((s.denorm_count, s.max_exp, s.min_hi_lo_gap), (1, 0, 1074 - 53));
    let s = slot(tiny(-1074), tiny(-1023));
    assert_eq!((s.denorm_count, s.max_exp, s.invert_count, s.min_hi_lo_gap), (1, -1023, 1, -51 - 53));
    let x = fp32mp2_stat::from_parts(f32::MIN_POSITIVE, f32::from_bits(5));
    let s = of(|| x + fp32mp2::from(1)).arg[0];
    assert_eq!((s.denorm_count, s.max_exp, s.min_hi_lo_gap, s.overlap_count), (1, -126, -126 + 147 - 24, 1));
    assert_eq!((s.min_hi_lo_gap_sample_hi, s.min_hi_lo_gap_sample_lo), (tiny(-126), 5.0 * tiny(-149)));
}

#[test]
fn gaps() {
    // Half an ulp, just below it, one ulp.
    for (lo, gap, overlap) in [(-53, 0, 0), (-54, 1, 0), (-52, -1, 1), (-60, 7, 0), (0, -53, 1), (-1022, 969, 0)] {
        let s = slot(1.0, -tiny(lo));
        assert_eq!((s.gaps(), s.overlap_count, s.invert_count), (Some((gap, gap)), overlap, 0), "2^{lo}");
        assert_eq!((s.min_hi_lo_gap_sample_hi, s.min_hi_lo_gap_sample_lo), (1.0, -tiny(lo)));
    }
    // A magnitude, not an exponent, inverts.
    let s = slot(1.0, -1.5);
    assert_eq!((s.invert_count, s.overlap_count, s.exponents(), s.gaps()), (1, 1, Some((0, 0)), Some((-53, -53))));
    assert_eq!((slot(1.5, -1.5).invert_count, slot(-1.5, 1.0).invert_count), (0, 0));
    let s = slot(1.0, 6.0);
    assert_eq!((s.invert_count, s.exponents(), s.gaps()), (1, Some((2, 2)), Some((-55, -55))));
}

#[test]
fn extremes_and_the_sample_of_the_smallest_gap() {
    let record = of(|| {
        for (hi, lo) in [(1.0, tiny(-60)), (-12.0, tiny(-52)), (0.25, tiny(-55)), (3.0, 0.0), (f64::NAN, 1e300)] {
            let _ = s64(hi, lo) * fp64mp2::from(1);
        }
    });
    let s = record.arg[0];
    assert_eq!((s.exponents(), s.gaps()), (Some((-2, 3)), Some((0, 7))));
    assert_eq!((s.min_hi_lo_gap_sample_hi, s.min_hi_lo_gap_sample_lo), (0.25, tiny(-55)));
    assert_eq!((record.arg[1].exponents(), record.arg[1].gaps()), (Some((0, 0)), None));
    assert_eq!(record.arg[2], Slot::EMPTY);
    assert_eq!((record.mul_count, record.arg[0].nan_count, record.result.nan_count), (5, 1, 1));
}

// B5: an operation.

/// full, partial, underflow, overflow.
fn events(record: Record) -> [u64; 4] {
    [record.full_cancel_count, record.partial_cancel_count, record.underflow_count, record.overflow_count]
}

#[test]
fn kinds() {
    let record = of(|| {
        let x = s64(3.0, 0.0);
        (x + x, x - x, x - x, x * x, x * x, x * x, x / x)
    });
    let counts = (record.ops_count, record.add_count, record.sub_count, record.mul_count, record.div_count);
    assert_eq!(counts, (7, 1, 2, 3, 1));
    // Left, right, result.
    let record = of(|| s64(8.0, 0.0) / s64(0.5, 0.0));
    let exponents = [record.arg[0], record.arg[1], record.result].map(|s| s.exponents());
    assert_eq!(exponents, [Some((3, 3)), Some((-1, -1)), Some((4, 4))]);
}

#[test]
fn cancellation() {
    let x = s64(1.0, 0.0);
    assert_eq!(events(of(|| x - x)), [1, 0, 0, 0]);
    assert_eq!(events(of(|| x + -x)), [1, 0, 0, 0]);
    // Zero operands take no part.
    assert_eq!(events(of(|| s64(0.0, 0.0) - s64(0.0, 0.0))), [0; 4]);
    assert_eq!(events(of(|| x - s64(0.0, 0.0))), [0; 4]);
    // More than half of the digits, strictly: 52 and 23.
    for (lost, partial) in [(52, 0), (53, 1), (51, 0)] {
        assert_eq!(events(of(|| s64(1.0, tiny(-lost)) - x)), [0, partial, 0, 0], "{lost}");
        assert_eq!(events(of(|| x - s64(1.0, tiny(-lost)))), [0, partial, 0, 0], "{lost}");
    }
    let one = fp32mp2_stat::from(1.0);
    for (lost, partial) in [(22, 0), (23, 0), (24, 1), (40, 1)] {
        let y = fp32mp2_stat::from_parts(-1.0, tiny(-lost) as f32);
        assert_eq!(events(of(|| y + one)), [0, partial, 0, 0], "{lost}");
    }
    // The larger operand counts; products do not cancel.
    assert_eq!(events(of(|| s64(tiny(-60), 0.0) * s64(tiny(-60), 0.0))), [0; 4]);
    assert_eq!(events(of(|| x / s64(tiny(100), 0.0))), [0; 4]);
}

#[test]
fn underflow_and_overflow() {
    let (small, large) = (s64(tiny(-1000), 0.0), s64(tiny(1000), 0.0));
    assert_eq!(events(of(|| small * small)), [0, 0, 1, 0]);
    assert_eq!(events(of(|| small / large)), [0, 0, 1, 0]);
    assert_eq!(events(of(|| large * large)), [0, 0, 0, 1]);
    assert_eq!(events(of(|| large / small)), [0, 0, 0, 1]);
    let max = s64(f64::MAX, 0.0);
    // At mid the sum's lo is NaN, which counts as overflow too; at high it is an infinity.
    let mid = of(|| max + max);
    assert_eq!((events(mid), mid.result.nan_count), ([0, 0, 0, 1], 1));
    let max = fp64mp2_stat_high::from(f64::MAX);
    let high = of(|| max + max);
    assert_eq!((events(high), high.result.nan_count, high.result.inf_count), ([0, 0, 0, 1], 0, 1));
    // Operands that are zero or not finite explain themselves.
    assert_eq!(events(of(|| s64(1.0, 0.0) / s64(0.0, 0.0))), [0; 4]);
    assert_eq!(events(of(|| s64(f64::INFINITY, 0.0) - s64(1.0, 0.0))), [0; 4]);
    assert_eq!(events(of(|| s64(0.0, 0.0) * s64(5.0, 0.0))), [0; 4]);
}

// B6: what is counted.

#[test]
fn operands() {
    let (s, p) = (s64(3.0, 0.0), fp64mp2::from(2));
    let ordered = |record: Record| (record.ops_count, record.arg[0].exponents(), record.arg[1].exponents());
    let (low, high) = (Some((0, 0)), Some((1, 1)));
    let s_first = s64(1.0, 0.0);
    assert_eq!(ordered(of(|| s_first / p)), (1, low, high));
    assert_eq!(ordered(of(|| p / s_first)), (1, high, low));
    assert_eq!(ordered(of(|| s_first - 2.0)), (1, low, high));
    assert_eq!(ordered(of(|| 2.0 - s_first)), (1, high, low));
    assert_eq!(ordered(of(|| 2.0f32 * fp32mp2_stat::from(1.0))), (1, high, low));
    // Contagion: the type says it; assigning to a plain pair stops it.
    let sum: S64 = p + s;
    let plain: fp64mp2 = (sum * p).into();
    assert_eq!(plain.to_f64(), 10.0);
    let record = of(|| {
        let mut x = p;
        x += s;
        let _: fp64mp2 = x;
        x * x
    });
    assert_eq!((record.ops_count, record.add_count), (1, 1));
    // Nothing of this is counted.
    let record = of(|| {
        let mut x = s;
        *x.pair_mut() += 1.0;
        let _ = (-x, x < s, x == s, x == p, x.renormalize(), x.canonical(), x.abs(), x.sqrt(), x.rsqrt(), x.fma(s, s));
        let _ = (x.mad(s, s), x.to_level::<High>(), x.to_f64(), fp32mp2_stat::round_from(x), x.pair() + p);
        i32::truncate_from(x)
    });
    assert_eq!(record, Record::EMPTY);
}

#[test]
fn compound_forms() {
    let two = Some((1, 1));
    macro_rules! check {
        ($($op:tt $count:ident $y:expr;)*) => {$(
            let record = of(|| {
                let mut x = s64(3.0, 0.0);
                x $op $y;
                x
            });
            assert_eq!((record.ops_count, record.$count), (1, 1));
            assert_eq!((record.arg[0].exponents(), record.arg[1].exponents()), (two, Some((2, 2))));
        )*};
    }
    check! {
        += add_count s64(4.0, 0.0); -= sub_count s64(4.0, 0.0); *= mul_count s64(4.0, 0.0); /= div_count s64(4.0, 0.0);
        += add_count fp64mp2::from(4); -= sub_count fp64mp2::from(4); *= mul_count fp64mp2::from(4);
        /= div_count fp64mp2::from(4);
        += add_count 4.0; -= sub_count 4.0; *= mul_count 4.0; /= div_count 4.0;
    }
    // Accumulation: of a limb, by the accumulating sequence, with (c, 0) as operand.
    let x = fp64mp2_stat_low::from_parts(1.0, tiny(-54));
    let (y, record) = record(|| {
        let mut y = x;
        y -= tiny(-53);
        y
    });
    let mut plain = x.pair();
    plain -= tiny(-53);
    assert_eq!(bits(y.pair()), bits(plain));
    assert_eq!((record.sub_count, record.arg[1].exponents(), record.arg[1].zero_lo_count), (1, Some((-53, -53)), 1));
    let record = of(|| {
        let mut x = s64(1.0, 0.0);
        x.increment();
        x.increment();
        x.decrement();
        assert_eq!(x.to_f64(), 2.0);
    });
    assert_eq!((record.add_count, record.sub_count, record.ops_count), (2, 1, 3));
}

#[test]
fn sums_and_products() {
    let terms = [1.0, 2.0, 3.0, 4.0].map(S64::from);
    let (values, record) = record(|| (terms.iter().sum::<S64>(), terms.into_iter().product::<S64>()));
    assert_eq!((values.0.to_f64(), values.1.to_f64()), (10.0, 24.0));
    assert_eq!((record.add_count, record.mul_count, record.ops_count), (3, 3, 6));
}

// B1, B7: the type.

#[test]
fn layout_text_and_conversions() {
    assert_eq!((size_of::<fp32mp2_stat>(), align_of::<fp32mp2_stat>()), (8, 8));
    assert_eq!((size_of::<fp64mp2_stat>(), align_of::<fp64mp2_stat>()), (16, 16));
    let third: S64 = "0.333333333333333333333333333333333".parse().unwrap();
    let plain: fp64mp2 = "0.333333333333333333333333333333333".parse().unwrap();
    assert_eq!(bits(third.pair()), bits(plain));
    assert_eq!((third.to_string(), format!("{third:.3e}")), (plain.to_string(), format!("{plain:.3e}")));
    assert_eq!(format!("{:?}", S64::from(1)), "Stat(fp64mp2.mid(1.0, 0.0))");
    let narrow = fp32mp2_stat::round_from(third);
    assert_eq!(bits(narrow.pair()), bits(fp32mp2::round_from(plain)));
    assert_eq!(bits(S64::from(narrow).pair()), bits(fp64mp2::from(narrow.pair())));
    assert_eq!(u8::truncate_from(S64::from(300)), 255);
    assert_eq!(i128::truncate_from(S64::round_from(1u128 << 100)), 1 << 100);
    assert_eq!(S64::default(), S64::from(false));
    assert!(
        S64::from(1) < S64::from(2)
            && S64::from(1) < fp64mp2::from(2)
            && fp64mp2::from(1) == S64::from(1)
            && third.to_bool()
    );
}

fn bits<F: HostLimb, A: Level>(x: DoubleWord<F, A>) -> (u64, u64) {
    (x.hi().to_bits_u64(), x.lo().to_bits_u64())
}

/// Bits, all NaN being one.
fn one_nan<F: HostLimb, A: Level>(x: DoubleWord<F, A>) -> [Option<u64>; 2] {
    [x.hi(), x.lo()].map(|l| (!l.to_f64().is_nan()).then(|| l.to_bits_u64()))
}

fn same_bits<F: HostLimb, A: Level>(x: (F, F), y: (F, F)) {
    let (x, y) = (DoubleWord::<F, A>::from_parts(x.0, x.1), DoubleWord::<F, A>::from_parts(y.0, y.1));
    let (s, t) = (Stat::from(x), Stat::from(y));
    macro_rules! check {
        ($($stat:expr, $plain:expr;)*) => {$(assert_eq!(one_nan($stat.pair()), one_nan($plain), stringify!($plain));)*};
    }
    check! {
        s + t, x + y; s - t, x - y; s * t, x * y; s / t, x / y;
        s + y, x + y; x - t, x - y; s * y.hi(), x * y.hi(); s / y.hi(), x / y.hi();
        s.fma(t, t), x.fma(y, y); s.mad(t, t), x.mad(y, y); s.sqrt(), x.sqrt(); s.rsqrt(), x.rsqrt(); -s, -x;
    }
    macro_rules! compound {
        ($($op:tt)*) => {$(
            let (mut a, mut b) = (s, x);
            a $op t.hi();
            b $op y.hi();
            assert_eq!(one_nan(a.pair()), one_nan(b), stringify!($op));
        )*};
    }
    compound!(+= -= *= /=);
}

/// A record of operations, and what counting in another order or grouping makes of it.
fn merged(ops: &[(Kind, [f64; 6])], cut: usize, reverse: bool) -> (Record, Record) {
    let mut whole = Record::EMPTY;
    let mut parts: Vec<Record> = ops.chunks(cut.max(1)).map(|_| Record::EMPTY).collect();
    for (i, (kind, v)) in ops.iter().enumerate() {
        let (x, y, r) = ((v[0], v[1]), (v[2], v[3]), (v[4], v[5]));
        whole.count(*kind, x, y, r);
        parts[i / cut.max(1)].count(*kind, x, y, r);
    }
    if reverse {
        parts.reverse();
    }
    let mut sum = Record::EMPTY;
    parts.iter().for_each(|part| sum.merge(part));
    (whole, sum)
}

/// Bit patterns with few exponents, so that gaps and samples meet.
fn limb() -> impl Strategy<Value = f64> {
    let near = (1000u64..1050, 0u64..4, any::<bool>())
        .prop_map(|(e, f, s)| f64::from_bits(u64::from(s) << 63 | e << 52 | f << 50));
    prop_oneof![4 => near, 1 => any::<u64>().prop_map(f64::from_bits), 1 => Just(0.0), 1 => Just(f64::INFINITY)]
}

#[test]
fn samples_are_exact() {
    let floats = (0..1 << 16).map(|i: u32| f32::from_bits(i << 16 | i.wrapping_mul(40503) & 0xffff));
    let edges = [0, 1, 2, 3, 0x7f_ffff, 0x80_0000, 0x40_0000, 0x7f7f_ffff].map(f32::from_bits);
    for x in floats.chain(edges).filter(|x| x.is_finite()) {
        for x in [x, -x] {
            assert_eq!(stat::sample(x).0, f64::from(x).to_bits(), "{x:e}");
        }
    }
    assert_eq!(stat::sample(-1.5f64).0, (-1.5f64).to_bits());
}

proptest! {
    #[test]
    fn results_are_the_plain_ones(x in any::<[u64; 2]>(), y in any::<[u64; 2]>(), near in any::<bool>()) {
        let f = |bits: u64| f64::from_bits(if near { bits >> 12 | 0x3ff << 52 } else { bits });
        let (x64, y64) = ((f(x[0]), f(x[1]) * tiny(-53)), (f(y[0]), -f(y[1]) * tiny(-53)));
        same_bits::<f64, Low>(x64, y64);
        same_bits::<f64, Mid>(x64, y64);
        same_bits::<f64, High>(x64, y64);
        let (x32, y32) = ((x64.0 as f32, (x64.1 * tiny(29)) as f32), (y64.0 as f32, (y64.1 * tiny(29)) as f32));
        same_bits::<f32, Low>(x32, y32);
        same_bits::<f32, Mid>(x32, y32);
        same_bits::<f32, High>(x32, y32);
    }

    #[test]
    fn merging_is_associative_and_commutative(
        ops in prop::collection::vec(([limb(), limb(), limb(), limb(), limb(), limb()], 0..4), 0..40),
        cut in 1usize..20,
        reverse in any::<bool>(),
    ) {
        let kind = |k| [Kind::Add, Kind::Sub, Kind::Mul, Kind::Div][k];
        let ops: Vec<_> = ops.into_iter().map(|(v, k)| (kind(k as usize), v)).collect();
        let (whole, sum) = merged(&ops, cut, reverse);
        prop_assert_eq!(whole, sum);
    }

    #[test]
    fn classes_pack(hi in any::<u64>(), lo in any::<u64>(), near in limb()) {
        for x in [(f64::from_bits(hi), f64::from_bits(lo)), (near, f64::from_bits(lo)), (f64::from_bits(hi), near)] {
            let class = stat::classify(x);
            let again: stat::Class<Host> = stat::Class::unpack(class.pack());
            prop_assert_eq!((again.flags, again.fraction), (class.flags, class.fraction));
            prop_assert_eq!((again.exponent, again.gap), (class.exponent, class.gap));
        }
    }
}
