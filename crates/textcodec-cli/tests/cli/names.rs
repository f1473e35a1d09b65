//! Every option that takes a name: with every label of the standard in five spellings, strings that are similar to labels, and every
//! name of iconv. The oracle says what labels mean.

use std::collections::BTreeMap;

use textcodec::{Alias, Bom, DecodeOptions, Encoding, REPLACEMENT};
use textcodec_iconv::Form;

use crate::common::{Dir, RunResult};

/// A label, one of its spellings, and its encoding.
struct Spelled {
    text: String,
    encoding: Encoding,
}

/// How many of all names are tested in a process of their own. Processes are slow in Wine.
const ONE_IN: usize = if cfg!(windows) { 21 } else { 3 };

/// Returns a part of the labels, each in one of its spellings: other ones for each `turn`. All commands find names by the same
/// function, so `list` tests all.
fn labels(turn: usize) -> Vec<Spelled> {
    let mut labels = BTreeMap::<String, Vec<Spelled>>::new();
    for (text, encoding) in known() {
        labels.entry(text.trim_ascii().to_ascii_lowercase()).or_default().push(Spelled { text, encoding });
    }
    assert_eq!(labels.len(), 228);
    let one_of = |(n, mut all): (usize, Vec<Spelled>)| all.swap_remove((n / ONE_IN + turn) % all.len().min(5));
    labels.into_values().enumerate().skip(turn).step_by(ONE_IN).map(one_of).collect()
}

/// Returns all spellings of labels.
fn known() -> impl Iterator<Item = (String, Encoding)> {
    spec_model::spellings().into_iter().filter_map(|spelling| {
        let encoding = spelling.encoding?.name().parse().unwrap();
        Some((spelling.text, encoding))
    })
}

/// Text with a character that the encoding can represent.
fn sample(encoding: Encoding) -> String {
    let beyond_ascii = encoding.repertoire().flatten().find(|&c| c > '\u{BF}').unwrap_or('?');
    format!("a{beyond_ascii}z")
}

/// Bytes that encodings decode differently.
fn bytes() -> Vec<u8> {
    (0x80..=0xFF).flat_map(|byte| [byte, 0x41 + byte % 0x1A]).collect()
}

/// What a label means is compared with what the name of its encoding means.
fn same_as_name(run: impl Fn(&str) -> (i32, String), turn: usize) {
    let mut of_names = BTreeMap::new();
    for Spelled { text, encoding } in labels(turn) {
        let expected = of_names.entry(encoding).or_insert_with(|| run(encoding.name()));
        assert_eq!(run(&text), *expected, "{text:?}");
    }
}

/// The status, and the lines of standard output that contain a word.
fn outcome(result: &RunResult, word: &str) -> (i32, String) {
    let text = String::from_utf8_lossy(&result.stdout);
    (result.status, text.lines().filter(|line| line.contains(word)).collect())
}

#[test]
fn list_finds_every_spelling() {
    let dir = Dir::new();
    let all: Vec<_> = known().collect();
    assert!(all.len() >= 5 * 228);
    for part in all.chunks(100) {
        let result = RunResult::of(dir.textcodec("list --labels --").args(part.iter().map(|(text, _)| text)));
        assert_eq!((result.status, result.stderr.as_str()), (0, ""));
        let text = String::from_utf8(result.stdout).unwrap();
        assert_eq!(text.lines().count(), part.len());
        for (line, (label, encoding)) in text.lines().zip(part) {
            assert_eq!(line.split_once(':').unwrap().0, encoding.name(), "{label:?}");
        }
    }
}

#[test]
fn aliases_are_found_in_any_case_and_with_any_separator() {
    let dir = Dir::new();
    for part in Alias::ALL.chunks(100) {
        let names = part.iter().flat_map(|alias| {
            let upper = alias.name.to_ascii_uppercase();
            [
                alias.name.to_owned(),
                format!("\t{} ", alias.name.replace('-', "_")),
                upper.replace(['-', '_'], " "),
                upper,
            ]
        });
        let result = RunResult::of(dir.textcodec("list --aliases --").args(names.clone()));
        let text = String::from_utf8(result.stdout).unwrap();
        assert_eq!(text.lines().count(), 4 * part.len(), "{}", result.stderr);
        for ((name, line), alias) in names.zip(text.lines()).zip(part.iter().flat_map(|alias| [alias; 4])) {
            assert!(line.split(' ').any(|word| word == alias.name), "{name:?}: {line}");
        }
    }
}

