//! Whole inputs, into memory from `malloc`. Allocation failures are reported: only methods of `Vec` that can fail are used.
//!
//! The first piece is converted on the stack, and the length of the rest is estimated from it. If the estimate is too small, the
//! next one is from what has been converted. `realloc` moves large blocks without copying them. A result that leaves more than a
//! third of its memory unused is shrunk.

use alloc::vec::Vec;
use core::{
    ffi::{c_char, c_void},
    mem::{ManuallyDrop, MaybeUninit},
    ptr,
};

use textcodec::{Encoding, utf};

use crate::{
    decoder,
    encoder::{Encoder, Stop},
    encodings,
    raw::{self, Invalid},
    types::{
        DecodeOptions, EncodeOptions, Error, Number, Status, Summary, TEXTCODEC_INVALID_ARGUMENT, TEXTCODEC_NO_MEMORY,
        TEXTCODEC_OK, TEXTCODEC_OUTPUT_FULL, TEXTCODEC_UNMAPPABLE,
    },
};

/// The output units of the first piece. Results up to this length are allocated at their exact length.
const PIECE: usize = 1024;
/// Unused units that do not matter.
const SPARE: usize = 64;

/// How a conversion to a slice has ended: the units read and written, and the status with its error.
struct Step {
    read: usize,
    written: usize,
    status: Status,
    error: Option<Error>,
}

/// The error of a whole conversion.
struct Failed(Status, Option<Error>);

/// Collects the output of `convert`, which gets the number of the input's `len` units that were read so far. The result has a
/// unit of unused memory at its end.
///
/// # Safety
/// The `written` units that `convert` returns are initialised, and there are no more than it got.
unsafe fn collect<T: Copy>(
    len: usize,
    mut convert: impl FnMut(usize, &mut [MaybeUninit<T>]) -> Step,
) -> Result<Vec<T>, Failed> {
    let mut piece = [const { MaybeUninit::uninit() }; PIECE];
    let mut step = convert(0, &mut piece);
    // SAFETY: `convert` has written these units: this function's contract.
    let first = unsafe { piece[..step.written].assume_init_ref() };
    let mut result = Vec::new();
    reserve(&mut result, additional(&step, len - step.read).saturating_add(first.len()))?;
    result.extend_from_slice(first);
    let mut read = step.read;
    while step.status == TEXTCODEC_OUTPUT_FULL {
        let spare = result.spare_capacity_mut();
        let end = spare.len().saturating_sub(1);
        step = convert(read, &mut spare[..end]);
        read += step.read;
        let written = result.len() + step.written;
        // SAFETY: `convert` has written these units after the others, within the capacity.
        unsafe { result.set_len(written) };
        reserve(&mut result, additional(&step, len - read))?;
    }
    if step.status == TEXTCODEC_OK { Ok(result) } else { Err(Failed(step.status, step.error)) }
}

/// Makes room for more units, and for a NUL.
fn reserve<T>(result: &mut Vec<T>, additional: usize) -> Result<(), Failed> {
    let additional = additional.saturating_add(1);
    result.try_reserve_exact(additional).map_err(|_| Failed(TEXTCODEC_NO_MEMORY, None))
}

/// Estimates the output of `rest` units of input, if the input is not finished. Assumes that it resembles the last step.
fn additional(step: &Step, rest: usize) -> usize {
    if step.status != TEXTCODEC_OUTPUT_FULL {
        return 0;
    }
    let per_64 = (step.written * 64).div_ceil(step.read.max(1)).max(64);
    let estimate = (rest / 64).saturating_mul(per_64).saturating_add(per_64);
    estimate.saturating_add(estimate / 16).saturating_add(SPARE)
}

/// Ends a result with a NUL, and gives it to the caller.
///
/// # Safety
/// Both pointers are valid for writes. The result has spare capacity.
unsafe fn hand_over<T: Copy + Default>(mut result: Vec<T>, to: *mut *mut T, length: *mut usize) -> Status {
    let (len, capacity) = (result.len(), result.capacity());
    if let Some(nul) = result.spare_capacity_mut().first_mut() {
        nul.write(T::default());
    }
    let mut memory = ManuallyDrop::new(result).as_mut_ptr();
    if capacity - len > len / 2 + SPARE {
        // SAFETY: the allocator of `Vec` is `malloc`, and `len + 1 <= capacity`, so the size does not overflow.
        let smaller: *mut T = unsafe { libc::realloc(memory.cast(), (len + 1) * size_of::<T>()) }.cast();
        if !smaller.is_null() {
            memory = smaller;
        }
    }
    // SAFETY: as this function's caller promises.
    unsafe { raw::write(to, memory) };
    // SAFETY: as this function's caller promises.
    unsafe { raw::write(length, len) };
    TEXTCODEC_OK
}

/// Where a caller wants the result.
struct Results<T> {
    to: *mut *mut T,
    length: *mut usize,
    summary: *mut Summary,
}

