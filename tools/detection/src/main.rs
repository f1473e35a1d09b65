//! Texts, training and measurements for detection: `cargo run --release -p detection -- COMMAND`.
//!
//! `collect` makes texts by language from unpacked packages; other texts can be added. `train` counts the letter pairs of a
//! half of the texts. `measure` makes labelled texts of the other half and runs all programs on them.

mod collect;
mod labelled;
mod languages;
mod measure;
mod peers;
mod texts;

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
    /// Detect the encodings of labelled texts with this program and with others, and count the right answers.
    Measure(measure::Arguments),
}

fn main() -> Result<()> {
    match Command::parse() {
        Command::Collect { folders, texts } => collect::run(&folders, &texts),
        Command::Measure(arguments) => measure::run(&arguments),
    }
}

/// The root of the repository.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the tool is in the repository")
}
