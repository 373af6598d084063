//! Random models of BTOR2 over small words and arrays, and all their states.

use std::collections::BTreeSet;
use std::fmt::Write;

use lapidary_oracle::Random;

/// Arrays have an index of one bit and elements of two: their values are words of four bits.
const ARRAY: usize = 0;

#[derive(Clone, Copy)]
struct Node {
    op: Op,
    args: [usize; 3],
    /// The width; [`ARRAY`] for arrays.
    width: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Op {
    Constant(u32),
    Input,
    State,
    Not,
    And,
    Or,
    Xor,
    Add,
    Sub,
    Mul,
    Udiv,
    Urem,
    Sll,
    Eq,
    Ult,
    Slt,
    Ite,
    Concat,
    Slice(usize, usize),
    Read,
    Write,
}

struct State {
    node: usize,
    init: Option<Init>,
    next: Option<usize>,
}

#[derive(Clone, Copy)]
enum Init {
    /// A constant; of an array, that of all its elements.
    Value(u32),
    /// The value of an earlier state with the same sort.
    Of(usize),
}

#[derive(Default)]
struct Model {
    nodes: Vec<Node>,
    states: Vec<State>,
    inputs: Vec<usize>,
    constraints: Vec<usize>,
    bad: usize,
}

/// A model with the number `seed` as text, and whether it is safe.
pub(crate) fn random(seed: u64) -> (String, bool) {
    let model = Model::random(&mut Random::new(seed));
    (model.text(), model.is_safe())
}

fn n_bits(width: usize) -> usize {
    if width == ARRAY { 4 } else { width }
}

fn mask(width: usize) -> u32 {
    (1 << n_bits(width)) - 1
}

impl Model {
    fn random(random: &mut Random) -> Model {
        let mut model = Model::default();
        for width in 1..=2 {
            let value = random.below(1 << width) as u32;
            model.add(Op::Constant(value), [0; 3], width);
        }
        for _ in 0..random.below(3) {
            let width = 1 + random.below(2);
            let input = model.add(Op::Input, [0; 3], width);
            model.inputs.push(input);
        }
        for _ in 0..=random.below(3) {
            let has_array = model.states.iter().any(|state| model.nodes[state.node].width == ARRAY);
            let width = if random.chance(25) && !has_array { ARRAY } else { 1 + random.below(2) };
            let node = model.add(Op::State, [0; 3], width);
            let same = |state: &State| model.nodes[state.node].width == width;
            let earlier = model.states.iter().find(|state| same(state)).map(|state| state.node);
            let element = if width == ARRAY { 2 } else { width };
            let init = match (random.below(6), earlier) {
                (0, _) => None,
                (1, Some(earlier)) => Some(Init::Of(earlier)),
                _ => Some(Init::Value(random.below(1 << element) as u32)),
            };
            model.states.push(State { node, init, next: None });
        }
        for _ in 0..4 + random.below(14) {
            model.grow(random);
        }
        for i in 0..model.states.len() {
            if !random.chance(12) {
                let width = model.nodes[model.states[i].node].width;
                model.states[i].next = Some(model.of_width(random, width));
            }
        }
        for _ in 0..[0, 0, 1, 2][random.below(4)] {
            let constraint = model.of_width(random, 1);
            model.constraints.push(constraint);
        }
        model.bad = model.of_width(random, 1);
        for _ in 0..random.below(3) {
            let other = model.of_width(random, 1);
            model.bad = model.add(Op::And, [model.bad, other, 0], 1);
        }
        model
    }

    fn add(&mut self, op: Op, args: [usize; 3], width: usize) -> usize {
        self.nodes.push(Node { op, args, width });
        self.nodes.len() - 1
    }

    /// A node of this width, the later ones more often.
    fn of_width(&self, random: &mut Random, width: usize) -> usize {
        let all: Vec<usize> =
            (0..self.nodes.len()).filter(|node| self.nodes[*node].width == width).collect();
        let from = if random.chance(60) { all.len() / 2 } else { 0 };
        all[from + random.below(all.len() - from)]
    }

