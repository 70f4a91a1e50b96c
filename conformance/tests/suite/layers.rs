//! The modules of the library lie in layers: each uses only those before it in the list. Its files use one another in no circle
//! either; a module and those inside it count as one.

use std::collections::{BTreeMap, BTreeSet};
use std::{fs, path::Path};

/// From the lowest to the highest.
const LAYERS: &str =
    "text error file case answer subject testfloat table stat contract speed report compare render sweep cli";

type Modules = BTreeMap<String, String>;

/// The code of every module by its path, without comments and the tests inside.
fn read(folder: &Path, name: &str, modules: &mut Modules) {
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

/// The modules that a `use`, or a part of it after `prefix`, names.
fn names(prefix: &str, tree: &str, own: &str, modules: &Modules, found: &mut BTreeSet<String>) {
    let (mut depth, mut start) = (0, 0);
    for (i, c) in tree.char_indices().chain([(tree.len(), ',')]) {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if c != ',' || depth != 0 {
            continue;
        }
        let item = tree[start..i].trim();
        start = i + 1;
        if let Some((head, rest)) = item.split_once('{') {
            names(&format!("{prefix}{head}"), rest.trim_end_matches('}'), own, modules, found);
            continue;
        }
        let (mut path, mut base) = (format!("{prefix}{item}"), own);
        while let Some(rest) = path.strip_prefix("super::") {
            (path, base) = (rest.into(), base.rsplit_once("::").unwrap().0);
        }
        let path = if path.starts_with("crate::") { path } else { format!("{base}::{path}") };
        let place = path.match_indices("::").map(|(i, _)| &path[..i]).chain([&path[..]]);
        found.extend(
            place
                .filter(|p| modules.contains_key(*p))
                .last()
                .filter(|p| !p.starts_with(own) && !own.starts_with(p))
                .map(String::from),
        );
    }
}

#[test]
fn modules_lie_in_layers() {
    let (mut modules, mut uses) = (Modules::new(), BTreeMap::new());
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "crate", &mut modules);
    modules.retain(|m, _| !["crate::lib", "crate::main"].contains(&m.as_str()));
    let layer = |m: &str| LAYERS.split(' ').position(|l| m.split("::").nth(1) == Some(l));
    for (own, code) in &modules {
        let found: &mut BTreeSet<String> = uses.entry(own.clone()).or_default();
        for statement in code.split(';') {
            let (rest, tree) = statement.rsplit_once("use ").unwrap_or((statement, ""));
            // What is only exported again is not used.
            names("", if rest.ends_with("pub ") { "" } else { tree }, own, &modules, found);
            let words = rest.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
            words.filter(|w| w.contains("::")).for_each(|w| names("", w, own, &modules, found));
        }
        let higher = found.iter().find(|m| layer(m) > layer(own));
        assert!(layer(own).is_some() && higher.is_none(), "{own}, of layer {:?}, uses {higher:?}", layer(own));
    }
    while let Some(lowest) = uses.iter().find(|(_, all)| all.iter().all(|m| !uses.contains_key(m))) {
        let lowest = lowest.0.clone();
        uses.remove(&lowest);
    }
    assert!(uses.is_empty(), "these use one another in a circle: {uses:#?}");
}
