//! Conversions between all pairs of encodings, of texts of all lengths, run twice.
//!
//! The test runs a sample of the pairs. `cargo xtask twice` runs all of them and writes `docs/design/running-twice.csv`: it sets
//! `TEXTCODEC_TWICE` to the name of that file.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use textcodec::{
    EUC_KR, Encoding, GB18030, GBK, REPLACEMENT, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1251, WINDOWS_1252, oem,
};

use crate::common::{Dir, samples};

/// The texts, by the name of the sample.
const SAMPLES: [&str; 16] = [
    "cafe", "forest", "train", "amber", "ferry", "village", "weather", "orchard", "island", "bakery", "desert",
    "river", "tea", "library", "harbour", "market",
];

const ENGLISH: &str = "The old lighthouse\n\n\
    Every evening my grandfather walks along the beach and looks at the sea.\n\
    He knows the name of each boat, and the children of the village wait for his stories.\n\
    \"It will rain tomorrow,\" he says, and most of the time he is right.\n\
    We drink tea in the kitchen until the lamp of the lighthouse begins to turn.\n";

/// Languages without spaces between words.
const WITHOUT_SPACES: [&str; 4] = ["tea", "library", "harbour", "river"];

const LENGTHS: [usize; 6] = [1, 2, 3, 6, 40, 400];

/// The number of texts of each length, for each sample.
const STARTS: usize = 6;

/// One pair in this many is in the sample.
const ONE_IN: usize = 97;

/// Groups of encodings between which fewer texts are converted, and why. The pairs of a group are those of an encoding of its
/// first list and one of its second list, in both directions.
const FEWER: &[(&[&str], &[&str], &str)] = &[
    (
        &["ISO-8859-2", "ISO-8859-4", "ISO-8859-10", "ISO-8859-13", "ISO-8859-16", "windows-1250", "windows-1257"],
        &["ISO-8859-2", "ISO-8859-4", "ISO-8859-10", "ISO-8859-13", "ISO-8859-16", "windows-1250", "windows-1257"],
        "few letters differ, and each is a letter of a language in both",
    ),
    (&["ISO-8859-7"], &["windows-1253"], "one letter differs"),
    (&["ISO-8859-6"], &["windows-1256"], "each letter is one in both"),
    (&["windows-1251"], &["x-mac-cyrillic"], "nearly all small letters are the same"),
    (&["gb18030"], &["ISO-8859-4", "ISO-8859-10", "windows-1258"], "short words have one letter that differs"),
    (&["EUC-JP"], &["gb18030", "GBK"], "kana are the same in both"),
];

fn is_among_fewer(from: Encoding, to: Encoding) -> bool {
    let is_in = |list: &[&str], encoding: Encoding| list.contains(&encoding.name());
    FEWER.iter().any(|(one, other, _)| is_in(one, from) && is_in(other, to) || is_in(one, to) && is_in(other, from))
}

/// What happened to texts of one length.
#[derive(Clone, Copy, Default)]
struct Counts {
    texts: usize,
    converted: usize,
    left_alone: usize,
    undecided: usize,
    failed: usize,
    /// Texts that were changed to other texts, in the first or in the second run, and those that were changed although they
    /// were in the encoding of the output.
    wrong: usize,
}

#[test]
fn no_text_changes_in_the_second_run() {
    let path = std::env::var_os("TEXTCODEC_TWICE");
    let encodings = Encoding::ALL.iter().chain(Encoding::EXTRA).copied().filter(|&encoding| encoding != REPLACEMENT);
    let encodings: Vec<_> = encodings.collect();
    let pairs = encodings.iter().flat_map(|&from| encodings.iter().map(move |&to| (from, to)));
    let mut pairs: Vec<_> = pairs.filter(|(from, to)| from != to).collect();
    if path.is_none() {
        let mut at = 0;
        pairs.retain(|_| {
            at += 1;
            at % ONE_IN == 1
        });
    }
    let texts = texts();
    let (next, results) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(&(from, to)) = pairs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let result = run_pair(&texts, from, to);
                    results.lock().unwrap().insert((from.name(), to.name()), ((from, to), result));
                }
            });
        }
    });
    let results = results.into_inner().unwrap();
    assert_eq!(results.len(), pairs.len());
    if let Some(path) = path {
        fs::write(path, table(results.values().map(|(pair, (counts, _))| (*pair, counts)))).unwrap();
    }
    let mut problems = Vec::new();
    for ((from, to), (counts, wrong)) in results.values() {
        problems.extend(wrong.iter().map(|what| format!("{from} to {to}: {what}")));
        for (length, counts) in LENGTHS.iter().zip(counts) {
            let min = match length {
                0..6 => 0,
                6..40 => 90,
                _ => 99,
            };
            if counts.converted * 100 < counts.texts * min && !is_among_fewer(*from, *to) {
                let Counts { texts, converted, .. } = counts;
                problems
                    .push(format!("{from} to {to}: {converted} of {texts} texts of {length} characters are converted"));
            }
        }
    }
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

