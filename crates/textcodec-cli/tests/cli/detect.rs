//! `textcodec detect`: its output, and the detection of every sample.

use std::{fs, process::Stdio};

use crate::common::{Dir, RunResult, as_on_unix};

fn detect(dir: &Dir, arguments: &str) -> RunResult {
    RunResult::of(&mut dir.textcodec(&format!("detect {arguments}")))
}

fn pipe(arguments: &str, input: &[u8]) -> RunResult {
    RunResult::with_input(&format!("detect {arguments}"), input)
}

fn text(result: &RunResult) -> &str {
    std::str::from_utf8(&result.stdout).unwrap()
}

/// Parses the lines of `--json`.
fn objects(result: &RunResult) -> Vec<serde_json::Value> {
    text(result).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn each_file_is_one_line_with_aligned_columns() {
    let dir = Dir::with([
        ("plain", b"abc\n"),
        ("page.html", b"<p><meta charset=koi8-r>\xC1\xC2"),
        ("marked", b"\xFF\xFEa\0"),
        ("8.txt", "für Größe 😀".as_bytes()),
    ]);
    detect(&dir, "plain page.html marked 8.txt").assert_clean(
        "\
plain:     UTF-8        high     all bytes are ASCII, which is the same in UTF-8 and most other encodings
page.html: KOI8-R       high     declared by <meta charset=\"koi8-r\"> at byte 3
marked:    UTF-16LE     certain  byte order mark (FF FE)
8.txt:     UTF-8        high     valid UTF-8, with 4 non-ASCII characters
",
    );
}

#[test]
fn no_file_and_a_dash_mean_standard_input() {
    let line = "standard input: UTF-8        certain  byte order mark (EF BB BF)\n";
    pipe("", b"\xEF\xBB\xBFa").assert_clean(line);
    pipe("-", b"\xEF\xBB\xBFa").assert_clean(line);
    pipe("", b"").assert_clean("standard input: UTF-8        certain  empty, which is the same in every encoding\n");
}

#[test]
fn binary_data_is_unknown_and_gives_status_1() {
    let dir = Dir::with([("zeros", &[0; 50]), ("plain", b"abc")]);
    let result = detect(&dir, "zeros plain");
    assert_eq!((result.status, result.stderr.as_str()), (1, ""));
    assert!(text(&result).starts_with(
        "zeros: unknown      none     does not look like text: 50 of 50 bytes are control characters\nplain: UTF-8 "
    ));
    assert_eq!(detect(&dir, "--json zeros").status, 1);
    assert_eq!(objects(&detect(&dir, "--json zeros"))[0]["encoding"], serde_json::Value::Null);
}

#[test]
fn a_file_that_cannot_be_read_does_not_stop_the_others() {
    let dir = Dir::with([("a", b"abc"), ("b", b"\0\0\0\0"), ("c", b"abc")]);
    fs::create_dir(dir.path("folder")).unwrap();
    let result = detect(&dir, "a nothing b folder c");
    assert_eq!((result.status, text(&result).lines().count()), (3, 3));
    assert_eq!(
        result.stderr,
        "textcodec: nothing: No such file or directory\ntextcodec: folder: is a directory; -r reads the files in it\n"
    );
    let result = detect(&dir, "--json a nothing c");
    assert_eq!((result.status, result.stderr.lines().count()), (3, 1));
    let objects = objects(&result);
    assert_eq!(objects[1]["path"], "nothing");
    assert_eq!(as_on_unix(objects[1]["error"].as_str().unwrap()), "No such file or directory");
    assert_eq!(objects[2]["encoding"], "UTF-8");
}

#[test]
fn all_prints_the_candidates_after_the_detected_encoding() {
    let dir = Dir::with([("page", b"<meta charset=utf-8>caf\xE9s, d\xE9j\xE0 vus \xE0 l'\xE9t\xE9")]);
    let result = detect(&dir, "--all page");
    let lines: Vec<_> = text(&result).lines().collect();
    assert!(lines[0].ends_with("; but declared as UTF-8 by <meta charset=\"utf-8\"> at byte 0, with 6 malformed sequences, the first at byte 23"), "{}", lines[0]);
    let answer = lines[0].split_whitespace().nth(1).unwrap();
    assert!(
        lines[1].contains(&format!("      {answer} "))
            && lines[1].contains(" 0 malformed, 6 non-ASCII, 0 of them unlikely")
    );
    let is_utf_8 =
        |line: &&str| line.contains(" UTF-8        ") && line.contains(" 6 malformed, 0 non-ASCII, 0 of them ");
    assert!(lines.iter().any(is_utf_8));
    // Each has a probability, with four digits.
    for line in &lines[1..] {
        let probability = line.split_whitespace().nth(1).unwrap();
        assert!(probability.len() == 6 && (0.0..=1.0).contains(&probability.parse::<f64>().unwrap()), "{line}");
    }
    assert_eq!(detect(&dir, "page").stdout, format!("{}\n", lines[0]).into_bytes());
}

#[test]
fn json_is_one_object_per_line() {
    let dir = Dir::with([("a", b"\xEF\xBB\xBFabc"), ("b", "<?xml encoding='big5'?> \"日".as_bytes())]);
    let result = detect(&dir, "--json a b");
    let line = text(&result).lines().next().unwrap();
    let expected = "{\"path\":\"a\",\"encoding\":\"UTF-8\",\"bom\":true,\"confidence\":\"certain\",\"probability\":1.0,\
                    \"evidence\":\"bom\",\"reason\":\"byte order mark (EF BB BF)\",\"bytes\":6,\
                    \"candidates\":[{\"encoding\":\"UTF-8\",\"probability\":";
    assert!(line.starts_with(expected), "{line}");
    assert!(line.ends_with(",\"malformed\":0,\"complete\":true,\"beyond_ascii\":0,\"unlikely\":0}]}"), "{line}");
    let object = &objects(&result)[1];
    assert_eq!(object["bom"], false);
    assert_ne!(object["encoding"], "Big5");
    let big5 = object["candidates"].as_array().unwrap().iter().find(|tried| tried["encoding"] == "Big5").unwrap();
    assert_eq!(big5["malformed"], 2);
}

#[test]
#[cfg(target_os = "linux")]
fn json_has_the_bytes_of_a_path_that_is_not_utf_8() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt as _};

    let dir = Dir::new();
    let name = OsStr::from_bytes(b"caf\xE9");
    fs::write(dir.path("").join(name), "abc").unwrap();
    let result = RunResult::of(dir.textcodec("detect --json").arg(name));
    let object = &objects(&result)[0];
    assert_eq!((&object["path"], &object["path_hex"]), (&"caf\u{FFFD}".into(), &"636166E9".into()));
    let result = RunResult::of(dir.textcodec("detect").arg(name));
    assert!(result.stdout.starts_with(b"caf\xE9: UTF-8 "));
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let dir = Dir::with([("a", b"abc")]);
    let mut child = dir
        .textcodec(&format!("detect {}", "a ".repeat(5000)))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    RunResult::from(child.wait_with_output().unwrap()).assert_clean("");
}

