//! Constants: numbers, characters and strings.

use super::{Parsed, Parser};
use crate::c::ir::{Expr, Kind as ExprKind};
use crate::c::parse::lexer::{Kind, Token};
use crate::c::types::{DataModel, IntType};

impl Parser<'_> {
    pub(super) fn number(&mut self) -> Parsed<Expr> {
        let token = self.advance();
        let text = token.text.to_ascii_lowercase();
        let (digits, radix) = match text.as_bytes() {
            [b'0', b'x', ..] => (&text[2..], 16),
            [b'0', b'b', ..] => (&text[2..], 2),
            [b'0', b'0'..=b'9', ..] => (&text[1..], 8),
            _ => (&text[..], 10),
        };
        let is_float = digits.contains('.')
            || radix == 10 && digits.contains(['e', 'f'])
            || radix == 8 && digits.contains(['e', 'f', '.'])
            || radix == 16 && digits.contains('p');
        if is_float {
            return self.floating(token, &text);
        }
        let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
        let (digits, suffix) = digits.split_at(end);
        if digits.is_empty() && suffix.is_empty() || radix == 16 && digits.is_empty() {
            return Err(self.error_at(token, "this is no number"));
        }
        let digits = if digits.is_empty() { "0" } else { digits };
        let value = u64::from_str_radix(digits, radix)
            .map_err(|_| self.error_at(token, "this is no number that C can hold"))?;
        let (is_unsigned, longs) = match suffix {
            "" => (false, 0),
            "u" => (true, 0),
            "l" => (false, 1),
            "ul" | "lu" => (true, 1),
            "ll" => (false, 2),
            "ull" | "llu" => (true, 2),
            _ => return Err(self.error_at(token, format!("`{suffix}` is no suffix of a number"))),
        };
        let ranks = [IntType::INT, self.types.long(true), IntType::LLONG];
        let types = ranks.into_iter().skip(longs).flat_map(|ty| [ty, ty.unsigned()]);
        let fits = |ty: &IntType| {
            let allowed = if ty.signed { !is_unsigned } else { is_unsigned || radix != 10 };
            allowed && i128::from(value) <= ty.greatest()
        };
        // Decimal constants beyond `long long` have 128 bits where there are such numbers, else they are unsigned.
        let wider = match self.types.model {
            DataModel::Lp64 => IntType::INT128,
            DataModel::Ilp32 => IntType::LLONG.unsigned(),
        };
        let ty = types.clone().find(fits).unwrap_or(wider);
        let ty = self.types.int(ty);
        Ok(Expr::new(ExprKind::Int(i128::from(value)), ty, token.start))
    }

    pub(super) fn character(&mut self) -> Parsed<Expr> {
        let token = self.advance();
        let is_wide = token.text.starts_with('L');
        let units = self.units(token)?;
        if !is_wide && !token.text.starts_with('\'') {
            return Ok(self.unsupported("a character of another width", token.start));
        }
        let wide = match self.types.model {
            DataModel::Lp64 => IntType::INT,
            DataModel::Ilp32 => self.types.long(true),
        };
        let int = self.types.int(if is_wide { wide } else { IntType::INT });
        let value = match (units.as_slice(), is_wide) {
            // Of several wide characters, gcc takes the last one.
            ([.., last], true) => wide.wrap(*last),
            ([], _) => return Err(self.error_at(token, "an empty character constant")),
            ([one], false) => IntType::CHAR.wrap(*one),
            // Several characters: gcc shifts them in.
            (many, _) => IntType::INT.wrap(
                many.iter().fold(0, |value, unit| (value << 8) + (unit & 0xff)) & 0xffff_ffff,
            ),
        };
        Ok(Expr::new(ExprKind::Int(value), int, token.start))
    }

    /// The characters of adjacent strings, without the final zero.
    pub(super) fn string_units(&mut self) -> Parsed<Vec<i128>> {
        let mut units = Vec::new();
        while self.peek().kind == Kind::Text {
            let token = self.advance();
            units.extend(self.units(token)?);
        }
        Ok(units)
    }

    /// The characters between the quotes of a token, escapes resolved.
    fn units(&self, token: Token<'_>) -> Parsed<Vec<i128>> {
        let is_wide = !token.text.starts_with(['\'', '"', 'u']);
        let text = token.text.trim_start_matches(['L', 'u', 'U', '8']);
        let mut chars = text[1..text.len() - 1].chars().peekable();
        let mut units = Vec::new();
        while let Some(c) = chars.next() {
            if c != '\\' {
                push(&mut units, c, is_wide);
                continue;
            }
            let unit = match chars.next() {
                Some(c @ ('u' | 'U')) => {
                    let n_digits = if c == 'u' { 4 } else { 8 };
                    let digits: String = chars.by_ref().take(n_digits).collect();
                    let code = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                    let code = code
                        .filter(|_| digits.len() == n_digits)
                        .ok_or_else(|| self.error_at(token, "an escape that names no character"))?;
                    push(&mut units, code, is_wide);
                    continue;
                }
                Some('n') => 10,
                Some('t') => 9,
                Some('r') => 13,
                Some('a') => 7,
                Some('b') => 8,
                Some('f') => 12,
                Some('v') => 11,
                Some('e' | 'E') => 27,
                Some('\n') => continue,
                Some('x') if !chars.peek().is_some_and(char::is_ascii_hexdigit) => {
                    return Err(self.error_at(token, "`\\x` without hexadecimal digits"));
                }
                Some('x') => {
                    let mut value = 0i128;
                    while let Some(digit) = chars.peek().and_then(|c| c.to_digit(16)) {
                        value = (value * 16 + i128::from(digit)) & 0xffff_ffff;
                        chars.next();
                    }
                    value
                }
                Some(c) if c.is_digit(8) => {
                    let mut value = i128::from(c.to_digit(8).unwrap_or(0));
                    for _ in 0..2 {
                        let Some(digit) = chars.peek().and_then(|c| c.to_digit(8)) else { break };
                        value = value * 8 + i128::from(digit);
                        chars.next();
                    }
                    value
                }
                Some(c) => i128::from(u32::from(c)),
                None => return Err(self.error_at(token, "an escape without a character")),
            };
            units.push(if is_wide { unit } else { IntType::CHAR.wrap(unit) });
        }
        Ok(units)
    }
}

/// Adds a character, as it is or in UTF-8.
fn push(units: &mut Vec<i128>, c: char, is_wide: bool) {
    match is_wide {
        true => units.push(i128::from(u32::from(c))),
        false => {
            let mut bytes = [0; 4];
            let bytes = c.encode_utf8(&mut bytes).bytes();
            units.extend(bytes.map(|byte| IntType::CHAR.wrap(i128::from(byte))));
        }
    }
}
