//! The search for a byte order mark, which may come in pieces.

use crate::{Bom, Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// The table of [BOM sniff](https://encoding.spec.whatwg.org/#bom-sniff).
const MARKS: [(&[u8], Encoding); 3] = [(b"\xEF\xBB\xBF", UTF_8), (b"\xFE\xFF", UTF_16BE), (b"\xFF\xFE", UTF_16LE)];

/// What the first bytes of an input say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// They may be part of a mark.
    Undecided,
    /// No mark.
    None,
    /// A mark of this encoding and its length in bytes.
    Found(Encoding, usize),
}

/// Looks at the first bytes of an input, three if there are as many; `last` says that no more will come.
pub(crate) fn look(policy: Bom, encoding: Encoding, first: &[u8], last: bool) -> Verdict {
    if is_none(policy, first) {
        return Verdict::None;
    }
    let candidates = MARKS.iter().filter(|(_, of)| match policy {
        Bom::Sniff => true,
        Bom::StripOwn => *of == encoding,
        Bom::Keep => false,
    });
    let mut verdict = Verdict::None;
    for &(mark, of) in candidates {
        if first.starts_with(mark) {
            return Verdict::Found(of, mark.len());
        }
        if !last && mark.starts_with(first) {
            verdict = Verdict::Undecided;
        }
    }
    verdict
}

/// Whether the first byte is enough to tell that there is no mark.
#[inline]
pub(crate) fn is_none(policy: Bom, first: &[u8]) -> bool {
    policy == Bom::Keep || first.first().is_some_and(|byte| !matches!(byte, 0xEF | 0xFE | 0xFF))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GBK;

    #[test]
    fn a_mark_is_seen_as_soon_as_it_is_whole() {
        let sniff = |first: &[u8]| look(Bom::Sniff, GBK, first, false);
        assert_eq!(sniff(b""), Verdict::Undecided);
        assert_eq!(sniff(b"\xEF\xBB"), Verdict::Undecided);
        assert_eq!(sniff(b"\xEF\xBB\xBF"), Verdict::Found(UTF_8, 3));
        assert_eq!(sniff(b"\xFF"), Verdict::Undecided);
        assert_eq!(sniff(b"\xFF\xFE\0"), Verdict::Found(UTF_16LE, 2));
        assert_eq!(sniff(b"\xFE\xFF"), Verdict::Found(UTF_16BE, 2));
        assert_eq!(sniff(b"a"), Verdict::None);
        assert_eq!(sniff(b"\xEF\xBBa"), Verdict::None);
    }

    #[test]
    fn at_the_end_part_of_a_mark_is_none() {
        assert_eq!(look(Bom::Sniff, GBK, b"\xEF\xBB", true), Verdict::None);
    }

    #[test]
    fn only_the_own_mark_is_stripped() {
        assert_eq!(look(Bom::StripOwn, GBK, b"\xEF\xBB\xBF", false), Verdict::None);
        assert_eq!(look(Bom::StripOwn, UTF_16LE, b"\xFF\xFE", false), Verdict::Found(UTF_16LE, 2));
        assert_eq!(look(Bom::Keep, UTF_8, b"\xEF\xBB\xBF", false), Verdict::None);
    }
}
