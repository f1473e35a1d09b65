//! Declarations in text that become wrong: those with unknown labels, and the words about them.

use crate::common::{Dir, pipe};

fn bytes(text: &str) -> Vec<u8> {
    textcodec::WINDOWS_1252.encode(text).unwrap().into_owned()
}

#[test]
fn declarations_with_unknown_labels_are_reported_and_corrected() {
    for (input, meant, by, output) in [
        (
            "<?xml version=\"1.0\" encoding=\"IBM437\"?><a>café</a>\n",
            "IBM437",
            "<?xml encoding=\"IBM437\"?> at byte 0",
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><a>café</a>\n",
        ),
        (
            "# coding: iso-latin-1\nx=\"é\"\n",
            "iso-latin-1",
            "a comment with coding: iso-latin-1 at byte 0",
            "# coding: utf-8\nx=\"é\"\n",
        ),
        (
            "#!/bin/x\n# coding: iso-latin-9\nx=\"é\"\n",
            "iso-latin-9",
            "a comment with coding: iso-latin-9 at byte 9",
            "#!/bin/x\n# coding: utf-8\nx=\"é\"\n",
        ),
        ("<meta charset=cp850>é", "cp850", "<meta charset=\"cp850\"> at byte 0", "<meta charset=utf-8>é"),
        ("<meta charset='bogus'>é", "bogus", "<meta charset=\"bogus\"> at byte 0", "<meta charset='utf-8'>é"),
        (
            "<meta http-equiv=content-type content='text/html; charset=cp437'>é",
            "cp437",
            "<meta http-equiv=\"content-type\"> with charset=cp437 at byte 0",
            "<meta http-equiv=content-type content='text/html; charset=utf-8'>é",
        ),
    ] {
        let result = pipe("-f windows-1252", &bytes(input));
        assert_eq!(result.stdout, input.as_bytes());
        let warning = format!(
            "standard input: still declared as '{meant}' by {by}, but now it is UTF-8; --update-declaration corrects it"
        );
        result.assert_message(0, &warning);
        // It was not followed.
        let result = pipe("-f windows-1252 --update-declaration", &bytes(input));
        assert_eq!(result.stdout, output.as_bytes());
        let warning = format!(
            "standard input: declared as '{meant}' by {by}, but converted from windows-1252, and now it is UTF-8; its label is \
             corrected"
        );
        result.assert_message(0, &warning);
    }
}

#[test]
fn text_that_only_looks_like_a_declaration_is_neither_reported_nor_changed() {
    for input in [
        "# Encoding: see the manual\né\n",
        "# Transfer encoding: base64\né\n",
        "<meta charset=\"{{ charset }}\">é",
        "<p>charset=cp850 é</p>",
        "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=CHARSET\\n\"\n# é\n",
    ] {
        pipe("-f windows-1252", &bytes(input)).assert_clean(input);
        pipe("-f windows-1252 --update-declaration", &bytes(input)).assert_clean(input);
    }
}

#[test]
fn an_unknown_label_is_no_evidence_for_detection() {
    let text = "<?xml version='1.0' encoding='IBM437'?><a>L’été à Orléans, la fête à Sète, où naïveté et garçon</a>\n";
    let dir = Dir::with([("in", &bytes(text))]);
    let result = dir.convert("-f auto --update-declaration in");
    assert_eq!(
        String::from_utf8(result.stdout).unwrap(),
        text.replace("IBM437", "utf-8").replace("'utf-8'", "'UTF-8'")
    );
    // But it makes the guess uncertain.
    let uncertain =
        "; but declared as IBM437 by <?xml encoding=\"IBM437\"?> at byte 0, a label that browsers do not know)";
    assert!(result.stderr.contains(uncertain), "{}", result.stderr);
    let result = dir.convert("-f auto --in-place in");
    assert_eq!((result.status, dir.read("in")), (1, bytes(text)), "{}", result.stderr);
}

#[test]
fn a_long_first_line_does_not_hide_the_declaration_of_the_second() {
    let input = format!("#{}\n# coding: latin-1\nx = 'é'\n", "x".repeat(2000));
    pipe("-f windows-1252 --update-declaration", &bytes(&input)).assert_clean(input.replace("latin-1", "utf-8"));
}

#[test]
fn a_dry_run_says_what_would_be() {
    let dir = Dir::with([("s.html", b"<meta charset=latin1>caf\xE9\n"), ("t.html", b"t\n")]);
    dir.convert("-f latin1 --dry-run -o z s.html").assert_message(
        0,
        "s.html: would still be declared as windows-1252 by <meta charset=\"latin1\"> at byte 0, but would be UTF-8; \
         --update-declaration corrects it\n\
         textcodec: s.html: windows-1252 to UTF-8, 26 to 27 bytes; nothing was written",
    );
    let result = dir.convert("-f koi8-r --dry-run -o z s.html");
    let expected = "s.html: declared as windows-1252 by <meta charset=\"latin1\"> at byte 0, but it would be converted from \
                    KOI8-R to UTF-8; --update-declaration corrects it\n";
    assert!(result.stderr.contains(expected), "{}", result.stderr);
}

