//! Names that are there before the first line: built-in types.

use super::{Entry, Parser};
use crate::c::parse::headers;
use crate::c::types::{DataModel, IntType, Type, VARIABLE_ARGUMENTS};

impl Parser<'_> {
    pub(super) fn builtin_names(&mut self) {
        // All integer types occur, so that common types are found.
        let long = self.types.long(true);
        for ty in [IntType::INT, long, IntType::LLONG, IntType::INT128] {
            self.types.int(ty);
            self.types.int(ty.unsigned());
        }
        let list = self.types.id(Type::Opaque(VARIABLE_ARGUMENTS));
        self.define("__builtin_va_list", Entry::Typedef(list));
        // What `stdbool.h` and C23 define.
        let (bool, int) = (self.types.int(IntType::BOOL), self.types.int(IntType::INT));
        self.define("bool", Entry::Typedef(bool));
        self.define("true", Entry::Constant(1, int));
        self.define("false", Entry::Constant(0, int));
        if self.types.model == DataModel::Lp64 {
            let int128 = self.types.int(IntType::INT128);
            self.define("__int128_t", Entry::Typedef(int128));
            let uint128 = self.types.int(IntType::INT128.unsigned());
            self.define("__uint128_t", Entry::Typedef(uint128));
        }
    }

    /// What the headers define that a program includes.
    pub(super) fn header_names(&mut self) {
        for (name, ty) in headers::types(self.types.model) {
            let ty = self.types.int(ty);
            self.define(name, Entry::Typedef(ty));
        }
        for (name, value, ty) in headers::constants(self.types.model) {
            let ty = self.types.int(ty);
            self.define(name, Entry::Constant(value, ty));
        }
        let void = self.types.id(Type::Void);
        let pointer = self.types.pointer(void);
        for name in ["malloc", "calloc", "realloc", "alloca"] {
            let ty = self.function_type(pointer, Vec::new(), true);
            let kind = crate::c::parse::lexer::Kind::Word;
            self.declare_function(crate::c::parse::lexer::Token { kind, text: name, start: 0 }, ty);
        }
    }

    /// Whether a declaration starts with the next token.
    pub(super) fn starts_type(&self) -> bool {
        let token = self.peek();
        if token.kind != crate::c::parse::lexer::Kind::Word {
            return false;
        }
        is_specifier(token.text) || matches!(self.lookup(token.text), Some(Entry::Typedef(_)))
    }
}

/// Whether a word is a keyword that can start a declaration.
pub(super) fn is_specifier(word: &str) -> bool {
    is_storage(word)
        || is_qualifier(word)
        || matches!(
            word,
            "void"
                | "char"
                | "short"
                | "int"
                | "long"
                | "float"
                | "double"
                | "signed"
                | "__signed"
                | "__signed__"
                | "unsigned"
                | "_Bool"
                | "_Complex"
                | "__complex__"
                | "struct"
                | "union"
                | "enum"
                | "typeof"
                | "__typeof"
                | "__typeof__"
                | "__int128"
                | "__float128"
                | "_Float128"
                | "_Float64"
                | "_Float32"
                | "_Float64x"
                | "_Float32x"
                | "__attribute__"
                | "__attribute"
                | "__extension__"
                | "_Static_assert"
                | "_Alignas"
                | "__auto_type"
        )
}

pub(super) fn is_storage(word: &str) -> bool {
    matches!(
        word,
        "typedef"
            | "extern"
            | "static"
            | "auto"
            | "register"
            | "inline"
            | "__inline"
            | "__inline__"
            | "_Noreturn"
            | "__thread"
            | "_Thread_local"
    )
}

pub(super) fn is_qualifier(word: &str) -> bool {
    matches!(
        word,
        "const"
            | "__const"
            | "__const__"
            | "volatile"
            | "__volatile"
            | "__volatile__"
            | "restrict"
            | "__restrict"
            | "__restrict__"
            | "_Atomic"
            | "_Nullable"
            | "_Nonnull"
    )
}

/// Words that cannot be names.
pub(super) fn is_keyword(word: &str) -> bool {
    is_specifier(word)
        || matches!(
            word,
            "if" | "else"
                | "while"
                | "do"
                | "for"
                | "switch"
                | "case"
                | "default"
                | "break"
                | "continue"
                | "return"
                | "goto"
                | "sizeof"
                | "__alignof__"
                | "_Alignof"
                | "__label__"
                | "asm"
                | "__asm"
                | "__asm__"
                | "_Generic"
        )
}
