//! `convert --mail`, and mails that are not one text.
//!
//! Each mail is written together with what it must become, so that no parser is needed to know the result: everything is the same
//! but the text in a charset of 8 bits, and that charset in the header.

mod written;

use std::fs;

use written::{Mail, TEXTS, charset, encoded, random_part};

use crate::common::{Dir, RunResult, pipe};

/// Converts mails in place, one by one in a directory, and asserts that each becomes what it must, and then stays so.
#[track_caller]
fn assert_converted(mails: &[Mail]) {
    let dir = Dir::new();
    fs::create_dir(dir.path("mails")).unwrap();
    let name = |n: usize| format!("mails/{n:04}");
    for (n, mail) in mails.iter().enumerate() {
        fs::write(dir.path(&name(n)), &mail.before).unwrap();
    }
    for _ in 0..2 {
        let result = dir.convert("--mail --in-place -q -r mails");
        assert_eq!((result.status, &*result.stderr), (0, ""));
        for (n, mail) in mails.iter().enumerate() {
            let (found, expected) = (dir.read(&name(n)), &mail.after);
            assert_eq!(found.escape_ascii().to_string(), expected.escape_ascii().to_string(), "mail {n}");
        }
    }
    // The other outputs are the same.
    if let [first, ..] = mails {
        fs::write(dir.path("first"), &first.before).unwrap();
        let directory = dir.convert("--mail -q --output-dir out first");
        assert_eq!((directory.status, dir.read("out/first")), (0, first.after.clone()));
        assert_eq!((dir.convert("--mail -q -o o first").status, dir.read("o")), (0, first.after.clone()));
        let piped = pipe("--mail -q", &first.before);
        assert_eq!((piped.status, piped.stdout), (0, first.after.clone()));
    }
}

/// Ten mails of a kind.
fn ten(mail: impl Fn(usize) -> Mail) -> Vec<Mail> {
    (0..10).map(mail).collect()
}

#[test]
fn a_mailbox_with_several_charsets() {
    assert_converted(&ten(|n| {
        let message = |mail: Mail, n: usize| {
            mail.fixed(format!("From user{n}@example.net Mon Jan  1 00:00:0{} 2001\nSubject: {n}\n", n % 10)).part(n)
        };
        let mail = message(message(Mail::new(n % 2 == 1), n).fixed("\n"), n + 3);
        let mail =
            mail.fixed("\n>From here on, nothing\nFrom the middle: no message\n\nFrom a to b\n\nFrom: nobody\n\n");
        message(mail, n + 7)
    }));
}

#[test]
fn a_message_with_alternatives() {
    assert_converted(&ten(|n| {
        Mail::new(n % 2 == 1)
            .fixed(b"From: a\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=\"=_b 1\"\n\npreamble \xE9\n--=_b 1\n")
            .part(n)
            .fixed("--=_b 1  \n")
            .part(n + 5)
            .fixed("--=_b 1--\nepilogue\n")
    }));
}

#[test]
fn a_message_with_attachments() {
    assert_converted(&ten(|n| {
        Mail::new(n % 2 == 1)
            .fixed("Content-Type: multipart/mixed;\n boundary=b;\n type=x\nFrom: a\n\n--b\n")
            .other_part(n)
            .fixed("--b\n")
            .part(n)
            .fixed("--b\n")
            .other_part(n + 2)
            .fixed("--bc\nis no boundary, and neither is --b\n--b--\n")
    }));
}

