//! The library's tables contain exactly the standard's indexes and labels.

use sha2::{Digest as _, Sha256};
use textcodec::{Alias, BIG5, EUC_JP, EUC_KR, Encoding, GB18030, ISO_2022_JP, SHIFT_JIS};

/// Returns the SHA-256 in the header of an index file in `indexes/`.
fn sha256_of(name: &str) -> String {
    let path = format!("{}/../../indexes/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().find_map(|line| line.strip_prefix("# SHA-256: ")).unwrap().to_owned()
}

fn hex(hash: Sha256) -> String {
    format!("{:x}", hash.finalize())
}

/// Decodes the bytes of each pointer and returns the SHA-256 of the lines `pointer TAB code point LF`.
fn sha256(encoding: Encoding, bytes: impl Iterator<Item = (usize, Vec<u8>)>) -> String {
    let mut hash = Sha256::new();
    for (pointer, bytes) in bytes {
        let Ok(text) = encoding.decode_strict(&bytes) else { continue };
        let mut code_points = text.chars();
        if let (Some(code_point), None) = (code_points.next(), code_points.next()) {
            hash.update(format!("{pointer}\t0x{:04X}\n", u32::from(code_point)));
        }
    }
    hex(hash)
}

/// Returns each pointer of a grid with its bytes.
fn grid(
    rows: usize,
    columns: usize,
    bytes: impl Fn(usize, usize) -> Vec<u8>,
) -> impl Iterator<Item = (usize, Vec<u8>)> {
    (0..rows * columns).map(move |pointer| (pointer, bytes(pointer / columns, pointer % columns)))
}

fn byte(n: usize) -> u8 {
    u8::try_from(n).unwrap()
}

#[test]
fn single_byte_indexes() {
    let mut seen = 0;
    for &encoding in &Encoding::ALL[1..29] {
        let name = encoding.name().to_ascii_lowercase();
        let name = name.strip_suffix("-i").unwrap_or(&name);
        let bytes = (0..128).map(|pointer| (pointer, vec![byte(pointer + 0x80)]));
        assert_eq!(sha256(encoding, bytes), sha256_of(name), "{encoding}");
        seen += 1;
    }
    assert_eq!(seen, 28);
}

#[test]
fn multi_byte_indexes() {
    let big5 =
        grid(126, 157, |row, column| vec![byte(row + 0x81), byte(column + if column < 0x3F { 0x40 } else { 0x62 })]);
    assert_eq!(sha256(BIG5, big5), sha256_of("big5"));
    let euc_kr = grid(126, 190, |row, column| vec![byte(row + 0x81), byte(column + 0x41)]);
    assert_eq!(sha256(EUC_KR, euc_kr), sha256_of("euc-kr"));
    let gb18030 =
        grid(126, 190, |row, column| vec![byte(row + 0x81), byte(column + if column < 0x3F { 0x40 } else { 0x41 })]);
    assert_eq!(sha256(GB18030, gb18030), sha256_of("gb18030"));
    let jis0212 = grid(94, 94, |row, column| vec![0x8F, byte(row + 0xA1), byte(column + 0xA1)]);
    assert_eq!(sha256(EUC_JP, jis0212), sha256_of("jis0212"));
    // User-defined characters have pointers that are not in the index.
    let jis0208 = grid(60, 188, |row, column| {
        vec![byte(row + if row < 0x1F { 0x81 } else { 0xC1 }), byte(column + if column < 0x3F { 0x40 } else { 0x41 })]
    });
    assert_eq!(
        sha256(SHIFT_JIS, jis0208.filter(|(pointer, _)| !(8836..=10_715).contains(pointer))),
        sha256_of("jis0208")
    );
    let katakana = ('\u{FF61}'..='\u{FF9F}')
        .enumerate()
        .map(|(pointer, c)| (pointer, ISO_2022_JP.encode(&c.to_string()).unwrap().into_owned()));
    assert_eq!(sha256(ISO_2022_JP, katakana), sha256_of("iso-2022-jp-katakana"));
}

#[test]
fn gb18030_ranges() {
    // A range starts at each pointer whose code point does not follow the previous one.
    let four = |pointer: usize| {
        let (a, b) = (pointer / 12_600, pointer / 1260 % 10);
        let (c, d) = (pointer / 10 % 126, pointer % 10);
        vec![byte(a + 0x81), byte(b + 0x30), byte(c + 0x81), byte(d + 0x30)]
    };
    let mut hash = Sha256::new();
    let mut next = None;
    let mut count = 0;
    for pointer in 0..=1_237_575 {
        let code_point = GB18030.decode_strict(&four(pointer)).ok().map(|text| u32::from(text.chars().next().unwrap()));
        // U+E7C7 is a step of the algorithm, not an entry.
        let Some(code_point) = code_point.filter(|_| pointer != 7457) else { continue };
        if next.is_none_or(|(at, expected)| at != pointer || expected != code_point) {
            // After the pointer of U+E7C7, the previous range continues.
            if pointer != 7458 {
                hash.update(format!("{pointer}\t0x{code_point:04X}\n"));
                count += 1;
            }
        }
        next = Some((pointer + 1, code_point + 1));
    }
    let found = hex(hash);
    assert_eq!((count, found), (207, sha256_of("gb18030-ranges")));
}

/// Aliases that are known from Python's standard library, from iconv, or as numbers of Windows code pages.
#[test]
fn aliases_map_to_the_expected_encodings() {
    let encoding = |name: &str| Alias::for_name(name).unwrap().encoding.name();
    for (name, expected) in [
        ("cp874", "windows-874"),
        ("cp932", "Shift_JIS"),
        ("cp936", "GBK"),
        ("cp949", "EUC-KR"),
        ("cp950", "Big5"),
        ("ms950", "Big5"),
        ("cp1200", "UTF-16LE"),
        ("cp1201", "UTF-16BE"),
        ("cp10007", "x-mac-cyrillic"),
        ("cp20866", "KOI8-R"),
        ("cp21866", "KOI8-U"),
        ("cp38598", "ISO-8859-8-I"),
        ("cp50221", "ISO-2022-JP"),
        ("cp51932", "EUC-JP"),
        ("cp51949", "EUC-KR"),
        ("cp54936", "gb18030"),
        ("cp65001", "UTF-8"),
        ("uhc", "EUC-KR"),
        ("ujis", "EUC-JP"),
        ("euc-cn", "GBK"),
        ("big5hkscs", "Big5"),
        ("macroman", "macintosh"),
    ] {
        assert_eq!(encoding(name), expected, "{name}");
    }
    // The number of an ISO 8859 part or a code page in a name determines the encoding.
    for alias in Alias::ALL {
        let digits = |name: &str| name.chars().filter(char::is_ascii_digit).collect::<String>();
        if let Some(page) = alias.name.strip_prefix("cp2859") {
            let expected = match page {
                "1" => "ISO-8859-1".to_owned(),
                "9" => "windows-1254".to_owned(),
                part => format!("ISO-8859-{part}"),
            };
            assert_eq!(alias.encoding.name(), expected, "{}", alias.name);
        }
        if alias.name.starts_with("windows12") {
            assert_eq!(digits(alias.name), digits(alias.encoding.name()));
        }
        // Python writes a mark only with these.
        let has_bom = alias.name.ends_with("sig") || matches!(alias.name, "utf_16" | "utf16" | "u16");
        assert_eq!(alias.bom, has_bom, "{}", alias.name);
        assert!(Encoding::for_label(alias.name).is_none(), "{} is a label of the standard", alias.name);
    }
    let mut names: Vec<_> = Alias::ALL.iter().map(|alias| alias.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Alias::ALL.len(), "a name occurs twice");
}

/// Every name in Python's `encodings.aliases` of a codec that the library has, and the codecs themselves.
#[test]
fn names_of_python_are_labels_or_aliases() {
    const NAMES: &str = "\
        1250 1251 1252 1253 1254 1255 1256 1257 1258 646 866 8859 932 936 949 950 ansi_x3.4_1968 ansi_x3.4_1986 \
        ansi_x3_4_1968 arabic ascii asmo_708 big5 big5_hkscs big5_tw big5hkscs chinese cp1250 cp1251 cp1252 \
        cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 cp367 cp65001 cp819 cp866 cp874 cp932 cp936 cp949 cp950 \
        csascii csbig5 csibm866 csiso2022jp csiso58gb231280 csisolatin1 csisolatin2 csisolatin3 csisolatin4 \
        csisolatin5 csisolatin6 csisolatinarabic csisolatincyrillic csisolatingreek csisolatinhebrew cskoi8r \
        csshiftjis cyrillic ecma_114 ecma_118 elot_928 euc_cn euc_jp euc_kr euccn eucgb2312_cn eucjp euckr \
        gb18030 gb18030_2000 gb2312 gb2312_1980 gb2312_80 gbk greek greek8 hebrew hkscs ibm367 ibm819 ibm866 \
        iso2022_jp iso2022jp iso646_us iso8859 iso8859_1 iso8859_10 iso8859_11 iso8859_13 iso8859_14 iso8859_15 \
        iso8859_16 iso8859_2 iso8859_3 iso8859_4 iso8859_5 iso8859_6 iso8859_7 iso8859_8 iso8859_9 iso_2022_jp \
        iso_646.irv_1991 iso_8859_1 iso_8859_10 iso_8859_10_1992 iso_8859_11 iso_8859_11_2001 iso_8859_13 \
        iso_8859_14 iso_8859_14_1998 iso_8859_15 iso_8859_16 iso_8859_16_2001 iso_8859_1_1987 iso_8859_2 \
        iso_8859_2_1987 iso_8859_3 iso_8859_3_1988 iso_8859_4 iso_8859_4_1988 iso_8859_5 iso_8859_5_1988 \
        iso_8859_6 iso_8859_6_1987 iso_8859_7 iso_8859_7_1987 iso_8859_8 iso_8859_8_1988 iso_8859_9 \
        iso_8859_9_1989 iso_celtic iso_ir_100 iso_ir_101 iso_ir_109 iso_ir_110 iso_ir_126 iso_ir_127 iso_ir_138 \
        iso_ir_144 iso_ir_148 iso_ir_157 iso_ir_166 iso_ir_199 iso_ir_226 iso_ir_58 iso_ir_6 koi8_r koi8_u \
        korean ks_c_5601 ks_c_5601_1987 ks_x_1001 ksc5601 ksx1001 l1 l10 l2 l3 l4 l5 l6 l7 l8 l9 latin latin1 \
        latin10 latin2 latin3 latin4 latin5 latin6 latin7 latin8 latin9 latin_1 mac_cyrillic mac_roman \
        maccyrillic macintosh macroman ms932 ms936 ms949 ms950 ms_kanji mskanji s_jis shift_jis shiftjis sjis \
        thai tis620 tis_620 tis_620_0 tis_620_2529_0 tis_620_2529_1 u16 u8 u_jis uhc ujis unicodebigunmarked \
        unicodelittleunmarked us us_ascii utf utf16 utf8 utf8_ucs2 utf8_ucs4 utf_16 utf_16_be utf_16_le utf_16be \
        utf_16le utf_8 utf_8_sig windows_1250 windows_1251 windows_1252 windows_1253 windows_1254 windows_1255 \
        windows_1256 windows_1257 windows_1258 x_mac_japanese x_mac_korean x_mac_simp_chinese x_mac_trad_chinese";
    let find = |name: &str| Encoding::for_label(name).or_else(|| Some(textcodec::Alias::for_name(name)?.encoding));
    for name in NAMES.split(' ') {
        let found = find(name);
        assert!(found.is_some(), "{name}");
        for separator in ["-", " "] {
            assert_eq!(find(&name.replace('_', separator)), found, "{name}");
        }
        assert_eq!(find(&name.to_uppercase()), found, "{name}");
    }
}

#[test]
fn labels() {
    let mut hash = Sha256::new();
    let mut count = 0;
    for encoding in Encoding::ALL {
        assert!(encoding.labels().contains(&encoding.name().to_ascii_lowercase().as_str()), "{encoding}");
        for label in encoding.labels() {
            hash.update(format!("{label}\t{encoding}\n"));
            assert_eq!(label.parse(), Ok(*encoding));
            count += 1;
        }
    }
    let found = hex(hash);
    assert_eq!((count, found), (228, sha256_of("labels")));
}

/// Every function that takes a name, with labels in several spellings and strings that are similar.
#[test]
fn names_in_every_spelling() {
    let spellings = spec_model::spellings();
    assert!(spellings.iter().filter(|spelling| spelling.encoding.is_some()).count() >= 5 * 228);
    for spec_model::Spelling { text, encoding } in &spellings {
        let expected = encoding.map(spec_model::Encoding::name);
        let name = |found: Option<Encoding>| found.map(Encoding::name);
        assert_eq!(name(Encoding::for_label(text)), expected, "{text:?}");
        assert_eq!(name(Encoding::for_label(text.as_bytes())), expected, "{text:?}");
        let parsed = text.parse::<Encoding>();
        // Only in exactly this spelling, these are the encodings that the standard does not have.
        match Encoding::EXTRA.iter().find(|encoding| encoding.name() == text) {
            Some(&extra) => assert_eq!(parsed, Ok(extra)),
            None => assert_eq!(name(parsed.ok()), expected, "{text:?}"),
        }
        if let Err(error) = parsed {
            assert!(error.to_string().len() < 300, "{text:?}");
        }
        let extra = Encoding::EXTRA.iter().find(|encoding| encoding.name().eq_ignore_ascii_case(text.trim_ascii()));
        let mime = extra.map_or(expected, |extra| Some(extra.name()));
        assert_eq!(name(Encoding::for_mime_name(text)), mime, "{text:?}");
        if encoding.is_some() {
            assert_eq!(Alias::for_name(text), None, "{text:?}");
        }
    }
    for text in ["k".repeat(10_000_000), " ".repeat(10_000_000), format!("{}gbk.", " ".repeat(10_000_000))] {
        assert_eq!((Encoding::for_label(&text), Alias::for_name(&text)), (None, None));
        assert!(text.parse::<Encoding>().unwrap_err().to_string().len() < 300);
    }
}
