//! Where verification starts: a function that calls an entry with any arguments, and interrupt handlers.
//!
//! It is C, behind the text of the program, with names of types that the parser gives a meaning. Numbers are any numbers. A pointer
//! is null or points to an object of its own, or to the first element of an array of its own, of any length up to a bound. Pointers in these
//! objects do the same, to a depth.

use std::fmt::Write;

use super::{Options, ir};
use crate::c::ir::{Expr, Kind, Program, STRING, Stmt, StmtKind};
use crate::c::types::{Type, TypeId, Types};
use crate::source::{ParseError, Piece, SourceFile};

/// The function that verification starts with.
pub(in crate::c) const START: &str = "lapidary_start";
/// The function that runs interrupt handlers.
pub(in crate::c) const INTERRUPTS: &str = "lapidary_interrupts";
/// The names of the types of parameters.
pub(in crate::c) const PARAMETERS: [&str; 16] = [
    "lapidary_parameter0",
    "lapidary_parameter1",
    "lapidary_parameter2",
    "lapidary_parameter3",
    "lapidary_parameter4",
    "lapidary_parameter5",
    "lapidary_parameter6",
    "lapidary_parameter7",
    "lapidary_parameter8",
    "lapidary_parameter9",
    "lapidary_parameter10",
    "lapidary_parameter11",
    "lapidary_parameter12",
    "lapidary_parameter13",
    "lapidary_parameter14",
    "lapidary_parameter15",
];

/// Where its text comes from, in messages.
pub(in crate::c) const FILE: &str = "<start>";

/// What an entry function is given.
#[derive(Clone, Copy, Debug)]
pub struct Given {
    /// The most elements of arrays.
    pub length: u64,
    /// How many objects are behind each other, at most.
    pub depth: u32,
    /// Whether pointers may be null.
    pub null: bool,
}

impl Default for Given {
    fn default() -> Given {
        Given { length: 3, depth: 2, null: true }
    }
}

/// The program with the functions behind it that call its entry and its interrupt handlers, if there is need for them.
pub(in crate::c) fn with_start(
    source: &SourceFile,
    program: &Program,
    options: &Options,
) -> Result<Option<SourceFile>, Box<ParseError>> {
    let mut pieces = Vec::new();
    let piece = |name, text: String| Piece {
        name,
        text: text.into(),
        file: FILE,
        of: options.entry.clone(),
        line: 1,
        start: 0,
    };
    if !options.interrupts.is_empty() {
        for handler in &options.interrupts {
            let function = named(source, program, handler)?;
            if !params(program, function).is_empty() {
                let what = format!("the interrupt handler `{handler}` has parameters");
                return Err(Box::new(ParseError::about_file(source.name(), what)));
            }
        }
        pieces.push(piece(INTERRUPTS, interrupts(&options.interrupts)));
    }
    let entry = named(source, program, &options.entry)?;
    let params = params(program, entry);
    if let Some(given) = options.given.filter(|_| !params.is_empty()) {
        if params.len() > PARAMETERS.len() {
            let what = format!("`{}` has more than {} parameters", options.entry, PARAMETERS.len());
            return Err(Box::new(ParseError::about_file(source.name(), what)));
        }
        let mut start =
            Start { types: &program.types, given, globals: String::new(), body: String::new() };
        start.call(&options.entry, &params);
        pieces.push(piece(
            START,
            start.globals + "int lapidary_start(void)\n{\n" + &start.body + "    return 0;\n}\n",
        ));
    }
    Ok((!pieces.is_empty()).then(|| source.clone().with_pieces(pieces)))
}

/// The function of a name that has a body.
pub(in crate::c) fn named<'p>(
    source: &SourceFile,
    program: &'p Program,
    name: &str,
) -> Result<&'p ir::Function, Box<ParseError>> {
    let is_it = |function: &&ir::Function| function.name == name && function.body.is_some();
    program.functions.iter().find(is_it).ok_or_else(|| {
        let error = ParseError::about_file(source.name(), format!("there is no function `{name}`"));
        Box::new(error.with_help(candidates(source, program, name)))
    })
}

