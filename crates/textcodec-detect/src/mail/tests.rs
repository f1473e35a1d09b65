use super::*;
use crate::{Confidence, detect};

fn parts(mail: &[u8], chunk_len: usize) -> Vec<Part> {
    let mut found = Vec::new();
    let mut scanner = Scanner::new();
    mail.chunks(chunk_len).for_each(|chunk| scanner.feed(chunk, &mut |part| found.push(part)));
    scanner.finish(&mut |part| found.push(part));
    found
}

/// Returns the places of the parts that are not ASCII.
fn places(mail: &[u8]) -> Vec<String> {
    parts(mail, mail.len().max(1)).iter().filter(|part| part.non_ascii > 0).map(ToString::to_string).collect()
}

/// Random sequences of what mails are made of.
fn soups() -> impl Iterator<Item = Vec<u8>> {
    let tokens: [&[u8]; 24] = [
        b"From a\n",
        b"From b@c Mon Jan  1\r\n",
        b"\n",
        b"\n",
        b"\r\n",
        b"Subject: \xE9\n",
        b"Content-Type: text/plain; charset=koi8-r\n",
        b"Content-Type: text/plain; charset=\n",
        b"Content-Type: multipart/mixed; boundary=b\n",
        b"Content-Type: multipart/signed; boundary=\"c\"\n",
        b"Content-Type: multipart/digest; boundary=b\n",
        b"Content-Type: message/rfc822\n",
        b"Content-Transfer-Encoding: base64\n",
        b"--b\n",
        b"--b\r\n",
        b"--b--\n",
        b"--c\n",
        b"--c--\n",
        b"\xC3\xA9\n",
        b"\xE9 text: 1\n",
        b" folded\n",
        b"\n\nFrom x: y\n\n",
        b"no line end",
        b">From a\n",
    ];
    let mut seed = 7_u64;
    let mut random = move |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    (0..3000).map(move |n| {
        let start: &[u8] =
            if n % 2 == 0 { b"From a\nSubject: 1\n" } else { b"Content-Type: multipart/mixed; boundary=b\n" };
        (0..random(24)).fold(start.to_vec(), |mut soup, _| {
            soup.extend(tokens[random(tokens.len())]);
            soup
        })
    })
}

#[test]
fn every_byte_is_in_at_most_one_part() {
    for soup in soups() {
        let mut end = 0;
        for part in parts(&soup, soup.len()) {
            let (header, body) = (part.header_range(), part.body.clone());
            let text = soup.escape_ascii();
            assert!(end <= header.start && header.end <= body.start && body.start <= body.end, "{text}: {part:?}");
            assert_eq!(part.header(), &soup[header.start as usize..header.end as usize], "{text}");
            let bytes = &soup[body.start as usize..body.end as usize];
            assert_eq!(part.non_ascii, bytes.iter().filter(|byte| !byte.is_ascii()).count() as u64, "{text}: {part:?}");
            let line = |at: usize| soup[..at].split(|&byte| byte == b'\n').count() as u64;
            assert_eq!(part.line, line(header.start as usize), "{text}: {part:?}");
            let first = bytes.iter().position(|byte| !byte.is_ascii());
            assert_eq!(part.non_ascii_line, first.map(|at| line(body.start as usize + at)), "{text}: {part:?}");
            end = body.end;
        }
        assert!(end <= soup.len() as u64);
    }
}

#[test]
fn chunks_do_not_change_the_parts() {
    for soup in soups().take(500) {
        let whole = parts(&soup, soup.len());
        for len in [1, 2, 7] {
            assert_eq!(parts(&soup, len), whole, "{}", soup.escape_ascii());
        }
    }
    let mail = [b"Content-Type: text/plain\n\n", "é".repeat(100_000).as_bytes(), b"\n--b\n"].concat();
    for len in [1, 1000, 4096, 65_537, mail.len()] {
        let [part] = &*parts(&mail, len) else { panic!("one part") };
        assert_eq!((part.non_ascii, part.is_utf_8, part.non_ascii_line), (200_000, true, Some(3)), "{len}");
    }
}

#[test]
fn messages_begin_at_separators_only() {
    let mail =
        b"From a\nSubject: 1\n\n\xE9\n\nFrom b\nSubject: 2\n\n\xE9\nFrom c\nX: y\n\nFrom here\n\n\xE9\n\nFrom d\n";
    assert_eq!(places(mail), ["message 1, line 4", "message 2, line 9"]);
    // Some programs write no empty line before a separator.
    let mail = b"From a\nSubject: 1\n\n\xE9\nFrom b\nReceived: c\n\n\xE9\nFrom d\nDate: e\n \nf\n\n\xE9\n";
    assert_eq!(places(mail), ["message 1, line 4", "message 2, line 8"]);
    // Without a separator at the start, there is one message.
    assert_eq!(places(b"Subject: 1\n\n\nFrom b\nSubject: 2\n\n\xE9\n"), ["message 1, line 7"]);
    for text in
        [&b""[..], b"\n", b"text", b"text\nSubject: 1\n\n", b"From a\ntext\n", b"From a\n\n", b": a\n\n", b" a: b\n\n"]
    {
        assert_eq!(parts(text, 3), [], "{}", text.escape_ascii());
    }
}

