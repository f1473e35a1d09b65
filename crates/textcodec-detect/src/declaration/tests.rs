use textcodec::{
    EUC_JP, Encoding, GBK, ISO_8859_2, KOI8_R, LATIN1, SHIFT_JIS, US_ASCII, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252,
    WINDOWS_1254, oem,
};

use super::{Declaration, PRESCAN, find as declarations, find_all as all_declarations, impossible, in_ascii};

#[track_caller]
fn declares(text: &[u8], encoding: impl Into<Option<Encoding>>) {
    let found = declarations(text);
    assert_eq!(found.first().and_then(Declaration::encoding), encoding.into(), "{}: {found:?}", text.escape_ascii());
}

#[test]
fn charset_attribute_of_a_meta_element() {
    declares(b"<!doctype html><meta charset=\"shift_jis\">", SHIFT_JIS);
    declares(b"<meta charset='Shift_JIS'/>", SHIFT_JIS);
    declares(b"<META/CHARSET = sjis >", SHIFT_JIS);
    declares(b"<html><head>\n<meta\tname=x\nCharset\r=\x0C\"\tSJIS \">", SHIFT_JIS);
    declares(b"<meta charset=koi8-r name=x>", KOI8_R);
    // Unquoted, a slash is part of the value.
    declares(b"<meta charset=koi8-r/>", None);
    declares(b"<meta charset=>", None);
    declares(b"<meta charset>", None);
    declares(b"<meta charset=\"nothing\">", None);
    // After an unknown label, the next element counts.
    declares(b"<meta charset=nothing><meta charset=gbk>", GBK);
    declares(b"<metadata charset=gbk>", None);
    declares(b"<meta>", None);
    declares(b"<meta><meta charset=gbk>", GBK);
    declares(b"meta charset=gbk>", None);
}

#[test]
fn content_attribute_of_a_pragma() {
    declares(b"<meta http-equiv=\"Content-Type\" content=\"text/html; charset=euc-jp\">", EUC_JP);
    declares(b"<meta content='text/html;charset = \"euc-jp\" x' http-equiv=CONTENT-TYPE>", EUC_JP);
    declares(b"<meta http-equiv=content-type content=charset=euc-jp;x>", EUC_JP);
    declares(b"<meta http-equiv=content-type content='charset charsetcharset=euc-jp'>", EUC_JP);
    declares(b"<meta http-equiv=content-type content='charset=\"euc-jp'>", None);
    declares(b"<meta http-equiv=content-type content='charset'>", None);
    declares(b"<meta http-equiv=content-type content='charset='>", None);
    declares(b"<meta http-equiv=content-type content='text/html'>", None);
    declares(b"<meta http-equiv=refresh content='text/html; charset=euc-jp'>", None);
    declares(b"<meta content='text/html; charset=euc-jp'>", None);
}

#[test]
fn charset_overrides_content_and_repeated_attributes_are_ignored() {
    declares(b"<meta charset=gbk http-equiv=content-type content='charset=euc-jp'>", GBK);
    declares(b"<meta http-equiv=content-type content='charset=euc-jp' charset=gbk>", GBK);
    // Even with an unknown label.
    declares(b"<meta http-equiv=content-type content='charset=euc-jp' charset=nothing>", None);
    declares(b"<meta charset=gbk charset=euc-jp>", GBK);
    declares(b"<meta charset=nothing CHARSET=euc-jp>", None);
    declares(b"<meta http-equiv=refresh http-equiv=content-type content='charset=gbk'>", None);
    declares(b"<meta http-equiv=content-type content=x content='charset=gbk'>", None);
}

