//! Wrong command lines, and help.

use crate::common::{Dir, RunResult, pipe};

#[test]
fn an_unknown_label_is_wrong_usage_with_a_suggestion() {
    pipe("-f cp932", b"")
        .assert_usage("--from: 'cp932' is not a label of the Encoding Standard; with --aliases, it means Shift_JIS");
    pipe("-t utf-8-sig", b"")
        .assert_usage("--to: 'utf-8-sig' is not a label of the Encoding Standard; with --aliases, it means UTF-8");
    pipe("-t shift_jisx", b"").assert_usage(
        "--to: 'shift_jisx' is not a label of the Encoding Standard; similar labels: shift_jis, shift-jis",
    );
    pipe("--aliases -f klingon", b"").assert_usage("--from: 'klingon' is not a label of the Encoding Standard");
    pipe("-t euc-jp//IGNORE", b"").assert_usage(
        "--to: 'euc-jp//IGNORE' is not a label of the Encoding Standard; use 'euc-jp' and --unmappable, \
         or textcodec iconv",
    );
    pipe("-t latin1//TRANSLIT", b"").assert_usage(
        "--to: 'latin1//TRANSLIT' is not a label of the Encoding Standard; \
         use 'latin1' (here windows-1252, as on the web) and --unmappable, or textcodec iconv",
    );
}

#[test]
fn an_output_encoding_needs_an_encoder() {
    let message = "--to: replacement has no encoder; use UTF-8, which can represent all characters";
    for label in ["replacement", "iso-2022-kr", "hz-gb-2312"] {
        pipe(&format!("-t {label}"), b"a").assert_usage(message);
    }
}

#[test]
fn wrong_usage_touches_nothing() {
    let dir = Dir::with([("in", b"a"), ("out", b"original")]);
    for wrong in
        ["-f nothing in -o out", "-t nothing in -o out", "-t replacement in -o out", "--unmappable=maybe in -o out"]
    {
        let result = dir.convert(wrong);
        assert_eq!((result.status, dir.read("out").as_slice()), (2, &b"original"[..]), "{wrong}");
    }
    assert_eq!(dir.names(), ["in", "out"]);
}

#[test]
fn an_unknown_option_or_command_is_wrong_usage() {
    assert_eq!(pipe("--no-such-option", b"").status, 2);
    assert_eq!(pipe("-f utf-8 -f utf-8", b"").status, 2);
    for arguments in [&[][..], &["transmogrify"]] {
        let result =
            RunResult::of(std::process::Command::new(assert_cmd::cargo::cargo_bin!("textcodec")).args(arguments));
        assert_eq!((result.status, result.stdout.as_slice()), (2, &b""[..]));
        assert!(result.stderr.contains("Usage: textcodec <COMMAND>"));
    }
}

#[test]
fn help_has_the_exit_status_and_examples_that_work() {
    let help = String::from_utf8(pipe("--help", b"").stdout).unwrap();
    assert!(help.contains("Exit status:") && help.contains("Examples:") && help.contains("overrides this"));
    assert!(help.lines().all(|line| line.chars().count() <= 100));

    let dir = Dir::with([
        ("old.txt", b"\x93\xFA"),
        ("page.html", "a 字".as_bytes()),
        ("table.csv", b"1,2\n"),
        ("names.txt", "Việt".as_bytes()),
        ("broken.log", b"\xEF\xBB\xBF\xFF"),
    ]);
    std::fs::create_dir(dir.path("mail")).unwrap();
    std::fs::write(dir.path("mail/a.txt"), b"\xE9").unwrap();
    let mut statuses = Vec::new();
    for line in help.lines().filter_map(|line| line.trim_start().strip_prefix("textcodec convert ")) {
        let line = line.replace('\'', "");
        statuses.push((dir.convert(&line).status, line.split_whitespace().last().unwrap().to_owned()));
    }
    let expected = [
        (0, "new.txt"),
        (0, "mail"),
        (0, "converted"),
        (1, "old.html"),
        (0, "old.txt"),
        (0, "excel.csv"),
        (1, "repaired.log"),
    ];
    assert_eq!(statuses, expected.map(|(status, last)| (status, last.to_owned())));
    assert_eq!(dir.read("mail/a.txt"), "é".as_bytes());
    assert_eq!(dir.read("mail/a.txt.bak"), b"\xE9");
    assert_eq!(dir.read("converted/a.txt"), "é".as_bytes());
    assert_eq!(dir.read("excel.csv"), b"\xEF\xBB\xBF1,2\n");
    assert_eq!(dir.read("new.txt"), "日".as_bytes());
    assert_eq!(dir.read("old.html"), b"a &#23383;");
    assert_eq!(dir.read("old.txt"), b"Vi\xEA\xF2t");
    assert_eq!(dir.read("repaired.log"), "\u{FFFD}".as_bytes());
}

#[test]
fn version() {
    let result = RunResult::of(std::process::Command::new(assert_cmd::cargo::cargo_bin!("textcodec")).arg("--version"));
    result.assert_clean(format!("textcodec {}\n", env!("CARGO_PKG_VERSION")));
}
