//! The functions of `Encoding`.

use alloc::boxed::Box;
use core::mem::MaybeUninit;

use encoding_rs::Encoding;

use crate::{
    decoder::{Bom, Decoder},
    encoder::Encoder,
    memory::{boxed, input, output, put, required},
};

/// # Safety
/// `label` is the start of `label_len` bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn encoding_for_label(label: *const u8, label_len: usize) -> Option<&'static Encoding> {
    // SAFETY: as the caller promises.
    Encoding::for_label(unsafe { input(label, label_len) })
}

/// # Safety
/// `label` is the start of `label_len` bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn encoding_for_label_no_replacement(
    label: *const u8,
    label_len: usize,
) -> Option<&'static Encoding> {
    // SAFETY: as the caller promises.
    Encoding::for_label_no_replacement(unsafe { input(label, label_len) })
}

/// # Safety
/// `buffer` is the start of `*buffer_len` bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn encoding_for_bom(buffer: *const u8, buffer_len: Option<&mut usize>) -> Option<&'static Encoding> {
    let len = required(buffer_len);
    // SAFETY: as the caller promises.
    let (encoding, bom_len) = Encoding::for_bom(unsafe { input(buffer, *len) }).unzip();
    *len = bom_len.unwrap_or(0);
    encoding
}

/// # Safety
/// `name_out` is the start of 14 bytes (`ENCODING_NAME_MAX_LENGTH`).
#[unsafe(no_mangle)]
unsafe extern "C" fn encoding_name(encoding: Option<&'static Encoding>, name_out: *mut u8) -> usize {
    let name = required(encoding).name().as_bytes();
    // SAFETY: as the caller promises. No name is longer: `x-mac-cyrillic` is the longest one.
    unsafe { output(name_out, name.len()) }.copy_from_slice(name);
    name.len()
}

#[unsafe(no_mangle)]
extern "C" fn encoding_can_encode_everything(encoding: Option<&'static Encoding>) -> bool {
    required(encoding).can_encode_everything()
}

#[unsafe(no_mangle)]
extern "C" fn encoding_is_ascii_compatible(encoding: Option<&'static Encoding>) -> bool {
    required(encoding).is_ascii_compatible()
}

#[unsafe(no_mangle)]
extern "C" fn encoding_is_single_byte(encoding: Option<&'static Encoding>) -> bool {
    required(encoding).is_single_byte()
}

#[unsafe(no_mangle)]
extern "C" fn encoding_output_encoding(encoding: Option<&'static Encoding>) -> &'static Encoding {
    required(encoding).output_encoding()
}

#[unsafe(no_mangle)]
extern "C" fn encoding_new_decoder(encoding: Option<&'static Encoding>) -> Option<Box<Decoder>> {
    boxed(Decoder::new(required(encoding), Bom::Sniff))
}

#[unsafe(no_mangle)]
extern "C" fn encoding_new_decoder_with_bom_removal(encoding: Option<&'static Encoding>) -> Option<Box<Decoder>> {
    boxed(Decoder::new(required(encoding), Bom::Remove))
}

#[unsafe(no_mangle)]
extern "C" fn encoding_new_decoder_without_bom_handling(encoding: Option<&'static Encoding>) -> Option<Box<Decoder>> {
    boxed(Decoder::new(required(encoding), Bom::Keep))
}

#[unsafe(no_mangle)]
extern "C" fn encoding_new_decoder_into(
    encoding: Option<&'static Encoding>,
    decoder: Option<&mut MaybeUninit<Decoder>>,
) {
    put(Decoder::new(required(encoding), Bom::Sniff), decoder);
}

#[unsafe(no_mangle)]
extern "C" fn encoding_new_decoder_with_bom_removal_into(
    encoding: Option<&'static Encoding>,
    decoder: Option<&mut MaybeUninit<Decoder>>,
) {
    put(Decoder::new(required(encoding), Bom::Remove), decoder);
}

#[unsafe(no_mangle)]
extern "C" fn encoding_new_decoder_without_bom_handling_into(
    encoding: Option<&'static Encoding>,
    decoder: Option<&mut MaybeUninit<Decoder>>,
) {
    put(Decoder::new(required(encoding), Bom::Keep), decoder);
}

#[unsafe(no_mangle)]
extern "C" fn encoding_new_encoder(encoding: Option<&'static Encoding>) -> Option<Box<Encoder>> {
    boxed(required(encoding).new_encoder())
}

#[unsafe(no_mangle)]
extern "C" fn encoding_new_encoder_into(
    encoding: Option<&'static Encoding>,
    encoder: Option<&mut MaybeUninit<Encoder>>,
) {
    put(required(encoding).new_encoder(), encoder);
}

/// # Safety
/// `buffer` is the start of `buffer_len` bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn encoding_utf8_valid_up_to(buffer: *const u8, buffer_len: usize) -> usize {
    // SAFETY: as the caller promises.
    Encoding::utf8_valid_up_to(unsafe { input(buffer, buffer_len) })
}

/// # Safety
/// `buffer` is the start of `buffer_len` bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn encoding_ascii_valid_up_to(buffer: *const u8, buffer_len: usize) -> usize {
    // SAFETY: as the caller promises.
    Encoding::ascii_valid_up_to(unsafe { input(buffer, buffer_len) })
}

/// # Safety
/// `buffer` is the start of `buffer_len` bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn encoding_iso_2022_jp_ascii_valid_up_to(buffer: *const u8, buffer_len: usize) -> usize {
    // SAFETY: as the caller promises.
    Encoding::iso_2022_jp_ascii_valid_up_to(unsafe { input(buffer, buffer_len) })
}
