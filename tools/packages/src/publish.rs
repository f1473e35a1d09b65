//! Checks that packages can be published, that they work as published, and that docs.rs can build their docs.

use std::{
    collections::BTreeSet,
    env, fs,
    path::PathBuf,
    process::{Command, Stdio},
};

use anyhow::{Context as _, Result, ensure};
use project::root;
use serde_json::Value;

use crate::{dropin::Counts, examples};

/// Files that every package needs.
const NEEDED: [&str; 3] = ["LICENSE-APACHE", "LICENSE-MIT", "README.md"];

/// The file that a package needs if it contains the standard's data.
const FOR_DATA: &str = "LICENSE-WHATWG";

/// A file of the package whose tables are not the standard's.
const OTHER_DATA: &str = "tables/pages.packed";

/// The file that a package needs if it contains the data of deunicode, and a file with that data.
const FOR_DEUNICODE: (&str, &str) = ("LICENSE-DEUNICODE", "tables/romanization-text.bin");

/// The folders that a package may contain.
const FOLDERS: [&str; 5] = ["examples", "indexes", "samples", "src", "tables"];

/// Where packages are unpacked by `cargo package`.
const UNPACKED: &str = "target/package";

/// The build folder of the unpacked packages.
const BUILD: &str = "target/unpacked";

/// `cargo xtask package`: builds each published package from its package file, checks that it contains all required files and
/// no others, and runs the examples of its documentation and its programs in `examples/` from that file.
pub(crate) fn run() -> Result<()> {
    let packages = published()?;
    for package in &packages {
        check_files(name(package))?;
    }

    for package in &packages {
        forget_sources(package)?;
    }
    let mut command = project::command("cargo", &["package", "--allow-dirty"]);
    command.args(packages.iter().flat_map(|package| ["--package", name(package)])).env("CARGO_PROFILE_DEV_DEBUG", "0");
    eprintln!("$ {command:?}");
    let output = command.output()?;
    let messages = String::from_utf8_lossy(&output.stderr);
    // The tests are not in the packages, because they need the oracle, which is not published.
    let warning =
        messages.lines().find(|line| line.starts_with("warning: ") && !line.starts_with("warning: ignoring test "));
    ensure!(output.status.success() && warning.is_none(), "cargo package: {warning:?}\n{messages}");

    for package in &packages {
        if !targets(package, "lib").is_empty() {
            test_examples(package, &packages)?;
        }
        docs(package)?;
    }
    Ok(())
}

/// Removes the sources of a package that an earlier `cargo package` unpacked.
///
/// To build the packages that depend on it, Cargo unpacks it below its home, into a folder that only the path of this project
/// and the package's version name. It would use what is there, although the package has changed since.
fn forget_sources(package: &Value) -> Result<()> {
    let Ok(registries) = fs::read_dir(cargo_home()?.join("registry/src")) else { return Ok(()) };
    for registry in registries {
        let registry = registry?;
        // A registry of the network begins with its host; one in a folder has none.
        let sources = registry.path().join(format!("{}-{}", name(package), version(package)));
        if registry.file_name().to_string_lossy().starts_with('-') && sources.exists() {
            fs::remove_dir_all(&sources).with_context(|| sources.display().to_string())?;
        }
    }
    Ok(())
}

/// Returns the folder with cargo's copies of packages.
pub(crate) fn cargo_home() -> Result<PathBuf> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".cargo")));
    home.context("CARGO_HOME and HOME are not set")
}

/// Checks the list of files of a package.
fn check_files(name: &str) -> Result<()> {
    let list = project::command("cargo", &["package", "--allow-dirty", "--list", "--package", name]).output()?;
    let list = String::from_utf8(list.stdout)?;
    let files: BTreeSet<&str> = list.lines().collect();
    for file in NEEDED {
        ensure!(files.contains(file), "package {name} has no {file}");
    }
    let has_data = files.iter().any(|file| file.starts_with("tables/") || file.starts_with("indexes/"))
        && !files.contains(OTHER_DATA);
    ensure!(
        has_data == files.contains(FOR_DATA),
        "package {name}: {FOR_DATA} must be there if and only if the standard's data is"
    );
    let (licence, data) = FOR_DEUNICODE;
    ensure!(files.contains(licence) == files.contains(data), "package {name}: {licence} must be there if {data} is");
    let known = |file: &str| {
        let folder = file.split_once('/').map(|(folder, _)| folder);
        folder.map_or(file.contains("Cargo") || file.contains("cargo"), |folder| FOLDERS.contains(&folder))
    };
    let licences = [FOR_DATA, licence];
    let other = files.iter().find(|file| !NEEDED.contains(file) && !licences.contains(file) && !known(file));
    ensure!(other.is_none(), "package {name} contains an unexpected file: {other:?}");
    println!("package {name}: {} files", files.len());
    Ok(())
}

