//! Runs the library's small tests in Miri, which stops at undefined behaviour: unaligned stores, reads of uninitialised memory
//! or past the end, instructions that the level's features do not include.

use std::process::{Command, Stdio};

use anyhow::Result;

use crate::platforms;

struct Run {
    target: &'static str,
    /// The compiler's target features, which the library uses in Miri instead of detecting the CPU's.
    features: &'static str,
    /// The levels that are available with these features.
    levels: &'static str,
    /// The tests for `cargo miri test`, each with the value of `TEXTCODEC_ONE_IN`.
    tests: &'static [(&'static [&'static str], u32)],
}

const CONVERSIONS: &[&str] = &["--test", "miri"];
const KERNELS: &[&str] = &["--lib", "kernel::"];

const AVX2: &str = "+avx2,+bmi1,+bmi2,+lzcnt,+popcnt";
const ALL_LEVELS: &str = "avx2,sse4.1,scalar";
const X86_64: &str = "x86_64-unknown-linux-gnu";
/// A target with 32-bit addresses.
const I686: &str = "i686-unknown-linux-gnu";

/// All levels in one process. Miri has no AVX-512.
const QUICK: [Run; 1] = [Run { target: X86_64, features: AVX2, levels: ALL_LEVELS, tests: &[(CONVERSIONS, 142)] }];

/// One process for each set of features, to detect a level that uses an instruction of another level.
const ALL: [Run; 4] = [
    Run { target: X86_64, features: AVX2, levels: ALL_LEVELS, tests: &[(CONVERSIONS, 10), (KERNELS, 300)] },
    Run {
        target: X86_64,
        features: "+ssse3,+sse4.1,+popcnt",
        levels: "sse4.1,scalar",
        tests: &[(CONVERSIONS, 20), (KERNELS, 600)],
    },
    Run { target: X86_64, features: "", levels: "scalar", tests: &[(CONVERSIONS, 10)] },
    Run { target: I686, features: "", levels: "scalar", tests: &[(CONVERSIONS, 10)] },
];

/// `cargo xtask miri`: runs the tests in Miri. `quick` is the part for CI.
pub(crate) fn run(quick: bool) -> Result<()> {
    if !is_available() {
        // Does not use `project::skip`, because `CI_STRICT=1` does not require this step. Only nightly Rust has Miri, and
        // some nightly versions lack it.
        println!("SKIPPED Miri: run `rustup toolchain install nightly --component miri --component rust-src`");
        return Ok(());
    }
    let runs: &[Run] = if quick { &QUICK } else { &ALL };
    runs.iter().try_for_each(Run::test)
}

fn is_available() -> bool {
    let mut command = project::command("rustup", &["run", "nightly", "cargo", "miri", "setup"]);
    command.stdout(Stdio::null()).status().is_ok_and(|status| status.success())
}

impl Run {
    fn test(&self) -> Result<()> {
        self.tests.iter().try_for_each(|(tests, one_in)| project::finish(&mut self.command(tests, *one_in)))
    }

    fn command(&self, tests: &[&str], one_in: u32) -> Command {
        let cargo = ["run", "nightly", "cargo", "miri", "test", "--package", "textcodec", "--all-features"];
        // Miri ignores `CARGO_BUILD_TARGET`.
        let target = ["--target", self.target];
        let flags =
            if self.features.is_empty() { String::new() } else { format!("-Ctarget-feature={}", self.features) };
        let command = project::command("rustup", &[&cargo[..], &target, tests].concat());
        let mut command = platforms::for_target(command, self.target, &flags);
        command.env("TEXTCODEC_EXPECT_LEVELS", self.levels).env("TEXTCODEC_ONE_IN", one_in.to_string());
        command.env("TEXTCODEC_EXPECT_BITS", if self.target == I686 { "32" } else { "64" });
        // Miri hides environment variables by default.
        let forwarded =
            ["EXPECT_LEVELS", "ONE_IN", "EXPECT_BITS"].map(|name| format!("-Zmiri-env-forward=TEXTCODEC_{name}"));
        command.env("MIRIFLAGS", forwarded.join(" "));
        command
    }
}
