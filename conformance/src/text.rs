//! Figures as text.

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