#[test]
fn a_declaration_of_text_that_is_already_converted_is_corrected_without_a_warning() {
    let dir = Dir::with([("s.html", b"<meta charset=latin1>caf\xE9\n")]);
    dir.convert("-f latin1 --in-place -q s.html").assert_clean("");
    let result = dir.convert("-f latin1 --in-place --update-declaration -v s.html");
    assert_eq!((result.status, result.stderr.lines().count()), (0, 1), "{}", result.stderr);
    assert!(result.stderr.contains("; corrected: <meta charset=\"latin1\"> at byte 0"), "{}", result.stderr);
    assert_eq!(dir.read("s.html"), "<meta charset=utf-8>café\n".as_bytes());
}

/// The text of the output is examined in every encoding, whatever the bytes of a letter are.
#[test]
fn declarations_are_found_and_corrected_in_encodings_outside_the_standard() {
    for (to, label) in [
        ("UTF-32", "UTF-32"),
        ("UTF-32BE", "UTF-32BE"),
        ("UTF-32LE", "UTF-32LE"),
        ("true-ucs-2be", "ISO-10646-UCS-2"),
        ("true-ucs-2le", "ISO-10646-UCS-2"),
        ("UTF-16BE", "UTF-16"),
        ("UTF-7", "UTF-7"),
        ("UTF-7-IMAP", "UTF-7-IMAP"),
        ("true-hz", "HZ-GB-2312"),
        ("true-iso-2022-kr", "ISO-2022-KR"),
        ("JOHAB", "JOHAB"),
        ("GSM-03.38", "GSM0338"),
        ("IBM1047", "IBM1047"),
    ] {
        for (head, label) in [
            ("<?xml version=\"1.0\" encoding=\"EUC-JP\"?>\n", label.to_owned()),
            ("<p>1 + 1 &amp; <meta charset=Shift_JIS>\n", label.to_owned()),
            ("@charset \"EUC-JP\";\n", label.to_owned()),
            ("# a ~~ b + c\n# coding: euc-jp\n", label.to_ascii_lowercase()),
        ] {
            let old = ["EUC-JP", "euc-jp", "Shift_JIS"].into_iter().find(|old| head.contains(old)).unwrap();
            // More than the part that is examined.
            let letter = if ["true-hz", "true-iso-2022-kr", "JOHAB"].contains(&to) { 'α' } else { 'é' };
            let text = format!("{head}{}", format!("<a>{letter} \"x\" + y</a>\n").repeat(5000));
            let dir = Dir::with([("in", text.as_bytes()), ("more", b"more\n")]);
            let result = dir.convert(&format!("-t {to} in more -o out"));
            assert_eq!(result.status, 0, "{to} {}", result.stderr);
            let warning = format!(", but now it is {to}; --update-declaration corrects it");
            assert!(result.stderr.contains(&warning), "{to} {head} {}", result.stderr);
            dir.convert(&format!("-f {to} -q out")).assert_clean(format!("{text}more\n"));
            let updated = dir.convert(&format!("-t {to} --update-declaration in more -o updated"));
            assert_eq!(updated.status, 0, "{to} {}", updated.stderr);
            let back = dir.convert(&format!("-f {to} -q updated"));
            let expected = format!("{}more\n", text.replacen(old, &label, 1));
            assert_eq!(String::from_utf8(back.stdout).unwrap(), expected, "{to} {head}");
        }
    }
}

#[test]
fn a_declaration_is_wrong_for_cesu_8_even_if_no_byte_changes() {
    let text = "<?xml version='1.0' encoding='UTF-8'?><a>é</a>\n";
    pipe("-t cesu-8", text.as_bytes()).assert_message(
        0,
        "standard input: still declared as UTF-8 by <?xml encoding=\"UTF-8\"?> at byte 0, but now it is CESU-8; \
         --update-declaration corrects it",
    );
    pipe("-t cesu-8 --update-declaration", text.as_bytes()).assert_clean(text.replace("UTF-8", "CESU-8"));
    pipe("-f cesu-8 -t cesu-8", text.as_bytes()).assert_message_free(0);
}

