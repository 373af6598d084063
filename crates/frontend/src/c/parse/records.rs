//! Structures, unions and enumerations, and the layout of their members.

use super::attributes::Attributes;
use super::declarators::Declarator;
use super::placement::{self, Slot};
use super::{Entry, Parsed, Parser};
use crate::c::parse::lexer::Kind;
use crate::c::types::{IntType, Member, Type, TypeId};

/// The largest structures of real programs have some thousand members, those of members included.
const MOST_PARTS: u64 = 1 << 16;

/// A member as it is declared.
pub(super) struct Declared<'s> {
    pub(super) declarator: Declarator<'s>,
    /// The width of a bit-field.
    width: Option<u32>,
    attributes: Attributes,
    /// Whether its type, or that of its elements, is the one that the declaration starts with.
    has_base: bool,
}

impl<'s> Parser<'s> {
    /// `struct name { … }`, or a mention of it.
    pub(super) fn record(&mut self) -> Parsed<TypeId> {
        let keyword = self.advance();
        // What stands before the keyword is about what is declared with this type.
        let outside = std::mem::take(&mut self.attributes);
        self.skip_attributes()?;
        let name = (self.peek().kind == Kind::Word).then(|| self.advance());
        self.skip_attributes()?;
        let own = std::mem::replace(&mut self.attributes, outside);
        let tag = name.map_or("", |token| token.text);
        if !self.is("{") {
            if name.is_none() {
                return Err(self.unexpected("a name or `{`"));
            }
            if let (Some(known), Some(name)) = (self.tag(tag), name) {
                self.check_tag(name, known, Some(keyword.text == "union"))?;
                return Ok(known);
            }
            return Ok(self.new_record(tag, keyword.text == "union"));
        }
        let here = self.scopes.last().and_then(|scope| scope.tags.get(tag).copied());
        if let (Some(known), Some(name)) = (here, name) {
            self.check_tag(name, known, Some(keyword.text == "union"))?;
            if self.types.members(known).is_some() && !self.is_earlier(known) {
                return Err(self.error_at(name, format!("redefinition of `{tag}`")));
            }
        }
        let brace = self.at;
        let earlier = here.filter(|known| self.types.members(*known).is_some());
        let mut ty = match (here, earlier) {
            // A structure of an earlier file may be the same: within it, its name means that one.
            (_, Some(_)) => self.types.record(tag, keyword.text == "union"),
            (Some(ty), None) if !tag.is_empty() => ty,
            _ => self.new_record(tag, keyword.text == "union"),
        };
        let mut members = self.members()?;
        let end = self.before().start;
        self.attributes = own;
        self.skip_attributes()?;
        if self.types.members(ty).is_some() {
            return Err(self.error_at(keyword, "this is defined again within itself"));
        }
        self.check_members(&members, keyword.text == "union")?;
        let pack = self.pragmas.pack_at(end);
        self.complete(ty, &members, pack);
        if self.n_units > 0 && self.scopes.len() == 1 {
            match self.earlier_record(ty) {
                Some(same) => ty = same,
                None if earlier.is_some() => {
                    let end = std::mem::replace(&mut self.at, brace);
                    ty = self.new_record(tag, keyword.text == "union");
                    members = self.members()?;
                    self.complete(ty, &members, pack);
                    self.at = end;
                }
                None => {}
            }
        }
        if self.types.n_parts(ty) > MOST_PARTS {
            return Err(self.error_at(keyword, "this has too many members, all in all"));
        }
        self.attributes = outside;
        Ok(ty)
    }

