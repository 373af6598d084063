//! Output files that are replaced as a whole.
//!
//! The path is checked before the work starts, so that a wrong one is noticed before an hour has passed. Nothing is
//! changed by that: the text goes to a new file in the same folder, which takes the place of the old one when it is
//! complete. Pipes and devices are written directly.

use std::cell::RefCell;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::failure::Failure;
use crate::output::{print, reason};

/// Where a text is to be written.
pub(crate) struct Target {
    /// As the user names it.
    path: PathBuf,
    way: Way,
}

/// How it is written.
enum Way {
    /// To standard output, before the report.
    Stdout,
    /// To a pipe or a device.
    Stream(File),
    /// To a file that is replaced by the first text; the others follow in the new file.
    Replace { file: PathBuf, new: RefCell<Option<File>> },
    /// To a file in a folder where no other file can be made.
    InPlace { old: File, is_written: RefCell<bool> },
}

impl Target {
    /// Checks that `path` can be written and is not the input.
    pub(crate) fn new(path: &Path, input: &Path) -> Result<Target, Failure> {
        let is_input = matches!((path.canonicalize(), input.canonicalize()), (Ok(path), Ok(input)) if path == input);
        if is_input {
            return Err(Failure::Usage(format!(
                "`{}` is the input and would be overwritten",
                path.display()
            )));
        }
        match Way::to(path) {
            Ok(way) => Ok(Target { path: path.into(), way }),
            Err(error) => Err(Failure::Usage(cannot_write(path, &error))),
        }
    }

