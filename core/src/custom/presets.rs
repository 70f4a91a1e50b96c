//! Reduced formats by their usual names.

use super::host::fp64_custom;
use super::rules::{Finite, Fn, Ieee};

/// IEEE binary16.
#[allow(non_camel_case_types)]
pub type fp16 = fp64_custom<5, 10, Ieee>;
/// bfloat16.
#[allow(non_camel_case_types)]
pub type bf16 = fp64_custom<8, 7, Ieee>;
/// TensorFloat-32.
#[allow(non_camel_case_types)]
pub type tf32 = fp64_custom<8, 10, Ieee>;
/// 8 bits, largest number 448, no infinity (OCP 2023).
#[allow(non_camel_case_types)]
pub type fp8_e4m3 = fp64_custom<4, 3, (Ieee, Fn)>;
/// 8 bits with infinity (OCP 2023).
#[allow(non_camel_case_types)]
pub type fp8_e5m2 = fp64_custom<5, 2, Ieee>;
/// 6 bits, largest number 7.5 (OCP 2023).
#[allow(non_camel_case_types)]
pub type fp6_e2m3 = fp64_custom<2, 3, (Ieee, Finite)>;
/// 6 bits, largest number 28 (OCP 2023).
#[allow(non_camel_case_types)]
pub type fp6_e3m2 = fp64_custom<3, 2, (Ieee, Finite)>;
/// 4 bits, largest number 6 (OCP 2023).
#[allow(non_camel_case_types)]
pub type fp4_e2m1 = fp64_custom<2, 1, (Ieee, Finite)>;