#[test]
fn impossible_declarations_are_remapped_as_in_browsers() {
    declares(b"<meta charset=utf-16>", UTF_8);
    declares(b"<meta charset=utf-16be>", UTF_8);
    declares(b"<meta charset=x-user-defined>", WINDOWS_1252);
    declares(b"<meta http-equiv=content-type content='charset=utf-16le'>", UTF_8);
    declares(b"<?xml version='1.0' encoding='UTF-16'?>", UTF_8);
    declares(b"@charset \"utf-16\";", UTF_8);
    let shown = |text: &[u8]| declarations(text)[0].to_string();
    assert_eq!(shown(b" <meta charset=UTF-16>"), "<meta charset=\"UTF-16\"> at byte 1, which means UTF-8 here");
    assert_eq!(shown(b"<meta charset=' sjis'>"), "<meta charset=\" sjis\"> at byte 0");
}

#[test]
fn other_markup_is_skipped() {
    declares(b"<!-- <meta charset=gbk> --><meta charset=koi8-r>", KOI8_R);
    declares(b"<!--><meta charset=koi8-r>", KOI8_R);
    declares(b"<!---><meta charset=koi8-r>", KOI8_R);
    declares(b"<!-- > -- > <meta charset=gbk>", None);
    declares(b"<!- <meta charset=gbk> <meta charset=koi8-r>", KOI8_R);
    declares(b"<! <meta charset=gbk>", None);
    declares(b"</ <meta charset=gbk>", None);
    declares(b"<? <meta charset=gbk>", None);
    declares(b"< <meta charset=gbk>", GBK);
    declares(b"<1 <meta charset=gbk>", GBK);
    // Within an attribute of another element, where `>` does not end the element.
    declares(b"<a title='> <meta charset=gbk>'><meta charset=koi8-r>", KOI8_R);
    declares(b"</a title='> <meta charset=gbk>'><meta charset=koi8-r>", KOI8_R);
    declares(b"<a href=x><meta charset=koi8-r>", KOI8_R);
    declares(b"<title>x</title><meta charset=koi8-r>", KOI8_R);
    // The content of a script is treated as markup.
    declares(b"<script>'<meta charset=gbk>'</script>", GBK);
}

#[test]
fn incomplete_declarations_are_ignored() {
    for whole in [
        &b"<meta charset=gbk>"[..],
        b"<!-- x --><meta charset='gbk' >",
        b"<meta content='charset=gbk' http-equiv=content-type>",
    ] {
        declares(whole, GBK);
        for end in 0..whole.len() {
            declares(&whole[..end], None);
        }
    }
}

#[test]
fn a_prescan_ends_after_1024_bytes() {
    let meta = b"<meta charset=gbk>";
    let after = |spaces: usize| [&vec![b' '; spaces][..], meta, b" and so on"].concat();
    let prescan = |spaces: usize| crate::html::prescan(&after(spaces)).and_then(|found| found.encoding());
    assert_eq!(prescan(PRESCAN - meta.len()), Some(GBK));
    for spaces in PRESCAN - meta.len() + 1..PRESCAN + 2 {
        assert_eq!(prescan(spaces), None);
        // Text that starts with another character is no page.
        declares(&[b"x", &after(spaces)[1..]].concat(), None);
    }
    assert_eq!(declarations(&after(100))[0].offset, 100);
    declares(&[b"<?xml", &vec![b' '; PRESCAN][..], b"encoding='gbk'?>"].concat(), None);
    declares(&[b"@charset \"", &vec![b' '; PRESCAN][..], b"gbk\";"].concat(), None);
}

#[test]
fn xml_declaration() {
    declares(b"<?xml version=\"1.0\" encoding=\"koi8-r\"?><a/>", KOI8_R);
    declares(b"<?xml version='1.0' encoding\n=\x01'KOI8-R' standalone='yes'?>", KOI8_R);
    for none in [
        &b"<?XML version='1.0' encoding='koi8-r'?>"[..],
        b"<?xml version='1.0' encoding='koi8-r\"?>",
        b"<?xml version='1.0' encoding=' koi8-r'?>",
        b"<?xml version='1.0' encoding koi8-r?>",
        b"<?xml version='1.0' encoding=koi8-r?>",
        b"<?xml version='1.0' encoding='nothing'?>",
        b"<?xml version='1.0' encoding='koi8-r'?",
        b"<?xml version='1.0'?><a encoding='koi8-r'>",
    ] {
        declares(none, None);
    }
}

