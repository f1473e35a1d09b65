//! [`Runner`]: one case in every variation that must not change the result.

use std::sync::OnceLock;

use textcodec::{Bom, DecodeOptions, Encoding, Malformed, Unmappable, testing::Level};

use crate::{
    drive::{self, Source, Unit},
    oracle, rounds,
};

/// Inputs up to this length are cut at every position.
const SHORT: usize = 40;

/// Returns the kernel levels of this machine. The first call detects and prints them.
///
/// Three environment variables check or limit them:
/// * `TEXTCODEC_EXPECT_LEVELS`: comma-separated levels that must be available.
/// * `TEXTCODEC_EXPECT_BITS`: the width of addresses on the intended target.
/// * `TEXTCODEC_ONLY_LEVELS`: the only levels to return, for emulated CPUs, which take minutes for each level.
///
/// # Panics
/// If an expected level is missing, if the addresses have another width, or if none of the only levels is available.
#[must_use]
pub fn levels() -> &'static [Level] {
    static LEVELS: OnceLock<Vec<Level>> = OnceLock::new();
    LEVELS.get_or_init(|| {
        let mut levels = Level::all();
        let names: Vec<_> = levels.iter().map(|level| level.name()).collect();
        println!("kernel levels: {}", names.join(", "));
        for expected in std::env::var("TEXTCODEC_EXPECT_LEVELS").unwrap_or_default().split(',') {
            assert!(
                expected.is_empty() || names.contains(&expected),
                "TEXTCODEC_EXPECT_LEVELS asks for level {expected}, but this machine has {names:?}"
            );
        }
        if let Ok(bits) = std::env::var("TEXTCODEC_EXPECT_BITS") {
            assert_eq!(
                bits,
                usize::BITS.to_string(),
                "TEXTCODEC_EXPECT_BITS differs: this build is for another target"
            );
        }
        if let Ok(only) = std::env::var("TEXTCODEC_ONLY_LEVELS") {
            levels.retain(|level| only.split(',').any(|name| name == level.name()));
            assert!(!levels.is_empty(), "none of the levels in TEXTCODEC_ONLY_LEVELS is available: {only}");
            println!("tested levels: {only}");
        }
        levels
    })
}

/// Runs cases and compares each result with the oracle's: output forms × kernel levels × paddings × chunkings × buffer sizes ×
/// modes.
#[derive(Debug)]
pub struct Runner {
    levels: Vec<Level>,
    random: fastrand::Rng,
    /// The number of comparisons so far.
    pub compared: u64,
}

impl Default for Runner {
    fn default() -> Self {
        Self { levels: levels().to_vec(), random: fastrand::Rng::with_seed(0x7E57), compared: 0 }
    }
}

impl Runner {
    /// Decodes an input in every variation.
    ///
    /// # Panics
    /// If a result differs from the oracle's.
    pub fn decode(&mut self, encoding: Encoding, bytes: &[u8]) {
        let chunkings = chunkings(bytes.len(), |_| true, &mut self.random);
        for bom in [Bom::Sniff, Bom::StripOwn, Bom::Keep] {
            self.decode_with_chunks(encoding, bytes, bom, &chunkings);
        }
    }

    /// Decodes an input after 0 to 64 ASCII characters, so that it reaches every lane of every kernel.
    ///
    /// # Panics
    /// If a result differs from the oracle's.
    pub fn decode_padded(&mut self, encoding: Encoding, bytes: &[u8]) {
        let mut paddings: Vec<usize> = (0..=64).collect();
        self.random.shuffle(&mut paddings);
        for &padding in &paddings[..rounds(paddings.len())] {
            let text = "x".repeat(padding);
            let padding = encoding.encode(&text).unwrap_or_default();
            let padded = [&*padding, bytes].concat();
            let whole = [vec![padded.len()]];
            self.decode_with_chunks(encoding, &padded, Bom::Keep, &whole);
        }
    }

    fn decode_with_chunks(&mut self, encoding: Encoding, bytes: &[u8], bom: Bom, chunkings: &[Vec<usize>]) {
        let mut expected = oracle::Decoded::default();
        let mut fatal = oracle::Decoded::default();
        oracle::decode(&mut expected, oracle::encoding(encoding), bytes, bom, false);
        oracle::decode(&mut fatal, oracle::encoding(encoding), bytes, bom, true);
        let case = DecodingCase { encoding, bytes, bom, expected: &expected, fatal: &fatal };
        for cuts in chunkings {
            let chunks = cut(cuts, |range| &bytes[range]);
            for level in self.levels.clone() {
                for tight in [false, true] {
                    case.check::<u8>(level, &chunks, tight, &mut self.random);
                    case.check::<u16>(level, &chunks, tight, &mut self.random);
                    self.compared += 6;
                }
            }
        }
    }

    /// Encodes text in every variation, also to UTF-16LE and UTF-16BE, for which the standard has no encoder.
    ///
    /// # Panics
    /// If a result differs from the oracle's.
    pub fn encode(&mut self, encoding: Encoding, text: &str) {
        let units: Vec<u16> = text.encode_utf16().collect();
        self.encode_from(encoding, Source::Utf8(text));
        self.encode_from(encoding, Source::Utf16(&units));
    }

