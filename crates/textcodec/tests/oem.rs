//! The encodings of the modules `oem` and `custom`.
#![cfg(feature = "oem")]

use std::collections::HashSet;

use textcodec::{
    Alias, Bom, DecodeOptions, DecodeReason, EncodeOptions, EncodeReason, Encoding, Malformed, Unmappable,
    custom::{self, SingleByte},
    oem,
};

/// The pages, with the characters of their bytes.
fn pages() -> impl Iterator<Item = (Encoding, [Option<char>; 256])> {
    let pages = oem::ALL[oem::ALL.len() - textcodec_oem::COUNT..].iter().copied().enumerate();
    pages.map(|(page, encoding)| {
        let character = |unit| if unit == textcodec_oem::UNMAPPED { None } else { char::from_u32(u32::from(unit)) };
        (encoding, textcodec_oem::code_points(page).map(character))
    })
}

/// A literal decoder.
fn decoded(characters: &[Option<char>; 256], bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| characters[usize::from(byte)].unwrap_or('\u{FFFD}')).collect()
}

/// A literal encoder of a page.
fn encoded_by(encoding: Encoding, characters: &[Option<char>; 256], text: &str) -> Result<Vec<u8>, char> {
    let page = textcodec_oem::for_name(encoding.name()).unwrap();
    let mut written = *characters;
    textcodec_oem::duplicates(page).for_each(|byte| written[usize::from(byte)] = None);
    encoded(&written, text)
}

/// A literal encoder, which writes the first byte of each character.
fn encoded(characters: &[Option<char>; 256], text: &str) -> Result<Vec<u8>, char> {
    let byte = |c| characters.iter().position(|&other| other == Some(c)).map(|byte| byte as u8).ok_or(c);
    text.chars().map(byte).collect()
}

#[test]
fn every_page_decodes_and_encodes_as_its_table() {
    let random = &mut fastrand::Rng::with_seed(1);
    for (encoding, characters) in pages() {
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(encoding.decode(&all).text, decoded(&characters, &all), "{encoding}");
        let mapped: Vec<u8> = all.iter().copied().filter(|&byte| characters[usize::from(byte)].is_some()).collect();
        assert_eq!(mapped.len() == 256, encoding.is_total(), "{encoding}");
        for len in [1, 15, 64, 100, 1000, 5000] {
            // Whole texts, and texts with malformed bytes.
            let bytes: Vec<u8> = (0..len).map(|_| mapped[random.usize(..mapped.len())]).collect();
            let text = decoded(&characters, &bytes);
            let options = DecodeOptions::new().bom(Bom::Keep);
            assert_eq!(
                encoding.decode_with(&bytes, options.malformed(Malformed::Fail)).unwrap().text,
                text,
                "{encoding}"
            );
            let units: Vec<u16> = text.encode_utf16().collect();
            assert_eq!(encoding.decode_to_utf16_with(&bytes, options).unwrap().text, units, "{encoding}");
            let expected = encoded_by(encoding, &characters, &text).unwrap();
            assert_eq!(*encoding.encode(&text).unwrap(), *expected, "{encoding}");
            assert_eq!(encoding.encode_from_utf16(&units).unwrap(), *expected, "{encoding}");
            let bytes: Vec<u8> = (0..len).map(|_| random.u8(..)).collect();
            assert_eq!(encoding.decode_with(&bytes, options).unwrap().text, decoded(&characters, &bytes), "{encoding}");
        }
    }
}

#[test]
fn every_page_represents_the_characters_of_its_table_and_no_others() {
    for (encoding, characters) in pages() {
        let table: HashSet<char> = characters.iter().flatten().copied().collect();
        let can_encode: HashSet<char> = encoding.repertoire().flatten().collect();
        assert_eq!(can_encode, table, "{encoding}");
        for character in table {
            let bytes = encoding.encode(character.encode_utf8(&mut [0; 4])).unwrap().into_owned();
            assert_eq!(encoding.decode_with(&bytes, Bom::Keep).unwrap().text, *character.to_string(), "{encoding}");
        }
    }
}

