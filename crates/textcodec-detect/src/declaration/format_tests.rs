//! Tests of the formats that are not markup, and of pages with code: what is a declaration in each, and what only looks like one.

use textcodec::{
    BIG5, EUC_JP, EUC_KR, Encoding, GBK, IBM866, ISO_8859_2, ISO_8859_5, ISO_8859_7, ISO_8859_13, ISO_8859_15, KOI8_R,
    KOI8_U, MACINTOSH, SHIFT_JIS, UTF_8, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1254, oem,
};

use super::{Declaration, Form, HEAD_LEN, find, find_all};

/// Asserts that the text has one declaration, of this form and encoding, and that a corrected label means UTF-8.
#[track_caller]
fn declares(text: &str, form: Form, encoding: impl Into<Option<Encoding>>) {
    let found = find_all(text.as_bytes());
    let is_expected = |found: &Declaration| (found.form(), found.encoding());
    assert_eq!(found.iter().map(is_expected).collect::<Vec<_>>(), [(form, encoding.into())], "{text}: {found:?}");
    assert_eq!(text[found[0].label_range()], *found[0].label(), "{text}");
    let mut text = text.to_owned();
    text.replace_range(found[0].label_range(), &found[0].corrected_label(UTF_8));
    assert_eq!(find(text.as_bytes())[0].encoding(), Some(UTF_8), "{text}");
}

#[track_caller]
fn declares_nothing(form: Form, texts: &[&str]) {
    assert!(texts.len() >= 10);
    for text in texts {
        let found = find_all(text.as_bytes());
        assert!(found.iter().all(|found| found.form() != form), "{text}: {found:?}");
    }
}

#[track_caller]
fn corrected(text: &str, encoding: Encoding) -> String {
    let mut text = text.to_owned();
    for found in find_all(text.as_bytes()).iter().rev() {
        text.replace_range(found.label_range(), &found.corrected_label(encoding));
    }
    text
}

#[test]
fn latex() {
    for (text, encoding) in [
        ("\\documentclass{book}\n\\usepackage[latin2]{inputenc}\n", Some(ISO_8859_2)),
        ("% Brief\n\n  \\documentclass[a4paper]{letter}\\usepackage[ansinew]{inputenc}\n", Some(WINDOWS_1252)),
        ("\\documentstyle{x}\n\\usepackage [ cp1250 ] { inputenc }", Some(WINDOWS_1250)),
        ("\\NeedsTeXFormat{LaTeX2e}\n\\RequirePackage[applemac]{inputenc}\n", Some(MACINTOSH)),
        ("\\documentclass{a}\r\\usepackage[\r  latin9\r]{inputenc}\r", Some(ISO_8859_15)),
        ("\\documentclass{a}\n\\usepackage[utf8]{inputenc}\n", Some(UTF_8)),
        ("\\documentclass{a}\n\\usepackage[utf8x]{inputenc} % ucs\n", Some(UTF_8)),
        ("\\documentclass{a}\n\\usepackage[ascii,koi8-r]{inputenc}\n", Some(KOI8_R)),
        ("\\documentclass{a}\n\\usepackage[cp1251]{fontenc,inputenc}\n", Some(WINDOWS_1251)),
        ("\\documentclass{a}\n\\usepackage{inputenc}\n\\inputencoding{iso88595}\n", Some(ISO_8859_5)),
        ("\\documentclass{a}\n\\usepackage[maccyr]{inputenx}\n", Some(textcodec::X_MAC_CYRILLIC)),
        ("\\documentclass{a}\n\\begin{document}\n\\inputencoding{latin5} x\n\\end{document}", Some(WINDOWS_1254)),
        ("\\documentclass{a}\n\\usepackage[cp437de]{inputenc}\n", Some(oem::IBM437)),
        ("\\documentclass{a}\n\\usepackage[cp850]{inputenc}\n", Some(oem::IBM850)),
        ("\\documentclass{a}\n\\usepackage[cp858]{inputenc}\n", Some(oem::IBM00858)),
        ("\\documentclass{a}\n\\usepackage[next]{inputenc}\n", oem_or_none("next")),
        ("\\documentclass{a}\n\\usepackage[isoir111x]{inputenc}\n", None),
    ] {
        declares(text, Form::Latex, encoding);
    }
    declares_nothing(
        Form::Latex,
        &[
            "\\usepackage",
            "\\usepackage[latin1]{fontenc}\n",
            "\\documentclass{a}\n\\usepackage{inputenc}\n",
            "\\documentclass{a}\n% \\usepackage[latin1]{inputenc}\n",
            "\\documentclass{a}\n50\\% % \\inputencoding{latin1}\n",
            "\\documentclass{a}\n\\verb|\\usepackage[latin1]{inputenc}|\n",
            "\\documentclass{a}\n\\newcommand{\\enc}{\\inputencoding{latin1}}\n",
            "\\documentclass{a}\n\\begin{document}\n\\usepackage[latin1]{inputenc}\n",
            "\\documentclass{a}\n\\begin{document}\n\\begin{verbatim}\n\\inputencoding{latin1}\n\\end{verbatim}\n",
            "\\documentclass{a}\n\\begin{filecontents}{b}\n\\usepackage[latin1]{inputenc}\n\\end{filecontents}\n",
            "\\documentclass{a}\n\\begin{document}\n\\end{document}\n\\inputencoding{latin1}\n",
            "\\documentclass{a}\n\\usepackage[latin1]{inputenc2}\n",
            "\\documentclass{a}\n\\usepackage[\\myenc]{inputenc}\n",
            "\\documentclass{a}\n\\\\inputencoding{latin1}\n",
            "Write this:\n\\usepackage[latin1]{inputenc}\n",
            "# Notes\n\n    \\usepackage[latin1]{inputenc}\n",
        ],
    );
    let latin = "\\documentclass{a}\n\\usepackage[latin1]{inputenc}";
    assert_eq!(corrected(latin, UTF_8), latin.replace("latin1", "utf8"));
    assert_eq!(corrected(latin, WINDOWS_1250), latin.replace("latin1", "cp1250"));
}

