//! The arrays of doubles that a kernel reads: from files or generated.

use crate::error::Error;
use crate::text;
use npyz::NpyFile;
use std::fs;
use std::path::Path;
use std::str::FromStr;
use vernier_oracle::generate::counter::word;

/// Doubles in an array at most.
const MOST: u64 = 1 << 29;

/// Where an array comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Origin {
    /// A file: `.npy`, otherwise the bytes of doubles, the lowest first.
    File(String),
    /// Generated: the distribution with its two parameters, and how many.
    Generated(Distribution, f64, f64, u64),
}

/// A distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distribution {
    /// Between two numbers.
    Uniform,
    /// With a mean and a standard deviation.
    Normal,
    /// Between two positive numbers, the logarithm uniform.
    LogUniform,
}

/// An array by name, as `x=points.npy` or `x=uniform(0,1,3e6)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// Its name.
    pub name: String,
    /// Its origin.
    pub origin: Origin,
}

impl FromStr for Array {
    type Err = String;

    fn from_str(text: &str) -> Result<Array, String> {
        let expected = || {
            format!(
                "expected NAME=FILE.npy, NAME=FILE of doubles, or NAME=uniform(LOW,HIGH,COUNT), normal(MEAN,DEVIATION,COUNT), log-uniform(LOW,HIGH,COUNT), found `{text}`"
            )
        };
        let (name, origin) =
            text.split_once('=').filter(|(n, o)| !n.is_empty() && !o.is_empty()).ok_or_else(expected)?;
        let distribution = [
            ("uniform(", Distribution::Uniform),
            ("normal(", Distribution::Normal),
            ("log-uniform(", Distribution::LogUniform),
        ];
        let generated =
            distribution.iter().find_map(|(head, d)| Some((*d, origin.strip_prefix(head)?.strip_suffix(')')?)));
        let Some((distribution, list)) = generated else {
            return Ok(Array { name: name.into(), origin: Origin::File(origin.into()) });
        };
        let numbers: Option<Vec<f64>> =
            list.split(',').map(|x| x.trim().parse().ok().filter(|x: &f64| x.is_finite())).collect();
        let Some([a, b, count]) = numbers.as_deref().and_then(|n| <&[f64; 3]>::try_from(n).ok()) else {
            return Err(expected());
        };
        let in_order = match distribution {
            Distribution::Uniform => a <= b,
            Distribution::Normal => *b >= 0.0,
            Distribution::LogUniform => 0.0 < *a && a <= b,
        };
        if !in_order || count.fract() != 0.0 || !(1.0..=MOST as f64).contains(count) {
            return Err(expected());
        }
        Ok(Array { name: name.into(), origin: Origin::Generated(distribution, *a, *b, *count as u64) })
    }
}

impl Array {
    /// The doubles; `index` and `seed` choose those that are generated.
    ///
    /// # Errors
    /// Where a file is none of doubles, or one of them is NaN.
    pub fn read(&self, index: u64, seed: u64) -> Result<Vec<f64>, Error> {
        let data = match &self.origin {
            Origin::File(path) => from_file(Path::new(path))?,
            Origin::Generated(distribution, a, b, count) => {
                (0..*count).map(|i| draw(*distribution, *a, *b, word(seed.rotate_left(32) ^ index, i))).collect()
            }
        };
        match data.iter().position(|x| x.is_nan()) {
            Some(i) => Err(Error::Usage(format!("{}: expected numbers, found NaN at index {i}", self.name))),
            None => Ok(data),
        }
    }
}

fn draw(distribution: Distribution, a: f64, b: f64, random: u64) -> f64 {
    let unit = |bits: u64| (bits >> 11) as f64 / (1u64 << 53) as f64;
    let u = unit(random);
    match distribution {
        Distribution::Uniform => a + (b - a) * u,
        Distribution::LogUniform => (a.ln() + (b / a).ln() * u).exp(),
        // Box and Muller 1958.
        Distribution::Normal => {
            let angle = std::f64::consts::TAU * unit(word(random, 1));
            a + b * (-2.0 * (1.0 - u).ln()).sqrt() * angle.cos()
        }
    }
}

fn from_file(path: &Path) -> Result<Vec<f64>, Error> {
    let name = text::path(path);
    let fault = |error| Error::Read { name: name.clone(), error };
    let length = fs::metadata(path).map_err(fault)?;
    if !length.is_file() {
        return Err(fault(std::io::Error::other("expected a regular file")));
    }
    if length.len() / 8 > MOST {
        return Err(Error::Usage(format!("{name}: expected at most {MOST} doubles")));
    }
    let bytes = fs::read(path).map_err(fault)?;
    if path.extension().is_some_and(|e| e == "npy") {
        return from_npy(&bytes).map_err(|reason| Error::Usage(format!("{name}: {reason}")));
    }
    if bytes.len() % 8 != 0 || bytes.is_empty() {
        return Err(Error::Usage(format!("{name}: expected doubles of 8 bytes each, found {} bytes", bytes.len())));
    }
    Ok(bytes.chunks_exact(8).map(|b| b.try_into().map_or(0.0, f64::from_le_bytes)).collect())
}

