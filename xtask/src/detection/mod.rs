//! `cargo xtask detection`: the letter pairs of `textcodec-detect`, and a comparison with other programs.
//!
//! `collect` makes texts by language from unpacked packages; other texts can be added. `train` counts the letter pairs of a
//! half of the texts. `measure` makes labelled texts of the other half and runs all programs on them.

mod collect;
#[path = "../../../crates/textcodec-detect/src/languages.rs"]
mod detector_languages;
mod labelled;
mod languages;
mod measure;
#[path = "../../../crates/textcodec-detect/src/model.rs"]
mod model;
mod peers;
mod texts;
mod train;

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
    /// Count the letter pairs of the training half of the texts and write them into the library.
    Train {
        /// The folder with `LANGUAGE.txt` files.
        #[arg(long)]
        texts: PathBuf,
    },
    /// Detect the encodings of labelled texts with this program and with others, and count the right answers.
    Measure(measure::Arguments),
}

pub(crate) fn run(command: Command) -> Result<()> {
    match command {
        Command::Collect { folders, texts } => collect::run(&folders, &texts),
        Command::Train { texts } => train::run(&texts),
        Command::Measure(arguments) => measure::run(&arguments),
    }
}
