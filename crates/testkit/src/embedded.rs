//! Every pair of bytes, and combinations of boundary bytes in threes and fours, within dense text: at many offsets, before
//! tails of two lengths, at every level.

use textcodec::{
    BIG5, Bom, DecodeOptions, EUC_JP, EUC_KR, Encoding, GB18030, ISO_2022_JP, ISO_8859_8, SHIFT_JIS, UTF_8, UTF_16BE,
    UTF_16LE, X_USER_DEFINED,
};

use crate::{
    drive::Unit,
    in_parallel, levels,
    oracle::{self, Decoded},
};

/// One encoding for each algorithm, and non-ASCII text for it.
const ALGORITHMS: [(Encoding, &str); 11] = [
    (UTF_8, "дбя日本語文章éñü漢字仮名"),
    (ISO_8859_8, "דגסקרןשטביםמאוכזב"),
    (GB18030, "天地玄黄宇宙洪荒简体中文的句子"),
    (BIG5, "天地玄黃宇宙洪荒繁體中文的句子"),
    (EUC_JP, "日本語文章漢字仮名交カタカナひら"),
    (ISO_2022_JP, "日本語文章漢字仮名交カタカナひら"),
    (SHIFT_JIS, "日本語文章漢字仮名交カタカナひら"),
    (EUC_KR, "다람쥐헌쳇바퀴에타고파한국어"),
    (UTF_16LE, "дбя日本語文章éñü漢字仮名"),
    (UTF_16BE, "дбя日本語文章éñü漢字仮名"),
    (X_USER_DEFINED, "\u{F780}\u{F7FF}\u{F7A0}\u{F7E3}\u{F781}"),
];

/// Boundary bytes of three- and four-byte sequences.
const CLASSES: &[u8] = b"\x00A09\x7F\x80\x8E\x8F\x9F\xA0\xA1\xBF\xC2\xD8\xDC\xE0\xED\xEF\xF0\xF4\xFE\xFF\x1B$(BJ";

/// Returns bytes that bring the oracle into the state that the dense text ends in, and the number of characters they decode to.
fn lead_in(encoding: Encoding) -> (&'static [u8], usize) {
    if encoding == ISO_2022_JP { (b"\x1B$BF|", 1) } else { (b"", 0) }
}

/// Returns at least `bytes` bytes of repeated `text`.
fn dense(encoding: Encoding, text: &str, bytes: usize) -> Vec<u8> {
    let mut dense = Vec::new();
    let mut encoder = encoding.encoder();
    for c in text.chars().cycle() {
        encoder.push(c.encode_utf8(&mut [0; 4]), &mut dense).unwrap();
        if dense.len() >= bytes {
            break;
        }
    }
    dense
}

struct Case {
    encoding: Encoding,
    /// The bytes before the sequence, one for each offset, each with its text.
    heads: Vec<(Vec<u8>, String)>,
    tails: [Vec<u8>; 2],
}

impl Case {
    fn new(encoding: Encoding, text: &str, offsets: &[usize]) -> Self {
        let heads = offsets.iter().map(|&offset| {
            let mut head = Vec::new();
            let mut encoder = encoding.encoder();
            encoder.push(&"x".repeat(offset), &mut head).unwrap();
            head.extend(dense(encoding, text, 96));
            let text = encoding.decode(&head).text.into_owned();
            (head, text)
        });
        let tail = |bytes| {
            let tail = dense(encoding, text, bytes);
            tail.strip_prefix(b"\x1B$B").map_or(tail.clone(), <[u8]>::to_vec)
        };
        Self { encoding, heads: heads.collect(), tails: [tail(37), tail(104)] }
    }

