//! `cargo xtask bench-program`: the `textcodec` program beside glibc's iconv, ICU's uconv and encoding_rs's sample program
//! `recode_rs`, all in one run: text in the page cache, file to file, start-up, and thousands of small files.
//!
//! The peers take turns, pass by pass, so that what the machine does meanwhile happens to all of them; figures are
//! medians. Before anything is timed, all outputs are compared by hash. A peer that is missing is `SKIPPED`.
//!
//! This file is long because each of the five tables has its own way of running and of telling.

use std::{
    collections::BTreeSet,
    fmt::Write as _,
    fs::{self, File},
    io::{self, BufWriter, Write as _},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Instant,
};

use anyhow::{Context as _, Result, bail, ensure};
use sha2::{Digest as _, Sha256};
use textcodec::{Bom, DecodeOptions, Encoding};

use crate::{
    checks,
    platforms::skip,
    root,
    roundtrip::{self, comes_back, peak_memory},
};

/// What `cargo xtask bench-program` takes.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A folder with UTF-8 articles, named by language: `ja.txt`, `zh_cn.txt`, …. Without it, the project's samples.
    #[arg(long)]
    corpus: Option<PathBuf>,
    /// How much text, in the encoding that it is converted from.
    #[arg(long, default_value_t = 1024)]
    mib: u64,
    /// How many small files.
    #[arg(long, default_value_t = 10_000)]
    files: usize,
    /// Medians of so many passes.
    #[arg(long, default_value_t = 5)]
    passes: usize,
    /// Where files are written: on the disk that file to file is about.
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Little text, few files, one pass: compare the outputs, and measure nothing worth telling.
    #[arg(long)]
    smoke: bool,
    /// Write the tables to `docs/program.md`.
    #[arg(long)]
    record: bool,
}

pub(crate) fn run(mut arguments: Arguments) -> Result<()> {
    if arguments.smoke {
        (arguments.mib, arguments.files, arguments.passes) = (2, 20, 1);
    }
    let folder = arguments.folder.clone().unwrap_or_else(|| root().join("target"));
    let folder = tempfile::Builder::new().prefix("bench-program-").tempdir_in(folder)?;
    let bench = Bench { ours: roundtrip::build()?, peers: peers()?, folder: folder.path().canonicalize()?, arguments };
    ensure!(!(bench.arguments.record && bench.arguments.smoke), "a smoke run measures nothing");
    let mut notes = Vec::new();
    let mut tables = bench.conversions(&mut notes)?;
    tables.iter().chain(&notes).for_each(|text| println!("\n{text}"));
    for measure in [Bench::start_up, Bench::small_files] {
        tables.push(measure(&bench)?);
        println!("\n{}", tables[tables.len() - 1]);
    }
    println!("\n{}", bench.about()?);
    if bench.arguments.record { record(&tables, &notes, &bench.about()?) } else { Ok(()) }
}

/// In CI: all outputs are compared, with the peers that are there.
pub(crate) fn smoke() -> Result<()> {
    let (corpus, folder) = (None, None);
    run(Arguments { corpus, mib: 0, files: 0, passes: 0, folder, smoke: true, record: false })
}

/// An encoding to convert from and to, as each program calls it, and what text there is in it.
struct Cell {
    /// For the library, `textcodec` and `recode_rs`.
    label: &'static str,
    iconv: &'static str,
    uconv: &'static str,
    /// The start of an article's name, or of all.
    article: &'static str,
    sample: &'static str,
    /// How many times faster than the best peer the program is to be.
    target: f64,
}

const CELLS: [Cell; 4] = [
    Cell { label: "shift_jis", iconv: "CP932", uconv: "windows-31j", article: "ja", sample: "tea", target: 2.5 },
    Cell { label: "gb18030", iconv: "GB18030", uconv: "gb18030", article: "zh_cn", sample: "library", target: 2.5 },
    Cell {
        label: "windows-1251",
        iconv: "CP1251",
        uconv: "windows-1251",
        article: "ru",
        sample: "weather",
        target: 4.0,
    },
    // Text of all scripts.
    Cell { label: "utf-16le", iconv: "UTF-16LE", uconv: "UTF-16LE", article: "", sample: "", target: 3.0 },
];

