//! Results of `textcodec_detect::Mixed`.
//!
//! The result has two members. `lists` has lists of encodings and a unit, and why they cannot be mixed, or `null`. `texts` has lists of these
//! members:
//!
//! - the `input`, as a list of parts (bytes in hexadecimal, and how often they occur), the `encodings`, `per`, `maxPlaces`, and `fatal`;
//! - the `text`, or of a long one its length in code units and a hash;
//! - `parts`: of each encoding, how many there are, and where (line, start, end);
//! - `count`, the number of errors, and `errors`, the first of them: encoding, line, start, end. With `fatal`, only the first one.

use textcodec::{Encoding, Unmappable};
use textcodec_detect::{Mixed, MixedError, MixedSummary, Per};

use crate::{
    detect::damage,
    pool::{hex, list, object, string},
    random::Random,
};

/// Returns the results as JSON.
pub(crate) fn vectors() -> String {
    let mut random = Random::new("mixed");
    let mut texts = Vec::new();
    for labels in LISTS {
        let encodings: Vec<_> = labels.split(' ').map(encoding).collect();
        for per in [Per::Line, Per::Sequence] {
            if Mixed::new(&encodings, per).is_err() {
                continue;
            }
            for n in 0..60 {
                let input = input(&encodings, &mut random);
                let max_places = random.of(&[0, 1, 3, 16, 16]);
                texts.push(result(&[(&input, 1)], &encodings, per, max_places, n % 5 == 0));
            }
        }
    }
    for labels in ["utf-8 windows-1252", "utf-8 gbk", "gbk utf-8", "utf-8 utf-16le gbk", "utf-16be utf-16le utf-8"] {
        let encodings: Vec<_> = labels.split(' ').map(encoding).collect();
        for n in 0..8 {
            let mut parts = Vec::new();
            for _ in 0..2 + random.below(2) {
                let part = random.of(LONG);
                let exactly = Mixed::MAX_LINE / part.len() + random.below(3);
                parts.push((part, random.of(&[1, exactly - 1, exactly - 1, exactly / 2])));
                parts.extend((0..random.below(4)).map(|_| (random.of(SHORT), 1 + random.below(3))));
            }
            texts.push(result(&parts, &encodings, Per::Line, 16, n % 4 == 0));
        }
    }
    object([("lists", lists(&mut random)), ("texts", list(texts))])
}

/// Parts of lines that are too long to be kept.
const LONG: &[&[u8]] = &["é上".as_bytes(), b"caf\xE9 ", "上海\u{10A}".as_bytes(), b"\xA4", b"\xD8\xD8", b"x\0", b"\0x"];

/// What is between them.
const SHORT: &[&[u8]] = &[b"a", "é".as_bytes(), b"\xE9", b"\xFF", b"\xA4", b"\n", b"\n", b"\n\0", b"\0\n", b"\0"];

const LISTS: &[&str] = &[
    "utf-8 windows-1252",
    "utf-8 windows-1253",
    "utf-8 iso-8859-3 windows-874",
    "utf-8 koi8-r x-user-defined",
    "windows-1253 iso-8859-6 utf-8",
    "gb18030 windows-1255",
    "shift_jis windows-1257",
    "euc-jp iso-8859-8",
    "big5 windows-1253 windows-1252",
    "utf-8 gbk",
    "utf-8 gb18030 windows-1252",
    "gb18030 utf-8",
    "utf-8 shift_jis euc-jp",
    "euc-jp shift_jis utf-8",
    "big5 euc-kr",
    "utf-8 euc-kr windows-1252",
    "utf-8 utf-16le",
    "utf-8 utf-16be",
    "utf-16le utf-8",
    "utf-8 utf-16le utf-16be",
    "utf-16be gbk utf-16le",
    "utf-8 windows-1252 utf-16le",
    "shift_jis utf-16be utf-8",
    "windows-1251 utf-16le utf-16be utf-8",
];

const LINES: &[&str] = &[
    "\n",
    "\r\n",
    "plain text\n",
    "a = 1; // x\r\n",
    "a",
    "Сегодня утром шёл дождь.\n",
    "дождь",
    "今朝は雨が降っていました。ｶﾀｶﾅ\n",
    "上海\n",
    "上\u{A0A}\u{A00}\n",
    "今天早上下雨，但是晚上放晴了。\r\n",
    "오늘 아침에는 비가 왔지만\n",
    "La forêt est calme ; le garçon mange une pêche – cœur 5 €.\n",
    "é",
    "Ã©\n",
    "Το πρωί έβρεχε\n",
    "\u{FEFF}mark\n",
    "\u{FEFF}",
    "fields\0with\0zeros\0\n",
    "é\0\n",
    "😀 \u{E000}\u{20000}\u{FFFD}\n",
];

