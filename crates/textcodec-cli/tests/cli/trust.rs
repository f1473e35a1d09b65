//! What happens to text whose detected encoding is uncertain: `--min-confidence`, and the hints for detection.

use std::fs;

use crate::common::{Dir, RunResult, pipe};

/// A guess from one letter is not of high confidence, nor is the encoding that a build without guesses names.
const DOUBTFUL: &[u8] = b"f\xFCr";

/// UTF-8 with one character is of medium confidence.
const SHORT: &[u8] = "für".as_bytes();

const DECLARED: &[u8] = b"<meta charset=koi8-r>\xCD\xC9\xD2";

fn json(result: &RunResult) -> serde_json::Value {
    serde_json::from_slice(&result.stdout).unwrap()
}

/// Returns the confidence in the encoding of [`DOUBTFUL`], and the warning about it. Tests of the guess say what these are.
fn doubt() -> (String, String) {
    let object = json(&RunResult::with_input("detect --json", DOUBTFUL));
    let [encoding, confidence, reason] =
        ["encoding", "confidence", "reason"].map(|name| object[name].as_str().unwrap());
    let what = format!("the detected encoding, {encoding}, is uncertain ({confidence}: {reason})");
    let advice = format!("give the encoding with -f, or accept this one with --min-confidence={confidence}");
    (confidence.to_owned(), format!("{what}; {advice}"))
}

/// Returns a directory `in` with files in known encodings, and one that is doubtful.
fn folder() -> Dir {
    let dir = Dir::new();
    fs::create_dir_all(dir.path("in/deep")).unwrap();
    for (name, bytes) in [
        ("in/a.html", DECLARED),
        ("in/b.txt", SHORT),
        ("in/c.txt", b"plain\n"),
        ("in/deep/d.txt", DOUBTFUL),
        ("in/deep/e.html", DECLARED),
    ] {
        fs::write(dir.path(name), bytes).unwrap();
    }
    dir
}

const MIR: &[u8] = "<meta charset=koi8-r>мир".as_bytes();

#[test]
fn in_place_a_doubtful_file_is_left_unchanged_and_named() {
    let (level, warning) = doubt();
    let why = format!("a: {warning}");
    for (suffix, force) in [("", "--in-place"), ("=.bak", "--in-place=.bak")] {
        let dir = Dir::with([("a", DOUBTFUL)]);
        let run = |more: &str| dir.convert(&format!("-f auto --in-place{suffix} {more} a"));
        for _ in 0..2 {
            run("").assert_message(1, &format!("{why}; left unchanged; --force converts it anyway"));
            run("-v").assert_message(1, &format!("{why}; left unchanged"));
            run("--dry-run").assert_message(1, &format!("{why}; would be left unchanged; --force converts it anyway"));
            run("-q").assert_message_free(1);
            assert_eq!((dir.read("a"), dir.names()), (DOUBTFUL.to_vec(), vec!["a".to_owned()]));
        }
        let report = json(&run("--report=json"));
        let file = &report["files"][0];
        assert_eq!((&file["outcome"], &report["counts"]["undecided"]), (&"undecided".into(), &1.into()));
        assert_eq!((&file["from"], &file["confidence"]), (&"windows-1252".into(), &(&*level).into()));
        assert_eq!((file["probability"].is_f64(), &report["exit_status"]), (true, &1.into()));
        assert_eq!(file["why"], *warning);
        // As the message says.
        dir.convert(&format!("-f auto {force} --force a")).assert_clean("");
        assert_eq!(dir.read("a"), SHORT);
        let dir = Dir::with([("a", DOUBTFUL)]);
        let result = dir.convert(&format!("-f auto {force} --min-confidence=high a"));
        assert_eq!((result.status, dir.read("a")), (1, DOUBTFUL.to_vec()));
        dir.convert(&format!("-f windows-1252 {force} a")).assert_clean("");
        assert_eq!(dir.read("a"), SHORT);
    }
}

