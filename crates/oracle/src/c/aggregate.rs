//! Structures and unions: members of all kinds, bit-fields, attributes.

use super::construct::Construct;
use super::tree::{Kind, Node};
use super::types::Ty;
use crate::random::Random;

/// A structure or union type.
#[derive(Clone, Debug)]
pub struct Aggregate {
    /// `struct @S0`.
    pub name: String,
    /// Its scalar parts.
    pub paths: Vec<Path>,
    /// Whether it is a union or has one inside.
    pub has_union: bool,
    /// Whether it is packed, so that its members have no addresses of their own.
    pub is_packed: bool,
    /// Names of members with an offset, for `offsetof`.
    pub offsets: Vec<String>,
    /// What a variable of it shows.
    pub marks: Vec<Construct>,
}

/// A scalar part of an aggregate.
#[derive(Clone, Debug)]
pub struct Path {
    /// The text after the variable: `.a.b[$]`.
    pub text: String,
    /// The length of the array that it indexes, a power of two.
    pub length: Option<usize>,
    /// Its type.
    pub ty: Ty,
    /// Its width, if it is a bit-field.
    pub width: Option<usize>,
    /// Whether it is in a union.
    pub is_in_union: bool,
}

impl Path {
    /// Whether it is a bit-field wider than `int`.
    pub fn is_wide(&self) -> bool {
        self.width.is_some_and(|width| width > 32)
    }
}

/// A structure, and its definition; earlier ones may be inside.
pub fn structure(random: &mut Random, number: usize, earlier: &[Aggregate]) -> (Aggregate, Node) {
    let mut new = Aggregate {
        name: format!("struct @S{number}"),
        paths: Vec::new(),
        has_union: false,
        is_packed: random.chance(25),
        offsets: Vec::new(),
        marks: vec![Construct::Structure],
    };
    let has_bits = random.chance(55);
    // Fields wider than `int` after members that are smaller: data models place them differently.
    let has_wide = has_bits && random.chance(40);
    let mut members = Vec::new();
    for i in 0..2 + random.below(4) {
        let name = format!("m{i}");
        let member = match random.below(10) {
            0 if !earlier.is_empty() => nested(random, &name, earlier, &mut new),
            1 => array(random, &name, &mut new),
            2..=4 if has_wide => {
                let (ty, width) = (Ty(10 + random.below(2)), 33 + random.below(28));
                field(ty, width, &name, &mut new)
            }
            2..=6 if has_bits => bits(random, &name, &mut new),
            _ => scalar(random, &name, &mut new),
        };
        members.push(member);
    }
    // At least one member has a name, no width, and an integer.
    let last = Ty::any_int(random);
    members.push(scalar_of(last, "last", &mut new));
    let mut attributes = Vec::new();
    if new.is_packed {
        attributes.push("packed".to_string());
        new.marks.push(Construct::Packed);
    }
    if random.chance(20) {
        attributes.push(format!("aligned({})", 1 << random.below(5)));
        new.marks.push(Construct::Aligned);
    }
    let attributes = match attributes.is_empty() {
        true => String::new(),
        false => format!("__attribute__(({})) ", attributes.join(", ")),
    };
    let text = format!("struct {attributes}@S{number} {{\n$*}};\n");
    let node = Node { marks: new.marks.clone(), ..Node::item(text, members) };
    (new, node)
}

/// A union: a wide number first, which initialises all of it, and views of its bytes.
pub fn union(random: &mut Random, number: usize) -> (Aggregate, Node) {
    let mut new = Aggregate {
        name: format!("union @U{number}"),
        paths: Vec::new(),
        has_union: true,
        is_packed: false,
        offsets: vec!["all".to_string()],
        marks: vec![Construct::Union],
    };
    let mut members = vec![Node::item("unsigned long long all;\n", Vec::new())];
    new.paths.push(path(".all", None, Ty::ULLONG, None));
    for i in 0..=random.below(3) {
        let name = format!("v{i}");
        let member = match random.below(5) {
            0 => {
                let (length, ty) =
                    *random.pick(&[(8, Ty(5)), (4, Ty(6)), (2, Ty::INT), (8, Ty(3))]);
                new.paths.push(path(&format!(".{name}[$]"), Some(length), ty, None));
                Node::item(format!("{} {name}[{length}];\n", ty.name()), Vec::new())
                    .mark(Construct::Array)
            }
            1 => {
                let (fields, inner) = fields_of_union(random, &new);
                new.paths.extend(
                    inner
                        .paths
                        .into_iter()
                        .map(|inner| Path { text: format!(".{name}{}", inner.text), ..inner }),
                );
                let packed = *random.pick(&["", "", "__attribute__((packed)) "]);
                Node::item(format!("struct {packed}{{\n$*}} {name};\n"), fields)
            }
            2 => scalar_of(Ty::any_float(random), &name, &mut new),
            _ => scalar(random, &name, &mut new),
        };
        members.push(member);
    }
    // What a `_Bool` means that is neither 0 nor 1 is not defined.
    new.paths.retain(|path| path.ty.construct() != Construct::Bool);
    new.paths.iter_mut().for_each(|path| path.is_in_union = true);
    let node = Node::item(format!("union @U{number} {{\n$$*}};\n"), members);
    (new.clone(), Node { marks: new.marks, ..node })
}

