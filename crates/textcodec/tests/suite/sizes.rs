//! The bounds of `length.rs` are sufficient and tight.

use testkit::{drive::Source, rounds, texts};
use textcodec::{Bom, DecodeOptions, Encoding, Malformed, Status, Unmappable};

/// Decodes each input in one call with a buffer of the bound's length. Returns the length of the longest output.
fn longest_utf8(encoding: Encoding, bom: Bom, inputs: &[Vec<u8>]) -> usize {
    let written = |input: &Vec<u8>| {
        let mut decoder = encoding.decoder_with(DecodeOptions::new().bom(bom));
        let mut buffer = vec![0; decoder.max_utf8_len(input.len()).unwrap()];
        let progress = decoder.decode_to_utf8(input, &mut buffer, true);
        assert_eq!(progress.status, Status::InputEmpty, "{encoding} {input:02X?}");
        progress.written
    };
    inputs.iter().map(written).max().unwrap()
}

fn longest_utf16(encoding: Encoding, bom: Bom, inputs: &[Vec<u8>]) -> usize {
    let written = |input: &Vec<u8>| {
        let mut decoder = encoding.decoder_with(DecodeOptions::new().bom(bom));
        let mut buffer = vec![0; decoder.max_utf16_len(input.len()).unwrap()];
        let progress = decoder.decode_to_utf16(input, &mut buffer, true);
        assert_eq!(progress.status, Status::InputEmpty, "{encoding} {input:02X?}");
        progress.written
    };
    inputs.iter().map(written).max().unwrap()
}

/// Returns inputs of one repeated unit, and byte order marks before bytes that are malformed.
fn bad_inputs(len: usize) -> Vec<Vec<u8>> {
    let same = (0..=0xFF).map(|byte| vec![byte; len]);
    let units = [[0x4E, 0x2D], [0x00, 0xD8]].map(|unit| unit.into_iter().cycle().take(len).collect());
    let marks = [&b"\xEF\xBB\xBF"[..], b"\xFF\xFE", b"\xFE\xFF"];
    let marked = marks.map(|mark| mark.iter().copied().chain([0xFF; 40]).take(len).collect());
    same.chain(units).chain(marked).collect()
}

#[test]
fn decoding_bounds_are_tight() {
    for &encoding in Encoding::ALL.iter().chain(Encoding::EXTRA) {
        for bom in [Bom::Sniff, Bom::Keep] {
            for len in [0, 1, 2, 3, 4, 7, 10, 16, 33] {
                let inputs = bad_inputs(len);
                let decoder = encoding.decoder_with(DecodeOptions::new().bom(bom));
                let utf8 = longest_utf8(encoding, bom, &inputs);
                assert_eq!(decoder.max_utf8_len(len), Some(utf8), "{encoding}, {len} bytes, {bom:?}");
                let utf16 = longest_utf16(encoding, bom, &inputs);
                assert_eq!(decoder.max_utf16_len(len), Some(utf16), "{encoding}, {len} bytes, {bom:?}");
            }
        }
    }
}

/// Returns inputs of one repeated sequence whose output is long in some encoding.
fn good_inputs(len: usize) -> Vec<Vec<u8>> {
    let pairs = [&b"\x88\x62"[..], b"\xC7\xD1", b"\xA4\xA2", b"\x8E\xB1", b"\x4E\x2D", b"\x2D\x4E", b"\xE3\x81\x82"];
    let with_last =
        |pair: &[u8]| pair.iter().copied().cycle().take(len / 2 * 2).chain([b'a'].repeat(len % 2)).collect();
    pairs.into_iter().map(with_last).collect()
}

#[test]
fn decoding_bounds_without_replacement_are_sufficient_and_tight() {
    for &encoding in Encoding::ALL.iter().chain(Encoding::EXTRA) {
        for bom in [Bom::Sniff, Bom::Keep] {
            let options = DecodeOptions::new().bom(bom).malformed(Malformed::Pause);
            for len in [0, 1, 2, 3, 4, 7, 10, 16, 33] {
                let bound = encoding.decoder_with(options).max_utf8_len(len).unwrap();
                let mut katakana = b"\x1B(I".to_vec();
                katakana.resize(len.max(3), 0x31);
                let marked = [&b"\xFF\xFE"[..], &[0xE5; 40]].concat();
                let mut longest = 0;
                let inputs = [katakana[..len].to_vec(), marked[..len].to_vec()];
                for input in bad_inputs(len).into_iter().chain(good_inputs(len)).chain(inputs) {
                    let (mut decoder, mut buffer) = (encoding.decoder_with(options), vec![0; bound]);
                    let (mut read, mut written) = (0, 0);
                    loop {
                        let progress = decoder.decode_to_utf8(&input[read..], &mut buffer[written..], true);
                        (read, written) = (read + progress.read, written + progress.written);
                        match progress.status {
                            Status::InputEmpty => break,
                            Status::Error(_) => {}
                            _ => panic!("{encoding} {input:02X?} does not fit into {bound}"),
                        }
                    }
                    longest = longest.max(written);
                }
                // ISO-2022-JP first needs an escape sequence to katakana, which produces no text.
                let slack = 9 * usize::from(encoding == textcodec::ISO_2022_JP);
                assert!(longest + slack >= bound, "{encoding}, {len} bytes, {bom:?}: {longest} of {bound}");
            }
        }
    }
}

