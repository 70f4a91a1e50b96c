//! Mathematical functions of the C++ classes, from their list.

use std::fmt::Write;
use vernier::function::{Int, Kind, Math, Slot};

/// These are `fpmp_NAME` too.
const PUBLISHED: [Math; 4] = [Math::isnan, Math::isinf, Math::isfinite, Math::signbit];

/// The C++ type of a value that is not of the class, of a family's function.
fn scalar(slot: Slot, name: &str, family: &str) -> &'static str {
    match slot {
        Slot::Bool => "bool",
        Slot::Unsigned if family == "fp32mp2" => "unsigned",
        Slot::Unsigned => "unsigned long long",
        // As C has them.
        Slot::Is(Kind::Int(Int { bits: 64, .. })) if name.starts_with("ll") => "long long",
        Slot::Is(Kind::Int(Int { bits: 64, .. })) => "long",
        _ => "int",
    }
}

/// The word that a printed function takes for an integer.
fn word(ty: &str) -> &'static str {
    match ty {
        "int" | "unsigned" => "(vernier_u32)",
        "unsigned long long" => "(vernier_u64)",
        _ => "(vernier_u64)(long long)",
    }
}

/// The functions of a family as friends of the class `class`, and those of no pair as functions of it; `one` computes a result of a
/// function by its name and its arguments in C++, a pair or an integer word.
fn friends(family: &str, class: &str, one: impl Fn(Math, &[String], Slot) -> String) -> String {
    let mut out = String::new();
    for &f in Math::ALL {
        let name = f.name();
        let params: Vec<(String, String)> = (f.args().iter().zip(["x", "y", "z", "w"]))
            .map(|(&slot, arg)| match slot {
                Slot::Own => (class.to_string(), arg.to_string()),
                slot => (scalar(slot, name, family).to_string(), "n".to_string()),
            })
            .collect();
        let mut list = params.iter().map(|(ty, arg)| format!("{ty} {arg}")).collect::<Vec<_>>();
        let result = match f.result() {
            Slot::Own => class.to_string(),
            Slot::OwnAndInt => {
                list.push("int *exponent".into());
                class.to_string()
            }
            Slot::TwoOwn => {
                list.push(format!("{class} *second"));
                class.to_string()
            }
            slot => scalar(slot, name, family).to_string(),
        };
        // A friend is found by its arguments.
        let how = if f.args().contains(&Slot::Own) { "friend" } else { "static" };
        let args: Vec<String> = params.into_iter().map(|(_, arg)| arg).collect();
        let body = one(f, &args, f.result());
        let names = [Some(name.to_string()), PUBLISHED.contains(&f).then(|| format!("fpmp_{name}"))];
        for name in names.into_iter().flatten() {
            let _ = writeln!(out, "    VERNIER_HD {how} {result} {name}({}) {{ {body} }}", list.join(", "));
        }
    }
    out
}

/// Those of the class of a family of pairs.
pub fn of_pairs(family: &str) -> String {
    let class = format!("basic_{family}");
    friends(family, &class, |f, args, result| {
        let passed = f.args().iter().zip(args).map(|(&slot, arg)| match slot {
            Slot::Own => format!("{arg}.limbs()"),
            slot => format!("{}{arg}", word(scalar(slot, f.name(), family))),
        });
        let call = format!("detail::{family}_{f}({})", passed.collect::<Vec<_>>().join(", "));
        match result {
            Slot::Own => format!("return {class}({call});"),
            Slot::Bool => format!("return {call};"),
            Slot::OwnAndInt => {
                format!("const auto r = {call}; *exponent = (int)r.n; return {class}(r.hi, r.lo);")
            }
            Slot::TwoOwn => {
                format!(
                    "const auto r = {call}; *second = {class}(r.second_hi, r.second_lo); return {class}(r.hi, r.lo);"
                )
            }
            slot => {
                let ty = scalar(slot, f.name(), family);
                let signed = if ty == "int" { "(int)" } else { "(long long)" };
                format!("return ({ty}){signed}{call};")
            }
        }
    })
}

/// Those of the class of instrumented pairs, which pass through them uncounted.
pub fn of_instrumented(family: &str) -> String {
    let class = format!("basic_{family}_stat");
    friends(family, &class, |f, args, result| {
        let plain = |arg: &String| if arg == "n" { arg.clone() } else { format!("{arg}.x_") };
        let args = args.iter().map(plain).collect::<Vec<_>>().join(", ");
        match result {
            _ if !f.args().contains(&Slot::Own) => format!("return base_type::{f}({args});"),
            Slot::OwnAndInt => format!("return {f}({args}, exponent);"),
            Slot::TwoOwn => format!("return {f}({args}, &second->x_);"),
            _ => format!("return {f}({args});"),
        }
    })
}