#[test]
fn numbers_of_parts_are_those_of_imap() {
    let mail = b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\n\xE9\n--b\nContent-Type: multipart/mixed; boundary=\"b c\"\n\n\
        --b c\n\n\xE9\n--b c\n\n\xE9\n--b c--\n\xE9\n--b\nContent-Type: message/rfc822\n\nSubject: 1\n\n\xE9\n--b--\n\xE9\n";
    let expected = ["part 1, line 5", "part 2.1, line 11", "part 2.2, line 14", "part 3, line 22"];
    assert_eq!(places(mail), expected.map(|place| format!("message 1, {place}")));
}

#[test]
fn parameters_in_quotes_are_not_those_of_the_field() {
    let label = |content_type: &str| {
        let mail = format!("Content-Type: {content_type}\n\n");
        parts(mail.as_bytes(), mail.len())[0].label().map(|(_, label)| String::from_utf8_lossy(label).into_owned())
    };
    for (content_type, expected) in [
        ("text/plain; charset=a", Some("a")),
        ("text/plain; name=\"x; charset=b\"; charset=a", Some("a")),
        ("text/plain; name=\"x\\\"; charset=b\"; charset=\"a\"", Some("a")),
        ("text/plain; xcharset=b;CHARSET = a (b)", Some("a")),
        ("text/plain;\n\tcharset=a;\n b=c", Some("a")),
        ("text/plain; charset=", Some("")),
        ("text/plain; charset=\"a", None),
        ("text/plain; charset*=a", None),
        ("text/plain; name=charset", None),
        ("charset=a", None),
    ] {
        assert_eq!(label(content_type).as_deref(), expected, "{content_type}");
    }
}

#[test]
fn a_mail_with_several_charsets_has_low_confidence() {
    let message = |label: &str, text: &[u8]| {
        [b"From a\nContent-Type: text/plain; charset=", label.as_bytes(), b"\n\n", text, b"\n\n"].concat()
    };
    let (russian, german) = (&b"\xFE\xC1\xCA \xC7\xCF\xD4\xCF\xD7"[..], &b"Gr\xFC\xDFe"[..]);
    let is_mixed = |mail: &[&[u8]]| {
        let detection = detect(&mail.concat());
        assert!(detection.charsets.is_empty() || detection.confidence == Confidence::Low);
        detection.charsets.iter().map(|group| group.charset.clone()).collect::<Vec<_>>()
    };
    let koi8 = message("koi8-r", russian);
    assert_eq!(is_mixed(&[&koi8, &message("iso-8859-1", german)]), ["KOI8-R", "windows-1252"]);
    assert_eq!(is_mixed(&[&koi8, &message("x-foo", german)]), ["KOI8-R", "'x-foo'"]);
    assert_eq!(is_mixed(&[&koi8, &message("us-ascii", german)]), ["KOI8-R", "no charset"]);
    assert_eq!(is_mixed(&[&koi8, &message("iso-2022-jp", b"\x1B$B$*\x1B(B")]), ["KOI8-R", "ISO-2022-JP"]);
    assert_eq!(is_mixed(&[&koi8, &message("utf-8", "Чай".as_bytes())]), ["KOI8-R", "UTF-8"]);
    // A charset decodes nothing in ASCII, two names can have one meaning, and UTF-8 is one text, whatever headers say.
    let same: [&[&[u8]]; 4] = [
        &[&koi8, &message("iso-8859-1", b"ASCII")],
        &[&koi8, &message("KOI8", russian)],
        &[&message("iso-8859-1", german), &message("windows-1252", german)],
        &[&message("koi8-r", "Чай".as_bytes()), &message("utf-8", "Чай".as_bytes())],
    ];
    for mail in same {
        assert_eq!(is_mixed(mail), Vec::<String>::new());
    }
    let many: Vec<_> = (0..2000).map(|n| message(["koi8-r", "iso-8859-1"][n % 2], german)).collect();
    let reason = "a mail with parts in 2 charsets: KOI8-R in message 1, line 4, and in 999 more; windows-1252 in message 2, line 9, \
        and in 999 more";
    assert_eq!(detect(&many.concat()).reason(), reason);
}
