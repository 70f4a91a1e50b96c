//! Prints a header: `cargo run -p vernier-gpu --example emit -- cuda|opencl [fast]`.
use vernier_gpu::print::{Cuda, Rare};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let has = |word: &str| arguments.iter().any(|a| a == word);
    if has("opencl") {
        print!("{}", vernier_gpu::emit::opencl());
    } else {
        print!("{}", vernier_gpu::emit::cuda(&Cuda { fast_seeds: has("fast") }, Rare::Automatic));
    }
}