#[test]
fn a_misplaced_xml_declaration_counts() {
    for before in
        [" ", "\n", "\r\n\r\n", "\t ", "<!-- x -->", "<!-- x -->\n", "\n<!--\n--> <!-- y -->\n", &" ".repeat(3000)]
    {
        let text = format!("{before}<?xml version='1.0' encoding='koi8-r'?><a/>");
        declares(text.as_bytes(), KOI8_R);
        let found = &declarations(text.as_bytes())[0];
        assert_eq!(text[found.label_range()], *"koi8-r");
        let shown = format!("<?xml encoding=\"koi8-r\"?> at byte {}, where XML does not allow it", before.len());
        assert_eq!(found.to_string(), shown);
    }
    for none in [
        "x<?xml version='1.0' encoding='koi8-r'?>",
        "<!-- <?xml version='1.0' encoding='koi8-r'?> -->",
        "<!-- <?xml version='1.0' encoding='koi8-r'?>",
        "<!DOCTYPE a><?xml version='1.0' encoding='koi8-r'?>",
        "<a/><?xml version='1.0' encoding='koi8-r'?>",
        " <?xml-stylesheet encoding='koi8-r'?>",
        " <?xml?><a encoding='koi8-r'/>",
        " <?XML version='1.0' encoding='koi8-r'?>",
        " <? xml version='1.0' encoding='koi8-r'?>",
        " &lt;?xml version='1.0' encoding='koi8-r'?>",
        " <?xml version='1.0'?><a encoding='koi8-r'/>",
        " <!- -><?xml version='1.0' encoding='koi8-r'?>",
    ] {
        declares(none.as_bytes(), None);
    }
}

#[test]
fn a_meta_element_that_only_a_parser_finds_counts() {
    let script = format!("<script>{}</script>", "var a=1;".repeat(300));
    for text in [
        format!("<html><head>{script}<meta charset=gbk>"),
        format!("<html><head>{script}<META http-equiv=content-type content='text/html; charset=gbk'></head>"),
        format!("<!doctype html>{script}<!-- x --><title>x</title><meta charset='gbk'>"),
        format!("<!-- {} --><meta charset=gbk>", "x".repeat(5000)),
        format!("<style>{}</style><meta charset=gbk>", "a{b:'</b>'}".repeat(500)),
        format!("\n<head><link title=\"{}\"><meta charset=gbk>", "x>".repeat(900)),
        format!("<head><meta name=x content=\"{}\"><meta charset=gbk>", "x>".repeat(900)),
        format!("<html><body>{}<meta charset=gbk>", "<p>x</p>".repeat(300)),
        format!("<html>{script}<body><meta charset=gbk><meta charset=big5>"),
        format!("<head>{script}<meta charset=gbk></head><body><meta charset=big5>"),
        // All of it counts, although it starts in the first 1,024 bytes.
        format!("<head>{}<meta charset=gbk>", " ".repeat(PRESCAN - 10)),
    ] {
        let found = declarations(text.as_bytes());
        assert_eq!(found.iter().filter_map(Declaration::encoding).collect::<Vec<_>>(), [GBK], "{text}");
        assert_eq!(text[found[0].label_range()], *"gbk", "{text}");
        assert_eq!(all_declarations(text.as_bytes()), found, "{text}");
    }
    let x = "x".repeat(2000);
    for text in [
        format!("<!-- {x} <meta charset=gbk> -->"),
        format!("<script>/* {x} */ document.write('<meta charset=gbk>')</script>"),
        format!("<style>/* {x} <meta charset=gbk> */</style>"),
        format!("<title>{x} <meta charset=gbk></title>"),
        format!("<textarea>{x} <meta charset=gbk></textarea>"),
        format!("<xmp>{x} <meta charset=gbk></xmp>"),
        format!("<iframe>{x} <meta charset=gbk></iframe>"),
        format!("<noscript>{x} <meta charset=gbk></noscript>"),
        format!("<p title='{x} <meta charset=gbk>'>"),
        format!("<p>{x} &lt;meta charset=gbk></p>"),
        format!("<meta name=description content='{x}'><meta name=description content='charset=gbk'>"),
        format!("<meta name=description content='{x}'><meta content='text/html; charset=gbk'>"),
        format!("<p>{x}<metadata charset=gbk>"),
        format!("<p>{x}<link charset=gbk>"),
        format!("<?php {x} ?><!meta charset=gbk>"),
        format!("{x} <meta charset=gbk>"),
        format!("<p>{}<meta charset=gbk>", " ".repeat(super::HEAD_LEN)),
    ] {
        assert_eq!(all_declarations(text.as_bytes()), [], "{}", &text[..40]);
    }
}

