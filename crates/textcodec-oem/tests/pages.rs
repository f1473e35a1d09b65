//! Properties of all pages and names, and bytes that programs disagree about.

use std::{collections::BTreeSet, fs, path::Path};

use textcodec_oem::{
    COUNT, UNMAPPED, aliases, code_page, code_points, duplicates, for_code_page, for_name, has_ascii,
    is_ascii_compatible, is_registered, is_total, name,
};

fn page(name: &str) -> usize {
    for_name(name).unwrap_or_else(|| panic!("no page {name}"))
}

/// Reads a folder of the crate, which is not in its package.
fn lines(path: &str) -> Vec<String> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
}

#[test]
fn only_one_byte_is_nul_and_all_others_are_scalar_values() {
    for page in 0..COUNT {
        let codes = code_points(page);
        assert_eq!(codes.iter().filter(|&&code| code == 0).count(), 1, "{}", name(page));
        let characters = codes.iter().filter(|&&code| code != UNMAPPED);
        for &code in characters {
            let character = char::from_u32(code.into());
            assert!(character.is_some_and(|c| c != char::REPLACEMENT_CHARACTER), "{}: {code:04X}", name(page));
        }
    }
}

#[test]
fn each_character_has_one_byte_that_encoders_write() {
    for page in 0..COUNT {
        let codes = code_points(page);
        let duplicates: Vec<u8> = duplicates(page).collect();
        let mut written = BTreeSet::new();
        for byte in (0..=255).filter(|byte| codes[usize::from(*byte)] != UNMAPPED && !duplicates.contains(byte)) {
            assert!(written.insert(codes[usize::from(byte)]), "{}: {byte:02X}", name(page));
        }
        assert!(duplicates.iter().all(|&byte| written.contains(&codes[usize::from(byte)])), "{}", name(page));
        assert_eq!(
            !duplicates.is_empty(),
            ["IBM-Thai", "IBM1160", "ARMSCII-8"].contains(&name(page)),
            "{}",
            name(page)
        );
    }
}

#[test]
fn properties_follow_from_the_tables() {
    for page in 0..COUNT {
        let codes = code_points(page);
        let ascii = (0..0x80).all(|byte| codes[byte] == byte as u16);
        assert_eq!(is_ascii_compatible(page), ascii, "{}", name(page));
        assert_eq!(is_total(page), !codes.contains(&UNMAPPED), "{}", name(page));
        assert_eq!(has_ascii(page), (0..0x80).all(|code| codes.contains(&code)), "{}", name(page));
    }
}

#[test]
fn names_are_unique_and_lead_back() {
    let mut names = BTreeSet::new();
    for page in 0..COUNT {
        for other in aliases(page).chain([name(page)]) {
            assert!(!other.is_empty() && names.insert(other.to_ascii_lowercase().replace('_', "-")), "{other}");
            for spelling in [other, &other.to_uppercase(), &other.replace('-', "_"), &format!("\t{other} ")] {
                assert_eq!(for_name(spelling), Some(page), "{spelling:?}");
            }
        }
    }
    for other in ["", "-", "437", "tis-620", "cp1252", "iso-8859-9", "IBM437\n850", "cp437 ibm-437"] {
        assert_eq!(for_name(other), None, "{other:?}");
    }
}

#[test]
fn numbers_are_unique_and_lead_back() {
    let mut numbers = 0;
    for number in 0..=u16::MAX {
        if let Some(page) = for_code_page(number) {
            numbers += 1;
            assert_eq!(code_page(page).and_then(for_code_page), Some(page), "{number}");
        }
    }
    let listed: usize = (0..COUNT).filter(|&page| code_page(page).is_some()).count();
    assert!(numbers > listed && listed > 60);
    assert_eq!(for_code_page(1252), None);
}

#[test]
fn tables_are_those_of_the_text_files() {
    let entries = lines("encodings.txt");
    assert_eq!(entries.len(), COUNT);
    for (page, entry) in entries.iter().enumerate() {
        let fields: Vec<&str> = entry.split('|').map(str::trim).collect();
        assert_eq!((fields[1].trim_end_matches('*'), fields[1].ends_with('*')), (name(page), is_registered(page)));
        assert!(fields[4].split_whitespace().eq(aliases(page)));
        let numbers: Vec<u16> = fields[2].split_whitespace().map(|number| number.parse().unwrap()).collect();
        assert_eq!(code_page(page), numbers.first().copied());
        assert!(numbers.iter().all(|&number| for_code_page(number) == Some(page)));
        let codes = code_points(page);
        for line in lines(&format!("pages/{}.txt", name(page).to_ascii_lowercase())) {
            let (first, entries) = line.split_once(": ").unwrap();
            let first = usize::from_str_radix(first, 16).unwrap();
            for (byte, code) in (first..).zip(entries.split(' ')) {
                let code = if code == "----" { UNMAPPED } else { u16::from_str_radix(code, 16).unwrap() };
                assert_eq!(codes[byte], code, "{}: {byte:02X}", name(page));
            }
        }
    }
}

