//! [`LineIndex`]: the line of an offset.

use alloc::collections::VecDeque;

#[cfg(feature = "oem")]
use crate::beyond::{custom::SingleByte, oem, page::Page};
use crate::{
    kernel::tables::ByteOrder,
    names::{Encoding, UTF_16BE, UTF_16LE},
};

/// Finds the line and the column of an offset, such as that of a [`DecodeError`](crate::DecodeError), while an input is read.
///
/// It reads the same chunks as the decoder, and needs eight bytes of memory for each line that it keeps. Lines end with the character
/// LF, so CRLF is a line end too. UTF-7 and UTF-7-IMAP can have an LF in base64, which is no line end here. The column counts bytes:
/// for characters, decode the line up to the offset.
///
/// To read an input of any length in constant memory, [forget](Self::forget_before) the lines before each chunk, as below. An
/// error can start up to seven bytes before the chunk that completes it, three in encodings of the standard, so keep the line of a
/// position shortly before.
///
/// For offsets in text that is encoded ([`EncodeError`](crate::EncodeError)), use an index of UTF-8 and push the text.
///
/// ```
/// use textcodec::{LineIndex, Malformed, SHIFT_JIS};
///
/// let input = b"\x93\xFA\x96{\r\n\x8C\xEA \xFF\n\x96\x82";
/// let mut lines = LineIndex::new(SHIFT_JIS);
/// let (mut decoder, mut text) = (SHIFT_JIS.decoder_with(Malformed::Pause), String::new());
/// let (mut locations, mut chunk_start) = (Vec::new(), 0);
/// for chunk in input.chunks(4) {
///     lines.push(chunk);
///     let mut rest = chunk;
///     while let Err(error) = decoder.push(rest, &mut text) {
///         let location = lines.locate(error.range().start).unwrap();
///         locations.push((location.line, location.column));
///         rest = &chunk[(decoder.position() - chunk_start) as usize..];
///     }
///     chunk_start += chunk.len() as u64;
///     lines.forget_before(chunk_start.saturating_sub(3));
/// }
/// decoder.finish(&mut text)?; // An error here is an incomplete character, at most three bytes before the end.
/// assert_eq!(locations, [(2, 4)]);
/// assert_eq!(text, "日本\r\n語 \n魔");
/// # Ok::<(), textcodec::DecodeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct LineIndex {
    line_feed: LineFeed,
    /// The offsets of the starts of lines, of line `first` and those after it.
    starts: VecDeque<u64>,
    first: u64,
    /// The number of bytes pushed.
    len: u64,
    /// The last bytes: those of a code unit that the next chunk completes.
    unit: [u8; 4],
}

/// What LF is.
#[derive(Clone, Copy, Debug)]
enum LineFeed {
    /// A byte that is no part of a longer sequence.
    Byte(u8),
    /// A code unit of two bytes.
    TwoBytes(ByteOrder),
    /// A code unit of four bytes. The first unit can be a mark of the other order.
    #[cfg(feature = "oem")]
    FourBytes(ByteOrder),
    /// A byte, unless it follows an escape.
    #[cfg(feature = "oem")]
    Gsm,
    /// The bytes of a table, as bits.
    #[cfg(feature = "oem")]
    Bytes([u128; 2]),
}

/// The location of an offset. Lines and columns count from 1.
///
/// ```
/// use textcodec::{LineIndex, UTF_8};
///
/// let mut lines = LineIndex::new(UTF_8);
/// lines.push(b"a\nbc");
/// let location = lines.locate(3).unwrap();
/// assert_eq!((location.line, location.column, location.line_start), (2, 2, 2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Location {
    /// The number of the line, from 1.
    pub line: u64,
    /// The column in bytes, from 1.
    pub column: u64,
    /// The offset of the first byte of the line.
    pub line_start: u64,
}

impl LineIndex {
    /// Creates an index of an empty input. `encoding` is the one in use: after a byte order mark, that of the mark.
    ///
    /// ```
    /// use textcodec::{LineIndex, UTF_8};
    ///
    /// assert_eq!(LineIndex::new(UTF_8).locate(0).map(|location| location.line), Some(1));
    /// ```
    #[must_use]
    #[inline]
    pub fn new(encoding: Encoding) -> Self {
        Self::with(match encoding {
            UTF_16LE => LineFeed::TwoBytes(ByteOrder::Little),
            UTF_16BE => LineFeed::TwoBytes(ByteOrder::Big),
            #[cfg(feature = "oem")]
            oem::TRUE_UCS_2LE => LineFeed::TwoBytes(ByteOrder::Little),
            #[cfg(feature = "oem")]
            oem::TRUE_UCS_2BE => LineFeed::TwoBytes(ByteOrder::Big),
            #[cfg(feature = "oem")]
            oem::UTF_32LE => LineFeed::FourBytes(ByteOrder::Little),
            #[cfg(feature = "oem")]
            oem::UTF_32BE | oem::UTF_32 => LineFeed::FourBytes(ByteOrder::Big),
            #[cfg(feature = "oem")]
            oem::GSM_03_38 => LineFeed::Gsm,
            // In all others with several bytes, LF is no part of a longer sequence.
            #[cfg(feature = "oem")]
            _ => oem::page(encoding)
                .and_then(Page::of)
                .map_or(LineFeed::Byte(b'\n'), |page| LineFeed::Bytes(page.bytes_of(0x0A))),
            #[cfg(not(feature = "oem"))]
            _ => LineFeed::Byte(b'\n'),
        })
    }

