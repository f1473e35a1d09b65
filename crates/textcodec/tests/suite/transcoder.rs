//! `Transcoder`: in any chunks and to any destination, the result is that of decoding and encoding one character at a time.

use std::ops::Range;

use testkit::texts;
use textcodec::{
    BIG5, Bom, DecodeError, DecodeOptions, Decoder, EncodeError, EncodeOptions, EncodeReason, Encoder, Encoding,
    GB18030, ISO_2022_JP, KOI8_R, Malformed, REPLACEMENT, SHIFT_JIS, Status, TextUnit, TranscodeError, Transcoder,
    UTF_8, UTF_16BE, UTF_16LE, Unmappable, WINDOWS_1252,
};

/// An error: its range in the input, and the malformed bytes or the unmappable character with its code point.
#[derive(Clone, Debug, PartialEq)]
enum Place {
    Malformed(Range<u64>, Vec<u8>),
    Unmappable(Range<u64>, TextUnit, Option<char>, Option<char>),
}

impl Place {
    fn malformed(error: &DecodeError) -> Self {
        Self::Malformed(error.range(), error.bytes().to_vec())
    }

    fn unmappable(error: &EncodeError, range: Range<u64>, unit: TextUnit) -> Self {
        Self::Unmappable(range, unit, error.character(), error.code_point())
    }

    fn of(error: &TranscodeError) -> Self {
        match error {
            TranscodeError::Decode(error) => Self::malformed(error),
            TranscodeError::Encode(error) => Self::unmappable(error, error.range(), error.unit()),
        }
    }
}

/// The result of a conversion.
#[derive(Clone, Debug, Default, PartialEq)]
struct Converted {
    bytes: Vec<u8>,
    /// The errors at which it stopped.
    stops: Vec<Place>,
    /// The errors that were replaced: their number, and the first one.
    malformed: (u64, Option<Place>),
    unmappable: (u64, Option<Place>),
    encoding: Option<Encoding>,
}

/// The two sides of a conversion.
#[derive(Clone, Copy, Debug)]
struct Sides {
    from: Encoding,
    bom: Bom,
    malformed: Malformed,
    to: Encoding,
    mark: bool,
    unmappable: Unmappable,
}

impl Sides {
    fn decoder(self, malformed: Malformed) -> Decoder {
        self.from.decoder_with(DecodeOptions::new().bom(self.bom).malformed(malformed))
    }

    fn encoder(self) -> Encoder {
        self.to.encoder_with(EncodeOptions::new().bom(self.mark).unmappable(self.unmappable))
    }

    /// Whether an error of the encoder ends the text.
    fn is_end(self, error: &EncodeError) -> bool {
        self.unmappable == Unmappable::Fail || error.reason() == EncodeReason::UnmappableReplacement
    }

    fn transcoder(self) -> Transcoder {
        Transcoder::new(self.decoder(self.malformed), self.encoder())
    }

    /// Decodes and encodes one character at a time.
    fn expected(self, bytes: &[u8]) -> Converted {
        let mut result = Converted::default();
        let mut encoder = self.encoder();
        encoder.push("", &mut result.bytes).unwrap();
        let (items, decoder) = items(self.decoder(Malformed::Pause), bytes);
        let unit = if decoder.encoding() == UTF_8 { TextUnit::Utf8 } else { TextUnit::Input };
        result.encoding = Some(decoder.encoding());
        for (range, item) in items {
            let character = match item {
                Ok(character) => character,
                Err(error) if self.malformed == Malformed::Replace => {
                    result.malformed.0 += 1;
                    result.malformed.1.get_or_insert(Place::malformed(&error));
                    '\u{FFFD}'
                }
                Err(error) => {
                    result.stops.push(Place::malformed(&error));
                    if self.malformed == Malformed::Fail {
                        break;
                    }
                    continue;
                }
            };
            if let Err(error) = encoder.push(character.encode_utf8(&mut [0; 4]), &mut result.bytes) {
                result.stops.push(Place::unmappable(&error, range, unit));
                if self.is_end(&error) {
                    return result;
                }
            } else if encoder.errors().count() > result.unmappable.0 {
                result.unmappable.0 += 1;
                let error = encoder.errors().first().unwrap();
                result.unmappable.1.get_or_insert(Place::unmappable(error, range, unit));
            }
        }
        encoder.finish(&mut result.bytes).unwrap();
        result
    }

