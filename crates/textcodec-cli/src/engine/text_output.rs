//! The output of an engine. It finds the declarations at the start of each text, and corrects them if that is wanted.

use std::{borrow::Cow, cmp::Reverse, io, mem, ops::Range};

use textcodec::{EncodeError, oem};
use textcodec_detect::declaration::{Declaration, Form, HEAD_LEN, find_all};

use super::recipe::{Declarations, Recipe, Tally};
use crate::{
    charset::Charset,
    items::{self, Item, ItemKind},
    output::Output,
};

pub(super) struct TextOutput {
    output: Output,
    /// What is written before the next text.
    mark: Vec<u8>,
    to: Charset,
    /// The encoding of the input.
    from: Charset,
    declarations: Declarations,
    /// The start of a text, until it is complete. If declarations are updated, it is written only then.
    head: Option<Vec<u8>>,
    /// The declarations that are wrong for the output.
    found: Vec<Declaration>,
    /// Those that are not corrected.
    left: Vec<Declaration>,
    /// The number of bytes by which the corrected labels are longer than the original ones.
    longer_by: isize,
}

impl TextOutput {
    pub(super) fn new(output: Output, recipe: Recipe) -> Self {
        Self {
            output,
            mark: Vec::new(),
            to: recipe.to,
            from: recipe.to,
            declarations: recipe.declarations,
            head: None,
            found: Vec::new(),
            left: Vec::new(),
            longer_by: 0,
        }
    }

    /// Starts the text of an input in an encoding, after a byte order mark.
    pub(super) fn start_text(&mut self, from: Charset) {
        self.from = from;
        self.head = (self.declarations != Declarations::Ignore).then(Vec::new);
    }

    /// Writes a byte order mark before the next text, and none if no text follows.
    pub(super) fn write_before_text(&mut self, mark: Vec<u8>) {
        self.mark = mark;
    }

    pub(super) fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        if !bytes.is_empty() {
            self.output.write_all(&mem::take(&mut self.mark))?;
        }
        let Some(head) = &mut self.head else { return self.output.write_all(bytes) };
        let (start, rest) = bytes.split_at(bytes.len().min(HEAD_LEN - head.len()));
        head.extend_from_slice(start);
        let is_complete = head.len() == HEAD_LEN;
        if self.declarations == Declarations::Find {
            self.output.write_all(bytes)?;
        }
        if !is_complete {
            return Ok(());
        }
        self.end_head()?;
        if self.declarations == Declarations::Update { self.output.write_all(rest) } else { Ok(()) }
    }

    /// Ends the text of an input and adds what was found to its tally.
    pub(super) fn end_text(&mut self, tally: &mut Tally) -> io::Result<()> {
        let result = self.end_head();
        tally.declarations = mem::take(&mut self.found);
        tally.left = mem::take(&mut self.left);
        tally.same &= self.declarations != Declarations::Update || tally.declarations.is_empty();
        tally.written = tally.written.saturating_add_signed(mem::take(&mut self.longer_by) as i64);
        result
    }

    pub(super) fn into_inner(self) -> Output {
        self.output
    }

    /// Finds the declarations in the start of a text.
    fn end_head(&mut self) -> io::Result<()> {
        let Some(mut head) = self.head.take() else { return Ok(()) };
        let view = View::new(&head, self.to);
        let mut found = find_all(&view.ascii);
        let mut charsets = found.iter().filter(|found| found.form() == Form::Mail).map(Declaration::encoding);
        let first = charsets.next();
        let is_mixed_mail = charsets.any(|charset| Some(charset) != first);
        found.retain(|declaration| !declaration.is_right_for(self.to.encoding()));
        if self.declarations == Declarations::Update {
            let mut places: Vec<_> = Vec::new();
            // Only the headers of parts that were decoded rightly become right.
            let is_of_another_part =
                |found: &mut Declaration| is_mixed_mail && !found.is_right_for(self.from.encoding());
            self.left = found.extract_if(.., is_of_another_part).collect();
            found.retain(|declaration| {
                let place = view.place(declaration.label_range());
                places.extend(place.clone().map(|place| (place, declaration.corrected_label(self.to.encoding()))));
                place.is_some()
            });
            let len = head.len();
            // From the last to the first, so that positions remain valid.
            places.sort_by_key(|(place, _)| Reverse(place.start));
            for (place, label) in places {
                head.splice(place, Units::of(self.to).encode(&label).map_err(io::Error::other)?);
            }
            self.longer_by = head.len().cast_signed() - len.cast_signed();
            self.output.write_all(&head)?;
        }
        self.found = found;
        Ok(())
    }
}

