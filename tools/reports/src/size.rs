//! `cargo xtask size`: measures what the library adds to a small program, next to encoding_rs: the time to build it, and its
//! size.

use std::{
    env::consts::ARCH,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, ensure};
use project::root;

/// The settings of a program that is built for size.
const FOR_SIZE: [(&str, &str); 5] =
    [("OPT_LEVEL", "z"), ("LTO", "fat"), ("CODEGEN_UNITS", "1"), ("PANIC", "abort"), ("STRIP", "true")];

/// The settings of an ordinary release build, stripped.
const ORDINARY: [(&str, &str); 1] = [("STRIP", "true")];

/// How many builds are timed. The fastest one counts.
const BUILDS: usize = 3;

/// The head of a program's conversion.
const CONVERT: &str = "#[allow(unused_variables, reason = \"not all programs encode\")]
fn convert(from: &str, to: &str, input: &[u8]) -> Option<Vec<u8>> {
    ";

const EMPTY: &str = "Some(input.into())";
const ENCODING_RS: &str =
    "Some(encoding_rs::Encoding::for_label(from.as_bytes())?.decode(input).0.into_owned().into_bytes())";
const ENCODING_RS_BOTH: &str = "let text = encoding_rs::Encoding::for_label(from.as_bytes())?.decode(input).0;
    Some(encoding_rs::Encoding::for_label(to.as_bytes())?.encode(&text).0.into_owned())";
const TEXTCODEC: &str = "let options = textcodec::DecodeOptions::new();
    Some(textcodec::Encoding::for_label(from)?.decode_with(input, options).ok()?.text.into_owned().into_bytes())";
/// By name, because the encodings of `oem` have no labels.
const TEXTCODEC_BOTH: &str = "let options = textcodec::DecodeOptions::new();
    let named = |name: &str| name.parse::<textcodec::Encoding>().ok();
    let decoded = named(from)?.decode_with(input, options).ok()?;
    let encoded = named(to)?.encode_with(&decoded.text, textcodec::Unmappable::Html).ok()?;
    Some(encoded.bytes.into_owned())";

const BARE_EMPTY: &str = "dst[..src.len()].copy_from_slice(src); Some(label.len())";
const BARE_ENCODING_RS: &str =
    "Some(encoding_rs::Encoding::for_label(label.as_bytes())?.new_decoder().decode_to_utf8(src, dst, true).2)";
const BARE_TEXTCODEC: &str =
    "Some(textcodec::Encoding::for_label(label)?.decoder().decode_to_utf8(src, dst, true).written)";

/// A program, and how it is built.
struct Program<'a> {
    name: &'a str,
    /// The body of its conversion.
    body: &'a str,
    /// The features of textcodec, or `None` for a program without it.
    features: Option<&'a str>,
    /// Whether it is built with `--cfg textcodec_small`.
    small: bool,
}

/// The cost of a program: CPU seconds of a cold build, and the size of the file in bytes.
#[derive(Clone, Copy)]
struct Cost {
    seconds: f64,
    bytes: u64,
}

/// The programs whose recorded sizes [`check`] compares: their names, and features of textcodec.
const CHECKED: [(&str, &str); 2] =
    [("everything", "std,all-encodings,encoders"), (PACKED, "std,all-encodings,encoders,packed-tables")];
const PACKED: &str = "everything, `packed-tables`";
/// encoding_rs with fast encoders, as those of textcodec are.
const FAST: &str = "encoding_rs, `fast-legacy-encode`";
/// By how many KiB a size may differ from the one in `docs/size.md`.
const TOLERANCE: u64 = 8;

/// Fails if the sizes in `docs/size.md` differ from those of programs that are built now.
pub(crate) fn check() -> Result<()> {
    let page = fs::read_to_string(root().join("docs/size.md"))?;
    let empty = Program { name: "empty", body: EMPTY, features: None, small: false };
    let empty = (build(&empty, &ORDINARY, None)?, build(&empty, &FOR_SIZE, None)?);
    let mut stale = Vec::new();
    for (name, features) in CHECKED {
        let row = page.lines().find(|line| line.starts_with(&format!("| {name} |")));
        let columns: Vec<&str> = row.with_context(|| format!("docs/size.md has no row {name}"))?.split('|').collect();
        let program = Program { name, body: TEXTCODEC_BOTH, features: Some(features), small: false };
        let sizes = [kib(build(&program, &ORDINARY, None)?, empty.0), kib(build(&program, &FOR_SIZE, None)?, empty.1)];
        for (recorded, size) in columns[3..].iter().zip(sizes) {
            let (recorded, size): (u64, u64) = (recorded.trim().parse()?, size.parse()?);
            if recorded.abs_diff(size) > TOLERANCE {
                stale.push(format!("{name}: {size} KiB, not {recorded}"));
            }
        }
    }
    ensure!(stale.is_empty(), "run `cargo xtask size --record`: {}", stale.join("; "));
    Ok(())
}

