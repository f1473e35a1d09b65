//! ICU's converters.

use std::{
    ffi::{CString, c_char, c_int, c_void},
    ptr,
};

use bench_abi::{Call, Job, Library, Operation, cut};

struct Icu;

bench_abi::export!(Icu);

impl Library for Icu {
    fn start(_: &str) -> Option<String> {
        Some(env!("ICU_VERSION").to_owned())
    }

    fn open(job: Job<'_>) -> Option<Call> {
        let named = name(job.encoding);
        match job.operation {
            // `ucnv_convertEx` is faster from UTF-8, and slower from all other encodings.
            Operation::DecodeToUtf8 if named == "UTF-8" => pivot(named, named, job.chunk),
            Operation::DecodeToUtf8 => decode_to_utf8(named, job.chunk),
            Operation::DecodeToUtf16 => to_unicode(named, job.chunk),
            Operation::EncodeFromUtf8 => pivot("UTF-8", named, job.chunk),
            Operation::EncodeFromUtf16 => from_unicode(named, job.chunk),
            Operation::Utf8ToUtf16 if job.chunk == 0 => Some(utf8_to_utf16()),
            Operation::Utf8ToUtf16 => to_unicode("UTF-8", job.chunk),
            Operation::Utf16ToUtf8 if job.chunk == 0 => Some(utf16_to_utf8()),
            Operation::Utf16ToUtf8 => from_unicode("UTF-8", job.chunk),
            Operation::Latin1ToUtf8 => pivot("ISO-8859-1", "UTF-8", job.chunk),
            Operation::Latin1ToUtf16 => to_unicode("ISO-8859-1", job.chunk),
            Operation::Utf8ToLatin1 => pivot("UTF-8", "ISO-8859-1", job.chunk),
            Operation::Utf16ToLatin1 => from_unicode("ISO-8859-1", job.chunk),
            _ => None,
        }
    }
}

/// Returns ICU's name of the most similar encoding.
fn name(encoding: &str) -> &str {
    match encoding {
        "Shift_JIS" => "windows-31j",
        "EUC-KR" => "windows-949",
        "windows-874" => "windows-874-2000",
        "Big5" => "Big5-HKSCS",
        "GBK" => "windows-936",
        other => other,
    }
}

type Converter = c_void;
/// An error code. Values above 0 are failures.
type ErrorCode = c_int;
/// The destination is full.
const BUFFER_OVERFLOW: ErrorCode = 15;

unsafe extern "C" {
    #[link_name = concat!("ucnv_open", env!("ICU_SUFFIX"))]
    fn ucnv_open(name: *const c_char, error: *mut ErrorCode) -> *mut Converter;
    #[link_name = concat!("ucnv_close", env!("ICU_SUFFIX"))]
    fn ucnv_close(converter: *mut Converter);
    #[link_name = concat!("ucnv_reset", env!("ICU_SUFFIX"))]
    fn ucnv_reset(converter: *mut Converter);
    #[link_name = concat!("ucnv_toUnicode", env!("ICU_SUFFIX"))]
    fn ucnv_to_unicode(
        converter: *mut Converter,
        target: *mut *mut u16,
        target_end: *const u16,
        source: *mut *const u8,
        source_end: *const u8,
        offsets: *mut i32,
        flush: i8,
        error: *mut ErrorCode,
    );
    #[link_name = concat!("ucnv_fromUnicode", env!("ICU_SUFFIX"))]
    fn ucnv_from_unicode(
        converter: *mut Converter,
        target: *mut *mut u8,
        target_end: *const u8,
        source: *mut *const u16,
        source_end: *const u16,
        offsets: *mut i32,
        flush: i8,
        error: *mut ErrorCode,
    );
    #[link_name = concat!("ucnv_setFromUCallBack", env!("ICU_SUFFIX"))]
    fn ucnv_set_from_unicode_callback(
        converter: *mut Converter,
        action: *const c_void,
        context: *const c_void,
        old_action: *mut *const c_void,
        old_context: *mut *const c_void,
        error: *mut ErrorCode,
    );
    #[link_name = concat!("UCNV_FROM_U_CALLBACK_STOP", env!("ICU_SUFFIX"))]
    fn stop();
    #[link_name = concat!("ucnv_convertEx", env!("ICU_SUFFIX"))]
    fn ucnv_convert_ex(
        to: *mut Converter,
        from: *mut Converter,
        target: *mut *mut u8,
        target_end: *const u8,
        source: *mut *const u8,
        source_end: *const u8,
        pivot_start: *mut u16,
        pivot_source: *mut *mut u16,
        pivot_target: *mut *mut u16,
        pivot_end: *const u16,
        reset: i8,
        flush: i8,
        error: *mut ErrorCode,
    );
    #[link_name = concat!("u_strFromUTF8", env!("ICU_SUFFIX"))]
    fn u_str_from_utf8(
        dst: *mut u16,
        capacity: i32,
        len: *mut i32,
        src: *const u8,
        src_len: i32,
        error: *mut ErrorCode,
    );
    #[link_name = concat!("u_strToUTF8", env!("ICU_SUFFIX"))]
    fn u_str_to_utf8(dst: *mut u8, capacity: i32, len: *mut i32, src: *const u16, src_len: i32, error: *mut ErrorCode);
}

