//! [`Decoder`] and its functions.

use alloc::boxed::Box;
use core::mem::MaybeUninit;

use encoding_rs::{DecoderResult, Encoding};

use crate::{
    INPUT_EMPTY, OUTPUT_FULL, coder_result,
    memory::{input, output, required},
};

/// What a decoder does with a byte order mark.
#[derive(Clone, Copy)]
pub(crate) enum Bom {
    /// Changes to its encoding.
    Sniff,
    /// Removes that of its own encoding.
    Remove,
    /// Treats it as text.
    Keep,
}

/// A decoder that starts again after the end of its input, where that of `encoding_rs` panics.
pub(crate) struct Decoder {
    current: encoding_rs::Decoder,
    encoding: &'static Encoding,
    bom: Bom,
    /// The input has ended. The next call starts another one.
    finished: bool,
}

impl Decoder {
    pub(crate) fn new(encoding: &'static Encoding, bom: Bom) -> Self {
        Self { current: start(encoding, bom), encoding, bom, finished: false }
    }

    /// Returns what `ask` returns for the state in which the next call starts.
    fn query(&self, ask: impl FnOnce(&encoding_rs::Decoder) -> Option<usize>) -> usize {
        let answer = if self.finished { ask(&start(self.encoding, self.bom)) } else { ask(&self.current) };
        answer.unwrap_or(usize::MAX)
    }

    /// Decodes a chunk. `decode` returns a number for the result, the units read, and the units written.
    fn decode(
        &mut self,
        last: bool,
        decode: impl FnOnce(&mut encoding_rs::Decoder) -> (u32, usize, usize),
    ) -> (u32, usize, usize) {
        if self.finished {
            self.current = start(self.encoding, self.bom);
        }
        let progress = decode(&mut self.current);
        self.finished = last && progress.0 == INPUT_EMPTY;
        progress
    }
}

fn start(encoding: &'static Encoding, bom: Bom) -> encoding_rs::Decoder {
    match bom {
        Bom::Sniff => encoding.new_decoder(),
        Bom::Remove => encoding.new_decoder_with_bom_removal(),
        Bom::Keep => encoding.new_decoder_without_bom_handling(),
    }
}

/// Returns the number for a result without replacement. The length of a malformed sequence is in its lowest byte, and the number
/// of bytes read after it in the next one.
fn decoder_result(result: &DecoderResult) -> u32 {
    match *result {
        DecoderResult::InputEmpty => INPUT_EMPTY,
        DecoderResult::OutputFull => OUTPUT_FULL,
        DecoderResult::Malformed(len, read_after) => u32::from(len) | u32::from(read_after) << 8,
    }
}

#[unsafe(no_mangle)]
extern "C" fn decoder_free(_: Option<Box<Decoder>>) {}

#[unsafe(no_mangle)]
extern "C" fn decoder_encoding(decoder: Option<&Decoder>) -> &'static Encoding {
    required(decoder).current.encoding()
}

#[unsafe(no_mangle)]
extern "C" fn decoder_max_utf8_buffer_length(decoder: Option<&Decoder>, byte_length: usize) -> usize {
    required(decoder).query(|decoder| decoder.max_utf8_buffer_length(byte_length))
}

#[unsafe(no_mangle)]
extern "C" fn decoder_max_utf8_buffer_length_without_replacement(
    decoder: Option<&Decoder>,
    byte_length: usize,
) -> usize {
    required(decoder).query(|decoder| decoder.max_utf8_buffer_length_without_replacement(byte_length))
}

#[unsafe(no_mangle)]
extern "C" fn decoder_max_utf16_buffer_length(decoder: Option<&Decoder>, byte_length: usize) -> usize {
    required(decoder).query(|decoder| decoder.max_utf16_buffer_length(byte_length))
}

/// # Safety
/// `src` is the start of `*src_len` bytes, `dst` that of `*dst_len` other bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn decoder_decode_to_utf8(
    decoder: Option<&mut Decoder>,
    src: *const u8,
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
    let mut had_errors = false;
    let result;
    (result, *src_len, *dst_len) = required(decoder).decode(last, |decoder| {
        let (result, read, written, replaced) = decoder.decode_to_utf8(src, dst, last);
        had_errors = replaced;
        (coder_result(&result), read, written)
    });
    if let Some(place) = had_replacements {
        place.write(had_errors);
    }
    result
}

/// # Safety
/// `src` is the start of `*src_len` bytes, `dst` that of `*dst_len` other bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn decoder_decode_to_utf8_without_replacement(
    decoder: Option<&mut Decoder>,
    src: *const u8,
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
    let result;
    (result, *src_len, *dst_len) = required(decoder).decode(last, |decoder| {
        let (result, read, written) = decoder.decode_to_utf8_without_replacement(src, dst, last);
        (decoder_result(&result), read, written)
    });
    result
}

/// # Safety
/// `src` is the start of `*src_len` bytes, `dst` that of `*dst_len` other units.
#[unsafe(no_mangle)]
unsafe extern "C" fn decoder_decode_to_utf16(
    decoder: Option<&mut Decoder>,
    src: *const u8,
    src_len: Option<&mut usize>,
    dst: *mut u16,
    dst_len: Option<&mut usize>,
    last: bool,
    had_replacements: Option<&mut MaybeUninit<bool>>,
) -> u32 {
    let (src_len, dst_len) = (required(src_len), required(dst_len));
    // SAFETY: as the caller promises.
    let src = unsafe { input(src, *src_len) };
    // SAFETY: as the caller promises.
    let dst = unsafe { output(dst, *dst_len) };
    let mut had_errors = false;
    let result;
    (result, *src_len, *dst_len) = required(decoder).decode(last, |decoder| {
        let (result, read, written, replaced) = decoder.decode_to_utf16(src, dst, last);
        had_errors = replaced;
        (coder_result(&result), read, written)
    });
    if let Some(place) = had_replacements {
        place.write(had_errors);
    }
    result
}

/// # Safety
/// `src` is the start of `*src_len` bytes, `dst` that of `*dst_len` other units.
#[unsafe(no_mangle)]
unsafe extern "C" fn decoder_decode_to_utf16_without_replacement(
    decoder: Option<&mut Decoder>,
    src: *const u8,
    src_len: Option<&mut usize>,
    dst: *mut u16,
    dst_len: Option<&mut usize>,
    last: bool,
) -> u32 {
    let (src_len, dst_len) = (required(src_len), required(dst_len));
    // SAFETY: as the caller promises.
    let src = unsafe { input(src, *src_len) };
    // SAFETY: as the caller promises.
    let dst = unsafe { output(dst, *dst_len) };
    let result;
    (result, *src_len, *dst_len) = required(decoder).decode(last, |decoder| {
        let (result, read, written) = decoder.decode_to_utf16_without_replacement(src, dst, last);
        (decoder_result(&result), read, written)
    });
    result
}

/// # Safety
/// `buffer` is the start of `buffer_len` bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn decoder_latin1_byte_compatible_up_to(
    decoder: Option<&Decoder>,
    buffer: *const u8,
    buffer_len: usize,
) -> usize {
    // SAFETY: as the caller promises.
    let buffer = unsafe { input(buffer, buffer_len) };
    required(decoder).query(|decoder| decoder.latin1_byte_compatible_up_to(buffer))
}