    /// Converts chunks to destinations of these sizes, in turn. No size means a `Vec` that grows.
    fn converted(self, chunks: &[&[u8]], sizes: &[usize]) -> Converted {
        let (mut result, mut transcoder) = (Converted::default(), self.transcoder());
        let mut sizes = sizes.iter().cycle();
        for (n, chunk) in chunks.iter().enumerate() {
            let (mut rest, last) = (*chunk, n + 1 == chunks.len());
            loop {
                let error = if let Some(&size) = sizes.next() {
                    let mut buffer = vec![0xAA; size];
                    let progress = transcoder.transcode(rest, &mut buffer, last);
                    rest = &rest[progress.read..];
                    result.bytes.extend_from_slice(&buffer[..progress.written]);
                    match progress.status {
                        Status::InputEmpty => {
                            assert_eq!(rest, b"");
                            break;
                        }
                        Status::OutputFull => continue,
                        Status::Error(error) => error,
                        _ => unreachable!(),
                    }
                } else {
                    let before = transcoder.position();
                    let pushed = transcoder.push(rest, &mut result.bytes);
                    rest = &rest[(transcoder.position() - before) as usize..];
                    let Err(error) = pushed else {
                        assert_eq!(rest, b"");
                        break;
                    };
                    error
                };
                result.stops.push(Place::of(&error));
                let ends = match &error {
                    TranscodeError::Decode(_) => self.malformed == Malformed::Fail,
                    TranscodeError::Encode(error) => self.is_end(error),
                };
                if ends {
                    let progress = transcoder.transcode(rest, &mut [0; 99], last);
                    assert_eq!((progress.read, progress.written), (0, 0), "after {error}");
                    assert_eq!(progress.status, Status::Error(error));
                    result.count(&transcoder);
                    return result;
                }
            }
        }
        result.count(&transcoder);
        if sizes.next().is_none() {
            // With `Pause`, the errors at the end are returned one by one by `transcode` only.
            let finished = transcoder.clone().finish(&mut result.bytes);
            if let Ok((decoded, encoded)) = &finished {
                result.malformed = (decoded.errors.count(), decoded.errors.first().map(Place::malformed));
                result.unmappable.0 = encoded.errors.count();
                result.unmappable.1 =
                    encoded.errors.first().map(|error| Place::unmappable(error, error.range(), error.unit()));
            }
            result.stops.extend(finished.as_ref().err().map(Place::of));
        }
        result
    }
}

impl Converted {
    /// Compares the parts one by one, because a message with all of a long output would not be readable.
    #[track_caller]
    fn assert_is(&self, expected: &Self, how: std::fmt::Arguments<'_>) {
        for (n, (found, expected)) in self.stops.iter().zip(&expected.stops).enumerate() {
            assert_eq!(found, expected, "{how}: stop {n}");
        }
        assert_eq!(self.stops.len(), expected.stops.len(), "{how}");
        assert_eq!((&self.malformed, &self.unmappable), (&expected.malformed, &expected.unmappable), "{how}");
        assert_eq!(self.encoding, expected.encoding, "{how}");
        let same = self.bytes.iter().zip(&expected.bytes).take_while(|(one, other)| one == other).count();
        let around = |bytes: &[u8]| bytes[same.saturating_sub(9)..].iter().take(20).copied().collect::<Vec<_>>();
        assert!(
            self.bytes == expected.bytes,
            "{how}: at {same} of {}: {:02X?}, {:02X?}",
            expected.bytes.len(),
            around(&self.bytes),
            around(&expected.bytes)
        );
    }

