//! Subjects: whatever evaluates cases, as this library on the host or a device, or somebody else's type.

mod foreign;
mod host;
mod on_device;
mod recorded;
mod twofloat;

pub use foreign::{Foreign, Header};
pub use host::Host;
pub use on_device::{OnDevice, Recorded};
pub use recorded::{all, arguments_of, case_of, columns, differing, function_of};
pub use twofloat::TwoFloatCrate;

pub use crate::error::{Failure, Unsupported};

use crate::case::{Kind, Op, Type, Unpacked, Value, Width, operation};
use vernier_oracle::{ARGS, Args, Pair};

/// Something that evaluates cases.
pub trait Subject: Sync {
    /// Its name, as `--subject` takes it.
    fn name(&self) -> &'static str;

    /// Where it evaluates, and for whom, in words; none for the host.
    fn place(&self) -> Option<String> {
        None
    }

    /// Another subject of the same bits that evaluates few cases at a time sooner: a search runs on it, and what it finds is
    /// evaluated here.
    fn searched_by(&self) -> Option<&dyn Subject> {
        None
    }

    /// Whether it has the operation.
    fn supports(&self, ty: Type, op: Op) -> bool;

    /// Makes ready what these operations need, in one go.
    fn prepare(&self, _: &[(Type, Op)]) -> Result<(), Failure> {
        Ok(())
    }

    /// The result of one case. The arguments are of the kinds that [`operation`] gives.
    fn eval(&self, ty: Type, op: Op, args: &[Value]) -> Result<Value, Failure> {
        let all = self.eval_all(ty, op, &[args.to_vec()])?;
        Ok(all.into_iter().next().ok_or(Unsupported { subject: self.name(), ty, op })?)
    }

    /// The results of many cases.
    fn eval_all(&self, ty: Type, op: Op, cases: &[Vec<Value>]) -> Result<Vec<Value>, Failure>;

    /// Results of many cases of an operation with at most [`ARGS`] arguments, and a result, that are numbers; limbs are held as
    /// the equal doubles. `args` and `out` are of one length.
    fn eval_block(&self, ty: Type, op: Op, args: &[Args], out: &mut [Pair]) -> Result<(), Failure> {
        let unsupported = Unsupported { subject: self.name(), ty, op };
        let line = operation(ty, op).ok_or(unsupported)?;
        let values = |a: &Args| (0..ARGS).map_while(|i| Some(number_value(line.arg_kind(ty, i)?, a[i]))).collect();
        let cases: Vec<Vec<Value>> = args.iter().map(values).collect();
        for (value, r) in self.eval_all(ty, op, &cases)?.into_iter().zip(out) {
            *r = value.to_pair().unwrap_or((f64::NAN, 0.0));
        }
        Ok(())
    }
}

/// The subject of this name; of results from a device, the host with the operations that devices have.
pub fn named(name: &str, on_device: bool) -> Option<&'static dyn Subject> {
    const ALL: [&dyn Subject; 2] = [&Host, &TwoFloatCrate];
    match on_device {
        true => (name == Host.name()).then_some(&Recorded),
        false => ALL.into_iter().find(|s| s.name() == name),
    }
}

/// The value of a kind that has limbs, or an integer, of what is rounded toward 0; others give a pair of doubles.
pub fn number_value(kind: Kind, x: Pair) -> Value {
    match kind {
        Kind::Limb(w) => Value::of_limb(w, x.0),
        Kind::Pair(w) => Value::of_pair(w, x),
        Kind::Unpacked => Value::Unpacked(Unpacked::of_pair(x)),
        Kind::Int(int) => Value::Int(int, int.wrap(x.0 as i128 as u128)),
        _ => Value::of_pair(Width::F64, x),
    }
}