/// How an encoding writes a letter of ASCII.
struct Units {
    charset: Charset,
    /// What an encoder writes before the first character: a byte order mark, or the header of ISO-2022-KR.
    prefix: Vec<u8>,
    /// The bytes of `a`.
    letter: Vec<u8>,
}

impl Units {
    fn of(charset: Charset) -> Self {
        let encode = |text: &str| charset.encode(text).map(Cow::into_owned).unwrap_or_default();
        let (mut prefix, two) = (encode("a"), encode("aa"));
        let letter = prefix.split_off((2 * prefix.len()).saturating_sub(two.len()));
        Self { charset, prefix, letter }
    }

    /// Encodes a label that is not at the start of a text.
    fn encode(&self, label: &str) -> Result<Vec<u8>, EncodeError> {
        Ok(self.charset.encode(label)?.into_owned().split_off(self.prefix.len()))
    }
}

/// The start of a text with one byte for each character or code unit: the character if it is ASCII, and otherwise 0xFF or other bytes
/// that are not ASCII.
struct View<'t> {
    text: &'t [u8],
    ascii: Cow<'t, [u8]>,
    places: Places,
    units: Units,
}

/// Where the bytes of a view are in the text.
enum Places {
    /// One after the other, each as long as a letter, after the start.
    After(usize),
    /// In these ranges.
    Ranges(Vec<Range<usize>>),
}

impl<'t> View<'t> {
    fn new(text: &'t [u8], charset: Charset) -> Self {
        let units = Units::of(charset);
        let start = if text.starts_with(&units.prefix) { units.prefix.len() } else { 0 };
        let rest = &text[start..];
        let mut places = Places::After(start);
        let ascii: Cow<'_, [u8]> = if let (2.., Some(at)) =
            (units.letter.len(), units.letter.iter().position(|&byte| byte == b'a'))
        {
            let narrow = |unit: &[u8]| {
                let is_ascii = unit[at].is_ascii() && unit.iter().enumerate().all(|(n, &byte)| n == at || byte == 0);
                if is_ascii { unit[at] } else { 0xFF }
            };
            rest.chunks_exact(units.letter.len()).map(narrow).collect::<Vec<_>>().into()
        } else if charset.is_single_byte() && !charset.is_ascii_compatible() {
            let ascii: [u8; 256] = std::array::from_fn(|byte| ascii_of(charset.decode(&[byte as u8]).chars().next()));
            rest.iter().map(|&byte| ascii[usize::from(byte)]).collect::<Vec<_>>().into()
        } else if hides_ascii(charset) {
            let (mut ascii, mut ranges) = (Vec::new(), Vec::new());
            items::decode(&mut items::decoder(charset), text, false, |Item { range, kind }| {
                ascii.push(if let ItemKind::Character(character) = kind { ascii_of(Some(character)) } else { 0xFF });
                ranges.push(range.start as usize..range.end as usize);
            });
            places = Places::Ranges(ranges);
            ascii.into()
        } else {
            rest.into()
        };
        Self { text, ascii, places, units }
    }

    /// Returns where a label is in the text, or `None` if it does not begin and end with letters outside of base64, so that it cannot be
    /// replaced.
    fn place(&self, label: Range<usize>) -> Option<Range<usize>> {
        let ranges = match &self.places {
            Places::After(start) => {
                let place = |at: usize| start + at * self.units.letter.len().max(1);
                return Some(place(label.start)..place(label.end));
            }
            Places::Ranges(ranges) => ranges.get(label.clone())?,
        };
        // The range of a letter can begin with the end of base64.
        let letter = |range: &Range<usize>, character: u8| {
            let bytes = self.units.encode(char::from(character).encode_utf8(&mut [0; 4])).ok()?;
            self.text[range.clone()].ends_with(&bytes).then(|| range.end - bytes.len()..range.end)
        };
        let (first, last) = (*self.ascii.get(label.start)?, *self.ascii.get(label.end.checked_sub(1)?)?);
        Some(letter(ranges.first()?, first)?.start..letter(ranges.last()?, last)?.end)
    }
}

/// Returns whether characters of ASCII can have other bytes than in ASCII, although some are the same.
fn hides_ascii(charset: Charset) -> bool {
    [oem::UTF_7, oem::UTF_7_IMAP, oem::GSM_03_38].contains(&charset.encoding())
}

fn ascii_of(character: Option<char>) -> u8 {
    character.filter(char::is_ascii).map_or(0xFF, |character| character as u8)
}
