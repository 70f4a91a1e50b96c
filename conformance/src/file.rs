//! Files that are never left half written.

use crate::error::Error;
use std::fs;
use std::io::Write;
use std::path::Path;

/// Writes a file: beside it first, then renamed onto it. What is no regular file (a pipe, a device) is written to directly.
pub fn write(path: &Path, text: &str) -> Result<(), Error> {
    let fault = |error| Error::write(&path.display().to_string(), error);
    if fs::metadata(path).is_ok_and(|m| !m.is_file() && !m.is_dir()) {
        let mut file = fs::OpenOptions::new().write(true).open(path).map_err(fault)?;
        return file.write_all(text.as_bytes()).map_err(fault);
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".vernier-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder).map_err(fault)?;
    file.write_all(text.as_bytes()).map_err(fault)?;
    // A full disk may show only here.
    file.as_file().sync_all().map_err(fault)?;
    file.persist(path).map_err(|e| fault(e.error))?;
    Ok(())
}

/// Makes a folder with its parents.
pub fn make_folder(path: &Path) -> Result<(), Error> {
    fs::create_dir_all(path).map_err(|error| Error::write(&path.display().to_string(), error))
}

/// The text of a file.
pub fn read(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(|error| Error::Read { name: path.display().to_string(), error })
}
