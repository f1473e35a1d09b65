//! `Lines`.

use std::io;

use textcodec::{EUC_KR, Encoding, UTF_8, io::DecodeReader};

use crate::{
    cases::{self, STRICT},
    faulty::{Mood, Source, is_fault},
};

#[test]
fn lines_are_those_of_the_text() {
    let mut random = fastrand::Rng::with_seed(1);
    let text = "a\r\n\n\r\nb\rc\r\r\n한글\nd\n";
    for text in [text, "", "\n", "\r", "\r\n", "a\r", &text[..text.len() - 1], &text.repeat(3000)] {
        let bytes = EUC_KR.encode(text).unwrap();
        let expected: Vec<&str> = text.lines().collect();
        for _ in 0..20 {
            let source = Source::new(&bytes, Mood::new(&mut random));
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
fn what_precedes_an_error_is_a_line_then_comes_the_error_then_the_end() {
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
fn lines_go_on_where_reading_stopped() {
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
