//! Tables of one's own: `--table`.

use std::{fmt::Write as _, fs};

use textcodec::oem;

use crate::common::{Dir, RunResult, with_reasons};

/// A table in which the upper half of bytes is Greek and symbols, and some bytes have no character.
fn table() -> String {
    let mut text = "# A table\n".to_owned();
    for row in 0..8_u32 {
        let values: Vec<_> = (0..16)
            .map(|n| match row * 16 + n {
                n @ 0..0x60 => format!("{:04X}", 0x370 + n),
                _ => "----".to_owned(),
            })
            .collect();
        writeln!(text, "{:02X}: {}", 0x80 + row * 16, values.join(" ")).unwrap();
    }
    text.replace("0378", "2665").replace("0379", "F8FF").replace("0380", "AC00").replace("0381", "AC01")
}

fn dir() -> Dir {
    let page = include_str!("../../../textcodec-oem/pages/ibm1047.txt");
    Dir::with([("game.txt", table().as_bytes()), ("ebcdic.txt", page.as_bytes()), ("in", b"I \x88 \xC1\xB1\n")])
}

#[test]
fn a_table_is_an_encoding_in_both_directions() {
    let dir = dir();
    let text = "I ♥ \u{3B1}\u{3A1}\n";
    dir.convert("--table game.txt -f table in").assert_clean(text);
    fs::write(dir.path("text"), text).unwrap();
    dir.convert("--table game.txt -t TABLE text").assert_clean(dir.read("in"));
    // In another table's place, with streams, and with every option.
    dir.convert_stdin("in", "--table game.txt -f table -t utf-16le")
        .assert_clean(text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>());
    fs::write(dir.path("more"), "x é 字\n").unwrap();
    dir.convert("--table game.txt -t table more").assert_message(
        3,
        "more: unmappable in game.txt at line 1, column 3: U+00E9 'é'; the output before this point was written to standard output; to continue, use \
         --unmappable=translit, html, replace or skip",
    );
    let html = dir.convert("--table game.txt -t table --unmappable=html more");
    assert_eq!(html.stdout, b"x &#233; &#23383;\n");
    html.assert_message(
        1,
        "more: 2 unmappable characters written as '&#…;'; the first at line 1, column 3: U+00E9 'é' is not in game.txt",
    );
}

#[test]
fn a_table_of_ebcdic_is_an_encoding() {
    let dir = dir();
    let text = "Hello, [World]\n";
    let bytes = oem::IBM1047.encode(text).unwrap();
    fs::write(dir.path("e"), &bytes).unwrap();
    dir.convert("--table ebcdic.txt -f table e").assert_clean(text);
    fs::write(dir.path("t"), text).unwrap();
    dir.convert("--table ebcdic.txt -t table t").assert_clean(&bytes);
    // No letter is a byte order mark.
    fs::write(dir.path("m"), b"\xFE\xFF").unwrap();
    dir.convert("--table ebcdic.txt -f table m").assert_clean("Ú\u{9F}");
}

#[test]
fn a_table_is_converted_in_place_once() {
    let dir = dir();
    let text = "I ♥ \u{3B1}\u{3A1}, and all that is \u{3B2}\u{3B3}\u{3B4}\n";
    fs::write(dir.path("t"), text).unwrap();
    let bytes = dir.convert("--table game.txt -t table t").stdout;
    fs::write(dir.path("in"), &bytes).unwrap();
    dir.convert("--table game.txt -f table --in-place in").assert_clean("");
    assert_eq!(dir.read("in"), text.as_bytes());
    dir.convert("--table game.txt -f table --in-place in")
        .assert_message(0, "in: already UTF-8, not game.txt; left unchanged; --force converts it anyway");
    dir.convert("--table game.txt -t table --in-place in").assert_clean("");
    assert_eq!(dir.read("in"), bytes);
    let again = dir.convert("--table game.txt -t table --in-place in");
    assert_eq!((again.status, dir.read("in") == bytes), (0, true), "{}", again.stderr);
}

#[test]
fn check_and_inspect_know_the_table() {
    let dir = dir();
    let run = |arguments: &str| RunResult::of(&mut dir.textcodec(arguments));
    fs::write(dir.path("bad"), b"\xFF").unwrap();
    let checked = run("check --table game.txt -f table in bad");
    assert_eq!(
        String::from_utf8(checked.stdout).unwrap(),
        with_reasons("bad:1:1: malformed game.txt at byte 0 (FF): {InvalidByte}\n")
    );
    let checked = String::from_utf8(run("check --table game.txt -f table --json bad").stdout).unwrap();
    assert!(checked.contains("\"encoding\":\"game.txt\""), "{checked}");
    let inspected = run("inspect --table game.txt -t table ♥");
    assert!(inspected.stdout.ends_with(b"\n  88  game.txt\n"), "{inspected:?}");
    let inspected = String::from_utf8(run("inspect --table game.txt -f table -b 88").stdout).unwrap();
    assert!(inspected.contains("U+2665 '♥' BLACK HEART SUIT"), "{inspected}");
    let json = dir.convert("--table game.txt -f table --report=json in");
    assert!(json.stderr.contains("\"from\": \"game.txt\""), "{}", json.stderr);
}

