//! Who hears what a verification does, beside its engines.

use lapidary_engine::Observer;
use lapidary_frontend::Task;
use lapidary_model::sts::Reduction;

use crate::error::Error;
use crate::outcome::Finding;

/// Hears a verification. It decides nothing, except that an error at the beginning of a property ends the run.
pub trait Listener: Observer {
    /// The verification of a property begins, on a smaller system if there is one.
    fn begin(&mut self, _task: &Task, _reduction: Option<&Reduction>) -> Result<(), Error> {
        Ok(())
    }

    /// The search has ended.
    fn learned(&mut self, _learned: &Learned) {}

    /// The verification of a property has ended; it has a name if the input names its properties.
    fn found(&mut self, _property: Option<&str>, _finding: &Finding) {}
}

/// Hears nothing.
impl Listener for () {}

/// What a search leaves besides its verdict.
#[derive(Clone, Debug, Default)]
pub struct Learned {
    /// A drawing of the graph of abstract states, if it was wanted and there is one.
    pub graph: Option<String>,
    /// The precision, if it was wanted.
    pub precision: Option<String>,
    /// Why the sessions of the solver could not be recorded, if so.
    pub unrecorded: Option<String>,
}