/// A declaration of each kind, the text after it, and the new declaration.
const FOLLOWED: [(&str, &str, &str); 12] = [
    ("\\documentclass{a}\n\\usepackage[latin1]{inputenc}\n", "", "\\documentclass{a}\n\\usepackage[utf8]{inputenc}\n"),
    ("<%@ page pageEncoding=\"Cp1252\" %>\n", "", "<%@ page pageEncoding=\"UTF-8\" %>\n"),
    (
        "<?php header('Content-Type: text/html; charset=iso-8859-1'); ?>\n",
        "",
        "<?php header('Content-Type: text/html; charset=utf-8'); ?>\n",
    ),
    ("BEGIN:VCARD\nN;CHARSET=ISO-8859-1:", "\nEND:VCARD\n", "BEGIN:VCARD\nN;CHARSET=UTF-8:"),
    ("0 HEAD\n1 CHAR ANSI\n0 @1@ NOTE ", "\n0 TRLR\n", "0 HEAD\n1 CHAR UTF-8\n0 @1@ NOTE "),
    ("[Desktop Entry]\nEncoding=ISO-8859-1\nName=", "\n", "[Desktop Entry]\nEncoding=UTF-8\nName="),
    ("scriptencoding latin1\n\" ", "\n", "scriptencoding utf-8\n\" "),
    ("/*!40101 SET NAMES latin1 */;\nSELECT \"", "\";\n", "/*!40101 SET NAMES utf8mb4 */;\nSELECT \""),
    ("SET client_encoding = 'WIN1252';\n-- ", "\n", "SET client_encoding = 'UTF8';\n-- "),
    ("\n\n<?xml version='1.0' encoding='cp1252'?><a>", "</a>", "\n\n<?xml version='1.0' encoding='utf-8'?><a>"),
    (
        "<!-- x --><?xml version='1.0' encoding='latin1'?><a>",
        "</a>",
        "<!-- x --><?xml version='1.0' encoding='utf-8'?><a>",
    ),
    ("# coding: latin-1\n# ", "\n", "# coding: utf-8\n# "),
];

const FRENCH: &str = "La forêt est calme et l'élève rêve déjà de l'été à la mer.";

#[test]
fn the_declaration_that_is_followed_is_corrected() {
    let late = format!("<html><head><script>{}</script>", "var a=1;".repeat(400));
    let metas =
        [("<meta charset=latin1>", "<meta charset=utf-8>"), ("<META CHARSET='ISO-8859-1'>", "<META CHARSET='UTF-8'>")]
            .map(|(old, new)| (format!("{late}{old}"), "</head>", format!("{late}{new}")));
    let metas = metas.iter().map(|(old, after, new)| (&**old, *after, &**new));
    for (old, after, new) in FOLLOWED.into_iter().chain(metas) {
        let text = |head: &str| format!("{head}{FRENCH}{after}");
        let dir = Dir::with([("in", &bytes(&text(old)))]);
        let found = dir.convert("-f auto in");
        assert_eq!(found.stdout, text(old).as_bytes());
        assert!(found.stderr.contains("in: still declared as windows-1252 by "), "{old}: {}", found.stderr);
        dir.convert("-f auto --in-place --update-declaration in").assert_clean("");
        assert_eq!(String::from_utf8(dir.read("in")).unwrap(), text(new));
        // It is right now.
        dir.convert("-f auto --in-place --update-declaration in").assert_message_free(0);
        assert_eq!(String::from_utf8(dir.read("in")).unwrap(), text(new));
    }
}

