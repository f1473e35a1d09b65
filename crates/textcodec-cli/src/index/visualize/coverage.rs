//! The coverage page: the code points of the Basic Multilingual Plane that an index contains, as a picture of 256 by 256
//! code points and as a table by block.

use std::{collections::HashMap, fmt::Write as _, ops::RangeInclusive};

use super::{
    blocks::{Block, blocks},
    classes::{Form, is_compatibility, is_extension},
    html::{encodings, number},
};
use crate::index::data::Index;

/// Returns the body of the page.
pub(super) fn body(index: &Index) -> String {
    let mut pointers: HashMap<char, usize> = HashMap::new();
    for &(_, character) in &index.entries {
        *pointers.entry(character).or_default() += 1;
    }
    let mut characters: Vec<char> = pointers.keys().copied().collect();
    characters.sort_unstable();
    let beyond = characters.iter().filter(|&&character| character > '\u{FFFF}').count();
    characters.truncate(characters.len() - beyond);

    let mut html = format!(
        "<p>The index contains {} of the 65,536 code points of the Basic Multilingual Plane{}. Used by {}, which {} ASCII \
         without an index.</p>\n",
        number(characters.len()),
        if beyond > 0 { format!(", and {} in other planes", number(beyond)) } else { String::new() },
        encodings(index),
        if index.encodings().len() > 1 { "encode" } else { "encodes" },
    );
    let kinds = kinds(&characters, &pointers);
    legend(&mut html, &kinds);
    picture(&mut html, index, &kinds, &characters);
    blocks_table(&mut html, &characters);
    let duplicates = &kinds.iter().find(|kind| kind.class == "duplicate").expect("one of the kinds").code_points;
    if !duplicates.is_empty() {
        let _ = writeln!(html, "<div>Code points with more than one pointer: {}</div>", list(&runs(duplicates)));
    }
    html
}

/// A colour in the picture.
struct Kind {
    class: &'static str,
    meaning: &'static str,
    code_points: Vec<u32>,
}

/// Assigns each code point to one kind. The most specific kind applies.
fn kinds(characters: &[char], pointers: &HashMap<char, usize>) -> Vec<Kind> {
    let mut kinds: Vec<Kind> = [
        ("mid", "Two bytes in UTF-8"),
        ("upper", "Three bytes in UTF-8"),
        ("pua", "Private use"),
        ("compatibility", "CJK compatibility ideograph"),
        ("ext", "CJK Unified Ideographs Extension A"),
        ("duplicate", "Has more than one pointer"),
    ]
    .map(|(class, meaning)| Kind { class, meaning, code_points: Vec::new() })
    .into();
    for &character in characters {
        let class = match character {
            _ if pointers[&character] > 1 => "duplicate",
            _ if is_compatibility(character) => "compatibility",
            _ if is_extension(character) => "ext",
            _ => Form::of(character).class(),
        };
        let kind = kinds.iter_mut().find(|kind| kind.class == class).expect("one of the kinds of this plane");
        kind.code_points.push(character.into());
    }
    kinds
}

fn legend(html: &mut String, kinds: &[Kind]) {
    html.push_str(
        "<table class=\"legend\">\n<caption>Number of code points of each kind</caption>\n\
         <thead><tr><th scope=\"col\">Colour</th><th scope=\"col\">Kind</th><th scope=\"col\">Code points</th></tr></thead>\n<tbody>\n",
    );
    let mapped: usize = kinds.iter().map(|kind| kind.code_points.len()).sum();
    let surrogates = [("surrogates", "Surrogates, which no index contains", 0x800)];
    let unmapped = [("none", "Not in the index", 0x10000 - 0x800 - mapped)];
    let counts = kinds.iter().map(|kind| (kind.class, kind.meaning, kind.code_points.len()));
    for (class, kind, count) in unmapped.into_iter().chain(counts).chain(surrogates) {
        if count > 0 {
            let _ = writeln!(
                html,
                "<tr><td aria-hidden=\"true\"><svg class=\"swatch\" viewBox=\"0 0 2 1\"><path class=\"{class}\" \
                 d=\"M0 0h2v1h-2z\"/></svg></td><th scope=\"row\">{kind}</th><td>{}</td></tr>",
                number(count)
            );
        }
    }
    html.push_str("</tbody>\n</table>\n");
}

