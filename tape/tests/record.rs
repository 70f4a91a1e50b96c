//! Recorded functions: operation counts and structure.

use vernier::function::Level;
use vernier_tape::registry::{find, functions};
use vernier_tape::tape::Op;

/// Rounded operations on the usual path, as the literature counts them.
#[test]
fn operation_counts() {
    for family in ["fp32mp2", "fp64mp2"] {
        let flops = |op: &str, level: &str| find(family, op, level).unwrap().tape.flops();
        let expected = [
            ("add", [8, 11, 20]),
            ("sub", [8, 11, 20]),
            ("mul", [5, 9, 9]),
            ("acc", [7, 10, 13]),
            ("fma", [16, 19, 37]),
            ("mad", [13, 16, 29]),
        ];
        for (op, counts) in expected {
            for (level, count) in ["low", "mid", "high"].into_iter().zip(counts) {
                assert_eq!(flops(op, level), count, "{family} {level} {op}");
            }
        }
    }
}

#[test]
fn low_and_mid_have_no_branch_and_no_test() {
    let pairs = functions().iter().filter(|f| f.id.family().ends_with("mp2"));
    for f in pairs.filter(|f| matches!(f.id.level(), Some(Level::Low | Level::Mid))) {
        assert!(f.tape.branches.is_empty(), "{}", f.name());
        assert!(f.tape.nodes.iter().all(|n| !matches!(n.op, Op::Lt | Op::Le | Op::Eq | Op::Select)), "{}", f.name());
    }
}
