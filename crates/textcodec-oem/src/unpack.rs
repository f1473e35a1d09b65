//! The packed form of the pages, which `cargo xtask tables` writes.
//!
//! A page starts with a byte: the number of its base plus one, or 0 for Latin-1 as its base. A base is an earlier page. Steps
//! follow, until all 256 bytes of the page have a code point. A step is a byte, whose lower five bits are a count less one and
//! whose upper three bits are a kind, and what the kind needs:
//!
//! | kind | code points | followed by |
//! |---|---|---|
//! | 0 | those of the base, for as many bytes | |
//! | 1 | those of the base, for 32 times as many bytes | |
//! | 2 | consecutive ones | the first one: the low byte, then the high byte |
//! | 3 | in a window at U+0080 | for each, its offset in the window |
//! | 4 | in another window | the window, then for each its offset |
//! | 5 | any | for each, the low byte and the high byte |
//! | 6 | none: the bytes are unassigned | |
//! | 7 | those of the base for other bytes | the first of these |
//!
//! Window n starts at U+0040 times n, and from 224 on at U+C000 more.

/// The code point of an unassigned byte.
pub(crate) const UNMAPPED: u16 = 0xFFFF;

/// The kinds of steps.
pub(crate) const SAME: u8 = 0;
pub(crate) const SAME_BLOCKS: u8 = 1;
pub(crate) const RUN: u8 = 2;
pub(crate) const LATIN: u8 = 3;
pub(crate) const WINDOW: u8 = 4;
pub(crate) const WIDE: u8 = 5;
pub(crate) const UNASSIGNED: u8 = 6;
pub(crate) const MOVED: u8 = 7;

/// The number of bytes that a count of `SAME_BLOCKS` means.
pub(crate) const BLOCK: usize = 32;

/// The window of `LATIN`.
pub(crate) const LATIN_WINDOW: u8 = 2;

/// Returns the first code point of a window.
pub(crate) const fn window(number: u8) -> u16 {
    let above = if number < 224 { 0 } else { 0xC000 };
    number as u16 * 0x40 + above
}

/// Returns the code points of a page. `packed` has all pages, and `starts` their first bytes.
pub(crate) fn unpack(packed: &[u8], starts: &[u16], page: usize) -> [u16; 256] {
    let mut input = packed[usize::from(starts[page])..].iter().copied();
    let mut next = || input.next().unwrap_or_default();
    let base = match next() {
        0 => core::array::from_fn(|byte| byte as u16),
        number => unpack(packed, starts, usize::from(number) - 1),
    };
    let mut to = base;
    let mut at = 0;
    while at < to.len() {
        let step = next();
        let mut count = usize::from(step & 31) + 1;
        if step >> 5 == SAME_BLOCKS {
            count *= BLOCK;
        }
        let end = to.len().min(at + count);
        let units = &mut to[at..end];
        match step >> 5 {
            SAME | SAME_BLOCKS => {}
            RUN => {
                let first = u16::from_le_bytes([next(), next()]);
                units.iter_mut().zip(first..).for_each(|(unit, code)| *unit = code);
            }
            LATIN => units.fill_with(|| window(LATIN_WINDOW) + u16::from(next())),
            WINDOW => {
                let first = window(next());
                units.fill_with(|| first + u16::from(next()));
            }
            WIDE => units.fill_with(|| u16::from_le_bytes([next(), next()])),
            UNASSIGNED => units.fill(UNMAPPED),
            MOVED.. => {
                let from = usize::from(next());
                units.copy_from_slice(&base[from..from + units.len()]);
            }
        }
        at = end;
    }
    to
}
