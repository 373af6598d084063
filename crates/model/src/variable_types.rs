//! Domain types of variables: how hard each one is to track, from how it is used.
//!
//! After S. Apel et al., *Domain Types: Abstract-Domain Selection Based on Variable Usage* (HVC 2013). A variable
//! starts as Boolean-like and loses that by its uses; variables that are copied to or compared with each other
//! have the hardest type among them. Besides, the variables that a loop counts with are known, since tracking one
//! unrolls its loop.
//!
//! Differences: the numbers 0 and 1 both count as truth values, so that a variable which is only assigned and
//! compared with these is Boolean-like. Types are a heuristic, nothing relies on them.

use std::collections::BTreeMap;
use std::fmt;

use lapidary_expr::term::simplify::linear::Linear;
use lapidary_expr::{IBig, Op, RBig, Sort, Term, UBig, Value, Var, VarSet};
use rustc_hash::FxHashSet;

use crate::cfa::{Cfa, Edge, Loc};
use crate::stmt::Stmt;

/// How a variable is used, the easiest to track first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum VariableType {
    /// As a truth value.
    Boolean,
    /// In equations and assignments only.
    Equality,
    /// In sums, inequalities and bitwise operations, too.
    Additive,
    /// In other ways.
    Other,
    /// To count in a loop.
    LoopCounter,
}

impl VariableType {
    /// The name of the type.
    pub fn name(self) -> &'static str {
        match self {
            VariableType::Boolean => "boolean",
            VariableType::Equality => "equality",
            VariableType::Additive => "additive",
            VariableType::Other => "other",
            VariableType::LoopCounter => "loop counter",
        }
    }
}

impl fmt::Display for VariableType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The types of all variables of an automaton.
#[derive(Clone, Debug)]
pub struct VariableTypes(BTreeMap<Var, VariableType>);

impl VariableTypes {
    /// Looks at every statement once, however many edges have it.
    pub fn of(cfa: &Cfa) -> Self {
        let mut uses = Uses::new(cfa.vars());
        let mut seen = FxHashSet::default();
        for (_, edge) in cfa.edges() {
            if seen.insert(&edge.stmt) {
                uses.statement(&edge.stmt);
            }
        }
        let mut types: BTreeMap<Var, VariableType> =
            cfa.vars().iter().map(|var| (*var, uses.type_of(*var))).collect();
        for var in loop_counters(cfa) {
            types.insert(var, VariableType::LoopCounter);
        }
        VariableTypes(types)
    }

    /// The type of a variable; of one that is not in the automaton, the hardest to know.
    pub fn get(&self, var: Var) -> VariableType {
        self.0.get(&var.base()).copied().unwrap_or(VariableType::Other)
    }

    /// The variables with their types, in a fixed order.
    pub fn iter(&self) -> impl Iterator<Item = (Var, VariableType)> {
        self.0.iter().map(|(var, kind)| (*var, *kind))
    }

    /// How hard it is to track these variables: one more than the sum of 1 for each Boolean-like, 2 for each
    /// that is used in equations only, 4 for each other; beyond any sum if there is a loop counter.
    pub fn score(&self, vars: &VarSet) -> u32 {
        let weight = |var: &Var| match self.get(*var) {
            VariableType::Boolean => 1,
            VariableType::Equality => 2,
            VariableType::Additive | VariableType::Other => 4,
            VariableType::LoopCounter => u32::MAX,
        };
        vars.iter().map(weight).fold(1, u32::saturating_add)
    }
}

/// A line for each variable: its name, its type and its sort.
impl fmt::Display for VariableTypes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.0.keys().map(ToString::to_string).collect();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).min(60);
        for (name, (var, kind)) in names.iter().zip(&self.0) {
            writeln!(f, "{name:<width$}  {:<12}  {}", kind.name(), var.sort())?;
        }
        Ok(())
    }
}

/// What is known about uses so far: a partition of the variables, each part with a type.
struct Uses {
    index: BTreeMap<Var, usize>,
    parent: Vec<usize>,
    kinds: Vec<VariableType>,
    /// What was looked at: to do so again would change nothing.
    formulas: FxHashSet<Term>,
    operands: FxHashSet<(Term, u8)>,
    equations: FxHashSet<(Term, Term)>,
}

impl Uses {
    fn new(vars: &[Var]) -> Self {
        let index = vars.iter().enumerate().map(|(i, var)| (*var, i)).collect();
        let easiest = |var: &Var| match var.sort() {
            Sort::Array(_) => VariableType::Other,
            _ => VariableType::Boolean,
        };
        let kinds = vars.iter().map(easiest).collect();
        let parent = (0..vars.len()).collect();
        let (formulas, operands, equations) = Default::default();
        Uses { index, parent, kinds, formulas, operands, equations }
    }

    fn part(&self, var: Var) -> Option<usize> {
        let mut part = *self.index.get(&var.base())?;
        while self.parent[part] != part {
            part = self.parent[part];
        }
        Some(part)
    }