    /// Writes a text; the first one replaces the old content.
    pub(crate) fn write(&self, text: &str) -> Result<(), Failure> {
        let written = match &self.way {
            Way::Stdout => return print(text),
            Way::Stream(file) => (&*file).write_all(text.as_bytes()),
            Way::Replace { file, new } => {
                let mut new = new.borrow_mut();
                match &mut *new {
                    Some(file) => file.write_all(text.as_bytes()),
                    None => replace(file, text).map(|file| *new = Some(file)),
                }
            }
            Way::InPlace { old, is_written } => {
                let truncated = if is_written.replace(true) { Ok(()) } else { old.set_len(0) };
                truncated.and_then(|()| (&*old).write_all(text.as_bytes()))
            }
        };
        written.map_err(|error| Failure::Output(cannot_write(&self.path, &error)))
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> String {
    format!("cannot write `{}`: {}", path.display(), reason(error))
}

impl Way {
    fn to(path: &Path) -> io::Result<Way> {
        if path == Path::new("-") || path == Path::new("/dev/stdout") {
            return Ok(Way::Stdout);
        }
        let kind = match fs::metadata(path) {
            Ok(metadata) => Some(metadata.file_type()),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let is_folder = kind.is_some_and(|kind| kind.is_dir()) || ends_in_slash(path);
        if is_folder {
            return Err(ErrorKind::IsADirectory.into());
        }
        if kind.is_some_and(|kind| !kind.is_file()) || is_descriptor(path) {
            // A descriptor may be a file that others append to.
            return OpenOptions::new().append(true).open(path).map(Way::Stream);
        }
        let file = resolved(path)?;
        // Replacing a file needs no permission to write it, but whoever withholds it means it.
        let old = kind.map(|_| OpenOptions::new().write(true).open(&file)).transpose()?;
        let made = Part::new(&file).map(drop);
        match (made, old) {
            (Ok(()), _) => Ok(Way::Replace { file, new: RefCell::new(None) }),
            (Err(_), Some(old)) => Ok(Way::InPlace { old, is_written: RefCell::new(false) }),
            (Err(error), None) => Err(error),
        }
    }
}

/// Makes a folder if necessary, and checks that files can be made there.
pub(crate) fn check_folder(folder: &Path) -> Result<(), Failure> {
    let made = || {
        fs::create_dir_all(folder)?;
        Part::new(&folder.join("file"))
    };
    let problem = |error: &io::Error| {
        format!("cannot write files in `{}`: {}", folder.display(), reason(error))
    };
    made().map(drop).map_err(|error| Failure::Usage(problem(&error)))
}

/// Whether a path names a folder, which may be missing.
fn ends_in_slash(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().ends_with(b"/")
}

/// Whether a path is another name of an open file: that file stays where it is.
fn is_descriptor(path: &Path) -> bool {
    ["/dev/fd", "/dev/stderr", "/proc"].iter().any(|folder| path.starts_with(folder))
}

/// The file that symbolic links lead to, which may be missing.
fn resolved(path: &Path) -> io::Result<PathBuf> {
    let mut file = path.to_path_buf();
    // Linux follows so many.
    for _ in 0..40 {
        match fs::read_link(&file) {
            Ok(next) => file = file.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(file),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// A new file beside another one. It is removed at the end, unless it got another name.
struct Part {
    path: PathBuf,
    file: File,
}

impl Part {
    fn new(beside: &Path) -> io::Result<Part> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        // The name of the part is short, as names must be.
        beside.file_name().ok_or(ErrorKind::NotFound)?;
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let name = format!(".lapidary-{}-{number}.part", std::process::id());
            let path = beside.with_file_name(name);
            match File::create_new(&path) {
                Ok(file) => return Ok(Part { path, file }),
                // Another process of this number has left it, or has it in another container.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Replaces a file by a new one, which has the permissions of the old one; the new file is open for more.
fn replace(path: &Path, text: &str) -> io::Result<File> {
    let part = Part::new(path)?;
    if let Ok(old) = fs::metadata(path) {
        part.file.set_permissions(old.permissions())?;
    }
    (&part.file).write_all(text.as_bytes())?;
    part.file.sync_all()?;
    let file = part.file.try_clone()?;
    fs::rename(&part.path, path)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn folder(test: &str) -> PathBuf {
        let folder =
            std::env::temp_dir().join(format!("lapidary-target-{test}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn target(path: &Path) -> Result<Target, Failure> {
        Target::new(path, Path::new("/no/input"))
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn the_old_file_stays_until_there_is_a_new_one() {
        let folder = folder("old");
        let path = folder.join("w");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        let checked = target(&path).unwrap();
        assert_eq!(
            (fs::read_to_string(&path).unwrap(), names(&folder)),
            ("old".into(), vec!["w".into()])
        );
        checked.write("new").unwrap();
        checked.write(" and more").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new and more");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(names(&folder), ["w"]);
        // A file that was not there is not made before there is something to write.
        let missing = target(&folder.join("m")).unwrap();
        assert_eq!(names(&folder), ["w"]);
        missing.write("").unwrap();
        assert_eq!(names(&folder), ["m", "w"]);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn links_stay_links() {
        let folder = folder("links");
        fs::create_dir(folder.join("there")).unwrap();
        let link = folder.join("link");
        symlink("there/w", &link).unwrap();
        for text in ["first", "second"] {
            target(&link).unwrap().write(text).unwrap();
            assert_eq!(fs::read_to_string(folder.join("there/w")).unwrap(), text);
        }
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        symlink("loop", folder.join("loop")).unwrap();
        assert!(target(&folder.join("loop")).is_err());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn wrong_paths_are_noticed_at_once() {
        let folder = folder("wrong");
        for path in ["", "missing/w", ".", "new/", "there/.."] {
            assert!(target(&folder.join(path)).is_err(), "{path}");
        }
        for path in ["", "/dev/null/w", "/"] {
            assert!(target(Path::new(path)).is_err(), "{path}");
        }
        assert!(target(&folder.join("n".repeat(300))).is_err());
        assert!(target(&folder.join("n".repeat(255))).is_ok());
        assert!(names(&folder).is_empty());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn devices_are_written_directly() {
        target(Path::new("/dev/null")).unwrap().write("text").unwrap();
        let full = target(Path::new("/dev/full")).unwrap();
        let Err(Failure::Output(problem)) = full.write("text") else { panic!("it is full") };
        assert_eq!(problem, "cannot write `/dev/full`: no space left on device");
    }
}