    fn count(&mut self, transcoder: &Transcoder) {
        let (malformed, unmappable) = (transcoder.decoder().errors(), transcoder.encoder().errors());
        self.malformed = (malformed.count(), malformed.first().map(Place::malformed));
        let first = unmappable.first().map(|error| Place::unmappable(error, error.range(), error.unit()));
        self.unmappable = (unmappable.count(), first);
        self.encoding = Some(transcoder.decoder().encoding());
    }
}

/// A character or a malformed sequence, and its range.
type Item = (Range<u64>, Result<char, DecodeError>);

/// Returns the characters and malformed sequences of an input, each with its range, and the decoder. Bytes are decoded one by one.
fn items(mut decoder: Decoder, bytes: &[u8]) -> (Vec<Item>, Decoder) {
    let (mut items, mut next) = (Vec::new(), 0);
    for n in 0..=bytes.len() {
        let (mut rest, last) = (bytes.get(n..=n).unwrap_or_default(), n == bytes.len());
        loop {
            let mut buffer = [0; 64];
            let progress = decoder.decode_to_utf8(rest, &mut buffer, last);
            rest = &rest[progress.read..];
            let text = str::from_utf8(&buffer[..progress.written]).unwrap();
            let error = match progress.status {
                textcodec::Status::Error(error) => Some(error),
                _ => None,
            };
            let pending = decoder.pending_bytes().len() as u64;
            let end = error.as_ref().map_or(decoder.position() - pending, |error| error.range().start);
            let others = text.chars().count().saturating_sub(1);
            for (n, character) in text.chars().enumerate() {
                let is_last = n == others || decoder.encoding() == BIG5;
                let until = if is_last { end } else { next + 1 };
                items.push((next..until, Ok(character)));
                if decoder.encoding() != BIG5 || n == others {
                    next = until;
                }
            }
            match error {
                Some(error) => {
                    next = error.range().end;
                    items.push((error.range(), Err(error)));
                }
                // An escape sequence or a byte order mark does not belong to the next character.
                None if text.is_empty() => {
                    next = decoder.position() - pending;
                    break;
                }
                None => break,
            }
        }
    }
    (items, decoder)
}

/// Checks a conversion in many ways.
fn check(sides: Sides, bytes: &[u8]) {
    let min = if sides.to == UTF_8 { 4 } else { 1 };
    let expected = sides.expected(bytes);
    let whole = |sizes: &[usize]| sides.converted(&[bytes], sizes);
    let assert = |mut found: Converted, how: &dyn std::fmt::Debug| {
        let may_end = matches!(sides.unmappable, Unmappable::Fail | Unmappable::Replace(_));
        if may_end && found.malformed.0 == expected.malformed.0 + 1 {
            // The byte that completed the unmappable U+FFFD is malformed itself. It is read and counted, and its U+FFFD is held.
            found.malformed = expected.malformed.clone();
        }
        found.assert_is(&expected, format_args!("{sides:?}, {how:?}: {}", bytes.escape_ascii()));
    };
    for size in [min, min + 1, min + 2, 7, 100] {
        assert(whole(&[size]), &size);
    }
    assert(whole(&[min, 9, min + 1]), &"sizes");
    let ones: Vec<_> = bytes.chunks(1).chain([&[][..]]).collect();
    assert(sides.converted(&ones, &[min]), &"bytes to the smallest");
    assert(sides.converted(&ones, &[50]), &"bytes");
    // `finish` returns one error only.
    let is_same = |found: &Converted| {
        let stops = &found.stops[..];
        found.bytes == expected.bytes && expected.stops.starts_with(stops) && found.unmappable == expected.unmappable
    };
    for at in 0..=bytes.len() {
        let (before, after) = bytes.split_at(at);
        assert(sides.converted(&[before, after], &[100]), &at);
        assert(sides.converted(&[before, after, b""], &[min + 1]), &at);
        let found = sides.converted(&[before, after], &[]);
        assert!(is_same(&found), "{sides:?}, {at}: {found:?}, {expected:?}: {}", bytes.escape_ascii());
    }
    let found = sides.converted(&ones, &[]);
    assert!(is_same(&found), "{sides:?}: {found:?}, {expected:?}: {}", bytes.escape_ascii());
}

