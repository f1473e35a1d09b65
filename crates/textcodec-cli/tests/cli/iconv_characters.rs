//! `textcodec iconv`: what is read can be written, with every option, and does not depend on blocks.

use textcodec::{EUC_JP, Encoding, GB18030, ISO_2022_JP, REPLACEMENT, oem};
use textcodec_iconv::{Conversion, Form, Options};

use crate::common::{Dir, RunResult};

/// Options and a suffix of the output.
const OPTIONS: &[(&str, &str)] = &[
    ("", ""),
    ("-c", ""),
    ("-c -s", ""),
    ("", "//IGNORE"),
    ("", "//TRANSLIT"),
    ("", "//TRANSLIT//IGNORE"),
    ("", "//NON_IDENTICAL_DISCARD"),
    ("-c", "//TRANSLIT"),
];

/// The sequences that an encoding reads.
fn sequences(encoding: Encoding) -> Vec<Vec<u8>> {
    let mut sequences = Vec::new();
    let mut add = |bytes: Vec<u8>| {
        let is_text = encoding.decode_strict(&bytes).is_ok_and(|text| !text.is_empty());
        if is_text {
            sequences.push(bytes);
        }
        is_text
    };
    for first in 0..=0xFF {
        if add(vec![first]) {
            continue;
        }
        for second in 0..=0xFF {
            if !add(vec![first, second]) && (encoding, first) == (EUC_JP, 0x8F) {
                (0x80..=0xFF).for_each(|third| _ = add(vec![first, second, third]));
            }
            // A part of the sequences of four bytes. GBK does not write them, because no other program reads them there.
            if encoding == GB18030 && (0x30..=0x39).contains(&second) {
                (0x81..=0xFE).for_each(|third| _ = add(vec![first, second, third, 0x30 + third % 10]));
            }
        }
    }
    if encoding == ISO_2022_JP {
        (0x2121..0x7F7F_u16).for_each(|pair| _ = add([b"\x1B$B", &pair.to_be_bytes()[..], b"\x1B(B"].concat()));
    }
    for (shifted, select, deselect) in [(oem::TRUE_ISO_2022_KR, "\x0E", "\x0F"), (oem::TRUE_HZ, "~{", "~}")] {
        if encoding == shifted {
            let pairs = (0x2121..0x7F7F_u16).map(u16::to_be_bytes).filter(|pair| pair.iter().all(|byte| *byte > 0x20));
            pairs.for_each(|pair| _ = add([select.as_bytes(), &pair, deselect.as_bytes()].concat()));
        }
    }
    sequences
}

/// A name that means an encoding to iconv.
fn name(encoding: Encoding) -> &'static str {
    Form::names().find(|(_, form)| *form == Form::Encoding(encoding)).unwrap().0
}

#[test]
fn all_sequences_are_written_with_all_options() {
    let shifted = [oem::TRUE_ISO_2022_KR, oem::TRUE_HZ];
    let encodings = Encoding::ALL.iter().chain(Encoding::EXTRA).chain(&shifted);
    for &encoding in encodings.filter(|&&encoding| encoding != REPLACEMENT) {
        let (sequences, name) = (sequences(encoding), name(encoding));
        let line_feed = encoding.encode("\n").unwrap();
        // In ISO-2022-JP, two escape sequences in a row are malformed.
        let together = if encoding == ISO_2022_JP { Vec::new() } else { sequences.concat() };
        let all = [sequences.join(&line_feed[..]), line_feed.to_vec(), together].concat();
        let dir = Dir::with([("all", &all)]);
        let text = RunResult::of(&mut dir.textcodec(&format!("iconv -f {name} all"))).stdout;
        assert!(text == encoding.decode_strict(&all).unwrap().as_bytes(), "{name}");
        // The encoder of ISO-2022-JP writes half-width katakana as full-width, which is not in these sequences.
        std::fs::write(dir.path("text"), &text).unwrap();
        for (options, suffix) in OPTIONS {
            let command = format!("iconv {options} -t {name}{suffix} text");
            let result = RunResult::of(&mut dir.textcodec(&command));
            assert_eq!((result.status, result.stderr.as_str()), (0, ""), "{command}");
            assert!(text == encoding.decode_strict(&result.stdout).unwrap().as_bytes(), "{command}");
        }
    }
}

/// The program converts in blocks, and a file on several threads. The result is that of one call of the library.
#[test]
fn blocks_do_not_change_the_result() {
    let utf8 = Form::for_name("UTF-8").unwrap();
    for (to, parts) in [
        ("BIG5", "Ê̄|Ê|ê̌|ê\u{301}|丂"),
        ("BIG5", "Ê̄"),
        ("CP1258", "ế|Ṍ|a"),
        ("CP1255", "שּׁ|א"),
        ("ISO-2022-JP", "日|a|〜|¥"),
        ("UTF-7", "é|a|+|😀"),
        ("UTF-7-IMAP", "é|a|&|😀"),
        ("ISO-2022-KR", "가|a|é|漢"),
        ("HZ", "你|a|~|é"),
        ("CESU-8", "é|a|😀"),
    ] {
        let parts: Vec<&str> = parts.split('|').collect();
        // Each shift puts the ends of blocks elsewhere within a sequence. With line feeds, a file can be split.
        for (shift, line) in [(0, 0), (1, 0), (2, 1000), (3, 5001)] {
            let mut text = "a".repeat(shift);
            for number in 0.. {
                text += parts[number % parts.len()];
                if line != 0 && number % line == 0 {
                    text.push('\n');
                }
                if text.len() > 600_000 {
                    break;
                }
            }
            for from in if to == "BIG5" { &["UTF-8", "UTF-16LE"][..] } else { &["UTF-8"] } {
                let mut src = Vec::new();
                let form = Form::for_name(from).unwrap();
                let _ =
                    Conversion::new(utf8, form, Options::default())
                        .convert_with(text.as_bytes(), usize::MAX, |part| src.extend_from_slice(part));
                let (mut expected, mut end) = (Vec::new(), [0; 8]);
                let mut options = Options::default();
                (options.skip_unmappable, options.skip_malformed) = (true, true);
                let mut conversion = Conversion::new(form, Form::for_name(to).unwrap(), options);
                let _ = conversion.convert_with(&src, usize::MAX, |part| expected.extend_from_slice(part));
                let len = conversion.finish(&mut end).unwrap();
                expected.extend_from_slice(&end[..len]);
                let dir = Dir::with([("in", &src)]);
                let command = format!("iconv -c -s -f {from} -t {to}");
                let from_file = RunResult::of(&mut dir.textcodec(&format!("{command} in")));
                let from_pipe = RunResult::with_input(&command, &src);
                assert!(from_file.stdout == expected, "{command}, from a file, {shift} {line}");
                assert!(from_pipe.stdout == expected, "{command}, from a pipe, {shift} {line}");
                if to == "CP1258" {
                    let command = "convert -t windows-1258 --unmappable=translit -q";
                    let from_file = RunResult::of(&mut dir.textcodec(&format!("{command} in")));
                    let from_pipe = RunResult::with_input(command, &src);
                    // `Ṍ`, too, so all of it is equivalent.
                    assert!(from_file.stdout == expected, "{command}, from a file, {shift} {line}");
                    assert!(from_pipe.stdout == expected, "{command}, from a pipe, {shift} {line}");
                }
            }
        }
    }
}
