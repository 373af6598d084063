//! Loops as transition systems, and their unrollings.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lapidary_expr::text::{SExpr, Scope, parse, read_all, sort_of};
use lapidary_expr::{Func, Sort, Term, Var};
use serde_json::Value;

/// A loop: where it starts, what one round does, and what must not be seen. State variables have version 0
/// before and 1 after a round; inputs have version 0.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    pub(crate) name: String,
    pub(crate) theory: String,
    pub(crate) init: Term,
    pub(crate) trans: Term,
    pub(crate) bad: Term,
}

impl Loop {
    /// The parts of the claim that something bad is seen after `rounds` rounds.
    pub(crate) fn unrolled(&self, rounds: u32) -> Vec<Term> {
        let at = |term: Term, round: u32| {
            term.map_vars(&|var| Some(var.at(var.version() + round).into()))
        };
        let steps = (0..rounds).map(|round| at(self.trans, round));
        std::iter::once(self.init).chain(steps).chain([at(self.bad, rounds)]).collect()
    }
}

/// The loops of the collection, which is in a folder above the repository or not at all.
pub(crate) fn collection() -> Option<Vec<Loop>> {
    let beside = |folder: &Path| folder.join("shared/bench/interpolation/loops.json");
    let file: PathBuf =
        Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().map(beside).find(|file| file.exists())?;
    let text = std::fs::read_to_string(file).expect("a file that exists can be read");
    let loops: Vec<Value> = serde_json::from_str(&text).expect("a list in JSON");
    Some(loops.iter().map(read).collect())
}

#[derive(Default)]
struct Names {
    vars: BTreeMap<String, Var>,
    funcs: BTreeMap<String, Func>,
}

impl Scope for Names {
    fn var(&self, name: &str) -> Option<Var> {
        self.vars.get(name).copied()
    }

    fn func(&self, name: &str) -> Option<Func> {
        self.funcs.get(name).copied()
    }
}

fn read(json: &Value) -> Loop {
    let text = |key: &str| json[key].as_str().unwrap_or_else(|| panic!("no `{key}` in {json}"));
    let mut names = Names::default();
    for (key, is_state) in [("vars", true), ("inputs", false)] {
        for pair in json[key].as_array().expect("a list of variables") {
            let name = pair[0].as_str().expect("a name");
            let var = Var::new(name, sort(&list(pair[1].as_str().expect("a sort"))[0]));
            names.vars.insert(name.into(), var);
            if is_state {
                names.vars.insert(format!("{name}'"), var.primed());
            }
        }
    }
    for declaration in list(text("extra")) {
        let SExpr::List(words) = &declaration else { panic!("{declaration:?}") };
        let [_, SExpr::Atom(name), SExpr::List(params), result] = &words[..] else {
            panic!("{declaration:?}")
        };
        let params: Vec<Sort> = params.iter().map(sort).collect();
        names.funcs.insert(name.clone(), Func::new(name, &params, sort(result)));
    }
    let formula = |key: &str| {
        parse(text(key), &names).unwrap_or_else(|error| panic!("{}: {error}", text(key)))
    };
    Loop {
        name: text("name").into(),
        theory: text("theory").into(),
        init: formula("init"),
        trans: formula("trans"),
        bad: formula("bad"),
    }
}

fn list(text: &str) -> Vec<SExpr> {
    read_all(text).expect("S-expressions")
}

fn sort(expr: &SExpr) -> Sort {
    sort_of(expr).expect("a sort")
}
