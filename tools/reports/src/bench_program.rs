//! `cargo xtask bench-program`: compares the `textcodec` program with glibc's iconv, ICU's uconv and encoding_rs's sample
//! program `recode_rs`. Measures conversions from the page cache, file to file, start-up, and thousands of small files.
//!
//! The passes of the programs are interleaved, so that other load on the machine affects all of them. Figures are medians.
//! All outputs are compared by hash before anything is timed. A missing program is `SKIPPED`.
//!
//! This file is long because each of the five tables is measured and printed in its own way.

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
use project::{root, skip};
use sha2::{Digest as _, Sha256};
use textcodec::{Bom, DecodeOptions, Encoding};

use crate::roundtrip::{self, comes_back, peak_memory};

/// The arguments of `cargo xtask bench-program`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Directory with UTF-8 articles, named by language: `ja.txt`, `zh_cn.txt`, … [default: the project's samples]
    #[arg(long)]
    corpus: Option<PathBuf>,
    /// MiB of input for each conversion.
    #[arg(long, default_value_t = 1024)]
    mib: u64,
    /// Number of small files.
    #[arg(long, default_value_t = 20_000)]
    files: usize,
    /// Number of passes of which the median is taken.
    #[arg(long, default_value_t = 5)]
    passes: usize,
    /// Directory for temporary files. Its disk is the one that is measured.
    #[arg(long = "folder", value_name = "DIR")]
    directory: Option<PathBuf>,
    /// Only compare the outputs: little text, few files, one pass.
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
    let directory = arguments.directory.clone().unwrap_or_else(|| root().join("target"));
    let directory = tempfile::Builder::new().prefix("bench-program-").tempdir_in(directory)?;
    let bench =
        Bench { ours: roundtrip::build()?, peers: peers()?, directory: directory.path().canonicalize()?, arguments };
    ensure!(
        !(bench.arguments.record && bench.arguments.smoke),
        "--smoke does not measure; it cannot be combined with --record"
    );
    let mut notes = Vec::new();
    let mut tables = bench.conversions(&mut notes)?;
    tables.iter().chain(&notes).for_each(|text| println!("\n{text}"));
    for measure in [Bench::start_up, Bench::small_files] {
        tables.push(measure(&bench)?);
        println!("\n{}", tables[tables.len() - 1]);
    }
    println!("\n{}", bench.about()?);
    if bench.arguments.record { record_tables(&tables, &notes, &bench.about()?) } else { Ok(()) }
}

/// An encoding to convert from and to, its names in each program, and its text.
struct Cell {
    /// The label for the library, `textcodec` and `recode_rs`.
    label: &'static str,
    iconv: &'static str,
    uconv: &'static str,
    /// The prefix of the articles' names. Empty for all articles.
    article: &'static str,
    sample: &'static str,
    /// The project's target for how many times as fast as the fastest peer the program is.
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
    // Text in all scripts.
    Cell { label: "utf-16le", iconv: "UTF-16LE", uconv: "UTF-16LE", article: "", sample: "", target: 3.0 },
];

impl Cell {
    fn encoding(&self) -> Result<Encoding> {
        Ok(self.label.parse()?)
    }
}

/// A program to compare with.
struct Peer {
    name: &'static str,
    program: PathBuf,
    version: String,
    /// Returns the program's name for an encoding.
    label: fn(&Cell) -> &'static str,
    /// The options with which it continues after an unmappable character.
    lossy: &'static [&'static str],
}

impl Peer {
    /// Returns the command, or `None` if the program does not support the conversion. `recode_rs` writes UTF-8 instead of
    /// UTF-16, because it uses the standard's output encodings.
    fn command(&self, cell: &Cell, direction: Direction, input: &Path) -> Option<Command> {
        if self.name == "recode_rs" && matches!(direction, Direction::Encode) && cell.label == "utf-16le" {
            return None;
        }
        let mut command = Command::new(&self.program);
        let label = (self.label)(cell);
        let (from, to) = direction.pick((label, "UTF-8"), ("UTF-8", label));
        command.args(["-f", from, "-t", to]).arg(input).stdin(Stdio::null()).stdout(Stdio::null());
        Some(command)
    }
}

