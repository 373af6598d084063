//! GNU C construct by construct: each has its meaning, is approximated, or is unsupported with a place. None is skipped.
//!
//! The list is `constructs.txt`; its head says how it is written. `¶` stands for the end of a line.

mod common;

use common::Folder;

/// A construct in a small program.
struct Construct {
    class: String,
    name: String,
    before: String,
    inside: String,
    value: String,
    is: String,
    after: String,
}

impl Construct {
    /// Reads a line of the list.
    fn parse(line: &str) -> Construct {
        let mut fields = line.split('@').map(|field| field.trim().replace('¶', "\n"));
        let mut next = || fields.next().unwrap_or_default();
        let construct = Construct {
            class: next(),
            name: next(),
            before: next(),
            inside: next(),
            value: next(),
            is: next(),
            after: next(),
        };
        assert!(!construct.is.is_empty() && fields.next().is_none(), "{line}");
        construct
    }

    /// The program, with a claim that holds or does not.
    fn program(&self, holds: bool) -> String {
        let Construct { before, inside, value, is, after, .. } = self;
        let op = if holds { "!=" } else { "==" };
        format!(
            "extern void reach_error(void);\n{before}\nint main(void) {{\n{inside}\n\
             if (({value}) {op} ({is})) reach_error();\nreturn 0;\n}}\n{after}\n"
        )
    }

    /// The verdict; an error with a place counts as `unknown`.
    fn verdict(&self, folder: &Folder, holds: bool) -> String {
        folder.write("t.c", self.program(holds));
        let ran =
            folder.run(&["verify", "t.c", "--check", "assertion", "--bits", "64", "--time", "60"]);
        match ran.status {
            65 if ran.stderr.contains("--> t.c:") => "unknown: rejected at a place".into(),
            _ => ran.last_line().into(),
        }
    }
}

/// The class that two verdicts show, for the true and the false claim.
fn class(verdicts: &[String; 2]) -> &'static str {
    let has_place = |verdict: &String| {
        verdict.strip_prefix("unknown: ").is_some_and(|reason| reason.contains(" at "))
    };
    match verdicts.each_ref().map(String::as_str) {
        ["safe", "unsafe"] => "meaning",
        ["unsafe", _] | [_, "safe"] => "wrong",
        _ if verdicts.iter().all(has_place) => "unsupported",
        ["safe", other] | [other, "unsafe"] if has_place(&other.into()) => "approximated",
        _ => "without a reason",
    }
}

#[test]
fn each_construct_has_its_class() {
    let folder = Folder::new("constructs");
    let lines = include_str!("constructs.txt").lines();
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let constructs: Vec<_> = lines.map(Construct::parse).collect();
    assert!(constructs.len() > 140);
    let mut wrong = Vec::new();
    for construct in &constructs {
        let verdicts = [true, false].map(|holds| construct.verdict(&folder, holds));
        let found = class(&verdicts);
        if found != construct.class {
            wrong.push(format!("{}: {found}, {verdicts:?}", construct.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
