//! `textcodec index`: its output. The pages that it writes are tested in [`pages`].

mod pages;

use std::{fs, path::Path};

use textcodec::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, ISO_2022_JP, SHIFT_JIS};

use crate::common::{Dir, RunResult};

/// An index, parsed from `indexes/` independently of the program.
struct Index {
    name: String,
    identifier: String,
    date: String,
    entries: Vec<(u32, char)>,
}

fn indexes() -> Vec<Index> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("indexes");
    let mut indexes: Vec<Index> = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.file_name().unwrap() != "labels.txt")
        .map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            let lines: Vec<&str> = text.lines().collect();
            let entries = lines[4..].iter().flat_map(|line| {
                let (first, code_points) = line.split_once(": ").unwrap();
                let code_points = code_points.split(' ').map(|hex| char_of(hex).unwrap());
                (first.parse::<u32>().unwrap()..).zip(code_points)
            });
            Index {
                name: path.file_stem().unwrap().to_str().unwrap().to_owned(),
                identifier: lines[1].strip_prefix("# Identifier: ").unwrap().to_owned(),
                date: lines[2].strip_prefix("# Date: ").unwrap().to_owned(),
                entries: entries.collect(),
            }
        })
        .collect();
    indexes.sort_by(|a, b| a.name.cmp(&b.name));
    assert_eq!(indexes.len(), 34);
    indexes
}

/// Returns the indexes for which there are tables: all except two.
fn shown() -> impl Iterator<Item = Index> {
    indexes().into_iter().filter(|index| !["gb18030-ranges", "iso-2022-jp-katakana"].contains(&index.name.as_str()))
}

fn index(arguments: &str) -> RunResult {
    RunResult::of(&mut Dir::new().textcodec(&format!("index {arguments}")))
}

/// Returns the standard output. Asserts status 0 and no messages.
fn printed(arguments: &str) -> String {
    let result = index(arguments);
    assert_eq!((result.status, result.stderr.as_str()), (0, ""), "{arguments}");
    String::from_utf8(result.stdout).unwrap()
}

fn char_of(hex: &str) -> Option<char> {
    char::from_u32(u32::from_str_radix(hex, 16).ok()?)
}

#[test]
fn without_a_name_all_names_are_listed() {
    let mut names: Vec<String> = printed("").lines().map(str::to_owned).collect();
    assert_eq!(names[..3], ["big5", "euc-kr", "gb18030"]);
    names.sort();
    assert!(names.iter().eq(indexes().iter().map(|index| &index.name)));

    let list: serde_json::Value = serde_json::from_str(&printed("--format json")).unwrap();
    assert_eq!(list.as_array().unwrap().len(), 34);
    let jis0208 = list.as_array().unwrap().iter().find(|item| item["name"] == "jis0208").unwrap();
    assert_eq!(jis0208["encodings"], serde_json::json!(["Shift_JIS", "EUC-JP", "ISO-2022-JP"]));
    assert_eq!((&jis0208["entries"], &jis0208["date"]), (&7724.into(), &"2024-09-18".into()));
}

#[test]
fn text_has_the_header_and_columns_of_the_standard() {
    for Index { name, identifier, date, entries } in indexes() {
        let text = printed(&name);
        let mut lines = text.lines();
        for expected in [
            &format!("# For details on index index-{name}.txt see the Encoding Standard"),
            "# https://encoding.spec.whatwg.org/",
            "#",
            &format!("# Identifier: {identifier}"),
            &format!("# Date: {date}"),
            "",
        ] {
            assert_eq!(lines.next(), Some(expected), "{name}");
        }
        let width = entries.last().unwrap().0.to_string().len();
        for &(pointer, character) in &entries {
            let line = lines.next().unwrap();
            let start = format!("{pointer:>width$}\t0x{:04X}", u32::from(character));
            if name == "gb18030-ranges" {
                assert_eq!(line, start);
            } else {
                let rest = line.strip_prefix(&start).unwrap_or_else(|| panic!("{name}: {line:?}, not {start:?}"));
                assert!(rest.starts_with(&format!("\t{character} (")) && rest.ends_with(')'), "{name}: {line:?}");
            }
        }
        assert_eq!(lines.next(), None, "{name}");
    }
}

