//! [`Encoding`]: selection of an encoding, and one-shot conversion.

#[cfg(feature = "alloc")]
use alloc::borrow::Cow;
use core::fmt;

use textcodec::{Bom, DecodeOptions};
#[cfg(feature = "alloc")]
use textcodec::{DecodeReason, Malformed, Unmappable};

#[cfg(feature = "alloc")]
use crate::out_of_memory;
use crate::{Decoder, Encoder, REPLACEMENT, UTF_8, statics::reference};

/// One of the 40 encodings of the [standard](https://encoding.spec.whatwg.org/#names-and-labels), always used through a
/// `&'static` reference.
///
/// ```
/// use encoding_rs::{Encoding, SHIFT_JIS, WINDOWS_1252};
///
/// let encoding = Encoding::for_label(b"sjis").unwrap_or(WINDOWS_1252);
/// assert_eq!(encoding, SHIFT_JIS);
/// # #[cfg(feature = "alloc")]
/// assert_eq!(encoding.decode(b"\x93\xFA\x96{").0, "日本");
/// ```
#[derive(PartialEq, Eq, Hash)]
pub struct Encoding(textcodec::Encoding);

impl Encoding {
    pub(crate) const fn new(encoding: textcodec::Encoding) -> Self {
        Self(encoding)
    }

    pub(crate) fn core(&self) -> textcodec::Encoding {
        self.0
    }