#[test]
fn one_doubtful_file_of_a_folder_is_left_unchanged() {
    let dir = folder();
    let result = dir.convert("-f auto -r --in-place in");
    result.assert_message(
        1,
        &format!(
            "5 files: 2 converted, 2 unchanged, 1 undecided\n  what is undecided was left unchanged; --verbose says why, --force \
             converts it\n  2 still have the old declaration; --update-declaration corrects them\n  with the old declaration: \
             in/a.html\n  with the old declaration: in/deep/e.html\n  undecided: in/deep/d.txt: windows-1252 is uncertain ({})",
            doubt().0
        ),
    );
    let files = || ["in/a.html", "in/b.txt", "in/c.txt", "in/deep/d.txt", "in/deep/e.html"].map(|name| dir.read(name));
    let expected = [MIR, SHORT, b"plain\n", DOUBTFUL, MIR];
    assert_eq!(files(), expected);
    // A second run does the same: nothing.
    let again = dir.convert("-f auto -r --in-place in");
    assert_eq!((again.status, files().map(|file| file.len())), (1, expected.map(<[u8]>::len)));
    assert!(
        again.stderr.starts_with("textcodec: 5 files: 0 converted, 4 unchanged, 1 undecided\n"),
        "{}",
        again.stderr
    );
    // One that is doubtful is accepted, once.
    for status in [0, 0] {
        let result = dir.convert("-f auto -r --in-place --min-confidence low in");
        assert_eq!((result.status, dir.read("in/deep/d.txt")), (status, SHORT.to_vec()), "{}", result.stderr);
    }
}

#[test]
fn another_output_is_written_with_a_warning() {
    let (level, warning) = doubt();
    let dir = Dir::with([("a", DOUBTFUL), ("b", SHORT), ("c", DECLARED)]);
    let result = dir.convert("-f auto a");
    assert_eq!((result.status, &*result.stdout), (1, SHORT));
    assert_eq!(result.stderr, format!("textcodec: a: {warning}\n"));
    let result = pipe("-f auto", DOUBTFUL);
    assert_eq!((result.status, &*result.stdout), (1, SHORT));
    assert_eq!(result.stderr, format!("textcodec: standard input: {warning}\n"));
    dir.convert("-f auto a -o out").assert_message(1, &format!("a: {warning}"));
    dir.convert("-f auto -q a -o out").assert_message(1, &format!("a: {warning}"));
    assert_eq!(dir.read("out"), SHORT);
    dir.convert("-f auto -q a --output-dir dir").assert_message(1, &format!("a: {warning}"));
    assert_eq!(dir.read("dir/a"), SHORT);
    let result = dir.convert("-f auto --output-dir dir a b c");
    assert_eq!((result.status, dir.read("dir/a"), dir.read("dir/c")), (1, SHORT.to_vec(), MIR.to_vec()));
    assert!(result.stderr.starts_with(&format!("textcodec: a: {warning}\n")), "{}", result.stderr);
    let summary = "textcodec: 3 files: 2 converted, 1 converted from an uncertain encoding\n";
    assert!(result.stderr.contains(summary), "{}", result.stderr);
    assert!(
        result.stderr.ends_with(&format!("\n  uncertain: a: windows-1252 is uncertain ({level})\n")),
        "{}",
        result.stderr
    );
    let report = json(&dir.convert("-f auto --report=json --output-dir dir a b"));
    assert_eq!((&report["counts"]["uncertain"], &report["counts"]["losses"]), (&1.into(), &0.into()));
    assert_eq!((&report["files"][0]["outcome"], &report["exit_status"]), (&"uncertain".into(), &1.into()));
    assert_eq!(report["files"][0]["warnings"][0], format!("a: {warning}"));
    for output in ["", "-o out", "--output-dir dir"] {
        let result = dir.convert(&format!("-f auto --min-confidence=low {output} a"));
        assert!(result.status == 0 && !result.stderr.contains("uncertain"), "{}", result.stderr);
    }
}