#[test]
fn xml_declaration_in_utf_16() {
    declares(b"<\0?\0x\0m\0l\0", UTF_16LE);
    declares(b"\0<\0?\0x\0m\0l", UTF_16BE);
    declares(b"<\0?\0X\0", None);
    assert_eq!(declarations(b"<\0?\0x\0")[0].to_string(), "an XML declaration in UTF-16LE at byte 0");
}

#[test]
fn xhtml_can_have_two_declarations() {
    let both = declarations(b"<?xml version='1.0' encoding='gbk'?><meta charset=koi8-r>");
    assert_eq!(both.iter().filter_map(Declaration::encoding).collect::<Vec<_>>(), [GBK, KOI8_R]);
    declares(b"<?xml version='1.0'?><html><meta charset=koi8-r>", KOI8_R);
}

#[test]
fn css_requires_the_exact_bytes() {
    declares(b"@charset \"iso-8859-2\";\nb {}", ISO_8859_2);
    for none in [
        &b" @charset \"iso-8859-2\";"[..],
        b"@charset  \"iso-8859-2\";",
        b"@charset 'iso-8859-2';",
        b"@CHARSET \"iso-8859-2\";",
        b"@charset \"iso-8859-2\" ;",
        b"@charset \"iso-8859-2\"",
        b"@charset \"iso-8859-2;",
        b"@charset \"\";",
    ] {
        declares(none, None);
    }
}

#[test]
fn long_labels_are_truncated() {
    let long = [b"<meta charset='gbk", &[b' '; 60][..], b"'>"].concat();
    assert_eq!(declarations(&long)[0].to_string(), format!("<meta charset=\"gbk{}…\"> at byte 0", " ".repeat(37)));
}

#[test]
fn python_comment() {
    declares(b"# -*- coding: koi8-r -*-\nprint()", KOI8_R);
    declares(b"#!/usr/bin/python\n# -*- coding: latin-1 -*-\n", WINDOWS_1252);
    declares(b"\n#coding=utf8\n", UTF_8);
    declares(b"  # vim: set fileencoding=cp932 :\n", SHIFT_JIS);
    declares(b"# coding: iso_8859_2-unix\n", ISO_8859_2);
    for none in [
        &b"#\n#\n# coding: koi8-r\n"[..],
        b"import os\n# coding: koi8-r\n",
        b"# coding koi8-r\n",
        b"# encoding of this file\n",
        b"coding: koi8-r\n",
        b"# coding: nothing\n",
    ] {
        declares(none, None);
    }
}

