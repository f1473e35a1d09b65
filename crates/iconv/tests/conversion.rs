//! Conversions between all forms: results in chunks of any size, and what is read and written.

use std::collections::BTreeSet;

use textcodec::{BIG5, EUC_JP, Encoding, ISO_2022_JP, LATIN1, REPLACEMENT, SHIFT_JIS, US_ASCII, UTF_8};
use textcodec_iconv::{Conversion, Form, Options, Order, Stop, write_back};

/// All forms that can be written.
fn forms() -> Vec<Form> {
    let encodings = Encoding::ALL.iter().chain(Encoding::EXTRA).filter(|&&encoding| encoding != REPLACEMENT);
    let others = [
        Form::MarkedUtf16,
        Form::MarkedUtf32,
        Form::Utf32(Order::Little),
        Form::Utf32(Order::Big),
        Form::Ucs2(Order::Little),
        Form::Ucs2(Order::Big),
        Form::Utf7,
    ];
    encodings.map(|&encoding| Form::Encoding(encoding)).chain(others).collect()
}

/// What a whole conversion did.
#[derive(Debug, PartialEq, Eq)]
struct Whole {
    bytes: Vec<u8>,
    read: usize,
    transliterated: usize,
    skipped: usize,
    stop: Stop,
}

/// Converts in a single call, and ends the text.
fn whole(mut conversion: Conversion, src: &[u8]) -> Whole {
    let mut bytes = Vec::new();
    let progress = conversion.convert_with(src, usize::MAX, |part| bytes.extend_from_slice(part));
    assert_eq!(progress.written, bytes.len());
    let mut end = [0; 8];
    let len = conversion.finish(&mut end).unwrap();
    bytes.extend_from_slice(&end[..len]);
    let textcodec_iconv::Progress { read, transliterated, skipped, stop, .. } = progress;
    Whole { bytes, read, transliterated, skipped, stop }
}

/// Converts in calls with parts of the input and little room. `random` chooses the sizes.
fn in_parts(mut conversion: Conversion, src: &[u8], random: &mut fastrand::Rng) -> Whole {
    let mut result = Whole { bytes: Vec::new(), read: 0, transliterated: 0, skipped: 0, stop: Stop::InputEmpty };
    let (mut len, mut room) = (random.usize(0..20), random.usize(0..20));
    loop {
        let end = src.len().min(result.read + len);
        let mut dst = vec![0xEE; room + 8];
        let progress = conversion.convert(&src[result.read..end], &mut dst[..room]);
        assert!(dst[progress.written..].iter().all(|&byte| byte == 0xEE), "bytes after the output changed");
        result.read += progress.read;
        result.bytes.extend_from_slice(&dst[..progress.written]);
        result.transliterated += progress.transliterated;
        result.skipped += progress.skipped;
        result.stop = progress.stop;
        match progress.stop {
            Stop::InputEmpty | Stop::Incomplete if end == src.len() => break,
            Stop::InputEmpty => len = random.usize(1..20),
            Stop::Incomplete => len += 1,
            // A transliteration may be long.
            Stop::OutputFull => {
                room = if room > 256 { panic!("no room for a character") } else { room + random.usize(1..9) }
            }
            _ => break,
        }
        if progress.stop != Stop::OutputFull && random.bool() {
            room = random.usize(0..20);
        }
    }
    let mut end = [0; 8];
    let len = conversion.finish(&mut end).unwrap();
    result.bytes.extend_from_slice(&end[..len]);
    result
}

