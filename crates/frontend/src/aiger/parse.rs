//! Reading of both variants.

mod check;

use super::reader::{Parsed, Reader};
use super::{Circuit, Gate, Latch, Lit, Reset, Symbols};
use crate::source::{ParseError, SourceFile, readable};
use check::checked;

/// Inputs of the binary format take no room in the file: more than these are taken for a mistake.
const MOST_INPUTS: u32 = 1 << 22;

/// Reads a circuit in either variant.
pub fn parse(name: &str, bytes: &[u8]) -> Result<Circuit, ParseError> {
    let is_ascii = bytes.starts_with(b"aag");
    let source = is_ascii.then(|| SourceFile::new(name, readable(bytes)));
    let mut reader = Reader { bytes, at: 0, name, source: source.as_ref() };
    file(&mut reader, is_ascii).map_err(|error| *error)
}

/// The numbers in the first line.
struct Header {
    max_var: u32,
    inputs: u32,
    latches: u32,
    outputs: u32,
    gates: u32,
    bads: u32,
    constraints: u32,
}

/// A circuit as it was read, with the places where its variables are defined.
pub(super) struct Draft {
    pub(super) circuit: Circuit,
    /// The offsets of the definitions of inputs, latches and gates, in this order.
    pub(super) places: Vec<usize>,
    /// The offsets where literals of latches, outputs, bad states and constraints are used.
    pub(super) uses: Vec<(Lit, usize)>,
}

fn file(reader: &mut Reader<'_>, is_ascii: bool) -> Parsed<Circuit> {
    let header = header(reader, is_ascii)?;
    let circuit = Circuit { name: reader.name.into(), ..Circuit::default() };
    let mut draft = Draft { circuit, places: Vec::new(), uses: Vec::new() };
    for i in 0..header.inputs {
        draft.places.push(reader.token_start());
        let lit = match is_ascii {
            true => defined(reader, header.max_var, "the literal of an input")?,
            false => Lit(2 * (i + 1)),
        };
        draft.circuit.inputs.push(lit);
        if is_ascii {
            reader.line_end()?;
        }
    }
    for i in 0..header.latches {
        draft.places.push(reader.token_start());
        let state = match is_ascii {
            true => defined(reader, header.max_var, "the literal of a latch")?,
            false => Lit(2 * (header.inputs + i + 1)),
        };
        let latch = latch(reader, &header, state, &mut draft.uses)?;
        draft.circuit.latches.push(latch);
    }
    draft.circuit.outputs = literals(reader, &header, header.outputs, &mut draft.uses)?;
    draft.circuit.bads = literals(reader, &header, header.bads, &mut draft.uses)?;
    draft.circuit.constraints = literals(reader, &header, header.constraints, &mut draft.uses)?;
    match is_ascii {
        true => ascii_gates(reader, &header, &mut draft)?,
        false => binary_gates(reader, &header, &mut draft)?,
    }
    draft.circuit.symbols = symbols(reader, &header)?;
    checked(draft, reader)
}

fn header(reader: &mut Reader<'_>, is_ascii: bool) -> Parsed<Header> {
    if !is_ascii && !reader.bytes.starts_with(b"aig") {
        return Err(reader.error(0..1, "an AIGER file starts with `aag` or `aig`").into());
    }
    reader.at = 3;
    let max_var = reader.number("the largest variable")?;
    let [inputs, latches, outputs, gates] = [
        reader.number("the number of inputs")?,
        reader.number("the number of latches")?,
        reader.number("the number of outputs")?,
        reader.number("the number of gates")?,
    ];
    let mut optional = [0; 4];
    let names =
        ["bad states", "invariant constraints", "justice properties", "fairness constraints"];
    for (number, what) in optional.iter_mut().zip(names) {
        if reader.at_line_end() {
            break;
        }
        let start = reader.token_start();
        *number = reader.number(&format!("the number of {what}"))?;
        if *number > 0 && matches!(what, "justice properties" | "fairness constraints") {
            let error = reader.error(start..reader.at, format!("{what} are not supported"));
            return Err(error
                .with_help("only safety properties are verified: bad states, or outputs")
                .into());
        }
    }
    let [bads, constraints, ..] = optional;
    reader.line_end()?;
    let defined = u64::from(inputs) + u64::from(latches) + u64::from(gates);
    let fits = if is_ascii { defined <= u64::from(max_var) } else { defined == u64::from(max_var) };
    if !fits {
        let relation = if is_ascii { "at most" } else { "exactly" };
        let message = format!(
            "{defined} inputs, latches and gates, where the largest variable allows {relation} {max_var}"
        );
        return Err(reader.error(4..reader.at, message).into());
    }
    if inputs > MOST_INPUTS {
        return Err(reader
            .error(4..reader.at, format!("more than {MOST_INPUTS} inputs are not supported"))
            .into());
    }
    Ok(Header { max_var, inputs, latches, outputs, gates, bads, constraints })
}