#[test]
fn what_is_wrong_with_a_table_is_reported() {
    let dir = dir();
    fs::write(dir.path("short.txt"), "80: 0041\n").unwrap();
    fs::write(dir.path("wrong.txt"), "80: 0041\n\n90: x\n").unwrap();
    fs::write(dir.path("long.txt"), "#".repeat(1 << 21)).unwrap();
    fs::write(dir.path("binary.txt"), (0..=255).collect::<Vec<u8>>()).unwrap();
    for (file, message) in [
        ("missing.txt", "missing.txt: No such file or directory"),
        (
            "wrong.txt",
            "wrong.txt: line 3: 'x' is not a code point, such as 00C7, nor ---- for a byte without a character",
        ),
        (
            "short.txt",
            "short.txt: has 1 entries instead of 128 or 256: byte 81 is missing; write ---- for a byte without a character",
        ),
        ("long.txt", "long.txt: is longer than 1 MiB, so it is not a table of 256 characters"),
    ] {
        dir.convert(&format!("--table {file} -f table in -o out")).assert_message(3, message);
        assert!(!dir.path("out").exists());
    }
    assert_eq!(dir.convert("--table binary.txt -f table in").status, 3);
    dir.convert("-f table in").assert_usage("--from: 'table' requires --table FILE");
    dir.convert("--table game.txt in").assert_usage("--table: neither -f nor -t is table; write -f table or -t table");
    dir.convert("--table game.txt -t table --update-declaration in")
        .assert_usage("--update-declaration: game.txt is not a label that a declaration can have");
}

#[test]
fn the_table_is_never_overwritten() {
    let dir = dir();
    fs::create_dir_all(dir.path("o")).unwrap();
    fs::create_dir_all(dir.path("sub")).unwrap();
    fs::write(dir.path("sub/game.txt"), b"a\n").unwrap();
    fs::hard_link(dir.path("game.txt"), dir.path("linked")).unwrap();
    let overwritten = "and would be overwritten; choose another output file";
    for output in ["game.txt", "linked", "./o/../game.txt"] {
        dir.convert(&format!("--table game.txt -f table in -o {output}"))
            .assert_usage(&format!("{output} is also the table of --table (game.txt) {overwritten}"));
    }
    dir.convert("--table game.txt -f table sub/game.txt --output-dir .")
        .assert_usage("./game.txt is also the table of --table and would be overwritten; choose another directory");
    for (arguments, file) in [("in game.txt", "game.txt"), ("linked", "linked"), ("-r .", "./game.txt")] {
        let excluded = if arguments == "-r ." { "--exclude linked --exclude ebcdic.txt" } else { "" };
        dir.convert(&format!("--table game.txt -t table --in-place {excluded} {arguments}")).assert_usage(&format!(
            "{file} is also the table of --table and would be overwritten; do not name it, and with -r leave it out with \
             --exclude"
        ));
    }
    assert_eq!(dir.read("game.txt"), table().as_bytes());
    assert_eq!(dir.read("in"), b"I \x88 \xC1\xB1\n");
    // It may be an input whose text goes elsewhere.
    dir.convert("--table game.txt -t table game.txt -o o/out").assert_clean("");
    assert_eq!(dir.read("o/out"), table().as_bytes());
}

#[cfg(unix)]
#[test]
fn the_table_is_never_overwritten_through_a_symbolic_link() {
    let dir = dir();
    fs::create_dir_all(dir.path("o")).unwrap();
    std::os::unix::fs::symlink("game.txt", dir.path("link")).unwrap();
    std::os::unix::fs::symlink("../game.txt", dir.path("o/in")).unwrap();
    for arguments in [
        "--table game.txt in -o link",
        "--table link in -o game.txt",
        "--table game.txt in --output-dir o",
        "--table link --in-place game.txt",
    ] {
        let result = dir.convert(&format!("-f table {arguments}"));
        assert_eq!(result.status, 2, "{arguments} {}", result.stderr);
        assert!(result.stderr.contains(" is also the table of --table "), "{arguments} {}", result.stderr);
    }
    assert_eq!(dir.read("game.txt"), table().as_bytes());
}
