//! Summaries and confidence bounds.

use proptest::prelude::*;
use vernier_oracle::{Domain, Measure, Mismatch, Summary, Verdict, rate_upper_bound};

/// `P(X <= k)` for a binomial X, summed by its terms.
fn binomial_cdf(k: u64, n: u64, p: f64) -> f64 {
    let mut log_term = n as f64 * (-p).ln_1p();
    let mut total = log_term.exp();
    for i in 1..=k {
        log_term += ((n - i + 1) as f64 / i as f64 * p).ln() - (-p).ln_1p();
        total += log_term.exp();
    }
    total
}

#[test]
fn rate_bound_leaves_one_percent() {
    for n in [1, 10, 300, 1 << 20, 1 << 32] {
        for k in [0, 1, 2, 7, 100, 1 << 19].into_iter().filter(|&k| k < n) {
            let p = rate_upper_bound(k, n, 0.99);
            let tail = binomial_cdf(k, n, p);
            assert!((tail - 0.01).abs() < 1e-6, "{k} of {n}: {p} leaves {tail}");
        }
    }
    assert_eq!(rate_upper_bound(5, 5, 0.99), 1.0);
    assert_eq!(rate_upper_bound(0, 0, 0.99), 1.0);
}

fn verdict() -> impl Strategy<Value = Verdict> {
    let error = prop_oneof![Just(0.0), Just(1.5), Just(f64::INFINITY), 0.0..10.0, 0.0..1e30];
    let domain = prop_oneof![Just(Domain::Moderate), Just(Domain::Wide), Just(Domain::Special)];
    let mismatch = prop_oneof![4 => Just(None), 1 => Just(Some(Mismatch::Nan)), 1 => Just(Some(Mismatch::ZeroSign))];
    (error, domain, mismatch).prop_map(|(e, domain, mismatch)| Verdict {
        mismatch,
        domain,
        u2: e,
        ulp: e / 3.0,
        u2_of_terms: e / 7.0,
    })
}

fn summary(cases: &[(u64, Verdict)]) -> Summary {
    let mut s = Summary::default();
    cases.iter().for_each(|(i, v)| s.add(*i, v));
    s
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_split_gives_the_same_summary(
        verdicts in prop::collection::vec(verdict(), 0..60),
        cuts in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
    ) {
        let cases: Vec<_> = verdicts.into_iter().enumerate().map(|(i, v)| (i as u64, v)).collect();
        let whole = summary(&cases);
        let (a, b) = (cuts.0.index(cases.len() + 1), cuts.1.index(cases.len() + 1));
        let (a, b) = (a.min(b), a.max(b));
        let parts = [summary(&cases[..a]), summary(&cases[a..b]), summary(&cases[b..])];
        for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
            let mut merged = Summary::default();
            order.iter().for_each(|&i| merged.merge(&parts[i]));
            prop_assert_eq!(&merged, &whole);
        }
        let mut right = parts[1].clone();
        right.merge(&parts[2]);
        let mut merged = parts[0].clone();
        merged.merge(&right);
        prop_assert_eq!(&merged, &whole);

        let text = serde_json::to_string(&whole).unwrap();
        prop_assert_eq!(serde_json::from_str::<Summary>(&text).unwrap(), whole);
    }
}

#[test]
fn maximum_mean_and_ties() {
    let mut m = Measure::default();
    assert_eq!((m.mean(), m.at), (None, None));
    for (i, e) in [(7, 0.5), (3, 2.0), (2, 2.0), (9, 2.0), (1, 0.25)] {
        m.add(i, e);
    }
    assert_eq!((m.count, m.max, m.at), (5, 2.0, Some(2)));
    assert!((m.mean().unwrap() - 1.35).abs() < 1e-9);
    m.add(10, f64::INFINITY);
    assert_eq!((m.max, m.at, m.capped), (f64::INFINITY, Some(10), 1));
    assert!(m.mean().unwrap() > 1e13);
}
