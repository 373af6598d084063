//! Programs before their calls are inlined: their size, and who calls whom.

use std::fmt::Write;

use lapidary_frontend::load;
use lapidary_model::Inlined;

fn inlined(text: &str) -> std::sync::Arc<Inlined> {
    let task = load("test.c", text).expect("it is a program");
    std::sync::Arc::clone(task.model.program().expect("it has procedures"))
}

/// Functions that each call the next one twice.
fn chain(n: u32) -> String {
    let mut text = String::from("extern void reach_error(void);\nunsigned g;\n");
    let _ = writeln!(text, "void f{n}(void) {{ g++; }}");
    for i in (0..n).rev() {
        let next = i + 1;
        let _ = writeln!(text, "void f{i}(void) {{ f{next}(); if (g == 7) g = 1; f{next}(); }}");
    }
    text + "int main(void) { f0(); if (g == 5) reach_error(); return 0; }\n"
}

#[test]
fn programs_are_linear_in_the_size_of_the_text() {
    let sizes = [10, 100, 1000].map(|n| {
        let inlined = inlined(&chain(n));
        let program = inlined.program();
        // The functions of the chain and `main`.
        assert_eq!(program.procedures().len(), n as usize + 2);
        program.n_edges()
    });
    let per_function = (sizes[1] - sizes[0]) / 90;
    assert_eq!(sizes[1], sizes[0] + 90 * per_function);
    assert_eq!(sizes[2], sizes[1] + 900 * per_function);
}

#[test]
fn calls_that_have_no_room_are_unsupported() {
    let small = inlined(&chain(10));
    assert_eq!((small.activations().len(), small.cuts().len()), (1 << 11, 0));
    let large = load("test.c", &chain(40)).expect("it is a program");
    let inlined = large.model.program().expect("it has procedures");
    assert!(!inlined.cuts().is_empty());
    for (edge, _) in inlined.cuts() {
        let said = inlined.ends().leaving().find(|(other, _)| other == edge);
        let reason = said.map(|(_, outside)| &outside.reason[..27]);
        assert_eq!(reason, Some("the program is too large wh"));
    }
}

#[test]
fn procedures_have_parameters_results_and_locals() {
    let text = "extern void reach_error(void); int n; int *p;\n\
        int add(int a, int b) { int sum = a + b; n = sum; return sum; }\n\
        int keep(int kept) { p = &kept; return *p; }\n\
        int main(void) { int x = add(1, 2); if (x + keep(x) == add(x, x)) reach_error(); return 0; }";
    let inlined = inlined(text);
    let program = inlined.program();
    let names = |vars: &[lapidary_expr::Var]| {
        vars.iter().map(|var| var.name().to_string()).collect::<Vec<_>>().join(" ")
    };
    let described: Vec<String> = program
        .procedures()
        .iter()
        .map(|procedure| {
            let of = |vars| names(vars);
            let [params, results, locals] =
                [of(&procedure.params), of(&procedure.results), of(&procedure.locals)];
            format!("{}: {params} | {results} | {locals}", procedure.name)
        })
        .collect();
    let expected = [
        "main:  |  | main::x main::kept main::kept#2",
        "add: add::a add::b | add::result | add::a add::b add::sum",
        "keep: keep::kept | keep::result | keep::kept",
    ];
    assert_eq!(described, expected);
}

/// The names of the procedures of a program, with their locals.
fn described(text: &str) -> Vec<String> {
    let inlined = inlined(text);
    let described = |procedure: &lapidary_model::program::Procedure| {
        let locals = procedure.locals.iter().map(|var| var.name().to_string());
        format!("{}: {}", procedure.name, locals.collect::<Vec<_>>().join(" "))
    };
    inlined.program().procedures().iter().map(described).collect()
}

