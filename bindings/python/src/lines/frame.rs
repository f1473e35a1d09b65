//! Finds line ends in bytes, before anything is decoded.

use memchr::{memchr2, memrchr2};
use textcodec::{Encoding, UTF_16BE, UTF_16LE, oem};

/// How line ends are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    /// The length in bytes of a code unit.
    pub(super) unit: usize,
    /// The place in a code unit of the byte that is `lf` or `cr` in a line end. All others are 0.
    place: usize,
    lf: u8,
    cr: u8,
}

/// The position of a line end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineEnd {
    /// The end of the line's content.
    pub(super) content: usize,
    /// The start of the next line.
    pub(super) next: usize,
}

impl Frame {
    /// The bytes 0A and 0D, which are never a part of a longer sequence.
    pub(super) const BYTES: Self = Self::units(1, 0);

    const fn units(unit: usize, place: usize) -> Self {
        Self { unit, place, lf: b'\n', cr: b'\r' }
    }

    pub(super) fn of(encoding: Encoding) -> Self {
        match encoding {
            UTF_16LE | oem::TRUE_UCS_2LE => Self::units(2, 0),
            UTF_16BE | oem::TRUE_UCS_2BE => Self::units(2, 1),
            oem::UTF_32LE => Self::units(4, 0),
            oem::UTF_32BE => Self::units(4, 3),
            // In EBCDIC, LF is 25.
            _ if encoding.is_single_byte() => match encoding.encode("\n\r").as_deref() {
                Ok(&[lf, cr]) => Self { lf, cr, ..Self::BYTES },
                _ => Self::BYTES,
            },
            _ => Self::BYTES,
        }
    }

    /// Returns the first line end that starts at `from` or later: LF, CRLF or CR.
    ///
    /// Returns `None` if there is none, or if it is a CR that more input may extend to CRLF. Without more input (`last`), such a
    /// CR is a line end. `from` is at the start of a code unit.
    pub(super) fn first(self, bytes: &[u8], from: usize, last: bool) -> Option<LineEnd> {
        let mut at = from;
        loop {
            let found = at + memchr2(self.lf, self.cr, bytes.get(at..)?)?;
            match self.line_end(bytes, found, last) {
                Candidate::End(end) => return Some(end),
                Candidate::Unknown => return None,
                Candidate::Other => at = found + 1,
            }
        }
    }

    /// Returns the start of the line after the last line end that starts in `from..to`, as [`first`](Self::first) finds them.
    ///
    /// If the last one starts with CR at the end of `from..to`, the LF after it is included. `from` is at the start of a line.
    pub(super) fn after_last(self, bytes: &[u8], from: usize, to: usize, last: bool) -> Option<usize> {
        let mut to = to.min(bytes.len());
        loop {
            let found = from + memrchr2(self.lf, self.cr, bytes.get(from..to)?)?;
            match self.line_end(bytes, found, last) {
                Candidate::End(end) => return Some(end.next),
                Candidate::Unknown | Candidate::Other => to = found,
            }
        }
    }

    /// Classifies the byte `lf` or `cr` at `at`.
    fn line_end(self, bytes: &[u8], at: usize, last: bool) -> Candidate {
        let Self { unit, place, lf, cr } = self;
        let Some(content) = at.checked_sub(place) else { return Candidate::Other };
        let is = |start: usize, byte: u8| {
            let found = bytes.get(start..start + unit);
            found.is_some_and(|found| (0..unit).all(|n| found[n] == if n == place { byte } else { 0 }))
        };
        let next = content + unit;
        if content % unit != 0 {
            Candidate::Other
        } else if is(content, lf) {
            Candidate::End(LineEnd { content, next })
        } else if !is(content, cr) {
            // A part of a unit at the end may become a line end.
            if next > bytes.len() && !last { Candidate::Unknown } else { Candidate::Other }
        } else if is(next, lf) {
            Candidate::End(LineEnd { content, next: next + unit })
        } else if next + unit > bytes.len() && !last {
            Candidate::Unknown
        } else {
            Candidate::End(LineEnd { content, next })
        }
    }
}

enum Candidate {
    End(LineEnd),
    /// More input decides.
    Unknown,
    /// A part of a code unit that is not a line end.
    Other,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(frame: Frame, bytes: &[u8], last: bool) -> Vec<(usize, usize)> {
        let (mut ends, mut from) = (Vec::new(), 0);
        while let Some(end) = frame.first(bytes, from, last) {
            ends.push((end.content, end.next));
            from = end.next;
        }
        ends
    }

    #[test]
    fn every_kind_of_line_end() {
        assert_eq!(all(Frame::BYTES, b"a\nb\r\nc\rd\r", false), [(1, 2), (3, 5), (6, 7)]);
        assert_eq!(all(Frame::BYTES, b"a\nb\r\nc\rd\r", true), [(1, 2), (3, 5), (6, 7), (8, 9)]);
        assert_eq!(all(Frame::BYTES, b"\n\r\r\n", true), [(0, 1), (1, 2), (2, 4)]);
    }

    #[test]
    fn halves_of_units_are_not_line_ends() {
        // U+0A0D, U+0D0A and an LF, then half of an LF.
        assert_eq!(all(Frame::units(2, 0), b"\x0D\x0A\x0A\x0D\x0A\0\x0A", false), [(4, 6)]);
        assert_eq!(all(Frame::units(2, 1), b"\x0A\x0D\x0D\x0A\0\x0A\0", false), [(4, 6)]);
        // U+000A across two units.
        assert_eq!(all(Frame::units(2, 0), b"a\x0A\0a", true), []);
        assert_eq!(all(Frame::units(2, 1), b"a\0\x0Aa", true), []);
        assert_eq!(all(Frame::units(2, 0), b"\x0D\0\x0A\0\x0D\0\x0A", false), [(0, 4)]);
        assert_eq!(all(Frame::units(2, 0), b"\x0D\0\x0A\0\x0D\0\x0A", true), [(0, 4), (4, 6)]);
    }

    #[test]
    fn the_last_line_end_is_that_of_a_forward_search() {
        let ebcdic = Frame { lf: b'a', ..Frame::BYTES };
        let utf_32 = [Frame::units(4, 0), Frame::units(4, 3)];
        for frame in [Frame::BYTES, ebcdic, Frame::units(2, 0), Frame::units(2, 1)].into_iter().chain(utf_32) {
            for length in 0..8_u32 {
                for number in 0..4_u32.pow(length) {
                    let bytes: Vec<u8> =
                        (0..length).map(|at| [0, b'a', b'\n', b'\r'][(number >> (2 * at) & 3) as usize]).collect();
                    for last in [false, true] {
                        let expected = all(frame, &bytes, last).last().map(|&(_, next)| next);
                        assert_eq!(
                            frame.after_last(&bytes, 0, bytes.len(), last),
                            expected,
                            "{frame:?} {bytes:?} {last}"
                        );
                    }
                }
            }
        }
    }
}