#[test]
fn text_equals_the_file_of_the_standard_if_available() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/whatwg");
    if !dir.is_dir() {
        eprintln!("SKIPPED: the standard's files are not available");
        return;
    }
    for Index { name, .. } in indexes() {
        let file = fs::read_to_string(dir.join(format!("index-{name}.txt"))).unwrap();
        let text = printed(&name);
        for (expected, line) in file.lines().zip(text.lines()) {
            assert_eq!(line, expected, "{name}");
        }
        assert_eq!(text.len(), file.len(), "{name}");
    }
}

#[test]
fn names_are_those_of_unicode() {
    for (name, line) in [
        ("windows-1252", " 64\t0x00C0\tÀ (LATIN CAPITAL LETTER A WITH GRAVE)"),
        ("iso-8859-2", "  0\t0x0080\t\u{80} (<control>)"),
        ("euc-kr", "    0\t0xAC02\t갂 (HANGUL SYLLABLE GAGG)"),
        ("big5", "  942\t0x43F0\t䏰 (<CJK Ideograph Extension A>)"),
        ("big5", " 1720\t0xF907\t\u{F907} (CJK COMPATIBILITY IDEOGRAPH-F907)"),
        ("gb18030", " 6080\t0xE4C6\t\u{E4C6} (<Private Use>)"),
    ] {
        assert!(printed(name).lines().any(|printed| printed == line), "{line}");
    }
}

#[test]
fn json_has_the_same_entries() {
    for Index { name, identifier, date, entries } in indexes() {
        let text = printed(&format!("{name} --format json"));
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{name}");
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!((&json["name"], &json["date"]), (&name.into(), &date.into()));
        assert_eq!(json["identifier"], identifier);
        let found = json["entries"].as_array().unwrap();
        assert_eq!((found.len(), text.lines().count()), (entries.len(), entries.len() + 2), "one entry per line");
        for (entry, (pointer, character)) in found.iter().zip(entries) {
            assert_eq!((&entry["pointer"], &entry["code_point"]), (&pointer.into(), &u32::from(character).into()));
            if json["name"] == "gb18030-ranges" {
                assert_eq!(entry.as_object().unwrap().len(), 2);
            } else {
                assert_eq!(entry["character"], character.to_string());
                assert!(!entry["name"].as_str().unwrap().is_empty());
            }
        }
    }
}

#[test]
fn encodings_select_their_index() {
    for (asked, name) in [("shift_jis", "jis0208"), ("SJIS", "jis0208"), ("latin1", "windows-1252"), ("gbk", "gb18030")]
    {
        assert_eq!(printed(asked), printed(name), "{asked}");
    }
}

#[test]
fn an_unknown_name_is_wrong_usage_with_a_suggestion() {
    for (arguments, message) in [
        (
            "jis208",
            "'jis208' is not an index or an encoding; similar names: jis0208; 'textcodec index' lists all names",
        ),
        (
            "window-1252",
            "'window-1252' is not an index or an encoding; similar names: windows-1252, windows-1250, windows-1251;",
        ),
        ("klingon", "'klingon' is not an index or an encoding; 'textcodec index' lists all names"),
        ("EUC-JP", "EUC-JP has more than one index; choose one: jis0208, jis0212"),
        ("utf-16", "UTF-16LE has no index; it is decoded without a table"),
        ("big5 --visualize pages", "the argument '[NAME]' cannot be used with '--visualize <DIR>'"),
        ("big5 --format xml", "invalid value 'xml' for '--format <FORMAT>'"),
    ] {
        let result = index(arguments);
        assert_eq!((result.status, result.stdout.as_slice()), (2, &b""[..]), "{arguments}");
        assert!(result.stderr.starts_with(&format!("error: {message}")), "{}", result.stderr);
        assert!(result.stderr.contains("--help"), "{}", result.stderr);
    }
}

