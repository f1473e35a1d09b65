//! `cargo xtask roundtrip` and `cargo xtask large`: convert articles with the `textcodec` program to every encoding of their
//! script and back, and 2 GiB from a pipe and from a path.

use std::{
    fs::{self, File},
    io::{self, BufReader, BufWriter, Read as _, Write as _},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, bail, ensure};
use project::root;
use textcodec::{Bom, DecodeOptions, Encoding};

/// The encodings of each script, by the start of the article's file name.
const ENCODINGS: &[(&str, &[&str])] = &[
    ("ar", &["windows-1256", "iso-8859-6"]),
    (
        "de",
        &["windows-1250", "windows-1252", "windows-1254", "windows-1257", "windows-1258", "iso-8859-2", "iso-8859-15"],
    ),
    ("el", &["windows-1253", "iso-8859-7"]),
    ("en", &["windows-1255", "windows-874", "windows-1252", "macintosh", "iso-8859-8", "iso-8859-16"]),
    ("ja", &["shift_jis", "euc-jp", "iso-2022-jp"]),
    ("ko", &["euc-kr"]),
    ("ru", &["windows-1251", "koi8-r", "koi8-u", "iso-8859-5", "ibm866", "x-mac-cyrillic"]),
    ("zh_cn", &["gbk"]),
    ("zh_tw", &["big5"]),
    ("", &["utf-8", "utf-16le", "utf-16be", "gb18030"]),
];

/// The maximum number of characters in a thousand that an encoding of the text's script may be unable to represent.
const MAX_REMOVED: usize = 30;

/// The maximum resident memory of the program.
const MAX_MEMORY_KIB: u64 = 20 * 1024;

/// Converts every article in `corpus` to every encoding of its script and back.
pub(crate) fn articles(corpus: &Path) -> Result<()> {
    let program = build()?;
    let dir = tempfile::tempdir()?;
    let mut done = 0;
    for (name, article) in read_articles(corpus)? {
        for (start, encodings) in ENCODINGS {
            for label in encodings.iter().filter(|_| name.starts_with(start)) {
                let encoding: Encoding = label.parse()?;
                let text: String = article.chars().filter(|&c| comes_back(encoding, c)).collect();
                let (all, left) = (article.chars().count(), text.chars().count());
                let removed = all - left;
                ensure!(1000 * removed < MAX_REMOVED * all, "{name} to {label}: {removed} of {all} characters removed");
                let paths = ["text", "encoded", "back"].map(|name| dir.path().join(name));
                fs::write(&paths[0], &text)?;
                convert(&program, "utf-8", label, &paths[0], &paths[1])?;
                convert(&program, label, "utf-8", &paths[1], &paths[2])?;
                ensure!(fs::read(&paths[2])? == text.as_bytes(), "{name} to {label} and back: the text has changed");
                println!("{name} to {label} and back: {left} characters, {removed} removed");
                done += 1;
            }
        }
    }
    println!("{done} round trips of articles");
    Ok(())
}

/// Returns whether the encoding can represent the character and decodes it to itself.
pub(crate) fn comes_back(encoding: Encoding, character: char) -> bool {
    let mut text = [0; 4];
    let text = character.encode_utf8(&mut text);
    // U+FEFF is text, except at the start.
    let options = DecodeOptions::new().bom(Bom::Keep);
    let back = |bytes: &[u8]| encoding.decode_with(bytes, options).is_ok_and(|decoded| decoded.text == *text);
    encoding.encode(text).is_ok_and(|bytes| back(&bytes))
}

/// Converts `size` bytes of text to Shift_JIS, gb18030, UTF-16LE and windows-1251 and back, from a pipe and from a path.
pub(crate) fn large(corpus: &Path, size: u64) -> Result<()> {
    let program = build()?;
    let articles = read_articles(corpus)?;
    for (start, label) in [("ja", "shift_jis"), ("zh", "gb18030"), ("ru", "windows-1251"), ("de", "utf-16le")] {
        let encoding: Encoding = label.parse()?;
        let article = articles.iter().find(|(name, _)| name.starts_with(start));
        let article = &article.with_context(|| format!("no article {start}*.txt"))?.1;
        let text: String = article.chars().filter(|&c| comes_back(encoding, c)).collect();
        for from in [From::Pipe, From::Path] {
            let start = Instant::now();
            let memory = match from {
                From::Pipe => through_pipes(&program, label, &text, size)?,
                From::Path => through_files(&program, label, &text, size)?,
            };
            let seconds = start.elapsed().as_secs_f64();
            println!("{size} bytes to {label} and back, {from:?}: unchanged, {memory} KiB peak memory, {seconds:.0} s");
            ensure!(
                memory < MAX_MEMORY_KIB,
                "the program took {memory} KiB of memory, {MAX_MEMORY_KIB} KiB are allowed"
            );
        }
    }
    Ok(())
}

#[derive(Clone, Copy, Debug)]
enum From {
    Pipe,
    Path,
}