impl<T: Copy + Default> Results<T> {
    /// Clears the results. Fails if a pointer is null that must not be.
    ///
    /// # Safety
    /// The pointers are null, or valid for writes.
    unsafe fn clear(&self) -> Result<(), Failed> {
        // SAFETY: as this function's caller promises.
        unsafe { raw::write(self.to, ptr::null_mut()) };
        // SAFETY: as this function's caller promises.
        unsafe { raw::write(self.length, 0) };
        // SAFETY: as this function's caller promises.
        unsafe { raw::write(self.summary, Summary::NONE) };
        if self.to.is_null() || self.length.is_null() { Err(INVALID) } else { Ok(()) }
    }

    /// Writes the results.
    ///
    /// # Safety
    /// The pointers are null, or valid for writes.
    unsafe fn write(&self, result: Result<(Vec<T>, Summary), (Failed, Summary)>) -> Status {
        let (result, summary) = match result {
            Ok((result, summary)) => (Ok(result), summary),
            Err((failed, mut summary)) => {
                if let Some(error) = failed.1 {
                    (summary.first_error, summary.error_count) = (error, 1);
                }
                (Err(failed.0), summary)
            }
        };
        // SAFETY: as this function's caller promises.
        unsafe { raw::write(self.summary, summary) };
        match result {
            // SAFETY: as this function's caller promises.
            Ok(result) => unsafe { hand_over(result, self.to, self.length) },
            Err(status) => status,
        }
    }
}

const INVALID: Failed = Failed(TEXTCODEC_INVALID_ARGUMENT, None);

impl From<Invalid> for Failed {
    fn from(_: Invalid) -> Self {
        INVALID
    }
}

/// Decodes a whole input.
///
/// # Safety
/// The pointers are null, or valid as the header demands. `convert` initialises the units that it says it has written.
unsafe fn decode<T: Copy + Default>(
    encoding: Number,
    (bytes, length): (*const c_void, usize),
    options: *const DecodeOptions,
    results: &Results<T>,
    same: impl Fn(&textcodec::Decoder, &[u8]) -> Option<Result<Vec<T>, Failed>>,
    convert: impl Fn(&mut textcodec::Decoder, &[u8], &mut [MaybeUninit<T>]) -> textcodec::Progress<textcodec::DecodeError>,
) -> Status {
    let run = || {
        // SAFETY: as this function's caller promises.
        unsafe { results.clear() }?;
        // SAFETY: as this function's caller promises.
        let bytes = unsafe { raw::input::<u8>(bytes.cast(), length) }?;
        // SAFETY: as this function's caller promises.
        let options = unsafe { raw::get(options) };
        let decoder = decoder::create(encoding, options).map_err(|status| Failed(status, None))?;
        Ok((decoder, bytes))
    };
    let (mut decoder, bytes) = match run() {
        Ok(ready) => ready,
        Err(Failed(status, _)) => return status,
    };
    if let Some(text) = same(&decoder, bytes) {
        let summary = Summary { encoding, ..Summary::NONE };
        // SAFETY: as this function's caller promises.
        return unsafe { results.write(text.map(|text| (text, summary)).map_err(|failed| (failed, summary))) };
    }
    let piece = |from, out: &mut [_]| {
        let progress = convert(&mut decoder, &bytes[from..], out);
        let (status, error) = decoder::status(&progress.status);
        Step { read: progress.read, written: progress.written, status, error }
    };
    // SAFETY: `convert` has written the units that it returns, as this function's caller promises.
    let result = unsafe { collect(bytes.len(), piece) };
    let summary = Summary {
        error_count: decoder.errors().count(),
        first_error: decoder.errors().first().map_or(Error::NONE, Error::from),
        encoding: encodings::number(decoder.encoding()),
        bom_removed: decoder.bom_removed().into(),
        ..Summary::NONE
    };
    // SAFETY: as this function's caller promises.
    unsafe { results.write(result.map(|result| (result, summary)).map_err(|failed| (failed, summary))) }
}

/// Returns a copy of UTF-8 if it is well-formed and has no byte order mark.
fn same_text(decoder: &textcodec::Decoder, bytes: &[u8]) -> Option<Result<Vec<u8>, Failed>> {
    let is_same = decoder.encoding() == textcodec::UTF_8
        && Encoding::for_bom(bytes).is_none()
        && utf::utf8_valid_up_to(bytes) == bytes.len();
    is_same.then(|| {
        let mut text = Vec::new();
        reserve(&mut text, bytes.len())?;
        text.extend_from_slice(bytes);
        Ok(text)
    })
}