/// Prints the tables; `is_recorded` writes them to `docs/size.md`.
pub(crate) fn run(is_recorded: bool) -> Result<()> {
    let tables = format!("{}\n{}", host_table()?, targets_table()?);
    println!("{tables}");
    if is_recorded { project::replace("docs/size.md", "size --record", &tables) } else { Ok(()) }
}

fn host_table() -> Result<String> {
    let program = |name, body, features| Program { name, body, features, small: false };
    let programs = [
        program("encoding_rs, decoding", ENCODING_RS, None),
        program("encoding_rs", ENCODING_RS_BOTH, None),
        program(FAST, ENCODING_RS_BOTH, None),
        program("everything", TEXTCODEC_BOTH, Some("std,all-encodings,encoders")),
        program(PACKED, TEXTCODEC_BOTH, Some("std,all-encodings,encoders,packed-tables")),
        program("everything, and `oem`", TEXTCODEC_BOTH, Some("std,all-encodings,encoders,oem")),
        program("`all-encodings`, decoding", TEXTCODEC, Some("std,all-encodings")),
        program("`single-byte`, decoding", TEXTCODEC, Some("std,single-byte")),
        program("`japanese`, decoding", TEXTCODEC, Some("std,japanese")),
        program("`korean`, decoding", TEXTCODEC, Some("std,korean")),
        program("`chinese`, decoding", TEXTCODEC, Some("std,chinese")),
        program("no family, decoding", TEXTCODEC, Some("std")),
    ];
    let empty = program("empty", EMPTY, None);
    let (ordinary, for_size) = (fastest_build(&empty)?, build(&empty, &FOR_SIZE, None)?);
    // The CPU seconds of a build, what it adds to a stripped program, and what it adds to one that is built for size.
    let columns = |program: &Program<'_>| -> Result<String> {
        let (built, sized) = (fastest_build(program)?, build(program, &FOR_SIZE, None)?);
        let seconds = built.seconds - ordinary.seconds;
        Ok(format!("{seconds:.1} | {} | {}", kib(built, ordinary), kib(sized, for_size)))
    };
    let head = format!(
        "| on {ARCH} | build, s of CPU | added to a stripped program, KiB | built for size | \
         small: build | small: stripped | small: for size |\n\
         |---|---:|---:|---:|---:|---:|---:|\n"
    );
    let mut rows = Vec::new();
    for program in programs {
        let full = columns(&program)?;
        let small = match program.features {
            Some(_) => columns(&Program { small: true, ..program })?,
            None => "– | – | –".to_owned(),
        };
        rows.push(format!("| {} | {full} | {small} |\n", program.name));
    }
    Ok(head + &rows.concat())
}

fn targets_table() -> Result<String> {
    let program = |name, body, features, small| Program { name, body, features, small };
    let size = |program: Program<'_>, target| build(&program, &FOR_SIZE, Some(target));
    let wasm = "wasm32-unknown-unknown";
    let empty = size(program("empty", EMPTY, None, false), wasm)?;
    let all = Some("std,all-encodings,encoders");
    let wasm = format!(
        "| {wasm}, both directions | {} | {} | {} |\n",
        kib(size(program("encoding_rs", ENCODING_RS_BOTH, None, false), wasm)?, empty),
        kib(size(program("everything", TEXTCODEC_BOTH, all, false), wasm)?, empty),
        kib(size(program("everything", TEXTCODEC_BOTH, all, true), wasm)?, empty),
    );
    let bare = "thumbv7em-none-eabi";
    let empty = size(program("empty", BARE_EMPTY, None, false), bare)?;
    let bare = format!(
        "| {bare}, decoding, without `alloc` | {} | {} | needs `std` |\n",
        kib(size(program("encoding_rs", BARE_ENCODING_RS, None, false), bare)?, empty),
        kib(size(program("everything", BARE_TEXTCODEC, Some("all-encodings"), false), bare)?, empty),
    );
    let head =
        "| built for size, KiB | encoding_rs | everything | and with `textcodec_small` |\n|---|---:|---:|---:|\n";
    Ok(format!("{head}{wasm}{bare}"))
}

/// By how many KiB a program is larger than one that does not convert.
fn kib(program: Cost, empty: Cost) -> String {
    program.bytes.saturating_sub(empty.bytes).div_ceil(1024).to_string()
}

/// Builds a program for this machine [`BUILDS`] times, with the settings [`ORDINARY`]. The seconds are those of the fastest
/// build, which other programs delayed least.
fn fastest_build(program: &Program<'_>) -> Result<Cost> {
    let mut cost = build(program, &ORDINARY, None)?;
    for _ in 1..BUILDS {
        cost.seconds = cost.seconds.min(build(program, &ORDINARY, None)?.seconds);
    }
    Ok(cost)
}