/// Text with all kinds of characters.
fn text(random: &mut fastrand::Rng) -> String {
    const PARTS: &[&str] = &[
        "a",
        "plain text, 0-9\n",
        "é",
        "ß",
        "€",
        "ж",
        "слово",
        "日本語",
        "ｱ",
        "ﾞ",
        "한글",
        "你好",
        "繁體",
        "¥",
        "‾",
        "～",
        "〜",
        "😀",
        "𠀋",
        "Ê̄",
        "ê̌",
        "Ê",
        "ê",
        "\u{304}",
        "丂",
        "\u{E000}",
        "\u{E757}",
        "ệ",
        "e\u{301}",
        "ﬁ",
        "\u{FEFF}",
        "\u{AD}",
        "ش",
        "א",
        "\u{80}",
        "\u{9F}",
        "\0",
        "\u{1B}",
        "+",
        "-",
        "~\\",
        "\u{FFFD}",
        "①",
        "ℵ",
    ];
    (0..random.usize(0..40)).map(|_| random.choice(PARTS).unwrap()).copied().collect()
}

#[test]
fn parts_make_the_whole() {
    let mut random = fastrand::Rng::with_seed(1);
    let forms = forms();
    for round in 0..6 {
        for &from in &forms {
            let mut options = Options::default();
            options.skip_unmappable = true;
            // Where a call ends between a letter and a combining mark, Big5 writes them apart, because the mark may not come.
            let text = text(&mut random).replace(['\u{304}', '\u{30C}'], "");
            let mut src = whole(Conversion::new(Form::Encoding(UTF_8), from, options), text.as_bytes()).bytes;
            if round % 2 == 1 {
                for _ in 0..random.usize(0..4) {
                    let at = random.usize(0..=src.len());
                    src.insert(at, random.u8(..));
                }
            }
            for &to in &forms {
                let mut options = Options::default();
                options.transliterate = random.bool();
                options.skip_unmappable = random.bool();
                options.skip_malformed = random.bool();
                let conversion = Conversion::new(from, to, options);
                let expected = whole(conversion.clone(), &src);
                for _ in 0..4 {
                    let parts = in_parts(conversion.clone(), &src, &mut random);
                    assert_eq!(parts, expected, "{from:?} to {to:?}, {options:?}, {src:02X?}");
                }
            }
        }
    }
}

/// Long inputs need several blocks.
#[test]
fn long_inputs_are_converted_whole() {
    let mut random = fastrand::Rng::with_seed(2);
    let long: String = (0..400).map(|_| text(&mut random)).collect();
    for from in forms() {
        for to in forms() {
            let mut options = Options::default();
            options.skip_unmappable = true;
            let src = whole(Conversion::new(Form::Encoding(UTF_8), from, options), long.as_bytes()).bytes;
            let conversion = Conversion::new(from, to, options);
            let expected = whole(conversion.clone(), &src);
            assert_eq!((expected.read, expected.stop), (src.len(), Stop::InputEmpty), "{from:?} to {to:?}");
            // Each output that is too small ends in another place of a block.
            let mut conversion = conversion;
            let (mut read, mut bytes) = (0, Vec::new());
            loop {
                let mut dst = vec![0; random.usize(64..5000)];
                let progress = conversion.convert(&src[read..], &mut dst);
                read += progress.read;
                bytes.extend_from_slice(&dst[..progress.written]);
                if progress.stop != Stop::OutputFull {
                    break;
                }
                assert!(dst.len() - progress.written < 8, "{from:?} to {to:?}: room was left");
            }
            let mut end = [0; 8];
            let len = conversion.finish(&mut end).unwrap();
            bytes.extend_from_slice(&end[..len]);
            assert!(bytes == expected.bytes, "{from:?} to {to:?}");
        }
    }
}

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

/// Where two characters are taken back because the second one does not fit, they are counted once.
#[test]
fn counts_are_those_of_what_was_read() {
    let ascii = Form::Encoding(US_ASCII);
    for (src, transliterate, room, expected) in [
        // The letter alone fits, and its mark needs another call.
        (&b"a\x88\x62"[..], true, 2, (1, 1, 0, 0, 0, Stop::OutputFull)),
        (b"a\x88\x62", true, 3, (3, 2, 2, 0, 0, Stop::InputEmpty)),
        (b"a\xFF\x88\x62\xA4\x40b", false, 3, (7, 2, 0, 4, 3, Stop::InputEmpty)),
    ] {
        let mut options = Options::default();
        options.transliterate = transliterate;
        (options.skip_unmappable, options.skip_malformed) = (!transliterate, !transliterate);
        let progress = Conversion::new(Form::Encoding(BIG5), ascii, options).convert(src, &mut vec![0; room]);
        let textcodec_iconv::Progress { read, written, transliterated, skipped, discarded, stop, .. } = progress;
        assert_eq!((read, written, transliterated, skipped, discarded, stop), expected, "{src:02X?}");
    }
}

