//! The few values that a program gets from outside.

use super::generator::Generator;
use super::scope::{Shape, Variable};
use super::tree::Node;
use super::types::Ty;

/// A value that a program gets from outside.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its type.
    pub ty: Ty,
    /// The values that the program lets pass.
    pub values: Vec<i64>,
    /// How it gets them.
    pub source: Source,
}

/// How a program gets a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Any value of the type, all but a few of which end the program.
    Guarded,
    /// A choice between two constants.
    Chosen,
}

impl Input {
    /// What the functions that yield any value have to return.
    pub(super) fn returned(&self) -> Vec<i64> {
        match self.source {
            Source::Guarded => self.values.clone(),
            Source::Chosen => vec![0, 1],
        }
    }
}

impl Generator<'_> {
    /// One of this many inputs.
    pub(super) fn input(&mut self, n_inputs: usize) -> Input {
        let ty = loop {
            let ty = Ty::any_int(self.random);
            if !matches!(ty.name(), "enum @E" | "signed char") {
                break ty;
            }
        };
        // Few combinations, as each is a path of its own.
        let n_values = 2 + self.random.below(3 - n_inputs);
        let first = match ty.is_signed() {
            _ if ty.name() == "_Bool" => {
                return Input { ty, values: vec![0, 1], source: Source::Guarded };
            }
            true => i64::try_from(self.random.below(10)).unwrap_or_default() - 5,
            false => i64::try_from(self.random.below(10)).unwrap_or_default(),
        };
        let step = if self.random.chance(70) { 1 } else { 7 };
        let values = (0..n_values).map(|i| first + step * i64::try_from(i).unwrap_or_default());
        // Choices between constants are easier to decide.
        match self.random.chance(72) {
            true => Input { ty, values: values.take(2).collect(), source: Source::Chosen },
            false => Input { ty, values: values.collect(), source: Source::Guarded },
        }
    }

    /// Reads an input, and goes on only with its values.
    pub(super) fn read(&mut self, input: &Input) -> Node {
        let id = self.fresh();
        let (name, ty) = (format!("in{id}"), input.ty);
        let is_range = input.values.windows(2).all(|pair| pair[0] + 1 == pair[1]);
        let condition = match (is_range, input.values.first(), input.values.last()) {
            (true, Some(first), Some(last)) => format!("{name} >= {first} && {name} <= {last}"),
            _ => {
                let each = input.values.iter().map(|value| format!("{name} == {value}"));
                each.collect::<Vec<_>>().join(" || ")
            }
        };
        let guard = match self.random.chance(50) {
            true => format!("__VERIFIER_assume({condition});"),
            false => format!("if (!({condition})) abort();"),
        };
        let text = match input.source {
            Source::Guarded => {
                format!("{} {name} = __VERIFIER_nondet_{}();\n{guard}\n", ty.name(), ty.nondet())
            }
            Source::Chosen => format!(
                "{} {name} = __VERIFIER_nondet_bool() ? {} : {};\n",
                ty.name(),
                input.values[1],
                input.values[0]
            ),
        };
        let shape = Shape::Scalar(ty);
        let (is_taken, is_static, is_constant) = (false, false, false);
        self.locals.push(Variable { id, name, shape, is_taken, is_static, is_constant });
        Node::stmt(text, Vec::new()).mark(ty.construct())
    }
}
