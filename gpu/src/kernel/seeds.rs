//! Whether the fast reciprocals and roots of a CUDA device are correctly rounded.

use crate::device::{Device, Error, Source};
use crate::print::{Cuda, Dialect};
use serde::{Deserialize, Serialize};
use vernier::machine::{Limb, exp2};

/// Operands for which a fast sequence and the correctly rounded intrinsic differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seeds {
    /// Operands tried.
    pub operands: u64,
    /// Reciprocals of any operand.
    pub rcp: u32,
    /// Reciprocals of moderate operands.
    pub rcp_moderate: u32,
    /// Roots of moderate operands.
    pub sqrt: u32,
    /// Reciprocals of those roots.
    pub sqrt_rcp: u32,
}

impl Seeds {
    /// Whether none differs.
    pub fn hold(&self) -> bool {
        [self.rcp, self.rcp_moderate, self.sqrt, self.sqrt_rcp] == [0; 4]
    }
}

/// Tries all 2^32 floats, and `doubles` random doubles, half of them with exponents near 0.
///
/// # Errors
/// If the device fails or is no CUDA device.
pub fn seeds(device: &Device, doubles: u64) -> Result<[Seeds; 2], Error> {
    let text = Cuda { fast_seeds: true }.prelude() + include_str!("cuda.txt") + include_str!("seeds.cu");
    let program = device.compile(&Source::new("seeds.cu", text))?;
    let run = |name: &str, operands: u64, low, high| -> Result<Seeds, Error> {
        let wrong = device.zeros::<u32>(4)?;
        let args = [0u64.into(), operands.into(), low, high, wrong.arg()];
        device.launch(&program.kernel(name)?, 1 << 14, device.group_size(), &args)?;
        let counts = device.download(&wrong)?;
        Ok(Seeds { operands, rcp: counts[0], rcp_moderate: counts[1], sqrt: counts[2], sqrt_rcp: counts[3] })
    };
    let (low, high) = f32::DIV_RANGE;
    let single = run("seeds32", 1 << 32, (exp2(low) as f32).into(), (exp2(high) as f32).into())?;
    let (low, high) = f64::DIV_RANGE;
    Ok([single, run("seeds64", doubles, exp2(low).into(), exp2(high).into())?])
}
