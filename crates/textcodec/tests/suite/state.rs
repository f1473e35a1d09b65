//! `Decoder::state`, `Encoder::state`, and decoders and encoders that continue from a state.

use std::{borrow::Cow, collections::BTreeSet};

use testkit::texts;
use textcodec::{
    Bom, DecodeError, DecodeOptions, DecodeReason, Decoder, DecoderState, EncodeError, EncodeOptions, EncodeReason,
    Encoder, EncoderState, Encoding, ISO_2022_JP, Malformed, Status, UTF_8, UTF_16BE, UTF_16LE, Unmappable,
};

fn encodings() -> impl Iterator<Item = Encoding> {
    standard().chain(OUTSIDE.iter().copied())
}

fn standard() -> impl Iterator<Item = Encoding> {
    Encoding::ALL.iter().chain(Encoding::EXTRA).copied()
}

#[cfg(feature = "oem")]
const OUTSIDE: &[Encoding] = super::outside::EACH;
#[cfg(not(feature = "oem"))]
const OUTSIDE: &[Encoding] = &[];

/// Text and errors so far. `start` is the offset in the whole input at which the decoder started.
#[derive(Clone, Debug, Default, PartialEq)]
struct Seen {
    text: String,
    errors: Vec<(u64, Vec<u8>, DecodeReason)>,
}

impl Seen {
    /// Decodes a chunk with `Malformed::Pause`, and calls `at_stop` after each error and at the end of the chunk.
    fn push(&mut self, decoder: &mut Decoder, start: u64, chunk: &[u8], mut at_stop: impl FnMut(&Decoder, &Self)) {
        let from = decoder.position();
        while let Err(error) = decoder.push(&chunk[(decoder.position() - from) as usize..], &mut self.text) {
            self.add(start, &error);
            at_stop(decoder, self);
        }
        at_stop(decoder, self);
    }

    fn finish(mut self, mut decoder: Decoder, start: u64) -> Self {
        let mut buffer = [0; 64];
        loop {
            let progress = decoder.decode_to_utf8(&[], &mut buffer, true);
            self.text.push_str(str::from_utf8(&buffer[..progress.written]).unwrap());
            match progress.status {
                Status::InputEmpty => return self,
                Status::Error(error) => self.add(start, &error),
                _ => {}
            }
        }
    }

    fn add(&mut self, start: u64, error: &DecodeError) {
        self.errors.push((start + error.range().start, error.bytes().to_vec(), error.reason()));
    }
}

/// The states that were seen of one encoding, and how often 0 to 7 bytes were pending.
#[derive(Default)]
struct Coverage {
    states: BTreeSet<u8>,
    pending: [u32; 8],
}

/// Continues from the state of `decoder`, which has read a prefix of `bytes`, and compares the result with `expected`.
fn resume(
    (encoding, options): (Encoding, DecodeOptions),
    bytes: &[u8],
    decoder: &Decoder,
    seen: &Seen,
    expected: &Seen,
    coverage: &mut Coverage,
) {
    let pending = decoder.pending_bytes();
    let position = decoder.position() as usize;
    let start = position - pending.len();
    let context = || format!("{encoding} {options:?} {bytes:02X?}, {position} bytes read, {pending:?} pending");
    assert_eq!(*pending, bytes[start..position], "{}", context());
    let state = decoder.state().unwrap();
    coverage.states.insert(state.into());
    coverage.pending[pending.len()] += 1;
    if decoder.encoding() == encoding {
        let is_at_rest = state == DecoderState::TEXT && pending.is_empty();
        assert_eq!(is_at_rest, !decoder.has_pending_state(), "{}", context());
    }

    let state = DecoderState::try_from(u8::from(state)).unwrap();
    let mut resumed = encoding.decoder_at(state, options).unwrap();
    assert_eq!((resumed.state(), resumed.encoding()), (Some(state), decoder.encoding()), "{}", context());
    let mut all = seen.clone();
    all.push(&mut resumed, start as u64, &pending, |_, _| {});
    all.push(&mut resumed, start as u64, &bytes[position..], |_, _| {});
    assert_eq!(all.finish(resumed, start as u64), *expected, "{}", context());
}

