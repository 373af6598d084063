//! A package outside of the workspace that uses the library builds and runs with what the documentation asks for.

#![expect(clippy::disallowed_methods, reason = "this test is about cargo")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Makes the package, with the example of the documentation as its program.
fn package(folder: &Path) {
    fs::create_dir_all(folder.join("src")).unwrap();
    fs::create_dir_all(folder.join(".cargo")).unwrap();
    let root = root().display().to_string();
    let manifest = format!(
        "[package]\nname = \"outside\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [dependencies]\nlapidary = {{ path = \"{root}/crates/lapidary\" }}\n\n\
         [profile.dev]\ndebug = \"line-tables-only\"\n"
    );
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    fs::copy(format!("{root}/Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    let program = format!("{root}/crates/lapidary/examples/build_automaton.rs");
    fs::copy(program, folder.join("src/main.rs")).unwrap();
}

fn cargo(folder: &Path, command: &str) -> Output {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args([command, "--quiet", "--offline"]).current_dir(folder);
    // What cargo has set for this test is not there for people.
    for name in ["Z3_LIBRARY_PATH_OVERRIDE", "Z3_SYS_Z3_VERSION", "Z3_NO_PKG_CONFIG"] {
        cargo.env_remove(name);
    }
    cargo.env_remove("LD_LIBRARY_PATH").env("CARGO_TARGET_DIR", root().join("target/outside"));
    cargo.output().unwrap()
}

#[test]
fn a_package_outside_of_the_workspace_builds_and_runs() {
    let folder = env::temp_dir().join(format!("lapidary-outside-{}", std::process::id()));
    package(&folder);
    let without = cargo(&folder, "build");
    let message = String::from_utf8_lossy(&without.stderr).into_owned();
    let config = format!("include = [\"{}/.cargo/config.toml\"]", root().display());
    assert!(!without.status.success() && message.contains(&config), "{message}");
    fs::write(folder.join(".cargo/config.toml"), config + "\n").unwrap();
    let ran = cargo(&folder, "run");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    assert_eq!(String::from_utf8_lossy(&ran.stdout), "safe\n");
    fs::remove_dir_all(&folder).unwrap();
}
