//! `textcodec_decoder`: decodes in chunks.

use core::{
    ffi::{c_char, c_void},
    mem::MaybeUninit,
};

use textcodec::{DecodeError, Decoder as CoreDecoder, Progress, Status as CoreStatus, US_ASCII, utf};

use crate::{
    encodings,
    raw::{self, Buffers},
    types::{
        self, DecodeOptions, DecoderStorage, Error, Number, Status, TEXTCODEC_INVALID_ARGUMENT, TEXTCODEC_MALFORMED,
        TEXTCODEC_NO_MEMORY, TEXTCODEC_NONE, TEXTCODEC_OK, TEXTCODEC_OUTPUT_FULL, TEXTCODEC_UNAVAILABLE,
    },
};

/// `textcodec_decoder`.
#[derive(Clone)]
pub(crate) struct Decoder {
    core: CoreDecoder,
    /// Whether `textcodec_decoder_free` has memory to free.
    on_heap: bool,
}

const _: () = assert!(raw::fits::<Decoder, DecoderStorage>());

/// Code units of UTF-16 between the decoder and UTF-32. On the stack.
const BLOCK: usize = 1024;

/// Returns a decoder of the library.
pub(crate) fn create(encoding: Number, options: Option<&DecodeOptions>) -> Result<CoreDecoder, Status> {
    let encoding = encodings::encoding(encoding).ok_or(TEXTCODEC_INVALID_ARGUMENT)?;
    let options = options.map_or(Some(textcodec::DecodeOptions::new()), DecodeOptions::read);
    let decoder = encoding.decoder_with(options.ok_or(TEXTCODEC_INVALID_ARGUMENT)?);
    // All families are enabled. Only the table of a code page can be missing, for lack of memory. Then even an empty call fails.
    if encoding > US_ASCII
        && let CoreStatus::Error(_) = decoder.clone().decode_to_utf8(b"", &mut [0; 0], false).status
    {
        return Err(TEXTCODEC_NO_MEMORY);
    }
    Ok(decoder)
}

/// Returns the status of a call, and its error.
pub(crate) fn status(status: &CoreStatus<DecodeError>) -> (Status, Option<Error>) {
    match status {
        CoreStatus::InputEmpty => (TEXTCODEC_OK, None),
        CoreStatus::OutputFull => (TEXTCODEC_OUTPUT_FULL, None),
        CoreStatus::Error(error) => (TEXTCODEC_MALFORMED, Some(error.into())),
        // The library has no others.
        _ => (TEXTCODEC_UNAVAILABLE, None),
    }
}

/// Decodes to UTF-32, through blocks of UTF-16.
pub(crate) fn to_utf32(
    decoder: &mut CoreDecoder,
    src: &[u8],
    dst: &mut [MaybeUninit<u32>],
    last: bool,
) -> Progress<DecodeError> {
    let mut block = [MaybeUninit::uninit(); BLOCK];
    let mut convert = |decoder: &mut CoreDecoder, src: &[u8], dst: &mut [MaybeUninit<u32>], limit: usize| {
        let progress = decoder.decode_to_utf16(src, &mut block[..limit], last);
        // SAFETY: the decoder has written that many units at the start of the block.
        let units = unsafe { block[..progress.written].assume_init_ref() };
        let written = widen(units, dst);
        (progress, written)
    };
    let (mut read, mut written) = (0, 0);
    loop {
        // At most as many units as there is room for numbers: every number has at least one unit.
        let room = dst.len() - written;
        let (mut progress, mut more) = convert(decoder, &src[read..], &mut dst[written..], room.min(BLOCK));
        read += progress.read;
        if progress.status == CoreStatus::OutputFull && room == 1 && progress.written == 0 {
            // The next character is one number, and did not fit into one unit, so it is a surrogate pair.
            (progress, more) = convert(decoder, &src[read..], &mut dst[written..], 2);
            read += progress.read;
        }
        written += more;
        let is_stuck = written == dst.len() || progress.written == 0;
        if progress.status != CoreStatus::OutputFull || is_stuck {
            progress.read = read;
            progress.written = written;
            return progress;
        }
    }
}

