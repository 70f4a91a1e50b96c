//! The results of every recorded function, held by hashes in `fixtures/hashes.tsv`. The cases come from a small
//! generator of this file's own, which does not change.
//!
//! A change of results on purpose renews its lines: `VERNIER_RENEW=1 cargo test -p vernier-tape --test hashes`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::num::Wrapping;
use std::path::Path;
use vernier::custom::Format;
use vernier::emu::unpacked;
use vernier::host::Host;
use vernier_tape::io::Kind;
use vernier_tape::mutants::one_nan;
use vernier_tape::registry::{Function, functions, stat};
use vernier_tape::tape::Ty;

const CASES: u64 = 1 << 13;

/// SplitMix64 (Steele, Lea and Flood 2014).
struct Words(u64);

impl Words {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    /// Uniform bits; every other case of limbs has exponents near 0, so that operands meet.
    fn limb(&mut self, near: bool, fraction: u32, bias: u64) -> u64 {
        let (bits, exponent) = (self.next(), self.next() % 32);
        let exponents = 2 * bias + 1;
        let bits = bits & (exponents << (fraction + 1) | ((1 << (fraction + 1)) - 1));
        if near { bits & !(exponents << fraction) | (bias - 16 + exponent) << fraction } else { bits }
    }

    fn argument(&mut self, kind: Kind, near: bool, into: &mut Vec<u64>) {
        let word = self.next();
        match kind {
            Kind::Bool => into.push(word & 1),
            Kind::I8 => into.push(u64::from(word as i8 as i32 as u32)),
            Kind::U8 => into.push(u64::from(word as u8)),
            Kind::I16 => into.push(u64::from(word as i16 as i32 as u32)),
            Kind::U16 => into.push(u64::from(word as u16)),
            // A shift makes all sizes as likely.
            Kind::I32 | Kind::U32 => into.push(u64::from(word as u32 >> (self.next() % 32))),
            Kind::I64 => into.push(((word as i64) >> (self.next() % 64)) as u64),
            Kind::U64 => into.push(word >> (self.next() % 64)),
            Kind::I128 | Kind::U128 => into.extend([word >> (self.next() % 64), self.next()]),
            Kind::F128 => into.extend([if near { word & !(0x7fff << 48) | (16383 << 48) } else { word }, self.next()]),
            Kind::F32 => into.push(self.limb(near, 23, 127)),
            Kind::F64 | Kind::Packed => into.push(self.limb(near, 52, 1023)),
            Kind::Pair32 => (0..2).for_each(|_| into.push(self.limb(near, 23, 127))),
            Kind::Pair64 | Kind::Packed2 => (0..2).for_each(|_| into.push(self.limb(near, 52, 1023))),
            Kind::Unpacked => self.unpacked(near, into),
            Kind::Unpacked2 => (0..2).for_each(|_| self.unpacked(near, into)),
            Kind::Format => into.push(self.format()),
            Kind::Pair32I32 | Kind::Pair64I32 | Kind::Pair32Pair | Kind::Pair64Pair => unreachable!("results only"),
        }
    }

    fn unpacked(&mut self, near: bool, into: &mut Vec<u64>) {
        let (word, digits) = (self.next(), self.next());
        let exponent = 1023 + (word as i32 >> if near { 27 } else { 4 + word % 24 });
        let triple = (Wrapping((word >> 63) as u32), Wrapping(exponent as u32), Wrapping(digits >> 2 | 1 << 61));
        let (sign, exponent, significand) = unpacked::canonical::<Host>(triple);
        into.extend([sign.0.into(), exponent.0.into(), significand.0]);
    }

    fn format(&mut self) -> u64 {
        loop {
            let word = self.next() & 0x7_ffff;
            if Format::from_word(word as u32).is_ok() {
                return word;
            }
        }
    }
}

/// The sum of the hashes of cases, each of arguments and results.
fn hash(f: &Function) -> u64 {
    let mut columns = vec![Vec::new(); f.tape.args.len()];
    for i in 0..CASES {
        let (mut words, mut args) = (Words(i << 32), Vec::new());
        f.params.iter().for_each(|&kind| words.argument(kind, i % 2 == 1, &mut args));
        assert_eq!(args.len(), columns.len(), "{}", f.name());
        columns.iter_mut().zip(args).for_each(|(column, bits)| column.push(bits));
    }
    let results = f.evaluate(&columns);
    let types = f.tape.results().collect::<Vec<Ty>>();
    let of_case = |i: usize| {
        let results = types.iter().zip(&results).map(|(&ty, column)| one_nan(ty, column[i]));
        let words = columns.iter().map(|column| column[i]).chain(results);
        words.fold(0xcbf2_9ce4_8422_2325, |h, w| Words(h ^ w).next())
    };
    (0..CASES as usize).map(of_case).fold(0, u64::wrapping_add)
}

#[test]
fn results_are_those_of_the_fixture() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/hashes.tsv");
    let lines: BTreeMap<String, u64> =
        functions().iter().chain(stat::functions()).map(|f| (f.name(), hash(f))).collect();
    let mut text = String::from("function\thash\n");
    lines.iter().for_each(|(name, hash)| writeln!(text, "{name}\t{hash:016x}").unwrap());
    if std::env::var_os("VERNIER_RENEW").is_some() {
        return std::fs::write(&file, text).unwrap();
    }
    let kept = std::fs::read_to_string(&file).unwrap();
    let kept: BTreeMap<&str, &str> = kept.lines().skip(1).filter_map(|line| line.split_once('\t')).collect();
    let changed: Vec<&String> = lines
        .iter()
        .filter(|(name, h)| kept.get(name.as_str()) != Some(&format!("{h:016x}").as_str()))
        .map(|(n, _)| n)
        .collect();
    assert!(changed.is_empty(), "other results than in fixtures/hashes.tsv, or no line there: {changed:?}");
    let gone: Vec<&&str> = kept.keys().filter(|name| !lines.contains_key(**name)).collect();
    assert!(gone.is_empty(), "lines of functions that are not there: {gone:?}");
}
