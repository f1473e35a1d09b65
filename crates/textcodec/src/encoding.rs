//! [`Encoding`]: which encoding, and what is known of it without decoding anything.
//!
//! Over 500 lines: each method has an example.

use core::{fmt, ops::RangeInclusive, str::FromStr};

use crate::{
    BIG5, EUC_JP, EUC_KR, GB18030, GBK, IBM866, ISO_2022_JP, ISO_8859_2, ISO_8859_3, ISO_8859_4, ISO_8859_5,
    ISO_8859_6, ISO_8859_7, ISO_8859_8, ISO_8859_8_I, ISO_8859_10, ISO_8859_13, ISO_8859_14, ISO_8859_15, ISO_8859_16,
    ISOMORPHIC, KOI8_R, KOI8_U, MACINTOSH, REPLACEMENT, SHIFT_JIS, STRICT_ASCII, UTF_8, UTF_16BE, UTF_16LE,
    WINDOWS_874, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1254, WINDOWS_1255, WINDOWS_1256,
    WINDOWS_1257, WINDOWS_1258, X_MAC_CYRILLIC, X_USER_DEFINED,
};
use crate::{
    Bom, DecodeError, DecodeOptions, Decoder, EncodeError, Encoder, Unmappable,
    bom::{self, Verdict},
    codec::{
        Encode, EncodeStep,
        any::{AnyDecoder, AnyEncoder, EncodeVisitor},
    },
    label,
};

/// An encoding: one of the 40 of the [standard](https://encoding.spec.whatwg.org/#names-and-labels), or [`ISOMORPHIC`] or
/// [`STRICT_ASCII`].
///
/// One byte, `Copy`, with constants to compare with, also in patterns. The order is that of the standard's table.
///
/// ```
/// use textcodec::{Encoding, SHIFT_JIS, WINDOWS_1252};
///
/// let encoding = Encoding::for_label("sjis").unwrap_or(WINDOWS_1252);
/// assert!(matches!(encoding, SHIFT_JIS));
/// assert_eq!(encoding.decode(b"\x93\xFA\x96{").text, "日本");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Encoding(pub(crate) Id);

/// The places of the encodings in the standard's table, then those of this library's own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub(crate) enum Id {
    Utf8,
    Ibm866,
    Iso8859_2,
    Iso8859_3,
    Iso8859_4,
    Iso8859_5,
    Iso8859_6,
    Iso8859_7,
    Iso8859_8,
    Iso8859_8I,
    Iso8859_10,
    Iso8859_13,
    Iso8859_14,
    Iso8859_15,
    Iso8859_16,
    Koi8R,
    Koi8U,
    Macintosh,
    Windows874,
    Windows1250,
    Windows1251,
    Windows1252,
    Windows1253,
    Windows1254,
    Windows1255,
    Windows1256,
    Windows1257,
    Windows1258,
    XMacCyrillic,
    Gbk,
    Gb18030,
    Big5,
    EucJp,
    Iso2022Jp,
    ShiftJis,
    EucKr,
    Replacement,
    Utf16Be,
    Utf16Le,
    XUserDefined,
    Isomorphic,
    StrictAscii,
}

impl Encoding {
    /// All encodings of the standard, in the order of its table.
    ///
    /// ```
    /// assert_eq!(textcodec::Encoding::ALL.len(), 40);
    /// ```
    pub const ALL: &[Self; 40] = &[
        UTF_8,
        IBM866,
        ISO_8859_2,
        ISO_8859_3,
        ISO_8859_4,
        ISO_8859_5,
        ISO_8859_6,
        ISO_8859_7,
        ISO_8859_8,
        ISO_8859_8_I,
        ISO_8859_10,
        ISO_8859_13,
        ISO_8859_14,
        ISO_8859_15,
        ISO_8859_16,
        KOI8_R,
        KOI8_U,
        MACINTOSH,
        WINDOWS_874,
        WINDOWS_1250,
        WINDOWS_1251,
        WINDOWS_1252,
        WINDOWS_1253,
        WINDOWS_1254,
        WINDOWS_1255,
        WINDOWS_1256,
        WINDOWS_1257,
        WINDOWS_1258,
        X_MAC_CYRILLIC,
        GBK,
        GB18030,
        BIG5,
        EUC_JP,
        ISO_2022_JP,
        SHIFT_JIS,
        EUC_KR,
        REPLACEMENT,
        UTF_16BE,
        UTF_16LE,
        X_USER_DEFINED,
    ];

