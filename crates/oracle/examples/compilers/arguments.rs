//! The words of the command line.

use std::path::{Path, PathBuf};

use lapidary_oracle::c::Verifier;

/// What is asked for.
#[derive(Debug)]
pub(crate) struct Arguments {
    /// The verifier's binary.
    lapidary: Option<PathBuf>,
    /// More words for it.
    options: Vec<String>,
    /// The CPU seconds for each claim.
    time: String,
    pub(crate) programs: u64,
    pub(crate) first: u64,
    pub(crate) seed: u64,
    pub(crate) jobs: usize,
    pub(crate) out: Option<PathBuf>,
    pub(crate) write: Option<PathBuf>,
    pub(crate) check: Option<PathBuf>,
    pub(crate) show: Option<u64>,
    pub(crate) shrink: bool,
    pub(crate) stop: bool,
}

impl Arguments {
    pub(crate) fn parse() -> Result<Arguments, String> {
        let mut arguments = Arguments {
            lapidary: None,
            options: Vec::new(),
            time: "4".into(),
            programs: 300,
            first: 0,
            seed: 1,
            jobs: 1,
            out: None,
            write: None,
            check: None,
            show: None,
            shrink: false,
            stop: false,
        };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
            let number = |text: String| text.parse::<u64>().map_err(|error| error.to_string());
            match word.as_str() {
                "--lapidary" => arguments.lapidary = Some(value()?.into()),
                "--option" => arguments.options.push(value()?),
                "--time" => arguments.time = value()?,
                "--programs" => arguments.programs = number(value()?)?,
                "--first" => arguments.first = number(value()?)?,
                "--seed" => arguments.seed = number(value()?)?,
                "--jobs" => {
                    arguments.jobs = value()?.parse().map_err(|_| "--jobs needs a number")?;
                }
                "--out" => arguments.out = Some(value()?.into()),
                "--write" => arguments.write = Some(value()?.into()),
                "--check" => arguments.check = Some(value()?.into()),
                "--show" => arguments.show = Some(number(value()?)?),
                "--shrink" => arguments.shrink = true,
                "--stop" => arguments.stop = true,
                _ => return Err(format!("{word} is not an option")),
            }
        }
        if let Some(folder) = &arguments.write {
            std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
        }
        Ok(arguments)
    }

    /// The verifier, with files in this folder.
    pub(crate) fn verifier(&self, folder: &Path) -> Option<Verifier> {
        let lapidary = self.lapidary.as_ref()?.to_string_lossy().into_owned();
        let mut words = vec![lapidary];
        words.extend(["verify", "--bits", "{bits}", "--time"].map(String::from));
        words.push(self.time.clone());
        words.extend(self.options.iter().cloned());
        words.push("{file}".into());
        Some(Verifier { words, folder: folder.to_path_buf() })
    }
}
