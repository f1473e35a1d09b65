//! Conversions that are run twice, or given text that has already been converted.

use std::fs;

use textcodec::Encoding;

use crate::common::{Dir, RunResult, as_on_unix};

/// A French page in windows-1252, with a declaration and few non-ASCII characters.
fn page(n: usize) -> String {
    let words = ["méthane", "déjà vu", "où", "garçon et naïveté", "l’été à Orléans, Noël à Besançon, la fête à Sète"];
    let declaration = match n % 4 {
        0 => "<meta charset=\"iso-8859-1\">",
        1 => "<meta http-equiv=\"Content-Type\" content=\"text/html; charset=windows-1252\">",
        2 => "<!-- no declaration -->",
        _ => "<meta charset='latin1'>",
    };
    format!("<!DOCTYPE html>{declaration}<title>Page {n}</title><p>{}</p>\n", words[n % words.len()])
}

/// Creates a directory `pages` with 200 pages in windows-1252, and a few that are UTF-8 in spite of their declaration.
pub(crate) fn pages() -> (Dir, Vec<(String, String)>) {
    let dir = Dir::new();
    fs::create_dir(dir.path("pages")).unwrap();
    let pages: Vec<_> = (0..200).map(|n| (format!("pages/{n:03}.html"), page(n))).collect();
    for (n, (name, text)) in pages.iter().enumerate() {
        let bytes = if n % 20 == 7 { text.as_bytes().into() } else { textcodec::WINDOWS_1252.encode(text).unwrap() };
        fs::write(dir.path(name), bytes).unwrap();
    }
    (dir, pages)
}

#[track_caller]
pub(crate) fn assert_all_converted(dir: &Dir, pages: &[(String, String)]) {
    for (name, text) in pages {
        assert_eq!(String::from_utf8(dir.read(name)).as_deref(), Ok(text.as_str()), "{name}");
    }
}

#[test]
fn a_second_conversion_in_place_leaves_utf_8_alone() {
    let (dir, pages) = pages();
    let first = dir.convert("-f windows-1252 -r --in-place -q pages");
    assert_eq!((first.status, first.stderr.as_str()), (0, ""));
    assert_all_converted(&dir, &pages);
    let again = dir.convert("-f windows-1252 -r --in-place pages");
    again.assert_message(
        0,
        "200 files: 0 converted, 200 already UTF-8\n  files that are already UTF-8 were left unchanged; --force converts them anyway",
    );
    assert_all_converted(&dir, &pages);
    let again = dir.convert("-f windows-1252 -r --in-place --report=json pages");
    let json: serde_json::Value = serde_json::from_slice(&again.stdout).unwrap();
    assert_eq!((&json["files"][0]["outcome"], &json["exit_status"]), (&"already".into(), &0.into()));
    assert_eq!(json["files"][0]["why"], "already UTF-8, not windows-1252");
    assert_eq!((&json["counts"]["already"], &json["counts"]["converted"]), (&200.into(), &0.into()));
    assert_eq!(dir.convert("-f windows-1252 -r --in-place -q --force pages").status, 0);
    assert_eq!(dir.read("pages/000.html"), page(0).replace('é', "Ã©").as_bytes());
}

#[test]
fn a_second_conversion_of_a_mailbox_changes_nothing() {
    let message = |label: &str, text: &str| {
        let text = Encoding::for_label(label).unwrap().encode(text).unwrap().into_owned();
        [
            b"From a\nSubject: ",
            &*text,
            b"\nContent-Type: text/plain; charset=",
            label.as_bytes(),
            b"\n\n",
            &text,
            b"\n\n",
        ]
        .concat()
    };
    let (russian, german) = ("Чай готов", "Grüße aus Köln");
    for (labels, to) in [
        (["koi8-r", "iso-8859-1"], "utf-8"),
        (["utf-8", "windows-1252"], "utf-8"),
        (["windows-1251", "koi8-r"], "utf-8"),
        (["koi8-r", "utf-8"], "gb18030"),
        (["iso-8859-5", "iso-8859-15"], "utf-8"),
    ] {
        let text = |n: usize| {
            if ["windows-1252", "iso-8859-1", "iso-8859-15"].contains(&labels[n]) { german } else { russian }
        };
        let mailbox = |labels: [&str; 2]| [message(labels[0], text(0)), message(labels[1], text(1))].concat();
        let dir = Dir::with([("a", &mailbox(labels))]);
        for _ in 0..3 {
            dir.convert(&format!("--mail -t {to} --in-place a")).assert_clean("");
            assert!(dir.read("a") == mailbox([to; 2]), "{labels:?} to {to}");
        }
        // Nor does detection, which refuses the original.
        if to == "utf-8" {
            dir.convert("-f auto --in-place -q a").assert_clean("");
            assert!(dir.read("a") == mailbox([to; 2]), "{labels:?} to {to}");
        }
    }
}

