//! Expressions: operators by their precedence, and prefix operators.

use super::validity::is_place;
use super::{Parsed, Parser};
use crate::c::ir::{Binary, Expr, Kind as ExprKind, Operation, Unary, VarRef};
use crate::c::parse::lexer::{Kind, Token};
use crate::c::types::{Type, TypeId};

/// The binding power of a binary operator.
fn precedence(token: Token<'_>) -> Option<u8> {
    if token.kind != Kind::Mark {
        return None;
    }
    Some(match token.text {
        "||" => 1,
        "&&" => 2,
        "|" => 3,
        "^" => 4,
        "&" => 5,
        "==" | "!=" => 6,
        "<" | ">" | "<=" | ">=" => 7,
        "<<" | ">>" => 8,
        "+" | "-" => 9,
        "*" | "/" | "%" => 10,
        _ => return None,
    })
}

fn update_operator(text: &str) -> Option<Binary> {
    Some(match text {
        "+=" => Binary::Add,
        "-=" => Binary::Sub,
        "*=" => Binary::Mul,
        "/=" => Binary::Div,
        "%=" => Binary::Rem,
        "&=" => Binary::And,
        "|=" => Binary::Or,
        "^=" => Binary::Xor,
        "<<=" => Binary::Shl,
        ">>=" => Binary::Shr,
        _ => return None,
    })
}

