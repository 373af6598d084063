//! What compilers compute: the results of programs for all of their inputs, many programs in one file.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::program::Program;

/// A data model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bits {
    /// ILP32.
    Ilp32,
    /// LP64.
    Lp64,
}

impl Bits {
    /// How many bits an address has, as a word of the command line.
    pub fn word(self) -> &'static str {
        match self {
            Bits::Ilp32 => "32",
            Bits::Lp64 => "64",
        }
    }
}

/// A compiler with an optimisation level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compiler {
    /// The command.
    pub name: &'static str,
    /// The option.
    pub level: &'static str,
}

/// Those that are asked, if they are installed.
const COMPILERS: [Compiler; 4] = [
    Compiler { name: "gcc", level: "-O0" },
    Compiler { name: "gcc", level: "-O2" },
    Compiler { name: "clang", level: "-O0" },
    Compiler { name: "clang", level: "-O2" },
];

/// What one compiler makes of a program: its results for all inputs, once for each thing that undefined functions do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Computed {
    /// The compiler, its level, and what undefined functions do.
    pub by: String,
    /// The results, one for each combination of inputs.
    pub results: Vec<u64>,
}

/// The compilers that are installed, and a folder for what they make.
#[derive(Clone, Debug)]
pub struct Compilers {
    installed: Vec<Compiler>,
    folder: PathBuf,
}

impl Compilers {
    /// Those that are installed. The folder exists.
    pub fn installed(folder: &Path) -> Compilers {
        let works = |compiler: &Compiler| {
            command(compiler.name).arg("--version").output().is_ok_and(|ran| ran.status.success())
        };
        let installed = COMPILERS.into_iter().filter(works).collect();
        Compilers { installed, folder: folder.to_path_buf() }
    }

    /// Whether this one is among them.
    pub fn has(&self, name: &str) -> bool {
        self.installed.iter().any(|compiler| compiler.name == name)
    }

    /// What they compute, for each program. An error is the message of a compiler, or tells of a program that
    /// does not end as it should.
    pub fn compute(&self, programs: &[Program], bits: Bits) -> Result<Vec<Vec<Computed>>, String> {
        let source = self.folder.join("batch.c");
        write(&source, &batch(programs))?;
        let mut all = vec![Vec::new(); programs.len()];
        for compiler in &self.installed {
            let text = self.run(*compiler, bits, &source)?;
            let mut lines = text.lines();
            for (program, computed) in programs.iter().zip(&mut all) {
                for mode in 0..n_modes(program) {
                    let n_results = program.combinations().len();
                    let results = lines.by_ref().take(n_results).map(|line| {
                        u64::from_str_radix(line, 16).map_err(|_| {
                            format!("{compiler:?} {bits:?}: a program ends with {line}")
                        })
                    });
                    let results = results.collect::<Result<Vec<_>, _>>()?;
                    if results.len() < n_results {
                        return Err(format!("{compiler:?} {bits:?}: results are missing"));
                    }
                    let by = format!("{} {} {mode}", compiler.name, compiler.level);
                    computed.push(Computed { by, results });
                }
            }
        }
        Ok(all)
    }

    fn run(&self, compiler: Compiler, bits: Bits, source: &Path) -> Result<String, String> {
        let objects = ["start", "harness"].map(|name| self.part(name, bits));
        let [start, harness] = objects;
        let output = self.folder.join("batch");
        let mut compile = command(compiler.name);
        options(&mut compile, bits);
        compile.arg(compiler.level).arg("-o").arg(&output).arg(source).arg(start?).arg(harness?);
        done(compile.output())?;
        #[expect(clippy::disallowed_methods, reason = "this is what the compiler made")]
        let ran = Command::new(output).output();
        let ran = done(ran)?;
        String::from_utf8(ran.stdout).map_err(|error| error.to_string())
    }

    /// What stands in for a C library, or runs the programs, as an object file.
    fn part(&self, name: &str, bits: Bits) -> Result<PathBuf, String> {
        let object = self.folder.join(format!("{name}{}.o", bits.word()));
        if object.exists() {
            return Ok(object);
        }
        let text = match name {
            "start" => include_str!("start.c"),
            _ => include_str!("harness.c"),
        };
        let source = self.folder.join(format!("{name}.c"));
        write(&source, text)?;
        let mut compile = command(self.installed.first().map_or("gcc", |compiler| compiler.name));
        options(&mut compile, bits);
        done(compile.args(["-O0", "-c", "-o"]).arg(&object).arg(source).output())?;
        Ok(object)
    }
}

#[expect(clippy::disallowed_methods, reason = "compilers are what we compare with")]
fn command(name: &str) -> Command {
    Command::new(name)
}

fn options(compile: &mut Command, bits: Bits) {
    compile.args(["-w", "-std=gnu11", "-fwrapv", "-fno-strict-aliasing", "-ffreestanding"]);
    compile.args(["-fno-stack-protector", "-fno-pic", "-no-pie", "-nostdlib", "-static"]);
    // Floating numbers that are rounded to their types, also where the machine has wider ones.
    compile.args(["-msse2", "-mfpmath=sse", "-ffp-contract=off", "-frounding-math"]);
    compile.arg(format!("-m{}", bits.word()));
}

fn done(ran: std::io::Result<Output>) -> Result<Output, String> {
    let ran = ran.map_err(|error| error.to_string())?;
    match ran.status.success() {
        true => Ok(ran),
        false => Err(format!("{}: {}", ran.status, String::from_utf8_lossy(&ran.stderr))),
    }
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

fn n_modes(program: &Program) -> usize {
    if program.has_externals { 2 } else { 1 }
}

/// All programs in one file, with a table of them.
fn batch(programs: &[Program]) -> String {
    let mut text = Program::prelude();
    let mut table = String::new();
    for (i, program) in programs.iter().enumerate() {
        let _ = writeln!(text, "{}", program.definitions(&format!("p{i}_")));
        let combinations = program.combinations();
        let values: Vec<String> =
            combinations.iter().flatten().map(|value| format!("{value}LL")).collect();
        let _ = writeln!(
            text,
            "static const long long p{i}_values[] = {{ {}, 0 }};",
            values.join(", ")
        );
        let _ = writeln!(
            table,
            "    {{ p{i}_test, {}, {}, {}, p{i}_values }},",
            program.inputs.len(),
            combinations.len(),
            n_modes(program)
        );
    }
    text += "struct entry {\n    unsigned long long (*test)(void);\n    int n_inputs, n_combinations, n_modes;\n";
    text += "    const long long *values;\n};\n";
    let _ = writeln!(text, "const struct entry entries[] = {{\n{table}}};");
    let _ = writeln!(text, "const int n_entries = {};", programs.len());
    text
}
