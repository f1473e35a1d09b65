//! Text in which several known encodings are mixed.

use textcodec::{
    BIG5, EUC_JP, EUC_KR, Encoding, GBK, IBM866, ISO_8859_2, KOI8_R, Malformed, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE,
    WINDOWS_1251, WINDOWS_1252, oem,
};
use textcodec_detect::{Mixed, MixedListError, MixedSummary, Per};

fn mixed(encodings: &[Encoding], per: Per) -> Mixed {
    Mixed::new(encodings, per).unwrap().max_places(usize::MAX)
}

fn in_chunks(mixed: &Mixed, chunks: &[&[u8]]) -> (String, MixedSummary) {
    let (mut mixed, mut text) = (mixed.clone(), String::new());
    for chunk in chunks {
        mixed.push(chunk, &mut text).unwrap();
    }
    let summary = mixed.finish(&mut text).unwrap();
    (text, summary)
}

/// Decodes a whole text, and in two and in many chunks at every place, to UTF-8 and UTF-16.
#[track_caller]
fn decode(encodings: &[Encoding], per: Per, bytes: &[u8]) -> (String, MixedSummary) {
    let mixed = mixed(encodings, per);
    let whole = mixed.clone().decode(bytes).unwrap();
    for at in 0..=bytes.len() {
        let (before, after) = bytes.split_at(at);
        assert_eq!(in_chunks(&mixed, &[before, after]), whole, "split at {at}");
    }
    for len in 1..8 {
        let chunks: Vec<_> = bytes.chunks(len).collect();
        assert_eq!(in_chunks(&mixed, &chunks), whole, "chunks of {len}");
    }
    let (mut units, mut copy) = (Vec::<u16>::new(), mixed);
    copy.push(bytes, &mut units).unwrap();
    copy.finish(&mut units).unwrap();
    assert_eq!(String::from_utf16(&units).unwrap(), whole.0);
    whole
}

/// Joins texts in several encodings.
fn join(parts: &[(Encoding, &str)]) -> Vec<u8> {
    parts.iter().flat_map(|(encoding, text)| encoding.encode(text).unwrap().into_owned()).collect()
}

#[track_caller]
fn assert_joined(encodings: &[Encoding], parts: &[(Encoding, &str)]) -> MixedSummary {
    let (text, summary) = decode(encodings, Per::Line, &join(parts));
    assert_eq!(text, parts.iter().map(|part| part.1).collect::<String>());
    assert_eq!(summary.errors(), 0);
    summary
}

#[test]
fn sequences_are_decoded_like_fix_latin() {
    for (bytes, text) in [
        (&b"\xD0 \x92 \xD0\x92"[..], "Ð ’ В"),
        (b"", ""),
        (b"plain\n", "plain\n"),
        (b"caf\xE9 caf\xC3\xA9", "café café"),
        // Cut characters.
        (b"\xE2\x82", "â‚"),
        (b"\xE2\x82\xAC\xE2\x82\n", "€â‚\n"),
        (b"\xF0\x9F\x98", "ðŸ˜"),
        (b"\xF0\x9F\x98\x80\x80", "😀€"),
        // Overlong forms, surrogates, and beyond Unicode.
        (b"\xC0\x80", "À€"),
        (b"\xED\xA0\x80", "í\u{A0}€"),
        (b"\xF4\x90\x80\x80", "ô\u{90}€€"),
        (b"\xFF\xFE", "ÿþ"),
        (b"\x93quoted\x94 \xE2\x80\x9Cquoted\xE2\x80\x9D", "“quoted” “quoted”"),
        // Not a mark: it is in the middle, and stays.
        (b"a\n\xEF\xBB\xBFb", "a\n\u{FEFF}b"),
        (b"\xEF\xBB\xBFb", "\u{FEFF}b"),
    ] {
        let (decoded, summary) = decode(&[UTF_8, WINDOWS_1252], Per::Sequence, bytes);
        assert_eq!((decoded.as_str(), summary.errors()), (text, 0), "{bytes:02X?}");
    }
}

