//! Where a list in braces is: designators, the parts that follow them, and what later items override.

use super::{Parsed, Parser};
use crate::c::ir::purity;
use crate::c::ir::{Expr, Init, Kind as ExprKind};
use crate::c::parse::lexer::Kind;
use crate::c::types::{Type, TypeId};

/// Longer arrays are not filled by ranges such as `[0 ... 99999999] = 1`.
const LONGEST_RANGE: u64 = 1 << 16;

/// An aggregate, and which of its parts the list is at: several for a range.
struct Level {
    ty: TypeId,
    first: u64,
    last: u64,
}

/// A list in braces, as far as it is read.
pub(super) struct List {
    /// From the aggregate in braces to the innermost one that the list is in.
    levels: Vec<Level>,
    pub(super) inits: Vec<Init>,
    /// How many elements an array must have for them.
    pub(super) length: u64,
    /// Without designators, nothing is initialised twice.
    has_designators: bool,
}

impl List {
    pub(super) fn new(ty: TypeId) -> List {
        let levels = vec![Level { ty, first: 0, last: 0 }];
        List { levels, inits: Vec::new(), length: 0, has_designators: false }
    }

    /// Goes on with the first part of a part.
    pub(super) fn push(&mut self, ty: TypeId) {
        self.levels.push(Level { ty, first: 0, last: 0 });
    }

    /// The innermost aggregate that the list is in by its braces or by a designator.
    pub(super) fn inner_type(&self) -> Option<TypeId> {
        let is_named = self.has_designators || self.levels.len() == 1;
        self.levels.last().filter(|_| is_named).map(|level| level.ty)
    }

    /// Leaves the part at the innermost level behind. After a range, the list goes on after its last element.
    fn step(&mut self) {
        if let Some(level) = self.levels.last_mut() {
            level.last += 1;
        }
        for level in &mut self.levels {
            level.first = level.last;
        }
    }

    /// The paths to the parts that the list is at.
    fn paths(&self) -> Vec<Vec<u64>> {
        let mut paths = vec![Vec::new()];
        for level in &self.levels {
            let longer = |path: Vec<u64>| {
                (level.first..=level.last).map(move |step| {
                    let mut path = path.clone();
                    path.push(step);
                    path
                })
            };
            paths = paths.into_iter().flat_map(longer).collect();
        }
        paths
    }
}

