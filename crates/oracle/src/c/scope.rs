//! The variables that can be named at a place of a program, and the expressions that denote parts of them.

use super::aggregate::{Aggregate, Path};
use super::construct::Construct;
use super::tree::effect::{Effect, Region};
use super::tree::{Kind, Node};
use super::types::Ty;

/// What a pointer points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A number.
    Scalar(Ty),
    /// The start of an array of this length.
    Array(Ty, usize),
    /// A structure, by its number.
    Structure(usize),
}

/// What a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A number.
    Scalar(Ty),
    /// An array; its length is a power of two.
    Array(Ty, usize),
    /// A structure or union, by its number.
    Structure(usize),
    /// A pointer.
    Pointer(Target),
    /// A pointer to a pointer.
    Double(Target),
    /// A pointer to a function from `int` to `int`.
    Function,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its number in the program.
    pub id: u32,
    /// Its name, with `@` at file scope.
    pub name: String,
    /// What it is.
    pub shape: Shape,
    /// Whether pointers may point to it.
    pub is_taken: bool,
    /// Whether it lives as long as the program.
    pub is_static: bool,
    /// Whether statements may change it.
    pub is_constant: bool,
}

/// Something that can be read and written.
#[derive(Clone, Debug)]
pub struct Place {
    /// The expression; its effect is that of finding the place.
    pub node: Node,
    /// What a write to it changes.
    pub regions: Vec<Region>,
    /// Its type.
    pub ty: Ty,
    /// Its width, if it is a bit-field.
    pub width: Option<usize>,
    /// Whether it shares its bits with other members.
    pub is_in_union: bool,
}

impl Place {
    /// Its value. A field wider than `int` is converted, as compilers disagree about its type.
    pub fn value(self) -> Node {
        let is_wide = self.width.is_some_and(|width| width > 32);
        let kind = if self.ty.is_float() { Kind::Float } else { Kind::Int };
        let node = Node { kind, ..self.node }.with(&Effect::reads(&self.regions));
        match is_wide {
            true => Node::int(format!("(({}) $)", self.ty.name()), vec![node]),
            false => node,
        }
    }
}

/// The parts of memory that a pointer to this may point to.
pub fn pointed(target: Target, aggregates: &[Aggregate]) -> Vec<Region> {
    match target {
        Target::Scalar(ty) | Target::Array(ty, _) => vec![Region::Scalars(ty.0)],
        Target::Structure(number) => {
            let mut regions = vec![Region::Structures(number)];
            let parts = aggregates[number].paths.iter().map(|path| Region::Scalars(path.ty.0));
            regions.extend(parts);
            regions
        }
    }
}

impl Variable {
    /// The parts of memory that it is in.
    pub fn regions(&self, aggregates: &[Aggregate]) -> Vec<Region> {
        let mut regions = vec![Region::Variable(self.id)];
        if self.is_taken {
            regions.extend(match self.shape {
                Shape::Scalar(ty) => pointed(Target::Scalar(ty), aggregates),
                Shape::Array(ty, length) => pointed(Target::Array(ty, length), aggregates),
                Shape::Structure(number) => pointed(Target::Structure(number), aggregates),
                Shape::Pointer(_) | Shape::Double(_) | Shape::Function => vec![Region::Pointers],
            });
        }
        regions
    }

    /// Its value as a whole: a pointer or a structure.
    pub fn whole(&self, aggregates: &[Aggregate]) -> Node {
        Node::new(Kind::Fixed, self.name.clone(), Vec::new())
            .with(&Effect::reads(&self.regions(aggregates)))
    }

    /// What its use shows.
    pub fn marks(&self, aggregates: &[Aggregate]) -> Vec<Construct> {
        match self.shape {
            Shape::Scalar(ty) => vec![ty.construct()],
            Shape::Array(ty, _) => vec![ty.construct(), Construct::Array],
            Shape::Structure(number) => aggregates[number].marks.clone(),
            Shape::Pointer(Target::Structure(_)) => {
                vec![Construct::Pointer, Construct::PointerToStructure]
            }
            Shape::Pointer(_) => vec![Construct::Pointer],
            Shape::Double(_) => vec![Construct::PointerToPointer],
            Shape::Function => vec![Construct::FunctionPointer],
        }
    }

    /// Its declaration up to the name, as for `int (*p)`, and what follows the name.
    pub fn declarator(&self, aggregates: &[Aggregate]) -> String {
        let name = &self.name;
        let of = |target: Target| match target {
            Target::Scalar(ty) | Target::Array(ty, _) => ty.name().to_string(),
            Target::Structure(number) => aggregates[number].name.clone(),
        };
        match self.shape {
            Shape::Scalar(ty) => format!("{} {name}", ty.name()),
            Shape::Array(ty, length) => format!("{} {name}[{length}]", ty.name()),
            Shape::Structure(number) => format!("{} {name}", aggregates[number].name),
            Shape::Pointer(target) => format!("{} *{name}", of(target)),
            Shape::Double(target) => format!("{} **{name}", of(target)),
            Shape::Function => format!("int (*{name})(int)"),
        }
    }
}

/// The text of an array's element: its index is always within the array.
pub fn element(array: &str, length: usize) -> String {
    format!("{array}[($) & {}]", length - 1)
}

/// The text of a part of a structure.
pub fn member(structure: &str, path: &Path) -> String {
    match path.length {
        Some(length) => {
            format!("{structure}{}", path.text.replace("[$]", &element("", length)))
        }
        None => format!("{structure}{}", path.text),
    }
}
