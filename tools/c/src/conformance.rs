//! Tests `iconv()` with programs in C: how it is called, not what is in its tables.
//!
//! The same program judges the C library's own `iconv`, so that it expects nothing that only this project does.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Result, ensure};
use project::{command, finish, root, skip};

use super::{
    Arguments, FOLDER, SANITIZE, WORK,
    build::{self, ICONV, Profile},
    is_installed,
};

/// The sources of the program `conformance`.
const CONFORMANCE: [&str; 7] =
    ["conformance.c", "check.c", "sample.c", "charsets.c", "feed.c", "properties.c", "details.c"];

const STRICT: [&str; 8] = ["-std=c11", "-D_GNU_SOURCE", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-pedantic"];

/// Runs the programs on the C library, and on the library for `iconv` in each way in which it can be used.
pub(super) fn conformance(arguments: &Arguments) -> Result<()> {
    let libraries = build::build(Profile::Release, &[&ICONV])?;
    let folder = root().join(WORK).join("tests");
    fs::create_dir_all(&folder)?;
    let every = if arguments.quick { "8" } else { "1" };
    for compiler in ["gcc", "clang"] {
        if !is_installed(compiler) {
            skip(compiler, "it is not installed")?;
            continue;
        }
        let program = compile(compiler, &CONFORMANCE, "conformance", &folder, &[], &[])?;
        finish(command(&program, &[]).args(["glibc", "--every", every]))?;
        finish(preloaded(&program, &libraries).args(["textcodec", "--every", every]))?;
    }
    let archive = libraries.join(format!("lib{}.a", ICONV.name));
    let linked = compile("gcc", &CONFORMANCE, "conformance-linked", &folder, &[], &[&archive])?;
    finish(command(&linked, &[]).args(["textcodec", "--every", "8"]))?;
    // Linked, because a preloaded library would come before the sanitizer's runtime.
    let sanitized = compile("gcc", &CONFORMANCE, "conformance-sanitized", &folder, &SANITIZE, &[&archive])?;
    // The program reports accesses to inaccessible memory itself.
    let options = "handle_segv=0:handle_sigbus=0";
    finish(command(&sanitized, &[]).env("ASAN_OPTIONS", options).args(["textcodec", "--every", "8"]))?;
    errors(&folder, &archive)?;
    let checked = build::build(Profile::Checked, &[&ICONV])?.join(format!("lib{}.a", ICONV.name));
    finish(&mut command(&compile("gcc", &["overlap.c"], "overlap", &folder, &[], &[&checked])?, &[]))?;
    posix(&folder, &archive)?;
    descriptors(&folder, &libraries)?;
    if !arguments.quick {
        valgrind(&folder.join("conformance-gcc").display().to_string(), &libraries)?;
    }
    musl(&folder)
}

/// Tests mistakes of the caller, and a failing `malloc`.
fn errors(folder: &Path, archive: &Path) -> Result<()> {
    let wrap = ["malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign", "free"]
        .map(|name| format!("-Wl,--wrap={name}"));
    let flags: Vec<&str> = wrap.iter().map(String::as_str).collect();
    let program = compile("gcc", &["errors.c"], "errors", folder, &flags, &[archive])?;
    finish(&mut command(&program, &[]))
}

/// Tests the functions of `textcodec/iconv.h`.
fn posix(folder: &Path, archive: &Path) -> Result<()> {
    let include = root().join(FOLDER).join("include").display().to_string();
    let program = compile("gcc", &["posix.c"], "posix", folder, &["-I", &include], &[archive])?;
    finish(&mut command(&program, &[]))
}

/// Gives descriptors of other libraries, and values that are none, to all functions: with another library after this one in the
/// search order, with glibc, and with no other library.
fn descriptors(folder: &Path, libraries: &Path) -> Result<()> {
    let next = folder.join("libnext.so");
    let mut cc = command("gcc", &STRICT);
    cc.args(["-shared", "-fPIC", "-o"]).arg(&next);
    finish(cc.arg(root().join(FOLDER).join("tests/iconv/next.c")))?;
    let ours = shared(libraries);
    let program = compile("gcc", &["descriptors.c"], "descriptors", folder, &[], &[&ours])?;
    let both = format!("{} {}", ours.display(), next.display());
    for mode in ["standard", "identical"] {
        finish(preloaded(&program, libraries).env("LD_PRELOAD", &both).env("TEXTCODEC_ICONV", mode).arg("fake"))?;
    }
    finish(preloaded(&program, libraries).arg("glibc"))?;
    let archive = libraries.join(format!("lib{}.a", ICONV.name));
    let program = compile("gcc", &["descriptors.c"], "descriptors-static", folder, &["-static"], &[&archive])?;
    finish(command(&program, &[]).arg("none"))
}

/// Runs a part of the tests in valgrind.
fn valgrind(program: &str, libraries: &Path) -> Result<()> {
    if !is_installed("valgrind") {
        return skip("valgrind", "it is not installed");
    }
    let mut valgrind = preloaded("valgrind", libraries);
    valgrind.args(["--quiet", "--error-exitcode=9", "--leak-check=full", program]);
    finish(valgrind.args(["textcodec", "--every", "64"]))
}

/// Tests the library with musl, whose own `iconv` lacks most of what the tests need.
fn musl(folder: &Path) -> Result<()> {
    if !is_installed("musl-gcc") {
        return skip("the library for musl", "musl-gcc is not installed");
    }
    let libraries = root().join(WORK).join("musl");
    fs::create_dir_all(&libraries)?;
    let archive = root().join(FOLDER).join("target/release").join(format!("lib{}.a", ICONV.name));
    ensure!(archive.exists(), "{} is missing", archive.display());
    build::link(&ICONV, &archive, &libraries, "musl-gcc")?;
    let program = compile("musl-gcc", &CONFORMANCE, "conformance", folder, &[], &[])?;
    // musl's iconv_open would take names that are unknown to this library, such as UTF--8.
    let mut run = preloaded(&program, &libraries);
    finish(run.env("TEXTCODEC_ICONV", "nofallback").args(["textcodec", "--every", "8"]))?;
    let path = format!("-Wl,-rpath,{}", libraries.display());
    let program = compile("musl-gcc", &["descriptors.c"], "descriptors", folder, &[&path], &[&shared(&libraries)])?;
    finish(preloaded(&program, &libraries).arg("musl"))
}

fn shared(libraries: &Path) -> PathBuf {
    libraries.join(ICONV.soname())
}

/// Returns a command that loads the library for `iconv` before others.
fn preloaded(program: &str, libraries: &Path) -> Command {
    let mut run = command(program, &[]);
    run.env("LD_PRELOAD", shared(libraries));
    run
}

/// Compiles a program of `bindings/c/tests/iconv`. Returns its path.
fn compile(
    compiler: &str,
    sources: &[&str],
    name: &str,
    folder: &Path,
    flags: &[&str],
    libraries: &[&Path],
) -> Result<String> {
    let program = folder.join(format!("{name}-{compiler}"));
    let mut cc = command(compiler, &STRICT);
    cc.args(flags).arg("-o").arg(&program);
    for source in sources {
        cc.arg(root().join(FOLDER).join("tests/iconv").join(source));
    }
    finish(cc.args(libraries).args(["-lpthread", "-ldl"]))?;
    Ok(program.display().to_string())
}
