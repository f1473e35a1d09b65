//! Expected results: those of `spec-model`, and simple implementations of encodings and encoders that are not in the standard.

use std::ops::Range;

use spec_model::{EncodeMode, Mode, io_queue::IoQueue};
use textcodec::{Bom, Encoding, LATIN1, US_ASCII, UTF_16BE, UTF_16LE, Unmappable};

/// Returns the encoding for a number, one of 42.
pub(crate) fn encoding(number: u8) -> Encoding {
    let all = Encoding::ALL.iter().chain(Encoding::EXTRA);
    *all.clone().nth(usize::from(number) % all.count()).unwrap_or(&textcodec::UTF_8)
}

/// Returns the policy for byte order marks for a number, one of three.
pub(crate) fn bom(number: u8) -> Bom {
    [Bom::Sniff, Bom::StripOwn, Bom::Keep][usize::from(number) % 3]
}

/// Returns the model's encoding, if the encoding is in the standard.
pub(crate) fn model(encoding: Encoding) -> Option<spec_model::Encoding> {
    spec_model::Encoding::all().iter().copied().find(|model| model.name() == encoding.name())
}

/// The expected result of decoding.
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

/// Decodes in fatal mode, up to the first error.
pub(crate) fn decode_fatal(encoding: Encoding, bytes: &[u8], bom: Bom) -> Decoded {
    decode_in(encoding, bytes, bom, Mode::Fatal)
}

fn decode_in(encoding: Encoding, bytes: &[u8], bom: Bom, mode: Mode) -> Decoded {
    let mark = spec_model::hooks::bom_sniff(&IoQueue::from_list(bytes.iter().copied()));
    let own = model(encoding);
    // A byte order mark that overrides the encoding is always for an encoding of the standard.
    if let Some(used) = own.or(mark.filter(|_| bom == Bom::Sniff)) {
        let bom = match bom {
            Bom::Sniff => spec_model::Bom::Sniff,
            Bom::StripOwn => spec_model::Bom::StripOwn,
            _ => spec_model::Bom::Keep,
        };
        let decoded = spec_model::decode(used, bytes, bom, mode);
        let errors = decoded.errors.iter().map(|range| range.start as u64..range.end as u64).collect();
        return Decoded { text: decoded.text, errors, encoding: decoded.encoding.name(), bom: decoded.bom };
    }
    let mut decoded = Decoded { encoding: encoding.name(), ..Decoded::default() };
    for (at, &byte) in (0..).zip(bytes) {
        if byte < 0x80 || encoding == LATIN1 {
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

/// The expected result of encoding.
#[derive(Clone, Debug, Default)]
pub(crate) struct Encoded {
    /// The bytes with references.
    pub(crate) html: Vec<u8>,
    /// The bytes up to the first error.
    pub(crate) fatal: Vec<u8>,
    /// The indices of unmappable scalar values, and the reported code points.
    pub(crate) errors: Vec<(usize, char)>,
}

/// Encodes text. Returns `None` if there is no encoder.
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

/// Returns a numeric character reference.
pub(crate) fn reference(character: char) -> Vec<u8> {
    format!("&#{};", u32::from(character)).into()
}

/// An encoder without state, which returns the bytes of a character.
type Simple = fn(char) -> Option<Vec<u8>>;

/// Returns the encoder of an encoding for which the standard has none.
fn simple(encoding: Encoding) -> Option<Simple> {
    match encoding {
        UTF_16BE => Some(|character| Some(utf_16(character).into_iter().flat_map(u16::to_be_bytes).collect())),
        UTF_16LE => Some(|character| Some(utf_16(character).into_iter().flat_map(u16::to_le_bytes).collect())),
        LATIN1 => Some(|character| u8::try_from(character).ok().map(|byte| vec![byte])),
        US_ASCII => Some(|character| character.is_ascii().then(|| vec![character as u8])),
        _ => None,
    }
}

fn utf_16(character: char) -> Vec<u16> {
    character.encode_utf16(&mut [0; 2]).to_vec()
}

/// Returns the expected bytes if the n-th unmappable character is handled by `policies[n]`. `Fail` counts as `Html`, and
/// `Report` as `Skip`. Returns `None` if there is no encoder.
pub(crate) fn encode_by(encoding: Encoding, text: &[char], policies: &[Unmappable]) -> Option<Vec<u8>> {
    let errors = encode(encoding, text)?.errors;
    let mut errors = errors.iter().map(|&(at, _)| at).peekable();
    let mut policies = policies.iter();
    let kept = |(at, &character)| match errors.next_if_eq(&at).and_then(|_| policies.next()) {
        Some(Unmappable::Skip | Unmappable::Pause) => None,
        Some(Unmappable::Replace(instead)) => Some(*instead),
        _ => Some(character),
    };
    let text: Vec<char> = text.iter().enumerate().filter_map(kept).collect();
    Some(encode(encoding, &text)?.html)
}

/// Returns the expected bytes if `instead` replaces each unmappable character, or if they are skipped without `instead`.
/// Returns `None` if `instead` is unmappable or there is no encoder.
pub(crate) fn encode_instead(encoding: Encoding, text: &[char], instead: Option<char>) -> Option<Vec<u8>> {
    let errors = encode(encoding, text)?.errors;
    let mut errors = errors.iter().map(|&(at, _)| at).peekable();
    let kept = |(at, &character)| if errors.next_if_eq(&at).is_some() { instead } else { Some(character) };
    let text: Vec<char> = text.iter().enumerate().filter_map(kept).collect();
    let encoded = encode(encoding, &text)?;
    encoded.errors.is_empty().then_some(encoded.html)
}