/// Bytes that start or interrupt characters.
const BYTES: &[u8] = b"\0\0\0\n\n\r a0\x7F\x80\x81\x8E\x8F\x90\xA0\xA1\xA4\xC3\xD8\xE3\xE9\xED\xEF\xBB\xBF\xF0\xFE\xFF";

fn encoding(label: &str) -> Encoding {
    Encoding::for_label(label).expect("a label")
}

/// Lines in several encodings, some of them damaged, and other bytes.
fn input(encodings: &[Encoding], random: &mut Random) -> Vec<u8> {
    let mut input = Vec::new();
    for _ in 0..=random.below(9) {
        if random.below(6) == 0 {
            input.extend((0..random.below(6)).map(|_| random.of(BYTES)));
            continue;
        }
        let line = random.of(LINES).repeat(random.of(&[1, 1, 1, 2, 30]));
        let encoding = random.of(encodings);
        input.extend_from_slice(&encoding.encode_with(&line, Unmappable::Replace('?')).expect("replaced").bytes);
    }
    for _ in 0..random.of(&[0, 0, 1, 3]) {
        damage(&mut input, random);
    }
    input
}

fn result(parts: &[(&[u8], usize)], encodings: &[Encoding], per: Per, max_places: usize, fatal: bool) -> String {
    let mixed = Mixed::new(encodings, per).expect("they can be mixed");
    let bytes: Vec<u8> = parts.iter().flat_map(|(part, times)| part.repeat(*times)).collect();
    let mut errors = Vec::new();
    let decoded = decode(mixed.max_places(max_places), &bytes, fatal, &mut errors);
    let or_null = |member: Option<String>| member.unwrap_or_else(|| "null".to_owned());
    let input = parts.iter().map(|(part, times)| list([string(&hex(part.iter().copied())), times.to_string()]));
    object([
        ("input", list(input)),
        ("encodings", names(encodings)),
        ("per", string(name(per))),
        ("maxPlaces", max_places.to_string()),
        ("fatal", fatal.to_string()),
        ("text", or_null(decoded.as_ref().map(|(text, _)| short(text)))),
        ("parts", or_null(decoded.as_ref().map(|(_, summary)| parts_of(summary)))),
        ("count", errors.len().to_string()),
        ("errors", list(errors.into_iter().take(100))),
    ])
}

fn parts_of(summary: &MixedSummary) -> String {
    list(summary.parts().iter().map(|parts| {
        let places = parts.first().iter().map(|place| {
            let range = place.range();
            format!("[{},{},{}]", place.line(), range.start, range.end)
        });
        list([parts.count().to_string(), list(places)])
    }))
}

/// Returns `None` if the text is malformed and that is fatal.
fn decode(mut mixed: Mixed, bytes: &[u8], fatal: bool, errors: &mut Vec<String>) -> Option<(String, MixedSummary)> {
    let mut text = String::new();
    let mut on_error = |error: &MixedError| {
        let (range, encoding) = (error.range(), string(error.encoding().name()));
        if !fatal || errors.is_empty() {
            errors.push(format!("[{encoding},{},{},{}]", error.line(), range.start, range.end));
        }
        (!fatal).then(|| "\u{FFFD}".into())
    };
    mixed.push_with(bytes, &mut text, &mut on_error).ok()?;
    let summary = mixed.finish_with(&mut text, on_error).ok()?;
    Some((text, summary))
}

/// Returns a text as JSON, or the number of its code units and a hash.
fn short(text: &str) -> String {
    if text.len() < 10_000 {
        return string(text);
    }
    let hash = text.encode_utf16().fold(0u32, |hash, unit| hash.wrapping_mul(31).wrapping_add(unit.into()));
    format!("[{},{hash}]", text.encode_utf16().count())
}

fn names(encodings: &[Encoding]) -> String {
    list(encodings.iter().map(|encoding| string(encoding.name())))
}

fn name(per: Per) -> &'static str {
    if per == Per::Line { "line" } else { "sequence" }
}

/// All lists of two encodings, and others.
fn lists(random: &mut Random) -> String {
    let all: Vec<_> = spec_model::Encoding::all().iter().map(|one| encoding(one.name())).collect();
    let mut lists: Vec<Vec<_>> = vec![Vec::new(), vec![all[0]]];
    lists.extend(all.iter().flat_map(|&one| all.iter().map(move |&other| vec![one, other])));
    lists.extend((0..500).map(|_| (0..3 + random.below(2)).map(|_| random.of(&all)).collect()));
    list(lists.iter().flat_map(|encodings| {
        [Per::Line, Per::Sequence].map(|per| {
            let error = Mixed::new(encodings, per).err().map_or("null".to_owned(), |error| string(&error.to_string()));
            let is_default = per == Per::default_for(encodings);
            list([names(encodings), string(name(per)), is_default.to_string(), error])
        })
    }))
}
