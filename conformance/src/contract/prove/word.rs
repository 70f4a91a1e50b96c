//! Words as signals, the least significant first.

use super::circuit::{Circuit, FALSE, Signal, TRUE};

/// The bits of a value.
pub(super) type Word = Vec<Signal>;

pub(super) fn constant(bits: u64, width: usize) -> Word {
    (0..width as u32).map(|i| (bits.checked_shr(i).unwrap_or(0) & 1) as Signal).collect()
}

pub(super) fn not(a: &[Signal]) -> Word {
    a.iter().map(|x| x ^ 1).collect()
}

impl Circuit {
    pub fn map2(&mut self, a: &[Signal], b: &[Signal], f: fn(&mut Self, Signal, Signal) -> Signal) -> Word {
        a.iter().zip(b).map(|(&a, &b)| f(self, a, b)).collect()
    }

    pub fn select(&mut self, m: Signal, a: &[Signal], b: &[Signal]) -> Word {
        a.iter().zip(b).map(|(&a, &b)| self.choice(m, a, b)).collect()
    }

    /// a + b + carry, and the carry out of it.
    pub fn add(&mut self, a: &[Signal], b: &[Signal], mut carry: Signal) -> (Word, Signal) {
        let sum = a.iter().zip(b).map(|(&a, &b)| {
            let half = self.xor(a, b);
            let s = self.xor(half, carry);
            carry = self.choice(half, carry, a);
            s
        });
        let sum = sum.collect();
        (sum, carry)
    }

    pub fn sub(&mut self, a: &[Signal], b: &[Signal]) -> Word {
        self.add(a, &not(b), TRUE).0
    }

    /// The product of all bits. Of a run of equal signals, as -x has them above x, the ends are added and subtracted (Booth
    /// 1951).
    pub fn mul(&mut self, a: &[Signal], b: &[Signal]) -> Word {
        const RUN: usize = 3;
        let rows = |b: &[Signal]| b.chunk_by(|x, y| x == y).map(|run| run.len().min(RUN)).sum::<usize>();
        let (a, b) = if rows(a) < rows(b) { (b, a) } else { (a, b) };
        let n = a.len() + b.len();
        let mut sum = constant(0, n);
        let mut start = 0;
        for run in b.chunk_by(|x, y| x == y) {
            let row = |circuit: &mut Self, place: usize| {
                let mut row = constant(0, n);
                for (to, &a) in row[place..].iter_mut().zip(a) {
                    *to = circuit.and(a, run[0]);
                }
                row
            };
            if run[0] == FALSE {
            } else if run.len() < RUN {
                for place in start..start + run.len() {
                    let row = row(self, place);
                    sum = self.add(&sum, &row, FALSE).0;
                }
            } else {
                let (above, below) = (row(self, start + run.len()), row(self, start));
                let sum_ = self.add(&sum, &above, FALSE).0;
                sum = self.sub(&sum_, &below);
            }
            start += run.len();
        }
        sum
    }

    /// a < b, unsigned: the highest bit that differs decides.
    pub fn less(&mut self, a: &[Signal], b: &[Signal]) -> Signal {
        a.iter().zip(b).fold(FALSE, |less, (&a, &b)| {
            let differ = self.xor(a, b);
            self.choice(differ, b, less)
        })
    }

    pub fn less_signed(&mut self, a: &[Signal], b: &[Signal]) -> Signal {
        let flipped = |x: &[Signal]| {
            let mut x = x.to_vec();
            if let Some(sign) = x.last_mut() {
                *sign ^= 1;
            }
            x
        };
        self.less(&flipped(a), &flipped(b))
    }

    /// Whether a bit is set. In the order of [`Circuit::less`], so that x < 1 is x = 0.
    pub fn any(&mut self, a: &[Signal]) -> Signal {
        a.iter().fold(FALSE, |any, &x| self.or(x, any))
    }

    pub fn equal(&mut self, a: &[Signal], b: &[Signal]) -> Signal {
        let differing = self.map2(a, b, Self::xor);
        self.any(&differing) ^ 1
    }

    /// `a` shifted by `n` modulo its width, which is a power of two; `fill` comes in.
    pub fn shift(&mut self, a: &[Signal], n: &[Signal], left: bool, fill: Signal) -> Word {
        let width = a.len();
        let mut a = a.to_vec();
        for (stage, &moved) in n.iter().enumerate().take(width.trailing_zeros() as usize) {
            let by = 1 << stage;
            let shifted: Word = (0..width)
                .map(|i| {
                    let from = if left { i.checked_sub(by) } else { Some(i + by).filter(|&j| j < width) };
                    from.map_or(fill, |j| a[j])
                })
                .collect();
            a = self.select(moved, &shifted, &a);
        }
        a
    }

