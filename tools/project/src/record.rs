//! Sections of documents that commands write.

use std::fs;

use anyhow::{Context as _, Result};

use crate::root;

const END: &str = "<!-- end -->";

/// Replaces the section of a document that `cargo xtask COMMAND` writes. It is between the comments
/// `<!-- cargo xtask COMMAND -->` and `<!-- end -->`.
pub fn replace(document: &str, command: &str, text: &str) -> Result<()> {
    let path = root().join(document);
    let page = fs::read_to_string(&path)?;
    let begin = format!("<!-- cargo xtask {command} -->");
    let (before, rest) = page.split_once(&begin).with_context(|| format!("{document} has no line {begin}"))?;
    let (_, after) = rest.split_once(END).with_context(|| format!("{document} has no line {END} after {begin}"))?;
    Ok(fs::write(path, format!("{before}{begin}\n{text}{END}{after}"))?)
}