/// The forms that only iconv has, against the standard library.
#[test]
fn unicode_forms_are_right() {
    let utf8 = Form::Encoding(UTF_8);
    let text: String = ('\0'..='\u{10FFFF}').step_by(61).chain("a😀\u{FEFF}z".chars()).collect();
    let convert = |form| whole(Conversion::new(utf8, form, Options::default()), text.as_bytes());
    let little: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
    let big: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect();
    assert!(convert(Form::Utf32(Order::Little)).bytes == little);
    assert!(convert(Form::Utf32(Order::Big)).bytes == big);
    let mark = u32::from('\u{FEFF}').to_ne_bytes();
    let native = if Order::NATIVE == Order::Big { &big } else { &little };
    assert!(convert(Form::MarkedUtf32).bytes == [&mark, &native[..]].concat());
    let units: Vec<u8> = ['\u{FEFF}']
        .into_iter()
        .chain(text.chars())
        .collect::<String>()
        .encode_utf16()
        .flat_map(u16::to_ne_bytes)
        .collect();
    assert!(convert(Form::MarkedUtf16).bytes == units);
    for form in [Form::Utf32(Order::Little), Form::Utf32(Order::Big), Form::MarkedUtf32, Form::MarkedUtf16, Form::Utf7]
    {
        let back = whole(Conversion::new(form, utf8, Options::default()), &convert(form).bytes);
        assert!(back.bytes == text.as_bytes() && back.stop == Stop::InputEmpty, "{form:?}");
    }
    let bmp: String = text.chars().filter(|&c| c <= '\u{FFFF}').collect();
    for (form, bytes) in [
        (Form::Ucs2(Order::Little), bmp.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()),
        (Form::Ucs2(Order::Big), bmp.encode_utf16().flat_map(u16::to_be_bytes).collect()),
    ] {
        assert!(whole(Conversion::new(utf8, form, Options::default()), bmp.as_bytes()).bytes == bytes);
        assert!(whole(Conversion::new(form, utf8, Options::default()), &bytes).bytes == bmp.as_bytes());
    }
}

/// RFC 2152's examples, and errors.
#[test]
fn utf_7_is_that_of_the_rfc() {
    let utf8 = Form::Encoding(UTF_8);
    let decode = |bytes: &[u8]| {
        let result = whole(Conversion::new(Form::Utf7, utf8, Options::default()), bytes);
        (String::from_utf8(result.bytes).unwrap(), result.read, result.stop)
    };
    for (bytes, text) in [
        (&b"Hi Mom +Jjo-!"[..], "Hi Mom ☺!"),
        (b"A+ImIDkQ.", "A≢Α."),
        (b"+ZeVnLIqe-", "日本語"),
        (b"1 +- 1", "1 + 1"),
        (b"+2D3eAA-", "😀"),
        (b"+IKw--", "€-"),
    ] {
        assert_eq!(decode(bytes), (text.into(), bytes.len(), Stop::InputEmpty));
        let encoded = whole(Conversion::new(utf8, Form::Utf7, Options::default()), text.as_bytes()).bytes;
        assert_eq!(decode(&encoded).0, text);
    }
    assert_eq!(decode(b"a+"), ("a".into(), 1, Stop::Incomplete));
    assert_eq!(decode(b"a+IK"), ("a".into(), 2, Stop::Incomplete));
    for (bytes, valid) in [(&b"a~"[..], 1), (b"a+!", 1), (b"+IKx-", 4), (b"+3D39AA-", 1), (b"\xE9", 0)] {
        assert_eq!((decode(bytes).1, decode(bytes).2), (valid, Stop::Malformed), "{bytes:02X?}");
    }
}

