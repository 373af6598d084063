//! Random contradictions in parts, with the structure of error traces: a start, steps that assign variables under
//! guards, perhaps by one of two branches, and a claim about the end. What the solver can satisfy is thrown away.

use lapidary_expr::text::{Scope, parse};
use lapidary_expr::{Func, Sort, Term, Var};
use lapidary_solver::limits::Watch;
use lapidary_solver::{Backend, Result, UnsatCore};

use crate::common::Rng;
use crate::z3;

/// So many claims are tried before another trace is.
const CLAIMS: usize = 12;
/// From this depth on, terms end.
const DEEPEST: usize = 3;

/// A theory as what its terms look like. In templates, `$n` is a term, `$v` a variable, `$c` a constant, `$k` a small
/// positive one, `$a` an array, `$f` a formula, `$b` a truth value. The first template of each kind ends recursion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Theory {
    pub(crate) name: &'static str,
    sort: Sort,
    terms: &'static [&'static str],
    formulas: &'static [&'static str],
    /// Whether there are arrays from numbers to numbers.
    arrays: &'static [&'static str],
    /// How many variables are truth values.
    bools: usize,
    /// Of how many steps one has branches.
    branches: usize,
}

const ORDERED: &[&str] =
    &["(<= $v $c)", "(= $v $n)", "(<= $n $n)", "(< $n $n)", "(not (= $v $n))", "(<= $v $n)"];
const BITS: &[&str] = &[
    "(bvule $v $c)",
    "(= $v $n)",
    "(bvule $n $n)",
    "(bvult $v $n)",
    "(bvslt $n $n)",
    "(not (= $v $n))",
];
const BIT_TERMS: &[&str] = &[
    "$v",
    "$c",
    "(bvadd $v $c)",
    "(bvadd $v $v)",
    "(bvsub $n $v)",
    "(bvand $v $c)",
    "(bvor $v $v)",
    "(bvxor $v $c)",
    "(bvshl $v $k)",
    "(bvlshr $v $k)",
    "(bvmul $k $v)",
    "(bvurem $v $k)",
    "(bvneg $v)",
];

const LIA: Theory = Theory {
    name: "LIA",
    sort: Sort::Int,
    terms: &[
        "$v",
        "$c",
        "(+ $v $c)",
        "(+ $v $c)",
        "(+ $v $n)",
        "(- $n $v)",
        "(* $k $v)",
        "(mod $v $k)",
        "(div $v $k)",
    ],
    formulas: ORDERED,
    arrays: &[],
    bools: 0,
    branches: 5,
};

const BV8: Theory =
    Theory { name: "BV8", sort: Sort::Bv(8), terms: BIT_TERMS, formulas: BITS, ..LIA };

/// All theories. `Mixed` has truth values and Boolean structure wherever it can be.
pub(crate) const THEORIES: [Theory; 7] = [
    LIA,
    Theory {
        name: "LRA",
        sort: Sort::Rat,
        terms: &["$v", "$c", "(+ $v $c)", "(+ $v $n)", "(- $n $v)", "(* $c $v)", "(/ $v $k)"],
        ..LIA
    },
    BV8,
    Theory { name: "BV32", sort: Sort::Bv(32), ..BV8 },
    Theory {
        name: "arrays",
        terms: &["$v", "$c", "(+ $v $c)", "(select $a $v)", "(select $a $c)", "(select $a $v)"],
        arrays: &["$A", "(store $A $v $n)", "(store $A $v $v)", "(store $a $c $n)"],
        formulas: &[
            "(= $v $n)",
            "(= (select $A $v) $n)",
            "(not (= $v $n))",
            "(<= $v $n)",
            "(= (select $A $c) $c)",
        ],
        ..LIA
    },
    Theory {
        name: "mixed",
        terms: &["$v", "$c", "(+ $v $c)", "(+ $v $c)", "(- $n $v)", "(ite $f $n $n)"],
        formulas: &[
            "(<= $v $n)",
            "(= $v $n)",
            "(or $f $f)",
            "(and $f (or $b $f))",
            "(=> $b $f)",
            "(= $b $f)",
            "(ite $b $f $f)",
            "(xor $b $f)",
            "(not $b)",
        ],
        bools: 2,
        branches: 2,
        ..LIA
    },
    Theory {
        name: "functions",
        terms: &["$v", "(f $v)", "(f $n)", "(g $v $v)", "(+ $v $c)", "$c"],
        formulas: &["(= $v $n)", "(= $n $n)", "(not (= $v $n))", "(<= $v $n)"],
        ..LIA
    },
];

/// Parts that contradict each other, made with these choices.
pub(crate) fn contradiction(theory: &Theory, rng: &mut Rng, watch: &Watch) -> Result<Vec<Term>> {
    let backend = z3(watch);
    let (mut solver, mut alone) = (backend.solver(), backend.solver());
    loop {
        backend.check()?;
        let mut maker = Maker::new(theory, rng);
        let mut parts = maker.trace();
        solver.push();
        parts.iter().for_each(|part| solver.assert(*part));
        // What contradicts itself before its end says little about interpolation, but has to be met.
        let anything = maker.rng.below(8) == 0;
        let claims = if anything || solver.is_sat()? { CLAIMS } else { 0 };
        for _ in 0..claims {
            let claim = maker.claim();
            if !anything && !possible(&mut *alone, claim)? {
                continue;
            }
            if !possible(&mut *solver, claim)? {
                parts.push(claim);
                return Ok(parts);
            }
        }
        solver.pop();
    }
}

fn possible(solver: &mut dyn UnsatCore, formula: Term) -> Result<bool> {
    solver.push();
    solver.assert(formula);
    let sat = solver.is_sat();
    solver.pop();
    sat
}

