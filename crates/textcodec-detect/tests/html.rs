//! The encoding sniffing algorithm of the HTML Standard: a case for each step, and random markup compared with a literal
//! transcription of the prescan.

use textcodec::{
    BIG5, EUC_JP, EUC_KR, Encoding, GBK, ISO_8859_2, KOI8_R, REPLACEMENT, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE,
    WINDOWS_1251, WINDOWS_1252, X_USER_DEFINED,
};
use textcodec_detect::{
    Hints, Sniffed, Source,
    declaration::Form,
    html::{default_for_language, encoding_from_content, prescan, sniff},
};

#[path = "html/oracle.rs"]
mod oracle;

#[track_caller]
fn assert_prescan(page: &[u8], expected: impl Into<Option<Encoding>>) {
    let expected = expected.into();
    let found = prescan(page).and_then(|declaration| declaration.encoding());
    assert_eq!(found, expected, "{}", page.escape_ascii());
    assert_eq!(oracle::prescan(&page[..page.len().min(1024)]), expected, "oracle: {}", page.escape_ascii());
}

fn result(sniffed: &Sniffed) -> (Encoding, Source) {
    (sniffed.encoding, sniffed.source)
}

#[test]
fn each_source_takes_precedence_over_the_next() {
    let declared = b"<meta charset=gbk>";
    let mut hints = Hints::new().user(BIG5).transport(EUC_KR).parent(KOI8_R).likely(SHIFT_JIS).fallback(ISO_8859_2);
    for (mark, encoding) in [(&b"\xEF\xBB\xBF"[..], UTF_8), (b"\xFE\xFF", UTF_16BE), (b"\xFF\xFE", UTF_16LE)] {
        let sniffed = sniff(&[mark, declared].concat(), &hints);
        assert_eq!((result(&sniffed), sniffed.is_certain()), ((encoding, Source::Bom), true));
    }
    let sniffed = sniff(declared, &hints);
    assert_eq!((result(&sniffed), sniffed.is_certain()), ((BIG5, Source::User), true));
    hints = hints.user(None);
    let sniffed = sniff(declared, &hints);
    assert_eq!((result(&sniffed), sniffed.is_certain()), ((EUC_KR, Source::Transport), true));
    hints = hints.transport(None);
    let sniffed = sniff(declared, &hints);
    assert_eq!((result(&sniffed), sniffed.is_certain()), ((GBK, Source::Declaration), false));
    assert_eq!(sniffed.declaration.map(|declaration| declaration.form()), Some(Form::Meta));
    for (expected, next) in [
        ((KOI8_R, Source::Parent), hints.clone().parent(None)),
        ((SHIFT_JIS, Source::Likely), hints.clone().parent(None).likely(None)),
        ((ISO_8859_2, Source::Default), Hints::new()),
        ((WINDOWS_1252, Source::Default), Hints::new()),
    ] {
        let sniffed = sniff(b"<p>", &hints);
        assert_eq!((result(&sniffed), sniffed.is_certain(), sniffed.declaration), (expected, false, None));
        hints = next;
    }
}

#[test]
fn the_transport_layer_needs_a_known_label() {
    let sniff = |header: &str| result(&sniff(b"<meta charset=gbk>", &Hints::new().content_type(header)));
    assert_eq!(sniff("text/html; charset=x-sjis"), (SHIFT_JIS, Source::Transport));
    assert_eq!(sniff("text/html; charset=\" utf-16 \""), (UTF_16LE, Source::Transport));
    assert_eq!(sniff("text/html; charset=utf-7"), (GBK, Source::Declaration));
    assert_eq!(sniff("text/html"), (GBK, Source::Declaration));
    assert_eq!(sniff("charset=x-sjis"), (GBK, Source::Declaration));
}

#[test]
fn a_parent_in_utf_16_is_ignored() {
    for parent in [UTF_16LE, UTF_16BE] {
        let hints = Hints::new().parent(parent).likely(GBK);
        assert_eq!(result(&sniff(b"<p>", &hints)), (GBK, Source::Likely));
    }
}

