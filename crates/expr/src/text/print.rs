//! Terms as SMT-LIB text.

use std::fmt;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::term::Term;
use crate::walk::Walk;

/// Parts at least this large get a `let` when they occur more than once.
const SHARED: u32 = 8;

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.size() <= SHARED {
            return write(*self, &FxHashMap::default(), f);
        }
        let shared = shared_parts(*self);
        let taken: FxHashSet<&str> = self.vars().iter().map(|var| var.name()).collect();
        let free = (0..).map(|n| format!("?{n}")).filter(|name| !taken.contains(&name[..]));
        let mut names: FxHashMap<Term, String> = FxHashMap::default();
        for (part, name) in shared.iter().zip(free) {
            write!(f, "(let (({name} ")?;
            write(*part, &names, f)?;
            f.write_str(")) ")?;
            names.insert(*part, name);
        }
        write(*self, &names, f)?;
        f.write_str(&")".repeat(shared.len()))
    }
}

/// Writes `root` with the given names for its parts.
fn write(root: Term, names: &FxHashMap<Term, String>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    // The arguments that are still to be written, of each application that is open.
    let mut open = vec![std::slice::from_ref(&root).iter()];
    while let Some(rest) = open.last_mut() {
        let Some(term) = rest.next() else {
            open.pop();
            if !open.is_empty() {
                f.write_str(")")?;
            }
            continue;
        };
        if open.len() > 1 {
            f.write_str(" ")?;
        }
        match names.get(term) {
            Some(name) => f.write_str(name)?,
            None if term.args().is_empty() => write!(f, "{}", term.op())?,
            None => {
                write!(f, "({}", term.op())?;
                open.push(term.args().iter());
            }
        }
    }
    Ok(())
}

/// The parts that occur more than once, each after its own parts.
fn shared_parts(root: Term) -> Vec<Term> {
    let mut count = Count::default();
    count.walk(root);
    let Count { uses, mut order } = count;
    order.retain(|term| uses[term] > 1);
    order
}

#[derive(Default)]
struct Count {
    uses: FxHashMap<Term, u32>,
    order: Vec<Term>,
}

impl Walk for Count {
    fn enter(&mut self, term: Term) -> bool {
        if term.size() < SHARED || term.args().is_empty() {
            return false;
        }
        let uses = self.uses.entry(term).or_insert(0);
        *uses += 1;
        *uses == 1
    }

    fn leave(&mut self, term: Term) {
        self.order.push(term);
    }
}
