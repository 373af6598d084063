//! One running solver: commands in, answers out, whatever it does.
//!
//! Commands that need no answer are kept until there is a question. After each question the solver is to
//! echo a mark, and what it says before the mark is the answer: neither warnings nor a late complaint about an
//! earlier command can be taken for the answer to a later one.
//!
//! The pipes are polled, in this thread, so that the watch is looked at at least every [`PERIOD`] and nothing
//! that the solver does or does not read or write can block. The solver leads its own process group, which is
//! killed and waited for when this value is dropped.

use std::fmt::Write as _;
use std::io::{ErrorKind, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Stdio};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{WaitId, WaitIdOptions, waitid};
use rustix::time::Timespec;

use super::{Command, Dialect};
use crate::limits::Watch;
use crate::{Result, Stop, children};

/// How often the watch is looked at.
const PERIOD: Duration = Duration::from_millis(20);

/// So many periods without CPU time, and the solver is idle.
const IDLE: u32 = 5;

/// So many periods for the first sign of life.
const PATIENCE: u32 = 1500;

/// So many periods for a solver that closed its output to end.
const LAST_MOMENTS: u32 = 10;

/// No answer is longer than this many bytes.
const LONGEST: usize = 64 << 20;

/// So much of what the solver said goes into a message.
const TAIL: usize = 400;

/// A running solver.
#[derive(Debug)]
pub(super) struct Process {
    name: &'static str,
    watch: Watch,
    child: Child,
    /// What is to be written, from `written` on.
    commands: Vec<u8>,
    written: usize,
    /// What was read.
    answer: Vec<u8>,
    /// The end of what it complained about.
    complaints: Vec<u8>,
    /// The number of questions.
    marks: u64,
    /// Whether it has ever answered.
    answered: bool,
}

impl Process {
    /// Starts the solver and sets these options.
    pub(super) fn start(
        command: &Command,
        dialect: &Dialect,
        options: &[&str],
        watch: &Watch,
    ) -> Result<Process> {
        let mut process = Process::spawn(command, dialect, watch)?;
        let global: &[&str] =
            if dialect.global_declarations { &[":global-declarations true"] } else { &[] };
        let basic = [":print-success false", ":produce-models true"];
        for option in basic.iter().chain(global).chain(options) {
            process.set(option)?;
        }
        process.set_up("")?;
        for hint in dialect.hints {
            process.ask(&format!("(set-option {hint})\n"))?;
        }
        if let Some(logic) = dialect.logic {
            process.set_up(&format!("(set-logic {logic})\n"))?;
        }
        Ok(process)
    }

    fn set(&mut self, option: &str) -> Result<()> {
        // Whether success is printed is not settled before this is over.
        match self.ask(&format!("(set-option {option})\n"))?.trim() {
            "" | "success" => Ok(()),
            said => Err(self.failed(&format!("refuses {option}: {}", tail(said.as_bytes())))),
        }
    }

    /// A command at the start, to which there is nothing to say.
    fn set_up(&mut self, command: &str) -> Result<()> {
        match self.ask(command)?.trim() {
            "" => Ok(()),
            said => Err(self.failed(&format!("cannot be set up: {}", tail(said.as_bytes())))),
        }
    }

    #[expect(clippy::disallowed_methods, reason = "this is where solvers are started")]
    fn spawn(command: &Command, dialect: &Dialect, watch: &Watch) -> Result<Process> {
        watch.check()?;
        let missing = dialect.args.iter().filter(|arg| !command.args.iter().any(|own| own == *arg));
        let child = std::process::Command::new(&command.program)
            .args(&command.args)
            .args(missing)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(|error| Stop::Solver(format!("cannot start `{command}`: {error}")))?;
        children::started(child.id());
        let process = Process {
            name: dialect.name,
            watch: watch.clone(),
            child,
            commands: Vec::new(),
            written: 0,
            answer: Vec::new(),
            complaints: Vec::new(),
            marks: 0,
            answered: false,
        };
        match process.child.stdin.as_ref().map(|stdin| rustix::io::ioctl_fionbio(stdin, true)) {
            Some(Ok(())) => Ok(process),
            _ => Err(Stop::Solver("its input cannot be made non-blocking".into())),
        }
    }

