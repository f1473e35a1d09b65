//! Declarations in mail, LaTeX, JSP, PHP, vCard, GEDCOM, desktop entries, scripts of Vim and SQL.

use crate::random::Random;

/// Texts that start with declarations in these formats, some with all names.
pub(crate) fn heads() -> Vec<String> {
    let mut all: Vec<_> = HEADS.iter().map(|&head| head.to_owned()).collect();
    let names = names();
    let joined = |start: &str, item: &dyn Fn(&str) -> String| {
        start.to_owned() + &names.iter().map(|name| item(name)).collect::<String>()
    };
    all.extend([
        joined("\\documentclass{a}\n", &|name| format!("\\inputencoding{{{name}}}\n")),
        joined("BEGIN:VCARD\n", &|name| format!("N;CHARSET={name}:x\n")),
        joined("<?php ", &|name| format!("declare(encoding='{name}');")),
        joined("<p>", &|name| format!("<%@ page pageEncoding='{name}'%>")),
        joined("SET NAMES x;\n", &|name| format!("SET NAMES '{name}';\n")),
        joined("SET NAMES x;\n", &|name| format!("SET client_encoding = '{name}';\n")),
        joined("-- x\n", &|name| format!("SET NAMES {name}\n;\n\\encoding {name}\n")),
    ]);
    all
}

/// Texts of the formats that have one declaration, with each name.
pub(crate) fn single() -> impl Iterator<Item = String> {
    names().into_iter().flat_map(|name| {
        [
            format!("0 HEAD\n1 CHAR {name}\n"),
            format!("[Desktop Entry]\nEncoding={name}\n"),
            format!("\" x\nscriptencoding {name}\n"),
        ]
    })
}

fn names() -> Vec<String> {
    NAMES.split(' ').map(|name| name.replace('+', " ")).collect()
}

/// Random sequences of what the formats have, after a start that shows the format.
pub(crate) fn random(count: usize) -> impl Iterator<Item = String> {
    let mut random = Random::new("formats");
    let formats = FORMATS.iter().flat_map(move |format| std::iter::repeat_n(format, count));
    formats.map(move |(start, parts)| {
        let len = 1 + random.below(12);
        let pieces = (0..len).map(|_| if random.below(8) == 0 { random.of(SHARED) } else { random.of(parts) });
        (*start).to_owned() + &pieces.collect::<String>()
    })
}

/// The names that formats have, and others. `+` is a space.
const NAMES: &str = "utf8 utf8x lutf8 cp1252 ansinew cp1250 cp1251 cp1257 cp866 latin2 latin3 latin4 latin5 latin9 latin10 applemac macce \
    maccyr cp437de cp858 iso88595 tis620 koi8-r decmulti UTF-8 ANSI IBM+WINDOWS IBM+DOS IBMPC MSDOS UNICODE ANSEL ASCII utf8mb4 utf8mb3 \
    latin1 latin7 greek hebrew koi8r koi8u cp1256 cp850 cp852 cp932 sjis ujis eucjpms gbk gb2312 gb18030 big5 euckr macroman dec8 hp8 \
    WIN1250 WIN1251 WIN WIN1252 WIN1253 WIN1254 WIN1255 WIN1256 WIN1257 WIN1258 TCVN WIN866 ALT WIN874 LATIN6 LATIN8 ISO_8859_5 \
    ISO_8859_6 ISO_8859_7 ISO_8859_8 KOI8 EUC_JP EUC_CN EUC_KR UHC next binary sql_ascii utf-16 hz-gb-2312 mule_internal x-none";

const SHARED: &[&str] = &[
    "\n", "\r\n", "\r", " ", "\t", "\u{C}", "\u{B}", "'", "\"", ";", "#", "\\", "--", "/*", "*/", "x", "koi8-r",
    "latin1",
];

