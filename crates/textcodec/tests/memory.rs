//! The number of allocations and the peak memory of one-shot calls.
//!
//! This is a separate program, because it counts with its own global allocator.
#![expect(unsafe_code, reason = "implements a counting allocator")]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
};

use textcodec::{
    Encoding, GBK, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16LE, Unmappable, WINDOWS_874, WINDOWS_1251, WINDOWS_1252,
};

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
    static LIVE: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn count(bytes: isize) {
    LIVE.set(LIVE.get() + bytes);
    PEAK.set(PEAK.get().max(LIVE.get()));
}

// SAFETY: `alloc` and `dealloc` pass their arguments unchanged to `System`, which upholds the contract of `GlobalAlloc`.
// `realloc` is the trait's default: it calls `alloc`, then `dealloc`, so the old and the new allocation both count towards the
// peak.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.set(CALLS.get() + 1);
        count(layout.size().cast_signed());
        // SAFETY: the caller guarantees `layout.size() != 0`, as `System.alloc` requires.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        count(-(layout.size().cast_signed()));
        // SAFETY: the caller guarantees that `memory` was allocated by `alloc`, hence by `System`, with this `layout`.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// Returns the result of a call, its number of allocations and its peak memory in bytes.
fn measure<R>(call: impl FnOnce() -> R) -> (R, usize, usize) {
    CALLS.set(0);
    LIVE.set(0);
    PEAK.set(0);
    let result = call();
    (result, CALLS.get(), PEAK.get().unsigned_abs())
}

/// Checks that a call made at most `max_calls` allocations, with a peak of at most one and a half times the result's length.
fn check(what: &str, len: usize, calls: usize, peak: usize, max_calls: usize) {
    assert!(calls <= max_calls, "{what}: {calls} allocations for {len} bytes");
    assert!(peak * 2 <= len * 3 + 512, "{what}: a peak of {peak} bytes for {len} bytes");
}

fn encode_and_decode(encoding: Encoding, text: &str, max_calls: usize) {
    let units: Vec<u16> = text.encode_utf16().collect();
    let (bytes, calls, peak) = measure(|| encoding.encode_with(text, Unmappable::Fail).unwrap().bytes.into_owned());
    check(&format!("{encoding} from UTF-8"), bytes.len(), calls, peak, max_calls);
    let (encoded, calls, peak) = measure(|| encoding.encode_from_utf16_with(&units, Unmappable::Fail).unwrap());
    check(&format!("{encoding} from UTF-16"), encoded.bytes.len(), calls, peak, max_calls);
    let (decoded, calls, peak) = measure(|| encoding.decode(&bytes).text.into_owned());
    check(&format!("{encoding} to UTF-8"), decoded.len(), calls, peak, max_calls);
    let (decoded, calls, peak) = measure(|| encoding.decode_to_utf16(&bytes).text);
    check(&format!("{encoding} to UTF-16"), 2 * decoded.len(), calls, peak, max_calls);
    assert_eq!(decoded, units);
}

const TEXTS: [(Encoding, &str); 8] = [
    (WINDOWS_1252, "Voilà l’été, « où » naître, élève. "),
    (WINDOWS_1251, "Съешь же ещё этих мягких французских булок. "),
    (WINDOWS_874, "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า "),
    (SHIFT_JIS, "いろはにほへと、ちりぬるを。ｱｲｳ "),
    (ISO_2022_JP, "いろはにほへと、ちりぬるを。 ABC "),
    (GBK, "天地玄黄，宇宙洪荒。日月盈昃，辰宿列张。"),
    (UTF_8, "Съешь же ещё いろは 😀 "),
    (UTF_16LE, "Съешь же ещё いろは 😀 "),
];

#[test]
fn uniform_text_allocates_once() {
    for (encoding, text) in TEXTS {
        for times in [1, 2, 10, 30, 100, 1000, 10_000] {
            encode_and_decode(encoding, &text.repeat(times), 1);
        }
    }
}

#[test]
fn mixed_text_takes_at_most_one_and_a_half_times_its_length() {
    // Not ISO-2022-JP and UTF-16, whose bytes do not distinguish ASCII from other text: they take up to twice the length.
    for (encoding, text) in TEXTS.into_iter().filter(|(encoding, _)| encoding.is_ascii_compatible()) {
        for (ascii, dense) in [(1000, 1000), (10_000, 100), (100, 10_000)] {
            let (ascii, dense) = ("The quick brown fox. ".repeat(ascii), text.repeat(dense));
            encode_and_decode(encoding, &format!("{ascii}{dense}"), 3);
            encode_and_decode(encoding, &format!("{dense}{ascii}"), 3);
            encode_and_decode(encoding, &format!("{dense}{ascii}{dense}"), 3);
        }
    }
}

/// Returns an input that defeats the estimate of the output's length: `sampled` in the first part and wherever the estimate
/// takes its samples, `other` everywhere else. `first_part` returns the length of the first part.
fn adversarial_input<T: Copy>(len: usize, sampled: T, other: T, first_part: impl Fn(&[T]) -> usize) -> Vec<T> {
    const WINDOWS: usize = 32;
    let mut input = vec![sampled; len];
    let (_, rest) = {
        let read = first_part(&input);
        input.split_at_mut(read)
    };
    let step = rest.len() / WINDOWS;
    rest.chunks_mut(step).for_each(|chunk| chunk.iter_mut().skip(WINDOWS).for_each(|unit| *unit = other));
    input
}

