//! The result files of a folder.

use crate::advise::{self, Advice};
use crate::compare;
use crate::error::Error;
use crate::functions::{self, How};
use crate::report::{self, Comparison, Results};
use crate::{file, speed, text};
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};

/// What a page shows.
#[derive(Clone, Debug, Default)]
pub struct Input {
    /// The accuracy table.
    pub accuracy: Option<Results>,
    /// Digits and speed.
    pub speed: Option<speed::Results>,
    /// Functions, each with the name of its file.
    pub functions: Vec<(String, functions::Results)>,
    /// Speeds of places, each with the name of its file.
    pub bench: Vec<(String, speed::Report)>,
    /// Which types kernels should use.
    pub advice: Vec<Advice>,
    /// What changed in the tables since earlier ones.
    pub comparison: Option<Comparison>,
    /// The same of speeds of a place.
    pub bench_comparison: Option<Comparison>,
}

#[derive(Deserialize)]
struct Head {
    format: String,
}

impl Input {
    /// Reads all result files of a folder; other files are passed over.
    ///
    /// # Errors
    /// If the folder cannot be read, has no result file, or one that is broken.
    pub fn read(folder: &Path) -> Result<Input, Error> {
        let fault = |error| Error::Read { name: text::path(folder), error };
        let entries = fs::read_dir(folder).map_err(fault)?;
        let mut paths: Vec<_> = entries.filter_map(|entry| entry.ok().map(|e| e.path())).collect();
        paths.retain(|path| path.is_file() && path.extension().is_some_and(|e| e == "json"));
        paths.sort();
        let mut input = Input::default();
        for path in paths {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let Ok(head) = serde_json::from_str::<Head>(&file::read_regular(&path)?) else {
                // Speeds of one place have no format.
                input.bench.extend(speed::read_report(&path).ok().map(|report| (name, report)));
                continue;
            };
            match head.format.as_str() {
                report::FORMAT => {
                    let results = report::read(&path)?;
                    if results.shard.is_none() {
                        input.speed = input.speed.or(results.speed.clone());
                        input.accuracy = Some(results);
                    }
                }
                speed::FORMAT => input.speed = Some(speed::read(&path)?),
                functions::FORMAT => input.functions.push((name, functions::read(&path)?)),
                advise::FORMAT => input.advice.push(advise::read(&path)?),
                _ => {}
            }
        }
        let lists = [input.functions.is_empty(), input.bench.is_empty(), input.advice.is_empty()];
        if input.accuracy.is_none() && input.speed.is_none() && lists == [true; 3] {
            let name = text::path(folder);
            return Err(Error::Nothing(format!("{name} has no result file of tables, functions, speed or advice")));
        }
        Ok(input)
    }

    /// The results of tables.
    pub fn of_tables(results: &Results) -> Input {
        Input {
            accuracy: Some(results.clone()),
            speed: results.speed.clone(),
            comparison: results.comparison.clone(),
            ..Input::default()
        }
    }

    /// Writes the page; its name.
    ///
    /// # Errors
    /// If it cannot be drawn or written.
    pub fn write(&self, path: &Path) -> Result<PathBuf, Error> {
        file::write(path, &super::page(self).map_err(Error::Usage)?)?;
        Ok(path.into())
    }

    /// Holds the results against those of an earlier folder.
    pub fn compare(&mut self, name: &str, old: &Input) {
        if let (Some(old), Some(new)) = (&old.accuracy, &self.accuracy) {
            self.comparison = Some(compare::compare(name, old, new));
        }
        for (file, results) in &mut self.functions {
            if let Some((_, old)) = old.functions.iter().find(|(other, _)| other == file) {
                results.comparison = Some(functions::compare(name, old, results));
            }
        }
    }

    /// What was measured, on what, a sentence a file.
    pub fn sentences(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (_, r) in &self.functions {
            let exhaustive = r.rows.iter().filter(|row| row.how == How::Exhaustive).count();
            let cases: u64 = r.rows.iter().map(|row| row.cases).sum();
            lines.push(format!(
                "{} functions of {}, {exhaustive} of them with every input, {} results in all.",
                r.rows.len(),
                r.subject,
                text::figure(cases as f64, 3),
            ));
        }
        for (_, r) in &self.bench {
            let operations = r.rows().count() + r.functions.len();
            lines.push(format!(
                "Speed on {}: {operations} operations and functions, {} runs of the pi benchmark.",
                r.place,
                r.pi.len()
            ));
        }
        for a in &self.advice {
            lines.push(format!("{} in {} types, {} items.", a.kernel, a.candidates.len(), a.items));
        }
        if let Some(r) = &self.accuracy {
            lines.push(format!(
                "{} rows of the accuracy table, {} samples and {} searches a row, seed {}.",
                r.table.len(),
                r.plan.samples,
                r.plan.searches,
                r.plan.seed
            ));
        }
        if let Some(r) = &self.speed {
            let places: Vec<&str> = r.measured.iter().map(|m| m.place.as_str()).collect();
            let on = if places.is_empty() { "no device".into() } else { places.join(", ") };
            lines.push(format!("Digits of {} runs of the pi benchmark; speed on {on}.", r.digits.len()));
        }
        let build = self.functions.first().map(|f| &f.1.build);
        let build = build.or(self.accuracy.as_ref().map(|r| &r.build)).or(self.speed.as_ref().map(|r| &r.build));
        if let Some(b) = build {
            lines.push(format!("By vernier {}, {}, {}, MPFR {}.", b.version, b.rustc, b.target, b.mpfr));
        }
        lines
    }
}
