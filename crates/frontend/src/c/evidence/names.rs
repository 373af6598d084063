//! What the variables and addresses of the automaton are called in the program.

use std::fmt::Write;

use lapidary_expr::Var;
use lapidary_model::Inlined;
use rustc_hash::FxHashMap;

use crate::c::flat::{Flat, Object};
use crate::c::ir::Program;
use crate::c::lower::layout::{Layout, Leaf, function_address};
use crate::c::types::parts::Key;
use crate::c::types::{Rank, Type, TypeId, Types};

/// How the values of a variable are written.
#[derive(Clone, Debug)]
pub struct Written {
    /// What the program calls it; none if it is not one of the program's.
    pub name: Option<Vec<Part>>,
    /// What the values are.
    pub kind: Kind,
}

/// A part of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Text as it stands.
    Text(String),
    /// The index in an array of this length, if it has one. The indices of all arrays on the way are one number.
    Index(Option<u64>),
}

/// What values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Numbers with a sign.
    Signed,
    /// Numbers without.
    Unsigned,
    /// Letters.
    Char,
    /// The bits of floating numbers.
    Float,
    /// Addresses.
    Pointer,
}

/// Something that has an address.
#[derive(Clone, Debug)]
pub struct Target {
    /// The first address.
    pub address: i128,
    /// The number of bytes.
    pub size: u64,
    /// What the program calls it.
    pub name: String,
    /// Of an array, the distance of its elements.
    pub stride: Option<u64>,
    /// Whether it is a function.
    pub is_function: bool,
}

/// The names of variables and addresses.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// How the values of variables are written in C.
    pub written: FxHashMap<Var, Written>,
    /// What addresses are called, in their order.
    pub targets: Vec<Target>,
    /// The variables that hold the results of functions, with the names of the functions.
    pub results: FxHashMap<Var, String>,
}

/// What variables and addresses are called.
pub(in crate::c) fn names(
    program: &Program,
    flat: &Flat,
    layouts: &[Layout],
    inlined: &Inlined,
) -> Names {
    let mut names = Names::default();
    let types = &program.types;
    for (object, layout) in flat.objects.iter().zip(layouts) {
        for leaf in &layout.leaves {
            names.written.insert(leaf.var, written(types, object, leaf));
        }
        names.targets.extend(target(types, object, layout));
    }
    for (i, function) in program.functions.iter().enumerate() {
        names.targets.push(Target {
            address: i128::from(function_address(flat, types, i as u32)),
            size: 1,
            name: function.name.clone(),
            stride: None,
            is_function: true,
        });
    }
    names.targets.sort_by_key(|target| target.address);
    for procedure in &flat.procedures {
        let function = &program.functions[procedure.function as usize].name;
        let result = procedure.result.map(|result| &layouts[result.index()].leaves);
        let vars = result.into_iter().flatten().map(|leaf| (leaf.var, function.clone()));
        names.results.extend(vars);
    }
    for (var, other) in inlined.renamed() {
        if let Some(written) = names.written.get(&var).cloned() {
            names.written.insert(other, written);
        }
        if let Some(function) = names.results.get(&var).cloned() {
            names.results.insert(other, function);
        }
    }
    names
}

fn written(types: &Types, object: &Object, leaf: &Leaf) -> Written {
    let kind = match leaf.int.rank {
        Rank::Address => Kind::Pointer,
        Rank::Float => Kind::Float,
        Rank::Char if leaf.int.signed && leaf.int.width == 8 => Kind::Char,
        _ if leaf.int.signed => Kind::Signed,
        _ => Kind::Unsigned,
    };
    let is_plain = !leaf.is_union && leaf.mark.is_none() && object.region.is_none();
    let label = object.label.as_ref().filter(|_| is_plain);
    let name = label.and_then(|label| parts(types, label, object.ty, &leaf.keys));
    Written { name, kind }
}

/// The expression that stands for a part of an object.
fn parts(types: &Types, label: &str, ty: TypeId, keys: &[Key]) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    let (mut text, mut ty) = (label.to_owned(), ty);
    for key in keys {
        match (key, types.get(ty)) {
            (Key::Element, Type::Array(element, length)) => {
                parts.extend([Part::Text(std::mem::take(&mut text)), Part::Index(*length)]);
                ty = *element;
            }
            (Key::Member(i), Type::Array(element, _)) => {
                let _ = write!(text, "[{i}]");
                ty = *element;
            }
            (Key::Member(i), Type::Record(_)) => {
                let member = types.members(ty)?.get(*i as usize)?;
                // The members of an unnamed structure are reached without it.
                if !member.name.is_empty() {
                    let _ = write!(text, ".{}", member.name);
                }
                ty = member.ty;
            }
            _ => return None,
        }
    }
    parts.push(Part::Text(text));
    Some(parts)
}

fn target(types: &Types, object: &Object, layout: &Layout) -> Option<Target> {
    let name = object.label.clone().filter(|_| object.region.is_none())?;
    let stride = match types.get(object.ty) {
        Type::Array(element, _) => Some(types.size(*element)?),
        _ => None,
    };
    let size = types.size(object.ty)?;
    Some(Target { address: layout.address, size, name, stride, is_function: false })
}
