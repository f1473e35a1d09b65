//! `cargo xtask js`: builds and tests the npm package in `bindings/js` and the page in `site`.

use std::{env, path::PathBuf, process::Command};

use anyhow::Result;
use project::{finish, root, skip};

const PACKAGE: &str = "bindings/js";
const SITE: &str = "site";

/// The arguments of `cargo xtask js`.
#[derive(clap::Args, Default)]
pub(crate) struct Arguments {
    /// Test in fewer settings of Node and of browsers.
    #[arg(long)]
    quick: bool,
    /// Run only these scripts of the package after its build: `npm run NAME`. `clients`, and `lighthouse` of the page, run only if
    /// they are named.
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(SCRIPTS.iter().chain(&[CLIENTS, LIGHTHOUSE])))]
    scripts: Vec<String>,
}

/// The package's scripts to run after its build.
const SCRIPTS: [&str; 6] = ["sizes", "types", "test", "test:browser", "consumers", "bench"];

/// The script that runs the tests of iconv-lite and its users, which it downloads.
const CLIENTS: &str = "clients";

/// The page's script that computes scores of Lighthouse, which depend on how busy the machine is.
const LIGHTHOUSE: &str = "lighthouse";

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    for program in ["node", "npm"] {
        if let Err(why) = finish(project::command(program, &["--version"]).current_dir(root().join(PACKAGE))) {
            return skip("the npm package", &why.to_string());
        }
    }
    let Some(wasm_cargo) = wasm_cargo()? else { return Ok(()) };
    lint()?;
    npm(PACKAGE, &["ci", "--ignore-scripts", "--no-audit", "--no-fund"])?;
    finish(npm_command(PACKAGE, &["run", "build"]).env("WASM_CARGO", wasm_cargo))?;
    let named = |script: &&str| arguments.scripts.iter().any(|name| name == script);
    for script in SCRIPTS.iter().filter(|script| arguments.scripts.is_empty() || named(script)) {
        script_of(PACKAGE, script, arguments.quick)?;
    }
    if named(&CLIENTS) {
        script_of(PACKAGE, CLIENTS, false)?;
    }
    if named(&LIGHTHOUSE) {
        return site(LIGHTHOUSE, false);
    }
    if arguments.scripts.is_empty() { site("test", arguments.quick) } else { Ok(()) }
}

/// Returns a cargo that builds for browsers: this one if rustup can add the target, else Debian's.
fn wasm_cargo() -> Result<Option<String>> {
    if let Err(why) = project::run("scripts/cross.sh", &["--web", project::CROSS]) {
        skip("the npm package", &why.to_string())?;
        return Ok(None);
    }
    Ok(Some(project::prepared("web-cargo").unwrap_or_else(|| "cargo".to_owned())))
}

/// Checks formatting and clippy of the package's workspace.
fn lint() -> Result<()> {
    let manifest = format!("{PACKAGE}/Cargo.toml");
    project::run("cargo", &["fmt", "--all", "--check", "--manifest-path", &manifest])?;
    let mut clippy = project::command("cargo", &["clippy", "--locked", "--workspace", "--all-targets"]);
    // The same flags as for the package's build.
    clippy.env("RUSTFLAGS", "--cfg textcodec_small");
    finish(clippy.args(["--manifest-path", &manifest, "--", "--deny", "warnings"]))
}

/// Builds the page with the package that was just built, and runs a script.
fn site(script: &str, quick: bool) -> Result<()> {
    npm(SITE, &["ci", "--ignore-scripts", "--no-audit", "--no-fund"])?;
    script_of(SITE, "build", false)?;
    script_of(SITE, script, quick)
}

/// Runs a script of a package.
fn script_of(folder: &str, name: &str, quick: bool) -> Result<()> {
    for browser in missing_browsers(folder, name) {
        skip(&format!("{folder}: {name}"), &format!("no {browser}"))?;
    }
    // With `--quick`, the benchmark only compares results.
    let is_quick = name == "bench" || quick && name.starts_with("test");
    let arguments: &[&str] = if is_quick { &["run", name, "--", "--quick"] } else { &["run", name] };
    npm(folder, arguments)
}

/// The browsers that tests use: their packages in Debian, and the variables that name others.
const BROWSERS: [(&str, &str); 2] = [("chromium", "CHROMIUM"), ("firefox-esr", "FIREFOX")];

/// Returns the browsers that a script needs and that are missing. The script itself tests in those that exist.
fn missing_browsers(folder: &str, name: &str) -> Vec<&'static str> {
    if name != "test:browser" && !(folder == SITE && name != "build") {
        return Vec::new();
    }
    let is_missing = |&&(browser, variable): &&(&'static str, &str)| {
        let path = env::var_os(variable).map_or_else(|| PathBuf::from("/usr/bin").join(browser), PathBuf::from);
        !path.exists()
    };
    BROWSERS.iter().filter(is_missing).map(|&(browser, _)| browser).collect()
}

fn npm(folder: &str, arguments: &[&str]) -> Result<()> {
    finish(&mut npm_command(folder, arguments))
}

fn npm_command(folder: &str, arguments: &[&str]) -> Command {
    let mut command = project::command("npm", arguments);
    command.current_dir(root().join(folder));
    command
}
