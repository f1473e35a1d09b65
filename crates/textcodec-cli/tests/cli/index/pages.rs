//! The pages of `textcodec index --visualize`, parsed as HTML and compared with the indexes and with the library.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use textcodec::{EUC_JP, Encoding, SHIFT_JIS};

use super::{Index, indexes, printed, shown};
use crate::common::{Dir, RunResult};

/// All pages, in a temporary directory.
struct Pages {
    dir: Dir,
}

impl Pages {
    fn new() -> Self {
        let dir = Dir::new();
        let result = RunResult::of(&mut dir.textcodec("index --visualize pages"));
        assert_eq!(result.status, 0, "{result:?}");
        Self { dir }
    }

    fn dir(&self) -> PathBuf {
        self.dir.path("pages")
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.dir().join(file)).unwrap()
    }

    fn files(&self) -> BTreeSet<String> {
        fs::read_dir(self.dir()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }
}

#[test]
fn visualize_writes_all_pages_and_prints_their_paths() {
    let dir = Dir::new();
    let result = RunResult::of(&mut dir.textcodec("index --visualize a/b"));
    let mut expected = BTreeSet::from(["index.html".to_owned(), "shift_jis.html".to_owned()]);
    for Index { name, .. } in indexes() {
        expected.insert(format!("{name}-list.html"));
    }
    for Index { name, .. } in shown() {
        expected.extend([format!("{name}.html"), format!("{name}-bmp.html")]);
    }
    let files: BTreeSet<String> =
        fs::read_dir(dir.path("a/b")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(files, expected);
    let printed: BTreeSet<String> = String::from_utf8(result.stdout).unwrap().lines().map(str::to_owned).collect();
    let separator = std::path::MAIN_SEPARATOR;
    assert_eq!(printed, expected.iter().map(|file| format!("a/b{separator}{file}")).collect());
    assert!(
        result.stderr.starts_with("textcodec: 100 pages, ") && result.stderr.contains("open a/b"),
        "{}",
        result.stderr
    );
    assert_eq!((result.status, dir.names()), (0, vec!["a".to_owned()]));
}

/// Returns the value of an attribute in a tag.
fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let value = &tag[tag.find(&format!(" {name}="))? + name.len() + 2..];
    match value.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => value.split([' ', '>']).next(),
    }
}

/// Returns the text between the first `start` and the next `end`.
fn between<'t>(text: &'t str, start: &str, end: &str) -> &'t str {
    let rest = &text[text.find(start).unwrap_or_else(|| panic!("no {start}")) + start.len()..];
    &rest[..rest.find(end).unwrap_or_else(|| panic!("no {end}"))]
}

#[test]
fn pages_are_complete_and_self_contained() {
    let pages = Pages::new();
    let files = pages.files();
    let mut linked = BTreeSet::new();
    for file in &files {
        let html = pages.read(file);
        assert!(html.starts_with("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"), "{file}");
        assert!(html.contains(r#"<meta name="viewport" content="width=device-width, initial-scale=1">"#), "{file}");
        assert_eq!(between(&html, "<title>", "</title>"), between(&html, "<h1>", "</h1>"), "{file}");
        assert!(html.chars().all(|c| c == '\n' || c == '\t' || !c.is_control()), "{file}");
        for resource in ["<script", "<img", "<iframe", "src=", "@import", "url("] {
            assert!(!html.contains(resource), "{file} has {resource}");
        }
        let mut open = Vec::new();
        let mut ids = BTreeSet::new();
        for part in html.split('<').skip(2) {
            let tag = part.split_once('>').unwrap_or_else(|| panic!("{file}: {part}")).0;
            if let Some(closed) = tag.strip_prefix('/') {
                assert_eq!(open.pop(), Some(closed), "{file}");
                continue;
            }
            let name = tag.split([' ', '/']).next().unwrap();
            if !tag.ends_with('/') && !["meta", "link"].contains(&name) {
                open.push(name);
            }
            if let Some(id) = attribute(tag, "id") {
                assert!(ids.insert(id.to_owned()), "{file} has {id} twice");
            }
            if name == "th" {
                assert!(["row", "col"].contains(&attribute(tag, "scope").unwrap()), "{file}: {tag}");
            }
            if let Some(target) = attribute(tag, "href")
                && name == "a"
                && !target.starts_with("https://encoding.spec.whatwg.org/#")
            {
                assert!(files.contains(target), "{file} links to {target}");
                if file == "index.html" {
                    linked.insert(target.to_owned());
                }
            }
        }
        assert!(open.is_empty(), "{file}: {open:?}");
        let labels = html.match_indices("aria-labelledby=\"").map(|(at, start)| between(&html[at..], start, "\""));
        assert!(labels.into_iter().all(|id| ids.contains(id)), "{file}");
    }
    linked.insert("index.html".to_owned());
    assert_eq!(linked, files, "index.html links to all pages");
}

/// A cell of an index's page.
struct Cell<'h> {
    /// Computed from the position in the table.
    pointer: u32,
    /// The headers of the row and the column.
    headers: (&'h str, &'h str),
    classes: Vec<&'h str>,
    title: Option<&'h str>,
    text: &'h str,
}

/// Parses the cells of a table, in the order of their pointers.
fn cells(html: &str) -> Vec<Cell<'_>> {
    let table = between(html, "<table id=\"index\"", "</table>");
    let (head, body) = table.split_once("</thead>").unwrap();
    let columns: Vec<&str> = head.split("<th ").skip(2).map(|part| between(part, ">", "<")).collect();
    let mut cells = Vec::new();
    for row in body.split("<tr>").skip(1) {
        let lead = between(row, "<th scope=\"row\">", "<");
        let row_cells: Vec<&str> = row.split("<td ").skip(1).collect();
        assert_eq!(row_cells.len(), columns.len(), "row {lead}");
        for (part, trail) in row_cells.iter().zip(&columns) {
            let (tag, rest) = part.split_once('>').unwrap();
            let class = tag.strip_prefix("class=").unwrap();
            let class = class.strip_prefix('"').map_or(class, |class| class.split('"').next().unwrap());
            cells.push(Cell {
                pointer: u32::try_from(cells.len()).unwrap(),
                headers: (lead, trail),
                classes: class.split(' ').collect(),
                title: attribute(tag, "title"),
                text: rest.split_once("</td>").unwrap().0,
            });
        }
    }
    cells
}

