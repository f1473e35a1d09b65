//! `cargo xtask dropin`: runs the tests of unmodified clients of encoding_rs with `crates/encoding_rs` in its place.
//!
//! The clients are downloaded from the registry and unpacked into `target/dropin`, each as a separate workspace. The patch is
//! an option on cargo's command line. In each client only the entry of encoding_rs in its lock file changes, because it names
//! an older version, which the drop-in does not replace. charset has no lock file, so one is created.
//!
//! The packages contain unit tests and examples in the documentation. Those of ripgrep, dbase, feed-rs and lopdf contain other
//! tests, too. That of `lol_html` lacks its other tests, and that of lopdf most of the documents that its tests read.

use std::{
    fmt::Write as _,
    fs,
    path::PathBuf,
    process::{Command, Stdio},
    time::Instant,
};

use anyhow::{Context as _, Result, bail, ensure};
use project::root;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::publish;

/// The version of encoding_rs whose API the drop-in has.
const VERSION: &str = "0.8.44";

/// The source of encoding_rs itself, as in cargo's metadata.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// The folder of the clients and their builds.
const FOLDER: &str = "target/dropin";

/// The arguments of `cargo xtask dropin`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The clients to test. The default is all.
    clients: Vec<String>,
    /// Test with encoding_rs from the registry. The counts must be the same.
    #[arg(long)]
    real: bool,
    /// Instead of testing clients, measure a small program with the drop-in and with encoding_rs, and write the table to
    /// `docs/from-encoding_rs.md`.
    #[arg(long, conflicts_with_all = ["clients", "real"])]
    cost: bool,
}

struct Client {
    name: &'static str,
    version: &'static str,
    /// The features to enable, as for cargo: those that concern encodings or add tests.
    features: &'static str,
    /// Whether to disable its default features.
    no_default: bool,
    /// Parts of the names, without spaces, of tests that also fail with encoding_rs from the registry.
    skipped: &'static [&'static str],
    /// Files to replace by empty ones: those that a test includes but the package lacks, and those that stable Rust rejects.
    emptied: &'static [&'static str],
    /// The number of tests that pass on Linux. A smaller number means that some tests no longer run.
    passed: u32,
}

const fn client(name: &'static str, version: &'static str, features: &'static str, passed: u32) -> Client {
    Client { name, version, features, no_default: false, skipped: &[], emptied: &[], passed }
}

/// The clients, each in its newest version when it was added or updated here.
const CLIENTS: [Client; 14] = [
    client("chardetng", "1.0.0", "multithreading", 90),
    client("encoding_rs_io", "0.1.8", "", 39),
    client("quick-xml", "0.42.0", "encoding,serialize,async-tokio,escape-html", 1600),
    Client { skipped: &CALAMINE_WITHOUT_FILES, ..client("calamine", "0.38.0", "chrono,picture", 122) },
    client("charset", "0.1.5", "serde", 9),
    client("codepage", "0.1.3", "", 3),
    client("mailparse", "0.18.0", "", 86),
    // Without TLS, which is most of the code and does not concern text. Tests with servers are not in the package.
    Client {
        no_default: true,
        ..client("reqwest", "0.13.5", "charset,blocking,json,http2,multipart,cookies,gzip,stream,query,form", 164)
    },
    client("grep-searcher", "0.1.17", "", 78),
    // The program of grep-searcher: `rg --encoding`, from files to its output.
    client("ripgrep", "15.2.0", "", 446),
    client("lol_html", "3.0.3", "", 229),
    // Without datafusion, which is a database.
    client("dbase", "0.8.0", "encoding_rs,yore,serde,chrono", 78),
    // Without `sanitize`, whose test does not compile.
    client("feed-rs", "3.0.0", "", 92),
    Client {
        emptied: &["assets/example.pdf", "tests/load_options_test.rs"],
        skipped: &LOPDF_WITHOUT_FILES,
        ..client("lopdf", "0.47.0", "serde", 446)
    },
];

/// Examples in calamine's documentation that open spreadsheets missing from the package.
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

/// Tests of lopdf that read documents missing from the package.
const LOPDF_WITHOUT_FILES: [&str; 19] = [
    "reader::get_xref_start_tolerates_data_after_eof",
    "reader::load_document",
    "reader::recovers_from_miswritten_startxref_offset_of_a_cross_reference_stream",
    "toc::tests::parse_toc",
    "annotation_count",
    "test_load_encrypted_pdf_from_assets",
    "load_incremental_file",
    "a_plain_file_has_one_revision_and_no_parameters",
    "the_assets_report_their_revisions",
    "test_metadata_extraction_basic",
    "test_metadata_extraction_of_other_documents",
    "test_metadata_extraction_page_count",
    // Skips one that passes, too, because its name starts with that of one that fails.
    "tests_with_parsing::",
    "unicode_can_be_extracted_from_loaded_pdf",
    "reconstruction_takes_the_trailer",
    "cross_reference_stream_as_trailer",
    "reconstruction_finds_compressed_objects",
    // The ends of `src/../README.md - (line 477)` and `src/../README.md - (line 799)`.
    "477)",
    "799)",
];

