//! `textcodec iconv`: compatibility with iconv, and deliberate differences.
//!
//! The expected results are those of glibc's iconv 2.36 in the locale C.UTF-8. The tests do not run iconv.

use std::{fs, process::Command};

use assert_cmd::cargo::cargo_bin;
use textcodec::DecodeReason;

use crate::common::{Dir, RunResult};

/// Runs `textcodec iconv` with bytes on standard input.
fn iconv(arguments: &str, input: impl AsRef<[u8]>) -> RunResult {
    RunResult::with_input(&format!("iconv {arguments}"), input.as_ref())
}

/// Runs `textcodec iconv` in a directory.
fn run(dir: &Dir, arguments: &str) -> RunResult {
    RunResult::of(&mut dir.textcodec(&format!("iconv {arguments}")))
}

/// glibc's iconv writes the same bytes.
#[test]
fn the_output_equals_that_of_iconv() {
    for (arguments, input, output) in [
        ("-f CP1251 -t UTF-8", &b"\xCF\xF0\xE8\xE2\xE5\xF2"[..], "Привет".as_bytes()),
        ("-f UTF-8 -t CP1251", "Привет".as_bytes(), b"\xCF\xF0\xE8\xE2\xE5\xF2"),
        ("-f SJIS -t UTF8", b"\x93\xFA\x96{", "日本".as_bytes()),
        ("-f CP932", b"\x87@", "①".as_bytes()),
        ("-t EUC-JP", "日本".as_bytes(), b"\xC6\xFC\xCB\xDC"),
        // C1 controls, not windows-1252.
        ("-f LATIN1", b"\x80\x93\xE9", "\u{80}\u{93}é".as_bytes()),
        ("-f ISO-8859-1", b"\x80", "\u{80}".as_bytes()),
        ("-f CP1252", b"\x80", "€".as_bytes()),
        ("-t ISO_8859-15", "€".as_bytes(), b"\xA4"),
        ("-f 8859_7 -t UTF-8//", b"\xE1", "α".as_bytes()),
        // Options with attached values, abbreviated, combined and repeated.
        ("-futf8 -tlatin1", "é".as_bytes(), b"\xE9"),
        ("--from-code=LATIN1 --to-code=UTF-8", b"\xE9", "é".as_bytes()),
        ("--from latin1 --to utf-8", b"\xE9", "é".as_bytes()),
        ("-f ascii -f latin1 -sc", b"\xE9", "é".as_bytes()),
        // Byte order marks.
        ("-t UTF-16", "aä".as_bytes(), b"\xFF\xFEa\0\xE4\0"),
        ("-t UNICODE", b"a", b"\xFF\xFEa\0"),
        ("-t UTF-16LE", b"a", b"a\0"),
        ("-t UTF-16BE", b"a", b"\0a"),
        ("-t UCS-2", b"a", b"a\0"),
        ("-f UTF-16", b"\xFF\xFEa\0", b"a"),
        ("-f UTF-16", b"\xFE\xFF\0a", b"a"),
        ("-f UTF-16", b"a\0", b"a"),
        ("-f UTF-16LE", b"\xFF\xFEa\0", "\u{FEFF}a".as_bytes()),
        ("-f UTF-8 -t UTF-8", "\u{FEFF}a".as_bytes(), "\u{FEFF}a".as_bytes()),
        ("-f UTF-8 -t UTF-16LE", "\u{FEFF}a".as_bytes(), b"\xFF\xFEa\0"),
        ("-f LATIN1", b"\xEF\xBB\xBFa", "ï»¿a".as_bytes()),
        // Transliteration.
        ("-t ASCII//TRANSLIT", "Größe: 5 €, “ﬁn” Ł".as_bytes(), b"Grosse: 5 EUR, \"fin\" L"),
        ("-t ascii//translit", "äé—中".as_bytes(), b"ae--?"),
        ("-t LATIN1//TRANSLIT", "ab€cdé中".as_bytes(), b"abEURcd\xE9?"),
        ("-f UTF-8//TRANSLIT -t UTF-8", b"a", b"a"),
    ] {
        let result = iconv(arguments, input);
        assert_eq!(result.status, 0, "{arguments}: {result:?}");
        assert_eq!((result.stdout.as_slice(), result.stderr.as_str()), (output, ""), "{arguments}");
    }
}

