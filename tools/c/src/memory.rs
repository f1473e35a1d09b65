//! Calls each exported function without enough memory: `bindings/c/tests/memory`.
//!
//! Each allocation fails in turn; and the process has a limit of memory, in steps from the smallest with which it starts. Each call
//! succeeds or says that there is no memory, and nothing is lost.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result, bail, ensure};
use project::{command, finish, root, skip};

use super::{
    Arguments, FOLDER, WORK,
    build::{self, DETECT, ENCODING_C, ICONV, Library, Profile, TEXTCODEC},
    is_installed,
};

/// The number of limits of memory.
const STEPS: u64 = 10;

pub(super) fn run(_: &Arguments) -> Result<()> {
    for library in [&TEXTCODEC, &DETECT, &ICONV, &ENCODING_C] {
        let program = compile(library)?;
        let names = Command::new(&program).arg("names").output()?;
        let names: BTreeSet<String> = String::from_utf8(names.stdout)?.lines().map(str::to_owned).collect();
        // Encodings are data.
        let exports = library.exports()?.into_iter().filter(|name| !name.ends_with("_ENCODING"));
        let missing: Vec<String> = exports.filter(|name| !names.contains(name)).collect();
        ensure!(missing.is_empty(), "tests/memory/{}.c does not call {}", library.folder, missing.join(", "));
        finish(Command::new(&program).arg("each"))?;
        limits(library, &program)?;
    }
    Ok(())
}

/// Compiles the program for a library. It is linked with the shared library, which uses the program's `malloc`.
fn compile(library: &Library) -> Result<PathBuf> {
    let libraries = build::build(Profile::Release, &[library])?;
    let work = root().join(WORK).join("memory");
    fs::create_dir_all(&work)?;
    let (sources, program) = (root().join(FOLDER).join("tests/memory"), work.join(library.folder));
    let mut cc =
        command("gcc", &["-std=c11", "-D_GNU_SOURCE", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-pedantic"]);
    cc.arg("-I").arg(root().join(FOLDER).join("include")).arg("-o").arg(&program).arg(sources.join("memory.c"));
    cc.arg(sources.join(format!("{}.c", library.folder))).arg(libraries.join(library.soname()));
    finish(cc.arg(format!("-Wl,-rpath,{}", libraries.display())))?;
    Ok(program)
}

/// What a process under a limit did.
enum Outcome {
    /// It has printed this.
    Ended(String),
    /// The loader or the C library could not start it.
    NotStarted,
}

/// Runs the program with limits from the smallest with which it starts to what it needs.
fn limits(library: &Library, program: &Path) -> Result<()> {
    if !is_installed("prlimit") {
        return skip("limits of memory", "prlimit is not installed");
    }
    let run = |limit: u64, what: &str| -> Result<Outcome> {
        let output = command("prlimit", &[&format!("--as={}", limit * 1024)]).arg(program).arg(what).output()?;
        match output.status.code() {
            Some(0) => Ok(Outcome::Ended(String::from_utf8(output.stdout)?)),
            _ if what == "nothing" => Ok(Outcome::NotStarted),
            _ => bail!("{limit} KiB: {}: {}", output.status, String::from_utf8_lossy(&output.stderr)),
        }
    };
    let (mut too_small, mut least) = (1024, 1 << 20);
    while least - too_small > 4 {
        let middle = u64::midpoint(too_small, least);
        match run(middle, "nothing")? {
            Outcome::Ended(_) => least = middle,
            Outcome::NotStarted => too_small = middle,
        }
    }
    let count = |limit: u64| -> Result<[u64; 3]> {
        let Outcome::Ended(printed) = run(limit, "limit")? else { bail!("{limit} KiB: it does not start") };
        let numbers: Vec<u64> = printed.split_whitespace().flat_map(str::parse).collect();
        numbers.get(..2).with_context(|| printed.clone())?;
        Ok([numbers[0], numbers[1], numbers.get(2).copied().unwrap_or(0)])
    };
    let [all, none, most] = count(1 << 20)?;
    ensure!(none == 0, "{}: {none} functions have no memory without a limit", library.name);
    ensure!(most > least, "{}: it starts with {least} KiB and needs no more than {most} KiB", library.name);
    let mut fewest = all;
    let mut succeed = Vec::new();
    for step in 0..STEPS {
        let limit = least + (most - least) * step / (STEPS - 1);
        let [done, refused, _] = count(limit).with_context(|| library.name)?;
        ensure!(done + refused == all, "{}: {limit} KiB: {done} and {refused} of {all} functions", library.name);
        fewest = fewest.min(done);
        succeed.push(done.to_string());
    }
    ensure!(fewest < all, "{}: no limit was too small", library.name);
    println!("{}: {least} to {most} KiB, {all} functions, of which succeed: {}", library.name, succeed.join(" "));
    Ok(())
}
