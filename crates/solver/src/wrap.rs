//! Wrappers: back ends around back ends, which count, check, record, remember, assist or share the work.
//!
//! Each takes any [`Backend`](crate::Backend) and is one, so they compose; nothing of this is in the back ends or
//! in the algorithms.

pub mod assisted;
pub mod cached;
pub mod checked;
pub mod counted;
pub mod propositional;
pub mod recorded;

pub use assisted::Assisted;
pub use cached::Cached;
pub use checked::Checked;
pub use counted::{Counted, Counts};
pub use propositional::Propositional;
pub use recorded::Recorded;
