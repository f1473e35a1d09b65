//! `DecodeWriter` and `EncodeWriter`.

use std::io::{self, Write};

use textcodec::{
    DecodeOptions, EUC_JP, EncodeOptions, ISO_2022_JP, Malformed, UTF_8, UTF_16LE, WINDOWS_1252,
    io::{DecodeWriter, EncodeWriter},
};

use crate::{
    cases::{self, Case},
    faulty::{Behaviour, Sink, is_fault},
};

/// Writes all of `input`. Returns an error only if it does not come from the inner writer.
fn write_all(writer: &mut impl Write, mut input: &[u8], random: &mut fastrand::Rng) -> Option<io::Error> {
    let max_len = [1, 2, 3, 5, 1000, 1 << 20][random.usize(..6)];
    while !input.is_empty() {
        let len = random.usize(1..=max_len.min(input.len()));
        match writer.write(&input[..len]) {
            Ok(len) => input = &input[len..],
            Err(error) if is_fault(&error) => assert_ne!(error.kind(), io::ErrorKind::Interrupted),
            Err(error) => {
                let again = writer.write(input).unwrap_err();
                assert!(is_fault(&again) || again.to_string() == error.to_string());
                return Some(error);
            }
        }
        if random.u8(..10) == 0 {
            match writer.flush() {
                Err(error) if is_fault(&error) => assert_ne!(error.kind(), io::ErrorKind::Interrupted),
                Err(error) => return Some(error),
                Ok(()) => {}
            }
        }
    }
    None
}

/// Calls `try_finish` until it succeeds or fails with an error that does not come from the inner writer.
fn finish(mut try_finish: impl FnMut() -> io::Result<()>) -> io::Result<()> {
    loop {
        match try_finish() {
            Err(error) if is_fault(&error) => assert_ne!(error.kind(), io::ErrorKind::Interrupted),
            result => return result,
        }
    }
}

#[test]
fn decoding_agrees_with_a_single_call() {
    let mut random = fastrand::Rng::with_seed(1);
    for case in cases::all_decoding(&mut random).into_iter().chain([cases::long_decoding()]) {
        for _ in 0..5 {
            let sink = Sink::new(Behaviour::new(&mut random));
            let how = format!("{:?} {:02X?} {:?}", sink.behaviour, case.input, case.convert);
            let mut writer = DecodeWriter::new(sink, case.convert.clone());
            let first = write_all(&mut writer, &case.input, &mut random);
            let last = finish(|| writer.try_finish()).err();
            let (is_ok, sink) = (last.is_none(), writer.get_ref());
            assert_eq!((&sink.bytes, is_ok), (&case.output, first.is_none() && case.error.is_none()), "{how}");
            assert!(!is_ok || sink.flushed == sink.bytes.len(), "{how}");
            for error in [last, first].into_iter().flatten() {
                assert_eq!(cases::range(&error), case.error, "{how}");
            }
            assert_eq!(writer.decoder().errors().count(), case.replaced, "{how}");
            writer.get_mut().behaviour.one_in = 0;
            assert_eq!(writer.finish().map(|(_, summary)| summary.errors.count()).ok(), is_ok.then_some(case.replaced));
        }
    }
}

#[test]
fn encoding_agrees_with_a_single_call() {
    let mut random = fastrand::Rng::with_seed(2);
    for case in cases::all_encoding(&mut random).into_iter().chain([cases::long_encoding()]) {
        for _ in 0..5 {
            encode(&case, &mut random);
        }
    }
}

fn encode(case: &Case<textcodec::Encoder>, random: &mut fastrand::Rng) {
    let sink = Sink::new(Behaviour::new(random));
    let how = format!("{:?} {:02X?} {:?}", sink.behaviour, case.input, case.convert);
    let mut writer = EncodeWriter::new(sink, case.convert.clone());
    let first = write_all(&mut writer, &case.input, random);
    let last = finish(|| writer.try_finish()).err();
    let (is_ok, sink) = (last.is_none(), writer.get_ref());
    assert_eq!((&sink.bytes, is_ok), (&case.output, first.is_none() && case.error.is_none()), "{how}");
    assert!(!is_ok || sink.flushed == sink.bytes.len(), "{how}");
    for error in [last, first].into_iter().flatten() {
        assert_eq!(cases::range(&error), case.error, "{how}");
    }
    assert_eq!(writer.encoder().errors().count(), case.replaced, "{how}");
    writer.get_mut().behaviour.one_in = 0;
    assert_eq!(writer.finish().map(|(_, summary)| summary.errors.count()).ok(), is_ok.then_some(case.replaced));
}

