//! What is written: all that is read, and what glibc writes.

mod common;

use std::{collections::BTreeSet, process::Command};

use textcodec::{BIG5, EUC_JP, Encoding, GB18030, GBK, ISO_2022_JP, REPLACEMENT, SHIFT_JIS, UTF_8, oem};
use textcodec_iconv::{Conversion, Form, Options, Stop, other_form, write_back};
use unicode_normalization::UnicodeNormalization as _;

use common::{ALGORITHMS, all_options, whole};

/// The scalar values that a decoder has, alone or in a sequence.
fn readable(encoding: Encoding) -> BTreeSet<char> {
    let mut characters = BTreeSet::new();
    let mut add = |bytes: &[u8]| {
        if let Ok(text) = encoding.decode_strict(bytes) {
            let mut scalar_values = text.chars();
            if let (Some(character), None) = (scalar_values.next(), scalar_values.next()) {
                characters.insert(character);
            }
        }
    };
    for first in 0..=255 {
        add(&[first]);
        for second in 0..=255 {
            add(&[first, second]);
            if encoding == EUC_JP && first == 0x8F {
                (0..=255).for_each(|third| add(&[first, second, third]));
            }
        }
    }
    characters
}

/// What can be read can be written, and is read again as the same.
#[test]
fn everything_that_is_read_is_written_back() {
    for (encoding, only_decoded) in [(SHIFT_JIS, 1880), (EUC_JP, 5786), (BIG5, 3837)] {
        let mut count = 0;
        let form = Form::Encoding(encoding);
        for character in readable(encoding) {
            let mut utf8 = [0; 4];
            let utf8 = character.encode_utf8(&mut utf8);
            let written = whole(Conversion::new(Form::Encoding(UTF_8), form, Options::default()), utf8.as_bytes());
            assert_eq!(written.stop, Stop::InputEmpty, "{encoding} {character:?}");
            let back = encoding.decode_strict(&written.bytes).unwrap();
            assert!(form.has(character));
            count += usize::from(!encoding.can_encode(character));
            assert_eq!(write_back(encoding, character).is_some(), !encoding.can_encode(character));
            // The encoders write some characters as another one that looks the same.
            let same = back == *utf8 || encoding.encode(utf8).is_ok_and(|bytes| *bytes == *written.bytes);
            assert!(same, "{encoding} {character:?}");
        }
        assert_eq!(count, only_decoded, "{encoding}");
    }
}

#[test]
fn sequences_of_big5_are_written_back() {
    for pair in [b"\x88\x62", b"\x88\x64", b"\x88\xA3", b"\x88\xA5"] {
        let text = BIG5.decode_strict(pair).unwrap();
        let written =
            whole(Conversion::new(Form::Encoding(UTF_8), Form::Encoding(BIG5), Options::default()), text.as_bytes());
        assert_eq!(written.bytes, pair);
    }
}

/// The text of each sequence that an encoding reads: of one, two, three or four bytes, and in each character set of ISO-2022-JP.
fn texts(encoding: Encoding) -> Vec<String> {
    let mut texts = Vec::new();
    let mut add = |bytes: &[u8]| {
        let text = encoding.decode_strict(bytes).map(std::borrow::Cow::into_owned);
        texts.extend(text.clone().ok().filter(|text| !text.is_empty()));
        text.is_ok()
    };
    for first in 0..=0xFF {
        if add(&[first]) {
            continue;
        }
        for second in 0..=0xFF {
            if add(&[first, second]) {
                continue;
            }
            if (encoding, first) == (EUC_JP, 0x8F) {
                (0x80..=0xFF).for_each(|third| _ = add(&[first, second, third]));
            }
            // Four bytes are written in gb18030, and not in GBK, where no other program reads them.
            if encoding == GB18030 && (0x30..=0x39).contains(&second) {
                for third in 0x81..=0xFE {
                    (0x30..=0x39).for_each(|fourth| _ = add(&[first, second, third, fourth]));
                }
            }
        }
    }
    if encoding == ISO_2022_JP {
        for set in ["\x1B(J", "\x1B(I"] {
            (0x20..0x7F).for_each(|byte| _ = add(&[set.as_bytes(), &[byte], b"\x1B(B"].concat()));
        }
        for pair in (0x2121..0x7F7F_u16).map(u16::to_be_bytes) {
            add(&[b"\x1B$B", &pair[..], b"\x1B(B"].concat());
        }
    }
    for (shifted, select, deselect) in [(oem::TRUE_ISO_2022_KR, "\x0E", "\x0F"), (oem::TRUE_HZ, "~{", "~}")] {
        if encoding == shifted {
            let pairs = (0x2121..0x7F7F_u16).map(u16::to_be_bytes).filter(|pair| pair.iter().all(|byte| *byte > 0x20));
            pairs.for_each(|pair| _ = add(&[select.as_bytes(), &pair, deselect.as_bytes()].concat()));
        }
    }
    if encoding == oem::CESU_8 {
        let characters =
            ('\u{800}'..=char::MAX).map(|c| encoding.encode(c.encode_utf8(&mut [0; 4])).unwrap().into_owned());
        characters.for_each(|bytes| _ = add(&bytes));
    }
    texts
}

