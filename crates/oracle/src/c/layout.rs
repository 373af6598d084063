//! Random structures and unions with bit-fields, attributes and pragmas, as gcc accepts them.

use std::fmt::Write;

use crate::Random;

/// A structure or union of a text.
#[derive(Clone, Debug)]
pub struct Record {
    /// `struct S3` or `union S3`.
    pub name: String,
    /// The named members, those of unnamed structures included.
    pub members: Vec<Member>,
}

/// A member of a record.
#[derive(Clone, Debug)]
pub struct Member {
    /// The name of the member.
    pub name: String,
    /// Whether it is a bit-field, which has no address.
    pub is_field: bool,
}

/// A C text, and the records in it that are to be compared.
#[derive(Clone, Debug)]
pub struct Layouts {
    /// Declarations of types only.
    pub text: String,
    /// The records in the order of their definitions.
    pub records: Vec<Record>,
}

/// Types of members, with the widths of those that bit-fields may have.
const TYPES: [(&str, u32); 20] = [
    ("char", 8),
    ("signed char", 8),
    ("unsigned char", 8),
    ("short", 16),
    ("unsigned short", 16),
    ("int", 32),
    ("unsigned", 32),
    ("long long", 64),
    ("unsigned long long", 64),
    ("_Bool", 1),
    ("enum narrow", 8),
    ("enum usual", 32),
    ("low", 32),
    ("high", 16),
    ("long", 32),
    ("unsigned long", 32),
    ("float", 0),
    ("double", 0),
    ("long double", 0),
    ("void *", 0),
];

/// What the types above need. Type names with another alignment have no arrays: their elements would not fit.
const BEFORE: &str = "\
enum narrow { N0, N1 = 200 } __attribute__((packed));
enum usual { U0, U1 = -5 };
typedef int low __attribute__((aligned(2)));
typedef short high __attribute__((aligned(8)));
typedef long long wide __attribute__((aligned(16)));
typedef double lowest __attribute__((aligned(1)));
typedef struct { char a; int b; } pair __attribute__((aligned(16)));
";

/// Types that are no arithmetic ones, or never those of bit-fields.
const OTHERS: [&str; 4] = ["wide", "lowest", "pair", "int (*)(void)"];

/// Makes a text with so many records.
pub fn layouts(random: &mut Random, n_records: usize) -> Layouts {
    let mut generator = Generator { random, text: BEFORE.into(), records: Vec::new(), n_names: 0 };
    for i in 0..n_records {
        generator.record(i);
    }
    Layouts { text: generator.text, records: generator.records }
}

struct Generator<'r> {
    random: &'r mut Random,
    text: String,
    records: Vec<Record>,
    n_names: usize,
}

