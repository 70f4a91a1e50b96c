//! Functions that call functions.

mod calling;

use calling::{call, columns, leaf, long, on_host, tape};
use vernier::machine::{Limb, Machine, Word};
use vernier_tape::interpret::Interpreter;
use vernier_tape::io::Kind;
use vernier_tape::mutants::{Mutant, mutants};
use vernier_tape::record::{self, F64, Handle, Recording, U32, U64};
use vernier_tape::registry::{functions, named, stat};
use vernier_tape::tape::{Op, Tape};

const PARAMS: [Kind; 5] = [Kind::F64, Kind::F64, Kind::F64, Kind::F64, Kind::U32];

#[test]
fn the_interpreter_runs_calls() {
    let args = columns(20_000);
    let expected = on_host(&args);
    let called = tape::<true>();
    assert_eq!(Interpreter::new(&called).run(&args), expected);
    assert_eq!(Interpreter::new(&called.with_range_tests().with_halves()).run(&args), expected);
    assert_eq!(Interpreter::new(&tape::<false>()).run(&args), expected);
    // Every branch was taken and not taken.
    let mut interpreter = Interpreter::new(&called);
    interpreter.run(&args);
    assert!((1..20_000).contains(&interpreter.taken(0).len()));
}

#[test]
fn a_callee_is_recorded_once() {
    let called = tape::<true>();
    let names = |tape: &Tape| tape.callees.iter().map(|c| c.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&called), ["test_inner", "test_long", "test_leaf"]);
    assert_eq!(names(&called.callees[0].tape), ["test_leaf"]);
    // The third call of `inner` is the second.
    assert_eq!(called.calls.len(), 4, "{called}");
    assert!(called.to_string().contains("test_inner v0, v1, v4"), "{called}");
}

/// Calls that share nothing in place.
fn apart<const CALLS: bool>() -> Tape {
    record::record(|| {
        let (x, y, n): (F64, F64, U32) = (record::argument(), record::argument(), record::argument());
        let (a, m) = call::<CALLS, Recording, _, _>("long", (x, n), long::<Recording>);
        let (b, k) = call::<CALLS, Recording, _, _>("long", (y, m), long::<Recording>);
        let r =
            Recording::branch(a.lt(b), a, move || call::<CALLS, Recording, _, _>("leaf", (a, b), leaf::<Recording>));
        vec![r.id(), k.id()]
    })
}

#[test]
fn counts_add_up() {
    let (called, inline) = (apart::<true>(), apart::<false>());
    assert_eq!(called.counts(), inline.counts());
    assert_eq!((called.flops(), inline.flops()), (400, 400));
    assert!(called.nodes.len() * 40 < inline.nodes.len());
}

/// In the caller, mutants of its own operations and one a result; in the callee its own.
#[test]
fn what_a_callee_computes_is_mutated_there_alone() {
    let called = tape::<true>();
    let list = mutants(&called, &PARAMS);
    for mutant in &list {
        let Mutant::Node { at, with, .. } = mutant else { continue };
        assert!(!matches!(called.node(*at).op, Op::Call(_)), "{mutant}");
        if let Op::Result(_) = called.node(*at).op {
            assert_eq!(with.op, Op::Copy, "{mutant}");
        }
    }
    let inner = &called.callees[0].tape;
    let of_inner = mutants(inner, &[Kind::F64, Kind::F64, Kind::U32]);
    let inline = mutants(&tape::<false>(), &PARAMS);
    assert!(!of_inner.is_empty() && list.len() * 4 < inline.len());

    let args = columns(20_000);
    let expected = on_host(&args);
    let dropped = list.iter().filter(|f| f.what() == "operation dropped" && f.describe(&called).contains("test_"));
    let mut killed = 0;
    for mutant in dropped {
        let planted = mutant.plant(&called);
        assert_ne!(Interpreter::new(&planted).run(&args), expected, "{}", mutant.describe(&called));
        killed += 1;
    }
    assert!(killed >= 4, "{killed}");
}

/// What nothing needs is gone: results, calls and callees.
#[test]
fn dead_calls_are_left_out() {
    let mut called = tape::<true>();
    called.body.results.truncate(3);
    let rest = called.without_dead_code();
    let names: Vec<&str> = rest.callees.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["test_inner", "test_long", "test_leaf"]);
    let long = rest.calls.iter().find(|c| c.callee == 1).unwrap();
    assert_eq!(long.results.len(), 1);
    let args = columns(1000);
    assert_eq!(Interpreter::new(&rest).run(&args), on_host(&args)[..3]);
    called.body.results.drain(..2);
    assert_eq!(called.without_dead_code().calls.len(), 1);
}

/// So its mutants, cases and hashes are there.
#[test]
fn what_the_registry_calls_is_in_the_registry() {
    fn check(tape: &Tape, calls: &mut usize) {
        for callee in &tape.callees {
            *calls += 1;
            match named(&callee.name) {
                Some(f) => assert!(f.tape == callee.tape, "{} is listed with another body", callee.name),
                // A step of one function has its mutants and hashes there.
                None => assert!(callee.name.contains("_step"), "{} is called and not listed", callee.name),
            }
            check(&callee.tape, calls);
        }
    }
    let mut calls = 0;
    functions().iter().chain(stat::functions()).for_each(|f| check(&f.tape, &mut calls));
    assert!(calls > 30, "{calls}");
}

fn again(x: F64) -> F64 {
    Recording::call(&["test", "again"], x, again)
}

#[test]
#[should_panic(expected = "calls itself")]
fn a_function_does_not_call_itself() {
    record::record(|| vec![again(record::argument()).id()]);
}

#[test]
#[should_panic(expected = "one name stands for one function")]
fn a_name_has_one_function() {
    record::record(|| {
        let (x, n): (F64, U64) = (record::argument(), record::argument());
        let x = Recording::call(&["test", "same"], x, |x| x * x);
        let n = Recording::call(&["test", "same"], n, |n| n + U64::lit(1));
        vec![x.id(), n.id()]
    });
}