#[test]
fn a_message_within_a_message() {
    assert_converted(&ten(|n| {
        let outer = Mail::new(n % 2 == 1).fixed("From: a\nContent-Type: multipart/mixed; boundary=o\n\n--o\n").part(n);
        let inner = match n % 3 {
            0 => outer.fixed("--o\nContent-Type: message/rfc822\n\nSubject: inner\n").part(n + 1),
            1 => outer
                .fixed("--o\nContent-Type: message/rfc822\n\nContent-Type: multipart/mixed; boundary=i\n\n--i\n")
                .part(n + 1)
                .fixed("--i\n")
                .other_part(n)
                .fixed("--i--\n"),
            _ => outer
                .fixed("--o\nContent-Type: multipart/digest; boundary=d\n\n--d\n\nSubject: first\n")
                .part(n + 1)
                .fixed("--d\n\nSubject: second\n")
                .part(n + 4)
                .fixed("--d--\n"),
        };
        inner.fixed("--o\n").part(n + 2).fixed("--o--\n")
    }));
}

#[test]
fn signed_parts_stay_as_they_are() {
    let signed = |n: usize| {
        let (label, text) = TEXTS[n];
        let part = format!("Content-Type: text/plain; charset={label}\n\n");
        let content = [part.as_bytes(), &encoded(label, text)].concat();
        match n % 2 {
            0 => {
                let start = b"Content-Type: multipart/signed; boundary=s; micalg=pgp-sha256\n\n--s\n";
                [start, &*content, b"--s\nContent-Type: application/pgp-signature\n\nabc\n--s--\n"].concat()
            }
            _ => {
                let (start, end) = ("-----BEGIN PGP SIGNED MESSAGE-----\n\n", "-----BEGIN PGP SIGNATURE-----\n");
                [part.as_bytes(), start.as_bytes(), &encoded(label, text), end.as_bytes()].concat()
            }
        }
    };
    let start = "From: a\nContent-Type: multipart/mixed; boundary=m\n\n--m\n";
    assert_converted(&ten(|n| Mail::new(n % 4 < 2).fixed(start).part(n + 1).fixed("--m\n").fixed(signed(n))));
    // A message says so.
    let dir = Dir::with([("a", &[start.as_bytes(), &signed(0)].concat())]);
    let result = dir.convert("--mail --in-place a");
    result.assert_message(0, "a: 1 part is signed, and left unchanged with the charset: message 1, part 1.1, line 10");
}

#[test]
fn damaged_mails_lose_nothing() {
    assert_converted(&[
        // No boundary at the end, no line end, and a boundary that is never used.
        Mail::new(false).fixed("Content-Type: multipart/mixed; boundary=b\n\n--b\n").part(0),
        Mail::new(true).fixed("Content-Type: multipart/mixed; boundary=b\n\n--b\n").part(1).fixed("the end"),
        Mail::new(false).fixed(b"Content-Type: multipart/mixed; boundary=b\n\n\x80\xFF\n--c\ntext\n"),
        // No boundary, and one without text.
        Mail::new(false).fixed(b"Content-Type: multipart/mixed\n\n--b\n\xC0\xFF\n"),
        Mail::new(false).fixed("Content-Type: multipart/mixed; boundary=b\n\n--b\n--b\n--b\n").part(3).fixed("--b\n"),
        // The header of a part ends without an empty line.
        Mail::new(false)
            .fixed("Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain; charset=")
            .label("koi8-r")
            .fixed("\nno empty line\n")
            .text("koi8-r", "Чай\n")
            .fixed("--b--\n"),
        // An inner boundary is missing, so that the outer one ends both.
        Mail::new(false)
            .fixed(
                "Content-Type: multipart/mixed; boundary=o\n\n--o\nContent-Type: multipart/mixed; boundary=i\n\n--i\n",
            )
            .part(2)
            .fixed("--o\n")
            .part(4)
            .fixed(b"--o--\n--i\n\x80\n"),
        // Two fields of the same name, of which the first counts.
        Mail::new(false)
            .fixed("Content-Type: text/plain; charset=")
            .label("koi8-r")
            .fixed("\nContent-Type: text/plain; charset=big5\n\n")
            .text("koi8-r", "Чай\n"),
        // Bytes that are not characters of any text, in a part that is not text.
        Mail::new(false)
            .fixed(b"Content-Type: image/png\nContent-Transfer-Encoding: binary\n\n\x89PNG\r\n\x1A\n\x00\xFF"),
        // An unknown transfer encoding, and none.
        Mail::new(false)
            .fixed("Content-Transfer-Encoding: x-what\nContent-Type: text; charset=")
            .label("koi8-r")
            .fixed("\n\n")
            .text("koi8-r", "Чай\n"),
        // A header of a mailbox that ends with the file.
        Mail::new(false).fixed("From a\nSubject: 1\n").part(0).fixed("\nFrom b\nSubject: cut"),
        Mail::new(false).fixed("From a\nSubject: 1\n\n"),
    ]);
}

