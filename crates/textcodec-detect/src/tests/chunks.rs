//! The result does not depend on the chunks.

use super::*;

/// Formats all of a result.
fn shown(detection: &Detection) -> String {
    format!("{detection:?}")
}

/// Returns the results for a whole text and for the beginning of one, in chunks whose lengths repeat.
fn in_chunks(text: &[u8], lens: &[usize]) -> [String; 2] {
    [Detector::finish, Detector::finish_partial].map(|finish| {
        let (mut detector, mut rest) = (Detector::new(), text);
        for len in lens.iter().cycle() {
            let (chunk, after) = rest.split_at(rest.len().min(*len));
            detector.feed(chunk);
            rest = after;
            if rest.is_empty() {
                break;
            }
        }
        shown(&finish(detector))
    })
}

#[test]
fn two_chunks_give_the_same_result() {
    let page = |label: &str, encoding| encode(encoding, &format!("<!doctype html>\n<meta charset={label}>{RUSSIAN}"));
    for text in [
        b"".to_vec(),
        page("koi8-r", KOI8_R),
        page("koi8-r", WINDOWS_1251),
        page("koi8-r", UTF_8),
        [b"\xEF\xBB\xBF", RUSSIAN.as_bytes()].concat(),
        [b"\xFF\xFE", &*encode(UTF_16LE, RUSSIAN)].concat(),
        encode(UTF_16BE, RUSSIAN),
        encode(SHIFT_JIS, JAPANESE),
        encode(ISO_2022_JP, JAPANESE),
        encode(BIG5, CHINESE),
        [&encode(GBK, CHINESE)[..], b"\x80\xFF\x81"].concat(),
        b"plain text".to_vec(),
        vec![0; 99],
        FRENCH.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect(),
    ] {
        let whole = in_chunks(&text, &[usize::MAX]);
        assert_eq!(whole[0], shown(&detect(&text)));
        for first in (0..text.len().min(40)).chain((40..text.len()).step_by(11)) {
            assert_eq!(in_chunks(&text, &[first, usize::MAX]), whole, "{first}");
        }
        assert_eq!(in_chunks(&text, &[1]), whole);
    }
}

#[test]
fn chunks_of_any_size_give_the_same_result_for_long_text() {
    const BLOCK: usize = crate::detector::BLOCK;
    let repeated = |encoding, text: &str, len: usize| {
        let text = encode(encoding, text);
        text.iter().copied().cycle().take(len).collect::<Vec<_>>()
    };
    let check = |text: &[u8], all_lens: &[&[usize]]| {
        let whole = in_chunks(text, &[usize::MAX]);
        for lens in all_lens {
            assert_eq!(in_chunks(text, lens), whole, "{} {lens:?}", text.len());
        }
    };
    for (encoding, sample) in [(UTF_8, RUSSIAN), (WINDOWS_1251, RUSSIAN), (SHIFT_JIS, JAPANESE), (UTF_16LE, CHINESE)] {
        for len in [BLOCK - 1, BLOCK, BLOCK + 1] {
            let mut text = repeated(encoding, sample, len);
            for bom in [&b""[..], b"\xEF\xBB\xBF", b"\xFF\xFE"] {
                text[..bom.len()].copy_from_slice(bom);
                check(&text, &[&[4096], &[BLOCK - 1], &[BLOCK], &[1, 3 * BLOCK, 7, 0, 1000]]);
            }
        }
    }
    // Longer than what is examined for a guess.
    for encoding in [WINDOWS_1251, KOI8_R, UTF_8] {
        check(&repeated(encoding, RUSSIAN, 17 * BLOCK + 5), &[&[BLOCK + 1], &[1, 3 * BLOCK, 7, 0, 1000]]);
    }
}
