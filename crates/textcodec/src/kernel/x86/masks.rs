//! Where characters begin, by arithmetic with masks of 64 places.

/// Of bytes that can lead a pair, those that do: every second one of each run, from its first on. What follows a run of odd
/// length is its last pair's trailing byte. The first byte begins a character.
#[inline(always)]
pub(crate) fn leading(capable: u64) -> u64 {
    const EVEN: u64 = 0x5555_5555_5555_5555;
    let begins = capable & !(capable << 1);
    // The carry of an addition runs through a run and clears it.
    let from_even = capable & !capable.wrapping_add(begins & EVEN);
    capable & (from_even ^ !EVEN)
}

/// Among up to 64 bytes, the first of which begins a character: ASCII and four bytes, as far as there is nothing else.
pub(crate) struct FourByteMasks {
    /// Where characters begin.
    pub(crate) chars: u64,
    /// Those of four bytes.
    pub(crate) four: u64,
    /// Where the first byte is that belongs to none.
    pub(crate) end: usize,
    /// What it belongs to may be known when what follows is seen.
    pub(crate) is_all: bool,
}

impl FourByteMasks {
    /// By the bytes above ASCII, those that can lead, and the digits. There is none of these behind the end of the source, which
    /// has `len` bytes.
    #[inline(always)]
    pub(crate) fn find(upper: u64, leading: u64, digits: u64, len: usize) -> Self {
        let halves = leading & digits >> 1;
        let four = four_byte_starts(halves) & halves >> 2;
        let ascii = !upper & !(four << 1 | four << 3);
        let wrong = upper & !(four | four << 2);
        let end = len.min(wrong.trailing_zeros() as usize);
        let before = first_n(end);
        Self { chars: (four | ascii) & before, four: four & before, end, is_all: end == len || end > 60 }
    }
}

/// Of pairs with a digit, by the places of their leading bytes, those that begin four bytes: every second one of each run.
#[inline(always)]
fn four_byte_starts(halves: u64) -> u64 {
    const FOURTH: u64 = 0x1111_1111_1111_1111;
    let bytes = halves | halves << 1;
    let begins = bytes & !(bytes << 1);
    // As above, for the runs that begin at one of four places each.
    let from = |places: u64| bytes & !bytes.wrapping_add(begins & places) & places;
    from(FOURTH) | from(FOURTH << 1) | from(FOURTH << 2) | from(FOURTH << 3)
}

/// The lowest `count` bits; `count <= 64`.
#[inline(always)]
pub(crate) fn first_n(count: usize) -> u64 {
    u64::MAX.checked_shr(64 - count as u32).unwrap_or(0)
}

/// The bits below the lowest set one, or all if none is set.
#[inline(always)]
pub(crate) fn before_first(places: u64) -> u64 {
    (places & places.wrapping_neg()).wrapping_sub(1)
}
