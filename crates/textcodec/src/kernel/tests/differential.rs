//! Compares the kernels of every level with the scalar reference. They must read and write the same, for random text of all
//! lengths, with ill-formed and unmappable sequences at any position, and with destinations of any capacity.

use core::ops::RangeInclusive;
use std::{sync::OnceLock, vec, vec::Vec};

use crate::{
    index,
    kernel::{
        Kernels, Out, SCALAR,
        tables::{ByteOrder, EscapeState, EscapedPairs, Escapes, Pairs, ToByte, ToBytes, UpperHalf},
    },
};

/// The upper bound of the lengths that are all tested: three steps of 64 units, and some more.
pub(super) const MAX_LEN: usize = 220;
/// Lengths of inputs that contain long runs.
const LONG: [usize; 5] = [511, 600, 1100, 1900, 3000];

pub(super) fn levels() -> impl Iterator<Item = &'static Kernels> {
    static LEVELS: OnceLock<Vec<&Kernels>> = OnceLock::new();
    let levels = LEVELS.get_or_init(|| Kernels::available().filter(|kernels| kernels.name != SCALAR.name).collect());
    levels.iter().copied()
}

/// One in this many entries of a table is tested: all, except in Miri.
pub(super) const ENTRY_STEP: usize = if cfg!(miri) { 251 } else { 1 };

/// Returns the lengths; in Miri a random part of them, by `TEXTCODEC_ONE_IN`.
pub(super) fn selected(lengths: impl IntoIterator<Item = usize>) -> Vec<usize> {
    let mut lengths: Vec<usize> = lengths.into_iter().collect();
    if cfg!(miri) {
        fastrand::Rng::with_seed(0).shuffle(&mut lengths);
        lengths.truncate(testkit::rounds(lengths.len()));
    }
    lengths
}

