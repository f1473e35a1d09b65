//! The project's commands, for CI and developers: `cargo xtask COMMAND`.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Parser, Subcommand};

extern crate alloc;

mod api;
mod bench;
mod bench_program;
mod bench_wasm;
mod c;
mod checks;
#[path = "../../crates/textcodec/src/index/derive.rs"]
mod derive;
mod documents;
mod dropin;
mod examples;
mod features;
mod iconv;
mod import;
mod index;
mod instructions;
mod js;
mod links;
mod list;
mod miri;
mod msrv;
mod pack;
mod pages;
mod platforms;
mod pointers;
mod publish;
mod python;
mod record;
mod release;
mod roundtrip;
mod schedule;
#[path = "../../crates/textcodec/src/kernel/shuffles.rs"]
mod shuffles;
mod size;
mod tables;
#[path = "../../crates/textcodec/src/index/unpack.rs"]
mod unpack;
mod upper_half;
mod windows;
mod workflows;

/// The project's commands.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
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
    /// Run the library's examples on samples and compare their output.
    Examples,
    /// Run the README's first command and check its output.
    Readme,
    /// Check the libraries with each feature and with pairs of features.
    Features {
        /// Leave out pairs of features.
        #[arg(long)]
        quick: bool,
    },
    /// Measure what the library adds to the build time and the size of a small program, by features, next to encoding_rs.
    Size {
        /// Write the tables to `docs/size.md`.
        #[arg(long)]
        record: bool,
    },
    /// Compare all short inputs and all scalar values with the oracle.
    Exhaustive {
        /// Within dense text, use only every N-th of the 64 offsets.
        #[arg(long, default_value_t = 1)]
        every: usize,
    },
    /// Build each published package from its package file, run its examples, and build its docs like docs.rs.
    Package,
    /// Write the address of the repository, the key `repository` in Cargo.toml, into the READMEs and manifests of packages.
    Links {
        /// Change nothing; fail if a file would change.
        #[arg(long)]
        check: bool,
    },
    /// Check that everything is ready for a release, and print what a person must do. Publishes nothing.
    Release(release::Arguments),
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
    /// Check the packages that promise a minimum Rust version with that version.
    Msrv,
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
    /// Write the public API to `docs/api/`, and compare the drop-in's API with that of `encoding_rs`.
    Api {
        /// Change nothing; fail if a file would change.
        #[arg(long)]
        check: bool,
    },
    /// Compare the results of the library and of the drop-in with those of `encoding_rs`, and the models of encodings outside of the
    /// standard with other programs.
    Witness {
        /// Leave out inputs of three bytes, two thirds of the random ones, and scalar values that no index contains.
        #[arg(long)]
        quick: bool,
    },
    /// Run the tests of real clients of `encoding_rs` with `crates/encoding_rs` in its place.
    Dropin(dropin::Arguments),
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
    /// Compare the library's speed with other libraries: see bench/README.md.
    Bench(bench::Arguments),
    /// Count the instructions of the library and its peers on aarch64 (NEON), in an emulator: see bench/README.md.
    Instructions(instructions::Arguments),
    /// Compare the library's speed as WebAssembly with `encoding_rs` and `TextDecoder`, in Node: see bench/README.md.
    BenchWasm(bench_wasm::Arguments),
    /// Compare the program's speed with iconv, uconv and `recode_rs`.
    BenchProgram(bench_program::Arguments),
    /// Build and test the npm package and the page: `bindings/js`, `site`.
    Js(js::Arguments),
    /// Build, install or test the libraries for C: `bindings/c`.
    C(c::Arguments),
    /// Build the Python package, install it into fresh environments, and test it: `bindings/python`.
    Python(python::Arguments),
    /// Convert articles with the program to every encoding of their script and back.
    Roundtrip {
        /// A folder with UTF-8 articles, named by language: `ja.txt`, `zh_cn.txt`, ….
        #[arg(long)]
        corpus: PathBuf,
    },
    /// Convert a large text with the program and back, from a pipe and from a path, and check its memory use.
    Large {
        /// A folder with UTF-8 articles, as for `roundtrip`.
        #[arg(long)]
        corpus: PathBuf,
        /// The amount of text, in MiB.
        #[arg(long, default_value_t = 2048)]
        mib: u64,
    },
}

fn main() -> Result<()> {
    match Arguments::parse().command {
        Command::Import { dir, check } => import::run(&dir, check),
        Command::ImportPages { check } => pages::import(check),
        Command::ImportNames { check } => iconv::import(check),
        Command::Tables { check } => {
            tables::run(check)?;
            iconv::run(check)?;
            c::numbers(check)?;
            pages::tables(check)
        }
        Command::Ci { steps } => checks::ci(&steps),
        Command::Full { corpus } => checks::full(&corpus),
        Command::Test => checks::test(),
        Command::Small { quick } => checks::small(quick),
        Command::Limits => checks::limits(),
        Command::Twice { check } => checks::twice(check),
        Command::Lint => checks::lint(),
        Command::Workflows => workflows::check(),
        Command::Examples => examples::run(),
        Command::Readme => checks::readme(),
        Command::Features { quick } => features::run(quick),
        Command::Size { record } => size::run(record),
        Command::Exhaustive { every } => checks::exhaustive(every),
        Command::Package => publish::run(),
        Command::Links { check } => links::run(check),
        Command::Release(arguments) => release::run(&arguments),
        Command::Deny => publish::deny(),
        Command::NoStd => checks::no_std(),
        Command::Cross { quick } => platforms::cross(quick),
        Command::Avx512 => platforms::avx512(),
        Command::Msrv => msrv::run(),
        Command::Windows { quick } => windows::run(quick),
        Command::Asan { quick } => platforms::asan(quick),
        Command::Miri { quick } => miri::run(quick),
        Command::Api { check } => api::run(check),
        Command::Witness { quick } => checks::witness(quick),
        Command::Dropin(arguments) => dropin::run(&arguments),
        Command::Unchecked => checks::unchecked(),
        Command::Fuzz { seconds, seed, unchecked } => checks::fuzz(seconds, seed, unchecked),
        Command::Bench(arguments) => bench::run(arguments),
        Command::Instructions(arguments) => instructions::run(arguments),
        Command::BenchWasm(arguments) => bench_wasm::run(arguments),
        Command::BenchProgram(arguments) => bench_program::run(arguments),
        Command::Js(arguments) => js::run(&arguments),
        Command::C(arguments) => c::run(&arguments),
        Command::Python(arguments) => python::run(&arguments),
        Command::Roundtrip { corpus } => roundtrip::articles(&corpus),
        Command::Large { corpus, mib } => roundtrip::large(&corpus, mib << 20),
    }
}

/// Returns the workspace's folder.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is in the workspace")
}
