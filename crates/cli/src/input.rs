//! Inputs: files of any language, and the task definitions that name them.

use std::path::{Path, PathBuf};

use lapidary_frontend::Input;
use lapidary_frontend::c::{Options, error_function, task_file};

use crate::args::Source;
use crate::failure::Failure;
use crate::preprocess::preprocess;
use crate::read;

/// Reads the input.
pub(crate) fn input(source: &Source) -> Result<Input, Failure> {
    let mut options = source.c.clone();
    let bytes = read::bytes(&source.file)?;
    let (file, bytes) = match definition(&source.file, &bytes, &mut options)? {
        Some(file) => (file.clone(), read::bytes(&file)?),
        None => (source.file.clone(), bytes),
    };
    if let Some(property) = source.property.as_deref().filter(|property| is_file(property)) {
        options.error_function = Some(property_of(Path::new(property))?);
    }
    let bytes = preprocess(&file, bytes, &mut options)?;
    lapidary_frontend::read_with(&file.to_string_lossy(), &bytes, &options)
        .map_err(|error| Failure::Input(error.to_string()))
}

/// Whether the name of a property is that of a file.
pub(crate) fn is_file(property: &str) -> bool {
    Path::new(property).extension().is_some_and(|extension| extension == "prp")
}

/// The program that a task definition names, if the text is one; sets what it says about it.
fn definition(
    path: &Path,
    bytes: &[u8],
    options: &mut Options,
) -> Result<Option<PathBuf>, Failure> {
    let is_definition =
        path.extension().is_some_and(|extension| extension == "yml" || extension == "yaml");
    if !is_definition {
        return Ok(None);
    }
    let problem = |what: &str| Failure::Input(format!("error: `{}` {what}", path.display()));
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    let task = task_file(text).ok_or_else(|| problem("is no task definition"))?;
    let [file] = &task.input_files[..] else {
        return Err(problem("names several programs, which is not supported"));
    };
    options.is_model_assumed &= task.model.is_none();
    options.model = task.model.unwrap_or(options.model);
    let beside = |name: &str| path.parent().unwrap_or(Path::new("")).join(name);
    let mut functions =
        task.property_files.iter().filter_map(|name| property_of(&beside(name)).ok());
    options.error_function = functions.next();
    Ok(Some(beside(file)))
}

/// The function that must not be called, as a property file says it.
fn property_of(path: &Path) -> Result<String, Failure> {
    error_function(&read::text(path)?).map_err(|other| {
        Failure::Input(format!(
            "error: the property of `{}` is not supported: {other}",
            path.display()
        ))
    })
}
