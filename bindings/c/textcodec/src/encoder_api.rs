//! The functions of `textcodec_encoder`.

use core::{
    ffi::{c_char, c_void},
    mem::MaybeUninit,
    ptr,
};

use crate::{
    encoder::{Encoder, Progress, Stop},
    raw::{self, Buffers},
    types::{
        self, EncodeOptions, EncoderStorage, Error, Number, Status, TEXTCODEC_INVALID_ARGUMENT, TEXTCODEC_NO_MEMORY,
        TEXTCODEC_NONE, TEXTCODEC_OK, TEXTCODEC_OUTPUT_FULL, TEXTCODEC_UNMAPPABLE,
    },
};

/// Runs a call that encodes to a caller's buffer.
///
/// # Safety
/// The pointers are null, or valid as the header demands.
#[inline]
unsafe fn run<T>(
    encoder: *mut Encoder,
    (text, length): (*const T, *mut usize),
    (bytes, bytes_length): (*mut c_void, *mut usize),
    error: *mut Error,
    encode: impl FnOnce(&mut Encoder, &[T], &mut [MaybeUninit<u8>]) -> Progress,
) -> Status {
    // SAFETY: as this function's caller promises.
    let buffers = unsafe { Buffers::<T, u8>::new(text, length, bytes.cast(), bytes_length) };
    // SAFETY: as this function's caller promises.
    let (Ok(buffers), Some(encoder)) = (buffers, unsafe { raw::get_mut(encoder) }) else {
        return TEXTCODEC_INVALID_ARGUMENT;
    };
    let Progress { read, written, stop } = encode(encoder, buffers.src, buffers.dst);
    buffers.report(read, written);
    match stop {
        Stop::InputEmpty => TEXTCODEC_OK,
        Stop::OutputFull => TEXTCODEC_OUTPUT_FULL,
        Stop::Error(found) => {
            // SAFETY: as this function's caller promises.
            unsafe { raw::write(error, found) };
            TEXTCODEC_UNMAPPABLE
        }
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_encoder_from_utf8(
    encoder: *mut Encoder,
    text: *const c_char,
    length: *mut usize,
    bytes: *mut c_void,
    bytes_length: *mut usize,
    last: bool,
    error: *mut Error,
) -> Status {
    let encode = |encoder: &mut Encoder, src: &[u8], dst: &mut _| encoder.encode_utf8(src, dst, last);
    // SAFETY: as the header demands.
    unsafe { run(encoder, (text.cast(), length), (bytes, bytes_length), error, encode) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_encoder_from_utf16(
    encoder: *mut Encoder,
    text: *const u16,
    length: *mut usize,
    bytes: *mut c_void,
    bytes_length: *mut usize,
    last: bool,
    error: *mut Error,
) -> Status {
    let encode = |encoder: &mut Encoder, src: &[u16], dst: &mut _| encoder.encode_utf16(src, dst, last);
    // SAFETY: as the header demands.
    unsafe { run(encoder, (text, length), (bytes, bytes_length), error, encode) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_encoder_from_utf32(
    encoder: *mut Encoder,
    text: *const u32,
    length: *mut usize,
    bytes: *mut c_void,
    bytes_length: *mut usize,
    last: bool,
    error: *mut Error,
) -> Status {
    let encode = |encoder: &mut Encoder, src: &[u32], dst: &mut _| encoder.encode_utf32(src, dst, last);
    // SAFETY: as the header demands.
    unsafe { run(encoder, (text, length), (bytes, bytes_length), error, encode) }
}

/// Gives the caller an object in memory from `malloc`.
///
/// # Safety
/// `to` is valid for a write.
unsafe fn hand_over(mut encoder: Encoder, to: *mut *mut Encoder) -> Status {
    encoder.on_heap = true;
    let object = raw::allocate(encoder);
    // SAFETY: as this function's caller promises.
    unsafe { raw::write(to, object) };
    if object.is_null() { TEXTCODEC_NO_MEMORY } else { TEXTCODEC_OK }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_encoder_new(
    encoding: Number,
    options: *const EncodeOptions,
    encoder: *mut *mut Encoder,
) -> Status {
    // SAFETY: as the header demands.
    unsafe { raw::write(encoder, ptr::null_mut()) };
    // SAFETY: as the header demands.
    match Encoder::new(encoding, unsafe { raw::get(options) }) {
        Err(status) => status,
        Ok(_) if encoder.is_null() => TEXTCODEC_INVALID_ARGUMENT,
        // SAFETY: not null, and valid, as the header demands.
        Ok(new) => unsafe { hand_over(new, encoder) },
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_encoder_init(
    storage: *mut EncoderStorage,
    encoding: Number,
    options: *const EncodeOptions,
    encoder: *mut *mut Encoder,
) -> Status {
    // SAFETY: as the header demands.
    unsafe { raw::write(encoder, ptr::null_mut()) };
    // SAFETY: as the header demands.
    let new = match Encoder::new(encoding, unsafe { raw::get(options) }) {
        Err(status) => return status,
        Ok(_) if encoder.is_null() => return TEXTCODEC_INVALID_ARGUMENT,
        Ok(new) => new,
    };
    // SAFETY: as the header demands.
    let object = unsafe { raw::place(storage, new) };
    // SAFETY: as the header demands.
    unsafe { raw::write(encoder, object) };
    if object.is_null() { TEXTCODEC_INVALID_ARGUMENT } else { TEXTCODEC_OK }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_encoder_free(encoder: *mut Encoder) {
    // SAFETY: as the header demands.
    if unsafe { raw::get(encoder) }.is_some_and(|encoder| encoder.on_heap) {
        // SAFETY: only `hand_over` sets `on_heap`, for memory from `allocate`.
        unsafe { raw::release(encoder) };
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_encoder_clone(encoder: *const Encoder, clone: *mut *mut Encoder) -> Status {
    // SAFETY: as the header demands.
    unsafe { raw::write(clone, ptr::null_mut()) };
    // SAFETY: as the header demands.
    match unsafe { raw::get(encoder) } {
        // SAFETY: not null, and valid, as the header demands.
        Some(encoder) if !clone.is_null() => unsafe { hand_over(encoder.clone(), clone) },
        _ => TEXTCODEC_INVALID_ARGUMENT,
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_encoder_reset(encoder: *mut Encoder) -> Status {
    // SAFETY: as the header demands.
    let Some(encoder) = (unsafe { raw::get_mut(encoder) }) else { return TEXTCODEC_INVALID_ARGUMENT };
    encoder.reset();
    TEXTCODEC_OK
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_encoder_set_unmappable(
    encoder: *mut Encoder,
    unmappable: i32,
    replacement: u32,
) -> Status {
    // SAFETY: as the header demands.
    let encoder = unsafe { raw::get_mut(encoder) };
    let is_set = encoder
        .zip(types::unmappable(unmappable, replacement))
        .is_some_and(|(encoder, unmappable)| encoder.set_unmappable(unmappable));
    if is_set { TEXTCODEC_OK } else { TEXTCODEC_INVALID_ARGUMENT }
}

/// Returns the most bytes from `length` units, each of which is up to `width` units of UTF-16.
///
/// # Safety
/// The encoder is null, or valid.
unsafe fn max_len(encoder: *const Encoder, length: usize, width: usize) -> usize {
    // SAFETY: as this function's caller promises.
    let encoder = unsafe { raw::get(encoder) };
    let max = encoder.zip(length.checked_mul(width)).and_then(|(encoder, units)| encoder.max_len(units));
    max.unwrap_or(usize::MAX)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_encoder_max_from_utf8(encoder: *const Encoder, length: usize) -> usize {
    // SAFETY: as the header demands.
    unsafe { max_len(encoder, length, 1) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_encoder_max_from_utf16(encoder: *const Encoder, length: usize) -> usize {
    // SAFETY: as the header demands.
    unsafe { max_len(encoder, length, 1) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_encoder_max_from_utf32(encoder: *const Encoder, length: usize) -> usize {
    // SAFETY: as the header demands.
    unsafe { max_len(encoder, length, 2) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_encoder_encoding(encoder: *const Encoder) -> Number {
    // SAFETY: as the header demands.
    unsafe { raw::get(encoder) }.map_or(TEXTCODEC_NONE, Encoder::encoding)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_encoder_position(encoder: *const Encoder) -> u64 {
    // SAFETY: as the header demands.
    unsafe { raw::get(encoder) }.map_or(0, Encoder::position)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_encoder_error_count(encoder: *const Encoder) -> u64 {
    // SAFETY: as the header demands.
    unsafe { raw::get(encoder) }.map_or(0, Encoder::error_count)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_encoder_first_error(encoder: *const Encoder, error: *mut Error) -> bool {
    // SAFETY: as the header demands.
    let first = unsafe { raw::get(encoder) }.and_then(Encoder::first_error);
    // SAFETY: as the header demands.
    unsafe { raw::write(error, first.unwrap_or(Error::NONE)) };
    first.is_some()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_encoder_is_at_rest(encoder: *const Encoder) -> bool {
    // SAFETY: as the header demands.
    unsafe { raw::get(encoder) }.is_some_and(Encoder::is_at_rest)
}