#[test]
fn a_guess_does_not_replace_text_that_declares_what_cannot_be_decoded() {
    for (head, label, by) in [
        ("# coding: cp849\n# ", "cp849", "a comment with coding: cp849 at byte 0"),
        ("# -*- coding: x-foo -*-\n# ", "x-foo", "a comment with coding: x-foo at byte 0"),
        ("<?xml version='1.0' encoding='x-foo'?><a/>", "x-foo", "<?xml encoding=\"x-foo\"?> at byte 0"),
        ("<meta charset=x-mac-foo>", "x-mac-foo", "<meta charset=\"x-mac-foo\"> at byte 0"),
        ("0 HEAD\n1 CHAR ANSEL\n0 @1@ NOTE ", "ANSEL", "the line 1 CHAR ANSEL at byte 7"),
        ("[Desktop Entry]\nEncoding=Legacy-Mixed\nName=", "Legacy-Mixed", "the line Encoding=Legacy-Mixed at byte 16"),
        ("\\documentclass{a}\n\\usepackage[foo]{inputenc}\n", "foo", "inputenc with foo at byte 18"),
        ("SET NAMES geostd8;\n-- ", "geostd8", "SET NAMES geostd8 at byte 0"),
        ("Content-Type: text/plain; charset=x-foo\n\n", "x-foo", "the mail header with charset=x-foo at byte 0"),
        ("BEGIN:VCARD\nN;CHARSET=x-foo:", "x-foo", "a property with CHARSET=x-foo at byte 12"),
        ("@charset \"x-foo\";\n/* */ ", "x-foo", "@charset \"x-foo\" at byte 0"),
    ] {
        let text = format!("{head}{}\n", FRENCH.repeat(20));
        let dir = Dir::with([("in", &bytes(&text)), ("utf8", text.as_bytes()), ("ascii", head.as_bytes())]);
        for more in ["", "--update-declaration", "-q --update-declaration"] {
            let result = dir.convert(&format!("-f auto --in-place {more} in"));
            assert_eq!((result.status, dir.read("in") == bytes(&text)), (1, true), "{head} {}", result.stderr);
            let message = format!(
                "in: declared as '{label}' by {by}, and windows-1252 is only a guess; give the encoding with -f; left unchanged; \
                 --force converts it anyway"
            );
            if !more.contains("-q") {
                result.assert_message(1, &message);
            }
        }
        // UTF-8 and ASCII are not changed, and the label is corrected only with a message.
        dir.convert("-f auto --in-place utf8 ascii -q").assert_message_free(0);
        let result = dir.convert("-f auto --in-place --update-declaration utf8");
        let message = format!("declared as '{label}' by {by}, but it is UTF-8; its label is corrected");
        assert!(result.status == 0 && result.stderr.contains(&message), "{}", result.stderr);
        assert_ne!(dir.read("utf8"), text.as_bytes());
        // As the message says.
        assert_eq!(dir.convert("-f auto --in-place --force -q in").status, 0);
        assert_eq!(String::from_utf8(dir.read("in")).unwrap(), text);
    }
}

#[test]
fn a_declaration_is_overruled_only_with_a_message() {
    let by = |label: &str| format!("<meta charset=\"{label}\"> at byte 0");
    let page = |label: &str| format!("<meta charset={label}>{FRENCH}");
    // UTF-8, whatever the declaration says, with each way to say so.
    for arguments in ["", "-f utf-8", "-f auto"] {
        let result = pipe(&format!("{arguments} --update-declaration"), page("koi8-r").as_bytes());
        assert_eq!(result.stdout, page("utf-8").as_bytes());
        let message = format!("declared as KOI8-R by {}, but it is UTF-8; its label is corrected", by("koi8-r"));
        assert!(result.status == 0 && result.stderr.contains(&message), "{arguments} {}", result.stderr);
    }
    // The user's encoding is another one.
    let result = pipe("-f windows-1252 --update-declaration", &bytes(&page("koi8-r")));
    assert_eq!(result.stdout, page("utf-8").as_bytes());
    result.assert_message(
        0,
        &format!(
            "standard input: declared as KOI8-R by {}, but converted from windows-1252, and now it is UTF-8; its label is \
             corrected",
            by("koi8-r")
        ),
    );
    // Of two, one is followed.
    let two = |first: &str, second: &str| format!("<meta charset={first}><meta charset={second}>{FRENCH}");
    let result = pipe("-f auto --update-declaration", &bytes(&two("latin1", "shift_jis")));
    assert_eq!(result.stdout, two("utf-8", "utf-8").as_bytes());
    assert_eq!(result.stderr.matches("its label is corrected").count(), 1, "{}", result.stderr);
    assert!(
        result.stderr.contains("declared as Shift_JIS by <meta charset=\"shift_jis\"> at byte "),
        "{}",
        result.stderr
    );
    // The followed one needs no message, nor does one that is right, or ASCII.
    pipe("-f auto --update-declaration", &bytes(&page("latin1"))).assert_clean(page("utf-8"));
    pipe("--update-declaration", page("utf-8").as_bytes()).assert_clean(page("utf-8"));
}

#[test]
fn headers_of_other_parts_of_a_mail_are_left_alone() {
    let part = |charset: &str, body: &str| format!("--x\nContent-Type: text/plain; charset={charset}\n\n{body}\n");
    let head = "Content-Type: multipart/mixed; boundary=x\n\n";
    let russian = textcodec::KOI8_R.encode("Привет").unwrap();
    let mut input = bytes(&(head.to_owned() + &part("iso-8859-1", FRENCH) + &part("koi8-r", "")));
    input.extend_from_slice(&russian);
    let result = pipe("-f latin1 --update-declaration", &input);
    let output = String::from_utf8(result.stdout).unwrap();
    assert!(output.starts_with(&(head.to_owned() + &part("utf-8", FRENCH) + &part("koi8-r", ""))), "{output}");
    let message = "still declared as KOI8-R by the mail header with charset=koi8-r at byte ";
    assert!(result.stderr.contains(message), "{}", result.stderr);
    assert!(result.stderr.contains(", which is not windows-1252; its part may be damaged"), "{}", result.stderr);
}
