//! `cargo xtask instructions`: counts the instructions that the library and its peers execute on aarch64. The benchmark runs
//! under qemu with a plug-in that counts.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, ensure};
use project::root;

use crate::bench;

/// The arguments of `cargo xtask instructions`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A folder with UTF-8 articles and pages, as for `bench`.
    #[arg(long)]
    corpus: Option<PathBuf>,
    /// The cells to count: comma-separated parts of their names, or patterns with `*`.
    #[arg(long, default_value = "*/4KiB,*/100B")]
    cells: String,
    /// Write the figures to `docs/performance-neon.csv` and a section of `docs/performance.md`.
    #[arg(long)]
    record: bool,
}

/// The build folder.
const FOLDER: &str = "bench/target/instructions";
const TARGET: &str = "aarch64-unknown-linux-gnu";

/// The engines, by folders, with their names. All are built for any aarch64 processor; the last one needs nightly features.
const ENGINES: [(&str, &str); 4] = [
    ("textcodec", "textcodec@neon"),
    ("encoding_rs", "encoding_rs"),
    ("encoding_rs-native", "encoding_rs-native@neon"),
    ("simdutf", "simdutf@neon"),
];

pub(crate) fn run(arguments: Arguments) -> Result<()> {
    if let Err(why) = project::run("scripts/cross.sh", &[project::CROSS]) {
        return project::skip("instructions on aarch64", &why.to_string());
    }
    let folder = root().join(FOLDER);
    fs::create_dir_all(&folder)?;
    let (plugin, counter) = (folder.join("libinstructions.so"), folder.join("counter"));
    let source = root().join("bench/src/instructions.c");
    let mut compiler = project::command("cc", &["-O2", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-o"]);
    project::finish(compiler.arg(&plugin).arg(source))?;

    // The C library and that of C++ with which simdutf was built also run the other programs.
    let simdutf = bench::newer_simdutf(&folder.join("simdutf"), &["arm64"])?;
    let program = build("bench/Cargo.toml", "bench")?;
    let mut command = project::command(&project::prepared("aarch64-run").context("no qemu")?, &[]);
    command.arg("-L").arg(folder.join("simdutf")).arg("-plugin");
    command
        .arg(format!("{},counter={}", plugin.display(), counter.display()))
        .arg(program)
        .arg("--counter")
        .arg(counter);
    for (engine, name) in ENGINES {
        let manifest = format!("bench/engines/{engine}/Cargo.toml");
        let library = build(&manifest, &format!("libbench_engine_{}.so", engine.replace('-', "_")))?;
        command.arg("--engine").arg(format!("{name}={}", library.display()));
    }
    command.arg("--root").arg(root()).arg("--cells").arg(arguments.cells).env("BENCH_SIMDUTF", simdutf);
    if let Some(corpus) = arguments.corpus {
        let corpus = corpus.canonicalize().with_context(|| format!("no folder {}", corpus.display()))?;
        command.arg("--corpus").arg(corpus);
    }
    command.args(arguments.record.then_some("--record"));
    ensure!(command.status()?.success(), "the benchmark failed");
    Ok(())
}

/// Builds a package for aarch64 and returns the path of a file that it makes.
fn build(manifest: &str, file: &str) -> Result<PathBuf> {
    eprintln!("building {}", Path::new(manifest).parent().unwrap_or(Path::new(manifest)).display());
    let mut command =
        project::command("cargo", &["build", "--release", "--quiet", "--target", TARGET, "--manifest-path"]);
    let target = Path::new(FOLDER).join(Path::new(file).file_stem().unwrap_or_default());
    command.arg(manifest).env("CARGO_TARGET_DIR", &target);
    command.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", linker()?);
    // For features of nightly Rust.
    if manifest.contains("-native") {
        command.env("RUSTC_BOOTSTRAP", "1");
    }
    project::finish(&mut command)?;
    Ok(root().join(target).join(TARGET).join("release").join(file))
}

fn linker() -> Result<OsString> {
    Ok(project::prepared("aarch64-cc").context("no linker for aarch64")?.into())
}
