//! The encodings outside of the standard, of feature `oem`, against their models in `spec_model::outside`.

use spec_model::outside::{BOUNDARIES, alphabet};
use testkit::{Quick, Runner, in_parallel, texts};
use textcodec::{Bom, Decoder, Encoding, Status, oem};

/// Those that are not pages.
const CODED: &[Encoding] = oem::ALL.split_at(oem::ALL.len() - textcodec_oem::COUNT).0;

/// Those, and a page of each structure: ASCII and an upper half; a permutation; one without all of ASCII; and one with more
/// characters than an upper half. `tests/oem.rs` has tests of all pages.
pub(super) const EACH: &[Encoding] = &{
    let mut each = [oem::IBM437; CODED.len() + 4];
    each.split_at_mut(CODED.len()).0.copy_from_slice(CODED);
    each[CODED.len() + 1] = oem::IBM037;
    each[CODED.len() + 2] = oem::IBM864;
    each[CODED.len() + 3] = oem::VISCII;
    each
};

/// Random sequences of an encoding's own bytes, and text that reaches each state.
pub(super) fn sequences(encoding: Encoding, random: &mut fastrand::Rng) -> Vec<Vec<u8>> {
    if !CODED.contains(&encoding) {
        return Vec::new();
    }
    let mut inputs: Vec<Vec<u8>> =
        left_bits(encoding).map(|text| encoding.encode(&text).unwrap().into_owned()).collect();
    for _ in 0..testkit::rounds(30) {
        let alphabet = alphabet(encoding.name());
        let pieces = (0..random.usize(..8)).map(|_| alphabet[random.usize(..alphabet.len())]);
        inputs.push(pieces.collect::<Vec<_>>().concat());
    }
    inputs
}

/// Text of which UTF-7 leaves each number of bits: the decoder has read the highest bits of the next character, and the encoder has
/// not written the lowest bits of the last one.
pub(super) fn left_bits(encoding: Encoding) -> impl Iterator<Item = String> {
    let numbers = if CODED.contains(&encoding) { 16 } else { 0 };
    (0..numbers).map(move |bits| {
        let character = char::from_u32(bits << 12 | 0xE0 | bits).unwrap();
        let text: String = [character; 3].into_iter().filter(|&c| encoding.can_encode(c)).collect();
        text + "!"
    })
}

fn in_each(work: impl Fn(Encoding) + Sync) {
    in_parallel(CODED.len(), || (), |(), index| work(CODED[index]));
}

/// On other platforms and with sanitizers, modules of this name are skipped.
mod exhaustive {
    use spec_model::outside::BOUNDARIES;
    use testkit::exhaustive;

    use super::{CODED, in_each};

    #[test]
    fn all_short_inputs() {
        for &encoding in CODED {
            let inputs = exhaustive::inputs(encoding, BOUNDARIES);
            assert!(inputs > 0x10000 * BOUNDARIES.len() as u64, "{encoding}");
        }
    }

    #[test]
    fn all_scalar_values() {
        in_each(|encoding| {
            assert_eq!(exhaustive::scalar_values(encoding, 17), 0x11_0000 - 0x800, "{encoding}");
        });
    }
}

#[test]
fn random_sequences() {
    in_each(|encoding| {
        let random = &mut fastrand::Rng::with_seed(0x0E3);
        let mut quick = Quick::new(encoding);
        for _ in 0..testkit::rounds(100_000) {
            let mut bytes = Vec::new();
            while bytes.len() < 10 && random.u8(..10) > 0 {
                bytes.extend(alphabet(encoding.name())[random.usize(..alphabet(encoding.name()).len())]);
            }
            bytes.truncate(16);
            quick.decode(&bytes, Bom::Sniff);
            let bytes: Vec<u8> =
                (0..random.usize(..12)).map(|_| BOUNDARIES[random.usize(..BOUNDARIES.len())]).collect();
            quick.decode(&bytes, Bom::Keep);
        }
    });
}

#[test]
fn random_sequences_in_every_variation() {
    in_each(|encoding| {
        let random = &mut fastrand::Rng::with_seed(0x0E4);
        let mut runner = Runner::default();
        let repertoire: Vec<char> = texts::repertoire(encoding, 2000, random).chars().collect();
        for round in 0..testkit::rounds(30) {
            let pieces =
                (0..round / 2).map(|_| alphabet(encoding.name())[random.usize(..alphabet(encoding.name()).len())]);
            runner.decode(encoding, &pieces.collect::<Vec<_>>().concat());
            let text: String = (0..round).map(|_| character(&repertoire, random)).collect();
            runner.encode(encoding, &text);
            let text: String = text.chars().filter(|&c| encoding.can_encode(c)).collect();
            let bytes = encoding.encode(&text).unwrap();
            runner.decode(encoding, &bytes);
            let damaged = texts::damage(&bytes, random);
            runner.decode(encoding, &damaged);
            runner.decode_padded(encoding, &damaged);
        }
        let ill_formed = [0xD83D, 0x61, 0xDE00, 0xD83D, 0xDE00, 0x20AC, 0xD800];
        runner.encode_from(encoding, testkit::drive::Source::Utf16(&ill_formed));
    });
}

