//! Tests `bindings/c/detect`: programs in C and C++ in `bindings/c/tests/detect`, whose results must be those of `textcodec-detect`.
//!
//! The file of cases has for each a line of words separated by spaces, in which `-` is empty: flags (1: no declarations, 2: no guess,
//! 4: more text would follow); the numbers of the encodings of the transport layer and of the fallback, or -1; those of the candidates;
//! languages; the top-level domain; the text in hexadecimal. The result follows, as the program in C prints it, and a line with a dot.

use std::{collections::HashMap, fmt::Write as _, fs};

use anyhow::{Context as _, Result};
use project::root;
use textcodec::{Encoding, oem};
use textcodec_detect::{DetectOptions, Detection, Detector, Hints, Language};

use super::{
    Arguments, FOLDER, WORK, abi,
    api::{Link, Tests},
    build::{self, DETECT, Profile},
    header::{self, DETECT_HEADER},
};

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let work = root().join(WORK).join("detect");
    fs::create_dir_all(work.join("header"))?;
    header::check(&DETECT_HEADER, &work.join("header"))?;
    let vectors = work.join("cases.txt");
    fs::write(&vectors, cases()?)?;
    let (library, folder) = (&DETECT, "tests/detect");
    let tests = Tests { library, folder, work, vectors, every: ["17", "97"], arguments };
    let release = build::build(Profile::Release, &[&DETECT])?;
    let checked = build::build(Profile::Checked, &[&DETECT])?;
    abi::check(&DETECT_HEADER, &release, &tests.work)?;
    tests.standards(&release)?;
    tests.run("main.c", "gcc", "c11", &["-O1"], &checked, Link::Static)?;
    tests.memory(&release)?;
    tests.sanitizers(&release)?;
    tests.valgrind(&release)
}

/// A text, and how it is examined.
#[derive(Default)]
struct Case {
    text: Vec<u8>,
    no_declarations: bool,
    no_guess: bool,
    partial: bool,
    transport: Option<Encoding>,
    fallback: Option<Encoding>,
    candidates: Vec<Encoding>,
    languages: &'static str,
    domain: &'static str,
}

/// The beginnings of files with declarations.
const DECLARED: &[&[u8]] = &[
    b"<meta charset=gbk>\xC4\xE3\xBA\xC3",
    b"<meta charset=x-foo>\xC4\xE3\xBA\xC3<meta http-equiv=content-type content='text/html; charset=koi8-r'>",
    b"<?xml version='1.0' encoding='shift_jis'?><a>\x93\xFA\x96{</a>",
    b"<\0?\0x\0m\0l\0 \0v\0e\0r\0s\0i\0o\0n\0=\0'\x001\0.\x000\0'\0 \0e\0n\0c\0o\0d\0i\0n\0g\0=\0'\0g\0b\0k\0'\0?\0>\0",
    b"@charset \"windows-1251\"; a { content: '\xCF\xF0\xE8' }",
    b"# -*- coding: euc-jp -*-\n# \xC6\xFC\xCB\xDC",
    b"msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=ISO-8859-2\\n\"\n\"\xB1\xE6\"",
    b"From: a@b\nContent-Type: text/plain; charset=\"big5\"\n\n\xA7A\xA6n",
    b"\\documentclass{article}\n\\usepackage[latin1]{inputenc}\nh\xF4tel",
    b"<%@ page pageEncoding=\"windows-1252\" %>caf\xE9",
    b"<?php header('Content-Type: text/html; charset=windows-1250'); ?>\x9A\x9E",
    b"BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=ISO-8859-1:M\xFCller\r\nEND:VCARD\r\n",
    b"0 HEAD\n1 CHAR ANSEL\n1 NOTE caf\xE9\n",
    b"[Desktop Entry]\nEncoding=UTF-8\nName=Caf\xC3\xA9\n",
    b"\" a script\nscriptencoding cp1251\n\" \xCF\xF0",
    b"-- a dump\nSET NAMES latin1;\nINSERT INTO t VALUES ('caf\xE9');\n",
    b"-- a dump\nSET client_encoding = 'KOI8';\nSELECT '\xD0\xD2\xC9';\n",
    b"\xEF\xBB\xBFcaf\xC3\xA9",
    b"\xFF\xFEa\0b\0c\0",
    b"\xFE\xFF\0a\0b\0c",
    b"\xEF\xBB\xBFcaf\xE9 \xE8",
    b"\x1B$BF|K\\\x1B(B",
    b"\x1B$)C\x0E>H3g\x0F",
    b"Hi Mom +Jjo-!",
    b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR",
    b"%PDF-1.4\n%\xE2\xE3\xCF\xD3\n",
    b"a\0b\0\0\0\xFF\xFE\x01\x02",
    b"",
    b"a",
    b"\xE9",
];

