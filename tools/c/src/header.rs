//! Compares `textcodec.h` with the declarations in Rust.
//!
//! The C compiler is the judge. Each function is declared again with the types of Rust, which C allows only if the types are
//! compatible. Structs are compared field by field, and enumerators by value. cbindgen would write a second header with the same
//! names, which cannot be compiled together with this one, and comparing headers as text would compare their style.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
    path::Path,
};

use anyhow::{Context as _, Result, bail, ensure};
use project::{command, root};
use syn::{Expr, Fields, FnArg, GenericArgument, Item, Lit, PathArguments, ReturnType, Type};

use super::{
    FOLDER,
    build::{DETECT, Library, TEXTCODEC},
};

/// A header for C.
pub(super) struct Header {
    pub(super) library: &'static Library,
    /// Its file in `bindings/c/include`.
    file: &'static str,
    /// The list of its numbers, in `bindings/c/abi`.
    pub(super) numbers: &'static str,
    /// Changes that the comparison must find: text of the header, and what to write instead.
    drifts: &'static [(&'static str, &'static str)],
}

pub(super) const DETECT_HEADER: Header = Header {
    library: &DETECT,
    file: "textcodec_detect.h",
    numbers: "detect_numbers.txt",
    drifts: &[
        ("double probability;", "float probability;"),
        ("const char *label;", "char *label;"),
        ("uint64_t offset;", "uint32_t offset;"),
        ("TEXTCODEC_FORM_SQL = 17", "TEXTCODEC_FORM_SQL = 19"),
        ("double textcodec_detection_probability(", "float textcodec_detection_probability("),
        ("bool partial,", "int partial,"),
        ("void textcodec_detection_free(", "void textcodec_detection_release("),
    ],
};

pub(super) const TEXTCODEC_HEADER: Header =
    Header { library: &TEXTCODEC, file: "textcodec.h", numbers: "numbers.txt", drifts: DRIFTS };

const DRIFTS: &[(&str, &str)] = &[
    ("uint64_t end;", "uint32_t end;"),
    ("uint64_t start;\n", "int64_t start;\n"),
    ("int32_t bom;", "int32_t bomb;"),
    ("uint32_t reserved[5];", "uint32_t reserved[6];"),
    ("uint64_t words[32];\n} textcodec_decoder_storage", "uint64_t words[31];\n} textcodec_decoder_storage"),
    ("TEXTCODEC_GBK = 29", "TEXTCODEC_GBK = 30"),
    ("TEXTCODEC_IBM437 = 42", "TEXTCODEC_IBM437 = 43"),
    ("TEXTCODEC_UNAVAILABLE = -3", "TEXTCODEC_UNAVAILABLE = -3, TEXTCODEC_NEW = -4"),
    ("TEXTCODEC_REASON_ILL_FORMED = 17", "TEXTCODEC_REASON_ILL = 17"),
    ("bool textcodec_encoding_has_encoder(textcodec_encoding", "int textcodec_encoding_has_encoder(textcodec_encoding"),
    ("textcodec_utf8_valid_up_to(const void *bytes", "textcodec_utf8_valid_up_to(void *bytes"),
    ("textcodec_utf8_valid_up_to(const void *bytes, size_t", "textcodec_utf8_valid_up_to(const void *bytes, uint32_t"),
    ("void textcodec_decoder_free(", "void textcodec_decoder_release("),
    ("void textcodec_free(void *memory);", "void textcodec_free(void *memory); void textcodec_new(void);"),
];

/// What Rust declares.
#[derive(Default)]
struct Declarations {
    functions: BTreeMap<String, String>,
    /// Names of fields, and their types as formats: `{}` is the place of the name.
    structs: BTreeMap<String, Vec<(String, String)>>,
    constants: BTreeMap<String, i64>,
}

/// Fails if the header, the list of exports and the declarations in Rust differ, or if the comparison does not find a drift.
pub(super) fn check(of: &Header, folder: &Path) -> Result<()> {
    let header = of.text()?;
    let declarations = Declarations::read(of.library)?;
    declarations.compare(of, &header, folder)?;
    for (text, drift) in of.drifts {
        ensure!(header.contains(text), "the header does not contain {text:?}");
        let changed = header.replacen(text, drift, 1);
        ensure!(declarations.compare(of, &changed, folder).is_err(), "not found: {text:?} became {drift:?}");
    }
    let Declarations { functions, structs, constants } = &declarations;
    let counts = (functions.len(), structs.len(), constants.len(), of.drifts.len());
    println!(
        "{} equals Rust: {} functions, {} structs, {} numbers; finds {} drifts",
        of.file, counts.0, counts.1, counts.2, counts.3
    );
    Ok(())
}

