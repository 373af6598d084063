//! Files that one process at a time may write.

use std::fs::File;
use std::ops::{Deref, DerefMut};
use std::path::Path;

use crate::Error;

/// A file of rows that only this process writes.
///
/// Closing the file would not be enough to give it back: a process that is being started has a copy of every open file
/// until its program begins, and the copy keeps the lock.
#[derive(Debug)]
pub(crate) struct Locked(File);

impl Locked {
    /// Locks the rows of the experiment of `folder`.
    pub(crate) fn new(rows: File, folder: &Path) -> Result<Locked, Error> {
        rows.try_lock().map_err(|_| {
            let folder = folder.display();
            Error::Experiment(format!("another process runs the experiment of `{folder}`"))
        })?;
        Ok(Locked(rows))
    }
}

impl Drop for Locked {
    fn drop(&mut self) {
        // It fails if the file is not locked, and then there is nothing to do.
        let _ = self.0.unlock();
    }
}

impl Deref for Locked {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

impl DerefMut for Locked {
    fn deref_mut(&mut self) -> &mut File {
        &mut self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_does_not_keep_the_lock() {
        let path = std::env::temp_dir().join(format!("lapidary-lock-{}", std::process::id()));
        let locked = || Locked::new(File::create(&path).unwrap(), Path::new("folder"));
        let first = locked().unwrap();
        assert!(locked().is_err());
        let _copy = first.try_clone().unwrap();
        drop(first);
        assert!(locked().is_ok());
        std::fs::remove_file(&path).unwrap();
    }
}
