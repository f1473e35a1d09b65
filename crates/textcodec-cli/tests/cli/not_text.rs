//! Files that are not text in an encoding of the standard: UTF-32, images, archives, and what else starts like text.

use std::fs;

use textcodec::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1251};

use crate::common::{Dir, RunResult, encoded_samples, pipe};

const TEXTS: [&str; 6] = ["A", "AB\n", "Привет, мир", "日本語の文章", "naïve café\r\n\tnoir\n", "😀"];

fn utf_32(text: &str, bytes: fn(u32) -> [u8; 4]) -> Vec<u8> {
    text.chars().flat_map(|c| bytes(c.into())).collect()
}

/// Returns `len` bytes that have no structure.
fn random(len: usize) -> Vec<u8> {
    let mut state = 7_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    (0..len).map(|_| next()).collect()
}

/// Runs the program with a file as standard input, and with a pipe.
fn with_stdin(dir: &Dir, arguments: &str, file: &str) -> [RunResult; 2] {
    let mut command = dir.textcodec(arguments);
    command.stdin(fs::File::open(dir.path(file)).unwrap());
    [RunResult::of(&mut command), RunResult::with_input(arguments, &dir.read(file))]
}

#[test]
fn utf_32_with_a_mark_is_converted_at_every_door() {
    for (name, bytes) in [("UTF-32LE", u32::to_le_bytes as fn(u32) -> [u8; 4]), ("UTF-32BE", u32::to_be_bytes)] {
        for (n, text) in TEXTS.iter().enumerate() {
            let file = utf_32(&format!("\u{FEFF}{text}"), bytes);
            // Each encoding with some of the texts.
            let all = ["", "-f auto", "-f utf-8", "-f utf-16le", "-f utf-16be", "-f windows-1251", "-f shift_jis"];
            for (_, from) in all.into_iter().enumerate().filter(|(m, _)| (m + n) % 6 == 0) {
                for output in ["--in-place", "--in-place=.bak", "-r --in-place", "--output-dir out", "-o out", ""] {
                    let dir = Dir::with([("u", &file)]);
                    let input = if output.starts_with("-r") { "." } else { "u" };
                    let run = || dir.convert(&format!("{from} {output} {input}"));
                    let result = run();
                    let converted = match output {
                        "" => result.stdout,
                        "-o out" => dir.read("out"),
                        "--output-dir out" => dir.read("out/u"),
                        _ => dir.read("u"),
                    };
                    let is_converted = result.status == 0 && converted == text.as_bytes();
                    // A short text may be another one in the encoding that was given.
                    let is_undecided = result.status == 1 && converted == file && output.contains("--in-place");
                    assert!(is_converted || is_undecided, "{from} {output} {text}: {}", result.stderr);
                    if output == "--in-place" {
                        run();
                        assert!(dir.read("u") == converted, "{from} {text}");
                    }
                }
                let dir = Dir::with([("u", &file)]);
                RunResult::of(&mut dir.textcodec(&format!("check {from} u"))).assert_clean("");
                for result in with_stdin(&dir, &format!("convert {from} -"), "u") {
                    result.assert_clean(*text);
                }
            }
            let dir = Dir::with([("u", &file)]);
            for arguments in ["detect u", "detect -r ."] {
                let result = RunResult::of(&mut dir.textcodec(arguments));
                let seen = String::from_utf8(result.stdout).unwrap();
                assert!(
                    result.status == 1 && seen.contains(&format!("looks like {name}, which")),
                    "{arguments} {seen}"
                );
            }
            let kept = dir.convert("-f auto --input-bom=keep u");
            assert!(kept.status == 3 && kept.stderr.contains(&format!("use -f {name};")), "{}", kept.stderr);
        }
    }
}