#[test]
fn strings_that_are_similar_to_labels_are_wrong_usage() {
    let dir = Dir::new();
    let is_unknown = |text: &String| !text.contains('\0') && Alias::for_name(text).is_none();
    let unknown = spec_model::spellings().into_iter().filter(|spelling| spelling.encoding.is_none());
    let unknown: Vec<_> = unknown.map(|spelling| spelling.text).filter(is_unknown).collect();
    assert!(unknown.len() > 2000, "{}", unknown.len());
    let commands = ["list --", "convert -t", "check -f", "check -t", "inspect x -t", "detect --encoding", "index --"];
    for (n, text) in unknown.iter().step_by(17 * ONE_IN).enumerate() {
        let command = commands[n % commands.len()];
        // "auto" is a name for --from, and clap takes a value with a hyphen for an option.
        if text == "auto" || (text.starts_with('-') && !command.ends_with(" --")) {
            continue;
        }
        let result = RunResult::of(dir.textcodec(command).arg(text));
        assert_eq!((result.status, result.stdout.as_slice()), (2, &b""[..]), "{command} {text:?}: {result:?}");
        assert!(!result.stderr.contains("panicked"), "{text:?}");
    }
}

#[test]
fn a_long_name_is_refused() {
    let dir = Dir::new();
    // The longest argument that Linux accepts has 128 KiB. Windows accepts 32 KiB for all.
    let len = if cfg!(windows) { 20_000 } else { 100_000 };
    for name in ["a".repeat(len), "utf-8".repeat(len / 5), "8".repeat(len), "é".repeat(len / 2)] {
        for command in ["list", "convert -f", "check -t", "inspect x -t", "detect --encoding", "index", "iconv -f"] {
            let result = RunResult::of(dir.textcodec(command).arg(&name));
            assert!([1, 2].contains(&result.status) && result.stdout.is_empty(), "{command}");
        }
    }
}

#[test]
fn convert_reads_and_writes_every_label() {
    let dir = Dir::with([("in", &bytes())]);
    let keep = DecodeOptions::new().bom(Bom::Keep);
    for Spelled { text, encoding } in labels(0) {
        let result = RunResult::of(dir.textcodec("convert in -f").arg(&text));
        let input = bytes();
        let decoded = encoding.decode_with(&input, keep).unwrap();
        assert_eq!(String::from_utf8(result.stdout).unwrap(), decoded.text, "{text:?}: {}", result.stderr);
    }
    for Spelled { text, encoding } in labels(1) {
        let sample = sample(encoding);
        std::fs::write(dir.path("text"), &sample).unwrap();
        let result = RunResult::of(dir.textcodec("convert text -f utf-8 -t").arg(&text));
        if encoding == REPLACEMENT {
            assert_eq!(result.status, 2, "{text:?}");
            continue;
        }
        assert_eq!(result.status, 0, "{text:?}: {}", result.stderr);
        // UTF-16 may have a mark before it.
        assert!(result.stdout.ends_with(&encoding.encode(&sample).unwrap()), "{text:?}: {:X?}", result.stdout);
    }
}

#[test]
fn check_reads_and_writes_every_label() {
    let dir = Dir::with([("bytes", &bytes()), ("text", "\u{10FFFF}".as_bytes())]);
    // A label that names a narrower encoding has more to report: the status is 1 if anything is. The message about replacement
    // quotes the label, and gives advice that depends on it.
    let malformed = |label: &str| {
        let (_, lines) = outcome(&RunResult::of(dir.textcodec("check bytes -f").arg(label)), "malformed");
        let lines = lines.replace(&format!("'{}'", label.trim_ascii()), "");
        (0, lines.split("; to decode it, ").next().unwrap_or_default().to_owned())
    };
    same_as_name(malformed, 2);
    same_as_name(|label| outcome(&RunResult::of(dir.textcodec("check text -t").arg(label)), "unmappable"), 3);
}