#[test]
fn meta_elements() {
    assert_prescan(b"<meta charset=gbk>", GBK);
    assert_prescan(b"<META\x0CChArSeT\n=\t'  GBK\r' >", GBK);
    assert_prescan(b"<meta/charset=gbk>", GBK);
    assert_prescan(b"<meta charset=gbk/>", None);
    assert_prescan(b"<meta charset=gbk />", GBK);
    assert_prescan(b"<metacharset=gbk>", None);
    assert_prescan(b"<meta>charset=gbk>", None);
    // Step 2: of two attributes with the same name, the first counts.
    assert_prescan(b"<meta charset=unknown charset=gbk>", None);
    assert_prescan(b"<meta http-equiv=x http-equiv=content-type content=charset=gbk>", None);
    // Steps 3, 11 and 12: `content` needs a pragma, `charset` does not.
    assert_prescan(b"<meta content='charset=gbk'>", None);
    assert_prescan(b"<meta http-equiv=content-type content='charset=gbk'>", GBK);
    assert_prescan(b"<meta content='charset=gbk' http-equiv='Content-Type'>", GBK);
    assert_prescan(b"<meta http-equiv=' content-type' content='charset=gbk'>", None);
    assert_prescan(b"<meta http-equiv=content-type>", None);
    assert_prescan(b"<meta content='charset=gbk' charset=koi8-r>", KOI8_R);
    assert_prescan(b"<meta http-equiv=content-type charset=koi8-r content='charset=gbk'>", KOI8_R);
    assert_prescan(b"<meta http-equiv=content-type charset=unknown content='charset=gbk'>", None);
    assert_prescan(b"<meta http-equiv=content-type content='charset=gbk' charset=unknown>", None);
    // Step 13: the next element counts.
    assert_prescan(b"<meta charset=unknown><meta charset=gbk>", GBK);
    assert_prescan(b"<meta charset=gbk><meta charset=koi8-r>", GBK);
    // Steps 14 and 15.
    assert_prescan(b"<meta charset=utf-16>", UTF_8);
    assert_prescan(b"<meta charset=utf-16be>", UTF_8);
    assert_prescan(b"<meta charset=x-user-defined>", WINDOWS_1252);
    assert_prescan(b"<meta http-equiv=content-type content='charset=unicode'>", UTF_8);
    assert_prescan(b"<meta http-equiv=content-type content='charset=x-user-defined'>", WINDOWS_1252);
    assert_prescan(b"<meta charset=hz-gb-2312>", REPLACEMENT);
}

#[test]
fn markup_before_the_meta_element() {
    for (before, is_found) in [
        (&b""[..], true),
        (b"text \xFF\0<", true),
        (b"<!doctype html>", true),
        (b"<!-- > -- > --", false),
        (b"<!-- -->", true),
        (b"<!-->", true),
        (b"<!--->", true),
        (b"<!-- <meta charset=koi8-r> -->", true),
        (b"<!-", false),
        (b"<!>", true),
        (b"</>", true),
        (b"</1 ", false),
        (b"<? a='>'?>", true),
        (b"<a b='>'>", true),
        (b"<a b='", false),
        (b"</a b=\"><meta charset=koi8-r>\">", true),
        (b"<a b='>\">'>", true),
        (b"<a/b/c=d/>", true),
        (b"<a =b>", true),
        (b"<a ==>'", true),
        (b"<a b=>", true),
        (b"<a b = c>", true),
        // A tag in an unquoted attribute name or value.
        (b"<a b", false),
        (b"<a b=", false),
        (b"<title>", true),
        (b"<1 b='", true),
        (b"<metadata>", true),
        (b"<meta>", true),
    ] {
        let page = [before, b"<meta charset=gbk>"].concat();
        assert_prescan(&page, is_found.then_some(GBK));
    }
    // Content of elements is searched, too.
    assert_prescan(b"<script>'<meta charset=gbk>'</script>", GBK);
    assert_prescan(b"<textarea><meta charset=gbk>", GBK);
}

