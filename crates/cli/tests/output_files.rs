//! Output files: the old one stays until there is a new one, and output that cannot be written is an error.

mod common;

use std::process::{Command, Stdio};

use common::{FOR_EVER, Folder, Ran};

/// `x` and `y` of `DIVERGING`, in C.
const ENDLESS: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = 0, y = 0;
  while (__VERIFIER_nondet_int()) { x = x + 1; y = y + 2; }
  if (y == 2 * x + 1) reach_error();
  return 0;
}
";
const UNSAFE_C: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  if (__VERIFIER_nondet_int() == 7) reach_error();
  return 0;
}
";
const SAFE_C: &str = "extern void reach_error(void);
int main(void) {
  unsigned x = 0;
  while (x < 3) x++;
  if (x == 0) reach_error();
  return 0;
}
";

fn folder(test: &str) -> Folder {
    let folder = Folder::new(test);
    for (name, text) in [("endless.c", ENDLESS), ("unsafe.c", UNSAFE_C), ("safe.c", SAFE_C)] {
        folder.write(name, text);
    }
    folder
}

/// Runs `lapidary` by a shell that does something first.
fn run_after(folder: &Folder, first: &str, words: &[&str]) -> Ran {
    #[expect(clippy::disallowed_methods, reason = "limits are set by a shell")]
    let mut shell = Command::new("sh");
    let script = format!("{first}\nexec \"$0\" \"$@\"");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_lapidary")]).args(words);
    Ran::of(shell.current_dir(folder.path()).stdin(Stdio::null()).output().expect("it starts"))
}

fn files(folder: &Folder) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path()).expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name().into_string());
    names.map(|name| name.expect("text")).filter(|name| name.starts_with('.')).collect()
}

#[test]
fn a_run_without_a_verdict_leaves_files_as_they_were() {
    let folder = folder("left_files");
    let endless = [&["verify", "-q", "endless.c", "--arith", "int"], &FOR_EVER[..]].concat();
    let limited =
        [&endless[..], &["--wall", "0.2", "--witness", "w.yml", "--harness", "h.c"]].concat();
    let ran = folder.run(&limited);
    assert_eq!((ran.status, &ran.stderr[..]), (2, ""), "{ran:?}");
    // Where there was nothing, there is nothing.
    assert!(!folder.path().join("w.yml").exists() && !folder.path().join("h.c").exists());
    folder.write("w.yml", "old witness");
    folder.write("h.c", "old harness");
    let ran = folder.run(&limited);
    assert_eq!(ran.status, 2, "{ran:?}");
    assert!(
        ran.stderr.contains("warning: `w.yml` is left as it was: the verdict is unknown"),
        "{ran:?}"
    );
    // Nor does a run that is killed change anything, whenever that is.
    let mut child =
        folder.start(&[&endless[..], &["--witness", "w.yml", "--harness", "h.c"]].concat());
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    assert_eq!((&*folder.read("w.yml"), &*folder.read("h.c")), ("old witness", "old harness"));
    // Safe programs have no harness.
    let ran = folder.run(&["verify", "-q", "safe.c", "--harness", "h.c"]);
    assert_eq!((ran.status, &*folder.read("h.c")), (0, "old harness"), "{ran:?}");
    // And a verdict replaces both.
    let ran = folder.run(&["verify", "-q", "unsafe.c", "--witness", "w.yml", "--harness", "h.c"]);
    assert_eq!((ran.status, &ran.stderr[..]), (1, ""), "{ran:?}");
    assert!(folder.read("w.yml").contains("violation_sequence"));
    assert!(folder.read("h.c").contains("__VERIFIER_nondet_int"));
    assert_eq!(files(&folder), [""; 0]);
}

