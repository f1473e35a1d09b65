//! Encodings as numbers, and their properties.

use core::ffi::{c_char, c_void};

use textcodec::{Alias, Encoding};

pub(crate) use crate::list::ALL;
use crate::{
    names,
    raw::{self, Invalid},
    types::{Number, TEXTCODEC_NONE},
};

/// Returns the encoding of a number.
#[inline]
pub(crate) fn encoding(number: Number) -> Option<Encoding> {
    ALL.get(usize::try_from(number).ok()?).copied()
}

/// Returns the number of an encoding.
pub(crate) fn number(encoding: Encoding) -> Number {
    // The first encodings are ordered like the standard's table.
    let (sorted, others) = ALL.split_at(Encoding::ALL.len());
    let position = || Some(sorted.len() + others.iter().position(|&other| other == encoding)?);
    sorted.binary_search(&encoding).ok().or_else(position).map_or(TEXTCODEC_NONE, |number| number as Number)
}

fn number_or_none(encoding: Option<Encoding>) -> Number {
    encoding.map_or(TEXTCODEC_NONE, number)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_encoding_for_label(label: *const c_char, length: usize) -> Number {
    // SAFETY: as the header demands.
    let label = unsafe { raw::input::<u8>(label.cast(), length) };
    number_or_none(label.ok().and_then(Encoding::for_label))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_encoding_for_name(name: *const c_char, length: usize) -> Number {
    // SAFETY: as the header demands.
    let name = unsafe { raw::input::<u8>(name.cast(), length) };
    let find = |name: &str| name.parse().ok().or_else(|| Alias::for_name(name).map(|alias| alias.encoding));
    number_or_none(name.ok().and_then(|name| core::str::from_utf8(name).ok()).and_then(find))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_encoding_for_bom(bytes: *const c_void, length: usize, bom_length: *mut usize) -> Number {
    // SAFETY: as the header demands.
    let bytes: Result<&[u8], Invalid> = unsafe { raw::input(bytes.cast(), length) };
    let found = bytes.ok().and_then(Encoding::for_bom);
    // SAFETY: as the header demands.
    unsafe { raw::write(bom_length, found.map_or(0, |(_, length)| length)) };
    number_or_none(found.map(|(encoding, _)| encoding))
}

#[unsafe(no_mangle)]
extern "C" fn textcodec_encoding_name(number: Number) -> *const c_char {
    names::get(number, 0)
}

#[unsafe(no_mangle)]
extern "C" fn textcodec_encoding_label_count(number: Number) -> usize {
    encoding(number).map_or(0, |encoding| encoding.labels().len())
}

#[unsafe(no_mangle)]
extern "C" fn textcodec_encoding_label(number: Number, index: usize) -> *const c_char {
    names::get(number, index.saturating_add(1))
}

#[unsafe(no_mangle)]
extern "C" fn textcodec_encoding_count() -> usize {
    ALL.len()
}

#[unsafe(no_mangle)]
extern "C" fn textcodec_encoding_at(index: usize) -> Number {
    if index < ALL.len() { index as Number } else { TEXTCODEC_NONE }
}

#[unsafe(no_mangle)]
extern "C" fn textcodec_encoding_output(number: Number) -> Number {
    number_or_none(encoding(number).map(Encoding::output_encoding))
}

#[unsafe(no_mangle)]
extern "C" fn textcodec_encoding_is_ascii_compatible(number: Number) -> bool {
    encoding(number).is_some_and(Encoding::is_ascii_compatible)
}

#[unsafe(no_mangle)]
extern "C" fn textcodec_encoding_is_single_byte(number: Number) -> bool {
    encoding(number).is_some_and(Encoding::is_single_byte)
}

#[unsafe(no_mangle)]
extern "C" fn textcodec_encoding_can_encode(number: Number, code_point: u32) -> bool {
    encoding(number).zip(char::from_u32(code_point)).is_some_and(|(encoding, character)| encoding.can_encode(character))
}

#[unsafe(no_mangle)]
extern "C" fn textcodec_encoding_may_be_overridden(number: Number) -> bool {
    encoding(number).is_some_and(Encoding::allows_override)
}

#[unsafe(no_mangle)]
extern "C" fn textcodec_encoding_may_be_overridden_to(number: Number) -> bool {
    encoding(number).is_some_and(Encoding::allows_override)
}

#[unsafe(no_mangle)]
extern "C" fn textcodec_encoding_has_encoder(number: Number) -> bool {
    encoding(number).is_some_and(Encoding::has_encoder)
}
