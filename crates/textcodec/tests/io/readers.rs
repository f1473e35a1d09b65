//! `DecodeReader` and `EncodeReader`.

use std::io::{self, BufRead, Read};

use textcodec::{
    DecodeError, DecodeOptions, EUC_JP, EncodeOptions, Malformed, SHIFT_JIS, UTF_8, Unmappable, WINDOWS_1252,
    io::{DecodeReader, EncodeReader},
};

use crate::{
    cases::{self, check},
    faulty::{Behaviour, Source, is_fault},
};

const BUFFER_SIZES: [usize; 7] = [1, 2, 3, 5, 63, 4096, 64 << 10];

/// Reads up to the end, or up to an error that does not come from the inner reader. Checks that a further read returns it
/// again.
fn read_to_end(reader: &mut impl BufRead, size: usize, random: &mut fastrand::Rng) -> (Vec<u8>, Option<io::Error>) {
    let (mut all, mut buffer) = (Vec::new(), vec![0; size]);
    loop {
        let result = if random.u8(..4) == 0 {
            reader
                .fill_buf()
                .map(|text| {
                    let len = text.len().min(size);
                    buffer[..len].copy_from_slice(&text[..len]);
                    len
                })
                .inspect(|&len| reader.consume(len))
        } else {
            reader.read(&mut buffer)
        };
        match result {
            Ok(0) => {
                assert_eq!(reader.read(&mut buffer).unwrap(), 0, "after the end");
                return (all, None);
            }
            Ok(len) => all.extend_from_slice(&buffer[..len]),
            Err(error) if is_fault(&error) => {}
            Err(error) => {
                let again = reader.read(&mut buffer).unwrap_err();
                assert_eq!(again.to_string(), error.to_string());
                return (all, Some(error));
            }
        }
    }
}

#[test]
fn decoding_agrees_with_a_single_call() {
    let mut random = fastrand::Rng::with_seed(1);
    for case in cases::all_decoding(&mut random).into_iter().chain([cases::long_decoding()]) {
        for size in BUFFER_SIZES {
            let source = Source::new(&case.input, Behaviour::new(&mut random));
            let how = format!("buffer of {size} bytes, {:?}", source.behaviour);
            let mut reader = DecodeReader::new(source, case.convert.clone());
            let (text, error) = read_to_end(&mut reader, size, &mut random);
            check(&case, &text, error.as_ref(), &how);
            assert_eq!(reader.decoder().errors().count(), case.replaced);
            assert!(error.is_some() || reader.decoder().position() == case.input.len() as u64);
        }
    }
}

#[test]
fn encoding_agrees_with_a_single_call() {
    let mut random = fastrand::Rng::with_seed(2);
    for case in cases::all_encoding(&mut random).into_iter().chain([cases::long_encoding()]) {
        for size in BUFFER_SIZES {
            let source = Source::new(&case.input, Behaviour::new(&mut random));
            let how = format!("buffer of {size} bytes, {:?}", source.behaviour);
            let mut reader = EncodeReader::new(source, case.convert.clone());
            let (bytes, error) = read_to_end(&mut reader, size, &mut random);
            check(&case, &bytes, error.as_ref(), &how);
            assert_eq!(reader.encoder().errors().count(), case.replaced);
        }
    }
}