impl Parser<'_> {
    /// An expression, with commas.
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        let mut left = self.assignment_expression()?;
        while self.is(",") {
            self.advance();
            let right = self.assignment_expression()?;
            let right = self.value_of(right);
            let (ty, start) = (right.ty, left.start);
            left = Expr::new(ExprKind::Comma(Box::new(left), Box::new(right)), ty, start);
        }
        Ok(left)
    }

    pub(super) fn assignment_expression(&mut self) -> Parsed<Expr> {
        self.nested(|parser| {
            let first = parser.at;
            let left = parser.conditional_expression()?;
            let token = parser.peek();
            if token.kind != Kind::Mark {
                return Ok(left);
            }
            if token.text == "=" {
                parser.check_place(token, &left, first)?;
                parser.advance();
                let right = parser.assignment_expression()?;
                parser.check_assignable(&right, left.ty);
                let right = parser.stored(right, &left);
                let (ty, start) = (left.ty, left.start);
                return Ok(Expr::new(ExprKind::Assign(Box::new(left), Box::new(right)), ty, start));
            }
            let Some(op) = update_operator(token.text) else { return Ok(left) };
            parser.check_place(token, &left, first)?;
            parser.advance();
            let right = parser.assignment_expression()?;
            parser.check_operands(token.text.trim_end_matches('='), &left, &right);
            Ok(parser.update(op, left, right, false))
        })
    }

    /// What is changed must be an lvalue; its first token is `first`.
    pub(super) fn check_place(
        &mut self,
        token: Token<'_>,
        place: &Expr,
        first: usize,
    ) -> Parsed<()> {
        if self.is_rvalue(first) || !is_place(place) {
            return Err(self.error_at(token, "the left side cannot be assigned"));
        }
        self.check_assigned(place);
        Ok(())
    }

    /// `place op= right`.
    pub(super) fn update(
        &mut self,
        op: Binary,
        place: Expr,
        right: Expr,
        is_postfix: bool,
    ) -> Expr {
        let right = self.value_of(right);
        let (ty, start) = (place.ty, place.start);
        // The translation needs the type, which no expression has.
        self.field_type(&place);
        if self.is_wide_field(&place) {
            return self.unsupported(super::typing::WIDE_FIELD, start);
        }
        let (old, op, right) = match (self.types.get(ty), op) {
            (Type::Pointer(_), Binary::Add | Binary::Sub) => {
                let offset = self.offset(right);
                (ty, Operation::Move(op == Binary::Sub), offset)
            }
            _ if matches!(op, Binary::Shl | Binary::Shr) => {
                let old = self.promoted_type(&place);
                (old, Operation::Number(op), self.promoted(right))
            }
            _ => {
                let old = self.promoted_type(&place);
                let right = self.promoted(right);
                let common = self.common_type(old, right.ty);
                (common, Operation::Number(op), self.converted(right, common))
            }
        };
        let kind = ExprKind::Update {
            place: Box::new(place),
            old,
            op,
            right: Box::new(right),
            is_postfix,
        };
        Expr::new(kind, ty, start)
    }

    pub(super) fn conditional_expression(&mut self) -> Parsed<Expr> {
        let first = self.at;
        let condition = self.binary_expression(1)?;
        if !self.accept("?") {
            return Ok(condition);
        }
        self.check_scalar(&condition);
        let condition = self.value_of(condition);
        if self.accept(":") {
            let otherwise = self.nested(Self::conditional_expression)?;
            return Ok(self.elvis(condition, otherwise));
        }
        let then = self.nested(Self::expression)?;
        self.expect(":")?;
        let otherwise = self.nested(Self::conditional_expression)?;
        self.check_branches(&then, &otherwise);
        self.note_rvalue(first);
        Ok(self.conditional(condition, then, otherwise))
    }

    fn binary_expression(&mut self, least: u8) -> Parsed<Expr> {
        let mut left = self.cast_expression()?;
        while let Some(power) = precedence(self.peek()).filter(|power| *power >= least) {
            let operator = self.advance();
            let right = self.nested(|parser| parser.binary_expression(power + 1))?;
            self.check_operands(operator.text, &left, &right);
            left = self.binary(operator.text, left, right);
        }
        Ok(left)
    }

    /// `(type) expression`, compound literals, and prefix operators.
    pub(super) fn cast_expression(&mut self) -> Parsed<Expr> {
        self.nested(|parser| {
            let (first, start) = (parser.at, parser.peek().start);
            if !(parser.is("(") && parser.is_type_at(1)) {
                return parser.unary_expression();
            }
            parser.advance();
            let ty = parser.type_name()?;
            parser.expect(")")?;
            if parser.is("{") {
                let literal = parser.compound_literal(ty, start)?;
                return parser.postfix(literal, first);
            }
            let value = parser.cast_expression()?;
            parser.check_cast(&value, ty);
            parser.note_rvalue(first);
            let mut value = parser.cast(value, ty);
            value.start = start;
            Ok(value)
        })
    }

    fn is_type_at(&mut self, ahead: usize) -> bool {
        self.at += ahead;
        let starts =
            self.starts_type() && !(self.is("__extension__") && self.peek_at(1).text == "(");
        self.at -= ahead;
        starts
    }

    fn compound_literal(&mut self, ty: TypeId, start: usize) -> Parsed<Expr> {
        let name = self.name_of_literal(start);
        let (init, ty) = self.initializer_of(ty)?;
        let var = self.new_variable(name, ty, start);
        if let crate::c::ir::VarRef::Global(global) = var {
            self.globals[global as usize].init = init;
            return Ok(Expr::new(ExprKind::Var(var), ty, start));
        }
        Ok(Expr::new(ExprKind::Literal(var, init), ty, start))
    }

    fn unary_expression(&mut self) -> Parsed<Expr> {
        let token = self.peek();
        if token.kind == Kind::Mark {
            return match token.text {
                "++" | "--" => {
                    self.advance();
                    let first = self.at;
                    let place = self.unary_expression_nested()?;
                    self.check_place(token, &place, first)?;
                    self.check_operand(token.text, &place);
                    Ok(self.step(token, place, false))
                }
                "&" => {
                    self.advance();
                    let first = self.at;
                    let place = self.cast_expression()?;
                    if self.is_rvalue(first) {
                        self.complain(token.start, "the operand of `&` is no lvalue");
                    }
                    self.check_addressed(&place);
                    Ok(self.address(place, token.start))
                }
                "&&" => {
                    self.advance();
                    let label = self.advance();
                    let name = self.label_name(label.text);
                    self.mention_label(label, &name);
                    Ok(self.unsupported("the address of a label", token.start))
                }
                "*" => {
                    self.advance();
                    let pointer = self.cast_expression()?;
                    self.check_operand("*", &pointer);
                    Ok(self.deref(pointer, token.start))
                }
                "+" => {
                    let first = self.at;
                    self.advance();
                    let value = self.cast_expression()?;
                    self.check_operand("+", &value);
                    self.note_rvalue(first);
                    Ok(self.promoted(value))
                }
                "-" => self.prefix(Unary::Neg, token),
                "~" => self.prefix(Unary::Not, token),
                "!" => self.prefix(Unary::Zero, token),
                _ => self.postfix_expression(),
            };
        }
        match token.text {
            "sizeof" => self.size_of(),
            "__alignof__" | "_Alignof" | "__alignof" => self.align_of(),
            "__extension__" => {
                let first = self.at;
                self.advance();
                let value = self.cast_expression()?;
                if self.is_rvalue(first + 1) {
                    self.note_rvalue(first);
                }
                Ok(value)
            }
            "__real__" | "__imag__" | "__real" | "__imag" => {
                self.advance();
                self.cast_expression()?;
                Ok(self.unsupported("complex numbers", token.start))
            }
            _ => self.postfix_expression(),
        }
    }

    fn unary_expression_nested(&mut self) -> Parsed<Expr> {
        self.nested(Self::unary_expression)
    }

    fn prefix(&mut self, op: Unary, token: Token<'_>) -> Parsed<Expr> {
        self.advance();
        let value = self.cast_expression()?;
        self.check_operand(token.text, &value);
        Ok(self.unary(op, value, token.start))
    }

    /// `++` and `--`.
    pub(super) fn step(&mut self, token: Token<'_>, place: Expr, is_postfix: bool) -> Expr {
        let int = self.types.int(crate::c::types::IntType::INT);
        let one = Expr::new(ExprKind::Int(1), int, token.start);
        let op = if token.text == "++" { Binary::Add } else { Binary::Sub };
        self.update(op, place, one, is_postfix)
    }

    fn size_of(&mut self) -> Parsed<Expr> {
        let first = self.at;
        let token = self.advance();
        let ty = match self.is("(") && self.is_type_at(1) {
            true => {
                self.advance();
                let ty = self.type_name()?;
                self.expect(")")?;
                match self.is("{") {
                    true => {
                        let literal = self.compound_literal(ty, token.start)?;
                        self.postfix(literal, first)?.ty
                    }
                    false => ty,
                }
            }
            false => {
                let from = self.at;
                let operand = self.unary_expression_nested()?;
                if let Some(size) = self.size_of_variable(&operand, token.start) {
                    return Ok(size);
                }
                if let ExprKind::Unsupported(_) = operand.kind {
                    return Ok(operand);
                }
                self.check_no_field(from, &operand);
                operand.ty
            }
        };
        self.check_sized(ty, token.start);
        let long = self.types.long(false);
        let long = self.types.int(long);
        Ok(match self.types.size(ty) {
            Some(size) => Expr::new(ExprKind::Int(i128::from(size)), long, token.start),
            None => {
                let mut size =
                    self.unsupported("the size of an incomplete or variable type", token.start);
                size.ty = long;
                size
            }
        })
    }

    /// The size of an array whose length was computed where it was declared.
    fn size_of_variable(&mut self, operand: &Expr, start: usize) -> Option<Expr> {
        let ExprKind::Var(VarRef::Local(local)) = operand.kind else { return None };
        let variable = self.current.as_ref()?.locals.get(local as usize)?;
        let length = VarRef::Local(variable.extent?.length);
        let size = self.types.element(operand.ty).and_then(|element| self.types.size(element))?;
        let (signed, unsigned) = (self.types.long(true), self.types.long(false));
        let (signed, unsigned) = (self.types.int(signed), self.types.int(unsigned));
        let length = Expr::new(ExprKind::Var(length), signed, start);
        let length = Expr::new(ExprKind::Convert(Box::new(length)), unsigned, start);
        let size = Expr::new(ExprKind::Int(i128::from(size)), unsigned, start);
        let product = ExprKind::Binary(Binary::Mul, Box::new(length), Box::new(size));
        Some(Expr::new(product, unsigned, start))
    }

    fn align_of(&mut self) -> Parsed<Expr> {
        let token = self.advance();
        let align = match self.is("(") && self.is_type_at(1) {
            true => {
                self.advance();
                let (ty, set) = self.aligned_type_name()?;
                self.expect(")")?;
                match (set, token.text) {
                    (Some(align), _) => align,
                    // The standard's word gives the alignment in structures.
                    (None, "_Alignof") => self.types.align(ty),
                    (None, _) => self.types.natural_align(ty),
                }
            }
            false => {
                let from = self.at;
                let operand = self.unary_expression_nested()?;
                self.check_no_field(from, &operand);
                self.alignment_of(&operand)
            }
        };
        let long = self.types.long(false);
        let long = self.types.int(long);
        Ok(Expr::new(ExprKind::Int(i128::from(align)), long, token.start))
    }

    /// The alignment of what an expression names.
    fn alignment_of(&self, operand: &Expr) -> u64 {
        let natural = self.types.natural_align(operand.ty);
        match &operand.kind {
            ExprKind::Var(var) => self.aligns.get(var).map_or(natural, |align| align.variable),
            ExprKind::Member(record, index) => {
                let members = self.types.members(record.ty);
                members.and_then(|members| members.get(*index)).map_or(natural, |m| m.align)
            }
            _ => natural,
        }
    }
}
