//! The options and their help, as clap builds them. The strategy's options come from [`AXES`].

use clap::builder::PathBufValueParser;
use clap::{Arg, ArgAction, Command};
use lapidary_cegar::Config;
use lapidary_cegar::config::{AXES, Axis};
use lapidary_engine::strategy::INGREDIENTS;
use lapidary_solver::z3::Z3;

use super::input::{c, file, property};
use super::resources::{limits, solver};

const ABOUT: &str = "A configurable CEGAR model checker";

const LONG_ABOUT: &str = "A configurable CEGAR model checker.

Lapidary decides whether the error location of an automaton can be reached: it abstracts coarsely and refines \
the abstraction until it finds a proof (`safe`) or an execution (`unsafe`). Both are checked before they are \
printed.";

const EXAMPLE: &str = "Examples:
  lapidary verify lock.cfa         verify an automaton
  lapidary check E lock.cfa        check the evidence of a verdict
  lapidary interpolate path.smt2   interpolants of a contradiction
  lapidary bench run rq1.toml      an experiment, and its tables
  lapidary verify --help           all options, explained, with more examples";

const ABOUT_VERIFY: &str = "Decide whether the error location can be reached";

const LONG_ABOUT_VERIFY: &str = "Decide whether the error location can be reached.

The last line of standard output is the verdict: `safe`, `unsafe` or `unknown: <reason>`. What comes before is \
the evidence: an execution that reaches the error, step by step, or what the proof consists of.";

const SHORT_EXAMPLES: &str = "Examples:
  lapidary verify lock.cfa
  lapidary verify lock.cfa --domain explicit --time 60 --stats

`--help` explains more, with more examples.";

const EXAMPLES: &str = "\
Examples:
  Verify with the default strategy:
    lapidary verify lock.cfa

  Another strategy, with limits; the papers' names are understood, too:
    lapidary verify lock.cfa --domain explicit --max-enum 4 --time 60 --memory 2048
    lapidary verify lock.cfa --checker BW_BIN_ITP

  Use two processors:
    lapidary verify lock.cfa --jobs 2

  Watch the loop, and see what it cost:
    lapidary verify lock.cfa -v --stats

  Run the stage that decided alone, from the configuration line of `--stats` or `--json`, with one change:
    lapidary verify lock.cfa --config \"domain=explicit search=err\" --search dfs

  Draw the abstract reachability graph:
    lapidary verify lock.cfa --arg arg.dot && dot -Tsvg arg.dot -o arg.svg

  Use the answer in a script:
    lapidary verify lock.cfa --json | jq -r .verdict

Exit status:
  0   safe
  1   unsafe
  2   unknown: a limit, an interrupt, or a strategy that got stuck
  64  the command line is wrong
  65  the input cannot be read
  70  internal error, or output that cannot be written";

/// `lapidary`.
pub(super) fn lapidary() -> Command {
    let version =
        format!("{} (Z3 {})", env!("CARGO_PKG_VERSION"), Z3::version().trim_start_matches("Z3 "));
    Command::new("lapidary")
        .version(version)
        .about(ABOUT)
        .long_about(LONG_ABOUT)
        .after_help(EXAMPLE)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .max_term_width(100)
        .subcommand(verify())
        .subcommand(inspect())
        .subcommand(super::check::command())
        .subcommand(super::interpolate::command())
        .subcommand(super::bench::command())
}

fn inspect() -> Command {
    Command::new("inspect")
        .about("Tell what the input is: its functions, variables, size, and what is not supported")
        .arg(file())
        .arg(property())
        .arg(
            Arg::new("properties")
                .long("properties")
                .action(ArgAction::SetTrue)
                .help("C: list what is checked, and where, without verifying it"),
        )
        .arg(
            Arg::new("json")
                .long("json")
                .requires("properties")
                .action(ArgAction::SetTrue)
                .help("With `--properties`: print a JSON array"),
        )
        .next_help_heading("C programs")
        .args(c())
}

fn verify() -> Command {
    Command::new("verify")
        .about(ABOUT_VERIFY)
        .long_about(LONG_ABOUT_VERIFY)
        .after_help(SHORT_EXAMPLES)
        .after_long_help(EXAMPLES)
        .arg(file())
        .arg(property())
        .next_help_heading("C programs")
        .args(c())
        .next_help_heading("Strategy")
        .arg(strategy())
        .arg(without())
        .arg(calls())
        .arg(jobs())
        .args(AXES.iter().map(axis))
        .arg(config())
        .args(precisions())
        .next_help_heading("Solver")
        .args(solver())
        .next_help_heading("Limits")
        .args(limits())
        .next_help_heading("Output")
        .args(output())
}