#[cfg(feature = "detect")]
#[test]
fn a_second_conversion_with_detection_leaves_utf_8_alone() {
    let (dir, pages) = pages();
    for _ in 0..2 {
        dir.convert("-f auto --min-confidence=low -r --in-place=.bak -q pages").assert_clean("");
        assert_all_converted(&dir, &pages);
    }
    // Without the option, a page is converted or unchanged, and the second run changes nothing.
    let (dir, pages) = self::pages();
    let read = || pages.iter().map(|(name, _)| dir.read(name)).collect::<Vec<_>>();
    let before = read();
    dir.convert("-f auto -r --in-place=.bak -q pages").assert_message_free(1);
    let first = read();
    dir.convert("-f auto -r --in-place=.bak2 -q pages").assert_message_free(1);
    assert!(read() == first);
    for (((name, text), before), first) in pages.iter().zip(before).zip(first) {
        assert!(first == text.as_bytes() || first == before, "{name}");
    }
}

#[test]
fn text_in_the_output_encoding_is_left_alone_for_every_target() {
    let russian = "Сегодня утром шёл дождь, но к вечеру небо над городом прояснилось. Я люблю тёплую погоду.\n";
    let japanese = "今朝は雨が降っていましたが、夕方には町の空が晴れました。私は暖かい天気が好きです。\n";
    for (text, from, to) in [
        (russian, "utf-8", "utf-16le"),
        ("plain ASCII text, which is valid UTF-8 also in UTF-16\n", "utf-8", "utf-16be"),
        ("a", "utf-8", "utf-16le"),
        ("hello\n", "windows-1252", "utf-16be"),
        ("Мир", "utf-8", "utf-16le"),
        (russian, "utf-16le", "utf-8"),
        ("plain ASCII text, which is valid UTF-16 of ideographs\n", "utf-16le", "utf-8"),
        (japanese, "utf-8", "iso-2022-jp"),
        (japanese, "iso-2022-jp", "utf-8"),
        #[cfg(feature = "detect")]
        (russian, "windows-1251", "koi8-r"),
        #[cfg(feature = "detect")]
        (russian, "utf-8", "windows-1251"),
        #[cfg(feature = "detect")]
        (japanese, "shift_jis", "euc-jp"),
        #[cfg(feature = "detect")]
        (japanese, "utf-8", "shift_jis"),
        ("Le méthane est un gaz", "windows-1252", "gb18030"),
        ("é", "iso-8859-15", "gbk"),
        ("Мир", "koi8-r", "shift_jis"),
        #[cfg(feature = "detect")]
        ("Мир", "gbk", "windows-1251"),
        #[cfg(feature = "detect")]
        ("Телефон", "ibm866", "koi8-r"),
        #[cfg(feature = "detect")]
        ("Le méthane est un gaz", "macintosh", "windows-1252"),
        ("日本", "shift_jis", "euc-jp"),
        ("Ärger", "utf-16le", "utf-16be"),
        ("日本", "utf-16be", "utf-16le"),
        ("plain", "iso-2022-jp", "utf-16le"),
        (&format!("{}Le méthane", "plain ASCII text\n".repeat(8192)), "windows-1252", "gb18030"),
    ] {
        let dir = Dir::new();
        let encode = |label: &str| textcodec::Encoding::for_label(label).unwrap().encode(text).unwrap().into_owned();
        fs::write(dir.path("a"), encode(from)).unwrap();
        let run = || dir.convert(&format!("-f {from} -t {to} --in-place a"));
        run().assert_clean("");
        let again = run();
        assert_eq!(again.status, 0, "{from} to {to}: {}", again.stderr);
        assert!(again.stderr.starts_with("textcodec: a: already "), "{from} to {to}: {}", again.stderr);
        assert!(dir.read("a") == encode(to), "{from} to {to}");
    }
}

