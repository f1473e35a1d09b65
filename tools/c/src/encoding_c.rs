//! Tests `bindings/c/encoding_c`: its names, programs in C and C++ with expected results, and a program whose output is compared
//! with that of the original.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, ensure};
use project::{command, finish, root, skip};

use super::{
    Arguments, FOLDER, SANITIZE, WORK,
    build::{self, ENCODING_C, Profile},
    is_installed,
};

/// The programs' source, in `bindings/c`.
const TESTS: &str = "tests/encoding_c";

/// The source of the program that prints all results.
const TRANSCRIPT: &[&str] = &["transcript.c", "transcript_decode.c", "transcript_encode.c", "transcript_mem.c"];

/// The programs with expected results: each file is one.
const PROGRAMS: &[&str] = &["functions.c", "mem.c", "preconditions.c", "wrapper.cpp", "wrapper_mem.cpp"];

/// Programs that do what the original allows. They are linked with it too, so that the expected results are its own.
const COMMON: &[&str] = &["functions.c", "mem.c"];

/// What valgrind must not report. Processes that are expected to abort keep their memory.
const VALGRIND: &[&str] = &[
    "--quiet",
    "--error-exitcode=1",
    "--leak-check=full",
    "--show-leak-kinds=all",
    "--errors-for-leak-kinds=all",
    "--child-silent-after-fork=yes",
];

/// A library to link with: what goes to the linker, and what the program's name ends with.
struct Linked {
    suffix: &'static str,
    flags: Vec<String>,
}

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let exports = names()?;
    let work = root().join(WORK).join(ENCODING_C.folder);
    fs::create_dir_all(&work)?;
    let checked = build::build(Profile::Checked, &[&ENCODING_C])?;
    let (shared, archive) = (shared(&checked, "so"), archive(&checked, "a"));
    for compilers in [["gcc", "g++"], ["clang", "clang++"]] {
        if !is_installed(compilers[0]) {
            skip(&format!("encoding_c with {}", compilers[0]), "it is not installed")?;
            continue;
        }
        for library in [&shared, &archive] {
            for program in PROGRAMS {
                finish(&mut command(&compile(&work, &[program], compilers, &["-O1"], library)?, &[]))?;
            }
        }
        let sanitize = [&["-O1", "-g"], &SANITIZE[..]].concat();
        for program in PROGRAMS {
            finish(&mut command(&compile(&work, &[program], compilers, &sanitize, &archive)?, &[]))?;
        }
        for standard in ["-std=c++20", "-fno-exceptions"] {
            for program in ["wrapper.cpp", "wrapper_mem.cpp"] {
                finish(&mut command(&compile(&work, &[program], compilers, &["-O1", standard], &shared)?, &[]))?;
            }
        }
    }
    let gcc = ["gcc", "g++"];
    // A program without position-independent code has copies of the exported pointers.
    finish(&mut command(&compile(&work, &["functions.c"], gcc, &["-O1", "-fno-pie", "-no-pie"], &shared)?, &[]))?;
    let failing = ["-O1", "-Wl,--wrap=malloc"];
    finish(&mut command(&compile(&work, &["no_memory.c"], gcc, &failing, &archive)?, &[]))?;
    let labels = labels(&work)?;
    valgrind(&work, &labels, &[&shared, &archive], arguments.quick)?;
    witness(&work, &labels, &exports, &shared, arguments)
}

/// Checks that the library, its headers and its tests have the same names as the original. Returns them.
fn names() -> Result<BTreeSet<String>> {
    let exports: BTreeSet<String> = ENCODING_C.exports()?.into_iter().collect();
    let upstream = fs::read_to_string(tests().join("upstream.txt"))?;
    let upstream: BTreeSet<String> = upstream.lines().map(str::to_owned).collect();
    same("encoding_c/exports.txt", &exports, "tests/encoding_c/upstream.txt", &upstream)?;
    let mut declared = BTreeSet::new();
    for header in ["encoding_rs.h", "encoding_rs_statics.h", "encoding_rs_mem.h"] {
        let text = fs::read_to_string(root().join(FOLDER).join("include").join(header))?;
        for name in declarations(&without_comments(&text)) {
            ensure!(declared.insert(name.clone()), "{header}: {name} is declared twice");
        }
    }
    same("the headers", &declared, "encoding_c/exports.txt", &exports)?;
    let mut called = BTreeSet::new();
    for program in COMMON {
        let text = fs::read_to_string(tests().join(program))?;
        called.extend(words(&without_comments(&text)).filter(|name| exports.contains(name)));
    }
    same("what functions.c and mem.c use", &called, "encoding_c/exports.txt", &exports)?;
    println!("{} names are the same in the library, the headers, the tests and the original", exports.len());
    Ok(exports)
}

