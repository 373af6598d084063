//! Floating constants.

use super::{Parsed, Parser};
use crate::c::ir::constants::Constant;
use crate::c::ir::{Expr, Kind as ExprKind, Unary};
use crate::c::parse::lexer::Token;
use crate::c::types::{DataModel, IntType, Type, TypeId};

impl Parser<'_> {
    /// A floating constant, in small letters.
    pub(super) fn floating(&mut self, token: Token<'_>, text: &str) -> Parsed<Expr> {
        let is_hexadecimal = text.starts_with("0x");
        if is_hexadecimal && !text.contains('p') {
            return Err(self.error_at(token, "this is no number: the exponent (`p…`) is missing"));
        }
        // Hexadecimal digits end at the exponent, which is decimal.
        let exponent = if is_hexadecimal { text.find('p').unwrap_or(0) } else { 0 };
        let is_digit = |c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'p' | '+' | '-');
        let end = text[exponent..].find(|c| !is_digit(c)).map_or(text.len(), |end| exponent + end);
        let (number, suffix) = text.split_at(end);
        let ty = match suffix {
            "" | "f64" | "f32x" => Type::Float(8),
            "f" | "f32" => Type::Float(4),
            "l" | "f64x" => self.long_double(),
            _ if !is_suffix(suffix) => {
                return Err(self.error_at(token, format!("`{suffix}` is no suffix of a number")));
            }
            _ => {
                let what = format!("a constant with the suffix `{suffix}`");
                return Ok(self.unsupported(&what, token.start));
            }
        };
        let ty = self.types.id(ty);
        let format = self.types.as_float(ty).and_then(IntType::format);
        match Constant::parse(number, format) {
            Some(constant) => Ok(Expr::new(ExprKind::Float(constant), ty, token.start)),
            None => Err(self.error_at(token, "this is no number")),
        }
    }

    pub(super) fn long_double(&self) -> Type {
        Type::Float(if self.types.model == DataModel::Ilp32 { 12 } else { 16 })
    }

    /// A constant of one floating type as one of another, if that is modelled.
    pub(super) fn converted_constant(&mut self, value: &Expr, ty: TypeId) -> Option<Expr> {
        let ExprKind::Float(constant) = value.kind else { return None };
        let is_modelled = self.types.as_float(ty).is_some() && self.types.is_unmodelled(value.ty);
        is_modelled.then(|| Expr::new(ExprKind::Float(constant), ty, value.start))
    }

    /// A floating constant as an integer of a type, if it fits.
    pub(super) fn truncated(&self, value: &Expr, ty: TypeId) -> Option<i128> {
        let int = self.types.as_int(ty)?;
        let number = self.constant_float(value)?;
        if int.is_bool() {
            return Some(i128::from(number != 0.0));
        }
        let whole = number.trunc();
        // Beyond that, neighbours are further apart than one.
        let is_exact = whole.abs() < 9_007_199_254_740_992.0;
        is_exact
            .then_some(whole as i128)
            .filter(|whole| (int.least()..=int.greatest()).contains(whole))
    }

    fn constant_float(&self, value: &Expr) -> Option<f64> {
        match &value.kind {
            ExprKind::Float(constant) => {
                let format = self.types.as_float(value.ty).and_then(IntType::format)?;
                let bits = constant.bits(format);
                Some(match self.types.size(value.ty) {
                    Some(4) => f64::from(f32::from_bits(u32::try_from(bits).ok()?)),
                    _ => f64::from_bits(bits),
                })
            }
            ExprKind::Unary(Unary::Neg, inner) => Some(-self.constant_float(inner)?),
            _ => None,
        }
    }
}

/// Whether gcc knows a suffix of a floating constant: a type, and `i` or `j` for imaginary numbers on one of its sides.
fn is_suffix(suffix: &str) -> bool {
    let real = suffix.trim_start_matches(['i', 'j']);
    let real = if real.len() == suffix.len() { suffix.trim_end_matches(['i', 'j']) } else { real };
    let is_real = matches!(
        real,
        "" | "f" | "l" | "q" | "w" | "f16" | "f32" | "f64" | "f128" | "f32x" | "f64x"
    );
    let is_decimal = matches!(suffix, "d" | "df" | "dd" | "dl");
    is_decimal || is_real && suffix.len() - real.len() <= 1
}