    fn type_of(&self, var: Var) -> VariableType {
        self.part(var).map_or(VariableType::Other, |part| self.kinds[part])
    }

    fn raise(&mut self, var: Var, kind: VariableType) {
        if let Some(part) = self.part(var) {
            self.kinds[part] = self.kinds[part].max(kind);
        }
    }

    fn join(&mut self, left: Var, right: Var) {
        if let (Some(left), Some(right)) = (self.part(left), self.part(right)) {
            self.kinds[left] = self.kinds[left].max(self.kinds[right]);
            self.parent[right] = left;
        }
    }

    fn statement(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Assume(term) | Stmt::Relation { formula: term, .. } => self.formula(*term),
            Stmt::Assign(assignments) => {
                assignments.iter().for_each(|(var, term)| self.equation((*var).into(), *term));
            }
            Stmt::Havoc(_) => {}
            Stmt::Seq(parts) | Stmt::Choice(parts) => {
                parts.iter().for_each(|part| self.statement(part));
            }
        }
    }

    /// A term whose value is a truth value. Terms of programs may be deep, so that this is a loop.
    fn formula(&mut self, formula: Term) {
        let mut open = vec![formula];
        while let Some(term) = open.pop() {
            if !self.formulas.insert(term) {
                continue;
            }
            match (term.op(), term.args()) {
                (Op::Eq, [left, right]) if left.sort() != Sort::Bool => {
                    self.equation(*left, *right);
                }
                (Op::Not | Op::And | Op::Or | Op::Eq | Op::Ite, args) => open.extend(args),
                (Op::Var(_) | Op::Lit(_), _) => {}
                (Op::Le | Op::Lt | Op::BvUle | Op::BvUlt | Op::BvSle | Op::BvSlt, args) => {
                    args.iter().for_each(|arg| self.operand(*arg, VariableType::Additive));
                }
                (_, args) => args.iter().for_each(|arg| self.operand(*arg, VariableType::Other)),
            }
        }
    }

    /// Two terms that are compared or copied.
    fn equation(&mut self, left: Term, right: Term) {
        if !self.equations.insert((left, right)) {
            return;
        }
        match (left.as_var(), right.as_var()) {
            (Some(left), Some(right)) => {
                if left.sort() != Sort::Bool {
                    self.raise(left, VariableType::Equality);
                }
                self.join(left, right);
            }
            (Some(var), None) => self.definition(var, right),
            (None, Some(var)) => self.definition(var, left),
            (None, None) => {
                self.operand(left, VariableType::Equality);
                self.operand(right, VariableType::Equality);
            }
        }
    }

    fn definition(&mut self, var: Var, term: Term) {
        match (term.op(), term.args()) {
            (Op::Lit(value), _) if is_truth_value(value) => {}
            (Op::Lit(_), _) => self.raise(var, VariableType::Equality),
            (Op::Ite, [condition, then, otherwise]) if term.sort() != Sort::Bool => {
                self.formula(*condition);
                self.equation(var.into(), *then);
                self.equation(var.into(), *otherwise);
            }
            _ if term.sort() == Sort::Bool => self.formula(term),
            _ => {
                let kind = arithmetic(term);
                self.raise(var, kind);
                self.operand(term, VariableType::Equality);
            }
        }
    }

    /// A term that stands below something of the given type.
    fn operand(&mut self, term: Term, below: VariableType) {
        let mut open = vec![(term, below)];
        while let Some((term, below)) = open.pop() {
            if !self.operands.insert((term, below as u8)) {
                continue;
            }
            match (term.op(), term.args()) {
                (Op::Var(var), _) if var.sort() == Sort::Bool => {}
                (Op::Var(var), _) => self.raise(*var, below),
                (Op::Ite, [condition, then, otherwise]) => {
                    self.formula(*condition);
                    open.extend([(*then, below), (*otherwise, below)]);
                }
                _ if term.sort() == Sort::Bool => self.formula(term),
                (_, args) => {
                    let kind = below.max(arithmetic(term));
                    open.extend(args.iter().map(|arg| (*arg, kind)));
                }
            }
        }
    }
}

fn is_truth_value(value: &Value) -> bool {
    match value {
        Value::Bool(_) => true,
        Value::Int(number) => *number == IBig::ZERO || *number == IBig::ONE,
        Value::Bv(bits) => *bits.unsigned() <= UBig::ONE,
        _ => false,
    }
}

/// What the operator at the head of a term makes of its operands.
fn arithmetic(term: Term) -> VariableType {
    match (term.op(), term.args()) {
        (Op::Lit(_) | Op::Var(_), _) => VariableType::Equality,
        (Op::Mul | Op::BvMul, args)
            if args.iter().filter(|arg| arg.as_lit().is_none()).count() < 2 =>
        {
            VariableType::Additive
        }
        (
            Op::Add
            | Op::BvAdd
            | Op::BvSub
            | Op::BvNeg
            | Op::BvAnd
            | Op::BvOr
            | Op::BvXor
            | Op::BvNot
            | Op::ZeroExtend(_)
            | Op::SignExtend(_),
            _,
        ) => VariableType::Additive,
        _ => VariableType::Other,
    }
}