#[test]
fn a_mail_that_is_cut_anywhere_loses_nothing() {
    let dir = Dir::new();
    fs::create_dir(dir.path("mails")).unwrap();
    let (header, rest) = ("From: a\nContent-Type: text/plain; charset=", "\nSubject: tea\n\n");
    let text = "Чай готов,\nприходите.\n";
    let whole = Mail::new(false).fixed(header).label("koi8-r").fixed(rest).text("koi8-r", text);
    let body = header.len() + "koi8-r".len() + rest.len();
    for cut in 1..whole.before.len() {
        fs::write(dir.path(&format!("mails/{cut:03}")), &whole.before[..cut]).unwrap();
    }
    dir.convert("--mail --in-place -q -r mails");
    for cut in 1..whole.before.len() {
        let found = dir.read(&format!("mails/{cut:03}"));
        let after: String = text.chars().take(cut.saturating_sub(body)).collect();
        if after.is_ascii() {
            assert!(found == whole.before[..cut], "cut at {cut}");
        } else {
            let head = Mail::new(false).fixed(header).label("koi8-r").fixed(rest).after;
            assert!(found == [&*head, after.as_bytes()].concat(), "cut at {cut}");
        }
    }
    // An incomplete character is an error in place, and the file stays.
    let (label, text) = ("shift_jis", encoded("shift_jis", "お茶"));
    let mail = [format!("Content-Type: text/plain; charset={label}\n\n").as_bytes(), &text[..3]].concat();
    let dir = Dir::with([("a", &mail)]);
    let result = dir.convert("--mail --in-place a");
    assert!(result.stderr.starts_with("textcodec: a: malformed Shift_JIS at byte 47 (92): "), "{}", result.stderr);
    assert_eq!((result.status, dir.read("a")), (3, mail));
}

#[test]
fn parts_in_base64_next_to_parts_with_8_bits() {
    assert_converted(&ten(|n| {
        let start = "Subject: =?koi8-r?B?/sHK?=\nContent-Type: multipart/related; boundary=\"b\"\n\n--b\n";
        let mail = Mail::new(n % 2 == 0).fixed(start).other_part(n % 2).fixed("--b\n").part(n).fixed("--b\n");
        mail.other_part(1 - n % 2).fixed("--b\n").part(n + 6).fixed("--b--\n")
    }));
}

#[test]
fn unknown_charsets_are_refused_with_a_list() {
    for label in [
        "x-foo",
        "cp4711",
        "\"unknown-8bit\"",
        "x-user",
        "iso-8859-99",
        "koi9-r",
        "???",
        "8bit",
        "mac-klingon",
        "utf-99",
    ] {
        let good = Mail::new(false).fixed("From a\nSubject: 1\n").part(0).before;
        let bad = [b"\nFrom b\nContent-Type: text/plain; charset=", label.as_bytes(), b"\n\n\n\xE9t\xE9\n"].concat();
        let mail = [good, bad].concat();
        let dir = Dir::with([("a", &mail)]);
        let name = label.trim_matches('"');
        let why =
            format!("a: not every part has a charset to convert from: message 2, line 12: unknown charset '{name}'");
        dir.convert("--mail --in-place a").assert_message(1, &format!("{why}; left unchanged"));
        // A charset that is unknown is not a missing one.
        assert_eq!(dir.convert("--mail -f latin1 --in-place a").status, 1);
        dir.convert("--mail --output-dir out a").assert_message(1, &format!("{why}; left unchanged"));
        dir.convert("--mail -o o a").assert_message(1, &format!("{why}; nothing was converted"));
        assert_eq!(dir.convert_stdin("a", "--mail").stdout, b"");
        assert_eq!((dir.read("a"), dir.path("o").exists(), dir.path("out/a").exists()), (mail, false, false));
    }
}

