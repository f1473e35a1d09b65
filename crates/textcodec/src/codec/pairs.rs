//! Encoding of UTF-8 by a table of pairs: short texts and short runs between ASCII character by character, and the rest via
//! UTF-16.
//!
//! The encodings with such a table share this code. One copy for each took 8 KB more.

use super::{
    pivot::{Blocks, SHORT_TEXT},
    source::put_ascii,
};
use crate::kernel::{
    Kernels, Out,
    reference::double_byte::encode::{characters, from_utf8, pairs_from_utf8},
    tables::ToBytes,
};

/// The length of a run of ASCII after which only a few characters that are not pairs are expected before more ASCII. Between the words
/// of Korean text, runs are shorter.
const ASCII_RUN: usize = 8;
/// The length of the shortest run of ASCII that is probably not between two words of Korean text, but a tag.
const TAG: usize = 3;
/// The length in bytes of UTF-8 from which on a run of pairs is long, so that blocks are faster.
const LONG_RUN: usize = 96;
/// The number of short runs after a tag, from which on the text is encoded in blocks: cells
/// `encode/euc-kr/utf-8/ko/*`.
const MAX_RUNS: usize = 4;

/// Encodes a prefix of `src`. Returns how many bytes were read.
pub(super) fn encode(table: &ToBytes, kernels: &Kernels, src: &str, out: &mut Out<'_, u8>) -> usize {
    if src.len() <= SHORT_TEXT && !cfg!(textcodec_small) {
        return from_utf8(table, src, out);
    }
    // Text that starts with ASCII is probably all ASCII, which needs no block on the stack: cells `encode/euc-kr/utf-8/en/4KiB`.
    let is_ascii = src.as_bytes().first().is_some_and(u8::is_ascii);
    let ascii = if is_ascii { (kernels.ascii_copy)(src.as_bytes(), out) } else { 0 };
    if ascii == src.len() { ascii } else { encode_blocks(table, kernels, src, ascii, out) }
}

/// Encodes `src` from byte `read` on, in runs and blocks.
// Not inlined, because of the block on the stack.
#[inline(never)]
fn encode_blocks(table: &ToBytes, kernels: &Kernels, src: &str, mut read: usize, out: &mut Out<'_, u8>) -> usize {
    // How many short runs are expected before the text is encoded in blocks.
    let mut runs = MAX_RUNS;
    let mut blocks = Blocks::new();
    loop {
        if cfg!(textcodec_small) {
            read += (kernels.ascii_copy)(&src.as_bytes()[read..], out);
        } else {
            read += put_ascii(&src[read..], kernels, out);
            if out.spare_len() == 0 {
                return read;
            }
            let (before, rest) = src.split_at(read);
            if path!("pair-tags") && ends_with_ascii::<TAG>(before) {
                runs = MAX_RUNS;
            }
            if runs > 0 {
                let run = encode_run(table, before, rest, out);
                read += run;
                if (1..LONG_RUN).contains(&run) {
                    runs -= 1;
                    continue;
                }
                runs = 0;
                if run > 0 {
                    blocks.grow();
                }
            }
            if src.len() - read <= SHORT_TEXT {
                return read + from_utf8(table, &src[read..], out);
            }
        }
        if src[read..].chars().next().is_none_or(|character| table.declines(character)) {
            return read;
        }
        let (len, is_whole) =
            blocks.encode(kernels, &src[read..], |units| (kernels.double_byte_from_utf16)(table, units, out));
        read += len;
        if !is_whole {
            return read;
        }
    }
}

/// Encodes characters that are followed by ASCII, at most [`LONG_RUN`] bytes of them. Returns how many bytes were read.
///
/// To convert them to UTF-16 would cost more: cells `encode/*/utf-8/*-page/4KiB` and
/// `hostile/encode/euc-kr/utf-8/html/4KiB/ascii*200+pair`.
fn encode_run(table: &ToBytes, before: &str, src: &str, out: &mut Out<'_, u8>) -> usize {
    let run = &src.as_bytes()[..src.len().min(LONG_RUN)];
    let pairs = pairs_from_utf8(table, run, out);
    if pairs > 0 {
        return pairs;
    }
    let is_before_ascii = || src.as_bytes().first_chunk().is_some_and(|few: &[u8; 13]| few.iter().any(u8::is_ascii));
    if !ends_with_ascii::<ASCII_RUN>(before) || !is_before_ascii() {
        return 0;
    }
    out.write_locally(|out| characters(table, src.chars().take_while(|character| !character.is_ascii()), out))
}

/// Whether the last `N` bytes are ASCII.
#[inline(always)]
fn ends_with_ascii<const N: usize>(text: &str) -> bool {
    text.as_bytes().last_chunk::<N>().is_some_and(|last| last.is_ascii())
}
