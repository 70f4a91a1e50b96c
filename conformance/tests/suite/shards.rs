//! Runs of many shards: even work, small files, and what `merge` says of a folder.

use crate::common::{Said, measured, plan, program, text, vernier};
use crate::tables::small;
use flate2::{Compression, write::GzEncoder};
use serde_json::Value as Json;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use vernier_conformance::report::Results;
use vernier_conformance::subject::Host;
use vernier_conformance::table::{BLOCK, Cost, Costs, Deal, Plan, Row, RowResult, Shard};

/// The largest load of a shard over the smallest.
fn unevenness(deal: &Deal, plan: &Plan, rows: &[Row], count: u64, costs: &Costs) -> f64 {
    let loads = deal.loads(plan, rows, count, costs);
    let (most, least) = (loads.iter().max().unwrap(), loads.iter().min().unwrap());
    *most as f64 / *least as f64
}

#[test]
fn shards_of_a_full_run_cost_the_same() {
    let rows = Row::all();
    let full = Plan { by_cost: true, ..plan(rows.clone(), [1 << 28, 64, 100_000_000]) };
    // An earlier run in which every seventh row took long.
    let mut earlier = Costs::default();
    for (i, row) in rows.iter().enumerate() {
        let each = if i % 7 == 0 { 30_000 } else { 50 + i as u64 };
        earlier.add(&row.to_string(), [Cost(1000, 1000 * each), Cost(500, 500 * each / 2)]);
    }
    for costs in [Costs::default(), earlier.clone()] {
        for count in [6, 10, 48, 64, 100, 384] {
            let deal = Deal::new(&full, &rows, count, &costs);
            let uneven = unevenness(&deal, &full, &rows, count, &costs);
            assert!(uneven <= 1.1, "{count} shards: {uneven}");
        }
    }
    // Dealt by case index alone they would not, nor by other costs than those that they have.
    let plain = unevenness(&Deal::default(), &full, &rows, 48, &Costs::default());
    assert!(plain > 1.3, "{plain}");
    let usual = Deal::new(&full, &rows, 384, &Costs::default());
    let uneven = unevenness(&usual, &full, &rows, 384, &earlier);
    let even = unevenness(&Deal::new(&full, &rows, 384, &earlier), &full, &rows, 384, &earlier);
    assert!(uneven > even, "{uneven}, {even}");
}

#[test]
fn every_unit_belongs_to_one_shard() {
    let rows = Row::all();
    let plan = plan(rows.clone(), [7 << 14, 5, 1000]);
    for count in [2, 3, 7, 100] {
        let deal = Deal::new(&plan, &rows, count, &Costs::default());
        for (i, row) in rows.iter().enumerate().step_by(17) {
            let lanes: Vec<_> = (1..=count).map(|index| deal.lanes(i, row, Shard { index, count })).collect();
            for unit in 0..7 {
                assert_eq!(lanes.iter().filter(|l| l.samples.has(unit)).count(), 1);
                assert!(
                    (0..row.searched().len()).all(|m| lanes.iter().filter(|l| l.searches[m].has(unit)).count() == 1)
                );
            }
        }
    }
}

fn shard(folder: &Path, shard: &str, more: &[&str]) -> Said {
    small(&[&["--shard", shard, "--out", text(folder)], more].concat())
}

