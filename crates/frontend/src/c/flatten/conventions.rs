//! What the competition's programs mean by certain names.

use crate::c::checks::{Check, Checks};
use crate::c::flatten::libc;
use crate::c::flatten::math_names::{self, Library};
use crate::c::ir::BUILTIN;
use crate::c::ir::{Function, Program, Stmt, StmtKind, VarRef, Variable};

/// What the macro `assert` calls.
const FAILED_ASSERTIONS: [&str; 4] =
    ["__assert_fail", "__assert_rtn", "__assert", "__assert_perror_fail"];

/// What counts as the error.
#[derive(Clone, Debug)]
pub(in crate::c) struct Conventions {
    error_functions: Vec<String>,
    /// Where the first label `ERROR` is, if no function is the error.
    label: Option<usize>,
    assertions: bool,
    has_property: bool,
    checks: Checks,
}

/// What a function does that is known by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::c) enum Known {
    /// Reaches the error.
    Error,
    /// Goes on only if the argument is not zero.
    Assume,
    /// Does not come back.
    End,
    /// Ends the program if the argument is zero, which is an error or not.
    Assert,
    /// A failed assertion.
    AssertionFailed,
    /// Any value of its type.
    Nondet,
    /// Prints by a format, which is the argument with this number, and has a result that we do not compute.
    Print(usize),
    /// Has no effect on the program's memory, and a result that we do not compute.
    Computed,
    /// Memory.
    Allocate,
    /// The end of allocated memory.
    Free,
    /// A function of floating numbers.
    Float(Library),
    /// A function of floating numbers that we do not compute.
    Math,
}

impl Conventions {
    /// The error is a call of the function that the property names, or of `reach_error` or
    /// `__VERIFIER_error` if the program has one; or else a failed assertion if there are any; or else a label `ERROR`.
    pub(in crate::c) fn of(
        program: &Program,
        property: Option<&str>,
        checks: Checks,
    ) -> Conventions {
        if !checks.ask(Check::Assertion) {
            let (error_functions, label) = (Vec::new(), None);
            let (assertions, has_property) = (false, true);
            return Conventions { error_functions, label, assertions, has_property, checks };
        }
        let is_assertion = |function: &Function| {
            let is_of_header = FAILED_ASSERTIONS.contains(&function.name.as_str());
            let is_plain = ["assert", "__VERIFIER_assert"].contains(&function.name.as_str());
            function.is_used && function.body.is_none() && (is_of_header || is_plain)
        };
        let has_assertions = program.functions.iter().any(is_assertion);
        let function = |name: &&str| program.functions.iter().find(|it| it.name == **name);
        // Where there are assertions, a function that is declared and never used is not what the program is about.
        let is_error = |name: &&str| function(name).is_some_and(|it| it.is_used || !has_assertions);
        let error_functions: Vec<String> = match property {
            Some(named) => vec![named.into()],
            None => {
                let usual = ["reach_error", "__VERIFIER_error"].into_iter().filter(is_error);
                usual.map(str::to_string).collect()
            }
        };
        let bodies = program.functions.iter().filter_map(|function| function.body.as_ref());
        let label = bodies.flatten().find_map(error_label);
        let assertions = error_functions.is_empty() && (has_assertions || label.is_none());
        let has_property = !error_functions.is_empty() || has_assertions || label.is_some();
        let label = label.filter(|_| error_functions.is_empty());
        let has_property = has_property || checks != Checks::REACHABILITY;
        Conventions { error_functions, label, assertions, has_property, checks }
    }

    /// What is checked.
    pub(in crate::c) fn checks(&self) -> Checks {
        self.checks
    }

    /// Whether anything in the program can be the error, or a property names what is.
    pub(in crate::c) fn has_property(&self) -> bool {
        self.has_property
    }

    /// Where a label `ERROR` is that is the error, or that is not as there are assertions.
    pub(in crate::c) fn label(&self) -> Option<(usize, bool)> {
        self.label.map(|start| (start, !self.assertions))
    }

    pub(in crate::c) fn is_error_label(&self, label: &str) -> bool {
        self.label.is_some() && !self.assertions && label == "ERROR"
    }

    /// The functions whose call is the error.
    pub(in crate::c) fn error_functions(&self) -> Vec<String> {
        self.error_functions.clone()
    }

    /// Whether a failed assertion is the error.
    pub(in crate::c) fn asserts(&self) -> bool {
        self.assertions
    }

    /// Whether a call of a function may set `errno`.
    pub(in crate::c) fn sets_errno(&self, function: &Function) -> bool {
        let (name, has_body) = (function.name.as_str(), function.body.is_some());
        match self.known(name, has_body) {
            Some(Known::Print(_) | Known::Computed | Known::Float(_) | Known::Math) => true,
            None => !has_body && (libc::is_of_library(name) || name.starts_with(BUILTIN)),
            Some(_) => false,
        }
    }

    /// What a function does, if its name tells; a body tells more than most names.
    pub(in crate::c) fn known(&self, name: &str, has_body: bool) -> Option<Known> {
        if self.error_functions.iter().any(|error| error == name) {
            return Some(Known::Error);
        }
        // Programs have functions of their own with these short names.
        let is_end = matches!(name, "__builtin_unreachable" | "__builtin_trap");
        let is_builtin = name.starts_with(BUILTIN);
        let name = if has_body { name } else { name.strip_prefix(BUILTIN).unwrap_or(name) };
        Some(match name {
            _ if is_end && !has_body => Known::End,
            "abort" | "exit" | "_exit" | "_Exit" | "quick_exit" if !has_body => Known::End,
            _ if FAILED_ASSERTIONS.contains(&name) && !has_body => Known::AssertionFailed,
            _ if has_body => return None,
            "__VERIFIER_assume" => Known::Assume,
            "assert" | "__VERIFIER_assert" => Known::Assert,
            "reach_error" | "__VERIFIER_error" => Known::End,
            "malloc" | "calloc" | "alloca" | "kmalloc" | "kzalloc" | "realloc" | "valloc"
            | "aligned_alloc" | "posix_memalign" => Known::Allocate,
            "free" | "kfree" => Known::Free,
            _ if libc::is_reader(name, is_builtin) => Known::Computed,
            _ if name.starts_with("__VERIFIER_nondet_") => Known::Nondet,
            _ if math_names::is_unmodelled(name) => Known::Math,
            _ => match libc::printer(name) {
                Some(format) => Known::Print(format),
                None => return math_names::named(name, is_builtin).map(Known::Float),
            },
        })
    }
}

/// The variable `errno` of the library, if the program has it.
pub(in crate::c) fn errno(program: &Program) -> Option<VarRef> {
    let is_errno = |global: &Variable| global.is_extern && global.name == "errno";
    program.globals.iter().position(is_errno).map(|global| VarRef::Global(global as u32))
}

/// Where the first label `ERROR` in a statement is.
fn error_label(stmt: &Stmt) -> Option<usize> {
    match &stmt.kind {
        StmtKind::Label(label) => (label == "ERROR").then_some(stmt.start),
        StmtKind::Block(stmts) => stmts.iter().find_map(error_label),
        StmtKind::If(_, then, otherwise) => {
            error_label(then).or_else(|| otherwise.as_deref().and_then(error_label))
        }
        StmtKind::While(_, body)
        | StmtKind::DoWhile(body, _)
        | StmtKind::For(_, _, _, body)
        | StmtKind::Switch(_, body) => error_label(body),
        _ => None,
    }
}
