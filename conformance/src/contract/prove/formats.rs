//! Reduced formats as arguments: functions are defined for the words that hold one.

use super::circuit::{Circuit, FALSE, Signal};
use super::word::Word;

/// The word of any format, made of free bits, of which those that would make it none are cleared or set.
pub(super) fn any(circuit: &mut Circuit, mut input: impl FnMut(&mut Circuit, usize) -> Signal) -> Word {
    let free: Word = (0..BITS).map(|bit| input(circuit, bit)).collect();
    let mut word = free.clone();
    let unless = |c: &mut Circuit, s: Signal, x: Signal| c.and(s, x ^ 1);
    // Exponents of 2 to 11 bits.
    word[2] = unless(circuit, free[2], free[3]);
    let large = circuit.or(free[2], free[3]);
    word[1] = circuit.or(free[1], large ^ 1);
    // At most 52 bits of the mantissa: 110100 in binary.
    let mantissa = &free[4..10];
    let long = circuit.and(mantissa[5], mantissa[4]);
    word[7] = unless(circuit, mantissa[3], long);
    let longest = circuit.and(long, mantissa[2]);
    word[5] = unless(circuit, mantissa[1], longest);
    word[4] = unless(circuit, mantissa[0], longest);
    // Modes 0 to 5.
    word[11] = unless(circuit, free[11], free[12]);
    // Tops 0 to 2, and 0 with the exponent of a double.
    let low = circuit.and(word[0], word[1]);
    let double = circuit.and(word[3], low);
    word[18] = unless(circuit, free[18], double);
    let other = circuit.or(double, free[18]);
    word[17] = unless(circuit, free[17], other);
    word.resize(32, FALSE);
    word
}

/// Those that words of formats have.
const BITS: usize = 20;

#[cfg(test)]
mod tests {
    use super::super::circuit::LANES;
    use super::*;
    use vernier::custom::Format;

    /// Every word of these gates is that of a format, and every format is its own.
    #[test]
    fn words_are_those_of_formats() {
        let mut circuit = Circuit::new();
        let mut free = Vec::new();
        let word = any(&mut circuit, |c, _| {
            free.push(c.input([0; LANES]));
            free[free.len() - 1]
        });
        for bits in 0..1u32 << BITS {
            if bits % 7 != 0 && Format::from_word(bits).is_err() {
                continue;
            }
            let set: Vec<u32> = (0..BITS).filter(|i| bits >> i & 1 == 1).map(|i| free[i] >> 1).collect();
            let got = circuit.words_where(&set, std::slice::from_ref(&word))[0] as u32;
            assert!(Format::from_word(got).is_ok(), "{bits:x} {got:x}");
            assert!(Format::from_word(bits).is_err() || got == bits, "{bits:x} {got:x}");
        }
    }
}
