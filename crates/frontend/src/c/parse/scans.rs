//! Calls of `scanf` with a literal format: each item is a call of a function of ours, which stores any value of its type.

use super::{Parsed, Parser};
use crate::c::ir::{Expr, Kind as ExprKind, STRING, VarRef};
use crate::c::parse::lexer::{Kind, Token};
use crate::c::types::{IntType, Type, TypeId};

/// What the names of the functions start with that store an item.
const SCAN: &str = "lapidary_scan_";

/// What a format asks for at a place.
#[derive(Debug, PartialEq, Eq)]
enum Item {
    /// A number that is stored: its letter and length, such as `ld`.
    Number(String),
    /// A word of at most this length.
    Word(Option<u32>),
    /// One character.
    Letter,
}

impl Parser<'_> {
    /// A call of `scanf` or `fscanf`, if its format is one that we know.
    pub(super) fn scan(
        &mut self,
        callee: &Expr,
        args: &[Expr],
        close: usize,
    ) -> Parsed<Option<Expr>> {
        let ExprKind::Function(function) = callee.kind else { return Ok(None) };
        let known = &self.functions[function as usize];
        let name = known.name.trim_start_matches("__isoc99_").trim_start_matches("__isoc23_");
        let n_before = match name {
            "scanf" => 0,
            "fscanf" => 1,
            _ => return Ok(None),
        };
        let has_body = known.body.is_some();
        // The order of the arguments is that of our calls: it must not matter.
        let are_fixed = args.len() <= n_before + 2 || args[n_before + 1..].iter().all(is_fixed);
        let is_plain = args.iter().take(n_before).all(is_fixed) && are_fixed && !has_body;
        let Some(format) = args.get(n_before).filter(|_| is_plain) else { return Ok(None) };
        let Some(items) = self.literal(format).and_then(|format| items(&format)) else {
            return Ok(None);
        };
        let targets = &args[n_before + 1..];
        let helpers: Vec<_> =
            items.iter().zip(targets).map_while(|(item, to)| self.helper(item, to)).collect();
        if helpers.len() != items.len() || targets.len() != items.len() {
            return Ok(None);
        }
        let int = self.types.int(IntType::INT);
        let mut state = Expr::new(ExprKind::Int(0), int, callee.start);
        for ((helper, most), to) in helpers.into_iter().zip(targets) {
            let mut args = vec![state, to.clone()];
            args.extend(most.map(|most| Expr::new(ExprKind::Int(most), int, callee.start)));
            let Some(next) = self.call_of(helper, args, callee.start, close)? else {
                return Ok(None);
            };
            state = next;
        }
        self.call_of("end", vec![state], callee.start, close)
    }

    /// The text of a string literal.
    fn literal(&self, value: &Expr) -> Option<Vec<u8>> {
        match &value.kind {
            ExprKind::Decay(inner) | ExprKind::Convert(inner) => self.literal(inner),
            ExprKind::Var(VarRef::Global(global)) => {
                let global = &self.globals[*global as usize];
                let is_byte = |init: &crate::c::ir::Init| {
                    let at = usize::try_from(*init.path.first()?).ok()?;
                    Some((at, u8::try_from(init.value.as_int()?).ok()?))
                };
                let bytes: Option<Vec<_>> = global.init.iter().map(is_byte).collect();
                let bytes = bytes.filter(|_| global.name.starts_with(STRING))?;
                // Bytes that are not set are zero, and end the format.
                let in_order = bytes.iter().enumerate().take_while(|(i, (at, _))| i == at);
                Some(in_order.map(|(_, (_, byte))| *byte).collect())
            }
            _ => None,
        }
    }

    /// The function that stores an item, and the length that it is given, if the target has the right type.
    fn helper(&self, item: &Item, to: &Expr) -> Option<(&'static str, Option<i128>)> {
        let target = self.types.element(to.ty).or(self.types.pointee(to.ty))?;
        let is_int = |bytes: &dyn Fn(IntType) -> bool| self.types.as_int(target).is_some_and(bytes);
        let long = self.types.model.word();
        let helper = match item {
            Item::Word(most) => {
                let most = most.map_or(-1, i128::from);
                return is_int(&|int| int.width == 8).then_some(("word", Some(most)));
            }
            Item::Letter => return is_int(&|int| int.width == 8).then_some(("uchar", None)),
            Item::Number(text) => match text.as_str() {
                "d" | "i" => ("int", 32),
                "u" | "x" | "X" | "o" => ("uint", 32),
                "hd" | "hi" => ("short", 16),
                "hu" | "hx" | "ho" => ("ushort", 16),
                "hhd" | "hhi" => ("schar", 8),
                "hhu" | "hhx" | "hho" => ("uchar", 8),
                "ld" | "li" => ("long", long),
                "lu" | "lx" | "lo" | "zu" | "zx" => ("ulong", long),
                "lld" | "lli" => ("llong", 64),
                "llu" | "llx" | "llo" => ("ullong", 64),
                "f" | "g" | "e" if self.is_float_of(target, 4) => return Some(("float", None)),
                "lf" | "lg" | "le" if self.is_float_of(target, 8) => return Some(("double", None)),
                _ => return None,
            },
        };
        is_int(&|int| int.width == helper.1).then_some((helper.0, None))
    }

    fn is_float_of(&self, ty: TypeId, bytes: u64) -> bool {
        matches!(self.types.get(ty), Type::Float(size) if u64::from(*size) == bytes)
    }

    /// A call of one of our functions.
    fn call_of(
        &mut self,
        helper: &str,
        mut args: Vec<Expr>,
        start: usize,
        close: usize,
    ) -> Parsed<Option<Expr>> {
        let name = format!("{SCAN}{helper}");
        let pieces = self.source.pieces();
        let Some(piece) = pieces.iter().find(|piece| piece.name == name) else { return Ok(None) };
        let token = Token { kind: Kind::Word, text: piece.name, start };
        let Some(function) = self.declare_of_library(token)? else { return Ok(None) };
        self.functions[function as usize].is_used = true;
        let ty = self.functions[function as usize].ty;
        // Addresses of numbers of another sign are the same.
        if let (Type::Function(signature), Some(to)) = (self.types.get(ty).clone(), args.get_mut(1))
            && let Some(param) = signature.params.get(1)
        {
            let value = self.value_of(to.clone());
            *to = Expr::new(ExprKind::Convert(Box::new(value)), *param, start);
        }
        let callee = Expr::new(ExprKind::Function(function), ty, start);
        Ok(Some(self.call(callee, args, close)))
    }
}