/// Any shape, in the order of the file.
fn from_npy(bytes: &[u8]) -> Result<Vec<f64>, String> {
    let file = || NpyFile::new(bytes).map_err(|e| format!("expected a file of NumPy: {e}"));
    let kind = file()?.dtype().descr();
    let broken = |e: std::io::Error| format!("expected a whole file of NumPy: {e}");
    macro_rules! numbers {
        ($($t:ty),*) => {$(
            if let Ok(data) = file()?.data::<$t>() {
                return data.map(|x| Ok(f64::from(x.map_err(broken)?))).collect();
            }
        )*};
    }
    // What a double holds exactly.
    numbers!(f64, f32, i32, i16, u8);
    Err(format!("expected float64, float32, int32, int16 or uint8, found {kind}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_named() {
        let x: Array = "x=uniform(0,1,3e3)".parse().unwrap();
        assert_eq!(x.origin, Origin::Generated(Distribution::Uniform, 0.0, 1.0, 3000));
        assert_eq!("p=a=b.npy".parse::<Array>().unwrap().origin, Origin::File("a=b.npy".into()));
        for wrong in [
            "x",
            "=a",
            "x=",
            "x=uniform(1,0,3)",
            "x=normal(0,1)",
            "x=log-uniform(0,1,5)",
            "x=uniform(0,1,0.5)",
            "x=uniform(0,nan,3)",
        ] {
            assert!(wrong.parse::<Array>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn generated_data_have_their_distribution() {
        let of = |text: &str| text.parse::<Array>().unwrap().read(0, 1).unwrap();
        let mean = |x: &[f64]| x.iter().sum::<f64>() / x.len() as f64;
        let u = of("x=uniform(2,4,1e5)");
        assert!(u.iter().all(|x| (2.0..=4.0).contains(x)) && (mean(&u) - 3.0).abs() < 0.01);
        let n = of("x=normal(5,2,1e5)");
        let spread = mean(&n.iter().map(|x| (x - 5.0).powi(2)).collect::<Vec<_>>()).sqrt();
        assert!((mean(&n) - 5.0).abs() < 0.03 && (spread - 2.0).abs() < 0.03);
        let l = of("x=log-uniform(1e-6,1e6,1e5)");
        let small = l.iter().filter(|x| **x < 1.0).count();
        assert!(l.iter().all(|x| (0.999e-6..=1.001e6).contains(x)) && (49_000..51_000).contains(&small));
        assert_ne!(u, "x=uniform(2,4,1e5)".parse::<Array>().unwrap().read(0, 2).unwrap());
    }

    #[test]
    fn files() {
        let folder = tempfile::tempdir().unwrap();
        let read = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            fs::write(&path, bytes).unwrap();
            format!("x={}", path.display()).parse::<Array>().unwrap().read(0, 1)
        };
        let doubles: Vec<u8> = [1.5f64, -2.0].iter().flat_map(|x| x.to_le_bytes()).collect();
        assert_eq!(read("a.raw", &doubles).unwrap(), [1.5, -2.0]);
        let npy = |kind: &str, body: &[u8]| {
            let mut head = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': (2,), }}");
            head += &" ".repeat(64 - (11 + head.len()) % 64);
            head.push('\n');
            let length = (head.len() as u16).to_le_bytes();
            [b"\x93NUMPY\x01\x00", &length[..], head.as_bytes(), body].concat()
        };
        assert_eq!(read("a.npy", &npy("<f8", &doubles)).unwrap(), [1.5, -2.0]);
        let floats: Vec<u8> = [1.5f32, -2.0].iter().flat_map(|x| x.to_le_bytes()).collect();
        assert_eq!(read("f.npy", &npy("<f4", &floats)).unwrap(), [1.5, -2.0]);
        let message = |r: Result<Vec<f64>, Error>| r.unwrap_err().to_string();
        assert!(message(read("short.npy", &npy("<f8", &doubles[..9]))).contains("expected a whole file"));
        assert!(message(read("c.npy", &npy("<c16", &doubles))).contains("expected float64"));
        assert!(message(read("no.npy", b"text")).contains("expected a file of NumPy"));
        assert!(message(read("b.raw", &doubles[..9])).contains("found 9 bytes"));
        assert!(message(read("nan.raw", &f64::NAN.to_le_bytes())).contains("found NaN at index 0"));
    }
}
