//! What CI runs: `cargo xtask COMMAND`. The crates in `tools/` have more commands, which run by the same name: see `tools.rs`.

use std::{ffi::OsString, path::PathBuf};

use anyhow::Result;
use clap::{Parser, Subcommand};

mod checks;
mod documents;
mod features;
mod js;
mod links;
mod miri;
mod platforms;
mod pointers;
mod python;
mod schedule;
mod tools;
mod windows;
mod workflows;

/// The project's commands.
#[derive(Parser)]
#[command(bin_name = "cargo xtask", after_help = tools::help())]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run all checks of CI, several at a time.
    Ci {
        /// Run only these steps, by the names of their commands: `lint`, `test`, ….
        steps: Vec<String>,
    },
    /// Run all checks of CI, and those that take longer.
    Full {
        /// The folder with articles for `large`.
        #[arg(long)]
        corpus: PathBuf,
    },
    /// Run all tests of the workspace.
    Test,
    /// Test the library built for size (`--cfg textcodec_small`).
    Small {
        /// Only run clippy.
        #[arg(long)]
        quick: bool,
    },
    /// Run every command of the program with many limits of memory.
    Limits,
    /// Convert short and long texts between all pairs of encodings, twice, and rewrite `docs/design/running-twice.csv`.
    Twice {
        /// Change nothing; fail if the file would change.
        #[arg(long)]
        check: bool,
    },
    /// Check formatting, clippy, the docs and pointers in kernels.
    Lint,
    /// Check the workflow files of the forge with actionlint; part of `lint`.
    Workflows,
    /// Run the README's first command and check its output.
    Readme,
    /// Check the libraries with each feature and with pairs of features.
    Features {
        /// Leave out pairs of features.
        #[arg(long)]
        quick: bool,
    },
    /// Compare all short inputs and all scalar values with the oracle.
    Exhaustive {
        /// Within dense text, use only every N-th of the 64 offsets.
        #[arg(long, default_value_t = 1)]
        every: usize,
    },
    /// Write the address of the repository, the key `repository` in Cargo.toml, into the READMEs and manifests of packages.
    Links {
        /// Change nothing; fail if a file would change.
        #[arg(long)]
        check: bool,
    },
    /// Check bans, licences and sources of all dependencies.
    Deny,
    /// Build and test the library without `std`, and build it for targets without `std`.
    NoStd,
    /// Test the core on aarch64, s390x (big-endian), i686 and WebAssembly. `scripts/cross.sh` prepares the tools.
    Cross {
        /// Leave out platforms with only scalar code, and run half as many rounds of random tests.
        #[arg(long)]
        quick: bool,
    },
    /// Test the core on an emulated CPU with AVX-512 if this machine lacks it. `scripts/avx512.sh` prepares the emulator.
    Avx512,
    /// Test the library and the program on Windows, under Wine.
    Windows {
        /// Run only the public conversions of the library, at every level, and one in 32 rounds of random tests.
        #[arg(long)]
        quick: bool,
    },
    /// Test the core under AddressSanitizer.
    Asan {
        /// Leave out readers and writers, and run one in 32 rounds of random tests instead of one in four.
        #[arg(long)]
        quick: bool,
    },
    /// Run the library's small tests in Miri: kernels, and every public conversion of short inputs.
    Miri {
        /// Run only a part, in at most five minutes.
        #[arg(long)]
        quick: bool,
    },
    /// Compare the results of the library and of the drop-in with those of `encoding_rs`, and the models of encodings outside of the
    /// standard with other programs.
    Witness {
        /// Leave out inputs of three bytes, two thirds of the random ones, and scalar values that no index contains.
        #[arg(long)]
        quick: bool,
    },
    /// Run the library's tests as it is released: without debug assertions, so that stores of kernels are not checked.
    Unchecked,
    /// Run the checks of the fuzz targets on random inputs, with a bounds check of each store of a kernel.
    Fuzz {
        /// How long to run, in seconds.
        #[arg(long, default_value_t = 60)]
        seconds: u64,
        /// The seed of the random numbers.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Build the library as it is released: without debug assertions and bounds checks of stores.
        #[arg(long)]
        unchecked: bool,
    },
    /// Build and test the npm package and the page: `bindings/js`, `site`.
    Js(js::Arguments),
    /// Build the Python package, install it into fresh environments, and test it: `bindings/python`.
    Python(python::Arguments),
    /// A command of a crate in `tools/`, and its arguments.
    #[command(external_subcommand)]
    Tool(Vec<OsString>),
}

fn main() -> Result<()> {
    match Arguments::parse().command {
        Command::Ci { steps } => checks::ci(&steps),
        Command::Full { corpus } => checks::full(&corpus),
        Command::Test => checks::test(),
        Command::Small { quick } => checks::small(quick),
        Command::Limits => checks::limits(),
        Command::Twice { check } => checks::twice(check),
        Command::Lint => checks::lint(),
        Command::Workflows => workflows::check(),
        Command::Readme => checks::readme(),
        Command::Features { quick } => features::run(quick),
        Command::Exhaustive { every } => checks::exhaustive(every),
        Command::Links { check } => links::run(check),
        Command::Deny => features::deny(),
        Command::NoStd => checks::no_std(),
        Command::Cross { quick } => platforms::cross(quick),
        Command::Avx512 => platforms::avx512(),
        Command::Windows { quick } => windows::run(quick),
        Command::Asan { quick } => platforms::asan(quick),
        Command::Miri { quick } => miri::run(quick),
        Command::Witness { quick } => checks::witness(quick),
        Command::Unchecked => checks::unchecked(),
        Command::Fuzz { seconds, seed, unchecked } => checks::fuzz(seconds, seed, unchecked),
        Command::Js(arguments) => js::run(&arguments),
        Command::Python(arguments) => python::run(&arguments),
        Command::Tool(arguments) => tools::run(&arguments),
    }
}
