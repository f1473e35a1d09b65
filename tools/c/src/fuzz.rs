//! Fuzzes the libraries with the targets in `bindings/c/tests/fuzz`: with pseudo-random inputs, and with libFuzzer if it is
//! installed.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::Result;
use project::{command, finish, root, skip};

use super::{
    Arguments, FOLDER, WORK,
    build::{self, DETECT, ICONV, Library, Profile, TEXTCODEC},
};

/// A fuzz target.
struct Target {
    name: &'static str,
    sources: &'static [&'static str],
    library: &'static Library,
}

const TARGETS: [Target; 3] = [
    Target { name: "detect", sources: &["detect.c"], library: &DETECT },
    Target { name: "iconv", sources: &["iconv.c", "iconv_calls.c"], library: &ICONV },
    Target { name: "api", sources: &["api.c", "api_decoder.c", "api_encoder.c", "api_utf.c"], library: &TEXTCODEC },
];

/// What every target is linked with.
const COMMON: &str = "fuzz.c";

const FLAGS: [&str; 11] = [
    "-std=c11",
    "-D_GNU_SOURCE",
    "-O1",
    "-g",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-pedantic",
    "-Wshadow",
    "-Wconversion",
    "-fno-sanitize-recover=all",
];

/// The seed of the pseudo-random inputs, so that each run tests the same.
const SEED: &str = "1";

/// How long libFuzzer runs, to see that the targets work with it. It does not see which code of the library runs, because that is
/// compiled by another compiler.
const SECONDS_OF_LIBFUZZER: &str = "-max_total_time=5";

/// Compiles and runs the targets.
pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let libraries = build::build(Profile::Checked, &[&TEXTCODEC, &DETECT, &ICONV])?;
    let folder = root().join(WORK).join("fuzz");
    fs::create_dir_all(&folder)?;
    let seconds = if arguments.quick { "10" } else { "120" };
    for target in &TARGETS {
        let program = target.compile("gcc", "address,undefined", &["random.c"], &libraries, &folder)?;
        finish(Command::new(program).args([seconds, SEED]))?;
    }
    if !has_libfuzzer(&folder) {
        return skip("libFuzzer", "clang is not installed, or lacks its runtime (Debian: libclang-rt-dev)");
    }
    for target in &TARGETS {
        let program = target.compile("clang", "fuzzer,address,undefined", &[], &libraries, &folder)?;
        // It writes an input that fails to this folder.
        let mut fuzzer = Command::new(program);
        fuzzer.current_dir(&folder).args([SECONDS_OF_LIBFUZZER, "-max_len=512", "-len_control=0", "-verbosity=0"]);
        finish(fuzzer.arg("-print_final_stats=1").arg(format!("-seed={SEED}")))?;
    }
    Ok(())
}

impl Target {
    /// Compiles the target with a sanitizer, and links it with the library.
    fn compile(
        &self,
        compiler: &str,
        sanitizer: &str,
        more: &[&str],
        libraries: &Path,
        folder: &Path,
    ) -> Result<PathBuf> {
        let program = folder.join(format!("{}-{compiler}", self.name));
        let bindings = root().join(FOLDER);
        let mut cc = command(compiler, &FLAGS);
        cc.arg(format!("-fsanitize={sanitizer}")).arg("-I").arg(bindings.join("include")).arg("-o").arg(&program);
        for source in self.sources.iter().chain([&COMMON]).chain(more) {
            cc.arg(bindings.join("tests/fuzz").join(source));
        }
        finish(cc.arg(libraries.join(format!("lib{}.a", self.library.name))).arg("-ldl"))?;
        Ok(program)
    }
}

/// Whether clang links programs with libFuzzer.
fn has_libfuzzer(folder: &Path) -> bool {
    let source = folder.join("empty.c");
    let text = "int LLVMFuzzerTestOneInput(const unsigned char *data, unsigned long size);\n\
                int LLVMFuzzerTestOneInput(const unsigned char *data, unsigned long size) {\n\
                return data == 0 && size != 0;\n}\n";
    let mut clang = command("clang", &["-fsanitize=fuzzer", "-o"]);
    clang.arg(folder.join("empty")).arg(&source);
    fs::write(&source, text).is_ok() && clang.output().is_ok_and(|output| output.status.success())
}
