//! Unpacks the packed indexes. `tools/data/src/pack.rs` packs them.
//!
//! An index is packed pointer by pointer, in the order of its [`Walk`]. A code point is stored as the step from the *anchor*,
//! the previous code point. Steps are counted in code points that the index has not used yet, so the rest of a set in ascending
//! order has only steps of 0. There are two anchors, and one of them applies. A far step saves the anchor before it as the
//! other one, so that a later step can return there. For each pointer, there is a kind, followed by its data:
//!
//! * [`UNMAPPED`]: no code point.
//! * [`SAME`]: the code point of an earlier pointer, which the walk determines.
//! * [`OTHER`]: swaps the anchors. Another kind for this pointer follows.
//! * [`ABSOLUTE`]: the code point, as its upper eight bits and its lower ten.
//! * [`FORWARD`] + n: a number of n bits, whose first bit is 1 and omitted. 0 is the next code point.
//! * [`BACKWARD`] + n: likewise; 1 is the code point before.
//!
//! Bits are coded by a range coder with adaptive probabilities, as in LZMA. The probabilities of a kind depend on the previous
//! kind. One bit is for whether they are equal. If not, five bits follow, whose probabilities depend on the bits before them.
//! The upper bits of code points are coded in the same way. The other bits are almost random, and 0 and 1 are equally probable.

use core::{hint::select_unpredictable, ops::Range};

pub(crate) const UNMAPPED: usize = 0;
pub(crate) const SAME: usize = 1;
pub(crate) const OTHER: usize = 2;
pub(crate) const ABSOLUTE: usize = 3;
/// The step has 0 to [`MAX_FORWARD_BITS`] bits.
pub(crate) const FORWARD: usize = 4;
pub(crate) const MAX_FORWARD_BITS: u32 = 11;
/// The step has 1 to [`MAX_BACKWARD_BITS`] bits.
pub(crate) const BACKWARD: usize = FORWARD + MAX_FORWARD_BITS as usize;
pub(crate) const MAX_BACKWARD_BITS: u32 = 8;
const _: () = assert!(BACKWARD + (MAX_BACKWARD_BITS as usize) < KINDS);
/// The number of kinds, rounded up to a power of 2.
const KINDS: usize = 32;
/// Forward steps of at least ten bits are far.
const FAR: usize = FORWARD + 10;

/// The order of an index's pointers.
pub(crate) struct Walk {
    /// The number of pointers in a row.
    pub(crate) width: usize,
    pub(crate) parts: &'static [Part],
    /// Whether each part is a separate index.
    pub(crate) are_separate: bool,
}

/// A rectangle of an index, row by row.
pub(crate) struct Part {
    rows: Range<usize>,
    columns: Range<usize>,
    /// For [`SAME`]: the distance to the earlier pointer.
    pub(crate) back: usize,
}

impl Walk {
    pub(crate) const JIS0208: Self = Self {
        width: 94,
        parts: &[Part::new(0..94, 0..94), Part { back: 2472, ..Part::new(114..120, 0..94) }],
        are_separate: false,
    };
    /// Without the characters of JIS X 0208, which count as used.
    pub(crate) const JIS0212: Self = Self { width: 94, parts: &[Part::new(0..94, 0..94)], are_separate: false };
    /// EUC-KR and gb18030: first the original set of 94 rows and columns, then its extensions.
    pub(crate) const EXTENDED: Self = Self {
        width: 190,
        parts: &[Part::new(32..126, 96..190), Part::new(0..32, 0..190), Part::new(32..126, 0..96)],
        are_separate: false,
    };
    /// The HKSCS extension is last.
    pub(crate) const BIG5: Self =
        Self { width: 157, parts: &[Part::new(32..126, 0..157), Part::new(0..32, 0..157)], are_separate: false };
    /// Row 0 is Latin-1 and not packed. The other rows are the single-byte indexes.
    pub(crate) const SINGLE_BYTE: Self = Self { width: 128, parts: &SINGLE_BYTE_PARTS, are_separate: true };
}

impl Part {
    const fn new(rows: Range<usize>, columns: Range<usize>) -> Self {
        Self { rows, columns, back: 0 }
    }

    /// Returns the pointers, for rows of `width` pointers.
    pub(crate) fn pointers(&self, width: usize) -> impl Iterator<Item = usize> {
        let columns = &self.columns;
        self.rows.clone().flat_map(move |row| columns.clone().map(move |column| row * width + column))
    }
}

