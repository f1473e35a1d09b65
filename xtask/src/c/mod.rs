//! `cargo xtask c`: builds the libraries for C in `bindings/c`, installs them, and tests them.

mod abi;
mod api;
mod bench;
mod build;
mod conformance;
mod encoding_c;
mod fuzz;
mod header;
mod install;
mod names;
mod programs;
mod scripts;
mod tables;
mod vectors;

use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::{checks, platforms::skip};

/// The workspace of the libraries.
const FOLDER: &str = "bindings/c";

/// The folder of libraries and test programs.
const WORK: &str = "target/c";

/// The arguments of `cargo xtask c`.
#[derive(clap::Args, Default)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Option<Action>,
    /// Leave out tests that take long, and most of the programs.
    #[arg(long)]
    quick: bool,
    /// Run only these parts, after the build.
    parts: Vec<String>,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Install libraries, headers, and files for `pkg-config` and `CMake`.
    Install {
        /// The folder that will contain `include` and `lib`, such as /usr/local.
        #[arg(long)]
        prefix: PathBuf,
        /// Install only these libraries: `textcodec`, `textcodec_iconv`, `encoding_c`.
        libraries: Vec<String>,
    },
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
    Part { name: "bench", run: bench::smoke },
    Part { name: "encoding_c", run: encoding_c::run },
    Part { name: "names", run: names::run },
    Part { name: "tables", run: tables::tables },
    Part { name: "conformance", run: conformance::conformance },
    Part { name: "fuzz", run: fuzz::run },
    Part { name: "programs", run: programs::programs },
];

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if !cfg!(target_os = "linux") {
        return skip("the libraries for C", "they are built and tested on Linux only");
    }
    match &arguments.action {
        Some(Action::Install { prefix, libraries }) => return install::install(prefix, &build::named(libraries)?),
        Some(Action::Bench { corpus, libraries }) => return bench::bench(corpus, libraries),
        None => {}
    }
    if let Some(name) = arguments.parts.iter().find(|name| !PARTS.iter().any(|part| part.name == **name)) {
        let known: Vec<&str> = PARTS.iter().map(|part| part.name).collect();
        bail!("unknown part {name}; the parts are {}", known.join(", "));
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
    checks::command(program, &["--version"]).output().is_ok()
}

/// Checks formatting and clippy.
fn lint(_: &Arguments) -> Result<()> {
    let manifest = format!("{FOLDER}/Cargo.toml");
    checks::run("cargo", &["fmt", "--all", "--check", "--manifest-path", &manifest])?;
    let clippy = ["clippy", "--workspace", "--locked", "--manifest-path", &manifest, "--", "--deny", "warnings"];
    checks::run("cargo", &clippy)
}
