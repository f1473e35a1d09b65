//! `--from auto`: each input in its own encoding.

use std::fs;

use crate::common::{Place, Ran};

#[test]
fn each_input_has_the_encoding_that_it_declares_or_looks_like() {
    let place = Place::with([
        ("page", b"<!DOCTYPE html><meta charset=shift_jis><p>\x93\xFA\x96\x7B"),
        ("feed", b"<?xml version=\"1.0\" encoding=\"windows-1251\"?><a>\xCC\xE8\xF0</a>"),
        ("style", b"@charset \"koi8-r\"; a { content: '\xED\xC9\xD2' }"),
        ("mark", b"\xFF\xFEa\0"),
        ("utf-8", "für 日本\n".as_bytes()),
        ("ascii", b"plain\n"),
    ]);
    place.run("-f auto page").is_clean("<!DOCTYPE html><meta charset=shift_jis><p>日本");
    place.run("-f AUTO feed").is_clean("<?xml version=\"1.0\" encoding=\"windows-1251\"?><a>Мир</a>");
    place.run_from("feed", "-f auto -").is_clean("<?xml version=\"1.0\" encoding=\"windows-1251\"?><a>Мир</a>");
    place.run("-f auto mark utf-8 ascii").is_clean("afür 日本\nplain\n");
    let all = place.run("-f auto --output-dir out -q page feed style mark utf-8 ascii");
    assert_eq!((all.status, place.read("out/style")), (0, "@charset \"koi8-r\"; a { content: 'Мир' }".into()));
    assert!(place.run("-f auto -v page -o page.txt").stderr.contains("page: Shift_JIS (declared by <meta charset"));
}

#[cfg(feature = "detect")]
#[test]
fn a_guess_is_told() {
    use crate::common::{pipe, samples};

    let weather = fs::read(samples().join("weather.windows-1251.txt")).unwrap();
    let original = fs::read(samples().join("weather.utf-8.txt")).unwrap();
    let place = Place::new();
    fs::write(place.path("weather"), &weather).unwrap();
    for ran in [place.run("-f auto weather"), pipe("-f auto", &weather)] {
        assert_eq!((ran.status, ran.stdout == original), (0, true));
        assert!(ran.stderr.contains(": windows-1251 ("), "{}", ran.stderr);
        assert!(ran.stderr.contains(" to UTF-8, "), "{}", ran.stderr);
    }
    let ran = place.run("-f auto --report=json weather -o out");
    let json: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!(json["files"][0]["from"], "windows-1251");
    assert!(json["files"][0]["why"].as_str().is_some_and(|why| !why.is_empty()));
}

#[test]
fn what_is_no_text_is_not_converted() {
    let binary: Vec<u8> = (0..=255).cycle().take(4096).collect();
    let place = Place::new();
    fs::write(place.path("binary"), &binary).unwrap();
    for arguments in ["--in-place binary", "--in-place=.bak binary", "binary -o out"] {
        let ran = place.run(&format!("-f auto {arguments}"));
        assert_eq!(ran.status, 3, "{}", ran.stderr);
        assert!(ran.stderr.contains("binary: no encoding was found: "), "{}", ran.stderr);
        assert!(place.read("binary") == binary);
        assert_eq!(place.names(), ["binary"]);
    }
}

#[cfg(feature = "detect")]
#[test]
fn a_long_stream_is_looked_at_where_it_begins() {
    use crate::common::pipe;

    let line = b"\x93\xFA\x96\x7B\x8C\xEA\x82\xCC\x95\xB6\x8F\xCD\x81\x42\n";
    let ran = pipe("-f auto", &line.repeat(200_000));
    assert_eq!(ran.status, 0);
    assert!(ran.stdout == "日本語の文章。\n".repeat(200_000).into_bytes());
    assert!(ran.stderr.contains("Shift_JIS"), "{}", ran.stderr);
}

#[test]
fn check_takes_auto_as_well() {
    let place =
        Place::with([("page", &[&b"<meta charset=euc-kr>\n"[..], &b"\xC7\xD1".repeat(20), b" \xFF!"].concat())]);
    let ran = Ran::of(&mut place.textcodec("check -f auto page"));
    assert_eq!(ran.status, 1);
    assert_eq!(
        String::from_utf8(ran.stdout).unwrap(),
        "page:2:22: malformed EUC-KR at byte 63 (FF): this byte cannot start a character\n"
    );
}
