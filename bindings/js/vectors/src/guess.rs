//! Guesses of `textcodec-detect`, for the texts of its own tests and variants of them.

use std::{borrow::Cow, collections::HashSet};

use textcodec::Encoding;

use crate::{
    detect::{Options, damage, result},
    random::Random,
};

/// Files of tests, whose string literals are the texts.
const FILES: [&str; 4] = [
    include_str!("../../../../crates/textcodec-detect/tests/cases.rs"),
    include_str!("../../../../crates/textcodec-detect/tests/cases/attacks.rs"),
    include_str!("../../../../crates/textcodec-detect/tests/cases/neighbours.rs"),
    include_str!("../../../../crates/textcodec-detect/tests/cases/structure.rs"),
];

/// The npm package does not read every format that declares an encoding.
const GUESS: Options = Options {
    guess: true,
    declarations: Some(false),
    transport: "",
    partial: false,
    candidates: &[],
    languages: &[],
    domain: "",
};

/// Returns the results. `heads` are declarations, `bodies` are texts.
pub(crate) fn detections(heads: &'static [&str], bodies: &[Vec<u8>]) -> Vec<String> {
    let mut random = Random::new("guess");
    let literals: Vec<Vec<u8>> = FILES.into_iter().flat_map(literals).collect();
    let texts = literals.iter().filter_map(|literal| str::from_utf8(literal).ok()).filter(|text| !text.is_ascii());
    let texts: Vec<&str> = texts.collect();
    let mut all = Vec::new();
    let mut seen = HashSet::new();
    let mut inputs: Vec<Vec<u8>> = literals.iter().chain(bodies).cloned().collect();
    inputs.extend(HIDDEN.iter().map(|hidden| hidden.to_vec()));
    inputs.extend(texts.iter().flat_map(|text| encoded(text)));
    inputs.retain(|input| seen.insert(input.clone()));
    for input in &inputs {
        all.push(result(&[(input, 1)], &GUESS));
    }
    for options in HINTS {
        for _ in 0..20 {
            all.push(result(&[(&inputs[random.below(inputs.len())], 1)], options));
        }
    }
    for _ in 0..150 {
        let mut input = inputs[random.below(inputs.len())].repeat(1 + random.below(8));
        for _ in 0..=random.below(4) {
            damage(&mut input, &mut random);
        }
        all.push(result(&[(&input, 1)], &Options { partial: random.below(3) == 0, ..GUESS }));
    }
    // Tables, mixtures, and unknown encodings.
    let table = |text: &[u8], len: usize| -> Vec<u8> {
        (0..len).flat_map(|n| [format!("{n};").as_bytes(), text, b";bolt\n"].concat()).collect()
    };
    // Words that are well-formed UTF-8, perhaps by chance.
    for word in inputs.iter().filter(|word| word.len() < 12 && !word.is_ascii() && str::from_utf8(word).is_ok()) {
        for len in [3, 40] {
            all.push(result(&[(&table(word, len), 1)], &GUESS));
        }
    }
    for _ in 0..100 {
        let [text, other] = [&inputs[random.below(inputs.len())], &inputs[random.below(inputs.len())]];
        all.push(result(&[(&table(text, 30), 1)], &GUESS));
        all.push(result(&[(text, 1 + random.below(5)), (b"\n", 1), (other, 1 + random.below(2))], &GUESS));
        let unknown: Vec<u8> = text.iter().map(|byte| byte.rotate_left(1)).collect();
        all.push(result(&[(&unknown, 1)], &GUESS));
    }
    for n in 0..60 {
        let len = 2 + random.below(if n % 2 == 0 { 20 } else { 3000 });
        let noise: Vec<u8> = (0..len).map(|_| random.of(&NOISE)).collect();
        all.push(result(&[(&noise, 1)], &GUESS));
    }
    // More different words than a guess looks at, with letters that are new in the second block.
    for n in 1..7 {
        let input = &inputs[random.below(inputs.len())];
        let words: Vec<u8> = (0..n * 15_000_usize)
            .map(|at| match at {
                70_000.. => random.of(b" \xA5") | random.below(0x50) as u8,
                _ if at % 300 > 250 => b'a' + at as u8 % 26,
                _ if n % 2 == 0 => random.of(input),
                _ => random.of(&LETTERS),
            })
            .collect();
        all.push(result(&[(&words, 1)], &GUESS));
    }
    // Several blocks.
    for n in 0..40 {
        let [first, second] = [&inputs[random.below(inputs.len())], &inputs[random.below(inputs.len())]];
        let lines = [first, &b" "[..]].concat();
        let times = random.below(if n % 10 == 0 { 1_200_000 } else { 200_000 }) / lines.len();
        let ascii = random.below(2) * random.below(5_000);
        all.push(result(&[(b"a line of plain text\n", ascii), (&lines, times), (second, 1 + n)], &GUESS));
    }
    // UTF-8 only at the start.
    for n in 0..16 {
        let (text, other) = (texts[random.below(texts.len())], &inputs[random.below(inputs.len())]);
        let lines = text.repeat(4) + "\n";
        let end = 1 + n * n * 1_500 / other.len();
        all.push(result(&[(lines.as_bytes(), 80_000 / lines.len()), (other, end)], &GUESS));
    }
    for head in heads {
        for _ in 0..4 {
            let mut input = [head.as_bytes(), &bodies[random.below(bodies.len())]].concat();
            if random.below(2) == 0 {
                damage(&mut input, &mut random);
            }
            let transport = random.of(&["", "", "", "windows-1251", "iso-8859-2"]);
            // The npm package does not look for several charsets in a mail.
            if !textcodec_detect::detect(&input).charsets.is_empty() {
                continue;
            }
            all.push(result(&[(&input, 1)], &Options { declarations: None, transport, ..GUESS }));
        }
    }
    all
}

