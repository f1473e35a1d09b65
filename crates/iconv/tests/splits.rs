//! The result does not depend on how the input is split, and on the room for the output.

mod common;

use textcodec::{BIG5, Encoding, ISO_2022_JP, UTF_8, UTF_16LE, WINDOWS_1255, WINDOWS_1258, oem};
use textcodec_iconv::{Conversion, Form, Options, Stop};

use common::{Whole, all_options, forms, text, whole};

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

#[test]
fn parts_make_the_whole() {
    let mut random = fastrand::Rng::with_seed(1);
    let forms = forms();
    for round in 0..6 {
        for &from in &forms {
            let mut options = Options::default();
            options.skip_unmappable = true;
            let text = text(&mut random);
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
                options.skip_tags = random.bool();
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

/// Converts with calls that end at each of these offsets of the input, and each have this room, or more if a character needs it.
fn in_calls(mut conversion: Conversion, src: &[u8], ends: &[usize], room: usize) -> Whole {
    let mut result = Whole { bytes: Vec::new(), read: 0, transliterated: 0, skipped: 0, stop: Stop::InputEmpty };
    let mut dst = vec![0; 300];
    for &end in ends {
        let mut more = 0;
        loop {
            let progress = conversion.convert(&src[result.read..end], &mut dst[..room + more]);
            result.read += progress.read;
            result.bytes.extend_from_slice(&dst[..progress.written]);
            result.transliterated += progress.transliterated;
            result.skipped += progress.skipped;
            result.stop = progress.stop;
            if progress.stop != Stop::OutputFull {
                break;
            }
            more = if progress.read == 0 && progress.written == 0 { more + 1 } else { 0 };
        }
        if matches!(result.stop, Stop::Malformed | Stop::Unmappable) {
            break;
        }
    }
    let len = conversion.finish(&mut dst).unwrap();
    result.bytes.extend_from_slice(&dst[..len]);
    result
}

/// Texts whose characters may depend on their neighbours: sequences of Big5, letters with marks, states, byte order marks.
const TEXTS: &[&str] = &[
    "Ê̄",
    "aÊ̄êÊ̌",
    "ÊÊ̌\u{304}ê\u{301}",
    "ê",
    "ê̌ê̄\u{30C}É̄",
    "Tiếng Việt Ṍ",
    "שּׁלוֹם",
    "日〜¢ｱ¥\\‾~本",
    "€😀é+-A+",
    "a가é힣~漢&é-字 \n가",
    "\u{FEFF}aÊ\u{FEFF}",
    "Ê\u{E0041}\u{304}",
];

#[test]
fn every_split_gives_the_same() {
    let named = |encoding: Encoding| Form::Encoding(encoding);
    let stateful = [
        named(BIG5),
        named(ISO_2022_JP),
        named(oem::TRUE_ISO_2022_KR),
        named(oem::TRUE_HZ),
        named(oem::CESU_8),
        named(WINDOWS_1255),
        named(WINDOWS_1258),
        Form::Utf7,
        Form::Utf7Imap,
        Form::MarkedUtf16,
    ];
    let all = forms();
    let mut pairs: Vec<_> = all.iter().flat_map(|&form| [UTF_8, UTF_16LE].map(|other| (form, named(other)))).collect();
    pairs.extend(pairs.clone().iter().map(|&(from, to)| (to, from)));
    pairs.extend(stateful.iter().flat_map(|&from| stateful.map(|to| (from, to))));
    let mut calls = 0;
    for (from, to) in pairs {
        for text in TEXTS {
            let mut skipping = Options::default();
            skipping.skip_unmappable = true;
            let mut src = whole(Conversion::new(Form::Encoding(UTF_8), from, skipping), text.as_bytes()).bytes;
            for malformed in [false, true] {
                if malformed {
                    src.insert(src.len() / 2, 0xFF);
                }
                for (number, options) in all_options().enumerate() {
                    // The other combinations are for texts that are split in one place.
                    let is_main = matches!(number, 0 | 6);
                    let conversion = Conversion::new(from, to, options);
                    let expected = whole(conversion.clone(), &src);
                    let rooms: &[usize] = if is_main { &[0, 1, 2, 3, 5, 64] } else { &[2] };
                    for first in 0..=src.len() {
                        for &room in rooms {
                            let parts = in_calls(conversion.clone(), &src, &[first, src.len()], room);
                            assert_eq!(parts, expected, "{from:?} to {to:?}, {options:?}: {src:02X?} {first} {room}");
                            calls += 1;
                        }
                    }
                    let bytes: Vec<usize> = (1..=src.len()).collect();
                    let parts = in_calls(conversion, &src, &bytes, 1);
                    assert_eq!(parts, expected, "{from:?} to {to:?}, {options:?}: {src:02X?}");
                }
            }
        }
    }
    assert!(calls > 100_000, "{calls}");
}

/// A letter of Big5 is held until the next character, and written at the end of the text. A reset discards it, as in glibc.
#[test]
fn a_letter_of_big5_is_held() {
    let mut dst = [0; 8];
    let mut conversion = Conversion::new(Form::Encoding(UTF_8), Form::Encoding(BIG5), Options::default());
    let mut convert = |conversion: &mut Conversion, text: &str, room: usize| {
        let progress = conversion.convert(text.as_bytes(), &mut dst[..room]);
        (progress.read, dst[..progress.written].to_vec(), progress.stop)
    };
    assert_eq!(convert(&mut conversion, "Ê", 8), (2, vec![], Stop::InputEmpty));
    assert_eq!(convert(&mut conversion, "\u{304}", 1), (0, vec![], Stop::OutputFull));
    assert_eq!(convert(&mut conversion, "\u{304}", 2), (2, vec![0x88, 0x62], Stop::InputEmpty));
    assert_eq!(convert(&mut conversion, "Ê", 8), (2, vec![], Stop::InputEmpty));
    assert_eq!(convert(&mut conversion, "a", 2), (0, vec![0x88, 0x66], Stop::OutputFull));
    assert_eq!(convert(&mut conversion, "aê", 8), (3, vec![b'a'], Stop::InputEmpty));
    assert_eq!(conversion.finish(&mut [0; 1]), None);
    let mut end = [0; 2];
    assert_eq!(conversion.finish(&mut end), Some(2));
    assert_eq!(end, [0x88, 0xA7]);
    assert_eq!(conversion.finish(&mut end), Some(0));
    assert_eq!(convert(&mut conversion, "Ê", 8), (2, vec![], Stop::InputEmpty));
    conversion.reset();
    assert_eq!(convert(&mut conversion, "b", 8), (1, vec![b'b'], Stop::InputEmpty));
}
