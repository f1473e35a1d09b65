//! Names and labels that end with a NUL, as C expects. They are computed when the library is compiled.

use core::{ffi::c_char, ptr};

use crate::{encodings::ALL, types::Number};

/// The strings of an encoding: its name, then its labels.
const fn string(encoding: usize, index: usize) -> &'static [u8] {
    if index == 0 { ALL[encoding].name().as_bytes() } else { ALL[encoding].labels()[index - 1].as_bytes() }
}

const fn count(encoding: usize) -> usize {
    1 + ALL[encoding].labels().len()
}

/// The number of strings, and of their bytes with a NUL after each.
const TOTAL: (usize, usize) = {
    let (mut strings, mut bytes, mut encoding) = (0, 0, 0);
    while encoding < ALL.len() {
        let mut index = 0;
        while index < count(encoding) {
            bytes += string(encoding, index).len() + 1;
            index += 1;
        }
        strings += index;
        encoding += 1;
    }
    (strings, bytes)
};

struct Table {
    text: [u8; TOTAL.1],
    /// Where each string starts in `text`.
    offsets: [u16; TOTAL.0],
    /// The first string of each encoding, and the number of all strings.
    first: [u16; ALL.len() + 1],
}

static TABLE: Table = {
    let mut table = Table { text: [0; TOTAL.1], offsets: [0; TOTAL.0], first: [0; ALL.len() + 1] };
    let (mut strings, mut bytes, mut encoding) = (0, 0, 0);
    while encoding < ALL.len() {
        table.first[encoding] = strings as u16;
        let mut index = 0;
        while index < count(encoding) {
            table.offsets[strings] = bytes as u16;
            let (string, mut at) = (string(encoding, index), 0);
            while at < string.len() {
                table.text[bytes] = string[at];
                (bytes, at) = (bytes + 1, at + 1);
            }
            (strings, bytes, index) = (strings + 1, bytes + 1, index + 1);
        }
        encoding += 1;
    }
    table.first[encoding] = strings as u16;
    table
};

/// Returns a string of an encoding, or null: 0 is the name, 1 the first label.
pub(crate) fn get(number: Number, index: usize) -> *const c_char {
    let find = || {
        let encoding = usize::try_from(number).ok()?;
        let (first, end) = (TABLE.first.get(encoding)?, TABLE.first.get(encoding + 1)?);
        let string = usize::from(*first).checked_add(index).filter(|string| *string < usize::from(*end))?;
        TABLE.text.get(usize::from(*TABLE.offsets.get(string)?)..)
    };
    find().map_or(ptr::null(), |text| text.as_ptr().cast())
}
