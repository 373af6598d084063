//! The choice of the language by the name of a file.

use crate::c;
use crate::cfa;
use crate::source::{ParseError, SourceFile};
use crate::task::Task;

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
