//! The built-in functions of gcc. Some take types or are constants; of the others the result is known by its type.

use super::{Parsed, Parser};
use crate::c::ir::{BUILTIN, CONSTANT_P};
use crate::c::ir::{Expr, Kind as ExprKind, STRING, VarRef};
use crate::c::parse::lexer::Token;
use crate::c::types::{IntType, Type, TypeId};

/// Built-in functions that return addresses.
const POINTERS: [&str; 15] = [
    "alloca",
    "malloc",
    "calloc",
    "realloc",
    "memcpy",
    "memset",
    "memmove",
    "strcpy",
    "strncpy",
    "strcat",
    "strchr",
    "strstr",
    "return_address",
    "frame_address",
    "assume_aligned",
];
/// Those that return nothing.
const NOTHING: [&str; 9] =
    ["unreachable", "trap", "abort", "exit", "free", "prefetch", "va_start", "va_end", "va_copy"];
/// Those that return floating numbers of the type that a suffix tells, and how many of these they are given.
const FLOATS: [(&str, usize); 14] = [
    ("huge_val", 0),
    ("inf", 0),
    ("nan", 0),
    ("nans", 0),
    ("fabs", 1),
    ("sqrt", 1),
    ("floor", 1),
    ("ceil", 1),
    ("trunc", 1),
    ("round", 1),
    ("powi", 1),
    ("fmin", 2),
    ("fmax", 2),
    ("copysign", 2),
];
/// Those that count bits, also with a suffix for the type.
const COUNTS: [&str; 6] = ["popcount", "parity", "clz", "ctz", "ffs", "clrsb"];
/// Those that return an `int`.
const NUMBERS: [&str; 24] = [
    "abs",
    "strcmp",
    "strncmp",
    "memcmp",
    "bcmp",
    "isnan",
    "isinf",
    "isinf_sign",
    "isfinite",
    "isnormal",
    "signbit",
    "fpclassify",
    "isgreater",
    "isgreaterequal",
    "isless",
    "islessequal",
    "islessgreater",
    "isunordered",
    "printf",
    "puts",
    "putchar",
    "fprintf",
    "toupper",
    "tolower",
];

/// Whether a name is one of those, with one of the suffixes.
fn is_of(name: &str, names: &[&str], suffixes: &[&str]) -> bool {
    suffixes
        .iter()
        .any(|suffix| names.iter().any(|known| name.strip_suffix(suffix) == Some(*known)))
}

impl<'s> Parser<'s> {
    /// Built-ins that take types, or whose value is known; the others are functions.
    pub(super) fn builtin(&mut self) -> Parsed<Expr> {
        let first = self.at;
        let token = self.advance();
        let int = self.types.int(IntType::INT);
        match token.text {
            "__builtin_types_compatible_p" => self.types_compatible(token),
            "__builtin_va_arg" => {
                self.expect("(")?;
                self.assignment_expression()?;
                self.expect(",")?;
                let ty = self.type_name()?;
                self.expect(")")?;
                let mut value = self.unsupported("variable arguments", token.start);
                value.ty = ty;
                Ok(value)
            }
            "__builtin_offsetof" => self.offset_of(token),
            "__builtin_expect" => {
                let args = self.arguments()?;
                let value = args
                    .into_iter()
                    .next()
                    .ok_or_else(|| self.error_at(token, "arguments are missing"))?;
                let long = self.types.long(true);
                let long = self.types.int(long);
                self.note_rvalue(first);
                Ok(self.converted(value, long))
            }
            CONSTANT_P => {
                let args = self.arguments()?;
                match args.first().is_some_and(|arg| self.is_constant(arg)) {
                    true => Ok(Expr::new(ExprKind::Int(1), int, token.start)),
                    false => Ok(self.without_arguments(token, int)),
                }
            }
            "__builtin_object_size" => {
                self.arguments()?;
                let size = self.types.long(false);
                let size = self.types.int(size);
                Ok(self.without_arguments(token, size))
            }
            "__builtin_choose_expr" => {
                let mut args = self.arguments()?.into_iter();
                let condition = args.next().and_then(|condition| match condition.kind {
                    // What must be known at once is not constant if its form does not say so.
                    ExprKind::Call(..) if self.is_constant_p(&condition) => Some(0),
                    _ => condition.as_int(),
                });
                match (condition, args.next(), args.next()) {
                    (Some(condition), Some(then), Some(otherwise)) => {
                        Ok(if condition != 0 { then } else { otherwise })
                    }
                    _ => Err(self.error_at(token, "a constant and two values are expected")),
                }
            }
            _ if self.lookup(token.text).is_none() => match self.builtin_type(token.text) {
                _ if self.declare_of_library(token)?.is_some() => {
                    self.at -= 1;
                    self.name()
                }
                Some(ty) => {
                    let function = self.declare_function(token, ty);
                    Ok(self.function(function, token))
                }
                None => {
                    if self.is("(") {
                        self.skip_parenthesized()?;
                    }
                    Ok(self.unsupported(&format!("`{}`", token.text), token.start))
                }
            },
            _ => {
                self.at -= 1;
                self.name()
            }
        }
    }