#[test]
fn xml_declarations_come_last() {
    assert_prescan(b"<?xml version='1.0' encoding='gbk'?><html>", GBK);
    assert_prescan(b"<?xml version='1.0' encoding='gbk'?><meta charset=koi8-r>", KOI8_R);
    assert_prescan(b"<?xml version='1.0' encoding='gbk'?><meta charset=unknown>", GBK);
    assert_prescan(b"<?xml version='1.0' encoding='utf-16'?>", UTF_8);
    // Only a `<meta>` element gives it another meaning.
    assert_prescan(b"<?xml version='1.0' encoding='x-user-defined'?>", X_USER_DEFINED);
    assert_prescan(b"<?xml encoding=\x01\x02\"gbk\">", GBK);
    assert_prescan(b"<?xmlencoding='gbk'>", GBK);
    assert_prescan(b"<?xml encoding='unknown' encoding='gbk'?>", None);
    assert_prescan(b"<?xml encodings encoding='gbk'?>", None);
    assert_prescan(b"<?xml encoding=' gbk'?>", None);
    assert_prescan(b"<?xml encoding='gbk\"?>", None);
    assert_prescan(b"<?xml encoding=gbk?>", None);
    assert_prescan(b"<?xml encoding='gbk'", None);
    assert_prescan(b"<?xml?> encoding='gbk'>", None);
    assert_prescan(b" <?xml encoding='gbk'?>", None);
    assert_prescan(b"<?XML encoding='gbk'?>", None);
    // The end of the declaration is within the label.
    assert_prescan(b"<?xml encoding='gbk>'?>", None);
}

#[test]
fn xml_declarations_in_utf_16() {
    assert_prescan(b"<\0?\0x\0", UTF_16LE);
    assert_prescan(b"\0<\0?\0x", UTF_16BE);
    assert_prescan(b"<\0?\0x", None);
    assert_prescan(b"<\0?\0X\0", None);
    assert_prescan(b"\0<\0?\0", None);
    let page = UTF_16LE.encode("<?xml version='1.0' encoding='koi8-r'?><meta charset=gbk>").unwrap();
    assert_prescan(&page, UTF_16LE);
    let sniffed = sniff(&page, &Hints::new());
    assert_eq!((result(&sniffed), sniffed.wanted), ((UTF_16LE, Source::Declaration), 0));
}

#[test]
fn only_1024_bytes_count() {
    let page = |spaces: usize, end: &[u8]| [&vec![b' '; spaces][..], b"<meta charset=gbk>", end].concat();
    let len = b"<meta charset=gbk>".len();
    for end in [&b""[..], b"more"] {
        assert_prescan(&page(1024 - len, end), GBK);
        assert_prescan(&page(1025 - len, end), None);
        assert_prescan(&page(1024, end), None);
    }
    let sniffed = sniff(&page(1024, b""), &Hints::new());
    assert_eq!((result(&sniffed), sniffed.wanted), ((WINDOWS_1252, Source::Default), 0));
}

#[test]
fn encodings_in_content_attributes() {
    for (content, expected) in [
        ("text/html; charset=gbk", Some(GBK)),
        ("charset=gbk", Some(GBK)),
        ("CHARSET\t=\n\"GBK\"", Some(GBK)),
        ("charset='gbk' x", Some(GBK)),
        ("charset=gbk;x", Some(GBK)),
        ("charset=gbk x", Some(GBK)),
        ("charset charset=gbk", Some(GBK)),
        ("charsetcharset=gbk", Some(GBK)),
        ("xcharset=gbk", Some(GBK)),
        ("charset;charset=gbk", Some(GBK)),
        ("charset=x;charset=gbk", None),
        ("charset='gbk", None),
        ("charset=\"gbk'", None),
        ("charset=gbk'", None),
        ("charset=;gbk", None),
        ("charset=", None),
        ("charset", None),
        ("", None),
        ("charset=utf-16", Some(UTF_16LE)),
    ] {
        assert_eq!(encoding_from_content(content), expected, "{content}");
        assert_eq!(oracle::extract(content.to_ascii_lowercase().as_bytes()), expected, "oracle: {content}");
    }
}

