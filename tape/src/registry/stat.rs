//! The recorded functions that instrumented code on a device calls.

use crate::io::TapeIo;
use crate::registry::{Function, FunctionId};
use std::sync::OnceLock;
use vernier::host::Host;
use vernier::machine::{Limb, WordMachine};
use vernier::stat::{Class, cancels_of_normal, classify, glance, outcome, precedes, sample};

macro_rules! of_family {
    ($name:ident, $family:literal, $pair:ident, $limb:ident, $Limb:ident) => {
        fn $name(list: &mut Vec<Function>) {
            function!(list, $family, "stat_class", None, M [], |x: $pair| -> u64 { classify(x).pack() });
            function!(list, $family, "stat_high", None, M [], |x: $pair| -> u32 { glance(x).high });
            function!(list, $family, "stat_apart", None, M [], |x: $pair| -> u32 { glance(x).apart });
            function!(list, $family, "stat_one_limb", None, M [], |x: $pair| -> bool { glance(x).one_limb });
            function!(list, $family, "stat_lo_normal", None, M [], |x: $pair| -> bool { glance(x).lo_normal });
            function!(list, $family, "stat_cancels", None, M [], |x: u32, y: u32, r: u32| -> bool {
                cancels_of_normal::<M::$Limb>(x, y, r)
            });
            function!(list, $family, "stat_outcome", None, M [],
                |additive: bool, x: u64, y: u64, r: u64| -> u32 {
                    let class = Class::<M>::unpack;
                    outcome(<M::$Limb as Limb>::P, additive, class(x), class(y), class(r))
                });
            function!(list, $family, "stat_limb", None, M [], |x: $limb| -> u64 { sample(x) });
        }
    };
}

of_family!(single, "fp32mp2", pair32, f32, F32);
of_family!(double, "fp64mp2", pair64, f64, F64);

fn samples(list: &mut Vec<Function>) {
    function!(list, "vernier", "stat_precedes", None, M [],
        |a_hi: u64, a_lo: u64, b_hi: u64, b_lo: u64| -> bool { precedes::<M::U64>((a_hi, a_lo), (b_hi, b_lo)) });
}

/// `FAMILY_stat_class`: the packed [`Class`] of a pair. `FAMILY_stat_high`, `_apart`, `_one_limb`, `_lo_normal`: a
/// pair at a [glance](vernier::stat::Glance); `FAMILY_stat_cancels`: partial cancellation at a glance. `FAMILY_stat_outcome`: the event
/// of an operation, from packed classes. `FAMILY_stat_limb`: the bits of a finite limb as a double. `vernier_stat_precedes`: the order of samples.
pub fn functions() -> &'static [Function] {
    static FUNCTIONS: OnceLock<Vec<Function>> = OnceLock::new();
    FUNCTIONS.get_or_init(|| {
        let mut list = Vec::new();
        single(&mut list);
        double(&mut list);
        samples(&mut list);
        list
    })
}
