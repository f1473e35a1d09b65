//! The encodings outside of the standard, of feature `oem`, against their models in `spec_model::outside`.

use testkit::{Quick, Runner, exhaustive, in_parallel, texts};
use textcodec::{Bom, Encoding, oem};

/// Bytes that start, continue, end or interrupt sequences in some encoding.
const BOUNDARIES: &[u8] =
    b"\x00\n\x0E\x0F\x1B $)C+-&/,.A\x21\x30~{}\x7E\x7F\x80\x84\x88\xA1\xB0\xBF\xC2\xD8\xD9\xDC\xDE\xDF\xE0\xED\xFE\xFF0x";

/// Decodes random sequences of few bytes of each encoding's own, which combine to well-formed and malformed sequences.
fn alphabet(encoding: Encoding) -> &'static [&'static [u8]] {
    match encoding {
        oem::UTF_7 | oem::UTF_7_IMAP => &[
            b"+", b"&", b"-", b"A", b"AOk", b"2D3eAA", b"2D0", b"3gA", b"/", b",", b".", b"~", b"AGE", b"AGF", b"\xFF",
        ],
        oem::UTF_32 | oem::UTF_32BE | oem::UTF_32LE => {
            &[b"\0", b"\0\0\xFE\xFF", b"\xFF\xFE\0\0", b"\0\x01\xF6\0", b"a\0\0\0", b"\0\0\0a", b"\xD8", b"\x11"]
        }
        oem::TRUE_UCS_2BE | oem::TRUE_UCS_2LE => &[b"\0", b"a", b"\xD8", b"\xDC", b"\xFE\xFF", b"\xFF"],
        oem::CESU_8 => &[
            b"a",
            b"\xC3\xA9",
            b"\xED\xA0\xBD",
            b"\xED\xB8\x80",
            b"\xED",
            b"\xA0",
            b"\xB8",
            b"\xE2\x82",
            b"\xF0\x9F\x98\x80",
            b"\xE0\xA0",
            b"\xED\x9F\xBF",
        ],
        oem::TRUE_HZ => &[b"~", b"{", b"}", b"\n", b"VP", b"~{", b"~}", b"a", b"\x21\x24", b"\x80", b" ", b"*!"],
        oem::TRUE_ISO_2022_KR => {
            &[b"\x1B$)C", b"\x1B", b"$", b")", b"C", b"\x0E", b"\x0F", b"\n", b"0!", b"a", b" ", b"\x80", b"I!"]
        }
        oem::JOHAB => {
            &[b"a", b"\x88a", b"\x84A", b"\xD3", b"\xD91", b"\xDA\xA1", b"\xDA\xD4", b"\xE0\x91", b"\x80", b"1"]
        }
        _ => &[b"a", b"\x1B", b"\x1Be", b"(", b"\0", b"\x80", b"<"],
    }
}

fn in_each(work: impl Fn(Encoding) + Sync) {
    in_parallel(oem::ALL.len(), || (), |(), index| work(oem::ALL[index]));
}

#[test]
fn all_short_inputs() {
    for &encoding in oem::ALL {
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

#[test]
fn random_sequences() {
    in_each(|encoding| {
        let random = &mut fastrand::Rng::with_seed(0x0E3);
        let mut quick = Quick::new(encoding);
        for _ in 0..testkit::rounds(100_000) {
            let mut bytes = Vec::new();
            while bytes.len() < 10 && random.u8(..10) > 0 {
                bytes.extend(alphabet(encoding)[random.usize(..alphabet(encoding).len())]);
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
            let pieces = (0..round / 2).map(|_| alphabet(encoding)[random.usize(..alphabet(encoding).len())]);
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
