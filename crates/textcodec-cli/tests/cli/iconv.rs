//! `textcodec iconv`: the habits of iconv's users, and what it does better. What glibc's iconv 2.36 does, in the locale
//! C.UTF-8, is written down here, so that the tests need no iconv.

use std::{fs, process::Command};

use assert_cmd::cargo::cargo_bin;

use crate::common::{Place, Ran};

/// `textcodec iconv`, with bytes on standard input.
fn iconv(arguments: &str, input: impl AsRef<[u8]>) -> Ran {
    let place = Place::new();
    let command = place.textcodec(&format!("iconv {arguments}"));
    assert_cmd::Command::from_std(command).write_stdin(input.as_ref()).output().unwrap().into()
}

fn run(place: &Place, arguments: &str) -> Ran {
    Ran::of(&mut place.textcodec(&format!("iconv {arguments}")))
}

/// What glibc's iconv writes, too, byte for byte.
#[test]
fn the_same_as_iconv() {
    for (arguments, input, output) in [
        ("-f CP1251 -t UTF-8", &b"\xCF\xF0\xE8\xE2\xE5\xF2"[..], "Привет".as_bytes()),
        ("-f UTF-8 -t CP1251", "Привет".as_bytes(), b"\xCF\xF0\xE8\xE2\xE5\xF2"),
        ("-f SJIS -t UTF8", b"\x93\xFA\x96{", "日本".as_bytes()),
        ("-f CP932", b"\x87@", "①".as_bytes()),
        ("-t EUC-JP", "日本".as_bytes(), b"\xC6\xFC\xCB\xDC"),
        // C1 controls, and not windows-1252.
        ("-f LATIN1", b"\x80\x93\xE9", "\u{80}\u{93}é".as_bytes()),
        ("-f ISO-8859-1", b"\x80", "\u{80}".as_bytes()),
        ("-f CP1252", b"\x80", "€".as_bytes()),
        ("-t ISO_8859-15", "€".as_bytes(), b"\xA4"),
        ("-f 8859_7 -t UTF-8//", b"\xE1", "α".as_bytes()),
        // Several in one word, long, short and cut options, the last of two.
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
        // Something similar.
        ("-t ASCII//TRANSLIT", "Größe: 5 €, “ﬁn” Ł".as_bytes(), b"Grosse: 5 EUR, \"fin\" L"),
        ("-t ascii//translit", "äé—中".as_bytes(), b"ae--?"),
        ("-t LATIN1//TRANSLIT", "ab€cdé中".as_bytes(), b"abEURcd\xE9?"),
        ("-f UTF-8//TRANSLIT -t UTF-8", b"a", b"a"),
    ] {
        let ran = iconv(arguments, input);
        assert_eq!(ran.status, 0, "{arguments}: {ran:?}");
        assert_eq!((ran.stdout.as_slice(), ran.stderr.as_str()), (output, ""), "{arguments}");
    }
}

