//! Digits and speed of a device, in short:
//! `cargo run --release -p vernier-gpu --example bench -- [cuda|opencl] [inline] [quick] [OUT.json]`.
//!
//! Exit status 1 if a value or a target is missed, 2 if the device cannot be used.

use serde::Serialize;
use std::process::ExitCode;
use std::time::Instant;
use vernier_gpu::bench::{
    Author, Bench, CARDS, Card, Effort, Operands, Pi, PiRun, Prediction, Subject, Target, at_hand, pi_on, predict,
    published_pi, speed, targets,
};
use vernier_gpu::device::{Api, Description, Device, Error};
use vernier_gpu::print::Rare;

#[derive(Serialize)]
struct Report {
    device: Description,
    pi: PiRun,
    bench: Bench,
    targets: Vec<Target>,
    predictions: Vec<Prediction>,
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(e) => {
            eprintln!("bench: {e}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<bool, Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |word: &str| arguments.iter().any(|a| a == word);
    let api = if has("opencl") { Api::OpenCl } else { Api::Cuda };
    let rare = if has("inline") { Rare::Inline } else { Rare::Outline };
    let quick = has("quick");
    let path = arguments.iter().find(|a| a.ends_with(".json"));
    let device = Device::open(api, 0)?;
    let d = device.description();
    println!("{} {}, {} units, {}, {}, rare paths {rare:?}", d.name, d.architecture, d.units, d.driver, d.compiler);

    let start = Instant::now();
    let terms: &[u32] = if quick { &[20, 22] } else { &[20, 22, 26, 28] };
    let effort = if quick {
        Effort { warm_up: 0.0, launch: 0.001, launches: 3, ..Effort::default() }
    } else {
        Effort::default()
    };
    // The bench first: it raises the clock.
    let bench = speed(&device, &Subject::ALL, effort, rare)?;
    let seconds = start.elapsed().as_secs_f64();
    let pi = digits(&device, terms, rare)?;
    let card = at_hand(d);
    let published = published_pi(include_str!("../../fixtures/pi.tsv"));
    let known = CARDS.iter().filter_map(|(name, architecture)| Card::new(name, architecture));
    let predictions: Vec<Prediction> = known.chain(card).flat_map(|c| predict(&c, rare)).collect();

    println!(
        "\npi: value, correct digits (partials summed in double), ms, speed relative to double (predicted); = is the host's bits"
    );
    for p in &pi.rows {
        let predicted = predictions.iter().rev().find(|q| q.card.name == d.name && q.subject == p.subject);
        print_pi(p, predicted);
    }
    println!("\npi on other cards, speed relative to double: predicted, bound (published)");
    for subject in Subject::ALL {
        let cells = CARDS.iter().filter_map(|(name, _)| {
            let p = predictions.iter().find(|p| p.card.name == *name && p.subject == subject)?;
            let found = published.get(&(subject.name(), name.to_string())).map_or("-".into(), |v| format!("{v:.1}"));
            let source = if p.from_machine_code { "" } else { "~" };
            Some(format!("{name} {source}{:.2} {} ({found})", p.speed_vs_double, p.bound))
        });
        println!("{:13} {}", subject.name(), cells.collect::<Vec<_>>().join("; "));
    }
    print_bench(&bench);
    let targets = targets(&bench);
    print_targets(&targets);
    println!("\nbench {seconds:.1} s, all {:.1} s", start.elapsed().as_secs_f64());
    let good = targets.iter().all(|t| t.holds() == Some(true))
        && pi.rows.iter().all(|p| p.host_bits != Some(false))
        && bench.rows.iter().all(|r| r.in_range);
    if let Some(path) = path {
        let report = Report { device: d.clone(), pi, bench, targets, predictions };
        std::fs::write(path, serde_json::to_string_pretty(&report)?)?;
    }
    Ok(good)
}

fn digits(device: &Device, terms: &[u32], rare: Rare) -> Result<PiRun, Error> {
    pi_on(device, &Subject::ALL, terms, 7, 26, rare)
}

fn print_pi(p: &Pi, predicted: Option<&Prediction>) {
    let bits = match p.host_bits {
        Some(true) => "=",
        Some(false) => "NOT THE HOST'S BITS",
        None => "",
    };
    let timing = p.timing.expect("a run on a device");
    println!(
        "{:13} 2^{} {:18} {:5.2} ({:5.2}) {:8.4} +-{:.0}% {:6.3} ({}) {bits}",
        p.subject.name(),
        p.log2_terms,
        p.text,
        p.digits,
        p.digits_summed_in_double,
        timing.median * 1e3,
        timing.spread() * 50.0,
        p.speed_vs_double.unwrap_or(f64::NAN),
        predicted.map_or("-".into(), |q| format!("{:.2}", q.speed_vs_double)),
    );
}

fn print_bench(bench: &Bench) {
    println!(
        "\nspeed of operations, operands changing; last column: 10^9/s with a constant operand. Clock: {}",
        bench.clock
    );
    println!("                      10^9/s spread  /clk/unit latency x double FP/add FP/limit regs  MHz  constant");
    for r in bench.rows.iter().filter(|r| r.operands == Operands::Changing) {
        let constant = bench.find(r.subject, &r.op, r.author, Operands::Constant);
        let optional = |x: Option<f64>, places: usize| x.map_or("-".into(), |x| format!("{x:.places$}"));
        println!(
            "{}{:13} {:5} {:8.1} {:5.1}% {:8.2} {:>9} {:>8} {:>7} {:>7} {:>4} {:5.0} {:>8}{}{}",
            if r.author == Author::Published { "P" } else { " " },
            r.subject.name(),
            r.op,
            r.per_second / 1e9,
            r.spread * 100.0,
            r.per_clock,
            optional(r.latency, 1),
            optional(r.vs_double, 3),
            optional(r.vs_native_add, 3),
            optional(r.of_limit, 3),
            r.resources.map_or(0, |r| r.registers),
            r.clock_mhz,
            optional(constant.map(|c| c.per_second / 1e9), 1),
            if r.resources.is_some_and(|r| r.local_bytes > 0) { " local memory" } else { "" },
            if r.in_range && constant.is_none_or(|c| c.in_range) { "" } else { " OUT OF RANGE" },
        );
    }
}

/// A line per type and figure: what was measured, the least that will do where it was missed.
fn print_targets(targets: &[Target]) {
    let mut lines: Vec<(Subject, &str, String)> = Vec::new();
    for t in targets {
        let cell = match (t.measured, t.holds()) {
            (Some(m), Some(true)) => format!(" {} {m:.3}", t.op),
            (Some(m), _) => format!(" {} {m:.3} MISSES {:.2}", t.op, t.least),
            (None, _) => format!(" {} not measured", t.op),
        };
        match lines.iter_mut().find(|(subject, figure, _)| (*subject, *figure) == (t.subject, t.figure.as_str())) {
            Some((_, _, line)) => *line += &cell,
            None => lines.push((t.subject, &t.figure, cell)),
        }
    }
    println!("\ntargets");
    for (subject, figure, line) in lines {
        println!("{:13} {figure}:{line}", subject.name());
    }
    let missed = targets.iter().filter(|t| t.holds() != Some(true)).count();
    println!("{} of {} reached", targets.len() - missed, targets.len());
}
