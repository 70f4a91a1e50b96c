//! Unpacked doubles as arguments: functions are defined for those that are numbers.

use super::circuit::{Circuit, FALSE, LANES, Signal};
use super::word::{Word, constant};
use vernier::emu::unpacked::{INFINITY, MIN_EXPONENT, NAN, ZERO};

/// Bits of the exponents in range, in two's complement.
const EXPONENT: usize = 27;
/// Bits that tell exponents of the next 64 below the range apart: sums may have some of them.
const BELOW: usize = 6;
/// The place of the leading one.
const LEADING: usize = 61;

/// What gives a property of the simulated cases, a bit of each.
type Simulated<'a> = dyn Fn(&dyn Fn(&[u64]) -> bool) -> [u64; LANES] + 'a;

/// Sign, exponent and significand of any number, whose words have the slots from `slot` on; `simulated` gives a bit of each
/// simulated case.
pub(super) fn any(circuit: &mut Circuit, slot: usize, simulated: &Simulated<'_>) -> [Word; 3] {
    let exponent = |case: &[u64]| case[slot + 1] as u32 as i32;
    let bit = |word: u64, bit: usize| word >> bit & 1 == 1;
    let is_state = |case: &[u64]| [ZERO, INFINITY, NAN].contains(&exponent(case));
    let mut input = |value: &dyn Fn(&[u64]) -> bool| circuit.input(simulated(value));
    let sign = input(&|case| bit(case[slot], 0));
    let state = input(&is_state);
    let nonzero = input(&|case| exponent(case) != ZERO);
    let nan = input(&|case| exponent(case) == NAN);
    let below = input(&|case| !is_state(case) && exponent(case) < MIN_EXPONENT);
    let mut finite: Word = (0..EXPONENT).map(|i| input(&|case| bit(case[slot + 1], i))).collect();
    let mut significand: Word = (0..LEADING).map(|i| input(&|case| bit(case[slot + 2], i))).collect();

    finite.resize(32, finite[EXPONENT - 1]);
    let mut low = constant(u64::from((MIN_EXPONENT - (1 << BELOW)) as u32), 32);
    low[..BELOW].copy_from_slice(&finite[..BELOW]);
    let finite = circuit.select(below, &low, &finite);
    significand.extend([1, FALSE, FALSE]);
    let mut of_state = |zero: u64, infinity: u64, not: u64, width: usize| {
        let [zero, infinity, not] = [zero, infinity, not].map(|bits| constant(bits, width));
        let other = circuit.select(nan, &not, &infinity);
        circuit.select(nonzero, &other, &zero)
    };
    let word = |x: i32| u64::from(x as u32);
    let exponents = of_state(word(ZERO), word(INFINITY), word(NAN), 32);
    let significands = of_state(0, 1 << LEADING, 3 << (LEADING - 1), 64);
    let signs: Word = std::iter::once(sign).chain(std::iter::repeat_n(FALSE as Signal, 31)).collect();
    [signs, circuit.select(state, &exponents, &finite), circuit.select(state, &significands, &significand)]
}
