//! Where the members of a structure or union lie: the rules of gcc for x86, with attributes and `#pragma pack`.
//!
//! All alignments are in bytes where they come in; positions are in bits.

/// What the placement of a member depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    /// The width of a bit-field.
    pub(super) width: Option<u32>,
    /// The size of the type in bytes.
    pub(super) size: u64,
    /// The alignment of the type outside of structures.
    pub(super) align: u64,
    /// The largest alignment in structures, where that is smaller; attributes override it.
    pub(super) limit: Option<u64>,
    /// Whether the alignment of the type comes from an attribute.
    pub(super) is_set: bool,
    /// The alignment that the member asks for by an attribute.
    pub(super) own: Option<u64>,
    pub(super) is_packed: bool,
    pub(super) is_named: bool,
}

/// The layout of a structure or union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Placement {
    /// The position of each member in bits.
    pub(super) positions: Vec<u64>,
    /// The alignment of each member in bytes.
    pub(super) aligns: Vec<u64>,
    /// The size in bytes.
    pub(super) size: u64,
    /// The alignment in bytes.
    pub(super) align: u64,
}

/// Places members one after the other. `least` is the alignment that the type asks for, `pack` the limit of `#pragma pack`.
pub(super) fn place(slots: &[Slot], is_union: bool, least: u64, pack: Option<u64>) -> Placement {
    let (mut end, mut largest, mut align) = (0u64, 0u64, 8 * least.max(1));
    let mut positions = Vec::with_capacity(slots.len());
    let mut aligns = Vec::with_capacity(slots.len());
    for slot in slots {
        let from = if is_union { 0 } else { end };
        let (own, is_whole) = slot.alignment(from, pack);
        let mut position = from.next_multiple_of(own.max(1));
        if let Some(width) = slot.width.filter(|width| *width > 0 && !is_whole)
            && !slot.is_packed
            && pack.is_none()
        {
            position = slot.within_units(position, u64::from(width));
        }
        align = align.max(match slot.width {
            None => own,
            Some(_) if slot.is_named => own.max(slot.field_alignment(pack)),
            // An unnamed field has no part in the alignment.
            Some(_) => 8,
        });
        positions.push(position);
        aligns.push(own.div_ceil(8));
        end = position + slot.width.map_or(8 * slot.size, u64::from);
        largest = largest.max(end);
    }
    let size = largest.div_ceil(8).next_multiple_of(align / 8);
    Placement { positions, aligns, size, align: align / 8 }
}

impl Slot {
    /// The alignment of the type in structures, in bits.
    fn type_alignment(&self) -> u64 {
        let limit = self.limit.filter(|_| !self.is_set);
        8 * limit.map_or(self.align, |limit| self.align.min(limit))
    }

    /// The alignment in bits that a member needs if at least `from` bits lie before it, and whether it is a bit-field that
    /// fills an integer type, which then is placed like a member of that type.
    fn alignment(&self, from: u64, pack: Option<u64>) -> (u64, bool) {
        let is_zero = self.width == Some(0);
        // Fields without width are not influenced by packing.
        let is_packed = self.is_packed && !is_zero;
        let (mut align, mut is_set) = self.own.map_or((1, false), |own| (8 * own, true));
        let mut is_whole = false;
        if let Some(width) = self.width.filter(|width| *width > 0) {
            let unit = u64::from(width);
            let is_unit = matches!(width, 8 | 16 | 32 | 64 | 128);
            is_whole = is_unit && !(width > 8 && is_packed) && from.is_multiple_of(unit);
            if is_whole {
                align = align.max(unit);
            }
        } else if !(is_packed && is_set) && 8 * self.align > align {
            (align, is_set) = (8 * self.align, self.is_set);
        }
        if is_packed && self.own.is_none() {
            align = align.min(8);
        }
        if let Some(limit) = self.limit.filter(|_| !is_packed && !is_set) {
            align = align.min(8 * limit);
        }
        if let Some(pack) = pack.filter(|_| !is_zero) {
            align = align.min(8 * pack);
        }
        (align, is_whole)
    }

    /// What a named bit-field contributes to the alignment of its structure, in bits.
    fn field_alignment(&self, pack: Option<u64>) -> u64 {
        match pack {
            Some(pack) => self.type_alignment().min(8 * pack),
            None if self.is_packed => 8,
            None => self.type_alignment(),
        }
    }

    /// A bit-field spans no more units of its type's alignment than its type does.
    fn within_units(&self, position: u64, width: u64) -> u64 {
        let unit = self.type_alignment();
        let n_units = (position + width).div_ceil(unit) - position / unit;
        match n_units > 8 * self.size / unit {
            true => position.next_multiple_of(unit),
            false => position,
        }
    }
}
