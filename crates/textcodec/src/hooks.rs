//! The algorithms of [section 6](https://encoding.spec.whatwg.org/#specification-hooks) of the standard by name, for
//! implementations of other standards.
//!
//! For other uses, prefer the methods of [`Encoding`]: they report errors that these functions ignore.
//!
//! ```
//! use textcodec::{UTF_8, hooks};
//!
//! let encoding = hooks::get_an_encoding("utf-16").map(hooks::get_an_output_encoding);
//! assert_eq!(encoding, Some(UTF_8));
//! ```

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, vec::Vec};

#[cfg(feature = "alloc")]
use crate::{Bom, DecodeOptions, Decoder, UTF_8, Unmappable, codec::drive::EncodePolicy};
use crate::{EncodeError, Encoder, Encoding};

/// Returns the encoding of a label: [get an encoding](https://encoding.spec.whatwg.org/#concept-encoding-get).
///
/// ```
/// assert_eq!(textcodec::hooks::get_an_encoding("big5-hkscs"), Some(textcodec::BIG5));
/// ```
#[must_use]
pub fn get_an_encoding(label: &str) -> Option<Encoding> {
    Encoding::for_label(label)
}

/// Returns the encoding for output of a page in `encoding`:
/// [get an output encoding](https://encoding.spec.whatwg.org/#get-an-output-encoding).
///
/// ```
/// assert_eq!(textcodec::hooks::get_an_output_encoding(textcodec::REPLACEMENT), textcodec::UTF_8);
/// ```
#[must_use]
pub fn get_an_output_encoding(encoding: Encoding) -> Encoding {
    encoding.output_encoding()
}

/// Decodes UTF-8, and removes a byte order mark: [UTF-8 decode](https://encoding.spec.whatwg.org/#utf-8-decode).
///
/// ```
/// assert_eq!(textcodec::hooks::utf_8_decode(b"\xEF\xBB\xBFa\xFF"), "a\u{FFFD}");
/// ```
#[cfg(feature = "alloc")]
#[must_use]
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
pub fn utf_8_decode_without_bom_or_fail(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let options = DecodeOptions::new().bom(Bom::Keep).malformed(crate::Malformed::Fail);
    Some(UTF_8.decode_with(bytes, options).ok()?.text)
}

/// Returns the bytes of `text`: [UTF-8 encode](https://encoding.spec.whatwg.org/#utf-8-encode).
///
/// ```
/// assert_eq!(textcodec::hooks::utf_8_encode("é"), b"\xC3\xA9");
/// ```
#[must_use]
pub fn utf_8_encode(text: &str) -> &[u8] {
    text.as_bytes()
}

/// Decodes `bytes`. A byte order mark overrides `encoding` and is removed:
/// [decode](https://encoding.spec.whatwg.org/#decode).
///
/// Requires feature `all-encodings`. In other builds, use [`Encoding::decode_with`] with default options, which can fail.
///
/// ```
/// assert_eq!(textcodec::hooks::decode(b"\xFE\xFF\0a", textcodec::GBK), "a");
/// ```
#[cfg(all(feature = "alloc", feature = "all-encodings"))]
#[must_use]
pub fn decode(bytes: &[u8], encoding: Encoding) -> Cow<'_, str> {
    encoding.decode(bytes).text
}

/// Returns the encoding of a byte order mark: [BOM sniff](https://encoding.spec.whatwg.org/#bom-sniff).
///
/// ```
/// assert_eq!(textcodec::hooks::bom_sniff(b"\xFF\xFE"), Some(textcodec::UTF_16LE));
/// ```
#[must_use]
pub fn bom_sniff(bytes: &[u8]) -> Option<Encoding> {
    Encoding::for_bom(bytes).map(|(encoding, _)| encoding)
}

/// Encodes `text`, with error mode "html": [encode](https://encoding.spec.whatwg.org/#encode).
///
/// # Errors
/// Returns [`EncodeError::NoEncoder`] if `encoding` is `replacement`, UTF-16BE or UTF-16LE. The standard asserts that it is
/// not: call [`get_an_output_encoding`] first. Returns [`EncodeError::Unavailable`] if this build has no encoder.
///
/// ```
/// assert_eq!(*textcodec::hooks::encode("é字", textcodec::WINDOWS_1252)?, *b"\xE9&#23383;");
/// # Ok::<(), textcodec::EncodeError>(())
/// ```
#[cfg(feature = "alloc")]
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
/// Returns [`EncodeError::NoEncoder`] if `encoding` is `replacement`, UTF-16BE or UTF-16LE. The standard asserts that it is
/// not: call [`get_an_output_encoding`] first. Returns [`EncodeError::Unavailable`] if this build has no encoder.
///
/// ```
/// assert!(textcodec::hooks::get_an_encoder(textcodec::UTF_16LE).is_err());
/// ```
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
/// `encoder` is usually from [`get_an_encoder`]. For any other one, its setting for unmappable characters is ignored.
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
pub fn encode_or_fail(queue: &mut &str, encoder: &mut Encoder, output: &mut Vec<u8>) -> Option<char> {
    let fatal = EncodePolicy { unmappable: Unmappable::Pause, for_hooks: true };
    let Some((read, error)) = encoder.push_until_error(*queue, output, true, fatal) else {
        *queue = "";
        return None;
    };
    *queue = queue.get(read..).unwrap_or_default();
    match error {
        EncodeError::Unmappable { code_point, .. } => Some(code_point),
        EncodeError::NoEncoder { .. } | EncodeError::Unavailable { .. } => None,
    }
}

fn check_output_encoding(encoding: Encoding) -> Result<(), EncodeError> {
    if encoding.output_encoding() == encoding { Ok(()) } else { Err(EncodeError::NoEncoder { encoding }) }
}