/// Returns the file of cases.
fn cases() -> Result<String> {
    let mut all: Vec<Case> = DECLARED.iter().map(|text| Case { text: text.to_vec(), ..Case::default() }).collect();
    let samples = root().join("samples");
    let mut files: Vec<_> = fs::read_dir(&samples)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    files.sort();
    for file in files {
        let text = fs::read(&file)?;
        if file.to_string_lossy().ends_with(".utf-8.txt") {
            let text = String::from_utf8(text.clone())?;
            all.extend(encoded(&text));
        }
        all.push(Case { text, ..Case::default() });
    }
    // Longer than a block, and the start of a text.
    let tea = fs::read(samples.join("tea.shift_jis.txt"))?;
    all.push(Case { text: tea.repeat(70_000 / tea.len() + 1), ..Case::default() });
    all.push(Case { text: [&b"a".repeat(70_000), &tea[..]].concat(), ..Case::default() });
    all.push(Case { text: tea[..tea.len().min(101)].to_vec(), partial: true, ..Case::default() });
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    for number in 0..64 {
        let text = (0..number * number).map(|_| if number % 2 == 0 { next() } else { next() | 0x80 }).collect();
        all.push(Case { text, ..Case::default() });
    }
    let numbers = encodings()?;
    let mut lines = String::new();
    for case in all {
        case.write(&mut lines, &numbers)?;
    }
    Ok(lines)
}

/// Returns a text in the encodings that have its characters, whole and its start, with different options.
fn encoded(text: &str) -> Vec<Case> {
    let mut cases = Vec::new();
    for encoding in all_encodings() {
        let Ok(bytes) = encoding.encode(text) else { continue };
        // Most encodings outside the standard are never guessed.
        if bytes == text.as_bytes() || oem::ALL.contains(&encoding) && bytes[bytes.len() / 2] % 4 > 0 {
            continue;
        }
        let case = |number: usize| {
            let len = if number.is_multiple_of(2) { bytes.len() } else { bytes.len().min(24) };
            let mut case = Case { text: bytes[..len].to_vec(), ..Case::default() };
            match number {
                2 => (case.languages, case.domain) = ("cs,de", "jp"),
                3 => case.candidates = vec![encoding, textcodec::WINDOWS_1252],
                4 => (case.no_guess, case.fallback) = (true, Some(textcodec::KOI8_R)),
                5 => (case.transport, case.partial) = (Some(encoding), true),
                _ => case.no_declarations = number == 6,
            }
            case
        };
        // All options for one encoding, and one for each.
        let number = usize::from(bytes[bytes.len() / 2]) % 7;
        if cases.is_empty() {
            cases.extend((0..7).map(case));
        } else {
            cases.push(case(number));
        }
    }
    cases
}

impl Case {
    fn detect(&self) -> Detection {
        let hints = Hints::new().transport(self.transport).fallback(self.fallback).top_level_domain(self.domain);
        let languages = self.languages.split(',').filter_map(Language::for_tag);
        let options = DetectOptions::new().declarations(!self.no_declarations).guess(!self.no_guess).hints(hints);
        let options = options.candidates(self.candidates.iter().copied()).languages(languages);
        let mut detector = Detector::with(options);
        detector.feed(&self.text);
        if self.partial { detector.finish_partial() } else { detector.finish() }
    }