/// What to do without an entry function.
fn candidates(source: &SourceFile, program: &Program, name: &str) -> String {
    let is_own =
        |function: &&ir::Function| function.body.is_some() && function.start < source.end();
    let own: Vec<&str> =
        program.functions.iter().filter(is_own).map(|function| function.name.as_str()).collect();
    let shown = own.iter().take(20).copied().collect::<Vec<_>>().join("`, `");
    let more = if own.len() > 20 { ", …" } else { "" };
    match (name, own.is_empty()) {
        ("main", true) => "verification starts at `int main(void)`".into(),
        ("main", false) => format!(
            "verification starts at `int main(void)`, or at another function with `--entry`: `{shown}`{more}"
        ),
        _ => format!("the entry function needs a body; functions with one are `{shown}`{more}"),
    }
}

/// The types of the parameters of a function.
fn params(program: &Program, function: &ir::Function) -> Vec<TypeId> {
    function.locals[..function.n_params]
        .iter()
        .map(|param| param.ty)
        .filter(|_| matches!(program.types.get(function.ty), Type::Function(_)))
        .collect()
}

/// Runs handlers, any number of times and in any order, unless one of them runs.
fn interrupts(handlers: &[String]) -> String {
    let mut text = String::from(
        "extern int __VERIFIER_nondet_lapidary_int(void);\nvoid lapidary_interrupts(void)\n{\n    static int runs;\n    \
         int which;\n    if (runs)\n        return;\n    runs = 1;\n    \
         while ((which = __VERIFIER_nondet_lapidary_int()) != 0) {\n",
    );
    for (i, handler) in handlers.iter().enumerate() {
        let _ = writeln!(text, "        if (which == {})\n            {handler}();", i + 1);
    }
    text + "    }\n    runs = 0;\n}\n"
}

/// The text of the function as it is made.
struct Start<'a> {
    types: &'a Types,
    given: Given,
    globals: String,
    body: String,
}

impl Start<'_> {
    fn call(&mut self, entry: &str, params: &[TypeId]) {
        self.globals += "extern int __VERIFIER_nondet_lapidary_int(void);\n";
        let args: Vec<String> = params
            .iter()
            .enumerate()
            .map(|(i, ty)| self.value(*ty, PARAMETERS[i], &format!("given{i}"), self.given.depth))
            .collect();
        let _ = writeln!(self.body, "    {entry}({});", args.join(", "));
    }

    /// An expression for any value of a type, which a name stands for.
    fn value(&mut self, ty: TypeId, name: &str, object: &str, depth: u32) -> String {
        match self.target(ty) {
            Some(target) if depth > 0 => {
                let of = match self.types.get(target) {
                    // Of such a pointer, the type of the target is not known.
                    Type::Void => "unsigned char".into(),
                    _ => format!("__typeof__(*({name})0)"),
                };
                self.pointer(target, &of, object, depth)
            }
            _ => {
                let of = format!("__VERIFIER_nondet_lapidary_{object}");
                let _ = writeln!(self.globals, "extern {name} {of}(void);");
                format!("{of}()")
            }
        }
    }

    /// What a pointer points to, if that can be an object.
    fn target(&self, ty: TypeId) -> Option<TypeId> {
        let target = self.types.pointee(ty)?;
        let is_object = self.types.size(target).is_some_and(|size| size > 0);
        let is_void = matches!(self.types.get(target), Type::Void);
        let is_function = matches!(self.types.get(target), Type::Function(_));
        ((is_object || is_void) && !is_function).then_some(target)
    }

    /// A pointer to an array of any length, or null.
    fn pointer(&mut self, target: TypeId, of: &str, object: &str, depth: u32) -> String {
        let _ = writeln!(self.body, "    {of} *{object};");
        let choice = format!("{object}_length");
        let _ = writeln!(self.body, "    int {choice} = __VERIFIER_nondet_lapidary_int();");
        let mut value = String::from("0");
        for length in (1..=self.given.length).rev() {
            let array = format!("lapidary_{object}_{length}");
            let _ = writeln!(self.globals, "extern {of} {array}[{length}];");
            let is_last = !self.given.null && length == self.given.length;
            value = match is_last {
                true => array.clone(),
                false => format!("{choice} == {length} ? {array} : {value}"),
            };
            for i in 0..length {
                self.members(
                    target,
                    &format!("{array}[{i}]"),
                    &format!("{object}_{length}_{i}"),
                    depth,
                );
            }
        }
        let _ = writeln!(self.body, "    {object} = {value};");
        object.into()
    }

    /// Gives the pointers in an object their values.
    fn members(&mut self, ty: TypeId, place: &str, object: &str, depth: u32) {
        if self.types.is_union(ty) {
            return;
        }
        let members = self.types.members(ty).unwrap_or_default().to_vec();
        for member in
            members.iter().filter(|member| !member.name.is_empty() && member.bits.is_none())
        {
            let (place, object) =
                (format!("{place}.{}", member.name), format!("{object}_{}", member.name));
            match self.target(member.ty) {
                Some(target) if depth > 1 && !matches!(self.types.get(target), Type::Void) => {
                    let of = format!("__typeof__(*{place})");
                    let one = Given { length: 1, ..self.given };
                    let all = std::mem::replace(&mut self.given, one);
                    let value = self.pointer(target, &of, &object, depth - 1);
                    self.given = all;
                    let _ = writeln!(self.body, "    {place} = {value};");
                }
                _ => self.members(member.ty, &place, &object, depth),
            }
        }
    }
}

