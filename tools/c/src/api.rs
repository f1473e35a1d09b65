//! Tests `bindings/c/textcodec`: programs in C and C++ in `bindings/c/tests/api`, and the examples. `detect.rs` runs other programs in
//! the same ways.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result, ensure};
use project::{command, finish, root, skip};

use super::{
    Arguments, FOLDER, SANITIZE, WORK, abi,
    build::{self, DETECT, ICONV, LIBRARIES, Library, Profile, TEXTCODEC},
    header::{self, TEXTCODEC_HEADER},
    install::{self, Folders},
    is_installed, vectors,
};

/// The warnings of every program.
const WARNINGS: &[&str] = &["-Wall", "-Wextra", "-Werror", "-pedantic", "-Wshadow", "-Wconversion"];

/// Warnings that users of the headers turn on for their own code. The headers must cause none.
const STRICT_GCC: &[&str] = &[
    "-Wold-style-cast",
    "-Wcast-qual",
    "-Wcast-align",
    "-Wuseless-cast",
    "-Wzero-as-null-pointer-constant",
    "-Wextra-semi",
    "-Wnon-virtual-dtor",
    "-Wredundant-decls",
    "-Wundef",
    "-Wswitch-enum",
];
/// Clang has a flag for all warnings. These are about things that the headers do on purpose.
const STRICT_CLANG: &[&str] = &[
    "-Weverything",
    "-Wno-padded",
    "-Wno-c++98-compat",
    "-Wno-c++98-compat-pedantic",
    "-Wno-pre-c++17-compat",
    "-Wno-pre-c++20-compat-pedantic",
    // `_libiconv_version` is libiconv's name.
    "-Wno-reserved-identifier",
];

/// A language, its standards from the oldest to the newest, and its compilers.
struct Language {
    standards: &'static [&'static str],
    compilers: &'static [&'static str],
    extension: &'static str,
}

const C: Language = Language { standards: &["c11", "c17"], compilers: &["gcc", "clang"], extension: "c" };
const CPP: Language =
    Language { standards: &["c++17", "c++20", "c++2b"], compilers: &["g++", "clang++"], extension: "cpp" };

/// Which library a program is linked with.
#[derive(Clone, Copy)]
pub(super) enum Link {
    Shared,
    Static,
}

/// The programs of a library.
pub(super) struct Tests<'a> {
    pub(super) library: &'static Library,
    /// Their source, in `bindings/c`.
    pub(super) folder: &'static str,
    pub(super) work: PathBuf,
    /// What they read.
    pub(super) vectors: PathBuf,
    /// How many of the vectors are left out in valgrind: all but each of this number, and the same with `--quick`.
    pub(super) every: [&'static str; 2],
    pub(super) arguments: &'a Arguments,
}

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let work = root().join(WORK).join("api");
    fs::create_dir_all(work.join("header"))?;
    header::check(&TEXTCODEC_HEADER, &work.join("header"))?;
    let vectors = work.join("vectors.txt");
    vectors::write(&vectors)?;
    let (library, folder) = (&TEXTCODEC, "tests/api");
    let tests = Tests { library, folder, work, vectors, every: ["41", "163"], arguments };
    let release = build::build(Profile::Release, &[&TEXTCODEC])?;
    let checked = build::build(Profile::Checked, &[&TEXTCODEC])?;
    abi::check(&TEXTCODEC_HEADER, &release, &tests.work)?;
    tests.headers()?;
    tests.standards(&release)?;
    tests.mixed_standards(&release)?;
    for library in [&release, &checked] {
        tests.run("main.c", "gcc", "c11", &["-O1"], library, Link::Static)?;
    }
    tests.memory(&release)?;
    tests.sanitizers(&release)?;
    tests.valgrind(&release)?;
    tests.examples()
}