/// Compares all levels with the scalar reference, for destinations of several capacities. A unit becomes at most `max_per_unit`
/// units.
pub(super) fn compare<S: ?Sized + core::fmt::Debug, U: Copy + Default + PartialEq + core::fmt::Debug>(
    src: &S,
    len: usize,
    max_per_unit: usize,
    random: &mut fastrand::Rng,
    run: impl Fn(&Kernels, &S, &mut Out<'_, U>) -> usize,
) {
    let full = len * max_per_unit;
    for capacity in [full, full + 200, random.usize(..=full), len.min(full), random.usize(..=len)] {
        let mut expected = vec![U::default(); capacity];
        let mut out = Out::new(&mut expected);
        let read = run(&SCALAR, src, &mut out);
        let written = out.filled();
        for kernels in levels() {
            let mut slots = vec![U::default(); capacity + 128];
            // At any alignment.
            let slots = &mut slots[random.usize(..64)..];
            let mut out = Out::new(&mut slots[..capacity]);
            let result = (run(kernels, src, &mut out), out.filled());
            assert_eq!(result, (read, written), "{kernels:?}, capacity {capacity}: {src:?}");
            assert_eq!(slots[..written], expected[..written], "{kernels:?}, capacity {capacity}: {src:?}");
            assert!(slots[capacity..].iter().all(|&unit| unit == U::default()), "{kernels:?} wrote past the end");
        }
    }
}

/// Returns random text of `len` units: runs with different shares of `other` units, and at most two `invalid` ones.
pub(super) fn text<T: Copy>(
    len: usize,
    random: &mut fastrand::Rng,
    ascii: impl Fn(u8) -> T,
    other: impl Fn(&mut fastrand::Rng) -> T,
    invalid: impl Fn(&mut fastrand::Rng) -> T,
) -> Vec<T> {
    let density = |random: &mut fastrand::Rng| [0, 3, 20, 100, 128][random.usize(..5)];
    let mut current = density(random);
    let mut unit = |random: &mut fastrand::Rng| {
        if random.u16(..500) == 0 {
            current = density(random);
        }
        if random.u8(..128) < current { other(random) } else { ascii(random.u8(..128)) }
    };
    let mut text: Vec<T> = (0..len).map(|_| unit(random)).collect();
    for _ in 0..random.usize(..3) {
        if len > 0 && random.bool() {
            text[random.usize(..len)] = invalid(random);
        }
    }
    text
}

#[test]
fn ascii() {
    let random = &mut fastrand::Rng::with_seed(1);
    for len in selected((0..MAX_LEN).chain(0..MAX_LEN).chain(LONG).chain(LONG)) {
        let bytes = text(len, random, |byte| byte, |random| random.u8(..128), |random| random.u8(128..));
        let units = text(len, random, u16::from, |random| random.u16(..128), |random| random.u16(128..));
        let excluded = [random.u8(..), random.u8(..), random.u8(..)];
        for kernels in levels() {
            assert_eq!((kernels.ascii_prefix)(&bytes), (SCALAR.ascii_prefix)(&bytes), "{kernels:?} {bytes:?}");
            let [prefix, expected] = [kernels, &SCALAR].map(|kernels| (kernels.ascii_prefix_without)(excluded, &bytes));
            assert_eq!(prefix, expected, "{kernels:?} {excluded:?} {bytes:?}");
        }
        compare(&bytes[..], len, 1, random, |kernels, src, out| (kernels.ascii_copy)(src, out));
        compare(&bytes[..], len, 1, random, |kernels, src, out| (kernels.utf16().ascii_to_utf16)(src, out));
        compare(&units[..], len, 1, random, |kernels, src, out| (kernels.utf16().ascii_from_utf16)(src, out));
    }
}

#[test]
fn latin1() {
    let random = &mut fastrand::Rng::with_seed(2);
    for len in selected((0..MAX_LEN).chain(0..MAX_LEN).chain(LONG).chain(LONG)) {
        let bytes = text(len, random, |byte| byte, |random| random.u8(128..), |random| random.u8(..));
        let units = text(len, random, u16::from, |random| random.u16(128..256), |random| random.u16(..));
        compare(&bytes[..], len, 2, random, |kernels, src, out| (kernels.latin1_to_utf8)(src, out));
        compare(&bytes[..], len, 1, random, |kernels, src, out| (kernels.utf16().latin1_to_utf16)(src, out));
        compare(&units[..], len, 1, random, |kernels, src, out| (kernels.utf16().latin1_from_utf16)(src, out));
        let utf8 = std::string::String::from_utf16_lossy(&units);
        compare(&utf8[..], len, 1, random, |kernels, src, out| (kernels.latin1_from_utf8)(src.as_bytes(), out));
        // Bytes that are not UTF-8 have no specified result, but kernels stay within them and within the destination.
        for kernels in levels() {
            let mut slots = [0x55; LONG[LONG.len() - 1] + 128];
            let capacity = random.usize(..=len);
            let mut out = Out::new(&mut slots[..capacity]);
            assert!((kernels.latin1_from_utf8)(&bytes, &mut out) <= len, "{kernels:?}: {bytes:X?}");
            assert!(slots[capacity..].iter().all(|&byte| byte == 0x55), "{kernels:?} wrote past the end: {bytes:X?}");
        }
    }
}

/// Returns a random table: the entries need not be different.
#[cfg(feature = "oem")]
pub(super) fn byte_table(random: &mut fastrand::Rng) -> [u8; 256] {
    [(); 256].map(|()| random.u8(..))
}

#[cfg(feature = "oem")]
#[test]
fn permute() {
    let random = &mut fastrand::Rng::with_seed(10);
    // All bytes in order, so that each entry of the table is in the output.
    let all: Vec<u8> = (0..=255).collect();
    for len in selected((0..=300).chain(0..=300).chain(LONG)) {
        let table = byte_table(random);
        let bytes: Vec<u8> = (0..len).map(|_| random.u8(..)).collect();
        for src in [&bytes, &all] {
            compare(&src[..], src.len(), 1, random, |kernels, src, out| {
                let expected: Vec<u8> =
                    src.iter().take(out.spare_len()).map(|&byte| table[usize::from(byte)]).collect();
                let read = (kernels.permute)(&table, src, out);
                assert_eq!((read, out.written()), (expected.len(), &expected[..]), "{kernels:?}: {src:?}");
                read
            });
        }
    }
}

/// The tables of all single-byte encodings.
pub(super) fn single_byte_tables() -> Vec<(&'static UpperHalf, &'static ToByte)> {
    let tables = (0..index::SINGLE_BYTE_ROWS).map(|row| (&index::SINGLE_BYTE[row], index::single_byte_encode(row)));
    #[cfg(feature = "oem")]
    let tables = tables.chain(selected(0..textcodec_oem::COUNT).into_iter().map(|page| {
        let page = crate::beyond::page::Page::of(page).expect("there is enough memory");
        (&page.upper, page.to_byte().expect("there is enough memory"))
    }));
    tables.collect()
}

/// The orders and upper halves of pages whose bytes are in another order.
#[cfg(feature = "oem")]
pub(super) fn permuted_tables() -> Vec<(&'static [u8; 256], &'static UpperHalf)> {
    let pages = selected(0..textcodec_oem::COUNT).into_iter().filter_map(crate::beyond::page::Page::of);
    pages.filter_map(|page| Some((&page.order.as_ref()?.to, &page.upper))).collect()
}

#[cfg(feature = "oem")]
#[test]
fn permuted() {
    let random = &mut fastrand::Rng::with_seed(11);
    for (order, upper) in permuted_tables() {
        let is_mapped = |&byte: &u8| {
            let to = order[usize::from(byte)];
            to < 0x80 || upper.get(usize::from(to - 0x80)) != 0
        };
        let mapped: Vec<u8> = (0..=255).filter(is_mapped).collect();
        for len in selected((0..MAX_LEN).chain(LONG)) {
            let one = |random: &mut fastrand::Rng| mapped[random.usize(..mapped.len())];
            let bytes = text(len, random, |byte| mapped[usize::from(byte) % mapped.len()], one, |random| random.u8(..));
            compare(&bytes[..], len, 3, random, |kernels, src, out| kernels.permuted_to_utf8(order, upper, src, out));
            compare(&bytes[..], len, 1, random, |kernels, src, out| kernels.permuted_to_utf16(order, upper, src, out));
        }
    }
}

#[test]
fn single_byte() {
    let random = &mut fastrand::Rng::with_seed(3);
    for (upper, table) in single_byte_tables() {
        let mapped: Vec<u8> = (128..=255).filter(|&byte| upper.get(usize::from(byte) - 128) != 0).collect();
        for len in selected((0..MAX_LEN).chain(LONG)) {
            // All mapped bytes, or only those of the upper half, which are mostly letters.
            let from = if random.bool() { 0 } else { mapped.len() / 2 };
            let other = |random: &mut fastrand::Rng| mapped[random.usize(from..mapped.len())];
            let bytes = text(len, random, |byte| byte, other, |random| random.u8(..));
            compare(&bytes[..], len, 3, random, |kernels, src, out| (kernels.single_byte_to_utf8)(upper, src, out));
            compare(&bytes[..], len, 1, random, |kernels, src, out| {
                (kernels.utf16().single_byte_to_utf16)(upper, src, out)
            });
            let unit = |byte: u8| upper.get(usize::from(byte) - 128);
            let units = text(len, random, u16::from, |random| unit(other(random)), |random| random.u16(..));
            compare(&units[..], len, 1, random, |kernels, src, out| {
                (kernels.utf16().single_byte_from_utf16)(table, src, out)
            });
            let utf8 = std::string::String::from_utf16_lossy(&units);
            compare(&utf8[..], len, 1, random, |kernels, src, out| (kernels.single_byte_from_utf8)(table, src, out));
        }
    }
}

/// Returns random text of `len` units for an encoder: ASCII, units of `mapped`, and unmappable ones.
pub(super) fn encodable(len: usize, random: &mut fastrand::Rng, mapped: &[u16]) -> Vec<u16> {
    // From all mapped units, or from the last ones.
    let from = if random.bool() { 0 } else { random.usize(..mapped.len()) };
    let other = |random: &mut fastrand::Rng| mapped[random.usize(from..mapped.len())];
    let mut units = text(len, random, u16::from, other, |random| random.u16(..));
    if random.u8(..4) == 0 {
        for pair in units.as_chunks_mut::<2>().0 {
            if random.bool() {
                *pair = [random.u16(0xD800..0xDC00), random.u16(0xDC00..0xE000)];
            }
        }
    }
    units
}

/// Returns the code points above ASCII that have a pair in a table.
pub(super) fn mapped(table: &ToBytes) -> Vec<u16> {
    (0x80..=0xFFFF).step_by(ENTRY_STEP).filter(|&unit| table.pair(u32::from(unit)).is_some()).collect()
}

#[test]
fn double_byte_encoding() {
    use crate::index::encode::{BIG5, EUC_JP, EUC_KR, GB18030, GBK, ISO_2022_JP, SHIFT_JIS};
    let random = &mut fastrand::Rng::with_seed(4);
    for table in [&SHIFT_JIS, &EUC_JP, &EUC_KR, &BIG5, &GBK, &GB18030, &ISO_2022_JP] {
        let mut mapped = mapped(table);
        if core::ptr::eq(table, &raw const GB18030) {
            // The other characters have four bytes.
            mapped.extend((0x80..0xD800).chain(0xE000..=0xFFFF));
        }
        for len in selected((0..MAX_LEN).chain(0..MAX_LEN).chain(0..MAX_LEN)) {
            let units = encodable(len, random, &mapped);
            compare(&units[..], len, 4, random, |kernels, src, out| (kernels.double_byte_from_utf16)(table, src, out));
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "a million characters")]
fn all_four_byte_characters() {
    let random = &mut fastrand::Rng::with_seed(7);
    let text: std::string::String = ('\u{80}'..='\u{10FFFF}').filter(|&c| c != '\u{E5E5}').collect();
    for part in text.encode_utf16().collect::<Vec<u16>>().chunks(10_000) {
        compare(part, part.len(), 4, random, |kernels, src, out| {
            (kernels.double_byte_from_utf16)(&index::encode::GB18030, src, out)
        });
    }
}

pub(super) fn escapes() -> Escapes {
    Escapes {
        table: &index::encode::ISO_2022_JP,
        excluded: [0xE, 0xF, 0x1B],
        to_ascii: *b"\x1B(B",
        to_pairs: *b"\x1B$B",
    }
}

#[test]
fn encoding_with_escapes() {
    let random = &mut fastrand::Rng::with_seed(5);
    let escapes = escapes();
    let mapped = mapped(escapes.table);
    for len in selected((0..MAX_LEN).chain(0..MAX_LEN).chain(0..MAX_LEN)) {
        let units = encodable(len, random, &mapped);
        for pairs in [false, true] {
            compare(&units[..], len, 5, random, |kernels, src, out| {
                let mut pairs = pairs;
                let read = (kernels.escaped_from_utf16)(&escapes, &mut pairs, src, out);
                // The new state is part of the result.
                2 * read + usize::from(pairs)
            });
        }
    }
}

#[test]
fn str_to_utf16() {
    let random = &mut fastrand::Rng::with_seed(6);
    for len in selected((0..MAX_LEN).chain(0..MAX_LEN).chain(0..MAX_LEN).chain(LONG)) {
        let max = [0x7F, 0x7FF, 0xFFFF, 0x10_FFFF][random.usize(..4)];
        let min = [0, max / 2, max / 16][random.usize(..3)];
        let text: std::string::String = (0..len)
            .filter_map(|_| {
                let min = if random.bool() { 0 } else { min };
                char::from_u32(random.u32(min..=max))
            })
            .collect();
        for order in [ByteOrder::Little, ByteOrder::Big] {
            compare(&text[..], len, 2, random, |kernels, src, out| kernels.str_to_utf16(order, src, out));
        }
    }
}

/// Returns at least `len` bytes of random characters, of some of the lengths in UTF-8. Half of them are the first or last of
/// their range.
pub(super) fn characters(len: usize, random: &mut fastrand::Rng) -> std::string::String {
    let ranges = ['\0'..='\x7F', '\u{80}'..='\u{7FF}', '\u{800}'..='\u{FFFF}', '\u{10000}'..='\u{10FFFF}'];
    let lengths = random.u8(1..16);
    let mut text = std::string::String::new();
    while text.len() < len {
        let length = random.usize(..4);
        // ASCII is mostly in runs.
        if lengths >> length & 1 == 1 && (length > 0 || lengths == 1 || random.u8(..16) > 0) {
            let range = ranges[length].clone();
            let ends = [*range.start(), *range.end(), '\u{D7FF}', '\u{E000}'];
            text.push(if random.bool() {
                random.char(range)
            } else {
                ends[random.usize(..if length == 2 { 4 } else { 2 })]
            });
        } else if lengths & 1 == 1 {
            // Some runs are as long as those of markup.
            let max = if random.u8(..16) == 0 { 1500 } else { 100 };
            text.extend((0..random.usize(..max)).map(|_| random.char(..'\x7F')));
        }
    }
    text
}

/// Returns the bytes of `text`, with a malformed sequence if `malformed`. Others may be truncated to `len` bytes.
pub(super) fn maybe_utf8(text: &str, len: usize, malformed: bool, random: &mut fastrand::Rng) -> Vec<u8> {
    const MALFORMED: &[&[u8]] = &[
        b"\x80",
        b"\xBF",
        b"\xC0",
        b"\xC1\xBF",
        b"\xC2",
        b"\xE0\x9F\xBF",
        b"\xE1\x80",
        b"\xED\xA0\x80",
        b"\xEF",
        b"\xF0\x8F\xBF\xBF",
        b"\xF0\x90\x80",
        b"\xF1\x80",
        b"\xF4\x90\x80\x80",
        b"\xF5\x80\x80\x80",
        b"\xF8\x90\x80\x80",
        b"\xFF\x90\x80\x80",
        b"A",
    ];
    let mut bytes = text.as_bytes().to_vec();
    if malformed {
        let sequence = MALFORMED[random.usize(..MALFORMED.len())];
        let at = random.usize(..=bytes.len());
        bytes.splice(at..bytes.len().min(at + random.usize(..3)), sequence.iter().copied());
    } else if random.bool() {
        bytes.truncate(len);
    }
    bytes
}

#[test]
fn utf8() {
    let random = &mut fastrand::Rng::with_seed(8);
    for len in selected((0..MAX_LEN).chain(0..MAX_LEN).chain((MAX_LEN..1200).step_by(7))) {
        let text = characters(len, random);
        for malformed in [false, true] {
            let bytes = maybe_utf8(&text, len, malformed, random);
            for kernels in levels() {
                assert_eq!((kernels.utf8_prefix)(&bytes), (SCALAR.utf8_prefix)(&bytes), "{kernels:?} {bytes:02X?}");
            }
            compare(&bytes[..], bytes.len(), 1, random, |kernels, src, out| (kernels.utf8_copy)(src, out));
            compare(&bytes[..], bytes.len(), 1, random, |kernels, src, out| (kernels.utf8_to_utf16)(src, out));
        }
    }
}

#[test]
fn utf16() {
    let random = &mut fastrand::Rng::with_seed(9);
    for len in selected((0..MAX_LEN).chain(0..MAX_LEN).chain((MAX_LEN..1200).step_by(7))) {
        let text: Vec<u16> = characters(3 * len, random).encode_utf16().take(len).collect();
        for surrogate in [None, Some(random.u16(0xD800..0xE000))] {
            let mut units = text.clone();
            if let Some(surrogate) = surrogate {
                let at = random.usize(..=units.len());
                units.splice(at..units.len().min(at + random.usize(..2)), [surrogate]);
            }
            let len = units.len();
            for kernels in levels() {
                assert_eq!((kernels.utf16_prefix)(&units), (SCALAR.utf16_prefix)(&units), "{kernels:?} {units:04X?}");
            }
            compare(&units[..], len, 3, random, Kernels::units_to_utf8);
            for order in [ByteOrder::Little, ByteOrder::Big] {
                compare(&units[..], len, 2, random, |kernels, src, out| (kernels.utf16_to_bytes)(order, src, out));
                let in_order: Vec<[u8; 2]> = units.iter().map(|&unit| order.bytes(unit)).collect();
                compare(&in_order[..], len, 3, random, |kernels, src, out| kernels.utf16_to_utf8(order, src, out));
                let mut bytes = in_order.into_flattened();
                if random.bool() {
                    bytes.push(0xD8);
                }
                compare(&bytes[..], bytes.len(), 1, random, |kernels, src, out| {
                    (kernels.utf16().utf16_from_bytes)(order, src, out)
                });
                let mut in_order: Vec<[u8; 2]> = bytes.as_chunks().0.to_vec();
                for _ in 0..random.usize(..=len / 4) {
                    in_order[random.usize(..len)] = order.bytes(random.u16(0xD800..0xE000));
                }
                compare(in_order.as_flattened(), 2 * len, 1, random, |kernels, src, out| {
                    let mut replaced = 0;
                    let read = (kernels.utf16_replaced)(order, src, out, &mut replaced);
                    // The number of replacements is part of the result.
                    read + ((replaced as usize) << 16)
                });
            }
        }
    }
}

/// Returns `len` bytes, mostly pairs: ASCII, single bytes in runs, four-byte sequences and random bytes are between them. Most
/// pairs are mapped.
pub(super) fn pairs_of_bytes(len: usize, random: &mut fastrand::Rng, form: &Form) -> Vec<u8> {
    let pairs = [0, 10, 60, 96, 99][random.usize(..5)];
    let invalid = [0, 0, 1, 3][random.usize(..4)];
    let unmapped = [0, 1, 100][random.usize(..3)];
    let mut bytes = Vec::new();
    while bytes.len() < len {
        match random.u8(..100) {
            n if n < invalid => bytes.push(random.u8(..)),
            n if n < pairs && random.u8(..100) < unmapped => {
                bytes.extend([random.u8(form.leading.clone()), random.u8(form.trailing.clone())]);
            }
            n if n < pairs => bytes.extend(form.mapped[random.usize(..form.mapped.len())]),
            98 => bytes.extend([
                random.u8(0x81..=0x83),
                random.u8(b'0'..=b'9'),
                random.u8(0x81..=0xFE),
                random.u8(b'0'..=b'9'),
            ]),
            99 => {
                let max = if random.bool() { 600 } else { 20 };
                bytes.extend((0..random.usize(..max)).map(|_| random.u8(form.singles.clone())));
            }
            _ => bytes.extend((0..random.usize(1..80)).map(|_| random.u8(..0x80))),
        }
    }
    bytes.truncate(len);
    bytes
}

/// A double-byte encoding.
pub(super) struct Form {
    pub(super) pairs: Pairs,
    leading: RangeInclusive<u8>,
    trailing: RangeInclusive<u8>,
    pub(super) mapped: Vec<[u8; 2]>,
    singles: RangeInclusive<u8>,
}

impl Form {
    fn new(
        pairs: Pairs,
        leading: RangeInclusive<u8>,
        trailing: RangeInclusive<u8>,
        singles: RangeInclusive<u8>,
    ) -> Self {
        let pairs_of_bytes =
            leading.clone().flat_map(|leading| trailing.clone().map(move |trailing| [leading, trailing]));
        let mapped = pairs_of_bytes
            .step_by(ENTRY_STEP)
            .filter(|&[leading, trailing]| pairs.get(leading, trailing).is_some())
            .collect();
        Self { pairs, leading, trailing, mapped, singles }
    }
}

/// Returns four double-byte encodings, gb18030 last. `table` returns the copy of a table that they use.
pub(super) fn forms(table: impl Fn(&'static [u16]) -> &'static [u16]) -> [Form; 4] {
    let jis0208 = Pairs::new(table(&index::JIS0208), 94).with_rows(0x21, 0x7E, 0).with_columns(0x21, 0x7E, 0);
    let euc_jp = Pairs::new(table(&index::JIS0208), 94)
        .with_ascii()
        .with_rows(0x8E, 0x8E, 120)
        .with_rows(0xA1, 0xFE, 0)
        .with_columns(0xA1, 0xFE, 0);
    let shift_jis = Pairs::new(table(&index::JIS0208), 188)
        .with_ascii()
        .with_singles(0x80, 0x80)
        .with_singles(0xA1, 0xDF)
        .with_rows(0x81, 0x9F, 0)
        .with_rows(0xE0, 0xFC, 0xE0 - 0xC1)
        .with_columns(0x40, 0x7E, 0)
        .with_columns(0x80, 0xFC, 0x80 - 0x41);
    let gb18030 = Pairs::new(table(&index::GB18030), 190)
        .with_ascii()
        .with_singles(0x80, 0x80)
        .with_rows(0x81, 0xFE, 0)
        .with_columns(0x40, 0x7E, 0)
        .with_columns(0x80, 0xFE, 0x80 - 0x41);
    [
        Form::new(jis0208, 0x21..=0x74, 0x21..=0x7E, 0x21..=0x7E),
        Form::new(euc_jp, 0xA1..=0xF4, 0xA1..=0xFE, 0x20..=0x7E),
        Form::new(shift_jis, 0x81..=0xFC, 0x40..=0xFC, 0xA1..=0xDF),
        Form::new(gb18030, 0x81..=0xFE, 0x40..=0xFE, 0x80..=0x80),
    ]
}

#[test]
fn double_byte_decoding() {
    let random = &mut fastrand::Rng::with_seed(19);
    for form in forms(|cells| cells) {
        for len in selected((0..MAX_LEN).chain(0..MAX_LEN).chain(0..MAX_LEN).chain([600; 100]).chain([1100; 100])) {
            let bytes = pairs_of_bytes(len, random, &form);
            let pairs = &form.pairs;
            compare(&bytes[..], len, 1, random, |kernels, src, out| {
                (kernels.utf16().double_byte_to_utf16)(pairs, src, out)
            });
            compare(&bytes[..], len, 3, random, |kernels, src, out| (kernels.double_byte_to_utf8)(pairs, src, out));
        }
    }
}

/// Returns `len` bytes: runs of pairs and of ASCII with escape sequences between them, and some random bytes.
pub(super) fn escaped_bytes(len: usize, random: &mut fastrand::Rng) -> Vec<u8> {
    const SEQUENCES: [&[u8]; 8] = [b"\x1B(B", b"\x1B$B", b"\x1B$@", b"\x1B(J", b"\x1B(I", b"\x1B$", b"\x1B", b"\x1B(C"];
    let max = [1, 3, 20, 100][random.usize(..4)];
    let invalid = [0, 0, 1, 5][random.usize(..4)];
    let mut bytes = Vec::new();
    while bytes.len() < len {
        match random.u8(..100) {
            n if n < invalid => match random.u8(..3) {
                0 => bytes.push(random.u8(..)),
                1 => bytes.extend(SEQUENCES[random.usize(..8)]),
                _ => bytes.extend([0xE, 0x20, 0x7F].iter().take(random.usize(..3))),
            },
            n if n < 50 => {
                bytes.extend(SEQUENCES[0]);
                bytes.extend((0..random.usize(1..=max)).map(|_| random.u8(0x20..0x7F)));
            }
            _ => {
                bytes.extend(SEQUENCES[random.usize(1..3)]);
                // Levels 1 and 2 of JIS X 0208.
                bytes.extend((0..random.usize(1..=max)).flat_map(|_| [random.u8(0x30..0x74), random.u8(0x21..0x7F)]));
            }
        }
    }
    bytes.drain(..random.usize(..=bytes.len().min(3)));
    bytes.truncate(len);
    bytes
}

pub(super) fn escaped_pairs(jis0208: &'static [u16]) -> EscapedPairs {
    EscapedPairs {
        pairs: Pairs::new(jis0208, 94).with_rows(0x21, 0x7E, 0).with_columns(0x21, 0x7E, 0),
        excluded: [0xE, 0xF, 0x1B],
        to_ascii: *b"(B",
        to_pairs: [*b"$B", *b"$@"],
    }
}

#[test]
fn decoding_with_escapes() {
    let random = &mut fastrand::Rng::with_seed(21);
    let escapes = escaped_pairs(&index::JIS0208);
    for len in selected((0..MAX_LEN).chain(0..MAX_LEN).chain(0..MAX_LEN).chain([600; 200]).chain([1100; 200])) {
        let bytes = escaped_bytes(len, random);
        for state in [(false, false), (false, true), (true, false), (true, true)] {
            let state = EscapeState { pairs: state.0, escaped: state.1 };
            // The new state is part of the result.
            let result =
                |read, state: EscapeState| 4 * read + 2 * usize::from(state.pairs) + usize::from(state.escaped);
            compare(&bytes[..], len, 1, random, |kernels, src, out| {
                let mut state = state;
                result((kernels.utf16().escaped_to_utf16)(&escapes, &mut state, src, out), state)
            });
            compare(&bytes[..], len, 2, random, |kernels, src, out| {
                let mut state = state;
                result((kernels.escaped_to_utf8)(&escapes, &mut state, src, out), state)
            });
        }
    }
}
