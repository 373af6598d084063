//! In which range each variable is at each node: an interval analysis of the graph.
//!
//! What is known to stay within its type needs no wrap-around, and an index that is known to be within its array needs
//! no check. Only numbers that no pointer can change are followed. Loops are widened to the whole type, and two
//! rounds without widening bring back what their conditions say.

use std::collections::BTreeSet;

use super::flat::{Flat, Node, ObjectId, Op, Place, Root, Value, ValueKind};
use super::ir::{Binary, Unary};
use super::lower::in_operation;
use super::types::{IntType, Type, TypeId, Types};

/// The least and the greatest value.
type Range = (i64, i64);
/// The ranges of all variables that are followed.
pub(super) type State = Vec<Range>;

/// Larger problems, in variables times nodes, are left alone.
const MOST_ENTRIES: usize = 1 << 21;
/// A node that was reached this often is widened.
const PATIENCE: u32 = 2;
/// Edges are followed this often on average, and then the analysis gives up.
const MOST_ROUNDS: usize = 40;

/// What was found.
pub(super) struct Ranges<'a> {
    types: &'a Types,
    /// By object, its number among those that are followed.
    index: Vec<Option<u32>>,
    /// The ranges of the types.
    whole: State,
    /// By node; none if it cannot be reached.
    states: Vec<Option<State>>,
}

/// Analyses a graph; none if that would take too long.
pub(super) fn ranges<'a>(flat: &Flat, types: &'a Types) -> Option<Ranges<'a>> {
    // A program that is far too large is not even looked at.
    if flat.objects.len().saturating_mul(flat.n_nodes as usize) > 8 * MOST_ENTRIES {
        return None;
    }
    let (mut index, mut whole) = (vec![None; flat.objects.len()], State::new());
    let addressed = addressed(flat);
    for (i, object) in flat.objects.iter().enumerate() {
        let range = types.as_int(object.ty).and_then(range_of);
        if let Some(range) = range.filter(|_| !addressed[i]) {
            index[i] = Some(whole.len() as u32);
            whole.push(range);
        }
    }
    let n_nodes = flat.n_nodes as usize;
    if whole.is_empty() || whole.len().saturating_mul(n_nodes) > MOST_ENTRIES {
        return None;
    }
    let states = vec![None; n_nodes];
    let mut ranges = Ranges { types, index, whole, states };
    let graph = Graph::of(flat);
    ranges.widen(flat, &graph)?;
    ranges.narrow(flat, &graph);
    ranges.narrow(flat, &graph);
    Some(ranges)
}

fn range_of(int: IntType) -> Option<Range> {
    if int.width > 64 {
        return None;
    }
    Some((i64::try_from(int.least()).ok()?, i64::try_from(int.greatest()).ok()?))
}

/// For each object whether its address is taken.
fn addressed(flat: &Flat) -> Vec<bool> {
    let mut addressed = vec![false; flat.objects.len()];
    for op in flat.edges.iter().flat_map(|edge| &edge.ops) {
        in_operation(op, &mut |value| {
            if let ValueKind::Address(Place { root: Root::Object(object), .. }) = &value.kind {
                addressed[object.0 as usize] = true;
            }
        });
    }
    addressed
}

/// The edges by their ends, and the nodes in an order in which only loops go back.
struct Graph {
    outgoing: Vec<Vec<u32>>,
    incoming: Vec<Vec<u32>>,
    order: Vec<u32>,
    /// The place of each node in the order.
    place: Vec<u32>,
}

impl Graph {
    fn of(flat: &Flat) -> Graph {
        let n_nodes = flat.n_nodes as usize;
        let (mut outgoing, mut incoming) = (vec![Vec::new(); n_nodes], vec![Vec::new(); n_nodes]);
        for (i, edge) in flat.edges.iter().enumerate() {
            outgoing[edge.source.0 as usize].push(i as u32);
            incoming[edge.target.0 as usize].push(i as u32);
        }
        let mut order = postorder(flat, &outgoing);
        order.reverse();
        let mut place = vec![u32::MAX; n_nodes];
        for (i, node) in order.iter().enumerate() {
            place[*node as usize] = i as u32;
        }
        Graph { outgoing, incoming, order, place }
    }
}

