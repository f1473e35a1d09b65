//! Parts of inputs for `mem`.

/// Boundary bytes of UTF-8, and bytes that are always malformed.
pub(super) const BYTES: &[u8] =
    b"a\x7F\x80\x8F\x90\x9D\xA0\xA4\xAB\xAC\xB7\xBB\xBF\xC0\xC2\xC3\xC4\xD6\xD7\xE0\xE2\xED\xEF\xF0\xF4\xF5";

/// Code units of different classes.
pub(super) const UNITS: &[u16] = &[
    0x41, 0x7F, 0x80, 0xFF, 0x100, 0x58F, 0x590, 0x8FF, 0x900, 0x200F, 0x2067, 0x20AC, 0xD800, 0xD802, 0xD83B, 0xD83D,
    0xDC00, 0xDFFF, 0xE000, 0xFB1D, 0xFDFF, 0xFEFE, 0xFEFF,
];

/// Sequences to insert into a long text: the boundaries of right-to-left ranges, and malformed sequences.
pub(super) const SPECIAL: &[&[u8]] = &[
    b"a",
    b"\x7F",
    b"\xC2\x80",
    b"\xC3\xBF",
    b"\xC4\x80",
    b"\xD6\x8F",
    b"\xD6\x90",
    b"\xDF\xBF",
    b"\xE0\xA3\xBF",
    b"\xE0\xA4\x80",
    b"\xE2\x80\x8E",
    b"\xE2\x80\x8F",
    b"\xE2\x80\xAB",
    b"\xE2\x80\xAE",
    b"\xE2\x81\xA7",
    b"\xE2\x81\xAB",
    b"\xE2\x82\xAC",
    b"\xE6\x97\xA5",
    b"\xED\x9F\xBF",
    b"\xEE\x80\x80",
    b"\xEF\xAC\x9C",
    b"\xEF\xAC\x9D",
    b"\xEF\xB7\xBF",
    b"\xEF\xB8\x80",
    b"\xEF\xB9\xAF",
    b"\xEF\xB9\xB0",
    b"\xEF\xBB\xBE",
    b"\xEF\xBB\xBF",
    b"\xEF\xBC\x8C",
    b"\xF0\x90\x9F\xBF",
    b"\xF0\x90\xA0\x80",
    b"\xF0\x90\xBF\xBF",
    b"\xF0\x91\x80\x80",
    b"\xF0\x9E\x9F\xBF",
    b"\xF0\x9E\xA0\x80",
    b"\xF0\x9E\xBF\xBF",
    b"\xF0\x9F\x98\x80",
    b"\xF4\x8F\xBF\xBF",
    b"\x80",
    b"\xC0",
    b"\xC1",
    b"\xC1\xBF",
    b"\xC3",
    b"\xD6",
    b"\xE2\x80",
    b"\xED\xA0\x80",
    b"\xF0\x9E\xA0",
    b"\xF4\x90\x80\x80",
    b"\xFF",
];

/// Like [`SPECIAL`], for code units.
pub(super) const SPECIAL_UNITS: &[&[u16]] = &[
    &[0x7F],
    &[0x80],
    &[0xFF],
    &[0x100],
    &[0x58F],
    &[0x590],
    &[0x8FF],
    &[0x900],
    &[0x200E],
    &[0x200F],
    &[0x2010],
    &[0x202A],
    &[0x202B],
    &[0x202E],
    &[0x202F],
    &[0x2066],
    &[0x2067],
    &[0x2068],
    &[0x7FF],
    &[0x800],
    &[0xD7FF],
    &[0xE000],
    &[0xFB1C],
    &[0xFB1D],
    &[0xFDFF],
    &[0xFE00],
    &[0xFE6F],
    &[0xFE70],
    &[0xFEFE],
    &[0xFEFF],
    &[0xFFFF],
    &[0xD801, 0xDC00],
    &[0xD802, 0xDC00],
    &[0xD803, 0xDFFF],
    &[0xD804, 0xDC00],
    &[0xD839, 0xDC00],
    &[0xD83A, 0xDC00],
    &[0xD83B, 0xDC00],
    &[0xD83C, 0xDC00],
    &[0xD800],
    &[0xD83B],
    &[0xDC00],
    &[0xDFFF],
    &[0xDC00, 0xD800],
    &[0xD800, 0xD800, 0xDC00, 0xDC00],
];

/// Text in several scripts.
pub(super) const SCRIPTS: &[&str] = &[
    "plain text, of 7 bits ",
    "Zwölf Boxkämpfer ",
    "éàèùçâêîôû",
    "Съешь ещё — «булок» ",
    "דג סקרן שט בים ",
    "نص حكيم له سر ",
    "いろはにほへと、ちりぬるを。",
    "天地玄黄，“宇宙”洪荒！",
    "키스의 고유조건은 ",
    "เป็นมนุษย์สุด",
    "😀😁 🤣",
    "𐤀𐤁𞤀𞤁",
    "\u{200F}\u{202B}\u{2067}",
    "ﬀﬁﷲﻼ",
];

/// Calls `each` with all sequences of at most `longest` items.
pub(super) fn sequences<T: Copy>(items: &[T], longest: u32, mut each: impl FnMut(&[T])) {
    for len in 0..=longest {
        for number in 0..items.len().pow(len) {
            let item = |at: u32| items[number / items.len().pow(at) % items.len()];
            each(&(0..len).map(item).collect::<Vec<_>>());
        }
    }
}