const HINTS: &[Options] = &[
    Options { candidates: &["iso-8859-2", "windows-1250"], ..GUESS },
    Options { candidates: &["koi8-r", "windows-1251", "ibm866"], ..GUESS },
    Options { candidates: &["gb18030", "big5", "latin1"], ..GUESS },
    Options { candidates: &["utf-8"], ..GUESS },
    Options { languages: &["de-AT"], ..GUESS },
    Options { languages: &["ru", "JA", "sr-Latn"], ..GUESS },
    Options { languages: &["tlh", " Polish "], ..GUESS },
    Options { transport: "windows-1251", ..GUESS },
    Options { transport: "windows-1252", ..GUESS },
    Options { transport: "iso-8859-2", ..GUESS },
    Options { transport: "koi8-r", ..GUESS },
    Options { domain: "jp", ..GUESS },
    Options { domain: ".CZ", ..GUESS },
    Options { domain: "com", ..GUESS },
    Options { domain: "a.ru", ..GUESS },
    Options { candidates: &["windows-1252", "macintosh"], languages: &["fr"], domain: "ch", ..GUESS },
];

/// Bytes of words.
const LETTERS: [u8; 20] = *b"  abcdefghijk\n\xE1\xE9\xED\xF3\xF8\xB9";

/// ASCII that may hide another encoding, and such that does not.
const HIDDEN: &[&[u8]] = &[
    b"\x1B$)C\x0E>H3g\x0F",
    b"\x1B$)A\x0E<:\x0F",
    b"~{<:Ky2;S{#,NpJ)l6HK!#~}",
    b"~{x~}",
    b"Hi Mom +Jjo-!",
    b"a+AOQ-b",
    b"+2D3cAA",
    b"+AC8AQQ-",
    b"+AIU-",
    b"+4AA-",
    b"+EQA-",
    b"+IAA-",
    b"+oAA-",
    b"+//0-",
    b"+AOQB-",
    b"C++ and 1+1-2",
    b"HELLO@@WORLD@@@@AND@MORE",
];

/// Bytes of random text.
const NOISE: [u8; 24] = *b"a e\n0x\x80\x82\xA0\xA4\xB3\xC3\xC0\xC4\xCE\xD0\xDA\xE1\xE3\xE4\xE9\xED\xF0\xFF";

/// Returns the text in every encoding that can represent it, in pages outside of the standard, and in CESU-8.
fn encoded(text: &str) -> Vec<Vec<u8>> {
    let of_standard = Encoding::ALL.iter().filter(|encoding| encoding.has_encoder());
    let in_standard = of_standard.filter_map(|encoding| encoding.encode(text).ok()).map(Cow::into_owned);
    let in_pages = textcodec_language::pages().filter_map(|(_, upper)| {
        let upper: Vec<char> = upper.collect();
        let byte = |c: char| match u8::try_from(c) {
            Ok(byte) if c.is_ascii() => Some(byte),
            _ => upper.iter().position(|&other| other == c).map(|at| 0x80 | at as u8),
        };
        text.chars().map(byte).collect()
    });
    let of_unit = |unit: u16| match unit {
        0..0x80 => vec![unit as u8],
        0x80..0x800 => vec![0xC0 | (unit >> 6) as u8, 0x80 | (unit & 0x3F) as u8],
        _ => vec![0xE0 | (unit >> 12) as u8, 0x80 | (unit >> 6 & 0x3F) as u8, 0x80 | (unit & 0x3F) as u8],
    };
    let in_cesu_8 = text.encode_utf16().flat_map(of_unit).collect();
    in_standard.chain(in_pages).chain([in_cesu_8]).collect()
}

/// Returns the string literals of a file of Rust.
fn literals(file: &str) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    let mut rest = file;
    while let Some(at) = rest.find(['"', '/']) {
        if rest[at..].starts_with("//") {
            rest = rest[at..].split_once('\n').map_or("", |(_, after)| after);
        } else if rest[at..].starts_with('"') {
            let (literal, after) = literal(&rest[at + 1..]);
            all.push(literal);
            rest = after;
        } else {
            rest = &rest[at + 1..];
        }
    }
    all
}

/// Returns the bytes of a literal, and what is after it.
fn literal(mut rest: &str) -> (Vec<u8>, &str) {
    let mut bytes = Vec::new();
    while let Some(at) = rest.find(['"', '\\']) {
        bytes.extend(rest[..at].bytes());
        let after = &rest[at + 1..];
        if rest[at..].starts_with('"') {
            return (bytes, after);
        }
        let number = |digits: &str| u32::from_str_radix(digits, 16).expect("digits of an escape sequence");
        let (kind, after) = after.split_at(1);
        rest = after;
        match kind {
            "x" => {
                bytes.push(number(&after[..2]) as u8);
                rest = &after[2..];
            }
            "u" => {
                let (digits, after) = after[1..].split_once('}').expect("the end of an escape sequence");
                let character = char::from_u32(number(digits)).expect("a character");
                bytes.extend(character.encode_utf8(&mut [0; 4]).bytes());
                rest = after;
            }
            "\n" => rest = after.trim_start(),
            "n" => bytes.push(b'\n'),
            "r" => bytes.push(b'\r'),
            "t" => bytes.push(b'\t'),
            "0" => bytes.push(0),
            other => bytes.extend(other.bytes()),
        }
    }
    (bytes, "")
}