#[test]
fn text_without_a_charset_needs_an_encoding() {
    let (text, koi8) = ("Чай готов\n", encoded("koi8-r", "Чай готов\n"));
    for (before, after) in [
        ("Subject: a\n\n", "Subject: a\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n"),
        ("Subject: a\r\n\r\n", "Subject: a\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n"),
        (
            "MIME-Version: 1.0\nSubject: a\n\n",
            "MIME-Version: 1.0\nSubject: a\nContent-Type: text/plain; charset=utf-8\n\n",
        ),
        ("Content-Type: text/plain\n\n", "Content-Type: text/plain; charset=utf-8\n\n"),
        ("Content-Type: text/html;\n\n", "Content-Type: text/html; charset=utf-8\n\n"),
        ("Content-Type: text\nSubject: a\n\n", "Content-Type: text; charset=utf-8\nSubject: a\n\n"),
        ("Content-Type: text/plain; charset=us-ascii\n\n", "Content-Type: text/plain; charset=utf-8\n\n"),
        ("Content-Type: text/plain; charset=\"US-ASCII\"\n\n", "Content-Type: text/plain; charset=\"UTF-8\"\n\n"),
        ("Content-Type: text/plain; charset=\n\n", "Content-Type: text/plain; charset=utf-8\n\n"),
        ("Content-Type: text/plain; charset=\"\"; a=b\n\n", "Content-Type: text/plain; charset=\"utf-8\"; a=b\n\n"),
        (
            "Content-Type: multipart/mixed; boundary=b\n\n--b\n\n",
            "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain; charset=utf-8\n\n",
        ),
        (
            "Content-Type: multipart/mixed; boundary=b\n\n--b\nno header ",
            "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain; charset=utf-8\n\nno header ",
        ),
    ] {
        let mail = [before.as_bytes(), &koi8].concat();
        let dir = Dir::with([("a", &mail)]);
        let refused = dir.convert("--mail --in-place a");
        assert!(refused.stderr.contains(": no charset; the encoding of text without a charset"), "{}", refused.stderr);
        assert_eq!((refused.status, dir.read("a")), (1, mail), "{before}");
        for _ in 0..2 {
            dir.convert("--mail -f koi8-r --in-place a").assert_clean("");
            assert_eq!(String::from_utf8(dir.read("a")).unwrap(), format!("{after}{text}"), "{before}");
        }
        // Then it needs no more.
        dir.convert("--mail --in-place a").assert_clean("");
    }
}