/// Returns the files with the tables of an index. jis0208 has two.
fn tables(index: &str) -> Vec<String> {
    let mut files = vec![format!("{index}.html")];
    files.extend((index == "jis0208").then(|| "shift_jis.html".to_owned()));
    files
}

#[test]
fn tables_show_what_the_library_decodes() {
    let pages = Pages::new();
    for Index { name, entries, .. } in shown() {
        let entries: BTreeMap<u32, char> = entries.into_iter().collect();
        for file in tables(&name) {
            let html = pages.read(&file);
            let mut mapped = 0;
            for Cell { pointer, headers, title, text, .. } in cells(&html) {
                let encoding = match file.as_str() {
                    "shift_jis.html" => SHIFT_JIS,
                    "jis0208.html" | "jis0212.html" => EUC_JP,
                    _ => Encoding::for_label(&name).unwrap(),
                };
                // The headers are two bytes, or the halves of one byte.
                let bytes: Option<Vec<u8>> = match headers {
                    ("none", _) => None,
                    (high, low) if high.ends_with('_') => {
                        Some(vec![u8::from_str_radix(&format!("{}{}", &high[..1], &low[1..]), 16).unwrap()])
                    }
                    (lead, trail) => Some(hex(&format!("{lead} {trail}"))),
                };
                let decoded =
                    bytes.as_deref().map(|bytes| encoding.decode_strict(bytes).map(std::borrow::Cow::into_owned));
                let Some(title) = title else {
                    assert!(text.is_empty() && !entries.contains_key(&pointer), "{file} {pointer}");
                    let expected = match (file.as_str(), pointer) {
                        ("big5.html", 1133) => Some("\u{CA}\u{304}".to_owned()),
                        ("big5.html", 1135) => Some("\u{CA}\u{30C}".to_owned()),
                        ("big5.html", 1164) => Some("\u{EA}\u{304}".to_owned()),
                        ("big5.html", 1166) => Some("\u{EA}\u{30C}".to_owned()),
                        ("shift_jis.html", 8836..=10715) => char::from_u32(0xE000 + pointer - 8836).map(String::from),
                        _ => None,
                    };
                    assert_eq!(decoded.and_then(Result::ok), expected, "{file} {pointer}");
                    continue;
                };
                let character = entries[&pointer];
                let code_point = format!("{:04X}", u32::from(character));
                if let Some(decoded) = decoded {
                    assert_eq!(decoded.unwrap(), character.to_string(), "{file} {pointer}");
                }
                assert!(title.contains(&format!(": pointer {pointer}, U+{code_point} ")), "{file}: {title}");
                assert!(text.ends_with(&format!("<i>{code_point}</i>")), "{file}: {text}");
                // The title has the bytes, for each encoding that it names.
                for form in title.split(": ").next().unwrap().split(", ") {
                    let (encoding, bytes) = form
                        .strip_prefix("EUC-JP ")
                        .map(|bytes| (EUC_JP, bytes))
                        .or_else(|| Some((SHIFT_JIS, form.strip_prefix("Shift_JIS ")?)))
                        .unwrap_or((encoding, form));
                    assert_eq!(encoding.decode_strict(&hex(bytes)).unwrap(), character.to_string(), "{file}: {title}");
                }
                mapped += 1;
            }
            assert_eq!(mapped, entries.len(), "{file}");
        }
    }
}

