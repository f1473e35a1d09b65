//! The contract of bulk conversions, at every level and for any input: the oracle converts the part of the input that was read
//! to the output that was written, without errors, and no character is left incomplete. Also coverage: kernels convert nearly
//! all of a valid input.

use testkit::{
    drive::{self, Source, Unit},
    levels,
    oracle::{self, Decoded},
    rounds, texts,
};
use textcodec::{
    BIG5, Bom, EUC_JP, Encoding, GB18030, GBK, ISO_2022_JP, REPLACEMENT, UTF_16BE, UTF_16LE,
    testing::{self, Level},
};

/// Returns the encodings whose kernels must convert at least 99 % of valid text: all that have text.
fn with_kernels() -> impl Iterator<Item = Encoding> {
    Encoding::ALL.iter().chain(Encoding::EXTRA).copied().filter(|&encoding| encoding != REPLACEMENT)
}

/// Returns random well-formed input for a decoder: pairs of bytes, and sequences of three and four bytes if the encoding has
/// them. Includes sequences that no encoder produces.
fn decodable(encoding: Encoding, len: usize, random: &mut fastrand::Rng) -> Vec<u8> {
    if matches!(encoding, ISO_2022_JP | UTF_16BE | UTF_16LE | textcodec::UTF_8) {
        return encoding.encode(&texts::repertoire(encoding, len / 3, random)).unwrap().into_owned();
    }
    let pairs: Vec<[u8; 2]> = (0..=u16::MAX)
        .map(u16::to_be_bytes)
        .filter(|pair| encoding.decode_strict(pair).is_ok() && !matches!(pair, [0xFE, 0xFF] | [0xFF, 0xFE]))
        .collect();
    let mut bytes = Vec::new();
    while bytes.len() < len {
        let more: Vec<u8> = match encoding {
            EUC_JP if random.bool() => vec![0x8F, random.u8(0xA1..=0xFE), random.u8(0xA1..=0xFE)],
            GB18030 | GBK if random.bool() => {
                vec![random.u8(0x81..=0xFE), random.u8(0x30..=0x39), random.u8(0x81..=0xFE), random.u8(0x30..=0x39)]
            }
            _ => pairs[random.usize(..pairs.len())].into(),
        };
        if encoding.decode_strict(&more).is_ok() {
            bytes.extend(more);
        }
    }
    bytes
}

/// Returns random well-formed input that an encoding's kernels can convert.
///
/// Leaves out rare characters, which are converted one at a time: those of Big5 outside the BMP and its pairs that decode to
/// two code points, the three-byte sequences of EUC-JP, and the four-byte sequences of gb18030 outside the long ranges of code
/// points; without `four_bytes`, all four-byte sequences.
fn decodable_by_kernels(encoding: Encoding, four_bytes: bool, len: usize, random: &mut fastrand::Rng) -> Vec<u8> {
    if matches!(encoding, ISO_2022_JP | UTF_16BE | UTF_16LE | textcodec::UTF_8) {
        return decodable(encoding, len, random);
    }
    let is_common = |text: &str| text.chars().all(|c| c <= '\u{FFFF}' && !matches!(c, '\u{304}' | '\u{30C}'));
    let pairs: Vec<[u8; 2]> = (0..=u16::MAX)
        .map(u16::to_be_bytes)
        .filter(|pair| !matches!(pair, [0xFE, 0xFF] | [0xFF, 0xFE]))
        .filter(|pair| encoding.decode_strict(pair).is_ok_and(|text| is_common(&text)))
        .collect();
    let mut bytes = Vec::new();
    while bytes.len() < len {
        if four_bytes && random.bool() {
            let range = [0x460..=0x1E00, 0x2700..=0x2E00, 0xA000..=0xD7FF, 0xE900..=0xF900][random.usize(..4)].clone();
            for character in std::iter::repeat_with(|| char::from_u32(random.u32(range.clone()))).take(1000).flatten() {
                bytes.extend_from_slice(&GB18030.encode(character.encode_utf8(&mut [0; 4])).unwrap());
            }
        } else {
            bytes.extend((0..1000).flat_map(|_| pairs[random.usize(..pairs.len())]));
        }
    }
    bytes
}