/// Interrupts the decoding of `bytes` everywhere.
fn interrupt(encoding: Encoding, bom: Bom, bytes: &[u8], coverage: &mut Coverage) {
    let options = DecodeOptions::new().bom(bom).malformed(Malformed::Pause);
    let target = (encoding, options);
    let (mut decoder, mut expected) = (encoding.decoder_with(options), Seen::default());
    expected.push(&mut decoder, 0, bytes, |_, _| {});
    let expected = expected.finish(decoder, 0);

    // One byte at a time, and each prefix as one chunk.
    let (mut decoder, mut seen) = (encoding.decoder_with(options), Seen::default());
    resume(target, bytes, &decoder, &seen, &expected, coverage);
    for byte in bytes {
        let at_stop = |decoder: &Decoder, seen: &Seen| resume(target, bytes, decoder, seen, &expected, coverage);
        seen.push(&mut decoder, 0, &[*byte], at_stop);
    }
    for end in 0..=bytes.len() {
        let (mut decoder, mut seen) = (encoding.decoder_with(options), Seen::default());
        let at_stop = |decoder: &Decoder, seen: &Seen| resume(target, bytes, decoder, seen, &expected, coverage);
        seen.push(&mut decoder, 0, &bytes[..end], at_stop);
    }
    replace(encoding, options.malformed(Malformed::Replace), bytes, &expected);
}

/// Does the same with `Malformed::Replace`, and destinations of six bytes. Then characters may be held.
fn replace(encoding: Encoding, options: DecodeOptions, bytes: &[u8], expected: &Seen) {
    let whole = encoding.decode_with(bytes, options).unwrap();
    assert_eq!(whole.errors.count(), expected.errors.len() as u64);
    for end in 0..=bytes.len() {
        let (mut decoder, mut text) = (encoding.decoder_with(options), String::new());
        let mut rest = &bytes[..end];
        loop {
            let mut buffer = [0; 6];
            let progress = decoder.decode_to_utf8(rest, &mut buffer, false);
            text.push_str(str::from_utf8(&buffer[..progress.written]).unwrap());
            rest = &rest[progress.read..];
            let pending = decoder.pending_bytes();
            let position = decoder.position() as usize;
            assert_eq!(*pending, bytes[position - pending.len()..position], "{encoding} {bytes:02X?} {position}");
            if let Some(state) = decoder.state() {
                let mut resumed = encoding.decoder_at(state, options).unwrap();
                let mut all = text.clone();
                resumed.push(&[&*pending, &bytes[position..]].concat(), &mut all).unwrap();
                let summary = resumed.finish(&mut all).unwrap();
                let errors = decoder.errors().count() + summary.errors.count();
                let actual = (all.as_str(), summary.encoding, errors);
                assert_eq!(actual, (&*whole.text, whole.encoding, whole.errors.count()), "{encoding} {bytes:02X?}");
            } else {
                assert_eq!(progress.status, Status::OutputFull, "characters are held");
            }
            if progress.status == Status::InputEmpty {
                break;
            }
        }
    }
}

/// Characters of an encoding's repertoire.
fn repertoire(encoding: Encoding, random: &mut fastrand::Rng) -> Vec<char> {
    let encoding = if encoding.has_encoder() { encoding } else { UTF_8 };
    texts::repertoire(encoding, 600, random).chars().collect()
}

fn sample(characters: &[char], random: &mut fastrand::Rng) -> String {
    characters[random.usize(..characters.len() - 10)..].iter().take(10).collect()
}

const POLICIES: [Bom; 3] = [Bom::Sniff, Bom::StripOwn, Bom::Keep];
const MARKS: [&[u8]; 6] = [b"\xEF\xBB\xBF", b"\xFE\xFF", b"\xFF\xFE", b"\xEF", b"\xEF\xBB", b"\xFF"];
/// Bytes that interrupt sequences, continue them, or start them, in some encoding.
const BOUNDARIES: &[u8] = b"\x1B$(@BIJ!0A\x5C\x7E\x0E\x80\x81\x8E\x8F\xA1\xBF\xD8\xDC\xED\xF0\xFE\xFF";

