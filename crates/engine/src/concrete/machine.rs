//! The machine that runs the code of an automaton.

use std::collections::BTreeMap;

use lapidary_expr::{Beyond, Sort, Valuation, Value};
use lapidary_model::{Decision, Execution, Loc, Step};
use lapidary_solver::Result;
use lapidary_solver::limits::Watch;
use rustc_hash::FxHashMap;

use super::code::{Code, EdgeCode, Instr, Place, Reg};
use super::draw::Draw;

/// How often values are drawn anew where a run ends soon after they were.
const TRIES: u32 = 24;
/// And how soon that is, in steps.
const SOON: u64 = 2_000;
/// Elements at smaller indices are kept in a row.
const DENSE: u64 = 1 << 20;

/// Drawing a value counts as so many instructions.
const DRAWING: u64 = 8;

/// After so many steps the limits are looked at.
const LOOK: u64 = 1 << 20;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// At the error.
    Error,
    /// Where nothing leads to the error any more.
    Dead,
    /// At something that words do not hold.
    Beyond,
    /// After as many steps as it had.
    Cut,
}

/// Why an edge cannot be taken.
enum Fails {
    Assumption,
    Beyond,
}

impl From<Beyond> for Fails {
    fn from(_: Beyond) -> Self {
        Fails::Beyond
    }
}

/// An array.
#[derive(Clone, Debug, Default)]
struct Elements {
    default: i64,
    dense: Vec<i64>,
    sparse: FxHashMap<i64, i64>,
}

impl Elements {
    fn get(&self, index: i64) -> i64 {
        match self.dense.get(index.cast_unsigned() as usize) {
            Some(element) => *element,
            None => self.sparse.get(&index).copied().unwrap_or(self.default),
        }
    }

    fn set(&mut self, index: i64, element: i64) {
        let at = index.cast_unsigned();
        if at >= DENSE {
            self.sparse.insert(index, element);
            return;
        }
        if at as usize >= self.dense.len() {
            self.dense.resize(at as usize + 1, self.default);
        }
        self.dense[at as usize] = element;
    }

    fn fill(&mut self, default: i64) {
        self.dense.clear();
        self.sparse.clear();
        self.default = default;
    }
}

/// A machine with the code of an automaton.
pub(super) struct Machine {
    code: Code,
    registers: Vec<i64>,
    arrays: Vec<Elements>,
    pub(super) draw: Draw,
    /// What values were drawn from at the start of the last run, so that it can be run again.
    begin: Draw,
    /// The instructions that were run, and after how many a run is cut: the steps of a circuit have thousands.
    pub(super) executed: u64,
    pub(super) most: u64,
    /// Where values were drawn last.
    choice: Option<Choice>,
    /// How the arrays were then, as far as they have changed since.
    undo: Vec<Undo>,
    /// The decisions of the step under way, if the run is recorded.
    tape: Option<Vec<Decision>>,
}

/// A point of a run at which values are drawn.
struct Choice {
    loc: Loc,
    step: u64,
    variables: Vec<i64>,
    tries: u32,
}

/// What brings an array back to what it was.
enum Undo {
    Element { array: u32, index: i64, element: i64 },
    All { array: u32, elements: Elements },
}

impl Machine {
    pub(super) fn new(code: Code) -> Self {
        Machine {
            registers: code.registers.clone(),
            arrays: vec![Elements::default(); code.arrays.len()],
            draw: Draw::new(&code.constants),
            begin: Draw::new(&code.constants),
            executed: 0,
            most: u64::MAX,
            choice: None,
            undo: Vec::new(),
            tape: None,
            code,
        }
    }

    /// Runs from the first location to the second; how it ended, and after how many steps.
    pub(super) fn run(
        &mut self,
        seed: u64,
        (entry, error): (Loc, Loc),
        most: u64,
        watch: &Watch,
    ) -> Result<(End, u64)> {
        self.draw.seed(seed);
        self.begin.clone_from(&self.draw);
        self.start();
        let (mut loc, mut step) = (entry, 0);
        for work in 0..most {
            match self.step(loc, step) {
                Ok(edge) => {
                    loc = self.code.places[loc.0 as usize].edges[edge].target;
                    step += 1;
                }
                Err(end) => match self.back(end, step) {
                    Some(choice) => (loc, step) = choice,
                    None => return Ok((end, step)),
                },
            }
            if loc == error {
                return Ok((End::Error, step));
            }
            if work % LOOK == 0 {
                watch.check()?;
            }
            if self.executed >= self.most {
                break;
            }
        }
        Ok((End::Cut, step))
    }

