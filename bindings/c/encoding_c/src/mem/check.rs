//! Functions that examine text.
//!
//! Those for a `str` take any bytes, because a mistake of the caller must not make memory unsafe. For valid UTF-8, which the
//! header requires, the functions for bytes return the same.

use encoding_rs::mem::{self, Latin1Bidi};

use crate::memory::input;

/// # Safety
/// `buffer` is the start of `len` bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn encoding_mem_is_ascii(buffer: *const u8, len: usize) -> bool {
    // SAFETY: as the caller promises.
    mem::is_ascii(unsafe { input(buffer, len) })
}

/// # Safety
/// `buffer` is the start of `len` units.
#[unsafe(no_mangle)]
unsafe extern "C" fn encoding_mem_is_basic_latin(buffer: *const u16, len: usize) -> bool {
    // SAFETY: as the caller promises.
    mem::is_basic_latin(unsafe { input(buffer, len) })
}

/// # Safety
/// `buffer` is the start of `len` bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn encoding_mem_is_utf8_latin1(buffer: *const u8, len: usize) -> bool {
    // SAFETY: as the caller promises.
    mem::is_utf8_latin1(unsafe { input(buffer, len) })
}

/// # Safety
/// `buffer` is the start of `len` bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn encoding_mem_is_str_latin1(buffer: *const u8, len: usize) -> bool {
    // SAFETY: as the caller promises.
    mem::is_utf8_latin1(unsafe { input(buffer, len) })
}

/// # Safety
/// `buffer` is the start of `len` units.
#[unsafe(no_mangle)]
unsafe extern "C" fn encoding_mem_is_utf16_latin1(buffer: *const u16, len: usize) -> bool {
    // SAFETY: as the caller promises.
    mem::is_utf16_latin1(unsafe { input(buffer, len) })
}

/// # Safety
/// `buffer` is the start of `len` bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn encoding_mem_is_utf8_bidi(buffer: *const u8, len: usize) -> bool {
    // SAFETY: as the caller promises.
    mem::is_utf8_bidi(unsafe { input(buffer, len) })
}

/// # Safety
/// `buffer` is the start of `len` bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn encoding_mem_is_str_bidi(buffer: *const u8, len: usize) -> bool {
    // SAFETY: as the caller promises.
    mem::is_utf8_bidi(unsafe { input(buffer, len) })
}

/// # Safety
/// `buffer` is the start of `len` units.
#[unsafe(no_mangle)]
unsafe extern "C" fn encoding_mem_is_utf16_bidi(buffer: *const u16, len: usize) -> bool {
    // SAFETY: as the caller promises.
    mem::is_utf16_bidi(unsafe { input(buffer, len) })
}

/// # Safety
/// `buffer` is the start of `len` bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn encoding_mem_check_utf8_for_latin1_and_bidi(buffer: *const u8, len: usize) -> Latin1Bidi {
    // SAFETY: as the caller promises.
    mem::check_utf8_for_latin1_and_bidi(unsafe { input(buffer, len) })
}

/// # Safety
/// `buffer` is the start of `len` bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn encoding_mem_check_str_for_latin1_and_bidi(buffer: *const u8, len: usize) -> Latin1Bidi {
    // SAFETY: as the caller promises.
    mem::check_utf8_for_latin1_and_bidi(unsafe { input(buffer, len) })
}

/// # Safety
/// `buffer` is the start of `len` units.
#[unsafe(no_mangle)]
unsafe extern "C" fn encoding_mem_check_utf16_for_latin1_and_bidi(buffer: *const u16, len: usize) -> Latin1Bidi {
    // SAFETY: as the caller promises.
    mem::check_utf16_for_latin1_and_bidi(unsafe { input(buffer, len) })
}

/// # Safety
/// `buffer` is the start of `len` bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn encoding_mem_utf8_latin1_up_to(buffer: *const u8, len: usize) -> usize {
    // SAFETY: as the caller promises.
    mem::utf8_latin1_up_to(unsafe { input(buffer, len) })
}

/// # Safety
/// `buffer` is the start of `len` bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn encoding_mem_str_latin1_up_to(buffer: *const u8, len: usize) -> usize {
    // SAFETY: as the caller promises.
    mem::utf8_latin1_up_to(unsafe { input(buffer, len) })
}

/// # Safety
/// `buffer` is the start of `len` units.
#[unsafe(no_mangle)]
unsafe extern "C" fn encoding_mem_utf16_valid_up_to(buffer: *const u16, len: usize) -> usize {
    // SAFETY: as the caller promises.
    mem::utf16_valid_up_to(unsafe { input(buffer, len) })
}

/// Returns false for a number that is no scalar value.
#[unsafe(no_mangle)]
extern "C" fn encoding_mem_is_char_bidi(c: u32) -> bool {
    char::from_u32(c).is_some_and(mem::is_char_bidi)
}

#[unsafe(no_mangle)]
extern "C" fn encoding_mem_is_utf16_code_unit_bidi(u: u16) -> bool {
    mem::is_utf16_code_unit_bidi(u)
}
