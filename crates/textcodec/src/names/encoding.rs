//! [`Encoding`]: the identity and the properties of an encoding.
//!
//! Over 600 lines because each method has documentation with an example.

use core::{fmt, mem::MaybeUninit, ops::RangeInclusive, str::FromStr};

#[cfg(feature = "oem")]
use crate::beyond::oem;
use crate::names::{
    BIG5, EUC_JP, EUC_KR, GB18030, GBK, ISO_2022_JP, ISO_8859_3, ISO_8859_6, ISO_8859_7, ISO_8859_8, ISO_8859_8_I,
    LATIN1, REPLACEMENT, SHIFT_JIS, US_ASCII, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_874, WINDOWS_1253, WINDOWS_1255,
    WINDOWS_1257, WINDOWS_1258, X_USER_DEFINED,
    encodings::{self, Id},
};
use crate::{
    codec::any::AnyEncoder,
    conversion::{
        Bom, DecodeOptions, Decoder, EncodeOptions, Encoder, Status,
        bom::{self, Verdict},
    },
    names::{UnknownLabel, label},
};

/// An encoding: one of the 40 of the [standard](https://encoding.spec.whatwg.org/#names-and-labels), [`LATIN1`] or
/// [`US_ASCII`], or one of the module `oem`, which needs feature `oem`.
///
/// A value is one byte and `Copy`. There is a constant for each encoding, which can be used in patterns. The order is that of
/// the standard's table.
///
/// ```
/// use textcodec::{Encoding, SHIFT_JIS, WINDOWS_1252};
///
/// let encoding = Encoding::for_label("sjis").unwrap_or(WINDOWS_1252);
/// assert!(matches!(encoding, SHIFT_JIS));
/// assert_eq!(encoding.decode(b"\x93\xFA\x96{").text, "日本");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[doc(alias("charset", "codepage", "iconv"))]
pub struct Encoding(pub(crate) Id);

impl Encoding {
    /// All encodings of the standard, in the order of its table.
    ///
    /// ```
    /// assert_eq!(textcodec::Encoding::ALL.len(), 40);
    /// ```
    pub const ALL: &'static [Self] = encodings::STANDARD;

    /// The encodings that are not in the standard. They have no labels.
    ///
    /// ```
    /// use textcodec::Encoding;
    ///
    /// assert!(Encoding::EXTRA.iter().all(|encoding| encoding.labels().is_empty()));
    /// ```
    pub const EXTRA: &'static [Self] = encodings::EXTRA;

    pub(crate) const fn id(self) -> Id {
        self.0
    }

    /// Returns the encoding of a label: the standard's
    /// [get an encoding](https://encoding.spec.whatwg.org/#concept-encoding-get).
    ///
    /// Ignores ASCII case and surrounding ASCII white space. Otherwise the label must match exactly. See
    /// [`Alias`](crate::Alias) for names outside the standard.
    ///
    /// ```
    /// use textcodec::{Encoding, UTF_16LE, WINDOWS_1252};
    ///
    /// assert_eq!(Encoding::for_label(" Latin1\n"), Some(WINDOWS_1252));
    /// assert_eq!(Encoding::for_label(b"utf-16"), Some(UTF_16LE));
    /// assert_eq!(Encoding::for_label("utf-7"), None);
    /// ```
    #[must_use]
    #[doc(alias("for_name", "get an encoding", "for_label_no_replacement"))]
    pub fn for_label(label: impl AsRef<[u8]>) -> Option<Self> {
        label::get(label.as_ref())
    }

    /// Returns the encoding of a byte order mark at the start of `bytes`, and the length of the mark in bytes: the standard's
    /// [BOM sniff](https://encoding.spec.whatwg.org/#bom-sniff).
    ///
    /// ```
    /// use textcodec::{Encoding, UTF_8};
    ///
    /// assert_eq!(Encoding::for_bom(b"\xEF\xBB\xBFabc"), Some((UTF_8, 3)));
    /// assert_eq!(Encoding::for_bom(b"abc"), None);
    /// ```
    #[must_use]
    #[doc(alias("bom_sniff"))]
    pub fn for_bom(bytes: &[u8]) -> Option<(Self, usize)> {
        match bom::sniff(Bom::Sniff, UTF_8, bytes, true) {
            Verdict::Found(encoding, len) => Some((encoding, len)),
            Verdict::None | Verdict::Undecided => None,
        }
    }

