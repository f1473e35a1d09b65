//! Whole inputs in one call: how often they allocate, and how much at most. A program of its own, because it counts.
#![expect(unsafe_code, reason = "an allocator that counts")]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
};

use textcodec::{
    DecodeOptions, Encoding, GBK, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16LE, Unmappable, WINDOWS_874, WINDOWS_1251,
    WINDOWS_1252,
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

// SAFETY: each call goes to the system's allocator as it is. `realloc` is the default: a new allocation, a copy, and the end
// of the old one, so that both count.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.set(CALLS.get() + 1);
        count(layout.size().cast_signed());
        // SAFETY: the caller's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        count(-(layout.size().cast_signed()));
        // SAFETY: the caller's.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// How many allocations a call takes, and how many bytes it holds at most.
fn measure<R>(call: impl FnOnce() -> R) -> (R, usize, usize) {
    CALLS.set(0);
    LIVE.set(0);
    PEAK.set(0);
    let result = call();
    (result, CALLS.get(), PEAK.get().unsigned_abs())
}

fn check(what: &str, len: usize, calls: usize, peak: usize, most: usize) {
    assert!(calls <= most, "{what}: {calls} allocations for {len} bytes");
    assert!(peak * 2 <= len * 3 + 512, "{what}: {peak} bytes held for {len}");
}

fn both_ways(encoding: Encoding, text: &str, most: usize) {
    let units: Vec<u16> = text.encode_utf16().collect();
    let (bytes, calls, peak) = measure(|| encoding.encode_with(text, Unmappable::Fail).unwrap().bytes.into_owned());
    check(&format!("{encoding} from UTF-8"), bytes.len(), calls, peak, most);
    let (encoded, calls, peak) = measure(|| encoding.encode_utf16(&units, Unmappable::Fail).unwrap());
    check(&format!("{encoding} from UTF-16"), encoded.bytes.len(), calls, peak, most);
    let (decoded, calls, peak) = measure(|| encoding.decode(&bytes).text.into_owned());
    check(&format!("{encoding} to UTF-8"), decoded.len(), calls, peak, most);
    let (decoded, calls, peak) = measure(|| encoding.decode_to_utf16(&bytes, DecodeOptions::new()).unwrap().text);
    check(&format!("{encoding} to UTF-16"), 2 * decoded.len(), calls, peak, most);
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
fn text_of_one_kind_is_allocated_once() {
    for (encoding, text) in TEXTS {
        for times in [1, 2, 10, 30, 100, 1000, 10_000] {
            both_ways(encoding, &text.repeat(times), 1);
        }
    }
}

#[test]
fn text_of_two_kinds_is_held_one_and_a_half_times() {
    // The bytes of ISO-2022-JP and UTF-16 do not tell ASCII from the rest: up to twice.
    for (encoding, text) in TEXTS.into_iter().filter(|(encoding, _)| encoding.is_ascii_compatible()) {
        for (ascii, dense) in [(1000, 1000), (10_000, 100), (100, 10_000)] {
            let (ascii, dense) = ("The quick brown fox. ".repeat(ascii), text.repeat(dense));
            both_ways(encoding, &format!("{ascii}{dense}"), 3);
            both_ways(encoding, &format!("{dense}{ascii}"), 3);
            both_ways(encoding, &format!("{dense}{ascii}{dense}"), 3);
        }
    }
}

/// An input that the samples take for something else: `odd` wherever the estimate looks, after a first piece of `odd` that gives
/// `piece` units, and `even` everywhere else.
fn against_the_samples<T: Copy>(len: usize, odd: T, even: T, first_piece: impl Fn(&[T]) -> usize) -> Vec<T> {
    const WINDOWS: usize = 32;
    let mut input = vec![odd; len];
    let (_, rest) = {
        let read = first_piece(&input);
        input.split_at_mut(read)
    };
    let step = rest.len() / WINDOWS;
    rest.chunks_mut(step).for_each(|chunk| chunk.iter_mut().skip(WINDOWS).for_each(|unit| *unit = even));
    input
}

/// The capacity is at most one and a half times the length, and at most `most` times it was held.
fn check_capacity(what: &str, len: usize, capacity: usize, peak: usize, most: usize) {
    assert!(capacity * 2 <= len * 3 + 512, "{what}: a capacity of {capacity} for {len} bytes");
    assert!(peak <= most * len + 512 * 1024, "{what}: {peak} bytes held for {len}");
}

#[test]
fn no_input_controls_the_capacity() {
    const LEN: usize = 4 << 20;
    let encode = |encoding: Encoding, odd: u16, even: u16, unmappable, most| {
        let encoder = || encoding.encoder_with(unmappable).unwrap();
        let piece = |units: &[u16]| encoder().encode_from_utf16(units, &mut [0; 1024], true).read;
        let units = against_the_samples(LEN, odd, even, piece);
        let what = format!("{encoding} {odd:04X} {even:04X} {unmappable:?}");
        let (bytes, _, peak) = measure(|| encoding.encode_utf16(&units, unmappable).unwrap().bytes.into_owned());
        check_capacity(&what, bytes.len(), bytes.capacity(), peak, most);
        let text = String::from_utf16(&units).unwrap();
        let (bytes, _, peak) = measure(|| encoding.encode_with(&text, unmappable).unwrap().bytes.into_owned());
        // Each byte of UTF-8 may reserve one and a quarter.
        check_capacity(&what, bytes.len(), bytes.capacity(), peak.saturating_sub(text.len() * 5 / 4), most);
    };
    for (odd, even) in [(0x5B57, 0x61), (0x5B57, 0xE9), (0x61, 0x5B57), (0xE9, 0x5B57)] {
        encode(WINDOWS_1252, odd, even, Unmappable::Html, 3);
    }
    encode(SHIFT_JIS, 0xD55C, 0x61, Unmappable::Html, 4);
    encode(GBK, 0xD55C, 0x5B57, Unmappable::Html, 3);
    encode(UTF_8, 0x5B57, 0x61, Unmappable::Html, 5);
    encode(UTF_8, 0x61, 0x5B57, Unmappable::Html, 3);

    let decode = |encoding: Encoding, odd: u8, even: u8, most| {
        let piece = |bytes: &[u8]| encoding.decoder().decode_to_utf8(bytes, &mut [0; 1024], true).read;
        let bytes = against_the_samples(LEN, odd, even, piece);
        let what = format!("{encoding} {odd:02X} {even:02X}");
        let (text, _, peak) = measure(|| encoding.decode(&bytes).text.into_owned());
        check_capacity(&what, text.len(), text.capacity(), peak, most);
        let piece = |bytes: &[u8]| encoding.decoder().decode_to_utf16(bytes, &mut [0; 1024], true).read;
        let bytes = against_the_samples(LEN, odd, even, piece);
        let (text, _, peak) = measure(|| encoding.decode_to_utf16(&bytes, DecodeOptions::new()).unwrap().text);
        check_capacity(&what, 2 * text.len(), 2 * text.capacity(), peak, most);
    };
    // "€" looks like three bytes for each that is not ASCII; 0xFF is malformed and gives U+FFFD.
    for (odd, even) in [(0x80, b'a'), (b'a', 0x80), (0x80, 0xE9)] {
        decode(WINDOWS_1252, odd, even, 3);
    }
    decode(WINDOWS_874, 0xA1, b'a', 4);
    for encoding in [SHIFT_JIS, GBK, UTF_8] {
        decode(encoding, 0xFF, b'a', 3);
        decode(encoding, b'a', 0xFF, 3);
    }

    // What is left out gives nothing at all, whatever the samples say.
    let piece = |units: &[u16]| WINDOWS_1252.encoder().unwrap().encode_from_utf16(units, &mut [0; 1024], true).read;
    let units = against_the_samples(LEN, 0x61, 0x5B57, piece);
    let bytes = WINDOWS_1252.encode_utf16(&units, Unmappable::Skip).unwrap().bytes.into_owned();
    assert!(bytes.capacity() * 2 <= bytes.len() * 3 + 512, "{} for {}", bytes.capacity(), bytes.len());
}

#[test]
fn what_is_the_same_is_borrowed() {
    let ((), calls, _) = measure(|| {
        assert_eq!(SHIFT_JIS.decode(b"abc").text, "abc");
        assert_eq!(UTF_8.decode("abc…".as_bytes()).text, "abc…");
        assert_eq!(*WINDOWS_1252.encode("abc").unwrap(), *b"abc");
        assert_eq!(*UTF_8.encode("abc…").unwrap(), *"abc…".as_bytes());
    });
    assert_eq!(calls, 0);
}
