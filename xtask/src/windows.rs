//! Tests of the library and the program on Windows, under Wine.

use std::{
    env,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context as _, Result, ensure};
use project::root;

use crate::platforms;

const TARGET: &str = "x86_64-pc-windows-gnu";
const COMPILER: &str = "x86_64-w64-mingw32-gcc";
const INSTALL: &str =
    "apt-get install --no-install-recommends gcc-mingw-w64-x86-64-posix binutils-mingw-w64-x86-64 wine64";

/// The folder of Wine's registry and system files.
const PREFIX: &str = "target/wine";

/// The build folder.
const BUILD: &str = "target/windows";

/// `cargo xtask windows`: builds the library, the program and their tests for Windows, and runs the tests under Wine, or on
/// Windows natively. `quick` leaves out clippy and tests of code that does not depend on the platform, and runs fewer random
/// rounds.
pub(crate) fn run(quick: bool) -> Result<()> {
    if cfg!(windows) {
        return test("cargo", quick, |command| command);
    }
    // Debian does not put Wine's programs in the path.
    let (Some(wine), Some(server), Some(compiler)) = (find("wine64"), find("wineserver"), find(COMPILER)) else {
        return project::skip("Windows", &format!("needs mingw-w64 and Wine: {INSTALL}"));
    };
    if let Err(why) = project::run("scripts/cross.sh", &["--windows", project::CROSS]) {
        return project::skip("Windows", &why.to_string());
    }
    let wine = Wine { wine, server };
    wine.prepare(&compiler)?;
    let _server = wine.serve()?;
    // If rustup cannot add the target, `scripts/cross.sh` has prepared another cargo.
    let cargo = project::prepared("windows-cargo").unwrap_or_else(|| "cargo".to_owned());
    test(&cargo, quick, |command| {
        let mut command = wine.set_up(command);
        command.env("CARGO_BUILD_TARGET", TARGET).env("CARGO_TARGET_DIR", root().join(BUILD));
        command.env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER", &compiler);
        command.env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER", &wine.wine);
        command
    })
}

/// Runs clippy and the tests. `set_up` sets the target.
fn test(cargo: &str, quick: bool, set_up: impl Fn(Command) -> Command) -> Result<()> {
    // Debian's Rust has no clippy.
    if !quick && cargo == "cargo" {
        let arguments = ["clippy", "--package", "textcodec", "--package", "textcodec-cli", "--all-targets"];
        let clippy =
            project::command(cargo, &[&arguments[..], &["--all-features", "--", "--deny", "warnings"]].concat());
        project::finish(&mut set_up(clippy))?;
    }
    let (library, left_out) = if quick { (LIBRARY_QUICK, PROGRAM_LEFT_OUT) } else { (LIBRARY, &[][..]) };
    for (tests, skipped) in [(PROGRAM, left_out), (library, &[])] {
        let mut command = project::command(cargo, &["test", "--all-features", "--no-fail-fast"]);
        command.args(tests).arg("--").args(skipped.iter().flat_map(|name| ["--skip", name]));
        command.env("TEXTCODEC_EXPECT_LEVELS", platforms::levels().join(","));
        command.env("TEXTCODEC_ONE_IN", if quick { "32" } else { "4" });
        project::finish(&mut set_up(command))?;
    }
    Ok(())
}

const PROGRAM: &[&str] = &["--package", "textcodec-cli"];
const LIBRARY: &[&str] = &["--package", "textcodec", "--lib", "--tests"];

/// Public conversions at every level, because functions get vectors in another way on Windows. Without the tests of single kernels,
/// those at guard pages among them, and without readers and writers, which do not call the system.
const LIBRARY_QUICK: &[&str] = &["--package", "textcodec", "--test", "levels", "--test", "miri"];

/// Tests of the program that `--quick` leaves out: they start it many times, for results that do not depend on the platform.
const PROGRAM_LEFT_OUT: &[&str] = &[
    "auto::",
    "characters_across_block_boundaries",
    "declarations::",
    "detect::",
    "iconv::",
    "iconv_characters::",
    "index::",
    "inspect::",
    "labels::",
    "list::",
    "losses::",
    "names::",
    "no_byte_order_mark_is_added_or_lost",
    "normalize::",
    "samples::",
    "text_in_the_output_encoding_is_left_alone_for_every_target",
    "the_number_of_threads_does_not_change_the_output",
    "twice_pairs::",
];

/// Wine's programs.
struct Wine {
    wine: PathBuf,
    server: PathBuf,
}

impl Wine {
    /// Creates the prefix, with a DLL that Wine 8 lacks.
    fn prepare(&self, compiler: &Path) -> Result<()> {
        let prefix = root().join(PREFIX);
        let source = root().join("scripts/bcryptprimitives.c");
        let (ready, stamp) = (prefix.join("ready"), fs::read(&source)?);
        if fs::read(&ready).is_ok_and(|found| found == stamp) {
            return Ok(());
        }
        fs::create_dir_all(&prefix)?;
        let mut boot = self.set_up(project::command(&self.wine.display().to_string(), &["wineboot", "--init"]));
        // It reports what it cannot do without a screen.
        project::finish(boot.stdout(Stdio::null()).stderr(Stdio::null()))?;
        let system = prefix.join("drive_c/windows/system32");
        ensure!(system.is_dir(), "Wine has not created {}", system.display());
        let dll = system.join("bcryptprimitives.dll");
        if !dll.exists() {
            let mut compile = Command::new(compiler);
            compile.args([OsStr::new("-shared"), "-O1".as_ref(), "-o".as_ref(), dll.as_ref(), source.as_ref()]);
            project::finish(compile.arg("-ladvapi32"))?;
        }
        fs::write(ready, stamp)?;
        Ok(())
    }

    /// Sets the prefix of a command.
    fn set_up(&self, mut command: Command) -> Command {
        command.env("WINEPREFIX", root().join(PREFIX)).env("WINEDEBUG", "-all").env("WINESERVER", &self.server);
        // No offers to install parts of Windows.
        // Without Wine's debugger, a program that crashes ends with the status of its exception. The debugger can crash, too.
        command.env("WINEDLLOVERRIDES", "mscoree,mshtml,winedbg.exe=").env_remove("DISPLAY");
        command
    }

    /// Starts Wine's server, which otherwise starts and ends with each program.
    fn serve(&self) -> Result<Server<'_>> {
        let mut server = self.set_up(Command::new(&self.server));
        let status = server.arg("--persistent").stdin(Stdio::null()).status().context("cannot start wineserver")?;
        // Status 2: it already runs.
        ensure!(matches!(status.code(), Some(0 | 2)), "wineserver: {status}");
        Ok(Server(self))
    }
}

/// Ends Wine's server, and programs that tests have left.
struct Server<'a>(&'a Wine);

impl Drop for Server<'_> {
    fn drop(&mut self) {
        for option in ["--kill", "--wait"] {
            let _ = self.0.set_up(Command::new(&self.0.server)).arg(option).status();
        }
    }
}

/// Finds a program in the path, or where Debian keeps Wine.
fn find(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).chain(["/usr/lib/wine".into()]);
    folders.map(|folder| folder.join(program)).find(|program| program.is_file())
}