fn hex(bytes: &str) -> Vec<u8> {
    bytes.split(' ').map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
}

#[test]
fn legends_count_the_cells_of_tables() {
    let pages = Pages::new();
    for Index { name, entries, .. } in shown() {
        // The classes of the standard's legend, computed for each entry.
        let mut expected: BTreeMap<String, usize> = BTreeMap::new();
        let mut seen = BTreeSet::new();
        let mut previous = None;
        for &(pointer, character) in &entries {
            let code_point = u32::from(character);
            let form = match code_point {
                0xE000..=0xF8FF => "pua",
                0x80..=0x7FF => "mid",
                0x800..=0xFFFF => "upper",
                _ => "astral",
            };
            let contiguous = if previous == Some((pointer, code_point)) { " contiguous" } else { "" };
            previous = Some((pointer + 1, code_point + 1));
            let mut count = |class: String| *expected.entry(class).or_default() += 1;
            count(format!("{form}{contiguous}"));
            if !seen.insert(character) {
                count("duplicate".to_owned());
            }
            match code_point {
                0x3400..=0x4DBF => count("ext".to_owned()),
                0xF900..=0xFAFF | 0x2F800..=0x2FA1F => count("compatibility".to_owned()),
                _ => {}
            }
        }
        for file in tables(&name) {
            let html = pages.read(&file);
            let cells = cells(&html);
            let mut expected = expected.clone();
            if cells.len() > entries.len() {
                expected.insert("unmapped".to_owned(), cells.len() - entries.len());
            }

            let mut shown: BTreeMap<String, usize> = BTreeMap::new();
            for cell in &cells {
                let (forms, marks): (Vec<&str>, Vec<&str>) = cell
                    .classes
                    .iter()
                    .partition(|class| ["unmapped", "mid", "upper", "pua", "astral", "contiguous"].contains(class));
                for class in std::iter::once(forms.join(" ")).chain(marks.into_iter().map(str::to_owned)) {
                    *shown.entry(class).or_default() += 1;
                }
            }
            assert_eq!(shown, expected, "{file}: the cells");

            let mut counts = BTreeMap::new();
            for row in between(&html, "<table class=\"legend\">", "</table>").split("<tr><td class=\"sample ").skip(1) {
                let class = row.split('"').next().unwrap();
                let class = ["duplicate", "compatibility", "ext"]
                    .into_iter()
                    .find(|mark| class.ends_with(mark))
                    .unwrap_or(class);
                let count = between(row, "</th><td>", "</td>").replace(',', "").parse().unwrap();
                assert_eq!(counts.insert(class.to_owned(), count), None, "{file}");
            }
            assert_eq!(counts, expected, "{file}: the legend");
        }
    }
}

#[test]
fn coverage_shows_the_index_as_a_picture_and_as_text() {
    let pages = Pages::new();
    for Index { name, entries, .. } in shown() {
        let html = pages.read(&format!("{name}-bmp.html"));
        let expected: BTreeSet<u32> =
            entries.iter().map(|entry| u32::from(entry.1)).filter(|&code_point| code_point < 0x10000).collect();

        // In the picture, no code point has two colours.
        let mut drawn = BTreeSet::new();
        let picture = between(&html, "<svg class=\"plane\"", "</svg>");
        for path in picture.split("<path ").skip(1) {
            let class = between(path, "class=\"", "\"");
            if !["none", "surrogates", "lines", "block"].contains(&class) {
                for code_point in area(between(path, " d=\"", "\"")) {
                    assert!(drawn.insert(code_point), "{name} {code_point:X}");
                }
            }
        }
        assert_eq!(drawn, expected, "{name}: the picture");

        // As text.
        let mut listed = BTreeSet::new();
        for row in between(&html, "<table id=\"blocks-table\">", "</table>").split("<tr><th scope=\"row\">").skip(1) {
            let columns: Vec<&str> =
                row.split("<td>").skip(1).map(|part| part.split("</td>").next().unwrap()).collect();
            let runs = match columns[2] {
                "all" => columns[0],
                runs => runs.split("</summary>").last().unwrap().trim_end_matches("</details>"),
            };
            let before = listed.len();
            for run in runs.split(' ') {
                let (first, last) = run.split_once('–').unwrap_or((run, run));
                listed.extend(u32::from_str_radix(first, 16).unwrap()..=u32::from_str_radix(last, 16).unwrap());
            }
            let count = columns[1].split(" of ").next().unwrap().replace(',', "");
            assert_eq!(count, (listed.len() - before).to_string(), "{name}: {row}");
        }
        assert_eq!(listed, expected, "{name}: the blocks");

        let legend = between(&html, "<table class=\"legend\">", "</table>");
        let counts = legend.split("</th><td>").skip(1).map(|part| part.split('<').next().unwrap().replace(',', ""));
        assert_eq!(counts.map(|count| count.parse::<usize>().unwrap()).sum::<usize>(), 65536, "{name}: the legend");
    }
}

