//! What is read, printed and read again is the same automaton.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use lapidary_expr::{IBig, Op, Sort, Term, Var};
use lapidary_frontend::cfa::{PrintError, print};
use lapidary_frontend::{ParseError, Task, load};
use lapidary_model::{Cfa, CfaBuilder, Stmt};

fn read(text: &str) -> Cfa {
    load("test.cfa", text).unwrap_or_else(|error| panic!("{error}\n{text}")).model.into_cfa()
}

#[track_caller]
fn assert_same(left: &Cfa, right: &Cfa) {
    let locs = |cfa: &Cfa| cfa.locs().map(|loc| cfa.loc_name(loc).to_owned()).collect::<Vec<_>>();
    let edges = |cfa: &Cfa| {
        let edge =
            |(_, edge): (_, &lapidary_model::Edge)| (edge.source, edge.stmt.clone(), edge.target);
        cfa.edges().map(edge).collect::<Vec<_>>()
    };
    assert_eq!(left.name(), right.name());
    assert_eq!(left.vars(), right.vars());
    assert_eq!(locs(left), locs(right));
    assert_eq!((left.entry(), left.error()), (right.entry(), right.error()));
    assert_eq!(edges(left), edges(right));
}

#[track_caller]
fn round_trip(cfa: &Cfa) {
    let text = print(cfa).unwrap_or_else(|error| panic!("{error}"));
    let again = read(&text);
    assert_same(cfa, &again);
    assert_eq!(print(&again).as_ref(), Ok(&text));
}

/// The files of a folder with one of the extensions, sorted.
fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let entries =
        std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let is_wanted = |path: &PathBuf| {
        path.extension().is_some_and(|own| extensions.iter().any(|extension| own == *extension))
    };
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(is_wanted)
        .collect();
    files.sort();
    files
}

fn load_file(path: &Path) -> Result<Task, ParseError> {
    let text =
        std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    load(&path.to_string_lossy(), &text)
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn examples_survive_and_say_what_to_expect() {
    let examples = files(&repository().join("examples"), &["cfa"]);
    assert!(examples.len() >= 5, "{examples:?}");
    for path in examples {
        let task = load_file(&path).unwrap_or_else(|error| panic!("{error}"));
        let first = task.source.line(1);
        assert!(["// expect: safe", "// expect: unsafe"].contains(&first), "{path:?}: {first}");
        assert!(task.cfa().error().is_some(), "{path:?}");
        round_trip(task.cfa());
    }
}

/// Models of other people lie beside the repository, where they are available at all.
#[test]
fn benchmark_models_survive() {
    let models = repository().join("../shared/bench/models");
    if !models.is_dir() {
        // Not `eprintln!`, which the test harness keeps to itself.
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED: there are no benchmark models in {}",
            models.display()
        );
        return;
    }
    for path in ["cfa", "plc"].iter().flat_map(|dir| files(&models.join(dir), &["cfa", "theta"])) {
        let name =
            path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let message = match name.as_str() {
            "fp1.cfa" | "fp2.cfa" | "counter_fp_true.cfa" => "floating point is not supported",
            "counter5_true.lisp.cfa" | "example_addition.c.cfa" => {
                "expected `var`, `main` or `process`, found `(`"
            }
            _ => {
                let task = load_file(&path).unwrap_or_else(|error| panic!("{error}"));
                round_trip(task.cfa());
                continue;
            }
        };
        assert_eq!(load_file(&path).err().map(|error| error.message).as_deref(), Some(message));
    }
}