fn oem_or_none(name: &str) -> Option<Encoding> {
    super::names::for_name(name.as_bytes())
}

#[test]
fn jsp() {
    for (text, encoding) in [
        ("<%@ page pageEncoding=\"gbk\" %>", GBK),
        ("<%@page language='java' pageEncoding='Shift_JIS'%>\n<html>", SHIFT_JIS),
        ("<%@ page contentType=\"text/html; charset=EUC-KR\" language=\"java\" %>", EUC_KR),
        (
            "\n<%@ taglib uri=\"x\" prefix=\"c\" %>\n<%@ page contentType=\"text/html;charset=windows-1251\"%>",
            WINDOWS_1251,
        ),
        ("<%@ page contentType=\"text/html; charset=UTF-8\" pageEncoding=\"ISO8859_2\" %>", ISO_8859_2),
        ("<%@ page contentType=\"text/html; charset=UTF-8\" %><%@ page pageEncoding=\"Cp1252\" %>", WINDOWS_1252),
        ("<%@ page\n  pageEncoding = \"EUC_JP\"\n%>", EUC_JP),
        ("<%-- copyright --%>\n<%@ page pageEncoding=\"Big5\" %>", BIG5),
        ("<!DOCTYPE html>\n<% int i = 0; %><%@ page pageEncoding=\"MS932\" %>", SHIFT_JIS),
        ("<%@ page pageEncoding=\"Cp850\" %>", oem::IBM850),
    ] {
        declares(text, Form::Jsp, encoding);
    }
    declares_nothing(
        Form::Jsp,
        &[
            "<%-- <%@ page pageEncoding=\"gbk\" --%>",
            "<%@ include pageEncoding=\"gbk\" %>",
            "<%@ page pageEncoding=gbk %>",
            "<%@ page pageEncoding=\"<%= x %>\" %>",
            "<%@ page pageEncoding=\"gbk\"",
            "<% page pageEncoding=\"gbk\" %>",
            "<%@ page contentType=\"text/html\" %>",
            "<%@ page info=\"pageEncoding='gbk'\" %>",
            "<%@ pages pageEncoding=\"gbk\" %>",
            "<%@ page pageencoding=\"gbk\" %>",
            "<p>pageEncoding=\"gbk\"</p>",
            "Write <%@ page pageEncoding=\"gbk\" %> first.",
            "&lt;%@ page pageEncoding=\"gbk\" %&gt;",
        ],
    );
}

