//! The layouts of all structures and unions of a program, for tests and tools.

use super::parse::{headers, lexer};
use crate::c::parse::{self, Parsed};
use crate::c::types::{DataModel, Type, TypeId, Types};
use crate::source::{ParseError, SourceFile};

/// A structure or union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordLayout {
    /// Its tag; empty if it has none.
    pub name: String,
    /// The size in bytes.
    pub size: u64,
    /// The alignment in bytes.
    pub align: u64,
    /// The named members in their order, those of unnamed structures and unions included.
    pub members: Vec<MemberLayout>,
}

/// A member of a structure or union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberLayout {
    /// The name of the member.
    pub name: String,
    /// Where it starts, in bits.
    pub position: u64,
    /// The width of a bit-field.
    pub width: Option<u32>,
}

/// The structures and unions that a program defines, in the order of their first mention.
pub fn record_layouts(
    source: &SourceFile,
    model: DataModel,
) -> Result<Vec<RecordLayout>, ParseError> {
    read(source, model).map_err(|error| *error)
}

fn read(source: &SourceFile, model: DataModel) -> Parsed<Vec<RecordLayout>> {
    let tokens = lexer::tokens(source)?;
    let has_headers = headers::check(source, &tokens)?;
    let types = crate::c::types::Types::new(model, None);
    let program = parse::program(source, tokens, types, has_headers)?;
    let mut types = program.types;
    let mut layouts = Vec::new();
    for i in 0..types.records.len() {
        let ty = types.id(Type::Record(i as u32));
        let mut members = Vec::new();
        add_members(&types, ty, 0, &mut members);
        let record = &types.records[i];
        if record.members.is_some() {
            let (name, size, align) = (record.name.clone(), record.size, record.align);
            layouts.push(RecordLayout { name, size, align, members });
        }
    }
    Ok(layouts)
}

fn add_members(types: &Types, ty: TypeId, from: u64, members: &mut Vec<MemberLayout>) {
    for member in types.members(ty).unwrap_or_default() {
        let position = from + 8 * member.offset;
        match member.name.is_empty() {
            true => add_members(types, member.ty, position, members),
            false => {
                let (first, width) = member.bits.map_or((0, None), |(first, n)| (first, Some(n)));
                let (name, position) = (member.name.clone(), position + u64::from(first));
                members.push(MemberLayout { name, position, width });
            }
        }
    }
}
