//! [`Charset`]: the encoding of an input or of an output.

use std::{
    alloc::{Layout, handle_alloc_error},
    borrow::Cow,
    fmt, ptr,
};

use textcodec::{
    Bom, DecodeOptions, Decoder, EncodeError, EncodeOptions, Encoder, Encoding, ISO_2022_JP, Malformed, Status,
    custom::{CUSTOM, SingleByte},
    oem,
};

use crate::labels;

/// An encoding of the library, or a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Charset {
    /// [`CUSTOM`] for a table.
    encoding: Encoding,
    table: Option<&'static SingleByte>,
}

impl Charset {
    pub(crate) fn of_table(table: &'static SingleByte) -> Self {
        Self { encoding: CUSTOM, table: Some(table) }
    }

    /// Returns the encoding, which is [`CUSTOM`] for all tables.
    pub(crate) fn encoding(self) -> Encoding {
        self.encoding
    }

    pub(crate) fn is_table(self) -> bool {
        self.table.is_some()
    }

    /// Returns the name by which the program accepts the encoding: see [`labels::name`].
    pub(crate) fn label(self) -> &'static str {
        self.table.map_or(labels::name(self.encoding), SingleByte::name)
    }

    /// Without memory for its table, the program ends, as it does without memory for anything else.
    pub(crate) fn decoder_with(self, options: impl Into<DecodeOptions>) -> Decoder {
        let decoder = match self.table {
            Some(table) => table.decoder(options),
            None => self.encoding.decoder_with(options),
        };
        // Without its table, even an empty call fails.
        if let Status::Error(_) = decoder.clone().decode_to_utf8(b"", &mut [0; 0], false).status {
            handle_alloc_error(Layout::new::<[char; 256]>());
        }
        decoder
    }

    /// Fails if there is no encoder, or no memory for its table.
    pub(crate) fn encoder_with(self, options: impl Into<EncodeOptions>) -> Result<Encoder, EncodeError> {
        let encoder = match self.table {
            Some(table) => table.encoder(options),
            None => self.encoding.encoder_with(options),
        };
        match encoder.clone().encode_from_utf8("", &mut [0; 0], false).status {
            Status::Error(error) => Err(error),
            _ => Ok(encoder),
        }
    }

    pub(crate) fn has_encoder(self) -> bool {
        self.is_table() || self.encoding.has_encoder()
    }

    pub(crate) fn can_encode(self, character: char) -> bool {
        match self.table {
            Some(table) => table.encode(character.encode_utf8(&mut [0; 4])).is_ok(),
            None => self.encoding.can_encode(character),
        }
    }

    pub(crate) fn encode(self, text: &str) -> Result<Cow<'_, [u8]>, EncodeError> {
        match self.table {
            Some(table) => table.encode(text).map(Cow::from),
            None => self.encoding.encode(text).map(|bytes| bytes.into_owned().into()),
        }
    }

    /// Decodes a whole text, in which a byte order mark is text. Malformed sequences become U+FFFD.
    pub(crate) fn decode(self, bytes: &[u8]) -> String {
        let mut text = String::new();
        let mut decoder = self.decoder_with(DecodeOptions::new().bom(Bom::Keep).malformed(Malformed::Replace));
        // Cannot fail: malformed sequences are replaced.
        let _ = decoder.push(bytes, &mut text);
        let _ = decoder.finish(&mut text);
        text
    }

    /// Returns the bytes that characters of one byte have, or `None` if a character has none.
    pub(crate) fn byte(self, character: char) -> Option<u8> {
        match *self.encode(character.encode_utf8(&mut [0; 4])).ok()? {
            [byte] => Some(byte),
            _ => None,
        }
    }

    pub(crate) fn is_single_byte(self) -> bool {
        self.encoding.is_single_byte()
    }

    pub(crate) fn is_ascii_compatible(self) -> bool {
        if !self.is_table() {
            return self.encoding.is_ascii_compatible();
        }
        let ascii: String = (0..0x80_u8).map(char::from).collect();
        self.decode(ascii.as_bytes()) == ascii && self.encode(&ascii).is_ok_and(|bytes| *bytes == *ascii.as_bytes())
    }

    /// Returns whether the bytes of a character depend on earlier ones.
    pub(crate) fn is_stateful(self) -> bool {
        self.encoding == ISO_2022_JP || STATEFUL.contains(&self.encoding.name())
    }

    /// Returns whether texts can be encoded in parts: no encoder starts with a mark or depends on earlier characters.
    pub(crate) fn encodes_parts(self) -> bool {
        self.encoding != ISO_2022_JP && (self.is_single_byte() || !oem::ALL.contains(&self.encoding))
    }

    pub(crate) fn is_splittable(self) -> bool {
        self.encoding.is_splittable()
    }

    /// Returns the last position at which the bytes can be split: see [`Encoding::split_point`].
    pub(crate) fn split_point(self, bytes: &[u8]) -> Option<usize> {
        self.encoding.split_point(bytes)
    }
}

/// Encodings outside the standard that have a state.
const STATEFUL: [&str; 4] = ["UTF-7", "UTF-7-IMAP", "true-hz", "true-iso-2022-kr"];

impl From<Encoding> for Charset {
    fn from(encoding: Encoding) -> Self {
        Self { encoding, table: None }
    }
}

impl PartialEq for Charset {
    fn eq(&self, other: &Self) -> bool {
        let address = |charset: &Self| charset.table.map(ptr::from_ref);
        self.encoding == other.encoding && address(self) == address(other)
    }
}

impl Eq for Charset {}

impl PartialEq<Encoding> for Charset {
    fn eq(&self, other: &Encoding) -> bool {
        !self.is_table() && self.encoding == *other
    }
}

impl fmt::Display for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.table.map_or(self.encoding.name(), SingleByte::name))
    }
}
