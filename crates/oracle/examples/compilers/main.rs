//! Generated C programs against compilers, many of them: asks a verifier and writes a row for each program.
//!
//! ```sh
//! cargo run --release -p lapidary-oracle --example compilers -- \
//!     --lapidary target/release/lapidary --programs 20000 --jobs 2 --out rows.jsonl
//! ```
//!
//! A second call with the same file goes on where the first one ended. `--write FOLDER` writes the claims instead of
//! asking, and `--check FOLDER` asks about those without any compiler. `--show N` prints one program with its claims.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "this is a command")]

mod arguments;
mod rows;

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use arguments::Arguments;
use lapidary_oracle::c::{
    Bits, Compilers, Computed, Origin, Program, Session, Table, agree, claims, is_wrong, suite,
    told,
};
use rows::{Row, Rows};

/// How many programs are compiled at once.
const BATCH: u64 = 40;

fn main() -> ExitCode {
    let done = Arguments::parse().and_then(|arguments| match (&arguments.check, arguments.show) {
        (Some(folder), _) => check(&arguments, folder),
        (None, Some(number)) => show(&arguments, number),
        (None, None) => run(&arguments),
    });
    match done {
        Ok(n_wrong) => ExitCode::from(u8::from(n_wrong > 0)),
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

/// A folder for the files of one thread.
fn folder(name: &str) -> Result<PathBuf, String> {
    let path =
        std::env::temp_dir().join(format!("lapidary-compilers-{}-{name}", std::process::id()));
    fs::create_dir_all(&path).map_err(|error| error.to_string())?;
    Ok(path)
}

fn show(arguments: &Arguments, number: u64) -> Result<usize, String> {
    let folder = folder("show")?;
    let compilers = Compilers::installed(&folder);
    let origin = Origin { seed: arguments.seed, number };
    let program = origin.program();
    let computed = compilers.compute(std::slice::from_ref(&program), origin.bits())?.remove(0);
    println!("// {} bits, open: {}", origin.bits().word(), program.is_open());
    print!("{}", told(&computed));
    for claim in claims(&program, &computed) {
        println!("// {}: wrong is {}, {:?}", claim.name, claim.wrong.word(), claim.results);
    }
    println!("{}", program.claiming(&claims(&program, &computed)[0].results));
    fs::remove_dir_all(folder).map_err(|error| error.to_string())?;
    Ok(0)
}

/// Runs `work` with a number for each of the jobs until all of them are done.
fn in_parallel(
    n_jobs: usize,
    work: impl Fn(usize) -> Result<(), String> + Sync,
) -> Result<(), String> {
    std::thread::scope(|scope| {
        let work = &work;
        let threads: Vec<_> = (0..n_jobs).map(|job| scope.spawn(move || work(job))).collect();
        threads.into_iter().try_for_each(|thread| thread.join().map_err(|_| "a thread failed")?)
    })
}

fn run(arguments: &Arguments) -> Result<usize, String> {
    let rows = Mutex::new(Rows::open(arguments.out.as_deref())?);
    let next = AtomicU64::new(arguments.first);
    let end = arguments.first + arguments.programs;
    in_parallel(arguments.jobs, |job| {
        let worker = Worker::new(arguments, job)?;
        loop {
            let first = next.fetch_add(BATCH, Ordering::Relaxed);
            if first >= end {
                return fs::remove_dir_all(&worker.folder).map_err(|error| error.to_string());
            }
            let is_done = |number: &u64| rows.lock().expect("no thread failed").has(*number);
            let numbers: Vec<u64> =
                (first..end.min(first + BATCH)).filter(|number| !is_done(number)).collect();
            worker.batch(&numbers, &rows)?;
        }
    })?;
    let rows = rows.into_inner().expect("no thread failed");
    let mut table = Table::default();
    for number in arguments.first..end {
        table.add(&Program::new(arguments.seed, number).constructs());
    }
    print!("{}", table.print());
    print!("{}", rows.summary());
    Ok(rows.n_wrong())
}

/// What one thread needs.
struct Worker<'a> {
    arguments: &'a Arguments,
    folder: PathBuf,
    compilers: Compilers,
    session: Option<Session>,
}

impl Worker<'_> {
    fn new(arguments: &Arguments, job: usize) -> Result<Worker<'_>, String> {
        let folder = folder(&job.to_string())?;
        let compilers = Compilers::installed(&folder);
        for name in ["gcc", "clang"] {
            if !compilers.has(name) {
                eprintln!("SKIPPED: there is no {name} to compare with");
            }
        }
        let verifier = arguments.verifier(&folder);
        let session = verifier.map(|verifier| Session { compilers: compilers.clone(), verifier });
        Ok(Worker { arguments, folder, compilers, session })
    }

    fn batch(&self, numbers: &[u64], rows: &Mutex<Rows>) -> Result<(), String> {
        for bits in [Bits::Ilp32, Bits::Lp64] {
            let seed = self.arguments.seed;
            let origins = numbers.iter().map(|number| Origin { seed, number: *number });
            let origins: Vec<Origin> = origins.filter(|origin| origin.bits() == bits).collect();
            let programs: Vec<Program> = origins.iter().map(|origin| origin.program()).collect();
            if programs.is_empty() {
                continue;
            }
            let computed = self.compilers.compute(&programs, bits)?;
            for ((origin, program), computed) in origins.iter().zip(&programs).zip(&computed) {
                self.one(*origin, program, computed, rows)?;
            }
        }
        Ok(())
    }

    fn one(
        &self,
        origin: Origin,
        program: &Program,
        computed: &[Computed],
        rows: &Mutex<Rows>,
    ) -> Result<(), String> {
        let (number, bits) = (origin.number, origin.bits());
        let is_disputed = !agree(computed) && !program.is_open();
        if is_disputed {
            println!("// DISPUTED {number}\n{}{}", told(computed), program.claiming(&[]));
        }
        let mut row = Row::new(number, bits.word(), program.is_open(), !agree(computed));
        for claim in claims(program, computed) {
            if let Some(folder) = &self.arguments.write {
                let stored = suite::store(folder, number, program, &claim, bits);
                stored.map_err(|error| error.to_string())?;
            }
            let Some(session) = &self.session else { continue };
            let answer = session.ask(program, &claim, bits)?;
            row.add(&claim, &answer);
            if is_wrong(&claim, &answer) {
                match self.arguments.shrink {
                    true => println!("{}", session.report(origin, &claim, &answer)),
                    false => {
                        println!("// WRONG: {origin:?}, claim {}: {}", claim.name, answer.line);
                    }
                }
            }
        }
        rows.lock().expect("no thread failed").push(row)
    }
}