#[test]
fn utf_32_without_a_mark_is_an_error_in_place() {
    for (name, bytes) in [("UTF-32LE", u32::to_le_bytes as fn(u32) -> [u8; 4]), ("UTF-32BE", u32::to_be_bytes)] {
        let dir = Dir::with([("u", &utf_32("Two lines\nof text\n", bytes))]);
        let before = dir.read("u");
        for from in ["-f auto", "-f utf-8", "-f utf-16le", "-f utf-16be", "-f windows-1251", "-f gbk"] {
            let result = dir.convert(&format!("{from} --in-place u"));
            assert_eq!((result.status, dir.read("u") == before), (3, true), "{from}: {}", result.stderr);
            let advice = format!(
                "u: looks like {name}, which the Encoding Standard does not have; to convert it, use -f {name}"
            );
            assert!(result.stderr.contains(&advice), "{from}: {}", result.stderr);
        }
        // The advice works.
        dir.convert(&format!("-f {name} --in-place u")).assert_clean("");
        assert_eq!(dir.read("u"), b"Two lines\nof text\n");
    }
}

/// Returns whether text has more zeros and other controls than text has.
fn is_full_of_controls(text: &str) -> bool {
    text.chars().filter(|&c| c.is_control() && !c.is_ascii_whitespace()).count() * 10 > text.chars().count()
}

#[test]
fn a_byte_order_mark_does_not_make_text_of_other_bytes() {
    let numbers: Vec<u8> = (1..2001_u16).flat_map(|n| (n % 32).to_le_bytes()).collect();
    let misread = WINDOWS_1251.encode("шка, как и все прочие слова на этой странице").unwrap().into_owned();
    let payloads = [
        vec![0; 2],
        vec![0; 1000],
        numbers,
        random(2000),
        utf_32("Text", u32::to_le_bytes),
        utf_32("Text", u32::to_be_bytes),
        misread,
    ];
    for (n, payload) in payloads.iter().enumerate() {
        for mark in [&b"\xEF\xBB\xBF"[..], b"\xFF\xFE", b"\xFE\xFF", b"\xFF\xFE\0\0", b"\0\0\xFE\xFF"] {
            let all = ["auto", "utf-8", "utf-16le", "utf-16be", "windows-1251", "gbk"];
            for (_, from) in all.into_iter().enumerate().filter(|(m, _)| (m + n + mark.len()) % 2 == 0) {
                let dir = Dir::with([("f", &[mark, payload].concat())]);
                let (before, context) = (dir.read("f"), format!("payload {n} after {mark:02X?} as {from}"));
                let result = dir.convert(&format!("-f {from} --in-place f"));
                let is_unchanged = dir.read("f") == before;
                assert!(result.status != 0 || !is_unchanged, "{context}: {}", result.stderr);
                if !is_unchanged {
                    let text = String::from_utf8(dir.read("f")).unwrap();
                    assert!(!is_full_of_controls(&text), "{context}: {:?}", text.chars().take(50).collect::<String>());
                    // If -f and the mark say the same, it is so. Otherwise, Russian is not read as UTF-16.
                    let is_said = from.starts_with("utf-16");
                    assert!(n != 6 || is_said || text.contains("слова") || from == "gbk", "{context}: {text}");
                }
            }
        }
    }
    // Text with a mark is converted, however short, and whatever -f says.
    for text in TEXTS {
        for (encoding, mark) in [(UTF_8, &b"\xEF\xBB\xBF"[..]), (UTF_16LE, b"\xFF\xFE"), (UTF_16BE, b"\xFE\xFF")] {
            for from in ["auto", "utf-8", "windows-1251", "gbk", "utf-16le"] {
                let dir = Dir::with([("f", &[mark, &encoding.encode(text).unwrap()].concat())]);
                let result = dir.convert(&format!("-f {from} --in-place f"));
                assert_eq!(
                    (result.status, dir.read("f")),
                    (0, text.as_bytes().to_vec()),
                    "{encoding} {from}: {}",
                    result.stderr
                );
            }
        }
    }
}

