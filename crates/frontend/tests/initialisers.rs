//! Random initialisers against gcc: nested and missing braces, designators, and parts that are initialised twice.
//!
//! gcc compiles all of them once and prints what each part is.

mod run;

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use lapidary_frontend::c::{Arith, DataModel, Options};
use lapidary_oracle::Random;
use run::Failure;

const N_CASES: usize = 200;

/// A type as far as initialisers need it.
enum Type {
    Number,
    Array(&'static Type, usize),
    Record(&'static [(&'static str, Type)]),
    /// Only the first member is initialised without a designator.
    Union(&'static [(&'static str, Type)]),
}

const SHORTS: Type = Type::Array(&Type::Number, 3);
const PAIRS: Type = Type::Array(&INNER, 2);
const INNER: Type = Type::Record(&[("c", Type::Number), ("d", Type::Array(&Type::Number, 2))]);
const FIELDS: Type = Type::Record(&[("j", Type::Number), ("k", Type::Number)]);
const OUTER: Type = Type::Record(&[
    ("a", Type::Number),
    ("b", SHORTS),
    ("e", PAIRS),
    ("u", Type::Union(&[("i", Type::Number), ("l", FIELDS)])),
    ("f", Type::Number),
]);
const WHOLE: Type = Type::Array(&OUTER, 2);

const DECLARATIONS: &str = "struct inner { signed char c; int d[2]; };
struct outer { int a; short b[3]; struct inner e[2]; union { int i; struct { short j : 9; unsigned k : 7; } l; } u; long f; };
typedef struct outer whole[2];\n";

/// The expressions for all numbers in something of a type.
fn parts(ty: &Type, name: &str, all: &mut Vec<String>) {
    match ty {
        Type::Number => all.push(name.into()),
        Type::Array(element, n) => {
            (0..*n).for_each(|i| parts(element, &format!("{name}[{i}]"), all));
        }
        Type::Record(members) | Type::Union(members) => {
            members.iter().for_each(|(member, ty)| parts(ty, &format!("{name}.{member}"), all));
        }
    }
}

impl Type {
    /// A part, and how a designator names it; none if there are not so many.
    fn part(&'static self, i: usize) -> Option<(&'static Type, String)> {
        match self {
            Type::Number => None,
            Type::Array(element, n) => (i < *n).then(|| (*element, format!("[{i}]"))),
            Type::Record(members) | Type::Union(members) => {
                members.get(i).map(|(name, ty)| (ty, format!(".{name}")))
            }
        }
    }
}

/// A list in braces. An item without a designator has no braces of its own unless it is known what it is for.
fn list(random: &mut Random, ty: &'static Type, depth: usize) -> String {
    let (mut text, mut next) = ("{ ".to_string(), Some(0));
    for _ in 0..=random.below(6) {
        let mut part = next.and_then(|i| ty.part(i)).map(|(part, _)| part);
        if random.chance(35) {
            let mut inner = ty;
            next = None;
            while let Some((part, name)) = inner.part(random.below(4)) {
                next = if std::ptr::eq(inner, ty) { name_index(ty, &name) } else { None };
                text += &name;
                inner = part;
                if random.chance(50) {
                    break;
                }
            }
            if !std::ptr::eq(inner, ty) {
                text += " = ";
                part = Some(inner);
            }
        }
        let is_aggregate = part.is_some_and(|part| !matches!(part, Type::Number));
        match part.filter(|_| is_aggregate && depth > 0 && random.chance(60)) {
            Some(part) => text += &list(random, part, depth - 1),
            None => {
                let _ = write!(text, "{}", 1 + random.below(200));
                // Without braces, the item is for the first number of the part, and others may follow.
                next = next.filter(|_| !is_aggregate);
            }
        }
        text += ", ";
        next = next.map(|i| i + 1).filter(|_| !matches!(ty, Type::Union(_)));
    }
    text + "}"
}

/// The number of the part that a designator names.
fn name_index(ty: &'static Type, name: &str) -> Option<usize> {
    (0..8).find(|i| ty.part(*i).is_some_and(|(_, found)| found == name))
}

/// What a program prints that gcc compiles; none without gcc.
fn printed(program: &str) -> Option<String> {
    let path = std::env::temp_dir().join(format!("lapidary-initialisers-{}", std::process::id()));
    #[expect(clippy::disallowed_methods, reason = "gcc is what we compare with")]
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=gnu11", "-w", "-O0", "-x", "c", "-", "-o"]).arg(&path);
    let Ok(mut child) = gcc.stdin(Stdio::piped()).spawn() else {
        let _ = writeln!(std::io::stderr(), "SKIPPED: there is no gcc to compare with");
        return None;
    };
    child.stdin.take().expect("it is piped").write_all(program.as_bytes()).expect("gcc reads");
    assert!(child.wait().expect("gcc ends").success(), "{program}");
    #[expect(clippy::disallowed_methods, reason = "gcc is what we compare with")]
    let output = Command::new(&path).output().expect("it runs");
    let _ = std::fs::remove_file(&path);
    Some(String::from_utf8(output.stdout).expect("numbers"))
}

#[test]
fn every_part_is_what_gcc_says() {
    let mut random = Random::new(3);
    let cases: Vec<String> = (0..N_CASES).map(|_| list(&mut random, &WHOLE, 3)).collect();
    let mut names = Vec::new();
    parts(&WHOLE, "x", &mut names);
    let mut program = format!("int printf(const char *, ...);\n{DECLARATIONS}int main(void) {{\n");
    for case in &cases {
        let _ = write!(program, "{{ whole x = {case};");
        for name in &names {
            let _ = write!(program, " printf(\"%ld \", (long){name});");
        }
        program += "printf(\"\\n\"); }\n";
    }
    let Some(printed) = printed(&(program + "return 0; }\n")) else { return };
    let mut n_refused = 0;
    for (case, values) in cases.iter().zip(printed.lines()) {
        let claims = names.iter().zip(values.split(' '));
        let claims = claims.map(|(name, value)| format!("if ({name} != {value}) reach_error();\n"));
        let claims: String = claims.collect();
        let start = format!("void reach_error(void);\n{DECLARATIONS}");
        let outside =
            format!("{start}whole x = {case};\nint main(void) {{\n{claims}return 0; }}\n");
        let inside = format!("{start}int main(void) {{ whole x = {case};\n{claims}return 0; }}\n");
        for (text, arith) in [(outside, Arith::Bv), (inside, Arith::Int)] {
            let options = Options { model: DataModel::Lp64, arith, ..Options::default() };
            match run::run(&text, &options) {
                Ok(()) => {}
                Err(Failure::Refused(_)) => n_refused += 1,
                Err(failure) => panic!("{failure}\n{text}"),
            }
        }
    }
    assert!(n_refused < N_CASES / 4, "{n_refused} of {} are not read", 2 * N_CASES);
}
