//! The rules of types: promotions, common types, conversions, and what operators make of their operands.

use super::Parser;
use crate::c::ir::fold;
use crate::c::ir::purity::is_pure;
use crate::c::ir::{Binary, Expr, Kind, StmtKind, Unary};
use crate::c::types::Rank;
use crate::c::types::{IntType, Type, TypeId};

/// What is said of bit-fields with a type of their own.
pub(super) const WIDE_FIELD: &str = "a calculation with a bit-field that is wider than `int`";

impl Parser<'_> {
    pub(super) fn unsupported(&mut self, what: &str, start: usize) -> Expr {
        let int = self.types.int(IntType::INT);
        Expr::new(Kind::Unsupported(what.into()), int, start)
    }

    fn int(&mut self) -> TypeId {
        self.types.int(IntType::INT)
    }

    /// An array becomes the address of its first element, a function its own address.
    pub(super) fn value_of(&mut self, value: Expr) -> Expr {
        let (ty, start) = (value.ty, value.start);
        if let Some(element) = self.types.element(ty) {
            let pointer = self.types.pointer(element);
            return Expr::new(Kind::Decay(Box::new(value)), pointer, start);
        }
        match self.types.get(ty) {
            Type::Function(_) => {
                let pointer = self.types.pointer(ty);
                Expr::new(Kind::Address(Box::new(value)), pointer, start)
            }
            _ => Expr { ty: self.types.without_const(ty), ..value },
        }
    }

    /// The type of an operand after the integer promotions.
    pub(super) fn promoted_type(&mut self, value: &Expr) -> TypeId {
        let Some(int) = self.types.as_int(value.ty) else { return value.ty };
        let bits = self.bit_field(value);
        let width = bits.map_or(int.width, |(_, width)| width);
        let fits_int = width < 32 || width == 32 && int.signed;
        match fits_int && (int.rank <= Rank::Int || bits.is_some()) {
            true => self.int(),
            false => value.ty,
        }
    }

    /// Where in its type a bit-field lies; none if the value is no bit-field.
    pub(super) fn bit_field(&self, value: &Expr) -> Option<(u32, u32)> {
        match &value.kind {
            Kind::Member(record, index) => {
                self.types.members(record.ty).and_then(|members| members[*index].bits)
            }
            Kind::Assign(place, _) | Kind::Update { place, .. } => self.bit_field(place),
            Kind::Comma(_, last) => self.bit_field(last),
            Kind::Block(stmts) => match stmts.last().map(|last| &last.kind) {
                Some(StmtKind::Expr(last)) => self.bit_field(last),
                _ => None,
            },
            _ => None,
        }
    }

    /// A bit-field wider than `int` is of a type of its own width, which nothing else has: no calculation with it is
    /// supported.
    pub(super) fn is_wide_field(&self, value: &Expr) -> bool {
        let Some(int) = self.types.as_int(value.ty) else { return false };
        let is_wide = |width: u32| int.width > 32 && (32..int.width).contains(&width);
        self.bit_field(value)
            .is_some_and(|(_, width)| is_wide(width) && !(width == 32 && int.signed))
    }

    pub(super) fn promoted(&mut self, value: Expr) -> Expr {
        if self.is_wide_field(&value) {
            return self.unsupported(WIDE_FIELD, value.start);
        }
        let value = self.value_of(value);
        let ty = self.promoted_type(&value);
        self.converted(value, ty)
    }

    /// The type in which two promoted operands meet.
    pub(super) fn common_type(&self, left: TypeId, right: TypeId) -> TypeId {
        let (a, b) = match (self.types.get(left), self.types.get(right)) {
            (Type::Float(a), Type::Float(b)) => return if a >= b { left } else { right },
            (Type::Float(_), _) => return left,
            (_, Type::Float(_)) => return right,
            (Type::Int(a), Type::Int(b)) => (*a, *b),
            _ => return left,
        };
        if a.signed == b.signed {
            return if a.rank >= b.rank { left } else { right };
        }
        let ((unsigned, u), (signed, s)) =
            if a.signed { ((b, right), (a, left)) } else { ((a, left), (b, right)) };
        if unsigned.rank >= signed.rank {
            u
        } else if signed.width > unsigned.width {
            s
        } else {
            // The unsigned type of the signed one: `long` and `unsigned int` where both have 32 bits.
            self.types.find_int(signed.unsigned()).unwrap_or(u)
        }
    }

    /// A conversion, written or implied.
    pub(super) fn converted(&mut self, value: Expr, ty: TypeId) -> Expr {
        let value = self.value_of(value);
        if value.ty == ty {
            return value;
        }
        let start = value.start;
        if let Some(constant) = self.converted_constant(&value, ty) {
            return constant;
        }
        if let (Kind::Unsupported(_), true) = (&value.kind, self.types.is_scalar(ty)) {
            return Expr { ty, ..value };
        }
        if let Some(number) = value.as_int().filter(|_| value.is_wrapped()) {
            let plain = Expr::new(Kind::Int(number), value.ty, start);
            let constant = self.converted(plain, ty).as_int();
            let converted = Expr::new(Kind::Convert(Box::new(value)), ty, start);
            return match constant {
                Some(number) => Expr::new(Kind::Wrapped(number, Box::new(converted)), ty, start),
                None => converted,
            };
        }
        let number = value.as_int().or_else(|| self.constant_address(&value));
        let number = number.or_else(|| self.truncated(&value, ty));
        if let (Some(constant), Some(int)) = (number, self.types.as_int(ty)) {
            let word = self.types.long(true);
            // gcc takes an address as a signed number.
            let is_address = self.types.pointee(value.ty).is_some() && int.width > word.width;
            let constant = if is_address { word.wrap(constant) } else { constant };
            return Expr::new(Kind::Int(int.wrap(constant)), ty, start);
        }
        if let (Some(constant), Type::Pointer(_)) = (value.as_int(), self.types.get(ty)) {
            let address = self.types.long(false).wrap(constant);
            return Expr::new(Kind::Int(address), ty, start);
        }
        let fits = |ty| self.types.is_scalar(ty) || matches!(self.types.get(ty), Type::Void);
        if fits(ty) && (fits(value.ty) || matches!(self.types.get(ty), Type::Void)) {
            return Expr::new(Kind::Convert(Box::new(value)), ty, start);
        }
        let what = format!(
            "a conversion from `{}` to `{}`",
            self.types.name(value.ty),
            self.types.name(ty)
        );
        Expr::new(Kind::Unsupported(what), ty, start)
    }

    /// `(type) value`. Also a cast to the type that a bit-field is declared with is a conversion: what comes of it is no
    /// bit-field, and is promoted by its type and not by its width.
    pub(super) fn cast(&mut self, value: Expr, ty: TypeId) -> Expr {
        if value.ty == ty && self.bit_field(&value).is_some() {
            let start = value.start;
            return Expr::new(Kind::Convert(Box::new(value)), ty, start);
        }
        self.converted(value, ty)
    }

    /// A number of elements, as wide as a pointer.
    pub(super) fn offset(&mut self, value: Expr) -> Expr {
        let value = self.promoted(value);
        let long = self.types.long(true);
        let long = self.types.int(long);
        self.converted(value, long)
    }

    pub(super) fn address(&mut self, place: Expr, start: usize) -> Expr {
        let pointer = self.types.pointer(place.ty);
        match place.kind {
            // `&*p` is `p`.
            Kind::Deref(value) => Expr { start, ..*value },
            Kind::Unsupported(_) => Expr { ty: pointer, ..place },
            kind => {
                let place = Expr { kind, ..place };
                Expr::new(Kind::Address(Box::new(place)), pointer, start)
            }
        }
    }

    pub(super) fn deref(&mut self, pointer: Expr, start: usize) -> Expr {
        let pointer = self.value_of(pointer);
        let Some(to) = self.types.pointee(pointer.ty) else {
            return self.unsupported("`*` of something that is no pointer", start);
        };
        match pointer.kind {
            Kind::Address(place) => Expr { start, ..*place },
            _ => Expr::new(Kind::Deref(Box::new(pointer)), to, start),
        }
    }

    pub(super) fn element(&mut self, base: Expr, index: Expr) -> Expr {
        let (mut base, mut index) = (base, index);
        if self.types.as_int(base.ty).is_some() {
            std::mem::swap(&mut base, &mut index);
        }
        let start = base.start;
        let index = self.offset(index);
        if let Some(element) = self.types.element(base.ty) {
            return Expr::new(Kind::Index(Box::new(base), Box::new(index)), element, start);
        }
        let moved = self.moved(base, index);
        self.deref(moved, start)
    }

    pub(super) fn unary(&mut self, op: Unary, value: Expr, start: usize) -> Expr {
        let (value, ty) = match op {
            Unary::Zero => (self.value_of(value), self.int()),
            _ => {
                let value = self.promoted(value);
                let ty = value.ty;
                (value, ty)
            }
        };
        if !self.types.is_scalar(value.ty) || op == Unary::Not && self.types.as_int(ty).is_none() {
            return self.unsupported("an operator on something that is no number", start);
        }
        fold::simplified(Expr::new(Kind::Unary(op, Box::new(value)), ty, start), &self.types)
    }

    pub(super) fn conditional(&mut self, condition: Expr, then: Expr, otherwise: Expr) -> Expr {
        let (then, otherwise) = (self.value_of(then), self.value_of(otherwise));
        let start = condition.start;
        let ty = self.branch_type(&then, &otherwise);
        let (then, otherwise) = (self.converted(then, ty), self.converted(otherwise, ty));
        match condition.as_int().filter(|_| !condition.is_wrapped()) {
            Some(0) => otherwise,
            Some(_) => then,
            None => {
                let kind =
                    Kind::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise));
                Expr::new(kind, ty, start)
            }
        }
    }

    pub(super) fn elvis(&mut self, condition: Expr, otherwise: Expr) -> Expr {
        let otherwise = self.value_of(otherwise);
        let start = condition.start;
        let ty = self.branch_type(&condition, &otherwise);
        let otherwise = self.converted(otherwise, ty);
        Expr::new(Kind::Elvis(Box::new(condition), Box::new(otherwise)), ty, start)
    }

    fn branch_type(&mut self, then: &Expr, otherwise: &Expr) -> TypeId {
        match (self.types.get(then.ty), self.types.get(otherwise.ty)) {
            (Type::Int(_) | Type::Float(_), Type::Int(_) | Type::Float(_)) => {
                let (left, right) = (self.promoted_type(then), self.promoted_type(otherwise));
                self.common_type(left, right)
            }
            (Type::Pointer(a), Type::Pointer(b)) => {
                let (a, b) = (*a, *b);
                let to = if matches!(self.types.get(a), Type::Void) { b } else { a };
                // A pointer to `const` if one of them is.
                let to = [a, b].into_iter().fold(to, |to, side| self.types.part_of(side, to));
                self.types.pointer(to)
            }
            (Type::Pointer(_), _) => then.ty,
            (_, Type::Pointer(_)) => otherwise.ty,
            (Type::Void, _) => then.ty,
            (_, Type::Void) => otherwise.ty,
            _ => then.ty,
        }
    }

    pub(super) fn binary(&mut self, op: &str, left: Expr, right: Expr) -> Expr {
        let (left, right) = (self.value_of(left), self.value_of(right));
        let start = left.start;
        if !self.types.is_scalar(left.ty) || !self.types.is_scalar(right.ty) {
            return self.unsupported("an operator on something that is no number", start);
        }
        let result = match op {
            "&&" | "||" => self.logical(op == "&&", left, right),
            "<<" | ">>" => {
                let (left, right) = (self.promoted(left), self.promoted(right));
                let op = if op == "<<" { Binary::Shl } else { Binary::Shr };
                let ty = left.ty;
                Expr::new(Kind::Binary(op, Box::new(left), Box::new(right)), ty, start)
            }
            "+" if self.types.pointee(left.ty).is_some() => {
                let offset = self.offset(right);
                self.moved(left, offset)
            }
            "+" if self.types.pointee(right.ty).is_some() => {
                let offset = self.offset(left);
                self.moved(right, offset)
            }
            "-" if self.types.pointee(left.ty).is_some() => self.pointer_minus(left, right),
            "<" => self.meet(Binary::Lt, left, right),
            ">" | ">=" if !is_pure(&left, &self.types) || !is_pure(&right, &self.types) => {
                self.greater(op == ">", left, right)
            }
            ">" => self.meet(Binary::Lt, right, left),
            "<=" => self.meet(Binary::Le, left, right),
            ">=" => self.meet(Binary::Le, right, left),
            "==" => self.meet(Binary::Eq, left, right),
            "!=" => self.meet(Binary::Ne, left, right),
            "+" => self.meet(Binary::Add, left, right),
            "-" => self.meet(Binary::Sub, left, right),
            "*" => self.meet(Binary::Mul, left, right),
            "/" => self.meet(Binary::Div, left, right),
            "%" => self.meet(Binary::Rem, left, right),
            "&" => self.meet(Binary::And, left, right),
            "|" => self.meet(Binary::Or, left, right),
            _ => self.meet(Binary::Xor, left, right),
        };
        fold::simplified(Expr { start, ..result }, &self.types)
    }

    /// `>` and `>=` where the left side must be computed first.
    fn greater(&mut self, is_strict: bool, left: Expr, right: Expr) -> Expr {
        let start = left.start;
        let (l, r) = (self.promoted_type(&left), self.promoted_type(&right));
        let common = self.common_type(l, r);
        if matches!(self.types.get(common), Type::Float(_)) {
            // Neither `>` nor `<=` holds if one of them is no number.
            let [left, right] = [left, right].map(|side| {
                let side = self.converted(side, common);
                self.unary(Unary::Neg, side, start)
            });
            return self.meet(if is_strict { Binary::Lt } else { Binary::Le }, left, right);
        }
        let opposite = self.meet(if is_strict { Binary::Le } else { Binary::Lt }, left, right);
        self.unary(Unary::Zero, opposite, start)
    }

    fn logical(&mut self, is_and: bool, left: Expr, right: Expr) -> Expr {
        let (int, start) = (self.int(), left.start);
        let (left, right) = (Box::new(left), Box::new(right));
        Expr::new(if is_and { Kind::And(left, right) } else { Kind::Or(left, right) }, int, start)
    }

    /// An operator whose operands meet in a common type.
    fn meet(&mut self, op: Binary, left: Expr, right: Expr) -> Expr {
        let start = left.start;
        if self.is_wide_field(&left) || self.is_wide_field(&right) {
            return self.unsupported(WIDE_FIELD, start);
        }
        let pointer = [left.ty, right.ty].into_iter().find(|ty| self.types.pointee(*ty).is_some());
        if pointer.is_some() && !op.is_comparison() {
            return self.unsupported("arithmetic on pointers", start);
        }
        let common = match pointer {
            Some(pointer) => pointer,
            None => {
                let (l, r) = (self.promoted_type(&left), self.promoted_type(&right));
                self.common_type(l, r)
            }
        };
        let (left, right) = (self.converted(left, common), self.converted(right, common));
        let (left, right) = match op {
            Binary::Eq | Binary::Ne => self.as_pointers(left, right),
            _ => (left, right),
        };
        let ty = if op.is_comparison() { self.int() } else { common };
        Expr::new(Kind::Binary(op, Box::new(left), Box::new(right)), ty, start)
    }

    /// Pointers that are compared as numbers, as in `(unsigned long)p == 0`, are compared as pointers.
    fn as_pointers(&mut self, left: Expr, right: Expr) -> (Expr, Expr) {
        let word = self.types.model.word();
        let pointer = |expr: &Expr| match &expr.kind {
            Kind::Convert(inner) => {
                let is_wide = self.types.as_int(expr.ty).is_some_and(|int| int.width >= word);
                (is_wide && self.types.pointee(inner.ty).is_some()).then(|| (**inner).clone())
            }
            _ => None,
        };
        match (pointer(&left), pointer(&right)) {
            (Some(left), Some(right)) => (left, right),
            (Some(left), None) if right.as_int() == Some(0) => {
                let zero = Expr { ty: left.ty, ..right };
                (left, zero)
            }
            (None, Some(right)) if left.as_int() == Some(0) => {
                let zero = Expr { ty: right.ty, ..left };
                (right, zero)
            }
            _ => (left, right),
        }
    }

    /// A call whose closing parenthesis is at `close`.
    pub(super) fn call(&mut self, callee: Expr, args: Vec<Expr>, close: usize) -> Expr {
        let start = callee.start;
        let mut function = callee.ty;
        if let Some(to) = self.types.pointee(function) {
            function = to;
        }
        let Type::Function(signature) = self.types.get(function).clone() else {
            return self.unsupported("a call of something that is no function", start);
        };
        let mut values = Vec::with_capacity(args.len());
        for (i, arg) in args.into_iter().enumerate() {
            self.check_argument(&arg, signature.params.get(i).copied());
            values.push(match signature.params.get(i) {
                Some(ty) => self.converted(arg, *ty),
                None => self.promoted(arg),
            });
        }
        let callee = match callee.kind {
            // `(*f)(x)` and `(&f)(x)` are `f(x)`.
            Kind::Deref(pointer) if matches!(self.types.get(callee.ty), Type::Function(_)) => {
                *pointer
            }
            Kind::Address(function) if matches!(function.kind, Kind::Function(_)) => *function,
            kind => Expr { kind, ..callee },
        };
        let result = self.types.without_const(signature.result);
        Expr::new(Kind::Call(Box::new(callee), values, close), result, start)
    }
}
