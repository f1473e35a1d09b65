//! Measures `iconv()` next to other libraries, and calls from C next to the same calls in Rust: `bindings/c/bench`.

use std::{fs, path::Path, process::Command};

use anyhow::Result;
use project::{command, finish, root, run as run_program, skip};

use super::{
    Arguments, FOLDER, WORK,
    build::{self, ICONV, Profile, TEXTCODEC},
};

/// `cargo xtask c bench`.
pub(super) fn bench(corpus: &Path, others: &[String]) -> Result<()> {
    api("31")?;
    iconv(corpus, others)
}

/// Runs the benchmark of calls once, to see that it works.
pub(super) fn smoke(_: &Arguments) -> Result<()> {
    api("1")
}

fn api(rounds: &str) -> Result<()> {
    let library = build::build(Profile::Release, &[&TEXTCODEC])?;
    let manifest = format!("{FOLDER}/Cargo.toml");
    let package = ["--package", "textcodec-c-bench", "--manifest-path", &manifest];
    run_program("cargo", &[&["build", "--locked", "--release"][..], &package].concat())?;
    let (folder, program) = (root().join(FOLDER), root().join(WORK).join("bench-api"));
    let mut cc = command("cc", &["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-pedantic", "-I"]);
    cc.arg(folder.join("include")).arg("-o").arg(&program).arg(folder.join("bench/api.c"));
    cc.arg(library.join("libtextcodec.a")).arg(folder.join("target/release/libtextcodec_c_bench.a")).arg("-lm");
    finish(&mut cc)?;
    finish(Command::new(program).arg(rounds))
}

/// Compiles the program for `iconv()`, with ICU if it is installed, and runs it.
fn iconv(corpus: &Path, others: &[String]) -> Result<()> {
    let library = build::build(Profile::Release, &[&ICONV])?.join(ICONV.soname());
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
