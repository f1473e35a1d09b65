//! ASCII in bytes, and Basic Latin (ASCII in UTF-16 code units).

use textcodec::utf;

use super::{has_none, prefix_without};

/// The number of units that are validated, then copied. They fit into the first-level cache for the second pass.
const BLOCK: usize = 4096;

/// The bits that are zero in code units of Basic Latin.
const NOT_BASIC_LATIN: u16 = 0xFF80;

/// Returns whether all bytes are ASCII.
///
/// ```
/// assert!(encoding_rs::mem::is_ascii(b"plain"));
/// assert!(!encoding_rs::mem::is_ascii("naïve".as_bytes()));
/// ```
pub fn is_ascii(buffer: &[u8]) -> bool {
    let front = &buffer[..buffer.len().min(16)];
    front.iter().fold(0, |all, byte| all | byte) < 0x80 && utf::ascii_valid_up_to(buffer) == buffer.len()
}

/// Returns whether all code units are below U+0080.
///
/// ```
/// assert!(encoding_rs::mem::is_basic_latin(&[0x41, 0x7F]));
/// assert!(!encoding_rs::mem::is_basic_latin(&[0x41, 0x80]));
/// ```
pub fn is_basic_latin(buffer: &[u16]) -> bool {
    has_none(NOT_BASIC_LATIN, buffer)
}

/// Copies bytes up to the first that is not ASCII. Returns the number of bytes copied.
///
/// # Panics
/// If `dst` is shorter than `src`.
///
/// ```
/// let mut bytes = [0; 8];
/// assert_eq!(encoding_rs::mem::copy_ascii_to_ascii(b"na\xC3\xAFve", &mut bytes), 2);
/// assert_eq!(&bytes[..2], b"na");
/// ```
pub fn copy_ascii_to_ascii(src: &[u8], dst: &mut [u8]) -> usize {
    copy(src, dst, utf::ascii_valid_up_to, |byte| byte, |from, to| to.copy_from_slice(from))
}

/// Copies bytes to UTF-16 up to the first that is not ASCII. Returns the number of bytes copied.
///
/// # Panics
/// If `dst` is shorter than `src`.
///
/// ```
/// let mut units = [0; 8];
/// assert_eq!(encoding_rs::mem::copy_ascii_to_basic_latin(b"na\xC3\xAFve", &mut units), 2);
/// assert_eq!(units[..2], [0x6E, 0x61]);
/// ```
pub fn copy_ascii_to_basic_latin(src: &[u8], dst: &mut [u16]) -> usize {
    copy(src, dst, utf::ascii_valid_up_to, u16::from, |from, to| _ = utf::latin1_to_utf16(from, to))
}

/// Copies code units to bytes up to the first that is U+0080 or above. Returns the number of code units copied.
///
/// # Panics
/// If `dst` is shorter than `src`.
///
/// ```
/// let mut bytes = [0; 8];
/// assert_eq!(encoding_rs::mem::copy_basic_latin_to_ascii(&[0x6E, 0x61, 0xEF], &mut bytes), 2);
/// assert_eq!(&bytes[..2], b"na");
/// ```
pub fn copy_basic_latin_to_ascii(src: &[u16], dst: &mut [u8]) -> usize {
    let prefix = |block: &[u16]| prefix_without(NOT_BASIC_LATIN, block);
    copy(src, dst, prefix, |unit| unit as u8, |from, to| _ = utf::utf16_to_latin1(from, to))
}

/// Copies the units of each block up to the length that `prefix` returns, and stops at the first block that is not copied
/// whole.
#[inline]
fn copy<T: Copy + Into<u16>, U>(
    src: &[T],
    dst: &mut [U],
    prefix: impl Fn(&[T]) -> usize,
    one: impl Fn(T) -> U,
    copy: impl Fn(&[T], &mut [U]),
) -> usize {
    assert!(dst.len() >= src.len(), "the destination is shorter than the source");
    // A few units are cheaper to copy one by one.
    let front = src.iter().take(8).take_while(|&&unit| unit.into() < 0x80).count();
    if front < src.len().min(8) {
        for (to, &from) in dst.iter_mut().zip(&src[..front]) {
            *to = one(from);
        }
        return front;
    }
    let mut copied = 0;
    for (from, to) in src.chunks(BLOCK).zip(dst.chunks_mut(BLOCK)) {
        let len = prefix(from);
        copy(&from[..len], &mut to[..len]);
        copied += len;
        if len < from.len() {
            break;
        }
    }
    copied
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_end_at_every_offset() {
        let mut src = [b'a'; BLOCK + 100];
        for at in (0..300).chain(BLOCK - 70..BLOCK + 100) {
            src[at] = 0x80;
            let units = src.map(u16::from);
            let (mut bytes, mut wide) = ([0; BLOCK + 100], [0; BLOCK + 101]);
            assert_eq!(copy_ascii_to_ascii(&src, &mut bytes), at);
            assert!(bytes[..at] == src[..at] && bytes[at..].iter().all(|&byte| byte == 0));
            assert_eq!(copy_ascii_to_basic_latin(&src, &mut wide), at);
            assert!(wide[..at] == units[..at] && wide[at..].iter().all(|&unit| unit == 0));
            bytes.fill(0);
            assert_eq!(copy_basic_latin_to_ascii(&units, &mut bytes), at);
            assert!(bytes[..at] == src[..at] && bytes[at..].iter().all(|&byte| byte == 0));
            assert!(!is_ascii(&src) && !is_basic_latin(&units) && is_basic_latin(&units[..at]));
            src[at] = b'a';
        }
    }
}