#[test]
fn a_folder_is_merged_or_every_fault_named() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let whole = at("whole.json");
    small(&["--out", text(&whole)]).succeeded();
    (1..=4).for_each(|i| drop(shard(folder.path(), &format!("{i}/4"), &[]).succeeded()));
    fs::write(at("array"), "--time=5 cluster/vernier.sbatch program 4 DIR accuracy \n").unwrap();
    // Checkpoints and speeds are no results.
    fs::write(at("checkpoint-1-of-4.json"), "{").unwrap();
    let joined = at("joined.json");
    let merge = || vernier(&["merge", text(folder.path()), "-o", text(&joined)]);
    merge().succeeded();
    assert_eq!(fs::read_to_string(&joined).unwrap(), fs::read_to_string(&whole).unwrap());
    fs::remove_file(&joined).unwrap();

    let file = |i: u64| at(&format!("accuracy-{i}-of-4.json"));
    let second = fs::read_to_string(file(2)).unwrap();
    fs::write(file(2), &second[..second.len() / 2]).unwrap();
    fs::copy(file(1), at("accuracy-9-of-9.json")).unwrap();
    shard(folder.path(), "3/4", &["--seed", "7"]).succeeded();
    let version = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
    let fourth = fs::read_to_string(file(4)).unwrap();
    fs::write(file(4), fourth.replace(&version, "\"version\": \"9.9.9\"")).unwrap();
    let said = merge();
    for part in [
        "accuracy-2-of-4.json: expected a whole result file of this program: the file ends too early",
        "accuracy-3-of-4.json: expected the same seed as in ",
        "accuracy-4-of-4.json: expected the same version of this program as in ",
        "accuracy-9-of-9.json: expected every shard once, found 1/4 here and in ",
        "\nexpected all shards of the run, missing: 2-4 of 4\n",
        "\nto run them: sbatch --array=2-4 --time=5 cluster/vernier.sbatch program 4 DIR accuracy\n",
    ] {
        said.refused(part);
    }
    assert!(!joined.exists());

    // The line runs them, and then the whole is there.
    fs::remove_file(at("accuracy-9-of-9.json")).unwrap();
    (2..=4).for_each(|i| drop(shard(folder.path(), &format!("{i}/4"), &[]).succeeded()));
    let costs = at("costs.tsv");
    fs::write(&costs, "fp32mp2 to_i32 all\t10\t99999999\t10\t5\n").unwrap();
    shard(folder.path(), "4/4", &["--costs", text(&costs)]).succeeded();
    merge().refused("accuracy-4-of-4.json: expected the same deal of the work (--costs) as in ");
    fs::write(&costs, "fp32mp2 add\t1\n").unwrap();
    shard(folder.path(), "4/4", &["--costs", text(&costs)])
        .refused("costs.tsv: expected the costs.tsv of an earlier run: line 1");
    shard(folder.path(), "4/4", &[]).succeeded();
    merge().succeeded();
    assert_eq!(fs::read_to_string(&joined).unwrap(), fs::read_to_string(&whole).unwrap());
    let empty = tempfile::tempdir().unwrap();
    vernier(&["merge", text(empty.path())])
        .refused("expected result files of shards, as accuracy-1-of-8.json.gz, found none");
}

#[test]
fn reports_of_contracts_are_joined() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole.json");
    let run = ["conform", "--device", "host", "--filter", "fp64emu_high", "--cases", "64", "--out"];
    vernier(&[&run[..], &[text(&whole)]].concat()).succeeded();
    for i in ["1/3", "2/3", "3/3"] {
        vernier(&[&run[..], &[text(folder.path()), "--shard", i]].concat()).succeeded();
    }
    let merge = |more: &[&str]| vernier(&[&["merge", text(folder.path())], more].concat());
    let said = merge(&["--out", text(folder.path())]).succeeded();
    assert!(said.out.contains("every contract holds"), "{}", said.out);
    let read = |path: &Path| {
        let mut report: Json = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        for outcome in report["outcomes"].as_array_mut().unwrap() {
            outcome["seconds"] = 0.into();
        }
        report
    };
    assert_eq!(read(&folder.path().join("conform.json")), read(&whole));
    // A contract that does not hold in one part does not in the whole; other options are another run.
    let part = folder.path().join("conform-2-of-3.json");
    let sound = fs::read_to_string(&part).unwrap();
    fs::write(&part, sound.replacen("\"mismatches\": 0", "\"mismatches\": 1", 1)).unwrap();
    assert_eq!(merge(&[]).code, Some(1));
    fs::write(&part, sound.replacen("\"cases\": 64", "\"cases\": 65", 1)).unwrap();
    merge(&[]).refused("conform-2-of-3.json: expected the same options as in ");
    fs::remove_file(part).unwrap();
    merge(&[]).refused("missing: 2 of 3");
}

