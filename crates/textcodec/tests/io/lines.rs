//! `Lines`.

use std::io;

use textcodec::{DecodeOptions, EUC_KR, Encoding, ISO_2022_JP, Malformed, REPLACEMENT, UTF_8, io::DecodeReader};

use crate::{
    cases::{self, STRICT},
    faulty::{Behaviour, Source, is_fault},
};

#[test]
fn lines_agree_with_str_lines() {
    let mut random = fastrand::Rng::with_seed(1);
    let text = "a\r\n\n\r\nb\rc\r\r\n한글\nd\n";
    for text in [text, "", "\n", "\r", "\r\n", "a\r", &text[..text.len() - 1], &text.repeat(3000)] {
        let bytes = EUC_KR.encode(text).unwrap();
        let expected: Vec<&str> = text.lines().collect();
        for _ in 0..20 {
            let source = Source::new(&bytes, Behaviour::new(&mut random));
            let mut lines = Vec::new();
            for line in DecodeReader::new(source, EUC_KR.decoder()).lines() {
                match line {
                    Ok(line) => lines.push(line),
                    Err(error) => assert!(is_fault(&error) && error.kind() != io::ErrorKind::Interrupted),
                }
            }
            assert_eq!(lines, expected);
        }
    }
}

#[test]
fn a_fatal_error_comes_after_the_text_before_it_and_ends_the_lines() {
    for (bytes, expected, range) in [
        (&b"a\nb\xFFc\n"[..], &["a", "b"][..], 3..4),
        (b"a\n\xFF", &["a"], 2..3),
        (b"\xFFa", &[], 0..1),
        (b"a\r\nb\xE3\x81", &["a", "b"], 4..6),
    ] {
        let mut lines = DecodeReader::new(bytes, UTF_8.decoder_with(STRICT)).lines();
        for &line in expected {
            assert_eq!(lines.next_line().unwrap(), Some(line));
        }
        assert_eq!(cases::range(&lines.next_line().unwrap_err()), Some(range));
        assert!(lines.next().is_none() && lines.next().is_none());
    }
}

#[test]
fn with_report_lines_continue_after_each_error() {
    let report = DecodeOptions::new().malformed(Malformed::Pause);
    for (encoding, bytes, expected) in [
        (UTF_8, &b"a\nb\xFFc\nd\n"[..], &[Ok("a"), Ok("b"), Err(3..4), Ok("c"), Ok("d")][..]),
        (UTF_8, b"\xFF\xFF\n\nb\xE3\x81", &[Err(0..1), Err(1..2), Ok(""), Ok(""), Ok("b"), Err(5..7)]),
        (ISO_2022_JP, b"a\n\x1B$BF|\x1B$", &[Ok("a"), Ok("日"), Err(7..8), Err(8..9)]),
        (REPLACEMENT, b"a\nb", &[Err(0..1)]),
    ] {
        let mut lines = DecodeReader::new(bytes, encoding.decoder_with(report)).lines();
        for expected in expected {
            match lines.next_line() {
                Ok(line) => assert_eq!(line, expected.as_ref().ok().copied(), "{encoding}"),
                Err(error) => assert_eq!(cases::range(&error).as_ref(), expected.as_ref().err(), "{encoding}"),
            }
        }
        assert!(lines.next().is_none() && lines.next().is_none());
    }
}

#[test]
fn lines_continue_where_reading_stopped() {
    use std::io::{BufRead, Read};
    let mut reader = DecodeReader::new("äb\nc".as_bytes(), Encoding::for_label("utf-8").unwrap().decoder());
    reader.fill_buf().unwrap();
    reader.consume(2);
    let lines: Vec<String> = reader.lines().map(Result::unwrap).collect();
    assert_eq!(lines, ["b", "c"]);

    let mut reader = DecodeReader::new("äb\nc".as_bytes(), UTF_8.decoder());
    assert_eq!(reader.read(&mut [0]).unwrap(), 1);
    assert!(reader.lines().next().unwrap().is_err());
}