#[test]
#[cfg(target_os = "linux")]
fn a_large_input_takes_little_memory() {
    use std::io::Write as _;

    let block = "a line of text, 日本語, ß\n".repeat(40_000).into_bytes();
    let mut broken = block.clone();
    broken[20_000] = 0xFF;
    for block in [&block, &broken] {
        let dir = Dir::new();
        let mut child = dir.textcodec("detect").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        for _ in 0..40 {
            stdin.write_all(block).unwrap();
        }
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        let peak: u64 = line.trim().trim_end_matches(" kB").parse().unwrap();
        assert!(peak < 20 * 1024, "{peak} KiB");
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        assert!(output.stdout.starts_with(b"standard input: UTF-8 "), "{}", output.stdout.escape_ascii());
    }
}

#[test]
fn help_explains_the_terms() {
    let result = detect(&Dir::new(), "--help");
    for word in ["certain", "medium", "Exit status:", "--json", "path_hex"] {
        assert!(text(&result).contains(word), "{word}");
    }
    assert!(text(&result).lines().all(|line| line.chars().count() <= 100));
}

#[cfg(feature = "detect")]
mod languages {
    use textcodec::Encoding;

    use super::{pipe, text};

    const HUNGARIAN: &str = "\
Nagyapám háza a falu végén állt, ott, ahol az út már csak a szőlők felé vezetett. Nyáron minden reggel korán\n\
keltünk, mert a kertben a munka nem várhatott: kapálni kellett, öntözni, és leszedni az érett gyümölcsöt. Délben a\n\
diófa alatt ebédeltünk, és ha jó kedve volt, elmesélte, hogyan jutott haza a háborúból gyalog, kölcsönkért cipőben.\n\
Este a padon üldögéltünk, hallgattuk a tücsköket, és néztük, ahogy a dombok mögött lassan eltűnik a nap. Azóta sok\n\
év telt el, a házat eladtuk, a diófát kivágták, de ha becsukom a szemem, még mindig érzem a frissen sült kenyér\n\
illatát. Egyszer talán visszamegyek, és megkérdezem az új tulajdonost, megvan-e még a régi kút a kerítés mellett.\n\
Azt mondják, a vize nyáron is olyan hideg, hogy belefájdul az ember foga, és hogy aki egyszer ivott belőle, az mindig\n\
visszavágyik ide. Én hiszek nekik, mert jól emlékszem a vödör csikorgására és a láncra, amely hosszan csörgött lefelé.\n\
Anyám ilyenkor mindig ránk szólt az ablakból, hogy vigyázzunk, ne hajoljunk a mélység fölé.";