/// The single-byte indexes, each with the distance to the earlier index that is most similar.
const SINGLE_BYTE_PARTS: [Part; 27] = {
    const ROWS_BACK: [usize; 27] =
        [1, 2, 3, 2, 1, 2, 7, 8, 5, 10, 11, 12, 1, 9, 1, 4, 4, 16, 1, 20, 14, 2, 15, 2, 15, 4, 8];
    let mut parts = [const { Part::new(0..0, 0..128) }; 27];
    let mut n = 0;
    while n < 27 {
        parts[n] = Part { rows: n + 1..n + 2, columns: 0..128, back: 128 * ROWS_BACK[n] };
        n += 1;
    }
    parts
};

/// Unpacks an index, which is empty: all of it is 0. The code points in `known` count as used from the start.
///
/// A code point above the BMP is the lower 16 bits of an entry of `above`. A surrogate 0xD800 + n in the index refers to entry n.
pub(crate) fn unpack(packed: &[u8], walk: &Walk, known: &[u16], index: &mut [u16], above: &mut [u16]) {
    let mut bits = Bits::new(packed);
    let mut model = Model::new();
    let mut cursor = Cursor::new(known);
    let mut count = 0;
    for part in walk.parts {
        if walk.are_separate {
            cursor = Cursor::new(&[]);
        }
        for pointer in part.pointers(walk.width) {
            let mut kind = model.kind(&mut bits, 0);
            if kind == OTHER {
                cursor.swap_anchors();
                kind = model.kind(&mut bits, 0);
            }
            let code = match kind {
                UNMAPPED => continue,
                SAME => index[pointer - part.back].into(),
                ABSOLUTE => model.absolute(&mut bits, 0),
                FORWARD..=BACKWARD => cursor.used.forward(cursor.anchors[0] + 1, number(&mut bits, kind - FORWARD)),
                _ => cursor.used.backward(cursor.anchors[0], number(&mut bits, kind - BACKWARD)),
            };
            cursor.step(kind, code);
            index[pointer] = u16::try_from(code).unwrap_or_else(|_| {
                above[count] = code as u16;
                count += 1;
                0xD800 + count as u16 - 1
            });
        }
    }
}

/// Reads a number of `len` bits, whose first bit is 1 and omitted.
fn number(bits: &mut Bits<'_>, len: usize) -> u32 {
    len.checked_sub(1).map_or(0, |rest| 1 << rest | bits.raw(rest as u32, 0))
}

/// The current position in Unicode while an index is packed or unpacked.
pub(crate) struct Cursor {
    /// The anchor that applies, and the other one.
    pub(crate) anchors: [u32; 2],
    pub(crate) used: Used,
}

impl Cursor {
    /// Creates a cursor at the start. The code points in `known` count as used.
    #[expect(clippy::large_stack_arrays, reason = "24 KiB for a short time, instead of an allocation that can fail")]
    pub(crate) fn new(known: &[u16]) -> Self {
        let mut used = Used([0; 0x30000 / 64]);
        for &unit in known {
            used.add(unit.into());
        }
        Self { anchors: [0x4E00, 0x20], used }
    }

    /// Swaps the anchors.
    pub(crate) fn swap_anchors(&mut self) {
        self.anchors.reverse();
    }

    /// Moves to `code` by a step of this kind.
    pub(crate) fn step(&mut self, kind: usize, code: u32) {
        if matches!(kind, ABSOLUTE | FAR..=BACKWARD) {
            self.anchors[1] = self.anchors[0];
        }
        self.anchors[0] = code;
        self.used.add(code);
    }
}

/// The set of code points that an index has used, as a bit set.
pub(crate) struct Used([u64; 0x30000 / 64]);

impl Used {
    fn add(&mut self, code: u32) {
        self.0[code as usize / 64] |= 1 << (code % 64);
    }

    /// Returns the unused code points in the aligned block of 64 with `code`, as bits.
    pub(crate) fn free(&self, code: u32) -> u64 {
        !self.0[code as usize / 64]
    }

    /// Returns the unused code point from `code` on, after skipping `count` unused ones.
    fn forward(&self, mut code: u32, mut count: u32) -> u32 {
        let mut free = self.free(code) >> (code % 64) << (code % 64);
        while free.count_ones() <= count {
            count -= free.count_ones();
            code += 64;
            free = self.free(code);
        }
        code / 64 * 64 + nth_set_bit(free, count)
    }

