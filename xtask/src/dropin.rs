//! `cargo xtask dropin`: real clients of encoding_rs, unmodified, with `crates/encoding_rs` in its place, under their own
//! tests.
//!
//! The clients come from the registry, and are unpacked into `target/dropin`, where each is a workspace of its own. The patch is
//! given on cargo's command line. What changes in a client is its lock file, in the entry of encoding_rs: it asks for an older
//! version, which the drop-in does not replace. charset has no lock file, and gets one. Packages carry unit tests and the
//! examples of the documentation; of these, ripgrep's alone has other tests.

use std::{
    env,
    fmt::Write as _,
    fs,
    path::PathBuf,
    process::{Command, Stdio},
    time::Instant,
};

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::{checks, root};

/// The version whose API the drop-in has.
const VERSION: &str = "0.8.44";

/// Where the crate itself comes from, in cargo's words.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Where all this is done.
const FOLDER: &str = "target/dropin";

/// What `cargo xtask dropin` takes.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Which clients; without a name, all.
    clients: Vec<String>,
    /// Test with encoding_rs from the registry: the counts must be the same.
    #[arg(long)]
    real: bool,
}

struct Client {
    name: &'static str,
    version: &'static str,
    /// Its features, as for cargo: those that have to do with encodings or bring tests.
    features: &'static str,
    /// Whether it needs nothing of its default features.
    no_default: bool,
    /// Tests that fail with encoding_rs from the registry too: parts of their names, without spaces.
    skipped: &'static [&'static str],
    /// How many tests pass on Linux. Fewer would mean that some are no longer run.
    passed: u32,
}

const fn client(name: &'static str, version: &'static str, features: &'static str, passed: u32) -> Client {
    Client { name, version, features, no_default: false, skipped: &[], passed }
}

/// The newest version of each on the day when it was written here.
const CLIENTS: [Client; 10] = [
    client("chardetng", "1.0.0", "multithreading", 90),
    client("encoding_rs_io", "0.1.8", "", 39),
    client("quick-xml", "0.42.0", "encoding,serialize,async-tokio,escape-html", 1600),
    Client { skipped: &CALAMINE_WITHOUT_FILES, ..client("calamine", "0.38.0", "chrono,picture", 122) },
    client("charset", "0.1.5", "serde", 9),
    client("codepage", "0.1.3", "", 3),
    client("mailparse", "0.18.0", "", 86),
    // TLS is left out, which is most of the code and has no text. Tests with servers are not in the package.
    Client {
        no_default: true,
        ..client("reqwest", "0.13.5", "charset,blocking,json,http2,multipart,cookies,gzip,stream,query,form", 164)
    },
    client("grep-searcher", "0.1.17", "", 78),
    // The program of the crate before: `rg --encoding`, from files to its output.
    client("ripgrep", "15.2.0", "", 446),
];

/// Examples in calamine's documentation that open spreadsheets which are not in the package.
const CALAMINE_WITHOUT_FILES: [&str; 11] = [
    "src/de.rs",
    // The ends of `src/lib.rs - (line 16)` and `src/lib.rs - Range<T> (line 2165)`.
    "16)",
    "2165)",
    "Range<T>::deserialize",
    "Reader::",
    "Table",
    "src/vba.rs",
    "Xls<RS>::has_1904_epoch",
    "Xls<RS>::merge_cells",
    "src/xlsb/",
    "src/xlsx/",
];

/// Skipped are the tests that fail without the drop-in too; ignored, those that the client itself does not run.
const HEAD: &str = "| client | passed | failed | ignored | skipped | seconds |\n|---|---:|---:|---:|---:|---:|\n";

/// What CI has the time for.
pub(crate) fn smoke() -> Result<()> {
    let clients = ["chardetng", "encoding_rs_io", "quick-xml"].map(str::to_owned).to_vec();
    run(&Arguments { clients, real: false })
}

/// All of them.
pub(crate) fn all() -> Result<()> {
    run(&Arguments { clients: Vec::new(), real: false })
}

/// Tests the clients, says how each fared, and fails if one failed.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let known = |name: &String| CLIENTS.iter().any(|client| client.name == name);
    if let Some(name) = arguments.clients.iter().find(|name| !known(name)) {
        bail!("{name} is none of {}", CLIENTS.map(|client| client.name).join(", "));
    }
    let asked =
        |client: &&Client| arguments.clients.is_empty() || arguments.clients.iter().any(|name| client.name == name);
    let clients: Vec<_> = CLIENTS.iter().filter(asked).collect();
    let checksums = fetch(&clients)?;
    let mut table = String::from(HEAD);
    let mut problems = Vec::new();
    for client in clients {
        let start = Instant::now();
        match client.check(&checksums, arguments.real) {
            Ok(counts) => {
                let Counts { passed, failed, ignored, skipped } = counts;
                let seconds = start.elapsed().as_secs();
                let Client { name, version, .. } = client;
                writeln!(table, "| {name} {version} | {passed} | {failed} | {ignored} | {skipped} | {seconds} |")?;
                if failed > 0 || passed != client.passed {
                    problems.push(format!("{name}: {passed} tests pass instead of {}, {failed} fail", client.passed));
                }
            }
            Err(error) => problems.push(format!("{}: {error:#}", client.name)),
        }
    }
    let which = if arguments.real { "encoding_rs from the registry" } else { "the drop-in" };
    println!("\nClients of encoding_rs, their own tests, with {which}:\n\n{table}");
    ensure!(problems.is_empty(), "{}", problems.join("\n"));
    Ok(())
}

