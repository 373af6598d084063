//! The layout of random structures and unions against gcc: sizes, alignments, offsets, and the bits of each bit-field.
//!
//! gcc only writes assembly, so that 32 bits need no libraries. `LAPIDARY_LAYOUTS=50000` is the longer run.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::process::{Command, Stdio};

use lapidary_frontend::SourceFile;
use lapidary_frontend::c::{DataModel, RecordLayout, record_layouts};
use lapidary_oracle::Random;
use lapidary_oracle::c::layout::{Layouts, layouts};

/// How many records a text has.
const BATCH: usize = 25;

/// The bytes of each object in gcc's assembly; none if there is no gcc.
fn assembled(text: &str, model: DataModel) -> Option<BTreeMap<String, Vec<u8>>> {
    #[expect(clippy::disallowed_methods, reason = "gcc is what we compare with")]
    let mut command = Command::new("gcc");
    command.args(["-w", "-std=gnu11", "-S", "-o", "-", "-x", "c", "-"]);
    command.arg(format!("-m{}", model.word()));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let Ok(mut child) = command.spawn() else {
        let _ = writeln!(io::stderr(), "SKIPPED: there is no gcc to compare with");
        return None;
    };
    let (mut input, text) = (child.stdin.take().expect("it is piped"), text.to_string());
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("gcc ends");
    let _ = writer.join();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(objects(&String::from_utf8_lossy(&output.stdout)))
}

/// Reads the data in assembly.
fn objects(assembly: &str) -> BTreeMap<String, Vec<u8>> {
    let mut objects: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let mut name = String::new();
    for line in assembly.lines() {
        if let Some(label) = line.strip_suffix(':') {
            name = label.into();
            continue;
        }
        let Some((directive, value)) = line.trim().split_once('\t') else { continue };
        let size = match directive {
            ".byte" => 1,
            ".value" => 2,
            ".long" => 4,
            ".quad" => 8,
            ".zero" => 0,
            _ => continue,
        };
        let value: i128 = value.parse().expect("a number");
        let bytes = objects.entry(name.clone()).or_default();
        match size {
            0 => bytes.extend(std::iter::repeat_n(0, usize::try_from(value).expect("a length"))),
            _ => bytes.extend(&value.to_le_bytes()[..size]),
        }
    }
    objects
}

/// The text with objects that tell the layouts.
fn questions(layouts: &Layouts) -> String {
    let mut text = layouts.text.clone();
    for (i, record) in layouts.records.iter().enumerate() {
        let name = &record.name;
        let _ =
            write!(text, "const unsigned long long v{i}[] = {{ sizeof({name}), _Alignof({name})");
        for member in record.members.iter().filter(|member| !member.is_field) {
            let _ = write!(text, ", __builtin_offsetof({name}, {})", member.name);
        }
        text += ", 1 };\n";
        for member in record.members.iter().filter(|member| member.is_field) {
            let field = &member.name;
            let _ = writeln!(text, "{name} f{i}{field} = {{ .{field} = ~0 }};");
        }
    }
    text
}

/// What gcc says, written like our own layouts.
fn expected(layouts: &Layouts, objects: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let mut all = Vec::new();
    for (i, record) in layouts.records.iter().enumerate() {
        let number = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
        let mut numbers = objects[&format!("v{i}")].chunks(8).map(number);
        let (size, align) =
            (numbers.next().expect("a size"), numbers.next().expect("an alignment"));
        let mut text = format!("{} size {size} align {align}", record.name);
        for member in &record.members {
            let name = &member.name;
            if member.is_field {
                let bytes = &objects[&format!("f{i}{name}")];
                let bits = (0..8 * bytes.len() as u64)
                    .filter(|bit| bytes[(bit / 8) as usize] >> (bit % 8) & 1 == 1);
                let bits: Vec<u64> = bits.collect();
                let _ = write!(text, " {name}@{}:{}", bits[0], bits.len());
            } else {
                let _ = write!(text, " {name}@{}", 8 * numbers.next().expect("an offset"));
            }
        }
        all.push(text);
    }
    all
}

fn shown(record: &RecordLayout, name: &str) -> String {
    let mut text = format!("{name} size {} align {}", record.size, record.align);
    for member in &record.members {
        let _ = write!(text, " {}@{}", member.name, member.position);
        if let Some(width) = member.width {
            let _ = write!(text, ":{width}");
        }
    }
    text
}

fn computed(layouts: &Layouts, model: DataModel) -> Vec<String> {
    let source = SourceFile::new("layout.c", layouts.text.as_str());
    let all =
        record_layouts(&source, model).unwrap_or_else(|error| panic!("{error}\n{}", layouts.text));
    let named = |name: &str| {
        let tag = name.split(' ').nth(1).expect("a tag");
        shown(all.iter().find(|record| record.name == tag).expect("it is defined"), name)
    };
    layouts.records.iter().map(|record| named(&record.name)).collect()
}

#[test]
fn layouts_are_those_of_gcc() {
    let wanted =
        std::env::var("LAPIDARY_LAYOUTS").ok().and_then(|n| n.parse().ok()).unwrap_or(2_500);
    let mut wrong = Vec::new();
    for seed in 0..usize::div_ceil(wanted, BATCH) {
        let layouts = layouts(&mut Random::new(seed as u64), BATCH);
        for model in [DataModel::Ilp32, DataModel::Lp64] {
            let Some(objects) = assembled(&questions(&layouts), model) else { return };
            let expected = expected(&layouts, &objects);
            let pairs = computed(&layouts, model).into_iter().zip(expected);
            let differ = pairs.filter(|(ours, theirs)| ours != theirs);
            wrong.extend(differ.map(|(ours, theirs)| {
                let definition = definition(&layouts.text, &ours);
                let model = model.name();
                format!("{model} seed {seed}\n{definition}ours  {ours}\ngcc's {theirs}\n")
            }));
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// The definition of the record whose layout is shown.
fn definition<'t>(text: &'t str, shown: &str) -> &'t str {
    let tag = shown.split(' ').nth(1).unwrap_or_default();
    let at = text.find(&format!(" {tag} {{")).unwrap_or_default();
    let start = text[..at].trim_end_matches(|c| c != '}').len();
    let end = text[at..].find("\n}").map_or(text.len(), |end| at + end + 2);
    &text[start..text[end..].find('\n').map_or(end, |line| end + line + 1)]
}
