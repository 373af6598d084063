//! GNU attributes: most say nothing about the meaning, a few do.

use super::{Parsed, Parser};
use crate::c::ir::{WEAK, unmodelled};
use crate::c::parse::lexer::Kind;
use crate::c::types::{IntType, Type, TypeId};

/// The largest alignment that gcc accepts.
const LARGEST_ALIGNMENT: u64 = 1 << 28;

/// Attributes without effect on the meaning: they help the optimiser, ask for warnings, or choose sections, symbols and
/// calling conventions. What is neither here nor known otherwise makes the program unsupported.
///
/// | attributes | |
/// |---|---|
/// | `packed`, `aligned`, `noreturn`, `mode` | have their meaning |
/// | `weak`, `weakref`, `alias`, `ifunc`, `cleanup` | uses of what they are about are unsupported |
/// | `section` | functions that a section calls make the program unsupported; other sections only place things |
/// | `vector_size` | values of the type are unsupported |
/// | those below | no effect |
/// | all others, as `constructor`, `ms_struct`, `scalar_storage_order` | the program is unsupported |
const IDLE: [&str; 86] = [
    "access",
    "alloc_align",
    "alloc_size",
    "always_inline",
    "artificial",
    "assume_aligned",
    "cdecl",
    "cf_check",
    "cold",
    "common",
    "const",
    "counted_by",
    "deprecated",
    "designated_init",
    "dllexport",
    "dllimport",
    "error",
    "externally_visible",
    "fallthrough",
    "fastcall",
    "fd_arg",
    "fd_arg_read",
    "fd_arg_write",
    "flag_enum",
    "flatten",
    "force_align_arg_pointer",
    "format",
    "format_arg",
    "function_return",
    "gcc_struct",
    "gnu_inline",
    "hot",
    "indirect_branch",
    "leaf",
    "malloc",
    "may_alias",
    "no_icf",
    "no_instrument_function",
    "no_profile_instrument_function",
    "no_reorder",
    "no_sanitize",
    "no_sanitize_address",
    "no_sanitize_thread",
    "no_sanitize_undefined",
    "no_address_safety_analysis",
    "no_split_stack",
    "no_stack_limit",
    "no_stack_protector",
    "nocf_check",
    "noclone",
    "nocommon",
    "nodebug",
    "noinline",
    "noipa",
    "nonnull",
    "nonstring",
    "noplt",
    "nothrow",
    "null_terminated_string_arg",
    "optnone",
    "patchable_function_entry",
    "pure",
    "regparm",
    "retain",
    "returns_nonnull",
    "sentinel",
    "sseregparm",
    "stack_protect",
    "stdcall",
    "symver",
    "sysv_abi",
    "tainted_args",
    "target_clones",
    "thiscall",
    "tls_model",
    "transparent_union",
    "unavailable",
    "unused",
    "used",
    "visibility",
    "warn_if_not_aligned",
    "warn_unused",
    "warn_unused_result",
    "warning",
    "zero_call_used_regs",
    "strict_flex_array",
];

/// Sections with functions that are called before or after `main`, also with a suffix after a period.
const CALLED_SECTIONS: [&str; 5] =
    [".init_array", ".fini_array", ".preinit_array", ".ctors", ".dtors"];

/// What attributes said.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Attributes {
    pub(super) is_packed: bool,
    /// The largest alignment asked for: that of a variable or member.
    pub(super) align: Option<u64>,
    /// The alignment asked for last: that of a type.
    pub(super) last_align: Option<u64>,
    /// The alignment that the type has by its name.
    pub(super) type_align: Option<u64>,
    pub(super) is_noreturn: bool,
    /// One that makes a name mean something else, or calls functions that nobody names.
    pub(super) unmodelled: Option<&'static str>,
    /// The number of bits that `mode` asks for.
    mode: Option<u32>,
    /// Whether a vector type was asked for.
    pub(super) is_vector: bool,
    /// The token with the name for the assembler.
    pub(super) label: Option<usize>,
}