#[test]
fn errors_have_offsets_and_policies_work() {
    let random = &mut fastrand::Rng::with_seed(2);
    for (encoding, characters) in pages() {
        let can = |c| characters.contains(&Some(c));
        for filler in ['a', 'é', 'я', 'ا'].into_iter().filter(|&c| can(c)) {
            for len in [0, 1, 17, 63, 64, 200, 1100] {
                let before: String = (0..len).map(|_| filler).collect();
                let error = encoding.encode(&format!("{before}\u{3042}")).unwrap_err();
                assert_eq!(error.range(), before.len() as u64..before.len() as u64 + 3, "{encoding}");
                let check = |text: &str, unmappable, expected: &str| {
                    let bytes = encoding.encode_with(text, unmappable).unwrap().bytes.into_owned();
                    assert_eq!(bytes, encoded_by(encoding, &characters, expected).unwrap(), "{encoding}");
                };
                check(&format!("{before}あ{before}"), Unmappable::Html, &format!("{before}&#12354;{before}"));
                check(&format!("あ{before}"), Unmappable::Skip, &before);
                check(&format!("{before}あ"), Unmappable::Replace('?'), &format!("{before}?"));
            }
        }
        // ASCII that the page lacks, anywhere.
        for ascii in (0..0x80_u8).map(char::from).filter(|&c| !can(c)) {
            for _ in 0..5 {
                let at = random.usize(..200);
                let text = format!("{}{ascii}0", "0".repeat(at));
                assert_eq!(encoding.encode(&text).unwrap_err().range().start, at as u64, "{encoding}");
                let units: Vec<u16> = text.encode_utf16().collect();
                assert_eq!(encoding.encode_from_utf16(&units).unwrap_err().range().start, at as u64, "{encoding}");
            }
        }
        if let Some(byte) = characters.iter().position(Option::is_none) {
            for len in [0, 1, 63, 64, 65, 2000] {
                let mut bytes = encoded_by(encoding, &characters, &"0".repeat(len)).unwrap();
                bytes.push(byte as u8);
                let error = encoding.decode_strict(&bytes).unwrap_err();
                assert_eq!(
                    (error.range().start, error.reason()),
                    (len as u64, DecodeReason::InvalidByte),
                    "{encoding}"
                );
            }
        }
    }
}

#[test]
fn chunks_do_not_matter() {
    let random = &mut fastrand::Rng::with_seed(3);
    for (encoding, characters) in pages() {
        let bytes: Vec<u8> = (0..3000).map(|_| random.u8(..)).collect();
        let (mut text, mut decoder) = (String::new(), encoding.decoder_with(Bom::Keep));
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            let (chunk, others) = rest.split_at(random.usize(..=rest.len().min(300)));
            decoder.push(chunk, &mut text).unwrap();
            rest = others;
        }
        decoder.finish(&mut text).unwrap();
        assert_eq!(text, decoded(&characters, &bytes), "{encoding}");

        let text: String = text.chars().filter(|&c| characters.contains(&Some(c))).collect();
        let (mut small, mut bytes, mut rest) = ([0; 13], Vec::new(), &text[..]);
        let mut encoder = encoding.encoder();
        while !rest.is_empty() {
            let progress = encoder.encode_from_utf8(rest, &mut small, true);
            bytes.extend_from_slice(&small[..progress.written]);
            rest = &rest[progress.read..];
        }
        assert_eq!(bytes, encoded_by(encoding, &characters, &text).unwrap(), "{encoding}");
    }
}

#[test]
fn byte_order_marks_are_text_in_pages_without_ascii() {
    for (encoding, characters) in pages() {
        for mark in [&b"\xEF\xBB\xBF"[..], b"\xFE\xFF", b"\xFF\xFE"] {
            let decoded_mark = encoding.decode(mark);
            if encoding.is_ascii_compatible() {
                assert!(decoded_mark.bom_removed, "{encoding}");
            } else {
                assert_eq!(decoded_mark.text, decoded(&characters, mark), "{encoding}");
                let mut text = String::new();
                let mut decoder = encoding.decoder();
                for byte in mark {
                    decoder.push(&[*byte], &mut text).unwrap();
                }
                assert_eq!(text, decoded(&characters, mark), "{encoding}");
            }
        }
    }
}

#[test]
fn names_and_numbers_lead_back() {
    let mut names = HashSet::new();
    for &encoding in oem::ALL {
        assert!(names.insert(encoding.name()), "{encoding}");
        assert_eq!(encoding.name().parse(), Ok(encoding));
        assert_eq!(Encoding::for_label(encoding.name()), None, "{encoding}");
        assert!(encoding.labels().is_empty() && encoding.is_available() && encoding.has_encoder());
        assert_eq!(encoding.feature(), Some("oem"));
        assert_eq!(Alias::for_name(encoding.name()).map(|alias| alias.encoding), Some(encoding));
        if let Some(number) = encoding.code_page() {
            assert_eq!(Encoding::for_code_page(number), Some(encoding), "{encoding}");
        }
        if let Some(name) = encoding.mime_name() {
            assert_eq!(Encoding::for_mime_name(name), Some(encoding), "{encoding}");
        }
    }
    assert_eq!(Encoding::for_code_page(437), Some(oem::IBM437));
    assert_eq!(Encoding::for_code_page(20273), Some(oem::IBM273));
    assert_eq!(Alias::for_name(" cesu_8 ").map(|alias| (alias.name, alias.encoding)), Some(("CESU-8", oem::CESU_8)));
    assert_eq!(Alias::for_name("CP850").map(|alias| alias.encoding), Some(oem::IBM850));
    // A name that resembles a label keeps the meaning of the label.
    assert_eq!(Alias::for_name("tis620").map(|alias| alias.encoding), Some(textcodec::WINDOWS_874));
    assert_eq!((Encoding::ALL.len(), Encoding::EXTRA.len()), (40, 2));
}

