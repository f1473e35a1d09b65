//! What functions do when memory is lacking: those that return a `Result` return an error, and the caller can continue from
//! there. They never abort. Functions that return no error abort, and never return a part of the text.
//!
//! This is a separate program, because its global allocator fails on demand.
#![expect(unsafe_code, reason = "implements an allocator that fails")]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    env,
    fmt::Debug,
    io::{ErrorKind, Read as _},
    process::Command,
};

use textcodec::{
    BIG5, Bom, DecodeError, DecodeOptions, DecodeReason, DecodeTarget, EncodeError, EncodeReason, Encoding, GB18030,
    ISO_2022_JP, Malformed, SHIFT_JIS, UTF_8, UTF_16LE, Unmappable, WINDOWS_1252, X_USER_DEFINED, hooks,
    io::DecodeReader,
};

thread_local! {
    /// The number of allocations that succeed, while there is a limit.
    static LEFT: Cell<usize> = const { Cell::new(usize::MAX) };
    /// The size up to which allocations do not count.
    static SMALL: Cell<usize> = const { Cell::new(0) };
    static HAS_FAILED: Cell<bool> = const { Cell::new(false) };
}

struct Failing;

#[global_allocator]
static ALLOCATOR: Failing = Failing;

fn fails(size: usize) -> bool {
    if LEFT.get() == usize::MAX || size <= SMALL.get() {
        return false;
    }
    let left = LEFT.get().checked_sub(1);
    LEFT.set(left.unwrap_or(0));
    HAS_FAILED.set(HAS_FAILED.get() || left.is_none());
    left.is_none()
}

