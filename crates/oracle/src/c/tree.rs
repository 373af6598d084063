//! Syntax trees of C programs: texts with holes, so that one printer and one shrinker serve every construct.

pub mod effect;

use std::collections::BTreeMap;

use super::construct::Construct;
use effect::Effect;

/// What a node is, and so what the shrinker may put in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An expression with an integer value.
    Int,
    /// An expression with a floating value.
    Float,
    /// An expression that only something of the same type can replace: a pointer, a structure, a place to write to.
    Fixed,
    /// A statement.
    Stmt,
    /// A definition at file scope, or a member of a structure.
    Item,
}

/// Whether C fixes the order in which the parts of a node are evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// From the first to the last.
    Sequenced,
    /// In any order.
    Unsequenced,
}

/// A construct of C: a text in which `$` stands for the next part, `$*` for all that are left,
/// and `@` for the prefix of names at file scope.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// Its text.
    pub text: String,
    /// What the holes of the text stand for.
    pub parts: Vec<Node>,
    /// What it does itself, after its parts.
    pub effect: Effect,
    /// Whether its own effect is that of a called function.
    pub is_call: bool,
    /// The order of its parts.
    pub order: Order,
    /// What it shows of the language.
    pub marks: Vec<Construct>,
    /// Whether C, or the model, leaves its value open.
    pub is_open: bool,
}

impl Node {
    /// A node whose parts have no fixed order.
    pub fn new(kind: Kind, text: impl Into<String>, parts: Vec<Node>) -> Node {
        let effect = Effect::default();
        let (text, order) = (text.into(), Order::Unsequenced);
        Node { kind, text, parts, effect, is_call: false, order, marks: Vec::new(), is_open: false }
    }

    /// A statement; its parts are in order.
    pub fn stmt(text: impl Into<String>, parts: Vec<Node>) -> Node {
        Node::new(Kind::Stmt, text, parts).sequenced()
    }

    /// An item; its parts are in order.
    pub fn item(text: impl Into<String>, parts: Vec<Node>) -> Node {
        Node::new(Kind::Item, text, parts).sequenced()
    }

    /// An expression with an integer value.
    pub fn int(text: impl Into<String>, parts: Vec<Node>) -> Node {
        Node::new(Kind::Int, text, parts)
    }

    /// The same, with parts in order.
    #[must_use]
    pub fn sequenced(mut self) -> Node {
        self.order = Order::Sequenced;
        self
    }

    /// The same, as an example of a construct.
    #[must_use]
    pub fn mark(mut self, construct: Construct) -> Node {
        self.marks.push(construct);
        self
    }

    /// The same, with an effect.
    #[must_use]
    pub fn with(mut self, effect: &Effect) -> Node {
        self.effect.join(effect);
        self
    }

    /// The same, with a value that is unspecified in C or in the model.
    #[must_use]
    pub fn open(mut self) -> Node {
        self.is_open = true;
        self
    }

    /// The text of the tree, indented, with this prefix for names at file scope.
    pub fn print(&self, prefix: &str) -> String {
        let mut text = String::new();
        self.write(prefix, &mut text);
        indented(&text)
    }

    fn write(&self, prefix: &str, out: &mut String) {
        let mut parts = self.parts.iter();
        let mut letters = self.text.chars().peekable();
        while let Some(letter) = letters.next() {
            match letter {
                '@' => out.push_str(prefix),
                '$' if letters.next_if_eq(&'*').is_some() => {
                    parts.by_ref().for_each(|part| part.write(prefix, out));
                }
                '$' => parts.next().expect("a part for each hole").write(prefix, out),
                _ => out.push(letter),
            }
        }
    }

    /// Whether any number of its parts may be missing.
    pub fn is_list(&self) -> bool {
        self.text.contains("$*")
    }

    /// How many parts are not in the list.
    pub fn n_fixed(&self) -> usize {
        let holes = self.text.matches('$').count();
        if self.is_list() { holes - 1 } else { holes }
    }

    /// How many nodes of the tree show each construct.
    pub fn count(&self, counts: &mut BTreeMap<Construct, usize>) {
        for mark in &self.marks {
            *counts.entry(*mark).or_default() += 1;
        }
        self.parts.iter().for_each(|part| part.count(counts));
    }

    /// How many nodes there are.
    pub fn size(&self) -> usize {
        1 + self.parts.iter().map(Node::size).sum::<usize>()
    }
}

/// The lines of a text, indented by the braces around them.
fn indented(text: &str) -> String {
    let (mut out, mut depth) = (String::new(), 0usize);
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let closing = line.chars().take_while(|letter| *letter == '}').count();
        out.push_str(&"    ".repeat(depth.saturating_sub(closing)));
        out.push_str(line);
        out.push('\n');
        let (opened, closed) = (line.matches('{').count(), line.matches('}').count());
        depth = (depth + opened).saturating_sub(closed);
    }
    out
}
