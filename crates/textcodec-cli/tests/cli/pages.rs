//! Encodings that the standard leaves out: names, EBCDIC and its line ends, marks, declarations.

use std::fs;

use textcodec::{Encoding, oem};

use crate::common::{Dir, RunResult, pipe, with_reasons};

fn run(arguments: &str) -> RunResult {
    RunResult::of(&mut Dir::new().textcodec(arguments))
}

/// The lines of `tables/encodings.txt`: the names of each encoding outside the standard.
fn names() -> Vec<Vec<&'static str>> {
    let lines = include_str!("../../tables/encodings.txt").lines();
    let names = lines.map(|line| {
        let fields: Vec<_> = line.split('|').map(str::trim).collect();
        fields[0].split(' ').chain(fields[2].split(' ')).filter(|name| !name.is_empty()).collect::<Vec<_>>()
    });
    names.filter(|names| oem::ALL.iter().any(|encoding| encoding.name() == names[0])).collect()
}

#[test]
fn every_name_of_a_page_is_accepted_in_any_spelling() {
    let mut all = Vec::new();
    for names in names() {
        let encoding: Encoding = names[0].parse().unwrap();
        // One run for each encoding and one for all names.
        pipe(&format!("-f {} -t utf-8", names[0]), &encoding.encode("12").unwrap()).assert_clean("12");
        all.extend(names.iter().map(|name| (name.to_ascii_uppercase().replace('-', "_"), names[0])));
    }
    assert!(all.len() >= 501, "{}", all.len());
    let arguments: Vec<_> = all.iter().map(|(name, _)| name.as_str()).collect();
    let listed = run(&format!("list --json {}", arguments.join(" ")));
    let listed: serde_json::Value = serde_json::from_slice(&listed.stdout).unwrap();
    let listed: Vec<_> = listed.as_array().unwrap().iter().map(|encoding| encoding["name"].as_str().unwrap()).collect();
    let expected: Vec<_> = all.iter().map(|(_, encoding)| *encoding).collect();
    assert_eq!(listed, expected);
}

#[test]
fn every_command_accepts_pages() {
    pipe("-f cp850", b"\x9C\xBE").assert_clean("£¥");
    pipe("-t ibm850", "£¥".as_bytes()).assert_clean(b"\x9C\xBE");
    pipe("-f x-mac-croatian -t IBM037", b"\x8Aa").assert_clean(b"\x43\x81");
    let dir = Dir::with([("a", b"\x9D\xD5")]);
    let check = RunResult::of(&mut dir.textcodec("check -f cp857 -t IBM437 a"));
    assert_eq!(check.status, 1);
    assert_eq!(
        String::from_utf8(check.stdout).unwrap(),
        with_reasons(
            "a:1:1: unmappable in IBM437 at byte 0: U+00D8 'Ø' LATIN CAPITAL LETTER O WITH STROKE\n\
             a:1:2: malformed IBM857 at byte 1 (D5): {InvalidByte}\n"
        )
    );
    let inspect = run("inspect -t cp437 -t cp037 -t iso-8859-7 £");
    assert!(inspect.stdout.ends_with("  9C  IBM437\n  B1  IBM037\n  A3  ISO-8859-7\n".as_bytes()), "{inspect:?}");
    let inspect = run("inspect -f IBM1047 -b 81");
    assert!(String::from_utf8(inspect.stdout).unwrap().contains("U+0061 'a' LATIN SMALL LETTER A"));
    let decoded = String::from_utf8(run("inspect -b C88193").stdout).unwrap();
    assert!(decoded.contains("'Hal'") && decoded.contains("IBM037"), "{decoded}");
}

#[test]
fn names_that_resemble_labels_keep_their_meaning() {
    for (name, encoding) in
        [("tis620", "windows-874"), ("iso-8859-9", "windows-1254"), ("koi8-ru", "KOI8-U"), ("cp866", "IBM866")]
    {
        let details = String::from_utf8(run(&format!("list {name}")).stdout).unwrap();
        assert!(details.starts_with(&format!("{encoding}\n")), "{name}: {details}");
    }
    // The standard decodes neither, for security reasons.
    for name in ["iso-2022-kr", "hz-gb-2312"] {
        assert_eq!(pipe(&format!("-f {name} --strict"), b"abc").status, 3, "{name}");
    }
    let similar = run("list x-mac-croatain").stderr;
    assert!(similar.contains("; similar names: x-mac-croatian, "), "{similar}");
    let unknown = run("convert -f ibm1074");
    assert!(
        unknown
            .stderr
            .contains("'ibm1074' is not a label of the Encoding Standard, and textcodec has no encoding of this name")
    );
}