impl Tests<'_> {
    /// Compiles each header of all libraries alone in C++, with more warnings.
    fn headers(&self) -> Result<()> {
        for header in LIBRARIES.iter().flat_map(|library| library.headers) {
            let source = self.work.join("header.cpp");
            fs::write(&source, format!("#include <{header}>\n"))?;
            for (compiler, strict) in [("g++", STRICT_GCC), ("clang++", STRICT_CLANG)] {
                if !is_installed(compiler) {
                    skip(&format!("{header} with {compiler}"), "it is not installed")?;
                    continue;
                }
                for standard in [CPP.standards[0], CPP.standards[CPP.standards.len() - 1]] {
                    let mut cc = command(compiler, &[&format!("-std={standard}"), "-fsyntax-only"]);
                    cc.args(WARNINGS).args(strict).arg("-I").arg(root().join(FOLDER).join("include"));
                    finish(cc.arg(&source))?;
                }
            }
        }
        Ok(())
    }

    /// Compiles and runs the programs in each language, with each compiler, for each standard, and with each library.
    pub(super) fn standards(&self, library: &Path) -> Result<()> {
        for (language, program) in [(&C, "main.c"), (&CPP, "main.cpp")] {
            for compiler in language.compilers {
                if !is_installed(compiler) {
                    skip(&format!("{program} with {compiler}"), "it is not installed")?;
                    continue;
                }
                // The oldest and the newest find most.
                let standards = language.standards;
                let standards = if self.arguments.quick { &standards[standards.len() - 1..] } else { standards };
                for standard in standards {
                    for link in [Link::Shared, Link::Static] {
                        self.run(program, compiler, standard, &["-O1"], library, link)?;
                    }
                }
                if language.extension == "cpp" {
                    self.run(program, compiler, "c++17", &["-O1", "-fno-exceptions"], library, Link::Shared)?;
                    self.run(
                        program,
                        compiler,
                        standards[standards.len() - 1],
                        &["-O1", "-fno-exceptions", "-fno-rtti"],
                        library,
                        Link::Shared,
                    )?;
                }
            }
        }
        Ok(())
    }

    /// Links two files that were compiled for different standards, without inlining.
    fn mixed_standards(&self, library: &Path) -> Result<()> {
        let [oldest, .., newest] = CPP.standards else { return Ok(()) };
        let source = root().join(FOLDER).join(self.folder).join("mixed.cpp");
        let program = self.work.join("mixed-cpp");
        let mut link = command("g++", &["-o"]);
        link.arg(&program);
        // The linker takes a function from the first file that has it.
        for (standard, flags) in [(oldest, "-UOTHER_FILE"), (newest, "-DOTHER_FILE")] {
            let object = self.work.join(format!("mixed-{standard}.o"));
            let mut cc = command("g++", &[&format!("-std={standard}"), "-O0", flags, "-c"]);
            cc.args(WARNINGS).arg("-I").arg(root().join(FOLDER).join("include")).arg("-o").arg(&object).arg(&source);
            finish(&mut cc)?;
            link.arg(object);
        }
        finish(link.arg(library.join("libtextcodec.a")))?;
        finish(&mut Command::new(program))
    }

    /// Lets each allocation fail. The program replaces `malloc`, for the shared library too.
    pub(super) fn memory(&self, library: &Path) -> Result<()> {
        for link in [Link::Shared, Link::Static] {
            self.run("memory.c", "gcc", "c11", &["-O1"], library, link)?;
        }
        Ok(())
    }

    /// Runs the programs with sanitizers, which examine the programs and the memory that they share with the library.
    pub(super) fn sanitizers(&self, library: &Path) -> Result<()> {
        let flags = [&["-O1", "-g"], &SANITIZE[..]].concat();
        for link in [Link::Shared, Link::Static] {
            self.run("main.c", "gcc", "c11", &flags, library, link)?;
            self.run("main.cpp", "g++", "c++20", &flags, library, link)?;
        }
        Ok(())
    }

    /// Runs the programs in valgrind, which examines the library too. It has no AVX-512, so the level is at most AVX2.
    pub(super) fn valgrind(&self, library: &Path) -> Result<()> {
        if !is_installed("valgrind") {
            return skip("the C library in valgrind", "it is not installed");
        }
        for (program, compiler, standard) in [("main.c", "gcc", "c11"), ("main.cpp", "g++", "c++17")] {
            // The archive has the same code.
            let links = if self.arguments.quick { &[Link::Shared][..] } else { &[Link::Shared, Link::Static] };
            for &link in links {
                let program = self.compile(program, compiler, standard, &["-O1", "-g"], library, link)?;
                let mut valgrind = command("valgrind", &["--quiet", "--error-exitcode=1", "--leak-check=full"]);
                // The tables of code pages stay, and are reachable.
                let leaks = "definite,indirect,possible";
                valgrind.arg(format!("--show-leak-kinds={leaks}")).arg(format!("--errors-for-leak-kinds={leaks}"));
                let every = self.every[usize::from(self.arguments.quick)];
                finish(valgrind.arg(program).arg(&self.vectors).arg(every))?;
            }
        }
        Ok(())
    }

    /// Compiles a program and runs it.
    pub(super) fn run(
        &self,
        program: &str,
        compiler: &str,
        standard: &str,
        flags: &[&str],
        library: &Path,
        link: Link,
    ) -> Result<()> {
        let program = self.compile(program, compiler, standard, flags, library, link)?;
        let mut test = Command::new(program);
        test.arg(&self.vectors);
        if self.arguments.quick {
            test.arg("7");
        }
        finish(&mut test)
    }

    fn compile(
        &self,
        program: &str,
        compiler: &str,
        standard: &str,
        flags: &[&str],
        library: &Path,
        link: Link,
    ) -> Result<PathBuf> {
        let tests = root().join(FOLDER).join(self.folder);
        let name = self.library.name;
        let output = self.work.join(program.replace('.', "-"));
        let mut cc = command(compiler, &[&format!("-std={standard}")]);
        cc.args(WARNINGS).args(flags).arg("-pthread");
        cc.arg("-I").arg(root().join(FOLDER).join("include")).arg("-o").arg(&output);
        cc.args(sources(&tests, program)?);
        match link {
            Link::Static => cc.arg(library.join(format!("lib{name}.a"))),
            Link::Shared => {
                cc.arg("-L").arg(library).arg(format!("-l{name}")).arg(format!("-Wl,-rpath,{}", library.display()))
            }
        };
        finish(&mut cc)?;
        Ok(output)
    }

    /// Compiles the examples as a user would: with an installed library, by pkg-config and by `CMake`. The second installation has
    /// another folder for libraries, goes through `--destdir`, and is moved.
    fn examples(&self) -> Result<()> {
        let prefix = self.work.join("prefix");
        let (staged, moved) = (self.work.join("staged"), self.work.join("moved"));
        for folder in [&prefix, &staged, &moved] {
            if folder.exists() {
                fs::remove_dir_all(folder)?;
            }
        }
        let libraries = [&TEXTCODEC, &DETECT, &ICONV];
        install::install(&Folders::new(&prefix), &libraries)?;
        self.examples_in(&prefix, "lib")?;
        let folders = Folders {
            libdir: "lib/some-triplet".into(),
            destdir: Some(staged.clone()),
            ..Folders::new(Path::new("/opt/t"))
        };
        install::install(&folders, &libraries)?;
        fs::rename(staged.join("opt/t"), &moved)?;
        let left: Vec<_> = fs::read_dir(staged.join("opt"))?.chain(fs::read_dir(&staged)?).collect();
        ensure!(left.len() == 1, "files outside of the prefix: {left:?}");
        self.examples_in(&moved, "lib/some-triplet")
    }

    /// Compiles and runs the examples with the libraries in `prefix`.
    fn examples_in(&self, prefix: &Path, lib: &str) -> Result<()> {
        let lib = prefix.join(lib);
        let examples = root().join(FOLDER).join("examples");
        let mut programs = Vec::new();
        for (source, compiler, standard, libraries) in [
            ("decode.c", "cc", "c11", &[TEXTCODEC.name][..]),
            ("decode.cpp", "c++", "c++17", &[TEXTCODEC.name]),
            ("detect.c", "cc", "c11", &[DETECT.name, TEXTCODEC.name]),
            ("iconv.c", "cc", "c11", &[ICONV.name]),
        ] {
            let mut flags = command("pkg-config", &["--cflags", "--libs"]);
            let flags = flags.args(libraries).env("PKG_CONFIG_PATH", lib.join("pkgconfig")).output()?;
            ensure!(flags.status.success(), "pkg-config: {}", String::from_utf8_lossy(&flags.stderr));
            let flags = String::from_utf8(flags.stdout)?;
            let output = self.work.join(source.replace('.', "-pkg-config-"));
            let mut cc = command(compiler, &[&format!("-std={standard}"), "-o"]);
            finish(cc.arg(&output).args(WARNINGS).arg(examples.join(source)).args(flags.split_whitespace()))?;
            programs.push(output);
        }
        if is_installed("cmake") {
            let build = self.work.join("cmake");
            if build.exists() {
                fs::remove_dir_all(&build)?;
            }
            let mut cmake = command("cmake", &["-S"]);
            cmake.arg(&examples).arg("-B").arg(&build);
            // CMake searches `lib`, and folders in it that are named like this machine's architecture.
            let (variable, folder) = if lib.ends_with("lib") {
                ("CMAKE_PREFIX_PATH", prefix.to_owned())
            } else {
                ("textcodec_DIR", lib.join("cmake/textcodec"))
            };
            finish(cmake.arg(format!("-D{variable}={}", folder.display())))?;
            finish(command("cmake", &["--build"]).arg(&build))?;
            programs.extend(
                ["decode-c", "decode-cpp", "decode-static", "detect-c", "iconv-c"].map(|name| build.join(name)),
            );
        } else {
            skip("the examples with CMake", "it is not installed")?;
        }
        for program in programs {
            let name = program.file_name().unwrap_or_default().to_string_lossy();
            match &*name {
                name if name.starts_with("iconv") => run_iconv(&program, &lib)?,
                name if name.starts_with("detect") => run_detect(&program, &lib)?,
                _ => run_example(&program, &lib)?,
            }
        }
        Ok(())
    }
}

