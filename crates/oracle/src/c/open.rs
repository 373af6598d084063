//! Statements whose result C leaves unspecified, or undefined functions decide: only `safe` can be wrong for them.

use super::construct::Construct;
use super::generator::Generator;
use super::scope::{Shape, Variable};
use super::tree::effect::{Effect, Region};
use super::tree::{Kind, Node};
use super::types::Ty;

/// The definitions that the forms of evaluation order need.
const ORDER: &str = "int @vi = 1, @vx;\nint @vq[4];\nstruct @V { int a; } @vs, @vt;\n\
    struct @V *@vp = &@vs;\nint *@vr = &@vx;\n\
    static int @pair(int a, int b) { return a * 10 + b; }\n";

/// The parts of memory that they are in.
const MEMORY: Region = Region::Variable(0);

impl Generator<'_> {
    /// The definitions for [`Self::order`], with a function that changes what its caller reads.
    pub fn order_items(&mut self) -> Vec<Node> {
        let index = 2 + self.random.below(2);
        let value = 1 + self.random.below(5);
        let text = format!("static int @bump(void) {{\n$*return {value};\n}}\n");
        let changes = [
            format!("@vi = {index};\n"),
            "@vp = &@vt;\n".to_string(),
            "@vr = &@vq[3];\n".to_string(),
        ];
        let parts = changes.into_iter().map(|change| Node::stmt(change, Vec::new())).collect();
        vec![Node::item(ORDER, Vec::new()), Node::item(text, parts)]
    }

    /// A statement that depends on the order in which its operands are evaluated.
    pub fn order(&mut self) -> Node {
        let both = Effect {
            reads: [MEMORY].into_iter().collect(),
            writes: [MEMORY].into_iter().collect(),
        };
        let call = |this: &mut Self| {
            let node = Node { is_call: true, ..Node::int("@bump()", Vec::new()) };
            let node = node.with(&both).mark(Construct::CallWithEffect);
            match this.random.below(3) {
                0 => Node::int("($ + $)", vec![node, Node::int("1", Vec::new())]),
                _ => node,
            }
        };
        let read = |text: &str| Node::int(text, Vec::new()).with(&Effect::reads(&[MEMORY]));
        let seen = match self.random.below(4) {
            0 => read("@vp->a"),
            1 => read("*@vr"),
            _ => read("@vi"),
        };
        let called = call(self);
        let (parts, text, construct) = match self.random.below(14) {
            0 => (vec![seen, called], "if ($ < $) @vx += 5;\n", Construct::OrderComparison),
            1 => (vec![called, seen], "if ($ == $) @vx += 5;\n", Construct::OrderComparison),
            2 => (vec![seen, called], "@vx = $ + $ * 10;\n", Construct::OrderArithmetic),
            3 => (vec![called, seen], "@vx = $ * 10 - $;\n", Construct::OrderArithmetic),
            4 => (vec![seen, called], "@vx += @pair($, $);\n", Construct::OrderArguments),
            5 => (vec![called, seen], "@vx += @pair($, $);\n", Construct::OrderArguments),
            6 => (vec![read("@vp"), called], "$->a = $;\n", Construct::OrderMember),
            7 => (vec![read("@vr"), called], "*$ = $;\n", Construct::OrderMember),
            8 | 12 => (vec![seen, called], "@vq[$ & 3] = $;\n", Construct::OrderElement),
            9 | 13 => (vec![read("@vi"), called], "$ += $;\n", Construct::OrderCompound),
            10 => {
                let text = "{\nint q[2] = { $, $ };\n@vx = q[0] * 10 + q[1];\n}\n";
                (vec![seen, called], text, Construct::OrderInitialiser)
            }
            _ => {
                let text = "{\nstruct { char a; int b; } q = { $, $ };\n@vx = q.a - q.b * 3;\n}\n";
                (vec![called, seen], text, Construct::OrderInitialiser)
            }
        };
        let mut whole = Node::new(Kind::Stmt, text, parts).mark(construct).with(&both);
        if construct == Construct::OrderMember || construct == Construct::OrderCompound {
            whole.parts[0].kind = Kind::Fixed;
        }
        whole
    }

    /// What the forms of evaluation order changed.
    pub fn order_results() -> Vec<Node> {
        ["@vi", "@vx", "@vq[0]", "@vq[1]", "@vq[2]", "@vq[3]", "@vs.a", "@vt.a", "*@vr"]
            .map(|text| Node::int(text, Vec::new()))
            .into()
    }

    /// A comparison of pointers to different objects, of one of three kinds; its result is in a variable.
    pub fn unrelated(&mut self, kind: usize) -> Node {
        let is_object = |v: &Variable| {
            matches!(v.shape, Shape::Scalar(_) | Shape::Array(..) | Shape::Structure(_))
        };
        let local = self.random.chance(40);
        let fits = |v: &Variable| is_object(v) && (v.is_static != local);
        let a = self.variable(fits).or_else(|| self.variable(is_object));
        let a = a.expect("there is always a global number");
        let b = self.variable(|v| fits(v) && v.id != a.id);
        let b = b.or_else(|| self.variable(|v| is_object(v) && v.id != a.id));
        let b = b.map_or_else(|| "@vc".to_string(), |b| b.name);
        let a = a.name;
        let (condition, construct) = match kind {
            0 => {
                let op = *self.random.pick(&["==", "!="]);
                let condition = match self.random.chance(50) {
                    true => format!("(char *) (&{a} + 1) {op} (char *) &{b}"),
                    false => format!("(void *) &{a} {op} (void *) (&{b} + 1)"),
                };
                (condition, Construct::OnePastEquality)
            }
            1 => {
                let op = *self.random.pick(&["<", "<=", ">", ">="]);
                let condition = match self.random.below(10) {
                    0..=5 => format!("(char *) &{a} {op} (char *) &{b}"),
                    6..=8 => format!("(char *) &{a} - (char *) &{b} > 0"),
                    _ => format!("(unsigned long) &{a} < (unsigned long) &{b}"),
                };
                (condition, Construct::UnrelatedOrder)
            }
            _ => {
                let (one, other) = *self.random.pick(&[
                    ("\"ab\"", "\"ab\""),
                    ("\"ab\"", "(\"cab\" + 1)"),
                    ("\"\"", "\"\""),
                ]);
                (format!("{one} == {other}"), Construct::StringEquality)
            }
        };
        let value = Node::int(condition, Vec::new()).open().mark(construct);
        Node::stmt("@vc = @vc * 2 + ($);\n", vec![value])
    }

    /// A call of an undefined function that is given an address, maybe as a number.
    pub fn external(&mut self) -> Node {
        let is_int = |v: &Variable| v.is_taken && v.shape == Shape::Scalar(Ty::INT);
        let name = match self.variable(is_int) {
            Some(variable) => variable.name,
            None => "@vc".to_string(),
        };
        let number = self.fresh();
        let (text, construct) = match self.random.below(9) {
            0 if self.random.chance(50) => {
                (format!("ext_pointer(&{name});\n"), Construct::AddressToExternal)
            }
            1 if self.random.chance(50) => (
                format!("{{\nchar *n{number} = (char *) &{name};\next_pointer(n{number});\n}}\n"),
                Construct::AddressToExternal,
            ),
            2 => (format!("ext_number((long) &{name});\n"), Construct::NumberToExternal),
            3 => (
                format!(
                    "{{\nunsigned long n{number} = (unsigned long) &{name};\next_number(n{number} + 4 - 4);\n}}\n"
                ),
                Construct::NumberToExternal,
            ),
            4 => (
                format!(
                    "{{\nstruct ext_holder n{number} = {{ 1, (long) &{name} }};\next_structure(n{number});\n}}\n"
                ),
                Construct::NumberToExternal,
            ),
            5 => (
                format!(
                    "{{\nstruct ext_holder n{number};\nn{number}.a = 2;\nn{number}.n = (long) &{name};\next_number(n{number}.n);\n}}\n"
                ),
                Construct::NumberToExternal,
            ),
            6 => (
                format!(
                    "{{\nlong long n{number}[2] = {{ 0, (long) &{name} }};\next_number(n{number}[1]);\n}}\n"
                ),
                Construct::NumberToExternal,
            ),
            _ => (
                format!("{{\nlong n{number} = (long) &{name};\next_number(n{number});\n}}\n"),
                Construct::NumberToExternal,
            ),
        };
        let node = Node::stmt(text, Vec::new()).open().mark(Construct::AddressToExternal);
        match construct {
            Construct::NumberToExternal => node.mark(construct).mark(Construct::AddressAsNumber),
            _ => node,
        }
    }

    /// An address that becomes a number and a pointer again.
    pub fn round_trip(&mut self) -> Option<Node> {
        let ty = Ty::any_int(self.random);
        let variable = self.variable(|v| v.is_taken && v.shape == Shape::Scalar(ty))?;
        let (number, name, ty) = (self.fresh(), variable.name.clone(), ty.name());
        let value = self.decided(|this| Some(this.int(1)), Node::int("3", Vec::new()));
        let text = format!(
            "{{\nunsigned long n{number} = (unsigned long) &{name};\n*({ty} *) n{number} = $;\n}}\n"
        );
        let effect = Effect::writes(&variable.regions(&self.aggregates));
        Some(Node::stmt(text, vec![value]).with(&effect).mark(Construct::AddressAsNumber))
    }
}