/// Whether no call changes what an argument is.
fn is_fixed(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Int(_) | ExprKind::Var(_) => true,
        ExprKind::Address(a)
        | ExprKind::Decay(a)
        | ExprKind::Member(a, _)
        | ExprKind::Convert(a) => is_fixed(a),
        ExprKind::Index(a, b) => is_fixed(a) && b.as_int().is_some(),
        _ => false,
    }
}

/// What a format asks for; none if we do not know.
fn items(format: &[u8]) -> Option<Vec<Item>> {
    let text = std::str::from_utf8(format).ok()?;
    let (mut items, mut rest) = (Vec::new(), text);
    while let Some((_, after)) = rest.split_once('%') {
        if let Some(after) = after.strip_prefix('%') {
            rest = after;
            continue;
        }
        let (is_skipped, after) = match after.strip_prefix('*') {
            Some(after) => (true, after),
            None => (false, after),
        };
        let digits = after.len() - after.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let width = after[..digits].parse().ok();
        let after = &after[digits..];
        let length = after.len() - after.trim_start_matches(['h', 'l', 'z']).len();
        let letter = after[length..].chars().next().filter(char::is_ascii_alphabetic)?;
        let item = match letter {
            's' if length == 0 => Item::Word(width),
            'c' if length == 0 && width.is_none_or(|width| width == 1) => Item::Letter,
            'd' | 'i' | 'u' | 'x' | 'X' | 'o' | 'f' | 'g' | 'e' => {
                Item::Number(after[..=length].into())
            }
            _ => return None,
        };
        if !is_skipped {
            items.push(item);
        }
        rest = &after[length + 1..];
    }
    Some(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_ask_for_items() {
        let number = |text: &str| Item::Number(text.into());
        let check = |format: &str, expected| assert_eq!(items(format.as_bytes()), expected);
        check("%d, %ld", Some(vec![number("d"), number("ld")]));
        check(" %7s%% %*d%c", Some(vec![Item::Word(Some(7)), Item::Letter]));
        check("%hhu %lf", Some(vec![number("hhu"), number("lf")]));
        for format in ["%[a-z]", "%n", "%p", "%5c", "%"] {
            check(format, None);
        }
    }
}
