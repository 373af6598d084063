//! Inputs: files of any language, the task definitions that name them, and the properties to verify.

use std::path::{Path, PathBuf};

use lapidary_frontend::c::{
    Check, Checks, Options, Property, SUPPORTED_PROPERTY, property, task_file,
};
use lapidary_frontend::{Input, Task};
use lapidary_model::ASSERTION;

use crate::error::Error;
use crate::preprocess::preprocess;
use crate::read;
use crate::units::{self, Unit};

/// An input, and how to read it.
#[derive(Clone, Debug)]
pub struct Source {
    /// The file; the first if there are several.
    pub file: PathBuf,
    /// The other files of a C program.
    pub more: Vec<PathBuf>,
    /// Options of the preprocessor.
    pub flags: Vec<String>,
    /// A compilation database, of which the files are a choice, if there are any.
    pub project: Option<Project>,
    /// How C is read.
    pub c: Options,
    /// The property: a name, a number, or a file; none is all there are.
    pub property: Option<String>,
    /// What is checked in C, whatever a task definition asks.
    pub checks: Option<Checks>,
}

/// A compilation database.
#[derive(Clone, Debug)]
pub struct Project {
    /// Its file.
    pub database: PathBuf,
    /// The files of it that are wanted; none is all.
    pub files: Vec<PathBuf>,
}

impl Source {
    /// A file, with the usual options.
    pub fn new(file: impl Into<PathBuf>) -> Source {
        Source {
            file: file.into(),
            more: Vec::new(),
            flags: Vec::new(),
            project: None,
            c: Options::default(),
            property: None,
            checks: None,
        }
    }

    /// Reads the input.
    pub fn read(&self) -> Result<Input, Error> {
        hashed(self, |_| ()).map(|(input, ())| input)
    }
}

/// Reads the input, and computes something of the bytes of its file. The file may be a pipe, or another one when the
/// verdict is there.
pub fn hashed<T>(source: &Source, hash: impl FnOnce(&[u8]) -> T) -> Result<(Input, T), Error> {
    let mut options = source.c.clone();
    let named = source.property.as_deref().filter(|property| is_file(property)).map(Path::new);
    if source.project.is_some() || !source.more.is_empty() {
        set_what_is_checked(source, named, &mut options)?;
        return program(source, options, hash);
    }
    let bytes = read::bytes(&source.file)?;
    let (file, bytes) = match definition(&source.file, &bytes, named, &mut options)? {
        Some(file) => (file.clone(), read::bytes(&file)?),
        None => (source.file.clone(), bytes),
    };
    set_what_is_checked(source, named, &mut options)?;
    let hash = hash(&bytes);
    let unit = Unit { file: file.clone(), flags: source.flags.clone(), folder: None };
    let bytes = preprocess(&unit, bytes, !unit.flags.is_empty(), &mut options)?;
    let input = lapidary_frontend::read_with(&file.to_string_lossy(), &bytes, &options)
        .map_err(|error| Error::Input(error.to_string()))?;
    if named.is_some() && !input.is_c() {
        let problem =
            format!("property files are for C programs, and `{}` is none", file.display());
        return Err(Error::Usage(problem));
    }
    Ok((input, hash))
}

/// Takes what is checked from what the user has named.
fn set_what_is_checked(
    source: &Source,
    named: Option<&Path>,
    options: &mut Options,
) -> Result<(), Error> {
    if let Some(property) = named {
        set_properties(options, &[property.to_path_buf()])?;
    }
    if let Some(checks) = source.checks {
        if named.is_some() {
            let problem =
                "a property file says what is checked; leave out `--check` and `--no-check`";
            return Err(Error::Usage(problem.into()));
        }
        options.checks = checks;
    }
    if options.checks.iter().next().is_none() {
        return Err(Error::Usage("nothing is left to check".into()));
    }
    // The properties of a C program are its assertions.
    options.each_assertion |= source.property.as_deref().is_some_and(|name| !is_file(name));
    Ok(())
}

/// Reads a C program of several files, and computes something of the bytes of the first.
fn program<T>(
    source: &Source,
    mut options: Options,
    hash: impl FnOnce(&[u8]) -> T,
) -> Result<(Input, T), Error> {
    let mut units = match &source.project {
        Some(project) => units::of_project(&project.database, &project.files)?,
        None => {
            let files = std::iter::once(&source.file).chain(&source.more);
            let unit =
                |file: &PathBuf| Unit { file: file.clone(), flags: Vec::new(), folder: None };
            files.map(unit).collect()
        }
    };
    let (mut texts, mut first) = (Vec::new(), None);
    for unit in &mut units {
        if !unit.file.extension().is_some_and(|extension| extension == "c" || extension == "i") {
            let problem = "is no C file, and only C programs have several files";
            return Err(Error::Usage(format!("`{}` {problem}", unit.file.display())));
        }
        unit.flags.extend_from_slice(&source.flags);
        let bytes = read::bytes(&unit.file)?;
        first.get_or_insert_with(|| bytes.clone());
        texts.push((unit.file.clone(), preprocess(unit, bytes, true, &mut options)?));
    }
    options.is_preprocessed = true;
    let name = units[0].file.to_string_lossy().into_owned();
    let input = lapidary_frontend::read_with(&name, &units::joined(texts), &options)
        .map_err(|error| Error::Input(error.to_string()))?;
    Ok((input, hash(&first.unwrap_or_default())))
}