/// Pipes the text through a program that encodes it and a second one that decodes it, and compares the output.
fn through_pipes(program: &Path, label: &str, text: &str, size: u64) -> Result<u64> {
    let mut encoder = command(program, "utf-8", label).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let input = encoder.stdin.take().context("no pipe")?;
    let between = encoder.stdout.take().context("no pipe")?;
    let mut decoder = command(program, label, "utf-8").stdin(between).stdout(Stdio::piped()).spawn()?;
    let output = decoder.stdout.take().context("no pipe")?;
    let ids = [encoder.id(), decoder.id()];
    let (same, memory) = peak_memory(&ids, || {
        thread::scope(|scope| {
            let written = scope.spawn(|| write_text(input, text, size));
            let same = is_text(output, text, size)?;
            written.join().expect("the writer does not panic")?;
            io::Result::Ok(same)
        })
    });
    ensure!(same?, "{label} from a pipe: the text came back changed");
    finish(encoder, "utf-8", label)?;
    finish(decoder, label, "utf-8")?;
    Ok(memory)
}

fn through_files(program: &Path, label: &str, text: &str, size: u64) -> Result<u64> {
    let dir = tempfile::tempdir_in(root().join("target"))?;
    let paths = ["text", "encoded", "back"].map(|name| dir.path().join(name));
    write_text(File::create(&paths[0])?, text, size)?;
    let mut peak = 0;
    for (from, to, input, output) in [("utf-8", label, 0, 1), (label, "utf-8", 1, 2)] {
        let child = command(program, from, to).arg("-o").arg(&paths[output]).arg(&paths[input]).spawn()?;
        let (finished, memory) = peak_memory(&[child.id()], || finish(child, from, to));
        finished?;
        peak = peak.max(memory);
        fs::remove_file(&paths[input])?;
    }
    ensure!(is_text(File::open(&paths[2])?, text, size)?, "{label} from a path: the text has changed");
    Ok(peak)
}

/// Calls `work` and returns its result and the maximum resident memory of running programs meanwhile, in KiB. The system counts
/// each program's peak, so occasional queries are enough.
pub(crate) fn peak_memory<R>(ids: &[u32], work: impl FnOnce() -> R) -> (R, u64) {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let watch = scope.spawn(|| {
            let mut peak = 0;
            while !stop.load(Ordering::Relaxed) {
                peak = ids.iter().map(|id| process_peak(*id)).fold(peak, u64::max);
                thread::sleep(Duration::from_millis(20));
            }
            peak
        });
        let result = work();
        stop.store(true, Ordering::Relaxed);
        (result, watch.join().expect("the watcher does not panic"))
    })
}

/// Returns a program's peak memory from the system, or 0 if the program has ended.
fn process_peak(id: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.strip_suffix("kB"));
    peak.and_then(|peak| peak.trim().parse().ok()).unwrap_or(0)
}

/// Writes the whole text repeatedly, at least `size` bytes.
fn write_text(to: impl io::Write, text: &str, size: u64) -> io::Result<()> {
    let mut to = BufWriter::with_capacity(1 << 16, to);
    for _ in 0..size.div_ceil(text.len() as u64) {
        to.write_all(text.as_bytes())?;
    }
    to.flush()
}

/// Returns whether `from` contains exactly what [`write_text`] writes.
fn is_text(from: impl io::Read, text: &str, size: u64) -> io::Result<bool> {
    let mut from = BufReader::with_capacity(1 << 16, from);
    let mut read = vec![0; text.len()];
    for _ in 0..size.div_ceil(text.len() as u64) {
        from.read_exact(&mut read)?;
        if read != text.as_bytes() {
            return Ok(false);
        }
    }
    Ok(from.read(&mut [0])? == 0)
}

/// Reads the articles. Returns their file names and contents, sorted by name.
pub(crate) fn read_articles(corpus: &Path) -> Result<Vec<(String, String)>> {
    let mut articles = Vec::new();
    for entry in fs::read_dir(corpus).with_context(|| format!("cannot list {}", corpus.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.extension().is_some_and(|extension| extension == "txt") {
            articles.push((name, fs::read_to_string(&path).with_context(|| path.display().to_string())?));
        }
    }
    ensure!(!articles.is_empty(), "no *.txt in {}", corpus.display());
    articles.sort();
    Ok(articles)
}

/// Builds the program and returns its path.
pub(crate) fn build() -> Result<PathBuf> {
    project::run("cargo", &["build", "--release", "--quiet", "--package", "textcodec-cli"])?;
    Ok(root().join("target/release/textcodec"))
}

fn command(program: &Path, from: &str, to: &str) -> Command {
    let mut command = Command::new(program);
    command.args(["convert", "-f", from, "-t", to]);
    command
}

fn convert(program: &Path, from: &str, to: &str, input: &Path, output: &Path) -> Result<()> {
    finish(command(program, from, to).arg("-o").arg(output).arg(input).spawn()?, from, to)
}

fn finish(mut child: Child, from: &str, to: &str) -> Result<()> {
    let status = child.wait()?;
    if !status.success() {
        bail!("convert -f {from} -t {to}: {status}");
    }
    Ok(())
}
