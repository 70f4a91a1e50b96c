//! What the rows of a run cost: the time of a sample and of an evaluation of a search, by row, in a file beside the results.

use super::row::Row;
use crate::error::Error;
use crate::{file, text};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// Cases, and the nanoseconds that they took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost(pub u64, pub u64);

impl Cost {
    /// Adds more cases.
    pub fn add(&mut self, Cost(cases, ns): Cost) {
        self.0 = self.0.saturating_add(cases);
        self.1 = self.1.saturating_add(ns);
    }

    fn each(self) -> Option<f64> {
        (self.0 > 0).then(|| self.1 as f64 / self.0 as f64)
    }
}

/// The costs of rows: of samples, and of evaluations of searches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Costs(BTreeMap<String, [Cost; 2]>);

const HEAD: &str = "# row\tsamples\tns\tevaluations of searches\tns";

impl Costs {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds what samples and evaluations of a row took.
    pub fn add(&mut self, row: &str, costs: [Cost; 2]) {
        if costs.iter().any(|c| c.0 > 0) {
            let sums = self.0.entry(row.into()).or_default();
            sums.iter_mut().zip(costs).for_each(|(sum, cost)| sum.add(cost));
        }
    }

    /// Adds those of another part.
    pub fn merge(&mut self, other: &Costs) {
        other.0.iter().for_each(|(row, &costs)| self.add(row, costs));
    }

    /// Nanoseconds of a sample and of an evaluation; about those of one core, where the row is not known.
    pub fn of(&self, row: &Row) -> (f64, f64) {
        const SAMPLE: f64 = 100.0;
        const EVALUATION: f64 = 100.0;
        let [samples, evaluations] = self.0.get(&row.to_string()).copied().unwrap_or_default();
        let usual = row.cost() as f64;
        (samples.each().unwrap_or(SAMPLE * usual), evaluations.each().unwrap_or(EVALUATION * usual))
    }

    /// As lines.
    pub fn to_text(&self) -> String {
        let mut text = format!("{HEAD}\n");
        for (row, [Cost(samples, a), Cost(evaluations, b)]) in &self.0 {
            // Writing to a string does not fail.
            let _ = writeln!(text, "{row}\t{samples}\t{a}\t{evaluations}\t{b}");
        }
        text
    }

    /// Reads such lines.
    pub fn read(path: &Path) -> Result<Costs, Error> {
        let mut costs = Costs::default();
        for (i, line) in file::read_regular(path)?.lines().enumerate() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (row, figures) = line.split_once('\t').unwrap_or((line, ""));
            let figures = figures.split('\t').map(|n| n.parse().ok()).collect::<Option<Vec<u64>>>();
            let Some([samples, a, evaluations, b]) = figures.as_deref() else {
                let reason = format!("line {}: expected a row and four whole numbers, with tabs between", i + 1);
                return Err(Error::Costs { name: text::path(path), reason });
            };
            costs.add(row, [Cost(*samples, *a), Cost(*evaluations, *b)]);
        }
        Ok(costs)
    }
}