/// Runs the example for `iconv`.
fn run_iconv(program: &Path, libraries: &Path) -> Result<()> {
    let output = Command::new(program).env("LD_LIBRARY_PATH", libraries).output()?;
    ensure!(output.stdout == "日本語\nEUR 5 for cafe\nnaïve ──\n".as_bytes(), "{}: {output:?}", program.display());
    println!("{} converts", program.display());
    Ok(())
}

/// Runs the example for detection.
fn run_detect(program: &Path, libraries: &Path) -> Result<()> {
    let file = root().join("samples/tea.shift_jis.txt");
    let output = Command::new(program).arg(&file).env("LD_LIBRARY_PATH", libraries).output()?;
    let start = format!("{}: Shift_JIS (", file.display());
    let printed = String::from_utf8(output.stdout)?;
    ensure!(output.status.success() && printed.starts_with(&start), "{}: {printed}", program.display());
    let output = Command::new(program).arg("/no such file").env("LD_LIBRARY_PATH", libraries).output()?;
    ensure!(output.status.code() == Some(1) && !output.stderr.is_empty(), "{}: no error", program.display());
    println!("{} detects", program.display());
    Ok(())
}

/// Runs an example on a sample, and on the sample with an error.
fn run_example(program: &Path, libraries: &Path) -> Result<()> {
    let (bytes, text) = (root().join("samples/tea.shift_jis.txt"), root().join("samples/tea.utf-8.txt"));
    let run = |file: &Path| Command::new(program).arg(file).env("LD_LIBRARY_PATH", libraries).output();
    let (output, text) = (run(&bytes)?, fs::read(text)?);
    ensure!(output.status.success() && output.stdout == text, "{}: {output:?}", program.display());
    let broken = program.with_extension("txt");
    fs::write(&broken, [&fs::read(bytes)?[..], b"\x82"].concat())?;
    let output = run(&broken)?;
    let (errors, offset) = (String::from_utf8(output.stderr)?, fs::metadata(&broken)?.len() - 1);
    ensure!(output.stdout == [&text[..], "\u{FFFD}".as_bytes()].concat(), "{}: wrong text", program.display());
    ensure!(errors.contains(&format!("byte {offset}")), "{}: no error at byte {offset}: {errors}", program.display());
    for arguments in [&[][..], &[Path::new("/no such file")]] {
        let output = Command::new(program).args(arguments).env("LD_LIBRARY_PATH", libraries).output()?;
        ensure!(output.status.code() == Some(1), "{} {arguments:?}: {output:?}", program.display());
        ensure!(!output.stderr.is_empty(), "{} {arguments:?}: no message", program.display());
    }
    println!("{} decodes the sample, and reports an error at byte {offset}", program.display());
    Ok(())
}

/// The files of a program: those with its extension, and only one of those with a `main`.
fn sources(folder: &Path, program: &str) -> Result<Vec<PathBuf>> {
    if program != "main.c" {
        return Ok(vec![folder.join(program)]);
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "c") && !path.ends_with("memory.c") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
