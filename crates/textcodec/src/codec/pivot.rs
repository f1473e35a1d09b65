//! Bulk conversion between bytes and UTF-8 via UTF-16, in a block that stays in the first-level cache.
//!
//! With it, an encoder needs one kernel instead of two. Encodings with a table of pairs encode short runs without it, in
//! `pairs.rs`. Decoding uses it for UTF-16 with unpaired surrogates, and for the four-byte characters of gb18030.

use core::mem::MaybeUninit;

use super::{Encode, EncodeStep};
use crate::kernel::{Kernels, Out, tables::ByteOrder};

/// Code units in a block: 1 KiB.
const BLOCK: usize = 512;
/// Bytes of UTF-8 in a block, which become at most as many code units. Twice as many are not faster, half as many are slower.
const TEXT_BLOCK: usize = 2048;
/// The first block of an encoding call. After a block that is converted completely, the next one is four times as long. So text
/// with frequent declined characters and small destinations do not pay for a full block each time: cell
/// `hostile/encode/euc-kr/utf-8/html/room-32/hanja`.
const FIRST_TEXT_BLOCK: usize = 64;
/// The maximum length in bytes of a text that is encoded character by character, without a block: cells `encode/*/utf-8/*/16B`.
pub(super) const SHORT_TEXT: usize = 24;
/// The maximum number of bytes of a character: a pair after an escape sequence.
const LONGEST_CHARACTER: usize = 5;
/// Code units after a block, for kernels that store whole vectors.
const SCRATCH: usize = 64;

/// Converts a prefix of `src` by `to_utf16`, which writes well-formed UTF-16. Returns how many bytes were read.
pub(super) fn decode(
    kernels: &Kernels,
    src: &[u8],
    out: &mut Out<'_, u8>,
    mut to_utf16: impl FnMut(&[u8], &mut Out<'_, u16>) -> usize,
) -> usize {
    let mut block = [const { MaybeUninit::<u16>::uninit() }; BLOCK];
    let mut read = 0;
    while read < src.len() {
        // A code unit becomes at most three bytes, so the whole block fits: `3 * len <= out.spare_len()`.
        let len = BLOCK.min(out.spare_len() / 3);
        let mut stage = Out::uninit(&mut block[..len]);
        let taken = to_utf16(&src[read..], &mut stage);
        if taken == 0 {
            break;
        }
        let converted = kernels.units_to_utf8(stage.written(), out);
        debug_assert_eq!(converted, stage.filled(), "a kernel writes well-formed UTF-16");
        read += taken;
        // One unit may remain free because the next character needs two. More means that `to_utf16` stopped.
        if stage.spare_len() > 1 {
            break;
        }
    }
    read
}

/// Encodes a prefix of `src`. Returns how many bytes were read.
// Not inlined, because of the block on the stack: cell `encode/iso-2022-jp/utf-8/en/16B`.
#[inline(never)]
pub(super) fn encode<E: Encode>(codec: &mut E, kernels: &Kernels, src: &str, out: &mut Out<'_, u8>) -> usize {
    if src.len() <= SHORT_TEXT && !cfg!(textcodec_small) {
        return encode_characters(codec, src, out);
    }
    let (mut read, mut blocks) = (0, Blocks::new());
    while src[read..].chars().next().is_some_and(|character| !codec.declines(character)) {
        let (len, is_whole) = blocks.encode(kernels, &src[read..], |units| codec.bulk_utf16(kernels, units, out));
        read += len;
        if !is_whole {
            break;
        }
    }
    read
}

/// Encodes characters one by one, up to one that is unmappable or may not fit. Returns how many bytes were read.
fn encode_characters<E: Encode>(codec: &mut E, src: &str, out: &mut Out<'_, u8>) -> usize {
    let mut read = 0;
    for character in src.chars() {
        if out.spare_len() < LONGEST_CHARACTER {
            break;
        }
        if let Some(pair) = codec.common_pair(character) {
            out.extend(&pair);
            read += character.len_utf8();
            continue;
        }
        // A handler may change the state of its encoder for a character that it then declines.
        if codec.unmappable(character).is_some() {
            break;
        }
        let mut item = Some(character);
        while item.is_some() {
            let mut restored = None;
            let EncodeStep::Emit(bytes) = codec.handle(item, &mut restored) else { return read };
            bytes.put(out);
            item = restored;
        }
        read += character.len_utf8();
    }
    read
}

/// Blocks of UTF-8 that are converted to UTF-16 before they are encoded.
pub(super) struct Blocks {
    stage: [MaybeUninit<u16>; TEXT_BLOCK + SCRATCH],
    /// The length in bytes of the next block.
    size: usize,
}

impl Blocks {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self { stage: [const { MaybeUninit::uninit() }; TEXT_BLOCK + SCRATCH], size: FIRST_TEXT_BLOCK }
    }

    /// Converts the next block of `src` to UTF-16, and encodes it by `encode`, which returns how many units it read. Returns how
    /// many bytes that are, and whether it is the whole block.
    #[inline(always)]
    pub(super) fn encode(
        &mut self,
        kernels: &Kernels,
        src: &str,
        encode: impl FnOnce(&[u16]) -> usize,
    ) -> (usize, bool) {
        let block = block(src, self.size);
        let mut stage = Out::uninit(&mut self.stage);
        let converted = kernels.str_to_utf16(ByteOrder::NATIVE, block, &mut stage);
        debug_assert_eq!(converted, block.len(), "a byte becomes at most one unit");
        let units = stage.written();
        let encoded = encode(units);
        if encoded < units.len() {
            return (utf8_len(&units[..encoded]), false);
        }
        self.grow();
        (block.len(), true)
    }

    /// Makes the next block longer, because so much text was converted that a long one is likely to be.
    #[inline(always)]
    pub(super) fn grow(&mut self) {
        self.size = TEXT_BLOCK.min(self.size * 4);
    }
}

/// The longest prefix of at most `size` bytes.
fn block(src: &str, size: usize) -> &str {
    if src.len() <= size {
        return src;
    }
    let end = (size - 3..=size).rev().find(|&end| src.is_char_boundary(end));
    &src[..end.unwrap_or(0)]
}

/// The length in UTF-8 of well-formed UTF-16.
fn utf8_len(units: &[u16]) -> usize {
    let bytes = |unit: &u16| match unit {
        0..=0x7F => 1,
        // A surrogate pair has four bytes.
        0x80..=0x7FF | 0xD800..=0xDFFF => 2,
        _ => 3,
    };
    units.iter().map(bytes).sum()
}
