//! Standard output.

use std::io::{self, ErrorKind, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub(crate) use lapidary::error::reason;
use signal_hook::consts::SIGXFSZ;

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

/// Makes a write beyond the limit of file sizes (`ulimit -f`) an error like any other, where the signal would end the
/// process without a word.
pub(crate) fn report_full_files() {
    // Should this fail, the signal does what it usually does.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
}
