//! The page with the table of an index.

use std::fmt::Write as _;

use unicode_normalization::char::is_combining_mark;

use super::{
    classes::{Cell, Form, cells},
    html::{encodings, escape, number},
    layout::Layout,
};
use crate::index::{data::Index, name::name};

/// Returns the body of the page.
pub(super) fn body(index: &Index, layout: Layout) -> String {
    let cells = cells(index);
    let pointers = (layout.rows() * layout.columns()) as usize;
    let mut html = String::new();
    let _ = writeln!(
        html,
        "<p>{} of {} pointers are mapped. Used by {}.</p>",
        number(cells.len()),
        number(pointers),
        encodings(index)
    );
    for remark in remarks(index.name, layout) {
        let _ = writeln!(html, "<p>{remark}</p>");
    }
    legend(&mut html, &cells, pointers - cells.len());
    table(&mut html, index, layout, &cells);
    html
}

/// Returns explanations of an index.
fn remarks(index: &str, layout: Layout) -> &'static [&'static str] {
    match layout {
        Layout::Big5 => &[
            "Four pointers that are unmapped here decode to two characters each: 1133 (88 62) to U+00CA U+0304, \
             1135 (88 64) to U+00CA U+030C, 1164 (88 A3) to U+00EA U+0304, 1166 (88 A5) to U+00EA U+030C.",
            "The encoder does not use the pointers below 5024, which are the rows from 81 to A0. They contain characters of \
             Hong Kong.",
        ],
        Layout::EucKr => &[
            "The Hangul syllables of KS X 1001 start at pointer 9026 (B0 A1). The other syllables are before them and to their \
             left. Together they are all 11,172 syllables of Unicode, and each of the two parts is in Unicode’s order.",
        ],
        Layout::Gb18030 => &[
            "Non-ASCII code points that are not in this index are four-byte sequences of gb18030, computed with the index \
             gb18030-ranges. GBK decodes the same way. The single byte 80 is U+20AC.",
            "A3 A0 is U+3000, a duplicate, because existing pages use it. 18 pointers have the characters of GB18030-2022; \
             the encoder also writes their bytes for the private use characters that they had before.",
        ],
        Layout::Jis0208 => &[
            "Row headers show the lead byte of EUC-JP; row 1 has lead byte A1. In ISO-2022-JP both bytes are lower by 80 \
             (hexadecimal). Rows from 95 on exist only in Shift_JIS.",
            "Index jis0208 consists of JIS X 0208 and the extensions of NEC and IBM, which contain duplicates. The encoders of \
             EUC-JP and ISO-2022-JP use the first pointer of a character. That of Shift_JIS does not use the pointers from \
             8272 to 8835.",
        ],
        Layout::ShiftJis => &[
            "This is index jis0208 by the bytes of Shift_JIS. The pointers from 8836 to 10715, which are the rows F0 to F9, \
             are not in the index: the decoder maps them to U+E000 to U+E757. Single bytes from A1 to DF are U+FF61 to U+FF9F.",
            "The encoder does not use the pointers from 8272 to 8835: the rows ED to EF duplicate later rows.",
        ],
        Layout::Jis0212 => &["EUC-JP uses this index for decoding, after the byte 8F, but never for encoding."],
        Layout::SingleByte if index == "iso-8859-8" => &[
            "A byte is its pointer plus 80 (hexadecimal); bytes below 80 are ASCII.",
            "ISO-8859-8-I has the same bytes; it differs only in the order in which a page displays its text.",
        ],
        Layout::SingleByte => &["A byte is its pointer plus 80 (hexadecimal); bytes below 80 are ASCII."],
    }
}

/// Writes the number of pointers of each kind. Kinds without pointers are left out.
fn legend(html: &mut String, cells: &[Cell], unmapped: usize) {
    html.push_str(
        "<table class=\"legend\">\n<caption>Number of pointers of each kind</caption>\n\
         <thead><tr><th scope=\"col\">Style</th><th scope=\"col\">Kind</th><th scope=\"col\">Pointers</th></tr></thead>\n<tbody>\n",
    );
    let mut row = |class: &str, sample: &str, kind: &str, count: usize| {
        if count > 0 {
            let _ = writeln!(
                html,
                "<tr><td class=\"sample {class}\" aria-hidden=\"true\">{sample}</td><th scope=\"row\">{kind}</th><td>{}</td></tr>",
                number(count)
            );
        }
    };
    row("unmapped", "", "Unmapped", unmapped);
    let count = |is: &dyn Fn(&Cell) -> bool| cells.iter().filter(|cell| is(cell)).count();
    for form in Form::ALL {
        let (class, meaning) = (form.class(), form.meaning());
        let alone = count(&|cell| cell.form == form && !cell.contiguous);
        row(class, "<i>XXXX</i>", meaning, alone);
        let contiguous = count(&|cell| cell.form == form && cell.contiguous);
        let kind = format!("{meaning}, one above the previous code point");
        row(&format!("{class} contiguous"), "<i>XXXX</i>", &kind, contiguous);
    }
    let among = [
        ("duplicate", "Duplicate of an earlier pointer", count(&|cell| cell.duplicate.is_some())),
        ("compatibility", "CJK compatibility ideograph", count(&Cell::is_compatibility)),
        ("ext", "CJK Unified Ideographs Extension A", count(&Cell::is_extension)),
    ];
    for (class, kind, count) in among {
        row(&format!("upper {class}"), "<i>XXXX</i>", &format!("{kind} (also counted above)"), count);
    }
    html.push_str("</tbody>\n</table>\n");
}

