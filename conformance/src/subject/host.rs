//! Vernier's own types on the host, and the hardware's limbs.

use super::with_pair_type;
use super::{Failure, Subject, Unsupported, convert, custom, emulated, function_of, limb, pair, slots, value};
use crate::case::{Meaning, Op, Type, Value, Width, operation};
use vernier_oracle::{Args, Pair};

/// The types of crate `vernier` on this processor; for `f32` and `f64`, the processor itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Host;

impl Subject for Host {
    fn name(&self) -> &'static str {
        "vernier"
    }

    fn supports(&self, ty: Type, op: Op) -> bool {
        operation(ty, op).is_some()
    }

    fn eval(&self, ty: Type, op: Op, args: &[Value]) -> Result<Value, Failure> {
        let unsupported = Unsupported { subject: self.name(), ty, op };
        let line = operation(ty, op).filter(|o| o.accepts(args.len())).ok_or(unsupported.clone())?;
        let result = match (ty, line.meaning) {
            (_, Meaning::Definition) => function_of(ty, op).map(|f| {
                let bits: Vec<u64> = args.iter().flat_map(|&a| slots(a)).collect();
                value(line.result_kind(ty), &f.host(&bits))
            }),
            (Type::Pair(w, l), Meaning::Convert) => with_pair_type!(w, l, convert_one(op, args)),
            (Type::Pair(w, l), Meaning::Truth(_)) => with_pair_type!(w, l, truth(op, args)),
            (Type::Pair(w, l), Meaning::Number(_)) => with_pair_type!(w, l, number(op, args)),
            (Type::Limb(Width::F32), _) => limb::eval::<f32>(op, args),
            (Type::Limb(Width::F64), _) => limb::eval::<f64>(op, args),
            (Type::Custom(f), _) => custom::eval(f, op, args),
            (Type::Packed(..) | Type::Unpacked(_), _) => emulated::eval(ty, op, args),
        };
        Ok(result.ok_or(unsupported)?)
    }

    fn eval_block(&self, ty: Type, op: Op, args: &[Args], out: &mut [Pair]) -> Result<(), Failure> {
        let done = match ty {
            Type::Pair(w, l) => with_pair_type!(w, l, block(op, args, out)),
            Type::Limb(Width::F32) => limb::block::<f32>(op, args, out),
            Type::Limb(Width::F64) => limb::block::<f64>(op, args, out),
            Type::Custom(_) => None,
            Type::Packed(..) | Type::Unpacked(_) => emulated::block(ty, op, args, out),
        };
        Ok(done.ok_or(Unsupported { subject: self.name(), ty, op })?)
    }
}

use convert::eval as convert_one;
use pair::{block, number, truth};
