//! Labelled texts of many kinds, made in memory from the texts of a half.
//!
//! Each kind is in a function, which calls [`Maker::make`] for each language and encoding. The same texts are made every time.

mod art;
mod binary;
mod damaged;
mod lines;
mod markup;
mod mixed;
mod ordinary;
mod prose;
mod tables;
#[cfg(test)]
mod tests;
mod unavailable;

pub(crate) use ordinary::SIZES;
use std::{
    collections::HashSet,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use textcodec::Encoding;

use crate::{
    languages::{LANGUAGES, Language, more_encodings},
    repertoire::{encode, encodes, encoding, in_repertoire},
    source::{Random, Source, Sources},
};

/// What a right answer is.
pub(crate) enum Truth {
    /// The encoding, or another one in which the bytes are this text.
    One(Encoding, String),
    /// This encoding, in which the bytes have errors, or an answer below high confidence.
    Damaged(Encoding),
    /// This text in several encodings: an answer below high confidence, or an encoding in which the bytes are this text by chance.
    Several(String),
    /// An answer below high confidence, or this encoding, which programs rarely know.
    Unavailable(Option<Encoding>),
}

/// A labelled text.
pub(crate) struct Text {
    pub(crate) kind: &'static str,
    pub(crate) origin: String,
    pub(crate) language: &'static str,
    /// The name of the encoding, or a description.
    pub(crate) encoding: String,
    /// The nominal size of ordinary text, otherwise that of the bytes.
    pub(crate) size: usize,
    pub(crate) bytes: Vec<u8>,
    pub(crate) truth: Truth,
}

/// Makes the texts of a kind.
type Kind = fn(&mut Maker<'_>);

/// The kinds, with the functions that make their texts.
pub(crate) const KINDS: [(&str, Kind); 21] = [
    ("ordinary", ordinary::ordinary),
    ("ordinary-more", ordinary::more),
    ("dos", ordinary::dos),
    ("tables", tables::tables),
    ("cells", tables::cells),
    ("prose-nbsp", prose::no_break_spaces),
    ("typography", prose::typography),
    ("words", prose::words),
    ("dictionary", prose::dictionary),
    ("subtitles", lines::subtitles),
    ("logs", lines::logs),
    ("cut", damaged::cut),
    ("utf8-damaged", damaged::utf_8),
    ("cesu8", damaged::cesu_8),
    ("mixed", mixed::mixed),
    ("unavailable", unavailable::unavailable),
    ("markup", markup::markup),
    ("source", markup::source),
    ("art", art::art),
    ("menus", art::menus),
    ("binary", binary::binary),
];

/// Returns whether a kind is one of ordinary texts.
pub(crate) fn is_ordinary(kind: &str) -> bool {
    matches!(kind, "ordinary" | "ordinary-more" | "dos")
}

/// Makes the texts of all kinds, or of one, in two threads. There are about `count` texts of each hard kind.
pub(crate) fn make(sources: &Sources<'_>, only: Option<&str>, count: usize) -> Vec<Text> {
    let kinds: Vec<_> = KINDS.iter().filter(|(kind, _)| only.is_none_or(|only| only == *kind)).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut made = Vec::new();
        loop {
            let n = next.fetch_add(1, Relaxed);
            let Some((kind, function)) = kinds.get(n) else { return made };
            let mut maker = Maker { sources, kind, texts: Vec::new(), seen: HashSet::new(), count };
            function(&mut maker);
            made.push((n, maker.texts));
        }
    };
    let mut made = std::thread::scope(|scope| {
        let other = scope.spawn(work);
        let mut made = work();
        made.extend(other.join().expect("making texts does not panic"));
        made
    });
    made.sort_by_key(|(n, _)| *n);
    made.into_iter().flat_map(|(_, texts)| texts).collect()
}

/// Collects the texts of a kind.
pub(crate) struct Maker<'a> {
    sources: &'a Sources<'a>,
    kind: &'static str,
    texts: Vec<Text>,
    seen: HashSet<Vec<u8>>,
    /// The number of texts of a hard kind, before equal ones are removed.
    count: usize,
}

/// A text and what is right for it.
type Made = Option<(Vec<u8>, Truth)>;

impl Maker<'_> {
    /// Makes `count` texts of a language, from its sources in turn. `label` is the name of the encoding or a description. If the function
    /// returns nothing, or what it returned before, it is called again, with other random numbers.
    fn make(
        &mut self,
        language: &'static str,
        label: &str,
        count: usize,
        function: impl Fn(&mut Random, &Source<'_>) -> Made,
    ) {
        let sources = self.sources.of(language);
        for n in 0..count {
            let Some(source) = sources.get(n % sources.len().max(1)) else { return };
            for attempt in 0..40 {
                let (kind, origin) = (self.kind, source.origin);
                let mut random = Random::new(&format!("{kind} {language} {label} {origin} {n} {attempt}"));
                let Some((bytes, truth)) = function(&mut random, source) else { continue };
                if self.seen.insert(bytes.clone()) {
                    let (encoding, origin, size) = (label.to_owned(), origin.to_owned(), bytes.len());
                    self.texts.push(Text { kind, origin, language, encoding, size, bytes, truth });
                    break;
                }
            }
        }
    }

    /// Makes texts in one encoding for each of the pairs of language and encoding. The function returns a text, which is rewritten in the
    /// characters of the encoding.
    fn one(
        &mut self,
        pairs: &[(&'static str, &'static str)],
        function: impl Fn(&mut Random, &Source<'_>, Encoding) -> String,
    ) {
        for &(language, name) in pairs {
            let encoding = encoding(name);
            self.make(language, name, self.count.div_ceil(pairs.len()), |random, source| {
                one(&function(random, source, encoding), encoding)
            });
        }
    }
}

/// Encodes a text, which is rewritten in the characters of the encoding. Returns `None` if the result is all ASCII: such text has no
/// encoding to detect.
fn one(text: &str, encoding: Encoding) -> Made {
    let text = in_repertoire(text, encoding);
    if text.is_ascii() {
        return None;
    }
    let bytes = encode(&text, encoding)?;
    // A character can be decoded differently after another one.
    encodes(&text, encoding).then_some((bytes, Truth::One(encoding, text)))
}

/// The pairs of all languages and of the legacy encodings that are usual for them.
fn usual_pairs() -> Vec<(&'static str, &'static str)> {
    let of = |language: &'static Language| match language.encodings {
        [] => more_encodings(language.code),
        encodings => encodings,
    };
    LANGUAGES.iter().flat_map(|language| of(language).iter().map(|&name| (language.code, name))).collect()
}

/// Shortens a text to about `size` bytes in an encoding, at the end of a character.
fn shortened(text: &str, encoding: Encoding, size: usize) -> Option<String> {
    let mut encoder = encoding.encoder();
    let mut bytes = Vec::new();
    for (at, c) in text.char_indices() {
        if bytes.len() >= size {
            return Some(text[..at].to_owned());
        }
        encoder.push(c.encode_utf8(&mut [0; 4]), &mut bytes).ok()?;
    }
    (bytes.len() >= size).then(|| text.to_owned())
}
