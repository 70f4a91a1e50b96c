//! Unpacked numbers at every level: states along chains. Errors are held by `vernier accuracy`.

mod exact;
mod unpacked;

use unpacked::{Random, Triple, infinity, triple, unpack, words, zero};
use vernier::emu::unpacked::{self as emu, Level, MAX_EXPONENT, MIN_EXPONENT};
use vernier::host::Host;
use vernier::{High, Low, Mid};

fn chains<A: Level>() {
    let add = |x: Triple, y: Triple| triple(emu::add::<Host, A>(words(x), words(y)));
    let sub = |x: Triple, y: Triple| triple(emu::sub::<Host, A>(words(x), words(y)));
    let mul = |x: Triple, y: Triple| triple(emu::mul::<Host, A>(words(x), words(y)));
    let div = |x: Triple, y: Triple| triple(emu::div::<Host, A>(words(x), words(y)));
    let fma = |x: Triple, y: Triple, z: Triple| triple(emu::fma::<Host, A>(words(x), words(y), words(z)));
    let sqrt = |x: Triple| triple(emu::sqrt::<Host, A>(words(x)));
    let neg = |x: Triple| triple(emu::neg::<Host>(words(x)));
    let nan = |x: Triple| emu::is_nan::<Host>(words(x));
    let (inf, nought, two, one) = (infinity(false), zero(false), unpack(2.0), unpack(1.0));
    let least = (0, MIN_EXPONENT, 1 << 61);

    // Zeros of chains.
    let mut random = Random(24);
    for _ in 0..10_000 {
        let x = (random.below(2) as u32, random.exponent(), random.significand() & !3);
        let none = sub(x, x);
        assert_eq!(none, nought, "{x:x?}");
        let tiny = unpack(2f64.powi(-200));
        assert_eq!(add(none, tiny), tiny);
        assert_eq!(sub(none, tiny), neg(tiny));
        assert_eq!(mul(none, x), zero(x.0 == 1));
        assert_eq!(div(x, none), infinity(x.0 == 1));
        assert_eq!(div(none, x), zero(x.0 == 1));
        assert!(nan(div(none, none)) && nan(mul(none, inf)) && nan(fma(inf, none, x)));
        assert_eq!((sqrt(none), sqrt(neg(none))), (nought, zero(true)));
        assert!(nan(sqrt((1, x.1, x.2))));
        assert_eq!(fma(none, x, none), nought);
        assert_eq!(triple(emu::unpack::<Host>(emu::pack::<Host, vernier::emu::Rn>(words(none)))), nought);
        // Infinities.
        for y in [add(inf, x), mul(mul(inf, x), x), div(inf, (0, x.1, x.2)), fma(inf, (0, x.1, x.2), x), sqrt(inf)] {
            assert_eq!(y, inf, "{x:x?}");
        }
        assert_eq!(div(x, inf), zero(x.0 == 1));
    }
    // What drifted away in the published form.
    let twice = mul(inf, two);
    assert!(nan(sub(twice, twice)) && nan(div(inf, twice)) && nan(div(twice, inf)));
    let mut x = inf;
    let mut y = unpack(f64::NAN);
    for _ in 0..100_000 {
        x = mul(x, x);
        y = mul(div(add(y, x), inf), two);
    }
    assert_eq!(x, inf);
    assert!(nan(y));
    assert!(nan(sub(x, x)) && nan(add(x, neg(x))) && nan(mul(x, nought)) && nan(div(x, x)) && nan(fma(x, one, neg(x))));
    assert!(nan(mul(y, nought)) && nan(add(nought, y)) && nan(div(one, y)) && nan(sqrt(y)) && nan(fma(nought, one, y)));
    assert!(nan(fma(inf, nought, y)) && nan(fma(y, nought, one)) && nan(fma(nought, inf, one)) && nan(neg(y)));

    // Past the ends of the range.
    let mut x = unpack(1.5);
    let mut y = unpack(-0.75);
    for _ in 0..30 {
        x = mul(x, x);
        y = mul(y, (0, y.1, y.2));
    }
    assert_eq!((x, y), (inf, zero(true)));
    let largest = (0, MAX_EXPONENT, ((1 << 62) - 1) & !3);
    assert_eq!(add(largest, largest), inf);
    assert_eq!(sub(neg(largest), largest), infinity(true));
    assert_eq!(div(largest, least), inf);
    assert_eq!(div(least, largest), nought);
    assert_eq!(div(one, nought), inf);
    assert_eq!(fma(largest, two, neg(inf)), neg(inf));
    assert_eq!(fma(largest, two, neg(largest)).1, MAX_EXPONENT);
    // Sums below the range are zeros of their sign, however many digits cancel; above it they are exact.
    for place in 40..61 {
        let pair = |e: i32| ((0, e, 1 << 61), (0, e, 1 << 61 | 1 << place));
        let (x, y) = pair(MIN_EXPONENT);
        assert_eq!([sub(y, x), sub(x, y), sub(neg(x), neg(y))], [nought, zero(true), nought]);
        let (x, y) = pair(MIN_EXPONENT + 61 - place);
        assert_eq!(sub(y, x), least);
        let (x, y) = pair(MIN_EXPONENT + 60 - place);
        assert_eq!(sub(y, x), nought);
    }
    assert_eq!([add(least, least), mul(least, two)], [(0, MIN_EXPONENT + 1, 1 << 61); 2]);

    // Signs of zeros.
    let minus = zero(true);
    assert_eq!([add(nought, minus), add(minus, minus), sub(minus, nought)], [nought, minus, minus]);
    assert_eq!([mul(minus, one), div(minus, neg(one)), fma(minus, one, minus)], [minus, nought, minus]);
    assert_eq!(fma(minus, one, nought), nought);
}

#[test]
fn states_survive_chains() {
    chains::<High>();
    chains::<Mid>();
    chains::<Low>();
}