#[cfg(feature = "oem")]
const OUTSIDE: &[Encoding] = super::outside::EACH;
#[cfg(not(feature = "oem"))]
const OUTSIDE: &[Encoding] = &[];

#[test]
fn decoding_bounds_are_sufficient_in_the_middle_of_a_stream() {
    let random = &mut fastrand::Rng::with_seed(4);
    for &encoding in Encoding::ALL.iter().chain(OUTSIDE) {
        for _ in 0..rounds(2000) {
            let valid = encoding.encode(texts::SENTENCES[random.usize(..texts::SENTENCES.len())]);
            let from = valid.as_ref().map_or(0, |valid| random.usize(..=valid.len()));
            let bytes = match valid {
                Ok(valid) => texts::damage(&valid[from..], random),
                Err(_) => vec![random.u8(..); 9],
            };
            let cut = random.usize(..=bytes.len());
            let mut decoder = encoding.decoder();
            if random.bool() {
                // A finished decoder behaves like a new one, whatever byte order mark its previous input had.
                let _ = decoder.decode_to_utf8(b"\xFF\xFEa\0", &mut [0; 64], true);
            }
            let mut small = vec![0; random.usize(..12)];
            let cut = cut * usize::from(random.bool());
            let read = if cut > 0 { decoder.decode_to_utf8(&bytes[..cut], &mut small, false).read } else { 0 };
            let rest = &bytes[read..];
            let mut utf16 = vec![0; decoder.max_utf16_len(rest.len()).unwrap()];
            let progress = decoder.clone().decode_to_utf16(rest, &mut utf16, true);
            assert_eq!(progress.status, Status::InputEmpty, "{encoding} {bytes:02X?} cut at {read}");
            let mut utf8 = vec![0; decoder.max_utf8_len(rest.len()).unwrap()];
            let progress = decoder.decode_to_utf8(rest, &mut utf8, true);
            assert_eq!(progress.status, Status::InputEmpty, "{encoding} {bytes:02X?} cut at {read}");
        }
    }
}

#[test]
fn decoding_bounds_after_the_end_are_those_of_a_new_decoder() {
    for mark in [&b"\xEF\xBB\xBFa"[..], b"\xFF\xFEa\0", b"\xFE\xFF\0a"] {
        for &encoding in Encoding::ALL {
            for malformed in [Malformed::Replace, Malformed::Pause] {
                let options = DecodeOptions::new().malformed(malformed);
                let mut used = encoding.decoder_with(options);
                assert_eq!(used.decode_to_utf8(mark, &mut [0; 16], true).status, Status::InputEmpty);
                let fresh = encoding.decoder_with(options);
                assert_eq!(used.max_utf8_len(100), fresh.max_utf8_len(100), "{encoding}");
                assert_eq!(used.max_utf16_len(100), fresh.max_utf16_len(100), "{encoding}");
            }
        }
    }
}

#[test]
fn decoding_bounds_include_pending_characters() {
    for (encoding, bytes) in
        [(textcodec::GB18030, &b"\x94\x39\xFC\x36"[..]), (textcodec::UTF_16LE, b"\x3D\xD8\x00\xDE")]
    {
        let mut decoder = encoding.decoder();
        // U+1F600 needs four bytes. It becomes pending, because its first byte was in an earlier chunk.
        assert_eq!(decoder.decode_to_utf8(&bytes[..1], &mut [0; 3], false).read, 1);
        assert_eq!(decoder.decode_to_utf8(&bytes[1..], &mut [0; 3], false).read, 3);
        let mut rest = vec![0; decoder.max_utf8_len(0).unwrap()];
        assert_eq!(decoder.clone().decode_to_utf8(b"", &mut rest, true).written, 4, "{encoding}");
        let mut rest = vec![0; decoder.max_utf16_len(0).unwrap()];
        assert_eq!(decoder.decode_to_utf16(b"", &mut rest, true).written, 2, "{encoding}");
    }
}

