//! The functions of `Encoder`.

use alloc::boxed::Box;
use core::{mem::MaybeUninit, str};

pub(crate) use encoding_rs::Encoder;
use encoding_rs::{EncoderResult, Encoding};

use crate::{
    INPUT_EMPTY, OUTPUT_FULL, coder_result,
    memory::{input, output, required},
};

/// Returns the number for a result without replacement.
fn encoder_result(result: &EncoderResult) -> u32 {
    match *result {
        EncoderResult::InputEmpty => INPUT_EMPTY,
        EncoderResult::OutputFull => OUTPUT_FULL,
        EncoderResult::Unmappable(character) => u32::from(character),
    }
}

/// Encodes a chunk of UTF-8, with U+FFFD for each malformed sequence. `encode` returns a number for the result, the
/// bytes read, and the bytes written.
///
/// The header requires UTF-8, but a mistake must not make memory unsafe. A check costs little next to the encoder.
fn encode_utf8(
    src: &[u8],
    dst: &mut [u8],
    last: bool,
    mut encode: impl FnMut(&str, &mut [u8], bool) -> (u32, usize, usize),
) -> (u32, usize, usize) {
    /// The next call checks text again that does not fit, or that comes after an unmappable character. Without a limit,
    /// that would take quadratic time.
    const MAX_WINDOW: usize = 8 * 1024;

    let (mut read, mut written) = (0, 0);
    loop {
        let (rest, room) = (&src[read..], &mut dst[written..]);
        let window = room.len().saturating_mul(4).saturating_add(64).min(MAX_WINDOW);
        let window = &rest[..rest.len().min(window)];
        let (valid, _) = window.split_at(Encoding::utf8_valid_up_to(window));
        // SAFETY: all of `valid` is valid UTF-8: `utf8_valid_up_to`.
        let mut text = unsafe { str::from_utf8_unchecked(valid) };
        let mut len = text.len();
        if text.is_empty()
            && let Some(chunk) = window.utf8_chunks().next()
        {
            // U+FFFD is read in a single call or not at all.
            (text, len) = ("\u{FFFD}", chunk.invalid().len());
        }
        let (result, text_read, text_written) = encode(text, room, last && len == rest.len());
        read += if text_read == text.len() { len } else { text_read };
        written += text_written;
        if result != INPUT_EMPTY || read == src.len() {
            return (result, read, written);
        }
    }
}

#[unsafe(no_mangle)]
extern "C" fn encoder_free(_: Option<Box<Encoder>>) {}

#[unsafe(no_mangle)]
extern "C" fn encoder_encoding(encoder: Option<&Encoder>) -> &'static Encoding {
    required(encoder).encoding()
}

#[unsafe(no_mangle)]
extern "C" fn encoder_has_pending_state(encoder: Option<&Encoder>) -> bool {
    required(encoder).has_pending_state()
}

#[unsafe(no_mangle)]
extern "C" fn encoder_max_buffer_length_from_utf8_if_no_unmappables(
    encoder: Option<&Encoder>,
    byte_length: usize,
) -> usize {
    required(encoder).max_buffer_length_from_utf8_if_no_unmappables(byte_length).unwrap_or(usize::MAX)
}

#[unsafe(no_mangle)]
extern "C" fn encoder_max_buffer_length_from_utf8_without_replacement(
    encoder: Option<&Encoder>,
    byte_length: usize,
) -> usize {
    required(encoder).max_buffer_length_from_utf8_without_replacement(byte_length).unwrap_or(usize::MAX)
}

#[unsafe(no_mangle)]
extern "C" fn encoder_max_buffer_length_from_utf16_if_no_unmappables(
    encoder: Option<&Encoder>,
    u16_length: usize,
) -> usize {
    required(encoder).max_buffer_length_from_utf16_if_no_unmappables(u16_length).unwrap_or(usize::MAX)
}