/// Builds a program in an empty target folder, with the release profile and these changes to it.
fn build(program: &Program<'_>, profile: &[(&str, &str)], target: Option<&str>) -> Result<Cost> {
    let package = root().join("target/size-of-programs");
    let (source, cold) = (package.join("src"), package.join("target"));
    fs::create_dir_all(&source)?;
    if cold.exists() {
        fs::remove_dir_all(&cold)?;
    }
    let library = root().join("crates/textcodec");
    let dependency = match program.features {
        Some(features) => {
            let features: Vec<String> = features.split(',').map(|feature| format!("{feature:?}")).collect();
            let features = features.join(", ");
            format!(
                "textcodec = {{ path = \"{}\", default-features = false, features = [{features}] }}\n",
                library.display()
            )
        }
        None if program.body.contains("encoding_rs") && target.is_some_and(|target| target.contains("none")) => {
            "encoding_rs = { version = \"0.8\", default-features = false }\n".to_owned()
        }
        None if program.name == FAST => {
            "encoding_rs = { version = \"0.8\", features = [\"fast-legacy-encode\"] }\n".to_owned()
        }
        None if program.body.contains("encoding_rs") => "encoding_rs = \"0.8\"\n".to_owned(),
        None => String::new(),
    };
    let head = "[package]\nname = \"program\"\nversion = \"0.0.0\"\nedition = \"2024\"\nautobins = false\n";
    // A module for WebAssembly exports a function; it has no input of its own.
    let kind = if target.is_some_and(|target| target.starts_with("wasm")) {
        "[lib]\nname = \"program\"\ncrate-type = [\"cdylib\"]\n"
    } else {
        "[[bin]]\nname = \"program\"\n"
    };
    fs::write(
        package.join("Cargo.toml"),
        format!("{head}{kind}path = \"src/main.rs\"\n[workspace]\n[dependencies]\n{dependency}"),
    )?;
    let main = match target {
        Some(target) if target.contains("none") => bare_program(program.body),
        Some(_) => module(program.body),
        None => std_program(program.body),
    };
    fs::write(source.join("main.rs"), main)?;

    // The registry is not part of the cost.
    project::finish(project::command("cargo", &["fetch", "--quiet"]).current_dir(&package))?;
    let mut command = project::command("cargo", &["build", "--quiet", "--release"]);
    command.current_dir(&package).env("CARGO_TARGET_DIR", &cold).env_remove("CARGO_ENCODED_RUSTFLAGS");
    command.env("RUSTFLAGS", if program.small { "--cfg textcodec_small" } else { "" });
    for (key, value) in profile {
        command.env(format!("CARGO_PROFILE_RELEASE_{key}"), value);
    }
    if let Some(target) = target {
        command.args(["--target", target]);
        // A program without an operating system is not unwound.
        command.env("CARGO_PROFILE_RELEASE_PANIC", "abort");
    }
    let seconds = project::processor_seconds(&mut command).with_context(|| program.name.to_owned())?;
    let bytes = fs::metadata(file(&cold, target))?.len();
    eprintln!("{}{}: {seconds:.1} s, {bytes} bytes", program.name, if program.small { ", small" } else { "" });
    Ok(Cost { seconds, bytes })
}

fn file(cold: &Path, target: Option<&str>) -> PathBuf {
    match target {
        Some(target) if target.starts_with("wasm") => cold.join(target).join("release/program.wasm"),
        Some(target) => cold.join(target).join("release/program"),
        None => cold.join("release/program"),
    }
}

fn std_program(body: &str) -> String {
    format!(
        "use std::io::{{self, Read as _, Write as _}};

{CONVERT}{body}
}}

fn main() -> io::Result<()> {{
    let labels: Vec<String> = std::env::args().skip(1).collect();
    let [from, to] = &labels[..] else {{ return Ok(()) }};
    let mut input = Vec::new();
    io::stdin().read_to_end(&mut input)?;
    let output = convert(from, to, &input).ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
    io::stdout().write_all(&output)
}}
"
    )
}

/// A module for WebAssembly, whose caller does not let the compiler know the text and the labels.
fn module(body: &str) -> String {
    format!(
        "use std::hint::black_box;

{CONVERT}{body}
}}

#[unsafe(no_mangle)]
pub extern \"C\" fn run() -> usize {{
    let (from, to, input) = black_box((\"shift_jis\", \"utf-8\", [0x83; 64]));
    convert(from, to, &input).map_or(0, |output| black_box(output).len())
}}
"
    )
}

fn bare_program(body: &str) -> String {
    format!(
        "#![no_std]
#![no_main]

use core::hint::black_box;

fn convert(label: &str, src: &[u8], dst: &mut [u8]) -> Option<usize> {{
    {body}
}}

#[unsafe(no_mangle)]
pub extern \"C\" fn _start() -> ! {{
    let (mut dst, src) = ([0; 64], [0; 16]);
    loop {{
        black_box(convert(black_box(\"utf-8\"), black_box(&src), black_box(&mut dst)));
    }}
}}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {{
    loop {{}}
}}
"
    )
}
