//! The tables of single-byte encodings: the code of the library that computes them.
#![allow(dead_code, reason = "the library also reads them from files")]

#[path = "../../../crates/textcodec/src/kernel/tables/common_rows.rs"]
mod common_rows;
#[path = "../../../crates/textcodec/src/kernel/tables/regular.rs"]
mod regular;
#[path = "../../../crates/textcodec/src/kernel/tables/single_byte.rs"]
mod single_byte;

use common_rows::CommonRows;
use regular::Regular;
pub(crate) use single_byte::UpperHalf;

/// Returns the bytes that `UpperHalf::read` reads.
pub(crate) fn file(code_points: &[u16; 128]) -> Vec<u8> {
    let upper = UpperHalf::new(code_points);
    let mut file = [upper.utf16.as_flattened(), upper.utf8().as_flattened()].concat();
    file.extend([upper.identity_from.cast_unsigned(), upper.has_unmapped.into()]);
    // Only for x86-64, but the file is the same everywhere.
    let regular = Regular::new(code_points);
    file.extend(
        [regular.offsets, regular.high, regular.irregular, regular.last_but_one, regular.irregular_utf8].concat(),
    );
    file.extend([regular.lead, regular.frequent_high, regular.suits_utf16.into(), regular.suits_utf8.into()]);
    file
}
