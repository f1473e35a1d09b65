//! `cargo xtask msrv`: checks the packages that promise a minimum Rust version with that version.

use anyhow::{Context as _, Result};
use serde_json::Value;

/// Checks each package with its `rust-version`, with all features and without any.
pub(crate) fn run() -> Result<()> {
    let metadata = project::command("cargo", &["metadata", "--no-deps", "--format-version", "1"]).output()?;
    let metadata: Value = serde_json::from_slice(&metadata.stdout)?;
    for package in metadata["packages"].as_array().context("no packages")? {
        let (Some(name), Some(version)) = (package["name"].as_str(), package["rust_version"].as_str()) else {
            continue;
        };
        let install = ["toolchain", "install", version, "--profile", "minimal", "--no-self-update"];
        if let Err(why) = project::run("rustup", &install) {
            return project::skip(&format!("Rust {version}"), &why.to_string());
        }
        for features in ["--all-features", "--no-default-features"] {
            let toolchain = format!("+{version}");
            let arguments = [&toolchain, "check", "--locked", "--package", name, "--lib", features];
            // Another compiler would replace the builds of other steps.
            project::finish(project::command("cargo", &arguments).env("CARGO_TARGET_DIR", "target/msrv"))?;
        }
    }
    Ok(())
}