#[test]
fn text_that_was_not_converted_is_not_left_alone() {
    for (text, from, to) in [
        // Valid in both encodings.
        ("Привет, как дела? Это обычный русский текст.\n", "shift_jis", "gb18030"),
        ("中文很有意思，我們都喜歡\n", "big5", "gbk"),
        ("Привет", "gbk", "windows-1251"),
        ("你好，我的朋友", "gbk", "big5"),
        ("日本語", "euc-jp", "gbk"),
        ("мир", "koi8-r", "windows-1251"),
        ("déjà", "windows-1252", "macintosh"),
        ("ｱｲｳ", "shift_jis", "gb18030"),
        ("日本", "utf-16le", "utf-16be"),
        (&format!("{}Le méthane", "plain ASCII text\n".repeat(8192)), "windows-1252", "macintosh"),
    ] {
        let encode = |label: &str| textcodec::Encoding::for_label(label).unwrap().encode(text).unwrap().into_owned();
        let dir = Dir::with([("a", &encode(from))]);
        dir.convert(&format!("-f {from} -t {to} --in-place a")).assert_clean("");
        assert!(dir.read("a") == encode(to), "{from} to {to}");
    }
}

#[cfg(feature = "detect")]
#[test]
fn a_stale_declaration_of_a_single_byte_encoding_does_not_convert_text_twice() {
    let russian = "Привет, как дела? Это обычный текст.";
    for (text, from, to) in [
        (russian, "koi8-r", "windows-1251"),
        (russian, "windows-1251", "gb18030"),
        ("déjà vu", "windows-1252", "gb18030"),
    ] {
        for declaration in [
            format!("<!doctype html>\n<meta charset=\"{from}\">\n<p>"),
            format!("<?xml version=\"1.0\" encoding=\"{from}\"?><p>"),
            format!("# coding: {from}\n# "),
            format!("@charset \"{from}\"; /* */ a::after {{ content: '"),
        ] {
            let text = declaration + text + "\n";
            let encode =
                |label: &str| textcodec::Encoding::for_label(label).unwrap().encode(&text).unwrap().into_owned();
            let dir = Dir::with([("a", &encode(from))]);
            let run = || dir.convert(&format!("-f auto -t {to} --in-place a"));
            assert_eq!(run().status, 0);
            let again = run();
            assert_eq!(again.status, 0, "{text}: {}", again.stderr);
            assert!(again.stderr.starts_with("textcodec: a: already "), "{text}: {}", again.stderr);
            assert!(dir.read("a") == encode(to), "{text}");
            // As the encoding is uncertain, the file is not converted to another one.
            if to == "windows-1251" {
                let other = dir.convert("-f auto --in-place a");
                assert!(other.status == 1 && other.stderr.contains("its letters fit windows-1251"), "{}", other.stderr);
                assert!(dir.read("a") == encode(to), "{text}");
            }
        }
    }
}

#[test]
fn text_in_neither_encoding_is_an_error() {
    let dir = Dir::with([("a", "Grüße".as_bytes()), ("b", b"\xCD\xC9\xD2")]);
    let message = "a: is UTF-8, not KOI8-R; use -f UTF-8 or -f auto, or --force; the file is unchanged";
    dir.convert("-f koi8-r -t windows-1251 --in-place a").assert_message(3, message);
    assert_eq!(dir.convert("-f koi8-r -t windows-1251 --in-place a b").status, 3);
    assert_eq!((dir.read("a"), dir.read("b")), ("Grüße".into(), b"\xEC\xE8\xF0".to_vec()));
}

