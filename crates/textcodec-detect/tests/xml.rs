//! The encoding of XML documents: appendix F of XML 1.0, with the precedence of RFC 7303.

use textcodec::{BIG5, EUC_JP, Encoding, GBK, KOI8_R, UTF_8, UTF_16BE, UTF_16LE, X_USER_DEFINED};
use textcodec_detect::{
    Hints, Source,
    declaration::Form,
    xml::{UnsupportedEncoding, sniff},
};

fn result(text: &[u8], hints: &Hints) -> Result<(Encoding, Source, usize), UnsupportedEncoding> {
    sniff(text, hints).map(|sniffed| (sniffed.encoding, sniffed.source, sniffed.wanted))
}

#[test]
fn each_source_takes_precedence_over_the_next() {
    let document = b"<?xml version='1.0' encoding='gbk'?><a/>";
    // What XML does not know has no effect.
    let others = Hints::new().user(BIG5).parent(BIG5).likely(BIG5).fallback(BIG5);
    let hints = others.clone().transport(EUC_JP);
    for (mark, encoding) in [(&b"\xEF\xBB\xBF"[..], UTF_8), (b"\xFE\xFF", UTF_16BE), (b"\xFF\xFE", UTF_16LE)] {
        assert_eq!(result(&[mark, document].concat(), &hints), Ok((encoding, Source::Bom, 0)));
    }
    assert_eq!(result(document, &hints), Ok((EUC_JP, Source::Transport, 0)));
    assert_eq!(result(b"<\0?\0", &hints), Ok((EUC_JP, Source::Transport, 0)));
    assert_eq!(result(b"\0\0\0<", &hints), Ok((EUC_JP, Source::Transport, 0)));
    assert_eq!(result(document, &others), Ok((GBK, Source::Declaration, 0)));
    assert_eq!(result(b"<a/>", &others), Ok((UTF_8, Source::Default, 0)));
}

#[test]
fn documents_without_information_are_utf_8() {
    for text in
        [&b"<a/>"[..], b"<?xml version='1.0'?>", b" <?xml version='1.0' encoding='gbk'?>", b"<?xm", b"\xFFabc", b""]
    {
        let sniffed = sniff(text, &Hints::new()).unwrap();
        assert_eq!((sniffed.encoding, sniffed.source), (UTF_8, Source::Default), "{}", text.escape_ascii());
    }
}

#[test]
fn xml_declarations() {
    let declared = |text: &str| result(text.as_bytes(), &Hints::new());
    let is = |encoding| Ok((encoding, Source::Declaration, 0));
    assert_eq!(declared("<?xml version='1.0' encoding='koi8-r'?>"), is(KOI8_R));
    assert_eq!(declared("<?xml version = \"1.0\" encoding\r\n=\t\"KOI8-R\" standalone='yes'?>"), is(KOI8_R));
    assert_eq!(declared("<?xml encoding='koi8-r'?><text/>"), is(KOI8_R));
    // This is no declaration.
    assert_eq!(declared("<?xml-stylesheet encoding='koi8-r'?>"), Ok((UTF_8, Source::Default, 0)));
    assert_eq!(declared("<?xml-stylesheet encoding='"), Ok((UTF_8, Source::Default, 0)));
    // The bytes are not UTF-16.
    assert_eq!(declared("<?xml version='1.0' encoding='UTF-16'?>"), is(UTF_8));
    assert_eq!(declared("<?xml version='1.0' encoding='x-user-defined'?>"), is(X_USER_DEFINED));
    for label in ["IBM437", "UTF-32", "unknown", "x"] {
        let error = declared(&format!("<?xml version='1.0' encoding='{label}'?>")).unwrap_err();
        assert_eq!(error.to_string(), format!("the document declares the unknown encoding '{label}' at byte 30"));
        assert!(
            matches!(error, UnsupportedEncoding::Label(found) if found.label() == label && found.encoding().is_none())
        );
    }
}

#[test]
fn utf_16_without_a_byte_order_mark() {
    for encoding in [UTF_16LE, UTF_16BE] {
        let bytes = encoding.encode("<?xml version='1.0' encoding='UTF-16'?><a/>").unwrap();
        let sniffed = sniff(&bytes, &Hints::new()).unwrap();
        assert_eq!((sniffed.encoding, sniffed.source, sniffed.wanted), (encoding, Source::Declaration, 0));
        assert_eq!(sniffed.declaration.map(|found| found.form()), Some(Form::WideXml));
    }
}

#[test]
fn encodings_that_the_standard_does_not_have() {
    for utf_32 in [
        b"\0\0\xFE\xFF",
        b"\xFF\xFE\0\0",
        b"\0\0\xFF\xFE",
        b"\xFE\xFF\0\0",
        b"\0\0\0<",
        b"<\0\0\0",
        b"\0\0<\0",
        b"\0<\0\0",
    ] {
        assert_eq!(sniff(utf_32, &Hints::new()), Err(UnsupportedEncoding::Utf32), "{}", utf_32.escape_ascii());
        let has_mark = utf_32.contains(&0xFF);
        assert_eq!(sniff(utf_32, &Hints::new().transport(GBK)).is_err(), has_mark, "{}", utf_32.escape_ascii());
    }
    assert_eq!(sniff(b"\x4C\x6F\xA7\x94\x93", &Hints::new()), Err(UnsupportedEncoding::Ebcdic));
}

#[test]
fn what_is_not_wanted_cannot_change_the_result() {
    for text in [
        &b"<?xml version='1.0' encoding='gbk'?><a/>"[..],
        b"<?xml version='1.0' encoding='IBM437'?><a/>",
        b"<?xml version='1.0'?><a/>",
        b"<?xml version='1.0' encoding='gbk",
        b"<?xm <a/>",
        b"<a/>",
        b"text",
        b"\xEF\xBB\xBF<a/>",
        b"\xEF\xBB<a/>",
        b"\xFE\xFF\0<",
        b"\xFE\xFF\0\0",
        b"\xFF\xFE<\0",
        b"\xFF\xFE\0\0",
        b"\0\0\xFE\xFF",
        b"\0\0\xFF\xFE",
        b"<\0?\0x\0",
        b"<\0\0\0",
        b"\0\0\0<",
        b"\x4C\x6F\xA7\x94",
        b"\x4C\x6F\xA7a",
    ] {
        let text = [text, &[b' '; 1100]].concat();
        for hints in [Hints::new(), Hints::new().transport(BIG5)] {
            let whole = sniff(&text, &hints);
            assert!(whole.as_ref().is_ok_and(|sniffed| sniffed.wanted == 0) || whole.is_err());
            for len in 0..text.len() {
                let part = sniff(&text[..len], &hints);
                match &part {
                    Ok(sniffed) if sniffed.wanted > 0 => assert!(len + sniffed.wanted <= 1024),
                    // An error is final.
                    _ => assert_eq!(part, whole, "{len} {}", text.escape_ascii()),
                }
            }
        }
    }
    let wanted = |text: &[u8]| sniff(text, &Hints::new()).unwrap().wanted;
    assert_eq!((wanted(b""), wanted(b"<?xml"), wanted(b"<?xml "), wanted(b"<?xml ?>")), (1024, 1019, 1018, 0));
    assert_eq!((wanted(b"<a/>"), wanted(b"<a"), wanted(b"\xFE\xFF")), (0, 2, 2));
}
