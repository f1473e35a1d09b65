//! ASCII and pairs, with an escape sequence before each change.

use super::double_byte::{decode::Form, encode};
use crate::kernel::{
    Out,
    tables::{EscapeState, EscapedPairs, Escapes, ToBytes},
};

#[inline]
pub(crate) fn to_utf16(escapes: &EscapedPairs, state: &mut EscapeState, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    convert(|_, _| 0, escapes, state, src, out)
}

pub(crate) fn to_utf8(escapes: &EscapedPairs, state: &mut EscapeState, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    convert(|_, _| 0, escapes, state, src, out)
}

/// The number of ASCII bytes that are converted one by one before a kernel is called: runs between escape sequences are often
/// short.
const SHORT_RUN: usize = 20;

/// Decodes. `ascii`, a level's kernel, converts long runs of ASCII.
#[inline(always)]
pub(crate) fn convert<F: Form>(
    ascii: impl Fn(&[u8], &mut Out<'_, F>) -> usize,
    escapes: &EscapedPairs,
    state: &mut EscapeState,
    src: &[u8],
    out: &mut Out<'_, F>,
) -> usize {
    let mut read = 0;
    loop {
        let before = read;
        if state.pairs {
            while let [leading, trailing, ..] = src[read..]
                && let Some(unit) = escapes.pairs.get(leading, trailing)
                && F::put_unit(unit, out)
            {
                read += 2;
            }
        } else {
            let mut left = SHORT_RUN;
            while let Some(&byte) = src.get(read)
                && byte.is_ascii()
                && !escapes.excluded.contains(&byte)
                && F::put_unit(byte.into(), out)
            {
                read += 1;
                left -= 1;
                if left == 0 {
                    read += ascii(&src[read..], out);
                    left = SHORT_RUN;
                }
            }
        }
        state.escaped &= read == before;
        let Some(pairs) = escapes.parse(&src[read..]).filter(|_| !state.escaped) else { return read };
        *state = EscapeState { pairs, escaped: true };
        read += 3;
    }
}

/// Encodes. `pairs` is whether the current set is that of pairs, and is updated. A character is only written together with its
/// escape sequence.
pub(crate) fn from_utf16(escapes: &Escapes, pairs: &mut bool, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    runs(escapes, pairs, src, out, encode::from_utf16)
}

/// Encodes characters one by one, and the pairs after a pair by `pair_run`.
#[inline]
pub(crate) fn runs(
    escapes: &Escapes,
    pairs: &mut bool,
    src: &[u16],
    out: &mut Out<'_, u8>,
    pair_run: impl Fn(&ToBytes, &[u16], &mut Out<'_, u8>) -> usize,
) -> usize {
    let mut read = 0;
    while let Some(&unit) = src.get(read) {
        let mut next = *pairs;
        let Some((bytes, len)) = escapes.bytes(unit, &mut next) else { break };
        if !out.extend_some(&bytes.to_le_bytes(), len) {
            break;
        }
        *pairs = next;
        read += 1;
        if next {
            read += pair_run(escapes.table, &src[read..], out);
        } else {
            let ascii = src[read..].iter().take_while(|&&unit| escapes.accepts_ascii(unit) && out.push(unit as u8));
            read += ascii.count();
        }
    }
    read
}
