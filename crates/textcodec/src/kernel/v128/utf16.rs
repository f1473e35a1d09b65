//! UTF-16: validation and byte order, 16 code units a step; conversion to UTF-8, eight units a step, whose bytes are written in
//! full width and then closed up by a table of shuffles. Surrogates go one by one: a block up to the first of them in vectors,
//! with its bytes counted under a mask, cost all other text a quarter of its speed.

use super::{
    Vector,
    ascii::{self, block},
};
use crate::{
    kernel::{Out, reference, tables::ByteOrder},
    table::{Table, table},
};

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn prefix(src: &[u16]) -> usize {
    let mut at = 0;
    // Whether the unit before is a leading surrogate.
    let mut begun = 0;
    while let Some(units) = src[at..].first_chunk::<16>() {
        let (low, high) = (Vector::load_units(block(units, 0)), Vector::load_units(block(units, 8)));
        if !pairs_up(low, high, &mut begun) {
            break;
        }
        at += 16;
    }
    at -= begun as usize;
    at + reference::utf16::prefix(&src[at..])
}

/// Whether the surrogates of 16 units, and of the one before, are pairs, but for one at the end. `begun` is 1 where a pair
/// is begun.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn pairs_up(low: Vector, high: Vector, begun: &mut u32) -> bool {
    let is = |mask: u16, value: u16| {
        let (mask, value) = (Vector::splat_units(mask), Vector::splat_units(value));
        low.and(mask).eq_units(value).narrow_masks(high.and(mask).eq_units(value))
    };
    let surrogates = is(0xF800, 0xD800).bits();
    if surrogates | *begun == 0 {
        return true;
    }
    let leading = is(0xFC00, 0xD800).bits();
    let expected = leading << 1 | *begun;
    if surrogates ^ leading != expected & 0xFFFF {
        return false;
    }
    *begun = expected >> 16;
    true
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn from_bytes(order: ByteOrder, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let to = out.spare_ptr();
    let units = (src.len() / 2).min(out.room());
    let (mut at, mut begun) = (0, 0);
    while at + 16 <= units {
        let low = in_order(order, Vector::load(block(src, 2 * at)));
        let high = in_order(order, Vector::load(block(src, 2 * at + 16)));
        if !pairs_up(low, high, &mut begun) {
            break;
        }
        // SAFETY: `at + 16` is within the room.
        unsafe {
            low.store(to.add(at));
            high.store(to.add(at + 8));
        }
        at += 16;
    }
    at -= begun as usize;
    // SAFETY: so many are stored.
    unsafe { out.advance(at) };
    2 * at + reference::utf16::from_bytes(order, &src[2 * at..], out)
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn to_bytes(order: ByteOrder, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let to = out.spare_ptr();
    let units = src.len().min(out.room() / 2);
    let (mut at, mut begun) = (0, 0);
    while at + 16 <= units {
        let (low, high) = (Vector::load_units(block(src, at)), Vector::load_units(block(src, at + 8)));
        if !pairs_up(low, high, &mut begun) {
            break;
        }
        // SAFETY: twice `at + 16` bytes are within the room.
        unsafe {
            in_order(order, low).store(to.add(2 * at));
            in_order(order, high).store(to.add(2 * at + 16));
        }
        at += 16;
    }
    at -= begun as usize;
    // SAFETY: so many are stored.
    unsafe { out.advance(2 * at) };
    at + reference::utf16::to_bytes(order, &src[at..], out)
}

/// From the machine's order, which is little-endian on all of these platforms, or to it.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn in_order(order: ByteOrder, units: Vector) -> Vector {
    match order {
        ByteOrder::Little => units,
        ByteOrder::Big => units.shl_units::<8>().or(units.shr_units::<8>()),
    }
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn to_utf8(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let mut read = 0;
    while let Some(units) = src[read..].first_chunk::<16>()
        && out.room() >= ROOM
    {
        let (low, high) = (Vector::load_units(block(units, 0)), Vector::load_units(block(units, 8)));
        read += if !low.or(high).and(Vector::splat_units(0xFF80)).any() {
            ascii::from_utf16(&src[read..], out)
        } else if is_surrogate(low).or(is_surrogate(high)).any() {
            match reference::utf16::to_utf8(&src[read..src.len().min(read + WITH_SURROGATES)], out) {
                0 => return read,
                taken => taken,
            }
        } else {
            // SAFETY: there is room.
            unsafe {
                let bytes = write(low, high, out.spare_ptr());
                out.advance(bytes);
            }
            16
        };
    }
    let rest = &src[read..];
    if (4..16).contains(&rest.len()) && out.room() >= ROOM {
        let mut units = [0; 16];
        units[..rest.len()].copy_from_slice(rest);
        let (low, high) = (Vector::load_units(block(&units, 0)), Vector::load_units(block(&units, 8)));
        if !is_surrogate(low).or(is_surrogate(high)).any() {
            // SAFETY: there is room; zeros behind the units have become a byte each.
            unsafe {
                let bytes = write(low, high, out.spare_ptr());
                out.advance(bytes - (16 - rest.len()));
            }
            return src.len();
        }
    }
    read + reference::utf16::to_utf8(rest, out)
}

/// How many units are converted one by one where there are surrogates: they seldom come alone.
const WITH_SURROGATES: usize = 32;

#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn is_surrogate(units: Vector) -> Vector {
    units.and(Vector::splat_units(0xF800)).eq_units(Vector::splat_units(0xD800))
}

