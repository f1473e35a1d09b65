//! Packs indexes. `crates/textcodec/src/index/unpack.rs` unpacks them and describes the format.

use crate::unpack::{
    ABSOLUTE, BACKWARD, Coder, Cursor, FORWARD, MAX_BACKWARD_BITS, MAX_FORWARD_BITS, Model, OTHER, SAME, UNMAPPED,
    Used, Walk,
};

/// Packs an index, in which 0 is unmapped. Code points in `known` count as used.
pub(crate) fn pack(walk: &Walk, known: &[u16], index: &[u32]) -> Vec<u8> {
    let mut bytes = Bytes { low: 0, range: u32::MAX, done: Vec::new() };
    let mut model = Model::new();
    let mut cursor = Cursor::new(known);
    for part in walk.parts {
        if walk.are_separate {
            cursor = Cursor::new(&[]);
        }
        for pointer in part.pointers(walk.width) {
            let code = index[pointer];
            if code == 0 {
                model.kind(&mut bytes, UNMAPPED);
                continue;
            }
            let step = if part.back > 0 && index[pointer - part.back] == code {
                Step { kind: SAME, number: 0 }
            } else {
                let [step, other] = cursor.anchors.map(|anchor| Step::new(&cursor.used, anchor, code));
                if other.bits() + Step::OTHER_BITS < step.bits() {
                    model.kind(&mut bytes, OTHER);
                    cursor.swap_anchors();
                    other
                } else {
                    step
                }
            };
            model.kind(&mut bytes, step.kind);
            match step.number.checked_ilog2() {
                _ if step.kind == ABSOLUTE => _ = model.absolute(&mut bytes, code),
                Some(len) => _ = bytes.raw(len, step.number & !(1 << len)),
                None => {}
            }
            cursor.step(step.kind, code);
        }
    }
    bytes.finish()
}

/// A step from an anchor: its kind and number.
struct Step {
    kind: usize,
    number: u32,
}

impl Step {
    /// The approximate number of bits for a change of the anchor.
    const OTHER_BITS: u32 = 3;

    fn new(used: &Used, anchor: u32, code: u32) -> Self {
        let absolute = Self { kind: ABSOLUTE, number: 0 };
        if used.free(code) >> (code % 64) & 1 == 0 {
            return absolute;
        }
        let (number, first, most) = if code > anchor {
            (free_between(used, anchor + 1, code), FORWARD, MAX_FORWARD_BITS)
        } else {
            (free_between(used, code, anchor), BACKWARD, MAX_BACKWARD_BITS)
        };
        let len = u32::BITS - number.leading_zeros();
        if len > most { absolute } else { Self { kind: first + len as usize, number } }
    }

    /// Returns the approximate number of bits of the step.
    fn bits(&self) -> u32 {
        match self.kind {
            ABSOLUTE => 18,
            FORWARD => 2,
            _ => 5 + self.number.ilog2(),
        }
    }
}

/// Returns the number of unused code points in `from..to`.
fn free_between(used: &Used, from: u32, to: u32) -> u32 {
    let whole: u32 = (from / 64..to / 64).map(|word| used.free(word * 64).count_ones()).sum();
    // In the word of `end`, those below `end`.
    let below = |end: u32| (used.free(end) & ((1 << (end % 64)) - 1)).count_ones();
    whole + below(to) - below(from)
}

/// A range encoder.
struct Bytes {
    low: u64,
    range: u32,
    done: Vec<u8>,
}

impl Bytes {
    /// Narrows the range to the part of length `range` at `start`, and writes bytes that are determined.
    fn narrow(&mut self, start: u32, range: u32) {
        self.low += u64::from(start);
        self.range = range;
        while self.range < 1 << 24 {
            self.range <<= 8;
            self.shift();
        }
    }

    /// Writes the upper byte, and adds a carry to the bytes before it.
    fn shift(&mut self) {
        if self.low > u64::from(u32::MAX) {
            for byte in self.done.iter_mut().rev() {
                *byte = byte.wrapping_add(1);
                if *byte != 0 {
                    break;
                }
            }
        }
        self.done.push((self.low >> 24) as u8);
        self.low = self.low << 8 & u64::from(u32::MAX);
    }

    /// Returns all bytes, without zeros at the end.
    fn finish(mut self) -> Vec<u8> {
        // Any number in the range is valid. This one ends with many zero bits.
        self.low += u64::from(self.range) - 1;
        let clear = self.range.ilog2().min(24);
        self.low = self.low >> clear << clear;
        for _ in 0..4 {
            self.shift();
        }
        let len = self.done.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        self.done.truncate(len);
        self.done
    }
}

impl Coder for Bytes {
    fn bit(&mut self, zero: u16, bit: bool) -> bool {
        let bound = (self.range >> 12) * u32::from(zero);
        let (start, range) = if bit { (bound, self.range - bound) } else { (0, bound) };
        self.narrow(start, range);
        bit
    }

    fn raw(&mut self, len: u32, value: u32) -> u32 {
        let range = self.range >> len;
        self.narrow(range * value, range);
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{tables::code_point, unpack::unpack};

    /// With steps of every kind, and the shortest and longest steps of each kind.
    #[test]
    fn a_packed_index_unpacks_to_itself() {
        let mut index = vec![0; 126 * 157];
        let codes = [1, 2, 3, 2, 0x2FFFF, 4, 5, 0, 0x4E00, 0x4DFF, 0x4F00, 0x4E01, 0x57FF, 0x5000, 0x6000, 0xFD00];
        for (n, code) in codes.into_iter().cycle().take(index.len()).enumerate() {
            index[n] = if n % 7 == 0 { 0 } else { code + (n as u32 / 16) % 0x300 * u32::from(code < 0x2FF00) };
        }
        let packed = pack(&Walk::BIG5, &[5, 0x4E02], &index);
        let (mut unpacked, mut above) = (vec![0; index.len()], [0; 0x800]);
        unpack(&packed, &Walk::BIG5, &[5, 0x4E02], &mut unpacked, &mut above);
        let unpacked = unpacked.into_iter().map(|entry| code_point(entry, &above));
        assert!(unpacked.eq(index));
    }
}
