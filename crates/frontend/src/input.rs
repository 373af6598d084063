//! Inputs of any language: recognized by what is in them, asked for their properties, and given evidence back in
//! their own formats.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use lapidary_model::sts::{System, Trace};
use lapidary_model::{Cfa, Ends, Execution, Inlined, Loc, Model, Proof, Property, PropertyId, Sts};

use crate::aiger::{self, Circuit};
use crate::btor2;
use crate::c::{self, SourceMap};
use crate::load::load_with;
use crate::source::{ParseError, SourceFile, readable};
use crate::task::Task;
use crate::{cfa, sts};

/// What was read.
#[derive(Clone, Debug)]
pub struct Input {
    source: SourceFile,
    content: Content,
}

#[derive(Clone, Debug)]
enum Content {
    /// An automaton.
    Automaton(Cfa),
    /// A program, with its map to the text, and the names of its properties if they are told apart.
    Program(Arc<Inlined>, Arc<SourceMap>, Option<Vec<String>>),
    /// A system for each property.
    Systems(Vec<Arc<Sts>>),
    Circuit(Circuit, Arc<Sts>),
    Words(btor2::Model, Arc<Sts>),
}

/// The languages that content tells.
#[derive(Clone, Copy, PartialEq)]
enum Language {
    Automaton,
    System,
    Aiger,
    Btor2,
}

/// Reads an input as [`read_with`] does, C with the default options.
pub fn read(name: &str, bytes: &[u8]) -> Result<Input, ParseError> {
    read_with(name, bytes, &c::Options::default())
}

/// Reads an input: AIGER, BTOR2, transition systems and automata by what is in them, anything else by the extension
/// of the file's name. Programs in C are read with `options`.
pub fn read_with(name: &str, bytes: &[u8], options: &c::Options) -> Result<Input, ParseError> {
    if is_aiger(bytes) {
        let circuit = aiger::parse(name, bytes)?;
        let system = circuit.system();
        if system.properties.is_empty() {
            let error = ParseError::about_file(name, "the circuit has no property");
            return Err(error.with_help("a property is a bad state or, without any, an output"));
        }
        return Ok(Input {
            source: SourceFile::new(name, ""),
            content: Content::Circuit(circuit, Arc::new(system)),
        });
    }
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) if is_circuit(name, bytes) => Cow::Owned(readable(bytes)),
        Err(error) => {
            return Err(ParseError::at_byte(
                name,
                error.valid_up_to(),
                "the file is no UTF-8 text from here on",
            ));
        }
    };
    let text = &*text;
    let source = || SourceFile::new(name, text);
    match recognize(text).or_else(|| by_extension(name)) {
        Some(Language::System) => {
            let source = source();
            let systems = sts::parse(&source)?.into_iter().map(Arc::new).collect();
            Ok(Input { content: Content::Systems(systems), source })
        }
        Some(Language::Btor2) => {
            let source = source();
            let model = btor2::parse(&source)?;
            let system = model.system();
            if system.properties.is_empty() {
                return Err(ParseError::about_file(name, "the model has no property (`bad`)"));
            }
            if let Err(error) = system.check() {
                return Err(ParseError::about_file(name, error.to_string()));
            }
            Ok(Input { source, content: Content::Words(model, Arc::new(system)) })
        }
        Some(Language::Automaton) => {
            let Task { model, source, .. } = cfa::parse(&source())?;
            Ok(Input { source, content: Content::Automaton(model.into_cfa()) })
        }
        Some(Language::Aiger) => Err(aiger::parse(name, bytes).err().unwrap_or_else(|| {
            ParseError::about_file(name, "an AIGER file starts with `aag` or `aig`")
        })),
        None => {
            let Task { model, source, map } = load_with(name, text, options)?;
            let content = match (model, map) {
                (Model::Program(inlined), Some(map)) => {
                    let names = || inlined.ends().properties().iter().map(Property::name).collect();
                    let names = options.each_assertion.then(names);
                    Content::Program(inlined, map, names)
                }
                (model, _) => Content::Automaton(model.into_cfa()),
            };
            Ok(Input { source, content })
        }
    }
}

/// Whether an input is AIGER or BTOR2: their names and comments may be in any encoding.
pub fn is_circuit(name: &str, bytes: &[u8]) -> bool {
    let language = || recognize(&readable(bytes)).or_else(|| by_extension(name));
    is_aiger(bytes) || language() == Some(Language::Btor2)
}

