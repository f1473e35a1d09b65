//! Links the libraries.
//!
//! Cargo makes an archive of each. All that its exported functions need becomes one object file, in which every other symbol is
//! local. So it can be linked with other libraries in Rust, which define the same internal symbols, and the shared library
//! exports nothing else. A version script cannot do this in a library that cargo links itself: rustc's own script wins.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};
use project::{command, finish, root};

use super::{FOLDER, WORK};

/// A library for C.
pub(super) struct Library {
    /// Its folder in `bindings/c`. The file `exports.txt` there lists what it exports.
    pub(super) folder: &'static str,
    /// The name of the archive from cargo, without `lib` and `.a`.
    archive: &'static str,
    /// The name for the linker, such as `textcodec` for `-ltextcodec`.
    pub(super) name: &'static str,
    /// What it is, for pkg-config.
    pub(super) description: &'static str,
    /// Its headers in `bindings/c/include`.
    pub(super) headers: &'static [&'static str],
}

/// The number in the name of a shared library. It changes when programs must be compiled again.
pub(super) const ABI: u32 = 0;

pub(super) const TEXTCODEC: Library = Library {
    folder: "textcodec",
    archive: "textcodec_c",
    name: "textcodec",
    description: "The Encoding Standard: decode and encode text",
    headers: &["textcodec.h", "textcodec.hpp"],
};

pub(super) const DETECT: Library = Library {
    folder: "detect",
    archive: "textcodec_detect_c",
    name: "textcodec_detect",
    description: "Find the encoding of text",
    headers: &["textcodec.h", "textcodec_detect.h", "textcodec.hpp", "textcodec_detect.hpp"],
};

pub(super) const ICONV: Library = Library {
    folder: "iconv",
    archive: "textcodec_iconv",
    name: "textcodec_iconv",
    description: "iconv(3) with the tables of the Encoding Standard",
    headers: &["textcodec/iconv.h"],
};

pub(super) const ENCODING_C: Library = Library {
    folder: "encoding_c",
    archive: "encoding_c",
    name: "encoding_c",
    description: "The functions of encoding_c and encoding_c_mem",
    headers: &[
        "encoding_rs.h",
        "encoding_rs_statics.h",
        "encoding_rs_mem.h",
        "encoding_rs_cpp.h",
        "encoding_rs_mem_cpp.h",
        "encoding_rs_span.h",
    ],
};

pub(super) const LIBRARIES: [&Library; 4] = [&TEXTCODEC, &DETECT, &ICONV, &ENCODING_C];

/// Returns the libraries with these names, or all if there are no names.
pub(super) fn named(names: &[String]) -> Vec<&'static Library> {
    let is_named = |library: &&Library| names.is_empty() || names.iter().any(|name| name == library.name);
    LIBRARIES.into_iter().filter(is_named).collect()
}

impl Library {
    /// The name of the shared library that programs load.
    pub(super) fn soname(&self) -> String {
        format!("lib{}.so.{ABI}", self.name)
    }

    /// Returns the names of the exported symbols.
    pub(super) fn exports(&self) -> Result<Vec<String>> {
        let path = root().join(FOLDER).join(self.folder).join("exports.txt");
        let list = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        Ok(list.lines().map(str::to_owned).collect())
    }
}

/// How the libraries are compiled.
#[derive(Clone, Copy)]
pub(super) enum Profile {
    Release,
    /// With checks for overflows and of the library's own assumptions.
    Checked,
}

impl Profile {
    fn name(self) -> &'static str {
        match self {
            Self::Release => "release",
            Self::Checked => "checked",
        }
    }
}

/// Builds libraries. Returns the folder with `lib*.a` and `lib*.so`.
pub(super) fn build(profile: Profile, libraries: &[&Library]) -> Result<PathBuf> {
    // One by one, because a feature that one of them needs would be in all.
    for library in libraries {
        let mut cargo = command("cargo", &["build", "--locked", "--profile", profile.name()]);
        finish(cargo.args(["--manifest-path", &format!("{FOLDER}/{}/Cargo.toml", library.folder)]))?;
    }
    let archives = root().join(FOLDER).join("target").join(profile.name());
    let folder = root().join(WORK).join(profile.name());
    fs::create_dir_all(&folder)?;
    for library in libraries {
        let archive = archives.join(format!("lib{}.a", library.archive));
        link(library, &archive, &folder, "cc")?;
    }
    Ok(folder)
}

/// Links a library with a C compiler.
pub(super) fn link(library: &Library, archive: &Path, folder: &Path, compiler: &str) -> Result<()> {
    let file = |suffix: &str| folder.join(format!("lib{}{suffix}", library.name));
    let object = file(".o");
    let mut ld = command("ld", &["-r", "--gc-sections", "--strip-debug", "-o"]);
    ld.arg(&object);
    let exports = library.exports()?;
    for symbol in &exports {
        ld.args(["--require-defined", symbol]);
    }
    finish(ld.arg(archive))?;
    let list = root().join(FOLDER).join(library.folder).join("exports.txt");
    let mut objcopy = command("objcopy", &[]);
    finish(objcopy.arg(format!("--keep-global-symbols={}", list.display())).arg(&object))?;
    let new = file(".a");
    if new.exists() {
        fs::remove_file(&new)?;
    }
    finish(command("ar", &["crsD"]).arg(&new).arg(&object))?;
    let shared = folder.join(library.soname());
    let mut cc =
        command(compiler, &["-shared", "-s", "-Wl,--gc-sections", "-Wl,-z,defs", "-Wl,-z,relro", "-Wl,-z,now"]);
    cc.arg(format!("-Wl,-soname,{}", library.soname())).arg("-o").arg(&shared).arg(&object);
    finish(&mut cc)?;
    let plain = file(".so");
    if plain.exists() {
        fs::remove_file(&plain)?;
    }
    std::os::unix::fs::symlink(library.soname(), plain)?;
    Ok(fs::remove_file(object)?)
}
