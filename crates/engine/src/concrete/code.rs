//! Automata as code for a machine whose registers are words.
//!
//! Variables and constants have registers of their own, arrays have cells. Each edge becomes a list of instructions
//! that either runs through or fails at an assumption. What words do not hold becomes [`Instr::Stop`]: a run that gets
//! there ends, and the rest of the automaton can be run nevertheless.

use lapidary_expr::{Op, Sort, Term, Value, Var, WordOp};
use lapidary_model::{Cfa, EdgeId, Loc, Stmt};
use rustc_hash::FxHashMap;

/// A register.
pub(super) type Reg = u32;
/// The cells of an array variable.
pub(super) type Cells = u32;

/// Larger terms are not compiled, as that goes by recursion.
const LARGEST: u32 = 2_000;

/// An instruction.
#[derive(Clone, Copy, Debug)]
pub(super) enum Instr {
    Unary {
        op: WordOp,
        to: Reg,
        x: Reg,
    },
    Binary {
        op: WordOp,
        to: Reg,
        x: Reg,
        y: Reg,
    },
    Ite {
        to: Reg,
        condition: Reg,
        then: Reg,
        otherwise: Reg,
    },
    Select {
        to: Reg,
        array: Cells,
        index: Reg,
    },
    Assume(Reg),
    Move {
        to: Reg,
        from: Reg,
    },
    Store {
        array: Cells,
        index: Reg,
        element: Reg,
    },
    Copy {
        to: Cells,
        from: Cells,
    },
    Fill {
        array: Cells,
        element: Reg,
    },
    /// Any value for a register that is a variable's.
    Draw(Reg),
    /// Any element everywhere.
    DrawArray(Cells),
    /// Nothing that words could do.
    Stop,
}

impl Instr {
    /// Whether it leaves a trace: before the first of these an edge can be tried without harm.
    pub(super) fn is_effect(self) -> bool {
        !matches!(
            self,
            Instr::Unary { .. }
                | Instr::Binary { .. }
                | Instr::Ite { .. }
                | Instr::Select { .. }
                | Instr::Assume(_)
        )
    }
}

/// An edge in code.
#[derive(Clone, Debug)]
pub(super) struct EdgeCode {
    pub(super) id: EdgeId,
    pub(super) target: Loc,
    pub(super) instrs: Vec<Instr>,
    /// The instructions before the first effect.
    pub(super) guard: usize,
    /// Whether it draws values, so that taking it again may end differently.
    pub(super) draws: bool,
}

/// What can be done at a location.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    pub(super) edges: Vec<EdgeCode>,
    /// At most one edge can be taken, as they say the opposite of each other.
    pub(super) is_exclusive: bool,
}

/// An automaton in code.
#[derive(Clone, Debug)]
pub(super) struct Code {
    /// By location; those from which the graph has no way to the error have no edges.
    pub(super) places: Vec<Place>,
    /// The variables of the first registers.
    pub(super) scalars: Vec<Var>,
    /// The variables of cells.
    pub(super) arrays: Vec<Var>,
    /// The registers at the start: zeros, and constants.
    pub(super) registers: Vec<i64>,
    /// The constants by sort: values that the automaton speaks of are worth trying.
    pub(super) constants: Vec<(Sort, i64)>,
}

/// Whether words hold values of a sort.
fn is_word(sort: Sort) -> bool {
    matches!(sort, Sort::Bool | Sort::Int | Sort::Bv(..=64))
}

impl Code {
    /// The code of an automaton.
    pub(super) fn new(cfa: &Cfa) -> Code {
        let mut compiler = Compiler::new(cfa);
        let leads: Vec<bool> = cfa.distances_to_error().iter().map(Option::is_some).collect();
        let places = cfa.locs().map(|loc| {
            let edges =
                cfa.outgoing(loc).iter().filter(|id| leads[cfa.edge(**id).target.0 as usize]);
            let edges: Vec<EdgeId> = match leads[loc.0 as usize] && Some(loc) != cfa.error() {
                true => edges.copied().collect(),
                false => Vec::new(),
            };
            let is_exclusive = match &edges[..] {
                [left, right] => {
                    let [left, right] = [left, right].map(|id| first_guard(&cfa.edge(*id).stmt));
                    left.zip(right).is_some_and(|(left, right)| left.not() == right)
                }
                edges => edges.len() < 2,
            };
            let edges = edges.into_iter().map(|id| compiler.edge(cfa, id)).collect();
            Place { edges, is_exclusive }
        });
        let places = places.collect();
        let Compiler { scalars, arrays, registers, mut constants, .. } = compiler;
        constants.sort_unstable_by_key(|(sort, word)| (sort.to_string(), *word));
        constants.dedup();
        Code { places, scalars, arrays, registers, constants }
    }
}