#[test]
fn sequences_can_have_any_single_byte_encoding() {
    for (encoding, bytes, text) in [
        (WINDOWS_1251, &b"\xCC\xE8\xF0 \xD0\x9C"[..], "Мир М"),
        (KOI8_R, b"\xED\xC9\xD2", "Мир"),
        (ISO_8859_2, b"\xB1\xB6", "ąś"),
        (oem::IBM437, b"\xC4\xC4 \xBF", "── ┐"),
    ] {
        assert_eq!(decode(&[UTF_8, encoding], Per::Sequence, bytes).0, text);
    }
    // The first encoding can be another one, too: `\x85` is the first half of a character.
    assert_eq!(decode(&[SHIFT_JIS, WINDOWS_1252], Per::Sequence, b"\x93\xFA \x85\n \xFD").0, "日 …\n ý");
    // What no encoding has is malformed in the last one.
    let (text, summary) = decode(&[UTF_8, oem::IBM869], Per::Sequence, b"a\n\x80");
    assert_eq!((text.as_str(), summary.errors()), ("a\n\u{FFFD}", 1));
    let error = summary.first_error().unwrap();
    assert_eq!((error.line(), error.range(), error.encoding()), (2, 2..3, oem::IBM869));
}

#[test]
fn lines_and_offsets_of_sequences_are_those_of_the_input() {
    let (_, summary) = decode(&[UTF_8, WINDOWS_1252], Per::Sequence, "é\n\né\n".as_bytes());
    assert!(!summary.is_mixed());
    let (_, summary) = decode(&[UTF_8, WINDOWS_1252], Per::Sequence, b"\xC3\xA9\n\n \xE9\n\xE2\x82\n\xE9");
    let places: Vec<_> = summary.parts()[1].first().iter().map(|place| (place.line(), place.range())).collect();
    assert_eq!(places, [(3, 5..6), (4, 7..9), (5, 10..11)]);
}

#[test]
fn each_line_has_the_first_encoding_that_fits() {
    let lines =
        [(UTF_8, "// 中文\n"), (GBK, "// 中文\n"), (UTF_8, "int a;\r\n"), (GBK, "// 你好，世界\r\n"), (GBK, "// 完")];
    let summary = assert_joined(&[UTF_8, GBK], &lines);
    let counts: Vec<_> = summary.parts().iter().map(textcodec_detect::Parts::count).collect();
    assert_eq!(counts, [2, 3]);
    let places: Vec<_> = summary.parts()[1].first().iter().map(|place| (place.line(), place.range())).collect();
    assert_eq!(places, [(2, 10..18), (4, 26..41), (5, 41..46)]);
    for (encoding, text) in [
        (WINDOWS_1252, "déjà vu\n"),
        (WINDOWS_1251, "Привет\n"),
        (KOI8_R, "Привет\n"),
        (IBM866, "Привет\n"),
        (ISO_8859_2, "zażółć\n"),
        (SHIFT_JIS, "今日は\n"),
        (EUC_JP, "今日は\n"),
        (EUC_KR, "안녕하세요\n"),
        (BIG5, "你好嗎\n"),
        (oem::IBM850, "déjà vu\n"),
    ] {
        let parts = [
            (UTF_8, text),
            (encoding, text),
            (UTF_8, "\n"),
            (encoding, text),
            (UTF_8, text),
            (encoding, text.trim_end()),
        ];
        assert_eq!(assert_joined(&[UTF_8, encoding], &parts).parts()[1].count(), 3, "{encoding}");
    }
    // Three encodings: half Shift_JIS, half EUC-JP.
    let parts = [(SHIFT_JIS, "カタカナと漢字\n"), (UTF_8, "カタカナと漢字\n"), (EUC_JP, "カタカナと漢字\n")];
    assert_joined(&[UTF_8, EUC_JP, SHIFT_JIS], &parts);
}

#[test]
fn a_line_that_fits_no_encoding_is_malformed_in_the_last_one() {
    let bytes = b"a\n\xC4\xE3 \xFF \xFF\nb\n\xFF";
    let (text, summary) = decode(&[UTF_8, GBK], Per::Line, bytes);
    assert_eq!((text.as_str(), summary.errors()), ("a\n你 \u{FFFD} \u{FFFD}\nb\n\u{FFFD}", 3));
    let strict = Mixed::new(&[UTF_8, GBK], Per::Line).unwrap().malformed(Malformed::Fail);
    for at in 0..=bytes.len() {
        let (mut mixed, mut text) = (strict.clone(), String::new());
        let (before, after) = bytes.split_at(at);
        let error = mixed.push(before, &mut text).and_then(|()| mixed.push(after, &mut text)).unwrap_err();
        assert_eq!((error.line(), error.range(), error.bytes(), text.as_str()), (2, 5..6, &b"\xFF"[..], "a\n你 "));
        // It stays.
        assert_eq!(mixed.push(b"b", &mut text).unwrap_err(), error);
        assert_eq!(mixed.finish(&mut text).unwrap_err(), error);
        assert_eq!(text, "a\n你 ");
    }
    let mut text = String::new();
    let mut mixed = mixed(&[UTF_8, SHIFT_JIS], Per::Line);
    mixed.push_with(b"\x82\n", &mut text, |error| Some(format!("[{:?}]", error.reason()).into())).unwrap();
    assert_eq!(text, "[Interrupted]\n");
}

