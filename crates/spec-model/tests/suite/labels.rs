//! Sections 4.2 and 4.3.

use std::collections::HashSet;

use sha2::{Digest as _, Sha256};
use spec_model::{Encoding, encoding::labels_sha256, get_an_encoding, get_an_output_encoding};

use crate::indexes::hex;

#[test]
fn there_are_40_encodings_and_228_labels() {
    assert_eq!(Encoding::all().len(), 40);
    let labels: Vec<_> = Encoding::all().iter().flat_map(|encoding| encoding.labels()).collect();
    assert_eq!(labels.len(), 228);
    assert_eq!(labels.iter().collect::<HashSet<_>>().len(), 228);
}

#[test]
fn the_label_table_matches_its_sha_256() {
    let mut hash = Sha256::new();
    for encoding in Encoding::all() {
        for label in encoding.labels() {
            hash.update(format!("{label}\t{}\n", encoding.name()));
        }
    }
    assert_eq!(hex(&hash.finalize()), labels_sha256());
}

/// Note in section 4.2.
#[test]
fn every_lower_cased_name_is_one_of_the_labels() {
    for encoding in Encoding::all() {
        assert!(encoding.labels().contains(&encoding.name().to_ascii_lowercase().as_str()), "{}", encoding.name());
    }
}

#[test]
fn every_label_gets_its_encoding() {
    for &encoding in Encoding::all() {
        for label in encoding.labels() {
            assert_eq!(get_an_encoding(label), Some(encoding));
            assert_eq!(get_an_encoding(&label.to_ascii_uppercase()), Some(encoding));
            assert_eq!(get_an_encoding(&format!("\t\n\x0C\r {label} \r\x0C\n\t")), Some(encoding));
        }
    }
}

#[test]
fn an_unknown_label_is_failure() {
    for label in
        ["", " ", "utf-8x", "x utf-8", "\u{0B}utf-8", "utf-8\u{A0}", "utf-8\0", "utf\u{2010}8", "\u{212A}OI8-R"]
    {
        assert_eq!(get_an_encoding(label), None, "{label:?}");
    }
}

/// The constants are in the order of the table.
#[test]
fn every_constant_has_its_name() {
    let names = [
        (Encoding::UTF_8, "UTF-8"),
        (Encoding::IBM866, "IBM866"),
        (Encoding::ISO_8859_2, "ISO-8859-2"),
        (Encoding::ISO_8859_3, "ISO-8859-3"),
        (Encoding::ISO_8859_4, "ISO-8859-4"),
        (Encoding::ISO_8859_5, "ISO-8859-5"),
        (Encoding::ISO_8859_6, "ISO-8859-6"),
        (Encoding::ISO_8859_7, "ISO-8859-7"),
        (Encoding::ISO_8859_8, "ISO-8859-8"),
        (Encoding::ISO_8859_8_I, "ISO-8859-8-I"),
        (Encoding::ISO_8859_10, "ISO-8859-10"),
        (Encoding::ISO_8859_13, "ISO-8859-13"),
        (Encoding::ISO_8859_14, "ISO-8859-14"),
        (Encoding::ISO_8859_15, "ISO-8859-15"),
        (Encoding::ISO_8859_16, "ISO-8859-16"),
        (Encoding::KOI8_R, "KOI8-R"),
        (Encoding::KOI8_U, "KOI8-U"),
        (Encoding::MACINTOSH, "macintosh"),
        (Encoding::WINDOWS_874, "windows-874"),
        (Encoding::WINDOWS_1250, "windows-1250"),
        (Encoding::WINDOWS_1251, "windows-1251"),
        (Encoding::WINDOWS_1252, "windows-1252"),
        (Encoding::WINDOWS_1253, "windows-1253"),
        (Encoding::WINDOWS_1254, "windows-1254"),
        (Encoding::WINDOWS_1255, "windows-1255"),
        (Encoding::WINDOWS_1256, "windows-1256"),
        (Encoding::WINDOWS_1257, "windows-1257"),
        (Encoding::WINDOWS_1258, "windows-1258"),
        (Encoding::X_MAC_CYRILLIC, "x-mac-cyrillic"),
        (Encoding::GBK, "GBK"),
        (Encoding::GB18030, "gb18030"),
        (Encoding::BIG5, "Big5"),
        (Encoding::EUC_JP, "EUC-JP"),
        (Encoding::ISO_2022_JP, "ISO-2022-JP"),
        (Encoding::SHIFT_JIS, "Shift_JIS"),
        (Encoding::EUC_KR, "EUC-KR"),
        (Encoding::REPLACEMENT, "replacement"),
        (Encoding::UTF_16BE, "UTF-16BE"),
        (Encoding::UTF_16LE, "UTF-16LE"),
        (Encoding::X_USER_DEFINED, "x-user-defined"),
    ];
    assert_eq!(names.map(|row| row.0), Encoding::all());
    for (encoding, name) in names {
        assert_eq!(encoding.name(), name);
    }
}

#[test]
fn the_output_encoding_of_an_encoding_without_encoder_is_utf_8() {
    for &encoding in Encoding::all() {
        let expected = if encoding.encoder().is_none() { Encoding::UTF_8 } else { encoding };
        assert_eq!(get_an_output_encoding(encoding), expected);
    }
    assert_eq!(get_an_output_encoding(Encoding::REPLACEMENT), Encoding::UTF_8);
    assert_eq!(get_an_output_encoding(Encoding::UTF_16BE), Encoding::UTF_8);
    assert_eq!(get_an_output_encoding(Encoding::UTF_16LE), Encoding::UTF_8);
}
