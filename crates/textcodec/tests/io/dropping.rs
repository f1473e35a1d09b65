//! What becomes of a writer that is dropped.

use std::{
    cell::RefCell,
    io::{self, ErrorKind, Read, Write},
    panic::{AssertUnwindSafe, catch_unwind},
    rc::Rc,
};

use textcodec::{
    DecodeOptions, ISO_2022_JP, Malformed, SHIFT_JIS, UTF_8, UTF_16LE, Unmappable, WINDOWS_1252,
    io::{DecodeWriter, EncodeWriter},
};

use crate::cases::{self, STRICT};

/// What a test looks at after the writer is dropped.
#[derive(Clone, Debug, Default)]
struct Shared {
    bytes: Rc<RefCell<Vec<u8>>>,
    flushes: Rc<RefCell<usize>>,
    /// What writing fails with.
    fails: Option<ErrorKind>,
}

impl Shared {
    fn failing(kind: ErrorKind) -> Self {
        Self { fails: Some(kind), ..Self::default() }
    }

    fn full() -> Self {
        Self::failing(ErrorKind::StorageFull)
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(kind) = self.fails {
            return Err(kind.into());
        }
        self.bytes.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        *self.flushes.borrow_mut() += 1;
        Ok(())
    }
}

fn panics<T>(act: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(act)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(ToString::to_string);
        text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap()
    })
}

#[test]
fn dropping_completes_and_writes() {
    let shared = Shared::default();
    let mut writer = EncodeWriter::new(shared.clone(), ISO_2022_JP.encoder().unwrap());
    writer.write_str("日").unwrap();
    drop(writer);
    assert_eq!((&**shared.bytes.borrow(), *shared.flushes.borrow()), (&b"\x1B$BF|\x1B(B"[..], 0));

    let shared = Shared::default();
    let mut writer = DecodeWriter::new(shared.clone(), SHIFT_JIS.decoder());
    writer.write_all(b"a\x93").unwrap();
    drop(writer);
    assert_eq!(*shared.bytes.borrow(), "a\u{FFFD}".as_bytes());

    // Nor does an error in the text keep what is behind it from being completed.
    let shared = Shared::default();
    let mut writer = EncodeWriter::new(shared.clone(), ISO_2022_JP.encoder_with(Unmappable::Report).unwrap());
    assert_eq!(writer.write("日😀".as_bytes()).unwrap(), 7);
    drop(writer);
    assert_eq!(*shared.bytes.borrow(), b"\x1B$BF|\x1B(B");
    // An escape sequence that is cut off is an error, and then text.
    let shared = Shared::default();
    let decoder = ISO_2022_JP.decoder_with(DecodeOptions::new().malformed(Malformed::Report));
    let mut writer = DecodeWriter::new(shared.clone(), decoder);
    writer.write_all(b"a\x1B$").unwrap();
    drop(writer);
    assert_eq!(*shared.bytes.borrow(), b"a$");
}

#[test]
fn dropping_panics_where_the_inner_writer_would_fail_silently() {
    let lost = panics(|| {
        let mut writer = EncodeWriter::new(Shared::full(), UTF_16LE.encoder().unwrap());
        writer.write_str("a").unwrap();
    });
    assert!(lost.unwrap_err().contains("no storage space"));
    let waits = panics(|| {
        let mut writer = EncodeWriter::new(Shared::failing(ErrorKind::WouldBlock), UTF_16LE.encoder().unwrap());
        writer.write_str("a").unwrap();
    });
    assert!(waits.is_err());
    let takes_nothing = panics(|| {
        let mut writer = DecodeWriter::new(&mut [][..], UTF_8.decoder());
        writer.write_all(b"a").unwrap();
    });
    assert!(takes_nothing.is_err());
    // It may fail with the kind that errors in the text have.
    let invalid = panics(|| {
        let inner = Shared::failing(ErrorKind::InvalidData);
        let mut writer = DecodeWriter::new(inner, UTF_8.decoder_with(STRICT));
        writer.write_all(b"a\xC3").unwrap();
    });
    assert!(invalid.is_err());
    // Only by what the end makes of a begun character.
    let begun = panics(|| {
        let mut writer = DecodeWriter::new(Shared::full(), UTF_8.decoder());
        writer.write_all(b"\xC3").unwrap();
    });
    assert!(begun.is_err());
    // An error that was got over says nothing about what came later.
    let later = panics(|| {
        let mut writer = EncodeWriter::new(Shared::full(), UTF_16LE.encoder().unwrap());
        assert!(writer.write_str("a").is_ok() && writer.flush().is_err());
        writer.get_mut().fails = None;
        assert!(writer.flush().is_ok() && writer.write_str("b").is_ok());
        writer.get_mut().fails = Some(ErrorKind::StorageFull);
    });
    assert!(later.is_err());
}

