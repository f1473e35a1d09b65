//! `cargo xtask release`: checks that everything is ready for a release, and prints what a person must do. It publishes nothing,
//! because that needs the tokens of an owner of the names, and cannot be undone.

use std::{fmt::Write as _, fs, process::Command};

use anyhow::{Context as _, Result, ensure};
use project::root;
use serde_json::Value;

use crate::publish;

/// The arguments of `cargo xtask release`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Also pack all packages, and build and test each from its own file. Lists what is not ready without failing.
    #[arg(long)]
    dry_run: bool,
}

/// The manifest of the npm package.
const NPM: &str = "bindings/js/package.json";

/// The domain of addresses that are not set yet. It never exists (RFC 2606).
const UNSET: &str = ".invalid";

/// What is wrong before a release.
#[derive(Default)]
struct Findings {
    /// Errors in the sources.
    wrong: Vec<String>,
    /// What only a person can decide or do.
    open: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let packages = publish::published()?;
    let npm: Value = serde_json::from_slice(&fs::read(root().join(NPM))?)?;
    let version = publish::version(packages.first().context("no package is published")?).to_owned();

    let mut findings = Findings::default();
    findings.owner(packages[0]["repository"].as_str().context("Cargo.toml has no key `repository`")?)?;
    findings.versions(&version, &packages, &npm)?;
    findings.changelog(&version, &fs::read_to_string(root().join("CHANGELOG.md"))?);
    findings.tags(&version)?;
    if let Err(error) = project::run("cargo", &["xtask", "links", "--check"]) {
        findings.wrong.push(format!("{error:#}"));
    }
    if arguments.dry_run {
        pack(&packages)?;
    }

    let Findings { wrong, open } = &findings;
    println!("\n{}", instructions(&version, &packages, publish::name(&npm)));
    if !open.is_empty() {
        println!("Not ready. Before step 1:\n{}", list(open));
    }
    ensure!(wrong.is_empty(), "errors in the sources:\n{}", list(wrong));
    ensure!(open.is_empty() || arguments.dry_run, "not ready for a release:\n{}", list(open));
    Ok(())
}

impl Findings {
    /// Checks the addresses that the owner sets.
    fn owner(&mut self, repository: &str) -> Result<()> {
        if repository.contains(UNSET) {
            self.open.push(
                "The repository is not set: set `repository` in Cargo.toml, and run `cargo xtask links`.".to_owned(),
            );
        }
        let security = fs::read_to_string(root().join("SECURITY.md"))?;
        let mut contacts = security.lines().filter(|line| line.starts_with('<') && line.ends_with('>'));
        match contacts.next() {
            Some(contact) if contact.contains(UNSET) => self.open.push(
                "The contact for vulnerabilities is not set: replace the address in SECURITY.md, between < and >, \
                 by an e-mail address or the https: address of a form."
                    .to_owned(),
            ),
            Some(contact) if contact.contains('@') || contact.starts_with("<https://") => {}
            _ => self.wrong.push("SECURITY.md has no line <ADDRESS> with a contact".to_owned()),
        }
        Ok(())
    }

    /// Checks that all packages have the same version.
    fn versions(&mut self, version: &str, packages: &[Value], npm: &Value) -> Result<()> {
        let lock: Value = serde_json::from_slice(&fs::read(root().join("bindings/js/package-lock.json"))?)?;
        for package in packages.iter().chain([npm, &lock, &lock["packages"][""]]) {
            if publish::version(package) != version {
                let name = publish::name(package);
                self.wrong.push(format!("{name} has version {} instead of {version}", publish::version(package)));
            }
        }
        let names = [&lock, &lock["packages"][""]].map(publish::name);
        if names != [publish::name(npm); 2] {
            self.wrong.push("package-lock.json has another name: run npm install in bindings/js".to_owned());
        }
        Ok(())
    }

    /// Checks the first section of CHANGELOG.md: `## VERSION - DATE`.
    fn changelog(&mut self, version: &str, changelog: &str) {
        let title = changelog.lines().find_map(|line| line.strip_prefix("## ")).unwrap_or_default();
        let (of, date) = title.split_once(" - ").unwrap_or((title, ""));
        if of == "Unreleased" {
            self.open.push(format!("Changes are in the section \"Unreleased\" of CHANGELOG.md: name it {version}."));
        } else if of != version {
            self.wrong.push(format!("the first section of CHANGELOG.md is {title:?}, but the version is {version}"));
        } else if !is_date(date) {
            self.open.push(format!("The title of the section in CHANGELOG.md has no date: ## {version} - YYYY-MM-DD."));
        }
    }

    /// Compares the version with the tags of earlier releases, and checks that all changes are committed.
    fn tags(&mut self, version: &str) -> Result<()> {
        let tag = format!("v{version}");
        let tags = git(&["tag", "--list", "v*"])?;
        if tags.lines().any(|other| other == tag) && git(&["rev-list", "-1", &tag])? != git(&["rev-parse", "HEAD"])? {
            self.wrong.push(format!("{version} was released already: the tag {tag} is another commit"));
        }
        if let Some(later) =
            tags.lines().filter(|other| numbers(other) > numbers(&tag)).max_by_key(|other| numbers(other))
        {
            self.wrong.push(format!("the tag {later} is of a later version than {version}"));
        }
        if !git(&["status", "--porcelain"])?.is_empty() {
            self.open.push("There are changes that are not committed.".to_owned());
        }
        Ok(())
    }
}

