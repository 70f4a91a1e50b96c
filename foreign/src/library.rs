//! Shared libraries: where they lie, and which functions they define.

use crate::error::Error;
use object::{Object, ObjectSymbol};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// A shared library, which is not loaded here.
#[derive(Clone, Debug)]
pub struct Library {
    /// Its file.
    pub path: PathBuf,
    symbols: BTreeSet<String>,
}

/// How many names are proposed.
const PROPOSED: usize = 4;

impl Library {
    /// The library of a path or, where that has no folder, of a name that the loader finds.
    ///
    /// # Errors
    /// If there is none, or the file is something else.
    pub fn find(name: &Path) -> Result<Library, Error> {
        let path = if name.is_file() { Some(name.to_path_buf()) } else { in_folders(name) };
        let Some(path) = path else {
            let text = name.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let near = near(&text, files_beside(name).iter().map(String::as_str));
            return Err(Error::NoLibrary { name: name.display().to_string(), near });
        };
        let broken = |reason: String| Error::NotLibrary { name: path.display().to_string(), reason };
        let bytes = fs::read(&path).map_err(|e| broken(e.to_string()))?;
        let file = object::File::parse(&*bytes).map_err(|e| broken(e.to_string()))?;
        // Functions that are chosen while loading are no definitions to the reader.
        let defined = file.dynamic_symbols().filter(|s| !s.is_undefined());
        // Names carry an underscore in front on some systems, and versions behind an @ in some tables.
        let plain = |name: &str| name.split('@').next().unwrap_or(name).to_string();
        let mut symbols: BTreeSet<String> = defined.filter_map(|s| s.name().ok().map(plain)).collect();
        for export in file.exports().unwrap_or_default() {
            if let Ok(name) = std::str::from_utf8(export.name()) {
                symbols.insert(name.strip_prefix('_').filter(|_| cfg!(target_os = "macos")).unwrap_or(name).into());
            }
        }
        if symbols.is_empty() {
            return Err(broken("it defines no symbols for others".into()));
        }
        Ok(Library { path: fs::canonicalize(&path).unwrap_or(path), symbols })
    }

    /// Whether it defines a symbol itself.
    pub fn has(&self, symbol: &str) -> bool {
        self.symbols.contains(symbol)
    }

    /// The error for a symbol that it does not have.
    pub fn without(&self, symbol: &str) -> Error {
        let near = near(symbol, self.symbols.iter().map(String::as_str));
        Error::NoSymbol { library: self.path.display().to_string(), symbol: symbol.into(), near }
    }
}

/// The names most similar to one: those that begin with it or it with them, and those that few edits lead to.
pub fn near<'a>(name: &str, all: impl Iterator<Item = &'a str>) -> Vec<String> {
    let distance = |other: &str| {
        let edits = strsim::damerau_levenshtein(name, other);
        let begins = other.len() >= 3 && (other.starts_with(name) || name.starts_with(other));
        (begins || edits <= 1 + name.len() / 4).then_some((edits, !begins))
    };
    let mut found: Vec<((usize, bool), &str)> = all.filter_map(|other| Some((distance(other)?, other))).collect();
    found.sort_unstable();
    found.into_iter().take(PROPOSED).map(|(_, name)| name.to_string()).collect()
}

/// Where the loader looks, in about that order.
fn folders() -> Vec<PathBuf> {
    let given = env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let triple = format!("{}-linux-gnu", env::consts::ARCH);
    let usual = ["/lib", "/usr/lib"].into_iter().map(|folder| Path::new(folder).join(&triple));
    let others = ["/lib64", "/usr/lib64", "/lib", "/usr/lib", "/usr/local/lib"].into_iter().map(PathBuf::from);
    env::split_paths(&given).chain(usual).chain(others).collect()
}

fn in_folders(name: &Path) -> Option<PathBuf> {
    let bare = name.parent().is_none_or(|p| p.as_os_str().is_empty());
    folders().into_iter().filter(|_| bare).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// Files where a library would have been.
fn files_beside(name: &Path) -> BTreeSet<String> {
    let own = name.parent().filter(|p| !p.as_os_str().is_empty()).map(Path::to_path_buf);
    let looked_at = own.map_or_else(folders, |folder| vec![folder]);
    let entries = looked_at.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).filter(|name| name.contains(".so")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names() {
        let names = ["exp", "expf", "exp2f", "log", "sinf", "expm1f", "cosf"];
        assert_eq!(near("expff", names.into_iter()), ["expf", "exp2f", "exp", "expm1f"]);
        assert_eq!(near("snif", names.into_iter()), ["sinf"]);
        assert_eq!(near("gamma", names.into_iter()), [] as [&str; 0]);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn libm_is_found_and_read() {
        let libm = Library::find(Path::new("libm.so.6")).unwrap();
        assert!(libm.has("expf") && libm.has("sincos") && !libm.has("exq"));
        let message = libm.without("expff").to_string();
        assert!(message.contains("has no function `expff`") && message.contains("expf"), "{message}");
        let message = Library::find(Path::new("libm.so.7")).unwrap_err().to_string();
        assert!(message.contains("libm.so.6"), "{message}");
        let message = Library::find(Path::new(file!())).unwrap_err().to_string();
        assert!(message.contains("no such library") || message.contains("not a shared library"), "{message}");
    }
}
