//! Checks the libraries with each feature and with pairs of features.

use std::path::PathBuf;

use anyhow::Result;
use project::root;

/// Arguments of cargo-hack, which runs clippy for each set of features. cargo-hack skips sets that equal another set.
const SETS: [&str; 3] = [
    // No features, each feature, pairs (see `run`) and all. Each group counts as one feature.
    "--package textcodec --feature-powerset --depth 2 --exclude-features default \
     --group-features single-byte,japanese,korean,chinese --group-features __levels,__testing",
    // Each feature of the groups.
    "--package textcodec --each-feature --exclude-features std,alloc,serde,all-encodings,encoders --exclude-no-default-features",
    // Features without effect are one group.
    "--package encoding_rs --feature-powerset --depth 2 --exclude-features default --group-features \
     simd-accel,fast-legacy-encode,fast-hangul-encode,fast-hanja-encode,fast-kanji-encode,fast-gb-hanzi-encode,\
     fast-big5-hanzi-encode,less-slow-kanji-encode,less-slow-big5-hanzi-encode,less-slow-gb-hanzi-encode",
];

/// `cargo xtask features`: runs cargo-hack. `quick` leaves out pairs of features.
pub(crate) fn run(quick: bool) -> Result<()> {
    let sets = SETS.map(|set| if quick { set.replace("--depth 2", "--depth 1") } else { set.to_owned() });
    let hack = tool("cargo-hack", "0.6.46")?.display().to_string();
    sets.iter().try_for_each(|set| {
        let mut command = project::command(&hack, &["hack", "clippy", "--quiet", "--target-dir", "target/features"]);
        project::finish(command.args(set.split_whitespace()).args(["--", "--deny", "warnings"]))
    })
}

/// `cargo xtask deny`: checks the bans, licences and sources of all dependencies, as deny.toml says. cargo-deny takes minutes
/// to build.
pub(crate) fn deny() -> Result<()> {
    println!(
        "advisories are not checked, because their database must be downloaded separately: `cargo deny check advisories`"
    );
    let deny = tool("cargo-deny", "0.20.2")?.display().to_string();
    project::run(&deny, &["check", "bans", "licenses", "sources"])
}

/// Installs a program from crates.io into the build folder, unless it is already there. Returns its path.
fn tool(name: &str, version: &str) -> Result<PathBuf> {
    let folder = format!("target/tools/{name}-{version}");
    let program = root().join(&folder).join("bin").join(name);
    if !program.exists() {
        let arguments = ["install", "--quiet", "--locked", "--version", version, "--root", &folder, name];
        // Its speed does not matter, so it is built unoptimised.
        project::finish(project::command("cargo", &arguments).env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0"))?;
    }
    Ok(program)
}
