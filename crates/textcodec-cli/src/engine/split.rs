//! Positions at which an input can be split so that the parts can be decoded separately.

use textcodec::{Encoding, ISO_2022_JP, REPLACEMENT, UTF_16BE, UTF_16LE, X_USER_DEFINED};

/// Returns whether [`split_point`] can find a position in this encoding.
pub(super) fn is_splittable(encoding: Encoding) -> bool {
    // An escape sequence, or the error of `replacement`, affects all following bytes.
    !matches!(encoding, ISO_2022_JP | REPLACEMENT)
}

/// Returns the last position in a block at which a decoder is always between two characters, whatever precedes it.
///
/// A block starts at a split point, or at the start of the text, after its byte order mark. Returns `None` if there is no
/// such position. With `after_segment`, the character before the position ends a [segment](crate::normalize), so that the
/// parts can also be normalized separately.
pub(super) fn split_point(encoding: Encoding, block: &[u8], after_segment: bool) -> Option<usize> {
    let at = match encoding {
        _ if !is_splittable(encoding) => None,
        UTF_16LE => after_last_unit(block, u16::from_le_bytes, after_segment),
        UTF_16BE => after_last_unit(block, u16::from_be_bytes, after_segment),
        _ if after_segment => after_last_byte(block),
        _ if encoding.is_single_byte() || encoding == X_USER_DEFINED => Some(block.len()),
        // In all other encodings such a byte is a complete character, even if it interrupts a sequence: the digits in
        // four-byte sequences of gb18030 are >= 0x30, and all other trail bytes are >= 0x40.
        _ => after_last_byte(block),
    };
    at.filter(|&at| at > 0)
}

/// Returns the position after the last byte below 0x30. In every encoding, it is the character with this number, after which a
/// segment ends.
fn after_last_byte(block: &[u8]) -> Option<usize> {
    block.iter().rposition(|&byte| byte < 0x30).map(|at| at + 1)
}

/// Returns the position after the last code unit that is not a lead surrogate, or that ends a segment.
fn after_last_unit(block: &[u8], unit: impl Fn([u8; 2]) -> u16, after_segment: bool) -> Option<usize> {
    let is_end = |unit| if after_segment { unit < 0x30 } else { !(0xD800..0xDC00).contains(&unit) };
    let at = block.as_chunks().0.iter().rposition(|&bytes| is_end(unit(bytes)));
    at.map(|at| (at + 1) * 2)
}

#[cfg(test)]
mod tests {
    use textcodec::{Bom, DecodeOptions};

    use super::*;

    /// Decodes each part with a new decoder. Returns the text, and the offset and bytes of each error.
    fn decode(encoding: Encoding, parts: &[&[u8]]) -> (Vec<u16>, Vec<(u64, Vec<u8>)>) {
        let (mut text, mut errors, mut start) = (Vec::new(), Vec::new(), 0);
        for part in parts {
            let mut decoder = encoding.decoder_with(DecodeOptions::new().bom(Bom::Keep));
            let mut add = |error: &textcodec::DecodeError| {
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
            b"\0\n\x1B /09:@Az~\x80\x81\x84\x8E\x8F\xA0\xA1\xB0\xC2\xD8\xDB\xDC\xDF\xE0\xE3\xED\xF0\xF4\xFC\xFE\xFF";
        let mut random = 1_u64;
        let mut next = |below: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) as usize % below
        };
        let mut cuts = 0;
        for &encoding in Encoding::ALL {
            for _ in 0..20_000 {
                let text: Vec<u8> = (0..next(12)).map(|_| bytes[next(bytes.len())]).collect();
                let block = &text[..next(text.len() + 1)];
                for after_segment in [false, true] {
                    let Some(at) = split_point(encoding, block, after_segment) else { continue };
                    let (before, after) = text.split_at(at);
                    let parts = decode(encoding, &[before, after]);
                    assert_eq!(parts, decode(encoding, &[&text]), "{encoding}: {before:X?} {after:X?}");
                    let last = decode(encoding, &[before]).0.last().copied();
                    assert!(!after_segment || last.is_some_and(|unit| unit < 0x30), "{encoding}: {before:X?}");
                    cuts += 1;
                }
            }
        }
        assert!(cuts > 400_000, "{cuts}");
        assert_eq!(
            (
                split_point(ISO_2022_JP, b"a\n", false),
                split_point(textcodec::UTF_8, b"\xE6\x97", false),
                split_point(UTF_16LE, b"\0\xD8", false)
            ),
            (None, None, None)
        );
    }
}