    /// Returns the name, in the spelling of the standard.
    ///
    /// [`FromStr`] leads back from each name to its encoding. [`for_label`](Self::for_label) does so only for the encodings of the
    /// standard: the names of [`LATIN1`] and [`US_ASCII`] are labels of windows-1252.
    ///
    /// ```
    /// assert_eq!(textcodec::SHIFT_JIS.name(), "Shift_JIS");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        #[cfg(feature = "oem")]
        if let Some(name) = oem::name(self) {
            return name;
        }
        match self.0 {
            Id::Latin1 => "ISO-8859-1",
            Id::UsAscii => "US-ASCII",
            #[cfg(feature = "oem")]
            Id::Custom => "custom",
            id => label::name(id),
        }
    }

    /// Returns the labels, in the order of the standard. Empty for [`EXTRA`](Self::EXTRA).
    ///
    /// ```
    /// assert_eq!(textcodec::EUC_JP.labels(), ["cseucpkdfmtjapanese", "euc-jp", "x-euc-jp"]);
    /// ```
    #[must_use]
    pub const fn labels(self) -> &'static [&'static str] {
        label::labels(self.0)
    }

    /// Returns the encoding for output, such as URLs and forms, of a page in this encoding: the standard's
    /// [get an output encoding](https://encoding.spec.whatwg.org/#get-an-output-encoding).
    ///
    /// This is UTF-8 for `replacement`, UTF-16BE and UTF-16LE, and the encoding itself for all others.
    ///
    /// ```
    /// use textcodec::{GBK, UTF_8, UTF_16LE};
    ///
    /// assert_eq!(UTF_16LE.output_encoding(), UTF_8);
    /// assert_eq!(GBK.output_encoding(), GBK);
    /// ```
    #[must_use]
    #[doc(alias("get_an_output_encoding"))]
    pub const fn output_encoding(self) -> Self {
        if self.is_rare() && !self.is_ascii_compatible() {
            return UTF_8;
        }
        match self {
            REPLACEMENT | UTF_16BE | UTF_16LE => UTF_8,
            other => other,
        }
    }

    /// Returns whether every byte is a whole character or malformed by itself.
    ///
    /// ```
    /// assert!(textcodec::KOI8_U.is_single_byte());
    /// assert!(!textcodec::UTF_8.is_single_byte());
    /// ```
    #[must_use]
    pub const fn is_single_byte(self) -> bool {
        #[cfg(feature = "oem")]
        if self.0 as u8 >= Id::Custom as u8 {
            return self.rare().is_none();
        }
        let id = self.0 as u8;
        (Id::Ibm866 as u8 <= id && id <= Id::XMacCyrillic as u8) || matches!(self, X_USER_DEFINED | LATIN1 | US_ASCII)
    }

    /// Whether it is a single-byte code page of Windows.
    pub(crate) fn is_windows_single_byte(self) -> bool {
        #[cfg(feature = "oem")]
        if self == oem::DOS_720 {
            return true;
        }
        (WINDOWS_874..=WINDOWS_1258).contains(&self)
    }

    /// Returns whether ASCII text encodes to the same bytes, and ASCII bytes at the start of an input decode to the same text.
    ///
    /// This is false for UTF-16BE, UTF-16LE, ISO-2022-JP and `replacement`.
    ///
    /// ```
    /// assert!(textcodec::BIG5.is_ascii_compatible());
    /// assert!(!textcodec::UTF_16BE.is_ascii_compatible());
    /// ```
    #[inline]
    #[must_use]
    pub const fn is_ascii_compatible(self) -> bool {
        #[cfg(feature = "oem")]
        if let Id::Custom = self.0 {
            return false;
        }
        #[cfg(feature = "oem")]
        if let Some(page) = oem::page(self) {
            return textcodec_oem::is_ascii_compatible(page);
        }
        #[cfg(feature = "oem")]
        if let Some(kind) = self.rare() {
            return kind.is_ascii_compatible();
        }
        !matches!(self, UTF_16BE | UTF_16LE | ISO_2022_JP | REPLACEMENT)
    }

    /// Returns whether a browser should let a user override the encoding of a page by this one, and that of a page in this
    /// encoding by another one ([section 15](https://encoding.spec.whatwg.org/#browser-ui)).
    ///
    /// This is false for UTF-16BE and UTF-16LE, which would be unsafe.
    ///
    /// ```
    /// assert!(textcodec::WINDOWS_1252.allows_override() && !textcodec::UTF_16LE.allows_override());
    /// ```
    #[must_use]
    pub const fn allows_override(self) -> bool {
        #[cfg(feature = "oem")]
        if self.0 as u8 >= Id::Custom as u8 {
            return self.is_ascii_compatible() && !self.is_rare();
        }
        !matches!(self, UTF_16BE | UTF_16LE)
    }

    /// Returns whether every sequence of bytes decodes without an error.
    ///
    /// So [`decode_strict`](Self::decode_strict) never fails, and success says nothing about whether the text is in this
    /// encoding. This is true for 20 single-byte encodings of the standard, among them windows-1252, and for [`LATIN1`]. Some of
    /// them map bytes that Microsoft's code page does not assign to controls: see [`DecodeOptions::reject_unassigned`].
    ///
    /// ```
    /// use textcodec::{UTF_8, WINDOWS_1252, WINDOWS_1253};
    ///
    /// assert!(WINDOWS_1252.is_total() && !WINDOWS_1253.is_total() && !UTF_8.is_total());
    /// ```
    #[must_use]
    pub const fn is_total(self) -> bool {
        #[cfg(feature = "oem")]
        if let Id::Custom = self.0 {
            return false;
        }
        #[cfg(feature = "oem")]
        if let Some(page) = oem::page(self) {
            return textcodec_oem::is_total(page);
        }
        self.is_single_byte()
            && !matches!(
                self,
                ISO_8859_3
                    | ISO_8859_6
                    | ISO_8859_7
                    | ISO_8859_8
                    | ISO_8859_8_I
                    | WINDOWS_874
                    | WINDOWS_1253
                    | WINDOWS_1255
                    | WINDOWS_1257
                    | US_ASCII
            )
    }

    /// Returns the Cargo feature that a build needs to decode the encoding: `single-byte`, `japanese`, `korean` or `chinese`.
    ///
    /// Returns `None` for UTF-8, UTF-16BE, UTF-16LE, `replacement`, x-user-defined and [`EXTRA`](Self::EXTRA), which every build
    /// has. Encoders need feature `encoders`, too.
    ///
    /// ```
    /// use textcodec::{SHIFT_JIS, UTF_8};
    ///
    /// assert_eq!((SHIFT_JIS.feature(), UTF_8.feature()), (Some("japanese"), None));
    /// ```
    #[must_use]
    pub const fn feature(self) -> Option<&'static str> {
        #[cfg(feature = "oem")]
        if self.0 as u8 >= Id::Custom as u8 {
            return Some("oem");
        }
        Some(match self {
            GBK | GB18030 | BIG5 => "chinese",
            EUC_JP | ISO_2022_JP | SHIFT_JIS => "japanese",
            EUC_KR => "korean",
            UTF_8 | UTF_16BE | UTF_16LE | REPLACEMENT | X_USER_DEFINED | LATIN1 | US_ASCII => return None,
            _ => "single-byte",
        })
    }

    /// Returns whether this build can decode the encoding.
    ///
    /// Most encodings need a Cargo [`feature`](Self::feature). Names and labels are available in every build.
    ///
    /// ```
    /// use textcodec::{Encoding, SHIFT_JIS, UTF_8};
    ///
    /// assert!(UTF_8.is_available());
    /// assert_eq!(SHIFT_JIS.is_available(), SHIFT_JIS.decode_strict(b"").is_ok());
    /// // The encodings to offer to a user:
    /// let available = Encoding::ALL.iter().filter(|encoding| encoding.is_available());
    /// assert!(available.count() >= 5);
    /// ```
    #[must_use]
    pub const fn is_available(self) -> bool {
        #[cfg(feature = "oem")]
        if self.0 as u8 >= Id::Custom as u8 {
            return !matches!(self.0, Id::Custom);
        }
        match self {
            GBK | GB18030 | BIG5 => cfg!(feature = "chinese"),
            EUC_JP | ISO_2022_JP | SHIFT_JIS => cfg!(feature = "japanese"),
            EUC_KR => cfg!(feature = "korean"),
            _ => self.feature().is_none() || cfg!(feature = "single-byte"),
        }
    }

    /// Returns whether this build can encode to the encoding.
    ///
    /// The encoding must be [available](Self::is_available). Encodings that need a Cargo feature also need feature `encoders`.
    /// `replacement` never has an encoder.
    ///
    /// ```
    /// use textcodec::{BIG5, REPLACEMENT, UTF_16LE};
    ///
    /// assert!(UTF_16LE.has_encoder());
    /// assert_eq!(BIG5.has_encoder(), BIG5.encode("").is_ok());
    /// assert!(!REPLACEMENT.has_encoder());
    /// ```
    #[must_use]
    pub const fn has_encoder(self) -> bool {
        let needs_feature = self.feature().is_some();
        self.is_available() && (cfg!(feature = "encoders") || !needs_feature) && !matches!(self, REPLACEMENT)
    }

    /// Returns whether the encoding can represent a character. Returns false if there [is no encoder](Self::has_encoder).
    ///
    /// Some of these characters do not round-trip:
    /// * half-width katakana in ISO-2022-JP to full-width katakana,
    /// * the yen sign and the overline in Shift_JIS and EUC-JP to ASCII,
    /// * U+2212 in all three to U+FF0D,
    /// * 18 private-use characters in GBK and gb18030 to those that have replaced them, such as U+E81E to U+9FB4.
    ///
    /// ```
    /// assert!(textcodec::WINDOWS_1252.can_encode('€'));
    /// assert!(!textcodec::WINDOWS_1252.can_encode('字'));
    /// ```
    #[must_use]
    #[doc(alias("can_encode_everything"))]
    #[cfg_attr(textcodec_small, inline(never))]
    pub fn can_encode(self, character: char) -> bool {
        AnyEncoder::new(self).is_ok_and(|mut encoder| encoder.can_encode(character))
    }

    /// Returns the first of `candidates` that can represent all of `text`, or `None` if none can.
    ///
    /// For example, to send mail in the smallest charset that suffices.
    ///
    /// ```
    /// use textcodec::{Encoding, ISO_8859_2, US_ASCII, UTF_8, WINDOWS_1252};
    ///
    /// let smallest = |text| Encoding::first_that_encodes(&[US_ASCII, WINDOWS_1252, ISO_8859_2, UTF_8], text);
    /// assert_eq!(smallest("plain"), Some(US_ASCII));
    /// assert_eq!(smallest("Łódź"), Some(ISO_8859_2));
    /// assert_eq!(smallest("Łódź 😀"), Some(UTF_8));
    /// ```
    #[must_use]
    pub fn first_that_encodes(candidates: &[Self], text: &str) -> Option<Self> {
        candidates.iter().copied().find(|encoding| encoding.encodes(text))
    }

    /// Whether the encoding can represent all of `text`.
    fn encodes(self, text: &str) -> bool {
        let mut encoder = self.encoder();
        let (mut rest, mut buffer) = (text, [const { MaybeUninit::uninit() }; 1024]);
        loop {
            let progress = encoder.encode_from_utf8(rest, &mut buffer, true);
            rest = &rest[progress.read..];
            match progress.status {
                Status::InputEmpty => return true,
                Status::OutputFull => {}
                Status::Error(_) => return false,
            }
        }
    }

    /// Returns all characters that the encoding [can represent](Self::can_encode), as ascending ranges. Empty if there
    /// [is no encoder](Self::has_encoder).
    ///
    /// The iterator tries every scalar value. If you need the ranges again, collect them.
    ///
    /// ```
    /// let cyrillic = textcodec::ISO_8859_5.repertoire().flatten().filter(|c| ('а'..='я').contains(c));
    /// assert_eq!(cyrillic.count(), 32);
    /// ```
    pub fn repertoire(self) -> impl Iterator<Item = RangeInclusive<char>> {
        let mut rest = '\0'..=char::MAX;
        core::iter::from_fn(move || {
            let first = rest.find(|&c| self.can_encode(c))?;
            let mut last = first;
            for c in rest.by_ref() {
                if !self.can_encode(c) {
                    break;
                }
                last = c;
            }
            Some(first..=last)
        })
    }

    /// Creates a decoder that behaves like browsers: a byte order mark overrides the encoding and is removed, and malformed
    /// sequences become U+FFFD.
    ///
    /// In a build that [lacks the encoding](Self::is_available), every call of the decoder returns
    /// [`DecodeReason::Unavailable`](crate::DecodeReason::Unavailable), with any options. For a code page of feature `oem` whose table
    /// does not fit into memory, it is [`DecodeReason::OutOfMemory`](crate::DecodeReason::OutOfMemory).
    ///
    /// ```
    /// let mut text = String::new();
    /// let mut decoder = textcodec::SHIFT_JIS.decoder();
    /// decoder.push(b"\x93\xFA", &mut text)?;
    /// decoder.finish(&mut text)?;
    /// assert_eq!(text, "日");
    /// # Ok::<(), textcodec::DecodeError>(())
    /// ```
    #[must_use]
    #[doc(alias("new_decoder"))]
    #[inline]
    pub fn decoder(self) -> Decoder {
        self.decoder_with(DecodeOptions::new())
    }

    /// Creates a decoder with options. See [`decoder`](Self::decoder).
    ///
    /// ```
    /// use textcodec::{Malformed, UTF_8};
    ///
    /// let mut decoder = UTF_8.decoder_with(Malformed::Fail);
    /// assert!(decoder.push(b"\xC0", &mut String::new()).is_err());
    /// ```
    #[must_use]
    #[doc(alias("new_decoder_with_bom_removal", "new_decoder_without_bom_handling"))]
    #[inline]
    pub fn decoder_with(self, options: impl Into<DecodeOptions>) -> Decoder {
        Decoder::new(self, options.into())
    }

    /// Creates an encoder that stops at the first unmappable character, and writes no byte order mark.
    ///
    /// UTF-16LE and UTF-16BE encode to UTF-16. If there [is no encoder](Self::has_encoder), every call of it returns
    /// [`EncodeReason::NoEncoder`](crate::EncodeReason::NoEncoder) or
    /// [`EncodeReason::Unavailable`](crate::EncodeReason::Unavailable), with any options. For a code page of feature `oem` whose table
    /// does not fit into memory, it is [`EncodeReason::OutOfMemory`](crate::EncodeReason::OutOfMemory).
    ///
    /// ```
    /// let mut bytes = Vec::new();
    /// let mut encoder = textcodec::UTF_16LE.encoder();
    /// encoder.push("a", &mut bytes)?;
    /// assert_eq!(bytes, b"a\0");
    /// assert!(textcodec::REPLACEMENT.encoder().push("a", &mut bytes).is_err());
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    #[must_use]
    #[doc(alias("new_encoder"))]
    #[inline]
    pub fn encoder(self) -> Encoder {
        Encoder::new(self, EncodeOptions::new())
    }

    /// Creates an encoder with options. See [`encoder`](Self::encoder).
    ///
    /// ```
    /// use textcodec::{EncodeOptions, ISO_8859_2, UTF_16LE, Unmappable};
    ///
    /// let mut bytes = Vec::new();
    /// ISO_8859_2.encoder_with(Unmappable::Html).push("ř ж", &mut bytes)?;
    /// assert_eq!(bytes, b"\xF8 &#1078;");
    ///
    /// bytes.clear();
    /// UTF_16LE.encoder_with(EncodeOptions::new().bom(true)).push("a", &mut bytes)?;
    /// assert_eq!(bytes, b"\xFF\xFEa\0");
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn encoder_with(self, options: impl Into<EncodeOptions>) -> Encoder {
        Encoder::new(self, options.into())
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Encoding {
    /// Whether it is an encoding of `codec::rare`.
    #[cfg(feature = "oem")]
    pub(crate) const fn is_rare(self) -> bool {
        self.rare().is_some()
    }

    #[cfg(not(feature = "oem"))]
    #[expect(clippy::unused_self, reason = "as with the feature")]
    pub(crate) const fn is_rare(self) -> bool {
        false
    }

    /// Whether its encoder writes a header before any text.
    pub(crate) const fn has_header(self) -> bool {
        #[cfg(feature = "oem")]
        if let Some(kind) = self.rare() {
            return !kind.header().is_empty();
        }
        let Self(_) = self;
        false
    }
}

impl FromStr for Encoding {
    type Err = UnknownLabel;

    /// Returns the encoding of a name, as [`name`](Self::name) returns it, or else of a label, like
    /// [`for_label`](Self::for_label).
    ///
    /// These two agree, except for the names of [`EXTRA`](Self::EXTRA) in exactly their spelling: `ISO-8859-1` is
    /// [`LATIN1`] here, and a label of windows-1252 in [`for_label`](Self::for_label). So this reads back what `Display` and
    /// serde have written. For labels in documents and protocols, use `for_label`.
    ///
    /// # Errors
    /// Returns [`UnknownLabel`] if the string is neither.
    ///
    /// ```
    /// use textcodec::{Encoding, LATIN1, WINDOWS_1252};
    ///
    /// assert_eq!("latin1".parse::<Encoding>()?, WINDOWS_1252);
    /// assert_eq!(LATIN1.name().parse::<Encoding>()?, LATIN1);
    /// # Ok::<(), textcodec::UnknownLabel>(())
    /// ```
    fn from_str(label: &str) -> Result<Self, UnknownLabel> {
        let extra = Self::EXTRA.iter().copied().find(|encoding| encoding.name() == label);
        let found = extra.or_else(|| Self::for_label(label));
        #[cfg(feature = "oem")]
        let found = found.or_else(|| oem::ALL.iter().copied().find(|encoding| encoding.name() == label));
        found.ok_or_else(|| UnknownLabel::new(label))
    }
}

/// Serializes an encoding as its name. Deserializes names and labels, like [`Encoding::from_str`].
#[cfg(feature = "serde")]
mod serde {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

    use super::Encoding;

    impl Serialize for Encoding {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_str(self.name())
        }
    }

    impl<'de> Deserialize<'de> for Encoding {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_str(Label)
        }
    }

    struct Label;

    impl de::Visitor<'_> for Label {
        type Value = Encoding;

        fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
            f.write_str("the name or a label of an encoding")
        }

        fn visit_str<E: de::Error>(self, label: &str) -> Result<Encoding, E> {
            label.parse().map_err(E::custom)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::any::AnyDecoder;

    #[test]
    fn encoding_and_option_are_one_byte() {
        assert_eq!((size_of::<Encoding>(), size_of::<Option<Encoding>>()), (1, 1));
    }

    #[test]
    fn features_agree_with_the_codecs() {
        for encoding in Encoding::ALL.iter().chain(Encoding::EXTRA) {
            assert_eq!(encoding.is_available(), AnyDecoder::new(*encoding).is_ok(), "{encoding}");
            assert_eq!(encoding.has_encoder(), AnyEncoder::new(*encoding).is_ok(), "{encoding}");
        }
    }

    #[test]
    fn ids_are_indexes_into_all() {
        assert!(Encoding::ALL.iter().enumerate().all(|(index, encoding)| encoding.0 as usize == index));
    }
}
