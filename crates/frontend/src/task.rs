//! Verification tasks as they were read.

use std::sync::Arc;

use lapidary_model::{Cfa, EdgeId, Model};

use crate::c::SourceMap;
use crate::source::SourceFile;

/// What is to be verified, with the text it was read from.
#[derive(Clone, Debug)]
pub struct Task {
    /// The program or system; the edges of its automaton know their position in the source.
    pub model: Model,
    /// The text.
    pub source: SourceFile,
    /// For programs: what connects the automaton to the text.
    pub map: Option<Arc<SourceMap>>,
}

impl Task {
    /// The automaton of the model.
    pub fn cfa(&self) -> &Cfa {
        self.model.cfa()
    }

    /// Where an edge is in the text, for people.
    pub fn place(&self, edge: EdgeId) -> Option<String> {
        match &self.map {
            Some(map) => Some(self.source.place(map.edges[edge.0 as usize].1)),
            None => self.cfa().edge(edge).position.map(|position| position.to_string()),
        }
    }

    /// The file that an edge is in, if it is another one than what was read.
    pub fn file(&self, edge: EdgeId) -> Option<String> {
        let file = self.source.file(self.map.as_ref()?.edges[edge.0 as usize].1);
        (file != self.source.name()).then(|| file.into())
    }
}
