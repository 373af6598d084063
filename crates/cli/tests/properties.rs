//! Property files and task definitions: the property that is verified is the one that was asked for.

mod common;

use common::{Folder, Ran};

/// Safe as far as `reach_error` is concerned, with an overflow.
const PROGRAM: &str = "extern void reach_error(void);
int main(void) {
  int x = 2147483647;
  x = x + 1;
  if (x == 0) reach_error();
  return 0;
}
";
const REACHABILITY: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
const OVERFLOW: &str = "CHECK( init(main()), LTL(G ! overflow) )\n";
const TERMINATION: &str = "CHECK( init(main()), LTL(F end) )\n";
const MEMORY: &str = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\
    CHECK( init(main()), LTL(G valid-memtrack) )\n";

fn folder(test: &str) -> Folder {
    let folder = Folder::new(test);
    folder.write("p.c", PROGRAM);
    folder.make_folder("properties");
    folder.write("properties/unreach-call.prp", REACHABILITY);
    folder.write("properties/no-overflow.prp", OVERFLOW);
    folder.write("properties/two.prp", format!("{REACHABILITY}{OVERFLOW}"));
    folder.write("properties/valid-memsafety.prp", MEMORY);
    folder.write("properties/termination.prp", TERMINATION);
    folder.write("properties/unsupported.prp", format!("{REACHABILITY}{TERMINATION}"));
    folder.write("properties/same.prp", REACHABILITY.repeat(2));
    folder.write("properties/nothing.prp", "\n");
    folder
}

/// Writes a task definition with these property files.
fn task(folder: &Folder, name: &str, properties: &[&str]) {
    let entries = properties.iter().map(|file| format!("  - property_file: properties/{file}\n"));
    let entries: String = entries.collect();
    folder.write(
        name,
        format!("format_version: '2.0'\ninput_files: 'p.c'\nproperties:\n{entries}options:\n  language: C\n"),
    );
}

#[track_caller]
fn check_rejected(ran: &Ran, parts: &[&str]) {
    assert_eq!((ran.status, &ran.stdout[..]), (65, ""), "{ran:?}");
    for part in parts {
        assert!(ran.stderr.contains(part), "{part}: {ran:?}");
    }
}

#[test]
fn a_task_is_verified_for_its_property_or_not_at_all() {
    let folder = folder("properties_of_tasks");
    task(&folder, "t.yml", &["unreach-call.prp"]);
    folder.check(&["verify", "-q", "t.yml"], 0, "safe\n", "");
    let supported = "`CHECK( init(main()), LTL(G ! call(reach_error())) )`";
    for (file, why) in [("termination.prp", "F end"), ("unsupported.prp", "F end")] {
        task(&folder, "t.yml", &[file]);
        let path = format!("`properties/{file}`");
        let parts = [&path, "is not supported", why, supported];
        check_rejected(&folder.run(&["verify", "t.yml"]), &parts);
        let by_option = ["verify", "p.c", "--property", &path[1..path.len() - 1]];
        check_rejected(&folder.run(&by_option), &parts);
    }
    for (file, status) in
        [("same.prp", 0), ("no-overflow.prp", 1), ("two.prp", 1), ("valid-memsafety.prp", 0)]
    {
        task(&folder, "t.yml", &[file]);
        let ran = folder.run(&["verify", "t.yml"]);
        assert_eq!(ran.status, status, "{file}: {ran:?}");
        assert_eq!(
            ran.stdout.contains("p.c:4:7: ") && ran.stdout.contains("no-overflow]"),
            status == 1,
            "{file}: {ran:?}"
        );
    }
    for file in ["none.prp", "nothing.prp"] {
        task(&folder, "t.yml", &[file]);
        let path = format!("cannot read `properties/{file}`");
        check_rejected(&folder.run(&["verify", "t.yml"]), &[&path]);
    }
}

