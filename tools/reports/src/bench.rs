//! `cargo xtask bench`: builds the engines of `bench/` and runs the benchmark.

use std::{
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use project::{paths, root};

/// The arguments of `cargo xtask bench`.
#[derive(clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option")]
pub(crate) struct Arguments {
    /// A folder with UTF-8 articles and pages, named by language: `ja.txt`, `ja.html`, …. The default is the project's samples.
    #[arg(long)]
    corpus: Option<PathBuf>,
    /// The cells to measure: comma-separated parts of their names, or patterns with `*`.
    #[arg(long)]
    cells: Option<String>,
    /// Measure only this level of the library (avx512, avx2, sse4.1, scalar), with peers limited to it.
    #[arg(long)]
    level: Option<String>,
    /// The number of passes, of which the medians are reported.
    #[arg(long)]
    passes: Option<usize>,
    /// Measure streams of growing length, up to 16 GiB.
    #[arg(long, conflicts_with_all = ["cells", "worst", "baseline"])]
    growth: bool,
    /// Search for the hostile input that costs most compared with `encoding_rs`.
    #[arg(long)]
    worst: bool,
    /// How long to search, in minutes.
    #[arg(long, requires = "worst")]
    minutes: Option<f64>,
    /// Search only with this encoding.
    #[arg(long, requires = "worst")]
    encoding: Option<String>,
    /// The seed of the random numbers.
    #[arg(long, requires = "worst")]
    seed: Option<u64>,
    /// Another checkout of this project, whose library is measured as `textcodec-before`. Except with hostile input, no other
    /// engine is measured.
    #[arg(long)]
    baseline: Option<PathBuf>,
    /// A path of `bench/paths.csv` to turn off in another copy of the library, which is measured as `textcodec-before`.
    #[arg(long, conflicts_with = "baseline")]
    ablate: Option<String>,
    /// Run the benchmark's own tests, and check every engine's output in every cell once. The times are meaningless.
    #[arg(long)]
    smoke: bool,
    /// Write the figures to `docs/performance.csv` and the tables to `docs/performance.md`.
    #[arg(long)]
    record: bool,
}

/// How an engine is built.
struct Engine {
    /// Its folder, which is also its name in the tables. Engines with several levels have `@LEVEL` after it.
    folder: &'static str,
    levels: &'static [&'static str],
    /// The compiler's target CPU, for an engine that cannot choose at run time.
    cpu: Option<&'static str>,
    /// The build requirements that a machine may lack.
    needs: &'static str,
}

const fn engine(folder: &'static str) -> Engine {
    Engine { folder, levels: &[], cpu: None, needs: "crates" }
}

const OURS: Engine = Engine { levels: &["avx512", "avx2", "sse4.1", "scalar"], ..engine("textcodec") };

/// The library through the API of `encoding_rs`.
const DROP_IN: Engine = Engine { levels: &["avx512", "avx2"], ..engine("drop-in") };

/// The engines for hostile input, which all follow the Encoding Standard.
const HOSTILE: [Engine; 3] = [OURS, engine("encoding_rs"), engine("encoding_rs-fast")];

const ENGINES: [Engine; 11] = [
    OURS,
    DROP_IN,
    engine("encoding_rs"),
    engine("encoding_rs-fast"),
    Engine { levels: &["avx512"], cpu: Some("native"), ..engine("encoding_rs-native") },
    Engine { levels: &["avx2"], cpu: Some("x86-64-v3"), ..engine("encoding_rs-native") },
    Engine { levels: &["avx512", "avx2", "sse4.1"], needs: "g++", ..engine("simdutf") },
    engine("simdutf8"),
    engine("std"),
    engine("iconv"),
    Engine { needs: "pkg-config and libicu-dev", ..engine("icu") },
];

/// The build folder of the engines.
const TARGET: &str = "bench/target/engines";

/// The build folder of a smoke run.
const SMOKE: &str = "bench/target/smoke";

