//! Random clauses against all assignments: answers, models, cores, with assumptions and temporary clauses.

use std::rc::Rc;

use lapidary_sat::{Cones, Lit, Meter, Solver, Stopped, Unlimited, Var};

/// A generator of numbers (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn literal(&mut self, n_vars: usize) -> Lit {
        Lit::new(self.below(n_vars) as Var, self.below(2) == 0)
    }

    fn literals(&mut self, n_vars: usize, most: usize) -> Vec<Lit> {
        (0..=self.below(most)).map(|_| self.literal(n_vars)).collect()
    }
}

fn holds(lit: Lit, assignment: u32) -> bool {
    (assignment >> lit.var() & 1 == 1) == lit.is_positive()
}

fn satisfies(clause: &[Lit], assignment: u32) -> bool {
    clause.iter().any(|lit| holds(*lit, assignment))
}

fn is_sat(n_vars: usize, clauses: &[Vec<Lit>], assumed: &[Lit]) -> bool {
    (0..1_u32 << n_vars).any(|assignment| {
        assumed.iter().all(|lit| holds(*lit, assignment))
            && clauses.iter().all(|clause| satisfies(clause, assignment))
    })
}

/// Checks one query, and whether it was answered with yes.
fn query(
    solver: &mut Solver,
    n_vars: usize,
    clauses: &mut Vec<Vec<Lit>>,
    assumed: &[Lit],
    temporary: &[Lit],
) -> bool {
    let n_clauses = clauses.len();
    if !temporary.is_empty() {
        clauses.push(temporary.to_vec());
    }
    let answer = solver.solve(assumed, temporary, &mut Unlimited).expect("no limits");
    assert_eq!(answer, is_sat(n_vars, clauses, assumed), "{clauses:?} {assumed:?}");
    if answer {
        let value = |lit: Lit| solver.value(lit).expect("all variables are in the domain");
        assert!(assumed.iter().all(|lit| value(*lit)));
        assert!(clauses.iter().all(|clause| clause.iter().any(|lit| value(*lit))));
    } else {
        let core = solver.core().to_vec();
        assert!(core.iter().all(|lit| assumed.contains(lit)), "{core:?} of {assumed:?}");
        assert!(!is_sat(n_vars, clauses, &core), "{core:?} is no core of {clauses:?}");
    }
    clauses.truncate(n_clauses);
    answer
}

#[test]
fn answers_are_those_of_all_assignments() {
    let mut random = Random(1);
    let mut answers = [0, 0];
    for _ in 0..400 {
        let n_vars = 3 + random.below(8);
        let mut solver = Solver::new();
        (0..n_vars).for_each(|_| {
            solver.new_var();
        });
        let mut clauses: Vec<Vec<Lit>> = Vec::new();
        for _ in 0..random.below(4 * n_vars) + n_vars {
            let clause = random.literals(n_vars, 4);
            solver.add_clause(&clause);
            clauses.push(clause);
            let assumed = random.literals(n_vars, 4);
            let temporary =
                if random.below(2) == 0 { random.literals(n_vars, 5) } else { Vec::new() };
            let answer = query(&mut solver, n_vars, &mut clauses, &assumed, &temporary);
            answers[usize::from(answer)] += 1;
            query(&mut solver, n_vars, &mut clauses, &[], &[]);
        }
    }
    assert!(answers.iter().all(|n| *n > 1000), "both answers are tested: {answers:?}");
}

/// Hard enough for restarts and for deleting clauses: pigeons.
#[test]
fn pigeons_do_not_fit() {
    for (pigeons, holes) in [(7, 6), (7, 7)] {
        let mut solver = Solver::new();
        (0..pigeons * holes).for_each(|_| {
            solver.new_var();
        });
        let at = |pigeon: u32, hole: u32| Lit::positive(pigeon * holes + hole);
        for pigeon in 0..pigeons {
            solver.add_clause(&(0..holes).map(|hole| at(pigeon, hole)).collect::<Vec<_>>());
            for (hole, other) in (0..holes).flat_map(|hole| (0..pigeon).map(move |o| (hole, o))) {
                solver.add_clause(&[!at(pigeon, hole), !at(other, hole)]);
            }
        }
        assert_eq!(solver.solve(&[], &[], &mut Unlimited), Ok(pigeons <= holes));
    }
}

