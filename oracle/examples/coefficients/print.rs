//! Files of constants as Rust text.

use std::fmt::Write;

/// Text of one file.
pub struct File(String);

impl File {
    /// With its title, and what it names of the module above.
    pub fn new(title: &str, names: &str) -> File {
        let uses = if names.is_empty() { "".into() } else { format!("\nuse super::{{{names}}};\n") };
        let program = "cargo run --release -p vernier-oracle --example coefficients";
        File(format!("//! {title}\n//!\n//! Written by `{program}`.\n{uses}"))
    }

    /// A constant for both widths, with a note on each.
    pub fn constant(&mut self, name: &str, ty: &str, notes: &[String], texts: &[String]) {
        let _ = writeln!(self.0, "\n/// binary32: {}\n///\n/// binary64: {}", notes[0], notes[1]);
        let _ = writeln!(
            self.0,
            "pub(in crate::math) const {name}: [{ty}; 2] = [\n    {},\n    {},\n];",
            texts[0], texts[1]
        );
    }

    /// A table of words, a row a line.
    pub fn table(&mut self, name: &str, doc: &str, rows: &[Vec<u64>]) {
        let count: usize = rows.iter().map(Vec::len).sum();
        let _ = writeln!(self.0, "\n/// {doc}\npub(in crate::math) static {name}: [u64; {count}] = [");
        for row in rows {
            let words: Vec<String> = row.iter().map(|w| format!("{w:#018x}")).collect();
            let _ = writeln!(self.0, "    {},", words.join(", "));
        }
        let _ = writeln!(self.0, "];");
    }

    /// The text.
    pub fn text(self) -> String {
        self.0
    }
}

/// A number by its bits.
pub fn bits(x: f64) -> String {
    if x == 0.0 { "0.0".into() } else { format!("f({:#018x})", x.to_bits()) }
}

/// An array of numbers.
pub fn array(x: &[f64]) -> String {
    format!("[{}]", x.iter().map(|&x| bits(x)).collect::<Vec<_>>().join(", "))
}

/// A polynomial, of which so many leading coefficients are pairs.
pub fn polynomial(c: &[(f64, f64)], pairs: usize) -> String {
    let list: Vec<String> = c[..pairs].iter().map(|c| format!("({}, {})", bits(c.0), bits(c.1))).collect();
    let rest: Vec<f64> = c[pairs..].iter().map(|c| c.0).collect();
    format!(
        "Polynomial {{\n        pairs: &[\n            {},\n        ],\n        singles: &{},\n    }}",
        list.join(",\n            "),
        array(&rest)
    )
}

/// 2^x, rounded up.
pub fn power(log2: f64) -> String {
    format!("2^{:.2}", (log2 * 100.0).ceil() / 100.0)
}