    /// The execution of the last run, which reached the error.
    pub(super) fn record(&mut self, (entry, error): (Loc, Loc)) -> Option<Execution> {
        self.draw.clone_from(&self.begin);
        self.start();
        let start = self.state();
        let mut steps: Vec<Step> = Vec::new();
        let mut loc = entry;
        while loc != error {
            self.tape = Some(Vec::new());
            let taken = self.step(loc, steps.len() as u64);
            let tape = self.tape.take().unwrap_or_default();
            match taken {
                Ok(edge) => {
                    let edge = &self.code.places[loc.0 as usize].edges[edge];
                    steps.push(Step { edge: edge.id, tape });
                    loc = edge.target;
                }
                Err(end) => {
                    let (choice, length) = self.back(end, steps.len() as u64)?;
                    steps.truncate(length as usize);
                    loc = choice;
                }
            }
        }
        Some(Execution { start, steps })
    }

    /// Goes back to where values were drawn last, if that was a short while ago.
    fn back(&mut self, end: End, step: u64) -> Option<(Loc, u64)> {
        let choice = self.choice.as_mut()?;
        if end != End::Dead || choice.tries == 0 || step > choice.step + SOON {
            return None;
        }
        choice.tries -= 1;
        self.registers[..choice.variables.len()].copy_from_slice(&choice.variables);
        while let Some(undo) = self.undo.pop() {
            match undo {
                Undo::Element { array, index, element } => {
                    self.arrays[array as usize].set(index, element);
                }
                Undo::All { array, elements } => self.arrays[array as usize] = elements,
            }
        }
        Some((choice.loc, choice.step))
    }

    /// Remembers the point before an edge that draws.
    fn choose(&mut self, loc: Loc, step: u64) {
        let variables = &self.registers[..self.code.scalars.len()];
        match &mut self.choice {
            Some(choice) if choice.step == step && choice.loc == loc => {
                // Once more.
                self.draw.forget_fresh();
                return;
            }
            Some(choice) => {
                self.draw.keep_good();
                choice.variables.copy_from_slice(variables);
                (choice.loc, choice.step, choice.tries) = (loc, step, TRIES);
            }
            None => {
                self.choice =
                    Some(Choice { loc, step, variables: variables.to_vec(), tries: TRIES });
            }
        }
        self.undo.clear();
    }

    /// Any values at the entry.
    fn start(&mut self) {
        self.choice = None;
        self.undo.clear();
        self.executed += DRAWING * self.code.scalars.len() as u64;
        let drawn = self.draw.drawn;
        for (i, var) in self.code.scalars.iter().enumerate() {
            self.registers[i] = self.draw.value(var.sort());
        }
        self.arrays.iter_mut().for_each(|array| array.fill(0));
        // What is drawn here is mostly written before it is read.
        self.draw.drawn = drawn;
    }

    /// The values now, of all variables that words hold.
    fn state(&self) -> Valuation {
        let scalars = self.code.scalars.iter().zip(&self.registers);
        let scalars = scalars.map(|(var, word)| (*var, Value::unpack(var.sort(), *word)));
        let arrays = self.code.arrays.iter().map(|var| (*var, Value::default_of(var.sort())));
        scalars.chain(arrays).collect()
    }

    /// Takes an edge; its number at the location.
    fn step(&mut self, loc: Loc, step: u64) -> std::result::Result<usize, End> {
        let code = std::mem::take(&mut self.code.places[loc.0 as usize]);
        let taken = match code.is_exclusive {
            true => self.first(&code, (loc, step)),
            false => self.any(&code, (loc, step)),
        };
        self.code.places[loc.0 as usize] = code;
        taken
    }

    /// Takes the first edge that can be taken.
    fn first(&mut self, place: &Place, at: (Loc, u64)) -> std::result::Result<usize, End> {
        for (i, edge) in place.edges.iter().enumerate() {
            match self.exec(&edge.instrs[..edge.guard]) {
                Ok(()) => return self.rest(edge, at).map(|()| i),
                Err(Fails::Assumption) => {}
                Err(Fails::Beyond) => return Err(End::Beyond),
            }
        }
        Err(End::Dead)
    }

