//! `cargo xtask bench-wasm`: measures the library and its peers as WebAssembly, in Node.

use std::{
    path::{Path, PathBuf},
    process::Stdio,
};

use anyhow::{Context as _, Result, ensure};
use project::root;

use crate::bench;

/// The arguments of `cargo xtask bench-wasm`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A folder with UTF-8 articles and pages, as for `bench`.
    #[arg(long)]
    corpus: Option<PathBuf>,
    /// The cells to measure: comma-separated parts of their names, or patterns with `*`.
    #[arg(long, default_value = CELLS)]
    cells: String,
    /// The number of passes, of which the medians are reported.
    #[arg(long, default_value_t = 31)]
    passes: usize,
    /// Write the table to a section of `docs/performance.md`.
    #[arg(long)]
    record: bool,
}

const CELLS: &str = "validate/utf-8/ja/4KiB,validate/utf-16/ja/4KiB,convert/utf-8/utf-16/en/4KiB,convert/utf-8/utf-16/de/4KiB,\
    convert/utf-8/utf-16/ru/4KiB,convert/utf-8/utf-16/ja/4KiB,convert/utf-8/utf-16/ja/stream,convert/utf-8/utf-16/ja/100B,\
    convert/utf-16/utf-8/de/4KiB,convert/utf-16/utf-8/ru/4KiB,convert/utf-16/utf-8/ja/4KiB,convert/latin-1/utf-8/de/4KiB,\
    decode/windows-1252/utf-16/de/4KiB,decode/windows-1252/utf-16/de/100B,decode/windows-1251/utf-8/ru/4KiB,\
    decode/windows-1251/utf-16/ru/4KiB,decode/windows-1251/utf-16/ru/stream,decode/windows-1251/utf-16/ru/100B,\
    encode/windows-1251/utf-8/ru/4KiB,encode/windows-1251/utf-16/ru/4KiB,decode/shift_jis/utf-8/ja/4KiB,\
    decode/shift_jis/utf-16/ja/4KiB,decode/shift_jis/utf-16/ja/stream,decode/shift_jis/utf-16/ja/100B,\
    decode/shift_jis/utf-16/ja-page/4KiB,encode/shift_jis/utf-8/ja/4KiB,encode/shift_jis/utf-16/ja/4KiB,\
    decode/gb18030/utf-16/zh_cn/4KiB,decode/euc-kr/utf-16/ko/4KiB,decode/iso-2022-jp/utf-16/ja/4KiB";

/// The text before the table.
const ABOUT: &str = "\
## simd128: WebAssembly in Node

GB/s of input, or nanoseconds per call for 100 bytes; a stream is 64 KiB in chunks of 4 KiB. All modules are built for speed and
compiled with the optimizing compiler before they run, and JavaScript makes each call. `textcodec@scalar` is built without
simd128, and encoding_rs 0.8.44 with it: by default, and with `simd-accel` and `fast-legacy-encode` (`encoding_rs-native`). A
`TextDecoder` makes a string, and is left out where it does not follow the Encoding Standard: Node's decodes windows-1252 as
ISO-8859-1. The ratio is the time of the fastest peer, divided by that of the library with simd128.";

/// The engines: their names, folders and features of WebAssembly.
const ENGINES: [(&str, &str, &str); 4] = [
    ("textcodec@simd128", "textcodec", "+simd128"),
    ("textcodec@scalar", "textcodec", ""),
    ("encoding_rs", "encoding_rs", "+simd128"),
    ("encoding_rs-native", "encoding_rs-native", "+simd128"),
];

const FOLDER: &str = "bench/target/wasm";
const TARGET: &str = "wasm32-unknown-unknown";

pub(crate) fn run(arguments: Arguments) -> Result<()> {
    if let Err(why) = project::run("rustup", &["target", "add", TARGET]) {
        return project::skip("WebAssembly", &why.to_string());
    }
    let cells = root().join(FOLDER).join("cells");
    let mut modules = Vec::new();
    for (name, engine, features) in ENGINES {
        modules.push(format!("{name}={}", build(engine, features)?.display()));
    }
    let mut emit =
        project::command("cargo", &["run", "--release", "--quiet", "--manifest-path", "bench/Cargo.toml", "--"]);
    emit.arg("--root").arg(root()).args(bench::comparable_engines());
    emit.arg("--cells").arg(arguments.cells).arg("--emit").arg(&cells);
    if let Some(corpus) = arguments.corpus {
        let corpus = corpus.canonicalize().with_context(|| format!("no folder {}", corpus.display()))?;
        emit.arg("--corpus").arg(corpus);
    }
    project::finish(&mut emit)?;
    // Without Liftoff, modules are optimized before they run.
    let mut node = project::command("node", &["--no-liftoff", "bench/wasm/bench.mjs"]);
    let output = node.arg(cells).arg(arguments.passes.to_string()).args(modules).stderr(Stdio::inherit()).output()?;
    ensure!(output.status.success(), "the benchmark failed");
    let table = String::from_utf8(output.stdout)?;
    print!("{table}");
    if arguments.record {
        let version = project::command("node", &["--version"]).output()?;
        let (version, passes) = (String::from_utf8(version.stdout)?, arguments.passes);
        let about = format!("{ABOUT} Node {}, medians of {passes} interleaved passes.", version.trim());
        project::replace("docs/performance.md", "bench-wasm --record", &format!("\n{about}\n\n{table}\n"))?;
    }
    Ok(())
}

/// Builds an engine as a module that exports its table of functions.
fn build(engine: &str, features: &str) -> Result<PathBuf> {
    let manifest = format!("bench/engines/{engine}/Cargo.toml");
    let mut command =
        project::command("cargo", &["build", "--release", "--quiet", "--target", TARGET, "--manifest-path"]);
    let target = Path::new(FOLDER).join(format!("{engine}{features}"));
    command.arg(manifest).env("CARGO_TARGET_DIR", &target);
    command.env("RUSTFLAGS", format!("-Ctarget-feature={features} -Clink-arg=--export-table"));
    // For features of nightly Rust.
    if engine.ends_with("-native") {
        command.env("RUSTC_BOOTSTRAP", "1");
    }
    project::finish(&mut command)?;
    let module = format!("bench_engine_{}.wasm", engine.replace('-', "_"));
    Ok(root().join(target).join(TARGET).join("release").join(module))
}
