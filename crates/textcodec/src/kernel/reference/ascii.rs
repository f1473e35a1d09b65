//! ASCII: eight units per step while all are ASCII, then one by one.

use crate::kernel::Out;

const STEP: usize = 8;
const NOT_ASCII: u64 = 0x8080_8080_8080_8080;

pub(crate) fn prefix(src: &[u8]) -> usize {
    let (steps, _) = src.as_chunks::<STEP>();
    let in_steps = steps.iter().take_while(|step| is_ascii(**step)).count() * STEP;
    in_steps + src[in_steps..].iter().take_while(|byte| byte.is_ascii()).count()
}

pub(crate) fn prefix_without(excluded: [u8; 3], src: &[u8]) -> usize {
    src.iter().take_while(|byte| byte.is_ascii() && !excluded.contains(byte)).count()
}

pub(crate) fn copy(src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let converted = prefix(&src[..src.len().min(out.spare_len())]);
    out.extend(&src[..converted]);
    converted
}

pub(crate) fn to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let mut read = 0;
    for step in src.as_chunks::<STEP>().0 {
        if !is_ascii(*step) || !out.extend(&step.map(u16::from)) {
            break;
        }
        read += STEP;
    }
    while let Some(&byte) = src.get(read)
        && byte.is_ascii()
        && out.push(byte.into())
    {
        read += 1;
    }
    read
}

pub(crate) fn from_utf16(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let mut read = 0;
    for step in src.as_chunks::<STEP>().0 {
        if step.iter().fold(0, |bits, unit| bits | unit) >= 0x80 || !out.extend(&step.map(|unit| unit as u8)) {
            break;
        }
        read += STEP;
    }
    while let Some(&unit) = src.get(read)
        && unit < 0x80
        && out.push(unit as u8)
    {
        read += 1;
    }
    read
}

fn is_ascii(step: [u8; STEP]) -> bool {
    u64::from_ne_bytes(step) & NOT_ASCII == 0
}
