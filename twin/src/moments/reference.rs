//! Frame moments as the CPU does it.

use super::EXACT;
use super::model::Sums;
use crate::frame::{Plane, Samples};
use rayon::prelude::*;

/// Mean and mean square in raster order: the reference.
pub fn reference(plane: &Plane) -> [f64; 2] {
    let from = Running { sum: 0.0, squares: 0.0 };
    match plane.samples() {
        Samples::U8(s) => from.raster(plane.rows(s), plane),
        Samples::U16(s) => from.raster(plane.rows(s), plane),
    }
}

/// The same bits on all cores.
///
/// While the sum of squares is exact it is formed in integers and in any order; from the row on in which it may no longer
/// be, in raster order.
pub fn parallel(plane: &Plane) -> [f64; 2] {
    match plane.samples() {
        Samples::U8(s) => by_rows(plane, &plane.rows(s).collect::<Vec<_>>(), Sums::of_bytes),
        Samples::U16(s) => by_rows(plane, &plane.rows(s).collect::<Vec<_>>(), Sums::of_words),
    }
}

fn by_rows<T: Copy + Into<f32> + Sync>(plane: &Plane, rows: &[&[T]], sums: fn(&[T]) -> Sums) -> [f64; 2] {
    let of_rows: Vec<Sums> = rows.par_iter().with_min_len(16).map(|row| sums(row)).collect();
    let (mut exact, mut done) = (Sums::default(), 0);
    for row in of_rows {
        let next = exact + row;
        if next.squares > EXACT {
            break;
        }
        (exact, done) = (next, done + 1);
    }
    let [scale, square_scale] = Sums::scales(plane.bits());
    let from = Running { sum: exact.sum as f64 * scale, squares: exact.squares as f64 * square_scale };
    from.raster(rows[done..].iter().copied(), plane)
}

/// The two doubles.
struct Running {
    sum: f64,
    squares: f64,
}

impl Running {
    /// Adds rows, and divides by the pixels of the plane.
    fn raster<'s, T: Copy + Into<f32> + 's>(mut self, rows: impl Iterator<Item = &'s [T]>, plane: &Plane) -> [f64; 2] {
        let scale = (1u32 << (plane.bits() - 8)) as f32;
        for row in rows {
            for &s in row {
                let v: f32 = s.into() / scale;
                self.sum += f64::from(v);
                self.squares += f64::from(v * v);
            }
        }
        let n = plane.pixels() as f64;
        [self.sum / n, self.squares / n]
    }
}
