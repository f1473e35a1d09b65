//! Checks the libraries with each feature and with pairs of features.

use std::{path::PathBuf, thread};

use anyhow::{Result, anyhow};

use crate::{checks, root};

/// Arguments of cargo-hack, which runs clippy for each set of features. cargo-hack skips sets that equal another set.
const SETS: [&str; 3] = [
    // No features, each feature, pairs and all. Each group counts as one feature.
    "--package textcodec --feature-powerset --depth 2 --exclude-features default \
     --group-features single-byte,japanese,korean,chinese --group-features tokio,futures-io,tokio-util \
     --group-features levels,testing",
    // Each feature of the groups.
    "--package textcodec --each-feature --exclude-features std,alloc,serde,all-encodings,encoders --exclude-no-default-features",
    // Features without effect are one group.
    "--package encoding_rs --feature-powerset --depth 2 --exclude-features default --group-features \
     simd-accel,fast-legacy-encode,fast-hangul-encode,fast-hanja-encode,fast-kanji-encode,fast-gb-hanzi-encode,\
     fast-big5-hanzi-encode,less-slow-kanji-encode,less-slow-big5-hanzi-encode,less-slow-gb-hanzi-encode",
];

/// `cargo xtask features`: runs cargo-hack in two threads, each with half of the sets.
pub(crate) fn run() -> Result<()> {
    let hack = tool("cargo-hack", "0.6.46")?.display().to_string();
    let half = |number: usize| {
        SETS.iter().try_for_each(|set| {
            let partition = format!("--partition={number}/2");
            let folder = format!("target/features/{number}");
            let mut command =
                checks::command(&hack, &["hack", "clippy", &partition, "--quiet", "--target-dir", &folder]);
            checks::finish(command.args(set.split_whitespace()).args(["--", "--deny", "warnings"]))
        })
    };
    thread::scope(|scope| {
        let other = scope.spawn(|| half(2));
        half(1).and(other.join().map_err(|_| anyhow!("a thread has panicked"))?)
    })
}

/// Installs a program from crates.io into the build folder, unless it is already there. Returns its path.
pub(crate) fn tool(name: &str, version: &str) -> Result<PathBuf> {
    let folder = format!("target/tools/{name}-{version}");
    let program = root().join(&folder).join("bin").join(name);
    if !program.exists() {
        let arguments = ["install", "--quiet", "--locked", "--version", version, "--root", &folder, name];
        // Its speed does not matter, so it is built unoptimised.
        checks::finish(checks::command("cargo", &arguments).env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0"))?;
    }
    Ok(program)
}