#[test]
fn dropping_does_not_panic_where_the_caller_knows() {
    struct Breaks(bool);
    impl Write for Breaks {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.0 { Err(ErrorKind::BrokenPipe.into()) } else { Ok(bytes.len()) }
        }

        fn flush(&mut self) -> io::Result<()> {
            self.0 = true;
            Err(ErrorKind::BrokenPipe.into())
        }
    }

    for kind in [ErrorKind::StorageFull, ErrorKind::WouldBlock, ErrorKind::InvalidData] {
        let flushed = panics(|| {
            let mut writer = EncodeWriter::new(Shared::failing(kind), WINDOWS_1252.encoder().unwrap());
            writer.write_str("a").unwrap();
            writer.flush().unwrap_err().kind()
        });
        assert_eq!(flushed, Ok(kind));
        let written = panics(|| {
            let mut writer = EncodeWriter::new(Shared::failing(kind), UTF_16LE.encoder().unwrap());
            writer.write_all(&vec![b'a'; 100_000]).unwrap_err().kind()
        });
        assert_eq!(written, Ok(kind));
        let finished = panics(|| {
            let mut writer = EncodeWriter::new(Shared::failing(kind), WINDOWS_1252.encoder().unwrap());
            writer.write_str("a").unwrap();
            writer.finish().unwrap_err().kind()
        });
        assert_eq!(finished, Ok(kind));
    }
    // Also where it was flushing that failed, and the way back to ASCII is left.
    let flushed = panics(|| {
        let mut writer = EncodeWriter::new(Breaks(false), ISO_2022_JP.encoder().unwrap());
        writer.write_str("日").unwrap();
        writer.flush().unwrap_err().kind()
    });
    assert_eq!(flushed, Ok(ErrorKind::BrokenPipe));
    let unmappable = panics(|| {
        let mut writer = EncodeWriter::new(Shared::full(), WINDOWS_1252.encoder().unwrap());
        writer.write_str("a字").unwrap_err().kind()
    });
    assert_eq!(unmappable, Ok(ErrorKind::InvalidData));
    // A panic while the thread panics would end the process.
    let other = panics(|| {
        let mut writer = EncodeWriter::new(Shared::full(), WINDOWS_1252.encoder().unwrap());
        writer.write_str("a").unwrap();
        panic!("another reason");
    });
    assert_eq!(other, Err::<(), _>("another reason".into()));
}

