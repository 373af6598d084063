//! Transition systems in their own language: what is read, and what is refused.

use lapidary_frontend::{SourceFile, read, sts};

fn refused(text: &str, expected: &str) {
    let error = read("test", text.as_bytes()).expect_err(text).to_string();
    assert!(error.contains(expected), "{text}\n{error}");
}

const COUNTER: &str = "specification S(n : int) {
        const two : int = 2
        property low : counter(two) models G(x <= 2)
        system counter(limit : int) = {
            var x : int = 0  input var stop : bool  var a : [int] -> bool
            transition if x < limit and not stop then x' = x + 1 else x' = 0
            transition a' = a[x <- stop]
        }
        property high : counter(two * 2) models G(x <= 2)
    }";

#[test]
fn parameterized_systems_and_several_properties() {
    let systems = sts::parse(&SourceFile::new("test.system", COUNTER))
        .unwrap_or_else(|error| panic!("{error}"));
    let names: Vec<_> = systems.iter().map(|system| system.properties[0].name.clone()).collect();
    assert_eq!(names, ["low", "high"]);
    let names: Vec<_> = systems[1].vars.iter().map(|var| var.name()).collect();
    assert_eq!((names, systems[1].inputs.len()), (vec!["n", "x", "a"], 1));
    for system in &systems {
        let printed = sts::print(system).unwrap();
        let mut again = sts::parse(&SourceFile::new("test.system", printed)).unwrap().remove(0);
        again.properties[0].position = system.properties[0].position;
        assert_eq!(*system, again);
    }
    refused(&COUNTER.replace("counter(two)", "counter"), "`counter` takes 1 arguments, not 0");
    refused(&COUNTER.replace("counter(two)", "missing(two)"), "there is no system `missing`");
    refused(
        &COUNTER.replace("G(x <= 2)", "G(x' <= 2)"),
        "only a transition can speak of the next state",
    );
    refused(&COUNTER.replace("x' = 0", "x'' = 0"), "the state after the next one");
    refused(&COUNTER.replace("var a", "var x"), "`x` is declared already");
    refused("specification S { }", "has no property");
}

#[test]
fn a_name_is_declared_once() {
    let twice = |old: &str, new: &str, place: &str| {
        let text = COUNTER.replace(old, new);
        refused(&text, "is declared already\n");
        refused(&text, &format!(" --> test:{place}\n"));
    };
    twice("var a", "const x : int var a", "5:59");
    twice("var a", "const limit : int = 3 var a", "5:59");
    twice("var a", "const two : int = 3 var a", "5:59");
    twice("const two", "const n : int const two", "2:15");
    twice("const two", "const two : int = 1 const two", "2:35");
    twice("(n : int)", "(n : int, n : bool)", "1:26");
    twice("(limit : int)", "(limit : int, limit : int)", "4:37");
}