#[test]
fn text_that_stays_as_it_is_needs_no_confidence() {
    let dir = Dir::with([("a", SHORT), ("b", "ü".as_bytes()), ("c", b"plain \x1B[1m\n")]);
    for _ in 0..2 {
        dir.convert("-f auto --in-place a b").assert_message(0, "2 files: 0 converted, 2 unchanged");
        dir.convert("-f auto -q --in-place=.bak c").assert_clean("");
        dir.convert("-f auto -t windows-1252 -q --in-place c").assert_clean("");
        dir.convert("-f auto -q --output-dir out a b c").assert_clean("");
        dir.convert("-f auto a b").assert_clean("fürü");
    }
    // A byte order mark does not change the text.
    dir.convert("-f auto --bom=add --in-place -q a b").assert_clean("");
    assert_eq!(dir.read("b"), "\u{FEFF}ü".as_bytes());
    // In another encoding, it does.
    let dir = Dir::with([("a", SHORT)]);
    let result = dir.convert("-f auto -t windows-1252 --in-place a");
    assert_eq!((result.status, dir.read("a")), (1, SHORT.to_vec()));
    assert!(result.stderr.contains("UTF-8, is uncertain (medium: valid UTF-8, "), "{}", result.stderr);
    for _ in 0..2 {
        let result = dir.convert("-f auto -t windows-1252 --min-confidence=medium -q --in-place a");
        assert!(result.status <= 1 && [SHORT, DOUBTFUL].contains(&&*dir.read("a")), "{}", result.stderr);
    }
}

/// Without its first two letters, it would be another text.
#[test]
fn text_that_starts_like_a_byte_order_mark_keeps_its_start() {
    let text = b"\xFF\xFE\xF8\xEA\xE0, \xEA\xE0\xEA \xE8 \xE2\xF1\xE5.\n\n";
    let advice = "if the text is windows-1251, use --input-bom=own; left unchanged; ";
    for (bytes, why) in
        [(&text[..], "(low: byte order mark (FF FE); but "), (b"\xFF\xFE", "no text follows the byte order mark")]
    {
        let dir = Dir::with([("a", bytes)]);
        for to in ["utf-8", "utf-16le", "utf-16be"] {
            let result = dir.convert(&format!("-f windows-1251 -t {to} --in-place a"));
            assert_eq!((result.status, dir.read("a")), (1, bytes.to_vec()), "{}", result.stderr);
            assert!(result.stderr.contains(why) && result.stderr.contains(advice), "{}", result.stderr);
            let result = dir.convert(&format!("-f windows-1251 -t {to} a -o out"));
            assert!(result.status == 1 && result.stderr.contains(" is uncertain ("), "{}", result.stderr);
        }
        dir.convert("-f windows-1251 --input-bom=own --in-place a").assert_clean("");
        assert!(String::from_utf8(dir.read("a")).unwrap().starts_with("яю"));
    }
}

#[test]
fn a_doubtful_text_with_errors_is_undecided() {
    // UTF-8, with a few bytes of something else; and one whose characters the output lacks.
    let mixed = ["Größe für Äpfel, déjà vu, où, ça, là\n".as_bytes(), b"caf\xE9\n"].concat();
    for (bytes, to) in [(&mixed[..], "utf-8"), (&mixed, "utf-16le"), ("Щ".as_bytes(), "windows-1252")] {
        for in_place in
            ["--in-place", "--in-place=.bak", "--in-place --malformed=replace", "--in-place --unmappable=html"]
        {
            let dir = Dir::with([("a", bytes)]);
            let result = dir.convert(&format!("-f auto -t {to} {in_place} a"));
            assert_eq!((result.status, dir.names(), dir.read("a")), (1, vec!["a".to_owned()], bytes.to_vec()));
            assert!(
                result.stderr.contains(" is uncertain (") && result.stderr.contains("left unchanged"),
                "{}",
                result.stderr
            );
        }
        let dir = Dir::with([("a", bytes)]);
        let accepted =
            dir.convert(&format!("-f auto -t {to} --min-confidence=low --unmappable=html --in-place=.bak a"));
        assert!(accepted.status <= 1 && dir.read("a.bak") == bytes, "{}", accepted.stderr);
        // As for all text in a known encoding.
        let strict = dir.convert(&format!("-f utf-8 -t {to} --strict a.bak -o out"));
        assert_eq!(strict.status, 3, "{}", strict.stderr);
    }
}

