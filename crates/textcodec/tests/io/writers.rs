//! `DecodeWriter` and `EncodeWriter`.

use std::{
    cell::RefCell,
    io::{self, Write},
    panic::{AssertUnwindSafe, catch_unwind},
    rc::Rc,
};

use textcodec::{
    DecodeOptions, EUC_JP, ISO_2022_JP, Malformed, SHIFT_JIS, UTF_8, UTF_16LE, Unmappable, WINDOWS_1252,
    io::{DecodeWriter, EncodeWriter, FinishError},
};

use crate::{
    cases::{self, Case},
    faulty::{Mood, Sink, is_fault},
};

/// Writes all of `input` as the contract of `Write` says. The answer is an error that is not the inner writer's.
fn write_all(writer: &mut impl Write, mut input: &[u8], random: &mut fastrand::Rng) -> Option<io::Error> {
    let most = [1, 2, 3, 5, 1000, 1 << 20][random.usize(..6)];
    while !input.is_empty() {
        let len = random.usize(1..=most.min(input.len()));
        match writer.write(&input[..len]) {
            Ok(len) => input = &input[len..],
            Err(error) if is_fault(&error) => {}
            Err(error) => {
                let again = writer.write(input).unwrap_err();
                assert!(is_fault(&again) || again.to_string() == error.to_string());
                return Some(error);
            }
        }
        if random.u8(..10) == 0 {
            match writer.flush() {
                Err(error) if !is_fault(&error) => return Some(error),
                _ => {}
            }
        }
    }
    None
}

fn finish<S, T>(mut writer: S, finish: impl Fn(S) -> Result<T, FinishError<S>>) -> Result<T, (S, io::Error)> {
    loop {
        match finish(writer).map_err(FinishError::into_parts) {
            Ok(done) => return Ok(done),
            Err((again, error)) if is_fault(&error) => writer = again,
            Err(failed) => return Err(failed),
        }
    }
}

#[test]
fn decoding_gives_what_one_call_gives() {
    let mut random = fastrand::Rng::with_seed(1);
    for case in cases::all_decoding(&mut random).into_iter().chain([cases::long_decoding()]) {
        for _ in 0..5 {
            let sink = Sink::new(Mood::new(&mut random));
            let how = format!("{:?} {:02X?} {:?}", sink.mood, case.input, case.convert);
            let mut writer = DecodeWriter::new(sink, case.convert.clone());
            let first = write_all(&mut writer, &case.input, &mut random);
            match finish(writer, DecodeWriter::finish) {
                Ok((sink, summary)) => {
                    assert_eq!((&sink.bytes, sink.flushed), (&case.output, sink.bytes.len()), "{how}");
                    assert!(first.is_none() && case.error.is_none(), "{how}");
                    assert_eq!(summary.errors.count(), case.replaced, "{how}");
                }
                Err((writer, error)) => {
                    assert_eq!(writer.get_ref().bytes, case.output, "{how}");
                    for error in [Some(error), first].into_iter().flatten() {
                        assert_eq!(cases::range(&error), case.error, "{how}");
                    }
                }
            }
        }
    }
}

#[test]
fn encoding_gives_what_one_call_gives() {
    let mut random = fastrand::Rng::with_seed(2);
    for case in cases::all_encoding(&mut random).into_iter().chain([cases::long_encoding()]) {
        for _ in 0..5 {
            encode(&case, &mut random);
        }
    }
}

fn encode(case: &Case<textcodec::Encoder>, random: &mut fastrand::Rng) {
    let sink = Sink::new(Mood::new(random));
    let how = format!("{:?} {:02X?} {:?}", sink.mood, case.input, case.convert);
    let writer = EncodeWriter::new(sink, case.convert.clone());
    let with_bom = random.bool();
    let mut writer = if with_bom { writer.with_bom() } else { writer };
    let expected = if with_bom { cases::marked(case.convert.encoding(), &case.output) } else { case.output.clone() };
    let first = write_all(&mut writer, &case.input, random);
    match finish(writer, EncodeWriter::finish) {
        Ok((sink, summary)) => {
            assert_eq!((&sink.bytes, sink.flushed), (&expected, sink.bytes.len()), "{how}");
            assert!(first.is_none() && case.error.is_none(), "{how}");
            assert_eq!(summary.errors.count(), case.replaced, "{how}");
        }
        Err((writer, error)) => {
            assert_eq!(writer.get_ref().bytes, expected, "{how}");
            for error in [Some(error), first].into_iter().flatten() {
                assert_eq!(cases::range(&error), case.error, "{how}");
            }
        }
    }
}

