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

#[test]
fn functions_that_call_themselves_are_told_apart() {
    let text = "extern void reach_error(void);\n\
        int sum(int n) { return n <= 0 ? 0 : n + sum(n - 1); }\n\
        int main(void) { if (sum(2) != 3) reach_error(); return sum(1); }";
    let task = load("test.c", text).expect("it is a program");
    let inlined = task.model.program().expect("it has procedures");
    let names = inlined.program().procedures().iter().map(|procedure| &procedure.name[..]);
    let names: Vec<&str> = names.collect();
    assert_eq!(names[..4], ["main", "sum", "sum@1", "sum@2"]);
    assert_eq!(task.map.as_deref().map(|map| map.n_told_apart), Some(names.len() - 2));
    // The second call of `sum` uses the same procedures.
    let of_sum = inlined.activations().iter().filter(|activation| activation.procedure.0 == 1);
    assert_eq!(of_sum.count(), 2);
}
