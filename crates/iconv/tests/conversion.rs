//! Conversions between all forms.

mod common;

use textcodec::{BIG5, Encoding, ISO_2022_JP, LATIN1, REPLACEMENT, US_ASCII, UTF_8};
use textcodec_iconv::{Conversion, Form, Options, Order, Stop};

use common::{forms, text, whole};

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
    for unknown in ["UTF-8/IGNORE", "UTF_8-", "REPLACEMENT", "ISO-2022-CN", "JOHAB", "X".repeat(1 << 20).as_str()] {
        assert_eq!(parse(unknown).0, None);
    }
}

/// Nothing is written for an unmappable character, so text after it continues in the same character set. What starts a text comes
/// before it.
#[test]
fn an_unmappable_character_selects_nothing() {
    for (name, before, after, end) in [
        ("ISO-2022-JP", "\x1B$BF|", "F|", "\x1B(B"),
        ("ISO-2022-KR", "\x1B$)C\x0Elm", "lm", "\x0F"),
        ("HZ", "~{HU", "HU", "~}"),
    ] {
        // Little room is another way through the encoder.
        for room in [12, 64, 4096] {
            let form = Form::for_name(name).unwrap();
            let mut conversion = Conversion::new(Form::Encoding(UTF_8), form, Options::default());
            let mut bytes = vec![0; room];
            let mut written = 0;
            let text = "日\u{10FFFF}日";
            let progress = conversion.convert(text.as_bytes(), &mut bytes);
            assert_eq!((progress.read, progress.stop), (3, Stop::Unmappable), "{name}");
            assert_eq!(&bytes[..progress.written], before.as_bytes(), "{name}");
            written += progress.written;
            let progress = conversion.convert(&text.as_bytes()[7..], &mut bytes[written..]);
            assert_eq!(&bytes[written..][..progress.written], after.as_bytes(), "{name}");
            written += progress.written;
            let len = conversion.finish(&mut bytes[written..]).unwrap();
            assert_eq!(&bytes[written..][..len], end.as_bytes(), "{name}");
        }
    }
    let mut conversion =
        Conversion::new(Form::Encoding(UTF_8), Form::for_name("ISO-2022-KR").unwrap(), Options::default());
    let mut bytes = [0; 8];
    assert_eq!(conversion.convert("é".as_bytes(), &mut bytes[..3]).stop, Stop::OutputFull);
    let progress = conversion.convert("é".as_bytes(), &mut bytes);
    assert_eq!((progress.read, &bytes[..progress.written], progress.stop), (0, &b"\x1B$)C"[..], Stop::Unmappable));
    assert_eq!(conversion.finish(&mut bytes), Some(0));
    // An empty text.
    assert_eq!(conversion.finish(&mut bytes[..3]), None);
    assert_eq!((conversion.finish(&mut bytes), &bytes[..4]), (Some(4), &b"\x1B$)C"[..]));
}

/// A caller may have a small buffer for each call: what a header, or a shift and a character, takes.
#[test]
fn a_small_destination_makes_progress() {
    for (name, least, text) in [
        ("ISO-2022-KR", 4, "a가a가가"),
        ("ISO-2022-JP", 5, "a日a日日"),
        ("HZ", 4, "a日a日日"),
        ("UTF-7", 5, "a日a日日"),
        ("UTF-7-IMAP", 5, "a日a日日"),
        ("CESU-8", 6, "a가日a\u{1F600}"),
    ] {
        for room in least..=8 {
            let conversion = Conversion::new(Form::Encoding(UTF_8), Form::for_name(name).unwrap(), Options::default());
            let expected = whole(conversion.clone(), text.as_bytes()).bytes;
            let (mut parts, mut bytes, mut read) = (conversion, Vec::new(), 0);
            let mut buffer = vec![0; room];
            while read < text.len() {
                let progress = parts.convert(&text.as_bytes()[read..], &mut buffer);
                assert!(progress.read + progress.written > 0, "{name}: no progress at {read} with {room} bytes");
                read += progress.read;
                bytes.extend_from_slice(&buffer[..progress.written]);
            }
            let mut end = [0; 8];
            let len = parts.finish(&mut end).unwrap();
            bytes.extend_from_slice(&end[..len]);
            assert_eq!(bytes, expected, "{name}, {room} bytes");
        }
    }
}

/// Two shifts without a character between them are no error, and are not counted as one.
#[test]
fn empty_runs_are_read() {
    for (name, src, text) in
        [("ISO-2022-KR", &b"a\x0E\x0Fb\x0E\x0E0!\x0F\x0F"[..], "ab가"), ("HZ", b"a~{~}b~{VP~}~{~}", "ab中")]
    {
        for to in [Form::Encoding(UTF_8), Form::Utf32(Order::NATIVE)] {
            let result = whole(Conversion::new(Form::for_name(name).unwrap(), to, Options::default()), src);
            let expected = whole(Conversion::new(Form::Encoding(UTF_8), to, Options::default()), text.as_bytes());
            assert_eq!(result.bytes, expected.bytes, "{name}");
            assert_eq!((result.read, result.skipped, result.stop), (src.len(), 0, Stop::InputEmpty), "{name}");
        }
    }
}

/// What is malformed in encodings without a name in glibc: the error is before it.
#[test]
fn malformed_sequences_stop_the_conversion() {
    for (name, src, read, stop) in [
        ("HZ", &b"~{VP\x80"[..], 4, Stop::Malformed),
        ("HZ", b"a~x", 1, Stop::Malformed),
        ("HZ", b"a~", 1, Stop::Incomplete),
        ("HZ", b"~{V", 2, Stop::Incomplete),
        ("HZ", b"~{~}~", 4, Stop::Incomplete),
        ("CESU-8", b"a\xED\xA0\xBD\xED\xB8", 1, Stop::Incomplete),
        ("CESU-8", b"a\xED\xA0\xBDa", 1, Stop::Malformed),
        ("CESU-8", b"a\xF0\x9F\x98\x80", 1, Stop::Malformed),
        ("GSM0338", b"a\x1B", 1, Stop::Incomplete),
        ("GSM0338", b"a\x1BA", 1, Stop::Malformed),
        ("GSM0338", b"a\x80", 1, Stop::Malformed),
    ] {
        for to in [Form::Encoding(UTF_8), Form::Encoding(LATIN1)] {
            let result = whole(Conversion::new(Form::for_name(name).unwrap(), to, Options::default()), src);
            let at = if to == Form::Encoding(LATIN1) && src.starts_with(b"~{VP") {
                (2, Stop::Unmappable)
            } else {
                (read, stop)
            };
            assert_eq!((result.read, result.stop), at, "{name}: {src:02X?}");
        }
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
