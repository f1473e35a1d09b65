//! Encodings by a table of one's own.
//!
//! A [`SingleByte`] is an encoding that maps each byte to a character, by a table that you write. Its [`Decoder`]s and [`Encoder`]s
//! are ordinary ones, with all options, readers, writers and kernels.
//!
//! ```
//! use textcodec::custom::SingleByte;
//!
//! // The characters of the bytes from 80 on; U+FFFD is for a byte without one.
//! static ICONS: SingleByte = SingleByte::ascii(
//!     "icons",
//!     "♥♦♣♠•◘○◙♂♀♪♫☼►◄↕‼¶§▬↨↑↓→←∟↔▲▼\u{FFFD}\u{FFFD}\u{FFFD}\
//!      ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀",
//! );
//! assert_eq!(ICONS.decode(b"I \x80 you").text, "I ♥ you");
//! assert_eq!(ICONS.encode("♪")?, b"\x8A");
//! # Ok::<(), textcodec::EncodeError>(())
//! ```

use alloc::{string::String, vec::Vec};
use core::{error::Error, fmt};

use crate::{
    beyond::page::Page,
    codec::any::{AnyDecoder, AnyEncoder},
    conversion::{DecodeOptions, Decoded, Decoder, EncodeError, EncodeOptions, Encoder},
    names::{Encoding, encodings::Id},
};

/// The encoding of decoders and encoders of a [`SingleByte`]. By itself, without a table, it cannot be used: it decodes like
/// [`REPLACEMENT`](crate::REPLACEMENT), and has no encoder.
///
/// ```
/// use textcodec::{EncodeReason, custom};
///
/// assert_eq!(custom::CUSTOM.encode("a").unwrap_err().reason(), EncodeReason::NoEncoder);
/// assert!(!custom::CUSTOM.is_available());
/// ```
pub const CUSTOM: Encoding = Encoding(Id::Custom);

/// A single-byte encoding by a table of one's own.
///
/// Decoders and encoders keep a reference to it, so it must be a `static`, or leaked: `Box::leak(Box::new(table))`.
///
/// ```
/// use textcodec::custom::SingleByte;
///
/// // A page in which the upper half is ASCII again, as some terminals have it.
/// let characters = std::array::from_fn(|byte| Some((byte as u8 & 0x7F) as char));
/// let table: &'static SingleByte = Box::leak(Box::new(SingleByte::new("seven-bit", &characters)?));
/// assert_eq!(table.decode(b"a\xE1").text, "aa");
/// # Ok::<(), textcodec::custom::InvalidTable>(())
/// ```
#[derive(Debug)]
pub struct SingleByte {
    name: &'static str,
    page: Page,
}

impl SingleByte {
    /// Creates an encoding whose bytes below 0x80 are ASCII, for a `static`. `upper` has the characters of the other bytes, in
    /// order; U+FFFD is for a byte without a character. A character of several bytes encodes to the first.
    ///
    /// # Panics
    /// In a `static`, this is an error of the compiler: if `upper` has not 128 characters, or one of ASCII or above U+FFFF.
    ///
    /// ```
    /// use textcodec::custom::SingleByte;
    ///
    /// static GREEK: SingleByte = SingleByte::ascii("greek", {
    ///     "αβγδεζηθικλμνξοπρστυφχψωΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ\
    ///      άέήίόύώΆΈΉΊΌΎΏςϊϋΐΰΪΫ·«»€£§©®°±²³½‘’“”–—…•†‡‰™œŒŠšŽžŸ¡¿¢¤¥¦¨ª¬¯´µ¶¸¹º¼¾×÷ØøÆæŁłĐ"
    /// });
    /// assert_eq!(GREEK.decode(b"\x9E, \x80").text, "Η, α");
    /// ```
    #[must_use]
    pub const fn ascii(name: &'static str, upper: &str) -> Self {
        let bytes = upper.as_bytes();
        let (mut units, mut n, mut at) = ([0; 128], 0, 0);
        while at < bytes.len() {
            let first = bytes[at] as u16;
            let (unit, len) = match first {
                0xC0..=0xDF => ((first & 0x1F) << 6 | (bytes[at + 1] & 0x3F) as u16, 2),
                0xE0..=0xEF => (first << 12 | ((bytes[at + 1] & 0x3F) as u16) << 6 | (bytes[at + 2] & 0x3F) as u16, 3),
                _ => panic!("a character of the upper half is ASCII or above U+FFFF"),
            };
            assert!(n < 128, "the upper half has more than 128 characters");
            units[n] = if unit == 0xFFFD { 0 } else { unit };
            n += 1;
            at += len;
        }
        assert!(n == 128, "the upper half has fewer than 128 characters");
        Self { name, page: Page::ascii(&units) }
    }

    /// Creates an encoding from the characters of all bytes. `None` is a byte without a character. If several bytes have the same
    /// character, it encodes to the first one.
    ///
    /// # Errors
    /// Returns [`InvalidTable`] if a character is above U+FFFF, or U+FFFF itself.
    ///
    /// ```
    /// use textcodec::custom::SingleByte;
    ///
    /// assert!(SingleByte::new("emoji", &[Some('😀'); 256]).is_err());
    /// ```
    pub fn new(name: &'static str, characters: &[Option<char>; 256]) -> Result<Self, InvalidTable> {
        let mut code_points = [textcodec_oem::UNMAPPED; 256];
        for (byte, (unit, &character)) in code_points.iter_mut().zip(characters).enumerate() {
            let Some(character) = character else { continue };
            *unit = u16::try_from(u32::from(character))
                .ok()
                .filter(|&unit| unit != textcodec_oem::UNMAPPED)
                .ok_or(InvalidTable { byte: byte as u8, character })?;
        }
        Ok(Self { name, page: Page::new(&code_points, &[]) })
    }

