//! `vernier devices`: what can compute.

use super::out::Out;
use crate::error::Error;
use vernier_gpu::device::{Description, survey};

/// List the devices of this host, and say why one cannot be used.
#[derive(clap::Args, Debug)]
pub struct Args {}

/// Runs the command.
pub fn run(json: bool) -> Result<bool, Error> {
    let found = survey();
    let mut out = Out::new();
    if json {
        let text = serde_json::to_string_pretty(&found).map_err(|e| Error::write("standard output", e.into()))?;
        out.line(text)?;
    } else {
        found.devices.iter().try_for_each(|d| out.line(text(d)))?;
        found.absent.iter().try_for_each(|(api, why)| out.line(format_args!("{api}: none: {why}")))?;
    }
    out.finish()?;
    Ok(true)
}

fn text(d: &Description) -> String {
    let clock = match d.clock_khz {
        0 => String::new(),
        khz => format!(" at {} MHz", khz / 1000),
    };
    let head = format!("{} {}: {}, {}", d.api, d.index, d.name, d.architecture);
    let size = format!("{} units{clock}, {:.1} GiB", d.units, d.memory as f64 / (1u64 << 30) as f64);
    let software = [d.driver.as_str(), d.compiler.as_str()].into_iter().filter(|s| !s.is_empty());
    let software = software.collect::<Vec<_>>().join(", ");
    match &d.unusable {
        Some(why) => format!("{head}; {size}; {software}; cannot be used: {why}"),
        None => format!("{head}; {size}; {software}"),
    }
}
