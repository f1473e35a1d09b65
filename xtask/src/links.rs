//! The links of published packages to the project's repository, and how they follow from the key `repository` in Cargo.toml.
//!
//! The README of a package is read on crates.io, docs.rs, npm or `PyPI`, where a relative link leads nowhere. So its links are
//! absolute, and those to files of the repository are `REPOSITORY/blob/HEAD/PATH`, as GitHub and GitLab have them.
//!
//! The name of the npm package is in its `package.json` alone. Documents have to mention it, so this checks them.

use std::fs;

use anyhow::{Context as _, Result, ensure};
use project::root;

/// The middle of a link to a file of the repository.
const FILE: &str = "/blob/HEAD/";

/// The manifest with the key, and the npm package's manifest.
const CARGO: &str = "Cargo.toml";
const NPM: &str = "bindings/js/package.json";

/// READMEs of packages that are not on crates.io.
const OTHERS: [&str; 2] = ["bindings/js/README.md", "bindings/python/README.md"];

/// Documents that import the npm package.
const WITH_IMPORTS: [&str; 2] = ["README.md", "bindings/js/README.md"];

/// `cargo xtask links`: writes the repository's address into the packages' READMEs and manifests, or checks that it is there.
pub(crate) fn run(check: bool) -> Result<()> {
    let repository = repository()?;
    let manifest = fs::read_to_string(root().join(NPM))?;
    let npm = manifest.lines().find_map(|line| line.trim_start().strip_prefix("\"name\": \"")?.strip_suffix("\","));
    let npm = npm.with_context(|| format!("{NPM} has no name"))?;
    let mut problems = Vec::new();
    for path in WITH_IMPORTS {
        let text = fs::read_to_string(root().join(path))?;
        problems.extend(other_imports(&text, npm).map(|problem| format!("{path}: {problem}")));
    }
    let mut changed = Vec::new();
    let readmes = readmes()?;
    for path in readmes.iter().map(String::as_str).chain([CARGO, NPM]) {
        let text = fs::read_to_string(root().join(path)).with_context(|| path.to_owned())?;
        let new = match path {
            CARGO => with_homepage(&text, &repository),
            NPM => with_addresses(&text, &repository),
            _ => {
                problems.extend(wrong(&text).map(|problem| format!("{path}: {problem}")));
                with_links(&text, &repository)
            }
        };
        if new != text {
            changed.push(path);
            if !check {
                fs::write(root().join(path), new)?;
            }
        }
    }
    ensure!(problems.is_empty(), "links of packages:\n{}", problems.join("\n"));
    ensure!(!check || changed.is_empty(), "not written by `cargo xtask links`: {}", changed.join(", "));
    println!("{} READMEs of packages: links are absolute, and lead to {repository}", readmes.len());
    Ok(())
}

/// Returns the value of the key `repository`.
fn repository() -> Result<String> {
    let manifest = fs::read_to_string(root().join(CARGO))?;
    let line = manifest.lines().find_map(|line| line.strip_prefix("repository = \""));
    let address = line.and_then(|line| line.strip_suffix('"')).context("Cargo.toml has no key `repository`")?;
    ensure!(
        address.starts_with("https://") && !address.ends_with('/'),
        "`repository` in Cargo.toml must be like https://HOST/OWNER/NAME: {address:?}"
    );
    Ok(address.to_owned())
}

/// Returns the paths of the READMEs of packages: those of crates without `publish = false`, and [`OTHERS`].
fn readmes() -> Result<Vec<String>> {
    let mut paths: Vec<String> = OTHERS.map(str::to_owned).into();
    for entry in fs::read_dir(root().join("crates"))? {
        let folder = entry?.path();
        let manifest = folder.join("Cargo.toml");
        let text = fs::read_to_string(&manifest).with_context(|| manifest.display().to_string())?;
        if !text.lines().any(|line| line == "publish = false") {
            paths.push(folder.join("README.md").strip_prefix(root())?.display().to_string());
        }
    }
    paths.sort();
    Ok(paths)
}

/// Replaces the repository in every link to one of its files.
fn with_links(text: &str, repository: &str) -> String {
    let mut parts = text.split(FILE);
    let mut new = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        if let Some(start) = new.rfind("https://") {
            new.truncate(start);
        }
        new.extend([repository, FILE, part]);
    }
    new
}

