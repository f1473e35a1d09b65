//! Installs the libraries into a prefix.

use std::{
    env, fs,
    os::unix::fs::symlink,
    path::{self, Component, Path, PathBuf},
};

use anyhow::{Context as _, Result};
use project::root;

use super::{
    FOLDER,
    build::{self, Library, Profile},
};

/// Where an installation goes.
#[derive(clap::Args)]
pub(super) struct Folders {
    /// The folder that will contain `include` and `lib`, such as /usr/local.
    #[arg(long)]
    pub(super) prefix: PathBuf,
    /// The folder of the libraries, if it is not `lib` in the prefix: a path, or the name of a folder in the prefix, such as
    /// lib/x86_64-linux-gnu.
    #[arg(long, default_value = "lib")]
    pub(super) libdir: PathBuf,
    /// A folder that files are written into as if it were `/`, to make a package. The default is the variable DESTDIR.
    #[arg(long)]
    pub(super) destdir: Option<PathBuf>,
}

impl Folders {
    /// Installs into a folder of the tests.
    pub(super) fn new(prefix: &Path) -> Self {
        Self { prefix: prefix.to_owned(), libdir: "lib".into(), destdir: None }
    }

    /// The folder of the libraries on the machine that will use them.
    fn libraries(&self) -> Result<(PathBuf, PathBuf)> {
        let prefix = normal(&path::absolute(&self.prefix)?);
        let lib = normal(&prefix.join(&self.libdir));
        Ok((prefix, lib))
    }
}

/// Installs libraries, headers, and files for `pkg-config` and `CMake`.
pub(super) fn install(folders: &Folders, libraries: &[&Library]) -> Result<()> {
    let built = build::build(Profile::Release, libraries)?;
    let (prefix, lib) = folders.libraries()?;
    let destdir = folders.destdir.clone().or_else(|| env::var_os("DESTDIR").map(PathBuf::from));
    let destdir = destdir.filter(|folder| !folder.as_os_str().is_empty());
    // Where a file is written that will be at `path`.
    let staged = |path: &Path| match &destdir {
        Some(destdir) => destdir.join(path.strip_prefix("/").unwrap_or(path)),
        None => path.to_owned(),
    };
    let (pkgconfig, cmake) = (lib.join("pkgconfig"), lib.join("cmake/textcodec"));
    for library in libraries {
        for name in [library.soname(), format!("lib{}.a", library.name)] {
            copy(&built.join(&name), &staged(&lib.join(&name)))?;
        }
        let plain = staged(&lib.join(format!("lib{}.so", library.name)));
        if plain.symlink_metadata().is_ok() {
            fs::remove_file(&plain)?;
        }
        symlink(library.soname(), &plain)?;
        for header in library.headers {
            copy(&root().join(FOLDER).join("include").join(header), &staged(&prefix.join("include").join(header)))?;
        }
        let file = staged(&pkgconfig.join(format!("{}.pc", library.name)));
        write(&file, &pkg_config(library, &prefix, &lib))?;
    }
    for name in ["textcodecConfig.cmake", "textcodecConfigVersion.cmake"] {
        let text = fs::read_to_string(root().join(FOLDER).join("cmake").join(name))?;
        let text = text.replace("@ABI@", &build::ABI.to_string()).replace("@VERSION@", VERSION);
        let text = text.replace("@PREFIX@", &from(&cmake, "${CMAKE_CURRENT_LIST_DIR}", &prefix));
        write(&staged(&cmake.join(name)), &text)?;
    }
    for (name, folder) in LICENCES {
        copy(&root().join(folder).join(name), &staged(&prefix.join("share/doc/textcodec").join(name)))?;
    }
    println!("installed into {}", staged(&prefix).display());
    Ok(())
}

/// Copies a file, and creates its folder.
fn copy(file: &Path, to: &Path) -> Result<()> {
    create_folder(to)?;
    fs::copy(file, to).with_context(|| format!("{} to {}", file.display(), to.display()))?;
    Ok(())
}

/// Writes a file, and creates its folder.
fn write(to: &Path, text: &str) -> Result<()> {
    create_folder(to)?;
    fs::write(to, text).with_context(|| to.display().to_string())
}

fn create_folder(file: &Path) -> Result<()> {
    let folder = file.parent().context("a file is in a folder")?;
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())
}

/// Removes `.` and `..` from an absolute path.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => _ = normal.pop(),
            other => normal.push(other),
        }
    }
    normal
}

/// Returns the path of the prefix for a file in `folder`, which knows its folder as `variable`. So the installation can be moved,
/// unless the file is not in the prefix.
fn from(folder: &Path, variable: &str, prefix: &Path) -> String {
    match folder.strip_prefix(prefix) {
        Ok(inner) => format!("{variable}{}", "/..".repeat(inner.components().count())),
        Err(_) => prefix.display().to_string(),
    }
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

fn pkg_config(library: &Library, prefix: &Path, lib: &Path) -> String {
    let Library { name, description, .. } = library;
    let headers = header_folder(library);
    let libdir = match lib.strip_prefix(prefix) {
        Ok(inner) => format!("${{prefix}}/{}", inner.display()),
        Err(_) => lib.display().to_string(),
    };
    let prefix = from(&lib.join("pkgconfig"), "${pcfiledir}", prefix);
    format!(
        "prefix={prefix}\nlibdir={libdir}\nincludedir=${{prefix}}/include\n\n\
         Name: {name}\nDescription: {description}\nVersion: {VERSION}\n\
         Libs: -L${{libdir}} -l{name}\nCflags: -I${{includedir}}{headers}\n"
    )
}
