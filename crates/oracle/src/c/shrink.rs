//! Shrinking: parts of a program are taken away as long as it fails.

use super::program::Program;
use super::tree::{Kind, Node};

/// A smaller program that still `fails`. At most `most` programs are tried.
pub fn shrink(program: &Program, most: usize, fails: &mut dyn FnMut(&Program) -> bool) -> Program {
    let mut current = program.clone();
    let mut n_tried = 0;
    loop {
        let size = current.root.size();
        let mut at = 0;
        while at < paths(&current.root).len() {
            let path = paths(&current.root).swap_remove(at);
            let found = smaller(part(&current.root, &path)).into_iter().find_map(|node| {
                n_tried += 1;
                let mut candidate = current.clone();
                *part_mut(&mut candidate.root, &path) = node;
                (n_tried <= most && fails(&candidate)).then_some(candidate)
            });
            match found {
                Some(candidate) => current = candidate,
                None => at += 1,
            }
        }
        if current.root.size() == size || n_tried > most {
            return current;
        }
    }
}

/// The ways to all nodes, from the root on.
fn paths(node: &Node) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for (i, part) in node.parts.iter().enumerate() {
        all.extend(paths(part).into_iter().map(|path| [&[i], &path[..]].concat()));
    }
    all
}

fn part<'n>(node: &'n Node, path: &[usize]) -> &'n Node {
    path.iter().fold(node, |node, i| &node.parts[*i])
}

fn part_mut<'n>(node: &'n mut Node, path: &[usize]) -> &'n mut Node {
    path.iter().fold(node, |node, i| &mut node.parts[*i])
}

/// What may stand in place of a node, the smallest first.
fn smaller(node: &Node) -> Vec<Node> {
    let mut found = Vec::new();
    match node.kind {
        Kind::Int if node.text != "0" && node.text != "1" => {
            found.extend([Node::int("0", Vec::new()), Node::int("1", Vec::new())]);
        }
        Kind::Float if node.text != "1.0" => {
            found.push(Node::new(Kind::Float, "1.0", Vec::new()));
        }
        Kind::Stmt if node.text != ";\n" => found.push(Node::stmt(";\n", Vec::new())),
        _ => {}
    }
    let fits = |part: &&Node| part.kind == node.kind && node.kind != Kind::Fixed;
    found.extend(node.parts.iter().filter(fits).cloned());
    if node.is_list() {
        found.extend(shorter(node));
    }
    found
}

/// Lists without a run of their parts: long runs first.
fn shorter(node: &Node) -> Vec<Node> {
    let first = node.n_fixed();
    let length = node.parts.len() - first;
    let mut found = Vec::new();
    let mut run = length;
    while run > 0 {
        for start in (first..node.parts.len()).step_by(run) {
            let end = (start + run).min(node.parts.len());
            if node.parts[start..end].iter().any(|part| part.kind == Kind::Fixed) {
                continue;
            }
            let mut without = node.clone();
            without.parts.drain(start..end);
            found.push(without);
        }
        run /= 2;
    }
    found
}