impl Cell {
    fn encoding(&self) -> Result<Encoding> {
        Ok(self.label.parse()?)
    }
}

/// A program to measure beside ours.
struct Peer {
    name: &'static str,
    program: PathBuf,
    version: String,
    /// What it calls an encoding.
    label: fn(&Cell) -> &'static str,
    /// What it is told so that it goes on behind a character that it does not have.
    lossy: &'static [&'static str],
}

impl Peer {
    /// None where the program cannot: `recode_rs` writes UTF-8 instead of UTF-16, as forms on the web ask for.
    fn command(&self, cell: &Cell, way: Way, input: &Path) -> Option<Command> {
        if self.name == "recode_rs" && matches!(way, Way::Encode) && cell.label == "utf-16le" {
            return None;
        }
        let mut command = Command::new(&self.program);
        let label = (self.label)(cell);
        let (from, to) = way.pick((label, "UTF-8"), ("UTF-8", label));
        command.args(["-f", from, "-t", to]).arg(input).stdin(Stdio::null()).stdout(Stdio::null());
        Some(command)
    }
}

#[derive(Clone, Copy)]
enum Way {
    Decode,
    Encode,
}

impl Way {
    fn pick<T>(self, decode: T, encode: T) -> T {
        match self {
            Self::Decode => decode,
            Self::Encode => encode,
        }
    }
}

/// The peers that this machine has; `recode_rs` is installed into the build folder.
fn peers() -> Result<Vec<Peer>> {
    let recode = root().join("target/peers/bin/recode_rs");
    if !recode.is_file() {
        let root = root().join("target/peers");
        let target = root.join("target");
        let mut install = checks::command("cargo", &["install", "--quiet", "--locked", "recode_rs"]);
        if let Err(error) = checks::finish(install.arg("--root").arg(root).arg("--target-dir").arg(target)) {
            skip("recode_rs", &format!("{error:#}"))?;
        }
    }
    let iconv: fn(&Cell) -> &'static str = |cell| cell.iconv;
    let mut peers = Vec::new();
    for (name, program, version, label, lossy) in [
        ("iconv", "iconv".into(), "--version", iconv, &["-c"][..]),
        ("uconv", "uconv".into(), "-V", |cell| cell.uconv, &["-c"]),
        ("recode_rs", recode, "--help", |cell| cell.label, &[]),
    ] {
        match Command::new(&program).arg(version).output() {
            Ok(output) if output.status.success() => {
                let said = String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().to_owned();
                let version = if name == "recode_rs" { installed_version() } else { said };
                peers.push(Peer { name, program, version, label, lossy });
            }
            Ok(output) => skip(name, String::from_utf8_lossy(&output.stderr).trim())?,
            Err(error) => skip(name, &error.to_string())?,
        }
    }
    Ok(peers)
}

/// Of `recode_rs`, which does not tell its own.
fn installed_version() -> String {
    let list = fs::read_to_string(root().join("target/peers/.crates.toml")).unwrap_or_default();
    let line = list.lines().find_map(|line| line.strip_prefix("\"recode_rs ")).unwrap_or_default();
    format!("recode_rs {}", line.split(' ').next().unwrap_or_default())
}

struct Bench {
    arguments: Arguments,
    ours: PathBuf,
    peers: Vec<Peer>,
    folder: PathBuf,
}

