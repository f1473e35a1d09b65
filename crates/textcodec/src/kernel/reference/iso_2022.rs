//! ASCII and pairs in one text, an escape sequence before each change.

use super::double_byte::{decode::Form, encode};
use crate::kernel::{
    Out,
    tables::{EscapeState, EscapedPairs, Escapes, ToBytes},
};

pub(crate) fn to_utf16(escapes: &EscapedPairs, state: &mut EscapeState, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    convert(|_, _| 0, escapes, state, src, out)
}

pub(crate) fn to_utf8(escapes: &EscapedPairs, state: &mut EscapeState, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    convert(|_, _| 0, escapes, state, src, out)
}

/// So much ASCII is converted one by one: the next escape sequence is often near.
const FEW: usize = 20;

/// With a level's kernel for long runs of ASCII.
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
            let mut few = FEW;
            while let Some(&byte) = src.get(read)
                && byte.is_ascii()
                && !escapes.excluded.contains(&byte)
                && F::put_unit(byte.into(), out)
            {
                read += 1;
                few -= 1;
                if few == 0 {
                    read += ascii(&src[read..], out);
                    few = FEW;
                }
            }
        }
        state.escaped &= read == before;
        let Some(pairs) = escapes.change_at_front(&src[read..]).filter(|_| !state.escaped) else { return read };
        *state = EscapeState { pairs, escaped: true };
        read += 3;
    }
}

/// `pairs` says whether pairs are in force, before and after. A character is written with its escape sequence or not at all.
pub(crate) fn from_utf16(escapes: &Escapes, pairs: &mut bool, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    runs(escapes, pairs, src, out, encode::from_utf16)
}

/// Characters one by one, and the pairs behind one by `pair_run`.
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
            let ascii = src[read..].iter().take_while(|&&unit| escapes.takes_ascii(unit) && out.push(unit as u8));
            read += ascii.count();
        }
    }
    read
}
