//! Objects as variables of the automaton: one for each scalar part, an array where a part is repeated.

pub(in crate::c) mod slots;

use crate::c::types::Rank;
use crate::c::types::parts::{Key, is_union};
use lapidary_expr::{Sort, Term, Var};
use rustc_hash::FxHashMap;

use crate::c::flat::{Flat, Object, ObjectId};
use crate::c::lower::arith::Numbers;
use crate::c::lower::layout::slots::{Ghosts, Mark, Slots};
use crate::c::types::{IntType, Type, TypeId, Types};

/// A scalar part of an object, or a union as a whole.
#[derive(Clone, Debug)]
pub(in crate::c) struct Leaf {
    pub(in crate::c) keys: Vec<Key>,
    pub(in crate::c) var: Var,
    /// What a value is; that of a pointer is its address, that of a union its bits.
    pub(in crate::c) int: IntType,
    pub(in crate::c) is_union: bool,
    /// Whether it is one of many, in an array.
    pub(in crate::c) is_repeated: bool,
    /// How many there are.
    pub(in crate::c) count: u64,
    /// What people call the type.
    pub(in crate::c) ty: TypeId,
    /// What its value satisfies whatever it is; none if that is nothing, or if there are many.
    pub(in crate::c) range: Option<Term>,
    /// Of a region: how elements are written that have no value yet.
    pub(in crate::c) mark: Option<Mark>,
}

/// An object in memory.
#[derive(Clone, Debug)]
pub(in crate::c) struct Layout {
    pub(in crate::c) leaves: Vec<Leaf>,
    /// Where it starts. Real addresses differ, but nothing depends on them.
    pub(in crate::c) address: i128,
    /// What belongs to it besides its parts.
    pub(in crate::c) ghosts: Ghosts,
    index: FxHashMap<Vec<Key>, usize>,
}

impl Layout {
    pub(in crate::c) fn leaf(&self, keys: &[Key]) -> Option<&Leaf> {
        self.index.get(keys).map(|leaf| &self.leaves[*leaf])
    }

    /// Whether a part lies inside a leaf, which is a union then.
    pub(in crate::c) fn is_inside_leaf(&self, keys: &[Key]) -> bool {
        (0..keys.len()).any(|n| self.index.contains_key(&keys[..n]))
    }

    /// The leaves of a part.
    pub(in crate::c) fn below<'l>(&'l self, keys: &'l [Key]) -> impl Iterator<Item = &'l Leaf> {
        self.leaves.iter().filter(move |leaf| leaf.keys.starts_with(keys))
    }
}

/// Arrays up to this length become variables of their own if no index is computed.
pub(in crate::c) const LONGEST_SPLIT: u64 = 64;

/// An object that would have more parts is not split.
const MOST_SPLIT: u64 = 1 << 14;

/// The first address that is used; below it are addresses that programs use as marks.
pub(in crate::c) const FIRST_ADDRESS: u64 = 0x1_0000;
/// So are the last addresses.
pub(in crate::c) const N_LAST_MARKS: u64 = 0x1000;
/// Objects keep a distance, so that the end of one is not the start of another.
const DISTANCE: u64 = 64;

/// Lays out all objects. Those in `split` have no computed index; those with a slot are in that.
pub(in crate::c) fn layouts(
    flat: &Flat,
    types: &Types,
    numbers: Numbers,
    split: &[bool],
    slots: &Slots,
) -> Vec<Layout> {
    let mut next = FIRST_ADDRESS;
    let mut all = Vec::with_capacity(flat.objects.len());
    for (i, (object, is_split)) in flat.objects.iter().zip(split).enumerate() {
        let mut leaves = Vec::new();
        let is_split = *is_split && n_split(types, object.ty) <= MOST_SPLIT;
        let region = object.region.map(|region| &flat.regions[region as usize]);
        let is_marked = region.is_some_and(|region| !region.is_zeroed);
        let mut walk = Walk { types, numbers, is_split, is_marked, leaves: &mut leaves };
        walk.part(object.ty, &mut Vec::new(), &object.name, None);
        let index = leaves.iter().enumerate().map(|(i, leaf)| (leaf.keys.clone(), i)).collect();
        let address = slots.address(ObjectId(i as u32)).unwrap_or(i128::from(next));
        let ghosts = Ghosts::of(object, region, numbers.sort(types.long(true)));
        all.push(Layout { leaves, address, ghosts, index });
        if !object.has_slot() {
            next = after(types, next, object);
        }
    }
    all
}

/// How many parts an object of a type has if its short arrays are split.
fn n_split(types: &Types, ty: TypeId) -> u64 {
    match types.get(ty) {
        Type::Record(_) if !is_union(types, ty) => {
            let members = types.members(ty).unwrap_or_default().iter();
            members.fold(0, |sum, member| n_split(types, member.ty).saturating_add(sum))
        }
        Type::Array(element, length) => {
            let length = length.filter(|length| *length <= LONGEST_SPLIT);
            n_split(types, *element).saturating_mul(length.unwrap_or(1))
        }
        _ => 1,
    }
}

/// The addresses of functions come after those of all objects.
pub(in crate::c) fn function_address(flat: &Flat, types: &Types, function: u32) -> u64 {
    let fixed = flat.objects.iter().filter(|object| !object.has_slot());
    let end = fixed.fold(FIRST_ADDRESS, |next, object| after(types, next, object));
    end + 16 * u64::from(function)
}