#[test]
fn header_of_a_po_file() {
    let header = b"# Title\n#, fuzzy\nmsgid \"\"\nmsgstr \"\"\n\"Language: ru\\n\"\n\"Content-Type: text/plain; charset=KOI8-R\\n\"\n";
    declares(header, KOI8_R);
    declares(b"msgid \"\"\r\nmsgstr \"\"\r\n\"content-type: text/plain; charset=cp1252\\n\"\r\n", WINDOWS_1252);
    declares(b"msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=CHARSET\\n\"\n", None);
    declares(b"msgid \"\"\nmsgstr \"\"\n\nmsgid \"Content-Type: charset=koi8-r\"\n", None);
    declares(b"text\nmsgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=koi8-r\\n\"\n", None);
}

#[test]
fn header_of_a_message() {
    declares(b"Subject: x\nContent-Type: text/plain;\n charset=\"koi8-r\"\n\nbody", KOI8_R);
    declares(b"From a@b Mon\nFrom: a\r\ncontent-type: text/plain; format=flowed; CHARSET=koi8-r\r\n\r\nbody", KOI8_R);
    declares(b"Content-Type: text/plain; charset=koi8-r\nContent-Transfer-Encoding: 8bit\n\nbody", KOI8_R);
    // The bytes are ASCII.
    declares(b"Content-Type: text/plain; charset=koi8-r\nContent-Transfer-Encoding: Base64\n\nbody", None);
    declares(b"Content-Type: text/plain; charset=koi8-r\nContent-Transfer-Encoding: quoted-printable\n\nbody", None);
    for none in [
        &b"Content-Type: text/plain; charset=koi8-r"[..],
        b"Content-Type: text/plain; charset=nothing\n\nbody",
        b"Content-Type: text/plain\n\nContent-Type: text/plain; charset=koi8-r\n\n",
        b"no header\nContent-Type: text/plain; charset=koi8-r\n\nbody",
    ] {
        declares(none, None);
    }
}

#[test]
fn headers_of_the_parts_of_a_message() {
    let message = b"Content-Type: multipart/mixed; boundary=one\n\n--one\nContent-Type: text/plain; charset=koi8-r\n\n\
        body\n--one\nContent-Type: multipart/alternative; boundary=\"two\"\n\n--two\n\
        Content-Type: text/html; charset=gbk\nContent-Transfer-Encoding: base64\n\nxxxx\n--two\n\
        Content-Type: text/html; charset=windows-1252\n\nbody\n--two--\n--one--\n";
    let found = declarations(message);
    assert_eq!(found.iter().filter_map(Declaration::encoding).collect::<Vec<_>>(), [KOI8_R, WINDOWS_1252]);
    assert!(message[found[1].offset..].starts_with(b"Content-Type: text/html; charset=windows"));
}

#[test]
fn hostile_headers_are_searched_in_linear_time() {
    // Each line is a boundary and could start a header. Searching a line once for each line before it would take minutes.
    let message = [&b"Content-Type: multipart/mixed; boundary=\":\"\n\n"[..], &b"--:\n".repeat(16_000)].concat();
    let started = std::time::Instant::now();
    for _ in 0..20 {
        declares(&message, None);
    }
    assert!(started.elapsed() < std::time::Duration::from_secs(20));
}

#[test]
fn the_label_has_a_position_and_can_be_corrected() {
    for (text, corrected) in [
        (&b"<p><meta charset = 'Shift_JIS' >"[..], &b"<p><meta charset = 'UTF-8' >"[..]),
        (b"<meta charset=sjis><meta charset=gbk>", b"<meta charset=utf-8><meta charset=utf-8>"),
        (
            b"<meta http-equiv=content-type content='text/html; charset=euc-jp'>",
            b"<meta http-equiv=content-type content='text/html; charset=utf-8'>",
        ),
        (
            b"<?xml version='1.0' encoding='gbk'?><meta charset=gbk>",
            b"<?xml version='1.0' encoding='utf-8'?><meta charset=utf-8>",
        ),
        (b"@charset \"GBK\";", b"@charset \"UTF-8\";"),
        (b"#\n#coding=cp1251\n", b"#\n#coding=utf-8\n"),
        (
            b"msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=CP1251\\n\"\n",
            b"msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n",
        ),
        (b"Content-Type: text/plain; charset=\"gbk\"\n\n", b"Content-Type: text/plain; charset=\"utf-8\"\n\n"),
    ] {
        let mut text = text.to_vec();
        for found in declarations(&text).iter().rev() {
            assert!(!found.is_right_for(UTF_8), "{found}");
            text.splice(found.label_range(), found.corrected_label(UTF_8).into_bytes());
        }
        assert_eq!(text.escape_ascii().to_string(), corrected.escape_ascii().to_string());
        assert!(declarations(&text).iter().all(|found| found.is_right_for(UTF_8)));
    }
}

