//! How wrong is a function of yours? Here a logistic curve's exponential, and a length that overflows too soon.
//!
//!     cargo run --release -p vernier-oracle --example judge_my_function

use vernier_oracle::{Accuracy, Function, accuracy};

/// e^x by its series: right near 0, and nowhere else.
fn series(x: f32) -> f32 {
    1.0 + x * (1.0 + x * (0.5 + x * (1.0 / 6.0 + x / 24.0)))
}

fn main() {
    println!("the standard library's: {}", accuracy(|x: f32| x.exp(), Function::Exp));
    println!("five terms of a series: {}", accuracy(series, Function::Exp));
    println!("a hypotenuse: {}", accuracy(|x: f64, y: f64| (x * x + y * y).sqrt(), Function::Hypot));
    // More inputs, or all.
    println!("{}", Accuracy::searched(|x: f64| x.cbrt(), Function::Cbrt, 1 << 20));
    println!("{}", Accuracy::exhaustive(|x: f32| x.exp2(), Function::Exp2));
}
