//! Numbers for people.

/// A text in Markdown: neither HTML nor a break of the line or the cell.
pub(crate) fn escaped(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('|', "\\|")
}

/// A text in a cell of CSV. A spreadsheet would compute one that starts like a formula, so it gets a quote in front.
pub(crate) fn cell(text: &str) -> String {
    let is_formula =
        text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text.parse::<f64>().is_err();
    if is_formula { format!("'{text}") } else { text.into() }
}

/// A number with three significant digits, as the first paper has them (after the advice of BenchExec).
pub(crate) fn significant(number: f64) -> String {
    if number == 0.0 || !number.is_finite() {
        return "0".into();
    }
    let digits = 2 - number.abs().log10().floor() as i32;
    let scale = 10f64.powi(digits.abs());
    let rounded = if digits >= 0 {
        (number * scale).round() / scale
    } else {
        (number / scale).round() * scale
    };
    format!("{rounded:.*}", usize::try_from(digits).unwrap_or(0).min(3))
}

/// Seconds.
pub(crate) fn seconds(seconds: f64) -> String {
    significant(seconds)
}

/// Seconds at a line of a grid: powers of ten, or a few of them.
pub(crate) fn tick(seconds: f64) -> String {
    format!("{}", (seconds * 1e6).round() / 1e6)
}

/// Megabytes.
pub(crate) fn megabytes(bytes: u64) -> String {
    significant(float(bytes) / f64::from(1 << 20))
}

/// A count as a number to calculate with; counts here are far below 2⁵³.
#[expect(clippy::cast_precision_loss)]
pub(crate) fn float(count: u64) -> f64 {
    count as f64
}

/// A part of a whole, 0 if there is none.
pub(crate) fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { float(part as u64) / float(whole as u64) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_has_no_html() {
        assert_eq!(escaped("<b a='1'>x&y</b>\n| z"), "&lt;b a='1'&gt;x&amp;y&lt;/b&gt; \\| z");
    }

    #[test]
    fn cells_are_no_formulas() {
        for formula in ["=1+1", "+x", "-x", "@f", "\t=1", "\r=1", "-", "--time", "-1+2"] {
            assert_eq!(cell(formula), format!("'{formula}"));
        }
        for text in ["", "a=b", "-1", "+0.5", "-1e-3", " =1", "12"] {
            assert_eq!(cell(text), text);
        }
    }

    #[test]
    fn three_digits() {
        let pairs = [
            (0.0, "0"),
            (0.01234, "0.012"),
            (0.1234, "0.123"),
            (1.2345, "1.23"),
            (12.345, "12.3"),
            (123.45, "123"),
            (12345.0, "12300"),
            (9.999, "10.00"),
        ];
        for (number, text) in pairs {
            assert_eq!(significant(number), text);
        }
    }
}
