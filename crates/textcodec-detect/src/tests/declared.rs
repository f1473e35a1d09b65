//! Declarations of formats, those that only a parser finds, and those that cannot be followed.

use textcodec::{REPLACEMENT, oem};

use super::*;

/// A text that declares nothing, between a declaration and other text.
fn file(before: &str, text: &str, after: &str) -> String {
    format!("{before}{text}{after}")
}

#[test]
fn declarations_of_each_format_are_followed() {
    let late = format!("<html><script>{}</script><meta charset=koi8-r>", "var a=1;".repeat(400));
    for (before, after, encoding, reason) in [
        ("\\documentclass{a}\n\\usepackage[koi8-r]{inputenc}\n", "", KOI8_R, "inputenc with koi8-r at byte 18"),
        (
            "\\documentclass{a}\n\\usepackage[cp866]{inputenc}\n",
            "",
            textcodec::IBM866,
            "inputenc with cp866 at byte 18",
        ),
        ("<%@ page pageEncoding='KOI8-R' %>", "", KOI8_R, "a JSP directive with KOI8-R at byte 0"),
        ("<?php header('Content-Type: text/html; charset=koi8-r'); ?>", "", KOI8_R, "PHP code with koi8-r at byte 6"),
        (
            "BEGIN:VCARD\nVERSION:2.1\nN;CHARSET=koi8-r:",
            "\nEND:VCARD\n",
            KOI8_R,
            "a property with CHARSET=koi8-r at byte 24",
        ),
        (
            "0 HEAD\n1 CHAR windows-1251\n0 @1@ INDI\n1 NAME ",
            "",
            WINDOWS_1251,
            "the line 1 CHAR windows-1251 at byte 7",
        ),
        ("[Desktop Entry]\nEncoding=koi8-r\nName=", "", KOI8_R, "the line Encoding=koi8-r at byte 16"),
        ("scriptencoding koi8-r\n\" ", "", KOI8_R, "scriptencoding koi8-r at byte 0"),
        ("-- x\nSET NAMES koi8r;\nINSERT INTO a VALUES ('", "');\n", KOI8_R, "SET NAMES koi8r at byte 5"),
        ("SET client_encoding = 'ALT';\nSELECT '", "';\n", textcodec::IBM866, "client_encoding ALT at byte 0"),
        (
            "\n<?xml version='1.0' encoding='koi8-r'?><a>",
            "</a>",
            KOI8_R,
            "<?xml encoding=\"koi8-r\"?> at byte 1, where XML does not allow it",
        ),
        (&late, "", KOI8_R, "<meta charset=\"koi8-r\"> at byte 3223"),
        ("# coding: cp855\n# ", "", oem::IBM855, "a comment with coding: cp855 at byte 0"),
    ] {
        let text = encode(encoding, &file(before, RUSSIAN, after));
        let detection = assert_detection(&text, encoding, Confidence::High, Evidence::Declaration);
        assert_eq!(detection.reason(), format!("declared by {reason}"));
        // UTF-8 contradicts it.
        let utf_8 = file(before, RUSSIAN, after);
        let detection = assert_detection(utf_8.as_bytes(), UTF_8, Confidence::Medium, Evidence::Structure);
        assert!(detection.reason().contains(reason), "{}", detection.reason());
    }
}

/// Texts that declare an encoding that is unknown, or not available: where the text goes, and what is declared.
const UNSERVED: [(&str, &str); 17] = [
    ("# coding: x-foo1\n# -*- coding: x-foo -*-\n", "a comment with coding: x-foo at byte 17"),
    ("# coding: cp849\n", "a comment with coding: cp849 at byte 0"),
    ("<?xml version='1.0' encoding='x-foo'?><a/>", "<?xml encoding=\"x-foo\"?> at byte 0"),
    (
        "\n<?xml version='1.0' encoding='ANSEL'?><a/>",
        "<?xml encoding=\"ANSEL\"?> at byte 1, where XML does not allow it",
    ),
    ("<meta charset=x-foo>", "<meta charset=\"x-foo\"> at byte 0"),
    (
        "<meta http-equiv=content-type content='text/html; charset=TSCII'>",
        "<meta http-equiv=\"content-type\"> with charset=TSCII at byte 0",
    ),
    ("@charset \"x-foo\";", "@charset \"x-foo\" at byte 0"),
    ("Content-Type: text/plain; charset=x-foo\n\n", "the mail header with charset=x-foo at byte 0"),
    (
        "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=x-foo\\n\"\n",
        "the PO header with charset=x-foo at byte 19",
    ),
    ("0 HEAD\n1 CHAR ANSEL\n0 @1@ INDI\n1 NAME ", "the line 1 CHAR ANSEL at byte 7"),
    ("[Desktop Entry]\nEncoding=Legacy-Mixed\nName=", "the line Encoding=Legacy-Mixed at byte 16"),
    ("\\documentclass{a}\n\\usepackage[x-foo]{inputenc}\n", "inputenc with x-foo at byte 18"),
    ("SET NAMES swe7x;\n-- ", "SET NAMES swe7x at byte 0"),
    ("SET client_encoding = 'MULE_INTERNAL';\n-- ", "client_encoding MULE_INTERNAL at byte 0"),
    ("scriptencoding cp849\n\" ", "scriptencoding cp849 at byte 0"),
    ("<%@ page pageEncoding='x-foo' %>", "a JSP directive with x-foo at byte 0"),
    ("<meta charset=iso-2022-kr>", "<meta charset=\"iso-2022-kr\"> at byte 0"),
];

