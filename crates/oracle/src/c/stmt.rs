//! Statements: every loop ends, and every variable has a value when it is read.

use super::construct::Construct;
use super::generator::Generator;
use super::scope::{Shape, Variable};
use super::tree::effect::{Effect, Region};
use super::tree::{Kind, Node};
use super::types::Ty;

impl Generator<'_> {
    /// A statement.
    pub fn stmt(&mut self, depth: usize) -> Node {
        let n_choices = if depth == 0 { 14 } else { 25 };
        match self.random.below(n_choices) {
            0 | 1 => self.expression(|this| Some(this.write())),
            2 => self.expression(|this| Some(this.compound())),
            3 => self.expression(|this| this.call(1)),
            4 => self.pointer_write(),
            5 => self.structure_write(),
            6 if self.wanted.floats => self.float_write(),
            7 if self.n_loops > 0 => {
                let word = *self.random.pick(&["break", "continue"]);
                let condition = self.condition();
                Node::stmt(format!("if ($) {word};\n"), vec![condition]).mark(Construct::Jump)
            }
            8..=10 => self.snippet_stmt(),
            14 | 15 => {
                let parts = vec![self.condition(), self.block(depth - 1)];
                Node::stmt("if ($)\n$", parts)
            }
            16 => {
                let parts = vec![self.condition(), self.block(depth - 1), self.block(depth - 1)];
                Node::stmt("if ($)\n$else\n$", parts)
            }
            17 | 18 if self.n_repeats == 0 => self.repeated(depth),
            20 | 21 => self.switch(depth),
            22 if self.n_repeats == 0 => self.back(depth),
            23 => {
                let label = self.fresh();
                let mut parts = vec![self.condition()];
                parts.extend(self.stmts(depth - 1));
                let text = format!("if ($) goto l{label};\n$*l{label}: ;\n");
                Node::stmt(text, parts).mark(Construct::GotoForward)
            }
            24 => self.scoped(depth),
            _ => self.expression(|this| Some(this.compound())),
        }
    }

    fn snippet_stmt(&mut self) -> Node {
        self.decided(Self::snippet, Node::stmt(";\n", Vec::new()))
    }

    /// One or two statements.
    fn stmts(&mut self, depth: usize) -> Vec<Node> {
        (0..=self.random.below(2)).map(|_| self.stmt(depth)).collect()
    }

    /// Statements in braces.
    fn block(&mut self, depth: usize) -> Node {
        Node::stmt("{\n$*}\n", self.stmts(depth))
    }

    /// A statement that evaluates an expression.
    pub fn expression(&mut self, make: impl Fn(&mut Self) -> Option<Node>) -> Node {
        let value = self.decided(make, Node::int("0", Vec::new()));
        Node::stmt("$;\n", vec![value])
    }

    /// The value of a condition.
    pub fn condition(&mut self) -> Node {
        self.decided(|this| Some(this.int(2)), Node::int("1", Vec::new()))
    }

    fn compound(&mut self) -> Node {
        let place = self.int_target();
        if place.width.is_some_and(|width| width > 32) {
            return self.write();
        }
        let regions = place.regions.clone();
        let target = Node { kind: Kind::Fixed, ..place.value() };
        let node = match self.random.below(5) {
            0 => Node::int(*self.random.pick(&["$++", "$--", "++$", "--$"]), vec![target]),
            1 => {
                let op = *self.random.pick(&["<<=", ">>="]);
                Node::int(format!("$ {op} ($ & 7)"), vec![target, self.int(1)])
                    .mark(Construct::Shift)
            }
            2 => {
                Node::int("$ %= (($ & 7) + 1)", vec![target, self.int(1)]).mark(Construct::Division)
            }
            _ => {
                let op = *self.random.pick(&["+=", "-=", "*=", "&=", "|=", "^="]);
                Node::int(format!("$ {op} $"), vec![target, self.int(2)])
            }
        };
        node.with(&Effect::writes(&regions)).mark(Construct::Compound)
    }

    fn float_write(&mut self) -> Node {
        self.expression(|this| {
            let place = this.float_place(true)?;
            let effect = Effect::writes(&place.regions);
            // The bits of a NaN are open, and members of unions show them.
            let (text, value) = match place.is_in_union {
                true => ("($ = (float) ($ & 255) / 4)", this.int(1)),
                false => ("($ = $)", this.float(2)),
            };
            let kind = if place.is_in_union { Kind::Fixed } else { Kind::Float };
            Some(Node::new(kind, text, vec![place.node, value]).with(&effect))
        })
    }

    fn pointer_write(&mut self) -> Node {
        self.expression(|this| {
            let pointer = this.variable(|v| {
                !v.is_constant
                    && matches!(v.shape, Shape::Pointer(_) | Shape::Double(_) | Shape::Function)
            })?;
            let mut regions = pointer.regions(&this.aggregates);
            let (text, value) = match pointer.shape {
                Shape::Pointer(target) => {
                    // What a pointer to a pointer changes may live as long as the program.
                    let is_static = pointer.is_static || pointer.is_taken;
                    (pointer.name.clone(), this.address(target, is_static)?)
                }
                Shape::Double(target) => {
                    let found = Node::new(Kind::Fixed, format!("*{}", pointer.name), Vec::new());
                    let place = found.with(&Effect::reads(&regions));
                    regions = vec![Region::Pointers];
                    let value = this.address(target, true)?;
                    let node = Node::new(Kind::Fixed, "($ = $)", vec![place, value]);
                    return Some(node.with(&Effect::writes(&regions)))
                        .map(|node| node.mark(Construct::PointerToPointer));
                }
                _ => (pointer.name.clone(), this.function_value()?),
            };
            let node = Node::new(Kind::Fixed, format!("({text} = $)"), vec![value]);
            let node = node.with(&Effect::writes(&regions));
            Some(Node { marks: pointer.marks(&this.aggregates), ..node })
        })
    }

    /// A function that pointers can point to.
    pub fn function_value(&mut self) -> Option<Node> {
        let plain: Vec<_> = self.functions.iter().filter(|function| function.is_plain()).collect();
        let first = plain.first()?;
        let (first, last) = (first.name.clone(), plain.last()?.name.clone());
        Some(match self.random.chance(50) {
            true => Node::new(Kind::Fixed, format!("($ ? {first} : &{last})"), vec![self.int(1)]),
            false => Node::new(Kind::Fixed, last, Vec::new()),
        })
    }

    fn structure_write(&mut self) -> Node {
        self.expression(|this| {
            let has_union: Vec<bool> = this.aggregates.iter().map(|a| a.has_union).collect();
            let is_copied = |v: &Variable| matches!(v.shape, Shape::Structure(n) if !has_union[n]);
            let to = this.variable(is_copied)?;
            let from = this.variable(|v| v.shape == to.shape)?;
            let value = from.whole(&this.aggregates);
            let node = Node::new(Kind::Fixed, format!("({} = $)", to.name), vec![value]);
            let node = node.with(&Effect::writes(&to.regions(&this.aggregates)));
            Some(node.mark(Construct::StructureValue))
        })
    }

    /// A loop over a few values of a counter that only the loop changes.
    fn repeated(&mut self, depth: usize) -> Node {
        let number = self.fresh();
        let (name, most) = (format!("k{number}"), 1 + self.random.below(2));
        let ty = *self.random.pick(&[Ty::INT, Ty(1), Ty(5), Ty(6)]);
        self.locals.push(Variable {
            id: number,
            name: name.clone(),
            shape: Shape::Scalar(ty),
            is_taken: false,
            is_static: false,
            is_constant: true,
        });
        self.n_loops += 1;
        self.n_repeats += 1;
        let (condition, body) = (self.condition(), self.stmts(depth - 1));
        self.n_loops -= 1;
        self.n_repeats -= 1;
        self.locals.pop();
        let ty = ty.name();
        let mut parts = vec![condition];
        parts.extend(body);
        let text = match self.random.below(4) {
            0 => format!("for ({ty} {name} = 0; {name} < {most} && $; {name}++) {{\n$*}}\n"),
            1 => format!(
                "{{\n{ty} {name} = 0;\nwhile ({name} < {most} && $) {{\n{name}++;\n$*}}\n}}\n"
            ),
            2 => {
                let condition = parts.remove(0);
                parts.push(Node::stmt("if (!$) break;\n", vec![condition]).mark(Construct::Jump));
                format!(
                    "{{\n{ty} {name} = 0;\ndo {{\n{name}++;\n$*}} while ({name} < {most});\n}}\n"
                )
            }
            _ => {
                parts.remove(0);
                format!("for ({ty} {name} = {most}; {name} > 0; {name}--) {{\n$*}}\n")
            }
        };
        Node::stmt(text, parts).mark(Construct::Loop)
    }

    fn switch(&mut self, depth: usize) -> Node {
        let value = self.condition();
        let mut parts = vec![value];
        let (mut falls, n_cases) = (false, 2 + self.random.below(3));
        let default = self.random.below(n_cases + 1);
        // A `continue` belongs to a loop around; a `break` ends the switch.
        for i in 0..n_cases {
            let ends = self.random.chance(55);
            falls |= !ends && i + 1 < n_cases;
            let label = match i == default {
                true => "default".to_string(),
                false => format!("case {}", if self.random.chance(15) { 4 + i } else { i }),
            };
            let end = if ends { "break;\n" } else { "" };
            parts.push(Node::stmt(format!("{label}:\n$*{end}"), self.stmts(depth - 1)));
        }
        let mask = *self.random.pick(&["& 3", "& 7", "% 4"]);
        let node = Node::stmt(format!("switch ($ {mask}) {{\n$*}}\n"), parts);
        let node = node.mark(Construct::Switch);
        if falls { node.mark(Construct::FallThrough) } else { node }
    }

    /// A loop made of a label and a jump back to it.
    fn back(&mut self, depth: usize) -> Node {
        let label = self.fresh();
        self.n_repeats += 1;
        let mut parts = self.stmts(depth - 1);
        self.n_repeats -= 1;
        let condition = self.condition();
        let jump =
            Node::stmt(format!("if (k{label}++ < 1 && $) goto l{label};\n"), vec![condition]);
        parts.push(jump);
        let text = format!("{{\nint k{label} = 0;\nl{label}: ;\n$*}}\n");
        Node::stmt(text, parts).mark(Construct::GotoBack)
    }

    /// A block with a variable of its own.
    fn scoped(&mut self, depth: usize) -> Node {
        let n_locals = self.locals.len();
        let mut parts: Vec<Node> = self.block_local().into_iter().collect();
        parts.extend(self.stmts(depth - 1));
        self.locals.truncate(n_locals);
        Node::stmt("{\n$*}\n", parts)
    }
}