/// The head of the table. Skipped tests also fail with encoding_rs itself. Ignored tests are disabled by the client.
const HEAD: &str = "| client | passed | failed | ignored | skipped | seconds |\n|---|---:|---:|---:|---:|---:|\n";

/// Tests the clients, prints a table of the results, and fails if a client failed.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if arguments.cost {
        return cost();
    }
    let known = |name: &String| CLIENTS.iter().any(|client| client.name == name);
    if let Some(name) = arguments.clients.iter().find(|name| !known(name)) {
        bail!("unknown client {name}; the clients are {}", CLIENTS.map(|client| client.name).join(", "));
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
    println!("\nTests of clients of encoding_rs with {which}:\n\n{table}");
    ensure!(problems.is_empty(), "{}", problems.join("\n"));
    Ok(())
}

/// Downloads the clients' packages with cargo. Returns a lock file with their checksums.
fn fetch(clients: &[&Client]) -> Result<String> {
    let folder = root().join(FOLDER).join("fetch");
    fs::create_dir_all(folder.join("src"))?;
    fs::write(folder.join("src/lib.rs"), "")?;
    let mut manifest = String::from("[package]\nname = \"fetch\"\nedition = \"2024\"\n\n[dependencies]\n");
    for Client { name, version, .. } in clients {
        writeln!(manifest, "{name} = {{ version = \"={version}\", default-features = false }}")?;
    }
    fs::write(folder.join("Cargo.toml"), manifest)?;
    project::finish(Command::new("cargo").args(["fetch", "--quiet"]).current_dir(&folder))?;
    Ok(fs::read_to_string(folder.join("Cargo.lock"))?)
}

impl Client {
    /// Unpacks the client, checks which encoding_rs it uses, and runs its tests.
    fn check(&self, checksums: &str, real: bool) -> Result<Counts> {
        let folder = self.unpack(checksums)?;
        let ours = root().join("crates/encoding_rs");
        let cargo = |arguments: &[&str]| {
            let mut command = Command::new("cargo");
            command.current_dir(&folder).env("CARGO_TARGET_DIR", root().join(FOLDER).join("build")).args(arguments);
            // Builds faster.
            command.env("CARGO_PROFILE_DEV_DEBUG", "0");
            if !real {
                let patch = format!("patch.crates-io.encoding_rs.path={:?}", ours.display().to_string());
                command.args(["--config", &patch]);
            }
            command
        };
        project::finish(&mut cargo(&["update", "--quiet", "--package", "encoding_rs", "--precise", VERSION]))?;

        let features =
            [&["--features", self.features][..], if self.no_default { &["--no-default-features"] } else { &[] }];
        let features = features.concat();
        let output = cargo(&["metadata", "--quiet", "--format-version", "1", "--locked"]).args(&features).output()?;
        ensure!(output.status.success(), "no metadata: {}", String::from_utf8_lossy(&output.stderr));
        let found = encoding_rs(&output.stdout)?;
        let expected = if real { REGISTRY.to_owned() } else { ours.join("Cargo.toml").display().to_string() };
        ensure!(found == [(expected, VERSION.to_owned())], "unexpected encoding_rs: {found:?}");

        let mut test = cargo(&["test", "--locked", "--no-fail-fast"]);
        test.args(&features).arg("--").args(self.skipped.iter().flat_map(|name| ["--skip", name]));
        eprintln!("testing {} {}", self.name, self.version);
        let output = test.stderr(Stdio::inherit()).output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let counts = Counts::of(&text);
        if !output.status.success() {
            print!("{text}");
            ensure!(counts.failed > 0, "its tests cannot be built or do not finish");
        }
        Ok(counts)
    }

    /// Unpacks the unmodified package and returns its folder. Files keep their dates, so that cargo only rebuilds what has
    /// changed.
    fn unpack(&self, checksums: &str) -> Result<PathBuf> {
        let Client { name, version, .. } = self;
        let entry = format!("name = \"{name}\"\nversion = \"{version}\"\n");
        let (_, entry) = checksums.split_once(&entry).context("the package is not in the lock file")?;
        let checksum = entry.split('"').nth(3).context("its checksum is not in the lock file")?;

        let cache = publish::cargo_home()?.join("registry/cache");
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
                project::finish(Command::new("tar").arg("-xzf").arg(package).arg("-C").arg(clients))?;
                for path in self.emptied {
                    let path = folder.join(path);
                    fs::create_dir_all(path.with_file_name(""))?;
                    fs::write(path, "")?;
                }
                return Ok(folder);
            }
        }
        bail!("cargo's cache has no {name} with the checksum {checksum}")
    }
}

