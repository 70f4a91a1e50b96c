//! `vernier devices`: what can compute.

use super::out::Out;
use crate::error::Error;
use crate::speed::fp64_rate;
use serde::Serialize;
use vernier_gpu::device::{Api, Description, Device, Unusable, survey};

/// List the devices of this host with the rate of their double to their float additions, and say why one cannot be used.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Measure no rates, which takes about a second for each device.
    #[arg(long)]
    no_rate: bool,
}

/// A device with what was measured.
#[derive(Serialize)]
struct Listed<'a> {
    #[serde(flatten)]
    device: &'a Description,
    /// Double additions a second over float additions.
    fp64_over_fp32: Option<f64>,
    /// Why it was not measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_measured: Option<String>,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Document<'a> {
    devices: Vec<Listed<'a>>,
    absent: &'a [(Api, Unusable)],
}

fn listed(device: &Description, measure: bool) -> Listed<'_> {
    let rate = match measure && device.unusable.is_none() {
        true => Some(Device::open(device.api, device.index).and_then(|d| fp64_rate(&d))),
        false => None,
    };
    let (fp64_over_fp32, not_measured) = match rate {
        Some(Ok(rate)) => (Some(rate), None),
        Some(Err(why)) => (None, Some(why.to_string())),
        None => (None, None),
    };
    Listed { device, fp64_over_fp32, not_measured }
}

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<bool, Error> {
    let found = survey();
    let devices: Vec<Listed<'_>> = found.devices.iter().map(|d| listed(d, !args.no_rate)).collect();
    let mut out = Out::new();
    if json {
        out.line(crate::text::json(&Document { devices, absent: &found.absent }).trim_end())?;
    } else {
        devices.iter().try_for_each(|d| out.line(text(d)))?;
        found.absent.iter().try_for_each(|(api, why)| out.line(format_args!("{api}: none: {why}")))?;
    }
    out.finish()?;
    Ok(true)
}

fn text(Listed { device: d, fp64_over_fp32, not_measured }: &Listed<'_>) -> String {
    let clock = match d.clock_khz {
        0 => String::new(),
        khz => format!(" at {} MHz", khz / 1000),
    };
    let head = format!("{} {}: {}, {}", d.api, d.index, d.name, d.architecture);
    let rate = match (fp64_over_fp32, not_measured) {
        (Some(rate), _) => format!(", FP64:FP32 1:{:.3}", 1.0 / rate),
        (None, Some(why)) => format!(", FP64:FP32 not measured: {why}"),
        (None, None) => String::new(),
    };
    let size = format!("{} units{clock}, {:.1} GiB{rate}", d.units, d.memory as f64 / (1u64 << 30) as f64);
    let software = [d.driver.as_str(), d.compiler.as_str()].into_iter().filter(|s| !s.is_empty());
    let software = software.collect::<Vec<_>>().join(", ");
    match &d.unusable {
        Some(why) => format!("{head}; {size}; {software}; cannot be used: {why}"),
        None => format!("{head}; {size}; {software}"),
    }
}