/// Writes the picture. Each row has 256 code points, with U+0000 at the top left.
fn picture(html: &mut String, index: &Index, kinds: &[Kind], characters: &[char]) {
    let _ = write!(
        html,
        "<h2 id=\"picture\">Picture</h2>\n<p>Each row has 256 code points, with U+0000 at the top left and U+FFFF at the \
         bottom right. The table below has the same information as text.</p>\n\
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"picture\">\n\
         <svg class=\"plane\" role=\"img\" aria-label=\"Code points of the Basic Multilingual Plane in index {}\" \
         viewBox=\"-24 -10 281 267\">\n<path class=\"none\" d=\"M0 0h256v256h-256z\"/>\n\
         <path class=\"surrogates\" d=\"{}\"/>\n",
        index.name,
        path(&[0xD800..=0xDFFF])
    );
    for kind in kinds.iter().filter(|kind| !kind.code_points.is_empty()) {
        let _ = writeln!(html, "<path class=\"{}\" d=\"{}\"/>", kind.class, path(&runs(&kind.code_points)));
    }
    html.push_str("<path class=\"lines\" d=\"");
    for line in (16..256).step_by(16) {
        let _ = write!(html, "M0 {line}h256M{line} 0v256");
    }
    html.push_str("M0 0h256v256h-256z\"/>\n<g class=\"axis\">\n");
    for high in 0..16 {
        let at = high * 16;
        let _ = writeln!(
            html,
            "<text x=\"-2\" y=\"{}\" text-anchor=\"end\">{high:X}000</text><text x=\"{at}\" y=\"-3\">{at:02X}</text>",
            at + 6
        );
    }
    html.push_str("</g>\n");
    for Block { name, range } in blocks() {
        let (count, size) = (within(characters, &range).len(), range.clone().count());
        let _ = writeln!(
            html,
            "<path class=\"block\" d=\"{}\"><title>{name}, U+{:04X} to U+{:04X}: {} of {}</title></path>",
            path(std::slice::from_ref(&range)),
            range.start(),
            range.end(),
            number(count),
            number(size)
        );
    }
    html.push_str("</svg>\n</div>\n");
}

fn blocks_table(html: &mut String, characters: &[char]) {
    html.push_str(
        "<h2 id=\"blocks\">Blocks</h2>\n\
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"blocks\">\n<table id=\"blocks-table\">\n\
         <caption>Blocks with code points in the index</caption>\n<thead><tr><th scope=\"col\">Block</th>\
         <th scope=\"col\">Range</th><th scope=\"col\">In the index</th><th scope=\"col\">Code points</th></tr></thead>\n<tbody>\n",
    );
    let mut empty = Vec::new();
    for Block { name, range } in blocks() {
        let covered: Vec<u32> = within(characters, &range).iter().map(|&character| character.into()).collect();
        if covered.is_empty() {
            empty.push(name);
            continue;
        }
        let size = range.clone().count();
        let which = if covered.len() == size { "all".to_owned() } else { list(&runs(&covered)) };
        let _ = writeln!(
            html,
            "<tr><th scope=\"row\">{name}</th><td>{:04X}–{:04X}</td><td>{} of {}</td><td>{which}</td></tr>",
            range.start(),
            range.end(),
            number(covered.len()),
            number(size)
        );
    }
    let _ = write!(
        html,
        "</tbody>\n</table>\n</div>\n<details><summary>{} blocks without code points in the index</summary>\
         <p>{}.</p></details>\n",
        empty.len(),
        empty.join(", ")
    );
}

/// Formats ranges as text. Long lists are collapsed.
fn list(runs: &[RangeInclusive<u32>]) -> String {
    let texts: Vec<String> = runs
        .iter()
        .map(|run| match (run.start(), run.end()) {
            (first, last) if first == last => format!("{first:04X}"),
            (first, last) => format!("{first:04X}–{last:04X}"),
        })
        .collect();
    let text = texts.join(" ");
    if runs.len() <= 8 {
        text
    } else {
        format!("<details><summary>{} ranges</summary>{text}</details>", number(runs.len()))
    }
}

/// Returns the characters within a range. `characters` is sorted.
fn within<'c>(characters: &'c [char], range: &RangeInclusive<u32>) -> &'c [char] {
    let start = characters.partition_point(|&character| u32::from(character) < *range.start());
    let end = characters.partition_point(|&character| u32::from(character) <= *range.end());
    &characters[start..end]
}

/// Groups sorted code points into ranges.
fn runs(code_points: &[u32]) -> Vec<RangeInclusive<u32>> {
    code_points.chunk_by(|a, b| a + 1 == *b).map(|run| run[0]..=run[run.len() - 1]).collect()
}

/// Returns the area of ranges in the picture as an SVG path. A range is part of a row, whole rows, and part of a row.
fn path(runs: &[RangeInclusive<u32>]) -> String {
    let mut path = String::new();
    for run in runs {
        let (mut first, end) = (*run.start(), run.end() + 1);
        while first < end {
            let (row, column) = (first / 256, first % 256);
            let (width, height) = if column == 0 && end - first >= 256 {
                (256, (end - first) / 256)
            } else {
                ((end - first).min(256 - column), 1)
            };
            let _ = write!(path, "M{column} {row}h{width}v{height}h-{width}z");
            first += width * height;
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_drawn_row_by_row() {
        assert_eq!(runs(&[1, 2, 3, 5, 7, 8]), [1..=3, 5..=5, 7..=8]);
        assert_eq!(path(&[0x41..=0x41]), "M65 0h1v1h-1z");
        assert_eq!(path(&[0x1F0..=0x40F]), "M240 1h16v1h-16zM0 2h256v2h-256zM0 4h16v1h-16z");
        assert_eq!(path(&[0xFF00..=0xFFFF]), "M0 255h256v1h-256z");
    }

    #[test]
    fn blocks_cover_the_plane() {
        let blocks: Vec<Block> = blocks().collect();
        assert_eq!((*blocks[0].range.start(), *blocks[blocks.len() - 1].range.end()), (0, 0xFFFF));
        assert!(blocks.windows(2).all(|pair| pair[0].range.end() + 1 == *pair[1].range.start()));
        assert!(blocks.iter().all(|block| block.range.start() % 16 == 0 && !block.range.is_empty()));
    }
}