/// Packs all packages, and builds and tests each from its own file.
fn pack(packages: &[Value]) -> Result<()> {
    publish::run()?;
    for package in packages.iter().filter(|package| !publish::targets(package, "bin").is_empty()) {
        publish::test_program(package, packages)?;
    }
    // Asks the registry whether these versions exist already. The packages were built above.
    let mut publish = project::command("cargo", &["publish", "--dry-run", "--no-verify", "--allow-dirty"]);
    project::finish(publish.args(packages.iter().flat_map(|package| ["--package", publish::name(package)])))?;

    // Builds and packs the npm package, installs it from its file into a project, and uses it there in several engines.
    project::run("cargo", &["xtask", "js", "consumers"])?;
    let publish = ["publish", "--dry-run", "--ignore-scripts"];
    project::finish(project::command("npm", &publish).current_dir(root().join("bindings/js")))
}

/// Returns what a person does for a release.
fn instructions(version: &str, packages: &[Value], npm: &str) -> String {
    let (mut crates, mut arguments) = (String::new(), String::new());
    for name in packages.iter().map(publish::name) {
        let _ = writeln!(crates, "     {name}: {}", on_crates_io(name));
        arguments += " --package ";
        arguments += name;
    }
    format!(
        "\
Release {version}: what a person does, in this order

1. crates.io: log in, confirm the e-mail address, and create a token for publishing new crates and updates at
   https://crates.io/settings/tokens. `cargo login` reads it.
{crates}\
2. npm: an account with two-factor authentication. `npm login`.
     {npm}: {}
3. git tag v{version} && git push origin v{version}
4. cargo publish{arguments}
     Cargo uploads each package after those that it depends on. A version cannot be replaced, only withdrawn.
5. (cd bindings/js && npm publish --no-provenance)
     It publishes dist/, which `cargo xtask release --dry-run` has built from this commit. Only the workflow release.yml can
     publish with provenance, npm's statement of where the package was built. It does so when the tag is pushed.
6. Add the section `## Unreleased` to CHANGELOG.md.
",
        on_npm(npm)
    )
}

/// Returns whether a name is free on crates.io.
fn on_crates_io(name: &str) -> String {
    let mut info = project::command("cargo", &["info", "--quiet", "--color", "never", "--registry", "crates-io", name]);
    status(&mut info, "could not find", |text| {
        text.lines().find_map(|line| Some(line.strip_prefix("version: ")?.to_owned()))
    })
}

/// Returns whether a name is free on npm.
fn on_npm(name: &str) -> String {
    status(&mut project::command("npm", &["view", name, "version"]), "E404", |text| Some(text.trim().to_owned()))
}

/// Asks a registry for a package. `missing` is in the answer if there is none, and `version` reads its version.
fn status(command: &mut Command, missing: &str, version: impl Fn(&str) -> Option<String>) -> String {
    let Ok(output) = command.output() else { return "not known, because the client cannot be started".to_owned() };
    if output.status.success() {
        let version = version(&String::from_utf8_lossy(&output.stdout)).unwrap_or_default();
        format!("exists in version {version}; only its owners can publish")
    } else if String::from_utf8_lossy(&output.stderr).contains(missing) {
        "the name is free".to_owned()
    } else {
        "not known, because the registry cannot be reached".to_owned()
    }
}

fn git(arguments: &[&str]) -> Result<String> {
    let output = project::command("git", arguments).output()?;
    ensure!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8(output.stdout)?)
}

/// Returns the numbers of a tag such as `v1.2.3`. A version with a suffix, such as `-rc.1`, is before the one without.
fn numbers(tag: &str) -> (Vec<u64>, bool) {
    let (numbers, suffix) = tag.trim_start_matches('v').split_once('-').unwrap_or((tag.trim_start_matches('v'), ""));
    (numbers.split('.').map(|number| number.parse().unwrap_or(0)).collect(), suffix.is_empty())
}

/// Returns whether a text has the form of a date: `2026-12-31`.
fn is_date(text: &str) -> bool {
    let is_digit = |(at, byte): (usize, &u8)| if matches!(at, 4 | 7) { *byte == b'-' } else { byte.is_ascii_digit() };
    text.len() == 10 && text.as_bytes().iter().enumerate().all(is_digit)
}

fn list(lines: &[String]) -> String {
    lines.iter().fold(String::new(), |text, line| text + "- " + line + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_changelog_must_have_the_version_and_a_date() {
        let found = |changelog: &str| {
            let mut findings = Findings::default();
            findings.changelog("0.2.0", changelog);
            (findings.wrong.len(), findings.open.len())
        };
        assert_eq!(found("# Changelog\n\n## 0.2.0 - 2026-12-31\n\n## 0.1.0 - soon\n"), (0, 0));
        assert_eq!(found("## 0.2.0 - not yet released\n"), (0, 1));
        assert_eq!(found("## 0.2.0\n"), (0, 1));
        assert_eq!(found("## Unreleased\n\n## 0.1.0 - 2026-12-31\n"), (0, 1));
        assert_eq!(found("## 0.1.0 - 2026-12-31\n"), (1, 0));
        assert_eq!(found(""), (1, 0));
    }

    #[test]
    fn tags_are_compared_as_numbers() {
        assert!(numbers("v0.10.0") > numbers("v0.9.1"));
        assert!(numbers("v1.0.0-rc.1") < numbers("v1.0.0"));
        assert!(numbers("v1.0.0-rc.1") > numbers("v0.9.0"));
    }
}
