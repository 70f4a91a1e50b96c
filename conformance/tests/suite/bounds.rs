//! The bounds that are claimed, number and text, row by row.

use vernier_conformance::table::{Metric, Operands, Row, claim};

/// Operation, levels, operands, bound in u^2 at u = 0, its slope in u, text.
type Listed = (&'static str, &'static [&'static str], Operands, f64, f64, &'static str);

#[test]
fn claimed_bounds_are_those_of_the_list() {
    let list: [Listed; 12] = [
        ("add", &["high"], Operands::Any, 3.0, 13.0, "3 + 13u"),
        ("sub", &["high"], Operands::Any, 3.0, 13.0, "3 + 13u"),
        ("add", &["low", "mid"], Operands::EqualSigns, 3.0, 0.0, "3"),
        ("sub", &["low", "mid"], Operands::EqualSigns, 3.0, 0.0, "3"),
        ("acc", &["low", "mid", "high"], Operands::Any, 2.0, 0.0, "2"),
        ("mul", &["mid", "high"], Operands::Any, 5.0, 0.0, "5"),
        ("mul", &["low"], Operands::Any, 5.5, 0.0, "5.5"),
        ("div", &["mid", "high"], Operands::Any, 10.0, 0.0, "10"),
        ("div", &["low"], Operands::Any, 11.0, 0.0, "11"),
        ("sqrt", &["all"], Operands::Any, 4.0, 0.0, "4"),
        ("rsqrt", &["all"], Operands::Any, 3.0, 0.0, "3"),
        ("neg", &["all"], Operands::Any, 0.0, 0.0, "0"),
    ];
    let rows = Row::all();
    for (ty, u) in [("fp32mp2", (-24f64).exp2()), ("fp64mp2", (-53f64).exp2())] {
        for &(op, levels, operands, bound, slope, text) in &list {
            for &level in levels {
                let of = |r: &&Row| r.type_name() == ty && r.op.to_string() == op && r.level_name() == level;
                let row = rows.iter().filter(of).find(|r| r.operands == operands);
                let row = row.unwrap_or_else(|| panic!("no row {ty} {op} {level} {operands:?}"));
                let claim = claim(row);
                assert_eq!(claim.bound, bound + slope * u, "{row}");
                // In parentheses stands what was proved.
                assert_eq!(claim.text.split(" (").next(), Some(text), "{row}");
                assert_eq!(claim.metric, Metric::U2, "{row}");
            }
        }
    }
}