fn decoding_inputs(encoding: Encoding, random: &mut fastrand::Rng) -> Vec<Vec<u8>> {
    let repertoire = repertoire(encoding, random);
    // Each character set of ISO-2022-JP, directly after its escape sequence and after a character; and incomplete characters.
    let mut inputs =
        [b"\x1B(J!\x1B(I!\x1B$B!!\x1B$@\x1B(B!".to_vec(), b"\xF0\x90\x80".to_vec(), b"\0\xD8\0".to_vec()].to_vec();
    for _ in 0..testkit::rounds(15) {
        let len = random.usize(..16);
        inputs.push((0..len).map(|_| random.u8(..)).collect());
        inputs.push((0..len).map(|_| BOUNDARIES[random.usize(..BOUNDARIES.len())]).collect());
        let text = sample(&repertoire, random);
        let bytes = encoding.encode(&text).map_or(text.as_bytes().to_vec(), Cow::into_owned);
        inputs.push(texts::damage(&bytes, random));
        inputs.push(bytes);
    }
    #[cfg(feature = "oem")]
    inputs.extend(super::outside::sequences(encoding, random));
    let plain = inputs.clone();
    for mark in MARKS {
        inputs.extend(plain.iter().take(8).map(|bytes| [mark, bytes].concat()));
    }
    inputs
}

#[test]
fn decoders_continue_from_every_state() {
    let covered = testkit::in_parallel(encodings().count(), BTreeSet::new, |all, index| {
        let encoding = encodings().nth(index).unwrap();
        let random = &mut fastrand::Rng::with_seed(index as u64);
        let mut coverage = Coverage::default();
        for bytes in decoding_inputs(encoding, random) {
            for bom in POLICIES {
                interrupt(encoding, bom, &bytes, &mut coverage);
            }
        }
        // A state is accepted if and only if decoders have it.
        for state in (0..=u8::MAX).filter_map(|state| DecoderState::try_from(state).ok()) {
            let result = encoding.decoder_at(state, Bom::Sniff);
            if coverage.states.contains(&state.into()) {
                assert_eq!(result.unwrap().state(), Some(state), "{encoding}");
            } else {
                let error = result.err().unwrap_or_else(|| panic!("{encoding} {state:?}"));
                let expected = format!("{} is not a state of a decoder of {encoding}", u8::from(state));
                assert_eq!(error.to_string(), expected);
            }
        }
        // Marks have up to two bytes pending in each encoding of the standard.
        let len = if OUTSIDE.contains(&encoding) { 1 } else { 4 };
        assert!(coverage.pending[..len].iter().all(|&count| count > 0), "{encoding} {:?}", coverage.pending);
        all.extend(coverage.states);
    });
    let covered: BTreeSet<u8> = covered.into_iter().flatten().collect();
    let valid: BTreeSet<u8> = (0..=u8::MAX).filter(|&state| DecoderState::try_from(state).is_ok()).collect();
    assert_eq!(covered, valid);
}

#[test]
fn decoders_continue_within_every_short_string_of_iso_2022_jp() {
    const BYTES: &[u8; 9] = b"\x1B$(BIJ!\x0E\x80";
    testkit::in_parallel(
        9 * 9,
        || (),
        |(), first| {
            let mut coverage = Coverage::default();
            for rest in 0..9_usize.pow(3) {
                let string = [first / 9, first % 9, rest / 81, rest / 9 % 9, rest % 9].map(|index| BYTES[index]);
                interrupt(ISO_2022_JP, Bom::Keep, &string, &mut coverage);
                interrupt(ISO_2022_JP, Bom::Keep, &[b"\x1B$B", &string[..]].concat(), &mut coverage);
            }
        },
    );
}

#[test]
fn the_start_matters_only_if_a_mark_can_follow() {
    for encoding in standard() {
        let is_text = |bom: Bom| encoding.decoder_with(bom).state() == Some(DecoderState::TEXT);
        let has_mark = [UTF_8, UTF_16BE, UTF_16LE].contains(&encoding);
        assert_eq!(POLICIES.map(is_text), [false, !has_mark, true], "{encoding}");
        // In the text, a mark is text.
        let mut decoder = encoding.decoder_at(DecoderState::TEXT, Bom::Sniff).unwrap();
        decoder.push(b"\xEF\xBB\xBF", &mut String::new()).unwrap();
        assert_eq!((decoder.encoding(), decoder.bom_removed()), (encoding, false));
        // The next input starts again.
        for reset in [false, true] {
            if reset {
                decoder.reset();
            } else {
                while decoder.decode_to_utf8(b"", &mut [0; 64], true).status != Status::InputEmpty {}
            }
            assert_eq!(decoder.state(), encoding.decoder().state(), "{encoding}");
            assert!(decoder.pending_bytes().is_empty());
        }
        decoder.push(b"\xEF\xBB\xBF", &mut String::new()).unwrap();
        assert_eq!((decoder.encoding(), decoder.bom_removed()), (UTF_8, true));
    }
}

