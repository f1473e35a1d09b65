//! What CI runs, callable by hand: `cargo xtask COMMAND`.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Parser, Subcommand};

mod api;
mod bench;
mod bench_program;
mod checks;
#[path = "../../crates/textcodec/src/index/derive.rs"]
mod derive;
mod documents;
mod dropin;
mod examples;
mod features;
mod import;
mod index;
mod js;
mod miri;
mod pack;
mod platforms;
mod pointers;
mod publish;
mod roundtrip;
mod size;
mod tables;
#[path = "../../crates/textcodec/src/index/unpack.rs"]
mod unpack;

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
    /// Run all that CI runs.
    Ci,
    /// Run all that CI runs, and what takes longer.
    Full {
        /// As for `large`.
        #[arg(long)]
        corpus: PathBuf,
    },
    /// Run every test of the workspace.
    Test,
    /// Test the library as small programs have it.
    Small,
    /// Check formatting, clippy and the docs.
    Lint,
    /// Run the library's examples on samples and compare what they print.
    Examples,
    /// Check the libraries with few features, alone and in pairs.
    Features,
    /// Measure what the library adds to a small program, by features.
    Size {
        /// Write the table to `docs/features.md`.
        #[arg(long)]
        record: bool,
    },
    /// Compare all short inputs and all scalar values with the oracle.
    Exhaustive {
        /// Within dense text, only every so many of the 64 offsets.
        #[arg(long, default_value_t = 1)]
        every: usize,
    },
    /// Build each published package from its own file, and the docs as docs.rs does.
    Package,
    /// Check bans, licences and sources of all dependencies.
    Deny,
    /// Build and test the library without `std`, and build it for targets that have none.
    NoStd,
    /// Test the core on aarch64, s390x (big-endian), i686 and WebAssembly; `scripts/cross.sh` prepares the tools.
    Cross,
    /// Test the core on an emulated CPU with AVX-512, where this machine has none; `scripts/avx512.sh` prepares the emulator.
    Avx512,
    /// Test the core under AddressSanitizer.
    Asan,
    /// Run the library's small tests in Miri: kernels, and every public conversion of short inputs.
    Miri {
        /// As much as takes at most five minutes.
        #[arg(long)]
        quick: bool,
    },
    /// Write the public API to `docs/api/`, and compare the drop-in's with that of `encoding_rs`.
    Api {
        /// Change nothing; fail where something would change.
        #[arg(long)]
        check: bool,
    },
    /// Compare with encoding_rs as a witness.
    Witness,
    /// Test real clients of encoding_rs, by their own tests, with `crates/encoding_rs` in its place.
    Dropin(dropin::Arguments),
    /// Run the fuzz targets' checks on random inputs.
    Fuzz {
        /// For how long.
        #[arg(long, default_value_t = 60)]
        seconds: u64,
        /// Where the random numbers start.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Measure the library beside its peers: bench/README.md.
    Bench(bench::Arguments),
    /// Measure the program beside iconv, uconv and `recode_rs`.
    BenchProgram(bench_program::Arguments),
    /// Build and test the npm package and the page: `bindings/js`, `site`.
    Js(js::Arguments),
    /// Convert articles to every encoding of their script and back with the program.
    Roundtrip {
        /// A folder with UTF-8 articles, named by language: `ja.txt`, `zh_cn.txt`, ….
        #[arg(long)]
        corpus: PathBuf,
    },
    /// Convert much text there and back with the program, from a pipe and from a path, and watch its memory.
    Large {
        /// As for `roundtrip`.
        #[arg(long)]
        corpus: PathBuf,
        /// How much text.
        #[arg(long, default_value_t = 2048)]
        mib: u64,
    },
}

fn main() -> Result<()> {
    match Arguments::parse().command {
        Command::Import { dir, check } => import::run(&dir, check),
        Command::Tables { check } => tables::run(check),
        Command::Ci => checks::ci(),
        Command::Full { corpus } => checks::full(&corpus),
        Command::Test => checks::test(),
        Command::Small => checks::small(),
        Command::Lint => checks::lint(),
        Command::Examples => examples::run(),
        Command::Features => features::run(),
        Command::Size { record } => size::run(record),
        Command::Exhaustive { every } => checks::exhaustive(every),
        Command::Package => publish::run(),
        Command::Deny => publish::deny(),
        Command::NoStd => checks::no_std(),
        Command::Cross => platforms::cross(),
        Command::Avx512 => platforms::avx512(),
        Command::Asan => platforms::asan(),
        Command::Miri { quick } => miri::run(quick),
        Command::Api { check } => api::run(check),
        Command::Witness => checks::witness(),
        Command::Dropin(arguments) => dropin::run(&arguments),
        Command::Fuzz { seconds, seed } => checks::fuzz(seconds, seed),
        Command::Bench(arguments) => bench::run(arguments),
        Command::BenchProgram(arguments) => bench_program::run(arguments),
        Command::Js(arguments) => js::run(&arguments),
        Command::Roundtrip { corpus } => roundtrip::articles(&corpus),
        Command::Large { corpus, mib } => roundtrip::large(&corpus, mib << 20),
    }
}

/// The workspace's folder.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is in the workspace")
}