#[test]
fn write_str_agrees_with_write() {
    let mut random = fastrand::Rng::with_seed(3);
    for case in cases::all_encoding(&mut random).into_iter().chain([cases::long_encoding()]) {
        let Ok(text) = std::str::from_utf8(&case.input) else { continue };
        let mut writer = EncodeWriter::new(Vec::new(), case.convert.clone());
        let (mut rest, min_len) = (text, random.usize(1..40));
        let mut result = Ok(());
        while !rest.is_empty() && result.is_ok() {
            let (now, later) = rest.split_at(
                (1..=rest.len()).find(|&at| at >= min_len.min(rest.len()) && rest.is_char_boundary(at)).unwrap(),
            );
            rest = later;
            result = if random.bool() { writer.write_str(now) } else { writer.write_all(now.as_bytes()) };
        }
        let last = writer.try_finish();
        assert_eq!((writer.get_ref(), last.is_ok()), (&case.output, result.is_ok()));
        assert_eq!(last.err().as_ref().and_then(cases::range), case.error);
    }
}

#[test]
fn a_failed_call_of_the_inner_writer_loses_and_repeats_nothing() {
    struct FailsAt(usize, Vec<u8>);
    impl FailsAt {
        fn may_fail(&mut self) -> io::Result<()> {
            let now = self.0 == 0;
            self.0 = self.0.wrapping_sub(1);
            if now { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
        }
    }
    impl Write for FailsAt {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.may_fail()?;
            self.1.push(bytes[0]);
            Ok(1)
        }

        fn flush(&mut self) -> io::Result<()> {
            self.may_fail()
        }
    }

    let text = "日本語 and ｶﾅ";
    let expected = ISO_2022_JP.encode(text).unwrap();
    for at in 0.. {
        let mut writer = EncodeWriter::new(FailsAt(at, Vec::new()), ISO_2022_JP.encoder());
        let mut failures = 0;
        for byte in text.as_bytes() {
            while let Err(error) = writer.write(&[*byte]) {
                assert_eq!(error.kind(), io::ErrorKind::StorageFull);
                failures += 1;
            }
            failures += usize::from(writer.flush().is_err());
        }
        while writer.try_finish().is_err() {
            failures += 1;
        }
        assert_eq!(writer.into_inner().1, &*expected, "failing at call {at}");
        if failures == 0 {
            break;
        }
        assert_eq!(failures, 1);
    }
}

#[test]
fn an_inner_writer_that_accepts_nothing_is_an_error() {
    let mut writer = EncodeWriter::new(&mut [][..], UTF_16LE.encoder());
    writer.write_str("a").unwrap();
    assert_eq!(writer.flush().unwrap_err().kind(), io::ErrorKind::WriteZero);
}

#[test]
fn flush_writes_all_complete_characters() {
    let mut writer = EncodeWriter::new(Vec::new(), ISO_2022_JP.encoder());
    writer.write_all(&"日本".as_bytes()[..5]).unwrap();
    assert_eq!(writer.get_ref(), b"");
    writer.flush().unwrap();
    assert_eq!(writer.get_ref(), b"\x1B$BF|");
    writer.write_all(&"日本".as_bytes()[5..]).unwrap();
    assert_eq!(writer.finish().unwrap().0, b"\x1B$BF|K\\\x1B(B");
}

/// Includes a character that did not fit into the buffer.
#[test]
fn flush_writes_all_accepted_input() {
    for len in 5400..5500 {
        let mut writer = DecodeWriter::new(Vec::new(), WINDOWS_1252.decoder());
        let accepted = writer.write(&vec![0x80; len]).unwrap();
        writer.flush().unwrap();
        assert_eq!(writer.get_ref().len(), 3 * accepted);
    }
}

