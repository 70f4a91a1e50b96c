use vernier_gpu::print::*;
fn main() {
    let fast = std::env::args().any(|a| a == "fast");
    let rare = if std::env::args().any(|a| a == "outline") { Rare::Outline } else { Rare::Inline };
    let cl = std::env::args().any(|a| a == "opencl");
    let d: Box<dyn Dialect> = if cl { Box::new(OpenCl) } else { Box::new(Cuda { fast_seeds: fast }) };
    print!("{}", d.prelude());
    for f in vernier_gpu::registry::functions() {
        print!("{}", function(&*d, f, rare, None));
    }
}