/// The option for an axis, with what the axis says about itself.
fn axis(axis: &'static Axis) -> Arg {
    let values = axis.values.join(", ");
    let default = (axis.get)(&Config::default());
    let short = format!("{} [{values}; default: {default}]", sentence(axis.help));
    let aliases: Vec<String> = axis.aliases.iter().map(alias).collect();
    let papers = match aliases.is_empty() {
        true => String::new(),
        false => format!(" In the papers: {}.", aliases.join(", ")),
    };
    let long = format!("{}.\n\nValues: {values}. Default: {default}.{papers}", sentence(axis.help));
    let parse = move |value: &str| match Config::default().set(axis.name, value) {
        Ok(()) => Ok(value.to_string()),
        Err(error) => Err(error.to_string()),
    };
    Arg::new(axis.name)
        .long(axis.name)
        .value_name("VALUE")
        .value_parser(parse)
        .help(short)
        .long_help(long)
}

/// An alias, with what it means where it does not say it itself.
fn alias((alias, value): &(&str, &str)) -> String {
    match alias.eq_ignore_ascii_case(value) {
        true => (*alias).into(),
        false => format!("{alias} = {value}"),
    }
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn strategy() -> Arg {
    Arg::new("strategy")
        .long("strategy")
        .value_name("NAME")
        .value_parser(super::strategy::names().collect::<Vec<_>>())
        .help("`auto` tries several methods in turn; the others are one of them alone")
        .long_help(
            "`auto` tries several configurations in turn, from cheap ones on, concrete runs, Horn clauses and bounded search, each with a \
             budget of work; `-v` logs which. `plain` is one configuration, that of the options below. The default is `auto`, \
             and `plain` as soon as one of these options or another solver is given. The others are a stage of `auto` alone, without \
             a budget: concrete runs (`runs`), Horn clauses (`horn`), bounded search (`bounded`), and, for transition systems \
             and circuits, bounded search with k-induction (`induction`) and IC3 (`ic3`).",
        )
}

fn without() -> Arg {
    Arg::new("without")
        .long("without")
        .value_name("PART")
        .value_parser(INGREDIENTS)
        .value_delimiter(',')
        .action(clap::ArgAction::Append)
        .help("`--strategy auto` without some of its parts, to measure them")
        .long_help(
            "`--strategy auto` without some of its parts, to measure what they are good for: IC3, stages with explicit \
             values, concrete runs, predicates over large blocks (lbe), Horn clauses, bounded search, the induction of transition systems \
             in it, predicates over single edges (sbe), the pass that finds invariants before all of them, or noticing that a stage diverges.",
        )
}

fn calls() -> Arg {
    Arg::new("calls")
        .long("calls")
        .value_name("HOW")
        .value_parser(super::strategy::CALLS)
        .default_value("auto")
        .help("Whether calls are inlined or procedures summed up")
        .long_help(
            "What `--strategy auto` does about calls. `inline` copies procedures to their calls, recursive ones to a fixed depth. \
             `summaries` finds a contract for each procedure, which proves a program safe whatever the depth. `auto` inlines, and \
             looks for contracts as well if not all calls can be inlined.",
        )
}

fn jobs() -> Arg {
    Arg::new("jobs")
        .long("jobs")
        .value_name("N")
        .value_parser(number_of_jobs)
        .allow_negative_numbers(true) // to say what is wrong with them
        .default_value("1")
        .help("Run N stages of `--strategy auto` at once; the first answer wins")
        .long_help(
            "Run N stages of `--strategy auto` at once, in threads with solvers of their own. The first answer wins, once it has \
             been validated, and the others stop. With processors to spare, this takes less time but more CPU time, which \
             `--time` limits for all of them together. Which stage is first may differ from run to run, and the evidence with \
             it; 1, the default, is the same each time. A stage waits for the one whose precision it goes on from, so that more \
             jobs than ways to decide (explicit, runs, lbe, horn, bounded, sbe) change nothing.",
        )
}

fn number_of_jobs(text: &str) -> Result<usize, String> {
    let jobs = text.parse().ok().filter(|jobs| *jobs > 0);
    jobs.ok_or_else(|| "a number of stages above 0 is expected, such as 2".into())
}

fn config() -> Arg {
    Arg::new("config")
        .long("config")
        .value_name("LINE")
        .help("All of these in one line: \"domain=explicit search=err\"")
        .long_help(
            "All of these in one line, such as \"domain=explicit search=err\" or \"strategy=runs\". Every report contains the \
             line of the stage that decided; with `--config` that stage runs alone, without a budget. Options that are given \
             as well override the line.",
        )
}

fn precisions() -> [Arg; 2] {
    let file = |name: &'static str| {
        Arg::new(name).long(name).value_name("FILE").value_parser(PathBufValueParser::new())
    };
    [
        file("load-precision")
            .help("Start from a precision that another run has saved")
            .long_help(
                "Start from a precision that another run has saved, perhaps in another domain or for an earlier version \
                 of the input: re-verification then finds out little that is new.",
            ),
        file("save-precision").help("Save the precision at the end, for `--load-precision`").long_help(
            "Save the precision at the end of the run, for `--load-precision`: the variables and predicates that \
             were worth tracking.",
        ),
    ]
}