/// Has cargo download the clients' packages; answers with a lock file that tells their checksums.
fn fetch(clients: &[&Client]) -> Result<String> {
    let folder = root().join(FOLDER).join("fetch");
    fs::create_dir_all(folder.join("src"))?;
    fs::write(folder.join("src/lib.rs"), "")?;
    let mut manifest = String::from("[package]\nname = \"fetch\"\nedition = \"2024\"\n\n[dependencies]\n");
    for Client { name, version, .. } in clients {
        writeln!(manifest, "{name} = {{ version = \"={version}\", default-features = false }}")?;
    }
    fs::write(folder.join("Cargo.toml"), manifest)?;
    checks::finish(Command::new("cargo").args(["fetch", "--quiet"]).current_dir(&folder))?;
    Ok(fs::read_to_string(folder.join("Cargo.lock"))?)
}

impl Client {
    /// Unpacks the client, makes sure which encoding_rs it uses, and runs its tests.
    fn check(&self, checksums: &str, real: bool) -> Result<Counts> {
        let folder = self.unpack(checksums)?;
        let ours = root().join("crates/encoding_rs");
        let cargo = |arguments: &[&str]| {
            let mut command = Command::new("cargo");
            command.current_dir(&folder).env("CARGO_TARGET_DIR", root().join(FOLDER).join("build")).args(arguments);
            if !real {
                let patch = format!("patch.crates-io.encoding_rs.path={:?}", ours.display().to_string());
                command.args(["--config", &patch]);
            }
            command
        };
        checks::finish(&mut cargo(&["update", "--quiet", "--package", "encoding_rs", "--precise", VERSION]))?;

        let features =
            [&["--features", self.features][..], if self.no_default { &["--no-default-features"] } else { &[] }];
        let features = features.concat();
        let output = cargo(&["metadata", "--quiet", "--format-version", "1", "--locked"]).args(&features).output()?;
        ensure!(output.status.success(), "no metadata: {}", String::from_utf8_lossy(&output.stderr));
        let found = encoding_rs(&output.stdout)?;
        let expected = if real { REGISTRY.to_owned() } else { ours.join("Cargo.toml").display().to_string() };
        ensure!(found == [(expected, VERSION.to_owned())], "it uses another encoding_rs than it should: {found:?}");

        let mut test = cargo(&["test", "--locked", "--no-fail-fast"]);
        test.args(&features).arg("--").args(self.skipped.iter().flat_map(|name| ["--skip", name]));
        eprintln!("testing {} {}", self.name, self.version);
        let output = test.stderr(Stdio::inherit()).output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let counts = Counts::of(&text);
        if !output.status.success() {
            print!("{text}");
            ensure!(counts.failed > 0, "its tests cannot be built, or do not end");
        }
        Ok(counts)
    }

    /// Unpacks the package as the registry has it, and answers with its folder. Files keep their dates, so that cargo builds
    /// again only what has changed.
    fn unpack(&self, checksums: &str) -> Result<PathBuf> {
        let Client { name, version, .. } = self;
        let entry = format!("name = \"{name}\"\nversion = \"{version}\"\n");
        let (_, entry) = checksums.split_once(&entry).context("cargo has not locked it")?;
        let checksum = entry.split('"').nth(3).context("cargo has not locked its checksum")?;

        let home = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".cargo")));
        let cache = home.context("no home of cargo")?.join("registry/cache");
        let name = format!("{name}-{version}");
        for registry in fs::read_dir(cache)? {
            let package = registry?.path().join(format!("{name}.crate"));
            let Ok(bytes) = fs::read(&package) else { continue };
            if format!("{:x}", Sha256::digest(bytes)) == checksum {
                let clients = root().join(FOLDER);
                let folder = clients.join(name);
                if folder.exists() {
                    fs::remove_dir_all(&folder)?;
                }
                checks::finish(Command::new("tar").arg("-xzf").arg(package).arg("-C").arg(clients))?;
                return Ok(folder);
            }
        }
        bail!("no package with the checksum {checksum}")
    }
}

/// Each encoding_rs of cargo's metadata: its manifest, or the registry that it is from; and its version.
fn encoding_rs(metadata: &[u8]) -> Result<Vec<(String, String)>> {
    let metadata: Value = serde_json::from_slice(metadata)?;
    let nodes = metadata["resolve"]["nodes"].as_array().context("no packages")?;
    let used =
        |package: &&Value| package["name"] == "encoding_rs" && nodes.iter().any(|node| node["id"] == package["id"]);
    let packages = metadata["packages"].as_array().context("no packages")?.iter().filter(used);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let from = |package: &Value| match &package["source"] {
        Value::Null => text(&package["manifest_path"]),
        source => text(source),
    };
    Ok(packages.map(|package| (from(package), text(&package["version"]))).collect())
}

/// How many tests there are of each kind.
#[derive(Default)]
struct Counts {
    passed: u32,
    failed: u32,
    ignored: u32,
    skipped: u32,
}

impl Counts {
    /// Adds up what the test programs say at their ends: `test result: ok. 36 passed; 0 failed; 1 ignored; …`.
    fn of(output: &str) -> Self {
        let mut counts = Self::default();
        for line in output.lines().filter_map(|line| line.strip_prefix("test result: ")) {
            let (_, line) = line.split_once(". ").unwrap_or_default();
            for part in line.split("; ") {
                let (number, kind) = part.split_once(' ').unwrap_or_default();
                let number: u32 = number.parse().unwrap_or(0);
                match kind {
                    "passed" => counts.passed += number,
                    "failed" => counts.failed += number,
                    "ignored" => counts.ignored += number,
                    "filtered out" => counts.skipped += number,
                    _ => {}
                }
            }
        }
        counts
    }
}