/// Fails if two lists of names differ, and tells how.
fn same(left: &str, left_names: &BTreeSet<String>, right: &str, right_names: &BTreeSet<String>) -> Result<()> {
    let only = |a: &BTreeSet<String>, b: &BTreeSet<String>| a.difference(b).cloned().collect::<Vec<_>>().join(", ");
    let (more, less) = (only(left_names, right_names), only(right_names, left_names));
    ensure!(more.is_empty(), "{left}: not in {right}: {more}");
    ensure!(less.is_empty(), "{left}: missing, in {right}: {less}");
    ensure!(!left_names.is_empty(), "{left}: no names");
    Ok(())
}

/// Returns the words of a text in C: names, numbers, and words of the language.
fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty()).map(str::to_owned)
}

fn without_comments(text: &str) -> String {
    let mut parts = text.split("/*");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |code, part| code + part.split_once("*/").map_or("", |(_, after)| after))
}

/// Returns the names of the functions and objects that a header declares.
fn declarations(header: &str) -> Vec<String> {
    let code: Vec<&str> = header.lines().filter(|line| !line.starts_with('#')).collect();
    let code = code.join(" ").replace("extern \"C\" {", "");
    let named = |declaration: &str| {
        // A brace ends the block `extern "C"`.
        let declaration = declaration.trim_start_matches([' ', '}']);
        if ["typedef ", "class "].iter().any(|start| declaration.starts_with(start)) {
            return None;
        }
        words(declaration.split('(').next().unwrap_or_default()).last()
    };
    code.split(';').filter_map(named).collect()
}

/// Compiles a program. Returns its path.
fn compile(work: &Path, sources: &[&str], [c, cpp]: [&str; 2], flags: &[&str], library: &Linked) -> Result<String> {
    let is_cpp = sources[0].ends_with("cpp");
    let compiler = if is_cpp { cpp } else { c };
    let standard = if is_cpp { "-std=c++17" } else { "-std=c11" };
    let program = work.join(format!("{}-{compiler}-{}", sources[0].replace('.', "-"), library.suffix));
    let mut compile = command(compiler, &[standard, "-Wall", "-Wextra", "-Werror", "-pedantic", "-Wshadow"]);
    // A later standard wins.
    compile.args(flags).arg(format!("-I{FOLDER}/include"));
    compile.args(sources.iter().map(|source| tests().join(source))).arg("-o").arg(&program);
    finish(compile.args(&library.flags))?;
    Ok(program.display().to_string())
}

/// Returns the shared library of a build.
fn shared(folder: &Path, suffix: &'static str) -> Linked {
    let folder = folder.display();
    Linked { suffix, flags: vec![format!("-L{folder}"), format!("-Wl,-rpath,{folder}"), "-lencoding_c".into()] }
}

/// Returns the archive of a build.
fn archive(folder: &Path, suffix: &'static str) -> Linked {
    Linked { suffix, flags: vec![folder.join("libencoding_c.a").display().to_string()] }
}

/// Runs the programs in valgrind, which also sees what the library does.
fn valgrind(work: &Path, labels: &str, libraries: &[&Linked], quick: bool) -> Result<()> {
    if !is_installed("valgrind") {
        return skip("encoding_c in valgrind", "it is not installed");
    }
    let gcc = ["gcc", "g++"];
    // The others have the same code.
    let examined = if quick { &libraries[..1] } else { libraries };
    for library in examined {
        for program in PROGRAMS {
            let program = compile(work, &[program], gcc, &["-O1", "-g"], library)?;
            finish(command("valgrind", VALGRIND).arg(program))?;
        }
    }
    let program = compile(work, TRANSCRIPT, gcc, &["-O1", "-g"], libraries[0])?;
    let mut valgrind = command("valgrind", VALGRIND);
    let every = if quick { "244" } else { "61" };
    finish(valgrind.args([&program, labels, "1", every]).stdout(std::process::Stdio::null()))
}