    /// Returns the encoding of a label: [get an encoding](https://encoding.spec.whatwg.org/#concept-encoding-get).
    ///
    /// ```
    /// use encoding_rs::{Encoding, WINDOWS_1252};
    ///
    /// assert_eq!(Encoding::for_label(b" Latin1\n"), Some(WINDOWS_1252));
    /// assert_eq!(Encoding::for_label(b"utf-7"), None);
    /// ```
    pub fn for_label(label: &[u8]) -> Option<&'static Self> {
        textcodec::Encoding::for_label(label).map(reference)
    }

    /// Like [`for_label`](Self::for_label), but returns `None` for labels of `replacement`.
    ///
    /// For callers that treat an unknown label as an error. Do not fall back to another encoding, which would be unsafe for
    /// these labels.
    ///
    /// ```
    /// use encoding_rs::{Encoding, REPLACEMENT};
    ///
    /// assert_eq!(Encoding::for_label(b"hz-gb-2312"), Some(REPLACEMENT));
    /// assert_eq!(Encoding::for_label_no_replacement(b"hz-gb-2312"), None);
    /// ```
    pub fn for_label_no_replacement(label: &[u8]) -> Option<&'static Self> {
        Self::for_label(label).filter(|&encoding| encoding != REPLACEMENT)
    }

    /// Returns the encoding of the byte order mark at the start of `buffer`, and the mark's length in bytes:
    /// [BOM sniff](https://encoding.spec.whatwg.org/#bom-sniff). The first three bytes of a stream are enough.
    ///
    /// ```
    /// use encoding_rs::{Encoding, UTF_16LE};
    ///
    /// assert_eq!(Encoding::for_bom(b"\xFF\xFEa\0"), Some((UTF_16LE, 2)));
    /// assert_eq!(Encoding::for_bom(b"abc"), None);
    /// ```
    pub fn for_bom(buffer: &[u8]) -> Option<(&'static Self, usize)> {
        textcodec::Encoding::for_bom(buffer).map(|(encoding, len)| (reference(encoding), len))
    }

    /// Returns the standard's name, in the standard's case.
    ///
    /// ```
    /// assert_eq!(encoding_rs::EUC_KR.name(), "EUC-KR");
    /// ```
    pub fn name(&'static self) -> &'static str {
        self.0.name()
    }

    /// Returns whether the [output encoding](Self::output_encoding) is UTF-8, which can encode every character.
    ///
    /// ```
    /// assert!(encoding_rs::UTF_16LE.can_encode_everything());
    /// assert!(!encoding_rs::GB18030.can_encode_everything());
    /// ```
    pub fn can_encode_everything(&'static self) -> bool {
        self.output_encoding() == UTF_8
    }

    /// Returns whether the bytes 0x00 to 0x7F are ASCII, and ASCII has no other bytes. False for UTF-16, ISO-2022-JP and
    /// `replacement`.
    ///
    /// ```
    /// assert!(encoding_rs::BIG5.is_ascii_compatible());
    /// assert!(!encoding_rs::ISO_2022_JP.is_ascii_compatible());
    /// ```
    pub fn is_ascii_compatible(&'static self) -> bool {
        self.0.is_ascii_compatible()
    }

    /// Returns whether each byte is either one character of the BMP or malformed.
    ///
    /// ```
    /// assert!(encoding_rs::KOI8_U.is_single_byte());
    /// assert!(!encoding_rs::UTF_8.is_single_byte());
    /// ```
    pub fn is_single_byte(&'static self) -> bool {
        self.0.is_single_byte()
    }

    /// Returns UTF-8 for UTF-16BE, UTF-16LE and `replacement`, otherwise this encoding:
    /// [get an output encoding](https://encoding.spec.whatwg.org/#get-an-output-encoding).
    ///
    /// ```
    /// use encoding_rs::{GBK, UTF_8, UTF_16BE};
    ///
    /// assert_eq!(UTF_16BE.output_encoding(), UTF_8);
    /// assert_eq!(GBK.output_encoding(), GBK);
    /// ```
    #[inline]
    pub fn output_encoding(&'static self) -> &'static Self {
        if self.0.output_encoding() == self.0 { self } else { UTF_8 }
    }

    /// Creates a decoder for which a byte order mark overrides this encoding.
    ///
    /// ```
    /// let mut text = String::with_capacity(8);
    /// # #[cfg(feature = "alloc")]
    /// let _ = encoding_rs::UTF_8.new_decoder().decode_to_string(b"\xFE\xFF\0a", &mut text, true);
    /// # #[cfg(feature = "alloc")]
    /// assert_eq!(text, "a");
    /// ```
    #[inline]
    pub fn new_decoder(&'static self) -> Decoder {
        self.decoder(Bom::Sniff)
    }

    /// Creates a decoder that removes this encoding's own byte order mark and decodes any other as text.
    ///
    /// ```
    /// let mut buffer = [0; 4];
    /// let mut decoder = encoding_rs::UTF_16LE.new_decoder_with_bom_removal();
    /// assert_eq!(decoder.decode_to_utf16(b"\xFF\xFEa\0", &mut buffer, true).2, 1);
    /// ```
    #[inline]
    pub fn new_decoder_with_bom_removal(&'static self) -> Decoder {
        self.decoder(Bom::StripOwn)
    }

    /// Creates a decoder that decodes a byte order mark as text.
    ///
    /// ```
    /// let mut buffer = [0; 4];
    /// let mut decoder = encoding_rs::UTF_16LE.new_decoder_without_bom_handling();
    /// assert_eq!(decoder.decode_to_utf16(b"\xFF\xFEa\0", &mut buffer, true).2, 2);
    /// ```
    #[inline]
    pub fn new_decoder_without_bom_handling(&'static self) -> Decoder {
        self.decoder(Bom::Keep)
    }

    #[inline]
    fn decoder(&'static self, bom: Bom) -> Decoder {
        Decoder::new(self.0.decoder_with(DecodeOptions::new().bom(bom)))
    }

    /// Creates an encoder for the [output encoding](Self::output_encoding).
    ///
    /// ```
    /// assert_eq!(encoding_rs::UTF_16LE.new_encoder().encoding(), encoding_rs::UTF_8);
    /// ```
    #[inline]
    pub fn new_encoder(&'static self) -> Encoder {
        Encoder::new(self.output_encoding())
    }

    /// Returns the offset of the first malformed or incomplete sequence of UTF-8, or the length if there is none.
    ///
    /// ```
    /// assert_eq!(encoding_rs::Encoding::utf8_valid_up_to(b"caf\xC3\xA9\xFF"), 5);
    /// ```
    pub fn utf8_valid_up_to(bytes: &[u8]) -> usize {
        textcodec::utf::utf8_valid_up_to(bytes)
    }

    /// Returns the offset of the first byte that is not ASCII, or the length if there is none.
    ///
    /// ```
    /// assert_eq!(encoding_rs::Encoding::ascii_valid_up_to(b"caf\xC3\xA9"), 3);
    /// ```
    pub fn ascii_valid_up_to(bytes: &[u8]) -> usize {
        textcodec::utf::ascii_valid_up_to(bytes)
    }

    /// Returns the offset of the first byte that is not text in ISO-2022-JP's ASCII state, or the length if there is none. Text
    /// is ASCII without the bytes 0x0E, 0x0F and 0x1B.
    ///
    /// ```
    /// assert_eq!(encoding_rs::Encoding::iso_2022_jp_ascii_valid_up_to(b"abc\x1B$B"), 3);
    /// ```
    pub fn iso_2022_jp_ascii_valid_up_to(bytes: &[u8]) -> usize {
        let ascii = Self::ascii_valid_up_to(bytes);
        bytes[..ascii].iter().position(|byte| matches!(byte, 0x0E | 0x0F | 0x1B)).unwrap_or(ascii)
    }

    /// Returns the length of the prefix that decodes to the characters U+0000 to U+00FF of the same values.
    pub(crate) fn latin1_byte_compatible_up_to(&'static self, bytes: &[u8]) -> usize {
        if self.0 == textcodec::ISO_2022_JP {
            return Self::iso_2022_jp_ascii_valid_up_to(bytes);
        }
        let mut compatible = Self::ascii_valid_up_to(bytes);
        if self.0.is_single_byte() {
            let mut decoder = self.decoder(Bom::Keep);
            let mut units = [0; 64];
            while let Some(chunk) = bytes.get(compatible..).filter(|rest| !rest.is_empty()) {
                let chunk = &chunk[..chunk.len().min(units.len())];
                let (_, _, written, _) = decoder.decode_to_utf16(chunk, &mut units, false);
                let same = |&(&unit, &byte): &(&u16, &u8)| unit == u16::from(byte);
                let run = units[..written].iter().zip(chunk).take_while(same).count();
                compatible += run;
                if run < chunk.len() {
                    break;
                }
            }
        }
        compatible
    }
}

#[cfg(feature = "alloc")]
impl Encoding {
    /// Decodes a whole input. A byte order mark overrides the encoding and is removed, malformed sequences become U+FFFD.
    ///
    /// Returns the text, the encoding used, and whether anything was malformed:
    /// [decode](https://encoding.spec.whatwg.org/#decode). Borrows if the text has the same bytes.
    ///
    /// ```
    /// use encoding_rs::{EUC_JP, UTF_8};
    ///
    /// let (text, encoding, had_errors) = EUC_JP.decode(b"\xEF\xBB\xBFa\xFF");
    /// assert_eq!((&*text, encoding, had_errors), ("a\u{FFFD}", UTF_8, true));
    /// ```
    pub fn decode<'a>(&'static self, bytes: &'a [u8]) -> (Cow<'a, str>, &'static Self, bool) {
        let decoded = self.0.decode(bytes);
        (decoded.text, reference(decoded.encoding), !decoded.errors.is_empty())
    }

    /// Like [`decode`](Self::decode), but only removes this encoding's own byte order mark.
    ///
    /// ```
    /// use encoding_rs::{UTF_8, WINDOWS_1252};
    ///
    /// assert_eq!(UTF_8.decode_with_bom_removal(b"\xEF\xBB\xBFa").0, "a");
    /// assert_eq!(WINDOWS_1252.decode_with_bom_removal(b"\xEF\xBB\xBFa").0, "ï»¿a");
    /// ```
    pub fn decode_with_bom_removal<'a>(&'static self, bytes: &'a [u8]) -> (Cow<'a, str>, bool) {
        self.replacing(bytes, Bom::StripOwn)
    }

    /// Like [`decode`](Self::decode), but decodes a byte order mark as text.
    ///
    /// ```
    /// assert_eq!(encoding_rs::UTF_8.decode_without_bom_handling(b"\xEF\xBB\xBFa").0, "\u{FEFF}a");
    /// ```
    pub fn decode_without_bom_handling<'a>(&'static self, bytes: &'a [u8]) -> (Cow<'a, str>, bool) {
        self.replacing(bytes, Bom::Keep)
    }

    fn replacing<'a>(&'static self, bytes: &'a [u8], bom: Bom) -> (Cow<'a, str>, bool) {
        let decoded = self.0.decode_with(bytes, DecodeOptions::new().bom(bom));
        // Every encoding is in this build, and malformed sequences are replaced.
        let decoded = decoded.unwrap_or_else(|_| out_of_memory(bytes.len()));
        (decoded.text, !decoded.errors.is_empty())
    }

    /// Like [`decode`](Self::decode), but decodes a byte order mark as text and returns `None` if anything is malformed.
    ///
    /// ```
    /// use encoding_rs::SHIFT_JIS;
    ///
    /// let strict = |bytes| SHIFT_JIS.decode_without_bom_handling_and_without_replacement(bytes);
    /// assert_eq!(strict(b"\x93\xFA").as_deref(), Some("日"));
    /// assert_eq!(strict(b"\x93"), None);
    /// ```
    pub fn decode_without_bom_handling_and_without_replacement<'a>(
        &'static self,
        bytes: &'a [u8],
    ) -> Option<Cow<'a, str>> {
        let options = DecodeOptions::new().bom(Bom::Keep).malformed(Malformed::Fail);
        match self.0.decode_with(bytes, options) {
            Ok(decoded) => Some(decoded.text),
            Err(error) if error.reason() == DecodeReason::OutOfMemory => out_of_memory(bytes.len()),
            Err(_) => None,
        }
    }

    /// Encodes text to the [output encoding](Self::output_encoding), with `&#…;` for unmappable characters.
    ///
    /// Returns the bytes, the output encoding, and whether anything was unmappable:
    /// [encode](https://encoding.spec.whatwg.org/#encode). Borrows if the bytes are the same.
    ///
    /// ```
    /// let (bytes, _, had_unmappables) = encoding_rs::WINDOWS_1252.encode("é 字");
    /// assert_eq!((&*bytes, had_unmappables), (&b"\xE9 &#23383;"[..], true));
    /// ```
    pub fn encode<'a>(&'static self, string: &'a str) -> (Cow<'a, [u8]>, &'static Self, bool) {
        let output = self.output_encoding();
        let (bytes, had_unmappables) = output.with_references(string);
        (bytes, output, had_unmappables)
    }

    fn with_references<'a>(&'static self, string: &'a str) -> (Cow<'a, [u8]>, bool) {
        let encoded = self.0.encode_with(string, Unmappable::Html);
        // Every output encoding has an encoder, and unmappable characters are replaced.
        let encoded = encoded.unwrap_or_else(|_| out_of_memory(string.len()));
        (encoded.bytes, !encoded.errors.is_empty())
    }
}

impl fmt::Debug for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoding").field("name", &self.0.name()).finish_non_exhaustive()
    }
}

/// Serialises an encoding as its name. Deserialises any label.
#[cfg(feature = "serde")]
mod serde {
    use core::fmt;

    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

    use super::Encoding;

    impl Serialize for Encoding {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_str(self.0.name())
        }
    }

    impl<'de> Deserialize<'de> for &'static Encoding {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_str(Label)
        }
    }

    struct Label;

    impl de::Visitor<'_> for Label {
        type Value = &'static Encoding;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a label of the Encoding Standard")
        }

        fn visit_str<E: de::Error>(self, label: &str) -> Result<Self::Value, E> {
            Encoding::for_label(label.as_bytes()).ok_or_else(|| E::invalid_value(de::Unexpected::Str(label), &self))
        }
    }
}
