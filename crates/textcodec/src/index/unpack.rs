//! The packed form of the indexes, and how they are unpacked. `xtask/src/pack.rs` packs them.
//!
//! An index is packed pointer by pointer, in the order of its [`Walk`]. Code points are told by the step from the *anchor*, which
//! is the last one's. Steps are counted in code points that this index has not used yet: what is left of a set in ascending order
//! is then all steps of 0. There are two anchors, one in force: behind a far step the one before is kept, for the way back. For
//! each pointer there is a kind, and what belongs to it:
//!
//! * [`UNMAPPED`].
//! * [`SAME`] as a pointer before; the walk says which.
//! * [`OTHER`]: the anchors change places. A kind of this pointer's follows.
//! * [`ABSOLUTE`]: the code point, its upper eight bits by themselves, then ten.
//! * [`FORWARD`] + n: a number of n bits, of which the first is 1 and left out. 0 is the next code point.
//! * [`BACKWARD`] + n: the same; 1 is the one before.
//!
//! Bits are coded as in LZMA, by a range coder with probabilities that adapt. A kind depends on the one before: a bit says whether
//! it is the same, if not, five follow, each with a probability of its own by those before it. So have the upper bits of code points.
//! The other bits are as good as random.

use std::{boxed::Box, ops::Range, vec, vec::Vec};

pub(crate) const UNMAPPED: usize = 0;
pub(crate) const SAME: usize = 1;
pub(crate) const OTHER: usize = 2;
pub(crate) const ABSOLUTE: usize = 3;
/// Up to [`MOST_FORWARD`] bits.
pub(crate) const FORWARD: usize = 4;
pub(crate) const MOST_FORWARD: u32 = 11;
/// From one bit on, up to [`MOST_BACKWARD`].
pub(crate) const BACKWARD: usize = FORWARD + MOST_FORWARD as usize;
pub(crate) const MOST_BACKWARD: u32 = 8;
const _: () = assert!(BACKWARD + (MOST_BACKWARD as usize) < KINDS);
/// A power of 2.
const KINDS: usize = 32;
/// Steps forward of so many bits are far.
const FAR: usize = FORWARD + 10;

/// The order of an index's pointers.
pub(crate) struct Walk {
    /// How many pointers a row has.
    pub(crate) width: usize,
    pub(crate) parts: &'static [Part],
    /// Each part is an index of its own.
    pub(crate) are_apart: bool,
}

/// Some rows and columns of an index, row by row.
pub(crate) struct Part {
    rows: Range<usize>,
    columns: Range<usize>,
    /// How far before a pointer the one is that it can be the same as.
    pub(crate) back: usize,
}

impl Walk {
    pub(crate) const JIS0208: Self = Self {
        width: 94,
        parts: &[Part::new(0..94, 0..94), Part { back: 2472, ..Part::new(114..120, 0..94) }],
        are_apart: false,
    };
    /// Behind what JIS X 0208 has.
    pub(crate) const JIS0212: Self = Self { width: 94, parts: &[Part::new(0..94, 0..94)], are_apart: false };
    /// EUC-KR and gb18030: the set of 94 rows and columns before what extends it.
    pub(crate) const EXTENDED: Self = Self {
        width: 190,
        parts: &[Part::new(32..126, 96..190), Part::new(0..32, 0..190), Part::new(32..126, 0..96)],
        are_apart: false,
    };
    /// HKSCS last.
    pub(crate) const BIG5: Self =
        Self { width: 157, parts: &[Part::new(32..126, 0..157), Part::new(0..32, 0..157)], are_apart: false };
    /// Row 0 is Latin-1, and is not packed; the others are the single-byte indexes.
    pub(crate) const SINGLE_BYTE: Self = Self { width: 128, parts: &SINGLE_BYTE_PARTS, are_apart: true };
}

impl Part {
    const fn new(rows: Range<usize>, columns: Range<usize>) -> Self {
        Self { rows, columns, back: 0 }
    }

    /// The pointers of rows that have so many.
    pub(crate) fn pointers(&self, width: usize) -> impl Iterator<Item = usize> {
        let columns = &self.columns;
        self.rows.clone().flat_map(move |row| columns.clone().map(move |column| row * width + column))
    }
}

/// Each index, and how many rows before it the one is that is most like it.
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

/// Unpacks an index. Code points that are `known` count as used from the beginning.
pub(crate) fn unpack(packed: &[u8], walk: &Walk, known: &[u16], index: &mut [u32]) {
    let mut bits = Bits::new(packed);
    let mut model = Model::new();
    let mut place = Place::new(known);
    for part in walk.parts {
        if walk.are_apart {
            place = Place::new(&[]);
        }
        for pointer in part.pointers(walk.width) {
            let mut kind = model.kind(&mut bits, 0);
            if kind == OTHER {
                place.change();
                kind = model.kind(&mut bits, 0);
            }
            let code = match kind {
                UNMAPPED => continue,
                SAME => index[pointer - part.back],
                ABSOLUTE => model.absolute(&mut bits, 0),
                FORWARD..=BACKWARD => place.used.forward(place.anchors[0] + 1, number(&mut bits, kind - FORWARD)),
                _ => place.used.backward(place.anchors[0], number(&mut bits, kind - BACKWARD)),
            };
            place.step(kind, code);
            index[pointer] = code;
        }
    }
}

