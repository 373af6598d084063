//! The report for programs: one JSON object. `docs/json.md` documents it.

use std::time::Duration;

use lapidary_cegar::Config;
use lapidary_cegar::config::AXES;
use lapidary_engine::{Stop, Unknown};
use lapidary_expr::{Sort, Valuation, Value, Var};
use lapidary_frontend::Task;
use lapidary_model::ProgramProof;
use lapidary_model::{Cfa, Execution, Proof};
use lapidary_solver::Limit;
use lapidary_solver::z3::Z3;
use serde::{Serialize, Serializer};

use crate::Asked;
use crate::proof::by_location;
use crate::readable;
use lapidary::outcome::{Costs, Finding, Outcome};
use lapidary::progress::{Size, StageCost};
use lapidary::trace::Trace;

/// The name of the schema. Fields may be added to it; any other change makes a new number.
const SCHEMA: &str = "lapidary-verify/1";

/// The whole object, with a line break at its end.
pub fn object(asked: &Asked<'_>, outcome: &Outcome) -> String {
    let report = Report::of(asked, outcome);
    serde_json::to_string_pretty(&report).expect("every part of the report is representable") + "\n"
}

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    version: &'static str,
    z3: &'static str,
    file: String,
    verdict: &'static str,
    reason: Option<String>,
    reason_kind: Option<&'static str>,
    strategy: &'a str,
    stages: Vec<Stage>,
    configuration: Configuration,
    solver: String,
    limits: Limits,
    automaton: Option<Automaton>,
    arith: Option<&'static str>,
    notes: Vec<String>,
    cpu_seconds: f64,
    wall_seconds: f64,
    peak_memory_bytes: Option<u64>,
    iterations: usize,
    refinements: usize,
    nodes: usize,
    explored: usize,
    precision_size: usize,
    counterexamples: usize,
    eliminations: Fields<usize>,
    solver_calls: u64,
    solver_seconds: f64,
    properties: Vec<Property>,
    violated: Option<Violated>,
    evidence: Option<Evidence>,
}

#[derive(Serialize)]
struct Property {
    name: String,
    verdict: &'static str,
    reason: Option<String>,
}

#[derive(Serialize)]
struct Violated {
    kind: &'static str,
    property: &'static str,
    place: String,
    function: String,
    expression: Option<String>,
    text: String,
}

#[derive(Serialize)]
struct Stage {
    method: &'static str,
    configuration: Option<String>,
    work: Option<u64>,
    diverged: bool,
    cpu_seconds: f64,
}

#[derive(Serialize)]
struct Configuration {
    line: String,
    axes: Fields<String>,
}

#[derive(Serialize)]
struct Limits {
    cpu_seconds: Option<f64>,
    wall_seconds: Option<f64>,
    memory_bytes: Option<u64>,
}

