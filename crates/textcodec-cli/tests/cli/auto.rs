//! `--from auto`: the encoding of each input is detected.

use std::fs;

use crate::common::{Dir, RunResult, with_reasons};

#[test]
fn each_input_is_converted_from_its_detected_encoding() {
    let dir = Dir::with([
        ("page", b"<!DOCTYPE html><meta charset=shift_jis><p>\x93\xFA\x96\x7B"),
        ("feed", b"<?xml version=\"1.0\" encoding=\"windows-1251\"?><a>\xCC\xE8\xF0</a>"),
        ("style", b"@charset \"koi8-r\"; a { content: '\xED\xC9\xD2' }"),
        ("mark", b"\xFF\xFEa\0"),
        ("utf-8", "für 日本\n".as_bytes()),
        ("ascii", b"plain\n"),
    ]);
    dir.convert("-f auto -q page").assert_clean("<!DOCTYPE html><meta charset=shift_jis><p>日本");
    dir.convert("-f AUTO -q feed").assert_clean("<?xml version=\"1.0\" encoding=\"windows-1251\"?><a>Мир</a>");
    dir.convert_stdin("feed", "-f auto -q -")
        .assert_clean("<?xml version=\"1.0\" encoding=\"windows-1251\"?><a>Мир</a>");
    dir.convert("-f auto mark utf-8 ascii").assert_clean("afür 日本\nplain\n");
    let all = dir.convert("-f auto --output-dir out -q page feed style mark utf-8 ascii");
    assert_eq!((all.status, dir.read("out/style")), (0, "@charset \"koi8-r\"; a { content: 'Мир' }".into()));
    assert!(dir.convert("-f auto -v page -o page.txt").stderr.contains("page: Shift_JIS (declared by <meta charset"));
}

#[cfg(feature = "detect")]
#[test]
fn a_guess_is_reported() {
    use crate::common::{pipe, samples};

    let weather = fs::read(samples().join("weather.windows-1251.txt")).unwrap();
    let original = fs::read(samples().join("weather.utf-8.txt")).unwrap();
    let dir = Dir::new();
    fs::write(dir.path("weather"), &weather).unwrap();
    for result in [dir.convert("-f auto weather"), pipe("-f auto", &weather)] {
        assert_eq!((result.status, result.stdout == original), (0, true));
        assert!(result.stderr.contains(": windows-1251 ("), "{}", result.stderr);
        assert!(result.stderr.contains(" to UTF-8, "), "{}", result.stderr);
    }
    let result = dir.convert("-f auto --report=json weather -o out");
    let json: serde_json::Value = serde_json::from_slice(&result.stdout).unwrap();
    assert_eq!(json["files"][0]["from"], "windows-1251");
    assert!(json["files"][0]["why"].as_str().is_some_and(|why| !why.is_empty()));
}

#[test]
fn binary_data_is_not_converted() {
    let binary: Vec<u8> = (0..=255).cycle().take(4096).collect();
    let dir = Dir::new();
    fs::write(dir.path("binary"), &binary).unwrap();
    for (status, arguments, why) in [
        (1, "--in-place binary", "skipped: does not look like text: "),
        (1, "--in-place=.bak binary", "skipped: does not look like text: "),
        (3, "--binary=convert --in-place binary", "no encoding was detected ("),
        (3, "binary -o out", "no encoding was detected ("),
    ] {
        let result = dir.convert(&format!("-f auto {arguments}"));
        assert_eq!(result.status, status, "{}", result.stderr);
        assert!(result.stderr.contains(&format!("binary: {why}")), "{}", result.stderr);
        assert!(dir.read("binary") == binary);
        assert_eq!(dir.names(), ["binary"]);
    }
}

#[cfg(feature = "detect")]
#[test]
fn the_encoding_of_a_long_stream_is_detected_from_its_start() {
    use crate::common::pipe;

    let line = b"\x93\xFA\x96\x7B\x8C\xEA\x82\xCC\x95\xB6\x8F\xCD\x81\x42\n";
    let result = pipe("-f auto --min-confidence=low", &line.repeat(200_000));
    assert_eq!(result.status, 0);
    assert!(result.stdout == "日本語の文章。\n".repeat(200_000).into_bytes());
    assert!(result.stderr.contains("Shift_JIS"), "{}", result.stderr);
}

