//! The checks of CI, as commands.

use std::{fs, path::Path, process::Command};

use anyhow::{Context as _, Result, bail, ensure};
use project::{command, finish, root, run};

use crate::{
    documents, links, platforms, pointers,
    schedule::{self, Step},
    workflows,
};

/// An optional folder next to the project, with the standard's data and articles.
const SHARED: &str = "../shared/data";

/// Build folders that several steps use.
const DEBUG: &str = "target/debug";
const RELEASE: &str = "target/release";
const CHECKED: &str = "target/checked";
const API: &str = "target/api";
const NPM: &str = "bindings/js/dist";

/// The steps of CI, the long ones first. Each ends with an error if a check fails.
const CI: &[Step<'_>] = &[
    Step::new("lint").builds_in(&[DEBUG]),
    Step::new("js --quick"),
    Step::new("python --quick"),
    Step::new("test").builds_in(&[DEBUG]),
    Step::new("asan --quick"),
    Step::new("c --quick"),
    Step::new("cross --quick"),
    Step::new("windows --quick"),
    Step::new("exhaustive --every 9").builds_in(&[RELEASE]),
    Step::new("features --quick"),
    Step::new("miri --quick"),
    Step::new("bench --smoke"),
    Step::new("dropin chardetng encoding_rs_io"),
    Step::new("small --quick").builds_in(&[DEBUG]),
    Step::new("witness --quick").builds_in(&[CHECKED]),
    Step::new("no-std").builds_in(&[DEBUG]),
    Step::new("package").builds_in(&[DEBUG, API]),
    Step::new("api --check").builds_in(&[API]),
    Step::new("examples").builds_in(&[DEBUG]),
    Step::new("readme").builds_in(&[RELEASE]),
    Step::new("bench-program --smoke").builds_in(&[RELEASE]),
    Step::new("tables --check"),
    Step::new("size --check"),
    Step::new("fuzz --seconds 60").builds_in(&[CHECKED]),
];

/// The steps that only a release needs, the long ones first.
const FULL: &[Step<'_>] = &[
    Step::new("miri"),
    Step::new("python"),
    Step::new("js").builds_in(&[NPM]),
    Step::new("c"),
    Step::new("twice --check").builds_in(&[DEBUG]),
    Step::new("cross"),
    Step::new("windows"),
    Step::new("asan"),
    Step::new("features"),
    Step::new("witness").builds_in(&[CHECKED]),
    Step::new("exhaustive").builds_in(&[RELEASE]),
    Step::new("small").builds_in(&[DEBUG]),
    Step::new("dropin"),
    Step::new("import-pages --check"),
    Step::new("import-names --check"),
    Step::new("release --dry-run").builds_in(&[DEBUG, API, NPM]),
    Step::new("js clients").builds_in(&[NPM]),
    Step::new("avx512"),
    Step::new("limits").builds_in(&[DEBUG]),
    Step::new("deny"),
    Step::new("msrv"),
    Step::new("unchecked").builds_in(&[RELEASE]),
    Step::new("fuzz --seconds 600 --seed 2").builds_in(&[CHECKED]),
    Step::new("fuzz --seconds 300 --seed 3 --unchecked"),
];

/// The steps of CI that need the folder [`SHARED`].
const CI_WITH_DATA: &[Step<'_>] = &[
    Step::new("import ../shared/data/whatwg --check"),
    Step::new("roundtrip --corpus ../shared/data/corpora").builds_in(&[RELEASE]),
];

/// Returns the steps of CI that can run here.
fn ci_steps() -> Vec<Step<'static>> {
    let shared = root().join(SHARED).is_dir();
    [CI, if shared { CI_WITH_DATA } else { &[] }].concat()
}

/// `cargo xtask ci`: runs the checks of `.ci/run`, or some of them.
pub(crate) fn ci(names: &[String]) -> Result<()> {
    let mut steps = ci_steps();
    if let Some(name) = names.iter().find(|name| !steps.iter().any(|step| step.name() == **name)) {
        let known: Vec<&str> = steps.iter().map(Step::name).collect();
        bail!("unknown step {name}; the steps are {}", known.join(", "));
    }
    steps.retain(|step| names.is_empty() || names.iter().any(|name| step.name() == name));
    schedule::run(&steps)
}

/// `cargo xtask full`: runs the checks of CI, and those that only a release needs. Where these do more of the same, such as
/// `python` and `python --quick`, only they run.
pub(crate) fn full(corpus: &Path) -> Result<()> {
    let corpus = corpus.canonicalize().with_context(|| format!("no folder {}", corpus.display()))?;
    let corpus = corpus.display().to_string();
    ensure!(!corpus.contains(char::is_whitespace), "{corpus}: the folder's path must not contain spaces");
    let large = format!("large --corpus {corpus}");
    // These steps measure, so nothing may run next to them.
    let large = Step::new(&large).builds_in(&[RELEASE]).alone();
    let lighthouse = Step::new("js lighthouse").builds_in(&[NPM]).alone();
    let mut steps = FULL.to_vec();
    steps.extend(ci_steps().into_iter().filter(|step| FULL.iter().all(|more| more.name() != step.name())));
    schedule::run(&[&steps[..], &[large, lighthouse]].concat())
}

