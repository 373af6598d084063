//! Which assertions of a C program are told apart.

use lapidary_frontend::SourceFile;
use lapidary_frontend::c::{self, Options};

/// Where the assertions of a program are.
fn assertions(text: &str, entry: &str) -> Vec<String> {
    let options = Options { entry: entry.into(), ..Options::default() };
    let task = c::parse(&SourceFile::new("t.c", text), &options).unwrap();
    let ends = task.model.ends().expect("a C program has ends");
    ends.properties().iter().map(|property| property.place.clone()).collect()
}

/// A function whose name has `assert` in it stands for the place of its call, but the first function has no caller.
#[test]
fn assertions_of_the_first_function_are_apart() {
    let text = "extern void reach_error(void);
void my_assert(int c) { if (!c) reach_error(); }
int x;
void assert_all(void) {
    my_assert(x);
    my_assert(x + 1);
    if (x == 2) reach_error();
    if (x == 3) reach_error();
}
int main(void) { assert_all(); return 0; }
";
    let lines = |entry: &str| -> Vec<u32> {
        let line = |name: &String| name.split(':').next().and_then(|line| line.parse().ok());
        assertions(text, entry).iter().filter_map(line).collect()
    };
    assert_eq!(lines("assert_all"), [5, 6, 7, 8]);
    assert_eq!(lines("main"), [10]);
}
