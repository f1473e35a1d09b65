//! Tests of the core on other platforms and under AddressSanitizer: with fewer random rounds, so that CI can afford them.

use std::{env, process::Command};

use anyhow::{Result, ensure};

use crate::{checks, root};

/// Where `scripts/cross.sh` puts its programs.
const PREFIX: &str = "target/cross";

/// What is tested: the kernels' own tests and law, the mistakes, the bounds, and the Runner's texts.
const TESTS: &[&str] = &["kernel::", "law::", "mistakes::", "sizes::", "text::"];

/// Three million inputs, for a state machine that knows no platform.
const SKIPPED: &str = "every_string_of_six";

struct Platform {
    target: &'static str,
    /// The compiler's flags.
    flags: &'static str,
    /// The levels that must be there beside scalar.
    levels: &'static str,
    /// The linker, if the compiler does not bring it.
    linker: Option<&'static str>,
    /// What runs a program, if this machine cannot.
    runner: Option<&'static str>,
    /// One random round in so many.
    one_in: u32,
}

const STATIC: &str = "-C target-feature=+crt-static";

const PLATFORMS: [Platform; 5] = [
    Platform {
        target: "aarch64-unknown-linux-gnu",
        flags: STATIC,
        levels: "",
        linker: Some("aarch64-cc"),
        runner: Some("aarch64-run"),
        one_in: 20,
    },
    // Big-endian.
    Platform {
        target: "s390x-unknown-linux-gnu",
        flags: STATIC,
        levels: "",
        linker: Some("s390x-cc"),
        runner: Some("s390x-run"),
        one_in: 20,
    },
    // 32 bits; an x86-64 machine runs it itself.
    Platform {
        target: "i686-unknown-linux-gnu",
        flags: STATIC,
        levels: "",
        linker: Some("i686-cc"),
        runner: None,
        one_in: 4,
    },
    Platform { target: "wasm32-wasip1", flags: "", levels: "", linker: None, runner: Some("wasi-run"), one_in: 4 },
    Platform {
        target: "wasm32-wasip1",
        flags: "-C target-feature=+simd128",
        levels: "",
        linker: None,
        runner: Some("wasi-run"),
        one_in: 4,
    },
];

/// `cargo xtask cross`: aarch64 and s390x under qemu, i686, and WebAssembly in Node.
pub(crate) fn cross() -> Result<()> {
    if let Err(why) = checks::run("scripts/cross.sh", &[PREFIX]) {
        return skip("other platforms", &why.to_string());
    }
    PLATFORMS.iter().try_for_each(Platform::test)
}

impl Platform {
    fn test(&self) -> Result<()> {
        let mut command = Command::new(tool("cargo"));
        test(&mut command, self.target, self.flags, self.levels, self.one_in);
        let prefix = format!("CARGO_TARGET_{}", self.target.replace('-', "_").to_uppercase());
        if let Some(linker) = self.linker {
            command.env(format!("{prefix}_LINKER"), tool(linker));
        }
        if let Some(runner) = self.runner {
            command.env(format!("{prefix}_RUNNER"), tool(runner));
        }
        checks::finish(&mut command)
    }
}

/// `cargo xtask asan`: under AddressSanitizer, at every level of this machine.
pub(crate) fn asan() -> Result<()> {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu")) {
        return skip("AddressSanitizer", "set up for x86-64 Linux only");
    }
    let mut command = Command::new("cargo");
    // The flag is no stable one.
    command.env("RUSTC_BOOTSTRAP", "1");
    let levels = env::var("TEXTCODEC_EXPECT_LEVELS").unwrap_or_default();
    test(&mut command, "x86_64-unknown-linux-gnu", "-Z sanitizer=address", &levels, 4);
    checks::finish(&mut command)
}

/// The library's tests for a target, in a folder of their own for each set of flags, so that none evicts another's.
fn test(command: &mut Command, target: &str, flags: &str, levels: &str, one_in: u32) {
    let flags_folder: String = flags.chars().filter(char::is_ascii_alphanumeric).collect();
    command.args(["test", "--package", "textcodec", "--all-features", "--lib", "--test", "suite", "--target", target]);
    command.arg("--target-dir").arg(root().join("target/platforms").join(flags_folder));
    command.arg("--").args(TESTS).args(["--skip", SKIPPED]);
    command.env("RUSTFLAGS", flags).env("TEXTCODEC_EXPECT_LEVELS", levels).env("TEXTCODEC_ONE_IN", one_in.to_string());
}

/// A program that `scripts/cross.sh` has prepared, or the machine's own.
fn tool(name: &str) -> String {
    let prepared = root().join(PREFIX).join("bin").join(name);
    if prepared.exists() { prepared.display().to_string() } else { name.to_owned() }
}

/// Says what cannot be checked here; fails where `CI_STRICT=1` asks for everything.
fn skip(what: &str, why: &str) -> Result<()> {
    println!("SKIPPED {what}: {why}");
    ensure!(env::var("CI_STRICT").as_deref() != Ok("1"), "{what}: {why}");
    Ok(())
}
