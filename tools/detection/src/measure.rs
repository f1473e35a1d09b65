//! `detection measure`: how often detection is right, by kinds of text.

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    time::Instant,
};

use anyhow::{Context as _, Result, ensure};
use textcodec_detect::{Detection, detect};

use crate::{
    judge::Verdict,
    kinds::{self, KINDS, Text},
    peers, report, root,
    source::Sources,
    texts::{Half, Texts},
};

/// The arguments of `detection measure`.
#[derive(clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent options")]
pub(crate) struct Arguments {
    /// The folder with `LANGUAGE.txt` files.
    #[arg(long)]
    texts: PathBuf,
    /// The folder with texts of other origins: a folder with `LANGUAGE.txt` files for each. Not for training.
    #[arg(long)]
    extra: Option<PathBuf>,
    /// The half of the texts from which the labelled texts are made.
    #[arg(long, value_enum, default_value = "held-out")]
    half: Half,
    /// Only this kind of text.
    #[arg(long)]
    kind: Option<String>,
    /// About how many texts of each hard kind are made.
    #[arg(long, default_value_t = 1250)]
    count: usize,
    /// Print the answers that are wrong with medium or high confidence, and sums.
    #[arg(long)]
    wrong: bool,
    /// Print the sums of all wrong answers.
    #[arg(long)]
    sums: bool,
    /// Write a line for each text into this file, with what the detector says about it.
    #[arg(long, value_name = "FILE")]
    features: Option<PathBuf>,
    /// Write the texts into this folder. Their names are `KIND.LANGUAGE.ENCODING.NUMBER`.
    #[arg(long, value_name = "DIR")]
    dump: Option<PathBuf>,
    /// Measure other programs, too.
    #[arg(long)]
    peers: bool,
    /// The Python interpreter that has chardet and charset-normalizer.
    #[arg(long, default_value = "python3")]
    python: PathBuf,
    /// Write the tables to `docs/program.md`.
    #[arg(long, conflicts_with = "kind")]
    record: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let known = |kind: &String| KINDS.iter().any(|(name, _)| name == kind);
    ensure!(arguments.kind.as_ref().is_none_or(known), "the kinds are: {}", KINDS.map(|(name, _)| name).join(", "));
    let start = Instant::now();
    let texts = labelled(arguments)?;
    eprintln!("{} texts were made in {:.0} s", texts.len(), start.elapsed().as_secs_f32());
    if let Some(folder) = &arguments.dump {
        peers::write(&texts.iter().collect::<Vec<_>>(), folder)?;
    }
    let answers = detect_all(&texts);
    let verdicts: Vec<Verdict> =
        texts.iter().zip(&answers).map(|(text, (detection, time))| Verdict::new(text, detection, *time)).collect();
    if let Some(path) = &arguments.features {
        write_features(path, &texts, &answers, &verdicts)?;
    }
    if arguments.wrong {
        report::print_wrong(&texts, &answers, &verdicts, arguments.sums);
    }
    if arguments.wrong || arguments.sums {
        report::print_sums(&texts, &verdicts, arguments.sums);
    }
    let mut tables = vec![
        report::about(&texts, arguments.half),
        report::by_kind(&texts, &verdicts),
        report::by_origin(&texts, &verdicts),
        report::by_size(&texts, &verdicts),
        report::calibration(&texts, &verdicts),
        report::by_encoding(&texts, &verdicts),
    ];
    if arguments.peers {
        let temporary = tempfile::Builder::new().prefix("detection-").tempdir()?;
        tables.push(peers::table(&texts, &verdicts, &arguments.python, temporary.path())?);
    }
    let page = tables.join("\n");
    println!("{page}");
    if arguments.record { record(&page) } else { Ok(()) }
}

/// Makes the labelled texts from the files.
fn labelled(arguments: &Arguments) -> Result<Vec<Text>> {
    let Arguments { texts, extra, half, kind, count, .. } = arguments;
    let half = *half;
    ensure!(extra.is_none() || half == Half::HeldOut, "the texts of other origins are not for training");
    let texts = Texts::read(texts)?;
    let mut others = Vec::new();
    if let Some(extra) = extra {
        let entries = fs::read_dir(extra).with_context(|| extra.display().to_string())?;
        let mut folders = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
        folders.sort();
        for folder in folders {
            let origin = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            others.push((origin, Texts::read(&folder)?));
        }
    }
    Ok(kinds::make(&Sources::new(&texts, half, &others), kind.as_deref(), *count))
}

/// Detects the encodings of all texts in two threads. Returns the time of a call, too, in nanoseconds.
fn detect_all(texts: &[Text]) -> Vec<(Detection, u64)> {
    let timed = |text: &Text| {
        // The first call brings the text and the tables into the caches.
        let repetitions = if text.bytes.len() < 5000 { 2 } else { 1 };
        let calls = (0..repetitions).map(|_| {
            let start = Instant::now();
            let detection = detect(&text.bytes);
            (detection, start.elapsed().as_nanos() as u64)
        });
        calls.min_by_key(|(_, time)| *time).expect("there is a call")
    };
    // Each thread has texts of all kinds, so that both take as long.
    let every_second = |first: usize| texts.iter().skip(first).step_by(2).map(timed).collect::<Vec<_>>();
    let (even, odd) = std::thread::scope(|scope| {
        let odd = scope.spawn(|| every_second(1));
        (every_second(0), odd.join().expect("detection does not panic"))
    });
    let mut odd = odd.into_iter();
    even.into_iter().flat_map(|answer| [Some(answer), odd.next()]).flatten().collect()
}

/// Writes a line for each text, with fields that are separated by tabs, for fitting the confidence.
fn write_features(path: &Path, texts: &[Text], answers: &[(Detection, u64)], verdicts: &[Verdict]) -> Result<()> {
    let mut file = std::io::BufWriter::new(fs::File::create(path)?);
    writeln!(
        file,
        "kind\torigin\tlanguage\tencoding\tbytes\tanswer\texact\tright\tconfidence\tprobability\tevidence\tcandidates\treason"
    )?;
    for ((text, (detection, _)), verdict) in texts.iter().zip(answers).zip(verdicts) {
        let candidates = detection.candidates.iter().take(5);
        let candidates: Vec<String> = candidates
            .map(|other| {
                format!(
                    "{}={:.6}/{}/{}/{}",
                    other.encoding, other.probability, other.malformed, other.non_ascii, other.unlikely
                )
            })
            .collect();
        writeln!(
            file,
            "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{:.6}\t{}\t{}\t{}",
            text.kind,
            text.origin,
            text.language,
            text.encoding,
            text.bytes.len(),
            verdict.encoding,
            u8::from(verdict.is_exact),
            u8::from(verdict.is_right),
            verdict.confidence,
            detection.probability,
            detection.evidence,
            candidates.join(","),
            detection.reason(),
        )?;
    }
    Ok(file.flush()?)
}

/// Replaces the section of `docs/program.md` that this command writes.
fn record(page: &str) -> Result<()> {
    let path = root().join("docs/program.md");
    let document = fs::read_to_string(&path)?;
    let begin = "<!-- detection measure --record -->";
    let (before, rest) = document.split_once(begin).with_context(|| format!("no line {begin}"))?;
    let (_, after) = rest.split_once("<!-- end -->").context("no end")?;
    Ok(fs::write(path, format!("{before}{begin}\n{page}<!-- end -->{after}"))?)
}
