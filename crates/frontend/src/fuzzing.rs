//! What must hold of any text that is read as an automaton.
//!
//! The body of the fuzz target lives here, so that the tests run it as well.

use lapidary_model::sts::reduce;
use lapidary_model::{Cfa, Edge};

use crate::cfa::{PrintError, parse, print};
use crate::source::{ParseError, SourceFile};

/// Any text is an automaton, which survives being printed and read, or is refused at a place in the text.
pub fn cfa(data: &[u8]) {
    let source = SourceFile::new("fuzz.cfa", String::from_utf8_lossy(data));
    match parse(&source) {
        Ok(task) => survives(task.cfa()),
        Err(error) => is_placed(&source, &error),
    }
}

/// Any bytes are an input, whose properties become automata, whole and reduced, or are refused at a line of the text
/// or an offset in the bytes.
pub fn input(data: &[u8]) {
    match crate::read("fuzz", data) {
        Ok(input) => {
            for property in 0..input.properties().len().clamp(1, 3) {
                if let Ok(task) = input.task(property) {
                    task.model.system().map(reduce);
                }
            }
        }
        Err(error) => {
            let is_placed = error.source_line().is_some() || error.message.contains("(at byte");
            let is_about_all = error.message.contains("no property")
                || error.message.contains("no extension")
                || error.message.contains("no state variable of the system");
            assert!(is_placed || is_about_all, "{error}");
        }
    }
}

fn survives(cfa: &Cfa) {
    let printed = match print(cfa) {
        Ok(printed) => printed,
        Err(PrintError::TooLarge) => return,
        Err(error) => panic!("{error}"),
    };
    let again = parse(&SourceFile::new("printed.cfa", printed.clone()));
    let again = again.unwrap_or_else(|error| panic!("{error}\n{printed}")).model.into_cfa();
    let locs = |cfa: &Cfa| cfa.locs().map(|loc| cfa.loc_name(loc).to_owned()).collect::<Vec<_>>();
    let edges = |cfa: &Cfa| {
        let parts = |edge: &Edge| (edge.source, edge.stmt.clone(), edge.target);
        cfa.edges().map(|(_, edge)| parts(edge)).collect::<Vec<_>>()
    };
    assert_eq!(cfa.name(), again.name(), "{printed}");
    assert_eq!(cfa.vars(), again.vars(), "{printed}");
    assert_eq!((cfa.entry(), cfa.error()), (again.entry(), again.error()), "{printed}");
    assert_eq!(locs(cfa), locs(&again), "{printed}");
    assert_eq!(edges(cfa), edges(&again), "{printed}");
}

/// The error is at a position of the text and can be shown.
fn is_placed(source: &SourceFile, error: &ParseError) {
    let (text, line) = (source.text(), error.position.line);
    let lines = text.matches('\n').count() as u32 + 1;
    assert!((1..=lines).contains(&line), "{error}");
    let length = text.split('\n').nth(line as usize - 1).map_or(0, |line| line.chars().count());
    assert!((1..=length + 1).contains(&(error.position.column as usize)), "{error}");
    assert!(!error.message.is_empty() && error.to_string().contains('^'), "{error}");
}
