//! Passes on the rpath to libz3; `crates/solver/build.rs` explains it.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if let Ok(arg) = std::env::var("DEP_LAPIDARY_SOLVER_RPATH") {
        println!("cargo::rustc-link-arg={arg}");
    }
}
