//! The text form of events, one line each, so that another process can hear them.
//!
//! ```text
//! stage runs work 500000
//! stage plain work 2000000 until-divergence with domain=explicit encoding=lbe
//! turn stage 2 cpu 1.500000000
//! unrolled depth 3
//! running length 100
//! explored nodes 4 explored 3 found safe
//! explored nodes 4 explored 3 found unsafe 2 5
//! refined length 3 precision 2 nodes 4
//! diverging length 9
//! validating
//! repeated
//! ```
//!
//! A stage has the axes of its configuration that differ from the default; space in their values is written as in URLs. The
//! numbers after `unsafe` are those of nodes, in the order in which the graph has got them.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use lapidary_cegar::abstraction::Exploration;
use lapidary_cegar::arg::NodeId;
use lapidary_cegar::config::{AXES, Config};
use lapidary_model::text::{Line, Lines, TextError, Word};

use crate::observer::{Event, Step};
use crate::stage::Stage;
use crate::strategy;

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Stage(stage) => write_stage(f, stage),
            Event::Turn { stage, cpu } => {
                write!(f, "turn stage {stage} cpu {}.{:09}", cpu.as_secs(), cpu.subsec_nanos())
            }
            Event::Unrolled { depth } => write!(f, "unrolled depth {depth}"),
            Event::Running { length } => write!(f, "running length {length}"),
            Event::Loop(Step::Explored { nodes, explored, result }) => {
                write!(f, "explored nodes {nodes} explored {explored} found ")?;
                match result {
                    Exploration::Safe => f.write_str("safe"),
                    Exploration::Unsafe(errors) => {
                        f.write_str("unsafe")?;
                        errors.iter().try_for_each(|node| write!(f, " {}", node.number()))
                    }
                }
            }
            Event::Loop(Step::Refined { length, precision, nodes }) => {
                write!(f, "refined length {length} precision {precision} nodes {nodes}")
            }
            Event::Diverging { length } => write!(f, "diverging length {length}"),
            Event::Validating => f.write_str("validating"),
            Event::Repeated => f.write_str("repeated"),
        }
    }
}

fn write_stage(f: &mut fmt::Formatter<'_>, stage: &Stage) -> fmt::Result {
    write!(f, "stage {}", stage.strategy())?;
    if let Some(work) = stage.work {
        write!(f, " work {work}")?;
    }
    if stage.notices_divergence {
        f.write_str(" until-divergence")?;
    }
    let Some(config) = stage.config() else { return Ok(()) };
    f.write_str(" with")?;
    let usual = Config::default();
    let chosen = AXES.iter().map(|axis| (axis.name, (axis.get)(&config), (axis.get)(&usual)));
    chosen
        .filter(|(_, value, usual)| value != usual)
        .try_for_each(|(name, value, _)| write!(f, " {name}={}", escaped(&value)))
}

/// Without space.
fn escaped(value: &str) -> String {
    let mut text = String::new();
    for c in value.chars() {
        match c {
            c if c.is_whitespace() || c.is_control() || c == '%' => {
                let mut bytes = [0; 4];
                text.extend(c.encode_utf8(&mut bytes).bytes().map(|byte| format!("%{byte:02x}")));
            }
            c => text.push(c),
        }
    }
    text
}

fn unescaped(text: &str) -> Option<String> {
    let mut parts = text.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(part.get(..2)?, 16).ok()?);
        bytes.extend(&part.as_bytes()[2..]);
    }
    String::from_utf8(bytes).ok()
}

impl FromStr for Event {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let mut lines = Lines::new(text);
        let event = read(&mut lines.expect_line("an event")?)?;
        match lines.next() {
            Some(line) => Err(line.error("one event is expected, and this is another one")),
            None => Ok(event),
        }
    }
}

fn read(line: &mut Line<'_>) -> Result<Event, TextError> {
    let kind = line.word("an event")?;
    let event = match kind.text() {
        "stage" => Event::Stage(read_stage(line)?),
        "turn" => {
            let stage = field(line, "stage")?;
            line.keyword("cpu")?;
            let word = line.word("a number of seconds")?;
            let cpu = seconds(word.text()).ok_or_else(|| {
                word.error("seconds with nine digits after the point are expected")
            })?;
            Event::Turn { stage, cpu }
        }
        "unrolled" => Event::Unrolled { depth: field(line, "depth")? },
        "running" => Event::Running { length: field(line, "length")? as u64 },
        "explored" => {
            let (nodes, explored) = (field(line, "nodes")?, field(line, "explored")?);
            line.keyword("found")?;
            Event::Loop(Step::Explored { nodes, explored, result: read_result(line)? })
        }
        "refined" => Event::Loop(Step::Refined {
            length: field(line, "length")?,
            precision: field(line, "precision")?,
            nodes: field(line, "nodes")?,
        }),
        "diverging" => Event::Diverging { length: field(line, "length")? },
        "validating" => Event::Validating,
        "repeated" => Event::Repeated,
        _ => return Err(kind.error(format!("`{}` is no event", kind.shown()))),
    };
    line.end()?;
    Ok(event)
}

/// A keyword and a number.
fn field(line: &mut Line<'_>, name: &str) -> Result<usize, TextError> {
    line.keyword(name)?;
    line.word("a number")?.number()
}

fn read_result(line: &mut Line<'_>) -> Result<Exploration, TextError> {
    let word = line.word("`safe` or `unsafe`")?;
    match word.text() {
        "safe" => Ok(Exploration::Safe),
        "unsafe" => {
            let mut errors = Vec::new();
            while let Some(word) = line.next_word()? {
                let number = u32::try_from(word.number()?);
                let number = number.map_err(|_| word.error("no graph has so many nodes"))?;
                errors.push(NodeId::numbered(number));
            }
            Ok(Exploration::Unsafe(errors))
        }
        _ => Err(word.error("`safe` or `unsafe` is expected")),
    }
}

fn read_stage(line: &mut Line<'_>) -> Result<Stage, TextError> {
    let strategy = line.word("the name of a strategy")?;
    let work = match line.starts_with("work") {
        true => Some(field(line, "work")? as u64),
        false => None,
    };
    let notices_divergence = line.starts_with("until-divergence");
    if notices_divergence {
        line.keyword("until-divergence")?;
    }
    let mut config = Config::default();
    if strategy.text() != "runs" {
        line.keyword("with")?;
        while let Some(word) = line.next_field() {
            set(&mut config, &word)?;
        }
    }
    let Some(alone) = strategy::single(strategy.text(), config) else {
        return Err(strategy.error(format!("`{}` is no strategy", strategy.shown())));
    };
    Ok(Stage { work, notices_divergence, ..alone })
}

fn set(config: &mut Config, word: &Word<'_>) -> Result<(), TextError> {
    let setting = word.text().split_once('=').and_then(|(name, value)| {
        let axis = AXES.iter().find(|axis| axis.name == name)?;
        Some((axis, unescaped(value)?))
    });
    match setting {
        Some((axis, value)) if (axis.set)(config, &value) => Ok(()),
        _ => Err(word.error(format!("`{}` is no setting of a configuration", word.shown()))),
    }
}

fn seconds(text: &str) -> Option<Duration> {
    let (whole, nanos) = text.split_once('.').filter(|(_, nanos)| nanos.len() == 9)?;
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let nanos = Some(nanos).filter(|nanos| is_number(nanos))?.parse().ok()?;
    Some(Duration::new(Some(whole).filter(|whole| is_number(whole))?.parse().ok()?, nanos))
}