#[derive(Clone, Copy)]
enum Direction {
    Decode,
    Encode,
}

impl Direction {
    fn pick<T>(self, decode: T, encode: T) -> T {
        match self {
            Self::Decode => decode,
            Self::Encode => encode,
        }
    }
}

/// Returns the peers that are available. `recode_rs` is installed into the build directory.
fn peers() -> Result<Vec<Peer>> {
    let recode = root().join("target/peers/bin/recode_rs");
    if !recode.is_file() {
        let root = root().join("target/peers");
        let target = root.join("target");
        let mut install = project::command("cargo", &["install", "--quiet", "--locked", "recode_rs"]);
        if let Err(error) = project::finish(install.arg("--root").arg(root).arg("--target-dir").arg(target)) {
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
                let first_line = String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().to_owned();
                let version = if name == "recode_rs" { installed_version() } else { first_line };
                peers.push(Peer { name, program, version, label, lossy });
            }
            Ok(output) => skip(name, String::from_utf8_lossy(&output.stderr).trim())?,
            Err(error) => skip(name, &error.to_string())?,
        }
    }
    Ok(peers)
}

/// Returns the version of `recode_rs` from Cargo's metadata, because the program does not print it.
fn installed_version() -> String {
    let list = fs::read_to_string(root().join("target/peers/.crates.toml")).unwrap_or_default();
    let line = list.lines().find_map(|line| line.strip_prefix("\"recode_rs ")).unwrap_or_default();
    format!("recode_rs {}", line.split(' ').next().unwrap_or_default())
}

struct Bench {
    arguments: Arguments,
    ours: PathBuf,
    peers: Vec<Peer>,
    directory: PathBuf,
}

impl Bench {
    /// Measures all conversions: with the output discarded, their peak memory, and file to file. Adds notes on characters
    /// that are removed from the text.
    fn conversions(&self, notes: &mut Vec<String>) -> Result<Vec<String>> {
        let mut head = vec![format!("{} MiB of input, seconds", self.arguments.mib), "textcodec".into()];
        head.extend(self.peers.iter().map(|peer| peer.name.to_owned()));
        let mut memory = Table::new(&head.iter().map(String::as_str).collect::<Vec<_>>());
        memory.head[0] = "peak memory, MiB".into();
        head.extend(["times as fast as the fastest other".into(), "project's target".into()]);
        let mut throughput = Table::new(&head.iter().map(String::as_str).collect::<Vec<_>>());
        let mut to_file = Table::new(&[
            "file to file, seconds",
            "textcodec",
            "dd of the output",
            "times as long as dd",
            "project's target",
        ]);
        for cell in &CELLS {
            let text = self.text(cell, notes)?;
            let encoded = cell.encoding()?.encode(&text)?.into_owned();
            for direction in [Direction::Decode, Direction::Encode] {
                let name = cell.encoding()?.name();
                let what = direction.pick(format!("{name} → UTF-8"), format!("UTF-8 → {name}"));
                eprintln!("{what}");
                let input = self.directory.join("input");
                fill(&input, direction.pick(&encoded, text.as_bytes()), self.arguments.mib << 20)?;
                let mut runners = vec![Some(self.convert(cell, direction, &input))];
                runners.extend(self.peers.iter().map(|peer| peer.command(cell, direction, &input)));
                let supported: Vec<bool> = runners.iter().map(Option::is_some).collect();
                let mut runners: Vec<Command> = runners.into_iter().flatten().collect();
                // Leaves the columns of programs that do not support the conversion empty.
                let row = |figures: Vec<String>| {
                    let mut figures = figures.into_iter();
                    let figure = |&supported: &bool| supported.then(|| figures.next()).flatten().unwrap_or_default();
                    supported.iter().map(figure).collect::<Vec<_>>()
                };
                memory.rows.push([vec![what.clone()], row(compare(&what, &mut runners)?)].concat());

                let seconds = self.interleaved(&mut runners, || Ok(()))?;
                let best = seconds[1..].iter().copied().fold(f64::INFINITY, f64::min);
                let figures = row(seconds.iter().map(|seconds| format!("{seconds:.2}")).collect());
                let ratio = vec![format!("{:.1}", best / seconds[0]), format!("{}", cell.target)];
                throughput.rows.push([vec![what.clone()], figures, ratio].concat());
                to_file.rows.push(self.file_to_file(what, cell, direction, &input)?);
            }
        }
        Ok(vec![throughput.print(), memory.print(), to_file.print()])
    }