fn with_homepage(text: &str, repository: &str) -> String {
    let line = |line: &str| match line.strip_prefix("homepage = ") {
        Some(_) => format!("homepage = \"{repository}#readme\"\n"),
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// Replaces the addresses in a `package.json` as npm formats it: `url` is a key of `repository`.
fn with_addresses(text: &str, repository: &str) -> String {
    let value = |name: &str| match name {
        "homepage" => Some(format!("{repository}#readme")),
        "bugs" => Some(format!("{repository}/issues")),
        "url" => Some(format!("git+{repository}.git")),
        _ => None,
    };
    let line = |line: &str| {
        let mut parts = line.splitn(5, '"');
        let (indent, name, colon) = (parts.next()?, parts.next()?, parts.next()?);
        let (value, rest) = (value(name)?, parts.nth(1)?);
        Some(format!("{indent}\"{name}\"{colon}\"{value}\"{rest}\n"))
    };
    text.lines().map(|text| line(text).unwrap_or_else(|| format!("{text}\n"))).collect()
}

/// Returns the links that are relative, and those to files that do not exist.
fn wrong(text: &str) -> impl Iterator<Item = String> {
    let within = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let lines = text.lines().filter_map(|line| Some(line.strip_prefix('[')?.split_once("]: ")?.1));
    let is_wrong = |link: &&str| match link.split_once(FILE) {
        Some((_, path)) => !root().join(path.split('#').next().unwrap_or_default()).exists(),
        None => !link.starts_with("https://") && !link.starts_with('#'),
    };
    within
        .chain(lines)
        .filter(is_wrong)
        .map(|link| format!("{link} is not an absolute link, or its file does not exist"))
}

/// Returns the imports and installations of other packages than `name` in JavaScript. Modules of Node are not packages.
fn other_imports<'a>(text: &'a str, name: &str) -> impl Iterator<Item = String> + use<'a> {
    let imports = [" from \"", "require(\"", "npm install "].into_iter().flat_map(|before| text.split(before).skip(1));
    let name = name.to_owned();
    let others = imports.filter(|rest| !rest.starts_with("node:")).filter(move |rest| {
        rest.strip_prefix(&name).is_none_or(|after| !after.starts_with(['"', '/', '\n', ' ', '@']))
    });
    others.map(|rest| format!("the npm package has another name than in {:?}", rest.lines().next().unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_addresses_follow_the_key() {
        let text =
            "[a](https://x.invalid/b/blob/HEAD/README.md) https://docs.rs/c\n[d]: https://e/blob/HEAD/Cargo.toml\n";
        let new = "[a](https://f/g/blob/HEAD/README.md) https://docs.rs/c\n[d]: https://f/g/blob/HEAD/Cargo.toml\n";
        assert_eq!(with_links(text, "https://f/g"), new);
        assert_eq!(wrong(new).count(), 0);
        assert_eq!(with_links("none\n", "https://f/g"), "none\n");
        let text =
            "{\n  \"name\": \"a\",\n  \"bugs\": \"b\",\n  \"c\": {\n    \"bugs\": 1,\n    \"url\": \"d\"\n  }\n}\n";
        let new = text.replace("\"b\"", "\"https://f/g/issues\"").replace("\"d\"", "\"git+https://f/g.git\"");
        assert_eq!(with_addresses(text, "https://f/g"), new);
        assert_eq!(with_homepage("a\nhomepage = \"b\"\n", "https://f/g"), "a\nhomepage = \"https://f/g#readme\"\n");
    }

    #[test]
    fn other_packages_are_found() {
        let text = "import a from \"b-c\";\nimport a from \"b-c/d\";\nrequire(\"b-c\")\nnpm install b-c\n";
        assert_eq!(other_imports(text, "b-c").count(), 0);
        assert_eq!(other_imports(text, "b").count(), 4);
        assert_eq!(other_imports(text, "@b/c").count(), 4);
    }

    #[test]
    fn relative_and_broken_links_are_found() {
        let text =
            "[a](docs/features.md) [b](#c)\n[d]: ../README.md\n[e]: https://f/blob/HEAD/gone.md#g\n[h]: https://i\n";
        assert_eq!(wrong(text).count(), 3);
    }
}
