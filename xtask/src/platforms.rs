//! Tests of the core on other platforms, on an emulated CPU with AVX-512 and under AddressSanitizer. They make fewer random
//! rounds, to save time in CI.

use std::process::Command;

use anyhow::Result;
use project::{CROSS, prepared, root, skip};

use crate::checks::unoptimised;

/// The tests to run, by parts of their names.
const TESTS: &[&str] = &["kernel::", "guard_pages::", "kernel_contract::", "mistakes::", "sizes::", "text::"];

/// Tests with millions of inputs that do not depend on the platform: of a state machine and of sums.
const SKIPPED: [&str; 2] = ["every_string_of_up_to_six", "encoding_bounds_are_sufficient_and_tight"];

/// The levels of x86-64.
const ALL_LEVELS: [&str; 4] = ["avx512", "avx2", "sse4.1", "scalar"];

struct Platform {
    target: &'static str,
    /// The compiler's flags.
    flags: &'static str,
    /// The levels that must be available, in addition to the scalar one.
    levels: &'static str,
    /// The linker, if the compiler does not include one.
    linker: Option<&'static str>,
    /// The program that runs programs of the target, if this machine cannot.
    runner: Option<&'static str>,
    /// The value of `TEXTCODEC_ONE_IN`.
    one_in: u32,
    /// Whether `cross --quick` tests it.
    quick: bool,
}

const WASM: &str = "wasm32-wasip1";
const STATIC: &str = "-C target-feature=+crt-static";

const PLATFORMS: [Platform; 5] = [
    Platform {
        target: "aarch64-unknown-linux-gnu",
        flags: STATIC,
        levels: "neon",
        linker: Some("aarch64-cc"),
        runner: Some("aarch64-run"),
        one_in: 20,
        quick: true,
    },
    // Big-endian.
    Platform {
        target: "s390x-unknown-linux-gnu",
        flags: STATIC,
        levels: "",
        linker: Some("s390x-cc"),
        runner: Some("s390x-run"),
        one_in: 20,
        quick: false,
    },
    // 32-bit. An x86-64 machine can run it.
    Platform {
        target: "i686-unknown-linux-gnu",
        flags: STATIC,
        levels: "",
        linker: Some("i686-cc"),
        runner: None,
        one_in: 4,
        quick: false,
    },
    Platform { target: WASM, flags: "", levels: "", linker: None, runner: Some("wasi-run"), one_in: 4, quick: false },
    // 32-bit, too.
    Platform {
        target: WASM,
        flags: "-C target-feature=+simd128",
        levels: "simd128",
        linker: None,
        runner: Some("wasi-run"),
        one_in: 4,
        quick: true,
    },
];

/// `cargo xtask cross`: tests aarch64 and s390x under qemu, i686 natively, and WebAssembly in Node. `quick` leaves out the
/// platforms that only have scalar code, which runs everywhere: s390x, i686 and WebAssembly without SIMD. It also runs half as
/// many rounds of random tests.
pub(crate) fn cross(quick: bool) -> Result<()> {
    if let Err(why) = project::run("scripts/cross.sh", &[CROSS]) {
        return skip("other platforms", &why.to_string());
    }
    PLATFORMS.iter().filter(|platform| platform.quick || !quick).try_for_each(|platform| platform.test(quick))
}

impl Platform {
    fn test(&self, quick: bool) -> Result<()> {
        // If rustup cannot add the targets, `scripts/cross.sh` has prepared another cargo.
        let cargo = prepared("cargo").unwrap_or_else(|| "cargo".to_owned());
        let one_in = if quick { 2 * self.one_in } else { self.one_in };
        project::finish(&mut self.set_up(core(&cargo, self.levels, one_in)))?;
        let without_std = project::command(&cargo, &["test", "--quiet", "--package", "without-std"]);
        project::finish(unoptimised(&mut self.set_up(without_std)))
    }

    /// Sets the target, the flags and the tools.
    fn set_up(&self, command: Command) -> Command {
        let mut command = for_target(command, self.target, self.flags);
        let prefix = format!("CARGO_TARGET_{}", self.target.replace('-', "_").to_uppercase());
        for (name, program) in [("LINKER", self.linker), ("RUNNER", self.runner)] {
            if let Some(program) = program.and_then(prepared) {
                command.env(format!("{prefix}_{name}"), program);
            }
        }
        command
    }
}

/// Builds the library and the drop-in, with and without `alloc`, and detection, for targets without an operating system and without `std`.
pub(crate) fn bare() -> Result<()> {
    if let Err(why) = project::run("scripts/cross.sh", &[CROSS]) {
        return skip("targets without an operating system", &why.to_string());
    }
    // If rustup cannot add the targets, `scripts/cross.sh` has prepared another cargo, which builds `core` and `alloc`.
    let cargo = prepared("bare-cargo").unwrap_or_else(|| "cargo".to_owned());
    for target in ["thumbv7em-none-eabi", "x86_64-unknown-none"] {
        for (package, features) in [
            ("textcodec", "all-encodings,encoders"),
            ("textcodec", "all-encodings,encoders,alloc,serde"),
            ("textcodec", "all-encodings,encoders,oem"),
            ("textcodec-detect", "guess,oem"),
            ("encoding_rs", ""),
            ("encoding_rs", "alloc,serde"),
        ] {
            let arguments = ["build", "--quiet", "--package", package, "--no-default-features", "--features", features];
            project::finish(&mut for_target(project::command(&cargo, &arguments), target, ""))?;
        }
    }
    Ok(())
}

