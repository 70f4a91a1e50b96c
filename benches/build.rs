//! Compiles the loops around C++ peers, where they are asked for.

fn main() {
    println!("cargo::rerun-if-changed=shim/peers.cpp");
    if std::env::var_os("CARGO_FEATURE_PEERS").is_some() {
        cc::Build::new()
            .cpp(true)
            .opt_level(2)
            .flag("-mfma")
            .flag("-ffp-contract=off")
            .file("shim/peers.cpp")
            .compile("peers");
        println!("cargo::rustc-link-lib=qd");
        println!("cargo::rustc-link-lib=quadmath");
    }
}
