//! Inputs and results of many calls.

/// The most calls of a block.
pub(crate) const MOST: usize = 4096;

/// Inputs and results of up to [`Block::MOST`] calls, as bits; those of a float in the low half.
#[derive(Clone, Debug)]
pub struct Block {
    /// Number of calls.
    pub n: usize,
    /// Arguments of every call, one list for each place.
    pub args: [Vec<u64>; 3],
    /// Results likewise. An int is that of 32 bits, extended with its sign.
    pub results: [Vec<u64>; 2],
}

impl Block {
    /// The most calls.
    pub const MOST: usize = MOST;

    /// Room for the most calls, and none yet.
    pub fn new() -> Block {
        Block { n: 0, args: [(); 3].map(|()| vec![0; MOST]), results: [(); 2].map(|()| vec![0; MOST]) }
    }

    /// The arguments of a call.
    pub fn input(&self, i: usize) -> [u64; 3] {
        [self.args[0][i], self.args[1][i], self.args[2][i]]
    }

    /// The results of a call.
    pub fn output(&self, i: usize) -> [u64; 2] {
        [self.results[0][i], self.results[1][i]]
    }
}

impl Default for Block {
    fn default() -> Block {
        Block::new()
    }
}