/// Checks that the capacity is at most one and a half times the length, and the peak at most `max_peak` times the length.
fn check_capacity(what: &str, len: usize, capacity: usize, peak: usize, max_peak: usize) {
    assert!(capacity * 2 <= len * 3 + 512, "{what}: a capacity of {capacity} for {len} bytes");
    assert!(peak <= max_peak * len + 512 * 1024, "{what}: a peak of {peak} bytes for {len} bytes");
}

#[test]
fn no_input_controls_the_capacity() {
    const LEN: usize = 4 << 20;
    let encode = |encoding: Encoding, sampled: u16, other: u16, unmappable, max_peak| {
        let encoder = || encoding.encoder_with(unmappable);
        let first_part = |units: &[u16]| encoder().encode_from_utf16(units, &mut [0; 1024], true).read;
        let units = adversarial_input(LEN, sampled, other, first_part);
        let what = format!("{encoding} {sampled:04X} {other:04X} {unmappable:?}");
        let (bytes, _, peak) = measure(|| encoding.encode_from_utf16_with(&units, unmappable).unwrap().bytes);
        check_capacity(&what, bytes.len(), bytes.capacity(), peak, max_peak);
        let text = String::from_utf16(&units).unwrap();
        let (bytes, _, peak) = measure(|| encoding.encode_with(&text, unmappable).unwrap().bytes.into_owned());
        // Each byte of UTF-8 may reserve one and a quarter bytes.
        check_capacity(&what, bytes.len(), bytes.capacity(), peak.saturating_sub(text.len() * 5 / 4), max_peak);
    };
    for (sampled, other) in [(0x5B57, 0x61), (0x5B57, 0xE9), (0x61, 0x5B57), (0xE9, 0x5B57)] {
        encode(WINDOWS_1252, sampled, other, Unmappable::Html, 3);
    }
    encode(SHIFT_JIS, 0xD55C, 0x61, Unmappable::Html, 4);
    encode(GBK, 0xD55C, 0x5B57, Unmappable::Html, 3);
    encode(UTF_8, 0x5B57, 0x61, Unmappable::Html, 5);
    encode(UTF_8, 0x61, 0x5B57, Unmappable::Html, 3);

    let decode = |encoding: Encoding, sampled: u8, other: u8, max_peak| {
        let first_part = |bytes: &[u8]| encoding.decoder().decode_to_utf8(bytes, &mut [0; 1024], true).read;
        let bytes = adversarial_input(LEN, sampled, other, first_part);
        let what = format!("{encoding} {sampled:02X} {other:02X}");
        let (text, _, peak) = measure(|| encoding.decode(&bytes).text.into_owned());
        check_capacity(&what, text.len(), text.capacity(), peak, max_peak);
        let first_part = |bytes: &[u8]| encoding.decoder().decode_to_utf16(bytes, &mut [0; 1024], true).read;
        let bytes = adversarial_input(LEN, sampled, other, first_part);
        let (text, _, peak) = measure(|| encoding.decode_to_utf16(&bytes).text);
        check_capacity(&what, 2 * text.len(), 2 * text.capacity(), peak, max_peak);
    };
    // "€" suggests three bytes of UTF-8 for every non-ASCII byte. 0xFF is malformed and becomes U+FFFD.
    for (sampled, other) in [(0x80, b'a'), (b'a', 0x80), (0x80, 0xE9)] {
        decode(WINDOWS_1252, sampled, other, 3);
    }
    decode(WINDOWS_874, 0xA1, b'a', 4);
    for encoding in [SHIFT_JIS, GBK, UTF_8] {
        decode(encoding, 0xFF, b'a', 3);
        decode(encoding, b'a', 0xFF, 3);
    }

    // The samples are mappable, but all other characters are skipped.
    let first_part = |units: &[u16]| WINDOWS_1252.encoder().encode_from_utf16(units, &mut [0; 1024], true).read;
    let units = adversarial_input(LEN, 0x61, 0x5B57, first_part);
    let bytes = WINDOWS_1252.encode_from_utf16_with(&units, Unmappable::Skip).unwrap().bytes;
    assert!(
        bytes.capacity() * 2 <= bytes.len() * 3 + 512,
        "a capacity of {} for {} bytes",
        bytes.capacity(),
        bytes.len()
    );
}

#[test]
fn unchanged_input_is_borrowed() {
    let ((), calls, _) = measure(|| {
        assert_eq!(SHIFT_JIS.decode(b"abc").text, "abc");
        assert_eq!(UTF_8.decode("abc…".as_bytes()).text, "abc…");
        assert_eq!(*WINDOWS_1252.encode("abc").unwrap(), *b"abc");
        assert_eq!(*UTF_8.encode("abc…").unwrap(), *"abc…".as_bytes());
    });
    assert_eq!(calls, 0);
}
