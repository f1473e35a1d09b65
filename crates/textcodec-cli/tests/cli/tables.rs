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

#[test]
fn what_index_prints_is_a_table() {
    let dir = Dir::with([("all", &(0..=0xFF).collect::<Vec<u8>>())]);
    // Under Wine, a process takes long to start.
    let step = if cfg!(windows) { 10 } else { 1 };
    let single_byte = ["windows-1252", "windows-1253", "macintosh", "iso-8859-8", "ibm866"];
    let pages = oem::ALL.iter().filter(|page| page.is_single_byte()).map(|page| page.name());
    for name in single_byte.into_iter().chain(pages).step_by(step) {
        let index = RunResult::of(&mut dir.textcodec(&format!("index {name}")));
        assert_eq!((index.status, &*index.stderr), (0, ""), "{name}");
        fs::write(dir.path("table"), &index.stdout).unwrap();
        // The bytes of a mark are letters in a table.
        let options = "--input-bom=keep --malformed=skip all";
        let expected = dir.convert(&format!("-f {name} {options}")).stdout;
        let by_table = dir.convert(&format!("--table table -f table {options}")).stdout;
        assert_eq!(String::from_utf8(by_table).unwrap(), String::from_utf8(expected.clone()).unwrap(), "{name}");
        // In the other direction, except where the table says that it differs.
        fs::write(dir.path("text"), &expected).unwrap();
        let (back, by_table) = (dir.convert(&format!("-t {name} text")), dir.convert("--table table -t table text"));
        let says = String::from_utf8(index.stdout).unwrap().contains(" and --table writes these: ");
        assert_eq!(back.stdout != by_table.stdout, says, "{name}");
        assert_eq!(says, ["IBM-Thai", "IBM1160"].contains(&name), "{name}");
    }
    let json = RunResult::of(&mut dir.textcodec("index windows-1252 --format json"));
    fs::write(dir.path("json"), &json.stdout).unwrap();
    dir.convert("--table json -f table all")
        .assert_message(3, "json: is JSON; a table is text, as textcodec index prints without --format");
    let json = RunResult::of(&mut dir.textcodec("index IBM850 --format json"));
    assert!(json.status == 2 && json.stderr.contains("its table is only printed as txt"), "{}", json.stderr);
}

#[test]
fn what_is_written_for_unmappable_characters_must_be_in_the_table() {
    let without = |characters: &[&str]| {
        let rows = (0..16).map(|row| {
            let values = (0..16).map(|n| format!("{:04X}", row * 16 + n));
            let values: Vec<_> =
                values.map(|value| if characters.contains(&&*value) { "----".to_owned() } else { value }).collect();
            format!("{row:X}0: {}\n", values.join(" "))
        });
        rows.collect::<String>()
    };
    let dir = Dir::with([
        ("ampersand", without(&["0026"]).as_bytes()),
        ("f", without(&["0046"]).as_bytes()),
        ("question", without(&["003F"]).as_bytes()),
        ("none", without(&["003F", "005F", "002A", "002E", "002D", "005C"]).as_bytes()),
        ("in", "€\n".as_bytes()),
    ]);
    for (table, option, message) in [
        (
            "ampersand",
            "unmappable=html",
            "html writes U+0026 '&', which is unmappable in ampersand; use replace=? or skip",
        ),
        (
            "ampersand",
            "unmappable=xml",
            "xml writes U+0026 '&', which is unmappable in ampersand; use replace=? or skip",
        ),
        ("f", "unmappable=xml", "xml writes U+0046 'F', which is unmappable in f; use replace=? or skip"),
        (
            "question",
            "unmappable=replace",
            "replace writes U+003F '?', which is unmappable in question; use replace=_ or skip",
        ),
        (
            "question",
            "unmappable=translit",
            "if there is no similar text, translit writes U+003F '?', which is unmappable in question; use replace=_ or skip",
        ),
        ("none", "unmappable=replace", "replace writes U+003F '?', which is unmappable in none; use skip"),
        ("none", "malformed=escape", "escape writes U+005C '\\\\', which is unmappable in none; use skip"),
    ] {
        let (name, how) = option.split_once('=').unwrap();
        dir.convert(&format!("--table {table} -t table --{name}={how} in -o out"))
            .assert_usage(&format!("--{name}: {message}"));
        assert!(!dir.path("out").exists());
    }
    // The advice can be followed.
    assert_eq!(dir.convert("--table question -t table --unmappable=replace=_ in").stdout, b"_\n");
    assert_eq!(dir.convert("--table f -t table --unmappable=html in").stdout, b"&#8364;\n");
    assert_eq!(dir.convert("--table none -t table --unmappable=skip in").stdout, b"\n");
}