#[cfg(feature = "detect")]
#[test]
fn a_declaration_does_not_decide_whether_text_was_converted() {
    let russian = "Сегодня утром шёл дождь, но к вечеру небо над городом прояснилось. Я люблю тёплую погоду.\n";
    let encode = |encoding: textcodec::Encoding, label: &str| {
        encoding.encode(&format!("<meta charset={label}>{russian}")).unwrap().into_owned()
    };
    // It names the original encoding after the conversion, or may be wrong from the start.
    for label in ["windows-1251", "koi8-r"] {
        let dir = Dir::with([("a", &encode(textcodec::WINDOWS_1251, label))]);
        for _ in 0..2 {
            assert_eq!(dir.convert("-f windows-1251 -t koi8-r --in-place -q a").status, 0);
            assert!(dir.read("a") == encode(textcodec::KOI8_R, label), "declared as {label}");
        }
    }
}

#[test]
fn strict_labels_also_apply_to_text_that_was_converted() {
    let text =
        b"Le caf\xE9 co\xFBte 5 \x80 \xE0 l\x92h\xF4tel, d\xE9j\xE0 \xE9t\xE9 pr\xE8s de l\x92\xE9glise\n".repeat(3);
    let dir = Dir::with([("a", &text)]);
    for arguments in ["--in-place a", "a --output-dir out"] {
        let result = dir.convert(&format!("-t latin1 --strict-labels {arguments}"));
        assert_eq!(
            (result.status, dir.read("a") == text, dir.path("out/a").exists()),
            (3, true, false),
            "{}",
            result.stderr
        );
    }
}

#[test]
fn a_page_that_fits_its_declaration_and_utf_8_is_the_likelier_text() {
    // Three pairs of GBK, and two characters of UTF-8.
    let page = "<meta charset=gbk><title>学习</title>".as_bytes();
    let dir = Dir::with([("page", page)]);
    dir.convert("-f auto --in-place page")
        .assert_message(0, "page: already UTF-8, not GBK; left unchanged; --force converts it anyway");
    assert_eq!(dir.read("page").as_slice(), page);
}

#[cfg(feature = "detect")]
#[test]
fn encodings_that_detection_cannot_distinguish_are_converted_as_told() {
    // The same bytes are windows-1252 and ISO-8859-15, with another character at A4.
    let dir =
        Dir::with([("a", b"Ils co\xFBtent 5 \xA4, d\xE9j\xE0 \xE9t\xE9, \xE0 l'h\xF4tel pr\xE8s de l'\xE9glise\n")]);
    dir.convert("-f iso-8859-15 -t windows-1252 --in-place a").assert_clean("");
    assert!(dir.read("a").contains(&0x80));
}

#[test]
fn utf_8_is_copied_to_an_output_directory() {
    let dir = Dir::with([("utf-8", "déjà".as_bytes()), ("old", b"d\xE9j\xE0")]);
    let result = dir.convert("-f windows-1252 utf-8 old --output-dir out");
    result.assert_message(
        0,
        "2 files: 1 converted, 1 already UTF-8\n  the file that is already UTF-8 was copied; --force converts it anyway\n  \
         already UTF-8: utf-8",
    );
    assert_eq!((dir.read("out/utf-8"), dir.read("out/old")), ("déjà".into(), "déjà".into()));
    // In another encoding, the copy would be wrong.
    let result = dir.convert("-f windows-1252 -t utf-16le utf-8 old --output-dir other");
    assert_eq!(result.status, 3);
    assert!(result.stderr.contains(
        "utf-8: is UTF-8, not windows-1252; use -f UTF-8 or -f auto, or --force; nothing was written to other/utf-8"
    ));
    assert!(!dir.path("other/utf-8").exists() && dir.path("other/old").exists());
}

#[test]
fn one_file_that_is_left_alone_is_reported() {
    let dir = Dir::with([("a", "é".as_bytes())]);
    dir.convert("-f windows-1252 --in-place a")
        .assert_message(0, "a: already UTF-8, not windows-1252; left unchanged; --force converts it anyway");
    fs::hard_link(dir.path("a"), dir.path("link")).unwrap();
    dir.convert("-f windows-1252 --in-place --update-declaration -q a").assert_clean("");
    assert!(same_file::is_same_file(dir.path("a"), dir.path("link")).unwrap(), "a was replaced");
    fs::remove_file(dir.path("link")).unwrap();
    // A byte order mark or a corrected declaration is still added.
    dir.convert("-f windows-1252 --in-place --bom=add a").assert_clean("");
    assert_eq!(dir.read("a"), "\u{FEFF}é".as_bytes());
}

