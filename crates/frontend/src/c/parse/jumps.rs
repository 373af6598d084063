//! Labels, cases, `break` and `continue`: each needs its place, and no two may be the same.

use std::collections::BTreeMap;
use std::ops::Range;

use rustc_hash::FxHashSet;

use super::{Parsed, Parser};
use crate::c::ir::Stmt;
use crate::c::parse::lexer::Token;
use crate::c::types::IntType;

/// What a function has of labels and jumps so far.
#[derive(Default)]
pub(super) struct Jumps {
    labels: FxHashSet<String>,
    /// The labels that are mentioned, and where.
    mentioned: Vec<(String, String, Range<usize>)>,
    /// The loops and switches around the next statement.
    around: Vec<Around>,
}

/// A statement that others belong to.
enum Around {
    Loop,
    Switch(Switch),
}

/// The cases of a switch.
struct Switch {
    /// The type of the value; none if that is not supported.
    ty: Option<IntType>,
    /// The greatest value of each range of cases, by the least one.
    cases: BTreeMap<i128, i128>,
    has_default: bool,
}

impl Parser<'_> {
    /// A label is defined.
    pub(super) fn note_label(&mut self, token: Token<'_>, name: &str) -> Parsed<()> {
        let Some(current) = &mut self.current else { return Ok(()) };
        match current.jumps.labels.insert(name.into()) {
            true => Ok(()),
            false => Err(self.error_at(token, format!("duplicate label `{}`", token.text))),
        }
    }

    /// A label is mentioned; it may be defined later.
    pub(super) fn mention_label(&mut self, token: Token<'_>, name: &str) {
        if let Some(current) = &mut self.current {
            let place = token.start..token.start + token.text.len();
            current.jumps.mentioned.push((name.into(), token.text.into(), place));
        }
    }

    /// Checks at the end of a function that the labels are there.
    pub(super) fn check_labels(&self, jumps: &Jumps) -> Parsed<()> {
        let missing = jumps.mentioned.iter().find(|(name, ..)| !jumps.labels.contains(name));
        match missing {
            Some((_, text, place)) => {
                let message = format!("the label `{text}` is used but not defined");
                Err(Box::new(self.source.error(place.clone(), message)))
            }
            None => Ok(()),
        }
    }

    /// The body of a loop.
    pub(super) fn loop_body(&mut self) -> Parsed<Box<Stmt>> {
        self.body_of(Around::Loop)
    }

    /// The body of a switch over values of a type.
    pub(super) fn switch_body(&mut self, ty: Option<IntType>) -> Parsed<Box<Stmt>> {
        self.body_of(Around::Switch(Switch { ty, cases: BTreeMap::new(), has_default: false }))
    }

    fn body_of(&mut self, around: Around) -> Parsed<Box<Stmt>> {
        if let Some(current) = &mut self.current {
            current.jumps.around.push(around);
        }
        let body = self.substatement()?;
        if let Some(current) = &mut self.current {
            current.jumps.around.pop();
        }
        Ok(body)
    }

    /// `break` needs a loop or switch, `continue` a loop.
    pub(super) fn check_jump(&self, token: Token<'_>) -> Parsed<()> {
        let around = self.current.as_ref().map_or(&[][..], |current| &current.jumps.around);
        let is_right = |around: &Around| token.text == "break" || matches!(around, Around::Loop);
        match around.iter().any(is_right) {
            true => Ok(()),
            false => Err(self.error_at(token, format!("`{}` outside of a loop", token.text))),
        }
    }

    fn switch(&mut self) -> Option<&mut Switch> {
        let around = &mut self.current.as_mut()?.jumps.around;
        around.iter_mut().rev().find_map(|around| match around {
            Around::Switch(switch) => Some(switch),
            Around::Loop => None,
        })
    }

    /// `default`, once in a switch.
    pub(super) fn note_default(&mut self, token: Token<'_>) -> Parsed<()> {
        let Some(switch) = self.switch() else {
            return Err(self.error_at(token, "`default` outside of a `switch`"));
        };
        match std::mem::replace(&mut switch.has_default, true) {
            true => Err(self.error_at(token, "multiple `default` labels in one `switch`")),
            false => Ok(()),
        }
    }

    /// The values of a case, converted to the type of the switch: no other case has any of them.
    pub(super) fn note_case(&mut self, token: Token<'_>, first: i128, last: i128) -> Parsed<()> {
        let Some(switch) = self.switch() else {
            return Err(self.error_at(token, "`case` outside of a `switch`"));
        };
        let Some(ty) = switch.ty.filter(|_| first <= last) else { return Ok(()) };
        let (first, last) = (ty.wrap(first), ty.wrap(last));
        if first > last {
            return Ok(());
        }
        let before = switch.cases.range(..=last).next_back();
        if before.is_some_and(|(_, greatest)| *greatest >= first) {
            return Err(self.error_at(token, "duplicate `case` value"));
        }
        switch.cases.insert(first, last);
        Ok(())
    }
}