fn postorder(flat: &Flat, outgoing: &[Vec<u32>]) -> Vec<u32> {
    let mut order = Vec::new();
    let mut is_seen = vec![false; outgoing.len()];
    let mut stack = vec![(Flat::ENTRY.0, 0)];
    is_seen[Flat::ENTRY.0 as usize] = true;
    while let Some((node, next)) = stack.pop() {
        let Some(edge) = outgoing[node as usize].get(next) else {
            order.push(node);
            continue;
        };
        stack.push((node, next + 1));
        let target = flat.edges[*edge as usize].target.0;
        if !std::mem::replace(&mut is_seen[target as usize], true) {
            stack.push((target, 0));
        }
    }
    order
}

impl Ranges<'_> {
    /// What is known at a node; none if nothing is.
    pub(super) fn at(&self, node: Node) -> Option<State> {
        self.states[node.0 as usize].clone()
    }

    /// The range of an object, if it is followed.
    pub(super) fn of(&self, state: &State, object: ObjectId) -> Option<(i128, i128)> {
        let (low, high) = state[self.index[object.0 as usize]? as usize];
        Some((low.into(), high.into()))
    }

    fn widen(&mut self, flat: &Flat, graph: &Graph) -> Option<()> {
        self.states[Flat::ENTRY.0 as usize] = Some(self.whole.clone());
        let mut visits = vec![0; self.states.len()];
        let mut left = flat.edges.len().saturating_mul(MOST_ROUNDS);
        let mut open = BTreeSet::from([0]);
        while let Some(place) = open.pop_first() {
            let node = graph.order[place as usize];
            for edge in &graph.outgoing[node as usize] {
                left = left.checked_sub(1)?;
                let edge = &flat.edges[*edge as usize];
                let Some(state) = self.along(node, &edge.ops) else { continue };
                let target = edge.target.0 as usize;
                let is_back = graph.place[target] <= place;
                visits[target] += u32::from(is_back);
                if self.join(target, &state, is_back && visits[target] > PATIENCE) {
                    open.insert(graph.place[target]);
                }
            }
        }
        Some(())
    }

    /// Computes every state again from those before it.
    fn narrow(&mut self, flat: &Flat, graph: &Graph) {
        for node in graph.order.iter().skip(1) {
            let mut all: Option<State> = None;
            for edge in &graph.incoming[*node as usize] {
                let edge = &flat.edges[*edge as usize];
                let Some(state) = self.along(edge.source.0, &edge.ops) else { continue };
                match &mut all {
                    None => all = Some(state),
                    Some(all) => {
                        all.iter_mut()
                            .zip(&state)
                            .for_each(|(all, range)| *all = hull(*all, *range));
                    }
                }
            }
            self.states[*node as usize] = all;
        }
    }

    /// The state after an edge; none if it cannot be taken.
    fn along(&self, source: u32, ops: &[Op]) -> Option<State> {
        let mut state = self.states[source as usize].clone()?;
        ops.iter().all(|op| self.after(&mut state, op)).then_some(state)
    }

    /// Adds a state to a node's; whether that changed.
    fn join(&mut self, node: usize, state: &State, is_widened: bool) -> bool {
        let Some(known) = &mut self.states[node] else {
            self.states[node] = Some(state.clone());
            return true;
        };
        let mut is_changed = false;
        for ((known, range), whole) in known.iter_mut().zip(state).zip(&self.whole) {
            let joined = hull(*known, *range);
            if joined != *known {
                is_changed = true;
                *known = match is_widened {
                    true => (
                        if joined.0 < known.0 { whole.0 } else { known.0 },
                        if joined.1 > known.1 { whole.1 } else { known.1 },
                    ),
                    false => joined,
                };
            }
        }
        is_changed
    }

    /// Brings a state behind an operation; whether there is a way.
    pub(super) fn after(&self, state: &mut State, op: &Op) -> bool {
        let (place, range) = match op {
            Op::Assume(condition, holds) => return self.assume(state, condition, *holds),
            Op::Assign(place, value) => (place, self.value(state, value)),
            Op::Zero(place) => (place, Some((0, 0))),
            Op::Havoc { place, .. } | Op::Nondet { place: Some(place), .. } => (place, None),
            Op::Nondet { place: None, .. } | Op::Approximate(_) | Op::Outside { .. } => {
                return true;
            }
        };
        if let Root::Object(object) = place.root
            && let Some(i) = self.index[object.0 as usize]
        {
            let whole = self.whole[i as usize];
            let fits = |(low, high): &(i128, i128)| {
                i128::from(whole.0) <= *low && *high <= i128::from(whole.1)
            };
            let range = range.filter(|range| place.path.is_empty() && fits(range));
            state[i as usize] = range.map_or(whole, |(low, high)| (low as i64, high as i64));
        }
        true
    }

    fn int_of(&self, ty: TypeId) -> Option<IntType> {
        match self.types.get(ty) {
            Type::Int(int) if int.width <= 64 => Some(*int),
            _ => None,
        }
    }

    /// The variable that a value is, perhaps converted without a change.
    fn variable(&self, state: &State, value: &Value) -> Option<usize> {
        match &value.kind {
            ValueKind::Load(Place { root: Root::Object(object), path, .. }) if path.is_empty() => {
                self.index[object.0 as usize].map(|i| i as usize)
            }
            ValueKind::Convert(inner) => {
                let (to, range) = (self.int_of(value.ty)?, self.value(state, inner)?);
                let is_same = !to.is_bool() && to.least() <= range.0 && range.1 <= to.greatest();
                self.variable(state, inner).filter(|_| is_same)
            }
            _ => None,
        }
    }

    /// Takes a condition into account; whether it can hold.
    fn assume(&self, state: &mut State, condition: &Value, holds: bool) -> bool {
        match (&condition.kind, holds) {
            (ValueKind::Int(value), _) => (*value != 0) == holds,
            (ValueKind::And(a, b), true) | (ValueKind::Or(a, b), false) => {
                self.assume(state, a, holds) && self.assume(state, b, holds)
            }
            (ValueKind::Unary(Unary::Zero, inner), _) => self.assume(state, inner, !holds),
            (ValueKind::Truth(inner), _) => self.assume(state, inner, holds),
            (ValueKind::Binary(op, a, b), _) if op.is_comparison() => {
                self.compare(state, negated(*op, holds), a, b)
            }
            _ => {
                let zero = if holds { Comparison::Ne } else { Comparison::Eq };
                self.restrict(state, zero, condition, (0, 0))
            }
        }
    }

    fn compare(&self, state: &mut State, op: Comparison, a: &Value, b: &Value) -> bool {
        // Pointers have no ranges, and neither do numbers that are too wide.
        let (Some(left), Some(right)) = (self.value(state, a), self.value(state, b)) else {
            return true;
        };
        self.restrict(state, op, a, right) && self.restrict(state, op.flipped(), b, left)
    }

    /// A value compares so with something in a range; whether that can be.
    fn restrict(
        &self,
        state: &mut State,
        op: Comparison,
        value: &Value,
        (least, greatest): (i128, i128),
    ) -> bool {
        let Some((mut low, mut high)) = self.value(state, value) else { return true };
        match op {
            Comparison::Lt => high = high.min(greatest - 1),
            Comparison::Le => high = high.min(greatest),
            Comparison::Gt => low = low.max(least + 1),
            Comparison::Ge => low = low.max(least),
            Comparison::Eq => (low, high) = (low.max(least), high.min(greatest)),
            Comparison::Ne if least == greatest => {
                low += i128::from(low == least);
                high -= i128::from(high == least);
            }
            Comparison::Ne => {}
        }
        if low > high {
            return false;
        }
        if let Some(i) = self.variable(state, value) {
            state[i] = (low as i64, high as i64);
        }
        true
    }

    /// The range of a value; none if it is no number of at most 64 bits.
    fn value(&self, state: &State, value: &Value) -> Option<(i128, i128)> {
        let int = self.int_of(value.ty)?;
        let whole = (int.least(), int.greatest());
        let fits = |range: &(i128, i128)| whole.0 <= range.0 && range.1 <= whole.1;
        Some(self.exact(state, value).filter(fits).unwrap_or(whole))
    }

    /// The range of a value before it wraps around, if it can be told.
    fn exact(&self, state: &State, value: &Value) -> Option<(i128, i128)> {
        match &value.kind {
            ValueKind::Int(number) => Some((*number, *number)),
            ValueKind::Load(Place { root: Root::Object(object), path, .. }) if path.is_empty() => {
                self.of(state, *object)
            }
            ValueKind::Unary(op, a) => {
                let (low, high) = self.value(state, a)?;
                Some(match op {
                    Unary::Neg => (-high, -low),
                    Unary::Not => (-1 - high, -1 - low),
                    Unary::Zero => (0, 1),
                })
            }
            ValueKind::Binary(op, ..) if op.is_comparison() => Some((0, 1)),
            ValueKind::Binary(op, a, b) => {
                binary(*op, self.value(state, a)?, self.value(state, b)?)
            }
            ValueKind::Truth(_) | ValueKind::And(..) | ValueKind::Or(..) => Some((0, 1)),
            ValueKind::Convert(inner) if self.int_of(value.ty)?.is_bool() => {
                self.value(state, inner).filter(|range| range.0 >= 0 && range.1 <= 1)
            }
            ValueKind::Convert(inner) => self.value(state, inner),
            ValueKind::Conditional(_, a, b) => {
                let (a, b) = (self.value(state, a)?, self.value(state, b)?);
                Some((a.0.min(b.0), a.1.max(b.1)))
            }
            _ => None,
        }
    }
}