/// Between the encodings outside the standard and those of the web: in both directions UTF-8, an encoding of Windows, and another one
/// outside the standard.
#[test]
fn no_text_in_a_code_page_changes_in_the_second_run() {
    let path = std::env::var_os("TEXTCODEC_TWICE");
    let (others, all) = ([UTF_8, WINDOWS_1252, WINDOWS_1251], oem::ALL);
    let partners = |n: usize| others.into_iter().chain([all[(n + 1) % all.len()], all[(n + 20) % all.len()]]);
    let pairs = all.iter().enumerate().flat_map(|(n, &page)| partners(n).map(move |other| (page, other)));
    let mut pairs: Vec<_> = pairs.flat_map(|(page, other)| [(page, other), (other, page)]).collect();
    if path.is_none() {
        // Each encoding outside the standard is in one or two.
        let mut at = 0;
        pairs.retain(|_| {
            at += 1;
            at % 9 == 1
        });
    }
    let texts = texts();
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(&(from, to)) = pairs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let result = run_pair(&texts, from, to);
                    results.lock().unwrap().push((from, to, result));
                }
            });
        }
    });
    let results = results.into_inner().unwrap();
    let (mut problems, mut converted, mut long) = (Vec::new(), 0, 0);
    for (from, to, (counts, wrong)) in &results {
        problems.extend(wrong.iter().map(|what| format!("{from} to {to}: {what}")));
        for (length, counts) in LENGTHS.iter().zip(counts) {
            if *length >= 40 {
                long += counts.texts;
                converted += counts.converted;
            }
        }
    }
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
    assert!(long > 1000 && converted * 100 >= long * 99, "{converted} of {long} longer texts are converted");
}

/// Detection may misread a short text. Whatever the first run makes of it, the second one does not change that.
#[test]
fn no_detected_text_changes_in_the_second_run() {
    let is_sample = std::env::var_os("TEXTCODEC_TWICE").is_none();
    let texts = texts();
    let encodings = Encoding::ALL.iter().copied().filter(|&encoding| encoding != REPLACEMENT);
    for (at, to) in encodings.enumerate() {
        // The suffix of backups in each run.
        const NONE: [&str; 2] = [""; 2];
        for (from, level, suffixes) in [
            (UTF_8, "high", NONE),
            (UTF_8, "low", ["=.bak", "=.orig"]),
            (UTF_16LE, "medium", NONE),
            (WINDOWS_1251, "high", NONE),
            (WINDOWS_1251, "low", NONE),
            (GBK, "medium", NONE),
            (GBK, "0", NONE),
        ] {
            if from == to || is_sample && at % 4 != 0 {
                continue;
            }
            let files: Vec<_> = files(&texts, from, to).into_iter().filter(|file| file.length.is_some()).collect();
            let dir = Dir::new();
            for file in &files {
                fs::write(dir.path(&file.name), &file.before).unwrap();
            }
            let [first, second] = suffixes.map(|suffix| {
                let arguments = format!("--min-confidence={level} --in-place{suffix} --no-sync -q -r .");
                dir.convert(&format!("-f auto -t {} {arguments}", to.name()));
                files.iter().map(|file| dir.read(&file.name)).collect::<Vec<_>>()
            });
            let changed = files.iter().zip(first.iter().zip(&second)).filter(|(_, (first, second))| first != second);
            let changed: Vec<_> = changed.map(|(file, (first, second))| (&*file.text, first, second)).collect();
            assert!(changed.is_empty(), "{from} to {to}: {changed:X?}");
        }
    }
}

