//! Wrong command lines, and help.

use crate::common::{Place, Ran, pipe};

#[test]
fn an_unknown_label_is_wrong_usage_with_advice() {
    pipe("-f cp932", b"")
        .is_usage("--from: 'cp932' is no label of the Encoding Standard; with --aliases it means Shift_JIS");
    pipe("-t utf-8-sig", b"")
        .is_usage("--to: 'utf-8-sig' is no label of the Encoding Standard; with --aliases it means UTF-8");
    pipe("-t shift_jisx", b"")
        .is_usage("--to: 'shift_jisx' is no label of the Encoding Standard; similar: shift_jis, shift-jis");
    pipe("--aliases -f klingon", b"").is_usage("--from: 'klingon' is no label of the Encoding Standard");
    pipe("-t euc-jp//IGNORE", b"").is_usage(
        "--to: 'euc-jp//IGNORE' is no label of the Encoding Standard; give 'euc-jp' alone, \
         and --unmappable, or use textcodec iconv",
    );
}

#[test]
fn what_has_no_encoder_is_no_output() {
    let message =
        "--to: replacement has no encoder: it stands for encodings that are not written; UTF-8 has all characters";
    for label in ["replacement", "iso-2022-kr", "hz-gb-2312"] {
        pipe(&format!("-t {label}"), b"a").is_usage(message);
    }
}

#[test]
fn wrong_usage_touches_nothing() {
    let place = Place::with([("in", b"a"), ("out", b"as it was")]);
    for wrong in
        ["-f nothing in -o out", "-t nothing in -o out", "-t replacement in -o out", "--unmappable=maybe in -o out"]
    {
        let ran = place.run(wrong);
        assert_eq!((ran.status, place.read("out").as_slice()), (2, &b"as it was"[..]), "{wrong}");
    }
    assert_eq!(place.names(), ["in", "out"]);
}

#[test]
fn an_unknown_option_or_command_is_wrong_usage() {
    assert_eq!(pipe("--no-such-option", b"").status, 2);
    assert_eq!(pipe("-f utf-8 -f utf-8", b"").status, 2);
    for arguments in [&[][..], &["transmogrify"]] {
        let ran = Ran::of(std::process::Command::new(assert_cmd::cargo::cargo_bin!("textcodec")).args(arguments));
        assert_eq!((ran.status, ran.stdout.as_slice()), (2, &b""[..]));
        assert!(ran.stderr.contains("Usage: textcodec <COMMAND>"));
    }
}

#[test]
fn help_has_the_exit_status_and_examples_that_work() {
    let help = String::from_utf8(pipe("--help", b"").stdout).unwrap();
    assert!(help.contains("Exit status:") && help.contains("Examples:") && help.contains("wins over this"));
    assert!(help.lines().all(|line| line.chars().count() <= 100));

    let place = Place::with([
        ("old.txt", b"\x93\xFA"),
        ("page.html", "a 字".as_bytes()),
        ("table.csv", b"1,2\n"),
        ("broken.log", b"\xEF\xBB\xBF\xFF"),
    ]);
    std::fs::create_dir(place.path("mail")).unwrap();
    std::fs::write(place.path("mail/a.txt"), b"\xE9").unwrap();
    let mut statuses = Vec::new();
    for line in help.lines().filter_map(|line| line.trim_start().strip_prefix("textcodec convert ")) {
        let line = line.replace('\'', "");
        statuses.push((place.run(&line).status, line.split_whitespace().last().unwrap().to_owned()));
    }
    let expected =
        [(0, "new.txt"), (0, "mail"), (0, "converted"), (1, "old.html"), (0, "excel.csv"), (1, "repaired.log")];
    assert_eq!(statuses, expected.map(|(status, last)| (status, last.to_owned())));
    assert_eq!(place.read("mail/a.txt"), "é".as_bytes());
    assert_eq!(place.read("mail/a.txt.bak"), b"\xE9");
    assert_eq!(place.read("converted/a.txt"), "é".as_bytes());
    assert_eq!(place.read("excel.csv"), b"\xEF\xBB\xBF1,2\n");
    assert_eq!(place.read("new.txt"), "日".as_bytes());
    assert_eq!(place.read("old.html"), b"a &#23383;");
    assert_eq!(place.read("repaired.log"), "\u{FFFD}".as_bytes());
}

#[test]
fn version() {
    let ran = Ran::of(std::process::Command::new(assert_cmd::cargo::cargo_bin!("textcodec")).arg("--version"));
    ran.is_clean(format!("textcodec {}\n", env!("CARGO_PKG_VERSION")));
}
