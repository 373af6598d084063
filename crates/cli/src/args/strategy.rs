//! Which strategy decides: several stages in turn, one configuration, or a stage of another kind alone.

use clap::ArgMatches;
use clap::parser::ValueSource;
use lapidary::Calls;
use lapidary_cegar::Config;
use lapidary_cegar::config::AXES;
use lapidary_engine::strategy::SINGLE;

/// The key of a configuration line that names the strategy.
const KEY: &str = "strategy=";

/// The names of all strategies.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    ["auto", "plain"].into_iter().chain(SINGLE)
}

/// The strategy: that of the option, else that of the line, else `auto` unless a configuration is given.
pub(super) fn of(matches: &ArgMatches) -> Result<&'static str, String> {
    let given = |name: &str| matches.value_source(name) == Some(ValueSource::CommandLine);
    let line = matches.get_one::<String>("config").map_or("", String::as_str);
    let in_line = line.split_whitespace().rev().find_map(|word| word.strip_prefix(KEY));
    let axis = AXES.iter().map(|axis| axis.name).find(|name| given(name));
    let configures = axis.or_else(|| given("config").then_some("config"));
    // Budgets of work are counted by Z3 in process alone.
    let other = matches.get_one::<String>("solver").is_some_and(|command| command != "z3");
    let Some(name) = matches.get_one::<String>("strategy").map(String::as_str).or(in_line) else {
        return Ok(if configures.is_none() && !other { "auto" } else { "plain" });
    };
    // A line may set the strategy, but `auto` has no line.
    let Some(strategy) =
        names().find(|known| *known == name && (name != "auto" || in_line.is_none()))
    else {
        let values: Vec<&str> = names().skip(1).collect();
        let values = values.join(", ");
        return Err(format!(
            "`{name}` is no value of `strategy` in a line; its values are {values}"
        ));
    };
    let has_axes = axis.is_some() || !without_strategy(line).is_empty();
    match (strategy, configures) {
        ("plain", _) => Ok(strategy),
        _ if other => {
            Err(format!("`--strategy {strategy}` needs Z3 in process: leave out `--solver`"))
        }
        ("auto", Some(axis)) => {
            Err(format!("`--strategy auto` chooses configurations itself: leave out `--{axis}`"))
        }
        ("runs", Some(axis)) if has_axes => {
            Err(format!("concrete runs have no configuration: leave out `--{axis}`"))
        }
        _ => Ok(strategy),
    }
}

/// The configuration that options and a line change.
pub(super) fn base(strategy: &str) -> Config {
    let mut config = Config::default();
    let line = match strategy {
        // Its steps are single edges, and the passes about programs find little in gates.
        "ic3" => Some("domain=predicate passes=bits"),
        _ => SINGLE.contains(&strategy).then_some("encoding=lbe"),
    };
    if let Some(line) = line {
        config.set_line(line).expect("these are values of the axes");
    }
    config
}

/// A configuration line without the name of the strategy.
pub(super) fn without_strategy(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().filter(|word| !word.starts_with(KEY)).collect();
    words.join(" ")
}

/// The spellings of what becomes of calls.
pub(super) const CALLS: [&str; 3] = ["auto", "inline", "summaries"];

/// What becomes of calls, which `auto` alone has a choice about.
pub(super) fn calls(matches: &ArgMatches, is_auto: bool) -> Result<Calls, String> {
    let calls = match matches.get_one::<String>("calls").map(String::as_str) {
        Some("inline") => Calls::Inline,
        Some("summaries") => Calls::Summaries,
        _ => Calls::Auto,
    };
    match is_auto || calls == Calls::Auto {
        true => Ok(calls),
        false => {
            Err("`--calls` is about `--strategy auto`; one configuration inlines calls".into())
        }
    }
}
