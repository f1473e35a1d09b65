//! What is generated from other data: the standard's indexes, the tables of libraries, code pages, and names of encodings.

use std::path::PathBuf;

use anyhow::Result;
use clap::Parser;
use project::root;

mod iconv;
mod import;
mod index;
mod list;
mod numbers;
mod pack;
mod pages;
mod program;
mod standard;
mod tables;
mod upper_half;
// The library makes tables and unpacks indexes with the same code.
#[path = "../../../crates/textcodec/src/index/derive.rs"]
mod derive;
#[path = "../../../crates/textcodec/src/kernel/shuffles.rs"]
mod shuffles;
#[path = "../../../crates/textcodec/src/index/unpack.rs"]
mod unpack;

/// The commands.
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
enum Command {
    /// Rewrite `indexes/` from the standard's index files and label table.
    Import {
        /// The folder with `index-*.txt` and `encodings.json`.
        dir: PathBuf,
        /// Change nothing; fail if a file would change.
        #[arg(long)]
        check: bool,
    },
    /// Generate the libraries' tables from `indexes/`, from pages, and from the lists of encodings.
    Tables {
        /// Change nothing; fail if a file would change.
        #[arg(long)]
        check: bool,
    },
    /// Rewrite the pages of `crates/textcodec-oem` from what installed programs print: see docs/design/code-pages.md.
    ImportPages {
        /// Change nothing; fail if a file would change.
        #[arg(long)]
        check: bool,
    },
    /// Rewrite what names of iconv mean, which is what the C library reads and writes by them: `crates/iconv/names.txt`.
    ImportNames {
        /// Change nothing; fail if the file would change.
        #[arg(long)]
        check: bool,
    },
}

fn main() -> Result<()> {
    match Command::parse() {
        Command::Import { dir, check } => import::run(&dir, check),
        Command::Tables { check } => {
            tables::run(check)?;
            program::tables(check)?;
            standard::tables(check)?;
            iconv::run(check)?;
            numbers::tables(check)?;
            pages::tables(check)
        }
        Command::ImportPages { check } => pages::import(check),
        Command::ImportNames { check } => iconv::import(check),
    }
}