#[test]
fn a_number_is_compared_with_the_probability() {
    let dir = Dir::with([("a", SHORT), ("b", DECLARED)]);
    for (level, status) in [("0", 0), ("0.5", 0), ("medium", 0), ("high", 1), ("0.9999", 1), ("1", 1), ("1.0", 1)] {
        let result = dir.convert(&format!("-f auto -t utf-16le --min-confidence {level} a -o out"));
        assert_eq!(result.status, status, "{level}: {}", result.stderr);
    }
    // A byte order mark is certain.
    fs::write(dir.path("marked"), "\u{FEFF}ü").unwrap();
    dir.convert("-f auto -t utf-16le --min-confidence 1 marked -o out").assert_clean("");
    // The default can be raised.
    assert_eq!(dir.convert("-f auto -q b -o out").status, 0);
    let result = dir.convert("-f auto --min-confidence 1 --in-place b");
    assert_eq!((result.status, dir.read("b")), (1, DECLARED.to_vec()), "{}", result.stderr);
    for level in ["maybe", "-1", "1.1", "NaN", "inf", "", "High"] {
        for command in ["convert -f auto", "check -f auto", "detect"] {
            let result = RunResult::of(dir.textcodec(command).arg(format!("--min-confidence={level}")).arg("a"));
            result.assert_invalid_value("expected low, medium, high, or a number from 0 to 1");
        }
    }
}

#[test]
fn options_about_detection_require_it() {
    let dir = Dir::with([("a", SHORT)]);
    for (option, name) in [
        ("--language fr", "--language"),
        ("--candidates windows-1252", "--candidates"),
        ("--min-confidence low", "--min-confidence"),
    ] {
        for from in ["", "-f utf-8", "-f utf-8,windows-1252", "--mail"] {
            let result = dir.convert(&format!("{from} {option} a -o out"));
            result.assert_usage(&format!("{name} requires -f auto: no encoding is detected"));
        }
        RunResult::of(&mut dir.textcodec(&format!("check {option} a"))).assert_usage_of("check");
        for command in ["convert -f auto -o out", "check -f auto", "detect"] {
            let result = RunResult::of(&mut dir.textcodec(&format!("{command} {option} a")));
            assert_eq!((result.status, &*result.stderr), (0, ""), "{command} {option}");
        }
    }
    assert_eq!(dir.names(), ["a", "out"]);
}

#[test]
fn hints_are_checked() {
    let dir = Dir::with([("a", SHORT)]);
    for command in ["convert -f auto", "check -f auto", "detect"] {
        let run = |option: &str| RunResult::of(dir.textcodec(command).arg(option).arg("a"));
        for tag in ["tlh", "", "fr,", "fr,xx", "\u{1B}[1m", "aé€\u{1F600}latn", "é"] {
            run(&format!("--language={tag}"))
                .assert_invalid_value("no such language is known; known are en (English), de ");
        }
        for tags in ["fr", "fr,de", "pt-BR", "ZH_tw", "french", "sr-Latn", "no, sv"] {
            assert_eq!(run(&format!("--language={tags}")).status, 0, "{tags}");
        }
        for (labels, what) in [
            ("", "--candidates: '' is not a label"),
            ("gbk,nothing", "--candidates: 'nothing' is not a label"),
            ("auto", "--candidates: 'auto' is not a label"),
            ("table", "--candidates: 'table' is not a label"),
            ("isomorphic", "--candidates: ISO-8859-1 is never detected; "),
            ("IBM1047", "--candidates: IBM1047 is never detected, because "),
            ("replacement", "--candidates: replacement is never detected: "),
            ("utf_16", "--candidates: 'utf_16' is not a label of the Encoding Standard; use 'utf-16', or --aliases"),
        ] {
            let result = run(&format!("--candidates={labels}"));
            assert!(result.status == 2 && result.stderr.contains(what), "{labels}: {}", result.stderr);
        }
        for labels in ["windows-1252", "latin1,cp850", "Shift_JIS, euc-jp", "utf-8"] {
            assert_eq!(run(&format!("--candidates={labels}")).status, 0, "{labels}");
        }
        let result = RunResult::of(&mut dir.textcodec(&format!("{command} --aliases --candidates utf_16,gbk a")));
        assert_eq!((result.status, &*result.stderr), (0, ""));
    }
}

