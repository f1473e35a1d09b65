//! One character a step, ASCII in runs.

use super::Pairs;
use crate::kernel::{Out, ascii};

pub(crate) fn to_utf16(pairs: &Pairs, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let mut read = 0;
    while let Some(&byte) = src.get(read) {
        if pairs.ascii && byte.is_ascii() {
            let run = ascii::scalar::to_utf16(&src[read..], out);
            if run == 0 {
                break;
            }
            read += run;
            continue;
        }
        let single = pairs.singles[usize::from(byte)];
        if single != 0 {
            if !out.push(single) {
                break;
            }
            read += 1;
            continue;
        }
        let Some(&trailing) = src.get(read + 1) else { break };
        let unit = pairs.get(byte, trailing);
        if unit == 0 || matches!(unit, 0xD800..=0xDFFF) || !out.push(unit) {
            break;
        }
        read += 2;
    }
    read
}