#[test]
fn called_by_the_name_of_iconv() {
    let place = Place::with([("in", b"\xCF\xF0")]);
    fs::create_dir(place.path("bin")).unwrap();
    let link = place.path("bin/iconv");
    #[cfg(unix)]
    std::os::unix::fs::symlink(cargo_bin!("textcodec"), &link).unwrap();
    #[cfg(not(unix))]
    fs::copy(cargo_bin!("textcodec"), &link).unwrap();
    let mut command = Command::new(&link);
    let ran = Ran::of(command.args(["-f", "cp1251", "in"]).current_dir(place.path("")));
    ran.is_clean("Пр");
    let ran = Ran::of(Command::new(&link).arg("--help"));
    assert!(String::from_utf8(ran.stdout).unwrap().contains("Usage: textcodec iconv [OPTIONS] [FILE]..."));
    let ran = Ran::of(Command::new(&link).arg("-V"));
    ran.is_clean(format!("iconv (textcodec) {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn the_output_ends_before_what_cannot_be_converted() {
    let ran = iconv("-f UTF-8 -t UTF-16LE", b"ab\xFFcd");
    assert_eq!(ran.stdout, b"a\0b\0");
    ran.says(
        1,
        "standard input: malformed UTF-8 at byte 2 (FF): this byte cannot start a character; \
         standard output ends before it; -c leaves out what is malformed",
    );
    let ran = iconv("-f ASCII", "é");
    assert!(ran.stderr.contains("malformed ASCII at byte 0 (C3)"), "{ran:?}");
    let ran = iconv("-f CP1253", b"ab\xD2");
    assert_eq!((ran.status, ran.stdout.as_slice()), (1, &b"ab"[..]));
    let ran = iconv("-t LATIN1", "ab\n€cd");
    assert_eq!(ran.stdout, b"ab\n");
    ran.says(
        1,
        "standard input: line 2, column 1: U+20AC '€' is not in ISO-8859-1; standard output ends before it; \
         to go on, use -c, or //TRANSLIT behind the name",
    );
    // The suffix of the input says nothing about the output, neither there nor here.
    assert_eq!(iconv("-f UTF-8//TRANSLIT -t LATIN1", "€").status, 1);
    assert_eq!(iconv("-f UTF-8//IGNORE -t LATIN1", "€").status, 1);
}

/// iconv's exit status after -c depends on what was dropped, and on its version.
#[test]
fn what_is_left_out_is_told_and_makes_the_exit_status_1() {
    for how in ["-c -t LATIN1", "-t LATIN1//IGNORE", "-c -t latin1//ignore"] {
        let ran = iconv(how, b"ab\xFF\xFFcd\xE2\x82");
        assert_eq!(ran.stdout, b"abcd", "{how}");
        ran.says(
            1,
            "standard input: malformed sequences left out: 3; the first at byte 2 (FF): \
             this byte cannot start a character",
        );
        let ran = iconv(how, "a€\nb字c");
        assert_eq!(ran.stdout, b"a\nbc", "{how}");
        ran.says(
            1,
            "standard input: characters left out: 2; the first at line 1, column 2: U+20AC '€' is not in ISO-8859-1",
        );
        iconv(how, "abé").is_clean(b"ab\xE9");
    }
    let ran = iconv("-c -s -t ASCII", b"ab\xFF");
    assert_eq!((ran.status, ran.stdout.as_slice(), ran.stderr.as_str()), (1, &b"ab"[..], ""));
    // All that is asked for at the same time.
    let ran = iconv("-t ASCII//TRANSLIT//IGNORE", b"5 \xE2\x82\xAC\xFF!");
    assert_eq!((ran.status, ran.stdout.as_slice()), (1, &b"5 EUR!"[..]));
    assert!(ran.stderr.contains("malformed sequences left out: 1; the first at byte 5 (FF)"), "{ran:?}");
}

/// glibc's depends on the locale, and has question marks for all of this in most.
#[test]
fn transliteration_is_the_same_in_every_locale() {
    for locale in ["C", "C.UTF-8", "de_DE.UTF-8", "tr_TR"] {
        let place = Place::with([("in", "Ärger in Київ, naïve ½".as_bytes())]);
        let mut command = place.textcodec("iconv -t ASCII//TRANSLIT in");
        let ran = Ran::of(command.env("LC_ALL", locale).env("LANG", locale));
        ran.is_clean("Arger in Kiyiv, naive  1/2");
    }
}

#[test]
fn files_are_joined_and_have_one_mark() {
    let place = Place::with([("a", b"\xE9"), ("b", b"\xFC")]);
    run(&place, "-f latin1 -t utf-16 a b a").is_clean(b"\xFF\xFE\xE9\0\xFC\0\xE9\0");
    let ran = run(&place, "--verbose -f latin1 a b");
    assert_eq!((ran.status, ran.stdout.as_slice()), (0, "éü".as_bytes()));
    assert_eq!(ran.stderr, "textcodec: a\ntextcodec: b\n");
    // A character does not go on in the next file.
    let place = Place::with([("a", b"a\xE2\x82"), ("b", b"\xACb")]);
    let ran = run(&place, "a b");
    assert_eq!((ran.status, ran.stdout.as_slice()), (1, &b"a"[..]));
    assert!(ran.stderr.starts_with("textcodec: a: malformed UTF-8 at byte 1 (E2 82): the input ends"), "{ran:?}");
}

/// iconv writes the output while it reads, crashes, or leaves the first 32 KiB.
#[test]
fn the_output_may_be_an_input() {
    let text = "ёлка ".repeat(100_000);
    let bytes = textcodec::KOI8_R.encode(&text).unwrap();
    let place = Place::with([("file", &bytes), ("other", b"\xC1")]);
    run(&place, "-f KOI8-R -o file file").is_clean("");
    assert_eq!(place.read("file"), text.as_bytes());
    run(&place, "-f UTF-8 -t KOI8-R file -o ./file").is_clean("");
    assert_eq!(place.read("file"), *bytes);
    run(&place, "-f KOI8-R -o other other file other").is_clean("");
    assert_eq!(place.read("other"), format!("а{text}а").as_bytes());
    assert_eq!(place.names(), ["file", "other"]);
}

#[test]
fn what_the_shell_has_opened_must_not_be_an_input() {
    let place = Place::with([("file", b"as it was")]);
    let append = fs::OpenOptions::new().append(true).open(place.path("file")).unwrap();
    let ran = Ran::of(place.textcodec("iconv -t utf-16 file").stdout(append));
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.starts_with("error: standard output is also an input (file), which would be lost; -o may name"),
        "{ran:?}"
    );
    assert_eq!(place.read("file"), b"as it was");
}

#[test]
fn a_file_is_complete_or_untouched() {
    let place = Place::with([("in", b"abc\xFF"), ("out", b"as it was")]);
    run(&place, "-o out in").says(
        1,
        "in: malformed UTF-8 at byte 3 (FF): this byte cannot start a character; nothing was written to out; \
         -c leaves out what is malformed",
    );
    assert_eq!(place.read("out"), b"as it was");
    // Not even where it is an input.
    assert_eq!(run(&place, "-o in in").status, 1);
    assert_eq!(place.read("in"), b"abc\xFF");
    // With what is left, it is complete.
    assert_eq!(run(&place, "-c -o out in").status, 1);
    assert_eq!(place.read("out"), b"abc");
    assert_eq!(place.names(), ["in", "out"]);
}

#[test]
fn inputs_that_cannot_be_read_are_told_before_anything_is_written() {
    let place = Place::with([("a", b"a"), ("out", b"as it was")]);
    run(&place, "a nofile -o out").says(1, "nofile: No such file or directory (os error 2)");
    assert_eq!(place.read("out"), b"as it was");
    let ran = run(&place, "a .");
    assert_eq!((ran.status, ran.stdout.as_slice()), (1, &b""[..]));
    assert!(ran.stderr.contains(".: is a directory"), "{ran:?}");
}

#[test]
fn wrong_usage() {
    for (arguments, message) in [
        ("-f FOO", "--from-code: 'FOO' is no label of the Encoding Standard; -l lists all names"),
        ("-t ISO-2022-KR", "--to-code: 'ISO-2022-KR' is not supported; -l lists all names"),
        ("-t ASCII//TRANSLATE", "--to-code: '//TRANSLATE' means nothing; there are //TRANSLIT and //IGNORE"),
        ("--foo", "unexpected argument '--foo' found"),
    ] {
        let ran = iconv(arguments, "");
        assert_eq!((ran.status, ran.stdout.as_slice()), (2, &b""[..]), "{arguments}");
        assert!(ran.stderr.starts_with(&format!("error: {message}")), "{ran:?}");
        assert!(ran.stderr.contains("Usage: textcodec iconv [OPTIONS] [FILE]..."), "{ran:?}");
    }
}

#[test]
fn names_are_listed_as_iconv_lists_them() {
    for option in ["-l", "--list"] {
        let ran = iconv(option, "");
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
        let text = String::from_utf8(ran.stdout).unwrap();
        let lines: Vec<_> = text.lines().map(|line| line.strip_suffix("//").unwrap()).collect();
        assert!(lines.is_sorted() && lines.len() > 300, "{}", lines.len());
        for name in ["UTF-8", "CP1251", "LATIN1", "EUC-JP", "UTF-16", "CP932", "ASCII"] {
            assert!(lines.contains(&name), "{name}");
        }
    }
    // Each of them is a name.
    let text = String::from_utf8(iconv("-l", "").stdout).unwrap();
    for name in text.lines().step_by(20) {
        iconv(&format!("-f {name} -t UTF-8"), "").is_clean("");
    }
    iconv("--usage", "").is_clean("Usage: textcodec iconv [OPTIONS] [FILE]...\n");
}
