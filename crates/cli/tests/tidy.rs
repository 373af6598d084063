//! What the architecture promises and the compiler does not check.

#[path = "tidy/modules.rs"]
mod modules;

use std::fs;
use std::path::{Path, PathBuf};

use lapidary_cegar::config::AXES;
use modules::{Graph, name};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// All Rust sources below `folder`.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            match entry.extension() {
                _ if entry.is_dir() => open.push(entry),
                Some(extension) if extension == "rs" => found.push(entry),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

#[test]
fn every_file_says_what_it_is() {
    for path in sources(&root().join("crates")) {
        let text = fs::read_to_string(&path).unwrap();
        let first = text.lines().next().unwrap_or_default();
        assert!(first.starts_with("//! ") && first.len() > 12, "{}: {first}", path.display());
    }
}

#[test]
fn files_are_short() {
    for path in sources(&root().join("crates")) {
        let lines = fs::read_to_string(&path).unwrap().lines().count();
        assert!(lines <= 430, "{}: {lines} lines", path.display());
    }
}

/// Algorithms 1-3, without their pseudo-code, stay readable beside the paper.
#[test]
fn algorithms_stay_on_a_screen() {
    for (file, most) in [("cegar.rs", 80), ("abstraction.rs", 120), ("refinement.rs", 175)] {
        let text = read(&format!("crates/cegar/src/{file}"));
        let code =
            text.lines().filter(|line| !line.starts_with("//!") && !line.trim().is_empty()).count();
        assert!(code <= most, "{file}: {code} lines of code, at most {most} are wanted");
    }
}

/// `Cargo.toml` keeps the search out; the formulas of paths, which the search uses, are in a crate that both know.
#[test]
fn the_validator_shares_no_code_with_the_search() {
    for path in sources(&root().join("crates/validate/src")) {
        let text = fs::read_to_string(&path).unwrap();
        for line in text.lines().filter(|line| line.trim_start().starts_with("use ")) {
            let is_shared = line.contains("encode") || line.contains("Path");
            assert!(!is_shared, "{}: {line}", path.display());
        }
    }
}

/// Each crate, and the crates of the workspace that it may use.
const MAY_USE: [(&str, &[&str]); 13] = [
    ("expr", &[]),
    ("sat", &[]),
    ("bench", &[]),
    ("solver", &["expr"]),
    ("model", &["expr"]),
    ("oracle", &["expr", "model"]),
    ("frontend", &["expr", "model"]),
    ("validate", &["expr", "model", "solver"]),
    ("cegar", &["expr", "model", "solver"]),
    ("engine", &["expr", "model", "solver", "sat", "validate", "cegar"]),
    ("lapidary", &["expr", "model", "solver", "frontend", "cegar", "engine"]),
    ("report", &["lapidary", "expr", "model", "solver", "frontend", "cegar", "engine"]),
    (
        "cli",
        &[
            "report", "lapidary", "expr", "model", "solver", "frontend", "validate", "cegar",
            "engine", "bench",
        ],
    ),
];

#[test]
fn crates_know_only_what_they_may() {
    let folders = fs::read_dir(root().join("crates")).unwrap();
    let names = folders.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    for name in names {
        let (_, may) = MAY_USE
            .iter()
            .find(|(listed, _)| *listed == name)
            .unwrap_or_else(|| panic!("{name} is not in the list"));
        let manifest = read(&format!("crates/{name}/Cargo.toml"));
        let dependencies = manifest.split("[dependencies]").nth(1).unwrap_or_default();
        let dependencies = dependencies.split("\n[").next().unwrap_or_default();
        for line in dependencies.lines() {
            if let Some(other) = line.strip_prefix("lapidary") {
                let other = other.split(['.', ' ']).next().unwrap_or_default();
                let other = other.strip_prefix('-').unwrap_or("lapidary");
                assert!(may.contains(&other), "{name} depends on {other}");
            }
            let is_z3 = line.starts_with("z3");
            assert!(!is_z3 || name == "solver", "{name} depends on Z3");
        }
    }
}

#[test]
fn every_axis_and_value_is_documented() {
    let manual = read("docs/algorithms.md");
    for axis in AXES {
        let heading = format!("## `{}`", axis.name);
        let section =
            manual.split(&heading).nth(1).unwrap_or_else(|| panic!("no section {heading}"));
        let section = section.split("\n## ").next().unwrap_or_default();
        let numeric = axis.name == "max-enum";
        for value in axis
            .values
            .iter()
            .filter(|value| !(numeric && value.parse::<u32>().is_ok_and(|n| n > 1)))
        {
            assert!(section.contains(&format!("- `{value}`")), "{heading}: no line for `{value}`");
        }
        for (alias, _) in axis.aliases.iter().filter(|(alias, _)| alias.contains('_')) {
            assert!(section.contains(alias), "{heading}: the alias {alias} is not mentioned");
        }
    }
}

#[test]
fn documented_files_exist() {
    let manual = read("docs/algorithms.md");
    let named = manual.split('`').filter(|word| word.starts_with("crates/"));
    for path in named {
        assert!(root().join(path).exists(), "docs/algorithms.md names {path}");
    }
}

/// `MODULES=cegar cargo test -q -p lapidary-cli --test tidy modules -- --nocapture` prints the graph of a crate, `MODULES=all` that of
/// all crates.
#[test]
#[allow(clippy::print_stdout, reason = "it prints the graph if asked to")]
fn modules_have_no_cycles() {
    let printed = std::env::var("MODULES").unwrap_or_default();
    let mut found = Vec::new();
    for (krate, _) in MAY_USE {
        let folder = root().join("crates").join(krate).join("src");
        let graph = Graph::of(&folder, &sources(&folder));
        if printed == krate || printed == "all" {
            println!("{krate}: {} modules", graph.0.len());
            for (module, others) in &graph.0 {
                let others: Vec<String> = others.iter().map(name).collect();
                println!("  {} -> {}", name(module), others.join(" "));
            }
        }
        found.extend(graph.cycles().into_iter().map(|cycle| format!("{krate}: {cycle:?}")));
    }
    assert!(found.is_empty(), "modules that mention each other: {found:#?}");
}

#[test]
fn cycles_of_modules_are_found() {
    let folder = std::env::temp_dir().join(format!("lapidary-modules-{}", std::process::id()));
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("lib.rs", "mod a;\nmod b;\nmod c;\npub use b::{Other as Another, Thing};");
    // A comment is no mention: crate::c::X.
    write(
        "a.rs",
        "mod inner;\nuse inner::Inside;\nfn f() { let x: crate::Thing = \"crate::c::X\"; }",
    );
    write("a/inner.rs", "pub(in crate::a) fn g() { super::f() }");
    write("b.rs", "use crate::{c::{self, Deep}, d};\nfn h() {}");
    write("c.rs", "fn k() {}\n#[cfg(test)]\nmod tests {\nuse crate::a;\n}");
    let cycles = || Graph::of(&folder, &sources(&folder)).cycles();
    assert!(cycles().is_empty(), "{:?}", cycles());
    // By way of a path inline, from a child.
    write("c.rs", "fn k() { super::a::inner::g() }");
    assert!(cycles().is_empty(), "{:?}", cycles());
    write("a/inner.rs", "fn g(x: crate::Thing) {}");
    assert_eq!(cycles(), [["a::inner", "b", "c"]]);
    fs::remove_dir_all(&folder).unwrap();
}
