//! Digits of the pi benchmark beside the published ones.
//!
//! Claims are the published values, from `fixtures/pi_values.tsv`, and the rule's own error: the midpoint rule with step h gives
//! pi + h^2 / 12 but for O(h^4) (Euler and Maclaurin), which leaves an exact computation -log10(h^2 / (12 pi)) digits.

use serde::{Deserialize, Serialize};
use vernier_gpu::bench::{Pi, Subject, pi_host};

const CLAIMS: &str = include_str!("../../fixtures/pi_values.tsv");
const PUBLISHED: &str = include_str!("../../fixtures/pi.tsv");

/// What is claimed of one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Claim {
    /// The value, to its last digit.
    Value(String),
    /// Correct digits, rounded to the places given here.
    Digits(String),
    /// At least so many correct digits.
    AtLeast(f64),
    /// At least so many correct digits with the partials summed in double.
    AtLeastSummedInDouble(f64),
    /// The digits that the midpoint rule leaves an exact computation, to 0.01.
    OfTheRule(f64),
    /// The host's partials to the bit.
    HostBits,
}

impl Claim {
    /// Whether a run fulfils it.
    pub fn holds(&self, pi: &Pi) -> bool {
        match self {
            Claim::Value(text) => pi.text == *text,
            Claim::Digits(text) => {
                let places = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
                format!("{:.places$}", pi.digits) == *text
            }
            Claim::AtLeast(least) => pi.digits >= *least,
            Claim::AtLeastSummedInDouble(least) => pi.digits_summed_in_double >= *least,
            Claim::OfTheRule(digits) => (pi.digits - digits).abs() <= 0.01,
            Claim::HostBits => pi.host_bits == Some(true),
        }
    }

    /// The claim in words.
    pub fn text(&self) -> String {
        match self {
            Claim::Value(text) => text.clone(),
            Claim::Digits(text) => format!("{text} digits"),
            Claim::AtLeast(least) => format!("at least {least} digits"),
            Claim::AtLeastSummedInDouble(least) => format!("at least {least} summed in double"),
            Claim::OfTheRule(digits) => format!("the rule's {digits:.2} digits"),
            Claim::HostBits => "the host's bits".into(),
        }
    }

    fn parse(figure: &str, claim: &str) -> Option<Claim> {
        Some(match figure {
            "value" => Claim::Value(claim.into()),
            "digits" => Claim::Digits(claim.into()),
            "at least" => Claim::AtLeast(claim.parse().ok()?),
            "at least, summed in double" => Claim::AtLeastSummedInDouble(claim.parse().ok()?),
            _ => return None,
        })
    }
}

/// One run of the benchmark with its claims.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Digits {
    /// `host`, or the device.
    pub place: String,
    /// The run.
    pub pi: Pi,
    /// Published digits.
    pub published: Option<f64>,
    /// The claims, each with whether it holds; none where nothing is claimed.
    pub claims: Vec<(Claim, bool)>,
}

impl Digits {
    /// A run held against its claims.
    pub fn new(place: &str, pi: Pi) -> Digits {
        let mut claims = claims(pi.subject, pi.log2_terms);
        claims.extend(pi.host_bits.map(|_| Claim::HostBits));
        let claims = claims.into_iter().map(|c| (c.holds(&pi), c)).map(|(holds, c)| (c, holds)).collect();
        Digits { place: place.into(), published: published(pi.subject, pi.log2_terms), pi, claims }
    }

    /// Whether every claim holds.
    pub fn holds(&self) -> bool {
        self.claims.iter().all(|(_, holds)| *holds)
    }
}

/// Every type on the host, with 2^20 terms, and with 2^26 unless `quick`; `float` with 2^28 too, double and packed high, which
/// is to be double, with 2^22 and 2^24.
pub fn on_host(quick: bool) -> Vec<Digits> {
    let mut runs: Vec<(Subject, u32)> = Subject::ALL.map(|s| (s, 20)).into();
    if !quick {
        runs.extend(Subject::pi().map(|s| (s, 26)));
        runs.push((Subject::Float, 28));
        runs.extend([22, 24].into_iter().flat_map(|k| [(Subject::Double, k), (Subject::Fp64emuHigh, k)]));
    }
    runs.into_iter().map(|(subject, k)| Digits::new("host", pi_host(subject, k))).collect()
}

fn claims(subject: Subject, k: u32) -> Vec<Claim> {
    let (name, terms) = (subject.name(), k.to_string());
    let claim = |line: &str| {
        let f: Vec<&str> = line.split('\t').collect();
        let &[ty, log2_terms, figure, claim] = f.as_slice() else { return None };
        if ty == name && log2_terms == terms { Claim::parse(figure, claim) } else { None }
    };
    let mut list: Vec<Claim> = CLAIMS.lines().filter_map(claim).collect();
    if subject.family() == "fp64mp2" {
        let relative = (-2.0 * f64::from(k)).exp2() / (12.0 * std::f64::consts::PI);
        list.push(Claim::OfTheRule(-relative.log10()));
    }
    list
}

/// Published digits with 2^`k` terms.
pub fn published(subject: Subject, k: u32) -> Option<f64> {
    let metric = if k == 26 { "correct_digits".into() } else { format!("correct_digits at 2^{k} terms") };
    let name = subject.published_name();
    PUBLISHED.lines().map(|l| l.split('\t').collect::<Vec<_>>()).find_map(|f| match f.as_slice() {
        &[ty, m, _, value] if ty == name && m == metric => value.parse().ok(),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_fixture_is_a_claim() {
        let read: usize = Subject::pi()
            .flat_map(|s| [20, 22, 24, 26, 28].map(|k| claims(s, k)))
            .flatten()
            .filter(|c| !matches!(c, Claim::OfTheRule(_)))
            .count();
        assert_eq!(read, CLAIMS.lines().count() - 1);
    }

    #[test]
    fn a_claim_can_fail() {
        let pi = pi_host(Subject::Float, 20);
        assert!(Claim::Digits("5.2".into()).holds(&pi) && !Claim::Digits("5.3".into()).holds(&pi));
        assert!(Claim::AtLeast(5.0).holds(&pi) && !Claim::AtLeast(6.0).holds(&pi));
        assert!(!Claim::AtLeastSummedInDouble(16.0).holds(&pi));
        assert!(Claim::Value(pi.text.clone()).holds(&pi) && !Claim::Value("3.14".into()).holds(&pi));
        assert!(!Claim::OfTheRule(13.62).holds(&pi) && !Claim::HostBits.holds(&pi));
    }

    #[test]
    fn published_digits_are_found() {
        assert_eq!(published(Subject::Float, 20), Some(5.2));
        assert_eq!(published(Subject::Fp64mp2Mid, 26), Some(17.2));
        assert_eq!(published(Subject::Double, 20), None);
        let emulated =
            [Subject::Fp64emuHigh, Subject::Fp64emuMid, Subject::Fp64emuUnpackedHigh, Subject::Fp64emuUnpackedLow];
        assert_eq!(emulated.map(|s| published(s, 26)), [14.8, 11.3, 16.1, 3.1].map(Some));
    }
}
