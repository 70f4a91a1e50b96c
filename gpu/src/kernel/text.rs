//! The source of kernels: templates around printed functions, generators and hashes.

use crate::device::{Api, Source};
use crate::print::{self, Cuda, Dialect, OpenCl, Rare, Unit};
use std::fmt::Write;
use vernier::machine::{IeeeLimb, Value, Word};
use vernier_tape::cases::Cases;
use vernier_tape::io::{Io, Kind};
use vernier_tape::mutants::Mutant;
use vernier_tape::record::{self, F32, F64, Handle, Recording, Truth, U32, U64};
use vernier_tape::registry::Function;
use vernier_tape::tape::{Id, Tape, Ty};

const TEMPLATE: &str = include_str!("template.txt");
const CASES: &str = include_str!("cases.txt");

/// The language of a kind of device.
pub fn dialect(api: Api) -> Box<dyn Dialect> {
    match api {
        Api::Cuda => Box::new(Cuda { fast_seeds: true }),
        Api::OpenCl => Box::new(OpenCl),
    }
}

/// What hand-written kernels need around them, after the prelude: their words for memory, threads and barriers.
pub fn environment(api: Api) -> &'static str {
    match api {
        Api::Cuda => include_str!("cuda.txt"),
        Api::OpenCl => include_str!("opencl.txt"),
    }
}

/// A program with the kernels `NAME_map` and `NAME_hash` of every function, and `vernier_cases_SIGNATURE` of every
/// list of argument kinds. With `mutants`, which are those of one function, the kernels compute the mutant of the index
/// given; an index beyond the last computes the function itself.
pub fn source(api: Api, functions: &[&Function], mutants: Option<&[Mutant]>) -> Source {
    let dialect = &*dialect(api);
    let mut text = String::from(if mutants.is_some() { "#define VERNIER_MUTANTS\n" } else { "" });
    text += &dialect.prelude();
    text += environment(api);
    let mut kernels = KernelText { unit: Unit::new(dialect, Rare::Outline, text) };
    for f in functions {
        kernels.cases(&f.params);
        f.params.iter().for_each(|&k| kernels.load(k));
        f.results.iter().for_each(|&k| kernels.store(k));
        kernels.hash(f.results[0]);
        kernels.unit.function(f, mutants);
        kernels.entry_points(f, mutants.is_some());
    }
    let name = match functions {
        [f] => f.name(),
        _ => "vernier".to_string(),
    };
    let extension = if api == Api::Cuda { "cu" } else { "cl" };
    Source::new(format!("{name}.{extension}"), kernels.unit.text)
}

/// The same with plain operators, contraction and approximations: a bad build on purpose.
pub fn contracted(api: Api, functions: &[&Function]) -> Source {
    let mut source = source(api, functions, None).contracted();
    let replace = [
        ("FP_CONTRACT OFF", "FP_CONTRACT ON"),
        ("__##d##add_rn(a, b)", "a + b"),
        ("__##d##sub_rn(a, b)", "a - b"),
        ("__##d##mul_rn(a, b)", "a * b"),
        ("__##d##div_rn(a, b)", "a / b"),
    ];
    for (careful, plain) in replace {
        source.text = source.text.replace(careful, plain);
    }
    source
}

/// The name of a list of argument kinds.
pub(crate) fn signature(params: &[Kind]) -> String {
    params.iter().map(|k| format!("{k:?}").to_lowercase()).collect::<Vec<_>>().join("_")
}

fn kind_name(kind: Kind) -> String {
    signature(&[kind])
}

/// The text of kernels while it grows.
struct KernelText<'a> {
    unit: Unit<'a>,
}