/// Returns whether a level has a kernel for the four-byte sequences of an encoding.
fn has_four_byte_kernel(level: Level, encoding: Encoding) -> bool {
    matches!(encoding, GB18030 | GBK) && matches!(level.name(), "avx512" | "avx2")
}

/// The numbers of units that kernels, items and handlers have converted since the previous call.
struct Counts {
    bulk: usize,
    items: usize,
    handled: usize,
}

impl Counts {
    fn take() -> Self {
        let (bulk, items, handled) = testing::take_counts();
        Self { bulk, items, handled }
    }

    fn assert_converted_by_kernels(&self, what: &str) {
        let (kernels, others) = (self.bulk, self.items + self.handled);
        assert!(kernels > 30_000 && 99 * others <= kernels, "{what}: kernels converted {kernels}, others {others}");
    }

    fn assert_not_converted_by_handlers(&self, what: &str) {
        let (handlers, others) = (self.handled, self.bulk + self.items);
        assert!(others > 30_000 && 99 * handlers <= others, "{what}: handlers converted {handlers}, others {others}");
    }
}

/// This suite runs in the checked mode, because a store past the end may otherwise go unnoticed.
#[test]
fn stores_are_checked() {
    let checked = cfg!(any(debug_assertions, textcodec_checked));
    assert!(checked, "kernels do not check their stores: build with debug assertions or `--cfg textcodec_checked`");
}

#[test]
fn kernels_convert_nearly_all_of_valid_text() {
    let random = &mut fastrand::Rng::with_seed(1);
    for encoding in with_kernels() {
        let all = decodable(encoding, 65_536, random);
        let [without_four, with_four] = [false, true].map(|four_bytes| {
            let is_used = levels().iter().any(|&level| has_four_byte_kernel(level, encoding) == four_bytes);
            if is_used { decodable_by_kernels(encoding, four_bytes, 65_536, random) } else { Vec::new() }
        });
        let text = texts::repertoire(encoding, 65_536, random);
        let units: Vec<u16> = text.encode_utf16().collect();
        for &level in levels() {
            let common = if has_four_byte_kernel(level, encoding) { &with_four } else { &without_four };
            for (bytes, check) in [
                (common, Counts::assert_converted_by_kernels as fn(&Counts, &str)),
                (&all, Counts::assert_not_converted_by_handlers),
            ] {
                let capacity = || 4 * bytes.len();
                Counts::take();
                let mut decoder = level.decoder(encoding.decoder());
                drive::decode::<u8>(&mut decoder, &[bytes], capacity, &mut Vec::new(), |_, _| unreachable!());
                check(&Counts::take(), &format!("{}: {encoding} to UTF-8", level.name()));
                assert!(decoder.errors().is_empty());
                let mut decoder = level.decoder(encoding.decoder());
                drive::decode::<u16>(&mut decoder, &[bytes], capacity, &mut Vec::new(), |_, _| unreachable!());
                check(&Counts::take(), &format!("{}: {encoding} to UTF-16", level.name()));
            }

            for source in [Source::Utf8(&text), Source::Utf16(&units)] {
                let mut encoder = level.encoder(encoding.encoder());
                let capacity = || 10 * text.len();
                drive::encode(&mut encoder, &[source], capacity, &mut Vec::new(), |_| unreachable!());
                let form = if let Source::Utf8(_) = source { "UTF-8" } else { "UTF-16" };
                // One in eight of Big5's characters is outside the BMP, and its kernels do not convert these.
                let check = if encoding == BIG5 {
                    Counts::assert_not_converted_by_handlers
                } else {
                    Counts::assert_converted_by_kernels
                };
                check(&Counts::take(), &format!("{}: {encoding} from {form}", level.name()));
            }
        }
    }
}

#[test]
fn decoding_kernels_agree_with_the_oracle() {
    let random = &mut fastrand::Rng::with_seed(2);
    for &encoding in Encoding::ALL.iter().filter(|encoding| **encoding != REPLACEMENT) {
        let valid = decodable(encoding, 4096, random);
        for _ in 0..rounds(400) {
            let from = random.usize(..valid.len() - 300);
            let mut src = valid[from..from + random.usize(..300)].to_vec();
            for _ in 0..random.usize(..3) {
                src = texts::damage(&src, random);
            }
            let capacity = random.usize(..2 * src.len() + 8);
            check_decoding::<u8>(encoding, &src, capacity);
            check_decoding::<u16>(encoding, &src, capacity);
        }
    }
}

