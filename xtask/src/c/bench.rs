//! Measures what a call from C costs, compared with the same call in Rust: `bindings/c/bench`.

use std::process::Command;

use anyhow::Result;

use super::{
    Arguments, FOLDER, WORK,
    build::{self, Profile, TEXTCODEC},
};
use crate::{
    checks::{command, finish, run as run_program},
    root,
};

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let library = build::build(Profile::Release, &[&TEXTCODEC])?;
    let manifest = format!("{FOLDER}/Cargo.toml");
    let package = ["--package", "textcodec-c-bench", "--manifest-path", &manifest];
    run_program("cargo", &[&["build", "--locked", "--release"][..], &package].concat())?;
    let (folder, program) = (root().join(FOLDER), root().join(WORK).join("bench"));
    let mut cc = command("cc", &["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-pedantic", "-I"]);
    cc.arg(folder.join("include")).arg("-o").arg(&program).arg(folder.join("bench/api.c"));
    cc.arg(library.join("libtextcodec.a")).arg(folder.join("target/release/libtextcodec_c_bench.a")).arg("-lm");
    finish(&mut cc)?;
    // With `--quick`, only that it runs.
    finish(Command::new(program).arg(if arguments.quick { "1" } else { "31" }))
}