    /// The encodings that are not the standard's: no label leads to them.
    ///
    /// ```
    /// use textcodec::Encoding;
    ///
    /// assert!(Encoding::EXTRA.iter().all(|encoding| encoding.labels().is_empty()));
    /// ```
    pub const EXTRA: &[Self; 2] = &[ISOMORPHIC, STRICT_ASCII];

    pub(crate) const fn id(self) -> Id {
        self.0
    }

    /// The encoding of a label: [get an encoding](https://encoding.spec.whatwg.org/#concept-encoding-get). ASCII case and
    /// ASCII white space around it do not matter; nothing else is forgiven. See [`Alias`](crate::Alias) for more names.
    ///
    /// ```
    /// use textcodec::{Encoding, UTF_16LE, WINDOWS_1252};
    ///
    /// assert_eq!(Encoding::for_label(" Latin1\n"), Some(WINDOWS_1252));
    /// assert_eq!(Encoding::for_label(b"utf-16"), Some(UTF_16LE));
    /// assert_eq!(Encoding::for_label("utf-7"), None);
    /// ```
    #[must_use]
    pub fn for_label(label: impl AsRef<[u8]>) -> Option<Self> {
        label::get(label.as_ref())
    }

    /// The encoding of the byte order mark at the front of `bytes`, and the mark's length in bytes:
    /// [BOM sniff](https://encoding.spec.whatwg.org/#bom-sniff).
    ///
    /// ```
    /// use textcodec::{Encoding, UTF_8};
    ///
    /// assert_eq!(Encoding::for_bom(b"\xEF\xBB\xBFabc"), Some((UTF_8, 3)));
    /// assert_eq!(Encoding::for_bom(b"abc"), None);
    /// ```
    #[must_use]
    pub fn for_bom(bytes: &[u8]) -> Option<(Self, usize)> {
        match bom::look(Bom::Sniff, UTF_8, bytes, true) {
            Verdict::Found(encoding, len) => Some((encoding, len)),
            Verdict::None | Verdict::Undecided => None,
        }
    }

