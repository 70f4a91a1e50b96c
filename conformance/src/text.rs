//! Figures and data as text.

use serde::Serialize;
use std::borrow::Cow;
use std::path::Path;

/// What comes from input, on its way to a terminal: control characters, and those that turn the direction of text, as escapes.
pub fn escaped(text: &str) -> Cow<'_, str> {
    escaped_but(text, None)
}

/// The same of a text of several lines, which stay.
pub fn escaped_lines(text: &str) -> Cow<'_, str> {
    escaped_but(text, Some('\n'))
}

fn escaped_but(text: &str, kept: Option<char>) -> Cow<'_, str> {
    let turns =
        |c: char| matches!(c, '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let acts = |c: char| (c.is_control() || turns(c)) && Some(c) != kept;
    if !text.contains(acts) {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if acts(c) { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    shown.into()
}

/// A path in a message.
pub fn path(path: &Path) -> String {
    escaped(&path.to_string_lossy()).into_owned()
}

/// As JSON, ending with a newline.
pub fn json(value: &(impl Serialize + ?Sized)) -> String {
    // No map with other keys than text and no failing serializer is involved.
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

/// The same on one line.
pub fn json_line(value: &(impl Serialize + ?Sized)) -> String {
    let mut text = serde_json::to_string(value).unwrap_or_default();
    text.push('\n');
    text
}

/// `x` with `digits` significant digits; in exponent form where that is shorter to read.
pub fn figure(x: f64, digits: usize) -> String {
    if x == 0.0 || !x.is_finite() {
        return x.to_string();
    }
    let scientific = format!("{x:.*e}", digits - 1);
    let exponent: i32 = scientific.split_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0);
    if (-4..digits as i32 + 1).contains(&exponent) {
        format!("{x:.*}", (digits as i32 - 1 - exponent).max(0) as usize)
    } else {
        scientific
    }
}

/// Numbers in JSON, which knows no infinity: those that are not finite are text.
pub mod number {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Number {
        Finite(f64),
        Text(String),
    }

    /// A number.
    pub fn serialize<S: Serializer>(x: &f64, s: S) -> Result<S::Ok, S::Error> {
        if x.is_finite() { Number::Finite(*x) } else { Number::Text(x.to_string()) }.serialize(s)
    }

    /// A number.
    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<f64, D::Error> {
        match Number::deserialize(d)? {
            Number::Finite(x) => Ok(x),
            Number::Text(text) => text.parse().map_err(D::Error::custom),
        }
    }

    /// A number that may be missing.
    pub mod option {
        use super::Number;
        use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

        /// A number or null.
        pub fn serialize<S: Serializer>(x: &Option<f64>, s: S) -> Result<S::Ok, S::Error> {
            x.map(|x| if x.is_finite() { Number::Finite(x) } else { Number::Text(x.to_string()) }).serialize(s)
        }

        /// A number or null.
        pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Option<f64>, D::Error> {
            match Option::<Number>::deserialize(d)? {
                None => Ok(None),
                Some(Number::Finite(x)) => Ok(Some(x)),
                Some(Number::Text(text)) => text.parse().map(Some).map_err(D::Error::custom),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{escaped, escaped_lines, figure};
    use serde::{Deserialize, Serialize};

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Errors {
        #[serde(with = "super::number")]
        one: f64,
        #[serde(with = "super::number::option")]
        other: Option<f64>,
    }

    #[test]
    fn nothing_that_acts_on_a_terminal_is_left() {
        assert_eq!(escaped("a\u{1b}[31m\n\u{9b}\u{7f}\u{202e}"), r"a\u{1b}[31m\n\u{9b}\u{7f}\u{202e}");
        assert_eq!(escaped("f\u{fc}r `x` \"y\" \\ e\u{301}"), "f\u{fc}r `x` \"y\" \\ e\u{301}");
        assert_eq!(escaped_lines("a\r\nb"), "a\\r\nb");
        assert_eq!(escaped(&escaped("\r\0")), r"\r\u{0}");
    }

    #[test]
    fn figures() {
        let cases =
            [(0.0, "0"), (5.0, "5.000"), (2.5e-5, "2.500e-5"), (0.000123456, "0.0001235"), (123456.0, "1.235e5")];
        for (x, text) in cases {
            assert_eq!(figure(x, 4), text);
        }
        assert_eq!((figure(9999.96, 4), figure(f64::INFINITY, 4)), ("10000".into(), "inf".into()));
    }

    #[test]
    fn infinities_survive_json() {
        for (one, other) in [(f64::INFINITY, Some(f64::NEG_INFINITY)), (0.1 + 0.2, Some(5e-324)), (0.0, None)] {
            let errors = Errors { one, other };
            let text = serde_json::to_string(&errors).unwrap();
            assert_eq!(serde_json::from_str::<Errors>(&text).unwrap(), errors, "{text}");
        }
        assert!(serde_json::from_str::<Errors>(r#"{"one": "large", "other": null}"#).is_err());
    }
}