#[cfg(unix)]
#[test]
fn the_examples_in_help_work() {
    let help = printed("--help");
    let examples = help.lines().filter(|line| line.starts_with("      textcodec ") || line.starts_with("      for "));
    let dir = Dir::new();
    let binary = assert_cmd::cargo::cargo_bin!("textcodec");
    let path = format!("{}:{}", binary.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let mut count = 0;
    for example in examples {
        let mut sh = std::process::Command::new("sh");
        let result = RunResult::of(sh.current_dir(dir.path("")).env("PATH", &path).args(["-c", example]));
        assert_eq!(result.status, 0, "{example}");
        count += 1;
    }
    assert_eq!(count, 6);
    assert!(dir.path("pages/index.html").is_file());
    assert_eq!(dir.names().len(), 37, "each index, big5.json, page.txt and pages");
    assert_eq!(fs::read_to_string(dir.path("index-koi8-u.txt")).unwrap(), printed("koi8-u"));
}

/// Returns the bytes of a pointer in each encoding that uses the index.
fn bytes_of(index: &str, pointer: u32) -> Vec<(Encoding, Vec<u8>)> {
    let byte = |number: u32| u8::try_from(number).unwrap();
    let pair = |width: u32, lead: u32, trail: &dyn Fn(u32) -> u32| {
        vec![byte(lead + pointer / width), byte(trail(pointer % width))]
    };
    let two_ranges = |second: u32| move |column: u32| column + if column < 63 { 0x40 } else { second - 63 };
    match index {
        "big5" => vec![(BIG5, pair(157, 0x81, &two_ranges(0xA1)))],
        "euc-kr" => vec![(EUC_KR, pair(190, 0x81, &|trail| trail + 0x41))],
        "gb18030" => vec![(GB18030, pair(190, 0x81, &two_ranges(0x80)))],
        "jis0208" => {
            let lead = if pointer / 188 < 31 { 0x81 } else { 0xC1 };
            let mut forms = vec![(SHIFT_JIS, pair(188, lead, &two_ranges(0x80)))];
            if pointer < 94 * 94 {
                forms.push((EUC_JP, pair(94, 0xA1, &|trail| trail + 0xA1)));
                let [row, cell] = pair(94, 0x21, &|trail| trail + 0x21)[..] else { unreachable!() };
                forms.push((ISO_2022_JP, vec![0x1B, b'$', b'B', row, cell, 0x1B, b'(', b'B']));
            }
            forms
        }
        "jis0212" => vec![(EUC_JP, [vec![0x8F], pair(94, 0xA1, &|trail| trail + 0xA1)].concat())],
        "gb18030-ranges" => {
            let digits = [pointer / 12600, pointer / 1260 % 10, pointer / 10 % 126, pointer % 10];
            let bytes = digits.iter().zip([0x81, 0x30, 0x81, 0x30]).map(|(digit, first)| byte(first + digit));
            vec![(GB18030, bytes.collect())]
        }
        name => vec![(Encoding::for_label(name).unwrap(), vec![byte(0x80 + pointer)])],
    }
}

#[test]
fn entries_equal_what_the_library_decodes() {
    for Index { name, .. } in indexes() {
        let entries: serde_json::Value = serde_json::from_str(&printed(&format!("{name} --format json"))).unwrap();
        for entry in entries["entries"].as_array().unwrap() {
            let pointer = u32::try_from(entry["pointer"].as_u64().unwrap()).unwrap();
            let character = char::from_u32(u32::try_from(entry["code_point"].as_u64().unwrap()).unwrap()).unwrap();
            if name == "iso-2022-jp-katakana" {
                // Only the encoder uses this index, to replace half-width katakana.
                let half = char::from_u32(0xFF61 + pointer).unwrap().to_string();
                let full = character.to_string();
                assert_eq!(ISO_2022_JP.encode(&half).unwrap(), ISO_2022_JP.encode(&full).unwrap(), "{pointer}");
                continue;
            }
            for (encoding, bytes) in bytes_of(&name, pointer) {
                assert_eq!(
                    encoding.decode_strict(&bytes).unwrap(),
                    character.to_string(),
                    "{name} {pointer} {encoding}"
                );
            }
        }
    }
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let dir = Dir::new();
    for arguments in ["index big5", "index big5 --format json", "index --visualize pages"] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let result = RunResult::of(dir.textcodec(arguments).stdout(writer));
        assert_eq!((result.status, result.stderr.as_str()), (0, ""), "{arguments}");
    }
    assert_eq!(fs::read_dir(dir.path("pages")).unwrap().count(), 100, "all pages are written");
}