/// The start of each format, and parts of texts.
const FORMATS: &[(&str, &[&str])] = &[
    ("Subject: x\n", MAIL),
    ("Content-Type: multipart/mixed; boundary=b\n\n--b\n", MAIL),
    ("From x\n", MAIL),
    (
        "\\documentclass{a}\n",
        &[
            "\\usepackage[",
            "\\RequirePackage[",
            "\\usepackage [latin2]{inputenc}\n",
            "\\usepackage[ascii, cp1250]{fontenc, inputenx}",
            "\\inputencoding{",
            "\\inputencoding{maccyr}",
            "latin9",
            "ansinew",
            "]{inputenc}",
            "]{fontenc}",
            "]",
            "{",
            "}",
            "%",
            "\\%",
            "\n\\begin{document}\n",
            "\n\\end{document}\n",
            "\n\\begin{verbatim}\n",
            "\n\\end{verbatim}\n",
            "\\verb|",
            ",",
            "\\a{b}",
            "é",
        ],
    ),
    (
        "<html><%@",
        &[
            "<%@ page ",
            "<%@page\n",
            "<%@ include ",
            "page",
            "%>",
            "<%--",
            "--%>",
            "<%= x %>",
            "pageEncoding=\"gbk\"",
            "pageEncoding = 'big5' ",
            " contentType=\"text/html; charset=koi8-r\"",
            " contentType='text/html;charset=",
            " constructor='gbk'",
            " __proto__=\"gbk\"",
            "language='java' ",
            "=",
            "<meta charset=gbk>",
            "é",
        ],
    ),
    (
        "<?php\n",
        &[
            "<?php ",
            "<?=",
            "<? ",
            "?>",
            "<p>",
            "header('Content-Type: text/html; charset=koi8-r');",
            "Header ( \"content-type : x; charset='gbk'\")",
            "header('Content-Type: text/html; charset=\"gbk')",
            "declare(encoding='big5');",
            "declare ( ENCODING = \"euc-kr\" )",
            "declare(strict_types=1)",
            "$",
            "->",
            "::",
            "//",
            "<<<EOT\n",
            "<<<'EOT'\n",
            "EOT;\n",
            " EOT",
            "EOTx",
            "header(",
            "\\'",
            "`",
            "é",
        ],
    ),
    (
        "BEGIN:VCARD\r\n",
        &[
            "N;CHARSET=",
            "N;CHARSET=UTF-8:é\n",
            "item1.N;LANGUAGE=de;charset=\"koi8-r\":x\n",
            ";ENCODING=QUOTED-PRINTABLE",
            ";QUOTED-PRINTABLE",
            ";encoding=B",
            ";BASE64",
            ";X=\"a;b:c\"",
            ";CHARSET=windows-1251",
            ":",
            "=",
            "X-A",
            "END:VCARD\n",
        ],
    ),
    (
        "0 HEAD\n",
        &[
            "1 CHAR ANSEL\n",
            "1 CHAR  ANSI \n",
            " 1 CHAR\tIBM WINDOWS\n",
            "1 CHAR",
            "1 CHARACTER x\n",
            "2 VERS 5.5\n",
            "0 @I1@ INDI\n",
            "UNICODE",
            "MSDOS",
        ],
    ),
    (
        "# x\n\n",
        &[
            "[Desktop Entry]\n",
            "[KDE Desktop Entry] \n",
            "[Desktop Action]\n",
            "Encoding=UTF-8\n",
            "Encoding = ",
            "Encoding[de]=x\n",
            "Encoding=Legacy-Mixed\n",
            "gbk",
            "Name=x\n",
            "# y\n",
            "=",
        ],
    ),
    (
        "\" vim\n",
        &[
            "scriptencoding utf-8\n",
            "  scripte ",
            "scriptenc\tkoi8-r \" x\n",
            "scriptencoding cp1251 | set x\n",
            "scriptencoding cp849",
            "scriptencodings gbk\n",
            "scriptencoding see below\n",
            "vim9script\n",
            "# x\n",
            "\\ x\n",
            "set nocompatible\n",
            "let x = 'y'\n",
            "endif\n",
            "other\n",
            "utf-8",
            "|",
        ],
    ),
    (
        "SET",
        &[
            "SET NAMES utf8mb4;\n",
            " NAMES ",
            "SET NAMES 'latin1' COLLATE x;\n",
            "set session charset koi8r",
            "SET CHARACTER SET 'cp1251' ;",
            "SET LOCAL client_encoding TO 'WIN1251';\n",
            "SET client_encoding = ",
            "set client_encoding=UTF8 --x\n",
            "\\encoding WIN866\n",
            "\\connect x\n",
            "/*!40101 SET NAMES utf8 */;\n",
            "/*!",
            "SET NAMES utf8-- x\n",
            "INSERT INTO x VALUES (",
            "COPY x FROM stdin;\n",
            "copy stdin;\n",
            "\\.\n",
            "$$",
            "$body$",
            "`",
            "é",
            "\\'",
            "=",
            ";\n",
            ";\nSET NAMES ",
            "\n SET NAMES ",
        ],
    ),
];

