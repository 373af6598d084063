//! Jumps into the scope of variables, past their declarations: the variables come to life there without a value.

use rustc_hash::FxHashMap;

use super::Flattener;
use crate::c::flat::Op;
use crate::c::ir::{Stmt, StmtKind};

/// The variables in scope where a function is being translated, and where it jumps.
#[derive(Default)]
pub(super) struct Scopes {
    /// The local variables that are declared here, outer ones first.
    declared: Vec<u32>,
    /// Where the blocks start that we are in.
    path: Vec<usize>,
    /// What is declared at the labels.
    labels: FxHashMap<String, Vec<u32>>,
    jumps: Vec<Jump>,
}

/// A jump to a label.
struct Jump {
    edge: usize,
    label: String,
    declared: Vec<u32>,
}

impl Flattener<'_> {
    fn scopes(&mut self) -> Option<&mut Scopes> {
        self.frames.last_mut().map(|frame| &mut frame.scopes)
    }

    /// Statements with a scope of their own.
    pub(super) fn in_scope(&mut self, start: usize, translate: impl FnOnce(&mut Self)) {
        let outer = self.n_declared();
        if let Some(scopes) = self.scopes() {
            scopes.path.push(start);
        }
        translate(self);
        if let Some(scopes) = self.scopes() {
            scopes.declared.truncate(outer);
            scopes.path.pop();
        }
    }

    /// Where the blocks start that we are in.
    pub(super) fn path(&self) -> Vec<usize> {
        self.frames.last().map_or_else(Vec::new, |frame| frame.scopes.path.clone())
    }

    /// The first part of a `for`, whose variables are in scope until its end.
    pub(super) fn in_same_scope(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Block(stmts) => stmts.iter().for_each(|stmt| self.statement(stmt)),
            _ => self.statement(stmt),
        }
    }

    pub(super) fn declared(&mut self, local: u32) {
        if let Some(scopes) = self.scopes() {
            scopes.declared.push(local);
        }
    }

    /// How many variables are in scope.
    pub(super) fn n_declared(&self) -> usize {
        self.frames.last().map_or(0, |frame| frame.scopes.declared.len())
    }

    /// The variables that are in scope here, beyond the first ones.
    pub(super) fn declared_since(&self, outer: usize) -> Vec<u32> {
        let scopes = self.frames.last().map(|frame| &frame.scopes);
        scopes.and_then(|scopes| scopes.declared.get(outer..)).unwrap_or_default().to_vec()
    }

    /// A label is here.
    pub(super) fn labelled(&mut self, label: &str) {
        if let Some(scopes) = self.scopes() {
            scopes.labels.insert(label.into(), scopes.declared.clone());
        }
    }

    /// The edge with this number jumps to a label, if there is such an edge.
    pub(super) fn jumps(&mut self, edge: usize, label: &str) {
        if edge < self.flat.edges.len()
            && let Some(scopes) = self.scopes()
        {
            let declared = scopes.declared.clone();
            scopes.jumps.push(Jump { edge, label: label.into(), declared });
        }
    }

    /// At the end of a function, when all labels are known: the jumps past declarations.
    pub(super) fn bear_skipped(&mut self) {
        let Some(scopes) = self.scopes() else { return };
        let Scopes { labels, jumps, .. } = std::mem::take(scopes);
        for Jump { edge, label, declared } in jumps {
            let inside = labels.get(&label).map_or(&[][..], Vec::as_slice);
            let skipped = inside.iter().filter(|local| !declared.contains(local));
            let births = skipped.map(|local| self.birth(*local)).collect::<Vec<_>>();
            self.flat.edges[edge].ops.extend(births);
        }
    }

    /// A local variable comes to life without a value.
    pub(super) fn birth(&mut self, local: u32) -> Op {
        Op::Havoc { place: self.local(local), is_external: false }
    }
}
