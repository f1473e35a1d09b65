//! Compares the models of encodings outside of the standard with independent programs: Python, glibc, ICU and Perl.
//!
//! `cargo run --release --manifest-path difftest/Cargo.toml --bin outside` needs `python3`, `perl` and ICU's library. Only the differences in
//! [`rules`] are allowed. Each rule must be needed.

mod inputs;
mod rules;

use std::{
    collections::BTreeMap,
    io::Write as _,
    process::{Command, ExitCode, Stdio},
    thread,
};

use rules::Case;
use spec_model::{Bom, EncodeMode, Encoding, Mode};

/// The encoding, the program, and the program's name for it.
const WITNESSES: &[(&str, &str, &str)] = &[
    ("UTF-7", "python", "utf-7"),
    ("UTF-7", "glibc", "UTF-7"),
    ("UTF-7", "icu", "UTF-7"),
    ("UTF-7-IMAP", "glibc", "UTF-7-IMAP"),
    ("UTF-7-IMAP", "icu", "IMAP-mailbox-name"),
    ("UTF-32", "python", "utf-32"),
    ("UTF-32", "glibc", "UTF-32"),
    ("UTF-32", "icu", "UTF-32"),
    ("UTF-32BE", "python", "utf-32be"),
    ("UTF-32BE", "glibc", "UTF-32BE"),
    ("UTF-32BE", "icu", "UTF-32BE"),
    ("UTF-32LE", "python", "utf-32le"),
    ("UTF-32LE", "glibc", "UTF-32LE"),
    ("UTF-32LE", "icu", "UTF-32LE"),
    ("true-ucs-2be", "glibc", "UCS-2BE"),
    ("true-ucs-2le", "glibc", "UCS-2LE"),
    ("CESU-8", "icu", "CESU-8"),
    ("true-hz", "python", "hz"),
    ("true-hz", "icu", "HZ"),
    ("true-iso-2022-kr", "python", "iso2022_kr"),
    ("true-iso-2022-kr", "glibc", "ISO-2022-KR"),
    ("true-iso-2022-kr", "icu", "ISO-2022-KR"),
    ("JOHAB", "python", "johab"),
    ("JOHAB", "glibc", "JOHAB"),
    ("GSM-03.38", "perl", "gsm0338"),
    ("GSM-03.38", "icu", "gsm-03.38-2009"),
];

fn main() -> ExitCode {
    let (mut failed, mut used) = (false, BTreeMap::new());
    // Only these encodings, if there are arguments.
    let only: Vec<String> = std::env::args().skip(1).collect();
    for &(encoding, program, name) in WITNESSES {
        if !only.is_empty() && !only.iter().any(|other| other == encoding) {
            continue;
        }
        for is_decoding in [true, false] {
            let inputs = if is_decoding { inputs::bytes(encoding) } else { inputs::texts(encoding) };
            let answers = ask(program, name, is_decoding, &inputs);
            assert_eq!(answers.len(), inputs.len(), "answers of {program} for {name}");
            let (mut differences, mut unexplained) = (BTreeMap::<&str, usize>::new(), Vec::new());
            for (input, theirs) in inputs.iter().zip(answers) {
                let ours = if is_decoding { decode(encoding, input) } else { encode(encoding, input) };
                if ours == theirs {
                    continue;
                }
                let case =
                    Case { encoding, program, is_decoding, input, ours: ours.as_deref(), theirs: theirs.as_deref() };
                match rules::explain(&case) {
                    Some(rule) => *differences.entry(rule).or_default() += 1,
                    None => unexplained.push(format!("{case}")),
                }
            }
            let direction = if is_decoding { "decode" } else { "encode" };
            println!("{encoding} {direction} {program}: {} inputs", inputs.len());
            for (rule, count) in differences {
                println!("    {count} {rule}");
                *used.entry(rule).or_insert(0) += count;
            }
            if !unexplained.is_empty() {
                failed = true;
                println!("    {} UNEXPLAINED", unexplained.len());
                unexplained.iter().step_by(unexplained.len().div_ceil(12)).for_each(|case| println!("        {case}"));
            }
        }
    }
    for rule in rules::ALL.iter().filter(|rule| only.is_empty() && !used.contains_key(*rule)) {
        failed = true;
        println!("rule is not needed: {rule}");
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Converts inputs by a program. `None` is an error.
fn ask(program: &str, name: &str, is_decoding: bool, inputs: &[Vec<u8>]) -> Vec<Option<Vec<u8>>> {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/src/bin/outside");
    let mut command = if program == "perl" { Command::new("perl") } else { Command::new("python3") };
    match program {
        "perl" => command.arg(format!("{dir}/witness.pl")),
        _ => command.arg(format!("{dir}/witness.py")).arg(program),
    };
    command.args([name, if is_decoding { "decode" } else { "encode" }]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program is installed");
    let mut stdin = child.stdin.take().expect("a pipe");
    let lines: String = inputs.iter().map(|input| hex(input) + "\n").collect();
    let writer = thread::spawn(move || stdin.write_all(lines.as_bytes()));
    let output = child.wait_with_output().expect("the program runs");
    writer.join().expect("no panic").expect("the program reads its input");
    assert!(output.status.success(), "{program} fails for {name}");
    let answers = String::from_utf8(output.stdout).expect("hexadecimal digits");
    answers.lines().map(|line| line.strip_prefix('=').map(from_hex)).collect()
}

fn encoding(name: &str) -> Encoding {
    Encoding::outside().find(|encoding| encoding.name() == name).expect("a model")
}

/// Decodes by the model to UTF-32. `None` is an error.
fn decode(name: &str, bytes: &[u8]) -> Option<Vec<u8>> {
    let decoded = spec_model::decode(encoding(name), bytes, Bom::Keep, Mode::Fatal);
    decoded.errors.is_empty().then(|| inputs::utf32(&decoded.text))
}

/// Decodes by the model to UTF-32, without the malformed sequences.
fn replaced(name: &str, bytes: &[u8]) -> Vec<u8> {
    let decoded = spec_model::decode(encoding(name), bytes, Bom::Keep, Mode::Replacement);
    inputs::utf32(&decoded.text.replace('\u{FFFD}', ""))
}

/// Encodes UTF-32 by the model. `None` is an error.
fn encode(name: &str, text: &[u8]) -> Option<Vec<u8>> {
    let encoded = spec_model::encode(encoding(name), characters(text), EncodeMode::Fatal)?;
    encoded.errors.is_empty().then_some(encoded.bytes)
}

fn characters(text: &[u8]) -> impl Iterator<Item = char> {
    let code_points = text.chunks_exact(4).map(|four| four.iter().fold(0, |all, &byte| all << 8 | u32::from(byte)));
    code_points.map(|code_point| char::from_u32(code_point).unwrap_or('\u{FFFD}'))
}

fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect()
}

fn from_hex(digits: &str) -> Vec<u8> {
    (0..digits.len() / 2).map(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).expect("digits")).collect()
}
