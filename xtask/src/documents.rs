//! Part of `cargo xtask lint`: links, quotations and commands in the Markdown files.
//!
//! A document quotes another file between `<!-- from FILE -->` and `<!-- end -->`, with the path relative to the root. Each
//! quoted line must be a line of that file, so outdated copies of figures and examples are found.

use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Result, ensure};
use clap::CommandFactory as _;
use project::root;

use crate::{Arguments, tools};

/// Directories that contain no documents of this project.
const SKIPPED: [&str; 5] = [".git", "dist", "generated", "node_modules", "target"];

/// Checks all documents.
pub(crate) fn check() -> Result<()> {
    let files = files(root(), "md")?;
    let mut problems = Vec::new();
    for file in &files {
        let text = fs::read_to_string(file)?;
        let found = broken_links(file, &text).chain(wrong_quotations(&text)).chain(unknown_commands(&text));
        problems.extend(found.map(|problem| format!("{}: {problem}", file.display())));
    }
    problems.extend(wrong_sizes()?);
    ensure!(problems.is_empty(), "documents:\n{}", problems.join("\n"));
    println!("{} documents: links, quotations and commands are correct", files.len());
    Ok(())
}

/// Returns the files with an extension in a directory and below. Does not follow symbolic links, whose targets are checked where
/// they are.
pub(crate) fn files(directory: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory)? {
        let (path, kind) = entry.map(|entry| (entry.path(), entry.file_type()))?;
        let kind = kind?;
        if kind.is_dir() && !SKIPPED.iter().any(|name| path.file_name() == Some(OsStr::new(name))) {
            found.extend(files(&path, extension)?);
        } else if kind.is_file() && path.extension() == Some(OsStr::new(extension)) {
            found.push(path);
        }
    }
    Ok(found)
}

/// Returns the links to files or headings that do not exist.
fn broken_links(file: &Path, text: &str) -> impl Iterator<Item = String> {
    let is_broken = |link: &str| {
        let (path, heading) = link.split_once('#').unwrap_or((link, ""));
        let target = if path.is_empty() { file.to_owned() } else { file.with_file_name(path) };
        let has_heading =
            || fs::read_to_string(&target).is_ok_and(|text| anchors(&text).any(|anchor| anchor == heading));
        !target.exists() || !heading.is_empty() && !has_heading()
    };
    // `[text](link)` within a line, and `[name]: link` as a line.
    let links = prose(text).flat_map(|line| {
        let within = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        within.chain(line.strip_prefix('[').and_then(|rest| Some(rest.split_once("]: ")?.1)))
    });
    let local = links.filter(|link| !link.contains("://"));
    local.filter(|link| is_broken(link)).map(|link| format!("broken link {link}")).collect::<Vec<_>>().into_iter()
}

/// Returns the lines outside of code blocks.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut in_code = false;
    text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        !in_code && !is_fence
    })
}

/// Returns the anchor of each heading.
fn anchors(text: &str) -> impl Iterator<Item = String> {
    let is_kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    let headings = prose(text).filter(|line| line.starts_with('#'));
    headings.map(move |line| {
        let title = line.trim_start_matches('#').trim();
        title.to_lowercase().chars().filter(is_kept).map(|c| if c == ' ' { '-' } else { c }).collect()
    })
}

/// Returns the quoted lines that are not in the quoted file.
fn wrong_quotations(text: &str) -> impl Iterator<Item = String> {
    let parts = text.split("<!-- from ").skip(1).map(|part| part.split_once(" -->\n").unwrap_or((part, "")));
    parts.flat_map(|(path, rest)| {
        let source = fs::read_to_string(root().join(path)).unwrap_or_default();
        let quoted = rest.split("<!-- end -->").next().unwrap_or_default().lines();
        // A program is quoted between fences.
        let lines = quoted.filter(|line| !line.is_empty() && !line.starts_with("```"));
        let wrong = lines.filter(|line| !source.lines().any(|other| other == *line));
        wrong.map(|line| format!("{path} does not have the line {line:?}")).collect::<Vec<_>>()
    })
}

/// Returns the commands of `cargo xtask` that do not exist.
pub(crate) fn unknown_commands(text: &str) -> impl Iterator<Item = String> {
    let command = Arguments::command();
    let names = text.split("cargo xtask ").skip(1).map(|rest| {
        let end = rest.find(|c: char| !matches!(c, 'a'..='z' | '0'..='9' | '-'));
        &rest[..end.unwrap_or(rest.len())]
    });
    let unknown = names.filter(move |name| {
        name.starts_with(|c: char| c.is_ascii_lowercase())
            && command.find_subcommand(name).is_none()
            && !tools::has(name)
    });
    unknown.map(|name| format!("there is no command {name:?}"))
}

/// Returns the table sizes that `docs/design/packed-indexes.md` states wrongly.
fn wrong_sizes() -> Result<Vec<String>> {
    const PAGE: &str = "docs/design/packed-indexes.md";
    let page = fs::read_to_string(root().join(PAGE))?;
    let mut wrong = Vec::new();
    for (what, extension) in [("static tables", "bin"), ("packed indexes", "packed")] {
        let mut bytes = 0;
        for entry in fs::read_dir(root().join("crates/textcodec/tables"))? {
            let entry = entry?;
            bytes += if entry.path().extension() == Some(OsStr::new(extension)) { entry.metadata()?.len() } else { 0 };
        }
        let line = format!("| {what} | {} |", (bytes + 500) / 1000);
        wrong.extend((!page.lines().any(|other| other == line)).then(|| format!("{PAGE}: it should say {line}")));
    }
    Ok(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_links_and_unknown_headings_are_found() {
        let file = root().join("docs/features.md");
        let text = "[a](#sizes) [b](design/features.md)\n```\n[c](code)\n```\n[d](gone.md) [e](#gone) [f](https://x)\n[g]: lost.md";
        assert!(anchors("# A `b` (c)").eq(["a-b-c"]));
        assert!(
            broken_links(&file, text).eq(["gone.md", "#gone", "lost.md"].map(|link| format!("broken link {link}")))
        );
    }

    #[test]
    fn changed_quotations_and_unknown_commands_are_found() {
        let quoted =
            |line| wrong_quotations(&format!("<!-- from rustfmt.toml -->\n\n{line}\n<!-- end -->\nmore")).count();
        assert_eq!((quoted("max_width = 120"), quoted("max_width = 121")), (0, 1));
        assert!(unknown_commands("`cargo xtask lint`, cargo xtask nothing").eq(["there is no command \"nothing\""]));
    }
}