    /// Encodes text in every variation. UTF-16 may be ill-formed.
    ///
    /// # Panics
    /// If a result differs from the oracle's.
    pub fn encode_from(&mut self, encoding: Encoding, text: Source<'_>) {
        let Some(case) = EncodingCase::new(encoding, text) else {
            assert!(!encoding.has_encoder(), "{encoding} has an encoder");
            return;
        };
        for cuts in chunkings(text.len(), |at| text.may_cut(at), &mut self.random) {
            let chunks = cut(&cuts, |range| text.slice(range));
            for level in self.levels.clone() {
                for tight in [false, true] {
                    case.check(level, &chunks, tight, &mut self.random);
                    self.compared += 3;
                }
            }
        }
    }
}

/// An input to decode and the oracle's results.
struct DecodingCase<'a> {
    encoding: Encoding,
    bytes: &'a [u8],
    bom: Bom,
    expected: &'a oracle::Decoded,
    fatal: &'a oracle::Decoded,
}

impl DecodingCase<'_> {
    fn check<U: Unit>(&self, level: Level, chunks: &[&[u8]], tight: bool, random: &mut fastrand::Rng) {
        let Self { encoding, bytes, bom, expected, fatal } = *self;
        let what = || format!("{encoding} {bytes:02X?} {bom:?} in {chunks:02X?}, {}, tight: {tight}", level.name());
        let capacity = |random: &mut fastrand::Rng| {
            if tight { random.usize(U::MIN_CAPACITY..=U::MIN_CAPACITY + 3) } else { 3 * bytes.len() + 16 }
        };
        let options = DecodeOptions::new().bom(bom);

        let mut decoder = level.decoder(encoding.decoder_with(options));
        let mut text = Vec::<U>::new();
        drive::decode(&mut decoder, chunks, || capacity(random), &mut text, |_, _| unreachable!());
        assert_eq!(text, U::from_str(&expected.text), "text of {}", what());
        let errors = decoder.errors();
        assert_eq!(errors.count(), expected.errors.len() as u64, "errors of {}", what());
        let first = expected.errors.first().map(|range| range.start as u64..range.end as u64);
        assert_eq!(errors.first().map(textcodec::DecodeError::range), first, "first error of {}", what());
        let outcome = (decoder.encoding().name(), decoder.bom_removed());
        assert_eq!(outcome, (expected.encoding.name(), expected.bom), "encoding used, BOM removed: {}", what());

        let mut decoder = level.decoder(encoding.decoder_with(options.malformed(Malformed::Pause)));
        let (mut text, mut ranges) = (Vec::<U>::new(), Vec::new());
        drive::decode(
            &mut decoder,
            chunks,
            || capacity(random),
            &mut text,
            |error, text| {
                let range = error.range();
                assert_eq!(error.bytes(), &bytes[range.start as usize..range.end as usize], "bytes of {}", what());
                ranges.push(range);
                text.extend(U::from_str("\u{FFFD}"));
                true
            },
        );
        assert_eq!(text, U::from_str(&expected.text), "reported text of {}", what());
        assert_eq!(ranges, oracle::ranges(&expected.errors), "ranges of {}", what());

        let mut decoder = level.decoder(encoding.decoder_with(options.malformed(Malformed::Fail)));
        let (mut text, mut ranges) = (Vec::<U>::new(), Vec::new());
        drive::decode(
            &mut decoder,
            chunks,
            || capacity(random),
            &mut text,
            |error, _| {
                ranges.push(error.range());
                false
            },
        );
        assert_eq!(text, U::from_str(&fatal.text), "text before the error of {}", what());
        assert_eq!(ranges, oracle::ranges(&fatal.errors), "fatal error of {}", what());
    }
}

/// Text to encode and the oracle's results.
struct EncodingCase<'a> {
    encoding: Encoding,
    text: Source<'a>,
    expected: oracle::Encoded,
    /// The range of each character, in units of the text.
    ranges: Vec<std::ops::Range<u64>>,
    unpaired: u64,
}

impl<'a> EncodingCase<'a> {
    fn new(encoding: Encoding, text: Source<'a>) -> Option<Self> {
        let mut unpaired = 0;
        let (mut characters, mut ranges) = (Vec::new(), Vec::new());
        let mut at = 0;
        let mut add = |character: char, units: usize| {
            ranges.push(at..at + units as u64);
            at += units as u64;
            characters.push(character);
        };
        match text {
            Source::Utf8(text) => text.chars().for_each(|c| add(c, c.len_utf8())),
            Source::Utf16(units) => char::decode_utf16(units.iter().copied()).for_each(|decoded| match decoded {
                Ok(c) => add(c, c.len_utf16()),
                Err(_) => {
                    unpaired += 1;
                    add('\u{FFFD}', 1);
                }
            }),
        }
        let expected = match encoding {
            textcodec::UTF_16LE | textcodec::UTF_16BE => {
                // The standard has no encoder for UTF-16, so the expected bytes come from the Rust standard library.
                let units = characters.iter().flat_map(|c| c.encode_utf16(&mut [0; 2]).to_vec());
                let little = encoding == textcodec::UTF_16LE;
                let bytes: Vec<u8> =
                    units.flat_map(|unit| if little { unit.to_le_bytes() } else { unit.to_be_bytes() }).collect();
                oracle::Encoded { html: bytes.clone(), fatal: bytes, errors: Vec::new() }
            }
            _ => oracle::encode(oracle::encoding(encoding), &characters)?,
        };
        Some(Self { encoding, text, expected, ranges, unpaired })
    }