/// The first address that is free after an object.
fn after(types: &Types, address: u64, object: &Object) -> u64 {
    (address + types.size(object.ty).unwrap_or(1) + DISTANCE).next_multiple_of(16)
}

/// Whether there are addresses for all objects and functions.
pub(in crate::c) fn has_room(flat: &Flat, types: &Types) -> bool {
    let is_endless = |object: &Object| {
        let is_array = matches!(types.get(object.ty), Type::Array(_, Some(_)));
        is_array && !types.is_variable(object.ty) && types.size(object.ty).is_none()
    };
    let end = u128::from(function_address(flat, types, flat.n_functions));
    let mut fixed = flat.objects.iter().filter(|object| !object.has_slot());
    end <= 1 << types.long(false).width && !fixed.any(is_endless)
}

/// Whether a type has parts that are modelled.
pub(in crate::c) fn has_parts(types: &Types, ty: TypeId) -> bool {
    match types.get(ty) {
        Type::Int(_) | Type::Pointer(_) => true,
        Type::Float(_) => !types.is_unmodelled(ty),
        Type::Record(_) if is_union(types, ty) => has_leaf(types, ty),
        Type::Record(_) => {
            let members = types.members(ty).unwrap_or_default();
            members.iter().any(|member| has_parts(types, member.ty))
        }
        Type::Array(element, length) => *length != Some(0) && has_parts(types, *element),
        Type::Void | Type::Variable(_) | Type::Function(_) | Type::Opaque(_) => false,
    }
}

/// Whether a union is small enough to be a leaf.
fn has_leaf(types: &Types, union: TypeId) -> bool {
    (1..=1 << 12).contains(&types.size(union).unwrap_or(0))
}

struct Walk<'a> {
    types: &'a Types,
    numbers: Numbers,
    is_split: bool,
    is_marked: bool,
    leaves: &'a mut Vec<Leaf>,
}

impl Walk<'_> {
    /// Adds the leaves of a part; `repeated` is how often it occurs, if it is in an array.
    fn part(&mut self, ty: TypeId, keys: &mut Vec<Key>, name: &str, repeated: Option<u64>) {
        match self.types.get(ty) {
            Type::Int(int) => self.leaf(ty, *int, keys, name, repeated),
            Type::Pointer(_) => {
                let address = IntType::address(self.types.long(false).width);
                self.leaf(ty, address, keys, name, repeated);
            }
            Type::Float(bytes) => {
                if let Some(float) = IntType::float(*bytes) {
                    self.leaf(ty, float, keys, name, repeated);
                }
            }
            Type::Record(_) if is_union(self.types, ty) => {
                if has_leaf(self.types, ty) {
                    let bytes = self.types.size(ty).unwrap_or(0);
                    let bits =
                        IntType { width: bytes as u32 * 8, signed: false, rank: Rank::Union };
                    self.leaf(ty, bits, keys, name, repeated);
                }
            }
            Type::Record(_) => {
                let members = self.types.members(ty).unwrap_or_default();
                for (i, member) in members.iter().enumerate() {
                    let name = format!("{name}.{}", member.name);
                    keys.push(Key::Member(i as u32));
                    match (member.bits, self.types.as_int(member.ty)) {
                        (Some((_, width)), Some(int)) => {
                            self.leaf(member.ty, int.narrowed(width), keys, &name, repeated);
                        }
                        _ => self.part(member.ty, keys, &name, repeated),
                    }
                    keys.pop();
                }
            }
            Type::Array(element, Some(length)) if self.is_split && *length <= LONGEST_SPLIT => {
                for i in 0..*length {
                    keys.push(Key::Member(i as u32));
                    self.part(*element, keys, &format!("{name}[{i}]"), repeated);
                    keys.pop();
                }
            }
            Type::Array(element, length) => {
                keys.push(Key::Element);
                let count = length.unwrap_or(0).saturating_mul(repeated.unwrap_or(1));
                self.part(*element, keys, name, Some(count));
                keys.pop();
            }
            Type::Void | Type::Variable(_) | Type::Function(_) | Type::Opaque(_) => {}
        }
    }

    fn leaf(&mut self, ty: TypeId, int: IntType, keys: &[Key], name: &str, repeated: Option<u64>) {
        let is_union = int.rank == Rank::Union;
        let plain = if is_union { Sort::Bv(int.width) } else { self.numbers.sort(int) };
        let index = self.numbers.sort(self.types.long(true));
        let mark = self.is_marked.then(|| Mark::of(int, plain, index, name));
        let element = mark.map_or(plain, |mark| mark.value.sort());
        let sort = match repeated {
            Some(_) => Sort::array(index, element),
            None => element,
        };
        let var = Var::new(name, sort);
        let range = match repeated.is_some() || is_union {
            true => None,
            false => self.numbers.in_range(Term::var(var), int),
        };
        self.leaves.push(Leaf {
            keys: keys.to_vec(),
            var,
            int,
            is_union,
            is_repeated: repeated.is_some(),
            count: repeated.unwrap_or(1),
            ty,
            range,
            mark,
        });
    }
}