#[test]
fn pages_are_listed_in_a_section_of_their_own() {
    let text = String::from_utf8(run("list").stdout).unwrap();
    let (standard, outside) = text.split_once("\nOutside the standard:\n\n").unwrap();
    assert_eq!((standard.lines().count(), outside.lines().count()), (1 + 42, 1 + oem::ALL.len()));
    assert!(
        outside.contains("\nIBM1047                  256  1         Latin-1, Unix services of z/OS, EBCDIC\n"),
        "{outside}"
    );
    let ebcdic = String::from_utf8(run("list 37").stdout).unwrap();
    assert!(ebcdic.starts_with("IBM037\n") && ebcdic.contains("1 per character; not ASCII-compatible\n"), "{ebcdic}");
    assert!(String::from_utf8(run("list 20273 437").stdout).unwrap().contains("\nIBM437\n"));
    assert_eq!(run("list 9999").status, 2);
}

#[test]
fn letters_of_ebcdic_are_no_byte_order_mark() {
    // FE FF and FF FE, and EF BB BF.
    for bytes in [&b"\xFE\xFF\x81"[..], b"\xFF\xFE\0\0", b"\xEF\xBB\xBF", b"\0\0\xFE\xFF"] {
        let text = oem::IBM1047.decode_with(bytes, textcodec::Bom::Keep).unwrap().text.into_owned();
        pipe("-f IBM1047", bytes).assert_clean(&text);
        let dir = Dir::with([("a", bytes)]);
        let result = dir.convert("-f IBM1047 a");
        assert_eq!((result.status, result.stdout), (0, text.into_bytes()), "{}", result.stderr);
    }
    // Those pages that have ASCII are like others.
    pipe("-f cp437", b"\xEF\xBB\xBF\xC3\xA9").assert_clean("é");
}