/// A number of so many bits, of which the first is 1 and left out.
fn number(bits: &mut Bits<'_>, len: usize) -> u32 {
    len.checked_sub(1).map_or(0, |rest| 1 << rest | bits.raw(rest as u32, 0))
}

/// Where in Unicode an index has come to.
pub(crate) struct Place {
    /// The one in force, and the other.
    pub(crate) anchors: [u32; 2],
    pub(crate) used: Used,
}

impl Place {
    /// At the start; code points that are `known` count as used.
    pub(crate) fn new(known: &[u16]) -> Self {
        let mut used = Used(vec![0; 0x30000 / 64]);
        for &unit in known {
            used.add(unit.into());
        }
        Self { anchors: [0x4E00, 0x20], used }
    }

    /// The other anchor takes this one's place.
    pub(crate) fn change(&mut self) {
        self.anchors.reverse();
    }

    /// A step has been taken.
    pub(crate) fn step(&mut self, kind: usize, code: u32) {
        if matches!(kind, ABSOLUTE | FAR..=BACKWARD) {
            self.anchors[1] = self.anchors[0];
        }
        self.anchors[0] = code;
        self.used.add(code);
    }
}

/// The code points that an index has used, as bits.
pub(crate) struct Used(Vec<u64>);

impl Used {
    fn add(&mut self, code: u32) {
        self.0[code as usize / 64] |= 1 << (code % 64);
    }

    /// The unused ones among the 64 that a code point belongs to.
    pub(crate) fn free(&self, code: u32) -> u64 {
        !self.0[code as usize / 64]
    }

    /// The unused code point, from `code` on, that so many are before.
    fn forward(&self, mut code: u32, mut count: u32) -> u32 {
        let mut free = self.free(code) >> (code % 64) << (code % 64);
        while free.count_ones() <= count {
            count -= free.count_ones();
            code += 64;
            free = self.free(code);
        }
        code / 64 * 64 + nth_one(free, count)
    }

    /// The `count`-th unused code point before `code`, from 1 on.
    fn backward(&self, mut code: u32, mut count: u32) -> u32 {
        let mut free = self.free(code) & !(u64::MAX << (code % 64));
        while free.count_ones() < count {
            count -= free.count_ones();
            code -= 64;
            free = self.free(code);
        }
        code / 64 * 64 + nth_one(free, free.count_ones() - count)
    }
}

/// The place of a 1 that so many are below.
fn nth_one(mut word: u64, count: u32) -> u32 {
    for _ in 0..count {
        word &= word - 1;
    }
    word.trailing_zeros()
}

/// Reads bits or writes them. What reads takes no notice of the values that it is given.
pub(crate) trait Coder {
    /// A bit that is 0 with a probability of so many in 4,096.
    fn bit(&mut self, zero: u16, bit: bool) -> bool;

    /// Up to ten bits that are 0 and 1 alike.
    fn raw(&mut self, len: u32, value: u32) -> u32;
}

/// The probabilities of kinds and code points.
pub(crate) struct Model {
    /// By the kind before: first that it is the same, then those of a [`tree`].
    kinds: [[u16; KINDS]; KINDS],
    codes: [u16; 256],
    before: usize,
}

impl Model {
    pub(crate) fn new() -> Box<Self> {
        Box::new(Self { kinds: [[2048; KINDS]; KINDS], codes: [2048; 256], before: UNMAPPED })
    }

    /// The next kind.
    pub(crate) fn kind(&mut self, coder: &mut impl Coder, kind: usize) -> usize {
        let probabilities = &mut self.kinds[self.before];
        if !adaptive(coder, &mut probabilities[0], kind != self.before) {
            return self.before;
        }
        self.before = tree(coder, probabilities, kind);
        self.before
    }

    /// A code point.
    pub(crate) fn absolute(&mut self, coder: &mut impl Coder, code: u32) -> u32 {
        let upper = tree(coder, &mut self.codes, code as usize >> 10);
        (upper as u32) << 10 | coder.raw(10, code & 0x3FF)
    }
}

/// A number below `probabilities.len()`, a power of 2: from the upper bits on, each with the probability at the place that those
/// before it give, behind a 1.
fn tree(coder: &mut impl Coder, probabilities: &mut [u16], number: usize) -> usize {
    let len = probabilities.len();
    let mut place = 1;
    let mut bit = len / 2;
    while place < len {
        place = place << 1 | usize::from(adaptive(coder, &mut probabilities[place], number & bit != 0));
        bit >>= 1;
    }
    place - len
}

/// A bit whose probability becomes what it is a little.
fn adaptive(coder: &mut impl Coder, zero: &mut u16, bit: bool) -> bool {
    let bit = coder.bit(*zero, bit);
    if bit {
        *zero -= *zero >> 4;
    } else {
        *zero += (4096 - *zero) >> 4;
    }
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

    /// The next byte; behind the last ones are zeros.
    fn byte(&mut self) -> u32 {
        self.bytes.next().map_or(0, |&byte| byte.into())
    }

    /// A part of the range, now at its start, is all that is left.
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
        if bit {
            self.code -= bound;
        }
        self.narrow(if bit { self.range - bound } else { bound });
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
