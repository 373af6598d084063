//! What edges to the error location stand for: violations of properties, or places where the model ends.
//!
//! An automaton has one error location. A program may have many properties, and places that the model does not cover.
//! `Ends` says which edge stands for which, so a question about some properties is an automaton in which all other
//! violations just end. Edges keep their numbers in all of these automata.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;

use crate::cfa::{Cfa, EdgeId};
use crate::execution::Execution;

/// The number of a property of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PropertyId(pub u32);

/// Something that must not happen at a place of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// What is checked, such as `assertion` or `overflow`.
    pub kind: &'static str,
    /// The property of SV-COMP that this is a part of.
    pub competition: &'static str,
    /// The place: `LINE:COLUMN`, with the file where it is another one than the input.
    pub place: String,
    /// What is violated, for people.
    pub text: String,
    /// The expression that is checked, if it is one.
    pub expression: String,
    /// The function that it is in.
    pub function: String,
    /// Where the text begins, in bytes.
    pub start: usize,
}

impl Property {
    /// The name by which the property is chosen and reported: the place, and the kind where it is no assertion.
    pub fn name(&self) -> String {
        match self.kind {
            ASSERTION => self.place.clone(),
            kind => format!("{} {kind}", self.place),
        }
    }
}

/// The kind of the properties that the program itself states.
pub const ASSERTION: &str = "assertion";

/// A place that the model does not cover, or only approximates.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Outside {
    /// What is not covered.
    pub reason: String,
    /// Where the text begins, in bytes.
    pub start: usize,
}

/// What the edges to the error location stand for, and which other edges approximate.
#[derive(Clone, Debug, Default)]
pub struct Ends {
    properties: Vec<Property>,
    places: Vec<Outside>,
    numbers: BTreeMap<Outside, u32>,
    violations: BTreeMap<EdgeId, PropertyId>,
    leaving: BTreeMap<EdgeId, u32>,
    approximating: BTreeMap<EdgeId, Vec<u32>>,
}

impl Ends {
    /// Adds a property.
    pub fn property(&mut self, property: Property) -> PropertyId {
        self.properties.push(property);
        PropertyId(self.properties.len() as u32 - 1)
    }

    /// An edge to the error location violates a property.
    pub fn violates(&mut self, edge: EdgeId, property: PropertyId) {
        self.violations.insert(edge, property);
    }

    /// An edge to the error location leaves the model.
    pub fn leaves(&mut self, edge: EdgeId, outside: Outside) {
        let number = self.number(outside);
        self.leaving.insert(edge, number);
    }

    /// An edge does less or more than the program.
    pub fn approximates(&mut self, edge: EdgeId, outside: Outside) {
        let number = self.number(outside);
        self.approximating.entry(edge).or_default().push(number);
    }

    fn number(&mut self, outside: Outside) -> u32 {
        if let Some(number) = self.numbers.get(&outside) {
            return *number;
        }
        let number = self.places.len() as u32;
        self.numbers.insert(outside.clone(), number);
        self.places.push(outside);
        number
    }

    /// The properties, in the order of their numbers.
    pub fn properties(&self) -> &[Property] {
        &self.properties
    }

    /// A property.
    pub fn get(&self, property: PropertyId) -> &Property {
        &self.properties[property.0 as usize]
    }

    /// The property that an edge violates.
    pub fn violated_by(&self, edge: EdgeId) -> Option<PropertyId> {
        self.violations.get(&edge).copied()
    }

    /// The property that an execution violates.
    pub fn violated(&self, execution: &Execution) -> Option<PropertyId> {
        self.violated_by(execution.steps.last()?.edge)
    }

    /// The edges that leave the model, with their places.
    pub fn leaving(&self) -> impl Iterator<Item = (EdgeId, &Outside)> {
        self.leaving.iter().map(|(edge, number)| (*edge, &self.places[*number as usize]))
    }

    /// The edges that approximate, with their places.
    pub fn approximating(&self) -> impl Iterator<Item = (EdgeId, &Outside)> {
        let all = self.approximating.iter();
        all.flat_map(|(edge, of)| of.iter().map(|number| (*edge, &self.places[*number as usize])))
    }

    /// Why an execution of the automaton proves nothing about the program, if so.
    pub fn doubt(&self, execution: &Execution) -> Option<&Outside> {
        let number = execution.steps.iter().find_map(|step| {
            let approximated = || self.approximating.get(&step.edge).and_then(|of| of.first());
            self.leaving.get(&step.edge).or_else(approximated)
        });
        number.map(|number| &self.places[*number as usize])
    }

    /// The automaton in which only violations of these properties reach the error location. All others end; what leaves
    /// the model still leads there.
    pub fn question(&self, cfa: &Cfa, asked: &BTreeSet<PropertyId>) -> Cfa {
        let others = self.violations.iter().filter(|(_, property)| !asked.contains(property));
        cfa.ending_at(&others.map(|(edge, _)| *edge).collect())
    }

    /// The same, if only these properties are asked for. A failed assertion ends the program, whether asked for or not; behind other
    /// violations nothing is known, so they leave the model.
    #[must_use]
    pub fn asking(&self, chosen: &BTreeSet<PropertyId>) -> Ends {
        let mut ends = self.clone();
        for (edge, property) in &self.violations {
            let Property { kind, start, .. } = self.get(*property);
            if *kind != ASSERTION && !chosen.contains(property) {
                ends.violations.remove(edge);
                let reason = format!("a violation of `{kind}`, which was not asked for,");
                ends.leaves(*edge, Outside { reason, start: *start });
            }
        }
        ends
    }

    /// The automaton without executions that leave the model or are only approximations: they end there.
    pub fn inside(&self, cfa: &Cfa) -> Cfa {
        let doubtful: FxHashSet<EdgeId> =
            self.leaving.keys().chain(self.approximating.keys()).copied().collect();
        cfa.ending_at(&doubtful)
    }
}
