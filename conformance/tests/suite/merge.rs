//! Result files as data: joined in any grouping they give the same, and no bytes make the program panic.

use crate::common::{measured, plan};
use proptest::prelude::*;
use std::sync::LazyLock;
use vernier_conformance::case::Level;
use vernier_conformance::report::{Results, merge, parse};
use vernier_conformance::subject::Host;
use vernier_conformance::table::{Row, Shard};

const COUNT: u64 = 4;

fn part(shard: Shard) -> Results {
    let wanted = |r: &Row| r.type_name() == "fp64mp2" && ["mul", "eq", "add"].contains(&r.op.to_string().as_str());
    let rows = Row::all().into_iter().filter(|r| wanted(r) && r.covers(Level::Mid));
    measured(&Host, plan(rows, [5 << 14, 3, 500]), shard)
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
fn damaged_figures_are_refused() {
    let whole: serde_json::Value = serde_json::from_str(&PARTS[1].to_json()).unwrap();
    let place = |key: &str| PARTS[1].rows.iter().position(|r| r.row == key).unwrap();
    let (mul, eq) = (place("fp64mp2 mul mid"), place("fp64mp2 eq all"));
    type Json = serde_json::Value;
    let refused = |at: &str, to: Json, part: &str| {
        let mut value = whole.clone();
        *value.pointer_mut(at).unwrap_or_else(|| panic!("{at}")) = to;
        let fault = parse("damaged", &value.to_string()).unwrap_err().to_string();
        assert!(fault.starts_with("damaged: ") && fault.contains(part), "{at}: {fault}");
    };
    let in_mul = |field: &str| format!("/rows/{mul}/{field}");
    let in_eq = |field: &str| format!("/rows/{eq}/{field}");
    for bad in ["NaN", "-1", "-inf"] {
        refused(&in_mul("tally/claimed/u2/max"), bad.into(), "tally.claimed.u2.max: expected an error of 0 or more");
        refused(&in_mul("searches/0/best/value"), bad.into(), "best.value: expected an error of 0 or more");
    }
    refused(&in_mul("tally/claimed/u2/max"), "0.001".into(), "tally.claimed.u2.sum");
    refused(&in_mul("tally/claimed/u2/at"), Json::Null, "tally.claimed.u2.at");
    // Block 0 is the first shard's.
    refused(&in_mul("tally/claimed/u2/at"), 5.into(), "expected the index of a case of this shard");
    refused(&in_mul("tally/claimed/u2/at"), u64::MAX.into(), "expected the index of a case of this shard");
    refused(&in_mul("tally/claimed/u2/count"), 7.into(), "expected");
    refused(&in_mul("tally/claimed/u2/sum"), u128::MAX.to_string().into(), "tally.claimed.u2.sum");
    refused(&in_mul("tally/claimed/cases"), u64::MAX.into(), "claimed.cases + other.cases: expected 16384");
    refused(&in_mul("tally/other/cases"), 0.into(), "claimed.cases + other.cases: expected 16384");
    refused(&in_mul("tally/answers/cases"), 1.into(), "answers.cases: expected 0");
    refused(&in_eq("tally/answers/cases"), u64::MAX.into(), "answers.cases: expected 16384");
    refused(&in_eq("tally/answers/wrong"), 3.into(), "answers.first");
    refused(&in_mul("searches/0/searches"), 3.into(), "searches: expected 1 by plan and shard, found 3");
    refused(&in_mul("searches/0/best/search"), 99.into(), "best.search: expected a search of this shard");
    refused(&in_mul("searches/0/best/value"), 4.75.into(), "the error of best.case, found 4.75");
    refused(&in_mul("searches/0/best/case"), "nonsense".into(), "best.case: expected a type");
    let other = "fp64mp2.high mul 3ff0000000000000:0000000000000000 3ff0000000000000:0000000000000000 = nan";
    refused(&in_mul("searches/0/best/case"), other.into(), "best.case: expected a case of fp64mp2.mid mul");
    refused(&in_mul("exhaustive"), true.into(), "exhaustive: expected false");
    refused("/plan/samples", u64::MAX.into(), "plan.samples: expected 1 to 2^48");
    refused("/plan/subject", "abacus".into(), "plan.subject: expected one of this program");
    refused("/shard/index", 9.into(), "shard: expected i/n");
    // The file of a shard does without a table; a whole one does not.
    let mut without: serde_json::Value = serde_json::from_str(&WHOLE.to_json()).unwrap();
    without["table"] = serde_json::json!([]);
    let fault = parse("damaged", &without.to_string()).unwrap_err().to_string();
    assert!(fault.contains("table: expected a line for each of"), "{fault}");
    refused("/deal", serde_json::json!([[1]]), "deal: expected an offset for the samples and each search of every row");
    refused(&format!("/table/{mul}/sampled/error"), "NaN".into(), "sampled.error: expected an error of 0 or more");
    refused(&format!("/table/{mul}/mean"), "NaN".into(), "mean: expected an error of 0 or more");
}
