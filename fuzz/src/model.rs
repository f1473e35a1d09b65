//! What is expected: `spec-model`'s answer, and a few lines for the encodings that the standard does not have, or has no
//! encoder for.

use std::ops::Range;

use spec_model::{EncodeMode, Mode, io_queue::IoQueue};
use textcodec::{Bom, Encoding, ISOMORPHIC, STRICT_ASCII, UTF_16BE, UTF_16LE, Unmappable};

/// Of the 42, the one that a number stands for.
pub(crate) fn encoding(number: u8) -> Encoding {
    let all = Encoding::ALL.iter().chain(Encoding::EXTRA);
    *all.clone().nth(usize::from(number) % all.count()).unwrap_or(&textcodec::UTF_8)
}

/// Of the three, the one that a number stands for.
pub(crate) fn bom(number: u8) -> Bom {
    [Bom::Sniff, Bom::StripOwn, Bom::Keep][usize::from(number) % 3]
}

/// The model's name for an encoding of the standard.
pub(crate) fn model(encoding: Encoding) -> Option<spec_model::Encoding> {
    spec_model::Encoding::all().iter().copied().find(|model| model.name() == encoding.name())
}

/// What decoding must give.
#[derive(Clone, Debug, Default)]
pub(crate) struct Decoded {
    pub(crate) text: String,
    pub(crate) errors: Vec<Range<u64>>,
    pub(crate) encoding: &'static str,
    pub(crate) bom: bool,
}

/// Decodes in replacement mode.
pub(crate) fn decode(encoding: Encoding, bytes: &[u8], bom: Bom) -> Decoded {
    decode_in(encoding, bytes, bom, Mode::Replacement)
}

/// The text before the first error.
pub(crate) fn decode_fatal(encoding: Encoding, bytes: &[u8], bom: Bom) -> Decoded {
    decode_in(encoding, bytes, bom, Mode::Fatal)
}

fn decode_in(encoding: Encoding, bytes: &[u8], bom: Bom, mode: Mode) -> Decoded {
    let mark = spec_model::hooks::bom_sniff(&IoQueue::from_list(bytes.iter().copied()));
    let own = model(encoding);
    // A mark that wins brings an encoding that the standard has.
    if let Some(asked_for) = own.or(mark.filter(|_| bom == Bom::Sniff)) {
        let bom = match bom {
            Bom::Sniff => spec_model::Bom::Sniff,
            Bom::StripOwn => spec_model::Bom::StripOwn,
            Bom::Keep => spec_model::Bom::Keep,
        };
        let decoded = spec_model::decode(asked_for, bytes, bom, mode);
        let errors = decoded.errors.iter().map(|range| range.start as u64..range.end as u64).collect();
        return Decoded { text: decoded.text, errors, encoding: decoded.encoding.name(), bom: decoded.bom };
    }
    let mut decoded = Decoded { encoding: encoding.name(), ..Decoded::default() };
    for (at, &byte) in (0..).zip(bytes) {
        if byte < 0x80 || encoding == ISOMORPHIC {
            decoded.text.push(byte.into());
        } else {
            decoded.errors.push(at..at + 1);
            if mode == Mode::Fatal {
                break;
            }
            decoded.text.push(char::REPLACEMENT_CHARACTER);
        }
    }
    decoded
}

/// What encoding must give.
#[derive(Clone, Debug, Default)]
pub(crate) struct Encoded {
    /// With references.
    pub(crate) html: Vec<u8>,
    /// Up to the first error.
    pub(crate) fatal: Vec<u8>,
    /// Which scalar values are unmappable, and the code points reported.
    pub(crate) errors: Vec<(usize, char)>,
}

/// Encodes, or none where there is no encoder.
pub(crate) fn encode(encoding: Encoding, text: &[char]) -> Option<Encoded> {
    if let Some(simple) = simple(encoding) {
        let mut encoded = Encoded::default();
        for (at, &character) in text.iter().enumerate() {
            match simple(character) {
                Some(bytes) => {
                    encoded.html.extend_from_slice(&bytes);
                    if encoded.errors.is_empty() {
                        encoded.fatal.extend(bytes);
                    }
                }
                None => {
                    encoded.errors.push((at, character));
                    encoded.html.extend(reference(character));
                }
            }
        }
        return Some(encoded);
    }
    let model = model(encoding)?;
    let html = spec_model::encode(model, text.iter().copied(), EncodeMode::Html)?;
    let fatal = spec_model::encode(model, text.iter().copied(), EncodeMode::Fatal)?;
    Some(Encoded { html: html.bytes, fatal: fatal.bytes, errors: html.errors })
}

/// A numeric character reference.
pub(crate) fn reference(character: char) -> Vec<u8> {
    format!("&#{};", u32::from(character)).into()
}

/// An encoder without state: the bytes of a character.
type Simple = fn(char) -> Option<Vec<u8>>;

/// The encoders that the standard does not have.
fn simple(encoding: Encoding) -> Option<Simple> {
    match encoding {
        UTF_16BE => Some(|character| Some(utf_16(character).into_iter().flat_map(u16::to_be_bytes).collect())),
        UTF_16LE => Some(|character| Some(utf_16(character).into_iter().flat_map(u16::to_le_bytes).collect())),
        ISOMORPHIC => Some(|character| u8::try_from(character).ok().map(|byte| vec![byte])),
        STRICT_ASCII => Some(|character| character.is_ascii().then(|| vec![character as u8])),
        _ => None,
    }
}

fn utf_16(character: char) -> Vec<u16> {
    character.encode_utf16(&mut [0; 2]).to_vec()
}

/// What encoding must give where the n-th unmappable character is handled by `policies[n]`: as with `Html` where the text ends by
/// `Fail`, and as with `Skip` where it is reported. None where there is no encoder.
pub(crate) fn encode_by(encoding: Encoding, text: &[char], policies: &[Unmappable]) -> Option<Vec<u8>> {
    let errors = encode(encoding, text)?.errors;
    let mut errors = errors.iter().map(|&(at, _)| at).peekable();
    let mut policies = policies.iter();
    let kept = |(at, &character)| match errors.next_if_eq(&at).and_then(|_| policies.next()) {
        Some(Unmappable::Skip | Unmappable::Report) => None,
        Some(Unmappable::Replace(instead)) => Some(*instead),
        _ => Some(character),
    };
    let text: Vec<char> = text.iter().enumerate().filter_map(kept).collect();
    Some(encode(encoding, &text)?.html)
}

/// What encoding must give where `instead` stands for each unmappable character, if anything does. None where that is
/// unmappable itself, or there is no encoder.
pub(crate) fn encode_instead(encoding: Encoding, text: &[char], instead: Option<char>) -> Option<Vec<u8>> {
    let errors = encode(encoding, text)?.errors;
    let mut errors = errors.iter().map(|&(at, _)| at).peekable();
    let kept = |(at, &character)| if errors.next_if_eq(&at).is_some() { instead } else { Some(character) };
    let text: Vec<char> = text.iter().enumerate().filter_map(kept).collect();
    let encoded = encode(encoding, &text)?;
    encoded.errors.is_empty().then_some(encoded.html)
}
