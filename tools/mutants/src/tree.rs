//! A copy of the repository in which the mutants are built.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The sources that are not trusted: what they say about a program has no part in a verdict.
const LEFT_OUT: [&str; 4] = ["evidence/witness.rs", "evidence/witness/", "evidence/harness.rs", "task_file.rs"];

/// The folder of the sources that are trusted.
pub(crate) const TRUSTED: &str = "crates/frontend/src/c";

/// The folders of the repository and of what is built.
#[derive(Clone, Debug)]
pub(crate) struct Folders {
    pub(crate) root: PathBuf,
    pub(crate) out: PathBuf,
}

impl Folders {
    /// The copy.
    pub(crate) fn tree(&self) -> PathBuf {
        self.out.join("tree")
    }

    /// What cargo builds of the copy.
    pub(crate) fn build(&self) -> PathBuf {
        self.out.join("build")
    }

    /// The files of the repository that git knows or would know.
    fn files(&self) -> Result<Vec<String>, String> {
        let words = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
        let ran = Command::new("git").args(words).current_dir(&self.root).output();
        let ran = ran.map_err(|error| format!("git: {error}"))?;
        let text = String::from_utf8_lossy(&ran.stdout).into_owned();
        let files = text.split('\0').filter(|file| !file.is_empty());
        Ok(files.map(String::from).filter(|file| self.root.join(file).is_file()).collect())
    }

    /// The trusted sources, by their paths in the repository.
    pub(crate) fn trusted(&self) -> Result<Vec<String>, String> {
        let mut files = self.files()?;
        files.retain(|file| match file.strip_prefix(&format!("{TRUSTED}/")) {
            Some(name) => {
                name.ends_with(".rs") && !LEFT_OUT.iter().any(|out| name.starts_with(out))
            }
            None => false,
        });
        files.sort();
        files.dedup();
        Ok(files)
    }

    /// Brings the copy up to date, without the files of `leave`.
    pub(crate) fn copy(&self, leave: &[String]) -> Result<(), String> {
        for file in self.files()? {
            if !leave.contains(&file) {
                let bytes =
                    fs::read(self.root.join(&file)).map_err(|error| format!("{file}: {error}"))?;
                write(&self.tree().join(&file), &bytes)?;
            }
        }
        let (library, link) = (self.root.join("third_party"), self.tree().join("third_party"));
        if library.exists() && !link.exists() {
            std::os::unix::fs::symlink(&library, &link).map_err(|error| error.to_string())?;
        }
        Ok(())
    }
}

/// Writes a file unless it has this content already: cargo goes by the time of the last change.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    if fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    let told = |error: std::io::Error| format!("{}: {error}", path.display());
    fs::create_dir_all(path.parent().expect("a file is in a folder")).map_err(told)?;
    fs::write(path, bytes).map_err(told)
}
