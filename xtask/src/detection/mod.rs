//! `cargo xtask detection`: a comparison of `textcodec detect` with other programs.
//!
//! `collect` makes texts by language from unpacked packages; other texts can be added. `measure` makes
//! labelled texts of a half of them and runs all programs on them.

mod collect;
mod labelled;
mod languages;
mod measure;
mod peers;
mod texts;

use std::path::PathBuf;

use anyhow::Result;
use clap::Subcommand;

/// The commands of `cargo xtask detection`.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Collect text by language from unpacked packages with manual pages, message catalogues and help pages.
    Collect {
        /// The folders of the unpacked packages.
        #[arg(required = true)]
        folders: Vec<PathBuf>,
        /// The folder to which `LANGUAGE.txt` files are written.
        #[arg(long)]
        texts: PathBuf,
    },
    /// Detect the encodings of labelled texts with this program and with others, and count the right answers.
    Measure(measure::Arguments),
}

pub(crate) fn run(command: Command) -> Result<()> {
    match command {
        Command::Collect { folders, texts } => collect::run(&folders, &texts),
        Command::Measure(arguments) => measure::run(&arguments),
    }
}