/// The number of UTF-16 code units in the pivot buffer.
const BLOCK: usize = 1024;

struct Open(*mut Converter);

impl Open {
    /// Opens a converter that stops at unmappable characters.
    fn new(name: &str) -> Option<Self> {
        let name = CString::new(name).ok()?;
        let mut error = 0;
        // SAFETY: `name` is a string with a NUL at its end, and `error` is valid for writes.
        let converter = unsafe { ucnv_open(name.as_ptr(), &raw mut error) };
        if error > 0 {
            return None;
        }
        let open = Self(converter);
        // SAFETY: the converter is open. ICU allows null pointers for the old action and context.
        unsafe {
            let (action, nothing) = (stop as *const c_void, ptr::null_mut());
            ucnv_set_from_unicode_callback(converter, action, ptr::null(), nothing, nothing, &raw mut error);
        }
        (error <= 0).then_some(open)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        // SAFETY: the converter is open, and is closed only here.
        unsafe { ucnv_close(self.0) };
    }
}

fn to_unicode(name: &str, chunk: usize) -> Option<Call> {
    let open = Open::new(name)?;
    Some(Call::chunked(chunk, cut::anywhere, move |src, dst, last| {
        let Open(converter) = &open;
        let (mut from, mut to, mut error) = (src.as_ptr(), dst.as_mut_ptr(), 0);
        let (from_end, to_end) = (src.as_ptr_range().end, dst.as_ptr_range().end);
        // SAFETY: the converter is open. The pointers are the starts and ends of the slices.
        unsafe {
            let (from, to) = (&raw mut from, &raw mut to);
            ucnv_to_unicode(*converter, to, to_end, from, from_end, ptr::null_mut(), last.into(), &raw mut error);
        }
        // SAFETY: ICU has advanced both pointers within their slices.
        let moved = unsafe { (from.offset_from_unsigned(src.as_ptr()), to.offset_from_unsigned(dst.as_ptr())) };
        if error > 0 {
            // SAFETY: the converter is open.
            unsafe { ucnv_reset(*converter) };
        }
        (error <= 0).then_some(moved)
    }))
}

fn from_unicode(name: &str, chunk: usize) -> Option<Call> {
    let open = Open::new(name)?;
    Some(Call::chunked(chunk, cut::anywhere, move |src, dst, last| {
        let Open(converter) = &open;
        let (mut from, mut to, mut error) = (src.as_ptr(), dst.as_mut_ptr(), 0);
        let (from_end, to_end) = (src.as_ptr_range().end, dst.as_ptr_range().end);
        // SAFETY: the converter is open. The pointers are the starts and ends of the slices.
        unsafe {
            let (from, to) = (&raw mut from, &raw mut to);
            ucnv_from_unicode(*converter, to, to_end, from, from_end, ptr::null_mut(), last.into(), &raw mut error);
        }
        // SAFETY: ICU has advanced both pointers within their slices.
        let moved = unsafe { (from.offset_from_unsigned(src.as_ptr()), to.offset_from_unsigned(dst.as_ptr())) };
        if error > 0 {
            // SAFETY: the converter is open.
            unsafe { ucnv_reset(*converter) };
        }
        (error <= 0).then_some(moved)
    }))
}

