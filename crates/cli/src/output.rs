//! Standard output and files.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Seek, Write};
use std::path::Path;

use crate::failure::Failure;

/// Writes to standard output. A reader that has seen enough (`| head`) is no error.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    print_bytes(text.as_bytes())
}

/// The same for text that another process has made.
pub(crate) fn print_bytes(text: &[u8]) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Output(format!("cannot write to standard output: {}", reason(&error))))
        }
        _ => Ok(()),
    }
}

/// Makes a file before the work starts, so that a wrong path is noticed before and not after an hour. It must
/// not be the input.
pub(crate) fn create(path: &Path, input: &Path) -> Result<File, Failure> {
    make(path, input, File::options().write(true).create(true).truncate(true))
}

/// The same, but what is in the file stays there until it is filled again.
pub(crate) fn open(path: &Path, input: &Path) -> Result<File, Failure> {
    make(path, input, File::options().write(true).create(true).truncate(false))
}

fn make(path: &Path, input: &Path, options: &OpenOptions) -> Result<File, Failure> {
    let is_input = matches!((path.canonicalize(), input.canonicalize()), (Ok(path), Ok(input)) if path == input);
    if is_input {
        return Err(Failure::Usage(format!(
            "`{}` is the input and would be overwritten",
            path.display()
        )));
    }
    options.open(path).map_err(|error| {
        Failure::Usage(format!("cannot write `{}`: {}", path.display(), reason(&error)))
    })
}

/// Fills a file that was made before.
pub(crate) fn fill(mut file: &File, path: &Path, text: &str) -> Result<(), Failure> {
    file.write_all(text.as_bytes()).map_err(|error| {
        Failure::Output(format!("cannot write `{}`: {}", path.display(), reason(&error)))
    })
}

/// Fills a file that was opened before; what it held before the first time is gone then.
pub(crate) fn refill(mut file: &File, path: &Path, text: &str) -> Result<(), Failure> {
    let is_file = file.metadata().is_ok_and(|metadata| metadata.is_file());
    if is_file && file.stream_position().is_ok_and(|written| written == 0) {
        file.set_len(0).map_err(|error| {
            Failure::Output(format!("cannot write `{}`: {}", path.display(), reason(&error)))
        })?;
    }
    fill(file, path, text)
}

/// What the system says, without the number that Rust adds.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}