#[test]
fn utf_16_at_the_end_and_at_the_start_is_found() {
    let (ascii, utf_8) = ((UTF_8, "ready\r\n"), (UTF_8, "größer 東京\n"));
    for wide in [UTF_16LE, UTF_16BE] {
        for tail in [
            "done\r\n",
            "done\n",
            "xy",
            "中文 and more\r\n",
            "完成\r\n",
            "上海\r\n",
            "línea 1\r\nlínea 2\r\n\r\nfin\r\n",
            "\u{FEFF}marked\r\n",
            "\u{FEFF}上海\r\n",
            "Привет, мир\r\nГотово\r\n",
        ] {
            let list = [UTF_8, wide];
            // A lone ideograph that has a line feed in it can only be known after UTF-16.
            if !tail.starts_with("上海") {
                assert_joined(&list, &[ascii, (wide, tail)]);
                assert_joined(&list, &[utf_8, ascii, (wide, tail)]);
            }
            assert_joined(&list, &[(wide, "start\r\n"), (wide, tail)]);
            if tail.ends_with('\n') {
                assert_joined(&list, &[(wide, "start\r\n"), (wide, tail), ascii, utf_8]);
                assert_joined(
                    &list,
                    &[utf_8, (wide, "one\r\n"), ascii, (wide, "two\r\n"), utf_8, (UTF_8, "a\n"), (wide, "x\n")],
                );
            }
        }
        // Without a line end before it, at both parities.
        assert_joined(&[UTF_8, wide], &[(UTF_8, "ready"), (wide, "done\r\n")]);
        assert_joined(&[UTF_8, wide], &[(UTF_8, "ready!"), (wide, "done\r\n")]);
        assert_joined(&[UTF_8, wide], &[(UTF_8, "größer"), (wide, "größer\r\n"), (UTF_8, "größer\n")]);
        assert_joined(
            &[UTF_8, WINDOWS_1252, wide],
            &[(WINDOWS_1252, "größer\n"), (wide, "größer\r\n"), (UTF_8, "größer\n")],
        );
        assert_joined(&[UTF_8, wide, GBK], &[(GBK, "中文\n"), (wide, "ok 中文\r\n"), (UTF_8, "中文\n")]);
    }
}

#[test]
fn zero_bytes_in_other_text_are_not_utf_16() {
    for text in [
        "a\0b\n",
        "é\0é\n",
        "ab\0cd\nnext line\n",
        "\0\n",
        "\0",
        "a\0",
        "ab\0",
        "key=value\0other=value\0\n",
        "é\0",
        "\0\0\0\0\n",
    ] {
        let text = format!("some text\n{text}");
        let (decoded, summary) = decode(&[UTF_8, UTF_16LE], Per::Line, text.as_bytes());
        assert_eq!((decoded.as_str(), summary.errors()), (text.as_str(), 0));
    }
}

#[test]
fn random_bytes_decode_the_same_in_any_chunks() {
    let pieces: [&[u8]; 14] = [
        b"a",
        b"\n",
        b"\0",
        b"\n\0",
        b"h\0",
        b"\0h",
        b"\xC3\xA9",
        b"\xE9",
        b"\xC4\xE3",
        b"\xFF\xFE",
        b"\xFE\xFF",
        b"\r\n",
        b"\x0A\x4E",
        b"word ",
    ];
    let mut seed = 1_u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    for _ in 0..400 {
        let bytes: Vec<u8> = (0..random(24)).flat_map(|_| pieces[random(pieces.len())].to_vec()).collect();
        decode(&[UTF_8, GBK, UTF_16LE], Per::Line, &bytes);
        decode(&[UTF_8, WINDOWS_1252, UTF_16LE, UTF_16BE], Per::Line, &bytes);
        decode(&[UTF_8, SHIFT_JIS], Per::Line, &bytes);
        decode(&[UTF_8, WINDOWS_1252], Per::Sequence, &bytes);
    }
}