#[test]
fn ebcdic_does_not_look_binary() {
    let text = "A line of text, and no more than that.\n".repeat(40);
    let bytes = oem::IBM1047.encode(&text.replace('\n', "\u{85}")).unwrap().into_owned();
    let dir = Dir::with([("a", &bytes)]);
    let result = dir.convert("-f IBM1047 --newline-at-15 --in-place a");
    result.assert_clean("");
    assert_eq!(dir.read("a"), text.as_bytes());
    dir.convert("-f IBM1047 --newline-at-15 --in-place a")
        .assert_message(0, "a: already UTF-8, not IBM1047; left unchanged; --force converts it anyway");
    fs::create_dir(dir.path("d")).unwrap();
    fs::write(dir.path("d/a"), &bytes).unwrap();
    RunResult::of(&mut dir.textcodec("check -r -f IBM1047 d")).assert_clean("");
    // An image is none in EBCDIC, either.
    fs::write(dir.path("b"), b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR").unwrap();
    assert_eq!(dir.convert("-f IBM1047 --in-place b").status, 1);
}

#[test]
fn line_ends_of_ebcdic_are_swapped_on_demand() {
    let warning = "standard input: has byte 15 (next line, U+0085) and no byte 25 (line feed); if lines end with 15, use \
                   --newline-at-15";
    let plain = pipe("-f IBM037", b"\x81\x15");
    assert_eq!(plain.stdout, "a\u{85}".as_bytes());
    plain.assert_message(0, warning);
    pipe("-f IBM037", b"\x81\x15\x25").assert_clean("a\u{85}\n");
    pipe("-f IBM037 -q", b"\x81\x15").assert_clean("a\u{85}");
    pipe("-f IBM037 --newline-at-15", b"\x81\x15\x25").assert_clean("a\n\u{85}");
    pipe("-t IBM037 --newline-at-15", "a\n\u{85}".as_bytes()).assert_clean(b"\x81\x15\x25");
    pipe("-f IBM037 -t IBM1047 --newline-at-15", b"\x15\x25\xBA").assert_clean(b"\x15\x25\xAD");
    // ASCII has no byte 15 for a line.
    pipe("-f cp437", b"a\x15").assert_clean("a\u{15}");
    // Offsets are those of the input, also in a long stream and in a file that is converted in parts.
    let mut long = b"\x81\x15".repeat(400_000);
    long.extend_from_slice(b"\x70\x15");
    let dir = Dir::with([("a", &long)]);
    for arguments in ["-f IBM424 --newline-at-15 --strict a -o out", "-f IBM424 --newline-at-15 --strict -j 2 a -o out"]
    {
        let result = dir.convert(arguments);
        assert_eq!(result.status, 3);
        assert!(result.stderr.contains("malformed IBM424 at byte 800000 (70)"), "{}", result.stderr);
        assert!(!dir.path("out").exists());
    }
    let unmappable = pipe("-f IBM037 -t strict-ascii --newline-at-15", b"\x81\x15\xB1");
    assert!(unmappable.stderr.contains("at line 2, column 1: U+00A3"), "{}", unmappable.stderr);
    let dir = Dir::with([("a", b"\x81\x15\xFF")]);
    let check = RunResult::of(&mut dir.textcodec("check -f IBM037 --newline-at-15 --to strict-ascii a"));
    assert!(check.stdout.starts_with(b"a:2:1: unmappable in US-ASCII at byte 2: U+009F"), "{check:?}");
    for arguments in ["-f cp437 --newline-at-15", "--newline-at-15", "-f auto --newline-at-15"] {
        let result = pipe(arguments, b"");
        assert!(
            result.status == 2 && result.stderr.contains(": not EBCDIC; use it with -f or -t"),
            "{}",
            result.stderr
        );
    }
}

#[test]
fn declarations_of_pages_count_where_they_are_possible() {
    let dir = Dir::with([
        ("dos", b"# coding: cp437\n# \x81ber\n"),
        ("ebcdic", b"# coding: cp037\n# \xC3\xBCber\n"),
        ("page", b"<meta charset=cp437>caf\xE9"),
    ]);
    let detect =
        |file: &str| String::from_utf8(RunResult::of(&mut dir.textcodec(&format!("detect {file}"))).stdout).unwrap();
    assert!(
        detect("dos").contains("IBM437       high     declared by a comment with coding: cp437 at byte 0"),
        "{}",
        detect("dos")
    );
    let refused = detect("ebcdic");
    assert!(
        refused.contains(": UTF-8 ")
            && refused
                .contains("a comment with coding: cp037 at byte 0, but text that declares this in ASCII is not IBM037"),
        "{refused}"
    );
    let guessed = detect("page");
    assert!(guessed.contains(" low "), "{guessed}");
    assert!(guessed.contains("; but declared as IBM437 by <meta charset=\"cp437\"> at byte 0, "), "{guessed}");
    dir.convert("-f auto dos").assert_message(
        0,
        "dos: still declared as IBM437 by a comment with coding: cp437 at byte 0, but now it is UTF-8; --update-declaration \
         corrects it",
    );
    assert_eq!(RunResult::of(&mut dir.textcodec("detect -l -e cp437 dos ebcdic page")).stdout, b"dos\n");
    let never = RunResult::of(&mut dir.textcodec("detect -e cp037 dos"));
    assert!(never.status == 2 && never.stderr.contains("--encoding: IBM037 is never detected"), "{}", never.stderr);
}

#[test]
fn a_declaration_in_ebcdic_is_found_and_corrected() {
    let text = "<?xml version='1.0' encoding='utf-8'?><a/>\n";
    let dir = Dir::with([("a", text.as_bytes())]);
    let result = dir.convert("-t IBM037 a -o b");
    assert!(result.stderr.contains("still declared as UTF-8 by <?xml encoding=\"utf-8\"?>"), "{}", result.stderr);
    assert_eq!(dir.convert("-t IBM037 --update-declaration a -o c").status, 0);
    let expected = text.replace("utf-8", "ibm037");
    assert_eq!(dir.read("c"), *oem::IBM037.encode(&expected).unwrap());
    dir.convert("-f IBM037 --update-declaration c").assert_clean(text);
}

#[test]
fn utf_32_with_a_mark_is_utf_32() {
    let utf_32_le = b"\xFF\xFE\0\0a\0\0\0\xE9\0\0\0";
    for (name, bytes) in [("UTF-32LE", &utf_32_le[..]), ("UTF-32BE", b"\0\0\xFE\xFF\0\0\0a\0\0\0\xE9")] {
        let dir = Dir::with([("a", bytes)]);
        for arguments in ["", "-f auto", "-f utf-16le", "-f windows-1252"] {
            for result in [pipe(arguments, bytes), dir.convert(&format!("{arguments} a"))] {
                result.assert_clean("aé");
            }
        }
        pipe("-f utf-8 -t utf-32le --bom=add", "aé".as_bytes()).assert_clean(utf_32_le);
        assert_eq!(pipe(&format!("-f {name} --input-bom=keep"), bytes).stdout, "\u{FEFF}aé".as_bytes());
        // In EBCDIC, it is text, and so it is on demand.
        assert_eq!(pipe("-f IBM037 -q", bytes).status, 0);
        assert_eq!(pipe("-f windows-1252 --input-bom=own", bytes).status, 0);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn files_of_iconv_are_converted_as_by_iconv() {
    use std::process::Command;

    let text = "Hello, Wörld £ [x] {y} ^\n\"quoted\" \\ ~\n";
    let dir = Dir::with([("text", text.as_bytes())]);
    for page in ["IBM437", "IBM850", "IBM037", "IBM1047", "IBM500", "IBM273"] {
        let text = if page == "IBM437" { text.replace('£', "é") } else { text.to_owned() };
        fs::write(dir.path("text"), &text).unwrap();
        let Ok(iconv) = Command::new("iconv").args(["-f", "UTF-8", "-t", page]).arg(dir.path("text")).output() else {
            return;
        };
        assert!(iconv.status.success(), "{page}");
        fs::write(dir.path(page), &iconv.stdout).unwrap();
        dir.convert(&format!("-f {page} {page}")).assert_clean(&text);
        dir.convert(&format!("-t {page} text")).assert_clean(&iconv.stdout);
    }
}

#[test]
fn utf_32_always_has_a_mark() {
    let utf_32 = b"\0\0\xFE\xFF\0\0\0a";
    pipe("-t UTF-32", b"a").assert_clean(utf_32);
    pipe("-t UTF-32 --bom=add", b"a").assert_clean(utf_32);
    for bom in ["strip", "keep"] {
        pipe(&format!("-t UTF-32 --bom={bom}"), b"a")
            .assert_usage("--bom: UTF-32 always begins with a byte order mark; UTF-32BE and UTF-32LE are without one");
    }
}

#[test]
fn a_line_end_is_not_part_of_the_name_of_a_mailbox() {
    let why = "because a line end is not part of the name of a mailbox";
    pipe("-f utf-7-imap --strict", b"INBOX\n").assert_message(
        3,
        &format!("standard input: malformed UTF-7-IMAP at byte 5 (0A): {{InvalidByte}}, {why}; the output before this point was written to standard output"),
    );
    let checked = RunResult::with_input("check -f utf-7-imap", b"INBOX\r");
    assert!(String::from_utf8(checked.stdout).unwrap().ends_with(&format!(", {why}\n")));
    let other = RunResult::with_input("check -f utf-7-imap", b"INBOX\t");
    assert!(!String::from_utf8(other.stdout).unwrap().contains(why));
}

#[test]
fn encodings_that_are_never_detected_are_named_with_the_reason() {
    for (encoding, why) in [
        ("true-hz", "its bytes are also text in ASCII"),
        ("true-iso-2022-kr", "its bytes are also text in ASCII"),
        ("UTF-32LE", "no text in it can declare it in ASCII"),
        ("IBM037", "no text in it can declare it in ASCII"),
    ] {
        let message = format!("--encoding: {encoding} is never detected, because {why}; ");
        let result = run(&format!("detect -e {encoding}"));
        assert!(result.status == 2 && result.stderr.contains(&message), "{}", result.stderr);
    }
}
