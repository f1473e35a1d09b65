//! The algorithms of [section 6](https://encoding.spec.whatwg.org/#specification-hooks) of the standard by name, for
//! implementations of other standards.
//!
//! For other uses, prefer the methods of [`Encoding`]: they report errors that these functions ignore. Some algorithms are
//! methods already, or are in the standard library:
//!
//! | Section 4 and section 6 | here |
//! |---|---|
//! | [get an encoding](https://encoding.spec.whatwg.org/#concept-encoding-get) | [`Encoding::for_label`] |
//! | [get an output encoding](https://encoding.spec.whatwg.org/#get-an-output-encoding) | [`Encoding::output_encoding`] |
//! | [UTF-8 decode](https://encoding.spec.whatwg.org/#utf-8-decode) | [`utf_8_decode`] |
//! | [UTF-8 decode without BOM](https://encoding.spec.whatwg.org/#utf-8-decode-without-bom) | [`utf_8_decode_without_bom`] |
//! | [UTF-8 decode without BOM or fail](https://encoding.spec.whatwg.org/#utf-8-decode-without-bom-or-fail) | [`utf_8_decode_without_bom_or_fail`] |
//! | [UTF-8 encode](https://encoding.spec.whatwg.org/#utf-8-encode) | [`str::as_bytes`] |
//! | [decode](https://encoding.spec.whatwg.org/#decode) | [`Encoding::decode`] |
//! | [BOM sniff](https://encoding.spec.whatwg.org/#bom-sniff) | [`Encoding::for_bom`] |
//! | [encode](https://encoding.spec.whatwg.org/#encode) | [`encode`] |
//! | [get an encoder](https://encoding.spec.whatwg.org/#get-an-encoder) | [`get_an_encoder`] |
//! | [encode or fail](https://encoding.spec.whatwg.org/#encode-or-fail) | [`encode_or_fail`] |
//!
//! ```
//! use textcodec::{Encoding, UTF_8};
//!
//! assert_eq!(Encoding::for_label("utf-16").map(Encoding::output_encoding), Some(UTF_8));
//! ```

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, vec::Vec};

#[cfg(feature = "alloc")]
use crate::conversion::growth::out_of_memory;
#[cfg(feature = "alloc")]
use crate::{
    codec::drive::EncodePolicy,
    conversion::{Bom, DecodeOptions, Decoder, Unmappable},
    names::UTF_8,
};
use crate::{
    conversion::{EncodeError, EncodeReason, Encoder},
    names::Encoding,
};

/// Decodes UTF-8, and removes a byte order mark: [UTF-8 decode](https://encoding.spec.whatwg.org/#utf-8-decode).
///
/// ```
/// assert_eq!(textcodec::hooks::utf_8_decode(b"\xEF\xBB\xBFa\xFF"), "a\u{FFFD}");
/// ```
#[cfg(feature = "alloc")]
#[must_use]
#[cfg_attr(not(textcodec_small), inline)]
pub fn utf_8_decode(bytes: &[u8]) -> Cow<'_, str> {
    UTF_8.decode_replacing(bytes, Bom::StripOwn, || Decoder::utf_8(DecodeOptions::new().bom(Bom::StripOwn))).text
}

/// Decodes UTF-8, and keeps a byte order mark as U+FEFF:
/// [UTF-8 decode without BOM](https://encoding.spec.whatwg.org/#utf-8-decode-without-bom).
///
/// ```
/// assert_eq!(textcodec::hooks::utf_8_decode_without_bom(b"\xEF\xBB\xBFa"), "\u{FEFF}a");
/// ```
#[cfg(feature = "alloc")]
#[must_use]
#[cfg_attr(not(textcodec_small), inline)]
pub fn utf_8_decode_without_bom(bytes: &[u8]) -> Cow<'_, str> {
    UTF_8.decode_replacing(bytes, Bom::Keep, || Decoder::utf_8(DecodeOptions::new().bom(Bom::Keep))).text
}

/// Decodes UTF-8, and keeps a byte order mark as U+FEFF. Returns `None` if the bytes are malformed:
/// [UTF-8 decode without BOM or fail](https://encoding.spec.whatwg.org/#utf-8-decode-without-bom-or-fail).
///
/// ```
/// assert!(textcodec::hooks::utf_8_decode_without_bom_or_fail(b"\xC3").is_none());
/// ```
#[cfg(feature = "alloc")]
#[must_use]
#[cfg_attr(not(textcodec_small), inline)]
pub fn utf_8_decode_without_bom_or_fail(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let options = DecodeOptions::new().bom(Bom::Keep).malformed(crate::Malformed::Fail);
    match UTF_8.decode_with(bytes, options) {
        Ok(decoded) => Some(decoded.text),
        Err(error) if error.reason() == crate::DecodeReason::OutOfMemory => out_of_memory(bytes.len()),
        Err(_) => None,
    }
}