#[test]
fn detect_selects_by_every_label() {
    let dir = Dir::new();
    // UTF-16 cannot be declared in ASCII.
    let declared = |encoding: &&Encoding| **encoding != REPLACEMENT && !encoding.name().starts_with("UTF-16");
    for encoding in Encoding::ALL.iter().filter(declared) {
        let name = encoding.name();
        std::fs::write(dir.path(&format!("{name}.html")), format!("<meta charset={name}>")).unwrap();
    }
    let mut selected = 0;
    for Spelled { text, encoding } in labels(4) {
        let result = RunResult::of(dir.textcodec("detect -l -r . --encoding").arg(&text));
        let files = String::from_utf8(result.stdout).unwrap();
        let expected = format!("{}.html", encoding.name());
        assert!(files.lines().count() <= 2, "{text:?}: {files}");
        selected += usize::from(files.lines().any(|file| file.ends_with(&expected)));
    }
    assert!(selected > labels(4).len() / 2, "{selected}");
}

#[test]
fn inspect_shows_every_label() {
    let dir = Dir::new();
    for part in labels(0).chunks(60) {
        let part: Vec<_> = part.iter().filter(|label| label.encoding.has_encoder()).collect();
        for label in part {
            let character = sample(label.encoding).chars().nth(1).unwrap();
            let arguments = [&format!("U+{:04X}", u32::from(character)), "-t", &label.text];
            let result = RunResult::of(dir.textcodec("inspect").args(arguments));
            let expected: Vec<_> = label.encoding.encode(&character.to_string()).unwrap().to_vec();
            let shown = String::from_utf8(result.stdout).unwrap();
            let hex: Vec<_> = expected.iter().map(|byte| format!("{byte:02X}")).collect();
            assert!(shown.contains(&hex.join(" ")), "{:?}: {shown}{}", label.text, result.stderr);
            assert!(shown.contains(label.encoding.name()), "{:?}: {shown}", label.text);
        }
    }
    let hex: Vec<_> = bytes().iter().map(|byte| format!("{byte:02X}")).collect();
    let hex = hex.concat();
    same_as_name(|label| outcome(&RunResult::of(dir.textcodec("inspect --json -b").args([&hex, "-f", label])), ""), 2);
}

#[test]
fn index_finds_every_label() {
    let dir = Dir::new();
    same_as_name(
        |label| {
            let result = RunResult::of(dir.textcodec("index --").arg(label));
            (result.status, String::from_utf8(result.stdout).unwrap().lines().take(300).collect())
        },
        3,
    );
}

/// The names of iconv, and the spellings of labels, which mean what iconv says.
#[test]
fn iconv_reads_and_writes_every_name() {
    let dir = Dir::with([("in", &bytes()), ("text", b"abc")]);
    let list = RunResult::of(&mut dir.textcodec("iconv -l"));
    let list = String::from_utf8(list.stdout).unwrap();
    let listed: Vec<_> = list.lines().map(|line| line.strip_suffix("//").unwrap().to_owned()).collect();
    let names: Vec<_> = Form::names().map(|(name, _)| name.to_ascii_uppercase()).collect();
    assert!(names.iter().all(|name| listed.contains(name)));
    let mut first: Vec<(Form, [RunResult; 2])> = Vec::new();
    let labels = labels(4).into_iter().filter(|label| label.encoding != REPLACEMENT).map(|label| label.text);
    for name in listed.into_iter().step_by(ONE_IN).chain(labels) {
        let read = RunResult::of(dir.textcodec("iconv -c in -t utf-8 -f").arg(&name));
        let written = RunResult::of(dir.textcodec("iconv text -f utf-8 -t").arg(&name));
        assert_eq!((written.status, written.stderr.as_str()), (0, ""), "{name:?}");
        // These are names of the program alone: UTF-8 with a byte order mark, or with decomposed letters, or in every locale.
        if ["-SIG", "-MAC", "CHAR"].iter().any(|end| name.ends_with(end)) {
            continue;
        }
        let Some(form) = Form::for_name(&name) else { panic!("{name:?} is listed and unknown") };
        let results = [RunResult { stderr: String::new(), ..read }, written];
        match first.iter().find(|(other, _)| *other == form) {
            Some((_, expected)) => assert_eq!(results, *expected, "{name:?}"),
            None => first.push((form, results)),
        }
    }
}
