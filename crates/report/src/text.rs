//! The report for people. Its last line is the verdict, and is all that scripts need.

use lapidary_engine::Unknown;

use crate::{Asked, execution, number, proof, source, stats};
use lapidary::outcome::{Finding, Outcome, Property};
use lapidary::progress::Snapshot;

/// How executions of C programs are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steps {
    /// In lines of the source, which are not wider than this.
    Lines(usize),
    /// Edge by edge.
    Edges,
}

/// What text there is before the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sections {
    /// The execution, or what the proof is.
    pub evidence: bool,
    /// How executions of C programs are shown.
    pub steps: Steps,
    /// The invariants of the proof.
    pub invariant: bool,
    /// The table of statistics.
    pub stats: bool,
    /// The color of the verdict.
    pub colors: Colors,
}

/// Whether the verdict has a color, as terminals show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colors {
    /// Green, red or yellow.
    On,
    /// None.
    Off,
}

/// The sections that are wanted, with empty lines between them, and the verdict.
pub fn report(asked: &Asked<'_>, sections: Sections, outcome: &Outcome) -> String {
    let mut text = String::new();
    let mut add = |section: &str| {
        text.push_str(section);
        text.push('\n');
    };
    if sections.evidence {
        add(&evidence(sections, outcome));
    }
    let each = asked.has_assertions;
    if each && !outcome.properties.is_empty() || sections.evidence && outcome.properties.len() > 1 {
        let are_assertions = each && outcome.properties.iter().all(|one| !one.name.contains(' '));
        let title = if are_assertions { "Assertions" } else { "Properties" };
        add(&properties(title, each, &outcome.properties));
    }
    if sections.stats {
        add(&stats::table(asked, outcome));
    }
    text + &verdict(&outcome.finding, sections.colors)
}

/// Longer names are not lined up.
const WIDEST_NAME: usize = 60;

/// The verdict of each property.
fn properties(title: &str, is_c: bool, properties: &[Property]) -> String {
    let names = properties.iter().map(|property| property.name.chars().count());
    let width = names.max().unwrap_or(0).min(WIDEST_NAME);
    let violated = properties.iter().find(|property| property.verdict == "unsafe");
    let line = |property: &Property| {
        let reason = match (&property.reason, violated) {
            (Some(reason), _) => format!(": {reason}"),
            // An execution ends where it violates any property.
            (None, Some(first)) if is_c && property.verdict == "safe" => {
                format!(" up to the violation at {}", first.name)
            }
            (None, _) => String::new(),
        };
        format!("  {:<width$}  {}{reason}\n", property.name, property.verdict)
    };
    format!("{title}:\n\n{}", properties.iter().map(line).collect::<String>())
}

fn evidence(sections: Sections, outcome: &Outcome) -> String {
    if let Steps::Lines(width) = sections.steps {
        match &outcome.finding {
            Finding::Unsafe { task, execution, trace } if task.map.is_some() => {
                return source::reaching_error(task, execution, trace, width);
            }
            Finding::Outside { task, execution, trace, what } if task.map.is_some() => {
                return source::leaving_model(task, execution, trace, what, width);
            }
            _ => {}
        }
    }
    match &outcome.finding {
        Finding::Safe { task, proof } if sections.invariant => proof::invariants(task, proof),
        Finding::Safe { task, proof } => proof::summary(task.cfa(), proof),
        Finding::Unsafe { task, execution, trace } => {
            let violated = outcome.finding.violated().map_or_else(String::new, violated);
            violated + &execution::reaching_error(task, execution, trace)
        }
        Finding::Outside { task, execution, trace, .. } => {
            execution::leaving_model(task, execution, trace)
        }
        Finding::Unknown(unknown) => stopped(&outcome.costs.counts, unknown),
    }
}

/// What is violated; of an assertion, the execution says it.
fn violated(property: &lapidary_model::Property) -> String {
    let lapidary_model::Property { kind, competition, place, text, expression, function, .. } =
        property;
    if *kind == lapidary_model::ASSERTION {
        return String::new();
    }
    let expression = match expression.is_empty() {
        true => String::new(),
        false => format!(": `{expression}`"),
    };
    format!("Violated: {kind} ({competition}) at {place} in `{function}`: {text}{expression}\n\n")
}

/// How far the run was, and what may help.
fn stopped(counts: &Snapshot, unknown: &Unknown) -> String {
    let statistics = &counts.statistics;
    let mut text = match counts.size {
        None => "Stopped while reading the input.\n".into(),
        Some(_) => format!(
            "Stopped after {} with {} and a precision of {}.\n",
            number(statistics.refinements, "refinement"),
            number(statistics.nodes, "node"),
            statistics.precision
        ),
    };
    if matches!(unknown, Unknown::NoProgress { .. }) {
        text += "This strategy is stuck, others may not be: try another `--checker`, `--domain` or\n\
                 `--pred-split`.\n";
    }
    text
}

fn verdict(finding: &Finding, colors: Colors) -> String {
    let verdict = match finding.reason() {
        Some(reason) => format!("{}: {reason}", finding.verdict()),
        None => finding.verdict().into(),
    };
    if colors == Colors::Off {
        return format!("{verdict}\n");
    }
    let color = match finding {
        Finding::Safe { .. } => 32,
        Finding::Unsafe { .. } => 31,
        Finding::Unknown(_) | Finding::Outside { .. } => 33,
    };
    format!("\x1b[1;{color}m{verdict}\x1b[0m\n")
}