/// Encodes `text`, with error mode "html": [encode](https://encoding.spec.whatwg.org/#encode).
///
/// # Errors
/// Returns [`EncodeReason::NoEncoder`] if `encoding` is `replacement`, UTF-16BE or UTF-16LE. The standard asserts that it is
/// not: call [`Encoding::output_encoding`] first. Returns [`EncodeReason::Unavailable`] if this build has no encoder.
///
/// ```
/// assert_eq!(*textcodec::hooks::encode("é字", textcodec::WINDOWS_1252)?, *b"\xE9&#23383;");
/// # Ok::<(), textcodec::EncodeError>(())
/// ```
#[cfg(feature = "alloc")]
#[cfg_attr(not(textcodec_small), inline)]
pub fn encode(text: &str, encoding: Encoding) -> Result<Cow<'_, [u8]>, EncodeError> {
    check_output_encoding(encoding)?;
    Ok(encoding.encode_with(text, Unmappable::Html)?.bytes)
}

/// Creates an encoder for `encode_or_fail`: [get an encoder](https://encoding.spec.whatwg.org/#get-an-encoder).
///
/// It stops at each unmappable character, like an encoder with [`Unmappable::Pause`]. Unlike that, it stops exactly where the
/// standard does: ISO-2022-JP is in a state in which the caller can write ASCII in place of the character.
///
/// It never splits the bytes of a character: a call makes no progress if the whole destination is too small for the next ones.
///
/// # Errors
/// Returns [`EncodeReason::NoEncoder`] if `encoding` is `replacement`, UTF-16BE or UTF-16LE. The standard asserts that it is
/// not: call [`Encoding::output_encoding`] first. Returns [`EncodeReason::Unavailable`] if this build has no encoder.
///
/// ```
/// assert!(textcodec::hooks::get_an_encoder(textcodec::UTF_16LE).is_err());
/// ```
#[cfg_attr(not(textcodec_small), inline)]
pub fn get_an_encoder(encoding: Encoding) -> Result<Encoder, EncodeError> {
    check_output_encoding(encoding)?;
    Encoder::for_hooks(encoding)
}

/// Encodes `queue` up to the first unmappable character, and appends the bytes to `output`:
/// [encode or fail](https://encoding.spec.whatwg.org/#encode-or-fail).
///
/// Returns the code point of that character, and removes the text up to and including it from `queue`. To continue after it,
/// call this again with the same `queue` and `encoder`. Returns `None` when all text is encoded.
///
/// `encoder` is usually from [`get_an_encoder`]. For any other one, its setting for unmappable characters is ignored. If it lacks its
/// encoding, every character is unmappable.
///
/// ```
/// use textcodec::hooks::{encode_or_fail, get_an_encoder};
///
/// let mut encoder = get_an_encoder(textcodec::ISO_2022_JP)?;
/// let mut queue = "¥😀¥";
/// let mut bytes = Vec::new();
/// assert_eq!(encode_or_fail(&mut queue, &mut encoder, &mut bytes), Some('😀'));
/// assert_eq!(bytes, b"\x1B(J\\");
/// bytes.clear();
/// assert_eq!(encode_or_fail(&mut queue, &mut encoder, &mut bytes), None);
/// assert_eq!(bytes, b"\\\x1B(B");
/// # Ok::<(), textcodec::EncodeError>(())
/// ```
#[cfg(feature = "alloc")]
#[must_use = "the text after an unmappable character is not encoded yet"]
#[cfg_attr(not(textcodec_small), inline)]
pub fn encode_or_fail(queue: &mut &str, encoder: &mut Encoder, output: &mut Vec<u8>) -> Option<char> {
    if encoder.check().is_err() {
        let mut characters = queue.chars();
        let first = characters.next();
        *queue = characters.as_str();
        return first;
    }
    let fatal = EncodePolicy { unmappable: Unmappable::Pause, for_hooks: true, ..encoder.policy() };
    let Some((read, error)) = encoder.with_policy(fatal, |encoder| encoder.push_until_error(*queue, output, true))
    else {
        *queue = "";
        return None;
    };
    if error.reason() == EncodeReason::OutOfMemory {
        out_of_memory(queue.len() - read);
    }
    *queue = queue.get(read..).unwrap_or_default();
    error.code_point()
}

#[cfg_attr(not(textcodec_small), inline)]
fn check_output_encoding(encoding: Encoding) -> Result<(), EncodeError> {
    if encoding.output_encoding() == encoding {
        Ok(())
    } else {
        Err(EncodeError::without_position(encoding, EncodeReason::NoEncoder))
    }
}