impl Bench {
    /// All conversions: with the output thrown away, the peak memory of it, and file to file. The notes say what was left
    /// out of the texts.
    fn conversions(&self, notes: &mut Vec<String>) -> Result<Vec<String>> {
        let mut head = vec![format!("{} MiB of input, seconds", self.arguments.mib), "textcodec".into()];
        head.extend(self.peers.iter().map(|peer| peer.name.to_owned()));
        let mut memory = Table::new(&head.iter().map(String::as_str).collect::<Vec<_>>());
        memory.head[0] = "peak memory, MiB".into();
        head.extend(["times faster than the best".into(), "target".into()]);
        let mut throughput = Table::new(&head.iter().map(String::as_str).collect::<Vec<_>>());
        let mut to_file =
            Table::new(&["file to file, seconds", "textcodec", "dd of the output", "times as long as dd", "target"]);
        for cell in &CELLS {
            let text = self.text(cell, notes)?;
            let encoded = cell.encoding()?.encode(&text)?.into_owned();
            for way in [Way::Decode, Way::Encode] {
                let name = cell.encoding()?.name();
                let what = way.pick(format!("{name} → UTF-8"), format!("UTF-8 → {name}"));
                eprintln!("{what}");
                let input = self.folder.join("input");
                fill(&input, way.pick(&encoded, text.as_bytes()), self.arguments.mib << 20)?;
                let mut runners = vec![Some(self.convert(cell, way, &input))];
                runners.extend(self.peers.iter().map(|peer| peer.command(cell, way, &input)));
                let can: Vec<bool> = runners.iter().map(Option::is_some).collect();
                let mut runners: Vec<Command> = runners.into_iter().flatten().collect();
                // In the columns of those that can.
                let row = |figures: Vec<String>| {
                    let mut figures = figures.into_iter();
                    let figure = |&can: &bool| can.then(|| figures.next()).flatten().unwrap_or_default();
                    can.iter().map(figure).collect::<Vec<_>>()
                };
                memory.rows.push([vec![what.clone()], row(compare(&what, &mut runners)?)].concat());

                let seconds = self.in_turns(&mut runners, || Ok(()))?;
                let best = seconds[1..].iter().copied().fold(f64::INFINITY, f64::min);
                let figures = row(seconds.iter().map(|seconds| format!("{seconds:.2}")).collect());
                let ratio = vec![format!("{:.1}", best / seconds[0]), format!("{}", cell.target)];
                throughput.rows.push([vec![what.clone()], figures, ratio].concat());
                to_file.rows.push(self.file_to_file(what, cell, way, &input)?);
            }
        }
        Ok(vec![throughput.print(), memory.print(), to_file.print()])
    }

    fn convert(&self, cell: &Cell, way: Way, input: &Path) -> Command {
        let (from, to) = way.pick((cell.label, "utf-8"), ("utf-8", cell.label));
        let mut command = Command::new(&self.ours);
        command.args(["convert", "-f", from, "-t", to]).arg(input).stdin(Stdio::null()).stdout(Stdio::null());
        command
    }

    fn file_to_file(&self, what: String, cell: &Cell, way: Way, input: &Path) -> Result<Vec<String>> {
        let [output, copy] = ["output", "copy"].map(|name| self.folder.join(name));
        let mut ours = self.convert(cell, way, input);
        run_once(ours.arg("-o").arg(&output))?;
        // A copy of what is converted, kept for dd to read: both find their input in the page cache.
        let source = self.folder.join("source");
        fs::rename(&output, &source)?;
        let mut dd = Command::new("dd");
        dd.arg(format!("if={}", source.display())).arg(format!("of={}", copy.display()));
        dd.args(["bs=1M", "conv=fsync", "status=none"]);
        let seconds = self.in_turns(&mut [ours, dd], || {
            // New files, and nothing of the last ones left to write.
            for path in [&output, &copy] {
                let _ = fs::remove_file(path);
            }
            sync()
        })?;
        let row = [seconds[0], seconds[1], seconds[0] / seconds[1]].map(|figure| format!("{figure:.2}"));
        fs::remove_file(&source)?;
        Ok([vec![what], row.to_vec(), vec!["at most 1.5".into()]].concat())
    }