    /// Decodes `sequence` at every offset and before every tail. Returns how many inputs were compared.
    fn check(&self, sequence: &[u8]) -> u64 {
        let (lead_in, characters) = lead_in(self.encoding);
        let mut expected = Decoded::default();
        let mut compared = 0;
        for tail in &self.tails {
            let alone = [lead_in, sequence, tail].concat();
            oracle::decode(&mut expected, oracle::encoding(self.encoding), &alone, Bom::Keep, false);
            let rest: String = expected.text.chars().skip(characters).collect();
            let first = expected.errors.first().map(|range| range.start - lead_in.len());
            for (head, text) in &self.heads {
                let input = [head, sequence, tail].concat();
                let first = first.map(|start| (start + head.len()) as u64);
                let text = [text.as_str(), &rest].concat();
                self.decode_to::<u8>(&input, &text, expected.errors.len() as u64, first);
                self.decode_to::<u16>(&input, &text, expected.errors.len() as u64, first);
                compared += 2;
            }
        }
        compared
    }

    fn decode_to<U: Unit>(&self, input: &[u8], text: &str, errors: u64, first: Option<u64>) {
        let mut buffer = [U::UNWRITTEN; 1024];
        for &level in levels() {
            let decoder = self.encoding.decoder_with(DecodeOptions::new().bom(Bom::Keep));
            let mut decoder = level.decoder(decoder);
            let progress = U::decode(&mut decoder, input, &mut buffer, true);
            let what = || format!("{} {input:02X?}, {}", self.encoding, level.name());
            assert!(U::is_text(&buffer[..progress.written], text), "text of {}", what());
            assert_eq!(decoder.errors().count(), errors, "errors of {}", what());
            assert_eq!(decoder.errors().first().map(|error| error.range().start), first, "first error of {}", what());
        }
    }
}

/// Decodes every pair of bytes, once for each algorithm. Returns how many inputs were compared.
///
/// # Panics
/// If the library's result differs from the oracle's.
#[must_use]
pub fn pairs(offsets: &[usize]) -> u64 {
    let algorithm = |(encoding, text)| {
        let case = Case::new(encoding, text, offsets);
        count(256, |first| (0..=0xFF).map(|second| case.check(&[first as u8, second])).sum())
    };
    ALGORITHMS.into_iter().map(algorithm).sum()
}

/// Decodes every three bytes of [`CLASSES`], once for each multi-byte algorithm. Returns how many inputs were compared.
///
/// # Panics
/// If the library's result differs from the oracle's.
#[must_use]
pub fn triples(offsets: &[usize]) -> u64 {
    let algorithm = |(encoding, text)| {
        let case = Case::new(encoding, text, offsets);
        count(CLASSES.len(), |first| {
            let pairs = CLASSES.iter().flat_map(|&second| CLASSES.iter().map(move |&third| (second, third)));
            pairs.map(|(second, third)| case.check(&[CLASSES[first], second, third])).sum()
        })
    };
    ALGORITHMS.into_iter().filter(|(encoding, _)| !encoding.is_single_byte()).map(algorithm).sum()
}

/// Decodes every four bytes of a few classes, for the encodings with four-byte sequences. Returns how many inputs were
/// compared.
///
/// # Panics
/// If the library's result differs from the oracle's.
#[must_use]
pub fn quadruples(offsets: &[usize]) -> u64 {
    let few = b"\x00A09\x7F\x80\x81\xA0\xBF\xD8\xDC\xE0\xF0\xF4\xFE\xFF";
    let algorithm = |(encoding, text)| {
        let case = Case::new(encoding, text, offsets);
        count(few.len() * few.len(), |pair| {
            let (first, second) = (few[pair / few.len()], few[pair % few.len()]);
            let pairs = few.iter().flat_map(|&third| few.iter().map(move |&fourth| (third, fourth)));
            pairs.map(|(third, fourth)| case.check(&[first, second, third, fourth])).sum()
        })
    };
    let four = [UTF_8, GB18030, UTF_16LE, UTF_16BE];
    ALGORITHMS.into_iter().filter(|(encoding, _)| four.contains(encoding)).map(algorithm).sum()
}

/// Returns the sum of `work` over all parts. Runs on all cores.
fn count(parts: usize, work: impl Fn(usize) -> u64 + Sync) -> u64 {
    in_parallel(parts, || 0, |sum, part| *sum += work(part)).into_iter().sum()
}
