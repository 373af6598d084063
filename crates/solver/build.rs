//! Makes sure that Z3 is there, and tells every binary that links it where it is.
//!
//! `make setup` installs libz3 into the folder named by `Z3_LIBRARY_PATH_OVERRIDE`
//! (`.cargo/config.toml`); z3-sys links it. Linking is not enough: the library is not on
//! the loader's path, so each binary needs an rpath. Cargo applies link arguments only to
//! the package that prints them, so they are also handed on as `links` metadata, and the
//! build scripts of the crates above print them again. (rustflags in `.cargo/config.toml`
//! would reach all crates, but cannot hold a path relative to the repository and vanish as
//! soon as somebody sets `RUSTFLAGS`.)
use std::env;
use std::path::{Path, PathBuf};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=Z3_LIBRARY_PATH_OVERRIDE");
    if env::var_os("CARGO_FEATURE_VENDORED").is_some() {
        return; // Z3 is built from source and linked statically.
    }
    let Ok(dir) = env::var("Z3_LIBRARY_PATH_OVERRIDE") else {
        let manifest = env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
        let root = Path::new(&manifest).ancestors().nth(2).unwrap_or(Path::new(".")).display();
        println!(
            "cargo::error=Lapidary does not know where Z3 is: write `include = [\"{root}/.cargo/config.toml\"]` into \
             .cargo/config.toml of your workspace, or build with `--features vendored`"
        );
        return;
    };
    // Otherwise the linker would look further and take whatever libz3 the system has.
    println!("cargo::rerun-if-changed={dir}");
    if !has_libz3(Path::new(&dir)) {
        println!("cargo::error=Z3 is not installed in {dir}: run `make setup` first");
        return;
    }
    reachable_from_other_workspaces(Path::new(&dir));
    if let Some(arg) = rpath(&dir) {
        println!("cargo::rustc-link-arg={arg}");
        println!("cargo::metadata=rpath={arg}"); // DEP_LAPIDARY_SOLVER_RPATH for dependents
    }
}

/// Packages of other workspaces have no build script that prints the rpath. Cargo tells `cargo run` and `cargo test` about
/// libraries in folders that it made itself, so there is a link to libz3 in one of them.
fn reachable_from_other_workspaces(dir: &Path) {
    let Some(out) = env::var_os("OUT_DIR").map(PathBuf::from) else { return };
    let files = std::fs::read_dir(dir).into_iter().flatten().flatten();
    for file in files.filter(|file| file.file_name().to_string_lossy().starts_with("libz3.")) {
        let (link, file) = (out.join(file.file_name()), file.path());
        let _ = std::fs::remove_file(&link);
        #[cfg(unix)]
        let made = std::os::unix::fs::symlink(&file, &link);
        #[cfg(not(unix))]
        let made = std::fs::copy(&file, &link);
        if let Err(error) = made {
            println!("cargo::warning=`cargo run` may not find libz3 elsewhere: {error}");
        }
    }
    println!("cargo::rustc-link-search=native={}", out.display());
}

fn has_libz3(dir: &Path) -> bool {
    ["libz3.so", "libz3.dylib", "libz3.lib"].iter().any(|name| dir.join(name).exists())
}

/// The linker argument that makes a binary look for libz3 beside itself (a copied binary), in
/// `../lib` (the archive of `make dist`) and then in `dir`. `tools/dist` cuts off `dir`, so it
/// has to come last.
///
/// On ELF systems this is DT_RUNPATH rather than DT_RPATH, so that `LD_LIBRARY_PATH` can
/// still put another build of Z3 in its place. It does not extend to libraries of
/// libraries, which is no loss: libz3 needs only the system's.
fn rpath(dir: &str) -> Option<String> {
    match env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("windows") => None, // no such thing: the DLL must be on PATH
        Ok("macos") => {
            Some(format!("-Wl,-rpath,@loader_path,-rpath,@loader_path/../lib,-rpath,{dir}"))
        }
        _ => Some(format!(
            "-Wl,--enable-new-dtags,-rpath,$ORIGIN,-rpath,$ORIGIN/../lib,-rpath,{dir}"
        )),
    }
}
