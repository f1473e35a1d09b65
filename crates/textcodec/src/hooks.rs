//! Section 6 of the standard, for those who implement other standards: the algorithms by their names.
//!
//! Everywhere else the methods of [`Encoding`] are what to use: they report what these pass over.
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

/// [Get an encoding](https://encoding.spec.whatwg.org/#concept-encoding-get) from a label.
///
/// ```
/// assert_eq!(textcodec::hooks::get_an_encoding("big5-hkscs"), Some(textcodec::BIG5));
/// ```
#[must_use]
pub fn get_an_encoding(label: &str) -> Option<Encoding> {
    Encoding::for_label(label)
}

/// [Get an output encoding](https://encoding.spec.whatwg.org/#get-an-output-encoding).
///
/// ```
/// assert_eq!(textcodec::hooks::get_an_output_encoding(textcodec::REPLACEMENT), textcodec::UTF_8);
/// ```
#[must_use]
pub fn get_an_output_encoding(encoding: Encoding) -> Encoding {
    encoding.output_encoding()
}

/// [UTF-8 decode](https://encoding.spec.whatwg.org/#utf-8-decode): a byte order mark of UTF-8 is removed.
///
/// ```
/// assert_eq!(textcodec::hooks::utf_8_decode(b"\xEF\xBB\xBFa\xFF"), "a\u{FFFD}");
/// ```
#[cfg(feature = "alloc")]
#[must_use]
pub fn utf_8_decode(bytes: &[u8]) -> Cow<'_, str> {
    UTF_8.decode_replacing(bytes, Bom::StripOwn, || Decoder::utf_8(DecodeOptions::new().bom(Bom::StripOwn))).text
}

/// [UTF-8 decode without BOM](https://encoding.spec.whatwg.org/#utf-8-decode-without-bom): a byte order mark is U+FEFF.
///
/// ```
/// assert_eq!(textcodec::hooks::utf_8_decode_without_bom(b"\xEF\xBB\xBFa"), "\u{FEFF}a");
/// ```
#[cfg(feature = "alloc")]
#[must_use]
pub fn utf_8_decode_without_bom(bytes: &[u8]) -> Cow<'_, str> {
    UTF_8.decode_replacing(bytes, Bom::Keep, || Decoder::utf_8(DecodeOptions::new().bom(Bom::Keep))).text
}

/// [UTF-8 decode without BOM or fail](https://encoding.spec.whatwg.org/#utf-8-decode-without-bom-or-fail); none is failure.
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

/// [UTF-8 encode](https://encoding.spec.whatwg.org/#utf-8-encode).
///
/// ```
/// assert_eq!(textcodec::hooks::utf_8_encode("é"), b"\xC3\xA9");
/// ```
#[must_use]
pub fn utf_8_encode(text: &str) -> &[u8] {
    text.as_bytes()
}

/// [Decode](https://encoding.spec.whatwg.org/#decode): a byte order mark wins over `encoding` and is removed.
///
/// With feature `all-encodings`; without it, [`Encoding::decode_with`] and no options do the same, or give an error.
///
/// ```
/// assert_eq!(textcodec::hooks::decode(b"\xFE\xFF\0a", textcodec::GBK), "a");
/// ```
#[cfg(all(feature = "alloc", feature = "all-encodings"))]
#[must_use]
pub fn decode(bytes: &[u8], encoding: Encoding) -> Cow<'_, str> {
    encoding.decode(bytes).text
}

/// [BOM sniff](https://encoding.spec.whatwg.org/#bom-sniff).
///
/// ```
/// assert_eq!(textcodec::hooks::bom_sniff(b"\xFF\xFE"), Some(textcodec::UTF_16LE));
/// ```
#[must_use]
pub fn bom_sniff(bytes: &[u8]) -> Option<Encoding> {
    Encoding::for_bom(bytes).map(|(encoding, _)| encoding)
}

/// [Encode](https://encoding.spec.whatwg.org/#encode), with error mode "html".
///
/// # Errors
/// [`EncodeError::NoEncoder`] where the standard asserts that `encoding` is none of replacement, UTF-16BE and UTF-16LE:
/// [`get_an_output_encoding`] comes first. [`EncodeError::Unavailable`] where this build has no encoder.
///
/// ```
/// assert_eq!(*textcodec::hooks::encode("é字", textcodec::WINDOWS_1252)?, *b"\xE9&#23383;");
/// # Ok::<(), textcodec::EncodeError>(())
/// ```
#[cfg(feature = "alloc")]
pub fn encode(text: &str, encoding: Encoding) -> Result<Cow<'_, [u8]>, EncodeError> {
    is_for_output(encoding)?;
    Ok(encoding.encode_with(text, Unmappable::Html)?.bytes)
}

/// [Get an encoder](https://encoding.spec.whatwg.org/#get-an-encoder), for `encode_or_fail`. It stops at each unmappable character,
/// as one with [`Unmappable::Report`], but where the standard does: ISO-2022-JP is in a state in which
/// the caller may write ASCII for the character into the output.
///
/// # Errors
/// [`EncodeError::NoEncoder`] where the standard asserts that `encoding` is none of replacement, UTF-16BE and UTF-16LE:
/// [`get_an_output_encoding`] comes first. [`EncodeError::Unavailable`] where this build has no encoder.
///
/// ```
/// assert!(textcodec::hooks::get_an_encoder(textcodec::UTF_16LE).is_err());
/// ```
pub fn get_an_encoder(encoding: Encoding) -> Result<Encoder, EncodeError> {
    is_for_output(encoding)?;
    Encoder::for_hooks(encoding)
}

/// [Encode or fail](https://encoding.spec.whatwg.org/#encode-or-fail): encodes to the end of `queue`, or up to a code point
/// that the encoding cannot represent, which is returned. `queue` is what is left; call again with it, the same encoder and
/// a new output, until the answer is none.
///
/// `encoder` comes from [`get_an_encoder`]; what another one does about unmappable characters does not matter here.
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
    let fatal = EncodePolicy { unmappable: Unmappable::Report, for_hooks: true };
    let Some((read, error)) = encoder.grow_to_stop(*queue, output, true, fatal) else {
        *queue = "";
        return None;
    };
    *queue = queue.get(read..).unwrap_or_default();
    match error {
        EncodeError::Unmappable { code_point, .. } => Some(code_point),
        EncodeError::NoEncoder { .. } | EncodeError::Unavailable { .. } => None,
    }
}

fn is_for_output(encoding: Encoding) -> Result<(), EncodeError> {
    if encoding.output_encoding() == encoding { Ok(()) } else { Err(EncodeError::NoEncoder { encoding }) }
}
