//! What a format of few bits does to a computation: constants chosen by type, or at run time, and stochastic rounding.
//!
//!     cargo run -p vernier-fp --example custom_format

use vernier::custom::{Context, Format, fp8_e4m3};
use vernier::fp64_custom;

fn main() {
    // 5 exponent and 10 mantissa bits: binary16, flushed to zero below its normal numbers.
    let x = fp64_custom::<5, 10>::new(0.1) * 3.0;
    println!("0.1 x 3 in 5 + 10 bits: {x}");
    println!("400 + 50 in e4m3: {}", fp8_e4m3::new(400.0) + 50.0);

    // A sum of 4096 tenths stands still in 8 digits; rounded stochastically it does not.
    for name in ["fp64_custom<8,7>", "fp64_custom<8,7;ieee,sr>"] {
        let format: Format = name.parse().expect("a format");
        let context = Context::new(format);
        let sum = (0..4096).fold(context.number(0.0), |sum, _| sum + 0.1);
        println!("4096 x 0.1 in {name}: {sum}");
    }
}
