//! Initialisers: braces, strings, and the rules by which braces may be left out.
//!
//! A list in braces goes through the parts of its aggregate as gcc does:
//!
//! ```text
//! for each item:
//!     with a designator: the levels are those that it names
//!     without: pop the levels that are at their end, and take the next part
//!     while the value is for a part of that part: push a level
//!     drop what earlier items said about it, and note the value
//! ```

use super::designators::List;
use super::{Entry, Parsed, Parser};
use crate::c::ir::{CONSTANT_LITERAL, Expr, Init, Kind as ExprKind, STRING, VarRef};
use crate::c::parse::lexer::Kind;
use crate::c::types::{Type, TypeId};

/// What an initialiser says, and the length of an array that it needs.
type Initial = (Vec<Init>, Option<u64>);

impl Parser<'_> {
    /// Reads an initialiser for a type.
    pub(super) fn initializer_of(&mut self, ty: TypeId) -> Parsed<(Vec<Init>, TypeId)> {
        let (inits, length) = if self.is("{") {
            self.braced(ty, None)?
        } else if self.is_text_for(ty) {
            self.string_initializer(ty)?
        } else {
            let value = self.assignment_expression()?;
            self.whole(ty, value)
        };
        let ty = match (self.types.get(ty), length) {
            (Type::Array(element, None), Some(length)) => {
                let element = *element;
                self.types.id(Type::Array(element, Some(length)))
            }
            _ => ty,
        };
        Ok((inits, ty))
    }

    /// `{ … }`: the paths start at the part that it is for, which may be a bit-field.
    fn braced(&mut self, ty: TypeId, field: Option<TypeId>) -> Parsed<Initial> {
        self.nested(|parser| {
            parser.expect("{")?;
            let initial = if parser.is("}") {
                if parser.types.is_scalar(ty) {
                    let message = "an empty initialiser for something that is no aggregate";
                    return Err(parser.error_at(parser.peek(), message));
                }
                (Vec::new(), Some(0))
            } else if parser.types.is_variable(ty) {
                let message = "a list for an array of variable length is not supported";
                return Err(parser.error_at(parser.peek(), message));
            } else if !parser.types.is_scalar(ty) && !parser.is_only_text_for(ty) {
                parser.list(ty)?
            } else {
                let initial = if parser.is("{") {
                    parser.braced(ty, field)?
                } else if parser.is_text_for(ty) {
                    parser.string_initializer(ty)?
                } else {
                    let value = parser.assignment_expression()?;
                    let value = match field {
                        Some(_) => parser.narrowed(value, field, ty),
                        None => value,
                    };
                    parser.whole(ty, value)
                };
                while parser.accept(",") && !parser.is("}") {
                    parser.excess()?;
                }
                initial
            };
            parser.expect("}")?;
            Ok(initial)
        })
    }

    fn list(&mut self, ty: TypeId) -> Parsed<Initial> {
        let mut list = List::new(ty);
        while !self.is("}") {
            self.item(&mut list)?;
            if !self.accept(",") {
                break;
            }
        }
        Ok((list.inits, Some(list.length)))
    }

    fn item(&mut self, list: &mut List) -> Parsed<()> {
        if list.inner_type().is_some_and(|ty| self.is_text_for(ty)) {
            // After `.a[3] = 1`, gcc takes it for the whole array, and not for what follows.
            let message = "a string in a list of characters is not supported";
            return Err(self.error_at(self.peek(), message));
        }
        let part = match self.is_designator() {
            true => Some(self.designator(list)?),
            false => self.next_part(list),
        };
        let Some(mut part) = part else { return self.excess() };
        if self.is("{") {
            let field = self.field_of(list);
            let (inits, _) = self.braced(part, field)?;
            return self.place(list, inits);
        }
        if self.is_text() {
            while self.is_aggregate(part) && !self.is_text_for(part) {
                part = self.descend(list, part)?;
            }
            if self.is_text_for(part) {
                let (inits, _) = self.string_initializer(part)?;
                return self.place(list, inits);
            }
        }
        let token = self.peek();
        let value = self.assignment_expression()?;
        while self.is_aggregate(part) && !self.types.is_same_unqualified(value.ty, part) {
            part = self.descend(list, part)?;
        }
        if self.types.element(value.ty).is_some() && self.types.as_int(part).is_some() {
            // Perhaps a string in parentheses, or of other characters than those of the array.
            return Err(self.error_at(token, "an array for a number is not supported"));
        }
        let field = self.field_of(list);
        let value = match field.filter(|_| !self.is_aggregate(part)) {
            Some(_) => self.narrowed(value, field, part),
            None => value,
        };
        let (inits, _) = self.whole(part, value);
        self.place(list, inits)
    }

    /// More than there is room for: gcc warns and drops it.
    fn excess(&mut self) -> Parsed<()> {
        let token = self.peek();
        if self.accept("{") {
            while !self.is("}") {
                self.nested(Self::excess)?;
                if !self.accept(",") {
                    break;
                }
            }
            return self.expect("}").map(|_| ());
        }
        let value = self.assignment_expression()?;
        match self.is_harmless(&value) {
            true => Ok(()),
            false => {
                let message = "an excess initialiser with side effects is not supported";
                Err(self.error_at(token, message))
            }
        }
    }

    /// Goes on inside a part whose braces are left out.
    fn descend(&mut self, list: &mut List, part: TypeId) -> Parsed<TypeId> {
        let first = match self.types.get(part) {
            // How many elements it takes is not known.
            Type::Array(_, None) => None,
            _ => self.part(part, 0),
        };
        let message = "an initialiser without braces for a part without length is not supported";
        let first = first.ok_or_else(|| self.error_at(self.before(), message))?;
        list.push(part);
        Ok(first)
    }

    /// A value for a part as a whole.
    fn whole(&mut self, ty: TypeId, value: Expr) -> Initial {
        let (element, length) = match *self.types.get(value.ty) {
            Type::Array(element, length) => (Some(element), length),
            _ => (None, None),
        };
        let is_same = self.types.is_same_unqualified(value.ty, ty)
            || match (self.types.get(ty), element) {
                (Type::Array(own, None), Some(element)) => {
                    self.types.is_same_unqualified(*own, element)
                }
                _ => false,
            };
        let items = match &value.kind {
            // GNU C: an array from a compound literal.
            ExprKind::Literal(_, items) if element.is_some() => Some(items),
            _ => self.constant_literal(&value),
        };
        if let Some(items) = items.filter(|_| is_same) {
            return (items.clone(), length);
        }
        let is_text = match &value.kind {
            ExprKind::Var(VarRef::Global(global)) => {
                self.globals[*global as usize].name.starts_with(STRING)
            }
            ExprKind::Unsupported(_) | ExprKind::Literal(..) => true,
            _ => false,
        };
        if matches!(self.types.get(ty), Type::Array(..)) && element.is_some() && !is_text {
            self.complain(value.start, "an array cannot be initialised by this value");
        }
        self.check_assignable(&value, ty);
        let value = self.converted(value, ty);
        (vec![Init { path: Vec::new(), value }], None)
    }

    /// What a compound literal outside of functions says. Its values are used like those of a list in braces, as the
    /// variable that it is may get them only after ours.
    fn constant_literal(&self, value: &Expr) -> Option<&Vec<Init>> {
        let ExprKind::Var(VarRef::Global(global)) = value.kind else { return None };
        let variable = &self.globals[global as usize];
        // Other variables are declared before they are mentioned.
        (variable.start == value.start).then_some(&variable.init)
    }

    pub(super) fn is_aggregate(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Array(..) | Type::Record(_))
    }

    /// The type of a member or element, if there is such a one. Of a union, only the first member comes
    /// without a designator.
    pub(super) fn part(&self, ty: TypeId, index: u64) -> Option<TypeId> {
        match self.types.get(ty) {
            Type::Array(element, length) => {
                length.is_none_or(|length| index < length).then_some(*element)
            }
            Type::Record(record) => {
                let record = &self.types.records[*record as usize];
                let members = record.members.as_ref()?;
                let limit = if record.is_union { 1 } else { members.len() };
                let is_there = index < limit as u64;
                members.get(index as usize).filter(|_| is_there).map(|member| member.ty)
            }
            _ => None,
        }
    }

    /// How many strings come next, which count as one.
    fn n_texts(&self) -> usize {
        self.tokens[self.at..].iter().take_while(|token| token.kind == Kind::Text).count()
    }

    /// Whether a string comes next, and not an expression that starts with one.
    fn is_text(&self) -> bool {
        let n_texts = self.n_texts();
        n_texts > 0 && matches!(self.peek_at(n_texts).text, "," | "}" | ";")
    }

    /// Whether a string comes next, for an array of such characters.
    fn is_text_for(&self, ty: TypeId) -> bool {
        let element = match self.types.get(ty) {
            Type::Array(element, _) => self.types.as_int(*element),
            _ => None,
        };
        let width = match self.peek().text.as_bytes() {
            [b'"', ..] | [b'u', b'8', ..] => 8,
            [b'L' | b'U', ..] => 32,
            _ => return false,
        };
        self.is_text() && element.is_some_and(|element| element.width == width)
    }

    /// Whether a string for an array is all that comes before the brace.
    fn is_only_text_for(&self, ty: TypeId) -> bool {
        let n_texts = self.n_texts();
        let ahead = n_texts + usize::from(self.peek_at(n_texts).text == ",");
        self.is_text_for(ty) && self.peek_at(ahead).text == "}"
    }

    fn string_initializer(&mut self, ty: TypeId) -> Parsed<Initial> {
        let start = self.peek().start;
        let units = self.string_units()?;
        let Type::Array(element, length) = *self.types.get(ty) else {
            return Ok((Vec::new(), None));
        };
        let int = self.types.as_int(element);
        let is_set = |(i, unit): &(usize, &i128)| {
            **unit != 0 && length.is_none_or(|length| (*i as u64) < length)
        };
        let inits = units.iter().enumerate().filter(is_set).map(|(i, unit)| {
            // The characters of strings are signed, the array may be of unsigned ones.
            let unit = int.map_or(*unit, |int| int.wrap(*unit));
            Init { path: vec![i as u64], value: Expr::new(ExprKind::Int(unit), element, start) }
        });
        Ok((inits.collect(), Some(units.len() as u64 + 1)))
    }

    /// What a compound literal is called whose type was just read from `start` on. If it is `const`, it may share memory.
    /// Types forget that, and so do the names of types.
    pub(super) fn name_of_literal(&self, start: usize) -> &'static str {
        let from = self.tokens.partition_point(|token| token.start < start);
        let may_be_const = self.tokens[from..self.at].iter().any(|token| {
            token.text.trim_matches('_') == "const"
                || matches!(self.lookup(token.text), Some(Entry::Typedef(_)))
        });
        if may_be_const { CONSTANT_LITERAL } else { "literal" }
    }
}
