//! Validation, and conversion between UTF-8, UTF-16, UTF-32 and Latin-1.

use core::ffi::{c_char, c_void};

use textcodec::utf::{self, Converted};

use crate::{
    raw::{self, Buffers},
    source,
    types::{
        Status, TEXTCODEC_INVALID_ARGUMENT, TEXTCODEC_MALFORMED, TEXTCODEC_OK, TEXTCODEC_OUTPUT_FULL,
        TEXTCODEC_UNMAPPABLE,
    },
};

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_ascii_valid_up_to(bytes: *const c_void, length: usize) -> usize {
    // SAFETY: as the header demands.
    unsafe { raw::input(bytes.cast(), length) }.map_or(0, utf::ascii_valid_up_to)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_utf8_valid_up_to(bytes: *const c_void, length: usize) -> usize {
    // SAFETY: as the header demands.
    unsafe { raw::input(bytes.cast(), length) }.map_or(0, utf::utf8_valid_up_to)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_utf16_valid_up_to(text: *const u16, length: usize) -> usize {
    // SAFETY: as the header demands.
    unsafe { raw::input(text, length) }.map_or(0, utf::utf16_valid_up_to)
}

/// Runs a conversion. `stop` says why it has stopped before the end of its source, from the rest.
///
/// # Safety
/// The pointers are null, or valid as the header demands. `D` is an integer.
#[inline]
unsafe fn run<S, D: Copy>(
    src: *const S,
    length: *mut usize,
    dst: *mut D,
    dst_length: *mut usize,
    convert: impl FnOnce(&[S], &mut [D]) -> Converted,
    stop: impl FnOnce(&[S]) -> Status,
) -> Status {
    // SAFETY: as this function's caller promises.
    let Ok(mut buffers) = (unsafe { Buffers::new(src, length, dst, dst_length) }) else {
        return TEXTCODEC_INVALID_ARGUMENT;
    };
    let src = buffers.src;
    // SAFETY: the destination is the caller's, and `D` is an integer: this function's contract.
    let progress = convert(src, unsafe { buffers.initialised() });
    let status = if progress.read == src.len() { TEXTCODEC_OK } else { stop(&src[progress.read..]) };
    buffers.report(progress.read, progress.written);
    status
}

/// Why a conversion from UTF-8 has stopped at the start of `rest`. `full` is the status if a character is there.
fn stop_in_utf8(rest: &[u8], full: Status) -> Status {
    let next = &rest[..rest.len().min(4)];
    if utf::utf8_valid_up_to(next) == 0 { TEXTCODEC_MALFORMED } else { full }
}

/// Why a conversion from UTF-16 has stopped at the start of `rest`.
fn stop_in_utf16(rest: &[u16]) -> Status {
    let next = &rest[..rest.len().min(2)];
    if utf::utf16_valid_up_to(next) == 0 { TEXTCODEC_MALFORMED } else { TEXTCODEC_OUTPUT_FULL }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_utf8_to_utf16(
    text: *const c_char,
    length: *mut usize,
    utf16: *mut u16,
    utf16_length: *mut usize,
) -> Status {
    let stop = |rest: &[u8]| stop_in_utf8(rest, TEXTCODEC_OUTPUT_FULL);
    // SAFETY: as the header demands.
    unsafe { run(text.cast(), length, utf16, utf16_length, utf::utf8_to_utf16, stop) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_utf16_to_utf8(
    text: *const u16,
    length: *mut usize,
    utf8: *mut c_char,
    utf8_length: *mut usize,
) -> Status {
    // SAFETY: as the header demands.
    unsafe { run(text, length, utf8.cast(), utf8_length, utf::utf16_to_utf8, stop_in_utf16) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_latin1_to_utf8(
    bytes: *const c_void,
    length: *mut usize,
    utf8: *mut c_char,
    utf8_length: *mut usize,
) -> Status {
    // SAFETY: as the header demands.
    unsafe { run(bytes.cast(), length, utf8.cast(), utf8_length, utf::latin1_to_utf8, |_| TEXTCODEC_OUTPUT_FULL) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_latin1_to_utf16(
    bytes: *const c_void,
    length: *mut usize,
    utf16: *mut u16,
    utf16_length: *mut usize,
) -> Status {
    // SAFETY: as the header demands.
    unsafe { run(bytes.cast(), length, utf16, utf16_length, utf::latin1_to_utf16, |_| TEXTCODEC_OUTPUT_FULL) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_utf8_to_latin1(
    text: *const c_char,
    length: *mut usize,
    latin1: *mut c_void,
    latin1_length: *mut usize,
) -> Status {
    let convert = |src: &[u8], dst: &mut [u8]| {
        /// Validating more than that before a character that stops the conversion would take quadratic time in a loop.
        const WINDOW: usize = 8 * 1024;

        let (mut read, mut written) = (0, 0);
        loop {
            let (rest, room) = (&src[read..], &mut dst[written..]);
            // A character of Latin-1 has at most two bytes.
            let window = room.len().saturating_mul(2).saturating_add(4).min(WINDOW);
            let text = source::valid_prefix(&rest[..rest.len().min(window)]);
            let mut progress = utf::utf8_to_latin1(text, room);
            let is_last = text.is_empty() || progress.read < text.len();
            (read, written) = (read + progress.read, written + progress.written);
            if is_last {
                (progress.read, progress.written) = (read, written);
                return progress;
            }
        }
    };
    let is_latin1 = |rest: &[u8]| matches!(rest[0], 0..=0x7F | 0xC2 | 0xC3);
    let stop =
        |rest: &[u8]| stop_in_utf8(rest, if is_latin1(rest) { TEXTCODEC_OUTPUT_FULL } else { TEXTCODEC_UNMAPPABLE });
    // SAFETY: as the header demands.
    unsafe { run(text.cast(), length, latin1.cast(), latin1_length, convert, stop) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_utf16_to_latin1(
    text: *const u16,
    length: *mut usize,
    latin1: *mut c_void,
    latin1_length: *mut usize,
) -> Status {
    let stop = |rest: &[u16]| match stop_in_utf16(rest) {
        TEXTCODEC_OUTPUT_FULL if rest[0] > 0xFF => TEXTCODEC_UNMAPPABLE,
        status => status,
    };
    // SAFETY: as the header demands.
    unsafe { run(text, length, latin1.cast(), latin1_length, utf::utf16_to_latin1, stop) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_utf16_to_utf32(
    text: *const u16,
    length: *mut usize,
    utf32: *mut u32,
    utf32_length: *mut usize,
) -> Status {
    // SAFETY: as the header demands.
    unsafe { run(text, length, utf32, utf32_length, utf::utf16_to_utf32, stop_in_utf16) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_utf32_to_utf16(
    text: *const u32,
    length: *mut usize,
    utf16: *mut u16,
    utf16_length: *mut usize,
) -> Status {
    let stop = |rest: &[u32]| {
        if char::from_u32(rest[0]).is_some() { TEXTCODEC_OUTPUT_FULL } else { TEXTCODEC_MALFORMED }
    };
    // SAFETY: as the header demands.
    unsafe { run(text, length, utf16, utf16_length, utf::utf32_to_utf16, stop) }
}
