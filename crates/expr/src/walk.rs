//! Depth-first walks over terms of any depth.

use crate::term::Term;

/// What a walk does at a term before and after its arguments.
pub(crate) trait Walk {
    /// Whether to go into the arguments of `term`.
    fn enter(&mut self, term: Term) -> bool;

    /// After the arguments of a term that was entered.
    fn leave(&mut self, term: Term);

    /// Walks from `root`, arguments from left to right.
    fn walk(&mut self, root: Term) {
        // The terms that were entered and not left, with the number of arguments visited.
        let mut open = Vec::new();
        if self.enter(root) {
            open.push((root, 0));
        }
        while let Some((term, visited)) = open.last_mut() {
            let term = *term;
            if let Some(arg) = term.args().get(*visited) {
                *visited += 1;
                if self.enter(*arg) {
                    open.push((*arg, 0));
                }
            } else {
                self.leave(term);
                open.pop();
            }
        }
    }
}
