//! The memory that parent and child share: a mapped file of 64-bit words, which both reach as atomic numbers.

use crate::MOST;
use memmap2::MmapRaw;
use std::fs::File;
use std::io;
use std::sync::atomic::AtomicU64;

/// What the words in front of the lists are.
#[derive(Clone, Copy)]
pub enum Word {
    /// The parent's request: its number.
    Request,
    /// The last request that is done.
    Done,
    /// The call under way.
    Call,
    /// Calls of the request.
    Count,
    /// Whether every call is made twice.
    Twice,
    /// What the child has to say: one of [`said`].
    Said,
    /// The call that it is about.
    At,
    /// More about it.
    More,
    /// Length of a text, which stands in the list of arguments.
    Text,
}

/// Values of [`Word::Said`].
pub mod said {
    /// Nothing.
    pub const NOTHING: u64 = 0;
    /// The library is loaded; [`More`](super::Word::More) has what loading changed.
    pub const LOADED: u64 = 1;
    /// It could not be loaded; the reason is the text.
    pub const FAILED: u64 = 2;
    /// A call gave another result the second time, which stands in the list behind the results.
    pub const DIFFERS: u64 = 3;
    /// A call changed the processor's settings: [`More`](super::Word::More).
    pub const CHANGED: u64 = 4;
}

const HEAD: usize = 16;
const LISTS: usize = 10;
/// The first list of low words of arguments.
pub const LOW: usize = 7;
const WORDS: usize = HEAD + LISTS * MOST;

/// The mapped words.
pub struct Shared(MmapRaw);

impl Shared {
    /// Maps a file, which is made as long as it has to be.
    pub fn map(file: &File) -> io::Result<Shared> {
        file.set_len((WORDS * 8) as u64)?;
        let map = MmapRaw::map_raw(file)?;
        assert!(map.len() >= WORDS * 8 && map.as_ptr().addr() % 8 == 0, "a mapping of whole pages");
        Ok(Shared(map))
    }

    /// All words.
    fn words(&self) -> &[AtomicU64] {
        // SAFETY: the mapping is page-aligned, has this length, lives as long as `self`, and nobody in this process reaches it
        // otherwise. The other process writes to it at any time: hence the atomics, for which every bit pattern is a value.
        unsafe { std::slice::from_raw_parts(self.0.as_mut_ptr().cast::<AtomicU64>(), WORDS) }
    }

    /// One of the first words.
    pub fn word(&self, word: Word) -> &AtomicU64 {
        &self.words()[word as usize]
    }

    /// A list: arguments are 0 to 2, results 3 and 4, other results 5 and 6, low words of arguments 7 to 9.
    pub fn list(&self, i: usize) -> &[AtomicU64] {
        &self.words()[HEAD + i * MOST..][..MOST]
    }
}
