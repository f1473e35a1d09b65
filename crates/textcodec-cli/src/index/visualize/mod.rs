//! `textcodec index --visualize`: HTML pages that show the indexes, like those that section 5 of the standard links to.
//!
//! <https://encoding.spec.whatwg.org/#visualization>

mod blocks;
mod classes;
mod coverage;
mod html;
mod layout;
mod table;

use std::{
    fmt::Write as _,
    fs::{self, File},
    io::{self, IsTerminal as _, Read as _},
    path::Path,
};

use anyhow::Context as _;

use super::{data::Index, text::write_text};
use crate::{
    Stop,
    output::write_file,
    print, print_message,
    screen::{self, shown},
};
use html::{GENERATOR_META, encodings, escape, number, page, version};
use layout::Layout;

/// Writes all pages to a directory and prints their paths.
pub(super) fn run(dir: &Path) -> Result<(), Stop> {
    let indexes: Vec<Index> = Index::all().collect();
    let pages = pages(&indexes);
    fs::create_dir_all(dir).with_context(|| format!("{}: cannot create this directory", shown(dir)))?;
    refuse_foreign_files(dir, &pages)?;
    let mut size = 0;
    for page in &pages {
        let path = dir.join(page.file());
        let html = page.html(&indexes);
        write_file(&path, html.as_bytes()).with_context(|| shown(&path))?;
        size += html.len();
    }
    // Printed after all pages are written, so that a closed pipe does not leave an incomplete set.
    let is_terminal = io::stdout().is_terminal();
    print(|out| {
        pages.iter().try_for_each(|page| {
            out.write_all(&screen::name(&dir.join(page.file()), is_terminal))?;
            out.write_all(b"\n")
        })
    })?;
    let (megabytes, tenth) = (size / 1_000_000, size / 100_000 % 10);
    print_message(format_args!(
        "{} pages, {megabytes}.{tenth} MB; open {}",
        pages.len(),
        shown(&dir.join("index.html"))
    ));
    Ok(())
}

/// A page to be written.
#[derive(Clone, Copy)]
enum Page<'i> {
    /// Links to all other pages.
    Contents,
    /// A table of the code points by pointer.
    Table(&'i Index, Layout),
    /// The code points of the Basic Multilingual Plane that the index contains.
    Coverage(&'i Index),
    /// The text in the standard's format.
    Listing(&'i Index),
}

/// Returns all pages. Except for the listings, they have the names of the standard's pages.
fn pages(indexes: &[Index]) -> Vec<Page<'_>> {
    let mut pages = vec![Page::Contents];
    for index in indexes {
        if index.has_pages() {
            pages.push(Page::Table(index, Layout::of(index.name)));
            if index.name == "jis0208" {
                pages.push(Page::Table(index, Layout::ShiftJis));
            }
            pages.push(Page::Coverage(index));
        }
        pages.push(Page::Listing(index));
    }
    pages
}

impl Page<'_> {
    fn file(&self) -> String {
        match self {
            Self::Contents => "index.html".to_owned(),
            Self::Table(_, Layout::ShiftJis) => "shift_jis.html".to_owned(),
            Self::Table(index, _) => format!("{}.html", index.name),
            Self::Coverage(index) => format!("{}-bmp.html", index.name),
            Self::Listing(index) => format!("{}-list.html", index.name),
        }
    }

    fn html(&self, indexes: &[Index]) -> String {
        match *self {
            Self::Contents => page("Indexes of the Encoding Standard", &[], &contents(indexes), ""),
            Self::Table(index, layout) => {
                let title = match layout {
                    Layout::ShiftJis => format!("Index {} as Shift_JIS", index.name),
                    _ => format!("Index {}", index.name),
                };
                page(&title, &self.links(index), &table::body(index, layout), &version(index))
            }
            Self::Coverage(index) => {
                let title = format!("Index {} in the Basic Multilingual Plane", index.name);
                page(&title, &self.links(index), &coverage::body(index), &version(index))
            }
            Self::Listing(index) => {
                let title = format!("Index {} as text", index.name);
                page(&title, &self.links(index), &listing(index), &version(index))
            }
        }
    }

    /// Returns links to the other pages of the same index.
    fn links(&self, index: &Index) -> Vec<(String, String)> {
        let mut links = vec![("index.html".to_owned(), "All indexes".to_owned())];
        for page in pages(std::slice::from_ref(index)).into_iter().skip(1) {
            let text = match page {
                Page::Contents => continue,
                Page::Table(_, Layout::ShiftJis) => "As Shift_JIS",
                Page::Table(..) => "Table",
                Page::Coverage(_) => "Coverage",
                Page::Listing(_) => "Text",
            };
            if page.file() != self.file() {
                links.push((page.file(), text.to_owned()));
            }
        }
        links
    }
}