/// A file that was converted, and then was cut within a character, got a stray byte or was continued in the old encoding, is not
/// converted once more: that would destroy all of it but the damage.
#[test]
fn no_damaged_text_changes_in_the_second_run() {
    let is_sample = std::env::var_os("TEXTCODEC_TWICE").is_none();
    let texts = texts();
    let is_legacy = |encoding| !matches!(encoding, UTF_8 | UTF_16BE | UTF_16LE);
    let encodings = Encoding::ALL.iter().copied().filter(|&encoding| encoding != REPLACEMENT);
    for (at, from) in encodings.enumerate() {
        for to in [UTF_8, UTF_16LE, GB18030, SHIFT_JIS, EUC_KR] {
            if from == to || is_sample && at % 6 != 1 {
                continue;
            }
            let dir = Dir::new();
            let mut damaged = Vec::new();
            for File { name, before, after, length, .. } in files(&texts, from, to) {
                if length.is_none_or(|at| LENGTHS[at] < 40) {
                    continue;
                }
                let is_malformed = |bytes: &[u8]| to.decode_strict(bytes).is_err();
                let with = |more: &[u8]| [&after, more].concat();
                let within = (1..after.len()).find(|&at| is_malformed(&after[..at]));
                let joined = within.map(|at| [&after[..at], b"\n", &after].concat());
                let cases = [
                    ("cut", after[..after.len() - 1].to_vec()),
                    ("end", with(b"\xFF")),
                    // Zero bytes are not malformed, nor is legacy text in UTF-16 or in another legacy encoding, mostly.
                    ("continued", if is_legacy(from) && to == UTF_8 { with(&before) } else { Vec::new() }),
                    ("joined", joined.unwrap_or_default()),
                ];
                for (what, bytes) in cases.into_iter().filter(|(_, bytes)| is_malformed(bytes)) {
                    let name = format!("{name}-{what}");
                    fs::write(dir.path(&name), &bytes).unwrap();
                    damaged.push((name, bytes));
                }
            }
            dir.convert(&format!("-f {from} -t {to} --in-place --no-sync -q -r ."));
            let changed: Vec<_> =
                damaged.iter().filter(|(name, bytes)| dir.read(name) != *bytes).map(|(name, _)| name).collect();
            assert!(changed.is_empty(), "{from} to {to}: {} of {}: {changed:?}", changed.len(), damaged.len());
        }
    }
}

/// Returns the texts with their names.
fn texts() -> Vec<(&'static str, String)> {
    let read = |name: &str| fs::read_to_string(samples().join(format!("{name}.utf-8.txt"))).unwrap();
    // The typographic marks are not in all encodings of the language.
    let simple = |c: char| match c {
        '’' | '‘' => '\'',
        '“' | '”' | '«' | '»' => '"',
        '—' | '–' => '-',
        _ => c,
    };
    let samples = SAMPLES.iter().map(|&name| (name, read(name).chars().map(simple).collect()));
    samples.chain([("english", ENGLISH.to_owned())]).collect()
}

/// Returns the parts of a text that are converted, of one length.
fn parts(name: &str, text: &[char], length: usize) -> Vec<String> {
    let is_in_word = |at: usize| at > 0 && text[at].is_alphabetic() && text[at - 1].is_alphabetic();
    let starts = (0..STARTS).map(|n| {
        let mut start = n * text.len() / STARTS;
        while !WITHOUT_SPACES.contains(&name) && is_in_word(start) {
            start -= 1;
        }
        while !text[start].is_alphabetic() {
            start = (start + 1) % text.len();
        }
        start
    });
    starts.map(|start| text.iter().cycle().skip(start).take(length).collect()).collect()
}

/// A file before the first run, and the same text in the encoding of the output.
struct File {
    name: String,
    text: String,
    before: Vec<u8>,
    after: Vec<u8>,
    /// The index of its length, unless it is in the encoding of the output from the start.
    length: Option<usize>,
}