    const LITHUANIAN: &str = "\
Rytą lijo, bet vakare dangus virš miesto prašviesėjo. Man patinka šiltas oras, ypač rudenį, kai medžių lapai jau\n\
pageltę, o palei upę vaikšto vos keli žmonės. Rytoj žadama vėjo ir saulės; traukiniai važiuoja pagal tvarkaraštį, o\n\
ežeras dar neužšalęs. Kur mano skrybėlė?";

    /// Detects the encoding of text in `label`, and checks the name and the confidence.
    #[track_caller]
    fn assert_detected(label: &str, original: &str, name: &str, confidence: &str) {
        let bytes = label.parse::<Encoding>().unwrap().encode(original).unwrap();
        let result = pipe("", &bytes);
        let mut words = text(&result).strip_prefix("standard input: ").unwrap().split_whitespace();
        assert_eq!((words.next(), words.next()), (Some(name), Some(confidence)), "{}", text(&result));
    }

    #[test]
    fn hungarian_is_detected() {
        assert!(HUNGARIAN.chars().count() >= 1000);
        // This text has the same bytes in both encodings.
        assert_detected("windows-1250", HUNGARIAN, "windows-1250", "high");
        assert_detected("iso-8859-2", HUNGARIAN, "windows-1250", "high");
        // Quotation marks are different.
        assert_detected("windows-1250", &format!("„{HUNGARIAN}”"), "windows-1250", "high");
    }

    #[test]
    fn lithuanian_is_detected() {
        assert_detected("windows-1257", LITHUANIAN, "windows-1257", "high");
        assert_detected("iso-8859-13", LITHUANIAN, "windows-1257", "high");
        assert_detected("iso-8859-13", &format!("„{LITHUANIAN}“"), "ISO-8859-13", "high");
        assert_detected("iso-8859-4", LITHUANIAN, "ISO-8859-4", "high");
    }

    #[test]
    fn tables_with_short_korean_cells_are_detected() {
        let days = "월\t화\t수\t목\t금\t토\t일\n1\t2\t3\t4\t5\t6\t7\n8\t9\t10\t11\t12\t13\t14\n";
        let marks = "이름\t국\t영\t수\n김\t90\t85\t70\n이\t75\t60\t95\n박\t88\t92\t79\n최\t64\t71\t83\n";
        let prices = "품목,단위,수량\n쌀,포,12\n콩,말,7\n밀,섬,3\n팥,되,25\n";
        assert_detected("euc-kr", days, "EUC-KR", "high");
        assert_detected("euc-kr", marks, "EUC-KR", "high");
        assert_detected("euc-kr", prices, "EUC-KR", "medium");
    }

    #[test]
    fn the_reason_names_the_language() {
        let bytes = "windows-1250".parse::<Encoding>().unwrap().encode(HUNGARIAN).unwrap();
        assert!(
            text(&pipe("", &bytes)).ends_with("guessed from 96 non-ASCII characters, with letters as in Hungarian\n")
        );
    }
}

#[cfg(feature = "detect")]
#[test]
fn every_sample_decodes_to_its_original_with_the_detected_encoding() {
    use crate::common::{encoded_samples, samples};

    let dir = Dir::new();
    for (path, _, original) in encoded_samples() {
        let (name, original) = (path.display(), fs::read(original).unwrap());
        let result = RunResult::of(dir.textcodec("detect --json").arg(&path));
        let object = &objects(&result)[0];
        let encoding = object["encoding"].as_str().unwrap();
        // The detected encoding need not be the one in the name, but must give the same text.
        let converted = RunResult::of(dir.convert_command(&format!("--strict -f {encoding}")).arg(&path));
        assert!(converted.stdout == original, "{name}: {object}");
        assert!(object["candidates"][0]["malformed"] == 0, "{name}: {object}");
    }
    // The log has parts in two encodings, so the confidence is low.
    let log = samples().join("broken-utf-8.log");
    let result = RunResult::of(dir.textcodec("detect").arg(&log));
    assert!(
        text(&result).contains(
            "low      guessed from 28 non-ASCII characters; but some of them are valid UTF-8; \
             decoded as UTF-8, the text has 9 malformed"
        ),
        "{result:?}"
    );
}
