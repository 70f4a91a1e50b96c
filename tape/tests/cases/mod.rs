//! Arguments that reach usual and rare paths.

use vernier::function::Op;
use vernier_tape::io::Kind;
use vernier_tape::registry::{Function, find};
use vernier_tape::tape::Ty;

fn mix(x: u64) -> u64 {
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// Limbs of all kinds: random bits, special values, moderate exponents, small second limbs.
fn limb(ty: Ty, i: u64, k: u64) -> u64 {
    let r = mix(i.wrapping_mul(8).wrapping_add(k).wrapping_add(0x9e37_79b9_7f4a_7c15));
    let (width, p, bias) = if ty == Ty::F32 { (32, 24, 127) } else { (64, 53, 1023) };
    let random = r & ty.bits_mask();
    let kind = mix(i) % 8;
    let fraction = random & ((1 << (p - 1)) - 1);
    let sign = random >> (width - 1) << (width - 1);
    let with_exponent = |e: i64| sign | (((bias + e) as u64) << (p - 1)) | fraction;
    match kind {
        0 => random,
        1 => {
            let special = [0u64, 1, 1 << (p - 1), (bias as u64) << (p - 1), (2 * bias as u64 + 1) << (p - 1)];
            special[(r >> 33) as usize % special.len()] | sign
        }
        2 => with_exponent((r >> 40) as i64 % 8 - (k as i64 % 2) * p - bias + p + 4),
        3 => with_exponent(bias - 1 - (r >> 40) as i64 % 3 - (k as i64 % 2) * p),
        _ => with_exponent((r >> 40) as i64 % 4 - (k as i64 % 2) * p),
    }
}

/// `n` cases of a function, a column per slot of its arguments.
pub fn cases(f: &Function, n: u64) -> Vec<Vec<u64>> {
    let mut columns: Vec<Vec<u64>> =
        f.tape.args.iter().enumerate().map(|(k, &ty)| (0..n).map(|i| limb(ty, i, k as u64)).collect()).collect();
    // Unpacked doubles are what a double's bits and digits below it give, or any words made canonical.
    let function = |op| find("fp64emu_unpacked", op, "high").unwrap();
    let (unpack, canonical) = (function("from_fp64emu"), function("canonical"));
    let mut at = 0;
    for kind in &f.params {
        if *kind == Kind::Unpacked && f.id.op() != Op::Canonical {
            for (i, mut row) in rows(&columns[at..at + 3]).into_iter().enumerate() {
                if i % 16 != 0 {
                    let bits = unpack.host(&[limb(Ty::F64, i as u64, at as u64 / 3)]);
                    row = vec![bits[0], bits[1], bits[2] | row[2] & 0x1ff];
                }
                let words = canonical.host(&row);
                (0..3).for_each(|k| columns[at + k][i] = words[k]);
            }
        }
        at += kind.slots().len();
    }
    columns
}

fn rows(columns: &[Vec<u64>]) -> Vec<Vec<u64>> {
    (0..columns[0].len()).map(|i| columns.iter().map(|c| c[i]).collect()).collect()
}
