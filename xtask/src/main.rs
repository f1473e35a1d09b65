//! What CI runs, callable by hand: `cargo xtask COMMAND`.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Parser, Subcommand};

mod import;
mod index;
mod tables;

/// The project's own commands.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Read the standard's index files and label table from a folder and rewrite `indexes/`.
    Import {
        /// The folder with `index-*.txt` and `encodings.json`.
        dir: PathBuf,
        /// Change nothing; fail where something would change.
        #[arg(long)]
        check: bool,
    },
    /// Make the library's binary tables from `indexes/`.
    Tables {
        /// Change nothing; fail where something would change.
        #[arg(long)]
        check: bool,
    },
}

fn main() -> Result<()> {
    match Arguments::parse().command {
        Command::Import { dir, check } => import::run(&dir, check),
        Command::Tables { check } => tables::run(check),
    }
}

/// The workspace's folder.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is in the workspace")
}