#[test]
fn raw_headers_are_in_the_charset_of_their_message() {
    let raw = |mail: Mail| {
        let mail = mail.fixed("Subject: ").text("koi8-r", "Чай").fixed("\nX-A: b\nContent-Type: text/plain; charset=");
        mail.label("koi8-r").fixed("; name=\"").text("koi8-r", "файл").fixed("\"\n\n").text("koi8-r", "Чай\n")
    };
    let header =
        Mail::new(true).fixed("To: ").text("windows-1251", "Иван").fixed("\n folded ").text("windows-1251", "Я");
    assert_converted(&[
        raw(Mail::new(false)),
        raw(Mail::new(true)),
        // That of the first part with 8 bits, in each message.
        header.fixed("\nContent-Type: multipart/mixed; boundary=b\n\n--b\n").other_part(0).fixed("--b\n").part(2),
        raw(Mail::new(false).fixed("From a\nSubject: x\n").part(8).fixed("\nFrom b\n")),
    ]);
    // Nothing shows the charset. UTF-8 stays.
    let mail = b"Subject: \xFE\xC1\xCA\nContent-Type: text/plain; charset=koi8-r\n\nASCII\n";
    let dir = Dir::with([("a", mail), ("b", "Subject: Чай\n\nASCII\n".as_bytes())]);
    let result = dir.convert("--mail --in-place a");
    assert!(result.status == 1 && result.stderr.contains("a header that is not ASCII"), "{}", result.stderr);
    for _ in 0..2 {
        dir.convert("--mail -f koi8-r --in-place -q a b").assert_clean("");
        assert_eq!(dir.read("a"), "Subject: Чай\nContent-Type: text/plain; charset=koi8-r\n\nASCII\n".as_bytes());
    }
    // In another encoding, a second run would convert it once more.
    fs::write(dir.path("a"), mail).unwrap();
    assert_eq!(dir.convert("--mail -f koi8-r -t windows-1251 --in-place a").status, 1);
    assert_eq!(dir.read("a"), mail);
}

#[test]
fn lengths_in_headers_stay_right() {
    for (label, text) in TEXTS {
        let (before, after) = (encoded(label, text), charset(label).decode(&encoded(label, text)).text.into_owned());
        let start = |len: usize| format!("From a\nContent-Length:  {len}\nLines: 1\n");
        let mail =
            |len: usize| Mail::new(false).fixed(start(len)).fixed("Content-Type: text/plain; charset=").label(label);
        let old = [mail(before.len()).before, b"\n\n".to_vec(), before].concat();
        let new = [mail(after.len()).after, b"\n\n".to_vec(), after.into_bytes()].concat();
        let result = pipe("--mail", &old);
        assert_eq!((result.status, result.stdout == new), (0, true), "{label}");
    }
    // One that is wrong stays wrong by as much, and one that is no number stays.
    let mail = |len: &str, text: &[u8]| {
        let header = format!("Content-Length: {len}\nDKIM-Signature: a=b\nContent-Type: text/plain; charset=");
        let label: &[u8] = if text.is_ascii() || str::from_utf8(text).is_err() { b"koi8-r" } else { b"utf-8" };
        [header.as_bytes(), label, b"\n\n", text].concat()
    };
    for (before, after) in [("100", "103"), ("x", "x"), ("", "")] {
        let result = pipe("--mail", &mail(before, &encoded("koi8-r", "Чай\n")));
        assert_eq!(
            result.stdout.escape_ascii().to_string(),
            mail(after, "Чай\n".as_bytes()).escape_ascii().to_string()
        );
        result.assert_message(
            0,
            "standard input: 1 message with a DKIM signature, which no longer fits the text: message 1",
        );
    }
}

#[test]
fn text_that_is_utf_8_in_spite_of_its_charset_is_refused() {
    for label in ["koi8-r", "ISO-8859-1", "windows-1251", "shift_jis", "big5"] {
        let text = "Чай готов, приходите в гости.\n";
        let mail = format!("Content-Type: text/plain; charset={label}\n\n{text}");
        let dir = Dir::with([("a", mail.as_bytes())]);
        let result = dir.convert("--mail --in-place a");
        assert!(result.status == 1 && result.stderr.contains("message 1, line 3: is UTF-8, not "), "{}", result.stderr);
        assert_eq!(dir.read("a"), mail.as_bytes());
    }
}