fn output() -> [Arg; 11] {
    let flag = |name: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue);
    let drawing = |name: &'static str| {
        Arg::new(name).long(name).value_name("FILE").value_parser(PathBufValueParser::new())
    };
    [
        flag("stats").help("Print what the run did and what it cost"),
        flag("invariant")
            .help("Print what the proof says about each location")
            .long_help("If the verdict is safe, print what the proof says about each location."),
        Arg::new("trace")
            .long("trace")
            .value_name("HOW")
            .value_parser(["lines", "full"])
            .default_value("lines")
            .help("How executions of C programs are shown: in lines of the source, or by edges")
            .long_help(
                "How executions of C programs are shown: `lines` of the source with what they assign, or `full`, every \
                 edge of the automaton with its statement and all variables.",
            ),
        flag("json")
            .conflicts_with_all(["stats", "invariant"])
            .help("Print one JSON object with all of this instead of text")
            .long_help(
                "Print one JSON object instead of text, with the verdict, the evidence and the statistics. Its schema is \
                 named in its first field.",
            ),
        Arg::new("verbose")
            .short('v')
            .long("verbose")
            .action(ArgAction::Count)
            .help("Tell each iteration on standard error (-vv: more)")
            .long_help(
                "Tell each iteration of the loop on standard error, and print the invariant of a proof. `-vv` also tells \
                 what each iteration asked the solver.",
            ),
        flag("quiet")
            .short('q')
            .conflicts_with_all(["verbose", "stats", "invariant"])
            .help("Print the verdict only, and no progress")
            .long_help("Print the verdict only, and no progress on the terminal. With `--json`: no progress."),
        drawing("arg")
            .help("Draw the abstract reachability graph, for Graphviz")
            .long_help("Draw the abstract reachability graph as it is at the end, for Graphviz."),
        drawing("cfa")
            .help("Draw the automaton, for Graphviz")
            .long_help("Draw the automaton as it was read, for Graphviz."),
        drawing("witness")
            .help("Write the evidence in the format of the input")
            .long_help(
                "Write the evidence in the format of the input: a counterexample as an AIGER or BTOR2 witness, which a \
                 simulator has checked, or frame by frame; the invariant of a proof as an AIGER certificate circuit, or \
                 as SMT-LIB formulas. For C, it is an SV-COMP witness, in YAML. `-` is standard output. Without a verdict, an old file stays \
                 as it was.",
            ),
        drawing("evidence")
            .help("Write the evidence as text, for `lapidary check`")
            .long_help(
                "Write the evidence as text, for `lapidary check`: the proof or the execution that has been validated, of every \
                 property with a verdict. docs/evidence.md describes the format. `-` is standard output. Without a verdict, an \
                 old file stays as it was.",
            ),
        drawing("harness")
            .help("C: write the values of an execution as a C file")
            .long_help(
                "C: if the verdict is unsafe, write a C file that defines what the program leaves open, with the values \
                 of the execution. Compiled with the program, it reaches the error; its first lines say how.",
            ),
    ]
}
