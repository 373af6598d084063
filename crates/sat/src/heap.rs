//! Variables by activity: a binary heap.

use crate::lit::Var;

const ABSENT: u32 = u32::MAX;

#[derive(Clone, Debug, Default)]
pub(crate) struct Heap {
    heap: Vec<Var>,
    positions: Vec<u32>,
}

impl Heap {
    pub(crate) fn grow(&mut self, n_vars: usize) {
        self.positions.resize(n_vars, ABSENT);
    }

    #[inline]
    pub(crate) fn contains(&self, var: Var) -> bool {
        self.positions[var as usize] != ABSENT
    }

    pub(crate) fn clear(&mut self) {
        for var in self.heap.drain(..) {
            self.positions[var as usize] = ABSENT;
        }
    }

    /// Adds a variable without putting it into its place: [`order`](Heap::order) must follow.
    pub(crate) fn append(&mut self, var: Var) {
        if !self.contains(var) {
            self.positions[var as usize] = self.heap.len() as u32;
            self.heap.push(var);
        }
    }

    /// Puts everything into its place.
    pub(crate) fn order(&mut self, activity: &[f64]) {
        for i in (0..self.heap.len() / 2).rev() {
            self.down(i, activity);
        }
    }

    pub(crate) fn insert(&mut self, var: Var, activity: &[f64]) {
        if !self.contains(var) {
            self.append(var);
            self.up(self.heap.len() - 1, activity);
        }
    }

    /// A variable has become more active.
    pub(crate) fn raised(&mut self, var: Var, activity: &[f64]) {
        let position = self.positions[var as usize];
        if position != ABSENT {
            self.up(position as usize, activity);
        }
    }

    pub(crate) fn pop(&mut self, activity: &[f64]) -> Option<Var> {
        let last = self.heap.pop()?;
        let first = self.heap.first().copied().unwrap_or(last);
        self.positions[first as usize] = ABSENT;
        if first != last {
            self.heap[0] = last;
            self.positions[last as usize] = 0;
            self.down(0, activity);
        }
        Some(first)
    }

    fn up(&mut self, mut at: usize, activity: &[f64]) {
        let var = self.heap[at];
        while at > 0 {
            let parent = (at - 1) / 2;
            let other = self.heap[parent];
            if activity[other as usize] >= activity[var as usize] {
                break;
            }
            self.heap[at] = other;
            self.positions[other as usize] = at as u32;
            at = parent;
        }
        self.heap[at] = var;
        self.positions[var as usize] = at as u32;
    }

    fn down(&mut self, mut at: usize, activity: &[f64]) {
        let var = self.heap[at];
        loop {
            let mut child = 2 * at + 1;
            if child >= self.heap.len() {
                break;
            }
            let is_larger = |a: usize, b: usize| {
                activity[self.heap[a] as usize] > activity[self.heap[b] as usize]
            };
            if child + 1 < self.heap.len() && is_larger(child + 1, child) {
                child += 1;
            }
            let other = self.heap[child];
            if activity[other as usize] <= activity[var as usize] {
                break;
            }
            self.heap[at] = other;
            self.positions[other as usize] = at as u32;
            at = child;
        }
        self.heap[at] = var;
        self.positions[var as usize] = at as u32;
    }
}
