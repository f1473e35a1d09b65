//! Compares the ABI of the C library with the recorded one, with libabigail's `abidiff`.
//!
//! The released library has no debug information, and that of Rust would describe Rust's types. So `abidw` reads a library of
//! functions without bodies, compiled from the header. `header.rs` has compared the header with Rust, and the symbols are compared
//! here. The dump contains no paths, and is of a little-endian machine with 64 bits.

use std::{fs, path::Path};

use anyhow::{Result, ensure};
use project::{command, finish, root, skip};

use super::{
    FOLDER,
    build::Library,
    header::{self, Header},
    is_installed,
};

/// Fails if the ABI differs from the recorded one.
pub(super) fn check(of: &Header, library: &Path, work: &Path) -> Result<()> {
    symbols(of.library, library)?;
    let numbers = root().join(FOLDER).join("abi").join(of.numbers);
    let (recorded, current) = (fs::read_to_string(&numbers)?, header::numbers(of)?);
    ensure!(
        recorded.lines().all(|line| current.lines().any(|other| other == line)),
        "numbers of {} have changed: numbers are only added. They are:\n{current}",
        numbers.display()
    );
    ensure!(recorded == current, "add the new numbers to {}:\n{current}", numbers.display());
    if !cfg!(all(target_pointer_width = "64", target_endian = "little")) {
        return skip("the ABI of the C library", "it is recorded for 64 bits");
    }
    if !is_installed("abidw") {
        return skip("the ABI of the C library", "abidw is not installed");
    }
    let (source, stub, dump) =
        (work.join("stub.c"), work.join("stub.so"), work.join(format!("{}.abi", of.library.name)));
    fs::write(&source, header::stub(of)?)?;
    let mut cc = command("cc", &["-std=c11", "-g", "-O0", "-shared", "-fPIC", "-Wno-return-type", "-I"]);
    // The dump contains the path of the source as it is given.
    cc.arg(root().join(FOLDER).join("include")).args(["-o", "stub.so", "stub.c"]).current_dir(work);
    finish(&mut cc)?;
    let portable =
        ["--no-show-locs", "--no-corpus-path", "--no-comp-dir-path", "--no-architecture", "--drop-undefined-syms"];
    finish(command("abidw", &portable).args(["--type-id-style", "hash", "--out-file"]).arg(&dump).arg(&stub))?;
    let recorded = root().join(FOLDER).join("abi").join(format!("{}.abi", of.library.name));
    let output = command("abidiff", &["--no-architecture"]).arg(&recorded).arg(&dump).output()?;
    ensure!(
        output.status.success(),
        "the ABI has changed:\n{}{}If this is intended, copy {} to {}. Unless functions or encodings were only added, change `ABI` \
         in tools/c/src/build.rs and bindings/c/textcodec/src/lib.rs",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
        dump.display(),
        recorded.display()
    );
    println!("the ABI is the recorded one");
    Ok(())
}

/// Fails if the shared library exports other symbols than its list says, or needs other libraries than that of C.
fn symbols(library: &Library, folder: &Path) -> Result<()> {
    let file = folder.join(library.soname());
    let output = command("nm", &["-D", "--defined-only", "--format=posix"]).arg(&file).output()?;
    let text = String::from_utf8(output.stdout)?;
    let mut names: Vec<&str> = text.lines().filter_map(|line| line.split(' ').next()).collect();
    let mut expected = library.exports()?;
    names.sort_unstable();
    expected.sort_unstable();
    ensure!(names == expected, "{} exports {names:?}", file.display());
    let output = command("readelf", &["-d"]).arg(&file).output()?;
    let text = String::from_utf8(output.stdout)?;
    let needed: Vec<&str> = text.lines().filter(|line| line.contains("(NEEDED)")).collect();
    ensure!(needed.iter().all(|line| line.contains("[libc.so")), "{} needs {needed:?}", file.display());
    println!("{} exports {} symbols, {} bytes", library.name, names.len(), fs::metadata(file)?.len());
    Ok(())
}
