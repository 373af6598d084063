//! Whole programs: definitions, functions, and a test function whose result an assertion is about.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::aggregate::{structure, union};
use super::construct::Construct;
use super::generator::{Generator, Wanted};
use super::input::Input;
use super::scope::Shape;
use super::tree::Node;
use super::tree::effect::Flow;
use super::types::Ty;
use crate::random::Random;

/// The functions that programs leave undefined.
const PRELUDE: &str = "extern void reach_error(void);\nextern void abort(void);\n\
    extern void __VERIFIER_assume(int);\n\
    extern void ext_number(long);\nextern void ext_pointer(void *);\n\
    struct ext_holder { int a; long n; };\nextern void ext_structure(struct ext_holder);\n";

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
            comparisons: random.chance(8),
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
            n_repeats: 0,
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
            let _ = writeln!(text, "extern {} __VERIFIER_nondet_{}(void);", ty.name(), ty.nondet());
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
        let definitions = self.definitions("");
        format!(
            "{}{}int main(void) {{\n    unsigned long long r = test();\n    if ({condition}) reach_error();\n    return 0;\n}}\n",
            Program::declarations(&definitions),
            definitions
        )
    }

    /// The part of the prelude that these definitions use.
    fn declarations(definitions: &str) -> String {
        let is_used = |line: &&str| {
            let name = line.split('(').next().and_then(|text| text.split(' ').next_back());
            let name = name.unwrap_or_default();
            let name = if line.starts_with("struct") { "ext_holder" } else { name };
            name == "reach_error" || definitions.contains(name)
        };
        let prelude = Program::prelude();
        prelude.lines().filter(is_used).flat_map(|line| [line, "\n"]).collect()
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
        for _ in 0..=self.random.below(4) {
            items.extend(self.global());
        }
        if self.wanted.order {
            items.extend(self.order_items());
        }
        for _ in 0..=self.random.below(2) {
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
}