fn character(repertoire: &[char], random: &mut fastrand::Rng) -> char {
    match random.u8(..8) {
        0..3 => random.char('\0'..'\u{80}'),
        3 => random.char('\0'..),
        4 => ['é', '€', '가', 'ㄱ', '字', '😀', '+', '~', '\n', '\u{1B}'][random.usize(..10)],
        _ => repertoire[random.usize(..repertoire.len())],
    }
}

#[test]
fn sentences() {
    in_each(|encoding| {
        let mut runner = Runner::default();
        for text in texts::SENTENCES {
            runner.encode(encoding, text);
            let bytes = encoding.encode(&texts::representable(encoding, text)).unwrap().into_owned();
            runner.decode(encoding, &bytes);
        }
    });
}

/// Decodes the last chunk of an input.
fn decode_last(decoder: &mut Decoder, bytes: &[u8], text: &mut String) {
    let mut buffer = [0; 256];
    let progress = decoder.decode_to_utf8(bytes, &mut buffer, true);
    assert_eq!((progress.read, progress.status), (bytes.len(), Status::InputEmpty));
    text.push_str(str::from_utf8(&buffer[..progress.written]).unwrap());
}

#[test]
fn discarded_bytes_leave_the_state_before_them() {
    in_each(|encoding| {
        let random = &mut fastrand::Rng::with_seed(0x0E5);
        for bytes in sequences(encoding, random) {
            for end in 0..=bytes.len() {
                let mut decoder = encoding.decoder();
                decoder.push(&bytes[..end], &mut String::new()).unwrap();
                let state = decoder.state().unwrap();
                decoder.discard_pending_bytes();
                assert_eq!((decoder.state(), decoder.position()), (Some(state), end as u64), "{encoding} {bytes:02X?}");
                assert!(decoder.pending_bytes().is_empty());
                let mut text = String::new();
                decode_last(&mut decoder, &bytes[end..], &mut text);
                let mut expected = String::new();
                let mut other = encoding.decoder_at(state, Bom::Keep).unwrap();
                other.push(&bytes[end..], &mut expected).unwrap();
                other.finish(&mut expected).unwrap();
                assert_eq!(text, expected, "{encoding} {bytes:02X?} {end}");
                // The next input starts in the initial state.
                let mut next = String::new();
                decode_last(&mut decoder, &bytes, &mut next);
                assert_eq!(next, encoding.decode(&bytes).text, "{encoding} {bytes:02X?}");
            }
        }
    });
}

#[test]
fn each_text_has_its_own_header() {
    for (encoding, header) in [(oem::UTF_32, &b"\0\0\xFE\xFF"[..]), (oem::TRUE_ISO_2022_KR, b"\x1B$)C")] {
        assert_eq!(*encoding.encode("").unwrap(), *header);
        let mut encoder = encoding.encoder();
        let mut expected: Vec<u8> = Vec::new();
        let mut bytes = Vec::with_capacity(64);
        for text in ["가", "", "a", "", "b"] {
            let progress = encoder.encode_within_capacity(text, &mut bytes, true);
            assert_eq!(progress.status, Status::InputEmpty);
            if bytes.len() % 3 == 0 {
                encoder.reset();
            }
            expected.extend(encoding.encode(text).unwrap().iter());
            assert_eq!(bytes, expected);
        }
    }
}

#[test]
fn names_are_not_labels() {
    use textcodec::{Alias, UTF_16LE};

    for &encoding in CODED {
        assert_eq!(encoding.name().parse(), Ok(encoding));
        assert_eq!(Encoding::for_label(encoding.name()), None, "{encoding}");
        assert_eq!(Alias::for_name(encoding.name()).map(|alias| alias.encoding), Some(encoding));
        assert!(encoding.is_available() && encoding.has_encoder() && !encoding.allows_override());
        assert_eq!(encoding.feature(), Some("oem"));
    }
    for label in ["iso-2022-kr", "csiso2022kr", "hz-gb-2312"] {
        assert_eq!(Encoding::for_label(label), Some(textcodec::REPLACEMENT));
    }
    assert_eq!(Encoding::for_label("ucs-2"), Some(UTF_16LE));
}