#[unsafe(no_mangle)]
extern "C" fn encoder_max_buffer_length_from_utf16_without_replacement(
    encoder: Option<&Encoder>,
    u16_length: usize,
) -> usize {
    required(encoder).max_buffer_length_from_utf16_without_replacement(u16_length).unwrap_or(usize::MAX)
}

/// # Safety
/// `src` is the start of `*src_len` bytes, `dst` that of `*dst_len` other bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn encoder_encode_from_utf8(
    encoder: Option<&mut Encoder>,
    src: *const u8,
    src_len: Option<&mut usize>,
    dst: *mut u8,
    dst_len: Option<&mut usize>,
    last: bool,
    had_replacements: Option<&mut MaybeUninit<bool>>,
) -> u32 {
    let (encoder, src_len, dst_len) = (required(encoder), required(src_len), required(dst_len));
    // SAFETY: as the caller promises.
    let src = unsafe { input(src, *src_len) };
    // SAFETY: as the caller promises.
    let dst = unsafe { output(dst, *dst_len) };
    let mut had_unmappables = false;
    let result;
    (result, *src_len, *dst_len) = encode_utf8(src, dst, last, |src, dst, last| {
        let (result, read, written, replaced) = encoder.encode_from_utf8(src, dst, last);
        had_unmappables |= replaced;
        (coder_result(&result), read, written)
    });
    if let Some(place) = had_replacements {
        place.write(had_unmappables);
    }
    result
}

/// # Safety
/// `src` is the start of `*src_len` bytes, `dst` that of `*dst_len` other bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn encoder_encode_from_utf8_without_replacement(
    encoder: Option<&mut Encoder>,
    src: *const u8,
    src_len: Option<&mut usize>,
    dst: *mut u8,
    dst_len: Option<&mut usize>,
    last: bool,
) -> u32 {
    let (encoder, src_len, dst_len) = (required(encoder), required(src_len), required(dst_len));
    // SAFETY: as the caller promises.
    let src = unsafe { input(src, *src_len) };
    // SAFETY: as the caller promises.
    let dst = unsafe { output(dst, *dst_len) };
    let result;
    (result, *src_len, *dst_len) = encode_utf8(src, dst, last, |src, dst, last| {
        let (result, read, written) = encoder.encode_from_utf8_without_replacement(src, dst, last);
        (encoder_result(&result), read, written)
    });
    result
}

/// # Safety
/// `src` is the start of `*src_len` units, `dst` that of `*dst_len` other bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn encoder_encode_from_utf16(
    encoder: Option<&mut Encoder>,
    src: *const u16,
    src_len: Option<&mut usize>,
    dst: *mut u8,
    dst_len: Option<&mut usize>,
    last: bool,
    had_replacements: Option<&mut MaybeUninit<bool>>,
) -> u32 {
    let (src_len, dst_len) = (required(src_len), required(dst_len));
    // SAFETY: as the caller promises.
    let src = unsafe { input(src, *src_len) };
    // SAFETY: as the caller promises.
    let dst = unsafe { output(dst, *dst_len) };
    let (result, read, written, had_unmappables) = required(encoder).encode_from_utf16(src, dst, last);
    (*src_len, *dst_len) = (read, written);
    if let Some(place) = had_replacements {
        place.write(had_unmappables);
    }
    coder_result(&result)
}

/// # Safety
/// `src` is the start of `*src_len` units, `dst` that of `*dst_len` other bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn encoder_encode_from_utf16_without_replacement(
    encoder: Option<&mut Encoder>,
    src: *const u16,
    src_len: Option<&mut usize>,
    dst: *mut u8,
    dst_len: Option<&mut usize>,
    last: bool,
) -> u32 {
    let (src_len, dst_len) = (required(src_len), required(dst_len));
    // SAFETY: as the caller promises.
    let src = unsafe { input(src, *src_len) };
    // SAFETY: as the caller promises.
    let dst = unsafe { output(dst, *dst_len) };
    let (result, read, written) = required(encoder).encode_from_utf16_without_replacement(src, dst, last);
    (*src_len, *dst_len) = (read, written);
    encoder_result(&result)
}
