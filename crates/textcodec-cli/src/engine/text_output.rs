//! The output of an engine. It finds the declarations at the start of each text, and corrects them if that is wanted.

use std::{borrow::Cow, cmp::Reverse, io, mem};

use textcodec::{UTF_16BE, UTF_16LE};
use textcodec_detect::declaration::{Declaration, HEAD_LEN, find_all, in_ascii};

use super::recipe::{Declarations, Recipe, Tally};
use crate::{charset::Charset, output::Output};

pub(super) struct TextOutput {
    output: Output,
    /// What is written before the next text.
    mark: Vec<u8>,
    to: Charset,
    declarations: Declarations,
    /// The start of a text, until it is complete. If declarations are updated, it is written only then.
    head: Option<Vec<u8>>,
    /// The declarations that are wrong for the output.
    found: Vec<Declaration>,
    /// The number of bytes by which the corrected labels are longer than the original ones.
    longer_by: isize,
}

impl TextOutput {
    pub(super) fn new(output: Output, recipe: Recipe) -> Self {
        Self {
            output,
            mark: Vec::new(),
            to: recipe.to,
            declarations: recipe.declarations,
            head: None,
            found: Vec::new(),
            longer_by: 0,
        }
    }

    /// Starts the text of an input, after a byte order mark.
    pub(super) fn start_text(&mut self) {
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
        let mut found = find_all(&ascii_of(&head, self.to));
        found.retain(|declaration| !declaration.is_right_for(self.to.encoding()));
        self.found = found;
        if self.declarations == Declarations::Update {
            let len = head.len();
            self.correct(&mut head)?;
            self.longer_by = head.len().cast_signed() - len.cast_signed();
            self.output.write_all(&head)?;
        }
        Ok(())
    }

    /// Replaces the labels that were found.
    fn correct(&self, head: &mut Vec<u8>) -> io::Result<()> {
        let unit_len = if matches!(self.to.encoding(), UTF_16LE | UTF_16BE) { 2 } else { 1 };
        let mut labels: Vec<_> =
            self.found.iter().map(|found| (found.label_range(), found.corrected_label(self.to.encoding()))).collect();
        // From the last to the first, so that positions remain valid.
        labels.sort_by_key(|(range, _)| Reverse(range.start));
        for (range, label) in labels {
            let label = self.to.encode(&label).map_err(io::Error::other)?.into_owned();
            head.splice(range.start * unit_len..range.end * unit_len, label);
        }
        Ok(())
    }
}

/// Returns text with one byte for each code unit, which is the character if that is ASCII: see [`in_ascii`].
fn ascii_of(text: &[u8], charset: Charset) -> Cow<'_, [u8]> {
    if !charset.is_single_byte() || charset.is_ascii_compatible() {
        return in_ascii(text, charset.encoding());
    }
    let ascii: [u8; 256] = std::array::from_fn(|byte| {
        let character = charset.decode(&[byte as u8]).chars().next();
        character.filter(char::is_ascii).map_or(0xFF, |character| character as u8)
    });
    text.iter().map(|&byte| ascii[usize::from(byte)]).collect::<Vec<_>>().into()
}
