//! Luma planes from raw YUV and Y4M files.
//!
//! Samples of 8 bits are bytes, deeper ones 16-bit little-endian words. Luma comes first; chroma and transparency are skipped.

use super::{Plane, PlaneError, Samples};
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

/// How chroma is sampled. Of planes beside luma there are two, and one of transparency where that is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chroma {
    /// None: 4:0:0.
    None,
    /// 4:1:1.
    C411,
    /// 4:2:0.
    C420,
    /// 4:2:2.
    C422,
    /// 4:4:4.
    C444,
    /// 4:4:4 and transparency.
    C444Alpha,
}

impl Chroma {
    const ALL: [Chroma; 6] = [Chroma::None, Chroma::C411, Chroma::C420, Chroma::C422, Chroma::C444, Chroma::C444Alpha];

    const fn name(self) -> &'static str {
        match self {
            Chroma::None => "400",
            Chroma::C411 => "411",
            Chroma::C420 => "420",
            Chroma::C422 => "422",
            Chroma::C444 => "444",
            Chroma::C444Alpha => "444alpha",
        }
    }
}

impl FromStr for Chroma {
    type Err = String;
    fn from_str(s: &str) -> Result<Chroma, String> {
        let named = Chroma::ALL.into_iter().find(|c| c.name() == s);
        named.ok_or_else(|| format!("expected {}, found `{s}`", Chroma::ALL.map(Chroma::name).join(", ")))
    }
}

impl fmt::Display for Chroma {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The layout of frames in a raw file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Luma samples in a row.
    pub width: usize,
    /// Luma rows.
    pub height: usize,
    /// Bits of a sample, 8 to 16.
    pub bits: u32,
    /// Chroma.
    pub chroma: Chroma,
}

impl Layout {
    /// Whether its luma makes a plane.
    fn check(&self) -> Result<(), String> {
        let pixels = self.width as u64 * self.height as u64;
        if pixels < 1 << 31 {
            Ok(())
        } else {
            Err(format!("expected fewer than 2^31 samples in a plane, found {pixels}"))
        }
    }

    fn sample_bytes(&self) -> u64 {
        if self.bits == 8 { 1 } else { 2 }
    }

    fn luma_bytes(&self) -> u64 {
        self.width as u64 * self.height as u64 * self.sample_bytes()
    }

    fn frame_bytes(&self) -> u64 {
        let (w, h) = (self.width as u64, self.height as u64);
        let chroma = match self.chroma {
            Chroma::None => 0,
            Chroma::C411 => 2 * w.div_ceil(4) * h,
            Chroma::C420 => 2 * w.div_ceil(2) * h.div_ceil(2),
            Chroma::C422 => 2 * w.div_ceil(2) * h,
            Chroma::C444 => 2 * w * h,
            Chroma::C444Alpha => 3 * w * h,
        };
        (w * h + chroma) * self.sample_bytes()
    }
}

/// Why a file gives no plane.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The system's reason.
    #[error("{}: cannot be read: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// The file is not what it should be.
    #[error("{}: byte {offset}: {expected}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// Where, from 0.
        offset: u64,
        /// What was expected and what was found.
        expected: String,
    },
    /// The samples of a frame make no plane.
    #[error("{}: frame {frame}: {error}", path.display())]
    Plane {
        /// The file.
        path: PathBuf,
        /// The frame, from 0.
        frame: usize,
        /// The reason.
        error: PlaneError,
    },
}

/// A file of frames.
#[derive(Clone, Debug)]
pub struct Reader {
    path: PathBuf,
    layout: Layout,
    /// Where the luma samples of each frame start.
    frames: Arc<[u64]>,
}

/// The longest header of a file or frame that is looked at.
const HEADER: u64 = 4096;
/// Frames beyond these sizes are no frames.
const MOST: usize = 1 << 16;

impl Reader {
    /// A Y4M file: frames are found by their headers.
    ///
    /// # Errors
    /// If the file cannot be read, is no Y4M file, or ends within a frame.
    pub fn y4m(path: &Path) -> Result<Reader, ReadError> {
        let (mut file, size) = open(path)?;
        let io = |error| ReadError::Io { path: path.into(), error };
        let format = |offset, expected: String| ReadError::Format { path: path.into(), offset, expected };
        let (head, mut at) = line(&mut file, 0).map_err(io)?;
        let mut fields = head.split(' ');
        if fields.next() != Some("YUV4MPEG2") {
            return Err(format(0, format!("expected `YUV4MPEG2` and a header line of at most {HEADER} bytes of text")));
        }
        let layout = header(fields).map_err(|expected| format(0, expected))?;
        layout.check().map_err(|expected| format(0, expected))?;
        let mut frames = Vec::new();
        while at < size {
            let (head, start) = line(&mut file, at).map_err(io)?;
            if head != "FRAME" && !head.starts_with("FRAME ") {
                return Err(format(at, "expected `FRAME`".into()));
            }
            at = start + layout.frame_bytes();
            if at > size {
                let expected = format!("expected a frame of {} bytes, found {}", layout.frame_bytes(), size - start);
                return Err(format(start, expected));
            }
            frames.push(start);
            file.seek(SeekFrom::Start(at)).map_err(io)?;
        }
        if frames.is_empty() {
            return Err(format(at, "expected a frame, found the end of the file".into()));
        }
        Ok(Reader { path: path.into(), layout, frames: frames.into() })
    }