fn table(html: &mut String, index: &Index, layout: Layout, cells: &[Cell]) {
    let caption = match layout {
        Layout::SingleByte => "Rows are the high halves of bytes, columns the low halves",
        Layout::Jis0208 | Layout::Jis0212 => "Rows are lead bytes of EUC-JP, columns are trail bytes",
        _ => "Rows are lead bytes, columns are trail bytes",
    };
    let _ = writeln!(
        html,
        "<p>The small numbers in the headers add up to the pointer. Point at a cell, or touch it, to see its pointer, bytes \
         and name.</p>\n\
         <div class=\"scroll fit\" tabindex=\"0\" role=\"region\" aria-labelledby=\"caption\">\n\
         <table id=\"index\"{}>\n<caption id=\"caption\">{caption}</caption>\n<thead>\n<tr><th scope=\"col\">Byte<i>pointer</i></th>",
        if layout == Layout::SingleByte { " class=\"few\"" } else { "" }
    );
    for column in 0..layout.columns() {
        let _ = write!(html, "<th scope=\"col\">{}<i>+{column}</i></th>", layout.column(column));
    }
    // The language selects the glyph: the same code point looks different in Chinese and in Japanese.
    let _ = writeln!(html, "</tr>\n</thead>\n<tbody{}>", language(layout));
    let mut cells = cells.iter().peekable();
    for row in 0..layout.rows() {
        let first = row * layout.columns();
        let _ = write!(html, "<tr><th scope=\"row\">{}", layout.row(row));
        if matches!(layout, Layout::Jis0208 | Layout::Jis0212) {
            let _ = write!(html, "<i>row {}</i>", row + 1);
        }
        let _ = write!(html, "<i>{first}</i></th>");
        for pointer in first..first + layout.columns() {
            match cells.next_if(|cell| cell.pointer == pointer) {
                Some(cell) => html.push_str(&mapped(cell, layout)),
                None => html.push_str("<td class=unmapped></td>"),
            }
        }
        html.push_str("</tr>\n");
    }
    assert!(cells.next().is_none(), "the table of {} has a cell for each entry", index.name);
    html.push_str("</tbody>\n</table>\n</div>\n");
}

fn mapped(cell: &Cell, layout: Layout) -> String {
    let &Cell { pointer, character, .. } = cell;
    let code_point = u32::from(character);
    let name = name(character).to_string();
    let mut title =
        format!("{}: pointer {pointer}, U+{code_point:04X} {}", layout.bytes(pointer), name.trim_matches(['<', '>']));
    if let Some(first) = cell.duplicate {
        let _ = write!(title, ", duplicate of pointer {first}");
    }
    // Without a mouse, a touch focuses the cell and the style sheet shows the title, so no script is needed. The thousands
    // of cells are not in the tab order.
    format!(
        "<td class=\"{}\" tabindex=-1 title=\"{}\">{}<i>{code_point:04X}</i></td>",
        cell.classes(),
        escape(&title),
        glyph(character)
    )
}

/// Returns the character, or a label if it is invisible.
fn glyph(character: char) -> String {
    let short = match character {
        '\u{A0}' => "NBSP",
        '\u{AD}' => "SHY",
        '\u{200C}' => "ZWNJ",
        '\u{200D}' => "ZWJ",
        '\u{200E}' => "LRM",
        '\u{200F}' => "RLM",
        '\u{3000}' => "space",
        // HTML does not allow these.
        '\u{80}'..='\u{9F}' => "control",
        // Fonts have no glyphs for these.
        '\u{E000}'..='\u{F8FF}' => return String::new(),
        // A combining mark needs a base.
        _ if is_combining_mark(character) => return format!("\u{25CC}{character}"),
        _ => return escape(character.encode_utf8(&mut [0; 4])),
    };
    format!("<b>{short}</b>")
}

fn language(layout: Layout) -> &'static str {
    match layout {
        Layout::SingleByte => "",
        Layout::Big5 => " lang=\"zh-Hant\"",
        Layout::EucKr => " lang=\"ko\"",
        Layout::Gb18030 => " lang=\"zh-Hans\"",
        Layout::Jis0208 | Layout::ShiftJis | Layout::Jis0212 => " lang=\"ja\"",
    }
}
