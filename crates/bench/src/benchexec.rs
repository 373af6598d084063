//! x placeholder for the moment.
use crate::{Error, plan::Plan};
use std::path::Path;
/// x
pub fn write(_plan: &Plan, _out: &Path) -> Result<String, Error> {
    Ok(String::new())
}
