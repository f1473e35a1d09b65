//! `Encoding::split_point`: the parts decode to the same text, with the same errors, as the whole.

use textcodec::{Bom, DecodeError, Encoding, ISO_2022_JP, UTF_8, UTF_16LE};

/// Decodes each part with a new decoder. Returns the text, and the offset and bytes of each error.
fn decode(encoding: Encoding, parts: &[&[u8]]) -> (Vec<u16>, Vec<(u64, Vec<u8>)>) {
    let (mut text, mut errors, mut start) = (Vec::new(), Vec::new(), 0);
    for part in parts {
        let mut decoder = encoding.decoder_with(Bom::Keep);
        let mut add = |error: &DecodeError| {
            errors.push((start + error.range().start, error.bytes().to_vec()));
            Some("\u{FFFD}".into())
        };
        decoder.push_with(part, &mut text, &mut add).unwrap();
        decoder.finish_with(&mut text, &mut add).unwrap();
        start += part.len() as u64;
    }
    (text, errors)
}

#[test]
fn parts_decode_to_the_same_text_as_the_whole() {
    // Bytes of each kind: ASCII of each row, digits, lead and trail bytes, surrogates, the ends of ranges.
    let bytes =
        b"\0\n\x1B /09:@Az~\x7F\x80\x81\x84\x8E\x8F\xA0\xA1\xB0\xC2\xD8\xDB\xDC\xDF\xE0\xE3\xED\xF0\xF4\xFC\xFE\xFF";
    let random = &mut fastrand::Rng::with_seed(9);
    for &encoding in Encoding::ALL {
        let mut cuts = 0;
        for _ in 0..20_000 {
            let text: Vec<u8> = (0..random.usize(..12)).map(|_| bytes[random.usize(..bytes.len())]).collect();
            let block = &text[..random.usize(..=text.len())];
            let Some(at) = encoding.split_point(block) else { continue };
            assert!((1..=block.len()).contains(&at));
            let (before, after) = text.split_at(at);
            assert_eq!(
                decode(encoding, &[before, after]),
                decode(encoding, &[&text]),
                "{encoding}: {before:X?} {after:X?}"
            );
            cuts += 1;
        }
        assert_eq!(cuts > 5_000, encoding.is_splittable(), "{encoding}: {cuts}");
        assert!(cuts == 0 || encoding.is_splittable(), "{encoding}: {cuts}");
    }
}

#[test]
fn a_block_can_have_no_split_point() {
    for (encoding, block) in
        [(ISO_2022_JP, &b"a\n"[..]), (UTF_8, b"\xE6\x97"), (UTF_16LE, b"\0\xD8"), (UTF_16LE, b"\0")]
    {
        assert_eq!(encoding.split_point(block), None, "{encoding}");
    }
}