#[test]
fn a_link_named_iconv_runs_the_subcommand() {
    let dir = Dir::with([("in", b"\xCF\xF0")]);
    fs::create_dir(dir.path("bin")).unwrap();
    let link = dir.path("bin/iconv");
    #[cfg(unix)]
    std::os::unix::fs::symlink(cargo_bin!("textcodec"), &link).unwrap();
    #[cfg(not(unix))]
    fs::copy(cargo_bin!("textcodec"), &link).unwrap();
    let mut command = Command::new(&link);
    let result = RunResult::of(command.args(["-f", "cp1251", "in"]).current_dir(dir.path("")));
    result.assert_clean("Пр");
    let result = RunResult::of(Command::new(&link).arg("--help"));
    assert!(String::from_utf8(result.stdout).unwrap().contains("Usage: textcodec iconv [OPTIONS] [FILE]..."));
    let result = RunResult::of(Command::new(&link).arg("-V"));
    result.assert_clean(format!("iconv (textcodec) {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn the_output_ends_before_the_first_error() {
    let result = iconv("-f UTF-8 -t UTF-16LE", b"ab\xFFcd");
    assert_eq!(result.stdout, b"a\0b\0");
    result.assert_message(
        1,
        "standard input: malformed UTF-8 at byte 2 (FF): {InvalidByte}; \
         the output before this point was written to standard output; to continue, use -c, which skips malformed bytes",
    );
    let result = iconv("-f ASCII", "é");
    assert!(result.stderr.contains("malformed ASCII at byte 0 (C3)"), "{result:?}");
    assert!(result.stderr.contains("; nothing was written to standard output; "), "{result:?}");
    let result = iconv("-f CP1253", b"ab\xD2");
    assert_eq!((result.status, result.stdout.as_slice()), (1, &b"ab"[..]));
    let result = iconv("-t LATIN1", "ab\n€cd");
    assert_eq!(result.stdout, b"ab\n");
    result.assert_message(
        1,
        "standard input: unmappable in ISO-8859-1 at line 2, column 1: U+20AC '€'; \
         the output before this point was written to standard output; \
         to continue, use -c, or append //TRANSLIT to the name of the encoding",
    );
    // As in iconv, a suffix of the input encoding has no effect on the output.
    assert_eq!(iconv("-f UTF-8//TRANSLIT -t LATIN1", "€").status, 1);
    assert_eq!(iconv("-f UTF-8//IGNORE -t LATIN1", "€").status, 1);
}

/// The exit status of iconv with -c depends on what was skipped, and on its version.
#[test]
fn skipped_input_is_reported_and_gives_status_1() {
    for how in ["-c -t LATIN1", "-t LATIN1//IGNORE", "-c -t latin1//ignore"] {
        let result = iconv(how, b"ab\xFF\xFFcd\xE2\x82");
        assert_eq!(result.stdout, b"abcd", "{how}");
        result.assert_message(
            1,
            "standard input: 3 malformed sequences skipped; the first at byte 2 (FF): {InvalidByte}",
        );
        let result = iconv(how, "a€\nb字c");
        assert_eq!(result.stdout, b"a\nbc", "{how}");
        result.assert_message(
            1,
            "standard input: 2 unmappable characters skipped; the first at line 1, column 2: U+20AC '€' is not in ISO-8859-1",
        );
        iconv(how, "abé").assert_clean(b"ab\xE9");
    }
    let result = iconv("-c -s -t ASCII", b"ab\xFF");
    assert_eq!((result.status, result.stdout.as_slice(), result.stderr.as_str()), (1, &b"ab"[..], ""));
    // Both suffixes together.
    let result = iconv("-t ASCII//TRANSLIT//IGNORE", b"5 \xE2\x82\xAC\xFF!");
    assert_eq!((result.status, result.stdout.as_slice()), (1, &b"5 EUR!"[..]));
    assert!(result.stderr.contains("1 malformed sequence skipped, at byte 5 (FF)"), "{result:?}");
}

/// In glibc, transliteration depends on the locale. Most locales have only question marks for these characters.
#[test]
fn transliteration_is_the_same_in_every_locale() {
    for locale in ["C", "C.UTF-8", "de_DE.UTF-8", "tr_TR"] {
        let dir = Dir::with([("in", "Ärger in Київ, naïve ½".as_bytes())]);
        let mut command = dir.textcodec("iconv -t ASCII//TRANSLIT in");
        let result = RunResult::of(command.env("LC_ALL", locale).env("LANG", locale));
        result.assert_clean("Arger in Kiyiv, naive  1/2");
    }
}

#[test]
fn files_are_concatenated_with_one_byte_order_mark() {
    let dir = Dir::with([("a", b"\xE9"), ("b", b"\xFC")]);
    run(&dir, "-f latin1 -t utf-16 a b a").assert_clean(b"\xFF\xFE\xE9\0\xFC\0\xE9\0");
    let result = run(&dir, "--verbose -f latin1 a b");
    assert_eq!((result.status, result.stdout.as_slice()), (0, "éü".as_bytes()));
    assert_eq!(result.stderr, "textcodec: a\ntextcodec: b\n");
    // An incomplete character does not continue in the next file.
    let dir = Dir::with([("a", b"a\xE2\x82"), ("b", b"\xACb")]);
    let result = run(&dir, "a b");
    assert_eq!((result.status, result.stdout.as_slice()), (1, &b"a"[..]));
    let message = format!("textcodec: a: malformed UTF-8 at byte 1 (E2 82): {}", DecodeReason::Incomplete);
    assert!(result.stderr.starts_with(&message), "{result:?}");
}

/// iconv writes to the file while reading it, crashes, or keeps only the first 32 KiB.
#[test]
fn the_output_may_be_an_input() {
    let text = "ёлка ".repeat(100_000);
    let bytes = textcodec::KOI8_R.encode(&text).unwrap();
    let dir = Dir::with([("file", &bytes), ("other", b"\xC1")]);
    run(&dir, "-f KOI8-R -o file file").assert_clean("");
    assert_eq!(dir.read("file"), text.as_bytes());
    run(&dir, "-f UTF-8 -t KOI8-R file -o ./file").assert_clean("");
    assert_eq!(dir.read("file"), *bytes);
    run(&dir, "-f KOI8-R -o other other file other").assert_clean("");
    assert_eq!(dir.read("other"), format!("а{text}а").as_bytes());
    assert_eq!(dir.names(), ["file", "other"]);
}

#[test]
fn a_file_opened_by_the_shell_must_not_be_an_input() {
    let dir = Dir::with([("file", b"original")]);
    let append = fs::OpenOptions::new().append(true).open(dir.path("file")).unwrap();
    let result = RunResult::of(dir.textcodec("iconv -t utf-16 file").stdout(append));
    assert_eq!(result.status, 2);
    assert!(
        result.stderr.starts_with("error: standard output is also an input (file) and would be overwritten; use -o"),
        "{result:?}"
    );
    assert_eq!(dir.read("file"), b"original");
}

#[test]
fn an_output_file_is_complete_or_unchanged() {
    let dir = Dir::with([("in", b"abc\xFF"), ("out", b"original")]);
    run(&dir, "-o out in").assert_message(
        1,
        "in: malformed UTF-8 at byte 3 (FF): {InvalidByte}; nothing was written to out; \
         to continue, use -c, which skips malformed bytes",
    );
    assert_eq!(dir.read("out"), b"original");
    // Also if it is an input.
    assert_eq!(run(&dir, "-o in in").status, 1);
    assert_eq!(dir.read("in"), b"abc\xFF");
    // With -c, it is complete without the malformed bytes.
    assert_eq!(run(&dir, "-c -o out in").status, 1);
    assert_eq!(dir.read("out"), b"abc");
    assert_eq!(dir.names(), ["in", "out"]);
}

#[test]
fn unreadable_inputs_are_reported_and_the_others_are_written() {
    let dir = Dir::with([("a", b"a"), ("out", b"original")]);
    run(&dir, "nofile -o out").assert_message(1, "nofile: No such file or directory");
    assert_eq!(dir.read("out"), b"original");
    run(&dir, "a nofile a -o out").assert_message(1, "nofile: No such file or directory");
    assert_eq!(dir.read("out"), b"aa");
    let result = run(&dir, "a . a");
    assert_eq!((result.status, result.stdout.as_slice()), (1, &b"aa"[..]));
    assert!(result.stderr.contains(".: is a directory"), "{result:?}");
}

#[test]
fn unknown_names_and_wrong_usage() {
    // As in iconv, an unknown name is a failure.
    for (arguments, message) in [
        ("-f FOO", "--from-code: 'FOO' is not a known name of an encoding; -l lists all names"),
        ("-f cp999", "--from-code: 'cp999' is not a known name of an encoding; -l lists all names"),
        (
            "-f shift_jisx",
            "--from-code: 'shift_jisx' is not a known name of an encoding; similar names: shift_jis, shift-jis, \
             shiftjis; -l lists all names",
        ),
        ("-t ISO-2022-CN", "--to-code: 'ISO-2022-CN' is not supported; -l lists all names"),
        (
            "-t ASCII//TRANSLATE",
            "--to-code: unknown suffix '//TRANSLATE'; the suffixes are //TRANSLIT, //IGNORE and //NON_IDENTICAL_DISCARD; \
             -l lists all names",
        ),
    ] {
        let result = iconv(arguments, "");
        assert_eq!(result.stdout, b"", "{arguments}");
        result.assert_message(1, message);
    }
    let result = iconv("--foo", "");
    assert_eq!((result.status, result.stdout.as_slice()), (2, &b""[..]));
    assert!(result.stderr.starts_with("error: unexpected argument '--foo' found"), "{result:?}");
    assert!(result.stderr.contains("Usage: textcodec iconv [OPTIONS] [FILE]..."), "{result:?}");
}

#[test]
fn names_are_listed_in_the_format_of_iconv() {
    for option in ["-l", "--list"] {
        let result = iconv(option, "");
        assert_eq!((result.status, result.stderr.as_str()), (0, ""));
        let text = String::from_utf8(result.stdout).unwrap();
        let lines: Vec<_> = text.lines().map(|line| line.strip_suffix("//").unwrap()).collect();
        assert!(lines.is_sorted() && lines.len() > 300, "{}", lines.len());
        for name in ["UTF-8", "CP1251", "LATIN1", "EUC-JP", "UTF-16", "CP932", "ASCII"] {
            assert!(lines.contains(&name), "{name}");
        }
    }
    // Each listed name is accepted.
    let text = String::from_utf8(iconv("-l", "").stdout).unwrap();
    for name in text.lines().step_by(20) {
        iconv(&format!("-f {name} -t UTF-8"), "").assert_clean("");
    }
    iconv("--usage", "").assert_clean("Usage: textcodec iconv [OPTIONS] [FILE]...\n       textcodec iconv --list\n");
}

#[test]
fn forms_of_unicode_are_converted() {
    for (arguments, input, output) in [
        ("-t UTF-32", "a€".as_bytes(), &b"\xFF\xFE\0\0a\0\0\0\xAC\x20\0\0"[..]),
        ("-t UCS-4", "a".as_bytes(), b"\0\0\0a"),
        ("-t UCS-2BE", "€".as_bytes(), b"\x20\xAC"),
        ("-t UTF-7", "a€b".as_bytes(), b"a+IKw-b"),
        ("-f UTF-7 -t LATIN1", b"caf+AOk-", b"caf\xE9"),
        ("-t UTF-7-IMAP", "a&é".as_bytes(), b"a&-&AOk-"),
        // As in glibc, and not as in RFC 3501.
        ("-f UTF-7-IMAP", b"&AGE-&AOk-", "aé".as_bytes()),
        ("-t ISO-2022-KR", "a가b".as_bytes(), b"\x1B$)Ca\x0E0!\x0Fb"),
        ("-f ISO-2022-KR", b"\x1B$)C\x0E\x0Fa\x0E0!", "a가".as_bytes()),
        ("-t HZ", "~a你".as_bytes(), b"~~a~{Dc~}"),
        ("-f HZ", b"~{~}a~{Dc", "a你".as_bytes()),
        ("-t CESU-8", "a😀".as_bytes(), b"a\xED\xA0\xBD\xED\xB8\x80"),
        ("-t GSM0338", "@[".as_bytes(), b"\0\x1B\x3C"),
        ("-f UTF-32 -t UTF-16BE", b"\0\0\xFE\xFF\0\x01\xF6\0", b"\xD8\x3D\xDE\x00"),
        ("-f UTF-32LE -t ASCII//TRANSLIT", b"\xAC\x20\0\0", b"EUR"),
    ] {
        let result = iconv(arguments, input);
        assert_eq!((result.status, result.stdout.as_slice()), (0, output), "{arguments}");
    }
    let result = iconv("-f UTF-32BE", b"\0\0\0a\0\0\xD8\0");
    assert_eq!((result.status, result.stdout.as_slice()), (1, &b"a"[..]));
    assert!(result.stderr.contains("malformed UTF-32BE at byte 4: 00 00 D8 00"), "{}", result.stderr);
    let result = iconv("-f UTF-32BE", b"\0\0\0a\0\0");
    assert!(
        result.stderr.contains("malformed UTF-32BE at byte 4: the input ends within a character"),
        "{}",
        result.stderr
    );
    let result = iconv("-t UCS-2", "a😀b");
    assert!(result.stderr.contains("unmappable in UCS-2LE: the character at byte 1"), "{}", result.stderr);
    let result = iconv("-c -t UCS-2BE", "a😀b\u{FEFF}");
    assert_eq!((result.status, result.stdout.as_slice()), (1, &b"\0a\0b\xFE\xFF"[..]));
}

#[test]
fn utf_8_with_a_mark_or_with_decomposed_letters() {
    let mark = "\u{FEFF}é";
    iconv("-f UTF-8-SIG", mark).assert_clean("é");
    iconv("-f UTF-8-SIG", "é").assert_clean("é");
    iconv("-t UTF-8-SIG", "é").assert_clean(mark);
    // A mark of another encoding is text.
    assert_eq!(iconv("-f UTF-8-SIG", b"\xFF\xFEa\0").status, 1);
    iconv("-t UTF8-SIG", "").assert_clean("");
    iconv("-f UTF-8-MAC -t LATIN1", "e\u{301}").assert_clean(b"\xE9");
    iconv("-f latin1 -t utf-8-mac", b"\xE9").assert_clean("e\u{301}");
    iconv("-f UTF-8-MAC", "e\u{301}\u{F900}").assert_clean("é\u{F900}");
    iconv("-t UTF8-MAC", "é\u{212B}").assert_clean("e\u{301}\u{212B}");
    iconv("-f UTF-8-MAC -t UTF-32", "é")
        .assert_message(1, "UTF-8-MAC and UTF-8-SIG cannot be converted from or to UTF-32; convert by way of UTF-8");
}