/// Files of known formats, and words of the messages about them. The sources are the specifications of the formats.
fn known_files() -> Vec<(&'static str, Vec<u8>)> {
    let with = |start: &[u8]| [start, &random(3000)].concat();
    let mut tar = vec![0; 1024];
    tar[..5].copy_from_slice(b"a.txt");
    tar[257..265].copy_from_slice(b"ustar  \0");
    // The file in it is ASCII.
    tar[512..].copy_from_slice(&b"only words "[..].repeat(47)[..512]);
    let mut program = vec![0; 300];
    program[..2].copy_from_slice(b"MZ");
    program[60] = 128;
    program[128..132].copy_from_slice(b"PE\0\0");
    vec![
        ("gzip data; decompress it first", with(b"\x1F\x8B\x08\0\0\0\0\0\0\x03")),
        ("bzip2 data; decompress it first", with(b"BZh91AY&SY\x10\x02")),
        ("xz data; decompress it first", with(b"\xFD7zXZ\0\0\x04")),
        ("zstd data; decompress it first", with(b"\x28\xB5\x2F\xFD\x04\0")),
        ("a ZIP archive, as are .docx", with(b"PK\x03\x04\x14\0\x06\0\x08\0")),
        ("a 7z archive", with(b"7z\xBC\xAF\x27\x1C\0\x04")),
        ("a tar archive; extract", tar),
        ("a PDF document", b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n(caf\xE9)\n".to_vec()),
        ("a document of old Microsoft Office", with(b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0\0")),
        ("a PNG image", with(b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR")),
        ("a JPEG image", with(b"\xFF\xD8\xFF\xE0\0\x10JFIF\0")),
        ("a GIF image", with(b"GIF89a\x01\0\x01\0")),
        ("a BMP image", with(b"BM\x36\x10\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x20\0\0\0")),
        ("a TIFF image", with(b"II*\0\x08\0\0\0")),
        ("a WebP image", with(b"RIFF\x24\0\0\0WEBPVP8 ")),
        ("a WAV recording", with(b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0")),
        ("an Ogg recording", with(b"OggS\0\x02\0\0")),
        ("a FLAC recording", with(b"fLaC\0\0\0\x22")),
        ("an MP3 recording", with(b"ID3\x03\0\0\0\0\0\x0A")),
        ("in an MP4 container", with(b"\0\0\0\x18ftypmp42\0\0\0\0")),
        ("a Matroska or WebM video", with(b"\x1A\x45\xDF\xA3\x01\0\0\0")),
        ("an ELF program or library", with(b"\x7FELF\x02\x01\x01\0")),
        ("a program for Windows", program),
        ("a Java class", with(b"\xCA\xFE\xBA\xBE\0\0\0\x34")),
        ("a WebAssembly module", with(b"\0asm\x01\0\0\0")),
        ("a SQLite database", with(b"SQLite format 3\0\x10\0")),
        ("a font", with(b"wOF2\0\x01\0\0\0\0")),
        // Of no known format.
        ("does not look like text", random(3000)),
    ]
}

#[test]
fn named_files_that_are_not_text_are_skipped_in_place() {
    for (n, (what, bytes)) in known_files().into_iter().enumerate() {
        let dir = Dir::with([("f", &bytes), ("text", b"caf\xE9\n")]);
        // Each encoding and output with some of the formats.
        let all = ["windows-1251", "windows-1252", "shift_jis", "utf-8", "utf-16be", "auto"];
        for from in ["utf-16le", all[n % all.len()]] {
            for output in ["--in-place", ["--in-place=.bak", "--output-dir out"][n % 2]] {
                let context = format!("{what} {from} {output}");
                let named = dir.convert(&format!("-f {from} {output} f"));
                assert_eq!((named.status, dir.read("f") == bytes), (1, true), "{context}: {}", named.stderr);
                assert!(
                    named.stderr.starts_with("textcodec: f: skipped: ") && named.stderr.contains(what),
                    "{}",
                    named.stderr
                );
                assert_eq!(dir.names(), ["f", "text"], "{context}");
            }
        }
        assert_eq!(dir.convert("-f windows-1251 --binary=skip --in-place f").status, 0, "{what}");
        let failed = dir.convert("-f windows-1251 --binary=fail --in-place f");
        assert!(failed.status == 3 && failed.stderr.contains(what), "{what} {}", failed.stderr);
        // Who wants to convert it can.
        let converted = dir.convert("-f windows-1251 --binary=convert --in-place f");
        assert_eq!(
            (converted.status, dir.read("f")),
            (0, WINDOWS_1251.decode(&bytes).text.as_bytes().to_vec()),
            "{what}"
        );
    }
}

#[test]
fn what_was_skipped_is_named_and_counted() {
    let dir = Dir::new();
    fs::create_dir(dir.path("d")).unwrap();
    for (name, bytes) in [
        ("image.jpg", &b"\xFF\xD8\xFF\xE0\0\x10JFIF\0"[..]),
        ("old.tgz", b"\x1F\x8B\x08\0\0\0\0\0\0\x03"),
        ("text", b"\xCC\xE8\xF0"),
    ] {
        fs::write(dir.path("d").join(name), bytes).unwrap();
    }
    let message = "3 files: 1 converted, 2 skipped, because they do not look like text\n  \
                   skipped: d/image.jpg: looks like a JPEG image\n  \
                   skipped: d/old.tgz: looks like gzip data; decompress it first";
    for (status, arguments) in
        [(1, "d/image.jpg d/old.tgz d/text"), (0, "-r d"), (0, "--binary=skip d/image.jpg d/old.tgz d/text")]
    {
        dir.convert(&format!("-f windows-1251 --dry-run --in-place -q {arguments}"));
        let result = dir.convert(&format!("-f windows-1251 --in-place {arguments}"));
        result.assert_message(status, message);
        assert_eq!(fs::read(dir.path("d/text")).unwrap(), "Мир".as_bytes());
        fs::write(dir.path("d/text"), b"\xCC\xE8\xF0").unwrap();
    }
    let result = dir.convert("-f windows-1251 --report=json --in-place d/image.jpg d/text");
    let json: serde_json::Value = serde_json::from_slice(&result.stdout).unwrap();
    assert_eq!((result.status, &json["exit_status"], &json["counts"]["skipped"]), (1, &1.into(), &1.into()));
    assert_eq!((&json["counts"]["losses"], &json["counts"]["converted"]), (&0.into(), &1.into()));
    let image = &json["files"][0];
    assert_eq!((&image["outcome"], &image["why"]), (&"skipped".into(), &"looks like a JPEG image".into()));
    assert!(image["output"].is_null() && image["error"].is_null());
}

#[test]
fn one_output_is_converted_with_a_warning() {
    let dir = Dir::with([("f.gz", b"\x1F\x8B\x08\0\0\0\0\0\0\x03"), ("u", &utf_32("AB", u32::to_le_bytes))]);
    let bytes = dir.read("f.gz");
    let text = WINDOWS_1251.decode(&bytes).text;
    let warning = "f.gz: was converted like text, but looks like gzip data; decompress it first";
    let result = dir.convert("-f windows-1251 f.gz");
    result.assert_message(0, warning);
    assert_eq!(result.stdout, text.as_bytes());
    dir.convert("-f windows-1251 f.gz -o out").assert_message(0, warning);
    dir.convert("-q -f windows-1251 f.gz").assert_clean(&*text);
    // A pipe is not examined.
    pipe("-f windows-1251", &dir.read("f.gz")).assert_clean(&*text);
    dir.convert("u").assert_message(
        0,
        "u: was converted like text, but looks like UTF-32LE, which the Encoding Standard does not have",
    );
    let result = dir.convert("-f auto f.gz");
    result.assert_message(3, "f.gz: looks like gzip data; decompress it first; nothing was written to standard output");
}

#[test]
fn text_is_not_taken_for_something_else() {
    let dir = Dir::new();
    for (path, label, original) in encoded_samples() {
        fs::copy(&path, dir.path("f")).unwrap();
        let result = dir.convert(&format!("-f {label} --malformed=replace --in-place f"));
        assert!(!result.stderr.contains("skipped"), "{}: {}", path.display(), result.stderr);
        assert!(dir.read("f") == fs::read(&original).unwrap(), "{}: {}", path.display(), result.stderr);
    }
    // Any script in UTF-16, in which the bytes are controls, and text that starts like a signature.
    for text in [
        "今朝は雨が降っていましたが夕方には町の空が晴れました",
        "Сегодня утром шёл дождь",
        "今天早上下雨",
        "오늘 아침에는 비가",
        "ა",
        "a",
        "%PDF files",
        "GIF89a and PNG",
        "PK",
        "BZh",
        "MZ",
        "BM",
        "1\n2\n3\n4\n",
        "ﬁ",
        "😀😀",
    ] {
        for encoding in [UTF_16LE, UTF_16BE, UTF_8] {
            fs::write(dir.path("f"), encoding.encode(text).unwrap()).unwrap();
            let result = dir.convert(&format!("-f {encoding} -t gb18030 --in-place f"));
            assert!(!result.stderr.contains("look like text"), "{encoding} {text}: {}", result.stderr);
            assert!(!result.stderr.contains("looks like"), "{encoding} {text}: {}", result.stderr);
        }
    }
}

#[test]
fn a_mark_that_is_text_is_kept_if_asked() {
    let bytes = b"\xFF\xFE\xF8\xEA\xE0, \xEA\xE0\xEA \xE8 \xE2\xF1\xE5.\n";
    let text = "яюшка, как и все.\n";
    let dir = Dir::with([("f", bytes)]);
    for (bom, clean) in [("own", true), ("keep", true), ("sniff", false)] {
        let arguments = format!("-f windows-1251 --input-bom={bom}");
        let mut results = vec![dir.convert(&format!("{arguments} f")), pipe(&arguments, bytes)];
        if clean {
            assert_eq!(dir.convert(&format!("{arguments} --in-place=.{bom} f")).status, 0);
            assert_eq!(dir.read("f"), text.as_bytes());
            fs::write(dir.path("f"), bytes).unwrap();
            let check = RunResult::of(&mut dir.textcodec(&format!("check {arguments} f")));
            assert_eq!((check.status, &*check.stdout), (0, &b""[..]), "{bom}");
        } else {
            let result = dir.convert(&format!("{arguments} --in-place f"));
            assert_eq!((result.status, dir.read("f")), (1, bytes.to_vec()));
            assert!(
                result.stderr.contains("; if the text is windows-1251, use --input-bom=own; left unchanged"),
                "{}",
                result.stderr
            );
        }
        assert!(results.drain(..).all(|result| (result.stdout == text.as_bytes()) == clean), "{bom}");
    }
}

#[test]
fn every_policy_for_every_mark_and_encoding_is_that_of_the_library() {
    use textcodec::{Bom, DecodeOptions};

    let encodings = ["utf-8", "utf-16le", "utf-16be", "windows-1251", "iso-2022-jp"];
    for mark in [&b""[..], b"\xEF\xBB\xBF", b"\xFF\xFE", b"\xFE\xFF", b"\xEF\xBB", b"\xFF"] {
        let bytes = [mark, b"abcd\n"].concat();
        let dir = Dir::with([("f", &bytes)]);
        for label in encodings {
            for (name, bom) in [("sniff", Bom::Sniff), ("own", Bom::StripOwn), ("keep", Bom::Keep)] {
                let encoding = Encoding::for_label(label).unwrap();
                let expected = encoding.decode_with(&bytes, DecodeOptions::new().bom(bom)).unwrap().text;
                let arguments = format!("-f {label} --input-bom={name}");
                for result in [dir.convert(&format!("{arguments} f")), pipe(&arguments, &bytes)] {
                    assert_eq!(String::from_utf8_lossy(&result.stdout), *expected, "{mark:02X?} {arguments}");
                }
            }
        }
    }
}