// SAFETY: each method returns null, which is allowed, or passes its arguments unchanged to `System`, which upholds the contract
// of `GlobalAlloc`.
unsafe impl GlobalAlloc for Failing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller guarantees `layout.size() != 0`, as `System.alloc` requires.
        if fails(layout.size()) { std::ptr::null_mut() } else { unsafe { System.alloc(layout) } }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Less memory is always available.
        if size > layout.size() && fails(size) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller guarantees what `System.realloc` requires; `memory` is from `System`.
        unsafe { System.realloc(memory, layout, size) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller guarantees that `memory` was allocated by `alloc`, hence by `System`, with this `layout`.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// Calls a function that may allocate `allocations` times, not counting those of up to `small` bytes. Returns `None` if an
/// allocation failed and the result is that error.
fn limited<R, E: Debug>(
    allocations: usize,
    small: usize,
    is_out_of_memory: impl Fn(&E) -> bool,
    call: impl FnOnce() -> Result<R, E>,
) -> Option<R> {
    HAS_FAILED.set(false);
    SMALL.set(small);
    LEFT.set(allocations);
    let result = call();
    LEFT.set(usize::MAX);
    match result {
        Ok(result) => {
            assert!(!HAS_FAILED.get(), "a failure was ignored");
            Some(result)
        }
        Err(error) => {
            assert!(HAS_FAILED.get() && is_out_of_memory(&error), "{error:?}");
            None
        }
    }
}

fn decoding(error: &DecodeError) -> bool {
    error.reason() == DecodeReason::OutOfMemory && error.range().is_empty() && error.bytes().is_empty()
}

fn encoding(error: &EncodeError) -> bool {
    error.reason() == EncodeReason::OutOfMemory && error.range().is_empty() && error.character().is_none()
}

/// Calls a function with memory for 0, 1, 2, … allocations, until it succeeds, and compares the result. Returns the number of
/// failures.
fn until_success<R: PartialEq + Debug, E: Debug>(
    expected: &R,
    is_out_of_memory: impl Fn(&E) -> bool,
    call: impl Fn() -> Result<R, E>,
) -> usize {
    for allocations in 0.. {
        if let Some(result) = limited(allocations, 0, &is_out_of_memory, &call) {
            assert!(result == *expected);
            return allocations;
        }
    }
    0
}

/// Encodings, and text that grows when it is decoded or encoded.
fn texts() -> Vec<(Encoding, String)> {
    let texts = [
        (UTF_8, "Съешь же ещё いろは 😀 "),
        (UTF_16LE, "Съешь же ещё いろは 😀 "),
        (WINDOWS_1252, "Voilà l’été, « où » naître € € "),
        (SHIFT_JIS, "いろはにほへと、ちりぬるを。ｱｲｳ "),
        (ISO_2022_JP, "いろはにほへと、ちりぬるを。 ABC "),
        (GB18030, "天地玄黄，宇宙洪荒。😀😀 "),
        (BIG5, "天地玄黃，宇宙洪荒。"),
        (X_USER_DEFINED, "\u{F780}\u{F7FF}\u{F7A0}"),
    ];
    let lengths = [1, 100, 5000];
    // The ASCII in front makes the estimate of the length too small.
    let long = |text: &str, n| format!("{}{}", "ascii ".repeat(n), text.repeat(n));
    texts.iter().flat_map(|&(encoding, text)| lengths.map(|n| (encoding, long(text, n)))).collect()
}

#[test]
fn one_call_returns_an_error() {
    let mut failures = 0;
    for (from, text) in texts() {
        let units: Vec<u16> = text.encode_utf16().collect();
        let bytes = from.encode(&text).unwrap().into_owned();
        let keep = DecodeOptions::new().bom(Bom::Keep);
        let replace = Unmappable::Html;
        failures += until_success(&text, decoding, || Ok(from.decode_with(&bytes, keep)?.text.into_owned_in_test()));
        failures += until_success(&text, decoding, || Ok(from.decode_strict(&bytes)?.into_owned_in_test()));
        failures += until_success(&units, decoding, || from.decode_to_utf16_strict(&bytes));
        failures += until_success(&units, decoding, || Ok(from.decode_to_utf16_with(&bytes, keep)?.text));
        failures += until_success(&bytes, encoding, || Ok(from.encode(&text)?.into_owned_in_test()));
        failures +=
            until_success(&bytes, encoding, || Ok(from.encode_with(&text, replace)?.bytes.into_owned_in_test()));
        failures += until_success(&bytes, encoding, || from.encode_from_utf16(&units));
        failures += until_success(&bytes, encoding, || Ok(from.encode_from_utf16_with(&units, replace)?.bytes));
        // Each unmappable character becomes a reference.
        let references = WINDOWS_1252.encode_with(&text, Unmappable::Html).unwrap().bytes.into_owned();
        failures += until_success(&references, encoding, || {
            Ok(WINDOWS_1252.encode_with(&text, Unmappable::Html)?.bytes.into_owned_in_test())
        });
    }
    assert!(failures > 100, "{failures}");
}

/// `Cow::into_owned`, for which there is memory.
trait IntoOwned {
    type Owned;
    fn into_owned_in_test(self) -> Self::Owned;
}

impl<T: ToOwned + ?Sized> IntoOwned for std::borrow::Cow<'_, T> {
    type Owned = T::Owned;

    fn into_owned_in_test(self) -> T::Owned {
        let left = LEFT.replace(usize::MAX);
        let owned = self.into_owned();
        LEFT.set(left);
        owned
    }
}

/// Decodes in chunks, each with memory for `allocations` allocations, and continues after each failure.
fn decode<T: DecodeTarget + Default>(from: Encoding, bytes: &[u8], chunk: usize, allocations: usize) -> (T, usize) {
    let (mut text, mut failures) = (T::default(), 0);
    let mut decoder = from.decoder_with(Bom::Keep);
    for start in (0..bytes.len()).step_by(chunk) {
        let end = bytes.len().min(start + chunk);
        loop {
            let rest = &bytes[decoder.position() as usize..end];
            // After a failure, there is memory for all.
            let allowed = if failures % 2 == 0 { allocations } else { usize::MAX };
            if limited(allowed, 0, decoding, || decoder.push(rest, &mut text)).is_some() {
                break;
            }
            failures += 1;
        }
        failures += failures % 2;
    }
    decoder.finish(&mut text).unwrap();
    (text, failures / 2)
}