/// Returns each encoding_rs in cargo's metadata: its manifest or its registry, and its version.
fn encoding_rs(metadata: &[u8]) -> Result<Vec<(String, String)>> {
    let metadata: Value = serde_json::from_slice(metadata)?;
    let nodes = metadata["resolve"]["nodes"].as_array().context("cargo metadata has no packages")?;
    let used =
        |package: &&Value| package["name"] == "encoding_rs" && nodes.iter().any(|node| node["id"] == package["id"]);
    let packages = metadata["packages"].as_array().context("cargo metadata has no packages")?.iter().filter(used);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let from = |package: &Value| match &package["source"] {
        Value::Null => text(&package["manifest_path"]),
        source => text(source),
    };
    Ok(packages.map(|package| (from(package), text(&package["version"]))).collect())
}

/// The program that `cost` builds. It can convert between any two encodings.
const PROGRAM: &str = r#"
use encoding_rs::Encoding;
use std::{env, io};

fn main() -> io::Result<()> {
    let mut labels = env::args().skip(1).map(|label| Encoding::for_label(label.as_bytes()).expect("unknown label"));
    let (from, to) = (labels.next().expect("no label"), labels.next().expect("no second label"));
    let mut bytes = Vec::new();
    io::Read::read_to_end(&mut io::stdin(), &mut bytes)?;
    io::Write::write_all(&mut io::stdout(), &to.encode(&from.decode(&bytes).0).0)
}
"#;

/// Cargo profiles to build the program with, and a description of each.
const PROFILES: [(&str, &str); 2] =
    [("release", "`opt-level = 3`"), ("small", "`opt-level = \"z\"`, `lto = \"fat\"`, `panic = \"abort\"`")];

/// Measures how long a small program takes to build, and its size.
fn cost() -> Result<()> {
    let folder = root().join(FOLDER).join("cost");
    fs::create_dir_all(folder.join("src"))?;
    fs::write(folder.join("src/main.rs"), PROGRAM)?;
    let mut rows =
        PROFILES.map(|(_, what)| [format!("| build, seconds of CPU, {what} |"), format!("| size, KiB, {what} |")]);
    for real in [true, false] {
        let mut manifest = format!(
            "[package]\nname = \"cost\"\nedition = \"2024\"\n\n[dependencies]\nencoding_rs = \"={VERSION}\"\n\n\
             [profile.release]\nstrip = true\n\n[profile.small]\ninherits = \"release\"\nopt-level = \"z\"\nlto = \
             \"fat\"\ncodegen-units = 1\npanic = \"abort\"\n\n"
        );
        if !real {
            let ours = root().join("crates/encoding_rs");
            writeln!(manifest, "[patch.crates-io]\nencoding_rs.path = {:?}", ours.display().to_string())?;
        }
        fs::write(folder.join("Cargo.toml"), manifest)?;
        project::finish(Command::new("cargo").args(["fetch", "--quiet"]).current_dir(&folder))?;
        for ((profile, _), rows) in PROFILES.iter().zip(&mut rows) {
            let target = folder.join("target");
            if target.exists() {
                fs::remove_dir_all(&target)?;
            }
            let mut command = project::command("cargo", &["build", "--quiet", "--offline", "--profile", profile]);
            command.current_dir(&folder).env("CARGO_TARGET_DIR", &target).env_remove("RUSTFLAGS");
            let seconds = project::processor_seconds(&mut command)?;
            let size = fs::metadata(target.join(profile).join("cost"))?.len();
            write!(rows[0], " {seconds:.1} |")?;
            write!(rows[1], " {} |", size.div_ceil(1024))?;
        }
    }
    let table = format!("| | encoding_rs {VERSION} | drop-in |\n|---|---:|---:|\n{}\n", rows.concat().join("\n"));
    println!("{table}");
    project::replace("docs/from-encoding_rs.md", "dropin --cost", &table)
}

/// The number of tests with each result.
#[derive(Default)]
pub(crate) struct Counts {
    pub(crate) passed: u32,
    failed: u32,
    ignored: u32,
    skipped: u32,
}

impl Counts {
    /// Sums up the last lines of test programs: `test result: ok. 36 passed; 0 failed; 1 ignored; …`.
    pub(crate) fn of(output: &str) -> Self {
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