#[test]
fn a_declaration_is_right_if_its_label_means_the_encoding() {
    let is_right = |label: &str, encoding| {
        declarations(format!("<?xml version='1.0' encoding='{label}'?>").as_bytes())[0].is_right_for(encoding)
    };
    assert!(is_right("latin1", WINDOWS_1252) && is_right("latin1", LATIN1) && is_right("latin1", US_ASCII));
    assert!(is_right("utf-16", UTF_16BE) && !is_right("utf-16", UTF_8) && !is_right("utf-16", US_ASCII));
    assert!(!is_right("gbk", UTF_8) && !is_right("utf-8", UTF_16LE) && !is_right("koi8-r", LATIN1));
}

#[test]
fn unknown_labels_are_found_but_are_no_evidence() {
    for text in [
        "<meta charset=cp850>",
        "<meta charset=bogus>",
        "<meta http-equiv=content-type content='text/html; charset=cp850'>",
        "<?xml version='1.0' encoding='IBM437'?><a/>",
        "@charset \"cp437\";",
        "# coding: iso-latin-1\n",
        "#!/usr/bin/python\n# encoding=cp849\n",
        "# -*- mode: python; coding: bogus -*-\n",
        "# vim: set fileencoding=mac_latin3 :\n",
        "#coding:x-mac-sami\n",
        "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=CP849\\n\"\n",
        "Content-Type: text/plain; charset=unknown-8bit\n\n",
    ] {
        assert_eq!(declarations(text.as_bytes()), [], "{text}");
        let found = all_declarations(text.as_bytes());
        assert!(
            matches!(&found[..], [one] if one.encoding().is_none() && !one.is_right_for(UTF_8)),
            "{text}: {found:?}"
        );
        assert!(found[0].meaning().starts_with('\''), "{text}");
    }
    // A known label in the second line still counts.
    declares(b"# coding: cp849\n# coding: koi8-r\n", KOI8_R);
}

#[test]
fn what_is_not_like_a_label_is_no_declaration() {
    for text in [
        "<meta charset=''>",
        "<meta charset='{{ charset }}'>",
        "<meta charset='<?= $charset ?>'>",
        "<meta charset=CHARSET>",
        "<meta charset=@ENCODING@>",
        "<meta name=description content='charset=cp850'>",
        "<?xml version='1.0' encoding='$encoding'?>",
        "<?xml version='1.0' encoding='1'?>",
        "@charset \"\";",
        "# Encoding: see below\n",
        "# encoding: base64\n",
        "# Content-Encoding: gzip\n",
        "# The video encoding: h264\n",
        "# Converted from the old encoding: cp849 by hand\n",
        "# It had the encoding: cp849\n",
        "# -*- coding: raw-text -*-\n",
        "import os\n# coding: cp850\n",
        "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=CHARSET\\n\"\n",
        "Content-Type: text/plain; charset=${charset}\n\n",
        "Content-Type: text/plain\n\nbody; charset=cp850\n",
    ] {
        assert_eq!(all_declarations(text.as_bytes()), [], "{text}");
    }
    let utf_8 =
        |label: &str| all_declarations(format!("# -*- coding: {label} -*-\n").as_bytes())[0].is_right_for(UTF_8);
    assert!(utf_8("utf-8-sig") && utf_8("utf-8-emacs") && utf_8("utf8mb4") && !utf_8("utf-7"));
}