impl Generator<'_> {
    fn record(&mut self, number: usize) {
        let pack = self.random.chance(35).then(|| *self.random.pick(&[1, 2, 4, 8, 16]));
        let end = pack.map(|pack| self.start_pack(pack));
        let kind = if self.random.chance(80) { "struct" } else { "union" };
        let (before, after) = match (self.type_attribute(), self.random.chance(50)) {
            (attribute, true) => (attribute, String::new()),
            (attribute, false) => (String::new(), attribute),
        };
        let mut members = Vec::new();
        let mut body = String::new();
        for _ in 0..=self.random.below(6) {
            self.member(&mut body, &mut members, 1);
        }
        if kind == "struct" && self.random.chance(10) {
            body += "    int first; char rest[];\n";
            for name in ["first", "rest"] {
                members.push(Member { name: name.into(), is_field: false });
            }
        }
        let _ = writeln!(self.text, "{kind}{before} S{number} {{\n{body}}}{after};");
        self.text += end.unwrap_or_default();
        self.records.push(Record { name: format!("{kind} S{number}"), members });
    }

    /// Starts to limit alignments in one of the ways; what ends it is returned.
    fn start_pack(&mut self, pack: u32) -> &'static str {
        let (start, end) = match self.random.below(5) {
            0 => (format!("#pragma pack({pack})\n"), "#pragma pack()\n"),
            1 => (format!("#pragma pack(push)\n#pragma pack({pack})\n"), "#pragma pack(pop)\n"),
            2 => (format!("_Pragma(\"pack({pack})\")\n"), "_Pragma(\"pack()\")\n"),
            3 => (
                format!("#pragma pack(push, outer, 2)\n#pragma pack(push, {pack})\n"),
                "#pragma pack(pop, outer)\n",
            ),
            _ => (format!("#pragma pack(push,{pack})\n"), "#pragma pack(pop)\n"),
        };
        self.text += &start;
        end
    }

    fn type_attribute(&mut self) -> String {
        let align = *self.random.pick(&[1, 2, 4, 8, 16, 32]);
        match self.random.below(10) {
            0 | 1 => " __attribute__((packed))".into(),
            2 => format!(" __attribute__((aligned({align})))"),
            3 => format!(" __attribute__((__packed__, __aligned__({align})))"),
            4 => " __attribute__((aligned))".into(),
            _ => String::new(),
        }
    }

    fn member_attribute(&mut self) -> String {
        let align = *self.random.pick(&[1, 2, 4, 8, 16]);
        match self.random.below(12) {
            0 => " __attribute__((packed))".into(),
            1 => format!(" __attribute__((aligned({align})))"),
            2 => format!(" __attribute__((packed, aligned({align})))"),
            _ => String::new(),
        }
    }

    fn name(&mut self, members: &mut Vec<Member>, is_field: bool) -> String {
        self.n_names += 1;
        let name = format!("m{}", self.n_names);
        members.push(Member { name: name.clone(), is_field });
        name
    }

    fn member(&mut self, body: &mut String, members: &mut Vec<Member>, depth: u32) {
        match self.random.below(20) {
            0..=7 => self.field(body, members),
            8 if depth > 0 => {
                let kind = *self.random.pick(&["struct", "union"]);
                let attribute = self.type_attribute();
                let _ = writeln!(body, "    {kind}{attribute} {{");
                for _ in 0..=self.random.below(3) {
                    self.member(body, members, depth - 1);
                }
                let _ = writeln!(body, "    }}{};", self.member_attribute());
            }
            9 | 10 if !self.records.is_empty() => {
                let record = self.random.below(self.records.len());
                let ty = self.records[record].name.clone();
                // A structure that ends with an array of unknown length is in no other.
                if self.records[record].members.iter().any(|member| member.name == "rest") {
                    return;
                }
                let name = self.name(members, false);
                let attribute = self.member_attribute();
                let length = if self.random.chance(30) { "[2]" } else { "" };
                let _ = writeln!(body, "    {ty} {name}{length}{attribute};");
            }
            11 | 12 => {
                let ty = *self.random.pick(&OTHERS);
                let name = self.name(members, false);
                let attribute = self.member_attribute();
                let _ = match ty {
                    "int (*)(void)" => writeln!(body, "    int (*{name})(void){attribute};"),
                    _ => writeln!(body, "    {ty} {name}{attribute};"),
                };
            }
            _ => self.plain(body, members),
        }
    }

    fn plain(&mut self, body: &mut String, members: &mut Vec<Member>) {
        let ty = self.random.pick(&TYPES).0;
        let name = self.name(members, false);
        let is_array = !matches!(ty, "low" | "high") && self.random.chance(20);
        let length = if is_array { format!("[{}]", self.random.below(4)) } else { String::new() };
        let attribute = self.member_attribute();
        let alignas = if self.random.chance(5) { "_Alignas(16) " } else { "" };
        let _ = writeln!(body, "    {alignas}{ty} {name}{length}{attribute};");
    }

    fn field(&mut self, body: &mut String, members: &mut Vec<Member>) {
        let (ty, widest) = *self.random.pick(&TYPES[..16]);
        let width = match self.random.below(6) {
            0 => widest,
            _ => self.random.below(widest as usize) as u32 + 1,
        };
        let attribute = self.member_attribute();
        let _ = match self.random.below(10) {
            0 => writeln!(body, "    {ty} : 0{attribute};"),
            1 => writeln!(body, "    {ty} : {width}{attribute};"),
            _ => {
                let name = self.name(members, true);
                writeln!(body, "    {ty} {name} : {width}{attribute};")
            }
        };
    }
}
