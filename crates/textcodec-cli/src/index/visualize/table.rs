//! The page of an index: a table of what each pointer means.

use std::fmt::Write as _;

use unicode_normalization::char::is_combining_mark;

use super::{
    classes::{Cell, Form, cells},
    html::{encodings, escape, number},
    layout::Layout,
};
use crate::index::{data::Index, name::name};

/// What stands between the page's header and its end.
pub(super) fn body(index: &Index, layout: Layout) -> String {
    let cells = cells(index);
    let pointers = (layout.rows() * layout.columns()) as usize;
    let mut html = String::new();
    let _ = writeln!(
        html,
        "<p>{} of {} pointers have a character. Used by {}.</p>",
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

/// What is worth knowing of an index when one looks at it.
fn remarks(index: &str, layout: Layout) -> &'static [&'static str] {
    match layout {
        Layout::Big5 => &[
            "Four pointers without a character here decode to two: 1133 (88 62) to U+00CA U+0304, 1135 (88 64) to \
             U+00CA U+030C, 1164 (88 A3) to U+00EA U+0304, 1166 (88 A5) to U+00EA U+030C.",
            "The encoder uses no pointer below 5024, the rows from 81 to A0: they hold characters of Hong Kong.",
        ],
        Layout::EucKr => &[
            "From pointer 9026 (B0 A1) on, the Hangul syllables of KS X 1001; the others stand before and beside them. \
             Together they are all 11,172 of Unicode, and each of the two parts is in Unicode’s order.",
        ],
        Layout::Gb18030 => &[
            "Four bytes of gb18030 stand for what is not here; they are computed, with the index gb18030-ranges. GBK \
             decodes the same way. One byte 80 is U+20AC.",
            "A3 A0 is U+3000, as in pages that are out there, and a duplicate. 18 pointers have the characters that \
             GB18030-2022 gave them; the encoder writes the same bytes for the private characters that they had before.",
        ],
        Layout::Jis0208 => &[
            "A row’s header has the leading byte of EUC-JP; row 1 is leading byte A1. In ISO-2022-JP both bytes are 80 \
             (hexadecimal) less. Rows from 95 on exist in Shift_JIS alone.",
            "Index jis0208 has JIS X 0208 and what NEC and IBM added; where that has characters twice, encoders \
             of EUC-JP and ISO-2022-JP use the first one, that of Shift_JIS none of the pointers from 8272 to 8835.",
        ],
        Layout::ShiftJis => &[
            "This is index jis0208 by the bytes of Shift_JIS. The pointers from 8836 to 10715, the rows F0 to F9, are not \
             in the index: the decoder makes U+E000 to U+E757 of them. Single bytes from A1 to DF are U+FF61 to U+FF9F.",
            "The encoder uses none of the pointers from 8272 to 8835: the rows ED to EF repeat what comes later.",
        ],
        Layout::Jis0212 => &["EUC-JP is decoded with it, after the byte 8F, and never encoded."],
        Layout::SingleByte if index == "iso-8859-8" => &[
            "A byte is its pointer and 80 (hexadecimal); bytes below 80 are ASCII.",
            "ISO-8859-8-I differs in the order in which a page shows its text, not in its bytes.",
        ],
        Layout::SingleByte => &["A byte is its pointer and 80 (hexadecimal); bytes below 80 are ASCII."],
    }
}

/// How many pointers are of each kind. What an index does not have is left out.
fn legend(html: &mut String, cells: &[Cell], unmapped: usize) {
    html.push_str(
        "<table class=\"legend\">\n<caption>How many pointers are of each kind</caption>\n\
         <thead><tr><th scope=\"col\">Looks</th><th scope=\"col\">Kind</th><th scope=\"col\">Pointers</th></tr></thead>\n<tbody>\n",
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
        let kind = format!("{meaning}, one above the code point before");
        row(&format!("{class} contiguous"), "<i>XXXX</i>", &kind, contiguous);
    }
    let among = [
        ("duplicate", "Duplicate: an earlier pointer has it too", count(&|cell| cell.duplicate.is_some())),
        ("compatibility", "CJK compatibility ideograph", count(&Cell::is_compatibility)),
        ("ext", "CJK Unified Ideographs Extension A", count(&Cell::is_extension)),
    ];
    for (class, kind, count) in among {
        row(&format!("upper {class}"), "<i>XXXX</i>", &format!("{kind} (counted above, too)"), count);
    }
    html.push_str("</tbody>\n</table>\n");
}

fn table(html: &mut String, index: &Index, layout: Layout, cells: &[Cell]) {
    let caption = match layout {
        Layout::SingleByte => "Rows are the high halves of bytes, columns the low ones",
        Layout::Jis0208 | Layout::Jis0212 => "Rows are leading bytes of EUC-JP, columns trailing ones",
        _ => "Rows are leading bytes, columns trailing ones",
    };
    let _ = writeln!(
        html,
        "<p>Small numbers in headers add up to the pointer. Point at a cell, or touch it, for its pointer, bytes and name.</p>\n\
         <div class=\"scroll fit\" tabindex=\"0\" role=\"region\" aria-labelledby=\"caption\">\n\
         <table id=\"index\"{}>\n<caption id=\"caption\">{caption}</caption>\n<thead>\n<tr><th scope=\"col\">Byte<i>pointer</i></th>",
        if layout == Layout::SingleByte { " class=\"few\"" } else { "" }
    );
    for column in 0..layout.columns() {
        let _ = write!(html, "<th scope=\"col\">{}<i>+{column}</i></th>", layout.column(column));
    }
    // In the language of the index's encodings: the same code point has another glyph in Chinese than in Japanese.
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
    assert!(cells.next().is_none(), "{} has room for all", index.name);
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
    // No script is needed to show the title where there is no mouse: a touch gives the cell the focus, and the style
    // sheet does the rest. Cells are not in the order of the tab key, of which there would be thousands.
    format!(
        "<td class=\"{}\" tabindex=-1 title=\"{}\">{}<i>{code_point:04X}</i></td>",
        cell.classes(),
        escape(&title),
        glyph(character)
    )
}

/// The character, as far as it can be seen.
fn glyph(character: char) -> String {
    let short = match character {
        '\u{A0}' => "NBSP",
        '\u{AD}' => "SHY",
        '\u{200C}' => "ZWNJ",
        '\u{200D}' => "ZWJ",
        '\u{200E}' => "LRM",
        '\u{200F}' => "RLM",
        '\u{3000}' => "space",
        // These may not stand in HTML.
        '\u{80}'..='\u{9F}' => "control",
        // No font knows what they are.
        '\u{E000}'..='\u{F8FF}' => return String::new(),
        // A mark needs something to stand on.
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
