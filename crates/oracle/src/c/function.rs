//! The functions that a program calls, and what they do to the variables of others.

use std::collections::BTreeSet;

use super::construct::Construct;
use super::generator::{Function, Generator};
use super::scope::{Shape, Variable};
use super::tree::effect::{Effect, Flow, Region};
use super::tree::{Kind, Node};
use super::types::Ty;

impl Generator<'_> {
    /// A function with effects on variables at file scope and through its parameters.
    pub(super) fn function(&mut self) -> Node {
        let is_plain = self.random.chance(50) || self.functions.is_empty();
        let mut params = Vec::new();
        if is_plain {
            params.push(Shape::Scalar(Ty::INT));
        } else {
            for _ in 0..self.random.below(3) {
                params.push(self.parameter());
            }
        }
        let result = if is_plain { Ty::INT } else { Ty::any_int(self.random) };
        let name = format!("@f{}", self.fresh());
        self.locals.clear();
        for shape in &params {
            let id = self.fresh();
            let is_taken = self.random.chance(30);
            let (name, shape) = (format!("a{id}"), *shape);
            let (is_static, is_constant) = (false, false);
            self.locals.push(Variable { id, name, shape, is_taken, is_static, is_constant });
        }
        let texts = self.locals.iter().map(|param| param.declarator(&self.aggregates));
        let texts = texts.collect::<Vec<_>>().join(", ");
        let texts = if texts.is_empty() { "void".into() } else { texts };
        let mut parts = Vec::new();
        for _ in 0..self.random.below(2) {
            parts.extend(self.local());
        }
        for _ in 0..=self.random.below(2) {
            parts.push(self.stmt(1));
        }
        let value = self.decided(|this| Some(this.int(2)), Node::int("1", Vec::new()));
        let end = Node::stmt("return $;\n", vec![value]);
        parts.push(Node { kind: Kind::Fixed, ..end });
        let text = format!("static {} {name}({texts}) {{\n$*}}\n", result.name());
        let marks = params.iter().filter_map(|shape| match shape {
            Shape::Structure(_) => Some(Construct::StructureValue),
            Shape::Pointer(_) => Some(Construct::Pointer),
            _ => None,
        });
        let marks = marks.collect();
        let node = Node { marks, ..Node::item(text, parts) };
        self.define(name, result, params, &node);
        node
    }

    fn define(&mut self, name: String, result: Ty, params: Vec<Shape>, node: &Node) {
        let flow = Flow::of(node);
        let mut effect = flow.all();
        let ends = |region: &Region| {
            self.locals.iter().any(|v| !v.is_static && *region == Region::Variable(v.id))
        };
        let keep = |regions: &BTreeSet<Region>| {
            regions.iter().copied().filter(|region| !ends(region)).collect()
        };
        effect = Effect { reads: keep(&effect.reads), writes: keep(&effect.writes) };
        self.functions.push(Function { name, result, params, effect, is_open: flow.is_open });
        self.locals.clear();
    }

    fn parameter(&mut self) -> Shape {
        match self.random.below(6) {
            0 | 1 => match self.target(true) {
                Some(target) => Shape::Pointer(target),
                None => Shape::Scalar(Ty::INT),
            },
            2 => {
                let structures: Vec<usize> = (0..self.aggregates.len())
                    .filter(|number| !self.aggregates[*number].has_union)
                    .filter(|number| {
                        self.globals.iter().any(|v| v.shape == Shape::Structure(*number))
                    })
                    .collect();
                match structures.is_empty() {
                    true => Shape::Scalar(Ty::INT),
                    false => Shape::Structure(*self.random.pick(&structures)),
                }
            }
            3 if self.wanted.floats => Shape::Scalar(Ty::any_float(self.random)),
            _ => Shape::Scalar(Ty::any_int(self.random)),
        }
    }

    /// A function that calls itself a few times.
    pub(super) fn recursive(&mut self) -> Node {
        let name = format!("@r{}", self.fresh());
        self.locals.clear();
        let stmt = self.stmt(0);
        let value = self.decided(|this| Some(this.int(1)), Node::int("1", Vec::new()));
        let text = format!(
            "static int {name}(int n) {{\nif (n <= 0 || n > 3) return $;\n$*return {name}(n - 1) + n;\n}}\n"
        );
        let node = Node::item(text, vec![value, stmt]).mark(Construct::Recursion);
        self.define(name, Ty::INT, vec![Shape::Scalar(Ty::INT)], &node);
        node
    }
}