#[test]
fn check_says_that_an_encoding_is_uncertain() {
    let dir = Dir::with([("a", DOUBTFUL), ("b", SHORT), ("c", DECLARED)]);
    let check = |arguments: &str| RunResult::of(&mut dir.textcodec(&format!("check -f auto {arguments}")));
    let message = format!("a: {}", doubt().1);
    check("a").assert_message(1, &message);
    check("-q a").assert_message_free(1);
    check("a b c").assert_message(
        1,
        &format!("{message}\ntextcodec: nothing found in 3 files; the encoding of 1 file is uncertain"),
    );
    check("--min-confidence=low a").assert_clean("");
    check("b").assert_clean("");
    // Nothing is known about the file, so it is in neither list.
    assert_eq!(check("-L a b").stdout, b"b\n");
    assert_eq!(check("-l a b").stdout, b"");
    check("-L --min-confidence=low a b").assert_clean("a\nb\n");
}

#[test]
fn detect_prints_unknown_for_less_confidence() {
    let dir = Dir::with([("a", DOUBTFUL), ("b", SHORT), ("c", DECLARED)]);
    let detect = |arguments: &str| RunResult::of(&mut dir.textcodec(&format!("detect {arguments}")));
    let (level, result) = (doubt().0, detect("--min-confidence high a b c"));
    assert_eq!((result.status, &*result.stderr), (1, ""));
    let lines: Vec<_> = std::str::from_utf8(&result.stdout).unwrap().lines().collect();
    assert!(lines[0].starts_with(&format!("a: unknown      {level:<8} ")), "{}", lines[0]);
    assert!(lines[1].starts_with("b: unknown      medium   valid UTF-8, "), "{}", lines[1]);
    assert!(lines[2].starts_with("c: KOI8-R       high     "), "{}", lines[2]);
    detect("-l --min-confidence medium b").assert_clean("b\n");
    let names = |arguments: &str| detect(arguments).stdout;
    assert_eq!(names("-L -e windows-1252 --min-confidence high a b"), b"a\nb\n");
    assert_eq!(names("-l -e windows-1252 a b"), b"a\n");
    let result = detect("--json --min-confidence high a");
    let object = json(&result);
    assert_eq!(
        (result.status, &object["encoding"], &object["confidence"]),
        (1, &serde_json::Value::Null, &(&*level).into())
    );
    assert_eq!(object["candidates"][0]["encoding"], "windows-1252");
    assert_eq!(detect("a").status, 0);
    assert_eq!(detect("--min-confidence high c").status, 0);
}

#[test]
fn the_json_of_detect_has_probabilities() {
    let dir = Dir::with([("a", DECLARED)]);
    let object = json(&RunResult::of(&mut dir.textcodec("detect --json a")));
    assert!(object["probability"].as_f64().is_some_and(|probability| (0.999..=1.0).contains(&probability)));
    for candidate in object["candidates"].as_array().unwrap() {
        assert!(candidate["probability"].as_f64().is_some_and(|probability| (0.0..=1.0).contains(&probability)));
    }
    let report = json(&dir.convert("-f auto --report=json a -o out"));
    assert_eq!(report["files"][0]["probability"], object["probability"]);
    // Nothing was detected.
    assert_eq!(
        json(&dir.convert("-f koi8-r --report=json a -o out"))["files"][0]["probability"],
        serde_json::Value::Null
    );
}