#[test]
fn encoding_bounds_are_sufficient_in_the_middle_of_a_stream() {
    let random = &mut fastrand::Rng::with_seed(13);
    let characters: Vec<char> = CHARACTERS.into_iter().chain(texts::SENTENCES.concat().chars()).collect();
    for &encoding in Encoding::ALL.iter().chain(Encoding::EXTRA).chain(OUTSIDE) {
        for unmappable in [Unmappable::Skip, Unmappable::Html, Unmappable::Replace('?')] {
            if !encoding.has_encoder() {
                continue;
            }
            let mut encoder = encoding.encoder_with(unmappable);
            for _ in 0..rounds(2000) {
                let mut text: Vec<u16> = Vec::new();
                for _ in 0..random.usize(1..5) {
                    match random.u8(..4) {
                        0 => text.push(random.u16(0xD800..=0xDFFF)),
                        1 => text.extend(CHARACTERS[random.usize(..CHARACTERS.len())].encode_utf16(&mut [0; 2]).iter()),
                        _ => text.extend(characters[random.usize(..characters.len())].encode_utf16(&mut [0; 2]).iter()),
                    }
                }
                let cut = random.usize(..=text.len());
                let read = encoder.encode_from_utf16(&text[..cut], &mut vec![0; random.usize(..8)], false).read;
                let mut whole = vec![0; encoder.max_len_from_utf16(text.len() - read).unwrap()];
                let progress = encoder.clone().encode_from_utf16(&text[read..], &mut whole, true);
                assert_eq!(progress.status, Status::InputEmpty, "{encoding} {unmappable:?} {text:04X?} cut at {read}");
                let rest = String::from_utf16_lossy(&text[read..]);
                let mut whole = vec![0; encoder.max_len_from_utf8(rest.len()).unwrap()];
                let progress = encoder.encode_from_utf8(&rest, &mut whole, true);
                assert_eq!(progress.status, Status::InputEmpty, "{encoding} {unmappable:?} {text:04X?} cut at {read}");
            }
        }
    }
}

#[test]
fn encoding_bounds_include_pending_output() {
    // Only the final escape sequence is pending.
    let mut encoder = textcodec::ISO_2022_JP.encoder();
    let progress = encoder.encode_from_utf8("日", &mut [0; 5], false);
    assert_eq!(progress.status, Status::InputEmpty);
    assert!(encoder.max_len_from_utf8(0).is_some_and(|len| len >= 3));
    // Pending bytes, and a surrogate that may become an HTML reference.
    let mut encoder = textcodec::WINDOWS_1252.encoder_with(Unmappable::Html);
    let progress = encoder.encode_from_utf16(&[0xFFFD, 0xD800], &mut [0; 1], false);
    assert_eq!(progress.status, Status::OutputFull);
    let rest = [0xD800];
    let bound = encoder.max_len_from_utf16(rest.len()).unwrap();
    let progress = encoder.encode_from_utf16(&rest, &mut vec![0; bound], true);
    assert_eq!((progress.written, progress.status), (7 + 8, Status::InputEmpty));
}

/// Where text fills a destination, a call without one reads nothing: what it would read has been read and is held.
#[test]
fn a_call_without_room_reads_nothing_after_one_that_filled_its_destination() {
    let random = &mut fastrand::Rng::with_seed(6);
    for &encoding in Encoding::ALL.iter().chain(OUTSIDE).filter(|encoding| encoding.has_encoder()) {
        let mut text = String::new();
        for _ in 0..8 {
            text += &"ascii"[..random.usize(..5)];
            text += &texts::repertoire(encoding, 2, random);
        }
        let units: Vec<u16> = text.encode_utf16().collect();
        let bytes = encoding.encode(&text).unwrap();
        let mut room = vec![0; bytes.len()];
        let mut filled = 0;
        for len in 0..bytes.len() {
            let mut encoder = encoding.encoder();
            let progress = encoder.encode_from_utf8(&text, &mut room[..len], true);
            if progress.status == Status::OutputFull && progress.written == len {
                let again = encoder.encode_from_utf8(&text[progress.read..], &mut [0; 0], true);
                assert_eq!((again.read, again.status), (0, Status::OutputFull), "{encoding} {text:?} {len}");
                filled += 1;
            }
            let mut encoder = encoding.encoder();
            let progress = encoder.encode_from_utf16(&units, &mut room[..len], true);
            if progress.status == Status::OutputFull && progress.written == len {
                let again = encoder.encode_from_utf16(&units[progress.read..], &mut [0; 0], true);
                assert_eq!((again.read, again.status), (0, Status::OutputFull), "{encoding} {text:?} {len}");
            }
            let mut decoder = encoding.decoder();
            let progress = decoder.decode_to_utf16(&bytes, &mut vec![0; len], true);
            if progress.status == Status::OutputFull && progress.written == len {
                let again = decoder.decode_to_utf16(&bytes[progress.read..], &mut [0; 0], true);
                assert_eq!((again.read, again.status), (0, Status::OutputFull), "{encoding} {text:?} {len}");
            }
        }
        assert!(filled > 5, "{encoding}");
    }
}