    /// A raw file: frames follow each other without headers.
    ///
    /// # Errors
    /// If the file cannot be read, or its size is no multiple of the frame's.
    pub fn raw(path: &Path, layout: Layout) -> Result<Reader, ReadError> {
        let (_, size) = open(path)?;
        let format = |expected| ReadError::Format { path: path.into(), offset: size, expected };
        if !(1..=MOST).contains(&layout.width) || !(1..=MOST).contains(&layout.height) {
            return Err(format(format!("expected 1 to {MOST} rows and columns")));
        }
        layout.check().map_err(format)?;
        if !(8..=16).contains(&layout.bits) {
            return Err(format(format!("expected 8 to 16 bits a sample, found {}", layout.bits)));
        }
        let frame = layout.frame_bytes();
        if size == 0 || size % frame != 0 {
            return Err(format(format!("expected a multiple of {frame} bytes, one frame, found {size} bytes")));
        }
        let frames = (0..size / frame).map(|k| k * frame).collect();
        Ok(Reader { path: path.into(), layout, frames })
    }

    /// The layout of its frames.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// The number of frames, at least one.
    pub fn frames(&self) -> usize {
        self.frames.len()
    }

    /// The luma plane of frame `frame`.
    ///
    /// # Errors
    /// If there is none, it cannot be read, or a sample does not fit the depth.
    pub fn plane(&self, frame: usize) -> Result<Plane, ReadError> {
        let io = |error| ReadError::Io { path: self.path.clone(), error };
        let start = *self.frames.get(frame).ok_or_else(|| {
            let expected = format!("expected frame {frame}, found {} frames", self.frames.len());
            ReadError::Format { path: self.path.clone(), offset: 0, expected }
        })?;
        let (mut file, _) = open(&self.path)?;
        file.seek(SeekFrom::Start(start)).map_err(io)?;
        let mut bytes = Vec::new();
        let size = self.layout.luma_bytes() as usize;
        bytes.try_reserve_exact(size).map_err(|_| io(io::ErrorKind::OutOfMemory.into()))?;
        bytes.resize(size, 0);
        file.read_exact(&mut bytes).map_err(io)?;
        let samples = if self.layout.bits == 8 {
            Samples::U8(bytes)
        } else {
            Samples::U16(bytes.chunks_exact(2).map(|b| u16::from_le_bytes([b[0], b[1]])).collect())
        };
        let Layout { width, height, bits, .. } = self.layout;
        Plane::new(width, height, width, bits, samples).map_err(|error| ReadError::Plane {
            path: self.path.clone(),
            frame,
            error,
        })
    }
}

/// A regular file and its size.
fn open(path: &Path) -> Result<(BufReader<File>, u64), ReadError> {
    let io = |error| ReadError::Io { path: path.into(), error };
    let metadata = std::fs::metadata(path).map_err(io)?;
    if !metadata.is_file() {
        return Err(io(io::Error::other("expected a regular file")));
    }
    Ok((BufReader::new(File::open(path).map_err(io)?), metadata.len()))
}

/// The line from here, and the offset after it. A line that is too long or no text is empty.
fn line(file: &mut BufReader<File>, at: u64) -> io::Result<(String, u64)> {
    let mut bytes = Vec::new();
    file.by_ref().take(HEADER).read_until(b'\n', &mut bytes)?;
    let end = at + bytes.len() as u64;
    let whole = bytes.pop() == Some(b'\n');
    Ok((if whole { String::from_utf8(bytes).unwrap_or_default() } else { String::new() }, end))
}

/// A number of digits alone, without a leading zero.
pub fn number(text: &str) -> Option<usize> {
    let plain = text.bytes().all(|b| b.is_ascii_digit()) && !(text.len() > 1 && text.starts_with('0'));
    text.parse().ok().filter(|_| plain)
}

/// The fields of a Y4M header after its first word.
fn header<'a>(fields: impl Iterator<Item = &'a str>) -> Result<Layout, String> {
    let size = |tag: &str, text: &str| match number(text) {
        Some(n) if (1..=MOST).contains(&n) => Ok(n),
        _ => Err(format!("expected {tag} and 1 to {MOST}, found {text:?}")),
    };
    let (mut width, mut height, mut space) = (None, None, "420");
    for field in fields {
        match field.split_at_checked(1) {
            Some(("W", text)) => width = Some(size("W", text)?),
            Some(("H", text)) => height = Some(size("H", text)?),
            Some(("C", text)) => space = text,
            // Rate, interlacing, aspect and comments say nothing about the samples.
            _ => {}
        }
    }
    let unknown = || {
        let found = space.escape_debug();
        format!(
            "expected C411, C420, C422, C444 (p9 to p16 for more than 8 bits), C444alpha or Cmono (9 to 16), found `C{found}`"
        )
    };
    let (chroma, depth) = match space {
        "420jpeg" | "420mpeg2" | "420paldv" => (Chroma::C420, ""),
        "444alpha" => (Chroma::C444Alpha, ""),
        s if s.starts_with("mono") => (Chroma::None, &s[4..]),
        s => {
            let (name, depth) = s.split_once('p').unwrap_or((s, ""));
            if name.len() != s.len() && depth.is_empty() {
                return Err(unknown());
            }
            let chroma = name.parse::<Chroma>().ok().filter(|&c| c != Chroma::None && c != Chroma::C444Alpha);
            (chroma.ok_or_else(unknown)?, depth)
        }
    };
    let bits = match depth {
        "" => 8,
        text => number(text).filter(|b| (9..=16).contains(b)).ok_or_else(unknown)? as u32,
    };
    let (width, height) = (width.ok_or("expected a width, as W1920")?, height.ok_or("expected a height, as H1080")?);
    Ok(Layout { width, height, bits, chroma })
}
