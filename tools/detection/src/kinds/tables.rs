//! Tables and price lists in which one symbol is in many rows, and all else is ASCII.

use std::fmt::Write as _;

use super::{Maker, encodes, encoding, lines::phrase, one, usual_pairs};
use crate::source::{Random, Source};

/// The symbols.
const SYMBOLS: [char; 32] = [
    '€', '£', '¥', '°', 'µ', '×', '½', '²', '±', '§', '™', '©', '№', '·', '«', '\u{A0}', '–', '“', '’', '…', '®', '¼',
    '³', 'Ø', 'Ř', 'ß', 'é', 'ü', 'ñ', 'å', 'ø', 'ł',
];

/// The encodings, with a language whose words are in the rows. Only words in ASCII letters are.
const ENCODINGS: [(&str, &[&str]); 18] = [
    ("windows-1252", &["en", "de", "fr", "es", "it", "nl", "pt", "sv", "da", "fi"]),
    ("windows-1252", &["en", "de", "fr", "es", "it", "nl", "pt", "sv", "da", "fi"]),
    ("windows-1250", &["pl", "cs", "hu", "hr", "ro", "sk"]),
    ("windows-1251", &["en"]),
    ("windows-1253", &["en"]),
    ("windows-1254", &["tr", "en"]),
    ("windows-1257", &["lt", "lv", "et"]),
    ("ISO-8859-15", &["fr", "de", "fi", "es", "it"]),
    ("ISO-8859-2", &["pl", "cs", "hu", "sk"]),
    ("macintosh", &["en", "de", "fr", "es"]),
    ("IBM437", &["en", "de"]),
    ("IBM850", &["de", "fr", "es", "nl", "da", "en"]),
    ("IBM852", &["pl", "cs", "hu"]),
    ("KOI8-R", &["en"]),
    ("IBM866", &["en"]),
    ("x-mac-cyrillic", &["en"]),
    ("Shift_JIS", &["en"]),
    ("GBK", &["en"]),
];

pub(super) fn tables(maker: &mut Maker<'_>) {
    let mut pairs = Vec::new();
    for (n, (name, languages)) in ENCODINGS.iter().enumerate() {
        let symbols = SYMBOLS.iter().filter(|symbol| encodes(&symbol.to_string(), encoding(name)));
        pairs.extend(symbols.enumerate().map(|(at, symbol)| (*name, *symbol, languages[(at + n) % languages.len()])));
    }
    for (n, &(name, symbol, language)) in pairs.iter().enumerate() {
        let label = format!("{name} {symbol} {n}");
        let first = maker.texts.len();
        maker.make(language, &label, maker.count.div_ceil(pairs.len()), |random, source| {
            one(&table(random, source, language, symbol), encoding(name))
        });
        maker.texts[first..].iter_mut().for_each(|text| name.clone_into(&mut text.encoding));
    }
}

/// Tables with words of a language in short cells, and numbers.
pub(super) fn cells(maker: &mut Maker<'_>) {
    let mut pairs = usual_pairs();
    pairs.extend([
        ("de", "IBM850"),
        ("fr", "IBM850"),
        ("pl", "IBM852"),
        ("cs", "IBM852"),
        ("el", "IBM737"),
        ("tr", "IBM857"),
    ]);
    maker.one(&pairs, |random, source, _| {
        let (rows, percent) = (random.size(2, 200), random.between(5, 100));
        let (form, end) = (form(random), if random.chance(40) { "\r\n" } else { "\n" });
        let mut text = String::new();
        for n in 0..rows {
            let count = random.between(0, 2);
            let cell = if n == 0 || random.chance(percent) {
                phrase(random, source, count)
            } else {
                source.ascii_word(random)
            };
            let number = if random.chance(80) { random.size(1, 90_000).to_string() } else { source.word(random) };
            text += &row(form, &[number, cell, random.amount('.')], end);
        }
        text
    });
}

/// The form of the rows.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    Separated(char),
    Html,
    Columns,
    List,
}

fn table(random: &mut Random, source: &Source<'_>, language: &str, symbol: char) -> String {
    let form = form(random);
    let end = if random.chance(40) { "\r\n" } else { "\n" };
    let rows = random.size(3, 400);
    // In some tables, not all rows have the symbol.
    let percent = if random.chance(60) { 100 } else { random.between(30, 95) };
    let (style, decimal) = (random.below(4), random.pick(&[".", ","]));
    let words: Vec<String> = (0..random.between(1, 30)).map(|_| source.ascii_word(random)).collect();
    let mut text = String::new();
    if form == Form::Html {
        let _ = write!(text, "<table border=1>{end}");
    }
    if form != Form::List && random.chance(80) {
        text += &row(form, &header(language).map(str::to_owned), end);
    }
    for n in 0..rows {
        let word = &words[random.below(words.len())];
        let with = n == 0 || random.chance(percent);
        let value = if with { value(random, symbol, style, decimal, word) } else { random.amount('.') };
        let number = if style % 2 == 0 { (n + 1).to_string() } else { random.size(1, 90_000).to_string() };
        text += &row(form, &[number, word.clone(), value], end);
    }
    if form == Form::Html {
        text += "</table>";
    }
    text
}

fn form(random: &mut Random) -> Form {
    match random.below(7) {
        0 => Form::Separated(','),
        1 | 2 => Form::Separated(';'),
        3 => Form::Separated('\t'),
        4 => Form::Html,
        5 => Form::Columns,
        _ => Form::List,
    }
}