    /// Creates an index of an empty input in an encoding of one's own. For [`CUSTOM`](crate::custom::CUSTOM), [`new`](Self::new) takes LF to
    /// be byte 0A.
    ///
    /// ```
    /// use textcodec::{LineIndex, custom::SingleByte, oem::IBM1047};
    ///
    /// let mut lines = LineIndex::of_table(&SingleByte::with_newline_at_15(IBM1047).unwrap());
    /// lines.push(b"\x81\x15\x82");
    /// assert_eq!(lines.locate(2).map(|location| location.line), Some(2));
    /// ```
    #[cfg(feature = "oem")]
    #[must_use]
    #[inline]
    pub fn of_table(table: &SingleByte) -> Self {
        Self::with(LineFeed::Bytes(table.page().bytes_of(0x0A)))
    }

    #[inline]
    fn with(line_feed: LineFeed) -> Self {
        Self { line_feed, starts: VecDeque::from([0]), first: 1, len: 0, unit: [0; 4] }
    }

    /// Adds the next chunk of the input, including a byte order mark. Chunks can end anywhere.
    ///
    /// ```
    /// use textcodec::{LineIndex, UTF_16LE};
    ///
    /// let mut lines = LineIndex::new(UTF_16LE);
    /// for chunk in [&b"\xFF\xFEa"[..], b"\0\n", b"\0b\0"] {
    ///     lines.push(chunk);
    /// }
    /// assert_eq!(lines.locate(6).map(|location| location.line), Some(2));
    /// ```
    #[inline]
    pub fn push(&mut self, chunk: &[u8]) {
        match self.line_feed {
            LineFeed::Byte(line_feed) => self.push_units(chunk, |[byte], _| byte == line_feed),
            #[cfg(feature = "oem")]
            LineFeed::Bytes(bits) => {
                self.push_units(chunk, |[byte], _| bits[usize::from(byte >> 7)] >> (byte & 127) & 1 == 1);
            }
            LineFeed::TwoBytes(order) => self.push_units(chunk, |unit, _| order.unit(unit) == 0x0A),
            #[cfg(feature = "oem")]
            LineFeed::FourBytes(mut order) => {
                self.push_units(chunk, |unit, end| {
                    let value = |order| match order {
                        ByteOrder::Little => u32::from_le_bytes(unit),
                        ByteOrder::Big => u32::from_be_bytes(unit),
                    };
                    if end == 4 && value(order) == 0xFFFE_0000 {
                        order = ByteOrder::Little;
                    }
                    value(order) == 0x0A
                });
                self.line_feed = LineFeed::FourBytes(order);
            }
            #[cfg(feature = "oem")]
            LineFeed::Gsm => {
                let mut before = self.unit[0];
                self.push_units(chunk, |[byte], _| {
                    // After an escape, only an escape is no part of the sequence.
                    let is_escaped = before == 0x1B;
                    before = byte;
                    byte == b'\n' && !is_escaped
                });
                self.unit[0] = before;
            }
        }
    }

    /// Adds a chunk of units of `N` bytes. `is_line_feed` takes each unit and the offset of its end.
    fn push_units<const N: usize>(&mut self, mut chunk: &[u8], mut is_line_feed: impl FnMut([u8; N], u64) -> bool) {
        let held = (self.len % N as u64) as usize;
        let mut at = self.len - held as u64;
        self.len += chunk.len() as u64;
        let mut first = [0; N];
        if held > 0 {
            let (missing, rest) = chunk.split_at(chunk.len().min(N - held));
            self.unit[held..held + missing.len()].copy_from_slice(missing);
            if held + missing.len() < N {
                return;
            }
            first.copy_from_slice(&self.unit[..N]);
            chunk = rest;
            at += N as u64;
            if is_line_feed(first, at) {
                self.starts.push_back(at);
            }
        }
        let (units, rest) = chunk.as_chunks();
        let ends = (at + N as u64..).step_by(N).zip(units).filter(|&(end, unit)| is_line_feed(*unit, end));
        self.starts.extend(ends.map(|(end, _)| end));
        self.unit[..rest.len()].copy_from_slice(rest);
    }