    fn check(&self, level: Level, chunks: &[Source<'_>], tight: bool, random: &mut fastrand::Rng) {
        let Self { encoding, text, expected, .. } = self;
        let what = || format!("{encoding} {text:?} in {chunks:?}, {}, tight: {tight}", level.name());
        let capacity = |random: &mut fastrand::Rng| if tight { random.usize(1..=4) } else { 8 * text.len() + 16 };
        let encoder = |unmappable| level.encoder(encoding.encoder_with(unmappable));
        let ranges: Vec<_> = expected.errors.iter().map(|(index, _)| self.ranges[*index].clone()).collect();

        let mut html = encoder(Unmappable::Html);
        let mut bytes = Vec::new();
        drive::encode(&mut html, chunks, || capacity(random), &mut bytes, |_| unreachable!());
        assert_eq!(bytes, expected.html, "bytes of {}", what());
        assert_eq!(html.errors().count(), expected.errors.len() as u64, "errors of {}", what());

        let mut report = encoder(Unmappable::Pause);
        let (mut bytes, mut errors) = (Vec::new(), Vec::new());
        drive::encode(
            &mut report,
            chunks,
            || capacity(random),
            &mut bytes,
            |error| {
                errors.push(error);
                true
            },
        );
        let reported = errors.iter().map(textcodec::EncodeError::range);
        assert!(reported.eq(ranges.iter().cloned()), "ranges of {}: {errors:?}", what());
        for (error, (_, expected)) in errors.iter().zip(&expected.errors) {
            assert_eq!(error.code_point(), Some(*expected), "code point of {}", what());
        }

        let mut fail = encoder(Unmappable::Fail);
        let (mut bytes, mut first) = (Vec::new(), None);
        drive::encode(
            &mut fail,
            chunks,
            || capacity(random),
            &mut bytes,
            |error| {
                first = Some(error.range());
                false
            },
        );
        assert_eq!(bytes, expected.fatal, "bytes before the error of {}", what());
        assert_eq!(first, ranges.first().cloned(), "fatal error of {}", what());
        if first.is_none() {
            let mut bytes = Vec::new();
            let summary = chunks.iter().try_fold(encoder(Unmappable::Fail), |mut encoder, chunk| {
                match chunk {
                    Source::Utf8(text) => encoder.push(text, &mut bytes)?,
                    Source::Utf16(text) => encoder.push_utf16(text, &mut bytes)?,
                }
                Ok::<_, textcodec::EncodeError>(encoder)
            });
            let summary = summary.and_then(|encoder| encoder.finish(&mut bytes)).expect("all is mappable");
            assert_eq!(bytes, expected.fatal, "pushed bytes of {}", what());
            assert_eq!(summary.unpaired_surrogates, self.unpaired, "unpaired surrogates of {}", what());
        }
    }
}

/// Returns ways to cut an input of `len` units, each as the lengths of its chunks. Short inputs are cut at every position,
/// unless [`rounds`] reduces the number of ways.
fn chunkings(len: usize, may_cut: impl Fn(usize) -> bool, random: &mut fastrand::Rng) -> Vec<Vec<usize>> {
    let positions: Vec<usize> = (0..=len).filter(|&at| may_cut(at)).collect();
    let lengths = |mut cuts: Vec<usize>| {
        cuts.push(len);
        cuts.iter().scan(0, |at, &cut| Some(cut - std::mem::replace(at, cut))).collect::<Vec<_>>()
    };
    let mut all = vec![lengths(Vec::new())];
    if len <= SHORT {
        all.extend(positions.iter().map(|&at| lengths(vec![at])));
        // With an empty chunk in the middle.
        all.extend(positions.iter().map(|&at| lengths(vec![at, at])));
        all.push(lengths(positions.clone()));
    }
    for _ in 0..4 {
        let rate = random.f64();
        all.push(lengths(positions.iter().copied().filter(|_| random.f64() < rate).collect()));
    }
    random.shuffle(&mut all);
    all.truncate(rounds(all.len()));
    all
}

fn cut<T>(lengths: &[usize], slice: impl Fn(std::ops::Range<usize>) -> T) -> Vec<T> {
    let mut at = 0;
    let next = |&len: &usize| {
        at += len;
        slice(at - len..at)
    };
    lengths.iter().map(next).collect()
}