#[test]
fn output_that_cannot_be_written_is_an_error() {
    let folder = folder("full_disk");
    let full = "cannot write `/dev/full`: no space left on device";
    for (file, option) in [
        ("unsafe.c", "--witness"),
        ("unsafe.c", "--harness"),
        ("safe.cfa", "--cfa"),
        ("safe.cfa", "--save-precision"),
    ] {
        let ran = folder.run(&["verify", "-q", file, option, "/dev/full"]);
        assert_eq!(ran.status, 70, "{option}: {ran:?}");
        assert!(ran.stderr.contains(full), "{option}: {ran:?}");
    }
    // The verdict is there all the same.
    let ran = folder.run(&["verify", "-q", "unsafe.c", "--witness", "/dev/full"]);
    assert_eq!(ran.last_line(), "unsafe", "{ran:?}");
    // A limit of file sizes is an error like a full disk, and the old file stays.
    folder.write("w.yml", "old witness");
    let ran =
        run_after(&folder, "ulimit -f 0", &["verify", "-q", "unsafe.c", "--witness", "w.yml"]);
    assert_eq!((ran.status, ran.last_line()), (70, "unsafe"), "{ran:?}");
    assert!(ran.stderr.contains("cannot write `w.yml`: file too large"), "{ran:?}");
    assert_eq!(folder.read("w.yml"), "old witness");
    assert_eq!(files(&folder), [""; 0]);
    let ran = run_after(&folder, "exec > /dev/full", &["verify", "safe.cfa"]);
    assert_eq!(ran.status, 70, "{ran:?}");
    assert!(ran.stderr.contains("cannot write to standard output"), "{ran:?}");
}

#[test]
fn recordings_that_cannot_be_written_are_an_error() {
    let folder = folder("full_recording");
    folder.write("file", "");
    let ways = [&[][..], &["--domain", "predicate"]];
    for way in ways {
        for record in ["/dev/null/no", "file", "file/sub"] {
            let ran =
                folder.run(&[&["verify", "-q", "safe.cfa", "--record", record], way].concat());
            assert_eq!((ran.status, &ran.stdout[..]), (64, ""), "{ran:?}");
            assert!(ran.stderr.contains(&format!("cannot write files in `{record}`")), "{ran:?}");
        }
        let words = [&["verify", "-q", "diverging.cfa", "--record", "r"], way].concat();
        let ran = run_after(&folder, "ulimit -f 0", &words);
        assert_eq!(ran.status, 70, "{ran:?}");
        assert!(ran.stderr.contains("cannot record the questions to the solver"), "{ran:?}");
    }
}

#[test]
fn standard_output_pipes_and_devices_are_outputs() {
    let folder = folder("streams");
    for name in ["-", "/dev/stdout"] {
        let ran = folder.run(&["verify", "-q", "unsafe.c", "--witness", name]);
        assert_eq!((ran.status, ran.last_line()), (1, "unsafe"), "{ran:?}");
        assert!(ran.stdout.starts_with("- entry_type:"), "{ran:?}");
        assert!(!folder.path().join("-").exists());
        // Redirected to a file, one does not overwrite the other.
        run_after(&folder, "exec > out", &["verify", "-q", "unsafe.c", "--witness", name]);
        let out = folder.read("out");
        assert!(out.starts_with("- entry_type:") && out.ends_with("\nunsafe\n"), "{out}");
    }
    for (name, is_shown) in [("/dev/null", false), ("/dev/stderr", true), ("/dev/fd/2", true)] {
        let ran = folder.run(&["verify", "-q", "unsafe.c", "--witness", name]);
        assert_eq!((ran.status, ran.stdout.as_str()), (1, "unsafe\n"), "{ran:?}");
        assert_eq!(ran.stderr.contains("violation_sequence"), is_shown, "{ran:?}");
    }
    // A pipe with a name, whose reader waits.
    let script = "rm -f pipe; mkfifo pipe; cat pipe > read &";
    let ran = run_after(&folder, script, &["verify", "-q", "unsafe.c", "--witness", "pipe"]);
    assert_eq!((ran.status, &ran.stderr[..]), (1, ""), "{ran:?}");
    // The reader has its standard error from us, so it has ended.
    assert!(folder.read("read").contains("violation_sequence"));
    assert!(std::os::unix::fs::FileTypeExt::is_fifo(
        &std::fs::metadata(folder.path().join("pipe")).expect("it is there").file_type()
    ));
}

/// The drawings of several properties follow each other in one file.
#[test]
fn texts_about_several_properties_are_one_file() {
    let folder = folder("several_texts");
    let twice = UNSAFE_C
        .replace("  return", "  if (__VERIFIER_nondet_int() == 8) reach_error();\n  return");
    folder.write("twice.c", twice);
    folder.write("a.dot", "former\n");
    for _ in 0..2 {
        let ran = folder.run(&["verify", "-q", "twice.c", "--each-assertion", "--cfa", "a.dot"]);
        assert_eq!(ran.status, 1, "{ran:?}");
        let drawn = folder.read("a.dot");
        assert_eq!(drawn.matches("digraph").count(), 2, "{drawn}");
        assert!(!drawn.contains("former"), "{drawn}");
    }
}
