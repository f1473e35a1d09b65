//! The table of double-byte encoders.

/// Indexed by the upper ten bits of a code point of the BMP: the start of its block of 64 entries.
pub(crate) type Stages = [u16; 1024];

/// Maps code points of the BMP to bytes, in two stages.
///
/// An entry with a non-zero upper byte is a pair, with the lead byte in the upper byte, or a single byte, with 0 in the lower
/// byte. An entry below 0x100 is unmapped if it is 0, and otherwise a character of [four bytes](Bases). U+0000 has entry 0 too;
/// kernels handle it separately.
///
/// Invariant: `stages[n] + 64 <= entries.len()` for each `n`, and `rows` are the [`Rows`] of the stages.
#[derive(Debug)]
pub(crate) struct ToBytes {
    stages: &'static Stages,
    entries: &'static [u16],
    #[cfg(not(textcodec_small))]
    rows: Rows,
    kept_bits: u16,
    ascii: bool,
    bases: Option<&'static Stages>,
}

impl ToBytes {
    /// The smallest entry that holds a pair or a single byte.
    pub(crate) const MIN_BYTES: u16 = 0x100;

    /// Creates a table with ASCII.
    ///
    /// # Panics
    /// Panics if a block of 64 entries ends after the last entry.
    #[inline(never)]
    pub(crate) const fn new(stages: &'static Stages, entries: &'static [u16]) -> Self {
        let mut n = 0;
        while n < stages.len() {
            assert!(stages[n] as usize + 64 <= entries.len(), "a block ends after the last entry");
            n += 1;
        }
        Self {
            stages,
            entries,
            #[cfg(not(textcodec_small))]
            rows: Rows::new(stages),
            kept_bits: 0xFFFF,
            ascii: true,
            bases: None,
        }
    }

    /// Marks the entries as without ASCII.
    pub(crate) const fn without_ascii(self) -> Self {
        Self { ascii: false, ..self }
    }

    /// Clears the high bit of each byte of an entry.
    pub(crate) const fn seven_bit(self) -> Self {
        Self { kept_bits: 0x7F7F, ..self }
    }

    /// Adds the [`Bases`] of characters of four bytes.
    pub(crate) const fn with_four_bytes(self, bases: &'static Stages) -> Self {
        Self { bases: Some(bases), ..self }
    }

    /// Returns the entry of a code point.
    #[inline(always)]
    pub(crate) fn entry(&self, unit: u16) -> u16 {
        self.raw_entry(unit) & self.kept_bits
    }

    /// Returns the entry of a code point, including bits that are not in [`kept_bits`](Self::kept_bits).
    #[inline(always)]
    pub(crate) fn raw_entry(&self, unit: u16) -> u16 {
        let block = usize::from(self.stages[usize::from(unit >> 6)]);
        // SAFETY: `block + 64 <= entries.len()`, by the invariant that `new` asserts, and `unit & 63 < 64`.
        unsafe { *self.entries.get_unchecked(block + usize::from(unit & 63)) }
    }

    /// Returns the entry with a number: the sum of a code point and its [`delta`](Rows::delta), or 0.
    ///
    /// # Safety
    /// The number is 0, or it is this sum, and the code point is in the rows of its upper four bits.
    #[cfg(not(textcodec_small))]
    #[inline(always)]
    pub(crate) unsafe fn numbered_entry(&self, number: u16) -> u16 {
        // SAFETY: a code point in these rows is in a block at `block`, and the number is `block + (unit & 63)`, by the invariant
        // of `Rows`. `block + 64 <= entries.len()`, by that of `self`, which also implies that there is an entry 0.
        unsafe { *self.entries.get_unchecked(usize::from(number)) }
    }

    /// The rows whose entries have numbers.
    #[cfg(not(textcodec_small))]
    #[inline(always)]
    pub(crate) fn rows(&self) -> &Rows {
        &self.rows
    }

    /// Whether kernels decline the character.
    #[inline]
    pub(crate) fn declines(&self, character: char) -> bool {
        match u16::try_from(u32::from(character)) {
            Ok(unit) => self.declines_unit(unit),
            Err(_) => self.bases.is_none(),
        }
    }

    /// Whether kernels decline an input that begins with this unit.
    #[inline(always)]
    pub(crate) fn declines_unit(&self, unit: u16) -> bool {
        self.entry(unit) == 0 && unit != 0 && !(self.bases.is_some() && matches!(unit, 0xD800..=0xDBFF))
    }

    /// Whether ASCII characters are encoded as ASCII.
    #[inline(always)]
    pub(crate) fn has_ascii(&self) -> bool {
        self.ascii
    }

    /// The bits of an entry that are part of the bytes.
    #[inline(always)]
    pub(crate) fn kept_bits(&self) -> u16 {
        self.kept_bits
    }