/// Without other bytes than ASCII, because JavaScript does not report charsets that differ between parts.
const MAIL: &[&str] = &[
    "Content-Type: text/plain; charset=koi8-r\n",
    "content-type : text/html;\n CHARSET=\"gbk\"\n",
    "Content-Type: text/plain; x=\"; charset=gbk\"; charset = big5 (y)\n",
    "Content-Type: multipart/mixed; boundary=b\n",
    "Content-Type: multipart/digest; boundary=\"b b \"\n",
    "Content-Type: message/rfc822\n",
    "Content-Type: Message/Global; charset=euc-kr\n",
    "Content-Type:\n",
    "Content-Transfer-Encoding: Base64\n",
    "Content-Transfer-Encoding: 8bit\n",
    "Date: x\n",
    " folded\n",
    "text\n",
    ">From x\n",
    "From y\n",
    "\nFrom y\n",
    "\n--b\n",
    "--b--\n",
    "\n--b b\n",
    "--b b--\n",
    "--",
    "\n",
    "\n\n",
    "; charset=",
    "ibm866\n",
    ":",
];

const HEADS: &[&str] = &[
    "% Brief\n\n  \\documentclass[a4paper]{letter}\\usepackage[ansinew]{inputenc}\n",
    "\\documentstyle{x}\n\\usepackage [ cp1250 ] { inputenc }",
    "\\documentclass{a}\r\\usepackage[\r  latin9\r]{inputenc}\r",
    "\\documentclass{a}\n\\usepackage[isoir111x]{inputenc}\n",
    "x\n\\usepackage[latin2]{inputenc}\n",
    "\\documentclass{a}\n\\begin{filecontents}\n\\usepackage[latin2]{inputenc}\n\\begin{document}\\end{filecontents}\n\\usepackage[latin3]{inputenc}",
    "<%@ page contentType=\"text/html; charset=gbk\" %><%@ page pageEncoding=\"big5\" %><meta charset=koi8-r>",
    "<?xml version='1.0' encoding='gbk'?><%@ page pageEncoding=\"big5\" %><?php header('Content-Type: x; charset=koi8-r');?>",
    "<%@ page pageEncoding=\"x-foo\" %><meta charset=koi8-r>",
    "#!/usr/bin/php\n<?php header('Content-Type: text/html; charset=windows-1251');",
    "text <?php header('Content-Type: text/html; charset=windows-1251');",
    "BEGIN:VCALENDAR\nSUMMARY;CHARSET=ISO-8859-2:x\nSUMMARY;CHARSET=ISO-8859-2:y\nSUMMARY;CHARSET=x-foo:z\n",
    "BEGIN:VCARD\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=C3=A9\n",
    "\u{FEFF}0 HEAD\n1 CHAR UTF-8\n",
    "0 HEAD\n0 TRLR\n1 CHAR ANSI\n",
    "[Desktop Entry]\nEncoding=UTF-8\n<meta charset=gbk>",
    "/* x */\n/*!40101 SET NAMES latin1 */;\nSET NAMES gbk;\n",
    "CREATE TABLE a (b text);\nCOPY a FROM stdin;\nSET NAMES latin1;\n\\.\nSET client_encoding = 'LATIN2';\n",
    "SET @a = '\nSET NAMES latin1;\n';\n",
    "DO $x$\nSET NAMES latin1;\n$x$;\nSET NAMES latin2;\n",
];
