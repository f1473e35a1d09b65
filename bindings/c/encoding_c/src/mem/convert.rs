//! Functions that convert text.
//!
//! Upstream panics if a destination is shorter than the source requires. Here, functions that write a unit for each unit read
//! convert what fits, and the others write nothing.

use encoding_rs::mem;

use crate::memory::{input, output, required};

/// Returns the start of the source for which a destination of `dst_len` units has room, at one unit each.
fn fitting<T>(src: &[T], dst_len: usize) -> &[T] {
    &src[..src.len().min(dst_len)]
}

/// # Safety
/// `src` is the start of `src_len` bytes, `dst` that of `dst_len` other units.
#[unsafe(no_mangle)]
unsafe extern "C" fn encoding_mem_convert_utf8_to_utf16(
    src: *const u8,
    src_len: usize,
    dst: *mut u16,
    dst_len: usize,
) -> usize {
    // SAFETY: as the caller promises.
    let src = unsafe { input(src, src_len) };
    // SAFETY: as the caller promises.
    let dst = unsafe { output(dst, dst_len) };
    if dst.len() <= src.len() {
        return 0;
    }
    mem::convert_utf8_to_utf16(src, dst)
}

/// Returns 0 for malformed UTF-8, which the header does not allow.
///
/// # Safety
/// `src` is the start of `src_len` bytes, `dst` that of `dst_len` other units.
#[unsafe(no_mangle)]
unsafe extern "C" fn encoding_mem_convert_str_to_utf16(
    src: *const u8,
    src_len: usize,
    dst: *mut u16,
    dst_len: usize,
) -> usize {
    // SAFETY: as the caller promises.
    let src = unsafe { input(src, src_len) };
    // SAFETY: as the caller promises.
    let dst = unsafe { output(dst, dst_len) };
    if dst.len() < src.len() {
        return 0;
    }
    mem::convert_utf8_to_utf16_without_replacement(src, dst).unwrap_or(0)
}

/// # Safety
/// `src` is the start of `src_len` bytes, `dst` that of `dst_len` other units.
#[unsafe(no_mangle)]
unsafe extern "C" fn encoding_mem_convert_utf8_to_utf16_without_replacement(
    src: *const u8,
    src_len: usize,
    dst: *mut u16,
    dst_len: usize,
) -> usize {
    // SAFETY: as the caller promises.
    let src = unsafe { input(src, src_len) };
    // SAFETY: as the caller promises.
    let dst = unsafe { output(dst, dst_len) };
    if dst.len() < src.len() {
        return usize::MAX;
    }
    mem::convert_utf8_to_utf16_without_replacement(src, dst).unwrap_or(usize::MAX)
}

/// # Safety
/// `src` is the start of `src_len` units, `dst` that of `dst_len` other bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn encoding_mem_convert_utf16_to_utf8(
    src: *const u16,
    src_len: usize,
    dst: *mut u8,
    dst_len: usize,
) -> usize {
    // SAFETY: as the caller promises.
    let src = unsafe { input(src, src_len) };
    // SAFETY: as the caller promises.
    let dst = unsafe { output(dst, dst_len) };
    if dst.len() < 3 * src.len() {
        return 0;
    }
    mem::convert_utf16_to_utf8(src, dst)
}

/// # Safety
/// `src` is the start of `src_len` bytes, `dst` that of `dst_len` other units.
#[unsafe(no_mangle)]
unsafe extern "C" fn encoding_mem_convert_latin1_to_utf16(
    src: *const u8,
    src_len: usize,
    dst: *mut u16,
    dst_len: usize,
) {
    // SAFETY: as the caller promises.
    let src = unsafe { input(src, src_len) };
    // SAFETY: as the caller promises.
    let dst = unsafe { output(dst, dst_len) };
    mem::convert_latin1_to_utf16(fitting(src, dst.len()), dst);
}

/// # Safety
/// `src` is the start of `src_len` bytes, `dst` that of `dst_len` other bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn encoding_mem_convert_latin1_to_utf8(
    src: *const u8,
    src_len: usize,
    dst: *mut u8,
    dst_len: usize,
) -> usize {
    // SAFETY: as the caller promises.
    let src = unsafe { input(src, src_len) };
    // SAFETY: as the caller promises.
    let dst = unsafe { output(dst, dst_len) };
    if dst.len() < 2 * src.len() {
        return 0;
    }
    mem::convert_latin1_to_utf8(src, dst)
}

