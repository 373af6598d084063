//! Bit-fields of every width and type: what is written is read again, and no other bit of the structure changes.
//!
//! The definition is an array of bits: a field takes the next bits, unless these cross a boundary of its type.

mod run;

use std::fmt::Write as _;

use lapidary_frontend::c::{Arith, DataModel, Options};

/// The types of fields of so many bits, and whether they are signed.
const TYPES: [(&str, usize, bool); 9] = [
    ("signed char", 8, true),
    ("unsigned char", 8, false),
    ("short", 16, true),
    ("unsigned short", 16, false),
    ("int", 32, true),
    ("unsigned", 32, false),
    ("long long", 64, true),
    ("unsigned long long", 64, false),
    ("_Bool", 8, false),
];

/// What is written, with its lowest bits.
const WRITTEN: [i64; 8] = [0, 1, -1, 5, -6, i64::MIN, i64::MAX, 0x5aa5_3cc3_0ff0_9669];

/// A field of the definition: where its bits are.
struct Field {
    name: &'static str,
    at: usize,
    width: usize,
}

/// Three fields one after the other.
fn fields(unit: usize, width: usize, ends: [usize; 2]) -> [Field; 3] {
    let mut end = 0;
    [("before", ends[0]), ("x", width), ("after", ends[1])].map(|(name, width)| {
        let at = if end / unit == (end + width - 1) / unit { end } else { (end / unit + 1) * unit };
        end = at + width;
        Field { name, at, width }
    })
}

/// A literal of `long long`.
fn literal(value: i64) -> String {
    format!("((long long)0x{value:x}ULL)")
}

/// The program for a type and a width: every write is followed by claims about all bytes and about what is read.
fn program(ty: &str, unit: usize, is_signed: bool, width: usize) -> String {
    let is_bool = ty == "_Bool";
    let ends = if is_bool { [1, 1] } else { [unit.min(6) / 2, 2] };
    let fields = fields(unit, width, ends);
    let n_bytes = fields[2].at.max(fields[1].at).max(unit - 1) / unit * unit / 8 + unit / 8;
    let mut bits = vec![false; 8 * n_bytes];
    let mut text = format!(
        "void reach_error(void);
union u {{ struct {{ {ty} before : {}; {ty} x : {width}; {ty} after : {}; }} f; unsigned char bytes[{n_bytes}]; }};
_Static_assert(sizeof(union u) == {n_bytes}, \"\");
union u u; long long w, y;\nint main(void) {{\n",
        ends[0], ends[1]
    );
    let turns = [0usize, 2, 1].into_iter().cycle().zip(WRITTEN.iter().cycle()).take(12);
    let writes = WRITTEN.iter().map(|value| (1, value)).chain(turns);
    for (i, value) in writes {
        let field = &fields[i];
        let written = if is_bool { i64::from(*value != 0) } else { *value };
        for bit in 0..field.width {
            bits[field.at + bit] = written >> bit & 1 == 1;
        }
        let _ = write!(text, "w = {}; u.f.{} = w;", literal(*value), field.name);
        for (byte, bits) in bits.chunks(8).enumerate() {
            let expected = bits.iter().rev().fold(0, |value, bit| 2 * value + u32::from(*bit));
            let _ = write!(text, " if (u.bytes[{byte}] != {expected}) reach_error();");
        }
        for field in &fields {
            let of_field = |bit: usize| bits[field.at + bit.min(field.width - 1)];
            let top = is_signed && of_field(field.width - 1);
            let is_set = |bit: usize| if bit < field.width { of_field(bit) } else { top };
            let expected = (0..64).fold(0i64, |value, bit| value | i64::from(is_set(bit)) << bit);
            let _ = write!(
                text,
                " y = u.f.{}; if (y != {}) reach_error();",
                field.name,
                literal(expected)
            );
        }
        text.push('\n');
    }
    text + "return 0; }\n"
}

#[test]
fn what_is_written_is_read_and_no_other_bit_changes() {
    for (ty, unit, is_signed) in TYPES {
        let most = if ty == "_Bool" { 1 } else { unit };
        for width in (1..=most).filter(|width| unit < 64 || width % 3 == 1 || *width > 60) {
            let text = program(ty, unit, is_signed, width);
            for arith in [Arith::Bv, Arith::Int] {
                let options = Options { model: DataModel::Lp64, arith, ..Options::default() };
                if let Err(failure) = run::run(&text, &options) {
                    panic!("{ty} : {width} in {arith:?}: {failure}\n{text}");
                }
            }
        }
    }
}
