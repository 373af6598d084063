//! Claims in a folder, one in each file, so that a verifier can be asked without compilers.

use std::fs;
use std::path::{Path, PathBuf};

use super::claim::{Claim, Verdict};
use super::compilers::Bits;
use super::program::Program;

/// A claim in a file. The first line of the file says what is wrong about it: `// 32 bits, wrong: safe`.
#[derive(Clone, Debug)]
pub struct Stored {
    /// The file.
    pub file: PathBuf,
    /// The data model.
    pub bits: Bits,
    /// The verdict that is wrong.
    pub wrong: Verdict,
}

/// Writes a claim about the program with this number.
pub fn store(
    folder: &Path,
    number: u64,
    program: &Program,
    claim: &Claim,
    bits: Bits,
) -> std::io::Result<()> {
    let name = format!("{number:06}-{}-{}.c", bits.word(), claim.name);
    let first = format!("// {} bits, wrong: {}\n", bits.word(), claim.wrong.word());
    fs::write(folder.join(name), first + &program.claiming(&claim.results))
}

/// The claims of a folder, in the order of their names. A file that is none is an error.
pub fn stored(folder: &Path) -> Result<Vec<Stored>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        files.push(entry.map_err(|error| error.to_string())?.path());
    }
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    files.into_iter().map(read).collect()
}

fn read(file: PathBuf) -> Result<Stored, String> {
    let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let first = text.lines().next().unwrap_or_default();
    let words: Vec<&str> = first.split_whitespace().collect();
    let bits = match words.get(1) {
        Some(&"32") => Some(Bits::Ilp32),
        Some(&"64") => Some(Bits::Lp64),
        _ => None,
    };
    let wrong = words.last().and_then(|word| Verdict::from_word(word));
    match (bits, wrong) {
        (Some(bits), Some(wrong)) => Ok(Stored { file, bits, wrong }),
        _ => Err(format!("{}: the first line does not say what is wrong", file.display())),
    }
}
