//! `cargo xtask python`: builds the Python package in `bindings/python`, installs it into fresh environments, and tests it.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result, bail};
use project::{finish, root, skip};

const PACKAGE: &str = "bindings/python";

/// The folder of packages, environments and test data.
const WORK: &str = "target/python";

/// The oldest version of Python that the package supports: 3.10.
const OLDEST: u32 = 10;
/// One more than the newest version that may exist.
const LIMIT: u32 = 20;

/// The arguments of `cargo xtask python`.
#[derive(clap::Args, Default)]
pub(crate) struct Arguments {
    /// Build without optimising dependencies, and leave out long tests.
    #[arg(long)]
    quick: bool,
    /// Run only these parts, after the build: `lint`, `types`, `text`, `stable-abi`, `columns`, `spark`, `clients`, `bench`,
    /// `sdist`, `asan`.
    parts: Vec<String>,
}

impl Arguments {
    fn wants(&self, part: &str) -> bool {
        // These take long: the second compiles everything again.
        let is_long = matches!(part, "clients" | "sdist" | "asan");
        if self.parts.is_empty() { !(self.quick && is_long) } else { self.parts.iter().any(|name| name == part) }
    }

    /// Leaves out tests that one module is enough for.
    fn same(&self) -> &'static [&'static str] {
        if self.quick { SAME } else { &[] }
    }

    /// Selects tests.
    fn marks(&self) -> &'static [&'static str] {
        if self.quick { &["-m", "not slow"] } else { &[] }
    }
}

/// The arguments of every run of tests. Reasons of skipped tests are printed.
const PYTEST: [&str; 6] = ["-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider"];

/// Leaves out tests of what does not depend on the version of Python: conversions, names and limits of memory.
const SAME: &[&str] = &[
    "--ignore=tests/text/test_vectors.py",
    "--ignore=tests/text/test_incremental.py",
    "--ignore=tests/text/test_names.py",
    "--ignore=tests/text/test_memory.py",
    "--ignore=tests/text/test_detect_program.py",
];

/// An interpreter.
#[derive(Clone, Debug)]
struct Python {
    /// The 13 in 3.13.
    minor: u32,
    program: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let pythons = pythons();
    let (Some(oldest), Some(newest)) = (pythons.first(), pythons.last()) else {
        return skip("the Python package", "no Python from 3.10 on with venv; on Debian: apt-get install python3-venv");
    };
    println!("oldest Python: {}; newest: {}", oldest.program.display(), newest.program.display());
    if arguments.wants("lint") {
        lint(newest)?;
    }
    let tools = environment("tools", newest)?;
    pip(&tools, &["-r", "tests/requirements-tools.txt"])?;
    let built = if arguments.quick && oldest.minor != newest.minor {
        vec![oldest, newest]
    } else if arguments.quick {
        vec![newest]
    } else {
        pythons.iter().collect()
    };
    let wheels = build(&tools, arguments, &built, newest)?;
    if arguments.wants("types") {
        types(newest, &wheels)?;
    }
    if arguments.wants("text") {
        for python in &built {
            let same = if python.minor == newest.minor { &[][..] } else { arguments.same() };
            text(python, wheels.of(python)?, &[same, arguments.marks()].concat())?;
        }
    }
    if arguments.wants("stable-abi") {
        // Leaks do not depend on how strings are written. This module copies buffers, so it does not keep them from changing.
        let options = [
            "--ignore=tests/text/test_leaks.py",
            "--deselect=tests/text/test_handlers.py::test_a_handler_changes_the_bytearray",
            "--deselect=tests/text/test_handlers.py::test_a_handler_releases_the_memoryview",
        ];
        text(newest, &wheels.stable, &[&options[..], arguments.same(), arguments.marks()].concat())?;
    }
    if arguments.wants("columns") {
        columns(arguments, newest, wheels.of(newest)?)?;
    }
    if arguments.wants("spark") {
        spark(arguments, newest, wheels.of(newest)?)?;
    }
    if arguments.wants("clients") {
        let environment = environment("clients", newest)?;
        install(&environment, wheels.of(newest)?, "")?;
        python_in(&environment, &["consumers/run.py"])?;
    }
    if arguments.wants("bench") {
        let environment = environment("bench", newest)?;
        install(&environment, wheels.of(newest)?, "")?;
        python_in(&environment, &["bench/text.py", "--smoke"])?;
    }
    if arguments.wants("sdist") {
        let environment = environment("sdist", newest)?;
        pip(&environment, &[&wheels.source.display().to_string()])?;
        python_in(
            &environment,
            &["-c", "import textcodec; assert textcodec.decode(b'\\x8a\\xbf', 'sjis') == '\\u6f22'"],
        )?;
    }
    if arguments.wants("asan") {
        asan(newest, wheels.of(newest)?)?;
    }
    Ok(())
}