    /// The name as the standard writes it.
    ///
    /// ```
    /// assert_eq!(textcodec::SHIFT_JIS.name(), "Shift_JIS");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            Id::Isomorphic => "isomorphic",
            Id::StrictAscii => "strict-ascii",
            id => label::name(id),
        }
    }

    /// The standard's labels, in its order. None for [`EXTRA`](Self::EXTRA).
    ///
    /// ```
    /// assert_eq!(textcodec::EUC_JP.labels(), ["cseucpkdfmtjapanese", "euc-jp", "x-euc-jp"]);
    /// ```
    #[must_use]
    pub fn labels(self) -> &'static [&'static str] {
        label::labels(self.0)
    }

    /// [Get an output encoding](https://encoding.spec.whatwg.org/#get-an-output-encoding): UTF-8 for `replacement`, UTF-16BE
    /// and UTF-16LE, which pages on the web must not be sent in; every other encoding itself.
    ///
    /// ```
    /// use textcodec::{GBK, UTF_8, UTF_16LE};
    ///
    /// assert_eq!(UTF_16LE.output_encoding(), UTF_8);
    /// assert_eq!(GBK.output_encoding(), GBK);
    /// ```
    #[must_use]
    pub fn output_encoding(self) -> Self {
        match self {
            REPLACEMENT | UTF_16BE | UTF_16LE => UTF_8,
            other => other,
        }
    }

    /// Whether each byte is one character or malformed.
    ///
    /// ```
    /// assert!(textcodec::KOI8_U.is_single_byte());
    /// assert!(!textcodec::UTF_8.is_single_byte());
    /// ```
    #[must_use]
    pub fn is_single_byte(self) -> bool {
        (IBM866..=X_MAC_CYRILLIC).contains(&self) || matches!(self, X_USER_DEFINED | ISOMORPHIC | STRICT_ASCII)
    }

    /// Whether ASCII text is the same bytes in this encoding, and such bytes at the start of an input are ASCII. Not so for
    /// UTF-16, ISO-2022-JP and `replacement`.
    ///
    /// ```
    /// assert!(textcodec::BIG5.is_ascii_compatible());
    /// assert!(!textcodec::UTF_16BE.is_ascii_compatible());
    /// ```
    #[inline]
    #[must_use]
    pub fn is_ascii_compatible(self) -> bool {
        !matches!(self, UTF_16BE | UTF_16LE | ISO_2022_JP | REPLACEMENT)
    }

    /// Whether a browser should offer this encoding to a user who overrides that of a page
    /// ([section 15](https://encoding.spec.whatwg.org/#browser-ui)): not UTF-16, which would be unsafe.
    ///
    /// ```
    /// assert!(!textcodec::UTF_16LE.may_be_overridden_to());
    /// ```
    #[must_use]
    pub fn may_be_overridden_to(self) -> bool {
        !matches!(self, UTF_16BE | UTF_16LE)
    }

    /// Whether a browser should let a user override the encoding of a page that was decoded with this one
    /// ([section 15](https://encoding.spec.whatwg.org/#browser-ui)): not where it was UTF-16.
    ///
    /// ```
    /// assert!(textcodec::WINDOWS_1252.may_be_overridden());
    /// ```
    #[must_use]
    pub fn may_be_overridden(self) -> bool {
        !matches!(self, UTF_16BE | UTF_16LE)
    }

    /// Whether this build can decode the encoding: its Cargo feature is on (`single-byte`, `japanese`, `korean` or `chinese`), or
    /// it needs none, as UTF-8, UTF-16BE, UTF-16LE, `replacement`, x-user-defined and [`EXTRA`](Self::EXTRA). Names and labels
    /// are there in every build.
    ///
    /// ```
    /// use textcodec::{Encoding, SHIFT_JIS, UTF_8};
    ///
    /// assert!(UTF_8.is_available());
    /// assert_eq!(SHIFT_JIS.is_available(), SHIFT_JIS.try_decoder().is_ok());
    /// // What to offer to a user:
    /// let offer = Encoding::ALL.iter().filter(|encoding| encoding.is_available());
    /// assert!(offer.count() >= 5);
    /// ```
    #[must_use]
    pub fn is_available(self) -> bool {
        AnyDecoder::new(self).is_ok()
    }

    /// Whether this build can encode to the encoding: it [is available](Self::is_available), feature `encoders` is on or the
    /// encoding needs none, and it is not `replacement`, which has no encoder anywhere.
    ///
    /// ```
    /// use textcodec::{BIG5, REPLACEMENT, UTF_16LE};
    ///
    /// assert!(UTF_16LE.has_encoder());
    /// assert_eq!(BIG5.has_encoder(), BIG5.encoder().is_ok());
    /// assert!(!REPLACEMENT.has_encoder());
    /// ```
    #[must_use]
    pub fn has_encoder(self) -> bool {
        AnyEncoder::new(self).is_some()
    }

    /// Whether the encoder has bytes for a character. They may come back as another one: half-width katakana in
    /// ISO-2022-JP as full-width, the yen sign and the overline in Shift_JIS and EUC-JP as ASCII, U+2212 in all three
    /// as U+FF0D, and 18 private-use characters in GBK and gb18030 as those which have replaced them, such as U+E81E as
    /// U+9FB4. Never where there [is no encoder](Self::has_encoder).
    ///
    /// ```
    /// assert!(textcodec::WINDOWS_1252.can_encode('€'));
    /// assert!(!textcodec::WINDOWS_1252.can_encode('字'));
    /// ```
    #[must_use]
    pub fn can_encode(self, character: char) -> bool {
        AnyEncoder::new(self).is_some_and(|mut encoder| encoder.visit(CanEncode(character)))
    }

    /// All characters that the encoder has bytes for, as ascending ranges; none where there
    /// [is no encoder](Self::has_encoder).
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

    /// A decoder that does what browsers do: a byte order mark wins and is removed, malformed bytes become U+FFFD.
    ///
    /// With feature `all-encodings`; [`try_decoder`](Self::try_decoder) is there without it.
    ///
    /// ```
    /// let mut text = String::new();
    /// textcodec::UTF_8.decoder().finish(&mut text)?;
    /// # Ok::<(), textcodec::DecodeError>(())
    /// ```
    #[cfg(feature = "all-encodings")]
    #[must_use]
    pub fn decoder(self) -> Decoder {
        self.decoder_with(DecodeOptions::new())
    }

    /// A decoder with options.
    ///
    /// With feature `all-encodings`; [`try_decoder_with`](Self::try_decoder_with) is there without it.
    ///
    /// ```
    /// use textcodec::{DecodeOptions, Malformed, UTF_8};
    ///
    /// let mut decoder = UTF_8.decoder_with(DecodeOptions::new().malformed(Malformed::Fail));
    /// assert!(decoder.push(b"\xC0", &mut String::new()).is_err());
    /// ```
    #[cfg(feature = "all-encodings")]
    #[must_use]
    pub fn decoder_with(self, options: DecodeOptions) -> Decoder {
        // No other pattern is needed, because with all families on `Missing` has no values.
        let Ok(decoder) = Decoder::new(self, options);
        decoder
    }

    /// A decoder that does what browsers do, in any build.
    ///
    /// # Errors
    /// [`Reason::Unavailable`](crate::Reason::Unavailable) where this build [cannot decode](Self::is_available) the encoding.
    ///
    /// ```
    /// use textcodec::{EUC_KR, Reason};
    ///
    /// match EUC_KR.try_decoder() {
    ///     Ok(decoder) => assert_eq!(decoder.encoding(), EUC_KR),
    ///     Err(error) => assert_eq!(error.reason(), Reason::Unavailable),
    /// }
    /// ```
    pub fn try_decoder(self) -> Result<Decoder, DecodeError> {
        self.try_decoder_with(DecodeOptions::new())
    }

    /// A decoder with options, in any build.
    ///
    /// # Errors
    /// As for [`try_decoder`](Self::try_decoder).
    ///
    /// ```
    /// use textcodec::{Bom, DecodeOptions, UTF_8};
    ///
    /// let mut text = String::new();
    /// let mut decoder = UTF_8.try_decoder_with(DecodeOptions::new().bom(Bom::Keep))?;
    /// decoder.push(b"\xEF\xBB\xBF", &mut text)?;
    /// assert_eq!(text, "\u{FEFF}");
    /// # Ok::<(), textcodec::DecodeError>(())
    /// ```
    pub fn try_decoder_with(self, options: DecodeOptions) -> Result<Decoder, DecodeError> {
        Decoder::new(self, options).map_err(|_| DecodeError::unavailable(self))
    }

    /// An encoder that stops at the first character which the encoding cannot represent. UTF-16LE and UTF-16BE are encoded as
    /// such, without a byte order mark: encode U+FEFF first where one is wanted.
    ///
    /// # Errors
    /// [`EncodeError::NoEncoder`] for `replacement`; [`EncodeError::Unavailable`] where this build
    /// [has no encoder](Self::has_encoder) for another encoding.
    ///
    /// ```
    /// let mut bytes = Vec::new();
    /// let mut encoder = textcodec::UTF_16LE.encoder()?;
    /// encoder.push("\u{FEFF}a", &mut bytes)?;
    /// assert_eq!(bytes, b"\xFF\xFEa\0");
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    pub fn encoder(self) -> Result<Encoder, EncodeError> {
        Encoder::new(self, Unmappable::Fail)
    }

    /// An encoder that does something else about characters which the encoding cannot represent.
    ///
    /// # Errors
    /// As for [`encoder`](Self::encoder).
    ///
    /// ```
    /// use textcodec::{ISO_8859_2, Unmappable};
    ///
    /// let mut bytes = Vec::new();
    /// ISO_8859_2.encoder_with(Unmappable::Html)?.push("ř ж", &mut bytes)?;
    /// assert_eq!(bytes, b"\xF8 &#1078;");
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    pub fn encoder_with(self, unmappable: Unmappable) -> Result<Encoder, EncodeError> {
        Encoder::new(self, unmappable)
    }
}

