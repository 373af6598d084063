//! Random programs with pointers, all of whose executions are tried: each pointer only ever has targets of its set.
//!
//! A program is a list of statements. Some stand in an `if` of their own whose condition is any value, so each subset of
//! these is an execution.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use lapidary_oracle::Random;

use super::{Key, Target, points_to};
use crate::c::flat::ObjectId;
use crate::c::flatten;
use crate::c::flatten::conventions::Conventions;
use crate::c::parse::{self, lexer};
use crate::c::types::{DataModel, Types};
use crate::source::SourceFile;

const DECLARATIONS: &str = "int __VERIFIER_nondet_int(void); void reach_error(void);
struct s { int *m; int *n; };
int a, b, c; int *p, *q, *e[2]; struct s s, t; int **x, **y; struct s *z;
int main(void) { int i = __VERIFIER_nondet_int() & 1;
p = p; q = q; e[0] = e[0]; s = s; t = t; x = x; y = y; z = z;\n";

/// The cells with an address of a number, as C names them. An index that is computed is 0 or 1.
const POINTERS: [&str; 8] = ["p", "q", "e[0]", "e[1]", "s.m", "s.n", "t.m", "t.n"];
const NUMBERS: [&str; 3] = ["a", "b", "c"];

#[derive(Clone, Copy, Debug)]
enum Place {
    Named(usize),
    /// `e[i]`
    Element,
    /// `*x` or `*y`
    Through(usize),
    /// `z->m` or `z->n`
    Member(usize),
}

#[derive(Clone, Copy, Debug)]
enum Statement {
    /// A place gets the address of a number, or null.
    Address(Place, Option<usize>),
    Copy(Place, Place),
    /// `x` or `y` gets the address of a cell.
    Aim(usize, usize),
    /// `x = y` or `y = x`
    Same(usize),
    /// `s = t` or `t = s`
    Struct(usize),
    /// `z = &s` or `z = &t`
    Record(usize),
}

fn place(random: &mut Random) -> Place {
    match random.below(6) {
        0 => Place::Element,
        1 => Place::Through(random.below(2)),
        2 => Place::Member(random.below(2)),
        _ => Place::Named(random.below(POINTERS.len())),
    }
}

fn statement(random: &mut Random) -> Statement {
    match random.below(8) {
        0 | 1 => {
            let to = Some(random.below(NUMBERS.len())).filter(|_| random.chance(90));
            Statement::Address(place(random), to)
        }
        2 | 3 => Statement::Copy(place(random), place(random)),
        4 => Statement::Aim(random.below(2), random.below(POINTERS.len())),
        5 => Statement::Same(random.below(2)),
        6 => Statement::Struct(random.below(2)),
        _ => Statement::Record(random.below(2)),
    }
}

fn name(place: Place) -> String {
    match place {
        Place::Named(cell) => POINTERS[cell].into(),
        Place::Element => "e[i]".into(),
        Place::Through(i) => format!("*{}", ["x", "y"][i]),
        Place::Member(i) => format!("z->{}", ["m", "n"][i]),
    }
}

fn text(statement: Statement) -> String {
    let [xy, st] = [["x", "y"], ["s", "t"]];
    match statement {
        Statement::Address(to, None) => format!("{} = 0;", name(to)),
        Statement::Address(to, Some(number)) => format!("{} = &{};", name(to), NUMBERS[number]),
        Statement::Copy(to, from) => format!("{} = {};", name(to), name(from)),
        Statement::Aim(i, cell) => format!("{} = &{};", xy[i], POINTERS[cell]),
        Statement::Same(i) => format!("{} = {};", xy[i], xy[1 - i]),
        Statement::Struct(i) => format!("{} = {};", st[i], st[1 - i]),
        Statement::Record(i) => format!("z = &{};", st[i]),
    }
}

/// What the pointers are in an execution: the number that a cell points to, the cell that `x` and `y` point to, and
/// whether `z` points to `s` or `t`.
#[derive(Default)]
struct State {
    cells: [Option<usize>; 8],
    aims: [Option<usize>; 2],
    record: Option<usize>,
}

impl State {
    /// The cell that a place is; none if a null pointer is used.
    fn cell(&self, place: Place, i: usize) -> Option<usize> {
        match place {
            Place::Named(cell) => Some(cell),
            Place::Element => Some(2 + i),
            Place::Through(j) => self.aims[j],
            Place::Member(member) => self.record.map(|record| 4 + 2 * record + member),
        }
    }

    /// Executes a statement; none if a null pointer is used.
    fn execute(&mut self, statement: Statement, i: usize) -> Option<()> {
        match statement {
            Statement::Address(to, number) => self.cells[self.cell(to, i)?] = number,
            Statement::Copy(to, from) => {
                self.cells[self.cell(to, i)?] = self.cells[self.cell(from, i)?];
            }
            Statement::Aim(j, cell) => self.aims[j] = Some(cell),
            Statement::Same(j) => self.aims[j] = self.aims[1 - j],
            Statement::Struct(j) => {
                for member in 0..2 {
                    self.cells[4 + 2 * j + member] = self.cells[4 + 2 * (1 - j) + member];
                }
            }
            Statement::Record(j) => self.record = Some(j),
        }
        Some(())
    }
}

/// All pairs of a pointer and what it points to, by their names, in all executions.
fn concrete(program: &[(Statement, bool)]) -> BTreeSet<(String, String)> {
    let mut found = BTreeSet::new();
    let n_optional = program.iter().filter(|(_, is_optional)| *is_optional).count();
    for choice in 0..1usize << (n_optional + 1) {
        let (i, mut choices) = (choice & 1, choice >> 1);
        let mut state = State::default();
        for (statement, is_optional) in program {
            let is_skipped = *is_optional && choices & 1 == 0;
            choices >>= usize::from(*is_optional);
            if is_skipped {
                continue;
            }
            if state.execute(*statement, i).is_none() {
                break;
            }
            for (cell, number) in state.cells.iter().enumerate() {
                let target = number.map_or("null", |number| NUMBERS[number]);
                found.insert((general(POINTERS[cell]), target.into()));
            }
            for (j, cell) in state.aims.iter().enumerate() {
                let target = cell.map_or("null".into(), |cell| general(POINTERS[cell]));
                found.insert((["x", "y"][j].into(), target));
            }
            let target = state.record.map_or("null", |record| ["s", "t"][record]);
            found.insert(("z".into(), target.into()));
        }
    }
    found
}

/// All elements of an array are one.
fn general(cell: &str) -> String {
    cell.replace(['0', '1'], "")
}

/// The same pairs, as the analysis has them.
fn computed(program: &str) -> BTreeSet<(String, String)> {
    let source = SourceFile::new("t.c", program.to_string());
    let tokens = lexer::tokens(&source).expect("tokens");
    let types = Types::new(DataModel::Ilp32, None);
    let program = parse::program(&source, tokens, types, false).expect("a program");
    let main = program.functions.iter().position(|function| function.name == "main");
    let conventions = Conventions::of(&program, None, crate::c::Checks::REACHABILITY);
    let flat = flatten::flatten(&program, conventions, main.expect("there is `main`") as u32);
    let members = BTreeMap::from([("s", ["m", "n"]), ("t", ["m", "n"])]);
    let part = |object: ObjectId, keys: &[Key]| {
        let name = flat.objects[object.0 as usize].name.clone();
        keys.iter().fold(name.clone(), |part, key| match key {
            Key::Element => format!("{part}[]"),
            Key::Member(i) => format!("{part}.{}", members[name.as_str()][*i as usize]),
        })
    };
    let analysis = points_to(&flat, &program.types);
    let mut pairs = BTreeSet::new();
    for ((object, keys), targets) in &analysis.cells {
        for target in targets {
            let target = match target {
                Target::Null => "null".into(),
                Target::Part { object, keys, .. } => part(*object, keys),
                other => format!("{other:?}"),
            };
            pairs.insert((part(*object, keys), target));
        }
    }
    pairs
}

#[test]
fn every_concrete_target_is_in_the_set() {
    let mut random = Random::new(7);
    let mut n_pairs = 0;
    for _ in 0..300 {
        let n = 3 + random.below(8);
        let program: Vec<_> = (0..n).map(|_| (statement(&mut random), random.chance(40))).collect();
        let mut source = DECLARATIONS.to_string();
        for (statement, is_optional) in &program {
            let condition = if *is_optional { "if (__VERIFIER_nondet_int()) " } else { "" };
            let _ = writeln!(source, "{condition}{}", text(*statement));
        }
        source += "return 0; }\n";
        let (concrete, computed) = (concrete(&program), computed(&source));
        n_pairs += concrete.len();
        let missing: Vec<_> = concrete.difference(&computed).collect();
        assert!(missing.is_empty(), "{source}{missing:?}");
        // Not everything may point to everything.
        assert!(computed.len() < 60, "{source}{computed:?}");
    }
    assert!(n_pairs > 3000, "{n_pairs}");
}