#[test]
fn php() {
    for (text, encoding) in [
        ("<?php header('Content-Type: text/html; charset=windows-1251'); ?>", WINDOWS_1251),
        ("<?php\nheader (\"content-type:text/html;charset=GBK\");", GBK),
        ("#!/usr/bin/php\n<?php @Header('Content-type: text/plain; charset=koi8-r', true);", KOI8_R),
        ("<html><? \\header('Content-Type: text/html; charset=big5') ?>", BIG5),
        ("<?php if (!headers_sent()) header('Content-Type: text/html; charset=euc-jp');", EUC_JP),
        ("<?php declare(encoding='ISO-8859-2');", ISO_8859_2),
        ("<?PHP DECLARE ( ENCODING = \"ISO-8859-15\" ) ;", ISO_8859_15),
        ("<?php /* it's */ $s = <<<EOT\nit's\nEOT;\nheader('Content-Type: text/html; charset=sjis');", SHIFT_JIS),
        ("<?xml version='1.0'?><?php header('Content-Type: text/xml; charset=cp850'); ?>", oem::IBM850),
        ("<?= 1 ?> it's <?php header('Content-Type: text/html; charset=euc-kr');", EUC_KR),
    ] {
        declares(text, Form::Php, encoding);
    }
    declares_nothing(
        Form::Php,
        &[
            "<?php // header('Content-Type: text/html; charset=gbk');",
            "<?php # header('Content-Type: text/html; charset=gbk');",
            "<?php /* header('Content-Type: text/html; charset=gbk'); */",
            "<?php echo \"header('Content-Type: text/html; charset=gbk');\";",
            "<?php $r->header('Content-Type: text/html; charset=gbk');",
            "<?php R::header('Content-Type: text/html; charset=gbk');",
            "<?php $header('Content-Type: text/html; charset=gbk');",
            "<?php my_header('Content-Type: text/html; charset=gbk');",
            "<?php header('X-Content-Type: text/html; charset=gbk');",
            "<?php header('Content-Type: text/html');",
            "<?php header(\"Content-Type: text/html; charset=$charset\");",
            "<?php header('Content-Type: text/html; charset=' . $charset);",
            "<?php $s = <<<'EOT'\nheader('Content-Type: text/html; charset=gbk');\nEOT;",
            "<?php declare(strict_types=1); ?> header('Content-Type: text/html; charset=gbk');",
            "<?php declare(ticks='gbk');",
            "<p>header('Content-Type: text/html; charset=gbk');</p>",
            "Write <?php header('Content-Type: text/html; charset=gbk'); ?>",
            "# PHP\n\n<?php header('Content-Type: text/html; charset=gbk'); ?>",
        ],
    );
}

#[test]
fn cards() {
    for (text, encoding) in [
        ("BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=KOI8-R:x\r\nEND:VCARD\r\n", KOI8_R),
        ("\nbegin:vcard\nFN;charset=\"gbk\":x\n", GBK),
        ("BEGIN:VCARD\nitem1.ADR;HOME;CHARSET=windows-1250;LANGUAGE=cs:;;x\n", WINDOWS_1250),
        ("BEGIN:VCALENDAR\nVERSION:1.0\nBEGIN:VEVENT\nSUMMARY;CHARSET=Shift_JIS:x: y; z\n", SHIFT_JIS),
        ("BEGIN:VCARD\nN;ENCODING=8BIT;CHARSET=EUC-KR:x\n", EUC_KR),
        ("BEGIN:VCARD\nNOTE;X=\"a;b:c\";CHARSET=big5:x\n", BIG5),
        ("BEGIN:VCARD\nN;CHARSET=CP850:x\n", oem::IBM850),
    ] {
        declares(text, Form::Card, encoding);
    }
    declares_nothing(
        Form::Card,
        &[
            "BEGIN:VCARD\nN;CHARSET=KOI8-R;ENCODING=QUOTED-PRINTABLE:=CE\n",
            "BEGIN:VCARD\nN;QUOTED-PRINTABLE;CHARSET=KOI8-R:=CE\n",
            "BEGIN:VCARD\nPHOTO;CHARSET=KOI8-R;ENCODING=b:AAAA\n",
            "BEGIN:VCARD\nNOTE:use ;CHARSET=KOI8-R:\n",
            "BEGIN:VCARD\nNOTE;X=\";CHARSET=KOI8-R\":x\n",
            "BEGIN:VCARD\nNOTE:x\n ;CHARSET=KOI8-R:folded\n",
            "BEGIN:VCARD\nN;CHARSET=:x\n",
            "BEGIN:VCARD\nN;CHARSET=KOI8-R\n",
            "BEGIN:VCARD\nN;X-CHARSET=KOI8-R:x\n",
            "N;CHARSET=KOI8-R:x\nBEGIN:VCARD\n",
            "BEGIN: VCARD\nN;CHARSET=KOI8-R:x\n",
            "Content;CHARSET=KOI8-R:x\n",
            "BEGIN:VCARDS\nN;CHARSET=KOI8-R:x\n",
        ],
    );
}

