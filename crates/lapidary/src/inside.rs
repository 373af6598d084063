//! Executions that stay inside the model.
//!
//! Where the program may leave the model, an edge leads to the error, so that a proof covers such places. An execution
//! over one of them, or over an approximation, says nothing about the program. Then the search goes on without these edges:
//! what it finds is an execution of the program. If a limit ends that search, the verdict still names the place.

use lapidary_engine::{Unknown, Verdict};
use lapidary_frontend::Task;
use lapidary_model::{Cfa, Execution};

/// What is known about the program.
pub(crate) enum Answer {
    /// A verdict, and no execution that leaves the model.
    Verdict(Verdict),
    /// This execution leaves the model, at a place and for a reason, and no violation was found that does not.
    Outside { execution: Execution, what: String },
}

/// What a verdict about the automaton says about the program. If it is an execution that leaves the model, `search` is told
/// where and why, and decides about the automaton without such edges.
pub(crate) fn decide(
    task: &Task,
    verdict: Verdict,
    search: impl FnOnce(&Cfa, &str) -> Verdict,
) -> Answer {
    let (execution, ends) = match (verdict, task.model.ends()) {
        (Verdict::Unsafe(execution), Some(ends)) => (execution, ends),
        (verdict, _) => return Answer::Verdict(verdict),
    };
    let Some(outside) = ends.doubt(&execution) else {
        return Answer::Verdict(with_calls(task, execution));
    };
    let what = format!("{} at {}", outside.reason, task.source.place(outside.start));
    match search(&ends.inside(task.cfa()), &what) {
        Verdict::Unsafe(execution) => Answer::Verdict(with_calls(task, execution)),
        verdict @ Verdict::Unknown(Unknown::Internal(_)) => Answer::Verdict(verdict),
        // A proof says that every violation leaves the model on its way; no answer says nothing.
        Verdict::Safe(_) | Verdict::Unknown(_) => Answer::Outside { execution, what },
    }
}

/// An execution of the automaton, if it is one of the program with its calls.
fn with_calls(task: &Task, execution: Execution) -> Verdict {
    let run =
        task.model.program().map_or(Ok(()), |program| program.run(&execution, &mut |_, _| {}));
    match run {
        Ok(()) => Verdict::Unsafe(execution),
        Err(error) => {
            let problem = format!("the execution is none of the program with its calls: {error}");
            Verdict::Unknown(Unknown::Internal(problem))
        }
    }
}
