//! `cargo xtask c`: builds the libraries for C in `bindings/c`, installs them, and tests them.

mod abi;
mod api;
mod bench;
mod build;
mod conformance;
mod detect;
mod encoding_c;
mod fuzz;
mod header;
mod install;
mod libiconv;
mod memory;
mod names;
mod programs;
mod same;
mod scripts;
mod sizes;
mod tables;
mod vectors;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Parser, builder::PossibleValuesParser};
use project::skip;

/// The workspace of the libraries.
const FOLDER: &str = "bindings/c";

/// The folder of libraries and test programs.
const WORK: &str = "target/c";

/// The commands.
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
enum Command {
    /// Build, install or test the libraries for C: `bindings/c`.
    C(Arguments),
}

/// The arguments of `cargo xtask c`.
#[derive(clap::Args, Default)]
#[command(args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    action: Option<Action>,
    /// Leave out tests that take long, and most of the programs.
    #[arg(long)]
    quick: bool,
    /// Run only these parts, after the build.
    #[arg(value_parser = part_names())]
    parts: Vec<String>,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Install libraries, headers, and files for `pkg-config` and `CMake`.
    Install {
        #[command(flatten)]
        folders: install::Folders,
        /// Install only these libraries.
        #[arg(value_parser = build::LIBRARIES.map(|library| library.name))]
        libraries: Vec<String>,
    },
    /// Print the sizes of the shared libraries.
    Sizes {
        /// Write them to docs/c.md.
        #[arg(long)]
        record: bool,
    },
    /// Write where glibc's tables differ: the tables of docs/c.md, and the names that `TEXTCODEC_ICONV=identical` leaves to it.
    Conflicts,
    /// Measure calls from C next to those in Rust, and `iconv()` next to that of glibc and other libraries.
    Bench {
        /// A folder with articles in UTF-8: `ar.txt`, `de.txt` and others.
        #[arg(long)]
        corpus: PathBuf,
        /// Other libraries, as NAME=PATH.
        libraries: Vec<String>,
    },
}

/// The options for programs that watch their own memory. They end at the first mistake.
const SANITIZE: [&str; 2] = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

/// A part of the tests.
struct Part {
    name: &'static str,
    run: fn(&Arguments) -> Result<()>,
}

/// The parts, in the order in which they run.
const PARTS: &[Part] = &[
    Part { name: "lint", run: lint },
    Part { name: "api", run: api::run },
    Part { name: "detect", run: detect::run },
    Part { name: "bench", run: bench::smoke },
    Part { name: "encoding_c", run: encoding_c::run },
    Part { name: "names", run: names::run },
    Part { name: "tables", run: tables::tables },
    Part { name: "conformance", run: conformance::conformance },
    Part { name: "fuzz", run: fuzz::run },
    Part { name: "memory", run: memory::run },
    Part { name: "programs", run: programs::programs },
    Part { name: "same", run: same::run },
    Part { name: "libiconv", run: libiconv::run },
    Part { name: "sizes", run: sizes::check },
];

/// The names of the parts.
fn part_names() -> PossibleValuesParser {
    PossibleValuesParser::new(PARTS.iter().map(|part| part.name))
}

fn main() -> Result<()> {
    let Command::C(arguments) = Command::parse();
    run(&arguments)
}

fn run(arguments: &Arguments) -> Result<()> {
    if !cfg!(target_os = "linux") {
        return skip("the libraries for C", "they are built and tested on Linux only");
    }
    match &arguments.action {
        Some(Action::Install { folders, libraries }) => return install::install(folders, &build::named(libraries)),
        Some(Action::Sizes { record }) => return sizes::run(*record),
        Some(Action::Conflicts) => return tables::conflicts(),
        Some(Action::Bench { corpus, libraries }) => return bench::bench(corpus, libraries),
        None => {}
    }
    for part in PARTS {
        if arguments.parts.is_empty() || arguments.parts.iter().any(|name| name == part.name) {
            println!("== {}", part.name);
            (part.run)(arguments)?;
        }
    }
    Ok(())
}

/// Returns whether a program is installed.
fn is_installed(program: &str) -> bool {
    project::command(program, &["--version"]).output().is_ok()
}

/// Checks formatting and clippy.
fn lint(_: &Arguments) -> Result<()> {
    let manifest = format!("{FOLDER}/Cargo.toml");
    project::run("cargo", &["fmt", "--all", "--check", "--manifest-path", &manifest])?;
    let clippy = ["clippy", "--workspace", "--locked", "--manifest-path", &manifest, "--", "--deny", "warnings"];
    project::run("cargo", &clippy)
}
