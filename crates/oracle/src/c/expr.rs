//! Expressions that have a meaning whatever the values are: indices, shifts and divisors are in range.

use super::construct::Construct;
use super::generator::{Function, Generator};
use super::scope::{Place, Shape, Target, Variable};
use super::tree::effect::{Effect, Flow};
use super::tree::{Kind, Node};
use super::types::{Ty, floating, literal};

impl Generator<'_> {
    /// A number or the value of a variable.
    pub fn int_leaf(&mut self) -> Node {
        let simple = self.variable(|v| matches!(v.shape, Shape::Scalar(ty) if !ty.is_float()));
        match simple {
            Some(variable) if self.random.chance(60) => {
                let effect = Effect::reads(&variable.regions(&self.aggregates));
                let mut node = Node::int(variable.name.clone(), Vec::new()).with(&effect);
                node.marks = variable.marks(&self.aggregates);
                node
            }
            _ => Node::int(literal(self.random), Vec::new()),
        }
    }

    /// An expression with an integer value.
    pub fn int(&mut self, depth: usize) -> Node {
        if depth == 0 || self.random.chance(15) {
            return match self.random.chance(65) {
                true => self.int_place().value(),
                false => self.int_leaf(),
            };
        }
        match self.random.below(27) {
            0 => {
                let op = *self.random.pick(&["-", "~", "!", "+"]);
                Node::int(format!("({op} $)"), vec![self.int(depth - 1)])
            }
            1 | 2 => {
                let ty = Ty::any_int(self.random);
                let node = Node::int(format!("(({}) $)", ty.name()), vec![self.int(depth - 1)]);
                node.mark(Construct::Cast).mark(ty.construct())
            }
            3 => {
                let op = *self.random.pick(&["/", "%"]);
                let node = match self.random.below(5) {
                    0 => "(($ & 15) + 1)".to_string(),
                    1 => "(-(int) ($ & 15) - 2)".to_string(),
                    2 => format!("-{}", 2 + self.random.below(9)),
                    _ => format!("{}", 1 + self.random.below(12)),
                };
                let n_parts = 1 + node.matches('$').count();
                let parts = (0..n_parts).map(|_| self.int(depth - 1)).collect();
                Node::int(format!("($ {op} {node})"), parts).mark(Construct::Division)
            }
            4 | 5 => {
                let op = *self.random.pick(&["<<", ">>"]);
                let distance = match self.random.chance(50) {
                    true => "($ & 15)".to_string(),
                    false => self.random.below(16).to_string(),
                };
                let n_parts = 1 + distance.matches('$').count();
                let parts = (0..n_parts).map(|_| self.int(depth - 1)).collect();
                Node::int(format!("($ {op} {distance})"), parts).mark(Construct::Shift)
            }
            6 => {
                let parts = vec![self.int(depth - 1), self.int(depth - 1), self.int(depth - 1)];
                Node::int("($ ? $ : $)", parts).sequenced().mark(Construct::Conditional)
            }
            7 => {
                let op = *self.random.pick(&["&&", "||"]);
                let parts = vec![self.int(depth - 1), self.int(depth - 1)];
                Node::int(format!("($ {op} $)"), parts).sequenced().mark(Construct::Logical)
            }
            8 | 9 => {
                let op = *self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
                Node::int(format!("($ {op} $)"), vec![self.int(depth - 1), self.int(depth - 1)])
            }
            10..=12 => self.call(depth).unwrap_or_else(|| self.int_leaf()),
            13 => self.increment(),
            14 => {
                let parts = vec![self.write(), self.int(depth - 1)];
                Node::int("($, $)", parts).sequenced().mark(Construct::Comma)
            }
            15 | 16 => self.size().unwrap_or_else(|| self.int_leaf()),
            17 | 18 => self.comparison().unwrap_or_else(|| self.int_leaf()),
            20 | 21 => self.small_snippet(depth - 1).unwrap_or_else(|| self.int_leaf()),
            22 => self.write(),
            19 if self.wanted.floats => {
                let (a, b) = (self.float(depth - 1), self.float(depth - 1));
                let op = *self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
                match self.random.chance(50) {
                    true => Node::int(format!("($ {op} $)"), vec![a, b]),
                    false => Node::int("@whole($)", vec![a]),
                }
            }
            _ => {
                let op = *self.random.pick(&["+", "-", "*", "&", "|", "^", "+", "-"]);
                Node::int(format!("($ {op} $)"), vec![self.int(depth - 1), self.int(depth - 1)])
            }
        }
    }

    /// An expression with a floating value.
    pub fn float(&mut self, depth: usize) -> Node {
        let leaf = Node::new(Kind::Float, floating(self.random), Vec::new());
        match self.random.below(7) {
            0 => leaf,
            1 => Node::new(Kind::Float, "(float) (short) $", vec![self.int_leaf()])
                .mark(Construct::Float),
            2 | 3 if depth > 0 => {
                let op = *self.random.pick(&["+", "-", "*", "/", "+", "-"]);
                // Integers that are only floating here by their type divide by zero.
                let parts = vec![self.float(depth - 1), self.float(0)];
                Node::new(Kind::Float, format!("((double) $ {op} (double) $)"), parts)
                    .mark(Construct::Double)
            }
            _ => self.float_place(false).map_or(leaf, Place::value),
        }
    }

    /// An assignment, as an expression.
    pub fn write(&mut self) -> Node {
        let place = self.int_target();
        let value = self.int(1);
        let effect = Effect::writes(&place.regions);
        Node::int("($ = $)", vec![place.node, value]).with(&effect)
    }

    fn increment(&mut self) -> Node {
        let place = self.int_target();
        let text = *self.random.pick(&["$++", "$--", "++$", "--$"]);
        if place.width.is_some_and(|width| width > 32) {
            return place.value();
        }
        let mut effect = Effect::writes(&place.regions);
        effect.join(&Effect::reads(&place.regions));
        Node::int(format!("({text})"), vec![place.node]).with(&effect).mark(Construct::Increment)
    }

    /// A call of one of the functions that are there, maybe by a pointer.
    pub fn call(&mut self, depth: usize) -> Option<Node> {
        if self.functions.is_empty() {
            return None;
        }
        if self.random.chance(35)
            && let Some(pointer) = self.variable(|v| v.shape == Shape::Function)
        {
            let argument = self.int(depth.saturating_sub(1));
            let designator = pointer.whole(&self.aggregates);
            let text = *self.random.pick(&["(*$)($)", "$($)"]);
            let mut call = Node::int(text, vec![designator, argument]);
            for function in self.functions.iter().filter(|function| function.is_plain()) {
                call.effect.join(&function.effect);
                call.is_open |= function.is_open;
            }
            return Some(marked(call).mark(Construct::FunctionPointer));
        }
        let function = self.random.pick(&self.functions).clone();
        self.call_of(&function, depth)
    }

    /// A call of this function.
    pub fn call_of(&mut self, function: &Function, depth: usize) -> Option<Node> {
        let mut parts = Vec::new();
        for shape in &function.params {
            parts.push(match *shape {
                Shape::Scalar(ty) if ty.is_float() => self.float(0),
                Shape::Scalar(_) => self.int(depth.saturating_sub(1)),
                Shape::Pointer(target) => self.address(target, false)?,
                Shape::Structure(number) => {
                    let of_type = self.variable(|v| v.shape == Shape::Structure(number))?;
                    of_type.whole(&self.aggregates).mark(Construct::StructureValue)
                }
                _ => return None,
            });
        }
        let holes = vec!["$"; parts.len()].join(", ");
        let kind = if function.result.is_float() { Kind::Float } else { Kind::Int };
        let mut call = Node::new(kind, format!("{}({holes})", function.name), parts);
        call.effect = function.effect.clone();
        call.is_open = function.is_open;
        let call = marked(call);
        Some(if kind == Kind::Float { Node::int("@whole($)", vec![call]) } else { call })
    }

    /// A size, an alignment or an offset.
    fn size(&mut self) -> Option<Node> {
        if self.aggregates.is_empty() || self.random.chance(15) {
            let variable = self.variable(|_| true)?;
            return Some(Node::int(format!("sizeof {}", variable.name), Vec::new()))
                .map(|node| node.mark(Construct::Sizeof));
        }
        let number = self.random.below(self.aggregates.len());
        let (name, offsets) = {
            let aggregate = &self.aggregates[number];
            (aggregate.name.clone(), aggregate.offsets.clone())
        };
        Some(match self.random.below(6) {
            0..=2 if !offsets.is_empty() => {
                let member = self.random.pick(&offsets);
                Node::int(format!("(int) __builtin_offsetof({name}, {member})"), Vec::new())
                    .mark(Construct::Offsetof)
            }
            3 => Node::int(format!("(int) _Alignof({name})"), Vec::new()),
            _ => Node::int(format!("(int) sizeof({name})"), Vec::new()).mark(Construct::Sizeof),
        })
    }

    /// A comparison of pointers that C decides: they point to one object, or it is about equality.
    fn comparison(&mut self) -> Option<Node> {
        match self.random.below(5) {
            0 => {
                let array = self.variable(|v| matches!(v.shape, Shape::Array(..)))?;
                let Shape::Array(_, length) = array.shape else { return None };
                let op = *self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
                let name = &array.name;
                let parts = vec![self.int_leaf(), self.int_leaf()];
                let mask = length - 1;
                let text = format!("({name} + ($ & {mask}) {op} &{name}[1 + ($ & {mask})])");
                Some(Node::int(text, parts).mark(Construct::PointerComparison))
            }
            1 => {
                let target = self.target(false)?;
                let (a, b) = (self.address(target, false)?, self.address(target, false)?);
                let op = *self.random.pick(&["==", "!="]);
                let node = Node::int(format!("($ {op} $)"), vec![a, b]);
                Some(node.mark(Construct::PointerComparison))
            }
            2 => {
                let array = |v: &Variable| {
                    matches!(v.shape, Shape::Array(..) | Shape::Pointer(Target::Array(..)))
                };
                let array = self.variable(array)?;
                let (Shape::Array(_, length) | Shape::Pointer(Target::Array(_, length))) =
                    array.shape
                else {
                    return None;
                };
                let (name, mask) = (&array.name, length - 1);
                let parts = vec![self.int_leaf(), self.int_leaf()];
                let text = format!("(int) (&{name}[$ & {mask}] - ({name} + ($ & {mask})))");
                let node = Node::int(text, parts).mark(Construct::PointerDistance);
                Some(node.with(&Effect::reads(&array.regions(&self.aggregates))))
            }
            3 => {
                let structure = self.variable(|v| matches!(v.shape, Shape::Structure(_)))?;
                let Shape::Structure(number) = structure.shape else { return None };
                let member = self.random.pick(&self.aggregates[number].offsets).clone();
                let name = &structure.name;
                let text = format!("(int) ((char *) &{name}.{member} - (char *) &{name})");
                Some(Node::int(text, Vec::new()).mark(Construct::PointerDistance))
            }
            _ => {
                let pointer = self.variable(|v| matches!(v.shape, Shape::Pointer(_)))?;
                let Shape::Pointer(target) = pointer.shape else { return None };
                let address = self.address(target, false)?;
                let parts = vec![pointer.whole(&self.aggregates), address];
                let node = Node::int(*self.random.pick(&["($ == $)", "($ != $)"]), parts);
                Some(node.mark(Construct::PointerComparison))
            }
        }
    }

    /// A node that C gives a meaning to, and one meaning unless several are wanted; else the other one.
    pub fn decided(&mut self, make: impl Fn(&mut Self) -> Option<Node>, other: Node) -> Node {
        for _ in 0..8 {
            if let Some(node) = make(self) {
                let flow = Flow::of(&node);
                if !flow.is_undefined && (self.wanted.order || !flow.is_open) {
                    return node;
                }
            }
        }
        other
    }
}

fn marked(call: Node) -> Node {
    let has_effect = !call.effect.writes.is_empty();
    let call = Node { is_call: true, ..call };
    if has_effect { call.mark(Construct::CallWithEffect) } else { call }
}