#[cfg(feature = "detect")]
#[test]
fn the_language_is_printed_with_the_first_candidate() {
    let text = "La forêt est calme et l'élève rêve déjà de l'été. Où est le garçon ?\n".repeat(3);
    let dir = Dir::with([("a", &textcodec::WINDOWS_1252.encode(&text).unwrap())]);
    let result = RunResult::of(&mut dir.textcodec("detect --all a"));
    let lines: Vec<_> = std::str::from_utf8(&result.stdout).unwrap().lines().collect();
    assert!(lines[1].ends_with(" of them unlikely; French"), "{}", lines[1]);
    assert!(lines[2..].iter().all(|line| !line.contains("French")), "{lines:?}");
    assert_eq!(json(&RunResult::of(&mut dir.textcodec("detect --json a")))["language"], "French");
}

#[test]
fn the_start_of_a_text_may_end_within_a_character() {
    let text = "日本語の文章です";
    for cut in 1..3 {
        let start = &text.as_bytes()[..text.len() - cut];
        let result = RunResult::with_input("detect --partial --json", start);
        let object = json(&result);
        assert_eq!((&object["encoding"], &object["candidates"][0]["malformed"]), (&"UTF-8".into(), &0.into()));
        let reason = object["reason"].as_str().unwrap();
        assert!(reason.ends_with(&format!("; only the first {} bytes were examined", start.len())), "{reason}");
    }
}

#[test]
fn a_declaration_that_cannot_be_served_is_not_overruled_in_place() {
    for (label, text) in
        [("IBM850", "déjà vu, L'été à Orléans, la fête"), ("x-foo", "déjà vu, L'été à Orléans, la fête")]
    {
        let page = format!("<?xml version='1.0' encoding='{label}'?><a>{text}</a>\n");
        let bytes = textcodec::WINDOWS_1252.encode(&page).unwrap().into_owned();
        for in_place in
            ["--in-place", "--in-place=.bak", "--in-place --update-declaration", "--in-place=.bak --update-declaration"]
        {
            let dir = Dir::with([("a", &bytes)]);
            let result = dir.convert(&format!("-f auto {in_place} a"));
            assert_eq!((result.status, dir.names(), dir.read("a")), (1, vec!["a".to_owned()], bytes.clone()));
            let message =
                format!("textcodec: a: declared as '{label}' by <?xml encoding=\"{label}\"?> at byte 0, and ");
            assert!(result.stderr.starts_with(&message), "{}", result.stderr);
        }
        let dir = Dir::with([("a", &bytes)]);
        let result = dir.convert("-f auto -q a -o out");
        assert_eq!((result.status, dir.path("out").exists()), (1, true));
        assert!(result.stderr.contains(" is uncertain (low: ") && result.stderr.contains(label), "{}", result.stderr);
        // A label that is the only evidence is not replaced, even if the text is short UTF-8.
        let short = format!("<?xml version='1.0' encoding='{label}'?><a>é</a>\n");
        fs::write(dir.path("short"), &short).unwrap();
        dir.convert("-f auto -q --in-place short").assert_clean("");
        let result = dir.convert("-f auto -q --update-declaration --in-place short");
        assert_eq!((result.status, dir.read("short")), (1, short.into_bytes()), "{}", result.stderr);
    }
}

