//! The library in Rust, for `api.c`: the same conversions in loops, without the C library.
#![expect(clippy::cast_precision_loss, reason = "times and counts are far below the limit")]

use std::{hint::black_box, slice, time::Instant};

use textcodec::{Encoding, SHIFT_JIS, UTF_8, WINDOWS_1252, utf};

/// Converts `length` bytes `count` times. Returns the nanoseconds of one conversion.
///
/// # Safety
/// `bytes` is valid for `length` bytes, which are UTF-8 for the operations that encode. `text` is initialised, aligned for `u16`,
/// and valid for `3 * length + 64` bytes and for `length + 64` units of UTF-16.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rust_run(
    operation: i32,
    encoding: i32,
    bytes: *const u8,
    length: usize,
    text: *mut u8,
    count: usize,
) -> f64 {
    // SAFETY: the caller promises this.
    let bytes = unsafe { slice::from_raw_parts(bytes, length) };
    let encoding = match encoding {
        0 => UTF_8,
        34 => SHIFT_JIS,
        _ => WINDOWS_1252,
    };
    let start = Instant::now();
    run(operation, encoding, bytes, text, count);
    start.elapsed().as_nanos() as f64 / count as f64
}

fn run(operation: i32, encoding: Encoding, bytes: &[u8], text: *mut u8, count: usize) {
    let start: *mut u16 = text.cast();
    let mut decoder = encoding.decoder();
    let mut encoder = encoding.encoder();
    // SAFETY: the caller of `rust_run` promises this. One slice at a time is used.
    let utf8 = || unsafe { slice::from_raw_parts_mut(text, 3 * bytes.len() + 64) };
    // SAFETY: the caller of `rust_run` promises this. One slice at a time is used.
    let utf16 = || unsafe { slice::from_raw_parts_mut(start, bytes.len() + 64) };
    for _ in 0..count {
        let bytes = black_box(bytes);
        match operation {
            0 => drop(black_box(decoder.decode_to_utf8(bytes, utf8(), true))),
            1 => drop(black_box(decoder.decode_to_utf16(bytes, utf16(), true))),
            2 => {
                // SAFETY: the caller of `rust_run` promises this.
                let source = unsafe { str::from_utf8_unchecked(bytes) };
                drop(black_box(encoder.encode_from_utf8(source, utf8(), true)));
            }
            3 => {
                if utf::utf8_valid_up_to(bytes) < bytes.len() {
                    return;
                }
                // SAFETY: just validated.
                let source = unsafe { str::from_utf8_unchecked(bytes) };
                drop(black_box(encoder.encode_from_utf8(source, utf8(), true)));
            }
            _ => drop(black_box(encoding.decode(bytes).text.into_owned())),
        }
    }
}