/// `cargo xtask no-std`: builds the library without `alloc`, tests that it uses the best kernels without `std`, and builds it
/// for targets that have no `std`.
pub(crate) fn no_std() -> Result<()> {
    run("cargo", &["build", "--package", "textcodec", "--no-default-features"])?;
    finish(unoptimised(&mut command("cargo", &["test", "--package", "without-std"])))?;
    platforms::bare()
}

/// `cargo xtask readme`: runs the README's first command and checks its output.
pub(crate) fn readme() -> Result<()> {
    let readme = fs::read_to_string(root().join("README.md"))?;
    let line = readme.lines().find(|line| line.starts_with("cargo run ")).context("no command in the README")?;
    let words: Vec<&str> = line.split_whitespace().collect();
    let output = command(words[0], &words[1..]).output()?;
    let original = fs::read(root().join("samples/tea.utf-8.txt"))?;
    ensure!(
        output.status.success() && output.stdout == original,
        "the README's first command printed unexpected output: {output:?}"
    );
    println!("the README's first command prints samples/tea.utf-8.txt, {} bytes", original.len());
    Ok(())
}

/// `cargo xtask test`: runs all tests of the workspace with all features, and the tests for fewer features.
pub(crate) fn test() -> Result<()> {
    run("cargo", &["test", "--workspace", "--all-features", "--no-fail-fast"])?;
    // Detection without guessing.
    run("cargo", &["test", "--package", "textcodec-detect", "--no-default-features"])?;
    let detect = ["test", "--package", "textcodec-cli", "--no-default-features", "detect"];
    finish(unoptimised(&mut command("cargo", &detect)))?;
    for features in ["", "single-byte,japanese,encoders", "korean,chinese,encoders", "std,japanese", "all-encodings"] {
        let arguments = ["test", "--package", "slim", "--test", "features", "--no-default-features", "--features"];
        finish(unoptimised(command("cargo", &arguments).arg(features)))?;
    }
    Ok(())
}

/// Makes cargo build without optimisation, which takes a quarter of the time. For tests that take no time.
pub(crate) fn unoptimised(command: &mut Command) -> &mut Command {
    command.env("CARGO_PROFILE_DEV_OPT_LEVEL", "0").env("CARGO_PROFILE_TEST_OPT_LEVEL", "0")
}

/// `cargo xtask limits`: runs the program with many limits of memory.
pub(crate) fn limits() -> Result<()> {
    let arguments =
        ["test", "--package", "textcodec-cli", "--all-features", "--test", "cli", "--", "--ignored", "memory::"];
    run("cargo", &arguments)
}

/// `cargo xtask small`: tests the library built for size, without the tests that take long. `quick` runs clippy alone, because
/// the tests of the npm package run the same code.
pub(crate) fn small(quick: bool) -> Result<()> {
    // Given to clippy, the flag changes only the workspace's packages, so that the dependencies are those of `lint`.
    let clippy = ["clippy", "--package", "textcodec", "--all-targets", "--all-features", "--"];
    run("cargo", &[&clippy[..], &["--cfg", "textcodec_small", "--deny", "warnings"]].concat())?;
    if quick {
        return Ok(());
    }
    let tests = ["test", "--package", "textcodec", "--all-features", "--lib", "--test", "suite"];
    let long = ["--", "--skip", "exhaustive::", "--skip", "kernel_contract::", "--skip", "damaged"];
    let mut command = command("cargo", &[&tests[..], &long].concat());
    finish(command.env("RUSTFLAGS", "--cfg textcodec_small").env("CARGO_TARGET_DIR", "target/packed"))
}

/// `cargo xtask twice`: converts texts between all pairs of encodings, twice, and writes the table of what happened, or compares it
/// with the recorded one.
pub(crate) fn twice(check: bool) -> Result<()> {
    let recorded = root().join("docs/design/running-twice.csv");
    let path = if check { root().join("target/running-twice.csv") } else { recorded.clone() };
    let tests = ["test", "--package", "textcodec-cli", "--test", "cli", "twice"];
    finish(command("cargo", &tests).env("TEXTCODEC_TWICE", &path))?;
    let is_same = fs::read(&path)? == fs::read(&recorded)?;
    ensure!(is_same, "{} differs from {}; cargo xtask twice writes it", recorded.display(), path.display());
    Ok(())
}

