//! Terms as gates of a SAT solver (Tseitin's transformation), each once.
//!
//! The solver is MiniSat's successor `batsat`. It sets every gate that it knows in each query, so when there are many,
//! of which few may be of use any more, a new solver starts from nothing.

use batsat::{Callbacks, ClauseKind, Lit, Solver, SolverInterface, SolverOpts, lbool};
use lapidary_expr::{Op, Sort, Term, Value, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Result;
use crate::limits::Watch;

/// So many gates are no burden.
const FEW: u32 = 2_000;

/// A solver that has answered so many queries was worth its making.
const WORTH: u32 = 100;

/// What a query counts as, besides its propagations, in the unit of budgets of work.
const QUERY: u64 = 100;

/// What a conflict counts as while its query lasts. What propagations count as beyond that is added afterwards.
const CONFLICT: u64 = 200;

/// Ends a query when a limit is reached.
struct Until {
    watch: Watch,
    /// What the query has spent.
    spent: u64,
}

impl Callbacks for Until {
    fn on_start(&mut self) {
        self.spent = 0;
    }

    fn on_new_clause(&mut self, _: &[Lit], _: ClauseKind) {
        self.spent += CONFLICT;
        self.watch.spend(CONFLICT);
    }

    fn stop(&self) -> bool {
        self.watch.check().is_err()
    }
}

pub(super) struct Gates {
    sat: Solver<Until>,
    watch: Watch,
    /// The literal of each term; none if it is not propositional.
    literals: FxHashMap<Term, Option<Lit>>,
    /// How many of the formulas that hold for good are clauses.
    n_fixed: usize,
    /// The variables of the solver that these brought; they are of use as long as there is a solver.
    n_used: u32,
    /// Whether the solver may decide about the gates that are made now.
    decides: bool,
    /// Whether it may decide about all of them.
    decides_all: bool,
    /// With more gates than this, it is time for a new solver.
    most: u32,
    /// The number of queries that this one has answered.
    queries: u32,
}

impl Gates {
    pub(super) fn new(watch: &Watch) -> Self {
        let sat = Solver::new(SolverOpts::default(), Until { watch: watch.clone(), spent: 0 });
        Gates {
            sat,
            watch: watch.clone(),
            literals: FxHashMap::default(),
            n_fixed: 0,
            n_used: 0,
            decides: false,
            decides_all: false,
            most: FEW,
            queries: 0,
        }
    }

    /// A new solver. If the last one had not done much, more gates than that are in use.
    fn renew(&mut self) {
        let most = if self.queries < WORTH { self.most.saturating_mul(2) } else { self.most };
        *self = Gates { most, decides_all: self.decides_all, ..Gates::new(&self.watch) };
    }

    /// From now on the queries are hard ones, in which decisions about gates pay.
    pub(super) fn expect_hard(&mut self) {
        self.decides_all = true;
    }

    /// Whether these formulas are satisfiable together; none if one of them is not propositional. Those that are
    /// `fixed` hold from now on: they must be there, in the same order, in all queries to come.
    pub(super) fn solve(
        &mut self,
        fixed: &[Term],
        asserted: &[Term],
        assumed: &[Term],
    ) -> Result<Option<bool>> {
        self.watch.check()?;
        if self.sat.num_vars() - self.n_used > self.most {
            self.renew();
        }
        self.queries += 1;
        if !self.fix(fixed) {
            return Ok(None);
        }
        let all = asserted.iter().chain(assumed);
        let Some(literals) = all.map(|term| self.literal(*term)).collect::<Option<Vec<Lit>>>()
        else {
            return Ok(None);
        };
        let before = self.sat.num_propagations();
        let answer = self.sat.solve_limited(&literals);
        let propagations = self.sat.num_propagations().saturating_sub(before);
        self.watch.spend((QUERY + propagations / 2).saturating_sub(self.sat.cb().spent));
        if answer == lbool::UNDEF {
            return self.watch.check().map(|()| None);
        }
        // An answer that took the last of a budget is one all the same.
        Ok(Some(answer == lbool::TRUE))
    }

    /// Adds those of the formulas that are new; whether all are propositional. Decisions about their gates pay: what is
    /// said for good is asked about in few and hard queries, such as whether an error is so many steps away.
    fn fix(&mut self, fixed: &[Term]) -> bool {
        let before = self.sat.num_vars();
        self.decides = true;
        while let Some(literal) = fixed.get(self.n_fixed).and_then(|term| self.literal(*term)) {
            self.clause([literal]);
            self.n_fixed += 1;
        }
        self.decides = false;
        self.n_used += self.sat.num_vars() - before;
        self.n_fixed == fixed.len()
    }

    /// The value of a variable after an answer that there is a model, if the solver knows it.
    pub(super) fn value(&self, var: Var) -> Option<bool> {
        let literal = (*self.literals.get(&var.into())?)?;
        Some(self.sat.value_lit(literal) == lbool::TRUE)
    }

    /// The first positions of the assumptions that the last answer, that there is no model, needed.
    pub(super) fn core(&self, assumed: &[Term]) -> Vec<usize> {
        // The solver tells it as a clause: not all of them.
        let mut needed: FxHashSet<Lit> = self.sat.unsat_core().iter().map(|lit| !*lit).collect();
        let literal = |term: &Term| self.literals.get(term).copied().flatten();
        let mut is_needed = |term| literal(term).is_some_and(|literal| needed.remove(&literal));
        (0..assumed.len()).filter(|position| is_needed(&assumed[*position])).collect()
    }

    /// The literal of a term, whose gates become known from the bottom up.
    fn literal(&mut self, term: Term) -> Option<Lit> {
        if let Some(known) = self.literals.get(&term) {
            return *known;
        }
        let mut open = vec![(term, 0)];
        while let Some((term, visited)) = open.last_mut() {
            let term = *term;
            if let Some(arg) = term.args().get(*visited) {
                *visited += 1;
                if !self.literals.contains_key(arg) {
                    open.push((*arg, 0));
                }
            } else {
                let literal = self.gate(term);
                self.literals.insert(term, literal);
                open.pop();
            }
        }
        self.literals[&term]
    }

    /// The gate of a term whose arguments have theirs.
    fn gate(&mut self, term: Term) -> Option<Lit> {
        let args: Option<Vec<Lit>> = term.args().iter().map(|arg| self.literals[arg]).collect();
        let args = args?;
        match (term.op(), &args[..]) {
            (Op::Var(var), _) if var.sort() == Sort::Bool => {
                Some(Lit::new(self.sat.new_var_default(), true))
            }
            (Op::Lit(Value::Bool(value)), _) => Some(self.constant(*value)),
            (Op::Not, [arg]) => Some(!*arg),
            (Op::And, _) => Some(self.and(&args)),
            (Op::Or, _) => {
                let negated: Vec<Lit> = args.iter().map(|arg| !*arg).collect();
                Some(!self.and(&negated))
            }
            (Op::Eq, [left, right]) => Some(self.choice(*left, *right, !*right)),
            (Op::Ite, [condition, then, other]) => Some(self.choice(*condition, *then, *other)),
            _ => None,
        }
    }

    /// A gate follows from what goes into it: decisions about variables are enough, and better if queries are small.
    fn fresh(&mut self) -> Lit {
        Lit::new(self.sat.new_var(lbool::UNDEF, self.decides || self.decides_all), true)
    }

    fn clause(&mut self, literals: impl IntoIterator<Item = Lit>) {
        self.sat.add_clause_reuse(&mut literals.into_iter().collect());
    }

    fn constant(&mut self, value: bool) -> Lit {
        let literal = self.fresh();
        self.clause([if value { literal } else { !literal }]);
        literal
    }

    fn and(&mut self, args: &[Lit]) -> Lit {
        let gate = self.fresh();
        args.iter().for_each(|arg| self.clause([!gate, *arg]));
        self.clause(args.iter().map(|arg| !*arg).chain([gate]));
        gate
    }

    /// `condition ? then : other`.
    fn choice(&mut self, condition: Lit, then: Lit, other: Lit) -> Lit {
        let gate = self.fresh();
        for (premise, value) in [(!condition, then), (condition, other)] {
            self.clause([premise, !value, gate]);
            self.clause([premise, value, !gate]);
        }
        gate
    }
}
