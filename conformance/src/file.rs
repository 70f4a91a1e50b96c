//! Files read and written: none is left half written.

use crate::error::Error;
use crate::text;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Held while a file is written.
static WRITING: RwLock<()> = RwLock::new(());

fn writing() -> RwLockReadGuard<'static, ()> {
    WRITING.read().unwrap_or_else(PoisonError::into_inner)
}

/// Waits until no file is half written; none is begun while the guard is held.
pub fn wait_for_writes() -> RwLockWriteGuard<'static, ()> {
    WRITING.write().unwrap_or_else(PoisonError::into_inner)
}

/// Writes a file: beside it first, then renamed onto it. What is no regular file (a pipe, a terminal) is written to directly, but
/// for disks. A file whose name ends with `.gz` is compressed.
pub fn write(path: &Path, content: &str) -> Result<(), Error> {
    let fault = |error| Error::write(&text::path(path), error);
    let packed = if path.extension().is_some_and(|e| e == "gz") { Some(gzip(content).map_err(fault)?) } else { None };
    let content = packed.as_deref().unwrap_or(content.as_bytes());
    if let Ok(metadata) = fs::metadata(path)
        && !metadata.is_file()
        && !metadata.is_dir()
    {
        no_disk(&metadata).map_err(fault)?;
        let mut file = fs::OpenOptions::new().write(true).open(path).map_err(fault)?;
        return file.write_all(content).map_err(fault);
    }
    let _whole = writing();
    let mut file = beside(path).map_err(fault)?;
    file.write_all(content).map_err(fault)?;
    // A full disk may show only here.
    file.as_file().sync_all().map_err(fault)?;
    file.persist(path).map_err(|e| fault(e.error))?;
    Ok(())
}

fn gzip(content: &str) -> io::Result<Vec<u8>> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(content.as_bytes())?;
    packed.finish()
}

/// An error for a block device: results in its first sectors would end the file system on it.
fn no_disk(metadata: &fs::Metadata) -> io::Result<()> {
    #[cfg(unix)]
    if std::os::unix::fs::FileTypeExt::is_block_device(&metadata.file_type()) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "expected no disk"));
    }
    let _ = metadata;
    Ok(())
}

/// A new file in the same folder, removed unless it is renamed.
fn beside(path: &Path) -> io::Result<tempfile::NamedTempFile> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".vernier-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// Makes a folder with its parents.
pub fn make_folder(path: &Path) -> Result<(), Error> {
    fs::create_dir_all(path).map_err(|error| Error::write(&text::path(path), error))
}

/// Whether [`write`] has a chance: better known before the work than after it.
pub fn check_writable(path: &Path) -> Result<(), Error> {
    let fault = |error| Error::write(&text::path(path), error);
    match fs::metadata(path) {
        Ok(m) if m.is_dir() => Err(fault(io::ErrorKind::IsADirectory.into())),
        // Opening a pipe would wait for its reader, or end what the reader sees.
        Ok(m) if !m.is_file() => no_disk(&m).map_err(fault),
        _ => {
            let _whole = writing();
            beside(path).map(drop).map_err(fault)
        }
    }
}

/// An error where a file to be written is one that the run reads.
pub fn keep_inputs<'a>(output: &Path, inputs: impl IntoIterator<Item = &'a Path>) -> Result<(), Error> {
    match inputs.into_iter().find(|input| is_same(output, input)) {
        None => Ok(()),
        Some(input) => {
            let (output, input) = (text::path(output), text::path(input));
            Err(Error::Usage(format!(
                "{output} would replace {input}, which is read: expected another file for the output"
            )))
        }
    }
}

/// Whether two paths lead to one regular file. Others are not opened: a pipe would wait for its other end.
pub fn is_same(a: &Path, b: &Path) -> bool {
    a.is_file() && b.is_file() && same_file::is_same_file(a, b).unwrap_or(false)
}

/// The text of a regular file of sane size: a device may never end. A compressed file is read as what it holds.
pub fn read_regular(path: &Path) -> Result<String, Error> {
    const MOST: u64 = 1 << 28;
    const GZIP: [u8; 2] = [0x1f, 0x8b];
    let fault = |error| Error::Read { name: text::path(path), error };
    let metadata = fs::metadata(path).map_err(fault)?;
    if !metadata.is_file() {
        return Err(fault(io::Error::other("expected a regular file")));
    }
    if metadata.len() > MOST {
        let reason = format!("expected at most {MOST} bytes, found {}", metadata.len());
        return Err(fault(io::Error::new(io::ErrorKind::FileTooLarge, reason)));
    }
    let bytes = fs::read(path).map_err(fault)?;
    if bytes.starts_with(&GZIP) {
        let mut text = String::new();
        GzDecoder::new(&bytes[..]).take(MOST).read_to_string(&mut text).map_err(fault)?;
        return Ok(text);
    }
    String::from_utf8(bytes).map(unmarked).map_err(|e| fault(io::Error::new(io::ErrorKind::InvalidData, e)))
}

/// The text of a file, without a byte-order mark.
pub fn read(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map(unmarked).map_err(|error| Error::Read { name: text::path(path), error })
}

fn unmarked(mut text: String) -> String {
    if text.starts_with(BYTE_ORDER_MARK) {
        text.drain(..BYTE_ORDER_MARK.len());
    }
    text
}

/// What some editors put in front of a text.
pub const BYTE_ORDER_MARK: &str = "\u{feff}";

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::FileTypeExt;

    #[test]
    fn disks_are_refused_and_other_devices_are_not() {
        // Nothing here opens a device.
        assert!(check_writable(Path::new("/dev/null")).is_ok());
        let devices = fs::read_dir("/dev").into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
        let is_disk = |path: &Path| fs::metadata(path).is_ok_and(|m| m.file_type().is_block_device());
        for disk in devices.filter(|path| is_disk(path)) {
            assert!(check_writable(&disk).is_err(), "{}", disk.display());
        }
    }
}
