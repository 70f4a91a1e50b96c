//! The lines that machine code comes from, as nvdisasm prints them.

use std::collections::{BTreeMap, HashMap};

/// A place in a source, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The file.
    pub file: String,
    /// The line.
    pub line: u32,
}

/// By function, then address: the place of an instruction, then the places that functions were inlined at, innermost first.
pub type Origins = BTreeMap<String, HashMap<u64, Vec<Frame>>>;

/// From `nvdisasm --print-line-info-inline`.
pub fn parse_origins(text: &str) -> Origins {
    let mut origins = Origins::new();
    let (mut function, mut chain, mut open) = (String::new(), Vec::new(), false);
    for line in text.lines() {
        let trimmed = line.trim();
        if let Some(name) = line.strip_prefix(".text.").and_then(|l| l.strip_suffix(':')) {
            (function, chain, open) = (name.to_string(), Vec::new(), false);
        } else if let Some(place) = trimmed.strip_prefix("//## ") {
            // Lines that follow each other are one chain.
            if !open {
                chain.clear();
            }
            chain.extend(frame(place));
            open = true;
        } else if let Some((address, _)) = trimmed.strip_prefix("/*").and_then(|l| l.split_once("*/")) {
            if let Ok(address) = u64::from_str_radix(address, 16) {
                origins.entry(function.clone()).or_default().insert(address, chain.clone());
            }
            open = false;
        }
    }
    origins
}

/// `File "a.cuh", line 6 inlined at "b", line 100`: the first of the two, since the other has a line of its own.
fn frame(text: &str) -> Option<Frame> {
    let (file, rest) = text.strip_prefix("File \"")?.split_once("\", line ")?;
    let line = rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()?;
    Some(Frame { file: file.into(), line })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_of_lines() {
        let text = ".text.k:\n\t//## File \"/a/h.cu\", line 9 inlined at \"/a/n.cuh\", line 6\n\
                    \t//## File \"/a/n.cuh\", line 6\n        /*0010*/  FADD R1, R2, R3 ;\n        /*0020*/  EXIT ;\n\
                    \t//## File \"/a/n.cuh\", line 7\n        /*0030*/  NOP ;\n";
        let origins = parse_origins(text);
        let frame = |file: &str, line| Frame { file: file.into(), line };
        let k = &origins["k"];
        assert_eq!(k[&0x10], [frame("/a/h.cu", 9), frame("/a/n.cuh", 6)]);
        assert_eq!((&k[&0x20], &k[&0x30]), (&k[&0x10], &vec![frame("/a/n.cuh", 7)]));
    }
}