#[test]
fn a_backup_of_an_interrupted_run_is_used() {
    let dir = Dir::with([("a", b"\xE9")]);
    // The run ended between the backup and the rename.
    fs::hard_link(dir.path("a"), dir.path("a.bak")).unwrap();
    let result = dir.convert("-f windows-1252 --in-place=.bak -q a");
    assert_eq!((result.status, dir.read("a"), dir.read("a.bak")), (0, "é".into(), b"\xE9".to_vec()));
}

#[test]
fn a_declaration_that_becomes_wrong_is_reported_or_corrected() {
    let japanese = b"<!DOCTYPE html><meta charset=\"Shift_JIS\"><p>\x93\xFA\x96\x7B";
    let dir = Dir::with([("page", japanese), ("plain", b"<!DOCTYPE html><meta charset=\"Shift_JIS\"><p>ASCII")]);
    let warning = "page: still declared as Shift_JIS by <meta charset=\"Shift_JIS\"> at byte 15, but now it is UTF-8; \
                   --update-declaration corrects it";
    dir.convert("-f auto page -o out").assert_message(0, warning);
    assert_eq!(dir.read("out"), "<!DOCTYPE html><meta charset=\"Shift_JIS\"><p>日本".as_bytes());
    dir.convert("-f auto --dry-run page -o out").assert_message(
        0,
        "page: would still be declared as Shift_JIS by <meta charset=\"Shift_JIS\"> at byte 15, but would be UTF-8; \
         --update-declaration corrects it\n\
         textcodec: page: Shift_JIS (declared by <meta charset=\"Shift_JIS\"> at byte 15) to UTF-8, 48 to 50 \
         bytes; nothing was written",
    );
    dir.convert("-f auto --update-declaration page").assert_clean("<!DOCTYPE html><meta charset=\"UTF-8\"><p>日本");
    // With several files, the summary names a few, and counts many.
    dir.convert("-f auto page plain --output-dir out2").assert_message(
        0,
        "2 files: 2 converted\n  1 still has the old declaration; --update-declaration corrects it\n  \
         with the old declaration: page",
    );
    // Nothing else changes, also in text that is the same in both encodings.
    dir.convert("-f auto --update-declaration plain").assert_clean("<!DOCTYPE html><meta charset=\"UTF-8\"><p>ASCII");
    dir.convert("-f auto --update-declaration --in-place page plain").assert_message(0, "2 files: 2 converted");
    assert_eq!(dir.read("page"), "<!DOCTYPE html><meta charset=\"UTF-8\"><p>日本".as_bytes());
    fs::hard_link(dir.path("page"), dir.path("link")).unwrap();
    dir.convert("-f auto --update-declaration --in-place page plain")
        .assert_message(0, "2 files: 0 converted, 2 unchanged");
    assert!(same_file::is_same_file(dir.path("page"), dir.path("link")).unwrap(), "page was replaced");
    let result = dir.convert("-f utf-8 -t utf-16be --update-declaration page");
    let expected = "<!DOCTYPE html><meta charset=\"UTF-16\"><p>日本";
    assert_eq!(result.stdout, *textcodec::UTF_16BE.encode(expected).unwrap());
}

#[test]
fn declarations_of_each_form_are_corrected() {
    for (input, output) in [
        (
            "<?xml version='1.0' encoding='windows-1251'?><a>\u{e9}</a>",
            "<?xml version='1.0' encoding='utf-8'?><a>й</a>",
        ),
        ("@charset \"windows-1251\"; \u{e9}", "@charset \"utf-8\"; й"),
        (
            "#!/usr/bin/python\n# -*- coding: cp1251 -*-\n# \u{e9}\n",
            "#!/usr/bin/python\n# -*- coding: utf-8 -*-\n# й\n",
        ),
        (
            "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=CP1251\\n\"\n# \u{e9}\n",
            "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n# й\n",
        ),
        (
            "Subject: x\nContent-Type: text/plain; charset=\"Windows-1251\"\n\n\u{e9}\n",
            "Subject: x\nContent-Type: text/plain; charset=\"UTF-8\"\n\n\u{439}\n",
        ),
    ] {
        let dir = Dir::new();
        fs::write(dir.path("in"), input.chars().map(|c| c as u8).collect::<Vec<_>>()).unwrap();
        dir.convert("-f windows-1251 --update-declaration in").assert_clean(output);
        dir.convert("-f auto --update-declaration in").assert_clean(output);
        let result = dir.convert("-f auto in");
        assert!(result.stderr.contains("--update-declaration corrects it"), "{}", result.stderr);
    }
}