    fn members(&mut self) -> Parsed<Vec<Declared<'s>>> {
        self.expect("{")?;
        let mut members = Vec::new();
        while !self.accept("}") {
            self.member_declaration(&mut members)?;
        }
        Ok(members)
    }

    /// `struct name;` declares a type of this block, whatever the name means outside of it. Looks ahead.
    pub(super) fn forward_record(&mut self) -> Parsed<()> {
        let first = self.at;
        while self.accept("__extension__") {}
        if self.is("struct") || self.is("union") {
            let keyword = self.advance();
            let outside = std::mem::take(&mut self.attributes);
            self.skip_attributes()?;
            let name = self.advance();
            self.skip_attributes()?;
            self.attributes = outside;
            let is_known =
                self.scopes.last().is_some_and(|scope| scope.tags.contains_key(name.text));
            if name.kind == Kind::Word && self.is(";") && !is_known {
                self.new_record(name.text, keyword.text == "union");
            }
        }
        self.at = first;
        Ok(())
    }

    fn new_record(&mut self, tag: &'s str, is_union: bool) -> TypeId {
        let ty = self.types.record(tag, is_union);
        if !tag.is_empty()
            && let Some(scope) = self.scopes.last_mut()
        {
            scope.tags.insert(tag, ty);
        }
        ty
    }

    fn member_declaration(&mut self, members: &mut Vec<Declared<'s>>) -> Parsed<()> {
        if self.accept(";") {
            return Ok(());
        }
        if self.is("_Static_assert") {
            return self.static_assert();
        }
        let specifiers = self.specifiers()?;
        if self.accept(";") {
            // An unnamed structure, whose members count as ours.
            if self.types.members(specifiers.ty).is_some() {
                let declarator = Declarator::unnamed(specifiers.ty);
                let attributes = self.attributes;
                members.push(Declared { declarator, width: None, attributes, has_base: true });
            }
            return Ok(());
        }
        loop {
            self.attributes = specifiers.attributes;
            let declarator = match self.is(":") {
                true => Declarator::unnamed(specifiers.ty),
                false => self.declarator(specifiers.ty, false)?,
            };
            let mut bits = None;
            if self.accept(":") {
                let width = self.peek();
                let value = self.conditional_expression()?;
                let int = self.types.as_int(declarator.ty);
                let fits = |value: &i128| {
                    int.is_some_and(|int| (0..=i128::from(int.width)).contains(value))
                };
                let value = value.as_int().filter(fits);
                let value = value.ok_or_else(|| self.error_at(width, "no width of a bit-field"))?;
                if let Some(name) = declarator.name.filter(|_| value == 0) {
                    return Err(self.error_at(name, "a bit-field without width has a name"));
                }
                bits = Some(value.unsigned_abs() as u32);
            }
            if self.is_incomplete(declarator.ty) {
                let token = declarator.name.unwrap_or_else(|| self.peek());
                return Err(self.error_at(token, "the type of this member is not complete here"));
            }
            if self.types.is_variable(declarator.ty) {
                let token = declarator.name.unwrap_or_else(|| self.peek());
                return Err(self.error_at(token, "a member of variable length is not supported"));
            }
            self.skip_attributes()?;
            let mut declarator = declarator;
            declarator.ty = self.with_mode(declarator.ty);
            if self.is_opaque(declarator.ty) {
                let token = declarator.name.unwrap_or_else(|| self.peek());
                return Err(self.error_at(token, "a member of this type is not supported"));
            }
            let has_base = self.is_made_of(declarator.ty, specifiers.ty);
            let attributes = self.attributes;
            members.push(Declared { declarator, width: bits, attributes, has_base });
            if !self.accept(",") {
                break;
            }
        }
        // GNU C: the last member may go without.
        if !self.is("}") {
            self.expect(";")?;
        }
        Ok(())
    }

    /// Whether a type is a structure without members yet, or an array of them: none contains itself.
    pub(super) fn is_incomplete(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Type::Array(element, _) | Type::Variable(element) => self.is_incomplete(*element),
            Type::Record(_) => self.types.members(ty).is_none(),
            _ => false,
        }
    }

    /// Whether a type is another one, or an array of it.
    pub(super) fn is_made_of(&self, ty: TypeId, base: TypeId) -> bool {
        let element = self.types.element(ty);
        ty == base || element.is_some_and(|element| self.is_made_of(element, base))
    }

    /// Whether nothing is known about the size of a type, or of the elements of an array.
    fn is_opaque(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Type::Array(element, _) => self.is_opaque(*element),
            Type::Opaque(_) => self.types.size(ty).is_none(),
            _ => false,
        }
    }

    /// Lays the members out.
    fn complete(&mut self, ty: TypeId, declared: &[Declared<'s>], pack: Option<u64>) {
        let Type::Record(index) = *self.types.get(ty) else { return };
        let is_union = self.types.records[index as usize].is_union;
        let slots: Vec<Slot> = declared.iter().map(|member| self.slot(member)).collect();
        let placed =
            placement::place(&slots, is_union, self.attributes.last_align.unwrap_or(1), pack);
        let mut members = Vec::new();
        for (i, Declared { declarator, width, .. }) in declared.iter().enumerate() {
            if width.is_some() && declarator.name.is_none() {
                continue;
            }
            let position = placed.positions[i];
            members.push(Member {
                name: declarator.name.map_or("", |name| name.text).into(),
                ty: declarator.ty,
                offset: position / 8,
                bits: width.map(|width| ((position % 8) as u32, width)),
                align: placed.aligns[i],
            });
        }
        let n_parts = members.iter().map(|member| self.types.n_parts(member.ty)).sum();
        let record = &mut self.types.records[index as usize];
        (record.align, record.size) = (placed.align, placed.size);
        record.members = Some(members);
        record.n_parts = n_parts;
    }

    /// What the placement of a member depends on.
    fn slot(&self, declared: &Declared<'s>) -> Slot {
        let Declared { declarator, width, attributes, .. } = declared;
        let ty = declarator.ty;
        let natural = self.types.natural_align(ty);
        let inside = self.types.align(ty);
        let set = attributes.type_align.filter(|_| declared.has_base);
        Slot {
            width: *width,
            size: self.types.size(ty).unwrap_or(0),
            align: set.unwrap_or(natural),
            limit: (inside < natural).then_some(inside),
            is_set: set.is_some(),
            own: attributes.align,
            is_packed: self.attributes.is_packed || attributes.is_packed,
            is_named: declarator.name.is_some(),
        }
    }

    /// `enum name { … }`, or a mention of it.
    pub(super) fn enumeration(&mut self) -> Parsed<TypeId> {
        self.advance();
        let outside = std::mem::take(&mut self.attributes);
        self.skip_attributes()?;
        let name = (self.peek().kind == Kind::Word).then(|| self.advance());
        self.skip_attributes()?;
        if !self.accept("{") {
            self.attributes = outside;
            let known = name.and_then(|name| self.tag(name.text));
            if let (Some(known), Some(name)) = (known, name) {
                self.check_tag(name, known, None)?;
            }
            return Ok(known.unwrap_or_else(|| self.types.int(IntType::UINT)));
        }
        if let Some(name) = name
            && self.scopes.last().is_some_and(|scope| scope.tags.contains_key(name.text))
        {
            return Err(self.error_at(name, format!("redefinition of `{}`", name.text)));
        }
        if self.is("}") {
            return Err(self.error_at(self.peek(), "an enumeration without constants"));
        }
        let (mut next, mut constants) = (0, Vec::new());
        // The type in which the next value is computed.
        let mut counted = IntType::INT;
        while !self.is("}") {
            let constant = self.advance();
            if constant.kind != Kind::Word {
                return Err(self.error_at(constant, "expected the name of a constant"));
            }
            self.skip_attributes()?;
            if self.accept("=") {
                let token = self.peek();
                let value = self.conditional_expression()?;
                next =
                    value.as_int().ok_or_else(|| self.error_at(token, "this is not constant"))?;
                counted = self.types.as_int(value.ty).unwrap_or(IntType::LLONG);
            } else if constants.last().is_some_and(|(_, last)| *last == counted.greatest()) {
                let message = "the value of this constant is too large for its type";
                return Err(self.error_at(constant, message));
            }
            if IntType::INT.wrap(next) == next {
                counted = IntType::INT;
            }
            let ty = match IntType::INT.wrap(next) == next {
                true => self.types.int(IntType::INT),
                false => self.enumeration_type(next, next, false),
            };
            self.note_enumerator(constant, ty)?;
            self.define(constant.text, Entry::Constant(next, ty));
            constants.push((constant, next));
            next = next.wrapping_add(1);
            if !self.accept(",") {
                break;
            }
        }
        self.expect("}")?;
        self.skip_attributes()?;
        let values = || constants.iter().map(|(_, value)| *value);
        let (least, greatest) = (values().min().unwrap_or(0), values().max().unwrap_or(0));
        let is_packed = self.attributes.is_packed;
        let ty = self.enumeration_type(least, greatest, is_packed);
        // A constant is an `int` if it can be, and else of the type of all of them.
        for (constant, value) in constants.into_iter().filter(|(_, v)| IntType::INT.wrap(*v) != *v)
        {
            self.define(constant.text, Entry::Constant(value, ty));
        }
        if let (Some(name), Some(scope)) = (name, self.scopes.last_mut()) {
            scope.tags.insert(name.text, ty);
        }
        self.attributes = outside;
        Ok(ty)
    }

    /// The type of an enumeration with values from `least` to `greatest`, as gcc chooses it.
    fn enumeration_type(&mut self, least: i128, greatest: i128, is_packed: bool) -> TypeId {
        let narrow = [IntType::CHAR, IntType::SHORT].into_iter().filter(|_| is_packed);
        let wide = [IntType::INT, self.types.long(true), IntType::LLONG];
        let types = narrow.chain(wide).map(|ty| if least < 0 { ty } else { ty.unsigned() });
        let fits = |ty: &IntType| ty.wrap(least) == least && ty.wrap(greatest) == greatest;
        let ty = types.into_iter().find(fits).unwrap_or(IntType::LLONG);
        self.types.int(ty)
    }
}