fn is_aiger(bytes: &[u8]) -> bool {
    bytes.starts_with(b"aag ") || bytes.starts_with(b"aig ")
}

fn by_extension(name: &str) -> Option<Language> {
    match name.rsplit_once('.')?.1 {
        "system" | "sts" => Some(Language::System),
        "btor" | "btor2" => Some(Language::Btor2),
        "aag" | "aig" => Some(Language::Aiger),
        _ => None,
    }
}

/// The language that the first words of a text are of.
fn recognize(text: &str) -> Option<Language> {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        let is_comment = rest.starts_with("//") || rest.starts_with(';');
        rest = match (is_comment, rest.strip_prefix("/*")) {
            (true, _) => rest.split_once('\n')?.1.trim_start(),
            (false, Some(comment)) => comment.split_once("*/")?.1.trim_start(),
            (false, None) => break,
        };
    }
    let mut words = rest.split_ascii_whitespace();
    match (words.next()?, words.next()?) {
        ("specification" | "(system", _) => Some(Language::System),
        ("main", "process") | ("process", _) => Some(Language::Automaton),
        (number, "sort") if number.bytes().all(|digit| digit.is_ascii_digit()) => {
            Some(Language::Btor2)
        }
        _ => None,
    }
}

impl Input {
    /// An automaton that was not read but made.
    pub fn of_automaton(cfa: Cfa) -> Input {
        let source = SourceFile::new(cfa.name(), "");
        Input { source, content: Content::Automaton(cfa) }
    }

    /// The names of the properties; none for an automaton, or a program whose assertions are taken together, which
    /// has one without a name.
    pub fn properties(&self) -> Vec<&str> {
        let systems = match &self.content {
            Content::Program(_, _, Some(names)) => {
                return names.iter().map(String::as_str).collect();
            }
            Content::Automaton(_) | Content::Program(..) => &[],
            Content::Systems(systems) => &systems[..],
            Content::Circuit(_, sts) | Content::Words(_, sts) => std::slice::from_ref(sts),
        };
        systems.iter().flat_map(|sts| &sts.properties).map(|property| &property.name[..]).collect()
    }

    /// Whether this is a C program.
    pub fn is_c(&self) -> bool {
        matches!(&self.content, Content::Program(..))
    }

    /// The function that is called first, if this is a C program.
    pub fn entry(&self) -> Option<&str> {
        match &self.content {
            Content::Program(_, map, _) => Some(&map.entry),
            _ => None,
        }
    }

    /// The system that a property is about, and the property's number in it.
    fn system(&self, property: usize) -> Option<(&Arc<Sts>, usize)> {
        match &self.content {
            Content::Automaton(_) | Content::Program(..) => None,
            Content::Systems(systems) => systems.get(property).map(|sts| (sts, 0)),
            Content::Circuit(_, sts) | Content::Words(_, sts) => Some((sts, property)),
        }
    }

    /// What is verified for the property with this number, of those that are chosen: the program, or the system with that
    /// property.
    fn model(&self, property: usize, chosen: Option<&[usize]>) -> Result<Model, ParseError> {
        let failed = |problem: &str| ParseError::about_file(self.source.name(), problem);
        match &self.content {
            Content::Automaton(cfa) => Ok(Model::Automaton(cfa.clone())),
            Content::Program(inlined, _, names) => {
                let n_properties = names.as_ref().map_or(0, Vec::len);
                if property >= n_properties {
                    return Ok(Model::Program(Arc::clone(inlined)));
                }
                let id = |property: usize| PropertyId(property as u32);
                let ends = match chosen {
                    Some(chosen) => {
                        inlined.ends().asking(&chosen.iter().copied().map(id).collect())
                    }
                    None => Ends::clone(inlined.ends()),
                };
                let asked = BTreeSet::from_iter([id(property)]);
                let mut only = inlined.with_cfa(|cfa| ends.question(cfa, &asked));
                only.set_ends(ends);
                Ok(Model::Program(Arc::new(only)))
            }
            Content::Systems(_) | Content::Circuit(..) | Content::Words(..) => {
                let (sts, number) =
                    self.system(property).ok_or_else(|| failed("there is no such property"))?;
                match System::new(Arc::clone(sts), number) {
                    Ok(system) => Ok(Model::System(Arc::new(system))),
                    Err(error) => Err(failed(&error.to_string())),
                }
            }
        }
    }