#[test]
fn only_the_declaration_that_counts_is_corrected() {
    for (input, output) in [
        // HTML within mail, source code and PO files.
        (
            "From: a@b\nContent-Type: text/html; charset=iso-8859-1\n\n<meta charset=iso-8859-1>\u{e9}\n",
            "From: a@b\nContent-Type: text/html; charset=utf-8\n\n<meta charset=iso-8859-1>é\n",
        ),
        ("# coding: latin-1\nx = '<meta charset=latin1>\u{e9}'\n", "# coding: utf-8\nx = '<meta charset=latin1>é'\n"),
        (
            "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=ISO-8859-1\\n\"\n\nmsgid \"<meta charset=latin1>\"\n# \u{e9}\n",
            "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\n\"\n\nmsgid \"<meta charset=latin1>\"\n# é\n",
        ),
        // Examples in text, scripts and titles are no declarations.
        ("Write <meta charset=latin1> for \u{e9}\n", "Write <meta charset=latin1> for é\n"),
        (
            "<title><meta charset=gbk></title><script>'<meta charset=gbk>'</script><meta charset=latin1><body>\u{e9}<meta charset=gbk>",
            "<title><meta charset=gbk></title><script>'<meta charset=gbk>'</script><meta charset=utf-8><body>é<meta charset=gbk>",
        ),
        // All messages of an mbox file.
        (
            "From a\nContent-Type: text/plain; charset=latin1\n\n\u{e9}\n\nFrom b\nContent-Type: text/plain; charset=latin1\n\nx\n",
            "From a\nContent-Type: text/plain; charset=utf-8\n\né\n\nFrom b\nContent-Type: text/plain; charset=utf-8\n\nx\n",
        ),
    ] {
        let bytes: Vec<u8> = input.chars().map(|c| c as u8).collect();
        let result = crate::common::pipe("-f windows-1252 --update-declaration", &bytes);
        assert_eq!(String::from_utf8(result.stdout).as_deref(), Ok(output));
    }
    // A declaration far from the start, which browsers honour, too.
    let late = format!("<style>{}</style><meta charset=latin1>é", "p { color: red }\n".repeat(1000));
    let result = crate::common::pipe("-f utf-8 --update-declaration", late.as_bytes());
    assert!(result.stdout == late.replace("latin1", "utf-8").as_bytes());
}

#[test]
fn utf_16_is_a_wrong_declaration_of_utf_8_except_on_the_web() {
    for (form, corrected) in [
        ("<?xml version=\"1.0\" encoding=\"UTF-16\"?><a>é</a>", "<?xml version=\"1.0\" encoding=\"UTF-8\"?><a>é</a>"),
        ("# coding: utf-16\n", "# coding: utf-8\n"),
        ("<meta charset=utf-16>", "<meta charset=utf-16>"),
    ] {
        let bytes = textcodec::UTF_16LE.encode(form).unwrap();
        let result = crate::common::pipe("-f utf-16le --update-declaration", &bytes);
        assert_eq!(String::from_utf8(result.stdout).as_deref(), Ok(corrected));
    }
}

#[test]
fn a_declaration_that_contradicts_the_option_is_reported() {
    let dir = Dir::with([("page", b"<meta charset=koi8-r>\xE9")]);
    let message = "page: declared as KOI8-R by <meta charset=\"koi8-r\"> at byte 0, but converted from windows-1252, and now it \
                   is UTF-8; --update-declaration corrects it";
    dir.convert("-f windows-1252 page -o out").assert_message(0, message);
}