impl KernelText<'_> {
    /// The generators of each argument, and their kernel.
    fn cases(&mut self, params: &[Kind]) {
        let signature = signature(params);
        if !self.unit.missing(&format!("cases {signature}")) {
            return;
        }
        let tapes: Vec<Tape> = (0..params.len()).map(|k| generator(&params[..=k])).collect();
        tapes.iter().for_each(|t| self.unit.needs(t));
        let mut arguments = String::new();
        let mut slot = 0;
        for (k, (tape, &kind)) in tapes.iter().zip(params).enumerate() {
            let name = format!("vernier_case_{signature}_{k}");
            let text = print::tape(self.unit.dialect, &name, tape, &[Kind::U64; 2], kind, Rare::Inline, None);
            // Called, not inlined: it is long, and a program has many kernels.
            self.unit.text += &text.replacen(self.unit.dialect.inline(), self.unit.dialect.noinline(), 1);
            self.store(kind);
            let _ = writeln!(arguments, "        const {} x{k} = {name}(seed, index);", self.unit.dialect.kind(kind));
            for s in 0..kind.slots().len() {
                let store = format!("vernier_store_{}_{s}", kind_name(kind));
                let _ = writeln!(arguments, "        args[{slot} * n + i] = {store}(x{k});");
                slot += 1;
            }
        }
        self.unit.text += &CASES.replace("$signature", &signature).replace("$arguments", &arguments);
    }

    /// From bit patterns.
    fn load(&mut self, kind: Kind) {
        let name = format!("vernier_load_{}", kind_name(kind));
        if self.unit.missing(&name) {
            let tape = record::record(|| {
                let bits: Vec<U64> = kind.slots().iter().map(|_| record::argument()).collect();
                kind.slots().iter().zip(bits).map(|(&ty, b)| from_bits(ty, b)).collect()
            });
            let params = vec![Kind::U64; kind.slots().len()];
            self.unit.tape(&name, &tape, &params, kind, Rare::Inline);
        }
    }

    /// To bit patterns, one function per slot.
    fn store(&mut self, kind: Kind) {
        for slot in 0..kind.slots().len() {
            let name = format!("vernier_store_{}_{slot}", kind_name(kind));
            if self.unit.missing(&name) {
                let tape = record::record(|| vec![arguments(kind)[slot].bits().id()]);
                self.unit.tape(&name, &tape, &[kind], Kind::U64, Rare::Inline);
            }
        }
    }

    /// The hash of an index and a result.
    fn hash(&mut self, kind: Kind) {
        let name = format!("vernier_hash_{}", kind_name(kind));
        if self.unit.missing(&name) {
            let tape = record::record(|| {
                let index: U64 = record::argument();
                let slots = arguments(kind);
                let mut cases = Cases::<Recording>::new(U64::lit(0), index);
                slots.iter().for_each(|s| s.put(&mut cases));
                vec![cases.hash().id()]
            });
            let params = [Kind::U64, kind];
            self.unit.tape(&name, &tape, &params, Kind::U64, Rare::Inline);
        }
    }

    /// The kernels of a function.
    fn entry_points(&mut self, f: &Function, mutated: bool) {
        let signature = signature(&f.params);
        let mut slot = 0;
        let loaded = f.params.iter().map(|&kind| {
            let slots = kind.slots().len();
            let values: Vec<String> = (slot..slot + slots).map(|s| format!("args[{s} * n + i]")).collect();
            slot += slots;
            format!("vernier_load_{}({})", kind_name(kind), values.join(", "))
        });
        let loaded = loaded.collect::<Vec<_>>().join(", ");
        let generated = (0..f.params.len()).map(|k| format!("vernier_case_{signature}_{k}(seed, index)"));
        let generated = generated.collect::<Vec<_>>().join(", ");
        let result = f.results[0];
        let mut stored = String::new();
        for s in 0..result.slots().len() {
            let store = format!("vernier_store_{}_{s}", kind_name(result));
            let _ = writeln!(stored, "        results[{s} * n + i] = {store}(r);");
        }
        self.unit.text += &TEMPLATE
            .replace("$loaded", &loaded)
            .replace("$stored", &stored)
            .replace("$generated", &generated)
            .replace("$group_mutant", if mutated { ", mutant_of_group" } else { "" })
            .replace("$mutant", if mutated { ", mutant" } else { "" })
            .replace("$hash", &kind_name(result))
            .replace("$result", self.unit.dialect.kind(result))
            .replace("$name", &f.name());
        self.unit.text.push('\n');
    }
}

/// A recorded value of any type.
pub(crate) enum Any {
    F32(F32),
    F64(F64),
    U32(U32),
    U64(U64),
    Truth(Truth),
}

impl Any {
    fn id(&self) -> Id {
        match self {
            Any::F32(x) => x.id(),
            Any::F64(x) => x.id(),
            Any::U32(x) => x.id(),
            Any::U64(x) => x.id(),
            Any::Truth(x) => x.id(),
        }
    }

    /// Its bit pattern in 64 bits.
    pub(crate) fn bits(&self) -> U64 {
        match self {
            Any::F32(x) => x.bits().to_u64(),
            Any::F64(x) => x.bits(),
            Any::U32(x) => x.to_u64(),
            Any::U64(x) => *x,
            Any::Truth(x) => U64::select(*x, U64::lit(1), U64::lit(0)),
        }
    }

    fn put(&self, to: &mut Cases<Recording>) {
        match *self {
            Any::F32(x) => to.put_f32(x),
            Any::F64(x) => to.put_f64(x),
            Any::U32(x) => to.put_u32(x),
            Any::U64(x) => to.put_u64(x),
            Any::Truth(x) => to.put_truth(x),
        }
    }
}

/// The slots of an argument of the function being recorded.
pub(crate) fn arguments(kind: Kind) -> Vec<Any> {
    let argument = |&ty: &Ty| match ty {
        Ty::F32 => Any::F32(record::argument()),
        Ty::F64 => Any::F64(record::argument()),
        Ty::U32 => Any::U32(record::argument()),
        Ty::U64 => Any::U64(record::argument()),
        Ty::Mask => Any::Truth(record::argument()),
    };
    kind.slots().iter().map(argument).collect()
}

/// A slot from its bit pattern.
pub(crate) fn from_bits(ty: Ty, bits: U64) -> Id {
    match ty {
        Ty::F32 => F32::from_bits(bits.to_u32()).id(),
        Ty::F64 => F64::from_bits(bits).id(),
        Ty::U32 => bits.to_u32().id(),
        Ty::U64 => bits.id(),
        Ty::Mask => (bits & U64::lit(1)).eq(U64::lit(1)).id(),
    }
}

/// The generator of the last of these arguments: a function of seed and index.
fn generator(params: &[Kind]) -> Tape {
    record::record(|| {
        let (seed, index) = (record::argument(), record::argument());
        let mut cases = Cases::<Recording>::new(seed, index);
        let mut slots = Vec::new();
        for &kind in params {
            cases.param(kind);
            slots = kind.slots().iter().map(|&ty| next(&mut cases, ty).id()).collect();
        }
        slots
    })
}

fn next(cases: &mut Cases<Recording>, ty: Ty) -> Any {
    match ty {
        Ty::F32 => Any::F32(cases.f32()),
        Ty::F64 => Any::F64(cases.f64()),
        Ty::U32 => Any::U32(cases.u32()),
        Ty::U64 => Any::U64(cases.u64()),
        Ty::Mask => Any::Truth(cases.truth()),
    }
}