    fn grow(&mut self, random: &mut Random) {
        let width = 1 + random.below(2);
        let has_array = self.nodes.iter().any(|node| node.width == ARRAY);
        let [a, b] = [(); 2].map(|()| self.of_width(random, width));
        let binary =
            [Op::And, Op::Or, Op::Xor, Op::Add, Op::Sub, Op::Mul, Op::Udiv, Op::Urem, Op::Sll];
        match random.below(if has_array { 9 } else { 7 }) {
            0 => self.add(Op::Not, [a, 0, 0], width),
            1 | 2 => self.add(*random.pick(&binary), [a, b, 0], width),
            3 => self.add(*random.pick(&[Op::Eq, Op::Ult, Op::Slt]), [a, b, 0], 1),
            4 => {
                let condition = self.of_width(random, 1);
                self.add(Op::Ite, [condition, a, b], width)
            }
            5 => {
                let (high, low) = (self.of_width(random, 1), self.of_width(random, 1));
                self.add(Op::Concat, [high, low, 0], 2)
            }
            6 => {
                let (word, bit) = (self.of_width(random, 2), random.below(2));
                self.add(Op::Slice(bit, bit), [word, 0, 0], 1)
            }
            7 => {
                let (array, index) = (self.of_width(random, ARRAY), self.of_width(random, 1));
                self.add(Op::Read, [array, index, 0], 2)
            }
            _ => {
                let (array, index) = (self.of_width(random, ARRAY), self.of_width(random, 1));
                let element = self.of_width(random, 2);
                self.add(Op::Write, [array, index, element], ARRAY)
            }
        };
    }

    fn text(&self) -> String {
        // Sorts: 1 and 2 are words, 3 is the array. Initial values have numbers from 4. Node `i` has the number `i + 10`.
        let mut text = "1 sort bitvec 1\n2 sort bitvec 2\n3 sort array 1 2\n".to_string();
        let sort = |width: usize| if width == ARRAY { 3 } else { width };
        for (i, state) in self.states.iter().enumerate() {
            if let Some(Init::Value(value)) = state.init {
                let width = self.nodes[state.node].width;
                let element = if width == ARRAY { 2 } else { width };
                writeln!(text, "{} constd {element} {value}", i + 4).unwrap();
            }
        }
        for (i, Node { op, args, width }) in self.nodes.iter().enumerate() {
            let (i, sort) = (i + 10, sort(*width));
            let [a, b, c] = args.map(|arg| arg + 10);
            let name = |name: &str| format!("{name} {sort}");
            let line = match op {
                Op::Constant(value) => format!("constd {sort} {value}"),
                Op::Input => name("input"),
                Op::State => name("state"),
                Op::Not => format!("not {sort} {a}"),
                Op::Ite => format!("ite {sort} {a} {b} {c}"),
                Op::Write => format!("write {sort} {a} {b} {c}"),
                Op::Slice(high, low) => format!("slice {sort} {a} {high} {low}"),
                binary => format!("{} {sort} {a} {b}", binary.name()),
            };
            writeln!(text, "{i} {line}").unwrap();
        }
        let mut number = self.nodes.len() + 10;
        let mut line = |what: String| {
            writeln!(text, "{number} {what}").unwrap();
            number += 1;
            number - 1
        };
        for (i, State { node, init, next }) in self.states.iter().enumerate() {
            let width = self.nodes[*node].width;
            let state = node + 10;
            match init {
                None => {}
                Some(Init::Of(earlier)) => {
                    line(format!("init {} {state} {}", sort(width), earlier + 10));
                }
                Some(Init::Value(_)) => {
                    line(format!("init {} {state} {}", sort(width), i + 4));
                }
            }
            if let Some(next) = next {
                line(format!("next {} {state} {}", sort(width), next + 10));
            }
        }
        for constraint in &self.constraints {
            line(format!("constraint {}", constraint + 10));
        }
        line(format!("bad {}", self.bad + 10));
        text
    }