#[test]
fn files_that_are_not_text_are_not_converted_from_a_given_encoding() {
    let dir = Dir::new();
    fs::create_dir(dir.path("in")).unwrap();
    let image: Vec<u8> = b"\x89PNG\r\n\x1A\n".iter().copied().chain((0..=255).cycle().take(4096)).collect();
    fs::write(dir.path("in/image"), &image).unwrap();
    fs::write(dir.path("in/text"), b"\xE9").unwrap();
    let message = "2 files: 1 converted, 1 skipped, because it does not look like text\n  \
                   skipped: in/image: looks like a PNG image";
    dir.convert("-f windows-1252 -r --in-place in").assert_message(0, message);
    assert_eq!((dir.read("in/image") == image, dir.read("in/text")), (true, "é".into()));
    let result = dir.convert("-f windows-1252 -r --binary=fail --in-place in");
    assert_eq!((result.status, dir.read("in/image") == image), (3, true), "{}", result.stderr);
    assert!(result.stderr.contains("in/image: looks like a PNG image; the file is unchanged"), "{}", result.stderr);
}

#[test]
fn the_temporary_file_of_a_killed_process_is_removed_unless_it_is_in_use() {
    // A name that somebody made up has no check value.
    let (left, used, made_up) =
        (".textcodec-0123abcd9ba63d53.tmp", ".textcodec-5eed5eedb3834faf.tmp", ".textcodec-abcdef.tmp");
    let dir = Dir::with([("a", b"\xE9"), (left, b"left"), (used, b"in use"), (made_up, b"mine")]);
    let in_use = fs::File::open(dir.path(used)).unwrap();
    in_use.try_lock().unwrap();
    dir.convert("-f windows-1252 --in-place a").assert_clean("");
    assert_eq!(dir.names(), [used, made_up, "a"]);
}

#[test]
fn a_temporary_file_that_the_user_names_is_not_removed() {
    let left = ".textcodec-0123abcd9ba63d53.tmp";
    for arguments in [
        "-f windows-1252 .textcodec-0123abcd9ba63d53.tmp -o out",
        "-f windows-1252 ./.textcodec-0123abcd9ba63d53.tmp --output-dir .",
        "-f windows-1252 link -o out",
        "-f windows-1252 --strict --in-place .textcodec-0123abcd9ba63d53.tmp",
        "--malformed=error bad --output=.textcodec-0123abcd9ba63d53.tmp",
    ] {
        let dir = Dir::with([(left, b"precious\n"), ("bad", b"\xFF")]);
        if fs::hard_link(dir.path(left), dir.path("link")).is_err() && arguments.contains("link") {
            continue;
        }
        dir.convert(arguments);
        assert!(dir.path(left).exists(), "{arguments}");
        assert_eq!(dir.read(left), b"precious\n", "{arguments}");
        if arguments.ends_with("-o out") {
            assert_eq!(dir.read("out"), b"precious\n", "{arguments}");
        }
    }
}