#[test]
fn a_guess_does_not_overrule_a_declaration_that_cannot_be_followed() {
    for (head, declared) in UNSERVED {
        let says = |detection: &Detection| {
            let reason = format!(" by {declared}, which cannot be decoded here");
            assert!(detection.reason().contains(&reason), "{}", detection.reason());
            assert_eq!(detection.reason().matches("cannot be decoded").count(), 1, "{}", detection.reason());
            let last = detection.declarations.last().unwrap();
            assert!(matches!(last.encoding(), None | Some(REPLACEMENT)), "{last}");
        };
        for (encoding, text) in [(WINDOWS_1252, FRENCH), (WINDOWS_1251, RUSSIAN), (SHIFT_JIS, JAPANESE), (GBK, CHINESE)]
        {
            let detection = detect_all(&encode(encoding, &format!("{head}{}", text.repeat(20))));
            assert!(detection.confidence <= Confidence::Low, "{head} {encoding}: {}", detection.reason());
            says(&detection);
        }
        // Much UTF-8 is no coincidence, a little can be.
        let utf_8 = format!("{head}{RUSSIAN}");
        says(&assert_detection(utf_8.as_bytes(), UTF_8, Confidence::Medium, Evidence::Structure));
        let utf_8 = format!("{head}É");
        says(&assert_detection(utf_8.as_bytes(), UTF_8, Confidence::Low, Evidence::Structure));
        // Nearly every encoding has ASCII, but not those that are never decoded.
        let is_never_decoded = head.contains("iso-2022-kr");
        let confidence = if is_never_decoded { Confidence::Low } else { Confidence::Medium };
        says(&assert_detection(head.as_bytes(), UTF_8, confidence, Evidence::Ascii));
        // A byte order mark is certain.
        let marked = format!("\u{FEFF}{head}É");
        assert_detection(marked.as_bytes(), UTF_8, Confidence::Certain, Evidence::Bom);
    }
}

#[test]
fn labels_that_leave_the_encoding_open_change_nothing() {
    for head in [
        "Content-Type: text/plain; charset=unknown-8bit\n\n",
        "Content-Type: text/plain; charset=x-unknown\n\n",
        "Content-Type: text/plain; charset=\"binary\"\n\n",
        "# -*- coding: undecided -*-\n",
        "# -*- coding: raw-text -*-\n",
        "<meta charset=unknown>",
        "<meta charset='{{ charset }}'>",
        "<?xml version='1.0' encoding='$encoding'?>",
        "SET NAMES DEFAULT;\n",
        "SET NAMES binary;\n",
        "SET client_encoding = 'SQL_ASCII';\n",
        "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=CHARSET\\n\"\n",
    ] {
        let utf_8 = format!("{head}{RUSSIAN}");
        let detection = assert_detection(utf_8.as_bytes(), UTF_8, Confidence::High, Evidence::Structure);
        assert!(!detection.reason().contains("declared"), "{head}");
    }
}

#[test]
fn variants_of_utf_8_are_utf_8() {
    for head in [
        "# coding: utf-8-sig\n",
        "SET NAMES utf8mb3;\n",
        "# -*- coding: utf-8-emacs -*-\n",
        "\\documentclass{a}\n\\usepackage[utf8x]{inputenc}\n",
    ] {
        let utf_8 = format!("{head}{RUSSIAN}");
        assert_detection(utf_8.as_bytes(), UTF_8, Confidence::High, Evidence::Declaration);
    }
    // Browsers do not know it, but it contradicts nothing.
    let page = format!("<meta charset=utf-8-sig>{RUSSIAN}");
    assert_detection(page.as_bytes(), UTF_8, Confidence::High, Evidence::Structure);
}

#[test]
fn a_followed_declaration_next_to_one_that_cannot_be_followed_is_less_certain() {
    for head in
        ["<meta charset=x-foo><meta charset=koi8-r>", "<?xml version='1.0' encoding='x-foo'?><meta charset=koi8-r>"]
    {
        let page = encode(KOI8_R, &format!("{head}{RUSSIAN}"));
        assert_detection(&page, KOI8_R, Confidence::Medium, Evidence::Declaration);
    }
}
