//! Where the lines of a preprocessed text come from, as its line markers say: `# 12 "file.h" 1`.

use std::path::Path;

/// A line marker.
#[derive(Clone, Debug)]
struct Marker {
    /// The first line that it is about, in the text.
    line: u32,
    /// The line in the file.
    original: u32,
    file: String,
}

/// The markers of a text, in its order; none for a text that is its own origin.
#[derive(Clone, Debug, Default)]
pub(super) struct Origins(Vec<Marker>);

impl Origins {
    /// Reads the markers of a text.
    pub(super) fn of(text: &str) -> Origins {
        let lines = text.lines().zip(1..);
        Origins(lines.filter_map(|(text, line)| marker(text, line + 1)).collect())
    }

    /// Adds where the lines come from that start at one; they follow all others.
    pub(super) fn add(&mut self, line: u32, file: &str, original: u32) {
        self.0.push(Marker { line, original, file: file.into() });
    }

    /// The file and the line there that a line of the text comes from, if markers tell.
    pub(super) fn origin(&self, line: u32) -> Option<(&str, u32)> {
        let after = self.0.partition_point(|marker| marker.line <= line);
        let marker = &self.0[after.checked_sub(1)?];
        Some((&marker.file, marker.original.saturating_add(line - marker.line)))
    }
}

fn marker(text: &str, line: u32) -> Option<Marker> {
    let rest = text.strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let (number, rest) = rest.split_once(' ')?;
    let original = number.parse().ok()?;
    let quoted = rest.trim_start().strip_prefix('"')?;
    let mut file = String::new();
    let mut letters = quoted.chars();
    loop {
        match letters.next()? {
            '"' => break,
            '\\' => file.push(letters.next()?),
            letter => file.push(letter),
        }
    }
    Some(Marker { line, original, file })
}

/// Whether two names are those of one file, as far as names tell.
pub(super) fn is_same(a: &str, b: &str) -> bool {
    let plain = |name: &str| Path::new(name).components().collect::<std::path::PathBuf>();
    plain(a) == plain(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_tell_file_and_line() {
        let text = "# 0 \"a.c\"\n# 1 \"a.c\"\nint x;\n# 7 \"b \\\"q.h\" 1 3\nint y;\n\nint z;\n# 2 \"a.c\" 2\nint u;";
        let origins = Origins::of(text);
        let check = |line, expected| assert_eq!(origins.origin(line), Some(expected), "{line}");
        check(3, ("a.c", 1));
        check(5, ("b \"q.h", 7));
        check(7, ("b \"q.h", 9));
        check(9, ("a.c", 2));
        assert_eq!(Origins::of("int x;").origin(1), None);
        assert_eq!(Origins::of("# pragma once\n#define A\n# 5").origin(3), None);
    }
}
