//! The frames on which the contract of frame moments is held.

use crate::Twin;
use crate::frame::{Content, Frames};

const SD: (usize, usize) = (576, 324);
const HD: (usize, usize) = (1920, 1080);
const QHD: (usize, usize) = (2560, 1440);
const UHD: (usize, usize) = (3840, 2160);

/// Adds them. Small ones come first, so that faults are caught early.
pub fn add(twin: Twin<Frames>, seed: u64) -> Twin<Frames> {
    use Content::{Between, BrightThenOnes, Bytes, Checkerboard, Noise, TenthBelow};
    let mut cases = Vec::new();
    let mut add = |what: &str, content: Content, size: (usize, usize), stride: usize, bits: u32| {
        let stride_text = if stride == size.0 { String::new() } else { format!(" stride {stride}") };
        let name = format!("{what}, {bits} bits, {}x{}{stride_text}", size.0, size.1);
        let seed = seed.wrapping_mul(1000).wrapping_add(cases.len() as u64);
        cases.push((name, content, size, stride, bits, seed));
    };
    for bits in [8, 16] {
        add("one sample", Noise, (1, 1), 1, bits);
    }
    for bits in [8, 9, 10, 12, 14, 16] {
        add("noise", Noise, (37, 23), 37, bits);
        add("noise", Noise, (37, 23), 41, bits);
        add("noise", Noise, (641, 3), 656, bits);
    }
    for bits in [8, 10, 12, 16] {
        add("noise", Noise, SD, SD.0, bits);
    }
    for bits in [8, 10, 12, 16] {
        let top = ((1u32 << bits) - 1) as u16;
        add("checkerboard", Checkerboard(0, top), (577, 325), 577, bits);
        add("checkerboard", Checkerboard(top - 1, top), SD, SD.0 + 64, bits);
    }
    for bits in [8, 10, 12, 16] {
        add("noise", Noise, HD, HD.0, bits);
    }
    add("bright", Between(56000, 64000), HD, HD.0, 16);
    add("8-bit content times 257", Bytes(257), HD, HD.0, 16);
    add("8-bit content shifted left by 8", Bytes(256), HD, HD.0, 16);
    add("a tenth below 4096", TenthBelow(4096), QHD, QHD.0, 16);
    add("noise", Noise, UHD, UHD.0, 16);
    add("a tenth below 4096", TenthBelow(4096), UHD, UHD.0, 16);
    // The CPU's sum reaches 2^53, and then loses a unit at each addition: nearly all of the bound.
    add("bright, then ones", BrightThenOnes, UHD, UHD.0, 16);
    // All squares are multiples of 2^8 here: the CPU's sum stays exact far past 2^53.
    add("above 60000", Between(60000, u16::MAX), UHD, UHD.0 + 32, 16);
    cases.into_iter().fold(twin, |twin, (name, content, size, stride, bits, seed)| {
        twin.try_case(name, move || Ok(content.frames(size, stride, bits, seed)?))
    })
}