#[test]
fn write_str_gives_what_write_gives() {
    let mut random = fastrand::Rng::with_seed(3);
    for case in cases::all_encoding(&mut random).into_iter().chain([cases::long_encoding()]) {
        let Ok(text) = std::str::from_utf8(&case.input) else { continue };
        let mut writer = EncodeWriter::new(Vec::new(), case.convert.clone());
        let (mut rest, most) = (text, random.usize(1..40));
        let mut result = Ok(());
        while !rest.is_empty() && result.is_ok() {
            let (now, later) = rest.split_at(
                (1..=rest.len()).find(|&at| at >= most.min(rest.len()) && rest.is_char_boundary(at)).unwrap(),
            );
            rest = later;
            result = if random.bool() { writer.write_str(now) } else { writer.write_all(now.as_bytes()) };
        }
        match writer.finish().map_err(FinishError::into_parts) {
            Ok((bytes, _)) => assert_eq!((bytes, result.is_ok()), (case.output, true)),
            Err((writer, error)) => {
                assert_eq!((writer.get_ref(), cases::range(&error)), (&case.output, case.error.clone()));
            }
        }
    }
}

/// Whatever call of the inner writer fails, nothing is lost or doubled.
#[test]
fn each_call_of_the_inner_writer_may_fail() {
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
        let mut writer = EncodeWriter::new(FailsAt(at, Vec::new()), ISO_2022_JP.encoder().unwrap());
        let mut failures = 0;
        for byte in text.as_bytes() {
            while let Err(error) = writer.write(&[*byte]) {
                assert_eq!(error.kind(), io::ErrorKind::StorageFull);
                failures += 1;
            }
            failures += usize::from(writer.flush().is_err());
        }
        let inner = loop {
            match writer.finish().map_err(FinishError::into_parts) {
                Ok((inner, _)) => break inner,
                Err((again, _)) => {
                    writer = again;
                    failures += 1;
                }
            }
        };
        assert_eq!(inner.1, &*expected, "failing at call {at}");
        if failures == 0 {
            break;
        }
        assert_eq!(failures, 1);
    }
}

#[test]
fn a_writer_that_takes_nothing_is_an_error() {
    let mut writer = EncodeWriter::new(&mut [][..], UTF_16LE.encoder().unwrap());
    writer.write_str("a").unwrap();
    assert_eq!(writer.flush().unwrap_err().kind(), io::ErrorKind::WriteZero);
}

#[test]
fn flush_writes_all_that_is_complete() {
    let mut writer = EncodeWriter::new(Vec::new(), ISO_2022_JP.encoder().unwrap());
    writer.write_all(&"日本".as_bytes()[..5]).unwrap();
    assert_eq!(writer.get_ref(), b"");
    writer.flush().unwrap();
    assert_eq!(writer.get_ref(), b"\x1B$BF|");
    writer.write_all(&"日本".as_bytes()[5..]).unwrap();
    assert_eq!(writer.finish().unwrap().0, b"\x1B$BF|K\\\x1B(B");
}

/// Also a character that the buffer had no more room for.
#[test]
fn flush_writes_what_was_taken_and_waits_for_room() {
    for len in 5400..5500 {
        let mut writer = DecodeWriter::new(Vec::new(), WINDOWS_1252.decoder());
        let taken = writer.write(&vec![0x80; len]).unwrap();
        writer.flush().unwrap();
        assert_eq!(writer.get_ref().len(), 3 * taken);
    }
}

#[test]
fn a_text_between_the_bytes_of_a_character_is_malformed() {
    let mut writer = EncodeWriter::new(Vec::new(), EUC_JP.encoder().unwrap());
    writer.write_all(b"a\xE3\x81").unwrap();
    assert_eq!(cases::range(&writer.write_str("b").unwrap_err()), Some(1..3));
    let (writer, error) = writer.finish().unwrap_err().into_parts();
    assert_eq!((writer.get_ref().as_slice(), cases::range(&error)), (&b"a"[..], Some(1..3)));
}

#[test]
fn malformed_text_leaves_complete_bytes_behind() {
    let mut writer = EncodeWriter::new(Vec::new(), ISO_2022_JP.encoder().unwrap());
    writer.write_all("日".as_bytes()).unwrap();
    assert_eq!(cases::range(&writer.write_all(b"\xFF").unwrap_err()), Some(3..4));
    let (writer, _) = writer.finish().unwrap_err().into_parts();
    assert_eq!(writer.get_ref(), b"\x1B$BF|\x1B(B");
}

