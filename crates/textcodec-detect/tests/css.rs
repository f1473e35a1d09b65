//! The encoding of style sheets: CSS Syntax, section 3.2.

use textcodec::{BIG5, EUC_JP, GBK, UTF_8, UTF_16BE, UTF_16LE, X_USER_DEFINED};
use textcodec_detect::{Hints, Source, css::sniff, declaration::Form};

#[test]
fn each_source_takes_precedence_over_the_next() {
    let sheet = b"@charset \"gbk\"; b {}";
    // What CSS does not know has no effect.
    let others = Hints::new().user(BIG5).likely(BIG5).fallback(BIG5).top_level_domain("tw");
    let hints = others.clone().transport(EUC_JP).parent(BIG5);
    let result = |sheet: &[u8], hints: &Hints| {
        let sniffed = sniff(sheet, hints);
        (sniffed.encoding, sniffed.source, sniffed.wanted)
    };
    for (mark, encoding) in [(&b"\xEF\xBB\xBF"[..], UTF_8), (b"\xFE\xFF", UTF_16BE), (b"\xFF\xFE", UTF_16LE)] {
        assert_eq!(result(&[mark, sheet].concat(), &hints), (encoding, Source::Bom, 0));
    }
    assert_eq!(result(sheet, &hints), (EUC_JP, Source::Transport, 0));
    let hints = hints.transport(None);
    assert_eq!(result(sheet, &hints), (GBK, Source::Declaration, 0));
    assert_eq!(
        sniff(sheet, &hints).declaration.map(|found| (found.form(), found.label_range())),
        Some((Form::Css, 10..13))
    );
    assert_eq!(result(b"b {}", &hints), (BIG5, Source::Parent, 0));
    assert_eq!(result(b"b {}", &others), (UTF_8, Source::Default, 0));
    // An environment encoding may be UTF-16.
    assert_eq!(result(b"b {}", &hints.parent(UTF_16LE)), (UTF_16LE, Source::Parent, 0));
}

#[test]
fn the_declaration_is_an_exact_sequence_of_bytes() {
    let encoding = |sheet: &[u8]| {
        let sniffed = sniff(sheet, &Hints::new().parent(BIG5));
        (sniffed.source == Source::Declaration).then_some(sniffed.encoding)
    };
    assert_eq!(encoding(b"@charset \"gbk\";"), Some(GBK));
    assert_eq!(encoding(b"@charset \" GBK\t\n\";"), Some(GBK));
    assert_eq!(encoding(b"@charset \"x-user-defined\";"), Some(X_USER_DEFINED));
    for label in ["utf-16", "utf-16le", "UTF-16BE", "unicode"] {
        assert_eq!(encoding(format!("@charset \"{label}\";").as_bytes()), Some(UTF_8));
    }
    for none in [
        &b"@charset \"unknown\";"[..],
        b"@charset \"\";",
        b"@charset 'gbk';",
        b"@charset \"gbk\" ;",
        b"@charset \"gbk\"",
        b"@charset \"gbk;",
        b"@charset  \"gbk\";",
        b"@charset\t\"gbk\";",
        b"@charset\"gbk\";",
        b"@Charset \"gbk\";",
        b" @charset \"gbk\";",
        b"/**/@charset \"gbk\";",
        b"@charset \"gbk\xA0\";",
        b"@charset \"\\gbk\";",
    ] {
        assert_eq!(encoding(none), None, "{}", none.escape_ascii());
    }
    // It must end within 1,024 bytes.
    let sheet = |spaces: usize| format!("@charset \"{}gbk\";", " ".repeat(spaces)).into_bytes();
    assert_eq!(encoding(&sheet(1024 - 15)), Some(GBK));
    assert_eq!(encoding(&sheet(1024 - 14)), None);
}

#[test]
fn what_is_not_wanted_cannot_change_the_result() {
    for sheet in [
        &b"@charset \"gbk\"; b {}"[..],
        b"@charset \"gbk\" ; b {}",
        b"@charset \"g\xFFbk\"; b {}",
        b"@charset 'gbk'; b {}",
        b"@import url(x.css);",
        b"\xEF\xBB\xBF@charset \"gbk\";",
        b"\xEF\xBBb",
        b"\xFE\xFF\0b",
        b"b {}",
        b"",
    ] {
        let sheet = [sheet, &[b' '; 1100]].concat();
        for hints in [Hints::new(), Hints::new().transport(BIG5), Hints::new().parent(EUC_JP)] {
            let whole = sniff(&sheet, &hints);
            assert_eq!(whole.wanted, 0);
            for len in 0..sheet.len() {
                let part = sniff(&sheet[..len], &hints);
                assert!(part.wanted == 0 || len + part.wanted <= 1024);
                if part.wanted == 0 {
                    assert_eq!(part, whole, "{len} {}", sheet.escape_ascii());
                }
            }
        }
    }
    let wanted = |sheet: &[u8]| sniff(sheet, &Hints::new()).wanted;
    assert_eq!((wanted(b""), wanted(b"@"), wanted(b"@charset \"gbk\"")), (1024, 1023, 1010));
    assert_eq!((wanted(b"b"), wanted(b"@charset '"), wanted(b"@charset \"gbk\" "), wanted(b"\xEF")), (0, 0, 0, 2));
}
