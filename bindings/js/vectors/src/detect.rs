//! Results of `textcodec-detect`, for inputs with every kind of evidence. Those here are without a guess, so that they follow from rules
//! alone; [`guess`](crate::guess) has the others.
//!
//! The result is a list. Each element has an `input`, as a list of parts (bytes in hexadecimal, and how often they occur), the
//! `options` of the npm package, and the members of the result.

use textcodec::{Encoding, Unmappable};
use textcodec_detect::{
    DetectOptions, Detection, Detector, Hints, Language,
    declaration::{Declaration, Form},
};

use crate::{
    formats, guess,
    pool::{hex, list, object, string},
    random::Random,
};

/// Returns the results as JSON.
pub(crate) fn detections() -> String {
    let mut random = Random::new("detect");
    let mut all = Vec::new();
    let bodies = bodies();
    let late = |tags: &str| format!("<html><script>{}</script>{tags}", "'<meta charset=gbk>'; ".repeat(60));
    let late = [
        late("<meta charset=koi8-r>"),
        format!(
            "<title>{}</title><META CHARSET='x-foo'><meta charset=big5>",
            "<meta charset=gbk> ".repeat(60).replace("<meta", "x")
        ),
        format!("<head><link title='{}'><body><meta charset=euc-jp><meta charset=gbk>", "x>".repeat(600)),
        format!("<!-- {} <meta charset=gbk> -->", "x".repeat(1100)),
    ];
    let formats = formats::heads();
    for head in HEADS.iter().copied().chain(late.iter().chain(&formats).map(String::as_str)) {
        for body in [&b""[..], b" plain", random.of(&bodies.iter().map(|body| &body[..]).collect::<Vec<_>>())] {
            all.push(result(&[(&[head.as_bytes(), body].concat(), 1)], &Options::default()));
        }
        for _ in 0..12 {
            let body = &bodies[random.below(bodies.len())];
            let mut input = [head.as_bytes(), body].concat();
            for _ in 0..random.below(4) {
                damage(&mut input, &mut random);
            }
            let transport = random.of(&["", "", "", "koi8-r", "utf-16le", "utf-16be", "gbk", "utf-8"]);
            let options = Options { transport, partial: random.below(3) == 0, ..Options::default() };
            all.push(result(&[(&input, 1)], &options));
        }
    }
    for text in formats::single().chain(formats::random(150)) {
        all.push(result(&[(text.as_bytes(), 1)], &Options::default()));
    }
    for body in &bodies {
        for (transport, partial) in [("", false), ("", true), ("utf-16be", false), ("windows-1251", false)] {
            all.push(result(&[(body, 1)], &Options { transport, partial, ..Options::default() }));
        }
        for mark in [&b"\xEF\xBB\xBF"[..], b"\xFE\xFF", b"\xFF\xFE"] {
            let options = Options { partial: random.below(2) == 0, ..Options::default() };
            all.push(result(&[(&[mark, body].concat(), 1)], &options));
        }
    }
    // More than a block, and more than the sample.
    for (n, body) in bodies.iter().enumerate().filter(|(_, body)| !body.is_empty()) {
        let times = if n % 7 == 0 { 1_200_000 / body.len() } else { 70_000 / body.len() };
        let ascii = if n % 2 == 0 { 0 } else { 5_000 };
        let options = Options { partial: n % 5 == 0, ..Options::default() };
        all.push(result(&[(b"a line of plain text\n", ascii), (body, times), (b"\xE3", n % 3)], &options));
    }
    all.extend(guess::detections(HEADS, &bodies));
    list(all)
}

