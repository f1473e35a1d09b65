//! Checks that packages can be published, and that docs.rs can build their docs.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use crate::{checks, features};

/// Files that every package needs.
const NEEDED: [&str; 3] = ["LICENSE-APACHE", "LICENSE-MIT", "README.md"];

/// The file that a package needs if it contains the standard's data.
const FOR_DATA: &str = "LICENSE-WHATWG";

/// The folders that a package may contain.
const FOLDERS: [&str; 4] = ["examples", "indexes", "src", "tables"];

/// `cargo xtask package`: builds each published package from its package file, and checks that it contains all required files
/// and no others.
pub(crate) fn run() -> Result<()> {
    let packages = published()?;
    let names: Vec<&str> = packages.iter().filter_map(|package| package["name"].as_str()).collect();
    for name in &names {
        let list = checks::command("cargo", &["package", "--allow-dirty", "--list", "--package", name]).output()?;
        let list = String::from_utf8(list.stdout)?;
        let files: BTreeSet<&str> = list.lines().collect();
        for file in NEEDED {
            ensure!(files.contains(file), "package {name} has no {file}");
        }
        let has_data = files.iter().any(|file| file.starts_with("tables/") || file.starts_with("indexes/"));
        ensure!(
            has_data == files.contains(FOR_DATA),
            "package {name}: {FOR_DATA} must be there if and only if the standard's data is"
        );
        let known = |file: &str| {
            let folder = file.split_once('/').map(|(folder, _)| folder);
            folder.map_or(file.contains("Cargo") || file.contains("cargo"), |folder| FOLDERS.contains(&folder))
        };
        let other = files.iter().find(|file| !NEEDED.contains(file) && **file != FOR_DATA && !known(file));
        ensure!(other.is_none(), "package {name} contains an unexpected file: {other:?}");
        println!("package {name}: {} files", files.len());
    }

    let mut package = checks::command("cargo", &["package", "--allow-dirty"]);
    package.args(names.iter().flat_map(|name| ["--package", name])).env("CARGO_PROFILE_DEV_DEBUG", "0");
    eprintln!("$ {package:?}");
    let output = package.output()?;
    let messages = String::from_utf8_lossy(&output.stderr);
    // The tests are not in the packages, because they need the oracle, which is not published.
    let warning =
        messages.lines().find(|line| line.starts_with("warning: ") && !line.starts_with("warning: ignoring test "));
    ensure!(output.status.success() && warning.is_none(), "cargo package: {warning:?}\n{messages}");
    docs(&packages)
}

/// Builds the docs of each published library with the settings for docs.rs in its manifest. Denies warnings.
fn docs(packages: &[Value]) -> Result<()> {
    for package in packages {
        let metadata = &package["metadata"]["docs"]["rs"];
        let words =
            |key: &str| metadata[key].as_array().into_iter().flatten().filter_map(Value::as_str).collect::<Vec<_>>();
        let name = package["name"].as_str().context("a package has no name")?;
        if metadata.is_null() {
            continue;
        }
        let features = words("features").join(",");
        let arguments = ["doc", "--no-deps", "--target-dir", "target/api", "--package", name, "--features", &features];
        let flags = [words("rustdoc-args"), vec!["--deny", "warnings"]].concat().join(" ");
        // docs.rs uses nightly Rust.
        let mut doc = checks::command("cargo", &arguments);
        checks::finish(doc.env("RUSTC_BOOTSTRAP", "1").env("RUSTDOCFLAGS", flags))?;
    }
    Ok(())
}

/// Returns the published packages of the workspace, as in `cargo metadata`.
fn published() -> Result<Vec<Value>> {
    let output = checks::command("cargo", &["metadata", "--format-version=1", "--no-deps"]).output()?;
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let packages = metadata["packages"].as_array().context("cargo metadata has no packages")?;
    // `publish = false` is an empty list of registries.
    Ok(packages.iter().filter(|package| package["publish"].is_null()).cloned().collect())
}

/// `cargo xtask deny`: checks the bans, licences and sources of all dependencies, as deny.toml says. cargo-deny takes minutes
/// to build.
pub(crate) fn deny() -> Result<()> {
    println!(
        "advisories are not checked, because their database must be downloaded separately: `cargo deny check advisories`"
    );
    let deny = features::tool("cargo-deny", "0.20.2")?.display().to_string();
    checks::run(&deny, &["check", "bans", "licenses", "sources"])
}
