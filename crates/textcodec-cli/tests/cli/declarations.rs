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
        pipe("-f windows-1252 --update-declaration", &bytes(input)).assert_clean(output);
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
    assert_eq!((result.status, dir.read("in")), (3, bytes(text)), "{}", result.stderr);
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