/// Returns the interpreters that can create environments, one for each version, oldest first.
fn pythons() -> Vec<Python> {
    (OLDEST..LIMIT)
        .filter_map(|minor| {
            let name = format!("python3.{minor}");
            let installed = pyenv().into_iter().filter_map(|folder| {
                let folder = folder.ok()?;
                let version = folder.file_name().into_string().ok()?;
                version.starts_with(&format!("3.{minor}.")).then(|| folder.path().join("bin/python3"))
            });
            let mut programs = installed.chain([PathBuf::from(name)]);
            let program = programs.find(|program| works(program))?;
            Some(Python { minor, program })
        })
        .collect()
}

/// Returns the folder with pyenv's versions, if there is one.
fn pyenv() -> Vec<std::io::Result<fs::DirEntry>> {
    let folder = env::var_os("PYENV_ROOT").map(|root| Path::new(&root).join("versions"));
    folder.and_then(|folder| fs::read_dir(folder).ok()).map(Iterator::collect).unwrap_or_default()
}

fn works(program: &Path) -> bool {
    let mut command = Command::new(program);
    let output = command.args(["-c", "import venv, ensurepip"]).output();
    output.is_ok_and(|output| output.status.success())
}

/// Creates a fresh environment. Returns its interpreter.
fn environment(name: &str, python: &Python) -> Result<PathBuf> {
    let folder = root().join(WORK).join(format!("{name}-3.{}", python.minor));
    finish(Command::new(&python.program).args(["-m", "venv", "--clear"]).arg(&folder))?;
    Ok(folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python3" }))
}

/// Runs Python in the package's folder, without the package's sources on its path.
fn python_in(python: &Path, arguments: &[&str]) -> Result<()> {
    finish(&mut command(python, arguments))
}

fn command(python: &Path, arguments: &[&str]) -> Command {
    let mut command = project::command(&python.display().to_string(), arguments);
    command.current_dir(root().join(PACKAGE)).env_remove("PYTHONPATH");
    command
}

fn pip(python: &Path, arguments: &[&str]) -> Result<()> {
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"];
    python_in(python, &[&install[..], arguments].concat())
}

/// Installs a wheel, and the packages of `tests/requirements{suffix}.txt`.
fn install(python: &Path, wheel: &Path, suffix: &str) -> Result<()> {
    let requirements = format!("tests/requirements{suffix}.txt");
    pip(python, &[&wheel.display().to_string(), "-r", &requirements])
}

/// Checks formatting and clippy.
fn lint(python: &Python) -> Result<()> {
    let manifest = format!("{PACKAGE}/Cargo.toml");
    project::run("cargo", &["fmt", "--check", "--manifest-path", &manifest])?;
    for features in ["", "abi3"] {
        let mut clippy = project::command("cargo", &["clippy", "--locked", "--all-targets", "--profile", "quick"]);
        clippy.env("PYO3_PYTHON", &python.program).args(["--manifest-path", &manifest, "--features", features]);
        finish(clippy.args(["--", "--deny", "warnings"]))?;
    }
    Ok(())
}

/// The packages that were built.
struct Wheels {
    /// For one version of Python each.
    specific: Vec<(u32, PathBuf)>,
    /// For all versions.
    stable: PathBuf,
    source: PathBuf,
}

impl Wheels {
    fn of(&self, python: &Python) -> Result<&PathBuf> {
        let found = self.specific.iter().find(|(minor, _)| *minor == python.minor);
        found.map(|(_, wheel)| wheel).with_context(|| format!("no wheel for Python 3.{}", python.minor))
    }
}

/// Builds the wheels for some interpreters, that for all of them, and the source distribution.
fn build(tools: &Path, arguments: &Arguments, pythons: &[&Python], newest: &Python) -> Result<Wheels> {
    let dist = root().join(WORK).join("dist");
    if dist.exists() {
        fs::remove_dir_all(&dist)?;
    }
    let dist = dist.display().to_string();
    let profile: &[&str] = if arguments.quick { &["--profile", "quick"] } else { &["--release"] };
    let maturin = |words: &[&str]| python_in(tools, &[&["-m", "maturin"], words, &["--out", &dist]].concat());
    for python in pythons {
        let program = python.program.display().to_string();
        maturin(&[&["build", "--locked", "--interpreter", &program], profile].concat())?;
    }
    let program = newest.program.display().to_string();
    maturin(&[&["build", "--locked", "--features", "abi3", "--interpreter", &program], profile].concat())?;
    maturin(&["sdist"])?;
    let specific = pythons.iter().map(|python| {
        let tag = format!("cp3{0}-cp3{0}", python.minor);
        Ok((python.minor, built(&dist, &tag)?))
    });
    Ok(Wheels {
        specific: specific.collect::<Result<_>>()?,
        stable: built(&dist, "abi3")?,
        source: built(&dist, ".tar.gz")?,
    })
}

/// Returns the file in a folder whose name contains a string.
fn built(folder: &str, part: &str) -> Result<PathBuf> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.file_name().is_some_and(|name| name.to_string_lossy().contains(part)) {
            return Ok(path);
        }
    }
    bail!("no {part} in {folder}")
}