/// Builds the original from crates.io, and compares it with this library.
fn witness(
    work: &Path,
    labels: &str,
    exports: &BTreeSet<String>,
    shared_checked: &Linked,
    arguments: &Arguments,
) -> Result<()> {
    let mut cargo = command("cargo", &["build", "--release", "--locked"]);
    cargo.args(["--manifest-path", &format!("{FOLDER}/witness/Cargo.toml")]);
    finish(cargo.env("CARGO_TARGET_DIR", format!("{WORK}/witness")))?;
    let path = root().join(WORK).join("witness/release/libwitness.a");
    let original = Linked { suffix: "original", flags: vec![path.display().to_string(), "-lm".into()] };
    same("tests/encoding_c/upstream.txt", exports, "the original", &symbols(&path)?)?;

    let gcc = ["gcc", "g++"];
    for program in COMMON {
        finish(&mut command(&compile(work, &[program], gcc, &["-O1"], &original)?, &[]))?;
    }
    let scale = if arguments.quick { "30" } else { "200" };
    let print = |library: &Linked| -> Result<String> {
        let program = compile(work, TRANSCRIPT, gcc, &["-O2"], library)?;
        let output = command(&program, &[labels, scale, "1"]).output()?;
        ensure!(output.status.success(), "{program} failed: {}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).with_context(|| format!("{program}: not UTF-8"))?;
        ensure!(text.ends_with("\nend\n"), "{program} did not print all results");
        Ok(text)
    };
    let theirs = print(&original)?;
    compare("checked", &print(shared_checked)?, &theirs)?;
    if arguments.quick {
        return Ok(());
    }
    let release = build::build(Profile::Release, &[&ENCODING_C])?;
    compare("release", &print(&shared(&release, "release"))?, &theirs)
}

/// Compares two transcripts, and tells the first differences.
fn compare(what: &str, ours: &str, theirs: &str) -> Result<()> {
    let differences: Vec<(&str, &str)> = ours.lines().zip(theirs.lines()).filter(|(our, their)| our != their).collect();
    for (our, their) in differences.iter().take(10) {
        eprintln!("this library: {our}\nthe original: {their}");
    }
    let (our_lines, their_lines) = (ours.lines().count(), theirs.lines().count());
    ensure!(
        differences.is_empty() && our_lines == their_lines,
        "{what}: {} of {our_lines} lines differ from the original's {their_lines}",
        differences.len()
    );
    println!("{what}: {our_lines} lines of results are the same as those of the original");
    Ok(())
}

/// Returns the symbols of C in the archive of the original.
fn symbols(archive: &Path) -> Result<BTreeSet<String>> {
    let output = command("nm", &["--extern-only", "--defined-only"]).arg(archive).output()?;
    ensure!(output.status.success(), "nm failed: {}", String::from_utf8_lossy(&output.stderr));
    let is_name = |name: &&str| {
        ["encoding_", "decoder_", "encoder_"].iter().any(|start| name.starts_with(start)) || name.ends_with("_ENCODING")
    };
    let text = String::from_utf8(output.stdout)?;
    Ok(text.lines().filter_map(|line| line.split(' ').nth(2)).filter(is_name).map(str::to_owned).collect())
}

/// Writes all labels of the standard to a file, one a line. Returns its path.
fn labels(work: &Path) -> Result<String> {
    let labels: Vec<&str> = textcodec::Encoding::ALL.iter().flat_map(|encoding| encoding.labels()).copied().collect();
    ensure!(labels.len() == 228, "{} labels, but the standard has 228", labels.len());
    let path = work.join("labels.txt");
    fs::write(&path, labels.join("\n") + "\n")?;
    Ok(path.display().to_string())
}

fn tests() -> PathBuf {
    root().join(FOLDER).join(TESTS)
}