/// With all options, what is read is written, and is read again as the same.
#[test]
fn all_sequences_are_written_with_all_options() {
    let encodings = Encoding::ALL.iter().chain(Encoding::EXTRA).chain(ALGORITHMS);
    for &encoding in encodings.filter(|&&encoding| encoding != REPLACEMENT) {
        let texts = texts(encoding);
        let form = Form::Encoding(encoding);
        for (text, options) in
            [texts.concat(), texts.join("\n")].iter().flat_map(|text| all_options().map(move |options| (text, options)))
        {
            // As in browsers, half-width katakana is written as full-width.
            let katakana = |c: char| match c {
                '\u{FF9E}' => '゛',
                '\u{FF9F}' => '゜',
                '\u{FF61}'..='\u{FF9D}' if encoding == ISO_2022_JP => c.to_string().nfkc().next().unwrap(),
                c => c,
            };
            let expected: String =
                if encoding == ISO_2022_JP { text.chars().map(katakana).collect() } else { text.clone() };
            let written = whole(Conversion::new(Form::Encoding(UTF_8), form, options), text.as_bytes());
            let all = (text.len(), 0, 0, Stop::InputEmpty);
            assert_eq!(
                (written.read, written.skipped, written.transliterated, written.stop),
                all,
                "{encoding} {options:?}"
            );
            let back = whole(Conversion::new(form, Form::Encoding(UTF_8), Options::default()), &written.bytes);
            assert!(back.bytes == expected.as_bytes(), "{encoding} {options:?}");
        }
        assert!(texts.len() >= 128 || encoding.is_single_byte(), "{encoding}");
    }
}

/// A name of each table of glibc for a form of this library in which it writes other characters.
const NAMES: &[&str] = &[
    "BIG5",
    "BIG5-HKSCS",
    "CP932",
    "SJIS",
    "EUC-JP",
    "EUC-JP-MS",
    "ISO-2022-JP",
    "EUC-KR",
    "UHC",
    "GBK",
    "GB2312",
    "GB18030",
    "CP1250",
    "CP1251",
    "CP1252",
    "CP1253",
    "CP1254",
    "CP1255",
    "CP1256",
    "CP1257",
    "CP1258",
    "CP874",
    "TIS-620",
    "ISO-8859-1",
    "ISO-8859-9",
    "ISO-8859-11",
    "KOI8-R",
    "KOI8-U",
    "KOI8-RU",
    "MACINTOSH",
    "MAC-CYRILLIC",
    "CP10007",
    "TCVN",
];

/// Full-width forms, and characters that are the same code in the tables of Windows.
const FULL_WIDTH: &[&str] = &["¢￠", "£￡", "¥￥", "₩￦", "¬￢", "¦￤", "—―", "‖∥", "〜～"];

