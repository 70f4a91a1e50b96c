//! Compiled programs, and other results of long work, on disk: in the folder `$VERNIER_CACHE` names, else in `vernier/kernels` below the user's cache
//! folder. `VERNIER_CACHE=` (empty) turns the cache off.
//!
//! An entry's name is the SHA-256 of the source, the options, the compiler, the driver and the architecture; it
//! holds the SHA-256 of its contents before them. An entry that is damaged, or that the driver does not take, is
//! made anew. Entries are written beside and renamed. A cache that cannot be written is no error.

use super::{Build, Source};
use sha2::{Digest, Sha256};
use std::io::Write;
use std::path::PathBuf;

/// Where an entry is.
#[derive(Clone, Debug)]
pub struct Key {
    path: Option<PathBuf>,
}

/// The folder of the cache; none where it is turned off or the user has no folder for it.
pub fn folder() -> Option<PathBuf> {
    match std::env::var_os("VERNIER_CACHE") {
        Some(folder) if folder.is_empty() => None,
        Some(folder) => Some(folder.into()),
        None => Some(dirs::cache_dir()?.join("vernier").join("kernels")),
    }
}

impl Key {
    /// The entry of `source` compiled as `build` says.
    pub fn new(source: &Source, build: &Build) -> Key {
        Key::within(folder().filter(|_| source.include.is_empty()), source, build)
    }

    /// The entry that follows from some texts, in a file with this extension.
    pub fn of<'a>(parts: impl IntoIterator<Item = &'a str>, extension: &str) -> Key {
        Key::in_folder(folder(), parts, extension)
    }

    fn within(folder: Option<PathBuf>, source: &Source, build: &Build) -> Key {
        let parts = [&source.name, &source.text, &build.device, &build.driver, &build.architecture, &build.compiler];
        Key::in_folder(folder, parts.into_iter().chain(&build.options).map(String::as_str), "bin")
    }

    fn in_folder<'a>(folder: Option<PathBuf>, parts: impl IntoIterator<Item = &'a str>, extension: &str) -> Key {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part.as_bytes());
        }
        let name = format!("{:x}.{extension}", hash.finalize());
        Key { path: folder.map(|f| f.join(name)) }
    }

    /// The contents, if they are there and undamaged.
    pub fn read(&self) -> Option<Vec<u8>> {
        let bytes = std::fs::read(self.path.as_ref()?).ok()?;
        let (digest, contents) = bytes.split_at_checked(32)?;
        (Sha256::digest(contents).as_slice() == digest).then(|| contents.to_vec())
    }

    /// Keeps `contents`.
    pub fn write(&self, contents: &[u8]) {
        let Some(path) = &self.path else { return };
        let store = || -> std::io::Result<()> {
            let folder = path.parent().expect("an entry lies in a folder");
            std::fs::create_dir_all(folder)?;
            let mut file = tempfile::NamedTempFile::new_in(folder)?;
            file.write_all(&Sha256::digest(contents))?;
            file.write_all(contents)?;
            file.persist(path)?;
            Ok(())
        };
        // Without a cache the program is only slower.
        let _ = store();
    }

    /// The file of the entry; none without a cache.
    pub fn path(&self) -> Option<&std::path::Path> {
        self.path.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Api;

    fn build() -> Build {
        let s = String::from;
        Build {
            api: Api::OpenCl,
            device: s("d"),
            driver: s("1"),
            architecture: s("a"),
            compiler: s("c"),
            options: vec![s("-x")],
        }
    }

    #[test]
    fn entries_are_kept_and_checked() {
        let folder = tempfile::tempdir().unwrap();
        let source = Source::new("k", "text");
        let key = Key::within(Some(folder.path().join("new")), &source, &build());
        assert_eq!(key.read(), None);
        key.write(b"program");
        assert_eq!(key.read().as_deref(), Some(&b"program"[..]));
        let mut bytes = std::fs::read(key.path().unwrap()).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        std::fs::write(key.path().unwrap(), bytes).unwrap();
        assert_eq!(key.read(), None);
        std::fs::write(key.path().unwrap(), b"short").unwrap();
        assert_eq!(key.read(), None);
        key.write(b"program");
        assert_eq!(key.read().as_deref(), Some(&b"program"[..]));
    }

    #[test]
    fn everything_counts() {
        let folder = Some(PathBuf::from("f"));
        let path = |s: &Source, b: &Build| Key::within(folder.clone(), s, b).path().unwrap().to_path_buf();
        let (source, first) = (Source::new("k", "text"), build());
        let base = path(&source, &first);
        assert_ne!(base, path(&Source::new("k", "texu"), &first));
        for change in [
            |b: &mut Build| b.driver.push('2'),
            |b: &mut Build| b.architecture.push('2'),
            |b: &mut Build| b.compiler.push('2'),
            |b: &mut Build| b.options.push("-y".into()),
            |b: &mut Build| b.options[0].push('z'),
        ] {
            let mut other = first.clone();
            change(&mut other);
            assert_ne!(base, path(&source, &other));
        }
        let mut with_headers = source;
        with_headers.include.push("dir".into());
        assert_eq!(Key::new(&with_headers, &first).path(), None);
    }
}