    /// Keeps commands for the next question.
    pub(super) fn tell(&mut self, commands: &str) {
        self.commands.extend_from_slice(commands.as_bytes());
    }

    /// What the solver says to everything since the last question.
    pub(super) fn ask(&mut self, question: &str) -> Result<String> {
        self.marks += 1;
        let mark = format!("lapidary-{}", self.marks);
        self.tell(question);
        self.tell(&format!("(echo \"{mark}\")\n"));
        let (start, end) = self.wait_for(mark.as_bytes())?;
        self.answered = true;
        let mut answer: Vec<u8> = self.answer.drain(..end).collect();
        answer.truncate(start);
        String::from_utf8(answer).map_err(|_| self.failed("prints what is no text"))
    }

    /// Talks until the mark is there: what is before it, and what includes it.
    fn wait_for(&mut self, mark: &[u8]) -> Result<(usize, usize)> {
        let (mut seen, mut quiet, mut cpu) = (0, 0, None);
        loop {
            if let Some(place) = find_mark(&self.answer, seen, mark) {
                return Ok(place);
            }
            // The mark may have come in part.
            seen = self.answer.len().saturating_sub(mark.len() + 8);
            if self.answer.len() > LONGEST {
                return Err(self.failed("does not stop talking"));
            }
            self.watch.check()?;
            match self.exchange()? {
                true => quiet = 0,
                false => quiet += 1,
            }
            if quiet % IDLE == 1 {
                cpu = children::cpu_time(self.child.id());
            } else if quiet > 0 && quiet % IDLE == 0 && cpu == children::cpu_time(self.child.id()) {
                children::idled(self.child.id(), PERIOD * IDLE);
            }
            if quiet > PATIENCE && !self.answered {
                return Err(self.failed("does not answer"));
            }
        }
    }

    /// Writes and reads what is possible; waits for it at most a period. Whether anything was.
    fn exchange(&mut self) -> Result<bool> {
        let (input, output, complaints) = self.ready()?;
        if input {
            self.write();
        }
        if output && !read(self.child.stdout.as_mut(), &mut self.answer) {
            return Err(self.ended());
        }
        if complaints && !self.hear() {
            self.child.stderr = None;
        }
        if self.child.stdin.is_none() && !output {
            return Err(self.ended());
        }
        Ok(input || output || complaints)
    }

    /// Which of the pipes can be used: input, output, complaints.
    fn ready(&self) -> Result<(bool, bool, bool)> {
        let mut pipes = Vec::with_capacity(3);
        let Some(stdout) = &self.child.stdout else { return Ok((false, true, false)) };
        pipes.push(PollFd::new(stdout, PollFlags::IN));
        if let Some(stderr) = &self.child.stderr {
            pipes.push(PollFd::new(stderr, PollFlags::IN));
        }
        let writes = self.child.stdin.as_ref().filter(|_| self.written < self.commands.len());
        if let Some(stdin) = writes {
            pipes.push(PollFd::new(stdin, PollFlags::OUT));
        }
        let timeout = Timespec { tv_sec: 0, tv_nsec: PERIOD.subsec_nanos().into() };
        match poll(&mut pipes, Some(&timeout)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(self.failed(&format!("cannot be waited for: {error}"))),
        }
        let mut ready = pipes.iter().map(|pipe| !pipe.revents().is_empty());
        let output = ready.next().unwrap_or_default();
        let complaints = self.child.stderr.is_some() && ready.next().unwrap_or_default();
        Ok((ready.next().unwrap_or_default(), output, complaints))
    }

    fn write(&mut self) {
        let Some(stdin) = &mut self.child.stdin else { return };
        match stdin.write(&self.commands[self.written..]) {
            Ok(n) => self.written += n,
            Err(error)
                if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            // It does not listen any more; perhaps it still says why.
            Err(_) => self.child.stdin = None,
        }
        if self.written == self.commands.len() {
            self.commands.clear();
            self.written = 0;
        }
    }