#[test]
fn gedcom() {
    for (text, encoding) in [
        ("0 HEAD\n1 SOUR X\n1 CHAR ANSI\n0 TRLR\n", Some(WINDOWS_1252)),
        ("0 HEAD\r\n1 CHAR  IBM WINDOWS \r\n", Some(WINDOWS_1252)),
        ("0 HEAD\r1 CHAR MACINTOSH\r", Some(MACINTOSH)),
        ("0 HEAD\n  1 CHAR UTF-8\n", Some(UTF_8)),
        ("0 HEAD\n1 CHAR UNICODE\n", Some(UTF_8)),
        ("0 HEAD\n1 GEDC\n2 VERS 5.5\n1 CHAR IBMPC\n2 VERS x\n", Some(oem::IBM437)),
        ("0 HEAD\n1 CHAR windows-1251\n", Some(WINDOWS_1251)),
        ("0 HEAD\n1 CHAR ANSEL\n", None),
        ("\n0 HEAD\n1 CHAR ansel\n", None),
    ] {
        declares(text, Form::Gedcom, encoding);
    }
    declares_nothing(
        Form::Gedcom,
        &[
            "1 CHAR ANSEL\n",
            "0 HEADER\n1 CHAR ANSEL\n",
            "0 HEAD\n0 @1@ INDI\n1 CHAR ANSEL\n",
            "0 HEAD\n2 CHAR ANSEL\n",
            "0 HEAD\n1 CHARACTER ANSEL\n",
            "0 HEAD\n1 CHAR\n",
            "0 HEAD\n1 NOTE 1 CHAR ANSEL\n",
            "0 HEAD\n1 CHARANSEL\n",
            "0 HEAD\n11 CHAR ANSEL\n",
            "0 head\n1 CHAR ANSEL\n",
            "# 0 HEAD\n1 CHAR ANSEL\n",
            "x\n0 HEAD\n1 CHAR ANSEL\n",
            "10 HEAD\n1 CHAR ANSEL\n",
        ],
    );
}

#[test]
fn desktop_entries() {
    for (text, encoding) in [
        ("[Desktop Entry]\nName=x\nEncoding=UTF-8\n", Some(UTF_8)),
        ("# x\n\n[KDE Desktop Entry]\nEncoding = koi8-r\n", Some(KOI8_R)),
        ("[Desktop Entry]\nEncoding=Legacy-Mixed\n", None),
        ("[Desktop Entry]\nName=x\nEncoding=EUC-JP\n[Desktop Action x]\n", Some(EUC_JP)),
        ("[Desktop Entry]\nEncoding=ISO-8859-7", Some(ISO_8859_7)),
    ] {
        declares(text, Form::Desktop, encoding);
    }
    declares_nothing(
        Form::Desktop,
        &[
            "Encoding=gbk\n",
            "[Entry]\nEncoding=gbk\n",
            "[Desktop Entry]\n#Encoding=gbk\n",
            "[Desktop Entry]\nX-Encoding=gbk\n",
            "[Desktop Entry]\nEncoding[ru]=gbk\n",
            "[Desktop Entry]\nName=Encoding=gbk\n",
            "[Desktop Entry]\n[Other]\nEncoding=gbk\n",
            "[Other]\n[Desktop Entry]\nEncoding=gbk\n",
            "[Desktop Entry]\nEncoding gbk\n",
            "[Desktop Entry]\nencoding=gbk\n",
            "[Desktop Entry]\nEncoding=\n",
            "[Desktop Entry]\nEncodings=gbk\n",
        ],
    );
}