fn row(form: Form, cells: &[String; 3], end: &str) -> String {
    let [number, word, value] = cells;
    match form {
        Form::Separated(separator) => format!("{number}{separator}{word}{separator}{value}{end}"),
        Form::Html => format!("<tr><td>{number}</td><td>{word}</td><td align=right>{value}</td></tr>{end}"),
        Form::Columns => format!("{number:>8}  {word:<22}{value:>14}{end}"),
        Form::List => format!("{word} {number} ..... {value}{end}"),
    }
}

/// The names of the columns, in ASCII.
fn header(language: &str) -> [&'static str; 3] {
    match language {
        "de" => ["Nr", "Artikel", "Preis"],
        "fr" => ["numero", "article", "prix"],
        "es" => ["codigo", "producto", "precio"],
        "it" => ["codice", "prodotto", "prezzo"],
        "nl" => ["nummer", "artikel", "prijs"],
        "pt" => ["codigo", "produto", "valor"],
        "sv" | "da" => ["nummer", "vare", "pris"],
        "fi" => ["numero", "tuote", "hinta"],
        "pl" => ["numer", "nazwa", "cena"],
        "cs" | "sk" => ["cislo", "zbozi", "cena"],
        "hu" => ["szam", "megnevezes", "ar"],
        "hr" => ["broj", "naziv", "cijena"],
        "ro" => ["numar", "denumire", "pret"],
        "tr" => ["no", "urun", "fiyat"],
        "lt" | "lv" | "et" => ["nr", "preke", "kaina"],
        _ => ["id", "item", "value"],
    }
}

/// Returns a cell with the symbol where it is usual.
fn value(random: &mut Random, symbol: char, style: usize, decimal: &str, word: &str) -> String {
    let amount = random.amount(decimal.chars().next().unwrap_or('.'));
    let number = random.size(1, 500);
    match (symbol, style) {
        ('€' | '£' | '¥', 0) => format!("{symbol}{amount}"),
        ('€' | '£' | '¥', 1) => format!("{symbol} {amount}"),
        ('€', 2) => format!("{amount}{symbol}"),
        ('€' | '£' | '¥', _) => format!("{amount} {symbol}"),
        ('°', 0) => format!("{number}{symbol}"),
        ('°', 1) => format!("-{amount} {symbol}C"),
        ('°', _) => format!("{amount}{symbol}C"),
        ('µ', 0) => format!("{number}{symbol}F"),
        ('µ', 1) => format!("{number} {symbol}m"),
        ('µ', _) => format!("{amount} {symbol}g"),
        ('×', 0) => format!("{number}{symbol}{}", random.size(2, 2000)),
        ('×', 1) => format!("{symbol} {number}"),
        ('×', _) => format!("{number} {symbol} {}", random.size(2, 2000)),
        ('½' | '¼', 0) => format!("{symbol} l"),
        ('½' | '¼', 1) => symbol.to_string(),
        ('½' | '¼', _) => format!("{}{symbol}", random.between(1, 60)),
        ('²' | '³', 0) => format!("{amount} cm{symbol}"),
        ('²' | '³', _) => format!("{number} m{symbol}"),
        ('±', 0) => format!("{amount} {symbol} {}", random.amount('.')),
        ('±', _) => format!("{symbol}{amount}"),
        ('§' | '№', 0) => format!("{symbol}{number}"),
        ('§' | '№', _) => format!("{symbol} {number}"),
        ('™' | '®', _) => format!("{word}{symbol}"),
        ('©', 0) => format!("{symbol} {}", random.between(1980, 2024)),
        ('©', _) => format!("{symbol} {} {word}", random.between(1980, 2024)),
        ('·', _) => format!("{word} {symbol} {number}"),
        ('«', 0) => format!("« {word} »"),
        ('«', _) => format!("«{word}»"),
        ('\u{A0}', 0) => format!("{number}\u{A0}{:03},00", random.below(1000)),
        ('\u{A0}', 1) => symbol.to_string(),
        ('\u{A0}', 2) => format!("{number}\u{A0}kg"),
        ('\u{A0}', _) => format!("{word}\u{A0}{number}"),
        ('–', 0) => format!("{number}–{}", random.size(2, 2000)),
        ('–', 1) => symbol.to_string(),
        ('–', _) => format!("{word} – {number}"),
        ('“', _) => format!("“{word}”"),
        ('’', 0) => format!("{number}’"),
        ('’', _) => format!("{word}’s"),
        ('…', _) => format!("{word}…"),
        ('Ø', _) => format!("Ø {number} mm"),
        // A letter as a mark or in a word that is in all rows.
        (_, 0) => symbol.to_string(),
        (_, _) => {
            let words: &[&str] = match symbol {
                'Ř' => &["Řada", "Říjen", "Ř"],
                'ß' => &["Straße", "groß", "weiß"],
                'é' => &["café", "clé", "métal", "crédit"],
                'ü' => &["für", "grün", "Stück", "Zürich"],
                'ñ' => &["año", "España", "niño", "pequeño"],
                'å' => &["år", "blå", "Åland", "två"],
                'ø' => &["rød", "grøn", "København"],
                _ => &["złoty", "mały", "biały"],
            };
            words[style % words.len()].to_owned()
        }
    }
}