#[test]
fn microsofts_controls_of_code_page_720_can_be_rejected() {
    assert!(oem::DOS_720.is_total());
    let options = DecodeOptions::new().reject_unassigned(true).malformed(Malformed::Fail);
    assert!(oem::DOS_720.decode_with(b"\x80", options).is_err());
    assert!(oem::TRUE_ISO_8859_9.decode_with(b"\x80", options).is_ok());
}

/// The upper half of KOI8-R.
const KOI8_R: &str = "─│┌┐└┘├┤┬┴┼▀▄█▌▐░▒▓⌠■∙√≈≤≥\u{A0}⌡°²·÷═║╒ё╓╔╕╖╗╘╙╚╛╜╝╞╟╠╡Ё╢╣╤╥╦╧╨╩╪╫╬©юабцдефгхийклмнопярстужвьызшэщчъЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧЪ";

static TABLE: SingleByte = SingleByte::ascii("koi8", KOI8_R);

#[test]
fn a_table_of_ones_own_is_an_ordinary_encoding() {
    let bytes: Vec<u8> = (0..=255).cycle().take(5000).collect();
    let text = textcodec::KOI8_R.decode_with(&bytes, Bom::Keep).unwrap().text;
    assert_eq!(TABLE.decode(&bytes).text, text);
    assert_eq!(TABLE.encode(&text).unwrap(), bytes);
    assert_eq!(TABLE.name(), "koi8");
    let error = TABLE.encode("да 字").unwrap_err();
    assert_eq!((error.range(), error.encoding()), (5..8, custom::CUSTOM));

    let mut encoder = TABLE.encoder(Unmappable::Replace('?'));
    encoder.set_unmappable(Unmappable::Replace('Ж'));
    let mut bytes = Vec::new();
    encoder.push("字a", &mut bytes).unwrap();
    encoder.reset();
    encoder.push("字", &mut bytes).unwrap();
    assert_eq!(bytes, b"\xF6a\xF6");
}

#[test]
fn line_feed_and_next_line_are_swapped_in_every_page_of_ebcdic_and_in_no_other() {
    let bytes: Vec<u8> = (0..=255).collect();
    let swapped = |byte: u8| match byte {
        0x15 => 0x25,
        0x25 => 0x15,
        other => other,
    };
    let mut count = 0;
    for &page in oem::ALL.iter().chain(Encoding::ALL).chain(Encoding::EXTRA) {
        let Some(table) = SingleByte::with_newline_at_15(page) else {
            assert!(page.encode("\u{85}\n").map_or(true, |bytes| *bytes != [0x15, 0x25]), "{page}");
            continue;
        };
        let table: &'static SingleByte = Box::leak(Box::new(table));
        count += 1;
        assert_eq!(table.name(), page.name());
        let other: Vec<u8> = bytes.iter().copied().map(swapped).collect();
        let text = page.decode_with(&other, Bom::Keep).unwrap().text;
        assert_eq!(table.decode(&bytes).text, text);
        // Some bytes have the same character, and encoders write one of them.
        let text = text.replace('\u{FFFD}', "");
        let expected: Vec<u8> = page.encode(&text).unwrap().iter().copied().map(swapped).collect();
        assert_eq!(table.encode(&text).unwrap(), expected, "{page}");
    }
    assert!(count > 40, "{count}");
}

#[test]
fn a_decoder_of_a_table_keeps_it() {
    let mut text = String::new();
    let mut decoder = TABLE.decoder(Malformed::Replace);
    for mark in [&b"\xFF\xFE"[..], b"\xEF\xBB\xBF"] {
        decoder.push(mark, &mut text).unwrap();
        decoder.reset();
    }
    let mut buffer = [0; 8];
    let mut stream = TABLE.decoder(Malformed::Fail);
    for _ in 0..2 {
        let progress = stream.decode_to_utf8(b"\xFF", &mut buffer, true);
        assert_eq!(&buffer[..progress.written], "Ъ".as_bytes());
    }
    assert_eq!(text, "ЪЧО╩©");
}