/// Runs the documentation tests and the examples of a library's unpacked package.
fn test_examples(package: &Value, packages: &[Value]) -> Result<()> {
    let features = docs_features(package).join(",");
    let mut test = unpacked(package, packages, &["test", "--doc", "--features", &features]);
    eprintln!("$ {test:?}");
    let output = test.stderr(Stdio::inherit()).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let counts = Counts::of(&text);
    let name = name(package);
    ensure!(output.status.success() && counts.passed > 0, "documentation tests of {name}:\n{text}");
    print!("package {name}: {} documentation tests", counts.passed);

    let examples = targets(package, "example");
    if !examples.is_empty() {
        project::finish(&mut unpacked(package, packages, &["build", "--examples", "--features", &features]))?;
        let runs = examples::check(&examples, &folder(package), &root().join(BUILD).join("debug"))?;
        print!(" and {runs} runs of examples");
    }
    println!(" pass");
    Ok(())
}

/// Tests a program's unpacked package: its unit tests, and that it converts text.
pub(crate) fn test_program(package: &Value, packages: &[Value]) -> Result<()> {
    project::finish(&mut unpacked(package, packages, &["test", "--bins"]))?;
    let sample = root().join("samples/tea.shift_jis.txt").display().to_string();
    let run = ["run", "--quiet", "--", "convert", "--from", "shift_jis", &sample];
    let output = unpacked(package, packages, &run).stderr(Stdio::inherit()).output()?;
    let expected = fs::read(root().join("samples/tea.utf-8.txt"))?;
    ensure!(output.status.success() && output.stdout == expected, "{}: {output:?}", name(package));
    println!("package {}: its program converts a sample", name(package));
    Ok(())
}

/// Returns a command of cargo in the folder of an unpacked package. The other packages of the project that it depends on are
/// unpacked ones, too.
fn unpacked(package: &Value, packages: &[Value], arguments: &[&str]) -> Command {
    let mut command = project::command("cargo", &arguments[..1]);
    for other in packages.iter().filter(|other| needs(package, other, packages)) {
        let patch = format!("patch.crates-io.{}.path={:?}", name(other), folder(other).display().to_string());
        command.args(["--config", &patch]);
    }
    command.args(&arguments[1..]).current_dir(folder(package));
    command.env("CARGO_TARGET_DIR", root().join(BUILD)).env("CARGO_PROFILE_DEV_DEBUG", "0");
    command
}

/// Returns whether a package depends on another one, or on one that needs it.
fn needs(package: &Value, other: &Value, packages: &[Value]) -> bool {
    let between = || packages.iter().filter(|between| depends_on(package, between));
    depends_on(package, other) || between().any(|between| needs(between, other, packages))
}

/// Returns whether a package depends on another one, not counting the tests' own dependencies.
fn depends_on(package: &Value, other: &Value) -> bool {
    let dependencies = package["dependencies"].as_array().into_iter().flatten();
    dependencies.filter(|dependency| dependency["kind"].is_null()).any(|dependency| dependency["name"] == other["name"])
}

/// Returns the folder into which a package was unpacked.
fn folder(package: &Value) -> PathBuf {
    root().join(UNPACKED).join(format!("{}-{}", name(package), version(package)))
}

pub(crate) fn name(package: &Value) -> &str {
    package["name"].as_str().unwrap_or_default()
}

pub(crate) fn version(package: &Value) -> &str {
    package["version"].as_str().unwrap_or_default()
}

/// Returns the names of a package's targets of a kind: `lib`, `bin`, `example`.
pub(crate) fn targets(package: &Value, kind: &str) -> BTreeSet<String> {
    let targets = package["targets"].as_array().into_iter().flatten();
    let names = targets.filter(|target| target["kind"][0] == kind).filter_map(|target| target["name"].as_str());
    names.map(str::to_owned).collect()
}

/// Returns the features with which docs.rs builds the docs of a package.
fn docs_features(package: &Value) -> Vec<&str> {
    strings(&package["metadata"]["docs"]["rs"]["features"])
}

fn strings(array: &Value) -> Vec<&str> {
    array.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Builds the docs of a published library with the settings for docs.rs in its manifest. Denies warnings.
fn docs(package: &Value) -> Result<()> {
    let metadata = &package["metadata"]["docs"]["rs"];
    if metadata.is_null() {
        return Ok(());
    }
    let features = docs_features(package).join(",");
    let arguments =
        ["doc", "--no-deps", "--target-dir", "target/api", "--package", name(package), "--features", &features];
    let flags = [strings(&metadata["rustdoc-args"]), vec!["--deny", "warnings"]].concat().join(" ");
    // docs.rs uses nightly Rust.
    let mut doc = project::command("cargo", &arguments);
    project::finish(doc.env("RUSTC_BOOTSTRAP", "1").env("RUSTDOCFLAGS", flags))
}

/// Returns the published packages of the workspace, as in `cargo metadata`, each after those that it depends on.
pub(crate) fn published() -> Result<Vec<Value>> {
    let output = project::command("cargo", &["metadata", "--format-version=1", "--no-deps"]).output()?;
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let packages = metadata["packages"].as_array().context("cargo metadata has no packages")?;
    // `publish = false` is an empty list of registries.
    let mut rest: Vec<Value> = packages.iter().filter(|package| package["publish"].is_null()).cloned().collect();
    let mut ordered = Vec::new();
    while !rest.is_empty() {
        let free = |package: &Value| !rest.iter().any(|other| depends_on(package, other));
        let next = rest.iter().position(free).context("packages depend on each other")?;
        ordered.push(rest.remove(next));
    }
    Ok(ordered)
}