#[test]
fn read_to_string_and_read_to_end_continue_where_reading_stopped() {
    let mut random = fastrand::Rng::with_seed(3);
    for case in cases::all_decoding(&mut random).into_iter().chain([cases::long_decoding()]) {
        let mut bytes = vec![0; random.usize(..6)];
        let mut string = String::from("before");
        let make = |random: &mut fastrand::Rng| {
            DecodeReader::new(Source::new(&case.input, Behaviour::new(random)), case.convert.clone())
        };

        let mut reader = make(&mut random);
        let first = loop {
            match reader.read(&mut bytes) {
                Err(error) if is_fault(&error) => {}
                result => break result.unwrap_or(0),
            }
        };
        bytes.truncate(first);
        let error = loop {
            match reader.read_to_end(&mut bytes) {
                Ok(_) => break None,
                Err(error) if is_fault(&error) => {}
                Err(error) => break Some(error),
            }
        };
        check(&case, &bytes, error.as_ref(), "read_to_end");

        let mut reader = make(&mut random);
        let error = loop {
            match reader.read_to_string(&mut string) {
                Ok(_) => break None,
                Err(error) if is_fault(&error) => assert_ne!(error.kind(), io::ErrorKind::Interrupted),
                Err(error) => break Some(error),
            }
        };
        check(&case, &string.as_bytes()["before".len()..], error.as_ref(), "read_to_string");
    }
}

#[test]
fn read_to_string_fails_within_a_character() {
    let mut reader = DecodeReader::new(&b"\x93\xFAa"[..], SHIFT_JIS.decoder());
    let mut byte = [0];
    assert_eq!(reader.read(&mut byte).unwrap(), 1);
    let mut text = String::new();
    assert_eq!(reader.read_to_string(&mut text).unwrap_err().kind(), io::ErrorKind::InvalidData);
    assert_eq!(text, "");
    let mut rest = Vec::new();
    assert_eq!(reader.read_to_end(&mut rest).unwrap(), 3);
    assert_eq!(rest, "日a".as_bytes()[1..]);
}

#[test]
fn buffered_text_is_returned_once() {
    let behaviour = Behaviour { random: fastrand::Rng::new(), max_len: 2, one_in: 0 };
    let mut reader = DecodeReader::new(Source::new(b"abcdef", behaviour), UTF_8.decoder());
    let first = reader.fill_buf().unwrap().len();
    assert!((1..=2).contains(&first));
    let mut text = String::new();
    assert_eq!(reader.read_to_string(&mut text).unwrap(), 6);
    assert_eq!((text.as_str(), reader.read(&mut [0; 9]).unwrap()), ("abcdef", 0));
}

/// So a program that reads from a terminal or a pipe receives text as soon as it is available.
#[test]
fn the_inner_reader_is_not_called_while_text_is_available() {
    for size in [1, 100, 64 << 10] {
        let behaviour = Behaviour { random: fastrand::Rng::new(), max_len: 1, one_in: 0 };
        let mut reader = DecodeReader::new(Source::new(b"a\x80bc", behaviour), WINDOWS_1252.decoder());
        let mut buffer = vec![0; size];
        let mut len = 0;
        for calls in 1..=4 {
            let end = len + ["a", "€", "b", "c"][calls - 1].len();
            while len < end {
                len += reader.read(&mut buffer).unwrap();
            }
            assert_eq!((len, reader.get_ref().calls), (end, calls));
        }
    }
}

#[test]
fn the_inner_reader_is_not_called_for_an_empty_buffer_or_after_the_end() {
    let behaviour = Behaviour { random: fastrand::Rng::new(), max_len: 9, one_in: 0 };
    let mut reader = DecodeReader::new(Source::new(b"a", behaviour), UTF_8.decoder());
    assert_eq!((reader.read(&mut []).unwrap(), reader.get_ref().calls), (0, 0));
    assert_eq!(reader.read_to_end(&mut Vec::new()).unwrap(), 1);
    let calls = reader.get_ref().calls;
    reader.get_mut().at = 0;
    assert_eq!((reader.read(&mut [0; 9]).unwrap(), reader.fill_buf().unwrap().len()), (0, 0));
    assert_eq!((reader.read_to_string(&mut String::new()).unwrap(), reader.get_ref().calls), (0, calls));
}

