//! Detection of a byte order mark, which may be split into several chunks.

use crate::{
    conversion::Bom,
    names::{Encoding, UTF_8, UTF_16BE, UTF_16LE},
};

/// The table of [BOM sniff](https://encoding.spec.whatwg.org/#bom-sniff).
const MARKS: [(&[u8], Encoding); 3] = [(b"\xEF\xBB\xBF", UTF_8), (b"\xFE\xFF", UTF_16BE), (b"\xFF\xFE", UTF_16LE)];

/// Returns the byte order mark of an encoding, or nothing if it has none.
pub(crate) fn mark(encoding: Encoding) -> &'static [u8] {
    #[cfg(feature = "oem")]
    if let Some(kind) = encoding.rare() {
        return kind.header();
    }
    MARKS.iter().find(|(_, of)| *of == encoding).map_or(b"", |(mark, _)| mark)
}

/// The result of [`sniff`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The bytes may be the start of a mark.
    Undecided,
    /// There is no mark.
    None,
    /// There is a mark of this encoding, of this length in bytes.
    Found(Encoding, usize),
}

/// Detects a byte order mark in `first`, the first bytes of an input. Three bytes always suffice. `last` means that no more
/// bytes follow.
pub(crate) fn sniff(policy: Bom, encoding: Encoding, first: &[u8], last: bool) -> Verdict {
    if rules_out(policy, first) {
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

/// What is known of the byte order mark of an input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    /// The first bytes of the input, while they may be the start of a mark.
    held: [u8; 2],
    len: u8,
    /// Whether there was a mark, which is removed.
    pub(crate) removed: bool,
}

impl Mark {
    pub(crate) const START: Self = Self { held: [0; 2], len: 0, removed: false };

    /// The bytes that were read and may be the start of a mark.
    #[inline]
    pub(crate) fn pending(&self) -> &[u8] {
        &self.held[..self.len.into()]
    }

    /// Discards these bytes: there is no mark.
    pub(crate) fn discard(&mut self) {
        self.len = 0;
    }

    /// Examines the next bytes of the input. Keeps them if they do not decide: then all of `src` is read.
    pub(crate) fn examine(&mut self, policy: Bom, encoding: Encoding, src: &[u8], last: bool) -> Verdict {
        let before = self.pending().len();
        let mut first = [0; 3];
        first[..before].copy_from_slice(self.pending());
        let more = src.len().min(3 - before);
        first[before..before + more].copy_from_slice(&src[..more]);
        let verdict = sniff(policy, encoding, &first[..before + more], last);
        match verdict {
            Verdict::Undecided => {
                // `before + more <= 2`, because three bytes decide. So `more == src.len()`.
                self.held[before..before + more].copy_from_slice(&src[..more]);
                self.len += more as u8;
            }
            Verdict::None => {}
            Verdict::Found(..) => self.removed = true,
        }
        verdict
    }
}

/// The policy for inputs in an encoding, given that of the options.
#[inline]
pub(crate) fn policy(policy: Bom, encoding: Encoding) -> Bom {
    if may_have_mark(encoding) { policy } else { Bom::Keep }
}

/// Whether a byte order mark of any encoding can be at the start of an input in this encoding. In encodings of feature `oem` that are
/// not pages with ASCII, these bytes are text.
#[inline]
pub(crate) fn may_have_mark(encoding: Encoding) -> bool {
    #[cfg(feature = "oem")]
    if encoding.id() as u8 >= crate::names::encodings::Id::Custom as u8 {
        return encoding.is_ascii_compatible() && !encoding.is_rare();
    }
    let _ = encoding;
    true
}

/// Whether the policy or the first byte rules out a mark.
#[inline]
pub(crate) fn rules_out(policy: Bom, first: &[u8]) -> bool {
    policy == Bom::Keep || first.first().is_some_and(|byte| !matches!(byte, 0xEF | 0xFE | 0xFF))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::GBK;

    #[test]
    fn a_mark_is_found_as_soon_as_it_is_complete() {
        let sniff = |first: &[u8]| sniff(Bom::Sniff, GBK, first, false);
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
    fn an_incomplete_mark_at_the_end_is_not_a_mark() {
        assert_eq!(sniff(Bom::Sniff, GBK, b"\xEF\xBB", true), Verdict::None);
    }

    #[test]
    fn strip_own_ignores_marks_of_other_encodings() {
        assert_eq!(sniff(Bom::StripOwn, GBK, b"\xEF\xBB\xBF", false), Verdict::None);
        assert_eq!(sniff(Bom::StripOwn, UTF_16LE, b"\xFF\xFE", false), Verdict::Found(UTF_16LE, 2));
        assert_eq!(sniff(Bom::Keep, UTF_8, b"\xEF\xBB\xBF", false), Verdict::None);
    }
}
