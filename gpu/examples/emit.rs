//! Prints a header: `cargo run -p vernier-gpu --example emit -- cuda|opencl [fast]`.
fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let has = |word: &str| arguments.iter().any(|a| a == word);
    if has("opencl") {
        print!("{}", vernier_gpu::emit::opencl());
    } else {
        print!("{}", vernier_gpu::emit::cuda(&vernier_gpu::print::Cuda { fast_seeds: has("fast") }));
    }
}