#[test]
fn the_first_line_of_source_code_may_be_long() {
    for len in [1000, 1024, 2000, 60_000] {
        declares(format!("#{}\n# coding: koi8-r\n", "x".repeat(len)).as_bytes(), KOI8_R);
    }
}

#[test]
fn utf_16_is_searched_in_ascii() {
    let text = "é日<meta charset=gbk>";
    let bytes = UTF_16BE.encode(text).unwrap();
    let found = &declarations(&in_ascii(&bytes, UTF_16BE))[0];
    assert_eq!((found.encoding(), found.offset, found.label_range()), (Some(GBK), 2, 16..19));
}

#[test]
fn code_pages_are_known_outside_the_web_if_they_have_ascii() {
    for (text, encoding) in [
        ("# coding: cp437\n", oem::IBM437),
        ("# -*- coding: cp850-dos -*-\n", oem::IBM850),
        ("msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=CP1125\\n\"\n", oem::IBM1125),
        ("Content-Type: text/plain; charset=\"IBM00858\"\n\n", oem::IBM00858),
    ] {
        declares(text.as_bytes(), encoding);
        assert!(declarations(text.as_bytes())[0].is_right_for(encoding), "{text}");
        assert_eq!(impossible(text.as_bytes()), []);
    }
    // In HTML, XML and CSS, only labels of the standard are known.
    for text in ["<meta charset=cp437>", "<?xml version='1.0' encoding='cp437'?>", "@charset \"cp437\";"] {
        declares(text.as_bytes(), None);
        let found = &all_declarations(text.as_bytes())[0];
        assert!(found.is_right_for(oem::IBM437) && !found.is_right_for(oem::IBM850), "{text}");
    }
}

#[test]
fn a_declaration_in_ascii_cannot_mean_ebcdic() {
    for (text, shown) in [
        ("# coding: cp037\n", "a comment with coding: cp037 at byte 0"),
        (
            "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=IBM037\\n\"\n",
            "the PO header with charset=IBM037 at byte 19",
        ),
        ("Content-Type: text/plain; charset=ebcdic-cp-us\n\n", "the mail header with charset=ebcdic-cp-us at byte 0"),
    ] {
        declares(text.as_bytes(), None);
        let found = &impossible(text.as_bytes())[0];
        assert_eq!(found.to_string(), format!("{shown}, but text that declares this in ASCII is not IBM037"));
        // It becomes wrong like others, and is right in text that was converted to EBCDIC.
        assert!(all_declarations(text.as_bytes()).contains(found));
        assert!(found.is_right_for(oem::IBM037) && !found.is_right_for(UTF_8));
    }
}

#[test]
fn encodings_whose_names_are_labels_of_others_are_declared_by_these() {
    let found = &all_declarations(b"<meta charset=iso-8859-9>")[0];
    assert!(found.is_right_for(oem::TRUE_ISO_8859_9) && found.is_right_for(WINDOWS_1254));
    assert!(!found.is_right_for(oem::TRUE_TIS_620));
    for (encoding, label) in [
        (oem::TRUE_TIS_620, "tis-620"),
        (oem::TRUE_HZ, "hz-gb-2312"),
        (oem::TRUE_ISO_2022_KR, "iso-2022-kr"),
        (oem::TRUE_UCS_2BE, "iso-10646-ucs-2"),
        (oem::TRUE_UCS_2LE, "iso-10646-ucs-2"),
        (oem::GSM_03_38, "gsm0338"),
    ] {
        assert_eq!(all_declarations(b"<meta charset=gbk>")[0].corrected_label(encoding), label);
        let corrected = format!("<meta charset={label}>");
        assert!(all_declarations(corrected.as_bytes())[0].is_right_for(encoding), "{label}");
    }
}
