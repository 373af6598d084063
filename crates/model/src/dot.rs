//! Automata as Graphviz drawings.

use std::fmt::Write;

use crate::cfa::Cfa;

/// The automaton in the DOT language.
pub fn cfa_to_dot(cfa: &Cfa) -> String {
    let mut dot = format!("digraph \"{}\" {{\n", escape(cfa.name()));
    dot.push_str(
        "  node [shape=ellipse, fontname=\"sans-serif\"];\n  edge [fontname=\"monospace\"];\n",
    );
    for loc in cfa.locs() {
        let style = match () {
            () if Some(loc) == cfa.error() => ", style=filled, fillcolor=\"#f4cccc\"",
            () if loc == cfa.entry() => ", style=bold",
            () => "",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(dot, "  l{} [label=\"{}\"{style}];", loc.0, escape(cfa.loc_name(loc)));
    }
    for (_, edge) in cfa.edges() {
        let label = escape(&edge.stmt.to_string());
        let _ = writeln!(dot, "  l{} -> l{} [label=\"{label}\"];", edge.source.0, edge.target.0);
    }
    dot.push_str("}\n");
    dot
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