/// Otherwise an error that ends a function by `?` would become a panic that hides it.
#[test]
fn dropping_does_not_panic_by_errors_in_the_text() {
    struct Reset(&'static [u8]);
    impl Read for Reset {
        fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() { Err(ErrorKind::ConnectionReset.into()) } else { self.0.read(room) }
        }
    }

    let shared = Shared::default();
    let encoding = panics(|| -> io::Result<()> {
        let mut writer = EncodeWriter::new(shared.clone(), UTF_16LE.encoder()?);
        io::copy(&mut Reset(b"a\xE3"), &mut writer)?;
        writer.finish().map(drop)
    });
    assert_eq!(encoding.unwrap().unwrap_err().kind(), ErrorKind::ConnectionReset);
    assert_eq!(*shared.bytes.borrow(), b"a\0");

    for malformed in [Malformed::Fail, Malformed::Report] {
        let shared = Shared::default();
        let decoding = panics(|| -> io::Result<()> {
            let decoder = UTF_16LE.try_decoder_with(DecodeOptions::new().malformed(malformed))?;
            let mut writer = DecodeWriter::new(shared.clone(), decoder);
            io::copy(&mut Reset(b"a\0b"), &mut writer)?;
            writer.finish().map(drop)
        });
        assert_eq!(decoding.unwrap().unwrap_err().kind(), ErrorKind::ConnectionReset);
        assert_eq!(*shared.bytes.borrow(), b"a");
    }

    // An error that waits behind what was taken.
    let waiting = panics(|| {
        let mut writer = EncodeWriter::new(Shared::default(), WINDOWS_1252.encoder().unwrap());
        writer.write("a字".as_bytes()).unwrap()
    });
    assert!(waiting.is_ok());
}

/// Whether an inner writer can be flushed is not known here, so a successful `flush` is enough.
#[test]
fn dropping_does_not_touch_the_inner_writer_where_nothing_waits() {
    struct Untouched(bool);
    impl Write for Untouched {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            assert!(!self.0);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            assert!(!std::mem::replace(&mut self.0, true));
            Ok(())
        }
    }
    let mut writer = EncodeWriter::new(Untouched(false), UTF_16LE.encoder().unwrap());
    writer.write_str("a").unwrap();
    writer.flush().unwrap();
    drop(writer);
    let mut writer = EncodeWriter::new(Untouched(false), ISO_2022_JP.encoder().unwrap());
    writer.write_str("日").unwrap();
    writer.try_finish().unwrap();
    drop(writer);
    drop(EncodeWriter::new(Untouched(true), UTF_16LE.encoder().unwrap()));
}

#[test]
fn into_inner_gives_up() {
    let shared = Shared::default();
    let mut writer = EncodeWriter::new(shared.clone(), ISO_2022_JP.encoder().unwrap());
    writer.write_str("日").unwrap();
    drop(writer.into_inner());
    let mut writer = DecodeWriter::new(shared.clone(), UTF_8.decoder_with(STRICT));
    writer.write_all(b"a\xC3").unwrap();
    drop(writer.into_inner());
    assert_eq!((shared.bytes.borrow().len(), *shared.flushes.borrow()), (0, 0));
}

/// Nobody knows how much a writer has written that has panicked.
#[test]
fn a_writer_that_has_panicked_is_not_asked_again() {
    struct Panics {
        calls: Rc<RefCell<usize>>,
        in_flush: bool,
    }
    impl Panics {
        fn call(&mut self, panics: bool) {
            *self.calls.borrow_mut() += 1;
            assert!(!panics, "in the writer");
        }
    }
    impl Write for Panics {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.call(!self.in_flush);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            self.call(self.in_flush);
            Ok(())
        }
    }
    for (in_flush, expected) in [(false, 1), (true, 2)] {
        let calls = Rc::new(RefCell::new(0));
        // Its end would be written when it is dropped.
        let mut writer = EncodeWriter::new(Panics { calls: calls.clone(), in_flush }, ISO_2022_JP.encoder().unwrap());
        writer.write_str("日").unwrap();
        assert_eq!(panics(|| writer.flush().is_ok()), Err("in the writer".into()));
        drop(writer);
        assert_eq!(*calls.borrow(), expected);
    }
}

/// Text that is not UTF-8 has ended, and what precedes it is complete.
#[test]
fn dropping_completes_what_precedes_an_error() {
    let shared = Shared::default();
    let mut writer = EncodeWriter::new(shared.clone(), ISO_2022_JP.encoder().unwrap());
    writer.write_str("日").unwrap();
    assert_eq!(cases::range(&writer.write_all(b"\xFF").unwrap_err()), Some(3..4));
    drop(writer);
    assert_eq!(*shared.bytes.borrow(), b"\x1B$BF|\x1B(B");
}