/// Names of variables at versions, like `x@2`, and the functions.
struct Names(Vec<Var>);

impl Scope for Names {
    fn var(&self, name: &str) -> Option<Var> {
        let (base, version) = name.split_once('@').unwrap_or((name, "0"));
        let var = self.0.iter().find(|var| var.name() == base)?;
        Some(var.at(version.parse().ok()?))
    }

    fn func(&self, name: &str) -> Option<Func> {
        match name {
            "f" => Some(Func::new("f", &[Sort::Int], Sort::Int)),
            "g" => Some(Func::new("g", &[Sort::Int, Sort::Int], Sort::Int)),
            _ => None,
        }
    }
}

struct Maker<'a> {
    theory: &'a Theory,
    rng: &'a mut Rng,
    /// Numbers, arrays and truth values at their current versions.
    vars: Vec<Var>,
}

impl<'a> Maker<'a> {
    fn new(theory: &'a Theory, rng: &'a mut Rng) -> Self {
        let numbers = 2 + rng.below(2);
        let mut vars: Vec<Var> =
            ["x", "y", "z"][..numbers].iter().map(|name| Var::new(name, theory.sort)).collect();
        if !theory.arrays.is_empty() {
            vars.push(Var::new("m", Sort::array(theory.sort, theory.sort)));
        }
        vars.extend(["p", "q"][..theory.bools].iter().map(|name| Var::new(name, Sort::Bool)));
        Maker { theory, rng, vars }
    }

    /// All parts but the last.
    fn trace(&mut self) -> Vec<Term> {
        let steps = self.rng.below(5);
        let mut parts = vec![self.start()];
        parts.extend((0..steps).map(|_| self.step()));
        parts
    }

    fn start(&mut self) -> Term {
        let mut facts = Vec::new();
        for var in self.vars.clone() {
            match self.rng.below(3) {
                0 if var.sort() == self.theory.sort => {
                    facts.push(format!("(= {var} {})", self.constant()));
                }
                1 => facts.push(self.formula(DEEPEST)),
                _ => {}
            }
        }
        facts.push(self.formula(1));
        self.read(&format!("(and true {})", facts.join(" ")))
    }

    /// Assignments to some variables, perhaps under a guard, perhaps in two branches.
    fn step(&mut self) -> Term {
        let assigned: Vec<usize> = (0..self.vars.len()).filter(|_| self.rng.below(3) > 0).collect();
        let branches = 1 + usize::from(self.rng.below(self.theory.branches) == 0);
        let texts: Vec<String> = (0..branches).map(|_| self.branch(&assigned)).collect();
        for i in assigned {
            self.vars[i] = self.vars[i].at(self.vars[i].version() + 1);
        }
        self.read(&format!("(or false {})", texts.join(" ")))
    }

    fn branch(&mut self, assigned: &[usize]) -> String {
        let mut facts = Vec::new();
        if self.rng.below(2) == 0 {
            facts.push(self.formula(1));
        }
        for i in assigned {
            let var = self.vars[*i];
            let value = match var.sort() {
                Sort::Bool => self.formula(1),
                Sort::Array(_) => self.fill(self.theory.arrays, 1),
                _ => self.fill(self.theory.terms, 1),
            };
            facts.push(format!("(= {} {value})", var.at(var.version() + 1)));
        }
        format!("(and true {})", facts.join(" "))
    }

    fn claim(&mut self) -> Term {
        let more = if self.rng.below(2) == 0 { self.formula(1) } else { "true".into() };
        let claim = format!("(and {} {more})", self.formula(1));
        self.read(&claim)
    }

    fn formula(&mut self, depth: usize) -> String {
        self.fill(self.theory.formulas, depth)
    }

    /// One of the templates with its holes filled.
    fn fill(&mut self, templates: &[&str], depth: usize) -> String {
        let template = if depth > DEEPEST { templates[0] } else { self.rng.pick(templates) };
        let mut pieces = template.split('$');
        let mut text: String = pieces.next().unwrap_or_default().into();
        for piece in pieces {
            let (hole, rest) = piece.split_at(1);
            text.push_str(&match hole {
                "n" => self.fill(self.theory.terms, depth + 1),
                "a" => self.fill(self.theory.arrays, depth + 1),
                "f" => self.formula(depth + 1),
                "v" => self.var(self.theory.sort),
                "A" => self.var(Sort::array(self.theory.sort, self.theory.sort)),
                "b" => self.var(Sort::Bool),
                "k" => self.small(),
                _ => self.constant(),
            });
            text.push_str(rest);
        }
        text
    }

    fn var(&mut self, sort: Sort) -> String {
        let suited: Vec<Var> = self.vars.iter().copied().filter(|var| var.sort() == sort).collect();
        self.rng.pick(&suited).to_string()
    }

    /// A number from 2 to 5.
    fn small(&mut self) -> String {
        let number = 2 + self.rng.below(4);
        match self.theory.sort {
            Sort::Bv(width) => format!("(_ bv{number} {width})"),
            Sort::Rat => format!("{number}.0"),
            _ => number.to_string(),
        }
    }

    fn constant(&mut self) -> String {
        let number = self.rng.below(12);
        match self.theory.sort {
            // Small, or shortly before the end.
            Sort::Bv(width) if self.rng.below(4) == 0 => format!("(bvneg (_ bv{number} {width}))"),
            Sort::Bv(width) => format!("(_ bv{number} {width})"),
            Sort::Rat => format!("(- {}.{} 3.0)", number / 2, 5 * (number % 2)),
            _ => format!("(- {number} 4)"),
        }
    }

    fn read(&self, text: &str) -> Term {
        parse(text, &Names(self.vars.clone())).unwrap_or_else(|error| panic!("{error} in {text}"))
    }
}
