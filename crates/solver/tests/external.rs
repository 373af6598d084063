//! Interpolants of other solvers: cvc5 where it is installed, and scripts that answer in the dialects of others.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use lapidary_expr::{Op, Sort, Term, Var};
use lapidary_solver::limits::Watch;
use lapidary_solver::smtlib::{self, Command, Dialect, SmtLib};
use lapidary_solver::wrap::Checked;
use lapidary_solver::z3::Z3;
use lapidary_solver::{Backend, Interpolants, Result, Stop};

fn x(version: u32) -> Term {
    Term::var(Var::new("x", Sort::Int).at(version))
}

/// x = 0, x' = x + 1, and 5 < x'.
fn count() -> [Term; 3] {
    [x(0).equals(Term::int(0)), x(1).equals(x(0).plus(Term::int(1))), Term::int(5).less(x(1))]
}

/// The same with bytes.
fn count_bytes() -> [Term; 3] {
    let x = |version| Term::var(Var::new("x", Sort::Bv(8)).at(version));
    let app = |op, left, right| Term::app(op, vec![left, right]).expect("well-sorted");
    [
        x(0).equals(Term::bv(8, 0)),
        x(1).equals(app(Op::BvAdd, x(0), Term::bv(8, 1))),
        app(Op::BvUlt, Term::bv(8, 5), x(1)),
    ]
}

/// What is said to questions that begin so.
type Words<'a> = &'a [(&'a str, &'a str)];

/// A process that is started while a script is written would keep it open for writing, and then it cannot be run.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// A solver of that name that answers `unsat`, and to questions in these words what belongs to them.
fn fake(test: &str, name: &str, parts: &[Term], talk: Words) -> Result<Interpolants> {
    let folder =
        std::env::temp_dir().join(format!("lapidary-{}-external-{test}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let program = folder.join(name);
    let answer = |(question, said): &(&str, &str)| format!("    '{question}'*) echo '{said}' ;;\n");
    let script = format!(
        r#"#!/bin/sh
while IFS= read -r line; do
  case "$line" in
    '(echo "'*) mark=${{line#'(echo "'}}; echo "${{mark%'")'}}" ;;
    '(check-sat'*) echo unsat ;;
{}    '(get-interpolant'*) echo '(error "what?")' ;;
  esac
done
"#,
        talk.iter().map(answer).collect::<String>()
    );
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    fs::write(&program, script).expect("a script");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("a script");
    let watch = Watch::default();
    let command = Command { program: program.display().to_string(), args: Vec::new() };
    let dialect = Dialect::of(&command);
    assert_eq!(dialect.name, name);
    let backend = Checked::against(SmtLib::new(command, dialect, &watch)?, Z3::new(&watch)?);
    let answer = backend.interpolator().expect("it has one").interpolate(parts);
    let _ = fs::remove_dir_all(folder);
    answer
}

#[test]
fn each_dialect_is_spoken() {
    let cases: [(&str, [Term; 3], Words); 4] = [
        (
            "smtinterpol",
            count(),
            &[("(get-interpolants part!0 part!1 part!2)", "((<= x@0 0) (<= x@1 1))")],
        ),
        (
            "opensmt",
            count(),
            &[("(get-interpolants part!0 part!1 part!2)", "((<= x@0 0)\n(not (< 1 x@1)))")],
        ),
        (
            "mathsat",
            count(),
            &[
                ("(get-interpolant (group!0))", "(let ((.a 0)) (<= x@0 .a))"),
                ("(get-interpolant (group!0 group!1))", "(<= x@1 1)"),
            ],
        ),
        (
            "bitwuzla",
            count_bytes(),
            &[
                ("(get-interpolant itp!1 (", "(define-fun itp!1 () Bool (bvule x@0 #x00))"),
                ("(get-interpolant itp!2 (", "(define-fun itp!2 () Bool (bvule x@1 #x01))"),
            ],
        ),
    ];
    for (name, parts, talk) in cases {
        match fake("dialects", name, &parts, talk) {
            Ok(Interpolants::Unsat(itps)) => assert_eq!(itps.len(), 2, "{name}"),
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn what_is_no_sequence_is_refused() {
    let question = "(get-interpolants part!0 part!1 part!2)";
    for (said, problem) in [
        ("((<= x@0 0))", "gives no interpolants"),
        ("((<= x@0 0) (<= y 1))", "gives no interpolants"),
        ("((<= x@0 0) x@1)", "gives no interpolants"),
        ("(error \"no proof\")", "gives no interpolants"),
        ("", "gives no interpolants"),
        ("(", "gives no interpolants"),
        ("((<= x@0 0) (<= x@1 0))", "wrong interpolants"),
        ("((<= x@1 0) (<= x@1 1))", "wrong interpolants"),
    ] {
        match fake("refused", "smtinterpol", &count(), &[(question, said)]) {
            Err(Stop::Solver(message)) => assert!(message.contains(problem), "{said}: {message}"),
            other => panic!("{said}: {other:?}"),
        }
    }
}

#[test]
fn cvc5_interpolates() {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found: Option<PathBuf> =
        std::env::split_paths(&path).map(|folder| folder.join("cvc5")).find(|file| file.exists());
    let Some(program) = found else {
        // Not `eprintln!`, which the test harness keeps to itself.
        let _ = writeln!(io::stderr(), "SKIPPED: cvc5 is not installed");
        return;
    };
    let watch = Watch::default();
    let backend = smtlib::checked(&format!("'{}'", program.display()), &watch).expect("it starts");
    let mut interpolator = backend.interpolator().expect("cvc5 has one");
    match interpolator.interpolate(&count()) {
        Ok(Interpolants::Unsat(itps)) => assert_eq!(itps.len(), 2),
        other => panic!("{other:?}"),
    }
    let satisfiable = [x(0).equals(Term::int(0)), x(1).equals(x(0))];
    let Ok(Interpolants::Sat(model)) = interpolator.interpolate(&satisfiable) else {
        panic!("it finds no model")
    };
    assert!(satisfiable.iter().all(|part| part.holds(&model) == Some(true)));
}