    fn convert(&self, cell: &Cell, direction: Direction, input: &Path) -> Command {
        let (from, to) = direction.pick((cell.label, "utf-8"), ("utf-8", cell.label));
        let mut command = Command::new(&self.ours);
        command.args(["convert", "-f", from, "-t", to]).arg(input).stdin(Stdio::null()).stdout(Stdio::null());
        command
    }

    fn file_to_file(&self, what: String, cell: &Cell, direction: Direction, input: &Path) -> Result<Vec<String>> {
        let [output, copy] = ["output", "copy"].map(|name| self.directory.join(name));
        let mut ours = self.convert(cell, direction, input);
        run_once(ours.arg("-o").arg(&output))?;
        // dd reads a copy of the output. Both inputs are in the page cache.
        let source = self.directory.join("source");
        fs::rename(&output, &source)?;
        let mut dd = Command::new("dd");
        dd.arg(format!("if={}", source.display())).arg(format!("of={}", copy.display()));
        dd.args(["bs=1M", "conv=fsync", "status=none"]);
        let seconds = self.interleaved(&mut [ours, dd], || {
            // Both write new files, with no pending writes of the previous pass.
            for path in [&output, &copy] {
                let _ = fs::remove_file(path);
            }
            sync()
        })?;
        let row = [seconds[0], seconds[1], seconds[0] / seconds[1]].map(|figure| format!("{figure:.2}"));
        fs::remove_file(&source)?;
        Ok([vec![what], row.to_vec(), vec!["at most 1.5".into()]].concat())
    }

