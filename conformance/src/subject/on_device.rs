//! Vernier's own types on a device.

use super::host::evaluated;
use super::recorded::function_of;
use super::{Failure, Host, Subject, Unsupported};
use crate::case::{Op, Type, Value};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use vernier_gpu::device::{Device, Error};
use vernier_gpu::kernel::Kernels;
use vernier_tape::registry::{Function, FunctionId};

/// The functions of crate `vernier` on a device, compiled when first needed.
#[derive(Debug)]
pub struct OnDevice<'d> {
    device: &'d Device,
    /// Functions that were compiled together share an entry.
    kernels: Mutex<HashMap<FunctionId, Arc<Kernels<'d>>>>,
}

impl<'d> OnDevice<'d> {
    /// This device as a subject.
    pub fn new(device: &'d Device) -> Self {
        OnDevice { device, kernels: Mutex::new(HashMap::new()) }
    }

    /// The kernels of the last of these functions; those that are missing are compiled together.
    fn compiled(&self, functions: &[&Function]) -> Result<Option<Arc<Kernels<'d>>>, Error> {
        // What a panic elsewhere left is whole: entries are added when they are complete.
        let mut kernels = self.kernels.lock().unwrap_or_else(PoisonError::into_inner);
        let missing: Vec<&Function> = functions.iter().copied().filter(|f| !kernels.contains_key(&f.id)).collect();
        if !missing.is_empty() {
            let together = Arc::new(Kernels::compile(self.device, &missing)?);
            kernels.extend(missing.iter().map(|f| (f.id, together.clone())));
        }
        Ok(functions.last().and_then(|f| kernels.get(&f.id).cloned()))
    }

    /// Results by slot, then case.
    fn map(&self, f: &Function, columns: &[Vec<u64>]) -> Result<Vec<Vec<u64>>, Error> {
        self.compiled(&[f])?.map_or(Ok(Vec::new()), |kernels| kernels.map(f, columns))
    }
}

/// The recorded functions, and nothing else, on the host: what a device has, where the device is not at hand.
#[derive(Clone, Copy, Debug, Default)]
pub struct Recorded;

impl Subject for Recorded {
    fn name(&self) -> &'static str {
        Host.name()
    }

    fn supports(&self, ty: Type, op: Op) -> bool {
        function_of(ty, op).is_some()
    }

    fn eval_all(&self, ty: Type, op: Op, cases: &[Vec<Value>]) -> Result<Vec<Value>, Failure> {
        Host.eval_all(ty, op, cases)
    }
}

impl Subject for OnDevice<'_> {
    fn name(&self) -> &'static str {
        Host.name()
    }

    fn place(&self) -> Option<String> {
        Some(format!("on {}", self.device.description().place()))
    }

    fn searched_by(&self) -> Option<&dyn Subject> {
        Some(&Host)
    }

    fn supports(&self, ty: Type, op: Op) -> bool {
        function_of(ty, op).is_some()
    }

    fn prepare(&self, operations: &[(Type, Op)]) -> Result<(), Failure> {
        let mut functions: Vec<&Function> = operations.iter().filter_map(|&(ty, op)| function_of(ty, op)).collect();
        functions.sort_by_key(|f| f.id);
        functions.dedup_by_key(|f| f.id);
        self.compiled(&functions)?;
        Ok(())
    }

    fn eval_all(&self, ty: Type, op: Op, cases: &[Vec<Value>]) -> Result<Vec<Value>, Failure> {
        let unsupported = Unsupported { subject: self.device.api().name(), ty, op };
        let f = function_of(ty, op).ok_or(unsupported)?;
        evaluated(f, ty, op, cases, |columns| Ok(self.map(f, columns)?))
    }
}
