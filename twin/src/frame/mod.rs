//! Luma planes: what they are, files they are read from, and content for tests.

mod content;
mod read;

pub use content::Content;
pub use read::{Chroma, Layout, ReadError, Reader, number};

/// Samples of a plane, in the type that holds them in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Samples {
    /// 8 bits.
    U8(Vec<u8>),
    /// 9 to 16 bits, in the low bits.
    U16(Vec<u16>),
}

impl Samples {
    /// How many.
    pub fn len(&self) -> usize {
        match self {
            Samples::U8(s) => s.len(),
            Samples::U16(s) => s.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A luma plane: rows of `width` samples, `stride` samples apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plane {
    width: usize,
    height: usize,
    stride: usize,
    bits: u32,
    samples: Samples,
}

/// Why samples make no plane.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlaneError {
    /// Without a sample there is no mean; with 2^31 or more, sums of squares could leave 64 bits.
    #[error("expected 1 to 2^31 - 1 samples, found {width}x{height}")]
    Size {
        /// Samples in a row.
        width: usize,
        /// Rows.
        height: usize,
    },
    /// The stride is less than the width.
    #[error("expected a stride of at least the width {width}, found {stride}")]
    Stride {
        /// Samples in a row.
        width: usize,
        /// Samples from row to row.
        stride: usize,
    },
    /// The depth does not go with the type of the samples.
    #[error("expected 8 bits in bytes or 9 to 16 bits in 16-bit words, found {0}")]
    Depth(u32),
    /// There are fewer samples than the plane has.
    #[error("expected {expected} samples, found {found}")]
    Short {
        /// Needed.
        expected: usize,
        /// There.
        found: usize,
    },
    /// A sample is larger than its depth allows.
    #[error("row {row}, column {column}: expected a sample below 2^{bits}, found {sample}")]
    Range {
        /// Row from 0.
        row: usize,
        /// Column from 0.
        column: usize,
        /// Bits of a sample.
        bits: u32,
        /// The sample.
        sample: u32,
    },
}

impl Plane {
    /// A plane of `height` rows of `width` samples of `bits` bits, `stride` samples apart. The last row may end with its
    /// width.
    ///
    /// # Errors
    /// If the sizes do not fit each other, or a sample does not fit its depth.
    pub fn new(width: usize, height: usize, stride: usize, bits: u32, samples: Samples) -> Result<Plane, PlaneError> {
        if width == 0 || height == 0 || width.saturating_mul(height) >= 1 << 31 {
            return Err(PlaneError::Size { width, height });
        }
        if stride < width {
            return Err(PlaneError::Stride { width, stride });
        }
        if bits != 8 && !matches!((&samples, bits), (Samples::U16(_), 9..=16))
            || (bits == 8) != matches!(samples, Samples::U8(_))
        {
            return Err(PlaneError::Depth(bits));
        }
        let expected = stride.saturating_mul(height - 1).saturating_add(width);
        if samples.len() < expected {
            return Err(PlaneError::Short { expected, found: samples.len() });
        }
        let plane = Plane { width, height, stride, bits, samples };
        if let Samples::U16(samples) = &plane.samples {
            let too_large = |row: &[u16]| row.iter().position(|&s| u32::from(s) >> bits != 0);
            for (row, content) in plane.rows(samples).enumerate() {
                if let Some(column) = too_large(content) {
                    return Err(PlaneError::Range { row, column, bits, sample: content[column].into() });
                }
            }
        }
        Ok(plane)
    }

    /// Samples in a row.
    pub fn width(&self) -> usize {
        self.width
    }
    /// Rows.
    pub fn height(&self) -> usize {
        self.height
    }
    /// Samples from row to row.
    pub fn stride(&self) -> usize {
        self.stride
    }
    /// Bits of a sample, 8 to 16.
    pub fn bits(&self) -> u32 {
        self.bits
    }
    /// Width times height.
    pub fn pixels(&self) -> u64 {
        self.width as u64 * self.height as u64
    }
    /// The samples, those between the rows included.
    pub fn samples(&self) -> &Samples {
        &self.samples
    }
    /// The rows of its samples.
    pub(crate) fn rows<'s, T>(&self, samples: &'s [T]) -> impl Iterator<Item = &'s [T]> + Clone + use<'s, T> {
        let width = self.width;
        samples.chunks(self.stride).take(self.height).map(move |row| &row[..width])
    }
}

/// A reference plane and a distorted one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frames {
    /// The reference.
    pub reference: Plane,
    /// The distorted one.
    pub distorted: Plane,
}