    /// Returns the `count`-th unused code point before `code`, where 1 is the nearest.
    fn backward(&self, mut code: u32, mut count: u32) -> u32 {
        let mut free = self.free(code) & !(u64::MAX << (code % 64));
        while free.count_ones() < count {
            count -= free.count_ones();
            code -= 64;
            free = self.free(code);
        }
        code / 64 * 64 + nth_set_bit(free, free.count_ones() - count)
    }
}

/// Returns the position of the set bit of `word` that has `count` set bits below it.
fn nth_set_bit(mut word: u64, count: u32) -> u32 {
    for _ in 0..count {
        word &= word - 1;
    }
    word.trailing_zeros()
}

/// A range decoder or encoder. A decoder ignores the `bit` and `value` arguments; both return the coded value.
pub(crate) trait Coder {
    /// Codes a bit that is 0 with a probability of `zero` / 4,096.
    fn bit(&mut self, zero: u16, bit: bool) -> bool;

    /// Codes `len` bits, at most ten, that are 0 or 1 with equal probability.
    fn raw(&mut self, len: u32, value: u32) -> u32;
}

/// The probabilities of kinds and code points.
pub(crate) struct Model {
    /// By the previous kind: the probability that the kind is the same, followed by those of a [`tree`].
    kinds: [[u16; KINDS]; KINDS],
    codes: [u16; 256],
    before: usize,
}

impl Model {
    pub(crate) fn new() -> Self {
        Self { kinds: [[2048; KINDS]; KINDS], codes: [2048; 256], before: UNMAPPED }
    }

    /// Codes the next kind.
    pub(crate) fn kind(&mut self, coder: &mut impl Coder, kind: usize) -> usize {
        let probabilities = &mut self.kinds[self.before];
        if !adaptive(coder, &mut probabilities[0], kind != self.before) {
            return self.before;
        }
        self.before = tree(coder, probabilities, kind);
        self.before
    }

    /// Codes a code point.
    pub(crate) fn absolute(&mut self, coder: &mut impl Coder, code: u32) -> u32 {
        let upper = tree(coder, &mut self.codes, code as usize >> 10);
        (upper as u32) << 10 | coder.raw(10, code & 0x3FF)
    }
}

/// Codes a number below `N`, a power of 2, from the highest bit to the lowest. The probability of a bit is at
/// the index that consists of a 1 and the higher bits.
fn tree<const N: usize>(coder: &mut impl Coder, probabilities: &mut [u16; N], number: usize) -> usize {
    let mut node = 1;
    let mut bit = N / 2;
    while node < N {
        node = node << 1 | usize::from(adaptive(coder, &mut probabilities[node], number & bit != 0));
        bit >>= 1;
    }
    node - N
}

/// Codes a bit, and adapts its probability.
fn adaptive(coder: &mut impl Coder, zero: &mut u16, bit: bool) -> bool {
    let bit = coder.bit(*zero, bit);
    *zero = select_unpredictable(bit, *zero - (*zero >> 4), *zero + ((4096 - *zero) >> 4));
    bit
}

/// A range decoder.
struct Bits<'a> {
    bytes: core::slice::Iter<'a, u8>,
    range: u32,
    code: u32,
}

impl<'a> Bits<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        let mut bits = Self { bytes: bytes.iter(), range: u32::MAX, code: 0 };
        for _ in 0..4 {
            bits.code = bits.code << 8 | bits.byte();
        }
        bits
    }

    /// Returns the next byte. Zeros follow the last byte.
    fn byte(&mut self) -> u32 {
        self.bytes.next().map_or(0, |&byte| byte.into())
    }

    /// Reduces the range. `code` is already relative to the start of the new range.
    fn narrow(&mut self, range: u32) {
        self.range = range;
        while self.range < 1 << 24 {
            self.range <<= 8;
            self.code = self.code << 8 | self.byte();
        }
    }
}

impl Coder for Bits<'_> {
    fn bit(&mut self, zero: u16, _: bool) -> bool {
        let bound = (self.range >> 12) * u32::from(zero);
        let bit = self.code >= bound;
        self.code = select_unpredictable(bit, self.code.wrapping_sub(bound), self.code);
        self.narrow(select_unpredictable(bit, self.range - bound, bound));
        bit
    }

    fn raw(&mut self, len: u32, _: u32) -> u32 {
        let range = self.range >> len;
        let value = self.code / range;
        self.code -= value * range;
        self.narrow(range);
        value
    }
}