    /// The bases of characters of four bytes, if the encoding has them.
    #[inline(always)]
    pub(crate) fn bases(&self) -> Option<Bases> {
        self.bases.map(Bases)
    }

    /// The maximum number of bytes for a code unit.
    #[inline(always)]
    pub(crate) fn max_bytes_per_unit(&self) -> usize {
        if self.bases.is_some() { 4 } else { 2 }
    }

    /// Returns the pair of a code point.
    #[inline]
    pub(crate) fn pair(&self, code_point: u32) -> Option<[u8; 2]> {
        let entry = self.entry(u16::try_from(code_point).ok()?);
        (entry >= Self::MIN_BYTES).then(|| entry.to_be_bytes())
    }
}

/// For each value of the upper four bits of a code point: a range of rows of 256 code points whose entries follow each other.
///
/// Invariant, for a code point whose upper four bits are `n`: if its upper byte is from `first[n]` to `last[n]`, then the number of
/// its entry is the sum of the code point and `delta[n] << 8`, modulo 0x10000.
#[cfg(not(textcodec_small))]
#[derive(Debug)]
pub(crate) struct Rows {
    pub(crate) first: [u8; 16],
    pub(crate) last: [u8; 16],
    pub(crate) delta: [u8; 16],
}

#[cfg(not(textcodec_small))]
impl Rows {
    /// Finds the longest range for each value.
    const fn new(stages: &Stages) -> Self {
        let mut rows = Self { first: [0xFF; 16], last: [0; 16], delta: [0; 16] };
        let mut from = 0;
        while from < 256 {
            let delta = Self::delta(stages, from);
            let mut end = from;
            while end < 256 && end >> 4 == from >> 4 && same(delta, Self::delta(stages, end)) {
                end += 1;
            }
            let n = from >> 4;
            if let Some(delta) = delta
                && end - from > (rows.last[n] as usize + 1).saturating_sub(rows.first[n] as usize)
            {
                (rows.first[n], rows.last[n], rows.delta[n]) = (from as u8, (end - 1) as u8, delta);
            }
            from = if end > from { end } else { from + 1 };
        }
        rows
    }

    /// Returns what to add to the upper byte of the code points in a row, if their entries follow each other.
    const fn delta(stages: &Stages, row: usize) -> Option<u8> {
        let start = stages[4 * row];
        let mut n = 1;
        while n < 4 {
            if stages[4 * row + n] != start.wrapping_add(64 * n as u16) {
                return None;
            }
            n += 1;
        }
        if start.is_multiple_of(256) { Some(((start >> 8) as u8).wrapping_sub(row as u8)) } else { None }
    }
}

/// Whether both are the same number.
#[cfg(not(textcodec_small))]
const fn same(a: Option<u8>, b: Option<u8>) -> bool {
    matches!((a, b), (Some(a), Some(b)) if a == b)
}

/// Indexed by block: the number that, added to an entry from 1 to 0xFF, gives the pointer of a four-byte sequence.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bases(&'static Stages);

impl Bases {
    /// Returns the pointer of a code point with an entry from 1 to 0xFF.
    #[inline(always)]
    pub(crate) fn pointer(self, unit: u16, entry: u16) -> u32 {
        self.base(unit).wrapping_add(entry).into()
    }

    /// Returns the number for the block of a code point.
    #[inline(always)]
    pub(crate) fn base(self, unit: u16) -> u16 {
        self.0[usize::from(unit >> 6)]
    }
}

#[cfg(all(test, feature = "all-encodings", feature = "encoders", not(textcodec_small)))]
mod tests {
    use crate::index::encode::{BIG5, EUC_JP, EUC_KR, GB18030, GBK, ISO_2022_JP, SHIFT_JIS};

    #[test]
    fn numbers_in_rows_have_the_entries_of_the_stages() {
        for table in [&EUC_JP, &ISO_2022_JP, &SHIFT_JIS, &GBK, &GB18030, &BIG5, &EUC_KR] {
            let rows = table.rows();
            let number = |unit: u16| {
                let (n, row) = (usize::from(unit >> 12), unit >> 8);
                let is_in = (rows.first[n].into()..=rows.last[n].into()).contains(&row);
                is_in.then(|| unit.wrapping_add(u16::from(rows.delta[n]) << 8))
            };
            for unit in 0..=u16::MAX {
                if let Some(number) = number(unit) {
                    // SAFETY: the number is this sum, of a code point in the rows.
                    assert_eq!(unsafe { table.numbered_entry(number) }, table.raw_entry(unit), "{unit:#X}");
                }
            }
            let common = (0x4E00..0xA000).chain([0x41, 0x2014, 0x3042, 0xFF01]);
            assert_eq!(common.filter(|&unit| number(unit).is_none()).count(), 0);
        }
        assert_eq!(EUC_KR.rows().first[0xB], 0xB0);
        assert_eq!(EUC_KR.rows().last[0xB], 0xBF);
    }
}
