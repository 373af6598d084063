//! From declarations to the automaton: scopes, the rules about locations, and the bodies of edges.

pub(crate) mod expr;

use lapidary_expr::{Sort, Term, Var};
use lapidary_model::{Cfa, CfaBuilder, Loc, Stmt};
use rustc_hash::FxHashMap;

use super::Parsed;
use super::cursor::Cursor;
use super::lexer::{Kind, Token};
use super::parser::{Declaration, Location, Process, Specification, Transition};
use super::typing::{Operand, Terms, TypeName};
use expr::Expressions;

/// What names mean: variables, and in transition systems also constants.
#[derive(Clone, Default)]
pub(crate) struct Scope<'s> {
    pub(crate) terms: FxHashMap<&'s str, Term>,
}

impl<'s> Scope<'s> {
    /// The term of this name.
    pub(crate) fn term(&self, cursor: &Cursor<'s>, name: Token<'s>) -> Parsed<Term> {
        let error = || cursor.error(name.span(), format!("`{}` is not declared", name.text));
        self.terms.get(name.text).copied().ok_or_else(|| Box::new(error()))
    }

    /// The variable of this name.
    fn var(&self, cursor: &Cursor<'s>, name: Token<'s>) -> Parsed<Var> {
        let error = || cursor.error(name.span(), format!("`{}` is no variable", name.text));
        self.term(cursor, name)?.as_var().ok_or_else(|| Box::new(error()))
    }
}

/// Checks all processes and builds the automaton of the main one.
pub(super) fn main_process<'s>(
    specification: &Specification<'s>,
    mut cursor: Cursor<'s>,
) -> Parsed<Cfa> {
    let processes = &specification.processes;
    distinct(&cursor, "variable", specification.vars.iter().map(|var| var.name))?;
    distinct(&cursor, "process", processes.iter().map(|process| process.name))?;
    let main = choose_main(&cursor, processes)?;
    let mut terms = Terms::new(cursor.source);
    let mut cfa = None;
    for (i, process) in processes.iter().enumerate() {
        let built = build_process(&specification.vars, process, &mut cursor, &mut terms)?;
        if i == main {
            cfa = Some(built);
        }
    }
    cfa.ok_or_else(|| cursor.unexpected("a main process").into())
}

/// The index of the main process.
fn choose_main<'s>(cursor: &Cursor<'s>, processes: &[Process<'s>]) -> Parsed<usize> {
    let mut mains = processes.iter().enumerate().filter(|(_, process)| process.is_main);
    match (mains.next(), mains.next(), processes) {
        (Some((main, _)), None, _) => Ok(main),
        (Some((_, first)), Some((_, second)), _) => {
            let message = format!(
                "a second main process; the first is `{}` on line {}",
                first.name.text,
                cursor.line_of(first.name)
            );
            Err(cursor.error(second.name.span(), message).into())
        }
        (None, _, [process, ..]) => {
            let error = cursor.error(process.name.span(), "there is no main process");
            Err(error.with_help(format!("write `main process {}`", process.name.text)).into())
        }
        (None, _, []) => Err(cursor.unexpected("a process").into()),
    }
}

/// An error for the second one of two equal names.
fn distinct<'s>(
    cursor: &Cursor<'s>,
    what: &str,
    names: impl Iterator<Item = Token<'s>>,
) -> Parsed<()> {
    let mut seen: FxHashMap<&str, Token<'s>> = FxHashMap::default();
    for name in names {
        if let Some(first) = seen.insert(name.text, name) {
            let message = format!(
                "the {what} `{}` is already declared on line {}",
                name.text,
                cursor.line_of(first)
            );
            return Err(cursor.error(name.span(), message).into());
        }
    }
    Ok(())
}

fn build_process<'s>(
    globals: &[Declaration<'s>],
    process: &Process<'s>,
    cursor: &mut Cursor<'s>,
    terms: &mut Terms<'s>,
) -> Parsed<Cfa> {
    distinct(cursor, "variable", process.vars.iter().map(|var| var.name))?;
    distinct(cursor, "location", process.locs.iter().map(|loc| loc.name))?;
    let (scope, vars) = scope_of(globals, &process.vars);
    let (mut builder, locs) = locations(cursor, process)?;
    builder.vars(&vars);
    for edge in &process.edges {
        let source = find_loc(cursor, &locs, edge.source)?;
        let target = find_loc(cursor, &locs, edge.target)?;
        let stmt = body(edge, &scope, cursor, terms)?;
        let position = cursor.source.position(edge.source.start);
        builder.edge(source, stmt, target, Some(position));
    }
    builder.build().map_err(|error| cursor.error(process.name.span(), error.to_string()).into())
}

/// What a process sees, and its variables in the order of their declaration. A variable of the process hides
/// a global one of the same name; nothing can mention the hidden one, so it is left out. (It must be: two
/// variables of one name and sort would be the same variable.)
fn scope_of<'s>(globals: &[Declaration<'s>], own: &[Declaration<'s>]) -> (Scope<'s>, Vec<Var>) {
    let all = || globals.iter().chain(own);
    let sorts: FxHashMap<&str, (usize, Sort)> =
        all().enumerate().map(|(i, var)| (var.name.text, (i, var.sort))).collect();
    let visible = all().enumerate().filter(|(i, var)| sorts[var.name.text].0 == *i);
    let vars: Vec<Var> =
        visible.map(|(_, visible)| Var::new(visible.name.text, visible.sort)).collect();
    let term = |var: &Declaration<'s>| Term::var(Var::new(var.name.text, var.sort));
    let terms = all().map(|var| (var.name.text, term(var))).collect();
    (Scope { terms }, vars)
}