/// Asks the handler about a character.
struct CanEncode(char);

impl EncodeVisitor for CanEncode {
    type Output = bool;

    fn visit<E: Encode>(self, codec: &mut E) -> bool {
        !matches!(codec.handle(Some(self.0), &mut None), EncodeStep::Error(_))
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

impl FromStr for Encoding {
    type Err = UnknownLabel;

    /// [`for_label`](Self::for_label).
    ///
    /// # Errors
    /// [`UnknownLabel`] where it gives none.
    ///
    /// ```
    /// let encoding: textcodec::Encoding = "latin1".parse()?;
    /// assert_eq!(encoding, textcodec::WINDOWS_1252);
    /// # Ok::<(), textcodec::UnknownLabel>(())
    /// ```
    fn from_str(label: &str) -> Result<Self, UnknownLabel> {
        Self::for_label(label).ok_or(UnknownLabel(()))
    }
}

impl TryFrom<&str> for Encoding {
    type Error = UnknownLabel;

    /// [`for_label`](Self::for_label).
    ///
    /// # Errors
    /// [`UnknownLabel`] where it gives none.
    ///
    /// ```
    /// let encoding = textcodec::Encoding::try_from("euc-kr")?;
    /// assert_eq!(encoding, textcodec::EUC_KR);
    /// # Ok::<(), textcodec::UnknownLabel>(())
    /// ```
    fn try_from(label: &str) -> Result<Self, UnknownLabel> {
        label.parse()
    }
}

/// A string that is no label of the standard.
///
/// ```
/// let error = "utf-7".parse::<textcodec::Encoding>().unwrap_err();
/// assert_eq!(error.to_string(), "no label of the Encoding Standard");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownLabel(());

impl fmt::Display for UnknownLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no label of the Encoding Standard")
    }
}

impl core::error::Error for UnknownLabel {}

/// As its name. Labels are accepted; so are the names of [`Encoding::EXTRA`], which are no labels.
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
            f.write_str("a label of the Encoding Standard")
        }

        fn visit_str<E: de::Error>(self, label: &str) -> Result<Encoding, E> {
            let extra = Encoding::EXTRA.iter().copied().find(|encoding| encoding.name() == label);
            Encoding::for_label(label).or(extra).ok_or_else(|| E::invalid_value(de::Unexpected::Str(label), &self))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_encoding_is_one_byte_and_so_is_an_option_of_one() {
        assert_eq!((size_of::<Encoding>(), size_of::<Option<Encoding>>()), (1, 1));
    }

    #[test]
    fn all_are_in_the_order_of_the_standard() {
        assert!(Encoding::ALL.iter().enumerate().all(|(place, encoding)| encoding.0 as usize == place));
    }
}