/// Fields that stay within the eight bytes that a union is initialised with.
fn fields_of_union(random: &mut Random, new: &Aggregate) -> (Vec<Node>, Aggregate) {
    let (fields, inner) = loop {
        let mut inner = Aggregate { paths: Vec::new(), ..new.clone() };
        let n_fields = 1 + random.below(2);
        let fields = (0..n_fields).map(|k| bits(random, &format!("b{k}"), &mut inner));
        let fields: Vec<Node> = fields.collect();
        let width: usize = inner.paths.iter().filter_map(|path| path.width).sum();
        let is_named = inner.paths.len() == fields.len();
        if is_named && (width <= 24 || (fields.len() == 1 && width <= 61)) {
            break (fields, inner);
        }
    };
    let last = Node::item("unsigned last : 3;\n", Vec::new());
    (fields.into_iter().chain([last]).collect(), inner)
}

fn path(text: &str, length: Option<usize>, ty: Ty, width: Option<usize>) -> Path {
    Path { text: text.into(), length, ty, width, is_in_union: false }
}

fn scalar(random: &mut Random, name: &str, new: &mut Aggregate) -> Node {
    let ty = if random.chance(8) { Ty::any_float(random) } else { Ty::any_int(random) };
    scalar_of(ty, name, new)
}

fn scalar_of(ty: Ty, name: &str, new: &mut Aggregate) -> Node {
    new.paths.push(path(&format!(".{name}"), None, ty, None));
    new.offsets.push(name.to_string());
    Node::item(format!("{} {name};\n", ty.name()), Vec::new()).mark(ty.construct())
}

fn array(random: &mut Random, name: &str, new: &mut Aggregate) -> Node {
    let (ty, length) = (Ty::any_int(random), 1 << (1 + random.below(2)));
    new.paths.push(path(&format!(".{name}[$]"), Some(length), ty, None));
    new.offsets.push(name.to_string());
    Node::item(format!("{} {name}[{length}];\n", ty.name()), Vec::new())
        .mark(ty.construct())
        .mark(Construct::Array)
}

fn nested(random: &mut Random, name: &str, earlier: &[Aggregate], new: &mut Aggregate) -> Node {
    let inner = random.pick(earlier);
    new.paths.extend(
        inner
            .paths
            .iter()
            .map(|inner| Path { text: format!(".{name}{}", inner.text), ..inner.clone() }),
    );
    new.has_union |= inner.has_union;
    new.is_packed |= inner.is_packed;
    new.offsets.push(name.to_string());
    Node::item(format!("{} {name};\n", inner.name), Vec::new()).mark(Construct::Nested)
}

/// A bit-field; some have no name or no width.
fn bits(random: &mut Random, name: &str, new: &mut Aggregate) -> Node {
    // Types and the widths that they have in both data models.
    const TYPES: [(Ty, usize); 12] = [
        (Ty(10), 64),
        (Ty(11), 64),
        (Ty(0), 32),
        (Ty(1), 32),
        (Ty(1), 32),
        (Ty(2), 1),
        (Ty(4), 8),
        (Ty(5), 8),
        (Ty(6), 16),
        (Ty(7), 16),
        (Ty(10), 64),
        (Ty(11), 64),
    ];
    let (ty, most) = *random.pick(&TYPES);
    let text = ty.name();
    if random.chance(18) {
        let item = Node::item(format!("{text} : 0;\n"), Vec::new());
        return item.mark(Construct::ZeroWidth).mark(Construct::BitField);
    }
    let width = match random.below(3) {
        _ if most == 64 && random.chance(40) => 33 + random.below(31),
        0 => 1 + random.below(most),
        1 => most - random.below(most.min(4)),
        _ => 1 + random.below(most.min(12)),
    };
    if random.chance(8) {
        return Node { kind: Kind::Item, ..Node::item(format!("{text} : {width};\n"), Vec::new()) }
            .mark(Construct::BitField);
    }
    field(ty, width, name, new)
}

/// A bit-field with a name.
fn field(ty: Ty, width: usize, name: &str, new: &mut Aggregate) -> Node {
    let text = ty.name();
    new.paths.push(path(&format!(".{name}"), None, ty, Some(width)));
    let node = Node::item(format!("{text} {name} : {width};\n"), Vec::new());
    let node = node.mark(Construct::BitField).mark(ty.construct());
    if width > 32 { node.mark(Construct::WideBitField) } else { node }
}