#[test]
fn a_decoder_can_continue() {
    let mut failures = 0;
    for (from, text) in texts() {
        let bytes = from.encode(&text).unwrap().into_owned();
        for (chunk, allocations) in [(bytes.len(), 0), (bytes.len(), 1), (1000, 0), (7, 0)] {
            let (string, failed) = decode::<String>(from, &bytes, chunk, allocations);
            assert!(string == text, "{from}");
            failures += failed;
            let (utf8, failed) = decode::<Vec<u8>>(from, &bytes, chunk, allocations);
            assert!(utf8 == text.as_bytes(), "{from}");
            failures += failed;
            let (utf16, failed) = decode::<Vec<u16>>(from, &bytes, chunk, allocations);
            assert!(utf16.iter().copied().eq(text.encode_utf16()), "{from}");
            failures += failed;
        }
    }
    assert!(failures > 100, "{failures}");
}

#[test]
fn an_encoder_can_continue() {
    let mut failures = 0;
    for (to, text) in texts() {
        let bytes = to.encode(&text).unwrap().into_owned();
        let (mut out, mut encoder) = (Vec::new(), to.encoder());
        let before = failures;
        while encoder.position() < text.len() as u64 {
            let rest = &text[encoder.position() as usize..];
            if limited((failures - before) % 2, 0, encoding, || encoder.push(rest, &mut out)).is_none() {
                failures += 1;
                out.reserve(1000);
            }
        }
        encoder.finish(&mut out).unwrap();
        assert!(out == bytes, "{to}");
    }
    assert!(failures > 20, "{failures}");
}

#[test]
fn functions_for_errors_and_the_end_return_an_error() {
    let replacement = |_: &DecodeError| Some(std::borrow::Cow::Borrowed("[a replacement]"));
    let expected = "a[a replacement]b".repeat(1000);
    let bytes = b"a\xFFb".repeat(1000);
    let failures = until_success(&expected, decoding, || {
        let (mut text, mut decoder) = (String::new(), UTF_8.decoder());
        decoder.push_with(&bytes, &mut text, replacement)?;
        decoder.finish_with(&mut text, replacement)?;
        Ok(text)
    });
    assert!(failures > 2, "{failures}");
    let units: Vec<u16> = expected.encode_utf16().collect();
    until_success(&units, decoding, || {
        let (mut text, mut decoder) = (Vec::<u16>::new(), UTF_8.decoder());
        decoder.push_with(&bytes, &mut text, replacement)?;
        decoder.finish_with(&mut text, replacement)?;
        Ok(text)
    });
    // The end of an input, into a full buffer.
    let end = |malformed: Malformed| {
        move || {
            let mut decoder = UTF_8.decoder_with(malformed);
            let progress = decoder.decode_to_utf8(b"\xE2", &mut [0; 0], false);
            assert_eq!(progress.read, 1);
            let mut text = String::new();
            decoder.finish(&mut text)?;
            Ok(text)
        }
    };
    assert_eq!(until_success(&"\u{FFFD}".to_owned(), decoding, end(Malformed::Replace)), 1);

    let text = "a字b".repeat(1000);
    let expected = text.replace('字', "[a replacement]").into_bytes();
    let replacement = |_: &EncodeError| Some(std::borrow::Cow::Borrowed("[a replacement]"));
    let failures = until_success(&expected, encoding, || {
        let (mut bytes, mut encoder) = (Vec::new(), WINDOWS_1252.encoder());
        encoder.push_with(&text, &mut bytes, replacement)?;
        encoder.finish_with(&mut bytes, replacement)?;
        Ok(bytes)
    });
    assert!(failures > 2, "{failures}");
    until_success(&b"\x1B$BF|\x1B(B".to_vec(), encoding, || {
        let (mut bytes, mut encoder) = (Vec::new(), ISO_2022_JP.encoder());
        encoder.push("日", &mut bytes)?;
        bytes.shrink_to_fit();
        encoder.finish(&mut bytes)?;
        Ok(bytes)
    });
}