/// Characters whose output is long in some encoding, because they are unmappable or need an escape sequence, and others.
const CHARACTERS: [char; 14] = [
    'a',
    '\u{E}',
    '¥',
    'ж',
    '\u{80}',
    '\u{7FF}',
    '日',
    '\u{E5E5}',
    '\u{FFFD}',
    '\u{E000}',
    '\u{F780}',
    '😀',
    '\u{10FFFF}',
    '가',
];

/// Returns all strings of up to four of the characters.
fn long_texts() -> Vec<String> {
    let mut texts = vec![String::new()];
    for len in 1..=4 {
        let shorter: Vec<String> = texts.iter().filter(|text| text.chars().count() == len - 1).cloned().collect();
        texts.extend(shorter.iter().flat_map(|text| CHARACTERS.map(|c| format!("{text}{c}"))));
    }
    texts
}

#[test]
fn encoding_bounds_are_sufficient_and_tight() {
    let texts = long_texts();
    for &encoding in Encoding::ALL.iter().chain(Encoding::EXTRA).chain(OUTSIDE) {
        for unmappable in [Unmappable::Pause, Unmappable::Html, Unmappable::Skip, Unmappable::Replace('?')] {
            if !encoding.has_encoder() {
                continue;
            }
            let encoder = encoding.encoder_with(unmappable);
            let (mut utf8, mut utf16) = (Reached::default(), Reached::default());
            for text in &texts {
                let units: Vec<u16> = text.encode_utf16().collect();
                utf8.add(&encoder, Source::Utf8(text));
                utf16.add(&encoder, Source::Utf16(&units));
            }
            // With `Replace`, a question mark is not the longest possible replacement.
            let tight = matches!(unmappable, Unmappable::Pause | Unmappable::Html);
            let tight = tight && !OUTSIDE.contains(&encoding);
            assert!(!tight || utf8.bound && utf16.bound, "{encoding} {unmappable:?}: {utf8:?}, {utf16:?}");
        }
    }
}

#[derive(Debug, Default)]
struct Reached {
    bound: bool,
}

impl Reached {
    /// Encodes text with a buffer of the bound's length.
    fn add(&mut self, encoder: &textcodec::Encoder, text: Source<'_>) {
        let bound = text.max_len(encoder).unwrap();
        let (mut buffer, mut read, mut written) = (vec![0; bound], 0, 0);
        let mut encoder = encoder.clone();
        loop {
            let dst = &mut buffer[written..];
            let progress = match text {
                Source::Utf8(text) => encoder.encode_from_utf8(&text[read..], dst, true),
                Source::Utf16(text) => encoder.encode_from_utf16(&text[read..], dst, true),
            };
            read += progress.read;
            written += progress.written;
            match progress.status {
                Status::InputEmpty => break,
                Status::Error(_) => {}
                _ => panic!("{} {text:?} does not fit into {bound}", encoder.encoding()),
            }
        }
        self.bound |= text.len() > 1 && written == bound;
    }
}

#[test]
fn encoding_bounds_include_the_escape_sequences_of_replacements() {
    let encoder = textcodec::ISO_2022_JP.encoder_with(Unmappable::Replace('〓'));
    let mut reached = Reached::default();
    reached.add(&encoder, Source::Utf8("\u{E}a\u{E}"));
    assert!(reached.bound);
}

#[test]
fn bounds_do_not_overflow() {
    for &encoding in Encoding::ALL {
        let decoder = encoding.decoder();
        assert!(decoder.max_utf8_len(usize::MAX).is_none() || encoding == textcodec::REPLACEMENT);
        let _ = decoder.max_utf16_len(usize::MAX);
        let encoder = encoding.encoder_with(Unmappable::Html);
        let _ = (encoder.max_len_from_utf8(usize::MAX), encoder.max_len_from_utf16(usize::MAX));
    }
}

#[test]
fn a_pair_that_decodes_to_two_code_points_may_take_two_calls() {
    let mut decoder = textcodec::BIG5.decoder();
    let mut buffer = [0; 3];
    let first = decoder.decode_to_utf8(b"\x88\x62", &mut buffer, true);
    assert_eq!((first.read, &buffer[..first.written]), (2, "\u{CA}".as_bytes()));
    let second = decoder.decode_to_utf8(b"", &mut buffer, true);
    assert_eq!((second.status, &buffer[..second.written]), (Status::InputEmpty, "\u{304}".as_bytes()));
}
