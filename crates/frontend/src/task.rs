//! Verification tasks as they were read, and the choice of the language.

use std::sync::Arc;

use lapidary_model::{Cfa, EdgeId, Model};

use crate::c::{self, SourceMap};
use crate::cfa;
use crate::source::{ParseError, SourceFile};

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

/// Reads `text` in the language that the extension of the file's `name` stands for.
pub fn load(name: &str, text: &str) -> Result<Task, ParseError> {
    load_with(name, text, &c::Options::default())
}

/// Reads `text`, C with these options.
pub fn load_with(name: &str, text: &str, options: &c::Options) -> Result<Task, ParseError> {
    let file_name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let extension = file_name.rsplit_once('.').map(|(_, extension)| extension);
    match extension {
        Some("cfa" | "theta") => cfa::parse(&SourceFile::new(name, text)),
        Some("c" | "i") if options.is_preprocessed => {
            c::parse(&SourceFile::preprocessed(name, text), options)
        }
        Some("c" | "i") => c::parse(&SourceFile::new(name, text), options),
        Some(other) => {
            Err(unknown_language(name, &format!("files with the extension `.{other}` are unknown")))
        }
        None => Err(unknown_language(name, "the file's name has no extension")),
    }
}

fn unknown_language(name: &str, message: &str) -> ParseError {
    ParseError::about_file(name, message)
        .with_help(
            "Lapidary reads `.c` and `.i` (C programs), `.yml` (SV-COMP task definitions), `.cfa` and `.theta` (control flow \
             automata), `.system` and `.sts` (transition systems), `.aag` and `.aig` (AIGER), `.btor` and `.btor2` (BTOR2)",
        )
}
