//! Texts, training and measurements for detection: `cargo run --release -p detection -- COMMAND`.
//!
//! `collect` makes texts by language from unpacked packages, `extra` makes texts of other origins, which only measure. `measure` makes
//! labelled texts of many kinds from the half that is not for training, and detects their encodings.

mod collect;
mod extra;
mod judge;
mod kinds;
mod languages;
mod measure;
mod peers;
mod repertoire;
mod report;
mod source;
mod texts;
mod train;

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Parser;

/// Texts, training and measurements for detection.
#[derive(Parser)]
enum Command {
    /// Collect text by language from unpacked packages with manual pages, message catalogues and help pages.
    Collect {
        /// The folders of the unpacked packages.
        #[arg(required = true)]
        folders: Vec<PathBuf>,
        /// The folder to which `LANGUAGE.txt` files are written.
        #[arg(long)]
        texts: PathBuf,
    },
    /// Count the letter pairs and frequent characters of the training half of the texts, and write them into `textcodec-language`.
    Train {
        /// The folder with `LANGUAGE.txt` files.
        #[arg(long)]
        texts: PathBuf,
    },
    /// Make texts of other origins, which only measure: the declaration of human rights, and messages of Firefox.
    Extra(extra::Arguments),
    /// Detect the encodings of labelled texts of many kinds, and count the right answers.
    Measure(measure::Arguments),
}

fn main() -> Result<()> {
    match Command::parse() {
        Command::Collect { folders, texts } => collect::run(&folders, &texts),
        Command::Train { texts } => train::run(&texts),
        Command::Extra(arguments) => extra::run(&arguments),
        Command::Measure(arguments) => measure::run(&arguments),
    }
}

/// The root of the repository.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the tool is in the repository")
}