/// The variables that are assigned a sum of a variable and a number in a loop, and their copies there.
fn loop_counters(cfa: &Cfa) -> VarSet {
    let components = components(cfa);
    let in_loop =
        |edge: &Edge| components[edge.source.0 as usize] == components[edge.target.0 as usize];
    let mut counters = VarSet::new();
    let mut copies: Vec<(Var, Var)> = Vec::new();
    // Within a component there is a way back, so that an edge inside it lies on a cycle.
    for (_, edge) in cfa.edges().filter(|(_, edge)| in_loop(edge)) {
        assignments(&edge.stmt, &mut |var, term| {
            if let Some(source) = term.as_var() {
                copies.push((var, source.base()));
            } else if is_step(term) {
                counters.insert(var);
            }
        });
    }
    loop {
        let before = counters.len();
        counters.extend(
            copies
                .iter()
                .filter(|(_, from)| counters.contains(from))
                .map(|(to, _)| *to)
                .collect::<Vec<_>>(),
        );
        if counters.len() == before {
            return counters;
        }
    }
}

/// `x + c` with a number that is not zero.
fn is_step(term: Term) -> bool {
    let is_variable = |term: &Term| term.as_var().is_some_and(|var| var.version() == 0);
    match (term.op(), term.args()) {
        (Op::BvAdd | Op::BvSub, [left, right]) => {
            let pair = |a: &Term, b: &Term| is_variable(a) && b.as_lit().is_some();
            pair(left, right) || pair(right, left)
        }
        (Op::Add, _) => {
            let sum = Linear::of(term);
            sum.monomials.len() == 1 && is_variable(&sum.monomials[0].0)
        }
        _ => false,
    }
}

/// Visits what is assigned to what, also by equations of relations.
fn assignments(stmt: &Stmt, visit: &mut dyn FnMut(Var, Term)) {
    match stmt {
        Stmt::Assign(assignments) => assignments.iter().for_each(|(var, term)| visit(*var, *term)),
        Stmt::Seq(parts) | Stmt::Choice(parts) => {
            parts.iter().for_each(|part| assignments(part, visit));
        }
        Stmt::Relation { formula, .. } => {
            for conjunct in formula.conjuncts() {
                if let (Op::Eq, [left, right]) = (conjunct.op(), conjunct.args()) {
                    next_value(*left, *right).into_iter().for_each(|(var, term)| visit(var, term));
                }
            }
        }
        Stmt::Assume(_) | Stmt::Havoc(_) => {}
    }
}

/// `x` and `t` of an equation `x' = t`, however it is arranged.
fn next_value(left: Term, right: Term) -> Option<(Var, Term)> {
    let primed = |term: Term| term.as_var().filter(|var| var.version() == 1).map(Var::base);
    if left.sort() != Sort::Int {
        let there = || Some((primed(left)?, right));
        return there().or_else(|| Some((primed(right)?, left)));
    }
    let mut sum = Linear::of(left.minus(right));
    let position = sum.monomials.iter().position(|(term, _)| primed(*term).is_some())?;
    let (term, coefficient) = sum.monomials.remove(position);
    let negative = coefficient == RBig::ONE;
    if !negative && coefficient != RBig::from(IBig::NEG_ONE) {
        return None;
    }
    let rest = sum.to_term(Sort::Int);
    Some((primed(term)?, if negative { rest.negated() } else { rest }))
}

/// For each location the number of its strongly connected component, by Kosaraju's two walks.
fn components(cfa: &Cfa) -> Vec<usize> {
    let targets = |loc: Loc| cfa.outgoing(loc).iter().map(|edge| cfa.edge(*edge).target);
    let mut seen = vec![false; cfa.n_locs()];
    let mut finished: Vec<Loc> = Vec::new();
    for root in cfa.locs() {
        let mut open = vec![(root, false)];
        while let Some((loc, is_done)) = open.pop() {
            if is_done {
                finished.push(loc);
            } else if !std::mem::replace(&mut seen[loc.0 as usize], true) {
                open.push((loc, true));
                open.extend(targets(loc).map(|target| (target, false)));
            }
        }
    }
    let mut component = vec![usize::MAX; cfa.n_locs()];
    for (number, root) in finished.into_iter().rev().enumerate() {
        let mut open = vec![root];
        while let Some(loc) = open.pop() {
            if component[loc.0 as usize] == usize::MAX {
                component[loc.0 as usize] = number;
                open.extend(cfa.incoming(loc).iter().map(|edge| cfa.edge(*edge).source));
            }
        }
    }
    component
}