/// Returns the body of the page that links to all others.
fn contents(indexes: &[Index]) -> String {
    let mut html = String::from(
        "<p>An index maps pointers to characters. A pointer is a number that a decoder computes from bytes.</p>\n",
    );
    let is_single_byte = |index: &&Index| index.encodings()[0].is_single_byte();
    let (single, multi): (Vec<&Index>, Vec<&Index>) = indexes.iter().partition(is_single_byte);
    for (id, title, indexes) in [("multi", "Multi-byte encodings", multi), ("single", "Single-byte encodings", single)]
    {
        let _ = write!(
            html,
            "<h2 id=\"{id}\">{title}</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"{id}\">\n\
             <table class=\"contents\">\n<thead><tr><th scope=\"col\">Index</th><th scope=\"col\">Pages</th>\
             <th scope=\"col\">Entries</th><th scope=\"col\">Used by</th></tr></thead>\n<tbody>\n"
        );
        for index in indexes {
            let mut links = String::new();
            // The first link is to this page.
            for (file, text) in Page::Contents.links(index).into_iter().skip(1) {
                let _ = write!(links, "<a href=\"{file}\" aria-label=\"{}: {text}\">{text}</a> ", index.name);
            }
            let _ = writeln!(
                html,
                "<tr><th scope=\"row\">{}</th><td>{links}</td><td>{}</td><td>{}</td></tr>",
                index.name,
                number(index.entries.len()),
                encodings(index)
            );
        }
        html.push_str("</tbody>\n</table>\n</div>\n");
    }
    html
}

/// Returns the body of the page with an index in the standard's text format.
fn listing(index: &Index) -> String {
    let mut text = Vec::new();
    write_text(index, false, &mut text).expect("writing to a Vec does not fail");
    let text = String::from_utf8(text).expect("`write_text` writes UTF-8");
    format!(
        "<p>The output of <code>textcodec index {}</code> without control characters: pointer, code point, \
         character and name.</p>\n\
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Text of the index\"><pre>{}</pre></div>\n",
        index.name,
        escape(&text)
    )
}

/// Fails if a file that this program did not generate has the name of a page.
fn refuse_foreign_files(dir: &Path, pages: &[Page<'_>]) -> anyhow::Result<()> {
    for page in pages {
        let path = dir.join(page.file());
        let is_page = match path.symlink_metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => true,
            Err(error) => return Err(error).with_context(|| shown(&path)),
            // Symbolic links are not followed: the target may be any file.
            Ok(metadata) => metadata.is_file() && is_generated(&path).with_context(|| shown(&path))?,
        };
        anyhow::ensure!(
            is_page,
            "{} was not generated by this program and would be overwritten; nothing was written; \
             choose another directory, or move the file away",
            shown(&path)
        );
    }
    Ok(())
}

/// Returns whether a file starts like a generated page.
fn is_generated(path: &Path) -> io::Result<bool> {
    let mut start = Vec::new();
    File::open(path)?.take(256).read_to_end(&mut start)?;
    Ok(start.windows(GENERATOR_META.len()).any(|window| window == GENERATOR_META.as_bytes()))
}
