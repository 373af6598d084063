//! Values and places as they are written in C, for reports.

use crate::c::flat::{Flat, Place, Root, Step, Value, ValueKind};
use crate::c::ir::{Binary, STRING, Unary};
use crate::c::types::{TypeId, Types};

/// Longer texts are cut.
const LONGEST: usize = 80;

/// How tightly an operator binds; larger numbers bind tighter.
type Binding = u8;
const OPERAND: Binding = 20;
const PREFIX: Binding = 15;

/// The text of a value.
pub(in crate::c) fn value(flat: &Flat, types: &Types, value: &Value) -> String {
    cut(Writer { flat, types }.value(value).0)
}

/// The text of a place.
pub(in crate::c) fn place(flat: &Flat, types: &Types, place: &Place) -> String {
    cut(Writer { flat, types }.place(place).0)
}

/// The text of what a pointer points to.
pub(in crate::c) fn pointed(flat: &Flat, types: &Types, pointer: &Value) -> String {
    let root = Root::Pointer(Box::new(pointer.clone()));
    cut(Writer { flat, types }.part(&root, &[]).0)
}

fn cut(text: String) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

struct Writer<'a> {
    flat: &'a Flat,
    types: &'a Types,
}

/// A text, and how tightly its outermost operator binds.
type Text = (String, Binding);

impl Writer<'_> {
    fn value(&self, value: &Value) -> Text {
        match &value.kind {
            ValueKind::Int(number) => match *number < 0 {
                true => (number.to_string(), PREFIX),
                false => (number.to_string(), OPERAND),
            },
            ValueKind::Load(place) => self.place(place),
            ValueKind::Address(place) => self.address(place),
            ValueKind::Function(_) => ("function".into(), OPERAND),
            ValueKind::Unary(op, a) => {
                let op = match op {
                    Unary::Neg | Unary::Back => "-",
                    Unary::Not => "~",
                    Unary::Zero => "!",
                };
                (format!("{op}{}", inside(self.value(a), PREFIX + 1)), PREFIX)
            }
            ValueKind::Binary(op, a, b) => {
                let (op, binding) = operator(*op);
                self.infix(a, op, b, binding)
            }
            ValueKind::Move(a, b) => match &b.kind {
                ValueKind::Unary(Unary::Back, back) => self.infix(a, "-", back, 12),
                _ => self.infix(a, "+", b, 12),
            },
            ValueKind::Distance(a, b) => self.infix(a, "-", b, 12),
            ValueKind::And(a, b) => self.infix(a, "&&", b, 5),
            ValueKind::Or(a, b) => self.infix(a, "||", b, 4),
            ValueKind::Conditional(a, b, c) => {
                let [a, b, c] = [a, b, c].map(|part| inside(self.value(part), 4));
                (format!("{a} ? {b} : {c}"), 3)
            }
            // Most conversions are not written.
            ValueKind::Convert(a) | ValueKind::Truth(a) => self.value(a),
            ValueKind::IsNegative(a) => (format!("signbit({})", self.value(a).0), OPERAND),
            ValueKind::Apply(_, a) => (format!("function({})", self.value(a).0), OPERAND),
        }
    }

    fn infix(&self, a: &Value, op: &str, b: &Value, binding: Binding) -> Text {
        let (a, b) = (inside(self.value(a), binding), inside(self.value(b), binding + 1));
        (format!("{a} {op} {b}"), binding)
    }

    fn address(&self, place: &Place) -> Text {
        match place.path.split_last() {
            Some((Step::Index(index), path)) if index.as_int() == Some(0) => {
                self.part(&place.root, path)
            }
            _ => (format!("&{}", inside(self.place(place), PREFIX + 1)), PREFIX),
        }
    }

    fn place(&self, place: &Place) -> Text {
        self.part(&place.root, &place.path)
    }

    fn part(&self, root: &Root, path: &[Step]) -> Text {
        let (mut text, mut ty, mut path) = match root {
            Root::Object(object) => {
                let object = &self.flat.objects[object.index()];
                (name(&object.name), Some(object.ty), path)
            }
            Root::Pointer(pointer) => {
                let to = self.types.pointee(pointer.ty);
                match (&pointer.kind, path.split_first()) {
                    (ValueKind::Move(base, index), _)
                        if !matches!(index.kind, ValueKind::Unary(Unary::Back, _)) =>
                    {
                        let base = inside(self.value(base), OPERAND - 1);
                        (format!("{base}[{}]", self.value(index).0), to, path)
                    }
                    (_, Some((Step::Member(i), rest))) => {
                        let base = inside(self.value(pointer), OPERAND - 1);
                        let (member, ty) = self.member(to, *i);
                        (format!("{base}->{member}"), ty, rest)
                    }
                    (_, None) => {
                        let base = inside(self.value(pointer), PREFIX);
                        return (format!("*{base}"), PREFIX);
                    }
                    _ => (format!("(*{})", inside(self.value(pointer), PREFIX)), to, path),
                }
            }
        };
        while let Some((step, rest)) = path.split_first() {
            match step {
                Step::Member(i) => {
                    let (member, inner) = self.member(ty, *i);
                    text.extend([".", &member]);
                    ty = inner;
                }
                Step::Index(index) => {
                    text.extend(["[", &self.value(index).0, "]"]);
                    ty = ty.and_then(|ty| self.types.element(ty));
                }
            }
            path = rest;
        }
        (text, OPERAND - 1)
    }

    fn member(&self, record: Option<TypeId>, i: usize) -> (String, Option<TypeId>) {
        let members = record.and_then(|record| self.types.members(record));
        match members.and_then(|members| members.get(i)) {
            Some(member) => (member.name.clone(), Some(member.ty)),
            None => (i.to_string(), None),
        }
    }
}

/// A text inside an operator that binds as tightly as this, in parentheses where it binds less.
fn inside((text, binding): Text, outer: Binding) -> String {
    if binding < outer { format!("({text})") } else { text }
}

fn operator(op: Binary) -> (&'static str, Binding) {
    match op {
        Binary::Mul => ("*", 13),
        Binary::Div => ("/", 13),
        Binary::Rem => ("%", 13),
        Binary::Add => ("+", 12),
        Binary::Sub => ("-", 12),
        Binary::Shl => ("<<", 11),
        Binary::Shr => (">>", 11),
        Binary::Lt => ("<", 10),
        Binary::Le => ("<=", 10),
        Binary::Eq => ("==", 9),
        Binary::Ne => ("!=", 9),
        Binary::And => ("&", 8),
        Binary::Xor => ("^", 7),
        Binary::Or => ("|", 6),
    }
}

/// The name of an object in the program: without its function, and without a number.
fn name(object: &str) -> String {
    if object.starts_with(STRING) {
        return "a string literal".into();
    }
    let name = object.rsplit("::").next().unwrap_or(object);
    name.split('#').next().unwrap_or(name).into()
}