#[test]
fn readers_return_an_error() {
    // The buffers of readers have a fixed size. Everything else depends on the input.
    const SMALL: usize = 20 * 1024;
    let is_memory = |error: &std::io::Error| error.kind() == ErrorKind::OutOfMemory;
    let text = "Voilà l’été, « où » naître €\n".repeat(20_000);
    let bytes = WINDOWS_1252.encode(&text).unwrap().into_owned();
    let reader = || DecodeReader::new(&*bytes, WINDOWS_1252.decoder());
    for read in [read_to_string, read_to_end] {
        assert!(limited(0, SMALL, is_memory, || read(reader())).is_none());
        let read = (0..).find_map(|allocations| limited(allocations, SMALL, is_memory, || read(reader())));
        assert_eq!(read, Some(text.len()));
    }

    // A line of any length, and any number of errors in it.
    let bytes = b"a\xFF".repeat(50_000);
    let read_line = || -> std::io::Result<usize> {
        let mut lines = DecodeReader::new(&*bytes, UTF_8.decoder_with(Malformed::Pause)).lines();
        Ok(lines.next_line()?.map_or(0, |line| line.errors.len()))
    };
    let errors = (0..).find_map(|allocations| limited(allocations, SMALL, is_memory, read_line));
    assert_eq!(errors, Some(50_000));
}

fn read_to_string(mut reader: DecodeReader<&[u8]>) -> std::io::Result<usize> {
    let mut text = String::new();
    reader.read_to_string(&mut text)?;
    Ok(text.len())
}

fn read_to_end(mut reader: DecodeReader<&[u8]>) -> std::io::Result<usize> {
    let mut text = Vec::new();
    reader.read_to_end(&mut text)?;
    Ok(text.len())
}

/// Calls a function with bytes, or with text.
type Call = fn(&[u8], &str);

/// Functions that return no error, each with an input of 30,000 characters.
const ABORTING: [(&str, Call); 4] = [
    ("decode", |bytes, _| drop(WINDOWS_1252.decode(bytes))),
    ("decode_to_utf16", |bytes, _| drop(WINDOWS_1252.decode_to_utf16(bytes))),
    ("utf_8_decode", |bytes, _| drop(hooks::utf_8_decode(bytes))),
    ("encode_or_fail", |_, text| {
        let (mut queue, mut encoder) = (text, hooks::get_an_encoder(WINDOWS_1252).unwrap());
        let _ = hooks::encode_or_fail(&mut queue, &mut encoder, &mut Vec::new());
    }),
];

#[test]
fn other_functions_abort() {
    /// The function that a child of this process calls.
    const NAME: &str = "TEXTCODEC_ABORTS";

    if let Ok(name) = env::var(NAME) {
        let (bytes, text) = (b"a\xE9\xFF".repeat(10_000), "aéÿ".repeat(10_000));
        let (_, call) = ABORTING.into_iter().find(|(known, _)| *known == name).unwrap();
        LEFT.set(0);
        SMALL.set(1000);
        call(&bytes, &text);
        LEFT.set(usize::MAX);
        println!("survived");
        return;
    }
    for (name, _) in ABORTING {
        let mut child = Command::new(env::current_exe().unwrap());
        let output = child.args(["--exact", "other_functions_abort", "--nocapture"]).env(NAME, name).output().unwrap();
        let stdout = String::from_utf8_lossy(&output.stdout);
        assert!(!output.status.success() && !stdout.contains("survived"), "{name}: {output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("memory allocation of"), "{name}: {output:?}");
    }
}