    /// From the start of a process to its end, as the shell sees it.
    fn start_up(&self) -> Result<String> {
        let mut table = Table::new(&["start-up, median of 200, milliseconds", "", "target"]);
        let input = self.folder.join("small");
        fs::write(&input, "ten bytes\n")?;
        let mut version = Command::new(&self.ours);
        version.arg("--version");
        let mut runners = vec![version, self.convert(&CELLS[2], Way::Encode, &input)];
        let mut names = vec!["textcodec --version".to_owned(), "textcodec convert, 10 bytes".to_owned()];
        for peer in &self.peers {
            runners.extend(peer.command(&CELLS[2], Way::Encode, &input));
            names.push(format!("{}, 10 bytes", peer.name));
        }
        let passes = if self.arguments.smoke { 1 } else { 200 };
        let medians = in_turns(&mut runners, passes, || Ok(()))?;
        for (name, seconds) in names.into_iter().zip(medians) {
            let target = if name.starts_with("textcodec") { "under 5" } else { "" };
            table.rows.push(vec![name, format!("{:.2}", 1000.0 * seconds), target.into()]);
        }
        Ok(table.print())
    }

    /// Files of about 2 KB in windows-1251, each replaced by itself in UTF-8.
    fn small_files(&self) -> Result<String> {
        let cell = &CELLS[2];
        let text: Vec<char> = self.text(cell, &mut Vec::new())?.chars().collect();
        let folder = self.folder.join("small-files");
        fs::create_dir(&folder)?;
        let names: Vec<String> = (0..self.arguments.files).map(|n| format!("{n:05}.txt")).collect();
        // The number comes first: a text cut at random may begin with яю, the byte order mark of UTF-16.
        let from = |n: usize| text.iter().cycle().skip(37 * n % text.len()).take(1900 + n % 200);
        let texts: Vec<String> =
            (0..names.len()).map(|n| format!("{n}\n").chars().chain(from(n).copied()).collect()).collect();
        let encoding = cell.encoding()?;
        let prepare = || -> Result<()> {
            for (name, text) in names.iter().zip(&texts) {
                fs::write(folder.join(name), encoding.encode(text)?)?;
            }
            sync()
        };
        let check = |who: &str| -> Result<()> {
            for (name, text) in names.iter().zip(&texts) {
                ensure!(fs::read(folder.join(name))? == text.as_bytes(), "{who}: {name} is not what it should be");
            }
            ensure!(fs::read_dir(&folder)?.count() == names.len(), "{who} leaves other files behind");
            Ok(())
        };
        let mut ours = Command::new(&self.ours);
        ours.args(["convert", "--quiet", "--in-place", "-f", cell.label]).args(&names).current_dir(&folder);
        let script = format!(
            "for f in *; do iconv -f {} -t UTF-8 \"$f\" > \"$f.tmp\" && mv \"$f.tmp\" \"$f\"; done",
            cell.iconv
        );
        let mut shell = Command::new("taskset");
        shell.args(["-c", "0", "sh", "-c", &script]).current_dir(&folder);

        let mut table = Table::new(&["small files in place", "seconds", "files"]);
        let mut medians = Vec::new();
        let mut runners = vec![("textcodec convert --in-place", ours)];
        if !self.peers.iter().any(|peer| peer.name == "iconv") {
            skip("a shell loop", "no iconv")?;
        } else if let Err(error) = Command::new("taskset").arg("-V").output() {
            skip("a shell loop", &format!("taskset: {error}"))?;
        } else {
            runners.push(("a shell loop of iconv and mv", shell));
        }
        for (name, mut command) in runners {
            let mut seconds = Vec::new();
            for _ in 0..self.arguments.passes.min(3) {
                prepare()?;
                seconds.push(time(&mut command).with_context(|| name.to_owned())?);
                check(name)?;
            }
            let median = median(seconds);
            table.rows.push(vec![name.into(), format!("{median:.2}"), names.len().to_string()]);
            medians.push(median);
        }
        if let [ours, shell] = medians[..] {
            let ratio = format!("{:.1} times faster (target: at least 5)", shell / ours);
            table.rows.push(vec![ratio, String::new(), String::new()]);
        }
        fs::remove_dir_all(&folder)?;
        Ok(table.print())
    }

    fn in_turns(&self, runners: &mut [Command], before: impl FnMut() -> Result<()>) -> Result<Vec<f64>> {
        in_turns(runners, self.arguments.passes, before)
    }

