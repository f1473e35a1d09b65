//! Compares the tables of `iconv()` with the oracle, and with the C library's.

use std::{
    fs::{self, File},
    path::PathBuf,
    process::Command,
};

use anyhow::{Context as _, Result, ensure};
use project::{GLIBC, command, finish, is_known_glibc, root, skip};

use super::{
    Arguments, FOLDER, WORK,
    build::{self, ICONV, Profile},
};

pub(super) fn tables(arguments: &Arguments) -> Result<()> {
    let library = library()?;
    let quick: &[&str] = if arguments.quick { &["--quick"] } else { &[] };
    finish(program().args(["check", &library]).args(quick))?;
    if !is_known_glibc()? {
        return skip("the comparison with the C library's tables", &format!("iconv is not that of {GLIBC}"));
    }
    // With `identical`, names whose tables differ are those of the C library. Here, they are left out.
    let mut identical = program();
    identical.args(["identical", &library, "libc.so.6"]).args(quick).env("TEXTCODEC_ICONV", "identical,nofallback");
    finish(identical.stdin(names()?))?;
    if arguments.quick {
        return Ok(());
    }
    let (document, text, differing) = differences(&library)?;
    ensure!(
        document == text && fs::read_to_string(names_file())? == differing,
        "{DOCUMENT} or the names that differ are not those of this library: run cargo xtask c conflicts"
    );
    Ok(())
}

/// Writes where the C library's tables differ: the tables of docs/c.md, and the names that `TEXTCODEC_ICONV=identical` leaves to it.
pub(super) fn conflicts() -> Result<()> {
    ensure!(is_known_glibc()?, "iconv is not that of {GLIBC}");
    let (_, text, differing) = differences(&library()?)?;
    fs::write(root().join(DOCUMENT), text)?;
    Ok(fs::write(names_file(), differing)?)
}

const DOCUMENT: &str = "docs/c.md";

/// The lines before and after the tables.
const START: &str = "<!-- written by cargo xtask c conflicts -->\n";
const END: &str = "<!-- end -->\n";

/// Returns the document, the document with the tables of this library, and the names that differ.
fn differences(library: &str) -> Result<(String, String, String)> {
    let (table, differing) = (root().join(WORK).join("conflicts.md"), root().join(WORK).join("conflicts.txt"));
    let mut run = program();
    run.args(["conflicts", library, "libc.so.6"]).arg(&table).arg(&differing).env("TEXTCODEC_ICONV", "nofallback");
    finish(run.stdin(names()?))?;
    let document = fs::read_to_string(root().join(DOCUMENT))?;
    let (before, after) = document.split_once(START).with_context(|| format!("{DOCUMENT} has no line {START}"))?;
    let (_, after) = after.split_once(END).with_context(|| format!("{DOCUMENT} has no line {END}"))?;
    let text = [before, START, &fs::read_to_string(table)?, END, after].concat();
    Ok((document, text, fs::read_to_string(differing)?))
}

fn names_file() -> PathBuf {
    root().join("crates/iconv/src/conflicts.txt")
}

fn library() -> Result<String> {
    Ok(build::build(Profile::Release, &[&ICONV])?.join(ICONV.soname()).display().to_string())
}

/// Returns a file with the names of the C library.
fn names() -> Result<File> {
    let names = root().join(WORK).join("names.txt");
    let status = Command::new("iconv").arg("-l").stdout(File::create(&names)?).status()?;
    ensure!(status.success(), "iconv -l failed");
    Ok(File::open(names)?)
}

fn program() -> Command {
    let run = ["run", "--release", "--quiet", "--locked", "--package", "iconv-tables", "--manifest-path"];
    let mut command = command("cargo", &run);
    command.arg(format!("{FOLDER}/Cargo.toml")).arg("--");
    command
}
