//! A source with all of its mutants in it: which one counts is decided when it runs.

use std::ops::Range;

use crate::points::Point;

/// A part of the new text that belongs to a mutant, or to all mutants of a point.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The bytes in the new text.
    pub(crate) range: Range<usize>,
    /// The mutants.
    pub(crate) numbers: Vec<u32>,
}

/// The new text, and what is where in it.
#[derive(Debug, Default)]
pub(crate) struct Rewritten {
    pub(crate) text: String,
    pub(crate) places: Vec<Place>,
}

impl Rewritten {
    /// The mutants to which a part of the new text belongs: those of the smallest place around it, or else of all
    /// places in it.
    pub(crate) fn owners(&self, part: &Range<usize>) -> Vec<u32> {
        let around = self
            .places
            .iter()
            .filter(|place| place.range.start <= part.start && part.end <= place.range.end);
        if let Some(place) = around.min_by_key(|place| place.range.len()) {
            return place.numbers.clone();
        }
        let inside = self
            .places
            .iter()
            .filter(|place| part.start <= place.range.start && place.range.end <= part.end);
        inside.flat_map(|place| place.numbers.iter().copied()).collect()
    }
}

/// Writes each point as a choice between what it was and its changes. A change has the unchanged text of what is
/// inside: only one mutant counts at a time, so that nothing is lost and the text stays small.
pub(crate) fn rewrite(source: &str, points: &[Point]) -> Rewritten {
    let mut out = Rewritten::default();
    let mut writer = Writer { source, points, next: 0, out: &mut out };
    writer.copy(0..source.len());
    out
}

struct Writer<'a> {
    source: &'a str,
    points: &'a [Point],
    next: usize,
    out: &'a mut Rewritten,
}

impl Writer<'_> {
    /// Writes a part of the source with its points.
    fn copy(&mut self, part: Range<usize>) {
        let mut at = part.start;
        while let Some(point) = self.points.get(self.next) {
            if point.range.start >= part.end {
                break;
            }
            self.next += 1;
            self.out.text.push_str(&self.source[at..point.range.start]);
            self.choice(point);
            at = point.range.end;
        }
        self.out.text.push_str(&self.source[at..part.end]);
    }

    fn choice(&mut self, point: &Point) {
        if point.changes.is_empty() {
            self.copy(point.range.clone());
            return;
        }
        let start = self.out.text.len();
        if !point.is_statement {
            self.out.text.push('(');
        }
        for change in &point.changes {
            let branch = self.out.text.len();
            self.out.text.push_str(&format!("if crate::mutation::is({}) {{ ", change.number));
            self.out.text.push_str(&change.text);
            self.out.text.push_str(" }");
            let range = branch..self.out.text.len();
            self.out.places.push(Place { range, numbers: vec![change.number] });
            self.out.text.push_str(" else ");
        }
        self.out.text.push_str("{ ");
        self.copy(point.range.clone());
        self.out.text.push_str(if point.is_statement { " }" } else { " })" });
        let numbers = point.changes.iter().map(|change| change.number).collect();
        self.out.places.push(Place { range: start..self.out.text.len(), numbers });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::points::points;

    fn numbered(source: &str) -> Vec<Point> {
        let mut points = points(source).unwrap();
        let mut number = 0;
        for change in points.iter_mut().flat_map(|point| &mut point.changes) {
            number += 1;
            change.number = number;
        }
        points
    }

    #[test]
    fn choices_nest() {
        let source = "fn f(a: u8) -> bool { a + 1 < 3 }";
        let text = rewrite(source, &numbered(source)).text;
        let outer = "(if crate::mutation::is(1) { (a + 1) <= (3) } else if crate::mutation::is(2) { (a + 1) >= (3) } else { ";
        assert!(text.contains(outer), "{text}");
        assert!(text.contains("(if crate::mutation::is(3) { (a) - (1) } else { a + (if"), "{text}");
        assert!(syn::parse_file(&text).is_ok(), "{text}");
    }

    #[test]
    fn an_error_belongs_to_the_smallest_place() {
        let source = "fn f(a: u8) -> bool { a + 1 < 3 }";
        let rewritten = rewrite(source, &numbered(source));
        let at = rewritten.text.find("(a) - (1)").unwrap();
        assert_eq!(rewritten.owners(&(at..at + 9)), [3]);
        assert_eq!(rewritten.owners(&(at - 4..at - 2)), [3]);
        let all = rewritten.owners(&(0..rewritten.text.len()));
        assert!((1..=7).all(|number| all.contains(&number)), "{all:?}");
    }

    #[test]
    fn bindings_types_patterns_and_tests_stay() {
        for source in [
            "const A: [u8; 3] = [1; 3];",
            "fn f(a: Option<u8>) { if let Some(1..3) = a && let Some(_) = a { } }",
            "#[cfg(test)] mod tests { fn f() -> u8 { 1 + 1 } }",
            "const fn f() -> u8 { 1 + 1 }",
            "fn f() { let _: [u8; 2]; assert!(1 < 2); }",
        ] {
            assert!(points(source).unwrap().is_empty(), "{source}");
        }
    }

    #[test]
    fn every_operator() {
        let source = "fn f(a: bool, b: bool) { if a && !b { g(1)?; } x += y.max(z) % w; }";
        let changes: Vec<_> = numbered(source)
            .into_iter()
            .flat_map(|point| point.changes)
            .map(|change| format!("{}: {} -> {}", change.operator, change.from, change.to))
            .collect();
        let expected = [
            "condition: a && !b -> !(a && !b)",
            "connective: && -> ||",
            "negation: !b -> b",
            "statement: g(1)?; -> nothing",
            "number: 1 -> 2",
            "number: 1 -> 0",
            "assignment: += -> -=",
            "arithmetic: % -> /",
            "method: max -> min",
        ];
        assert_eq!(changes, expected);
    }
}