impl Parser<'_> {
    /// The type of the part after the last one; none if there is no more.
    pub(super) fn next_part(&self, list: &mut List) -> Option<TypeId> {
        loop {
            let level = list.levels.last()?;
            let part = self.part(level.ty, level.first);
            if part.is_some() || list.levels.len() == 1 {
                return part;
            }
            list.levels.pop();
            list.step();
        }
    }

    /// The numbers of the bit-field that a list is at, as a type.
    pub(super) fn field_of(&mut self, list: &List) -> Option<TypeId> {
        let level = list.levels.last()?;
        let member = self.types.members(level.ty)?.get(usize::try_from(level.first).ok()?)?;
        let (ty, (_, width)) = (member.ty, member.bits?);
        self.type_of_field(ty, width)
    }

    /// Notes values for the parts that the list is at, and goes on after them.
    pub(super) fn place(&mut self, list: &mut List, inits: Vec<Init>) -> Parsed<()> {
        let outermost = &list.levels[0];
        let is_ahead = outermost.first >= list.length && !self.is_union(outermost.ty);
        let length = list.length.max(outermost.last + 1);
        if list.has_designators && !is_ahead {
            self.drop_overridden(list)?;
        }
        list.length = length;
        let mut paths = list.paths();
        let effect = inits.iter().find(|init| paths.len() > 1 && !self.is_harmless(&init.value));
        if let Some(init) = effect {
            // They happen once in gcc, and would happen for every part here.
            return Err(self.error_in(&init.value, "side effects in a range are not supported"));
        }
        let last = paths.pop().unwrap_or_default();
        let below = |path: &[u64], init: &Init| path.iter().chain(&init.path).copied().collect();
        for path in paths {
            let copies = inits
                .iter()
                .map(|init| Init { path: below(&path, init), value: init.value.clone() });
            list.inits.extend(copies);
        }
        let moved =
            inits.into_iter().map(|init| Init { path: below(&last, &init), value: init.value });
        list.inits.extend(moved);
        list.step();
        Ok(())
    }

    /// Forgets what was said about the parts that the list is at. Like gcc, a value for an aggregate is forgotten as
    /// a whole if a part of it gets another one, and so is a member of a union if another member does.
    fn drop_overridden(&self, list: &mut List) -> Parsed<()> {
        let (mut kept, mut wholes) = (Vec::new(), Vec::new());
        for init in std::mem::take(&mut list.inits) {
            let apart = list
                .levels
                .iter()
                .zip(&init.path)
                .find(|(level, step)| !(level.first..=level.last).contains(step));
            match apart {
                Some((level, _)) if !self.is_union(level.ty) => {
                    kept.push(init);
                    continue;
                }
                None if init.path.len() < list.levels.len() => wholes.push(init.value.clone()),
                _ => {}
            }
            if !self.is_harmless(&init.value) {
                let message = "side effects of an initialiser that is overridden are not supported";
                return Err(self.error_in(&init.value, message));
            }
        }
        // Of compound literals, gcc may keep the other parts.
        let is_literal =
            |value: &&Expr| self.current.is_none() || !purity::is_pure(value, &self.types);
        if let Some(value) = wholes.iter().find(is_literal) {
            let message = "overriding a part of this initialiser is not supported";
            return Err(self.error_in(value, message));
        }
        list.inits = kept;
        Ok(())
    }

    /// Whether a value can as well be computed never, or more than once. Other than for pure ones, it does not matter
    /// here whether it can be modelled.
    pub(super) fn is_harmless(&self, value: &Expr) -> bool {
        match &value.kind {
            ExprKind::Float(_) | ExprKind::Var(_) => true,
            ExprKind::Convert(a) | ExprKind::Unary(_, a) => self.is_harmless(a),
            ExprKind::Binary(_, a, b) => self.is_harmless(a) && self.is_harmless(b),
            ExprKind::Literal(_, items) => items.iter().all(|item| self.is_harmless(&item.value)),
            _ => purity::is_pure(value, &self.types),
        }
    }

    #[expect(clippy::unnecessary_box_returns, reason = "errors are carried boxed")]
    fn error_in(&self, value: &Expr, message: &str) -> Box<crate::source::ParseError> {
        let at = self.tokens.partition_point(|token| token.start < value.start);
        self.error_at(self.tokens[at.min(self.tokens.len() - 1)], message)
    }

    fn is_union(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Type::Record(record) => self.types.records[*record as usize].is_union,
            _ => false,
        }
    }

    pub(super) fn is_designator(&self) -> bool {
        let is_old = self.peek().kind == Kind::Word && self.peek_at(1).text == ":";
        is_old || self.is("[") || self.is(".")
    }

    /// `[3] =`, `[1 ... 3] =`, `.name =`, `name:`: the list goes to the part, whose type is told.
    pub(super) fn designator(&mut self, list: &mut List) -> Parsed<TypeId> {
        let start = self.peek();
        list.has_designators = true;
        list.levels.truncate(1);
        let mut part = list.levels[0].ty;
        let mut steps = Vec::new();
        loop {
            if self.is("[") {
                part = self.index_designator(part, &mut steps)?;
            } else if self.accept(".") || steps.is_empty() {
                part = self.member_designator(part, &mut steps)?;
                if self.accept(":") {
                    break;
                }
            } else {
                self.accept("=");
                break;
            }
        }
        let n_parts = steps.iter().try_fold(1u64, |n, level: &Level| {
            n.checked_mul(level.last - level.first + 1).filter(|n| *n <= LONGEST_RANGE)
        });
        if n_parts.is_none() {
            return Err(self.error_at(start, "no range of indices"));
        }
        list.levels = steps;
        Ok(part)
    }

    fn index_designator(&mut self, ty: TypeId, steps: &mut Vec<Level>) -> Parsed<TypeId> {
        let token = self.advance();
        let first = self.constant_index()?;
        let last = if self.accept("...") { self.constant_index()? } else { first };
        self.expect("]")?;
        if last < first {
            return Err(self.error_at(token, "no range of indices"));
        }
        if !matches!(self.types.get(ty), Type::Array(..)) {
            return Err(self.error_at(token, "an index for something that is no array"));
        }
        let element = self.part(ty, last);
        steps.push(Level { ty, first, last });
        element.ok_or_else(|| self.error_at(token, "an index beyond the end of the array"))
    }

    fn member_designator(&mut self, ty: TypeId, steps: &mut Vec<Level>) -> Parsed<TypeId> {
        let name = self.advance();
        let found = self.types.find_member(ty, name.text);
        let found = found
            .ok_or_else(|| self.error_at(name, format!("there is no member `{}`", name.text)))?;
        let mut part = ty;
        for index in found {
            let step = index as u64;
            steps.push(Level { ty: part, first: step, last: step });
            part = self.types.members(part).map_or(part, |members| members[index].ty);
        }
        Ok(part)
    }

    fn constant_index(&mut self) -> Parsed<u64> {
        let token = self.peek();
        let value = self.conditional_expression()?;
        let index = value.as_int().and_then(|value| u64::try_from(value).ok());
        index
            .filter(|index| *index < 1 << 40)
            .ok_or_else(|| self.error_at(token, "this is no constant index"))
    }
}
