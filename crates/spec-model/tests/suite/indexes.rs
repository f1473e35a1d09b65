//! Section 5.

use std::{collections::BTreeSet, fmt::Write as _, fs};

use sha2::{Digest as _, Sha256};
use spec_model::{
    Encoding,
    indexes::{
        self, BIG5, GB18030, GB18030_RANGES, JIS0208, JIS0212, big5_pointer, gb18030_ranges_code_point,
        gb18030_ranges_pointer, shift_jis_pointer, single_byte,
    },
};

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[test]
fn every_index_matches_its_sha_256() {
    for name in indexes::names() {
        let mut hash = Sha256::new();
        for &(pointer, code_point) in indexes::entries(name) {
            hash.update(format!("{pointer}\t0x{:04X}\n", u32::from(code_point)));
        }
        assert_eq!(hex(&hash.finalize()), indexes::sha256(name), "{name}");
    }
}

#[test]
fn every_index_file_is_read() {
    let files = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../indexes")).unwrap();
    let files: BTreeSet<_> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    let mut names: BTreeSet<_> = indexes::names().map(|name| format!("{name}.txt")).collect();
    names.insert("labels.txt".to_owned());
    assert_eq!(files, names);
}

#[test]
fn index_code_point_and_index_pointer() {
    assert_eq!(JIS0208.code_point(0), Some('\u{3000}'));
    assert_eq!(JIS0208.code_point(108), None);
    assert_eq!(JIS0208.code_point(u32::MAX), None);
    assert_eq!(JIS0208.pointer('\u{3000}'), Some(0));
    assert_eq!(JIS0208.pointer('A'), None);
    assert_eq!(JIS0208.pointer('\u{FFE2}'), Some(137), "the first of 137, 8644 and 10736");
    assert_eq!(GB18030.pointer('\u{3000}'), Some(6176), "the first of 6176 and 6555 (0xA3 0xA0)");
    assert_eq!(GB18030.code_point(6555), Some('\u{3000}'));
    assert_eq!(JIS0212.code_point(108), Some('\u{02D8}'));
}

/// Note in the encoders of EUC-JP and ISO-2022-JP.
#[test]
fn index_jis0208_pointers_are_less_than_8836() {
    for &(_, code_point) in JIS0208.entries() {
        assert!(JIS0208.pointer(code_point).unwrap() < 8836);
    }
}

#[test]
fn index_gb18030_ranges_has_207_ascending_rows() {
    assert_eq!(GB18030_RANGES.entries().len(), 207);
    assert!(GB18030_RANGES.entries().is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1));
}

#[test]
fn index_gb18030_ranges_code_point_step_by_step() {
    assert_eq!(gb18030_ranges_code_point(39419), Some('\u{FFFF}'), "step 1");
    assert_eq!(gb18030_ranges_code_point(39420), None, "step 1");
    assert_eq!(gb18030_ranges_code_point(188_999), None, "step 1");
    assert_eq!(gb18030_ranges_code_point(189_000), Some('\u{10000}'), "step 1");
    assert_eq!(gb18030_ranges_code_point(1_237_575), Some('\u{10FFFF}'), "step 1");
    assert_eq!(gb18030_ranges_code_point(1_237_576), None, "step 1");
    assert_eq!(gb18030_ranges_code_point(7457), Some('\u{E7C7}'), "step 2");
    assert_eq!(gb18030_ranges_code_point(0), Some('\u{0080}'), "step 4");
    assert_eq!(gb18030_ranges_code_point(35), Some('\u{00A3}'), "step 4");
    assert_eq!(gb18030_ranges_code_point(36), Some('\u{00A5}'), "step 4");
}

#[test]
fn index_gb18030_ranges_pointer_step_by_step() {
    assert_eq!(gb18030_ranges_pointer('\u{E7C7}'), 7457, "step 1");
    assert_eq!(gb18030_ranges_pointer('\u{0080}'), 0, "step 3");
    assert_eq!(gb18030_ranges_pointer('\u{00A3}'), 35, "step 3");
    assert_eq!(gb18030_ranges_pointer('\u{00A5}'), 36, "step 3");
    assert_eq!(gb18030_ranges_pointer('\u{FFFF}'), 39419, "step 3");
    assert_eq!(gb18030_ranges_pointer('\u{10FFFF}'), 1_237_575, "step 3");
}

#[test]
fn index_shift_jis_pointer_excludes_8272_to_8835() {
    assert_eq!(JIS0208.pointer('\u{7E8A}'), Some(8272));
    assert_eq!(shift_jis_pointer('\u{7E8A}'), Some(10744), "step 1");
    for &(_, code_point) in JIS0208.entries() {
        let pointer = shift_jis_pointer(code_point).expect("every excluded code point has another pointer");
        assert!(!(8272..=8835).contains(&pointer), "step 1");
    }
    assert_eq!(shift_jis_pointer('\u{FFE2}'), Some(137), "step 2");
    assert_eq!(shift_jis_pointer('A'), None, "step 2");
}

#[test]
fn index_big5_pointer_step_by_step() {
    assert_eq!(BIG5.pointer('\u{43F0}'), Some(942));
    assert_eq!(big5_pointer('\u{43F0}'), None, "step 1");
    assert_eq!(big5_pointer('\u{3000}'), Some((0xA1 - 0x81) * 157), "step 1");
    for (code_point, last) in [
        ('\u{2550}', 18991),
        ('\u{255E}', 18975),
        ('\u{2561}', 18977),
        ('\u{256A}', 18976),
        ('\u{5341}', 5512),
        ('\u{5345}', 5599),
    ] {
        assert_eq!(big5_pointer(code_point), Some(last), "step 2");
        assert!(BIG5.entries().iter().any(|&(pointer, c)| c == code_point && (5024..last).contains(&pointer)));
    }
    assert_eq!(big5_pointer('\u{256D}'), Some((0xA2 - 0x81) * 157 + 0x3E), "step 3: 0xA2 0x7E, not 0xF9 0xFA");
}

/// Note in section 9.
#[test]
fn all_but_two_single_byte_encodings_have_their_own_index() {
    let single_byte_encodings: Vec<_> = Encoding::all().iter().filter(|encoding| encoding.is_single_byte()).collect();
    assert_eq!(single_byte_encodings.len(), 28);
    for &&encoding in &single_byte_encodings {
        for &&other in &single_byte_encodings {
            let shared = std::ptr::eq(single_byte(encoding), single_byte(other));
            let iso_8859_8 = [encoding, other].iter().all(|e| e.name().starts_with("ISO-8859-8"));
            assert_eq!(shared, encoding == other || iso_8859_8);
        }
    }
}
