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
