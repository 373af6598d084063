//! Graphs as Graphviz drawings.

use std::fmt::{Debug, Write};

use lapidary_expr::Term;
use lapidary_model::Cfa;

use super::{Arg, CoverIndex, NodeId};

/// The graph in the DOT language: solid edges are successors, dashed ones covering.
pub fn to_dot<S, I>(cfa: &Cfa, arg: &Arg<S, I>, expr: impl Fn(&S) -> Term) -> String
where
    S: Clone + Debug,
    I: CoverIndex<S>,
{
    let mut dot = format!("digraph \"{}\" {{\n", escape(cfa.name()));
    dot.push_str("  node [shape=box, fontname=\"monospace\"];\n  edge [fontname=\"monospace\"];\n");
    let name = |node: NodeId| format!("n{}", node.0);
    for node in arg.alive() {
        let loc = arg.loc(node);
        let style = match () {
            () if Some(loc) == cfa.error() => ", style=filled, fillcolor=\"#f4cccc\"",
            () if arg.covered_by(node).is_some() => ", style=dashed",
            () => "",
        };
        let state = expr(arg.state(node));
        let facts: Vec<String> =
            state.conjuncts().iter().map(|fact| escape(&fact.to_string())).collect();
        let label =
            std::iter::once(escape(cfa.loc_name(loc))).chain(facts).collect::<Vec<_>>().join("\\n");
        // Writing to a string cannot fail.
        let _ = writeln!(dot, "  {} [label=\"{label}\"{style}];", name(node));
        if let Some((parent, edge)) = arg.parent(node) {
            let stmt = escape(&cfa.edge(edge).stmt.to_string());
            let _ = writeln!(dot, "  {} -> {} [label=\"{stmt}\"];", name(parent), name(node));
        }
        if let Some(by) = arg.covered_by(node) {
            let _ =
                writeln!(dot, "  {} -> {} [style=dashed, constraint=false];", name(node), name(by));
        }
    }
    dot.push_str("}\n");
    dot
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