    /// What is measured: the article, without characters that one of the programs maps otherwise than the library.
    fn text(&self, cell: &Cell, notes: &mut Vec<String>) -> Result<String> {
        let article = self.article(cell)?;
        let encoding = cell.encoding()?;
        let mut characters: BTreeSet<char> = article.chars().collect();
        let all = characters.len();
        characters.retain(|&c| comes_back(encoding, c));
        if all > characters.len() {
            let missing = all - characters.len();
            notes.push(format!("- {encoding} has no place for {missing} of the text's {all} different characters."));
        }
        for peer in &self.peers {
            let differ = self.differences(peer, cell, &characters)?;
            if !differ.is_empty() {
                notes.push(format!("- {} maps otherwise in {encoding}, so they are left out: {differ:?}.", peer.name));
            }
            characters.retain(|c| !differ.contains(c));
        }
        Ok(article.chars().filter(|c| characters.contains(c)).collect())
    }

    fn article(&self, cell: &Cell) -> Result<String> {
        if let Some(corpus) = &self.arguments.corpus {
            let articles = roundtrip::read_articles(corpus)?;
            let text: String =
                articles.into_iter().filter(|(name, _)| name.starts_with(cell.article)).map(|(_, text)| text).collect();
            ensure!(!text.is_empty(), "no article {}*.txt", cell.article);
            return Ok(text);
        }
        let mut text = String::new();
        let mut paths: Vec<_> =
            fs::read_dir(root().join("samples"))?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
        paths.sort();
        for path in paths {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if name.starts_with(cell.sample) && name.ends_with(".utf-8.txt") {
                text += &fs::read_to_string(path)?;
            }
        }
        Ok(text)
    }

    /// The characters that come out of a program otherwise than out of the library, each on a line of its own. Where only
    /// bytes differ, [`compare`] sees it.
    fn differences(&self, peer: &Peer, cell: &Cell, characters: &BTreeSet<char>) -> Result<Vec<char>> {
        let encoding = cell.encoding()?;
        let characters: Vec<char> = characters.iter().copied().filter(|c| !c.is_control()).collect();
        let lines: String = characters.iter().flat_map(|&c| [c, '\n']).collect();
        let mut differ = BTreeSet::new();
        for way in [Way::Decode, Way::Encode] {
            let input = self.folder.join("lines");
            let encoded = encoding.encode(&lines)?;
            fs::write(&input, way.pick(&*encoded, lines.as_bytes()))?;
            let Some(mut command) = peer.command(cell, way, &input) else { continue };
            // Its exit status is of no interest: the output is compared.
            let output = command.args(peer.lossy).stdout(Stdio::piped()).output()?.stdout;
            let options = DecodeOptions::new().bom(Bom::Keep);
            let text = match way {
                Way::Decode => String::from_utf8_lossy(&output).into_owned(),
                Way::Encode => encoding.decode_with(&output, options)?.text.into_owned(),
            };
            let found: Vec<&str> = text.split_terminator('\n').collect();
            ensure!(found.len() == characters.len(), "{} loses lines of {encoding}: {command:?}", peer.name);
            let pairs = characters.iter().zip(found);
            differ.extend(pairs.filter(|&(&c, line)| !line.chars().eq([c])).map(|(&c, _)| c));
        }
        Ok(differ.into_iter().collect())
    }

    fn about(&self) -> Result<String> {
        let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = cpu.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": ")).map_or("", |m| m.1);
        let cores = cpu.lines().filter(|line| line.starts_with("processor")).count();
        let date = String::from_utf8(Command::new("date").args(["-u", "+%Y-%m-%d"]).output()?.stdout)?;
        let versions: Vec<&str> = self.peers.iter().map(|peer| peer.version.as_str()).collect();
        let passes = self.arguments.passes;
        let texts = if self.arguments.corpus.is_some() { "a corpus of articles" } else { "the project's samples" };
        Ok(format!(
            "{model}, {cores} cores, {}; medians of {passes} passes in turns, texts of {texts}; {}.",
            date.trim(),
            versions.join("; ")
        ))
    }
}

