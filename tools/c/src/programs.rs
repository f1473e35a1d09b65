//! Real programs with the library for `iconv` preloaded.
//!
//! Each script runs twice: with the C library's `iconv`, and with this library before it. What both print is known,
//! and most scripts are chosen so that it differs. The dynamic linker's log must also say that the program's
//! `iconv_open` is this library's.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result, bail, ensure};
use project::{command, finish, root, skip};

use super::{
    Arguments, FOLDER, WORK,
    build::{self, ICONV, Profile},
    is_installed,
    scripts::{SCRIPTS, Script},
};

/// Runs the programs.
pub(super) fn programs(arguments: &Arguments) -> Result<()> {
    let library = build::build(Profile::Release, &[&ICONV])?.join(ICONV.soname());
    let work = root().join(WORK).join("programs");
    if work.exists() {
        fs::remove_dir_all(&work)?;
    }
    fs::create_dir_all(&work)?;
    let mut missing: Vec<&str> = Vec::new();
    let mut count = 0;
    for (index, script) in SCRIPTS.iter().enumerate() {
        if (arguments.quick && !script.quick) || missing.contains(&script.program) {
            continue;
        }
        if let Some(absent) = script.needs.iter().find(|program| !exists(program)) {
            missing.push(script.program);
            skip(&format!("{} with the library for iconv", script.program), &format!("{absent} is not installed"))?;
            continue;
        }
        let result = check(script, &work.join(index.to_string()), &library);
        result.with_context(|| format!("{}: {}", script.program, script.what))?;
        println!("{}: {}", script.program, script.what);
        count += 1;
    }
    println!("{count} scripts");
    Ok(())
}

/// Returns whether a program, or a file with an absolute path, exists.
pub(super) fn exists(program: &str) -> bool {
    if program.starts_with('/') { Path::new(program).exists() } else { is_installed(program) }
}

/// Runs a script with both libraries.
fn check(script: &Script, folder: &Path, library: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    if script.needs.contains(&"pkg-config") {
        compile_glib(folder)?;
    }
    let (plain, ours) = (folder.join("plain"), folder.join("ours"));
    let printed = run(script, &plain, folder, library, false)?;
    compare(&printed, script.libc, "with the C library's iconv")?;
    let printed = run(script, &ours, folder, library, true)?;
    compare(&printed, script.ours, "with this library's iconv")?;
    // PHP's extension needs the library itself, and its `iconv_open` is bound without a preload.
    ensure!(is_bound(&ours)?, "no program took iconv_open from {}", library.display());
    ensure!(!is_bound(&plain)?, "a program took iconv_open from {} without a preload", library.display());
    Ok(())
}

/// Runs a script in a new folder. Returns what it printed.
fn run(script: &Script, folder: &Path, tools: &Path, library: &Path, preload: bool) -> Result<Vec<u8>> {
    fs::create_dir_all(folder)?;
    let mut sh = Command::new("sh");
    sh.args(["-euc", script.text]).current_dir(folder);
    sh.env("HOME", folder).env("LC_ALL", "C.UTF-8").env("TOOLS", tools).env_remove("LD_PRELOAD");
    // man otherwise forbids its filters what the dynamic linker needs for the log.
    sh.env("MAN_DISABLE_SECCOMP", "1").env("GIT_CONFIG_NOSYSTEM", "1").env_remove("TEXTCODEC_ICONV");
    sh.env("LD_DEBUG", "bindings").env("LD_DEBUG_OUTPUT", folder.join("bindings"));
    if preload {
        sh.env("LD_PRELOAD", library).env("LIBRARY", library);
    }
    let output = sh.output().context("sh")?;
    if !output.status.success() {
        bail!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    Ok(output.stdout)
}

/// Searches the dynamic linker's log.
fn is_bound(folder: &Path) -> Result<bool> {
    let name = format!("/{} ", ICONV.soname());
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with("bindings.") {
            let log = String::from_utf8_lossy(&fs::read(entry.path())?).into_owned();
            let mut opened = log.lines().filter(|line| line.contains("symbol `iconv_open'"));
            if opened.any(|line| line.split(" to ").nth(1).is_some_and(|to| to.contains(&name))) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

fn compare(printed: &[u8], expected: &[u8], library: &str) -> Result<()> {
    ensure!(
        printed == expected,
        "{library}, \"{}\" was printed instead of \"{}\"",
        printed.escape_ascii(),
        expected.escape_ascii()
    );
    Ok(())
}

/// Compiles the program for `GLib`.
fn compile_glib(folder: &Path) -> Result<()> {
    let flags = Command::new("pkg-config").args(["--cflags", "--libs", "glib-2.0"]).output()?;
    ensure!(flags.status.success(), "pkg-config does not find glib-2.0: apt-get install libglib2.0-dev");
    let flags = String::from_utf8(flags.stdout)?;
    let source: PathBuf = root().join(FOLDER).join("tests/programs/convert.c");
    let mut cc = command("cc", &["-std=c11", "-Wall", "-Wextra", "-Werror", "-o"]);
    finish(cc.arg(folder.join("convert")).arg(source).args(flags.split_whitespace()))
}