/// # Safety
/// `src` is the start of `src_len` bytes, `dst` that of `dst_len` other bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn encoding_mem_convert_utf8_to_latin1_lossy(
    src: *const u8,
    src_len: usize,
    dst: *mut u8,
    dst_len: usize,
) -> usize {
    // SAFETY: as the caller promises.
    let src = unsafe { input(src, src_len) };
    // SAFETY: as the caller promises.
    let dst = unsafe { output(dst, dst_len) };
    if dst.len() < src.len() {
        return 0;
    }
    mem::convert_utf8_to_latin1_lossy(src, dst)
}

/// # Safety
/// `src` is the start of `src_len` units, `dst` that of `dst_len` other bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn encoding_mem_convert_utf16_to_latin1_lossy(
    src: *const u16,
    src_len: usize,
    dst: *mut u8,
    dst_len: usize,
) {
    // SAFETY: as the caller promises.
    let src = unsafe { input(src, src_len) };
    // SAFETY: as the caller promises.
    let dst = unsafe { output(dst, dst_len) };
    mem::convert_utf16_to_latin1_lossy(fitting(src, dst.len()), dst);
}

/// # Safety
/// `src` is the start of `src_len` bytes, `dst` that of `dst_len` other bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn encoding_mem_copy_ascii_to_ascii(
    src: *const u8,
    src_len: usize,
    dst: *mut u8,
    dst_len: usize,
) -> usize {
    // SAFETY: as the caller promises.
    let src = unsafe { input(src, src_len) };
    // SAFETY: as the caller promises.
    let dst = unsafe { output(dst, dst_len) };
    mem::copy_ascii_to_ascii(fitting(src, dst.len()), dst)
}

/// # Safety
/// `src` is the start of `src_len` bytes, `dst` that of `dst_len` other units.
#[unsafe(no_mangle)]
unsafe extern "C" fn encoding_mem_copy_ascii_to_basic_latin(
    src: *const u8,
    src_len: usize,
    dst: *mut u16,
    dst_len: usize,
) -> usize {
    // SAFETY: as the caller promises.
    let src = unsafe { input(src, src_len) };
    // SAFETY: as the caller promises.
    let dst = unsafe { output(dst, dst_len) };
    mem::copy_ascii_to_basic_latin(fitting(src, dst.len()), dst)
}

/// # Safety
/// `src` is the start of `src_len` units, `dst` that of `dst_len` other bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn encoding_mem_copy_basic_latin_to_ascii(
    src: *const u16,
    src_len: usize,
    dst: *mut u8,
    dst_len: usize,
) -> usize {
    // SAFETY: as the caller promises.
    let src = unsafe { input(src, src_len) };
    // SAFETY: as the caller promises.
    let dst = unsafe { output(dst, dst_len) };
    mem::copy_basic_latin_to_ascii(fitting(src, dst.len()), dst)
}

/// # Safety
/// `src` is the start of `*src_len` units, `dst` that of `*dst_len` other bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn encoding_mem_convert_utf16_to_utf8_partial(
    src: *const u16,
    src_len: Option<&mut usize>,
    dst: *mut u8,
    dst_len: Option<&mut usize>,
) {
    let (src_len, dst_len) = (required(src_len), required(dst_len));
    // SAFETY: as the caller promises.
    let src = unsafe { input(src, *src_len) };
    // SAFETY: as the caller promises.
    let dst = unsafe { output(dst, *dst_len) };
    (*src_len, *dst_len) = mem::convert_utf16_to_utf8_partial(src, dst);
}

/// # Safety
/// `src` is the start of `*src_len` bytes, `dst` that of `*dst_len` other bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn encoding_mem_convert_latin1_to_utf8_partial(
    src: *const u8,
    src_len: Option<&mut usize>,
    dst: *mut u8,
    dst_len: Option<&mut usize>,
) {
    let (src_len, dst_len) = (required(src_len), required(dst_len));
    // SAFETY: as the caller promises.
    let src = unsafe { input(src, *src_len) };
    // SAFETY: as the caller promises.
    let dst = unsafe { output(dst, *dst_len) };
    (*src_len, *dst_len) = mem::convert_latin1_to_utf8_partial(src, dst);
}

/// # Safety
/// `buffer` is the start of `len` units.
#[unsafe(no_mangle)]
unsafe extern "C" fn encoding_mem_ensure_utf16_validity(buffer: *mut u16, len: usize) {
    // SAFETY: as the caller promises.
    mem::ensure_utf16_validity(unsafe { output(buffer, len) });
}
