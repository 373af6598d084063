//! Models as text, numbered anew.

use std::fmt::Write;

use super::{Kind, Mark, Model, Operator, Ref, Sort};

impl std::fmt::Display for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut printer =
            Printer { text: String::new(), last: 0, sorts: Vec::new(), ids: Vec::new() };
        for node in &self.nodes {
            printer.node(node);
        }
        for (index, node) in self.nodes.iter().enumerate() {
            if let Kind::State { next: Some(next), .. } = node.kind {
                printer.value_of_state("next", index, node.sort, next);
            }
        }
        let kinds =
            [("bad", &self.bads), ("constraint", &self.constraints), ("output", &self.outputs)];
        for (keyword, marks) in kinds {
            marks.iter().for_each(|mark| printer.mark(keyword, mark));
        }
        f.write_str(&printer.text)
    }
}

struct Printer {
    text: String,
    /// The last number that was given.
    last: usize,
    sorts: Vec<(Sort, usize)>,
    /// The numbers of the nodes so far.
    ids: Vec<usize>,
}

impl Printer {
    fn line(&mut self, words: std::fmt::Arguments<'_>, symbol: Option<&str>) -> usize {
        self.last += 1;
        let (blank, symbol) = if let Some(symbol) = symbol { (" ", symbol) } else { ("", "") };
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{} {words}{blank}{symbol}", self.last);
        self.last
    }

    fn sort(&mut self, sort: Sort) -> usize {
        if let Some((_, id)) = self.sorts.iter().find(|(known, _)| *known == sort) {
            return *id;
        }
        let id = match sort {
            Sort::Bits(width) => self.line(format_args!("sort bitvec {width}"), None),
            Sort::Array(index, element) => {
                let (index, element) =
                    (self.sort(Sort::Bits(index)), self.sort(Sort::Bits(element)));
                self.line(format_args!("sort array {index} {element}"), None)
            }
        };
        self.sorts.push((sort, id));
        id
    }

    fn operand(&self, operand: Ref) -> String {
        let sign = if operand.is_negated { "-" } else { "" };
        format!("{sign}{}", self.ids[operand.node])
    }

    fn node(&mut self, node: &super::Node) {
        let (sort, symbol) = (self.sort(node.sort), node.symbol.as_deref());
        let id = match &node.kind {
            Kind::Input => self.line(format_args!("input {sort}"), symbol),
            Kind::State { .. } => self.line(format_args!("state {sort}"), symbol),
            Kind::Const(value) => self.line(format_args!("constd {sort} {value}"), symbol),
            Kind::Apply(operator, operands) => {
                let operands: Vec<String> =
                    operands.iter().map(|operand| self.operand(*operand)).collect();
                let indices = match operator {
                    Operator::Sext(bits) | Operator::Uext(bits) => format!(" {bits}"),
                    Operator::Slice(high, low) => format!(" {high} {low}"),
                    _ => String::new(),
                };
                let words = format!("{} {sort} {}{indices}", operator.name(), operands.join(" "));
                self.line(format_args!("{words}"), symbol)
            }
        };
        self.ids.push(id);
        if let Kind::State { init: Some(init), .. } = node.kind {
            self.value_of_state("init", self.ids.len() - 1, node.sort, init);
        }
    }

    fn value_of_state(&mut self, keyword: &str, state: usize, sort: Sort, value: Ref) {
        let (sort, state, value) = (self.sort(sort), self.ids[state], self.operand(value));
        self.line(format_args!("{keyword} {sort} {state} {value}"), None);
    }

    fn mark(&mut self, keyword: &str, mark: &Mark) {
        let value = self.operand(mark.value);
        self.line(format_args!("{keyword} {value}"), mark.symbol.as_deref());
    }
}