/// Expressions whose printing needs care: parentheses, signs, conversions, literals.
#[test]
fn expressions_survive() {
    let declarations = "var a : bool var b : bool var x : int var y : int var r : rat
        var v : bv[8] var w : bv[8] var m : [int] -> int var f : [rat] -> [bool] -> rat";
    let cases = [
        ("bool", "a iff b iff (a and x = y)"),
        ("bool", "not (a and b) or not (a iff b)"),
        ("bool", "(if a then x else y) = x + 1"),
        ("bool", "(a xor b) = (x < y) and x /= y"),
        ("bool", "not (m = m[x <- 1])"),
        ("int", "-x - 2 * y + 3 * (x * y) - x * y - 7"),
        ("int", "-(x * y) * -5"),
        ("int", "-(x + y * x) * (x - 1)"),
        ("int", "x / (y / x) / y - (x mod y) mod (x / y)"),
        ("int", "x rem y + (x rem -3)"),
        ("int", "if a then if b then x else y else -1"),
        ("int", "m[x <- -1][y] + m[m[x]]"),
        ("rat", "x"),
        ("rat", "r / (x - 1) - 1%3 * x + -7%2"),
        ("rat", "-(r * r) / -2"),
        ("rat", "f[x][a] + f[1%2][true]"),
        ("bool", "x < r and r <= 2"),
        ("bv[8]", "v bvor (w bvand v bvor w) bvxor bvnot v"),
        ("bv[8]", "bvneg bvnot (v bvadd w) bvmul v bvsub w bvsub (v bvsub w)"),
        ("bv[8]", "v bvshl (w bvlshr v) bvashr w bvrol v bvror 8'd3"),
        ("bv[8]", "(v ++ w)[10:6] ++ v[4:0]"),
        ("bv[16]", "(v bvurem w) bv_zero_extend bv[12] bv_sign_extend bv[16]"),
        ("bv[8]", "v bvudiv w bvsdiv v bvsrem w bvsmod 8'd-1"),
        ("bool", "v bvult w iff v bvsge w iff v bvsgt w iff v bvule w"),
        ("bool", "(v bvslt w) = (v = w)"),
        ("[int] -> int", "[0 <- 1, -1 <- -2, default <- 0]"),
        ("[int] -> int", "[x <- 1, 2 <- y, default <- x + 1]"),
        ("[int] -> int", "[<int> default <- x][y <- 1]"),
        (
            "[rat] -> [bool] -> rat",
            "[1 <- [true <- 1%2, default <- -1%2], <rat> default <- [<bool> default <- 0%1]]",
        ),
        ("rat", "[<rat> default <- x + 1%2][r]"),
    ];
    for (sort, expression) in cases {
        round_trip(&read(&format!(
            "{declarations} main process p {{ var o : {sort} init loc L L -> L {{ o := {expression} }} }}"
        )));
    }
}

#[test]
fn printed_text() {
    let cfa = read(
        "var g : [bv[2]] -> rat
         main process p(k : int) {
             loc A  init loc B  error loc C
             A -> B { k := k + 1 havoc k assume not (k > 3 or k = 0) }
             B -> A { k := -k }
             B -> C
         }",
    );
    let expected = "main process p {
    var g : [bv[2]] -> rat
    var k : int
    init loc B
    loc A
    error loc C
    A -> B {
        k := k + 1
        havoc k
        assume not (4 <= k or k = 0)
    }
    B -> A { k := -k }
    B -> C
}
";
    assert_eq!(print(&cfa).as_deref(), Ok(expected));
}

/// An automaton with one edge over the integers `x` and `y`.
fn with_stmt(stmt: Stmt) -> Cfa {
    let mut builder = CfaBuilder::new("p", "A");
    builder.vars(&[int("x"), int("y")]);
    let entry = builder.entry();
    builder.edge(entry, stmt, entry, None);
    builder.build().unwrap_or_else(|error| panic!("{error}"))
}

fn int(name: &str) -> Var {
    Var::new(name, Sort::Int)
}