    /// Creates a variant of a page of EBCDIC, for text whose lines end with byte 15.
    ///
    /// In the pages of [`oem`](crate::oem), 15 is U+0085 (next line) and 25 is U+000A (line feed). In files of z/OS, and in its Unix
    /// services, lines end with 15. Here the two characters are swapped, and all others are those of the page. Returns `None` if
    /// the page does not have the two at these bytes.
    ///
    /// ```
    /// use textcodec::{custom::SingleByte, oem::{IBM437, IBM1047}};
    ///
    /// let table = SingleByte::with_newline_at_15(IBM1047).unwrap();
    /// let table: &'static SingleByte = Box::leak(Box::new(table));
    /// assert_eq!(table.encode("a\n")?, b"\x81\x15");
    /// assert_eq!(table.decode(b"\x15\x25").text, "\n\u{85}");
    /// assert!(SingleByte::with_newline_at_15(IBM437).is_none());
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    #[must_use]
    pub fn with_newline_at_15(page: Encoding) -> Option<Self> {
        let number = crate::beyond::oem::page(page)?;
        let mut code_points = textcodec_oem::code_points(number);
        if (code_points[0x15], code_points[0x25]) != (0x85, 0x0A) {
            return None;
        }
        code_points.swap(0x15, 0x25);
        let duplicates: Vec<u8> = textcodec_oem::duplicates(number).collect();
        Some(Self { name: page.name(), page: Page::new(&code_points, &duplicates) })
    }

    /// Returns the name.
    ///
    /// ```
    /// let table = textcodec::custom::SingleByte::new("empty", &[None; 256])?;
    /// assert_eq!(table.name(), "empty");
    /// # Ok::<(), textcodec::custom::InvalidTable>(())
    /// ```
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    pub(crate) fn page(&self) -> &Page {
        &self.page
    }

    /// Creates a decoder. Byte order marks are text.
    ///
    /// ```
    /// # use textcodec::custom::SingleByte;
    /// # let table = Box::leak(Box::new(SingleByte::new("letters", &[Some('x'); 256])?));
    /// let mut text = String::new();
    /// let mut decoder = table.decoder(textcodec::Malformed::Fail);
    /// decoder.push(b"abc", &mut text)?;
    /// assert_eq!(text, "xxx");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn decoder(&'static self, options: impl Into<DecodeOptions>) -> Decoder {
        // Cannot fail: the feature of these tables is that of single-byte encodings.
        let codec = AnyDecoder::of_page(&self.page).unwrap_or_else(|_| AnyDecoder::unicode(CUSTOM));
        Decoder::with(CUSTOM, options.into(), &codec)
    }

    /// Creates an encoder.
    ///
    /// If there is not enough memory for its table, every call returns
    /// [`EncodeReason::OutOfMemory`](crate::EncodeReason::OutOfMemory).
    ///
    /// ```
    /// # use textcodec::custom::SingleByte;
    /// # let table = Box::leak(Box::new(SingleByte::new("letters", &[Some('x'); 256])?));
    /// let mut bytes = Vec::new();
    /// let mut encoder = table.encoder(textcodec::Unmappable::Skip);
    /// encoder.push("xyz", &mut bytes)?;
    /// assert_eq!(bytes, b"\0");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn encoder(&'static self, options: impl Into<EncodeOptions>) -> Encoder {
        Encoder::of(CUSTOM, options.into(), &AnyEncoder::of_page(&self.page))
    }

    /// Decodes a whole input. Bytes without a character become U+FFFD.
    ///
    /// ```
    /// # use textcodec::custom::SingleByte;
    /// # let table = Box::leak(Box::new(SingleByte::new("none", &[None; 256])?));
    /// let decoded = table.decode(b"ab");
    /// assert_eq!((decoded.text.as_str(), decoded.errors.count()), ("\u{FFFD}\u{FFFD}", 2));
    /// # Ok::<(), textcodec::custom::InvalidTable>(())
    /// ```
    #[must_use]
    pub fn decode(&'static self, bytes: &[u8]) -> Decoded<String> {
        self.decoder(DecodeOptions::new()).decode_replacing(bytes)
    }

    /// Encodes a whole text.
    ///
    /// # Errors
    /// Returns the first character that the encoding cannot represent.
    ///
    /// ```
    /// # use textcodec::custom::SingleByte;
    /// # let table = Box::leak(Box::new(SingleByte::new("letters", &[Some('x'); 256])?));
    /// assert_eq!(table.encode("xx!").unwrap_err().range(), 2..3);
    /// # Ok::<(), textcodec::custom::InvalidTable>(())
    /// ```
    pub fn encode(&'static self, text: &str) -> Result<Vec<u8>, EncodeError> {
        let mut bytes = Vec::new();
        let mut encoder = self.encoder(EncodeOptions::new());
        encoder.push(text, &mut bytes)?;
        encoder.finish(&mut bytes)?;
        Ok(bytes)
    }
}

/// A table that is not an encoding.
///
/// ```
/// let error = textcodec::custom::SingleByte::new("emoji", &[Some('😀'); 256]).unwrap_err();
/// assert_eq!(error.to_string(), "byte 00 cannot be U+1F600: a table has characters below U+FFFF");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidTable {
    byte: u8,
    character: char,
}

impl fmt::Display for InvalidTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { byte, character } = *self;
        write!(f, "byte {byte:02X} cannot be U+{:04X}: a table has characters below U+FFFF", u32::from(character))
    }
}

impl Error for InvalidTable {}