/// What glibc writes, and is read again as the same character or its full-width form, is written. If the standard's encoder does
/// not write it, the bytes are those of glibc.
#[cfg(target_os = "linux")]
#[test]
fn what_glibc_writes_is_written() {
    let Ok(version) = Command::new("iconv").arg("--version").output() else {
        println!("SKIPPED: iconv is not installed");
        return;
    };
    if !String::from_utf8_lossy(&version.stdout).contains("GLIBC")
        && !String::from_utf8_lossy(&version.stdout).contains("GNU libc")
    {
        println!("SKIPPED: iconv is not that of glibc");
        return;
    }
    let dir = std::env::temp_dir().join(format!("textcodec-iconv-{}", std::process::id()));
    // A character in each line, without the controls of ISO-2022-JP, and the line feed.
    let characters: Vec<char> =
        ('\u{10}'..='\u{2FFFF}').chain('\u{F0000}'..='\u{F00FF}').filter(|&c| c != '\u{1B}').collect();
    let text: String = characters.iter().flat_map(|&c| [c, '\n']).collect();
    std::fs::write(&dir, &text).unwrap();
    let (mut other_forms, mut canonical) = (0, BTreeSet::new());
    for name in NAMES {
        let Some(Form::Encoding(encoding)) = Form::for_name(name) else { panic!("{name} is unknown") };
        let theirs = Command::new("iconv").args(["-c", "-f", "UTF-8", "-t", name]).arg(&dir).output().unwrap().stdout;
        let mut options = Options::default();
        options.skip_unmappable = true;
        let form = Form::Encoding(encoding);
        let ours = whole(Conversion::new(Form::Encoding(UTF_8), form, options), text.as_bytes()).bytes;
        let (theirs, ours) = (theirs.split(|&byte| byte == b'\n'), ours.split(|&byte| byte == b'\n'));
        let (theirs, ours): (Vec<_>, Vec<_>) = (theirs.collect(), ours.collect());
        assert_eq!((theirs.len(), ours.len()), (characters.len() + 1, characters.len() + 1), "{name}");
        for ((&character, theirs), ours) in characters.iter().zip(theirs).zip(ours) {
            // In ISO-2022-JP, escape sequences are not in the same places.
            let is_other = other_form(encoding, character).is_some();
            if theirs.is_empty() || !is_other && !ours.is_empty() {
                continue;
            }
            let read = whole(Conversion::new(form, Form::Encoding(UTF_8), Options::default()), theirs);
            let read = String::from_utf8(read.bytes).unwrap();
            let is_same = read.nfc().eq(character.to_string().nfc());
            let is_full_width = FULL_WIDTH
                .iter()
                .any(|pair| pair.starts_with(character) && pair.ends_with(read.as_str()) && !read.is_empty());
            if is_same || is_full_width {
                assert_eq!(ours, theirs, "{name}: {character}");
                other_forms += 1;
            } else if is_other {
                // What glibc writes is another character. What is written here is equivalent.
                canonical.insert(character);
            }
        }
    }
    std::fs::remove_file(&dir).unwrap();
    println!("{other_forms} other forms as in glibc");
    assert!(other_forms >= 34 + 177 + 6 + 5, "{other_forms}");
    // What glibc writes for `Ṏ` is another letter, too, and windows-1258 lacks the diaeresis.
    assert_eq!(String::from_iter(canonical), "ṌṍṸṹ");
}

/// Each other form is read again as an equivalent character, or as its full-width form.
#[test]
fn other_forms_are_read_as_the_same() {
    let encodings = Encoding::ALL.iter().chain(Encoding::EXTRA).chain(ALGORITHMS);
    for &encoding in encodings.filter(|&&encoding| encoding != REPLACEMENT) {
        for character in '\0'..=char::MAX {
            let Some(text) = other_form(encoding, character) else { continue };
            assert!(
                !encoding.can_encode(character) && write_back(encoding, character).is_none(),
                "{encoding} {character}"
            );
            assert!(Form::Encoding(encoding).has(character));
            let read = encoding.decode_strict(&encoding.encode(&text).unwrap()).unwrap().into_owned();
            let full_width = FULL_WIDTH.contains(&format!("{character}{read}").as_str());
            assert!(full_width || read.nfc().eq(character.to_string().nfc()), "{encoding} {character}");
        }
    }
    assert_eq!(other_form(GBK, '・'), None);
}
