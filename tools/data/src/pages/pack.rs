//! Packs pages in the form that `crates/textcodec-oem/src/unpack.rs` describes.

use super::{
    page::CodePoints,
    unpack::{BLOCK, LATIN, LATIN_WINDOW, MOVED, RUN, SAME, SAME_BLOCKS, UNASSIGNED, UNMAPPED, WIDE, WINDOW, window},
};

/// The maximum count of a step.
const MAX_COUNT: usize = 32;

/// The number of earlier pages that are tried as a base: those with the most code points in common.
const MAX_BASES: usize = 8;

/// The maximum number of bases of a page, one of another, down to Latin-1.
const MAX_DEPTH: usize = 4;

/// Returns the packed pages and the start of each.
pub(super) fn pack(pages: &[CodePoints]) -> (Vec<u8>, Vec<u16>) {
    let latin1: CodePoints = std::array::from_fn(|byte| byte as u16);
    let (mut packed, mut starts, mut depths) = (Vec::new(), Vec::new(), Vec::<usize>::new());
    for (n, page) in pages.iter().enumerate() {
        let mut bases: Vec<usize> = (0..n).filter(|&base| depths[base] < MAX_DEPTH).collect();
        bases.sort_by_key(|&base| page.iter().zip(&pages[base]).filter(|(a, b)| a != b).count());
        let bases = bases.into_iter().take(MAX_BASES).map(|base| (base + 1, &pages[base]));
        let (base, steps) = [(0, &latin1)]
            .into_iter()
            .chain(bases)
            .map(|(number, base)| (number, steps(base, page)))
            .min_by_key(|(_, steps)| steps.len())
            .expect("Latin-1 is a base");
        depths.push(if base == 0 { 0 } else { depths[base - 1] + 1 });
        starts.push(u16::try_from(packed.len()).expect("the packed pages take less than 64 KB"));
        packed.push(u8::try_from(base).expect("a page has fewer than 255 others before it"));
        packed.extend(steps);
    }
    (packed, starts)
}

/// A step: its kind, its number of bytes of the page, and the window or the first byte of the base.
#[derive(Clone, Copy)]
struct Step {
    kind: u8,
    count: usize,
    number: u8,
}

impl Step {
    /// Returns the length of the packed step.
    fn len(self) -> usize {
        1 + match self.kind {
            SAME | SAME_BLOCKS | UNASSIGNED => 0,
            MOVED => 1,
            RUN => 2,
            LATIN => self.count,
            WINDOW => 1 + self.count,
            _ => 2 * self.count,
        }
    }

    /// Writes the step for the first bytes of `part`.
    fn write(self, part: &[u16], to: &mut Vec<u8>) {
        let count = if self.kind == SAME_BLOCKS { self.count / BLOCK } else { self.count };
        to.push(self.kind << 5 | (count - 1) as u8);
        let part = &part[..self.count];
        let offsets = |number: u8| part.iter().map(move |unit| (unit - window(number)) as u8);
        match self.kind {
            SAME | SAME_BLOCKS | UNASSIGNED => {}
            MOVED => to.push(self.number),
            RUN => to.extend(part[0].to_le_bytes()),
            LATIN => to.extend(offsets(LATIN_WINDOW)),
            WINDOW => {
                to.push(self.number);
                to.extend(offsets(self.number));
            }
            _ => to.extend(part.iter().flat_map(|unit| unit.to_le_bytes())),
        }
    }
}

/// Returns the steps of the fewest bytes that make a page from a base.
fn steps(base: &CodePoints, page: &CodePoints) -> Vec<u8> {
    // For each byte of the page, the length of the steps from there on, and the first of them.
    let mut best = vec![(0, Step { kind: SAME, count: 0, number: 0 }); 257];
    for at in (0..256).rev() {
        let part = &page[at..];
        best[at] = candidates(base, at, part)
            .into_iter()
            .map(|step| (step.len() + best[at + step.count].0, step))
            .min_by_key(|(len, _)| *len)
            .expect("any code point fits a step");
    }
    let mut bytes = Vec::new();
    let mut at = 0;
    while at < 256 {
        best[at].1.write(&page[at..], &mut bytes);
        at += best[at].1.count;
    }
    bytes
}

/// Returns the steps that fit the first bytes of `part`, which starts at `at` in its page.
fn candidates(base: &CodePoints, at: usize, part: &[u16]) -> Vec<Step> {
    let mut steps = Vec::new();
    // A step of these kinds is better the longer it is.
    let mut longest = |kind: u8, count: usize, number: u8| {
        if count > 0 {
            steps.push(Step { kind, count: count.min(MAX_COUNT), number });
        }
    };
    let common = |others: &[u16]| part.iter().zip(others).take_while(|(a, b)| a == b).count();
    longest(SAME, common(&base[at..]), 0);
    longest(RUN, part.iter().zip(part[0]..UNMAPPED).take_while(|(unit, code)| **unit == *code).count(), 0);
    longest(UNASSIGNED, part.iter().take_while(|&&unit| unit == UNMAPPED).count(), 0);
    if let Some((count, from)) = (0..=255).map(|from| (common(&base[usize::from(from)..]), from)).max() {
        longest(MOVED, count, from);
    }
    let blocks = common(&base[at..]) / BLOCK;
    steps.extend((1..=blocks).map(|blocks| Step { kind: SAME_BLOCKS, count: blocks * BLOCK, number: 0 }));
    // Of these, each character takes a byte or two, so a better step may start at any of them.
    let mut all = |kind: u8, number: u8, fits: &dyn Fn(u16) -> bool| {
        let most = part.iter().take(MAX_COUNT).take_while(|&&unit| unit != UNMAPPED && fits(unit)).count();
        steps.extend((1..=most).map(|count| Step { kind, count, number }));
    };
    let is_in = |number: u8, unit: u16| (0..0x100).contains(&(i32::from(unit) - i32::from(window(number))));
    all(LATIN, LATIN_WINDOW, &|unit| is_in(LATIN_WINDOW, unit));
    for number in (0..=255).filter(|&number| is_in(number, part[0])) {
        all(WINDOW, number, &|unit| is_in(number, unit));
    }
    all(WIDE, 0, &|_| true);
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::unpack::unpack;

    /// With steps of every kind.
    #[test]
    fn packed_pages_unpack_to_themselves() {
        let latin1: CodePoints = std::array::from_fn(|byte| byte as u16);
        let mut mixed = latin1;
        mixed[0x80..0x90].copy_from_slice(&[
            0x410, 0x411, 0x412, 0x413, 0x414, 0x2500, 0x2502, 0x2510, 0xFB01, 0xFE80, 0xFFFF, 0x101, 0x159, 0x20AC,
            0x17F, 0x60,
        ]);
        let mut moved = mixed;
        moved.copy_within(0x82..0x8E, 0xA0);
        moved[0xFF] = UNMAPPED;
        let pages = [latin1, mixed, moved, latin1];
        let (packed, starts) = pack(&pages);
        for (n, page) in pages.iter().enumerate() {
            assert!(unpack(&packed, &starts, n) == *page, "page {n}");
        }
        assert_eq!(packed[usize::from(starts[3])..], [0, SAME_BLOCKS << 5 | 7]);
    }
}