    /// Leading zeros, as 32 bits.
    pub fn leading_zeros(&mut self, a: &[Signal]) -> Word {
        let mut count = self.zeros(a);
        count.resize(32, FALSE);
        count
    }

    fn zeros(&mut self, a: &[Signal]) -> Word {
        if let [bit] = a {
            return vec![bit ^ 1];
        }
        // Both halves count to their width; the highest bit of the count says that all is zero.
        let (low, high) = a.split_at(a.len() / 2);
        let (low, high) = (self.zeros(low), self.zeros(high));
        let all = high.len() - 1;
        let (empty, rest) = (high[all], low[all]);
        let both = self.and(empty, rest);
        let mut count = self.select(empty, &low[..all], &high[..all]);
        count.push(self.and(empty, rest ^ 1));
        count.push(both);
        count
    }
}

#[cfg(test)]
mod tests {
    use super::super::circuit::{Answer, LANES};
    use super::*;

    /// Whether a circuit gives these bits for these operands.
    fn gives(operands: &[u64], width: usize, expected: u64, f: impl Fn(&mut Circuit, &[Word]) -> Word) -> bool {
        let mut c = Circuit::new();
        let inputs: Vec<Word> = operands.iter().map(|_| (0..width).map(|_| c.input([0; LANES])).collect()).collect();
        let result = f(&mut c, &inputs);
        // The operands are inputs that are asked to be so, in order that the gates are tried and not folded.
        let mut wrong = FALSE;
        for (i, &r) in result.iter().enumerate() {
            let differs = r ^ (expected >> i & 1) as Signal;
            wrong = c.or(wrong, differs);
        }
        for (word, &bits) in inputs.iter().zip(operands) {
            for (i, &x) in word.iter().enumerate() {
                wrong = c.and(wrong, x ^ 1 ^ (bits >> i & 1) as Signal);
            }
        }
        c.can_be_true(&[wrong], 10_000) == Answer::Never
    }

    #[test]
    fn words_compute() {
        let patterns = [0u32, 1, 2, 3, 31, 32, 33, 0x8000_0000, 0x7fff_ffff, 0xffff_ffff, 0x1234_5678, 0xf000_000f];
        for a in patterns {
            for b in patterns {
                let args = [u64::from(a), u64::from(b)];
                let check = |expected: u32, f: &dyn Fn(&mut Circuit, &[Word]) -> Word| {
                    assert!(gives(&args, 32, expected.into(), f), "{a:x} {b:x} {expected:x}");
                };
                check(a.wrapping_add(b), &|c, x| c.add(&x[0], &x[1], FALSE).0);
                check(a.wrapping_sub(b), &|c, x| c.sub(&x[0], &x[1]));
                check((a < b).into(), &|c, x| vec![c.less(&x[0], &x[1])]);
                check(((a as i32) < b as i32).into(), &|c, x| vec![c.less_signed(&x[0], &x[1])]);
                check((a == b).into(), &|c, x| vec![c.equal(&x[0], &x[1])]);
                check(a.wrapping_shl(b), &|c, x| c.shift(&x[0], &x[1], true, FALSE));
                check(a.wrapping_shr(b), &|c, x| c.shift(&x[0], &x[1], false, FALSE));
                check((a as i32).wrapping_shr(b) as u32, &|c, x| c.shift(&x[0], &x[1], false, x[0][31]));
                check(a.leading_zeros(), &|c, x| c.leading_zeros(&x[0]));
                let product = u64::from(a) * u64::from(b);
                check(product as u32, &|c, x| c.mul(&x[0], &x[1])[..32].to_vec());
                check((product >> 32) as u32, &|c, x| c.mul(&x[0], &x[1])[32..].to_vec());
                // Runs of one signal.
                let spread = |x: &Word| -> Word {
                    (0..32)
                        .map(|i| {
                            if i < 9 {
                                x[i]
                            } else if i < 30 {
                                x[9]
                            } else {
                                x[10]
                            }
                        })
                        .collect()
                };
                let middle = if b >> 9 & 1 == 1 { 0x3fff_fe00 } else { 0 };
                let run = b & 0x1ff | middle | ((b >> 10 & 1) * 0xc000_0000);
                let product = u64::from(a) * u64::from(run);
                check(product as u32, &|c, x| c.mul(&x[0], &spread(&x[1]))[..32].to_vec());
                check((product >> 32) as u32, &|c, x| c.mul(&spread(&x[1]), &x[0])[32..].to_vec());
                assert!(!gives(&args, 32, u64::from(a ^ b) ^ 1, |c, x| c.map2(&x[0], &x[1], Circuit::xor)));
            }
        }
    }
}