    /// Whether an expression is constant by its form: a number or a string.
    fn is_constant(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Float(_) => true,
            ExprKind::Var(VarRef::Global(global)) => {
                self.globals[*global as usize].name.starts_with(STRING)
            }
            ExprKind::Decay(inner) => self.is_constant(inner),
            ExprKind::Convert(inner) => self.types.is_scalar(inner.ty) && self.is_constant(inner),
            _ => false,
        }
    }

    fn is_constant_p(&self, call: &Expr) -> bool {
        let ExprKind::Call(callee, ..) = &call.kind else { return false };
        let ExprKind::Function(function) = callee.kind else { return false };
        self.functions[function as usize].name == CONSTANT_P
    }

    /// A call of a built-in function that does not evaluate its arguments.
    fn without_arguments(&mut self, token: Token<'s>, result: TypeId) -> Expr {
        let ty = self.function_type(result, Vec::new(), true);
        let function = self.declare_function(token, ty);
        self.functions[function as usize].is_used = true;
        let callee = Expr::new(ExprKind::Function(function), ty, token.start);
        self.call(callee, Vec::new(), token.start)
    }

    /// `__builtin_types_compatible_p(type, type)`. Qualifiers, enumerations and `signed char` are not told apart in types: where
    /// they might matter, the value is not known.
    fn types_compatible(&mut self, token: Token<'s>) -> Parsed<Expr> {
        self.expect("(")?;
        let from = self.at;
        let left = self.type_name()?;
        let comma = self.at;
        self.expect(",")?;
        let right = self.type_name()?;
        let end = self.at;
        self.expect(")")?;
        let texts = |tokens: &[Token<'s>]| tokens.iter().map(|t| t.text).collect::<Vec<_>>();
        let is_plain = |text: &&str| {
            matches!(*text, "int" | "long" | "short" | "unsigned" | "signed" | "float" | "double")
        };
        let (a, b) = (texts(&self.tokens[from..comma]), texts(&self.tokens[comma + 1..end]));
        let is_known = a == b || a.iter().chain(&b).all(is_plain);
        let is_same = self.is_compatible(left, right);
        let int = self.types.int(IntType::INT);
        match is_same && !is_known {
            true => {
                Ok(self.unsupported("`__builtin_types_compatible_p` of these types", token.start))
            }
            false => Ok(Expr::new(ExprKind::Int(i128::from(is_same)), int, token.start)),
        }
    }

    /// The type of a built-in function; none if it is not known.
    fn builtin_type(&mut self, name: &str) -> Option<TypeId> {
        let name = name.trim_start_matches(BUILTIN);
        let void = self.types.id(Type::Void);
        let pointer = self.types.pointer(void);
        let long = self.types.long(false);
        if let Some(ty) = self.float_builtin(name) {
            return Some(ty);
        }
        let result = match name {
            "bswap16" => self.types.int(IntType::SHORT.unsigned()),
            "bswap32" => self.types.int(IntType::UINT),
            "bswap64" => self.types.int(IntType::LLONG.unsigned()),
            "strlen" | "strspn" | "strcspn" => self.types.int(long),
            "labs" => self.types.int(IntType { signed: true, ..long }),
            "llabs" | "imaxabs" => self.types.int(IntType::LLONG),
            _ if name.ends_with("_overflow") => self.types.int(IntType::BOOL),
            _ if POINTERS.contains(&name) => pointer,
            _ if NOTHING.contains(&name) => void,
            _ if is_of(name, &COUNTS, &["", "l", "ll"]) => self.types.int(IntType::INT),
            _ if NUMBERS.contains(&name) => self.types.int(IntType::INT),
            _ => return None,
        };
        Some(self.function_type(result, Vec::new(), true))
    }

    fn float_builtin(&mut self, name: &str) -> Option<TypeId> {
        let suffixes = [("", Type::Float(8)), ("f", Type::Float(4)), ("l", self.long_double())];
        let known = suffixes.into_iter().find_map(|(suffix, ty)| {
            let name = name.strip_suffix(suffix)?;
            FLOATS.iter().find(|(known, _)| *known == name).map(|(_, n)| (ty, *n))
        });
        let (ty, n_params) = known?;
        let ty = self.types.id(ty);
        Some(self.function_type(ty, vec![ty; n_params], true))
    }

    fn offset_of(&mut self, token: Token<'s>) -> Parsed<Expr> {
        self.expect("(")?;
        let mut ty = self.type_name()?;
        self.expect(",")?;
        let mut offset = 0;
        loop {
            if self.accept("[") {
                let index = self.expression()?;
                self.expect("]")?;
                let (Some(element), Some(index)) = (self.types.element(ty), index.as_int()) else {
                    return Err(self.error_at(token, "this offset is not constant"));
                };
                offset += index * i128::from(self.types.size(element).unwrap_or(0));
                ty = element;
            } else {
                self.accept(".");
                let name = self.advance();
                let Some(path) = self.types.find_member(ty, name.text) else {
                    return Err(self.error_at(name, format!("there is no member `{}`", name.text)));
                };
                for index in path {
                    if let Some(members) = self.types.members(ty) {
                        offset += i128::from(members[index].offset);
                        ty = members[index].ty;
                        if members[index].bits.is_some() {
                            let message = "a bit-field has no size, alignment or offset";
                            return Err(self.error_at(name, message));
                        }
                    }
                }
            }
            if self.accept(")") {
                break;
            }
        }
        let long = self.types.long(false);
        let long = self.types.int(long);
        Ok(Expr::new(ExprKind::Int(offset), long, token.start))
    }
}