/// How two numbers compare.
#[derive(Clone, Copy)]
enum Comparison {
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
}

impl Comparison {
    fn flipped(self) -> Comparison {
        match self {
            Comparison::Lt => Comparison::Gt,
            Comparison::Le => Comparison::Ge,
            Comparison::Gt => Comparison::Lt,
            Comparison::Ge => Comparison::Le,
            same => same,
        }
    }
}

/// A comparison that holds, or the one that holds instead.
fn negated(op: Binary, holds: bool) -> Comparison {
    match (op, holds) {
        (Binary::Lt, true) => Comparison::Lt,
        (Binary::Lt, false) => Comparison::Ge,
        (Binary::Le, true) => Comparison::Le,
        (Binary::Le, false) => Comparison::Gt,
        (Binary::Eq, true) | (Binary::Ne, false) => Comparison::Eq,
        _ => Comparison::Ne,
    }
}

fn hull(a: Range, b: Range) -> Range {
    (a.0.min(b.0), a.1.max(b.1))
}

/// The range of an operation, without wrap-around.
fn binary(op: Binary, a: (i128, i128), b: (i128, i128)) -> Option<(i128, i128)> {
    let corners = |compute: fn(i128, i128) -> Option<i128>| {
        let all = [compute(a.0, b.0)?, compute(a.0, b.1)?, compute(a.1, b.0)?, compute(a.1, b.1)?];
        Some((*all.iter().min()?, *all.iter().max()?))
    };
    let is_positive = a.0 >= 0 && b.0 >= 0;
    match op {
        Binary::Add => corners(i128::checked_add),
        Binary::Sub => corners(i128::checked_sub),
        Binary::Mul => corners(i128::checked_mul),
        Binary::Div if b.0 > 0 => corners(i128::checked_div),
        Binary::Rem if b.0 > 0 => {
            let most = b.1 - 1;
            Some((if a.0 < 0 { -most.min(-a.0) } else { 0 }, most.min(a.1.max(0))))
        }
        Binary::And if is_positive => Some((0, a.1.min(b.1))),
        Binary::And if b.0 >= 0 => Some((0, b.1)),
        Binary::And if a.0 >= 0 => Some((0, a.1)),
        Binary::Shr if b.0 == b.1 && (0..64).contains(&b.0) => Some((a.0 >> b.0, a.1 >> b.0)),
        Binary::Shl if b.0 == b.1 && (0..32).contains(&b.0) => {
            Some((a.0.checked_mul(1 << b.0)?, a.1.checked_mul(1 << b.0)?))
        }
        _ => None,
    }
}