/// The assumption with which a statement begins.
fn first_guard(stmt: &Stmt) -> Option<Term> {
    match stmt {
        Stmt::Assume(term) => Some(*term),
        Stmt::Seq(parts) => first_guard(parts.first()?),
        _ => None,
    }
}

/// Something that words do not hold.
struct NotInWords;

struct Compiler {
    scalars: Vec<Var>,
    arrays: Vec<Var>,
    register_of: FxHashMap<Var, Reg>,
    cells_of: FxHashMap<Var, Cells>,
    constant_of: FxHashMap<i64, Reg>,
    constants: Vec<(Sort, i64)>,
    registers: Vec<i64>,
    instrs: Vec<Instr>,
    /// The registers of terms, until a variable changes.
    done: FxHashMap<Term, Reg>,
}

impl Compiler {
    fn new(cfa: &Cfa) -> Self {
        let is_scalar = |var: &Var| is_word(var.sort());
        let is_array = |var: &Var| match var.sort() {
            Sort::Array(sort) => is_word(sort.index()) && is_word(sort.element()),
            _ => false,
        };
        let scalars: Vec<Var> = cfa.vars().iter().copied().filter(is_scalar).collect();
        let arrays: Vec<Var> = cfa.vars().iter().copied().filter(is_array).collect();
        let number = |vars: &[Var]| vars.iter().zip(0..).map(|(var, i)| (*var, i)).collect();
        Compiler {
            register_of: number(&scalars),
            cells_of: number(&arrays),
            registers: vec![0; scalars.len()],
            scalars,
            arrays,
            constant_of: FxHashMap::default(),
            constants: Vec::new(),
            instrs: Vec::new(),
            done: FxHashMap::default(),
        }
    }

