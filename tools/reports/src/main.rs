//! Measurements: the speed of the library and of the program, what they cost in size and memory, and the documents that record it.

use std::path::PathBuf;

use anyhow::Result;
use clap::Parser;

mod bench;
mod bench_program;
mod bench_wasm;
mod instructions;
mod roundtrip;
mod size;

/// The commands.
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
enum Command {
    /// Compare the library's speed with other libraries: see bench/README.md.
    Bench(bench::Arguments),
    /// Compare the program's speed with iconv, uconv and `recode_rs`.
    BenchProgram(bench_program::Arguments),
    /// Compare the library's speed as WebAssembly with `encoding_rs` and `TextDecoder`, in Node: see bench/README.md.
    BenchWasm(bench_wasm::Arguments),
    /// Count the instructions of the library and its peers on aarch64 (NEON), in an emulator: see bench/README.md.
    Instructions(instructions::Arguments),
    /// Measure what the library adds to the build time and the size of a small program, by features, next to encoding_rs.
    Size {
        /// Write the tables to `docs/size.md`.
        #[arg(long)]
        record: bool,
        /// Only compare the sizes of a few programs with those in `docs/size.md`.
        #[arg(long, conflicts_with = "record")]
        check: bool,
    },
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
    match Command::parse() {
        Command::Bench(arguments) => bench::run(arguments),
        Command::BenchProgram(arguments) => bench_program::run(arguments),
        Command::BenchWasm(arguments) => bench_wasm::run(arguments),
        Command::Instructions(arguments) => instructions::run(arguments),
        Command::Size { record: _, check: true } => size::check(),
        Command::Size { record, check: false } => size::run(record),
        Command::Roundtrip { corpus } => roundtrip::articles(&corpus),
        Command::Large { corpus, mib } => roundtrip::large(&corpus, mib << 20),
    }
}
