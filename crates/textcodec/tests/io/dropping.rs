//! Writers that are dropped without `finish`.

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

/// An inner writer whose state is available after the writer is dropped.
#[derive(Clone, Debug, Default)]
struct Shared {
    bytes: Rc<RefCell<Vec<u8>>>,
    flushes: Rc<RefCell<usize>>,
    /// The error kind that writing fails with, if any.
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

/// Calls `act` and returns its result or the message of its panic.
fn catch<T>(act: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(act)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(ToString::to_string);
        text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap()
    })
}

#[test]
fn dropping_completes_the_output_and_writes_it() {
    let shared = Shared::default();
    let mut writer = EncodeWriter::new(shared.clone(), ISO_2022_JP.encoder());
    writer.write_str("日").unwrap();
    drop(writer);
    assert_eq!((&**shared.bytes.borrow(), *shared.flushes.borrow()), (&b"\x1B$BF|\x1B(B"[..], 0));

    let shared = Shared::default();
    let mut writer = DecodeWriter::new(shared.clone(), SHIFT_JIS.decoder());
    writer.write_all(b"a\x93").unwrap();
    drop(writer);
    assert_eq!(*shared.bytes.borrow(), "a\u{FFFD}".as_bytes());

    // Also if the text has an unmappable character.
    let shared = Shared::default();
    let mut writer = EncodeWriter::new(shared.clone(), ISO_2022_JP.encoder_with(Unmappable::Pause));
    assert_eq!(writer.write("日😀".as_bytes()).unwrap(), 7);
    drop(writer);
    assert_eq!(*shared.bytes.borrow(), b"\x1B$BF|\x1B(B");
    // A truncated escape sequence is an error; its restored bytes are text.
    let shared = Shared::default();
    let decoder = ISO_2022_JP.decoder_with(DecodeOptions::new().malformed(Malformed::Pause));
    let mut writer = DecodeWriter::new(shared.clone(), decoder);
    writer.write_all(b"a\x1B$").unwrap();
    drop(writer);
    assert_eq!(*shared.bytes.borrow(), b"a$");
}

/// As with the standard library's `BufWriter`: errors are lost, whether or not the last call failed.
#[test]
fn dropping_never_panics() {
    for kind in [ErrorKind::StorageFull, ErrorKind::WouldBlock, ErrorKind::InvalidData] {
        let unreported = catch(|| {
            let mut writer = EncodeWriter::new(Shared::failing(kind), UTF_16LE.encoder());
            writer.write_str("a").unwrap();
        });
        assert_eq!(unreported, Ok(()));
        let flushed = catch(|| {
            let mut writer = EncodeWriter::new(Shared::failing(kind), WINDOWS_1252.encoder());
            writer.write_str("a").unwrap();
            writer.flush().unwrap_err().kind()
        });
        assert_eq!(flushed, Ok(kind));
        let written = catch(|| {
            let mut writer = EncodeWriter::new(Shared::failing(kind), UTF_16LE.encoder());
            writer.write_all(&vec![b'a'; 100_000]).unwrap_err().kind()
        });
        assert_eq!(written, Ok(kind));
        let finished = catch(|| {
            let mut writer = EncodeWriter::new(Shared::failing(kind), WINDOWS_1252.encoder());
            writer.write_str("a").unwrap();
            writer.finish().unwrap_err().kind()
        });
        assert_eq!(finished, Ok(kind));
    }
    // The only output is the replacement of an incomplete character.
    let incomplete = catch(|| {
        let mut writer = DecodeWriter::new(Shared::full(), UTF_8.decoder());
        writer.write_all(b"\xC3").unwrap();
    });
    assert_eq!(incomplete, Ok(()));
    let takes_nothing = catch(|| {
        let mut writer = DecodeWriter::new(&mut [][..], UTF_8.decoder());
        writer.write_all(b"a").unwrap();
    });
    assert_eq!(takes_nothing, Ok(()));
    // An error after input that `write` has accepted.
    let pending = catch(|| {
        let mut writer = EncodeWriter::new(Shared::default(), WINDOWS_1252.encoder());
        writer.write("a字".as_bytes()).unwrap()
    });
    assert!(pending.is_ok());
}

/// The output before an early return with `?` is written.
#[test]
fn dropping_after_an_error_of_the_input_completes_the_output() {
    struct Reset(&'static [u8]);
    impl Read for Reset {
        fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() { Err(ErrorKind::ConnectionReset.into()) } else { self.0.read(buf) }
        }
    }

    let shared = Shared::default();
    let encode = || -> io::Result<()> {
        let mut writer = EncodeWriter::new(shared.clone(), UTF_16LE.encoder());
        io::copy(&mut Reset(b"a\xE3"), &mut writer)?;
        writer.finish().map(drop)
    };
    assert_eq!(encode().unwrap_err().kind(), ErrorKind::ConnectionReset);
    assert_eq!(*shared.bytes.borrow(), b"a\0");

    for malformed in [Malformed::Fail, Malformed::Pause] {
        let shared = Shared::default();
        let decode = || -> io::Result<()> {
            let mut writer = DecodeWriter::new(shared.clone(), UTF_16LE.decoder_with(malformed));
            io::copy(&mut Reset(b"a\0b"), &mut writer)?;
            writer.finish().map(drop)
        };
        assert_eq!(decode().unwrap_err().kind(), ErrorKind::ConnectionReset);
        assert_eq!(*shared.bytes.borrow(), b"a");
    }
}

#[test]
fn dropping_after_a_flush_does_not_call_the_inner_writer() {
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
    let mut writer = EncodeWriter::new(Untouched(false), UTF_16LE.encoder());
    writer.write_str("a").unwrap();
    writer.flush().unwrap();
    drop(writer);
    let mut writer = EncodeWriter::new(Untouched(false), ISO_2022_JP.encoder());
    writer.write_str("日").unwrap();
    writer.try_finish().unwrap();
    drop(writer);
    drop(EncodeWriter::new(Untouched(true), UTF_16LE.encoder()));
}

#[test]
fn into_inner_discards_pending_output() {
    let shared = Shared::default();
    let mut writer = EncodeWriter::new(shared.clone(), ISO_2022_JP.encoder());
    writer.write_str("日").unwrap();
    drop(writer.into_inner());
    let mut writer = DecodeWriter::new(shared.clone(), UTF_8.decoder_with(STRICT));
    writer.write_all(b"a\xC3").unwrap();
    drop(writer.into_inner());
    assert_eq!((shared.bytes.borrow().len(), *shared.flushes.borrow()), (0, 0));
}

/// It is unknown how much a writer wrote before it panicked.
#[test]
fn an_inner_writer_that_panicked_is_not_called_again() {
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
        // Without the panic, dropping would write the final escape sequence.
        let mut writer = EncodeWriter::new(Panics { calls: calls.clone(), in_flush }, ISO_2022_JP.encoder());
        writer.write_str("日").unwrap();
        assert_eq!(catch(|| writer.flush().is_ok()), Err("in the writer".into()));
        drop(writer);
        assert_eq!(*calls.borrow(), expected);
    }
}

/// Malformed UTF-8 ends the text. The output before the error is completed.
#[test]
fn dropping_completes_the_output_before_an_error() {
    let shared = Shared::default();
    let mut writer = EncodeWriter::new(shared.clone(), ISO_2022_JP.encoder());
    writer.write_str("日").unwrap();
    assert_eq!(cases::range(&writer.write_all(b"\xFF").unwrap_err()), Some(3..4));
    drop(writer);
    assert_eq!(*shared.bytes.borrow(), b"\x1B$BF|\x1B(B");
}