#[test]
fn statements_that_the_language_lacks() {
    let (x, y) = (Term::var(int("x")), Term::var(int("y")));
    let printed = |stmt| print(&with_stmt(stmt)).map(|text| text.replace("    ", ""));
    let edge = |text: &str| {
        Ok(format!("main process p {{\nvar x : int\nvar y : int\ninit loc A\nA -> A {text}\n}}\n"))
    };
    let refused = |what: &str| Err(PrintError::Statement(what.into()));

    let parallel = Stmt::Assign(vec![(int("x"), Term::int(1)), (int("y"), x)]);
    assert_eq!(printed(parallel), edge("{\ny := x\nx := 1\n}"));
    let exchange = Stmt::Assign(vec![(int("x"), y), (int("y"), x)]);
    assert_eq!(printed(exchange), refused("x := y, y := x"));
    assert_eq!(printed(Stmt::Havoc(vec![int("x"), int("y")])), edge("{\nhavoc x\nhavoc y\n}"));
    assert_eq!(printed(Stmt::Choice(vec![])), refused("()"));
    let relation = Stmt::Relation { formula: true.into(), written: [int("x")].into() };
    assert_eq!(printed(relation), refused("{true}"));
    let remainder = Term::app(Op::Rem, vec![x, y]).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(
        printed(Stmt::assign(int("x"), remainder.plus(Term::int(1)))),
        edge("{ x := (if x <= -1 then -(-x mod y) else x mod y) + 1 }")
    );
    let bits = Term::app(Op::IntToBv(8), vec![x]).unwrap_or_else(|error| panic!("{error}"));
    let operator = PrintError::Operator("(_ int_to_bv 8)".into());
    assert_eq!(printed(Stmt::Assume(bits.equals(Term::bv(8, 1)))), Err(operator));
    let huge = (0..40).fold(x.times(y), |term, _| term.times(term).plus(x));
    assert_eq!(printed(Stmt::assign(int("x"), huge)), Err(PrintError::TooLarge));
}

#[test]
fn an_erroneous_entry_cannot_be_printed() {
    let mut builder = CfaBuilder::new("p", "A");
    builder.error(builder.entry());
    let cfa = builder.build().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(print(&cfa), Err(PrintError::EntryIsError));
}

#[test]
fn names_become_words() {
    let mut builder = CfaBuilder::new("dir/a b.c", "loc");
    let vars = [
        ("x", Sort::Int),
        ("x", Sort::Bool),
        ("main::x", Sort::Int),
        ("main__x", Sort::Int),
        ("", Sort::Int),
    ];
    builder.vars(&vars.map(|(name, sort)| Var::new(name, sort)));
    let loc = builder.loc("1");
    builder.loc("loc");
    builder.loc("_loc");
    let stmts =
        [Stmt::Assume(Term::var(Var::new("x", Sort::Bool))), Stmt::Havoc(vec![int("main::x")])];
    let entry = builder.entry();
    builder.edge(entry, Stmt::Seq(stmts.into()), loc, None);
    let cfa = builder.build().unwrap_or_else(|error| panic!("{error}"));
    let expected = "main process dir_a_b_c {
    var x : int
    var x_2 : bool
    var main__x_2 : int
    var main__x : int
    var _ : int
    init loc _loc_2
    loc _1
    loc _loc_3
    loc _loc
    _loc_2 -> _1 {
        assume x_2
        havoc main__x_2
    }
}
";
    assert_eq!(print(&cfa).as_deref(), Ok(expected));
    round_trip(&read(expected));
}

#[test]
fn large_numbers_survive() {
    let digits = "9".repeat(500);
    let text = format!(
        "main process p {{ var x : int var v : bv[2000] init loc A
         A -> A {{ x := -{digits} v := 2000'd{digits} }} }}"
    );
    let cfa = read(&text);
    let Some(Stmt::Seq(parts)) = cfa.edges().next().map(|(_, edge)| edge.stmt.clone()) else {
        panic!("two statements")
    };
    let value: Result<IBig, _> = digits.parse();
    assert_eq!(Ok(parts[0].clone()), value.map(|value| Stmt::assign(int("x"), Term::int(-value))));
    round_trip(&cfa);
}
