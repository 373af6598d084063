//! Answers that are remembered, within bounds.

use std::hash::Hash;

use rustc_hash::FxHashMap;

/// As many answers as are worth their memory: states repeat soon or never.
const MOST: usize = 1 << 16;

/// Remembers answers by question. Beyond a number of them it starts anew: which answers are remembered
/// depends on nothing but the questions, so that runs repeat.
#[derive(Debug)]
pub(crate) struct Memo<K, V>(FxHashMap<K, V>);

impl<K, V> Default for Memo<K, V> {
    fn default() -> Self {
        Memo(FxHashMap::default())
    }
}

impl<K: Hash + Eq, V: Clone> Memo<K, V> {
    /// The answer to a question, if it is remembered.
    pub(crate) fn get(&self, question: &K) -> Option<V> {
        self.0.get(question).cloned()
    }

    /// Remembers an answer, and hands it on.
    pub(crate) fn keep(&mut self, question: K, answer: V) -> V {
        if self.0.len() >= MOST {
            self.0.clear();
        }
        self.0.insert(question, answer.clone());
        answer
    }
}