/// The automaton with its locations, the initial one first.
fn locations<'s>(
    cursor: &Cursor<'s>,
    process: &Process<'s>,
) -> Parsed<(CfaBuilder, FxHashMap<&'s str, Loc>)> {
    let init = with_role(cursor, process, "init")?;
    let error = with_role(cursor, process, "error")?;
    with_role(cursor, process, "final")?;
    let Some(init) = init else {
        let message = format!("the process `{}` has no initial location", process.name.text);
        let error = cursor.error(process.name.span(), message);
        return Err(error.with_help("mark one location: `init loc name`").into());
    };
    let mut builder = CfaBuilder::new(process.name.text, init.name.text);
    let mut locs = FxHashMap::from_iter([(init.name.text, builder.entry())]);
    for loc in &process.locs {
        locs.entry(loc.name.text).or_insert_with(|| builder.loc(loc.name.text));
    }
    if let Some(error) = error {
        builder.error(locs[error.name.text]);
    }
    Ok((builder, locs))
}

/// The one location with this role, if there is any.
fn with_role<'p, 's>(
    cursor: &Cursor<'s>,
    process: &'p Process<'s>,
    role: &str,
) -> Parsed<Option<&'p Location<'s>>> {
    let has_role = |loc: &&Location<'s>| loc.role.is_some_and(|token| token.text == role);
    let mut marked = process.locs.iter().filter(has_role);
    let (first, second) = (marked.next(), marked.next());
    if let (Some(first), Some(second)) = (first, second) {
        let message = format!(
            "a second `{role}` location; the first is `{}` on line {}",
            first.name.text,
            cursor.line_of(first.name)
        );
        return Err(cursor.error(second.name.span(), message).into());
    }
    Ok(first)
}

fn find_loc<'s>(
    cursor: &Cursor<'s>,
    locs: &FxHashMap<&'s str, Loc>,
    name: Token<'s>,
) -> Parsed<Loc> {
    let error = || cursor.error(name.span(), format!("there is no location `{}`", name.text));
    locs.get(name.text).copied().ok_or_else(|| Box::new(error()))
}

/// Reads what stands between the braces of an edge.
fn body<'s>(
    edge: &Transition<'s>,
    scope: &Scope<'s>,
    cursor: &mut Cursor<'s>,
    terms: &mut Terms<'s>,
) -> Parsed<Stmt> {
    cursor.next = edge.body.start;
    let mut stmts = Vec::new();
    while cursor.next < edge.body.end {
        stmts.push(statement(scope, cursor, terms)?);
    }
    Ok(Stmt::seq(stmts))
}

fn statement<'s>(
    scope: &Scope<'s>,
    cursor: &mut Cursor<'s>,
    terms: &mut Terms<'s>,
) -> Parsed<Stmt> {
    let first = cursor.peek();
    match first.text {
        "assume" => {
            cursor.advance();
            let condition = expression(scope, cursor, terms)?;
            Ok(Stmt::Assume(terms.expect(condition, Sort::Bool)?))
        }
        "havoc" => {
            cursor.advance();
            let name = cursor.name("the name of a variable")?;
            Ok(Stmt::Havoc(vec![scope.var(cursor, name)?]))
        }
        "return" => cursor.unsupported(first, "`return` is"),
        _ => assignment(scope, cursor, terms),
    }
}

fn assignment<'s>(
    scope: &Scope<'s>,
    cursor: &mut Cursor<'s>,
    terms: &mut Terms<'s>,
) -> Parsed<Stmt> {
    let name = cursor.name("a statement or `}`")?;
    if !cursor.at(":=") {
        let help = format!("an assignment is written `{} := ...`", name.text);
        return Err(cursor.unexpected("`:=`").with_help(help).into());
    }
    cursor.advance();
    let var = scope.var(cursor, name)?;
    let value = expression(scope, cursor, terms)?;
    let value = terms.expect(value, var.sort()).map_err(|error| {
        let help = format!("`{}` is declared as {}", name.text, TypeName(var.sort()));
        Box::new(error.with_help(help))
    })?;
    Ok(Stmt::assign(var, value))
}

/// An expression that a statement ends with.
fn expression<'s>(
    scope: &Scope<'s>,
    cursor: &mut Cursor<'s>,
    terms: &mut Terms<'s>,
) -> Parsed<Operand> {
    let expression = Expressions { cursor, scope, terms }.expression()?;
    // Next is a word or the end of the body. Anything else most likely belongs to the expression, so it is
    // reported before the type of what was read.
    match cursor.peek() {
        Token { kind: Kind::Word, .. } | Token { text: "}", .. } => Ok(expression),
        _ => Err(cursor.unexpected("an operator, a statement or `}`").into()),
    }
}
