//! Initialisers: braces, designators, strings, and the rules by which braces may be left out.

use super::{Parsed, Parser};
use crate::c::ir::{Expr, Init, Kind as ExprKind};
use crate::c::lexer::Kind;
use crate::c::types::{Type, TypeId};

/// Longer arrays are not filled by ranges such as `[0 ... 99999999] = 1`.
const LONGEST_RANGE: u64 = 1 << 16;

impl Parser<'_> {
    /// Reads an initialiser for a type.
    pub(super) fn initializer_of(&mut self, ty: TypeId) -> Parsed<(Vec<Init>, TypeId)> {
        let mut inits = Vec::new();
        let mut path = Vec::new();
        let length = self.initialize(ty, &mut path, &mut inits)?;
        let ty = match (self.types.get(ty), length) {
            (Type::Array(element, None), Some(length)) => {
                let element = *element;
                self.types.id(Type::Array(element, Some(length)))
            }
            _ => ty,
        };
        Ok((inits, ty))
    }

    /// Initialises the part at `path`; of an array, tells the length that was needed.
    fn initialize(
        &mut self,
        ty: TypeId,
        path: &mut Vec<u64>,
        inits: &mut Vec<Init>,
    ) -> Parsed<Option<u64>> {
        self.nested(|parser| {
            if parser.is("{") && !parser.types.is_scalar(ty) {
                parser.advance();
                let in_braces = parser.peek().kind == Kind::Text && parser.is_char_array(ty);
                let length = match in_braces && matches!(parser.peek_at(1).text, "}" | ",") {
                    true => {
                        let length = parser.string_initializer(ty, path, inits)?;
                        parser.accept(",");
                        length
                    }
                    false => parser.members(ty, path, inits, true)?,
                };
                parser.expect("}")?;
                return Ok(length);
            }
            if parser.accept("{") {
                // A scalar in braces.
                if !parser.is("}") {
                    parser.initialize(ty, path, inits)?;
                    parser.accept(",");
                }
                parser.expect("}")?;
                return Ok(None);
            }
            if parser.is_char_array(ty) && parser.peek().kind == Kind::Text {
                return parser.string_initializer(ty, path, inits);
            }
            if matches!(parser.types.get(ty), Type::Array(..)) && !parser.is("(") {
                return parser.members(ty, path, inits, false);
            }
            let value = parser.assignment_expression()?;
            parser.scalar_or_record(ty, value, path, inits)
        })
    }

    /// A value for a part; if the part is a structure and the value is not, it is for the first member.
    fn scalar_or_record(
        &mut self,
        ty: TypeId,
        value: Expr,
        path: &mut Vec<u64>,
        inits: &mut Vec<Init>,
    ) -> Parsed<Option<u64>> {
        if self.types.members(ty).is_some() && value.ty != ty {
            return self.members_after(ty, value, path, inits);
        }
        if let (Type::Array(..), ExprKind::Literal(_, items)) = (self.types.get(ty), &value.kind) {
            // GNU C: an array from a compound literal.
            let length = match self.types.get(value.ty) {
                Type::Array(_, length) => *length,
                _ => None,
            };
            inits.extend(items.iter().map(|init| Init {
                path: path.iter().chain(&init.path).copied().collect(),
                value: init.value.clone(),
            }));
            return Ok(length);
        }
        let value = self.converted(value, ty);
        inits.push(Init { path: path.clone(), value });
        Ok(None)
    }

    fn members_after(
        &mut self,
        ty: TypeId,
        value: Expr,
        path: &mut Vec<u64>,
        inits: &mut Vec<Init>,
    ) -> Parsed<Option<u64>> {
        // The first scalar takes the value, the others go on as in a list without braces.
        let mut first = ty;
        let depth = path.len();
        loop {
            let part = match self.types.get(first) {
                Type::Array(element, _) => Some(*element),
                _ => self
                    .types
                    .members(first)
                    .and_then(|members| members.first())
                    .map(|member| member.ty),
            };
            match part {
                Some(part) if part != first => first = part,
                _ => break,
            }
            path.push(0);
        }
        let value = self.converted(value, first);
        inits.push(Init { path: path.clone(), value });
        // Complete the levels from the inside out.
        while path.len() > depth {
            let at = path.pop().unwrap_or(0) + 1;
            let mut level = ty;
            for step in &path[depth..] {
                level = self.part(level, *step).unwrap_or(level);
            }
            if self.is(",") && !matches!(self.peek_at(1).text, "}" | "." | "[") {
                self.members_from(level, at, path, inits)?;
            }
        }
        Ok(None)
    }

    fn members_from(
        &mut self,
        ty: TypeId,
        from: u64,
        path: &mut Vec<u64>,
        inits: &mut Vec<Init>,
    ) -> Parsed<()> {
        let mut index = from;
        while let Some(part) = self.part(ty, index) {
            if !self.is(",") || matches!(self.peek_at(1).text, "}" | "." | "[") {
                break;
            }
            self.advance();
            path.push(index);
            self.initialize(part, path, inits)?;
            path.pop();
            index += 1;
        }
        Ok(())
    }

    /// The type of a member or element, if there is such a one. Of a union, only the first member comes
    /// without a designator.
    fn part(&self, ty: TypeId, index: u64) -> Option<TypeId> {
        match self.types.get(ty) {
            Type::Array(element, length) => {
                length.is_none_or(|length| index < length).then_some(*element)
            }
            Type::Record(record) => {
                let record = &self.types.records[*record as usize];
                let members = record.members.as_ref()?;
                let limit = if record.is_union { 1 } else { members.len() };
                (index < limit as u64).then(|| members[index as usize].ty)
            }
            _ => None,
        }
    }

    /// The parts of an array or structure, in braces or not.
    fn members(
        &mut self,
        ty: TypeId,
        path: &mut Vec<u64>,
        inits: &mut Vec<Init>,
        in_braces: bool,
    ) -> Parsed<Option<u64>> {
        let (mut index, mut length) = (0, 0);
        loop {
            if self.is("}") {
                break;
            }
            let mut last = index;
            let depth = path.len();
            let is_designated =
                in_braces && (self.is("[") || self.is(".") || self.peek_at(1).text == ":");
            let part = match is_designated {
                true => {
                    let (first, end, part) = self.designator(ty, path)?;
                    (index, last) = (first, end);
                    Some(part)
                }
                false => {
                    path.push(index);
                    self.part(ty, index)
                }
            };
            let Some(part) = part else {
                path.truncate(depth);
                if !in_braces {
                    break;
                }
                // More than there is room for: gcc warns and drops them.
                self.assignment_expression()?;
                if !self.accept(",") {
                    break;
                }
                continue;
            };
            let before = inits.len();
            self.initialize(part, path, inits)?;
            let added = inits.len();
            for at in index + 1..=last {
                let repeated: Vec<Init> = inits[before..added]
                    .iter()
                    .map(|init| {
                        let mut init = init.clone();
                        init.path[depth] = at;
                        init
                    })
                    .collect();
                inits.extend(repeated);
            }
            path.truncate(depth);
            index = last + 1;
            length = length.max(index);
            let ends = !in_braces
                && (self.part(ty, index).is_none() || matches!(self.peek_at(1).text, "." | "["));
            if ends || !self.is(",") {
                break;
            }
            if !in_braces && self.peek_at(1).text == "}" {
                break;
            }
            self.advance();
        }
        Ok(Some(length))
    }

    /// `[3] =`, `[1 ... 3] =`, `.name =`, `name:`: pushes the path, tells the first and last index at the
    /// outermost level and the type of the part.
    fn designator(&mut self, ty: TypeId, path: &mut Vec<u64>) -> Parsed<(u64, u64, TypeId)> {
        let (mut part, mut range) = (ty, None);
        loop {
            let token = self.peek();
            if self.accept("[") {
                let first = self.constant_index()?;
                let last = if self.accept("...") { self.constant_index()? } else { first };
                self.expect("]")?;
                if last < first || last - first > LONGEST_RANGE {
                    return Err(self.error_at(token, "no range of indices"));
                }
                path.push(first);
                range = range.or(Some((first, last)));
                part = self.types.element(part).ok_or_else(|| {
                    self.error_at(token, "an index for something that is no array")
                })?;
            } else if self.accept(".") || self.peek_at(1).text == ":" {
                let name = self.advance();
                let found = self.types.find_member(part, name.text);
                let found = found.ok_or_else(|| {
                    self.error_at(name, format!("there is no member `{}`", name.text))
                })?;
                for index in found {
                    path.push(index as u64);
                    range = range.or(Some((index as u64, index as u64)));
                    part = self.types.members(part).map_or(part, |members| members[index].ty);
                }
                if self.accept(":") {
                    break;
                }
            } else {
                self.accept("=");
                break;
            }
        }
        let (first, last) = range.unwrap_or((0, 0));
        Ok((first, last, part))
    }

    fn constant_index(&mut self) -> Parsed<u64> {
        let token = self.peek();
        let value = self.conditional_expression()?;
        let index = value.as_int().and_then(|value| u64::try_from(value).ok());
        index
            .filter(|index| *index < 1 << 40)
            .ok_or_else(|| self.error_at(token, "this is no constant index"))
    }

    fn is_char_array(&self, ty: TypeId) -> bool {
        let element = match self.types.get(ty) {
            Type::Array(element, _) => self.types.as_int(*element),
            _ => None,
        };
        element.is_some_and(|element| matches!(element.width, 8 | 32))
    }

    fn string_initializer(
        &mut self,
        ty: TypeId,
        path: &[u64],
        inits: &mut Vec<Init>,
    ) -> Parsed<Option<u64>> {
        let start = self.peek().start;
        let units = self.string_units()?;
        let Type::Array(element, length) = *self.types.get(ty) else { return Ok(None) };
        for (i, unit) in units.iter().enumerate() {
            if *unit != 0 && length.is_none_or(|length| (i as u64) < length) {
                let mut at = path.to_vec();
                at.push(i as u64);
                inits.push(Init {
                    path: at,
                    value: Expr::new(ExprKind::Int(*unit), element, start),
                });
            }
        }
        Ok(Some(units.len() as u64 + 1))
    }
}
