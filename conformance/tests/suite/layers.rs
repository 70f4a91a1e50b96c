//! The modules of the library lie in layers: each uses only those before it in the list. Its files use one another in no circle
//! either; a module and those inside it count as one.

use std::collections::{BTreeMap, BTreeSet};
use std::{fs, path::Path};

/// From the lowest to the highest.
const LAYERS: &str = "text error file hold case answer subject testfloat table parts stat contract speed report compare render functions sweep advise page cli";

/// The code of every module by its path, without comments and the tests inside.
fn read(folder: &Path, name: &str, modules: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
        let own = format!("{name}::{}", entry.file_stem().unwrap().display());
        if entry.is_dir() {
            read(&entry, &own, modules);
        } else if let Ok(text) = fs::read_to_string(&entry) {
            let code = text.split("#[cfg(test)]\nmod ").next().unwrap().lines();
            let code = code.map(|l| l.split("//").next().unwrap().to_string() + "\n").collect();
            modules.insert(own.trim_end_matches("::mod").into(), code);
        }
    }
}

/// The paths in a module's code; what it only exports again it does not use.
fn paths(code: &str) -> impl Iterator<Item = String> {
    code.split(';').flat_map(|statement| {
        let (before, tree) = statement.rsplit_once("use ").unwrap_or((statement, ""));
        let (head, items) = tree.trim_end_matches('}').split_once('{').unwrap_or(("", tree));
        let used = items.split(',').map(move |item| format!("{head}{}", item.trim()));
        let words = before.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).map(String::from);
        words.filter(|w| w.contains("::")).chain(used.filter(|_| !before.ends_with("pub ")))
    })
}

/// A path from the root of the crate on.
fn absolute(mut path: &str, mut own: &str) -> String {
    while let Some(rest) = path.strip_prefix("super::") {
        (path, own) = (rest, own.rsplit_once("::").unwrap().0);
    }
    if path.starts_with("crate::") { path.into() } else { format!("{own}::{path}") }
}

#[test]
fn modules_lie_in_layers() {
    let (mut modules, mut uses) = (BTreeMap::new(), BTreeMap::new());
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "crate", &mut modules);
    modules.retain(|m, _| !["crate::lib", "crate::main"].contains(&m.as_str()));
    let layer = |m: &str| LAYERS.split(' ').position(|l| m.split("::").nth(1) == Some(l));
    for (own, code) in &modules {
        let within = |path: &String, m: &&String| path == *m || path.starts_with(&format!("{m}::"));
        let module = |path: String| modules.keys().filter(|m| within(&path, m)).max_by_key(|m| m.len());
        let found = paths(code).filter_map(|path| module(absolute(&path, own)));
        let found: BTreeSet<_> = found.filter(|m| !within(m, &own) && !within(own, m)).collect();
        let higher = found.iter().find(|m| layer(m) > layer(own));
        assert!(layer(own).is_some() && higher.is_none(), "{own}, of layer {:?}, uses {higher:?}", layer(own));
        uses.insert(own, found);
    }
    while let Some(lowest) = uses.iter().find(|(_, all)| all.iter().all(|m| !uses.contains_key(m))).map(|(&m, _)| m) {
        uses.remove(lowest);
    }
    assert!(uses.is_empty(), "these use one another in a circle: {uses:#?}");
}
