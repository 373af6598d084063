//! Whole programs: definitions, functions, and a test function whose result an assertion is about.

use std::collections::BTreeMap;

use super::aggregate::{structure, union};
use super::construct::Construct;
use super::effect::{Effect, Flow, Region};
use super::generator::{Function, Generator, Wanted};
use super::scope::{Shape, Target, Variable};
use super::tree::{Kind, Node};
use super::types::Ty;
use crate::random::Random;

/// The functions that programs leave undefined.
const PRELUDE: &str = "extern void reach_error(void);\nextern void abort(void);\n\
    extern void __VERIFIER_assume(int);\n\
    extern void ext_number(long);\nextern void ext_pointer(void *);\n\
    struct ext_holder { int a; long n; };\nextern void ext_structure(struct ext_holder);\n";

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
    fn returned(&self) -> Vec<i64> {
        match self.source {
            Source::Guarded => self.values.clone(),
            Source::Chosen => vec![0, 1],
        }
    }
}

/// A program.
#[derive(Clone, Debug)]
pub struct Program {
    /// What it gets from outside, in this order.
    pub inputs: Vec<Input>,
    /// Its definitions, the test function last.
    pub root: Node,
    /// Whether it calls undefined functions that may change its variables.
    pub has_externals: bool,
}

impl Program {
    /// The program with this number of this seed.
    pub fn new(seed: u64, number: u64) -> Program {
        let mut random = Random::new(seed ^ number.wrapping_mul(0x2545_f491_4f6c_dd1d));
        random.bits();
        let wanted = Wanted {
            order: random.chance(26),
            comparisons: random.chance(13),
            externals: random.chance(7),
            floats: random.chance(35),
        };
        let mut generator = Generator {
            random: &mut random,
            wanted,
            aggregates: Vec::new(),
            globals: Vec::new(),
            locals: Vec::new(),
            functions: Vec::new(),
            // The numbers of the variables in `open`.
            n_names: 1,
            n_loops: 0,
        };
        generator.program()
    }

    /// Whether C or undefined functions leave its result open.
    pub fn is_open(&self) -> bool {
        Flow::of(&self.root).is_open
    }

    /// How often it shows each construct.
    pub fn constructs(&self) -> BTreeMap<Construct, usize> {
        let mut counts = BTreeMap::new();
        self.root.count(&mut counts);
        counts
    }

    /// What comes before programs, once in each file.
    pub fn prelude() -> String {
        let mut text = PRELUDE.to_string();
        for ty in (0..12).map(Ty).filter(|ty| ty.name() != "signed char") {
            text += &format!("extern {} __VERIFIER_nondet_{}(void);\n", ty.name(), ty.nondet());
        }
        text
    }

    /// The definitions, with this prefix for names at file scope.
    pub fn definitions(&self, prefix: &str) -> String {
        self.root.print(prefix)
    }

    /// The whole program, which reaches its error if the result is none of these.
    pub fn claiming(&self, results: &[u64]) -> String {
        let is_one = results.iter().map(|result| format!("r != {result}ULL"));
        let condition = is_one.collect::<Vec<_>>().join(" && ");
        let condition = if condition.is_empty() { "1".to_string() } else { condition };
        format!(
            "{}{}int main(void) {{\n    unsigned long long r = test();\n    if ({condition}) reach_error();\n    return 0;\n}}\n",
            Program::prelude(),
            self.definitions("")
        )
    }

    /// All combinations of the inputs' values.
    pub fn combinations(&self) -> Vec<Vec<i64>> {
        let mut all = vec![Vec::new()];
        for input in &self.inputs {
            let longer = |values: &Vec<i64>| {
                let one = |value: &i64| [&values[..], &[*value]].concat();
                input.returned().iter().map(one).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).collect();
        }
        all
    }
}

impl Generator<'_> {
    fn program(&mut self) -> Program {
        let mut items = vec![Node::item("enum @E { @E0, @E1 = -7, @E2 = 40 };\n", Vec::new())];
        items.push(Node::item("int @vc;\n", Vec::new()));
        let text =
            "static int @whole(double d) { return d > -1000 && d < 1000 ? (int) (d * 8) : 9; }\n";
        items.push(Node::item(text, Vec::new()));
        self.types(&mut items);
        items.extend(self.global_of(Shape::Scalar(Ty::INT)));
        for _ in 0..1 + self.random.below(4) {
            items.extend(self.global());
        }
        if self.wanted.order {
            items.extend(self.order_items());
        }
        for _ in 0..1 + self.random.below(2) {
            let function = self.function();
            items.push(function);
        }
        if self.random.chance(12) {
            let function = self.recursive();
            items.push(function);
        }
        if self.random.chance(50) {
            items.extend(self.global_of(Shape::Function));
        }
        let n_inputs = 1 + usize::from(self.random.chance(30));
        let inputs: Vec<Input> = (0..n_inputs).map(|_| self.input(n_inputs)).collect();
        items.push(self.test(&inputs));
        let root = Node::item("$*", items);
        Program { inputs, root, has_externals: self.wanted.externals }
    }

    fn types(&mut self, items: &mut Vec<Node>) {
        for number in 0..self.random.below(3) {
            let (aggregate, item) = structure(self.random, number, &self.aggregates);
            self.aggregates.push(aggregate);
            items.push(item);
        }
        if self.random.chance(40) {
            let (aggregate, item) = union(self.random, self.aggregates.len());
            self.aggregates.push(aggregate);
            items.push(item);
        }
    }

    fn input(&mut self, n_inputs: usize) -> Input {
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
        match self.random.chance(65) {
            true => Input { ty, values: values.take(2).collect(), source: Source::Chosen },
            false => Input { ty, values: values.collect(), source: Source::Guarded },
        }
    }

    /// A function with effects on variables at file scope and through its parameters.
    fn function(&mut self) -> Node {
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
        for _ in 0..1 + self.random.below(2) {
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
        let keep = |regions: &std::collections::BTreeSet<Region>| {
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
    fn recursive(&mut self) -> Node {
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

    /// The function whose result the assertion is about.
    fn test(&mut self, inputs: &[Input]) -> Node {
        self.locals.clear();
        let mut parts: Vec<Node> = inputs.iter().map(|input| self.read(input)).collect();
        for _ in 0..1 + self.random.below(3) {
            parts.extend(self.local());
        }
        let n_visible = self.locals.len();
        for _ in 0..1 + self.random.below(3) {
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
        for _ in 0..if self.wanted.comparisons { 2 + self.random.below(2) } else { 0 } {
            let node = self.unrelated();
            special(self, &mut parts, node);
        }
        for _ in 0..if self.wanted.externals { 1 } else { 0 } {
            let node = self.external();
            special(self, &mut parts, node);
        }
        if self.random.chance(8)
            && let Some(node) = self.round_trip()
        {
            parts.push(node);
        }
        let ty = *self.random.pick(&["unsigned", "unsigned", "unsigned long long"]);
        for value in self.results() {
            parts.push(Node::stmt(format!("r = r * 31 + ({ty}) $;\n"), vec![value]));
        }
        let text = format!("unsigned long long @test(void) {{\n{ty} r = 0;\n$*return r;\n}}\n");
        Node::item(text, parts)
    }

    /// Reads an input, and goes on only with its values.
    fn read(&mut self, input: &Input) -> Node {
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
        if self.wanted.order {
            values.extend(Self::order_results());
        }
        values
    }
}