/// Gives the variables that last any value at first, but for constants and what is ours, which starts at `end`.
pub(in crate::c) fn forget_initial_values(program: &mut Program, end: usize) {
    for global in program.globals.iter_mut().filter(|global| global.start < end) {
        let is_constant = program.constants.contains(&(global.start, global.name.clone()));
        if !is_constant && !global.name.starts_with(STRING) {
            global.is_extern = true;
            global.init.clear();
        }
    }
}

/// Has interrupt handlers run before each statement of the program.
pub(in crate::c) fn interrupt(program: &mut Program, end: usize) {
    let Some(function) = program.functions.iter().position(|function| function.name == INTERRUPTS)
    else {
        return;
    };
    let Type::Function(signature) = program.types.get(program.functions[function].ty) else {
        return;
    };
    let call = Call {
        function: function as u32,
        ty: program.functions[function].ty,
        result: signature.result,
    };
    for function in program.functions.iter_mut().filter(|function| function.start < end) {
        if let Some(body) = function.body.take() {
            function.body = Some(call.before_all(body));
        }
    }
}

/// A call of the function that runs them.
struct Call {
    function: u32,
    ty: TypeId,
    result: TypeId,
}

impl Call {
    fn at(&self, start: usize) -> Stmt {
        let callee = Expr::new(Kind::Function(self.function), self.ty, start);
        let kind = Kind::Call(Box::new(callee), Vec::new(), start);
        Stmt { kind: StmtKind::Expr(Expr::new(kind, self.result, start)), start }
    }

    fn before_all(&self, stmts: Vec<Stmt>) -> Vec<Stmt> {
        stmts.into_iter().flat_map(|stmt| self.before(stmt)).collect()
    }

    /// A statement within another.
    fn within(&self, stmt: Stmt) -> Box<Stmt> {
        let start = stmt.start;
        Box::new(Stmt { kind: StmtKind::Block(self.before(stmt)), start })
    }

    fn before(&self, Stmt { kind, start }: Stmt) -> Vec<Stmt> {
        let kind = match kind {
            // Jumps to labels and cases must not pass what stands before them.
            kind @ (StmtKind::Case(..) | StmtKind::Default | StmtKind::Label(_)) => {
                return vec![Stmt { kind, start }, self.at(start)];
            }
            StmtKind::Declare(local, None) => {
                return vec![Stmt { kind: StmtKind::Declare(local, None), start }];
            }
            StmtKind::Block(stmts) => {
                return vec![Stmt { kind: StmtKind::Block(self.before_all(stmts)), start }];
            }
            StmtKind::If(condition, then, otherwise) => {
                let otherwise = otherwise.map(|otherwise| self.within(*otherwise));
                StmtKind::If(condition, self.within(*then), otherwise)
            }
            StmtKind::While(condition, body) => StmtKind::While(condition, self.again(*body)),
            StmtKind::DoWhile(body, condition) => StmtKind::DoWhile(self.again(*body), condition),
            StmtKind::For(first, condition, step, body) => {
                StmtKind::For(first, condition, step, self.again(*body))
            }
            StmtKind::Switch(value, body) => StmtKind::Switch(value, self.within(*body)),
            kind => kind,
        };
        vec![self.at(start), Stmt { kind, start }]
    }

    /// The body of a loop: they may also run behind it, before the condition is asked again.
    fn again(&self, body: Stmt) -> Box<Stmt> {
        let start = body.start;
        let mut stmts = self.before(body);
        stmts.push(self.at(start));
        Box::new(Stmt { kind: StmtKind::Block(stmts), start })
    }
}