/// Starts of text: declarations, right and wrong.
const HEADS: &[&str] = &[
    "",
    "<meta charset=koi8-r>",
    "<!doctype html>\n<META  CHARSET = 'GBK' >",
    "<!-- <meta charset=gbk> --><meta charset=\"shift_jis\"/>",
    "<!--><meta charset=euc-kr>",
    "<meta charset=utf-16><p>",
    "<meta charset=x-user-defined>",
    "<meta charset=none><meta charset=windows-1251>",
    "<meta charset=hz-gb-2312>",
    "<meta http-equiv=Content-Type content='text/html; charset=koi8-u'>",
    "<meta content=\"text/html; charset = 'big5'\" http-equiv=content-type>",
    "<meta content='charset charset=euc-jp;x' http-equiv=content-type charset=>",
    "<meta content='text/html; charset=gbk'>",
    "<meta http-equiv=refresh content='charset=gbk'>",
    "<a title='<meta charset=gbk>'></a x=y><!x><?y?></3><meta/charset=iso-8859-2>",
    "<meta charset=gbk charset=koi8-r><meta ===charset=gbk><meta charset",
    "<?xml version=\"1.0\" encoding=\"windows-1250\"?><a/>",
    "<?xml version='1.0' encoding = 'Big5' ?><meta charset=gbk>",
    "<?xml encoding 'x'?><meta charset=gbk>",
    "<?xml encoding=\"a b\"?><meta charset=gbk>",
    "<?xml encodingx='' encoding='gbk'?>",
    "<?xml encoding='utf-16'?>",
    "<\0?\0x\0m\0l\0 \0a\0?\0>\0",
    "\0<\0?\0x\0m\0l\0?\0>",
    "@charset \"koi8-r\";",
    "@charset \"utf-16be\"; a {}",
    "@charset 'koi8-r';",
    "# -*- coding: euc-jp -*-\n",
    "#!/usr/bin/ruby\n# vim: set fileencoding=cp932 :\n",
    "\n# coding=latin_1-unix\n",
    "x = 1\n# coding: gbk\n",
    "  # encoding: cp1251\r\n",
    "# coding: cp850\n# coding: koi8_r\n",
    "# coding: cp849\n",
    "# -*- coding: x-foo -*-\n",
    "# -*- coding: raw-text -*-\n# coding: utf-8-sig\n",
    "# The old encoding: cp849\n",
    "<meta charset=x-foo>",
    "<meta charset=cp949>",
    "<meta charset=cp-850><meta charset=koi8-r>",
    "<meta content='text/html; charset=tscii' http-equiv=content-type>",
    "<meta charset='{{ charset }}'>",
    "@charset \"x-foo\";",
    "\n <?xml version='1.0' encoding='koi8-r'?>",
    "<!-- x --><?xml version='1.0' encoding='x-foo'?>",
    "<!-- x -->\n<?xml-stylesheet encoding='gbk'?>",
    "Content-Type: text/plain; charset=unknown-8bit\n\n",
    "Content-Type: text/plain; charset=x-foo\n\n",
    "Content-Type: text/plain; charset=iso-2022-kr\n\n",
    "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=CHARSET\\n\"\n",
    "# coding:: gbk coding= big5\n",
    "\t# coding: utf_16\n# coding: gbk",
    "# comment\nmsgid \"\"\nmsgstr \"\"\n\"Language: x\\n\"\n\"Content-Type: text/plain; charset=KOI8-R\\n\"\n",
    "msgid  \"\" \nmsgstr \"Content-type: charset=cp949; \"\n",
    "msgid \"a\"\nmsgstr \"Content-Type: charset=gbk\"\n",
    "msgid \"\"\nmsgstr \"\"\nmsgid \"Content-Type: charset=gbk\"",
    "Subject: a\nContent-Type: text/plain;\n charset=\"iso-8859-5\"\n\n",
    "Content-Type: text/plain; x=y; CHARSET = windows-1253 (c)\r\n\r\n",
    "Content-Type: text/plain; name=\"a; charset=gbk\"; charset=koi8-r\n\n",
    "Content-Type: text/plain; name=\"\\\"; charset=gbk\"\n\n",
    "Content-Type: text/plain; name=\"; charset=gbk\n\n",
    "Content-Type: text/plain; charset=gbk\nContent-Transfer-Encoding: Base64\n\n",
    "Content-Type: text/plain; charset=\"gbk\n\n",
    "From a\nContent-Type: text/plain; charset=koi8-r\n\na\n\nFrom b\nContent-Type: x; charset=cp866\n\n",
    "Content-Type: Multipart/mixed; boundary=\"b b\"\n\n--b b\nContent-Type: text/plain; charset=koi8-r\n\nx\n--b b\nno header\n--b b\n\
     Content-Type: text/html; charset=utf-8\n\n<meta charset=gbk>",
    "a: b\n c\nd e\n\nContent-Type: text/plain; charset=gbk\n\n",
    ": b\nContent-Type: text/plain; charset=gbk\n\n",
    "<p>a \u{e9} <meta charset=windows-1252>",
    "\u{1b}[1m bold \u{1b}$B",
    "a\0b\0c\0",
    "\u{1}\u{7f}plain text with controls, but not too many of them, so that it is text",
];

