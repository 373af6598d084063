//! Runs the binary in a folder of the test's own.

#![allow(dead_code, reason = "each test file uses a part of this")]

use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

/// `x` counts to five: it cannot be six.
pub(crate) const SAFE: &str = "main process counter {
    var x : int
    init loc START
    loc LOOP
    error loc ERR
    START -> LOOP { x := 0 }
    LOOP -> LOOP { assume x < 5  x := x + 1 }
    LOOP -> ERR { assume x > 5 }
}
";

/// Values of all sorts on the way to the error.
pub(crate) const UNSAFE: &str = "main process sorts {
    var x : int
    var b : bool
    var v : bv[8]
    var r : rat
    var a : [int] -> int
    init loc START
    loc MIDDLE
    error loc ERR
    START -> MIDDLE {
        x := -4
        b := true
        v := 8'd200
        r := -1%2
        a := [<int> default <- 7]
    }
    MIDDLE -> ERR {
        assume b
        x := x - 1
        a := a[x <- 9]
    }
}
";

/// Safe because `y` is even, which the strongest interpolants do not see: they say `x = 0`, `x = 1`, …
pub(crate) const DIVERGING: &str = "main process parity {
    var x : int
    var y : int
    init loc START
    loc LOOP
    error loc ERR
    START -> LOOP { x := 0  y := 0 }
    LOOP -> LOOP { x := x + 1  y := y + 2 }
    LOOP -> ERR { assume y = 2 * x + 1 }
}
";

/// Options with which [`DIVERGING`] has no end.
pub(crate) const FOR_EVER: [&str; 4] =
    ["--interpolation", "sp", "--passes", "unreachable,constants,slice,cone"];

/// Options with which [`SAFE`] needs a refinement.
pub(crate) const REFINED: [&str; 2] = ["--passes", "unreachable,constants,slice,cone"];

/// A folder for the files of one test.
pub(crate) struct Folder(PathBuf);

/// What a run printed, and its exit status.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) status: i32,
}

impl Folder {
    /// A folder with the three inputs above.
    pub(crate) fn new(test: &str) -> Folder {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("the folder can be made");
        let folder = Folder(path);
        folder.write("safe.cfa", SAFE);
        folder.write("unsafe.cfa", UNSAFE);
        folder.write("diverging.cfa", DIVERGING);
        folder
    }

    pub(crate) fn path(&self) -> &std::path::Path {
        &self.0
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.0.join(name), text).expect("the file can be written");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).expect("the file is there")
    }

    pub(crate) fn make_folder(&self, name: &str) {
        std::fs::create_dir_all(self.0.join(name)).expect("the folder can be made");
    }

    #[expect(clippy::disallowed_methods, reason = "the test is about the program as a whole")]
    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lapidary"));
        command.args(words).current_dir(&self.0);
        command
    }

    /// Runs `lapidary` with these words.
    #[track_caller]
    pub(crate) fn run(&self, words: &[&str]) -> Ran {
        Ran::of(self.command(words).output().expect("it starts"))
    }

    /// Runs `lapidary` with these words and this standard input.
    #[track_caller]
    pub(crate) fn run_with_input(&self, words: &[&str], input: &str) -> Ran {
        let mut command = self.command(words);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        let mut stdin = child.stdin.take().expect("it is piped");
        stdin.write_all(input.as_bytes()).expect("it is read");
        drop(stdin);
        Ran::of(child.wait_with_output().expect("it ends"))
    }

    /// Starts `lapidary` with these words.
    pub(crate) fn start(&self, words: &[&str]) -> Child {
        self.command(words)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts")
    }

    /// Runs `lapidary` and compares everything that comes out.
    #[track_caller]
    pub(crate) fn check(&self, words: &[&str], status: i32, stdout: &str, stderr: &str) {
        let ran = self.run(words);
        assert_eq!(
            (&ran.stdout[..], &ran.stderr[..], ran.status),
            (stdout, stderr, status),
            "{words:?}"
        );
    }
}

impl Ran {
    pub(crate) fn of(output: Output) -> Ran {
        let text = |bytes| String::from_utf8(bytes).expect("output is text");
        Ran {
            stdout: text(output.stdout),
            stderr: text(output.stderr),
            status: output.status.code().unwrap_or(-1),
        }
    }

    pub(crate) fn last_line(&self) -> &str {
        self.stdout.lines().last().unwrap_or_default()
    }
}
