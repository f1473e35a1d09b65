//! Writes the figures down.

use std::path::Path;

use anyhow::Result;

use crate::report::Run;

/// The CSV and the tables in the docs.
pub(crate) fn write(_: &Run, _: &Path) -> Result<()> {
    Ok(())
}
