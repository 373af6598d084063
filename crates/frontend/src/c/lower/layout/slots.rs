//! Addresses of allocated memory, and what regions have besides their parts.
//!
//! Every instance of a region has a slot of addresses to itself, with the instance in its middle, so that a pointer that leaves
//! its instance a little is in no other one. Slots are dealt to regions in turn; in integers there is no end to them.

use lapidary_expr::{IBig, Op as TermOp, Sort, Term, Var};

use crate::c::flat::{Flat, Object, ObjectId, Region};

use crate::c::lower::layout::{Leaf, N_LAST_MARKS, function_address};
use crate::c::types::{IntType, Types};

/// How addresses are dealt.
#[derive(Clone, Debug)]
pub(in crate::c) struct Slots {
    /// Where the first slot starts.
    pub(in crate::c) first: i128,
    /// The size of a slot, a power of two.
    pub(in crate::c) size: i128,
    /// The objects with slots: regions, and objects of a computed length.
    objects: Vec<ObjectId>,
    /// The largest instance.
    pub(in crate::c) largest: i128,
    /// The first address after all, if there is one.
    pub(in crate::c) end: Option<i128>,
}

impl Slots {
    /// Deals slots; `is_bounded` if addresses must fit into their type.
    pub(in crate::c) fn of(flat: &Flat, types: &Types, is_bounded: bool) -> Slots {
        let objects: Vec<ObjectId> = (0..flat.objects.len() as u32)
            .map(ObjectId)
            .filter(|object| flat.objects[object.index()].has_slot())
            .collect();
        let width = types.long(false).width;
        let largest = match (constant_size(flat, types), is_bounded, width) {
            (Some(bytes), ..) => i128::from(bytes),
            (None, false, 32) | (None, true, 64) => 1 << 31,
            (None, true, _) => 1 << 18,
            (None, false, _) => 1 << 47,
        };
        let size = (4 * largest.max(16)).unsigned_abs().next_power_of_two().cast_signed();
        let after = i128::from(function_address(flat, types, flat.n_functions));
        let first = (after + size - 1) / size * size;
        let end = is_bounded.then(|| (1i128 << width) - i128::from(N_LAST_MARKS));
        Slots { first, size, objects, largest, end }
    }

    fn number(&self, object: ObjectId) -> Option<i128> {
        self.objects.iter().position(|other| *other == object).map(|number| number as i128)
    }

    /// Where an object starts, or the first instance of a region.
    pub(in crate::c) fn address(&self, object: ObjectId) -> Option<i128> {
        Some(self.first + self.number(object)? * self.size + self.before())
    }

    /// The distance of an instance from the start of its slot.
    pub(in crate::c) fn before(&self) -> i128 {
        self.size / 4
    }

    /// The distance between instances of a region, a power of two.
    pub(in crate::c) fn stride(&self) -> i128 {
        self.size * self.objects.len().next_power_of_two() as i128
    }
}

/// The size of the largest instance, if all sizes are constant.
fn constant_size(flat: &Flat, types: &Types) -> Option<u64> {
    if flat.objects.iter().any(|object| object.has_slot() && object.length.is_some()) {
        return None;
    }
    let mut sizes = flat.regions.iter().map(|region| {
        let element = types.size(region.element)?;
        region.bytes.map(|bytes| bytes.max(element)).filter(|bytes| *bytes < 1 << 30)
    });
    sizes.try_fold(0, |largest, size| Some(size?.max(largest)))
}

/// Elements of a region that have no value yet.
#[derive(Clone, Copy, Debug)]
pub(in crate::c) struct Mark {
    /// What is written there: no value of the type.
    pub(in crate::c) value: Term,
    /// The values that are read there; none of addresses, which are not read before they are set.
    pub(in crate::c) initial: Option<Var>,
    /// Whether elements have one bit more than their type.
    pub(in crate::c) is_wider: bool,
}

impl Mark {
    /// The mark for values of a type.
    pub(in crate::c) fn of(int: IntType, plain: Sort, index: Sort, name: &str) -> Mark {
        let is_address = int.is_address();
        let value = match plain {
            Sort::Bv(width) if is_address => Term::bv(width, -8),
            _ if is_address => Term::int(-1),
            Sort::Bv(width) => Term::bv(width + 1, power(width)),
            _ => Term::int(power(int.width)),
        };
        let initial = Var::new(&format!("{name}?"), Sort::array(index, plain));
        let is_wider = matches!(plain, Sort::Bv(_)) && !is_address;
        Mark { value, initial: (!is_address).then_some(initial), is_wider }
    }
}

fn power(exponent: u32) -> IBig {
    IBig::from(1) << exponent as usize
}

/// What belongs to allocated memory besides its parts.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::c) struct Ghosts {
    /// The address of the next instance of a region.
    pub(in crate::c) next: Option<Var>,
    /// The sizes of the instances in bytes, by address.
    pub(in crate::c) size: Option<Var>,
    /// Which instances are live, by address; of a single object, whether it is: one or zero.
    pub(in crate::c) live: Option<Var>,
}

impl Ghosts {
    /// Those of an object.
    pub(in crate::c) fn of(object: &Object, region: Option<&Region>, word: Sort) -> Ghosts {
        let array = Sort::array(word, word);
        let live = |sort| Var::new(&format!("{}.live", object.name), sort);
        let Some(region) = region else {
            return Ghosts { live: object.is_freed.then(|| live(word)), ..Ghosts::default() };
        };
        let size = || Var::new(&format!("{}.size", object.name), array);
        Ghosts {
            next: Some(Var::new(&format!("{}.next", object.name), word)),
            size: region.bytes.is_none().then(size),
            live: object.is_freed.then(|| live(array)),
        }
    }

    /// All that there are.
    pub(in crate::c) fn vars(self) -> impl Iterator<Item = Var> {
        [self.next, self.size, self.live].into_iter().flatten()
    }
}

/// The elements of a leaf that is an array.
impl Leaf {
    /// The element with an index.
    pub(in crate::c) fn element(&self, array: Term, index: Term) -> Term {
        let raw = array.select(index);
        let Some(mark) = self.mark else { return raw };
        let plain = match mark.is_wider {
            true => Term::app(TermOp::Extract(self.int.width - 1, 0), vec![raw]).unwrap_or(raw),
            false => raw,
        };
        match mark.initial {
            Some(initial) => raw.equals(mark.value).ite(Term::var(initial).select(index), plain),
            None => plain,
        }
    }

    /// The array with another element.
    pub(in crate::c) fn with_element(&self, array: Term, index: Term, new: Term) -> Term {
        let new = match self.mark {
            Some(mark) if mark.is_wider => {
                Term::app(TermOp::ZeroExtend(1), vec![new]).unwrap_or(new)
            }
            _ => new,
        };
        array.store(index, new)
    }
}
