//! The function whose result assertions are about: statements, and then the bits of all variables.

use super::generator::Generator;
use super::input::Input;
use super::scope::{Shape, Target};
use super::tree::Node;
use super::types::Ty;

impl Generator<'_> {
    /// The function whose result the assertion is about.
    pub(super) fn test(&mut self, inputs: &[Input]) -> Node {
        self.locals.clear();
        let mut parts: Vec<Node> = inputs.iter().map(|input| self.read(input)).collect();
        for _ in 0..=self.random.below(3) {
            parts.extend(self.local());
        }
        let n_visible = self.locals.len();
        for _ in 0..=self.random.below(3) {
            parts.push(self.stmt(2));
        }
        let special = |this: &mut Self, parts: &mut Vec<Node>, node: Node| {
            let first = inputs.len() + n_visible.saturating_sub(inputs.len());
            let at = first.min(parts.len());
            let at = at + this.random.below(parts.len() + 1 - at);
            parts.insert(at, node);
        };
        for _ in 0..if self.wanted.order { 2 + self.random.below(2) } else { 0 } {
            let node = self.order();
            special(self, &mut parts, node);
        }
        if self.wanted.comparisons {
            for kind in self.two_of_three() {
                let node = self.unrelated(kind);
                let node = self.for_one_input(&inputs[0], node);
                special(self, &mut parts, node);
            }
        }
        if self.wanted.externals {
            let node = self.external();
            let node = self.for_one_input(&inputs[0], node);
            special(self, &mut parts, node);
        }
        if self.random.chance(3)
            && let Some(node) = self.round_trip()
        {
            parts.push(node);
        }
        // Rotation and exclusive or keep every bit, and cost a solver little.
        let (ty, high) =
            *self.random.pick(&[("unsigned", 27), ("unsigned", 27), ("unsigned long long", 59)]);
        for value in self.results() {
            parts
                .push(Node::stmt(format!("r = (r << 5 | r >> {high}) ^ ({ty}) $;\n"), vec![value]));
        }
        let text = format!("unsigned long long @test(void) {{\n{ty} r = 0;\n$*return r;\n}}\n");
        Node::item(text, parts)
    }

    fn two_of_three(&mut self) -> [usize; 2] {
        *self.random.pick(&[[0, 1], [1, 2], [2, 0]])
    }

    /// A statement that most programs execute for one value of their first input only: with the others the result is
    /// defined, and can be decided.
    fn for_one_input(&mut self, input: &Input, node: Node) -> Node {
        if self.random.chance(10) {
            return node;
        }
        let (name, value) = (&self.locals[0].name, *self.random.pick(&input.values));
        Node::stmt(format!("if ({name} == {value})\n$"), vec![node])
    }

    /// The values of all variables.
    fn results(&mut self) -> Vec<Node> {
        let mut texts = vec![("@vc".to_string(), Ty::INT)];
        for variable in self.globals.iter().chain(&self.locals) {
            let name = &variable.name;
            match variable.shape {
                Shape::Scalar(ty) => texts.push((name.clone(), ty)),
                Shape::Array(ty, length) => {
                    texts.extend((0..length).map(|i| (format!("{name}[{i}]"), ty)));
                }
                Shape::Structure(number) => {
                    for path in &self.aggregates[number].paths {
                        for i in 0..path.length.unwrap_or(1) {
                            let path_text = path.text.replace('$', &i.to_string());
                            texts.push((format!("{name}{path_text}"), path.ty));
                        }
                    }
                }
                Shape::Pointer(Target::Scalar(ty)) => texts.push((format!("*{name}"), ty)),
                _ => {}
            }
        }
        let value = |(text, ty): (String, Ty)| match ty.is_float() {
            true => Node::int(format!("@whole({text})"), Vec::new()),
            false => Node::int(text, Vec::new()),
        };
        let mut values: Vec<Node> = texts.into_iter().map(value).collect();
        values.extend(self.layouts());
        if self.wanted.order {
            values.extend(Self::order_results());
        }
        values
    }

    /// Sizes, alignments and offsets of some of the structures.
    fn layouts(&mut self) -> Vec<Node> {
        let mut values = Vec::new();
        for aggregate in &self.aggregates {
            if self.random.chance(75) {
                let name = &aggregate.name;
                let mut texts = vec![format!("sizeof({name})"), format!("_Alignof({name})")];
                let offsets = aggregate.offsets.iter();
                texts.extend(offsets.map(|of| format!("__builtin_offsetof({name}, {of})")));
                values.extend(texts.into_iter().map(|text| Node::int(text, Vec::new())));
            }
        }
        values
    }
}
