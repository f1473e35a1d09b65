//! The tables of `crates/iconv`.

mod names;
mod romanization;
mod write_back;

use anyhow::Result;
use project::root;
use textcodec::{BIG5, EUC_JP};

pub(crate) use names::import;

use crate::import::write_or_check;

/// Rewrites `crates/iconv/tables`. With `check`, fails if a file would change.
pub(crate) fn run(check: bool) -> Result<()> {
    let mut files = vec![
        ("euc-jp.bin".to_owned(), write_back::table(EUC_JP, &[0x8F])?),
        ("big5.bin".to_owned(), write_back::table(BIG5, &[])?),
    ];
    files.push(("names.rs".to_owned(), names::source()?.into_bytes()));
    files.extend(romanization::tables()?);
    write_or_check(&root().join("crates/iconv/tables"), &files, check)
}