    /// Returns the location of an offset in bytes. The end of the input belongs to the last line.
    ///
    /// Returns `None` if the offset is past the end of the bytes so far, or in a line that was
    /// [forgotten](Self::forget_before).
    ///
    /// ```
    /// use textcodec::{LineIndex, UTF_8};
    ///
    /// let mut lines = LineIndex::new(UTF_8);
    /// lines.push(b"a\n");
    /// assert_eq!(lines.locate(1).map(|location| location.line), Some(1));
    /// assert_eq!(lines.locate(2).map(|location| location.line), Some(2));
    /// assert_eq!(lines.locate(3), None);
    /// ```
    #[must_use]
    #[inline]
    pub fn locate(&self, offset: u64) -> Option<Location> {
        let at = self.starts.partition_point(|&start| start <= offset).checked_sub(1)?;
        let line_start = *self.starts.get(at).filter(|_| offset <= self.len)?;
        Some(Location { line: self.first + at as u64, column: offset - line_start + 1, line_start })
    }

    /// Forgets the lines before that of `offset`, so that the index of a long input needs little memory.
    ///
    /// ```
    /// use textcodec::{LineIndex, UTF_8};
    ///
    /// let mut lines = LineIndex::new(UTF_8);
    /// lines.push(b"a\nb\nc");
    /// lines.forget_before(4);
    /// assert_eq!(lines.locate(2), None);
    /// assert_eq!(lines.locate(4).map(|location| location.line), Some(3));
    /// ```
    #[inline]
    pub fn forget_before(&mut self, offset: u64) {
        let lines = self.starts.partition_point(|&start| start <= offset).saturating_sub(1);
        self.starts.drain(..lines);
        self.first += lines as u64;
    }
}

#[cfg(test)]
mod tests {
    use std::{string::String, vec::Vec};

    use super::*;
    use crate::{conversion::EncodeOptions, names::UTF_8};

    fn encodings() -> Vec<Encoding> {
        let mut encodings: Vec<Encoding> = Encoding::ALL.to_vec();
        #[cfg(feature = "oem")]
        // UTF-7-IMAP has LF only in base64.
        encodings.extend(oem::ALL.iter().filter(|&&encoding| encoding != oem::UTF_7_IMAP));
        encodings.retain(|encoding| encoding.is_available() && encoding.has_encoder());
        encodings
    }

    #[test]
    fn every_offset_of_every_chunking() {
        for encoding in encodings() {
            let text: String =
                "a\nbc\r\n\nĊ上ਊ\n\u{FEFF}x\u{C}\n".chars().filter(|&c| encoding.can_encode(c)).collect();
            let bom = [UTF_8, UTF_16LE, UTF_16BE].contains(&encoding);
            let bytes = encoding.encode_with(&text, EncodeOptions::new().bom(bom)).unwrap().bytes;
            let whole = encoding.decode(&bytes).text.into_owned();
            for size in 1..=bytes.len() {
                let mut lines = LineIndex::new(encoding);
                let mut forgetful = LineIndex::new(encoding);
                for chunk in bytes.chunks(size) {
                    lines.push(chunk);
                    lines.push(b"");
                    forgetful.push(chunk);
                    forgetful.forget_before(forgetful.len);
                }
                for at in 0..=bytes.len() {
                    // Not within a character, which could split the line end.
                    let before = encoding.decode(&bytes[..at]).text.into_owned();
                    let Some(rest) = whole.strip_prefix(&before) else { continue };
                    let location = lines.locate(at as u64).unwrap();
                    assert_eq!(location.line, 1 + before.matches('\n').count() as u64, "{encoding} {size} {at}");
                    assert_eq!(location.line_start + location.column - 1, at as u64);
                    assert!(!rest.is_empty() || forgetful.locate(at as u64) == Some(location));
                }
                assert_eq!((lines.locate(bytes.len() as u64 + 1), forgetful.starts.len()), (None, 1));
            }
        }
    }

    /// Bytes of LF in other characters are no line ends.
    #[cfg(feature = "oem")]
    #[test]
    fn line_feeds_of_other_encodings() {
        let marked = [oem::UTF_32LE.encode("\u{FEFF}a\nĊ").unwrap(), oem::UTF_32LE.encode("\n").unwrap()].concat();
        let lines_of = |encoding, bytes: &[u8]| {
            let mut lines = LineIndex::new(encoding);
            bytes.chunks(3).for_each(|chunk| lines.push(chunk));
            lines.locate(bytes.len() as u64).unwrap().line
        };
        assert_eq!(lines_of(oem::UTF_32, &marked), 3);
        assert_eq!(lines_of(oem::IBM1047, &[0x81, 0x25, 0x0A, 0x15, 0x25]), 3);
        assert_eq!(lines_of(oem::GSM_03_38, b"\x1B\n\n\x1B\n"), 2);
    }
}
