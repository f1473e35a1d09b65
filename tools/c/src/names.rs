//! Tests the functions of the libraries that take a name: with each label, alias and name of iconv in several spellings, and with
//! strings that are similar. The oracle says what labels mean, and `textcodec-iconv`, whose names its own tests compare with the
//! oracle, what names of iconv mean.

use std::{fmt::Write as _, fs};

use anyhow::Result;
use project::{command, finish, root};
use textcodec::{Alias, Encoding};
use textcodec_iconv::{Form, Request};

use super::{
    Arguments, FOLDER, SANITIZE, WORK,
    build::{self, ENCODING_C, ICONV, Library, Profile, TEXTCODEC},
};

/// Returns what a string means, as the words of a line. Empty if the string is not tested.
type Meaning = fn(&str) -> Vec<String>;

/// The libraries, with the lines of the file of names of each. Its program is the file in `bindings/c/tests/names` with its folder's
/// name.
const LIBRARIES: [(&Library, Meaning); 3] = [(&TEXTCODEC, labels), (&ENCODING_C, labels), (&ICONV, iconv_names)];

pub(super) fn run(_: &Arguments) -> Result<()> {
    let libraries = LIBRARIES.map(|(library, _)| library);
    let folder = build::build(Profile::Checked, &libraries)?;
    let work = root().join(WORK).join("names");
    fs::create_dir_all(&work)?;
    let spellings = spellings();
    for (library, meaning) in LIBRARIES {
        let mut lines = String::new();
        for name in &spellings {
            let words = meaning(name);
            if words.is_empty() {
                continue;
            }
            name.bytes().try_for_each(|byte| write!(lines, "{byte:02x}"))?;
            writeln!(lines, " {}", words.join(" "))?;
        }
        let (file, program) = (work.join(format!("{}.txt", library.folder)), work.join(library.folder));
        fs::write(&file, lines)?;
        let bindings = root().join(FOLDER);
        let mut cc =
            command("gcc", &["-std=c11", "-D_GNU_SOURCE", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-pedantic"]);
        cc.args(SANITIZE).arg("-I").arg(bindings.join("include")).arg("-o").arg(&program);
        cc.arg(bindings.join("tests/names").join(format!("{}.c", library.folder)));
        finish(cc.arg(folder.join(format!("lib{}.a", library.name))))?;
        let mut test = command(&program.display().to_string(), &[]);
        test.arg(file).arg(Form::names().count().to_string());
        // Names that the library does not know are unknown, whatever the C library knows.
        finish(test.env("TEXTCODEC_ICONV", "nofallback").env("LC_ALL", "C"))?;
    }
    Ok(())
}

/// All strings to test, without duplicates.
fn spellings() -> Vec<String> {
    let names = Alias::ALL.iter().map(|alias| alias.name).chain(Form::names().map(|(name, _)| name));
    let extra = Encoding::EXTRA.iter().map(|encoding| encoding.name());
    let variants = names.chain(extra).flat_map(|name| {
        let upper = name.to_ascii_uppercase();
        [name.to_owned(), name.replace('-', "_"), name.replace(['-', '_'], " "), format!(" {upper}\t"), upper]
    });
    let long = ["utf-8".repeat(50_000), format!("{}gbk", " ".repeat(50_000))];
    let oracle = spec_model::spellings().into_iter().map(|spelling| spelling.text);
    let mut all: Vec<_> = variants.chain(oracle).chain(long).collect();
    all.sort();
    all.dedup();
    all
}

/// Returns the name of the encoding, or `-`, if the string is a label, and if it is any name.
fn labels(name: &str) -> Vec<String> {
    let label = spec_model::get_an_encoding(name).map(spec_model::Encoding::name);
    let any = name.parse().ok().or_else(|| Alias::for_name(name).map(|alias| alias.encoding));
    let any = any.map(|encoding: Encoding| encoding.name());
    [label, any].map(|name| name.unwrap_or("-").to_owned()).to_vec()
}

/// Returns what `iconv_open` and `iconv_canonicalize` make of a string of C.
fn iconv_names(name: &str) -> Vec<String> {
    let request = Request::parse(name.as_bytes());
    // An empty name is the locale's: ASCII in the locale "C".
    let opened = if request.is_empty { Form::for_name("ascii") } else { request.form };
    let canonical = |form: Option<Form>| form.map_or("-", Form::name).to_owned();
    // Suffixes change what a conversion does.
    let has_suffix = request.transliterate || request.ignore || request.discard;
    if has_suffix || name.contains('\0') {
        Vec::new()
    } else {
        vec![canonical(opened), canonical(Form::for_name(name))]
    }
}