#[test]
fn a_mark_determines_the_order_and_a_reset_looks_for_another() {
    let convert = |conversion: &mut Conversion, src: &[u8]| {
        let mut bytes = Vec::new();
        let progress = conversion.convert_with(src, 100, |part| bytes.extend_from_slice(part));
        (String::from_utf8(bytes).unwrap(), progress.read, progress.stop)
    };
    let mut conversion = Conversion::new(Form::MarkedUtf16, Form::Encoding(UTF_8), Options::default());
    assert_eq!(convert(&mut conversion, b"\xFE"), (String::new(), 0, Stop::Incomplete));
    assert_eq!(convert(&mut conversion, b"\xFE\xFF\0a\xFE\xFF"), ("a\u{FEFF}".into(), 6, Stop::InputEmpty));
    conversion.reset();
    // The order is kept.
    assert_eq!(convert(&mut conversion, b"\0b"), ("b".into(), 2, Stop::InputEmpty));
    conversion.reset();
    assert_eq!(convert(&mut conversion, b"\xFF\xFEc\0"), ("c".into(), 4, Stop::InputEmpty));
}

#[test]
fn names_and_suffixes() {
    use textcodec_iconv::Request;

    for (name, form) in Form::names() {
        assert_eq!(Form::for_name(name.to_ascii_uppercase()), Some(form), "{name}");
        assert_ne!(form, Form::Encoding(REPLACEMENT), "{name}");
    }
    for &encoding in Encoding::ALL.iter().filter(|&&encoding| encoding != REPLACEMENT) {
        assert!(Form::names().any(|(_, form)| form == Form::Encoding(encoding)), "{encoding}");
        for label in encoding.labels() {
            assert!(Form::for_name(label).is_some(), "{label}");
        }
    }
    let parse = |name: &str| {
        let Request { form, is_empty, transliterate, ignore, discard, .. } = Request::parse(name.as_bytes());
        (form, is_empty, transliterate, ignore, discard)
    };
    let ascii = Some(Form::Encoding(US_ASCII));
    assert_eq!(parse("ASCII//TRANSLIT"), (ascii, false, true, false, false));
    assert_eq!(parse("ascii//ignore//translit"), (ascii, false, true, true, false));
    assert_eq!(parse("ASCII//TRANSLIT,IGNORE "), (ascii, false, true, true, false));
    assert_eq!(parse("ASCII//NON_IDENTICAL_DISCARD"), (ascii, false, false, false, true));
    assert_eq!(parse("US-ASCII//FOO//IGNOREX"), (ascii, false, false, false, false));
    assert_eq!(parse("(ISO-8859-1)\n///"), (Some(Form::Encoding(LATIN1)), false, false, false, false));
    assert_eq!(parse("//IGNORE"), (None, true, false, true, false));
    assert_eq!(parse(""), (None, true, false, false, false));
    for unknown in ["UTF-8/IGNORE", "UTF_8-", "REPLACEMENT", "ISO-2022-KR", "X".repeat(1 << 20).as_str()] {
        assert_eq!(parse(unknown).0, None);
    }
}

/// A caller skips what is unmappable or malformed, and the next escape sequence is the first one after that.
#[test]
fn an_escape_sequence_after_a_skipped_character_is_not_malformed() {
    for src in [&b"\x1B$B\x27\x39\x1B(BA"[..], b"\x1B$B\xFF\xFF\x1B(BA"] {
        let mut conversion = Conversion::new(Form::Encoding(ISO_2022_JP), Form::Encoding(LATIN1), Options::default());
        let mut bytes = [0; 8];
        let progress = conversion.convert(src, &mut bytes);
        assert!(matches!(progress.stop, Stop::Unmappable | Stop::Malformed));
        assert_eq!(progress.read, 3);
        let progress = conversion.convert(&src[5..], &mut bytes);
        assert_eq!((progress.stop, &bytes[..progress.written]), (Stop::InputEmpty, &b"A"[..]), "{src:02X?}");
    }
}