#[test]
fn with_report_writing_goes_on_behind_each_error() {
    let options = DecodeOptions::new().malformed(Malformed::Report);
    let mut writer = DecodeWriter::new(Vec::new(), UTF_8.decoder_with(options));
    let mut rest = &b"a\xFFb\xC3c\xE3\x81"[..];
    let mut ranges = Vec::new();
    while !rest.is_empty() {
        match writer.write(rest) {
            Ok(read) => rest = &rest[read..],
            Err(error) => ranges.push(cases::range(&error).unwrap()),
        }
    }
    let (writer, error) = writer.finish().unwrap_err().into_parts();
    ranges.push(cases::range(&error).unwrap());
    assert_eq!(ranges, [1..2, 3..4, 5..7]);
    assert_eq!(writer.finish().unwrap().0, b"abc");
}

#[test]
fn long_writes_do_not_make_the_writer_larger() {
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

/// What a test looks at after the writer is dropped.
#[derive(Clone, Debug, Default)]
struct Shared(Rc<RefCell<Vec<u8>>>, bool);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.1 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn panics(act: impl FnOnce()) -> Option<String> {
    let panic = catch_unwind(AssertUnwindSafe(act)).err()?;
    Some(
        panic
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string))
            .unwrap(),
    )
}

#[test]
fn dropping_finishes() {
    let shared = Shared::default();
    let mut writer = EncodeWriter::new(shared.clone(), ISO_2022_JP.encoder().unwrap());
    writer.write_str("日").unwrap();
    drop(writer);
    assert_eq!(*shared.0.borrow(), b"\x1B$BF|\x1B(B");

    let shared = Shared::default();
    let mut writer = DecodeWriter::new(shared.clone(), SHIFT_JIS.decoder());
    writer.write_all(b"a\x93").unwrap();
    drop(writer);
    assert_eq!(*shared.0.borrow(), "a\u{FFFD}".as_bytes());
}

#[test]
fn dropping_panics_where_a_loss_would_be_silent() {
    let full = || Shared(Rc::default(), true);
    let lost = panics(|| {
        let mut writer = EncodeWriter::new(full(), UTF_16LE.encoder().unwrap());
        writer.write_str("a").unwrap();
    });
    assert!(lost.unwrap().contains("no storage space"));
    let cut_off = panics(|| {
        let mut writer = DecodeWriter::new(Shared::default(), UTF_8.decoder_with(cases::STRICT));
        writer.write_all(b"a\xC3").unwrap();
    });
    assert!(cut_off.unwrap().contains("malformed UTF-8 at byte 1 (C3)"));
    // An error that was got over says nothing about what came later.
    let later = panics(|| {
        let mut writer = EncodeWriter::new(full(), UTF_16LE.encoder().unwrap());
        assert!(writer.write_str("a").is_ok() && writer.flush().is_err());
        writer.get_mut().1 = false;
        assert!(writer.flush().is_ok() && writer.write_str("b").is_ok());
        writer.get_mut().1 = true;
    });
    assert!(later.is_some());
}

#[test]
fn dropping_does_not_panic_where_the_caller_knows() {
    let known = panics(|| {
        let mut writer = EncodeWriter::new(Shared(Rc::default(), true), WINDOWS_1252.encoder().unwrap());
        writer.write_str("a").unwrap();
        writer.flush().unwrap_err();
    });
    assert_eq!(known, None);
    let failed = panics(|| {
        let writer = EncodeWriter::new(Vec::new(), WINDOWS_1252.encoder().unwrap());
        let mut writer = writer;
        writer.write_str("字").unwrap_err();
    });
    assert_eq!(failed, None);
    let unfinished = panics(|| {
        let mut writer = EncodeWriter::new(Shared(Rc::default(), true), WINDOWS_1252.encoder().unwrap());
        writer.write_str("a").unwrap();
        drop(writer.finish().unwrap_err());
    });
    assert_eq!(unfinished, None);
    // A panic while the thread panics would end the process.
    let other = panics(|| {
        let mut writer = EncodeWriter::new(Shared(Rc::default(), true), WINDOWS_1252.encoder().unwrap());
        writer.write_str("a").unwrap();
        panic!("another reason");
    });
    assert_eq!(other.as_deref(), Some("another reason"));
}

/// Nobody knows how much a writer has written that has panicked.
#[test]
fn a_writer_that_has_panicked_is_not_asked_again() {
    struct Panics(Rc<RefCell<usize>>);
    impl Write for Panics {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            *self.0.borrow_mut() += 1;
            panic!("in the writer");
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let calls = Rc::new(RefCell::new(0));
    let panic = panics(|| {
        let mut writer = EncodeWriter::new(Panics(calls.clone()), WINDOWS_1252.encoder_with(Unmappable::Skip).unwrap());
        writer.write_str("a").unwrap();
        let _ = writer.flush();
    });
    assert_eq!((panic.as_deref(), *calls.borrow()), (Some("in the writer"), 1));
}