#[test]
fn functions_that_call_themselves_are_one_procedure() {
    let text = "extern void reach_error(void);\n\
        int sum(int n) { return n <= 0 ? 0 : n + sum(n - 1); }\n\
        int main(void) { if (sum(2) != 3) reach_error(); return sum(1); }";
    let expected = ["main: ", "sum: sum::n sum::outcome sum::kept sum::kept#2"];
    assert_eq!(described(text), expected);
    let task = load("test.c", text).expect("it is a program");
    let map = task.map.as_deref().expect("it is a C program");
    assert_eq!(map.n_told_apart, 0);
    let inlined = task.model.program().expect("it has procedures");
    // `main`, and each of its calls with thirty others within.
    assert_eq!((inlined.activations().len(), inlined.cuts().len()), (1 + 2 * 31, 2));
    let reasons: Vec<&str> =
        inlined.ends().leaving().map(|(_, outside)| &outside.reason[..]).collect();
    assert_eq!(reasons, ["recursion of `sum` deeper than 30"; 2]);
    // Each depth has names of its own, and types.
    let typed =
        |name: &str| map.variables.iter().any(|(var, ty)| var.name() == name && ty == "int");
    assert!(typed("sum::n") && typed("sum::n@30") && !typed("sum::n@31"));
}

#[test]
fn functions_that_call_each_other_are_one_procedure_each() {
    let text = "extern void reach_error(void);\n\
        int odd(int);\n\
        int even(int n) { if (n == 0) return 1; return odd(n - 1) + even(0) - 1; }\n\
        int odd(int n) { if (n == 0) return 0; return even(n - 1) * odd(1); }\n\
        int main(void) { if (even(odd(3)) > 5) reach_error(); return odd(even(3)); }";
    let names = described(text);
    let names: Vec<&str> = names.iter().filter_map(|name| name.split(':').next()).collect();
    assert_eq!(names, ["main", "odd", "even"]);
}

#[test]
fn activations_that_a_pointer_tells_apart_are_copies() {
    let of = |body: &str| {
        let text = format!(
            "extern void reach_error(void); extern void *malloc(unsigned long);\n\
             int f(int n, int *q) {{ {body} }}\n\
             int main(void) {{ int x; if (f(2, &x) != 3) reach_error(); return 0; }}"
        );
        let described = described(&text);
        described.into_iter().filter(|procedure| procedure.starts_with("f@1:")).count()
    };
    assert_eq!(of("int x = n; return n ? f(n - 1, q) + x + *q : 0;"), 0);
    assert_eq!(of("int x = n; return n ? f(n - 1, &x) + x + *q : 0;"), 1);
    assert_eq!(of("int x[2] = {n}; return n ? f(n - 1, q) + x[n & 1] + *q : 0;"), 0);
    assert_eq!(of("int x[2] = {n}; return n ? f(n - 1, x) + *q : 0;"), 1);
    assert_eq!(of("int *x = malloc(sizeof(int)); *x = 1; return n ? f(n - 1, x) : *q;"), 1);
}

#[test]
fn parameters_that_swap_are_passed_at_once() {
    // Deeper activations see the arguments that their caller computed.
    let text = "extern void reach_error(void);\n\
        int f(int a, int b, int n) { if (n) { a = a + 1; return f(b, a, n - 1); } return 10 * a + b; }\n\
        int main(void) { if (f(1, 2, 2) == 23) reach_error(); return 0; }";
    let inlined = inlined(text);
    let f = &inlined.program().procedures()[1];
    let calls = f.edges().iter().filter_map(|id| match &inlined.program().edge(*id).action {
        lapidary_model::program::Action::Call(call) => Some(call),
        lapidary_model::program::Action::Stmt(_) => None,
    });
    let args: Vec<String> = calls
        .flat_map(|call| call.args.iter().map(|(param, value)| format!("{param} {value}")))
        .collect();
    assert_eq!(args, ["|f::a| |f::kept|", "|f::b| |f::kept#2|", "|f::n| |f::kept#3|"]);
}