/// A row's results in block 0 as those in another.
fn moved(result: &RowResult, block: u64, exhaustive: bool) -> RowResult {
    let mut result = RowResult { exhaustive, ..result.clone() };
    let shift = |at: &mut Option<u64>| *at = at.map(|i| i + block * BLOCK);
    for part in [&mut result.tally.claimed, &mut result.tally.other] {
        for measure in [&mut part.u2, &mut part.ulp, &mut part.u2_of_terms, &mut part.ulp_wide] {
            shift(&mut measure.at);
        }
        part.mismatches.values_mut().for_each(|kind| kind.first += block * BLOCK);
    }
    shift(&mut result.tally.answers.first);
    result
}

/// Peak of memory in bytes and processor time in seconds of a program that is under way; none once it has ended.
#[cfg(target_os = "linux")]
fn used(id: u32) -> Option<(u64, f64)> {
    let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let peak = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    let peak: u64 = peak.trim().strip_suffix(" kB")?.parse().ok()?;
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
    // In hundredths of a second on every Linux.
    let ticks = fields[11].parse::<f64>().ok()? + fields[12].parse::<f64>().ok()?;
    Some((peak << 10, ticks / 100.0))
}

#[test]
#[cfg(target_os = "linux")]
fn many_parts_are_joined_in_little_time_and_memory() {
    // VERNIER_CASES sets their number: 2,000 in 20 s is what is asked.
    let count = std::env::var("VERNIER_CASES").map_or(400, |n| n.parse().expect("VERNIER_CASES is a number"));
    let rows: Vec<Row> = Row::all().into_iter().filter(|row| row.cost() == 1).collect();
    assert!(rows.len() > 500);
    // One real block of every row, and a search that found nothing, in the place of every shard's.
    let real = measured(&Host, plan(rows.clone(), [BLOCK, 1, 1]), Shard::WHOLE).rows;
    let whole = plan(rows.clone(), [count * BLOCK, 1, 1]);
    let deal = Deal::new(&whole, &rows, count, &Costs::default());
    let head = Results { deal: deal.clone(), ..Results::new(whole.clone(), None, Vec::new(), Vec::new()) };
    let folder = tempfile::tempdir().unwrap();
    let mut largest = 0;
    for index in 1..=count {
        let shard = Shard { index, count };
        let of = |(i, row): (usize, &Row)| {
            let lanes = deal.lanes(i, row, shard);
            let (samples, exhaustive) = whole.sample_count(row);
            let block = Some(lanes.samples.index - 1).filter(|&b| b < samples.div_ceil(BLOCK));
            let empty = || RowResult::empty(row, exhaustive);
            let mut result = block.map_or_else(empty, |b| moved(&real[i], b, exhaustive));
            for (search, lane) in result.searches.iter_mut().zip(&lanes.searches) {
                (search.searches, search.best) = (lane.own(1), None);
            }
            result
        };
        let rows = rows.iter().enumerate().map(of).collect();
        let part = Results { shard: Some(shard), rows, ..head.clone() };
        let path = folder.path().join(format!("accuracy-{index}-of-{count}.json.gz"));
        let mut file = GzEncoder::new(File::create(&path).unwrap(), Compression::fast());
        file.write_all(part.to_line().as_bytes()).unwrap();
        file.finish().unwrap();
        largest = largest.max(fs::metadata(&path).unwrap().len());
    }
    assert!(largest < 100_000, "{largest} bytes");

    let joined = folder.path().join("joined.json");
    let mut child = program()
        .args(["merge", text(folder.path()), "-o", text(&joined)])
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let (mut memory, mut seconds) = (0, 0.0);
    while let Some(now) = used(child.id()) {
        (memory, seconds) = now;
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    // A bound may fail on blocks that stand for others: what counts is that the whole was joined.
    assert!(child.wait().unwrap().code().is_some_and(|code| code < 2));
    println!("{largest} bytes at most, {seconds} s, {} MB", memory >> 20);
    assert!(memory < 1 << 30 && seconds < 0.01 * count as f64, "{} MB, {seconds} s", memory >> 20);
    let joined: Json = serde_json::from_str(&fs::read_to_string(&joined).unwrap()).unwrap();
    assert_eq!(joined["table"].as_array().unwrap().len(), rows.len());
}
