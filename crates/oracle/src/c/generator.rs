//! The state of the generator: what is defined so far, and choices among it.

use super::aggregate::Aggregate;
use super::construct::Construct;
use super::scope::{Place, Shape, Target, Variable, element, member, pointed};
use super::tree::effect::{Effect, Region};
use super::tree::{Kind, Node};
use super::types::Ty;
use crate::random::Random;

/// A function of the program.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name, with `@`.
    pub name: String,
    /// The type of its result.
    pub result: Ty,
    /// What its parameters are.
    pub params: Vec<Shape>,
    /// What it does to variables that others know.
    pub effect: Effect,
    /// Whether it returns something that C leaves unspecified.
    pub is_open: bool,
}

impl Function {
    /// Whether pointers to functions may point to it.
    pub fn is_plain(&self) -> bool {
        self.result == Ty::INT && self.params == [Shape::Scalar(Ty::INT)]
    }
}

/// Which constructs one program has; all programs with all constructs would be too large to be decided.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is chosen by itself")]
pub struct Wanted {
    /// Evaluation order may matter.
    pub order: bool,
    /// Pointers to different objects are compared.
    pub comparisons: bool,
    /// Addresses are given to undefined functions.
    pub externals: bool,
    /// Floating point.
    pub floats: bool,
}

/// What is known while a program is made.
pub struct Generator<'r> {
    /// Where decisions come from.
    pub random: &'r mut Random,
    /// What the program has.
    pub wanted: Wanted,
    /// The structures and unions so far.
    pub aggregates: Vec<Aggregate>,
    /// The variables at file scope.
    pub globals: Vec<Variable>,
    /// The variables of the function that is being made.
    pub locals: Vec<Variable>,
    /// The functions so far.
    pub functions: Vec<Function>,
    /// How many names were made.
    pub n_names: u32,
    /// How deep in loops the statement is.
    pub n_loops: usize,
    /// How deep in loops and backward jumps; only the outermost repeat something, so that paths stay short.
    pub n_repeats: usize,
}

