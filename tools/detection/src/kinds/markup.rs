//! Markup and source code with a few words of a language.

use std::fmt::Write as _;

use super::{Maker, lines::phrase, usual_pairs};
use crate::source::{Random, Source};

/// HTML and XML without declarations.
pub(super) fn markup(maker: &mut Maker<'_>) {
    maker.one(&usual_pairs(), |random, source, _| match random.below(4) {
        0 => html_page(random, source),
        1 => html_navigation(random, source),
        2 => xml_items(random, source),
        _ => xml_resources(random, source),
    });
}

/// Source code, settings and translations.
pub(super) fn source(maker: &mut Maker<'_>) {
    maker.one(&usual_pairs(), |random, source, _| match random.below(7) {
        0 => c(random, source),
        1 => python(random, source),
        2 => sql(random, source),
        3 => php(random, source),
        4 => ini(random, source),
        5 => catalogue(random, source),
        _ => batch(random, source),
    });
}

/// Returns a phrase of the language in one of three cases, otherwise words in ASCII letters.
fn text(random: &mut Random, source: &Source<'_>, percent: usize) -> String {
    let words = random.between(0, 4);
    if random.chance(percent) {
        return phrase(random, source, words).replace(['"', '\'', '<', '>', '&', '\\'], "");
    }
    (0..=words).map(|_| source.ascii_word(random)).collect::<Vec<_>>().join(" ")
}

fn html_page(random: &mut Random, source: &Source<'_>) -> String {
    let percent = random.between(10, 100);
    let title = text(random, source, 100);
    let mut page =
        format!("<html>\n<head>\n<title>{title}</title>\n<style>body {{ margin: 0 }}</style>\n</head>\n<body>\n");
    for _ in 0..random.size(1, 30) {
        let class = source.ascii_word(random);
        let _ = writeln!(page, "<div class=\"{class}\"><h2>{}</h2>", text(random, source, percent));
        let len = random.size(10, 300);
        let prose = if random.chance(percent) { source.line(random, len) } else { text(random, source, 0) };
        let _ = writeln!(page, "<p align=\"left\">{prose}</p></div>");
    }
    page + "</body>\n</html>\n"
}

fn html_navigation(random: &mut Random, source: &Source<'_>) -> String {
    let percent = random.between(10, 100);
    let mut page = "<ul id=\"nav\">\r\n".to_owned();
    for n in 0..random.size(2, 80) {
        let name = source.ascii_word(random);
        let text = text(random, source, if n == 0 { 100 } else { percent });
        let _ = write!(page, "  <li><a href=\"/{name}.html\" title=\"{text}\">{text}</a></li>\r\n");
    }
    page + "</ul>\r\n"
}

fn xml_items(random: &mut Random, source: &Source<'_>) -> String {
    let percent = random.between(10, 100);
    let (root, item) = (source.ascii_word(random), source.ascii_word(random));
    let mut page = format!("<{root}>\n");
    for n in 0..random.size(1, 100) {
        let text = text(random, source, if n == 0 { 100 } else { percent });
        let _ =
            writeln!(page, "  <{item} id=\"{n}\"><name>{text}</name><value>{}</value></{item}>", random.amount('.'));
    }
    page + &format!("</{root}>\n")
}

fn xml_resources(random: &mut Random, source: &Source<'_>) -> String {
    let mut page = "<resources>\n".to_owned();
    for _ in 0..random.size(1, 60) {
        let key = source.ascii_word(random).to_lowercase();
        let _ = writeln!(page, "    <string name=\"{key}_label\">{}</string>", text(random, source, 80));
    }
    page + "</resources>\n"
}

fn c(random: &mut Random, source: &Source<'_>) -> String {
    let percent = random.between(5, 60);
    let mut code = format!("/* {} */\n#include <stdio.h>\n\n", text(random, source, 100));
    for _ in 0..random.size(1, 40) {
        let (name, value) = (source.ascii_word(random).to_lowercase(), random.below(1000));
        let _ =
            writeln!(code, "static int {name}(int n)\n{{\n\tif (n > {value}) /* {} */", text(random, source, percent));
        let _ =
            writeln!(code, "\t\tprintf(\"{}: %d\\n\", n);\n\treturn n + {value};\n}}\n", text(random, source, percent));
    }
    code
}

fn python(random: &mut Random, source: &Source<'_>) -> String {
    let percent = random.between(5, 60);
    let mut code = format!("#!/usr/bin/env python\n# {}\nimport sys\n\n", text(random, source, 100));
    for _ in 0..random.size(1, 40) {
        let name = source.ascii_word(random).to_lowercase();
        let _ = writeln!(code, "def {name}(self, value=None):\n    # {}", text(random, source, percent));
        let _ = writeln!(code, "    if value:\n        print('{}')\n    return value\n", text(random, source, percent));
    }
    code
}

fn sql(random: &mut Random, source: &Source<'_>) -> String {
    let percent = random.between(5, 100);
    let table = source.ascii_word(random).to_lowercase();
    let mut code = format!("CREATE TABLE {table} (id INT, name VARCHAR(80), price DECIMAL(8,2));\n");
    for n in 0..random.size(1, 150) {
        let text = text(random, source, if n == 0 { 100 } else { percent });
        let _ = writeln!(code, "INSERT INTO {table} VALUES ({n}, '{text}', {});", random.amount('.'));
    }
    code
}

fn php(random: &mut Random, source: &Source<'_>) -> String {
    let mut code = format!("<?php\n// {}\n", text(random, source, 100));
    for _ in 0..random.size(1, 80) {
        let _ =
            writeln!(code, "$lang['{}'] = '{}';", source.ascii_word(random).to_lowercase(), text(random, source, 60));
    }
    code + "?>\n"
}

fn ini(random: &mut Random, source: &Source<'_>) -> String {
    let percent = random.between(10, 100);
    let mut text_of_file = format!("; {}\r\n[General]\r\n", text(random, source, 100));
    for n in 0..random.size(1, 80) {
        let key = source.ascii_word(random);
        let _ = match n % 4 {
            0 => write!(text_of_file, "{key}={}\r\n", random.below(1000)),
            _ => write!(text_of_file, "{key}={}\r\n", text(random, source, percent)),
        };
    }
    text_of_file
}

fn catalogue(random: &mut Random, source: &Source<'_>) -> String {
    let mut catalogue = String::new();
    for n in 0..random.size(1, 60) {
        let (key, line) = (source.ascii_word(random).to_lowercase(), random.below(900));
        let text = text(random, source, if n == 0 { 100 } else { 70 });
        let _ = writeln!(catalogue, "#: src/{key}.c:{line}\nmsgid \"{key}\"\nmsgstr \"{text}\"\n");
    }
    catalogue
}

fn batch(random: &mut Random, source: &Source<'_>) -> String {
    let mut code = "@echo off\r\n".to_owned();
    for n in 0..random.size(1, 60) {
        let (name, text) = (source.ascii_word(random), text(random, source, if n == 0 { 100 } else { 30 }));
        let _ = match random.below(3) {
            0 => write!(code, "REM {text}\r\n"),
            1 => write!(code, "copy C:\\{name}\\*.txt \"D:\\{text}\"\r\n"),
            _ => write!(code, "echo {text}\r\n"),
        };
    }
    code
}
