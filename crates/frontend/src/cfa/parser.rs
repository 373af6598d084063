//! Declarations: variables, processes, locations and edges, the bodies of edges skipped.
//!
//! Names may be used before they are declared, so bodies are kept as ranges of tokens for [`super::build`].
//! They contain no braces, which makes them easy to skip.

use std::ops::Range;

use lapidary_expr::Sort;

use super::Parsed;
use super::cursor::Cursor;
use super::lexer::Language;
use super::lexer::{Kind, Token};
use crate::source::{ParseError, SourceFile};

/// A whole text.
pub(super) struct Specification<'s> {
    pub(super) vars: Vec<Declaration<'s>>,
    pub(super) processes: Vec<Process<'s>>,
}

/// A variable or a parameter.
pub(super) struct Declaration<'s> {
    pub(super) name: Token<'s>,
    pub(super) sort: Sort,
}

pub(super) struct Process<'s> {
    pub(super) is_main: bool,
    pub(super) name: Token<'s>,
    /// Parameters, then variables.
    pub(super) vars: Vec<Declaration<'s>>,
    pub(super) locs: Vec<Location<'s>>,
    pub(super) edges: Vec<Transition<'s>>,
}

pub(super) struct Location<'s> {
    /// `init`, `final` or `error`.
    pub(super) role: Option<Token<'s>>,
    pub(super) name: Token<'s>,
}

pub(super) struct Transition<'s> {
    pub(super) source: Token<'s>,
    pub(super) target: Token<'s>,
    /// The indices of the tokens between the braces.
    pub(super) body: Range<usize>,
}

/// Reads the declarations of a text, and gives back its tokens for the bodies.
pub(super) fn specification(source: &SourceFile) -> Parsed<(Specification<'_>, Cursor<'_>)> {
    let mut cursor = Cursor::new(source, Language::Automata)?;
    let mut specification = Specification { vars: Vec::new(), processes: Vec::new() };
    while cursor.peek().kind != Kind::End {
        match cursor.peek().text {
            "var" => specification.vars.push(variable(&mut cursor)?),
            "main" | "process" => specification.processes.push(process(&mut cursor)?),
            "(" => {
                let error = cursor.unexpected("`var`, `main` or `process`");
                let help = "this looks like the old s-expression syntax; an automaton is written \
                            `main process name { ... }`";
                return Err(error.with_help(help).into());
            }
            _ => return Err(cursor.unexpected("`var`, `main` or `process`").into()),
        }
    }
    Ok((specification, cursor))
}

fn variable<'s>(cursor: &mut Cursor<'s>) -> Parsed<Declaration<'s>> {
    cursor.expect("var")?;
    declaration(cursor)
}

fn declaration<'s>(cursor: &mut Cursor<'s>) -> Parsed<Declaration<'s>> {
    let name = cursor.name("the name of a variable")?;
    cursor.expect(":")?;
    Ok(Declaration { name, sort: cursor.sort()? })
}

fn process<'s>(cursor: &mut Cursor<'s>) -> Parsed<Process<'s>> {
    let is_main = cursor.eat("main").is_some();
    cursor.expect("process")?;
    let name = cursor.name("the name of the process")?;
    let vars = parameters(cursor)?;
    let mut process = Process { is_main, name, vars, locs: Vec::new(), edges: Vec::new() };
    let brace = cursor.expect("{")?;
    while cursor.eat("}").is_none() {
        let token = cursor.peek();
        match token.text {
            "var" => process.vars.push(variable(cursor)?),
            "init" | "final" | "error" | "loc" => process.locs.push(location(cursor)?),
            _ if cursor.peek_at(1).text == "->" => process.edges.push(transition(cursor)?),
            _ if token.kind == Kind::End => {
                return Err(unclosed(cursor, "the process", brace).into());
            }
            _ => {
                let error = cursor.unexpected("`var`, `loc`, an edge or `}`");
                return Err(error
                    .with_help("an edge is written `source -> target { ... }`")
                    .into());
            }
        }
    }
    Ok(process)
}

fn parameters<'s>(cursor: &mut Cursor<'s>) -> Parsed<Vec<Declaration<'s>>> {
    let mut parameters = Vec::new();
    if cursor.eat("(").is_some() && cursor.eat(")").is_none() {
        parameters.push(declaration(cursor)?);
        while cursor.eat(",").is_some() {
            parameters.push(declaration(cursor)?);
        }
        cursor.expect(")")?;
    }
    Ok(parameters)
}

fn location<'s>(cursor: &mut Cursor<'s>) -> Parsed<Location<'s>> {
    let role = (!cursor.at("loc")).then(|| cursor.advance());
    cursor.expect("loc")?;
    Ok(Location { role, name: cursor.name("the name of a location")? })
}

fn transition<'s>(cursor: &mut Cursor<'s>) -> Parsed<Transition<'s>> {
    let source = cursor.name("the name of a location")?;
    cursor.expect("->")?;
    let target = cursor.name("the name of a location")?;
    let Some(brace) = cursor.eat("{") else {
        return Ok(Transition { source, target, body: cursor.next..cursor.next });
    };
    let start = cursor.next;
    while !cursor.at("}") {
        if cursor.at("{") || cursor.peek().kind == Kind::End {
            return Err(unclosed(cursor, "the body of the edge", brace).into());
        }
        cursor.advance();
    }
    let body = start..cursor.next;
    cursor.expect("}")?;
    Ok(Transition { source, target, body })
}

fn unclosed<'s>(cursor: &Cursor<'s>, what: &str, brace: Token<'s>) -> ParseError {
    let line = cursor.line_of(brace);
    let error = cursor.unexpected("`}`");
    error.with_help(format!("{what} that starts on line {line} is not closed"))
}