/// The settings of a smoke run, which replace those for measurements. They build faster.
const QUICK: [(&str, &str); 3] = [
    ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1"),
    ("CARGO_PROFILE_RELEASE_LTO", "off"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1"),
];

pub(crate) fn run(arguments: Arguments) -> Result<()> {
    let Arguments {
        corpus,
        cells,
        level,
        passes,
        growth,
        worst,
        minutes,
        encoding,
        seed,
        baseline,
        ablate,
        smoke,
        record,
    } = arguments;
    let bench = |subcommand| {
        let mut command =
            project::command("cargo", &[subcommand, "--release", "--quiet", "--manifest-path", "bench/Cargo.toml"]);
        if smoke {
            command.env("CARGO_TARGET_DIR", SMOKE).envs(QUICK);
        }
        command
    };
    if smoke {
        project::finish(&mut bench("test"))?;
    }
    let mut command = bench("run");
    command.arg("--");
    let hostile = worst || cells.as_deref().is_some_and(|cells| cells.starts_with("hostile"));
    let wanted: &[Engine] = match (hostile, baseline.is_some() || ablate.is_some()) {
        (true, _) => &HOSTILE,
        (false, true) => &[OURS],
        (false, false) => &ENGINES,
    };
    command.arg("--root").arg(root()).args(engines(wanted, smoke));
    let other = match (baseline, ablate) {
        (Some(checkout), _) => Some(build_baseline(&checkout)?),
        (None, Some(path)) => Some(build_without(&path)?),
        (None, None) => None,
    };
    let compares = other.is_some() && !hostile;
    if let Some(library) = other {
        for level in OURS.levels {
            command.arg("--engine").arg(format!("textcodec-before@{level}={}", library.display()));
        }
    }
    if let Some(corpus) = corpus {
        let folder = corpus.canonicalize().with_context(|| format!("no folder {}", corpus.display()))?;
        command.arg("--corpus").arg(folder);
    }
    let passes = passes.map(|passes| passes.to_string());
    let (minutes, seed) = (minutes.map(|minutes| minutes.to_string()), seed.map(|seed| seed.to_string()));
    let texts = [("--cells", cells), ("--level", level), ("--encoding", encoding)];
    for (name, value) in texts.into_iter().chain([("--passes", passes), ("--minutes", minutes), ("--seed", seed)]) {
        command.args(value.map(|value| [name.to_owned(), value]).into_iter().flatten());
    }
    command.args(
        [("--smoke", smoke), ("--record", record), ("--growth", growth), ("--worst", worst)]
            .iter()
            .filter(|(_, set)| *set)
            .map(|(name, _)| name),
    );
    if !hostile && !compares {
        match if smoke {
            Err(anyhow!("a smoke run does not fetch a newer one"))
        } else {
            newer_simdutf(&root().join("bench/target/simdutf"), &[])
        } {
            Ok(found) => {
                command.env("BENCH_SIMDUTF", found);
            }
            Err(error) => eprintln!("using the simdutf that its crate contains: {error:#}"),
        }
    }
    ensure!(command.status()?.success(), "the benchmark failed");
    Ok(())
}

/// Returns the benchmark's options for the engines that follow the Encoding Standard, which are built first.
pub(crate) fn comparable_engines() -> Vec<OsString> {
    engines(&HOSTILE, false)
}

/// Builds the engines. Returns the benchmark's options with their paths, and with the engines that cannot be built.
fn engines(wanted: &[Engine], smoke: bool) -> Vec<OsString> {
    let mut options = Vec::new();
    for &Engine { folder, levels, cpu, needs } in wanted {
        let built = build(folder, cpu, smoke);
        let names = levels.iter().map(|level| format!("{folder}@{level}"));
        let only = levels.is_empty().then(|| folder.to_owned());
        for name in names.chain(only) {
            let (option, value) = match &built {
                Ok(path) => ("--engine", format!("{name}={}", path.display())),
                Err(error) => ("--missing", format!("{name}: {error:#}; this engine needs {needs}")),
            };
            options.extend([option.into(), value.into()]);
        }
    }
    options
}

/// Builds an engine and returns its path.
fn build(folder: &str, cpu: Option<&str>, smoke: bool) -> Result<PathBuf> {
    let manifest = root().join(format!("bench/engines/{folder}/Cargo.toml"));
    let (target, settings) = if smoke { (SMOKE, &QUICK[..]) } else { (TARGET, &[][..]) };
    build_manifest(&manifest, folder, cpu, &Path::new(target).join(cpu.unwrap_or_default()), settings)
}

/// Builds the engine of another checkout, which calls its library by its API, with this checkout's interface to engines.
fn build_baseline(checkout: &Path) -> Result<PathBuf> {
    let checkout = checkout.canonicalize().with_context(|| format!("no folder {}", checkout.display()))?;
    let (folder, engine) = (root().join("bench/target/baseline"), checkout.join("bench/engines/textcodec"));
    fs::create_dir_all(folder.join("src"))?;
    fs::copy(engine.join("src/lib.rs"), folder.join("src/lib.rs"))?;
    fs::copy(engine.join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let manifest = fs::read_to_string(engine.join("Cargo.toml"))?;
    let path = |path: PathBuf| format!("{:?}", path.display().to_string());
    let manifest = manifest
        .replace("\"../../abi\"", &path(root().join("bench/abi")))
        .replace("\"../../../crates/textcodec\"", &path(checkout.join("crates/textcodec")));
    fs::write(folder.join("Cargo.toml"), manifest)?;
    build_manifest(&folder.join("Cargo.toml"), "textcodec", None, &Path::new(TARGET).join("baseline"), &[])
}

/// Builds this checkout's engine without a path of the register.
fn build_without(path: &str) -> Result<PathBuf> {
    ensure!(paths::names()?.contains(path), "{} has no path {path}", paths::REGISTER);
    let flags = format!("{} --cfg textcodec_ablate=\"{path}\"", env::var("RUSTFLAGS").unwrap_or_default());
    let manifest = root().join("bench/engines/textcodec/Cargo.toml");
    build_manifest(&manifest, "textcodec", None, &Path::new(TARGET).join("without"), &[("RUSTFLAGS", &flags)])
}

fn build_manifest(
    manifest: &Path,
    folder: &str,
    cpu: Option<&str>,
    target: &Path,
    settings: &[(&str, &str)],
) -> Result<PathBuf> {
    let mut command = Command::new("cargo");
    command.current_dir(root()).env("CARGO_TARGET_DIR", root().join(target)).envs(settings.iter().copied());
    if let Some(cpu) = cpu {
        // Enables unstable features in a stable compiler, for the engine's dependency.
        command.env("RUSTFLAGS", format!("-Ctarget-cpu={cpu}")).env("RUSTC_BOOTSTRAP", "1");
    }
    let about = cpu.map(|cpu| format!(" for {cpu}")).unwrap_or_default();
    eprintln!("building {}{about}", manifest.parent().unwrap_or(manifest).display());
    let output = command.args(["build", "--release", "--quiet", "--manifest-path"]).arg(manifest).output()?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        bail!("cannot be built: {}", message.lines().find(|line| line.starts_with("error")).unwrap_or(message.trim()));
    }
    let library = format!("libbench_engine_{}.so", folder.replace('-', "_"));
    Ok(root().join(target).join("release").join(library))
}

/// Fetches the newest simdutf from Debian's development suite into a folder, without installing it. Returns its path, a colon,
/// and its version.
pub(crate) fn newer_simdutf(folder: &Path, options: &[&str]) -> Result<OsString> {
    let found = || -> Option<OsString> {
        let line = fs::read_to_string(folder.join("found")).ok()?;
        Some(line.trim().into())
    };
    if let Some(found) = found() {
        return Ok(found);
    }
    fs::create_dir_all(folder)?;
    let script = root().join("bench/simdutf.sh");
    let output = Command::new("bash").arg(script).arg(folder).args(options).output().context("cannot start bash")?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr).trim());
    found().context("bench/simdutf.sh has found no simdutf")
}