/// Checks the type hints: stubs against the module, and hints against the code.
fn types(python: &Python, wheels: &Wheels) -> Result<()> {
    let environment = environment("types", python)?;
    pip(&environment, &[&wheels.of(python)?.display().to_string(), "-r", "tests/requirements-types.txt"])?;
    python_in(&environment, &["-m", "mypy.stubtest", "textcodec._native", "--ignore-disjoint-bases"])?;
    python_in(&environment, &["-m", "mypy", "--strict", "python/textcodec", "tests/typed_uses.py"])?;
    let interpreter = environment.display().to_string();
    python_in(&environment, &["-m", "pyright", "--pythonpath", &interpreter, "python/textcodec", "tests/typed_uses.py"])
}

/// Tests codecs and functions for text.
fn text(python: &Python, wheel: &Path, options: &[&str]) -> Result<()> {
    let environment = environment("text", python)?;
    install(&environment, wheel, "")?;
    let vectors = vectors()?;
    let vectors = format!("--vectors={vectors}");
    let program = format!("--program={}", program()?);
    python_in(&environment, &[&PYTEST[..], &[&vectors, &program], options, &["tests/text"]].concat())
}

/// Writes the oracle's test vectors, and returns their path.
fn vectors() -> Result<String> {
    let file = root().join(WORK).join("vectors.json").display().to_string();
    if !Path::new(&file).exists() {
        let program = ["run", "--release", "--quiet", "--locked", "--manifest-path", "bindings/js/Cargo.toml"];
        let mut command = project::command("cargo", &[&program[..], &["--package", "vectors", "--", &file]].concat());
        // Not the package's own folder, which the step of the npm package uses.
        finish(command.env("CARGO_TARGET_DIR", root().join(WORK).join("vectors")))?;
    }
    Ok(file)
}