#[test]
fn a_final_error_has_no_state() {
    let mut decoder = UTF_8.decoder_with(Malformed::Fail);
    assert!(decoder.push(b"a\xE2\x82b", &mut String::new()).is_err());
    assert_eq!(decoder.state(), None);
    let mut decoder = UTF_8.decoder_at(DecoderState::TEXT, Malformed::Fail).unwrap();
    let mut text = String::new();
    assert_eq!(decoder.push(b"a\xFF", &mut text).unwrap_err().range(), 1..2);
    assert_eq!((text.as_str(), decoder.state()), ("a", None));
}

/// Bytes and errors so far.
#[derive(Clone, Debug, Default, PartialEq)]
struct Written {
    bytes: Vec<u8>,
    errors: Vec<(u64, EncodeReason, Option<char>)>,
}

impl Written {
    /// Encodes a chunk into destinations of `room` bytes, and calls `at_stop` after each call.
    fn push(
        &mut self,
        encoder: &mut Encoder,
        start: u64,
        (chunk, last): (&[u16], bool),
        room: usize,
        mut at_stop: impl FnMut(&Encoder, &Self),
    ) {
        let mut read = 0;
        loop {
            let mut buffer = vec![0; room];
            let progress = encoder.encode_from_utf16(&chunk[read..], &mut buffer, last);
            read += progress.read;
            self.bytes.extend(&buffer[..progress.written]);
            if let Status::Error(error) = &progress.status {
                self.errors.push((start + error.range().start, error.reason(), error.character()));
            }
            if progress.status == Status::InputEmpty {
                if !last {
                    at_stop(encoder, self);
                }
                return;
            }
            at_stop(encoder, self);
        }
    }
}

/// Interrupts the encoding of `text` everywhere.
fn interrupt_encoding(encoding: Encoding, options: EncodeOptions, text: &[u16], states: &mut BTreeSet<u8>) {
    let (mut encoder, mut expected) = (encoding.encoder_with(options), Written::default());
    expected.push(&mut encoder, 0, (text, true), 64, |_, _| {});
    let total = encoder.errors().count();
    for end in 0..=text.len() {
        for room in [64, 7, 2] {
            let (mut encoder, mut written) = (encoding.encoder_with(options), Written::default());
            let mut at_stop = |encoder: &Encoder, written: &Written| {
                let position = encoder.position();
                let context = || format!("{encoding} {options:?} {text:04X?}, {position} units read, room {room}");
                let Some(state) = encoder.state() else {
                    let ends_with_high = position > 0 && matches!(text[position as usize - 1], 0xD800..=0xDBFF);
                    assert!(encoder.has_pending_state() && (ends_with_high || room < 64), "{}", context());
                    return;
                };
                states.insert(state.into());
                assert_eq!(state == EncoderState::TEXT, !encoder.has_pending_state(), "{}", context());
                let mut resumed = encoding.encoder_at(state, options).unwrap();
                assert_eq!(resumed.state(), Some(state), "{}", context());
                let mut all = written.clone();
                let rest = &text[position as usize..];
                all.push(&mut resumed, position, (rest, true), 64, |_, _| {});
                let errors = encoder.errors().count() + resumed.errors().count();
                assert_eq!((&all, errors), (&expected, total), "{}", context());
            };
            at_stop(&encoder, &written);
            written.push(&mut encoder, 0, (&text[..end], false), room, &mut at_stop);
        }
    }
}

fn encoding_inputs(encoding: Encoding, random: &mut fastrand::Rng) -> Vec<Vec<u16>> {
    const OTHER: [u16; 14] =
        [0x61, 0x5C, 0x7E, 0xA5, 0x203E, 0x65E5, 0xFF71, 0xE9, 0x0E, 0x1B, 0xD83D, 0xDE00, 0xFEFF, 0xFFFD];
    let repertoire = repertoire(encoding, random);
    let mut inputs = vec![Vec::new()];
    // Each number of bits that can be left in UTF-7.
    #[cfg(feature = "oem")]
    inputs.extend(super::outside::left_bits(encoding).map(|text| text.encode_utf16().collect()));
    for _ in 0..testkit::rounds(8) {
        inputs.push(sample(&repertoire, random).encode_utf16().collect());
        inputs.push((0..random.usize(..10)).map(|_| OTHER[random.usize(..OTHER.len())]).collect());
    }
    inputs
}