#[test]
fn scripts_of_vim() {
    for (text, encoding) in [
        ("scriptencoding koi8-r\n", Some(KOI8_R)),
        ("\" Vim syntax file\n\nif exists('b:x')\n  finish\nendif\nscriptencoding cp1251 \" x\n", Some(WINDOWS_1251)),
        ("set encoding=utf-8\nscripte euc-jp\n", Some(EUC_JP)),
        ("vim9script\n# x\nscriptencoding latin2\n", Some(ISO_8859_2)),
        ("let s:x = [\n  \\ 1]\nscriptencoding\tsjis\r\n", Some(SHIFT_JIS)),
        ("scriptencoding cp437", Some(oem::IBM437)),
        ("scriptencoding cp849\n", None),
    ] {
        declares(text, Form::Vim, encoding);
    }
    declares_nothing(
        Form::Vim,
        &[
            "\" scriptencoding gbk\n",
            "Then write\nscriptencoding gbk\n",
            "scriptencoding\n",
            "scriptencoding gbk is a command\n",
            "scriptencoding of this file\n",
            "script gbk\n",
            "scriptencodings gbk\n",
            "set scriptencoding gbk\n",
            "# Title\nscriptencoding gbk\n",
            "```\nscriptencoding gbk\n```\n",
            "scriptencoding=gbk\n",
            "*help.txt*\nscriptencoding gbk\n",
            "The command scriptencoding gbk\n",
        ],
    );
}

#[test]
fn sql() {
    for (text, form, encoding) in [
        ("SET NAMES latin1;\n", Form::Sql, Some(WINDOWS_1252)),
        ("-- dump\nset names 'utf8mb4' collate utf8mb4_bin;\n", Form::Sql, Some(UTF_8)),
        ("-- MySQL dump\n/*!40101 SET @OLD=@@X */;\n/*!40101 SET NAMES cp1251 */;\n", Form::Sql, Some(WINDOWS_1251)),
        ("USE x;\nSET CHARACTER SET sjis;\n", Form::Sql, Some(SHIFT_JIS)),
        ("INSERT INTO a VALUES ('it''s; \\'x');\nSET NAMES koi8u\n", Form::Sql, Some(KOI8_U)),
        ("--\nSET statement_timeout = 0;\nSET client_encoding = 'WIN1252';\n", Form::Postgres, Some(WINDOWS_1252)),
        ("begin;\n  set client_encoding to LATIN2;\n", Form::Postgres, Some(ISO_8859_2)),
        ("\\encoding EUC_JP\nSELECT 1;\n", Form::Postgres, Some(EUC_JP)),
        ("\\connect x\n\\encoding ALT\n", Form::Postgres, Some(IBM866)),
        ("SET NAMES 'WIN1250';\n", Form::Sql, Some(WINDOWS_1250)),
        ("# x\nSET NAMES latin7 -- x\n", Form::Sql, Some(ISO_8859_13)),
        ("SET NAMES cp850;\n", Form::Sql, Some(oem::IBM850)),
        ("SET NAMES geostd8;\n", Form::Sql, None),
        ("SET client_encoding = 'MULE_INTERNAL';\n", Form::Postgres, None),
        ("CREATE FUNCTION f() AS $$ it's; $$;\nSET SESSION client_encoding = 'UHC';\n", Form::Postgres, Some(EUC_KR)),
    ] {
        declares(text, form, encoding);
    }
    let like = [
        "-- SET NAMES gbk;\n",
        "# SET NAMES gbk;\n",
        "/* x\nSET NAMES gbk;\n*/\n",
        "SELECT '\nSET NAMES gbk;\n';\n",
        "SELECT 1\nSET NAMES gbk;\n",
        "SELECT 1; SET NAMES gbk;\n",
        "SET NAMES gbk is what MySQL needs\n",
        "SET NAMES @charset;\n",
        "SET NAMES ${charset};\n",
        "SET @names = 'gbk';\n",
        "SET TRANSACTION NAMES gbk;\n",
        "Use the following:\n\nSET NAMES gbk;\n",
        "Then write\nSET NAMES gbk;\n",
        "import db\ndb.execute('''\nSET NAMES gbk;\n''')\n",
        "CREATE TABLE a (b text) DEFAULT CHARACTER SET gbk;\n",
        "CREATE DATABASE a\nCHARACTER SET gbk;\n",
        "/*!40101 SET character_set_client = gbk */;\n",
        "COPY a FROM stdin;\nx\nSET NAMES gbk;\n\\.\n",
        "CREATE FUNCTION f() AS $x$\n;\nSET NAMES gbk;\n$x$;\n",
        "SHOW NAMES gbk;\n",
    ];
    declares_nothing(Form::Sql, &like);
    declares_nothing(
        Form::Postgres,
        &like.map(|text| text.replace("NAMES gbk", "client_encoding = gbk")).each_ref().map(String::as_str),
    );
    for (old, new) in [("latin1", "utf8mb4"), ("WIN1251", "UTF8"), ("win1251", "utf8"), ("geostd8", "utf8mb4")] {
        assert_eq!(corrected(&format!("SET NAMES {old};"), UTF_8), format!("SET NAMES {new};"));
    }
    assert_eq!(corrected("SET client_encoding = 'LATIN1';", UTF_8), "SET client_encoding = 'UTF8';");
    assert_eq!(corrected("SET NAMES gbk;", KOI8_R), "SET NAMES koi8r;");
}

