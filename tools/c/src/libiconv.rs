//! libiconv's own program and header with the library for `iconv` preloaded. The source of libiconv is in an old npm package.

use std::{fs, path::Path, process::Command};

use anyhow::{Context as _, Result, bail, ensure};
use project::{command, finish, root, skip};

use super::{
    Arguments, FOLDER, WORK,
    build::{self, ICONV, Profile},
    is_installed,
};

/// The package, and where libiconv 1.14 is in it.
const PACKAGE: &str = "iconv@1.2.4";
const SOURCE: &str = "package/deps/libiconv";

/// The program, before it is installed.
const PROGRAM: &str = "src/.libs/iconv_no_i18n";

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    if arguments.quick {
        println!("not with --quick: it builds libiconv");
        return Ok(());
    }
    if let Some(absent) = ["npm", "make", "gcc", "tar"].into_iter().find(|program| !is_installed(program)) {
        return skip("libiconv's program", &format!("{absent} is not installed"));
    }
    let library = build::build(Profile::Release, &[&ICONV])?.join(ICONV.soname());
    let folder = root().join(WORK).join("libiconv");
    let source = folder.join(SOURCE);
    if !source.join(PROGRAM).exists() {
        build_libiconv(&folder, &source)?;
    }
    names(&source, &library)?;
    open_into(&folder, &source, &library)
}

/// Builds libiconv.
fn build_libiconv(folder: &Path, source: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    finish(Command::new("npm").args(["pack", "--silent", PACKAGE]).current_dir(folder))?;
    let archive = format!("{}.tgz", PACKAGE.replace('@', "-"));
    finish(Command::new("tar").args(["xzf", &archive]).current_dir(folder))?;
    // A warning about `gets`, which C does not have any more.
    let header = source.join("srclib/stdio.in.h");
    let text = fs::read_to_string(&header).with_context(|| header.display().to_string())?;
    let lines: Vec<&str> = text.lines().filter(|line| !line.contains("gets is a security hole")).collect();
    fs::write(&header, lines.join("\n") + "\n")?;
    let log = fs::File::create(folder.join("log"))?;
    for (program, arguments) in [
        ("sh", &["configure", "--disable-nls", "--disable-static", "--enable-extra-encodings"][..]),
        ("make", &["CFLAGS=-O1 -w -fgnu89-inline"]),
    ] {
        let mut build = Command::new(program);
        build.args(arguments).current_dir(source).stdout(log.try_clone()?).stderr(log.try_clone()?);
        ensure!(build.status()?.success(), "{program} failed: {}", folder.join("log").display());
    }
    Ok(())
}

/// Returns a command that finds libiconv, with this library before it or not.
fn with_libiconv(program: &Path, source: &Path, preloaded: Option<&Path>) -> Command {
    let mut command = Command::new(program);
    command.env("LD_LIBRARY_PATH", source.join("lib/.libs")).env_remove("TEXTCODEC_ICONV");
    if let Some(library) = preloaded {
        command.env("LD_PRELOAD", library);
    }
    command
}

/// Each name to which libiconv converts still works.
fn names(source: &Path, library: &Path) -> Result<()> {
    let program = source.join(PROGRAM);
    let list = with_libiconv(&program, source, None).arg("-l").output()?.stdout;
    let list = String::from_utf8(list)?;
    let converts = |name: &str, library| -> Result<bool> {
        let text = source.join("README");
        let mut iconv = with_libiconv(&program, source, library);
        Ok(iconv.args(["-c", "-f", "ASCII", "-t", name]).arg(text).output()?.status.success())
    };
    let mut count = 0;
    for name in list.split_whitespace() {
        if converts(name, None)? {
            ensure!(converts(name, Some(library))?, "libiconv's program does not convert to {name} any more");
            count += 1;
        }
    }
    ensure!(count > 300, "libiconv has only {count} names");
    println!("libiconv's program converts to {count} names");
    Ok(())
}

/// A program that has libiconv's descriptors in its own memory prints the same.
fn open_into(folder: &Path, source: &Path, library: &Path) -> Result<()> {
    let program = folder.join("open_into");
    let mut cc = command("gcc", &["-std=gnu11", "-O1", "-w", "-I"]);
    cc.arg(source.join("include")).arg("-o").arg(&program);
    cc.arg(root().join(FOLDER).join("tests/iconv/open_into.c"));
    finish(cc.arg(source.join("lib/.libs/libiconv.so")))?;
    let run = |library| -> Result<String> {
        let output = with_libiconv(&program, source, library).output()?;
        if !output.status.success() {
            bail!("{}: {}", program.display(), output.status);
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (expected, printed) = (run(None)?, run(Some(library))?);
    ensure!(expected == printed, "without the library:\n{expected}with it:\n{printed}");
    println!("libiconv_open_into:\n{printed}");
    Ok(())
}