#[test]
fn with_report_reading_continues_after_each_error() {
    let options = DecodeOptions::new().malformed(Malformed::Pause);
    for size in BUFFER_SIZES {
        let mut reader = DecodeReader::new(&b"a\xFFb\xC3\xC3\xA9\xE3\x81"[..], UTF_8.decoder_with(options));
        let (mut text, mut ranges, mut buffer) = (Vec::new(), Vec::new(), vec![0; size]);
        loop {
            match reader.read(&mut buffer) {
                Ok(0) => break,
                Ok(len) => text.extend_from_slice(&buffer[..len]),
                Err(error) => ranges.push((text.len(), cases::range(&error).unwrap())),
            }
        }
        assert_eq!(text, "abé".as_bytes());
        assert_eq!(ranges, [(1, 1..2), (2, 3..4), (4, 6..8)]);
    }
}

#[test]
fn a_fatal_error_comes_after_the_text_and_contains_its_bytes() {
    let mut reader = DecodeReader::new(&b"\xB4\xC1\xFF"[..], EUC_JP.decoder_with(cases::STRICT));
    let mut buffer = [0; 100];
    assert_eq!(reader.read(&mut buffer).unwrap(), 3);
    for _ in 0..3 {
        let error = reader.read(&mut buffer).unwrap_err().downcast::<DecodeError>().unwrap();
        assert_eq!((error.range(), error.bytes()), (2..3, &b"\xFF"[..]));
        assert_eq!(reader.read_to_string(&mut String::new()).unwrap_err().kind(), io::ErrorKind::InvalidData);
    }
}

#[test]
fn a_reader_in_a_reader_transcodes() {
    let text = testkit::texts::SENTENCES[12];
    let bytes = EUC_JP.encode(text).unwrap();
    let inner = DecodeReader::new(&bytes[..], EUC_JP.decoder());
    let mut reader = EncodeReader::new(inner, SHIFT_JIS.encoder_with(Unmappable::Html));
    let mut all = Vec::new();
    reader.read_to_end(&mut all).unwrap();
    assert_eq!(all, &*SHIFT_JIS.encode_with(text, Unmappable::Html).unwrap().bytes);
}

#[test]
fn an_unavailable_encoder_is_an_error_of_kind_unsupported() {
    let mut reader = EncodeReader::new(&b"a"[..], textcodec::REPLACEMENT.encoder());
    for _ in 0..2 {
        assert_eq!(reader.read(&mut [0; 8]).unwrap_err().kind(), io::ErrorKind::Unsupported);
    }
}

#[test]
fn a_byte_order_mark_is_written_at_the_start() {
    for text in ["", "ab"] {
        let encoder = textcodec::UTF_16LE.encoder_with(EncodeOptions::new().bom(true));
        let mut reader = EncodeReader::new(text.as_bytes(), encoder);
        let mut all = vec![0];
        reader.read_exact(&mut all).unwrap();
        reader.read_to_end(&mut all).unwrap();
        assert_eq!(all, cases::marked(textcodec::UTF_16LE, &textcodec::UTF_16LE.encode(text).unwrap()));
    }
}

#[test]
fn a_finished_decoder_or_encoder_starts_a_new_input() {
    let mut decoder = UTF_8.decoder_with(cases::STRICT);
    assert_eq!(decoder.decode_to_utf8(b"abc", &mut [0; 9], true).written, 3);
    let mut text = String::new();
    let mut reader = DecodeReader::new(&b"\xEF\xBB\xBFabcd\xFF"[..], decoder);
    let error = reader.read_to_string(&mut text).unwrap_err();
    assert_eq!((text.as_str(), cases::range(&error)), ("abcd", Some(7..8)));

    let mut encoder = textcodec::UTF_16LE.encoder_with(EncodeOptions::new().bom(true));
    assert_eq!(encoder.encode_from_utf8("abc", &mut [0; 9], true).written, 8);
    let mut reader = EncodeReader::new(&b"\xFF"[..], encoder);
    let mut bytes = Vec::new();
    assert_eq!(cases::range(&reader.read_to_end(&mut bytes).unwrap_err()), Some(0..1));
    assert_eq!(bytes, b"\xFF\xFE");
}