    /// Reads complaints, of which the end is kept; whether there can be more.
    fn hear(&mut self) -> bool {
        let more = read(self.child.stderr.as_mut(), &mut self.complaints);
        let excess = self.complaints.len().saturating_sub(2 * TAIL);
        self.complaints.drain(..excess);
        more
    }

    /// The solver closed a pipe: why.
    fn ended(&mut self) -> Stop {
        let id = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw);
        let exited = |id| {
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
            waitid(WaitId::Pid(id), options).ok().flatten()
        };
        let mut status = None;
        for _ in 0..LAST_MOMENTS {
            status = id.and_then(exited);
            if status.is_some() {
                break;
            }
            std::thread::sleep(PERIOD);
        }
        if let Ok((_, _, true)) = self.ready() {
            self.hear();
        }
        let what = match status {
            None => "closes its output".to_string(),
            Some(status) => match (status.exit_status(), status.terminating_signal()) {
                (Some(code), _) => format!("exits with status {code}"),
                (None, Some(signal)) => format!("is killed by signal {signal}"),
                (None, None) => "exits".to_string(),
            },
        };
        self.failed(&what)
    }

    /// A message about a failure, with what the solver said last.
    pub(super) fn failed(&self, what: &str) -> Stop {
        let mut message = format!("{} {what}", self.name);
        for (heading, said) in [("it said", &self.answer), ("it complained", &self.complaints)] {
            let said = tail(said);
            if !said.is_empty() {
                let _ = write!(message, "; {heading}: {said}");
            }
        }
        Stop::Solver(message)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        children::end(self.child.id());
        // It was killed, so this does not take long; and if it cannot be waited for, it is gone.
        let _ = self.child.wait();
    }
}

/// Where the mark stands: what is before it, and its end. It stands in a line of its own, perhaps in quotes.
fn find_mark(answer: &[u8], from: usize, mark: &[u8]) -> Option<(usize, usize)> {
    let mut at = from;
    loop {
        let start = at + answer[at..].windows(mark.len()).position(|window| window == mark)?;
        let line = answer[..start].iter().rposition(|b| *b == b'\n').map_or(0, |n| n + 1);
        let end =
            start + mark.len() + answer[start + mark.len()..].iter().position(|b| *b == b'\n')?;
        let around = |bytes: &[u8]| bytes.iter().all(|b| *b == b'"' || b.is_ascii_whitespace());
        if around(&answer[line..start]) && around(&answer[start + mark.len()..end]) {
            return Some((line, end + 1));
        }
        at = start + 1;
    }
}

/// Appends what is there; whether there can be more.
fn read(pipe: Option<&mut impl Read>, to: &mut Vec<u8>) -> bool {
    let mut chunk = [0; 1 << 14];
    match pipe.map(|pipe| pipe.read(&mut chunk)) {
        Some(Ok(n)) if n > 0 => {
            to.extend_from_slice(&chunk[..n]);
            true
        }
        Some(Err(error)) => {
            matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
        }
        _ => false,
    }
}

/// The end of a text, on one line.
fn tail(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(&text[text.len().saturating_sub(8 * TAIL)..]);
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().rev().nth(TAIL) {
        Some((start, _)) => format!("…{}", &line[start..]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_stand_alone() {
        let find = |answer: &str| find_mark(answer.as_bytes(), 0, b"lapidary-1");
        assert_eq!(find("sat\nlapidary-1\n"), Some((4, 15)));
        assert_eq!(find("\"lapidary-1\"\r\nmore"), Some((0, 14)));
        assert_eq!(find("sat\nlapidary-1"), None);
        assert_eq!(find("lapidary-11\n"), None);
        assert_eq!(find("no lapidary-1\nlapidary-1\n"), Some((14, 25)));
    }

    #[test]
    fn tails_are_short() {
        assert_eq!(tail(b" a\n b\xff"), "a b\u{fffd}");
        assert!(tail(&[b'x'; 10_000]).chars().count() <= TAIL + 2);
    }
}
