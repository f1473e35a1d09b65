//! The table that every double-byte encoder looks up.

/// By the upper ten bits of a code point of the BMP, where its block of 64 entries starts.
pub(crate) type Stages = [u16; 1024];

/// From a code point of the BMP to its bytes, in two stages.
///
/// An entry holds a pair, the leading byte in its upper half; or a byte that stands alone, with 0 in the lower half. An entry
/// whose upper half is 0 has no bytes of its own: 0 is unmapped, others belong to characters of [four bytes](Bases).
/// U+0000 has entry 0 too, and kernels know it.
#[derive(Debug)]
pub(crate) struct ToBytes {
    stages: &'static Stages,
    entries: &'static [u16],
    kept_bits: u16,
    ascii: bool,
    bases: Option<&'static Stages>,
}

impl ToBytes {
    /// Entries below it have no bytes of their own.
    pub(crate) const LEAST: u16 = 0x100;

    #[inline(never)]
    pub(crate) const fn new(stages: &'static Stages, entries: &'static [u16]) -> Self {
        let mut n = 0;
        while n < stages.len() {
            assert!(stages[n] as usize + 64 <= entries.len(), "a block behind the last entry");
            n += 1;
        }
        Self { stages, entries, kept_bits: 0xFFFF, ascii: true, bases: None }
    }

    /// The entries have no ASCII.
    pub(crate) const fn without_ascii(self) -> Self {
        Self { ascii: false, ..self }
    }

    /// The upper bit of each byte is cleared.
    pub(crate) const fn seven_bit(self) -> Self {
        Self { kept_bits: 0x7F7F, ..self }
    }

    /// `bases` has for each block what, added to an entry below 0x100 that is not 0, gives the pointer of four bytes.
    pub(crate) const fn with_four_bytes(self, bases: &'static Stages) -> Self {
        Self { bases: Some(bases), ..self }
    }

    /// The code point's entry.
    #[inline(always)]
    pub(crate) fn entry(&self, unit: u16) -> u16 {
        self.whole_entry(unit) & self.kept_bits
    }

    /// The code point's entry with bits that are not [kept](Self::kept_bits).
    #[inline(always)]
    pub(crate) fn whole_entry(&self, unit: u16) -> u16 {
        let block = usize::from(self.stages[usize::from(unit >> 6)]);
        // SAFETY: `new` has checked that each block's 64 entries are there.
        unsafe { *self.entries.get_unchecked(block + usize::from(unit & 63)) }
    }

    /// Whether the character is not here.
    #[inline]
    pub(crate) fn declines(&self, character: char) -> bool {
        match u16::try_from(u32::from(character)) {
            Ok(unit) => self.declines_unit(unit),
            Err(_) => self.bases.is_none(),
        }
    }

    /// Whether a text that begins with this unit has no character here that is worth a step.
    #[inline(always)]
    pub(crate) fn declines_unit(&self, unit: u16) -> bool {
        self.entry(unit) == 0 && unit != 0 && !(self.bases.is_some() && matches!(unit, 0xD800..=0xDBFF))
    }

    /// Whether ASCII code points stand for themselves.
    #[inline(always)]
    pub(crate) fn has_ascii(&self) -> bool {
        self.ascii
    }

    /// The bits that count in an entry.
    #[inline(always)]
    pub(crate) fn kept_bits(&self) -> u16 {
        self.kept_bits
    }

    /// What belongs to characters of four bytes, if there are such.
    #[inline(always)]
    pub(crate) fn bases(&self) -> Option<Bases> {
        self.bases.map(Bases)
    }

    /// The most bytes that a code unit becomes.
    #[inline(always)]
    pub(crate) fn bytes_per_unit(&self) -> usize {
        if self.bases.is_some() { 4 } else { 2 }
    }

    /// The pair of a code point that has one.
    #[inline]
    pub(crate) fn pair(&self, code_point: u32) -> Option<[u8; 2]> {
        let entry = self.entry(u16::try_from(code_point).ok()?);
        (entry >= Self::LEAST).then(|| entry.to_be_bytes())
    }
}

/// By block, what gives the pointer of four bytes when a small entry is added.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bases(&'static Stages);

impl Bases {
    #[inline(always)]
    pub(crate) fn pointer(self, unit: u16, entry: u16) -> u32 {
        self.base(unit).wrapping_add(entry).into()
    }

    #[inline(always)]
    pub(crate) fn base(self, unit: u16) -> u16 {
        self.0[usize::from(unit >> 6)]
    }
}