#[test]
fn only_the_header_that_was_followed_is_corrected_in_a_mailbox() {
    let message = |label: &str, text: &[u8]| {
        [b"From a\nContent-Type: text/plain; charset=", label.as_bytes(), b"\n\n", text, b"\n\n"].concat()
    };
    let mailbox = |labels: [&str; 3]| {
        [message(labels[0], b"\xCD\xC9\xD2"), message(labels[1], b"caf\xE9"), message(labels[2], b"\xEC\xE8\xF0")]
            .concat()
    };
    let original = mailbox(["koi8-r", "iso-8859-1", "windows-1251"]);
    for (from, labels) in [
        ("koi8-r", ["utf-8", "iso-8859-1", "windows-1251"]),
        ("latin1", ["koi8-r", "utf-8", "windows-1251"]),
        ("windows-1251", ["koi8-r", "iso-8859-1", "utf-8"]),
        ("iso-8859-5", ["koi8-r", "iso-8859-1", "windows-1251"]),
    ] {
        let dir = Dir::with([("a", &original)]);
        let result = dir.convert(&format!("-f {from} --update-declaration a"));
        let expected = textcodec::Encoding::for_label(from).unwrap().decode(&mailbox(labels)).text.into_owned();
        assert_eq!(String::from_utf8(result.stdout).unwrap(), expected, "{from}");
        assert_eq!(
            result.stderr.matches("; its part may be damaged").count(),
            labels.iter().filter(|label| **label != "utf-8").count()
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_doubtful_file_may_have_any_name() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt as _};

    let dir = Dir::with([("b", SHORT)]);
    for name in [&b"caf\xE9"[..], b"\x1B[1m", b"a\nb", b"-x"] {
        let path = dir.path("").join(OsStr::from_bytes(name));
        fs::write(&path, DOUBTFUL).unwrap();
        let output = dir.convert_command("-f auto -r --in-place .").output().unwrap();
        let expected = [b"\n  undecided: ./", name, b": windows-1252 is uncertain ("].concat();
        let has = output.stderr.windows(expected.len()).any(|bytes| bytes == expected);
        assert!(has && output.status.code() == Some(1), "{}", output.stderr.escape_ascii());
        let report = json(&dir.convert("-f auto -r --in-place --report=json ."));
        assert_eq!(report["counts"]["undecided"], 1);
        let output = dir.convert_command("-f auto --output-dir out -- ").arg(OsStr::from_bytes(name)).output().unwrap();
        let expected = [b"textcodec: ", name, b": the detected encoding, windows-1252, is uncertain ("].concat();
        assert!(output.stderr.starts_with(&expected), "{}", output.stderr.escape_ascii());
        assert_eq!(fs::read(&path).unwrap(), DOUBTFUL);
        fs::remove_file(path).unwrap();
        fs::remove_dir_all(dir.path("out")).unwrap();
    }
}

/// The advice for lines in UTF-8 between others is true: both commands do what it says.
#[test]
#[cfg(feature = "detect")]
fn for_mixed_text_the_advice_is_a_list_of_encodings() {
    let lines =
        ["La forêt est calme.\n", "L'élève rêve déjà de l'été.\n", "Des vacances à la mer, où il fait chaud.\n"];
    let text: String = lines.repeat(20).concat();
    let old = textcodec::WINDOWS_1252.encode(&text).unwrap();
    let mixed = [&old[..], lines[1].as_bytes(), &old].concat();
    let dir = Dir::with([("a", &mixed)]);
    let result = dir.convert("-f auto --in-place a");
    let advice = "; `check -f UTF-8,windows-1252` names what is in which encoding, and -f UTF-8,windows-1252 converts both; or accept \
                  this one with --min-confidence=low; left unchanged; --force converts it anyway\n";
    assert_eq!((result.status, dir.read("a")), (1, mixed));
    assert!(result.stderr.ends_with(advice), "{}", result.stderr);
    let object = json(&RunResult::with_input("detect --json", &dir.read("a")));
    assert_eq!((&object["encoding"], &object["mixed_with"]), (&"windows-1252".into(), &"UTF-8".into()));
    assert_eq!(RunResult::of(&mut dir.textcodec("check -f UTF-8,windows-1252 a")).status, 1);
    dir.convert("-f UTF-8,windows-1252 --in-place a").assert_clean("");
    assert_eq!(dir.read("a"), [&text, lines[1], &text].concat().into_bytes());
}