impl Generator<'_> {
    /// A number that is not used in other names.
    pub fn fresh(&mut self) -> u32 {
        self.n_names += 1;
        self.n_names
    }

    /// One of the variables for which the question is answered with yes.
    pub fn variable(&mut self, fits: impl Fn(&Variable) -> bool) -> Option<Variable> {
        let all = self.globals.iter().chain(&self.locals);
        let found: Vec<&Variable> = all.filter(|variable| fits(variable)).collect();
        if found.is_empty() { None } else { Some((*self.random.pick(&found)).clone()) }
    }

    /// A part of memory with an integer in it.
    pub fn int_place(&mut self) -> Place {
        (0..20).find_map(|_| self.place(false, false)).expect("there is always a global number")
    }

    /// One that may be written to.
    pub fn int_target(&mut self) -> Place {
        (0..20).find_map(|_| self.place(false, true)).expect("there is always a global number")
    }

    /// A part of memory with a floating number in it.
    pub fn float_place(&mut self, is_written: bool) -> Option<Place> {
        (0..6).find_map(|_| self.place(true, is_written))
    }

    /// A variable or a part of one, or what a pointer points to; none if the one that was chosen has nothing that fits.
    fn place(&mut self, is_float: bool, is_written: bool) -> Option<Place> {
        let variable = self.variable(|v| {
            v.shape != Shape::Function
                && !(is_written && v.is_constant && matches!(v.shape, Shape::Scalar(_)))
        })?;
        let regions = variable.regions(&self.aggregates);
        let marks = variable.marks(&self.aggregates);
        let name = &variable.name;
        let place = match variable.shape {
            Shape::Scalar(ty) => Self::scalar(name, ty, is_float, regions),
            Shape::Array(ty, length) => self.element(&element(name, length), ty, is_float, regions),
            Shape::Structure(number) => self.member(name, number, is_float, regions),
            Shape::Pointer(target) | Shape::Double(target) => {
                let is_double = matches!(variable.shape, Shape::Double(_));
                let pointer = if is_double { format!("(*{name})") } else { name.clone() };
                let to = pointed(target, &self.aggregates);
                let mut place = match target {
                    Target::Scalar(ty) => Self::scalar(&format!("*{pointer}"), ty, is_float, to),
                    Target::Array(ty, length) => {
                        let text = match self.random.chance(50) {
                            true => element(&pointer, length),
                            false => format!("*({pointer} + (($) & {}))", length - 1),
                        };
                        self.element(&text, ty, is_float, to)
                    }
                    Target::Structure(number) => {
                        let text = format!("(*{pointer})");
                        self.member(&text, number, is_float, to)
                    }
                }?;
                let mut found = Effect::reads(&regions);
                if is_double {
                    found.join(&Effect::reads(&[Region::Pointers]));
                }
                place.node = arrow(place.node).with(&found);
                Some(place)
            }
            Shape::Function => None,
        };
        place.map(|mut place| {
            place.node.marks.extend(marks);
            place
        })
    }

    fn scalar(text: &str, ty: Ty, is_float: bool, regions: Vec<Region>) -> Option<Place> {
        let text = if text.starts_with('*') { format!("({text})") } else { text.into() };
        let node = Node::new(Kind::Fixed, text, Vec::new());
        (ty.is_float() == is_float).then_some(Place {
            node,
            regions,
            ty,
            width: None,
            is_in_union: false,
        })
    }

    fn element(
        &mut self,
        text: &str,
        ty: Ty,
        is_float: bool,
        regions: Vec<Region>,
    ) -> Option<Place> {
        if ty.is_float() != is_float {
            return None;
        }
        let index = self.int_leaf();
        let text = if text.starts_with('*') { format!("({text})") } else { text.into() };
        let node = Node::new(Kind::Fixed, text, vec![index]);
        Some(Place { node, regions, ty, width: None, is_in_union: false })
    }

    fn member(
        &mut self,
        text: &str,
        number: usize,
        is_float: bool,
        regions: Vec<Region>,
    ) -> Option<Place> {
        let paths = &self.aggregates[number].paths;
        let fitting: Vec<_> = paths.iter().filter(|path| path.ty.is_float() == is_float).collect();
        if fitting.is_empty() {
            return None;
        }
        let path = (*self.random.pick(&fitting)).clone();
        // Computed indices into unions are rarely modelled.
        let index = |this: &mut Self| match path.is_in_union && this.random.chance(85) {
            true => Node::int(this.random.below(8).to_string(), Vec::new()),
            false => this.int_leaf(),
        };
        let parts = path.length.map(|_| index(self)).into_iter().collect();
        let mut node = Node::new(Kind::Fixed, member(text, &path), parts).mark(path.ty.construct());
        if path.width.is_some() {
            node = node.mark(Construct::BitField);
        }
        let (width, is_in_union) = (path.width, path.is_in_union);
        Some(Place { node, regions, ty: path.ty, width, is_in_union })
    }

    /// An address for a pointer. What lives as long as the program points only to what does so, too.
    pub fn address(&mut self, target: Target, is_static: bool) -> Option<Node> {
        let fits = |v: &Variable| v.is_static || !is_static;
        if self.random.chance(25)
            && let Some(other) = self.variable(|v| v.shape == Shape::Pointer(target) && fits(v))
        {
            return Some(other.whole(&self.aggregates).mark(Construct::Pointer));
        }
        let packed: Vec<bool> = self.aggregates.iter().map(|a| a.is_packed).collect();
        let variable = self.variable(|v| {
            v.is_taken
                && fits(v)
                && match (target, v.shape) {
                    (Target::Scalar(a), Shape::Scalar(b) | Shape::Array(b, _)) => a == b,
                    (Target::Array(a, n), Shape::Array(b, m)) => (a, n) == (b, m),
                    (Target::Structure(a), Shape::Structure(b)) => a == b,
                    (Target::Scalar(_), Shape::Structure(b)) => !packed[b],
                    _ => false,
                }
        })?;
        let name = &variable.name;
        let node = match (target, variable.shape) {
            (Target::Scalar(_), Shape::Array(_, length)) => {
                let index = self.int_leaf();
                Node::new(Kind::Fixed, format!("&{}", element(name, length)), vec![index])
            }
            (Target::Scalar(ty), Shape::Structure(number)) => {
                let mut paths = self.aggregates[number].paths.iter();
                let path = paths.rfind(|path| path.ty == ty && path.width.is_none());
                let path = path?.clone();
                let parts = path.length.map(|_| self.int_leaf()).into_iter().collect();
                Node::new(Kind::Fixed, format!("&{}", member(name, &path)), parts)
            }
            (Target::Array(..), _) => Node::new(Kind::Fixed, name.clone(), Vec::new()),
            _ => Node::new(Kind::Fixed, format!("&{name}"), Vec::new()),
        };
        let node = node.mark(Construct::Pointer);
        Some(if variable.is_static { node } else { node.mark(Construct::AddressTakenLocal) })
    }

    /// A kind of thing that pointers can point to here.
    pub fn target(&mut self, is_static: bool) -> Option<Target> {
        let variable = self.variable(|v| {
            v.is_taken
                && (v.is_static || !is_static)
                && matches!(v.shape, Shape::Scalar(_) | Shape::Array(..) | Shape::Structure(_))
        })?;
        Some(match variable.shape {
            Shape::Array(ty, length) if self.random.chance(70) => Target::Array(ty, length),
            Shape::Scalar(ty) | Shape::Array(ty, _) => Target::Scalar(ty),
            Shape::Structure(number) => Target::Structure(number),
            _ => return None,
        })
    }
}

/// `p->a` for `(*p).a`, where that is the text.
fn arrow(mut node: Node) -> Node {
    if let Some(rest) = node.text.strip_prefix("(*")
        && let Some((pointer, path)) = rest.split_once(").")
        && !pointer.contains(['(', ')'])
    {
        node.text = format!("{pointer}->{path}");
    }
    node
}
