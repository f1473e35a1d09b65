//! The checks that CI runs, as commands.

use std::{
    process::{Command, Stdio},
    time::Instant,
};

use anyhow::{Context as _, Result, ensure};

use crate::root;

/// `cargo xtask test`: every test of the workspace, with all features.
pub(crate) fn test() -> Result<()> {
    run("cargo", &["test", "--workspace", "--all-features"])
}

/// `cargo xtask exhaustive`: all short inputs and all scalar values against the oracle.
pub(crate) fn exhaustive() -> Result<()> {
    run("cargo", &["run", "--release", "--quiet", "--package", "testkit", "--bin", "exhaustive"])
}

/// `cargo xtask lint`: formatting, clippy and the docs, warnings denied; the library in each of its three sizes.
pub(crate) fn lint() -> Result<()> {
    run("cargo", &["fmt", "--all", "--check"])?;
    run("cargo", &["clippy", "--workspace", "--all-targets", "--all-features", "--", "--deny", "warnings"])?;
    for features in ["", "alloc", "std,serde"] {
        let arguments = ["clippy", "--package", "textcodec", "--no-default-features", "--features", features];
        run("cargo", &[&arguments[..], &["--", "--deny", "warnings"]].concat())?;
    }
    let mut doc = command("cargo", &["doc", "--workspace", "--no-deps", "--document-private-items"]);
    finish(doc.env("RUSTDOCFLAGS", "--deny warnings --allow rustdoc::private_intra_doc_links"))
}

/// `cargo xtask witness`: encoding_rs beside the library, in a workspace of its own.
pub(crate) fn witness() -> Result<()> {
    run("cargo", &["run", "--release", "--quiet", "--manifest-path", "difftest/Cargo.toml"])
}

/// `cargo xtask fuzz`: the fuzz targets' checks on random inputs for so many seconds.
pub(crate) fn fuzz(seconds: u64, seed: u64) -> Result<()> {
    let (seconds, seed) = (seconds.to_string(), seed.to_string());
    let arguments = ["run", "--release", "--quiet", "--manifest-path", "fuzz/Cargo.toml", "--bin", "fuzz-random"];
    run("cargo", &[&arguments[..], &["--", "--seconds", &seconds, "--seed", &seed]].concat())
}

/// Runs a program in the workspace's folder; fails where it does.
pub(crate) fn run(program: &str, arguments: &[&str]) -> Result<()> {
    finish(&mut command(program, arguments))
}

fn command(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root()).stdin(Stdio::null());
    command
}

fn finish(command: &mut Command) -> Result<()> {
    let start = Instant::now();
    let what = format!("{command:?}").replace('"', "");
    eprintln!("$ {what}");
    let status = command.status().with_context(|| format!("cannot start {what}"))?;
    ensure!(status.success(), "failed: {what}");
    eprintln!("  {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}