/// Converts well-formed UTF-16 to UTF-32. Returns the numbers written.
fn widen(units: &[u16], dst: &mut [MaybeUninit<u32>]) -> usize {
    let len = units.len().min(dst.len());
    // Initialised, because the conversion needs a slice of numbers.
    for slot in &mut dst[..len] {
        slot.write(0);
    }
    // SAFETY: the loop has initialised these numbers.
    let numbers = unsafe { dst[..len].assume_init_mut() };
    let progress = utf::utf16_to_utf32(units, numbers);
    debug_assert_eq!(progress.read, units.len(), "a decoder wrote ill-formed UTF-16, or more than fits");
    progress.written
}

/// Runs a call that decodes to a caller's buffer.
///
/// # Safety
/// The pointers are null, or valid as the header demands.
#[inline]
unsafe fn run<T>(
    decoder: *mut Decoder,
    bytes: *const c_void,
    length: *mut usize,
    text: *mut T,
    text_length: *mut usize,
    error: *mut Error,
    decode: impl FnOnce(&mut CoreDecoder, &[u8], &mut [MaybeUninit<T>]) -> Progress<DecodeError>,
) -> Status {
    // SAFETY: as this function's caller promises.
    let buffers = unsafe { Buffers::<u8, T>::new(bytes.cast(), length, text, text_length) };
    // SAFETY: as this function's caller promises.
    let (Ok(buffers), Some(decoder)) = (buffers, unsafe { raw::get_mut(decoder) }) else {
        return TEXTCODEC_INVALID_ARGUMENT;
    };
    let progress = decode(&mut decoder.core, buffers.src, buffers.dst);
    let (status, found) = status(&progress.status);
    if let Some(found) = found {
        // SAFETY: as this function's caller promises.
        unsafe { raw::write(error, found) };
    }
    buffers.report(progress.read, progress.written);
    status
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_decoder_to_utf8(
    decoder: *mut Decoder,
    bytes: *const c_void,
    length: *mut usize,
    text: *mut c_char,
    text_length: *mut usize,
    last: bool,
    error: *mut Error,
) -> Status {
    // SAFETY: as the header demands.
    unsafe {
        run::<u8>(decoder, bytes, length, text.cast(), text_length, error, |decoder, src, dst| {
            decoder.decode_to_utf8(src, dst, last)
        })
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_decoder_to_utf16(
    decoder: *mut Decoder,
    bytes: *const c_void,
    length: *mut usize,
    text: *mut u16,
    text_length: *mut usize,
    last: bool,
    error: *mut Error,
) -> Status {
    // SAFETY: as the header demands.
    unsafe {
        run(decoder, bytes, length, text, text_length, error, |decoder, src, dst| {
            decoder.decode_to_utf16(src, dst, last)
        })
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_decoder_to_utf32(
    decoder: *mut Decoder,
    bytes: *const c_void,
    length: *mut usize,
    text: *mut u32,
    text_length: *mut usize,
    last: bool,
    error: *mut Error,
) -> Status {
    // SAFETY: as the header demands.
    unsafe {
        run(decoder, bytes, length, text, text_length, error, |decoder, src, dst| to_utf32(decoder, src, dst, last))
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_decoder_new(
    encoding: Number,
    options: *const DecodeOptions,
    decoder: *mut *mut Decoder,
) -> Status {
    // SAFETY: as the header demands.
    unsafe { raw::write(decoder, core::ptr::null_mut()) };
    // SAFETY: as the header demands.
    match create(encoding, unsafe { raw::get(options) }) {
        Err(status) => status,
        Ok(_) if decoder.is_null() => TEXTCODEC_INVALID_ARGUMENT,
        // SAFETY: as the header demands.
        Ok(core) => unsafe { hand_over(Decoder { core, on_heap: true }, decoder) },
    }
}

/// Gives the caller an object in memory from `malloc`.
///
/// # Safety
/// `to` is valid for a write.
unsafe fn hand_over(decoder: Decoder, to: *mut *mut Decoder) -> Status {
    let object = raw::allocate(decoder);
    // SAFETY: as this function's caller promises.
    unsafe { raw::write(to, object) };
    if object.is_null() { TEXTCODEC_NO_MEMORY } else { TEXTCODEC_OK }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_decoder_init(
    storage: *mut DecoderStorage,
    encoding: Number,
    options: *const DecodeOptions,
    decoder: *mut *mut Decoder,
) -> Status {
    // SAFETY: as the header demands.
    unsafe { raw::write(decoder, core::ptr::null_mut()) };
    // SAFETY: as the header demands.
    let core = match create(encoding, unsafe { raw::get(options) }) {
        Err(status) => return status,
        Ok(_) if decoder.is_null() => return TEXTCODEC_INVALID_ARGUMENT,
        Ok(core) => core,
    };
    // SAFETY: as the header demands.
    let object = unsafe { raw::place(storage, Decoder { core, on_heap: false }) };
    // SAFETY: as the header demands.
    unsafe { raw::write(decoder, object) };
    if object.is_null() { TEXTCODEC_INVALID_ARGUMENT } else { TEXTCODEC_OK }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_decoder_free(decoder: *mut Decoder) {
    // SAFETY: as the header demands.
    if unsafe { raw::get(decoder) }.is_some_and(|decoder| decoder.on_heap) {
        // SAFETY: only `textcodec_decoder_new` and `textcodec_decoder_clone` set `on_heap`, for memory from `allocate`.
        unsafe { raw::release(decoder) };
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_decoder_clone(decoder: *const Decoder, clone: *mut *mut Decoder) -> Status {
    // SAFETY: as the header demands.
    unsafe { raw::write(clone, core::ptr::null_mut()) };
    // SAFETY: as the header demands.
    match unsafe { raw::get(decoder) } {
        // SAFETY: not null, and valid, as the header demands.
        Some(decoder) if !clone.is_null() => unsafe {
            hand_over(Decoder { core: decoder.core.clone(), on_heap: true }, clone)
        },
        _ => TEXTCODEC_INVALID_ARGUMENT,
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_decoder_reset(decoder: *mut Decoder) -> Status {
    // SAFETY: as the header demands.
    let Some(decoder) = (unsafe { raw::get_mut(decoder) }) else { return TEXTCODEC_INVALID_ARGUMENT };
    decoder.core.reset();
    TEXTCODEC_OK
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_decoder_set_malformed(decoder: *mut Decoder, malformed: i32) -> Status {
    // SAFETY: as the header demands.
    let decoder = unsafe { raw::get_mut(decoder) };
    let Some((decoder, malformed)) = decoder.zip(types::malformed(malformed)) else {
        return TEXTCODEC_INVALID_ARGUMENT;
    };
    decoder.core.set_malformed(malformed);
    TEXTCODEC_OK
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_decoder_max_utf8(decoder: *const Decoder, length: usize) -> usize {
    // SAFETY: as the header demands.
    unsafe { raw::get(decoder) }.and_then(|decoder| decoder.core.max_utf8_len(length)).unwrap_or(usize::MAX)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_decoder_max_utf16(decoder: *const Decoder, length: usize) -> usize {
    // SAFETY: as the header demands.
    unsafe { raw::get(decoder) }.and_then(|decoder| decoder.core.max_utf16_len(length)).unwrap_or(usize::MAX)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_decoder_max_utf32(decoder: *const Decoder, length: usize) -> usize {
    // Some encodings reach this: each unit is a number.
    // SAFETY: as the header demands.
    unsafe { textcodec_decoder_max_utf16(decoder, length) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_decoder_encoding(decoder: *const Decoder) -> Number {
    // SAFETY: as the header demands.
    let decoder = unsafe { raw::get(decoder) };
    decoder.map_or(TEXTCODEC_NONE, |decoder| encodings::number(decoder.core.encoding()))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_decoder_bom_removed(decoder: *const Decoder) -> bool {
    // SAFETY: as the header demands.
    unsafe { raw::get(decoder) }.is_some_and(|decoder| decoder.core.bom_removed())
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_decoder_position(decoder: *const Decoder) -> u64 {
    // SAFETY: as the header demands.
    unsafe { raw::get(decoder) }.map_or(0, |decoder| decoder.core.position())
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_decoder_error_count(decoder: *const Decoder) -> u64 {
    // SAFETY: as the header demands.
    unsafe { raw::get(decoder) }.map_or(0, |decoder| decoder.core.errors().count())
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_decoder_first_error(decoder: *const Decoder, error: *mut Error) -> bool {
    // SAFETY: as the header demands.
    let first = unsafe { raw::get(decoder) }.and_then(|decoder| decoder.core.errors().first().map(Error::from));
    // SAFETY: as the header demands.
    unsafe { raw::write(error, first.unwrap_or(Error::NONE)) };
    first.is_some()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_decoder_is_at_rest(decoder: *const Decoder) -> bool {
    // SAFETY: as the header demands.
    unsafe { raw::get(decoder) }.is_some_and(|decoder| !decoder.core.has_pending_state())
}
