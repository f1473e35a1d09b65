//! Bulk conversion between bytes and UTF-8 via UTF-16, in a block that stays in the first-level cache.
//!
//! With it, an encoder needs one kernel instead of two. Short texts, and short runs between ASCII, are encoded without it.
//! Decoding uses it for UTF-16 with unpaired surrogates, and for the four-byte characters of gb18030.

use core::mem::MaybeUninit;

use super::{Encode, EncodeStep, source::Source as _};
use crate::kernel::{Kernels, Out, reference::double_byte::encode::pairs_from_utf8, tables::ByteOrder};

/// Code units in a block: 1 KiB.
const BLOCK: usize = 512;
/// Bytes of UTF-8 in a block, which become at most as many code units. Twice as many are not faster, half as many are up to 5 %
/// slower.
const TEXT_BLOCK: usize = 2048;
/// The first block of an encoding call. After a block that is converted completely, the next one is four times as long. So text
/// with frequent declined characters and small destinations do not pay for a full block each time: starting with the full size,
/// `hostile/encode/euc-kr/utf-8/html/room-32/hanja` takes 4.7 times as long.
const FIRST_TEXT_BLOCK: usize = 64;
/// The maximum length in bytes of a text that is encoded character by character. With 16 bytes, this takes 0.4 to 0.8 of the time
/// (cells `encode/*/utf-8/*/16B`).
const SHORT_TEXT: usize = 24;
/// The maximum number of bytes of a character: a pair after an escape sequence.
const LONGEST_CHARACTER: usize = 5;
/// The run of ASCII after which only a few characters that are not pairs are expected before more ASCII. Between the words of
/// Korean text, runs are shorter.
type AsciiRun = [u8; 8];
/// The shortest run of ASCII that is probably not between two words of Korean text, but a tag.
type Tag = [u8; 3];
/// The length in bytes of UTF-8 from which on a run of pairs is long, so that blocks are faster.
const LONG_RUN: usize = 96;
/// The number of short runs after a tag, from which on the text is encoded in blocks. Without a limit, Korean text takes 1.8 times
/// as long.
const MAX_RUNS: usize = 4;
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
pub(super) fn encode<E: Encode>(codec: &mut E, kernels: &Kernels, src: &str, out: &mut Out<'_, u8>) -> usize {
    if src.len() <= SHORT_TEXT && !cfg!(textcodec_small) {
        return encode_short(codec, src, out);
    }
    let is_ascii = E::ASCII && src.as_bytes().first().is_some_and(u8::is_ascii);
    let ascii = if is_ascii { (kernels.ascii_copy)(src.as_bytes(), out) } else { 0 };
    if ascii == src.len() { ascii } else { encode_blocks(codec, kernels, src, ascii, out) }
}

/// Encodes `src` from byte `read` on, in blocks.
// Not inlined: text that is all ASCII needs no block on the stack.
#[inline(never)]
fn encode_blocks<E: Encode>(
    codec: &mut E,
    kernels: &Kernels,
    src: &str,
    mut read: usize,
    out: &mut Out<'_, u8>,
) -> usize {
    let mut stage = [const { MaybeUninit::<u16>::uninit() }; TEXT_BLOCK + SCRATCH];
    let (mut runs, mut size) = (0, FIRST_TEXT_BLOCK);
    loop {
        if E::ASCII && cfg!(textcodec_small) {
            read += (kernels.ascii_copy)(&src.as_bytes()[read..], out);
        } else if E::ASCII {
            read += src.put_ascii(read, codec, kernels, out);
            if out.spare_len() == 0 {
                return read;
            }
            let (before, rest) = src.split_at(read);
            if before.as_bytes().last_chunk().is_some_and(|tag: &Tag| tag.is_ascii()) {
                runs = 0;
            }
            if runs < MAX_RUNS {
                let run = encode_run(codec, before, rest, out);
                read += run;
                if (1..LONG_RUN).contains(&run) {
                    runs += 1;
                    continue;
                }
                runs = MAX_RUNS;
            }
        }
        if src.len() - read <= SHORT_TEXT && !cfg!(textcodec_small) {
            return read + encode_short(codec, &src[read..], out);
        }
        if src[read..].chars().next().is_none_or(|character| codec.declines(character)) {
            return read;
        }
        let block = block(&src[read..], size);
        let mut stage = Out::uninit(&mut stage);
        let converted = kernels.str_to_utf16(ByteOrder::NATIVE, block, &mut stage);
        debug_assert_eq!(converted, block.len(), "a byte becomes at most one unit");
        let units = stage.written();
        let encoded = codec.bulk_utf16(kernels, units, out);
        if encoded < units.len() {
            return read + utf8_len(&units[..encoded]);
        }
        read += block.len();
        size = TEXT_BLOCK.min(size * 4);
    }
}

/// Encodes characters that are followed by ASCII, at most [`LONG_RUN`] bytes of them. Returns how many bytes were read.
///
/// To convert them to UTF-16 would cost more. Without this, cells `encode/*/utf-8/*-page/4KiB` take 1.4 times as long, and
/// `hostile/encode/euc-kr/utf-8/html/4KiB/ascii*200+pair` 3.5 times.
fn encode_run<E: Encode>(codec: &mut E, before: &str, src: &str, out: &mut Out<'_, u8>) -> usize {
    let pairs = encode_pairs(codec, &src.as_bytes()[..src.len().min(LONG_RUN)], out);
    if pairs > 0 {
        return pairs;
    }
    let is_short = |bytes: &[u8; 13]| bytes.iter().any(u8::is_ascii);
    let follows_ascii = before.as_bytes().last_chunk().is_some_and(|ascii: &AsciiRun| ascii.is_ascii());
    if !follows_ascii || !src.as_bytes().first_chunk().is_some_and(is_short) {
        return 0;
    }
    encode_characters(codec, src.chars().take_while(|character| !character.is_ascii()), out)
}

/// Encodes a short text. Returns how many bytes were read.
fn encode_short<E: Encode>(codec: &mut E, src: &str, out: &mut Out<'_, u8>) -> usize {
    let pairs = encode_pairs(codec, src.as_bytes(), out);
    pairs + encode_characters(codec, src[pairs..].chars(), out)
}

/// Encodes a run of pairs. Returns how many bytes were read.
fn encode_pairs<E: Encode>(codec: &E, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    codec.table().map_or(0, |table| out.write_locally(|out| pairs_from_utf8(table, src, out)))
}

/// Encodes characters one by one, up to one that is unmappable or may not fit. Returns how many bytes were read.
#[inline]
fn encode_characters<E: Encode>(codec: &mut E, characters: impl Iterator<Item = char>, out: &mut Out<'_, u8>) -> usize {
    let mut read = 0;
    for character in characters {
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
