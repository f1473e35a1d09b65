//! Four-byte characters of gb18030 for AVX2 and AVX-512: the loop over steps, and where characters begin.

use super::masks::first_n;
use crate::kernel::{Out, reference::gb18030 as reference, tables::four_bytes::FourByteRuns};

/// Bytes of a step.
pub(crate) const STEP: usize = 64;
/// If a step converts fewer bytes than this before a character in a short run, the kernel returns: the codec's items are then
/// faster.
/// Cell `hostile/decode/gb18030/utf-16/replace/4KiB/last`: six times as fast.
const FEW: usize = 16;

/// The result of a step.
pub(crate) struct Step {
    /// The number of bytes it converted.
    pub(crate) read: usize,
    /// Why it ended there.
    pub(crate) end: End,
}

/// Why a step ended.
pub(crate) enum End {
    /// The next step may convert more.
    Step,
    /// The next character is not in a long run.
    Character,
    /// The destination is full.
    Destination,
}

/// Converts input in steps, and characters that are not in long runs by the scalar reference.
#[inline(always)]
pub(crate) fn to_utf16(
    table: &FourByteRuns,
    src: &[u8],
    out: &mut Out<'_, u16>,
    step: impl Fn(&[u8], &mut Out<'_, u16>) -> Step,
) -> usize {
    let mut read = 0;
    while read < src.len() {
        let step = step(&src[read..], out);
        read += step.read;
        match step.end {
            End::Step => {}
            End::Character => {
                let character = reference::character(table, &src[read..], out);
                read += character;
                if character == 0 || step.read < FEW {
                    return read;
                }
            }
            End::Destination => return read,
        }
    }
    read
}

/// The ASCII and four-byte characters at the start of up to 64 bytes. The first byte begins a character.
pub(crate) struct Characters {
    /// The bytes that begin characters.
    starts: u64,
    /// The bytes that begin characters of four bytes.
    pub(crate) four: u64,
    /// The offset of the first byte that belongs to no such character.
    end: usize,
    /// Whether the next step may continue at `end`: the step ends there, or the bytes from there on may be the start of a
    /// four-byte character (`end > 60`).
    may_continue: bool,
}

impl Characters {
    /// Finds the characters by the masks of the bytes above ASCII, of those that can lead, and of digits. No mask has a bit for
    /// a byte past the end of the source, which has `len` bytes.
    #[inline(always)]
    pub(crate) fn find(upper: u64, leading: u64, digits: u64, len: usize) -> Self {
        let halves = leading & digits >> 1;
        let four = four_byte_starts(halves) & halves >> 2;
        let ascii = !upper & !(four << 1 | four << 3);
        let wrong = upper & !(four | four << 2);
        let end = len.min(wrong.trailing_zeros() as usize);
        let before = first_n(end);
        Self { starts: (four | ascii) & before, four: four & before, end, may_continue: end == len || end > 60 }
    }

    /// Converts the characters in groups of up to `N`. `group` removes the starts of the next group from a mask, and returns
    /// the code units of these characters and a mask of those that are ASCII or in long runs.
    #[inline(always)]
    pub(crate) fn convert<const N: usize>(
        &self,
        out: &mut Out<'_, u16>,
        group: impl Fn(&mut u64) -> ([u16; N], u32),
    ) -> Step {
        let mut starts = self.starts;
        while starts != 0 {
            let before = starts;
            let (units, right) = group(&mut starts);
            let len = (before.count_ones() as usize).min(N);
            let converted = (right.trailing_ones() as usize).min(len);
            let written = converted.min(out.spare_len());
            if out.spare_len() >= N {
                out.extend_some(&units, written);
            } else {
                extend_at_end(out, &units[..written]);
            }
            if written < len {
                // Clears the lowest bits: the first character that is not written is left.
                let left = (0..written).fold(before, |left, _| left & left.wrapping_sub(1));
                let end = if written < converted { End::Destination } else { End::Character };
                return Step { read: left.trailing_zeros() as usize, end };
            }
        }
        Step { read: self.end, end: if self.may_continue { End::Step } else { End::Character } }
    }
}

/// Writes units that fit where fewer slots than a group's are spare. Cold, so that the loop's registers are not saved around
/// the call: cells `decode/gb18030/utf-16/ko/*`.
#[cold]
fn extend_at_end(out: &mut Out<'_, u16>, units: &[u16]) {
    out.extend(units);
}

/// Returns the bytes that begin four-byte sequences. `halves` has the first byte of each half of a sequence, which is a byte
/// that can lead and a digit. In each run of halves, every second one begins a sequence.
#[inline(always)]
fn four_byte_starts(halves: u64) -> u64 {
    const FOURTH: u64 = 0x1111_1111_1111_1111;
    let bytes = halves | halves << 1;
    let begins = bytes & !(bytes << 1);
    // The carry of an addition runs through a run and clears it. The runs may begin at any of four positions.
    let from = |fourth: u64| bytes & !bytes.wrapping_add(begins & fourth) & fourth;
    from(FOURTH) | from(FOURTH << 1) | from(FOURTH << 2) | from(FOURTH << 3)
}