#[test]
fn what_is_not_wanted_cannot_change_the_result() {
    let pages: [&[u8]; 14] = [
        b"\xEF\xBB\xBF<meta charset=gbk>",
        b"\xFE\xFF\0<",
        b"\xFF\xFE<\0",
        b"\xEF\xBBx",
        b"\xFFx",
        b"x",
        b"<meta charset=gbk>",
        b"<!doctype html><title>x</title><meta http-equiv=content-type content=charset=gbk><p>",
        b"<?xml version='1.0' encoding='gbk'?><html>",
        b"<?xml version='1.0' encoding='gbk'?><meta charset=koi8-r>",
        b"<\0?\0x\0m\0l\0",
        b"\0<\0?\0x\0m\0l",
        b"<!-- never closed <meta charset=gbk>",
        b"<meta charset=unknown>",
    ];
    for page in pages {
        let page = [page, &[b' '; 1100]].concat();
        for hints in [Hints::new(), Hints::new().user(BIG5), Hints::new().transport(BIG5), Hints::new().parent(EUC_JP)]
        {
            let whole = sniff(&page, &hints);
            assert_eq!(whole.wanted, 0);
            for len in 0..page.len() {
                let part = sniff(&page[..len], &hints);
                assert!(part.wanted == 0 || len + part.wanted <= 1024);
                if part.wanted == 0 {
                    assert_eq!(part, whole, "{len} {}", page.escape_ascii());
                }
            }
            // Reading what is wanted leads to the result.
            let mut len = 0;
            loop {
                match sniff(&page[..len], &hints) {
                    sniffed if sniffed.wanted == 0 => {
                        assert_eq!(sniffed, whole);
                        break;
                    }
                    sniffed => len += sniffed.wanted,
                }
            }
        }
    }
    // No more than necessary.
    let wanted = |page: &[u8], hints: &Hints| sniff(page, hints).wanted;
    assert_eq!(wanted(b"", &Hints::new()), 1024);
    assert_eq!(wanted(b"", &Hints::new().transport(GBK)), 3);
    assert_eq!(wanted(b"\xEF\xBB", &Hints::new().transport(GBK)), 1);
    assert_eq!(wanted(b"\xFE", &Hints::new().transport(GBK)), 1);
    assert_eq!(wanted(b"<", &Hints::new().transport(GBK)), 0);
    assert_eq!(wanted(b"<meta charset=gbk>", &Hints::new()), 0);
}

#[test]
fn defaults_of_languages() {
    for (language, name) in [
        ("ar", "windows-1256"),
        ("cs-CZ", "windows-1250"),
        ("el", "ISO-8859-7"),
        ("he", "windows-1255"),
        ("HU", "ISO-8859-2"),
        ("ja-JP", "Shift_JIS"),
        ("ko", "EUC-KR"),
        ("lt", "windows-1257"),
        ("sah", "windows-1251"),
        ("th", "windows-874"),
        ("tr", "windows-1254"),
        ("vi", "windows-1258"),
        ("zh", "GBK"),
        ("zh-Hans-TW", "GBK"),
        ("zh-SG", "GBK"),
        ("zh-mo", "Big5"),
        ("zh-Hant", "Big5"),
        ("de", "windows-1252"),
        ("s", "windows-1252"),
        ("", "windows-1252"),
    ] {
        assert_eq!(default_for_language(language).name(), name, "{language}");
    }
}

#[test]
fn random_markup_gives_what_the_standard_says() {
    const PARTS: [&[u8]; 50] = [
        b"<",
        b">",
        b"/",
        b"=",
        b"'",
        b"\"",
        b" ",
        b"\t",
        b"\x0C",
        b"!",
        b"--",
        b"-",
        b"?",
        b"<!--",
        b"-->",
        b"<meta ",
        b"<meta/",
        b"<META\n",
        b"charset",
        b"CHARSET=",
        b"charset=gbk",
        b" charset='koi8-r'",
        b"content",
        b" content=\"",
        b"charset=utf-16",
        b"http-equiv",
        b" http-equiv=content-type",
        b"content-type",
        b";",
        b"x",
        b"a",
        b"x-user-defined",
        b"gbk",
        b"unknown",
        b"<?xml",
        b"encoding",
        b" encoding='big5'",
        b"version=\"1.0\"",
        b"?>",
        b"\x01",
        b"\xFF",
        b"<a ",
        b"</a",
        b"big5",
        b">",
        b">",
        b"<meta charset=gbk ",
        b"<meta charset='",
        b"<meta content=charset=koi8-r ",
        b"'",
    ];
    let mut state = 7_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut found = 0;
    for n in 0..300_000 {
        let mut page: Vec<u8> = if n % 5 == 0 { b"<?xml".to_vec() } else { Vec::new() };
        for _ in 0..random(16) {
            page.extend_from_slice(PARTS[random(PARTS.len())]);
        }
        page.extend_from_slice([&b""[..], b">", b"' >"][random(3)]);
        let expected = oracle::prescan(&page);
        assert_eq!(prescan(&page).and_then(|found| found.encoding()), expected, "{}", page.escape_ascii());
        found += usize::from(expected.is_some());
    }
    assert!(found > 10_000, "the markup should often have a declaration: {found}");
    assert_eq!(oracle::prescan(b"<meta charset=cp1251>"), Some(WINDOWS_1251));
}