/// The start of a line decides, and the rest is decoded like it.
#[test]
fn a_line_of_any_length_takes_bounded_memory() {
    const MAX: usize = Mixed::MAX_LINE;
    for list in [&[UTF_8, WINDOWS_1252][..], &[UTF_8, WINDOWS_1252, UTF_16LE]] {
        for len in [MAX - 2, MAX - 1, MAX, MAX + 1, 3 * MAX] {
            let line = [b"\xE9".repeat(len), b"\nab\xC3\xA9\n".to_vec()].concat();
            let expected = format!("{}\nabé\n", "é".repeat(len));
            let mixed = mixed(list, Per::Line);
            let whole = mixed.clone().decode(&line).unwrap();
            assert!(whole.0 == expected, "{len}");
            for size in [4096, MAX / 2 + 1, 2 * MAX] {
                assert!(in_chunks(&mixed, &line.chunks(size).collect::<Vec<_>>()) == whole, "{len} {size}");
            }
        }
        // What comes later is an error, not another encoding.
        let line = [&b"a".repeat(MAX)[..], b"\xE9\n\xE9\n"].concat();
        let (text, summary) = mixed(list, Per::Line).decode(&line).unwrap();
        assert!(text.ends_with("a\u{FFFD}\né\n"));
        assert_eq!(summary.first_error().map(|error| (error.line(), error.range().start)), Some((1, MAX as u64)));
    }
    let (list, text) = ([UTF_8, UTF_16LE], format!("{}\r\nend\r\n", "long ".repeat(MAX / 4)));
    let bytes = [UTF_16LE.encode(&text).unwrap().into_owned(), b"ascii\n".to_vec()].concat();
    let whole = mixed(&list, Per::Line).decode(&bytes).unwrap();
    assert!(whole.0 == text + "ascii\n");
    assert!(in_chunks(&mixed(&list, Per::Line), &bytes.chunks(10_001).collect::<Vec<_>>()) == whole);
}

/// Each of these would take minutes if a line cost as much as the text. They take at most two seconds without optimization.
#[test]
fn hostile_text_takes_linear_time() {
    const LEN: usize = 256 * 1024;
    let repeated = |piece: &[u8]| piece.repeat(LEN / piece.len());
    for piece in [
        &b"\n"[..],
        b"\xFF",
        b"\xFF\n",
        b"a\0b\n",
        b"a\0",
        b"ab\0",
        b"\n\0",
        b"\0\n",
        b"\0",
        b"\x0A\x4E",
        b"\xE9\n\0\n",
        b"a\n\xE9\n",
        b"h\0\n\0ab\n",
        b"\xFF\xFE\n",
        b"a\0bcdefghijklmnopqrstuvwxyz\n",
    ] {
        let bytes = repeated(piece);
        for (list, per) in [
            (&[UTF_8, WINDOWS_1252][..], Per::Sequence),
            (&[UTF_8, GBK], Per::Line),
            (&[UTF_8, GBK, UTF_16LE, UTF_16BE], Per::Line),
        ] {
            let start = std::time::Instant::now();
            mixed(list, per).max_places(4).decode(&bytes).unwrap();
            let time = start.elapsed();
            assert!(time.as_secs() < 60, "{piece:02X?} {list:?}: {time:?}");
            if std::env::var_os("TEXTCODEC_TIMES").is_some() {
                eprintln!("{piece:02X?} {}: {time:?}", list.len());
            }
        }
    }
}

#[test]
fn a_list_that_cannot_be_mixed_is_an_error() {
    for (list, per, error) in [
        (&[UTF_8][..], Per::Line, MixedListError::TooFew),
        (&[], Per::Line, MixedListError::TooFew),
        (&[UTF_8, GBK, UTF_8], Per::Line, MixedListError::Twice(UTF_8)),
        (&[UTF_8, GBK], Per::Sequence, MixedListError::OnlyPerLine(GBK)),
        (&[UTF_8, UTF_16LE], Per::Sequence, MixedListError::OnlyPerLine(UTF_16LE)),
        (&[UTF_16LE, UTF_16BE], Per::Line, MixedListError::OnlyWide),
        (&[UTF_8, oem::IBM1047], Per::Line, MixedListError::NotAscii(oem::IBM1047)),
        (&[UTF_8, oem::UTF_32], Per::Line, MixedListError::NotAscii(oem::UTF_32)),
        (&[UTF_8, textcodec::REPLACEMENT], Per::Line, MixedListError::NotAscii(textcodec::REPLACEMENT)),
        (&[oem::UTF_7, UTF_8], Per::Line, MixedListError::NotAscii(oem::UTF_7)),
    ] {
        assert_eq!(Mixed::new(list, per).unwrap_err(), error, "{list:?}");
    }
}