fn files(texts: &[(&'static str, String)], from: Encoding, to: Encoding) -> Vec<File> {
    let mut files = Vec::new();
    for (name, text) in texts {
        let letters = |encoding: Encoding| text.chars().filter(|c| c.is_alphabetic()).all(|c| encoding.can_encode(c));
        if !letters(to) {
            continue;
        }
        let is_in_both = letters(from);
        let in_both = |c: &char| to.can_encode(*c) && (!is_in_both || from.can_encode(*c));
        let characters: Vec<char> = text.chars().filter(in_both).collect();
        for (at, &length) in LENGTHS.iter().enumerate() {
            for (n, text) in parts(name, &characters, length).into_iter().enumerate() {
                let after = to.encode(&text).unwrap().into_owned();
                if is_in_both {
                    let before = from.encode(&text).unwrap().into_owned();
                    if before == after {
                        continue;
                    }
                    let name = format!("{name}-{length}-{n}");
                    files.push(File { name, text: text.clone(), before, after: after.clone(), length: Some(at) });
                }
                let name = format!("other-{name}-{length}-{n}");
                files.push(File { name, text, before: after.clone(), after, length: None });
            }
        }
    }
    files
}

/// Converts all texts twice, and returns what happened and what went wrong.
fn run_pair(texts: &[(&'static str, String)], from: Encoding, to: Encoding) -> ([Counts; LENGTHS.len()], Vec<String>) {
    let mut counts = [Counts::default(); LENGTHS.len()];
    let mut wrong = Vec::new();
    let files = files(texts, from, to);
    if files.is_empty() {
        return (counts, wrong);
    }
    let dir = Dir::new();
    fs::create_dir(dir.path("d")).unwrap();
    for file in &files {
        fs::write(dir.path(&format!("d/{}", file.name)), &file.before).unwrap();
    }
    let run = || {
        let arguments =
            format!("-f {} -t {} -r --in-place --no-sync --aliases --report=json d", from.name(), to.name());
        let result = dir.convert(&arguments);
        let json: serde_json::Value = serde_json::from_slice(&result.stdout).unwrap();
        let outcome = |file: &serde_json::Value| {
            let name = crate::common::as_on_unix(file["input"].as_str().unwrap());
            (name.trim_start_matches("d/").to_owned(), file["outcome"].as_str().unwrap().to_owned())
        };
        json["files"].as_array().unwrap().iter().map(outcome).collect::<BTreeMap<_, _>>()
    };
    let read = || files.iter().map(|file| dir.read(&format!("d/{}", file.name))).collect::<Vec<_>>();
    let outcomes = run();
    let first = read();
    run();
    for ((file, first), second) in files.iter().zip(first).zip(read()) {
        let File { name, text, before, after, length } = file;
        let mut is_wrong = |what: &str| wrong.push(format!("{name}, {text:?}: {what}"));
        let mut errors = 0;
        if first != second {
            is_wrong("the second run changes it");
            errors += 1;
        }
        if first != *before && first != *after {
            is_wrong("the first run makes another text of it");
            errors += 1;
        }
        let outcome = outcomes[name].as_str();
        let Some(length) = *length else { continue };
        counts[length].texts += 1;
        counts[length].wrong += errors;
        match outcome {
            "converted" => counts[length].converted += 1,
            "undecided" => counts[length].undecided += 1,
            "already" | "unchanged" | "skipped" => counts[length].left_alone += 1,
            _ => counts[length].failed += 1,
        }
        if (outcome == "converted") != (first == *after) {
            wrong.push(format!("{name}, {text:?}: is said to be {outcome}"));
        }
    }
    (counts, wrong)
}

/// Returns the table of all pairs with texts.
fn table<'a>(results: impl Iterator<Item = ((Encoding, Encoding), &'a [Counts; LENGTHS.len()])>) -> String {
    let mut table = "from,to,length,texts,converted,left alone,undecided,failed,wrong\n".to_owned();
    for ((from, to), counts) in results {
        for (length, counts) in LENGTHS.iter().zip(counts).filter(|(_, counts)| counts.texts > 0) {
            let Counts { texts, converted, left_alone, undecided, failed, wrong } = counts;
            let (from, to) = (from.name(), to.name());
            let _ =
                writeln!(table, "{from},{to},{length},{texts},{converted},{left_alone},{undecided},{failed},{wrong}");
        }
    }
    table
}
