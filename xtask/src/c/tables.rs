//! Compares the tables of `iconv()` with the oracle, and with the C library's.

use std::{
    fs::File,
    process::{Command, Stdio},
};

use anyhow::{Result, ensure};

use super::{
    Arguments, FOLDER, WORK,
    build::{self, ICONV, Profile},
};
use crate::{
    checks::{command, finish},
    root,
};

pub(super) fn tables(arguments: &Arguments) -> Result<()> {
    let library = build::build(Profile::Release, &[&ICONV])?.join(ICONV.soname()).display().to_string();
    let mut check = program();
    check.args(["check", &library]);
    if arguments.quick {
        check.arg("--quick");
    }
    finish(&mut check)?;
    // With `identical`, the names whose tables differ are those of the C library.
    let names = root().join(WORK).join("names.txt");
    let status = Command::new("iconv").arg("-l").stdout(File::create(&names)?).status()?;
    ensure!(status.success(), "iconv -l failed");
    let mut identical = program();
    identical.args(["identical", &library, "libc.so.6"]).env("TEXTCODEC_ICONV", "identical");
    finish(identical.stdin(File::open(&names)?).stdout(Stdio::null()))
}

fn program() -> Command {
    let run = ["run", "--release", "--quiet", "--locked", "--package", "iconv-tables", "--manifest-path"];
    let mut command = command("cargo", &run);
    command.arg(format!("{FOLDER}/Cargo.toml")).arg("--");
    command
}
