//! Result files as data: joined in any grouping they give the same, and no bytes make the program panic.

use proptest::prelude::*;
use std::sync::LazyLock;
use std::time::Duration;
use vernier_conformance::case::Level;
use vernier_conformance::subject::Host;
use vernier_conformance::table::{Plan, Results, Row, Run, Shard, merge, parse, run};

const COUNT: u64 = 4;

fn part(shard: Shard) -> Results {
    let wanted = |r: &Row| r.type_name() == "fp64mp2" && ["mul", "eq", "add"].contains(&r.op.to_string().as_str());
    let rows = Row::all().into_iter().filter(|r| wanted(r) && r.covers(Level::Mid));
    let plan = Plan {
        subject: "vernier".into(),
        seed: 3,
        samples: 5 << 14,
        searches: 3,
        evaluations: 500,
        search_seconds: None,
        rows: rows.map(|r| r.to_string()).collect(),
        special: false,
    };
    run(&Run { subject: &Host, plan, shard, checkpoint: None, save_every: Duration::ZERO }).unwrap()
}

static WHOLE: LazyLock<Results> = LazyLock::new(|| part(Shard::WHOLE));
static PARTS: LazyLock<Vec<Results>> =
    LazyLock::new(|| (1..=COUNT).map(|index| part(Shard { index, count: COUNT })).collect());

fn named(order: &[usize]) -> Vec<(String, Results)> {
    order.iter().map(|&i| (format!("part {i}"), PARTS[i].clone())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_order_of_all_parts_gives_the_whole(order in Just((0..COUNT as usize).collect::<Vec<_>>()).prop_shuffle()) {
        prop_assert_eq!(merge(named(&order)).unwrap(), WHOLE.clone());
    }

    #[test]
    fn any_other_choice_of_parts_is_refused(order in prop::collection::vec(0..COUNT as usize, 0..7)) {
        let mut sorted = order.clone();
        sorted.sort_unstable();
        prop_assume!(sorted != (0..COUNT as usize).collect::<Vec<_>>());
        prop_assert!(merge(named(&order)).is_err());
    }

    #[test]
    fn a_cut_file_is_refused(cut in any::<prop::sample::Index>()) {
        let text = PARTS[0].to_json();
        let cut = cut.index(text.trim_end().len());
        prop_assert!(parse("cut", &text[..cut]).is_err());
    }

    #[test]
    fn a_damaged_file_is_refused_or_merged(at in any::<prop::sample::Index>(), byte in 32u8..127, digits in any::<bool>()) {
        let mut text = PARTS[0].to_json().into_bytes();
        let places: Vec<usize> = (0..text.len()).filter(|&i| !digits || text[i].is_ascii_digit()).collect();
        text[places[at.index(places.len())]] = byte;
        let text = String::from_utf8(text).unwrap();
        if let Ok(damaged) = parse("damaged", &text) {
            let mut parts = named(&[1, 2, 3]);
            parts.push(("damaged".into(), damaged));
            let _ = merge(parts);
        }
    }

    #[test]
    fn any_text_is_refused(text in "\\PC{0,200}") {
        prop_assert!(parse("any", &text).is_err());
    }
}

#[test]
fn a_file_reads_back() {
    for results in PARTS.iter().chain([&*WHOLE]) {
        assert_eq!(&parse("file", &results.to_json()).unwrap(), results);
    }
}

#[test]
fn huge_counts_do_not_overflow() {
    let text = PARTS[1].to_json();
    let mut value: serde_json::Value = serde_json::from_str(&text).unwrap();
    for row in value["rows"].as_array_mut().unwrap() {
        for part in ["claimed", "other"] {
            row["tally"][part]["cases"] = u64::MAX.into();
            row["tally"][part]["u2"]["count"] = u64::MAX.into();
            row["tally"][part]["u2"]["sum"] = u128::MAX.to_string().into();
        }
        row["tally"]["answers"]["cases"] = u64::MAX.into();
    }
    let huge = parse("huge", &value.to_string()).unwrap();
    let mut parts = named(&[0, 2, 3]);
    parts.push(("huge".into(), huge));
    assert!(merge(parts).is_ok());
}