/// `cargo xtask asan`: tests under AddressSanitizer, at every level of this machine's CPU. `quick` leaves out readers and
/// writers, which have no `unsafe`, and runs fewer rounds of random tests.
pub(crate) fn asan(quick: bool) -> Result<()> {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu")) {
        return skip("AddressSanitizer", "only supported on x86-64 Linux");
    }
    let levels = levels();
    for level in ALL_LEVELS.iter().filter(|level| !levels.contains(level)) {
        println!("SKIPPED AddressSanitizer at the level {level}: this CPU lacks it");
    }
    let targets = ["--lib", "--test", "suite", "--test", "levels", "--test", "miri"];
    let mut command = project::command("cargo", &["test", "--package", "textcodec", "--all-features"]);
    command.args(targets).args(if quick { &[][..] } else { &["--test", "io"] });
    // Without millions of inputs for code that has no `unsafe`.
    command.args(["--", "--skip", "exhaustive::", "--skip", "items_match_the_handlers"]);
    command.args(SKIPPED.iter().flat_map(|name| ["--skip", name]));
    command.env("TEXTCODEC_EXPECT_LEVELS", levels.join(",")).env("TEXTCODEC_ONE_IN", if quick { "32" } else { "4" });
    let mut command = for_target(command, "x86_64-unknown-linux-gnu", "-Z sanitizer=address");
    // The flag is unstable.
    project::finish(command.env("RUSTC_BOOTSTRAP", "1"))
}

/// `cargo xtask avx512`: tests on an emulated CPU with AVX-512, for machines without AVX-512.
pub(crate) fn avx512() -> Result<()> {
    if levels().contains(&"avx512") {
        println!("SKIPPED emulated AVX-512: this CPU has it, so the ordinary tests cover it");
        return Ok(());
    }
    if let Err(why) = project::run("scripts/avx512.sh", &[]) {
        return skip("emulated AVX-512", &why.to_string());
    }
    let levels = ALL_LEVELS.join(",");
    let public = ["test", "--package", "textcodec", "--all-features", "--test", "levels", "--test", "miri"];
    let mut public = project::command("cargo", &public);
    public.env("TEXTCODEC_EXPECT_LEVELS", &levels);
    for command in [core("cargo", &levels, 20), public] {
        let mut command = for_target(command, "x86_64-unknown-linux-gnu", STATIC);
        // The ordinary tests cover the other levels.
        command.env("TEXTCODEC_ONLY_LEVELS", "avx512");
        command.env("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER", root().join("scripts/avx512-run.sh"));
        project::finish(&mut command)?;
    }
    Ok(())
}

/// Returns the levels that this machine's CPU must have, by the features that it reports.
#[cfg(target_arch = "x86_64")]
pub(crate) fn levels() -> Vec<&'static str> {
    let avx2 = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt");
    let avx512 = avx2
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512cd")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512vbmi2");
    let sse =
        is_x86_feature_detected!("ssse3") && is_x86_feature_detected!("sse4.1") && is_x86_feature_detected!("popcnt");
    let available = [avx512, avx2, sse, true];
    ALL_LEVELS.into_iter().zip(available).filter_map(|(level, available)| available.then_some(level)).collect()
}

/// Returns the scalar level, because the others are those of x86-64.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn levels() -> Vec<&'static str> {
    vec!["scalar"]
}

/// Returns a command for the library's tests. They fail if one of `levels` is not available.
fn core(cargo: &str, levels: &str, one_in: u32) -> Command {
    let arguments = ["test", "--package", "textcodec", "--all-features", "--lib", "--test", "suite", "--"];
    let mut command = project::command(cargo, &arguments);
    command.args(TESTS).args(SKIPPED.iter().flat_map(|name| ["--skip", name]));
    command.env("TEXTCODEC_EXPECT_LEVELS", levels).env("TEXTCODEC_ONE_IN", one_in.to_string());
    command
}

/// Sets the target and the flags of a command. Each set of flags has its own build folder, so that builds do not replace each
/// other.
pub(crate) fn for_target(mut command: Command, target: &str, flags: &str) -> Command {
    let folder: String = flags.chars().filter(char::is_ascii_alphanumeric).collect();
    let folder = root().join("target/platforms").join(folder);
    command.env("CARGO_BUILD_TARGET", target).env("CARGO_TARGET_DIR", folder).env("RUSTFLAGS", flags);
    command
}
