//! Declarations of variables, with initial values.

use super::construct::Construct;
use super::generator::{Function, Generator};
use super::scope::{Shape, Target, Variable};
use super::tree::effect::Flow;
use super::tree::{Kind, Node};
use super::types::{Ty, floating, literal, small};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    Function,
    Block,
}

impl Generator<'_> {
    /// What a new variable is.
    fn shape(&mut self, is_static: bool) -> Shape {
        match self.random.below(12) {
            0 | 1 => Shape::Array(Ty::any_int(self.random), 1 << (1 + self.random.below(2))),
            2..=4 if !self.aggregates.is_empty() => {
                let number = self.random.below(self.aggregates.len());
                match self.aggregates[number].has_union && !is_static {
                    true => Shape::Scalar(Ty::any_int(self.random)),
                    false => Shape::Structure(number),
                }
            }
            5 | 6 => self.target(is_static).map_or(Shape::Scalar(Ty::INT), Shape::Pointer),
            7 => {
                let is_pointer = |v: &Variable| {
                    v.is_taken
                        && matches!(v.shape, Shape::Pointer(_))
                        && (v.is_static || !is_static)
                };
                match self.variable(is_pointer).map(|pointer| pointer.shape) {
                    Some(Shape::Pointer(target)) => Shape::Double(target),
                    _ => self.target(is_static).map_or(Shape::Scalar(Ty::INT), Shape::Pointer),
                }
            }
            8 if self.functions.iter().any(Function::is_plain) => Shape::Function,
            9 if self.wanted.floats => Shape::Scalar(Ty::any_float(self.random)),
            _ => Shape::Scalar(Ty::any_int(self.random)),
        }
    }

    /// A variable at file scope and its definition.
    pub fn global(&mut self) -> Option<Node> {
        let shape = self.shape(true);
        self.global_of(shape)
    }

    /// A variable of this shape at file scope and its definition.
    pub fn global_of(&mut self, shape: Shape) -> Option<Node> {
        let id = self.fresh();
        let variable = Variable {
            id,
            name: format!("@g{id}"),
            shape,
            is_taken: self.random.chance(60),
            is_static: true,
            is_constant: false,
        };
        let value = (0..30).find_map(|_| {
            self.initial(&variable, true).filter(|value| Flow::of(value).all().reads.is_empty())
        })?;
        let word = *self.random.pick(&["", "static "]);
        let text = format!("{word}{} = $;\n", variable.declarator(&self.aggregates));
        let node =
            Node { marks: variable.marks(&self.aggregates), ..Node::item(text, vec![value]) };
        self.globals.push(variable);
        Some(node)
    }

    /// A local variable and its declaration.
    pub fn local(&mut self) -> Option<Node> {
        self.local_in(Depth::Function)
    }

    /// A variable of a block; no pointer outlives it.
    pub fn block_local(&mut self) -> Option<Node> {
        self.local_in(Depth::Block)
    }

    fn local_in(&mut self, depth: Depth) -> Option<Node> {
        let shape = self.shape(false);
        let id = self.fresh();
        let is_static = self.random.chance(10) && matches!(shape, Shape::Scalar(_));
        let variable = Variable {
            id,
            name: format!("x{id}"),
            shape,
            is_taken: depth == Depth::Function && self.random.chance(60),
            is_static,
            is_constant: false,
        };
        let other = Node::int("0", Vec::new());
        let value = match shape {
            Shape::Scalar(_) => self.decided(|this| this.initial(&variable, is_static), other),
            // A value of this type is needed, even if C leaves it unspecified.
            _ => (0..30).find_map(|_| {
                let value = self.initial(&variable, is_static)?;
                let flow = Flow::of(&value);
                (!flow.is_undefined && (self.wanted.order || !flow.is_open)).then_some(value)
            })?,
        };
        let word = if is_static { "static " } else { "" };
        let text = format!("{word}{} = $;\n", variable.declarator(&self.aggregates));
        let mut node =
            Node { marks: variable.marks(&self.aggregates), ..Node::stmt(text, vec![value]) };
        if is_static {
            node = node.mark(Construct::StaticLocal);
        }
        self.locals.push(variable);
        Some(node)
    }

    /// The first value of a variable; a constant if it is static.
    fn initial(&mut self, variable: &Variable, is_static: bool) -> Option<Node> {
        let number = |this: &mut Self, ty: Ty| match is_static {
            _ if ty.is_float() => Node::new(Kind::Float, floating(this.random), Vec::new()),
            true if this.random.chance(15) => Node::int(literal(this.random), Vec::new()),
            true => Node::int(small(this.random, ty), Vec::new()),
            false => this.int(1),
        };
        Some(match variable.shape {
            Shape::Scalar(ty) => number(self, ty),
            Shape::Array(ty, length) => {
                let n_values = 1 + self.random.below(length);
                let parts: Vec<Node> = (0..n_values).map(|_| number(self, ty)).collect();
                let holes = vec!["$"; parts.len()].join(", ");
                Node::new(Kind::Fixed, format!("{{ {holes} }}"), parts).mark(Construct::Initialiser)
            }
            Shape::Structure(structure) if self.aggregates[structure].name.starts_with('u') => {
                let value = Node::int(literal(self.random), Vec::new());
                Node::new(Kind::Fixed, "{ $ }", vec![value])
            }
            Shape::Structure(structure) => {
                let is_own = |text: &str| !text[1..].contains(['.', '[']);
                let paths = self.aggregates[structure].paths.clone();
                let paths: Vec<_> = paths.into_iter().filter(|path| is_own(&path.text)).collect();
                let (mut texts, mut parts) = (Vec::new(), Vec::new());
                for path in paths {
                    if path.text == ".last" || self.random.chance(70) {
                        texts.push(format!("{} = $", path.text));
                        parts.push(number(self, path.ty));
                    }
                }
                Node::new(Kind::Fixed, format!("{{ {} }}", texts.join(", ")), parts)
                    .mark(Construct::Initialiser)
            }
            Shape::Pointer(target) => self.address(target, is_static || variable.is_taken)?,
            Shape::Double(target) => self.pointer_address(target, is_static)?,
            Shape::Function if is_static => {
                let plain = self.functions.iter().rev().find(|function| function.is_plain())?;
                Node::new(Kind::Fixed, plain.name.clone(), Vec::new())
            }
            Shape::Function => self.function_value()?,
        })
    }

    fn pointer_address(&mut self, target: Target, is_static: bool) -> Option<Node> {
        let fits = |v: &Variable| {
            v.is_taken && v.shape == Shape::Pointer(target) && (v.is_static || !is_static)
        };
        let pointer = self.variable(fits)?;
        let node = Node::new(Kind::Fixed, format!("&{}", pointer.name), Vec::new());
        Some(node.mark(Construct::PointerToPointer))
    }
}