#[test]
fn files_that_are_not_text_are_skipped_in_directories() {
    let dir = Dir::new();
    fs::create_dir(dir.path("in")).unwrap();
    fs::write(dir.path("in/image"), (0..=255).cycle().take(4096).collect::<Vec<u8>>()).unwrap();
    fs::write(dir.path("in/text"), b"\xEF\xBB\xBFa").unwrap();
    let message =
        "2 files: 1 converted, 1 skipped, because it does not look like text\n  skipped: in/image: does not look";
    let starts_with = |result: RunResult, status: i32, message: &str| {
        assert!(
            result.status == status && result.stderr.starts_with(&format!("textcodec: {message}")),
            "{}",
            result.stderr
        );
    };
    starts_with(dir.convert("-f auto -r in --output-dir out"), 0, message);
    assert!(!dir.path("out/image").exists());
    // One that starts like a byte order mark, and sound.
    let sound =
        [&b"RIFF\x24\0\0\0WAVEfmt "[..], &(0..4000).map(|n| 128 + u8::try_from(n % 20).unwrap()).collect::<Vec<_>>()]
            .concat();
    let numbers: Vec<u8> = (1..2001_u16).flat_map(|n| (n % 32).to_le_bytes()).collect();
    let other = Dir::with([("mark", &[b"\xFF\xFE", &*numbers].concat()), ("sound", &sound)]);
    for from in ["auto", "windows-1252"] {
        let result = other.convert(&format!("-f {from} -r --in-place=.bak ."));
        starts_with(result, 0, "2 files: 0 converted, 2 skipped, because they do not look like text\n");
    }
    let result = dir.convert("-f auto -r in --binary=fail --output-dir out");
    assert_eq!(result.status, 3);
    assert!(result.stderr.contains("in/image: no encoding was detected ("), "{}", result.stderr);
    // The exit status tells about a file that is named, unless the user expects that.
    starts_with(dir.convert("-f auto in/image in/text --output-dir out"), 1, message);
    starts_with(dir.convert("-f auto in/image in/text --binary=skip --output-dir out"), 0, message);
    let result = RunResult::of(&mut dir.convert_command("-f auto --report=json -r in --output-dir out"));
    let json: serde_json::Value = serde_json::from_slice(&result.stdout).unwrap();
    assert_eq!((&json["files"][0]["outcome"], &json["files"][1]["outcome"]), (&"skipped".into(), &"converted".into()));
    assert!(json["files"][0]["output"].is_null());
    assert_eq!(as_on_unix(json["files"][1]["output"].as_str().unwrap()), "out/text");
}

#[test]
fn no_byte_order_mark_is_added_or_lost_in_the_second_run() {
    let texts = ["Müller", "\u{FEFF}Müller", "\u{FEFF}\u{FEFF}Müller", "Жя", "\u{FEFF}", "你好", "a"];
    let encodings = ["utf-8", "utf-16le", "utf-16be", "gb18030", "windows-1252", "windows-1251"];
    let names: Vec<String> = (0..texts.len()).map(|at| at.to_string()).collect();
    // The sample of CI has every pair of options.
    let (is_sample, mut at) = (std::env::var_os("TEXTCODEC_TWICE").is_none(), 0);
    // Of several encodings, the texts are in the first one.
    let several =
        ["utf-8,windows-1252", "utf-8,utf-16le", "utf-16le,utf-8", "utf-8,gb18030", "utf-8,utf-16be,windows-1251"];
    for from in encodings.into_iter().chain(several) {
        let encoding = Encoding::for_label(from.split(',').next().unwrap()).unwrap();
        for to in encodings {
            for bom in ["", "--bom=strip", "--bom=keep", "--bom=add", "--remove-marks", "--bom=keep --remove-marks"] {
                for input_bom in ["", "--input-bom=sniff", "--input-bom=own", "--input-bom=keep"] {
                    at += 1;
                    if is_sample && at % 7 != 0 || bom == "--bom=add" && to.starts_with("windows") {
                        continue; // Those have no mark.
                    }
                    let dir = Dir::new();
                    for (name, text) in names.iter().zip(texts) {
                        // A text that the encoding cannot represent is in UTF-8: another case.
                        let bytes = encoding.encode(text).unwrap_or(text.as_bytes().into());
                        fs::write(dir.path(name), bytes).unwrap();
                    }
                    let run = || {
                        dir.convert(&format!("-f {from} -t {to} {bom} {input_bom} --in-place --no-sync -q -r ."));
                        names.iter().map(|name| dir.read(name)).collect::<Vec<_>>()
                    };
                    assert_eq!(run(), run(), "{from} to {to} {bom} {input_bom}");
                }
            }
        }
    }
}

#[test]
fn a_file_of_two_letters_that_are_a_byte_order_mark_is_not_emptied() {
    let dir = Dir::with([("yu-ya", b"\xFE\xFF")]);
    let result = dir.convert("-f windows-1251 --in-place yu-ya");
    assert_eq!((result.status, dir.read("yu-ya")), (1, b"\xFE\xFF".to_vec()));
    assert!(result.stderr.contains("no text follows the byte order mark"), "{}", result.stderr);
    dir.convert("-f windows-1251 --input-bom=own --in-place yu-ya").assert_clean("");
    assert_eq!(dir.read("yu-ya"), "юя".as_bytes());
}
