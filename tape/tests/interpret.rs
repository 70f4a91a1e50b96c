//! The interpreter against the host, and what mutants it kills.

mod cases;

use cases::cases;
use vernier_tape::interpret::Interpreter;
use vernier_tape::kill::fates;
use vernier_tape::mutants::{mutants, one_nan};
use vernier_tape::registry::{find, functions};
use vernier_tape::tape::Ty;

#[test]
fn interpreter_equals_host() {
    for f in functions() {
        let args = cases(f, 20_000);
        let got = Interpreter::new(&f.tape).run(&args);
        assert_eq!(got, Interpreter::new(&f.tape.with_range_tests().with_halves()).run(&args), "{}", f.name());
        let types: Vec<Ty> = f.tape.results().collect();
        for i in 0..args[0].len() {
            let bits: Vec<u64> = args.iter().map(|a| a[i]).collect();
            let expected = f.host(&bits);
            for ((g, &e), &ty) in got.iter().zip(&expected).zip(&types) {
                assert_eq!(one_nan(ty, g[i]), one_nan(ty, e), "{} of {bits:x?}", f.name());
            }
        }
    }
}

#[test]
fn mutants_are_killed() {
    for (op, level) in [("add", "mid"), ("mul", "mid"), ("div", "mid"), ("fma", "low"), ("mad", "low"), ("acc", "mid")]
    {
        for family in ["fp32mp2", "fp64mp2"] {
            let f = find(family, op, level).unwrap();
            let mutants = mutants(&f.tape, &f.params);
            let args = cases(f, 1 << 16);
            let fates = fates(&f.tape, &mutants, &args);
            let survivors: Vec<String> = mutants
                .iter()
                .zip(fates)
                .filter(|(_, fate)| fate.killed_by().is_none())
                .map(|(x, _)| x.to_string())
                .collect();
            // Inside two_sum and fast_two_sum every rounding is exact; everything else is killed.
            for s in &survivors {
                assert!(["rounded", "flushed"].iter().any(|w| s.contains(w)), "{}: {s}", f.name());
            }
            println!("{}: {} mutants, {} survive: {survivors:#?}", f.name(), mutants.len(), survivors.len());
            assert!(survivors.len() * 3 < mutants.len(), "{}", f.name());
        }
    }
}
