//! Figures and data as text.

use serde::Serialize;

/// As JSON, ending with a newline.
pub fn json(value: &(impl Serialize + ?Sized)) -> String {
    // No map with other keys than text and no failing serializer is involved.
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
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
    use super::figure;
    use serde::{Deserialize, Serialize};

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Errors {
        #[serde(with = "super::number")]
        one: f64,
        #[serde(with = "super::number::option")]
        other: Option<f64>,
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