#[test]
fn other_targets_than_utf_8() {
    let mail = |label: &str| {
        let text = encoded(label, "Чай готов\n");
        [format!("Content-Type: text/plain; charset=\"{label}\"\n\n").as_bytes(), &text].concat()
    };
    for (from, to) in
        [("koi8-r", "windows-1251"), ("windows-1251", "iso-8859-5"), ("utf-8", "koi8-r"), ("ibm866", "koi8-r")]
    {
        let dir = Dir::with([("a", &mail(from))]);
        for _ in 0..2 {
            dir.convert(&format!("--mail -t {to} --in-place a")).assert_clean("");
            assert_eq!(dir.read("a").escape_ascii().to_string(), mail(to).escape_ascii().to_string());
        }
    }
    // An unmappable character is an error, with its place in the file.
    let result = pipe("--mail -t windows-1252", &mail("koi8-r"));
    assert!(result.stderr.contains("unmappable in windows-1252 at line 3, column 1: "), "{}", result.stderr);
    for (arguments, why) in [
        ("-t utf-16le", "text in UTF-16LE cannot be part of a mail, whose headers are ASCII"),
        ("-t iso-2022-jp", "text in ISO-2022-JP cannot be part of a mail, whose headers are ASCII"),
        ("-f ibm1047", "text in IBM1047 cannot be part of a mail, whose headers are ASCII"),
        ("-t isomorphic", "ISO-8859-1 has no name of its own as a charset; use windows-1252, or UTF-8"),
        (
            "-f auto",
            "the encodings are those of the headers; -f is that of text without a charset, and is not detected",
        ),
    ] {
        let result = pipe(&format!("--mail {arguments}"), b"");
        assert!(result.status == 2 && result.stderr.contains(&format!("--mail: {why}")), "{}", result.stderr);
    }
    let result = pipe("--mail", b"Dear all,\n");
    assert!(result.status == 3 && result.stderr.contains("is not a mail"), "{}", result.stderr);
}

/// A mailbox of random messages: everything outside of the converted text and its charsets is the same.
#[test]
fn random_mailboxes_change_only_where_they_must() {
    let mut seed = 1_u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let mails: Vec<_> = (0..300)
        .map(|_| {
            let mut mail = Mail::new(random(2) == 1);
            for n in 0..=random(4) {
                mail = random_part(mail.fixed(format!("From a{n}\nTo: b\n")), 0, &mut random).fixed("\n");
            }
            mail
        })
        .collect();
    assert_converted(&mails);
}

#[test]
fn a_mail_with_several_charsets_is_not_one_text() {
    let messages = |n: usize| {
        let mail = Mail::new(n % 2 == 1).fixed("From a\nTo: b\n").part(n).fixed("\nFrom b\nTo: c\n").other_part(0);
        mail.fixed("\nFrom c\n").part(n + 1).before
    };
    for n in 0..10 {
        let mail = messages(n);
        let dir = Dir::with([("a", &mail)]);
        let detected = RunResult::of(&mut dir.textcodec("detect a"));
        let detected = String::from_utf8(detected.stdout).unwrap();
        assert!(detected.contains(" low ") && detected.contains("a mail with parts in 2 charsets: "), "{detected}");
        let json = RunResult::of(&mut dir.textcodec("detect --json a"));
        let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
        assert_eq!((&json["charsets"][1]["parts"], json["charsets"].as_array().unwrap().len()), (&1.into(), 2));
        for arguments in ["--in-place a", "--in-place=.bak a", "--output-dir out a", "-o o a", "a", "--in-place -q a"] {
            let result = dir.convert(&format!("-f auto --update-declaration {arguments}"));
            assert_eq!((result.status, &*result.stdout), (1, &b""[..]), "{arguments}: {}", result.stderr);
            assert!(
                arguments.contains("-q") || result.stderr.contains("in message 3, line "),
                "{arguments}: {}",
                result.stderr
            );
        }
        assert_eq!(dir.convert_stdin("a", "-f auto").status, 1);
        assert_eq!((dir.read("a"), dir.names()), (mail, vec!["a".to_owned()]));
    }
    // With one charset, the whole is one text.
    let mail = Mail::new(false).fixed("From a\n").part(0).fixed("\nFrom b\n").other_part(0).fixed("\nFrom c\n").part(0);
    let result = pipe("-f auto --update-declaration -q", &mail.before);
    assert_eq!((result.status, result.stdout == mail.after), (0, true), "{}", result.stderr);
}