    /// Takes any edge of those that can be taken.
    fn any(&mut self, place: &Place, at: (Loc, u64)) -> std::result::Result<usize, End> {
        let mut possible = Vec::with_capacity(place.edges.len());
        for (i, edge) in place.edges.iter().enumerate() {
            match self.exec(&edge.instrs[..edge.guard]) {
                Ok(()) => possible.push(i),
                Err(Fails::Assumption) => {}
                Err(Fails::Beyond) => return Err(End::Beyond),
            }
        }
        let chosen = match &possible[..] {
            [] => return Err(End::Dead),
            [only] => *only,
            several => several[self.draw.below(several.len())],
        };
        let edge = &place.edges[chosen];
        if possible.len() > 1 {
            // Intermediate values of another edge may be those of this one.
            self.exec(&edge.instrs[..edge.guard]).map_err(|_| End::Beyond)?;
        }
        self.rest(edge, at).map(|()| chosen)
    }

    /// Runs an edge from its first effect on.
    fn rest(&mut self, edge: &EdgeCode, (loc, step): (Loc, u64)) -> std::result::Result<(), End> {
        if edge.draws {
            self.choose(loc, step);
        }
        self.exec(&edge.instrs[edge.guard..]).map_err(|fails| match fails {
            Fails::Assumption => End::Dead,
            Fails::Beyond => End::Beyond,
        })
    }

    fn exec(&mut self, instrs: &[Instr]) -> std::result::Result<(), Fails> {
        self.executed += 1 + instrs.len() as u64;
        for instr in instrs {
            let value = |reg: Reg| self.registers[reg as usize];
            match *instr {
                Instr::Unary { op, to, x } => self.registers[to as usize] = op.unary(value(x))?,
                Instr::Binary { op, to, x, y } => {
                    self.registers[to as usize] = op.binary(value(x), value(y))?;
                }
                Instr::Ite { to, condition, then, otherwise } => {
                    let chosen = if value(condition) != 0 { then } else { otherwise };
                    self.registers[to as usize] = value(chosen);
                }
                Instr::Select { to, array, index } => {
                    self.registers[to as usize] = self.arrays[array as usize].get(value(index));
                }
                Instr::Assume(condition) if value(condition) == 0 => return Err(Fails::Assumption),
                Instr::Assume(_) => {}
                Instr::Move { to, from } => self.registers[to as usize] = value(from),
                Instr::Store { array, index, element } => {
                    let (index, element) = (value(index), value(element));
                    let old = self.arrays[array as usize].get(index);
                    if self.choice.is_some() {
                        self.undo.push(Undo::Element { array, index, element: old });
                        self.forget_if_long_ago();
                    }
                    self.arrays[array as usize].set(index, element);
                }
                Instr::Copy { to, from } => {
                    self.keep(to);
                    self.arrays[to as usize] = self.arrays[from as usize].clone();
                }
                Instr::Fill { array, element } => {
                    let element = value(element);
                    self.keep(array);
                    self.arrays[array as usize].fill(element);
                }
                Instr::Draw(to) => self.draw_word(to),
                Instr::DrawArray(array) => {
                    self.keep(array);
                    self.draw_array(array as usize);
                }
                Instr::Stop => return Err(Fails::Beyond),
            }
        }
        Ok(())
    }

    /// After so many changes nobody goes back.
    fn forget_if_long_ago(&mut self) {
        if self.undo.len() as u64 > 8 * SOON {
            self.choice = None;
            self.undo.clear();
        }
    }

    /// An array is about to change as a whole.
    fn keep(&mut self, array: u32) {
        if self.choice.is_some() {
            let elements = std::mem::take(&mut self.arrays[array as usize]);
            self.undo.push(Undo::All { array, elements });
        }
    }

    fn draw_word(&mut self, to: Reg) {
        self.executed += DRAWING;
        let sort = self.code.scalars[to as usize].sort();
        let word = self.draw.value_for(to, sort);
        self.registers[to as usize] = word;
        if let Some(tape) = &mut self.tape {
            tape.push(Decision::Value(Value::unpack(sort, word)));
        }
    }

    /// One element everywhere.
    fn draw_array(&mut self, array: usize) {
        let Sort::Array(sort) = self.code.arrays[array].sort() else { return };
        let word = self.draw.value(sort.element());
        self.arrays[array].fill(word);
        if let Some(tape) = &mut self.tape {
            let element = Value::unpack(sort.element(), word);
            tape.push(Decision::Value(Value::array(sort, element, BTreeMap::new())));
        }
    }
}