fn check_decoding<U: Bulk>(encoding: Encoding, src: &[u8], capacity: usize) {
    let mut expected = Decoded::default();
    for &level in levels() {
        let mut dst = vec![U::UNWRITTEN; capacity + 32];
        let (read, written, is_neutral) = U::bulk(level, encoding, src, &mut dst[..capacity]);
        let what = || format!("{encoding} {src:02X?}, capacity {capacity}, {}", level.name());
        assert!(is_neutral, "not in the neutral state after {}", what());
        oracle::decode(&mut expected, oracle::encoding(encoding), &src[..read], Bom::Keep, false);
        assert!(expected.errors.is_empty(), "malformed input read: {}", what());
        assert!(U::is_text(&dst[..written], &expected.text), "text of the first {read} bytes of {}", what());
        assert!(dst[capacity..].iter().all(|&unit| unit == U::UNWRITTEN), "canary of {}", what());
    }
}

trait Bulk: Unit {
    fn bulk(level: Level, encoding: Encoding, src: &[u8], dst: &mut [Self]) -> (usize, usize, bool);
}

impl Bulk for u8 {
    fn bulk(level: Level, encoding: Encoding, src: &[u8], dst: &mut [Self]) -> (usize, usize, bool) {
        level.bulk_to_utf8(encoding, src, dst)
    }
}

impl Bulk for u16 {
    fn bulk(level: Level, encoding: Encoding, src: &[u8], dst: &mut [Self]) -> (usize, usize, bool) {
        level.bulk_to_utf16(encoding, src, dst)
    }
}

#[test]
fn encoding_kernels_agree_with_the_oracle() {
    let random = &mut fastrand::Rng::with_seed(3);
    let everything: Vec<char> = texts::SENTENCES.concat().chars().collect();
    for &encoding in Encoding::ALL.iter().filter(|encoding| encoding.output_encoding() == **encoding) {
        let valid: Vec<char> = texts::repertoire(encoding, 1000, random).chars().collect();
        for _ in 0..rounds(400) {
            let mut text: Vec<char> = (0..random.usize(..100)).map(|_| valid[random.usize(..1000)]).collect();
            for _ in 0..random.usize(..3) {
                text.insert(random.usize(..=text.len()), everything[random.usize(..everything.len())]);
            }
            let capacity = random.usize(..4 * text.len() + 8);
            let utf8: String = text.iter().collect();
            let mut utf16: Vec<u16> = utf8.encode_utf16().collect();
            if random.bool() {
                utf16.insert(random.usize(..=utf16.len()), random.u16(0xD800..=0xDFFF));
            }
            for &level in levels() {
                let mut dst = vec![0xA5; capacity + 32];
                let (read, written) = level.bulk_from_utf8(encoding, &utf8, &mut dst[..capacity]).unwrap();
                check_encoding(encoding, &utf8[..read], &dst, written, capacity);
                let (read, written) = level.bulk_from_utf16(encoding, &utf16, &mut dst[..capacity]).unwrap();
                check_encoding(encoding, &String::from_utf16(&utf16[..read]).unwrap(), &dst, written, capacity);
            }
        }
    }
}

fn check_encoding(encoding: Encoding, read: &str, dst: &[u8], written: usize, capacity: usize) {
    let expected = spec_model::encode(oracle::encoding(encoding), read.chars(), spec_model::EncodeMode::Fatal).unwrap();
    assert!(expected.errors.is_empty(), "{encoding}: unmappable text read: {read:?}");
    // The oracle returns to ASCII at the end of ISO-2022-JP. A kernel does not know the end of the text.
    let end = expected.bytes.strip_prefix(&dst[..written]);
    let ends = |end: Option<&[u8]>| matches!(end, Some(b"" | b"\x1B(B"));
    // A kernel may write an escape sequence before a character that does not fit.
    let escaped = encoding == ISO_2022_JP && dst[..written].ends_with(b"\x1B$B") | dst[..written].ends_with(b"\x1B(J");
    let escaped = escaped && expected.bytes.starts_with(&dst[..written - 3]);
    assert!(ends(end) || escaped, "{encoding}: {read:?} was encoded as {:02X?}", &dst[..written]);
    assert!(dst[capacity..].iter().all(|&byte| byte == 0xA5), "{encoding}: canary");
}