const MALFORMED: [Malformed; 3] = [Malformed::Replace, Malformed::Fail, Malformed::Pause];

const UNMAPPABLE: [Unmappable; 6] = [
    Unmappable::Fail,
    Unmappable::Pause,
    Unmappable::Html,
    Unmappable::Replace('?'),
    // Unmappable itself in most encodings.
    Unmappable::Replace('\u{E5E5}'),
    Unmappable::Skip,
];

/// The encodings of both sides.
fn encodings() -> impl Iterator<Item = Encoding> {
    let all = Encoding::ALL.iter().chain(Encoding::EXTRA).copied();
    #[cfg(feature = "oem")]
    let all = all.chain(textcodec::oem::ALL.iter().copied().filter(|encoding| {
        use textcodec::oem;
        matches!(
            *encoding,
            oem::UTF_7
                | oem::UTF_32LE
                | oem::UTF_32
                | oem::TRUE_HZ
                | oem::TRUE_ISO_2022_KR
                | oem::CESU_8
                | oem::IBM437
                | oem::GSM_03_38
        )
    }));
    all
}

/// Some text in an encoding, damaged, or bytes of each kind.
fn input(from: Encoding, random: &mut fastrand::Rng, len: usize) -> Vec<u8> {
    const KINDS: &[u8] = b"\0\n\x0E\x0F\x1B\x1B\x1B$$()BJ@ 09:Aaz~{}+-\x7F\x80\x81\x84\x88\x8E\x8F\xA0\xA1\xA4\xB0\xC2\xD8\xDC\xE3\xED\xEF\xBB\xBF\xF0\xFE\xFF\x62\x66\x9F";
    if random.u8(..3) == 0 || from == REPLACEMENT {
        return (0..random.usize(..=len)).map(|_| KINDS[random.usize(..KINDS.len())]).collect();
    }
    let others = ['é', 'ж', '日', '語', '한', '\u{FFFD}', '😀', 'a', '<', '\u{E000}', '丂', 'Ê', '\u{304}', '\u{1B}'];
    let text: String = (0..random.usize(..=len / 2))
        .map(|_| others[random.usize(..others.len())])
        .filter(|character| from.can_encode(*character))
        .collect();
    let bytes = from.encode(&text).unwrap().into_owned();
    if random.bool() { texts::damage(&bytes, random) } else { bytes }
}

#[test]
fn any_chunks_and_destinations_give_the_same() {
    let random = &mut fastrand::Rng::with_seed(53);
    let all: Vec<_> = encodings().collect();
    let targets: Vec<_> = all.iter().copied().filter(|to| to.has_encoder()).collect();
    for &from in &all {
        for _ in 0..testkit::rounds(150) {
            let (to, bytes) = (targets[random.usize(..targets.len())], input(from, random, 12));
            let sides = Sides {
                from,
                bom: [Bom::Keep, Bom::Sniff, Bom::StripOwn][random.usize(..3)],
                malformed: MALFORMED[random.usize(..3)],
                to,
                mark: random.bool(),
                unmappable: UNMAPPABLE[random.usize(..6)],
            };
            if sides.to.has_encoder() {
                check(sides, &bytes);
            }
        }
    }
}