#[test]
fn encoders_continue_from_every_state() {
    let covered = testkit::in_parallel(encodings().count(), BTreeSet::new, |all, index| {
        let encoding = encodings().nth(index).unwrap();
        if !encoding.has_encoder() {
            return;
        }
        let random = &mut fastrand::Rng::with_seed(index as u64);
        let mut states = BTreeSet::new();
        for text in encoding_inputs(encoding, random) {
            for unmappable in [Unmappable::Pause, Unmappable::Html, Unmappable::Replace('?'), Unmappable::Skip] {
                let options = EncodeOptions::new().unmappable(unmappable);
                interrupt_encoding(encoding, options, &text, &mut states);
                interrupt_encoding(encoding, options.bom(true).reject_unpaired_surrogates(true), &text, &mut states);
            }
        }
        for state in (0..=u8::MAX).filter_map(|state| EncoderState::try_from(state).ok()) {
            let result = encoding.encoder_at(state, Unmappable::Fail);
            if states.contains(&state.into()) {
                assert_eq!(result.unwrap().state(), Some(state), "{encoding}");
            } else {
                // Without an encoder, each state gives an encoder that fails.
                let expected = format!("{} is not a state of an encoder of {encoding}", u8::from(state));
                assert_eq!(result.err().map(|error| error.to_string()), encoding.has_encoder().then_some(expected));
            }
        }
        all.extend(states);
    });
    let covered: BTreeSet<u8> = covered.into_iter().flatten().collect();
    let valid: BTreeSet<u8> = (0..=u8::MAX).filter(|&state| EncoderState::try_from(state).is_ok()).collect();
    assert_eq!(covered, valid);
}

#[test]
fn encoders_without_a_state() {
    // Half a surrogate pair.
    let mut encoder = UTF_8.encoder();
    encoder.push_utf16(&[0xD83D], &mut Vec::new()).unwrap();
    assert_eq!(encoder.state(), None);
    // A part of a byte order mark.
    let mark = EncodeOptions::new().bom(true);
    let mut encoder = UTF_8.encoder_with(mark);
    let start = encoder.state();
    let _ = encoder.encode_from_utf8("", &mut [0; 0], false);
    assert_eq!(encoder.state(), start);
    let _ = encoder.encode_from_utf8("", &mut [0; 2], false);
    assert_eq!(encoder.state(), None);
    // The final escape sequence of a text without any characters. It has the length of a mark.
    let mut encoder = ISO_2022_JP.encoder();
    encoder.push("日", &mut Vec::new()).unwrap();
    let mut encoder = ISO_2022_JP.encoder_at(encoder.state().unwrap(), mark).unwrap();
    let _ = encoder.encode_from_utf8("", &mut [0; 0], true);
    assert_eq!((encoder.state(), encoder.position()), (None, 0));
    // An error that ends the text.
    let mut encoder = ISO_2022_JP.encoder();
    let error: EncodeError = encoder.push("한", &mut Vec::new()).unwrap_err();
    assert_eq!((error.reason(), encoder.state()), (EncodeReason::Unmappable, None));
}

#[test]
fn the_next_text_starts_with_the_mark_of_the_options() {
    let mark = EncodeOptions::new().bom(true);
    let start = UTF_16BE.encoder_with(mark).state().unwrap();
    for (state, options, expected) in [
        (start, mark, &b"\xFE\xFF\0a\xFE\xFF\0a"[..]),
        (EncoderState::TEXT, mark, b"\0a\xFE\xFF\0a"),
        (start, EncodeOptions::new(), b"\xFE\xFF\0a\0a"),
    ] {
        let mut encoder = UTF_16BE.encoder_at(state, options).unwrap();
        assert!(encoder.max_len_from_utf8(1).unwrap() >= 4);
        let mut bytes = Vec::with_capacity(16);
        for _ in 0..2 {
            assert_eq!(encoder.encode_within_capacity("a", &mut bytes, true).status, Status::InputEmpty);
        }
        assert_eq!(bytes, expected, "{state:?}");
    }
}