/// The room that [`write()`] needs.
pub(super) const ROOM: usize = 52;

/// Writes 16 code units that are no surrogates; returns how many bytes they are.
///
/// # Safety
/// There is [`ROOM`].
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(super) unsafe fn write(low: Vector, high: Vector, to: *mut u8) -> usize {
    // SAFETY: the caller's promise: eight units are at most 24 bytes, and need four more to be written.
    unsafe {
        let len = write_eight(low, to);
        len + write_eight(high, to.add(len))
    }
}

/// # Safety
/// There is room for 28 bytes.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
unsafe fn write_eight(units: Vector, to: *mut u8) -> usize {
    let is_ascii = units.and(Vector::splat_units(0xFF80)).eq_units(Vector::zero());
    let is_short = units.and(Vector::splat_units(0xF800)).eq_units(Vector::zero());
    let last = units.and(Vector::splat_units(0x3F)).or(Vector::splat_units(0x80));
    let two = units.shr_units::<6>().or(Vector::splat_units(0xC0));
    // Which units have a second byte, and a third.
    let multi = !is_ascii.narrow_masks(is_ascii).bits() & 0xFF;
    let long = !is_short.narrow_masks(is_short).bits() & 0xFF;
    if long == 0 {
        let bytes = is_ascii.select(units, two.or(last.shl_units::<8>()));
        // SAFETY: there is room for 16 bytes.
        unsafe { bytes.swizzle(Vector::load(&CLOSE_TWO[multi as usize])).store(to) };
        return 8 + multi.count_ones() as usize;
    }
    let middle = units.shr_units::<6>().and(Vector::splat_units(0x3F)).or(Vector::splat_units(0x80));
    let three = units.shr_units::<12>().or(Vector::splat_units(0xE0)).or(middle.shl_units::<8>());
    let first = is_ascii.select(units, is_short.select(two, three));
    let four = |long: u32, multi: u32| {
        let close = &CLOSE_THREE[(long & 0xF | multi << 4 & 0xF0) as usize];
        (Vector::load(close), 4 + ((long & 0xF).count_ones() + (multi & 0xF).count_ones()) as usize)
    };
    let (close_low, low_len) = four(long, multi);
    let (close_high, high_len) = four(long >> 4, multi >> 4);
    // SAFETY: the first four units are at most 12 bytes, and there is room for 16 more.
    unsafe {
        first.zip_units_low(last).swizzle(close_low).store(to);
        first.zip_units_high(last).swizzle(close_high).store(to.add(low_len));
    }
    low_len + high_len
}

/// No byte.
const NONE: u8 = 0x80;

/// By which of eight pairs of bytes have a second one.
static CLOSE_TWO: Table<[[u8; 16]; 256]> = table!(close_two());

const fn close_two() -> [[u8; 16]; 256] {
    let mut close = [[NONE; 16]; 256];
    let mut shape = 0;
    while shape < 256 {
        let (mut n, mut len) = (0_u8, 0);
        while n < 16 {
            if n % 2 == 0 || shape >> (n / 2) & 1 == 1 {
                close[shape][len] = n;
                len += 1;
            }
            n += 1;
        }
        shape += 1;
    }
    close
}

/// By which of four numbers of 32 bits have a second byte, and, in the upper half, which have a third; the fourth is none.
static CLOSE_THREE: Table<[[u8; 16]; 256]> = table!(close_three());

const fn close_three() -> [[u8; 16]; 256] {
    let mut close = [[NONE; 16]; 256];
    let mut shape = 0;
    while shape < 256 {
        let (mut n, mut len) = (0_u8, 0);
        while n < 16 {
            let is_there = match n % 4 {
                0 => true,
                1 => shape >> (n / 4) & 1 == 1,
                2 => shape >> (4 + n / 4) & 1 == 1,
                _ => false,
            };
            if is_there {
                close[shape][len] = n;
                len += 1;
            }
            n += 1;
        }
        shape += 1;
    }
    close
}