const TEXTS: &[(&str, &[&str])] = &[
    (
        "Сегодня утром шёл дождь, но к вечеру небо прояснилось.\n",
        &["koi8-r", "windows-1251", "ibm866", "utf-8", "utf-16le", "iso-8859-5"],
    ),
    (
        "今朝は雨が降っていましたが、夕方には空が晴れました。ｶﾀｶﾅ\n",
        &["shift_jis", "euc-jp", "iso-2022-jp", "utf-8", "utf-16be"],
    ),
    (
        "今天早上下雨，但是到了晚上，城市的天空就放晴了。\n",
        &["gbk", "gb18030", "big5", "utf-8", "utf-16le", "utf-16be"],
    ),
    ("오늘 아침에는 비가 왔지만 저녁에는 하늘이 맑아졌습니다.\n", &["euc-kr", "utf-8", "utf-16le"]),
    (
        "La forêt est calme ; le garçon mange une pêche – cœur 5 €.\n",
        &["windows-1252", "iso-8859-15", "macintosh", "utf-8", "utf-16be"],
    ),
    ("Dziś rano padał śnieg, a potem wyszło słońce. Šťáva\n", &["windows-1250", "iso-8859-2", "utf-8"]),
    ("Το πρωί έβρεχε, αλλά το βράδυ ο ουρανός καθάρισε.\n", &["windows-1253", "iso-8859-7", "utf-8"]),
    ("é", &["utf-8", "windows-1252", "utf-16le"]),
    ("汉𠀀😀 \u{e000}\u{378}\u{fdd0}\u{a000}\u{ac00}\n", &["gb18030", "utf-8", "utf-16le", "utf-16be"]),
    ("plain ASCII text\r\n\tof two lines\u{c}\n", &["utf-8", "utf-16le", "utf-16be"]),
];

/// The starts of files that are not text. Those without a control character may be text.
const SIGNATURES: &[&[u8]] = &[
    b"\x1F\x8B\x08",
    b"BZh9",
    b"\xFF\xD8\xFF",
    b"GIF89a",
    b"%PDF-1.4",
    b"MZ",
    b"BM1234\0\0\0\0\x36\0\0\0\x28\0\0\0",
    b"BM1234\0\0\0\0\x36\0\0\0\x29\0\0\0",
    b"RIFF1234WAVEfmt ",
];

/// Texts in their encodings, and bytes that are not text.
fn bodies() -> Vec<Vec<u8>> {
    let mut all =
        vec![Vec::new(), vec![0; 40], b"\0\0\xFE\xFF\0\0\0a".to_vec(), b"\x7FELF\x02\x01\x01\0\0\xFF".to_vec()];
    all.push("a, b".chars().flat_map(|c| u32::from(c).to_le_bytes()).collect());
    all.push("a, b".chars().flat_map(|c| u32::from(c).to_be_bytes()).collect());
    all.push((0..=255).collect());
    all.push("\u{FEFF}a, b".chars().flat_map(|c| u32::from(c).to_le_bytes()).collect());
    all.push(b"\xFE\xFF\xEF\xEE\xE0\xE1\xE2\xE3".to_vec());
    all.extend(SIGNATURES.iter().flat_map(|signature| [signature.to_vec(), [signature, &b"\0 caf\xE9"[..]].concat()]));
    for (text, labels) in TEXTS {
        for label in *labels {
            let encoding = Encoding::for_label(label).expect("a label");
            for text in [(*text).to_owned(), text.repeat(12)] {
                all.push(encoding.encode_with(&text, Unmappable::Replace('?')).expect("replaced").bytes.into_owned());
            }
        }
    }
    all
}

/// Changes, removes or inserts a byte, or removes the end.
pub(crate) fn damage(input: &mut Vec<u8>, random: &mut Random) {
    if input.is_empty() {
        return;
    }
    let at = random.below(input.len());
    let byte = random.of(b"\0\x01\n ';=<>\"a\x1B\x80\xA1\xC3\xE3\xFF");
    match random.below(5) {
        0 => input[at] = byte,
        1 => input.insert(at, byte),
        2 => drop(input.remove(at)),
        3 => input.truncate(at.max(input.len() / 2)),
        _ => input[at] ^= 0x20,
    }
}