impl Parser<'_> {
    /// Reads attributes, `asm("name")` and `__extension__` as they stand around declarators.
    pub(super) fn skip_attributes(&mut self) -> Parsed<()> {
        loop {
            match self.peek().text {
                "__attribute__" | "__attribute" => {
                    self.advance();
                    self.expect("(")?;
                    self.expect("(")?;
                    self.attribute_list()?;
                    self.expect(")")?;
                    self.expect(")")?;
                }
                "asm" | "__asm__" | "__asm" if self.peek_at(1).text == "(" => {
                    self.advance();
                    self.attributes.label = Some(self.at + 1);
                    self.skip_parenthesized()?;
                }
                "__extension__" => {
                    self.advance();
                }
                _ => return Ok(()),
            }
        }
    }

    fn attribute_list(&mut self) -> Parsed<()> {
        while !self.is(")") {
            let token = self.advance();
            if token.kind == Kind::End {
                return Err(self.unexpected("`)`"));
            }
            if token.text == "," {
                continue;
            }
            let name = token.text.trim_matches('_');
            let has_argument = self.is("(");
            match name {
                "cleanup" => self.attributes.unmodelled = Some("cleanup"),
                "alias" => self.attributes.unmodelled = Some("alias"),
                "ifunc" => self.attributes.unmodelled = Some("ifunc"),
                "weak" | "weakref" => {
                    self.attributes.unmodelled = self.attributes.unmodelled.or(Some(WEAK));
                }
                "section" if has_argument => self.section(token.start),
                "transparent_union" => self.checks.has_transparent_unions = true,
                "packed" => self.attributes.is_packed = true,
                "noreturn" => self.attributes.is_noreturn = true,
                "vector_size" => self.attributes.is_vector = true,
                "aligned" if has_argument => {
                    self.alignment()?;
                    continue;
                }
                "aligned" => self.align_to(16),
                "mode" if has_argument => {
                    let mode = self.peek_at(1).text.trim_matches('_');
                    self.attributes.mode = self.width_of_mode(mode);
                    if self.attributes.mode.is_none() {
                        self.unmodelled.get_or_insert((unmodelled(name), token.start));
                    }
                }
                _ if IDLE.contains(&name) => {}
                _ => {
                    self.unmodelled.get_or_insert((unmodelled(name), token.start));
                }
            }
            if has_argument {
                self.skip_parenthesized()?;
            }
        }
        Ok(())
    }

    /// Notes the section that a string in parentheses names. The functions in some sections are called without being named.
    fn section(&mut self, start: usize) {
        let parts = self.tokens[self.at + 1..].iter().take_while(|token| token.kind == Kind::Text);
        let name: String = parts.map(|token| token.text.trim_matches('"')).collect();
        let is_code = matches!(name.as_str(), ".init" | ".fini");
        let is_called = is_code
            || CALLED_SECTIONS.iter().any(|called| {
                name.strip_prefix(called)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            });
        if is_called || name.contains(['\\', ',']) {
            self.unmodelled.get_or_insert((format!("the section `{name}`"), start));
        }
        self.sections.insert(name);
    }

    /// The linker makes symbols for the ends of a section whose name is one of C. They are the addresses of what is in it.
    pub(super) fn check_sections(&mut self) {
        let ends = self.globals.iter().filter(|global| global.is_extern).find(|global| {
            let name = &global.name;
            let section = name.strip_prefix("__start_").or(name.strip_prefix("__stop_"));
            section.is_some_and(|section| self.sections.contains(section))
        });
        if let Some(end) = ends {
            let what = format!("`{}`, which is a place in a section,", end.name);
            self.unmodelled.get_or_insert((what, end.start));
        }
    }

    fn align_to(&mut self, align: u64) {
        self.attributes.align = self.attributes.align.max(Some(align));
        self.attributes.last_align = Some(align);
    }

    /// Atomic numbers have the same alignment inside of structures as outside. That of atomic structures depends on where
    /// they are declared, so it is not modelled.
    pub(super) fn align_atomic(&mut self, ty: TypeId, start: usize) {
        if matches!(self.types.get(ty), Type::Record(_)) {
            self.unmodelled.get_or_insert(("an `_Atomic` structure".into(), start));
        } else if self.types.is_scalar(ty) {
            let natural = Some(self.types.natural_align(ty));
            self.attributes.type_align = natural.max(self.attributes.type_align);
        }
    }

    fn width_of_mode(&self, mode: &str) -> Option<u32> {
        Some(match mode {
            "QI" | "byte" => 8,
            "HI" => 16,
            "SI" => 32,
            "DI" => 64,
            "TI" => 128,
            "word" | "pointer" => self.types.model.word(),
            _ => return None,
        })
    }

    /// `(n)` or `(type)`: the least alignment.
    pub(super) fn alignment(&mut self) -> Parsed<()> {
        self.expect("(")?;
        let token = self.peek();
        let align = match self.starts_type() {
            true => {
                let (ty, set) = self.aligned_type_name()?;
                Some(set.unwrap_or_else(|| self.types.align(ty)))
            }
            false => {
                let align = self.assignment_expression()?;
                align.as_int().and_then(|align| u64::try_from(align).ok())
            }
        };
        self.expect(")")?;
        match align {
            Some(0) => {}
            Some(align) if align.is_power_of_two() && align <= LARGEST_ALIGNMENT => {
                self.align_to(align);
            }
            Some(_) => {
                let message = "requested alignment is not a positive power of 2, or too large";
                return Err(self.error_at(token, message));
            }
            None => {
                let message = "requested alignment is not an integer constant";
                return Err(self.error_at(token, message));
            }
        }
        Ok(())
    }

    /// Whether the name for the assembler may be that of something else. Libraries rename functions to versions of them, as
    /// `__isoc99_sscanf` and `fopen64`.
    pub(super) fn is_renamed(&self, name: &str) -> bool {
        let Some(label) = self.attributes.label else { return false };
        let parts = self.tokens[label..].iter().take_while(|token| token.kind == Kind::Text);
        let label: String = parts.map(|token| token.text.trim_matches('"')).collect();
        let version = label.strip_suffix(name).filter(|before| before.starts_with('_'));
        let is_version = version.is_some_and(|before| before.ends_with('_'));
        !(label == name || is_version || label.strip_suffix("64") == Some(name))
    }

    /// Skips from an opening parenthesis to the closing one.
    pub(super) fn skip_parenthesized(&mut self) -> Parsed<()> {
        let opening = self.expect("(")?;
        let mut open = 1;
        while open > 0 {
            match self.advance() {
                token if token.kind == Kind::End => {
                    return Err(self.error_at(opening, "this parenthesis is not closed"));
                }
                token if token.kind != Kind::Mark => {}
                token if token.text == "(" => open += 1,
                token if token.text == ")" => open -= 1,
                _ => {}
            }
        }
        Ok(())
    }

    /// The type that `mode` and `vector_size` make of a type.
    pub(super) fn with_mode(&mut self, ty: TypeId) -> TypeId {
        if self.attributes.is_vector {
            return self.types.id(Type::Opaque("vector"));
        }
        match (self.attributes.mode, self.types.as_int(ty)) {
            (Some(width), Some(int)) => {
                let long = self.types.long(int.signed);
                let like = match width {
                    8 => IntType::CHAR,
                    16 => IntType::SHORT,
                    32 => IntType::INT,
                    64 if long.width == 64 => long,
                    64 => IntType::LLONG,
                    _ => IntType::INT128,
                };
                self.types.int(IntType { signed: int.signed, ..like })
            }
            _ => ty,
        }
    }
}
