//! ASCII: eight units per step while all are ASCII, then one by one.

use crate::kernel::{
    Out,
    tables::{ByteOrder, as_bytes},
};

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
    if ByteOrder::NATIVE == ByteOrder::Big { to_units::<true>(src, out) } else { to_units::<false>(src, out) }
}

/// Converts to code units that are in little-endian order in memory, or with `BIG` in big-endian order.
pub(super) fn to_units<const BIG: bool>(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let order = ByteOrder::of(BIG);
    let mut read = 0;
    for step in src.as_chunks::<STEP>().0 {
        if !is_ascii(*step) || !out.extend(&step.map(|byte| order.in_memory(byte.into()))) {
            break;
        }
        read += STEP;
    }
    while let Some(&byte) = src.get(read)
        && byte.is_ascii()
        && out.push(order.in_memory(byte.into()))
    {
        read += 1;
    }
    read
}

#[inline]
pub(crate) fn from_utf16(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let src = as_bytes(src);
    if ByteOrder::NATIVE == ByteOrder::Big { from_units::<true>(src, out) } else { from_units::<false>(src, out) }
}

/// Converts code units in little-endian order, or with `BIG` in big-endian order.
pub(super) fn from_units<const BIG: bool>(src: &[[u8; 2]], out: &mut Out<'_, u8>) -> usize {
    let order = ByteOrder::of(BIG);
    let unit = |bytes| order.unit(bytes);
    let others = u64::from_ne_bytes([order.bytes(0xFF80); 4].as_flattened().try_into().expect("8 bytes"));
    let mut read = 0;
    for step in src.as_chunks::<STEP>().0 {
        let words = step.as_flattened().as_chunks().0.iter();
        if words.fold(0, |bits, &word| bits | u64::from_ne_bytes(word)) & others != 0
            || !out.extend(&step.map(|bytes| unit(bytes) as u8))
        {
            break;
        }
        read += STEP;
    }
    while let Some(&bytes) = src.get(read)
        && unit(bytes) < 0x80
        && out.push(unit(bytes) as u8)
    {
        read += 1;
    }
    read
}

fn is_ascii(step: [u8; STEP]) -> bool {
    u64::from_ne_bytes(step) & NOT_ASCII == 0
}
