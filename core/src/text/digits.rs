//! The exact decimal expansion of a fixed-point number, and its roundings.

use core::cmp::Ordering;

use super::fixed::Fixed;

/// Digits in a word.
const GROUP: usize = 19;
/// One spare zero, 17 groups before the point (below 10^310) and 57 behind it (multiples of 2^-1075).
const CAPACITY: usize = 1 + GROUP * (17 + 57);

/// Decimal digits as numbers 0 to 9. The first is a spare zero into which rounding may carry.
pub(super) struct Digits {
    digits: [u8; CAPACITY],
    len: usize,
    /// Index of the first significant digit; `len` if there is none.
    first: usize,
    /// Index of the first digit behind the point.
    point: isize,
}

/// Where expansions that are compared digit by digit begin.
#[derive(Clone, Copy)]
struct Grid {
    /// Groups before the point.
    integer: usize,
    /// Groups left out behind the point.
    skipped: usize,
}

impl Digits {
    /// All digits of x.
    pub(super) fn new(x: &Fixed) -> Self {
        let mut digits = Self::expand(x, None).0;
        digits.trim();
        digits
    }

    /// The digits of the decimal number with the fewest digits between `low` and `high`, and of these the nearest to `v`
    /// (ties to even). low < v <= high, all positive; an end belongs to the range if its flag is true.
    pub(super) fn shortest(low: (&Fixed, bool), v: &Fixed, high: (&Fixed, bool)) -> Self {
        let ((low, low_in), (high, high_in)) = (low, high);
        let (high, grid) = Self::expand(high, None);
        let low = Self::expand(low, Some(grid)).0;
        let mut v = Self::expand(v, Some(grid)).0;

        let (low_end, high_end) = (low.end(), high.end());
        let mut above_low = false;
        // high less v, both cut after n digits, in units of the last; 2 stands for more.
        let mut gap = 0;
        for n in 1..=v.len {
            above_low |= v.at(n - 1) != low.at(n - 1);
            gap = (10 * gap + i32::from(high.at(n - 1)) - i32::from(v.at(n - 1))).min(2);
            let down = above_low || low_in && n >= low_end;
            let up = gap >= 1 && (high_in || gap > 1 || n < high_end);
            if down || up {
                v.cut(n, up && (!down || v.rounds_up(n)));
                break;
            }
        }
        v.trim();
        v
    }

    /// Rounds to `n` significant digits, ties to even. With n = 0 that leaves 0 or a one before the first digit, with less 0.
    pub(super) fn round(&mut self, n: isize) {
        if n < 0 {
            self.len = self.first;
            return;
        }
        let n = self.first + n as usize;
        if n < self.len {
            let up = self.rounds_up(n);
            self.cut(n, up);
            self.trim();
        }
    }

    /// From the first digit that is not 0 to the last.
    pub(super) fn significant(&self) -> &[u8] {
        &self.digits[self.first..self.len]
    }

    /// Digits before the point; if negative, minus the zeros between the point and the first digit. 0 for 0.
    pub(super) fn before_point(&self) -> isize {
        if self.first == self.len { 0 } else { self.point - self.first as isize }
    }

    fn at(&self, i: usize) -> u8 {
        if i < self.len { self.digits[i] } else { 0 }
    }

    /// One past the last digit that is not 0.
    fn end(&self) -> usize {
        self.digits[..self.len].iter().rposition(|&d| d != 0).map_or(0, |i| i + 1)
    }

    /// Whether the nearest number with digits up to `n` lies above.
    fn rounds_up(&self, n: usize) -> bool {
        let rest = &self.digits[n.min(self.len)..self.len];
        match rest.first().map_or(Ordering::Less, |d| d.cmp(&5)) {
            Ordering::Equal => rest[1..].iter().any(|&d| d != 0) || n > 0 && self.digits[n - 1] % 2 == 1,
            order => order == Ordering::Greater,
        }
    }

    /// Drops the digits from `n` on, n > 0, and adds one to the last digit left if `up`.
    fn cut(&mut self, n: usize, up: bool) {
        self.len = n;
        if up {
            let kept = &mut self.digits[..n];
            let nines = kept.iter().rev().take_while(|&&d| d == 9).count();
            kept[n - nines..].fill(0);
            kept[n - nines - 1] += 1;
        }
    }

    /// Finds the first significant digit and drops zeros behind the last.
    fn trim(&mut self) {
        self.len = self.end();
        self.first = self.digits[..self.len].iter().position(|&d| d != 0).unwrap_or(self.len);
    }

    /// All digits of x, on its own grid or on that of a number not below it.
    fn expand(x: &Fixed, grid: Option<Grid>) -> (Self, Grid) {
        let mut x = *x;
        let mut integer = [0; 17];
        let mut count = 0;
        while let Some(group) = x.pop_integer() {
            integer[count] = group;
            count += 1;
        }
        let own = grid.is_none();
        let mut grid = grid.unwrap_or(Grid { integer: count, skipped: 0 });

        let mut digits = Self { digits: [0; CAPACITY], len: 1, first: 1, point: 0 };
        for &group in integer[..grid.integer].iter().rev() {
            digits.push(group);
        }
        let mut index = 0;
        while let Some(group) = x.pop_fraction() {
            if own && grid.integer == 0 && grid.skipped == index && group == 0 {
                grid.skipped += 1;
            }
            if index >= grid.skipped {
                digits.push(group);
            }
            index += 1;
        }
        digits.point = 1 + GROUP as isize * (grid.integer as isize - grid.skipped as isize);
        (digits, grid)
    }

    fn push(&mut self, mut group: u64) {
        for digit in self.digits[self.len..self.len + GROUP].iter_mut().rev() {
            *digit = (group % 10) as u8;
            group /= 10;
        }
        self.len += GROUP;
    }
}
