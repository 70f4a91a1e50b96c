//! Runs the contracts that were asked for, on the host and on every device.

use super::report::{Outcome, Report};
use super::request::{Listener, Request, bar};
use super::{CONTRACTS, Claim, Contract, Domain, Side, device, every_hi, instrumented, processor, search, tape};
use crate::error::Error;
use crate::subject::all;
use crate::table::Row;
use vernier_gpu::device::{Api, Device, Error as DeviceError, Unusable, survey};

/// Runs the contracts that were asked for. What a lost device had done is kept, and [`Report::incomplete`] says so.
///
/// # Errors
/// If nothing fits, the device asked for cannot be used, or a program does not compile.
pub fn run(request: &Request) -> Result<Report, Error> {
    run_with(request, &|_| {})
}

/// The same, telling of each outcome.
///
/// # Errors
/// As [`run`].
pub fn run_with(request: &Request, listener: Listener<'_>) -> Result<Report, Error> {
    let mut report = request.report();
    let any = |name: &str| request.names(name);
    let known = all().any(|f| any(&f.name()))
        || Row::all().iter().any(|r| any(&r.to_string()))
        || processor::names().any(|name| any(&name))
        || instrumented::names().any(|name| any(&name));
    if !known {
        return Err(Error::Usage(match request.filter.strip_prefix('=') {
            Some(whole) => format!("no function is called `{whole}`; as fp32mp2_mid_add"),
            None => format!("no function has `{}` in its name; as fp32mp2_mid_add", request.filter),
        }));
    }
    let here: Vec<&Contract> = CONTRACTS.iter().filter(|c| c.api().is_none()).collect();
    if request.device.is_none() && !request.every_hi {
        for c in here {
            report.outcomes.extend(match c.right {
                Side::Processor => processor::run(c, request, listener)?,
                _ => tape::run(c, request, listener)?,
            });
        }
        report.outcomes.extend(instrumented::on_host(request, listener));
    }
    for api in [Api::OpenCl, Api::Cuda] {
        if request.host_only || request.device.is_some_and(|wanted| wanted != api) || report.incomplete.is_some() {
            continue;
        }
        let devices = match (Device::open_all(api), request.device) {
            (Ok(devices), _) => devices,
            (Err(error), Some(_)) => return Err(error.into()),
            (Err(DeviceError::Unusable { why, .. }), None) => {
                report.absent.push((api, why));
                continue;
            }
            (Err(DeviceError::NoSuchDevice { .. }), None) => {
                let why = survey().absent.into_iter().find(|(a, _)| *a == api).map(|(_, why)| why);
                report.absent.push((api, why.unwrap_or(Unusable::NoDevice)));
                continue;
            }
            (Err(error), None) => return Err(error.into()),
        };
        for contract in
            CONTRACTS.iter().filter(|c| c.api() == Some(api) && (c.domain == Domain::EveryHi) == request.every_hi)
        {
            let outcomes = match (contract.claim, contract.right) {
                (Claim::Identical, Side::Native(_)) => device::native(contract, request, &devices[0], listener)?,
                (Claim::Identical, _) => device::identical(contract, request, &devices, listener)?,
                (Claim::Different, _) => device::different(contract, request, &devices, listener)?,
                (Claim::Within, _) if contract.domain == Domain::EveryHi => {
                    every_hi::run(contract, request, &devices[0], listener)?
                }
                (Claim::Within, _) => device::within(contract, request, &devices[0], listener)?,
            };
            report.incomplete = outcomes.iter().find_map(|o: &Outcome| o.incomplete.clone());
            report.outcomes.extend(outcomes);
            if report.incomplete.is_some() {
                break;
            }
        }
        if report.incomplete.is_none() && !request.every_hi {
            report.outcomes.extend(instrumented::on_device(request, &devices[0], listener)?);
            report.outcomes.extend(instrumented::extras_on_device(request, &devices[0], listener)?);
        }
    }
    Ok(report)
}

/// Looks for cases that kill mutants which the kept cases and some generated ones do not, function by function.
///
/// # Errors
/// If no function is asked for, and what `found` returns.
pub fn find(
    request: &Request,
    rounds: u64,
    mut found: impl FnMut(&str, search::Found) -> Result<(), Error>,
) -> Result<(), Error> {
    let functions = request.functions();
    if functions.is_empty() {
        return Err(Error::Nothing("no recorded function of this shard has this in its name".into()));
    }
    let bar = bar(functions.len() as u64);
    for f in functions {
        bar.set_message(f.name());
        found(&f.name(), search::find(f, request.seed, rounds))?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(())
}