/// The options of the detector. Labels and tags may be empty, which means none.
#[derive(Clone, Copy, Default)]
pub(crate) struct Options {
    pub(crate) guess: bool,
    pub(crate) declarations: Option<bool>,
    pub(crate) transport: &'static str,
    pub(crate) partial: bool,
    pub(crate) candidates: &'static [&'static str],
    pub(crate) languages: &'static [&'static str],
    pub(crate) domain: &'static str,
}

impl Options {
    fn of_detector(&self) -> DetectOptions {
        let hints = Hints::new().transport(Encoding::for_label(self.transport)).top_level_domain(self.domain);
        DetectOptions::new()
            .guess(self.guess)
            .declarations(self.declarations.unwrap_or(true))
            .candidates(self.candidates.iter().filter_map(Encoding::for_label))
            .languages(self.languages.iter().filter_map(|tag| Language::for_tag(tag)))
            .hints(hints)
    }

    /// Returns the options of the npm package.
    fn json(&self) -> String {
        let strings = |all: &[&str]| list(all.iter().map(|one| string(one)));
        let declarations = self.declarations.map(|declarations| ("declarations", declarations.to_string()));
        let transport = (!self.transport.is_empty()).then(|| ("transport", string(self.transport)));
        let candidates = (!self.candidates.is_empty()).then(|| ("candidates", strings(self.candidates)));
        let languages = (!self.languages.is_empty()).then(|| ("languages", strings(self.languages)));
        let domain = (!self.domain.is_empty()).then(|| ("topLevelDomain", string(self.domain)));
        let members = [("guess", self.guess.to_string()), ("partial", self.partial.to_string())];
        object(
            members.into_iter().chain([declarations, transport, candidates, languages, domain].into_iter().flatten()),
        )
    }
}

pub(crate) fn result(parts: &[(&[u8], usize)], options: &Options) -> String {
    let mut detector = Detector::with(options.of_detector());
    for (part, times) in parts {
        detector.feed(&part.repeat(*times));
    }
    let detection = if options.partial { detector.finish_partial() } else { detector.finish() };
    let input = parts.iter().map(|(part, times)| list([string(&hex(part.iter().copied())), times.to_string()]));
    object([("input", list(input)), ("options", options.json())].into_iter().chain(members_of(&detection)))
}

fn members_of(detection: &Detection) -> Vec<(&'static str, String)> {
    let candidates = detection.candidates.iter().map(|candidate| {
        list([
            string(candidate.encoding.name()),
            candidate.malformed.to_string(),
            candidate.non_ascii.to_string(),
            candidate.unlikely.to_string(),
            candidate.probability.to_string(),
            candidate.is_complete.to_string(),
        ])
    });
    vec![
        ("encoding", string(detection.encoding.name())),
        ("confidence", string(detection.confidence.name())),
        ("probability", detection.probability.to_string()),
        ("evidence", string(detection.evidence.name())),
        ("candidates", list(candidates)),
        ("declarations", list(detection.declarations.iter().map(declaration))),
        ("language", detection.language.map_or_else(|| "null".to_owned(), string)),
        ("mixedWith", detection.mixed_with.map_or_else(|| "null".to_owned(), |encoding| string(encoding.name()))),
        ("bytes", detection.bytes.to_string()),
        ("reason", string(detection.reason())),
    ]
}

fn declaration(declaration: &Declaration) -> String {
    let form = match declaration.form() {
        Form::Meta => "meta",
        Form::Pragma => "pragma",
        Form::Xml => "xml",
        Form::WideXml => "wide-xml",
        Form::Css => "css",
        Form::Comment => "comment",
        Form::Po => "po",
        Form::Mail => "mail",
        Form::Latex => "latex",
        Form::Jsp => "jsp",
        Form::Php => "php",
        Form::Card => "card",
        Form::Gedcom => "gedcom",
        Form::Desktop => "desktop",
        Form::Vim => "vim",
        Form::Sql => "sql",
        Form::Postgres => "postgres",
        Form::Transport => "transport",
        _ => "unknown",
    };
    let encoding = declaration.encoding().map_or_else(|| "null".to_owned(), |encoding| string(encoding.name()));
    list([encoding, string(form), string(declaration.label()), declaration.offset().to_string()])
}