#[test]
fn check_accepts_auto() {
    let dir = Dir::with([("page", &[&b"<meta charset=euc-kr>\n"[..], &b"\xC7\xD1".repeat(20), b" \xFF!"].concat())]);
    let result = RunResult::of(&mut dir.textcodec("check -f auto page"));
    assert_eq!(result.status, 1);
    assert_eq!(
        String::from_utf8(result.stdout).unwrap(),
        with_reasons("page:2:22: malformed EUC-KR at byte 63 (FF): {InvalidByte}\n")
    );
}

#[cfg(feature = "detect")]
#[test]
fn an_uncertain_guess_is_reported_even_if_quiet() {
    let uncertain = b"gr\xC3\xBC\xC3\x9Fe \xFF\xFE\xE9\xE8 \xFA\xFB \xC3\xA9 \xE4\xF6";
    let dir = Dir::with([("a", uncertain), ("b", b"plain\n"), ("c", "für Größe".as_bytes())]);
    for output in ["-o out", "--output-dir out-dir", "--dry-run", ""] {
        let result = dir.convert(&format!("-q -f auto {output} a"));
        assert!(
            result.status == 1 && result.stderr.starts_with("textcodec: a: the detected encoding, windows-12"),
            "{output}: {}",
            result.stderr
        );
        assert_eq!(result.stderr.lines().count(), 1, "{output}: {}", result.stderr);
        // A certain one is not.
        let result = dir.convert(&format!("-q -f auto {output} b c"));
        assert_eq!((result.status, &*result.stderr), (0, ""), "{output}");
    }
}

#[test]
fn text_that_declares_a_code_page_which_browsers_do_not_know_is_not_replaced_by_a_guess() {
    let french = "L'été à Orléans, la fête à Sète, où naïveté et garçon\n".repeat(3);
    for (name, head, label) in [
        ("a.xml", "<?xml version=\"1.0\" encoding=\"IBM850\"?>\n", "IBM850"),
        ("b.xml", "<?xml version=\"1.0\" encoding=\"cp850\"?>\n", "cp850"),
        ("c.html", "<!doctype html><meta charset=\"IBM850\">\n", "IBM850"),
        ("d.css", "@charset \"IBM850\";\n", "IBM850"),
    ] {
        // The declaration is wrong, but it is evidence against the guess.
        let bytes = textcodec::WINDOWS_1252.encode(&format!("{head}{french}")).unwrap().into_owned();
        let dir = Dir::with([(name, &*bytes)]);
        let result = dir.convert(&format!("-f auto --in-place {name}"));
        assert_eq!(result.status, 1, "{}", result.stderr);
        assert!(
            result.stderr.starts_with(&format!("textcodec: {name}: declared as '{label}' by ")),
            "{}",
            result.stderr
        );
        let advice = format!("; -f {label} decodes it if that is right; left unchanged; --force converts it anyway\n");
        assert!(result.stderr.ends_with(&advice), "{}", result.stderr);
        assert_eq!(dir.read(name), *bytes, "{name}");
    }
}

#[cfg(feature = "detect")]
#[test]
fn a_code_page_that_browsers_do_not_know_is_found_by_a_guess() {
    let french = "L'été à Orléans, la fête à Sète, où naïveté et garçon\n".repeat(3);
    for (name, head, label) in [
        ("a.xml", "<?xml version=\"1.0\" encoding=\"IBM850\"?>\n", "IBM850"),
        ("b.xml", "<?xml version=\"1.0\" encoding=\"cp850\"?>\n", "cp850"),
        ("c.html", "<!doctype html><meta charset=\"IBM850\">\n", "IBM850"),
        ("d.css", "@charset \"IBM850\";\n", "IBM850"),
    ] {
        let bytes = textcodec::oem::IBM850.encode(&format!("{head}{french}")).unwrap().into_owned();
        let dir = Dir::with([(name, &*bytes), ("by-label", &*bytes)]);
        let result = dir.convert(&format!("-f auto --in-place --min-confidence=medium --update-declaration {name}"));
        assert_eq!(result.status, 0, "{}", result.stderr);
        assert!(String::from_utf8(dir.read(name)).unwrap().ends_with(&french), "{name}");
        // As with the label.
        dir.convert(&format!("-f {label} --in-place --update-declaration by-label")).assert_clean("");
        assert_eq!(dir.read("by-label"), dir.read(name));
    }
}