    /// Measures the time from the start of a process to its end.
    fn start_up(&self) -> Result<String> {
        let mut table = Table::new(&["start-up, median of 200, milliseconds", "", "project's target"]);
        let input = self.directory.join("small");
        fs::write(&input, "ten bytes\n")?;
        let ours = |arguments: &[&str]| {
            let mut command = Command::new(&self.ours);
            command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null());
            command
        };
        let guessed = self.directory.join("guessed");
        fs::write(&guessed, CELLS[2].encoding()?.encode("десять\n")?)?;
        let [mut check, mut detect, mut guess] = [ours(&["check"]), ours(&["detect"]), ours(&["detect"])];
        check.arg(&input);
        detect.arg(&input);
        guess.arg(&guessed);
        let convert = self.convert(&CELLS[2], Direction::Encode, &input);
        let mut runners = vec![ours(&["--version"]), convert, check, detect, guess, ours(&["list"])];
        let mut names: Vec<String> = [
            "textcodec --version",
            "textcodec convert, 10 bytes",
            "textcodec check, 10 bytes",
            "textcodec detect, 10 bytes of ASCII",
            "textcodec detect, 7 bytes of windows-1251",
            "textcodec list",
        ]
        .map(str::to_owned)
        .into();
        for peer in &self.peers {
            runners.extend(peer.command(&CELLS[2], Direction::Encode, &input));
            names.push(format!("{}, 10 bytes", peer.name));
        }
        let passes = if self.arguments.smoke { 1 } else { 200 };
        let medians = interleaved(&mut runners, passes, || Ok(()))?;
        for (name, seconds) in names.into_iter().zip(medians) {
            let is_slower = ["textcodec detect", "textcodec list"].iter().any(|start| name.starts_with(start));
            let target = match name.starts_with("textcodec") {
                true if is_slower => "under 6",
                true => "under 5",
                false => "",
            };
            table.rows.push(vec![name, format!("{:.2}", 1000.0 * seconds), target.into()]);
        }
        Ok(table.print())
    }

    /// Measures the conversion in place of files of about 2 KB from windows-1251 to UTF-8.
    fn small_files(&self) -> Result<String> {
        let cell = &CELLS[2];
        let text: Vec<char> = self.text(cell, &mut Vec::new())?.chars().collect();
        let directory = self.directory.join("small-files");
        fs::create_dir(&directory)?;
        let names: Vec<String> = (0..self.arguments.files).map(|n| format!("{n:05}.txt")).collect();
        // Each file starts with its number. A random part of the text could start with яю, whose bytes are a byte order mark.
        let from = |n: usize| text.iter().cycle().skip(37 * n % text.len()).take(1900 + n % 200);
        let texts: Vec<String> =
            (0..names.len()).map(|n| format!("{n}\n").chars().chain(from(n).copied()).collect()).collect();
        let encoding = cell.encoding()?;
        let prepare = || -> Result<()> {
            for (name, text) in names.iter().zip(&texts) {
                fs::write(directory.join(name), encoding.encode(text)?)?;
            }
            sync()
        };
        let check = |who: &str| -> Result<()> {
            for (name, text) in names.iter().zip(&texts) {
                ensure!(fs::read(directory.join(name))? == text.as_bytes(), "{who}: {name} has the wrong content");
            }
            ensure!(fs::read_dir(&directory)?.count() == names.len(), "{who} leaves other files in the directory");
            Ok(())
        };
        let ours = |options: &[&str]| {
            let mut command = Command::new(&self.ours);
            command.args(["convert", "--quiet", "--in-place", "-f", cell.label]).args(options);
            command.args(&names).current_dir(&directory);
            command
        };
        let script = format!(
            "for f in *; do iconv -f {} -t UTF-8 \"$f\" > \"$f.tmp\" && mv \"$f.tmp\" \"$f\"; done",
            cell.iconv
        );
        let mut shell = Command::new("taskset");
        shell.args(["-c", "0", "sh", "-c", &script]).current_dir(&directory);

        let mut table = Table::new(&["small files in place", "seconds", "files"]);
        let mut runners = vec![
            ("textcodec convert --in-place", ours(&[])),
            ("textcodec convert --in-place -j 1", ours(&["-j", "1"])),
            ("textcodec convert --in-place --no-sync", ours(&["--no-sync"])),
        ];
        if !self.peers.iter().any(|peer| peer.name == "iconv") {
            skip("a shell loop", "no iconv")?;
        } else if let Err(error) = Command::new("taskset").arg("-V").output() {
            skip("a shell loop", &format!("taskset: {error}"))?;
        } else {
            runners.push(("a shell loop of iconv and mv", shell));
        }
        let mut seconds = vec![Vec::new(); runners.len()];
        for _ in 0..self.arguments.passes.min(3) {
            for ((name, command), seconds) in runners.iter_mut().zip(&mut seconds) {
                prepare()?;
                seconds.push(time(command).with_context(|| (*name).to_owned())?);
                check(name)?;
            }
        }
        let medians: Vec<f64> = seconds.into_iter().map(median).collect();
        for ((name, _), median) in runners.iter().zip(&medians) {
            table.rows.push(vec![(*name).into(), format!("{median:.2}"), names.len().to_string()]);
        }
        if let [ours, .., last] = medians[..]
            && runners.last().is_some_and(|(name, _)| name.contains("iconv"))
        {
            let ratio = format!("{:.1} times as fast (project's target: at least 5)", last / ours);
            table.rows.push(vec![ratio, String::new(), String::new()]);
        }
        fs::remove_dir_all(&directory)?;
        Ok(table.print())
    }

    fn interleaved(&self, runners: &mut [Command], before: impl FnMut() -> Result<()>) -> Result<Vec<f64>> {
        interleaved(runners, self.arguments.passes, before)
    }

    /// Returns the text for a cell: the article without characters that one of the programs maps differently.
    fn text(&self, cell: &Cell, notes: &mut Vec<String>) -> Result<String> {
        let article = self.article(cell)?;
        let encoding = cell.encoding()?;
        let mut characters: BTreeSet<char> = article.chars().collect();
        let all = characters.len();
        characters.retain(|&c| comes_back(encoding, c));
        if all > characters.len() {
            let missing = all - characters.len();
            notes.push(format!("- {missing} of the text's {all} distinct characters are unmappable in {encoding}."));
        }
        for peer in &self.peers {
            let differ = self.differences(peer, cell, &characters)?;
            if !differ.is_empty() {
                notes.push(format!(
                    "- {} maps these differently in {encoding}, so they are left out: {differ:?}.",
                    peer.name
                ));
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

    /// Returns the characters that a program maps differently from the library. Each is converted on a separate line.
    /// Differences in bytes alone are found by [`compare`].
    fn differences(&self, peer: &Peer, cell: &Cell, characters: &BTreeSet<char>) -> Result<Vec<char>> {
        let encoding = cell.encoding()?;
        let characters: Vec<char> = characters.iter().copied().filter(|c| !c.is_control()).collect();
        let lines: String = characters.iter().flat_map(|&c| [c, '\n']).collect();
        let mut differ = BTreeSet::new();
        for direction in [Direction::Decode, Direction::Encode] {
            let input = self.directory.join("lines");
            let encoded = encoding.encode(&lines)?;
            fs::write(&input, direction.pick(&*encoded, lines.as_bytes()))?;
            let Some(mut command) = peer.command(cell, direction, &input) else { continue };
            // The exit status is ignored, because the output is compared.
            let output = command.args(peer.lossy).stdout(Stdio::piped()).output()?.stdout;
            let options = DecodeOptions::new().bom(Bom::Keep);
            let text = match direction {
                Direction::Decode => String::from_utf8_lossy(&output).into_owned(),
                Direction::Encode => encoding.decode_with(&output, options)?.text.into_owned(),
            };
            let found: Vec<&str> = text.split_terminator('\n').collect();
            ensure!(found.len() == characters.len(), "{} loses lines in {encoding}: {command:?}", peer.name);
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
            "{model}, {cores} cores, {}; medians of {passes} interleaved passes over text from {texts}; {}.",
            date.trim(),
            versions.join("; ")
        ))
    }
}

/// Compares the outputs and returns the peak memory of each program in MiB.
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
        ensure!(*ours.get_or_insert(hash) == hash, "{what}: {runner:?} writes a different output");
        // Writes to /dev/null, as when it is timed. A pipe could make a program wait, or need memory.
        let mut child = runner.stdout(Stdio::null()).spawn()?;
        let (status, kib) = peak_memory(&[child.id()], || child.wait());
        ensure!(status?.success(), "{what}: {runner:?} fails");
        figures.push(format!("{}.{}", kib / 1024, kib % 1024 * 10 / 1024));
    }
    Ok(figures)
}

/// Returns the median wall-clock seconds of each command over passes in which each runs once.
fn interleaved(runners: &mut [Command], passes: usize, mut before: impl FnMut() -> Result<()>) -> Result<Vec<f64>> {
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
        let stderr = String::from_utf8_lossy(&output.stderr);
        let program = command.get_program().display();
        bail!("{program}: {}: {}", output.status, stderr.lines().next().unwrap_or_default());
    }
    Ok(())
}

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}

/// Writes at least `size` bytes by repeating `bytes`, and forces them to the disk. The file stays in the page cache.
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

    /// Formats the table as Markdown.
    fn print(&self) -> String {
        let mut text = format!("| {} |\n|---|{}\n", self.head.join(" | "), "---:|".repeat(self.head.len() - 1));
        for row in &self.rows {
            let _ = writeln!(text, "| {} |", row.join(" | "));
        }
        text
    }
}

/// Writes the section of `docs/program.md`. `cargo xtask lint` names the copies of its rows that are out of date then.
fn record_tables(tables: &[String], notes: &[String], about: &str) -> Result<()> {
    let section = format!("{about}\n\n{}\n{}\n", tables.join("\n"), notes.join("\n"));
    project::replace("docs/program.md", "bench-program --record", &section)
}
