//! `textcodec detect`: what it prints, and every sample.

use std::{fs, io::Write as _, process::Stdio};

use crate::common::{Place, Ran};

fn detect(place: &Place, arguments: &str) -> Ran {
    Ran::of(&mut place.textcodec(&format!("detect {arguments}")))
}

fn pipe(arguments: &str, input: &[u8]) -> Ran {
    let command = Place::new().textcodec(&format!("detect {arguments}"));
    // The folder is gone, which only a test that names files would notice.
    assert_cmd::Command::from_std(command).current_dir("/").write_stdin(input).output().unwrap().into()
}

fn text(ran: &Ran) -> &str {
    std::str::from_utf8(&ran.stdout).unwrap()
}

/// The lines of `--json`.
fn objects(ran: &Ran) -> Vec<serde_json::Value> {
    text(ran).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_line_for_each_file_in_columns() {
    let place = Place::with([
        ("plain", b"abc\n"),
        ("page.html", b"<p><meta charset=koi8-r>\xC1\xC2"),
        ("marked", b"\xFF\xFEa\0"),
        ("8.txt", "für Größe 😀".as_bytes()),
    ]);
    detect(&place, "plain page.html marked 8.txt").is_clean(
        "\
plain:     UTF-8        high     all bytes are ASCII, which is the same in UTF-8 and most other encodings
page.html: KOI8-R       high     declared by <meta charset=\"koi8-r\"> at byte 3
marked:    UTF-16LE     certain  byte order mark (FF FE)
8.txt:     UTF-8        high     valid UTF-8, with 4 characters beyond ASCII
",
    );
}

#[test]
fn no_file_and_a_dash_are_standard_input() {
    let line = "standard input: UTF-8        certain  byte order mark (EF BB BF)\n";
    pipe("", b"\xEF\xBB\xBFa").is_clean(line);
    pipe("-", b"\xEF\xBB\xBFa").is_clean(line);
    pipe("", b"").is_clean("standard input: UTF-8        certain  empty: the same in every encoding\n");
}

#[test]
fn what_is_no_text_is_unknown_and_status_1() {
    let place = Place::with([("zeros", &[0; 50]), ("plain", b"abc")]);
    let ran = detect(&place, "zeros plain");
    assert_eq!((ran.status, ran.stderr.as_str()), (1, ""));
    assert!(text(&ran).starts_with(
        "zeros: unknown      none     does not look like text: control characters are 50 of 50 bytes\nplain: UTF-8 "
    ));
    assert_eq!(detect(&place, "--json zeros").status, 1);
    assert_eq!(objects(&detect(&place, "--json zeros"))[0]["encoding"], serde_json::Value::Null);
}

#[test]
fn a_file_that_cannot_be_read_does_not_stop_the_others() {
    let place = Place::with([("a", b"abc"), ("b", b"\0\0\0\0"), ("c", b"abc")]);
    fs::create_dir(place.path("folder")).unwrap();
    let ran = detect(&place, "a nothing b folder c");
    assert_eq!((ran.status, text(&ran).lines().count()), (3, 3));
    assert_eq!(
        ran.stderr,
        "textcodec: nothing: No such file or directory (os error 2)\ntextcodec: folder: is a directory\n"
    );
    let ran = detect(&place, "--json a nothing c");
    assert_eq!((ran.status, ran.stderr.lines().count()), (3, 1));
    let objects = objects(&ran);
    assert_eq!(objects[1]["path"], "nothing");
    assert_eq!(objects[1]["error"], "No such file or directory (os error 2)");
    assert_eq!(objects[2]["encoding"], "UTF-8");
}

#[test]
fn all_prints_the_candidates_the_answer_first() {
    let place = Place::with([("page", b"<meta charset=utf-8>caf\xE9s, d\xE9j\xE0 vus \xE0 l'\xE9t\xE9")]);
    let ran = detect(&place, "--all page");
    let lines: Vec<_> = text(&ran).lines().collect();
    assert!(lines[0].ends_with("; although declared UTF-8 by <meta charset=\"utf-8\"> at byte 0, where malformed sequences are 6, the first at byte 23"), "{}", lines[0]);
    let answer = lines[0].split_whitespace().nth(1).unwrap();
    assert!(
        lines[1].contains(&format!("      {answer} "))
            && lines[1].contains(" 0 malformed, 6 beyond ASCII, 0 of them unlikely")
    );
    assert!(lines.iter().any(|line| line.contains("UTF-8        6 malformed, 0 beyond ASCII, 0 of them unlikely")));
    assert_eq!(detect(&place, "page").stdout, format!("{}\n", lines[0]).into_bytes());
}

#[test]
fn json_has_one_object_a_line() {
    let place = Place::with([("a", b"\xEF\xBB\xBFabc"), ("b", "<?xml encoding='big5'?> \"日".as_bytes())]);
    let ran = detect(&place, "--json a b");
    assert_eq!(
        text(&ran).lines().next().unwrap(),
        "{\"path\":\"a\",\"encoding\":\"UTF-8\",\"bom\":true,\"confidence\":\"certain\",\"evidence\":\"bom\",\
         \"reason\":\"byte order mark (EF BB BF)\",\"bytes\":6,\"candidates\":[{\"encoding\":\"UTF-8\",\
         \"malformed\":0,\"complete\":true,\"beyond_ascii\":0,\"unlikely\":0}]}"
    );
    let object = &objects(&ran)[1];
    assert_eq!(object["bom"], false);
    assert_ne!(object["encoding"], "Big5");
    let big5 = object["candidates"].as_array().unwrap().iter().find(|tried| tried["encoding"] == "Big5").unwrap();
    assert_eq!(big5["malformed"], 2);
}

#[test]
#[cfg(target_os = "linux")]
fn a_path_that_is_not_utf_8() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt as _};

    let place = Place::new();
    let name = OsStr::from_bytes(b"caf\xE9");
    fs::write(place.path("").join(name), "abc").unwrap();
    let ran = Ran::of(place.textcodec("detect --json").arg(name));
    let object = &objects(&ran)[0];
    assert_eq!((&object["path"], &object["path_hex"]), (&"caf\u{FFFD}".into(), &"636166E9".into()));
    let ran = Ran::of(place.textcodec("detect").arg(name));
    assert!(text(&ran).starts_with("caf\u{FFFD}: UTF-8 "));
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let place = Place::with([("a", b"abc")]);
    let mut child = place
        .textcodec(&format!("detect {}", "a ".repeat(5000)))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    Ran::from(child.wait_with_output().unwrap()).is_clean("");
}

