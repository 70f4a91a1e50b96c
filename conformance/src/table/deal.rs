//! How the units of a run are dealt to its shards, so that each has about as much to do.
//!
//! Unit `i` of a row, a block of samples or a search, belongs to shard `(i + offset) mod n`, with an offset of each row and kind.
//! Whole rounds are even whatever the offsets; those of the last rounds are chosen so that the units left over, the dearest first, go
//! where the least is to be done (Graham 1969).

use super::check::{Check, expect};
use super::costs::Costs;
use super::results::{BLOCK, Lanes, Plan, Shard};
use super::row::Row;
use super::search;
use serde::{Deserialize, Serialize};

/// The offsets of each row of a plan: of its samples, then of its searches in each metric. None for a whole run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Deal(Vec<Vec<u64>>);

/// Units of one kind: how many, and what each costs in nanoseconds.
struct Units {
    row: usize,
    kind: usize,
    count: u64,
    cost: u64,
}

/// The units of all rows, by kind.
fn units(plan: &Plan, rows: &[Row], costs: &Costs) -> Vec<Units> {
    let of = |(i, row): (usize, &Row)| {
        let (samples, _) = plan.sample_count(row);
        let (sample, evaluation) = costs.of(row);
        let cost = |cases: u64, each: f64| ((cases as f64 * each) as u64).max(1);
        let blocks = Units { row: i, kind: 0, count: samples.div_ceil(BLOCK), cost: cost(samples.min(BLOCK), sample) };
        let search = match plan.search_seconds {
            Some(s) => s.saturating_mul(1_000_000_000),
            None => cost(search::evaluations(row, plan.evaluations(row)), evaluation),
        };
        let searches =
            (1..=row.searched().len()).map(move |kind| Units { row: i, kind, count: plan.searches, cost: search });
        std::iter::once(blocks).chain(searches)
    };
    rows.iter().enumerate().flat_map(of).collect()
}

impl Deal {
    /// Whether it is that of a whole run.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The deal of a plan to so many shards.
    pub fn new(plan: &Plan, rows: &[Row], count: u64, costs: &Costs) -> Deal {
        // More shards than that have nothing to be even about.
        if count == 1 || count > 1 << 20 {
            return Deal::default();
        }
        let mut deal = Deal(rows.iter().map(|row| vec![0; 1 + row.searched().len()]).collect());
        let mut units = units(plan, rows, costs);
        units.sort_by_key(|u| std::cmp::Reverse(u.cost));
        let mut load = vec![0_u128; count as usize];
        let mut next = 0;
        for u in units {
            let left = (u.count % count) as usize;
            if left == 0 {
                continue;
            }
            let start = lightest(&load, left, next);
            deal.0[u.row][u.kind] = start as u64;
            (start..start + left).for_each(|i| load[i % count as usize] += u128::from(u.cost));
            next = (start + left) % count as usize;
        }
        deal
    }

    /// What a shard has of row number `row`.
    pub fn lanes(&self, row: usize, of: &Row, shard: Shard) -> Lanes {
        let lane = |kind| self.lane(row, kind, shard);
        Lanes { samples: lane(0), searches: (1..=of.searched().len()).map(lane).collect() }
    }

    fn lane(&self, row: usize, kind: usize, shard: Shard) -> Shard {
        let offset = self.0.get(row).and_then(|kinds| kinds.get(kind)).copied().unwrap_or(0) % shard.count;
        let back = if shard.index > offset { 0 } else { shard.count };
        Shard { index: back.wrapping_add(shard.index).wrapping_sub(offset), ..shard }
    }

    /// What each shard costs, in nanoseconds.
    pub fn loads(&self, plan: &Plan, rows: &[Row], count: u64, costs: &Costs) -> Vec<u128> {
        let units = units(plan, rows, costs);
        let shard = |index| {
            let own = |u: &Units| {
                let lane = self.lane(u.row, u.kind, Shard { index, count });
                u128::from(lane.own(u.count)) * u128::from(u.cost)
            };
            units.iter().map(own).sum()
        };
        (1..=count).map(shard).collect()
    }

    /// Whether it can be one of a plan.
    pub fn check(&self, rows: &[Row]) -> Check {
        let fits = |(kinds, row): (&Vec<u64>, &Row)| kinds.len() == 1 + row.searched().len();
        expect(self.0.is_empty() || (self.0.len() == rows.len() && self.0.iter().zip(rows).all(fits)), || {
            "deal: expected an offset for the samples and each search of every row".into()
        })
    }
}

/// Where the window of so many neighbours, which goes on at the start after the end, has the least load; the first from `next` on.
fn lightest(load: &[u128], width: usize, next: usize) -> usize {
    let n = load.len();
    let mut sum: u128 = (next..next + width).map(|i| load[i % n]).sum();
    let (mut best, mut at) = (sum, next);
    for start in next + 1..next + n {
        sum = sum - load[(start - 1) % n] + load[(start + width - 1) % n];
        if sum < best {
            (best, at) = (sum, start % n);
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::lightest;

    #[test]
    fn the_lightest_window() {
        assert_eq!(lightest(&[3, 1, 2, 5], 1, 0), 1);
        assert_eq!(lightest(&[3, 1, 2, 5], 2, 3), 1);
        assert_eq!(lightest(&[1, 9, 9, 1], 2, 0), 3);
        assert_eq!([0, 1].map(|next| lightest(&[1, 1], 1, next)), [0, 1]);
    }
}
