//! C programs with directives, by way of the system's preprocessor and headers of ours.
//!
//! The headers of the system belong to one data model, and declare more than a verifier knows; so the compiler is kept
//! from finding them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use lapidary_frontend::SourceFile;
use lapidary_frontend::c::{DataModel, HEADERS, Options, needs_preprocessor};

use crate::error::{Error, reason};
use crate::read;
use crate::units::Unit;

/// What the preprocessor makes of a C program that needs it; other inputs stay as they are. `is_wanted` if it needs it in any case.
pub(crate) fn preprocess(
    unit: &Unit,
    bytes: Vec<u8>,
    is_wanted: bool,
    options: &mut Options,
) -> Result<Vec<u8>, Error> {
    let path = &*unit.file;
    let is_c = path.extension().is_some_and(|extension| extension == "c");
    let needs = |text: &str| is_wanted || needs_preprocessor(&SourceFile::new("", text));
    if !is_c || !std::str::from_utf8(&bytes).is_ok_and(needs) {
        return Ok(bytes);
    }
    options.is_preprocessed = true;
    let headers = Headers::write().map_err(|error| {
        Error::Input(format!("error: cannot write headers for it: {}", reason(&error)))
    })?;
    let compiler = std::env::var_os("CC").filter(|name| !name.is_empty());
    let compiler = compiler.unwrap_or_else(|| OsString::from("cc"));
    let bits = if options.model == DataModel::Lp64 { "-m64" } else { "-m32" };
    #[expect(clippy::disallowed_methods, reason = "there is no preprocessor of ours")]
    let mut command = Command::new(&compiler);
    command.args(["-E", "-nostdinc", bits]).args(&unit.flags).arg("-I").arg(&headers.0);
    if let Some(folder) = unit.folder.as_ref().filter(|folder| !folder.as_os_str().is_empty()) {
        command.current_dir(folder);
    }
    command.arg(
        std::path::absolute(path).ok().filter(|_| unit.folder.is_some()).as_deref().unwrap_or(path),
    );
    let output = command.output().map_err(|error| missing(path, &compiler, &error))?;
    if !output.status.success() {
        let complaint = String::from_utf8_lossy(&output.stderr);
        if let Some((place, header)) = missing_header(&complaint) {
            return Err(Error::Input(format!(
                "error: the header `{header}` is not modelled and in none of the folders for headers\n --> {place}\n \
                 = help: if it belongs to the program, name its folder with `-I`; those of the C library that there are: {}",
                HEADERS.map(|(name, _)| name).join(", ")
            )));
        }
        return Err(Error::Input(format!(
            "error: `{}` cannot preprocess `{}`\n{}",
            compiler.display(),
            path.display(),
            complaint.trim_end()
        )));
    }
    let text = read::as_text(output.stdout).map_err(|problem| {
        Error::Input(format!("error: `{}` after preprocessing: {problem}", path.display()))
    })?;
    Ok(text.into_bytes())
}

/// The header that a preprocessor did not find, by what it says, after the place that includes it.
fn missing_header(complaint: &str) -> Option<(&str, &str)> {
    let line = complaint.lines().find(|line| {
        line.contains("No such file or directory") || line.contains("file not found")
    })?;
    let (place, rest) = line.split_once("error: ")?;
    let place = place.trim_end().trim_end_matches("fatal").trim_end().trim_end_matches(':');
    let name = rest.trim_start_matches('\'').split([':', '\'']).next()?;
    (!name.contains(' ')).then_some((place, name))
}

fn missing(path: &Path, compiler: &OsString, error: &io::Error) -> Error {
    Error::Input(format!(
        "error: `{}` needs a preprocessor, and `{}` cannot be started: {}\n \
         = help: install a C compiler, name one by the variable CC, or preprocess the file elsewhere (`cc -E`)",
        path.display(),
        compiler.display(),
        reason(error)
    ))
}

/// A folder with our headers, for as long as it is needed.
struct Headers(PathBuf);

impl Headers {
    fn write() -> io::Result<Headers> {
        let folder = std::env::temp_dir().join(format!("lapidary-headers-{}", std::process::id()));
        fs::create_dir_all(folder.join("sys"))?;
        let headers = Headers(folder);
        for (name, text) in HEADERS {
            fs::write(headers.0.join(name), text)?;
        }
        Ok(headers)
    }
}

impl Drop for Headers {
    fn drop(&mut self) {
        // Temporary files that stay do no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}