/// And-gates over leaves, clauses over leaves: queries are kept to cones.
#[test]
fn domains_do_not_change_answers() {
    let mut random = Random(2);
    let mut answers = [0, 0];
    for _ in 0..300 {
        let (n_leaves, n_gates) = (3 + random.below(3), 3 + random.below(5));
        let n_vars = n_leaves + n_gates;
        let (mut solver, mut cones) = (Solver::new(), Cones::new());
        let mut clauses: Vec<Vec<Lit>> = Vec::new();
        for var in 0..n_vars {
            let gate = Lit::positive(solver.new_var());
            if var < n_leaves {
                cones.add([]);
                continue;
            }
            let inputs = [random.literal(var), random.literal(var)];
            cones.add(inputs.map(Lit::var));
            clauses.extend(inputs.map(|input| vec![!gate, input]));
            clauses.push(vec![gate, !inputs[0], !inputs[1]]);
        }
        clauses.iter().for_each(|clause| {
            solver.add_clause(clause);
        });
        solver.keep_to(Rc::new(cones));
        for _ in 0..20 {
            if random.below(3) == 0 {
                let lemma = random.literals(n_leaves, 3);
                solver.add_clause(&lemma);
                lemma.iter().for_each(|lit| solver.include(lit.var()));
                clauses.push(lemma);
            }
            let assumed = random.literals(n_vars, 3);
            let temporary = random.literals(n_leaves, 3);
            let mut all = clauses.clone();
            all.push(temporary.clone());
            let answer = solver.solve(&assumed, &temporary, &mut Unlimited).expect("no limits");
            assert_eq!(answer, is_sat(n_vars, &all, &assumed), "{all:?} {assumed:?}");
            if answer {
                // What the model says extends to a model of everything.
                let vars = (0..n_vars).map(|var| Lit::positive(var as Var));
                let known: Vec<Lit> =
                    vars.filter_map(|lit| Some(lit.negated_if(!solver.value(lit)?))).collect();
                assert!(is_sat(n_vars, &all, &known), "{known:?} of {all:?}");
            } else {
                assert!(!is_sat(n_vars, &all, solver.core()));
            }
            answers[usize::from(answer)] += 1;
        }
    }
    assert!(answers.iter().all(|n| *n > 500), "both answers are tested: {answers:?}");
}

/// Allows so much work.
struct Budget(u64);

impl Meter for Budget {
    fn spend(&mut self, work: u64) -> bool {
        self.0 = self.0.saturating_sub(work);
        self.0 > 0
    }
}

#[test]
fn budgets_end_queries() {
    let mut solver = Solver::new();
    let (pigeons, holes) = (9, 8);
    (0..pigeons * holes).for_each(|_| {
        solver.new_var();
    });
    let at = |pigeon: u32, hole: u32| Lit::positive(pigeon * holes + hole);
    for pigeon in 0..pigeons {
        solver.add_clause(&(0..holes).map(|hole| at(pigeon, hole)).collect::<Vec<_>>());
        for (hole, other) in (0..holes).flat_map(|hole| (0..pigeon).map(move |o| (hole, o))) {
            solver.add_clause(&[!at(pigeon, hole), !at(other, hole)]);
        }
    }
    assert_eq!(solver.solve(&[], &[], &mut Budget(20_000)), Err(Stopped));
    assert_eq!(solver.solve(&[at(0, 0), at(1, 0)], &[], &mut Unlimited), Ok(false));
    assert_eq!(solver.core().len(), 2);
}