/// Returns a program in C that defines all functions, without their bodies.
pub(super) fn stub(of: &Header) -> Result<String> {
    let mut program = format!("#include \"{}\"\n", of.file);
    let code = without_comments(&of.text()?);
    for statement in code.split(';').filter(|statement| !statement.contains(['{', '}', '#', '='])) {
        let declaration = statement.split_whitespace().collect::<Vec<_>>().join(" ");
        if declaration.ends_with(')') && !declaration.starts_with("return") {
            writeln!(program, "{declaration} {{}}")?;
        }
    }
    Ok(program)
}

/// Returns the numbers of the header, one a line.
pub(super) fn numbers(of: &Header) -> Result<String> {
    let numbers = Declarations::read(of.library)?.constants;
    Ok(numbers.iter().fold(String::new(), |lines, (name, number)| lines + &format!("{name} {number}\n")))
}

impl Header {
    fn text(&self) -> Result<String> {
        Ok(fs::read_to_string(root().join(FOLDER).join("include").join(self.file))?)
    }
}

impl Declarations {
    fn read(library: &Library) -> Result<Self> {
        let mut declarations = Self::default();
        let folder = root().join(FOLDER).join(library.folder).join("src");
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let file = syn::parse_file(&fs::read_to_string(&path)?).with_context(|| path.display().to_string())?;
            for item in &file.items {
                declarations.add(item).with_context(|| path.display().to_string())?;
            }
        }
        Ok(declarations)
    }

    fn add(&mut self, item: &Item) -> Result<()> {
        match item {
            Item::Fn(item) if item.sig.abi.is_some() => {
                let name = item.sig.ident.to_string();
                let mut parameters = Vec::new();
                for input in &item.sig.inputs {
                    let FnArg::Typed(input) = input else { bail!("{name} has a receiver") };
                    parameters.push(c_type(&input.ty)?.replace("{}", ""));
                }
                let result = match &item.sig.output {
                    ReturnType::Default => "void {}".to_owned(),
                    ReturnType::Type(_, result) => c_type(result)?,
                };
                let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
                let declaration = result.replace("{}", &format!("{name}({parameters})"));
                ensure!(self.functions.insert(name, declaration).is_none(), "declared twice");
            }
            Item::Struct(item) if item.attrs.iter().any(|attribute| attribute.path().is_ident("repr")) => {
                let Fields::Named(fields) = &item.fields else { bail!("{} has no names", item.ident) };
                let fields = fields.named.iter().map(|field| {
                    let name = field.ident.as_ref().context("a field without a name")?;
                    Ok((name.to_string(), c_type(&field.ty)?))
                });
                self.structs.insert(c_name(&item.ident.to_string()), fields.collect::<Result<_>>()?);
            }
            Item::Const(item) if item.ident.to_string().starts_with("TEXTCODEC_") => {
                self.constants.insert(item.ident.to_string(), number(&item.expr)?);
            }
            // The encodings by number.
            Item::Const(item) if item.ident == "ALL" => {
                let Expr::Array(all) = &*item.expr else { bail!("ALL is not an array") };
                for (number, encoding) in all.elems.iter().enumerate() {
                    let Expr::Path(path) = encoding else { bail!("not a name of an encoding") };
                    let name = &path.path.segments.last().context("an empty path")?.ident;
                    self.constants.insert(format!("TEXTCODEC_{name}"), i64::try_from(number)?);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Compares with the text of a header.
    fn compare(&self, of: &Header, header: &str, folder: &Path) -> Result<()> {
        // Comments mention other names.
        let code = without_comments(header);
        let names = |suffix: &str, prefix: &str| -> BTreeSet<String> {
            let words = code.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).map(str::to_owned);
            words.filter(|word| word.starts_with(prefix) && code.contains(&format!("{word}{suffix}"))).collect()
        };
        let exports: BTreeSet<String> = of.library.exports()?.into_iter().collect();
        let functions: BTreeSet<String> = self.functions.keys().cloned().collect();
        ensure!(functions == exports, "Rust and exports.txt: {:?}", functions.symmetric_difference(&exports));
        // The inline functions are not in the library.
        let is_inline = |name: &String| name.ends_with("_wchar");
        let declared: BTreeSet<String> = names("(", "textcodec_").into_iter().filter(|name| !is_inline(name)).collect();
        ensure!(functions == declared, "Rust and the header: {:?}", functions.symmetric_difference(&declared));
        let constants: BTreeSet<String> = self.constants.keys().cloned().collect();
        let enumerators = names(" = ", "TEXTCODEC_");
        ensure!(constants == enumerators, "Rust and the header: {:?}", constants.symmetric_difference(&enumerators));
        fs::write(folder.join(of.file), header)?;
        let file = folder.join("declarations.c");
        fs::write(&file, self.program(of)?)?;
        let mut compiler = command("cc", &["-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-fsyntax-only"]);
        let output = compiler.arg("-I").arg(root().join(FOLDER).join("include")).arg(&file).output()?;
        ensure!(output.status.success(), "the header differs from Rust: {}", String::from_utf8_lossy(&output.stderr));
        Ok(())
    }

    /// Returns a program that compiles only if the header declares the same.
    fn program(&self, of: &Header) -> Result<String> {
        let mut program = format!("#include \"{}\"\n", of.file);
        for declaration in self.functions.values() {
            writeln!(program, "{declaration};")?;
        }
        for (name, number) in &self.constants {
            writeln!(program, "_Static_assert({name} == {number}, \"\");")?;
        }
        for (name, fields) in &self.structs {
            writeln!(program, "struct rust_{name} {{")?;
            for (field, of) in fields {
                writeln!(program, "{};", of.replace("{}", field))?;
            }
            writeln!(program, "}};")?;
            writeln!(program, "_Static_assert(sizeof({name}) == sizeof(struct rust_{name}), \"\");")?;
            writeln!(program, "_Static_assert(_Alignof({name}) == _Alignof(struct rust_{name}), \"\");")?;
            for (field, _) in fields {
                let offset = |of: &str| format!("offsetof({of}, {field})");
                let rust = format!("struct rust_{name}");
                writeln!(program, "_Static_assert({} == {}, \"\");", offset(name), offset(&rust))?;
                // Pointers to different types cannot be compared, with these warnings.
                writeln!(program, "int same_{name}_{field}({name} *a, {rust} *b);")?;
                writeln!(
                    program,
                    "int same_{name}_{field}({name} *a, {rust} *b) {{ return &a->{field} == &b->{field}; }}"
                )?;
            }
        }
        Ok(program)
    }
}

/// Returns the type in C as a format: `{}` is the place of the name.
fn c_type(of: &Type) -> Result<String> {
    match of {
        Type::Ptr(pointer) => {
            let target = c_type(&pointer.elem)?;
            let is_pointer = matches!(*pointer.elem, Type::Ptr(_));
            ensure!(!(is_pointer && pointer.const_token.is_some()), "constant pointers to pointers are not supported");
            let constant = if pointer.const_token.is_some() { "const " } else { "" };
            Ok(format!("{constant}{}", target.replace("{}", "*{}")))
        }
        Type::Array(array) => {
            let element = c_type(&array.elem)?;
            let length = number(&array.len)?;
            Ok(element.replace("{}", &format!("{{}}[{length}]")))
        }
        Type::Path(path) => {
            let last = path.path.segments.last().context("an empty path")?;
            ensure!(
                matches!(last.arguments, PathArguments::None) || generic(&last.arguments).is_none(),
                "generic types are not supported"
            );
            Ok(format!("{} {{}}", c_name(&last.ident.to_string())))
        }
        _ => bail!("an unknown type"),
    }
}

fn generic(arguments: &PathArguments) -> Option<&GenericArgument> {
    match arguments {
        PathArguments::AngleBracketed(arguments) => arguments.args.first(),
        _ => None,
    }
}

/// Returns the name of a type in C.
fn c_name(name: &str) -> String {
    match name {
        "c_char" => "char",
        "c_void" => "void",
        "bool" => "bool",
        "u8" => "uint8_t",
        "u16" => "uint16_t",
        "u32" => "uint32_t",
        "u64" => "uint64_t",
        "f64" => "double",
        "i32" | "Status" | "Number" => "int32_t",
        "usize" => "size_t",
        _ => {
            let words = name.chars().fold(String::new(), |words, c| {
                if c.is_ascii_uppercase() {
                    format!("{words}_{}", c.to_ascii_lowercase())
                } else {
                    format!("{words}{c}")
                }
            });
            return format!("textcodec{words}");
        }
    }
    .to_owned()
}

/// Returns the value of a literal.
fn number(of: &Expr) -> Result<i64> {
    match of {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(number) => Ok(number.base10_parse()?),
            _ => bail!("not a number"),
        },
        Expr::Unary(negative) => Ok(-number(&negative.expr)?),
        _ => bail!("not a literal"),
    }
}

fn without_comments(code: &str) -> String {
    let mut parts = code.split("/*");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |code, part| code + part.split_once("*/").map_or("", |(_, after)| after))
}