    /// The task of the property with this number, if all are asked for.
    pub fn task(&self, property: usize) -> Result<Task, ParseError> {
        self.task_among(property, None)
    }

    /// The task of the property with this number, if only those that are chosen are asked for.
    pub fn task_among(
        &self,
        property: usize,
        chosen: Option<&[usize]>,
    ) -> Result<Task, ParseError> {
        let map = match &self.content {
            Content::Program(_, map, _) => Some(Arc::clone(map)),
            _ => None,
        };
        Ok(Task { model: self.model(property, chosen)?, source: self.source.clone(), map })
    }

    /// The task for a property of an input that is not needed any more; large ones are not copied.
    pub fn into_task(self, property: usize) -> Result<Task, ParseError> {
        match self {
            Input { source, content: Content::Program(inlined, map, None) } => {
                Ok(Task { model: Model::Program(inlined), source, map: Some(map) })
            }
            other => other.task(property),
        }
    }

    /// An execution of the automaton of `model`, the property's task, as a witness in the input's own format, which has been checked by
    /// simulation; an error if there is none.
    pub fn witness(
        &self,
        property: usize,
        model: &Model,
        execution: &Execution,
    ) -> Result<String, String> {
        let system = model.system().ok_or("automata have no format for witnesses")?;
        let trace = Trace::of_execution(system, execution).map_err(|error| error.to_string())?;
        match &self.content {
            Content::Circuit(circuit, _) => {
                let text = circuit.witness(property, &trace);
                aiger::check_witness(circuit, &text).map(|()| text)
            }
            Content::Words(model, _) => {
                let text = model.witness(property, &trace)?;
                btor2::check_witness(model, &text).map(|()| text)
            }
            _ => Ok(frames(&trace)),
        }
    }

    /// A proof about the automaton of `model`, the property's task, as a certificate: for circuits a circuit, unless it is by k-induction,
    /// otherwise formulas. With it comes the proof about the certificate's own system that shows it to be one, if
    /// it has one.
    pub fn certificate(&self, property: usize, model: &Model, proof: &Proof) -> Certificate {
        let terms = || Certificate { text: formulas(model.cfa(), proof), check: None };
        let (Content::Circuit(circuit, _), Some(system)) = (&self.content, model.system()) else {
            return terms();
        };
        if proof.induction > 0 {
            return terms();
        }
        let invariant = system.invariant(proof);
        let Ok(certificate) = circuit.certificate(property, invariant) else { return terms() };
        let text = certificate.to_ascii();
        // What is checked is what was written.
        let Ok(again) = aiger::parse("certificate", text.as_bytes()) else { return terms() };
        let outputs =
            Circuit { bads: Vec::new(), constraints: Vec::new(), ..again.clone() }.system();
        let check = outputs.properties.first().and_then(|output| {
            let system = System::new(Arc::new(again.system()), 0).ok()?;
            let proof = system.inductive(output.bad);
            Some((system, proof))
        });
        Certificate { text, check }
    }
}

/// Evidence that a property holds, as text.
pub struct Certificate {
    /// The text.
    pub text: String,
    /// A system that was read from the text, and the proof of its safety that the text claims.
    pub check: Option<(System, Proof)>,
}

/// The formulas of a proof as SMT-LIB terms, a line for each location.
fn formulas(cfa: &Cfa, proof: &Proof) -> String {
    let of = |loc: Loc| proof.states.iter().any(|state| state.loc == loc);
    let line = |loc: Loc| format!("; {}\n{}\n", cfa.loc_name(loc), proof.invariant(loc));
    let invariants: String = cfa.locs().filter(|loc| of(*loc)).map(line).collect();
    match proof.induction {
        0 => invariants,
        k => format!("; by k-induction, k = {k}, with these invariants\n{invariants}"),
    }
}

/// A trace in the words of the system, a line for each frame.
fn frames(trace: &Trace) -> String {
    let line = |(k, frame): (usize, &lapidary_model::sts::Frame)| {
        let values = frame.state.iter().chain(frame.inputs.iter());
        let values: Vec<String> = values.map(|(var, value)| format!("{var} = {value}")).collect();
        format!("{k}: {}\n", values.join(", "))
    };
    trace.frames.iter().enumerate().map(line).collect()
}