#[derive(Serialize)]
struct Automaton {
    locations: usize,
    edges: usize,
    variables: usize,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Evidence {
    Proof {
        states: usize,
        induction: usize,
        /// Only of proofs about procedures.
        #[serde(skip_serializing_if = "Option::is_none")]
        contracts: Option<usize>,
        /// Only where the program has one run: how many steps it has at most.
        #[serde(skip_serializing_if = "Option::is_none")]
        run: Option<u64>,
        invariants: Vec<Invariant>,
    },
    Execution(Run),
    /// An execution up to where the model is left.
    Path(Run),
}

#[derive(Serialize)]
struct Run {
    variables: Vec<Variable>,
    initial: Fields<Json>,
    length: usize,
    steps: Vec<Step>,
}

#[derive(Serialize)]
struct Invariant {
    location: String,
    states: usize,
    formula: String,
    smtlib: String,
}

#[derive(Serialize)]
struct Variable {
    name: &'static str,
    sort: String,
}

#[derive(Serialize)]
struct Step {
    number: usize,
    source: String,
    target: String,
    /// Only if it is another one than the input.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
    statement: String,
    changes: Fields<Json>,
}

/// An object whose fields keep their order.
struct Fields<T>(Vec<(&'static str, T)>);

impl<T: Serialize> Serialize for Fields<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// A value: numbers are texts, since they may be larger than what readers of JSON can hold.
#[derive(Serialize)]
#[serde(untagged)]
enum Json {
    Bool(bool),
    Number(String),
    Array { entries: Vec<(Json, Json)>, default: Box<Json> },
}

impl<'a> Report<'a> {
    fn of(asked: &Asked<'a>, outcome: &Outcome) -> Self {
        let (costs, counts) = (&outcome.costs, &outcome.costs.counts);
        let statistics = &counts.statistics;
        let stage = counts.deciding();
        let config = stage.map_or(Some(*asked.config), |stage| stage.config());
        let line = stage.map_or_else(|| asked.config.to_string(), |stage| stage.line());
        Report {
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION"),
            z3: Z3::version(),
            file: asked.file.to_string_lossy().into_owned(),
            verdict: outcome.finding.verdict(),
            reason: outcome.finding.reason(),
            reason_kind: reason_kind(&outcome.finding),
            strategy: asked.strategy,
            stages: stages(costs),
            configuration: Configuration { line, axes: axes(config.as_ref()) },
            solver: asked.solver.into(),
            limits: Limits {
                cpu_seconds: asked.time.map(|time| time.as_secs_f64()),
                wall_seconds: asked.wall.map(|time| time.as_secs_f64()),
                memory_bytes: asked.memory,
            },
            automaton: counts.size.map(|Size { locations, edges, variables }| Automaton {
                locations,
                edges,
                variables,
            }),
            arith: counts.arith,
            notes: outcome.notes.clone(),
            cpu_seconds: seconds(costs.cpu),
            wall_seconds: seconds(costs.wall),
            peak_memory_bytes: costs.peak_memory,
            iterations: statistics.iterations,
            refinements: statistics.refinements,
            nodes: statistics.nodes,
            explored: statistics.explored,
            precision_size: statistics.precision,
            counterexamples: statistics.counterexamples,
            eliminations: Fields(statistics.eliminations.named().into_iter().collect()),
            solver_calls: counts.solver_calls,
            solver_seconds: seconds(counts.solver_time),
            properties: outcome.properties.iter().map(property).collect(),
            violated: outcome.finding.violated().map(violated),
            evidence: evidence(&outcome.finding),
        }
    }
}

/// The stages of the strategy, each up to the beginning of the next unless it has a time of its own.
fn stages(costs: &Costs) -> Vec<Stage> {
    let stages = &costs.counts.stages;
    let ends = stages.iter().skip(1).map(|stage| stage.begin).chain([costs.cpu]);
    let last = costs.counts.statistics.has_diverged;
    let stage = |(i, (cost, end)): (usize, (&StageCost, Duration))| Stage {
        method: cost.stage.engine.name(),
        configuration: cost.stage.config().map(|config| config.to_string()),
        work: cost.stage.work,
        diverged: if i + 1 == stages.len() { last } else { cost.statistics.has_diverged },
        cpu_seconds: seconds(cost.own.unwrap_or(end.saturating_sub(cost.begin))),
    };
    stages.iter().zip(ends).enumerate().map(stage).collect()
}

fn violated(property: &lapidary_model::Property) -> Violated {
    let lapidary_model::Property { kind, competition, place, text, expression, function, .. } =
        property.clone();
    let expression = Some(expression).filter(|text| !text.is_empty());
    Violated { kind, property: competition, place, function, expression, text }
}

fn property(property: &lapidary::outcome::Property) -> Property {
    let lapidary::outcome::Property { name, verdict, reason } = property.clone();
    Property { name, verdict, reason }
}

/// With six digits: the rest is noise.
fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e6
}

fn reason_kind(finding: &Finding) -> Option<&'static str> {
    let unknown = match finding {
        Finding::Safe { .. } | Finding::Unsafe { .. } => return None,
        Finding::Outside { .. } => return Some("unsupported"),
        Finding::Unknown(unknown) => unknown,
    };
    Some(match unknown {
        Unknown::Stop(Stop::Limit(Limit::Time)) => "time",
        Unknown::Stop(Stop::Limit(Limit::Wall)) => "wall-time",
        Unknown::Stop(Stop::Limit(Limit::Memory)) => "memory",
        Unknown::Stop(Stop::Limit(Limit::Interrupt)) => "interrupt",
        Unknown::Stop(Stop::Limit(Limit::Work)) => "work",
        Unknown::Stop(Stop::Solver(_)) => "solver",
        Unknown::Stop(Stop::Interpolation(_)) => "interpolation",
        Unknown::NoProgress { .. } => "no-progress",
        Unknown::Exhausted { .. } => "exhausted",
        Unknown::NoErrorMet { .. } => "no-error-met",
        Unknown::NoSolution => "no-solution",
        Unknown::NoBits => "no-bits",
        Unknown::Unsupported(_) => "unsupported",
        Unknown::Internal(_) => "internal",
    })
}

fn axes(config: Option<&Config>) -> Fields<String> {
    let effective = |config| AXES.iter().filter(move |axis| (axis.applies)(config));
    let of = |config| effective(config).map(|axis| (axis.name, (axis.get)(config)));
    Fields(config.into_iter().flat_map(of).collect())
}

fn evidence(finding: &Finding) -> Option<Evidence> {
    match finding {
        Finding::Safe { task, proof } => Some(proof_of(task.cfa(), proof)),
        Finding::Unsafe { task, execution, trace } => {
            Some(Evidence::Execution(steps_of(task, execution, trace)))
        }
        Finding::Outside { task, execution, trace, .. } => {
            Some(Evidence::Path(steps_of(task, execution, trace)))
        }
        Finding::Unknown(_) => None,
    }
}

fn proof_of(cfa: &Cfa, proof: &Proof) -> Evidence {
    let invariants = by_location(proof).into_iter().map(|at| Invariant {
        location: cfa.loc_name(at.loc).into(),
        states: at.n_states,
        formula: readable::term(at.formula),
        smtlib: at.formula.to_string(),
    });
    let (states, induction) = (proof.states.len(), proof.induction);
    let (contracts, run) = match &proof.program {
        Some(ProgramProof::Contracts(contracts)) => (Some(contracts.len()), None),
        Some(ProgramProof::Run { steps }) => (None, Some(*steps)),
        None => (None, None),
    };
    Evidence::Proof { states, induction, contracts, run, invariants: invariants.collect() }
}

fn steps_of(task: &Task, execution: &Execution, trace: &Trace) -> Run {
    let vars = task.cfa().vars();
    let variable = |var: &Var| Variable { name: var.name(), sort: sort(var.sort()) };
    let initial =
        vars.iter().filter_map(|var| Some((var.name(), json(execution.start.get(*var)?))));
    let steps = trace.steps(execution).map(|(i, step, before, after)| {
        let edge = task.cfa().edge(step.edge);
        Step {
            number: i + 1,
            source: task.cfa().loc_name(edge.source).into(),
            target: task.cfa().loc_name(edge.target).into(),
            file: task.file(step.edge),
            line: edge.position.map(|position| position.line),
            column: edge.position.map(|position| position.column),
            statement: readable::taken(&edge.stmt, &step.tape),
            changes: changes(vars, before, after),
        }
    });
    Run {
        variables: vars.iter().map(variable).collect(),
        initial: Fields(initial.collect()),
        length: execution.steps.len(),
        steps: steps.collect(),
    }
}

fn changes(vars: &[Var], before: &Valuation, after: &Valuation) -> Fields<Json> {
    let changed = vars.iter().filter(|var| before.get(**var) != after.get(**var));
    Fields(changed.filter_map(|var| Some((var.name(), json(after.get(*var)?)))).collect())
}

fn sort(sort: Sort) -> String {
    match sort {
        Sort::Bool => "bool".into(),
        Sort::Int => "int".into(),
        Sort::Rat => "rat".into(),
        Sort::Bv(width) => format!("bv[{width}]"),
        Sort::Array(array) => {
            format!("[{}] -> {}", self::sort(array.index()), self::sort(array.element()))
        }
    }
}

fn json(value: &Value) -> Json {
    match value {
        Value::Bool(b) => Json::Bool(*b),
        Value::Int(_) | Value::Rat(_) | Value::Bv(_) => Json::Number(readable::number(value)),
        Value::Array(array) => Json::Array {
            entries: array.entries().map(|(index, element)| (json(index), json(element))).collect(),
            default: Box::new(json(array.default())),
        },
    }
}