/// Returns the code points of an area such as `M65 0h1v1h-1z`. A row has 256.
fn area(path: &str) -> impl Iterator<Item = u32> {
    path.split_terminator('z').flat_map(|rectangle| {
        let numbers: Vec<u32> =
            rectangle.split(['M', ' ', 'h', 'v', '-']).filter(|n| !n.is_empty()).map(|n| n.parse().unwrap()).collect();
        let [x, y, width, height, back] = numbers[..] else { panic!("{rectangle}") };
        assert_eq!(width, back);
        (y..y + height).flat_map(move |row| (x..x + width).map(move |column| row * 256 + column))
    })
}

#[test]
fn listings_equal_the_printed_text() {
    let pages = Pages::new();
    for Index { name, .. } in indexes() {
        let html = pages.read(&format!("{name}-list.html"));
        let text = between(&html, "<pre>", "</pre>").replace("&lt;", "<").replace("&gt;", ">");
        let expected: String = printed(&name).chars().filter(|c| "\n\t".contains(*c) || !c.is_control()).collect();
        assert_eq!(text, expected, "{name}");
    }
}

#[test]
fn only_pages_are_overwritten() {
    let pages = Pages::new();
    let (dir, before) = (&pages.dir, pages.read("big5.html"));
    fs::write(pages.dir().join("big5.html"), &before[..300]).unwrap();
    fs::write(pages.dir().join("notes.txt"), "mine").unwrap();
    assert_eq!(RunResult::of(&mut dir.textcodec("index --visualize pages")).status, 0);
    assert_eq!(pages.read("big5.html"), before, "a truncated page");
    assert_eq!((pages.read("notes.txt").as_str(), pages.files().len()), ("mine", 101));

    // A foreign file prevents all pages from being written, including those before it.
    fs::write(pages.dir().join("index.html"), &before[..300]).unwrap();
    fs::write(pages.dir().join("windows-1252.html"), "<!DOCTYPE html>\n<title>mine</title>").unwrap();
    let result = RunResult::of(&mut dir.textcodec("index --visualize pages"));
    let path = Path::new("pages").join("windows-1252.html");
    result.assert_message(
        3,
        &format!(
            "{} was not generated by this program and would be overwritten; nothing was written; \
             choose another directory, or move the file away",
            path.display()
        ),
    );
    assert!(result.stdout.is_empty());
    assert_eq!(pages.read("windows-1252.html"), "<!DOCTYPE html>\n<title>mine</title>");
    assert_eq!(pages.read("index.html"), before[..300]);
}

#[cfg(unix)]
#[test]
fn links_and_directories_are_not_overwritten() {
    let pages = Pages::new();
    let dir = &pages.dir;
    let page = pages.dir().join("koi8-r.html");
    // The link points to a generated page in another directory.
    fs::rename(&page, dir.path("elsewhere.html")).unwrap();
    std::os::unix::fs::symlink(dir.path("elsewhere.html"), &page).unwrap();
    let result = RunResult::of(&mut dir.textcodec("index --visualize pages"));
    assert_eq!(result.status, 3, "{result:?}");
    assert!(page.is_symlink());

    fs::remove_file(&page).unwrap();
    fs::create_dir(&page).unwrap();
    assert_eq!(RunResult::of(&mut dir.textcodec("index --visualize pages")).status, 3);
    assert!(page.is_dir());
}

#[test]
fn a_directory_that_cannot_be_created_is_an_error() {
    let dir = Dir::with([("file", b"mine")]);
    let result = RunResult::of(&mut dir.textcodec("index --visualize file"));
    assert_eq!((result.status, result.stdout.as_slice(), dir.read("file").as_slice()), (3, &b""[..], &b"mine"[..]));
    assert!(result.stderr.starts_with("textcodec: file: cannot create this directory: "), "{}", result.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn pages_have_default_permissions_and_the_directory_any_name() {
    use std::os::unix::{ffi::OsStrExt as _, fs::PermissionsExt as _};
    let dir = Dir::new();
    let name = std::ffi::OsStr::from_bytes(b"p\xE4ges");
    let result = RunResult::of(dir.textcodec("index --visualize").arg(name));
    assert_eq!(result.status, 0, "{result:?}");
    assert!(result.stdout.starts_with(b"p\xE4ges/index.html\n"));
    fs::write(dir.path("as usual"), "").unwrap();
    let mode = |path: PathBuf| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(dir.path("").join(name).join("index.html")), mode(dir.path("as usual")));
}