/// Asks about the claims of a folder.
fn check(arguments: &Arguments, claims: &std::path::Path) -> Result<usize, String> {
    let stored = suite::stored(claims)?;
    let (next, n_wrong, n_decided) =
        (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    in_parallel(arguments.jobs, |job| {
        let folder = folder(&job.to_string())?;
        let verifier = arguments.verifier(&folder).ok_or("--check needs --lapidary")?;
        while let Some(claim) = stored.get(next.fetch_add(1, Ordering::Relaxed)) {
            if arguments.stop && n_wrong.load(Ordering::Relaxed) > 0 {
                break;
            }
            let answer = verifier.ask_file(&claim.file, claim.bits);
            let answer = answer.map_err(|error| error.to_string())?;
            n_decided.fetch_add(usize::from(answer.verdict.is_some()), Ordering::Relaxed);
            if answer.verdict == Some(claim.wrong) || !answer.is_orderly {
                n_wrong.fetch_add(1, Ordering::Relaxed);
                println!("WRONG: {}: {}", claim.file.display(), answer.line);
            }
        }
        fs::remove_dir_all(folder).map_err(|error| error.to_string())
    })?;
    let (n_wrong, n_decided) = (n_wrong.into_inner(), n_decided.into_inner());
    println!("{} claims, {n_decided} decided, {n_wrong} wrong", stored.len());
    Ok(n_wrong)
}
