//! A double from integers alone, as a GPU without FP64 units computes it: packed numbers round after every operation, an unpacked
//! chain once, at its end.
//!
//!     cargo run -p vernier-fp --example emulated_chain

use vernier::{fp64emu, fp64emu_unpacked};

fn main() {
    let (a, three) = (2.0f64, 3.0f64);
    // Newton's steps toward the root of 2.
    let (mut packed, mut chain) = (fp64emu::from(1.0), fp64emu_unpacked::from(1.0));
    for _ in 0..6 {
        packed = (packed + fp64emu::from(a) / packed) * fp64emu::from(0.5);
        chain = (chain + fp64emu_unpacked::from(a) / chain) * fp64emu_unpacked::from(0.5);
    }
    println!("packed {:e}, chain {:e}, the processor's {:e}", f64::from(packed), f64::from(chain), a.sqrt());
    assert_eq!(f64::from(chain), a.sqrt());
    // At level high a packed number has the bits of IEEE double.
    assert_eq!(f64::from(fp64emu::from(a) / fp64emu::from(three)), a / three);
}