#[test]
fn hostile_text_is_searched_in_linear_time() {
    let started = std::time::Instant::now();
    for start in [
        "\\x\n",
        "<?php ",
        "<",
        "SET NAMES x;",
        "BEGIN:VCARD\n",
        "0 HEAD\n",
        "[Desktop Entry]\n",
        "<?php <<<A",
        "\n<!--",
        "<title>",
    ] {
        for part in [
            "\\inputencoding ",
            "}\\usepackage[",
            "<%@ page a=\"",
            "<%--",
            "header('",
            "<<<A\n",
            "\n\n\n",
            "$$",
            "$a$ ",
            ";",
            "a;",
            "/*",
            "\\",
            "A;B=\";",
            "<!--",
            "<meta a='",
            "<title></titl",
            "<?",
            "?><?php ",
            "'",
            " ",
            "-- ",
            "SET ",
        ] {
            let text = [start, &part.repeat(HEAD_LEN / part.len())].concat();
            let _ = find_all(text.as_bytes());
        }
    }
    assert!(started.elapsed() < std::time::Duration::from_secs(20), "{:?}", started.elapsed());
}

/// Parts of declarations in any order, some of them cut.
#[test]
fn any_text_has_declarations_with_labels_within_it() {
    const PARTS: [&str; 52] = [
        "\\documentclass{a}",
        "\\usepackage",
        "[latin1]",
        "{inputenc}",
        "\\inputencoding",
        "{cp850}",
        "%",
        "\\",
        "<%@",
        "page",
        " pageEncoding",
        "=",
        "\"gbk\"",
        "%>",
        "<?php ",
        "header",
        "(",
        "'Content-Type: text/html; charset=koi8-r'",
        ")",
        "?>",
        "<<<A",
        "A",
        "BEGIN:VCARD",
        "N;CHARSET=",
        "big5",
        ":",
        "0 HEAD",
        "1 CHAR ",
        "[Desktop Entry]",
        "Encoding=",
        "scriptencoding ",
        "koi8-r",
        "\n",
        "SET ",
        "NAMES ",
        "gbk",
        ";",
        "\n",
        "SET ",
        "client_encoding ",
        "= ",
        "'gbk'",
        ";",
        "/*!40101 ",
        "*/",
        "$$",
        "<?xml encoding='gbk'?>",
        "<meta charset=x-foo>",
        "<!--",
        "-->",
        "\"",
        "é",
    ];
    let (mut state, mut seen) = (1_u64, std::collections::BTreeSet::new());
    let mut below = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    for _ in 0..20_000 {
        let mut text = Vec::new();
        let mut part = below(PARTS.len());
        for _ in 0..=below(14) {
            text.extend_from_slice(PARTS[part].as_bytes());
            text.extend_from_slice([&b""[..], b"", b" ", b"\n", b"\r\n"][below(5)]);
            // Mostly the next one, so that whole declarations occur.
            part = if below(4) == 0 { below(PARTS.len()) } else { (part + 1) % PARTS.len() };
        }
        text.truncate(text.len() - below(3).min(text.len()));
        for found in find_all(&text) {
            let label = text[found.label_range()].escape_ascii().to_string();
            assert_eq!(found.label(), label, "{}", text.escape_ascii());
            assert!(found.offset() <= found.label_range().start, "{}", text.escape_ascii());
            seen.insert(format!("{:?}", found.form()));
        }
    }
    for form in ["Latex", "Jsp", "Php", "Card", "Gedcom", "Desktop", "Vim", "Sql", "Postgres", "Xml", "Meta"] {
        assert!(seen.contains(form), "{form}: {seen:?}");
    }
}