/// A literal that is being defined: a variable that is not negated.
fn defined(reader: &mut Reader<'_>, max_var: u32, what: &str) -> Parsed<Lit> {
    let start = reader.token_start();
    let lit = reader.lit(max_var, what)?;
    match lit.is_negated() || lit == Lit::FALSE {
        true => Err(reader.error(start..reader.at, format!("{what} is even and not zero")).into()),
        false => Ok(lit),
    }
}

fn latch(
    reader: &mut Reader<'_>,
    header: &Header,
    state: Lit,
    uses: &mut Vec<(Lit, usize)>,
) -> Parsed<Latch> {
    let start = reader.token_start();
    let next = reader.lit(header.max_var, "the next value of a latch")?;
    uses.push((next, start));
    let mut reset = Reset::Zero;
    if !reader.at_line_end() {
        let start = reader.token_start();
        reset = match reader.lit(header.max_var, "the initial value of a latch")? {
            Lit::FALSE => Reset::Zero,
            Lit::TRUE => Reset::One,
            lit if lit == state => Reset::Any,
            lit => {
                let message =
                    format!("a latch starts with 0, 1 or itself ({state}), not with {lit}");
                return Err(reader.error(start..reader.at, message).into());
            }
        };
    }
    reader.line_end()?;
    Ok(Latch { state, next, reset })
}

fn literals(
    reader: &mut Reader<'_>,
    header: &Header,
    count: u32,
    uses: &mut Vec<(Lit, usize)>,
) -> Parsed<Vec<Lit>> {
    let mut literals = Vec::new();
    for _ in 0..count {
        let start = reader.token_start();
        let lit = reader.lit(header.max_var, "a literal")?;
        reader.line_end()?;
        uses.push((lit, start));
        literals.push(lit);
    }
    Ok(literals)
}

fn ascii_gates(reader: &mut Reader<'_>, header: &Header, draft: &mut Draft) -> Parsed<()> {
    for _ in 0..header.gates {
        draft.places.push(reader.token_start());
        let output = defined(reader, header.max_var, "the literal of a gate")?;
        let left = reader.lit(header.max_var, "an operand of a gate")?;
        let right = reader.lit(header.max_var, "an operand of a gate")?;
        reader.line_end()?;
        draft.circuit.gates.push(Gate { output, inputs: [left, right] });
    }
    Ok(())
}

fn binary_gates(reader: &mut Reader<'_>, header: &Header, draft: &mut Draft) -> Parsed<()> {
    for i in 0..header.gates {
        let start = reader.at;
        draft.places.push(start);
        let output = Lit(2 * (header.inputs + header.latches + i + 1));
        let first = reader.binary_number()?;
        let second = reader.binary_number()?;
        let left = output.0.checked_sub(first).filter(|_| first > 0);
        let (Some(left), Some(right)) = (left, left.and_then(|left| left.checked_sub(second)))
        else {
            let message = format!("the operands of the gate {output} are not smaller than it");
            return Err(reader.error(start..reader.at, message).into());
        };
        draft.circuit.gates.push(Gate { output, inputs: [Lit(left), Lit(right)] });
    }
    Ok(())
}

/// The symbol table; comments end it.
fn symbols(reader: &mut Reader<'_>, header: &Header) -> Parsed<Symbols> {
    let mut symbols = Symbols::default();
    while let Some(kind) = reader.peek() {
        let start = reader.at;
        reader.at += 1;
        let is_comment = kind == b'c' && !matches!(reader.peek(), Some(b'0'..=b'9'));
        if is_comment {
            break;
        }
        let (names, count) = match kind {
            b'\n' | b'\r' => continue,
            b'i' => (&mut symbols.inputs, header.inputs),
            b'l' => (&mut symbols.latches, header.latches),
            b'o' => (&mut symbols.outputs, header.outputs),
            b'b' => (&mut symbols.bads, header.bads),
            b'c' => (&mut symbols.constraints, header.constraints),
            _ => {
                return Err(reader
                    .error(start..reader.at, "expected a symbol, a comment or the end of the file")
                    .into());
            }
        };
        let position = reader.number("the position of a symbol")?;
        if position >= count {
            let message = format!("there is no `{}{position}` to name", char::from(kind));
            return Err(reader.error(start..reader.at, message).into());
        }
        let name = String::from_utf8_lossy(reader.rest_of_line().trim_ascii()).into_owned();
        names.resize(names.len().max(position as usize + 1), None);
        names[position as usize] = Some(name).filter(|name| !name.is_empty());
    }
    let trim = |names: &mut Vec<Option<String>>| {
        let used = names.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        names.truncate(used);
    };
    let Symbols { inputs, latches, outputs, bads, constraints } = &mut symbols;
    [inputs, latches, outputs, bads, constraints].into_iter().for_each(trim);
    Ok(symbols)
}