/// All EBCDIC pages have the same control characters, and new lines as IBM's CDRA has them.
#[test]
fn ebcdic_has_the_same_control_characters() {
    let first = code_points(page("IBM037"));
    let ebcdic: Vec<usize> = (0..COUNT).filter(|&page| code_points(page)[0x40] == 0x20).collect();
    assert_eq!(ebcdic.len(), 46);
    for page in ebcdic {
        let codes = code_points(page);
        assert_eq!(codes[..0x40], first[..0x40], "{}", name(page));
        assert_eq!((codes[0x15], codes[0x25], codes[0xFF]), (0x85, 0x0A, 0x9F), "{}", name(page));
    }
}

/// These are permutations of Latin-1, and 924 is one of ISO-8859-15.
#[test]
fn latin_ebcdic_is_a_permutation() {
    let sorted = |name: &str| {
        let mut codes = code_points(page(name));
        codes.sort_unstable();
        codes
    };
    let latin1: [u16; 256] = std::array::from_fn(|byte| byte as u16);
    for name in ["037", "273", "277", "278", "280", "284", "285", "297", "500", "871", "1047"] {
        assert!(sorted(&format!("ibm{name}")) == latin1, "{name}");
    }
    let mut latin9 = latin1.map(|code| match code {
        0xA4 => 0x20AC,
        0xA6 => 0x160,
        0xA8 => 0x161,
        0xB4 => 0x17D,
        0xB8 => 0x17E,
        0xBC => 0x152,
        0xBD => 0x153,
        0xBE => 0x178,
        code => code,
    });
    latin9.sort_unstable();
    assert_eq!(sorted("ibm924"), latin9);
}

#[test]
fn the_euro_sign_is_the_only_difference_of_euro_pages() {
    let pairs = [(850, 858), (37, 1140), (273, 1141), (277, 1142), (278, 1143), (280, 1144), (284, 1145), (285, 1146)];
    let others =
        [(297, 1147), (500, 1148), (871, 1149), (1025, 1154), (1026, 1155), (1112, 1156), (1122, 1157), (1123, 1158)];
    for (without, with) in pairs.into_iter().chain(others) {
        let [a, b] = [without, with].map(|number| code_points(for_code_page(number).unwrap()));
        let differences: Vec<usize> = (0..256).filter(|&byte| a[byte] != b[byte]).collect();
        assert!(differences.len() == 1 && b[differences[0]] == 0x20AC, "{with}: {differences:02X?}");
    }
}

/// Bytes that programs disagree about, with what docs/design/code-pages.md decides.
#[test]
fn decisions() {
    for (of, byte, code) in [
        ("ibm437", 0x1A, 0x1A),
        ("ibm437", 0x7F, 0x7F),
        ("ibm437", 0xE6, 0xB5),
        ("ibm864", 0x25, 0x66A),
        ("ibm869", 0x80, UNMAPPED),
        ("ibm857", 0xD5, UNMAPPED),
        ("dos-720", 0x80, 0x80),
        ("ibm273", 0xBC, 0xAF),
        ("ibm1122", 0xBC, 0xAF),
        ("ibm424", 0xBC, 0x203E),
        ("ibm424", 0xB3, 0x2022),
        ("ibm1026", 0x9A, 0xAA),
        ("ibm1155", 0x9A, 0xAA),
        ("ibm875", 0xDC, UNMAPPED),
        ("true-tis-620", 0x80, UNMAPPED),
        ("true-tis-620", 0xA0, UNMAPPED),
        ("true-koi8-u", 0xAE, 0x255D),
        ("x-mac-croatian", 0xDB, 0x20AC),
        ("x-mac-romanian", 0xAF, 0x218),
        ("viscii", 0x02, 0x1EB2),
    ] {
        assert_eq!(code_points(page(of))[byte], code, "{of} {byte:02X}");
    }
}