    fn write(&self, to: &mut String, numbers: &HashMap<Encoding, i32>) -> Result<()> {
        let number = |encoding: Option<Encoding>| encoding.and_then(|encoding| numbers.get(&encoding)).unwrap_or(&-1);
        let or_dash = |text: String| if text.is_empty() { "-".to_owned() } else { text };
        let flags = u8::from(self.no_declarations) | u8::from(self.no_guess) << 1 | u8::from(self.partial) << 2;
        let candidates: Vec<_> = self.candidates.iter().map(|&one| number(Some(one)).to_string()).collect();
        let text = self.text.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"));
        writeln!(
            to,
            "{flags} {} {} {} {} {} {}",
            number(self.transport),
            number(self.fallback),
            or_dash(candidates.join(",")),
            or_dash(self.languages.to_owned()),
            or_dash(self.domain.to_owned()),
            or_dash(text)
        )?;
        let detection = self.detect();
        writeln!(
            to,
            "{} {} {} {} {:016x} {} {}: {}",
            number(Some(detection.encoding)),
            number(detection.mixed_with),
            detection.confidence as i32,
            evidence(&detection)?,
            detection.probability.to_bits(),
            detection.bytes,
            detection.language.unwrap_or("-"),
            detection.reason()
        )?;
        for of in &detection.candidates {
            let (encoding, is_complete) = (number(Some(of.encoding)), u8::from(of.is_complete));
            let probability = of.probability.to_bits();
            writeln!(
                to,
                " {encoding} {is_complete} {probability:016x} {} {} {}",
                of.malformed, of.non_ascii, of.unlikely
            )?;
        }
        for of in &detection.declarations {
            writeln!(to, " {} {} {} {}", number(of.encoding()), form(of)?, of.offset(), of.label())?;
        }
        writeln!(to, ".")?;
        Ok(())
    }
}

/// Returns the encodings of the library.
fn all_encodings() -> impl Iterator<Item = Encoding> {
    Encoding::ALL.iter().chain(Encoding::EXTRA).chain(oem::ALL).copied()
}

/// Returns the numbers of the encodings.
fn encodings() -> Result<HashMap<Encoding, i32>> {
    let file = root().join(FOLDER).join("abi/numbers.txt");
    let numbers: HashMap<String, i32> = constants(&fs::read_to_string(file)?)?;
    let number = |encoding: Encoding| {
        let name = encoding.name().to_ascii_uppercase().replace(['-', '.'], "_");
        Some((encoding, *numbers.get(&name).or_else(|| numbers.get(&format!("{name}_")))?))
    };
    Ok(all_encodings().filter_map(number).collect())
}

/// Returns the numbers of a list in `bindings/c/abi`, by the ends of the names.
fn constants(list: &str) -> Result<HashMap<String, i32>> {
    let row = |line: &str| {
        let (name, number) = line.split_once(' ').context("no number")?;
        Ok((name.trim_start_matches("TEXTCODEC_").to_owned(), number.parse()?))
    };
    list.lines().map(row).collect()
}

/// Returns the number of something that has a name, from the list of the library's numbers.
fn named(prefix: &str, name: &str) -> Result<i32> {
    let list = fs::read_to_string(root().join(FOLDER).join("abi").join(DETECT_HEADER.numbers))?;
    let name = format!("{prefix}_{}", name.to_ascii_uppercase());
    constants(&list)?.get(&name).copied().with_context(|| format!("no number for {name}"))
}

fn evidence(of: &Detection) -> Result<i32> {
    named("EVIDENCE", of.evidence.name())
}

/// Returns the number of a form, from its name in Rust: `WideXml`.
fn form(of: &textcodec_detect::declaration::Declaration) -> Result<i32> {
    let name = format!("{:?}", of.form());
    let words = name.char_indices().fold(String::new(), |words, (at, c)| {
        if at > 0 && c.is_ascii_uppercase() { format!("{words}_{c}") } else { format!("{words}{c}") }
    });
    named("FORM", &words)
}