/// Whether the name of a property is that of a file.
pub fn is_file(property: &str) -> bool {
    Path::new(property).extension().is_some_and(|extension| extension == "prp")
}

/// The program that a task definition names, if the text is one. Sets the options that the definition has; its
/// property counts unless the user has named one.
fn definition(
    path: &Path,
    bytes: &[u8],
    named: Option<&Path>,
    options: &mut Options,
) -> Result<Option<PathBuf>, Error> {
    let is_definition =
        path.extension().is_some_and(|extension| extension == "yml" || extension == "yaml");
    if !is_definition {
        return Ok(None);
    }
    let problem = |what: &str| Error::Input(format!("error: `{}` {what}", path.display()));
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    let task = task_file(text).map_err(|what| problem(&what))?;
    let [file] = &task.input_files[..] else {
        return Err(problem("names several programs, which is not supported"));
    };
    options.is_model_assumed &= task.model.is_none();
    options.model = task.model.unwrap_or(options.model);
    let beside = |name: &str| path.parent().unwrap_or(Path::new("")).join(name);
    match &task.property_files[..] {
        _ if named.is_some() => {}
        [] => {}
        files => {
            let files: Vec<PathBuf> = files.iter().map(|name| beside(name)).collect();
            set_properties(options, &files)?;
        }
    }
    Ok(Some(beside(file)))
}

/// Takes from property files what they ask, all of them together.
fn set_properties(options: &mut Options, paths: &[PathBuf]) -> Result<(), Error> {
    let mut all: Option<Property> = None;
    for path in paths {
        let problem = |other| {
            let help = match paths.len() {
                1 => format!(
                    "supported are `{SUPPORTED_PROPERTY}`, with any names of functions, and the formulas `G ! overflow`, \
                     `G valid-deref`, `G valid-free`, `G valid-memtrack` and `G valid-memcleanup`"
                ),
                _ => "choose one property with `--property FILE`".into(),
            };
            let path = path.display();
            Error::Input(format!(
                "error: the property of `{path}` is not supported: {other}\n = help: {help}"
            ))
        };
        let next = property(&read::text(path)?).map_err(problem)?;
        all = Some(match all {
            Some(before) => before.join(next).map_err(problem)?,
            None => next,
        });
    }
    if let Some(Property { entry, error_function, checks }) = all {
        options.checks = Checks::of_competition(checks);
        if options.given.is_none() {
            options.entry = entry;
        }
        options.error_function = error_function;
    }
    Ok(())
}

/// The numbers of the properties to verify: the one with this name or number, or all.
pub fn chosen(property: Option<&str>, names: &[String]) -> Result<Vec<usize>, Error> {
    let wanted = property.filter(|property| !is_file(property));
    let Some(wanted) = wanted else { return Ok((0..names.len().max(1)).collect()) };
    // A place, a place with a check, or a check.
    let is_check = Check::ALL.iter().any(|check| check.name() == wanted);
    let is_wanted = |name: &String| {
        let (place, check) = name.split_once(' ').unwrap_or((name, ASSERTION));
        name == wanted || place == wanted || is_check && check == wanted
    };
    let all: Vec<usize> = (0..names.len()).filter(|i| is_wanted(&names[*i])).collect();
    if !all.is_empty() {
        return Ok(all);
    }
    let by_number = wanted.parse().ok().filter(|number: &usize| *number < names.len());
    match by_number {
        Some(property) => Ok(vec![property]),
        None if names.is_empty() => {
            Err(Error::Usage("the input has no properties to choose from".into()))
        }
        None => Err(Error::Usage(format!(
            "there is no property `{wanted}`; there are {}, from 0 (`{}`)",
            names.len(),
            names[0]
        ))),
    }
}

/// A program without anything that could be its error.
pub fn without_property(task: &Task) -> Error {
    Error::Input(format!(
        "error: nothing in `{}` says what its error is\n = help: use `assert`, call `reach_error()` where the error is, \
         or name the function that must not be called: `--property FILE.prp`",
        task.source.name()
    ))
}