#[test]
fn unusual_tables() {
    let leak = |characters: &[Option<char>; 256]| &*Box::leak(Box::new(SingleByte::new("test", characters).unwrap()));
    let random = &mut fastrand::Rng::with_seed(4);
    // Characters that no encoding of the standard has in one byte, several bytes for one character, missing bytes, and NUL.
    let any =
        ['\0', 'a', 'é', 'я', '가', '힣', '字', '\u{4000}', '\u{BFFF}', '\u{C000}', '\u{FFFD}', '\u{F8FF}', '\u{FFFE}'];
    for round in 0..300 {
        let characters: [Option<char>; 256] = std::array::from_fn(|byte| match round % 3 {
            0 => any.get(random.usize(..20)).copied(),
            1 => char::from_u32(random.u32(..0xFFFF)),
            _ if byte < 0x80 => Some(byte as u8 as char),
            _ => char::from_u32(random.u32(0..0xFFFF)),
        });
        let table = leak(&characters);
        let bytes: Vec<u8> = (0..500).map(|_| random.u8(..)).collect();
        assert_eq!(table.decode(&bytes).text, decoded(&characters, &bytes));
        let text: String = bytes.iter().filter_map(|&byte| characters[usize::from(byte)]).collect();
        assert_eq!(table.encode(&text), Ok(encoded(&characters, &text).unwrap()));
        for character in ['a', '\u{3F80}', '\u{C07F}', '가', '字', '\0', '\u{FFFF}', '😀'] {
            let text = format!("{text}{character}");
            let error = table.encode(&text).err().map(|error| error.range().start as usize);
            let expected = (!characters.contains(&Some(character))).then_some(text.len() - character.len_utf8());
            assert_eq!(error, expected, "{character:?}");
        }
    }
    // References need their characters.
    let mut html = leak(&[Some('x'); 256]).encoder(EncodeOptions::new().unmappable(Unmappable::Html));
    let mut bytes = Vec::new();
    html.push("xx", &mut bytes).unwrap();
    let error = html.push("xa", &mut bytes).unwrap_err();
    assert_eq!((error.reason(), error.range()), (EncodeReason::UnmappableReplacement, 3..4));
    assert_eq!(bytes, b"\0\0\0");
}

#[test]
fn without_a_table_nothing_is_decoded() {
    assert_eq!(custom::CUSTOM.decode(b"abc").text, "\u{FFFD}");
    assert!(!custom::CUSTOM.is_available() && !custom::CUSTOM.has_encoder() && !custom::CUSTOM.is_total());
    assert!(!custom::CUSTOM.is_ascii_compatible());
    assert_eq!(custom::CUSTOM.name(), "custom");
    assert!(custom::CUSTOM.name().parse::<Encoding>().is_err());
}

#[test]
fn dbf_drivers_and_cpg_files() {
    use textcodec::{ISO_8859_2, SHIFT_JIS, UTF_8, WINDOWS_1252, WINDOWS_1254};

    for driver in 0..=255 {
        let number = textcodec_oem::dbf_code_page(driver);
        assert_eq!(oem::for_dbf_driver(driver), number.and_then(Encoding::for_code_page), "{driver:02X}");
        assert_eq!(oem::for_dbf_driver(driver).is_some(), number.is_some(), "{driver:02X}");
    }
    assert_eq!(oem::for_dbf_driver(0x13), Some(SHIFT_JIS));
    assert_eq!(oem::for_dbf_driver(0x97), Some(oem::X_MAC_CE));
    for (content, encoding) in [
        ("utf8", UTF_8),
        ("UTF-8", UTF_8),
        ("65001", UTF_8),
        ("ISO-8859-2", ISO_8859_2),
        ("88592", ISO_8859_2),
        ("8859_9", WINDOWS_1254),
        ("cp437", oem::IBM437),
        ("OEM852", oem::IBM852),
        ("ANSI 1252", WINDOWS_1252),
        ("SJIS", SHIFT_JIS),
        ("10029", oem::X_MAC_CE),
        ("\u{FEFF}UTF-8\r\n", UTF_8),
    ] {
        assert_eq!(oem::for_cpg(content), Some(encoding), "{content}");
    }
    for content in ["", "OEM", "ANSI", "88590", "99999999999", "cp", "\u{FEFF}"] {
        assert_eq!(oem::for_cpg(content), None, "{content}");
    }
}

#[test]
fn pictures_of_controls() {
    let pictures: String = (0..=255).filter_map(oem::graphic).collect();
    assert_eq!(pictures.chars().count(), 32);
    assert!((0x20..0x7F).chain(0x80..=0xFF).chain([0]).all(|byte| oem::graphic(byte).is_none()));
    // None of them is in the upper half, so that a screen can be read back.
    for picture in pictures.chars() {
        assert!(!oem::IBM437.can_encode(picture), "{picture}");
    }
}