#[test]
fn several_properties_are_asked_together_or_one_is_named() {
    let folder = folder("several_properties");
    task(&folder, "t.yml", &["no-overflow.prp", "unreach-call.prp"]);
    let ran = folder.run(&["verify", "t.yml"]);
    assert!(ran.status == 1 && ran.stdout.contains("no-overflow]"), "{ran:?}");
    let ran = folder.run(&["verify", "t.yml", "--check", "assertion"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    task(&folder, "t.yml", &["termination.prp", "unreach-call.prp"]);
    let parts = ["`properties/termination.prp` is not supported", "--property"];
    check_rejected(&folder.run(&["verify", "t.yml"]), &parts);
    let named = |name| folder.run(&["verify", "-q", "t.yml", "--property", name]);
    let ran = named("properties/unreach-call.prp");
    assert_eq!((ran.status, &ran.stdout[..]), (0, "safe\n"), "{ran:?}");
    check_rejected(&named("properties/termination.prp"), &["termination.prp", "is not supported"]);
    // It is the named one that counts, whatever the definition has.
    task(&folder, "t.yml", &["none.prp"]);
    assert_eq!(named("properties/unreach-call.prp").status, 0);
}

#[test]
fn task_definitions_that_are_not_understood_are_rejected() {
    let folder = folder("wrong_tasks");
    for (text, why) in [
        ("input_files: p.c\nproperties: properties/unreach-call.prp\n", "`properties`"),
        ("input_files: p.c\noptions: {data_model: LLP64}\n", "`LLP64`"),
        ("input_files: p.c\noptions: {language: Java}\n", "`Java`"),
        ("input_files: [p.c, p.c]\n", "several programs"),
        ("int main(void) { return 0; }\n", "is not a task definition"),
    ] {
        folder.write("t.yml", text);
        check_rejected(&folder.run(&["verify", "t.yml"]), &["`t.yml`", why]);
    }
    // A property in another notation is a property, too.
    let flow = "{input_files: p.c, properties: [{property_file: properties/termination.prp}]}\n";
    folder.write("t.yml", flow);
    check_rejected(&folder.run(&["verify", "t.yml"]), &["termination.prp", "is not supported"]);
    let named = "properties/no-overflow.prp";
    let ran = folder.run(&["verify", "p.c", "--property", named, "--check", "bounds"]);
    assert!(ran.status == 64 && ran.stderr.contains("leave out `--check`"), "{ran:?}");
    let ran = folder.run(&["verify", "p.c", "--check", "bounds", "--no-check", "bounds"]);
    assert!(ran.status == 64 && ran.stderr.contains("nothing is left to check"), "{ran:?}");
}

#[test]
fn property_files_are_for_c_programs() {
    let folder = folder("properties_of_automata");
    let ran = folder.run(&["verify", "safe.cfa", "--property", "properties/unreach-call.prp"]);
    assert_eq!(ran.status, 64, "{ran:?}");
    assert!(ran.stderr.contains("property files are for C programs"), "{ran:?}");
}

/// Started at `main`, nothing can happen; started at `step`, the argument may be negative, while global variables have
/// their first values.
const ENTRIES: &str = "extern void reach_error(void);
static int mode = 1;
static int step(int n, int m) {
  if (mode == 2) reach_error();
  if (n == -3 && m == 4) reach_error();
  return n;
}
static void quiet(int n) { if (mode == 2 || n > n + 0) reach_error(); }
extern int outside(void);
int main(int argc, char **argv) {
  if (argc < 0) reach_error();
  mode = 2;
  return 0;
}
";

#[test]
fn the_entry_function_is_the_one_that_the_property_names() {
    let folder = folder("entry_function");
    folder.write("p.c", ENTRIES);
    let run = |entry: &str, words: &[&str]| {
        folder.write("p.prp", REACHABILITY.replace("main", entry));
        folder.run(&[&["verify", "-q", "p.c", "--property", "p.prp"], words].concat())
    };
    for (entry, verdict, status) in
        [("main", "safe", 0), ("step", "unsafe", 1), ("quiet", "safe", 0)]
    {
        for arith in ["bv", "int"] {
            let ran = run(entry, &["--arith", arith, "--witness", "w.yml"]);
            assert_eq!((ran.last_line(), ran.status), (verdict, status), "{entry}: {ran:?}");
            let specification = format!("CHECK( init({entry}()), LTL(G ! call(reach_error())) )");
            assert!(folder.read("w.yml").contains(&specification), "{entry}");
        }
    }
    for entry in ["missing", "outside", "mode"] {
        let parts =
            [&*format!("there is no function `{entry}`"), "p.c", "the entry function needs a body"];
        check_rejected(&run(entry, &[]), &parts);
    }
    check_rejected(&run("reach_error", &[]), &["`reach_error` is the entry function"]);
    let ran = run("step", &["--harness", "h.c"]);
    assert_eq!(ran.status, 64, "{ran:?}");
    assert!(ran.stderr.contains("`--harness` starts programs at `main`"), "{ran:?}");
}
