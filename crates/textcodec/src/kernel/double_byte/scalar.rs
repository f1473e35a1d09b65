//! One character a step, ASCII in runs.

use super::Pairs;
use crate::kernel::{Out, ascii};

pub(crate) fn to_utf16(pairs: &Pairs, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    to_utf16_with(ascii::scalar::to_utf16, pairs, src, out)
}

/// With another level's kernel for runs of ASCII.
#[inline(always)]
pub(crate) fn to_utf16_with(
    ascii: impl Fn(&[u8], &mut Out<'_, u16>) -> usize,
    pairs: &Pairs,
    src: &[u8],
    out: &mut Out<'_, u16>,
) -> usize {
    let mut read = 0;
    while let Some(&byte) = src.get(read) {
        if pairs.ascii && byte.is_ascii() {
            let run = ascii(&src[read..], out);
            if run == 0 {
                break;
            }
            read += run;
            continue;
        }
        let before = read;
        while let [leading, trailing, ..] = src[read..]
            && let Some(unit) = pairs.get(leading, trailing)
            && out.push(unit)
        {
            read += 2;
        }
        if read > before {
            continue;
        }
        let alone = pairs.rows[usize::from(byte)] == Pairs::ALONE;
        let (unit, len) = if alone { (Some(pairs.cells[usize::from(byte)]), 1) } else { (pairs.four(&src[read..]), 4) };
        let Some(unit) = unit else { break };
        if !out.push(unit) {
            break;
        }
        read += len;
    }
    read
}