#[test]
#[cfg(target_os = "linux")]
fn a_large_input_takes_little_memory() {
    let block = "a line of text, 日本語, ß\n".repeat(40_000).into_bytes();
    let mut broken = block.clone();
    broken[20_000] = 0xFF;
    for block in [&block, &broken] {
        let place = Place::new();
        let mut child = place.textcodec("detect").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        for _ in 0..40 {
            stdin.write_all(block).unwrap();
        }
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        let peak: u64 = line.trim().trim_end_matches(" kB").parse().unwrap();
        assert!(peak < 20 * 1024, "{peak} KiB");
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        assert!(output.stdout.starts_with(b"standard input: UTF-8 "), "{}", output.stdout.escape_ascii());
    }
}

#[test]
fn help_says_what_the_words_mean() {
    let ran = detect(&Place::new(), "--help");
    for word in ["certain", "medium", "Exit status:", "--json", "path_hex"] {
        assert!(text(&ran).contains(word), "{word}");
    }
    assert!(text(&ran).lines().all(|line| line.chars().count() <= 100));
}

#[cfg(feature = "detect")]
#[test]
fn every_sample_is_detected_as_what_gives_its_text() {
    use crate::common::{encoded_samples, samples};

    let place = Place::new();
    for (path, _, original) in encoded_samples() {
        let (name, original) = (path.display(), fs::read(original).unwrap());
        let ran = Ran::of(place.textcodec("detect --json").arg(&path));
        let object = &objects(&ran)[0];
        let encoding = object["encoding"].as_str().unwrap();
        // Decoded with what was answered, it is its original.
        let converted = Ran::of(place.command(&format!("--strict -f {encoding}")).arg(&path));
        assert!(converted.stdout == original, "{name}: {object}");
        assert!(object["candidates"][0]["malformed"] == 0, "{name}: {object}");
    }
    // In two encodings at once, and so in none for sure.
    let log = samples().join("broken-utf-8.log");
    let ran = Ran::of(place.textcodec("detect").arg(&log));
    assert!(
        text(&ran).contains("low      guessed from 28 characters beyond ASCII; but some are valid UTF-8"),
        "{ran:?}"
    );
}
