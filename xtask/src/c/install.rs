//! Installs the libraries into a prefix.

use std::{fs, os::unix::fs::symlink, path::Path};

use anyhow::{Context as _, Result};

use super::{
    FOLDER,
    build::{self, Library, Profile},
};
use crate::root;

/// Installs libraries, headers, and files for `pkg-config` and `CMake`.
pub(super) fn install(prefix: &Path, libraries: &[&Library]) -> Result<()> {
    let built = build::build(Profile::Release, libraries)?;
    fs::create_dir_all(prefix).with_context(|| prefix.display().to_string())?;
    let prefix = prefix.canonicalize()?;
    let (lib, include) = (prefix.join("lib"), prefix.join("include"));
    let (pkgconfig, cmake) = (lib.join("pkgconfig"), lib.join("cmake/textcodec"));
    for folder in [&pkgconfig, &cmake] {
        fs::create_dir_all(folder)?;
    }
    for library in libraries {
        for name in [library.soname(), format!("lib{}.a", library.name)] {
            fs::copy(built.join(&name), lib.join(&name)).with_context(|| name.clone())?;
        }
        let plain = lib.join(format!("lib{}.so", library.name));
        if plain.symlink_metadata().is_ok() {
            fs::remove_file(&plain)?;
        }
        symlink(library.soname(), &plain)?;
        for header in library.headers {
            let to = include.join(header);
            fs::create_dir_all(to.parent().context("a header is in a folder")?)?;
            fs::copy(root().join(FOLDER).join("include").join(header), to).with_context(|| (*header).to_owned())?;
        }
        fs::write(pkgconfig.join(format!("{}.pc", library.name)), pkg_config(library, &prefix))?;
    }
    for name in ["textcodecConfig.cmake", "textcodecConfigVersion.cmake"] {
        let text = fs::read_to_string(root().join(FOLDER).join("cmake").join(name))?;
        let text = text.replace("@ABI@", &build::ABI.to_string()).replace("@VERSION@", VERSION);
        fs::write(cmake.join(name), text)?;
    }
    let doc = prefix.join("share/doc/textcodec");
    fs::create_dir_all(&doc)?;
    for (name, folder) in LICENCES {
        fs::copy(root().join(folder).join(name), doc.join(name)).with_context(|| (*name).to_owned())?;
    }
    println!("installed into {}", prefix.display());
    Ok(())
}

/// The licences of the libraries and of the data in them, and the folders where they are.
const LICENCES: &[(&str, &str)] =
    &[("LICENSE-APACHE", ""), ("LICENSE-MIT", ""), ("LICENSE-WHATWG", ""), ("LICENSE-DEUNICODE", "crates/iconv")];

/// The version of the packages.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Returns the folder of a library's headers, relative to `include`. Only `iconv.h` has one of its own, so that no program gets
/// it instead of the system's by accident.
fn header_folder(library: &Library) -> &'static str {
    if library.name == build::ICONV.name { "/textcodec" } else { "" }
}

fn pkg_config(library: &Library, prefix: &Path) -> String {
    let Library { name, description, .. } = library;
    let (prefix, headers) = (prefix.display(), header_folder(library));
    format!(
        "prefix={prefix}\nlibdir=${{prefix}}/lib\nincludedir=${{prefix}}/include\n\n\
         Name: {name}\nDescription: {description}\nVersion: {VERSION}\n\
         Libs: -L${{libdir}} -l{name}\nCflags: -I${{includedir}}{headers}\n"
    )
}
