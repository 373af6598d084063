//! Programs that gcc compiles, without a C library.

use std::fmt::Write;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::Folder;

/// What gcc computes: the results of `test0`, `test1`, …, which the programs define.
pub(crate) fn computed(folder: &Folder, programs: &[String], bits: &str) -> Vec<u64> {
    let mut text = programs.concat();
    text += "int puts(const char *);\nstatic void show(unsigned long long n) {\n    char text[17];\n    int i;\n";
    text += "    for (i = 15; i >= 0; i--) { text[i] = \"0123456789abcdef\"[n & 15]; n >>= 4; }\n";
    text += "    text[16] = 0;\n    puts(text);\n}\nint main(void) {\n";
    for i in 0..programs.len() {
        let _ = writeln!(text, "    show(test{i}());");
    }
    folder.write("all.c", text + "    return 0;\n}\n");
    let start = start(folder, bits);
    let output = folder.path().join(format!("all{bits}"));
    let done =
        gcc(bits).arg("-o").arg(&output).arg(folder.path().join("all.c")).arg(start).output();
    let done = done.expect("gcc starts");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    #[expect(clippy::disallowed_methods, reason = "this is what gcc made")]
    let ran = Command::new(output).output().expect("it starts");
    assert!(ran.status.success(), "{:?}", ran.status);
    let text = String::from_utf8(ran.stdout).expect("hexadecimal digits");
    text.lines().map(|line| u64::from_str_radix(line, 16).expect("a number")).collect()
}

#[expect(clippy::disallowed_methods, reason = "gcc is what we compare with")]
pub(crate) fn gcc(bits: &str) -> Command {
    let mut command = Command::new("gcc");
    command.args(["-w", "-O0", "-fwrapv", "-ffreestanding", "-fno-stack-protector"]);
    command.args(["-fno-pic", "-no-pie", "-nostdlib", "-static", &format!("-m{bits}")]);
    // Floating numbers that are rounded to their types, also where the machine has wider ones.
    // Without the last option, gcc 12 takes `0.0 - x` for `-x` where `x` was an integer, which is wrong for zero.
    command.args(["-msse2", "-mfpmath=sse", "-ffp-contract=off", "-frounding-math"]);
    command
}

/// How many programs to try: as many as usual, or as `LAPIDARY_GCC_PROGRAMS` says.
pub(crate) fn n_programs(usual: usize) -> usize {
    let wanted = std::env::var("LAPIDARY_GCC_PROGRAMS").ok().and_then(|n| n.parse().ok());
    wanted.unwrap_or(usual)
}

pub(crate) fn has_gcc() -> bool {
    let has_gcc = gcc("64").arg("--version").output().is_ok();
    if !has_gcc {
        let _ = writeln!(io::stderr(), "SKIPPED: there is no gcc to compare with");
    }
    has_gcc
}

/// What stands in for a C library, compiled.
pub(crate) fn start(folder: &Folder, bits: &str) -> PathBuf {
    let start = Path::new(env!("CARGO_MANIFEST_DIR")).join("../oracle/src/c/start.c");
    let object = folder.path().join(format!("start{bits}.o"));
    let done = gcc(bits).arg("-c").arg("-o").arg(&object).arg(start).output().expect("gcc starts");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    object
}