/// Compares the outputs and gives each program's peak memory in MiB.
fn compare(what: &str, runners: &mut [Command]) -> Result<Vec<String>> {
    let mut figures = Vec::new();
    let mut ours = None;
    for runner in runners {
        let mut child = runner.stdout(Stdio::piped()).spawn()?;
        let mut output = child.stdout.take().context("no pipe")?;
        let mut hash = Hash(Sha256::new());
        let (copied, _) = peak_memory(&[child.id()], || io::copy(&mut output, &mut hash));
        copied?;
        ensure!(child.wait()?.success(), "{what}: {runner:?} fails");
        let hash = hash.0.finalize();
        ensure!(*ours.get_or_insert(hash) == hash, "{what}: {runner:?} writes something else");
        // To /dev/null, as it is timed: a pipe may make a program wait, or take memory.
        let mut child = runner.stdout(Stdio::null()).spawn()?;
        let (status, kib) = peak_memory(&[child.id()], || child.wait());
        ensure!(status?.success(), "{what}: {runner:?} fails");
        figures.push(format!("{}.{}", kib / 1024, kib % 1024 * 10 / 1024));
    }
    Ok(figures)
}

/// Wall-clock seconds, medians of passes in which each command runs once.
fn in_turns(runners: &mut [Command], passes: usize, mut before: impl FnMut() -> Result<()>) -> Result<Vec<f64>> {
    let mut seconds = vec![Vec::new(); runners.len()];
    for _ in 0..passes {
        for (runner, seconds) in runners.iter_mut().zip(&mut seconds) {
            before()?;
            seconds.push(time(runner)?);
        }
    }
    Ok(seconds.into_iter().map(median).collect())
}

fn time(command: &mut Command) -> Result<f64> {
    let start = Instant::now();
    run_once(command)?;
    Ok(start.elapsed().as_secs_f64())
}

fn run_once(command: &mut Command) -> Result<()> {
    let output = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let program = command.get_program().display();
        bail!("{program}: {}: {}", output.status, said.lines().next().unwrap_or_default());
    }
    Ok(())
}

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}

/// The bytes over and over, `size` of them at least, in the page cache, with nothing left to write to the disk.
fn fill(path: &Path, bytes: &[u8], size: u64) -> Result<()> {
    let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
    for _ in 0..size.div_ceil(bytes.len() as u64) {
        file.write_all(bytes)?;
    }
    file.into_inner()?.sync_all()?;
    Ok(())
}

fn sync() -> Result<()> {
    ensure!(Command::new("sync").status()?.success(), "sync fails");
    Ok(())
}

struct Hash(Sha256);

impl io::Write for Hash {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Table {
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    fn new(head: &[&str]) -> Self {
        Self { head: head.iter().map(|&name| name.to_owned()).collect(), rows: Vec::new() }
    }

    /// In Markdown.
    fn print(&self) -> String {
        let mut text = format!("| {} |\n|---|{}\n", self.head.join(" | "), "---:|".repeat(self.head.len() - 1));
        for row in &self.rows {
            let _ = writeln!(text, "| {} |", row.join(" | "));
        }
        text
    }
}

/// Writes `docs/program.md`. `cargo xtask lint` names the copies of its rows that are out of date then.
fn record(tables: &[String], notes: &[String], about: &str) -> Result<()> {
    let page = format!("{PAGE}\n{about}\n\n{}\n{}\n", tables.join("\n"), notes.join("\n"));
    Ok(fs::write(root().join("docs/program.md"), page)?)
}

const PAGE: &str = "\
# The program's figures

This page is written by `cargo xtask bench-program --record`. Run it yourself, on Debian:

```sh
apt-get install icu-devtools
cargo xtask bench-program --corpus DIR    # a folder with ja.txt, zh_cn.txt, ru.txt, …; without it, the project's samples
```

The programs take turns. Inputs are in the page cache, and the outputs of all programs were compared before: they are the
same. Characters that one of the programs maps otherwise were left out of the texts. Seconds are those of a clock on the wall,
from the start of a process to its end. Peak memory is the system's own count (`VmHWM`). `dd` is `dd bs=1M conv=fsync`, which
copies the output of the conversion. The shell loop over the small files runs on one core, and forces nothing to the disk;
`textcodec` forces each file before it takes its place.
";