    fn edge(&mut self, cfa: &Cfa, id: EdgeId) -> EdgeCode {
        let edge = cfa.edge(id);
        self.done.clear();
        if let Err(NotInWords) = self.stmt(&edge.stmt) {
            self.instrs.push(Instr::Stop);
        }
        let instrs = std::mem::take(&mut self.instrs);
        let guard = instrs.iter().position(|instr| instr.is_effect()).unwrap_or(instrs.len());
        let is_draw = |instr: &Instr| matches!(instr, Instr::Draw(_) | Instr::DrawArray(_));
        let draws = instrs.iter().any(is_draw);
        EdgeCode { id, target: edge.target, instrs, guard, draws }
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<(), NotInWords> {
        match stmt {
            Stmt::Assume(term) => {
                let condition = self.term(*term)?;
                self.instrs.push(Instr::Assume(condition));
            }
            Stmt::Assign(assignments) => self.assign(assignments)?,
            Stmt::Havoc(vars) => {
                for var in vars {
                    let draw = match (self.register_of.get(var), self.cells_of.get(var)) {
                        (Some(register), _) => Instr::Draw(*register),
                        (_, Some(cells)) => Instr::DrawArray(*cells),
                        _ => return Err(NotInWords),
                    };
                    self.instrs.push(draw);
                }
                self.done.clear();
            }
            Stmt::Seq(parts) => {
                for part in parts {
                    self.stmt(part)?;
                }
            }
            Stmt::Choice(_) | Stmt::Relation { .. } => return Err(NotInWords),
        }
        Ok(())
    }

    /// All right sides are evaluated before the first variable changes.
    fn assign(&mut self, assignments: &[(Var, Term)]) -> Result<(), NotInWords> {
        let mut effects = Vec::new();
        for (var, term) in assignments {
            match (self.register_of.get(var).copied(), self.cells_of.get(var).copied()) {
                (Some(to), _) => effects.push(Instr::Move { to, from: self.term(*term)? }),
                (_, Some(to)) => {
                    // The order in which arrays change must not matter.
                    let others = assignments.iter().map(|(other, _)| other);
                    let mut arrays = others.filter(|other| self.cells_of.contains_key(*other));
                    let reads = |other: &Var| other != var && term.mentions(*other);
                    if arrays.any(reads) {
                        return Err(NotInWords);
                    }
                    self.array(to, *term, &mut effects)?;
                }
                _ => return Err(NotInWords),
            }
        }
        // Moves between variables' registers must not see each other.
        let targets: Vec<Reg> = effects.iter().filter_map(target).collect();
        for effect in &mut effects {
            if let Instr::Move { from, .. } = effect
                && targets.len() > 1
                && (*from as usize) < self.scalars.len()
            {
                let copy = self.register();
                self.instrs.push(Instr::Move { to: copy, from: *from });
                *from = copy;
            }
        }
        // Arrays first: their indices and elements may be in variables' registers.
        effects.sort_by_key(|effect| target(effect).is_some());
        self.instrs.append(&mut effects);
        self.done.clear();
        Ok(())
    }

    /// What makes the cells those of an array term.
    fn array(&mut self, to: Cells, term: Term, effects: &mut Vec<Instr>) -> Result<(), NotInWords> {
        match (term.op(), term.args()) {
            (Op::Var(var), _) => {
                let from = *self.cells_of.get(var).ok_or(NotInWords)?;
                if from != to {
                    effects.push(Instr::Copy { to, from });
                }
            }
            (Op::Store, [array, index, element]) => {
                self.array(to, *array, effects)?;
                let (index, element) = (self.term(*index)?, self.term(*element)?);
                effects.push(Instr::Store { array: to, index, element });
            }
            (Op::ConstArray(_), [element]) => {
                let element = self.term(*element)?;
                effects.push(Instr::Fill { array: to, element });
            }
            _ => return Err(NotInWords),
        }
        Ok(())
    }

    /// The register of a new intermediate value.
    fn register(&mut self) -> Reg {
        self.registers.push(0);
        self.registers.len() as Reg - 1
    }

    fn constant(&mut self, value: &Value) -> Result<Reg, NotInWords> {
        let word = value.pack().ok_or(NotInWords)?;
        self.constants.push((value.sort(), word));
        if let Some(register) = self.constant_of.get(&word) {
            return Ok(*register);
        }
        let register = self.register();
        self.registers[register as usize] = word;
        self.constant_of.insert(word, register);
        Ok(register)
    }

    /// The register in which the value of a term will be.
    fn term(&mut self, term: Term) -> Result<Reg, NotInWords> {
        if term.size() > LARGEST {
            return Err(NotInWords);
        }
        if let Some(register) = self.done.get(&term) {
            return Ok(*register);
        }
        let register = match (term.op(), term.args()) {
            (Op::Lit(value), _) => self.constant(value)?,
            (Op::Var(var), _) => *self.register_of.get(var).ok_or(NotInWords)?,
            (Op::Select, [array, index]) => self.select(*array, *index)?,
            (Op::Ite, [condition, then, otherwise]) if is_word(term.sort()) => {
                let [condition, then, otherwise] =
                    [self.term(*condition)?, self.term(*then)?, self.term(*otherwise)?];
                let to = self.register();
                self.instrs.push(Instr::Ite { to, condition, then, otherwise });
                to
            }
            (op, args) => self.operation(WordOp::new(op, args).ok_or(NotInWords)?, args)?,
        };
        self.done.insert(term, register);
        Ok(register)
    }

    fn operation(&mut self, op: WordOp, args: &[Term]) -> Result<Reg, NotInWords> {
        let [first, rest @ ..] = args else { return Err(NotInWords) };
        let mut x = self.term(*first)?;
        if rest.is_empty() {
            let to = self.register();
            self.instrs.push(Instr::Unary { op, to, x });
            return Ok(to);
        }
        for arg in rest {
            let y = self.term(*arg)?;
            let to = self.register();
            self.instrs.push(Instr::Binary { op, to, x, y });
            x = to;
        }
        Ok(x)
    }

    /// An element of a variable, or of a variable with a few elements replaced.
    fn select(&mut self, array: Term, index: Term) -> Result<Reg, NotInWords> {
        let at = self.term(index)?;
        match (array.op(), array.args()) {
            (Op::Var(var), _) => {
                let array = *self.cells_of.get(var).ok_or(NotInWords)?;
                let to = self.register();
                self.instrs.push(Instr::Select { to, array, index: at });
                Ok(to)
            }
            (Op::Store, [rest, other, element]) => {
                let (other, then) = (self.term(*other)?, self.term(*element)?);
                let otherwise = self.select(*rest, index)?;
                let (condition, to) = (self.register(), self.register());
                self.instrs.push(Instr::Binary { op: WordOp::Eq, to: condition, x: at, y: other });
                self.instrs.push(Instr::Ite { to, condition, then, otherwise });
                Ok(to)
            }
            (Op::ConstArray(_), [element]) => self.term(*element),
            _ => Err(NotInWords),
        }
    }
}

/// The variable's register that an effect changes.
fn target(effect: &Instr) -> Option<Reg> {
    match effect {
        Instr::Move { to, .. } => Some(*to),
        _ => None,
    }
}
