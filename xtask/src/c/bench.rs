//! Measures `iconv()`.

use std::{fs, path::Path, process::Command};

use anyhow::Result;

use super::{
    FOLDER, WORK,
    build::{self, ICONV, Profile},
};
use crate::{
    checks::{command, finish},
    platforms::skip,
    root,
};

/// Compiles the program in `bindings/c/bench`, with ICU if it is installed, and runs it.
pub(super) fn bench(corpus: &Path, others: &[String]) -> Result<()> {
    let library = build::build(Profile::Release)?.join(ICONV.soname());
    let program = root().join(WORK).join("bench-iconv");
    fs::create_dir_all(root().join(WORK))?;
    let mut cc = command("cc", &["-std=c11", "-D_GNU_SOURCE", "-O2", "-Wall", "-Wextra", "-Werror", "-o"]);
    cc.arg(&program);
    for source in ["iconv.c", "engine.c"] {
        cc.arg(root().join(FOLDER).join("bench").join(source));
    }
    match Command::new("pkg-config").args(["--cflags", "--libs", "icu-uc"]).output() {
        Ok(flags) if flags.status.success() => {
            cc.arg("-DWITH_ICU").args(String::from_utf8(flags.stdout)?.split_whitespace());
        }
        _ => skip("ICU", "pkg-config does not find icu-uc")?,
    }
    finish(cc.args(["-ldl", "-lm"]))?;
    let mut run = command(&program.display().to_string(), &[]);
    finish(run.arg(corpus.canonicalize()?).arg(format!("textcodec={}", library.display())).args(others))
}
