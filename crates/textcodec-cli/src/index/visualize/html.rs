//! What all pages share: the frame around them, their style, and how text and numbers are written.

use std::fmt::Write as _;

use crate::index::data::Index;

/// What stands near the start of each page, and tells these pages from other files.
pub(super) const GENERATOR_META: &str = r#"<meta name="generator" content="textcodec index --visualize">"#;

const STYLE: &str = include_str!("style.css");

/// A whole page. `links` are file names and what they are called; `made_from` is a sentence for its end.
pub(super) fn page(title: &str, links: &[(String, String)], body: &str, made_from: &str) -> String {
    let mut nav = String::new();
    if !links.is_empty() {
        nav.push_str("<nav aria-label=\"Pages\">");
        for (file, text) in links {
            let _ = write!(nav, "<a href=\"{file}\">{text}</a> ");
        }
        nav.push_str("</nav>\n");
    }
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n{GENERATOR_META}\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <header>\n<h1>{title}</h1>\n{nav}</header>\n<main>\n{body}</main>\n\
         <footer><p>{made_from}Made by textcodec {version} from the indexes of the \
         <a href=\"https://encoding.spec.whatwg.org/#indexes\">Encoding Standard</a>.</p></footer>\n</body>\n</html>\n",
    )
}

/// Which version of an index a page shows.
pub(super) fn version(index: &Index) -> String {
    format!("Index {} of {}, identifier <code>{}</code>. ", index.name, index.date, index.identifier)
}

/// The encodings that use an index: `Shift_JIS, EUC-JP and ISO-2022-JP`.
pub(super) fn encodings(index: &Index) -> String {
    let names: Vec<_> = index.encodings().into_iter().map(textcodec::Encoding::name).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

/// A number with a comma between thousands.
pub(super) fn number(value: usize) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// As text of an element or of a quoted attribute.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_commas_between_thousands() {
        assert_eq!([0, 999, 1000, 65536, 1_112_064].map(number), ["0", "999", "1,000", "65,536", "1,112,064"]);
    }
}
