//! Reading files, with what is wrong with them.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use lapidary_frontend::is_circuit;

use crate::error::{Error, reason};

/// Larger inputs are taken for a mistake.
pub const LARGEST: u64 = 1 << 30;

/// The contents of a text file.
pub fn text(path: &Path) -> Result<String, Error> {
    as_text(bytes(path)?).map_err(|problem| {
        Error::Input(format!("error: cannot read `{}`: {problem}", path.display()))
    })
}

/// The bytes as text.
pub fn as_text(bytes: Vec<u8>) -> Result<String, &'static str> {
    match String::from_utf8(bytes) {
        Ok(text) if text.trim_ascii().is_empty() => Err("it is empty"),
        Ok(text) if text.contains('\0') => Err("it is a binary file"),
        Ok(text) => Ok(text),
        Err(error) if error.as_bytes().contains(&0) => Err("it is a binary file"),
        Err(_) => Err("it is not UTF-8 text"),
    }
}

/// The contents of a file that may be an input.
pub fn bytes(path: &Path) -> Result<Vec<u8>, Error> {
    let problem =
        |problem: &str| Error::Input(format!("error: cannot read `{}`: {problem}", path.display()));
    let failed = |error: io::Error| match error.kind() {
        ErrorKind::OutOfMemory => Error::OutOfMemory,
        _ => problem(&reason(&error)),
    };
    let mut file = File::open(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    if metadata.is_dir() {
        return Err(problem("it is a directory"));
    }
    // Devices do not tell how much they have.
    let mut bytes = Vec::new();
    if metadata.len() <= LARGEST {
        (&mut file).take(LARGEST + 1).read_to_end(&mut bytes).map_err(failed)?;
    }
    if metadata.len().max(bytes.len() as u64) > LARGEST {
        return Err(problem("it is larger than 1 GiB"));
    }
    readable(bytes, &path.to_string_lossy()).map_err(problem)
}

/// The bytes, if they are text or a circuit.
fn readable(bytes: Vec<u8>, name: &str) -> Result<Vec<u8>, &'static str> {
    let is_text = |bytes: &[u8]| std::str::from_utf8(bytes).is_ok() || is_circuit(name, bytes);
    match bytes {
        bytes if bytes.trim_ascii().is_empty() => Err("it is empty"),
        bytes if bytes.starts_with(b"aig ") => Ok(bytes),
        bytes if bytes.contains(&0) => Err("it is a binary file"),
        bytes if !is_text(&bytes) => Err("it is not UTF-8 text"),
        bytes => Ok(bytes),
    }
}
