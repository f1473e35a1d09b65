//! One character a step, ASCII in runs.

use super::{Pairs, ToPair};
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

pub(crate) fn from_utf16(table: &ToPair, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let run = table.run;
    let mut read = 0;
    while let Some(&unit) = src.get(read) {
        let fits = if unit < 0x80 {
            let ascii = if table.ascii { ascii::scalar::from_utf16(&src[read..], out) } else { 0 };
            if ascii == 0 {
                break;
            }
            read += ascii;
            continue;
        } else if (run.first..=run.last).contains(&unit) {
            match run.bytes + (unit - run.first) {
                byte @ 0..=0xFF => out.push(byte as u8),
                pair => out.extend(&pair.to_be_bytes()),
            }
        } else {
            let Some(pair) = table.get(unit) else { break };
            out.extend(&pair)
        };
        if !fits {
            break;
        }
        read += 1;
    }
    read
}
