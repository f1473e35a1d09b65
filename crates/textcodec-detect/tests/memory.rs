//! The peak memory of a detector, which does not depend on the length of the text.
//!
//! This is a separate program, because it counts with its own global allocator.
#![expect(unsafe_code, reason = "implements a counting allocator")]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
};

use textcodec_detect::{Detection, Detector, detect};

thread_local! {
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

/// Feeds chunks and returns the result and the peak memory in bytes.
fn measure(chunk: &[u8], times: usize) -> (Detection, usize) {
    LIVE.set(0);
    PEAK.set(0);
    let mut detector = Detector::new();
    for _ in 0..times {
        detector.feed(chunk);
    }
    let detection = detector.finish();
    (detection, PEAK.get().unsigned_abs())
}

#[test]
fn the_memory_is_bounded() {
    // The tables of the first guess stay.
    let _ = detect(b"\xE9");
    let mut state = 1_u32;
    // As many different letter pairs as possible.
    let random: Vec<u8> = (0..1_200_001)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            match (state >> 24) as u8 {
                byte if byte.is_ascii_alphabetic() => byte,
                byte => byte | 0x80,
            }
        })
        .collect();
    // No line feed, so that there is a single section.
    let russian = "Сегодня_утром_шёл_дождь".repeat(5000).into_bytes();
    for text in [&random[..], &russian, &b"a".repeat(100_001), &b"\n\xE9".repeat(50_000), &vec![0; 100_001]] {
        let (detection, short) = measure(text, 1);
        let (_, long) = measure(text, 20);
        println!("{}: {short} and {long} bytes", detection.encoding);
        assert!(short.max(long) < 1 << 20, "{long}");
    }
}
