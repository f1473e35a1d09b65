//! `Lines`.

use std::io;

use textcodec::{EUC_KR, Encoding, ISO_2022_JP, Malformed, REPLACEMENT, UTF_8, io::DecodeReader};

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
            assert_eq!(lines.next_line().unwrap().map(|line| line.text), Some(line));
        }
        assert_eq!(cases::range(&lines.next_line().unwrap_err()), Some(range));
        assert!(lines.next().is_none() && lines.next().is_none());
    }
}

#[test]
fn with_pause_errors_are_attached_to_their_line() {
    type Expected<'a> = &'a [(&'a str, &'a [(u64, u64)])];
    let cases: [(Encoding, &[u8], Expected<'_>); 6] = [
        (UTF_8, b"a\nb\xFFc\nd\xFF\ne", &[("a", &[]), ("b\u{FFFD}c", &[(3, 4)]), ("d\u{FFFD}", &[(7, 8)]), ("e", &[])]),
        (
            UTF_8,
            b"\xFF\xFF\n\nb\xE3\x81",
            &[("\u{FFFD}\u{FFFD}", &[(0, 1), (1, 2)]), ("", &[]), ("b\u{FFFD}", &[(5, 7)])],
        ),
        (UTF_8, b"\xE3\x81\r\n\xE3\x81", &[("\u{FFFD}", &[(0, 2)]), ("\u{FFFD}", &[(4, 6)])]),
        (UTF_8, b"a\n\n", &[("a", &[]), ("", &[])]),
        (ISO_2022_JP, b"a\n\x1B$BF|\x1B$", &[("a", &[]), ("日\u{FFFD}\u{FFFD}", &[(7, 8), (8, 9)])]),
        (REPLACEMENT, b"a\nb", &[("\u{FFFD}", &[(0, 1)])]),
    ];
    let mut random = fastrand::Rng::with_seed(3);
    for (encoding, bytes, expected) in cases {
        for _ in 0..20 {
            let source = Source::new(bytes, Behaviour::new(&mut random));
            let mut lines = DecodeReader::new(source, encoding.decoder_with(Malformed::Pause)).lines();
            let mut found = Vec::new();
            loop {
                match lines.next_line() {
                    Ok(Some(line)) => {
                        assert_eq!(line.number, found.len() as u64 + 1);
                        assert!(line.errors.iter().all(|error| line.text[error.at..].starts_with('\u{FFFD}')));
                        let ranges = line.errors.iter().map(|error| error.error.range());
                        let ranges: Vec<_> = ranges.map(|range| (range.start, range.end)).collect();
                        found.push((line.text.to_owned(), ranges));
                    }
                    Ok(None) => break,
                    Err(error) => assert!(is_fault(&error), "{error}"),
                }
            }
            assert!(lines.next().is_none());
            let expected: Vec<_> = expected.iter().map(|(text, ranges)| (text.to_string(), ranges.to_vec())).collect();
            assert_eq!(found, expected, "{encoding}");
        }
        // The items of the iterator are the same lines.
        let lines = DecodeReader::new(bytes, encoding.decoder_with(Malformed::Pause)).lines();
        let texts: Vec<String> = lines.map(Result::unwrap).collect();
        assert!(texts.iter().eq(expected.iter().map(|(text, _)| text)), "{encoding} {texts:?}");
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