#[test]
fn errors_have_their_places_in_long_inputs() {
    let random = &mut fastrand::Rng::with_seed(54);
    let all: Vec<_> = encodings().filter(|from| *from != REPLACEMENT).collect();
    for &from in &all {
        for to in [UTF_8, KOI8_R, SHIFT_JIS, ISO_2022_JP, UTF_16BE, GB18030] {
            // Characters that both encodings have, others between, and malformed bytes.
            let mut common: Vec<char> =
                texts::repertoire(from, 300, random).chars().filter(|c| to.can_encode(*c)).collect();
            common.extend('a'..='z');
            let others: Vec<char> = texts::repertoire(from, 50, random).chars().collect();
            let mut text = String::new();
            for n in 0..2500 {
                let characters = if n % 997 == 996 { &others } else { &common };
                text.push(characters[random.usize(..characters.len())]);
            }
            let mut bytes = from.encode_with(&text, Unmappable::Skip).unwrap().bytes.into_owned();
            // In UTF-7, a byte can end base64 with an error and be malformed itself. The place of the first U+FFFD is not known then.
            let is_utf_7 = from.name().starts_with("UTF-7");
            for _ in 0..if is_utf_7 { 0 } else { 3 } {
                let at = random.usize(..bytes.len());
                bytes[at] = 0xFF;
            }
            for (malformed, unmappable) in
                [(Malformed::Replace, Unmappable::Pause), (Malformed::Pause, Unmappable::Html)]
            {
                let sides = Sides { from, bom: Bom::Keep, malformed, to, mark: false, unmappable };
                let expected = sides.expected(&bytes);
                for sizes in [&[10_000][..], &[64, 5, 1000], &[33]] {
                    sides.converted(&[&bytes], sizes).assert_is(&expected, format_args!("{sides:?} {sizes:?}"));
                    let chunks: Vec<_> = bytes.chunks(random.usize(1..3000)).chain([&[][..]]).collect();
                    sides.converted(&chunks, sizes).assert_is(&expected, format_args!("{sides:?} {sizes:?}"));
                }
            }
        }
    }
}

#[test]
fn offsets_are_those_of_the_input() {
    for (from, to, bytes, expected) in [
        (SHIFT_JIS, KOI8_R, &b"a\x93\xFAb"[..], 1..3),
        // After the escape sequence.
        (ISO_2022_JP, WINDOWS_1252, b"a\x1B$BF|\x1B(B", 4..6),
        // The replacement of a malformed sequence.
        (UTF_8, KOI8_R, b"ab\xE2\x82c", 2..4),
        (UTF_16LE, KOI8_R, b"\xFF\xFEa\0\x3D\xD8\0\xDE", 4..8),
        // Both characters of a pair, of which the second is unmappable.
        (BIG5, WINDOWS_1252, b"a\x88\x62", 1..3),
        (GB18030, KOI8_R, b"a\x810\x810b", 1..5),
    ] {
        let error = Transcoder::new(from.decoder(), to.encoder()).push(bytes, &mut Vec::new()).unwrap_err();
        assert_eq!(error.range(), expected, "{from}");
    }
}

#[test]
fn the_output_before_an_error_is_complete() {
    let mut transcoder =
        Transcoder::new(UTF_8.decoder_with(Malformed::Fail), ISO_2022_JP.encoder_with(Unmappable::Html));
    let mut bytes = Vec::new();
    let error =
        transcoder.push("日\u{1F600}本".as_bytes(), &mut bytes).and_then(|()| transcoder.push(b"\xFF!", &mut bytes));
    assert_eq!(error.unwrap_err().range(), 10..11);
    assert_eq!(bytes, b"\x1B$BF|\x1B(B&#128512;\x1B$BK\\\x1B(B");
    // Nothing more is written.
    assert_eq!(transcoder.finish(&mut bytes).unwrap_err().range(), 10..11);
    assert_eq!(bytes.len(), 25);
}

#[test]
fn a_transcoder_can_be_used_again() {
    let mut transcoder = Transcoder::new(UTF_8.decoder(), UTF_16LE.encoder_with(EncodeOptions::new().bom(true)));
    for _ in 0..2 {
        let mut buffer = [0; 16];
        let progress = transcoder.transcode(b"\xEF\xBB\xBFa\xFF", &mut buffer, true);
        assert_eq!((progress.read, progress.status), (5, Status::InputEmpty));
        assert_eq!(buffer[..progress.written], *b"\xFF\xFEa\0\xFD\xFF");
        assert_eq!(transcoder.decoder().errors().count(), 1);
    }
    transcoder.reset();
    assert_eq!(transcoder.position(), 0);
}