/// Encodes a whole text.
///
/// # Safety
/// The pointers are null, or valid as the header demands. `convert` initialises the units that it says it has written.
unsafe fn encode<S>(
    encoding: Number,
    (text, length): (*const S, usize),
    options: *const EncodeOptions,
    results: &Results<u8>,
    convert: impl Fn(&mut Encoder, &[S], &mut [MaybeUninit<u8>]) -> crate::encoder::Progress,
) -> Status {
    let run = || {
        // SAFETY: as this function's caller promises.
        unsafe { results.clear() }?;
        // SAFETY: as this function's caller promises.
        let text = unsafe { raw::input(text, length) }?;
        // SAFETY: as this function's caller promises.
        let options = unsafe { raw::get(options) };
        let encoder = Encoder::new(encoding, options).map_err(|status| Failed(status, None))?;
        Ok((encoder, text))
    };
    let (mut encoder, text) = match run() {
        Ok(ready) => ready,
        Err(Failed(status, _)) => return status,
    };
    let piece = |from, out: &mut [_]| {
        let progress = convert(&mut encoder, &text[from..], out);
        let (status, error) = match progress.stop {
            Stop::InputEmpty => (TEXTCODEC_OK, None),
            Stop::OutputFull => (TEXTCODEC_OUTPUT_FULL, None),
            Stop::Error(error) => (TEXTCODEC_UNMAPPABLE, Some(error)),
        };
        Step { read: progress.read, written: progress.written, status, error }
    };
    // SAFETY: `convert` has written the units that it returns, as this function's caller promises.
    let result = unsafe { collect(text.len(), piece) };
    let summary = Summary {
        error_count: encoder.error_count(),
        first_error: encoder.first_error().unwrap_or(Error::NONE),
        encoding,
        ..Summary::NONE
    };
    // SAFETY: as this function's caller promises.
    unsafe { results.write(result.map(|result| (result, summary)).map_err(|failed| (failed, summary))) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_decode(
    encoding: Number,
    bytes: *const c_void,
    length: usize,
    options: *const DecodeOptions,
    text: *mut *mut c_char,
    text_length: *mut usize,
    summary: *mut Summary,
) -> Status {
    let results = Results { to: text.cast(), length: text_length, summary };
    // SAFETY: as the header demands.
    unsafe {
        decode::<u8>(encoding, (bytes, length), options, &results, same_text, |decoder, src, dst| {
            decoder.decode_to_utf8(src, dst, true)
        })
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_decode_utf16(
    encoding: Number,
    bytes: *const c_void,
    length: usize,
    options: *const DecodeOptions,
    text: *mut *mut u16,
    text_length: *mut usize,
    summary: *mut Summary,
) -> Status {
    let results = Results { to: text, length: text_length, summary };
    // SAFETY: as the header demands.
    unsafe {
        decode(
            encoding,
            (bytes, length),
            options,
            &results,
            |_, _| None,
            |decoder, src, dst| decoder.decode_to_utf16(src, dst, true),
        )
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_decode_utf32(
    encoding: Number,
    bytes: *const c_void,
    length: usize,
    options: *const DecodeOptions,
    text: *mut *mut u32,
    text_length: *mut usize,
    summary: *mut Summary,
) -> Status {
    let results = Results { to: text, length: text_length, summary };
    // SAFETY: as the header demands.
    unsafe {
        decode(
            encoding,
            (bytes, length),
            options,
            &results,
            |_, _| None,
            |decoder, src, dst| decoder::to_utf32(decoder, src, dst, true),
        )
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_encode(
    encoding: Number,
    text: *const c_char,
    length: usize,
    options: *const EncodeOptions,
    bytes: *mut *mut c_void,
    bytes_length: *mut usize,
    summary: *mut Summary,
) -> Status {
    let results = Results { to: bytes.cast(), length: bytes_length, summary };
    let convert = |encoder: &mut Encoder, src: &[u8], dst: &mut _| encoder.encode_utf8(src, dst, true);
    // SAFETY: as the header demands.
    unsafe { encode(encoding, (text.cast(), length), options, &results, convert) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_encode_utf16(
    encoding: Number,
    text: *const u16,
    length: usize,
    options: *const EncodeOptions,
    bytes: *mut *mut c_void,
    bytes_length: *mut usize,
    summary: *mut Summary,
) -> Status {
    let results = Results { to: bytes.cast(), length: bytes_length, summary };
    let convert = |encoder: &mut Encoder, src: &[u16], dst: &mut _| encoder.encode_utf16(src, dst, true);
    // SAFETY: as the header demands.
    unsafe { encode(encoding, (text, length), options, &results, convert) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_encode_utf32(
    encoding: Number,
    text: *const u32,
    length: usize,
    options: *const EncodeOptions,
    bytes: *mut *mut c_void,
    bytes_length: *mut usize,
    summary: *mut Summary,
) -> Status {
    let results = Results { to: bytes.cast(), length: bytes_length, summary };
    let convert = |encoder: &mut Encoder, src: &[u32], dst: &mut _| encoder.encode_utf32(src, dst, true);
    // SAFETY: as the header demands.
    unsafe { encode(encoding, (text, length), options, &results, convert) }
}
