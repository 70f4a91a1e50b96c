//! The kernel on a CUDA device, in a process of its own: what it does wrong ends that process alone.
//!
//! Parent and worker share a folder: `task.json` and `data` from the parent, then for each candidate K `K.json` and, if it ran,
//! `K.values` from the worker. `now` has the number of the candidate that is running.

use super::question::Question;
use crate::error::Error;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use vernier_gpu::advise::{Candidate, Job, Kernel, Measured, first_error, measure_all};
use vernier_gpu::device::{self, Api, Device};

/// What is to be done.
#[derive(Serialize, Deserialize)]
struct Order {
    kernel: Kernel,
    lengths: Vec<usize>,
    candidates: Vec<(usize, Candidate)>,
    items: u64,
    sums: bool,
    index: usize,
}

/// Launches that are timed.
const LAUNCHES: u32 = 11;
/// How long compiling may take.
const COMPILING: Duration = Duration::from_secs(120);

/// Runs every candidate; those that fail with their reasons. `faulty` has those that are known.
///
/// # Errors
/// Where the device cannot be used at all.
pub fn measure(
    question: &Question,
    candidates: &[Candidate],
    faulty: &[Option<String>],
    index: usize,
) -> Result<Vec<Result<Measured, String>>, Error> {
    let folder = tempfile::Builder::new().prefix("vernier-advise-").tempdir()?;
    let data: Vec<u8> = question.data.iter().flatten().flat_map(|x| x.to_ne_bytes()).collect();
    fs::write(folder.path().join("data"), data)?;
    let known = |k: usize| faulty.get(k).cloned().flatten().map(Err);
    let mut found: Vec<Option<Result<Measured, String>>> = (0..candidates.len()).map(known).collect();
    // A candidate that ends the worker is left out of the next one.
    while found.iter().any(Option::is_none) {
        let left = candidates.iter().copied().enumerate().filter(|(k, _)| found[*k].is_none()).collect();
        let order = Order {
            kernel: question.kernel.clone(),
            lengths: question.data.iter().map(Vec::len).collect(),
            candidates: left,
            items: question.items,
            sums: question.sums,
            index,
        };
        fs::write(folder.path().join("task.json"), serde_json::to_vec(&order).unwrap_or_default())?;
        let why = supervise(folder.path(), question.limit)?;
        for (k, place) in found.iter_mut().enumerate().filter(|(_, p)| p.is_none()) {
            *place = read(folder.path(), k);
        }
        if found.iter().all(Option::is_some) {
            break;
        }
        let now = fs::read_to_string(folder.path().join("now")).ok().and_then(|t| t.parse::<usize>().ok());
        match now.filter(|k| found.get(*k).is_some_and(Option::is_none)) {
            Some(k) => found[k] = Some(Err(why)),
            None => return Err(Error::Usage(format!("the kernel cannot be run on the device: {why}"))),
        }
    }
    Ok(found.into_iter().map(|f| f.unwrap_or_else(|| Err("was not run".into()))).collect())
}

fn read(folder: &Path, k: usize) -> Option<Result<Measured, String>> {
    let text = fs::read_to_string(folder.join(format!("{k}.json"))).ok()?;
    let result: Result<Measured, String> = serde_json::from_str(&text).ok()?;
    Some(result.map(|mut m| {
        let bytes = fs::read(folder.join(format!("{k}.values"))).unwrap_or_default();
        m.values = bytes.chunks_exact(8).map(|b| b.try_into().map_or(0.0, f64::from_ne_bytes)).collect();
        m
    }))
}

/// Starts a worker and waits for it; why it ended, where it did so before its time.
fn supervise(folder: &Path, limit: Duration) -> Result<String, Error> {
    let log = fs::File::create(folder.join("log"))?;
    let mut child = Command::new(std::env::current_exe()?)
        .arg("advise-worker")
        .arg(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log)
        .spawn()?;
    let _ = fs::remove_file(folder.join("now"));
    let (mut last, mut since) = (String::new(), Instant::now());
    loop {
        if child.try_wait()?.is_some() {
            let said = fs::read_to_string(folder.join("log")).unwrap_or_default();
            let said = said.trim().trim_start_matches("vernier: ");
            return Ok(if said.is_empty() { "ended without a message".into() } else { said.to_string() });
        }
        let now = fs::read_to_string(folder.join("now")).unwrap_or_default();
        if now != last {
            (last, since) = (now, Instant::now());
        }
        let allowed = if last.is_empty() { COMPILING } else { limit };
        if since.elapsed() > allowed {
            child.kill()?;
            child.wait()?;
            return Ok(format!("took longer than {} s", allowed.as_secs_f64()));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// What the worker does.
///
/// # Errors
/// Where the device fails; the parent reads the message.
pub fn work(folder: &Path) -> Result<(), Error> {
    let task = fs::read(folder.join("task.json"))?;
    let order: Order = serde_json::from_slice(&task).map_err(|e| Error::Usage(e.to_string()))?;
    let bytes = fs::read(folder.join("data"))?;
    let mut words = bytes.chunks_exact(8).map(|b| b.try_into().map_or(0.0, f64::from_ne_bytes));
    let data: Vec<Vec<f64>> = order.lengths.iter().map(|&n| words.by_ref().take(n).collect()).collect();
    let device = Device::open(Api::Cuda, order.index)?;
    let kernel = &order.kernel;
    let list: Vec<Candidate> = order.candidates.iter().map(|(_, c)| *c).collect();
    let number = |at: usize| order.candidates[at].0;
    let start = |at: usize| fs::write(folder.join("now"), number(at).to_string());
    let end = |at: usize, result: Result<Measured, device::Error>| -> Result<(), Error> {
        let result = match result {
            Ok(m) => {
                let values: Vec<u8> = m.values.iter().flat_map(|x| x.to_ne_bytes()).collect();
                fs::write(folder.join(format!("{}.values", number(at))), values)?;
                Ok(m)
            }
            Err(device::Error::Compile { log, .. }) => {
                Err(format!("does not compile: {}", first_error(&log, &kernel.file)))
            }
            // The device takes no more work from this process.
            Err(device::Error::Lost(why)) => {
                return Err(Error::Usage(format!("reads or writes outside its data, or fails: {why}")));
            }
            Err(other) => Err(other.to_string()),
        };
        let text = serde_json::to_vec(&result).map_err(|e| Error::Usage(e.to_string()))?;
        Ok(fs::write(folder.join(format!("{}.json", number(at))), text)?)
    };
    let job = Job { kernel, data: &data, items: order.items, sums: order.sums, launches: LAUNCHES };
    measure_all(&device, job, &list, start, end)
}