/// Converts bytes to bytes with `ucnv_convertEx`, through a pivot buffer.
fn pivot(from: &str, to: &str, chunk: usize) -> Option<Call> {
    let (from, to) = (Open::new(from)?, Open::new(to)?);
    let mut block = [0_u16; BLOCK];
    let (mut used_from, mut used_to) = (0, 0);
    let mut first = true;
    Some(Call::chunked(chunk, cut::anywhere, move |src: &[u8], dst: &mut [u8], last| {
        let (Open(from), Open(to)) = (&from, &to);
        let (mut source, mut target, mut error) = (src.as_ptr(), dst.as_mut_ptr(), 0);
        let (source_end, target_end) = (src.as_ptr_range().end, dst.as_ptr_range().end);
        let start = block.as_mut_ptr();
        if first {
            (used_from, used_to) = (0, 0);
        }
        // SAFETY: the converters are open. The pointers are the starts and ends of the slices, and `used_from <= used_to <=
        // BLOCK` holds, because ICU keeps both pivot pointers within the block.
        let moved = unsafe {
            let (mut pivot_source, mut pivot_target) = (start.add(used_from), start.add(used_to));
            ucnv_convert_ex(
                *to,
                *from,
                &raw mut target,
                target_end,
                &raw mut source,
                source_end,
                start,
                &raw mut pivot_source,
                &raw mut pivot_target,
                start.add(block.len()),
                first.into(),
                last.into(),
                &raw mut error,
            );
            used_from = pivot_source.offset_from_unsigned(start);
            used_to = pivot_target.offset_from_unsigned(start);
            (source.offset_from_unsigned(src.as_ptr()), target.offset_from_unsigned(dst.as_ptr()))
        };
        first = last || error > 0;
        (error <= 0).then_some(moved)
    }))
}

/// Decodes to UTF-16 block by block, and converts each block to UTF-8.
fn decode_to_utf8(name: &str, chunk: usize) -> Option<Call> {
    let open = Open::new(name)?;
    let mut block = [0_u16; BLOCK];
    // The number of units in the block that wait for the next one: a high surrogate or none.
    let mut kept = 0;
    Some(Call::chunked(chunk, cut::anywhere, move |src: &[u8], dst: &mut [u8], last| {
        let Open(converter) = &open;
        let (mut from, mut filled) = (src.as_ptr(), 0);
        loop {
            let mut error = 0;
            // SAFETY: the converter is open. `from` is within the source, and `kept <= BLOCK`.
            let units = unsafe {
                let mut to = block.as_mut_ptr().add(kept);
                let (from_end, to_end) = (src.as_ptr_range().end, block.as_ptr_range().end);
                let (from, to_ptr, none) = (&raw mut from, &raw mut to, ptr::null_mut());
                ucnv_to_unicode(*converter, to_ptr, to_end, from, from_end, none, last.into(), &raw mut error);
                to.offset_from_unsigned(block.as_ptr())
            };
            let full = error == BUFFER_OVERFLOW;
            let ends_in_high = units > 0 && block[units - 1] & 0xFC00 == 0xD800;
            let whole = units - usize::from(ends_in_high && (full || !last));
            let written = to_utf8(&block[..whole], &mut dst[filled..]);
            kept = units - whole;
            block.copy_within(whole..units, 0);
            match written {
                Some(written) if full || error <= 0 => filled += written,
                _ => {
                    kept = 0;
                    // SAFETY: the converter is open.
                    unsafe { ucnv_reset(*converter) };
                    return None;
                }
            }
            if !full {
                return Some((src.len(), filled));
            }
        }
    }))
}

fn utf8_to_utf16() -> Call {
    Call::new(|src: &[u8], dst: &mut [u16]| {
        let (mut len, mut error) = (0, 0);
        let (capacity, src_len) = (dst.len().try_into().ok()?, src.len().try_into().ok()?);
        // SAFETY: the pointers are those of the slices, with their lengths.
        unsafe { u_str_from_utf8(dst.as_mut_ptr(), capacity, &raw mut len, src.as_ptr(), src_len, &raw mut error) };
        (error <= 0).then(|| len.try_into().ok())?
    })
}

fn utf16_to_utf8() -> Call {
    Call::new(to_utf8)
}

fn to_utf8(src: &[u16], dst: &mut [u8]) -> Option<usize> {
    let (mut len, mut error) = (0, 0);
    let (capacity, src_len) = (dst.len().try_into().ok()?, src.len().try_into().ok()?);
    // SAFETY: the pointers are those of the slices, with their lengths.
    unsafe { u_str_to_utf8(dst.as_mut_ptr(), capacity, &raw mut len, src.as_ptr(), src_len, &raw mut error) };
    (error <= 0).then(|| len.try_into().ok())?
}