/// For buffers that end within a character or before one.
#[test]
fn flush_writes_everything_for_any_position_in_the_buffer() {
    for len in 8100..8200 {
        let text = "é".repeat(len) + "日";
        let expected = UTF_16LE.encode(&text).unwrap();
        let mut writer = EncodeWriter::new(Vec::new(), UTF_16LE.encoder());
        writer.write_str(&text).unwrap();
        writer.flush().unwrap();
        assert!(*writer.get_ref() == *expected, "{len} characters by `write_str`");
        let mut writer = EncodeWriter::new(Vec::new(), UTF_16LE.encoder());
        writer.write_all(text.as_bytes()).unwrap();
        writer.flush().unwrap();
        assert!(*writer.get_ref() == *expected, "{len} characters by `write`");
    }
}

#[test]
fn write_str_within_a_character_is_malformed() {
    let mut writer = EncodeWriter::new(Vec::new(), EUC_JP.encoder());
    writer.write_all(b"a\xE3\x81").unwrap();
    assert_eq!(cases::range(&writer.write_str("b").unwrap_err()), Some(1..3));
    // Later text is not written either.
    assert_eq!(cases::range(&writer.write_str("bc").unwrap_err()), Some(1..3));
    let error = writer.try_finish().unwrap_err();
    assert_eq!((writer.into_inner().as_slice(), cases::range(&error)), (&b"a"[..], Some(1..3)));
}

#[test]
fn the_output_before_malformed_text_is_complete() {
    let mut writer = EncodeWriter::new(Vec::new(), ISO_2022_JP.encoder());
    writer.write_all("日".as_bytes()).unwrap();
    assert_eq!(cases::range(&writer.write_all(b"\xFF").unwrap_err()), Some(3..4));
    assert_eq!(cases::range(&writer.write_str("本").unwrap_err()), Some(3..4));
    assert_eq!(cases::range(&writer.try_finish().unwrap_err()), Some(3..4));
    assert_eq!(writer.into_inner(), b"\x1B$BF|\x1B(B");
}

#[test]
fn with_report_writing_continues_after_each_error() {
    let options = DecodeOptions::new().malformed(Malformed::Pause);
    let mut writer = DecodeWriter::new(Vec::new(), UTF_8.decoder_with(options));
    let mut rest = &b"a\xFFb\xC3c\xE3\x81"[..];
    let mut ranges = Vec::new();
    while !rest.is_empty() {
        match writer.write(rest) {
            Ok(read) => rest = &rest[read..],
            Err(error) => ranges.push(cases::range(&error).unwrap()),
        }
    }
    ranges.push(cases::range(&writer.try_finish().unwrap_err()).unwrap());
    assert_eq!(ranges, [1..2, 3..4, 5..7]);
    assert_eq!(writer.finish().unwrap().0, b"abc");
}

#[test]
fn a_byte_order_mark_is_written_at_the_start() {
    let new = || EncodeWriter::new(Vec::new(), UTF_16LE.encoder_with(EncodeOptions::new().bom(true)));
    let mut writer = new();
    writer.flush().unwrap();
    writer.write_all("あ".as_bytes()).unwrap();
    writer.write_str("a").unwrap();
    assert_eq!(writer.finish().unwrap().0, b"\xFF\xFE\x42\x30a\0");
    // A U+FEFF in the text is kept.
    let mut own = new();
    own.write_str("\u{FEFF}a").unwrap();
    assert_eq!(own.finish().unwrap().0, b"\xFF\xFE\xFF\xFEa\0");
    assert_eq!(new().finish().unwrap().0, b"\xFF\xFE");
}

#[test]
fn long_writes_do_not_grow_the_buffer() {
    struct Counts(usize);
    impl Write for Counts {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.max(bytes.len());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut writer = DecodeWriter::new(Counts(0), WINDOWS_1252.decoder());
    writer.write_all(&vec![0x80; 1 << 20]).unwrap();
    assert!(writer.finish().unwrap().0.0 <= 16 << 10);
}