    fn values(&self, state: &[u32], inputs: u32) -> Vec<u32> {
        let (mut states, mut inputs) = (state.iter(), inputs);
        let mut values: Vec<u32> = Vec::with_capacity(self.nodes.len());
        for Node { op, args, width } in &self.nodes {
            let [a, b, c] = args.map(|arg| values.get(arg).copied().unwrap_or(0));
            let of_args = self.nodes[args[0]].width;
            let signed = |value: u32| value ^ (1 << (of_args.max(1) - 1));
            let value = match op {
                Op::Constant(value) => *value,
                Op::State => *states.next().expect("a value for each state"),
                Op::Input => {
                    let value = inputs & mask(*width);
                    inputs >>= width;
                    value
                }
                Op::Not => !a,
                Op::And => a & b,
                Op::Or => a | b,
                Op::Xor => a ^ b,
                Op::Add => a + b,
                Op::Sub => a.wrapping_sub(b),
                Op::Mul => a * b,
                Op::Udiv => a.checked_div(b).unwrap_or(u32::MAX),
                Op::Urem => a.checked_rem(b).unwrap_or(a),
                Op::Sll => a << b,
                Op::Eq => u32::from(a == b),
                Op::Ult => u32::from(a < b),
                Op::Slt => u32::from(signed(a) < signed(b)),
                Op::Ite => [c, b][a as usize],
                Op::Concat => (a << self.nodes[args[1]].width) | b,
                Op::Slice(_, low) => a >> low,
                Op::Read => a >> (2 * b),
                Op::Write => (a & !(3 << (2 * b))) | (c << (2 * b)),
            };
            values.push(value & mask(*width));
        }
        values
    }

    /// The initial states: each state in turn gets its value, or any.
    fn initial(&self) -> Vec<Vec<u32>> {
        let mut found: Vec<Vec<u32>> = vec![Vec::new()];
        for State { node, init, .. } in &self.states {
            let width = self.nodes[*node].width;
            let mut longer = Vec::new();
            for state in &found {
                let values: Vec<u32> = match init {
                    None => (0..=mask(width)).collect(),
                    Some(Init::Value(value)) if width == ARRAY => vec![value | (value << 2)],
                    Some(Init::Value(value)) => vec![*value],
                    Some(Init::Of(earlier)) => {
                        let at = self.states.iter().position(|state| state.node == *earlier);
                        vec![state[at.expect("an earlier state")]]
                    }
                };
                longer.extend(values.into_iter().map(|value| {
                    let mut state = state.clone();
                    state.push(value);
                    state
                }));
            }
            found = longer;
        }
        found
    }

    fn is_safe(&self) -> bool {
        let n_input_bits: usize = self.inputs.iter().map(|input| self.nodes[*input].width).sum();
        let free: Vec<usize> = (0..self.states.len())
            .filter(|state| self.states[*state].next.is_none())
            .map(|state| n_bits(self.nodes[self.states[state].node].width))
            .collect();
        let n_free: usize = free.iter().sum();
        let mut open = self.initial();
        let mut seen: BTreeSet<Vec<u32>> = open.iter().cloned().collect();
        while let Some(state) = open.pop() {
            for inputs in 0..1 << n_input_bits {
                let values = self.values(&state, inputs);
                if self.constraints.iter().any(|constraint| values[*constraint] == 0) {
                    continue;
                }
                if values[self.bad] == 1 {
                    return false;
                }
                for anything in 0..1_u32 << n_free {
                    let mut rest = anything;
                    let next = self.states.iter().map(|state| match state.next {
                        Some(next) => values[next],
                        None => {
                            let width = self.nodes[state.node].width;
                            let value = rest & mask(width);
                            rest >>= n_bits(width);
                            value
                        }
                    });
                    let next: Vec<u32> = next.collect();
                    if seen.insert(next.clone()) {
                        open.push(next);
                    }
                }
            }
        }
        true
    }
}

impl Op {
    fn name(self) -> &'static str {
        match self {
            Op::And => "and",
            Op::Or => "or",
            Op::Xor => "xor",
            Op::Add => "add",
            Op::Sub => "sub",
            Op::Mul => "mul",
            Op::Udiv => "udiv",
            Op::Urem => "urem",
            Op::Sll => "sll",
            Op::Eq => "eq",
            Op::Ult => "ult",
            Op::Slt => "slt",
            Op::Concat => "concat",
            Op::Read => "read",
            _ => unreachable!("no operator of two arguments"),
        }
    }
}