/// `cargo xtask exhaustive`: compares all short inputs and all scalar values with the oracle, within dense text at every
/// `every`-th offset.
pub(crate) fn exhaustive(every: usize) -> Result<()> {
    let arguments = ["run", "--release", "--quiet", "--package", "testkit", "--bin", "exhaustive", &every.to_string()];
    run("cargo", &arguments)
}

/// `cargo xtask lint`: checks formatting, pointers in kernels, documents, workflows, clippy and rustdoc. Denies warnings.
pub(crate) fn lint() -> Result<()> {
    run("cargo", &["fmt", "--all", "--check"])?;
    pointers::check()?;
    project::paths::check()?;
    documents::check()?;
    links::run(true)?;
    workflows::check()?;
    run("cargo", &["clippy", "--workspace", "--all-targets", "--all-features", "--", "--deny", "warnings"])?;
    for manifest in ["difftest/Cargo.toml", "fuzz/Cargo.toml"] {
        run("cargo", &["fmt", "--check", "--manifest-path", manifest])?;
        run("cargo", &["clippy", "--manifest-path", manifest, "--all-targets", "--", "--deny", "warnings"])?;
    }
    lint_benchmark()?;
    // The program has a single feature, so this checks it without features. `features` checks the libraries.
    let arguments = ["clippy", "--package", "textcodec-cli", "--all-targets", "--no-default-features"];
    run("cargo", &[&arguments[..], &["--", "--deny", "warnings"]].concat())?;
    let mut doc = command("cargo", &["doc", "--workspace", "--no-deps", "--document-private-items"]);
    finish(doc.env("RUSTDOCFLAGS", "--deny warnings --allow rustdoc::private_intra_doc_links"))
}

/// Checks formatting and clippy of the benchmark and of its engines, each of which is a workspace.
fn lint_benchmark() -> Result<()> {
    let mut manifests = vec!["bench/Cargo.toml".to_owned(), "bench/abi/Cargo.toml".to_owned()];
    let icu = Command::new("pkg-config").args(["--exists", "icu-uc"]).status().is_ok_and(|status| status.success());
    for entry in fs::read_dir(root().join("bench/engines"))? {
        let engine = entry?.file_name().to_string_lossy().into_owned();
        // The first needs ICU, and the second features of nightly Rust.
        if (icu || engine != "icu") && engine != "encoding_rs-native" {
            manifests.push(format!("bench/engines/{engine}/Cargo.toml"));
        }
    }
    manifests.sort();
    for manifest in &manifests {
        run("cargo", &["fmt", "--check", "--manifest-path", manifest])?;
        let clippy =
            ["clippy", "--quiet", "--manifest-path", manifest, "--target-dir", "bench/target/lint", "--all-targets"];
        let lints = ["--", "--deny", "warnings", "--deny", "clippy::undocumented_unsafe_blocks"];
        run("cargo", &[&clippy[..], &lints].concat())?;
    }
    Ok(())
}

/// `cargo xtask witness`: compares the library and the drop-in with encoding_rs, in a separate workspace, and the models of other
/// encodings with other programs. `quick` leaves out the latter, inputs of three bytes, two thirds of the random ones, and scalar
/// values that no index contains.
pub(crate) fn witness(quick: bool) -> Result<()> {
    let program = ["--manifest-path", "difftest/Cargo.toml"];
    if quick {
        return finish(checked(&program).args(["--", "1", "quick"]));
    }
    finish(&mut checked(&program))?;
    finish(checked(&program).args(["--bin", "outside"]))
}

/// `cargo xtask fuzz`: runs the checks of the fuzz targets on random inputs for `seconds` seconds, in the checked mode or as
/// released.
pub(crate) fn fuzz(seconds: u64, seed: u64, unchecked: bool) -> Result<()> {
    let (seconds, seed) = (seconds.to_string(), seed.to_string());
    let program = ["--manifest-path", "fuzz/Cargo.toml", "--bin", "fuzz-random"];
    let mut command = if unchecked {
        let mut command = command("cargo", &["run", "--release", "--quiet"]);
        command.args(program).env("CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS", "false");
        command.env("CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS", "false");
        command
    } else {
        checked(&program)
    };
    finish(command.args(["--", "--seconds", &seconds, "--seed", &seed]))
}

/// Returns a command that builds a program optimised and in the checked mode, and runs it. `difftest` and `fuzz` have the same
/// profile and enable the same features, so that they share a build of the library.
fn checked(program: &[&str]) -> Command {
    let mut command = command("cargo", &["run", "--release", "--quiet", "--target-dir", "target/checked"]);
    command.args(program).env("RUSTFLAGS", "--cfg textcodec_checked");
    command
}

/// `cargo xtask unchecked`: runs the library's tests as it is released.
pub(crate) fn unchecked() -> Result<()> {
    let tests = ["test", "--release", "--package", "textcodec", "--all-features", "--lib", "--tests"];
    run("cargo", &[&tests[..], &["--", "--skip", "stores_are_checked"]].concat())
}