/// Builds the program, and returns its path. Its results of detection are compared with the package's.
fn program() -> Result<String> {
    project::run("cargo", &["build", "--quiet", "--locked", "--package", "textcodec-cli"])?;
    Ok(root().join("target/debug/textcodec").display().to_string())
}

/// Tests columns with the libraries that use them.
fn columns(arguments: &Arguments, python: &Python, wheel: &Path) -> Result<()> {
    let environment = environment("columns", python)?;
    // Ray and Dask are large.
    install(&environment, wheel, if arguments.quick { "-columns" } else { "-recipes" })?;
    let mut tests = command(&environment, &[&PYTEST[..], arguments.marks(), &["tests/columns"]].concat());
    if !arguments.quick {
        tests.env("TEXTCODEC_SLOW", "1");
    }
    finish(&mut tests)
}

/// Tests Spark on a cluster of two executors that are processes of their own.
fn spark(arguments: &Arguments, python: &Python, wheel: &Path) -> Result<()> {
    if let Err(why) = finish(Command::new("java").arg("-version")) {
        return skip("Spark", &format!("{why}; on Debian: apt-get install openjdk-17-jre-headless"));
    }
    let environment = environment("spark", python)?;
    install(&environment, wheel, "-spark")?;
    let tests = [&PYTEST[..], arguments.marks(), &["tests/spark"]].concat();
    finish(command(&environment, &tests).env("TEXTCODEC_WHEEL", wheel))
}

/// Runs the tests of text with a module that is built with AddressSanitizer. Python allocates with the sanitizer's allocator, so
/// that it also watches the memory of strings and bytes.
fn asan(python: &Python, wheel: &Path) -> Result<()> {
    const TARGET: &str = "x86_64-unknown-linux-gnu";
    let library = Command::new("gcc").arg("-print-file-name=libasan.so").output();
    let library = library.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default();
    if !Path::new(&library).is_absolute() || !cfg!(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu"))
    {
        return skip("the Python package under AddressSanitizer", "needs x86-64 Linux and GCC's libasan");
    }
    let environment = environment("asan", python)?;
    install(&environment, wheel, "")?;
    let folder = root().join(WORK).join("asan");
    let mut build = project::command("cargo", &["build", "--locked", "--profile", "quick", "--target", TARGET]);
    build.args(["--manifest-path", &format!("{PACKAGE}/Cargo.toml")]).env("CARGO_TARGET_DIR", &folder);
    build.env("PYO3_PYTHON", &python.program).env("RUSTC_BOOTSTRAP", "1"); // the flags are unstable
    finish(build.env("RUSTFLAGS", "-Z sanitizer=address -Z external-clangrt"))?;
    let place = "import textcodec._native as module; print(module.__file__)";
    let place = command(&environment, &["-c", place]).output()?;
    let module = folder.join(TARGET).join("quick/lib_native.so");
    fs::copy(module, String::from_utf8(place.stdout)?.trim()).context("cannot replace the module")?;
    let vectors = format!("--vectors={}", vectors()?);
    // Memory that Python keeps until it ends is not a leak of the module; `test_leaks.py` looks for those. The sanitizer
    // reserves more addresses than the tests with too little memory leave.
    let options = [&vectors, "--ignore=tests/text/test_leaks.py", "-k", "not too_little_memory", "tests/text"];
    // Frames of such a build are several times as large, and one test fills the stack.
    let interpreter = environment.display().to_string();
    let limited = ["--stack=67108864", &interpreter];
    let mut tests = command(Path::new("prlimit"), &[&limited[..], &PYTEST, &options].concat());
    finish(tests.env("LD_PRELOAD", library).env("ASAN_OPTIONS", "detect_leaks=0").env("PYTHONMALLOC", "malloc"))
}
