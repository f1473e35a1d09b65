//! Encodings outside of the standard, in its manner: handlers that read an I/O queue.
//!
//! No standard has the steps of these handlers. They follow the documents that define the encodings, and the standard where these do not
//! say what is malformed: an ASCII byte that does not continue a sequence is restored. The handlers may read or peek several items at once.
//! They share no code and no tables with the library, except the standard's indexes.

mod alphabet;
mod gsm_0338;
mod hz;
mod iso_2022_kr;
mod johab;
mod unicode;
mod utf_7;

pub use alphabet::{BOUNDARIES, alphabet};

use crate::handler::{Decoder, Encoder};

/// The names of the encodings. They are not labels.
pub const NAMES: [&str; 12] = [
    "UTF-7",
    "UTF-7-IMAP",
    "UTF-32",
    "UTF-32BE",
    "UTF-32LE",
    "true-ucs-2be",
    "true-ucs-2le",
    "CESU-8",
    "true-hz",
    "true-iso-2022-kr",
    "JOHAB",
    "GSM-03.38",
];

/// Creates an instance of the decoder of a name.
pub(crate) fn decoder(name: &str) -> Decoder {
    match name {
        "UTF-7" => Box::new(utf_7::Utf7Decoder::new(false)),
        "UTF-7-IMAP" => Box::new(utf_7::Utf7Decoder::new(true)),
        "UTF-32" => Box::new(unicode::Utf32Decoder::new(None)),
        "UTF-32BE" => Box::new(unicode::Utf32Decoder::new(Some(true))),
        "UTF-32LE" => Box::new(unicode::Utf32Decoder::new(Some(false))),
        "true-ucs-2be" => Box::new(unicode::Ucs2Decoder { is_be: true }),
        "true-ucs-2le" => Box::new(unicode::Ucs2Decoder { is_be: false }),
        "CESU-8" => Box::new(unicode::Cesu8Decoder),
        "true-hz" => Box::new(hz::HzDecoder::default()),
        "true-iso-2022-kr" => Box::new(iso_2022_kr::Iso2022KrDecoder::default()),
        "JOHAB" => Box::new(johab::JohabDecoder),
        "GSM-03.38" => Box::new(gsm_0338::GsmDecoder),
        _ => panic!("no encoding {name:?}"),
    }
}

/// Creates an instance of the encoder of a name.
pub(crate) fn encoder(name: &str) -> Encoder {
    match name {
        "UTF-7" => Box::new(utf_7::Utf7Encoder::new(false)),
        "UTF-7-IMAP" => Box::new(utf_7::Utf7Encoder::new(true)),
        "UTF-32" => Box::new(unicode::Utf32Encoder::new(true, true)),
        "UTF-32BE" => Box::new(unicode::Utf32Encoder::new(true, false)),
        "UTF-32LE" => Box::new(unicode::Utf32Encoder::new(false, false)),
        "true-ucs-2be" => Box::new(unicode::Ucs2Encoder { is_be: true }),
        "true-ucs-2le" => Box::new(unicode::Ucs2Encoder { is_be: false }),
        "CESU-8" => Box::new(unicode::Cesu8Encoder),
        "true-hz" => Box::new(hz::HzEncoder::default()),
        "true-iso-2022-kr" => Box::new(iso_2022_kr::Iso2022KrEncoder::default()),
        "JOHAB" => Box::new(johab::JohabEncoder),
        "GSM-03.38" => Box::new(gsm_0338::GsmEncoder),
        _ => panic!("no encoding {name:?}"),
    }
}
